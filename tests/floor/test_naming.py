"""Whom an act means: capitals make nobody else, and nobody is seated, barred or paid whom the floor does not know."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest

from pitboss.floor.model import Accepted, Denied, NotAllowed, Opening, Proposed
from pitboss.floor.people import Session
from pitboss.floor.wire import AskShuffle
from pitboss.rulebooks import load
from pitboss.table import acts as a
from pitboss.table.house import Patron, default_house
from tests.floor.memory import DEALER, SUPERVISOR, a_floor, a_table
from tests.floor.peopled import Peopled, caller, run
from tests.floor.playing import do, must

SUE, SAM, DAN, ALICE, BOB = map(caller, ("supervisor-1", "supervisor-2", "dealer-1", "alice", "bob"))


async def opened(house: Peopled, **more: Any) -> None:
    opening = Opening("nsw-pontoon", house=default_house(load("nsw-pontoon")), **more)
    assert isinstance(await house.floor.open_table(SUE, "open", "t1", opening), Accepted)


def players(house: Peopled) -> list[str]:
    return list(house.floor.hosts["t1"].table.players)


def test_whoever_is_barred_in_capitals_is_barred(tmp_path: Path) -> None:
    """NSW pontoon 19.8."""

    async def test(house: Peopled) -> None:
        await opened(house)
        await must(house.floor, BOB, "t1", a.TakeSeat("bob", 1))
        answer = await do(house.floor, SUE, "t1", a.BarPlayer("", "BoB", "a device"))
        assert isinstance(answer, Proposed)
        act: Any = house.reception.approvals.proposals[answer.proposal].act
        assert act.player == "bob", "as it is shown to the second"
        done = await house.reception.approvals.answer(SAM, answer.proposal, True, house.floor.approved)
        assert isinstance(done, Accepted) and players(house) == ["bob"]
        refused = await do(house.floor, BOB, "t1", a.PlaceWager("bob", 1, 1000))
        assert isinstance(refused, NotAllowed) and "barred" in refusal_text(refused)

    run(tmp_path, test, staff=True)


def refusal_text(answer: Any) -> str:
    assert isinstance(answer, NotAllowed), answer
    return answer.refusal.text


@pytest.mark.parametrize("there", [False, True])
def test_acts_of_staff_mean_the_account(tmp_path: Path, there: bool) -> None:
    async def test(house: Peopled) -> None:
        await opened(house)
        if there:
            await must(house.floor, BOB, "t1", a.TakeSeat("bob", 1))
        await must(house.floor, DAN, "t1", a.BuyChips("BOB", 20_000))
        await must(house.floor, SUE, "t1", a.TakeSeat("Bob", 4), a.GrantMaximum("", "bOb", 200_000))
        await must(house.floor, SUE, "t1", a.ReserveBoxes("", "BOB", (4,)), a.LimitBoxes("", "BOB", 1))
        await must(house.floor, SUE, "t1", a.Remind("", "BOB", "device"), a.Remind("", "dealer", "advice"))
        table = house.floor.hosts["t1"].table
        assert players(house) == ["bob"] and table.reserved == {4: "bob"}
        assert table.players["bob"].seat == 4 and table.players["bob"].maximum_cents == 200_000
        answer = await do(house.floor, SUE, "t1", a.InvalidateRound("", "fraud", ("zoe",)))
        assert "nobody called 'zoe'" in refusal_text(answer)

    run(tmp_path, test, staff=True)


def test_nobody_is_seated_or_sold_chips_whom_the_floor_does_not_know(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        await opened(house)
        await must(house.floor, ALICE, "t1", a.TakeSeat("alice", 1))
        acts = (a.TakeSeat("zoe", 3), a.BarPlayer("", "zoe", "a device"), a.GrantMaximum("", "zoe", 200_000))
        for number, act in enumerate(acts):
            for _ in range(2):
                text = refusal_text(await do(house.floor, SUE, "t1", act, f"x{number}"))
                assert text == "there is nobody called 'zoe': players have an account, or come in as guests."
        text = refusal_text(await do(house.floor, DAN, "t1", a.BuyChips("Alise", 1000)))
        assert text == "there is nobody called 'Alise'; did you mean alice?"
        assert players(house) == ["alice"] and not house.reception.approvals.proposals
        guest = await house.people.guest("Zoe", house.clock.now_ms())
        assert isinstance(guest, Session)
        await must(house.floor, SUE, "t1", a.TakeSeat("zoe", 3))
        assert players(house) == ["alice", "Zoe"], "a guest is known"

    run(tmp_path, test, staff=True)


def test_whoever_may_not_ask_is_denied_whoever_is_named(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        await opened(house)
        for act in (a.BarPlayer("", "zoe", "a device"), a.TakeSeat("BOB", 1)):
            assert isinstance(await do(house.floor, DAN, "t1", act), Denied)
        assert isinstance(await do(house.floor, BOB, "t1", a.TakeSeat("BOB", 1)), Denied)
        assert sum(entry.kind == "denied" for entry in house.entries("audit")) == 3

    run(tmp_path, test, staff=True)


def test_bots_and_players_of_the_opening_are_known(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        patrons = {"ALICE": Patron(seat=1), "vera": Patron(seat=2)}
        await house.people.guest("vera", house.clock.now_ms())
        await opened(house, players=patrons, bots=("bot-bob",), dealer="house")
        assert players(house)[:2] == ["alice", "vera"], "the account's spelling, and a guest"
        await must(house.floor, SUE, "t1", a.LimitBoxes("", "Bot-Bob", 1), a.LimitBoxes("", "VERA", 1))
        assert {name.lower() for name in players(house)} == set(players(house)) == {"alice", "vera", "bot-bob"}

    run(tmp_path, test, staff=True)


def test_two_players_of_an_opening_that_differ_in_capitals_only_are_refused(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        await house.people.guest("vera", house.clock.now_ms())
        for names in (("Vera", "vera"), ("alice", "ALICE")):
            wanted = Opening("nsw-pontoon", players=dict.fromkeys(names, Patron()))
            assert "capitals" in refusal_text(await house.floor.open_table(SUE, f"open-{names}", "t1", wanted))

    run(tmp_path, test, staff=True)


@pytest.mark.parametrize("name", ["ghost", "supervisor-2", "gone"])
def test_nobody_is_seated_by_an_opening_who_has_no_account_as_a_player(tmp_path: Path, name: str) -> None:
    """A lone supervisor made players up by opening a table with them."""

    async def test(house: Peopled) -> None:
        await house.people.guest("gone", house.clock.now_ms())
        await house.people.disable(caller("admin-1"), "gone", house.clock.now_ms())
        for date in (None, datetime.date(2026, 7, 1)):
            sign = default_house(load("nsw-pontoon"), date=date)
            wanted = Opening("nsw-pontoon", house=sign, players={name: Patron(seat=1)})
            answer = await house.floor.open_table(SUE, f"open-{date}", "t1", wanted)
            assert "there is nobody called" in refusal_text(answer)
        assert not house.floor.openings

    run(tmp_path, test, staff=True)


async def test_without_accounts_those_at_the_table_are_found_by_any_spelling() -> None:
    async with a_floor() as floor:
        table = await a_table(floor)
        await must(floor, DEALER, table, a.BuyChips("carol", 1000), a.BuyChips("CAROL", 1000), AskShuffle())
        await must(floor, DEALER, table, a.DeclineCut("Carol"))
        await must(floor, SUPERVISOR, table, a.Cut("supervisor", 100))
        assert list(floor.hosts[table].table.players) == ["carol"]
