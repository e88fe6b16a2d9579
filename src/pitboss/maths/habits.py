"""What people bring who play by a chart, forget it, or err: every decision a chance, the whole valued exactly.

A habit is a few charts, each with how often a decision is taken by it, and a rate of errors: so often another legal act
than the chart's is taken, each as likely. Decisions are independent. Hands are valued from the highest totals down, as
best play is, with the mean over what is decided in the place of the best; split hands too, which are split again
whenever the rules allow. Nothing is simulated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from pitboss.maths.exact import kernels as k
from pitboss.maths.exact.charts import Chart, Charter, Level
from pitboss.maths.exact.policy import NATURAL_COSTS, THIRDS, Plan
from pitboss.maths.exact.solve import Solver
from pitboss.maths.exact.splits import extras_needed
from pitboss.maths.exact.tables import NATURAL
from pitboss.maths.exact.words import ACE, SUITED_RANKS, TEN, THIRD
from pitboss.maths.shoes import MathsError

Array = Any
PLAIN = Level("total, number of cards and pairs", suits=False, drawn_aces=False)
TOTALS = Level("total and pairs alone", counts=False, drawn_aces=False, suits=False)


class Habit(msgspec.Struct, frozen=True):
    """How somebody decides."""

    charts: tuple[tuple[float, Chart], ...]
    """How often a decision is taken by each chart; adds up to 1."""
    errs: float = 0.0
    """How often another act than the chart's is taken."""


class Habits(Charter):
    """Values habits for a solver that has played; charts must be of its own groups (`fitted`)."""

    def __init__(self, solver: Solver, level: Level = PLAIN) -> None:
        if level.suits:
            raise MathsError("charts that look at suits are not mixed with errors.")
        super().__init__(solver, level)
        hands = solver.hands
        self._order = [
            np.flatnonzero((hands.hard == hard) & (hands.size >= 2) & (hands.cards <= solver.left).all(axis=1))
            for hard in range(int(hands.hard.max()), 1, -1)
        ]
        self._paid, self._over = self._at_once()

    def fitted(self, chart: Chart, groups: Sequence[Any] | None = None) -> Chart:
        """A chart made elsewhere, by its rows; a row that it lacks stands from 17."""
        places = {group: place for place, group in enumerate(chart.groups if groups is None else groups)}
        arrays: dict[str, Any] = {
            name: np.zeros((len(self.groups), 10), bool) for name in ("stand", "double", "give_up")
        }
        for place, group in enumerate(self.groups):
            other = places.get(group)
            if other is None:
                other = places.get(group._replace(cards=0, pair=0), places.get(group._replace(pair=0)))
            for name, array in arrays.items():
                if other is not None:
                    array[place] = getattr(chart, name)[other]
                elif name == "stand":
                    array[place] = group.total >= 17
        reached = np.zeros((len(self.groups), 10))
        return chart._replace(level=self.level, groups=self.groups, reached=reached, suited={}, **arrays)

    def _at_once(self) -> tuple[Array, Array]:
        """[hand, card]: what a hand that hits is paid at once, and whether it is over then."""
        hands, rules = self.solver.hands, self.solver.array
        paid, over = np.zeros((len(hands.hard), 10)), np.zeros((len(hands.hard), 10), bool)
        trick = self.solver.rules.five_card_trick
        for hand in range(len(hands.hard)):
            hard, size, aces = int(hands.hard[hand]), int(hands.size[hand]), int(hands.cards[hand, ACE])
            for value in range(10):
                more = hard + value + 1
                total = more + 10 if (aces or value == ACE) and more <= 11 else more
                if total >= 21 or (trick and size == 4):
                    over[hand, value] = True
                    paid[hand, value] = -1.0 if total > 21 else float(rules[k.R_EVEN])
                    if total == 21:
                        paid[hand, value] = k.odds_of_21(hands.cards[hand], size + 1, value, rules)
        return paid, over

    # --- chances of acts ---

    def _act_chances(self, habit: Habit, *, after_split: bool) -> Array:
        """[entry, up, act]: how often each act follows, splitting and surrender aside."""
        may_double = self.may_double & (self.solver.rules.double_after_split or not after_split)
        legal = np.zeros((len(self.hand), 1, 3), bool)
        legal[:, 0, k.STAND] = self.may_stand[self.group]
        legal[:, 0, k.HIT] = True
        legal[:, 0, k.DOUBLE] = may_double
        found = np.zeros((len(self.hand), 10, 3))
        for weight, chart in habit.charts:
            stands = chart.stand[self.group] & self.may_stand[self.group][:, None]
            doubles = chart.double[self.group] & may_double[:, None]
            chosen = np.where(doubles, k.DOUBLE, np.where(stands, k.STAND, k.HIT))
            told = chosen[:, :, None] == np.arange(3)
            others = legal & ~told
            number = others.sum(axis=2, keepdims=True)
            missed = np.where(number > 0, others / np.maximum(number, 1), told)
            found += weight * ((1.0 - habit.errs) * told + habit.errs * missed)
        return found

    def _doubling(self, habit: Habit, value: Any) -> Array:
        """What doubling brings: the choice after the double card is one more decision."""
        total: Any = 0.0
        for weight, chart in habit.charts:
            bits = self._bits(chart)
            if not self.solver.rules.forfeit:
                return value(bits)
            every = np.zeros_like(bits)
            below = (self.ended <= 20) * (1 << np.arange(10))[None, :]
            every[self.hand, self.ones] = below.sum(axis=1)[:, None]
            kept = (1.0 - habit.errs) * weight
            total = total + kept * value(bits)
            if habit.errs:
                total = total + habit.errs * weight * value(every & ~bits)
        return total

    def _worth(self, left: Array, ways: Array, chances: Array) -> None:
        """Fill in what hitting brings when what follows is decided by chance; `ways` has standing and doubling."""
        solver, hands = self.solver, self.solver.hands
        worth = np.zeros_like(solver.worth)
        by_hand = np.zeros((*worth.shape, 3))
        by_hand[self.hand, self.ones] = chances
        ups = np.arange(10)
        size = float(left.sum())
        for some in self._order:
            if not len(some):
                continue
            rest = size - hands.size[some] - 1.0
            hit = np.zeros((len(some), worth.shape[1], 10))
            for value in range(10):
                there = left[value] - hands.cards[some, value][:, None] - (ups == value)[None, :]
                chance = np.maximum(there, 0.0) / rest[:, None]
                then = hands.next[some, value]
                after = np.where(
                    self._over[some, value][:, None, None], self._paid[some, value][:, None, None],
                    worth[np.maximum(then, 0)],
                )  # fmt: skip
                hit += chance[:, None, :] * after
            mine = ways[some]
            mine[:, :, :, k.HIT] = hit
            ways[some] = mine
            told = by_hand[some]
            worth[some] = np.where(told > 0.0, told * mine, 0.0).sum(axis=3)

    # --- the whole ---

    def habit_value(self, habit: Habit) -> float:
        """What somebody brings who decides so, for an original wager of 1."""
        solver, hands = self.solver, self.solver.hands
        if abs(sum(weight for weight, _ in habit.charts) - 1.0) > 1e-9 or not 0.0 <= habit.errs <= 1.0:
            raise MathsError("how often each chart is followed adds up to 1, and errors lie between 0 and 1.")
        chances = self._act_chances(habit, after_split=False)
        choice = self._choices(habit.charts[0][1])
        ways = np.zeros_like(solver.ways)

        def doubling(bits: Array) -> Array:
            k.play_hands(
                solver.left, solver.wanted, hands.cards, hands.hard, hands.size, hands.next, solver.finals,
                solver.array, NATURAL_COSTS[1.0], solver.ones_max, k.ASK, 0, 10, choice, bits, self.worth, ways,
                solver.room,
            )  # fmt: skip
            return ways[:, :, :, k.DOUBLE].copy()

        doubled = self._doubling(habit, doubling)
        ways[:, :, :, k.DOUBLE] = doubled
        self._worth(solver.left, ways, chances)
        self.ways = ways
        splits = np.full((10, 10), -1e9)
        if self.level.split and solver.rules.hands_max > 1:
            for pair in range(10):
                self._mixed_splits(habit, pair, splits)
        return self._mixed_openings(habit, splits)

    def _mixed_openings(self, habit: Habit, splits: Array) -> float:
        solver, total = self.solver, 0.0
        for up in range(10):
            open_to_it = solver._surrender_share(up)
            for first, second, hand, chance in solver._openings_against(up):
                natural = float(solver.finals[hand, up, NATURAL])
                if (first, second) == (ACE, TEN):
                    total += chance * solver._natural(natural, up)
                    continue
                entry = self.place[hand, solver._ones(first, second)]
                extra = sum(share * gain for share, gain, _ in self.suit_cases[first, second, up])
                values = self.ways[hand, solver._ones(first, second), up].tolist()
                values[k.HIT] += extra
                pair = first if first == second and splits[first, up] > -1e8 else -1
                lost = -float(solver.given_up(1.0 - natural, natural))
                for share, is_open in ((open_to_it, True), (1.0 - open_to_it, False)):
                    if share > 0.0:
                        total += chance * share * self._decided(habit, entry, up, values, splits, pair, lost, is_open)
        return total

    def _decided(
        self, habit: Habit, entry: int, up: int, values: list[float], splits: Array, pair: int, lost: float,
        is_open: bool,
    ) -> float:  # fmt: skip
        """The mean over what is done with two cards; errors choose among all that is legal."""
        group = int(self.group[entry])
        worth = {k.HIT: values[k.HIT]}
        if self.may_stand[group]:
            worth[k.STAND] = values[k.STAND]
        if self.may_double[entry]:
            worth[k.DOUBLE] = values[k.DOUBLE]
        if pair >= 0:
            worth[SPLITS] = float(splits[pair, up])
        if is_open:
            worth[GIVES_UP] = lost
        total = 0.0
        for weight, chart in habit.charts:
            act = self.act(chart, entry, up)
            if act == k.STAND and k.STAND not in worth:
                act = k.HIT
            if pair >= 0 and chart.split[pair, up]:
                act = SPLITS
            elif is_open and chart.give_up[group, up]:
                act = GIVES_UP
            others = [value for name, value in worth.items() if name != act]
            missed = sum(others) / len(others) if others else worth[act]
            total += weight * ((1.0 - habit.errs) * worth[act] + habit.errs * missed)
        return total

    def _mixed_splits(self, habit: Habit, pair: int, splits: Array) -> None:
        """What splitting a pair brings when the hands are decided by chance."""
        solver, hands, rules = self.solver, self.solver.hands, self.solver.rules
        if solver.left[pair] < 2:
            return
        frozen = pair == ACE and rules.aces_one_card
        limit = rules.hands_max if pair != ACE or rules.aces_resplit else 2
        left = solver.left.copy()
        left[pair] -= 1.0
        wanted = np.flatnonzero((hands.cards[:, pair] > 0) & (hands.cards <= left).all(axis=1))
        if frozen:
            wanted = wanted[hands.size[wanted] == 2]
        start = hands.places[tuple(int(place == pair) for place in range(10))]
        k.dealer_finals(left, wanted, hands.cards, hands.size, *solver.tree, solver._shown(0))
        choice = self._choices(habit.charts[0][1], may_double=rules.double_after_split)
        chances = self._act_chances(habit, after_split=True)
        ways = solver._room_for(1.0)[2]
        plan = Plan(pair, start, 0, 1.0, frozen, choice, choice, ways, {}, wanted, wanted, wanted)
        for extra in range(1, extras_needed(limit) + 1):
            solver._take_out(pair, extra, left, [plan])
        ups = [up for up in range(10) if solver.left[up] - 2 * (up == pair) > 0]
        full: dict[int, list[tuple[float, float]]] = {up: [] for up in ups}
        free: dict[int, list[tuple[float, float]]] = {up: [] for up in ups}
        for extra in range(extras_needed(limit) + 1):
            rest = left.copy()
            rest[pair] -= extra
            for weight, found in ((1.0, full), (0.0, free)):
                if weight == 0.0 and not any(solver._shares_natural(up) for up in ups):
                    continue
                if not frozen:
                    self._split_ways(habit, plan, rest, wanted, extra, weight, chances, ways)
                for up in ups:
                    possible = rest[pair] - (up == pair) >= 1.0
                    mine = plan._replace(up=up)
                    found[up].append(self._one_mixed(mine, rest, extra, weight, chances) if possible else (0.0, 0.0))
        for up in ups:
            mine = plan._replace(up=up)
            shared = free[up] if solver._shares_natural(up) else []
            splits[pair, up] = solver._policy_value(mine, left, limit, (full[up], shared))[0]

    def _split_ways(
        self, habit: Habit, plan: Plan, rest: Array, wanted: Array, extra: int, weight: float, chances: Array,
        ways: Array,
    ) -> None:  # fmt: skip
        solver = self.solver

        def doubling(bits: Array) -> Array:
            solver._play_split(plan.choice, bits, ways, rest, wanted, extra, weight, k.ASK)
            return ways[:, :, :, k.DOUBLE].copy()

        doubled = self._doubling(habit, doubling)
        ways[:, :, :, k.DOUBLE] = doubled
        self._worth(rest, ways, chances)

    def _one_mixed(self, plan: Plan, rest: Array, extra: int, weight: float, chances: Array) -> tuple[float, float]:
        """One hand of a split, as `SplitPlay._one_hand`, its second card followed by what chance decides."""
        solver, pair, up = self.solver, plan.pair, plan.up
        shares, gains = np.zeros((10, 3)), np.zeros(10)
        for second in range(10):
            there = rest[second] + extra * (second == pair) - (second == up) - (second == pair)
            if there < 1 or {pair, second} == {ACE, TEN} or plan.frozen:
                continue
            low, high = min(pair, second), max(pair, second)
            entry = self.place[solver._two(low, high), solver._ones(low, high)]
            shares[second] = chances[entry, up]
            if (low, high) in THIRD and low in SUITED_RANKS:
                gain = sum(share * each for share, each in solver._suit_gains(low, high, THIRD[low, high]))
                gains[second] = float(chances[entry, up, k.HIT]) * gain
        value, other = k.one_hand(
            rest, pair, up, plan.start, solver.hands.next, solver.hands.hard, solver._shown(extra),
            solver._split_array(weight), plan.ways, solver.ones_max, plan.frozen, shares, gains, THIRDS[pair],
            solver._natural_array(up),
        )  # fmt: skip
        return float(value), float(other)


SPLITS, GIVES_UP = 3, 4
"""Acts besides those of the kernels."""


def like_the_dealer(habits: Habits) -> Chart:
    """Draws and stands as the dealer does, and does nothing else."""
    rules = habits.solver.rules
    stand = np.zeros((len(habits.groups), 10), bool)
    for place, group in enumerate(habits.groups):
        stand[place] = group.total >= (rules.soft_stand if group.soft else rules.hard_stand)
    none = np.zeros_like(stand)
    return Chart(
        habits.level, habits.groups, stand, none, none, np.zeros((10, 10), bool), {}, np.zeros((22, 10), bool), 0.0,
        np.zeros((len(habits.groups), 10)),
    )  # fmt: skip
