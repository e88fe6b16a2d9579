"""Money that does not add up is never written: the table stops, durably, and two people must restart it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss import legal_acts, open_table, play, waiting_for
from pitboss.chance import Chance
from pitboss.floor.house_dealer import Step, next_step
from pitboss.floor.model import Accepted, Denied, Halted, NotAllowed, Proposed, Timers
from pitboss.floor.patrons_at_tables import AtTable
from pitboss.floor.prompts import prompt
from pitboss.rulebooks import RULEBOOKS
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.run import Run
from pitboss.table.state import Table, snapshot
from tests.floor.memory import ALICE, BOB, DEALER, SUPERVISOR, MemoryLog, a_floor, a_table, an_opening
from tests.floor.peopled import Peopled, caller, run
from tests.floor.playing import do, must, ready, wander
from tests.floor.test_approvals import MAX, SAM, SUE, in_a_round, proposed, word
from tests.floor.test_opening import until

NSW = RULEBOOKS[0]


def pays_wrongly(monkeypatch: pytest.MonkeyPatch, cents: int = 100) -> None:
    """From now on the engine gives back more than was wagered."""
    right = Run.emit

    def wrong(run: Run, event: Any) -> None:
        if isinstance(event, e.WagerReturned):
            event = replace(event, cents=event.cents + cents)
        right(run, event)

    monkeypatch.setattr(Run, "emit", wrong)


async def test_a_wrong_posting_is_never_written_and_stops_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        table = await a_table(floor)
        await ready(floor, table)
        await must(floor, ALICE, table, a.PlaceWager("alice", 1, 1000))
        host = floor.hosts[table]
        seen: Any = await floor.watch(BOB, table, None, lambda: None)
        boss: Any = await floor.watch(SUPERVISOR, table, None, lambda: None)
        before = host.version
        with monkeypatch.context() as patch:
            pays_wrongly(patch)
            answer = await do(floor, ALICE, table, a.WithdrawWager("alice", 1), "w")
        assert isinstance(answer, Halted) and "does not add up" in answer.text
        assert host.version == before + 1 and host.table.net == {"alice": -1000}, "only the stop is written"
        assert "$11.00" in host.table.stopped and host.table.stopped.startswith("stake: ")
        last = log.by_stream["table:t1"][-1]
        assert json.loads(last.body)["act"]["act"] == "StopTable" and last.by == ""
        # everybody sees that it stands still, and staff see why
        assert b"TableStopped" in seen.take() and b"$11.00" not in seen.take()
        assert b"$11.00" in boss.take()
        assert floor.tables(SUPERVISOR)[0]["stopped"] is True
        assert "table-stopped" in floor.alarms and host.breaches == 1
        # nothing more is done, and the act that failed may be asked for again
        for who, act in ((ALICE, a.WithdrawWager("alice", 1)), (BOB, a.TakeSeat("bob", 2)), (DEALER, a.Deal())):
            answer = await do(floor, who, table, act)
            assert isinstance(answer, NotAllowed) and "the table is stopped" in answer.refusal.text
        assert host.version == before + 1
    async with a_floor(log) as floor:
        host = floor.hosts["t1"]
        assert host.table.stopped.startswith("stake: "), "it is stopped after a restart too"
        assert "table-stopped" in floor.alarms
        assert isinstance(await do(floor, ALICE, "t1", a.WithdrawWager("alice", 1)), NotAllowed)


async def test_a_fault_in_deciding_stops_the_table_and_writes_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        table = await a_table(floor)
        await ready(floor, table)
        host = floor.hosts[table]
        before = host.version

        def falls_over(run: Run, event: Any) -> None:
            if not isinstance(event, e.TableStopped):
                raise ZeroDivisionError("no reason")
            right(run, event)

        right = Run.emit
        with monkeypatch.context() as patch:
            patch.setattr(Run, "emit", falls_over)
            denied = await do(floor, ALICE, table, a.FillFloat("casino-supervisor", 100))
            assert isinstance(denied, Denied) and not host.table.stopped, "whoever may not do it stops nothing"
            answer = await do(floor, ALICE, table, a.PlaceWager("alice", 1, 1000))
        assert isinstance(answer, Halted) and "the table is stopped" in answer.text
        assert host.version == before + 1 and "fault: PlaceWager could not be decided" in host.table.stopped
        assert (host.faults, host.breaches) == (1, 0) and "table-stopped" in floor.alarms
        refused = await do(floor, ALICE, table, a.PlaceWager("alice", 1, 1000))
        assert isinstance(refused, NotAllowed) and "the table is stopped" in refused.refusal.text
    async with a_floor(log) as floor:
        assert floor.hosts["t1"].table.stopped.startswith("fault: ")


async def test_an_attachment_that_falls_over_stops_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    falls = False

    def follow_up(self: AtTable, now: Table) -> None:
        if falls:
            raise KeyError("sevens")

    monkeypatch.setattr(AtTable, "follow_up", follow_up)
    async with a_floor() as floor:
        table = await a_table(floor)
        host = floor.hosts[table]
        falls = True
        host.follow_up()
        await until(lambda: bool(host.table.stopped))
        assert host.faults == 1 and "fault: " in host.table.stopped


def test_a_table_that_deals_by_itself_stands_still_while_it_is_stopped() -> None:
    table, _ = play(open_table(NSW, cards="Ks 9s Kd 9h 9d 7c"), a.PlaceWager("alice", 1, 1000), a.Deal())
    timers, chance = Timers(), Chance(1)
    assert next_step(table, 0, 10**9, timers, chance, {"alice"}).act is not None
    stopped, _ = play(table, a.StopTable("casino-supervisor", "the rack is short"))
    assert waiting_for(stopped).what == "stopped" and legal_acts(stopped) == ()
    assert next_step(stopped, 0, 10**9, timers, chance, {"alice"}, bots=("bot-1",)) == Step()
    assert "the rack is short" in prompt(stopped, waiting_for(stopped))["text"]
    resumed, events = play(stopped, a.ResumeTable("gaming-manager", "counted: it is whole"))
    assert snapshot(resumed) == snapshot(table) and type(events[0]) is e.TableResumed


def test_two_people_let_a_stopped_table_go_on(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        await in_a_round(house)
        floor = house.floor
        host = floor.hosts["t1"]
        alone = await floor.act(caller("dealer-1"), "t1", "s0", a.StopTable("", "the rack is short"))
        assert not isinstance(alone, Accepted), "a dealer calls a supervisor"
        assert isinstance(await floor.act(SUE, "t1", "s1", a.StopTable("", "the rack is short")), Accepted)
        assert host.table.halted and host.table.stopped == "the rack is short"
        blank = await floor.act(SUE, "t1", "r0", a.ResumeTable("", "  "))
        assert isinstance(blank, NotAllowed)
        proposal = await proposed(house, a.ResumeTable("", "counted by two: it is whole"), SUE, "r1")
        assert host.table.stopped
        assert not isinstance(await word(house, SUE, proposal), Accepted), "the second is somebody else"
        assert isinstance(await word(house, SAM, proposal), Accepted)
        assert not host.table.stopped and not host.table.halted and not floor.alarms.ringing
        again = await floor.act(MAX, "t1", "r2", a.ResumeTable("", "once more"))
        assert isinstance(again, NotAllowed) and not isinstance(again, Proposed)

    run(tmp_path, test, staff=True)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
async def test_no_act_of_a_live_table_is_stopped_without_cause(rulebook: str) -> None:
    async with a_floor() as floor:
        table = await a_table(floor, opening=an_opening(rulebook))
        host = await wander(floor, table, 400, 3, 0.1)
        assert host.breaches == 0 and not host.table.stopped and host.version > 50
