"""A sample of soak/simulation.py, and the faults that it must find (soak/planted.py); each in a process of its own,
because the order of names in a set is part of a world."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from soak.explored import SMALL, explore
from soak.planted import PLANTED, Planted
from soak.simulated.house import one_seed
from tests.lengths import WHOLE, length

ROOT = Path(__file__).parents[2]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONHASHSEED": "0"}
    return subprocess.run(
        [sys.executable, "-m", *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_whatever_goes_wrong_in_a_house_what_must_hold_holds(tmp_path: Path) -> None:
    done = run("soak.simulation", "--acts", str(length(20_000, 1_500)), "--out", str(tmp_path / "found.json"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"failures": []' in done.stdout and '"server kills": ' in done.stdout


def test_a_world_is_played_again_step_by_step_the_same() -> None:
    """On a file and in memory: the digest covers every hash of the log, every step and every figure."""
    for seed in ("file-3", "memory-4"):
        said = [run("soak.simulation", "--seed", seed, "--acts-each", "200").stdout for _ in range(2)]
        found = re.findall(r"\}, ([0-9a-f]{16})$", "".join(said), re.M)
        assert len(found) == 2 and len(set(found)) == 1, said


def test_all_ways_through_a_take_over_are_gone() -> None:
    """Two servers, an act that is said at both, a lease that runs out, a crash anywhere: every interleaving."""
    done = run("soak.explored", "whole" if WHOLE else "small")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count('"all of it": true') >= 2, done.stdout


@pytest.mark.parametrize("planted", PLANTED[:6], ids=lambda planted: planted.name)
def test_some_way_shows_what_is_wrong_with_the_protocol(planted: Planted) -> None:
    with pytest.raises(AssertionError, match="by this way: "), ExitStack() as stack:
        for each in planted.plant():
            stack.enter_context(each)
        stack.enter_context(one_seed("small"))
        for ways in SMALL:
            explore(ways)


def test_planted_faults_are_found() -> None:
    """The simulation can fail: each of these is a fault that it has to see, in the first worlds that it plays."""
    assert len(PLANTED) >= 10 and len({planted.name for planted in PLANTED}) == len(PLANTED)
    done = run("soak.planted", "--first", str(length(len(PLANTED), 4)))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "NOT FOUND" not in done.stdout


def test_a_failing_world_is_printed_as_the_command_that_plays_it_again() -> None:
    code = (
        "from soak import planted, simulation\n"
        "from collections import Counter\n"
        "from contextlib import ExitStack\n"
        "with ExitStack() as stack:\n"
        "    [stack.enter_context(each) for each in planted.PLANTED[0].plant()]\n"
        "    simulation.one('memory-1', Counter())\n"
    )
    environment = os.environ | {"PYTHONHASHSEED": "0"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert "again: PYTHONHASHSEED=0 python -m soak.simulation --seed memory-1" in done.stdout, done.stderr
