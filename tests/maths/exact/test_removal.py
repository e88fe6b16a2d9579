"""What one card out of the shoe changes."""

from __future__ import annotations

import pytest

from pitboss.maths.exact.removal import BEST, KEPT_ERROR, KeptPlay, _fewer, _means, removal_effects, solve_with_effects
from pitboss.maths.exact.rules import compile_rules
from pitboss.maths.exact.solve import Solver, value
from pitboss.maths.shoes import MathsError, Shoe
from pitboss.rulebooks import RULEBOOKS, load, vary


@pytest.mark.parametrize("name", RULEBOOKS)
def test_taking_a_card_out_unseen_changes_nothing_where_play_is_kept(name: str) -> None:
    """Not knowing which card is gone is like not taking one: a law that every dealer's hand and bonus has to keep."""
    book = vary(load(name), {"splitting.hands_max": 1})
    shoe = Shoe.of_decks(book, 8)
    effects = removal_effects(book, shoe).by_rank
    assert sum(shoe.rank(rank) / shoe.size * effect for rank, effect in effects.items()) == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("decks", [8, 1])
@pytest.mark.parametrize("name", RULEBOOKS)
def test_hands_split_again_change_like_the_others(name: str, decks: int) -> None:
    book = load(name)
    shoe = Shoe.of_decks(book, decks)

    def effects(whole: bool) -> dict[str, float]:
        solver = Solver(book, compile_rules(book, resplit=True), shoe, 0.0, False)
        base = solver.value()
        kept = KeptPlay(solver, whole=whole)
        return _means(shoe, {card: kept.value(card, less) for card, less in _fewer(solver)}, base)

    quick, slow = effects(False), effects(True)
    assert max(abs(quick[rank] - slow[rank]) for rank in quick) < KEPT_ERROR / shoe.size**2 / 1.5
    mean = sum(shoe.rank(rank) / shoe.size * effect for rank, effect in slow.items())
    assert abs(mean) < 1e-8 if decks == 8 else abs(mean) < 1e-6


@pytest.mark.parametrize("name", ["adelaide-pontoon-2008", "nsw-blackjack-challenge"])
def test_best_play_without_a_card_gains_a_little_on_kept_play(name: str) -> None:
    book = load(name)
    shoe = Shoe.of_decks(book, 8)
    found, kept = solve_with_effects(book, shoe)
    best = removal_effects(book, shoe, play=BEST)
    assert found.ev == value(book, shoe)
    for rank, effect in best.by_rank.items():
        assert -kept.error_bound < effect - kept.by_rank[rank] < 1e-4, rank
    assert kept.by_rank["5"] > 0.0 > kept.by_rank["A"]
    assert best.by_rank["J"] == best.by_rank["Q"] == best.by_rank["K"]
    less = shoe.without("5s")
    assert best.by_rank["5"] == pytest.approx(value(book, less) - found.ev, abs=1e-14)


def test_a_shoe_that_is_just_large_enough_has_no_effects_to_tell() -> None:
    book = load("nsw-pontoon")
    shoe = Shoe.of_cards(book, "Ksx4 Khx4")
    assert removal_effects(book, shoe).by_rank == {}


def test_unknown_play_is_named() -> None:
    with pytest.raises(MathsError, match="kept and best are known"):
        removal_effects(load("nsw-pontoon"), Shoe.of_decks(load("nsw-pontoon"), 8), play="some")
