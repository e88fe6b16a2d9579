"""How long the exact solver takes: ``python benchmarks/maths/solver.py``, one core, everything in one run.

Times are processor seconds of this process, so that a busy machine changes them little; the command is measured by the
clock. Ratios are to one pass over the dealer (all hands that a player can hold against all first cards, eight decks),
which no exact answer can do without.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

from pitboss.maths.exact import kernels as k
from pitboss.maths.exact.rules import compile_rules
from pitboss.maths.exact.solve import Solver, removal_effects, solve, value
from pitboss.maths.shoes import Shoe
from pitboss.maths.what_if import vary_term
from pitboss.rulebooks import RULEBOOKS, load

REPEATS = 5


def best(what: Callable[[], object], repeats: int = REPEATS) -> float:
    """The shortest of a few runs, in processor seconds."""
    times = []
    for _ in range(repeats):
        begun = time.process_time()
        what()
        times.append(time.process_time() - begun)
    return min(times)


def main() -> None:
    book = load(RULEBOOKS[0])
    shoe = Shoe.of_decks(book, 8)
    solve(book, shoe)
    solver = Solver(book, compile_rules(book), shoe, 0.0, False)
    solver._play()
    hands = solver.hands
    unit = best(
        lambda: k.dealer_finals(solver.left, solver.wanted, hands.cards, hands.size, *solver.tree, solver.finals)
    )
    print(f"{'eight decks, warm':<52}{'seconds':>9}{'ratio':>9}")

    def tell(what: str, seconds: float) -> None:
        print(f"{what:<52}{seconds:>9.3f}{seconds / unit:>9.1f}", flush=True)

    tell("one pass over the dealer", unit)
    for name in RULEBOOKS:
        rulebook = load(name)
        cards = Shoe.of_decks(rulebook, 8)
        tell(f"{name}: value alone", best(partial(value, rulebook, cards)))
        tell(f"{name}: report without removal", best(partial(solve, rulebook, cards)))
        tell(f"{name}: effects of removal", best(partial(removal_effects, rulebook, cards), 2))
    tell("what-if over ten values (dealer.soft_stand)", best(lambda: vary_term(book, "dealer.soft_stand"), 1))
    print(f"largest memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    print("\nwhole command from a cold start, kernels compiled before, by the clock")
    for words in (["edge", RULEBOOKS[0]], ["edge", RULEBOOKS[0], "--quick"], ["side-bets", RULEBOOKS[0]]):
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-m", "pitboss", *words, "--json"], check=True, stdout=subprocess.DEVNULL)
        print(f"  pitboss {' '.join(words):<42}{time.perf_counter() - begun:>9.2f} s", flush=True)


if __name__ == "__main__":
    main()
