"""What the five documents say of irregularities and of a shuffling device that fails."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from pitboss.rulebooks import RULEBOOKS, load, terms
from tests.books import NSW

clause = pytest.mark.clause


def assert_says(request: pytest.FixtureRequest, key: str, value: Any) -> None:
    """The rulebook of the test's mark has this value, and its term cites the clauses of the mark."""
    mark = request.node.get_closest_marker("clause")
    rulebook, *clauses = mark.args
    term = dict(terms(load(rulebook)))[key]
    assert term.value == value
    assert set(clauses) <= set(term.clauses)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        pytest.param("face_up_check_sources", ("shuffling-device",), marks=clause("nsw-pontoon", "17.1.1")),
        pytest.param(
            "face_up_check_sources", ("shoe", "shuffling-device"), marks=clause("nsw-blackjack-challenge", "18.1.1")
        ),
        pytest.param("drawn_in_error_refused", "any", marks=clause("nsw-pontoon", "17.3")),
        pytest.param("drawn_in_error_refused", "exposed", marks=clause("adelaide-pontoon-2008", "103")),
        pytest.param("drawn_in_error_refused", "none", marks=clause("canberra-pontoon-2005", "15.2")),
        pytest.param("refuser", "no-more-cards", marks=clause("nsw-pontoon", "17.3")),
        pytest.param("refuser", "no-more-cards-from-12", marks=clause("nsw-blackjack-challenge", "18.3", "9.2")),
    ],
)
def test_cards_that_should_not_have_come(request: pytest.FixtureRequest, key: str, value: Any) -> None:
    assert_says(request, f"irregularities.{key}", value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        pytest.param("dealer_extra_unexposed", "first-of-next-round", marks=clause("nsw-pontoon", "17.6")),
        pytest.param("dealer_extra_unexposed", "next-card", marks=clause("adelaide-pontoon-2008", "102")),
        pytest.param("dealer_extra_unexposed", "burned-at-any-time", marks=clause("canberra-pontoon-2002", "15.3")),
        pytest.param("burned_in_error", "stays-burned", marks=clause("nsw-pontoon", "17.17")),
        pytest.param("burned_in_error", "stays-burned-at-start", marks=clause("adelaide-pontoon-2008", "111")),
        pytest.param("burned_in_error", "next-card", marks=clause("nsw-blackjack-challenge", "18.2", "18.16")),
    ],
)
def test_cards_beyond_the_hand_and_burned(request: pytest.FixtureRequest, key: str, value: Any) -> None:
    assert_says(request, f"irregularities.{key}", value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        pytest.param("misdeal", "reconstruct", marks=clause("nsw-pontoon", "17.8")),
        pytest.param("misdeal", "by-stage", marks=clause("adelaide-pontoon-2008", "105", "106", "109")),
        pytest.param("misdeal_by", "casino-supervisor", marks=clause("adelaide-pontoon-2008", "112")),
        pytest.param("misdeal_full_by", "shift-manager", marks=clause("adelaide-pontoon-2008", "112")),
        pytest.param("misdeal_later", "void", marks=clause("canberra-pontoon-2005", "15.5")),
        pytest.param("misdeal_later", "stands", marks=clause("nsw-pontoon", "17.8")),
        pytest.param("void_interim", "stand", marks=clause("nsw-blackjack-challenge", "18.8", "18.15.2")),
        pytest.param("void_interim", "returned", marks=clause("canberra-pontoon-2002", "def:Void")),
        pytest.param("short_hand", "draw-or-withdraw", marks=clause("adelaide-pontoon-2008", "105(b)", "105(c)")),
        pytest.param("short_hand_dealer_bust", "wins", marks=clause("adelaide-pontoon-2008", "106(a)")),
        pytest.param("short_hand_dealer_natural", "stand-off", marks=clause("adelaide-pontoon-2008", "106(c)")),
        pytest.param("short_hand_others", "accept-or-withdraw", marks=clause("adelaide-pontoon-2008", "107", "108")),
        pytest.param("dealer_short", "next-card-and-offer", marks=clause("adelaide-pontoon-2008", "105(d)")),
        pytest.param("approval", "casino-supervisor", marks=clause("adelaide-pontoon-2008", "112")),
    ],
)
def test_misdeals(request: pytest.FixtureRequest, key: str, value: Any) -> None:
    assert_says(request, f"irregularities.{key}", value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        pytest.param("shuffle_missed", "finish-then-shuffle", marks=clause("canberra-pontoon-2002", "15.8")),
        pytest.param("wrong_cards_notice", ("surveillance", "inspector"), marks=clause("nsw-pontoon", "17.16.4")),
        pytest.param("dropped_cards", "verified-by-supervisor", marks=clause("nsw-pontoon", "4.6.1")),
        pytest.param("insurance_missed", "until-dealers-second-card", marks=clause("nsw-pontoon", "17.13")),
        pytest.param("absent_player", "no-more-cards", marks=clause("nsw-pontoon", "17.10")),
        pytest.param("absent_player", "fewest-cards", marks=clause("adelaide-pontoon-2008", "50(a)(i)")),
        pytest.param("absent_player", "draw-to-12", marks=clause("canberra-pontoon-2005", "15.7")),
        pytest.param("invalidated_by", "house", marks=clause("adelaide-pontoon-2008", "113")),
        pytest.param("fraud_forfeit", True, marks=clause("nsw-pontoon", "19.10")),
        pytest.param("barred_by", "casino-operator", marks=clause("canberra-pontoon-2002", "17.3")),
        pytest.param("mispayment_report_cents", 100_000, marks=clause("nsw-pontoon", "17.20:tail")),
        pytest.param("mispayment_report_cents", 100_000, marks=clause("nsw-blackjack-challenge", "18.20.3")),
    ],
)
def test_other_irregularities(request: pytest.FixtureRequest, key: str, value: Any) -> None:
    assert_says(request, f"irregularities.{key}", value)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        pytest.param("failure", "transfer-or-shoe", marks=clause("nsw-pontoon", "18.1", "18.5")),
        pytest.param("failure", "shoe-for-the-round", marks=clause("canberra-pontoon-2005", "19.3(a)")),
        pytest.param("failure", "cutting-card-or-shuffle", marks=clause("canberra-pontoon-2002", "19.3(a)", "19.3(b)")),
        pytest.param("failure", "hand-shuffle", marks=clause("adelaide-pontoon-2008", "38(b)")),
        pytest.param("disadvantage", "round-ended-and-refunded", marks=clause("nsw-blackjack-challenge", "19.4")),
        pytest.param("refund_offered", True, marks=clause("nsw-pontoon", "18.5.1")),
        pytest.param("cutting_card_decks", (1, 2), marks=clause("adelaide-pontoon-2008", "38(b)")),
        pytest.param("cutter", "farthest-right", marks=clause("canberra-pontoon-2005", "19.3(a)(ii)")),
        pytest.param("after", "shoe-until-available", marks=clause("nsw-blackjack-challenge", "19.5.6")),
        pytest.param("after", "new-cards-after-shoe", marks=clause("canberra-pontoon-2002", "19.3:tail")),
        pytest.param("jam", "riffle-reload-burn", marks=clause("adelaide-pontoon-2008", "43")),
        pytest.param("jam_burn", 5, marks=clause("adelaide-pontoon-2008", "43")),
        pytest.param("jam", "malfunction", marks=clause("canberra-pontoon-2005", "19.4")),
    ],
)
def test_the_device_fails(request: pytest.FixtureRequest, key: str, value: Any) -> None:
    assert_says(request, f"device.{key}", value)


@pytest.mark.clause("nsw-pontoon", "17.21", "19.1")
def test_an_invalid_wager_is_known_from_the_day_of_the_player_card() -> None:
    assert load(NSW).irregularities.invalid_wager.since == datetime.date(2024, 8, 19)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_what_a_document_leaves_undecided_says_so(rulebook: str) -> None:
    for key, term in terms(load(rulebook)):
        if term.value == "undecided":
            assert term.reading, key
