"""``pitboss record``: explain a record, or convert it between TOML and JSON lines."""

from __future__ import annotations

import sys

import msgspec

from pitboss.commands import look_for_editions
from pitboss.commands.options import AsJson, EditionsIn
from pitboss.records.explaining import explain as explanation_of
from pitboss.records.explaining import explained_lines
from pitboss.records.jsonl import dumps_lines
from pitboss.records.model import RecordError
from pitboss.records.read import read
from pitboss.records.replay import replay
from pitboss.records.write import dumps

FINE, CHECK_FAILED = 0, 1


def convert(source: str, target: str, *, editions: EditionsIn = None, json: bool = False) -> int:
    """Convert a record to JSON lines, or back: the ending of each name says which, .round or .jsonl.

    Parameters
    ----------
    source
        The record to read.
    target
        The file to write; an existing one is replaced.
    json
        Print one JSON object about what was written.
    """
    if not target.endswith((".round", ".jsonl")):
        raise RecordError("the name must end in .round (TOML) or .jsonl (JSON lines)", file=target)
    look_for_editions(editions)
    record = read(source)
    text = dumps_lines(record) if target.endswith(".jsonl") else dumps(record)
    try:
        with open(target, "w", encoding="utf-8", newline="\n") as stream:  # noqa: PTH123 - any name, also a bad one
            stream.write(text)
    except OSError as error:
        raise RecordError(f"cannot be written: {(error.strerror or 'unknown reason').lower()}", file=target) from None
    except ValueError:
        raise RecordError("cannot be written: the name holds a character that no file name has", file=target) from None
    if json:
        print(msgspec.json.encode({"from": source, "to": target, "acts": len(record.play)}).decode())
    return FINE


def explain(file: str, *, editions: EditionsIn = None, json: AsJson = False) -> int:
    """Explain a record in plain sentences: what happened, line by line, and which rule decided it.

    Exit code 1 if something does not match the record.

    Parameters
    ----------
    file
        The record.
    """
    look_for_editions(editions)
    result = replay(read(file))
    explanation = explanation_of(result)
    if json:
        print(msgspec.json.encode(explanation).decode())
    else:
        for line in explained_lines(explanation):
            print(line)
        sys.stdout.flush()
        for warning in result.warnings:
            place = f"{file}:{warning.line}" if warning.line else file
            print(f"warning   {place}: {warning.text}", file=sys.stderr)
    return FINE if result.ok else CHECK_FAILED
