"""The value of every act with one hand, against the plain road where the shoe is small enough."""

from __future__ import annotations

from functools import cache

import pytest

from pitboss.maths.exact.reference import Hand, Reference
from pitboss.maths.exact.rules import compile_rules
from pitboss.maths.exact.solve import Solver, solver_for
from pitboss.maths.shoes import INFINITE, MathsError, Shoe
from pitboss.rulebooks import load, vary
from pitboss.strategy.explain import explain


@cache
def solved(name: str, cards: str = "", splits: bool = True) -> Solver:
    book = load(name) if splits else vary(load(name), {"splitting.hands_max": 1})
    solver = solver_for(book, Shoe.of_cards(book, cards) if cards else None)
    solver.every_split = True
    solver.value()
    return solver


SMALL = "7sx4 7hx2 8sx2 6sx3 Khx4 9cx2 5d 4h"


@pytest.mark.parametrize("text", ["6s 7s v 9c", "6s 8s v 7h", "7s 7s v Kh", "7h 7s v 6s", "9c 7s v Kh", "5d 4h v 8s"])
@pytest.mark.parametrize("name", ["nsw-pontoon", "canberra-pontoon-2005", "nsw-blackjack-challenge"])
def test_the_best_act_is_worth_what_the_plain_road_says_suits_included(name: str, text: str) -> None:
    solver = solved(name, SMALL, splits=False)
    found = explain(solver, text)
    mine, _, up = text.rpartition(" v ")
    reference = Reference(compile_rules(solver.rulebook), solver.shoe)
    reference.face(up)
    left = list(reference.full)
    hand = Hand((), 0, 0, 0, 0)
    left[reference.kinds.index(up)] -= 1
    for card in mine.split():
        left[reference.kinds.index(card)] -= 1
        hand = hand.with_card(card)
    assert found.choices[0].ev == pytest.approx(float(reference.opening(tuple(left), hand)), abs=1e-12)
    assert found.choices[0].act in found.reason


def test_splitting_again_is_told_as_the_edge_counts_it() -> None:
    """NSW 13.9: aces against an ace are split where they may be split again, with infinitely many decks."""
    book = load("nsw-pontoon")
    solver = solver_for(book, Shoe.of_decks(book, INFINITE), resplit=True)
    solver.every_split = True
    solver.value()
    found = explain(solver, "As Ah v Ad")
    told = next(each for each in solver.openings() if (each.cards, each.up) == ("A-A", "A"))
    assert found.choices[0].act == told.act == "split"
    assert found.choices[0].ev == pytest.approx(told.ev, abs=1e-14)


def test_every_legal_act_is_told_with_its_reason() -> None:
    found = explain(solved("nsw-pontoon"), "7h 7d v 7s")
    assert [each.act for each in found.choices] == ["split", "hit", "stand", "double"]
    assert all(each.why for each in found.choices) and "more than to hit" in found.reason
    assert found.insurance is None


def test_surrender_and_insurance_are_told_where_they_are_open() -> None:
    found = explain(solved("nsw-pontoon"), "9s 7d against Ah")
    by_act = {each.act: each.ev for each in found.choices}
    assert by_act["surrender"] == pytest.approx(-0.5 * (1 + 96 / 381), abs=1e-9)
    assert found.insurance == pytest.approx(3 * 96 / 381 - 1, abs=1e-9)
    assert "surrender" not in {each.act for each in explain(solved("nsw-pontoon"), "9s 7d v 9h").choices}


def test_suits_that_are_seen_count() -> None:
    suited, mixed = (explain(solved("nsw-pontoon"), text) for text in ("7s 8s v 2d", "7s 8h v 2d"))
    hit = {each.act: each.ev for each in suited.choices}["hit"] - {each.act: each.ev for each in mixed.choices}["hit"]
    assert hit == pytest.approx(8 / 381 * 1.5, abs=1e-9), "spades pay 3 to 1, mixed 3 to 2"


def test_what_follows_a_double() -> None:
    found = explain(solved("nsw-pontoon"), "4s 6s 2d doubled v 9d")
    assert [each.act for each in found.choices] == ["forfeit", "keep"] and found.choices[0].ev == -1.0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("7h 7d", 'write a hand as in "7h 7d v 7s"'),
        ("7h v 7s", "write a hand as in"),
        ("7h 7x v 7s", "7x"),
        ("Th 7h v 7s", "not so often in the shoe"),
        ("Ah Kh v 7s", "is pontoon: there is nothing to decide"),
        ("Kh 6h 5d v 7s", "is 21: there is nothing to decide"),
        ("Kh 9h 5d v 7s", "over 21"),
        ("Kh 6h 5d doubled v 7s", "is paid at once"),
        ("Kh Qh 2h Jh doubled v 7s", "may not be doubled"),
    ],
)
def test_what_is_no_question_is_named(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence) as told:
        explain(solved("nsw-pontoon"), text)
    assert isinstance(told.value, MathsError) or "card" in str(told.value)


def test_a_game_without_forfeits_has_nothing_to_decide_after_a_double() -> None:
    with pytest.raises(MathsError, match="has no forfeit"):
        explain(solved("nsw-blackjack-challenge"), "4s 6s 2d doubled v 9d")
    with pytest.raises(MathsError, match="five card trick"):
        explain(solved("nsw-blackjack-challenge"), "2s 2h 2d 3d 3s v 9d")
