"""``pitboss replay``: play records on the real engine and check what they expect."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from pitboss.basics.cards import format_cards
from pitboss.basics.money import dollars
from pitboss.commands import Unread, look_for_editions
from pitboss.commands.options import EditionsIn
from pitboss.records.lines import format_act
from pitboss.records.model import Expect, Record, RecordError, printable, rulebook_of
from pitboss.records.read import read
from pitboss.records.replay import ReplayResult
from pitboss.records.replay import replay as replayed
from pitboss.records.saving import public_events
from pitboss.rulebooks import RulebookError
from pitboss.rulebooks.amend import layers_named
from pitboss.table.events import Event
from pitboss.table.telling import tell

FINE, CHECK_FAILED, BAD_INPUT = 0, 1, 2
CASES = {
    ".tournament": "pitboss.commands.tournament",
    ".promotion": "pitboss.commands.promotion",
    ".floor": "pitboss.commands.floor",
}
"""How the names of the records of tournaments, promotions and floors end, and who replays them."""


def replay(
    *paths: str,
    amend: list[str] | None = None,
    editions: EditionsIn = None,
    json: bool = False,
    quiet: bool = False,
) -> int:
    """Replay records and check that they end as recorded.

    Exit code 0: every record checks out; 1: an act or an expected result failed; 2: a record could not be read.

    Parameters
    ----------
    paths
        Records, or folders that are searched for ``*.round``, ``*.tournament``, ``*.promotion`` and ``*.floor``.
    amend
        Apply an amendment to the rulebook of each record: a TOML file, or the name of one in the document.
    json
        Print one JSON object per line.
    quiet
        Print only failures and the count.
    """
    look_for_editions(editions)
    printer = _Json() if json else _Quiet() if quiet else _Text()
    if not paths:
        printer.unread(RecordError("replay needs a record or a folder of records"))
    for path in paths:
        try:
            files = list(record_files(path))
        except RecordError as error:
            printer.unread(error)
            continue
        for file in files:
            if file.endswith(tuple(CASES)):
                _case(file, printer, json=json, quiet=quiet)
            else:
                _one(file, amend or (), printer)
    printer.close()
    return printer.code


def record_files(path: str) -> Iterator[str]:
    """The records at a path: the file itself, or every record below a folder, sorted."""
    if not os.path.isdir(path):  # noqa: PTH112 - takes any name, also one that no file can have
        yield path
        return
    try:
        ends = (".round", *CASES)
        found = sorted(file for end in ends for file in Path(path).rglob(f"*{end}") if file.is_file())
    except OSError as error:
        raise RecordError(f"cannot be searched: {(error.strerror or 'unknown reason').lower()}", file=path) from None
    if not found:
        raise RecordError("no *.round in this folder", file=path)
    yield from (str(file) for file in found)


def _case(file: str, printer: _Printer, *, json: bool, quiet: bool) -> None:
    """The record of a whole tournament or promotion."""
    command = importlib.import_module(CASES[Path(file).suffix])
    try:
        result = command.replay_file(file)
    except Unread as error:
        place, _, reason = str(error).partition(": ")
        printer.unread(RecordError(reason, file=place))
        return
    printer.records += 1
    if result.failures:
        printer.failed += 1
        printer.code = max(printer.code, CHECK_FAILED)
    command.show(printable(file), result, json=json, quiet=quiet)


def _one(file: str, amendments: Sequence[str], printer: _Printer) -> None:
    try:
        result = replayed(_amended(read(file), amendments))
    except RecordError as error:
        printer.unread(error)
    else:
        printer.result(result)


def _amended(record: Record, amendments: Sequence[str]) -> Record:
    """The record as it would have been played under further amendments."""
    if not amendments:
        return record
    try:
        more = layers_named(rulebook_of(record), amendments)
        changed = replace(record, amendments=(*record.amendments, *more))
        rulebook_of(changed)
    except RulebookError as error:
        raise RecordError(str(error), file=record.file) from None
    return changed


class _Printer:
    """Says what came of each record, and keeps the exit code: unread wins over failed."""

    def __init__(self) -> None:
        self.code = FINE
        self.records = 0
        self.failed = 0
        self.unreadable = 0

    def unread(self, error: RecordError) -> None:
        self.code = BAD_INPUT
        self.unreadable += 1
        self.show_unread(error)

    def result(self, result: ReplayResult) -> None:
        self.records += 1
        if not result.ok:
            self.failed += 1
            self.code = max(self.code, CHECK_FAILED)
        self.show(result)

    def show_unread(self, error: RecordError) -> None:
        sys.stdout.flush()
        print(f"unread    {error}", file=sys.stderr, flush=True)

    def show(self, result: ReplayResult) -> None:
        raise NotImplementedError

    def close(self) -> None:
        """Say how many there were."""


class _Text(_Printer):
    def show(self, result: ReplayResult) -> None:
        record = result.record
        print(f"{printable(record.file)}: {record.title}")
        for step in result.steps:
            if step.refusal is not None:
                print(f"  refused: {format_act(step.play.act)}: {step.refusal}")
            for event in public_events(step.events):
                print(f"  {tell(event, result.rulebook)}")
        self.verdict(result)
        self.warn(result)

    def verdict(self, result: ReplayResult) -> None:
        for failure in result.failures:
            print(_failed(result, failure.line, failure.text))
        if result.ok:
            print(f"  holds: {_expected(result.record.expect)}")

    def warn(self, result: ReplayResult) -> None:
        for warning in result.warnings:
            sys.stdout.flush()
            place = printable(result.record.file) + (f":{warning.line}" if warning.line else "")
            print(f"warning   {place}: {warning.text}", file=sys.stderr, flush=True)

    def close(self) -> None:
        total = self.records + self.unreadable
        if total > 1:
            print(_count(self))


class _Quiet(_Text):
    def show(self, result: ReplayResult) -> None:
        if not result.ok:
            self.verdict(result)
        self.warn(result)

    def close(self) -> None:
        print(_count(self))


class _Json(_Printer):
    def show_unread(self, error: RecordError) -> None:
        place = {"file": printable(error.file), "line": error.line or None}
        self.line({**place, "error": error.reason, "voice": "unread"})

    def show(self, result: ReplayResult) -> None:
        file = printable(result.record.file)
        for step in result.steps:
            place = {"file": file, "line": step.play.line}
            if step.refusal is not None:
                act = {"act": format_act(step.play.act), "expected": step.play.refused}
                self.line({**place, "refused": step.refusal.text, "clauses": step.refusal.clauses, **act})
            for event in public_events(step.events):
                self.line({**place, **_own_fields(event)})
        self.line(
            {
                "file": file,
                "ok": result.ok,
                "failures": [{"line": failure.line, "text": failure.text} for failure in result.failures],
                "warnings": [{"line": warning.line, "text": warning.text} for warning in result.warnings],
                "title": result.record.title,
                "rulebook": result.record.rulebook,
                "variant": result.rulebook.variant,
                "net_cents": dict(result.net_cents),
                "dealer": result.dealer,
                "left": result.left,
                "jackpot_cents": result.table.jackpot_cents,
            }
        )

    def line(self, item: dict[str, Any]) -> None:
        print(msgspec.json.encode(item).decode())


def _own_fields(event: Event) -> dict[str, Any]:
    """An event's fields; one that is named as the record's place is (players stand in line) says whose it is."""
    own: dict[str, Any] = msgspec.to_builtins(event)
    return {f"event_{name}" if name in ("file", "line") else name: value for name, value in own.items()}


def _failed(result: ReplayResult, line: int, text: str) -> str:
    place = printable(result.record.file) + (f":{line}" if line else "")
    return f"failed    {place}: {text}"


def _expected(expect: Expect) -> str:
    parts = [f"{name} {dollars(cents)}" for name, cents in expect.net_cents.items()]
    if expect.dealer is not None:
        parts.append(f"dealer {format_cards(expect.dealer) or 'no card'}")
    if expect.left is not None:
        parts.append(f"{expect.left} left")
    if expect.jackpot_cents is not None:
        parts.append(f"jackpot {dollars(expect.jackpot_cents)}")
    return ", ".join(parts) or "nothing was expected, every act was allowed"


def _count(printer: _Printer) -> str:
    total = printer.records + printer.unreadable
    held = printer.records - printer.failed
    text = f"{total} record{'s' * (total != 1)}: {held} hold{'s' * (held == 1)}"
    if printer.failed:
        text += f", {printer.failed} failed"
    if printer.unreadable:
        text += f", {printer.unreadable} could not be read"
    return text
