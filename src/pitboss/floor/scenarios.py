"""What a trainer wants a round to have: insurance, a split, a shared box. Seeds are tried until a round has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TypeAlias

from pitboss.drill.dealing import seated_rounds
from pitboss.drill.model import DrillError, book_of
from pitboss.rulebooks import load
from pitboss.table import events as e
from pitboss.table.events import Event

Kinds: TypeAlias = frozenset[type[Event]]
TRIES = 1_500
"""Rounds that are looked through before it is said that none has it; a round takes a millisecond."""
LOOKED_THROUGH = 300
"""Rounds by which it is known what a rulebook has at all."""

SCENARIOS: Mapping[str, tuple[str, Callable[[Kinds], bool]]] = MappingProxyType(
    {
        "shoe": ("cards from a shoe: shuffle, cut, cutting card", lambda kinds: e.CutOffered in kinds),
        "device": ("cards from a shuffling device", lambda kinds: e.CutOffered not in kinds),
        "insurance": ("insurance is taken", lambda kinds: e.InsurancePlaced in kinds),
        "surrender": ("surrender is offered", lambda kinds: e.SurrenderOffered in kinds),
        "surrendered": ("somebody surrenders", lambda kinds: e.WagerSurrendered in kinds),
        "double": ("somebody doubles", lambda kinds: e.WagerDoubled in kinds),
        "split": ("a pair is split", lambda kinds: e.HandDivided in kinds),
        "shared": ("two players on one box", lambda kinds: e.ControlSettled in kinds),
        "asked": (
            "the others on a box are asked",
            lambda kinds: e.DoubleDeclined in kinds or e.SplitDeclined in kinds,
        ),
        "stand-off": ("a wager stands off", lambda kinds: e.WagerStoodOff in kinds),
        "side-wager": ("an optional wager is paid", lambda kinds: e.SideBetPaid in kinds),
        "jackpot": ("a jackpot wager is placed", lambda kinds: e.JackpotWagerCollected in kinds),
    }
)


def _kinds(rulebook: str, seed: str, rounds: int) -> Kinds:
    return frozenset(type(event) for _, _, events in seated_rounds(load(rulebook), seed, rounds) for event in events)


@lru_cache
def scenarios_of(rulebook: str) -> tuple[str, ...]:
    """The scenarios that rounds of this rulebook have at all."""
    book_of(rulebook)
    wanted, found = dict(SCENARIOS), set()
    for number in range(LOOKED_THROUGH):
        kinds = _kinds(rulebook, f"which {number}", 1)
        found |= {name for name, (_, has) in wanted.items() if has(kinds)}
        wanted = {name: each for name, each in wanted.items() if name not in found}
        if not wanted:
            break
    return tuple(name for name in SCENARIOS if name in found)


def seed_with(rulebook: str, scenario: str, seed: str, rounds: int = 1) -> str:
    """A seed, made from the given one, whose rounds have what is wanted; the same seed always leads to the same."""
    if scenario not in SCENARIOS:
        raise DrillError(f"there is no scenario {scenario[:40]!r}: {', '.join(SCENARIOS)}")
    if scenario not in scenarios_of(rulebook):
        raise DrillError(f"{load(rulebook).name} has no round with this: {SCENARIOS[scenario][0]}")
    has = SCENARIOS[scenario][1]
    for number in range(TRIES):
        tried = f"{seed[:90]}.{number}"
        if has(_kinds(rulebook, tried, rounds)):
            return tried
    raise DrillError(f"in {TRIES} rounds there was none with this: {SCENARIOS[scenario][0]}; try another seed")
