"""Best play of every hand that a player can hold, splits aside, with one shoe under one set of rules.

A hand is valued for all up cards at once, by the cards held. What the kernels find here the next chapters read: split
hands (`policy`), the first two cards (`openings`), and the answer (`solve`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from pitboss.maths.shoes import INFINITE, MathsError, Shoe

SURRENDER_LOSES = 0.5
HAND_MAX = 20
"""A hand of more has ended."""
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
        self.endless = shoe.size >= INFINITE
        tens = {rank: shoe.rank(rank) for rank in RANKS if VALUE[rank + "s"] == 10 and shoe.rank(rank)}
        self.tens = {rank: number / sum(tens.values()) for rank, number in tens.items()}
        """Shares of the ten-value ranks."""
        self.ranked_rows = self._ranked_rows()
        self.ranked = sum(
            share * float(row) for share, row in zip(self.ranked_rows, self.rules.natural_rows, strict=True)
        )
        """The mean odds of a natural against a natural."""
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

    def _ranked_rows(self) -> tuple[float, float, float]:
        """How often a natural is higher than the dealer's, the same, and lower."""
        rules = self.rules
        counts = {rank: self.shoe.rank(rank) for rank in self.tens}
        tens = sum(counts.values())
        if not rules.natural_order or tens < 2:
            return 0.0, 1.0, 0.0
        shares = [0.0, 0.0, 0.0]
        for mine, number in counts.items():
            for dealers, other in counts.items():
                place = rules.natural_order.index(mine) - rules.natural_order.index(dealers)
                row = 0 if place < 0 else 2 if place > 0 else 1
                shares[row] += number * (other - (mine == dealers)) / (tens * (tens - 1))
        return shares[0], shares[1], shares[2]

    def given_up(self, other: Any, natural: Any) -> Any:
        """What surrender loses, from the chances that the dealer has no natural and has one."""
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
    if shoe.size < needed and _Running(rules).out(shoe.values):
        raise MathsError(f"impossible shoe: {shoe.size} cards, but a round may need {needed} of these.")


def cards_needed(shoe: Shoe, rules: Rules) -> int:
    """At least as many of these cards as a round can take: a hand draws up to 20 and one more, so does the dealer below
    the stand; hands of a split begin with cards of one value, of which the shoe must have enough."""
    counts = shoe.values
    needed = _fits(counts, HAND_MAX + (rules.hard_stand - 1)) + 2
    for value, count in enumerate(counts, start=1):
        for hands in range(2, min(rules.hands_max, int(count)) + 1):
            rest = list(counts)
            rest[value - 1] -= hands
            frozen = value == 1 and rules.aces_one_card
            room = (rules.hard_stand - 1) + (0 if frozen else hands * (HAND_MAX - value))
            needed = max(needed, 2 * hands + _fits(rest, room) + 1)
    return needed


def _fits(counts: Sequence[int], room: int) -> int:
    """The most cards whose points add up to no more than this."""
    fits = 0
    for points, count in enumerate(counts, start=1):
        some = min(count, room // points)
        fits += some
        room -= some * points
    return fits


class _Running:
    """Whether a round can ask for a card that is not there: every order of the cards, every choice, and no value."""

    MOST = 200_000
    """Of a shoe with more ways than this it is not found out, and it is taken that it can."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._known: set[tuple[int, ...]] = set()

    def out(self, counts: Sequence[int]) -> bool:
        left = tuple(counts)
        return any(self._deal(rest, up, ()) for up, rest in self._draws(left))

    @staticmethod
    def _draws(left: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
        for place, count in enumerate(left):
            if count:
                yield place + 1, (*left[:place], count - 1, *left[place + 1 :])

    def _deal(self, left: tuple[int, ...], up: int, cards: tuple[int, ...]) -> bool:
        if len(cards) < 2:
            return not sum(left) or any(self._deal(rest, up, (*cards, card)) for card, rest in self._draws(left))
        hard, aces = sum(cards), 1 in cards
        if hard == 11 and aces:
            return self._waits(up) and self._dealer(left, up, up == 1)
        pair = cards[0] if cards[0] == cards[1] else 0
        return self._hand(left, up, hard, aces, 2, pair, 0, 1, False)

    def _waits(self, up: int) -> bool:
        """Whether a natural waits for the dealer."""
        return self.rules.natural_waits and up in (1, 10)

    def _hand(
        self, left: tuple[int, ...], up: int, hard: int, ace: bool, number: int, pair: int, waiting: int, formed: int,
        live: bool,
    ) -> bool:  # fmt: skip
        """A hand that may stand, draw or be split; `waiting` hands of one card, of the pair's value, come after it.

        The dealer draws only where a hand is `live`.
        """
        rules = self.rules
        key = (*left, up, hard, ace, number, pair, waiting, formed, live)
        if key in self._known:
            return False
        if len(self._known) >= self.MOST:
            return True
        self._known.add(key)
        total = hard + 10 if ace and hard <= 11 else hard
        ended = total >= 21 or (rules.five_card_trick and number == 5)
        frozen = formed > 1 and pair == 1 and rules.aces_one_card and number >= 2
        again = number == 2 and pair > 0 and hard == 2 * pair and formed < rules.hands_max
        again = again and (formed == 1 or pair != 1 or rules.aces_resplit)
        if again and self._hand(left, up, pair, pair == 1, 1, pair, waiting + 1, formed + 1, live):
            return True
        if number >= 2:
            natural = total == 21 and number == 2 and rules.split_natural and self._waits(up)
            then = live or natural or not ended
            if waiting:
                if self._hand(left, up, pair, pair == 1, 1, pair, waiting - 1, formed, then):
                    return True
            elif then and self._dealer(left, up, up == 1):
                return True
        if ended or frozen:
            return False
        if not sum(left):
            return True
        return any(
            self._hand(rest, up, hard + card, ace or card == 1, number + 1, pair, waiting, formed, live)
            for card, rest in self._draws(left)
        )

    def _dealer(self, left: tuple[int, ...], hard: int, ace: bool) -> bool:
        rules = self.rules
        soft = ace and hard <= 11
        if hard + 10 * soft >= (rules.soft_stand if soft else rules.hard_stand):
            return False
        if not sum(left):
            return True
        return any(self._dealer(rest, hard + card, ace or card == 1) for card, rest in self._draws(left))
