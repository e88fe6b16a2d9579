"""What a learner may do and what it sees: numbered acts, and a row of whole numbers for the hand that is to act.

All environments use the same numbers, so that what learned on one plays on another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pitboss.basics.cards import RANKS, SUITS, VALUE, Card

Array = np.ndarray[Any, np.dtype[Any]]

STAND, HIT, DOUBLE, SPLIT, SURRENDER, INSURE, FORFEIT, KEEP, PASS, FIRST_WAGER = range(10)
ACTS = ("stand", "hit", "double", "split", "surrender", "insure", "forfeit", "keep", "pass")
"""`pass` takes no insurance, does not surrender, or goes on where there was nothing to decide. Wagers follow."""

WAGERING, INSURING, SURRENDERING, PLAYING, FORFEITING, DECIDED, OVER = range(7)
STAGES = ("wagers", "insurance", "surrender", "play", "forfeit", "decided", "over")
"""`decided`: the hand was decided by its first cards. `over`: the round is over, and nothing is asked any more."""

FIELDS = (
    "stage", "total", "soft", "cards", *(f"cards of {value}" for value in range(1, 11)), "bonus", "first aces",
    "dealer's value", "dealer's rank", "split", "hands", "hands to come", "wager", *(f"seen {rank}" for rank in RANKS),
)  # fmt: skip
"""What each place of an observation says.

`total` counts an ace as 11 where it can be; after a double it is what the doubled hand has. `bonus`: 1 to 3 two cards
towards 6-7-8 (mixed, suited, spades), 4 to 6 the same towards 7-7-7. `first aces`: among the first two cards. Ranks
are numbered from the ace, 1, to the king, 13. `wager`: which of the amounts. `seen`: cards of the shoe since the last
shuffle.
"""
(
    F_STAGE, F_TOTAL, F_SOFT, F_CARDS, F_VALUES, F_BONUS, F_ACES, F_DEALER, F_RANK, F_SPLIT, F_HANDS, F_COMING, F_WAGER,
    F_SEEN,
) = (0, 1, 2, 3, 4, 14, 15, 16, 17, 18, 19, 20, 21, 22)  # fmt: skip
LENGTH = len(FIELDS)
MOST = 500
"""No place of an observation holds more."""

assert F_SEEN + len(RANKS) == LENGTH


def acts_of(amounts: Sequence[int]) -> tuple[str, ...]:
    """The names of all acts: wagers are acts only where there is a choice."""
    sizes = tuple(f"wager {cents / 100:g}" for cents in amounts)
    return (*ACTS, *(sizes if len(sizes) > 1 else ()))


def bonus_of(cards: Sequence[Card]) -> int:
    """Which bonus a third card could make of two."""
    if len(cards) != 2:
        return 0
    ranks = {card[0] for card in cards}
    kind = 4 if ranks == {"7"} else 1 if len(ranks) == 2 and ranks <= set("678") else 0
    if not kind or cards[0][1] != cards[1][1]:
        return kind
    return kind + (2 if cards[0][1] == SUITS[0] else 1)


def hand_fields(row: Array, cards: Sequence[Card], total: int, soft: bool) -> None:
    """Write what is known of a hand into an observation."""
    row[F_TOTAL], row[F_SOFT], row[F_CARDS] = total, soft, len(cards)
    for card in cards:
        row[F_VALUES + VALUE[card] - 1] += 1
    row[F_BONUS] = bonus_of(cards)
    row[F_ACES] = sum(card[0] == "A" for card in cards[:2])


def spaces_of(amounts: Sequence[int]) -> tuple[Any, Any]:
    """The spaces of observations and of acts."""
    from gymnasium import spaces

    number = len(acts_of(amounts))
    seen = spaces.Dict(
        {
            "observation": spaces.Box(0, MOST, (LENGTH,), np.int16),
            "action_mask": spaces.Box(0, 1, (number,), np.int8),
        }
    )
    return seen, spaces.Discrete(number)
