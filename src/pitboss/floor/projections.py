"""What is read across tables: folds over the whole log, kept as checkpoints, so that a restart reads only the rest.

A fold is a plain value with a name and a version; it hears every entry of the log once, in the log's order, and answers
questions. Its checkpoint is a snapshot of the log: the value itself with the place up to which it has heard. The
snapshot's digest stands in the chain, so that a checkpoint which somebody altered is not believed but made anew; so is
one that an older version of the fold has left. Several processes may keep the same fold: the newest checkpoint stays.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any, ClassVar, Generic, TypeVar, cast

import msgspec

from pitboss.store.log import PROJECTIONS, Entry, Log, Snapshot

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

    def apply(self, entry: Entry) -> None:
        """Learn the next entry. No clock, no chance, nothing from outside: the same log gives the same value."""
        raise NotImplementedError


F = TypeVar("F", bound=Fold)


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
        if self.place - self.kept_at >= CHECKPOINT_EVERY:
            self._keep(log, fold)
        return fold

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

    def _keep(self, log: Log, fold: F) -> None:
        body = msgspec.json.encode(_Kept(self.kind.version, msgspec.Raw(msgspec.json.encode(fold))))
        log.save_snapshot(Snapshot(PROJECTIONS + self.kind.name, self.place, body))
        self.kept_at = self.place


class Projections:
    """The folds of one process over one log. Blocking: asked in a thread, by as many as like."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._known: dict[type[Fold], _Projection[Any]] = {}
        self._adding = Lock()

    def ask(self, kind: type[F], question: Callable[[F], T], most: int | None = None) -> T:
        """What a fold answers once it has heard everything that is durable now, or `most` entries more of it.

        The answer must be the asker's own: the fold goes on for others.
        """
        with self._adding:
            known = self._known.setdefault(kind, _Projection(kind))
        with known.lock:
            return question(cast("F", known.catch_up(self._log, most)))
