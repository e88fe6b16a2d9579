"""The log against a plain model of it: whatever is asked, in whatever order, both answer alike."""

from __future__ import annotations

import itertools
import os
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pitboss.store.log import Append, Appended, Claim, Fenced, NewEntry, Outcome, Part, Repeated, Snapshot, Stale
from pitboss.store.opening import open_log
from pitboss.store.verify import verify
from tests.store.servers import execute, postgres

STREAMS = ("table:1", "table:2", "link:a", "zürich")
OWNERS = ("alice", "bob")
COMMANDS = ("", "c1", "c2", "c3", "c4")
_numbers = itertools.count()


class Model:
    """What a log is, without any care for speed or for the disk."""

    def __init__(self) -> None:
        self.streams: dict[str, list[tuple[str, bytes, int, str, str]]] = {}
        self.order: list[tuple[str, int]] = []
        self.answers: dict[str, bytes] = {}
        self.claimed: dict[str, Claim] = {}
        self.snapshots: dict[str, Snapshot] = {}

    def version(self, stream: str) -> int:
        return len(self.streams.get(stream, ()))

    def append(self, item: Append) -> Outcome:
        if item.command in self.answers:
            return Repeated(self.answers[item.command])
        for part in item.parts:
            claim = self.claimed.get(part.stream, Claim("", "", "", 0, 0))
            if part.epoch and part.epoch != claim.epoch:
                return Fenced(part.stream, claim.epoch)
        for part in item.parts:
            if part.expected != self.version(part.stream):
                return Stale(part.stream, self.version(part.stream))
        for part in item.parts:
            for entry in part.entries:
                self._write(part.stream, (entry.kind, entry.body, item.at_ms, item.by, item.command))
        if item.command:
            self.answers[item.command] = item.answer
        return Appended(len(self.order), tuple(self.version(part.stream) for part in item.parts))

    def save_snapshot(self, snapshot: Snapshot) -> None:
        kept = self.snapshots.get(snapshot.stream)
        if kept is None or kept.version <= snapshot.version:
            self.snapshots[snapshot.stream] = snapshot
            self._write("log:snapshots", None)

    def _write(self, stream: str, what: Any) -> None:
        self.streams.setdefault(stream, []).append(what)
        self.order.append((stream, self.version(stream)))

    def claim(self, stream: str, owner: str, now_ms: int, for_ms: int) -> Claim:
        found = self.claimed.get(stream, Claim(stream, "", "", 0, 0))
        if found.owner in ("", owner) or found.until_ms <= now_ms:
            epoch = found.epoch + (found.owner != owner)
            self.claimed[stream] = Claim(stream, owner, f"at-{owner}", epoch, now_ms + for_ms)
        return self.claimed[stream]

    def release(self, stream: str, owner: str) -> None:
        found = self.claimed.get(stream)
        if found is not None and found.owner == owner:
            self.claimed[stream] = Claim(stream, "", "", found.epoch + 1, 0)


entries = st.lists(
    st.builds(NewEntry, st.sampled_from(["act", "opened", "♠"]), st.binary(max_size=20)), min_size=1, max_size=3
)


@st.composite
def appends(draw: st.DrawFn, machine: LogAgainstModel) -> Append:
    """Mostly what would be written; sometimes stale, repeated or fenced."""
    names = draw(st.lists(st.sampled_from(STREAMS), min_size=1, max_size=2, unique=True))
    parts: list[Part] = []
    for name in names:
        expected = machine.model.version(name) + draw(st.sampled_from([0, 0, 0, 0, 1, -1]))
        epoch = draw(
            st.sampled_from([0, 0, machine.model.claimed[name].epoch if name in machine.model.claimed else 0, 1])
        )
        is_guard = bool(parts) and draw(st.booleans())
        parts.append(Part(name, expected, () if is_guard else tuple(draw(entries)), epoch))
    return Append(
        tuple(parts),
        draw(st.integers(-(1 << 63), (1 << 63) - 1)),
        draw(st.sampled_from(["", "alice", "♠"])),
        draw(st.sampled_from(COMMANDS)),
        draw(st.binary(max_size=5)),
    )


class LogAgainstModel(RuleBasedStateMachine):
    """Two openings of one log, as two processes have, and a model; either opening may be asked at any time."""

    kind = "sqlite"

    def __init__(self) -> None:
        super().__init__()
        self.model = Model()
        self.now_ms = 1000

    @initialize()
    def open(self) -> None:
        if self.kind == "sqlite":
            self.folder = tempfile.TemporaryDirectory()
            self.url = str(Path(self.folder.name) / "log.db")
        else:
            self.url = f"{postgres()}&schema=model_{os.getpid()}_{next(_numbers)}"
        self.logs = [open_log(self.url), open_log(self.url)]

    @rule(data=st.data(), which=st.integers(0, 1), count=st.integers(1, 3))
    def append(self, data: st.DataObject, which: int, count: int) -> None:
        batch = [data.draw(appends(self)) for _ in range(count)]
        assert self.logs[which].append(batch) == [self.model.append(item) for item in batch]

    @rule(which=st.integers(0, 1), stream=st.sampled_from(STREAMS), owner=st.sampled_from(OWNERS))
    def claim(self, which: int, stream: str, owner: str) -> None:
        found = self.logs[which].claim(stream, owner, f"at-{owner}", self.now_ms, 100)
        assert found == self.model.claim(stream, owner, self.now_ms, 100)

    @rule(which=st.integers(0, 1), owner=st.sampled_from(OWNERS))
    def renew(self, which: int, owner: str) -> None:
        found = self.logs[which].renew(owner, self.now_ms, 100)
        mine = [stream for stream, claim in self.model.claimed.items() if claim.owner == owner]
        assert found == {stream: self.model.claim(stream, owner, self.now_ms, 100) for stream in mine}

    @rule(which=st.integers(0, 1), stream=st.sampled_from(STREAMS), owner=st.sampled_from(OWNERS))
    def release(self, which: int, stream: str, owner: str) -> None:
        self.logs[which].release(stream, owner)
        self.model.release(stream, owner)

    @rule(milliseconds=st.integers(1, 150))
    def time_passes(self, milliseconds: int) -> None:
        self.now_ms += milliseconds

    @precondition(lambda self: any(self.model.version(stream) for stream in STREAMS))
    @rule(data=st.data(), which=st.integers(0, 1))
    def save_snapshot(self, data: st.DataObject, which: int) -> None:
        stream = data.draw(st.sampled_from([stream for stream in STREAMS if self.model.version(stream)]))
        version = data.draw(st.integers(1, self.model.version(stream)))
        snapshot = Snapshot(stream, version, data.draw(st.binary(max_size=10)))
        self.logs[which].save_snapshot(snapshot)
        self.model.save_snapshot(snapshot)

    @rule(which=st.integers(0, 1))
    def reopen(self, which: int) -> None:
        self.logs[which].close()
        self.logs[which] = open_log(self.url)

    @invariant()
    def both_say_the_same(self) -> None:
        if not hasattr(self, "logs"):
            return
        log, model = self.logs[len(self.model.order) % 2], self.model
        assert [(e.stream, e.version) for e in log.read_all()] == model.order
        assert log.streams() == {name: len(found) for name, found in model.streams.items()}
        for name in STREAMS:
            found = [(e.kind, e.body, e.at_ms, e.by, e.command) for e in log.read(name)]
            assert found == model.streams.get(name, [])
            assert log.snapshot(name) == model.snapshots.get(name)
        assert [log.answer(command) for command in COMMANDS[1:]] == [model.answers.get(c) for c in COMMANDS[1:]]
        owned = {n: c for n, c in model.claimed.items() if c.owner and c.until_ms > self.now_ms}
        assert log.claims(self.now_ms) == owned

    def teardown(self) -> None:
        if not hasattr(self, "logs"):
            return
        assert verify(self.logs[0]).is_sound
        for log in self.logs:
            log.close()
        if self.kind == "sqlite":
            self.folder.cleanup()
        else:
            execute(self.url, f'DROP SCHEMA "{self.url.rpartition("=")[2]}" CASCADE')


class PostgresAgainstModel(LogAgainstModel):
    kind = "postgresql"


_few = settings(
    max_examples=15, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
TestSqlite = LogAgainstModel.TestCase
TestSqlite.settings = settings(_few, max_examples=40)
TestPostgres = PostgresAgainstModel.TestCase
TestPostgres.settings = _few
