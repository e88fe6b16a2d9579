"""The log that simulated servers share: in memory, with the store's own rules, or a real SQLite file.

What is written, refused, fenced or repeated is decided by `pitboss.store.planning.plan` and `claims.claimed_by`, as in
every log. A write takes the lock, takes time, and is there for everybody at the moment at which it is durable; whoever
is killed in between has written it or has not. What is durable is never taken back, what is not may be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from typing import Any

from pitboss.store.chain import START, apart
from pitboss.store.claims import claimed_by
from pitboss.store.group import GroupCommit
from pitboss.store.keyring import Keyring
from pitboss.store.log import (
    Append,
    Appended,
    Checked,
    Claim,
    Entry,
    Head,
    LogFull,
    Outcome,
    Snapshot,
    StoreError,
    check_all,
)
from pitboss.store.planning import Known, hides_anything, owners_in, plan
from pitboss.store.sealing import DataKey, Sealing
from pitboss.store.snapshots import check_snapshot, snapshot_entry
from soak.simulated.truth import must
from soak.simulated.world import Locked, Loop, World

KEY = bytes(range(32))
PAUSED_SECONDS = 3.0
"""A database server disconnects whoever holds the lock for longer and does nothing."""


class Disk:
    """What is durable."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.entries: list[Entry] = []
        self.by_stream: dict[str, list[Entry]] = {}
        self.answers: dict[str, bytes] = {}
        self.claimed: dict[str, Claim] = {}
        self.snapshots: dict[str, Snapshot] = {}
        self.data_keys: list[DataKey] = []
        self.head = Head(0, START)
        self.changes = 0
        """So many transactions; whoever remembers another number forgets what they remember."""
        self.is_full = self.is_away = False
        self.holder: Commits | None = None
        self._waiting: list[Commits] = []
        self.written: Callable[[list[Entry]], None] = lambda entries: None
        """Hears of every transaction at the moment at which it is durable."""

    def now_ms(self) -> int:
        """The one clock of the log."""
        return int(self.world.now * 1000) + 1_000_000

    def look(self) -> None:
        if self.is_away:
            raise StoreError("the log is away")

    # --- one writer at a time ---

    def lock(self, commits: Commits) -> None:
        if self.holder is None:
            self.holder = commits
            commits.locked()
        else:
            self._waiting.append(commits)

    def unlock(self, commits: Commits) -> None:
        if self.holder is commits:
            self.holder = None
            waiting = [each for each in self._waiting if not each.loop.dead]
            self._waiting = waiting[1:]
            if waiting:
                self.holder = waiting[0]
                waiting[0].held_since = self.world.now
                waiting[0].loop.call_soon(waiting[0].locked)

    def drop_queue(self) -> None:
        """Nobody waits any more."""
        self.holder = None
        self._waiting = []

    def died(self, loop: Loop) -> None:
        """A process was killed: what it was writing is durable or was never written."""
        holder = self.holder
        if holder is None or holder.loop is not loop:
            return
        if self.world.chance.random() < 0.5:
            holder.lost()
        self.unlock(holder)


def look_who_writes(batch: Sequence[Append], outcomes: Sequence[Outcome], disk: Disk, loop: Loop) -> None:
    """Nobody writes to a table that has another owner by now."""
    for item, outcome in zip(batch, outcomes, strict=True):
        for part in item.parts if type(outcome) is Appended else ():
            if part.epoch:
                owner = disk.claimed[part.stream].owner
                must(owner == loop.name, f"{loop.name} wrote to {part.stream}, which {owner or 'nobody'} owns")


class MemoryLog:
    """One process's opening of it."""

    url = "simulated"

    def __init__(self, disk: Disk, loop: Loop) -> None:
        self.disk = disk
        self.loop = loop
        ring = Keyring(keys=[KEY])
        self.sealing = Sealing("simulated", lambda: list(disk.data_keys), disk.data_keys.append, ring)
        self._known = Known(self._ask_version, disk.answers.get, self._ask_epoch)
        self._changes = -1

    def _ask_version(self, stream: str) -> int:
        return len(self.disk.by_stream.get(stream, ()))

    def _ask_epoch(self, stream: str) -> int:
        found = self.disk.claimed.get(stream)
        return 0 if found is None else found.epoch

    def _writes(self) -> Disk:
        disk = self.disk
        disk.look()
        if disk.holder is not None and disk.holder.log is not self:
            raise Locked
        if disk.is_full:
            raise LogFull("the disk is full")
        return disk

    def append(self, batch: Sequence[Append]) -> list[Outcome]:
        check_all(batch)
        disk = self._writes()
        self.sealing.prepare(lambda: hides_anything(batch), owners_in(batch))
        known = self._known
        if self._changes != disk.changes:
            known.forget()
            known.head = disk.head
        made = plan(batch, known, self.sealing)
        look_who_writes(batch, made.outcomes, disk, self.loop)
        disk.head = made.head
        disk.answers.update(made.answers)
        entries = [self.sealing.entry(apart(row)) for row in made.rows]
        for entry in entries:
            disk.by_stream.setdefault(entry.stream, []).append(entry)
        disk.entries += entries
        disk.changes += 1
        self._changes = disk.changes
        if entries:
            disk.written(entries)
        return made.outcomes

    def erase(self, item: Append, owner: str) -> Outcome:
        """Nobody is erased in a simulated house."""
        raise NotImplementedError

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        self.disk.look()
        found = self.disk.by_stream.get(stream, [])
        return iter(found[after:] if limit is None else found[after : after + limit])

    def read_all(self, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        self.disk.look()
        found = self.disk.entries
        return iter(found[after:] if limit is None else found[after : after + limit])

    def wait(self, after: int, seconds: float) -> bool:
        return self.disk.head.seq > after

    def streams(self, prefix: str = "") -> dict[str, int]:
        return {name: len(found) for name, found in self.disk.by_stream.items() if name.startswith(prefix)}

    def version(self, stream: str) -> int:
        self.disk.look()
        return self._ask_version(stream)

    def answer(self, command: str) -> bytes | None:
        self.disk.look()
        return self.disk.answers.get(command)

    def head(self) -> Head:
        self.disk.look()
        return self.disk.head

    def save_snapshot(self, snapshot: Snapshot) -> None:
        disk = self._writes()
        check_snapshot(snapshot, self._ask_version, disk.head)
        kept = disk.snapshots.get(snapshot.stream)
        if kept is None or kept.version <= snapshot.version:
            self.append(Checked([snapshot_entry(snapshot, self._ask_version, 0)]))
            disk.snapshots[snapshot.stream] = snapshot

    def snapshot(self, stream: str) -> Snapshot | None:
        return self.disk.snapshots.get(stream)

    # --- claims ---

    def claim(self, stream: str, owner: str, address: str, now_ms: int | None, for_ms: int) -> Claim:
        disk = self._writes()
        claimed = claimed_by(disk.claimed.get(stream), stream, owner, address, disk.now_ms(), for_ms)
        disk.claimed[stream] = claimed
        disk.changes += 1
        return claimed

    def renew(self, owner: str, now_ms: int | None, for_ms: int) -> dict[str, Claim]:
        disk = self._writes()
        until = disk.now_ms() + for_ms
        for stream, found in disk.claimed.items():
            if found.owner and (found.owner == owner or found.until_ms > until):
                disk.claimed[stream] = Claim(stream, found.owner, found.address, found.epoch, until)
        return {stream: found for stream, found in disk.claimed.items() if found.owner == owner}

    def release(self, stream: str, owner: str) -> None:
        disk = self._writes()
        found = disk.claimed.get(stream)
        if found is not None and found.owner == owner:
            disk.claimed[stream] = Claim(stream, "", "", found.epoch + 1, 0)
            disk.changes += 1

    def claims(self, now_ms: int | None) -> dict[str, Claim]:
        self.disk.look()
        now = self.disk.now_ms()
        return {s: found for s, found in self.disk.claimed.items() if found.owner and found.until_ms > now}

    def close(self) -> None:
        pass


class Commits(GroupCommit):
    """A group commit whose thread is the world's: it gathers, takes the lock, writes, and tells, each in its time."""

    def __init__(self, log: Any, disk: Disk, loop: Loop) -> None:
        self.loop = loop
        self.disk = disk
        self._batch: list[Any] = []
        self.held_since = 0.0
        super().__init__(log)

    def _begin(self) -> None:
        self._is_idle = True

    def _ring(self) -> None:
        self.loop.call_later(self.disk.world.a_moment(), self._work)

    def _work(self) -> None:
        if self._waiting and not self._batch:
            self._batch = self._next_batch()
            self.disk.lock(self)
        elif not self._waiting and not self._batch:
            self._is_idle = True
            if self._closing:
                self._ended.set()

    def locked(self) -> None:
        world = self.disk.world
        self.held_since = world.now
        self.loop.call_later(world.a_write(), self._synced)

    def _synced(self) -> None:
        """The moment at which it is durable, or at which nothing of it was written."""
        world, batch = self.disk.world, self._batch
        if self.disk.holder is not self:
            outcomes: Any = repeat(StoreError("the connection was closed"))
        else:
            outcomes = self._written(batch)
            self.disk.unlock(self)
        self.loop.call_later(world.a_moment(), self._hear, batch, outcomes)

    def _hear(self, batch: list[Any], outcomes: Any) -> None:
        self._batch = []
        self._tell(batch, outcomes)
        if self._waiting or self._closing:
            self._work()
        else:
            self._is_idle = True

    def lost(self) -> None:
        """The process dies after the last of it was written, and tells nobody."""
        self._written(self._batch)

    def look_paused(self) -> None:
        """The process stands still with the lock in its hands."""
        if self.disk.holder is self and self.disk.world.now - self.held_since > PAUSED_SECONDS:
            self.disk.unlock(self)
