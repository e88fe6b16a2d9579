"""`pitboss editions`, `rules --export`, `--amend` and `--editions`: what people and records are told of texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitboss.cli import main
from pitboss.records import dumps, loads
from pitboss.rulebooks import RULEBOOKS, editions, load
from pitboss.rulebooks.canonical import digest_of

ROUND = """
title    = "A doubled 21 is paid even money"
rulebook = "nsw-pontoon"
cards    = "6s 9h 5d Kc"
play     = ["alice bets 25 on 1", "dealer deals", "alice doubles on 1"]
expect   = { net = { alice = 50 } }
"""
CUP = """
name     = "spring cup"
rulebook = "canberra-pontoon-2005"
kind     = "approved-conditions"
clause   = "20.5"
approved = "the Commission"
terms    = { boxes = { players_max = { is = 1, clause = "20.7" } } }
"""


@pytest.fixture(autouse=True)
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editions, "_learned", {})
    monkeypatch.setenv(editions.FOLDERS, "")


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert main(list(words)) == code
    captured = capsys.readouterr()
    return captured.out + captured.err


def test_every_rulebook_is_listed_with_edition_digest_and_amendments(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [json.loads(line) for line in said(capsys, "editions", "--json").splitlines()]
    assert [row["rulebook"] for row in rows] == list(RULEBOOKS)
    for row in rows:
        assert row["digest"] == load(row["rulebook"]).edition and row["edition"]
        assert row["amendments"] or row["none"]
    text = said(capsys, "editions", "nsw-blackjack-challenge")
    assert "tournament: Tournament play [21.2.1" in text and "irregularities.void_interim" in text


def test_a_record_of_an_edition_that_is_not_at_hand_says_which_and_where_to_put_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    older = editions.text("nsw-pontoon").replace(b'"is":18', b'"is":17', 1)
    digest = digest_of(older)
    record = tmp_path / "old.round"
    record.write_text(ROUND.replace("cards ", f'edition  = "{digest}"\ncards '), encoding="utf-8")
    told = said(capsys, "replay", str(record), code=2)
    assert f"old.round:4: edition {digest[:12]} of nsw-pontoon is missing" in told and "--editions" in told
    assert "Traceback" not in told
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "2024.json").write_bytes(older)
    assert "holds: alice $50.00" in said(capsys, "replay", str(record), "--editions", str(folder))
    assert loads(dumps(loads(record.read_text(encoding="utf-8")))).edition == digest
    nowhere = str(tmp_path / "none")
    assert "there is no such folder" in said(capsys, "replay", str(record), "--editions", nowhere, code=2)


@pytest.mark.parametrize("key", ["7", '"xyz"', '"0123"', '"0123456789ZZ"'])
def test_an_edition_that_is_none_is_unreadable(capsys: pytest.CaptureFixture[str], tmp_path: Path, key: str) -> None:
    record = tmp_path / "odd.round"
    record.write_text(ROUND.replace("cards ", f"edition  = {key}\ncards "), encoding="utf-8")
    assert "odd.round:4: edition" in said(capsys, "replay", str(record), code=2)


def test_the_text_of_an_edition_is_written_to_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target = tmp_path / "nsw.json"
    assert said(capsys, "rules", "nsw-pontoon", "--export", str(target)) == ""
    assert digest_of(target.read_bytes().strip()) == load("nsw-pontoon").edition
    assert "cannot be written" in said(capsys, "rules", "nsw-pontoon", "--export", str(tmp_path / "no" / "x"), code=2)


def test_an_amendment_is_named_wherever_the_rules_are_shown(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(CUP, encoding="utf-8")
    rules = said(capsys, "rules", "canberra-pontoon-2005", "--amend", str(file))
    assert "AMENDED: spring cup, conditions that the document lets somebody approve," in rules
    assert "One player may wager on a box. [spring cup] [20.7]" in rules
    diff = said(capsys, "diff", "canberra-pontoon-2005", "canberra-pontoon-2005", "--amend-right", str(file))
    assert "(spring cup)" in diff and "1 difference." in diff
    record = tmp_path / "one.round"
    record.write_text(ROUND.replace("nsw-pontoon", "canberra-pontoon-2005"), encoding="utf-8")
    assert "Canberra pontoon 2005 (spring cup)" in said(capsys, "replay", str(record), "--amend", str(file), code=0)
    record.write_text(ROUND.replace("cards ", 'amendments = ["tournament"]\ncards '), encoding="utf-8")
    assert "(NSW pontoon (tournament) " in said(capsys, "replay", str(record))
    saved = loads(dumps(loads(record.read_text(encoding="utf-8"))))
    assert saved == loads(record.read_text(encoding="utf-8")) and saved.amendments[0].disapplies[0] == "5.5"


def test_what_may_not_be_amended_is_refused_with_the_clause(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(CUP.replace('approved = "the Commission"', ""), encoding="utf-8")
    told = said(capsys, "rules", "canberra-pontoon-2005", "--amend", str(file), code=2)
    assert told.startswith("refused   Canberra pontoon 2005 20.5, 20.3: spring cup must be approved")
    assert "has no amendment 'tournament' of its own" in said(
        capsys, "play", "adelaide-pontoon-2008", "--amend", "tournament", code=2
    )


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ('rulebook = "canberra-pontoon-2005"', "", "rulebook: say which one it amends"),
        ('approved = "the Commission"', "", "20.5, 20.3: spring cup must be approved"),
        ("players_max", "players_mux", "cup.toml: boxes.players_mux: no such term; did you mean boxes.players_max?"),
    ],
)
def test_a_floor_is_not_served_under_an_amendment_that_is_wrong(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, before: str, after: str, told: str
) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(CUP.replace(before, after), encoding="utf-8")
    text = said(capsys, "serve", "--data", str(tmp_path / "floor"), "--amend", str(file), code=2)
    assert told in text and not (tmp_path / "floor").exists()
