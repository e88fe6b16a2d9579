"""What the commands for tournaments and promotions share: files of conditions and records, read, begun, written on."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from pitboss.commands import Unread, rulebook_id
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.load import RulebookError, parse_toml
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.refusals import Refusal, Refused

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
        print(msgspec.json.encode({"rulebook": book.id, "file": file, "text": text}).decode())
    elif file is None:
        sys.stdout.write(text)
    else:
        print(f"{file}: fill it in; pitboss {command} check {file} says what is missing.")


def raise_refused(refused: Refusal | None) -> None:
    if refused is not None:
        raise Refused(refused)


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
