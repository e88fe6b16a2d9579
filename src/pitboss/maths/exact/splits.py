"""What a split is worth when every hand of it is played by one fixed policy that looks at its own cards only.

The policy is the best one for a single split hand, given the cards known when the pair is split. Because a hand's play
does not depend on the other hands, their cards are to it like any unseen cards, and the value of a split follows
exactly from that of one hand with 0, 1, 2, ... further cards of the pair's value out of the shoe (`A` and `B` below).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import comb
from typing import NamedTuple


class Leaf(NamedTuple):
    """One way in which a pair may be split again and again, in the order of play."""

    drawn: int
    """Further cards of the pair's value that were drawn and split."""
    others: int
    """Hands whose second card was another one, while a re-split was still allowed."""
    free: int
    """Hands that got their second card when no more hands could be formed."""


@cache
def leaves(hands_max: int) -> tuple[Leaf, ...]:
    """Every course of a split that is split again whenever it can be."""

    def go(waiting: int, hands: int, leaf: Leaf) -> Iterator[Leaf]:
        if hands == hands_max or not waiting:
            yield leaf._replace(free=waiting)
            return
        yield from go(waiting + 1, hands + 1, leaf._replace(drawn=leaf.drawn + 1))
        yield from go(waiting - 1, hands, leaf._replace(others=leaf.others + 1))

    return tuple(go(2, 2, Leaf(0, 0, 0)))


@cache
def extras_needed(hands_max: int) -> int:
    """How many further cards of the pair's value may have to be taken out."""
    return max(leaf.drawn + leaf.others for leaf in leaves(hands_max))


def alternating(weights: Callable[[int], float], drawn: int, others: int) -> float:
    """The mean of something when `drawn` given cards are of the pair's value and `others` given cards are not.

    `weights(n)` is the same with n given cards of the pair's value and nothing said about the rest.
    """
    return sum((-1.0 if more % 2 else 1.0) * comb(others, more) * weights(drawn + more) for more in range(others + 1))


class OneHand(NamedTuple):
    """A single split hand, for 0, 1, 2, ... further cards of the pair's value out of the shoe."""

    any_card: Sequence[float]
    """A: its value."""
    other_card: Sequence[float]
    """B: its value where its second card is of another value, and nothing otherwise."""
    again: Sequence[float]
    """The chance that its second card is of the pair's value."""


def chance_drawn(again: Sequence[float], number: int) -> float:
    """The chance that so many given cards are all of the pair's value."""
    product = 1.0
    for each in again[:number]:
        product *= each
    return product


@cache
def coefficients(hands_max: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """How often A and B count for 0, 1, 2, ... further cards drawn of the pair's value, all courses summed up."""
    number = extras_needed(hands_max) + 1
    of_any, of_other = [0.0] * number, [0.0] * number
    for leaf in leaves(hands_max):
        for more in range(leaf.others + 1):
            of_any[leaf.drawn + more] += leaf.free * (-1.0) ** more * comb(leaf.others, more)
        for more in range(leaf.others):
            of_other[leaf.drawn + more] += leaf.others * (-1.0) ** more * comb(leaf.others - 1, more)
    return tuple(of_any), tuple(of_other)


def sum_of_hands(hand: OneHand, hands_max: int) -> float:
    """The mean of what all hands together bring, each counted for itself."""
    total, drawn = 0.0, 1.0
    for place, (of_any, of_other) in enumerate(zip(*coefficients(hands_max), strict=True)):
        total += drawn * (of_any * hand.any_card[place] + of_other * hand.other_card[place])
        drawn *= hand.again[place]
    return total


def chance_that_one_is_live(again: Sequence[float], natural: Sequence[float], live: OneHand, hands_max: int) -> float:
    """The chance that the dealer has a natural and at least one hand is left to take the one amount from.

    `live` holds the chances that a hand is live and the dealer has a natural. Given the natural, hands are taken as
    independent of one another: their cards come from one shoe, so this is near the truth and not the truth itself.
    """

    def weight(number: int) -> float:
        return chance_drawn(again, number) * natural[number]

    total = 0.0
    for leaf in leaves(hands_max):
        chance = alternating(weight, leaf.drawn, leaf.others)
        here, after = natural[leaf.drawn], natural[min(leaf.drawn + 1, len(natural) - 1)]
        other = here - again[leaf.drawn] * after
        dead_free = 1.0 - live.any_card[leaf.drawn] / here if here > 0.0 else 1.0
        dead_other = 1.0 - live.other_card[leaf.drawn] / other if other > 0.0 else 1.0
        total += chance * (1.0 - dead_free**leaf.free * dead_other**leaf.others)
    return total


def hands_formed(again: Sequence[float], hands_max: int) -> tuple[float, float]:
    """The mean number of hands, and of ordered pairs of hands."""
    mean, pairs = 0.0, 0.0
    for leaf in leaves(hands_max):
        chance = alternating(lambda number: chance_drawn(again, number), leaf.drawn, leaf.others)
        hands = leaf.free + leaf.others
        mean += chance * hands
        pairs += chance * hands * (hands - 1)
    return mean, pairs
