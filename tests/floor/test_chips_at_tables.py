"""Chips on the floor: nobody wagers what is not there, at all tables together, in all processes."""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from pitboss.chance import Chance
from pitboss.floor.bots import bot_act
from pitboss.floor.floor import Floor
from pitboss.floor.model import Accepted, NotAllowed, Opening, Proposed
from pitboss.floor.patrons_at_tables import patrons_of
from pitboss.floor.round_records import record_of_round
from pitboss.records import loads, replay
from pitboss.table import acts as a
from pitboss.table.engine import open_table, play
from pitboss.table.house import Patron, default_house
from pitboss.table.run import chips_left
from tests.floor.limited import ALICE, BOOK, DATED, with_a_card
from tests.floor.memory import BOB, DEALER, SUPERVISOR, MemoryLog, a_floor
from tests.floor.peopled import Peopled, caller, run
from tests.floor.playing import do, must, play_out, ready


async def counted_tables(floor: Floor, number: int, dealer: str = "person") -> list[str]:
    """Tables with a gaming date, at which alice and bob may play."""
    names = [f"t{index}" for index in range(1, number + 1)]
    for name in names:
        opening = Opening("nsw-pontoon", house=default_house(BOOK, date=DATED), dealer=dealer)  # type: ignore[arg-type]
        assert isinstance(await floor.open_table(SUPERVISOR, name, name, opening), Accepted)
    for who in ("alice", "bob"):
        await with_a_card(floor, who)
    return names


def pocket(floor: Floor, name: str) -> int:
    return patrons_of(floor).book.file(name).pocket_cents


@pytest.mark.clause("nsw-pontoon", "5.2")
async def test_a_thousand_dollars_that_nobody_bought_are_not_wagered() -> None:
    async with a_floor(MemoryLog()) as floor:
        one, two = await counted_tables(floor, 2)
        answer = await do(floor, ALICE, one, a.PlaceWager("alice", 1, 100_000))
        assert isinstance(answer, NotAllowed) and "5.2" in answer.refusal.clauses and "$0.00" in answer.refusal.text
        answer = await do(floor, ALICE, one, a.PlaceWager("alice", 1, 1_000, token_cents=1_000))
        assert isinstance(answer, NotAllowed) and "tokens" in answer.refusal.text
        await must(floor, DEALER, one, a.BuyChips("alice", 10_000))
        await must(floor, ALICE, one, a.PlaceWager("alice", 1, 4_000))
        assert isinstance(await do(floor, ALICE, two, a.PlaceWager("alice", 1, 1_000)), NotAllowed)
        assert isinstance(await do(floor, ALICE, two, a.BringChips("alice", 1_000)), NotAllowed)
        await must(floor, ALICE, one, a.WithdrawWager("alice", 1), a.TakeChips("alice", 4_000))
        assert pocket(floor, "alice") == 4_000
        await must(floor, ALICE, two, a.BringChips("alice", 3_000), a.PlaceWager("alice", 1, 3_000))
        assert pocket(floor, "alice") == 1_000
        await must(floor, ALICE, one, a.LeaveTable("alice"))
        assert pocket(floor, "alice") == 7_000
        answer = await do(floor, ALICE, two, a.BringChips("alice", 7_001))
        assert isinstance(answer, NotAllowed) and "$70.00" in answer.refusal.text


async def test_nobody_is_given_chips_by_opening_a_table_and_practice_tables_count_none() -> None:
    async with a_floor(MemoryLog()) as floor:
        house = default_house(BOOK, date=DATED)
        gift = Opening("nsw-pontoon", house=house, players={"alice": Patron(chips_cents=10**7)})
        assert isinstance(await floor.open_table(SUPERVISOR, "g", "g", gift), NotAllowed)
        practice = Opening("nsw-pontoon", house=default_house(BOOK), dealer="person")
        assert isinstance(await floor.open_table(SUPERVISOR, "p", "p", practice), Accepted)
        await must(floor, ALICE, "p", a.PlaceWager("alice", 1, 100_000))
        assert floor.hosts["p"].table.house.is_practice and not floor.hosts["p"].table.house.counted


def test_cash_is_handed_over_by_two_people(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        floor = house.floor
        opening = Opening("nsw-pontoon", house=default_house(BOOK, date=DATED))
        sue, sam = caller("supervisor-1"), caller("supervisor-2")
        assert isinstance(await floor.open_table(sue, "open", "t1", opening), Accepted)
        await with_a_card(floor, "alice")
        await must(floor, caller("dealer-1"), "t1", a.BuyChips("alice", 10_000))
        asked = await floor.act(sue, "t1", "c", a.CashChips("casino-supervisor", "alice", 6_000))
        assert isinstance(asked, Proposed)
        answer = house.reception.approvals.answer
        assert not isinstance(await answer(sue, asked.proposal, True, floor.approved), Accepted)
        assert chips_left(floor.hosts["t1"].table, "alice") == 10_000
        assert isinstance(await answer(sam, asked.proposal, True, floor.approved), Accepted)
        assert chips_left(floor.hosts["t1"].table, "alice") == 4_000

    run(tmp_path, test, staff=True)


@pytest.mark.parametrize("seed", range(4))
async def test_two_processes_never_bring_the_same_chips_twice(seed: int) -> None:
    """Alice's chips go between four tables in two processes, all at once: there are never more than she bought."""
    rng = random.Random(seed)
    log = MemoryLog()
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(a_floor(log, owner="one", address="http://one", alone=False))
        here = await counted_tables(one, 2)
        two = await stack.enter_async_context(a_floor(log, owner="two", address="http://two", alone=False))
        there = ["u1", "u2"]
        for name in there:
            opening = Opening("nsw-pontoon", house=default_house(BOOK, date=DATED))
            assert isinstance(await two.open_table(SUPERVISOR, name, name, opening), Accepted)
        await must(one, DEALER, here[0], a.BuyChips("alice", 10_000))
        places = [(one, table) for table in here] + [(two, table) for table in there]

        async def shuffle_about(floor: Floor, table: str) -> int:
            done = 0
            for _ in range(12):
                cents = rng.choice((500, 1_000, 2_500, 5_000))
                kind = rng.choice((a.BringChips, a.TakeChips))
                done += isinstance(await do(floor, ALICE, table, kind("alice", cents)), Accepted)
            return done

        moved = await asyncio.gather(*(shuffle_about(floor, table) for floor, table in places * 2))
        assert sum(moved) > 5
        in_front = sum(chips_left(floor.hosts[table].table, "alice") or 0 for floor, table in places)
        with_her = (await patrons_of(one).book.load("alice")).pocket_cents
        assert in_front + with_her == 10_000 and with_her >= 0


async def test_a_round_with_counted_chips_is_told_to_everybody() -> None:
    """Whoever may read others' chips gets a record that counts them; a player gets one without."""
    log = MemoryLog()
    async with a_floor(log) as floor:
        (one,) = await counted_tables(floor, 1)
        await ready(floor, one)
        await must(floor, DEALER, one, a.BuyChips("alice", 50_000), a.BuyChips("bob", 50_000))
        await must(floor, DEALER, one, a.IssueTokens("dealer", "bob", 1_000))
        await must(floor, ALICE, one, a.TakeChips("alice", 500), a.BringChips("alice", 500))
        await must(floor, ALICE, one, a.PlaceWager("alice", 1, 1_000))
        await must(floor, BOB, one, a.PlaceWager("bob", 2, 1_000, token_cents=500))
        await must(floor, DEALER, one, a.Deal())
        await play_out(floor, one, 1, random.Random(1), [ALICE, BOB])
        for reader in (None, "alice", "bob"):
            text = record_of_round(log, one, 1, reader)
            assert replay(loads(text)).ok
            assert ("counted = true" in text) == (reader is None)


def test_bots_buy_what_they_wager() -> None:
    table = open_table("nsw-pontoon", cards="", house=default_house(BOOK, counted=True))
    for _ in range(3):
        act = bot_act(table, "bot-alice", Chance(1), alone=True)
        assert act is not None
        table, _ = play(table, act)
    assert isinstance(act, a.PlaceWager) and (table.players["bot-alice"].chips_cents or 0) > 0
