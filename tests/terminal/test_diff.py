"""Two rulebooks side by side: what differs, what does not, and at eighty columns."""

from __future__ import annotations

import json
from itertools import combinations

import pytest

from pitboss.cli import main
from pitboss.rulebooks import RULEBOOKS, load, terms, vary
from pitboss.rulebooks.clauses import exists
from pitboss.terminal.comparison import beside as beside_terms
from pitboss.terminal.comparison import compare, lines

PAIRS = list(combinations(RULEBOOKS, 2))


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_every_difference_is_cited_and_fits(left: str, right: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = list(compare(load(left), load(right)))
    assert found and all(each.differs for each in found)
    for each in found:
        assert all(exists(left, clause) for clause in each.left.clauses)
        assert all(exists(right, clause) for clause in each.right.clauses)
        assert each.left.text != each.right.text or each.left.value != each.right.value
    code, out, err = run(capsys, "diff", left, right)
    assert code == 0 and err == ""
    assert max(map(len, out.splitlines())) <= 80
    assert out.rstrip().endswith(f"\n{len(found)} difference{'s' * (len(found) > 1)}.")


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_rulebook_does_not_differ_from_itself(rulebook: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert list(compare(load(rulebook), load(rulebook))) == []
    _, out, _ = run(capsys, "diff", rulebook, rulebook)
    assert out.rstrip().endswith("No difference in play.")


def test_all_shows_every_term() -> None:
    left, right = load("nsw-pontoon"), load("canberra-pontoon-2005")
    keys = {key for key, _ in terms(left)}
    shown = {each.term for each in compare(left, right, everything=True)}
    assert all(any(term == key or term.startswith(key + ".") for term in shown) for key in keys)
    text = list(lines(left, right, everything=True))
    assert max(map(len, text)) <= 80 and any(line.endswith("(the same)") for line in text)


def test_what_people_argue_about_is_found() -> None:
    found = {each.term: each for each in compare(load("nsw-pontoon"), load("nsw-blackjack-challenge"))}
    ties = found["settlement.ties"]
    assert (ties.left.value, ties.right.value) == ("stand-off", "lose")
    assert ties.left.clauses == ("16.1.10", "def:stand off") and ties.right.text == "Equal totals lose."
    assert found["side_bets.perfect-pairs.pays.perfect"].right.value == "30 to 1"
    assert "irregularities.void_for" not in found, "the same case, each by its own clause"
    void = {each.term: each for each in compare(load("nsw-pontoon"), load("canberra-pontoon-2005"))}
    assert set(void["irregularities.void_for"].right.value) == {"misdeal", "impractical", "fraud"}
    assert found["insurance.offered"].right.value is False and "insurance.odds" not in found
    assert found["interim.pay_table.5-card-21"].right.text == "(none)"
    assert "doubling.hands" in found and "game.name" not in found


def test_one_object_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "diff", "nsw-pontoon", "adelaide-pontoon-2008", "--json")
    items = [item for item in map(json.loads, out.splitlines()) if "term" in item]
    assert code == 0 and len(items) == len(list(compare(load("nsw-pontoon"), load("adelaide-pontoon-2008"))))
    (hands,) = [item for item in items if item["term"] == "doubling.hands"]
    assert hands["left"] == {
        "rulebook": "nsw-pontoon",
        "value": "any-below-21",
        "text": "Any hand below 21 may be doubled, with two cards or more.",
        "clauses": ["12.1", "12.1.1", "12.1.2", "12.1.3"],
    }
    _, out, _ = run(capsys, "diff", "nsw-pontoon", "nsw-pontoon", "--json", "--all")
    assert not any(json.loads(line)["differs"] for line in out.splitlines())


def test_a_variant_against_its_document(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "diff", "nsw-pontoon", "nsw-pontoon", "--set-right", "dealer.soft_stand=17")
    assert code == 0 and out.rstrip().endswith("1 difference.")
    assert "study variant: dealer.soft_stand = 17" in " ".join(out.split())
    variant = vary(load("nsw-pontoon"), {"dealer.soft_stand": 17})
    assert [each.term for each in compare(load("nsw-pontoon"), variant)] == ["dealer.soft_stand"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nsw-pontoon", "adelade"], "pitboss diff: no rulebook 'adelade'. Did you mean adelaide-pontoon-2008?"),
        (["x", "nsw-pontoon"], "pitboss diff: no rulebook 'x'. Known: "),
        (["nsw-pontoon"], "pitboss diff: RIGHT is missing."),
        (["nsw-pontoon", "nsw-pontoon", "--set-left", "x"], "pitboss diff: --set 'x': write a term"),
    ],
)
def test_bad_calls_exit_2(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "diff", *words)
    assert (code, out) == (2, "") and err.startswith("unread    " + sentence) and err.count("\n") == 1


def test_what_is_no_term_is_told_too(capsys: pytest.CaptureFixture[str]) -> None:
    """A chapter that only one document has, a procedure, and whom it names."""
    _, out, _ = run(capsys, "diff", "canberra-pontoon-2005", "canberra-pontoon-2002")
    beside = " ".join(out.partition("BESIDE THE TERMS")[2].split())
    assert "Operator's charge for conducting the tournament." in beside.replace("(none) ", "")
    assert "Dealer tells any player who asks" in beside and "commission" in beside
    alone = beside_terms(load("canberra-pontoon-2005"), load("canberra-pontoon-2002"))
    count = sum(len(each.left) + len(each.right) for each in alone)
    assert count > 10 and f"BESIDE THE TERMS: {count} clauses that only one of the two documents has" in out
    assert all(len(line) <= 80 for line in out.splitlines())


def test_what_is_no_term_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "diff", "nsw-pontoon", "canberra-pontoon-2002", "--json", "--all")
    rows = {row["beside"]: row for row in map(json.loads, out.splitlines()) if "beside" in row}
    assert {"people", "tournament", "general"} <= set(rows)
    assert rows["tournament"]["right"] == {"text": "(none)", "clauses": []}
    assert len(rows["tournament"]["left"]["clauses"]) > 8
    assert all(each["clause"] and each["gist"] for row in rows.values() for each in row["left"]["clauses"])


def test_duties_and_readings_are_told_apart_from_terms(capsys: pytest.CaptureFixture[str]) -> None:
    """What only one document wants done by hand, and what one says and the other is read to say."""
    assert main(["diff", "nsw-pontoon", "adelaide-pontoon-2008"]) == 0
    out = capsys.readouterr().out
    duties, _, readings = out.partition("DUTIES OF HANDS AND VOICE")[2].partition("THE SAME, but said by one")
    assert "Draw with the left hand" in duties and "[9.2]" in duties
    assert "shuffle.cutter_new_cards" in readings and "Read so: silent" in readings
    assert main(["diff", "nsw-pontoon", "nsw-pontoon"]) == 0
    assert "DUTIES" not in capsys.readouterr().out
    assert main(["diff", "nsw-pontoon", "adelaide-pontoon-2008", "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert any("duty" in each and each["differs"] for each in told)
    read = [each for each in told if "reading" in each]
    assert read and not any(each["differs"] for each in read)
    assert all(("Read so" in each["left"]["text"]) != ("Read so" in each["right"]["text"]) for each in read)
