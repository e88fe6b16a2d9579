"""The demo floor: five tables that deal by themselves, live, on a real log."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from pitboss.floor.house_dealer import AT_ONCE
from pitboss.floor.model import HOUSE, Accepted
from pitboss.floor.people import Session
from pitboss.floor.setting_up import demo_opening, open_demo_floor
from pitboss.rulebooks import RULEBOOKS
from pitboss.table import acts as a
from tests.floor.peopled import Peopled, caller, run


def test_the_demo_floor_has_a_table_for_each_rulebook(tmp_path: Path) -> None:
    async def first(house: Peopled) -> list[str]:
        return await open_demo_floor(house.floor)

    async def again(house: Peopled) -> tuple[list[str], list[str]]:
        return await open_demo_floor(house.floor), sorted(house.floor.openings)

    assert run(tmp_path, first) == list(RULEBOOKS)
    assert run(tmp_path, again) == ([], sorted(RULEBOOKS)), "the second start finds them"


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_one_wager_is_enough_and_then_it_is_quiet(tmp_path: Path, rulebook: str) -> None:
    """A guest wagers; bots join, the house deals, plays and settles; then nothing happens until somebody wagers."""

    async def test(house: Peopled) -> None:
        opening = msgspec.structs.replace(demo_opening(rulebook), timers=AT_ONCE)
        assert isinstance(await house.floor.open_table(HOUSE, "o", "t1", opening), Accepted)
        host = house.floor.hosts["t1"]
        guest = await house.reception.guest("alice", "player", local=True)
        assert isinstance(guest, Session)
        for number in range(1, 4):
            await _until(lambda: host.table.preparation == "ready" and host.is_idle)
            answer = await house.floor.act(guest.caller, "t1", f"w{number}", a.PlaceWager("alice", 1, 500))
            assert isinstance(answer, Accepted), answer
            await _until(lambda number=number: host.rounds >= number)
        players = {name for name in host.table.net if host.table.players[name].seat or name == "alice"}
        assert players == {"alice", "bot-alice", "bot-bob"}
        await _until(lambda: host.table.phase == "wagers" and host.table.preparation == "ready" and host.is_idle)
        before = host.version
        await asyncio.sleep(0.2)
        assert host.version - before <= 1, "a table with nobody wagering waits (but for one who has gone)"
        assert not [entry for entry in house.entries("audit") if entry.kind == "denied"]

    run(tmp_path, test)


async def _until(holds: object, seconds: float = 20.0) -> None:
    end = asyncio.get_running_loop().time() + seconds
    while not holds():  # type: ignore[operator]
        assert asyncio.get_running_loop().time() < end, "it does not happen"
        await asyncio.sleep(0.002)


def test_the_house_does_not_do_what_is_for_people(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        await open_demo_floor(house.floor)
        dealer = await house.reception.guest("", "dealer", local=True)
        assert isinstance(dealer, Session)
        answer = await house.floor.act(dealer.caller, "nsw-pontoon", "1", a.Deal())
        assert "deals by itself" in answer.text  # type: ignore[union-attr]
        assert not isinstance(await house.floor.act(caller("alice"), "nsw-pontoon", "2", a.Deal()), Accepted)

    run(tmp_path, test)
