"""What a drill is: told lines with planted errors, what was wrong with them, and how well somebody found it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

import msgspec

from pitboss.drill.following import OUTCOMES, read_outcome
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.clauses import is_within, register
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.events import AnyEvent

LEVELS = ("easy", "hard")
CONTROL = re.compile("[\\x00-\\x1f\\x7f]")


class DrillError(ValueError):
    """What was asked of a trainer, or answered, cannot be read."""


def book_of(rulebook: str | Rulebook) -> Rulebook:
    """The rulebook that is to be trained; raises `DrillError` where there is none."""
    if isinstance(rulebook, str) and rulebook not in RULEBOOKS:
        raise DrillError(f"no rulebook {rulebook[:40]!r}. Known: {', '.join(RULEBOOKS)}")
    return load(rulebook) if isinstance(rulebook, str) else rulebook


def wanted(rulebook: str | Rulebook, seed: str, rounds: int, most: int) -> Rulebook:
    """The rulebook of so many rounds to train on, dealt by a seed; raises `DrillError` where there can be none."""
    book = book_of(rulebook)
    if not 1 <= rounds <= most:
        raise DrillError(f"one trains on 1 to {most} rounds, not {rounds}")
    if not 0 < len(seed) <= 100 or CONTROL.search(seed):
        raise DrillError("a seed is 1 to 100 characters, none of them a control character")
    return book


def gists(rulebook: str, clauses: Iterable[str]) -> dict[str, str]:
    """What the clauses behind a step or an error say, in our words."""
    known = register(rulebook)
    return {clause: known[clause].gist for clause in clauses if clause in known}


class PlantedError(msgspec.Struct, frozen=True):
    """One error of the dealer's, and where it shows."""

    kind: str
    title: str
    lines: tuple[int, ...]
    """Where it shows: naming any of these lines is right. Where a line is missing, the one that came in its place."""
    said: tuple[str, ...]
    """The wrong line or lines as told; empty where lines are missing."""
    should: tuple[str, ...]
    """What should have happened there."""
    clauses: tuple[str, ...]
    accepted: tuple[str, ...] = ()
    """Clauses that name it as well, as those of the odds do where a wager was paid at wrong ones."""
    noticed: str = ""
    """When it is noticed: what happens next may depend on it."""
    next: tuple[str, ...] = ()
    """The answers, of `following.OUTCOMES`, to what happens next."""
    ruling: tuple[str, ...] = ()
    """What `adjudicate` says of it, with the clauses."""


class Drill(msgspec.Struct, frozen=True):
    """One round as the dealer told it."""

    rulebook: str
    name: str
    seed: str
    level: str
    number: int
    """Which round of the drill it is, from 1."""
    opening: str
    """What is on the table and in the shoe before the first line."""
    lines: tuple[str, ...]
    errors: tuple[PlantedError, ...]
    right: tuple[AnyEvent, ...]
    """What the engine made of the round."""
    told: tuple[AnyEvent, ...]
    """What the lines tell."""


class Call(msgspec.Struct, frozen=True):
    """What somebody says of a line that they call wrong."""

    clause: str = ""
    next: str = ""
    """What happens next, one of `following.OUTCOMES`; empty where nobody has said."""


Called: TypeAlias = "dict[int, Call]"
"""Lines that somebody calls wrong."""


class Score(msgspec.Struct, frozen=True):
    """What somebody caught in one round."""

    caught: tuple[PlantedError, ...] = ()
    missed: tuple[PlantedError, ...] = ()
    wrongly_called: tuple[int, ...] = ()
    clauses_named: int = 0
    clauses_right: int = 0
    rulings_named: int = 0
    """Errors of which it was said what happens next."""
    rulings_right: int = 0


def score(drill: Drill, called: Called) -> Score:
    """Hold an answer against what was planted."""
    caught, missed = [], []
    named = right = ruled = rightly = 0
    for error in drill.errors:
        hits = [line for line in error.lines if line in called]
        if not hits:
            missed.append(error)
            continue
        caught.append(error)
        clauses = [called[line].clause for line in hits if called[line].clause]
        named += bool(clauses)
        known = (*error.clauses, *error.accepted)
        right += any(is_within(clause, each) or is_within(each, clause) for clause in clauses for each in known)
        outcomes = [called[line].next for line in hits if called[line].next]
        ruled += bool(outcomes)
        rightly += any(outcome in error.next for outcome in outcomes)
    good = {line for error in drill.errors for line in error.lines}
    wrong = tuple(sorted(line for line in called if line not in good))
    return Score(tuple(caught), tuple(missed), wrong, named, right, ruled, rightly)


class Total(msgspec.Struct, frozen=True):
    """A whole drill's score."""

    rounds: int = 0
    caught: int = 0
    missed: int = 0
    wrongly_called: int = 0
    clauses_named: int = 0
    clauses_right: int = 0
    rulings_named: int = 0
    rulings_right: int = 0

    def plus(self, one: Score) -> Total:
        return Total(
            self.rounds + 1,
            self.caught + len(one.caught),
            self.missed + len(one.missed),
            self.wrongly_called + len(one.wrongly_called),
            self.clauses_named + one.clauses_named,
            self.clauses_right + one.clauses_right,
            self.rulings_named + one.rulings_named,
            self.rulings_right + one.rulings_right,
        )


def read_answer(text: str, drill: Drill) -> Called:
    """``none``, or line numbers; behind each may stand a clause and what happens next: ``12 14:10.5=put-right``."""
    words = text.replace(",", " ").split()
    if not words:
        raise DrillError("say which lines are wrong, as in 12 or 12 14:10.5=put-right, or none")
    if words == ["none"]:
        return {}
    called: Called = {}
    for word in words:
        said, sign, outcome = word.partition("=")
        number, _, clause = said.partition(":")
        shown = word if len(word) <= 40 else word[:37] + "..."
        if not (number.isascii() and number.isdigit() and len(number) < 5) or not 1 <= int(number) <= len(drill.lines):
            raise DrillError(f"{shown!r} is no line: say numbers from 1 to {len(drill.lines)}, as in 12 or 12 14:10.5")
        follows = read_outcome(outcome) if sign else ""
        if follows is None:
            raise DrillError(f"{shown!r}: what happens next is one of {', '.join(OUTCOMES)}")
        called[int(number)] = Call(clause, follows)
    return called


def with_next(called: Called, error: PlantedError, outcome: str) -> Called:
    """An answer with what somebody says happens next after one error that they found."""
    line = next(line for line in error.lines if line in called)
    return {**called, line: Call(called[line].clause, outcome)}
