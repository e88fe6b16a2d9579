"""One table: an act is done once, nothing is true before it is durable, and what is not written never was."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss.floor.floor import Floor
from pitboss.floor.frozen import freeze, thaw
from pitboss.floor.host import CHECKPOINT_EVERY, ActBody, Checkpoint, checkpoints_of, decode_act, load_table
from pitboss.floor.model import HOUSE, Accepted, Caller, Denied, Halted, Moved, NotAllowed, Unknown
from pitboss.floor.updates import Watch
from pitboss.floor.wire import AskShuffle
from pitboss.ledger import Ledger
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.store.log import Append, Appended, LogFull, NewEntry, Part, StoreError
from pitboss.store.opening import open_log
from pitboss.table import acts as a
from pitboss.table.engine import open_table, play
from pitboss.table.state import snapshot
from tests.floor.memory import ALICE, BOB, DEALER, SUPERVISOR, MemoryLog, a_floor, a_table, an_opening
from tests.floor.playing import do, must, play_out, ready, wander
from tests.waiting import until


async def test_a_round_from_the_shuffle_to_the_settlement() -> None:
    async with a_floor() as floor:
        table = await a_table(floor)
        await ready(floor, table)
        await play_out(floor, table, 5, random.Random(1), [ALICE, BOB])
        assert floor.hosts[table].rounds == 5


async def test_the_same_id_again_gets_the_first_answer_and_is_done_once() -> None:
    async with a_floor() as floor:
        table = await a_table(floor)
        first = await do(floor, ALICE, table, a.TakeSeat("alice", 1), "x")
        again = await do(floor, ALICE, table, a.TakeSeat("alice", 1), "x")
        assert first == again == Accepted(table, 2)
        host = floor.hosts[table]
        host._answers.clear()  # as after a restart: only the log knows
        assert await do(floor, ALICE, table, a.TakeSeat("alice", 1), "x") == first
        other = await do(floor, BOB, table, a.TakeSeat("bob", 2), "x")
        assert other == Accepted(table, 3), "another's id is another id"


async def test_a_repetition_that_would_be_refused_now_gets_the_first_answer() -> None:
    async with a_floor(seed=8) as floor:
        table = await a_table(floor)
        await ready(floor, table)
        wager = a.PlaceWager("alice", 1, 1000)
        first = await do(floor, ALICE, table, wager, "w")
        await must(floor, DEALER, table, a.Deal())
        floor.hosts[table]._answers.clear()
        assert await do(floor, ALICE, table, wager, "w") == first
        assert isinstance(await do(floor, ALICE, table, wager, "w2"), NotAllowed)


async def test_repetitions_that_come_before_the_answer_share_it() -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        table = await a_table(floor)
        answers = await asyncio.gather(*(do(floor, ALICE, table, a.TakeSeat("alice", 1), "x") for _ in range(20)))
        assert set(answers) == {Accepted(table, 2)}
        assert log.version("table:t1") == 2


def waited(gate: threading.Event) -> None:
    gate.wait(5)


async def test_nothing_is_true_or_shown_before_it_is_durable() -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        table = await a_table(floor)
        host = floor.hosts[table]
        seen: list[bytes] = []
        watch: Any = await floor.watch(BOB, table, None, lambda: seen.append(watch.take()))
        gate = threading.Event()
        log.before = lambda batch: waited(gate)
        acting = asyncio.ensure_future(do(floor, ALICE, table, a.TakeSeat("alice", 1)))
        second = asyncio.ensure_future(do(floor, BOB, table, a.TakeSeat("bob", 2)))
        await asyncio.sleep(0.05)
        assert not acting.done() and not second.done() and not seen
        assert host.version == 1 and not host.table.players
        assert b"alice" not in watch.take()
        gate.set()
        assert await acting == Accepted(table, 2) and await second == Accepted(table, 3)
        for _ in range(500):
            await asyncio.sleep(0.01)
            if seen:
                break
        assert b"alice" in seen[0]


async def test_a_full_disk_halts_the_table_and_leaves_it_clean() -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        table = await a_table(floor)
        await must(floor, ALICE, table, a.TakeSeat("alice", 1))
        host = floor.hosts[table]
        before = snapshot(host.table)

        def full(batch: Sequence[Append]) -> None:
            raise LogFull("the disk is full.")

        log.before = full
        acts = [a.TakeSeat("bob", 2), a.LeaveTable("bob"), a.TakeSeat("bob", 3)]
        answers = await asyncio.gather(*(do(floor, BOB, table, act) for act in acts))
        assert all(isinstance(answer, Halted) for answer in answers)
        assert snapshot(host.table) == snapshot(host.decided) == before and host.version == 2
        log.before = None
        assert await must(floor, BOB, table, a.TakeSeat("bob", 3)) == Accepted(table, 3)
        assert host.table.players["bob"].seat == 3


async def test_an_answer_that_was_lost_on_the_way_is_found_in_the_log() -> None:
    """The connection breaks after the write: what was written counts, and nothing is done twice."""
    log = MemoryLog()
    async with a_floor(log) as floor:
        table = await a_table(floor)

        def lost(batch: Sequence[Append]) -> None:
            log.after = None
            raise StoreError("the connection is lost.")

        log.after = lost
        answers = await asyncio.gather(
            do(floor, ALICE, table, a.TakeSeat("alice", 1)), do(floor, BOB, table, a.TakeSeat("bob", 2))
        )
        assert list(answers) == [Accepted(table, 2), Accepted(table, 3)]
        assert log.version("table:t1") == 3 and floor.hosts[table].version == 3
        assert set(floor.hosts[table].table.players) == {"alice", "bob"}


async def test_what_was_decided_after_a_failed_write_is_decided_again() -> None:
    """Somebody else wrote to the stream (which an owner never sees): nothing is lost, nothing is done twice."""
    log = MemoryLog()
    async with a_floor(log) as floor:
        table = await a_table(floor)
        body = b'{"act":{"act":"TakeSeat","player":"carol","box":5},"events":[{"event":"SeatTaken","clauses":["6.1"],'
        body += b'"player":"carol","box":5}]}'
        nothing = b'{"act":{"act":"Deal"},"events":[]}'

        def meanwhile(batch: Sequence[Append]) -> None:
            log.before = None
            from pitboss.store.log import NewEntry, Part

            entries = (NewEntry("act", body), *(NewEntry("act", nothing) for _ in range(9)))
            log.append([Append((Part("table:t1", 1, entries),), 0)])

        log.before = meanwhile
        acts = [(ALICE, a.TakeSeat("alice", 1)), (BOB, a.TakeSeat("bob", 2)), (BOB, a.TakeSeat("bob", 5))]
        answers = await asyncio.gather(*(do(floor, caller, table, act) for caller, act in acts))
        assert answers[:2] == [Accepted(table, 12), Accepted(table, 13)]
        assert isinstance(answers[2], NotAllowed), "box 5 is carol's by now"
        found = load_table(log, table)
        assert found is not None and snapshot(found.table) == snapshot(floor.hosts[table].table)


async def test_many_at_once_one_order_and_each_act_once() -> None:
    """64 clients at one table who repeat themselves: one order for all watchers, each act once."""
    log = MemoryLog()
    async with a_floor(log) as floor:
        table = await a_table(floor)
        await ready(floor, table)
        people = [BOB if n == 0 else type(BOB)(f"p{n}", "player") for n in range(64)]
        heard: dict[str, list[tuple[int, int]]] = {caller.name: [] for caller in people}
        import msgspec

        watches: dict[str, Any] = {}
        for caller in people:

            def wake(name: str = caller.name) -> None:
                update = msgspec.json.decode(watches[name].take())
                heard[name] += [(each["version"], each["n"]) for each in update["events"]]

            watches[caller.name] = await floor.watch(caller, table, floor.hosts[table].version, wake)
        start = floor.hosts[table].version
        accepted: set[int] = set()

        async def hammer(caller: Any, seed: int) -> None:
            rng = random.Random(seed)
            for turn in range(12):
                box = rng.randint(1, 7)
                act = rng.choice(
                    (
                        a.PlaceWager(caller.name, box, 500),
                        a.WithdrawWager(caller.name, box),
                        a.TakeSeat(caller.name, box),
                    )
                )
                asked = [do(floor, caller, table, act, f"{caller.name}-{turn}") for _ in range(rng.randint(1, 3))]
                answers = await asyncio.gather(*asked)
                yes = {answer.version for answer in answers if isinstance(answer, Accepted)}
                assert len(yes) <= 1 and all(isinstance(answer, (Accepted, NotAllowed)) for answer in answers)
                if yes:
                    assert len(answers) == sum(isinstance(answer, Accepted) for answer in answers)
                accepted.update(yes)

        await asyncio.gather(*(hammer(caller, seed) for seed, caller in enumerate(people)))
        host = floor.hosts[table]
        await until(lambda: all({version for version, _ in order} == accepted for order in heard.values()))
        assert accepted == set(range(start + 1, host.version + 1)), "every entry is one accepted act"
        orders = set(map(tuple, heard.values()))
        assert len(orders) == 1
        (order,) = orders
        assert list(order) == sorted(order) and {version for version, _ in order} == accepted
        found = load_table(log, table)
        assert found is not None and snapshot(found.table) == snapshot(host.table)


def test_a_table_that_an_older_version_froze_while_a_split_was_answered_goes_on() -> None:
    """It wrote the names of those who had matched the split, not their wagers."""
    table = open_table(load("nsw-pontoon"), cards="8s 9c 8d 9d Kh Kd")
    placed = (a.PlaceWager("alice", 1, 4000), a.PlaceWager("bob", 1, 2000))
    table, _ = play(table, *placed, a.Deal(), a.Split("alice", 1))
    for older in (True, False):
        data = msgspec.json.decode(freeze(table))
        hand = data["boxes"]["1"]["hands"][0]
        assert list(hand["matching"]) == ["alice"] and hand["asked"] == ["bob"]
        if older:
            hand["matching"] = list(hand["matching"])
        again = thaw(msgspec.json.encode(data))
        assert again.boxes[1].hands[0].matching["alice"].cents == 4000
        after, _ = play(again, a.Split("bob", 1))
        assert [list(hand.wagers) for hand in after.boxes[1].hands] == [["alice", "bob"]] * 2
        assert after.net == {"alice": -8000, "bob": -4000}


@pytest.mark.parametrize("rulebook", RULEBOOKS)
async def test_a_table_read_again_is_the_same_table(rulebook: str) -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        table = await a_table(floor, "t1", an_opening(rulebook))
        host = floor.hosts[table]
        while host.version < 2 * CHECKPOINT_EVERY + 50:
            await wander(floor, table, 100, seed=host.version, mishaps=0.03)
        assert thaw(freeze(host.table)) == host.table
        found = load_table(log, table)
        assert found is not None
        assert (found.table, found.version, found.rounds) == (host.table, host.version, host.rounds)
        assert len(found.recent) < CHECKPOINT_EVERY, "the beginning is not read again"
        assert log.version("checkpoints:table:t1") == (host.version - 1) // CHECKPOINT_EVERY


async def test_a_table_resumes_where_it_was() -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        table = await a_table(floor)
        await ready(floor, table)
        await must(floor, ALICE, table, a.PlaceWager("alice", 1, 1000))
        await must(floor, DEALER, table, a.Deal())
        before = floor.hosts[table]
    async with a_floor(log) as floor:
        after = floor.hosts[table]
        assert (after.table, after.version) == (before.table, before.version)


@pytest.mark.clause("adelaide-pontoon-2008", "112")
async def test_a_denial_is_heard_of_before_it_is_told() -> None:
    """Also that of whoever would approve his own report."""
    heard: list[tuple[str, str, Denied]] = []

    async def hear(caller: Caller, where: str, act: Any, why: Denied) -> None:
        await asyncio.sleep(0.01)
        heard.append((caller.name, type(act).__name__, why))

    async with a_floor() as floor:
        table = await a_table(floor, opening=an_opening("adelaide-pontoon-2008"))
        floor.denied = hear
        await ready(floor, table)
        await must(floor, SUPERVISOR, table, a.BurnInError())
        for caller, act in ((ALICE, a.Deal()), (SUPERVISOR, a.Approve(""))):
            answer = await do(floor, caller, table, act)
            assert heard.pop() == (caller.name, type(act).__name__, answer)
        assert not heard


async def test_refused_denied_and_unknown_change_nothing() -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        table = await a_table(floor)
        assert isinstance(await do(floor, ALICE, table, a.Deal()), Denied)
        assert isinstance(await do(floor, ALICE, table, a.TakeSeat("bob", 1)), Denied)
        assert isinstance(await do(floor, DEALER, table, a.Deal()), NotAllowed)
        assert isinstance(await do(floor, ALICE, "t9", a.TakeSeat("alice", 1)), Unknown)
        assert isinstance(await do(floor, ALICE, table, a.TakeSeat("alice", 99)), NotAllowed)
        assert log.version("table:t1") == 1


async def test_the_client_does_not_choose_the_cards() -> None:
    """A shuffle's order comes from the floor's chance: two tables of two seeds lie differently."""
    orders = []
    for seed in (1, 2):
        async with a_floor(seed=seed) as floor:
            table = await a_table(floor)
            await must(floor, DEALER, table, AskShuffle())
            orders.append(floor.hosts[table].table.stack)
    assert orders[0] != orders[1] and sorted(orders[0]) == sorted(orders[1])


async def test_a_fault_of_ours_is_answered_and_harms_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_floor() as floor:
        table = await a_table(floor)

        def broken(*_: Any) -> Any:
            raise RuntimeError("broken")

        monkeypatch.setattr("pitboss.floor.host.play", broken)
        assert isinstance(await do(floor, ALICE, table, a.TakeSeat("alice", 1)), Halted)
        monkeypatch.undo()
        await must(floor, ALICE, table, a.TakeSeat("alice", 1))


async def test_while_the_house_closes_rounds_end_and_none_begins() -> None:
    async with a_floor(seed=8) as floor:
        table = await a_table(floor)
        await ready(floor, table)
        await must(floor, ALICE, table, a.PlaceWager("alice", 1, 1000))
        await must(floor, DEALER, table, a.Deal())
        host = floor.hosts[table]
        assert host.table.phase == "play"
        stopping = asyncio.ensure_future(floor.stop(5))
        await asyncio.sleep(0.02)
        assert not stopping.done() and not floor.is_ready
        await must(floor, ALICE, table, a.Stand("alice", 1))
        assert host.table.phase == "wagers"
        assert isinstance(await do(floor, ALICE, table, a.PlaceWager("alice", 1, 1000)), Halted)
        await asyncio.wait_for(stopping, 2)


async def test_a_table_is_closed_between_rounds_only() -> None:
    async with a_floor() as floor:
        table = await a_table(floor)
        await ready(floor, table)
        await must(floor, ALICE, table, a.PlaceWager("alice", 1, 1000))
        assert isinstance(await floor.close_table(ALICE, "c1", table), Denied)
        assert isinstance(await floor.close_table(SUPERVISOR, "c2", table), Halted)
        await must(floor, ALICE, table, a.WithdrawWager("alice", 1))
        closed = await floor.close_table(SUPERVISOR, "c3", table)
        assert isinstance(closed, Accepted)
        assert await floor.close_table(SUPERVISOR, "c3", table) == closed
        assert isinstance(await floor.close_table(SUPERVISOR, "c4", table), Unknown)
        assert isinstance(await do(floor, ALICE, table, a.TakeSeat("alice", 1)), Unknown)
        assert floor.tables(ALICE) == []


async def test_the_old_owner_is_fenced() -> None:
    """Another process has taken the table over: whatever the old owner decides is not written, and he says where."""
    log = MemoryLog()
    async with a_floor(log, owner="one", address="http://one", alone=False, lease_ms=150) as one:
        table = await a_table(one)
        await must(one, ALICE, table, a.TakeSeat("alice", 1))
        log.owners.clear()  # one was asleep for longer than its lease
        claim = log.claim("table:t1", "two", "http://two", one.clock.now_ms(), 60_000)
        assert claim.owner == "two"
        answer = await do(one, BOB, table, a.TakeSeat("bob", 2))
        assert answer == Moved(table, "http://two")
        assert await do(one, BOB, table, a.TakeSeat("bob", 2)) == Moved(table, "http://two")
        assert log.version("table:t1") == 2
        assert HOUSE.role == "house"


async def seated(floor: Floor, table: str, version: int) -> None:
    """One seat after the other, until the table is so far."""
    while floor.hosts[table].version < version:
        await must(floor, ALICE, table, a.TakeSeat("alice", 1 + floor.hosts[table].version % 2))


async def test_what_was_written_though_nobody_heard_so_is_told_across_a_checkpoint_too() -> None:
    """The line to the log is lost after the write: the table is read again, and watchers are told what they missed."""
    log = MemoryLog()

    def lose_the_line(_: Sequence[Append]) -> None:
        log.after = None
        raise StoreError("the line was lost.")

    async with a_floor(log) as floor:
        table = await a_table(floor)
        await seated(floor, table, CHECKPOINT_EVERY)
        watch = await floor.watch(BOB, table, None, lambda: None)
        assert isinstance(watch, Watch)
        watch.take()
        log.after = lose_the_line
        await seated(floor, table, CHECKPOINT_EVERY + 1)
        shown = msgspec.json.decode(watch.take())
        told = [event["version"] for event in shown["events"]]
        assert (shown["version"], shown["missed"], told) == (CHECKPOINT_EVERY + 1, 0, [CHECKPOINT_EVERY + 1])


async def test_who_watches_a_table_that_went_elsewhere_is_told_so_and_nothing_else() -> None:
    """What happened there meanwhile he hears there, and all of it."""
    log = MemoryLog()
    seen: list[tuple[int, str | None]] = []
    async with a_floor(log, owner="one", address="http://one", alone=False) as one:
        table = await a_table(one)
        await seated(one, table, CHECKPOINT_EVERY - 1)
        host = one.hosts[table]
        await one.watch(BOB, table, None, lambda: seen.append((host.version, host.moved_to)))
        del log.owners["table:t1"]  # one was asleep for longer than its lease
        claim = log.claim("table:t1", "two", "http://two", one.clock.now_ms(), 60_000)
        for number in range(4):
            before = load_table(log, table)
            assert before is not None
            act = a.TakeSeat("alice", 1 + before.version % 2)
            after, events = play(before.table, act)
            body = msgspec.json.encode(ActBody(act, events))  # type: ignore[arg-type]
            parts = [Part("table:t1", before.version, (NewEntry("act", body),))]
            if before.version == CHECKPOINT_EVERY:
                whole = Checkpoint(before.version + 1, 0, 1, msgspec.Raw(freeze(after)))
                parts.append(Part(checkpoints_of(table), 0, (NewEntry("table", msgspec.json.encode(whole)),)))
            outcome = log.append([Append(tuple(parts), 0, "alice", f"alice/there-{number}", b"{}")])
            assert isinstance(outcome[0], Appended) and claim.owner == "two"
        assert await do(one, BOB, table, a.TakeSeat("bob", 3)) == Moved(table, "http://two")
        await until(lambda: seen)
        assert {moved for _, moved in seen} == {"http://two"}, seen


async def test_twenty_tables_at_once_and_every_cent_is_somewhere() -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        tables = [
            await a_table(floor, f"t{number}", an_opening(RULEBOOKS[number % len(RULEBOOKS)])) for number in range(20)
        ]

        async def play(number: int) -> None:
            await wander(floor, tables[number], 120, seed=number, mishaps=0.02)

        await asyncio.gather(*map(play, range(20)))
        for table in tables:
            ledger = Ledger()
            for entry in log.read(f"table:{table}"):
                for event in decode_act(entry.body).events if entry.kind == "act" else ():
                    ledger.post(event)
            host = floor.hosts[table]
            assert ledger.total() == 0
            for name, cents in host.table.net.items():
                assert ledger.standing(name) == cents, (table, name)


async def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    """SQLite itself says that there is no room: acts are halted with a sentence, and go on when there is room again."""
    log: Any = open_log(str(tmp_path / "floor.db"))
    async with a_floor(log) as floor:
        table = await a_table(floor)
        await must(floor, ALICE, table, a.TakeSeat("alice", 1))
        pages = log._writer.execute("PRAGMA page_count").fetchone()[0]
        log._writer.execute(f"PRAGMA max_page_count = {pages}")
        halted: Any = None
        for number in range(400):
            halted = await do(floor, ALICE, table, a.TakeSeat("alice", 2 - number % 2))
            if isinstance(halted, Halted):
                break
        assert isinstance(halted, Halted) and halted.text
        before = snapshot(floor.hosts[table].table)
        assert isinstance(await do(floor, BOB, table, a.TakeSeat("bob", 3)), Halted)
        assert snapshot(floor.hosts[table].table) == before
        log._writer.execute(f"PRAGMA max_page_count = {pages + 1000}")
        await must(floor, BOB, table, a.TakeSeat("bob", 3))
        found = load_table(log, table)
        assert found is not None and snapshot(found.table) == snapshot(floor.hosts[table].table)
    log.close()


async def test_a_fault_at_one_table_keeps_nobody_at_another_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_floor() as floor:
        for name in ("t1", "t2"):
            await a_table(floor, name)
        woken: list[str] = []
        for name in ("t1", "t2"):
            await floor.watch(BOB, name, None, lambda name=name: woken.append(name))  # type: ignore[misc]

        def broken() -> list[Any]:
            raise RuntimeError("broken")

        monkeypatch.setattr(floor.hosts["t1"].updates, "awaited", broken)
        monkeypatch.setattr(floor.hosts["t1"].updates, "is_news", broken)
        for turn in range(3):
            await must(floor, ALICE, "t1", a.TakeSeat("alice", 1))
            await must(floor, ALICE, "t2", a.TakeSeat("alice", 1))
            await until(lambda: woken.count("t2") >= turn)  # noqa: B023


@pytest.mark.clause("adelaide-pontoon-2008", "112")
async def test_who_told_of_an_irregularity_does_not_approve_it_himself() -> None:
    """Two people where the rules want an approval: the same role, and another person."""
    async with a_floor() as floor:
        table = await a_table(floor, opening=an_opening("adelaide-pontoon-2008"))
        await ready(floor, table)
        await must(floor, SUPERVISOR, table, a.BurnInError())
        assert floor.hosts[table].table.approval_due
        own = await do(floor, SUPERVISOR, table, a.Approve("casino-supervisor"))
        assert isinstance(own, Denied) and "112" in own.clauses and "somebody else must approve" in own.text
        other = Caller("second-supervisor", "supervisor")
        await must(floor, other, table, a.Approve("casino-supervisor"))
        assert not floor.hosts[table].table.approval_due
