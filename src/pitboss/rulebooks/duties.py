"""Duties of hands and voice: what a document wants the dealer to do that no card and no wager shows.

Each rulebook's ``duties.tsv`` has a row a duty: its clauses, the moment at which it is due, what to do in our words,
and the step by which a trainee does it, where there is one.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

MOMENTS = {
    "opening": "before the first shuffle of a table",
    "shuffle": "while the cards are shuffled",
    "cut": "when the cards are cut",
    "wagers": "while wagers are taken",
    "deal": "when wagers lie and the cards are about to be dealt",
    "surrender": "while surrender is open",
    "decision": "when a player decides on a hand",
    "double": "when a hand may be doubled",
    "gather": "when a round is over and the next has not begun",
    "face-down": "while hands lie face down",
    "old-minimum": "while somebody is kept at an old minimum",
    "restricted": "while somebody is restricted",
    "empty": "when nobody is at the table",
    "closing": "when the last rounds are announced",
    "session": "while wagers are taken in a session of a tournament",
    "session-turn": "when players wager in turn",
    "session-form": "while a form waits to be examined",
    "session-shown": "after a round with undisclosed wagers",
    "session-pass": "while pass cards lie on boxes",
}
"""Every moment at which something may be due; `pitboss.table.duties` knows when each has come."""
COLUMNS = ("clauses", "moment", "text", "step")


class Duty(msgspec.Struct, frozen=True):
    """Something to be done by hand or voice."""

    clauses: tuple[str, ...]
    moment: str
    text: str
    step: str = ""
    """The step of a training that is this duty; empty where a trainee is only reminded."""


@cache
def duties(rulebook_id: str) -> tuple[Duty, ...]:
    """All duties of one document, in the order of play; none where the rulebook has no such file."""
    path = Path(__file__).parent / rulebook_id.replace("-", "_") / "duties.tsv"
    if not path.is_file():
        return ()
    head, *rows = path.read_text(encoding="utf-8").splitlines()
    if tuple(head.split("\t")) != COLUMNS:
        raise ValueError(f"{path.name}: the first line must name the columns {', '.join(COLUMNS)}")
    return tuple(_duty(rulebook_id, row) for row in rows)


def _duty(rulebook_id: str, row: str) -> Duty:
    clauses, moment, text, step = row.split("\t")
    if moment not in MOMENTS:
        raise ValueError(f"{rulebook_id}, duties.tsv: there is no moment {moment!r}: {', '.join(MOMENTS)}")
    return Duty(tuple(clauses.split()), moment, text, step)
