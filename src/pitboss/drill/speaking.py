"""A drill as a sheet to read, its solutions as another, and both as plain data."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

import msgspec

from pitboss.drill.following import OUTCOMES
from pitboss.drill.model import Drill, PlantedError, Score, Total, gists
from pitboss.rulebooks.clauses import cite

WIDTH = 80


def sheet(drill: Drill, rounds: int) -> Iterator[str]:
    """The round as the dealer told it, with numbers."""
    yield from wrapped(f"Round {drill.number} of {rounds}, {drill.name}. {drill.opening}")
    for number, line in enumerate(drill.lines, 1):
        head = f"{number:>3}  "
        yield from wrapped(line, head, " " * len(head))


def solution(drill: Drill, rounds: int) -> Iterator[str]:
    """What was wrong with the round, for whoever trains others."""
    yield f"Round {drill.number} of {rounds}"
    if not drill.errors:
        yield "  nothing was wrong"
    for error in drill.errors:
        yield from _explained("error", error, drill)


def verdict(drill: Drill, result: Score) -> Iterator[str]:
    """What somebody caught, missed and wrongly called, with the clause for each."""
    for error in result.caught:
        yield from _explained("caught", error, drill)
    for error in result.missed:
        yield from _explained("missed", error, drill)
    for number in result.wrongly_called:
        yield from wrapped(f"{_clauses_of(drill, number)}", f"  wrongly called, line {number}: ", "    ")
    if not drill.errors:
        yield "  nothing was wrong with this round"


def _clauses_of(drill: Drill, number: int) -> str:
    event = drill.told[number - 1]
    return f"{drill.lines[number - 1]}, as it should be ({drill.name} {cite(event.clauses)})"


def _explained(word: str, error: PlantedError, drill: Drill) -> Iterator[str]:
    where = " or ".join(map(str, error.lines))
    yield from wrapped(f"{word}, line {where}: {error.title} ({drill.name} {cite(error.clauses)})", "  ", "    ")
    if not error.said:
        yield from wrapped(
            f"missing before line {error.lines[0]}: {'; '.join(_counted(error.should))}", "    ", "      "
        )
    else:
        yield from wrapped(f"told: {'; '.join(error.said)}", "    ", "      ")
        yield from wrapped(f"right: {'; '.join(error.should)}", "    ", "      ")
    for clause, gist in gists(drill.rulebook, error.clauses[:3]).items():
        yield from wrapped(f"{cite((clause,))}: {gist}", "    ", "      ")
    if word != "caught":
        yield from _following(error)


def _following(error: PlantedError) -> Iterator[str]:
    outcome = " or ".join(f"{name} ({OUTCOMES[name]})" for name in error.next)
    yield from wrapped(f"next, {error.noticed}: {outcome}", "    ", "      ")
    for step in error.ruling:
        yield from wrapped(step, "      ", "        ")


def what_next(error: PlantedError) -> Iterator[str]:
    """The question after an error that was found, with all that could be answered."""
    where = " or ".join(map(str, error.lines))
    yield from wrapped(f"line {where}, {error.noticed}: what happens next?", "  ", "    ")
    yield from outcomes()


def outcomes() -> Iterator[str]:
    for number, (name, words) in enumerate(OUTCOMES.items(), 1):
        yield f"    {number}. {name}: {words}"


def judged(error: PlantedError, outcome: str) -> Iterator[str]:
    """Whether that is what follows, and the ruling."""
    where = " or ".join(map(str, error.lines))
    yield f"  line {where}: {'right' if outcome in error.next else 'not so'}"
    yield from _following(error)


def _counted(texts: tuple[str, ...]) -> list[str]:
    """The same line several times is told once, with how often."""
    return [f"{text} ({texts.count(text)} times)" if texts.count(text) > 1 else text for text in dict.fromkeys(texts)]


def total_line(total: Total) -> str:
    planted = total.caught + total.missed
    text = f"{total.rounds} round{'s' * (total.rounds != 1)}: {total.caught} of {planted} errors caught, "
    text += f"{total.missed} missed, {total.wrongly_called} wrongly called"
    if total.rulings_named:
        text += f"; {total.rulings_right} of {total.rulings_named} rulings right"
    if total.clauses_named:
        text += f"; {total.clauses_right} of {total.clauses_named} clauses right"
    return text


def as_json(drill: Drill) -> dict[str, Any]:
    """The round without its solution."""
    return {
        "round": drill.number,
        "rulebook": drill.rulebook,
        "seed": drill.seed,
        "level": drill.level,
        "opening": drill.opening,
        "lines": [{"line": number, "text": text} for number, text in enumerate(drill.lines, 1)],
    }


def solution_json(drill: Drill) -> dict[str, Any]:
    errors = [_error_json(error, drill) for error in drill.errors]
    return {
        "round": drill.number,
        "rulebook": drill.rulebook,
        "seed": drill.seed,
        "level": drill.level,
        "errors": errors,
    }


def _error_json(error: PlantedError, drill: Drill) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(error)
    return {**told, "gists": gists(drill.rulebook, error.clauses)}


def score_json(drill: Drill, result: Score) -> dict[str, Any]:
    return {
        "round": drill.number,
        "caught": [_error_json(error, drill) for error in result.caught],
        "missed": [_error_json(error, drill) for error in result.missed],
        "wrongly_called": list(result.wrongly_called),
        "clauses_named": result.clauses_named,
        "clauses_right": result.clauses_right,
        "rulings_named": result.rulings_named,
        "rulings_right": result.rulings_right,
    }


def total_json(total: Total, seed: str) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(total)
    return {"total": told, "seed": seed}


def wrapped(text: str, head: str = "", rest: str = "") -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=head, subsequent_indent=rest, break_on_hyphens=False)
