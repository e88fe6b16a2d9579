"""Conditions: every item that a rulebook wants, what it does not allow, the copy on paper, and files that are wrong."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from pitboss.cli import main
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.tournament.allowed import refuse_conditions, refuse_missing, refuse_tournaments
from pitboss.tournament.conditions import ConditionsError, left_open, missing, read
from pitboss.tournament.paper import printed, template
from tests.tournament.making import (
    CANBERRA,
    CHALLENGE,
    LIKE_NSW,
    NSW,
    WITH_TOURNAMENTS,
    conditions_of,
    filled_in,
    without,
)


@pytest.mark.parametrize("rulebook", WITH_TOURNAMENTS)
def test_a_filled_in_template_lacks_nothing(rulebook: str) -> None:
    conditions = read(filled_in(rulebook), RULEBOOKS)
    assert left_open(load(rulebook), conditions) == ()
    assert refuse_missing(load(rulebook), conditions) is None
    assert refuse_conditions(load(rulebook), conditions) is None


@pytest.mark.parametrize("rulebook", ["adelaide-pontoon-2008", "canberra-pontoon-2002"])
def test_a_document_without_tournaments_says_so(rulebook: str, capsys: pytest.CaptureFixture[str]) -> None:
    refused = refuse_tournaments(load(rulebook))
    assert refused is not None and refused.text.endswith("has no rules for tournaments.")
    assert main(["tournament", "new", rulebook]) == 2
    assert capsys.readouterr().err.startswith("refused   ")


@pytest.mark.clause("nsw-pontoon", "20.4.2", "20.4.2(a)", "20.4.2(b)", "20.4.2(c)", "20.4.2(d)", "20.4.2(e)")
@pytest.mark.clause("nsw-pontoon", "20.4.2(f)", "20.4.2(g)", "20.4.2(h)", "20.4.2(h)(i)", "20.4.2(i)", "20.4.2(j)")
@pytest.mark.clause("nsw-pontoon", "20.4.2(k)")
@pytest.mark.clause("nsw-blackjack-challenge", "21.4.2", "21.4.2(a)", "21.4.2(b)", "21.4.2(c)", "21.4.2(d)")
@pytest.mark.clause("nsw-blackjack-challenge", "21.4.2(e)", "21.4.2(f)", "21.4.2(g)", "21.4.2(h)", "21.4.2(h)(i)")
@pytest.mark.clause("nsw-blackjack-challenge", "21.4.2(i)", "21.4.2(j)", "21.4.2(k)")
@pytest.mark.parametrize("rulebook", LIKE_NSW)
@pytest.mark.parametrize(
    ("key", "letter"),
    [
        ("entry.fee", "(a)"),
        ("chips.amount", "(b)"),
        ("chips.bought", "(b)"),
        ("wagers.compulsory", "(c)"),
        ("wagers.minimum", "(d)"),
        ("wagers.maximum", "(d)"),
        ("stages.tables", "(e)"),
        ("stages.rounds", "(e)"),
        ("stages.advance", "(e)"),
        ("conduct.seats", "(f)"),
        ("conduct.order", "(f)"),
        ("conduct.pass_cards", "(f)"),
        ("conduct.undisclosed", "(f)"),
        ("buy_back.offered", "(g)"),
        ("entry.eligibility", "(h)(i)"),
        ("entry.withdraw_until", "(i)"),
        ("entry.form", "(i)"),
        ("entry.minimum", "(i)"),
        ("entry.maximum", "(i)"),
        ("prizes.shares", "(j)"),
        ("prizes.payment", "(j)"),
        ("manager", "(k)"),
        ("conducted", "(k)"),
    ],
)
def test_an_item_that_is_missing_is_named_alone_with_its_clause(rulebook: str, key: str, letter: str) -> None:
    conditions = read(without(filled_in(rulebook), key), RULEBOOKS)
    chapter = load(rulebook).tournament.items_wanted.clause
    found = missing(load(rulebook), conditions)
    assert [(each.key, each.clause) for each in found] == [(key, chapter + letter)]
    refused = refuse_missing(load(rulebook), conditions)
    assert refused is not None and refused.clauses == (chapter + letter,) and key in refused.text


@pytest.mark.clause("nsw-pontoon", "20.4.2(h)(ii)", "20.4.2(h)(iii)")
@pytest.mark.clause("nsw-blackjack-challenge", "21.4.2(h)(ii)", "21.4.2(h)(iii)")
@pytest.mark.parametrize("rulebook", LIKE_NSW)
def test_conditional_items_are_wanted_where_they_apply(rulebook: str) -> None:
    chapter = load(rulebook).tournament.items_wanted.clause

    def lacking(**changes: Any) -> list[tuple[str, str]]:
        found = missing(load(rulebook), conditions_of(rulebook, **changes))
        return [(each.key, each.clause.removeprefix(chapter)) for each in found]

    assert lacking(entry__may_refuse=False, entry__refusal="") == []
    assert lacking(entry__may_refuse=True, entry__refusal="") == [("entry.refusal", "(h)(ii)")]
    assert lacking(entry__selects=True) == [("entry.criteria", "(h)(iii)")]
    assert lacking(entry__selects=True, entry__criteria="members") == []
    assert lacking(buy_back__offered=True) == [("buy_back.method", "(g)")]
    whole = {"offered": True, "fee": 50, "until": "semi-finals", "method": "at the desk"}
    assert lacking(buy_back=whole) == []


@pytest.mark.clause("canberra-pontoon-2005", "20.3", "20.4", "20.4(a)", "20.4(b)", "20.4(c)", "20.4(d)", "20.4(e)")
@pytest.mark.clause("canberra-pontoon-2005", "20.4(f)", "20.4(g)", "20.4(h)", "20.4(i)", "20.2")
def test_canberra_may_leave_items_open_and_whoever_approves_sees_which() -> None:
    book = load(CANBERRA)
    for key, letter, needed in [
        ("start", "(a)", False),
        ("stages.tables", "(b)", True),
        ("entry.fee", "(c)", True),
        ("entry.commission", "(c)", False),
        ("chips.amount", "(d)", True),
        ("entry.maximum", "(e)", True),
        ("entry.groups", "(f)", False),
        ("wagers.maximum", "(g)", True),
        ("wagers.perfect_pairs", "(h)", False),
        ("prizes.shares", "(i)", True),
    ]:
        data = filled_in(CANBERRA)
        if key == "entry.fee":
            data = without(data, "entry.commission")
        conditions = read(without(data, key), RULEBOOKS)
        assert (key, "20.4" + letter) in [(each.key, each.clause) for each in left_open(book, conditions)]
        assert (key in [each.key for each in missing(book, conditions)]) is needed, key
        assert f"20.4{letter}" in printed(book, conditions).partition("Not said:")[2]
    for change, clause in (({"approved": ""}, "20.3"), ({"manager": " "}, "20.2")):
        refused = refuse_conditions(book, conditions_of(CANBERRA, **change))
        assert refused is not None and refused.clauses == (clause,)


@pytest.mark.parametrize(
    ("rulebook", "changes", "clause"),
    [
        (NSW, {"entry__commission": 10}, "20.3.2"),
        (CHALLENGE, {"entry__commission": 10}, "21.3.2"),
        (
            CHALLENGE,
            {"chips": {"amount": 100, "bought": True, "price": 10, "cash_value": True}},
            "def:tournament chips",
        ),
        (CANBERRA, {"chips": {"amount": 100, "bought": True, "price": 10, "cash_value": True}}, "def:Tournament Chips"),
        (NSW, {"entry__commission": 5000}, "20.3.2"),
        (CANBERRA, {"entry__commission": 5000}, "20.23"),
        (CANBERRA, {"entry__each": 2}, "20.6"),
        (CANBERRA, {"conduct__seats": "manager"}, "20.7"),
        (CANBERRA, {"conduct__order": False}, "20.15"),
        (CANBERRA, {"conduct__pass_cards": 1}, "20.14"),
        (CANBERRA, {"conduct__undisclosed": 1}, "20.15"),
        (CANBERRA, {"conduct__deal_from_marker": True}, "6.2"),
        (CANBERRA, {"entry__refund_percent_after": 50}, "20.24"),
        (CANBERRA, {"entry__withdraw_until": "2027-03-01T18:00:00"}, "20.24"),
        (CANBERRA, {"buy_back": {"offered": True}}, "20.6"),
        (NSW, {"wagers__compulsory": False}, "20.6.4"),
        (NSW, {"wagers__maximum": 495}, "20.6.14"),
        (CHALLENGE, {"wagers__maximum": 495}, "21.6.13"),
        (NSW, {"wagers__minimum": 7}, "20.6.8"),
        (NSW, {"chips__carried": True}, "20.6.2"),
        (NSW, {"entry__reserves": 2}, "20.1.1"),
        (NSW, {"conduct__order": False, "conduct__deal_from_marker": True}, "20.9.3"),
    ],
)
def test_what_a_rulebook_does_not_allow_is_refused(rulebook: str, changes: dict[str, Any], clause: str) -> None:
    refused = refuse_conditions(load(rulebook), conditions_of(rulebook, **changes))
    assert refused is not None and refused.clauses[0] == clause, refused


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"title": ""}, "title: a tournament has a title"),
        ({"rulebook": "poker"}, "rulebook: 'poker' is none"),
        ({"entry__fee": "free"}, "entry.fee: 'free' is not an amount"),
        ({"entry__fees": 5}, "entry.fees: there is no such key"),
        ({"entry__minimum": "x"}, "entry.minimum: a whole number is wanted"),
        ({"entry": 5}, "entry: must be a table"),
        ({"entry__minimum": 1}, "entry.minimum: from 2"),
        ({"entry__maximum": 3}, "entry.maximum: from entry.minimum"),
        ({"wagers__minimum": 0}, "wagers: the minimum is above zero"),
        ({"chips__amount": 5}, "chips.amount: nobody could wager"),
        ({"prizes__shares": []}, "prizes.shares: a part above zero"),
        ({"stages": [{"name": "heats", "kind": "heat"}]}, "stages: the last stage is the final"),
        ({"stages": [{"name": "f", "kind": "final", "tables": 2}]}, "stages.f.tables: the final is played at one"),
        ({"stages": [{"name": "f", "kind": "final", "rounds": 2, "minutes": 5}]}, "stages.f: a session is measured"),
        ({"stages": [{"name": "f", "kind": "semi"}]}, "stages[0].kind: there is no 'semi'; write one of heat, r"),
        ({"conduct__seats": "lottery"}, "conduct.seats: there is no 'lottery'; write one of ballot, manager"),
        ({"entry__closes": "soon"}, "entry.closes: a date and time is wanted"),
        ({"conduct__players_at_table": 9}, "conduct.players_at_table: from 1 to 7"),
        ({"buy_back": {"offered": True, "until": "never"}}, "buy_back.until: there is no stage"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_key(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ConditionsError) as caught:
        conditions_of(NSW, **changes)
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize("rulebook", WITH_TOURNAMENTS)
def test_the_copy_on_paper_has_every_item_with_its_clause(rulebook: str) -> None:
    book = load(rulebook)
    text = printed(
        book,
        conditions_of(
            rulebook, **({} if rulebook == CANBERRA else {"entry__selects": True, "entry__criteria": "members"})
        ),
    )
    for item, clause in book.tournament.items.value.items():
        assert f"[{clause}]" in text, item
    assert "Not said:" not in text


def test_the_command_writes_checks_and_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cup.toml"
    assert main(["tournament", "new", "nsw-pontoon", str(file)]) == 0
    assert main(["tournament", "new", "nsw-pontoon", str(file)]) == 2
    assert file.read_text(encoding="utf-8") == template(load(NSW))
    capsys.readouterr()
    assert main(["tournament", "check", str(file)]) == 1
    assert "20.4.2(k)" in capsys.readouterr().out
    file.write_text(file.read_text(encoding="utf-8").replace('manager  = ""', 'manager = "mary"'), encoding="utf-8")
    assert main(["tournament", "check", str(file)]) == 0
    assert main(["tournament", "paper", str(file)]) == 0
    assert "The tournament manager is mary." in capsys.readouterr().out
    file.write_bytes(b"\xff")
    assert main(["tournament", "check", str(file)]) == 2
    assert main(["tournament", "paper", str(tmp_path / "none.toml")]) == 2
    tomllib.loads(template(load(CHALLENGE)))


@pytest.mark.clause("canberra-pontoon-2005", "20.2", "20.3")
def test_everything_that_is_not_allowed_is_said_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Canberra 2005 20.2, 20.3."""
    file = tmp_path / "cup.toml"
    file.write_text(template(load(CANBERRA)), encoding="utf-8")
    assert main(["tournament", "check", str(file)]) == 1
    told = capsys.readouterr().out
    assert "Canberra pontoon 2005 20.3: " in told and "Canberra pontoon 2005 20.2: " in told


def test_the_copy_says_no_price_that_nobody_has_said() -> None:
    """NSW 20.4.2(b), 20.6.9: what is missing stands below, and no nought in its place."""
    text = printed(load(NSW), conditions_of(NSW, chips__bought=True, chips__cash_value=True))
    assert "which they buy." in text and "They have a cash value." in text and "$0.00" not in text
    assert "(chips.price)" in text
