"""Whole tournaments of any size: money and chips are conserved at every event, all have a place, the pool goes out."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.tournament import events as te
from pitboss.tournament.money import POOL
from tests.lengths import length
from tests.tournament.making import CANBERRA, CHALLENGE, NSW, WITH_TOURNAMENTS, conditions_of
from tests.tournament.running import Running, played_out, replayed


def structure(entrants: int, **extra: Any) -> dict[str, Any]:
    """Stages for so many: heats, a repechage where there are many, semi-finals where they are needed, a final."""
    if entrants <= 7:
        return {"stages": [{"name": "final", "kind": "final", "tables": 1, "rounds": 12, "advance": 0}], **extra}
    heats = -(-(entrants + 1) // 7) + 1
    stages = [{"name": "heats", "kind": "heat", "tables": heats, "rounds": 8, "advance": 1, "to": "semi-finals"}]
    if entrants > 30:
        stages.append({"name": "second chance", "kind": "repechage", "tables": heats, "rounds": 4, "advance": 1})
    semis = -(-2 * heats // 7) + 1
    while semis > 1:
        name = "semi-finals" if stages[-1]["kind"] in ("heat", "repechage") else f"round of {semis}"
        stages.append({"name": name, "kind": "semi-final", "tables": semis, "rounds": 8, "advance": 1})
        semis = -(-semis // 7) if semis > 7 else 1
    stages.append({"name": "final", "kind": "final", "tables": 1, "rounds": 10, "advance": 0})
    names = [stage["name"] for stage in stages]
    if "semi-finals" not in names:
        stages[0].pop("to")
    return {"stages": stages, **extra}


def holds(running: Running, entrants: int) -> None:
    state = running.state
    assert state.status == "ended"
    awarded = running.told(te.PlaceAwarded)
    in_it = [
        each for each in state.entrants.values() if each.status not in ("withdrawn", "refused", "applied", "reserve")
    ]
    assert sorted(each.name for each in awarded) == sorted(each.name for each in in_it)
    assert sum(each.cents for each in awarded) == _pool_before(running)
    assert state.accounts[POOL] == 0
    places = sorted(each.place for each in awarded)
    for place in set(places):  # equals share a place, and the next one counts them all
        assert places.index(place) + 1 == place
    best = {each.place: each.cents for each in awarded}
    ordered = [best[place] for place in sorted(best)]
    assert ordered == sorted(ordered, reverse=True) or any(places.count(place) > 1 for place in places)
    assert all(account in ("inventory", "missing") or not cents for account, cents in state.chip_accounts.items())
    replayed(running)


def _pool_before(running: Running) -> int:
    paid = sum(each.cents - each.commission_cents for each in running.told(te.FeePaid))
    paid += sum(each.cents for each in running.told(te.BoughtBack))
    paid += sum(each.cents for each in running.told(te.BoughtIn) if each.to_pool)
    paid += sum(each.cents for each in running.told(te.ValueAdded) if each.cash)
    paid += sum(each.cents for each in running.told(te.GuaranteeMet))
    back = sum(each.refund_cents - each.from_commission_cents for each in running.told(te.EntryWithdrawn))
    return paid - back - sum(each.refund_cents for each in running.told(te.Disqualified))


FEE_AND_MORE: dict[str, dict[str, Any]] = {
    NSW: {"chips": {"amount": 1000, "bought": True, "price": 37, "cash_value": True, "denominations": [5, 25, 100]}},
    CANBERRA: {"entry__commission": 7},
    CHALLENGE: {"chips": {"amount": 500, "bought": True, "price": 20, "denominations": [5, 25, 100]}},
}


@pytest.mark.clause("nsw-pontoon", "20.3.2", "20.6.9")
@pytest.mark.clause("nsw-blackjack-challenge", "21.3.2", "21.6.8")
@pytest.mark.clause("canberra-pontoon-2005", "20.19", "20.20", "20.23")
@pytest.mark.parametrize("rulebook", WITH_TOURNAMENTS)
@pytest.mark.parametrize("entrants", [4, 7, 8, 23, 40])
@pytest.mark.parametrize("seed", range(length(40, 2)))
def test_random_tournaments_conserve_money_and_chips_and_place_everybody(
    rulebook: str, entrants: int, seed: int
) -> None:
    extra: dict[str, Any] = {"entry__minimum": 2, "entry__maximum": 600, "entry__fee": 101}
    if seed % 2:
        extra |= FEE_AND_MORE[rulebook]
    conditions = conditions_of(rulebook, **structure(entrants, **extra))
    holds(played_out(conditions, entrants, f"{rulebook} {entrants} {seed}"), entrants)


@pytest.mark.parametrize("rulebook", WITH_TOURNAMENTS)
def test_a_large_tournament(rulebook: str) -> None:
    entrants = length(500, 120)
    extra = {"entry__minimum": 2, "entry__maximum": 600, "prizes__shares": list(range(40, 0, -1))}
    conditions = conditions_of(rulebook, **structure(entrants, **extra))
    holds(played_out(conditions, entrants, f"{rulebook} large"), entrants)
