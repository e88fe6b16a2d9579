"""How often everything happens in a round under best play, and what it brings: the table of the report.

The kernels follow the hands that stand, hit and double, and this counts what they cannot: naturals, insurance, splits,
surrender, and the suits of 6-7-8 and 7-7-7.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import msgspec
import numpy as np

from pitboss.maths.exact import kernels as k
from pitboss.maths.exact.openings import Openings
from pitboss.maths.exact.policy import Money
from pitboss.maths.exact.results import Grid, amounts
from pitboss.maths.exact.tables import FINALS, NATURAL, Array
from pitboss.maths.exact.words import ACE, ACTS, HIT, SPLIT, SUITED_RANKS, SURRENDER, TEN

OUTCOME_NAMES = (
    "stood, won", "stood, lost", "stood, stand off", "stood, dealer natural", "bust", "21, any other",
    "21 of five cards", "21 of six cards", "21 of seven or more cards", "21 by 6-7-8, mixed", "21 by 7-7-7, mixed",
    "five card trick", "doubled, won", "doubled, lost", "doubled, stand off", "doubled, dealer natural",
    "doubled, bust",
    "doubled, 21", "doubled, five card trick", "doubled, forfeited",
)  # fmt: skip
"""As the kernels number them."""


class Outcome(msgspec.Struct, frozen=True):
    """How often something happens, and what it brings, for each original wager of 1."""

    name: str
    frequency: float
    contribution: float


class Told(NamedTuple):
    outcomes: tuple[Outcome, ...]
    money: Money
    """The chance of each result of a round, insurance left out."""
    wagered: float
    """The mean of all wagers."""
    shared_square: float | None
    """The mean product of the results of two boxes against one dealer; with infinitely many decks only."""


def outcomes_of(solver: Openings) -> Told:
    """All that is counted, for a solver that has played; it must have been `telling` when it did."""
    tally = Tally(solver)
    for up in range(10):
        tally.count(up)
    tally.close()
    shared = tally.shared_square if solver.endless else None
    return Told(tally.outcomes(), tally.money, float(tally.wagered), shared)


class Tally:
    """All that is counted on the way through the first two cards and up cards."""

    def __init__(self, solver: Openings) -> None:
        self.solver = solver
        self.found: dict[str, list[float]] = {}
        """By name: how often, and what it brings."""
        self.suited: dict[tuple[bool, int], list[float]] = {}
        """7-7-7 or not, and kind of suits: how often, the Super Bonus in all, and what suits gain each time."""
        self.amounts = amounts(solver.rules)
        self.money: Money = {}
        """The chance of each result of a round."""
        self.traced: Array = np.zeros((FINALS, k.OUTCOMES))
        """What the kernels count: how often each outcome comes with each end of the dealer."""
        self.wagered, self.shared_square = 0.0, 0.0
        self._mass: Array = np.zeros((len(solver.hands.hard), 3))

    def count(self, up: int) -> None:
        """Everything against one up card."""
        solver, hands = self.solver, self.solver.hands
        mass_2 = np.zeros((len(hands.hard), 3, 3))
        self.grid = Grid(solver.rules, solver.tens, 1, up)
        self.by_end: Array = np.zeros(self.grid.lanes)
        """What all hands bring together with each end of the dealer."""
        chances = 0.0
        for first, second, hand, chance in solver._openings_against(up):
            self._count_opening(first, second, up, hand, chance, mass_2)
            chances += chance
            ends = self.grid.chances(solver.finals[hand, up])
        before = self.traced.copy()
        self.wagered += k.trace(
            solver.left, solver.wanted, hands.cards, hands.hard, hands.size, hands.next, solver.finals, solver.array,
            solver.ones_max, up, solver.choice, solver.forfeits, self._mass, mass_2, self.traced,
        )  # fmt: skip
        if solver.endless:
            self.by_end += self.grid.chances((self.traced - before) @ np.array([float(each) for each in self.amounts]))
            given = chances * ends
            there = given > 0.0
            self.shared_square += float((self.by_end[there] ** 2 / given[there]).sum())

    def _count_opening(self, first: int, second: int, up: int, hand: int, chance: float, mass_2: Array) -> None:
        """Two cards against an up card; hands that stand, hit or double go to `mass_2`, for the kernels to follow."""
        solver = self.solver
        natural = float(solver.finals[hand, up, NATURAL])
        ends = self.grid.chances(solver.finals[hand, up])
        if (first, second) == (ACE, TEN):
            paid = solver._natural(natural, up)
            waits = solver.rules.natural_waits and up in (ACE, TEN)
            self.by_end += chance * ends * (self.grid.naturals() if waits else paid)
            self._tell("natural", chance, chance * paid)
            self._pay_natural(chance, natural, up)
            self.wagered += chance
            return
        gain = solver._insurance(natural, up)
        if gain > 0.0:
            self._tell("insurance", chance, chance * gain)
        for (share, values), (extra, kind, suits) in solver._cases_with_kind(first, second, up, hand):
            act = max(values, key=values.__getitem__)
            part = chance * share
            if act == SPLIT:
                split = solver.splits[first, up].of(suits)
                self._tell("split", part, part * split.value)
                for amount, each in split.money.items():
                    self._pay(amount, part * each)
                if split.by_end is not None:
                    self.by_end += part * ends * split.by_end
                self.wagered += part * split.wagered
            elif act == SURRENDER:
                self._tell("surrender, half lost", part * (1.0 - natural), -0.5 * part * (1.0 - natural))
                self._tell("surrender, dealer natural", part * natural, -part * natural)
                lost = np.where(np.arange(len(ends)) < NATURAL, 0.5, 1.0)
                self.by_end -= part * ends * lost
                self._pay(Fraction(-1, 2), part * (1.0 - natural))
                self._pay(Fraction(-1), part * natural)
                self.wagered += part
            else:
                mass_2[hand, solver._ones(first, second), ACTS.index(act)] += part
                self.wagered += part
                if act == HIT and kind:
                    self.by_end += part * extra * ends
                    self._count_suited(first == second, kind, up, part * extra)

    def _count_suited(self, sevens: bool, kind: int, up: int, extra: float) -> None:
        """Two cards of one suit towards 7-7-7 or 6-7-8, which are hit: suits add `extra` on the mean."""
        solver = self.solver
        odds = solver.rules.odds_777 if sevens else solver.rules.odds_678
        gain_each = float(odds[kind] - odds[0])
        bonus = solver.bonus if sevens and SUITED_RANKS.get(up) == solver.rules.bonus_rank else 0.0
        if gain_each + bonus:
            chance = extra / (gain_each + bonus)
            each = self.suited.setdefault((sevens, kind), [0.0, 0.0, 0.0])
            each[0] += chance
            each[1] += chance * bonus
            each[2] = gain_each
            self._pay(odds[0], -chance)
            self._pay(odds[kind] + Fraction(bonus).limit_denominator(10**6), chance)

    def _pay(self, amount: Fraction, chance: float) -> None:
        self.money[amount] = self.money.get(amount, 0.0) + float(chance)

    def _pay_natural(self, chance: float, dealer_natural: float, up: int) -> None:
        """A natural, paid at once or against what the dealer has."""
        solver, rules = self.solver, self.solver.rules
        if not (rules.natural_waits and up in (ACE, TEN)):
            self._pay(rules.natural_odds, chance)
            return
        self._pay(rules.natural_against_other, chance * (1.0 - dealer_natural))
        for row, share in zip(rules.natural_rows, solver.ranked_rows, strict=True):
            self._pay(row, chance * dealer_natural * share)

    def close(self) -> None:
        """Take in what the kernels have counted, and tell suited 6-7-8 and 7-7-7 from mixed."""
        frequencies = self.traced.sum(axis=0)
        for place, name in enumerate(OUTCOME_NAMES):
            if frequencies[place] > 0.0:
                self._tell(name, float(frequencies[place]), float(frequencies[place] * self.amounts[place]))
                self._pay(self.amounts[place], float(frequencies[place]))
        for (sevens, kind), (chance, bonus_part, gain_each) in self.suited.items():
            name = "7-7-7" if sevens else "6-7-8"
            odds = self.solver.rules.odds_777 if sevens else self.solver.rules.odds_678
            kept = float(odds[0]) + gain_each
            self._tell(f"21 by {name}, mixed", -chance, -chance * float(odds[0]))
            self._tell(f"21 by {name}, {'spades' if kind == 2 else 'suited'}", chance, chance * kept)
            if bonus_part:
                self._tell("Super Bonus", chance if sevens else 0.0, bonus_part)

    def outcomes(self) -> tuple[Outcome, ...]:
        """All that was told, the most frequent first."""
        told = tuple(Outcome(name, each[0], each[1]) for name, each in self.found.items())
        return tuple(sorted(told, key=lambda each: -each.frequency))

    def _tell(self, name: str, frequency: float, contribution: float) -> None:
        each = self.found.setdefault(name, [0.0, 0.0])
        each[0] += float(frequency)
        each[1] += float(contribution)
