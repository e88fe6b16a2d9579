"""What watchers are sent, and when: parts that are kept are as fresh ones, and whoever is awaited hears first."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from pitboss.floor import ticking
from pitboss.floor.frozen import freeze, thaw
from pitboss.floor.host import Happened, Host, Loaded
from pitboss.floor.model import Caller, Opening
from pitboss.floor.ticking import Ticker
from pitboss.floor.updates import PUBLIC, PublicView, Recent, Watch, events_as_seen, hides, legal_for, mine
from pitboss.rulebooks import RULEBOOKS
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.apply import evolve
from pitboss.table.engine import decide, open_table, play
from pitboss.table.legal import legal_acts, waiting_for
from pitboss.table.refusals import Refusal
from pitboss.table.state import Table, snapshot
from pitboss.table.views import Viewer, seen_by
from tests.floor.memory import ALICE, BOB, DEALER, SUPERVISOR, a_floor, a_table
from tests.floor.playing import must, ready
from tests.properties.driver import next_act, some_table
from tests.waiting import until

encode = msgspec.json.encode
VIEWERS = [ALICE, BOB, DEALER, SUPERVISOR, Caller("erin", "player"), Caller("nobody-at-all", "player")]


def wandering(rulebook_id: str, seed: int, acts: int) -> list[Table]:
    """A table after each of so many acts, mishaps among them."""
    rng = random.Random(seed)
    table = some_table(rulebook_id, rng)
    found = [table]
    for _ in range(acts):
        done = decide(table, next_act(table, rng, 0.1))
        if not isinstance(done, Refusal):
            table = evolve(table, done)
            found.append(table)
    return found


@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_a_view_with_kept_parts_is_the_view(rulebook_id: str) -> None:
    for seed in range(6):
        kept = PublicView()
        for table in wandering(rulebook_id, seed, 250):
            assert encode(kept.view(table)) == encode(seen_by(PUBLIC, table))
            layout = {
                "boxes": table.house.boxes,
                "chips_cents": table.house.chips_cents,
                "practice": True,
                "counted": False,
            }
            assert encode(kept.layout(table)) == encode(layout)


@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_events_that_are_kept_encoded_are_told_as_others_are(rulebook_id: str) -> None:
    for seed in range(4):
        rng = random.Random(seed)
        table = some_table(rulebook_id, rng)
        for version in range(200):
            done = decide(table, next_act(table, rng, 0.1))
            if isinstance(done, Refusal):
                continue
            before = table if hides(done, table) else None
            happened = Happened(version, 7, "alice", done, before)
            recent = Recent(happened)
            for viewer in (PUBLIC, Viewer("player", "bob"), Viewer("dealer"), Viewer("supervisor"), PUBLIC):
                whole = events_as_seen(version, 7, "alice", done, table.rulebook, viewer, before)
                assert recent.as_seen_by(viewer, table.rulebook) == encode(whole)[1:-1]
            table = evolve(table, done)


def test_what_concerns_one_player_is_encoded_once_for_all_others() -> None:
    table = open_table("nsw-pontoon")
    bought = (e.ChipsBought(("6.1",), "alice", 500),)
    assert hides(bought, table) and not hides((e.SeatTaken(("6.1",), "alice", 1),), table)
    recent = Recent(Happened(2, 7, "dora", bought, table))
    for name in ("bob", "carol", "dave"):
        assert recent.as_seen_by(Viewer("player", name), table.rulebook) == b""
    assert b"500" in recent.as_seen_by(Viewer("player", "alice"), table.rulebook)
    assert b"500" in recent.as_seen_by(Viewer("dealer"), table.rulebook)
    assert recent.as_seen_by(Viewer("administrator"), table.rulebook) == b""
    assert set(recent.by_viewer) == {"", "alice", "/dealer", "/administrator"}


def test_a_clause_does_not_tell_what_the_words_leave_out() -> None:
    """A wager that goes back over a loss limit, and the control that passes with it, cite the same clause."""
    book = open_table("nsw-pontoon").rulebook
    events = (
        e.WagerReturned(("17.20",), "alice", 1, 500, reason="loss-limit"),
        e.ControlPassed(("17.20", "5.3"), 1, "bob"),
    )
    others, own = (events_as_seen(2, 7, "", events, book, Viewer("player", name), None) for name in ("bob", "alice"))
    assert [each.clauses for each in others] == [(), ("5.3",)] and "loss limit" not in others[0].text
    assert [each.clauses for each in own] == [("17.20",), ("17.20", "5.3")] and "loss limit" in own[0].text


def a_host(table: Table) -> Any:
    loaded = Loaded(Opening(table.rulebook.id), table, 1, 0, 1, 0, 0, False, [])
    unused: Any = None
    clock: Any = type("Clock", (), {"now_ms": staticmethod(lambda: 1)})
    return Host("t1", loaded, 0, unused, clock, unused, unused, (), lambda host: None)


@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_each_is_told_his_own_as_it_is_now(rulebook_id: str) -> None:
    """Money is encoded once and kept; nobody is ever told what was so a moment ago."""
    tables = wandering(rulebook_id, 7, 250)
    host = a_host(tables[0])
    watches = [Watch(host, viewer, 1, lambda: None) for viewer in VIEWERS]
    for number, table in enumerate(tables[1:], start=2):
        host.table, host.version = table, number
        host.updates.happened(Happened(number, 1, "", ()))
        waiting, acts = host.updates.waiting(), legal_acts(table)
        for watch in watches:
            sent = msgspec.json.decode(watch.take())
            assert sent["mine"] == msgspec.json.decode(encode(mine(watch.caller, table)))
            assert sent["legal"] == msgspec.json.decode(encode(legal_for(watch.caller, table, waiting, acts)))
            assert sent["version"] == number
            assert ("prompt" in sent) == (watch.caller.role != "player")


@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_nobody_misses_an_event_or_hears_one_twice_however_seldom_they_are_told(rulebook_id: str) -> None:
    """What all are told alike is kept ready; what differs from viewer to viewer comes in between."""
    rng = random.Random(11)
    table, version = some_table(rulebook_id, rng), 1
    host = a_host(table)
    watches = [Watch(host, viewer, 1, lambda: None) for viewer in VIEWERS]
    host.updates.watchers |= set(watches)
    heard: dict[Watch, list[Any]] = {watch: [] for watch in watches}
    owed: dict[Watch, list[Any]] = {watch: [] for watch in watches}
    for _ in range(400):
        done = decide(table, next_act(table, rng, 0.1))
        if isinstance(done, Refusal):
            continue
        before = table if hides(done, table) else None
        table, version = evolve(table, done), version + 1
        host.table, host.version = table, version
        host.updates.happened(Happened(version, 1, "", done, before))
        for watch in watches:
            seen = events_as_seen(version, 1, "", done, table.rulebook, watch.viewer, before)
            owed[watch] += msgspec.json.decode(encode(seen))
            if rng.random() < 0.2:
                heard[watch] += msgspec.json.decode(watch.take())["events"]
    for watch in watches:
        heard[watch] += msgspec.json.decode(watch.take())["events"]
        assert heard[watch] == owed[watch]


async def test_a_dealer_is_awaited_when_everybody_has_wagered() -> None:
    async with a_floor() as floor:
        table = await a_table(floor)
        await ready(floor, table)
        await must(floor, ALICE, table, a.TakeSeat("alice", 1))
        await must(floor, BOB, table, a.TakeSeat("bob", 2))
        updates = floor.hosts[table].updates
        for caller in (ALICE, BOB, DEALER):
            watch = await floor.watch(caller, table, None, lambda: None)
            assert isinstance(watch, Watch)

        def awaited() -> set[str]:
            return {watch.caller.name for watch in updates.awaited()}

        assert awaited() == {ALICE.name, BOB.name, DEALER.name}  # a round is over: whoever likes wagers
        await must(floor, ALICE, table, a.PlaceWager("alice", 1, 500))
        assert awaited() == set()
        await must(floor, BOB, table, a.PlaceWager("bob", 2, 500))
        assert awaited() == {DEALER.name}
        await must(floor, DEALER, table, a.Deal())
        assert awaited() >= set(waiting_for(floor.hosts[table].table).who) - {"dealer"}


class _Quiet:
    """A table with one watcher, for whose word it does not wait."""

    def __init__(self, name: str, told: list[str]) -> None:
        self.name = name
        self.version = 1
        self.is_idle = True
        self.updates: Any = self
        self.watchers = [self]
        self.seen = 0
        self._told = told

    def awaited(self) -> list[Any]:
        return []

    def is_news(self, watch: Any) -> bool:
        return True

    def wake(self) -> None:
        self._told.append(self.name)


def _work(seconds: float) -> None:
    """Keep the processor busy."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        sum(range(200))


@pytest.mark.parametrize("keep", [_work, time.sleep], ids=["busy", "late"])
async def test_those_who_only_watch_wait_while_there_is_too_much_to_do(
    monkeypatch: pytest.MonkeyPatch, keep: Callable[[float], None]
) -> None:
    """Whether the loop itself works all the time, or something else keeps it from what is due."""
    monkeypatch.setattr(ticking, "LATEST_SECONDS", 0.06)
    told: list[str] = []
    ticker = Ticker()
    host: Any = _Quiet("t1", told)
    ticker.mark(host)
    await until(lambda: told == ["t1"])  # with time to spare they are told at once
    for _ in range(12):
        ticker.mark(host)
        for _ in range(3):
            keep(0.03)
            await asyncio.sleep(0)
    assert 0.0 < ticker.delay <= 0.06
    for _ in range(60):
        ticker.mark(host)
        await asyncio.sleep(0.1)
        if not ticker.delay:
            break
    assert ticker.delay == 0.0  # and when there is time again they hear at once again


def test_a_kept_table_is_never_changed() -> None:
    """What `PublicView` relies on: acts make new tables and leave those that were alone."""
    tables = wandering("nsw-pontoon", 3, 120)
    before = [encode(seen_by(PUBLIC, table)) for table in tables]
    for table in tables:
        for act in legal_acts(table):
            play(table, act)
    assert [encode(seen_by(PUBLIC, table)) for table in tables] == before


# --- those who have left ---------------------------------------------------------------------------------------------


def came_and_went(count: int) -> Table:
    table = open_table("nsw-pontoon", cards="6s 9h 5d Kc 2c 3c 4c 5c 6c 7c 8c 9c")
    for number in range(count):
        table, _ = play(table, a.TakeSeat(f"p{number}", 1), a.LeaveTable(f"p{number}"))
    return table


def test_an_update_does_not_grow_with_everybody_who_ever_sat_there() -> None:
    for caller in (SUPERVISOR, DEALER, ALICE, Caller("ines", "inspector")):
        few, many = (len(sent_to(caller, came_and_went(count))) for count in (3, 600))
        assert many - few < 50, caller


def sent_to(caller: Caller, table: Table) -> bytes:
    loaded = Loaded(Opening("nsw-pontoon"), table, 2, 0, 1, 0, 0, False, [])
    nothing: Any = None
    host = Host(
        "t1", loaded, 0, nothing, type("Clock", (), {"now_ms": lambda self: 5})(), nothing, nothing, (), nothing
    )
    return Watch(host, caller, 2, lambda: None).take()


def test_those_who_have_left_are_told_of_as_long_as_somebody_asks_for_them() -> None:
    """Barred, restricted, pausing, with a dispute or a box that is kept, or of the last round; the others are not."""
    table = came_and_went(9)
    table, _ = play(table, a.RaiseDispute("p1", "the odds"), a.RaiseDispute("p2", "the odds"))
    table, _ = play(table, a.RuleDispute("casino-supervisor", "p2", "it stands"), a.AskReview("p2"))
    table, _ = play(table, a.RaiseDispute("p3", "the odds"), a.RuleDispute("casino-supervisor", "p3", "it stands"))
    table, _ = play(table, a.BarPlayer("casino-supervisor", "p4", "a device"), a.LeaveTable("p4"))
    table, _ = play(table, a.ReserveBoxes("casino-supervisor", "p5", (5,)), a.PlaceWager("p6", 1, 1000), a.Deal())
    while table.phase != "wagers":
        table, _ = play(table, legal_acts(table)[0])
    table, _ = play(table, a.LeaveTable("p6"), a.TakeSeat("p0", 2))
    named = set(mine(SUPERVISOR, table)["players"])
    assert {"p0", "p1", "p2", "p4", "p5", "p6"} <= named and not {"p7", "p8"} & named
    assert mine(SUPERVISOR, table)["players"]["p4"]["barred"] == "a device"
    assert mine(Caller("p7", "player"), table)["net_cents"] == 0, "he himself is told"


def test_a_checkpoint_says_little_of_those_of_whom_there_is_little_to_say() -> None:
    """And forgets nothing of them."""
    table = came_and_went(400)
    assert len(freeze(table)) < 400 * 60
    for rulebook_id in RULEBOOKS:
        for each in wandering(rulebook_id, 5, 120)[::10]:
            assert snapshot(thaw(freeze(each))) == snapshot(each)
