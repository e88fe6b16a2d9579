"""`pitboss par`: a PAR sheet, all that a test laboratory files about a game."""

from __future__ import annotations

import json as jsonlib
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from pitboss.commands import rulebook_id
from pitboss.commands.edge import working
from pitboss.commands.options import AsJson, Decks, Resplit, RulebookId, SetForStudy
from pitboss.maths.questions import known_decks, known_rulebook
from pitboss.maths.shoes import MathsError, Shoe

if TYPE_CHECKING:
    from pitboss.maths.par import Table

FINE = 0


def par(
    rulebook: RulebookId,
    *,
    decks: Decks = None,
    set_: SetForStudy = None,
    resplit: Resplit = False,
    splits: str = "policy",
    rounds: str | None = None,
    html: Path | None = None,
    csv: Path | None = None,
    json: AsJson = False,
) -> int:
    """Write a PAR sheet: every result with its probability, and what follows from it.

    Hit frequencies, pay lines, volatility, confidence limits, the price of each reading, optional wagers, and the
    digests of the rulebook and of the mathematics. For one original wager of 1, alone at the table, best play.

    Parameters
    ----------
    splits
        policy: split hands look at their own cards. exact: they are played jointly, for the proven edge; that takes
        some seconds.
    rounds
        Numbers of rounds for the confidence limits, separated by commas, as in 1000,50k,1M.
    html
        Write a self-contained page.
    csv
        Write every figure as a table.
    """
    for path in (html, csv):
        if path is not None and not path.parent.is_dir():
            raise MathsError(f"{path}: there is no folder {path.parent}.")
    book = known_rulebook(rulebook_id(rulebook), set_ or ())
    number = None if decks is None else known_decks(decks)
    with working("solving") as step:
        from pitboss.maths.par import ROUNDS, as_csv, as_html, par_sheet, tables

        wanted = ROUNDS if rounds is None else _numbers(rounds)
        shoe = Shoe.of_decks(book, number)
        sheet = par_sheet(book, shoe, decks=number, resplit=resplit, splits=splits, rounds=wanted, progress=step)
    if html is not None:
        html.write_text(as_html(sheet), encoding="utf-8")
    if csv is not None:
        csv.write_text(as_csv(sheet), encoding="utf-8")
    if json:
        print(jsonlib.dumps(msgspec.to_builtins(sheet), ensure_ascii=False))
    else:
        for table in tables(sheet):
            print_table(table)
    return FINE


def _numbers(text: str) -> tuple[int, ...]:
    from pitboss.commands.simulate import rounds_of

    return tuple(rounds_of(each.strip()) for each in text.split(","))


def print_table(table: Table) -> None:
    print(f"\n{table.title}")
    widths = [max(len(row[place]) for row in (table.columns, *table.rows)) for place in range(len(table.columns))]
    widths = [min(width, 60) for width in widths]
    for row in (table.columns, *table.rows):
        line = "  ".join(f"{each:<{width}}" for each, width in zip(row, widths, strict=True)).rstrip()
        for part in textwrap.wrap(line, 140, subsequent_indent="    ", drop_whitespace=False) or [""]:
            print(f"  {part}".rstrip())
