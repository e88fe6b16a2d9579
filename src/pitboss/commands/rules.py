"""`pitboss rules`: the game as a table plays it, with the clause behind every line."""

from __future__ import annotations

import json as jsonlib
import sys
from typing import Annotated

from cyclopts import Parameter

from pitboss.commands import Unread
from pitboss.terminal.opening import ChoiceError, Choices, choose_house, choose_rulebook
from pitboss.terminal.sheet import as_data, lines, sheet

FINE = 0


def rules(
    rulebook: str,
    *,
    house: Annotated[Choices | None, Parameter(name="*")] = None,
    set: Annotated[list[str] | None, Parameter(name="--set")] = None,
    brief: bool = False,
    json: bool = False,
) -> int:
    """Print the game as a table plays it, with the clause behind every line.

    What a house may choose is chosen with the options; what it may not choose is refused with the clause.

    Parameters
    ----------
    rulebook
        The rulebook's id, as in nsw-pontoon.
    set
        Change a term of the rulebook for study, as in dealer.soft_stand=17.
    brief
        Leave out the notes that say how an unclear clause is read.
    json
        Print one JSON object.
    """
    try:
        book = choose_rulebook(rulebook, set or ())
        found = sheet(book, choose_house(book, house or Choices()))
    except ChoiceError as error:
        raise Unread(f"pitboss rules: {error}") from None
    if json:
        print(jsonlib.dumps(as_data(found), ensure_ascii=False))
        return FINE
    text = list(lines(found, notes=not brief))
    if sys.stdout.isatty():
        from pitboss.terminal.paper import print_sheet

        print_sheet(text)
    else:
        print("\n".join(text))
    return FINE
