"""A log in a folder where nothing may be written, as on a disk for evidence, is read all the same."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pitboss.store.log import StoreError
from pitboss.store.moving import backup
from pitboss.store.opening import open_log
from pitboss.store.stored import StoredLog
from pitboss.store.verify import verify
from tests.store.making import fill, one

NOBODY = 65534


@pytest.fixture
def folder() -> Iterator[Path]:
    """Not below `tmp_path`, which nobody else may look into."""
    with tempfile.TemporaryDirectory(prefix="pitboss-read-only-") as place:
        yield Path(place)


@contextmanager
def nothing_may_be_written(folder: Path) -> Iterator[None]:
    """Neither to the folder nor to what is in it; root, who may do anything, is somebody else meanwhile."""
    before = {file.name for file in folder.iterdir()}
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    user = os.geteuid()
    if user == 0:
        os.seteuid(NOBODY)
    try:
        yield
        assert {file.name for file in folder.iterdir()} == before
    finally:
        if user == 0:
            os.seteuid(user)
        folder.chmod(0o755)


def test_a_backup_of_any_log(log: StoredLog, folder: Path) -> None:
    fill(log, 30)
    head = backup(log, folder / "kept.db")
    with nothing_may_be_written(folder):
        with sqlite3.connect(f"file:{folder / 'kept.db'}?mode=ro", uri=True) as other:  # by any other program too
            assert other.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        other.close()
        copy = open_log(str(folder / "kept.db"), read_only=True)
        assert copy.head() == head and verify(copy).is_sound
        copy.close()


def test_the_log_of_a_server_that_was_stopped(folder: Path, tmp_path: Path) -> None:
    log = open_log(str(folder / "pitboss.db"))
    fill(log, 30)
    head = log.head()
    log.close()
    with nothing_may_be_written(folder):
        found = open_log(str(folder / "pitboss.db"), read_only=True)
        assert found.head() == head and verify(found).is_sound and len(list(found.read_all())) == head.seq
        found.close()


def test_the_log_of_a_server_that_runs(folder: Path) -> None:
    log = open_log(str(folder / "pitboss.db"))
    fill(log, 30)
    with nothing_may_be_written(folder):
        found = open_log(str(folder / "pitboss.db"), read_only=True)
        log.append([one("after", 0)])
        assert found.head() == log.head() and verify(found).is_sound
        found.close()
    log.close()


def test_the_log_of_a_server_that_crashed_is_not_read_without_its_end(folder: Path) -> None:
    running = folder / "running"
    running.mkdir()
    log = open_log(str(running / "pitboss.db"))
    fill(log, 30)
    for name in ("pitboss.db", "pitboss.db-wal"):
        (folder / name).write_bytes((running / name).read_bytes())
    log.close()
    sentence = r"last entries are in pitboss\.db-wal, .* copy"
    with nothing_may_be_written(folder), pytest.raises(StoreError, match=sentence):
        open_log(str(folder / "pitboss.db"), read_only=True)
