"""A disk that fills up is foreseen: a reserve is taken beforehand, and what had no room is written with it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pitboss.store.group import GroupCommit
from pitboss.store.log import Appended, LogFull
from pitboss.store.room import LOW, Found, Room
from pitboss.store.sqlite import SqliteLog
from pitboss.store.verify import verify
from tests.store.making import one

RESERVE = 1 << 20
BIG = b'"' + b"x" * 20_000 + b'"'


def test_the_reserve_is_really_taken_and_really_given_back(tmp_path: Path) -> None:
    room, file = Room(tmp_path / "log.db", RESERVE), tmp_path / "log.db.reserve"
    found = room.look()
    assert found.state == "enough" and found.reserve_bytes >= RESERVE
    assert file.stat().st_blocks * 512 >= RESERVE and file.stat().st_mode & 0o77 == 0, "blocks, not a hole"
    assert room.release() and not file.exists() and not room.release()
    assert Room(None).look() == Found("enough", None, 0), "of a database server nothing is known"


def test_what_is_said_at_which_moment(tmp_path: Path) -> None:
    free = [LOW * RESERVE + RESERVE]
    room = Room(tmp_path / "log.db", RESERVE, lambda: free[0])
    assert room.look().state == "enough"
    for left, state in ((LOW * RESERVE - 1, "low"), (RESERVE, "low"), (RESERVE - 1, "closing"), (0, "closing")):
        free[0] = left
        assert room.look().state == state, left
    assert room.release()
    free[0] = 2 * RESERVE - 1
    assert room.look().state == "closing", "what was given back is not there again yet"
    free[0] = 3 * RESERVE
    assert room.look() == Found("closing", 2 * RESERVE, RESERVE), "taken again; the last write failed"
    room.written()
    assert room.look().state == "low"
    free[0] = LOW * RESERVE
    assert room.look().state == "enough"


def test_without_a_reserve_nothing_is_taken(tmp_path: Path) -> None:
    room = Room(tmp_path / "log.db", 0, lambda: 0)
    assert room.look().state == "enough" and not list(tmp_path.iterdir())


class Disk:
    """Lets a log's file grow no further than this, as a full disk does; the reserve makes room for some more."""

    def __init__(self, log: SqliteLog, room: Room, pages: int, more: int) -> None:
        assert log._writer is not None
        self._writer, self._pages, self._more, self._room = log._writer, pages, more, room
        self._writer.execute(f"PRAGMA max_page_count = {pages}")

    def release(self) -> bool:
        """In place of the room's own."""
        given = Room.release(self._room)
        if given:
            self._writer.execute(f"PRAGMA max_page_count = {self._pages + self._more}")
        return given


def test_what_has_no_room_is_written_with_the_reserve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fill() -> int:
        log, room = SqliteLog(tmp_path / "log.db"), Room(tmp_path / "log.db", RESERVE)
        room.look()
        disk = Disk(log, room, 200, 400)
        monkeypatch.setattr(room, "release", disk.release)
        monkeypatch.setattr(room, "_take", lambda: False)  # what is given back is used up
        commits = GroupCommit(log, room=room)
        written, closing_at = 0, None
        try:
            while True:
                outcome = await commits.append(one("table:1", written, BIG, command=f"c-{written}"))
                assert isinstance(outcome, Appended)
                written += 1
                if closing_at is None and room.look().reserve_bytes < RESERVE:
                    closing_at = written
        except LogFull:
            assert room.is_full
        await commits.close()
        assert verify(log).is_sound and log.version("table:1") == written
        log.close()
        assert closing_at is not None
        return written - closing_at

    assert asyncio.run(fill()) > 10, "rounds in play have something to end with"
