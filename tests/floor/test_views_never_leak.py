"""Hidden cards are flipped, and whoever may not see them is sent the same bytes as before.

Undealt and burned cards are hidden from everybody; cards face down from all but those with a wager on the box. Each
act of long sessions is told twice: once as it was, once with every hidden card replaced by another.
"""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.floor.host import Happened, Host, Loaded
from pitboss.floor.model import Caller, Opening
from pitboss.floor.updates import Watch, hides
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.table import events as e
from pitboss.table.apply import evolve
from pitboss.table.engine import decide, open_table
from pitboss.table.events import Event
from pitboss.table.house import Patron, default_house
from pitboss.table.refusals import Refusal
from pitboss.table.state import Table, draft
from tests.properties.driver import PEOPLE, next_act

VIEWERS = [
    *(Caller(name, "player") for name in ("alice", "bob", "erin", "nobody-at-all")),
    *(Caller("x", role) for role in ("dealer", "supervisor", "gaming-manager", "inspector", "administrator")),
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


def flipped_event(event: Event, after: Table, viewer: Caller) -> Event:
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
    host = Host("t1", loaded, 0, nothing, StoppedClock(), nothing, nothing, None, nothing)
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
