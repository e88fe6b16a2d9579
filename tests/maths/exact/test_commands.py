"""`pitboss edge` and `pitboss what-if` as people call them."""

from __future__ import annotations

import builtins
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from pitboss.cli import main
from pitboss.maths.exact.solve import value
from pitboss.rulebooks import load, vary


def told(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_edge_tells_the_value(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "edge", "adelaide-pontoon-2008", "--decks", "6")
    assert found["ev"] == pytest.approx(-0.005927656363, abs=1e-11)
    assert found["house_edge"] == -found["ev"]
    assert found["element_of_risk"] == pytest.approx(found["house_edge"] / found["total_wagered"])
    assert found["error_bound"] is None and "policy" in found["method"]
    assert found["ev"] - 1e-10 < found["at_least"] <= found["ev"]
    assert all(each["at_least"] <= each["ev"] + 1e-12 for each in found["openings"])
    assert sum(each["contribution"] for each in found["outcomes"].values()) == pytest.approx(found["ev"], abs=1e-12)
    assert len(found["by_dealer_card"]) == 10 and len(found["by_hand"]) == 55
    assert list(found["effect_of_removal"]) == list("A23456789JQK")


def test_edge_with_a_changed_term_is_the_variants(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--set", "dealer.soft_stand=17", "--set", "interim.pay_table.5-card-21=2 to 1", "--quick"]
    found = told(capsys, "edge", "nsw-pontoon", *words)
    changed = vary(load("nsw-pontoon"), {"dealer.soft_stand": 17, "interim.pay_table.5-card-21": "2 to 1"})
    assert found["ev"] == value(changed)
    assert found["variant"] == changed.variant
    assert found["effect_of_removal"] == {}


def test_edge_takes_a_shoe_and_infinitely_many_decks(capsys: pytest.CaptureFixture[str]) -> None:
    shoe = " ".join(f"{rank}{suit}x2" for rank in "A23456789JQK" for suit in "shdc")
    two = told(capsys, "edge", "nsw-pontoon", "--decks", "2", "--quick")
    assert told(capsys, "edge", "nsw-pontoon", "--shoe", shoe, "--quick")["ev"] == two["ev"]
    endless = told(capsys, "edge", "nsw-pontoon", "--decks", "infinite")
    assert endless["cards"] is None and endless["error_bound"] < 1e-9


def test_edge_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["edge", "nsw-pontoon", "--super-bonus", "25", "--insurance", "--resplit"]) == 0
    printed = capsys.readouterr().out
    for words in ("house edge", "standard deviation", "element of risk", "Super Bonus", "One card out of the shoe"):
        assert words in printed


def test_what_if_one_term(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "what-if", "nsw-pontoon", "--vary", "settlement.ties")
    by_value = {case["value"]: case for case in found["cases"]}
    assert by_value["stand-off"]["difference"] == 0.0 and by_value["stand-off"]["note"] == "as it is"
    assert by_value["lose"]["ev"] == value(vary(load("nsw-pontoon"), {"settlement.ties": "lose"}))


def test_what_if_given_values_and_rows_of_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    key = "interim.pay_table.5-card-21"
    found = told(capsys, "what-if", "nsw-pontoon", "--vary", key, "--values", "1 to 1; 3 to 2; 2 to 1")
    values = [case["ev"] for case in found["cases"]]
    assert values == sorted(values) and found["cases"][1]["difference"] == 0.0


def test_what_if_decks(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "what-if", "adelaide-pontoon-2008", "--vary", "decks", "--values", "6;8")
    assert [case["value"] for case in found["cases"]] == ["6", "8"]
    assert found["cases"][1]["ev"] == found["ev"]


def test_a_par_sheet_adds_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, figures = tmp_path / "par.html", tmp_path / "par.csv"
    words = ["--decks", "infinite", "--rounds", "100,10k", "--html", str(page), "--csv", str(figures)]
    found = told(capsys, "par", "nsw-blackjack-challenge", *words)
    assert found["won"] + found["even"] + found["lost"] == pytest.approx(1.0, abs=1e-12)
    assert sum(each["contribution"] for each in found["results"]) == pytest.approx(found["ev"], abs=1e-12)
    squares = sum(each["frequency"] * float(each["name"]) ** 2 for each in found["results"])
    assert squares - found["ev"] ** 2 == pytest.approx(found["variance"], abs=1e-11)
    assert found["volatility_index"] == pytest.approx(1.6448536 * 1.255803758828, abs=1e-6)
    low, high = found["confidence"][1]["limits"]["95%"]
    assert (low + high) / 2 == pytest.approx(found["ev"]) and high - low == pytest.approx(0.0492265, abs=1e-6)
    assert found["edition"] == load("nsw-blackjack-challenge").edition and len(found["code"]) == 64
    text, rows = page.read_text(encoding="utf-8"), figures.read_text(encoding="utf-8").splitlines()
    for title in ("Results of a round", "What happens", "Mean result", "Unclear clauses", "Optional wagers"):
        assert title in text and any(row.startswith((title, f'"{title}')) for row in rows), title
    assert "<script" not in text


def test_a_par_sheet_with_an_edge_proven_from_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "par", "nsw-pontoon", "--set", "splitting.hands_max=1", "--splits", "exact")
    assert found["at_least"] <= found["ev"] <= found["at_most"]
    assert main(["par", "nsw-pontoon", "--splits", "best"]) == 2
    assert "policy and exact are known" in capsys.readouterr().err


def test_what_if_infinitely_many_decks(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "what-if", "nsw-pontoon", "--vary", "decks", "--values", "8; infinite", "--decks", "infinite")
    assert [case["value"] for case in found["cases"]] == ["8", "infinite"]
    assert found["cases"][1]["ev"] == found["ev"] == pytest.approx(-0.005266926642, abs=2e-12)


def test_what_if_two_rulebooks(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "what-if", "nsw-pontoon", "adelaide-pontoon-2008")
    assert found["together"]["ev"] == value(load("adelaide-pontoon-2008"))
    alone = sum(case["difference"] for case in found["cases"])
    assert found["together"]["difference"] == pytest.approx(alone + found["interaction"], abs=1e-12)
    labels = [case["value"] for case in found["cases"]]
    assert "doubling.hands = two-cards-hard-9-10-11" in labels and "settlement.dealer_natural = all" in labels
    assert main(["what-if", "canberra-pontoon-2005", "canberra-pontoon-2002"]) == 0
    assert "all together" in capsys.readouterr().out


def test_what_if_as_picture_and_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture, page = tmp_path / "bars.svg", tmp_path / "page.html"
    words = ["--values", "1;2;3", "--svg", str(picture), "--html", str(page)]
    assert main(["what-if", "nsw-pontoon", "--decks", "1", "--vary", "splitting.hands_max", *words]) == 0
    printed = capsys.readouterr().out
    assert "█" in printed and "cannot be" not in printed
    tree = ElementTree.fromstring(picture.read_text(encoding="utf-8"))
    bars = [each for each in tree.iter() if each.tag.endswith("rect") and each.get("fill") in ("#c8553d", "#2f7d6b")]
    assert [each.get("fill") for each in bars] == ["#c8553d", "#2f7d6b", "#2f7d6b"]
    text = page.read_text(encoding="utf-8")
    assert text.count("<tr>") == 4 and "<script" not in text and "<svg" in text


def test_what_if_says_why_a_term_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["what-if", "nsw-pontoon", "--decks", "1", "--vary", "settlement.dealer_natural_doubled"]) == 0
    assert "priced together" in " ".join(capsys.readouterr().out.split())
    assert main(["what-if", "nsw-pontoon", "--vary", "decks", "--svg", "no/such/folder/bars.svg"]) == 2


def test_what_if_clauses_were_read_otherwise(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "what-if", "adelaide-pontoon-2008", "--readings")
    by_label = {case["value"]: case for case in found["cases"]}
    case = by_label["settlement.dealer_natural = one-original"]
    assert case["difference"] > 0.0 and case["note"].startswith("read as all: ")
    assert main(["what-if", "nsw-pontoon", "--readings"]) == 0
    assert "with clauses read otherwise" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["edge", "nsw"], "no rulebook 'nsw'"),
        (["edge", "nsw-ponton"], "Did you mean nsw-pontoon?"),
        (["edge", "nsw-pontoon", "--decks", "none"], "--decks 'none' is neither a whole number nor infinite"),
        (["edge", "nsw-pontoon", "--decks", "-1"], "-1 decks: give a number from 1 to 100, or infinite."),
        (["edge", "nsw-pontoon", "--set", "dealer.soft_stand"], "changes no term"),
        (["edge", "nsw-pontoon", "--set", "dealer.soft_stnd=17"], "no such term; did you mean dealer.soft_stand?"),
        (["edge", "nsw-pontoon", "--set", "dealer.soft_stand=99"], "99 is out of range"),
        (["edge", "nsw-pontoon", "--set", "settlement.ties=win"], "'win' is not known"),
        (["edge", "nsw-pontoon", "--super-bonus", "much"], "'much' is not an amount"),
        (["edge", "nsw-pontoon", "--super-bonus", "0"], "give the original wager in dollars"),
        (["edge", "nsw-pontoon", "--shoe", "2s 3s 4s 5s 6s 7s"], "impossible shoe"),
        (["edge", "nsw-pontoon", "--shoe", "2s", "--decks", "infinite"], "cannot be infinite"),
        (["edge", "canberra-pontoon-2005", "--splits", "best"], "policy and exact are known"),
        (["edge", "canberra-pontoon-2005", "--removal", "some"], "kept and best are known"),
        (["what-if", "nsw-pontoon", "--vary", "decks", "--decks", "some"], "--decks 'some' is neither"),
        (["par", "nsw-pontoon", "--rounds", "many"], "--rounds 'many' is not a number of rounds"),
        (["par", "nsw-pontoon", "--rounds", "0"], "give a whole number of rounds above zero"),
        (["par", "nsw-pontoon", "--html", "no/such/folder/par.html"], "there is no folder"),
        (["what-if", "nsw-pontoon"], "either a second rulebook, or a term with --vary, or --readings"),
        (["what-if", "nsw-pontoon", "nsw-pontoon", "--vary", "decks"], "either a second rulebook"),
        (["what-if", "nsw-pontoon", "adelaide-pontoon-2008", "--values", "1"], "--values says what --vary tries"),
        (["what-if", "nsw-pontoon", "--vary", "dealer.nothing"], "no such term"),
        (["what-if", "nsw-pontoon", "--vary", "super_bonus.small_cents"], "give some with --values"),
        (
            ["what-if", "nsw-pontoon", "--vary", "dealer.soft_stand", "--values", "17; 99"],
            "dealer.soft_stand cannot be 99: 99 is out of range; it must be 12 to 21.",
        ),
        (["what-if", "nsw-pontoon", "--vary", "decks", "--values", "x"], "'x' decks: give whole numbers"),
        (["what-if", "nsw-pontoon", "--vary", "decks", "--values", "1.5"], "'1.5' decks: give whole numbers"),
        (["what-if", "nsw-pontoon", "--vary", "decks", "--values", " ; "], "names no value"),
    ],
)
def test_what_cannot_be_answered(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    printed = capsys.readouterr().err
    assert sentence in printed and printed.count("\n") == 1 and printed.startswith("unread")


def test_without_the_extra_the_way_on_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = builtins.__import__

    def bare(name: str, *rest: Any, **more: Any) -> Any:
        if name.partition(".")[0] in ("numba", "numpy"):
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", bare)
    assert main(["edge", "nsw-pontoon"]) == 2
    assert 'pip install "pitboss[maths]"' in capsys.readouterr().err
    assert main(["side-bets", "nsw-pontoon"]) == 0, "fractions need nothing"


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder is wanted")
    code = "from pitboss.maths.exact.compiled import cache_folder; folder = cache_folder(); print(folder)"
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "TMPDIR": str(tmp_path)}
    environment.pop("NUMBA_CACHE_DIR", None)
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert Path(run.stdout.strip()).parent == tmp_path
    assert not Path(run.stdout.strip()).exists(), "it goes when the process does"


def test_help_compiles_nothing() -> None:
    code = "import sys; from pitboss.cli import main; main(['edge', '--help']); "
    code += "raise SystemExit('numba' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0
