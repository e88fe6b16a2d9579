"""The reference solver and the engine know the rules from different code; on small shoes they agree exactly.

The engine plays every card and every legal act; both give a fraction, and the fractions are equal.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from pitboss.maths.exact.reference import Reference
from pitboss.maths.exact.rules import compile_rules
from pitboss.maths.shoes import Shoe
from pitboss.maths.side_bets import super_bonus_cents
from pitboss.rulebooks import RULEBOOKS, load, vary
from tests.cross.engine_value import CENTS, EngineValue

AS_IT_IS = "7sx5 Khx8 Qh"
"""Splits and re-splits as far as each document lets them go, suited sevens, the Super Bonus, ranked naturals never."""

SHOES = {
    "aces and ranked tens, split once": ("Asx3 Khx2 Qdx2 8cx4", 2),
    "suited 6-7-8 and 7-7-7, split once": ("7sx4 8sx2 6sx2 Khx4", 2),
    "soft hands doubled, forfeits, no split": ("3dx2 Asx2 6dx2 Kdx3 8sx3", 1),
}


def agree(name: str, cards: str, hands_max: int | None) -> None:
    book = load(name)
    if hands_max is not None:
        book = vary(book, {"splitting.hands_max": hands_max})
    shoe = Shoe.of_cards(book, cards)
    bonus = Fraction(super_bonus_cents(book, CENTS), CENTS)
    assert Reference(compile_rules(book), shoe, bonus=bonus).value() == EngineValue(book, Counter(shoe.counts)).value()


@pytest.mark.parametrize("name", RULEBOOKS)
def test_reference_and_engine_agree_on_the_rulebook_as_it_is(name: str) -> None:
    agree(name, AS_IT_IS, None)


@pytest.mark.parametrize("shoe", SHOES)
@pytest.mark.parametrize("name", RULEBOOKS)
def test_reference_and_engine_agree(name: str, shoe: str) -> None:
    agree(name, *SHOES[shoe])
