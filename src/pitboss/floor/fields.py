"""Acts on files of people and in the registers as somebody writes them: a name, and FIELD=VALUE."""

from __future__ import annotations

import datetime
import difflib
import re
import types
from collections.abc import Iterable
from typing import Any, get_args, get_type_hints

import msgspec

from pitboss.basics.money import MoneyError, parse_cents
from pitboss.patrons.acts import AnyPatronAct, PatronAct
from pitboss.registers.acts import AnyRegisterAct, RegisterAct

PATRON_ACTS: dict[str, type[PatronAct]] = {
    re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower(): kind for kind in get_args(AnyPatronAct)
}
REGISTER_ACTS: dict[str, type[RegisterAct]] = {kind.__name__: kind for kind in get_args(AnyRegisterAct)}


YES_OR_NO = {"yes": True, "true": True, "no": False, "false": False}


class FieldError(ValueError):
    """What was written is no such act, in one sentence."""


def fields_of(kind: type[PatronAct]) -> list[str]:
    return [field.name for field in msgspec.structs.fields(kind) if field.name != "by"]


def patron_act(name: str, said: Iterable[str]) -> PatronAct:
    """An act on somebody's file: amounts in dollars, dates as in 2026-11-18, and none to lift a limit."""
    kind = PATRON_ACTS.get(name)
    if kind is None:
        near = difflib.get_close_matches(name, PATRON_ACTS, n=1)
        way = f"; did you mean {near[0]}?" if near else ": try pitboss patrons acts."
        raise FieldError(f"there is no act {name!r}{way}")
    values: dict[str, Any] = {"by": ""}
    hints = get_type_hints(kind)
    known = fields_of(kind)
    for each in said:
        field, equals, text = each.partition("=")
        if not equals or field not in known:
            raise FieldError(f"{each!r} is not FIELD=VALUE of {name}; its fields are {', '.join(known)}.")
        values[field] = _value(hints[field], field, text)
    try:
        return msgspec.convert(msgspec.to_builtins(values), kind)
    except msgspec.ValidationError as error:
        missing = re.search(r"`(\w+)`", str(error))
        what = f"{missing[1]}=... is missing" if missing and "missing" in str(error) else str(error)
        raise FieldError(f"{name}: {what}; its fields are {', '.join(known)}.") from None


def _value(wanted: Any, field: str, text: str) -> Any:
    """A value as its field wants it: dollars, a date, yes or no, or the text itself."""
    parts = get_args(wanted) if isinstance(wanted, types.UnionType) else (wanted,)
    if type(None) in parts and text == "none":
        return None
    if int in parts:
        try:
            return parse_cents(text)
        except MoneyError as error:
            raise FieldError(f"{field}: {error}.") from None
    if bool in parts:
        if text not in YES_OR_NO:
            raise FieldError(f"{field} is yes or no, not {text!r}.")
        return YES_OR_NO[text]
    if datetime.date in parts:
        try:
            return datetime.date.fromisoformat(text)
        except ValueError:
            raise FieldError(f"{field} is a date as in 2026-11-18, not {text!r}.") from None
    return text


def register_act(name: str, said: Iterable[str], by: str) -> AnyRegisterAct:
    """Something that is written into the registers by hand, by somebody of a role."""
    if name not in REGISTER_ACTS:
        raise FieldError(f"there is no act {name!r}; there are {', '.join(REGISTER_ACTS)}.")
    values = {"act": name, "by": by}
    known = [field.name for field in msgspec.structs.fields(REGISTER_ACTS[name]) if field.name != "by"]
    for each in said:
        field, equals, text = each.partition("=")
        if not equals:
            raise FieldError(f"{each!r}: write it as FIELD=VALUE.")
        if field not in known:
            raise FieldError(f"{name} has no field {field!r}; it has {', '.join(known)}.")
        values[field] = text
    try:
        act: AnyRegisterAct = msgspec.convert(values, AnyRegisterAct, strict=False)
    except msgspec.ValidationError as error:
        raise FieldError(f"{name}: {str(error).replace('`', '').replace('$.', '')}.") from None
    return act
