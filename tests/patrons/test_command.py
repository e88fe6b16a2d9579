"""`pitboss patrons`: the book of a log from the command line, by the roles that the clauses name."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path
from typing import get_args

import pytest

from pitboss.chance import Chance
from pitboss.cli import main
from pitboss.floor.audit import Audit
from pitboss.floor.clock import SystemClock
from pitboss.floor.erasing import Erasures, Retention
from pitboss.floor.fields import PATRON_ACTS
from pitboss.floor.floor import Floor
from pitboss.floor.people import People
from pitboss.patrons.engine import APPLY, CHAPTERS
from pitboss.patrons.events import AnyPatronEvent
from pitboss.patrons.telling import TELL
from pitboss.store.group import GroupCommit
from pitboss.store.moving import opened
from pitboss.store.opening import log_at, open_log
from tests.floor.peopled import PASSWORD, caller, quick_hasher


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    open_log("floor.db").close()
    for words in (["identify", "document=passport"], ["issue-card", "number=S-1"]):
        assert main(["patrons", "write", "floor.db", "alice", *words]) == 0
    return "floor.db"


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["patrons", *words])
    found = capsys.readouterr()
    return code, found.out, found.err


def test_every_act_can_be_written() -> None:
    assert set(PATRON_ACTS.values()) == set(CHAPTERS)


@pytest.mark.clause("nsw-pontoon", "def:Loss Limit")
def test_a_limit_is_set_by_the_player_and_shown_to_whom_may_see_it(
    log: str, capsys: pytest.CaptureFixture[str]
) -> None:
    limit = ("write", log, "alice", "set-loss-limit", "cents=100", "period=week")
    code, out, _ = said(capsys, *limit, "--as", "player")
    assert code == 0
    assert out == "alice: loss limit $100.00 a week (NSW pontoon 19.3, definition of Loss Limit, 19.4)\n"
    assert "19.3" in out
    with opened(open_log(log_at(log), read_only=True)) as written:
        assert {entry.by for entry in written.read("patron:alice")} == {"operator"}  # whoever has the shell
    code, _, err = said(capsys, "write", log, "al ice", "identify", "document=x")
    assert code == 2 and "is no name of a person" in err
    code, _, err = said(capsys, *limit, "--as", "dealer")
    assert code == 2
    assert err.startswith("refused   NSW pontoon definition of Loss Limit")
    code, out, _ = said(capsys, "show", log, "alice", "--as", "player")
    assert "$100.00 a week, $100.00 left" in out
    code, out, _ = said(capsys, "show", log, "alice", "--json")
    assert json.loads(out)["loss_left_cents"] == 10_000
    code, _, err = said(capsys, "show", log, "alice", "--as", "dealer")
    assert code == 2
    assert "looks up" in err


@pytest.mark.clause("nsw-pontoon", "5.13")
def test_a_restriction_is_written_lifted_and_listed(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    restrict = ("write", log, "alice", "restrict-patron", "rule=one-box", "why=counts", "notified=yes")
    assert said(capsys, *restrict)[0] == 2
    assert said(capsys, *restrict, "--as", "gaming-manager")[0] == 0
    assert "one-box at *: counts" in said(capsys, "show", log, "alice")[1]
    lift = ("write", log, "alice", "lift-patron-restriction", "rule=one-box", "--as", "gaming-manager")
    assert said(capsys, *lift)[0] == 0
    assert "(over)" in said(capsys, "show", log, "alice")[1]
    assert said(capsys, "list", log)[1] == "alice: 4 entries\n"
    assert json.loads(said(capsys, "list", log, "--json")[1]) == {"patrons": {"alice": 4}}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["isue-card"], "did you mean issue-card?"),
        (["issue-card"], "number=... is missing"),
        (["issue-card", "number"], "is not FIELD=VALUE"),
        (["issue-card", "number=1", "expires=soon"], "a date as in 2026-11-18"),
        (["set-loss-limit", "cents=much"], "not an amount"),
        (["exclude", "why=x", "--as", "king"], "is none of player"),
        (["name-helper", "helper=bob", "present=maybe"], "yes or no"),
    ],
)
def test_what_cannot_be_read_gets_one_sentence(
    log: str, words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = said(capsys, "write", log, "alice", *words)
    assert (code, out) == (2, "")
    assert err.startswith("unread")
    assert sentence in err
    assert err.count("\n") == 1


def test_the_day_is_shown_opened_and_closed(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "day", log)[1].startswith("gaming day 20")
    assert said(capsys, "day", log, "open", "--as", "supervisor")[0] == 2
    assert "opened" in said(capsys, "day", log, "open")[1]
    assert said(capsys, "day", log, "open")[0] == 2
    assert "closed" in said(capsys, "day", log, "close", "--rulebook", "Adelaide_pontoon_2008")[1]
    assert said(capsys, "day", log, "shut")[0] == 2
    assert "say why" in said(capsys, "day", log, "reopen")[2]
    assert "reopened" in said(capsys, "day", log, "reopen", "--reason", "closed too soon")[1]


def test_who_is_not_in_the_book_is_named(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys, "show", log, "nobody")
    assert (code, out) == (2, "")
    assert "keeps nothing of 'nobody'" in err


@pytest.mark.clause("nsw-pontoon", "5.13")
@pytest.mark.parametrize("words", [["write", "nope.db", "alice", "pause"], ["day", "nope.db", "open"]], ids=" ".join)
def test_a_log_that_there_is_not_is_not_made(words: list[str], log: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys, *words)
    assert (code, out) == (2, "") and "nope.db: there is no such log" in err
    assert not Path("nope.db").exists()


async def make(log: str) -> None:
    """A dealer and a player who have accounts."""
    with opened(open_log(log)) as written:
        commits = GroupCommit(written)
        people = People(commits, Audit(commits), hasher=quick_hasher())
        for name, role in (("Dana", "dealer"), ("Alice", "player")):
            await people.create_for_the_house(name, role, PASSWORD, 0)
        people.close()
        await commits.close()


def test_of_the_houses_own_no_file_is_kept(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(make(log))
    code, out, err = said(capsys, "write", log, "dana", "identify", "document=passport")
    assert (code, out) == (2, "") and "Dana is an account of the house's people" in err
    code, out, _ = said(capsys, "write", log, "alice", "identify", "document=licence")
    assert (code, out.partition(" (")[0]) == (0, "alice: identified by licence")


def test_every_event_of_a_file_has_its_words() -> None:
    assert set(TELL) == set(get_args(AnyPatronEvent)) == set(APPLY)


def test_a_table_that_there_is_not_is_named(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    restrict = ("write", log, "alice", "restrict-patron", "rule=one-box", "why=counts", "notified=yes", "where=nope")
    code, out, err = said(capsys, *restrict, "--as", "gaming-manager")
    assert (code, out) == (2, "")
    assert "there is no table 'nope': name one of the floor by its id, or * for all." in err


def test_acts_are_listed_with_their_fields(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "acts")
    assert code == 0
    assert "set-loss-limit cents=... period=..." in out
    assert json.loads(said(capsys, "acts", "--json")[1])["issue-card"] == ["number", "expires"]


def test_a_person_is_erased_by_two_once_nothing_must_be_kept(
    log: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(two_who_may(log))
    monkeypatch.setattr("sys.stdin", io.StringIO())
    code, _, err = said(capsys, "erase", log, "alice", "--reason", "she asked")
    assert code == 2 and "kept for 2,557 days" in err
    asyncio.run(keeps_for_a_day(log))
    late = SystemClock().now_ms() + 2 * 86_400_000
    monkeypatch.setattr(SystemClock, "now_ms", lambda self: late)
    alone = "ada\n" + PASSWORD + "\n"
    for lines, words in ((alone, "names and passwords"), (alone * 2, "a second person approves it")):
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        code, _, err = said(capsys, "erase", log, "alice", "--reason", "she asked")
        assert code == 2 and words in err, err
    monkeypatch.setattr("sys.stdin", io.StringIO(alone + "ina\n" + PASSWORD + "\n"))
    code, out, err = said(capsys, "erase", log, "alice", "--reason", "she asked")
    assert code == 0 and "by ada and ina: she asked" in out, err
    code, out, _ = said(capsys, "retention", log)
    assert code == 0 and "erased: alice, by ada and ina" in out and "kept so long: nobody" in out
    code, out, _ = said(capsys, "show", log, "alice")
    assert "by nobody" in out and "S-1" not in out
    with opened(open_log(log_at(log), read_only=True)) as written:
        assert not any(b"passport" in entry.body for entry in written.read_all(0))
    assert main(["log", "verify", log]) == 1
    assert "What was in 2 entries about people was erased" in capsys.readouterr().out


async def two_who_may(log: str) -> None:
    with opened(open_log(log_at(log))) as source:
        commits = GroupCommit(source)
        people = People(commits, Audit(commits), hasher=quick_hasher())
        await people.catch_up()
        now = SystemClock().now_ms()
        await people.set_up("ada", PASSWORD, now)
        await people.create_for_the_house("ina", "inspector", PASSWORD, now)
        people.close()
        await commits.close()


async def keeps_for_a_day(log: str) -> None:
    with opened(open_log(log_at(log))) as source:
        commits = GroupCommit(source)
        erasures = Erasures(Floor(commits, clock=SystemClock(), chance=Chance("x")))
        await erasures.catch_up()
        await erasures.set_retention(caller("mona", "gaming-manager"), Retention(1, 1))
        await commits.close()
