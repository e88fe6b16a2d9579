"""What a document wants kept, or somebody told of, that no event of a table says by itself.

Each rulebook's ``registers.tsv`` has a row for each: its clauses, the occasion, who is told (or who does it), by when,
and the words in our own language.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

OCCASIONS = {
    "table-approval": "a table is opened that must be approved first",
    "side-bet-approval": "a table with Perfect Pairs is opened, which must be approved first",
    "settings": "decks and shuffle of a table are settled",
    "closing": "a table is to be closed, or is closed",
    "recognised": "somebody is declared a recognised player",
    "cards": "cards come to a table, or leave it",
    "card-check": "cards came to a table and have not been checked yet",
    "card-check-after": "gaming at a table is over, and its cards are checked once more",
    "machine-check": "cards are checked by a machine, where the document lets one",
    "complaint": "somebody complains to an inspector, or whoever stands in their place",
    "demand": "somebody asks for a box",
    "mispayment": "a payment was wrong",
    "jackpot-wagers": "jackpot wagers are taken",
}
"""Every occasion; `pitboss.registers` knows when each has come."""
DUE = ("", "now", "before-play", "end-of-day")
"""By when something is done; "" where nothing is."""
COLUMNS = ("clauses", "occasion", "who", "due", "text")


class Row(msgspec.Struct, frozen=True):
    """What one document says on one occasion."""

    clauses: tuple[str, ...]
    occasion: str
    who: str
    """Who is told, where somebody is; else who does it."""
    due: str
    text: str


@cache
def rows(rulebook_id: str) -> tuple[Row, ...]:
    """All rows of one document; none where the rulebook has no such file."""
    path = Path(__file__).parent / rulebook_id.replace("-", "_") / "registers.tsv"
    if not path.is_file():
        return ()
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    if tuple(head.split("\t")) != COLUMNS:
        raise ValueError(f"{path.name}: the first line must name the columns {', '.join(COLUMNS)}")
    return tuple(_row(rulebook_id, line) for line in lines)


def on(rulebook_id: str, occasion: str) -> tuple[Row, ...]:
    """The rows for one occasion."""
    return tuple(row for row in rows(rulebook_id) if row.occasion == occasion)


def clauses_on(rulebook_id: str, occasion: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(clause for row in on(rulebook_id, occasion) for clause in row.clauses))


def _row(rulebook_id: str, line: str) -> Row:
    clauses, occasion, who, due, text = line.split("\t")
    if occasion not in OCCASIONS:
        raise ValueError(f"{rulebook_id}, registers.tsv: there is no occasion {occasion!r}: {', '.join(OCCASIONS)}")
    if due not in DUE:
        raise ValueError(f"{rulebook_id}, registers.tsv: {due!r} is no time by which something is due")
    return Row(tuple(clauses.split()), occasion, who, due, text)
