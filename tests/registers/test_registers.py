"""Each register, from acts at live tables: what stands in it, by which clause, what is due and who must act by when."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss.floor import projections, registers
from pitboss.floor.clock import SetClock
from pitboss.floor.floor import Floor
from pitboss.floor.model import Caller, Opening
from pitboss.floor.registers import STREAM, WRITTEN, FileLines, RegisterBody, all_kept, book_of
from pitboss.patrons import events as pe
from pitboss.patrons.acts import Recognise
from pitboss.registers import acts as r
from pitboss.registers.asking import Kept, Wanted, counts, items, lines
from pitboss.registers.model import MINUTE_MS, OUTSIDE, PROMPT_MS, REGISTERS, Item, Line
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.store.log import PROJECTIONS, Append, Appended, NewEntry, Part
from pitboss.store.opening import open_log
from pitboss.table import acts as a
from pitboss.table.house import default_house
from tests.floor.memory import ALICE, SUPERVISOR, MemoryLog, a_floor, a_table, an_opening
from tests.floor.playing import ANYBODY, must, ready

NOW = 1_795_000_000_000
DATE = datetime.date(2026, 11, 18)
clause = pytest.mark.clause


def told(floor: Floor) -> Kept:
    return all_kept(floor.projections, FileLines(floor.commits.log))


def of(book: Kept, register: str, **more: Any) -> list[Line]:
    """Oldest first."""
    return lines(book, Wanted(register, **more), 0)[::-1]


def due(book: Kept, now_ms: int, register: str = "") -> list[Item]:
    return items(book, Wanted(register, due=True), now_ms)


async def free(floor: Floor, table: str = "t1") -> None:
    """Whatever the acts are, nobody is denied: who may do what is tested elsewhere."""
    floor.hosts[table]._permit = lambda caller, act, state: None


def for_money(rulebook: str = "nsw-pontoon", **house: Any) -> Opening:
    return an_opening(rulebook, date=DATE, **house)


async def write(floor: Floor, act: r.AnyRegisterAct, rulebook: str = "nsw-pontoon", by: str = "sam") -> int:
    """As the floor writes it; who may is tested elsewhere."""
    book, log = book_of(rulebook), floor.commits.log
    body = msgspec.json.encode(RegisterBody(rulebook, act, r.cause(book, act), act.by))
    part = Part(STREAM, log.version(STREAM), (NewEntry(WRITTEN, body),))
    (done,) = log.append([Append((part,), floor.clock.now_ms(), by)])
    assert isinstance(done, Appended)
    return done.seq


def clocked() -> tuple[SetClock, Any]:
    clock = SetClock(NOW)
    return clock, a_floor(MemoryLog(), clock=clock)


# --- limits and signs ------------------------------------------------------------------------------------------------


@clause("nsw-pontoon", "6.5", "6.5.1", "6.5.1.2")
async def test_a_rise_tells_its_notice_who_keeps_the_old_minimum_and_who_loses_it_by_leaving() -> None:
    clock, opened = clocked()
    async with opened as floor:
        await a_table(floor, "t1", for_money())
        await free(floor)
        await must(floor, ANYBODY, "t1", a.TakeSeat("alice", 1), a.TakeSeat("bob", 2))
        await must(floor, SUPERVISOR, "t1", a.SetLimits("", 2_500, 100_000))
        clock.pass_ms(5 * MINUTE_MS)
        await must(floor, ANYBODY, "t1", a.LeaveTable("alice"))
        sign = a.DisplaySign("", "limits", 20, 5_000, 100_000)
        await must(floor, SUPERVISOR, "t1", sign)
        book = told(floor)
        first, rise, lost, shown = of(book, "limits")
        assert first.text == "t1 is opened with limits $5.00 to $1,000.00" and first.clauses
        assert rise.kind == "rise" and "no sign had announced it (20 are wanted)" in rise.text
        assert rise.text.endswith("the old minimum stays for alice ($5.00), bob ($5.00)") and rise.by == "sam"
        assert (lost.kind, lost.person, lost.cents) == ("old minimum lost", "alice", 500)
        assert "6.5.1" in " ".join(lost.clauses)
        (waits,) = [item for item in due(book, clock.ms, "limits") if not item.to]
        assert waits.due_ms == shown.at_ms + 20 * MINUTE_MS + PROMPT_MS and waits.who == "casino-supervisor"
        clock.pass_ms(20 * MINUTE_MS)
        floor.signs.look(floor.hosts["t1"])
        await must(floor, SUPERVISOR, "t1", a.CapPlayers("", 5))  # what the floor did by itself comes before it
        book = told(floor)
        last = of(book, "limits", kind="rise")[-1]
        assert "its sign had stood for 20 of 20 minutes (20 are wanted)" in last.text and last.by == ""
        assert last.text.endswith("no longer for bob")
        assert not due(book, clock.ms, "limits")


@clause("nsw-pontoon", "6.5", "6.5.2")
async def test_a_sign_that_was_taken_away_in_between_and_a_rise_that_came_too_early() -> None:
    clock, opened = clocked()
    async with opened as floor:
        await a_table(floor, "t1", for_money())
        await free(floor)
        await must(floor, ANYBODY, "t1", a.TakeSeat("alice", 1))
        sign = a.DisplaySign("", "limits", 20, 2_500, 100_000)
        await must(floor, SUPERVISOR, "t1", sign)
        clock.pass_ms(12 * MINUTE_MS)
        await must(floor, SUPERVISOR, "t1", a.TakeDownSign("", "limits"), sign)
        clock.pass_ms(19 * MINUTE_MS)
        await must(floor, SUPERVISOR, "t1", a.SetLimits("", 2_500, 100_000))
        book = told(floor)
        (taken,) = of(book, "limits", kind="sign taken down")
        assert taken.text.endswith("it had stood for 12 of its 20 minutes, and is taken away before its time")
        (early,) = of(book, "limits", kind="rise")
        assert "its sign had stood for 19 of 20 minutes, too early" in early.text
        assert "the old minimum stays for alice" in early.text
        assert not due(book, clock.ms, "limits")


# --- people ----------------------------------------------------------------------------------------------------------


@clause("nsw-pontoon", "5.12", "19.8", "19.16")
async def test_restrictions_exclusions_and_refused_wagers_and_whom_they_were_told_to() -> None:
    clock, opened = clocked()
    async with opened as floor:
        await a_table(floor)
        await free(floor)
        await ready(floor, "t1")
        await must(floor, ANYBODY, "t1", a.PlaceWager("alice", 1, 500), a.PlaceWager("bob", 2, 500))
        await must(floor, SUPERVISOR, "t1", a.RefuseWager("", "alice", 1, reason="too late"))
        await must(floor, SUPERVISOR, "t1", a.BarPlayer("", "bob", "a counting device", detained=True, breach="device"))
        book = told(floor)
        refused, barred = of(book, "restrictions")
        assert (refused.kind, refused.person) == ("wager refused", "alice") and "too late" in refused.text
        assert (barred.kind, barred.person, barred.by) == ("barred", "bob", "sam")
        (notice,) = due(book, clock.ms)
        assert (notice.to, notice.who, notice.due_ms) == ("inspector", "casino-supervisor", NOW + PROMPT_MS)
        assert notice.state(NOW + PROMPT_MS - 1) == "due" and notice.state(NOW + PROMPT_MS) == "overdue"
        clock.pass_ms(1_000)
        await write(floor, r.MarkDone("casino-supervisor", notice.id, "rang Inspector Lee, 21:04"))
        (done,) = [each for each in told(floor).items if each.id == notice.id]
        assert (done.state(NOW + 10 * PROMPT_MS), done.done_by, done.done_ms) == ("done", "sam", NOW + 1_000)
        assert done.evidence == "rang Inspector Lee, 21:04"


@clause("adelaide-pontoon-2008", "1(g):tail")
async def test_whoever_is_classified_is_advised_of_the_right_to_consult_an_officer() -> None:
    _, opened = clocked()
    async with opened as floor:
        book, log = load("adelaide-pontoon-2008"), floor.commits.log
        event = pe.Recognised(book.patrons.recognised_by.clauses, "sam", "counts cards")
        said = Recognise("casino-supervisor", "counts cards")
        body = msgspec.json.encode({"rulebook": book.id, "events": [event], "act": said, "role": said.by})
        log.append([Append((Part("patron:alice", 0, (NewEntry("file", body, hidden=True),)),), NOW, "sam")])
        kept = told(floor)
        (line,) = of(kept, "restrictions")
        assert (line.kind, line.person) == ("recognised", "alice")
        (advice,) = due(kept, NOW)
        assert advice.to == advice.concerns == "alice" and advice.clauses == ("1(g):tail",)
        assert "right to consult an Authorised Officer" in advice.text
        await write(floor, r.MarkDone("casino-supervisor", advice.id, "told at the table"), book.id)
        assert not due(told(floor), NOW)
        assert not log.snapshots, "what a file says is in no checkpoint"


@clause("adelaide-pontoon-2008", "13:note", "35:note-c")
async def test_a_supervisor_tells_the_government_inspectorate_and_it_is_not_due_where_it_was_told_before() -> None:
    _, opened = clocked()
    async with opened as floor:
        await a_table(floor, "t1", for_money("adelaide-pontoon-2008"))
        await free(floor)
        await ready(floor, "t1")
        await must(floor, SUPERVISOR, "t1", a.Restrict("", "alice", "associate", notified=True))
        await must(floor, ANYBODY, "t1", a.OrderShuffle("shift-manager", "a clump"))
        told_of = [item for item in told(floor).items if item.to == "government-inspectorate"]
        restricted, ordered = told_of
        assert restricted.done_ms and restricted.evidence.startswith("told before")
        assert (ordered.who, ordered.done_ms) == ("casino-supervisor", 0) and "a clump" in ordered.text


def test_whoever_is_told_outside_the_house_is_known_as_such() -> None:
    books = [load(name) for name in RULEBOOKS]
    named = {book.shuffle.ordered_notice.value for book in books}
    named |= {rule.notice for book in books for rule in book.limits.restrictions.value}
    assert named - {"nobody"} <= OUTSIDE


@clause("nsw-pontoon", "5.1", "19.1", "17.21.1")
async def test_player_cards_are_checked_and_invalid_wagers_stand_beside_them() -> None:
    _, opened = clocked()
    async with opened as floor:
        for table, rulebook in (("t1", "nsw-pontoon"), ("t2", "adelaide-pontoon-2008")):
            await a_table(floor, table, an_opening(rulebook))
            await free(floor, table)
            for card in (True, False):
                await must(floor, ANYBODY, table, a.TellPatron("alice", card, loss_left_cents=50_000))
        await ready(floor, "t1")
        await must(floor, ANYBODY, "t1", a.PlaceWager("bob", 2, 500))
        await must(floor, SUPERVISOR, "t1", a.FindInvalidWager("", "bob", 2), a.AcceptCard("", "bob"))
        found = of(told(floor), "player-cards")
        assert [line.text for line in found[:2]] == [
            "alice: a valid player card", "alice: no valid player card of their own",
        ]  # fmt: skip
        assert [line.kind for line in found[2:]] == ["invalid wager", "card asked for", "card shown"]
        assert {line.table for line in found} == {"t1"}, "Adelaide knows no player card"
        assert "500" not in found[0].text, "nobody's loss limit stands in it"


@clause("nsw-pontoon", "5.9", "5.14")
async def test_reserved_boxes_and_who_asks_for_one() -> None:
    _, opened = clocked()
    async with opened as floor:
        await a_table(floor)
        await free(floor)
        await must(floor, SUPERVISOR, "t1", a.ReserveBoxes("", "alice", (1, 2)))
        for person in ("bob", "carol"):
            await write(floor, r.AskForBox("player", person, "t1"), by=person)
        await write(floor, r.AskForBox("player", "bob", "t1", 4), by="bob")
        book = told(floor)
        assert [line.kind for line in of(book, "boxes")] == ["reserved", "asked for", "asked for", "asked for"]
        assert [item.concerns for item in due(book, NOW, "boxes")] == ["bob", "carol"], "asked twice, due once"
        await must(floor, ANYBODY, "t1", a.TakeSeat("bob", 4))
        assert [item.concerns for item in due(told(floor), NOW, "boxes")] == ["carol"]
        await write(floor, r.EndDemand("casino-supervisor", "carol", "t1", "none is free"))
        assert not due(told(floor), NOW, "boxes")


@clause("nsw-pontoon", "19.17", "19.18")
@clause("nsw-blackjack-challenge", "20.17", "20.18")
@pytest.mark.parametrize("rulebook", ["nsw-pontoon", "nsw-blackjack-challenge"])
async def test_disputes_say_who_decided_and_complaints_go_to_an_inspector(rulebook: str) -> None:
    _, opened = clocked()
    async with opened as floor:
        await a_table(floor, "t1", an_opening(rulebook))
        await free(floor)
        await must(floor, ALICE, "t1", a.TakeSeat("alice", 1), a.RaiseDispute("alice", "the odds"))
        (ruling,) = due(told(floor), NOW)
        assert (ruling.register, ruling.who) == ("disputes", "gaming-supervisor")
        await must(floor, SUPERVISOR, "t1", a.RuleDispute("", "alice", "it stands"))
        assert not due(told(floor), NOW)
        await must(floor, ALICE, "t1", a.AskReview("alice"))
        (review,) = due(told(floor), NOW)
        assert review.who == "casino-supervisor"
        await must(floor, Caller("sue", "supervisor"), "t1", a.RuleDispute("", "alice", "it stands still"))
        await must(floor, ALICE, "t1", a.AskReview("alice"))
        seq = await write(floor, r.Complain("player", "alice", "the ruling", "t1"), rulebook, by="alice")
        book = told(floor)
        assert [line.kind for line in of(book, "disputes")] == ["raised", "ruled", "review asked for", "ruled"]
        assert of(book, "disputes")[1].text.endswith("decided by sam")
        (complaint,) = due(book, NOW)
        assert (complaint.register, complaint.to, complaint.text) == (
            "complaints", "inspector", "alice complains about the ruling.",
        )  # fmt: skip
        advised = [item for item in book.items if "may complain to an inspector" in item.text]
        assert [item.state(NOW) for item in advised] == ["done"]
        answer = r.AnswerComplaint("inspector", f"{seq}.0", "the ruling was right", "Inspector Lee", "t1")
        await write(floor, answer, rulebook, by="ines")
        book = told(floor)
        assert not due(book, NOW)
        assert of(book, "complaints")[-1].person == "alice" and "Inspector Lee" in of(book, "complaints")[-1].text


# --- money -----------------------------------------------------------------------------------------------------------


@clause("nsw-pontoon", "17.18:tail", "17.20", "17.20.2", "17.18.1", "17.18.2", "17.19", "17.20:tail")
@clause("nsw-blackjack-challenge", "18.18:tail", "18.20", "18.20.2", "18.18.1", "18.18.2", "18.19", "18.20.3")
@pytest.mark.parametrize("rulebook", ["nsw-pontoon", "nsw-blackjack-challenge"])
async def test_mispayments_put_right_attempted_suspected_and_listed_at_the_end_of_the_month(rulebook: str) -> None:
    _, opened = clocked()
    async with opened as floor:
        await a_table(floor, "t1", an_opening(rulebook))
        await free(floor)
        await must(floor, ANYBODY, "t1", a.TakeSeat("alice", 1))
        before = len(told(floor).items)
        record = a.RecordMispayment("", "alice", 2_000, reason="a miscount, seen on camera")
        await must(floor, SUPERVISOR, "t1", record)
        book = told(floor)
        assert len(book.items) == before, "put right, with its enquiries: nothing is left to do"
        first = of(book, "mispayments")[0]
        assert {"17.18:tail", "17.20", "17.20.2"} <= set(first.clauses) or {"18.18:tail", "18.20", "18.20.2"} <= set(
            first.clauses
        )
        attempted = msgspec.structs.replace(record, rectified=False, reason="")
        await must(floor, SUPERVISOR, "t1", attempted)
        day_ends = due(told(floor), NOW)[0].due_ms
        assert {item.who for item in due(told(floor), NOW)} == {"casino-supervisor"}
        assert {item.due_ms for item in due(told(floor), NOW)} == {day_ends} and NOW < day_ends < NOW + 86_400_000
        texts = " ".join(item.text for item in due(told(floor), NOW))
        assert "ask alice for $20.00 back" in texts and "enquiries that show that it was not intentional" in texts
        for item in due(told(floor), NOW):
            await write(floor, r.MarkDone("casino-supervisor", item.id, "rang alice twice"), rulebook)
        large = a.RecordMispayment("", "alice", 150_000, over=False, intentional=True)
        await must(floor, SUPERVISOR, "t1", large, msgspec.structs.replace(large, cents=100_000))
        book = told(floor)
        assert len(of(book, "mispayments", kind="suspected intent")) == 2
        (month,) = [item for item in due(book, NOW) if item.to == "regulator"]
        assert "underpayment of $1,500.00" in month.text and "$1,000.00" not in month.text, "above, and not at, $1,000"
        assert month.who == "gaming-manager" and month.id == f"mispayments:{rulebook}:2026-11"
        await write(floor, r.MarkDone("gaming-manager", month.id, "e-mailed"), rulebook)
        await must(floor, SUPERVISOR, "t1", large)
        (second,) = [item for item in due(told(floor), NOW) if item.to == "regulator"]
        assert second.id == f"{month.id}:2", "what came after the list was sent is told too"


@clause("nsw-pontoon", "def:Cash Change", "def:Colour Change")
async def test_cash_and_colour_changes() -> None:
    _, opened = clocked()
    async with opened as floor:
        await a_table(floor, "t1", for_money("adelaide-pontoon-2008"))
        await free(floor)
        await must(floor, ANYBODY, "t1", a.TakeSeat("alice", 1), a.BuyChips("alice", 50_000))
        await must(floor, ANYBODY, "t1", a.ChangeColour("alice", 10_000, 2_500))
        await must(floor, SUPERVISOR, "t1", a.FillFloat("", 100_000))
        found = of(told(floor), "changes")
        assert [(line.kind, line.cents, line.person) for line in found] == [
            ("cash change", 50_000, "alice"), ("colour change", 10_000, "alice"), ("fill", 100_000, ""),
        ]  # fmt: skip
        assert all(line.clauses for line in found)


@clause("nsw-blackjack-challenge", "2.3.4.1")
async def test_every_jackpot_wager_is_counted_by_table_and_gaming_day() -> None:
    clock, opened = clocked()
    async with opened as floor:
        rulebook = "nsw-blackjack-challenge"
        house = default_house(load(rulebook), side_bets=("blazing-7s",), source="shuffling-device", decks=6)
        await a_table(floor, "t1", Opening(rulebook, house=house, dealer="person"))
        await free(floor)
        for round_of_play in range(3):
            if round_of_play == 0:
                await ready(floor, "t1")
            for number, player in enumerate(("alice", "bob"), start=1):
                await must(floor, ANYBODY, "t1", a.PlaceWager(player, number, 500))
                await must(floor, ANYBODY, "t1", a.PlaceWager(player, number, 500, "blazing-7s"))
            await must(floor, ANYBODY, "t1", a.CallNoMoreBets())
            await must(floor, SUPERVISOR, "t1", a.Deal(), a.VoidRound("", "the order of the cards is lost"))
            if round_of_play == 1:
                clock.pass_ms(86_400_000)
        found = [line for line in of(told(floor), "jackpots") if line.kind == "wagers"]
        assert [(line.cents, line.clauses) for line in found] == [(2_000, ("2.3.4.1",)), (1_000, ("2.3.4.1",))]
        assert found[0].text.startswith("4 jackpot wagers of $20.00 on 2026-11-1")


# --- cards, tables and devices ---------------------------------------------------------------------------------------


@clause("nsw-pontoon", "3.3")
@clause("nsw-blackjack-challenge", "3.4")
@pytest.mark.parametrize("rulebook", ["nsw-pontoon", "nsw-blackjack-challenge"])
async def test_cards_are_checked_before_use_and_it_is_logged_by_whom(rulebook: str) -> None:
    _, opened = clocked()
    async with opened as floor:
        await a_table(floor, "t1", for_money(rulebook, source="shuffling-device"))
        await free(floor)
        (check,) = due(told(floor), NOW, "cards")
        assert check.before_play and check.due_ms == 0 and check.who == "casino-supervisor"
        await write(floor, r.MoveCards("casino-supervisor", "t1", "in", 8, "A-117"), rulebook)
        assert len(due(told(floor), NOW, "cards")) == 1, "the same cards are checked once"
        faulty = r.CheckCards("casino-supervisor", "t1", "staff", "sam", 8, "a marked king")
        await write(floor, faulty, rulebook)
        assert due(told(floor), NOW, "cards"), "found faulty they may not be used"
        await write(floor, r.CheckCards("casino-supervisor", "t1", "machine", "checker 3", 8), rulebook)
        book = told(floor)
        assert not due(book, NOW, "cards")
        assert [line.kind for line in of(book, "cards")] == ["cards in", "cards checked", "cards checked"]
        assert of(book, "cards")[-1].text.endswith("checked card by card, by machine (checker 3): nothing wrong")
        await ready(floor, "t1")
        await must(floor, SUPERVISOR, "t1", a.ReplaceCards(""))
        assert len(due(told(floor), NOW, "cards")) == 1, "new cards, and so another check"


@clause("canberra-pontoon-2005", "def:Approved", "1.1", "18.2")
@clause("canberra-pontoon-2002", "def:Approved", "1.1", "18.2", "2.3:tail")
@clause("adelaide-pontoon-2008", "87")
@pytest.mark.parametrize(
    ("rulebook", "wanted"),
    [
        ("canberra-pontoon-2005", {("1.1", "def:Approved"), ("18.2", "def:Approved")}),
        ("canberra-pontoon-2002", {("1.1", "def:Approved"), ("18.2", "def:Approved")}),
        ("adelaide-pontoon-2008", {("87",)}),
        ("nsw-pontoon", set()),
    ],
)
async def test_a_table_is_approved_in_writing_before_it_is_used(rulebook: str, wanted: set[tuple[str, ...]]) -> None:
    _, opened = clocked()
    async with opened as floor:
        await a_table(floor, "t1", for_money(rulebook, side_bets=("perfect-pairs",)))
        await a_table(floor, "t2", an_opening(rulebook))
        await free(floor)
        book = told(floor)
        assert {item.clauses for item in due(book, NOW, "approvals")} == wanted
        assert {item.table for item in due(book, NOW)} == {"t1"}, "a practice table asks for none"
        for subject in ("table", "side-bet"):
            act = r.RecordApproval("casino-supervisor", "t1", "Officer Ng", "GRC 26/118", subject)
            refused = r.refuse(load(rulebook), act, "sam")
            assert (refused is None) == bool(r.cause(load(rulebook), act))
            assert r.refuse(load(rulebook), msgspec.structs.replace(act, reference=" "), "sam") is not None
            if refused is None:
                await write(floor, act, rulebook)
        book = told(floor)
        assert not due(book, NOW, "approvals")
        assert all("GRC 26/118" in line.text for line in of(book, "approvals")) and len(of(book, "approvals")) == len(
            wanted
        )
        told_of = [(item.to, item.before_play) for item in book.items if item.clauses == ("2.3:tail",)]
        assert told_of == ([("players", True), ("authorised-officer", True)] if rulebook.endswith("2002") else [])


@clause("canberra-pontoon-2002", "16.2")
@clause("nsw-pontoon", "19.13")
@pytest.mark.parametrize(("rulebook", "officer"), [("canberra-pontoon-2002", True), ("nsw-pontoon", False)])
async def test_closures_with_their_notice(rulebook: str, officer: bool) -> None:
    clock, opened = clocked()
    async with opened as floor:
        await a_table(floor, "t1", for_money(rulebook))
        await free(floor)
        await must(floor, SUPERVISOR, "t1", a.DisplaySign("", "closing", 20))
        clock.pass_ms(25 * MINUTE_MS)
        await floor.close_table(SUPERVISOR, "c", "t1")
        book = told(floor)
        shown, closed = of(book, "closures")
        assert (shown.kind, closed.kind, closed.by) == ("sign", "closed", "sam")
        assert "its sign had stood for 25 minutes" in closed.text
        found = [item for item in due(book, NOW, "closures") if item.to == "authorised-officer"]
        assert [item.clauses for item in found] == ([("16.2",)] if officer else [])


@clause("adelaide-pontoon-2008", "112")
async def test_an_irregularity_waits_for_approval_and_is_overdue_once_play_went_on_without() -> None:
    _, opened = clocked()
    async with opened as floor:
        await a_table(floor, "t1", an_opening("adelaide-pontoon-2008"))
        await free(floor)
        await ready(floor, "t1")
        await must(floor, ANYBODY, "t1", a.PlaceWager("alice", 1, 500), a.FindFaceUpCard())
        book = told(floor)
        assert [line.kind for line in of(book, "irregularities")] == ["card face up"]
        assert {item.due_ms for item in due(book, NOW)} == {0}
        assert all(item.before_play for item in due(book, NOW))
        await must(floor, SUPERVISOR, "t1", a.Approve(""))
        book = told(floor)
        assert not due(book, NOW)
        assert of(book, "approvals")[-1].text.endswith("approved by sam")


@clause("nsw-pontoon", "17.16.4", "18.1")
async def test_missing_cards_and_failed_devices() -> None:
    _, opened = clocked()
    async with opened as floor:
        await a_table(floor, "t1", an_opening(source="shuffling-device"))
        await free(floor)
        await ready(floor, "t1")
        await must(floor, SUPERVISOR, "t1", a.FindWrongCards("", "missing"))
        book = told(floor)
        assert [line.kind for line in of(book, "wrong-cards")] == ["missing card"]
        assert sorted(item.to for item in due(book, NOW, "wrong-cards")) == ["inspector", "surveillance"]
        await ready(floor, "t1")
        await must(floor, SUPERVISOR, "t1", a.ReportMalfunction("", repairable=True))
        kinds = [line.kind for line in of(told(floor), "devices")]
        assert kinds[0] == "shuffling device malfunction" and "source changed" in kinds


# --- asking ----------------------------------------------------------------------------------------------------------


async def test_search_filter_counts_and_no_line_without_a_clause() -> None:
    clock, opened = clocked()
    async with opened as floor:
        for table in ("t1", "t2"):
            await a_table(floor, table)
            await free(floor, table)
            await must(floor, ANYBODY, table, a.TakeSeat("alice", 1), a.TakeSeat("bob", 2))
            clock.pass_ms(1_000)
            await must(floor, ALICE, table, a.RaiseDispute("alice", f"the odds at {table}"))
        await must(floor, SUPERVISOR, "t2", a.ReserveBoxes("", "bob", (2,)))
        book = told(floor)
        assert [line.table for line in lines(book, Wanted("disputes"), NOW)] == ["t2", "t1"], "newest first"
        assert [line.table for line in lines(book, Wanted("disputes", "ODDS t1"), NOW)] == ["t1"]
        assert [line.register for line in lines(book, Wanted(person="Bob"), NOW)] == ["boxes"]
        assert [line.table for line in lines(book, Wanted("disputes", since_ms=NOW + 1_001), NOW)] == ["t2"]
        assert [line.table for line in lines(book, Wanted("disputes", until_ms=NOW + 1_001), NOW)] == ["t1"]
        assert [line.table for line in lines(book, Wanted(search="19.17"), NOW)] == ["t2", "t1"]
        assert len(lines(book, Wanted(due=True), NOW)) == 2 and len(lines(book, Wanted(table="t2"), NOW)) == 3
        by_name = {each.name: each for each in counts(book, NOW + PROMPT_MS + 1_500)}
        assert list(by_name) == list(REGISTERS)
        disputes = by_name["disputes"]
        assert (disputes.lines, disputes.due, disputes.overdue) == (2, 2, 1)
        assert disputes.next_due_ms == NOW + 1_000 + PROMPT_MS
        assert all(line.clauses for line in lines(book, Wanted(), NOW)) and all(item.clauses for item in book.items)


@pytest.mark.parametrize(
    ("act", "wrong"),
    [
        (r.MoveCards("dealer", "t1", "in", 8), "a casino supervisor writes that down."),
        (r.MoveCards("casino-supervisor", "t1", "sideways", 8), "to is in or out, not 'sideways'."),
        (r.CheckCards("casino-supervisor", "t1", "staff", "", 8), "say who, or which machine, checked the cards."),
        (r.CheckCards("casino-supervisor", "t1", "staff", "sam", 0), "say how many decks, 1 to 100."),
        (r.Complain("player", "bob", "noise", "t1"), "players speak for themselves only."),
        (r.Complain("inspector", "bob", "noise", "t1"), "the person says it, or the dealer or a supervisor for them."),
        (r.Complain("player", "al ice", "noise", "t1"), "say who it is:"),
        (r.AskForBox("player", "alice", "t1", 8), "boxes are 1 to 7; 0 is any."),
        (r.MarkDone("casino-supervisor", "1:0", "x" * 1_001), "evidence: at most 1000 letters."),
    ],
)
def test_what_cannot_be_written_says_why(act: r.AnyRegisterAct, wrong: str) -> None:
    refused = r.refuse(load("nsw-pontoon"), act, "alice")
    assert refused is not None and refused.text.startswith(wrong) and refused.clauses


def test_a_large_checkpoint_is_written_beside_and_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In steps, while others ask: what is read back is the fold itself."""
    monkeypatch.setattr(projections, "CHECKPOINT_EVERY", 10)
    monkeypatch.setattr(projections, "STEP", 3)
    monkeypatch.setattr(registers, "STEP", 3)
    monkeypatch.setattr(registers, "LARGE", 5)
    log = open_log(str(tmp_path / "log.db"))
    house = default_house(load("nsw-pontoon"), date=datetime.date(2026, 11, 18))
    opening = msgspec.json.encode(Opening("nsw-pontoon", house=house))
    for number in range(12):
        entry = NewEntry("opened", opening)
        log.append([Append((Part(f"table:t{number}", 0, (entry,)),), at_ms=number)])
    asked = projections.Projections(log)
    fold = asked.ask(registers.HouseRegisters, lambda found: msgspec.json.encode(found))
    asked.settle()
    snapshot = log.snapshot(PROJECTIONS + "registers")
    assert snapshot is not None and snapshot.version == 12
    kept = msgspec.json.decode(snapshot.body)
    assert kept == {"version": registers.HouseRegisters.version, "state": msgspec.json.decode(fold)}
    assert len(kept["state"]["registers"]["lines"]["limits"]) == 12 and len(kept["state"]["registers"]["items"]) == 12
    assert projections.Projections(log).ask(registers.HouseRegisters, lambda found: msgspec.json.encode(found)) == fold
    log.close()
