"""Every term that could concern money either changes the value or is listed with the reason why it does not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pitboss.cli import main
from pitboss.maths.exact.solve import solve, value
from pitboss.maths.scope import UNTOUCHED, reason, same_value, set_in_vain
from pitboss.maths.shoes import Shoe
from pitboss.maths.what_if import in_short
from pitboss.rulebooks import RULEBOOKS, RulebookError, load, terms, vary
from pitboss.rulebooks import vocabulary as words
from pitboss.rulebooks.terms import PayRow, Rulebook

ODDS = ("1 to 1", "6 to 5", "2 to 1")
RANKS = {"cards.ranks": ["A23456789TJQK", "A23456789JQK"], "cards.natural_rank": ["KQJT", "TJQK"],
         "surrender.dealer_ranks": ["A", "JQKA"], "insurance.dealer_ranks": ["A", "K"],
         "super_bonus.dealer_rank": ["6", "7"]}  # fmt: skip


def others(key: str, now: Any) -> list[tuple[str, Any]]:
    """Other values of a term, or of each row of a pay table, whatever its type."""
    if isinstance(now, bool):
        return [(key, not now)]
    if key in words.NUMBERS and isinstance(now, int):
        least, most = words.NUMBERS[key]
        near = {min(now + 1, most), max(now - 1, least)}
        return [(key, each) for each in near | ({least, most} if most > 8 else set()) if each != now]
    if key in RANKS:
        return [(key, each) for each in RANKS[key] if each != now]
    if key in words.WORDS and isinstance(now, str):
        return [(key, each) for each in sorted(words.WORDS[key]) if each != now]
    if key in words.WORDS and isinstance(now, tuple):
        return [(key, [each]) for each in sorted(words.WORDS[key])]
    if isinstance(now, tuple) and now and isinstance(now[0], PayRow):
        return [(f"{key}.{row.name}", odds) for row in now for odds in ODDS if str(row.odds) != odds]
    if type(now).__name__ == "Odds":
        return [(key, odds) for odds in ODDS if str(now) != odds]
    return []


def changed_terms(name: str) -> list[tuple[str, Any, Rulebook]]:
    book, found = load(name), []
    for key, term in terms(book):
        values = others(key, term.value)
        for name_of, each in values[:1] if reason(key) else values:
            try:
                found.append((name_of, each, vary(book, {name_of: each})))
            except RulebookError:
                continue
    return found


@pytest.mark.parametrize("name", RULEBOOKS)
def test_a_term_that_changes_nothing_is_on_the_list(name: str) -> None:
    book, seen = load(name), set()
    for key, each, changed in changed_terms(name):
        seen.add(key)
        if same_value(book, changed) and same_value(book, changed, resplit=True):
            assert reason(key), f"{key} = {in_short(each)} changes nothing and nobody says why"
    assert len(seen) > 120


MOVES = {
    "nsw-pontoon": ["cards.ranks", "dealer.hard_stand", "dealer.soft_stand", "doubling.hands", "doubling.aces",
                    "doubling.after_split", "doubling.forfeit", "drawing.must_draw_below", "interim.natural_odds",
                    "interim.doubled_odds", "interim.five_card_trick", "interim.pay_table.5-card-21",
                    "interim.pay_table.678-suited", "interim.pay_table.777-mixed", "interim.pay_table.other",
                    "settlement.dealer_natural", "settlement.even_money", "settlement.ties", "splitting.hands_max",
                    "splitting.aces_cards"],
    "nsw-blackjack-challenge": ["interim.natural_after_split", "interim.natural_when",
                                "settlement.natural_against_natural.higher", "settlement.natural_against_other",
                                "splitting.aces_resplit", "splitting.natural"],
}  # fmt: skip


@pytest.mark.parametrize("name", MOVES)
def test_a_term_that_counts_moves_the_value(name: str) -> None:
    """Two decks make it quick; every term named here must move the value for one of its values."""
    book = load(name)
    base = value(book, Shoe.of_decks(book, 2))
    moved = set()
    for key, _, changed in changed_terms(name):
        if key in MOVES[name] and key not in moved and abs(value(changed, Shoe.of_decks(changed, 2)) - base) > 1e-9:
            moved.add(key)
    assert moved == set(MOVES[name])


def test_insurance_and_the_super_bonus_count_when_they_are_asked_for() -> None:
    book = load("nsw-pontoon")
    rich = Shoe.of_cards(book, "Ksx8 Kdx8 Qhx8 Ahx4 9cx6 8dx4 2sx4 5hx4 7sx4 7hx4")
    better = vary(book, {"insurance.odds": "3 to 1"})
    assert same_value(book, better) and not same_value(book, better, insurance=True)
    assert solve(better, rich, insurance=True).ev > solve(book, rich, insurance=True).ev
    larger = vary(book, {"super_bonus.large_cents": 900000})
    assert same_value(book, larger) and not same_value(book, larger, super_bonus=True)
    assert solve(larger, rich, wager_cents=2500).ev > solve(book, rich, wager_cents=2500).ev


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("insurance.odds=3 to 1", "--insurance"),
        ("boxes.players_max=2", "several players"),
        ("dealer.soft_stand=18", "has that value already"),
    ],
)
def test_a_term_set_in_vain_is_told(change: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    (sentence,) = set_in_vain("nsw-pontoon", [change])
    assert why in sentence
    assert main(["edge", "nsw-pontoon", "--decks", "1", "--quick", "--set", change]) == 0
    assert sentence in " ".join(capsys.readouterr().out.split())
    assert main(["edge", "nsw-pontoon", "--decks", "1", "--quick", "--set", change, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["notes"] == [sentence]


def test_a_term_that_counts_is_not_said_to_be_idle() -> None:
    assert set_in_vain("nsw-pontoon", ["dealer.soft_stand=17", "interim.pay_table.5-card-21=2 to 1"]) == []


def test_the_list_has_no_unknown_terms() -> None:
    known = {key for name in RULEBOOKS for key, _ in terms(load(name))}
    sections = {key.rpartition(".")[0] for key in known} | {key.partition(".")[0] for key in known} | {"tournament"}
    rows = {f"interim.pay_table.{row}" for row in words.ROW_NAMES["interim.pay_table"]}
    assert {key for key in UNTOUCHED if key not in known | sections | rows} == set()


@pytest.mark.parametrize(
    ("rulebook", "change"),
    [
        ("nsw-pontoon", "settlement.dealer_natural_doubled=lose"),
        ("nsw-pontoon", "super_bonus.not_on=['split']"),
        ("nsw-blackjack-challenge", "interim.pay_table.five-card-trick=2 to 1"),
    ],
)
def test_what_the_table_plays_and_nobody_can_price_is_refused(
    rulebook: str, change: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (["edge"], ["strategy"], ["simulate", "--rounds", "1000"]):
        assert main([command[0], rulebook, *command[1:], "--set", change]) == 2
        assert change.partition("=")[0] in capsys.readouterr().err


def test_both_portions_together_are_priced() -> None:
    book = load("nsw-pontoon")
    both = vary(book, {"settlement.dealer_natural_doubled": "lose", "settlement.dealer_natural_split": "lose"})
    assert value(both, Shoe.of_decks(both, 1)) < value(book, Shoe.of_decks(book, 1))
