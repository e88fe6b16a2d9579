"""What a ruling prints for the record replays as printed: every situation, rulebook and moment, house decisions too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from pitboss.adjudicate import SITUATIONS, Ruling
from pitboss.adjudicate.model import FactValue
from pitboss.adjudicate.moment import led_to
from pitboss.adjudicate.ruling import rule_on
from pitboss.adjudicate.situations.parts import Fact, Situation
from pitboss.adjudicate.speaking import in_a_record
from pitboss.records import replay
from pitboss.records.model import Record
from pitboss.records.read import loads
from pitboss.records.write import dumps
from pitboss.rulebooks import RULEBOOKS
from pitboss.table import events as e
from pitboss.table.state import Table
from tests.lengths import length

WAGERS = ("alice bets 25 on 1", "bob bets 10 on 2", "carol bets 5 on 2")
DEALT = (*WAGERS, "dealer deals")
HITS = "6s 9h 5d Kc 8d 9c 7d 6d 5c 4c 3c 2c 4d 3d 2d 6h 5h"
MOMENTS: dict[str, tuple[str, tuple[str, ...], str]] = {
    "before the deal": (HITS, WAGERS, ""),
    "nobody has wagered": (HITS, (), ""),
    "a fresh stack": (HITS, WAGERS, "new_shoe = true"),
    "the first decision": (HITS, DEALT, ""),
    "in the middle of the hands": (HITS, (*DEALT, "alice stands on 1"), ""),
    "something was paid": ("As 9h 5d Kc 8d 9c 7d 6d 5c 4c 3c 2c 4d 3d 2d 6h 5h", DEALT, ""),
    "against an ace": ("6s 9h As Kc 8d 9c 7d 6d 5c 4c 3c 2c 4d 3d 2d 6h 5h", DEALT, ""),
    "against a king": ("6s 9h Ks Kc 8d 9c 7d 6d 5c 4c 3c 2c 4d 3d 2d 6h 5h", DEALT, ""),
    "a card drawn in error": (HITS, (*DEALT, "dealer draws in error exposed", "casino-supervisor approves"), ""),
    "after the round": (HITS, (*DEALT, "alice stands on 1", "bob stands on 2"), ""),
    "a misdealt round": (HITS, (*WAGERS, "dealer misdeals 1 2 2 dealer 1"), ""),
    "from a device": (HITS, DEALT, 'source = "shuffling-device"'),
    "a fresh device": (HITS, WAGERS, 'source = "shuffling-device"\nnew_shoe = true'),
    "before the shuffle": (HITS, (), 'start = "shuffle"'),
}
DECIDER = "gaming-manager"


def values_of(fact: Fact) -> tuple[FactValue, ...]:
    if fact.kind == "choice":
        return tuple(fact.choices)
    told: dict[str, tuple[FactValue, ...]] = {
        "yes-no": (True, False),
        "amount": (12,),
        "number": (1, 2) if fact.name == "box" else (2,),
        "name": ("alice", "dealer") if fact.name == "person" else ("alice",),
        "names": (("alice",),),
        "cards": ("", "6s"),
        "places": (
            ("1", "2", "2", "dealer", "1"),
            ("1", "dealer", "1"),
            ("1", "2", "1", "2"),
            ("1", "2", "dealer", "3"),
        ),
        "text": ("the lights went out",),
    }
    return told[fact.kind]


@cache
def moment(rulebook: str, name: str, known: int = 0) -> tuple[Record, Table] | None:
    """The record of a moment and its table; None where the game does not come to it."""
    cards, play, house = MOMENTS[name]
    lines = list(play)
    if rulebook != "adelaide-pontoon-2008":
        lines = [line for line in lines if not line.endswith("approves")]
    shown = " ".join(cards.split()[:known]) if known else cards
    quoted = ", ".join(f'"{line}"' for line in lines)
    text = f'title = "m"\nrulebook = "{rulebook}"\ncards = "{shown}"\nplay = [{quoted}]\n[table]\n{house}\n'
    record = loads(text)
    if not replays(record):
        return None
    return record, led_to(record)[1]


def replays(record: Record) -> bool:
    return all(step.refusal is None for step in replay(record).steps)


def ruled(rulebook: str, situation: Situation, table: Table) -> Iterator[Ruling]:
    """Rulings on this table with the facts in all their values, and with every decision that the house can make."""
    seen = set()
    combinations = list(product(*map(values_of, situation.facts)))
    for values in combinations[:: 1 + len(combinations) // length(1000, 16)]:
        facts = dict(zip([fact.name for fact in situation.facts], values, strict=True))
        if table.misdealt:
            facts.pop("places", None)
        ruling = rule_on(rulebook, situation.name, facts, table=table)
        decisions: list[dict[str, str]] = [{}]
        for question in ruling.questions:
            decisions = [{**each, question.about: choice.value} for each in decisions for choice in question.choices]
        for each in decisions:
            made = rule_on(rulebook, situation.name, facts, table=table, decisions=each, decided_by=DECIDER)
            key = (made.acts[:1], str(made.amendment), facts.get("possible"))
            if made.acts and key not in seen:
                seen.add(key)
                yield made


def continued(record: Record, ruling: Ruling) -> Record:
    """The record with the printed lines in it, read again from its text."""
    printed = [line.strip() for line in in_a_record(ruling)]
    play, _, layers = "\n".join(printed[1:]).partition("and under amendments:\n")
    text = dumps(record)
    head, start, rest = text.partition("play = [\n")
    lines, _, tail = rest.partition("]\n") if rest.startswith("]") else rest.partition("\n]\n")
    text = f"{head}{start}{lines}\n{play}\n]\n{tail}"
    return loads(f"amendments = [\n{layers}]\n{text}" if layers else text)


@pytest.mark.parametrize("name", MOMENTS)
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_printed_lines_replay_to_the_ruling(rulebook: str, name: str) -> None:
    found = moment(rulebook, name)
    if found is None:
        return
    record, table = found
    for situation in SITUATIONS:
        for ruling in ruled(rulebook, situation, table):
            again = replay(continued(record, ruling))
            steps = again.steps[len(record.play) :]
            assert [step.refusal for step in steps] == [None] * len(ruling.acts), (situation.name, ruling.acts)
            events = tuple(event for step in steps for event in step.events)
            assert events[: len(ruling.events)] == ruling.events, (situation.name, ruling.acts)


@pytest.mark.parametrize(
    "name", ["the first decision", "in the middle of the hands", "against an ace", "from a device"]
)
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_cards_that_nobody_knows_are_not_cards_that_ran_out(rulebook: str, name: str) -> None:
    """From the cards dealt so far a ruling goes as far as it goes with all of them, and no further than is known."""
    whole = moment(rulebook, name)
    if whole is None:
        return
    known = moment(rulebook, name, whole[1].position)
    assert known is not None and known[1].position == whole[1].position
    compared: Counter[str] = Counter()
    for situation in SITUATIONS:
        for full, part in zip(ruled(rulebook, situation, whole[1]), ruled(rulebook, situation, known[1]), strict=True):
            assert full.acts[: len(part.acts)] == part.acts
            assert full.events[: len(part.events)] == part.events, situation.name
            assert not any(isinstance(event, e.CardsRanOut) for event in part.events)
            assert not any(isinstance(event, e.ShuffleDue) and event.reason == "insufficient" for event in part.events)
            compared[situation.name] += 1
    assert len(compared) > 10
