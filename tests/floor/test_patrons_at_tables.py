"""What the patrons' book says holds at all tables together, in all processes, after every restart."""

from __future__ import annotations

import asyncio
import datetime
import random
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

import msgspec
import pytest

from pitboss.floor.clock import SetClock
from pitboss.floor.floor import Floor
from pitboss.floor.model import HOUSE, Accepted, Caller, Denied, NotAllowed, Opening
from pitboss.floor.patron_book import stream_of
from pitboss.floor.patrons_at_tables import AtTable, patrons_of
from pitboss.floor.round_records import record_of_round
from pitboss.floor.updates import Watch
from pitboss.patrons import acts as p
from pitboss.patrons.gaming_day import begins_ms, calendar_of
from pitboss.patrons.stakes import telling
from pitboss.patrons.state import loss_left
from pitboss.store.log import Append, StoreError
from pitboss.table import acts as a
from pitboss.table.house import default_house
from pitboss.table.legal import legal_acts
from tests.floor.limited import (
    ALICE,
    BOOK,
    check_a_limit_set_in_play,
    check_the_limit,
    client,
    dated_opening,
    left_at_each_place,
    open_dated_tables,
    with_a_card,
)
from tests.floor.memory import BOB, DEALER, SUPERVISOR, MemoryLog, a_floor, a_table
from tests.floor.playing import do, must, play_out, ready

MANAGER = Caller("max", "gaming-manager")
BEFORE = datetime.date(2024, 8, 18)
DAY_MS = 24 * 3_600_000


@pytest.mark.clause("nsw-pontoon", "5.1")
async def test_who_was_never_identified_has_no_card_and_does_not_play() -> None:
    async with a_floor() as floor:
        one, two = await open_dated_tables(floor, 2)
        for table in (one, two):
            answer = await do(floor, ALICE, table, a.PlaceWager("alice", 1, 100_000))
            assert isinstance(answer, NotAllowed) and "5.1" in answer.refusal.clauses
        await with_a_card(floor, "alice")
        await must(floor, ALICE, one, a.PlaceWager("alice", 1, 1000))
        assert isinstance(await do(floor, BOB, one, a.PlaceWager("bob", 2, 1000)), NotAllowed)


@pytest.mark.clause("nsw-pontoon", "19.3")
async def test_a_loss_limit_holds_at_all_tables_together() -> None:
    async with a_floor() as floor:
        one, two = await open_dated_tables(floor, 2)
        await with_a_card(floor, "alice", 10_000)
        await must(floor, ALICE, one, a.PlaceWager("alice", 1, 6_000))
        answer = await do(floor, ALICE, two, a.PlaceWager("alice", 1, 5_000))
        assert isinstance(answer, NotAllowed) and "19.3" in answer.refusal.clauses
        assert "$40.00 is left" in answer.refusal.text
        await must(floor, ALICE, two, a.PlaceWager("alice", 1, 4_000))
        assert isinstance(await do(floor, ALICE, one, a.PlaceWager("alice", 2, 500)), NotAllowed)
        await must(floor, ALICE, one, a.WithdrawWager("alice", 1))
        await must(floor, ALICE, two, a.PlaceWager("alice", 2, 6_000))


@pytest.mark.clause("nsw-pontoon", "19.3")
async def test_a_limit_holds_however_somebody_wrote_the_name_who_looked_first() -> None:
    async with a_floor() as floor:
        one, two = await open_dated_tables(floor, 2)
        await patrons_of(floor).book.load("ALICE")
        await with_a_card(floor, "alice", 10_000)
        await must(floor, ALICE, one, a.PlaceWager("alice", 1, 6_000))
        await patrons_of(floor).book.look_up(SUPERVISOR, "Alice", BOOK)
        assert isinstance(await do(floor, ALICE, two, a.PlaceWager("alice", 1, 5_000)), NotAllowed)
        await must(floor, ALICE, two, a.PlaceWager("alice", 1, 4_000))
        assert list(floor.hosts[two].table.players) == ["alice"]


async def own_view(floor: Floor, table: str) -> tuple[int | None, int | None]:
    """What alice, and a supervisor, are told of her loss limit at a table: the limit, and what is left of it."""
    said = []
    for caller in (ALICE, SUPERVISOR, DEALER):
        watch = await floor.watch(caller, table, None, lambda: None)
        assert isinstance(watch, Watch)
        said.append(msgspec.json.decode(watch.take())["mine"])
    mine, seen, hidden = said[0], said[1]["players"]["alice"], said[2]
    assert hidden == {}
    assert mine["loss_limit_cents"] == seen["loss_limit_cents"] and mine["loss_left_cents"] == seen["loss_left_cents"]
    return mine["loss_limit_cents"], mine["loss_left_cents"]


@pytest.mark.clause("nsw-pontoon", "19.3")
async def test_a_player_is_told_the_limit_itself_and_what_is_left_of_it_at_all_tables() -> None:
    async with a_floor() as floor:
        one, two = await open_dated_tables(floor, 2)
        await with_a_card(floor, "alice", 10_000)
        await must(floor, ALICE, one, a.PlaceWager("alice", 1, 6_000))
        await must(floor, ALICE, two, a.PlaceWager("alice", 1, 1_000))
        assert await own_view(floor, two) == (10_000, 3_000)
        assert await own_view(floor, one) == (10_000, 3_000)
        await must(floor, ALICE, two, a.PlaceWager("alice", 2, 3_000))
        assert await own_view(floor, one) == (10_000, 0)


@pytest.mark.clause("nsw-pontoon", "19.3")
async def test_what_lies_on_a_table_when_a_limit_is_set_counts_there() -> None:
    async with a_floor() as floor:
        (one,) = await open_dated_tables(floor, 1)
        await with_a_card(floor, "alice")
        await must(floor, ALICE, one, a.PlaceWager("alice", 1, 1_000))
        await with_a_card(floor, "alice", 2_000)
        answer = await do(floor, ALICE, one, a.PlaceWager("alice", 2, 1_500))
        assert isinstance(answer, NotAllowed) and "19.3" in answer.refusal.clauses
        await must(floor, ALICE, one, a.PlaceWager("alice", 2, 1_000))
        assert isinstance(await do(floor, ALICE, one, a.PlaceWager("alice", 3, 500)), NotAllowed)


@pytest.mark.clause("nsw-pontoon", "19.3")
@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "in-another-process"])
async def test_what_lies_on_other_tables_when_a_limit_is_set_counts_at_once(elsewhere: bool) -> None:
    log = MemoryLog()
    async with AsyncExitStack() as stack:
        floor = await stack.enter_async_context(a_floor(log, owner="one", address="http://one", alone=not elsewhere))
        one, two = await open_dated_tables(floor, 2)
        await with_a_card(floor, "alice")
        await must(floor, ALICE, one, a.PlaceWager("alice", 1, 1_000))
        other = floor
        if elsewhere:
            other = await stack.enter_async_context(a_floor(log, owner="two", address="http://two", alone=False))
        await write(other, ALICE, p.SetLossLimit("", 2_000))
        assert patrons_of(other).book.file("alice").open == {one: 1_000}
        answer = await do(floor, ALICE, two, a.PlaceWager("alice", 1, 1_500))
        assert isinstance(answer, NotAllowed) and "$10.00 is left" in answer.refusal.text
        await must(floor, ALICE, one, a.WithdrawWager("alice", 1))  # what was counted there is free again
        await must(floor, ALICE, two, a.PlaceWager("alice", 1, 2_000))
        assert (await patrons_of(other).book.load("alice")).open == {two: 2_000}


@pytest.mark.clause("nsw-pontoon", "19.3")
async def test_what_lies_is_counted_though_the_process_that_set_the_limit_died() -> None:
    log = MemoryLog()
    async with AsyncExitStack() as stack:
        floor = await stack.enter_async_context(a_floor(log, owner="one", address="http://one", alone=False))
        one, two = await open_dated_tables(floor, 2)
        await with_a_card(floor, "alice")
        await must(floor, ALICE, one, a.PlaceWager("alice", 1, 1_000))
        other = await stack.enter_async_context(a_floor(log, owner="two", address="http://two", alone=False))

        async def killed(*_: Any) -> None:
            raise ConnectionError

        patrons_of(other).book.count_what_lies = killed  # type: ignore[method-assign, assignment]
        with pytest.raises(ConnectionError):
            await write(other, ALICE, p.SetLossLimit("", 2_000))
        answer = await do(floor, ALICE, two, a.PlaceWager("alice", 1, 1_500))
        assert isinstance(answer, NotAllowed) and "$10.00 is left" in answer.refusal.text
        await must(floor, ALICE, two, a.PlaceWager("alice", 1, 1_000))


@pytest.mark.clause("nsw-pontoon", "19.3")
async def test_a_new_limit_has_nothing_of_what_was_played_without_one() -> None:
    """A limit that was lifted ends in mid-round; what the file last heard of that table is no stake years later."""
    clock = SetClock(1_795_000_000_000)
    async with a_floor(clock=clock) as floor:
        one, two = await open_dated_tables(floor, 2)
        await with_a_card(floor, "alice", 10_000)
        await ready(floor, one)
        await must(floor, ALICE, one, a.PlaceWager("alice", 1, 1_000))
        await write(floor, ALICE, p.SetLossLimit("", None))
        clock.ms += DAY_MS
        await must(floor, ALICE, one, a.PlaceWager("alice", 2, 1_000))
        await must(floor, DEALER, one, a.Deal())
        await play_out(floor, one, 1, random.Random(1), [ALICE])
        assert not floor.hosts[one].table.boxes
        await write(floor, ALICE, p.SetLossLimit("", 3_000))
        await must(floor, ALICE, two, a.PlaceWager("alice", 1, 3_000))


@pytest.mark.clause("nsw-pontoon", "19.3", "def:tournament chips")
async def test_chips_of_a_tournament_do_not_count_against_a_limit() -> None:
    """They are no money: whoever limits what they lose may wager all of them."""
    house = default_house(BOOK, tournament=True)
    async with a_floor() as floor:
        (one,) = await open_dated_tables(floor, 1)
        await with_a_card(floor, "alice", 2_000)
        for cents in (10_000, 2_000):
            await must(floor, ALICE, one, a.PlaceWager("alice", 1, 2_000))
            opened = await floor.open_table(HOUSE, f"o{cents}", f"t{cents}", Opening("nsw-pontoon", house=house))
            assert isinstance(opened, Accepted)
            await must(floor, ALICE, f"t{cents}", a.PlaceWager("alice", 1, cents))
            assert patrons_of(floor).book.file("alice").open == {one: 2_000}
            await must(floor, ALICE, one, a.WithdrawWager("alice", 1))


async def one_round(floor: Floor, table: str) -> int:
    """Alice wagers the minimum and stands; what she has won."""
    host = floor.hosts[table]
    await must(floor, ALICE, table, a.PlaceWager("alice", 1, 500))
    await must(floor, DEALER, table, a.Deal())
    while host.table.phase != "wagers":
        legal: list[Any] = [*legal_acts(host.table)]
        act = next((each for each in legal if isinstance(each, (a.Stand, a.CloseSurrender))), legal[0])
        await must(floor, ALICE if getattr(act, "player", "") else DEALER, table, act)
    return host.table.net["alice"]


@pytest.mark.clause("nsw-pontoon", "19.3", "def:Deposit Limit")
async def test_what_is_won_for_practice_leaves_no_more_to_lose() -> None:
    """Limits hold at practice tables by themselves, and all of those together."""
    for seed in range(40):
        async with a_floor(seed=seed) as floor:
            (one,) = await open_dated_tables(floor, 1)
            for name in ("free", "play"):
                opening = Opening("nsw-pontoon", house=default_house(BOOK))
                assert isinstance(await floor.open_table(HOUSE, f"o-{name}", name, opening), Accepted)
            await with_a_card(floor, "alice", 2_000)
            await write(floor, ALICE, p.SetDepositLimit("", 5_000))
            await ready(floor, "free")
            won = await one_round(floor, "free")
            if won <= 0:
                continue
            file = patrons_of(floor).book.file("alice")
            assert loss_left(file) == 2_000 and loss_left(file, practice=True) == 2_000 + won
            answer = await do(floor, ALICE, one, a.PlaceWager("alice", 1, 2_500))
            assert isinstance(answer, NotAllowed) and "$20.00 is left" in answer.refusal.text
            await must(floor, ALICE, one, a.PlaceWager("alice", 1, 2_000))
            await must(floor, ALICE, "play", a.PlaceWager("alice", 1, 2_000 + won))
            assert isinstance(await do(floor, ALICE, "free", a.PlaceWager("alice", 2, 500)), NotAllowed)
            await must(floor, DEALER, "free", a.BuyChips("alice", 5_000))
            assert isinstance(await do(floor, DEALER, "play", a.BuyChips("alice", 500)), NotAllowed)
            await must(floor, DEALER, one, a.BuyChips("alice", 5_000))
            return
    raise AssertionError("alice never won")


@pytest.mark.clause("nsw-pontoon", "19.3")
async def test_a_hand_that_ends_after_a_first_limit_was_set_elsewhere_counts() -> None:
    """The process that settles it has not heard of the limit: the guard of the file tells it."""
    log = MemoryLog()
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(a_floor(log, owner="one", address="http://one", alone=False))
        (table,) = await open_dated_tables(one, 1)
        two = await stack.enter_async_context(a_floor(log, owner="two", address="http://two", alone=False))
        await with_a_card(two, "alice")
        await ready(one, table)
        await must(one, ALICE, table, a.PlaceWager("alice", 1, 1_000))
        host = one.hosts[table]
        await must(one, DEALER, table, a.Deal())
        await write(two, ALICE, p.SetLossLimit("", 50_000))
        while host.table.phase != "wagers":
            act: Any = legal_acts(host.table)[0]
            await must(one, ALICE if getattr(act, "player", "") == "alice" else DEALER, table, act)
        file = await patrons_of(two).book.load("alice")
        assert file.open == {} and file.net_cents == host.table.net["alice"]


@pytest.mark.clause("nsw-pontoon", "def:Proxy Betting", "19.20")
async def test_a_helper_puts_the_chips_of_a_player_down_and_nobody_else_does() -> None:
    async with a_floor() as floor:
        (one,) = await open_dated_tables(floor, 1)
        for name in ("alice", "bob"):
            await with_a_card(floor, name)
        wager = a.PlaceWager("alice", 1, 1_000)
        await must(floor, ALICE, one, a.TakeSeat("alice", 1))
        assert isinstance(await do(floor, BOB, one, wager), Denied)
        await write(floor, DEALER, p.NameHelper("", "bob", present=True, unpaid=True))
        await must(floor, BOB, one, wager)
        assert floor.hosts[one].table.boxes[1].wagers["alice"].cents == 1_000
        last = list(floor.commits.log.read(f"table:{one}"))[-1]
        assert last.by == "bob" and b'"player":"alice"' in last.body
        watch: Any = await floor.watch(BOB, one, None, lambda: None)
        assert msgspec.json.decode(watch.take())["mine"]["helps"] == ["alice"]
        await must(floor, BOB, one, a.WithdrawWager("alice", 1))
        for act in (a.LeaveTable("alice"), a.TakeSeat("alice", 2), a.BuyChips("alice", 100)):
            assert isinstance(await do(floor, BOB, one, act), Denied), "words stay the player's"
        carol = Caller("carol", "player")
        assert isinstance(await do(floor, carol, one, wager), Denied)
        await must(floor, ALICE, one, a.LeaveTable("alice"))
        assert isinstance(await do(floor, BOB, one, wager), Denied), "the player is at the same table"
        await must(floor, ALICE, one, a.TakeSeat("alice", 1))
        await write(floor, DEALER, p.NameHelper("", ""))
        assert isinstance(await do(floor, BOB, one, wager), Denied)


@pytest.mark.clause("nsw-pontoon", "def:Proxy Betting", "19.20", "19.8.2", "19.8.3")
@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "in-another-process"])
async def test_who_helps_is_known_to_the_next_act_and_nobody_who_is_excluded(elsewhere: bool) -> None:
    """A helper who was named, taken away, excluded or admitted in another process is so at every table at once."""
    log = MemoryLog()
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(a_floor(log, owner="one", address="http://one", alone=False))
        (table,) = await open_dated_tables(one, 1)
        two = await stack.enter_async_context(a_floor(log, owner="two", address="http://two", alone=False))
        there = two if elsewhere else one
        for name in ("alice", "bob"):
            await with_a_card(one, name)
        await must(one, ALICE, table, a.TakeSeat("alice", 1))
        wager, back = a.PlaceWager("alice", 1, 1_000), a.WithdrawWager("alice", 1)
        assert isinstance(await do(one, BOB, table, wager), Denied)
        await write(there, DEALER, p.NameHelper("", "bob", present=True, unpaid=True))
        await must(one, BOB, table, wager)
        for scope in ("game", "casino"):
            done = await patrons_of(there).book.do(MANAGER, "bob", BOOK, p.Exclude("", "a device", scope))
            assert isinstance(done, tuple), done
            assert isinstance(await do(one, BOB, table, back), Denied)
            watch: Any = await one.watch(BOB, table, None, lambda: None)
            assert "helps" not in msgspec.json.decode(watch.take())["mine"]
            done = await patrons_of(there).book.do(MANAGER, "bob", BOOK, p.Admit("", scope))
            assert isinstance(done, tuple), done
            await must(one, BOB, table, back)
            await must(one, BOB, table, wager)
        await write(there, DEALER, p.NameHelper("", ""))
        assert isinstance(await do(one, BOB, table, back), Denied)


@pytest.mark.clause("nsw-pontoon", "5.1")
async def test_while_no_day_is_open_the_clocks_turn_the_date_of_a_table() -> None:
    """A table that was opened with a date before cards were needed plays on by the day that it is."""
    old = Opening("nsw-pontoon", house=default_house(BOOK, date=BEFORE), uncounted=True)
    async with a_floor() as floor:
        assert isinstance(await floor.open_table(HOUSE, "o-old", "old", old), Accepted)
        answer = await do(floor, ALICE, "old", a.PlaceWager("alice", 1, 1_000))
        assert isinstance(answer, NotAllowed) and "5.1" in answer.refusal.clauses
        now = patrons_of(floor).book.now(floor.hosts["old"].table.rulebook)
        assert floor.hosts["old"].decided.house.date == now.date > BEFORE


@pytest.mark.parametrize("issued", [False, True], ids=["without-a-card", "with-a-card"])
@pytest.mark.parametrize("by", ["deal", "wager"])
@pytest.mark.clause("nsw-pontoon", "5.1", "17.21.1")
async def test_a_wager_that_lies_when_the_card_comes_to_be_needed(issued: bool, by: str) -> None:
    """It was placed the day before and is dealt today: only for whoever has a card by now."""
    clock = SetClock(begins_ms(calendar_of(BOOK), BEFORE) + DAY_MS // 2)
    old = Opening("nsw-pontoon", house=default_house(BOOK, date=BEFORE), uncounted=True)
    async with a_floor(clock=clock) as floor:
        assert isinstance(await floor.open_table(HOUSE, "o-old", "old", old), Accepted)
        await ready(floor, "old")
        await must(floor, ALICE, "old", a.PlaceWager("alice", 1, 1_000))
        await must(floor, BOB, "old", a.PlaceWager("bob", 2, 1_000))
        for name in ("alice", "bob") if issued else ("bob",):
            await with_a_card(floor, name)
        clock.ms += DAY_MS
        if by == "wager":
            await must(floor, BOB, "old", a.PlaceWager("bob", 3, 1_000))
            assert (1 in floor.hosts["old"].table.boxes) == issued
        await must(floor, DEALER, "old", a.Deal())
        table = floor.hosts["old"].table
        assert table.house.date is not None and table.house.date > BEFORE
        assert ("alice" in table.round_players) == issued and "bob" in table.round_players
        assert table.net["alice"] == (-1_000 if issued else 0)


async def test_who_has_no_limit_costs_no_entry_in_the_book() -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        (table,) = await open_dated_tables(floor, 1)
        await with_a_card(floor, "alice")
        before = log.version(stream_of("alice"))
        await ready(floor, table)
        for number in range(1, 4):
            await must(floor, ALICE, table, a.PlaceWager("alice", number, 1000))
        await must(floor, DEALER, table, a.Deal())
        assert log.version(stream_of("alice")) == before
        told = [entry for entry in log.read(f"table:{table}") if b"TellPatron" in entry.body]
        assert len(told) == 1, "the table is told of her once"


async def test_a_stranger_at_a_table_without_a_date_costs_no_entry_at_all() -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        table = await a_table(floor)
        await must(floor, ALICE, table, a.PlaceWager("alice", 1, 1000))
        assert log.version(f"table:{table}") == 2 and log.version(stream_of("alice")) == 0


async def write(floor: Floor, caller: Caller, act: p.AnyPatronAct) -> None:
    """In alice's file."""
    done = await patrons_of(floor).book.do(caller, "alice", BOOK, act)
    assert isinstance(done, tuple), done


@pytest.mark.clause("nsw-pontoon", "19.3", "5.1")
async def test_what_is_changed_in_one_process_holds_at_once_in_the_others() -> None:
    """A limit, an exclusion or a card in another process is known to the very next act, without any follower."""
    log = MemoryLog()
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(a_floor(log, owner="one", address="http://one", alone=False))
        (table,) = await open_dated_tables(one, 1)
        two = await stack.enter_async_context(a_floor(log, owner="two", address="http://two", alone=False))
        await with_a_card(two, "alice")
        await must(one, ALICE, table, a.PlaceWager("alice", 1, 1000))
        await write(two, ALICE, p.SetLossLimit("", 1_500))
        answer = await do(one, ALICE, table, a.PlaceWager("alice", 2, 2_000))
        assert isinstance(answer, NotAllowed) and "19.3" in answer.refusal.clauses
        await write(two, MANAGER, p.Exclude("", "asked for it"))
        answer = await do(one, ALICE, table, a.PlaceWager("alice", 3, 500))
        assert isinstance(answer, NotAllowed) and "is excluded from the casino" in answer.refusal.text
        await write(two, MANAGER, p.Admit(""))
        await must(one, ALICE, table, a.PlaceWager("alice", 3, 500))


@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "in-another-process"])
@pytest.mark.parametrize(
    "what", [p.WithdrawCard("", "lost"), p.FindCardLent("", "mallory"), p.Exclude("", "a device")], ids=type
)
@pytest.mark.clause("nsw-pontoon", "17.21.1", "19.1", "19.8.3")
async def test_before_the_hand_the_table_learns_who_may_not_play(what: p.AnyPatronAct, elsewhere: bool) -> None:
    """Alice's wager goes back, bob's is played, and nobody reads at the table why she is excluded."""
    log = MemoryLog()
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(a_floor(log, owner="one", address="http://one", alone=False))
        (table,) = await open_dated_tables(one, 1)
        two = await stack.enter_async_context(a_floor(log, owner="two", address="http://two", alone=False))
        for name in ("alice", "bob"):
            await with_a_card(one, name, 50_000 if name == "alice" else None)
        await ready(one, table)
        await must(one, ALICE, table, a.PlaceWager("alice", 1, 1000))
        await must(one, BOB, table, a.PlaceWager("bob", 2, 1000))
        await write(two if elsewhere else one, MANAGER, what)
        await must(one, DEALER, table, a.Deal())
        now = one.hosts[table].table
        assert "alice" not in now.round_players and "bob" in now.round_players
        assert now.net["alice"] == 0
        assert loss_left(await patrons_of(one).book.load("alice")) == 50_000
        returned = [entry.body for entry in log.read(f"table:{table}") if b"WagerReturned" in entry.body]
        assert len(returned) == 1 and (b"19.8.3" if isinstance(what, p.Exclude) else b"17.21.1") in returned[0]
        await play_out(one, table, 1, random.Random(1), [BOB])
        for reader in (None, "bob", "alice"):
            text = record_of_round(log, table, 1, reader)
            assert "a device" not in text, "staff read it in the file"
            assert ("tells of alice loss 500" in text) == (reader != "bob")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.clause("nsw-pontoon", "19.3")
async def test_never_a_cent_past_a_limit_and_nothing_refused_that_it_allows(seed: int) -> None:
    """Sixteen clients of one patron at six tables in two processes, on a log that fails now and then."""
    rng = random.Random(seed)
    log = MemoryLog()
    limit = 40_000
    failing = [False]

    def fail_sometimes(batch: Sequence[Append]) -> None:
        if failing[0] and rng.random() < 0.02:
            raise StoreError("the log fails.")

    log.before = fail_sometimes
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(a_floor(log, owner="one", address="http://one", alone=False))
        names = await open_dated_tables(one, 3)
        two = await stack.enter_async_context(a_floor(log, owner="two", address="http://two", alone=False))
        for name in ("u1", "u2", "u3"):
            assert isinstance(await two.open_table(SUPERVISOR, name, name, dated_opening()), Accepted)
            await two.host_of(name)
        await with_a_card(one, "alice", limit)
        failing[0] = seed % 2 == 1
        floors = [(one, names), (two, ["u1", "u2", "u3"])] * 8
        said = await asyncio.gather(
            *(client(floor, tables, random.Random(f"{seed}-{n}"), 60, log) for n, (floor, tables) in enumerate(floors))
        )
        failing[0] = False
        least, refused = check_the_limit(log.entries, "alice", limit, [each for some in said for each in some])
        assert refused and least < 2_000, "the limit was reached"
        left = left_at_each_place(log.entries, "alice", limit)[-1]
        for floor in (one, two):
            assert loss_left(await patrons_of(floor).book.load("alice")) == left, "the book says what the tables say"


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.clause("nsw-pontoon", "19.3")
async def test_a_first_limit_that_is_set_in_the_middle_of_play_holds_from_then_on(seed: int) -> None:
    """Four clients of one patron at four tables in two processes, who has wagers in play when the limit is set."""
    log = MemoryLog()
    limit = 20_000
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(a_floor(log, owner="one", address="http://one", alone=False))
        names = await open_dated_tables(one, 2)
        two = await stack.enter_async_context(a_floor(log, owner="two", address="http://two", alone=False))
        for name in ("u1", "u2"):
            assert isinstance(await two.open_table(SUPERVISOR, name, name, dated_opening()), Accepted)
            await two.host_of(name)
        await with_a_card(one, "alice")

        async def sets() -> list[Any]:
            while log.head().seq < 150 + 50 * seed:
                await asyncio.sleep(0)
            await write(two, ALICE, p.SetLossLimit("", limit))
            return []

        clients = [
            client(floor, tables, random.Random(f"{seed}-{n}"), 70, log)
            for n, (floor, tables) in enumerate([(one, names), (two, ["u1", "u2"])] * 2)
        ]
        said = await asyncio.gather(sets(), *clients)
        left = check_a_limit_set_in_play(log.entries, "alice", limit, [each for some in said for each in some])
        for floor in (one, two):
            assert loss_left(await patrons_of(floor).book.load("alice")) == max(0, left)


async def play_at_two_tables(limit: int) -> None:
    """Four clients of alice at two tables of one process, and what the log says of it."""
    log = MemoryLog()
    async with a_floor(log) as floor:
        names = await open_dated_tables(floor, 2)
        await with_a_card(floor, "alice", limit)
        said = await asyncio.gather(*(client(floor, names, random.Random(n), 60, log) for n in range(4)))
        check_the_limit(log.entries, "alice", limit, [each for some in said for each in some])


async def test_the_trial_would_notice_a_stake_that_is_not_reserved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AtTable, "parts", lambda *_: ())
    with pytest.raises(AssertionError, match="past the limit"):
        await play_at_two_tables(5_000)


async def test_the_trial_would_notice_a_refusal_that_was_not_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that is told of half of what is left."""

    def half(*arguments: Any, **more: Any) -> a.TellPatron:
        said = telling(*arguments, **more)
        return msgspec.structs.replace(said, loss_left_cents=(said.loss_left_cents or 0) // 2)

    monkeypatch.setattr("pitboss.floor.patrons_at_tables.telling", half)
    with pytest.raises(AssertionError, match="was refused, and"):
        await play_at_two_tables(5_000)


@pytest.mark.clause("nsw-pontoon", "19.3")
async def test_a_limit_holds_after_a_restart_in_the_middle_of_a_round() -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        one, two = await open_dated_tables(floor, 2)
        await with_a_card(floor, "alice", 10_000)
        await ready(floor, one)
        await must(floor, ALICE, one, a.PlaceWager("alice", 1, 6_000))
        await must(floor, DEALER, one, a.Deal())
        spent = -floor.hosts[one].table.net["alice"]
    async with a_floor(log) as floor:
        left = 10_000 - spent
        answer = await do(floor, ALICE, two, a.PlaceWager("alice", 1, left + 500))
        assert isinstance(answer, NotAllowed) and "19.3" in answer.refusal.clauses
        await must(floor, ALICE, two, a.PlaceWager("alice", 1, left))


@pytest.mark.clause("nsw-pontoon", "def:Deposit Limit")
async def test_a_deposit_limit_holds_at_all_tables_together() -> None:
    async with a_floor() as floor:
        one, two = await open_dated_tables(floor, 2)
        await with_a_card(floor, "alice")
        await write(floor, ALICE, p.SetDepositLimit("", 10_000))
        await must(floor, DEALER, one, a.BuyChips("alice", 6_000))
        answer = await do(floor, DEALER, two, a.BuyChips("alice", 5_000))
        assert isinstance(answer, NotAllowed) and "def:Deposit Limit" in answer.refusal.clauses
        await must(floor, DEALER, two, a.BuyChips("alice", 1_000))
        assert isinstance(await do(floor, DEALER, one, a.BuyChips("alice", 3_500)), NotAllowed)
        await must(floor, DEALER, one, a.BuyChips("alice", 3_000))


@pytest.mark.clause("nsw-pontoon", "def:Deposit Limit")
async def test_what_was_bought_today_counts_against_a_deposit_limit_that_is_set_later() -> None:
    """The most in a calendar day is the most of the whole day."""
    async with a_floor() as floor:
        one, two = await open_dated_tables(floor, 2)
        await with_a_card(floor, "alice")
        await must(floor, DEALER, one, a.BuyChips("alice", 6_000))
        await write(floor, ALICE, p.SetDepositLimit("", 10_000))
        answer = await do(floor, DEALER, two, a.BuyChips("alice", 4_500))
        assert isinstance(answer, NotAllowed) and "def:Deposit Limit" in answer.refusal.clauses
        await must(floor, DEALER, two, a.BuyChips("alice", 4_000))


async def test_bots_of_the_house_play_where_people_need_a_card() -> None:
    async with a_floor() as floor:
        opening = msgspec.structs.replace(dated_opening(), bots=("bot-alice",), dealer="house")
        await a_table(floor, "b1", opening)
        answer = await floor.act(HOUSE, "b1", "", a.PlaceWager("bot-alice", 1, 1000))
        assert isinstance(answer, Accepted), answer


@pytest.mark.clause("nsw-pontoon", "5.11", "5.12", "5.13")
async def test_what_the_book_says_of_restrictions_takes_nothing_from_the_tables_own() -> None:
    async with a_floor() as floor:
        (one,) = await open_dated_tables(floor, 1)
        for name in ("alice", "bob"):
            await with_a_card(floor, name)
        await ready(floor, one)
        restrict = p.RestrictPatron("", "one-box", "counts", notified=True)
        await write(floor, MANAGER, restrict)
        await write(floor, MANAGER, p.LiftPatronRestriction("", "one-box"))
        await must(floor, ALICE, one, a.TakeSeat("alice", 1))
        await play_out(floor, one, 1, random.Random(1), [BOB])
        await must(floor, SUPERVISOR, one, a.Restrict("casino-supervisor", "alice", "late-entry"))
        answer = await do(floor, ALICE, one, a.PlaceWager("alice", 1, 5_000))
        assert isinstance(answer, NotAllowed) and answer.refusal.clauses == ("5.11",)
        await write(floor, MANAGER, restrict)
        await write(floor, MANAGER, msgspec.structs.replace(restrict, rule="all-further-shoes"))
        await must(floor, ALICE, one, a.PlaceWager("alice", 1, 500))
        answer = await do(floor, ALICE, one, a.PlaceWager("alice", 2, 500))
        assert isinstance(answer, NotAllowed) and "5.13" in answer.refusal.clauses, "the one that leaves them least"
