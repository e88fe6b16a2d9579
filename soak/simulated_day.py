"""A day of a house in one process: 24 hours of mixed load, with what people wait and what a server keeps, hour by hour.

    python -m soak.simulated_day [--hours 24] [--seed 1] [--out soak/simulated_day.json]

One server on one log, as `soak/simulation.py` has it, with some act every two seconds and something going wrong every
ten minutes: kills, power cuts, pauses, clocks, disks. Each hour the registers that the server folds are held against
those that are made anew from the first entry, and what the server keeps in memory is counted: answers, events,
sessions, proposals. Neither may grow with the day.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

from pitboss.floor.registers import HouseRegisters
from soak.simulated.house import HouseOfAll, simulate
from soak.simulated.truth import must
from soak.simulation import REPEATABLE

HOUR = 3600.0


class Day(HouseOfAll):
    """One server, and people who take their time."""

    hours = 24

    def __init__(self, seed: str, **more: Any) -> None:
        super().__init__(seed, servers=1, **more)
        self.told: list[dict[str, Any]] = []
        self._waits: list[float] = []
        self._at_once: list[float] = []
        """Of those who were heard and answered the first time: no server died on them, and no message was lost."""
        self._before = 0
        self.world.at(HOUR, self._hour)

    @property
    def goes_on(self) -> bool:
        return self.world.now < self.hours * HOUR

    def pause(self, chance: random.Random) -> float:
        return chance.expovariate(1 / 40)

    def fault_seconds(self) -> float:
        return self.chance.expovariate(1 / 600)

    def waited(self, seconds: float, attempts: int) -> None:
        self._waits.append(seconds)
        if attempts == 1:
            self._at_once.append(seconds)

    def _hour(self) -> None:
        floor, reception = self.machines[0].floor, self.machines[0].reception
        if floor is None or reception is None or self.disk.is_away or self.disk.holder is not None or self.disk.is_full:
            self.world.after(1.0, self._hour)
            return
        again = HouseRegisters()
        for entry in self.disk.entries:
            again.apply(entry)
        found = floor.projections.ask(HouseRegisters, msgspec.json.encode)
        must(found == msgspec.json.encode(again), "the registers are not what their recomputation says")
        waits, at_once = sorted(self._waits) or [0.0], sorted(self._at_once) or [0.0]
        hosts = floor.hosts.values()
        self.told.append(
            {
                "hour": len(self.told) + 1,
                "acts": self.said - self._before,
                "half wait ms": round(1000 * waits[len(waits) // 2], 1),
                "99 % wait ms": round(1000 * waits[len(waits) * 99 // 100], 1),
                "asked once more": len(waits) - len(at_once),
                "99 % of the others wait ms": round(1000 * at_once[len(at_once) * 99 // 100], 1),
                "answers kept": sum(len(host._answers) for host in hosts),
                "events kept": sum(len(host.updates._recent) for host in hosts),
                "sessions": len(reception.people._sessions),
                "proposals": len(reception.approvals.proposals),
                "entries": len(self.disk.entries),
            }
        )
        self._waits, self._at_once, self._before = [], [], self.said
        if len(self.told) < self.hours:
            self.world.at((len(self.told) + 1) * HOUR, self._hour)


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0 when everything held."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--hours", type=int, default=24)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--out", default="", help="where the figures go")
    asked = parser.parse_args(arguments)
    if os.environ.get(REPEATABLE) != "0":
        words = sys.argv[1:] if arguments is None else arguments
        os.execve(sys.executable, [sys.executable, "-m", "soak.simulated_day", *words], os.environ | {REPEATABLE: "0"})
    Day.hours = asked.hours
    began = time.process_time()
    house = simulate(f"day-{asked.seed}", Day)
    assert isinstance(house, Day)
    for hour in house.told:
        print(hour)
    said = {"seed": asked.seed, "hours": house.told, "figures": dict(house.figures)}
    text = json.dumps(said | {"processor seconds": round(time.process_time() - began)}, indent=2)
    if asked.out:
        Path(asked.out).write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
