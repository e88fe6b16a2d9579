"""Split hands, each played by one fixed policy that looks at its own cards: the best of a few is kept.

For every pair that may be worth splitting, plans are made (what a hand of the split does), one hand is valued under
each with 0, 1, 2, ... further cards of the pair's value out of the shoe, and `splits` puts the hands together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from pitboss.basics.cards import SUITS
from pitboss.maths.exact import kernels as k
from pitboss.maths.exact.endless import OTHER, SPADE, EndlessSplit
from pitboss.maths.exact.play import WHOLE, BestPlay, rules_array
from pitboss.maths.exact.results import Grid, suited
from pitboss.maths.exact.rules import Rules
from pitboss.maths.exact.splits import (
    OneHand,
    alternating,
    chance_drawn,
    chance_that_one_is_live,
    extras_needed,
    hands_formed,
    leaves,
    sum_of_hands,
)
from pitboss.maths.exact.tables import FINALS, NATURAL, Array, player_hands
from pitboss.maths.exact.words import ACE, SUITED_RANKS, TEN, THIRD
from pitboss.maths.shoes import Shoe

NEAR, PER_CARD = 0.06, 5.0
"""A split that is worse than another act by more than this, judged roughly, is not looked at; in a small shoe, where
cards matter more, the margin is wider by `PER_CARD` over the number of cards."""
PLAIN = [(1.0, 0.0)]
"""Suits do not matter."""
THIRDS: Array = np.array(
    [[THIRD.get((min(pair, other), max(pair, other)), 0) for other in range(10)] for pair in range(10)]
)

SHARED_HALF, SHARED_NOT = WHOLE.copy(), WHOLE.copy()
SHARED_HALF[[ACE, TEN]], SHARED_NOT[[ACE, TEN]] = 0.5, 0.0
NATURAL_COSTS = {1.0: WHOLE, 0.5: SHARED_HALF, 0.0: SHARED_NOT}
"""What a dealer natural is taken to cost a hand, against each up card."""

Hands01 = tuple[list[tuple[float, float]], list[tuple[float, float]]]
"""What one hand of a split brings where a dealer natural costs it 1, and where it costs nothing."""


Money = dict[Fraction, float]
"""The chance of each result."""


class SuitedSplit(NamedTuple):
    """What splitting a pair of these suits is worth."""

    value: float
    wagered: float
    money: Money
    by_end: Array = None
    """With infinitely many decks: its mean for each end of the dealer, as `Grid` counts them."""


class SplitBounds(NamedTuple):
    """Between what best joint play of two hands lies, suits of the pair taken together; proven."""

    most: float
    spades: float
    """No suits of the pair bring more."""
    none: float
    """No suits of the pair bring less."""


class SplitValue(NamedTuple):
    """What splitting one pair against one up card is worth, all its hands together."""

    value: float
    hands: float
    wagered: float
    money: Money
    """The chance of each result; told only where it is asked for."""
    weight: float
    """The policy: what a dealer natural was taken to cost a hand."""
    hands_max: int
    """2 where it is best never to split again."""
    pairs: float
    """How often two of its hands stand beside each other, on the mean."""
    floor: float = -1e9
    """Proven: best play of the split brings no less."""
    bounds: SplitBounds | None = None
    by_suits: dict[tuple[int, int], SuitedSplit] | None = None
    """The same for each suits of the pair, where they are told apart."""

    def of(self, suits: tuple[int, int] | None) -> SuitedSplit:
        """What it is worth with these suits."""
        if self.by_suits is None:
            return SuitedSplit(self.value, self.wagered, self.money)
        return self.by_suits[suits or (OTHER, OTHER)]


class Plan(NamedTuple):
    """A policy for the split hands of one pair against one up card."""

    pair: int
    start: int
    """The hand of one card with which each begins."""
    up: int
    weight: float
    """What a dealer natural was taken to cost."""
    frozen: bool
    """Each hand gets one card and no choice."""
    choice: Array
    forfeits: Array
    ways: Array
    chosen: dict[int, tuple[int, ...]]
    """What is done with each second card, one choice for each case of suits."""
    wanted: Array
    reached: Array
    """Hands to which the policy leads."""
    needed: Array = None
    """Hands after which the dealer plays."""


class KeptPlan(NamedTuple):
    """The plan that is best for one pair against one up card, with what one hand of it brings."""

    plan: Plan
    choice: Array
    forfeits: Array
    """The plan's own, for its up card: where it was made the next pair writes over it."""
    left: Array
    """The shoe less the other hand's first card."""
    hands_max: int
    full: list[tuple[float, float]]
    """What one hand brings for 0, 1, 2, ... further cards of the pair's value out of the shoe."""
    free: list[tuple[float, float]]
    """The same where a dealer natural costs nothing."""


class SplitPlay(BestPlay):
    """Best play with splits."""

    def __init__(self, rules: Rules, shoe: Shoe) -> None:
        super().__init__(rules, shoe)
        self.telling = False
        """Whether more than the value is wanted."""
        self.every_split = False
        """Whether splits that cannot be best are valued too."""
        self._worth_split: Array = np.zeros_like(self.worth)
        self._dealers: list[Array] = []
        self._arrays: dict[float, Array] = {}
        self._room: dict[float, tuple[Array, Array, Array, Array]] = {}

    def fill(self, shoe: Shoe) -> None:
        """Begin with this shoe, and with no split valued."""
        super().fill(shoe)
        self.splits: dict[tuple[int, int], SplitValue] = {}
        self.kept: dict[tuple[int, int], KeptPlan] = {}
        self._gains: dict[tuple[int, int], list[tuple[float, float]]] = {}

    def _play(self) -> None:
        """Value every hand of the first two cards on, splits aside, then the splits."""
        self._play_hands()
        if self.rules.hands_max > 1:
            for pair in range(10):
                if self.endless:
                    self._split_endless(pair)
                else:
                    self._split(pair)

    def _split_endless(self, pair: int) -> None:
        """Infinitely many decks: the value of splitting this pair, exactly."""
        if self.left[pair] < 2:
            return
        hand = self._two(pair, pair)
        split_21 = np.array([self._split_21(float(self.finals[hand, up, NATURAL]), up) for up in range(10)])
        split = EndlessSplit(self, self._split_array(1.0), split_21, pair)
        suits = {(OTHER, OTHER): 9.0, (OTHER, SPADE): 3.0, (SPADE, OTHER): 3.0, (SPADE, SPADE): 1.0}
        if pair not in SUITED_RANKS:
            suits = {(OTHER, OTHER): 16.0}
        worth = {each: split.worth(split.first(*each)) for each in suits}
        for up in range(10):
            best = max(float(each[up]) for each in worth.values())
            told = self.every_split or (self.telling and best > self._not_split(pair, up))
            grid = Grid(self.rules, self.tens, split.limit, up)
            chances = grid.chances(self.finals[hand, up])
            by_suits: dict[tuple[int, int], SuitedSplit] = {}
            hands = 0.0
            for each, weight in suits.items():
                value = float(worth[each][up])
                by_suits[each] = SuitedSplit(value, 0.0, {})
                if told:
                    spread = split.spread(split.first(*each), up, grid)
                    money = grid.money(spread.results, chances)
                    by_suits[each] = SuitedSplit(value, spread.wagered, money, grid.means(spread.results))
                    hands += weight / 16.0 * spread.hands
            value = sum(weight / 16.0 * by_suits[each].value for each, weight in suits.items())
            wagered = sum(weight / 16.0 * by_suits[each].wagered for each, weight in suits.items())
            self.splits[pair, up] = SplitValue(
                value, hands, wagered, by_suits[OTHER, OTHER].money, 1.0, split.limit, 1.0, value, None, by_suits
            )

    def _split(self, pair: int) -> None:
        """The value of splitting this pair against each up card: the best of a few fixed policies."""
        rules, hands = self.rules, self.hands
        if self.left[pair] < 2:
            return
        frozen = pair == ACE and rules.aces_one_card
        tried = self._tried(pair, frozen)
        if not tried:
            return
        left = self.left.copy()
        left[pair] -= 1.0
        wanted = np.flatnonzero((hands.cards[:, pair] > 0) & (hands.cards <= left).all(axis=1))
        if frozen:
            wanted = wanted[hands.size[wanted] == 2]
        start = hands.places[tuple(int(place == pair) for place in range(10))]
        k.dealer_finals(left, wanted, hands.cards, hands.size, *self.tree, self._shown(0))
        for weight in {weight for _, weight in tried} if not frozen else ():
            self._best_for(weight, left, wanted)
        plans = [self._plan(pair, start, up, left, wanted, frozen, weight) for up, weight in tried]
        best: dict[int, tuple[float, Plan, int, Hands01]] = {}
        floors: dict[int, float] = {}
        known = 0
        for limit in dict.fromkeys((2, self._limit(pair))):
            while known < extras_needed(limit):
                known += 1
                self._take_out(pair, known, left, plans)
            for plan, one in self._one_hands(plans, left, limit):
                worth, floor = self._policy_value(plan, left, limit, one)
                floors[plan.up] = max(floors.get(plan.up, floor), floor)
                if plan.up not in best or worth > best[plan.up][0]:
                    best[plan.up] = (worth, plan, limit, one)
        for up, (worth, plan, limit, one) in best.items():
            self.kept[pair, up] = KeptPlan(
                plan, plan.choice[:, :, up].copy(), plan.forfeits[:, :, up].copy(), left, limit, *one
            )
            again = self._again(pair, up, left, extras_needed(limit) + 1)
            number, pairs = hands_formed(again, limit)
            told = self.telling and (self.every_split or worth > self._not_split(pair, up))
            wagered, money = self._told(plan, left, limit, again) if told else (0.0, {})
            self.splits[pair, up] = SplitValue(
                float(worth), number, wagered, money, plan.weight, limit, pairs / 2.0, floors[up]
            )  # fmt: skip

    # --- what is worth a look ---

    def _tried(self, pair: int, frozen: bool) -> list[tuple[int, float]]:
        """Up cards and policies that are worth a look."""
        return [(up, weight) for up in range(10) if self._comes_near(pair, up) for weight in self._weights(up, frozen)]

    def _comes_near(self, pair: int, up: int) -> bool:
        """Whether splitting might be best: judged by hands of the same cards that did not come from a split."""
        hand = self._two(pair, pair)
        if hand < 0 or self.left[up] - 2 * (up == pair) <= 0:
            return False
        if self.every_split:
            return True
        size = self.size - 3.0
        natural = float(self.finals[hand, up, NATURAL])
        others, same, not_again = 0.0, 0.0, 0.0
        for second in range(10):
            there = self.left[second] - 2 * (second == pair) - (second == up)
            two = self._two(pair, second)
            if there > 0 and two >= 0:
                paid = 2.0 if {pair, second} == {ACE, TEN} else float(self.worth[two, self._ones(pair, second), up])
                if second == pair:
                    same, not_again = there / size, paid
                else:
                    others += there / size * paid
        rough = 2.0 * (others + same * not_again) + natural
        for _ in range(self._limit(pair) - 2):
            rough = max(rough, 2.0 * (others + same * max(not_again, rough)) + natural)
        return rough > self._otherwise(pair, up) - NEAR - PER_CARD / self.size

    def _limit(self, pair: int) -> int:
        """How many hands may be formed of this pair."""
        return self.rules.hands_max if pair != ACE or self.rules.aces_resplit else 2

    def _otherwise(self, pair: int, up: int) -> float:
        """The best act besides splitting."""
        hand = self._two(pair, pair)
        other = self._not_split(pair, up)
        if self._surrender_share(up) > 0.0:
            natural = float(self.finals[hand, up, NATURAL])
            other = max(other, -self.given_up(1.0 - natural, natural))
        return other

    def _not_split(self, pair: int, up: int) -> float:
        """The best of standing, hitting and doubling."""
        return float(self.ways[self._two(pair, pair), self._ones(pair, pair), up].max())

    def _weights(self, up: int, frozen: bool) -> tuple[float, ...]:
        """What a dealer natural may be taken to cost a hand: less than its wager where others share the one amount."""
        shared = self.rules.one_original and up in (ACE, TEN) and not frozen
        return (0.0, 0.5, 1.0) if shared else (1.0,)

    # --- plans ---

    def _best_for(self, weight: float, left: Array, wanted: Array) -> None:
        """Best play of one split hand against every up card, if a dealer natural costs it `weight`."""
        choice, forfeits, ways, _ = self._room_for(weight)
        self._play_split(choice, forfeits, ways, left, wanted, 0, weight, k.BEST)

    def _plan(self, pair: int, start: int, up: int, left: Array, wanted: Array, frozen: bool, weight: float) -> Plan:
        """The best policy for one split hand, if a dealer natural costs it `weight`."""
        hands = self.hands
        choice, forfeits, ways, reached = self._room_for(weight)
        plan = Plan(pair, start, up, weight, frozen, choice, forfeits, ways, {}, wanted, np.zeros(0, np.int64))
        bits = np.zeros(len(hands.hard), np.int64)
        for second in range(10):
            if left[second] - (second == up) - (second == pair) < 1 or {pair, second} == {ACE, TEN}:
                continue
            hand = int(hands.next[start, second])
            if frozen:
                plan.chosen[second] = (k.STAND,)
            else:
                mine = ways[hand, self._ones(pair, second), up]
                plan.chosen[second] = tuple(
                    k.HIT if mine[k.HIT] + extra > max(mine[k.STAND], mine[k.DOUBLE]) else
                    k.STAND if mine[k.STAND] >= mine[k.DOUBLE] else k.DOUBLE
                    for _, extra in self._split_suits(pair, second, up, left)
                )  # fmt: skip
            for act in plan.chosen[second]:
                bits[hand] |= 1 << act
        needed = np.zeros(len(hands.hard), np.bool_)
        k.mark_reached(
            wanted, hands.cards, hands.hard, hands.size, hands.next, self.array, self.ones_max, up, choice, bits,
            reached, needed,
        )  # fmt: skip
        needed[hands.next[start][hands.next[start] >= 0]] = True
        led_to = wanted[reached[wanted].any(axis=1)]
        return plan._replace(reached=led_to, needed=np.flatnonzero(needed))

    # --- what one hand brings ---

    def _one_hands(self, plans: list[Plan], left: Array, hands_max: int) -> Iterator[tuple[Plan, Hands01]]:
        """What one hand brings for each number of further cards of the pair's value: if a natural costs 1, and 0.

        Plans that lie in the same room are followed in one go.
        """
        rooms: dict[int, list[Plan]] = {}
        for plan in plans:
            rooms.setdefault(id(plan.choice), []).append(plan)
        for mine in rooms.values():
            found: dict[int, Hands01] = {plan.up: ([], []) for plan in mine}
            shared = [plan for plan in mine if self._shares_natural(plan.up)]
            reached = union([each for plan in mine for each in (plan.reached, plan.needed)])
            for extra in range(extras_needed(hands_max) + 1):
                for place, (weight, some) in enumerate(((1.0, mine), (0.0, shared))):
                    self._follow(some, found, place, left, reached, extra, weight)
            for plan in mine:
                yield plan, found[plan.up]

    def _follow(
        self, plans: list[Plan], found: dict[int, Hands01], place: int, left: Array, reached: Array, extra: int,
        weight: float,
    ) -> None:  # fmt: skip
        """Add to what is found the value of one hand with `extra` further cards of the pair's value gone."""
        if not plans:
            return
        first = plans[0]
        rest = left.copy()
        rest[first.pair] -= extra
        if not first.frozen:
            self._play_split(first.choice, first.forfeits, first.ways, rest, reached, extra, weight, k.FOLLOW)
        for plan in plans:
            possible = rest[plan.pair] - (plan.up == plan.pair) >= 1.0
            found[plan.up][place].append(self._one_hand(plan, rest, extra, weight) if possible else (0.0, 0.0))

    def _one_hand(self, plan: Plan, rest: Array, extra: int, weight: float) -> tuple[float, float]:
        """The value of one split hand, and the part of it where its second card is of another value.

        Its ways must have been valued for this `rest` and `weight`.
        """
        shares, gains = self._shares(plan)
        value, other = k.one_hand(
            rest, plan.pair, plan.up, plan.start, self.hands.next, self.hands.hard, self._shown(extra),
            self._split_array(weight), plan.ways, self.ones_max, plan.frozen, shares, gains, THIRDS[plan.pair],
            self._natural_array(plan.up),
        )  # fmt: skip
        return float(value), float(other)

    def _shares(self, plan: Plan) -> tuple[Array, Array]:
        """How often each act follows a second card, suits told apart; and what suits add where it is to hit."""
        shares, gains = np.zeros((10, 3)), np.zeros(10)
        for second, acts in plan.chosen.items():
            if len(acts) == 1:
                shares[second, acts[0]] = 1.0
                continue
            low, high = min(plan.pair, second), max(plan.pair, second)
            for act, (share, gain) in zip(acts, self._suit_gains(low, high, THIRD[low, high]), strict=True):
                shares[second, act] += share
                gains[second] += share * gain if act == k.HIT else 0.0
        return shares, gains

    def _natural_array(self, up: int) -> Array:
        """What an ace with a ten brings to a split hand, as `kernels.one_hand` reads it."""
        waits = self.rules.split_natural and self.rules.natural_waits and up in (ACE, TEN)
        paid = self.rules.natural_odds if self.rules.split_natural else self.rules.odds_of_21(2)
        return np.array([float(paid), float(self.rules.natural_against_other), self.ranked, float(waits)])

    # --- what all hands of a split bring ---

    def _policy_value(self, plan: Plan, left: Array, hands_max: int, one: Hands01) -> tuple[float, float]:
        """What a split brings when all its hands follow one plan, and what it brings at the least.

        The two differ where a dealer natural takes one amount: it takes that from no more than all naturals, and from
        no more than all hands that wait, each counted for itself.
        """
        pair, up = plan.pair, plan.up
        full, free = one
        numbers = range(extras_needed(hands_max) + 1)
        again = self._again(pair, up, left, len(numbers))
        hand = OneHand([each[0] for each in full], [each[1] for each in full], again)
        if not self._shares_natural(up):
            value = sum_of_hands(hand, hands_max)
            return value, value
        other = TEN if up == ACE else ACE
        natural = []
        for extra in numbers:
            there = left[other] - (extra + 1.0) * (other == pair) - (other == up)
            natural.append(float(max(there, 0.0) / (left.sum() - extra - 2.0)))
        unharmed = OneHand([each[0] for each in free], [each[1] for each in free], again)
        live = OneHand(
            [a - b for a, b in zip(unharmed.any_card, hand.any_card, strict=True)],
            [a - b for a, b in zip(unharmed.other_card, hand.other_card, strict=True)],
            again,
        )
        harmless = sum_of_hands(unharmed, hands_max)
        taken_at_most = min(natural[0], sum_of_hands(live, hands_max))
        return harmless - chance_that_one_is_live(again, natural, live, hands_max), harmless - taken_at_most

    def _again(self, pair: int, up: int, left: Array, number: int) -> list[float]:
        """The chance that a split hand's second card is of the pair's value, with 0, 1, 2, ... of them gone before.

        `left` still holds the hand's own card.
        """
        there, size = float(left[pair]) - 1.0 - (up == pair), float(left.sum()) - 2.0
        return [max(there - extra, 0.0) / (size - extra) for extra in range(number)]

    def _shares_natural(self, up: int) -> bool:
        """Whether hands of a split owe a dealer natural one amount together."""
        return self.rules.one_original and up in (ACE, TEN)

    def _told(self, plan: Plan, left: Array, limit: int, again: list[float]) -> tuple[float, Money]:
        """The mean of all wagers of a split, exactly, and the chance of each result.

        For the results hands are taken as independent once the dealer's end is known, and whether their second card is
        of the pair's value: their cards come from one shoe, so this is near the truth and not the truth itself.
        """
        wagers = []
        cells: list[tuple[Array, Array]] = []
        for extra in range(extras_needed(limit) + 1):
            rest = left.copy()
            rest[plan.pair] -= extra
            if rest[plan.pair] - (plan.up == plan.pair) < 1.0:
                wagers.append((0.0, 0.0))
                continue
            other, doubled = self._cells(plan, rest, pairs=False)
            pair, doubled_pair = self._cells(plan, rest, pairs=True)
            wagers.append((1.0 + doubled + doubled_pair, 1.0 - again[extra] + doubled))
            cells.append((other, other + pair))
        wagered = sum_of_hands(OneHand([each[0] for each in wagers], [each[1] for each in wagers], again), limit)
        grid = Grid(self.rules, self.tens, limit, plan.up)
        results = np.zeros((grid.lanes, grid.size))
        for leaf, courses in Counter(leaves(limit)).items():
            chance = courses * alternating(lambda number: chance_drawn(again, number), leaf.drawn, leaf.others)
            if chance <= 0.0 or leaf.drawn >= len(cells):
                continue
            none, some = grid.nothing(), np.zeros_like(results)
            for each in (*[cells[leaf.drawn][0]] * leaf.others, *[cells[leaf.drawn][1]] * leaf.free):
                given = each.sum(axis=1)
                gone, waits = grid.paid(each, given, live=False)
                still_none, now_some = np.zeros_like(none), np.zeros_like(some)
                grid.add(still_none, gone, none)
                grid.add(now_some, waits, none)
                for paid in grid.paid(each, given, live=True):
                    grid.add(now_some, paid, some)
                none, some = still_none, now_some
            results += chance * (none + some)
        return wagered, grid.money(results, grid.chances(cells[0][1].sum(axis=1)))

    def _cells(self, plan: Plan, left: Array, *, pairs: bool) -> tuple[Array, float]:
        """How often each outcome of one hand comes with each end of the dealer, and how often it is doubled.

        Of hands whose second card is of the pair's value, or of all others.
        """
        hands, pair, up, finals = self.hands, plan.pair, plan.up, self._shown(0)
        mass = np.zeros((len(hands.hard), 3))
        mass_2 = np.zeros((len(hands.hard), 3, 3))
        cells = np.zeros((FINALS, k.OUTCOMES))
        one_suit: list[tuple[int, int, int, float]] = []
        size = left.sum() - 2.0
        for second in range(10):
            there = left[second] - (second == pair) - (second == up)
            if there <= 0.0 or pairs != (second == pair):
                continue
            hand = int(hands.next[plan.start, second])
            chance = float(there / size)
            if {pair, second} == {ACE, TEN}:
                k.note(cells, finals[hand, up], k.O_NATURAL, chance)
                continue
            if plan.frozen:
                total = int(hands.hard[hand]) + 10
                k.note_live(cells, finals[hand, up], k.O_STOOD_WON, chance, total, self.array[k.R_TIES_LOSE])
                continue
            if second not in plan.chosen:
                continue  # only part of a card is left, as at a count from few decks
            cases = self._split_suits(pair, second, up, left)
            for place, (act, (share, gain)) in enumerate(zip(plan.chosen[second], cases, strict=True)):
                mass_2[hand, self._ones(pair, second), act] += chance * share
                kind = 0 if not place else 2 if SUITS[place - 1] == "s" else 1
                odds = self.suit_odds[pair == second][kind]
                if act == k.HIT and gain > 0.0 and odds:
                    one_suit.append((second, hand, kind, chance * share * gain / odds))
        doubled = 0.0
        if not plan.frozen:
            doubled = k.trace(
                left, plan.wanted, hands.cards, hands.hard, hands.size, hands.next, finals, self._split_array(1.0),
                self.ones_max, up, plan.choice, plan.forfeits, mass, mass_2, cells,
            )  # fmt: skip
        for second, hand, kind, chance in one_suit:
            suited(cells, finals[hand, up], sevens=pair == second, kind=kind, chance=chance)
        return cells, float(doubled)

    def _split_21(self, dealer_natural: float, up: int) -> float:
        """Ace and ten after a split: a natural where the rules say so, else any 21."""
        if self.rules.split_natural:
            return self._natural(dealer_natural, up)
        return float(self.rules.odds_of_21(2))

    # --- suits ---

    def _split_suits(self, pair: int, second: int, up: int, left: Array) -> list[tuple[float, float]]:
        """Share and gain of each case of suits of a split hand; it looks at its own two suits alone."""
        low, high = min(pair, second), max(pair, second)
        third = THIRD.get((low, high))
        if third is None:
            return PLAIN
        there = left[third] - (third == up) - (2 if low == high else 0)
        chance = max(there, 0.0) / (left.sum() - 3.0)
        return [(share, chance * gain) for share, gain in self._suit_gains(low, high, third)]

    def _suit_gains(self, low: int, high: int, third: int) -> list[tuple[float, float]]:
        """Mixed first, then each suit: its share, and what it gains once the third card comes."""
        known = self._gains.get((low, high))
        if known is None:
            same = low == high
            odds = self.suit_odds[same]
            of_low, of_high, of_third = (float(sum(self.suits[place])) for place in (low, high, third))
            rest = of_third - 2.0 * same
            known, mixed = [], 1.0
            for place, suit in enumerate(SUITS):
                share = self.suits[low][place] * max(self.suits[high][place] - same, 0.0) / (of_low * (of_high - same))
                part = max(self.suits[third][place] - 2.0 * same, 0.0) / rest if rest > 0.0 else 0.0
                known.append((share, part * odds[2 if suit == "s" else 1]))
                mixed -= share
            known.insert(0, (mixed, 0.0))
            self._gains[low, high] = known
        return known

    # --- what the kernels read and write ---

    def _play_split(
        self, choice: Array, forfeits: Array, ways: Array, left: Array, wanted: Array, extra: int, weight: float,
        mode: int,
    ) -> None:  # fmt: skip
        hands = self.hands
        k.play_hands(
            left, wanted, hands.cards, hands.hard, hands.size, hands.next, self._shown(extra), self._split_array(1.0),
            NATURAL_COSTS[weight], self.ones_max, mode, 0, 10, choice, forfeits, self._worth_split, ways, self.room,
        )  # fmt: skip

    def _split_array(self, weight: float) -> Array:
        known = self._arrays.get(weight)
        if known is None:
            known = self._arrays[weight] = rules_array(self.rules, weight, split=True)
        return known

    def _room_for(self, weight: float) -> tuple[Array, Array, Array, Array]:
        """Where the plans of one weight are written; those of another pair may be written over."""
        known = self._room.get(weight)
        if known is None:
            known = self._room[weight] = (
                np.zeros_like(self.choice),
                np.zeros_like(self.forfeits),
                np.zeros_like(self.ways),
                np.zeros((len(self.hands.hard), 3), np.bool_),
            )
        return known

    def _shown(self, extra: int) -> Array:
        """The dealer's chances against split hands, with `extra` further cards of the pair's value out of the shoe."""
        while len(self._dealers) <= extra:
            self._dealers.append(np.zeros_like(self.finals))
        return self._dealers[extra]

    def _take_out(self, pair: int, extra: int, left: Array, plans: list[Plan]) -> None:
        """Fill `_shown` for the hands that these plans need."""
        hands = self.hands
        rest = left.copy()
        rest[pair] -= extra
        needed = union([plan.needed for plan in plans])
        some = needed[(hands.cards[needed] <= rest).all(axis=1)]
        if len(some):
            k.dealer_finals(rest, some, hands.cards, hands.size, *self.tree, self._shown(extra))


def union(lists: list[Array]) -> Array:
    """All hands of some lists, in the order of the table of hands."""
    there = np.zeros(len(player_hands().hard), np.bool_)
    for each in lists:
        there[each] = True
    return np.flatnonzero(there)
