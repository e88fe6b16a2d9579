"""`pitboss report`: reports of a log, on the terminal and in files."""

from __future__ import annotations

import asyncio
import csv
import datetime
import io
import json
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from pitboss.chance import Chance
from pitboss.cli import main
from pitboss.floor.clock import SetClock
from pitboss.floor.floor import Floor
from pitboss.floor.handovers import Handovers
from pitboss.floor.model import Accepted, Caller
from pitboss.store.group import GroupCommit
from pitboss.store.opening import open_log
from pitboss.table import acts as a
from tests.floor.memory import a_table, an_opening
from tests.floor.playing import ANYBODY, must, wander

DATE = datetime.date(2026, 11, 18)
EVENING = datetime.datetime(2026, 11, 18, 19, tzinfo=ZoneInfo("Australia/Adelaide"))


async def _played(path: Path) -> None:
    floor = Floor(GroupCommit(open_log(str(path))), clock=SetClock(int(EVENING.timestamp() * 1000)), chance=Chance(3))
    await floor.start()
    await a_table(floor, "pit-1", an_opening("adelaide-pontoon-2008", date=DATE))
    await a_table(floor, "pit-2")
    floor.hosts["pit-1"]._permit = lambda caller, act, state: None
    for person in ("alice", "bob", "carol"):
        await must(floor, ANYBODY, "pit-1", a.BuyChips(person, 500_000))
    await wander(floor, "pit-1", 150, 1)
    note = await Handovers(floor).leave(Caller("sam", "supervisor"), "Count the float of pit-1.", "pit-1", "sam/1")
    assert isinstance(note, Accepted)
    await floor.stop(0)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("reports") / "floor.db"
    asyncio.run(_played(path))
    return str(path)


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(["report", *words]) == code
    out, err = capsys.readouterr()
    return out if code == 0 else err


def test_a_day_is_told_in_all_forms(log: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = said(capsys, "day", log, "--date", "2026-11-18")
    assert "Gaming day 18 November 2026" in text and "pit-1" in text and "pit-2" not in text
    assert "Every table's win is what its people lost by the ledger, to the cent." in text
    page, rows, parquet = tmp_path / "day.html", tmp_path / "day.csv", tmp_path / "day.parquet"
    words = ("--html", str(page), "--csv", str(rows), "--parquet", str(parquet))
    assert said(capsys, "day", log, "--date", "2026-11-18", *words) == ""
    told = json.loads(said(capsys, "day", log, "--date", "2026-11-18", "--json"))
    total = next(row for row in csv.DictReader(io.StringIO(rows.read_text())) if row["part"] == "total")
    assert int(total["win"]) == told["total"]["win"] == sum(row["win"] for row in told["by_wager"])
    assert int(total["drop"]) == 1_500_000
    assert page.read_text().startswith("<!doctype html>")
    import duckdb

    (found,) = duckdb.connect().execute(f"select win from '{parquet}' where part = 'total'").fetchall()
    assert found == (told["total"]["win"],)


def test_months_shifts_tables_people_and_regulators(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    win = json.loads(said(capsys, "day", log, "--date", "2026-11-18", "--json"))["total"]["win"]
    month = json.loads(said(capsys, "month", log, "--month", "2026-11", "--json"))
    assert month["total"]["win"] == win
    assert json.loads(said(capsys, "month", log, "--month", "2026-12", "--json"))["total"]["rounds"] == 0
    table = json.loads(said(capsys, "table", log, "pit-1", "--json"))
    assert table["total"]["win"] == win == -sum(row["won"] for row in table["people"])
    alice = json.loads(said(capsys, "patron", log, "alice", "--json"))
    assert [row["person"] for row in alice["people"]] == ["alice"] and alice["people"][0]["bought"] >= 500_000
    text = said(capsys, "regulator", log, "--month", "2026-11")
    assert "Report for the regulator" in text and "with the hash " in text
    assert "Shift report" in said(capsys, "shift", log, "--date", "2026-11-18", "--begins", "18:00", "--hours", "12")


def test_a_shift_report_begins_with_the_notes_of_those_who_ran_it(
    log: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ("shift", log, "--date", "2026-11-18", "--begins", "18:00", "--hours", "12")
    text = said(capsys, *words)
    assert "Count the float of pit-1." in text and "sam, supervisor" in text
    said(capsys, *words, "--html", str(tmp_path / "shift.html"))
    assert "Count the float of pit-1." in (tmp_path / "shift.html").read_text()
    assert "Handover" not in said(capsys, "shift", log, "--date", "2026-11-16", "--begins", "06:00")


NIGHT = """title = "a night"
rulebook = "nsw-pontoon"
begins = 2026-11-18T20:00:00
acts = [
  "20:00 t1: alice bets 10 on 1",
  "20:00 t1: casino-supervisor fills the float with 5000",
  "20:01 t1: alice disputes that the sign is wrong",
  "20:05 t1: casino-supervisor records bob overpaid 1200 unrectified because miscounted",
  "20:30 t1: casino-supervisor rules for alice that it is right",
  "2026-11-19 06:30 registers: MarkDone item='ask bob' evidence='he paid it back'",
]
[tables.t1]
"""


@pytest.mark.clause("nsw-pontoon", "17.18.2", "17.20:tail", "19.17")
def test_a_report_says_what_was_still_to_be_done_when_its_period_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, log = tmp_path / "night.floor", str(tmp_path / "night.db")
    record.write_text(NIGHT)
    assert main(["floor", str(record), "--keep", log]) == 0
    capsys.readouterr()

    def duties(*words: str) -> list[tuple[str, bool]]:
        told = json.loads(said(capsys, *words, "--json"))
        return [(row["text"].split(",")[0].split(":")[0], row["is_overdue"]) for row in told["duties"]]

    checked, paid = "Every card that came to t1 is checked", "Put the payment right"
    months = "Overpayments and underpayments above the amount that is reported"
    early = ("shift", log, "--date", "2026-11-18", "--begins", "20:00", "--hours")
    assert duties(*early, "1") == [(checked, False), (paid, False), (months, False)]
    assert duties("day", log, "--date", "2026-11-18") == [(checked, False), (paid, True), (months, False)]
    assert duties("day", log, "--date", "2026-11-19") == [(checked, False), (months, False)]
    assert duties("day", log, "--date", "2026-11-17") == []
    assert duties("regulator", log, "--month", "2026-11") == [(checked, False), (months, False)]
    text = said(capsys, *early, "1")
    assert (
        "Still to be done" in text and "NSW pontoon 17.20" in text and "$5,000.00" in text.split("Fills and credits")[1]
    )
    said(capsys, *early, "1", "--html", str(tmp_path / "shift.html"))
    assert "<h2>Still to be done</h2>" in (tmp_path / "shift.html").read_text()


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (("day", "--date", "18.11.2026"), "write it as in 2026-11-18"),
        (("month", "--month", "2026"), "write it as in 2026-11"),
        (("shift", "--date", "2026-11-18", "--begins", "late"), "write it as in 18:00"),
        (("shift", "--date", "2026-11-18", "--hours", "0"), "1 to 24 hours"),
        (("table", "pit-9"), "has no table 'pit-9'; it has pit-1"),
        (("table", "pit-2"), "a practice table: its chips have no value"),
        (("patron", "nobody"), "has nobody called 'nobody'"),
        (("day", "--date", "2026-11-18", "--html", "no/such/folder/x.html"), "there is no folder"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(
    log: str, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], wrong: str
) -> None:
    told = said(capsys, words[0], log, *words[1:], code=2)
    assert wrong in told and len(told.splitlines()) <= 3
