"""Every hand that can be held below 21, numbered, and what each becomes with one more card.

A hand is its cards by value; besides, what the rules may ask for: how many aces were among the first two cards (ACT
2.5(a)), and, where a third card could make 6-7-8 or 7-7-7, whether the two are of one suit and which. Two hands that
no term can tell apart have the same number. The first numbers are ends: bust, the rows of the pay table, and
naturals.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from pitboss.maths.simulate.cards import CLASS_RANKS, CLASS_SUITS, CLASS_VALUES, CLASSES, NO_CARD
from pitboss.rulebooks.meanings import handles

ROWS = (
    "other", "5-card-21", "6-card-21", "7-plus-card-21", "678-mixed", "678-suited", "678-spades", "777-mixed",
    "777-suited", "777-spades",
)  # fmt: skip
"""How a 21 is paid, in the words of the pay tables."""

BUST, TRICK, FIRST_ROW = 0, 1, 2
FIRST_NATURAL = FIRST_ROW + len(ROWS)
NATURAL_RANKS = "TJQK"
ENDS = FIRST_NATURAL + len(NATURAL_RANKS)
"""Numbers below this one are ends, the others are hands on which something can still be done."""
SUITED_SEVENS = (FIRST_ROW + ROWS.index("777-suited"), FIRST_ROW + ROWS.index("777-spades"))

COLUMNS = 32
MIXED = 4
NO_SUIT = -1

Array = np.ndarray[Any, np.dtype[Any]]


class Hand(NamedTuple):
    """What is known of a hand below 21."""

    counts: tuple[int, ...]
    """Cards of each value, aces first."""
    first_aces: int
    """Aces among the first two cards."""
    suit: int
    """The suit that a 6-7-8 or 7-7-7 could still have, `MIXED`, or `NO_SUIT` where there is none to be had."""
    ten: str
    """The rank of a single ten-value card."""
    split: bool
    """A single card that came from a split: with its next card it may be no natural."""

    @property
    def cards(self) -> int:
        return sum(self.counts)

    @property
    def hard(self) -> int:
        return sum(value * count for value, count in enumerate(self.counts, start=1))

    @property
    def soft(self) -> bool:
        return self.counts[0] > 0 and self.hard <= 11

    @property
    def total(self) -> int:
        return self.hard + 10 * self.soft

    @property
    def is_pair(self) -> bool:
        return self.cards == 2 and max(self.counts) == 2

    @property
    def bonus(self) -> str:
        """Which bonus a third card could make: 678, 777 or nothing."""
        if self.cards != 2:
            return ""
        if self.counts[6] == 2:
            return "777"
        return "678" if sum(self.counts[5:8]) == 2 and max(self.counts) == 1 else ""


class Hands(NamedTuple):
    """The numbered hands of one rulebook."""

    hands: tuple[Hand | None, ...]
    """By number; None for the ends."""
    next: Array
    """[hand, class of card]: the hand after one more card."""
    start: Array
    """[from a split, class of card]: the hand of one card."""
    doubled: Array
    """[aces regime, hand, class of card]: the total of a doubled hand after its card; 22 is over 21."""

    def number(self, hand: Hand) -> int:
        return self.hands.index(hand)


ACE_REGIMES = ("as-usual", "held-count-one", "first-two-count-one")
handles("doubling.aces", ACE_REGIMES)
OVER = 22


@lru_cache(maxsize=4)
def hands_for(split_natural: bool, five_card_trick: bool) -> Hands:
    """All hands under a rulebook: whether a split hand can be a natural, and whether five cards win at once."""
    hands: list[Hand | None] = [None] * ENDS
    numbers: dict[Hand, int] = {}
    rows: list[list[int]] = [[BUST] * COLUMNS for _ in range(ENDS)]

    def number(hand: Hand) -> int:
        if hand not in numbers:
            numbers[hand] = len(hands)
            hands.append(hand)
            rows.append([])
        return numbers[hand]

    start = np.zeros((2, COLUMNS), np.int16)
    for split in (False, True):
        for card in range(CLASSES):
            start[int(split), card] = number(_single(card, split))
    done = ENDS
    while done < len(hands):
        hand = hands[done]
        assert hand is not None
        row = [_after(hand, card, split_natural, five_card_trick, number) for card in range(CLASSES)]
        rows[done] = row + [BUST] * (COLUMNS - CLASSES)
        done += 1
    doubled = np.stack([_doubled_totals(hands, regime) for regime in ACE_REGIMES])
    table = np.array(rows, np.int16)
    table[:, NO_CARD] = -1
    return Hands(tuple(hands), table, start, doubled)


def _single(card: int, split: bool) -> Hand:
    counts = tuple(int(value == CLASS_VALUES[card]) for value in range(1, 11))
    rank = CLASS_RANKS[card]
    return Hand(counts, counts[0], CLASS_SUITS[card], rank if rank in NATURAL_RANKS else "", split)


def _after(hand: Hand, card: int, split_natural: bool, five_card_trick: bool, number: Any) -> int:
    value = CLASS_VALUES[card]
    counts = tuple(count + (each == value) for each, count in enumerate(hand.counts, start=1))
    suit = NO_SUIT
    if hand.suit != NO_SUIT and CLASS_SUITS[card] != NO_SUIT:
        suit = hand.suit if hand.suit == CLASS_SUITS[card] else MIXED
    first_aces = counts[0] if hand.cards == 1 else hand.first_aces
    after = Hand(counts, first_aces, suit, "", False)
    if after.hard > 21:
        return BUST
    if after.total == 21:
        if after.cards == 2 and (split_natural or not hand.split):
            return FIRST_NATURAL + NATURAL_RANKS.index(hand.ten or CLASS_RANKS[card])
        return FIRST_ROW + ROWS.index(_row(after))
    if five_card_trick and after.cards == 5:
        return TRICK
    if not after.bonus:
        after = after._replace(suit=NO_SUIT)
    result: int = number(after)
    return result


def _row(hand: Hand) -> str:
    """The pay table's row for a 21. The rows never overlap: 6-7-8 and 7-7-7 are exactly three cards."""
    if hand.cards == 3 and hand.suit != NO_SUIT and (hand.counts[6] == 3 or hand.counts[5:8] == (1, 1, 1)):
        ranks = "777" if hand.counts[6] == 3 else "678"
        return f"{ranks}-{'mixed' if hand.suit == MIXED else 'spades' if hand.suit == 0 else 'suited'}"
    if hand.cards < 5:
        return "other"
    return "7-plus-card-21" if hand.cards > 6 else f"{hand.cards}-card-21"


def _doubled_totals(hands: list[Hand | None], regime: str) -> Array:
    """NSW 12.1.4: aces held count 1; ACT 2.5(a): those among the first two; an ace that arrives counts as usual."""
    held = [(hand.hard, hand.counts[0], hand.first_aces) if hand else (OVER, 0, 0) for hand in hands]
    hard, aces, first_aces = (column[:, None] for column in np.array(held).T)
    values = np.array([*CLASS_VALUES, *(10 for _ in range(COLUMNS - CLASSES))])[None, :]
    at_one = 0 if regime == "as-usual" else first_aces if regime == "first-two-count-one" else aces
    total = hard + values
    free_ace = (aces - at_one > 0) | (values == 1)
    totals: Array = np.minimum(np.where(free_ace & (total <= 11), total + 10, total), OVER).astype(np.int8)
    return totals
