"""How long the exact solver takes: ``python benchmarks/maths/solver.py``, one core, everything in one run.

Times are processor seconds, so that a busy machine changes them little; commands are measured by the clock too. Ratios
are to one pass over the dealer (all hands that a player can hold against all first cards, eight decks), which no exact
answer can do without.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial

from pitboss.maths.exact import kernels as k
from pitboss.maths.exact.removal import solve_with_effects
from pitboss.maths.exact.rules import compile_rules
from pitboss.maths.exact.solve import Solver, solve, value
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
        tell(f"{name}: all tables of the report", best(partial(solve_with_effects, rulebook, cards)))
    tell("what-if over ten values (dealer.soft_stand)", best(lambda: vary_term(book, "dealer.soft_stand"), 1))
    print(f"largest memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    print(f"\n{'whole command from a cold start':<52}{'seconds':>9}{'clock':>9}{'MB':>7}")
    with tempfile.TemporaryDirectory() as folder:
        command("edge, first ever run: kernels compiled", ["edge", RULEBOOKS[0]], folder)
        for words in COMMANDS:
            command(" ".join(words), words, folder)


COMMANDS = (
    *(["edge", name] for name in RULEBOOKS),
    ["edge", RULEBOOKS[0], "--quick"],
    ["what-if", RULEBOOKS[0], "--vary", "dealer.soft_stand"],
    ["strategy", RULEBOOKS[0]],
    ["side-bets", RULEBOOKS[0]],
)


def command(name: str, words: list[str], cache: str) -> None:
    """Processor seconds, seconds by the clock, and the largest memory of any command so far."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    run = [sys.executable, "-m", "pitboss", *words, "--json"]
    subprocess.run(run, check=True, stdout=subprocess.DEVNULL, env=environment)
    clock, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{name:<52}{seconds:>9.2f}{clock:>9.2f}{after.ru_maxrss / 1024:>7.0f}", flush=True)


if __name__ == "__main__":
    main()
