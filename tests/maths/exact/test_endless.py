"""Infinitely many decks: the fast road against the plain one, which takes no shortcut, hand by hand and as a whole."""

from __future__ import annotations

from math import sqrt
from typing import Any

import pytest

from pitboss.basics.cards import VALUE
from pitboss.maths.exact.endless import OTHER, SPADE
from pitboss.maths.exact.solve import Solution, solve, solver_for, value
from pitboss.maths.exact.words import VALUES
from pitboss.maths.shoes import INFINITE, Shoe
from pitboss.maths.simulate.simulation import simulate
from pitboss.rulebooks import RULEBOOKS, load, vary
from tests.lengths import WHOLE
from tests.maths.exact.endless import EndlessReference, Held, Line, Waiting

FOUND = {
    ("nsw-pontoon", False): (-0.005266926642, 1.139799923018, 1.139788534312),
    ("nsw-pontoon", True): (-0.004086246873, 1.146171360901, 1.147376771042),
    ("adelaide-pontoon-2008", False): (-0.006936094330, 1.109289266118, 1.117897959938),
    ("canberra-pontoon-2005", False): (-0.004648813130, 1.147133795484, 1.150003634432),
    ("canberra-pontoon-2002", False): (-0.004648813130, 1.147133795484, 1.150003634432),
    ("nsw-blackjack-challenge", False): (-0.014714563361, 1.130987605651, 1.255803758828),
}
"""Value, all that is wagered and the standard deviation."""


def endless(name: str, resplit: bool = False, **changes: Any) -> Solution:
    book = vary(load(name), changes) if changes else load(name)
    return solve(book, Shoe.of_decks(book, INFINITE), resplit=resplit)


@pytest.mark.parametrize(("name", "resplit"), FOUND)
def test_the_value_is_the_truth(name: str, resplit: bool) -> None:
    """The figures are the plain road's where it was walked to its end (`test_the_plain_road_to_its_end`)."""
    found, (ev, wagered, deviation) = endless(name, resplit), FOUND[name, resplit]
    assert found.ev == pytest.approx(ev, abs=2e-12)
    assert found.total_wagered == pytest.approx(wagered, abs=2e-12)
    assert found.standard_deviation == pytest.approx(deviation, abs=2e-12)
    assert found.error_bound is not None and found.error_bound <= 1e-9


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_result_has_its_chance(name: str) -> None:
    found = endless(name)
    assert sum(found.results.values()) == pytest.approx(1.0, abs=1e-12)
    assert sum(float(amount) * chance for amount, chance in found.results.items()) == pytest.approx(found.ev, abs=1e-12)
    assert all(-1e-15 < chance < 1.0 for chance in found.results.values())


CASES = [
    ("nsw-pontoon", True, "As", "As", "As"),
    ("nsw-pontoon", False, "8s", "8h", "Ks"),
    ("adelaide-pontoon-2008", False, "9s", "9s", "8s"),
    ("canberra-pontoon-2005", False, "As", "As", "As"),
    ("nsw-blackjack-challenge", False, "As", "As", "As"),
]


@pytest.mark.parametrize(("name", "resplit", "first", "second", "up"), CASES)
def test_a_split_is_the_plain_roads(name: str, resplit: bool, first: str, second: str, up: str) -> None:
    """Its value, its wagers and each of its results, with re-splits and the one amount of a dealer natural."""
    book = load(name)
    plain = EndlessReference(book, resplit=resplit)
    plain.face(up)
    hand = Held((), 0, 0, 0, 0, False).with_card(first).with_card(second)
    line = split_of(plain, hand)
    solver = solver_for(book, Shoe.of_decks(book, INFINITE), resplit=resplit)
    solver.every_split = True
    solver.value()
    suits = tuple(SPADE if card[1] == "s" and card[0] in "678" else OTHER for card in (first, second))
    found = solver.splits[VALUE[first] - 1, VALUES.index(up[0] if up[0] not in "TJQK" else "10")].of(
        (suits[0], suits[1])
    )
    assert found.value == pytest.approx(line.value, abs=1e-11)
    assert found.wagered == pytest.approx(1.0 + line.wagered, abs=1e-11)
    square = sum(float(amount) ** 2 * chance for amount, chance in found.money.items())
    plainly = sum(
        plain.ends[end] * chance * amount**2 for end, money in line.results.items() for amount, chance in money.items()
    )
    assert square == pytest.approx(plainly, abs=1e-11)


def split_of(plain: EndlessReference, hand: Held) -> Line:
    first, second = (plain.alike(card) for card in hand.cards)
    line = plain.next_hand(Waiting((first, second), 2))
    return line._replace(wagered=line.wagered + 1.0)


def test_aces_are_split_against_an_ace_where_they_may_be_split_again() -> None:
    """NSW 13.9: two hands lose more than hitting does, three lose less, and every part of the report says so."""
    found = endless("nsw-pontoon", True)
    aces = next(each for each in found.openings if (each.cards, each.up) == ("A-A", "A"))
    assert aces.act == "split"
    assert aces.acts["split"] == pytest.approx(-0.066, abs=1e-3)
    assert aces.acts["hit"] == pytest.approx(-0.108, abs=1e-3)


@pytest.mark.skipif(not WHOLE, reason="minutes; with PITBOSS_PROOFS")
@pytest.mark.parametrize(("name", "resplit"), FOUND)
def test_the_plain_road_to_its_end(name: str, resplit: bool) -> None:
    ev, wagered, money, shared = EndlessReference(load(name), resplit=resplit).round()
    deviation = sqrt(sum(chance * amount**2 for amount, chance in money.items()) - ev**2)
    assert (ev, wagered, deviation) == pytest.approx(FOUND[name, resplit], abs=2e-12)
    assert shared - ev**2 == pytest.approx(endless(name, resplit).covariance, abs=1e-10)


def test_two_boxes_hang_together_as_they_are_played() -> None:
    """The simulator's boxes, from eight decks, which are near enough to endless for two digits."""
    found = simulate("nsw-pontoon", rounds=400_000, boxes=2, seed=3)
    together = 2 * found.rounds * found.standard_error**2 - found.standard_deviation**2
    assert endless("nsw-pontoon").covariance == pytest.approx(together, abs=0.02)


LOSING: list[tuple[str, dict[str, Any], bool, int]] = [
    ("nsw-pontoon", {}, True, 12),
    ("nsw-pontoon", {"doubling.hands": "two-cards-hard-9-10-11", "doubling.forfeit": False}, True, 12),
    (
        "nsw-pontoon",
        {"doubling.after_split": False, "doubling.aces": "as-usual", "settlement.ties": "lose"},
        True,
        12,
    ),
    (
        "nsw-pontoon",
        {
            "settlement.ties": "lose",
            "splitting.resplit_hands_max": 4,
            "dealer.soft_stand": 17,
            "doubling.forfeit": False,
        },
        True,
        4,
    ),
    ("canberra-pontoon-2002", {"splitting.aces_resplit": True}, False, 100),
    (
        "canberra-pontoon-2005",
        {"splitting.aces_resplit": True, "dealer.soft_stand": 17, "splitting.aces_cards": 1},
        False,
        6,
    ),
    (
        "canberra-pontoon-2005",
        {"splitting.aces_resplit": True, "doubling.hands": "two-or-three-cards", "doubling.aces": "as-usual"},
        False,
        12,
    ),
    ("canberra-pontoon-2005", {"splitting.aces_resplit": True}, True, 40),
]
"""Variants in which re-splits make a split best that two hands would not be."""


@pytest.mark.parametrize(("name", "changes", "resplit", "decks"), LOSING)
def test_no_split_is_passed_over_that_re_splits_make_best(
    name: str, changes: dict[str, Any], resplit: bool, decks: int
) -> None:
    book = vary(load(name), changes)
    shoe = Shoe.of_decks(book, decks)
    every = solver_for(book, shoe, resplit=resplit)
    every.every_split = True
    assert value(book, shoe, resplit=resplit) == pytest.approx(every.value(), abs=1e-14)
