"""The same job on a cluster of processes, one of which is killed: the same result to the last cent."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

from pitboss.cli import main
from pitboss.maths.shoes import MathsError
from pitboss.maths.simulate.cluster import Lost, Machines, connected, packed, play_blocks, unpacked
from pitboss.maths.simulate.counting import count_file
from pitboss.maths.simulate.game import Options
from pitboss.maths.simulate.jobs import Job, Sums, check, make_player, run
from pitboss.maths.simulate.play import Bankroll

pytest.importorskip("distributed")
COUNT = count_file('ramp = { 1 = 50 }\ndeviations = ["insure from 2"]\n[tags]\n5 = 1\nK = -1\n', "count.toml")


def test_killing_a_worker_changes_nothing() -> None:
    job = check(
        Job(
            "nsw-pontoon",
            options=Options(boxes=3, side_bets=("perfect-pairs",)),
            counting=COUNT,
            bankroll=Bankroll(100_000, 200),
            rounds=400_000,
            block_rounds=10_000,
            seed=3,
        )
    )
    player = make_player(job)
    whole, _ = run(job, player, threads=2)
    killed: list[int] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with connected("local", 2) as client:
            workers = Machines(client, job, player)
            processes = list(client.run(os.getpid).values())

            def kill(sums: Sums) -> None:
                if sums.blocks == 10:
                    os.kill(processes[0], signal.SIGKILL)
                    killed.append(sums.blocks)

            there, interrupted = run(job, player, progress=kill, workers=workers)
    assert not interrupted
    assert killed == [10]
    assert there == whole
    assert there.blocks == 40


def test_a_strategy_travels_whole() -> None:
    player = make_player(check(Job("canberra-pontoon-2005", strategy="total")))
    there = unpacked(packed(player.strategy))
    assert there.name == "total"
    assert not there.by_chance
    for name in ("decisions", "forfeits", "surrenders", "insures"):
        assert (getattr(there, name) == getattr(player.strategy, name)).all()
    assert len(packed(player.strategy)) < 50_000


def test_workers_of_another_version_are_told_apart() -> None:
    with pytest.raises(MathsError, match=r"and the job was made by 0\.0\.0"):
        play_blocks(b"", b"", 0, 1, "0.0.0")


def test_a_cluster_that_is_gone_loses_nothing() -> None:
    """What was added up stays added up; the run says so instead of failing."""

    class Gone:
        def result(self) -> Any:
            raise OSError("connection refused")

    class Client:
        def nthreads(self) -> dict[str, int]:
            return {"somewhere": 2}

        def submit(self, *_: object, **__: object) -> Gone:
            return Gone()

        def cancel(self, _: object) -> None:
            """Nobody is there to be told."""

    job = check(Job("nsw-pontoon", strategy="mimic-dealer"))
    player = make_player(job)
    done = Sums()
    done.add(player.block(job.seed, 0, job.block_rounds))
    before = list(done.sums)
    with pytest.raises(Lost, match="does not answer any more"):
        run(job, player, done, workers=Machines(Client(), job, player))
    assert done.blocks == 1
    assert done.sums == before


def test_a_run_on_processes_prints_the_same(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "pitboss", "simulate", "adelaide-pontoon-2008", "--rounds", "200k", "--json"]
    printed = [
        subprocess.run([*words, *more], capture_output=True, encoding="utf-8", timeout=600, cwd=tmp_path)
        for more in ([], ["--cluster", "local", "--threads", "2"])
    ]
    assert [run.returncode for run in printed] == [0, 0], printed[1].stderr
    assert json.loads(printed[0].stdout) == json.loads(printed[1].stdout)


def test_nobody_at_the_address(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "nsw-pontoon", "--rounds", "1000", "--cluster", "nowhere"]) == 2
    assert capsys.readouterr().err.startswith("unread    --cluster nowhere: no Dask scheduler answers there")
