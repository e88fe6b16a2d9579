"""Conditions from the tables of a TOML file: amounts in dollars become cents, and what is wrong is said in a sentence.

A field that is called ``fee_cents`` is written ``fee = 100``. What is not said keeps its default.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from pitboss.basics.money import LARGEST_CENTS, MoneyError, dollars, parse_cents
from pitboss.rulebooks.clauses import cite


class ConditionsError(ValueError):
    """Conditions that cannot be read: the key, what is wrong and what would be right."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The base of the tables of a file of conditions."""

    AMOUNTS: ClassVar[frozenset[str]] = frozenset()
    """Fields in cents that are not called so."""


class Missing(msgspec.Struct, frozen=True):
    """An item of the rulebook's list that conditions lack, or a part of one."""

    item: str
    clause: str
    key: str
    """What to write, as in ``entry.fee`` or ``prizes.car.model``."""
    what: str

    def __str__(self) -> str:
        return f"{cite((self.clause,))} {self.what} ({self.key})"


LISTED_MAX = 6
"""So many missing items are named in one sentence in full; of the others the keys are."""


def named(found: Sequence[Missing]) -> tuple[tuple[str, ...], str]:
    """The clauses of what is missing, each once, and its names."""
    more = f"; and {', '.join(each.key for each in found[LISTED_MAX:])}" if len(found) > LISTED_MAX else ""
    return tuple(dict.fromkeys(each.clause for each in found)), "; ".join(map(str, found[:LISTED_MAX])) + more


P = TypeVar("P", bound=Part)


def read_part(data: Mapping[str, Any], kind: type[P], rulebook_ids: tuple[str, ...], what: str) -> P:
    """Conditions with a title and a rulebook that exists."""
    whole = in_cents(data, kind, "")
    if not isinstance(whole.get("title"), str) or not whole["title"].strip():
        raise ConditionsError(f'title: a {what} has a title; write title = "..."')
    if whole.get("rulebook") not in rulebook_ids:
        raise ConditionsError(f"rulebook: {whole.get('rulebook')!r} is none; write one of {', '.join(rulebook_ids)}")
    return convert_part(whole, kind)


def convert_part(whole: Mapping[str, Any], kind: type[P]) -> P:
    """A table in cents as its struct."""
    try:
        return msgspec.convert(whole, kind)
    except msgspec.ValidationError as error:
        text, _, place = str(error).partition(" - at `$.")
        place = place.rstrip("`")
        choices = _choices(kind, place)
        said = f"{plainly(text)}; write one of {', '.join(choices)}" if choices else plainly(text)
        raise ConditionsError(f"{place or 'conditions'}: {said}") from None


def _choices(of: Any, place: str) -> tuple[str, ...]:
    """The words among which the value at a place is chosen, as in `conduct.seats`; none where there is no choice."""
    for name in place.split("."):
        hints = get_type_hints(of) if isinstance(of, type) else {}
        held = hints.get(name.partition("[")[0])
        of = next((each for each in (held, *get_args(held)) if get_origin(each) is Literal or _is_part(each)), None)
    return get_args(of) if get_origin(of) is Literal else ()


def _is_part(of: Any) -> bool:
    return isinstance(of, type) and issubclass(of, Part)


def plainly(text: str) -> str:
    """What is wrong with a value, in plain words."""
    for said, meant in (
        ("Object contains unknown field", "there is no such key:"),
        ("Invalid enum value", "there is no"),
        ("Invalid RFC3339 encoded datetime", "a date and time is wanted, as 2027-03-05T19:00:00"),
        ("Expected `int`", "a whole number is wanted"),
        ("Expected `bool`", "true or false is wanted"),
        ("Expected `str`", "a text is wanted"),
        ("Expected `int | null`", "a whole number is wanted"),
        ("Expected `bool | null`", "true or false is wanted"),
        ("Expected `str | null`", "a text is wanted"),
        ("Expected `datetime | null`", "a date and time is wanted, as 2027-03-05T19:00:00"),
    ):
        text = text.replace(said, meant)
    return text


def in_cents(data: Any, kind: type[Part], place: str) -> dict[str, Any]:
    """A table with the names of its struct: ``fee = 100`` is ``fee_cents = 10000``."""
    if not isinstance(data, Mapping):
        raise ConditionsError(f"{place or 'conditions'}: must be a table, as [{place}]")
    fields = {field.name: field.type for field in msgspec.structs.fields(kind)}
    found: dict[str, Any] = {}
    for key, value in data.items():
        dotted = f"{place}.{key}" if place else key
        if f"{key}_cents" in fields:
            found[f"{key}_cents"] = cents_of(value, dotted)
        elif key in kind.AMOUNTS:
            found[key] = cents_of(value, dotted)
        elif key in fields and not key.endswith("_cents"):
            found[key] = _inner(value, fields[key], dotted)
        else:
            raise ConditionsError(f"{dotted}: there is no such key; known: {', '.join(_known(fields))}")
    return found


def _known(fields: Mapping[str, Any]) -> Iterator[str]:
    return (name.removesuffix("_cents") for name in fields)


def _inner(value: Any, of: Any, place: str) -> Any:
    part = next((each for each in (of, *get_args(of)) if _is_part(each)), None)
    if part is None:
        return value
    if isinstance(value, list):
        return [in_cents(each, part, place) for each in value]
    return in_cents(value, part, place)


def cents_of(value: Any, place: str) -> Any:
    """An amount in dollars as cents; a list of them as a list."""
    if isinstance(value, list):
        return [cents_of(each, place) for each in value]
    try:
        if isinstance(value, bool) or not str(value).strip():
            raise MoneyError("no amount")
        cents = parse_cents(str(value))
    except MoneyError:
        raise ConditionsError(f"{place}: {value!r} is not an amount; write dollars, as in 25 or 12.50") from None
    if not 0 <= cents <= LARGEST_CENTS:
        raise ConditionsError(f"{place}: an amount is from nothing to {dollars(LARGEST_CENTS)}")
    return cents


def is_said(value: object) -> bool:
    """Whether something stands there, and not only blanks."""
    return value is not None and not (isinstance(value, str) and not value.strip())
