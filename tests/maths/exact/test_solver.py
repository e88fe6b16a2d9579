"""The fast solver against the reference, against itself, and against what each term must do."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

from pitboss.basics.cards import VALUE
from pitboss.maths.exact import again
from pitboss.maths.exact.play import cards_needed
from pitboss.maths.exact.policy import Plan
from pitboss.maths.exact.reference import Reference
from pitboss.maths.exact.rules import compile_rules
from pitboss.maths.exact.solve import Solution, Solver, solve, value
from pitboss.maths.exact.tables import BUST, NATURAL, dealer_tree
from pitboss.maths.exact.words import VALUES
from pitboss.maths.shoes import INFINITE, MathsError, Shoe
from pitboss.maths.side_bets import super_bonus_chance
from pitboss.rulebooks import RULEBOOKS, load, vary
from pitboss.rulebooks.terms import Rulebook
from tests.lengths import WHOLE, length
from tests.maths.exact.follow import Follow

SEVENS = "7sx4 8sx2 6sx2 Khx4 9cx2 5d 4h"
ACES = "Asx3 Khx3 Qdx2 8dx3 9cx3 7s 7s 6s"
LOW = "2hx2 Asx3 7sx2 6sx2 Khx4 9cx3"
FEW_KINDS = "7sx4 8sx2 6sx2 Khx4 9cx2", "Asx3 Khx4 8dx4 9cx3"


def without_splits(name: str) -> Rulebook:
    return vary(load(name), {"splitting.hands_max": 1})


@pytest.mark.parametrize("cards", [SEVENS, ACES, LOW])
@pytest.mark.parametrize("name", RULEBOOKS)
def test_without_splits_the_fast_road_is_the_plain_road(name: str, cards: str) -> None:
    book = without_splits(name)
    shoe = Shoe.of_cards(book, cards)
    exact = Reference(compile_rules(book), shoe).value()
    assert value(book, shoe) == pytest.approx(float(exact), abs=1e-12)


@pytest.mark.parametrize("name", ["nsw-pontoon", "canberra-pontoon-2005"])
def test_the_super_bonus_is_the_plain_roads_too(name: str) -> None:
    book = without_splits(name)
    shoe = Shoe.of_cards(book, SEVENS)
    exact = Reference(compile_rules(book), shoe, bonus=Fraction(200)).value()
    assert solve(book, shoe, wager_cents=2500).ev == pytest.approx(float(exact), abs=1e-11)


def plans_of(solver: Solver, pair: int, ups: list[int]) -> list[Plan]:
    """The plans that the solver makes for a pair, against these up cards."""
    hands = solver.hands
    left = solver.left.copy()
    left[pair] -= 1.0
    wanted = np.flatnonzero((hands.cards[:, pair] > 0) & (hands.cards <= left).all(axis=1))
    start = hands.places[tuple(int(place == pair) for place in range(10))]
    from pitboss.maths.exact import kernels as k

    k.dealer_finals(left, wanted, hands.cards, hands.size, *solver.tree, solver._shown(0))
    solver._best_for(1.0, left, wanted)
    return [solver._plan(pair, start, up, left, wanted, False, 1.0) for up in ups]


@pytest.mark.parametrize(
    ("name", "hands_max"),
    [("nsw-pontoon", 2), ("nsw-pontoon", 3), ("adelaide-pontoon-2008", 3), ("canberra-pontoon-2005", 2)],
)
def test_the_value_of_a_policy_for_splits_is_what_it_brings(name: str, hands_max: int) -> None:
    """Every hand of a split is followed card by card, re-splits included; the shortcut gives the same to 12 digits."""
    book = vary(load(name), {"splitting.hands_max": hands_max, "splitting.resplit_hands_max": 4})
    shoe = Shoe.of_cards(book, "7sx3 7hx2 8sx2 6sx2 Khx4 9cx2")
    rules = compile_rules(book)
    solver = Solver(book, rules, shoe, 0.0, False)
    solver._play()
    reference = Reference(rules, shoe)
    (plan,) = plans_of(solver, 6, [VALUES.index("9")])
    left = solver.left.copy()
    left[6] -= 1.0
    from pitboss.maths.exact.splits import extras_needed

    for extra in range(1, extras_needed(hands_max) + 1):
        solver._take_out(6, extra, left, [plan])
    fast = solver._policy_value(plan, left, hands_max, next(solver._one_hands([plan], left, hands_max))[1])[0]
    reference.face("9c")
    exact, chances = Fraction(0), Fraction(0)
    for up, _, rest in reference.draws(reference.full):
        if up != "9c":
            continue
        for first, p, rest_1 in reference.draws(rest):
            for second, q, rest_2 in reference.draws(rest_1):
                if VALUE[first] == VALUE[second] == 7:
                    follow = Follow(solver, plan, reference, hands_max)
                    exact += p * q * follow.value(rest_2, first, second)
                    chances += p * q
    assert fast == pytest.approx(float(exact / chances), abs=1e-12)


def short_shoe(book: Rulebook, rng: Random) -> Shoe | None:
    """A few kinds of card, ten to fourteen in all, or none where a round might need more."""
    ranks = rng.sample(book.cards.ranks.value, rng.randint(3, 4))
    kinds = [rank + rng.choice("shdc") for rank in ranks]
    kinds += [rank + rng.choice("shdc") for rank in ranks if rank in "678" and rng.random() < 0.5]
    counts = Counter(kinds)
    while sum(counts.values()) < rng.randint(10, 14):
        counts[rng.choice(kinds)] += 1
    shoe = Shoe(counts)
    return shoe if shoe.size >= cards_needed(shoe, compile_rules(book)) else None


@pytest.mark.parametrize("name", RULEBOOKS)
def test_no_short_shoe_brings_less_than_is_proven(name: str) -> None:
    """Best joint play of all hands, which sees everything, against what is proven; random shoes, two to four hands."""
    rng, wanted = Random(name), length(1000, 2)
    while wanted:
        hands = rng.choice((2, 2, 3, 4))
        book = vary(load(name), {"splitting.hands_max": hands, "splitting.resplit_hands_max": 4})
        shoe = short_shoe(book, rng)
        if shoe is None:
            continue
        wanted -= 1
        best = float(Reference(compile_rules(book), shoe).value())
        found = solve(book, shoe)
        assert found.at_least <= best + 1e-12, shoe.counts
        assert found.at_most is None and found.error_bound is None, "nothing above is proven, and nothing is said"


@pytest.mark.parametrize("name", RULEBOOKS)
def test_best_play_of_two_hands_lies_between_what_is_proven(name: str) -> None:
    """Both hands by enumeration, which sees every suit and rank; random short shoes."""
    rng, wanted = Random(f"two {name}"), length(1000, 2)
    while wanted:
        book = vary(load(name), {"splitting.hands_max": 2})
        shoe = short_shoe(book, rng)
        if shoe is None:
            continue
        wanted -= 1
        best = float(Reference(compile_rules(book), shoe).value())
        found = solve(book, shoe, splits="exact")
        assert found.at_most is not None and found.error_bound is not None
        assert found.at_least <= best + 1e-12 and best - 1e-12 <= found.at_most, shoe.counts
        assert found.at_least <= found.ev <= found.at_most
        assert all(each.at_least <= each.at_most + 1e-12 for each in found.openings)


@pytest.mark.parametrize("cards", FEW_KINDS)
@pytest.mark.parametrize("name", RULEBOOKS)
def test_joint_play_of_two_split_hands_is_the_plain_roads(name: str, cards: str) -> None:
    """Shoes with one suit a rank, so that there is nothing to see in the other hand's suits."""
    book = vary(load(name), {"splitting.hands_max": 2})
    shoe = Shoe.of_cards(book, cards)
    exact = Reference(compile_rules(book), shoe).value()
    assert solve(book, shoe, splits="exact").ev == pytest.approx(float(exact), abs=1e-12)


@pytest.mark.parametrize("hands", [3, 4])
@pytest.mark.parametrize("name", RULEBOOKS)
def test_joint_play_with_hands_split_again_is_the_plain_roads(name: str, hands: int) -> None:
    """Best joint play of all hands; one suit a rank, so that there is nothing to see in the other hands' suits."""
    book = vary(load(name), {"splitting.hands_max": hands, "splitting.resplit_hands_max": 4})
    shoe = Shoe.of_cards(book, "8dx5 Khx6 5sx6")
    best = float(Reference(compile_rules(book), shoe).value())
    joint = solve(book, shoe, splits="exact")
    assert joint.at_most is not None
    assert joint.at_least <= best <= joint.at_most and joint.at_most - joint.at_least < 1e-10
    assert joint.ev == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("name", ["nsw-pontoon", "adelaide-pontoon-2008"])
def test_where_sets_of_cards_are_too_many_joint_play_comes_nearer(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands split again follow the policy; best joint play of all of them is the plain road's."""
    monkeypatch.setattr(again, "ROWS", 1)
    book = vary(load(name), {"splitting.hands_max": 3})
    shoe = Shoe.of_cards(book, "8dx5 Khx6 5sx6")
    best = float(Reference(compile_rules(book), shoe).value())
    policy, joint = solve(book, shoe), solve(book, shoe, splits="exact")
    assert policy.at_least == joint.at_least < policy.ev < joint.ev < best + 1e-12
    assert joint.at_most is None and "two by two" in joint.method


@pytest.mark.parametrize("name", RULEBOOKS)
def test_best_play_of_many_hands_lies_between_what_is_proven(name: str) -> None:
    """All hands by enumeration, which sees every suit and rank; random short shoes, three or four hands."""
    rng, wanted = Random(f"many {name}"), length(1000, 2)
    while wanted:
        book = vary(load(name), {"splitting.hands_max": rng.choice((3, 4)), "splitting.resplit_hands_max": 4})
        shoe = short_shoe(book, rng)
        if shoe is None:
            continue
        wanted -= 1
        best = float(Reference(compile_rules(book), shoe).value())
        found = solve(book, shoe, splits="exact")
        assert found.at_most is not None
        assert found.at_least <= best + 1e-12 and best - 1e-12 <= found.at_most, shoe.counts
        assert found.at_least <= found.ev <= found.at_most
        assert all(each.at_least <= each.at_most + 1e-12 for each in found.openings)


@pytest.mark.parametrize("hands", [2, 3])
def test_suits_of_split_hands_are_bounded(hands: int) -> None:
    """Little else than sixes, sevens and eights of a few suits; the plain road sees the suits of every hand."""
    rng, wanted = Random(hands), length(1000, 2)
    while wanted:
        name = rng.choice([name for name in RULEBOOKS if "pontoon" in name])
        book = vary(load(name), {"splitting.hands_max": hands, "splitting.resplit_hands_max": 4})
        kinds = [rank + suit for rank in rng.sample("678", rng.choice((2, 3))) for suit in rng.sample("shdc", 2)]
        kinds.append(f"{rng.choice('KQ5A9')}d")
        shoe = Shoe(Counter(rng.choice(kinds) for _ in range(rng.randint(10, 13))))
        if shoe.size < cards_needed(shoe, compile_rules(book)):
            continue
        wanted -= 1
        best = float(Reference(compile_rules(book), shoe).value())
        found = solve(book, shoe, splits="exact")
        assert found.at_most is not None
        assert found.at_least <= best + 1e-12 and best - 1e-12 <= found.at_most, (name, shoe.counts)
        assert found.at_least <= found.ev <= found.at_most


@pytest.mark.skipif(not WHOLE, reason="half a minute; with PITBOSS_PROOFS")
def test_blackjack_challenge_from_a_tables_shoe_is_known_exactly() -> None:
    found = solve(load("nsw-blackjack-challenge"), splits="exact")
    assert found.ev == pytest.approx(-0.01473355514, abs=1e-10)
    assert found.at_most is not None and found.at_most - found.at_least < 1e-9


def test_ways_to_play_splits_are_two() -> None:
    with pytest.raises(MathsError, match="policy and exact are known"):
        solve(load("nsw-pontoon"), splits="nearly")


def test_dealers_ends_are_the_plain_roads() -> None:
    book = load("nsw-pontoon")
    shoe = Shoe.of_cards(book, SEVENS)
    rules = compile_rules(book)
    solver = Solver(book, rules, shoe, 0.0, False)
    solver._play()
    reference = Reference(rules, shoe)
    reference.face("6s")
    left = next(rest for card, _, rest in reference.draws(reference.full) if card == "6s")
    left = next(rest for card, _, rest in reference.draws(left) if card == "8s")
    left = next(rest for card, _, rest in reference.draws(left) if card == "Kh")
    hand = solver._two(7, 9)
    for (total, _), chance in reference.finals(left).items():
        place = BUST if total == 22 else total - 12
        assert solver.finals[hand, 5, place] == pytest.approx(float(chance), abs=1e-14)
    assert solver.finals[hand, :, :].sum(axis=1)[5] == pytest.approx(1.0, abs=1e-13)


def test_the_dealers_tree_counts_every_order() -> None:
    """Orders in which a dealer who stands on all 17s can draw, the classic count with ten values."""
    tree = dealer_tree(17, 17)
    assert int(tree.orders.sum()) == 54433
    assert set(tree.final[tree.final >= 0].tolist()) == {5, 6, 7, 8, 9, BUST, NATURAL}


@pytest.fixture(scope="module")
def solutions() -> dict[str, Solution]:
    return {name: solve(load(name)) for name in RULEBOOKS}


@pytest.mark.parametrize("name", RULEBOOKS)
def test_the_tables_of_the_report_add_up(name: str, solutions: dict[str, Solution]) -> None:
    found = solutions[name]
    assert sum(each.contribution for each in found.outcomes) == pytest.approx(found.ev, abs=1e-12)
    assert sum(each.frequency for each in found.outcomes) == pytest.approx(1.0, abs=1e-12)
    for table in (found.by_up, found.by_hand):
        assert sum(chance for chance, _ in table.values()) == pytest.approx(1.0, abs=1e-12)
        assert sum(chance * ev for chance, ev in table.values()) == pytest.approx(found.ev, abs=1e-12)
    assert 1.0 < found.total_wagered < 1.3 and 1.0 < found.standard_deviation < 1.4
    assert 0.0 < found.element_of_risk < -found.ev
    assert min(each.frequency for each in found.outcomes) > 0.0


RECORDED = {
    "nsw-pontoon": -0.004384811731,
    "adelaide-pontoon-2008": -0.006181216632,
    "canberra-pontoon-2005": -0.003786552306,
    "canberra-pontoon-2002": -0.003786552306,
    "nsw-blackjack-challenge": -0.014736228586,
}
"""As first found; they watch for changes and prove nothing."""


@pytest.mark.parametrize("name", RULEBOOKS)
def test_values_stay_as_they_were_found(name: str, solutions: dict[str, Solution]) -> None:
    assert solutions[name].ev == pytest.approx(RECORDED[name], abs=1e-11)


WORSE: list[tuple[str, dict[str, Any]]] = [
    ("nsw-pontoon", {"interim.natural_odds": "1 to 1"}),
    ("nsw-pontoon", {"interim.pay_table.5-card-21": "1 to 1"}),
    ("nsw-pontoon", {"interim.pay_table.6-card-21": "1 to 1"}),
    ("nsw-pontoon", {"interim.pay_table.7-plus-card-21": "1 to 1"}),
    ("nsw-pontoon", {"interim.pay_table.678-mixed": "1 to 1"}),
    ("nsw-pontoon", {"interim.pay_table.678-suited": "3 to 2"}),
    ("nsw-pontoon", {"interim.pay_table.678-spades": "2 to 1"}),
    ("nsw-pontoon", {"interim.pay_table.777-mixed": "1 to 1"}),
    ("nsw-pontoon", {"interim.pay_table.777-spades": "2 to 1"}),
    ("nsw-pontoon", {"doubling.forfeit": False}),
    ("nsw-pontoon", {"doubling.after_split": False}),
    ("nsw-pontoon", {"doubling.hands": "two-or-three-cards"}),
    ("nsw-pontoon", {"doubling.hands": "two-cards-hard-9-10-11"}),
    ("canberra-pontoon-2005", {"doubling.aces": "held-count-one"}),
    ("nsw-pontoon", {"splitting.hands_max": 1}),
    ("canberra-pontoon-2005", {"splitting.hands_max": 3}),
    ("nsw-pontoon", {"settlement.ties": "lose"}),
    ("nsw-pontoon", {"settlement.dealer_natural": "all"}),
    ("nsw-blackjack-challenge", {"interim.five_card_trick": False}),
    ("nsw-blackjack-challenge", {"interim.natural_after_split": False}),
    ("nsw-blackjack-challenge", {"splitting.aces_cards": 1}),
    ("nsw-blackjack-challenge", {"splitting.aces_resplit": False}),
    ("nsw-blackjack-challenge", {"settlement.natural_against_other": "3 to 2"}),
    ("nsw-blackjack-challenge", {"settlement.natural_against_natural.higher": "4 to 1"}),
]
BETTER: list[tuple[str, dict[str, Any]]] = [
    ("nsw-pontoon", {"dealer.soft_stand": 17}),
    ("adelaide-pontoon-2008", {"settlement.dealer_natural": "one-original"}),
    ("nsw-pontoon", {"doubling.aces": "as-usual"}),
    ("nsw-pontoon", {"splitting.hands_max": 3}),
    ("nsw-blackjack-challenge", {"settlement.ties": "stand-off"}),
    ("nsw-pontoon", {"cards.ranks": "A23456789TJQK"}),
]


@pytest.mark.parametrize(("name", "changes"), WORSE)
def test_a_changed_term_costs_the_player(name: str, changes: dict[str, Any], solutions: dict[str, Solution]) -> None:
    assert value(vary(load(name), changes)) < solutions[name].ev - 1e-7


@pytest.mark.parametrize(("name", "changes"), BETTER)
def test_a_changed_term_gains(name: str, changes: dict[str, Any], solutions: dict[str, Solution]) -> None:
    assert value(vary(load(name), changes)) > solutions[name].ev + 1e-7


def test_the_third_hand_that_the_house_may_allow(solutions: dict[str, Solution]) -> None:
    """NSW 13.9; it is worth about what three hands are worth by term, and aces again besides."""
    book = load("nsw-pontoon")
    allowed = value(book, resplit=True)
    assert allowed > value(vary(book, {"splitting.hands_max": 3})) > solutions["nsw-pontoon"].ev


def test_infinitely_many_decks_are_the_limit() -> None:
    book = load("adelaide-pontoon-2008")
    limit = value(book, Shoe.of_decks(book, INFINITE))
    assert value(book, Shoe.of_decks(book, 100)) == pytest.approx(limit, abs=1e-4)
    assert abs(value(book, Shoe.of_decks(book, 100)) - limit) > 1e-6


def test_the_super_bonus_adds_what_it_can() -> None:
    book = load("nsw-pontoon")
    shoe = Shoe.of_decks(book, 8)
    gain = solve(book, shoe, wager_cents=2500).ev - value(book, shoe)
    assert 0.0 < gain <= 200 * float(super_bonus_chance(book, shoe))
    assert solve(book, shoe, wager_cents=499).ev == value(book, shoe)


def test_insurance_is_taken_only_where_it_pays() -> None:
    book = load("nsw-pontoon")
    fresh, rich = Shoe.of_decks(book, 8), Shoe.of_cards(book, "Ksx8 Kdx8 Qhx8 Ahx4 9cx6 8dx4 2sx4 5hx4")
    assert solve(book, fresh, insurance=True).ev == solve(book, fresh).ev
    assert solve(book, rich, insurance=True).ev > solve(book, rich).ev + 1e-4


SMALL = [
    ("nsw-pontoon", "8sx3 Ksx4 7sx2"),
    ("nsw-pontoon", "7sx2 8s Ksx5 Js"),
    ("nsw-pontoon", "Ksx2 Asx3 Js Qsx4"),
    ("adelaide-pontoon-2008", "Jsx2 Ks 9sx6 8s"),
    ("nsw-blackjack-challenge", "Ksx4 Qsx2 6sx5"),
    ("nsw-blackjack-challenge", "Qsx4 Ksx2 As Jsx4"),
]


@pytest.mark.parametrize(("name", "cards"), SMALL)
def test_a_small_shoe_is_solved_where_no_round_can_run_out(name: str, cards: str) -> None:
    book = load(name)
    shoe = Shoe.of_cards(book, cards)
    best = float(Reference(compile_rules(book), shoe).value())
    found = solve(book, shoe)
    assert found.at_least <= best + 1e-12
    book = without_splits(name)
    assert value(book, shoe) == pytest.approx(float(Reference(compile_rules(book), shoe).value()), abs=1e-12)


def test_a_shoe_that_can_run_out_has_no_value() -> None:
    book = load("nsw-pontoon")
    with pytest.raises(MathsError, match="a round may need"):
        solve(book, Shoe.of_cards(book, "2s 3s 4s 5s 6s 7s"))
    with pytest.raises(MathsError, match="run out"):
        Reference(compile_rules(book), Shoe.of_cards(book, "2s 3s 4s 5s 6s 7s")).value()
