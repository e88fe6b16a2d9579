"""Tables in a session of a tournament, for tests of one round."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from pitboss import load, open_table, play
from pitboss.basics.cards import Card, deck
from pitboss.rulebooks.meanings import ALWAYS_IN_TURN
from pitboss.table import acts as a
from pitboss.table.house import default_house
from pitboss.table.session import SessionTerms
from pitboss.table.state import Table
from pitboss.tournament.allowed import rulebook_for

SEATS = {1: "alice", 2: "bob", 3: "cleo"}


def session_table(
    rulebook: str, cards: str | Sequence[Card] = "", *, seats: dict[int, str] | None = None, **said: Any
) -> Table:
    """A table where a session has just begun: three players with $1,000 each, wagers from $25 to $500, in turn."""
    book = rulebook_for(load(rulebook))
    house = default_house(
        book,
        tournament=True,
        counted=True,
        side_bets=("perfect-pairs",),
        chips_cents=(500, 2500, 10_000),
    )
    table = open_table(book, cards=cards, house=house, any_cards=True)
    said.setdefault("order", True)
    terms = SessionTerms("heat", seats or SEATS, said.pop("chips_cents", 100_000), 2500, 50_000, **said)
    assert terms.order or not ALWAYS_IN_TURN[book.tournament.order.value]
    return play(table, a.BeginSession("casino-supervisor", terms))[0]


def some_cards(rulebook: str, rng: random.Random) -> tuple[Card, ...]:
    cards = list(deck(load(rulebook).cards.ranks.value)) * 6
    rng.shuffle(cards)
    return tuple(cards[:100])


def plain_decision(table: Table) -> a.Act:
    """Draw to 15 and stand; take up no offer."""
    if table.phase == "insurance":
        return a.CloseInsurance()
    if table.phase == "surrender":
        return a.CloseSurrender()
    player = table.boxes[table.turn_box].controller
    drawing = table.hand_to_act().total < 15
    return a.Hit(player, table.turn_box) if drawing else a.Stand(player, table.turn_box)
