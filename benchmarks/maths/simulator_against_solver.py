"""Simulator against exact solver: best play from a fresh shoe in every round must come out within three standard
errors.

python benchmarks/maths/simulator_against_solver.py [rounds, 1e9] [threads, 1] [seed, 1] [rulebooks, all]
"""

from __future__ import annotations

import sys
import time

from pitboss.maths.exact.solve import value
from pitboss.maths.shoes import Shoe
from pitboss.maths.simulate.game import FRESH, Options
from pitboss.maths.simulate.jobs import Job, make_player, run
from pitboss.maths.simulate.results import result
from pitboss.rulebooks import RULEBOOKS, load


def main() -> int:
    rounds = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**9
    threads = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    names = sys.argv[4:] or RULEBOOKS
    books = {name: load(name) for name in names}
    worst = 0.0
    for name in names:
        for decks in (6, 8):
            exact = value(books[name], Shoe.of_decks(books[name], decks))
            job = Job(name, options=Options(decks=decks, source=FRESH), strategy="optimal", rounds=rounds, seed=seed)
            player = make_player(job)
            started = time.perf_counter()
            done, stopped = run(job, player, threads=threads)
            if stopped:
                return 130
            found = result(job, player, done)
            errors = (found.ev - exact) / found.standard_error
            worst = max(worst, abs(errors))
            print(
                f"{name}, {decks} decks: exact {exact:+.6f}, simulated {found.ev:+.6f} with standard error "
                f"{found.standard_error:.6f} ({errors:+.2f} of them), {found.rounds:,} rounds, "
                f"seed {seed}, {time.perf_counter() - started:.0f} s",
                flush=True,
            )
    return 0 if worst <= 3 else 1


if __name__ == "__main__":
    sys.exit(main())
