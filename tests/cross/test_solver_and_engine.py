"""The fast solver against the engine itself; `test_reference_and_engine` holds the engine against exact fractions."""

from __future__ import annotations

from collections import Counter

import pytest

from pitboss.maths.exact.solve import solve
from pitboss.maths.shoes import Shoe
from pitboss.maths.side_bets import super_bonus_cents
from pitboss.rulebooks import load, vary
from tests.cross.engine_value import CENTS, EngineValue


@pytest.mark.parametrize("name", ["nsw-pontoon", "adelaide-pontoon-2008", "nsw-blackjack-challenge"])
def test_the_fast_solver_is_worth_what_the_engine_plays(name: str) -> None:
    """One suit a rank, two hands played jointly: equal to the last digits of a float."""
    book = vary(load(name), {"splitting.hands_max": 2})
    shoe = Shoe.of_cards(book, "7sx4 Khx5 8cx3")
    exact = EngineValue(book, Counter(shoe.counts)).value()
    cents = CENTS if super_bonus_cents(book, CENTS) else None
    assert solve(book, shoe, wager_cents=cents, splits="exact").ev == pytest.approx(float(exact), abs=1e-12)
