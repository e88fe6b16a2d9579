"""The register holds every clause of the five documents, and says of each who keeps it."""

from __future__ import annotations

from collections import Counter

import pytest

from pitboss.rulebooks import RULEBOOKS
from pitboss.rulebooks.clauses import (
    COLUMNS,
    KEEPERS,
    KEPT,
    KINDS,
    LATER,
    UnknownRulebookError,
    cite,
    exists,
    find,
    is_within,
    register,
    register_path,
)
from tests.books import DOCUMENTS

COUNTS = {
    "nsw-pontoon": 492,
    "adelaide-pontoon-2008": 235,
    "canberra-pontoon-2005": 246,
    "canberra-pontoon-2002": 204,
    "nsw-blackjack-challenge": 506,
}
GROUPS_OF_A_ROUND = {
    "definitions", "cards", "shuffle", "wagers", "limits", "deal", "insurance", "surrender", "interim", "draw",
    "double", "split", "dealer", "sidebet", "jackpot", "settlement",
}  # fmt: skip
OTHER_GROUPS = {"equipment", "irregularity", "device", "general", "closure", "tournament", "promotion"}

ALL = [clause for rulebook in RULEBOOKS for clause in register(rulebook).values()]


def test_all_clauses_of_the_five_documents_are_there() -> None:
    assert {rulebook: len(register(rulebook)) for rulebook in DOCUMENTS} == COUNTS


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_line_of_the_file_is_a_clause_of_its_own(rulebook: str) -> None:
    lines = register_path(rulebook).read_text(encoding="utf-8").splitlines()
    assert tuple(lines[0].split("\t")) == COLUMNS
    keys = [line.split("\t")[0] for line in lines[1:]]
    assert [key for key, count in Counter(keys).items() if count > 1] == []
    assert keys == list(register(rulebook))


def test_every_column_has_an_allowed_value() -> None:
    states = {KEPT, *(f"later:{part}" for part in LATER)}
    wrong = [
        clause
        for clause in ALL
        if not (clause.key and clause.number and clause.gist.strip() == clause.gist != "")
        or clause.group not in GROUPS_OF_A_ROUND | OTHER_GROUPS
        or clause.kind not in KINDS
        or clause.kept_by not in KEEPERS
        or clause.status not in states
    ]
    assert wrong == []


def test_a_clause_that_shapes_a_round_is_kept_by_the_engine_or_the_ledger() -> None:
    rows = [clause for clause in ALL if clause.group in GROUPS_OF_A_ROUND and clause.kind in ("play", "limit")]
    assert len([clause for clause in rows if clause.rulebook in DOCUMENTS]) == 773
    assert [clause for clause in rows if not clause.kept or clause.kept_by not in ("engine", "ledger")] == []


def test_whatever_is_kept_now_is_kept_by_the_program() -> None:
    assert {clause.kept_by for clause in ALL if clause.kept} <= {"engine", "ledger", "register", "text", "dealer"}


def test_the_gists_use_the_houses_words() -> None:
    words = {"push", "stake", "stakes", "bettor", "bettors", "seat-spot"}
    assert [clause for clause in ALL if words & set(clause.gist.lower().replace(",", " ").rstrip(".").split())] == []


def test_the_printed_number_is_kept_where_the_key_is_ours() -> None:
    assert register("adelaide-pontoon-2008")["22A"].number == "22"
    assert register("adelaide-pontoon-2008")["1(a):def:Pontoon"].number == "1(a)"
    assert register("nsw-pontoon")["10.5:T1:5-card-21"].number == "10.5"
    assert register("nsw-pontoon")["def:pontoon"].number == "1.1"
    assert register("nsw-pontoon")["def:pass card"].number == "20.1.1"
    assert register("nsw-blackjack-challenge")["def:pass card"].number == "21.1.1"
    assert register("canberra-pontoon-2002")["19:malfunction"].number == "19"


def test_there_is_no_register_of_a_document_that_we_do_not_have() -> None:
    for name in ("nsw-baccarat", "", "../nsw-pontoon", "nsw_pontoon"):
        with pytest.raises(UnknownRulebookError):
            register(name)


# --- names of clauses ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("clause", ["10", "16", "10.5", "18.3", "12.1.4.1", "12.1:tail", "10.5:T1", "def:stand off"])
def test_clauses_chapters_and_prefixes_exist(clause: str) -> None:
    assert exists("nsw-pontoon", clause)


@pytest.mark.parametrize("clause", ["", "22", "10.51", "10.", "1", "def", "12.1.4.1.1", "14.5", "tail", "10.5:T3"])
def test_what_the_document_does_not_have_does_not_exist(clause: str) -> None:
    assert exists("nsw-pontoon", clause) is (clause == "1")  # 1.1 makes 1 a chapter


def test_letters_make_prefixes_too() -> None:
    assert exists("adelaide-pontoon-2008", "47(d)")
    assert exists("adelaide-pontoon-2008", "1(a)")
    assert not exists("adelaide-pontoon-2008", "47(e)")


@pytest.mark.parametrize(
    ("cited", "wanted", "holds"),
    [
        ("12.1", "12.1", True),
        ("12.1.4.1", "12.1", True),
        ("12.1:tail", "12.1", True),
        ("74(a)", "74", True),
        ("10.5:T1:5-card-21", "10.5:T1", True),
        ("1(a):def:Pontoon", "1(a)", True),
        ("12.1", "12.1.4", False),
        ("12.10", "12.1", False),
        ("120", "12", False),
        ("22A", "22", False),
        ("12.1", "", False),
        ("", "12.1", False),
    ],
)
def test_a_clause_is_within_itself_and_within_what_it_stands_under(cited: str, wanted: str, holds: bool) -> None:
    assert is_within(cited, wanted) is holds


def test_find_gives_the_rows_at_and_below_a_number() -> None:
    assert [row.key for row in find("nsw-pontoon", "12.1.4")] == ["12.1.4", "12.1.4.1"]
    assert [row.key for row in find("adelaide-pontoon-2008", "22")] == ["22", "22A"]
    assert [row.key for row in find("canberra-pontoon-2002", "19.3")] == ["19.3", "19.3(a)", "19.3(b)", "19.3:tail"]
    assert len(find("nsw-pontoon", "21")) == 57


def test_find_knows_defined_words_and_no_case() -> None:
    assert [row.key for row in find("nsw-pontoon", "Stand Off")] == ["def:stand off"]
    assert [row.key for row in find("nsw-pontoon", "def:PONTOON")] == ["def:pontoon"]
    assert [row.key for row in find("adelaide-pontoon-2008", "surrender")] == ["1(b):def:Surrender"]
    assert find("nsw-pontoon", "zork") == find("nsw-pontoon", " ") == ()


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        (["12.1.4.1"], "12.1.4.1"),
        (["10.2.1", "10.5:T1:5-card-21"], "10.2.1, 10.5 Table 1 (5-card 21)"),
        (["def:pontoon"], "definition of pontoon"),
        (["1(a):def:Pontoon", "1(a)"], "1(a)"),
        (["12.1:tail", "12.1", "12.2"], "12.1, 12.2"),
        (["10.5:T1:7-plus-card-21"], "10.5 Table 1 (7-plus-card 21)"),
        (["14.2:T1:678-mixed"], "14.2 Table 1 (6-7-8 mixed)"),
        (["10.5:T1:note-double"], "10.5 Table 1 (note)"),
        (["14.3:T2:super-bonus-under-25"], "14.3 Table 2 (Super Bonus under $25)"),
        (["27:T1:5-cards"], "27 Table 1 (5 cards)"),
        (["35:note-c", "13:note"], "35 note on (c), 13 note"),
        (["22A"], "22 (the second)"),
        (["diagram:A", "dict:note", "NI2005-73"], "diagram A, note to the dictionary, NI2005-73"),
        ([], ""),
    ],
)
def test_people_read_clauses_without_our_keys(keys: list[str], text: str) -> None:
    assert cite(keys) == text


def test_every_clause_can_be_cited_without_a_trace_of_its_key() -> None:
    odd = [clause.key for clause in ALL if not cite([clause.key]) or ":" in cite([clause.key])]
    assert odd == []
