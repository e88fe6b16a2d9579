"""Applying events to a table. No rule is read here: an event says all that was decided, so an old log still replays.

`people`, `wagers`, `cards`, `rounds`, `hands`, `settlement`, `jackpot`, `house`, `irregularities`, `misdeals`,
`sessions`: what the events of one chapter change. `tokens`: what is counted besides where chips are. `changes`: what
they change alike.
"""

from __future__ import annotations

from collections.abc import Iterable

from pitboss.table.apply.cards import CARDS
from pitboss.table.apply.changes import Changes
from pitboss.table.apply.hands import HANDS
from pitboss.table.apply.house import HOUSE
from pitboss.table.apply.irregularities import IRREGULARITIES
from pitboss.table.apply.jackpot import JACKPOT
from pitboss.table.apply.misdeals import MISDEALS
from pitboss.table.apply.people import PEOPLE
from pitboss.table.apply.rounds import ROUNDS
from pitboss.table.apply.sessions import SESSIONS, noting
from pitboss.table.apply.settlement import SETTLEMENT
from pitboss.table.apply.tokens import counting
from pitboss.table.apply.wagers import WAGERS
from pitboss.table.events import Event
from pitboss.table.state import Table, draft

APPLY: Changes = {
    **PEOPLE,
    **WAGERS,
    **CARDS,
    **ROUNDS,
    **HANDS,
    **SETTLEMENT,
    **JACKPOT,
    **HOUSE,
    **IRREGULARITIES,
    **MISDEALS,
    **SESSIONS,
}
COUNTING: Changes = noting(counting(APPLY))
"""The same where chips are counted, as they are in every session of a tournament."""


def evolve(table: Table, events: Iterable[Event]) -> Table:
    """The table after these events; the old one is untouched."""
    new = draft(table)
    changes = COUNTING if table.house.counted else APPLY
    for event in events:
        changes[type(event)](new, event)
    return new
