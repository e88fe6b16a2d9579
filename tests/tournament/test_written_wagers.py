"""An undisclosed wager is paid or taken as the same wager in chips would have been (NSW pontoon and Blackjack Challenge
8.2.6 of their rules for tournaments)."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from pitboss import play
from pitboss.basics.cards import Card
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.state import Table
from tests.tournament.session_tables import session_table, some_cards

BOOKS = ("nsw-pontoon", "nsw-blackjack-challenge")
WITH_DEALER_NATURAL = {
    "nsw-pontoon": "9h 9d 9s Ks 6h Kd 7c As",
    "nsw-blackjack-challenge": "9h 9d 9s Ks 8h Kd 9c As",
}


def stands() -> float:
    return 1.0


def opened(book: str, cards: tuple[Card, ...] | str, cents: int, *, in_writing: bool) -> Table:
    table = session_table(book, cards, undisclosed=1)
    first: tuple[a.Act, ...] = (a.PlaceWager("alice", 1, cents),)
    if in_writing:
        first = (a.HandInForm("alice", "original", cents), a.ExamineForm("gaming-supervisor", "alice"))
    others = (a.PlaceWager("bob", 2, 2500), a.PlaceWager("cleo", 3, 2500))
    return play(table, *first, *others, a.Deal())[0]


def chips_after(table: Table, luck: Callable[[], float]) -> dict[str, int]:
    """Everybody draws, stands and surrenders by chance; nobody doubles or splits. What they then have."""
    happened: tuple[object, ...] = ()
    while table.phase != "wagers":
        if table.phase == "insurance":
            due: list[a.Act] = [a.CloseInsurance()]
        elif table.phase == "surrender":
            gives_up = luck() < 0.3 and not table.boxes[1].hands[0].done
            due = [a.Surrender("alice", 1)] if gives_up else []
            due.append(a.CloseSurrender())
        else:
            player, box = table.boxes[table.turn_box].controller, table.turn_box
            total = table.hand_to_act().total
            draws = total < 12 or (total < 19 and luck() < 0.4)
            due = [a.Hit(player, box) if draws else a.Stand(player, box)]
        table, happened = play(table, *due)
    return next(dict(each.chips) for each in happened if isinstance(each, e.RoundCounted))


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_written_wins_and_loses_what_the_same_chips_would(book: str) -> None:
    for seed in range(120):
        cards = some_cards(book, random.Random(seed))
        cents = 2500 * random.Random(seed).randint(1, 20)
        after = [
            chips_after(opened(book, cards, cents, in_writing=in_writing), random.Random(seed).random)
            for in_writing in (False, True)
        ]
        assert after[0] == after[1], f"{book}, cards {seed}"


@pytest.mark.parametrize("book", BOOKS)
def test_a_dealers_natural_takes_what_is_written(book: str) -> None:
    table = opened(book, WITH_DEALER_NATURAL[book], 10_000, in_writing=True)
    chips = chips_after(table, stands)
    assert chips == {"alice": 90_000, "bob": 97_500, "cleo": 97_500}


@pytest.mark.clause("nsw-pontoon", "10.5:T2:super-bonus-25-up", "10.5:T2:others-50")
@pytest.mark.parametrize("first", ["7s", "8s"])
def test_suited_sevens_bring_what_is_written_the_super_bonus_that_chips_would_have(first: str) -> None:
    cards = f"7h 9d 9s {first} 7h Kd Kc 7h Ks"
    after = [
        chips_after(opened("nsw-pontoon", cards, 2500, in_writing=in_writing), lambda: 0.0)
        for in_writing in (False, True)
    ]
    assert after[0] == after[1]
    assert (after[1]["alice"] > 500_000) == (first == "7s")


def test_whoever_has_only_written_may_surrender_half_of_it() -> None:
    table = opened("nsw-pontoon", "9h 9d 9s Ks 6h Kd 9c 8s", 10_000, in_writing=True)
    table, _ = play(table, a.Surrender("alice", 1), a.CloseSurrender())
    assert chips_after(table, stands)["alice"] == 95_000
