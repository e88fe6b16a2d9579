"""What the page asks, answered: games and their options, a hand's choices, a chart."""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock
from typing import Any

import msgspec

from pitboss.basics.money import Odds, parse_cents
from pitboss.maths.exact.solve import Solver, solver_for
from pitboss.maths.questions import known_rulebook, known_shoe, priced
from pitboss.maths.scope import NEEDS_OTHER, reason
from pitboss.maths.shoes import MathsError
from pitboss.maths.what_if import every_value, in_short
from pitboss.rulebooks import RULEBOOKS, RulebookError, load, terms, vary
from pitboss.rulebooks.phrases import first_up, row_name
from pitboss.rulebooks.sentences import phrase
from pitboss.rulebooks.terms import PayRow, Rulebook
from pitboss.strategy.book import LETTERS, TITLES, UPS, StrategyBook, strategy_book
from pitboss.strategy.drawing import COLOURS, shown_sections, used_letters
from pitboss.strategy.explain import explain
from pitboss.strategy.price import LEVELS
from pitboss.strategy.values import FORMS

KNOWN_MAX = 6
"""Solved games that are remembered."""
VALUES_MAX = 12
EXCEPTIONS_MAX = 12


class Game(msgspec.Struct, frozen=True):
    """What is played: all that the page can pick but the cards."""

    rulebook: str
    decks: str = ""
    changes: tuple[str, ...] = ()
    """As in dealer.soft_stand=17."""
    resplit: bool = False
    bonus: str = ""
    """For the Super Bonus: the original wager in dollars."""


class Option(msgspec.Struct, frozen=True):
    """A term that changes what a round is worth, with all that it can be."""

    key: str
    now: str
    values: tuple[tuple[str, str], ...]
    """Each value as it is set, and as a sentence."""


class Choosable(msgspec.Struct, frozen=True):
    """One rulebook as the page offers it."""

    id: str
    name: str
    ranks: str
    decks: tuple[int, ...]
    decks_default: int
    options: tuple[Option, ...]
    resplit: bool
    """Whether the document leaves further splits to the house."""
    bonus: bool


@functools.cache
def choosable() -> tuple[Choosable, ...]:
    """Every rulebook, with the terms that matter to a round."""
    found = []
    for name in RULEBOOKS:
        book = load(name)
        splitting = book.splitting
        more = splitting.resplit_hands_max.value > splitting.hands_max.value
        found.append(
            Choosable(
                name, book.game.name.value, book.cards.ranks.value, book.cards.decks.value,
                book.cards.decks_default.value, tuple(_options(book)), more, book.super_bonus.offered.value,
            )
        )  # fmt: skip
    return tuple(found)


def _options(book: Rulebook) -> Iterable[Option]:
    for key, term in terms(book):
        if reason(key) not in ("", NEEDS_OTHER):
            continue
        if isinstance(term.value, tuple):
            for row in term.value:
                if isinstance(row, PayRow) and key == "interim.pay_table" and not reason(f"{key}.{row.name}"):
                    yield from _option(book, f"{key}.{row.name}", row.odds)
        else:
            yield from _option(book, key, term.value)


def _option(book: Rulebook, key: str, now: Any) -> Iterable[Option]:
    try:
        values = [value for value in every_value(key, now) if _can_be(book, key, value)]
    except MathsError:
        return
    if 2 <= len(values) <= VALUES_MAX:
        said = tuple((in_short(value), _sentence(book, key, value)) for value in values)
        if len({sentence for _, sentence in said}) == len(said):
            yield Option(key, in_short(now), said)


def _can_be(book: Rulebook, key: str, value: Any) -> bool:
    try:
        priced(vary(book, {key: value}))
    except (RulebookError, MathsError):
        return False
    return True


def _sentence(book: Rulebook, key: str, value: Any) -> str:
    if key.startswith("interim.pay_table."):
        return f"{first_up(row_name(key.rpartition('.')[2]))} pays {value}."
    if isinstance(value, str) and " to " in value:
        wins, _, on = value.partition(" to ")
        return phrase(key, Odds(int(wins), int(on)), book)
    return phrase(key, value, book)


class Answers:
    """Answers, one at a time; the games asked for last are remembered."""

    def __init__(self) -> None:
        self._solvers: OrderedDict[Game, Solver] = OrderedDict()
        self._lock = Lock()

    def _solver(self, game: Game) -> Solver:
        known = self._solvers.get(game)
        if known is None:
            book = known_rulebook(game.rulebook, game.changes)
            cents = parse_cents(game.bonus) if game.bonus else None
            shoe = known_shoe(book, game.decks or None, None)
            known = solver_for(book, shoe, resplit=game.resplit, wager_cents=cents)
            known.every_split = True
            known.value()
            self._solvers[game] = known
            if len(self._solvers) > KNOWN_MAX:
                self._solvers.popitem(last=False)
        self._solvers.move_to_end(game)
        return known

    def hand(self, game: Game, cards: str, dealer: str, doubled: bool) -> dict[str, Any]:
        """Every choice of a hand, the best first, with its reason."""
        with self._lock:
            solver = self._solver(game)
            found = explain(solver, f"{cards} {'doubled ' if doubled else ''}v {dealer}")
        told: dict[str, Any] = msgspec.to_builtins(found)
        return told

    def chart(self, game: Game, level: str) -> dict[str, Any]:
        """The chart of a game, in rows of letters."""
        if level not in LEVELS:
            raise MathsError(f"no chart {level!r}: {', '.join(LEVELS)} are known.")
        with self._lock:
            solver = self._solver(game)
            book = strategy_book(solver, LEVELS[level])
            at_least = sum(each.chance * each.at_least for each in solver.openings())
        return _as_data(book, float(at_least))

    def values(self, game: Game, kind: str) -> str:
        """What every hand is worth, as a file of this kind."""
        if f".{kind}" not in FORMS:
            raise MathsError(f"no file {kind!r}: csv, html and txt are known.")
        with self._lock:
            return FORMS[f".{kind}"](self._solver(game))


def _as_data(book: StrategyBook, at_least: float) -> dict[str, Any]:
    sections = [
        {"title": TITLES[name], "rows": [{"label": label, "letters": letters} for label, letters in rows]}
        for name, rows in shown_sections(book)
    ]
    return {
        "rulebook": book.rulebook,
        "shoe": book.shoe,
        "variant": book.variant,
        "level": book.level,
        "dealer": UPS,
        "sections": sections,
        "letters": {letter: LETTERS[letter] for letter in used_letters(book)},
        "ev": book.ev,
        "ev_best": book.ev_best,
        "edge_at_most": -at_least,
        "insurance": book.insurance,
        "exceptions": [{**msgspec.to_builtins(each), "worth": each.worth} for each in book.exceptions[:EXCEPTIONS_MAX]],
        "exceptions_in_all": len(book.exceptions),
    }


def colours() -> str:
    """Style for the letters of a chart, the same as in pictures and printed charts."""
    return "".join(f".act-{ord(letter)} {{ background: {colour}; }}\n" for letter, colour in COLOURS.items())
