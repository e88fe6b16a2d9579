"""Best joint play of the two hands of a split: the second is played knowing every card of the first, and the first
knowing that.

What the first hand will be paid does not depend on how the second is played: whenever the second stops, the dealer's
cards are like the next cards of a shuffled shoe. So the hands touch in two ways only: the first takes cards out of the
shoe, and a dealer natural that takes one original amount takes it once. Both are exact here. A hand looks at its own
suits, and how often it finds them is taken as nobody sees the other hand's: that is near the truth, and is bounded from
both sides for each suit of the pair.
"""

from __future__ import annotations

import numpy as np

from pitboss.basics.cards import SUITS
from pitboss.maths.exact import joint_kernels as jk
from pitboss.maths.exact import kernels as k
from pitboss.maths.exact.policy import SplitPlay
from pitboss.maths.exact.tables import FINALS, Array
from pitboss.maths.exact.words import ACE, SUITED_RANKS, TEN, THIRD

BATCH = 1 << 13
"""Sets of cards whose dealers are drawn together."""


AVERAGE, NONE, MOST, SPADES, LEAST = range(5)
"""How suits are looked at: what they gain on the mean, as a hand sees its own; nothing; the most that they can gain
whatever of the other hands' is seen; as if every two cards towards 6-7-8 or 7-7-7 were spades; and the least."""


class JointSplit:
    """One pair split into two hands, against some up cards."""

    def __init__(self, solver: SplitPlay, pair: int, ups: list[int], *, whole: bool) -> None:
        self.solver, self.rules, self.pair, self.ups = solver, solver.rules, pair, ups
        rules, hands, left = solver.rules, solver.hands, solver.left
        waits = rules.split_natural and rules.natural_waits and bool(rules.natural_order)
        self.ranked = waits and pair in (ACE, TEN)
        """Whether ranks of ten-value cards matter to it: what is proven counts on the best and on the worst of them."""
        self.suited = pair in SUITED_RANKS
        """Whether suits matter to it."""
        self.modes: tuple[int, ...] = (AVERAGE,)
        if whole and (self.suited or self.ranked):
            self.modes = (AVERAGE, NONE, MOST, SPADES, LEAST) if self.suited else (AVERAGE, NONE, MOST, SPADES)
        self.own: Array = None
        """How likely the pair's card of the hand that is played is of each suit; unknown where it could be any."""
        self.frozen = pair == ACE and rules.aces_one_card
        self.lanes = [(up, False) for up in ups] + [(up, True) for up in ups if rules.one_original and up in (ACE, TEN)]
        """An up card, and whether another hand already owes what a dealer natural takes."""
        wanted = np.flatnonzero((hands.cards[:, pair] > 0) & (hands.cards <= left).all(axis=1))
        most = 2 if self.frozen else 4 if rules.five_card_trick else 99
        wanted = wanted[hands.size[wanted] <= most]
        self.cards, self.number = _with_ends(hands.cards[wanted], left, frozen=self.frozen)
        """Hands that can still be played, `number` of them, and then every way to end beyond them."""
        self.sizes, self.hard = self.cards.sum(axis=1), self.cards @ np.arange(1, 11)
        rows = {tuple(row): place for place, row in enumerate(self.cards.tolist())}
        self.following = np.array(
            [[rows.get((*row[:v], row[v] + 1, *row[v + 1 :]), -1) for v in range(10)] for row in self.cards.tolist()]
        )
        self.start = self.cards[rows[tuple(int(place == pair) for place in range(10))]]
        self.twos = [rows.get(tuple((self.start + np.eye(10, dtype=np.int64)[v]).tolist()), -1) for v in range(10)]

    def values(self) -> dict[int, list[float]]:
        """The value of the split against each up card, for each way to look at suits."""
        ways = self._play(self.cards, None)
        found: dict[int, list[float]] = {up: [] for up in self.ups}
        for mode in self.modes:
            worth: Array = 0.0
            for chance, firsts, second in self._suits_of_pair(mode):
                self.own = second
                after = self._hand(self.cards, ways, mode, None)
                self.own = firsts
                first = self.start[None, :]
                worth = worth + chance * self._hand(first, self._play(first, after), mode, after)[0]
            for lane, (up, owed) in enumerate(self.lanes):
                if not owed:
                    found[up].append(float(worth[lane]))
        return {up: worth if len(worth) > 1 else worth * 4 for up, worth in found.items()}

    def _suits_of_pair(self, mode: int) -> list[tuple[float, Array, Array]]:
        """The chance of each suit of the second hand's pair card, what the first's is then, and the second's.

        Both lie on the table before the first hand is played, so it may be played by them.
        """
        if mode not in (MOST, LEAST) or not self.suited:
            return [(1.0, None, None)]
        suits = np.array(self.solver.suits[self.pair], float)
        alike: dict[tuple[float, ...], tuple[float, Array, Array]] = {}
        for place in np.flatnonzero(suits > 0.0).tolist():
            other = suits - (np.arange(4) == place)
            chance, key = float(suits[place] / suits.sum()), (
                SUITS[place] == "s", *(float(self.solver.suits[rank][place]) for rank in SUITED_RANKS)
            )  # fmt: skip
            before = alike[key][0] if key in alike else 0.0
            alike[key] = (before + chance, other / other.sum(), np.eye(4)[place])
        return list(alike.values())

    def _play(self, taken: Array, after: Array | None, then: Array | None = None) -> Array:
        """One hand once these cards are taken: for each second card, standing or doubling, and hitting, in each lane.

        `after` is what comes once it ends, nothing where it is the last: `then` tells for each row that is taken and
        for the cards with which the hand ends which row of `after` that is, the row of those cards itself by default.
        """
        solver, rules, tree = self.solver, self.rules, self.solver.tree
        lowest = min(rules.hard_stand, rules.soft_stand)
        uid, sets = unions(taken, self.cards[: self.number])
        number = len(sets)
        ups = np.array(self.ups)
        naturals = [up for up in self.ups if up in (ACE, TEN)]
        settled = np.zeros((number, 22 - lowest, len(ups) + len(naturals)))
        array, even = solver._split_array(1.0), float(rules.even_money)
        doubled = settled if rules.doubled_odds == rules.even_money else np.zeros_like(settled)
        finals = np.zeros((min(number, BATCH), 10, FINALS))
        for start in range(0, number, BATCH):
            some = sets[start : start + BATCH]
            k.dealer_finals(solver.left, np.arange(len(some)), some, some.sum(axis=1), *tree, finals)
            end = start + len(some)
            jk.dealers_against(finals, len(some), ups, lowest, even, rules.ties_lose, settled[start:end])
            if doubled is not settled:
                odds = float(rules.doubled_odds)
                jk.dealers_against(finals, len(some), ups, lowest, odds, rules.ties_lose, doubled[start:end])
        one, two = np.ones(len(self.lanes)), np.full(len(self.lanes), 2.0)
        if rules.one_original:
            one = two = np.array([0.0 if owed else 1.0 for _, owed in self.lanes])
        live = np.arange(len(self.lanes))
        for lane, (up, owed) in enumerate(self.lanes):
            if owed:
                live[self.lanes.index((up, False))] = lane
        out = np.full((len(taken), 10, len(self.lanes), 2), jk.NEVER)
        final = after is None
        who = np.array([self.ups.index(up) for up, _ in self.lanes])
        natural = np.array([len(ups) + naturals.index(up) if up in naturals else -1 for up, _ in self.lanes])
        if then is None:
            then = np.arange(len(self.cards), dtype=np.int32)[None, :]
        jk.play_after(
            solver.left, taken, self.cards, self.hard, self.sizes, self.following, self.number, uid, settled, doubled,
            lowest, array, solver.ones_max, who, natural, one, two, live, final, then,
            np.zeros((1, 1)) if final else after, self.pair, ups, self.frozen, out,
        )  # fmt: skip
        return out

    def _hand(
        self, taken: Array, ways: Array, mode: int, after: Array | None, then: Array | None = None
    ) -> Array:  # fmt: skip
        """What a hand brings before its second card, after each row of `taken`, in each lane."""
        pair, left = self.pair, self.solver.left
        rest = left.sum() - taken.sum(axis=1) - 2.0
        found = np.zeros((len(taken), len(self.lanes)))
        for second in range(10):
            if self.twos[second] < 0:
                continue
            for lane, (up, _) in enumerate(self.lanes):
                there = left[second] - taken[:, second] - (second == pair) - (second == up)
                chance = np.maximum(there, 0.0) / np.maximum(rest, 1.0)
                if {pair, second} == {ACE, TEN}:
                    other = TEN if up == ACE else ACE
                    come = left[other] - taken[:, other] - 1.0 - (other == up)
                    natural = np.maximum(come, 0.0) / np.maximum(rest - 1.0, 1.0) if up in (ACE, TEN) else 0.0 * come
                    paid = self._split_21(natural, up, mode)
                    if after is not None:
                        rows = self.twos[second] if then is None else then[:, self.twos[second]]
                        paid = paid + after[rows, lane]
                else:
                    paid = np.zeros(len(taken))
                    for share, worth in self._cases(second, lane, taken, ways, mode):
                        paid = paid + share * worth
                found[:, lane] += np.where(chance > 0.0, chance * paid, 0.0)
        return found

    def _cases(self, second: int, lane: int, taken: Array, ways: Array, mode: int) -> list[tuple[float, Array]]:
        """Share and value of each case of suits of a hand of two cards that is not split again."""
        stay, hit = ways[:, second, lane, 0], ways[:, second, lane, 1]
        cases = self._suit_cases(second, self.lanes[lane][0], taken, mode)
        return [(share, np.maximum(stay, hit + gain)) for share, gain in cases]

    def _suit_cases(self, second: int, up: int, taken: Array, mode: int) -> list[tuple[float, Array | float]]:
        """Share and gain of each case of suits of a hand of two cards, mixed first, then each suit."""
        solver, left = self.solver, self.solver.left
        low, high = min(self.pair, second), max(self.pair, second)
        third, same = THIRD.get((low, high)), low == high
        if third is None:
            return [(1.0, 0.0)]
        there = np.maximum(left[third] - taken[:, third] - (third == up) - 2.0 * same, 0.0)
        rest = np.maximum(left.sum() - taken.sum(axis=1) - 3.0, 1.0)
        cases = solver._suit_gains(low, high, third)
        if mode == AVERAGE:
            return [(share, gain * there / rest) for share, gain in cases]
        odds = solver.suit_odds[same]
        if mode == NONE:
            return [(1.0, min(0.0, *odds) * there / rest)]
        if mode == SPADES:
            numbers = [np.minimum(max(each - 2.0 * same, 0.0), there) for each in solver.suits[third]]
            each = [
                max(odds[2 if suit == "s" else 1], 0.0) * number for suit, number in zip(SUITS, numbers, strict=True)
            ]
            return [(1.0, np.maximum.reduce([0.0 * there, *each]) / rest)]
        return self._bounded_cases(second, up, taken, there, rest, highest=mode == MOST)

    def _bounded_cases(
        self, second: int, up: int, taken: Array, there: Array, rest: Array, *, highest: bool
    ) -> list[tuple[Array, Array]]:
        """The most, or the least, that a hand's suits can bring, whatever suits are seen besides.

        Of the cards of a value that are unseen those of one suit are at most all that the shoe had, and at least what
        is left when every one that is gone had it. A case that gains comes the more often, or the less; one that costs
        the other way round.
        """
        solver, left, pair = self.solver, self.solver.left, self.pair
        low, high = min(pair, second), max(pair, second)
        same, third = low == high, THIRD[low, high]
        unseen = left[second] - taken[:, second] - (second == pair) - (second == up)
        gone = left[second] - same - unseen
        gone_thirds = left[third] - 2.0 * same - there
        cases: list[tuple[Array, Array]] = []
        mixed: Array = 1.0
        for place, suit in enumerate(SUITS):
            if not solver.suits[pair][place]:
                continue
            odds = solver.suit_odds[same][2 if suit == "s" else 1]
            more = (odds > 0.0) == highest
            seconds, thirds = solver.suits[second][place] - same, solver.suits[third][place] - 2.0 * same
            share = np.minimum(max(seconds, 0.0), unseen) if more else np.maximum(seconds - gone, 0.0)
            number = np.minimum(max(thirds, 0.0), there) if more else np.maximum(thirds - gone_thirds, 0.0)
            share, gain = share / np.maximum(unseen, 1.0), odds * number / rest
            part = 1.0 if self.own is None else self.own[place]
            cases.append((part * share, gain))
            mixed = mixed - part * share
        if self.own is None:
            # A share and a gain that no suit of the pair's card exceeds, or none falls short of.
            furthest = np.maximum if highest else np.minimum
            share, gain = (furthest.reduce([case[place] for case in cases]) for place in (0, 1))
            if not highest:
                share = np.where(gain < 0.0, 1.0, share)
            mixed, cases = 1.0 - share, [(share, np.maximum(gain, 0.0) if highest else gain)]
        return [(mixed, 0.0 * there), *cases]

    def _split_21(self, natural: Array, up: int, mode: int) -> Array:
        """An ace with a ten, as `SplitPlay._split_21`."""
        if mode == AVERAGE or not self.ranked or up not in (ACE, TEN):
            return self.solver._split_21(natural, up) + 0.0 * natural
        rows = [float(row) for row in self.rules.natural_rows]
        ranked = min(rows) if mode in (NONE, LEAST) else max(rows)
        return (1.0 - natural) * float(self.rules.natural_against_other) + natural * ranked


def unions(rows: Array, cards: Array) -> tuple[Array, Array]:
    """Every set of cards that a row of one makes with a row of the other: which it is, and the sets themselves."""
    uid = np.empty((len(rows), len(cards)), np.int32)
    number, length = -1, 1 << 11
    while number < 0:
        length *= 4
        keys, places = np.full(length, -1), np.zeros(length, np.int32)
        number = int(jk.unite(rows, cards, keys, places, uid))
    sets = np.zeros((number, 10), np.int64)
    jk.unpack(keys, places, sets)
    return uid, sets


def _with_ends(hands: Array, left: Array, *, frozen: bool) -> tuple[Array, int]:
    """These hands, and after them every set of cards that one more card makes of them, as far as the shoe has it."""
    known = {tuple(row) for row in hands.tolist()}
    ends = set()
    for row in () if frozen else hands.tolist():
        for value in range(10):
            if row[value] < left[value]:
                more = (*row[:value], row[value] + 1, *row[value + 1 :])
                if more not in known:
                    ends.add(more)
    return np.array([*hands.tolist(), *sorted(ends)], np.int64), len(hands)
