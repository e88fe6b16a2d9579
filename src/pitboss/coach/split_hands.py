"""What a hand that came of a split is worth: by the rules for split hands, and by the other hands of the split.

Other hands that are played by their own cards do not mind what this one draws, so to stand, hit and double are valued
exactly by this hand alone. Two things tie hands together. A dealer's natural may take one amount from all of them: what
it costs this hand is nothing where another one waits already, everything where none does and none is to come, and
estimated where some are to come. And a pair may be split again while hands may still be formed.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from pitboss.basics.cards import VALUE
from pitboss.maths.exact import kernels as k
from pitboss.maths.exact.play import WHOLE, rules_array
from pitboss.maths.exact.policy import Hands01, Plan
from pitboss.maths.exact.rules import compile_rules
from pitboss.maths.exact.solve import Solver
from pitboss.maths.exact.splits import OneHand, sum_of_hands
from pitboss.maths.exact.tables import NATURAL
from pitboss.maths.exact.words import ACE, TEN
from pitboss.maths.shoes import Shoe
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.positions import Position

BY_SPLIT_RULES = "A split hand counts by the rules for split hands, and by the other cards of the split that lie there."
SHARED = (
    "Hands still to come may share the one amount that a dealer's {natural} takes: how often is estimated, and moves "
    "the value of a hand that is not split again by at most {most:.3f} of the wager."
)
AGAIN = (
    "Splitting again is valued by one fixed way to play those hands; what it changes for the splits of the others is "
    "left out."
)


class SplitHand(Solver):
    """One hand of a split; valued by `play`."""

    cost = 1.0
    """What a dealer's natural takes from this hand where it takes one amount from all."""

    def play(self, position: Position) -> float:
        """Value the hand; by how much at most the estimate of what a dealer's natural costs it can move a value."""
        held = position.cards[:-1] if position.what == "forfeit" else position.cards
        counts = np.zeros(10, np.int64)
        for card in held:
            counts[VALUE[card] - 1] += 1
        up, pair = VALUE[position.dealer] - 1, VALUE[held[0]] - 1
        shared = self._shares_natural(up)
        if shared and position.covered:
            self.cost = 0.0
        elif shared and position.waiting:
            self.cost = self._none_live(pair, up) ** position.waiting
        costs = WHOLE.copy()
        costs[[ACE, TEN]] = self.cost
        self.array = rules_array(self.rules, self.cost, split=True)
        hands = self.hands
        self.wanted = np.flatnonzero(((hands.cards <= self.left) & (hands.cards >= counts)).all(axis=1))
        k.dealer_finals(self.left, self.wanted, hands.cards, hands.size, *self.tree, self.finals)
        k.play_hands(
            self.left, self.wanted, hands.cards, hands.hard, hands.size, hands.next, self.finals, self.array, costs,
            self.ones_max, k.BEST, 0, 10, self.choice, self.forfeits, self.worth, self.ways, self.room,
        )  # fmt: skip
        if "split" in position.acts:
            self._split(pair)
        if not shared or position.covered or not position.waiting:
            return 0.0
        return float(self.finals[hands.places[tuple(counts.tolist())], up, NATURAL]) * max(self.cost, 1.0 - self.cost)

    def _none_live(self, pair: int, up: int) -> float:
        """How often a hand that is still to come does not wait for the dealer who has a natural, as it is played."""
        self._split(pair)
        kept = self.kept.get((pair, up))
        self.splits, self.kept = {}, {}
        other = TEN if up == ACE else ACE
        natural = max(self.left[other] - (other == pair) - (other == up), 0.0) / (self.left.sum() - 2.0)
        if kept is None or natural <= 0.0:
            return 0.0
        return float(min(max(1.0 - (kept.free[0][0] - kept.full[0][0]) / natural, 0.0), 1.0))

    def _policy_value(self, plan: Plan, left: Any, hands_max: int, one: Hands01) -> tuple[float, float]:
        value, floor = super()._policy_value(plan, left, hands_max, one)
        if self.cost == 1.0 or not self._shares_natural(plan.up):
            return value, floor
        free = one[1]
        again = self._again(plan.pair, plan.up, left, len(free))
        unharmed = sum_of_hands(OneHand([each[0] for each in free], [each[1] for each in free], again), hands_max)
        return unharmed - self.cost * (unharmed - value), unharmed if self.cost == 0.0 else floor


def split_hand(book: Rulebook, position: Position) -> tuple[SplitHand, str]:
    """A solver that knows this hand of a split, and what is to be said of its values."""
    shoe = Shoe.of_decks(book, position.decks).without(*position.others)
    rules = compile_rules(book, resplit=position.resplit)
    rules = msgspec.structs.replace(rules, hands_max=max(2, rules.hands_max - position.formed + 1))
    solver = SplitHand(book, rules, shoe, 0.0, False)
    solver.every_split = True
    most = solver.play(position)
    said = [BY_SPLIT_RULES]
    if most > 0.0:
        said.append(SHARED.format(natural=book.game.natural.value, most=most))
    if "split" in position.acts:
        said.append(AGAIN)
    return solver, " ".join(said)
