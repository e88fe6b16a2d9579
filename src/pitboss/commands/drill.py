"""``pitboss drill``: rounds with planted errors of the dealer's, and a score for finding them."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from typing import Annotated

import msgspec
from cyclopts import Parameter

from pitboss.chance import Chance
from pitboss.commands import rulebook_id
from pitboss.commands.options import RulebookId
from pitboss.drill.following import read_outcome
from pitboss.drill.making import make_drill
from pitboss.drill.model import Called, Drill, DrillError, PlantedError, Total, read_answer, score, with_next
from pitboss.drill.speaking import (
    as_json,
    judged,
    outcomes,
    score_json,
    sheet,
    solution,
    solution_json,
    total_json,
    total_line,
    verdict,
    what_next,
    wrapped,
)

FINE = 0
PROMPT = "Wrong lines (numbers, or none) > "
NEXT = "  Next > "


def drill(
    rulebook: RulebookId,
    *,
    rounds: int = 5,
    seed: str | None = None,
    level: str = "easy",
    answers: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    sheet: bool = False,
    solutions: bool = False,
    json: bool = False,
) -> int:
    """Find the dealer's errors.

    Each round is told line by line, correctly except for up to two planted errors. Answer with the numbers of the wrong
    lines, or none; a clause may follow a number, as in 14:10.5. Where a line is missing, name the line that stands in
    its place. After each error you find, you are asked what happens next; 14=void answers both at once.

    Parameters
    ----------
    rounds
        How many rounds.
    seed
        Repeat a drill: its seed is printed at the end.
    level
        easy, or hard: more boxes, up to two errors a round, and some that are hard to see.
    answers
        A file with one answer per line, instead of asking; - is standard input.
    sheet
        Print the rounds as a sheet to hand out.
    solutions
        Print the solutions of the sheet.
    json
        Print one JSON object per line: the rounds, with --solutions what is wrong with them, with --answers the score.
    """
    chosen = str(Chance().below(10**12)) if seed is None else seed
    drills = make_drill(rulebook_id(rulebook), rounds=rounds, seed=chosen, level=level)
    if solutions:
        return _print_solutions(drills, json=json)
    if sheet or (json and answers is None):
        return _print_sheet(drills, json=json)
    if answers is not None:
        return _score(drills, _from_file(answers, drills), json=json)
    return _ask(drills)


def _print_sheet(drills: tuple[Drill, ...], *, json: bool) -> int:
    for each in drills:
        if json:
            _line(as_json(each))
        else:
            print("\n".join(sheet(each, len(drills))) + "\n")
    if not json:
        print("Behind the number of a line, = and what happens next, as in 12=void:")
        print("\n".join(outcomes()) + "\n")
        print(_repeat(drills))
    return FINE


def _print_solutions(drills: tuple[Drill, ...], *, json: bool) -> int:
    for each in drills:
        if json:
            _line(solution_json(each))
        else:
            print("\n".join(solution(each, len(drills))))
    return FINE


def _score(drills: tuple[Drill, ...], called: list[Called], *, json: bool) -> int:
    total = Total()
    for each, answer in zip(drills, called, strict=True):
        result = score(each, answer)
        total = total.plus(result)
        if json:
            _line(score_json(each, result))
        else:
            print(f"Round {each.number} of {len(drills)}")
            print("\n".join(verdict(each, result)))
    if json:
        _line(total_json(total, drills[0].seed))
    else:
        print("\n".join(wrapped(total_line(total), "", "  ")))
    return FINE


def _ask(drills: tuple[Drill, ...]) -> int:
    """Round by round, from a terminal or a pipe."""
    total = Total()
    for each in drills:
        print("\n".join(sheet(each, len(drills))))
        called = _answer(each)
        print("\n".join(verdict(each, score(each, called))))
        for error in score(each, called).caught:
            called = _asked_on(error, called)
        total = total.plus(score(each, called))
        print()
    print("\n".join(wrapped(total_line(total), "", "  ")))
    print(_repeat(drills))
    return FINE


def _answer(each: Drill) -> Called:
    """What somebody says is wrong; what cannot be read is said so, and asked again."""
    while True:
        print(PROMPT, end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            print()
            raise DrillError(f"the answers ended at round {each.number}")
        if not sys.stdin.isatty():
            print(line.strip()[:40])
        try:
            return read_answer(line, each)
        except DrillError as error:
            print(f"{'unread':<10}{error}")


def _asked_on(error: PlantedError, called: Called) -> Called:
    """After an error was found: what happens next, unless that was said with it."""
    outcome = next((called[line].next for line in error.lines if line in called and called[line].next), "")
    if not outcome:
        print("\n".join(what_next(error)))
        while not outcome:
            print(NEXT, end="", flush=True)
            line = sys.stdin.readline()
            if not line:
                print()
                raise DrillError("the answers ended at what happens next")
            if not sys.stdin.isatty():
                print(line.strip()[:40])
            outcome = read_outcome(line) or ""
            if not outcome:
                print(f"{'unread':<10}say a number or a name from the list")
    print("\n".join(judged(error, outcome)))
    return with_next(called, error, outcome)


def _from_file(name: str, drills: tuple[Drill, ...]) -> list[Called]:
    """One answer a line; empty lines and what follows a # do not count."""
    shown = "standard input" if name == "-" else name
    given = list(_lines(sys.stdin.read() if name == "-" else _text(name)))
    if len(given) != len(drills):
        raise DrillError(f"{shown}: {len(given)} answers for {len(drills)} rounds. Write one line a round, or none")
    called = []
    for (place, text), each in zip(given, drills, strict=True):
        try:
            called.append(read_answer(text, each))
        except DrillError as error:
            raise DrillError(f"{shown}:{place}: {error}") from None
    return called


def _text(name: str) -> str:
    try:
        with open(name, encoding="utf-8") as stream:  # noqa: PTH123 - any name, also one that no file can have
            return stream.read()
    except ValueError:
        raise DrillError(f"{name!r}: no text file can be read under this name") from None


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for place, line in enumerate(text.splitlines(), 1):
        said = line.partition("#")[0].strip()
        if said:
            yield place, said


def _repeat(drills: tuple[Drill, ...]) -> str:
    first = drills[0]
    words = f"{first.rulebook} --rounds {len(drills)} --level {first.level} --seed {shlex.quote(first.seed)}"
    return f"Again: pitboss drill {words}"


def _line(item: object) -> None:
    print(msgspec.json.encode(item).decode())
