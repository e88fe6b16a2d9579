"""When the log's disk fills up: an alarm while there is time, no new round once there is none, and back again."""

from __future__ import annotations

from pathlib import Path

from pitboss.floor.alarms import KINDS, LOG_ALTERED, LOG_ROOM_LOW, LOG_ROOM_OUT, NO_ROOM
from pitboss.floor.model import Halted
from pitboss.store.room import LOW, Room
from pitboss.table import acts as a
from tests.floor.memory import ALICE, DEALER, a_floor, a_table
from tests.floor.playing import do, must, ready

RESERVE = 1 << 20


async def test_alarms_ring_while_there_is_time_and_end_by_themselves(tmp_path: Path) -> None:
    async with a_floor() as floor:
        free = [1 << 40]
        floor.commits.room = Room(tmp_path / "floor.db", RESERVE, lambda: free[0])
        ringing = []
        for left in (1 << 40, LOW * RESERVE - 1, RESERVE - 1, RESERVE, 1 << 40):
            free[0] = left
            await floor.room.look()
            ringing.append(([alarm.kind for alarm in floor.alarms.ringing], floor.is_ready, floor.no_new_round))
        assert ringing == [
            ([], True, ""),
            ([LOG_ROOM_LOW], True, ""),
            ([LOG_ROOM_OUT], False, NO_ROOM),
            ([LOG_ROOM_LOW], True, ""),
            ([], True, ""),
        ]


async def test_without_room_rounds_end_and_none_begins(tmp_path: Path) -> None:
    async with a_floor(seed=8) as floor:
        free = [1 << 40]
        floor.commits.room = Room(tmp_path / "floor.db", RESERVE, lambda: free[0])
        table = await a_table(floor)
        await ready(floor, table)
        wager = a.PlaceWager("alice", 1, 1000)
        await must(floor, ALICE, table, wager)
        await must(floor, DEALER, table, a.Deal())
        assert floor.hosts[table].table.phase == "play"
        free[0] = 0
        await floor.room.look()
        await must(floor, ALICE, table, a.Stand("alice", 1))
        assert floor.hosts[table].table.phase == "wagers", "the round in play has ended"
        answer = await do(floor, ALICE, table, wager)
        assert isinstance(answer, Halted) and answer.text.startswith(NO_ROOM)
        free[0] = 1 << 40
        await floor.room.look()
        await must(floor, ALICE, table, wager)


async def test_a_log_that_somebody_else_wrote_to_is_served_no_longer() -> None:
    """Rounds in play end, none begins, and whoever asks whether the server is ready is told why."""
    async with a_floor(seed=8) as floor:
        table = await a_table(floor)
        await ready(floor, table)
        wager = a.PlaceWager("alice", 1, 1000)
        await must(floor, ALICE, table, wager)
        await must(floor, DEALER, table, a.Deal())
        floor.distrust("entry 7 was added without the key of the log")
        assert [alarm.kind for alarm in floor.alarms.ringing] == [LOG_ALTERED]
        assert not floor.is_ready and "entry 7 was added without the key" in floor.no_new_round
        await must(floor, ALICE, table, a.Stand("alice", 1))
        answer = await do(floor, ALICE, table, wager)
        assert isinstance(answer, Halted) and "entry 7 was added" in answer.text


def test_every_alarm_has_its_paragraph_in_the_manual() -> None:
    manual = (Path(__file__).parents[2] / "docs" / "serve.md").read_text()
    assert all(f"`{kind}`" in manual for kind in KINDS)
