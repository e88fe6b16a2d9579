"""The cards that are left, as counts: a fresh shoe of so many decks, or exactly these cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from pitboss.basics.cards import SUITS, VALUE, Card, deck, parse_card
from pitboss.rulebooks.terms import Rulebook

DECKS_MAX = 100
INFINITE = 10**12
"""Decks that stand for infinitely many: taking a card away changes a chance by less than one in 10^12."""


class MathsError(ValueError):
    """A question that has no answer: an unknown name, a shoe that cannot be, an impossible number."""


class Shoe:
    """How many of each card are left; two shoes with the same cards are the same."""

    __slots__ = ("counts", "description")

    def __init__(self, counts: Mapping[Card, int], description: str = "") -> None:
        self.counts: dict[Card, int] = {card: counts[card] for card in sorted(counts) if counts[card]}
        self.description = description or f"{sum(self.counts.values())} cards"

    @classmethod
    def of_decks(cls, rulebook: Rulebook, decks: int | None = None) -> Shoe:
        """A fresh shoe; without a number, as many decks as a table opens with."""
        decks = rulebook.cards.decks_default.value if decks is None else decks
        if decks != INFINITE and not 1 <= decks <= DECKS_MAX:
            raise MathsError(f"{decks} decks: give a number from 1 to {DECKS_MAX}.")
        text = "infinitely many decks" if decks == INFINITE else f"{decks} deck{'' if decks == 1 else 's'}"
        return cls(dict.fromkeys(deck(rulebook.cards.ranks.value), decks), text)

    @classmethod
    def of_cards(cls, rulebook: Rulebook, cards: str | Iterable[Card], decks: int | None = None) -> Shoe:
        """These cards and no others; text may count them, as in ``7sx8``. They must fit into that many decks."""
        words = cards.split() if isinstance(cards, str) else list(cards)
        counts: Counter[Card] = Counter()
        for word in words:
            match = re.fullmatch(r"(..)x(\d{1,4})", word)
            card = parse_card(match[1] if match else word)
            if card not in VALUE or card[0] not in rulebook.cards.ranks.value:
                raise MathsError(f"impossible shoe: {rulebook.name} is played without {card}.")
            counts[card] += int(match[2]) if match else 1
        most = decks if decks is not None else max(*rulebook.cards.decks.value, rulebook.cards.decks_default.value)
        for card, count in counts.items():
            if count > most:
                raise MathsError(f"impossible shoe: {count} of {card}, but {most} decks have {most}.")
        if sum(counts.values()) < FEWEST:
            raise MathsError(f"impossible shoe: {sum(counts.values())} cards; a round needs at least {FEWEST}.")
        return cls(counts)

    @property
    def size(self) -> int:
        return sum(self.counts.values())

    @property
    def deck_size(self) -> int:
        """How many kinds of card there are: of a fresh shoe, the cards of one deck."""
        return len(self.counts)

    def count(self, card: Card) -> int:
        return self.counts.get(card, 0)

    def rank(self, rank: str) -> int:
        """How many cards of this rank, all suits together."""
        return sum(self.count(rank + suit) for suit in SUITS)

    @property
    def values(self) -> tuple[int, ...]:
        """How many cards of each point value: ten numbers, the aces first."""
        found = [0] * 10
        for card, count in self.counts.items():
            found[VALUE[card] - 1] += count
        return tuple(found)

    def without(self, *cards: Card) -> Shoe:
        left = Counter(self.counts)
        for card in cards:
            if not left[card]:
                raise MathsError(f"impossible shoe: there is no {card} left to take out.")
            left[card] -= 1
        return Shoe(left)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shoe) and other.counts == self.counts

    def __hash__(self) -> int:
        return hash(tuple(self.counts.items()))

    def __repr__(self) -> str:
        return f"Shoe({self.description})"


FEWEST = 4
"""Cards without which not even two cards a side can be dealt."""
