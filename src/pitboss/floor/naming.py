"""Whom an act means: people as their accounts spell them, and nobody whom the floor does not know.

Names that differ in capitals only would be taken for each other; whoever bars BOB means bob.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection
from typing import Any

from msgspec.structs import replace

from pitboss.floor.people import People, key_of
from pitboss.floor.permissions import HOUSE_CUTTERS
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import acts as a
from pitboss.table.refusals import Refusal
from pitboss.table.roles import STAFF
from pitboss.table.state import Table
from pitboss.table.wagers import is_name

TABLE_NAME = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


def names_somebody_else(act: Any, table: Table) -> bool:
    """Whether an act of the house's people may name somebody who is not at the table under that very name."""
    name = getattr(act, "player", None)
    if name is None:
        return isinstance(act, (a.Remind, a.InvalidateRound))
    return name not in table.players


def rightly_named(act: Any, table: Table, bots: Collection[str], people: People | None) -> Any | Refusal:
    """The act with everybody in it spelled as they are; a refusal where it names nobody whom the floor knows.

    Without `people` anybody may come: then only those who are there under another spelling are found.
    """

    def spelled(name: str) -> str | Refusal:
        return _spelled(name, table, bots, people)

    found: dict[str, str | Refusal | tuple[str, ...]] = {}
    if isinstance(act, a.InvalidateRound):
        names = tuple(map(spelled, act.forfeit))
        wrong = next((each for each in names if isinstance(each, Refusal)), None)
        found["forfeit"] = wrong if wrong is not None else tuple(map(str, names))
    elif isinstance(act, a.Remind):
        if act.person not in STAFF:
            found["person"] = spelled(act.person)
    elif not (isinstance(act, a.Cut) and act.player in HOUSE_CUTTERS):
        found["player"] = spelled(act.player)
    for each in found.values():
        if isinstance(each, Refusal):
            return each
    return replace(act, **found) if found else act


def _spelled(name: str, table: Table, bots: Collection[str], people: People | None) -> str | Refusal:
    if name in table.players or not is_name(name):
        return name  # what can be nobody's name the engine refuses itself
    account = people.account(name) if people is not None else None
    if account is not None and account.name in table.players:
        return account.name
    alike = same_but_capitals(name, (*table.players, *bots))
    if alike:
        return alike
    if account is not None:
        return account.name
    return name if people is None else _nobody(name, table, bots)


def same_but_capitals(name: str, names: Collection[str]) -> str:
    """The one of these names that this is, but for capitals; "" where none is."""
    return next((each for each in names if key_of(each) == key_of(name)), "")


def _nobody(name: str, table: Table, bots: Collection[str]) -> Refusal:
    """Only those at the table are named: who else has an account is not for everybody to hear."""
    there = [each for each, state in table.players.items() if state.present]
    near = difflib.get_close_matches(name.lower(), [*there, *bots], n=1)
    likely = f"; did you mean {near[0]}?" if near else ": players have an account, or come in as guests."
    book: Rulebook = table.rulebook
    return Refusal(book.name, book.boxes.players_max.clauses, f"there is nobody called {name[:40]!r}{likely}")


def is_table_name(name: str) -> bool:
    """Whether a table, or a link, may have this id."""
    return 0 < len(name) <= 40 and not set(name) - TABLE_NAME and name[0] != "-"
