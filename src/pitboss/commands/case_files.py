"""What the commands for tournaments and promotions share: files of conditions and records, read, begun, written on."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from pitboss.commands import Unread, rulebook_id
from pitboss.papers.lines import PaperError
from pitboss.papers.tables import ConditionsError
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.load import RulebookError, parse_toml
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.refusals import Refusal, Refused

T = TypeVar("T")
FINE, CHECK_FAILED = 0, 1
LARGEST_FILE = 40_000_000
LAST_ACT = "# acts end here"
"""The line of a record before which the next act is written."""


def known(rulebook: str) -> Rulebook:
    """The rulebook that somebody names."""
    wanted = rulebook_id(rulebook)
    if wanted not in RULEBOOKS:
        raise Unread(f"{rulebook!r} is no rulebook; known: {', '.join(RULEBOOKS)}.")
    return load(wanted)


def hand_out(book: Rulebook, text: str, file: str | None, command: str, *, json: bool) -> None:
    """A template, to be filled in: written to a file that is new, or printed."""
    if file is not None:
        write_new(file, text)
    if json:
        print_json({"rulebook": book.id, "file": file, "text": text})
    elif file is None:
        sys.stdout.write(text)
    else:
        print(f"{file}: fill it in; pitboss {command} check {file} says what is missing.")


def raise_refused(refused: Refusal | None) -> None:
    if refused is not None:
        raise Refused(refused)


# --- telling ---------------------------------------------------------------------------------------------------------


def print_json(data: Any) -> None:
    """One JSON object."""
    print(msgspec.json.encode(data).decode())


def print_paper(title: str, text: str, *, json: bool) -> None:
    """What patrons are given to read."""
    if json:
        print_json({"title": title, "text": text})
    else:
        sys.stdout.write(text)


def told_refusal(refusal: Refusal) -> dict[str, Any]:
    return {"refused": refusal.text, "clauses": refusal.clauses}


def print_steps(file: str, steps: Iterable[tuple[Any, Iterable[Mapping[str, Any]]]]) -> None:
    """A JSON object for everything that each act brought, and for each refusal."""
    for step, happened in steps:
        for each in (*happened, *(() if step.refusal is None else (told_refusal(step.refusal),))):
            print_json({"file": file, "act": step.number, **each})


def print_lines(steps: Iterable[tuple[Any, Iterable[str]]], line_of: Callable[[Any], str]) -> None:
    """The same in words; `line_of` writes an act that was refused."""
    for step, happened in steps:
        for line in (*happened, *(() if step.refusal is None else (f"refused: {line_of(step.act)}: {step.refusal}",))):
            print(f"  {line}")


def give_report(
    file: str,
    replay_file: Callable[[str], Any],
    as_data: Callable[[Any], Mapping[str, Any]],
    told: Callable[[Any, Rulebook], str],
    formats: Mapping[str, Callable[[Any], str]],
    style: str,
    *,
    out: str | None,
    json: bool,
) -> int:
    """A report of a record in one of its formats, printed or put into a file that is new; 1 where it does not hold."""
    if style not in formats:
        raise Unread(f"--format {style!r}: write one of {', '.join(formats)}.")
    result = replay_file(file)
    book = result.rulebook
    if json:
        head = {"title": result.record.title, "rulebook": book.id, "edition": book.edition}
        events = [{"clauses": event.clauses, "told": told(event, book)} for event in result.events]
        text = msgspec.json.encode({**head, **as_data(result.state), "events": events}).decode() + "\n"
    else:
        text = formats[style](result)
    if out is None:
        sys.stdout.write(text)
    else:
        write_new(out, text)
    return CHECK_FAILED if result.failures else FINE


# --- reading ---------------------------------------------------------------------------------------------------------


def tables_in(file: str) -> dict[str, Any]:
    """The tables of a TOML file."""
    try:
        body = Path(file).read_bytes()
    except OSError as error:
        raise Unread(f"{file}: cannot be read: {(error.strerror or 'no such file').lower()}.") from None
    if len(body) > LARGEST_FILE:
        raise Unread(f"{file}: larger than {LARGEST_FILE // 1_000_000} MB, no record is.")
    try:
        return parse_toml(body.decode("utf-8"), file)
    except UnicodeDecodeError as error:
        raise Unread(f"{file}: not UTF-8 text: {error.reason} at byte {error.start}.") from None
    except RulebookError as error:
        raise Unread(str(error)) from None


def read_tables(file: str, reader: Callable[[dict[str, Any]], T]) -> T:
    """What a reader makes of the tables of a file; what it cannot read is told with the file."""
    data = tables_in(file)
    try:
        return reader(data)
    except (ConditionsError, PaperError) as error:
        raise Unread(f"{file}: {error}") from None


def refuse_more(file: str, failures: Iterable[str]) -> None:
    """Nothing is added to a record that does not hold."""
    for failure in failures:
        raise Unread(f"{file}: {failure}; nothing is added to a record that does not hold.")


def act_said(name: str, fields: tuple[str, ...]) -> dict[str, Any]:
    """An act as somebody has typed it: FIELD=VALUE, a VALUE as TOML writes it, and a plain word as a text."""
    said: dict[str, Any] = {"act": name}
    for each in fields:
        key, equals, value = each.partition("=")
        if not equals:
            raise Unread(f"{each!r}: write FIELD=VALUE.")
        try:
            said[key] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            said[key] = value
    return said


# --- writing ---------------------------------------------------------------------------------------------------------


def write_new(file: str, text: str) -> None:
    """Write a file that is not there yet."""
    try:
        with Path(file).open("x", encoding="utf-8", newline="") as stream:
            stream.write(text)
    except FileExistsError:
        raise Unread(f"{file}: there is such a file already; name another, or take it away.") from None


def add_act(file: str, line: str) -> None:
    """Write one more act at the end of a record's list."""
    text = Path(file).read_text(encoding="utf-8")
    Path(file).write_text(with_act(file, text, line), encoding="utf-8")


def with_act(file: str, text: str, line: str) -> str:
    """A record with one more act at the end of its list."""
    if LAST_ACT not in text:
        raise Unread(f"{file}: the list of acts must end with the line {LAST_ACT!r}, so that it can be written on.")
    return text.replace(LAST_ACT, f"{line.strip()},\n  {LAST_ACT}", 1)


def record_text(title: str, conditions: str, lines: list[str]) -> str:
    """A record as text: the acts one a line, and the conditions as they were written, under [conditions]."""
    acts = "".join(f"  {line},\n" for line in lines)
    head = f"title = {msgspec.json.encode(title).decode()}\n\nacts = [\n{acts}  {LAST_ACT}\n]\n\n[conditions]\n"
    return head + re.sub(r"(?m)^(\[{1,2})(?=[a-z])", r"\1conditions.", conditions)
