"""A whole round on one box as one table: `next[state, card]`, until the number of an outcome comes up.

What strategy and rulebook say is worked out once for every state; playing is then a look-up a card. Rounds that the
table does not hold (splits, insurance taken, the Super Bonus, the end of the cards) lead to `SLOW` and are played by
the general kernel from their first card. States with the same future are one state, so that the table stays small.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from pitboss.maths.simulate import outcomes as o
from pitboss.maths.simulate.cards import CLASS_RANKS, CLASS_VALUES, CLASSES
from pitboss.maths.simulate.game import (
    DOUBLE,
    HIT,
    ORIGINAL,
    R_INSURED_CENTS,
    R_SUPER_CENTS,
    R_WAITS,
    STAND,
    Game,
)
from pitboss.maths.simulate.hands import ENDS, FIRST_NATURAL, SUITED_SEVENS, Array
from pitboss.maths.simulate.strategies import Strategy

FIRST_STATE = 64
SLOW = 63
MOST_STATES = (1 << 16) // CLASSES
FIRST_FORK = 40_000
"""Numbers from here on are decisions that hang on the count."""
STRIDE = 32
"""Places of a row where rows are numbered and not placed: a row is one line of the processor's cache."""

assert o.OUTCOMES <= SLOW


class Automaton(NamedTuple):
    """Numbers below `FIRST_STATE` are outcomes; the others are rows of the table."""

    table: Array
    """[the state's row + class of card]: the next state's row, in 16 bits."""


def build(game: Game, strategy: Strategy) -> Automaton | None:
    """The table for one box without optional wagers, or None where there is none."""
    if game.options.boxes != 1 or game.options.side_bets or strategy.by_chance:
        return None
    builder = _Builder(game, strategy)
    start = builder.number("first", 0, 0, 0, 0)
    if len(builder.rows) + FIRST_STATE > MOST_STATES:
        return None
    table = np.zeros((FIRST_STATE + len(builder.rows), CLASSES), np.uint16)
    for row, index in builder.rows.items():
        table[index] = np.array(row) * CLASSES
    table[:FIRST_STATE] = table[start]  # after an outcome the next card is the first of another round
    return Automaton(table.reshape(-1))


class _Builder:
    """Numbers states from the end of the round backwards, so that equal futures get equal numbers."""

    def __init__(self, game: Game, strategy: Strategy) -> None:
        self.game, self.strategy = game, strategy
        self.rows: dict[tuple[int, ...], int] = {}
        self.known: dict[tuple[Any, ...], int] = {}
        self.next = game.hands.next.tolist()
        self.doubled = game.doubled.tolist()
        self.decisions = strategy.decisions[ORIGINAL].tolist()
        self.rules = game.rules.tolist()
        dealer = game.rulebook.dealer
        self.hard_stand, self.soft_stand = dealer.hard_stand.value, dealer.soft_stand.value
        self.least = min(self.hard_stand, self.soft_stand) - 1
        self.alike = self._dealer_cards()
        ranks = set(game.rulebook.cards.ranks.value)
        self.cards = [card for card in range(CLASSES) if CLASS_RANKS[card] in ranks]

    def _dealer_cards(self) -> list[int]:
        """For each class the first class that is the same as a dealer's first card."""
        game = self.game
        found: dict[tuple[int, int, int], int] = {}
        alike = []
        for card in range(CLASSES):
            value = CLASS_VALUES[card]
            key = (value, int(game.opens[card]), int(game.natural_rank[card]))
            alike.append(found.setdefault(key, card))
        return alike

    def number(self, kind: str, *place: int) -> int:
        """The number of a state: made when first asked for."""
        key = (kind, *place)
        if key not in self.known:
            after: Callable[..., int] = getattr(self, "_after_" + kind)
            row = [SLOW] * CLASSES
            for card in self.cards:
                row[card] = after(card, *place)
            self.known[key] = self.rows.setdefault(tuple(row), FIRST_STATE + len(self.rows))
        return self.known[key]

    # what a card brings about, by what the table waits for

    def _after_first(self, card: int, *_: int) -> int:
        return self.number("up", int(self.game.hands.start[0, card]))

    def _after_up(self, card: int, hand: int) -> int:
        return self.number("second", hand, self.alike[card])

    def _after_second(self, card: int, hand: int, up: int) -> int:
        hand = self.next[hand][card]
        opens = int(self.game.opens[up])
        if hand < ENDS:
            if self.rules[R_WAITS] and CLASS_VALUES[up] in (1, 10):
                return self.number("held", hand - FIRST_NATURAL, up)
            return hand
        if opens & 1 and self.rules[R_INSURED_CENTS] and self.strategy.insures[hand]:
            return SLOW
        if opens & 2 and self.strategy.surrenders[hand, CLASS_VALUES[up] - 1]:
            return self.number("surrendered", up)
        return self._decided(hand, up)

    def _after_hit(self, card: int, hand: int, up: int) -> int:
        hand = self.next[hand][card]
        if hand >= ENDS:
            return self._decided(hand, up)
        earns = hand in SUITED_SEVENS and int(self.game.opens[up]) & 4 and self.rules[R_SUPER_CENTS]
        return SLOW if earns else hand

    def _decided(self, hand: int, up: int) -> int:
        act = self.decisions[hand][CLASS_VALUES[up] - 1]
        if act == STAND:
            return self._dealer(int(self.game.total[hand]), 0, up)
        if act == HIT:
            return self.number("hit", hand, up)
        return self.number("double", hand, up) if act == DOUBLE else SLOW

    def _after_double(self, card: int, hand: int, up: int) -> int:
        total = self.doubled[hand][card]
        ended = {21: o.DOUBLED_21, 22: o.DOUBLED_BUST, 23: o.DOUBLED_TRICK}.get(total)
        if ended is not None:
            return ended
        if self.game.rulebook.doubling.forfeit.value and self.strategy.forfeits[0, total, CLASS_VALUES[up] - 1]:
            return o.FORFEITED
        return self._dealer(total, 1, up)

    def _dealer(self, total: int, twice: int, up: int) -> int:
        """The player is done: the dealer's hand begins with its first card. All totals below the dealer's are alike."""
        value = CLASS_VALUES[up]
        return self.number("dealer", max(total, self.least), twice, value, int(value == 1), 1)

    def _after_dealer(self, card: int, total: int, twice: int, hard: int, ace: int, first: int) -> int:
        hard, ace = hard + CLASS_VALUES[card], int(ace or CLASS_VALUES[card] == 1)
        if first and ace and hard == 11:
            return o.NATURAL_FIRST + twice
        soft = ace and hard <= 11
        dealers = hard + 10 if soft else hard
        if dealers < (self.soft_stand if soft else self.hard_stand):
            return self.number("dealer", total, twice, hard, ace, 0)
        code = o.DEALER_BUST if dealers > 21 else o.HIGHER if total > dealers else o.EQUAL
        code = o.LOWER if total < dealers <= 21 else code
        return code + o.DOUBLED * twice

    def _after_held(self, card: int, rank: int, up: int) -> int:
        if CLASS_VALUES[up] + CLASS_VALUES[card] != 11 or 1 not in (CLASS_VALUES[up], CLASS_VALUES[card]):
            return o.WAITED
        mine = int(self.game.natural_rank[6 + rank])
        theirs = int(self.game.natural_rank[up if CLASS_VALUES[up] == 10 else card])
        return o.RANKS_ABOVE + (0 if mine < theirs else 2 if mine > theirs else 1)

    def _after_surrendered(self, card: int, up: int) -> int:
        natural = CLASS_VALUES[up] + CLASS_VALUES[card] == 11 and 1 in (CLASS_VALUES[up], CLASS_VALUES[card])
        return o.SURRENDERED_NATURAL if natural else o.SURRENDERED


# --- with a count ----------------------------------------------------------------------------------------------------


class Counted(NamedTuple):
    """The table of a game in which decisions hang on the count, rows by their numbers."""

    table: Array
    """[row, class of card]: the next row, in rows of `STRIDE`."""
    forks: Array
    """[fork, bucket of the count]: the row that is gone on with."""
    start: int


def build_counted(game: Game, plans: list[Strategy]) -> Counted | None:
    """The table for one box, with a strategy for each bucket of the count, or None where there is none."""
    if game.options.boxes != 1 or game.options.side_bets or any(plan.by_chance for plan in plans):
        return None
    builder = _CountedBuilder(game, plans)
    start = builder.number("first", 0, 0, 0, 0)
    if len(builder.rows) + FIRST_STATE > FIRST_FORK or len(builder.forks) >= (1 << 16) - FIRST_FORK:
        return None
    table = np.zeros((FIRST_STATE + len(builder.rows), STRIDE), np.uint16)
    for row, index in builder.rows.items():
        table[index, :CLASSES] = row
    slow = builder.forks.setdefault((SLOW,) * len(plans), FIRST_FORK + len(builder.forks))
    table[table == SLOW] = slow  # the general kernel is called where a fork is looked at
    table[:FIRST_STATE] = table[start]  # after an outcome the next card is the first of another round
    forks = np.array(list(builder.forks), np.uint16)
    return Counted(table.reshape(-1), forks, start)


class _CountedBuilder(_Builder):
    """Where strategies of different buckets part, a row leads to a fork."""

    def __init__(self, game: Game, plans: list[Strategy]) -> None:
        super().__init__(game, plans[0])
        self.plans = plans
        self.made = {id(plan): plan.decisions[ORIGINAL].tolist() for plan in plans}
        self.forks: dict[tuple[int, ...], int] = {}

    def _fork(self, found: Callable[..., int], *place: int) -> int:
        kept = self.strategy, self.decisions
        by_plan: dict[int, int] = {}
        for plan in self.plans:
            if id(plan) not in by_plan:
                self.strategy, self.decisions = plan, self.made[id(plan)]
                by_plan[id(plan)] = found(*place)
        self.strategy, self.decisions = kept
        leads = tuple(by_plan[id(plan)] for plan in self.plans)
        return leads[0] if len(set(leads)) == 1 else self.forks.setdefault(leads, FIRST_FORK + len(self.forks))

    def _after_second(self, card: int, hand: int, up: int) -> int:
        return self._fork(super()._after_second, card, hand, up)

    def _decided(self, hand: int, up: int) -> int:
        return self._fork(super()._decided, hand, up)

    def _after_double(self, card: int, hand: int, up: int) -> int:
        return self._fork(super()._after_double, card, hand, up)
