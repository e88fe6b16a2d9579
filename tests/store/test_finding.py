"""Streams and commands are found the same whether they are in the tables of a SQLite log yet or not."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from pitboss.store import finding
from pitboss.store.log import Appended, Repeated, Stale
from pitboss.store.sqlite import SqliteLog
from pitboss.store.verify import verify
from tests.store.making import body, fill, one


@pytest.fixture(params=[1, 2, 5, 1000])
def every(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(finding, "FOLD_EVERY", request.param)
    return int(request.param)


def test_reading_goes_over_from_the_tables_to_what_is_not_in_them(tmp_path: Path, every: int) -> None:
    log = SqliteLog(tmp_path / "log.db")
    for number in range(11):
        log.append([one("table:1", number, command=f"c-{number}", answer=b"%d" % number), one("table:2", number)])
    entries = [entry for entry in log.read_all() if entry.stream == "table:1"]
    for after in range(12):
        assert list(log.read("table:1", after)) == entries[after:]
        for limit in (1, 3, 20):
            assert list(log.read("table:1", after, limit)) == entries[after : after + limit]
    assert log.streams() == {"table:1": 11, "table:2": 11} and log.streams("x") == {}
    assert [log.answer(f"c-{number}") for number in range(12)] == [*(b"%d" % number for number in range(11)), None]
    beside = SqliteLog(tmp_path / "log.db", read_only=True)
    assert beside.streams() == log.streams() and list(beside.read("table:1")) == entries
    assert beside.version("table:2") == 11 and beside.answer("c-10") == b"10"
    beside.close()
    log.close()


def test_a_command_is_done_once_before_and_after_it_is_in_the_tables(tmp_path: Path, every: int) -> None:
    log = SqliteLog(tmp_path / "log.db")
    for number in range(12):
        item = one("table:1", number, command=f"c-{number}", answer=b"%d" % number)
        assert log.append([item]) == [Appended(number + 1, (number + 1,))]
        for earlier in range(number + 1):
            retry = one("table:1", number + 1, command=f"c-{earlier}")
            assert log.append([retry]) == [Repeated(b"%d" % earlier)]
    log.close()
    again = SqliteLog(tmp_path / "log.db")
    many = [one("table:1", 12, command=f"c-{number}") for number in range(12)] + [one("table:1", 12)]
    assert again.append(many) == [*(Repeated(b"%d" % number) for number in range(12)), Appended(13, (13,))]
    assert verify(again).is_sound
    again.close()


def test_what_another_connection_wrote_is_known(tmp_path: Path, every: int) -> None:
    first, second = (SqliteLog(tmp_path / "log.db") for _ in range(2))
    for number in range(12):
        writer, other = (first, second) if number % 2 else (second, first)
        item = one("table:1", number, command=f"c-{number}", answer=b"%d" % number)
        assert writer.append([item]) == [Appended(number + 1, (number + 1,))]
        assert other.append([item]) == [Repeated(b"%d" % number)]
        assert other.append([one("table:1", number)]) == [Stale("table:1", number + 1)]
        assert other.answer(f"c-{number}") == b"%d" % number and other.version("table:1") == number + 1
    claim = first.claim("table:1", "alice", "", 0, 10)
    assert second.append([one("table:1", 12, epoch=claim.epoch)]) == [Appended(13, (13,))]
    later = first.claim("table:1", "bob", "", 20, 10)
    for log in (second, first):
        fenced = log.append([one("table:1", 13, epoch=claim.epoch)])[0]
        assert fenced.epoch == later.epoch  # type: ignore[union-attr]
    first.release("table:1", "bob")
    assert not isinstance(first.append([one("table:1", 13, epoch=later.epoch)])[0], Appended)
    assert verify(first).is_sound
    first.close()
    second.close()


def test_a_write_that_fails_leaves_nothing_remembered(tmp_path: Path, every: int) -> None:
    log = SqliteLog(tmp_path / "log.db")
    fill(log, 10)
    item = one("table:9", 0, body(1), body(2), command="again", answer=b"1")

    def fails(step: str) -> None:
        if step == "commit":
            raise OSError("no")

    log._steps = fails
    with pytest.raises(OSError, match="no"):
        log.append([item])
    log._steps = None
    assert log.answer("again") is None and log.version("table:9") == 0
    assert log.append([item, item]) == [Appended(12, (2,)), Repeated(b"1")]
    assert verify(log).is_sound
    log.close()


def test_commands_are_found_while_they_are_moved_into_the_tables(tmp_path: Path) -> None:
    """Somebody looks for every command as soon as it is written, all the while, from other threads."""
    log = SqliteLog(tmp_path / "log.db")
    log.fold_every = 4
    written: list[int] = []
    wrong: list[object] = []
    over = threading.Event()

    def look() -> None:
        while not over.is_set():
            for number in written[-6:]:
                if log.answer(f"c-{number}") != b"%d" % number or log.version("table:1") <= number:
                    wrong.append(number)

    lookers = [threading.Thread(target=look) for _ in range(2)]
    for looker in lookers:
        looker.start()
    for number in range(150):
        log.append([one("table:1", number, command=f"c-{number}", answer=b"%d" % number)])
        written.append(number)
    over.set()
    for looker in lookers:
        looker.join()
    assert not wrong
    log.close()


def test_a_log_in_use_is_sound_whenever_it_is_verified(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.db")
    log.fold_every = 3
    over, wrote = threading.Event(), threading.Event()

    def write() -> None:
        number = 0
        while not over.is_set():
            log.append([one("table:1", number, command=f"c-{number}"), one("table:2", number)])
            number += 1
            wrote.set()

    writer = threading.Thread(target=write)
    writer.start()
    reports = []
    for _ in range(12):
        wrote.clear()
        assert wrote.wait(60)
        reports.append(verify(log))
    over.set()
    writer.join()
    assert [report.faults for report in reports if not report.is_sound] == []
    assert reports[-1].entries > reports[0].entries
    log.close()
