"""Folds over the whole log: a restart reads only the rest, and an altered or outdated checkpoint is made anew."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from typing import Any, ClassVar

import msgspec
import pytest

from pitboss.floor import projections
from pitboss.floor.folds import Seconds, TablesEver, Totals
from pitboss.floor.projections import Fold, Projections
from pitboss.floor.searching import LogIndex
from pitboss.store.log import PROJECTIONS, Append, Entry, NewEntry, Part, Snapshot
from pitboss.store.opening import open_log
from pitboss.store.stored import StoredLog
from pitboss.store.verify import verify
from tests.store.servers import execute


class Count(Fold):
    """How many entries of each stream there are, in the order in which their streams came up."""

    name: ClassVar[str] = "count"
    version: ClassVar[int] = 1

    streams: dict[str, int] = msgspec.field(default_factory=dict)

    def apply(self, entry: Entry) -> None:
        if not entry.stream.startswith("log:"):
            assert entry.version == self.streams.get(entry.stream, 0) + 1, "in the order of the log, each once"
            self.streams[entry.stream] = entry.version


class Renewed(Count):
    version: ClassVar[int] = 2


class OneStream(Fold):
    name: ClassVar[str] = "one"
    version: ClassVar[int] = 1
    stream: ClassVar[str] = "a"

    bodies: list[str] = msgspec.field(default_factory=list)

    def apply(self, entry: Entry) -> None:
        self.bodies.append(entry.body.decode())


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projections, "PAGE", 3)
    monkeypatch.setattr(projections, "CHECKPOINT_EVERY", 5)


@pytest.fixture
def other(url: str, log: StoredLog) -> Iterator[StoredLog]:
    with closing(open_log(url)) as opened:
        yield opened


def write(log: StoredLog, stream: str, count: int) -> None:
    for _ in range(count):
        version = log.version(stream)
        log.append([Append((Part(stream, version, (NewEntry("k", b"%d" % version),)),), 1)])


def places(log: StoredLog, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """After which places of the log is read, from now on."""
    read: list[int] = []
    whole = type(log).read_all

    def read_all(self: StoredLog, after: int = 0, limit: int | None = None) -> Any:
        read.append(after)
        return whole(self, after, limit)

    monkeypatch.setattr(type(log), "read_all", read_all)
    return read


def counted(log: StoredLog, kind: type[Count] = Count) -> dict[str, int]:
    return Projections(log).ask(kind, lambda count: dict(count.streams))


def test_what_two_processes_write_is_folded_once_each_by_both(log: StoredLog, other: StoredLog) -> None:
    mine, theirs = Projections(log), Projections(other)
    rng, truth = random.Random(3), dict.fromkeys("abc", 0)
    for _ in range(12):
        stream, many = rng.choice("abc"), rng.randint(1, 4)
        write(rng.choice((log, other)), stream, many)
        truth[stream] += many
        for each in (mine, theirs):
            assert each.ask(Count, lambda count: dict(count.streams)) == {s: n for s, n in truth.items() if n}
    assert verify(log).is_sound


def test_a_restart_reads_only_the_rest(log: StoredLog, other: StoredLog, monkeypatch: pytest.MonkeyPatch) -> None:
    write(log, "a", 11)
    assert counted(log) == {"a": 11}
    kept = other.snapshot(f"{PROJECTIONS}count")
    assert kept is not None and kept.version == 11
    write(log, "b", 2)
    read = places(other, monkeypatch)
    assert counted(other) == {"a": 11, "b": 2}
    assert min(read) == 11


def test_another_version_of_the_fold_is_made_anew(log: StoredLog, monkeypatch: pytest.MonkeyPatch) -> None:
    write(log, "a", 8)
    counted(log)
    read = places(log, monkeypatch)
    assert counted(log, Renewed) == {"a": 8} and min(read) == 0
    read.clear()
    assert counted(log, Renewed) == {"a": 8} and min(read) >= 8


def test_an_altered_checkpoint_is_not_believed_and_is_found(url: str, log: StoredLog) -> None:
    write(log, "a", 8)
    counted(log)
    lie = msgspec.json.encode({"version": 1, "state": {"streams": {"a": 8, "b": 99}}})
    blob = f"'\\x{lie.hex()}'::bytea" if url.startswith("postgres") else f"X'{lie.hex()}'"
    if url.startswith("postgres"):
        execute(url, f"UPDATE snapshots SET body = {blob}")
    else:
        import sqlite3

        with closing(sqlite3.connect(url.removeprefix("sqlite://"))) as file:
            file.execute(f"UPDATE snapshots SET body = {blob}")
            file.commit()
    assert [fault.kind for fault in verify(log).faults] == ["snapshot"]
    assert counted(log) == {"a": 8}
    assert verify(log).is_sound, "a true one was kept in its place"


def test_a_fold_of_one_stream_reads_that_one(log: StoredLog, monkeypatch: pytest.MonkeyPatch) -> None:
    read = places(log, monkeypatch)
    for many in (7, 2):
        write(log, "a", many)
        write(log, "b", 3)
        found = Projections(log).ask(OneStream, lambda one: list(one.bodies))
        assert found == [str(n) for n in range(log.version("a"))]
    assert read == [] and log.snapshot(f"{PROJECTIONS}one") is not None


def test_only_so_many_at_once(log: StoredLog) -> None:
    write(log, "a", 10)
    known = Projections(log)
    assert [known.ask(Count, lambda count: count.streams["a"], 4) for _ in range(4)] == [4, 8, 10, 10]


def test_a_fold_that_fails_begins_again(log: StoredLog, monkeypatch: pytest.MonkeyPatch) -> None:
    write(log, "a", 4)
    known = Projections(log)
    known.ask(Count, len_of)
    write(log, "a", 3)

    def fail(self: Count, entry: Entry) -> None:
        self.streams["a"] += 1
        raise OSError("no")

    with monkeypatch.context() as patched:
        patched.setattr(Count, "apply", fail)
        with pytest.raises(OSError, match="no"):
            known.ask(Count, len_of)
    assert known.ask(Count, lambda count: count.streams["a"]) == 7


def len_of(count: Count) -> int:
    return len(count.streams)


def test_a_checkpoint_of_what_is_not_written_is_a_fault_of_the_caller(log: StoredLog) -> None:
    write(log, "a", 2)
    with pytest.raises(ValueError, match="at version 9"):
        log.save_snapshot(Snapshot(f"{PROJECTIONS}count", 9, b""))


def test_every_fold_has_its_own_name() -> None:
    folds: list[type[Fold]] = [Seconds, TablesEver, Totals, LogIndex]
    assert len({fold.name for fold in folds}) == len(folds)
