"""Whole promotions as records: one a clause, replayed byte for byte, written on, reported; and what cannot be read."""

from __future__ import annotations

import csv
import json
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss.chance import shuffled
from pitboss.cli import main
from pitboss.commands.case_files import record_text
from pitboss.papers.lines import PaperError
from pitboss.promotions import acts as pa
from pitboss.promotions.paper import template
from pitboss.promotions.records import VOCABULARY, read, replay, said_fields, usual_role, write_act
from pitboss.rulebooks import RULEBOOKS, load
from tests.promotions.making import BOTH, NSW, Running, at, data_of, replayed, terms_of

RECORDS = sorted((Path(__file__).parent / "records").rglob("*.promotion"))
DOCS = Path(__file__).parents[2] / "docs" / "promotions.md"
TOLD = next(each for each in RECORDS if each.name.startswith("21.8-"))


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: file.stem)
def test_a_record_holds_and_is_named_by_its_clause_and_what_it_says(file: Path) -> None:
    record = read(tomllib.loads(file.read_text(encoding="utf-8")), RULEBOOKS)
    result = replay(record, load(record.conditions.rulebook), shuffled)
    assert not result.failures
    assert file.parent.name == record.conditions.rulebook and file.name.startswith(f"{record.clauses[0]}-")
    cited = {clause for event in result.events for clause in event.clauses}
    cited |= {clause for step in result.steps if step.refusal is not None for clause in step.refusal.clauses}
    assert set(record.clauses) <= cited, "what a record is about is what decides in it"
    for step, wanted in zip(result.steps, record.steps, strict=True):
        named = next(
            (name for name, terms in record.amended.items() if terms == getattr(step.act, "conditions", 0)), ""
        )
        line = write_act(step.act, wanted.refused, named)
        again = read(
            {**tomllib.loads(file.read_text(encoding="utf-8")), "acts": [tomllib.loads(f"a = {line}")["a"]]}, RULEBOOKS
        )
        assert again.steps[0] == wanted


def written(rulebook: str) -> tuple[Running, str]:
    running = Running(terms_of(rulebook)).drawn()
    running.does(pa.TellWinner("dealer", at("04-11 10:00"), running.winner(), "car", "telephone"))
    running.does(pa.ClaimPrize("player", at("04-11 11:00"), "zoe", "car"))
    running.does(pa.DenyClaim(pa.MANAGER, at("04-11 12:00"), "zoe", "car", "no entry", "=Zoe Ray", "1 High Street"))
    return running, record_text("Autumn draw", template(load(rulebook)), [write_act(act) for act in running.acts])


@pytest.mark.parametrize("rulebook", BOTH)
def test_a_promotion_replays_byte_for_byte(rulebook: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    running, text = written(rulebook)
    replayed(running)
    result = replay(read(tomllib.loads(text), RULEBOOKS), load(rulebook), shuffled)
    assert not result.failures and result.state == running.state
    assert [msgspec.json.encode(each) for each in result.events] == [msgspec.json.encode(e) for e in running.events]
    again = record_text("Autumn draw", template(load(rulebook)), [write_act(step.act) for step in result.steps])
    assert again == text
    file = tmp_path / "autumn.promotion"
    file.write_text(text, encoding="utf-8")
    assert main(["promotion", "run", str(file)]) == 0
    once = capsys.readouterr().out
    assert main(["replay", str(tmp_path)]) == 0
    assert capsys.readouterr().out == once and "holds: the promotion is running" in once
    assert main(["replay", str(file), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[-1]["ok"] and len(lines) == len(running.events) + 1
    assert main(["promotion", "run", str(file), "--at", "2027-04-13T00:00:00", "--json", "--quiet"]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert {each["key"]: each["overdue"] for each in last["due"]}["tell/voucher-1"] is True
    assert main(["promotion", "run", str(file), "--at", "soon"]) == 2
    assert main(["promotion", "run", str(file), "--at", "2027-10-03T02:30:00"]) == 2


def test_what_a_record_expects_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    running, text = written(NSW)
    file = tmp_path / "autumn.promotion"
    for wrong, said in [
        ('status = "ended"', "expect.status: running, not ended"),
        ('winners = { car = "nemo" }', f"expect.winners.car: {running.winner()}, not nemo"),
        ('winners = { yacht = "nemo" }', "expect.winners.yacht: nobody, not nemo"),
        ('prizes = { car = "awarded" }', "expect.prizes.car: won, not awarded"),
        ("due = []", "expect.due: tell/voucher-1"),
        ('late = ["file/1"]', "expect.late: nothing, not file/1"),
        ("kept = []", "expect.kept: zoe, not nothing"),
        ("vouchers = { zoe = 5 }", "expect.vouchers.zoe: $0.00, not $5.00"),
    ]:
        file.write_text(f"{text}\n[expect]\n{wrong}\n", encoding="utf-8")
        capsys.readouterr()
        assert main(["replay", str(file)]) == 1
        assert said in capsys.readouterr().out
    first = '{ act = "offer-promotion", at = 2027-02-20T09:00:00 },'
    assert first in text
    twice = text.replace(first, f"{first}\n{first.replace(' },', ', refused = ' + chr(34) + '21.1' + chr(34) + ' },')}")
    assert not replay(read(tomllib.loads(twice), RULEBOOKS), load(NSW), shuffled).failures
    other = twice.replace('refused = "21.1"', 'refused = "21.9"')
    assert "not by 21.9" in replay(read(tomllib.loads(other), RULEBOOKS), load(NSW), shuffled).failures[0]
    allowed = text.replace(first, first.replace(" },", ', refused = "21.1" },'))
    assert "was allowed" in replay(read(tomllib.loads(allowed), RULEBOOKS), load(NSW), shuffled).failures[0]
    unexpected = text.replace(first, f"{first}\n{first}")
    assert "was refused" in replay(read(tomllib.loads(unexpected), RULEBOOKS), load(NSW), shuffled).failures[0]


def test_an_order_that_does_not_follow_from_its_secret_is_found() -> None:
    record = read(tomllib.loads(written(NSW)[1]), RULEBOOKS)
    number = next(number for number, step in enumerate(record.steps) if isinstance(step.act, pa.DrawWinners))
    honest: Any = replay(record, load(NSW), shuffled).steps[number].act
    false = msgspec.structs.replace(honest, order=honest.order[::-1])
    steps = (
        *record.steps[:number],
        msgspec.structs.replace(record.steps[number], act=false),
        *record.steps[number + 1 :],
    )
    result = replay(msgspec.structs.replace(record, steps=steps), load(NSW), shuffled)
    assert "the order of final does not follow from its secret" in result.failures[0]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"titel": "x"}, "titel: no such key"),
        ({"title": ""}, "title: a record has a title"),
        ({"title": "x", "clauses": "21.1"}, "clauses: write a list"),
        ({"title": "x"}, "conditions: write the terms"),
        ({"title": "x", "conditions": {"title": "y", "rulebook": "z"}}, "conditions.rulebook: 'z' is none"),
        ({"amended": 5}, "amended: write what changes"),
        ({"amended": {"x": {"entry": {"each": -1}}}}, "amended.x.entry.each: from 0"),
        ({"acts": 5}, "acts: write a list"),
        ({"acts": ["opens"]}, "acts[1]: write an act as"),
        ({"acts": [{"act": "opens"}]}, "acts[1]: there is no act 'opens'"),
        ({"acts": [{"act": "enter", "names": "x"}]}, "acts[1]: enter says nothing of 'names'"),
        ({"acts": [{"act": "enter"}]}, "acts[1]: enter: "),
        ({"acts": [{"act": "enter", "wagered": "much"}]}, "acts[1].wagered: 'much' is not an amount"),
        ({"acts": [{"act": "enter", "refused": 5}]}, "acts[1].refused: write the clause"),
        ({"acts": [{"act": "amend-terms", "conditions": "x"}]}, "acts[1].conditions: name terms in [amended.NAME]"),
        ({"expect": 5}, "expect: must be a table"),
        ({"expect": {"winner": {}}}, "expect: "),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(data: dict[str, Any], said: str) -> None:
    whole = {"title": "x", "conditions": data_of(NSW), **data}
    with pytest.raises(PaperError) as caught:
        read(data if "title" in data or "titel" in data else whole, RULEBOOKS)
    assert str(caught.value).startswith(said)


# --- the command line ------------------------------------------------------------------------------------------------


def test_terms_are_written_checked_and_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "terms.toml"
    assert main(["promotion", "new", "nsw-pontoon", str(file)]) == 0
    assert main(["promotion", "new", "nsw-pontoon", str(file)]) == 2
    assert main(["promotion", "new", "whist"]) == 2
    assert main(["promotion", "check", str(file)]) == 0
    assert "the promotion may be offered" in capsys.readouterr().out
    assert main(["promotion", "paper", str(file)]) == 0
    assert "On road costs: Registration and on-road costs are included. [21.7.11.2(iv)]" in capsys.readouterr().out
    text = (
        file.read_text(encoding="utf-8")
        .replace('model   = "Hatch 1.5"', 'model = ""')
        .replace('"vehicle"', '"vehicle"')
    )
    text = text.replace('kind   = "promotional-tokens"', 'kind = "tobacco"')
    file.write_text(text, encoding="utf-8")
    assert main(["promotion", "check", str(file)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "missing   NSW pontoon 21.7.11.2(ii) car: its model (prizes.car.model)"
    assert out[1] == "refused   NSW pontoon 21.5.1, 21.5: voucher: no prize consists of or includes tobacco."
    assert main(["promotion", "check", str(file), "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert not said["may_offer"] and said["missing"][0]["clause"] == "21.7.11.2(ii)"
    assert main(["promotion", "begin", str(tmp_path / "a.promotion"), str(file), "--at", "2027-02-20T09:00:00"]) == 2
    file.write_text("title = 5", encoding="utf-8")
    assert main(["promotion", "check", str(file)]) == 2
    for rulebook in ("adelaide-pontoon-2008", "canberra-pontoon-2005", "canberra-pontoon-2002"):
        assert main(["promotion", "new", rulebook]) == 2
        assert "has no rules for promotional prizes" in capsys.readouterr().err


def test_a_record_is_begun_and_written_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    terms, file = tmp_path / "terms.toml", tmp_path / "autumn.promotion"
    main(["promotion", "new", "nsw-pontoon", str(terms)])
    begin = ["promotion", "begin", str(file), str(terms), "--at"]
    assert main([*begin, "soon"]) == 2 and main([*begin, "2027-10-03T02:30:00"]) == 2 and not file.exists()
    capsys.readouterr()
    assert main([*begin, "2027-02-20T09:00:00"]) == 0
    assert "Sun 28 Feb 2027, 10:00 AEDT: send full details of the terms to the Authority" in capsys.readouterr().out
    act = ["promotion", "act", str(file)]
    assert main([*act, "begin-promotion", "at=2027-03-01T10:00:00"]) == 2
    assert "refused   NSW pontoon 21.9, 21.13" in capsys.readouterr().err
    assert main([*act, "file-terms", "reference=NICC-77", "at=2027-02-25T10:00:00"]) == 0
    assert main([*act, "commit-draw", "draw=final", "at=2027-02-26T10:00:00"]) == 0
    out = capsys.readouterr().out
    secret = out.rpartition("secret    ")[2].partition(":")[0]
    assert len(secret) > 40 and secret not in file.read_text(encoding="utf-8")
    assert main([*act, "fly", "at=2027-02-26T10:00:00"]) == 2
    assert main([*act, "enter", "alice"]) == 2
    text = file.read_text(encoding="utf-8")
    file.write_text(f"{text}\n[amended.longer.promotion]\nends = 2027-05-30T23:00:00\n", encoding="utf-8")
    assert main([*act, "amend-terms", "conditions=longer", "at=2027-02-26T11:00:00"]) == 0
    assert main(["promotion", "run", str(file), "--quiet"]) == 0
    file.write_text(file.read_text(encoding="utf-8").replace("# acts end here", ""), encoding="utf-8")
    assert main([*act, "publish-terms", "where=desk", "at=2027-02-27T10:00:00"]) == 2
    file.write_text("title = 5", encoding="utf-8")
    assert main(["promotion", "run", str(file)]) == 2 and main(["replay", str(file)]) == 2


def test_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    running, text = written(NSW)
    file = tmp_path / "autumn.promotion"
    file.write_text(text, encoding="utf-8")
    assert main(["promotion", "report", str(file), "--format", "csv"]) == 0
    rows = list(csv.reader(capsys.readouterr().out.splitlines()))
    assert len([row for row in rows if row[0] == "winner"]) == len(running.state.wins) + 1
    assert len([row for row in rows if row[0] == "duty"]) == len(running.state.duties) + 1
    assert len([row for row in rows if row[0] == "event"]) == len(running.events) + 1
    assert all(row[2] for row in rows if row[0] == "event") and all(row[5] for row in rows if row[0] == "duty")
    denied = next(row for row in rows if row[0] == "denied" and row[1] == "zoe")
    assert denied[5:7] == ["'=Zoe Ray", "1 High Street"], "kept, and no formula in a spreadsheet"
    page = tmp_path / "autumn.html"
    assert main(["promotion", "report", str(file), "--format", "html", "--out", str(page)]) == 0
    assert main(["promotion", "report", str(file), "--format", "html", "--out", str(page)]) == 2
    html = page.read_text(encoding="utf-8")
    assert html.count("<tr>") == len(rows) and "<h2>Denied claims</h2>" in html
    assert main(["promotion", "report", str(file)]) == 0
    assert "=Zoe Ray, 1 High Street: no entry" in capsys.readouterr().out
    assert main(["promotion", "report", str(file), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["duties"]) == len(running.state.duties)
    assert main(["promotion", "report", str(file), "--format", "pdf"]) == 2


def test_the_page_has_every_act_and_what_it_says() -> None:
    page = DOCS.read_text(encoding="utf-8")
    for word, kind in VOCABULARY.items():
        row = next((line for line in page.splitlines() if line.startswith(f"| `{word}` |")), "")
        assert row, f"docs/promotions.md has no line for {word}"
        assert f"| {'patron' if usual_role(kind) == pa.PLAYER else 'manager'} |" in row
        for field in said_fields(kind):
            assert field in ("by", "at", "order", "conditions") or f"`{field}`" in row, f"{word}: {field}"
