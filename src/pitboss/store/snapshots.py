"""Snapshots: a stream folded up to a version, kept beside the chain, with a digest in it.

Where the log has keys a snapshot is sealed too: what is folded may be more than anybody may know yet. The chain has the
digest of what is stored, so that it is verified without any key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from pitboss.store.chain import snapshot_digest
from pitboss.store.log import OWN_STREAMS, PROJECTIONS, Append, Head, KeyLost, LogDamaged, NewEntry, Part, Snapshot
from pitboss.store.sealing import Sealing

STREAM = OWN_STREAMS + "snapshots"


class Taken(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the chain says about a snapshot."""

    stream: str
    version: int
    sha256: str
    """Of the body as it is stored."""
    sealed: bool = False


def check_snapshot(snapshot: Snapshot, version_of: Callable[[str], int], head: Head | None) -> None:
    if snapshot.stream.startswith(PROJECTIONS):
        version = 0 if head is None else head.seq
    else:
        version = version_of(snapshot.stream)
    if not 0 < snapshot.version <= version:
        raise ValueError(f"a snapshot of {snapshot.stream!r} at version {snapshot.version}, which is at {version}")


def sealed(snapshot: Snapshot, sealing: Sealing) -> Snapshot:
    """The snapshot as it is stored."""
    if not sealing.is_ready:
        return snapshot
    return Snapshot(snapshot.stream, snapshot.version, sealing.seal_alone(snapshot.body))


def snapshot_entry(stored: Snapshot, version: Callable[[str], int], at_ms: int, *, is_sealed: bool = False) -> Append:
    entry = NewEntry("taken", _encoded(stored, is_sealed))
    return Append((Part(STREAM, version(STREAM), (entry,)),), at_ms)


def is_in_chain(stored: Snapshot, stream: str | None, body: bytes | None) -> bool:
    """Whether the entry that should have the digest of a snapshot has it."""
    return stream == STREAM and body in (_encoded(stored, False), _encoded(stored, True))


def trusted(stream: str, row: tuple[int, bytes, str | None, bytes | None] | None, sealing: Sealing) -> Snapshot | None:
    """A snapshot, if what was found is one: its version and body, and stream and body of the entry with its digest.

    One that cannot be opened is none: it is folded anew.
    """
    if row is None:
        return None
    stored = Snapshot(stream, row[0], row[1])
    if not is_in_chain(stored, row[2], row[3]):
        return None
    if row[3] == _encoded(stored, False):
        return stored
    try:
        return Snapshot(stream, row[0], sealing.opened_alone(row[1]))
    except (KeyLost, LogDamaged):
        return None


def to_seal_anew(rows: Iterable[tuple[str, bytes, bytes]], sealing: Sealing) -> list[str]:
    """Of which streams the snapshots are in plain text, as an older Pitboss kept them, or under an older data key.

    `rows`: the stream, how the stored body begins, and the body of the entry that has the digest.
    """
    by_now = sealing.begins_with()
    return [stream for stream, begins, taken in rows if begins != by_now or taken.find(b'"sealed":true') < 0]


def _encoded(stored: Snapshot, is_sealed: bool) -> bytes:
    digest = snapshot_digest(stored.stream, stored.version, stored.body)
    return msgspec.json.encode(Taken(stored.stream, stored.version, digest, is_sealed))
