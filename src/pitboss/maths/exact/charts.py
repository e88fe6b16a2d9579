"""Play that sees less than all cards: the best chart by totals, and what any chart is worth, exactly.

A chart says what to do with a total, hard or soft, of so many cards. The same cell never comes twice to one hand, since
totals only grow or turn from soft to hard. So the value of each act of a cell, with the rest of the chart followed,
tells exactly what changing that cell alone would bring, split hands aside; cells are changed until none gains.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
import numpy as np

from pitboss.basics.cards import SUITS
from pitboss.maths.exact import kernels as k
from pitboss.maths.exact.play import WHOLE
from pitboss.maths.exact.policy import Plan
from pitboss.maths.exact.rules import FIRST_TWO_COUNT_ONE, HELD_COUNT_ONE
from pitboss.maths.exact.solve import Solver
from pitboss.maths.exact.splits import extras_needed
from pitboss.maths.exact.tables import NATURAL
from pitboss.maths.exact.words import ACE, ACTS, DOUBLE, HIT, SPLIT, STAND, SURRENDER, TEN, THIRD

Array = Any
ROUNDS_MAX = 12
"""Charts settle after three or four rounds of changes."""
RARE = 1e-12
"""How much a hand counts in a cell to which the chart itself never leads."""
MIXED, SUITED, SPADES = 0, 1, 2


class Level(msgspec.Struct, frozen=True):
    """How much a strategy looks at, and what it does at all."""

    name: str
    counts: bool = True
    """The number of cards held; and pairs that are not split have a row of their own."""
    drawn_aces: bool = True
    """Where it matters to doubling, whether an ace came after the first two cards (ACT 2.5(a))."""
    suits: bool = True
    """Two cards towards 6-7-8 or 7-7-7, and whether they are of one suit."""
    surrender: bool = True
    forfeit: bool = True
    split: bool = True
    double_cards_max: int = 99
    """0: it never doubles."""
    soft_doubles: bool = True


FULL = Level("total, number of cards, pairs and suits")


class Group(NamedTuple):
    """The hands of one cell's row."""

    soft: bool
    total: int
    cards: int
    """0 where the number of cards does not matter."""
    pair: int
    """1 to 10; 0 for no pair."""
    drawn: bool
    """A soft hand with an ace that came after the first two cards, where that matters."""


class Chart(NamedTuple):
    """What to do in every cell; the up card is the last place everywhere, ace first."""

    level: Level
    groups: tuple[Group, ...]
    stand: Array
    """[group, up]: stand where the hand is not doubled."""
    double: Array
    """[group, up]: double where that is allowed."""
    give_up: Array
    """[group, up]: surrender a hand of two cards where that is open."""
    split: Array
    """[pair, up]."""
    suited: dict[tuple[int, int, int], tuple[str, ...]]
    """Two cards and their kind of suits: an act for each up card, where suits are looked at."""
    forfeit: Array
    """[total after the double card, up]."""
    ev: float
    reached: Array
    """[group, up]: how often a round comes to the cell."""


class Charter:
    """Makes charts for a solver that has played, and values them."""

    def __init__(self, solver: Solver, level: Level) -> None:
        self.solver, self.level = solver, level
        hands, rules = solver.hands, solver.rules
        entries: list[tuple[int, int, int]] = []
        index: dict[Group, int] = {}
        for hand in solver.wanted.tolist():
            cards, count = hands.cards[hand], int(hands.size[hand])
            aces, hard = int(cards[ACE]), int(hands.hard[hand])
            soft = aces > 0 and hard <= 11
            total = hard + 10 * soft
            if count < 2 or total >= 21 or (rules.five_card_trick and count > 4):
                continue
            pair = int(np.argmax(cards)) + 1 if count == 2 and cards.max() == 2 else 0
            least, most = (max(0, aces - (count - 2)), min(2, aces)) if solver.ones_max else (0, 0)
            for ones in range(least, most + 1):
                drawn = soft and bool(solver.ones_max) and aces > ones and level.drawn_aces
                group = Group(soft, total, count if level.counts else 0, pair if level.counts else 0, drawn)
                entries.append((hand, ones, index.setdefault(group, len(index))))
        self.groups = tuple(index)
        columns: Array = np.array(entries)
        self.hand, self.ones, self.group = columns[:, 0].copy(), columns[:, 1].copy(), columns[:, 2].copy()
        self.total: Array = np.array([group.total for group in self.groups])
        self.soft: Array = np.array([group.soft for group in self.groups])
        self.count: Array = hands.size[self.hand]
        self.two: Array = self.count == 2
        self.may_stand: Array = self.total >= rules.must_draw_below
        self.may_double: Array = self._may_double()
        self.ended: Array = self._doubled_totals()
        self.rare: Array = self._by_chance() * RARE
        self.place = {(int(hand), int(ones)): place for place, (hand, ones, _) in enumerate(entries)}
        self.openings = [each for each in solver.openings_told() if not (each[0] == ACE and each[1] == TEN)]
        self.suit_cases = {
            (first, second, up): list(solver._suit_cases(first, second, up)) for first, second, up, _ in self.openings
        }
        towards = [solver._two(*two) for two in THIRD] if level.suits else []
        self.towards: Array = np.isin(self.hand, towards)
        """Hands with rows of their own, by their suits."""
        self.ways: Array = np.zeros_like(solver.ways)
        self.worth: Array = np.zeros_like(solver.worth)

    def _may_double(self) -> Array:
        rules, level = self.solver.rules, self.level
        soft, total = self.soft[self.group], self.total[self.group]
        allowed = [
            rules.may_be_doubled(int(count), int(each), bool(is_soft))
            and count <= level.double_cards_max
            and (level.soft_doubles or not is_soft)
            for count, each, is_soft in zip(self.count, total, soft, strict=True)
        ]
        return np.array(allowed)

    def _doubled_totals(self) -> Array:
        """[entry, value of the double card]: the total, as `kernels.doubled_total` finds it."""
        hands, regime = self.solver.hands, self.solver.rules.double_aces
        aces, hard = hands.cards[self.hand, ACE], hands.hard[self.hand]
        forced = aces if regime == HELD_COUNT_ONE else self.ones if regime == FIRST_TWO_COUNT_ONE else 0 * aces
        more = hard[:, None] + np.arange(1, 11)
        free = (aces - forced)[:, None] + (np.arange(10) == ACE) > 0
        return np.where(free & (more <= 11), more + 10, more)

    def _by_chance(self) -> Array:
        """The chance to be dealt the cards of each entry in any order, up cards aside."""
        hands, left, size = self.solver.hands, self.solver.left, self.solver.size
        chances = []
        for hand in self.hand.tolist():
            chance, drawn = 1.0, 0
            for value in range(10):
                for already in range(int(hands.cards[hand, value])):
                    chance *= (left[value] - already) / (size - drawn) * (drawn + 1) / (already + 1)
                    drawn += 1
            chances.append(chance)
        return np.array(chances)[:, None]

    # --- the best chart ---

    def best(self) -> Chart:
        """Begin with what is best for each hand, let each cell do what is best on the whole, and repeat."""
        solver = self.solver
        weights = self.rare.repeat(10, axis=1)
        chart = self._decide(solver.ways, weights, self._first_splits(), solver.choice, solver.forfeits)
        for _ in range(ROUNDS_MAX):
            choice, forfeits, splits = self._value(chart)
            weights = self._reach(chart, choice, splits)
            better = self._decide(self.ways, weights, splits, choice, forfeits)
            if _same(better, chart):
                break
            chart = better
        choice, _, splits = self._value(chart)
        weights = self._reach(chart, choice, splits)
        reached = np.zeros((len(self.groups), 10))
        np.add.at(reached, self.group, weights)
        return chart._replace(ev=self._openings_value(chart, splits), reached=reached)

    def value(self, chart: Chart) -> float:
        """What a chart brings, exactly as far as the solver's splits by a policy are."""
        return self._openings_value(chart, self._value(chart)[2])

    def _first_splits(self) -> Array:
        worth = np.full((10, 10), -1e9)
        for (pair, up), split in self.solver.splits.items():
            worth[pair, up] = split.value
        return worth

    def _decide(self, ways: Array, weights: Array, splits: Array, choice: Array, forfeits: Array) -> Chart:
        """For every cell the act that brings most, given how often and with which hands one comes to it."""
        solver, level = self.solver, self.level
        weights = weights + self.rare
        worth = ways[self.hand, self.ones].copy()
        self._add_suits(worth, weights)
        stand, hit, double = worth[:, :, k.STAND], worth[:, :, k.HIT], worth[:, :, k.DOUBLE]
        natural = solver.finals[self.hand, :, NATURAL]
        lost = -solver.given_up(1.0 - natural, natural)
        shape = (len(self.groups), 10)
        pairs = np.array([hand for hand, _ in self._pairs()])
        is_pair = np.isin(self.hand, pairs) & self.two
        of_pair = solver.hands.cards[self.hand].argmax(axis=1)
        split = np.zeros((10, 10), bool)
        split_away = np.zeros((len(self.hand), 10), bool)
        if level.split:
            alone = np.maximum(hit, np.where(self.may_stand[self.group][:, None], stand, -1e9))
            alone = np.where(self.may_double[:, None], np.maximum(alone, double), alone)
            if level.surrender:
                alone = np.maximum(alone, np.where(self._open() > 0.0, lost, -1e9))
            split_away[is_pair] = splits[of_pair[is_pair]] > alone[is_pair]
            split[of_pair[is_pair]] = split_away[is_pair]
        weights = np.where(split_away | self.towards[:, None], self.rare, weights)

        def over(values: Array) -> Array:
            total = np.zeros(shape)
            np.add.at(total, self.group, weights * values)
            return total

        free = ~self.may_double[:, None] * np.ones((1, 10))
        some_free = np.zeros(shape)
        np.add.at(some_free, self.group, free)
        doubles = over(np.where(self.may_double[:, None], double - np.maximum(stand, hit), 0.0))
        plain_gain = over(np.where(stand > -1e8, stand - hit, 0.0))
        held_gain = over(np.where(stand > -1e8, stand - hit, 0.0) * free)
        doubled = doubles > 0.0
        gain: Array = np.where(doubled & (some_free > 0), held_gain, plain_gain)
        stands = (gain >= 0.0) & self.may_stand[:, None]
        base = np.where(stands[self.group], stand, hit)
        doubled = over(np.where(self.may_double[:, None], double - base, 0.0)) > 0.0
        act = np.where(doubled[self.group] & self.may_double[:, None], double, base)
        two = self.two[:, None] & (self._open() > 0.0)
        give_up = over(np.where(two, lost - act, 0.0)) > 0.0
        if not level.surrender:
            give_up[:] = False
        chart = Chart(
            level,
            self.groups,
            stands,
            doubled,
            give_up,
            split,
            {},
            self._forfeits(weights, choice),
            0.0,
            np.zeros(shape),
        )
        return chart._replace(suited=self._suited_rows(chart, ways, splits)) if level.suits else chart

    def _pairs(self) -> list[tuple[int, int]]:
        return [(self.solver._two(pair, pair), pair) for pair in range(10) if self.solver._two(pair, pair) >= 0]

    def _open(self) -> Array:
        """For each up card, how often surrender is open to it."""
        return np.array([self.solver._surrender_share(up) for up in range(10)])[None, :]

    def _add_suits(self, worth: Array, weights: Array) -> None:
        """What suits add to hitting on the mean, where they have no rows of their own."""
        if self.level.suits:
            return
        for (first, second, up), cases in self.suit_cases.items():
            if (first, second) in THIRD:
                entry = self.place[self.solver._two(first, second), self.solver._ones(first, second)]
                worth[entry, up, k.HIT] += sum(share * extra for share, extra, _ in cases)

    def _suited_rows(self, chart: Chart, ways: Array, splits: Array) -> dict[tuple[int, int, int], tuple[str, ...]]:
        """Two cards towards 6-7-8 or 7-7-7: a row for each kind of suits."""
        solver, rows = self.solver, {}
        for first, second in THIRD:
            hand, ones = solver._two(first, second), solver._ones(first, second)
            if hand < 0:
                continue
            for kind in (MIXED, SUITED, SPADES):
                acts = []
                for up in range(10):
                    cases = [
                        (share, extra)
                        for share, extra, each in self.suit_cases.get((first, second, up), ())
                        if each == kind
                    ]
                    weight = sum(share for share, _ in cases)
                    acts.append(self._act_of(chart, first, second, up))
                    if not weight:
                        continue
                    extra = sum(share * gain for share, gain in cases) / weight
                    entry = self.place[hand, ones]
                    values = {HIT: float(ways[hand, ones, up, k.HIT]) + extra}
                    if self.may_stand[self.group[entry]]:
                        values[STAND] = float(ways[hand, ones, up, k.STAND])
                    if self.may_double[entry]:
                        values[DOUBLE] = float(ways[hand, ones, up, k.DOUBLE])
                    if first == second and self.level.split and splits[first, up] > -1e8:
                        values[SPLIT] = float(splits[first, up])
                    if self.level.surrender and solver._surrender_share(up) > 0.0:
                        natural = float(solver.finals[hand, up, NATURAL])
                        values[SURRENDER] = -float(solver.given_up(1.0 - natural, natural))
                    acts[-1] = max(values, key=values.__getitem__)
                rows[first, second, kind] = tuple(acts)
        return rows

    def _forfeits(self, weights: Array, choice: Array) -> Array:
        """After which double cards a hand is given up, by its total: weighed over the hands that are doubled."""
        solver = self.solver
        chosen = np.zeros((22, 10), bool)
        if not (solver.rules.forfeit and self.level.forfeit):
            return chosen
        gain = np.zeros((22, 10))
        k.weigh_forfeits(
            solver.left, self.hand, self.ones, self.may_double, self.ended, solver.hands.cards, solver.hands.next,
            solver.finals, solver.array, choice, weights, RARE, gain,
        )  # fmt: skip
        return gain > 0.0

    # --- what a chart brings ---

    def act(self, chart: Chart, entry: int, up: int, *, may_double: bool = True) -> int:
        """What the chart does with a hand, surrender and splitting aside."""
        group = int(self.group[entry])
        if may_double and chart.double[group, up] and self.may_double[entry]:
            return k.DOUBLE
        return k.STAND if chart.stand[group, up] else k.HIT

    def _act_of(self, chart: Chart, first: int, second: int, up: int) -> str:
        """What the chart does with two cards, suits aside."""
        entry = self.place[self.solver._two(first, second), self.solver._ones(first, second)]
        if first == second and chart.split[first, up]:
            return SPLIT
        if chart.give_up[self.group[entry], up]:
            return SURRENDER
        return ACTS[self.act(chart, entry, up)]

    def _choices(self, chart: Chart, *, may_double: bool = True) -> Array:
        choice = np.zeros_like(self.solver.choice)
        doubled = chart.double[self.group] & self.may_double[:, None] & may_double
        stands = chart.stand[self.group]
        choice[self.hand, self.ones] = np.where(doubled, k.DOUBLE, np.where(stands, k.STAND, k.HIT))
        return choice

    def _bits(self, chart: Chart) -> Array:
        """The double cards after which a hand is given up, as the kernels read them."""
        bits = np.zeros_like(self.solver.forfeits)
        below = self.ended <= 20
        given = chart.forfeit[np.minimum(self.ended, 21)] & below[:, :, None]
        bits[self.hand, self.ones] = (given * (1 << np.arange(10))[None, :, None]).sum(axis=1)
        return bits

    def _value(self, chart: Chart) -> tuple[Array, Array, Array]:
        """Value every hand if the chart is followed; the choices, the forfeits and the splits' values."""
        solver, hands = self.solver, self.solver.hands
        choice, forfeits = self._choices(chart), self._bits(chart)
        k.play_hands(
            solver.left, solver.wanted, hands.cards, hands.hard, hands.size, hands.next, solver.finals, solver.array,
            WHOLE, solver.ones_max, k.ASK, 0, 10, choice, forfeits, self.worth, self.ways, solver.room,
        )  # fmt: skip
        splits = np.full((10, 10), -1e9)
        if self.level.split and solver.rules.hands_max > 1:
            after = self._choices(chart, may_double=solver.rules.double_after_split)
            for pair in range(10):
                self._value_splits(chart, pair, after, forfeits, splits)
        return choice, forfeits, splits

    def _value_splits(self, chart: Chart, pair: int, choice: Array, forfeits: Array, splits: Array) -> None:
        """What splitting a pair brings against each up card; it is split again where the rules allow."""
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
        ways = solver._room_for(1.0)[2]
        plan = Plan(pair, start, 0, 1.0, frozen, choice, forfeits, ways, {}, wanted, wanted, wanted)
        for extra in range(1, extras_needed(limit) + 1):
            solver._take_out(pair, extra, left, [plan])
        plans = [
            plan._replace(up=up, chosen=self._second_cards(chart, pair, up, left, frozen))
            for up in range(10)
            if solver.left[up] - 2 * (up == pair) > 0
        ]
        for mine, one in solver._one_hands(plans, left, limit):
            splits[pair, mine.up] = solver._policy_value(mine, left, limit, one)[0]

    def _second_cards(self, chart: Chart, pair: int, up: int, left: Array, frozen: bool) -> dict[int, tuple[int, ...]]:
        """What a split hand does after each second card, for each case of suits."""
        solver, chosen = self.solver, dict[int, tuple[int, ...]]()
        may_double = solver.rules.double_after_split
        for second in range(10):
            if left[second] - (second == up) - (second == pair) < 1 or {pair, second} == {ACE, TEN}:
                continue
            if frozen:
                chosen[second] = (k.STAND,)
                continue
            low, high = min(pair, second), max(pair, second)
            entry = self.place[solver._two(low, high), solver._ones(low, high)]
            plain = self.act(chart, entry, up, may_double=may_double)
            if (low, high) not in THIRD:
                chosen[second] = (plain,)
                continue
            acts = []
            for kind in (MIXED, *(SPADES if suit == "s" else SUITED for suit in SUITS)):
                row = chart.suited.get((low, high, kind))
                name = row[up] if row else ""
                allowed = name in ACTS and (name != DOUBLE or may_double)
                acts.append(ACTS.index(name) if allowed else plain)
            chosen[second] = tuple(acts)
        return chosen

    def _cases(self, chart: Chart, first: int, second: int, up: int) -> list[tuple[float, float, str]]:
        """Two cards in all suits and with all ranks of the up card: share, what suits add to hitting, and the act."""
        solver, found = self.solver, []
        plain = self._act_of(chart, first, second, up)
        open_to_it = solver._surrender_share(up)
        entry = self.place[solver._two(first, second), solver._ones(first, second)]
        for share, extra, kind in self.suit_cases[first, second, up]:
            row = chart.suited.get((first, second, kind))
            act = row[up] if row else plain
            if act != SURRENDER:
                found.append((share, extra, act))
                continue
            found.append((share * open_to_it, extra, SURRENDER))
            if open_to_it < 1.0:
                found.append((share * (1.0 - open_to_it), extra, ACTS[self.act(chart, entry, up)]))
        return found

    def _reach(self, chart: Chart, choice: Array, splits: Array) -> Array:
        """[entry, up]: how often a round comes to each hand if the chart is followed, hands of a split aside."""
        solver, hands = self.solver, self.solver.hands
        weights = np.zeros((len(self.hand), 10))
        for up in range(10):
            hit_2, mass = np.zeros((len(hands.hard), 3)), np.zeros((len(hands.hard), 3))
            for first, second, hand, chance in solver._openings_against(up):
                if (first, second) == (ACE, TEN):
                    continue
                ones = solver._ones(first, second)
                weights[self.place[hand, ones], up] = chance
                for share, _, act in self._cases(chart, first, second, up):
                    hit_2[hand, ones] += chance * share if act == HIT else 0.0
            k.reach(
                solver.left, solver.wanted, hands.cards, hands.hard, hands.size, hands.next, solver.array,
                solver.ones_max, up, choice, hit_2, mass,
            )  # fmt: skip
            more = ~self.two
            weights[more, up] = mass[self.hand[more], self.ones[more]]
        return weights

    def _openings_value(self, chart: Chart, splits: Array) -> float:
        solver, total = self.solver, 0.0
        for up in range(10):
            for first, second, hand, chance in solver._openings_against(up):
                natural = float(solver.finals[hand, up, NATURAL])
                if (first, second) == (ACE, TEN):
                    total += chance * solver._natural(natural, up)
                    continue
                ones = solver._ones(first, second)
                for share, extra, act in self._cases(chart, first, second, up):
                    if act == SPLIT:
                        worth = float(splits[first, up])
                    elif act == SURRENDER:
                        worth = -float(solver.given_up(1.0 - natural, natural))
                    else:
                        worth = float(self.ways[hand, ones, up, ACTS.index(act)]) + (extra if act == HIT else 0.0)
                    total += chance * share * worth
        return float(total)


def _same(one: Chart, other: Chart) -> bool:
    arrays = ("stand", "double", "give_up", "split", "forfeit")
    return one.suited == other.suited and all((getattr(one, each) == getattr(other, each)).all() for each in arrays)


def best_chart(solver: Solver, level: Level = FULL) -> Chart:
    """The best chart that sees no more than the level says, for a solver that has played."""
    return Charter(solver, level).best()
