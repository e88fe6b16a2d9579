"""`pitboss strategy` as people call it."""

from __future__ import annotations

import csv
import json
import tomllib
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path

import pytest

from pitboss.cli import main
from pitboss.maths.simulate.files import strategy_file
from pitboss.maths.simulate.game import compile_game
from pitboss.rulebooks import RULEBOOKS, load
from tests.books import BJC, NSW
from tests.lengths import WHOLE


def test_a_chart_for_people_fits_eighty_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert main(["strategy", "canberra-pontoon-2005"]) == 0
    printed = capsys.readouterr().out
    assert max(len(line) for line in printed.splitlines()) <= 80
    for words in ("Hard totals", "Soft totals", "Pairs", "Towards 6-7-8", "After the double card", "Exceptions"):
        assert words in printed
    assert "\x1b[" not in printed


def test_colours_come_only_where_they_can_be_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert main(["strategy", "adelaide-pontoon-2008", "--level", "totals", "--exceptions", "0"]) == 0
    assert "\x1b[" in capsys.readouterr().out


def test_pictures_pages_and_files_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = {kind: tmp_path / f"chart.{kind}" for kind in ("svg", "png", "html")}
    words = [word for kind, path in names.items() for word in (f"--{kind}", str(path))]
    assert main(["strategy", "nsw-blackjack-challenge", *words]) == 0
    assert capsys.readouterr().out.count("written: ") == 3
    tree = ElementTree.fromstring(names["svg"].read_text(encoding="utf-8"))
    assert tree.tag.endswith("svg") and len(list(tree.iter())) > 300
    assert names["png"].read_bytes().startswith(b"\x89PNG")
    page = names["html"].read_text(encoding="utf-8")
    HTMLParser().feed(page)
    assert "http" not in page.replace("http://www.w3.org", "") and "<script" not in page
    assert page.count("<table") == 4 and "@media print" in page


@pytest.mark.parametrize("name", RULEBOOKS if WHOLE else (NSW, BJC))
def test_the_simulator_takes_what_is_exported(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "chart.toml"
    assert main(["strategy", name, "--export", str(path)]) == 0
    text = path.read_text(encoding="utf-8")
    strategy = strategy_file(compile_game(load(name)), text, "chart.toml")
    rows = tomllib.loads(text)
    assert strategy.name == "chart.toml" and rows["pair"]["8"][0] == "P"
    if name == "nsw-pontoon":
        words = ["--strategy", str(path), "--source", "fresh", "--rounds", "300k", "--json"]
        capsys.readouterr()
        assert main(["simulate", name, *words]) == 0
        found = json.loads(capsys.readouterr().out)
        assert abs(found["ev"] + 0.00438551) < 3.5 * found["standard_error"]


def test_json_has_rows_and_exceptions(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "all.json"
    assert main(["strategy", "nsw-pontoon", "--export", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == json.loads(path.read_text(encoding="utf-8"))
    assert found["dealer"][0] == "2" and found["dealer"][-1] == "A"
    assert found["ev_best"] - found["ev"] == pytest.approx(found["cost"])
    assert {"cards", "dealer", "act", "instead_of", "gain", "chance"} == set(found["exceptions"][0])


def test_explain_and_cost_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strategy", "nsw-pontoon", "--explain", "7h 7d v 7s", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["choices"][0]["act"] == "split"
    assert main(["strategy", "adelaide-pontoon-2008", "--cost", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["strategies"]
    assert found[0]["cost"] == 0.0 and all(each["cost"] > 0.0 for each in found[1:])


def test_a_changed_term_changes_the_chart(capsys: pytest.CaptureFixture[str]) -> None:
    def chart(*words: str) -> object:
        assert main(["strategy", "nsw-pontoon", "--json", *words]) == 0
        return json.loads(capsys.readouterr().out)["rows"]

    assert chart() != chart("--set", "interim.pay_table.5-card-21=1 to 1")
    assert chart("--decks", "infinite") != chart()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--level", "some"], "--level 'some': full, no-suits, totals are known"),
        (["--exceptions", "-1"], "not below zero"),
        (["--export", "chart.xls"], "name a file in .toml"),
        (["--svg", "nowhere/at/all/chart.svg"], "there is no folder"),
        (["--explain", "7h 7d"], "write a hand as in"),
        (["--explain", "7h 7d v 7s", "--cost"], "give one of them"),
        (["--explain", "7h 7d v 7s", "--svg", "chart.svg"], "a file is for charts"),
        (["--super-bonus", "0"], "give the original wager in dollars"),
        (["--decks", "some"], "neither a whole number nor infinite"),
    ],
)
def test_what_cannot_be_read_is_named(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["strategy", "nsw-pontoon", *words]) == 2
    printed = capsys.readouterr().err
    assert sentence in printed and printed.startswith("unread") and printed.count("\n") == 1


def test_values_of_every_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In Canberra a soft hand tells which aces were dealt, since doubling asks (2.5(a))."""
    files = {kind: tmp_path / f"values.{kind}" for kind in ("csv", "html", "txt")}
    for path in files.values():
        assert main(["strategy", "canberra-pontoon-2005", "--values", str(path)]) == 0
    rows = list(csv.DictReader(files["csv"].read_text(encoding="utf-8").splitlines()))
    by_key = {(row["hand"], row["dealer"]): row for row in rows}
    assert len(by_key) == len(rows) > 20_000
    assert {"A-A-2 (one ace dealt)", "A-A-2 (two aces dealt)"} <= {row["hand"] for row in rows}
    for row in rows[::97]:
        acts = {act: float(row[act]) for act in ("stand", "hit", "double", "split", "surrender") if row[act]}
        assert float(row["value"]) == max(acts.values()) == acts[row["best"]]
    two = by_key["8-8", "10"]
    assert float(two["at least"]) <= float(two["value"]) and 0.0 < float(two["chance"]) < 0.01
    assert "8-8" in files["txt"].read_text(encoding="utf-8") and "<h2>Surrender</h2>" in files["html"].read_text(
        "utf-8"
    )
    capsys.readouterr()
    assert main(["strategy", "canberra-pontoon-2005", "--values", str(tmp_path / "values.pdf")]) == 2
    assert "name a file in .csv, .html or .txt" in capsys.readouterr().err
