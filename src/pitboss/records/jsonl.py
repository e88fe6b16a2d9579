"""A record as JSON lines, for programs, and back without loss.

One object says what the table and the cards are, then comes one for each act, then one for what must come of it. The
first has the keys of the TOML file. An act has the fields of the engine's act (amounts in cents); a box that the play
line leaves out is left out, and so is the order of a shuffle, which stands in the cards.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, get_args

import msgspec

from pitboss.records.lines import format_act, parse, parse_line
from pitboss.records.model import ANY_CLAUSE, UNSAID_BOX, Play, Record, RecordError, printable, quoted
from pitboss.records.places import Path
from pitboss.records.read import LONGEST_PLAY, from_document
from pitboss.records.write import Dollars, document, expectations
from pitboss.table.acts import AnyAct

FORMAT = "pitboss-record"
VERSION = 1


def dumps_lines(record: Record) -> str:
    """The record as JSON lines."""
    objects: list[dict[str, Any]] = [{FORMAT: VERSION, **document(record)}]
    objects.extend(_act(play) for play in record.play)
    objects.append({"expect": expectations(record)})
    return "".join(msgspec.json.encode(_numbers(item)).decode() + "\n" for item in objects)


def act_object(act: AnyAct) -> dict[str, Any]:
    """A draft of an act as plain data, without what its line does not say."""
    plain: dict[str, Any] = msgspec.to_builtins(act)
    if plain.get("box") == UNSAID_BOX:
        del plain["box"]
    if not plain.get("order", True):
        del plain["order"]
    return plain


def _act(play: Play) -> dict[str, Any]:
    plain = act_object(play.act)
    if play.refused is not None:
        plain["refused"] = play.refused
    return plain


def _numbers(value: Any) -> Any:
    """Amounts in dollars as JSON numbers: two decimals of a dollar are written exactly."""
    if isinstance(value, Dollars):
        return value // 100 if value % 100 == 0 else int(value) / 100
    if isinstance(value, Mapping):
        return {key: _numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_numbers(item) for item in value]
    if isinstance(value, datetime.date):
        return value.isoformat()
    return value


# --- reading ---------------------------------------------------------------------------------------------------------


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        return Decimal("NaN")


_KINDS: Mapping[str, type[AnyAct]] = {kind.__name__: kind for kind in get_args(AnyAct)}
_DECODER = msgspec.json.Decoder(dict[str, Any], float_hook=_decimal)


def loads_lines(text: str, file: str = "") -> Record:
    """The record in a text of JSON lines; `file` is how complaints call it."""
    objects = [
        (number, _object(line, number, file)) for number, line in enumerate(text.split("\n"), start=1) if line.strip()
    ]
    if not objects or FORMAT not in objects[0][1]:
        raise RecordError(f'the first line must be an object with "{FORMAT}": {VERSION}', file=file, line=1)
    (first, head), *rest = objects
    version = head.pop(FORMAT)
    if version != VERSION:
        raise RecordError(f"{FORMAT} {quoted(version)} is not known, only {VERSION}", file=file, line=first)
    expect: object = {}
    last = 0
    if rest and "expect" in rest[-1][1]:
        last, closing = rest.pop()
        expect = closing.pop("expect")
        for key in closing:
            raise RecordError(f"no such key: {quoted(key)}. Known: expect", file=file, line=last)
    if len(rest) > LONGEST_PLAY:
        raise RecordError(f"more than {LONGEST_PLAY} acts", file=file)
    play = tuple(_read_act(item, number, file) for number, item in rest)
    lines: dict[Path, int] = {("expect",): last}
    lines.update({(key,): first for key in head})
    return from_document({**head, "expect": expect}, lines, file, play)


def _object(line: str, number: int, file: str) -> dict[str, Any]:
    try:
        return _DECODER.decode(line)
    except RecursionError:
        raise RecordError("lists or objects are nested too deeply, no record's are", file=file, line=number) from None
    except (msgspec.MsgspecError, ValueError) as error:
        raise RecordError(f"not a JSON object: {printable(str(error))}", file=file, line=number) from None


def _read_act(item: dict[str, Any], number: int, file: str) -> Play:
    """One act; it must be one that a play line can say, so that both forms of a record can say the same."""
    refused = item.pop("refused", None)
    if refused is not None and not isinstance(refused, str):
        raise RecordError(f'"refused" must be a clause, as in "12.1" or "{ANY_CLAUSE}"', file=file, line=number)
    try:
        act = _converted(item)
        said = format_act(act)
        if parse(said) != act:
            raise RecordError(f"{quoted(said)}: no play line says this")
        if refused is not None and parse_line(f"{said} => refused {refused}")[1] != refused:
            raise RecordError(f"{quoted(refused)} is not a clause")
    except RecordError as error:
        raise error.placed(file, number) from None
    return Play(act, refused, number)


def _converted(item: dict[str, Any]) -> AnyAct:
    kind = _KINDS.get(str(item.get("act", "")))
    if kind is None:
        raise RecordError(f"{quoted(item.get('act', ''))}: no such act. Known: {', '.join(_KINDS)}")
    for key in item:
        if key != "act" and key not in kind.__struct_fields__:
            raise RecordError(f"{kind.__name__} has no {quoted(key)}. Known: {', '.join(kind.__struct_fields__)}")
    plain = dict(item)
    for key, unsaid in (("box", UNSAID_BOX), ("order", ())):
        if key in kind.__struct_fields__:
            plain.setdefault(key, unsaid)
    try:
        act: AnyAct = msgspec.convert(plain, kind)
    except (msgspec.ValidationError, OverflowError) as error:
        raise RecordError(f"{kind.__name__}: {printable(str(error))}") from None
    return act
