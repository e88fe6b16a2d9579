"""Where the dealer confirms every card and payment nobody sees or answers one before, at the table or in its past."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.floor import history, searching
from pitboss.floor.floor import Floor
from pitboss.floor.folds import HouseBooks
from pitboss.floor.host import Host
from pitboss.floor.model import Accepted, Caller, Denied, NotAllowed
from pitboss.floor.pacing import told_until
from pitboss.floor.projections import Projections
from pitboss.floor.registers import HouseRegisters
from pitboss.floor.takings import HouseTakings
from pitboss.floor.withheld import withheld
from pitboss.rulebooks import RULEBOOKS
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.legal import legal_acts, waiting_for
from pitboss.table.state import draft
from pitboss.table.views import Viewer
from tests.floor.memory import ALICE, BOB, DEALER, SUPERVISOR, MemoryLog, a_floor, a_table, an_opening
from tests.floor.playing import do, must, ready
from tests.floor.test_opening import until
from tests.floor.test_views_never_leak import flipped_card
from tests.floor.test_withheld import rows

VIEWERS = (ALICE, BOB, Caller("", "player"), DEALER, SUPERVISOR, Caller("ines", "inspector"))
INSPECTOR = Viewer("inspector")


async def whole(floor: Floor, table: str, caller: Caller, after: int | None = None) -> dict[str, Any]:
    """The table as somebody sees it who comes now."""
    watch = await floor.watch(caller, table, after, lambda: None)
    try:
        update: dict[str, Any] = msgspec.json.decode(watch.take())  # type: ignore[union-attr]
        del update["clock"]
        return update
    finally:
        floor.unwatch(watch)  # type: ignore[arg-type]


def with_other_cards(host: Host) -> None:
    """Whatever waits for the dealer is something else, and so is all that comes of it."""
    assert host.pacing is not None
    for n, piece in enumerate(host.pacing.queue):
        events: list[e.Event] = []
        for event in piece.events:
            if isinstance(event, e.CardDealt):
                event = replace(event, card=flipped_card(event.card), total=99)
            events.append(event)
        host.pacing.queue[n] = piece._replace(events=tuple(events))
    other = draft(host.table)
    other.phase, other.boxes = "wagers", {}
    host.table = other
    host.updates.stale()


async def confirm(floor: Floor, table: str) -> e.Event:
    """The dealer does what they are asked to; gives what it was."""
    host = floor.hosts[table]
    piece = host.next_piece
    assert piece is not None
    place = (await whole(floor, table, DEALER))["prompt"]["place"]
    assert await floor.pace(DEALER, table, "done", place) is None
    assert await floor.pace(DEALER, table, "done", place) is None  # pressed twice, done once
    await until(lambda: host.next_piece is not piece)
    return piece.events[0]


def folded(log: MemoryLog, up_to: int | None = None) -> tuple[Any, ...]:
    """What the folds of the house say; with `up_to`, where the tables had come no further and nobody set a pace."""
    if up_to is not None:
        entries = [each for each in log.entries if not each.stream.startswith("pace:")]
        log = MemoryLog()
        log.entries = [each for each in entries if not each.stream.startswith("table:") or each.version <= up_to]
    projections = Projections(log)  # type: ignore[arg-type]
    return (
        projections.ask(HouseBooks, lambda fold: fold.books),
        projections.ask(HouseTakings, lambda fold: fold.takings),
        projections.ask(HouseRegisters, lambda fold: fold.registers),
    )


@pytest.mark.parametrize("rulebook", RULEBOOKS)
async def test_nothing_is_shown_or_answered_before_it_is_dealt(rulebook: str) -> None:
    """Card by card through a round: every viewer's bytes say no more than the dealer has done."""
    log, rng = MemoryLog(), random.Random(rulebook)
    async with a_floor(log) as floor:
        table = await a_table(floor, opening=an_opening(rulebook))
        host = floor.hosts[table]
        await ready(floor, table)
        assert await floor.pace(DEALER, table, "on") is None
        await until(lambda: host.pacing is not None)
        dealt = movements = 0
        for caller, box in ((ALICE, 1), (BOB, 2)):
            await must(floor, caller, table, a.PlaceWager(caller.name, box, 1000))
        await must(floor, DEALER, table, a.Deal())
        while host.shown_rounds < 1:
            if host.next_piece is None:
                act: Any = rng.choice(legal_acts(host.table))
                caller = {"alice": ALICE, "bob": BOB}.get(getattr(act, "player", ""), DEALER)
                await must(floor, caller, table, act)
                continue
            refused = await do(floor, ALICE, table, a.Hit("alice", 1))
            assert isinstance(refused, NotAllowed) and "still dealing" in refused.refusal.text, refused
            viewer = VIEWERS[movements % len(VIEWERS)]
            seen = await whole(floor, table, viewer, after=0)
            assert sum(each["event"]["event"] == "CardDealt" for each in seen["events"]) == dealt
            assert seen["legal"] == [] and seen["waiting"]["what"] == "dealing"
            kept = list(host.pacing.queue), host.table  # type: ignore[union-attr]
            with_other_cards(host)
            if isinstance(kept[0][0].events[0], (e.CardDealt, e.CardBurned)):
                assert await whole(floor, table, viewer, after=0) == seen
            host.pacing.queue.clear()  # type: ignore[union-attr]
            host.pacing.queue.extend(kept[0])  # type: ignore[union-attr]
            host.table = kept[1]
            host.updates.stale()
            past = history.events_after(log, table, 0, 1000, INSPECTOR) or []
            assert sum(type(each.event) is e.CardDealt for each in past) == dealt
            assert history.view_at(log, table, host.version, INSPECTOR) is None
            assert history.rounds(log, table) == []
            if movements % 8 == 1:
                why = withheld(rows(log))
                left = [row for row in rows(log) if row[2] == f"table:{table}" and not why(row)]
                assert sum(row[9].count(b'"CardDealt"') for row in left) <= dealt
                wanted = searching.Wanted("", "", "", "", 0, 0, "")
                found = searching.Searches(wanted, Projections(log)).run(log, 0, 200).found
                assert max(each.version for each in found) == host.shown_version
                assert folded(log) == folded(log, host.shown_version), "books and takings wait for the cards"
            event = await confirm(floor, table)
            movements += 1
            dealt += isinstance(event, e.CardDealt)
        assert dealt >= 5 and movements > dealt, "payments and collections are confirmed too"
        assert len(history.rounds(log, table) or []) == 1
        assert told_until(log, table) is None
        assert folded(log) == folded(log, host.version), "and have heard it all in the end"


async def test_the_pace_outlives_its_server_and_ends_with_all_told() -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        table = await a_table(floor)
        await ready(floor, table)
        assert isinstance(await floor.pace(ALICE, table, "on"), Denied)
        assert isinstance(await floor.pace(replace(DEALER, tables=("t9",)), table, "on"), Denied)
        await floor.pace(DEALER, table, "on")
        await until(lambda: floor.hosts[table].pacing is not None)
        await must(floor, ALICE, table, a.PlaceWager("alice", 1, 1000), a.PlaceWager("alice", 4, 1000))
        await must(floor, DEALER, table, a.Deal())
        await confirm(floor, table)
        await confirm(floor, table)
        before = await whole(floor, table, BOB, after=0)
        assert isinstance(await floor.close_table(SUPERVISOR, "close", table), object)
    async with a_floor(log) as floor:
        host = await floor.host_of(table)
        assert isinstance(host, Host)
        assert await whole(floor, table, BOB, after=0) == before
        assert not isinstance(await do(floor, ALICE, table, a.Stand("alice", 1)), Accepted)
        disputed = await do(floor, ALICE, table, a.RaiseDispute("alice", "the second card"))
        assert isinstance(disputed, Accepted), "a word about the round may be said at any time"
        await floor.pace(DEALER, table, "rest", (await whole(floor, table, DEALER))["prompt"]["place"])
        await until(lambda: host.next_piece is None)
        assert host.shown == host.table and host.pacing is not None
        assert waiting_for(host.shown).what != "dealing"
        await floor.pace(SUPERVISOR, table, "off")
        await until(lambda: host.pacing is None)
        assert "paced" not in await whole(floor, table, BOB)
    async with a_floor(log) as floor:
        await floor.host_of(table)
        assert floor.hosts[table].pacing is None
