"""A log in memory with the promises of a real one, that can be told to fail; and a floor on it."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from pitboss.chance import Chance
from pitboss.floor.clock import Clock, SystemClock
from pitboss.floor.floor import Floor
from pitboss.floor.model import HOUSE, Accepted, Caller, Opening
from pitboss.rulebooks import load
from pitboss.store.group import GroupCommit
from pitboss.store.log import (
    Append,
    Appended,
    Claim,
    Entry,
    Fenced,
    Head,
    Outcome,
    Repeated,
    Snapshot,
    Stale,
)
from pitboss.table.house import default_house


class MemoryLog:
    """Streams in lists. `before` sees every batch before it is written and may raise or change the log."""

    url = "memory"

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.by_stream: dict[str, list[Entry]] = {}
        self.answers: dict[str, bytes] = {}
        self.owners: dict[str, Claim] = {}
        self.epochs: dict[str, int] = {}
        self.before: Callable[[Sequence[Append]], None] | None = None
        self.after: Callable[[Sequence[Append]], None] | None = None
        self.snapshots: dict[str, Snapshot] = {}
        self._lock = threading.RLock()

    def append(self, batch: Sequence[Append]) -> list[Outcome]:
        if self.before is not None:
            self.before(batch)
        with self._lock:
            outcomes = [self._one(item) for item in batch]
        if self.after is not None:
            self.after(batch)
        return outcomes

    def _one(self, item: Append) -> Outcome:
        if item.command and item.command in self.answers:
            return Repeated(self.answers[item.command])
        for part in item.parts:
            claim = self.owners.get(part.stream)
            if part.epoch and (claim is None or claim.epoch != part.epoch):
                return Fenced(part.stream, self.epochs.get(part.stream, 0))
            if self.version(part.stream) != part.expected:
                return Stale(part.stream, self.version(part.stream))
        versions = []
        for part in item.parts:
            stream = self.by_stream.setdefault(part.stream, [])
            for new in part.entries:
                before = self.entries[-1].hash if self.entries else b""
                digest = hashlib.sha256(before + new.body).digest()
                entry = Entry(
                    len(self.entries) + 1, part.stream, len(stream) + 1, item.at_ms, item.by, item.command, new.kind,
                    new.body, digest,
                )  # fmt: skip
                stream.append(entry)
                self.entries.append(entry)
            versions.append(len(stream))
        if item.command:
            self.answers[item.command] = item.answer
        return Appended(len(self.entries), tuple(versions))

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        found = self.by_stream.get(stream, [])[after:]
        return iter(found if limit is None else found[:limit])

    def read_all(self, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        found = self.entries[after:]
        return iter(found if limit is None else found[:limit])

    def wait(self, after: int, seconds: float) -> bool:
        return len(self.entries) > after

    def streams(self, prefix: str = "") -> dict[str, int]:
        return {name: len(found) for name, found in self.by_stream.items() if name.startswith(prefix)}

    def version(self, stream: str) -> int:
        return len(self.by_stream.get(stream, ()))

    def answer(self, command: str) -> bytes | None:
        return self.answers.get(command)

    def head(self) -> Head:
        return Head(len(self.entries), self.entries[-1].hash if self.entries else b"")

    def erase(self, item: Append, owner: str) -> Outcome:
        """Nothing is sealed here: what a reader makes of an erased file is tried with logs that seal."""
        return self.append([item])[0]

    def save_snapshot(self, snapshot: Snapshot) -> None:
        self.snapshots[snapshot.stream] = snapshot

    def snapshot(self, stream: str) -> Snapshot | None:
        return self.snapshots.get(stream)

    def claim(self, stream: str, owner: str, address: str, now_ms: int | None, for_ms: int) -> Claim:
        now_ms = _now_ms() if now_ms is None else now_ms
        with self._lock:
            old = self.owners.get(stream)
            if old is not None and old.until_ms > now_ms:
                if old.owner != owner:
                    return old
                epoch = old.epoch
            else:
                epoch = self.epochs[stream] = self.epochs.get(stream, 0) + 1
            claim = self.owners[stream] = Claim(stream, owner, address, epoch, now_ms + for_ms)
            return claim

    def renew(self, owner: str, now_ms: int | None, for_ms: int) -> dict[str, Claim]:
        now_ms = _now_ms() if now_ms is None else now_ms
        with self._lock:
            for stream, claim in list(self.owners.items()):
                if claim.owner == owner and claim.until_ms > now_ms:
                    self.owners[stream] = Claim(stream, owner, claim.address, claim.epoch, now_ms + for_ms)
            return {s: c for s, c in self.owners.items() if c.owner == owner and c.until_ms > now_ms}

    def release(self, stream: str, owner: str) -> None:
        with self._lock:
            if stream in self.owners and self.owners[stream].owner == owner:
                del self.owners[stream]

    def claims(self, now_ms: int | None) -> dict[str, Claim]:
        now_ms = _now_ms() if now_ms is None else now_ms
        return {stream: claim for stream, claim in self.owners.items() if claim.until_ms > now_ms}

    def close(self) -> None:
        pass


def _now_ms() -> int:
    return SystemClock().now_ms()


ALICE, BOB, CAROL = Caller("alice", "player", "s-alice"), Caller("bob", "player", "s-bob"), Caller("carol", "player")
DEALER = Caller("dora", "dealer", "s-dora")
SUPERVISOR = Caller("sam", "supervisor", "s-sam")
INSPECTOR = Caller("ines", "inspector", "s-ines")


@asynccontextmanager
async def a_floor(log: Any = None, *, seed: int = 7, clock: Clock | None = None, **more: Any) -> AsyncIterator[Floor]:
    """A floor that has started, and stops at the end."""
    kept = MemoryLog() if log is None else log
    floor = Floor(GroupCommit(kept), clock=clock or SystemClock(), chance=Chance(seed), **more)
    await floor.start()
    try:
        yield floor
    finally:
        await floor.stop(0)


def an_opening(rulebook: str = "nsw-pontoon", dealer: Any = "person", **house: Any) -> Opening:
    return Opening(rulebook, house=default_house(load(rulebook), **house), dealer=dealer)


async def a_table(floor: Floor, name: str = "t1", opening: Opening | None = None) -> str:
    """Open a table."""
    answer = await floor.open_table(HOUSE, f"open-{name}", name, opening or an_opening())
    assert isinstance(answer, Accepted), answer
    return name
