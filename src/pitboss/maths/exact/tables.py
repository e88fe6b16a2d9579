"""What the kernels walk over, made once: the dealer's hands as a tree of sorted cards, the player's hands as a list."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

Array = Any
"""A numpy array; kernels are compiled, so their types are numpy's affair."""

BUST, NATURAL, FINALS = 10, 11, 12
"""Places of a final dealer's hand: totals 12 to 21 come first."""
HARD_MAX = 20


class DealerTree(NamedTuple):
    """Every set of cards with which the dealer can end, in the order of a walk through their common beginnings."""

    depth: Array
    """How many cards a node has; its parent is the last node before it with one card less."""
    value: Array
    """Point value (less 1) of the card that a node adds to its parent."""
    already: Array
    """How many cards of that value the parent has."""
    final: Array
    """Where the dealer ends, or -1 for a beginning only."""
    first: Array
    """Orders of node i stand at first[i] to first[i + 1]."""
    up: Array
    orders: Array
    """In how many orders the dealer draws these cards, starting with that first card."""


@functools.cache
def dealer_tree(hard_stand: int, soft_stand: int) -> DealerTree:
    """Drawn backwards from the rule: stand on `hard_stand`, or on `soft_stand` with an ace that counts 11."""
    level: dict[tuple[tuple[int, ...], int], int] = {}
    for up in range(10):
        level[tuple(int(value == up) for value in range(10)), up] = 1
    ends: dict[tuple[int, ...], tuple[int, dict[int, int]]] = {}
    while level:
        deeper: dict[tuple[tuple[int, ...], int], int] = {}
        for (cards, up), orders in level.items():
            for value in range(10):
                more = (*cards[:value], cards[value] + 1, *cards[value + 1 :])
                final = _final(more, hard_stand, soft_stand)
                if final < 0:
                    deeper[more, up] = deeper.get((more, up), 0) + orders
                else:
                    by_up = ends.setdefault(more, (final, {}))[1]
                    by_up[up] = by_up.get(up, 0) + orders
        level = deeper
    beginnings: dict[tuple[int, ...], tuple[int, dict[int, int]]] = {}
    for cards, end in ends.items():
        walk = tuple(value for value in range(10) for _ in range(cards[value]))
        for length in range(1, len(walk)):
            beginnings.setdefault(walk[:length], (-1, {}))
        beginnings[walk] = end
    nodes = sorted(beginnings)
    counts = [len(beginnings[node][1]) for node in nodes]
    return DealerTree(
        depth=np.array([len(node) for node in nodes], np.int64),
        value=np.array([node[-1] for node in nodes], np.int64),
        already=np.array([node[:-1].count(node[-1]) for node in nodes], np.float64),
        final=np.array([beginnings[node][0] for node in nodes], np.int64),
        first=np.array([0, *np.cumsum(counts)], np.int64),
        up=np.array([up for node in nodes for up in beginnings[node][1]], np.int64),
        orders=np.array([number for node in nodes for number in beginnings[node][1].values()], np.float64),
    )


def _final(cards: tuple[int, ...], hard_stand: int, soft_stand: int) -> int:
    hard = sum((value + 1) * count for value, count in enumerate(cards))
    soft = cards[0] > 0 and hard <= 11
    total = hard + 10 * soft
    if total == 21 and sum(cards) == 2:
        return NATURAL
    if total < (soft_stand if soft else hard_stand):
        return -1
    return min(total, 22) - 12


class Hands(NamedTuple):
    """Every set of cards that a player can hold with a hard total of at most 20, the lowest totals first."""

    cards: Array
    """How many of each value: one row a hand."""
    hard: Array
    size: Array
    next: Array
    """The hand with one more card of a value; -1 where its hard total exceeds 20."""
    places: dict[tuple[int, ...], int]
    """Where each hand stands in the list."""


@functools.cache
def player_hands() -> Hands:
    found: list[tuple[int, ...]] = []

    def go(cards: tuple[int, ...], smallest: int, hard: int) -> None:
        for value in range(smallest, 10):
            if hard + value + 1 <= HARD_MAX:
                more = (*cards[:value], cards[value] + 1, *cards[value + 1 :])
                found.append(more)
                go(more, value, hard + value + 1)

    go((0,) * 10, 0, 0)
    found.sort(key=lambda cards: (_hard(cards), cards))
    index = {cards: place for place, cards in enumerate(found)}
    table = np.array(found, np.int64)
    following = np.full((len(found), 10), -1, np.int64)
    for place, cards in enumerate(found):
        for value in range(10):
            more = (*cards[:value], cards[value] + 1, *cards[value + 1 :])
            following[place, value] = index.get(more, -1)
    return Hands(table, table @ np.arange(1, 11), table.sum(axis=1), following, index)


def _hard(cards: tuple[int, ...]) -> int:
    return sum((value + 1) * count for value, count in enumerate(cards))
