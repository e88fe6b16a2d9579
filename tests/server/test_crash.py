"""Servers that are killed, paused and started again: what was acknowledged is there, once, and play continues."""

from __future__ import annotations

import asyncio
import itertools
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from soak.server_kills import one_floor
from tests.server.running import Client, Running
from tests.store.servers import execute, postgres
from tests.waiting import until

OPENING = {"rulebook": "nsw-pontoon", "dealer": "person"}
_numbers = itertools.count()


def open_tables(server: Running, count: int) -> list[str]:
    token = server.guest(role="supervisor")
    names = [f"t{number}" for number in range(count)]
    for name in names:
        status, answer = server.ask("POST", "/api/tables", {"id": name, "table": name, "opening": OPENING}, token)
        assert status == 200, answer
    return names


async def test_killed_in_the_middle_and_started_again(tmp_path: Path) -> None:
    """Kill -9 in the middle of dealt rounds under all five rulebooks, twice over."""
    counts: Counter[str] = Counter()
    await one_floor(tmp_path / "floor", "tests", 2, counts)
    assert counts["tables in the middle of a round"] >= 2 and counts["acknowledged acts"] > 30, counts
    assert counts["sockets lost and found again"] >= 2, counts


@pytest.fixture
def cluster() -> Iterator[str]:
    schema = f"floor_{os.getpid()}_{next(_numbers)}"
    url = f"{postgres()}&schema={schema}"
    yield url
    execute(url, f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')


async def test_two_servers_one_owner_a_table(cluster: str) -> None:
    with Running(cluster, "--empty") as one, Running(cluster, "--empty") as two:
        tables = open_tables(one, 1)
        for number in range(12):  # both write to the stream of people, in turns
            (one, two)[number % 2].guest(f"otto{number}")
        token = one.guest("olga")
        async with one.socket(token) as socket:
            client = Client(socket)
            assert (await client.watch(tables[0]))["version"] == 1
        await asyncio.sleep(0.6)
        status, answer = two.ask(
            "POST", f"/api/tables/{tables[0]}/acts", {"id": "x", "act": {"act": "TakeSeat", "box": 1}}, token
        )
        assert status == 421 and answer["address"].endswith(str(one.port))
        status, shown = two.ask("GET", "/api/tables", token=token)
        assert status == 200 and shown[0]["address"].endswith(str(one.port))
        assert one.stop() == 0
        await until(lambda: any(row["here"] for row in two.ask("GET", "/api/tables", token=token)[1]))
        status, answer = two.ask(
            "POST", f"/api/tables/{tables[0]}/acts", {"id": "x", "act": {"act": "TakeSeat", "box": 1}}, token
        )
        assert (status, answer["version"]) == (200, 2), answer
