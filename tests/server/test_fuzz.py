"""Everything that can come over a socket, at once: no fault, no hang, bounded memory, and nobody else waits for it."""

from __future__ import annotations

import asyncio
import json
import random
import statistics
from collections.abc import Iterator
from typing import Any

import pytest

from pitboss.server.patience import HEAD_BYTES, HEAD_SECONDS
from tests.server import fuzzing
from tests.server.running import Client, Running

SECONDS = 6.0
KERNEL_BYTES = 16 << 20
"""What may be on its way between two sockets of one machine."""
MEMORY_MAX_BYTES = 96 << 20
"""By so much the process may grow while it is attacked, whatever for how long."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("floor")) as running:
        token = running.guest(role="supervisor")
        for table in ("fuzzed", "witnessed"):
            opening = {"id": table, "table": table, "opening": {"rulebook": "nsw-pontoon"}}
            assert running.ask("POST", "/api/tables", opening, token)[0] == 200
        yield running


def metric(server: Running, name: str) -> float:
    status, text = server.ask("GET", "/metrics")
    assert status == 200
    return float(next(line.rsplit(" ", 1)[1] for line in text.splitlines() if line.startswith(f"{name} ")))


class Witness:
    """A client with manners: how long everybody else waits."""

    def __init__(self, server: Running, token: str) -> None:
        self._server, self._token = server, token
        self.seconds: list[float] = []
        self.answers: set[str] = set()
        self._over = False

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        async with self._server.socket(self._token) as link:
            client = Client(link)
            await client.watch("witnessed")
            for number in range(10**6):
                if self._over:
                    return
                act = {"act": "TakeSeat", "box": 1} if number % 2 == 0 else {"act": "LeaveTable"}
                began = loop.time()
                answer = await client.act("witnessed", act)
                self.seconds.append(loop.time() - began)
                self.answers.add(answer["is"])
                await asyncio.sleep(0.08)

    def stop(self) -> None:
        self._over = True


def complaints(server: Running) -> list[dict[str, Any]]:
    """Warnings and worse that the server has logged; that somebody stopped a table is none."""
    server.complaints.seek(0)
    lines = [json.loads(line) for line in server.complaints.read().splitlines()]
    return [line for line in lines if line.get("alarm") != "table-stopped"]


async def attack(server: Running, players: list[str], staff: list[str]) -> int:
    """All of it at once; gives how many half-open connections the server ended."""
    rng = random.Random(11)
    messages = [(fuzzing.TABLES[0] if number % 4 == 0 else "fuzzed", act) for number, act in enumerate(
        [*fuzzing.every_field_wrong(), *fuzzing.drawn_acts(400)])]  # fmt: skip
    rng.shuffle(messages)
    callers = [*players[4:], *staff]
    shares = [messages[number :: len(callers)] for number in range(len(callers))]
    askers = [fuzzing.Asker(server, token) for token in callers]
    half_open = asyncio.create_task(fuzzing.stay_half_open(server, 150, 3 * HEAD_SECONDS))
    await asyncio.gather(
        *(asker.ask(share) for asker, share in zip(askers, shares, strict=True)),
        *(fuzzing.never_read(server, players[0], SECONDS) for _ in range(6)),
        *(fuzzing.watch_a_lot(server, token, SECONDS) for token in players[1:3]),
        fuzzing.repeat(60, lambda number: fuzzing.send_nonsense(server, players[3], random.Random(number))),
        fuzzing.come_and_go(server, players[1], 150),
    )
    answered = sum(sum(asker.answers.values()) for asker in askers)
    assert answered >= len(messages), "every act that was sent is answered"
    assert not [fault for asker in askers for fault in asker.faults]
    kinds = set().union(*(asker.answers for asker in askers))
    assert {"error", "refused", "denied"} <= kinds, kinds
    return await half_open


async def test_nobody_who_misbehaves_costs_the_others_anything(server: Running) -> None:
    players = [server.guest(f"fritz-{number}") for number in range(24)]
    staff = [server.guest(role=role) for role in ("supervisor", "gaming-manager", "dealer", "inspector")]
    await fuzzing.repeat(10, lambda number: fuzzing.send_nonsense(server, players[3], random.Random(-number)))
    tasks, memory = metric(server, "pitboss_tasks"), metric(server, "process_resident_memory_bytes")
    files = metric(server, "process_open_fds")
    witness = Witness(server, server.guest("wanda"))
    looking = asyncio.create_task(witness.run())
    ended = await attack(server, players, staff)
    witness.stop()
    await looking
    assert ended == 150, "whoever does not come to the end of his handshake is cut off"
    assert witness.answers <= {"accepted", "refused"} and "accepted" in witness.answers
    quantiles = statistics.quantiles(witness.seconds, n=20)
    assert len(witness.seconds) > 30 and quantiles[-1] < 1.0, quantiles
    for _ in range(100):
        if metric(server, "pitboss_sockets") == metric(server, "pitboss_watchers") == 0:
            break
        await asyncio.sleep(0.1)
    assert metric(server, "pitboss_sockets") == metric(server, "pitboss_watchers") == 0, "no connection is left behind"
    assert metric(server, "pitboss_tasks") <= tasks + 3, "nor is a task"
    assert metric(server, "process_open_fds") <= files + 10, "nor a file"
    assert metric(server, "process_resident_memory_bytes") < memory + MEMORY_MAX_BYTES
    assert not [line for line in complaints(server) if "fault" in line or line["level"] in ("error", "critical")]
    assert 'status="500"' not in server.ask("GET", "/metrics")[1]
    assert server.process.poll() is None


async def test_lists_in_lists_in_lists_are_no_fault_of_ours(server: Running) -> None:
    """At every depth around that at which readers of JSON give up: each message is answered, and so is the next."""
    tokens = [server.guest(f"tiefe-{number}") for number in range(4)]

    async def nest(token: str, depths: range) -> None:
        async with server.socket(token) as link:
            client = Client(link)
            for depth in depths:
                lists = "[" * depth + "]" * depth
                for act in (f'{{"act":"Hit","box":{lists}}}', f'{{"act":"Fly","x":{lists}}}'):
                    await link.send(f'{{"do":"act","table":"fuzzed","id":"{depth}","act":{act}}}')
                await client.act("fuzzed", {"act": "LeaveTable"}, f"after-{depth}")

    await asyncio.gather(*(nest(token, range(900 + number, 1010, 4)) for number, token in enumerate(tokens)))
    assert not [line for line in complaints(server) if "fault" in line or line["level"] in ("error", "critical")]


async def test_a_head_without_end_is_not_kept(server: Running) -> None:
    taken = await fuzzing.endless_head(server, 64 << 20)
    assert taken < HEAD_BYTES + KERNEL_BYTES, f"{taken} bytes were taken"


async def test_a_message_in_pieces_with_pings_between_is_one_message(server: Running) -> None:
    reader, writer = await fuzzing.opened(server, server.guest("carola"))
    rng = random.Random(3)
    for _ in range(20):
        writer.write(fuzzing.cut_to_pieces(b'{"do":"ping"}', rng))
    got = b""
    while got.count(b'{"is":"pong"}') < 20:
        got += await asyncio.wait_for(reader.read(4096), 10)
    assert b"error" not in got
    writer.transport.abort()


async def test_whoever_pings_and_never_reads_fills_nothing(server: Running) -> None:
    """Pongs too wait only while the wire takes them."""
    before = metric(server, "process_resident_memory_bytes")
    token, most = server.guest("norbert"), before
    pinging = [asyncio.create_task(fuzzing.never_read(server, token, 4.0)) for _ in range(8)]
    while not all(task.done() for task in pinging):
        await asyncio.sleep(0.2)
        most = max(most, await asyncio.to_thread(metric, server, "process_resident_memory_bytes"))
    assert most < before + (24 << 20)
