"""The same house on a real SQLite file, whose writes are cut wherever a power cut may cut them."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pitboss.store.chain import entry_hash
from pitboss.store.keyring import Keyring
from pitboss.store.log import Append, Claim, LogFull, Outcome, Snapshot
from pitboss.store.planning import hides_anything, owners_in
from pitboss.store.sqlite import SqliteLog
from soak.simulated.disk import KEY, Disk, look_who_writes
from soak.simulated.house import HouseOfAll
from soak.simulated.truth import must
from soak.simulated.world import Locked, Loop
from soak.store_kills import Cut, State, _checkpoint_often, _state, cuts

MEMORY = Path("/dev/shm")


class FileLog(SqliteLog):
    """One process's opening of the file; it waits for its turn as the world says."""

    def __init__(self, house: HouseOnFile, loop: Loop) -> None:
        self.house = house
        self.loop = loop
        super().__init__(house.path, keyring=Keyring(keys=[KEY]))
        _checkpoint_often(self)

    def _turn(self) -> None:
        disk = self.house.disk
        disk.look()
        if disk.holder is not None and disk.holder.log is not self:
            raise Locked
        if disk.is_full:
            raise LogFull("the disk is full")

    def append(self, batch: Sequence[Append]) -> list[Outcome]:
        self._turn()
        house = self.house
        self.sealing.prepare(lambda: hides_anything(batch), owners_in(batch))  # a new key is a transaction of its own
        before = house.state() if house.wants_torn() else None
        outcomes = super().append(batch)
        look_who_writes(batch, outcomes, house.disk, self.loop)
        if before is not None:
            house.tear(before, house.state())
        house.read_on(self)
        return outcomes

    def save_snapshot(self, snapshot: Snapshot) -> None:
        self._turn()
        super().save_snapshot(snapshot)
        self.house.read_on(self)

    def claim(self, stream: str, owner: str, address: str, now_ms: int | None, for_ms: int) -> Claim:
        self._turn()
        found = self.house.disk.claimed[stream] = super().claim(stream, owner, address, now_ms, for_ms)
        return found

    def renew(self, owner: str, now_ms: int | None, for_ms: int) -> dict[str, Claim]:
        self._turn()
        return super().renew(owner, now_ms, for_ms)

    def release(self, stream: str, owner: str) -> None:
        self._turn()
        super().release(stream, owner)
        self.house.disk.claimed.pop(stream, None)


class HouseOnFile(HouseOfAll):
    """Every write goes to a file; every so many transactions all the ways are tried in which it may be cut."""

    log_kind = "sqlite"
    torn_share = 0.01
    torn_each = 40

    def make_disk(self) -> Disk:
        self.folder = Path(tempfile.mkdtemp(dir=MEMORY if MEMORY.is_dir() else None))
        self.number_of_file = 0
        self.path = self.folder / "log-0.db"
        self.torn = self.torn_tried = 0
        self.holds_back = False
        self.opened: list[FileLog] = []
        self.clock = patch("pitboss.store.sqlite._claims_ms", lambda now_ms: self.disk.now_ms())
        self.clock.start()
        return Disk(self.world)

    def open_log(self, loop: Loop) -> Any:
        log = FileLog(self, loop)
        self.opened.append(log)
        return log

    def close(self) -> None:
        super().close()
        self.clock.stop()
        for log in self.opened:
            log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def read_on(self, log: FileLog) -> None:
        """What is durable now is true from now on."""
        if not self.holds_back:
            found = list(log.read_all(self.truth.seq))
            if found:
                self.truth.written(found)

    def state(self) -> State:
        return _state(self.path, 0)

    def wants_torn(self) -> bool:
        return not self.holds_back and self.chance.random() < self.torn_share

    def tear(self, before: State, after: State) -> None:
        """Cut a write in many ways: what is opened then is what was there before it, or after it, and nothing else."""
        found = list(cuts(before, after, self.chance))
        self.chance.shuffle(found)
        self.torn_tried += 1
        for cut in found[: self.torn_each]:
            self._open_torn(cut)

    def _open_torn(self, cut: Cut) -> None:
        self.torn += 1
        path = self.folder / "torn.db"
        wal, shm = (path.with_name(path.name + end) for end in ("-wal", "-shm"))
        shm.unlink(missing_ok=True)
        path.write_bytes(cut.database)
        wal.write_bytes(cut.wal)
        log = SqliteLog(path, keyring=Keyring(keys=[KEY]))
        try:
            seq, last = self.truth.seq, self.truth.hash
            rows = list(log.rows(seq))
            for row in rows:
                number, form, stream, version, at_ms, by, command, remaining, kind, body, answer, salt, made, _, own = (
                    row
                )
                texts = stream.encode(), by.encode(), command.encode(), kind.encode()
                found = entry_hash(
                    last, form, number, texts[0], version, at_ms, texts[1], texts[2], remaining, texts[3], body, answer,
                    salt, made,
                )  # fmt: skip
                must(found == own and number == seq + 1, f"{cut.name}: entry {number} is damaged")
                seq, last = number, own
            must(not rows or not rows[-1][7], f"{cut.name}: half an append")
            if not rows:
                head = log.head()
                must((head.seq, head.hash) == (seq, last), f"{cut.name}: something acknowledged is lost")
            must(log.version("floor") >= self.truth.versions["floor"], f"{cut.name}: a stream is shorter")
        finally:
            log.close()

    def lose_power(self) -> None:
        """Everybody dies; what was being written is on the disk as the cut left it."""
        holder, before = self.disk.holder, self.state()
        self.holds_back = True
        if holder is not None:
            holder.lost()
        after = self.state()
        self.disk.holder = None
        for machine in self.machines:
            machine.kill(again=0.3 + self.chance.random())
        self.disk.drop_queue()
        found = list(cuts(before, after, self.chance)) if after != before else []
        cut = self.chance.choice(found) if found else Cut("whole", after.database, after.wal, 0)
        self.torn += bool(found)
        self.number_of_file += 1
        self.path = self.folder / f"log-{self.number_of_file}.db"
        self.path.write_bytes(cut.database)
        self.path.with_name(self.path.name + "-wal").write_bytes(cut.wal)
        self.path.chmod(0o600)
        self.holds_back = False
        self.read_on(self.open_log(self.street))

    @property
    def figures(self) -> Any:
        found = super().figures
        found["torn states"] = self.torn
        return found
