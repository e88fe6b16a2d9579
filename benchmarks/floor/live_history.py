"""Does a table cost more the longer it has been played at? Acts, reopening, and looking back, at growing histories.

    python benchmarks/floor/live_history.py [--entries 40000]

A young table and an old one take turns; the figures are processor time and ratios of old to young.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec

from pitboss.chance import Chance
from pitboss.floor import history
from pitboss.floor.clock import SystemClock
from pitboss.floor.floor import Floor
from pitboss.floor.host import Host, load_table
from pitboss.floor.model import HOUSE, Accepted, Caller, Opening
from pitboss.floor.wire import AskShuffle
from pitboss.store.group import GroupCommit
from pitboss.store.opening import open_log
from pitboss.table import acts as a
from pitboss.table.legal import legal_acts, waiting_for
from pitboss.table.views import Viewer


async def play_on(floor: Floor, host: Host, acts: int, rng: random.Random) -> None:
    """Whole rounds of six players, as many acts as wanted, each durable before the next."""
    end = host.version + acts
    while host.version < end:
        waiting = waiting_for(host.table)
        if waiting.what == "shuffle":
            wanted: list[Any] = [AskShuffle()]
        elif waiting.what == "wagers":
            boxes = [box for box in range(1, 7) if box not in host.table.boxes]
            wanted = [*(a.PlaceWager(f"p{box}", box, 500) for box in boxes), a.Deal()]
        else:
            wanted = [rng.choice(legal_acts(host.table))]
        answers = await asyncio.gather(*(floor.act(_who(act), host.name, "", act) for act in wanted))
        assert all(isinstance(answer, Accepted) for answer in answers), answers


def _who(act: Any) -> Caller:
    """The house decides for nobody but itself."""
    player = getattr(act, "player", "")
    return Caller(player, "player") if player else HOUSE


def cpu(function: Any, *given: Any) -> float:
    began = time.process_time()
    function(*given)
    return time.process_time() - began


async def main(entries: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        log = open_log(str(Path(folder) / "floor.db"))
        floor = Floor(GroupCommit(log), clock=SystemClock(), chance=Chance(1))
        await floor.start()
        for name in ("young", "old"):
            await floor.open_table(HOUSE, name, name, Opening("nsw-pontoon"))
        rng = random.Random(1)
        watcher = Caller("w", "inspector")
        young, old = floor.hosts["young"], floor.hosts["old"]
        await play_on(floor, young, 1000, rng)
        await play_on(floor, old, entries, rng)
        spent = {"young": 0.0, "old": 0.0}
        watches: dict[str, Any] = {}
        for host in (young, old):
            watches[host.name] = await floor.watch(watcher, host.name, None, lambda: None)
        for _ in range(10):
            for host in (young, old):
                began = time.process_time()
                await play_on(floor, host, 100, rng)
                watches[host.name].take()
                spent[host.name] += time.process_time() - began
        reopen = {host.name: min(cpu(load_table, log, host.name) for _ in range(5)) for host in (young, old)}
        viewer = Viewer("inspector")
        look = {
            host.name: sum(
                cpu(history.view_at, log, host.name, rng.randint(1, host.version), viewer) for _ in range(20)
            )
            for host in (young, old)
        }
        rounds = {host.name: min(cpu(history.rounds, log, host.name, 0, 10) for _ in range(5)) for host in (young, old)}
        result = {
            "entries": {"young": young.version, "old": old.version},
            "act_us": {name: round(seconds * 1000) for name, seconds in spent.items()},
            "ratio_act": round(spent["old"] / spent["young"], 2),
            "reopen_ms": {name: round(seconds * 1000, 1) for name, seconds in reopen.items()},
            "look_back_ms": {name: round(seconds * 1000 / 20, 1) for name, seconds in look.items()},
            "latest_rounds_ms": {name: round(seconds * 1000, 1) for name, seconds in rounds.items()},
        }
        await floor.stop(0)
        log.close()
        return result


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--entries", type=int, default=40_000)
    print(msgspec.json.encode(asyncio.run(main(parser.parse_args().entries))).decode())
