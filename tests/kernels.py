"""Compiles every kernel once, before many workers would each do it for themselves: ``python tests/kernels.py``."""

from __future__ import annotations

import contextlib
import io
import tempfile
from pathlib import Path

import gymnasium

import pitboss.learners
from pitboss.cli import main

COUNT = 'ramp = { 1 = 50 }\ndeviations = ["insure from 2"]\n[tags]\n5 = 1\nK = -1\n'


def commands(count: Path) -> list[str]:
    """Calls that reach all kernels between them, with as little to reckon as they allow."""
    return [
        "edge nsw-pontoon --quick",
        "strategy nsw-pontoon --level totals",
        "simulate nsw-pontoon --rounds 1000",
        "simulate nsw-pontoon --rounds 1000 --source fresh --strategy basic",
        "simulate nsw-blackjack-challenge --rounds 1000 --source shuffling-device --boxes 2 --side-bets all",
        f"simulate adelaide-pontoon-2008 --rounds 1000 --count {count}",
        f"simulate adelaide-pontoon-2008 --rounds 1000 --count {count} --bankroll 1000 --boxes 2",
        "tournament advise nsw-pontoon --players 1000|*900 --minimum 100 --maximum 200",
        "tournament advise nsw-pontoon --players 1000|*900 --minimum 100 --maximum 200 --rounds-left 2 --games 1000",
        "tournament plan --structure 2x2>1|1x2 --games 100",
    ]


def reach_all() -> None:
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        count = Path(folder) / "count.toml"
        count.write_text(COUNT, encoding="utf-8")
        for words in commands(count):
            if code := main([word.replace("|", " ") for word in words.split()]):
                raise SystemExit(f"pitboss {words}: {code}")
    name = next(iter(pitboss.learners.IDS.values()))
    tables = gymnasium.make_vec(name, num_envs=2, vectorization_mode="vector_entry_point")
    seen, _ = tables.reset(seed=1)
    tables.step(seen["action_mask"].argmax(axis=1))


if __name__ == "__main__":
    reach_all()
