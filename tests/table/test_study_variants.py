"""Variants for study: a changed term changes what is played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pitboss import legal_acts, load, open_table, play
from pitboss.rulebooks import RulebookError, vary
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.house import default_house
from tests.books import ACT2, ACT5, ADL, BJC, NSW

DEALER_NATURAL = "settlement.dealer_natural"


def played(rulebook: str, changes: Mapping[str, Any], cards: str, *choices: type[a.Act]) -> tuple[int, list[e.Event]]:
    """What alice wins or loses with $25 on box 1 when she chooses so; offers that are not meant are closed."""
    book = vary(load(rulebook), changes) if changes else load(rulebook)
    table = open_table(book, cards=cards, house=default_house(book, minimum_cents=100))
    table, events = play(table, a.PlaceWager("alice", 1, 2500), a.Deal())
    found = list(events)
    wanted = list(choices)
    while table.boxes:
        legal = {type(act): act for act in legal_acts(table)}
        for closing in (a.CloseInsurance, a.CloseSurrender, a.Keep):
            if closing in legal:
                table, events = play(table, legal[closing])
                break
        else:
            table, events = play(table, legal[wanted.pop(0)])
        found += events
    assert not wanted
    return table.net["alice"], found


DOUBLED = ("6s Kh 5d 9c Ad", a.Double)
SPLIT = ("8s Kh 8d 9c 9d Ad", a.Split, a.Stand, a.Stand)
SPLIT_AND_DOUBLED = ("8s Kh 8d 3c 9d 9h Ad", a.Split, a.Double, a.Stand)


@pytest.mark.clause("nsw-pontoon", "16.1.7", "16.1.8", "12.8", "13.5")
@pytest.mark.clause("adelaide-pontoon-2008", "10(b)", "69")
@pytest.mark.parametrize(
    ("rulebook", "changes", "doubled", "split", "both"),
    [
        (NSW, {}, -25, -25, -25),
        (NSW, {"_doubled": "lose"}, -50, -25, -50),
        (NSW, {"_split": "lose"}, -25, -50, -50),
        (NSW, {"_doubled": "lose", "_split": "lose"}, -50, -50, -75),
        (NSW, {"": "all"}, -50, -50, -75),
        (ADL, {}, -50, -50, -75),
        (ADL, {"_doubled": "stand-off"}, -25, -50, -50),
        (ADL, {"_split": "stand-off"}, -50, -25, -50),
        (ADL, {"": "one-original"}, -25, -25, -25),
        (ACT2, {"_doubled": "lose"}, -50, -25, -50),
        (BJC, {"_split": "lose"}, -25, -50, -50),
    ],
    ids=str,
)
def test_what_a_dealer_natural_takes(
    rulebook: str, changes: dict[str, str], doubled: int, split: int, both: int
) -> None:
    """One original amount, and doubled portions and further split wagers as the terms say."""
    full = {DEALER_NATURAL + end: value for end, value in changes.items()}
    assert played(rulebook, full, *DOUBLED)[0] == 100 * doubled
    assert played(rulebook, full, *SPLIT)[0] == 100 * split
    assert played(rulebook, full, *SPLIT_AND_DOUBLED)[0] == 100 * both


def test_the_whole_and_its_parts_are_never_at_odds() -> None:
    settlement = vary(load(NSW), {DEALER_NATURAL: "all"}).settlement
    assert (settlement.dealer_natural_doubled.value, settlement.dealer_natural_split.value) == ("lose", "lose")
    assert vary(load(ADL), {DEALER_NATURAL + "_split": "stand-off"}).settlement.dealer_natural.value == "one-original"
    back = vary(vary(load(NSW), {DEALER_NATURAL: "all"}), {DEALER_NATURAL: "one-original"})
    assert back.variant == "" and back == load(NSW)
    with pytest.raises(RulebookError, match=f"{DEALER_NATURAL}: is all where"):
        vary(load(NSW), {DEALER_NATURAL: "all", DEALER_NATURAL + "_doubled": "stand-off"})


@pytest.mark.clause("nsw-pontoon", "10.5:T2:note-split-double", "12.2", "13.4")
@pytest.mark.clause("canberra-pontoon-2002", "11.10", "12.7")
@pytest.mark.parametrize("rulebook", [NSW, ACT2])
def test_on_which_hands_the_super_bonus_is_earned(rulebook: str) -> None:
    """Seven, seven, seven of hearts against a seven: after a split on the second hand, or doubled."""
    doubled = ("7h 7s 7h 7h 9c Kd", a.Double)
    split = ("7h 7s 7h Js 7h 7h 9c Kd", a.Split, a.Stand, a.Hit)

    def bonuses(not_on: list[str], cards: str, *choices: type[a.Act]) -> list[int]:
        changes = {} if not_on == ["split", "doubled"] else {"super_bonus.not_on": not_on}
        return [
            event.cents
            for event in played(rulebook, changes, cards, *choices)[1]
            if isinstance(event, e.SuperBonusPaid)
        ]

    terms = load(rulebook).super_bonus
    bonus = [terms.large_cents.value if terms.large_from_cents.value <= 2500 else terms.small_cents.value]
    for not_on, on_doubled, on_split in (
        (["split", "doubled"], [], []),
        (["split"], bonus, []),
        (["doubled"], [], bonus),
        ([], bonus, bonus),
    ):
        assert bonuses(not_on, *doubled) == on_doubled
        assert bonuses(not_on, *split) == on_split


@pytest.mark.clause("nsw-blackjack-challenge", "9.7")
def test_what_a_five_card_trick_is_paid() -> None:
    trick = ("2s 9h 3d 2c 4h 5c Kd", a.Hit, a.Hit, a.Hit)
    assert played(BJC, {}, *trick)[0] == 2500
    net, events = played(BJC, {"interim.pay_table.five-card-trick": "3 to 2"}, *trick)
    assert net == 3750
    (paid,) = [event for event in events if isinstance(event, e.WagerPaid)]
    assert (paid.result, str(paid.odds)) == ("five-card-trick", "3 to 2")
    assert played(NSW, {"interim.five_card_trick": True}, *trick)[0] == 2500  # a game without the row pays even money


@pytest.mark.clause("nsw-pontoon", "10.1", "16.1.1")
@pytest.mark.parametrize("rulebook", [NSW, ADL, ACT5, ACT2])
@pytest.mark.parametrize("second", ["Ad", "9d"])
def test_a_pontoon_that_waits_wins_at_its_odds_whatever_the_dealer_has(rulebook: str, second: str) -> None:
    net, events = played(rulebook, {"interim.natural_when": "unless-dealer-ten-or-ace"}, f"As Kh Kd {second}")
    held = [event.kind for event in events if isinstance(event, e.NaturalHeld)]
    (paid,) = [event for event in events if isinstance(event, e.WagerPaid)]
    assert (net, held, paid.settlement) == (3750, ["natural"], "final")
    assert played(rulebook, {}, "As Kh Kd")[0] == 3750


@pytest.mark.clause("canberra-pontoon-2002", "14.3")
def test_a_super_bonus_that_nobody_was_paid_is_forgotten_with_its_round() -> None:
    """The wager was too small for it; the next round on the same box is no matter of these sevens."""
    book = vary(load(ACT2), {"super_bonus.small_from_cents": 1000})
    table = open_table(book, cards="7h 7s 7h 7h 9s 8h Kd 9c", house=default_house(book, minimum_cents=100))
    table, _ = play(table, a.PlaceWager("alice", 1, 500), a.Deal(), a.Hit("alice", 1))
    assert not table.boxes and not table.bonus_hands
    table, events = play(table, a.PlaceWager("alice", 1, 2500), a.Deal(), a.Stand("alice", 1))
    assert not any(isinstance(event, (e.SuperBonusPaid, e.BonusPaid)) for event in events)
