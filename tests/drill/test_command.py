"""`pitboss drill`: asking at a terminal or through a pipe, answers from a file, sheets and solutions."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from pitboss.cli import main
from pitboss.drill import make_drill

Capture = pytest.CaptureFixture[str]
DRILL = ["drill", "nsw-pontoon", "--rounds", "3", "--seed", "4", "--level", "hard"]


def right_answers() -> list[str]:
    drills = make_drill("nsw-pontoon", rounds=3, seed=4, level="hard")
    return [" ".join(f"{e.lines[0]}:{e.clauses[0]}={e.next[0]}" for e in drill.errors) or "none" for drill in drills]


def give(monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(answer + "\n" for answer in answers)))


def test_through_a_pipe(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    give(monkeypatch, *right_answers())
    assert main(DRILL) == 0
    printed = capsys.readouterr().out
    assert "Round 1 of 3, NSW pontoon." in printed and "  1  box " in printed
    planted = sum(len(drill.errors) for drill in make_drill("nsw-pontoon", rounds=3, seed=4, level="hard"))
    assert f"3 rounds: {planted} of {planted} errors caught, 0 missed, 0 wrongly called" in printed
    assert printed.endswith("Again: pitboss drill nsw-pontoon --rounds 3 --level hard --seed 4\n")
    assert all(len(line) <= 80 for line in printed.splitlines())
    assert "\x1b" not in printed


def test_what_happens_next_is_asked_after_an_error_that_was_found(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    drills = make_drill("nsw-pontoon", rounds=3, seed=4, level="hard")
    answers = []
    for drill in drills:
        answers.append(" ".join(str(error.lines[0]) for error in drill.errors) or "none")
        answers += [word for error in drill.errors for word in ("perhaps", error.next[0])]
    give(monkeypatch, *answers)
    assert main(DRILL) == 0
    printed = capsys.readouterr().out
    planted = sum(len(drill.errors) for drill in drills)
    assert (
        f"; {planted} of {planted} rulings right" in " ".join(printed.split())
        and printed.count("what happens next?") == planted
    )
    assert printed.count("unread    say a number or a name from the list") == planted
    give(monkeypatch, *answers[:2])
    assert main(DRILL) == 2
    assert "the answers ended at" in capsys.readouterr().err


def test_a_bad_answer_is_asked_again(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    give(monkeypatch, "x", "", "999", "none", "none", "none")
    assert main(DRILL) == 0
    assert capsys.readouterr().out.count("unread    ") == 3


def test_answers_that_end_too_soon(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    give(monkeypatch, "none")
    assert main(DRILL) == 2
    assert capsys.readouterr().err == "unread    the answers ended at round 2\n"


def test_answers_from_a_file(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "answers.txt"
    file.write_text("# mine\n\n" + "\n".join(right_answers()) + "  # sure\n", encoding="utf-8")
    assert main([*DRILL, "--answers", str(file)]) == 0
    printed = capsys.readouterr().out
    assert "caught, line" in printed and "0 missed, 0 wrongly called" in printed
    assert main([*DRILL, "--answers", str(file), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row.get("round") for row in rows] == [1, 2, 3, None]
    assert rows[-1]["total"]["missed"] == 0 and rows[-1]["seed"] == "4"
    assert rows[-1]["total"]["clauses_right"] == rows[-1]["total"]["caught"]


def test_answers_from_standard_input_with_json(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    give(monkeypatch, "1", "none", "none")
    assert main([*DRILL, "--answers", "-", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0])["wrongly_called"] == [1]


def test_the_sheet_and_its_solutions_are_apart(capsys: Capture) -> None:
    assert main([*DRILL, "--json"]) == 0
    sheet = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert main([*DRILL, "--json", "--solutions"]) == 0
    solutions = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [set(row) for row in sheet] == [{"round", "rulebook", "seed", "level", "opening", "lines"}] * 3
    assert [row["round"] for row in solutions] == [1, 2, 3]
    for row in solutions:
        for error in row["errors"]:
            assert error["lines"] and error["clauses"] and set(error["gists"]) <= set(error["clauses"])
    assert main([*DRILL, "--sheet"]) == 0
    assert "Again: pitboss drill" in capsys.readouterr().out
    assert main([*DRILL, "--solutions"]) == 0
    printed = capsys.readouterr().out
    assert "nothing was wrong" in printed and "error, line" in printed
    assert all(len(line) <= 80 for line in printed.splitlines())


def test_without_a_seed_one_is_chosen_and_printed(capsys: Capture) -> None:
    assert main(["drill", "nsw-pontoon", "--rounds", "1", "--sheet"]) == 0
    printed = capsys.readouterr().out
    again = printed.strip().splitlines()[-1].removeprefix("Again: pitboss ").split()
    assert main([*again, "--sheet"]) == 0
    assert capsys.readouterr().out == printed


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["poker"], "no rulebook 'poker'"),
        (["nsw-pontoon", "--rounds", "0"], "one trains on 1 to 1000 rounds"),
        (["nsw-pontoon", "--level", "x"], "the level is easy or hard"),
        (["nsw-pontoon", "--seed", ""], "a seed is 1 to 100 characters"),
        (["nsw-pontoon", "--answers", "no-such-file"], "no-such-file: no such file or directory"),
        (["nsw-pontoon", "--answers", "\0"], "no text file can be read"),
    ],
)
def test_bad_input(words: list[str], complaint: str, capsys: Capture) -> None:
    assert main(["drill", *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.startswith("unread    ") and complaint in printed.err


@pytest.mark.parametrize(
    ("text", "complaint"), [("none\n", "1 answers for 3 rounds"), ("none\nnone\nx\n", ":3: 'x' is no line")]
)
def test_bad_answer_files(text: str, complaint: str, tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "answers.txt"
    file.write_text(text, encoding="utf-8")
    assert main([*DRILL, "--answers", str(file)]) == 2
    assert complaint in capsys.readouterr().err
