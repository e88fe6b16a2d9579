"""What of a table nobody may know yet: the order of its stack, cards burned or drawn unseen, hands that lie face down.

The log keeps it sealed, so that not even who runs the database reads it, and it leaves the house late (`withheld`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitboss.floor.updates import lies_face_down_at

if TYPE_CHECKING:
    from pitboss.table.state import Table

SHUFFLED = b'"act":"Shuffle"'
ORDERED = (SHUFFLED, b'"order":', b'"StackArranged"')
BURNED = (b'"CardBurned"', b'"exposed":false')
"""Burned cards lie face down in the rack and are not exposed (NSW pontoon 4.9); so do cards drawn in error unseen."""
HIDDEN_HAND = b'"face_down":true'
MARKS = (*ORDERED, *BURNED, HIDDEN_HAND)


def is_hidden(body: bytes, before: Table) -> bool:
    """Whether an act at a table, as it is written, tells something that not everybody may know at once."""
    for mark in MARKS:
        if mark in body:
            return True
    return lies_face_down_at(before)
