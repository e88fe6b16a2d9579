"""Cards as people write them: rank then suit, ``6s`` is the six of spades.

A card is a plain two-letter string, so that records, events and JSON show the same thing and the engine stays fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

Card: TypeAlias = str

RANKS = "A23456789TJQK"
SUITS = "shdc"
JOKER: Card = "Jo"
"""A promotional joker (Adelaide 6): it has no value, and the next card takes its place."""

SUIT_SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
RED = frozenset("hd")

VALUE: dict[Card, int] = {
    rank + suit: (1 if rank == "A" else 10 if rank in "TJQK" else int(rank)) for rank in RANKS for suit in SUITS
}
"""Point value of a card, an ace as 1; `point_total` decides when it counts 11."""

ALONE: dict[Card, tuple[int, bool]] = {
    card: (11, True) if value == 1 else (value, False) for card, value in VALUE.items()
}
"""What a hand of one card counts, and whether that is soft."""

ALL_CARDS: tuple[Card, ...] = tuple(VALUE)


class CardError(ValueError):
    """Text that is not a card; the message says what was read and what a card looks like."""


def parse_card(text: str) -> Card:
    """One card from text; raises `CardError` with what would have been right."""
    if text in VALUE or text == JOKER:
        return text
    raise CardError(
        f"{text!r} is not a card: write the rank (A 2 3 4 5 6 7 8 9 T J Q K), then the suit (s h d c), as in 6s or Kd"
    )


def parse_cards(text: str) -> tuple[Card, ...]:
    """Cards separated by white space."""
    return tuple(parse_card(word) for word in text.split())


def format_cards(cards: Iterable[Card]) -> str:
    return " ".join(cards)


def deck(ranks: str) -> tuple[Card, ...]:
    """One deck with these ranks, in suit order."""
    return tuple(rank + suit for suit in SUITS for rank in ranks)


def is_red(card: Card) -> bool:
    return card[1] in RED


def point_total(cards: Sequence[Card], aces_held_at_one: int = 0) -> tuple[int, bool]:
    """The point total and whether it is soft (an ace counted 11).

    `aces_held_at_one` aces must count 1 (NSW 12.1.4, ACT 2.5(a)); of the others at most one counts 11, when that does
    not exceed 21.
    """
    total = 0
    free_aces = -aces_held_at_one
    for card in cards:
        value = VALUE[card]
        total += value
        if value == 1:
            free_aces += 1
    if free_aces > 0 and total <= 11:
        return total + 10, True
    return total, False


def with_card(total: int, soft: bool, card: Card) -> tuple[int, bool]:
    """The point total of a hand with one more card, and whether it is soft, from what the hand counted before.

    As `point_total` where no ace is held at 1: an ace that has come to count 1 never counts 11 again.
    """
    value = VALUE[card]
    total += value
    if soft:
        return (total, True) if total <= 21 else (total - 10, False)
    return (total + 10, True) if value == 1 and total <= 11 else (total, False)


def is_natural(cards: Sequence[Card]) -> bool:
    """An ace and a ten-value card: pontoon, or blackjack. Whether it counts is the caller's affair."""
    if len(cards) != 2:
        return False
    first, second = VALUE[cards[0]], VALUE[cards[1]]
    return first + second == 11 and (first == 1 or second == 1)
