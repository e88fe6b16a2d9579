"""The reference solver and the engine know the rules from different code; on small shoes they agree exactly."""

from __future__ import annotations

from collections import Counter

import pytest
from cross.engine_value import EngineValue

from pitboss.basics.cards import parse_cards
from pitboss.maths.exact.reference import Reference
from pitboss.maths.exact.rules import compile_rules
from pitboss.maths.shoes import Shoe
from pitboss.rulebooks import RULEBOOKS, load

SHOES = {
    "suited sevens": "7s 7s 7s 8s 8d 6s 6d Kh Kh Kd 9c 9c",
    "aces and tens": "As As Ah Kh Kd Qd Qs Jc 9c 9c 8d 8d",
}


@pytest.mark.parametrize("shoe", SHOES)
@pytest.mark.parametrize("name", RULEBOOKS)
def test_reference_and_engine_agree(name: str, shoe: str) -> None:
    book = load(name)
    cards = parse_cards(SHOES[shoe])
    engine = EngineValue(book, Counter(cards))
    assert Reference(compile_rules(book), Shoe.of_cards(book, cards)).value() == engine.value()
