"""Every cent has two ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitboss import load, open_table, play
from pitboss.basics.money import Odds
from pitboss.ledger import Ledger, postings
from pitboss.ledger.postings import POST
from pitboss.records import read, replay
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.house import default_house
from pitboss.table.refusals import Broken
from tests.books import BJC, NSW


@pytest.mark.clause("nsw-pontoon", "16.2", "9.7")
def test_losers_go_to_the_float_and_winners_come_from_it() -> None:
    table = open_table(NSW, cards="Ks 9s Kd 9h 9d 7c")
    ledger = Ledger()
    table, events = play(
        table, a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 2, 2000), a.Deal(), a.CloseSurrender(),
        a.Stand("alice", 1), a.Stand("bob", 2),
    )  # fmt: skip
    ledger.post_all(events)
    assert ledger.balances == {"player:alice": 1000, "player:bob": 2000, "box:1": 0, "box:2": 0, "float": -3000}
    assert ledger.total() == 0 and ledger.balance("jackpot") == 0


@pytest.mark.clause("nsw-blackjack-challenge", "16.7", "16.9", "16.11.3")
def test_jackpot_wagers_go_to_the_float_before_the_deal_and_a_part_of_them_to_the_jackpot() -> None:
    rulebook = load(BJC)
    house = default_house(rulebook, source="shuffling-device", side_bets=("blazing-7s",), jackpot_rate_percent=20)
    table = open_table(rulebook, cards="7d 9c 7c 7d 9h 2s 7s Kc", house=house)
    ledger = Ledger(table.jackpot_cents)
    acts = [a.PlaceWager("alice", 1, 1000), a.PlaceWager("alice", 1, 500, "blazing-7s"), a.Deal()]
    table, events = play(table, *acts)
    ledger.post_all(events)
    names = [type(event).__name__ for event in events]
    assert names.index("JackpotWagerCollected") < names.index("CardDealt")
    assert ledger.balance("jackpot") == table.jackpot_cents == 5_000_100
    assert ledger.balance("float") == 500 - 100 - 10_000  # two player sevens besides: $100 from the float


@pytest.mark.clause("nsw-blackjack-challenge", "16.11.2")
def test_the_jackpot_is_told_after_shares_were_taken_from_it() -> None:
    path = Path(__file__).parents[1] / "rounds" / BJC / "16.11.2-two-tenths-in-succession-shared.round"
    record = read(path)
    result = replay(record)
    ledger = Ledger(record.house.jackpot_cents)
    told = pool = record.house.jackpot_cents
    for event in result.events:
        ledger.post(event)
        if isinstance(event, e.JackpotPrizePaid):
            pool -= event.from_pool_cents
        if isinstance(event, e.JackpotSet):
            told = event.cents
            assert told == ledger.balance("jackpot") == pool
    assert told == result.table.jackpot_cents < record.house.jackpot_cents


@pytest.mark.clause("nsw-blackjack-challenge", "18.17.1")
def test_a_fault_gives_the_jackpots_part_back_to_the_float_that_it_came_from() -> None:
    rulebook = load(BJC)
    house = default_house(rulebook, source="shuffling-device", side_bets=("blazing-7s",), jackpot_rate_percent=20)
    table = open_table(rulebook, cards="7d 9c Kc 7d 9h 2s 7s Kc", house=house)
    ledger = Ledger(table.jackpot_cents)
    acts = [a.PlaceWager("alice", 1, 1000), a.PlaceWager("alice", 1, 500, "blazing-7s"), a.Deal()]
    table, events = play(table, *acts, a.ReportJackpotFault("casino-supervisor"))
    ledger.post_all(events)
    assert ledger.balance("jackpot") == table.jackpot_cents == 5_000_000
    assert (ledger.balance("float"), ledger.balance("player:alice")) == (0, -1000)
    assert ledger.balance("house") == -5_000_000


def test_unbalanced_postings_stop_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(event: e.BonusPaid) -> tuple[tuple[str, int], ...]:
        return (("float", -event.cents), ("player:alice", event.cents + 1))

    monkeypatch.setitem(POST, e.BonusPaid, wrong)  # type: ignore[misc]
    event = e.BonusPaid(("10.5",), "alice", 5000)
    with pytest.raises(Broken, match="differ by 1 cents"):
        postings(event)
    with pytest.raises(Broken, match="differ by 1 cents"):
        Ledger().post(event)
    with pytest.raises(Broken, match="differ by 1 cents"):
        Ledger().post_all([event])


def test_events_without_money_post_nothing() -> None:
    assert postings(e.BettingClosed(("7.1",))) == ()
    paid = e.WagerPaid(("10.1",), 1, 0, "alice", 1000, Odds(3, 2), 1500, "interim", "pontoon")
    assert postings(paid) == (("box:1", -1000), ("float", -1500), ("player:alice", 2500))


def test_bought_chips_come_from_the_float_and_the_cash_goes_into_the_drop_box() -> None:
    table = open_table(NSW, cards="")
    ledger = Ledger()
    _, events = play(table, a.BuyChips("alice", 10_000))
    ledger.post_all(events)
    assert ledger.balances == {"float": -10_000, "player:alice": 10_000, "cash:alice": -10_000, "drop": 10_000}
