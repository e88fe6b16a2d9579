"""What a batch writes: decided once, for every kind of log, inside the transaction that then writes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from pitboss.store.chain import FORMAT, Row, entry_hash
from pitboss.store.log import Append, Appended, Fenced, Head, Outcome, Repeated, Stale


class Known(msgspec.Struct, frozen=True):
    """What the log says now, asked only as far as a batch wants to know it."""

    head: Head
    version: Callable[[str], int]
    answer: Callable[[str], bytes | None]
    epoch: Callable[[str], int]


class Plan(msgspec.Struct):
    """What to write and what to answer; the answers hold once the rows are durable."""

    head: Head
    rows: list[Row] = []
    outcomes: list[Outcome] = []
    versions: dict[str, int] = {}
    answers: dict[str, bytes] = {}


def plan(batch: Sequence[Append], known: Known) -> Plan:
    """Decide a batch in its order: each item sees what the items before it write."""
    result = Plan(known.head)
    for item in batch:
        refused = _refused(item, known, result)
        result.outcomes.append(_planned(item, result) if refused is None else refused)
    return result


def _refused(item: Append, known: Known, so_far: Plan) -> Stale | Repeated | Fenced | None:
    if item.command:
        answer = so_far.answers.get(item.command)
        if answer is None:
            answer = known.answer(item.command)
        if answer is not None:
            return Repeated(answer)
    for part in item.parts:
        if part.epoch:
            epoch = known.epoch(part.stream)
            if epoch != part.epoch:
                return Fenced(part.stream, epoch)
    for part in item.parts:
        version = so_far.versions.get(part.stream)
        if version is None:
            version = so_far.versions[part.stream] = known.version(part.stream)
        if version != part.expected:
            return Stale(part.stream, version)
    return None


def _planned(item: Append, so_far: Plan) -> Appended:
    """Add the item's rows."""
    by, command, at_ms = item.by.encode(), item.command.encode(), item.at_ms
    seq, previous = so_far.head.seq, so_far.head.hash
    remaining = sum(len(part.entries) for part in item.parts)
    for part in item.parts:
        stream, version = part.stream.encode(), part.expected
        for entry in part.entries:
            seq, version, remaining = seq + 1, version + 1, remaining - 1
            answer = b"" if remaining or not item.command else item.answer
            previous = entry_hash(
                previous, FORMAT, seq, stream, version, at_ms, by, command, remaining, entry.kind.encode(), entry.body,
                answer,
            )  # fmt: skip
            so_far.rows.append(
                (seq, FORMAT, part.stream, version, at_ms, item.by, item.command, remaining, entry.kind, entry.body,
                 answer, previous)
            )  # fmt: skip
        so_far.versions[part.stream] = version
    so_far.head = Head(seq, previous)
    if item.command:
        so_far.answers[item.command] = item.answer
    return Appended(seq, tuple(so_far.versions[part.stream] for part in item.parts))
