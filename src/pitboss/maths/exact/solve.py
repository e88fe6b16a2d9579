"""The fast road to a round's value: any shoe, best play by the cards held, every figure of the report.

Exact but for splits, whose hands are played by a fixed policy (`splits`), and for the last digits of a float.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import sqrt
from typing import Any, NamedTuple

import msgspec

from pitboss.basics.cards import RANKS, SUITS, VALUE
from pitboss.maths.exact.compiled import available
from pitboss.maths.exact.rules import (
    ANY_BELOW_21,
    AS_USUAL,
    FIRST_TWO_COUNT_ONE,
    HELD_COUNT_ONE,
    TWO_HARD_9_TO_11,
    TWO_OR_THREE,
    Rules,
    compile_rules,
)
from pitboss.maths.exact.splits import (
    OneHand,
    chance_that_one_is_live,
    extras_needed,
    hands_formed,
    sum_of_hands,
    two_hands,
)
from pitboss.maths.shoes import MathsError, Shoe
from pitboss.maths.side_bets import super_bonus_cents
from pitboss.rulebooks.terms import Rulebook

available()
import numpy as np  # noqa: E402 - only once it is known to be there

from pitboss.maths.exact import kernels as k  # noqa: E402
from pitboss.maths.exact.tables import FINALS, NATURAL, dealer_tree, player_hands  # noqa: E402

Array = Any
ACE, TEN = 0, 9
VALUES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
NEVER = -1e9
NEAR, CLOSE, PER_CARD = 0.06, 0.03, 5.0
"""A split that is worse than another act by more than this, judged roughly and without re-splits, is not looked at; in
a small shoe, where cards matter more, the margin is wider by `PER_CARD` over the number of cards."""
SURRENDER_LOSES = 0.5
PLAIN = [(1.0, 0.0)]
"""Suits do not matter."""
SPLIT_ERROR, SPLIT_ERROR_CARDS = 1e-5, 8e-3
"""How much more than this answer joint play of split hands could bring: the first, and the second over the number of
cards; docs/maths.md tells where they come from."""
AGAIN_ERROR, AGAIN_ERROR_CARDS = 5e-6, 6e-3
"""The same where two hands are played jointly and hands that are split again are not."""
ROUNDING_ERROR = 1e-11
JOINT_ERROR, JOINT_NEAR = 1e-7, 0.02
"""What seeing the other hand's suits could add to joint play, and how near a split must come to be played jointly."""

THIRD = {(5, 6): 7, (5, 7): 6, (6, 7): 5, (6, 6): 6}
"""Two cards (values less 1) that one more makes 6-7-8 or 7-7-7."""
THIRDS: Array = np.array(
    [[THIRD.get((min(pair, other), max(pair, other)), 0) for other in range(10)] for pair in range(10)]
)
SUITED_RANKS = {5: "6", 6: "7", 7: "8"}
STAND, HIT, DOUBLE, SPLIT, SURRENDER, PAID = "stand", "hit", "double", "split", "surrender", "natural"
ACTS = (STAND, HIT, DOUBLE)
POLICY, JOINT = "policy", "exact"
"""How split hands are played."""


class Outcome(msgspec.Struct, frozen=True):
    """How often something happens, and what it brings, for each original wager of 1."""

    name: str
    frequency: float
    contribution: float


class OpeningHand(msgspec.Struct, frozen=True):
    """Two cards against one up card, suits taken together."""

    cards: str
    """As in A-10 or 7-7."""
    up: str
    chance: float
    ev: float
    act: str
    """The best act; where suits decide, the one that is best most often."""
    acts: dict[str, float]
    """The value of each act that is allowed, suits taken together."""


class Solution(msgspec.Struct, frozen=True):
    """A round's value for an original wager of 1 under best play, and all that the report tells."""

    rulebook: str
    shoe: str
    ev: float
    standard_deviation: float
    total_wagered: float
    """The mean of all that is put at risk, doubles and splits included."""
    outcomes: tuple[Outcome, ...]
    by_up: dict[str, tuple[float, float]]
    """For each first card of the dealer: its chance and the value given it."""
    by_hand: dict[str, tuple[float, float]]
    openings: tuple[OpeningHand, ...]
    error_bound: float
    method: str

    @property
    def element_of_risk(self) -> float:
        return self.ev / self.total_wagered


def solve(
    rulebook: Rulebook,
    shoe: Shoe | None = None,
    *,
    resplit: bool = False,
    wager_cents: int | None = None,
    insurance: bool = False,
    splits: str = POLICY,
    progress: Callable[[str], None] | None = None,
) -> Solution:
    """The value of a round, with the first shoe that a table would open with unless another is given.

    `resplit` where the house allows the third hand that NSW 13.9 leaves to it. `wager_cents` takes in the Super Bonus
    for an original wager of that size. `insurance` takes insurance whenever the player's own two cards make it pay.
    With `splits` "exact" two hands of a split are played jointly as well as can be, which takes minutes.
    """
    solver = solver_for(rulebook, shoe, resplit=resplit, wager_cents=wager_cents, insurance=insurance)
    return solver.solution(splits=splits, progress=progress)


def value(rulebook: Rulebook, shoe: Shoe | None = None, *, resplit: bool = False) -> float:
    """The value alone, without the tables of the report."""
    return solver_for(rulebook, shoe, resplit=resplit).value()


def solver_for(
    rulebook: Rulebook,
    shoe: Shoe | None = None,
    *,
    resplit: bool = False,
    wager_cents: int | None = None,
    insurance: bool = False,
) -> Solver:
    """A solver that can be asked for more than one thing."""
    shoe = Shoe.of_decks(rulebook) if shoe is None else shoe
    bonus = 0.0 if wager_cents is None else super_bonus_cents(rulebook, wager_cents) / wager_cents
    return Solver(rulebook, compile_rules(rulebook, resplit=resplit), shoe, bonus, insurance)


class SplitValue(NamedTuple):
    value: float
    hands: float
    wagered: float
    second_moment: float
    weight: float
    """The policy: what a dealer natural was taken to cost a hand."""
    hands_max: int
    """2 where it is best never to split again."""
    pairs: float
    """How often two of its hands stand beside each other, on the mean."""
    alone: float
    """The chance that it stays with two hands."""


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


HANDS = len(player_hands().hard)

WHOLE, SHARED_HALF, SHARED_NOT = (np.full(10, 1.0) for _ in range(3))
SHARED_HALF[[ACE, TEN]], SHARED_NOT[[ACE, TEN]] = 0.5, 0.0
NATURAL_COSTS = {1.0: WHOLE, 0.5: SHARED_HALF, 0.0: SHARED_NOT}
"""What a dealer natural is taken to cost a hand, against each up card."""

Hands01 = tuple[list[tuple[float, float]], list[tuple[float, float]]]
"""What one hand of a split brings where a dealer natural costs it 1, and where it costs nothing."""


class Solver:
    """One shoe under one set of rules."""

    def __init__(self, rulebook: Rulebook, rules: Rules, shoe: Shoe, bonus: float, insurance: bool) -> None:
        self.rulebook, self.rules, self.bonus, self.insured = rulebook, rules, bonus, insurance
        self.hands = player_hands()
        self.tree = dealer_tree(rules.hard_stand, rules.soft_stand)
        self.array: Array = _array(rules, 1.0)
        self.ones_max = 2 if rules.double_aces == FIRST_TWO_COUNT_ONE else 0
        self.suit_odds = tuple(
            tuple(float(each - odds[0]) for each in odds) for odds in (rules.odds_678, rules.odds_777)
        )
        """What 6-7-8 (first) and 7-7-7 are paid more where they are mixed (nothing), suited, spades."""
        self.telling = False
        """Whether more than the value is wanted."""
        self.every_split = False
        """Whether splits that cannot be best are valued too."""
        number = len(self.hands.hard)
        self.finals: Array = np.zeros((number, 10, FINALS))
        self.choice: Array = np.zeros((number, 3, 10), np.int64)
        self.forfeits: Array = np.zeros((number, 3, 10), np.int64)
        self.worth: Array = np.zeros((number, 3, 10))
        self.ways: Array = np.zeros((number, 3, 10, 3))
        self._worth_split: Array = np.zeros_like(self.worth)
        self.room: Array = np.zeros((3, number, 10))
        """Where the kernels note what hands are worth when they stop."""
        self._dealers: list[Array] = []
        self._arrays: dict[float, Array] = {}
        self._room: dict[float, tuple[Array, Array, Array, Array]] = {}
        self.fill(shoe)

    def fill(self, shoe: Shoe) -> None:
        """Begin with this shoe."""
        _refuse_small(shoe, self.rules)
        self.shoe = shoe
        self.left: Array = np.array(shoe.values, np.float64)
        """With the up card and the hands still in it."""
        self.size = float(self.left.sum())
        self.suits = {
            place: tuple(float(shoe.count(rank + suit)) for suit in SUITS) for place, rank in SUITED_RANKS.items()
        }
        self.ranked = self._ranked_mean()
        self.splits: dict[tuple[int, int], SplitValue] = {}
        self.kept: dict[tuple[int, int], KeptPlan] = {}
        self._twos: dict[tuple[int, int], int] = {}
        self._surrenders: list[float] = []
        self._gains: dict[tuple[int, int], list[tuple[float, float]]] = {}

    # --- the parts of an answer ---

    def value(self) -> float:
        self._play()
        return self.value_of_openings()

    def value_of_openings(self) -> float:
        return float(sum(opening.chance * opening.ev for opening in self.openings()))

    def solution(self, *, splits: str = POLICY, progress: Callable[[str], None] | None = None) -> Solution:
        if splits not in (POLICY, JOINT):
            raise MathsError(f"splits {splits!r}: {POLICY} and {JOINT} are known.")
        exact = splits == JOINT
        self.telling = True
        self._play()
        joint_error = self._join(progress) if exact else 0.0
        openings = tuple(self.openings())
        ev = float(sum(opening.chance * opening.ev for opening in openings))
        outcomes, second, wagered = self._outcomes()
        by_up = {up: _mean([each for each in openings if each.up == up]) for up in VALUES}
        by_hand: dict[str, list[OpeningHand]] = {}
        for each in openings:
            by_hand.setdefault(each.cards, []).append(each)
        method, error = METHOD, ROUNDING_ERROR
        if self.rules.hands_max > 1 and exact:
            method, error = METHOD_JOINT if self.rules.hands_max == 2 else METHOD_JOINT_AGAIN, joint_error
        elif self.rules.hands_max > 1:
            method, error = METHOD_SPLITS, ROUNDING_ERROR + SPLIT_ERROR + SPLIT_ERROR_CARDS / self.size
        return Solution(
            rulebook=self.rulebook.name,
            shoe=self.shoe.description,
            ev=ev,
            standard_deviation=sqrt(max(second - ev * ev, 0.0)),
            total_wagered=wagered,
            outcomes=outcomes,
            by_up={up: each for up, each in by_up.items() if each[0] > 0.0},
            by_hand={cards: _mean(each) for cards, each in by_hand.items()},
            openings=openings,
            error_bound=error,
            method=method,
        )

    def _play(self) -> None:
        """Value every hand of the first two cards on, splits aside, then the splits."""
        hands = self.hands
        wanted = np.flatnonzero((hands.cards <= self.left).all(axis=1))
        self.wanted: Array = wanted
        k.dealer_finals(self.left, wanted, hands.cards, hands.size, *self.tree, self.finals)
        k.play_hands(
            self.left, wanted, hands.cards, hands.hard, hands.size, hands.next, self.finals, self.array, WHOLE,
            self.ones_max, k.BEST, 0, 10, self.choice, self.forfeits, self.worth, self.ways, self.room,
        )  # fmt: skip
        if self.rules.hands_max > 1:
            for pair in range(10):
                self._split(pair)

    def _join(self, progress: Callable[[str], None] | None) -> float:
        """Put best joint play in the place of the policy, for every split that comes near; what it may be wrong by.

        Two hands are played jointly. Where a pair may be split again, what joint play gains on two hands is taken to
        come once for every two of the hands that are formed, since hands touch two by two; all that is put down to
        hands split again counts as error.
        """
        from pitboss.maths.exact.joint import JointSplit

        two = self
        if self.rules.hands_max > 2:
            two = Solver(self.rulebook, msgspec.structs.replace(self.rules, hands_max=2), self.shoe, self.bonus, False)
            two._play()
        margin, error = JOINT_NEAR + PER_CARD / self.size, JOINT_ERROR
        if two is not self:
            error += AGAIN_ERROR + AGAIN_ERROR_CARDS / self.size
        near = [key for key, split in self.splits.items() if split.value > self._otherwise(*key) - margin]
        pairs = sorted({pair for pair, _ in near})
        for place, pair in enumerate(pairs, start=1):
            if progress is not None:
                what = f"joint play of split pairs of {VALUES[pair]}"
                progress(f"{what}, {place} of {len(pairs)}; minutes in all, the low pairs take longest")
            ups = [up for first, up in near if first == pair and (pair, up) in two.splits]
            for up, worth in JointSplit(two, pair).values(ups).items():
                split = self.splits[pair, up]
                gain = worth - two.splits[pair, up].value
                if two is self:
                    self.splits[pair, up] = split._replace(value=worth)
                    continue
                self.splits[pair, up] = split._replace(value=split.value + gain * split.pairs)
                chance = self._chance_of(pair, pair, up) if split.value > self._otherwise(pair, up) - margin else 0.0
                error += chance * abs(gain) * abs(split.pairs - split.alone)
        return error

    def _chance_of(self, first: int, second: int, up: int) -> float:
        """The chance of these two cards and this up card."""
        left, size = self.left, self.size
        ways = left[first] * (left[second] - (first == second)) * (1 if first == second else 2)
        there = left[up] - (up == first) - (up == second)
        return float(ways * there / (size * (size - 1) * (size - 2)))

    def openings(self) -> Iterator[OpeningHand]:
        """Every two cards against every up card, with the acts that are allowed."""
        left, size = self.left, self.size
        for first in range(10):
            for second in range(first, 10):
                hand = self._two(first, second)
                if hand < 0:
                    continue
                ways = left[first] * (left[second] - (first == second)) * (1 if first == second else 2)
                for up in range(10):
                    there = left[up] - (up == first) - (up == second)
                    chance = ways * there / (size * (size - 1) * (size - 2))
                    if chance > 0.0:
                        yield self._opening(first, second, up, hand, chance)

    def openings_told(self) -> Iterator[tuple[int, int, int, int]]:
        """Every two cards and up card that can be dealt, and the hand they are."""
        for up in range(10):
            for first, second, hand, _ in self._openings_against(up):
                yield first, second, up, hand

    def given_up(self, other: Any, natural: Any) -> Any:
        """What surrender loses, from the chances that the dealer has no natural and that he has one."""
        return SURRENDER_LOSES * other + natural

    def _opening(self, first: int, second: int, up: int, hand: int, chance: float) -> OpeningHand:
        cards = f"{VALUES[first]}-{VALUES[second]}"
        natural = float(self.finals[hand, up, NATURAL])
        if (first, second) == (ACE, TEN):
            paid = self._natural(natural, up)
            return OpeningHand(cards, VALUES[up], chance, paid, PAID, {PAID: paid})
        ev = 0.0
        weights: dict[str, float] = {}
        acts: dict[str, float] = {}
        for share, values in self._cases(first, second, up, hand):
            act = max(values, key=values.__getitem__)
            ev += share * values[act]
            weights[act] = weights.get(act, 0.0) + share
            for name, each in values.items():
                acts[name] = acts.get(name, 0.0) + share * each
        if SURRENDER in acts:
            acts[SURRENDER] = -self.given_up(1.0 - natural, natural)
        return OpeningHand(
            cards, VALUES[up], chance, ev + self._insurance(natural, up), max(weights, key=weights.__getitem__), acts
        )

    def _cases(self, first: int, second: int, up: int, hand: int) -> Iterator[tuple[float, dict[str, float]]]:
        """The same two values in all the suits that matter, and with all ranks of the up card: share and acts."""
        ones = self._ones(first, second)
        natural = float(self.finals[hand, up, NATURAL])
        values = {act: float(self.ways[hand, ones, up, place]) for place, act in enumerate(ACTS)}
        values = {act: each for act, each in values.items() if each > NEVER / 2}
        if (first, up) in self.splits and first == second:
            values[SPLIT] = self.splits[first, up].value
        given_up = self._surrender_share(up)
        for share, extra, _ in self._suit_cases(first, second, up):
            mine = {**values, HIT: values[HIT] + extra}
            if given_up < 1.0:
                yield share * (1.0 - given_up), mine
            if given_up > 0.0:
                yield share * given_up, {**mine, SURRENDER: -self.given_up(1.0 - natural, natural)}

    def _suit_cases(self, first: int, second: int, up: int) -> Iterator[tuple[float, float, int]]:
        """The suits of an opening hand: share, what suits add to hitting, and the kind (0 mixed, 1 suited, 2 spades).

        Every suit is seen here, the up card's too.
        """
        third = THIRD.get((first, second))
        rules = self.rules
        if third is None:
            yield 1.0, 0.0, 0
            return
        gains = self.suit_odds[first == second]
        bonus = self.bonus if first == second and SUITED_RANKS.get(up) == rules.bonus_rank else 0.0
        ups: tuple[tuple[int, float], ...] = ((-1, 1.0),)
        drawn = self.size - 3.0
        if up in SUITED_RANKS:
            ups = tuple(enumerate(self.suits[up]))
        total, mixed = 0.0, 0.0
        suited: list[tuple[float, float, int]] = []
        for up_suit, up_count in ups:
            for a in range(4):
                for b in range(4):
                    n_a = self.suits[first][a] - (first == up and a == up_suit)
                    n_b = self.suits[second][b] - (second == up and b == up_suit) - (first == second and a == b)
                    weight = up_count * n_a * n_b
                    if weight <= 0.0:
                        continue
                    total += weight
                    if a != b:
                        mixed += weight
                        continue
                    left = self.suits[third][a] - (third == up and a == up_suit) - (2 if first == second else 0)
                    kind = 2 if SUITS[a] == "s" else 1
                    gain = gains[kind] + bonus
                    suited.append((weight, max(left, 0.0) / drawn * gain, kind))
        if mixed:
            yield mixed / total, 0.0, 0
        for weight, extra, kind in suited:
            yield weight / total, extra, kind

    # --- small parts ---

    def _two(self, first: int, second: int) -> int:
        """The hand of these two cards, or -1 where the shoe does not have them."""
        known = self._twos.get((first, second))
        if known is None:
            cards = [0] * 10
            cards[first] += 1
            cards[second] += 1
            there = all(count <= left for count, left in zip(cards, self.left, strict=True))
            known = self._twos[first, second] = self.hands.places[tuple(cards)] if there else -1
        return known

    def _ones(self, first: int, second: int) -> int:
        return (first == ACE) + (second == ACE) if self.ones_max else 0

    def _natural(self, dealer_natural: float, up: int) -> float:
        """What a natural is worth, paid at once or held against the dealer's second card."""
        if self.rules.natural_waits and up in (ACE, TEN):
            alone = float(self.rules.natural_against_other)
            return (1.0 - dealer_natural) * alone + dealer_natural * self.ranked
        return float(self.rules.natural_odds)

    def _ranked_mean(self) -> float:
        """The mean odds of a natural against a natural, over the ranks of two ten-value cards."""
        rules = self.rules
        counts = {rank: self.shoe.rank(rank) for rank in RANKS if VALUE[rank + "s"] == 10 and self.shoe.rank(rank)}
        tens = sum(counts.values())
        if not rules.natural_order or tens < 2:
            return float(rules.natural_rows[1])
        mean = 0.0
        for mine, number in counts.items():
            for dealers, other in counts.items():
                place = rules.natural_order.index(mine) - rules.natural_order.index(dealers)
                row = rules.natural_rows[0 if place < 0 else 2 if place > 0 else 1]
                mean += number * (other - (mine == dealers)) / (tens * (tens - 1)) * float(row)
        return mean

    def _share_of_ranks(self, up: int, ranks: str) -> float:
        """The share of up cards of this value whose rank is among these."""
        mine = [rank for rank in RANKS if VALUE[rank + "s"] == up + 1]
        there = sum(self.shoe.rank(rank) for rank in mine)
        return sum(self.shoe.rank(rank) for rank in mine if rank in ranks) / there if there else 0.0

    def _surrender_share(self, up: int) -> float:
        """The share of up cards of this value that open surrender."""
        if not self._surrenders:
            self._surrenders = [self._share_of_ranks(each, self.rules.surrender_ranks) for each in range(10)]
        return self._surrenders[up]

    def _insurance(self, natural: float, up: int) -> float:
        """Half the wager on a dealer natural, taken only where it pays."""
        terms = self.rulebook.insurance
        if not self.insured or not terms.offered.value:
            return 0.0
        odds = terms.odds.value
        gain = 0.5 * (natural * odds.wins / odds.on - (1.0 - natural))
        return self._share_of_ranks(up, terms.dealer_ranks.value) * max(gain, 0.0)

    # --- splits ---

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
        known, close = 0, CLOSE + PER_CARD / self.size
        for limit in dict.fromkeys((2, rules.hands_max if pair != ACE or rules.aces_resplit else 2)):
            going = [
                plan
                for plan in plans
                if limit == 2 or self.every_split or best[plan.up][0] > self._otherwise(pair, plan.up) - close
            ]
            extras = extras_needed(limit) if going else 0
            while known < extras:
                known += 1
                self._take_out(pair, known, left, going)
            for plan, one in self._one_hands(going, left, limit):
                worth = self._policy_value(plan, left, limit, one)
                if plan.up not in best or worth > best[plan.up][0]:
                    best[plan.up] = (worth, plan, limit, one)
        for up, (worth, plan, limit, one) in best.items():
            self.kept[pair, up] = KeptPlan(
                plan, plan.choice[:, :, up].copy(), plan.forfeits[:, :, up].copy(), left, limit, *one
            )
            again = self._again(pair, up, left, extras_needed(limit) + 1)
            number, pairs = hands_formed(again, limit)
            second, cross, wagered = self._moments(plan, left) if self.telling else (0.0, 0.0, 0.0)
            self.splits[pair, up] = SplitValue(
                float(worth), number, number * wagered, number * second + pairs * cross, plan.weight, limit,
                pairs / 2.0, 1.0 if limit == 2 else two_hands(again),
            )  # fmt: skip

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
        rough = 0.0
        for second in range(10):
            there = self.left[second] - 2 * (second == pair) - (second == up)
            two = self._two(pair, second)
            if there > 0 and two >= 0:
                paid = 2.0 if {pair, second} == {ACE, TEN} else float(self.worth[two, self._ones(pair, second), up])
                rough += there / size * paid
        return (
            2.0 * rough + float(self.finals[hand, up, NATURAL])
            > self._otherwise(pair, up) - NEAR - PER_CARD / self.size
        )

    def _otherwise(self, pair: int, up: int) -> float:
        """The best act besides splitting."""
        hand = self._two(pair, pair)
        other = float(self.ways[hand, self._ones(pair, pair), up].max())
        if self._surrender_share(up) > 0.0:
            natural = float(self.finals[hand, up, NATURAL])
            other = max(other, -self.given_up(1.0 - natural, natural))
        return other

    def _weights(self, up: int, frozen: bool) -> tuple[float, ...]:
        """What a dealer natural may be taken to cost a hand: less than its wager where others share the one amount."""
        shared = self.rules.one_original and up in (ACE, TEN) and not frozen
        return (0.0, 0.5, 1.0) if shared else (1.0,)

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

    def _best_for(self, weight: float, left: Array, wanted: Array) -> None:
        """Best play of one split hand against every up card, if a dealer natural costs it `weight`."""
        choice, forfeits, ways, _ = self._room_for(weight)
        self._play_split(choice, forfeits, ways, left, wanted, 0, weight, k.BEST)

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
            known = self._arrays[weight] = _array(self.rules, weight, split=True)
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

    def _again(self, pair: int, up: int, left: Array, number: int) -> list[float]:
        """The chance that a split hand's second card is of the pair's value, with 0, 1, 2, ... of them gone before.

        `left` still holds the hand's own card.
        """
        there, size = float(left[pair]) - 1.0 - (up == pair), float(left.sum()) - 2.0
        return [max(there - extra, 0.0) / (size - extra) for extra in range(number)]

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

    def _shares_natural(self, up: int) -> bool:
        """Whether hands of a split owe a dealer natural one amount together."""
        return self.rules.one_original and up in (ACE, TEN)

    def _policy_value(self, plan: Plan, left: Array, hands_max: int, one: Hands01) -> float:
        """What a split brings when all its hands follow one plan."""
        pair, up = plan.pair, plan.up
        full, free = one
        numbers = range(extras_needed(hands_max) + 1)
        again = self._again(pair, up, left, len(numbers))
        hand = OneHand([each[0] for each in full], [each[1] for each in full], again)
        if not self._shares_natural(up):
            return sum_of_hands(hand, hands_max)
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
        return sum_of_hands(unharmed, hands_max) - chance_that_one_is_live(again, natural, live, hands_max)

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

    def _split_21(self, dealer_natural: float, up: int) -> float:
        """Ace and ten after a split: a natural where the rules say so, else any 21."""
        if self.rules.split_natural:
            return self._natural(dealer_natural, up)
        return float(self.rules.odds_of_21(2))

    def _moments(self, plan: Plan, left: Array) -> tuple[float, float, float]:
        """Of one split hand: the mean square of what it brings, the mean product with another one, the mean wager.

        Two hands share the dealer's end and are taken as independent given it; the deviation alone rests on this.
        """
        hands, pair, up, finals = self.hands, plan.pair, plan.up, self._shown(0)
        mass = np.zeros((len(hands.hard), 3))
        mass_2 = np.zeros((len(hands.hard), 3, 3))
        outcomes, by_final = np.zeros((k.OUTCOMES, 3)), np.zeros((FINALS, 2))
        size = left.sum() - 2.0
        for second in range(10):
            there = left[second] - (second == pair) - (second == up)
            if there <= 0.0:
                continue
            hand = int(hands.next[plan.start, second])
            chance = there / size
            if {pair, second} == {ACE, TEN}:
                paid = self._split_21(float(finals[hand, up, NATURAL]), up)
                k.note(outcomes, by_final, finals[hand, up], k.O_21, chance, paid)
                continue
            cases = PLAIN if plan.frozen else self._split_suits(pair, second, up, left)
            for act, (share, _) in zip(plan.chosen[second], cases, strict=True):
                mass_2[hand, self._ones(pair, second), act] += chance * share
        doubled = k.trace(
            left, plan.wanted, hands.cards, hands.hard, hands.size, hands.next, finals, self._split_array(1.0),
            self.ones_max, up, plan.choice, plan.forfeits, mass, mass_2, outcomes, by_final,
        )  # fmt: skip
        cross = sum(float(paid) ** 2 / float(chance) for chance, paid in by_final if chance > 0.0)
        return float(outcomes[:, 2].sum()), cross, 1.0 + float(doubled)

    # --- the report ---

    def _outcomes(self) -> tuple[tuple[Outcome, ...], float, float]:
        """How often everything happens, the mean square, and the mean of all wagers."""
        hands = self.hands
        outcomes = np.zeros((k.OUTCOMES, 3))
        found: dict[str, list[float]] = {}
        wagered, second = 0.0, 0.0
        mass = np.zeros((len(hands.hard), 3))
        suited: dict[tuple[int, int], list[float]] = {}

        def tell(name: str, frequency: float, contribution: float) -> None:
            each = found.setdefault(name, [0.0, 0.0])
            each[0] += frequency
            each[1] += contribution

        for up in range(10):
            mass_2 = np.zeros((len(hands.hard), 3, 3))
            for opening in self._openings_against(up):
                first, other, hand, chance = opening
                natural = float(self.finals[hand, up, NATURAL])
                if (first, other) == (ACE, TEN):
                    paid = self._natural(natural, up)
                    tell("natural", chance, chance * paid)
                    second += chance * self._natural_square(natural, up)
                    wagered += chance
                    continue
                gain = self._insurance(natural, up)
                if gain > 0.0:
                    tell("insurance", chance, chance * gain)
                for (share, values), (extra, kind) in self._cases_with_kind(first, other, up, hand):
                    act = max(values, key=values.__getitem__)
                    part = chance * share
                    if act == SPLIT:
                        split = self.splits[first, up]
                        tell("split", part, part * split.value)
                        second += part * split.second_moment
                        wagered += part * split.wagered
                    elif act == SURRENDER:
                        tell("surrender, half lost", part * (1.0 - natural), -0.5 * part * (1.0 - natural))
                        tell("surrender, dealer natural", part * natural, -part * natural)
                        second += part * (0.25 * (1.0 - natural) + natural)
                        wagered += part
                    else:
                        way = ACTS.index(act)
                        mass_2[hand, self._ones(first, other), way] += part
                        wagered += part
                        if act == HIT and kind:
                            odds = self.rules.odds_777 if first == other else self.rules.odds_678
                            gain_each = float(odds[kind] - odds[0])
                            bonus = (
                                self.bonus if first == other and SUITED_RANKS.get(up) == self.rules.bonus_rank else 0.0
                            )
                            if gain_each + bonus:
                                each = suited.setdefault((first == other, kind), [0.0, 0.0, 0.0])
                                each[0] += part * extra / (gain_each + bonus)
                                each[1] += part * extra / (gain_each + bonus) * bonus
                                each[2] = gain_each
                                base = float(odds[0])
                                full = base + gain_each + bonus
                                second += part * extra / (gain_each + bonus) * (full**2 - base**2)
            by_final = np.zeros((FINALS, 2))
            wagered += k.trace(
                self.left, self.wanted, hands.cards, hands.hard, hands.size, hands.next, self.finals, self.array,
                self.ones_max, up, self.choice, self.forfeits, mass, mass_2, outcomes, by_final,
            )  # fmt: skip
        second += float(outcomes[:, 2].sum())
        for place, name in enumerate(OUTCOME_NAMES):
            if outcomes[place, 0] > 0.0:
                tell(name, float(outcomes[place, 0]), float(outcomes[place, 1]))
        for (sevens, kind), (chance, bonus_part, gain_each) in suited.items():
            name = "7-7-7" if sevens else "6-7-8"
            odds = self.rules.odds_777 if sevens else self.rules.odds_678
            tell(f"21 by {name}, mixed", -chance, -chance * float(odds[0]))
            tell(f"21 by {name}, {'spades' if kind == 2 else 'suited'}", chance, chance * (float(odds[0]) + gain_each))
            if bonus_part:
                tell("Super Bonus", chance if sevens else 0.0, bonus_part)
        told = tuple(Outcome(name, each[0], each[1]) for name, each in found.items())
        return tuple(sorted(told, key=lambda each: -each.frequency)), second, wagered

    def _openings_against(self, up: int) -> Iterator[tuple[int, int, int, float]]:
        left, size = self.left, self.size
        for first in range(10):
            for second in range(first, 10):
                hand = self._two(first, second)
                there = left[up] - (up == first) - (up == second)
                if hand < 0 or there <= 0.0:
                    continue
                ways = left[first] * (left[second] - (first == second)) * (1 if first == second else 2)
                yield first, second, hand, ways * there / (size * (size - 1) * (size - 2))

    def _cases_with_kind(
        self, first: int, second: int, up: int, hand: int
    ) -> Iterator[tuple[tuple[float, dict[str, float]], tuple[float, int]]]:
        """`_cases` beside the gain and the kind of suits of each."""
        given_up = self._surrender_share(up)
        times = (given_up < 1.0) + (given_up > 0.0)
        kinds = [(extra, kind) for _, extra, kind in self._suit_cases(first, second, up) for _ in range(times)]
        yield from zip(self._cases(first, second, up, hand), kinds, strict=True)

    def _natural_square(self, dealer_natural: float, up: int) -> float:
        """The mean square of what a natural is paid; between two naturals the mean odds stand for all rows."""
        if self.rules.natural_waits and up in (ACE, TEN):
            alone = float(self.rules.natural_against_other)
            return (1.0 - dealer_natural) * alone**2 + dealer_natural * self.ranked**2
        return float(self.rules.natural_odds) ** 2


METHOD = "best play by the cards held, all up cards and hands enumerated, float64"
METHOD_JOINT = METHOD + "; the two hands of a split by best joint play, each looking at its own suits"
METHOD_JOINT_AGAIN = (
    METHOD + "; two hands of a split by best joint play, more hands by a policy and what joint play gains two by two"
)
METHOD_SPLITS = METHOD + "; split hands by a fixed policy on their own cards, always or never split again"

OUTCOME_NAMES = (
    "stood, won", "stood, lost", "stood, stand off", "stood, dealer natural", "bust", "21, any other",
    "21 of five cards", "21 of six cards", "21 of seven or more cards", "21 by 6-7-8, mixed", "21 by 7-7-7, mixed",
    "five card trick", "doubled, won", "doubled, lost", "doubled, stand off", "doubled, dealer natural",
    "doubled, bust",
    "doubled, 21", "doubled, five card trick", "doubled, forfeited",
)  # fmt: skip


def union(lists: list[Array]) -> Array:
    """All hands of some lists, in the order of the table of hands."""
    there = np.zeros(HANDS, np.bool_)
    for each in lists:
        there[each] = True
    return np.flatnonzero(there)


def _array(rules: Rules, natural: float, *, split: bool = False) -> Array:
    """Rules as the kernels read them; `natural` is what a dealer natural takes where it takes one amount."""
    array = np.zeros(k.R_SIZE)
    array[k.R_MUST_DRAW] = rules.must_draw_below
    array[k.R_DOUBLE_HANDS] = {ANY_BELOW_21: 0, TWO_HARD_9_TO_11: 1, TWO_OR_THREE: 2}[rules.double_hands]
    array[k.R_DOUBLE_ACES] = {AS_USUAL: 0, HELD_COUNT_ONE: 1, FIRST_TWO_COUNT_ONE: 2}[rules.double_aces]
    array[k.R_FORFEIT] = rules.forfeit
    array[k.R_TIES_LOSE] = rules.ties_lose
    array[k.R_TRICK] = rules.five_card_trick
    array[k.R_EVEN] = float(rules.even_money)
    array[k.R_DOUBLED] = float(rules.doubled_odds)
    array[k.R_ODDS_4 : k.R_ODDS_7 + 1] = [float(odds) for odds in rules.odds_by_count]
    array[k.R_678] = float(rules.odds_678[0])
    array[k.R_777] = float(rules.odds_777[0])
    array[k.R_NATURAL_1] = natural if rules.one_original else 1.0
    array[k.R_NATURAL_2] = natural if rules.one_original else 2.0
    array[k.R_MAY_DOUBLE] = rules.double_after_split or not split
    array[k.R_ONE_ORIGINAL] = rules.one_original
    return array


def _mean(openings: list[OpeningHand]) -> tuple[float, float]:
    chance = sum(each.chance for each in openings)
    return chance, sum(each.chance * each.ev for each in openings) / chance if chance else 0.0


def cards_needed(shoe: Shoe, rules: Rules) -> int:
    """How many of these cards a round may take."""
    sides = max(rules.hands_max, 1) + 1
    room, needed = 21 * sides, sides
    for points, count in enumerate(shoe.values, start=1):
        fits = min(count, room // points)
        needed += fits
        room -= fits * points
    return needed


def _refuse_small(shoe: Shoe, rules: Rules) -> None:
    """A shoe that could run out within a round has no value: the rules then shuffle what lies on the table aside."""
    needed = cards_needed(shoe, rules)
    if shoe.size < needed:
        raise MathsError(f"impossible shoe: {shoe.size} cards, but a round may need {needed} of these.")
