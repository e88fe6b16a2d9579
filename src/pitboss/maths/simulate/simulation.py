"""One call from a question to a frozen result, for programs and notebooks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from pitboss.maths.simulate.counting import Counting, count_file
from pitboss.maths.simulate.game import Options
from pitboss.maths.simulate.jobs import Job, check, make_player, run
from pitboss.maths.simulate.play import Bankroll
from pitboss.maths.simulate.results import Simulated, result


def simulate(
    rulebook: str,
    *,
    rounds: int = 1_000_000,
    strategy: str = "basic",
    changes: tuple[str, ...] = (),
    count: Counting | Path | None = None,
    bankroll: Bankroll | None = None,
    precision: float = 0.0,
    seed: int = 1,
    threads: int = 1,
    cluster: str | None = None,
    **options: Any,
) -> Simulated:
    """Play rounds and say what they brought; `options` are the fields of `Options`, as in ``boxes=3, decks=6``.

    The result depends on everything but `threads` and `cluster`.
    """
    counting = count_file(count.read_text(encoding="utf-8"), str(count)) if isinstance(count, Path) else count
    asked = Job(rulebook, changes, Options(**options), strategy, rounds=rounds, precision=precision, seed=seed)
    job = check(msgspec.structs.replace(asked, counting=counting, bankroll=bankroll))
    player = make_player(job)
    if cluster is None:
        done, interrupted = run(job, player, threads=threads)
    else:
        from pitboss.maths.simulate.cluster import Machines, connected

        with connected(cluster, threads) as client:
            done, interrupted = run(job, player, workers=Machines(client, job, player))
    if interrupted:
        raise KeyboardInterrupt
    return result(job, player, done)
