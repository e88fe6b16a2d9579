"""Months by a fake clock, over both changes of Sydney's clocks and nights that cross midnight: the registers are what a
reader makes of the raw log by hand, no deadline is missed, and none comes twice."""

from __future__ import annotations

import asyncio
import datetime
import json
import random
from collections import Counter
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest

from pitboss.floor.clock import SetClock
from pitboss.floor.host import ActBody, stream_of
from pitboss.floor.projections import Projections
from pitboss.floor.registers import STREAM, WRITTEN, FileLines, HouseRegisters, RegisterBody, all_kept
from pitboss.registers import acts as r
from pitboss.registers.asking import Index, Kept, Wanted, counts, items, lines
from pitboss.registers.model import PROMPT_MS, Item
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.store.log import Append, NewEntry, Part
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.house import default_house
from tests.floor.memory import MemoryLog, a_floor, a_table, an_opening
from tests.floor.playing import wander
from tests.lengths import length

SYDNEY = ZoneInfo("Australia/Sydney")
STARTS = {
    "clocks go forward": datetime.datetime(2026, 9, 20, 23, 30, tzinfo=SYDNEY),
    "clocks go back": datetime.datetime(2027, 3, 25, 4, 30, tzinfo=SYDNEY),
    "new year": datetime.datetime(2026, 12, 30, 5, 59, tzinfo=SYDNEY),
}
BOOK = load("nsw-pontoon")
DAY_BEGINS = BOOK.patrons.day_begins_hour.value
PEOPLE, TABLES = ("alice", "bob", "carol"), ("t1", "t2")
HOUR_MS = 3_600_000
NEXT_DEAL, TOLD_OF_CARDS = "before-the-next-deal", ("surveillance", "inspector")


class Writer:
    """A log that is written as time goes by."""

    def __init__(self, seed: int, start: datetime.datetime) -> None:
        self.log, self.rng = MemoryLog(), random.Random(seed)
        self.now = int(start.timestamp() * 1000)
        self.disputes: set[tuple[str, str]] = set()
        house = default_house(BOOK)
        for table in TABLES:
            self.append(stream_of(table), "opened", {"rulebook": BOOK.id, "house": house, "players": {}})

    def append(self, stream: str, kind: str, body: Any, by: str = "sam") -> None:
        part = Part(stream, self.log.version(stream), (NewEntry(kind, msgspec.json.encode(body)),))
        self.log.append([Append((part,), self.now, by)])

    def act(self, table: str, act: Any, *events: Any) -> None:
        self.append(stream_of(table), "act", ActBody(act, events, "supervisor"))

    def step(self) -> None:
        """Something happens after seconds, hours or days."""
        rng = self.rng
        self.now += rng.choice((1, 1_000, 40_000, PROMPT_MS, HOUR_MS, 3 * HOUR_MS, 20 * HOUR_MS, 75 * HOUR_MS))
        table, person = rng.choice(TABLES), rng.choice(PEOPLE)
        match rng.randrange(10):
            case 0 | 1:
                cents, over = rng.choice((500, 100_000, 100_100, 900_000)), rng.random() < 0.5
                rectified, intended = rng.random() < 0.5, rng.random() < 0.3
                act = a.RecordMispayment("casino-supervisor", person, cents, over, rectified, intended)
                kind = "overpayment" if over else "underpayment"
                recorded = e.MispaymentRecorded(
                    ("17.18",), act.by, person, cents if over else -cents, intended, cents > 100_000
                )
                notice = e.NoticeGiven(
                    ("17.20:tail",), "regulator", f"{kind} of {cents}: for the report", "end-of-month"
                )
                self.act(table, act, recorded, *([notice] if cents > 100_000 else []))
            case 2:
                if (table, person) not in self.disputes:
                    self.disputes.add((table, person))
                    told = e.NoticeGiven(("19.17",), "gaming-supervisor", f"{person} disputes")
                    raised = e.DisputeRaised(("19.17",), person, "it")
                    self.act(table, a.RaiseDispute(person, "it"), raised, told)
            case 3:
                if (table, person) in self.disputes:
                    self.disputes.discard((table, person))
                    ruled = e.DisputeRuled(("19.17",), "gaming-supervisor", person, "so", False)
                    self.act(table, a.RuleDispute("gaming-supervisor", person, "so"), ruled)
            case 4:
                reported = e.IrregularityReported(("17.1",), "card-face-up", "inspector")
                told = e.NoticeGiven(("17.1",), "inspector", "card face up", "before-play-goes-on")
                self.act(table, a.FindFaceUpCard(), reported, told)
            case 5:
                self.act(table, a.Deal(), e.RoundBegan(("7.1",), (1,)))
            case 6:
                self.act(table, a.Approve("inspector"), e.ApprovalGiven(("17.1",), "inspector"))
            case 7:
                open_ones = [name for name, item in naive_items(self.log).items() if not item["done"]]
                if open_ones:
                    mark = r.MarkDone("casino-supervisor", rng.choice(open_ones), "seen to")
                    self.append(STREAM, WRITTEN, RegisterBody(BOOK.id, mark, (), mark.by))

            case 8:
                reported = e.IrregularityReported(("17.16",), "missing-card")
                whom = [e.NoticeGiven(("17.16.4",), to, "a card is missing", NEXT_DEAL) for to in TOLD_OF_CARDS]
                self.act(table, a.FindWrongCards("casino-supervisor", "missing"), reported, *whom)
            case 9:
                check = rng.choice(("decks", *TOLD_OF_CARDS))
                confirmed = e.CheckConfirmed(("17.16.4",), "casino-supervisor", check)
                self.act(table, a.Confirm("casino-supervisor", check), confirmed)


def gaming_date(at_ms: int) -> datetime.date:
    shown = datetime.datetime.fromtimestamp(at_ms / 1000, SYDNEY)
    return shown.date() if shown.hour >= DAY_BEGINS else shown.date() - datetime.timedelta(days=1)


def begins(date: datetime.date) -> int:
    moment = datetime.datetime(date.year, date.month, date.day, DAY_BEGINS, tzinfo=SYDNEY)
    return int(moment.timestamp() * 1000)


def naive_items(log: MemoryLog) -> dict[str, dict[str, Any]]:
    """What is to be done, by reading the log from its first entry with nothing but JSON and a calendar."""
    found: dict[str, dict[str, Any]] = {}

    def add(name: str, table: str, key: str, due: int) -> None:
        found[name] = {"table": table, "key": key, "due": due, "done": 0}

    def close(key: str, at: int) -> None:
        for item in found.values():
            if item["key"] == key and not item["done"]:
                item["done"] = at

    for entry in log.entries:
        body = json.loads(entry.body)
        if entry.stream == STREAM:
            found[body["act"]["item"]]["done"] = entry.at_ms
        if entry.kind != "act":
            continue
        table, number = entry.stream.removeprefix("table:"), 0
        for event in body["events"]:
            name = event["event"]
            if name == "MispaymentRecorded":
                ends = begins(gaming_date(entry.at_ms) + datetime.timedelta(days=1))
                for wanted in (not body["act"].get("rectified", True), True):
                    if wanted:
                        add(f"{entry.seq}:{number}", table, "", ends)
                        number += 1
            elif name == "RoundBegan":
                for item in found.values():
                    if (
                        item["table"] == table
                        and item["key"] == f"approval {table}"
                        and not item["due"]
                        and not item["done"]
                    ):
                        item["due"] = entry.at_ms
            elif name == "CheckConfirmed":
                close(f"{event['check']} {table}", entry.at_ms)
            elif name == "IrregularityReported" and event["kind"] != "missing-card":
                add(f"{entry.seq}:{number}", table, f"approval {table}", 0)
                number += 1
            elif name == "ApprovalGiven":
                close(f"approval {table}", entry.at_ms)
            elif name == "DisputeRuled":
                close(f"dispute {table} {event['player']}", entry.at_ms)
        for event in body["events"]:
            if event["event"] != "NoticeGiven":
                continue
            if event["to"] == "regulator":
                month = gaming_date(entry.at_ms).replace(day=1)
                after = (month + datetime.timedelta(days=40)).replace(day=2)
                base = f"mispayments:nsw-pontoon:{month:%Y-%m}"
                names = [name for name in found if name == base or name.startswith(f"{base}:")]
                if not names or found[names[-1]]["done"]:
                    add(f"{base}:{len(names) + 1}" if names else base, "", "", begins(after))
            elif event.get("due") == NEXT_DEAL:
                add(f"{entry.seq}:{number}", table, f"{event['to']} {table}", entry.at_ms + PROMPT_MS)
                number += 1
            elif event["to"] == "inspector":
                add(f"{entry.seq}:{number}", table, f"approval {table}", 0)
                number += 1
            else:
                player = body["act"]["player"]
                add(f"{entry.seq}:{number}", table, f"dispute {table} {player}", entry.at_ms + PROMPT_MS)
                number += 1
    return found


NAMED = {
    "MispaymentRecorded": "mispayments", "DisputeRaised": "disputes", "DisputeRuled": "disputes",
    "IrregularityReported": "irregularities", "ApprovalGiven": "approvals",
}  # fmt: skip


def naive_lines(log: MemoryLog) -> dict[str, list[tuple[int, str, tuple[str, ...]]]]:
    found: dict[str, list[tuple[int, str, tuple[str, ...]]]] = {}
    for entry in log.entries:
        body = json.loads(entry.body)
        if entry.kind == "opened":
            found.setdefault("limits", []).append((entry.at_ms, "", BOOK.limits.sign.clauses))
        for event in body.get("events", ()):
            if event["event"] in NAMED:
                line = (entry.at_ms, event.get("player", ""), tuple(event["clauses"]))
                register = "wrong-cards" if event.get("kind") == "missing-card" else NAMED[event["event"]]
                found.setdefault(register, []).append(line)
    return found


def state(item: dict[str, Any], now_ms: int) -> str:
    if item["done"]:
        return "done"
    return "overdue" if item["due"] and now_ms >= item["due"] else "due"


def registered(log: MemoryLog) -> Kept:
    return all_kept(Projections(log), FileLines(log))


@pytest.mark.clause("nsw-pontoon", "17.16.4", "17.18.2", "17.19.1", "17.20:tail")
@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_registers_are_what_the_raw_log_says_and_no_deadline_is_missed_or_doubled(start: datetime.datetime) -> None:
    for seed in range(length(60, 3)):
        writer = Writer(seed, start)
        for _ in range(160):
            writer.step()
        book, naive = registered(writer.log), naive_items(writer.log)
        mine: dict[str, Item] = {item.id: item for item in book.items}
        assert len(mine) == len(book.items)
        assert {name: (item.due_ms, item.done_ms) for name, item in mine.items()} == {
            name: (item["due"], item["done"]) for name, item in naive.items()
        }, f"seed {seed}"
        for register, wanted in naive_lines(writer.log).items():
            found = [(line.at_ms, line.person, line.clauses[: len(line.clauses)]) for line in book.lines[register]]
            assert [each[:2] for each in found] == [each[:2] for each in wanted], f"seed {seed}, {register}"
            assert all(set(each[2]) >= set(other[2]) for each, other in zip(found, wanted, strict=True))
        moments = sorted({item["due"] for item in naive.values() if item["due"]})
        for moment in moments[:: max(1, len(moments) // 20)]:
            for now in (moment - 1, moment):
                overdue = sum(each.overdue for each in counts(book, now))
                assert overdue == sum(state(item, now) == "overdue" for item in naive.values()), f"seed {seed}"
        months = {
            f"{gaming_date(entry.at_ms):%Y-%m}" for entry in writer.log.entries if b'"reported":true' in entry.body
        }
        lists = [item for item in mine.values() if item.to == "regulator"]
        assert {item.id.split(":")[2] for item in lists} == months, "each month with such a payment has its list"


def test_a_search_finds_what_looking_at_every_line_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Index, "PART", 7)
    writer = Writer(3, STARTS["new year"])
    projections, files = Projections(writer.log), FileLines(writer.log)
    for turn in range(6):  # what is searched grows as the log does
        for _ in range(40):
            writer.step()
        book = all_kept(projections, files)
        plain = Kept(book.lines, book.items, book.calendars)
        assert book.index is not None and plain.index is None
        found = 0
        for search in (
            "alice",
            "PAID bob",
            "17.18 accidental",
            "carol dispute",
            "overpay",
            "2026-12",
            "x",
            "17",
            "none",
        ):
            for register in ("", "mispayments", "disputes", "approvals"):
                wanted = Wanted(register, search)
                assert lines(book, wanted, writer.now) == lines(plain, wanted, writer.now), (turn, wanted)
                assert items(book, wanted, writer.now) == items(plain, wanted, writer.now), (turn, wanted)
                found += len(lines(book, wanted, writer.now)) + len(items(book, wanted, writer.now))
        assert found > 20


def test_a_fold_that_is_put_down_and_taken_up_anywhere_says_the_same() -> None:
    writer = Writer(5, STARTS["clocks go back"])
    for _ in range(120):
        writer.step()
    entries, whole = writer.log.entries, HouseRegisters()
    for entry in entries:
        whole.apply(entry)
    for place in range(0, len(entries), 7):
        fold = HouseRegisters()
        for entry in entries[:place]:
            fold.apply(entry)
        fold = msgspec.json.decode(msgspec.json.encode(fold), type=HouseRegisters)
        for entry in entries[place:]:
            fold.apply(entry)
        assert fold == whole, place


@pytest.mark.parametrize(
    ("at", "due"),
    [
        # Sydney's clocks go forward at 02:00 on 4 October 2026, and back at 03:00 on 4 April 2027
        ("2026-10-01T05:59:00+10:00", "2026-10-02T06:00:00+10:00"),  # still the gaming day of 30 September
        ("2026-10-01T06:00:00+10:00", "2026-11-02T06:00:00+11:00"),
        ("2026-10-31T23:00:00+11:00", "2026-11-02T06:00:00+11:00"),
        ("2026-11-01T05:59:59+11:00", "2026-11-02T06:00:00+11:00"),
        ("2027-03-31T12:00:00+11:00", "2027-04-02T06:00:00+11:00"),
        ("2027-04-04T02:30:00+11:00", "2027-05-02T06:00:00+10:00"),  # the hour that comes twice
        ("2027-04-04T02:30:00+10:00", "2027-05-02T06:00:00+10:00"),
    ],
)
@pytest.mark.clause("nsw-pontoon", "17.20:tail")
def test_the_months_list_is_due_when_the_first_gaming_day_of_the_next_month_ends(at: str, due: str) -> None:
    if DAY_BEGINS != 6:
        pytest.fail("the gaming day begins at another hour: write the moments anew")
    writer = Writer(1, datetime.datetime.fromisoformat(at))
    recorded = e.MispaymentRecorded(("17.18",), "casino-supervisor", "alice", 200_000, False, True)
    notice = e.NoticeGiven(("17.20:tail",), "regulator", "overpayment of $2,000.00: for", "end-of-month")
    writer.act("t1", a.RecordMispayment("casino-supervisor", "alice", 200_000), recorded, notice)
    (found,) = [item for item in registered(writer.log).items if item.to == "regulator"]
    assert found.due_ms == int(datetime.datetime.fromisoformat(due).timestamp() * 1000)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_whatever_happens_at_a_table_is_registered_once_with_its_clause(rulebook: str) -> None:
    """Anything that anybody might do, mishaps included: as many lines as the raw log has such events."""

    async def played() -> tuple[MemoryLog, Kept]:
        log = MemoryLog()
        async with a_floor(log, clock=SetClock(1_795_000_000_000)) as floor:
            await a_table(floor, "t1", an_opening(rulebook))
            await wander(floor, "t1", length(2_000, 120), 11, 0.25)
            return log, all_kept(floor.projections, FileLines(log))

    log, book = asyncio.run(played())
    wanted: Counter[str] = Counter()
    for entry in log.entries:
        for event in json.loads(entry.body).get("events", ()) if entry.stream == "table:t1" else ():
            name, kind = event["event"], event.get("kind", "")
            if name == "IrregularityReported":
                devices = kind in ("shuffling-device-malfunction", "jam", "jackpot-fault")
                wanted[
                    "devices"
                    if devices
                    else "wrong-cards"
                    if kind in ("missing-card", "foreign-card")
                    else "irregularities"
                ] += 1
            elif name in (
                "RoundVoided",
                "EarlierRoundVoided",
                "RoundReconstructed",
                "RoundReopened",
                "RoundTakenBack",
            ) or name in ("DutyReminded", "TableStopped", "TableResumed"):
                wanted["irregularities"] += 1
            elif name in ("DisputeRaised", "DisputeRuled", "ReviewAsked"):
                wanted["disputes"] += 1
            elif name in ("MispaymentRecorded", "MispaymentRectified"):
                wanted["mispayments"] += 1
    counted = {name: len(book.lines[name]) for name in ("irregularities", "wrong-cards", "disputes", "mispayments")}
    assert counted == {name: wanted[name] for name in counted} and sum(counted.values()) > 3
    assert all(line.clauses and line.text for found in book.lines.values() for line in found)
    assert all(item.clauses and item.text and item.who for item in book.items)
    assert len({line.id for found in book.lines.values() for line in found}) == sum(map(len, book.lines.values()))
