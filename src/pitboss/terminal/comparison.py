"""Two rulebooks side by side: every term in which they differ, what each says, and its clauses."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from pitboss.rulebooks import terms
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.phrases import first_up, prize, restriction, row_name
from pitboss.rulebooks.terms import FixedRow, PayRow, Rulebook, Term
from pitboss.terminal.sheet import TITLES, phrase, section_of

NOTHING = "(none)"


@dataclass(frozen=True, slots=True)
class Side:
    """What one rulebook says about a term."""

    value: Any
    text: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One term, or one row of a pay table, in both rulebooks."""

    term: str
    section: str
    left: Side
    right: Side

    @property
    def differs(self) -> bool:
        return bool(self.left.value != self.right.value)


NAMES = (
    "game.name",
    "game.document",
    "game.edition",
    "boxes.control_clauses",
    "limits.cascade",
    "shuffle.means_clauses",
    "deal.steps",
    "interim.natural_clauses",
    "drawing.choice_clauses",
    "doubling.hand_clauses",
    "splitting.split_clauses",
    "side_bets.perfect-pairs.settled_clauses",
)
"""Terms that name a document or its own clauses: they differ in every two and say nothing about play."""


def compare(left: Rulebook, right: Rulebook, *, everything: bool = False) -> Iterator[Comparison]:
    """The terms in which two rulebooks differ, in the order of play; all of them if asked."""
    others = dict(terms(right))
    ours = dict(terms(left))
    for key, term in ours.items():
        other = others[key]
        offered = f"{section_of(key)}.offered"
        absent = offered in ours and not (ours[offered].value and others[offered].value)
        if absent and key != offered and not everything:
            continue  # where one of the two has nothing of it, that is the difference
        for found in _compared(key, term, other, left, right):
            if everything or (found.differs and not _is_a_name(key, term, other)):
                yield found


def _is_a_name(key: str, term: Term[Any], other: Term[Any]) -> bool:
    """Clause numbers differ by nature; whether there are any is a difference."""
    return key in NAMES and bool(term.value) == bool(other.value)


def _compared(key: str, term: Term[Any], other: Term[Any], left: Rulebook, right: Rulebook) -> Iterator[Comparison]:
    rows, other_rows = _rows(term.value), _rows(other.value)
    if not rows and not other_rows:
        yield Comparison(key, section_of(key), _side(key, term, left), _side(key, other, right))
        return
    for name in dict.fromkeys((*rows, *other_rows)):
        sides = [_row(name, rows, term), _row(name, other_rows, other)]
        yield Comparison(f"{key}.{name}", section_of(key), sides[0], sides[1])


def _side(key: str, term: Term[Any], rulebook: Rulebook) -> Side:
    value = msgspec.to_builtins(term.value, str_keys=True)
    return Side(list(value) if isinstance(value, tuple) else value, phrase(key, term.value, rulebook), term.clauses)


def _rows(value: Any) -> dict[str, Any]:
    """The rows of a table by name; restrictions of one name are told apart by their place."""
    found: dict[str, Any] = {}
    for row in value if isinstance(value, tuple) else ():
        if hasattr(row, "name"):
            name = row.name
            while name in found:
                name += "'"
            found[name] = row
    return found


def _row(name: str, rows: dict[str, Any], term: Term[Any]) -> Side:
    row = rows.get(name)
    if row is None:
        return Side(None, NOTHING, term.clauses)
    if isinstance(row, PayRow):
        return Side(str(row.odds), f"{first_up(row_name(row.name))}: {row.odds}.", row.clauses)
    if isinstance(row, FixedRow):
        return Side(prize(row), f"{first_up(row_name(row.name))}: {prize(row)}.", row.clauses)
    value = msgspec.to_builtins(row)
    value.pop("clauses")
    return Side(value, restriction(row), row.clauses)


# --- on paper --------------------------------------------------------------------------------------------------------


def lines(left: Rulebook, right: Rulebook, *, everything: bool = False, width: int = 80) -> Iterator[str]:
    """The comparison in two columns below headings."""
    found = list(compare(left, right, everything=everything))
    column = (width - 6) // 2
    yield from _columns(left.name, right.name, column)
    section = ""
    for each in found:
        if each.section != section:
            section = each.section
            yield ""
            yield TITLES.get(section, section.upper())
        yield f"  {each.term}" + ("" if each.differs or not everything else "  (the same)")
        if everything and not each.differs and each.left == each.right:
            yield from textwrap.wrap(_cited(each.left), width, initial_indent="    ", subsequent_indent="    ")
        else:
            yield from _columns(_cited(each.left), _cited(each.right), column)
    count = sum(each.differs for each in found)
    yield ""
    what = f"{count} difference{'s' * (count != 1)}"
    yield f"{what} in {len(found)} terms and rows." if everything else f"{what}." if count else "No difference in play."


def _cited(side: Side) -> str:
    return f"{side.text} [{cite(side.clauses)}]"


def _columns(left: str, right: str, column: int) -> Iterator[str]:
    sides = [textwrap.wrap(text, column, break_on_hyphens=False) or [""] for text in (left, right)]
    for row in range(max(map(len, sides))):
        first, second = (side[row] if row < len(side) else "" for side in sides)
        yield f"    {first:<{column}}  {second}".rstrip()


def as_data(each: Comparison, left: Rulebook, right: Rulebook) -> dict[str, Any]:
    """One comparison as plain data."""
    return {
        "term": each.term,
        "section": each.section,
        "differs": each.differs,
        "left": _data(each.left, left),
        "right": _data(each.right, right),
    }


def _data(side: Side, rulebook: Rulebook) -> dict[str, Any]:
    facts: dict[str, Any] = {"rulebook": rulebook.id, "value": side.value, "text": side.text}
    return facts | {"clauses": list(side.clauses)}
