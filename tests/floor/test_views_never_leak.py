"""Hidden cards are flipped, and whoever may not see them is sent the same bytes as before.

Undealt and burned cards are hidden from everybody; cards face down from all but those with a wager on the box; what
concerns one player alone from other players. Each act of long sessions is told twice: once as it was, once with
everything hidden replaced by something else; at once, later from the log, to whoever comes back, in downloads and in
exports.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.floor import history, round_records
from pitboss.floor.frozen import opened
from pitboss.floor.host import Happened, Host, Loaded, decode_act
from pitboss.floor.model import FLOOR_ROLES, HOUSE, Caller, Opening
from pitboss.floor.permissions import OPERATIONS
from pitboss.floor.updates import Watch, hides
from pitboss.floor.wire import AskShuffle
from pitboss.records import loads
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.store.log import Entry
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.apply import evolve
from pitboss.table.engine import decide, open_table
from pitboss.table.events import Event
from pitboss.table.house import Patron, default_house
from pitboss.table.irregularities.moments import moments_of
from pitboss.table.refusals import Refusal
from pitboss.table.state import Table, draft
from pitboss.table.views import SEES_PRIVATE, STAFF, Viewer, event_seen_by
from tests.floor.memory import ALICE, BOB, DEALER, SUPERVISOR, MemoryLog, a_floor, a_table, an_opening
from tests.floor.playing import must, ready, wander
from tests.properties.driver import PEOPLE, next_act

VIEWERS = [
    *(Caller(name, "player") for name in ("alice", "bob", "erin", "nobody-at-all")),
    *(Caller("x", role) for role in FLOOR_ROLES if role not in ("player", "tournament-manager")),
]
NATURAL = 21
"""A natural must be turned up, so that the table waits for its owner tells everybody what it is."""
OTHER = dict(zip("A23456789JQKT", "KQJ98765432AT", strict=True))


def flipped_card(card: str) -> str:
    """Some other card; never the same."""
    return OTHER[card[0]] + {"s": "h", "h": "d", "d": "c", "c": "s"}[card[1]] if len(card) == 2 else card


def may_look(viewer: Caller, table: Table, box: int) -> bool:
    area = table.boxes.get(box)
    return viewer.role == "player" and area is not None and any(viewer.name in hand.wagers for hand in area.hands)


def flipped_table(table: Table, viewer: Caller) -> Table:
    """The table with every card changed that this viewer may not see."""
    new = draft(table)
    new.stack = (*table.stack[: table.position], *map(flipped_card, table.stack[table.position :]))
    new.burned = tuple(map(flipped_card, table.burned))
    rack = list(table.rack)  # what was burned lies there as well
    for card in table.burned:
        if card in rack:
            rack[rack.index(card)] = flipped_card(card)
    new.rack = tuple(rack)
    new.error_cards = tuple((card if shown else flipped_card(card), shown) for card, shown in table.error_cards)
    for number, box in new.boxes.items():
        for hand in box.hands:
            if hand.face_down and hand.total != NATURAL and not may_look(viewer, table, number):
                hand.cards = tuple(map(flipped_card, hand.cards))
                hand.total, hand.soft = 25 - hand.total, not hand.soft
                if hand.total == NATURAL:  # two twos: a natural would have to be turned up, which this hand has not
                    hand.total = 5
    return new


def flipped_layout(layout: tuple[tuple[int, str], ...]) -> tuple[tuple[int, str], ...]:
    return tuple((box, flipped_card(card) if box else card) for box, card in layout)


OTHER_AFFAIRS: dict[type[Event], dict[str, Any]] = {
    e.ChipsBought: {"cents": 77_700},
    e.PlayerRestricted: {"rule": "another", "minimum_only": True, "boxes_max": 9, "until": "never"},
    e.RestrictionLifted: {"by": "somebody"},
    e.PlayerBarred: {"reason": "something else"},
    e.PlayerPaused: {"by": "somebody"},
    e.PlayerReadmitted: {"loss_limit_cents": 77_700},
    e.PatronTold: {"loss_limit_cents": 77_700, "deposit_limit_cents": 77_700, "card": False, "barred": "something"},
    e.DisputeRaised: {"about": "something else"},
    e.DisputeRuled: {"ruling": "otherwise"},
    e.ReviewAsked: {"within": True},
    e.MispaymentRecorded: {"cents": 77_700, "intentional": True, "reported": True},
    e.MispaymentRectified: {"cents": 77_700},
    e.DutyReminded: {"duty": "another"},
}
"""What is a player's own affair, with something else in its place."""


def flipped_affair(event: Event, viewer: Caller) -> Event:
    """The event with another affair in the place of one that is not this viewer's."""
    own = viewer.role == "player" and viewer.name == getattr(event, "player", getattr(event, "person", ""))
    if viewer.role in ("dealer", "tournament-manager"):
        if isinstance(event, e.PlayerReadmitted):
            return replace(event, loss_limit_cents=77_700)
        if isinstance(event, e.PatronTold):
            return replace(event, loss_limit_cents=77_700, deposit_limit_cents=77_700)
    if viewer.role in STAFF or own:
        return event
    if type(event) in OTHER_AFFAIRS:
        return replace(event, **OTHER_AFFAIRS[type(event)])
    if isinstance(event, e.NoticeGiven) and event.to != "players":
        return replace(event, text="something else")
    if isinstance(event, e.WagerReturned) and event.reason in ("barred", "loss-limit"):
        return replace(event, reason="loss-limit" if event.reason == "barred" else "barred")
    return event


def flipped_event(event: Event, after: Table, viewer: Caller) -> Event:
    event = flipped_affair(event, viewer)
    if isinstance(event, e.StackArranged):
        return replace(event, order=tuple(map(flipped_card, event.order)))
    if isinstance(event, e.CardBurned):
        return replace(event, card=flipped_card(event.card))
    if isinstance(event, e.CardDrawnInError) and not event.exposed:
        return replace(event, card=flipped_card(event.card))
    if isinstance(event, e.CardDealt) and event.face_down and not may_look(viewer, after, event.box):
        return replace(event, card=flipped_card(event.card), total=99, soft=not event.soft)
    if after.house.face_down and isinstance(event, e.CardMisplaced) and event.box:
        return replace(event, card=flipped_card(event.card))
    if after.house.face_down and isinstance(event, e.RoundReconstructed):
        return replace(event, before=flipped_layout(event.before), after=flipped_layout(event.after))
    if after.house.face_down and isinstance(event, e.RoundReopened):
        return replace(event, before=flipped_layout(event.before), after=flipped_layout(event.after))
    if after.house.face_down and isinstance(event, e.HandVoided):
        return replace(event, cards=tuple(map(flipped_card, event.cards)))
    if isinstance(event, e.TurnCame):
        area = after.boxes.get(event.box)
        hand = area.hands[event.hand] if area is not None and event.hand < len(area.hands) else None
        if hand is not None and hand.face_down and not may_look(viewer, after, event.box):
            return replace(event, total=98)
    return event


class StoppedClock:
    def now_ms(self) -> int:
        return 5


def sent(before: Table, after: Table, events: tuple[Event, ...], viewer: Caller) -> bytes:
    """What this viewer is sent when these events have happened."""
    happened = Happened(2, 5, "", events, before if hides(events, before) else None)
    loaded = Loaded(Opening("nsw-pontoon"), after, 2, 0, 1, 0, 0, False, [happened])
    nothing: Any = None
    host = Host("t1", loaded, 0, nothing, StoppedClock(), nothing, nothing, (), nothing)
    return Watch(host, viewer, 1, lambda: None).take()


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("face_down", [False, True])
def test_whoever_may_not_see_a_card_is_sent_the_same_bytes_whatever_it_is(rulebook: str, face_down: bool) -> None:
    book = load(rulebook)
    if face_down and book.cards.face_down.value == "never":
        face_down = False
    rng = random.Random(f"{rulebook}{face_down}")
    players = {name: Patron(seat=box) for box, name in enumerate(PEOPLE[:4], start=1)}
    table = open_table(rulebook, house=default_house(book, face_down=face_down), players=players)
    looked = hidden = 0
    for _ in range(250):
        act = next_act(table, rng, mishaps=0.05)
        answer = decide(table, act)
        if isinstance(answer, Refusal):
            continue
        after = evolve(table, answer)
        for viewer in rng.sample(VIEWERS, 2):
            steps, step = [], table
            for event in answer:
                step = evolve(step, (event,))
                steps.append(step)
            other = tuple(flipped_event(event, step, viewer) for event, step in zip(answer, steps, strict=True))
            hidden += other != answer
            real = sent(table, after, answer, viewer)
            assert real == sent(flipped_table(table, viewer), flipped_table(after, viewer), other, viewer), act
            looked += 1
        table = after
    assert looked > 200 and hidden >= 1


def test_the_flip_is_seen_by_whoever_may_look() -> None:
    """The test above could pass by showing nothing to anybody: a player does see his own cards."""
    book = load("nsw-pontoon")
    table = open_table(book.id, house=default_house(book, face_down=True), cards="6s 9h 5d Kc 2c 3c 4c 5c 6c")
    from pitboss import play
    from pitboss.table.acts import Deal, PlaceWager

    after, events = play(table, PlaceWager("alice", 1, 1000), Deal())
    own = msgspec.json.decode(sent(table, after, events, Caller("alice", "player")))
    assert own["mine"]["hands"]["1.0"]["cards"] == ["6s", "5d"]
    assert [each["event"]["card"] for each in own["events"] if each["event"]["event"] == "CardDealt"] == [
        "6s",
        "9h",
        "5d",
    ]
    other = sent(table, after, events, Caller("bob", "player"))
    assert b"6s" not in other and b"5d" not in other and b"9h" in other
    inspector = sent(table, after, events, Caller("ines", "inspector"))
    assert b"6s" not in inspector and b"5d" not in inspector


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_moments_name_no_card_that_not_everybody_saw(rulebook: str) -> None:
    """What is offered to whoever noticed an error: a card is named only if it was shown to all in this round."""
    book = load(rulebook)
    players = {name: Patron(seat=box) for box, name in enumerate(PEOPLE[:4], start=1)}
    named = unnamed = 0
    for seed in range(3):
        rng = random.Random(f"{rulebook}{seed}")
        table = open_table(rulebook, house=default_house(book), players=players)
        shown: Counter[str] = Counter()
        for _ in range(250):
            turned = a.DealFaceDown("casino-supervisor", approved=True, face_down=rng.random() < 0.5)
            act = turned if rng.random() < 0.1 else next_act(table, rng, mishaps=0.06)
            answer = decide(table, act)
            if isinstance(answer, Refusal):
                continue
            for event in answer:
                table = evolve(table, (event,))
                if isinstance(event, (e.RoundBegan, e.RoundTakenBack)):
                    shown.clear()
                seen = event_seen_by(Viewer("inspector"), event, table)
                if isinstance(seen, (e.CardDealt, e.CardDrawnInError, e.CardMisplaced)):
                    shown[seen.card] += 1
                elif isinstance(seen, e.CardsBurnedOpen):
                    shown.update(seen.cards)
            told = moments_of(table).cards
            cards = Counter(words[:2] for words in told if not words.startswith("a "))
            assert cards <= shown, (act, told)
            named += cards.total()
            unnamed += len(told) - cards.total()
    assert named > 500 and unnamed


# --- the same, told later --------------------------------------------------------------------------------------------


def changed_log(log: MemoryLog, change: Any) -> MemoryLog:
    """The same log with other events in some of its acts: `change` gets them with the tables after each."""
    new = MemoryLog()
    table: Table | None = None
    for entry in log.entries:
        body = entry.body
        if entry.stream == "table:t1" and entry.kind == "act":
            if table is None:
                opening = history.opening_of(log, "t1")
                assert opening is not None
                table = opened(opening)
            said, steps = decode_act(body), []
            for event in said.events:
                table = evolve(table, (event,))
                steps.append(table)
            body = msgspec.json.encode(replace(said, events=change(said.events, steps)))
        other = Entry(
            entry.seq, entry.stream, entry.version, entry.at_ms, entry.by, entry.command, entry.kind, body, entry.hash
        )
        new.entries.append(other)
        new.by_stream.setdefault(entry.stream, []).append(other)
    return new


def flipped_for(log: MemoryLog, viewer: Caller) -> MemoryLog:
    def change(events: tuple[Event, ...], steps: list[Table]) -> tuple[Event, ...]:
        return tuple(flipped_event(event, step, viewer) for event, step in zip(events, steps, strict=True))

    return changed_log(log, change)


def as_viewer(caller: Caller) -> Viewer:
    return Viewer("player", caller.name) if caller.role == "player" else Viewer(caller.role)


FACE_DOWN = [book for book in RULEBOOKS if load(book).cards.face_down.value != "never"]


async def some_session(log: MemoryLog, rulebook: str, seed: int, acts: int = 230) -> None:
    async with a_floor(log, seed=seed) as floor:
        await a_table(floor, "t1", an_opening(rulebook, face_down=rulebook in FACE_DOWN))
        await must(floor, DEALER, "t1", a.BuyChips("alice", 50_000), a.BuyChips("bob", 20_000))
        await wander(floor, "t1", acts, seed, mishaps=0.12)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
async def test_what_is_asked_for_later_hides_what_was_hidden_at_once(rulebook: str) -> None:
    """From any version on, few acts or many: as history, and to whoever comes back after some time."""
    hidden = 0
    for seed in range(4):
        log = MemoryLog()
        await some_session(log, rulebook, seed, 150)
        if rulebook in FACE_DOWN and any(b'"RoundReopened"' in entry.body for entry in log.entries):
            continue  # its cards must be found again in the rack, where others would lie
        rng = random.Random(seed)
        last = log.version("table:t1")
        for viewer in rng.sample(VIEWERS, 4):
            other = flipped_for(log, viewer)
            hidden += sum(one.body != two.body for one, two in zip(log.entries, other.entries, strict=True))
            spans = [(0, last), *((after, 1) for after in range(1, last)), (rng.randrange(last), 40)]
            for after, limit in spans:
                told = history.events_after(log, "t1", after, limit, as_viewer(viewer))
                again = history.events_after(other, "t1", after, limit, as_viewer(viewer))
                assert msgspec.json.encode(told) == msgspec.json.encode(again), (viewer, after, limit)
            for after in (0, rng.randrange(last), last - 1):
                assert await resumed(log, viewer, after) == await resumed(other, viewer, after)
    assert hidden > 30


async def resumed(log: MemoryLog, viewer: Caller, after: int) -> Any:
    """The events that somebody is sent who comes back and has seen everything up to a version."""
    async with a_floor(copied(log)) as floor:
        watch = await floor.watch(viewer, "t1", after, lambda: None)
        assert isinstance(watch, Watch)
        return msgspec.json.decode(watch.take())["events"]


def copied(log: MemoryLog) -> MemoryLog:
    new = MemoryLog()
    new.entries = list(log.entries)
    new.by_stream = {stream: list(entries) for stream, entries in log.by_stream.items()}
    return new


async def test_a_misplaced_card_is_as_hidden_in_history_as_it_was_at_once() -> None:
    """The act alone does not say that cards lie face down here: the table does."""
    for rulebook in FACE_DOWN:
        for seed in range(6):
            log = MemoryLog()
            await some_session(log, rulebook, seed, 150)
            for entry in log.read("table:t1"):
                if b'"CardMisplaced"' in entry.body:
                    told = history.events_after(log, "t1", entry.version - 1, 1, Viewer("inspector"))
                    assert told is not None
                    shown = [each.event for each in told if isinstance(each.event, e.CardMisplaced)]
                    assert shown and all(event.card == "??" for event in shown if event.box)
                    return
    raise AssertionError("no card was misplaced")


# --- rounds that ended before all cards were turned up ---------------------------------------------------------------


async def a_void_round(log: MemoryLog, rulebook: str = "nsw-pontoon") -> tuple[str, ...]:
    """Alice and bob have cards face down when the round is declared void; gives bob's."""
    async with a_floor(log, seed=5) as floor:
        table = await a_table(floor, "t1", an_opening(rulebook, face_down=True))
        await ready(floor, table)
        await must(floor, ALICE, table, a.PlaceWager("alice", 1, 1000))
        await must(floor, BOB, table, a.PlaceWager("bob", 2, 1000))
        await must(floor, DEALER, table, a.Deal())
        cards = floor.hosts[table].table.boxes[2].hands[0].cards
        await must(floor, HOUSE, table, a.VoidRound("casino-supervisor", "it cannot be rebuilt"))
        assert floor.hosts[table].rounds == 1
        return cards


def with_other_cards(log: MemoryLog, *boxes: int) -> MemoryLog:
    """The log with other cards where they were dealt face down to these boxes."""

    def change(events: tuple[Event, ...], steps: list[Table]) -> tuple[Event, ...]:
        return tuple(
            replace(event, card=flipped_card(event.card), total=13)
            if isinstance(event, e.CardDealt) and event.box in boxes
            else event
            for event in events
        )

    return changed_log(log, change)


async def test_cards_of_a_void_round_that_were_never_turned_up_are_in_nobodys_record() -> None:
    log = MemoryLog()
    bobs = await a_void_round(log)
    alices = loads(round_records.record_of_round(log, "t1", 1, "alice")).stacks[-1]
    assert len(alices) >= len(bobs) and not set(bobs) & set(alices)
    for reader, boxes in (("alice", (2,)), ("bob", (1,)), (None, (1, 2))):
        other = with_other_cards(log, *boxes)
        record = round_records.record_of_round(log, "t1", 1, reader)
        assert record == round_records.record_of_round(other, "t1", 1, reader)
        if reader is not None:  # his own cards are in it: he has seen them
            own = with_other_cards(log, 3 - boxes[0])
            assert record != round_records.record_of_round(own, "t1", 1, reader)


async def test_once_the_table_has_shuffled_anew_the_house_is_told_of_a_void_round() -> None:
    log = MemoryLog()
    await a_void_round(log)
    async with a_floor(log) as floor:
        await must(floor, HOUSE, "t1", a.OrderShuffle("casino-supervisor", "doubt"))
        await must(floor, DEALER, "t1", AskShuffle())
    other = with_other_cards(log, 1, 2)
    record = round_records.record_of_round
    assert record(log, "t1", 1) != record(other, "t1", 1)
    other = with_other_cards(log, 2)
    assert record(log, "t1", 1, "alice") == record(other, "t1", 1, "alice")


@pytest.mark.parametrize("rulebook", FACE_DOWN)
async def test_no_record_holds_a_card_that_its_reader_never_saw(rulebook: str) -> None:
    """In sessions with mishaps: rounds that were void, hands that were taken away, cards on the wrong box."""
    flipped = 0
    for seed in range(12):
        if seed >= 4 and flipped > 3:
            break
        log = MemoryLog()
        await some_session(log, rulebook, seed, 200)
        told = history.rounds(log, "t1", 1)
        for reader in ("alice", "carol"):
            other, count = without_never_shown(log, reader)
            flipped += count
            for each in told or ():
                record = round_records.record_of_round(log, "t1", each.round, reader)
                assert record == round_records.record_of_round(other, "t1", each.round, reader), (seed, each.round)
    assert flipped > 3


def without_never_shown(log: MemoryLog, reader: str) -> tuple[MemoryLog, int]:
    """Other cards in rounds in which nothing was laid again, on boxes of others that were never turned up."""
    shown: set[tuple[int, int]] = set()
    laid_again: set[int] = set()
    number = 0
    for entry in log.read("table:t1"):
        for event in decode_act(entry.body).events if entry.kind == "act" else ():
            if isinstance(event, e.RoundBegan):
                number += 1
            elif isinstance(event, e.HandExposed):
                shown.add((number, event.box))
            elif isinstance(event, (e.RoundReconstructed, e.RoundReopened, e.RoundTakenBack, e.CardMisplaced)):
                laid_again |= {number, number + 1}
    now = flipped = 0

    def change(events: tuple[Event, ...], steps: list[Table]) -> tuple[Event, ...]:
        nonlocal now, flipped
        found = []
        for event, step in zip(events, steps, strict=True):
            now += isinstance(event, e.RoundBegan)
            if (
                isinstance(event, e.CardDealt)
                and event.face_down
                and now not in laid_again
                and (now, event.box) not in shown
                and not may_look(Caller(reader, "player"), step, event.box)
            ):
                flipped += 1
                event = replace(event, card=flipped_card(event.card))
            found.append(event)
        return tuple(found)

    return changed_log(log, change), flipped


# --- what concerns one player ----------------------------------------------------------------------------------------


def test_those_who_see_what_is_private_are_the_same_for_views_and_permissions() -> None:
    assert OPERATIONS["see-private"][0] == SEES_PRIVATE


LIMITED = Caller("limited", "player")


async def test_a_loss_limit_is_told_to_its_player_and_to_those_who_see_players_money() -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        players = {"limited": Patron(seat=1, loss_limit_cents=50_000)}
        await a_table(floor, "t1", replace(an_opening(), players=players))
        host = floor.hosts["t1"]
        start = host.version
        await must(floor, SUPERVISOR, "t1", a.PausePlayer("casino-supervisor", "limited"))
        await must(floor, SUPERVISOR, "t1", a.ReadmitPlayer("casino-supervisor", "limited", 77_700))
        seen = {}
        for caller in (LIMITED, BOB, DEALER, SUPERVISOR, Caller("ines", "inspector"), Caller("root", "administrator")):
            watch = await floor.watch(caller, "t1", start, lambda: None)
            assert isinstance(watch, Watch)
            live = msgspec.json.decode(watch.take())["events"]
            past = history.events_after(log, "t1", start, 10, as_viewer(caller))
            assert msgspec.json.encode(past) == msgspec.json.encode(live)
            seen[caller.role if caller is not LIMITED else "himself"] = [
                each["event"].get("loss_limit_cents", each["event"]["event"]) for each in live
            ]
    assert seen["himself"] == seen["supervisor"] == seen["inspector"] == ["PlayerPaused", 77_700]
    assert seen["dealer"] == ["PlayerPaused", None]
    assert seen["player"] == seen["administrator"] == []


async def test_what_the_book_tells_a_table_of_limits_is_for_the_player_and_those_who_see_players_money() -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        await a_table(floor, "t1", replace(an_opening(), players={"limited": Patron(seat=1)}))
        host = floor.hosts["t1"]
        start = host.version
        telling = a.TellPatron("limited", loss_left_cents=77_713, deposit_left_cents=55_123)
        await must(floor, HOUSE, "t1", telling)
        seen = {}
        for role in (*FLOOR_ROLES, "himself"):
            caller = LIMITED if role == "himself" else Caller("somebody", role)
            watch = await floor.watch(caller, "t1", start, lambda: None)
            assert isinstance(watch, Watch)
            update = msgspec.json.decode(watch.take())
            live = update["events"]
            past = history.events_after(log, "t1", start, 10, as_viewer(caller))
            assert msgspec.json.encode(past) == msgspec.json.encode(live)
            text = str((live, update["mine"], update["view"]))
            knows = {any(each in text for each in amounts) for amounts in (("77713", "777.13"), ("55123", "551.23"))}
            assert len(knows) == 1, role
            seen[role] = (len(live), knows.pop())
    knowing = {"himself", "gaming-supervisor", "supervisor", "gaming-manager", "inspector"}
    assert {role for role, (_, knows) in seen.items() if knows} == knowing
    assert {role for role, (told, _) in seen.items() if told} == knowing | {"dealer", "tournament-manager"}


OTHERS_AFFAIRS = (
    a.BuyChips, a.Restrict, a.LiftRestriction, a.RecordMispayment, a.RaiseDispute, a.RuleDispute, a.AskReview, a.Remind,
)  # fmt: skip


@pytest.mark.parametrize("rulebook", RULEBOOKS)
async def test_a_players_record_has_nobody_elses_affairs(rulebook: str) -> None:
    own = left_out = 0
    for seed in range(3):
        log = MemoryLog()
        await some_session(log, rulebook, seed)
        for each in history.rounds(log, "t1", 1) or ():
            house = loads(round_records.record_of_round(log, "t1", each.round))
            left_out += sum(isinstance(play.act, OTHERS_AFFAIRS) for play in house.play)
            for play in loads(round_records.record_of_round(log, "t1", each.round, "alice")).play:
                act: Any = play.act
                if isinstance(act, a.BuyChips) and act.player != "alice":
                    assert act.cents == house.house.minimum_cents, "that he came everybody saw"
                elif isinstance(act, OTHERS_AFFAIRS):
                    assert getattr(act, "player", getattr(act, "person", "")) == "alice", act
                    own += 1
                if isinstance(act, a.BarPlayer) and act.player != "alice":
                    assert act.reason == "..." and not act.detained
    assert left_out > own and left_out > 5
