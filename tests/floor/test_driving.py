"""A table that a person deals has one thing that works by itself: the shuffling device."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from pitboss.floor.floor import Floor
from pitboss.floor.host import decode_act
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.house import DEVICE, SHOE
from tests.floor.memory import ALICE, BOB, MemoryLog, a_floor, a_table, an_opening
from tests.floor.playing import play_out

WITH_A_DEVICE = [rulebook for rulebook in RULEBOOKS if DEVICE in load(rulebook).shuffle.sources.value]


async def landed(floor: Floor, table: str) -> None:
    """Whatever the house wants to do by itself is done."""
    host, version = floor.hosts[table], -1
    while version != host.version or not host.is_idle:
        version = host.version
        await asyncio.sleep(0.02)


def acts_of(log: MemoryLog, table: str) -> list[tuple[str, Any]]:
    """Who did what, in order."""
    entries = (entry for entry in log.entries if entry.stream == f"table:{table}" and entry.kind == "act")
    return [(entry.by, decode_act(entry.body)) for entry in entries]


@pytest.mark.parametrize("rulebook", WITH_A_DEVICE)
async def test_the_device_mixes_what_goes_back_into_it_whoever_deals(rulebook: str) -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        table = await a_table(floor, "t1", an_opening(rulebook, source=DEVICE))
        host = floor.hosts[table]
        for _ in range(3):
            await play_out(floor, table, 1, random.Random(4), [ALICE, BOB])
            await landed(floor, table)
            unmixed = False
            for by, said in acts_of(log, table):
                events = said.events
                unmixed = unmixed or any(isinstance(event, e.DiscardsReturned) for event in events)
                if isinstance(said.act, a.Mix):
                    assert by == ""
                    unmixed = False
            assert not unmixed
        assert sum(isinstance(said.act, a.Mix) for _, said in acts_of(log, table)) >= 3
        assert host.table.house.source == DEVICE


async def test_a_shoe_is_never_mixed() -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        table = await a_table(floor, "t1", an_opening("nsw-pontoon", source=SHOE))
        await play_out(floor, table, 2, random.Random(4), [ALICE, BOB])
        await landed(floor, table)
        assert not any(isinstance(said.act, a.Mix) for _, said in acts_of(log, table))


async def test_who_wanted_nothing_more_in_one_round_is_waited_for_in_the_next() -> None:
    """Also where the house does not look between the two: a round may be over with the deal."""
    async with a_floor(MemoryLog()) as floor:
        table = await a_table(floor, "t1", an_opening(dealer="house"))
        await landed(floor, table)
        host = floor.hosts[table]
        desk = floor.driver._desks[host]
        floor.driver.passed(host, "alice")
        floor.driver._next(host, desk)
        assert desk.passed == {"alice"}
        host.rounds += 1
        floor.driver._next(host, desk)
        assert desk.passed == set()
