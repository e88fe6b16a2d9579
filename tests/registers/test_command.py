"""`pitboss register` and `pitboss notices`: a log's registers on the terminal and in files."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from pathlib import Path

import pytest

from pitboss.chance import Chance
from pitboss.cli import main
from pitboss.floor.clock import SetClock
from pitboss.floor.floor import Floor
from pitboss.registers.model import REGISTERS
from pitboss.store.group import GroupCommit
from pitboss.store.opening import open_log
from pitboss.table import acts as a
from tests.floor.memory import SUPERVISOR, a_table, an_opening
from tests.floor.playing import ANYBODY, must

NOW = 1_795_000_000_000


async def _played(path: Path) -> None:
    floor = Floor(GroupCommit(open_log(str(path))), clock=SetClock(NOW), chance=Chance(3))
    await floor.start()
    for table in ("pit-1", "pit-2"):
        await a_table(floor, table, an_opening("nsw-pontoon"))
        floor.hosts[table]._permit = lambda caller, act, state: None
    await must(floor, ANYBODY, "pit-1", a.TakeSeat("alice", 1), a.RaiseDispute("alice", "=1+1, the odds"))
    wrong = a.RecordMispayment("", "alice", 150_000, rectified=False, reason="a miscount")
    await must(floor, SUPERVISOR, "pit-1", wrong)
    await floor.stop(0)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("registers") / "floor.db"
    asyncio.run(_played(path))
    return str(path)


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(list(words)) == code
    out, err = capsys.readouterr()
    return out if code == 0 else err


def test_all_registers_are_listed_with_what_is_due(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "register", log)
    assert [line.split()[0] for line in text.splitlines()[1:]] == list(REGISTERS)
    told = json.loads(said(capsys, "register", log, "--json"))["registers"]
    assert {each["name"]: each["due"] for each in told if each["due"]} == {"mispayments": 2, "disputes": 1}


@pytest.mark.clause("nsw-pontoon", "17.18:tail", "17.20", "17.20.2")
def test_one_register_in_all_forms(log: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = said(capsys, "register", log, "mispayments")
    assert "accidental: " in text and "$1,500.00" in text
    assert text.count("a miscount; decided by the casino supervisor; by sam (NSW pontoon 17.18") == 1, "its reason once"
    assert "it is no breach of the rules. (NSW pontoon 17.18" in text
    assert "an accidental overpayment is no unlawful credit. (NSW pontoon 17.20, 17.20.2)" in text
    assert "ask alice for $1,500.00 back" in text and "gaming manager tells regulator" in text
    page, rows = tmp_path / "register.html", tmp_path / "register.csv"
    assert said(capsys, "register", log, "--html", str(page), "--csv", str(rows)) == ""
    found = list(csv.DictReader(io.StringIO(rows.read_text())))
    told = json.loads(said(capsys, "register", log, "--search", "alice", "--json"))["lines"]
    assert len(found) == 4 and len(told) == 2 and all(row["clauses"] for row in found)
    assert page.read_text().startswith("<!doctype html>") and "NaN" not in page.read_text()
    assert {row["at"] for row in found} == {"2026-11-18 22:06:40 +1100"}
    assert json.loads(said(capsys, "register", log, "--due", "--json"))["lines"] == told
    assert "no matching entries" in said(capsys, "register", log, "limits", "--from", "2026-11-19")
    assert "pit-2" in said(capsys, "register", log, "limits", "--from", "2026-11-18", "--to", "2026-11-18")


def test_a_word_that_a_spreadsheet_would_reckon_with_is_only_a_word(
    log: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rows = tmp_path / "notices.csv"
    said(capsys, "notices", log, "--all", "--csv", str(rows))
    cells = [cell for row in csv.reader(io.StringIO(rows.read_text())) for cell in row]
    assert any("=1+1, the odds" in cell for cell in cells)
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)


def test_notices_say_who_tells_whom_by_when(log: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    told = json.loads(said(capsys, "notices", log, "--json"))["notices"]
    assert {(each["to"], each["who"]) for each in told} == {
        ("gaming-supervisor", "gaming-supervisor"), ("regulator", "gaming-manager"),
    }  # fmt: skip
    assert "by 2026-12-02 06:00:00 +1100" in said(capsys, "notices", log)
    page = tmp_path / "notices.html"
    said(capsys, "notices", log, "--html", str(page))
    assert "November 2026" in page.read_text()
    everything = json.loads(said(capsys, "notices", log, "--all", "--json"))["notices"]
    assert {each["state"] for each in everything} >= {"done"} and len(everything) > len(told)


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (("register", "weather"), "there is no register 'weather'; there are limits, "),
        (("register", "limits", "--from", "yesterday"), "--from yesterday: write it as in 2026-11-18."),
        (("notices", "--to", "18.11.2026"), "--to 18.11.2026: write it as in 2026-11-18."),
        (("notices", "--csv", "no/such/folder/x.csv"), "there is no folder"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(
    log: str, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], wrong: str
) -> None:
    told = said(capsys, words[0], log, *words[1:], code=2)
    assert wrong in told and len(told.splitlines()) <= 3


def test_all_that_is_kept_of_one_person(log: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "alice.json"
    assert main(["patrons", "write", log, "alice", "identify", "document=passport"]) == 0
    assert "entries: 1 of file, 3 of registers" in said(capsys, "patrons", "export", log, "Alice", str(file))
    told = json.loads(file.read_text())
    assert told["file"][0]["events"][0]["document"] == "passport"
    assert {line["register"] for line in told["registers"]} == {"disputes", "mispayments", "player-cards"}
    names = [event["event"] for each in told["tables"] for event in each["events"]]
    assert names == ["SeatTaken", "DisputeRaised", "MispaymentRecorded", "NoticeGiven"]
    assert "keeps nothing of 'nobody'" in said(capsys, "patrons", "export", log, "nobody", code=2)
    assert json.loads(said(capsys, "patrons", "export", log, "alice"))["person"] == "alice"


def test_what_is_entered_from_the_command_line_is_registered(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "MoveCards is written down." in said(
        capsys, "enter", log, "MoveCards", "table=pit-2", "to=out", "decks=8", "reason=worn"
    )
    (line,) = json.loads(said(capsys, "register", log, "cards", "--table", "pit-2", "--kind", "cards out", "--json"))[
        "lines"
    ]
    assert (line["text"], line["by"], line["clauses"]) == ("8 decks leave pit-2; worn", "operator", ["3.3"])
    (open_one,) = [
        each for each in json.loads(said(capsys, "notices", log, "--json"))["notices"] if each["to"] == "regulator"
    ]
    done = ("enter", log, "MarkDone", f"item={open_one['id']}", "evidence=by letter")
    assert json.loads(said(capsys, *done, "--json"))["act"]["item"] == open_one["id"]
    again = said(capsys, *done, code=2)
    assert "17.20" in again and again.rstrip().endswith("that is done already.")
    assert all(each["to"] != "regulator" for each in json.loads(said(capsys, "notices", log, "--json"))["notices"])
    for words, wrong in (
        (("Deal",), "there is no act 'Deal'; there are RecordApproval"),
        (("MoveCards", "decks"), "'decks': write it as FIELD=VALUE."),
        (("MoveCards", "table=pit-2", "to=in", "decks=many"), "MoveCards: Expected int"),
        (("MoveCards", "table=pit-2", "to=in", "decks=8", "colour=red"), "MoveCards has no field 'colour'"),
        (("MoveCards", "table=pit-9", "to=in", "decks=8"), "there is and was no table 'pit-9'."),
        (("MoveCards", "table=pit-2", "to=in", "decks=8", "--as", "nobody"), "--as 'nobody' is none of player"),
    ):
        assert wrong in said(capsys, "enter", log, *words, code=2)
    unknown = said(capsys, "enter", log, "MarkDone", "item=none", "evidence=x", code=2)
    assert unknown.split(None, 1)[-1].startswith("nothing due is called 'none'."), "no clause forbids a slip of the pen"
