"""Cards as small numbers for the kernels: the low five bits say what a hand becomes of it, the next two are its suit.

Only sixes, sevens and eights need their suit within a hand (6-7-8 and 7-7-7 pay by suit), and only tens, jacks,
queens and kings need to be told apart (ranked naturals); so 22 classes of cards are all that a hand can see.
"""

from __future__ import annotations

from pitboss.basics.cards import SUITS, Card

SUITED_RANKS = "678"
PLAIN_RANKS = "A23459TJQK"
CLASSES = len(PLAIN_RANKS) + 4 * len(SUITED_RANKS)
NO_CARD = 31
"""Stands behind the last card that has been drawn."""

CLASS_RANKS: tuple[str, ...] = (*PLAIN_RANKS, *(rank for rank in SUITED_RANKS for _ in SUITS))
"""The rank of each class."""
CLASS_SUITS: tuple[int, ...] = (*(-1 for _ in PLAIN_RANKS), *(suit for _ in SUITED_RANKS for suit in range(4)))
"""The suit of each class, as a place in `SUITS`; -1 where the class holds all four."""
CLASS_VALUES: tuple[int, ...] = tuple(1 if rank == "A" else 10 if rank in "TJQK" else int(rank) for rank in CLASS_RANKS)


def code_of(card: Card) -> int:
    """The number of a card."""
    rank, suit = card[0], SUITS.index(card[1])
    if rank in SUITED_RANKS:
        kind = len(PLAIN_RANKS) + 4 * SUITED_RANKS.index(rank) + suit
    else:
        kind = PLAIN_RANKS.index(rank)
    return kind | suit << 5


def card_of(code: int) -> Card:
    return CLASS_RANKS[code & 31] + SUITS[code >> 5]
