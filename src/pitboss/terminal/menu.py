"""The five games in one line each, and the question which of them it shall be."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Callable
from typing import TextIO

from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.meanings import TIES_LOSE, meaning
from pitboss.rulebooks.terms import Rulebook
from pitboss.terminal.opening import ChoiceError, find_rulebook

DOUBLES = meaning(
    "doubling.hands",
    {
        "any-below-21": "below 21",
        "two-cards-hard-9-10-11": "hard 9 to 11",
        "two-or-three-cards": "2 or 3 cards",
    },
)


def in_short(rulebook: Rulebook) -> str:
    """What a player asks first: decks, what a natural pays, what may be doubled, and equal totals."""
    decks = rulebook.cards.decks.value
    number = f"{decks[0]} to {decks[-1]}" if len(decks) > 2 else " or ".join(map(str, decks))
    hands = DOUBLES[rulebook.doubling.hands.value]
    ties = "lose" if TIES_LOSE[rulebook.settlement.ties.value] else "stand off"
    natural = rulebook.game.natural.value
    return f"{number} decks, {natural} {rulebook.interim.natural_odds.value}, double {hands}, equal totals {ties}"


def games() -> tuple[tuple[int, str, str, str], ...]:
    """Number, id, name and description of each."""
    rulebooks = [load(rulebook) for rulebook in RULEBOOKS]
    return tuple(
        (number, book.id, book.game.name.value, in_short(book)) for number, book in enumerate(rulebooks, start=1)
    )


def chosen(text: str) -> str:
    """The rulebook that a number or a name means; raises `ChoiceError`."""
    word = text.strip()
    if word.isascii() and word.isdigit() and len(word) < 3:
        if 1 <= int(word) <= len(RULEBOOKS):
            return RULEBOOKS[int(word) - 1]
        raise ChoiceError(f"there is no game {word}: choose 1 to {len(RULEBOOKS)}")
    return find_rulebook(word)


def ask_for_rulebook(read: Callable[[], str | None], out: TextIO, *, json: bool) -> str | None:
    """Ask in lines; None where the other side has nothing to say or leaves."""
    for number, name, game, text in games():
        if json:
            print(
                jsonlib.dumps({"type": "menu", "number": number, "rulebook": name, "name": game, "text": text}),
                file=out,
            )
        else:
            print(f"MENU {number} {name} {game}: {text}", file=out)
    while True:
        waits = {"type": "wait", "what": "rulebook", "acts": list(RULEBOOKS)}
        print(jsonlib.dumps(waits) if json else "WAIT rulebook", file=out, flush=True)
        line = read()
        if line is None or line.strip().lower() in ("q", "quit", "exit", "bye"):
            print(jsonlib.dumps({"type": "bye", "rounds": 0}) if json else "BYE rounds=0", file=out, flush=True)
            return None
        if not line.strip():
            continue
        try:
            return chosen(line)
        except ChoiceError as error:
            print(jsonlib.dumps({"type": "unread", "text": str(error)}) if json else f"UNREAD {error}", file=out)
