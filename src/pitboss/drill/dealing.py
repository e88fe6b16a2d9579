"""A round dealt rightly on the real engine, with people who decide somehow; the same seed deals it again."""

from __future__ import annotations

from typing import NamedTuple

from pitboss.basics.money import dollars
from pitboss.chance import Chance
from pitboss.records.saving import public_events
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import acts as a
from pitboss.table.acts import AnyAct
from pitboss.table.engine import decide, evolve, open_table, refusal
from pitboss.table.events import Event
from pitboss.table.house import BLAZING, DEVICE, default_house, offered_side_bets
from pitboss.table.legal import legal_acts, waiting_for
from pitboss.table.refusals import Refusal, broken_unless
from pitboss.table.shuffle_and_cut import full_stack
from pitboss.table.state import Table

PEOPLE = ("alice", "bob", "carol", "dave")
WAGERS = (500, 1000, 2500, 5000)
SIDE_WAGERS = (500, 1000)
ACTS_MOST = 400


class Dealt(NamedTuple):
    """One round: how the table stood, what happened, and how it stood at each event."""

    opening: Table
    events: tuple[Event, ...]
    before: tuple[Table, ...]
    """The table before each of the events."""
    fresh: bool


def deal_round(book: Rulebook, chance: Chance, level: str) -> Dealt:
    """One round by the rules."""
    hard = level == "hard"
    source = chance.choice(book.shuffle.sources.value)
    house = default_house(book, source=source)
    house = default_house(book, source=source, side_bets=offered_side_bets(book, house.decks, source))
    fresh = chance.below(2) == 0
    cards = chance.shuffled(full_stack(open_table(book, house=house)))
    table = opening = open_table(book, cards=cards, house=house, new_shoe=fresh)
    events: list[Event] = []
    before: list[Table] = []
    for act in (*_wagers(table, chance, hard), a.Deal()):
        table = _played(table, act, events, before)
    for _ in range(ACTS_MOST):
        if table.phase == "wagers":
            return Dealt(opening, tuple(events), tuple(before), fresh)
        table = _played(table, _decision(table, chance), events, before)
    broken_unless(False, f"a drill of {book.id} did not come to an end")
    raise AssertionError


def _played(table: Table, act: AnyAct, events: list[Event], before: list[Table]) -> Table:
    answer = decide(table, act)
    if isinstance(answer, Refusal):
        broken_unless(False, f"a drill made an act that is refused: {act!r}: {answer}")
        raise AssertionError
    public = set(map(id, public_events(answer)))
    for event in answer:
        if id(event) in public:
            events.append(event)
            before.append(table)
        table = evolve(table, (event,))
    return table


def _wagers(table: Table, chance: Chance, hard: bool) -> list[AnyAct]:
    """Who wagers what on which box; on the hard level one box is shared."""
    boxes = sorted(chance.shuffled(range(1, min(5, table.house.boxes) + 1))[: 2 + hard + chance.below(2)])
    people = PEOPLE[: len(boxes)]
    wanted: list[AnyAct] = []
    kinds = [kind for kind in table.house.side_bets if kind != BLAZING]
    for player, box in zip(people, boxes, strict=True):
        wanted.append(a.PlaceWager(player, box, chance.choice(WAGERS)))
        if kinds and chance.below(5) < 2:
            wanted.append(a.PlaceWager(player, box, chance.choice(SIDE_WAGERS), chance.choice(kinds)))
    if hard and table.rulebook.boxes.players_max.value > 1:
        wanted.append(a.PlaceWager(people[0], boxes[-1], chance.choice(WAGERS)))
    allowed: list[AnyAct] = []
    for act in wanted:
        if refusal(table, act) is None:
            answer = decide(table, act)
            if not isinstance(answer, Refusal):
                table = evolve(table, answer)
                allowed.append(act)
    return allowed


def _decision(table: Table, chance: Chance) -> AnyAct:
    """Something that is allowed now, and mostly not foolish."""
    options = legal_acts(table)
    broken_unless(bool(options), f"nobody may do anything: {waiting_for(table)}")
    by_kind: dict[type, list[AnyAct]] = {}
    for act in options:
        by_kind.setdefault(type(act), []).append(act)  # type: ignore[arg-type]
    if a.CloseInsurance in by_kind or a.CloseSurrender in by_kind:
        takes = [act for kind in (a.Insure, a.Surrender) for act in by_kind.get(kind, ())]
        closes = by_kind.get(a.CloseInsurance) or by_kind[a.CloseSurrender]
        return chance.choice(takes) if takes and chance.below(6) == 0 else closes[0]
    if a.Hit in by_kind or a.Stand in by_kind:
        return _drawn(table, by_kind, chance)
    return chance.choice(tuple(act for acts in by_kind.values() for act in acts))


def _drawn(table: Table, by_kind: dict[type, list[AnyAct]], chance: Chance) -> AnyAct:
    total = table.hand_to_act().total
    if a.Split in by_kind and chance.below(2):
        return by_kind[a.Split][0]
    if a.Double in by_kind and total in (9, 10, 11) and chance.below(2):
        return by_kind[a.Double][0]
    hits, stands = by_kind.get(a.Hit), by_kind.get(a.Stand)
    if hits and (not stands or total < 12 or (total < 17 and chance.below(2))):
        return hits[0]
    return (stands or hits or next(iter(by_kind.values())))[0]


def opening_words(dealt: Dealt) -> str:
    """One sentence about the table before the round."""
    house = dealt.opening.house
    source = "a shuffling device" if house.source == DEVICE else "a shoe"
    state = "just shuffled: no card has left it yet" if dealt.fresh else "in use"
    limits = f"wagers from {dollars(house.minimum_cents)} to {dollars(house.maximum_cents)}"
    return f"{house.decks} decks from {source}, {state}; {limits}."
