"""A whole house in one process and from one seed: servers, disk, network, clocks, people, and what goes wrong.

    python -m soak.simulation [--acts 1000000] [--minutes 15] [--from 1] [--seed SEED] [--acts-each 1000]
                              [--out soak/simulation.json] [--on]

The floor, the hosts, the group commit, the planning of the store and everything above it are those of the product;
what a machine gives them (time, chance, threads, disk, network) is the world's (`soak/simulated`). One to three
servers share a log; twenty people speak at once, who say a fifth of all acts twice, also to other servers; messages are
lost, doubled and late. Servers are killed between any two steps, stand still, and have their clocks set; the disk
is slow, full or away, and power goes. Half of the worlds write to a real SQLite file, whose writes are cut.

With `--on` a long run goes on where the file of figures says that it stopped, and adds to it: it may be done in pieces.
Worlds that went wrong before are played again first.

After every step whatever became durable is decided again by the engine and posted in double entry; every answer, every
update and every server's picture is held against it. A world that goes wrong is printed as the command that plays it
again, step by step the same.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

REPEATABLE = "PYTHONHASHSEED"
ACTS = 1_000


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0 when nothing went wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--acts", type=int, default=1_000_000, help="how many acts are said in all worlds together")
    parser.add_argument("--minutes", type=float, default=15.0, help="and for how long at most")
    parser.add_argument("--from", type=int, default=1, dest="first", help="the number of the first world")
    parser.add_argument("--seed", default="", help="play one world only, as it was printed")
    parser.add_argument("--acts-each", type=int, default=ACTS, help="acts in each world")
    parser.add_argument("--out", default="", help="where the figures go")
    parser.add_argument("--on", action="store_true", help="go on where the figures in --out stop, and add to them")
    asked = parser.parse_args(arguments)
    if asked.on and not asked.out:
        parser.error("--on goes on with the figures of a file: say --out FILE as well")
    if os.environ.get(REPEATABLE) != "0":  # the order of names in a set is part of a world
        words = sys.argv[1:] if arguments is None else arguments
        os.execve(sys.executable, [sys.executable, "-m", "soak.simulation", *words], os.environ | {REPEATABLE: "0"})
    if asked.seed:
        total: Counter[str] = Counter()
        return 0 if one(asked.seed, total, asked.acts_each, told=True) else 1
    return many(asked.acts, asked.acts_each, asked.minutes, asked.first, asked.out, on=asked.on)


def one(seed: str, total: Counter[str], acts: int = ACTS, *, told: bool = False) -> bool:
    """A world: `file-7` is on a file, `memory-7` is not."""
    from soak.simulated.files import HouseOnFile
    from soak.simulated.house import HouseOfAll, simulate

    kind = HouseOnFile if seed.startswith("file") else HouseOfAll
    try:
        house = simulate(seed, kind, acts=acts)
    except Exception as fault:  # noqa: BLE001 - whatever it is, it is a finding
        if told:
            traceback.print_exc()
        more = f" --acts-each {acts}" if acts != ACTS else ""
        print(f"{seed}: {fault}\nagain: {REPEATABLE}=0 python -m soak.simulation --seed {seed}{more}", flush=True)
        return False
    if told:
        print(f"{seed}: {dict(house.figures)}, {house.digest}")
    total.update(house.figures)
    total["worlds"] += 1
    return True


def many(acts: int, each: int, minutes: float, first: int, out: str, *, on: bool = False) -> int:
    began, used = time.monotonic(), time.process_time()
    before: dict[str, Any] = {}
    if on and Path(out).exists():
        before = json.loads(Path(out).read_text(encoding="utf-8"))
        first = int(before["worlds"].split()[-1]) + 1
    total: Counter[str] = Counter(before.get("figures", {}))
    failed = [seed for seed in before.get("failures", []) if not one(seed, total, each)]
    number = first
    shown = began
    while total["acts said"] < acts and time.monotonic() - began < minutes * 60:
        seed = f"{'file' if number % 2 else 'memory'}-{number}"
        if not one(seed, total, each):
            failed.append(seed)
        number += 1
        if time.monotonic() - shown > 30:
            shown = time.monotonic()
            print(f"{total['acts said']:,} acts, {total['server kills']:,} kills, {len(failed)} failed", flush=True)
    found: dict[str, Any] = {
        "worlds": f"{before['worlds'].split()[0] if before else first} to {number - 1}",
        "figures": dict(sorted(total.items())),
        "failures": failed,
        "seconds": round(time.monotonic() - began) + before.get("seconds", 0),
        "processor seconds": round(time.process_time() - used) + before.get("processor seconds", 0),
    }
    text = json.dumps(found, indent=2)
    print(text)
    if out:
        Path(out).write_text(text + "\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
