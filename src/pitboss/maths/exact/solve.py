"""The fast road to a round's value: any shoe, best play by the cards held, every figure of the report.

Exact but for splits from a shoe that is not endless, whose hands are played by a fixed policy, and for the last digits
of a float. A solver is built up
in chapters, each on the one before it: all hands (`play`), split hands (`policy`), the first two cards (`openings`).
`joint` can take the policy's place, `outcomes` counts for the report, and the answer is put together here.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isfinite, sqrt

import msgspec

from pitboss.maths.exact.compiled import available
from pitboss.maths.exact.rules import compile_rules
from pitboss.maths.exact.words import VALUES
from pitboss.maths.shoes import MathsError, Shoe
from pitboss.maths.side_bets import super_bonus_cents
from pitboss.rulebooks.terms import Rulebook

available()
# The chapters use numpy: only once it is known to be there.
from pitboss.maths.exact.again import play_jointly  # noqa: E402
from pitboss.maths.exact.openings import OpeningHand, Openings  # noqa: E402
from pitboss.maths.exact.outcomes import Outcome, outcomes_of  # noqa: E402

POLICY, JOINT = "policy", "exact"
"""How split hands are played."""
ROUNDING_ERROR = 1e-11

METHOD = "best play by the cards held, all up cards and hands enumerated, float64"
METHOD_JOINT = METHOD + "; split hands by best joint play, each looking at its own suits"
METHOD_JOINT_AGAIN = (
    METHOD + "; two hands of a split by best joint play, more hands by a policy and what joint play gains two by two"
)
METHOD_ENDLESS = METHOD + "; split hands by best joint play, exactly"
METHOD_SPLITS = METHOD + "; split hands by a fixed policy on their own cards, always or never split again"


class Solution(msgspec.Struct, frozen=True):
    """A round's value for an original wager of 1 under best play, and all that the report tells."""

    rulebook: str
    shoe: str
    ev: float
    standard_deviation: float
    covariance: float | None
    """Of two boxes against one dealer hand, exactly; None from a shoe that is not endless."""
    total_wagered: float
    """The mean of all that is put at risk, doubles and splits included."""
    outcomes: tuple[Outcome, ...]
    results: dict[Fraction, float]
    """The chance of each result of a round, insurance left out."""
    by_up: dict[str, tuple[float, float]]
    """For each first card of the dealer: its chance and the value given it."""
    by_hand: dict[str, tuple[float, float]]
    openings: tuple[OpeningHand, ...]
    at_least: float
    """Proven: best play brings no less, insurance left out."""
    at_most: float | None
    """Proven: best play brings no more. None where nothing is proven: split hands of a shoe that is not endless, unless
    they are played jointly."""
    error_bound: float | None
    """Proven: by how much best play can differ from `ev`, where both sides are."""
    method: str

    @property
    def element_of_risk(self) -> float:
        """The house edge on all that is put at risk: above zero where the house wins, as its edge is."""
        return -self.ev / self.total_wagered


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
    With `splits` "exact" hands of a split are played jointly as well as can be, which takes some seconds.
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


class Solver(Openings):
    """One shoe under one set of rules, and the answers."""

    def value(self) -> float:
        """The value of a round."""
        self._play()
        return self.value_of_openings()

    def solution(self, *, splits: str = POLICY, progress: Callable[[str], None] | None = None) -> Solution:
        """Everything that the report tells."""
        if splits not in (POLICY, JOINT):
            raise MathsError(f"splits {splits!r}: {POLICY} and {JOINT} are known.")
        exact = splits == JOINT
        self.telling = True
        self.every_split = self.every_split or exact
        self._play()
        if exact and not self.endless:
            play_jointly(self, progress)
        openings = tuple(self.openings())
        ev = float(sum(opening.chance * opening.ev for opening in openings))
        outcomes, money, wagered, shared = outcomes_of(self)
        mean = sum(float(amount) * chance for amount, chance in money.items())
        variance = sum(chance * (float(amount) - mean) ** 2 for amount, chance in money.items())
        by_up = {up: _mean([each for each in openings if each.up == up]) for up in VALUES}
        by_hand: dict[str, list[OpeningHand]] = {}
        for each in openings:
            by_hand.setdefault(each.cards, []).append(each)
        at_least = float(sum(each.chance * each.at_least for each in openings)) - ROUNDING_ERROR
        at_most = float(sum(each.chance * each.at_most for each in openings)) + ROUNDING_ERROR
        method = METHOD
        if self.rules.hands_max > 1:
            method = METHOD_ENDLESS if self.endless else METHOD_SPLITS
            if exact and not self.endless:
                method = METHOD_JOINT if isfinite(at_most) else METHOD_JOINT_AGAIN
        return Solution(
            rulebook=self.rulebook.name,
            shoe=self.shoe.description,
            ev=ev,
            standard_deviation=sqrt(variance),
            covariance=None if shared is None else shared - mean**2,
            total_wagered=wagered,
            outcomes=outcomes,
            results={amount: money[amount] for amount in sorted(money)},
            by_up={up: each for up, each in by_up.items() if each[0] > 0.0},
            by_hand={cards: _mean(each) for cards, each in by_hand.items()},
            openings=openings,
            at_least=at_least,
            at_most=at_most if isfinite(at_most) else None,
            error_bound=max(at_most - ev, ev - at_least) if isfinite(at_most) else None,
            method=method,
        )


def _mean(openings: list[OpeningHand]) -> tuple[float, float]:
    chance = sum(each.chance for each in openings)
    return chance, sum(each.chance * each.ev for each in openings) / chance if chance else 0.0
