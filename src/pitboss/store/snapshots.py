"""Snapshots: a stream folded up to a version, kept beside the chain, with a digest in it."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from pitboss.store.chain import snapshot_digest
from pitboss.store.log import OWN_STREAMS, PROJECTIONS, Append, Head, NewEntry, Part, Snapshot

STREAM = OWN_STREAMS + "snapshots"


class Taken(msgspec.Struct, frozen=True):
    """What the chain says about a snapshot."""

    stream: str
    version: int
    sha256: str


def check_snapshot(snapshot: Snapshot, version_of: Callable[[str], int], head: Head | None) -> None:
    if snapshot.stream.startswith(PROJECTIONS):
        version = 0 if head is None else head.seq
    else:
        version = version_of(snapshot.stream)
    if not 0 < snapshot.version <= version:
        raise ValueError(f"a snapshot of {snapshot.stream!r} at version {snapshot.version}, which is at {version}")


def snapshot_entry(snapshot: Snapshot, version: Callable[[str], int], at_ms: int) -> Append:
    body = msgspec.json.encode(_taken(snapshot))
    return Append((Part(STREAM, version(STREAM), (NewEntry("taken", body),)),), at_ms)


def is_in_chain(snapshot: Snapshot, stream: str | None, body: bytes | None) -> bool:
    """Whether the entry that should have the digest of a snapshot has it."""
    return stream == STREAM and body == msgspec.json.encode(_taken(snapshot))


def trusted(stream: str, row: tuple[int, bytes, str | None, bytes | None] | None) -> Snapshot | None:
    """A snapshot, if what was found is one: its version and body, and stream and body of the entry with its digest."""
    if row is None:
        return None
    snapshot = Snapshot(stream, row[0], row[1])
    return snapshot if is_in_chain(snapshot, row[2], row[3]) else None


def _taken(snapshot: Snapshot) -> Taken:
    digest = snapshot_digest(snapshot.stream, snapshot.version, snapshot.body)
    return Taken(snapshot.stream, snapshot.version, digest)
