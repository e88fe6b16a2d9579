"""`pitboss simulate` as people call it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pitboss.cli import main
from pitboss.maths.simulate.jobs import Job, Sums, check, make_player, run, write_checkpoint


def test_a_run_is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "nsw-pontoon", "--rounds", "20k", "--threads", "1"]) == 0
    printed = capsys.readouterr()
    assert "20,000 rounds" in printed.out
    assert "house edge" in printed.out
    assert printed.err == ""
    assert max(map(len, printed.out.splitlines())) <= 80


def test_a_run_for_programs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = [
        "simulate", "nsw-blackjack-challenge", "--rounds", "2e4", "--boxes", "3", "--source", "device",
        "--side-bets", "all", "--json", "--csv", str(tmp_path / "run.csv"), "--report", str(tmp_path / "run.html"),
    ]  # fmt: skip
    assert main(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rounds"] == 20_000
    assert found["interrupted"] is False
    assert [each["name"] for each in found["extras"]] == ["perfect-pairs", "any-pairs", "star-pairs", "blazing-7s"]
    assert (tmp_path / "run.csv").read_text().startswith("what,name,count,frequency,value\n")
    page = (tmp_path / "run.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "http" not in page


def test_a_kept_run_goes_on(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    job = check(Job("nsw-pontoon", rounds=600_000, strategy="mimic-dealer"))
    player = make_player(job)
    whole, _ = run(job, player)
    first = Sums()
    first.add(player.block(job.seed, 0, job.block_rounds))
    kept = tmp_path / "kept.json"
    write_checkpoint(kept, job, first)
    assert main(["simulate", "--resume", str(kept), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["cents"] == whole.sums[0]
    assert found["rounds"] == 600_000


def test_help_needs_no_compiler() -> None:
    """Neither numpy nor numba is imported before rounds are played."""
    code = "import sys; from pitboss.cli import main; main(['simulate', '--help']); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60).returncode == 0


def test_without_numba_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    assert main(["simulate", "nsw-pontoon"]) == 2
    assert capsys.readouterr().err == 'unread    the simulator needs numpy and numba: pip install "pitboss[maths]".\n'


BAD = [
    (["simulate"], "simulate: say which rulebook"),
    (["simulate", "nsw-ponton"], "no rulebook 'nsw-ponton'. Did you mean nsw-pontoon?"),
    (["simulate", "nsw-pontoon", "--rounds", "-5"], "--rounds '-5' is not a number of rounds"),
    (["simulate", "nsw-pontoon", "--rounds", "0"], "--rounds '0': give a whole number of rounds above zero"),
    (["simulate", "nsw-pontoon", "--rounds", "1e14"], "100000000000000 rounds"),
    (["simulate", "nsw-pontoon", "--decks", "0"], "0 decks"),
    (["simulate", "nsw-pontoon", "--boxes", "9"], "9 boxes"),
    (["simulate", "nsw-pontoon", "--strategy", "clever"], "no strategy 'clever'"),
    (["simulate", "nsw-pontoon", "--strategy", "missing.toml"], "missing.toml: no such file or directory"),
    (["simulate", "nsw-pontoon", "--penetration", "1.5"], "--penetration is a share"),
    (["simulate", "nsw-pontoon", "--set", "dealer.soft_stnd=17"], "dealer.soft_stnd"),
    (["simulate", "nsw-pontoon", "--wager", "ten"], "'ten' is not an amount"),
    (["simulate", "nsw-pontoon", "--seed", "-1"], "seed -1"),
    (["simulate", "nsw-pontoon", "--precision", "-0.1"], "a precision is above nothing"),
    (["simulate", "nsw-pontoon", "--threads", "-2"], "-2 threads"),
    (["simulate", "nsw-pontoon", "--side-bets", "blazing-7s"], "NSW pontoon has no optional wager 'blazing-7s'"),
    (["simulate", "nsw-pontoon", "--csv", "no/such/folder/run.csv"], "run.csv: cannot be written"),
    (["simulate", "--resume", "pyproject.toml"], "pyproject.toml: not a checkpoint"),
]


@pytest.mark.parametrize(("words", "said"), BAD, ids=[" ".join(words[1:]) for words, _ in BAD])
def test_bad_input_is_one_clear_sentence(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("unread    ")
    assert said in printed.err
    assert printed.err.count("\n") == 1
