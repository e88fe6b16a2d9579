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
from tests.books import ACT2, ACT5
from tests.cross.engine_value import CENTS, EngineValue
from tests.lengths import WHOLE

NAMES = [name for name in RULEBOOKS if WHOLE or name != ACT2]
"""The two documents of Canberra differ in nothing that is played here."""

AS_IT_IS = "7sx5 Khx8 Qh"
"""Splits and re-splits as far as each document lets them go, suited sevens, the Super Bonus, ranked naturals never."""

SOFT = "soft hands doubled, forfeits, no split"
SHOES = {
    "aces and ranked tens, split once": ("Asx3 Khx2 Qdx2 8cx4", 2),
    "suited 6-7-8 and 7-7-7, split once": ("7sx4 8sx2 6sx2 Khx4", 2),
    SOFT: ("3dx2 Asx2 6dx2 Kdx3 8sx3", 1),
}


def agree(name: str, cards: str, hands_max: int | None) -> set[str]:
    """Both give the same fraction; the acts that the engine wanted on the way."""
    book = load(name)
    if hands_max is not None:
        book = vary(book, {"splitting.hands_max": hands_max})
    shoe = Shoe.of_cards(book, cards)
    bonus = Fraction(super_bonus_cents(book, CENTS), CENTS)
    engine = EngineValue(book, Counter(shoe.counts))
    assert Reference(compile_rules(book), shoe, bonus=bonus).value() == engine.value()
    return engine.wanted


@pytest.mark.parametrize("name", [name for name in NAMES if WHOLE or name != ACT5])  # four hands take long
def test_reference_and_engine_agree_on_the_rulebook_as_it_is(name: str) -> None:
    """The shoes are worth enumerating: between them they ask for every act that the rulebook has."""
    wanted = agree(name, AS_IT_IS, None) | agree(name, *SHOES[SOFT])
    book = load(name)
    assert {"Stand", "Hit", "Double", "Split"} <= wanted
    assert "Surrender" in wanted or not book.surrender.offered.value
    assert {"Forfeit", "Keep"} <= wanted or not book.doubling.forfeit.value


@pytest.mark.parametrize("shoe", [shoe for shoe in SHOES if shoe != SOFT])
@pytest.mark.parametrize("name", NAMES)
def test_reference_and_engine_agree(name: str, shoe: str) -> None:
    agree(name, *SHOES[shoe])
