"""`pitboss simulate` as people call it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pitboss.cli import main
from pitboss.maths.simulate.jobs import Job, Sums, check, make_player, read_checkpoint, run, write_checkpoint


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
    assert found["element_of_risk"] == pytest.approx(found["house_edge"] / found["total_wagered"])
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


COUNT = """
name = "mine"
wager = 10
ramp = { 1 = 30 }
deviations = ["hard 16 v 10: S from 1"]
[tags]
5 = 1
K = -1
"""


def test_a_count_and_a_bankroll_are_told_in_words(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "count.toml").write_text(COUNT)
    words = ["simulate", "nsw-pontoon", "--rounds", "20k", "--count", str(tmp_path / "count.toml")]
    words += ["--bankroll", "300", "--trip", "200", "--goal", "500", "--report", str(tmp_path / "run.html")]
    assert main([*words, "--minimum", "10", "--maximum", "50"]) == 0
    printed = capsys.readouterr().out
    assert "1 box counting by mine" in printed
    assert "$10.00 to $30.00" in printed
    assert "100 trips of 200 rounds with $300.00" in printed
    assert "reached $500.00" in printed
    assert "by a Brownian motion" in printed
    assert max(map(len, printed.splitlines())) <= 80
    page = (tmp_path / "run.html").read_text()
    assert "By the count" in page
    assert "With a bankroll" in page
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert sum(found["counting"]["rounds_by_amount"]) == found["rounds"]
    assert found["ruin"]["trips"] == 100


def test_a_whole_run_as_parquet(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    file = tmp_path / "it's.parquet"
    assert main(["simulate", "nsw-pontoon", "--rounds", "20k", "--parquet", str(file), "--json"]) == 0
    rows = duckdb.read_parquet(str(file)).fetchall()
    assert rows[0][:2] == ("result", "ev")
    assert any(row[0] == "outcome" and row[1] == "natural" and row[2] > 0 for row in rows)


def test_a_strategy_that_leaves_a_hand_open_is_told_which(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('hard.16 = "SSSSSHHHHH"\n')
    assert main(["simulate", "nsw-pontoon", "--strategy", str(file)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("unread    ")
    assert "is undecided: add a row for" in said
    assert said.count("\n") == 1


PRESSED = """
import os, signal, sys
from pitboss.cli import main
from pitboss.maths.simulate.jobs import Sums

add = Sums.add

def press(self, block):
    add(self, block)
    if self.blocks == 4:
        os.kill(os.getpid(), signal.SIGINT)

Sums.add = press
sys.exit(main(sys.argv[1:]))
"""
"""The command in a process that presses Ctrl-C on itself after four blocks."""


def test_ctrl_c_loses_nothing(tmp_path: Path) -> None:
    """Stopped from the keyboard, taken up again: the same to the last cent as a run that nobody disturbed."""

    def pitboss(*words: str, code: str = "") -> subprocess.CompletedProcess[str]:
        start = [sys.executable, "-c", code] if code else [sys.executable, "-m", "pitboss"]
        return subprocess.run(
            [*start, "simulate", *words, "--json"], cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=300
        )

    words = ("nsw-pontoon", "--boxes", "2", "--rounds", "2M", "--strategy", "mimic-dealer")
    part = pitboss(*words, code=PRESSED)
    assert part.returncode == 130, part.stderr
    assert "of 2,000,000 rounds. Go on with --resume simulation.checkpoint.json" in part.stderr
    reached = json.loads(part.stdout)
    assert reached["interrupted"] is True
    assert 4 * 262_144 <= reached["rounds"] < 2_000_000
    rest = pitboss("--resume", "simulation.checkpoint.json", "--threads", "1")
    assert json.loads(rest.stdout) == json.loads(pitboss(*words).stdout)
    assert json.loads(rest.stdout)["rounds"] == 2_000_000


def test_a_run_is_kept_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever kills the process finds the last file that was written."""
    monkeypatch.setattr("pitboss.commands.simulate.KEPT_EVERY_SECONDS", -1)
    kept = tmp_path / "kept.json"
    words = ["simulate", "nsw-pontoon", "--rounds", "900k", "--checkpoint", str(kept), "--json"]
    assert main(words) == 0
    assert read_checkpoint(kept).done.blocks == 4


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
    (["simulate", "nsw-pontoon", "--precision", "0"], "a precision is above nothing"),
    (["simulate", "nsw-pontoon", "--threads", "-2"], "-2 threads"),
    (["simulate", "nsw-pontoon", "--side-bets", "blazing-7s"], "NSW pontoon has no optional wager 'blazing-7s'"),
    (["simulate", "nsw-pontoon", "--csv", "no/such/folder/run.csv"], "run.csv: cannot be written"),
    (["simulate", "--resume", "pyproject.toml"], "pyproject.toml: not a checkpoint"),
    (["simulate", "nsw-pontoon", "--count", "missing.toml"], "missing.toml: no such file or directory"),
    (["simulate", "nsw-pontoon", "--count", "pyproject.toml"], "pyproject.toml: build-system: no such entry"),
    (["simulate", "nsw-pontoon", "--bankroll", "5"], "a bankroll of $5.00 does not cover $10.00 a round"),
    (["simulate", "nsw-pontoon", "--bankroll", "100", "--trip", "-3"], "--trip '-3' is not a number of rounds"),
    (["simulate", "nsw-pontoon", "--bankroll", "100", "--trip", "9M"], "are fewer than a trip of 9000000"),
    (["simulate", "nsw-pontoon", "--goal", "100"], "--goal is what a --bankroll grows to"),
    (["simulate", "nsw-pontoon", "--maximum", "5"], "a wager of $10.00, but the table takes $0.00 to $5.00"),
    (["simulate", "nsw-pontoon", "--minimum", "20"], "a wager of $10.00, but the table takes $20.00 to"),
    (["simulate", "nsw-pontoon", "--multiples"], "--multiples are multiples of a --minimum"),
    (["simulate", "nsw-pontoon", "--chips", "0"], "the float needs chips"),
    (["simulate", "nsw-pontoon", "--wager", "1000000"], "a wager is above nothing and at most $5,000.00"),
    (["simulate", "nsw-pontoon", "--decks", "1", "--boxes", "7", "--behind", "2"], "2 cards behind the cutting card"),
    (["simulate", "nsw-pontoon", "--source", "hat"], "cards do not come from 'hat'"),
    (["simulate", "nsw-pontoon", "--rounds", "many"], "--rounds 'many' is not a number of rounds"),
]


@pytest.mark.parametrize(("words", "said"), BAD, ids=[" ".join(words[1:]) for words, _ in BAD])
def test_bad_input_is_one_clear_sentence(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("unread    ")
    assert said in printed.err
    assert printed.err.count("\n") == 1
