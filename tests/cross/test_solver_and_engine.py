"""The fast solver against the engine itself, and what the engine's enumeration had to decide on the way.

`test_reference_and_engine` holds the engine against exact fractions; here the engine's own best acts are looked at, so
that the shoes of that test are known to ask for every act, and the fast solver is held against the engine directly.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from pitboss.maths.exact.solve import solve
from pitboss.maths.shoes import Shoe
from pitboss.maths.side_bets import super_bonus_cents
from pitboss.rulebooks import load, vary
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.legal import legal_acts
from pitboss.table.state import Table
from tests.cross.engine_value import CENTS, OUT_OF_PLACE, EngineValue
from tests.cross.test_reference_and_engine import AS_IT_IS, SHOES

SOFT = "soft hands doubled, forfeits, no split"


class Watched(EngineValue):
    """Notes which acts are strictly better than all others somewhere."""

    def __init__(self, rulebook: Rulebook, cards: Counter[str]) -> None:
        super().__init__(rulebook, cards)
        self.wanted: Counter[str] = Counter()

    def best(self, table: Table) -> Fraction:
        if table.phase == "wagers":
            return Fraction(table.net["alice"])
        key = self.position(table)
        if key not in self.known:
            ways = [act for act in legal_acts(table) if not isinstance(act, OUT_OF_PLACE)]
            values = [(self.after(table, act, ()), type(act).__name__) for act in ways]
            most = max(value for value, _ in values)
            names = [name for value, name in values if value == most]
            self.wanted.update(names if len(names) == 1 else ())
            self.known[key] = most
        return self.known[key]


@pytest.mark.parametrize(
    ("name", "acts"),
    [
        ("nsw-pontoon", {"Stand", "Hit", "Double", "Split", "Surrender", "Forfeit", "Keep"}),
        ("adelaide-pontoon-2008", {"Stand", "Hit", "Double", "Split", "Surrender", "Forfeit", "Keep"}),
        ("canberra-pontoon-2005", {"Stand", "Hit", "Double", "Split", "Surrender", "Forfeit", "Keep"}),
        ("canberra-pontoon-2002", {"Stand", "Hit", "Double", "Split", "Surrender", "Forfeit", "Keep"}),
        ("nsw-blackjack-challenge", {"Stand", "Hit", "Double", "Split"}),
    ],
)
def test_the_shoes_that_are_enumerated_ask_for_every_act(name: str, acts: set[str]) -> None:
    wanted: Counter[str] = Counter()
    cards, hands_max = SHOES[SOFT]
    for book, shoe in (
        (load(name), AS_IT_IS),
        (vary(load(name), {"splitting.hands_max": hands_max}), cards),
    ):
        watched = Watched(book, Counter(Shoe.of_cards(book, shoe).counts))
        watched.value()
        wanted += watched.wanted
    assert acts <= set(wanted)


@pytest.mark.parametrize("name", ["nsw-pontoon", "adelaide-pontoon-2008", "nsw-blackjack-challenge"])
def test_the_fast_solver_is_worth_what_the_engine_plays(name: str) -> None:
    """One suit a rank, two hands played jointly: equal to the last digits of a float."""
    book = vary(load(name), {"splitting.hands_max": 2})
    shoe = Shoe.of_cards(book, "7sx4 Khx5 8cx3")
    exact = EngineValue(book, Counter(shoe.counts)).value()
    cents = CENTS if super_bonus_cents(book, CENTS) else None
    assert solve(book, shoe, wager_cents=cents, splits="exact").ev == pytest.approx(float(exact), abs=1e-12)
