"""Whole servers killed while people play dealt rounds over WebSockets; a part of `python -m soak.floor_kills`.

Five tables, one a rulebook, are dealt by people and two by the house. Clients say again what was not answered and come
back to where they were (`tests/server/hammering.py`); what they were told is then held against the log, act by act
(`tests/server/proving.py`).
"""

from __future__ import annotations

import asyncio
import random
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

from pitboss.floor.host import load_table
from pitboss.rulebooks import RULEBOOKS
from pitboss.store.opening import open_log
from pitboss.store.verify import verify
from soak.store_kills import must
from tests.server.hammering import Hammer, check
from tests.server.running import Running

SERIES = 12
"""Kills of one floor, one after the other; then another floor is begun."""
PLAYERS = 4
QUICK = {
    "wagers_ms": 400, "last_wager_ms": 60, "decision_ms": 1500, "answer_ms": 500, "insurance_ms": 200,
    "surrender_ms": 200, "cut_ms": 100, "supervisor_ms": 500, "pace_ms": 10,
}  # fmt: skip
"""A house dealer who keeps nobody waiting."""


def server_trials(folder: Path, seed: int, kills: int, failures: list[str]) -> dict[str, Any]:
    """Kill servers so often; what is lost, there twice or otherwise goes to `failures`."""
    counts: Counter[str] = Counter()
    for first in range(0, kills, SERIES):
        place = folder / f"floor{first}"
        try:
            asyncio.run(one_floor(place, f"{seed}:{first}", min(SERIES, kills - first), counts))
        except AssertionError as fault:
            failures.append(f"servers, floor {first}: {fault}")
            print(failures[-1], file=sys.stderr, flush=True)
    return dict(counts)


async def one_floor(place: Path, seed: str, kills: int, counts: Counter[str]) -> None:
    """One floor whose server is killed several times in the middle of rounds."""
    chance = random.Random(seed)
    servers = [Running(place, "--empty")]
    try:
        tables = _open_tables(servers[0])
        tokens = {name: servers[0].guest(name) for name in ("alice", "bob", "carol", "dave")[:PLAYERS]}
        staff = [(role, servers[0].guest(role=role)) for role in ("dealer", "supervisor", "inspector")]
        hammer = Hammer(servers, tables, tokens, staff=staff, pause=0.05, nasty=0.0, end_seconds=60.0)

        async def kill_and_start() -> None:
            for _ in range(kills):
                await asyncio.sleep(0.3 + 0.9 * chance.random())
                port = servers[0].port
                servers[0].kill()
                counts["tables in the middle of a round"] += await asyncio.to_thread(_in_a_round, place, tables)
                servers[0] = await asyncio.to_thread(Running, place, "--empty", port=port)
            await asyncio.sleep(0.5)

        await hammer.run(0, kill_and_start())
        seen = {name: servers[0].ask("GET", f"/api/tables/{name}", token=tokens["alice"])[1] for name in tables}
        servers[0].kill()
        sizes = check(str(place / "pitboss.db"), hammer)
        must({name: shown["version"] for name, shown in seen.items()} == sizes, "the last server saw another floor")
        with closing(open_log(str(place / "pitboss.db"), create=False)) as log:
            must(verify(log).is_sound, "the log is damaged")
    finally:
        servers[0].kill()
    counts["acknowledged acts"] += len(hammer.acknowledged)
    counts["entries of tables"] += sum(sizes.values())
    counts["sockets lost and found again"] += hammer.retries


def _open_tables(server: Running) -> list[str]:
    supervisor = server.guest(role="supervisor")
    openings = [(rulebook, "person") for rulebook in RULEBOOKS] + [(rulebook, "house") for rulebook in RULEBOOKS[:2]]
    names = []
    for rulebook, dealer in openings:
        name = f"{rulebook}-{dealer}"
        opening = {"rulebook": rulebook, "dealer": dealer, "timers": QUICK}
        status, answer = server.ask("POST", "/api/tables", {"id": name, "table": name, "opening": opening}, supervisor)
        must(status == 200, f"{name} is not opened: {answer}")
        names.append(name)
    return names


def _in_a_round(place: Path, tables: list[str]) -> int:
    """At how many tables cards lay when the server died."""
    with closing(open_log(str(place / "pitboss.db"), create=False)) as log:
        found = [load_table(log, table) for table in tables]
    return sum(each is not None and each.table.phase != "wagers" for each in found)
