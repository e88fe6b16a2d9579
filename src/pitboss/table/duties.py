"""Which duties of hands and voice are due at a table now."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from pitboss.rulebooks.duties import Duty, duties
from pitboss.table.legal import Waiting
from pitboss.table.state import NOT_ANNOUNCED, Table
from pitboss.table.tournament_play.turns import whose_turn

WHILE = {
    "opening": ("shuffle",),
    "shuffle": ("shuffle",),
    "cut": ("cut", "cutting-card"),
    "wagers": ("wagers",),
    "deal": ("wagers",),
    "surrender": ("surrender",),
    "decision": ("decision",),
    "double": ("decision",),
}
"""Moments that never come but while the table waits for one of these."""
IN_SESSION = frozenset({"session", "session-turn", "session-form", "session-shown", "session-pass"})
"""Moments that never come but in a session of a tournament."""


def _wagers_lie(table: Table) -> bool:
    return any(box.wagers for box in table.boxes.values())


WHEN: dict[str, Callable[[Table, Waiting], bool]] = {
    "opening": lambda table, waiting: waiting.what == "shuffle" and not table.stack,
    "shuffle": lambda table, waiting: waiting.what == "shuffle",
    "cut": lambda table, waiting: waiting.what in ("cut", "cutting-card"),
    "wagers": lambda table, waiting: waiting.what == "wagers",
    "deal": lambda table, waiting: waiting.what == "wagers" and _wagers_lie(table),
    "surrender": lambda table, waiting: waiting.what == "surrender",
    "decision": lambda table, waiting: waiting.what == "decision",
    "double": lambda table, waiting: waiting.what == "decision" and "Double" in waiting.acts,
    "gather": lambda table, waiting: table.phase == "wagers" and bool(table.net) and not _wagers_lie(table),
    "face-down": lambda table, waiting: table.phase != "wagers" and table.house.face_down,
    "old-minimum": lambda table, waiting: any(
        each.minimum_cents and each.keeps_old_minimum for each in table.players.values()
    ),
    "restricted": lambda table, waiting: any(each.restriction for each in table.players.values() if each.present),
    "empty": lambda table, waiting: not any(each.present for each in table.players.values()),
    "closing": lambda table, waiting: table.final_rounds != NOT_ANNOUNCED,
    "session": lambda table, waiting: table.session is not None and table.phase == "wagers",
    "session-turn": lambda table, waiting: (
        table.session is not None and table.phase == "wagers" and bool(whose_turn(table))
    ),
    "session-form": lambda table, waiting: (
        table.session is not None and any(not form.examined for form in table.session.forms.values())
    ),
    "session-shown": lambda table, waiting: table.session is not None and bool(table.session.open_forms),
    "session-pass": lambda table, waiting: table.session is not None and bool(table.session.passing),
}
"""When each moment of `pitboss.rulebooks.duties` has come."""


def due(table: Table, waiting: Waiting) -> tuple[Duty, ...]:
    """What is to be done now, in the order of play."""
    found = _duties_of(table.rulebook.id, waiting.what, table.session is not None)
    come = {moment: WHEN[moment](table, waiting) for moment in dict.fromkeys([duty.moment for duty in found])}
    return tuple([duty for duty in found if come[duty.moment]])


@cache
def _duties_of(rulebook_id: str, what: str, in_session: bool) -> tuple[Duty, ...]:
    """Those whose moment may have come while the table waits for this."""
    return tuple(
        duty
        for duty in duties(rulebook_id)
        if what in WHILE.get(duty.moment, (what,)) and (in_session or duty.moment not in IN_SESSION)
    )
