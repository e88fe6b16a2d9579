"""Simulator against engine, the long way: the same cards and the same random decisions must give the same money.

python benchmarks/maths/simulator_against_engine.py [rounds a rulebook, 200000 by default] [seed]
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from pitboss.rulebooks import RULEBOOKS, load
from tests.cross.rounds import STACKS, differences, games


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 20_261_115
    found = 0
    for name in RULEBOOKS:
        started = time.perf_counter()
        played = hands = 0
        share = {stack: rounds // 2 if not STACKS[stack] else rounds // (2 * (len(STACKS) - 1)) for stack in STACKS}
        for stack, wanted in share.items():
            for game in games(load(name), stack):
                for first in range(0, -(-wanted // 4), 5000):
                    number = min(5000, -(-wanted // 4) - first)
                    for difference in differences(game, number, seed + first):
                        found += 1
                        print(difference, flush=True)
                    played += number
                    hands += number * game.options.boxes
        seconds = time.perf_counter() - started
        print(f"{name}: {played:,} rounds, {hands:,} boxes, {found} differences, {seconds:.0f} s", flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
