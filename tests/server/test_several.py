"""`pitboss serve --processes`: several processes on one file, watched over by the one that started them."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pitboss.server.several import Member, Watcher
from pitboss.store.log import Claim
from pitboss.store.opening import open_log
from pitboss.store.verify import verify
from tests.server.running import Client, Running, socket_at

OPENING = {"rulebook": "nsw-pontoon"}
TABLES = [f"{name}-{number}" for number in range(1, 5) for name in ("a", "b")]


def claims(data: Path) -> dict[str, Claim]:
    """Who has which table, and which processes there are."""
    log = open_log(str(data / "pitboss.db"), read_only=True)
    try:
        return log.claims(int(time.time() * 1000))
    finally:
        log.close()


def owners(data: Path) -> dict[str, set[str]]:
    """The tables by the address at which they are."""
    found: dict[str, set[str]] = {}
    for stream, claim in claims(data).items():
        if stream.startswith("table:"):
            found.setdefault(claim.address, set()).add(stream.removeprefix("table:"))
    return found


def until(holds: Callable[[], Any], seconds: float = 30.0) -> Any:
    end = time.monotonic() + seconds
    while not (found := holds()):
        assert time.monotonic() < end, "it never came so far"
        time.sleep(0.1)
    return found


def children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_there(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2][:3]
    except OSError:
        return False


async def sit_and_leave(token: str, data: Path, table: str, name: str, times: int) -> None:
    """Take a seat and leave it so many times, wherever the table is, as a client that follows it would."""
    done, end = 0, time.monotonic() + 30
    while done < times:
        assert time.monotonic() < end, f"{name} came no further at {table}"
        claim = claims(data).get(f"table:{table}")
        if claim is None or not (server := claim.address.replace("localhost", "127.0.0.1")):
            await asyncio.sleep(0.2)
            continue
        async with socket_at(server, token) as socket:
            client = Client(socket)
            act: dict[str, Any] = {"act": "LeaveTable", "player": name}
            if done % 2 == 0:
                act = {"act": "TakeSeat", "player": name, "box": 1}
            answer = await client.act(table, act)
            assert answer["is"] in ("accepted", "moved"), answer
            done += answer["is"] == "accepted"
        if answer["is"] == "moved":
            await asyncio.sleep(0.2)


async def test_two_processes_share_the_tables_of_one_file(tmp_path: Path) -> None:
    with Running(tmp_path, "--processes", "2", "--empty") as server:
        boss = server.guest("demo-supervisor", "supervisor")
        for table in TABLES:
            status, said = server.ask(
                "POST", "/api/tables", {"id": f"open-{table}", "table": table, "opening": OPENING}, boss
            )
            assert status in (200, 201), said
        by_address = until(lambda: len(found := owners(tmp_path)) == 2 and sum(map(len, found.values())) == 8 and found)
        assert {len(tables) for tables in by_address.values()} == {4}
        token = server.guest("alice")
        await asyncio.gather(*(sit_and_leave(token, tmp_path, table, "alice", 2) for table in TABLES))

        before = children(server.process.pid)
        assert len(before) == 2
        os.kill(before[1], signal.SIGKILL)
        after = until(lambda: len(found := children(server.process.pid)) == 2 and found != before and found)
        assert before[0] in after  # the other went on
        await asyncio.gather(*(sit_and_leave(token, tmp_path, table, "alice", 4) for table in TABLES))

        assert server.stop() == 0
        assert not any(map(is_there, after))
    log = open_log(str(tmp_path / "pitboss.db"), read_only=True)
    try:
        assert verify(log).is_sound
        assert not log.claims(int(time.time() * 1000))  # given up, not left to lapse
    finally:
        log.close()


def test_without_the_one_who_started_them_they_stop(tmp_path: Path) -> None:
    with Running(tmp_path, "--processes", "2", "--grace", "1") as server:
        both = children(server.process.pid)
        os.kill(server.process.pid, signal.SIGKILL)
        until(lambda: not any(map(is_there, both)))


def test_a_process_that_cannot_start_ends_the_others(tmp_path: Path) -> None:
    """And its exit code is that of the whole."""
    log = tmp_path / "log"

    def body(member: Member) -> int:
        if member.index == 1:
            time.sleep(0.3)
            os._exit(2)
        signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
        os.read(member.lifeline, 1)
        log.write_text("the one who started us is gone")
        os._exit(9)

    pid = os.fork()
    if not pid:
        os._exit(Watcher(3, body).run())
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 2
    assert not log.exists()
