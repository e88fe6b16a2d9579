"""Rounds dealt rightly on the real engine, with people who decide somehow; the same seed deals them again.

Whoever trains, at the sheet or step by step, is dealt to from here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from pitboss.basics.money import dollars
from pitboss.chance import Chance
from pitboss.records.saving import public_events
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import AnyAct
from pitboss.table.course import advance
from pitboss.table.engine import decide, evolve, open_table
from pitboss.table.events import Event
from pitboss.table.house import BLAZING, DEVICE, Patron, default_house, offered_side_bets
from pitboss.table.legal import legal_acts, waiting_for
from pitboss.table.refusals import Refusal, broken_unless
from pitboss.table.run import Run
from pitboss.table.shuffle_and_cut import cards_to_shuffle
from pitboss.table.state import Table, draft

PEOPLE = ("alice", "bob", "carol", "dave")
SEATED = PEOPLE[:3]
WAGERS = (500, 1000, 2500, 5000)
SIDE_WAGERS = (500, 1000)
ACTS_MOST = 2_000

Wagering: TypeAlias = Callable[[Table, Chance], list[AnyAct]]
"""Who wagers what in the next round."""


class Played(NamedTuple):
    """An act, the table before it, and what came of it."""

    act: AnyAct
    before: Table
    events: tuple[Event, ...]


def played(table: Table, chance: Chance, rounds: int, wagering: Wagering, takes: int = 6) -> Iterator[Played]:
    """Every act of so many rounds: the house's steps, and what people decide.

    `takes`: insurance and surrender are taken up once in so many times that they are open.
    """
    pending: list[AnyAct] = []
    for _ in range(ACTS_MOST):
        if waiting_for(table).what == "wagers" and not pending:
            pending = [*wagering(table, chance), a.Deal()]
        act = _next(table, chance, pending, takes)
        events = decide(table, act)
        if isinstance(events, Refusal):
            broken_unless(False, f"training made an act that is refused: {act!r}: {events}")
            return
        yield Played(act, table, events)
        table = evolve(table, events)
        rounds -= any(isinstance(event, e.RoundEnded) for event in events)
        if not rounds:
            return
    broken_unless(False, f"training with {table.rulebook.id} did not come to an end")


def _next(table: Table, chance: Chance, pending: list[AnyAct], takes: int) -> AnyAct:
    waiting = waiting_for(table).what
    if waiting == "shuffle":
        means = DEVICE if table.house.source == DEVICE else "hand"
        return a.Shuffle(chance.shuffled(cards_to_shuffle(table)), means)
    return pending.pop(0) if waiting == "wagers" else _decision(table, chance, takes)


class Told(NamedTuple):
    """An event that somebody hears, and the table before it."""

    event: Event
    before: Table


def public_part(table: Table, events: Sequence[Event]) -> list[Told]:
    """Those of the events that are told, each with the table before it."""
    public = set(map(id, public_events(events)))
    found = []
    for event in events:
        if id(event) in public:
            found.append(Told(event, table))
        table = evolve(table, (event,))
    return found


def gone_on(table: Table, chance: Chance) -> list[Told]:
    """The rest of a round from a table at which something is done that nobody noticed: the story goes on from there."""
    run = Run.on(draft(table))
    advance(run)
    found = public_part(table, run.events)
    after = evolve(table, tuple(run.events))
    if after.phase != "wagers":
        for _, before, events in played(after, chance, 1, lambda table, chance: []):
            found += public_part(before, events)
    return found


# --- one round, for a sheet ------------------------------------------------------------------------------------------


class Dealt(NamedTuple):
    """One round: how the table stood, and what was heard of it."""

    opening: Table
    told: tuple[Told, ...]
    fresh: bool


def deal_round(book: Rulebook, chance: Chance, level: str) -> Dealt:
    """One round by the rules: the first of a new stack, or one after it, so that discards lie where they would."""
    hard = level == "hard"
    source = chance.choice(book.shuffle.sources.value)
    house = default_house(book, source=source)
    house = default_house(book, source=source, side_bets=offered_side_bets(book, house.decks, source))
    fresh = chance.below(2) == 0
    found: list[Told] = []
    for act, before, events in played(
        open_table(book, house=house), chance, 1 if fresh else 2, lambda table, chance: _wagers(table, chance, hard)
    ):
        if isinstance(act, a.PlaceWager) and not any(box.wagers for box in before.boxes.values()):
            found = []
        found += public_part(before, events)
    return Dealt(found[0].before, tuple(found), fresh)


def _wagers(table: Table, chance: Chance, hard: bool) -> list[AnyAct]:
    """Who wagers what on which box; on the hard level one box is shared."""
    boxes = sorted(chance.shuffled(range(1, min(5, table.house.boxes) + 1))[: 2 + hard + chance.below(2)])
    wanted = _on_boxes(table, chance, list(zip(PEOPLE, boxes, strict=False)))
    if hard and table.rulebook.boxes.players_max.value > 1:
        wanted.append(a.PlaceWager(PEOPLE[0], boxes[-1], chance.choice(WAGERS)))
    return _allowed(table, wanted)


def _on_boxes(table: Table, chance: Chance, places: list[tuple[str, int]]) -> list[AnyAct]:
    wanted: list[AnyAct] = []
    kinds = [kind for kind in table.house.side_bets if kind != BLAZING]
    for player, box in places:
        wanted.append(a.PlaceWager(player, box, chance.choice(WAGERS)))
        if kinds and chance.below(5) < 2:
            wanted.append(a.PlaceWager(player, box, chance.choice(SIDE_WAGERS), chance.choice(kinds)))
    return wanted


def _allowed(table: Table, wanted: list[AnyAct]) -> list[AnyAct]:
    allowed: list[AnyAct] = []
    for act in wanted:
        answer = decide(table, act)
        if not isinstance(answer, Refusal):
            table = evolve(table, answer)
            allowed.append(act)
    return allowed


def opening_words(dealt: Dealt) -> str:
    """One sentence about the table before the round."""
    house = dealt.opening.house
    source = "a shuffling device" if house.source == DEVICE else "a shoe"
    state = "just shuffled: no card has left it yet" if dealt.fresh else "in use"
    limits = f"wagers from {dollars(house.minimum_cents)} to {dollars(house.maximum_cents)}"
    return f"{house.decks} decks from {source}, {state}; {limits}."


# --- rounds from the first shuffle on, for whoever deals them --------------------------------------------------------


def seated_rounds(book: Rulebook, seed: str, rounds: int) -> Iterator[Played]:
    """So many rounds by seed: three people at the first boxes, and now and then a fourth behind one of them."""
    chance = Chance(f"training:{book.id}:{seed}")
    house = default_house(book, source=chance.choice(book.shuffle.sources.value))
    players = {name: Patron(seat=box) for box, name in enumerate(SEATED, 1)}
    return played(open_table(book, house=house, players=players), chance, rounds, _seated_wagers, takes=2)


def _seated_wagers(table: Table, chance: Chance) -> list[AnyAct]:
    wanted = _on_boxes(table, chance, [(name, box) for box, name in enumerate(SEATED, 1)])
    if BLAZING in table.house.side_bets and chance.below(2):
        amount = chance.choice(table.rulebook.blazing_7s.amounts_cents.value)
        wanted.append(a.PlaceWager(chance.choice(SEATED), 1 + chance.below(3), amount, BLAZING))
    if chance.below(2):
        wanted.append(a.PlaceWager(PEOPLE[3], 1, table.house.minimum_cents))
    return _allowed(table, wanted)


# --- what people decide ----------------------------------------------------------------------------------------------


def _decision(table: Table, chance: Chance, often: int) -> AnyAct:
    """Something that is allowed now, and mostly not foolish."""
    options = legal_acts(table)
    broken_unless(bool(options), f"nobody may do anything: {waiting_for(table)}")
    by_kind: dict[type, list[AnyAct]] = {}
    for act in options:
        by_kind.setdefault(type(act), []).append(act)  # type: ignore[arg-type]
    if a.CloseInsurance in by_kind or a.CloseSurrender in by_kind:
        takes = [act for kind in (a.Insure, a.Surrender) for act in by_kind.get(kind, ())]
        closes = by_kind.get(a.CloseInsurance) or by_kind[a.CloseSurrender]
        return chance.choice(takes) if takes and chance.below(often) == 0 else closes[0]
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
