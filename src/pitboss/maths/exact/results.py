"""What each outcome of a hand pays, and how the results of several hands on one box add up, chance by chance.

Hands share the dealer: results are kept apart for each dealer total, and for each ten-value rank of a natural where
ranks are compared, and are put together only at the last.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import numpy as np

from pitboss.maths.exact import kernels as k
from pitboss.maths.exact.rules import Rules
from pitboss.maths.exact.tables import FINALS, NATURAL, Array
from pitboss.maths.exact.words import ACE, TEN

Paid = dict[int, Array]
"""For each amount, in the grid's units, its chance given each end of the dealer."""
LIVE = (
    k.O_STOOD_WON, k.O_STOOD_LOST, k.O_STOOD_OFF, k.O_STOOD_NATURAL,
    k.O_DOUBLED_WON, k.O_DOUBLED_LOST, k.O_DOUBLED_OFF, k.O_DOUBLED_NATURAL,
)  # fmt: skip
"""Outcomes of hands that wait for the dealer."""


def amounts(rules: Rules) -> list[Fraction]:
    """What each outcome brings for a wager of 1; a natural's place is empty, since it may hang on the dealer's."""
    found = [Fraction(0)] * k.OUTCOMES
    even, doubled = rules.even_money, 2 * rules.doubled_odds
    for outcome in (k.O_STOOD_LOST, k.O_STOOD_NATURAL, k.O_BUST, k.O_FORFEIT):
        found[outcome] = Fraction(-1)
    for outcome in (k.O_DOUBLED_LOST, k.O_DOUBLED_BUST):
        found[outcome] = Fraction(-2)
    found[k.O_DOUBLED_NATURAL] = Fraction(-1 if rules.one_original else -2)
    found[k.O_STOOD_WON] = found[k.O_TRICK] = even
    found[k.O_DOUBLED_WON] = found[k.O_DOUBLED_21] = doubled
    found[k.O_DOUBLED_TRICK] = 2 * even
    found[k.O_21 : k.O_21_SEVEN + 1] = rules.odds_by_count
    found[k.O_678], found[k.O_678_SUITED], found[k.O_678_SPADES] = rules.odds_678
    found[k.O_777], found[k.O_777_SUITED], found[k.O_777_SPADES] = rules.odds_777
    return found


class Grid:
    """Results of all hands of one box against one up card, on a grid of amounts."""

    def __init__(self, rules: Rules, tens: dict[str, float], hands: int, up: int) -> None:
        self.rules, self.up = rules, up
        each = amounts(rules)
        natural = [rules.natural_odds, rules.natural_against_other, rules.odds_of_21(2), *rules.natural_rows]
        self.unit = lcm(*(amount.denominator for amount in (*each, *natural)))
        self.steps = [int(amount * self.unit) for amount in each]
        self.tens = tens if rules.natural_order else {"": 1.0}
        """Shares of the ten-value ranks in the dealer's natural."""
        self.lanes = FINALS - 1 + len(self.tens)
        most = max((*self.steps, *(int(amount * self.unit) for amount in natural)))
        self.zero = 2 * self.unit * hands
        self.size = self.zero + most * hands + 1

    def nothing(self) -> Array:
        """No hand, no result."""
        found = np.zeros((self.lanes, self.size))
        found[:, self.zero] = 1.0
        return found

    def by_lane(self, ends: Array) -> Array:
        """Something that is known for each end of the dealer, for each lane."""
        return np.concatenate((ends[:NATURAL], np.repeat(ends[NATURAL : NATURAL + 1], len(self.tens), axis=0)))

    def chances(self, ends: Array) -> Array:
        """The chance of each lane, from the dealer's chances."""
        return np.concatenate((ends[:NATURAL], ends[NATURAL] * np.array(list(self.tens.values()))))

    def paid(self, cells: Array, given: Array, *, live: bool) -> tuple[Paid, Paid]:
        """One hand that ends before the dealer plays, and one that waits; `live` where another waits already.

        `cells[end, outcome]` are chances, `given[end]` what they are divided by.
        """
        shares = np.divide(cells, given[:, None], out=np.zeros_like(cells), where=given[:, None] > 0.0)
        ended: Paid = {}
        waits: Paid = {}
        for outcome in np.flatnonzero(cells.any(axis=0)).tolist():
            lanes = self.by_lane(shares[:, outcome])
            if outcome == k.O_NATURAL:
                self._natural(ended, lanes)
                continue
            step = self.steps[outcome]
            if live and self.rules.one_original and outcome in (k.O_STOOD_NATURAL, k.O_DOUBLED_NATURAL):
                step = 0
            mine = waits if outcome in LIVE else ended
            mine[step] = mine[step] + lanes if step in mine else lanes
        return ended, waits

    def _natural(self, ended: Paid, lanes: Array) -> None:
        """An ace with a ten: paid at once, or against what the dealer has."""
        rules, first = self.rules, FINALS - 1
        if not rules.split_natural:
            _more(ended, int(rules.odds_of_21(2) * self.unit), lanes)
            return
        if not (rules.natural_waits and self.up in (ACE, TEN)):
            _more(ended, int(rules.natural_odds * self.unit), lanes)
            return
        alone = lanes.copy()
        alone[first:] = 0.0
        _more(ended, int(rules.natural_against_other * self.unit), alone)
        for place, dealers in enumerate(self.tens):
            for mine, share in self.tens.items():
                row = self._row(mine, dealers)
                some = np.zeros_like(lanes)
                some[first + place] = lanes[first + place] * share
                _more(ended, int(row * self.unit), some)

    def add(self, results: Array, paid: Paid, then: Array) -> None:
        """Add to `results` what comes of a hand paid like this and of the rest, `then`."""
        for step, lanes in paid.items():
            if step >= 0:
                results[:, step:] += lanes[:, None] * then[:, : self.size - step]
            else:
                results[:, :step] += lanes[:, None] * then[:, -step:]

    def means(self, results: Array) -> Array:
        """The mean result for each lane."""
        return results @ ((np.arange(self.size) - self.zero) / self.unit)

    def naturals(self) -> Array:
        """What a natural that waits is paid on the mean, for each lane."""
        rules = self.rules
        found = np.full(self.lanes, float(rules.natural_against_other))
        for place, dealers in enumerate(self.tens):
            rows = (self._row(mine, dealers) for mine in self.tens)
            found[FINALS - 1 + place] = sum(
                share * float(row) for share, row in zip(self.tens.values(), rows, strict=True)
            )
        return found

    def _row(self, mine: str, dealers: str) -> Fraction:
        """What a natural with this ten is paid against the dealer's."""
        order = self.rules.natural_order
        higher = order.index(mine) - order.index(dealers) if dealers else 0
        return self.rules.natural_rows[0 if higher < 0 else 2 if higher > 0 else 1]

    def money(self, results: Array, chances: Array) -> dict[Fraction, float]:
        """The chance of each result, whatever the dealer has."""
        whole = chances @ results
        return {Fraction(int(place) - self.zero, self.unit): float(whole[place]) for place in np.flatnonzero(whole)}


def _more(paid: Paid, step: int, lanes: Array) -> None:
    paid[step] = paid[step] + lanes if step in paid else lanes


def suited(cells: Array, given: Array, *, sevens: bool, kind: int, chance: float) -> None:
    """So much of the 6-7-8 or 7-7-7 that was counted as mixed is of one suit."""
    mixed = k.O_777 if sevens else k.O_678
    one_suit = (k.O_777_SUITED if sevens else k.O_678_SUITED) + kind - 1
    cells[:, mixed] -= chance * given
    cells[:, one_suit] += chance * given
