"""What of a table nobody may know yet: the order of its stack, cards burned or drawn unseen, hands that lie face down.

The log keeps it sealed, so that not even who runs the database reads it, and it leaves the house late (`withheld`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from pitboss.table import events as e
from pitboss.table.acts import AnyAct

if TYPE_CHECKING:
    from pitboss.table.events import Event

SHUFFLED = b'"act":"Shuffle"'
ORDERED = (SHUFFLED, b'"order":', b'"StackArranged"')
BURNED = (b'"CardBurned"', b'"exposed":false')
"""Burned cards lie face down in the rack and are not exposed (NSW pontoon 4.9); so do cards drawn in error unseen."""
HIDDEN_HAND = b'"face_down":true'
FORM = b'"FormHandedIn"'
"""What is written on the form of an undisclosed wager is for its player and whoever examines it (NSW 20.8.2)."""
_UNSEEN = frozenset({e.StackArranged, e.CardBurned, e.CardDrawnInError, e.FormHandedIn, e.FormGivenBack})
_ORDERING = frozenset(kind for kind in get_args(AnyAct) if "order" in kind.__struct_fields__)


def is_hidden(act: AnyAct, events: tuple[Event, ...], kinds: set[type[Event]], face_down: bool) -> bool:
    """Whether an act at a table tells something that not everybody may know at once; asked for every act.

    `kinds` are those of its events, and `face_down` says whether hands lie so at the table before it.
    """
    if face_down or type(act) in _ORDERING or not _UNSEEN.isdisjoint(kinds):
        return True
    return e.CardDealt in kinds and any(type(event) is e.CardDealt and event.face_down for event in events)
