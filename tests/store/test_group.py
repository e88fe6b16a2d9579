"""Group commit: everybody gets his own answer, and an answer means that it is on the disk."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from pitboss.store.group import BATCH_MAX, GroupCommit
from pitboss.store.log import Append, Appended, Head, LogFull, Outcome, Repeated, Stale, StoreError
from pitboss.store.opening import open_log
from pitboss.store.sqlite import SqliteLog
from pitboss.store.stored import StoredLog
from pitboss.store.verify import verify
from tests.store.making import one


class Slow(SqliteLog):
    """A log that writes when it is told to, and notes how many appends came at once."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.go = threading.Event()
        self.batches: list[int] = []
        self.fault: BaseException | None = None

    def append(self, batch: Sequence[Append]) -> list[Outcome]:
        assert self.go.wait(30)
        self.batches.append(len(batch))
        if self.fault is not None:
            raise self.fault
        return super().append(batch)


def test_many_clients_on_many_streams(log: StoredLog) -> None:
    async def client(commits: GroupCommit, stream: str) -> list[Outcome]:
        return [await commits.append(one(stream, number, command=f"{stream}-{number}")) for number in range(20)]

    async def run() -> tuple[list[list[Outcome]], int]:
        commits = GroupCommit(log)
        found = await asyncio.gather(*(client(commits, f"table:{number}") for number in range(50)))
        assert await commits.run(log.head) == log.head()
        await commits.close()
        assert commits.items == 1000
        return found, commits.batches

    found, batches = asyncio.run(run())
    assert batches < 500
    for outcomes in found:
        assert [outcome.versions for outcome in outcomes if isinstance(outcome, Appended)] == [
            (version,) for version in range(1, 21)
        ]
    report = verify(log)
    assert report.is_sound and report.entries == 1000


def test_what_waits_is_written_together_and_answered_one_by_one(tmp_path: Path) -> None:
    log = Slow(tmp_path / "log.db")

    async def run() -> list[Outcome]:
        commits = GroupCommit(log)
        first = asyncio.ensure_future(commits.append(one("table:1", 0, command="c", answer=b"1")))
        await asyncio.sleep(0.05)
        rest = [
            asyncio.ensure_future(commits.append(item))
            for item in (one("table:1", 1), one("table:1", 1), one("table:2", 0, command="c"), one("table:2", 0))
        ]
        await asyncio.sleep(0.05)
        assert commits.waiting == 4 and not first.done()
        log.go.set()
        outcomes = await asyncio.gather(first, *rest)
        await commits.close()
        return outcomes

    assert asyncio.run(run()) == [
        Appended(1, (1,)), Appended(2, (2,)), Stale("table:1", 2), Repeated(b"1"), Appended(3, (1,))
    ]  # fmt: skip
    assert log.batches == [1, 4]
    log.close()


def test_a_failed_write_is_told_to_all_who_waited_and_to_nobody_else(tmp_path: Path) -> None:
    log = Slow(tmp_path / "log.db")
    log.fault = LogFull("the disk is full")

    async def run() -> None:
        commits = GroupCommit(log)
        waiting = [asyncio.ensure_future(commits.append(one(f"table:{number}", 0))) for number in range(3)]
        await asyncio.sleep(0.05)
        log.go.set()
        assert all(isinstance(fault, LogFull) for fault in await asyncio.gather(*waiting, return_exceptions=True))
        log.fault = None
        assert await commits.append(one("table:0", 0)) == Appended(1, (1,))
        await commits.close()

    asyncio.run(run())
    log.close()


def test_an_impossible_append_fails_alone(tmp_path: Path) -> None:
    log = Slow(tmp_path / "log.db")

    async def run() -> None:
        commits = GroupCommit(log)
        good = asyncio.ensure_future(commits.append(one("table:1", 0)))
        with pytest.raises(ValueError):
            await commits.append(one("log:mine", 0))
        log.go.set()
        assert await good == Appended(1, (1,))
        await commits.close()

    asyncio.run(run())
    log.close()


def test_who_stops_waiting_is_written_nevertheless(tmp_path: Path) -> None:
    log = Slow(tmp_path / "log.db")

    async def run() -> None:
        commits = GroupCommit(log)
        impatient = asyncio.ensure_future(commits.append(one("table:1", 0)))
        await asyncio.sleep(0.02)
        impatient.cancel()
        await asyncio.sleep(0)
        log.go.set()
        assert await commits.append(one("table:1", 1)) == Appended(2, (2,))
        await commits.close()

    asyncio.run(run())
    log.close()


def test_closing_writes_what_waits_and_takes_no_more(tmp_path: Path) -> None:
    log = Slow(tmp_path / "log.db")

    async def run() -> None:
        commits = GroupCommit(log)
        waiting = [asyncio.ensure_future(commits.append(one(f"table:{n}", 0))) for n in range(BATCH_MAX + 5)]
        await asyncio.sleep(0.05)
        closing = asyncio.ensure_future(commits.close())
        await asyncio.sleep(0.02)
        with pytest.raises(StoreError, match="being closed"):
            await commits.append(one("table:x", 0))
        log.go.set()
        assert all(isinstance(outcome, Appended) for outcome in await asyncio.gather(*waiting))
        await closing

    asyncio.run(run())
    assert max(log.batches) <= BATCH_MAX
    log.close()
    again = open_log(str(log.path))
    assert again.head().seq == BATCH_MAX + 5
    again.close()


def test_a_read_that_fails_is_told(log: StoredLog) -> None:
    def fails() -> Head:
        raise StoreError("no")

    async def run() -> None:
        commits = GroupCommit(log)
        with pytest.raises(StoreError):
            await commits.run(fails)
        await commits.close()

    asyncio.run(run())


def test_what_is_sent_is_told_in_order_and_in_one_go(tmp_path: Path) -> None:
    log = Slow(tmp_path / "log.db")
    told: list[Outcome | BaseException] = []
    between: list[int] = []

    async def run() -> None:
        commits = GroupCommit(log)
        commits.send(one("table:0", 0), told.append)
        await asyncio.sleep(0.05)
        for number in range(1, 4):
            commits.send(one(f"table:{number}", 0), told.append)
        commits.send(one("table:1", 0), stale)
        commits.send(one("table:1", 1), told.append)
        with pytest.raises(ValueError):
            commits.send(one("log:mine", 0), told.append)
        log.go.set()
        await commits.close()
        commits.send(one("table:9", 0), told.append)
        await asyncio.sleep(0)

    def stale(outcome: Outcome | BaseException) -> None:
        told.append(outcome)
        asyncio.get_running_loop().call_soon(lambda: between.append(len(told)))

    asyncio.run(run())
    assert told[:6] == [*(Appended(seq, (1,)) for seq in range(1, 5)), Stale("table:1", 1), Appended(5, (2,))]
    assert between == [6], "the whole batch is told before the loop does anything else"
    assert isinstance(told[6], StoreError) and len(told) == 7
    assert log.batches == [1, 5]
    log.close()


def test_who_fails_to_hear_does_not_deafen_the_others(tmp_path: Path) -> None:
    log = Slow(tmp_path / "log.db")
    told: list[Outcome | BaseException] = []
    complaints: list[str] = []

    def deaf(outcome: Outcome | BaseException) -> None:
        raise RuntimeError("deaf")

    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, said: complaints.append(str(said["exception"])))
        commits = GroupCommit(log)
        for number, done in enumerate((told.append, deaf, told.append)):
            commits.send(one(f"table:{number}", 0), done)
        log.go.set()
        await commits.close()
        log.fault = LogFull("the disk is full")

    asyncio.run(run())
    assert told == [Appended(1, (1,)), Appended(3, (1,))] and complaints == ["deaf"]
    log.close()


def test_nobody_is_forgotten_while_the_writer_falls_asleep_and_wakes(tmp_path: Path) -> None:
    """Sent one by one, at moments at which the writer is about to sleep."""
    log = SqliteLog(tmp_path / "log.db")

    async def run() -> None:
        commits = GroupCommit(log)
        for number in range(300):
            assert await asyncio.wait_for(commits.append(one("table:1", number)), 10) == Appended(
                number + 1, (number + 1,)
            )
            if number % 3:
                await asyncio.sleep(number % 7 / 10_000)
        await commits.close()

    asyncio.run(run())
    log.close()
