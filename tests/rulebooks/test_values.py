"""What the five documents say, chapter by chapter; each value stands on the clauses that its mark names."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from pitboss.basics.money import Odds
from pitboss.rulebooks import load, terms
from pitboss.rulebooks.terms import FixedRow, PayRow, Restriction, Term
from tests.books import ACT2, ACT5, ADL, BJC, NSW

clause = pytest.mark.clause


def plain(value: Any) -> Any:
    """A value as one would write it down: odds as text, rows by their names."""
    if isinstance(value, Odds):
        return str(value)
    if isinstance(value, tuple) and value and isinstance(value[0], PayRow):
        return {row.name: str(row.odds) for row in value}
    if isinstance(value, tuple) and value and isinstance(value[0], FixedRow):
        return {row.name: row.cents_by_wager or f"{row.share_percent}%" for row in value}
    return value


def cited(term: Term[Any]) -> set[str]:
    """Every clause that a term cites, in its rows too."""
    rows = term.value if isinstance(term.value, tuple) else ()
    found = set(term.clauses)
    for row in rows:
        if isinstance(row, PayRow | FixedRow | Restriction):
            found.update(row.clauses)
    if isinstance(term.value, dict):
        found.update(term.value.values())
    return found


def assert_says(request: pytest.FixtureRequest, key: str, value: Any) -> None:
    """The rulebook of the test's mark has this value, and its term cites the clauses of the mark."""
    mark = request.node.get_closest_marker("clause")
    rulebook, *clauses = mark.args
    term = dict(terms(load(rulebook)))[key]
    assert plain(term.value) == value
    assert set(clauses) <= cited(term)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        pytest.param("cards.decks", (6, 8), marks=clause("nsw-pontoon", "3.1")),
        pytest.param("cards.decks", (3, 4, 5, 6, 7, 8), marks=clause("adelaide-pontoon-2008", "5")),
        pytest.param("cards.decks", (3, 4, 5, 6, 7, 8), marks=clause("canberra-pontoon-2005", "2.1", "2.3(a)")),
        pytest.param("cards.decks", (3, 4, 5, 6, 7, 8), marks=clause("canberra-pontoon-2002", "2.1", "2.3(a)")),
        pytest.param("cards.decks", (6, 8), marks=clause("nsw-blackjack-challenge", "3.1", "3.1.1")),
        pytest.param("cards.ranks", "A23456789JQK", marks=clause("nsw-pontoon", "3.1")),
        pytest.param("cards.ranks", "A23456789JQK", marks=clause("adelaide-pontoon-2008", "5")),
        pytest.param("cards.ranks", "A23456789TJQK", marks=clause("nsw-blackjack-challenge", "3.1")),
        pytest.param("cards.jokers", True, marks=clause("adelaide-pontoon-2008", "6")),
        pytest.param("cards.jokers", False, marks=clause("canberra-pontoon-2005", "2.1")),
        pytest.param("cards.natural_rank", "KQJT", marks=clause("nsw-blackjack-challenge", "3.3")),
        pytest.param("cards.natural_rank", "", marks=clause("nsw-pontoon", "16.1.1")),
        pytest.param("cards.face_down", "inspector-approval", marks=clause("nsw-pontoon", "3.6.2")),
        pytest.param("cards.face_down", "vip-request", marks=clause("adelaide-pontoon-2008", "48")),
        pytest.param("cards.face_down", "never", marks=clause("canberra-pontoon-2005", "6.1")),
        pytest.param("cards.face_down", "never", marks=clause("canberra-pontoon-2002", "6.1")),
        pytest.param("cards.face_down", "never", marks=clause("nsw-blackjack-challenge", "3.8")),
        pytest.param("cards.new_cards_shoe", "after-cutting-card-round", marks=clause("nsw-pontoon", "3.5.1")),
        pytest.param("cards.new_cards_shoe", "any-round", marks=clause("adelaide-pontoon-2008", "40")),
        pytest.param("cards.new_cards_by", "casino-operator", marks=clause("canberra-pontoon-2002", "2.4")),
    ],
)
def test_the_cards(request: pytest.FixtureRequest, key: str, value: Any) -> None:
    assert_says(request, key, value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        pytest.param("shuffle.ordered_by", "casino-supervisor", marks=clause("nsw-pontoon", "4.1.4")),
        pytest.param("shuffle.ordered_by", "shift-manager", marks=clause("adelaide-pontoon-2008", "35(c)")),
        pytest.param(
            "shuffle.ordered_notice", "government-inspectorate", marks=clause("adelaide-pontoon-2008", "35:note-c")
        ),
        pytest.param("shuffle.ordered_by", "nobody", marks=clause("canberra-pontoon-2005", "5.4")),
        pytest.param("shuffle.cutter_new_game", "first-to-table", marks=clause("nsw-pontoon", "4.3.1")),
        pytest.param("shuffle.cutter_new_game", "farthest-left", marks=clause("adelaide-pontoon-2008", "36(a)")),
        pytest.param("shuffle.cutter_new_game", "first-to-table", marks=clause("canberra-pontoon-2005", "5.2(a)")),
        pytest.param("shuffle.cut_refused_by_all", "casino-supervisor", marks=clause("nsw-pontoon", "4.4")),
        pytest.param("shuffle.cut_refused_by_all", "dealer", marks=clause("adelaide-pontoon-2008", "39")),
        pytest.param(
            "shuffle.cut_refused_by_all", "casino-supervisor", marks=clause("canberra-pontoon-2002", "5.2:tail")
        ),
        pytest.param("shuffle.cutting_card_decks_min", 0, marks=clause("nsw-pontoon", "4.6")),
        pytest.param("shuffle.cutting_card_decks_min", 1, marks=clause("canberra-pontoon-2005", "5.3")),
        pytest.param("shuffle.cutting_card_tolerance_decks", "1/2", marks=clause("canberra-pontoon-2002", "5.3:tail")),
        pytest.param("shuffle.device_cut", False, marks=clause("nsw-pontoon", "4.7")),
        pytest.param("shuffle.device_cut", False, marks=clause("adelaide-pontoon-2008", "41")),
        pytest.param("shuffle.burn_shoe", 1, marks=clause("nsw-pontoon", "4.9")),
        pytest.param("shuffle.burn_shoe", 1, marks=clause("nsw-blackjack-challenge", "4.9.2")),
        pytest.param("shuffle.burn_device", 1, marks=clause("nsw-blackjack-challenge", "4.9.1")),
        pytest.param("shuffle.burn_device", 5, marks=clause("adelaide-pontoon-2008", "42")),
        pytest.param("shuffle.burn_device", 0, marks=clause("canberra-pontoon-2005", "19.2")),
        pytest.param("shuffle.device_return", "after-initial-deal", marks=clause("nsw-pontoon", "7.2")),
        pytest.param("shuffle.device_return", "end-of-round", marks=clause("adelaide-pontoon-2008", "53(b)")),
        pytest.param("shuffle.final_rounds", 3, marks=clause("adelaide-pontoon-2008", "54")),
        pytest.param("shuffle.final_rounds", 3, marks=clause("canberra-pontoon-2005", "5.5", "5.5:note")),
        pytest.param("shuffle.final_rounds", 3, marks=clause("canberra-pontoon-2002", "5.5")),
    ],
)
def test_shuffle_and_cut(request: pytest.FixtureRequest, key: str, value: Any) -> None:
    assert_says(request, key, value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        pytest.param("boxes.number", (7,), marks=clause("nsw-pontoon", "2.2.1")),
        pytest.param("boxes.number", (1, 2, 3, 4, 5, 6, 7), marks=clause("adelaide-pontoon-2008", "3")),
        pytest.param("boxes.number", (5, 6, 7), marks=clause("nsw-blackjack-challenge", "2.2.1")),
        pytest.param("boxes.players_max", 3, marks=clause("adelaide-pontoon-2008", "77")),
        pytest.param("boxes.wagers_per_player", 1, marks=clause("adelaide-pontoon-2008", "12")),
        pytest.param("boxes.control", ("seated", "highest", "nearest"), marks=clause("nsw-pontoon", "5.6")),
        pytest.param("boxes.control", ("seated", "highest", "nearest"), marks=clause("adelaide-pontoon-2008", "78")),
        pytest.param(
            "boxes.control", ("seated", "nearest"), marks=clause("canberra-pontoon-2005", "4.5", "4.5(a)", "4.5(b)")
        ),
        pytest.param(
            "boxes.control", ("seated", "nearest"), marks=clause("canberra-pontoon-2002", "4.5", "4.5(a)", "4.5(b)")
        ),
        pytest.param(
            "boxes.control_clauses",
            {"seated": "5.7.1", "highest": "5.7.2", "nearest": "5.7.3"},
            marks=clause("nsw-blackjack-challenge", "5.7", "5.7.1", "5.7.2", "5.7.3"),
        ),
        pytest.param("boxes.control_declinable", True, marks=clause("adelaide-pontoon-2008", "78")),
        pytest.param("boxes.reserved_by", "casino-supervisor", marks=clause("nsw-pontoon", "5.14")),
        pytest.param("boxes.reserved_by", "casino-supervisor", marks=clause("nsw-blackjack-challenge", "5.16")),
        pytest.param("boxes.players_capped_by", "casino-supervisor", marks=clause("nsw-pontoon", "5.16")),
        pytest.param("boxes.players_capped_by", "casino-supervisor", marks=clause("nsw-blackjack-challenge", "5.18")),
        pytest.param("limits.maximum_scope", "box", marks=clause("nsw-pontoon", "6.1")),
        pytest.param("limits.maximum_scope", "player-box", marks=clause("adelaide-pontoon-2008", "13")),
        pytest.param("limits.maximum_scope", "box", marks=clause("canberra-pontoon-2005", "3.1")),
        pytest.param("limits.change_told_first", False, marks=clause("nsw-pontoon", "6.5")),
        pytest.param("limits.raise_notice_minutes", 20, marks=clause("nsw-pontoon", "6.5", "6.5.2")),
        pytest.param("limits.raise_keeps_old_minimum", True, marks=clause("nsw-blackjack-challenge", "6.5.1")),
        pytest.param("limits.personal_maximum_by", "casino-supervisor", marks=clause("nsw-pontoon", "6.6")),
        pytest.param("limits.personal_maximum_by", "casino-operator", marks=clause("canberra-pontoon-2005", "3.2")),
        pytest.param(
            "limits.beside_personal_maximum", "within-stated-maximum", marks=clause("canberra-pontoon-2005", "4.6")
        ),
        pytest.param(
            "limits.beside_personal_maximum", "within-stated-maximum", marks=clause("canberra-pontoon-2002", "4.7")
        ),
        pytest.param("limits.found_below_minimum", "valid", marks=clause("nsw-pontoon", "6.2")),
        pytest.param(
            "limits.found_below_minimum", "settled-then-returned", marks=clause("adelaide-pontoon-2008", "118")
        ),
        pytest.param(
            "limits.found_below_minimum", "settled-then-returned", marks=clause("canberra-pontoon-2005", "3.4")
        ),
        pytest.param("limits.found_above_maximum", "settled-to-maximum", marks=clause("adelaide-pontoon-2008", "119")),
        pytest.param("limits.low_limit_device_only", True, marks=clause("nsw-pontoon", "6.7.2")),
        pytest.param("wagers.means", ("chips", "promotional-tokens"), marks=clause("nsw-pontoon", "5.2")),
        pytest.param("wagers.means", ("chips",), marks=clause("adelaide-pontoon-2008", "12", "23")),
        pytest.param("wagers.loss_limit", True, marks=clause("nsw-pontoon", "19.3")),
        pytest.param("wagers.loss_limit", True, marks=clause("nsw-blackjack-challenge", "20.3")),
        pytest.param("wagers.locked", "first-card", marks=clause("nsw-pontoon", "5.4")),
        pytest.param("wagers.locked", "no-more-bets", marks=clause("adelaide-pontoon-2008", "15")),
        pytest.param("wagers.locked", "first-card", marks=clause("canberra-pontoon-2002", "4.3")),
        pytest.param("wagers.refused_by", "casino-supervisor", marks=clause("nsw-blackjack-challenge", "20.16")),
        pytest.param("wagers.rounding", "up", marks=clause("nsw-pontoon", "5.10")),
        pytest.param("wagers.rounding", "down-if-multiples-signed", marks=clause("adelaide-pontoon-2008", "120")),
        pytest.param("wagers.rounding", "up", marks=clause("nsw-blackjack-challenge", "5.12")),
        pytest.param("deal.call", "may-call", marks=clause("nsw-pontoon", "7.1")),
        pytest.param("deal.call", "shall-call", marks=clause("adelaide-pontoon-2008", "46")),
    ],
)
def test_boxes_limits_and_wagers(request: pytest.FixtureRequest, key: str, value: Any) -> None:
    assert_says(request, key, value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        pytest.param("insurance.odds", "2 to 1", marks=clause("nsw-pontoon", "16.1.6")),
        pytest.param("insurance.odds", "2 to 1", marks=clause("adelaide-pontoon-2008", "26(a)")),
        pytest.param("insurance.odds", "2 to 1", marks=clause("canberra-pontoon-2005", "7.4")),
        pytest.param("insurance.unit", "any", marks=clause("nsw-pontoon", "8.1")),
        pytest.param("insurance.unit", "half-smallest-chip", marks=clause("canberra-pontoon-2005", "7.3")),
        pytest.param("insurance.unit", "half-smallest-chip", marks=clause("canberra-pontoon-2002", "7.3")),
        pytest.param("insurance.natural_excluded", True, marks=clause("adelaide-pontoon-2008", "59")),
        pytest.param("insurance.collected", "at-second-card", marks=clause("nsw-pontoon", "14.2")),
        pytest.param("insurance.paid", "after-settlement", marks=clause("canberra-pontoon-2005", "7.5(b)")),
        pytest.param("insurance.each_player", True, marks=clause("adelaide-pontoon-2008", "82")),
        pytest.param("insurance.offered", False, marks=clause("nsw-blackjack-challenge", "5.4")),
        pytest.param("surrender.offered", False, marks=clause("nsw-blackjack-challenge", "9.1")),
        pytest.param("surrender.dealer_ranks", "JQKA", marks=clause("nsw-pontoon", "9.1")),
        pytest.param("surrender.others", "may-follow", marks=clause("nsw-pontoon", "9.4")),
        pytest.param("surrender.others", "each-own", marks=clause("adelaide-pontoon-2008", "73")),
        pytest.param("surrender.others", "bound", marks=clause("canberra-pontoon-2005", "9.2")),
        pytest.param("surrender.others", "bound", marks=clause("canberra-pontoon-2002", "9.2")),
        pytest.param("surrender.others_if_controller_declines", "may-not", marks=clause("nsw-pontoon", "9.5")),
        pytest.param(
            "surrender.others_if_controller_declines", "each-own", marks=clause("adelaide-pontoon-2008", "70")
        ),
        pytest.param(
            "surrender.others_if_controller_declines", "may-not", marks=clause("canberra-pontoon-2002", "9.5")
        ),
        pytest.param("surrender.freezes", "all-surrendered", marks=clause("adelaide-pontoon-2008", "71")),
        pytest.param("surrender.dealer_natural", "whole-wager-lost", marks=clause("nsw-pontoon", "9.6")),
        pytest.param("surrender.dealer_natural", "whole-wager-lost", marks=clause("adelaide-pontoon-2008", "72")),
        pytest.param("surrender.dealer_natural", "whole-wager-lost", marks=clause("canberra-pontoon-2005", "9.3")),
    ],
)
def test_insurance_and_surrender(request: pytest.FixtureRequest, key: str, value: Any) -> None:
    assert_says(request, key, value)


BONUSES = {
    "pontoon": "3 to 2",
    "5-card-21": "3 to 2",
    "6-card-21": "2 to 1",
    "7-plus-card-21": "3 to 1",
    "678-mixed": "3 to 2",
    "678-suited": "2 to 1",
    "678-spades": "3 to 1",
    "777-mixed": "3 to 2",
    "777-suited": "2 to 1",
    "777-spades": "3 to 1",
    "other": "1 to 1",
}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        pytest.param("interim.natural_odds", "3 to 2", marks=clause("nsw-pontoon", "10.1", "10.5:T1:pontoon")),
        pytest.param("interim.natural_odds", "3 to 2", marks=clause("adelaide-pontoon-2008", "58", "27:T1:pontoon")),
        pytest.param("interim.natural_odds", "3 to 2", marks=clause("canberra-pontoon-2005", "8.1", "14.2:T1:pontoon")),
        pytest.param("interim.natural_odds", "2 to 1", marks=clause("nsw-blackjack-challenge", "8.1.1")),
        pytest.param("interim.natural_when", "at-once", marks=clause("canberra-pontoon-2002", "8.1")),
        pytest.param(
            "interim.natural_when",
            "unless-dealer-ten-or-ace",
            marks=clause("nsw-blackjack-challenge", "8.1.1", "8.1.2"),
        ),
        pytest.param("interim.five_card_trick", True, marks=clause("nsw-blackjack-challenge", "9.7")),
        pytest.param("interim.five_card_trick", False, marks=clause("nsw-pontoon", "10.2.1")),
        pytest.param("interim.deferrable_by", "assistant-gaming-manager", marks=clause("nsw-pontoon", "10.3")),
        pytest.param("interim.deferrable_by", "nobody", marks=clause("adelaide-pontoon-2008", "60")),
        pytest.param("interim.doubled_odds", "1 to 1", marks=clause("nsw-pontoon", "12.2", "10.5:T1:note-double")),
        pytest.param("interim.doubled_odds", "1 to 1", marks=clause("adelaide-pontoon-2008", "63")),
        pytest.param("interim.doubled_odds", "1 to 1", marks=clause("canberra-pontoon-2005", "12.7")),
        pytest.param(
            "interim.pay_table",
            BONUSES,
            marks=clause(
                "nsw-pontoon",
                "10.5",
                "10.5:T1:pontoon",
                "10.5:T1:5-card-21",
                "10.5:T1:6-card-21",
                "10.5:T1:7-plus-card-21",
                "10.5:T1:678-mixed",
                "10.5:T1:678-suited",
                "10.5:T1:678-spades",
                "10.5:T1:777-mixed",
                "10.5:T1:777-suited",
                "10.5:T1:777-spades",
                "10.5:T1:other",
            ),
        ),
        pytest.param(
            "interim.pay_table",
            BONUSES,
            marks=clause(
                "adelaide-pontoon-2008",
                "27",
                "27:T1:pontoon",
                "27:T1:5-cards",
                "27:T1:6-cards",
                "27:T1:7-plus-cards",
                "27:T1:678-mixed",
                "27:T1:678-suited",
                "27:T1:678-spades",
                "27:T1:777-mixed",
                "27:T1:777-suited",
                "27:T1:777-spades",
                "27:T1:other",
            ),
        ),
        pytest.param(
            "interim.pay_table",
            BONUSES,
            marks=clause(
                "canberra-pontoon-2005",
                "14.2",
                "14.2:T1:pontoon",
                "14.2:T1:5-card-21",
                "14.2:T1:6-card-21",
                "14.2:T1:7-plus-card-21",
                "14.2:T1:678-mixed",
                "14.2:T1:678-suited",
                "14.2:T1:678-spades",
                "14.2:T1:777-mixed",
                "14.2:T1:777-suited",
                "14.2:T1:777-spades",
                "14.2:T1:other",
            ),
        ),
        pytest.param(
            "interim.pay_table",
            BONUSES,
            marks=clause(
                "canberra-pontoon-2002",
                "14.2",
                "14.2:T1:pontoon",
                "14.2:T1:5-card-21",
                "14.2:T1:6-card-21",
                "14.2:T1:7-plus-card-21",
                "14.2:T1:678-mixed",
                "14.2:T1:678-suited",
                "14.2:T1:678-spades",
                "14.2:T1:777-mixed",
                "14.2:T1:777-suited",
                "14.2:T1:777-spades",
                "14.2:T1:other",
            ),
        ),
        pytest.param(
            "interim.pay_table",
            {"five-card-trick": "1 to 1", "other": "1 to 1"},
            marks=clause("nsw-blackjack-challenge", "9.6", "9.7"),
        ),
        pytest.param("super_bonus.small_from_cents", 500, marks=clause("nsw-pontoon", "10.5:T2:super-bonus-5-24")),
        pytest.param("super_bonus.small_cents", 100_000, marks=clause("nsw-pontoon", "10.5:T2:super-bonus-5-24")),
        pytest.param("super_bonus.large_from_cents", 2_500, marks=clause("nsw-pontoon", "10.5:T2:super-bonus-25-up")),
        pytest.param("super_bonus.large_cents", 500_000, marks=clause("nsw-pontoon", "10.5:T2:super-bonus-25-up")),
        pytest.param("super_bonus.others", "each-player", marks=clause("nsw-pontoon", "10.5:T2:others-50", "16.1.3")),
        pytest.param("super_bonus.others_cents", 5_000, marks=clause("nsw-pontoon", "10.5:T2:others-50")),
        pytest.param(
            "super_bonus.not_on", ("split", "doubled"), marks=clause("nsw-pontoon", "10.5:T2:note-split-double", "13.4")
        ),
        pytest.param(
            "super_bonus.small_from_cents", 0, marks=clause("canberra-pontoon-2005", "14.3:T2:super-bonus-under-25")
        ),
        pytest.param(
            "super_bonus.small_cents", 100_000, marks=clause("canberra-pontoon-2002", "14.3:T2:super-bonus-under-25")
        ),
        pytest.param(
            "super_bonus.large_cents", 500_000, marks=clause("canberra-pontoon-2002", "14.3:T2:super-bonus-25-up")
        ),
        pytest.param(
            "super_bonus.others", "each-original-wager", marks=clause("canberra-pontoon-2005", "14.3:T2:others-50")
        ),
        pytest.param("super_bonus.when", "before-cards-collected", marks=clause("canberra-pontoon-2005", "14.3")),
        pytest.param("super_bonus.offered", False, marks=clause("adelaide-pontoon-2008", "27")),
        pytest.param("super_bonus.offered", False, marks=clause("nsw-blackjack-challenge", "9.6")),
    ],
)
def test_interim_settlement(request: pytest.FixtureRequest, key: str, value: Any) -> None:
    assert_says(request, key, value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        pytest.param("drawing.must_draw_below", 0, marks=clause("nsw-pontoon", "11.2")),
        pytest.param("drawing.must_draw_below", 12, marks=clause("adelaide-pontoon-2008", "74(c)", "50(a)")),
        pytest.param("drawing.must_draw_below", 12, marks=clause("canberra-pontoon-2005", "10.2(c)")),
        pytest.param("drawing.must_draw_below", 12, marks=clause("canberra-pontoon-2002", "10.2(c)")),
        pytest.param("drawing.must_draw_below", 12, marks=clause("nsw-blackjack-challenge", "9.2")),
        pytest.param("drawing.stand", "any-total", marks=clause("nsw-pontoon", "11.2")),
        pytest.param("drawing.bust", "collected-at-once", marks=clause("nsw-pontoon", "11.5")),
        pytest.param(
            "doubling.hands", "any-below-21", marks=clause("nsw-pontoon", "12.1", "12.1.1", "12.1.2", "12.1.3")
        ),
        pytest.param("doubling.hands", "two-cards-hard-9-10-11", marks=clause("adelaide-pontoon-2008", "62")),
        pytest.param(
            "doubling.hands", "any-below-21", marks=clause("canberra-pontoon-2005", "12.1", "12.1(b)", "12.4")
        ),
        pytest.param("doubling.hands", "two-or-three-cards", marks=clause("nsw-blackjack-challenge", "10.1")),
        pytest.param("doubling.aces", "held-count-one", marks=clause("nsw-pontoon", "12.1.4", "12.1.4.1")),
        pytest.param("doubling.aces", "first-two-count-one", marks=clause("canberra-pontoon-2005", "2.5(a)")),
        pytest.param("doubling.aces", "first-two-count-one", marks=clause("canberra-pontoon-2002", "2.5(a)")),
        pytest.param("doubling.aces", "as-usual", marks=clause("adelaide-pontoon-2008", "7(c)")),
        pytest.param("doubling.amount", "up-to-original-wager", marks=clause("adelaide-pontoon-2008", "62(a)")),
        pytest.param("doubling.amount", "up-to-original-wager", marks=clause("canberra-pontoon-2002", "def:Double")),
        pytest.param("doubling.others_odds", "even-money", marks=clause("canberra-pontoon-2002", "12.8")),
        pytest.param(
            "doubling.others_if_controller_declines", "may-not", marks=clause("canberra-pontoon-2005", "12.2")
        ),
        pytest.param("doubling.forfeit", True, marks=clause("nsw-pontoon", "12.5", "def:forfeit")),
        pytest.param("doubling.forfeit", True, marks=clause("adelaide-pontoon-2008", "64(a)", "1(c):def:Forfeit")),
        pytest.param("doubling.forfeit", True, marks=clause("canberra-pontoon-2005", "12.6")),
        pytest.param("doubling.forfeit", False, marks=clause("nsw-blackjack-challenge", "5.4")),
        pytest.param("doubling.forfeit_each", True, marks=clause("nsw-pontoon", "12.7")),
        pytest.param("doubling.forfeit_each", True, marks=clause("adelaide-pontoon-2008", "64(b)")),
        pytest.param("splitting.hands_max", 2, marks=clause("nsw-pontoon", "13.8")),
        pytest.param("splitting.resplit_hands_max", 3, marks=clause("nsw-pontoon", "13.9", "13.9.3")),
        pytest.param("splitting.resplit_by", "gaming-manager", marks=clause("nsw-pontoon", "13.9")),
        pytest.param("splitting.hands_max", 3, marks=clause("adelaide-pontoon-2008", "67(a)")),
        pytest.param("splitting.hands_max", 4, marks=clause("canberra-pontoon-2005", "11.3")),
        pytest.param("splitting.hands_max", 4, marks=clause("canberra-pontoon-2002", "11.3")),
        pytest.param("splitting.hands_max", 3, marks=clause("nsw-blackjack-challenge", "11.4.2")),
        pytest.param("splitting.aces_resplit", True, marks=clause("nsw-pontoon", "13.9.4")),
        pytest.param("splitting.aces_resplit", False, marks=clause("adelaide-pontoon-2008", "67(c)")),
        pytest.param("splitting.aces_resplit", False, marks=clause("canberra-pontoon-2005", "11.3")),
        pytest.param("splitting.aces_resplit", True, marks=clause("nsw-blackjack-challenge", "11.4")),
        pytest.param("splitting.aces_cards", 1, marks=clause("nsw-pontoon", "13.6", "13.7.1")),
        pytest.param("splitting.aces_cards", 1, marks=clause("adelaide-pontoon-2008", "74(a)")),
        pytest.param("splitting.aces_cards", 1, marks=clause("canberra-pontoon-2002", "11.5")),
        pytest.param("splitting.aces_cards", 0, marks=clause("nsw-blackjack-challenge", "11.3")),
        pytest.param("splitting.declined_ends", True, marks=clause("adelaide-pontoon-2008", "67(b)")),
        pytest.param("splitting.natural", False, marks=clause("nsw-pontoon", "13.3", "13.7.2", "def:pontoon")),
        pytest.param("splitting.natural", False, marks=clause("canberra-pontoon-2005", "11.7")),
        pytest.param("splitting.natural", True, marks=clause("nsw-blackjack-challenge", "11.3.1", "def:blackjack")),
        pytest.param("splitting.cover_required_by", "house", marks=clause("adelaide-pontoon-2008", "81(a)")),
    ],
)
def test_subsequent_deal(request: pytest.FixtureRequest, key: str, value: Any) -> None:
    assert_says(request, key, value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        pytest.param("dealer.soft_stand", 18, marks=clause("nsw-pontoon", "14.4", "2.2.3.2")),
        pytest.param("dealer.soft_stand", 18, marks=clause("adelaide-pontoon-2008", "75")),
        pytest.param("dealer.soft_stand", 18, marks=clause("canberra-pontoon-2005", "13.1(a)")),
        pytest.param("dealer.soft_stand", 18, marks=clause("canberra-pontoon-2002", "13.1(a)")),
        pytest.param("dealer.soft_stand", 17, marks=clause("nsw-blackjack-challenge", "12.2")),
        pytest.param("dealer.hard_stand", 17, marks=clause("nsw-pontoon", "14.4")),
        pytest.param("dealer.no_needless_card", True, marks=clause("nsw-pontoon", "14.3")),
        pytest.param("dealer.no_needless_card", True, marks=clause("adelaide-pontoon-2008", "76")),
        pytest.param("settlement.ties", "stand-off", marks=clause("nsw-pontoon", "16.1.10")),
        pytest.param("settlement.ties", "stand-off", marks=clause("adelaide-pontoon-2008", "11")),
        pytest.param("settlement.ties", "stand-off", marks=clause("canberra-pontoon-2005", "14.1(h)")),
        pytest.param("settlement.ties", "lose", marks=clause("nsw-blackjack-challenge", "17.1.4")),
        pytest.param("settlement.dealer_natural", "one-original", marks=clause("nsw-pontoon", "16.1.7")),
        pytest.param("settlement.dealer_natural", "all", marks=clause("adelaide-pontoon-2008", "10(b)")),
        pytest.param("settlement.dealer_natural", "one-original", marks=clause("canberra-pontoon-2002", "14.1(g)")),
        pytest.param("settlement.dealer_natural_doubled", "stand-off", marks=clause("nsw-pontoon", "12.8", "16.1.8")),
        pytest.param("settlement.dealer_natural_doubled", "lose", marks=clause("adelaide-pontoon-2008", "10(b)")),
        pytest.param("settlement.dealer_natural_doubled", "stand-off", marks=clause("canberra-pontoon-2005", "12.5")),
        pytest.param("settlement.dealer_natural_doubled", "stand-off", marks=clause("nsw-blackjack-challenge", "10.4")),
        pytest.param("settlement.dealer_natural_split", "stand-off", marks=clause("nsw-pontoon", "13.5", "13.11")),
        pytest.param("settlement.dealer_natural_split", "lose", marks=clause("adelaide-pontoon-2008", "69")),
        pytest.param("settlement.dealer_natural_split", "stand-off", marks=clause("canberra-pontoon-2002", "11.9")),
        pytest.param("settlement.dealer_natural_split", "stand-off", marks=clause("nsw-blackjack-challenge", "11.6")),
        pytest.param(
            "settlement.natural_against_natural",
            {"higher": "5 to 1", "same": "4 to 1", "lower": "3 to 1"},
            marks=clause("nsw-blackjack-challenge", "17.1.1.2", "17.1.1.2.1", "17.1.1.2.2", "17.1.1.2.3"),
        ),
        pytest.param("settlement.natural_against_natural", (), marks=clause("nsw-pontoon", "16.1.1")),
        pytest.param("settlement.natural_against_other", "2 to 1", marks=clause("nsw-blackjack-challenge", "17.1.1.1")),
        pytest.param("settlement.twenty_one_wins", "wins", marks=clause("canberra-pontoon-2005", "14.1(d)")),
    ],
)
def test_dealers_hand_and_final_settlement(request: pytest.FixtureRequest, key: str, value: Any) -> None:
    assert_says(request, key, value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        pytest.param(
            "side_bets.perfect-pairs.pays",
            {"mixed": "5 to 1", "coloured": "10 to 1", "perfect": "25 to 1"},
            marks=clause("nsw-pontoon", "15.8", "15.8.1", "15.8.2", "15.8.3"),
        ),
        pytest.param(
            "side_bets.perfect-pairs.pays",
            {"mixed": "5 to 1", "coloured": "10 to 1", "perfect": "25 to 1"},
            marks=clause("adelaide-pontoon-2008", "99", "99(a)", "99(b)", "99(c)"),
        ),
        pytest.param(
            "side_bets.perfect-pairs.pays",
            {"mixed": "6 to 1", "coloured": "12 to 1", "perfect": "25 to 1"},
            marks=clause("canberra-pontoon-2005", "18.14", "18.14(a)", "18.14(b)", "18.14(c)"),
        ),
        pytest.param(
            "side_bets.perfect-pairs.pays",
            {"mixed": "6 to 1", "coloured": "12 to 1", "perfect": "25 to 1"},
            marks=clause("canberra-pontoon-2002", "18.14", "18.14(a)", "18.14(b)", "18.14(c)"),
        ),
        pytest.param(
            "side_bets.perfect-pairs.pays",
            {"mixed": "5 to 1", "coloured": "10 to 1", "perfect": "30 to 1"},
            marks=clause("nsw-blackjack-challenge", "14.8", "14.8.1", "14.8.2", "14.8.3"),
        ),
        pytest.param("side_bets.any-pairs.pays", {"any": "11 to 1"}, marks=clause("nsw-blackjack-challenge", "13.7")),
        pytest.param(
            "side_bets.star-pairs.pays",
            {"mixed": "5 to 1", "same-colour": "8 to 1", "suited": "20 to 1", "aces": "30 to 1"},
            marks=clause("nsw-blackjack-challenge", "15.8", "15.8.1", "15.8.2", "15.8.3", "15.8.4"),
        ),
        pytest.param("side_bets.star-pairs.decks", (6,), marks=clause("nsw-blackjack-challenge", "3.1.1")),
        pytest.param("side_bets.star-pairs.highest_only", True, marks=clause("nsw-blackjack-challenge", "15.10")),
        pytest.param("side_bets.perfect-pairs.decks", (6, 7, 8), marks=clause("adelaide-pontoon-2008", "5")),
        pytest.param("side_bets.perfect-pairs.access", "box-has-original", marks=clause("nsw-pontoon", "15.5")),
        pytest.param("side_bets.perfect-pairs.access", "box-has-original", marks=clause("adelaide-pontoon-2008", "95")),
        pytest.param("side_bets.perfect-pairs.access", "own-original", marks=clause("canberra-pontoon-2005", "18.10")),
        pytest.param(
            "side_bets.perfect-pairs.without_original", "void", marks=clause("canberra-pontoon-2002", "18.10")
        ),
        pytest.param(
            "side_bets.perfect-pairs.restricted_by",
            "gaming-manager",
            marks=clause("nsw-pontoon", "15.4", "15.4.1", "15.4.2"),
        ),
        pytest.param(
            "side_bets.perfect-pairs.compulsory", True, marks=clause("adelaide-pontoon-2008", "1(h):def:Perfect Pairs")
        ),
        pytest.param("side_bets.any-pairs.offered", False, marks=clause("nsw-pontoon", "15.1")),
        pytest.param("blazing_7s.offered", False, marks=clause("adelaide-pontoon-2008", "86")),
        pytest.param("blazing_7s.amounts_cents", (250, 500), marks=clause("nsw-blackjack-challenge", "16.3")),
        pytest.param("blazing_7s.source", "shuffling-device", marks=clause("nsw-blackjack-challenge", "2.3.4.3")),
        pytest.param("blazing_7s.per_box", 1, marks=clause("nsw-blackjack-challenge", "5.6")),
        pytest.param("blazing_7s.collected", "before-initial-deal", marks=clause("nsw-blackjack-challenge", "16.7")),
        pytest.param(
            "blazing_7s.pays",
            {
                "three-sevens-diamonds": "100%",
                "three-suited-sevens": "10%",
                "three-same-colour-sevens": {250: 125_000, 500: 250_000},
                "three-sevens": {250: 50_000, 500: 100_000},
                "two-player-sevens": {250: 5_000, 500: 10_000},
                "one-player-one-dealer-seven": {250: 2_500, 500: 5_000},
            },
            marks=clause(
                "nsw-blackjack-challenge",
                "16.8",
                "16.8:T1:three-sevens-diamonds",
                "16.8:T1:three-suited-sevens",
                "16.8:T1:three-same-colour-sevens",
                "16.8:T1:three-sevens",
                "16.8:T1:two-player-sevens",
                "16.8:T1:one-player-one-dealer-seven",
            ),
        ),
        pytest.param(
            "blazing_7s.minimums_cents",
            (1_000_000, 2_500_000, 5_000_000),
            marks=clause("nsw-blackjack-challenge", "16.12", "16.12.1", "16.12.2", "16.12.3"),
        ),
    ],
)
def test_optional_wagers(request: pytest.FixtureRequest, key: str, value: Any) -> None:
    assert_says(request, key, value)


@clause("nsw-pontoon", "5.1")
@clause("nsw-blackjack-challenge", "5.1")
@pytest.mark.parametrize("rulebook", [NSW, BJC])
def test_player_card_is_needed_from_19_august_2024(rulebook: str) -> None:
    player_card = load(rulebook).wagers.player_card
    assert player_card.value
    assert player_card.since == datetime.date(2024, 8, 19)


@pytest.mark.parametrize("rulebook", [ADL, ACT5, ACT2])
def test_other_documents_know_no_player_card(rulebook: str) -> None:
    wagers = load(rulebook).wagers
    assert not wagers.player_card.value
    assert not wagers.loss_limit.value
    assert wagers.player_card.since is None


def restriction(rulebook: str, name: str) -> Restriction:
    (found,) = [row for row in load(rulebook).limits.restrictions.value if row.name == name]
    return found


@clause("nsw-pontoon", "5.11", "5.12", "5.13")
@clause("nsw-blackjack-challenge", "5.13", "5.14", "5.15")
@pytest.mark.parametrize(("rulebook", "clauses"), [(NSW, ["5.11", "5.12", "5.13"]), (BJC, ["5.13", "5.14", "5.15"])])
def test_nsw_restricts_late_players_and_single_players(rulebook: str, clauses: list[str]) -> None:
    late, all_shoes, one_box = (restriction(rulebook, name) for name in ("late-entry", "all-further-shoes", "one-box"))
    assert (late.by, late.source, late.until, late.notice) == ("casino-supervisor", "shoe", "reshuffle", "nobody")
    assert (all_shoes.by, all_shoes.until, all_shoes.notice) == ("gaming-manager", "lifted", "inspector")
    assert (one_box.boxes_max, one_box.minimum_only, one_box.notice) == (1, True, "inspector")
    assert [row.clauses[0] for row in (late, all_shoes, one_box)] == clauses


@clause("adelaide-pontoon-2008", "13(a)", "13(b)", "13:note", "21", "22", "81(a)")
def test_adelaide_restricts_late_and_recognised_players() -> None:
    late_rules = [row for row in load(ADL).limits.restrictions.value if row.name == "late-entry"]
    for late, rule in zip(late_rules, ("21", "22"), strict=True):
        assert (late.boxes_max, late.minimum_only, late.until, late.clauses) == (2, True, "reshuffle", (rule,))
    for name, rule in (("recognised-player", "13(a)"), ("associate", "13(b)")):
        known = restriction(ADL, name)
        assert (known.boxes_max, known.minimum_only, known.notice) == (1, True, "government-inspectorate")
        assert known.clauses[0] == rule
    assert restriction(ADL, "cover-splits").clauses == ("81(a)",)


@clause("canberra-pontoon-2005", "4.7", "4.8", "4.9")
@clause("canberra-pontoon-2002", "4.6")
def test_canberra_numbers_its_restrictions_twice() -> None:
    assert restriction(ACT5, "late-entry").clauses[0] == "4.7"
    assert restriction(ACT2, "late-entry").clauses[0] == "4.6"
    assert next(row for row in load(ACT5).limits.restrictions.value if row.name == "one-box").clauses == ("4.8",)
    one_box = [row for row in load(ACT5).limits.restrictions.value if row.name == "one-box"]
    assert [row.condition for row in one_box] == ["none", "restricted-before"]
    assert not one_box[0].notice_first  # the Commission is advised routinely, not first
    assert {row.name for row in load(ACT2).limits.restrictions.value} == {"late-entry"}
