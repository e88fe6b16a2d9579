"""Splits with infinitely many decks: no approximation, up to any number of hands.

A card that is gone changes no chance, so hands of a split touch in three ways only: how many may still be formed, a
declined re-split that ends splitting (where the rules say so), and the one amount that a dealer natural takes from all
of them. What is still to come hangs on those three and on the suits of the cards that wait; each such state is solved
once, from the last hand back to the first. The first hand that waits for the dealer pays the natural's one amount: to a
hand that decides, it costs that much less what the hands to come are worth more because it is paid.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pitboss.maths.exact import kernels as k
from pitboss.maths.exact.play import WHOLE, BestPlay
from pitboss.maths.exact.results import LIVE, Grid, suited
from pitboss.maths.exact.tables import FINALS, NATURAL, Array
from pitboss.maths.exact.words import ACE, SUITED_RANKS, TEN, THIRD

OTHER, SPADE = 0, 1
"""The suit of a split card, as far as it can matter to its hand."""
SUIT = 0.25


class Coming(NamedTuple):
    """What is still to come of a split."""

    cards: tuple[int, ...]
    """The suit of each card that waits for its second one, in the order of play."""
    formed: int
    live: bool
    """A finished hand waits for the dealer, and a dealer natural takes one amount from all."""
    ended: bool


class Second(NamedTuple):
    """A second card of a split hand."""

    value: int
    chance: float
    gain: float
    """What suits add to hitting."""
    kind: int
    """1 where both cards are of one suit towards 6-7-8 or 7-7-7, 2 where they are spades."""
    suit: int
    """As it would wait if the hand is split again."""
    again: bool
    """Whether the hand may be split again."""
    ended: bool
    """Whether splitting is over once it is not."""


class Spread(NamedTuple):
    """What is still to come, chance by chance."""

    results: Array
    """[end of the dealer, amount on the grid]."""
    hands: float
    wagered: float


class EndlessSplit:
    """One pair, against all up cards at once."""

    def __init__(self, play: BestPlay, split_array: Array, split_21: Array, pair: int) -> None:
        self.play, self.rules, self.hands, self.pair = play, play.rules, play.hands, pair
        self.array, self.split_21 = split_array, split_21
        self.shares: Array = play.left / play.size
        self.frozen = pair == ACE and self.rules.aces_one_card
        hands = self.hands
        self.wanted = np.flatnonzero((hands.cards[:, pair] > 0) & (hands.cards <= play.left).all(axis=1))
        self.start = hands.places[tuple(int(place == pair) for place in range(10))]
        self.natural: Array = play.finals[hands.next[self.start, 1], :, NATURAL].copy()
        self.limit = self.rules.hands_max if pair != ACE or self.rules.aces_resplit else 2
        self._worth: dict[Coming, Array] = {}
        self._decided: dict[Coming, list[tuple[Second, Array, Array]]] = {}
        """With each second card: whether to split again, and the act otherwise, for each up card."""
        self._played: dict[bytes, tuple[Array, Array, Array]] = {}
        self._spread: dict[tuple[Coming, int], Spread] = {}

    def first(self, first: int, second: int) -> Coming:
        """The pair has just been split."""
        return Coming((first, second), 2, False, False)

    # --- best play ---

    def seconds(self, coming: Coming) -> Iterator[Second]:
        """Every second card of the hand whose turn it is, suits told apart where they matter."""
        rules, pair = self.rules, self.pair
        for value in range(10):
            chance = float(self.shares[value])
            if chance <= 0.0:
                continue
            again = value == pair and coming.formed < self.limit and not coming.ended
            ended = coming.ended or (again and rules.declined_ends)
            third = THIRD.get((min(pair, value), max(pair, value)))
            if third is None and not (again and pair in SUITED_RANKS):
                yield Second(value, chance, 0.0, 0, OTHER, again, ended)
                continue
            spade = coming.cards[0] == SPADE
            odds = self.play.suit_odds[pair == value]
            kind = 0 if third is None else 2 if spade else 1
            gain = float(self.shares[third]) * SUIT * odds[kind] if third is not None else 0.0
            yield Second(value, chance * SUIT, gain, kind, SPADE if spade else OTHER, again, ended)
            if not spade:
                yield Second(value, chance * SUIT, 0.0, 0, SPADE, again, ended)
            yield Second(value, chance * SUIT * (3.0 if spade else 2.0), 0.0, 0, OTHER, again, ended)

    def worth(self, coming: Coming) -> Array:
        """What best play still brings, against each up card."""
        known = self._worth.get(coming)
        if known is not None:
            return known
        found, decided = np.zeros(10), []
        if coming.cards:
            for second in self.seconds(coming):
                worth, again, acts = self._options(coming, second)
                found += second.chance * worth
                decided.append((second, again, acts))
        self._worth[coming], self._decided[coming] = found, decided
        return found

    def _options(self, coming: Coming, second: Second) -> tuple[Array, Array, Array]:
        """With a second card: best play, whether to split again, and which act it is otherwise, for each up card."""
        rest = coming._replace(cards=coming.cards[1:], ended=second.ended)
        none = np.zeros(10, np.int64)
        if {self.pair, second.value} == {ACE, TEN}:
            return self.split_21 + self.worth(rest), none > 0, none
        cost, ended = self._cost(rest)
        hand = int(self.hands.next[self.start, second.value])
        if self.frozen:
            total = int(self.hands.hard[hand]) + 10
            alive = np.array([k.stand_value(self.play.finals[hand, up], total, self.array) for up in range(10)])
            if self.rules.one_original:
                alive += (1.0 - cost) * self.natural
            acts, mine = none, ended + alive
        else:
            ways = self.played(cost)[0][hand, self._ones(second.value)].copy()
            ways[:, k.HIT] += second.gain
            acts, mine = ways.argmax(axis=1), ended + ways.max(axis=1)
        if not second.again:
            return mine, none > 0, acts
        split = self.worth(
            Coming((coming.cards[0], second.suit, *coming.cards[1:]), coming.formed + 1, coming.live, coming.ended)
        )
        return np.maximum(mine, split), split > mine, acts

    def _cost(self, rest: Coming) -> tuple[Array, Array]:
        """What a dealer natural costs a hand that waits, and what comes after one that does not wait."""
        ended = self.worth(rest)
        if not self.rules.one_original:
            return WHOLE, ended
        if rest.live:
            return np.zeros(10), ended
        more = self.worth(rest._replace(live=True)) - ended
        return 1.0 - np.divide(more, self.natural, out=np.zeros(10), where=self.natural > 0.0), ended

    def played(self, cost: Array) -> tuple[Array, Array, Array]:
        """Best play of one hand where a dealer natural costs so much: the ways of two cards, choices and forfeits."""
        known = self._played.get(cost.tobytes())
        if known is None:
            play, hands = self.play, self.hands
            choice, forfeits = np.zeros_like(play.choice), np.zeros_like(play.forfeits)
            worth, ways = np.zeros_like(play.worth), np.zeros_like(play.ways)
            k.play_hands(
                play.left, self.wanted, hands.cards, hands.hard, hands.size, hands.next, play.finals, self.array, cost,
                play.ones_max, k.BEST, 0, 10, choice, forfeits, worth, ways, play.room,
            )  # fmt: skip
            known = self._played[cost.tobytes()] = (ways, choice, forfeits)
        return known

    def _ones(self, second: int) -> int:
        return self.play._ones(self.pair, second)

    # --- chance by chance ---

    def spread(self, coming: Coming, up: int, grid: Grid) -> Spread:
        """How often each result still comes under best play, against one up card."""
        known = self._spread.get((coming, up))
        if known is not None:
            return known
        if not coming.cards:
            known = Spread(grid.nothing(), 0.0, 0.0)
        else:
            known = self._spread_hand(coming, up, grid)
        self._spread[coming, up] = known
        return known

    def _spread_hand(self, coming: Coming, up: int, grid: Grid) -> Spread:
        results = np.zeros((grid.lanes, grid.size))
        hands = wagered = 0.0
        groups: dict[bool, list[tuple[Second, int]]] = {}
        self.worth(coming)
        for second, again, acts in self._decided[coming]:
            if second.again and again[up]:
                more = Coming(
                    (coming.cards[0], second.suit, *coming.cards[1:]), coming.formed + 1, coming.live, coming.ended
                )
                then = self.spread(more, up, grid)
                results += second.chance * then.results
                hands += second.chance * then.hands
                wagered += second.chance * then.wagered
            else:
                groups.setdefault(second.ended, []).append((second, int(acts[up])))
        for ended, some in groups.items():
            rest = coming._replace(cards=coming.cards[1:], ended=ended)
            cells, doubled = self._cells(some, self._cost(rest)[0], up)
            given = self.play.finals[self.hands.next[self.start, 1], up]
            gone, waits = grid.paid(cells, given, live=coming.live)
            chance = sum(second.chance for second, _ in some)
            after = self.spread(rest, up, grid)
            grid.add(results, gone, after.results)
            # The chance of a hand that waits is what the others leave.
            waiting = sum(float(cells[:, outcome].sum()) for outcome in LIVE)
            then = self.spread(rest._replace(live=rest.live or self.rules.one_original), up, grid)
            grid.add(results, waits, then.results)
            hands += chance + (chance - waiting) * after.hands + waiting * then.hands
            wagered += chance + doubled + (chance - waiting) * after.wagered + waiting * then.wagered
        return Spread(results, hands, wagered)

    def _cells(self, some: list[tuple[Second, int]], cost: Array, up: int) -> tuple[Array, float]:
        """How often each outcome of one hand comes with each end of the dealer, and how often it is doubled."""
        hands, play = self.hands, self.play
        cells = np.zeros((FINALS, k.OUTCOMES))
        mass = np.zeros((len(hands.hard), 3))
        mass_2 = np.zeros((len(hands.hard), 3, 3))
        for second, act in some:
            hand = int(hands.next[self.start, second.value])
            finals = play.finals[hand, up]
            if {self.pair, second.value} == {ACE, TEN}:
                k.note(cells, finals, k.O_NATURAL, second.chance)
            elif self.frozen:
                total = int(hands.hard[hand]) + 10
                k.note_live(cells, finals, k.O_STOOD_WON, second.chance, total, self.array[k.R_TIES_LOSE])
            else:
                mass_2[hand, self._ones(second.value), act] += second.chance
        if self.frozen:
            return cells, 0.0
        _, choice, forfeits = self.played(cost)
        doubled = k.trace(
            play.left, self.wanted, hands.cards, hands.hard, hands.size, hands.next, play.finals, self.array,
            play.ones_max, up, choice, forfeits, mass, mass_2, cells,
        )  # fmt: skip
        for second, act in some:
            if second.kind and act == k.HIT:
                sevens = self.pair == second.value
                third = THIRD[min(self.pair, second.value), max(self.pair, second.value)]
                chance = second.chance * float(self.shares[third]) * SUIT
                suited(cells, play.finals[self.wanted[0], up], sevens=sevens, kind=second.kind, chance=chance)
        return cells, float(doubled)
