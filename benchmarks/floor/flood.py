"""What honest people wait while one account floods: `python benchmarks/floor/flood.py`.

A server as it is started, with the budgets that it has. Forty players at ten tables take and leave their seats, each
four times a second, on sockets of their own; each act is timed from its sending to its durable answer. In turns it is
quiet, and one account does from another process whatever it can: small frames on all its sockets, acts that are denied,
looking back, coming and going, pages and trainings, wrong passwords. Prints one line of JSON for each turn, and the
ratio of both 99th percentiles over all turns. Run from the repository: it uses the clients of the tests.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
import uvloop

sys.path[:0] = [str(Path(__file__).parents[2])]

from tests.server.fuzzing import HANDSHAKE, client_frame  # noqa: E402 - found by the line above
from tests.server.running import Client, Running  # noqa: E402

TABLES, PLAYERS, PACE = 10, 40, 0.25
SOCKETS = 24
FLOODS = ("frames", "denied", "looking back", "coming and going", "pages and trainings", "logging in")


# --- the one who floods ----------------------------------------------------------------------------------------------


async def opened(port: int, token: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(HANDSHAKE.format(token).encode())
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def send(port: int, token: str, blob: bytes, pause: float) -> None:
    """Send the same for ever on a socket, and open another where it is cut off; nothing is read."""
    while True:
        with suppress(OSError, asyncio.IncompleteReadError):
            _, writer = await opened(port, token)
            while True:
                writer.write(blob)
                await writer.drain()
                await asyncio.sleep(pause)
        await asyncio.sleep(pause)


async def ask(port: int, token: str, path: str) -> None:
    """Ask the same for ever, and read what is answered."""
    first = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip\r\n"
    request = f"{first}Authorization: Bearer {token}\r\n\r\n".encode()
    while True:
        with suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            while True:
                writer.write(request)
                head = await reader.readuntil(b"\r\n\r\n")
                length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
                await reader.readexactly(int(length or b"0"))
                await asyncio.sleep(0.005)
        await asyncio.sleep(0.02)


async def train(port: int, token: str, number: int) -> None:
    """Have ten rounds dealt for a training, again and again."""
    bodies = ({"rulebook": "nsw-pontoon", "rounds": 10, "seed": f"{number}-{each}"} for each in itertools.count())
    await post(port, f"/api/training HTTP/1.1\r\nAuthorization: Bearer {token}", bodies)


async def log_in(port: int, number: int) -> None:
    """Try passwords for names that nobody has, a new one each time."""
    bodies = ({"name": f"n{number}-{each}", "password": f"wrong password {each}"} for each in itertools.count())
    await post(port, "/api/login HTTP/1.1", bodies)


async def post(port: int, what: str, bodies: Iterator[dict[str, Any]]) -> None:
    head = f"POST {what}\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    while True:
        with suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            for each in bodies:
                body = msgspec.json.encode(each)
                writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
                told = await reader.readuntil(b"\r\n\r\n")
                length = told.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
                await reader.readexactly(int(length or b"0"))
                await asyncio.sleep(0.005)
        await asyncio.sleep(0.02)


async def come_and_go(port: int, token: str) -> None:
    while True:
        with suppress(OSError, asyncio.IncompleteReadError):
            _, writer = await opened(port, token)
            writer.write(client_frame(1, b'{"do":"watch","table":"t0","after":0}'))
            writer.transport.abort()
        await asyncio.sleep(0.005)


def flood(kind: str, port: int, token: str) -> None:
    """Done from elsewhere, where it takes nobody's processor: here it has what the server and the players leave."""
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    os.nice(10)

    async def all_of_it() -> None:
        if kind == "frames":
            blob = client_frame(1, b"xy") * 8_000
            await asyncio.gather(*(send(port, token, blob, 0.01) for _ in range(SOCKETS)))
        elif kind == "denied":
            act = b'{"do":"act","table":"t0","id":"x%d","act":{"act":"Deal"}}'
            blobs = [b"".join(client_frame(1, act % (100 * each + n)) for n in range(50)) for each in range(SOCKETS)]
            asks = (ask(port, token, "/api/audit") for _ in range(4))
            await asyncio.gather(*(send(port, token, blob, 0.05) for blob in blobs), *asks)
        elif kind == "looking back":
            paths = ("tables/t0/events?limit=1000", "tables/t1/rounds", "tables", "rulebooks/nsw-pontoon")
            blob = b"".join(client_frame(1, b'{"do":"watch","table":"t%d","after":0}' % n) for n in range(TABLES))
            asks = (ask(port, token, f"/api/{path}") for path in paths for _ in range(2))
            await asyncio.gather(*asks, *(send(port, token, blob, 0.1) for _ in range(4)))
        elif kind == "coming and going":
            await asyncio.gather(*(come_and_go(port, token) for _ in range(8)))
        elif kind == "logging in":
            await asyncio.gather(*(log_in(port, number) for number in range(24)))
        else:
            pages = ("/", "/schema/openapi.json", "/api/rulebooks/nsw-pontoon/rules", "/api/matrix", "/metrics")
            every = [ask(port, token, path) for path in pages for _ in range(2)]
            await asyncio.gather(*every, *(train(port, token, number) for number in range(4)))

    uvloop.run(all_of_it())


# --- those who play --------------------------------------------------------------------------------------------------


class Player:
    def __init__(self, client: Client, name: str, number: int) -> None:
        self.client, self.name = client, name
        self.table, self.box = f"t{number % TABLES}", number // TABLES + 1
        self.seated = False

    async def play(self, until: float, times: list[float]) -> None:
        while (began := perf_counter()) < until:
            act = {"act": "LeaveTable"} if self.seated else {"act": "TakeSeat", "box": self.box}
            answer = await self.client.act(self.table, act)
            assert answer["is"] == "accepted", answer
            times.append(perf_counter() - began)
            self.seated = not self.seated
            await asyncio.sleep(max(0.0, PACE - (perf_counter() - began)))


async def timed(players: list[Player], seconds: float) -> list[float]:
    times: list[float] = []
    end = perf_counter() + seconds

    async def one(index: int, player: Player) -> None:
        await asyncio.sleep(index * PACE / len(players))
        await player.play(end, times)

    await asyncio.gather(*(one(index, player) for index, player in enumerate(players)))
    return times


def quantile(times: list[float], share: float) -> float:
    ordered = sorted(times)
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)


async def measure(given: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(dir=given.folder) as folder, Running(folder, "--empty") as server:
        supervisor, mallory = server.guest(role="supervisor"), server.guest("mallory")
        for number in range(TABLES):
            opening = {"id": f"o{number}", "table": f"t{number}", "opening": {"rulebook": "nsw-pontoon"}}
            assert server.ask("POST", "/api/tables", opening, supervisor)[0] == 200
        players = []
        for number in range(PLAYERS):
            name = f"player-{number}"
            token = server.guest(name)
            players.append(Player(Client(await server.socket(token)), name, number))
        await timed(players, 5.0)  # some past to look back at
        quiet: list[float] = []
        flooded: dict[str, list[float]] = {kind: [] for kind in given.floods}
        for _ in range(given.turns):
            for kind in given.floods:
                calm = await timed(players, given.seconds)
                quiet += calm
                process = multiprocessing.get_context("spawn").Process(target=flood, args=(kind, server.port, mallory))
                process.start()
                await asyncio.sleep(2.0)  # what it takes to start is not the server's
                times = await timed(players, given.seconds)
                process.kill()
                process.join()
                flooded[kind] += times
                row = {"flood": kind, "acts": len(times), "quiet_p50_ms": quantile(calm, 0.5),
                       "quiet_p99_ms": quantile(calm, 0.99), "p50_ms": quantile(times, 0.5),
                       "p99_ms": quantile(times, 0.99)}  # fmt: skip
                print(msgspec.json.encode(row).decode(), flush=True)
                await asyncio.sleep(2.0)
        memory = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]) * 4096 >> 20
        for player in players:
            player.client.socket.transport.abort()
        together = {kind: quantile(times, 0.99) for kind, times in flooded.items()}
        p99 = quantile(quiet, 0.99)
        return {"quiet_p99_ms": p99, "p99_ms": together, "memory_mb": memory,
                "ratio": {kind: round(each / p99, 2) for kind, each in together.items()}}  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--floods", nargs="*", default=FLOODS)
    parser.add_argument("--folder", default=None)
    print(msgspec.json.encode(uvloop.run(measure(parser.parse_args()))).decode())
