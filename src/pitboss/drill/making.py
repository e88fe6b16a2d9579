"""Making drills: a round dealt rightly, told with up to two errors; the same seed makes the same drill."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pitboss.adjudicate.speaking import with_named
from pitboss.adjudicate.words import who
from pitboss.basics.money import dollars
from pitboss.chance import Chance
from pitboss.drill.dealing import Dealt, deal_round, opening_words
from pitboss.drill.errors import Change, Item, Kind, items_of, kinds_for
from pitboss.drill.following import Follows
from pitboss.drill.model import LEVELS, Drill, DrillError, PlantedError, wanted
from pitboss.ledger.postings import FLOAT, postings
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.phrases import first_up
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.events import Event
from pitboss.table.telling import sentence

ROUNDS_MOST = 1000
TRIES = 80
"""How often a round is dealt anew so that the wanted error can be planted."""
COUNTS = {"easy": (0, 1, 1, 1), "hard": (0, 1, 1, 2, 2)}
"""How many errors a round gets, each equally likely."""


def make_drill(
    rulebook: str | Rulebook, *, rounds: int = 5, seed: str | int = 0, level: str = "easy"
) -> tuple[Drill, ...]:
    """So many rounds with planted errors; raises `DrillError` where that cannot be."""
    if level not in LEVELS:
        raise DrillError(f"the level is {' or '.join(LEVELS)}, not {level!r}")
    text = str(seed)
    book = wanted(rulebook, text, rounds, ROUNDS_MOST)
    return tuple(_one(book, text, level, number) for number in range(1, rounds + 1))


def _one(book: Rulebook, seed: str, level: str, number: int) -> Drill:
    chance = Chance(f"{book.id}:{level}:{seed}:{number}")
    count = chance.choice(COUNTS[level])
    first = chance.choice(kinds_for(book, level)) if count else None
    dealt = deal_round(book, chance, level)
    for _ in range(TRIES):
        if first is None or first.find(items_of(dealt)):
            break
        dealt = deal_round(book, chance, level)
    items = items_of(dealt)
    planted: list[tuple[Kind, Change]] = []
    kinds = [kind for kind in kinds_for(book, level) if kind is not first]
    for kind in [first, *chance.shuffled(kinds)] if first is not None else []:
        if len(planted) == count:
            break
        places: list[Any] = kind.find(items)
        change = kind.plant(items, chance.choice(places), chance) if places else None
        if change is not None:
            items = change.items
            planted.append((kind, change))
    return _drill(book, seed, level, number, dealt, items, planted)


def _drill(
    book: Rulebook,
    seed: str,
    level: str,
    number: int,
    dealt: Dealt,
    items: list[Item],
    planted: list[tuple[Kind, Change]],
) -> Drill:
    places = {id(item): place for place, item in enumerate(items, 1)}
    errors = [
        PlantedError(
            kind.name,
            kind.title,
            tuple(sorted(places[id(item)] for item in change.wrong)),
            tuple(sentence(item.event, book) for item in change.said),
            tuple(sentence(event, book) for event in change.should),
            change.clauses,
            change.accepted,
            _follows(kind, change).noticed,
            _follows(kind, change).right(book),
            _ruling(kind, change, book),
        )
        for kind, change in planted
    ]
    told: Any = tuple(item.event for item in items)
    right: Any = tuple(each.event for each in dealt.told)
    return Drill(
        rulebook=book.id,
        name=book.name,
        seed=seed,
        level=level,
        number=number,
        opening=opening_words(dealt),
        lines=tuple(sentence(event, book) for event in told),
        errors=tuple(sorted(errors, key=lambda error: error.lines)),
        right=right,
        told=told,
    )


def _follows(kind: Kind, change: Change) -> Follows:
    return change.follows or kind.follows


def _ruling(kind: Kind, change: Change, book: Rulebook) -> tuple[str, ...]:
    """What `adjudicate` says of the error, a line a step; where it asks the house, the question."""
    too_much = _taken(change.should) - _taken(item.event for item in change.said)
    ruling = _follows(kind, change).ruling(book, too_much)
    if ruling is None:
        return (f"It is done now. ({cite(change.clauses)})",)
    steps = [f"{step.text} ({cite(step.clauses)})" for step in ruling.steps]
    steps += [
        f"{first_up(who(each.who))} {with_named(each)}. ({cite(each.clauses)})"
        for each in ruling.approvals
        if not ruling.questions
    ]
    if too_much and ruling.questions:
        owed = f"gives {dollars(too_much)} back" if too_much > 0 else f"gets {dollars(-too_much)} more"
        steps.append(f"The wager is settled as its rule says: the player {owed}. ({cite(change.clauses)})")
    return tuple(steps + [question.text for question in ruling.questions])


def _taken(events: Iterable[Event]) -> int:
    """What comes to the float by these events, in cents."""
    return sum(cents for event in events for account, cents in postings(event) if account == FLOAT)
