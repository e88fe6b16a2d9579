"""``pitboss floor``: play what happened on a whole floor, each thing at its time, and check what must come of it."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from pitboss.commands import Unread
from pitboss.floor.floor_records import FloorResult, play, read
from pitboss.records.model import RecordError, printable
from pitboss.registers import paper
from pitboss.store.log import StoreError

FINE, CHECK_FAILED = 0, 1


def floor(file: str, *, keep: str | None = None, json: bool = False, quiet: bool = False) -> int:
    """Replay a floor record: tables, people's files and registers, in order of time.

    Exit code 0: the record checks out; 1: a line or an expected result failed; 2: the record could not be read.

    Parameters
    ----------
    file
        A record, NAME.floor.
    keep
        Keep the log in this file, which is new: register, notices, report, ledger, patrons and serve then read it.
    json
        Print one JSON object per line: what came of each line, then the result.
    quiet
        Print only failures.
    """
    if keep is not None and Path(keep).exists():
        raise Unread(f"{keep}: there is such a file already; name another, or take it away.")
    result = replay_file(file, keep)
    show(printable(file), result, json=json, quiet=quiet)
    return CHECK_FAILED if result.failures else FINE


def replay_file(file: str, keep: str | None = None) -> FloorResult:
    try:
        return play(read(file), keep)
    except RecordError as error:
        raise Unread(str(error)) from None
    except StoreError as error:
        raise Unread(f"{keep}: {error}") from None


def show(file: str, result: FloorResult, *, json: bool = False, quiet: bool = False) -> None:
    """What came of a record, for people or for programs."""
    if json:
        for done in result.done:
            said = {"file": file, "line": done.said.line, "said": done.said.text}
            came = {"refused": done.refusal, "clauses": done.clauses} if done.refusal else {"events": done.events}
            print(msgspec.json.encode({**said, **came}).decode())
        failures = [{"line": each.line, "text": each.text} for each in result.failures]
        told = {"file": file, "ok": not failures, "failures": failures, "title": result.record.title}
        print(msgspec.json.encode({**told, "lines": result.lines, "due": result.items}).decode())
        return
    if not quiet:
        print(f"{file}: {result.record.title}")
        for done in result.done:
            print(f"  {done.said.text}")
            for each in done.told:
                print(f"    {each}")
            if done.refusal:
                print(f"    refused: {done.refusal}")
    for failure in result.failures:
        print(f"failed    {file}{f':{failure.line}' if failure.line else ''}: {failure.text}")
    for warning in result.warnings:
        print(f"warning   {file}: {warning}", file=sys.stderr)
    if quiet:
        return
    if not result.failures:
        print("  holds")
    print("\nRegisters:")
    print(paper.lines_text(result.kept, result.lines))
    if result.items:
        print(f"\nDue:\n{paper.items_text(result.kept, result.items, result.ends_ms)}")
