"""A record mostly holds the cards dealt so far, which is all that anybody at the table knows: later ones are unknown.

The engine deals whole rounds, so it is given cards to go on with, and what it makes of them is cut off where the first
of them comes. What was decided before that does not rest on them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice

from msgspec.structs import replace

from pitboss.basics.cards import JOKER, Card
from pitboss.table import events as e
from pitboss.table.apply import evolve
from pitboss.table.events import Event
from pitboss.table.shuffle_and_cut import full_stack
from pitboss.table.state import Table

ENOUGH = 60
"""More cards than what is left of any round before somebody decides again takes."""


def with_unknown_cards(table: Table) -> Table:
    """The table with cards to go on with, where its stack was arranged and may have more than is told."""
    if not table.arranged or table.preparation == "shuffle":
        return table
    return replace(table, stack=(*table.stack, *unknown_cards(table, table.stack)))


def unknown_cards(table: Table, known: Sequence[Card]) -> tuple[Card, ...]:
    """Some of the cards that the decks hold beside these; none where these are all of them."""
    left = Counter(full_stack(table)) - Counter(known)
    return tuple(islice((card for card in left.elements() if card != JOKER), ENOUGH))


def until_unknown(table: Table, events: Sequence[Event]) -> tuple[tuple[Event, ...], Table]:
    """Those events that rest on known cards, and the table after them."""
    known = len(table.stack)
    undone = rests_on_unknown(table, events)
    for place, event in enumerate(events):
        if place == undone:
            return tuple(events[:place]), table
        after = evolve(table, (event,))
        if after.stack == table.stack and after.position > known:
            return tuple(events[:place]), table
        if after.stack != table.stack:
            known = len(after.stack)
        table = after
    return tuple(events), table


def rests_on_unknown(table: Table, events: Sequence[Event]) -> int | None:
    """Where a round begins to be undone of which a card is unknown; None where no such round is taken back."""
    taken = next((event for event in events if isinstance(event, e.RoundTakenBack)), None)
    if taken is None or table.position + taken.extra <= len(table.stack):
        return None
    undoing = (e.WagerReturned, e.PaymentReversed, e.JackpotSet, e.RoundTakenBack)
    return next(place for place, event in enumerate(events) if isinstance(event, undoing))
