"""Which duties of hands and voice are due at a table now."""

from __future__ import annotations

from collections.abc import Callable

from pitboss.rulebooks.duties import Duty, duties
from pitboss.table.legal import Waiting
from pitboss.table.state import NOT_ANNOUNCED, Table
from pitboss.table.tournament_play.turns import whose_turn


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
    "old-minimum": lambda table, waiting: any(each.keeps_old_minimum for each in table.players.values()),
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
    return tuple(duty for duty in duties(table.rulebook.id) if WHEN[duty.moment](table, waiting))
