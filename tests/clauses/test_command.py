"""`pitboss clauses` lists and explains, and says in one sentence what it does not know."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from collections.abc import Iterator

import msgspec
import pytest

from pitboss.commands import Unread
from pitboss.commands import clauses as command
from pitboss.commands.clauses import clauses
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks import clauses as registers
from pitboss.rulebooks.clauses import Clause, register
from pitboss.rulebooks.coverage import citations, scan
from tests.books import BJC, DOCUMENTS, NSW

Captured = pytest.CaptureFixture[str]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pitboss", "clauses", *words], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.fixture(autouse=True, scope="module")
def _scanned_once() -> Iterator[None]:
    """All tests of the project are read once, not by every command again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "scan", functools.cache(scan))
        yield


@pytest.fixture
def without_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "tests_folder", lambda: None)


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_at_a_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def promotions_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """The registers as they would be if nobody kept the clauses on promotions."""

    def left(row: Clause) -> Clause:
        return msgspec.structs.replace(row, status="later:promotions") if row.group == "promotion" else row

    known = {rulebook: {key: left(row) for key, row in register(rulebook).items()} for rulebook in RULEBOOKS}
    monkeypatch.setattr(command, "register", known.__getitem__)
    monkeypatch.setattr(registers, "register", known.__getitem__)


# --- summary and list ------------------------------------------------------------------------------------------------


def test_the_summary_counts_every_rulebook(capsys: Captured) -> None:
    assert clauses() == 0
    lines = capsys.readouterr().out.splitlines()
    rows = {line.split()[0]: line.split()[1:] for line in lines[: len(RULEBOOKS) + 2]}
    assert list(rows) == ["rulebook", *RULEBOOKS, "total"]
    assert rows["rulebook"] == ["rows", "kept", "tested", "bare", "later"]
    for rulebook in RULEBOOKS:
        count, kept, tested, bare, later = map(int, rows[rulebook])
        assert count == len(register(rulebook)) == kept + later
        assert kept == tested + bare
    every = [clause for rulebook in RULEBOOKS for clause in register(rulebook).values()]
    assert rows["total"][0] == str(len(every))
    assert all(clause.kept for clause in every) and rows["total"][-1] == "0"


def test_the_summary_works_without_tests(capsys: Captured, without_tests: None) -> None:
    assert clauses() == 0
    out = capsys.readouterr().out
    assert out.rstrip().endswith("no tests in this installation")
    assert out.splitlines()[1].split()[3:5] == ["-", "-"]


@pytest.mark.parametrize(
    "words",
    [[], ["nsw-blackjack-challenge"], ["adelaide-pontoon-2008", "47"], ["nsw-pontoon", "10.5:T1:5-card-21"]],
)
def test_eighty_columns_are_enough(capsys: Captured, at_a_terminal: None, words: list[str]) -> None:
    assert clauses(*words) == 0
    lines = capsys.readouterr().out.splitlines()
    tests = [line for line in lines if "tests/" in line]  # paths stay whole, so that they can be copied
    assert [line for line in lines if len(line) > 80 and line not in tests] == []


def test_a_pipe_gets_one_line_a_clause(capsys: Captured) -> None:
    assert clauses("nsw-pontoon") == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [line[0] for line in lines] == list(register("nsw-pontoon"))
    assert {len(line) for line in lines} == {7}


def test_filters_narrow_the_list(capsys: Captured) -> None:
    assert clauses("nsw-pontoon", group="double", kind="play", status="kept") == 0
    keys = [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()]
    assert keys == [
        row.key for row in register("nsw-pontoon").values() if row.group == "double" and row.kind == "play" and row.kept
    ]
    assert "12.3" not in keys


@pytest.mark.parametrize("status", ["later:promotions", "promotions"])
@pytest.mark.usefixtures("promotions_left")
def test_a_filter_without_a_rulebook_goes_through_all_of_them(capsys: Captured, status: str) -> None:
    assert clauses(status=status) == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    found = [line[:2] for line in lines if line[0] in DOCUMENTS]
    assert len(found) == 112 and {rulebook for rulebook, _ in found} == {NSW, BJC}


def test_bare_clauses_are_kept_and_have_no_test(capsys: Captured) -> None:
    assert clauses(bare=True, json=True) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row for row in rows if row["status"] != "kept" or row["tests"]] == []


def test_nothing_is_bare_where_there_are_no_tests(capsys: Captured, without_tests: None) -> None:
    with pytest.raises(Unread, match="no tests in this installation"):
        clauses(bare=True)


# --- JSON ------------------------------------------------------------------------------------------------------------


def test_json_is_one_object_a_line(capsys: Captured) -> None:
    assert clauses(json=True) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(rows) == sum(len(register(rulebook)) for rulebook in RULEBOOKS)
    keys = ["rulebook", "clause", "number", "group", "kind", "gist", "kept_by", "status", "tests", "glossary"]
    assert all(list(row) == keys for row in rows)


def test_json_of_one_clause_holds_what_stands_below_it(capsys: Captured) -> None:
    assert clauses("nsw-pontoon", "12.1.4", json=True) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["clause"] for row in rows] == ["12.1.4", "12.1.4.1"]


def test_json_without_tests_knows_nothing_of_them(capsys: Captured, without_tests: None) -> None:
    assert clauses("nsw-pontoon", "12.2", json=True) == 0
    assert json.loads(capsys.readouterr().out)["tests"] is None


# --- one clause ------------------------------------------------------------------------------------------------------


def test_a_clause_is_explained_with_its_terms_and_tests(capsys: Captured) -> None:
    assert clauses("nsw-pontoon", "12.1.4") == 0
    out = capsys.readouterr().out
    assert out.startswith("nsw-pontoon 12.1.4\n")
    assert register("nsw-pontoon")["12.1.4"].gist in out
    assert "kept by  the engine" in out
    assert "doubling.aces = held-count-one" in out
    assert "\n  tests    tests/" in out
    assert " tests/rounds/nsw-pontoon/ace-held-when-doubling-counts-one.round\n" in out
    assert "Below it:\n  12.1.4.1  " in out


@pytest.mark.usefixtures("promotions_left")
def test_a_clause_that_is_not_kept_yet_says_which_part_will(capsys: Captured) -> None:
    assert clauses("nsw-pontoon", "21.4") == 0
    assert "not yet, but by the part promotions (promotional prizes)" in capsys.readouterr().out


def test_a_clause_that_no_term_rests_on_says_so(capsys: Captured) -> None:
    cited = {each.clause for each in citations(load("nsw-pontoon"))}
    bare = next(key for key in register("nsw-pontoon") if key not in cited and key[0].isdigit())
    assert clauses("nsw-pontoon", bare) == 0
    assert "none cites it" in capsys.readouterr().out


def test_a_chapter_is_a_short_list(capsys: Captured) -> None:
    assert clauses("nsw-pontoon", "14") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "nsw-pontoon 14:"
    assert [line.split()[0] for line in lines[1:]] == ["14.1", "14.2", "14.3", "14.4"]


def test_a_defined_word_is_as_good_as_a_clause(capsys: Captured) -> None:
    assert clauses("adelaide-pontoon-2008", "surrender") == 0
    assert capsys.readouterr().out.startswith("adelaide-pontoon-2008 1(b)\n")


def test_the_explanation_works_without_tests(capsys: Captured, without_tests: None) -> None:
    assert clauses("nsw-pontoon", "12.2") == 0
    assert "no tests in this installation" in capsys.readouterr().out


# --- what is not known -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nsw-ponton"], "no rulebook 'nsw-ponton'. Nearest: nsw-pontoon,"),
        (["zork"], "no rulebook 'zork'. Known: nsw-pontoon,"),
        (["nsw-pontoon", "12.1.9"], "nsw-pontoon has no clause '12.1.9'. Nearest: 12.1, 12.1.1,"),
        (["nsw-pontoon", "ponton"], "nsw-pontoon has no clause 'ponton'. Nearest: pontoon,"),
        (["nsw-pontoon", "99"], "nsw-pontoon has no clause '99'."),
        (["nsw-pontoon", ""], "nsw-pontoon has no clause ''."),
        (["nsw-pontoon", "--group", "doubles"], "no group 'doubles'. Nearest: double"),
        (["--kind", "plays"], "no kind 'plays'. Nearest: play"),
        (["--status", "latter"], "no status 'latter'. Nearest: later"),
    ],
)
def test_what_is_not_known_is_said_in_one_line(words: list[str], told: str) -> None:
    done = run(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert told in done.stderr


def test_the_command_line_prints_plain_text_into_a_pipe() -> None:
    done = run()
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_the_command_line_prints_json() -> None:
    done = run("canberra-pontoon-2002", "--status", "kept", "--json")
    assert done.returncode == 0
    assert all(json.loads(line)["rulebook"] == "canberra-pontoon-2002" for line in done.stdout.splitlines())
