"""The past: any version, any round as a record that replays, and a search that finds what was played."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.floor import history, round_records, searching
from pitboss.floor.clock import SetClock
from pitboss.floor.folds import tables_ever
from pitboss.floor.host import CHECKPOINT_EVERY, decode_act
from pitboss.floor.projections import Projections
from pitboss.floor.searching import LogIndex, Searches, Wanted
from pitboss.records import loads, replay
from pitboss.records.saving import encoded
from pitboss.rulebooks import RULEBOOKS
from pitboss.store.log import Entry
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.engine import open_table
from pitboss.table.views import Viewer, seen_of_affairs
from tests.floor.memory import ALICE, BOB, DEALER, SUPERVISOR, MemoryLog, a_floor, a_table, an_opening
from tests.floor.playing import must, play_out, ready, wander

INSPECTOR = Viewer("inspector")


class CountingLog(MemoryLog):
    """Counts the entries that are read."""

    read_entries = 0

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> Any:
        for entry in super().read(stream, after, limit):
            self.read_entries += 1
            yield entry


@pytest.mark.parametrize("rulebook", RULEBOOKS)
async def test_every_round_is_a_record_that_replays_to_the_same_events(rulebook: str) -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        table = await a_table(floor, "t1", an_opening(rulebook))
        host = await wander(floor, table, 500, seed=3, mishaps=0.02)
        told = history.rounds(log, table, 1, 100)
        assert told is not None and [each.round for each in told] == list(range(1, min(100, host.rounds) + 1))
        assert host.rounds > 10
        entries = {
            entry.version: decode_act(entry.body).events for entry in log.read("table:t1") if entry.kind == "act"
        }
        shuffled = [
            version for version, events in entries.items() if any(isinstance(ev, e.CardsShuffled) for ev in events)
        ]
        single = 0
        for each in told:
            record = loads(round_records.record_of_round(log, table, each.round))
            result = replay(record)
            assert result.ok, (each.round, result.failures)
            player = loads(round_records.record_of_round(log, table, each.round, "alice"))
            assert replay(player).ok
            assert encoded(known_to_alice(replay(player).events)) == encoded(known_to_alice(result.events))
            assert all(patron.chips_cents is None for name, patron in player.players.items() if name != "alice")
            if record.title.endswith(f", round {each.round}"):
                single += 1
                events = [ev for v in range(each.first_version, each.last_version + 1) for ev in entries.get(v, ())]
                in_play = each.last_version > shuffled[-1]
                assert encoded(hidden(result.events)) == encoded(hidden(events))
                assert in_play or encoded(result.events) == encoded(events)
        assert single > 5


def hidden(events: Any) -> list[e.Event]:
    """Events without which cards were burned, which nobody saw."""
    return [replace(event, card="??") if isinstance(event, e.CardBurned) else event for event in events]


def known_to_alice(events: Any) -> list[e.Event]:
    """The same, without others' affairs."""
    seen = (seen_of_affairs(Viewer("player", "alice"), event) for event in hidden(events))
    return [event for event in seen if event is not None]


async def test_a_search_tells_nobody_what_lies_face_down() -> None:
    log = MemoryLog()
    async with a_floor(log, seed=8) as floor:
        table = await a_table(floor, "t1", an_opening(face_down=True))
        await ready(floor, table)
        await must(floor, ALICE, table, a.PlaceWager("alice", 1, 1000))
        await must(floor, DEALER, table, a.Deal())
        cards = floor.hosts[table].table.boxes[1].hands[0].cards
        found = Searches(Wanted(act="Deal"), Projections(log)).run(log, 0, 10).found
        shown = [each["card"] for each in found[0].events if each["event"] == "CardDealt"]
        assert shown.count("??") == 2 and len(cards) == 2
        totals = [each["total"] for each in found[0].events if each["event"] == "TurnCame"]
        assert set(totals) <= {0}


async def test_any_past_version_is_the_table_as_it_was() -> None:
    log = CountingLog()
    async with a_floor(log) as floor:
        table = await a_table(floor, "t1", an_opening())
        host = floor.hosts[table]
        seen = {1: host.table}
        rng = random.Random(5)
        while host.version < 3 * CHECKPOINT_EVERY:
            await wander(floor, table, 1, seed=rng.randrange(1 << 30), mishaps=0.02)
            seen[host.version] = host.table
        for version in (1, 2, 3, 255, 256, 257, 258, 300, 512, 513, 514, host.version):
            log.read_entries = 0
            moment = history.moment_at(log, table, version)
            assert moment is not None and moment.table == seen[version] and moment.version == version
            assert log.read_entries <= CHECKPOINT_EVERY + 3
            shown = history.view_at(log, table, version, INSPECTOR)
            assert shown is not None and shown["version"] == version
        assert history.moment_at(log, table, host.version + 1) is None
        assert history.view_at(log, table, 0, INSPECTOR) is None
        assert history.view_at(log, "t9", 1, INSPECTOR) is None


async def test_rounds_are_found_without_reading_from_the_beginning() -> None:
    log = CountingLog()
    async with a_floor(log) as floor:
        table = await a_table(floor)
        await ready(floor, table)
        await play_out(floor, table, 150, random.Random(2), [ALICE, BOB])
        log.read_entries = 0
        latest = history.rounds(log, table, 0, 3)
        assert latest is not None and [each.round for each in latest] == [148, 149, 150]
        assert log.read_entries < 3 * CHECKPOINT_EVERY
        log.read_entries = 0
        loads(round_records.record_of_round(log, table, 140))
        assert log.read_entries < 4 * CHECKPOINT_EVERY < log.version("table:t1") + 400
        with pytest.raises(round_records.NoSuchRound):
            round_records.record_of_round(log, table, 151)
        with pytest.raises(round_records.NoSuchRound):
            round_records.record_of_round(log, "t9", 1)
        assert history.rounds(log, "t9") is None
        one = history.rounds(log, table, 77, 1)
        assert one is not None and [each.round for each in one] == [77]


async def test_events_after_a_version() -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        table = await a_table(floor)
        await ready(floor, table)
        version = floor.hosts[table].version
        await must(floor, ALICE, table, a.PlaceWager("alice", 1, 1000))
        found = history.events_after(log, table, version, 10, INSPECTOR)
        assert found is not None
        assert [(each.version, each.text) for each in found] == [(version + 1, "box 1: alice wagers $10.00")]
        everything = history.events_after(log, table, 0, 100, INSPECTOR)
        assert everything is not None and not any(isinstance(each.event, e.StackArranged) for each in everything)
        assert history.events_after(log, "t9", 0, 10, INSPECTOR) is None


@pytest.mark.parametrize(
    "wanted",
    [
        Wanted(act="PlaceWager"),
        Wanted(player="alice"),
        Wanted(player="alice", act="Stand"),
        Wanted(clause="12.1"),
        Wanted(clause="12"),
        Wanted(cents_from=1000, cents_to=1000),
        Wanted(table="t1", act="Deal"),
        Wanted(by="dora"),
    ],
)
async def test_a_search_finds_what_a_slow_search_finds(wanted: Wanted, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the index knows all of the log, some of it or nothing yet; from its beginning, and from its end."""
    monkeypatch.setattr(searching, "PAGE", 7)
    monkeypatch.setattr(searching, "INDEXED_MAX", 20)
    log = MemoryLog()
    async with a_floor(log) as floor:
        for name in ("t1", "t2"):
            await a_table(floor, name)
            await ready(floor, name)
            await play_out(floor, name, 4, random.Random(2), [ALICE, BOB])
        slow = [entry.seq for entry in log.entries if slow_match(entry, wanted)]
        for newest in (False, True):
            found: list[int] = []
            after: int | None = 0
            while after is not None:
                page = Searches(wanted, floor.projections).run(log, after, 3, newest=newest)
                found += [each.seq for each in page.found]
                after = page.next
            assert found == (slow[::-1] if newest else slow) and found


async def test_what_is_rare_is_found_without_looking_at_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "PAGE", 10)
    log = MemoryLog()
    async with a_floor(log) as floor:
        table = await a_table(floor)
        await ready(floor, table)
        await must(floor, BOB, table, a.PlaceWager("bob", 1, 1000), a.WithdrawWager("bob", 1))
        await play_out(floor, table, 30, random.Random(2), [ALICE])
        floor.projections.ask(LogIndex, lambda _: None)
        read: list[int] = []
        whole = log.read_all

        def read_all(after: int = 0, limit: int | None = None) -> Iterator[Entry]:
            read.append(after)
            return whole(after, limit)

        monkeypatch.setattr(log, "read_all", read_all)
        found = Searches(Wanted(player="bob"), floor.projections).run(log, 0, 50, newest=True).found
        assert found and len(log.entries) > 100
        pages = {(each.seq - 1) // 10 for each in found} | {len(log.entries) // 10}
        assert {after // 10 for after in read} <= pages
        loud = Searches(Wanted(player="BOB"), floor.projections).run(log, 0, 50, newest=True).found
        assert loud == found, "capitals do not matter"


async def test_a_search_by_time_finds_what_happened_then_and_nothing_else() -> None:
    log, clock = MemoryLog(), SetClock()
    async with a_floor(log, clock=clock) as floor:
        table = await a_table(floor)
        await must(floor, ALICE, table, a.TakeSeat("alice", 1))
        for box in range(2, 8):
            clock.pass_ms(600_000)
            await must(floor, ALICE, table, a.TakeSeat("alice", box))
        times = {entry.version: entry.at_ms for entry in log.by_stream[f"table:{table}"] if entry.kind == "act"}
        since, until = times[4], times[6]
        for newest in (False, True):
            wanted = Wanted(since_ms=since, until_ms=until)
            found = Searches(wanted, floor.projections).run(log, 0, 50, newest=newest).found
            assert sorted(each.version for each in found) == [4, 5]
        assert [history.version_at(log, table, at) for at in (0, since, since + 1, until, 1 << 60)] == [1, 4, 4, 6, 8]
        assert history.version_at(log, "nowhere", since) is None


def slow_match(entry: Any, wanted: Wanted) -> bool:
    if entry.kind != "act" or (wanted.table and entry.stream != f"table:{wanted.table}"):
        return False
    if wanted.by and entry.by != wanted.by:
        return False
    said = decode_act(entry.body)
    if wanted.act and type(said.act).__name__ != wanted.act:
        return False
    own = getattr(said.act, "player", "") == wanted.player
    if wanted.player and not own and not any(getattr(ev, "player", "") == wanted.player for ev in said.events):
        return False
    if wanted.clause and not any(
        re.match(rf"{re.escape(wanted.clause)}(?!\d)", clause) for ev in said.events for clause in ev.clauses
    ):
        return False
    if wanted.cents_from:
        amounts = [getattr(ev, f) for ev in said.events for f in ev.__struct_fields__ if f.endswith("cents")]
        return any(wanted.cents_from <= abs(amount) <= wanted.cents_to for amount in amounts)
    return True


def test_a_record_is_shown_event_by_event() -> None:
    text = """
    title    = "A pontoon is paid 3 to 2"
    rulebook = "nsw-pontoon"
    cards    = "As 7h Kd"
    play     = ["alice bets 10 on 1", "alice hits on 1 => refused *", "dealer deals"]
    expect   = { net = { alice = 15 } }
    """
    told = history.replayed(loads(text))
    assert told.expects and told.failures == []
    shown = told.frames
    assert shown[0].text == "A pontoon is paid 3 to 2" and shown[0].view["phase"] == "wagers"
    assert shown[1].text == "box 1: alice wagers $10.00" and shown[1].line == "alice bets 10 on 1"
    assert any("pontoon" in each.text for each in shown[2:])
    assert all(each.clauses for each in shown[1:])
    assert open_table("nsw-pontoon").phase == "wagers" and DEALER.role == "dealer"


def test_a_record_that_is_not_true_says_what_came_instead() -> None:
    head = 'title = "x"\nrulebook = "nsw-pontoon"\ncards = "As 7h Kd"\n'
    play = 'play = ["alice bets 10 on 1", "dealer deals"]\n'
    false = history.replayed(loads(f"{head}{play}expect = {{ net = {{ alice = -10 }} }}"))
    assert false.expects and false.failures == ["net of alice: $15.00, not -$10.00"]
    assert false.frames[-1].view["phase"] == "wagers", "it is shown to its end all the same"
    says_nothing = history.replayed(loads(head + play))
    assert not says_nothing.expects and says_nothing.failures == []
    no_end = history.replayed(loads(head + 'play = ["alice bets 10 on 1", "alice hits on 1", "dealer deals"]'))
    assert not no_end.expects and "was refused" in no_end.failures[0]


async def test_what_was_found_is_told_in_a_sentence() -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        table = await a_table(floor)
        await ready(floor, table)
        await must(floor, ALICE, table, a.PlaceWager("alice", 2, 1000))
        (found,) = Searches(Wanted(act="PlaceWager"), floor.projections).run(log, 0, 10).found
        assert [event["text"] for event in found.events] == ["box 2: alice wagers $10.00"]
        assert found.rulebook == "nsw-pontoon"


async def test_closed_tables_are_known_with_their_newest_version() -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        for name in ("t1", "t2"):
            await a_table(floor, name)
        await floor.close_table(SUPERVISOR, "c", "t1")
        newest, oldest = tables_ever(log, floor.projections)
        assert (newest.table, newest.version, newest.closed_ms) == ("t2", 1, None)
        assert (oldest.table, oldest.version, oldest.rulebook) == ("t1", 2, "nsw-pontoon")
        assert oldest.closed_ms is not None
