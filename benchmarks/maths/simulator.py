"""How fast the simulator is beside a loop that only draws cards; all in one run, so that the machine does not matter.

python benchmarks/maths/simulator.py [rounds, 20000000 by default]

The bare loop draws 5.5 cards a round without replacement from the same shoe, to the same cutting card, with the same
random numbers, and adds up their values. The simulator plays whole rounds of pontoon: doubles, forfeits, splits,
surrender, suited bonuses, interim payments, the dealer's hand, and counts every outcome. Times are processor time of
the thread.
"""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from statistics import median
from typing import Any

import numba as nb
import numpy as np

from pitboss.maths.simulate.counting import count_file
from pitboss.maths.simulate.game import VALUES, Options, compile_game
from pitboss.maths.simulate.jobs import make_strategy
from pitboss.maths.simulate.kernels import GAMMA, high_product, mixed, stream_of
from pitboss.maths.simulate.play import Player
from pitboss.rulebooks import load

REPEATS = 7
COUNT = """ramp = { 1 = 20, "2.5" = 50, 4 = 200 }
deviations = ["hard 16 v 10: S from 3", "hard 13 v 6: S from 0.2", "hard 14 v 3: S from 0.9", "pair A v A: P from 0.7"]
[tags]
A = -1
3 = 1
4 = 1
5 = 1
6 = 1
J = -1
Q = -1
K = -1
"""
"""Wagers and decisions by a true count."""


@nb.njit(nogil=True)  # type: ignore[untyped-decorator]
def bare(seed: Any, rounds: Any, cards: Any, cutting_at: Any, values: Any) -> Any:
    """Draw 5.5 cards a round and add them up, nothing else."""
    size = len(cards)
    shoe = cards.copy()
    state = stream_of(seed, np.uint64(0))
    total = np.int64(0)
    drawn = np.int64(0)
    wanted = rounds * 11 // 2
    while drawn < wanted:
        last = min(cutting_at, wanted - drawn)
        place = np.int64(0)
        left = np.uint64(size)
        while place < last:
            state += GAMMA
            word = mixed(state)
            for _ in range(4):
                chosen = place + np.int64(high_product(word, left))
                word *= left
                card = shoe[chosen]
                shoe[chosen] = shoe[place]
                shoe[place] = card
                total += values[card & 31]
                place += 1
                left -= np.uint64(1)
        drawn += place
    return total


def rate(rounds: int, play: Any) -> float:
    """Millions of rounds for each second of processor time."""
    started = time.thread_time()
    play()
    return rounds / (time.thread_time() - started) / 1e6


def wall_rate(rounds: int, threads: int, player: Player) -> float:
    """Millions of rounds a second by the clock, so many blocks side by side."""
    with ThreadPoolExecutor(threads) as pool:
        started = time.perf_counter()
        for future in [pool.submit(player.block, 1, block, rounds) for block in range(threads)]:
            future.result()
        return threads * rounds / (time.perf_counter() - started) / 1e6


def processor_rate(rounds: int, threads: int, player: Player) -> float:
    """The same by each thread's own processor time: what free cores would give, on a machine that has none."""
    with ThreadPoolExecutor(threads) as pool:
        jobs = [pool.submit(rate, rounds, partial(player.block, 1, block, rounds)) for block in range(threads)]
        return sum(job.result() for job in jobs)


def main() -> int:
    rounds = int(float(sys.argv[1])) if len(sys.argv) > 1 else 20_000_000
    game = compile_game(load("nsw-pontoon"))
    player = Player(game, make_strategy(game, "basic"))
    general = Player(game, player.strategy, by_table=False)
    crowd = compile_game(load("nsw-pontoon"), Options(boxes=7, side_bets=("perfect-pairs",)))
    seven = Player(crowd, make_strategy(crowd, "basic"))
    values = VALUES.astype(np.int64)
    seed = np.uint64(1)
    for warm in (player, general, seven):
        warm.block(1, 0, 1000)
    bare(seed, 1000, game.cards, game.cutting_at, values)

    shares, lines = [], []
    for _ in range(REPEATS):
        alone = rate(rounds, lambda: bare(seed, rounds, game.cards, game.cutting_at, values))
        ours = rate(rounds, lambda: player.block(1, 0, rounds))
        shares.append(ours / alone)
        lines.append((alone, ours))
    few = rounds // 10
    count = count_file(COUNT, "high and low")
    counting = Player(game, player.strategy, counting=count)
    counting.block(1, 0, 1000)
    counted = []
    for _ in range(REPEATS):
        alone = rate(few, lambda: bare(seed, few, game.cards, game.cutting_at, values))
        counted.append(rate(few, lambda: counting.block(1, 0, few)) / alone)
    spread = f"{min(counted):.2f} to {max(counted):.2f}"
    print(f"counting cards / bare loop     {median(counted):6.2f} (median of {REPEATS}; {spread}; wanted 0.25)")
    print(f"bare loop                      {median(each[0] for each in lines):6.1f} million rounds/s, one core")
    print(f"simulator, NSW pontoon, basic  {median(each[1] for each in lines):6.1f} million rounds/s, one core")
    spread = f"{min(shares):.2f} to {max(shares):.2f}"
    print(f"simulator / bare loop          {median(shares):6.2f} (median of {REPEATS}; {spread}; wanted 0.50)")
    print(f"general kernel, one box        {rate(few, lambda: general.block(1, 0, few)):6.1f} million rounds/s")
    crowded = rate(few // 4, lambda: seven.block(1, 0, few // 4))
    print(f"seven boxes, Perfect Pairs     {crowded:6.1f} million rounds/s, {7 * crowded:.1f} million hands/s")
    pairs = [(wall_rate(rounds, 1, player), wall_rate(rounds, 2, player)) for _ in range(REPEATS)]
    gains = [two / one for one, two in pairs]
    spread = f"{min(gains):.2f} to {max(gains):.2f}"
    print(f"two threads / one, by clock    {median(gains):6.2f} (median of {REPEATS}; {spread}; wanted 1.80)")
    gains = [processor_rate(rounds, 2, player) / processor_rate(rounds, 1, player) for _ in range(REPEATS)]
    print(f"two threads / one, by processor time {median(gains):.2f} ({min(gains):.2f} to {max(gains):.2f})")
    print(f"load of the machine while measuring: {', '.join(f'{load:.1f}' for load in os.getloadavg())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
