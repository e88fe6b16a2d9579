"""What a sign announced takes effect at its minute, once, whichever process has the table then."""

from __future__ import annotations

import datetime

import pytest

from pitboss.floor import signs
from pitboss.floor.clock import SetClock
from pitboss.floor.floor import Floor
from pitboss.floor.host import Host
from pitboss.floor.model import Answer, NotAllowed
from pitboss.table import acts as a
from tests.floor.limited import open_dated_tables
from tests.floor.memory import ALICE, SUPERVISOR, MemoryLog, a_floor, a_table, an_opening
from tests.floor.playing import do, must
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


@pytest.mark.clause("canberra-pontoon-2005", "3.1")
@pytest.mark.clause("canberra-pontoon-2002", "3.1")
@pytest.mark.clause("adelaide-pontoon-2008", "13")
@pytest.mark.parametrize("rulebook", ["canberra-pontoon-2005", "canberra-pontoon-2002", "adelaide-pontoon-2008"])
async def test_a_sign_takes_effect_where_the_operator_or_the_house_alters_limits(rulebook: str) -> None:
    clock = SetClock()
    async with a_floor(MemoryLog(), clock=clock) as floor:
        await a_table(floor, "t1", an_opening(rulebook, date=datetime.date(2026, 11, 18)))
        await must(floor, SUPERVISOR, "t1", a.DisplaySign("", "limits", 1, 1_000, 100_000))
        clock.pass_ms(MINUTE)
        floor.signs.look(floor.hosts["t1"])
        await until(lambda: minimum(floor, "t1") == 1_000)


async def test_a_sign_of_which_no_minimum_rises_stands_as_long_as_the_house_likes() -> None:
    async with a_floor(MemoryLog(), clock=SetClock()) as floor:
        (table,) = await open_dated_tables(floor, 1)
        await must(floor, SUPERVISOR, table, a.DisplaySign("", "limits", 5, 500, 200_000))
        await must(floor, ALICE, table, a.TakeSeat("alice", 1))
        refused = await do(floor, SUPERVISOR, table, a.DisplaySign("", "limits", 19, 501, 200_000))
        assert isinstance(refused, NotAllowed) and refused.refusal.clauses == ("6.5", "6.5.2")
        await must(floor, SUPERVISOR, table, a.SetLimits("", 1_000, 200_000))
        refused = await do(floor, SUPERVISOR, table, a.DisplaySign("", "limits", 19, 1_000, 200_000))
        assert isinstance(refused, NotAllowed), "alice keeps $5, and the sign would end that (6.5.2)"
