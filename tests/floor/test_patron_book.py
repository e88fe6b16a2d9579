"""The patrons' book on a floor: written in one's own role, seen by whoever may, the same in every process."""

from __future__ import annotations

import asyncio
import datetime
from pathlib import Path

import msgspec
import pytest

from pitboss.floor.clock import SetClock
from pitboss.floor.model import Caller, Denied
from pitboss.floor.patron_book import PatronBook, may_look_up
from pitboss.patrons import acts as p
from pitboss.patrons.gaming_day import Calendar, CloseDay, OpenDay, begins_ms
from pitboss.patrons.stakes import telling
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.store.group import GroupCommit
from pitboss.store.opening import open_log
from pitboss.table.acts import TellPatron
from pitboss.table.refusals import Refusal
from tests.floor.memory import MemoryLog

NSW = load("nsw-pontoon")
SYDNEY = Calendar("Australia/Sydney", 6)
SUPERVISOR, MANAGER = Caller("sue", "supervisor"), Caller("max", "gaming-manager")
ALICE, BOB = Caller("alice", "player"), Caller("bob", "player")
NOON = begins_ms(SYDNEY, datetime.date(2026, 11, 18)) + 6 * 3_600_000


def book(log: MemoryLog, clock: SetClock) -> PatronBook:
    return PatronBook(GroupCommit(log), clock)


def said_of_alice(here: PatronBook) -> TellPatron:
    """What a table is told of her now."""
    return telling(NSW, here.file("alice"), "t1", here.now(NSW))


async def known(here: PatronBook) -> None:
    assert not isinstance(await here.do(SUPERVISOR, "alice", NSW, p.Identify("", "passport")), Refusal | Denied)
    assert not isinstance(await here.do(SUPERVISOR, "alice", NSW, p.IssueCard("", "S-1")), Refusal | Denied)


@pytest.mark.clause("nsw-pontoon", "5.1", "def:Loss Limit")
async def test_a_file_is_the_same_in_every_process_and_after_a_restart() -> None:
    log, clock = MemoryLog(), SetClock(NOON)
    here, there = book(log, clock), book(log, clock)
    assert not said_of_alice(here).card
    await known(here)
    assert not isinstance(await there.do(ALICE, "alice", NSW, p.SetLossLimit("", 10_000)), Refusal | Denied)
    again = book(log, clock)
    for each in (here, there, again):
        await each.load("Alice")
        told = said_of_alice(each)
        assert (told.card, told.loss_left_cents) == (True, 10_000)
        assert each.version("alice") == 4


@pytest.mark.clause("nsw-pontoon", "19.1", "def:Player Card")
async def test_a_card_number_is_one_persons_for_ever() -> None:
    log, clock = MemoryLog(), SetClock(NOON)
    here, there = book(log, clock), book(log, clock)
    await known(here)
    await there.do(SUPERVISOR, "bob", NSW, p.Identify("", "passport"))
    for number in ("S-1", " s-1 "):
        no = await there.do(SUPERVISOR, "bob", NSW, p.IssueCard("", number))
        assert isinstance(no, Refusal) and "another person" in no.text and "19.1" in no.clauses
    assert (await there.load("bob")).card is None
    for act in (p.IssueCard("", "S-2"), p.IssueCard("", "S-1"), p.WithdrawCard("", "lost")):  # hers as often as needed
        assert isinstance(await here.do(SUPERVISOR, "Alice", NSW, act), tuple)
    for number in ("S-1", "S-2"):
        assert isinstance(await there.do(SUPERVISOR, "bob", NSW, p.IssueCard("", number)), Refusal)
    assert isinstance(await there.do(SUPERVISOR, "bob", NSW, p.IssueCard("", "S-3"), "once"), tuple)
    assert isinstance(await there.do(SUPERVISOR, "bob", NSW, p.IssueCard("", "S-3"), "once"), tuple)
    assert not any("s-1" in stream.lower() for stream in log.streams())


@pytest.mark.clause("nsw-pontoon", "def:Player Card")
async def test_of_many_processes_that_issue_one_card_one_does() -> None:
    log, clock = MemoryLog(), SetClock(NOON)
    names = [f"guest{number}" for number in range(6)]
    books = [book(log, clock) for _ in names]
    for each, name in zip(books, names, strict=True):
        await each.do(SUPERVISOR, name, NSW, p.Identify("", "passport"))
    issued = [each.do(SUPERVISOR, name, NSW, p.IssueCard("", "S-1")) for each, name in zip(books, names, strict=True)]
    answers = await asyncio.gather(*issued)
    assert sum(isinstance(answer, tuple) for answer in answers) == 1
    assert sum(isinstance(answer, Refusal) for answer in answers) == 5


async def test_two_processes_write_one_after_the_other() -> None:
    log, clock = MemoryLog(), SetClock(NOON)
    books = [book(log, clock) for _ in range(4)]
    await known(books[0])
    await asyncio.gather(*(each.do(SUPERVISOR, "alice", NSW, p.Deposit("", 100)) for each in books for _ in range(5)))
    assert (await books[0].load("alice")).deposited_cents == 2_000
    assert books[0].version("alice") == 22


async def test_the_role_is_the_callers_own() -> None:
    here = book(MemoryLog(), SetClock(NOON))
    claims = p.Identify("gaming-manager", "passport")
    for caller in (ALICE, Caller("dan", "dealer"), Caller("ida", "inspector"), Caller("adam", "administrator")):
        assert isinstance(await here.do(caller, "alice", NSW, claims), Refusal)
    await known(here)
    assert isinstance(await here.do(BOB, "alice", NSW, p.SetLossLimit("player", 1)), Refusal)
    assert here.file("alice").loss_limit is None


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_who_may_look_a_person_up(rulebook: str) -> None:
    may = {
        role: may_look_up(Caller("somebody", role), "alice", load(rulebook)) is None
        for role in (
            "player", "dealer", "supervisor", "gaming-manager", "tournament-manager", "inspector", "administrator",
        )
    }  # fmt: skip
    assert [role for role, allowed in may.items() if allowed] == ["supervisor", "gaming-manager", "inspector"]
    assert may_look_up(ALICE, "alice", load(rulebook)) is None
    denied = may_look_up(BOB, "alice", load(rulebook))
    assert denied is not None
    assert denied.clauses == load(rulebook).patrons.looked_up_by.clauses


@pytest.mark.clause("nsw-pontoon", "19.5")
@pytest.mark.clause("nsw-blackjack-challenge", "20.5")
@pytest.mark.parametrize("rulebook", ["nsw-pontoon", "nsw-blackjack-challenge"])
async def test_a_player_sees_their_own_limits_and_what_they_mean(rulebook: str) -> None:
    here = book(MemoryLog(), SetClock(NOON))
    await known(here)
    await here.do(ALICE, "alice", NSW, p.SetLossLimit("", 10_000, "week"))
    mine = await here.look_up(ALICE, "alice", load(rulebook))
    assert isinstance(mine, dict)
    assert (mine["loss_left_cents"], mine["loss_limit"]["period"], mine["card_trouble"]) == (10_000, "week", "")
    assert "not liable" in mine["note"]
    assert isinstance(await here.look_up(BOB, "alice", load(rulebook)), Denied)


@pytest.mark.clause("nsw-pontoon", "5.13", "19.8.3")
async def test_a_player_is_shown_the_clause_and_not_what_staff_wrote_down() -> None:
    here = book(MemoryLog(), SetClock(NOON))
    await known(here)
    private = "counts cards, says Sue"
    for act in (
        p.RestrictPatron("", "one-box", private, notified=True), p.Exclude("", private), p.WithdrawCard("", private),
    ):  # fmt: skip
        assert isinstance(await here.do(MANAGER, "alice", NSW, act), tuple)
    mine, seen = await here.look_up(ALICE, "alice", NSW), await here.look_up(SUPERVISOR, "alice", NSW)
    assert private not in str(mine) and str(seen).count(private) == 3
    assert isinstance(mine, dict)
    assert mine["restrictions"][0]["rule"] == "one-box" and "5.13" in mine["restrictions"][0]["why"]
    assert mine["exclusions"][0]["scope"] == "casino" and "19.8.3" in mine["exclusions"][0]["why"]
    assert mine["card_trouble"] == "withdrawn"


async def test_the_gaming_day_is_opened_and_closed_for_all_processes() -> None:
    log, clock = MemoryLog(), SetClock(NOON)
    here, there = book(log, clock), book(log, clock)
    assert isinstance(await here.turn_day(SUPERVISOR, NSW, OpenDay("")), Refusal)
    opened = await here.turn_day(MANAGER, NSW, OpenDay(""))
    assert not isinstance(opened, Refusal | Denied)
    clock.pass_ms(24 * 3_600_000)  # nobody has closed it: it is still that day
    await there.load_day()
    assert there.date == datetime.date(2026, 11, 18)
    assert there.now(NSW).date == datetime.date(2026, 11, 18)
    assert there.now(NSW).calendar_date == datetime.date(2026, 11, 19)
    assert not isinstance(await there.turn_day(MANAGER, NSW, CloseDay("")), Refusal | Denied)
    assert not isinstance(await here.turn_day(MANAGER, NSW, OpenDay("")), Refusal | Denied)
    assert here.date == datetime.date(2026, 11, 19)


@pytest.mark.clause("nsw-pontoon", "19.4")
async def test_a_new_period_begins_by_the_clock_where_no_day_is_opened() -> None:
    log, clock = MemoryLog(), SetClock(NOON)
    here = book(log, clock)
    await known(here)
    await here.do(ALICE, "alice", NSW, p.SetLossLimit("", 10_000))
    await here.do(ALICE, "alice", NSW, p.SetLossLimit("", 20_000))
    assert said_of_alice(here).loss_left_cents == 10_000
    clock.pass_ms(17 * 3_600_000)  # 05:00: the night belongs to the day before
    assert said_of_alice(here).loss_left_cents == 10_000
    clock.pass_ms(3_600_000)
    assert said_of_alice(here).loss_left_cents == 20_000


async def test_what_a_file_says_stands_nowhere_in_the_open(tmp_path: Path) -> None:
    """Neither in an entry nor in the answer kept with its command; sent again, it is read from the file."""
    place = tmp_path / "floor.db"
    commits = GroupCommit(open_log(str(place)))
    here = PatronBook(commits, SetClock(NOON))
    act = p.Exclude("", "drunkenandloud")
    first = await here.do(MANAGER, "alice", NSW, act, "max/1")
    assert isinstance(first, tuple) and "drunkenandloud" in str(first)
    assert isinstance(await here.do(MANAGER, "alice", NSW, p.Identify("", "passport"), "max/2"), tuple)
    assert await here.do(MANAGER, "alice", NSW, act, "max/1") == first
    other = await here.do(MANAGER, "alice", NSW, p.Identify("", "licence"), "max/1")
    assert other == first, "an id is for one command"
    await commits.close()
    commits.log.close()
    stored = b"".join(each.read_bytes() for each in tmp_path.glob("floor.db*"))
    assert b"max/1" in stored and b"drunkenandloud" not in stored


async def test_answers_of_a_log_of_before_are_read_as_they_are() -> None:
    log = MemoryLog()
    here = book(log, SetClock(NOON))
    first = await here.do(SUPERVISOR, "alice", NSW, p.Identify("", "passport"), "sue/1")
    assert isinstance(first, tuple)
    assert await here._said_in_file(msgspec.json.encode(first)) == first
    assert isinstance(await here._said_in_file(b'{"is": "accepted", "table": "", "version": 1}'), Denied)
