"""What a sign announced takes effect at its minute, once, whichever process has the table then."""

from __future__ import annotations

import pytest

from pitboss.floor import signs
from pitboss.floor.clock import SetClock
from pitboss.floor.floor import Floor
from pitboss.floor.host import Host
from pitboss.floor.model import Answer
from pitboss.table import acts as a
from tests.floor.limited import open_dated_tables
from tests.floor.memory import ALICE, SUPERVISOR, MemoryLog, a_floor
from tests.floor.playing import must
from tests.floor.test_opening import until

MINUTE = 60_000
RISE = a.DisplaySign("", "limits", 20, 1_000, 100_000)

pytestmark = pytest.mark.clause("nsw-pontoon", "6.5")


def rises(log: MemoryLog, table: str) -> int:
    return sum(b'"LimitsSet"' in entry.body for entry in log.by_stream[f"table:{table}"])


def minimum(floor: Floor, table: str) -> int:
    return floor.hosts[table].table.house.minimum_cents


async def test_new_limits_come_at_the_minute_of_their_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signs, "AGAIN_SECONDS", 0.01)  # nobody waits twenty minutes here
    log, clock = MemoryLog(), SetClock()
    async with a_floor(log, clock=clock) as floor:
        (table,) = await open_dated_tables(floor, 1)
        await must(floor, ALICE, table, a.TakeSeat("alice", 1))
        await must(floor, SUPERVISOR, table, RISE)
        clock.pass_ms(20 * MINUTE - 1)
        await must(floor, ALICE, table, a.TakeSeat("alice", 2))
        assert minimum(floor, table) == 500
        clock.pass_ms(1)
        await until(lambda: minimum(floor, table) == 1_000)
        assert floor.hosts[table].table.players["alice"].minimum_cents == 0, "it binds those who were there"
        clock.pass_ms(60 * MINUTE)
        await must(floor, ALICE, table, a.LeaveTable("alice"))
        assert rises(log, table) == 1
        last = log.by_stream[f"table:{table}"]
        assert [entry.by for entry in last if b'"LimitsSet"' in entry.body] == [""], "the floor itself did it"


async def test_a_sign_outlives_its_process_and_is_carried_out_once() -> None:
    log, clock = MemoryLog(), SetClock()
    async with a_floor(log, clock=clock) as floor:
        (table,) = await open_dated_tables(floor, 1)
        await must(floor, SUPERVISOR, table, RISE)
    clock.pass_ms(25 * MINUTE)
    for _ in range(2):
        async with a_floor(log, clock=clock) as floor:
            await floor.host_of(table)
            await until(lambda: minimum(floor, table) == 1_000)
        assert rises(log, table) == 1


async def test_limits_set_by_hand_take_the_sign_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signs, "AGAIN_SECONDS", 0.01)
    log, clock = MemoryLog(), SetClock()
    async with a_floor(log, clock=clock) as floor:
        (table,) = await open_dated_tables(floor, 1)
        await must(floor, SUPERVISOR, table, RISE, a.SetLimits("", 700, 100_000))
        clock.pass_ms(30 * MINUTE)
        await must(floor, ALICE, table, a.TakeSeat("alice", 1))
        assert rises(log, table) == 1 and minimum(floor, table) == 700


async def test_a_stopped_table_takes_its_new_limits_when_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signs, "AGAIN_SECONDS", 0.01)
    log, clock = MemoryLog(), SetClock()
    async with a_floor(log, clock=clock) as floor:
        (table,) = await open_dated_tables(floor, 1)
        await must(floor, SUPERVISOR, table, RISE, a.StopTable("", "the rack is short"))
        asked: list[Answer] = []
        right = floor.signs._answered

        def hears(host: Host, answer: Answer) -> None:
            asked.append(answer)
            right(host, answer)

        monkeypatch.setattr(floor.signs, "_answered", hears)
        clock.pass_ms(20 * MINUTE)
        await until(lambda: len(asked) >= 2)
        assert minimum(floor, table) == 500
        await must(floor, SUPERVISOR, table, a.ResumeTable("", "counted: it is whole"))
        await until(lambda: minimum(floor, table) == 1_000)
        assert rises(log, table) == 1
