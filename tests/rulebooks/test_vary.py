"""A study variant is a rulebook with some values replaced; it says which, and is checked like a document."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from pitboss.basics.money import Odds
from pitboss.rulebooks import RULEBOOKS, RulebookError, load, terms, vary


def test_a_changed_value_keeps_its_clauses_and_says_that_it_is_a_study() -> None:
    book = load("nsw-pontoon")
    varied = vary(book, {"dealer.soft_stand": 17})
    assert varied.dealer.soft_stand.value == 17
    assert varied.dealer.soft_stand.clauses == book.dealer.soft_stand.clauses
    assert varied.dealer.soft_stand.reading == "study variant"
    assert varied.variant == "dealer.soft_stand = 17"
    assert varied.name == "NSW pontoon (study variant: dealer.soft_stand = 17)"
    assert varied.id == "nsw-pontoon"


def test_the_document_stays_as_it_is() -> None:
    book = load("nsw-pontoon")
    vary(book, {"dealer.soft_stand": 17})
    assert book.dealer.soft_stand.value == 18
    assert load("nsw-pontoon") is book


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_nothing_else_changes(rulebook: str) -> None:
    book = load(rulebook)
    before, after = dict(terms(book)), dict(terms(vary(book, {"dealer.hard_stand": 16})))
    assert [key for key in before if before[key] != after[key]] == ["dealer.hard_stand"]


@pytest.mark.parametrize(
    ("changes", "variant"),
    [
        ({"super_bonus.offered": False}, "super_bonus.offered = false"),
        ({"settlement.ties": "lose"}, "settlement.ties = lose"),
        ({"cards.decks": [6, 7, 8]}, "cards.decks = 6, 7, 8"),
        ({"interim.natural_odds": "6 to 5"}, "interim.natural_odds = 6 to 5"),
        ({"interim.natural_odds": Odds(6, 5)}, "interim.natural_odds = 6 to 5"),
        ({"interim.pay_table.5-card-21": "2 to 1"}, "interim.pay_table.5-card-21 = 2 to 1"),
        ({"side_bets.perfect-pairs.pays.perfect": "30 to 1"}, "side_bets.perfect-pairs.pays.perfect = 30 to 1"),
        ({"limits.restrictions": []}, "limits.restrictions = none"),
        ({"super_bonus.not_on": ["split"]}, "super_bonus.not_on = split"),
        (
            {"settlement.natural_against_natural": [{"name": "same", "odds": "1 to 1"}]},
            "settlement.natural_against_natural = same 1 to 1",
        ),
        (
            {"boxes.control": ["seated"], "boxes.control_clauses": {"seated": "5.6.1"}},
            "boxes.control = seated; boxes.control_clauses = seated 5.6.1",
        ),
    ],
)
def test_the_variant_is_told_in_one_line(changes: dict[str, Any], variant: str) -> None:
    assert vary(load("nsw-pontoon"), changes).variant == variant


def test_several_changes_are_told_in_the_order_of_the_terms() -> None:
    varied = vary(load("nsw-pontoon"), {"settlement.ties": "lose", "dealer.soft_stand": 17})
    assert varied.variant == "dealer.soft_stand = 17; settlement.ties = lose"


def test_tables_in_tables_are_dotted_keys() -> None:
    """As TOML reads ``dealer.soft_stand = 17`` without quotes."""
    book = load("nsw-pontoon")
    nested = vary(book, {"dealer": {"soft_stand": 17}, "interim": {"pay_table": {"other": "6 to 5"}}})
    assert nested == vary(book, {"dealer.soft_stand": 17, "interim.pay_table.other": "6 to 5"})


def test_a_variant_of_a_variant_tells_both() -> None:
    varied = vary(vary(load("nsw-pontoon"), {"dealer.soft_stand": 17}), {"settlement.ties": "lose"})
    assert varied.variant == "dealer.soft_stand = 17; settlement.ties = lose"


def test_what_the_document_says_is_no_variant() -> None:
    book = load("nsw-pontoon")
    assert vary(book, {"dealer.soft_stand": 18}) == book
    assert vary(vary(book, {"dealer.soft_stand": 17}), {"dealer.soft_stand": 18}) == book
    assert vary(book, {}) == book


def test_a_new_row_cites_what_the_table_cites() -> None:
    book = load("nsw-pontoon")
    rows = [{"name": "other", "odds": "1 to 1"}, {"name": "five-card-trick", "odds": "1 to 1"}]
    table = vary(book, {"interim.pay_table": rows}).interim.pay_table
    assert [row.clauses for row in table.value] == [("10.5:T1:other",), book.interim.pay_table.clauses]


def test_rows_may_be_given_as_they_are() -> None:
    book = load("nsw-pontoon")
    rows = book.interim.pay_table.value[-1:]
    assert vary(book, {"interim.pay_table": rows}).interim.pay_table.value == rows


def test_a_dated_term_loses_its_date_in_a_study() -> None:
    assert vary(load("nsw-pontoon"), {"wagers.player_card": False}).wagers.player_card.since is None


def test_a_variant_is_frozen() -> None:
    varied = vary(load("nsw-pontoon"), {"dealer.soft_stand": 17})
    with pytest.raises(AttributeError):
        varied.variant = ""  # type: ignore[misc]


def test_a_variant_survives_being_written_and_read() -> None:
    """The log keeps the rulebook with which a table was opened."""
    varied = vary(load("nsw-blackjack-challenge"), {"dealer.soft_stand": 18})
    assert msgspec.json.decode(msgspec.json.encode(varied), type=type(varied)) == varied


@pytest.mark.parametrize(
    ("rulebook", "changes", "said"),
    [
        ("nsw-pontoon", {"dealer.soft_stan": 17}, "dealer.soft_stan: no such term; did you mean dealer.soft_stand?"),
        ("nsw-pontoon", {"dealer": 17}, "dealer: no such term"),
        ("nsw-pontoon", {"dealer.soft_stand.value": 17}, "dealer.soft_stand.value: no such term"),
        ("nsw-pontoon", {"dealer.soft_stand": "17"}, 'dealer.soft_stand: must be a whole number, not "17"'),
        ("nsw-pontoon", {"dealer.soft_stand": 22}, "dealer.soft_stand: 22 is out of range; it must be 12 to 21"),
        ("nsw-pontoon", {"settlement.ties": "win"}, "settlement.ties: 'win' is not known; known: lose, stand-off"),
        ("nsw-pontoon", {"interim.natural_odds": "1:1"}, "interim.natural_odds: '1:1' is not odds"),
        ("nsw-pontoon", {"interim.pay_table.4-card-21": "2 to 1"}, "interim.pay_table.4-card-21: no such row"),
        ("nsw-pontoon", {"interim.pay_table.other": 2}, 'interim.pay_table.other: must be odds as in "3 to 2", not 2'),
        ("nsw-pontoon", {"interim.pay_table": 2}, "interim.pay_table: must be a list of rows with name, odds, clauses"),
        ("nsw-pontoon", {"splitting.hands_max": 4}, "splitting.resplit_hands_max: is below splitting.hands_max"),
        (
            "nsw-blackjack-challenge",
            {"insurance.offered": True},
            "insurance.dealer_ranks: is needed where insurance.offered is true; give it a value too",
        ),
        (
            "nsw-pontoon",
            {
                "blazing_7s.offered": True,
                "blazing_7s.decks": [8],
                "blazing_7s.source": "shuffling-device",
                "blazing_7s.amounts_cents": [250],
                "blazing_7s.access": "own-original",
            },
            "blazing_7s.priority: is needed where blazing_7s.offered is true; give it a value too",
        ),
    ],
)
def test_what_cannot_be_is_named(rulebook: str, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(RulebookError) as caught:
        vary(load(rulebook), changes)
    assert str(caught.value).startswith(f"study variant of {rulebook}: {said}")


def test_an_absent_section_can_be_studied_when_all_of_it_is_given() -> None:
    insurance = {key: term.value for key, term in terms(load("nsw-pontoon")) if key.startswith("insurance.")}
    varied = vary(load("nsw-blackjack-challenge"), insurance)
    assert varied.insurance.offered.value
    assert varied.insurance.odds.value == Odds(2, 1)
    assert varied.insurance.odds.clauses == ("5.4",)
