"""Appends, short to write."""

from __future__ import annotations

import msgspec

from pitboss.store.log import Append, Appended, NewEntry, Part
from pitboss.store.stored import StoredLog


def body(number: int, events: int = 2) -> bytes:
    """The body of a table act."""
    happened = [{"event": "Happened", "n": n, "said": '{"event":"'} for n in range(events)]
    return msgspec.json.encode({"act": {"act": "Hit", "box": number}, "events": happened})


def one(
    stream: str,
    expected: int,
    *bodies: bytes,
    command: str = "",
    answer: bytes = b"",
    epoch: int = 0,
    at_ms: int = 1000,
) -> Append:
    """An append to one stream."""
    entries = tuple(NewEntry("act", each) for each in bodies or (body(expected + 1),))
    return Append((Part(stream, expected, entries, epoch),), at_ms, "alice", command, answer)


def fill(log: StoredLog, count: int, streams: int = 3) -> None:
    """Entries over a few streams in one batch, every fifth append with two parts."""
    versions = dict.fromkeys((f"table:{n}" for n in range(streams)), 0)
    batch: list[Append] = []
    written = 0
    while written < count:
        number = len(batch)
        names = [f"table:{number % streams}"]
        if number % 5 == 4 and written + 2 <= count:
            names.append(f"table:{(number + 1) % streams}")
        parts = tuple(Part(name, versions[name], (NewEntry("act", body(number)),)) for name in names)
        for name in names:
            versions[name] += 1
        batch.append(Append(parts, 1_000 + number, "alice", f"command-{number}", b'{"is":"accepted"}'))
        written += len(names)
    outcomes = log.append(batch)
    assert all(isinstance(outcome, Appended) for outcome in outcomes), outcomes
