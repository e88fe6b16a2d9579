"""What taking one card of each rank out of the shoe changes.

With kept play: the play that is best for the whole shoe goes on, and is valued anew without the card. The mean over all
cards is nothing then, for not knowing which card is gone is like not taking one. Exact but for split hands that are
split again, which are taken to change by as much as those that are not (`KEPT_ERROR`). With best play: each shoe is
solved for itself, so that play follows the card that is gone, which is worth a little more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from pitboss.basics.cards import RANKS, SUITS, VALUE, Card
from pitboss.maths.exact import kernels as k
from pitboss.maths.exact.play import WHOLE, cards_needed
from pitboss.maths.exact.policy import Hands01, KeptPlan, union
from pitboss.maths.exact.rules import compile_rules
from pitboss.maths.exact.solve import ROUNDING_ERROR, Solution, Solver
from pitboss.maths.exact.splits import extras_needed
from pitboss.maths.exact.tables import NATURAL
from pitboss.maths.exact.words import ACE, ACTS, HIT, SPLIT, SUITED_RANKS, SURRENDER, TEN, THIRD
from pitboss.maths.shoes import MathsError, Shoe
from pitboss.rulebooks.terms import Rulebook

Array = Any
KEPT_ERROR = 0.05
"""Effects with kept play are wrong by less than this over the square of the number of cards, where a pair may be split
again; and by no more than rounding where it may not. Tested; see docs/maths.md."""
KEPT, BEST = "kept", "best"


class Effects(NamedTuple):
    """By how much the value changes when one card of each rank is known to be gone, the mean over its suits."""

    by_rank: dict[str, float]
    play: str
    error_bound: float


def solve_with_effects(
    rulebook: Rulebook, shoe: Shoe, *, resplit: bool = False, play: str = KEPT
) -> tuple[Solution, Effects]:
    """The whole report, from one solver."""
    solver = Solver(rulebook, compile_rules(rulebook, resplit=resplit), shoe, 0.0, False)
    return solver.solution(), effects_of(solver, play=play)


def removal_effects(rulebook: Rulebook, shoe: Shoe, *, resplit: bool = False, play: str = KEPT) -> Effects:
    """The effect of removing each rank, with play kept as it is or with best play for each shoe."""
    solver = Solver(rulebook, compile_rules(rulebook, resplit=resplit), shoe, 0.0, False)
    solver.value()
    return effects_of(solver, play=play)


def effects_of(solver: Solver, *, play: str = KEPT) -> Effects:
    """The same for a solver that has played, without Super Bonus and insurance; it is left with another shoe in it.

    Where a shoe is one card short of a round without a card, there is nothing to tell.
    """
    if play not in (KEPT, BEST):
        raise MathsError(f"--removal {play!r}: {KEPT} and {BEST} are known.")
    fewer = _fewer(solver)
    if any(less.size < cards_needed(less, solver.rules) for _, less in fewer):
        return Effects({}, play, 0.0)
    shoe, base, again = solver.shoe, solver.value_of_openings(), solver.rules.hands_max > 2
    if play == BEST:
        worth = {}
        for card, less in fewer:
            worth[card] = Solver(solver.rulebook, solver.rules, less, 0.0, False).value()
        return Effects(_means(shoe, worth, base), BEST, ROUNDING_ERROR)
    kept = KeptPlay(solver)
    worth = {card: kept.value(card, less) for card, less in fewer}
    error = ROUNDING_ERROR + (KEPT_ERROR / shoe.size**2 if again else 0.0)
    return Effects(_means(shoe, worth, base), KEPT, error)


def _fewer(solver: Solver) -> list[tuple[Card, Shoe]]:
    """Shoes without one card; cards that must bring the same are taken out once."""
    shoe, rules = solver.shoe, solver.rules
    seen: set[Any] = set()
    found: list[tuple[Card, Shoe]] = []
    for rank in RANKS:
        for suit in SUITS:
            if not shoe.count(rank + suit):
                continue
            less = shoe.without(rank + suit)
            ranks = sorted(less.rank(each) for each in rules.natural_order + rules.surrender_ranks)
            key = (less.values, *ranks, _alike(shoe, rank, suit))
            if key not in seen:
                seen.add(key)
                found.append((rank + suit, less))
    return found


def _alike(shoe: Shoe, rank: str, suit: str) -> Any:
    """What tells suits apart: spades pay more, and a suit may have lost cards before."""
    return (suit == "s", *(shoe.count(each + suit) for each in "678")) if rank in "678" else ()


def _means(shoe: Shoe, worth: dict[Card, float], base: float) -> dict[str, float]:
    effects: dict[str, float] = {}
    for rank in RANKS:
        there = shoe.rank(rank)
        total = 0.0
        for suit in SUITS:
            number = shoe.count(rank + suit)
            if number:
                total += number / there * (_like(shoe, worth, rank + suit) - base)
        if there:
            effects[rank] = total
    return effects


def _like(shoe: Shoe, worth: dict[Card, float], card: Card) -> float:
    """The value without this card, or without one that must bring the same."""
    if card in worth:
        return worth[card]
    same = [each for each in worth if each[0] == card[0]]
    if same:
        mine = _alike(shoe, card[0], card[1])
        return next(worth[each] for each in same if _alike(shoe, each[0], each[1]) == mine)
    same = [each for each in worth if VALUE[each] == VALUE[card] and shoe.rank(each[0]) == shoe.rank(card[0])]
    return worth[same[0]]


class Opening(NamedTuple):
    """Two cards against an up card, and the play that is kept."""

    first: int
    second: int
    up: int
    hand: int
    ones: int
    acts: dict[tuple[bool, int], str]
    """Best acts, by whether surrender is open and by the kind of suits (0 mixed, 1 suited, 2 spades)."""


def _act(opening: Opening, is_open: bool, kind: int) -> str:
    """The act that is kept; a case that the whole shoe does not have is played like its nearest."""
    acts = opening.acts
    return acts.get((is_open, kind)) or acts.get((not is_open, kind)) or next(iter(acts.values()))


class KeptPlay:
    """Best play for one shoe, valued again for shoes with one card less."""

    def __init__(self, solver: Solver, *, whole: bool = False) -> None:
        self.solver, self.whole = solver, whole
        """With `whole`, hands that are split again are valued anew too: slower, for tests."""
        self.openings = [each for each in self._read() if not (each.first == ACE and each.second == TEN)]
        split = {(each.first, each.up) for each in self.openings if SPLIT in each.acts.values()}
        self.kept: dict[tuple[int, int], KeptPlan] = {key: solver.kept[key] for key in split}
        self.reached, needed = self._reach()
        self.needed: Array = needed
        self.pairs = {
            pair: union([kept.plan.needed for (first, _), kept in self.kept.items() if first == pair])
            for pair in sorted({pair for pair, _ in self.kept})
        }
        self._own_rooms()
        self.base_left: Array = solver.left.copy()
        self._suits: dict[tuple[int, int, int], list[tuple[float, float, int]]] = {}
        self._draw_dealers()
        self._lay_out()

    def _read(self) -> Iterator[Opening]:
        solver = self.solver
        for first, second, up, hand in solver.openings_told():
            acts: dict[tuple[bool, int], str] = {}
            for (_, values), (_, kind, _) in solver._cases_with_kind(first, second, up, hand):
                acts[SURRENDER in values, kind] = max(values, key=values.__getitem__)
            yield Opening(first, second, up, hand, solver._ones(first, second), acts)

    def _reach(self) -> tuple[Array, Array]:
        """The hands to which the kept play leads against some up card, and those after which the dealer plays."""
        solver, hands = self.solver, self.solver.hands
        number = len(hands.hard)
        needed = np.zeros(number, np.bool_)
        ever = np.zeros(number, np.bool_)
        for up in range(10):
            bits = np.zeros(number, np.int64)
            for each in self.openings:
                if each.up == up:
                    for act in each.acts.values():
                        bits[each.hand] |= 1 << ACTS.index(act) if act in ACTS else 0
            reached = np.zeros((number, 3), np.bool_)
            k.mark_reached(
                solver.wanted, hands.cards, hands.hard, hands.size, hands.next, solver.array, solver.ones_max, up,
                solver.choice, bits, reached, needed,
            )  # fmt: skip
            ever |= reached.any(axis=1)
        needed[[each.hand for each in self.openings]] = True
        needed[solver._two(ACE, TEN)] = True
        return np.flatnonzero(ever | needed), np.flatnonzero(needed)

    def _own_rooms(self) -> None:
        """Write the plans of each pair where no other pair writes over them."""
        for pair in self.pairs:
            choice, forfeits = np.zeros_like(self.solver.choice), np.zeros_like(self.solver.forfeits)
            ways = self.solver._room_for(1.0)[2]
            for (first, up), kept in self.kept.items():
                if first == pair:
                    choice[:, :, up], forfeits[:, :, up] = kept.choice, kept.forfeits
                    plan = kept.plan._replace(choice=choice, forfeits=forfeits, ways=ways)
                    self.kept[pair, up] = kept._replace(plan=plan)

    def _draw_dealers(self) -> None:
        """The dealer's chances for every set of cards that will be out of the shoe, each set once."""
        hands = self.solver.hands
        wanted: dict[tuple[int, int], Array] = {}
        for gone in range(-1, 10):
            if gone < 0 or self.base_left[gone] >= 1:
                wanted[-1, gone] = self._out(hands.cards[self.needed], -1, gone)
                for pair, some in self.pairs.items():
                    wanted[pair, gone] = self._out(hands.cards[some], pair, gone)
        every = np.concatenate(list(wanted.values()))
        keys = every @ (np.int64(64) ** np.arange(10, dtype=np.int64))
        _, places, back = np.unique(keys, return_index=True, return_inverse=True)
        rows = every[places]
        self.dealers: Array = np.zeros((len(rows), 10, self.solver.finals.shape[2]))
        k.dealer_finals(
            self.base_left, np.arange(len(rows)), rows, rows.sum(axis=1), *self.solver.tree, self.dealers
        )  # fmt: skip
        self.rows: dict[tuple[int, int], Array] = {}
        begin = 0
        for key, some in wanted.items():
            self.rows[key] = back[begin : begin + len(some)]
            begin += len(some)

    @staticmethod
    def _out(cards: Array, pair: int, gone: int) -> Array:
        out = cards.copy()
        if pair >= 0:
            out[:, pair] += 1
        if gone >= 0:
            out[:, gone] += 1
        return out

    def _lay_out(self) -> None:
        """Openings whose suits do not matter as arrays, the others as they are."""
        plain = [each for each in self.openings if (each.first, each.second) not in THIRD]
        self.suited = [each for each in self.openings if (each.first, each.second) in THIRD]
        self.first: Array = np.array([each.first for each in plain])
        self.second: Array = np.array([each.second for each in plain])
        self.up: Array = np.array([each.up for each in plain])
        self.hand: Array = np.array([each.hand for each in plain])
        self.ones: Array = np.array([each.ones for each in plain])
        names = (*ACTS, SPLIT, SURRENDER)
        self.plain: Array = np.array([names.index(_act(each, False, 0)) for each in plain])
        self.given_up: Array = np.array([names.index(_act(each, True, 0)) for each in plain])

    # --- one shoe ---

    def value(self, card: Card | None, shoe: Shoe) -> float:
        """The value of the kept play with this shoe, which lacks the card."""
        gone = -1 if card is None else VALUE[card] - 1
        solver, hands = self.solver, self.solver.hands
        solver.fill(shoe)
        solver.finals[self.needed] = self.dealers[self.rows[-1, gone]]
        k.play_hands(
            solver.left, self.reached, hands.cards, hands.hard, hands.size, hands.next, solver.finals, solver.array,
            WHOLE, solver.ones_max, k.FOLLOW, 0, 10, solver.choice, solver.forfeits, solver.worth, solver.ways,
            solver.room,
        )  # fmt: skip
        splits = self._splits(gone)
        return self._plain_value(splits) + self._suited_value(splits, gone) + self._naturals()

    def _chance(self, first: Array, second: Array, up: Array) -> Array:
        left, size = self.solver.left, self.solver.size
        same = first == second
        ways = left[first] * np.maximum(left[second] - same, 0.0) * np.where(same, 1.0, 2.0)
        there = np.maximum(left[up] - (up == first) - (up == second), 0.0)
        return ways * there / (size * (size - 1.0) * (size - 2.0))

    def _plain_value(self, splits: Array) -> float:
        solver = self.solver
        natural = solver.finals[self.hand, self.up, NATURAL]
        acts = np.zeros((len(self.hand), 5))
        acts[:, :3] = solver.ways[self.hand, self.ones, self.up]
        acts[:, 3] = splits[self.first, self.up]
        acts[:, 4] = -solver.given_up(1.0 - natural, natural)
        open_to_it = np.array([solver._surrender_share(up) for up in range(10)])[self.up]
        rows = np.arange(len(self.hand))
        worth = (1.0 - open_to_it) * acts[rows, self.plain] + open_to_it * acts[rows, self.given_up]
        return float((self._chance(self.first, self.second, self.up) * worth).sum())

    def _suited_value(self, splits: Array, gone: int) -> float:
        """6-7-8 and 7-7-7 by their suits."""
        solver, total = self.solver, 0.0
        for each in self.suited:
            first, second, up = np.array(each.first), np.array(each.second), np.array(each.up)
            chance = float(self._chance(first, second, up))
            if chance <= 0.0:
                continue
            natural = float(solver.finals[each.hand, each.up, NATURAL])
            worth = dict(zip(ACTS, map(float, solver.ways[each.hand, each.ones, each.up]), strict=True))
            worth[SPLIT] = float(splits[each.first, each.up])
            worth[SURRENDER] = -float(solver.given_up(1.0 - natural, natural))
            open_to_it = solver._surrender_share(each.up)
            for share, extra, kind in self._suits_of(each, gone):
                for part, is_open in ((1.0 - open_to_it, False), (open_to_it, True)):
                    act = _act(each, is_open, kind)
                    total += chance * share * part * (worth[act] + (extra if act == HIT else 0.0))
        return total

    def _suits_of(self, opening: Opening, gone: int) -> list[tuple[float, float, int]]:
        """Cases of suits; they are the same whichever card is gone, unless it is one of 6, 7 and 8."""
        first, second, up = opening.first, opening.second, opening.up
        if gone < 0 or gone in SUITED_RANKS:
            return list(self.solver._suit_cases(first, second, up))
        known = self._suits.get((first, second, up))
        if known is None:
            known = self._suits[first, second, up] = list(self.solver._suit_cases(first, second, up))
        return known

    def _naturals(self) -> float:
        solver, hand = self.solver, self.solver._two(ACE, TEN)
        if hand < 0:
            return 0.0
        ups = np.arange(10)
        chances = self._chance(np.full(10, ACE), np.full(10, TEN), ups)
        return sum(float(chances[up]) * solver._natural(float(solver.finals[hand, up, NATURAL]), int(up)) for up in ups)

    def _splits(self, gone: int) -> Array:
        """The value of each split of the kept play, by pair and up card."""
        solver, worth = self.solver, np.zeros((10, 10))
        shown = solver._shown(0)
        for pair, some in self.pairs.items():
            if solver.left[pair] < 2:
                continue
            shown[some] = self.dealers[self.rows[pair, gone]]
            left = solver.left.copy()
            left[pair] -= 1.0
            mine = {
                up: kept
                for (first, up), kept in self.kept.items()
                if first == pair and solver.left[up] - 2 * (up == pair) > 0
            }
            limits = {kept.hands_max for kept in mine.values()} if self.whole else {2}
            for limit in limits:
                plans = [kept.plan for kept in mine.values() if not self.whole or kept.hands_max == limit]
                for extra in range(1, extras_needed(limit) + 1):
                    solver._take_out(pair, extra, left, plans)
                for plan, one in solver._one_hands(plans, left, limit):
                    kept = mine[plan.up]
                    changed = one if self.whole else self._changed(one, kept, left)
                    worth[pair, plan.up] = solver._policy_value(plan, left, kept.hands_max, changed)[0]
        return worth

    def _changed(self, one: Hands01, kept: KeptPlan, left: Array) -> Hands01:
        """What one hand brings where the pair is split again: it changes as it does where it is not."""
        full, free = one
        shifted = self._shifted(full[0], kept.full, kept, left)
        return shifted, self._shifted(free[0], kept.free, kept, left) if free else []

    def _shifted(
        self, now: tuple[float, float], then: list[tuple[float, float]], kept: KeptPlan, left: Array
    ) -> list[tuple[float, float]]:
        solver, plan = self.solver, kept.plan
        number = extras_needed(kept.hands_max) + 1
        before_and_now = (solver._again(plan.pair, plan.up, shoe, number) for shoe in (kept.left, left))
        chances = [(1.0 - before, 1.0 - chance) for before, chance in zip(*before_and_now, strict=True)]
        shift = now[0] - then[0][0]
        of_others = now[1] / chances[0][1] - then[0][1] / chances[0][0] if chances[0][0] * chances[0][1] > 0.0 else 0.0
        return [
            (value + shift, chance * (other / before + of_others) if before > 0.0 else 0.0)
            for (value, other), (before, chance) in zip(then, chances, strict=True)
        ]
