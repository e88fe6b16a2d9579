"""The rule sheet says every term of a rulebook in a sentence with its clauses, whatever its value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pitboss.cli import main
from pitboss.rulebooks import RULEBOOKS, load, terms, vary
from pitboss.rulebooks.clauses import exists
from pitboss.rulebooks.phrases import PHRASES, decks, listed, restriction, row_name
from pitboss.rulebooks.sentences import pattern, phrase
from pitboss.rulebooks.terms import Rulebook
from pitboss.rulebooks.vocabulary import EMPTY_MEANS_NONE, NUMBERS, WORDS
from pitboss.table.house import DEVICE, default_house
from pitboss.terminal.paper import print_sheet
from pitboss.terminal.sheet import Sheet, as_data, lines, sheet


def sheet_of(rulebook: Rulebook, **house: Any) -> Sheet:
    return sheet(rulebook, default_house(rulebook, **house))


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    printed = capsys.readouterr()
    return code, printed.out, printed.err


# --- complete --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_term_is_said(rulebook: str) -> None:
    book = load(rulebook)
    said = {key for section in sheet_of(book).sections for entry in section.entries for key in entry.terms}
    assert said == {key for key, _ in terms(book)}


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_line_has_clauses_that_exist(rulebook: str) -> None:
    for section in sheet_of(load(rulebook)).sections:
        for entry in section.entries:
            assert entry.clauses, entry
            for clause in (*entry.clauses, *(clause for row in entry.rows for clause in row.clauses)):
                assert exists(rulebook, clause)
            assert entry.text[0].isupper() and entry.text.endswith((".", ":")), entry.text


def test_every_term_has_a_sentence_of_its_own() -> None:
    """A new term is told by its bare value until somebody writes a sentence for it here."""
    keys = {pattern(key) for rulebook in RULEBOOKS for key, _ in terms(load(rulebook))}
    assert keys - set(PHRASES) == set()
    assert set(PHRASES) - keys == set()


@pytest.mark.parametrize("key", sorted(WORDS))
def test_every_word_that_a_term_may_have_is_in_a_sentence(key: str) -> None:
    book = load("nsw-blackjack-challenge")
    name = key.replace("*", "perfect-pairs")
    several = any(isinstance(term.value, tuple) for each, term in terms(book) if pattern(each) == key)
    for word in WORDS[key] | ({""} if key in EMPTY_MEANS_NONE else set()):
        value: Any = (word,) if several and word else () if several else word
        if isinstance(next((term.value for each, term in terms(book) if pattern(each) == key), None), dict):
            value = {word: "5.1"}
        text = phrase(name, value, book)
        assert text.endswith(".") and text[0].isupper()
        say = PHRASES[key]
        assert callable(say) or isinstance(say, str) or value in say, f"{key}: {word}"


@pytest.mark.parametrize("key", sorted(NUMBERS))
def test_every_number_that_a_term_may_have_is_in_a_sentence(key: str) -> None:
    book = load("nsw-blackjack-challenge")
    name = key.replace("*", "perfect-pairs")
    lists = any(isinstance(term.value, tuple) for each, term in terms(book) if pattern(each) == key)
    for number in NUMBERS[key]:
        assert phrase(name, (number,) if lists else number, book).endswith(".")


def test_an_unknown_value_is_told_by_its_own_words() -> None:
    book = load("nsw-pontoon")
    assert phrase("settlement.ties", "stand-on-one-leg", book) == "Ties: stand on one leg."
    assert phrase("settlement.new_term", "", book) == "New term: none."


# --- on paper --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_sheet_fits_eighty_columns(rulebook: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "rules", rulebook)
    assert code == 0 and err == ""
    assert max(map(len, out.splitlines())) <= 80
    assert "THIS TABLE" in out and "DOUBLING" in out and "note: " in out


def test_what_a_player_asks_first_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "rules", "nsw-pontoon")
    for words in (
        "- Eight decks are used, 384 cards. [3.1]",
        "- Any hand below 21 may be doubled, with two cards or more. [12.1, 12.1.1,",
        "      6-7-8, spades                3 to 1  [10.5 Table 1 (6-7-8 spades)]",
        "- Equal totals stand off. [16.1.10, definition of stand off]",
        "- The dealer draws on soft 17 and stands on soft 18. [14.4, 2.2.3.2]",
        "- A player needs a valid player card of their own. From 2024-08-19 on. [5.1,",
    ):
        assert words in out
    _, out, _ = run(capsys, "rules", "nsw-blackjack-challenge", "--brief")
    for words in (
        "- Equal totals lose. [17.1.4]",
        "- There is no insurance. [5.4]",
        "higher than the dealer's  5 to 1",
    ):
        assert words in out
    assert "note: " not in out


def test_what_the_house_chooses_is_at_the_top(capsys: pytest.CaptureFixture[str]) -> None:
    options = [
        "--decks", "6", "--source", DEVICE, "--minimum", "10", "--maximum", "200", "--resplit", "--deferred",
        "--low-limit", "--face-down", "--unit", "5", "--player-maximum", "600", "--side-bets", "none", "--chips",
        "0.50,1,5",
        "--date", "2024-08-18", "--multiples",
    ]  # fmt: skip
    code, out, _ = run(capsys, "rules", "nsw-pontoon", *options)
    table = out.partition("THE GAME")[0]
    assert code == 0
    for words in (
        "Six decks are used, 288 cards.", "a shuffling device", "$10 to $200", "steps of $5", "multiple of $10",
        "at most $600", "$0.50, $1 and $5", "No optional wager is offered.", "Up to three hands", "low-limit table",
        "face down", "wait for the final settlement", "as on 2024-08-18", "Not yet in force then",
    ):  # fmt: skip
        assert words in table


def test_optional_wagers_and_the_jackpot(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["rules", "nsw-blackjack-challenge", "--source", DEVICE, "--jackpot-rate", "10"]
    _, out, _ = run(capsys, *words)
    assert "Blazing 7s is offered." in out and "grows by 10%" in out
    assert "three sevens of diamonds" in out and "the whole jackpot" in out
    _, out, _ = run(capsys, "rules", "adelaide-pontoon-2008", "--required", "perfect-pairs", "--jokers", "2")
    assert "and is a condition of play" in out and "two jokers among them" in out


def test_a_study_variant_is_called_one(capsys: pytest.CaptureFixture[str]) -> None:
    changes = [
        "--set",
        "dealer.soft_stand=17",
        "--set",
        "interim.pay_table.5-card-21=2 to 1",
        "--set",
        "settlement.ties=lose",
    ]
    code, out, _ = run(capsys, "rules", "nsw-pontoon", *changes)
    assert code == 0
    assert out.splitlines()[1] == "A STUDY VARIANT, no approved game: interim.pay_table.5-card-21 = 2 to 1;"
    assert "The dealer stands on soft 17 too. [study variant] [14.4, 2.2.3.2]" in out
    assert "Equal totals lose. [study variant]" in out


def test_a_variant_of_what_a_document_does_not_have() -> None:
    book = vary(load("nsw-pontoon"), {"blazing_7s.per_box": 1})
    said = {key for section in sheet_of(book).sections for entry in section.entries for key in entry.terms}
    assert said == {key for key, _ in terms(book)}


def test_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "rules", "nsw-pontoon", "--json", "--decks", "6")
    assert code == 0 and out.count("\n") == 1
    data = json.loads(out)
    assert data["rulebook"] == "nsw-pontoon" and data["variant"] is None and data["table"]["decks"] == 6
    (doubling,) = [section for section in data["sections"] if section["section"] == "doubling"]
    assert doubling["lines"][0]["terms"] == {"doubling.hands": "any-below-21"}
    assert doubling["lines"][0]["clauses"] == ["12.1", "12.1.1", "12.1.2", "12.1.3"]
    (interim,) = [section for section in data["sections"] if section["section"] == "interim"]
    assert any(
        {"name": "6-7-8, spades", "pays": "3 to 1", "clauses": ["10.5:T1:678-spades"]} in line["rows"]
        for line in interim["lines"]
    )


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_data_and_paper_say_the_same(rulebook: str) -> None:
    found = sheet_of(load(rulebook))
    paper = " ".join(" ".join(lines(found)).split())
    for section in as_data(found)["sections"]:
        for line in section["lines"]:
            assert " ".join(line["text"].split()) in paper


# --- refused and unread ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "voice"),
    [
        (["nsw-pontoon", "--decks", "5"], "refused   NSW pontoon 3.1: the game is played with 6 or 8 decks, not 5."),
        (["adelaide-pontoon-2008", "--decks", "4", "--side-bets", "perfect-pairs"], "refused   Adelaide pontoon 5"),
        (
            ["nsw-blackjack-challenge", "--decks", "8", "--side-bets", "star-pairs"],
            "refused   Blackjack Challenge 3.1.1",
        ),
        (["nsw-blackjack-challenge", "--face-down"], "refused   Blackjack Challenge 3.8"),
        (["canberra-pontoon-2005", "--resplit"], "refused   Canberra pontoon 2005 11.3"),
        (["nsw-pontoon", "--minimum", "50", "--maximum", "20"], "refused   NSW pontoon 6.1"),
        (["nsw-pontoon", "--source", "hat"], "refused   NSW pontoon 3.6"),
        (["nsw-pontoon", "--layout", "9"], "refused   NSW pontoon 2.2.1"),
        (["nsw-pontoom"], "unread    pitboss rules: no rulebook 'nsw-pontoom'. Did you mean nsw-pontoon?"),
        (["adelade"], "unread    pitboss rules: no rulebook 'adelade'. Did you mean adelaide-pontoon-2008?"),
        (["canberra"], "unread    pitboss rules: no rulebook 'canberra'. Did you mean canberra-pontoon-2005 or canb"),
        (["zzz"], "unread    pitboss rules: no rulebook 'zzz'. Known: nsw-pontoon,"),
        ([""], "unread    pitboss rules: no rulebook ''. Known: "),
        (["nsw-pontoon", "--minimum", "ten"], "unread    pitboss rules: --minimum: 'ten' is not an amount"),
        (["nsw-pontoon", "--chips", "0"], "unread    pitboss rules: --chips: write 1 to 30"),
        (["nsw-pontoon", "--date", "1.1.24"], "unread    pitboss rules: --date: '1.1.24' is not a date"),
        (
            ["nsw-pontoon", "--side-bets", "perfect"],
            "unread    pitboss rules: --side-bets: no optional wager 'perfect'.",
        ),
        (["nsw-pontoon", "--side-bets", "perfect-pairs,perfect-pairs"], "unread    pitboss rules: --side-bets names"),
        (["nsw-pontoon", "--jokers", "-1"], "unread    pitboss rules: --jokers is from 0 to 52, not -1"),
        (["nsw-pontoon", "--set", "dealer"], "unread    pitboss rules: --set 'dealer': write a term and its value"),
        (
            ["nsw-pontoon", "--set", "dealer.soft=1"],
            "unread    study variant of nsw-pontoon: dealer.soft: no such term",
        ),
        (
            ["nsw-pontoon", "--set", "dealer.soft_stand=x"],
            "unread    study variant of nsw-pontoon: dealer.soft_stand: ",
        ),
        (["nsw-pontoon", "--set", "a=" + "[" * 3000], "unread    pitboss rules: --set: "),
    ],
)
def test_bad_choices_exit_2(words: list[str], voice: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "rules", *words)
    assert (code, out) == (2, "")
    assert err.startswith(voice) and err.count("\n") == 1


def test_small_words() -> None:
    assert (
        decks((6,)) == "six decks"
        and decks((6, 8)) == "six or eight decks"
        and decks((3, 4, 5)) == "three to five decks"
    )
    assert listed(["a", "b", "c"], "or") == "a, b or c" and listed([]) == "none"
    assert row_name("5-card-21") == "21 with five cards" and row_name("678-mixed") == "6-7-8, mixed suits"
    rows = {row.name: restriction(row) for row in load("adelaide-pontoon-2008").limits.restrictions.value}
    assert "be made to cover every split" in rows["cover-splits"]
    assert "two boxes until the next shuffle (from a shoe only)" in rows["late-entry"]


def test_no_sentence_is_copied_from_elsewhere(tmp_path: Path) -> None:
    """Sentences are ours: none of them is long enough to have been lifted whole."""
    for rulebook in RULEBOOKS:
        for section in sheet_of(load(rulebook)).sections:
            assert all(len(entry.text) < 300 for entry in section.entries)


def test_colours_do_not_change_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    book = vary(load("nsw-blackjack-challenge"), {"dealer.soft_stand": 18})
    text = list(lines(sheet_of(book)))
    print_sheet(text)
    printed = capsys.readouterr().out
    assert [line.rstrip() for line in printed.splitlines()] == text
