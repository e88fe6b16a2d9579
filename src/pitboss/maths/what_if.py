"""What a changed term is worth: one term over all its values, or two rulebooks difference by difference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from pitboss.basics.money import Odds
from pitboss.maths.questions import priced
from pitboss.maths.scope import same_value
from pitboss.maths.shoes import INFINITE, MathsError, Shoe
from pitboss.rulebooks import RulebookError, terms, vary
from pitboss.rulebooks import vocabulary as words
from pitboss.rulebooks.terms import PayRow, Rulebook

Progress = Callable[[str], None]
DECKS = "decks"
"""Not a term, but it can be varied like one: how many decks are played with."""
ENDLESS = "infinite"
ODDS = ("1 to 1", "6 to 5", "3 to 2", "2 to 1", "5 to 2", "3 to 1")
MANY, FEW = 24, 8


class Case(msgspec.Struct, frozen=True):
    """One variant and its value."""

    label: str
    ev: float | None
    """None where the rulebook's other terms do not let the value be so; `note` says why."""
    difference: float | None
    note: str = ""


class Study(msgspec.Struct, frozen=True):
    rulebook: str
    shoe: str
    ev: float
    """The rulebook as it is."""
    cases: tuple[Case, ...]
    together: Case | None = None
    """All differences at once."""
    interaction: float | None = None
    """What the differences do to one another: all together, less the sum of each alone."""


def vary_term(
    rulebook: Rulebook, key: str, values: Sequence[Any] | None = None, *, decks: int | None = None,
    progress: Progress | None = None,
) -> Study:  # fmt: skip
    """The value across every value of a term, or across the given ones, which the term must be able to have."""
    from pitboss.maths.exact.solve import value

    base_shoe = Shoe.of_decks(rulebook, decks)
    base = value(rulebook, base_shoe)
    if key == DECKS:
        numbers = [_decks(each) for each in values] if values else list(range(1, 9))
        cases = []
        for number in numbers:
            label = ENDLESS if number == INFINITE else str(number)
            _tell(progress, f"{label} decks")
            ev = value(rulebook, Shoe.of_decks(rulebook, number))
            cases.append(Case(label, ev, ev - base))
        return Study(rulebook.name, base_shoe.description, base, tuple(cases))
    now = current_value(rulebook, key)
    found = []
    for each in values if values else every_value(key, now):
        label = in_short(each)
        _tell(progress, f"{key} = {label}")
        try:
            changed = priced(vary(rulebook, {key: each}))
            ev = value(changed, Shoe.of_decks(changed, decks))
        except (RulebookError, MathsError) as error:
            if values and isinstance(error, RulebookError):
                raise MathsError(f"{key} cannot be {label}: {str(error).rpartition(': ')[2]}.") from None
            found.append(Case(label, None, None, str(error).rpartition(": ")[2]))
            continue
        note = "as it is" if in_short(now) == label else ""
        found.append(Case(label, ev, ev - base, note))
    return Study(rulebook.name, base_shoe.description, base, tuple(found))


def _decks(value: Any) -> int:
    if value == ENDLESS:
        return INFINITE
    if isinstance(value, bool) or not isinstance(value, int):
        raise MathsError(f"{in_short(value)!r} decks: give whole numbers, separated by semicolons, or infinite.")
    return value


def current_value(rulebook: Rulebook, key: str) -> Any:
    """The value of a term, or of one row of a pay table; an unknown key raises what `vary` would say."""
    known = dict(terms(rulebook))
    if key in known:
        return known[key].value
    head, _, row = key.rpartition(".")
    rows = known[head].value if head in known else ()
    for each in rows if isinstance(rows, tuple) else ():
        if isinstance(each, PayRow) and each.name == row:
            return each.odds
    vary(rulebook, {key: True})
    raise MathsError(f"{key} is no term.")


def every_value(key: str, now: Any) -> list[Any]:
    """All values that a term may have, or a sentence that some must be given."""
    if isinstance(now, bool):
        return [False, True]
    if isinstance(now, Odds):
        return sorted({*ODDS, str(now)}, key=lambda text: int(text.split()[0]) / int(text.split()[2]))
    if isinstance(now, int) and key in words.NUMBERS:
        least, most = words.NUMBERS[key]
        if most - least < MANY:
            return list(range(least, most + 1))
    if isinstance(now, str) and key in words.WORDS:
        return sorted(words.WORDS[key])
    raise MathsError(f"{key} has too many possible values: give some with --values, separated by semicolons.")


def compare(first: Rulebook, second: Rulebook, *, decks: int | None = None, progress: Progress | None = None) -> Study:
    """Each difference between two rulebooks that changes what a round is worth, one by one and all together."""
    from pitboss.maths.exact.solve import value

    decks = first.cards.decks_default.value if decks is None else decks
    base_shoe = Shoe.of_decks(first, decks)
    base = value(first, base_shoe)
    cases, alone = [], 0.0
    for label, changed in differences(first, second):
        _tell(progress, label)
        ev = value(changed, Shoe.of_decks(changed, decks))
        cases.append(Case(label, ev, ev - base))
        alone += ev - base
    _tell(progress, "all together")
    other = value(second, Shoe.of_decks(second, decks))
    together = Case("all together", other, other - base)
    cases.sort(key=lambda case: case.difference or 0.0)
    return Study(first.name, base_shoe.description, base, tuple(cases), together, other - base - alone)


def differences(first: Rulebook, second: Rulebook) -> Iterator[tuple[str, Rulebook]]:
    """The first rulebook with one difference of the second at a time; what is offered or not goes as a whole."""
    theirs, mine = dict(terms(second)), dict(terms(first))
    sections: set[str] = set()
    for key, term in mine.items():
        section = key.rpartition(".")[0]
        if term.value == theirs[key].value or section in sections:
            continue
        label = f"{key} = {in_short(theirs[key].value)}"
        changes = {key: theirs[key].value}
        if f"{section}.offered" in mine and mine[f"{section}.offered"].value != theirs[f"{section}.offered"].value:
            sections.add(section)
            changes = {each: theirs[each].value for each in mine if each.rpartition(".")[0] == section}
            offered = theirs[f"{section}.offered"].value
            label = f"{section} {'offered' if offered else 'not offered'}"
        try:
            changed = priced(vary(first, changes))
        except (RulebookError, MathsError):
            continue
        if _matters(first, changed):
            yield label, changed


def other_readings(rulebook: Rulebook, *, decks: int | None = None, progress: Progress | None = None) -> Study:
    """Every term that rests on a reading, with each other value that changes what a round is worth.

    Odds are printed in the documents and who may allow something changes nothing at a lone box, so both are left out.
    """
    from pitboss.maths.exact.solve import value

    shoe = Shoe.of_decks(rulebook, decks)
    base = value(rulebook, shoe)
    cases = []
    for key, term in terms(rulebook):
        for each in _others(key, term.value) if term.reading else ():
            try:
                changed = priced(vary(rulebook, {key: each}))
            except (RulebookError, MathsError):
                continue
            if _matters(rulebook, changed):
                label = f"{key} = {in_short(each)}"
                _tell(progress, label)
                ev = value(changed, Shoe.of_decks(changed, decks))
                cases.append(Case(label, ev, ev - base, f"read as {in_short(term.value)}: {term.reading}"))
    return Study(rulebook.name, shoe.description, base, tuple(cases))


def _others(key: str, now: Any) -> list[Any]:
    """The other values of a term, where there are few enough to be readings of one sentence."""
    if isinstance(now, Odds) or key.endswith("_by"):
        return []
    try:
        values = every_value(key, now)
    except MathsError:
        return []
    return [each for each in values if in_short(each) != in_short(now)] if len(values) <= FEW else []


def _matters(first: Rulebook, changed: Rulebook) -> bool:
    """Whether the change touches what a round of one box is worth, Super Bonus and insurance aside."""
    return not same_value(first, changed)


def in_short(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ", ".join(in_short(each) for each in value) or "none"
    if isinstance(value, PayRow):
        return f"{value.name} {value.odds}"
    return str(value) or "none"


def _tell(progress: Progress | None, text: str) -> None:
    if progress is not None:
        progress(text)
