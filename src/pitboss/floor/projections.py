"""What is read across tables: folds over the whole log, kept as checkpoints, so that a restart reads only the rest.

A fold is a plain value with a name and a version; it hears every entry of the log once, in the log's order, and answers
questions. Its checkpoint is a snapshot of the log: the value itself with the place up to which it has heard. The
snapshot's digest stands in the chain, so that a checkpoint which somebody altered is not believed but made anew; so is
one that an older version of the fold has left. Several processes may keep the same fold: the newest checkpoint stays.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from threading import Lock, Thread
from typing import Any, ClassVar, Generic, TypeVar, cast

import msgspec

from pitboss.store.log import PROJECTIONS, Entry, Log, Snapshot, StoreError

PAGE = 1_000
"""Entries that are read at a time."""
CHECKPOINT_EVERY = 20_000
"""Entries after which a new checkpoint is worth keeping: so many are read again after a restart at most."""

T = TypeVar("T")


class Fold(msgspec.Struct):
    """What a fold is. Its fields are its state, and go to JSON and back; without any entry they have their defaults."""

    name: ClassVar[str]
    version: ClassVar[int]
    """Another one whenever `apply` or the fields change: then the fold is made anew from the first entry."""
    stream: ClassVar[str] = ""
    """The one stream that it is about, where it is; "" for the whole log."""

    def copied(self) -> Fold | None:
        """A copy that is encoded while this value goes on; None where it is small, and encoded at once."""
        return None

    def encoded(self) -> bytes:
        """The value as JSON. A large one gives others their turn in between (`in_steps`)."""
        return msgspec.json.encode(self)

    def apply(self, entry: Entry) -> None:
        """Learn the next entry. No clock, no chance, nothing from outside: the same log gives the same value."""
        raise NotImplementedError


F = TypeVar("F", bound=Fold)


STEP = 1_000
"""Values of a large fold that are encoded in one go: a few milliseconds."""


def in_steps(values: Sequence[Any]) -> Iterator[bytes]:
    """The elements of a JSON array, many at a time, with a moment for others in between."""
    for begun in range(0, len(values), STEP):
        if begun:
            yield b","
            time.sleep(0)
        yield msgspec.json.encode(values[begun : begun + STEP])[1:-1]


class _Kept(msgspec.Struct, frozen=True):
    """A checkpoint."""

    version: int
    state: msgspec.Raw


class _Projection(Generic[F]):
    """One fold as this process has it, and how far it has heard."""

    def __init__(self, kind: type[F]) -> None:
        self.kind = kind
        self.lock = Lock()
        self.fold: F | None = None
        self.place = self.kept_at = 0
        self.keeping: Thread | None = None
        """Whoever writes a large checkpoint beside those who ask."""

    def catch_up(self, log: Log, most: int | None) -> F:
        fold = self._begun(log)
        left = most
        try:
            while left is None or left > 0:
                wanted = PAGE if left is None else min(PAGE, left)
                page = self._read(log, wanted)
                for entry in page:
                    fold.apply(entry)
                if page:
                    self.place = page[-1].version if self.kind.stream else page[-1].seq
                if len(page) < wanted:
                    break
                left = None if left is None else left - len(page)
        except BaseException:
            self.fold = None  # half of a page may be in it
            raise
        if self.place - self.kept_at >= CHECKPOINT_EVERY and (self.keeping is None or not self.keeping.is_alive()):
            self._checkpoint(log, fold)
        return fold

    def _checkpoint(self, log: Log, fold: F) -> None:
        """Keep where it stands; nobody who asks waits while a large one is encoded and written."""
        copy = fold.copied()
        if copy is None:
            self._keep(log, fold, self.place)
            return
        self.keeping = Thread(target=self._keep_beside, args=(log, copy, self.place), name="pitboss-checkpoint")
        self.keeping.start()

    def _keep_beside(self, log: Log, copy: Fold, place: int) -> None:
        with suppress(StoreError):  # the log is closed or full: the next one is kept
            self._keep(log, copy, place)

    def _read(self, log: Log, wanted: int) -> list[Entry]:
        stream = self.kind.stream
        return list(log.read(stream, self.place, wanted) if stream else log.read_all(self.place, wanted))

    def _begun(self, log: Log) -> F:
        """As it is known here, else from its checkpoint, else from nothing."""
        if self.fold is None:
            self.fold, self.place = self.kind(), 0
            snapshot = log.snapshot(PROJECTIONS + self.kind.name)
            kept = None if snapshot is None else msgspec.json.decode(snapshot.body, type=_Kept)
            if snapshot is not None and kept is not None and kept.version == self.kind.version:
                self.fold, self.place = msgspec.json.decode(kept.state, type=self.kind), snapshot.version
            self.kept_at = self.place
        return self.fold

    def _keep(self, log: Log, fold: Fold, place: int) -> None:
        body = b'{"version":%d,"state":%b}' % (self.kind.version, fold.encoded())
        log.save_snapshot(Snapshot(PROJECTIONS + self.kind.name, place, body))
        self.kept_at = place


class Projections:
    """The folds of one process over one log. Blocking: asked in a thread, by as many as like."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._known: dict[type[Fold], _Projection[Any]] = {}
        self._adding = Lock()

    def settle(self) -> None:
        """Wait until every checkpoint that was begun is written."""
        for known in list(self._known.values()):
            if known.keeping is not None:
                known.keeping.join()

    def ask(self, kind: type[F], question: Callable[[F], T], most: int | None = None) -> T:
        """What a fold answers once it has heard everything that is durable now, or `most` entries more of it.

        The answer must be the asker's own: the fold goes on for others.
        """
        with self._adding:
            known = self._known.setdefault(kind, _Projection(kind))
        with known.lock:
            return question(cast("F", known.catch_up(self._log, most)))
