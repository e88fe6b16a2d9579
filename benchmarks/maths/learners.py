"""How many steps the environments make in a second, beside Gymnasium's own blackjack; all in one run.

python benchmarks/maths/learners.py [tables, 1024 by default]

Every environment is played with random legal acts; only the time in `step` and `reset` is counted, by the processor
time of the process. The rounds are interleaved, and the median of several is told.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import gymnasium
import numpy as np

import pitboss.learners

REPEATS = 7
SECONDS = 1.0
NAME = "Pitboss/NswPontoon-v1"

assert pitboss.learners.IDS["nsw-pontoon"] == NAME


class Clock:
    """Adds up processor time and steps."""

    def __init__(self) -> None:
        self.seconds, self.steps = 0.0, 0

    def timed(self, steps: int, call: Callable[[], Any]) -> Any:
        started = time.process_time()
        found = call()
        self.seconds += time.process_time() - started
        self.steps += steps
        return found


def legal(mask: Any, rng: np.random.Generator) -> Any:
    """A random act that is open, at each table."""
    return (rng.random(mask.shape, dtype=np.float32) * mask).argmax(axis=-1)


def single() -> float:
    """One box on the engine."""
    env, rng, clock = gymnasium.make(NAME).unwrapped, np.random.default_rng(1), Clock()
    seen, _ = env.reset(seed=1)
    while clock.seconds < SECONDS:
        act = legal(seen["action_mask"], rng)
        seen, _, over, _, _ = clock.timed(1, lambda act=act: env.step(act))
        if over:
            seen, _ = clock.timed(0, env.reset)
    return clock.steps / clock.seconds


def vector(tables: int) -> float:
    """Many tables on the kernel."""
    env, rng, clock = pitboss.learners.TablesEnv(tables, "nsw-pontoon"), np.random.default_rng(1), Clock()
    seen, _ = env.reset(seed=1)
    env.step(legal(seen["action_mask"], rng))
    seen, _ = env.reset(seed=1)
    while clock.seconds < SECONDS:
        acts = legal(seen["action_mask"], rng)
        seen, *_ = clock.timed(tables, lambda acts=acts: env.step(acts))
    return clock.steps / clock.seconds


def blackjack(tables: int) -> float:
    """Gymnasium's Blackjack-v1, as its own vector of environments."""
    env = gymnasium.make_vec("Blackjack-v1", num_envs=tables, vectorization_mode="sync")
    rng, clock = np.random.default_rng(1), Clock()
    env.reset(seed=1)
    while clock.seconds < SECONDS:
        acts = rng.integers(2, size=tables)
        clock.timed(tables, lambda acts=acts: env.step(acts))
    return clock.steps / clock.seconds


def main() -> int:
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
    found = [(single(), vector(tables), blackjack(tables)) for _ in range(REPEATS)]
    alone, many, theirs = (median(row[column] for row in found) for column in range(3))
    gains = [row[1] / row[0] for row in found], [row[1] / row[2] for row in found]
    print(f"one box on the engine              {alone:>12,.0f} steps/s")
    print(f"{tables} tables on the kernel         {many:>12,.0f} steps/s")
    print(f"Blackjack-v1, {tables} at once        {theirs:>12,.0f} steps/s")
    for name, gain in zip(("one box", "Blackjack-v1"), gains, strict=True):
        spread = f"{min(gain):.0f} to {max(gain):.0f}"
        print(f"kernel / {name:<25} {median(gain):>12.0f} (median of {REPEATS}; {spread})")
    print(f"load of the machine while measuring: {', '.join(f'{load:.1f}' for load in os.getloadavg())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
