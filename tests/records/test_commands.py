"""``pitboss replay`` and ``pitboss record``: what is printed, and the exit code."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pitboss.cli import main
from pitboss.records import loads, loads_lines, read

ROUNDS = Path(__file__).parents[1] / "rounds"
GOOD = ROUNDS / "nsw-pontoon" / "highest-wager-controls-the-box.round"
TEXT = GOOD.read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A record that holds, one that fails, one that cannot be read, and something else."""
    (tmp_path / "a-good.round").write_text(TEXT, encoding="utf-8")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "b-failing.round").write_text(TEXT.replace("alice = 10", "alice = 11"), encoding="utf-8")
    (tmp_path / "c-unread.round").write_text(TEXT.replace("bob stands", "bob standz"), encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no record", encoding="utf-8")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, list[str], list[str]]:
    code = main([str(word) for word in words])
    printed = capsys.readouterr()
    return code, printed.out.splitlines(), printed.err.splitlines()


def objects(lines: list[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines]


def test_a_record_that_holds(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "replay", GOOD)
    assert (code, err) == (0, [])
    assert out[0] == f"{GOOD}: With nobody seated the highest wager calls the decisions"
    assert "  box 1: bob calls the decisions (NSW pontoon 5.6.2)" in out
    assert any(line.startswith("  refused: alice hits on 1: NSW pontoon 5.6") for line in out)
    assert all("(NSW pontoon " in line for line in out[1:-1] if not line.startswith("  refused"))
    assert out[-1] == "  holds: alice $10.00, bob $30.00, dealer 6c 9d Kh, 0 left"


def test_a_record_that_fails(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    file = folder / "inner" / "b-failing.round"
    code, out, err = run(capsys, "replay", file)
    assert (code, err) == (1, [])
    assert out[-1] == f"failed    {file}:16: net of alice: $10.00, not $11.00"


def test_a_record_that_cannot_be_read(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    code, out, err = run(capsys, "replay", folder / "c-unread.round")
    assert (code, out) == (2, [])
    assert len(err) == 1
    assert err[0].startswith(f'unread    {folder / "c-unread.round"}:12: "bob standz on 1": no such act. Known: bets, ')


def test_a_folder_is_walked_and_unread_wins_over_failed(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    code, out, err = run(capsys, "replay", folder)
    assert code == 2
    assert len(err) == 1
    assert [line for line in out if line.startswith(str(folder))] == [
        f"{folder / 'a-good.round'}: With nobody seated the highest wager calls the decisions",
        f"{folder / 'inner' / 'b-failing.round'}: With nobody seated the highest wager calls the decisions",
    ]
    assert out[-1] == "3 records: 1 holds, 1 failed, 1 could not be read"


def test_quiet_prints_what_fails_and_the_count(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    code, out, err = run(capsys, "replay", folder, "--quiet")
    assert code == 2 and len(err) == 1
    assert out == [
        f"failed    {folder / 'inner' / 'b-failing.round'}:16: net of alice: $10.00, not $11.00",
        "3 records: 1 holds, 1 failed, 1 could not be read",
    ]
    code, out, err = run(capsys, "replay", GOOD, "--quiet")
    assert (code, out, err) == (0, ["1 record: 1 holds"], [])


def test_line_is_the_number_of_a_line_whatever_an_event_calls_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    record = ROUNDS / "nsw-pontoon" / "10.1-every-wager-on-a-pontoon-is-paid.round"
    code, out, _ = run(capsys, "replay", record, "--json")
    (settled,) = [item for item in objects(out) if item.get("event") == "ControlSettled"]
    assert code == 0 and settled["event_line"] == ["bob", "alice", "carol"]
    assert all(isinstance(item["line"], int) for item in objects(out) if "event" in item)


def test_json_prints_one_object_a_line(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    code, out, err = run(capsys, "replay", folder, "--json")
    assert (code, err) == (2, [])
    found = objects(out)
    results = {Path(item["file"]).name: item for item in found if "ok" in item}
    assert results["a-good.round"]["ok"] is True and results["a-good.round"]["failures"] == []
    assert results["a-good.round"]["net_cents"] == {"alice": 1000, "bob": 3000}
    assert results["b-failing.round"]["failures"] == [{"line": 16, "text": "net of alice: $10.00, not $11.00"}]
    (unread,) = [item for item in found if "error" in item]
    assert unread["voice"] == "unread"
    assert unread["line"] == 12 and unread["error"].startswith('"bob standz on 1": no such act.')
    events = [item for item in found if "event" in item]
    assert all({"file", "line", "event", "clauses"} <= set(item) for item in events)
    assert events[0] == {
        "file": str(folder / "a-good.round"),
        "line": 8,
        "event": "WagerPlaced",
        "clauses": ["5.3", "7.1"],
        "player": "alice",
        "box": 1,
        "cents": 1000,
    }
    assert not any(item["event"] == "StackArranged" for item in events)
    (refused, *_) = [item for item in found if "refused" in item]
    assert refused["act"] == "alice hits on 1" and refused["expected"] == "5.6"
    assert refused["clauses"][0].startswith("5.6")


def test_a_clause_that_nobody_knows_is_a_warning_and_no_failure(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "odd.round"
    text = TEXT.replace('["5.6.2"]', '["5.6.2", "55.6"]').replace("=> refused 5.6", "=> refused 5.66")
    assert "55.6" in text and "5.66" in text
    file.write_text(text.replace("alice hits on 1 => refused 5.66", "alice hits on 1 => refused 5"), encoding="utf-8")
    code, _, err = run(capsys, "replay", file)
    assert (code, err) == (0, [f'warning   {file}: clauses: nsw-pontoon has no clause "55.6"'])
    assert run(capsys, "replay", "--quiet", file)[2] == err
    assert run(capsys, "record", "explain", file)[2] == err
    (result,) = (item for item in objects(run(capsys, "replay", "--json", file)[1]) if "ok" in item)
    assert result["ok"] and result["warnings"] == [{"line": 0, "text": 'clauses: nsw-pontoon has no clause "55.6"'}]
    assert objects(run(capsys, "record", "explain", "--json", file)[1])[0]["warnings"] == result["warnings"]
    file.write_text(text, encoding="utf-8")
    _, _, err = run(capsys, "replay", file)
    told = f'warning   {file}:11: "alice hits on 1" => refused: nsw-pontoon has no clause "5.66"'
    assert err == [f'warning   {file}: clauses: nsw-pontoon has no clause "55.6"', told]


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda path: path / "none.round", "none.round: cannot be read: no such file or directory"),
        (lambda path: path, ": no *.round in this folder"),
        (lambda path: "a\0b", "a\\x00b: cannot be read: the name holds a character that no file name has"),
    ],
)
def test_a_path_that_leads_nowhere(capsys: pytest.CaptureFixture[str], tmp_path: Path, make: Any, told: str) -> None:
    code, out, err = run(capsys, "replay", make(tmp_path))
    assert code == 2 and len(err) == 1 and err[0].endswith(told)
    code, out, _ = run(capsys, "replay", make(tmp_path), "--json")
    assert code == 2 and told.endswith(objects(out)[0]["error"])


def test_a_pipe_is_not_waited_for(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pipe = tmp_path / "a.round"
    os.mkfifo(pipe)
    for path in (str(pipe), "/dev/zero"):
        assert main(["replay", path]) == 2
        told = f"unread    {path}: cannot be read: it is a pipe or a device, and a record is a file\n"
        assert capsys.readouterr().err == told


def test_replay_of_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "replay")
    assert code == 2 and len(err) == 1 and "record" in err[0]


def test_a_refused_table_is_told_with_its_clause(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "five.round"
    file.write_text(TEXT + "[table]\ndecks = 5\n", encoding="utf-8")
    code, _, err = run(capsys, "replay", file)
    assert code == 2
    assert "this table may not be opened: NSW pontoon 3.1" in err[0]


def test_a_variant_is_named_in_every_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "variant.round"
    file.write_text(TEXT + '[variant]\n"dealer.soft_stand" = 17\n', encoding="utf-8")
    code, out, _ = run(capsys, "replay", file)
    assert code == 0
    assert all("NSW pontoon (study variant: dealer.soft_stand = 17)" in line for line in out[1:-1])


# --- record ---


def test_convert_there_and_back(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    there, back = tmp_path / "one.jsonl", tmp_path / "one.round"
    assert run(capsys, "record", "convert", GOOD, there) == (0, [], [])
    assert loads_lines(there.read_text(encoding="utf-8")) == read(GOOD)
    code, out, _ = run(capsys, "record", "convert", there, back, "--json")
    assert code == 0 and objects(out) == [{"from": str(there), "to": str(back), "acts": 5}]
    assert loads(back.read_text(encoding="utf-8")) == read(GOOD)
    assert run(capsys, "replay", there, "--quiet")[0] == 0


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("one.txt", "one.txt: the name must end in .round (TOML) or .jsonl (JSON lines)"),
        ("no/one.round", "no/one.round: cannot be written: no such file or directory"),
        ("a\0.round", "a\\x00.round: cannot be written: the name holds a character that no file name has"),
    ],
)
def test_convert_to_nowhere(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "record", "convert", GOOD, target) == (2, [], [f"unread    {told}"])
    assert list(tmp_path.iterdir()) == []


def test_a_record_that_cannot_be_read_is_not_converted(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    code, _, err = run(capsys, "record", "convert", folder / "c-unread.round", folder / "d.jsonl")
    assert code == 2 and "no such act" in err[0]
    assert not (folder / "d.jsonl").exists()


def test_explain_tells_what_happened_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "record", "explain", GOOD)
    assert (code, err) == (0, [])
    assert out[0] == "With nobody seated the highest wager calls the decisions"
    assert out[1].startswith("NSW pontoon. 8 decks from a shoe; wagers from $5.00 to $1,000.00")
    assert out[2].startswith("About 5.6.2: ")
    assert "  Box 1: bob calls the decisions. (5.6.2)" in out
    assert "  Refused: bob calls box 1." in "\n".join(out)
    assert "bob wins $30.00." in out
    gists = [line for line in out if line.startswith("    ")]
    assert len(gists) == len(set(gists)) > 5


def test_explain_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "record", "explain", GOOD, "--json")
    (found,) = objects(out)
    assert code == 0
    assert found["lines"][0]["said"] == "alice bets 10 on 1"
    assert found["lines"][0]["events"][0]["clauses"][0]["clause"] == "5.3"
    assert found["lines"][3]["refused"]["clauses"][0]["clause"].startswith("5.6")
    assert found["failures"] == []


def test_explain_says_what_did_not_come(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    code, out, _ = run(capsys, "record", "explain", folder / "inner" / "b-failing.round")
    assert code == 1
    assert out[-1] == "Not as expected: net of alice: $10.00, not $11.00"


@pytest.mark.parametrize("rulebook", sorted(path.name for path in ROUNDS.iterdir()))
def test_every_record_can_be_explained(capsys: pytest.CaptureFixture[str], rulebook: str) -> None:
    for file in sorted((ROUNDS / rulebook).glob("*.round"))[::10]:
        assert run(capsys, "record", "explain", file)[0] == 0
