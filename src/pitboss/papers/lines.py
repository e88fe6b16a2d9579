"""Acts as lines of a record, and events as sentences: the words come from the names of the structs."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec

from pitboss.basics.money import MoneyError, dollars, parse_cents, plain_dollars
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.terms import Rulebook


class PaperError(ValueError):
    """A record that cannot be read: the place, what is wrong, and what would be right."""


def word_of(kind: type[Any]) -> str:
    """``PayFee`` is written ``pay-fee``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


def fields_of(kind: type[Any]) -> dict[str, Any]:
    """What an act says, by name, with its type."""
    return {name: of for name, of in get_type_hints(kind).items() if name in kind.__struct_fields__}


def signed_cents(value: Any, place: str) -> int:
    """Dollars as cents, also below zero."""
    text = str(value)
    try:
        if isinstance(value, bool):
            raise MoneyError("no amount")
        return -parse_cents(text[1:]) if text.startswith("-") else parse_cents(text)
    except MoneyError:
        raise PaperError(f"{place}: {value!r} is not an amount; write dollars, as in 25 or 12.50") from None


# --- writing ---------------------------------------------------------------------------------------------------------


def unusual(act: Any, by: str) -> list[tuple[str, Any]]:
    """What an act says beyond what is usual: fields that are not at their default, and `by` where it is not `by`."""
    found = []
    for field in msgspec.structs.fields(type(act)):
        value = getattr(act, field.name)
        usual = field.default if field.default is not msgspec.NODEFAULT else _made(field.default_factory)
        if value != usual and not (field.name == "by" and value == by):
            found.append((field.name, value))
    return found


def _made(factory: Any) -> Any:
    return factory() if factory is not msgspec.NODEFAULT else msgspec.NODEFAULT


def amounts_toml(value: Mapping[str, int]) -> str:
    return "{ " + ", ".join(f"{toml_key(each)} = {plain_dollars(cents)}" for each, cents in value.items()) + " }"


def toml(value: Any) -> str:
    """A value as TOML writes it on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    if isinstance(value, str):
        return msgspec.json.encode(value).decode()
    if isinstance(value, msgspec.Struct):
        return toml(msgspec.to_builtins(value))
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{toml_key(key)} = {toml(each)}" for key, each in value.items()) + " }"
    return "[" + ", ".join(toml(each) for each in value) + "]"


def toml_key(text: str) -> str:
    return text if re.fullmatch(r"[A-Za-z0-9_-]+", text) else msgspec.json.encode(text).decode()


# --- telling ---------------------------------------------------------------------------------------------------------

BARE = frozenset({"name", "stage", "table", "what", "why", "ruling"})
"""Fields that need no word before them."""


def tell_event(event: Any, rulebook: Rulebook, told: Callable[[str, Any], str], hidden: frozenset[str]) -> str:
    """An event in one line, with its clauses; `told` says each of its fields."""
    what = word_of(type(event)).replace("-", " ")
    said = [told(name, getattr(event, name)) for name in event.__struct_fields__ if name not in hidden]
    return f"{what}{': ' if any(said) else ''}{', '.join(filter(None, said))} ({rulebook.name} {cite(event.clauses)})"


def told_field(name: str, value: Any, in_dollars: frozenset[str], bare: frozenset[str] = BARE) -> str:
    """One field of an event in words; what says nothing is left out."""
    if value in ("", 0, None, False, ()) or value == {}:
        return ""
    words = name.replace("_", " ").removesuffix(" cents")
    if name in bare:
        return str(value)
    if name.endswith("cents") and isinstance(value, int):
        return f"{words} {dollars(value)}" if words != "cents" else dollars(value)
    if value is True:
        return words
    if isinstance(value, Mapping):
        shown = dollars if name in in_dollars else str
        return f"{words} " + ", ".join(f"{_word(key)} {_shown(each, shown)}" for key, each in value.items())
    if isinstance(value, (tuple, list)):
        return f"{words} " + ", ".join(map(str, value))
    return f"{words} {value}"


def _word(key: Any) -> str:
    return dollars(key) if isinstance(key, int) else str(key)


def _shown(value: Any, shown: Callable[[Any], str]) -> str:
    if isinstance(value, (tuple, list)):
        return " ".join(map(str, value))
    return shown(value) if isinstance(value, int) else str(value)[:12]


def described(kind: Any) -> str:
    """The type of a field in a word, for the vocabulary."""
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return described(get_args(kind)[0])
    names = {str: "text", int: "number", bool: "true or false", datetime.datetime: "date and time"}
    return names.get(kind) or {tuple: "list", dict: "table"}.get(origin, "table")
