"""`pitboss rules`: the game as a table plays it, with the clause behind every line."""

from __future__ import annotations

import json as jsonlib
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from pitboss.commands import Unread, look_for_editions
from pitboss.commands.options import AsJson, EditionNamed, EditionsIn, RulebookId
from pitboss.rulebooks.editions import text
from pitboss.rulebooks.terms import Rulebook
from pitboss.terminal.opening import (
    ChoiceError,
    Choices,
    choose_edition,
    choose_house,
    choose_rulebook,
    find_rulebook,
)
from pitboss.terminal.sheet import as_data, lines, sheet

FINE = 0


def rules(
    rulebook: RulebookId,
    *,
    house: Annotated[Choices | None, Parameter(name="*")] = None,
    set: Annotated[list[str] | None, Parameter(name="--set")] = None,
    amend: list[str] | None = None,
    edition: EditionNamed = None,
    editions: EditionsIn = None,
    export: str | None = None,
    brief: bool = False,
    json: AsJson = False,
) -> int:
    """Print the rules of a game as a table plays it, with the clause behind every line.

    The options are the choices that the rules leave to the house; any other choice is refused with its clause.

    Parameters
    ----------
    set
        Change a term of the rulebook for study, as in dealer.soft_stand=17.
    amend
        Apply an amendment: a TOML file, or the name of one in the document, as in tournament; repeatable.
    export
        Write the whole text of the edition to this file, for logs and records that name it; nothing is printed.
    brief
        Leave out the notes on how unclear clauses are read.
    """
    look_for_editions(editions)
    try:
        if export is not None:
            return _export(choose_edition(find_rulebook(rulebook), edition), export, as_json=json)
        book = choose_rulebook(rulebook, set or (), amend or (), edition)
        found = sheet(book, choose_house(book, house or Choices()))
    except ChoiceError as error:
        raise Unread(f"pitboss rules: {error}") from None
    if json:
        print(jsonlib.dumps(as_data(found), ensure_ascii=False))
        return FINE
    sheet_lines = list(lines(found, notes=not brief))
    if sys.stdout.isatty():
        from pitboss.terminal.paper import print_sheet

        print_sheet(sheet_lines)
    else:
        print("\n".join(sheet_lines))
    return FINE


def _export(book: Rulebook, target: str, *, as_json: bool) -> int:
    try:
        Path(target).write_bytes(text(book.id, book.edition) + b"\n")
    except OSError as error:
        raise Unread(f"pitboss rules: {target}: cannot be written: {(error.strerror or 'unknown').lower()}") from None
    if as_json:
        print(jsonlib.dumps({"rulebook": book.id, "digest": book.edition, "to": target}))
    return FINE
