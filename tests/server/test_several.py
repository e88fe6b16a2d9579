"""`pitboss serve --processes`: several processes on one file, watched over by the one that started them."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit

import pytest

from pitboss.commands import Unread
from pitboss.commands.serve import serve
from pitboss.rulebooks import RULEBOOKS
from pitboss.server.serving import Serving, address_of
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
        return log.claims(None)
    finally:
        log.close()


def owners(data: Path) -> dict[str, set[str]]:
    """The tables by the address at which they are."""
    found: dict[str, set[str]] = {}
    for stream, claim in claims(data).items():
        if stream.startswith("table:"):
            found.setdefault(claim.address, set()).add(stream.removeprefix("table:"))
    return found


def until(holds: Callable[[], Any], seconds: float = 120.0) -> Any:
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
        assert not log.claims(None)  # given up, not left to lapse
    finally:
        log.close()


def test_they_share_the_tables_from_the_start_and_the_token_holds_at_each_of_them(tmp_path: Path) -> None:
    """Whichever is the first waits for the others; what it printed lets somebody in at every one."""
    with Running(tmp_path, "--processes", "2") as server:
        half = len(RULEBOOKS) // 2
        even = [half, len(RULEBOOKS) - half]
        shares = until(lambda: sorted(map(len, (found := owners(tmp_path)).values())) == even and found)
        server.address = next(each for each in shares if not each.endswith(f":{server.port}"))
        chosen = {"name": "boss", "password": "a long enough password"}
        elsewhere = {"x_forwarded_for": "203.0.113.9"}
        assert server.ask("POST", "/api/setup", chosen | {"token": "guessed"}, **elsewhere)[0] == 403
        assert server.ask("POST", "/api/setup", chosen | {"token": server.setup_token}, **elsewhere)[0] == 200


def test_where_each_of_them_is() -> None:
    here = Serving("127.0.0.1", 8021, "data")
    second = Member(1, 0)
    assert address_of(here, 8022, second) == "http://localhost:8022"
    assert address_of(replace(here, host="10.0.0.1"), 8022, second) == "http://10.0.0.1:8022"
    for everywhere in ("0.0.0.0", "::"):
        assert address_of(replace(here, host=everywhere), 8022, second) == "http://localhost:8022"
    for said, address in (
        ("https://floor{n}.example", "https://floor2.example"),
        ("https://floor.example:{port}", "https://floor.example:8022"),
    ):
        assert address_of(replace(here, address=said), 8022, second) == address
    assert address_of(replace(here, address="https://floor{n}.example"), 8021, None) == "https://floor1.example"


def test_one_address_for_several_processes_is_refused() -> None:
    with pytest.raises(Unread, match=r"write \{port\} or \{n\} in --address"):
        serve(processes=2, address="https://floor.example")


def test_whoever_sits_at_the_machine_is_told_an_address_of_his_own(tmp_path: Path) -> None:
    """One who calls it by the number of all addresses does not sit at the machine."""
    with Running(tmp_path, "--processes", "2", "--host", "0.0.0.0", "--empty") as server:
        assert server.address == f"http://0.0.0.0:{server.port}"
        with pytest.raises(HTTPError):
            server.guest("alice")
        server.address = server.local
        assert server.local == f"http://localhost:{server.port}" and server.guest("alice")
        assert {urlsplit(claim.address).hostname for claim in claims(tmp_path).values()} == {"localhost"}


def test_a_log_is_one_log_by_every_name_of_it(tmp_path: Path) -> None:
    (tmp_path / "other.db").symlink_to(tmp_path / "here" / "pitboss.db")
    (tmp_path / "there").symlink_to(tmp_path / "here")
    with Running(tmp_path / "here", "--empty"):
        for name in ("other.db", "there", "there/pitboss.db"):
            with pytest.raises(RuntimeError, match="another server has this log open"):
                Running(tmp_path / name)


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
