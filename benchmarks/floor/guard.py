"""What guarding the money costs: the same live table with the guard and without it, in turns, in one run.

`python benchmarks/floor/guard.py`: six players at one table in this process, whole rounds of NSW pontoon through
`Floor.act`, each act durable in SQLite before the next is asked for. Processor time an act, of all threads; of the
guard also where it works, between deciding and writing, and by itself, act after act with nothing in between.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import tempfile
from pathlib import Path
from time import process_time, thread_time_ns
from typing import Any

from pitboss.chance import Chance
from pitboss.floor.clock import SystemClock
from pitboss.floor.floor import Floor
from pitboss.floor.host import Host
from pitboss.floor.model import HOUSE, Accepted, Caller, Opening
from pitboss.ledger.guard import Guard
from pitboss.rulebooks import load
from pitboss.store.group import GroupCommit
from pitboss.store.opening import open_log
from pitboss.table import acts as a
from pitboss.table.house import default_house
from pitboss.table.legal import legal_acts, waiting_for
from pitboss.table.shuffle_and_cut import cards_to_shuffle

TURNS, ROUNDS, PLAYERS = 12, 40, 6
ANYBODY = Caller("", "house")


class Nobody:
    """No guard at all."""

    breaches = 0

    def check(self, *_: Any) -> None:
        return None


async def rounds(floor: Floor, host: Host, rng: random.Random, number: int) -> int:
    """So many rounds; gives the acts that they took."""
    acts, end = 0, host.rounds + number
    while host.rounds < end:
        table = host.table
        what = waiting_for(table).what
        if what == "shuffle":
            act: Any = a.Shuffle(Chance(rng.randrange(10**9)).shuffled(cards_to_shuffle(table)))
        elif what == "wagers" and len(table.boxes) < PLAYERS:
            box = len(table.boxes) + 1
            act = a.PlaceWager(f"player{box}", box, 2500)
        else:
            act = rng.choice(legal_acts(table))
        answer = await floor.act(ANYBODY, host.name, "", act)
        acts += isinstance(answer, Accepted)
        if not isinstance(answer, Accepted):
            raise SystemExit(f"{act}: {answer}")
    return acts


async def measured(folder: str) -> None:
    floor = Floor(GroupCommit(open_log(str(Path(folder) / "guard.db"))), clock=SystemClock(), chance=Chance(1))
    await floor.start()
    opening = Opening("nsw-pontoon", house=default_house(load("nsw-pontoon")))
    await floor.open_table(HOUSE, "open", "one", opening)
    host = floor.hosts["one"]
    host._permit = lambda caller, act, table: None
    rng = random.Random(5)
    await rounds(floor, host, rng, ROUNDS)
    spent: dict[bool, list[float]] = {True: [], False: []}
    alone, in_place = list[float](), list[float]()
    for turn in range(2 * TURNS):
        guarded = turn % 2 == 0
        host.guard = Guard() if guarded else Nobody()  # type: ignore[assignment]
        began = process_time()
        acts = await rounds(floor, host, rng, ROUNDS)
        spent[guarded].append((process_time() - began) / acts)
        if guarded:
            host.guard = watched = InPlace()
            await rounds(floor, host, rng, ROUNDS)
            in_place.append(watched.spent_ns / watched.calls / 1e9)
    seen: list[Any] = []
    host.guard = Watching(seen)  # type: ignore[assignment]
    await rounds(floor, host, rng, 4 * ROUNDS)
    for _ in range(TURNS):
        guard, began = Guard(), process_time()
        for given in seen:
            guard.check(*given)
        alone.append((process_time() - began) / len(seen))
    await floor.stop(0)
    off, on, own, there = min(spent[False]), min(spent[True]), min(alone), min(in_place)
    print(f"Python {sys.version.split()[0]}, {TURNS} turns of {ROUNDS} rounds: the quickest (and the median)")
    print(f"an act without the guard   {1e6 * off:7.1f} µs ({1e6 * statistics.median(spent[False]):.1f})")
    print(f"an act with the guard      {1e6 * on:7.1f} µs ({1e6 * statistics.median(spent[True]):.1f})")
    print(f"the guard where it works   {1e6 * there:7.2f} µs ({1e6 * statistics.median(in_place):.2f}), "
          f"{100 * there / off:.1f} % of an act")  # fmt: skip
    print(f"the guard by itself        {1e6 * own:7.2f} µs, {100 * own / off:.1f} % of an act")


class InPlace(Guard):
    """Measures itself, and what measuring costs."""

    __slots__ = ("calls", "spent_ns")

    def __init__(self) -> None:
        super().__init__()
        self.calls = self.spent_ns = 0

    def check(self, *given: Any) -> Any:
        measured, began = thread_time_ns(), thread_time_ns()
        found = super().check(*given)
        self.spent_ns += thread_time_ns() - began - (began - measured)
        self.calls += 1
        return found


class Watching:
    """Keeps what a guard would be given."""

    breaches = 0

    def __init__(self, seen: list[Any]) -> None:
        self.seen = seen

    def check(self, *given: Any) -> None:
        self.seen.append(given)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measured(folder))


if __name__ == "__main__":
    main()
