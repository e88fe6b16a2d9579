"""A full disk: nothing of the batch is written, whoever asked is told, and with room again everything goes on."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.store.group import GroupCommit
from pitboss.store.log import Appended, LogFull, StoreError
from pitboss.store.opening import open_log
from pitboss.store.postgres import PostgresLog
from pitboss.store.sqlite import SqliteLog
from pitboss.store.verify import verify
from soak.store_kills import fork
from tests.store.making import one
from tests.store.servers import postgres

BIG = b'"' + b"x" * 20_000 + b'"'


def fill_up(log: SqliteLog, most: int = 2000) -> int:
    """Append until the disk is full; how many entries there are."""
    for number in range(most):
        try:
            log.append([one("table:1", number, BIG, command=f"c-{number}")])
        except LogFull as fault:
            assert "disk is full" in str(fault)
            return number
    raise AssertionError("the disk never filled")


def look(log: SqliteLog, count: int) -> None:
    """Everything that was acknowledged is there, and nothing else."""
    assert log.version("table:1") == count and log.head().seq == count
    assert verify(log).is_sound


def test_no_more_pages(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.db")
    assert log._writer is not None
    log._writer.execute("PRAGMA max_page_count = 200")
    count = fill_up(log)
    look(log, count)
    with pytest.raises(LogFull):
        log.append([one("table:2", 0), one("table:1", count, BIG)])
    assert log.version("table:2") == 0, "nothing of the batch"
    log._writer.execute("PRAGMA max_page_count = 100000")
    assert log.append([one("table:1", count, BIG, command=f"c-{count}")]) == [Appended(count + 1, (count + 1,))]
    look(log, count + 1)
    log.close()


def test_files_that_may_not_grow(tmp_path: Path) -> None:
    """In a child, because a limit once lowered is not raised again."""
    child = fork()
    if child == 0:
        code = 1
        try:
            log = SqliteLog(tmp_path / "log.db")
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
            resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, hard))
            count = fill_up(log)
            look(log, count)
            resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
            assert log.append([one("table:1", count, BIG)]) == [Appended(count + 1, (count + 1,))]
            look(log, count + 1)
            log.close()
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    again = open_log(str(tmp_path / "log.db"))
    assert verify(again).is_sound and again.head().seq > 10
    again.close()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(place)], capture_output=True)
    if mounted.returncode:
        pytest.skip("no right to mount a small disk")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_small_disk(small_disk: Path) -> None:
    """The same on a disk that is really full, through group commit, and also when another file takes the room."""
    log = SqliteLog(small_disk / "log.db")
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(1_500_000))
    count = fill_up(log)
    look(log, count)

    async def run() -> None:
        commits = GroupCommit(log)
        waiting = [commits.append(one("table:1", count, BIG)), commits.append(one("table:2", 0, BIG * 60))]
        for fault in await asyncio.gather(*waiting, return_exceptions=True):
            assert isinstance(fault, LogFull)
        ballast.unlink()
        assert await commits.append(one("table:1", count, BIG)) == Appended(count + 1, (count + 1,))
        await commits.close()

    asyncio.run(run())
    look(log, count + 1)
    log.close()
    again = SqliteLog(small_disk / "log.db")
    look(again, count + 1)
    again.close()


def test_a_server_whose_disk_is_full() -> None:
    """What the server then says is told in our words, and nothing stays of the batch."""
    import psycopg

    full = [False]

    def steps(name: str) -> None:
        if full[0] and name == "commit":
            raise psycopg.errors.DiskFull("could not extend file")

    log = PostgresLog(f"{postgres()}&schema=full_{os.getpid()}", steps=steps)
    log.append([one("table:1", 0)])
    full[0] = True
    with pytest.raises(LogFull, match="server's disk is full"):
        log.append([one("table:1", 1)])
    full[0] = False
    assert log.append([one("table:1", 1)]) == [Appended(2, (2,))]
    log.close()


def test_a_log_that_another_process_keeps_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sqlite3

    monkeypatch.setattr("pitboss.store.sqlite.BUSY_MS", 50)
    log = SqliteLog(tmp_path / "log.db")
    blocker = sqlite3.connect(tmp_path / "log.db", isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="locked"):
        log.append([one("table:1", 0)])
    blocker.execute("ROLLBACK")
    blocker.close()
    assert log.append([one("table:1", 0)]) == [Appended(1, (1,))]
    log.close()
