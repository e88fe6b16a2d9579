"""Deciding the acts of a record again: what came of each, where it ended, and what was not as the record says.

What an act, an event and a state are the kind of record says; the walk through them is the same for all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from pitboss.papers.lines import word_of
from pitboss.rulebooks.clauses import cite, is_within

Act = TypeVar("Act")
State = TypeVar("State")


class Refused(Protocol):
    """Why an act is not allowed."""

    @property
    def clauses(self) -> tuple[str, ...]: ...


class Said(Protocol):
    """One act of a record, and the clause by which it must be refused where it must be."""

    @property
    def act(self) -> Any: ...
    @property
    def refused(self) -> str: ...


class Walked(NamedTuple, Generic[State]):
    """Number, act, events and refusal of every step, where it ended, and what did not hold."""

    steps: list[tuple[int, Any, tuple[Any, ...], Any]]
    state: State
    failures: list[str]


def walk(
    steps: Sequence[Said],
    state: State,
    whole: Callable[[State, Any], Any],
    drawn: Callable[[Any], str],
    decide: Callable[[State, Any], Any],
    evolve: Callable[[State, Any], State],
) -> Walked[State]:
    """Decide every act again.

    `whole` gives a draw the order that follows from its secret; `drawn` says which draw an act with an order is, and
    nothing of any other: an order that does not follow fails.
    """
    found: list[tuple[int, Any, tuple[Any, ...], Any]] = []
    failures: list[str] = []
    for number, step in enumerate(steps, start=1):
        place = f"acts[{number}]"
        act = whole(state, step.act)
        which = drawn(step.act)
        if which and whole(state, without_order(step.act)).order != step.act.order:
            failures.append(f"{place}: the order of {which} does not follow from its secret")
        decided = decide(state, act)
        if not isinstance(decided, tuple):
            found.append((number, act, (), decided))
            failures += _not_so_refused(place, act, step.refused, decided)
            continue
        if step.refused:
            failures.append(f"{place}: {word_of(type(act))} was allowed, and {step.refused} should refuse it")
        state = evolve(state, decided)
        found.append((number, act, decided, None))
    return Walked(found, state, failures)


def without_order(act: Any) -> Any:
    return msgspec.structs.replace(act, order=())


def _not_so_refused(place: str, act: Any, wanted: str, refusal: Refused) -> list[str]:
    if not wanted:
        return [f"{place}: {word_of(type(act))} was refused: {refusal}"]
    if wanted != "*" and not any(is_within(clause, wanted) for clause in refusal.clauses):
        return [f"{place}: refused by {cite(refusal.clauses)}, not by {wanted}"]
    return []
