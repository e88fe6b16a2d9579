"""Every defined word is explained in plain words, found by any of its forms, and tied to where the program uses it."""

from __future__ import annotations

import json
import re

import pytest

from pitboss.commands import Unread
from pitboss.commands import clauses as command
from pitboss.commands.clauses import clauses
from pitboss.patrons import acts as patron_acts
from pitboss.patrons import events as patron_events
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.clauses import cite, exists, register
from pitboss.rulebooks.coverage import Coverage
from pitboss.rulebooks.glossary import find_word, glossary, scope, search, words_by_clause
from pitboss.rulebooks.load import terms
from pitboss.table import acts, events
from pitboss.tournament import acts as tournament_acts
from pitboss.tournament import events as tournament_events
from tests.books import ACT2, ACT5, ADL, BJC, DOCUMENTS, NSW

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def no_tests_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which tests carry a clause is not asked here: to read them all takes a while."""
    monkeypatch.setattr(command, "_coverage", lambda: Coverage(()))


def told(capsys: Captured, *words: str) -> str:
    """What the command prints, in one line."""
    assert clauses(*words) == 0
    return re.sub(r"\s+", " ", capsys.readouterr().out)


# --- each word -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "def:Angel pre-shuffled cards", "def:Assistant Gaming Manager")
@pytest.mark.clause("nsw-pontoon", "def:card shoe", "def:Cashless", "def:casino supervisor")
@pytest.mark.clause("nsw-pontoon", "def:controlling player", "def:dealer", "def:deck-checking device")
@pytest.mark.clause("nsw-pontoon", "def:float tray", "def:Gaming Manager", "def:Gaming Supervisor")
@pytest.mark.clause("nsw-pontoon", "def:inspector", "def:multishuffler", "def:NICC", "def:Perfect Pairs wager")
@pytest.mark.clause("nsw-pontoon", "def:promotional prize(s)", "def:shuffling device", "def:surrender buttons")
@pytest.mark.clause("canberra-pontoon-2005", "def:Box", "def:Casino Operator", "def:Casino Supervisor")
@pytest.mark.clause("canberra-pontoon-2005", "def:Dealer", "def:Float", "def:Insurance line", "def:Suit")
@pytest.mark.clause("canberra-pontoon-2005", "def:Surrender Button")
@pytest.mark.clause("canberra-pontoon-2002", "def:Box", "def:Casino Operator", "def:Casino Supervisor")
@pytest.mark.clause("canberra-pontoon-2002", "def:Dealer", "def:Surrender Button")
@pytest.mark.clause("nsw-blackjack-challenge", "def:Angel pre-shuffled cards", "def:Any Pair")
@pytest.mark.clause("nsw-blackjack-challenge", "def:Assistant Gaming Manager", "def:Blazing 7's wager")
@pytest.mark.clause("nsw-blackjack-challenge", "def:Card Shoe", "def:Cashless", "def:Casino Supervisor")
@pytest.mark.clause("nsw-blackjack-challenge", "def:Controlling Player", "def:Dealer", "def:Deck-checking Device")
@pytest.mark.clause("nsw-blackjack-challenge", "def:Float Tray", "def:Gaming Manager", "def:Gaming Supervisor")
@pytest.mark.clause("nsw-blackjack-challenge", "def:Inspector", "def:Multishuffler", "def:NICC")
@pytest.mark.clause("nsw-blackjack-challenge", "def:Perfect Pairs wager", "def:Promotional Prize(s)")
@pytest.mark.clause("nsw-blackjack-challenge", "def:Shuffling device", "def:Star Pairs wager")
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_defined_word_is_explained_in_plain_words(rulebook: str, capsys: Captured) -> None:
    defined = [row for row in register(rulebook).values() if "def:" in row.key]
    assert len(defined) >= 9
    for row in defined:
        word = words_by_clause(rulebook)[row.key]
        assert row.key.partition("def:")[2].lower().startswith(word.word.lower()[:4])
        for form in word.forms:
            assert find_word(rulebook, form) == word
        shown = told(capsys, rulebook, word.word)
        assert shown.startswith(f"{rulebook} {cite([row.key])} means {word.means}"), row.key
        assert word.means != row.gist, row.key
        for name in (*word.acts, *word.events, *word.terms):
            assert name in shown, (row.key, name)


@pytest.mark.clause("nsw-pontoon", "1.1")
@pytest.mark.clause("nsw-blackjack-challenge", "1.1")
@pytest.mark.clause("adelaide-pontoon-2008", "1")
@pytest.mark.clause("canberra-pontoon-2005", "dict:note")
@pytest.mark.clause("canberra-pontoon-2002", "terms:intro")
@pytest.mark.parametrize("rulebook", DOCUMENTS)
def test_it_is_said_where_the_words_hold(rulebook: str, capsys: Captured) -> None:
    held = scope(rulebook)
    assert held is not None
    word = next(each for each in glossary(rulebook) if "def:" in each.clause)
    assert f"holds {held.means} ({cite([held.clause])})" in told(capsys, rulebook, word.word)
    assert held.means in told(capsys, rulebook, held.clause)


@pytest.mark.clause("adelaide-pontoon-2008", "86")
@pytest.mark.clause("canberra-pontoon-2005", "18.1")
@pytest.mark.clause("canberra-pontoon-2002", "18.1")
@pytest.mark.parametrize(("rulebook", "clause"), [(ADL, "86"), (ACT5, "18.1"), (ACT2, "18.1")])
def test_it_is_said_that_the_rules_of_perfect_pairs_go_first(rulebook: str, clause: str, capsys: Captured) -> None:
    for asked in (clause, words_by_clause(rulebook)[clause].word):
        shown = told(capsys, rulebook, asked)
        assert "rules of pontoon hold" in shown and "rules of Perfect Pairs are followed" in shown
        assert "side_bets.perfect-pairs." in shown


# --- what the data may say -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_what_a_word_is_tied_to_is_there(rulebook: str) -> None:
    known = {key for key, _ in terms(load(rulebook))}
    for word in glossary(rulebook):
        assert word.clause in register(rulebook)
        assert [clause for clause in word.see if not exists(rulebook, clause)] == []
        assert [name for name in word.acts if not _there(name, acts, patron_acts, tournament_acts)] == []
        assert [name for name in word.events if not _there(name, events, patron_events, tournament_events)] == []
        assert [term for term in word.terms if term not in known] == []
        assert not word.word or word.acts or word.events or word.terms, word.word


def _there(name: str, *modules: object) -> bool:
    return any(isinstance(getattr(module, name, None), type) for module in modules)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_one_form_means_one_word(rulebook: str) -> None:
    forms = [form.lower() for word in glossary(rulebook) for form in word.forms]
    assert len(forms) == len(set(forms))


def test_a_rulebook_without_a_glossary_has_no_words() -> None:
    assert glossary("town-pontoon-2030") == ()


# --- searching -------------------------------------------------------------------------------------------------------


def test_a_search_finds_definitions_first_and_other_forms_too(capsys: Captured) -> None:
    assert clauses(search="splitting") == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [row[:2] for row in rows[:2]] == [[ACT5, "def:Split"], [ACT2, "def:Split"]]
    assert {row[0] for row in rows} == set(RULEBOOKS)
    assert all("split" in f"{' '.join(row)} {register(row[0])[row[1]].gist}".lower() for row in rows)


def test_a_search_looks_at_meanings_and_gists_of_one_rulebook(capsys: Captured) -> None:
    assert clauses(BJC, search="sensors") == 0
    assert [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()] == ["diagram:D"]
    found = search("factory shuffled", (NSW, BJC))
    assert {(row.rulebook, row.key) for row in found} >= {(NSW, "def:Angel pre-shuffled cards")}
    assert search("zebra", RULEBOOKS) == ()


def test_a_search_goes_with_the_other_filters(capsys: Captured) -> None:
    assert clauses(NSW, search="surrender", kind="text", json=True) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["clause"] for row in rows] == ["def:surrender buttons", "2.3.3"]
    assert rows[0]["glossary"]["word"] == "surrender buttons" and rows[1]["glossary"] is None


@pytest.mark.parametrize(
    ("rulebook", "asked", "answer"),
    [
        (None, "surender", "no clause of any rulebook has 'surender'. Near words: surrender, surrenders,"),
        (NSW, "qwzx", "no clause of nsw-pontoon has 'qwzx'. Try another or a shorter word."),
        (NSW, " ?! ", "say a word to search for, as in --search surrender."),
    ],
)
def test_what_is_not_found_is_answered_with_near_words(rulebook: str | None, asked: str, answer: str) -> None:
    with pytest.raises(Unread) as said:
        clauses(rulebook, search=asked)
    assert answer in str(said.value)


def test_a_word_that_is_not_there_is_answered_with_the_nearest(capsys: Captured) -> None:
    with pytest.raises(Unread, match=r"nsw-pontoon has no clause 'controler'\. Nearest: controller,"):
        clauses(NSW, "controler")
