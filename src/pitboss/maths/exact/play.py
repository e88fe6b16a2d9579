"""Best play of every hand that a player can hold, splits aside, with one shoe under one set of rules.

A hand is valued for all up cards at once, by the cards held. What the kernels find here the next chapters read: split
hands (`policy`), the first two cards (`openings`), and the answer (`solve`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.basics.cards import RANKS, SUITS, VALUE
from pitboss.maths.exact import kernels as k
from pitboss.maths.exact.rules import (
    ANY_BELOW_21,
    AS_USUAL,
    FIRST_TWO_COUNT_ONE,
    HELD_COUNT_ONE,
    TWO_HARD_9_TO_11,
    TWO_OR_THREE,
    Rules,
)
from pitboss.maths.exact.tables import FINALS, Array, dealer_tree, player_hands
from pitboss.maths.exact.words import ACE, SUITED_RANKS, TEN
from pitboss.maths.shoes import MathsError, Shoe

SURRENDER_LOSES = 0.5
WHOLE: Array = np.full(10, 1.0)
"""Against each up card, a dealer natural costs a hand all that it can."""


class BestPlay:
    """One shoe under one set of rules, and what every hand is worth there."""

    def __init__(self, rules: Rules, shoe: Shoe) -> None:
        self.rules = rules
        self.hands = player_hands()
        self.tree = dealer_tree(rules.hard_stand, rules.soft_stand)
        self.array: Array = rules_array(rules, 1.0)
        self.ones_max = 2 if rules.double_aces == FIRST_TWO_COUNT_ONE else 0
        self.suit_odds = tuple(
            tuple(float(each - odds[0]) for each in odds) for odds in (rules.odds_678, rules.odds_777)
        )
        """What 6-7-8 (first) and 7-7-7 are paid more where they are mixed (nothing), suited, spades."""
        number = len(self.hands.hard)
        self.finals: Array = np.zeros((number, 10, FINALS))
        self.choice: Array = np.zeros((number, 3, 10), np.int64)
        self.forfeits: Array = np.zeros((number, 3, 10), np.int64)
        self.worth: Array = np.zeros((number, 3, 10))
        self.ways: Array = np.zeros((number, 3, 10, 3))
        self.room: Array = np.zeros((3, number, 10))
        """Where the kernels note what hands are worth when they stop."""
        self.fill(shoe)

    def fill(self, shoe: Shoe) -> None:
        """Begin with this shoe."""
        _refuse_small(shoe, self.rules)
        self.shoe = shoe
        self.left: Array = np.array(shoe.values, np.float64)
        """With the up card and the hands still in it."""
        self.size = float(self.left.sum())
        self.suits = {
            place: tuple(float(shoe.count(rank + suit)) for suit in SUITS) for place, rank in SUITED_RANKS.items()
        }
        self.ranked = self._ranked_mean()
        self._twos: dict[tuple[int, int], int] = {}
        self._surrenders: list[float] = []

    def _play_hands(self) -> None:
        """Value every hand of the first two cards on."""
        hands = self.hands
        wanted = np.flatnonzero((hands.cards <= self.left).all(axis=1))
        self.wanted: Array = wanted
        k.dealer_finals(self.left, wanted, hands.cards, hands.size, *self.tree, self.finals)
        k.play_hands(
            self.left, wanted, hands.cards, hands.hard, hands.size, hands.next, self.finals, self.array, WHOLE,
            self.ones_max, k.BEST, 0, 10, self.choice, self.forfeits, self.worth, self.ways, self.room,
        )  # fmt: skip

    # --- where a hand stands ---

    def _two(self, first: int, second: int) -> int:
        """The hand of these two cards, or -1 where the shoe does not have them."""
        known = self._twos.get((first, second))
        if known is None:
            cards = [0] * 10
            cards[first] += 1
            cards[second] += 1
            there = all(count <= left for count, left in zip(cards, self.left, strict=True))
            known = self._twos[first, second] = self.hands.places[tuple(cards)] if there else -1
        return known

    def _ones(self, first: int, second: int) -> int:
        return (first == ACE) + (second == ACE) if self.ones_max else 0

    # --- naturals and surrender ---

    def _natural(self, dealer_natural: float, up: int) -> float:
        """What a natural is worth, paid at once or held against the dealer's second card."""
        if self.rules.natural_waits and up in (ACE, TEN):
            alone = float(self.rules.natural_against_other)
            return (1.0 - dealer_natural) * alone + dealer_natural * self.ranked
        return float(self.rules.natural_odds)

    def _ranked_mean(self) -> float:
        """The mean odds of a natural against a natural, over the ranks of two ten-value cards."""
        rules = self.rules
        counts = {rank: self.shoe.rank(rank) for rank in RANKS if VALUE[rank + "s"] == 10 and self.shoe.rank(rank)}
        tens = sum(counts.values())
        if not rules.natural_order or tens < 2:
            return float(rules.natural_rows[1])
        mean = 0.0
        for mine, number in counts.items():
            for dealers, other in counts.items():
                place = rules.natural_order.index(mine) - rules.natural_order.index(dealers)
                row = rules.natural_rows[0 if place < 0 else 2 if place > 0 else 1]
                mean += number * (other - (mine == dealers)) / (tens * (tens - 1)) * float(row)
        return mean

    def given_up(self, other: Any, natural: Any) -> Any:
        """What surrender loses, from the chances that the dealer has no natural and that he has one."""
        return SURRENDER_LOSES * other + natural

    def _surrender_share(self, up: int) -> float:
        """The share of up cards of this value that open surrender."""
        if not self._surrenders:
            self._surrenders = [self._share_of_ranks(each, self.rules.surrender_ranks) for each in range(10)]
        return self._surrenders[up]

    def _share_of_ranks(self, up: int, ranks: str) -> float:
        """The share of up cards of this value whose rank is among these."""
        mine = [rank for rank in RANKS if VALUE[rank + "s"] == up + 1]
        there = sum(self.shoe.rank(rank) for rank in mine)
        return sum(self.shoe.rank(rank) for rank in mine if rank in ranks) / there if there else 0.0


def rules_array(rules: Rules, natural: float, *, split: bool = False) -> Array:
    """Rules as the kernels read them; `natural` is what a dealer natural takes where it takes one amount."""
    array = np.zeros(k.R_SIZE)
    array[k.R_MUST_DRAW] = rules.must_draw_below
    array[k.R_DOUBLE_HANDS] = {ANY_BELOW_21: 0, TWO_HARD_9_TO_11: 1, TWO_OR_THREE: 2}[rules.double_hands]
    array[k.R_DOUBLE_ACES] = {AS_USUAL: 0, HELD_COUNT_ONE: 1, FIRST_TWO_COUNT_ONE: 2}[rules.double_aces]
    array[k.R_FORFEIT] = rules.forfeit
    array[k.R_TIES_LOSE] = rules.ties_lose
    array[k.R_TRICK] = rules.five_card_trick
    array[k.R_EVEN] = float(rules.even_money)
    array[k.R_DOUBLED] = float(rules.doubled_odds)
    array[k.R_ODDS_4 : k.R_ODDS_7 + 1] = [float(odds) for odds in rules.odds_by_count]
    array[k.R_678] = float(rules.odds_678[0])
    array[k.R_777] = float(rules.odds_777[0])
    array[k.R_NATURAL_1] = natural if rules.one_original else 1.0
    array[k.R_NATURAL_2] = natural if rules.one_original else 2.0
    array[k.R_MAY_DOUBLE] = rules.double_after_split or not split
    array[k.R_ONE_ORIGINAL] = rules.one_original
    return array


def _refuse_small(shoe: Shoe, rules: Rules) -> None:
    """A shoe that could run out within a round has no value: the rules then shuffle what lies on the table aside."""
    needed = cards_needed(shoe, rules)
    if shoe.size < needed:
        raise MathsError(f"impossible shoe: {shoe.size} cards, but a round may need {needed} of these.")


def cards_needed(shoe: Shoe, rules: Rules) -> int:
    """How many of these cards a round may take."""
    sides = max(rules.hands_max, 1) + 1
    room, needed = 21 * sides, sides
    for points, count in enumerate(shoe.values, start=1):
        fits = min(count, room // points)
        needed += fits
        room -= fits * points
    return needed
