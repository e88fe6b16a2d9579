"""What a batch writes: decided once, for every kind of log, inside the transaction that then writes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256

import msgspec

from pitboss.chance import secret_bytes
from pitboss.store.chain import AFTER_SEQ, SALT_BYTES, START, TO_SEQ, StoredRow
from pitboss.store.log import Append, Appended, Fenced, Head, Outcome, Repeated, Stale
from pitboss.store.sealing import Sealing

PACK_TO_SEQ = TO_SEQ.pack
PACK_AFTER_SEQ = AFTER_SEQ.pack


class Known:
    """What a log says now: remembered as long as nobody else writes, asked for as far as a batch wants to know it.

    A plan changes it as if the batch were written already; whoever fails to write it calls `forget`.
    """

    __slots__ = ("answer", "ask_epoch", "ask_version", "epochs", "head", "versions")

    def __init__(
        self,
        ask_version: Callable[[str], int],
        answer: Callable[[str], bytes | None],
        ask_epoch: Callable[[str], int],
        head: Head | None = None,
    ) -> None:
        self.head = head
        """None where it must be read first."""
        self.versions: dict[str, int] = {}
        self.epochs: dict[str, int] = {}
        self.ask_version, self.answer, self.ask_epoch = ask_version, answer, ask_epoch

    def forget(self) -> None:
        """Somebody else may have written: nothing of this holds."""
        self.head = None
        self.versions.clear()
        self.epochs.clear()


class Plan(msgspec.Struct):
    """What to write and what to answer; the answers hold once the rows are durable."""

    head: Head
    rows: list[StoredRow]
    outcomes: list[Outcome]
    answers: dict[str, bytes]
    """Of the commands that are written."""


def plan(batch: Sequence[Append], known: Known, sealing: Sealing) -> Plan:
    """Decide a batch in its order: each item sees what the items before it write."""
    head = known.head or Head(0, START)
    seq, previous, versions = head.seq, head.hash, known.versions
    rows: list[StoredRow] = []
    outcomes: list[Outcome] = []
    answers: dict[str, bytes] = {}
    covered: list[bytes] = []
    salts = _salts(len(batch))
    for item in batch:
        refused = _refused(item, known, answers)
        if refused is not None:
            outcomes.append(refused)
            continue
        seq, previous = _add_rows(rows, covered, item, seq, previous, versions, salts, sealing)
        if item.command:
            answers[item.command] = item.answer
        outcomes.append(Appended(seq, tuple([versions[part.stream] for part in item.parts])))
    if rows and (mac := sealing.mac(covered)):
        rows[-1] = (*rows[-1][:11], rows[-1][11] + mac, previous)
    known.head = Head(seq, previous)
    return Plan(known.head, rows, outcomes, answers)


def _refused(item: Append, known: Known, answers: dict[str, bytes]) -> Stale | Repeated | Fenced | None:
    """Why an item is not written: first its command, then its owner, then its versions."""
    if item.command:
        answer = answers[item.command] if item.command in answers else known.answer(item.command)
        if answer is not None:
            return Repeated(answer)
    versions, epochs = known.versions, known.epochs
    for part in item.parts:
        stream = part.stream
        if versions.get(stream) != part.expected or (part.epoch and epochs.get(stream) != part.epoch):
            return _fenced(item, known) or _stale(item, known)  # or something has to be asked for
    return None


def _fenced(item: Append, known: Known) -> Fenced | None:
    for part in item.parts:
        if part.epoch:
            epoch = known.epochs.get(part.stream)
            if epoch is None:
                epoch = known.epochs[part.stream] = known.ask_epoch(part.stream)
            if epoch != part.epoch:
                return Fenced(part.stream, epoch)
    return None


def _stale(item: Append, known: Known) -> Stale | None:
    for part in item.parts:
        version = known.versions.get(part.stream)
        if version is None:
            version = known.versions[part.stream] = known.ask_version(part.stream)
        if version != part.expected:
            return Stale(part.stream, version)
    return None


def _add_rows(
    rows: list[StoredRow],
    covered: list[bytes],
    item: Append,
    seq: int,
    previous: bytes,
    versions: dict[str, int],
    salts: Iterator[bytes],
    sealing: Sealing,
) -> tuple[int, bytes]:
    """Add the item's rows, hashed by the rule of `chain.entry_hash`, and say where the log ends then."""
    by_name, command_name, at_ms, parts = item.by, item.command, item.at_ms, item.parts
    by, command, answer, format = by_name.encode(), command_name.encode(), b"", sealing.format
    remaining = len(parts[0].entries) if len(parts) == 1 else sum([len(part.entries) for part in parts])
    for part in parts:
        stream_name, version = part.stream, part.expected
        stream = stream_name.encode()
        for entry in part.entries:
            seq, version, remaining = seq + 1, version + 1, remaining - 1
            kind_name, body = entry.kind, entry.body
            kind = kind_name.encode()
            if not remaining and command:
                answer = item.answer
            proof = next(salts)
            commitment = sha256(proof + body).digest()
            if entry.hidden:
                body, proof = sealing.seal(proof, body, entry.owner), commitment
            lengths = PACK_AFTER_SEQ(
                version, at_ms, remaining, len(stream), len(by), len(command), len(kind), len(answer)
            )
            said = b"".join((lengths, stream, by, command, kind, answer, commitment))
            previous = sha256(previous + PACK_TO_SEQ(format, seq) + said).digest()
            covered.append(said)
            rows.append(
                (seq, format, stream_name, version, at_ms, by_name, command_name, remaining, kind_name, body, answer,
                 proof, previous)
            )  # fmt: skip
        versions[stream_name] = version
    return seq, previous


class Unplaced:
    """The rows of a batch, column by column, for a log that gives them their places and hashes itself."""

    __slots__ = (
        "answers", "at_ms", "bodies", "by", "commands", "covered", "format", "kinds", "proofs", "remaining",
        "streams", "versions",
    )  # fmt: skip

    def __init__(self, format: int) -> None:
        self.format = format
        self.streams: list[bytes] = []
        self.versions: list[int] = []
        self.at_ms: list[int] = []
        self.by: list[bytes] = []
        self.commands: list[bytes] = []
        self.remaining: list[int] = []
        self.kinds: list[bytes] = []
        self.bodies: list[bytes] = []
        self.answers: list[bytes] = []
        self.proofs: list[bytes] = []
        self.covered: list[bytes] = []
        """What the hash covers after an entry's place."""

    @property
    def last(self) -> tuple[str, int, int, str, str, str, bytes]:
        """By what the last row is known: its stream, version, time, author, command, kind and body."""
        stream, by, command, kind = (x[-1].decode() for x in (self.streams, self.by, self.commands, self.kinds))
        return stream, self.versions[-1], self.at_ms[-1], by, command, kind, self.bodies[-1]


def unplaced(batch: Sequence[Append], known: Known, sealing: Sealing) -> Unplaced | None:
    """The rows of a batch; None where something of it would be refused, by what is known."""
    rows = Unplaced(sealing.format)
    answers: dict[str, bytes] = {}
    salts = _salts(len(batch))
    for item in batch:
        if _refused(item, known, answers) is not None:
            return None
        _add_unplaced(rows, item, known.versions, salts, sealing)
        if item.command:
            answers[item.command] = item.answer
    rows.proofs[-1] += sealing.mac(rows.covered)
    return rows


def _add_unplaced(
    rows: Unplaced, item: Append, versions: dict[str, int], salts: Iterator[bytes], sealing: Sealing
) -> None:
    by, command, at_ms, answer = item.by.encode(), item.command.encode(), item.at_ms, b""
    remaining = sum([len(part.entries) for part in item.parts])
    for part in item.parts:
        stream, version = part.stream.encode(), part.expected
        for entry in part.entries:
            version, remaining = version + 1, remaining - 1
            kind, body = entry.kind.encode(), entry.body
            if not remaining and command:
                answer = item.answer
            proof = next(salts)
            commitment = sha256(proof + body).digest()
            if entry.hidden:
                body, proof = sealing.seal(proof, body, entry.owner), commitment
            lengths = PACK_AFTER_SEQ(
                version, at_ms, remaining, len(stream), len(by), len(command), len(kind), len(answer)
            )
            rows.streams.append(stream)
            rows.versions.append(version)
            rows.at_ms.append(at_ms)
            rows.by.append(by)
            rows.commands.append(command)
            rows.remaining.append(remaining)
            rows.kinds.append(kind)
            rows.bodies.append(body)
            rows.answers.append(answer)
            rows.proofs.append(proof)
            rows.covered.append(b"".join((lengths, stream, by, command, kind, answer, commitment)))
        versions[part.stream] = version


def _salts(many: int) -> Iterator[bytes]:
    """Secret salts without end, asked for so many at a time: each call to the operating system costs as much as ten."""
    while True:
        drawn = secret_bytes(SALT_BYTES * many)
        for begun in range(0, len(drawn), SALT_BYTES):
            yield drawn[begun : begun + SALT_BYTES]


def hides_anything(batch: Sequence[Append]) -> bool:
    """Whether something in a batch is to be sealed."""
    return any(entry.hidden for item in batch for part in item.parts for entry in part.entries)


def owners_in(batch: Sequence[Append]) -> set[str]:
    """Of whom a batch hides something under a key of their own."""
    return {entry.owner for item in batch for part in item.parts for entry in part.entries if entry.owner}


def appended(batch: Sequence[Append], seq: int) -> list[Outcome]:
    """What became of a batch that was written whole, after the place `seq`."""
    outcomes: list[Outcome] = []
    for item in batch:
        seq += sum([len(part.entries) for part in item.parts])
        outcomes.append(Appended(seq, tuple([part.expected + len(part.entries) for part in item.parts])))
    return outcomes
