"""Two rulebooks side by side: every term in which they differ, what each says, and its clauses."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from pitboss.rulebooks import terms
from pitboss.rulebooks.clauses import Clause, cite
from pitboss.rulebooks.coverage import citations
from pitboss.rulebooks.duties import MOMENTS, duties
from pitboss.rulebooks.editions import register_of
from pitboss.rulebooks.phrases import first_up, prize, restriction, row_name
from pitboss.rulebooks.sentences import TITLES, phrase, section_of
from pitboss.rulebooks.terms import FixedRow, PayRow, Rulebook, Term
from pitboss.rulebooks.vocabulary import NOTIFIED, ROLES

NOTHING = "(none)"
PEOPLE = (ROLES | NOTIFIED) - {"nobody"}


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
    "limits.above_clauses",
    "super_bonus.moment_clauses",
    "device.failure_clauses",
    "irregularities.invalidated_clauses",
    "irregularities.misdeal_clauses",
    "irregularities.short_hand_clauses",
    "irregularities.dealer_short_clauses",
)
"""Terms that name a document or its own clauses: they differ in every two and say nothing about play."""
CASES = ("irregularities.void_for",)
"""Terms that name cases, each with its clause: which cases there are says something, their clauses do not."""


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
    if key in CASES:
        return set(term.value) == set(other.value)
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


# --- what no term says -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Beside:
    """Clauses on one matter that no term rests on, and that only one of the two documents has; or whom each names."""

    group: str
    left: tuple[Clause, ...]
    right: tuple[Clause, ...]
    left_text: str
    right_text: str


FEW = 12
"""So many clauses on one matter are told one by one; of more it is told how many they are, unless all is asked for."""


def beside(left: Rulebook, right: Rulebook, *, everything: bool = False) -> Iterator[Beside]:
    """Where two documents differ in what is no term: chapters, procedures, duties, and the people they name."""
    ours, theirs = _roles(left), _roles(right)
    if ours != theirs:
        yield Beside("people", (), (), _named(ours - theirs), _named(theirs - ours))
    rows, others = register_of(left), register_of(right)
    alone = [_alone(left, rows, others), _alone(right, others, rows)]
    for group in dict.fromkeys(row.group for side in alone for row in side):
        found = [tuple(row for row in side if row.group == group) for side in alone]
        texts = [_told(each, everything=everything) for each in found]
        yield Beside(group, found[0], found[1], texts[0], texts[1])


def _alone(rulebook: Rulebook, rows: Mapping[str, Clause], others: Mapping[str, Clause]) -> list[Clause]:
    """Rows of one register that no term of it cites, and whose gist the other does not have."""
    cited = {each.clause for each in citations(rulebook)}
    known = {row.gist for row in others.values()}
    return [row for row in rows.values() if row.key not in cited and row.gist not in known]


def duties_beside(left: Rulebook, right: Rulebook) -> Iterator[Beside]:
    """What only one of the two documents wants the dealer to do by hand or voice, by the moment at which it is due."""
    ours, theirs = duties(left.id), duties(right.id)
    alone = [
        [duty for duty in side if duty.text not in {each.text for each in other}]
        for side, other in ((ours, theirs), (theirs, ours))
    ]
    for moment, words in MOMENTS.items():
        texts = [
            " ".join(f"{duty.text} [{cite(duty.clauses)}]" for duty in side if duty.moment == moment) for side in alone
        ]
        if any(texts):
            yield Beside(words, (), (), texts[0] or NOTHING, texts[1] or NOTHING)


def read_alike(left: Rulebook, right: Rulebook) -> Iterator[Beside]:
    """Terms in which two rulebooks are the same, though only one of the documents says so: the other is read so."""
    others = dict(terms(right))
    for key, term in terms(left):
        other = others[key]
        if term.value == other.value and bool(term.reading) != bool(other.reading):
            yield Beside(key, (), (), _said_or_read(key, term, left), _said_or_read(key, other, right))


def _said_or_read(key: str, term: Term[Any], rulebook: Rulebook) -> str:
    said = f"Read so: {term.reading}." if term.reading else phrase(key, term.value, rulebook)
    return f"{said} [{cite(term.clauses)}]"


def _told(rows: tuple[Clause, ...], *, everything: bool) -> str:
    if not rows:
        return NOTHING
    if len(rows) > FEW and not everything:
        return f"{len(rows)} clauses that the other does not have [{cite((rows[0].key,))} to {cite((rows[-1].key,))}]"
    return " ".join(f"{row.gist} [{cite((row.key,))}]" for row in rows)


def _roles(rulebook: Rulebook) -> frozenset[str]:
    return frozenset(term.value for _, term in terms(rulebook) if isinstance(term.value, str) and term.value in PEOPLE)


def _named(roles: frozenset[str]) -> str:
    return ", ".join(sorted(role.replace("-", " ") for role in roles)) or NOTHING


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
    clauses = list(beside(left, right, everything=everything))
    if clauses:
        yield ""
        alone = sum(len(one.left) + len(one.right) for one in clauses)
        yield f"BESIDE THE TERMS: {alone} clauses that only one of the two documents has"
        for one in clauses:
            yield f"  {one.group}"
            yield from _columns(one.left_text, one.right_text, column)
    for title, rows in (
        ("DUTIES OF HANDS AND VOICE that only one of the two documents has", duties_beside(left, right)),
        ("THE SAME, but said by one of the two and read into the other", read_alike(left, right)),
    ):
        for number, one in enumerate(rows):
            yield from ("", title) if not number else ()
            yield f"  {one.group}"
            yield from _columns(one.left_text, one.right_text, column)
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


def beside_as_data(each: Beside, kind: str = "beside", *, differs: bool = True) -> dict[str, Any]:
    """One matter beside the terms as plain data: by `kind` clauses (beside), duties (duty) or readings (reading)."""
    sides = {"left": (each.left, each.left_text), "right": (each.right, each.right_text)}
    told = {
        name: {"text": text, "clauses": [{"clause": row.key, "gist": row.gist} for row in rows]}
        for name, (rows, text) in sides.items()
    }
    return {kind: each.group, "differs": differs, **told}


def _data(side: Side, rulebook: Rulebook) -> dict[str, Any]:
    facts: dict[str, Any] = {"rulebook": rulebook.id, "value": side.value, "text": side.text}
    return facts | {"clauses": list(side.clauses)}
