"""What a log is: streams of entries in one global order, appended durably, chained by hashes.

SQLite and PostgreSQL keep the same promises behind these types; nothing above the store knows which it talks to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Protocol, TypeAlias

import msgspec


class NewEntry(msgspec.Struct, frozen=True, gc=False):
    """Something to be written: what kind of thing it is, and the thing itself as JSON."""

    kind: str
    body: bytes
    hidden: bool = False
    """Whether somebody who reads the database is not to know it: then it is stored sealed (see `sealing`)."""
    owner: str = ""
    """The person whom it is about, where it is sealed under a key of their own, so that it can be erased."""


class Part(msgspec.Struct, frozen=True, gc=False):
    """New entries for one stream, which must still be at `expected` (its version is the number of its entries).

    Without entries it is a guard: the append is stale where somebody has written to that stream.
    """

    stream: str
    expected: int
    entries: tuple[NewEntry, ...]
    epoch: int = 0
    """The writer's claim on the stream (see `Log.claim`); 0 where nobody owns such streams."""


class Append(msgspec.Struct, frozen=True, gc=False):
    """Parts that are written all together or not at all."""

    parts: tuple[Part, ...]
    at_ms: int
    """When, in milliseconds of Unix time, by the clock of whoever appends."""
    by: str = ""
    """Who caused it: the account's name, or "" for the house itself."""
    command: str = ""
    """The id that the client chose for its command; the same id again gets the first answer."""
    answer: bytes = b""
    """What the client is told, kept with the command."""


class Appended(msgspec.Struct, frozen=True, gc=False):
    """Durably written: it survives kill -9 and power loss from here on."""

    seq: int
    """Global position of the last entry written."""
    versions: tuple[int, ...]
    """The version of each part's stream now."""


class Stale(msgspec.Struct, frozen=True, gc=False):
    """Somebody else has written to the stream meanwhile; nothing was written."""

    stream: str
    version: int
    """Where the stream is."""


class Repeated(msgspec.Struct, frozen=True, gc=False):
    """The command was answered before; nothing was written, this is the first answer."""

    answer: bytes


class Fenced(msgspec.Struct, frozen=True, gc=False):
    """The stream has another owner by now; nothing was written."""

    stream: str
    epoch: int


Outcome: TypeAlias = Appended | Stale | Repeated | Fenced


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One entry as it stands in the log."""

    seq: int
    stream: str
    version: int
    """1 for the first entry of its stream."""
    at_ms: int
    by: str
    command: str
    kind: str
    body: bytes
    hash: bytes
    """SHA-256 over the previous entry's hash and everything else here (see `pitboss.store.chain`)."""
    answer: bytes = b""
    """What the client was told; it stands with the last entry of an append that bears a command."""
    remaining: int = 0
    """How many entries of the same append come after this one, so that half an append shows."""
    format: int = 1
    """By which rule the hash was made."""
    salt: bytes = b""
    """The secret in the commitment that the hash covers; it leaves the house with the body only."""
    hidden: bool = False
    """Whether it is stored sealed."""


class Head(msgspec.Struct, frozen=True):
    """Where the log ends: keep it elsewhere, and nobody can cut the log shorter unnoticed."""

    seq: int
    hash: bytes


class Snapshot(msgspec.Struct, frozen=True):
    """A stream folded up to a version, so that nobody need read it from its beginning."""

    stream: str
    version: int
    body: bytes


class Claim(msgspec.Struct, frozen=True):
    """Who owns a stream, where they are reached, and until when; each new owner has a higher epoch."""

    stream: str
    owner: str
    address: str
    epoch: int
    until_ms: int


class StoreError(Exception):
    """The log cannot be read or written: one sentence that says where, what and what to do."""


class LogFull(StoreError):
    """The disk is full: nothing of the batch was written, and nothing more will be accepted until there is room."""


class LogDamaged(StoreError):
    """The database itself cannot read its file any more."""


class Archived(StoreError):
    """The body of an entry is in a segment that is not at hand."""


class Erased(StoreError):
    """What is sealed cannot be opened any more, because the key of the person whom it is about was destroyed."""


class KeyLost(StoreError):
    """What is sealed cannot be opened, because the key is not here."""


class LogBusy(StoreError):
    """Another process kept the log locked for too long: nothing was written, and it may be tried again."""


PERSONAL = "patron:"
"""Streams whose names begin so are each about one person, whose name follows."""
ERASED, GONE = "erased", "gone"
"""Kinds of entries: that somebody's data was erased, as it stands in their stream; and what is read in the place of
what was erased."""


OWN_STREAMS = "log:"
"""Streams whose names begin so are written by the log itself."""


PROJECTIONS = "projection:"
"""Snapshots whose stream begins so are of the whole log, or of another stream: their version is at most the head's."""


class Checked(list[Append]):
    """A batch whose items have all passed `check`, so that nobody need look again."""


def check_all(batch: Sequence[Append]) -> None:
    """`check` what was not checked yet."""
    if type(batch) is not Checked:
        for item in batch:
            check(item)


def check(item: Append) -> None:
    """Raise ValueError where an append could never be written, whatever the log holds; it is a fault of the caller."""
    parts, is_empty = item.parts, True
    if len(parts) > 1:
        _check_distinct([part.stream for part in parts])
    for part in parts:
        _check_stream(part.stream)
        for entry in part.entries:
            _check_kind(entry.kind)
            is_empty = False
    if is_empty:
        raise ValueError("an append without entries")
    _check_text(item.by + item.command)
    if not -(1 << 63) <= item.at_ms < 1 << 63:
        raise ValueError(f"no such time: {item.at_ms} ms")


@lru_cache(maxsize=4096)
def _check_stream(stream: str) -> None:
    """The same streams are written to all the time."""
    if not stream or stream.startswith(OWN_STREAMS):
        raise ValueError(f"nobody but the log writes to the stream {stream!r}")
    _check_text(stream)


def _check_text(text: str) -> None:
    if not text.isascii():
        text.encode()  # nobody encodes half a surrogate pair
    if "\0" in text:
        raise ValueError(f"a text with a NUL in it, which PostgreSQL does not take: {text!r}")


_check_kind = lru_cache(maxsize=256)(_check_text)


def _check_distinct(streams: list[str]) -> None:
    if len(set(streams)) != len(streams):
        raise ValueError(f"an append names the stream {max(streams, key=streams.count)!r} twice")


class Log(Protocol):
    """A log. Blocking: whoever serves many clients puts a `GroupCommit` before it."""

    url: str

    def append(self, batch: Sequence[Append]) -> list[Outcome]:
        """Write a batch in one durable transaction; one item's failure does not touch the others."""
        ...

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]: ...

    def read_all(self, after: int = 0, limit: int | None = None) -> Iterator[Entry]: ...

    def wait(self, after: int, seconds: float) -> bool:
        """Wait until something stands after this position; False when the time is over."""
        ...

    def streams(self, prefix: str = "") -> dict[str, int]:
        """Every stream whose name begins so, with its version."""
        ...

    def version(self, stream: str) -> int: ...

    def answer(self, command: str) -> bytes | None: ...

    def head(self) -> Head: ...

    def erase(self, item: Append, owner: str) -> Outcome:
        """Append, and in the same transaction destroy every key of a person and what is sealed of them; for good."""
        ...

    def save_snapshot(self, snapshot: Snapshot) -> None:
        """Keep it in the place of an older one; its digest goes into the chain, as an entry of `log:snapshots`."""
        ...

    def snapshot(self, stream: str) -> Snapshot | None:
        """The newest one, or None where there is none or where it is not the one whose digest the chain has."""
        ...

    def claim(self, stream: str, owner: str, address: str, now_ms: int | None, for_ms: int) -> Claim:
        """Own the stream if it is free, expired or ours already; otherwise the claim of whoever owns it.

        With None, here and below, the time is that of the one clock that all who share the log have.
        """
        ...

    def renew(self, owner: str, now_ms: int | None, for_ms: int) -> dict[str, Claim]:
        """Make every claim of this owner last longer, in one write; what they no longer own is not among them.

        Nobody's claim lasts longer than theirs from now on: one from the future is left by a clock that was wrong.
        """
        ...

    def release(self, stream: str, owner: str) -> None:
        """Give a stream up: the next owner need not wait, and what was decided under the claim is fenced."""
        ...

    def claims(self, now_ms: int | None) -> dict[str, Claim]: ...

    def close(self) -> None: ...
