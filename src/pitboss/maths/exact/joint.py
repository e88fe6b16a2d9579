"""Best joint play of the two hands of a split: the second is played knowing every card of the first, and the first
knowing that.

What the first hand will be paid does not depend on how the second is played: whenever the second stops, the dealer's
cards are like the next cards of a shuffled shoe. So the hands touch in two ways only: the first takes cards out of the
shoe, and a dealer natural that takes one original amount takes it once. Both are exact here. A hand looks at its own
suits; that it could also see the other hand's suits is left out, and matters where 6-7-8 and 7-7-7 suits are uneven.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np

from pitboss.basics.cards import SUITS
from pitboss.maths.exact import kernels as k
from pitboss.maths.exact.openings import Openings
from pitboss.maths.exact.policy import NATURAL_COSTS, PER_CARD, SplitBounds, SplitPlay
from pitboss.maths.exact.tables import NATURAL, Array
from pitboss.maths.exact.words import ACE, SUITED_RANKS, TEN, THIRD, VALUES

Cards = tuple[int, ...]
NEAR, HOPELESS = 0.02, 0.02
"""How near a split must come to be played jointly. An act that is worse by more than the second for a hand alone is not
tried, as knowing the other hand's cards is worth less. In a small shoe, where cards matter more, both are wider by
`PER_CARD` over the number of cards."""
SUITS_ADD = 0.2
"""More than suits can add to hitting with two cards."""


AVERAGE, NONE, MOST, SPADES = range(4)
"""How suits are looked at: what they gain on the mean, as a hand sees its own; nothing; the most that they can gain
once the other hand's are seen; and as if every two cards towards 6-7-8 or 7-7-7 were spades."""


def play_jointly(solver: Openings, progress: Callable[[str], None] | None) -> None:
    """Put best joint play in the place of the policy.

    Where two hands are all, every pair is played jointly against every up card and nothing is passed over, so that the
    optimum lies between two figures that are found: hands that look at their own suits, and hands to which suits always
    come as well as they can. Where a pair may be split again, splits that come near are played jointly, and what that
    gains on two hands is taken to come once for every two of the hands that are formed, since hands touch two by two:
    near the truth, on either side.
    """
    two: SplitPlay = solver
    if solver.rules.hands_max > 2:
        two = SplitPlay(msgspec.structs.replace(solver.rules, hands_max=2), solver.shoe)
        two._play()
    whole = two is solver
    margin = NEAR + PER_CARD / solver.size
    near = [key for key, split in solver.splits.items() if whole or split.value > solver._otherwise(*key) - margin]
    pairs = sorted({pair for pair, _ in near})
    for place, pair in enumerate(pairs, start=1):
        if progress is not None:
            what = f"joint play of split pairs of {VALUES[pair]}"
            progress(f"{what}, {place} of {len(pairs)}; minutes in all, the low pairs take longest")
        ups = [up for first, up in near if first == pair and (pair, up) in two.splits]
        for up, worth in JointSplit(two, pair, whole=whole).values(ups).items():
            split = solver.splits[pair, up]
            if whole:
                bounds = SplitBounds(worth[MOST], worth[SPADES], worth[NONE])
                solver.splits[pair, up] = split._replace(value=worth[AVERAGE], floor=worth[AVERAGE], bounds=bounds)
                continue
            gain = worth[AVERAGE] - two.splits[pair, up].value
            solver.splits[pair, up] = split._replace(value=split.value + gain * split.pairs)


class JointSplit:
    """One pair split into two hands."""

    def __init__(self, solver: SplitPlay, pair: int, *, whole: bool) -> None:
        self.solver, self.rules, self.hands, self.pair = solver, solver.rules, solver.hands, pair
        self.whole = whole
        """Whether every act is tried, and suits are looked at in every way."""
        rules = self.rules
        waits = rules.split_natural and rules.natural_waits and bool(rules.natural_order)
        self.ranked = waits and pair in (ACE, TEN)
        """Whether ranks of ten-value cards matter to it: what is proven counts on the best and on the worst of them."""
        self.modes = (AVERAGE, NONE, MOST, SPADES) if whole and (pair in SUITED_RANKS or self.ranked) else (AVERAGE,)
        self.frozen = pair == ACE and self.rules.aces_one_card
        self.start = self.hands.places[tuple(int(place == pair) for place in range(10))]
        self.left = solver.left.copy()
        """The shoe less the other hand's first card; the hand and the up card are still in it."""
        self.left[pair] -= 1.0
        hands = self.hands
        self.wanted = np.flatnonzero((hands.cards[:, pair] > 0) & (hands.cards <= self.left).all(axis=1))
        self.finals: Array = np.zeros_like(solver.finals)
        k.dealer_finals(self.left, self.wanted, hands.cards, hands.size, *solver.tree, self.finals)
        self._after: Array = np.zeros_like(solver.finals)
        self._second: dict[Cards, dict[tuple[int, float], list[float]]] = {}
        """What the second hand is worth after each end of the first."""

    def values(self, ups: list[int]) -> dict[int, list[float]]:
        """The value of the split against each of these up cards, for each way to look at suits.

        The first hand is walked through twice: to find out how it can end, and to decide once every end is valued.
        """
        for up in ups:
            self.first_hand(up, AVERAGE)
        for taken, asked in self._second.items():
            self._solve_second(taken, asked)
        found = {up: [self.first_hand(up, mode) for mode in self.modes] for up in ups}
        return {up: worth if len(worth) > 1 else worth * 4 for up, worth in found.items()}

    # --- the second hand ---

    def second_hand(self, taken: Cards, up: int, weight: float) -> float:
        """The second hand's value once the first has taken these cards; a dealer natural costs it `weight`."""
        weight = weight if self.rules.one_original and up in (ACE, TEN) else 1.0
        return self._second.setdefault(taken, {}).setdefault((up, weight), [0.0] * len(self.modes))[self.mode]

    def _solve_second(self, taken: Cards, asked: dict[tuple[int, float], list[float]]) -> None:
        solver, hands = self.solver, self.hands
        left = solver.left - np.array(taken, np.float64)
        wanted = self.wanted[(hands.cards[self.wanted] <= left).all(axis=1)]
        if self.frozen:
            wanted = wanted[hands.size[wanted] == 2]
        k.dealer_finals(left, wanted, hands.cards, hands.size, *solver.tree, self._after)
        for up, weight in asked:
            asked[up, weight] = self._value_second(left, wanted, up, weight)

    def _value_second(self, left: Array, wanted: Array, up: int, weight: float) -> list[float]:
        solver, hands, pair = self.solver, self.hands, self.pair
        choice, forfeits, ways, _ = solver._room_for(weight)
        array = solver._split_array(weight)
        if not self.frozen:
            k.play_hands(
                left, wanted, hands.cards, hands.hard, hands.size, hands.next, self._after, array,
                NATURAL_COSTS[weight], solver.ones_max, k.BEST, up, up + 1, choice, forfeits, solver._worth_split,
                ways, solver.room,
            )  # fmt: skip
        size = left.sum() - 2.0
        total = [0.0] * len(self.modes)
        for second in range(10):
            there = left[second] - (second == pair) - (second == up)
            if there > 0.0:
                hand = int(hands.next[self.start, second])
                ends = self._after[hand, up]
                mine = ways[hand, solver._ones(pair, second), up]
                for mode in self.modes:
                    total[mode] += float(there / size) * self._two_cards(second, up, left, ends, mine, array, mode)
        return total

    def _suit_cases(self, second: int, up: int, left: Array, mode: int) -> list[tuple[float, float]]:
        """Share and gain of each case of suits of a hand of two cards, mixed first, then each suit."""
        cases = self.solver._split_suits(self.pair, second, up, left)
        if mode == AVERAGE or len(cases) == 1:
            return cases
        if mode == NONE:
            return [(share, 0.0) for share, _ in cases]
        low, high = min(self.pair, second), max(self.pair, second)
        third, same = THIRD[low, high], low == high
        there = max(float(left[third]) - (third == up) - 2.0 * same, 0.0)
        rest, odds = float(left.sum()) - 3.0, self.solver.suit_odds[same]
        most = [0.0]
        for place, suit in enumerate(SUITS):
            number = min(max(self.solver.suits[third][place] - 2.0 * same, 0.0), there)
            most.append(max(odds[2 if suit == "s" else 1], 0.0) * number / rest)
        if mode == SPADES:
            return [(1.0, max(most))]
        return [(share, gain) for (share, _), gain in zip(cases, most, strict=True)]

    def _split_21(self, natural: float, up: int, mode: int) -> float:
        """An ace with a ten, as `SplitPlay._split_21`."""
        if mode == AVERAGE or not self.ranked or up not in (ACE, TEN):
            return self.solver._split_21(natural, up)
        rows = [float(row) for row in self.rules.natural_rows]
        ranked = min(rows) if mode == NONE else max(rows)
        return (1.0 - natural) * float(self.rules.natural_against_other) + natural * ranked

    def _two_cards(self, second: int, up: int, left: Array, ends: Array, ways: Array, array: Array, mode: int) -> float:
        """A split hand of two cards, best play from there."""
        pair = self.pair
        if {pair, second} == {ACE, TEN}:
            return self._split_21(float(ends[NATURAL]), up, mode)
        if self.frozen:
            return float(k.stand_value(ends, int(self.hands.hard[self.hands.next[self.start, second]]) + 10, array))
        stay = max(float(ways[k.STAND]), float(ways[k.DOUBLE]))
        hit = float(ways[k.HIT])
        return sum(share * max(stay, hit + gain) for share, gain in self._suit_cases(second, up, left, mode))

    # --- the first hand ---

    def first_hand(self, up: int, mode: int) -> float:
        """Both hands together, decided from the first hand's last card back to its second."""
        self.mode = mode
        solver, hands, pair = self.solver, self.hands, self.pair
        alone = np.zeros_like(solver.ways)
        choice, forfeits = np.zeros_like(solver.choice), np.zeros_like(solver.forfeits)
        self.array = solver._split_array(1.0)
        if not self.frozen:
            k.play_hands(
                self.left, self.wanted, hands.cards, hands.hard, hands.size, hands.next, self.finals, self.array,
                NATURAL_COSTS[1.0], solver.ones_max, k.BEST, up, up + 1, choice, forfeits, solver._worth_split, alone,
                solver.room,
            )  # fmt: skip
        self.alone, self.up = alone, up
        self._known: dict[tuple[int, int], float] = {}
        size = self.left.sum() - 2.0
        total = 0.0
        for second in range(10):
            there = self.left[second] - (second == pair) - (second == up)
            if there <= 0.0:
                continue
            hand = int(hands.next[self.start, second])
            ends = self.finals[hand, up]
            cards = tuple(int(each) for each in hands.cards[hand])
            if {pair, second} == {ACE, TEN}:
                paid = self._split_21(float(ends[NATURAL]), up, mode) + self.second_hand(cards, up, 1.0)
            elif self.frozen:
                paid = float(k.stand_value(ends, int(hands.hard[hand]) + 10, self.array))
                paid += self.second_hand(cards, up, 0.0)
            else:
                stay, hit = self._acts(hand, solver._ones(pair, second))
                cases = self._suit_cases(second, up, self.left, mode)
                paid = sum(share * max(stay, hit + gain) for share, gain in cases)
            total += float(there / size) * paid
        return total

    def _best(self, hand: int, ones: int) -> float:
        known = self._known.get((hand, ones))
        if known is None:
            known = self._known[hand, ones] = max(self._acts(hand, ones))
        return known

    def _acts(self, hand: int, ones: int) -> tuple[float, float]:
        """The better of standing and doubling, and hitting; the second hand's value included in both."""
        up, hands = self.up, self.hands
        alone = self.alone[hand, ones, up]
        least = -1e8 if self.whole else float(alone.max()) - HOPELESS - PER_CARD / self.solver.size
        cards = tuple(int(each) for each in hands.cards[hand])
        stay = hit = -1e9
        if alone[k.STAND] >= least:
            stay = float(alone[k.STAND]) + self.second_hand(cards, up, 0.0)
        if alone[k.DOUBLE] >= least:
            stay = max(stay, self._draw(hand, ones, cards, double=True))
        # Suits may make hitting the better act at two cards.
        if alone[k.HIT] >= least - (SUITS_ADD if int(hands.size[hand]) == 2 else 0.0):
            hit = self._draw(hand, ones, cards, double=False)
        return stay, hit

    def _draw(self, hand: int, ones: int, cards: Cards, *, double: bool) -> float:
        hands, rules, up = self.hands, self.array, self.up
        count, hard = int(hands.size[hand]), int(hands.hard[hand])
        rest = self.left.sum() - count - 1.0
        total = 0.0
        for value in range(10):
            number = self.left[value] - cards[value] - (value == up)
            if number <= 0.0:
                continue
            more = (*cards[:value], cards[value] + 1, *cards[value + 1 :])
            then = int(hands.next[hand, value])
            if double:
                ended = int(k.doubled_total(hands.cards[hand], hard, value, ones, rules))
                worth = self._after_double(more, then, ended, count + 1)
            else:
                worth = self._after_hit(cards, more, then, hard + value + 1, count + 1, ones, value)
            total += float(number / rest) * worth
        return total

    def _after_hit(self, before: Cards, cards: Cards, then: int, hard: int, count: int, ones: int, value: int) -> float:
        total = hard + 10 if cards[ACE] and hard <= 11 else hard
        if total < 21 and not (self.rules.five_card_trick and count == 5):
            return self._best(then, ones)
        if total > 21:
            paid = -1.0
        elif total == 21:
            paid = float(k.odds_of_21(np.array(before), count, value, self.array))
        else:
            paid = float(self.rules.even_money)
        return paid + self.second_hand(cards, self.up, 1.0)

    def _after_double(self, cards: Cards, then: int, total: int, count: int) -> float:
        if total > 21:
            return -2.0 + self.second_hand(cards, self.up, 1.0)
        if total == 21:
            return 2.0 * float(self.rules.doubled_odds) + self.second_hand(cards, self.up, 1.0)
        if self.rules.five_card_trick and count == 5:
            return 2.0 * float(self.rules.even_money) + self.second_hand(cards, self.up, 1.0)
        kept = float(k.kept_value(self.finals[then, self.up], total, self.array))
        kept += self.second_hand(cards, self.up, 0.0)
        if self.rules.forfeit:
            return max(kept, -1.0 + self.second_hand(cards, self.up, 1.0))
        return kept
