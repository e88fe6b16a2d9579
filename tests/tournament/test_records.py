"""Whole tournaments as records: read, written, replayed byte for byte, reported; and what cannot be read."""

from __future__ import annotations

import csv
import hashlib
import json
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss.chance import shuffled
from pitboss.cli import main
from pitboss.commands.case_files import record_text
from pitboss.papers.lines import fields_of
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.tournament.conditions import read as read_conditions
from pitboss.tournament.paper import template
from pitboss.tournament.records import VOCABULARY, TournamentRecordError, read, replay, write_act
from tests.tournament.making import LIKE_NSW, NSW, WITH_TOURNAMENTS
from tests.tournament.running import Running, played_out

DOCS = Path(__file__).parents[2] / "docs" / "tournaments.md"


def conditions_text(rulebook: str) -> str:
    text = (
        template(load(rulebook)).replace('manager  = ""', 'manager = "mary"').replace('approved = ""', 'approved = "x"')
    )
    return text.replace("minimum = 12 ", "minimum = 2 ")


def written(rulebook: str, entrants: int, seed: str) -> tuple[Running, str]:
    """A tournament that was played, and its record."""
    text = conditions_text(rulebook)
    running = played_out(read_conditions(tomllib.loads(text), RULEBOOKS), entrants, seed)
    return running, record_text("Spring cup", text, [write_act(act) for act in running.acts])


@pytest.mark.parametrize("rulebook", WITH_TOURNAMENTS)
def test_a_record_of_a_whole_tournament_replays_byte_for_byte(
    rulebook: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    running, text = written(rulebook, 15, "a record")
    result = replay(read(tomllib.loads(text), RULEBOOKS), load(rulebook), shuffled)
    assert not result.failures and result.state == running.state
    assert [msgspec.json.encode(each) for each in result.events] == [msgspec.json.encode(e) for e in running.events]
    again = record_text("Spring cup", conditions_text(rulebook), [write_act(step.act) for step in result.steps])
    assert again == text
    file = tmp_path / "cup.tournament"
    file.write_text(text, encoding="utf-8")
    assert main(["tournament", "run", str(file)]) == 0
    once = capsys.readouterr().out
    assert main(["replay", str(tmp_path)]) == 0
    assert capsys.readouterr().out == once and "over, and every prize is awarded" in once
    assert main(["replay", str(file), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[-1]["ok"] and len(lines) == len(running.events) + 1


def test_what_a_record_expects_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    running, text = written(NSW, 15, "expectations")
    winner = next(each for each in running.state.entrants.values() if each.place == 1)
    good = f'\n[expect]\nstatus = "ended"\nplaces = {{ {winner.name} = 1 }}\n'
    good += 'accounts = { pool = 0 }\ntold = ["20.3.2"]\n'
    file = tmp_path / "cup.tournament"
    file.write_text(text + good, encoding="utf-8")
    assert main(["tournament", "run", str(file), "--quiet"]) == 0
    for wrong, said in [
        ('status = "cancelled"', "expect.status: ended, not cancelled"),
        (f"places = {{ {winner.name} = 2 }}", f"expect.places.{winner.name}: 1, not 2"),
        ("accounts = { pool = 1 }", "expect.accounts.pool: $0.00, not $1.00"),
        (f"prizes = {{ {winner.name} = 1 }}", f"expect.prizes.{winner.name}: "),
        (f'people = {{ {winner.name} = "reserve" }}', f"expect.people.{winner.name}: "),
        ("chips = { missing = 77 }", "expect.chips.missing: "),
        ('told = ["20.3.2", "a dance"]', "expect.told: no line says 'a dance'"),
    ]:
        file.write_text(f"{text}\n[expect]\n{wrong}\n", encoding="utf-8")
        capsys.readouterr()
        assert main(["replay", str(file)]) == 1
        assert said in capsys.readouterr().out
    first = '{ act = "open-entries" },'
    refused = text.replace(first, first + '\n  { act = "open-entries", refused = "20.4.1" },')
    assert not replay(read(tomllib.loads(refused), RULEBOOKS), load(NSW), shuffled).failures
    other = text.replace(first, first + '\n  { act = "open-entries", refused = "20.10" },')
    assert "not by 20.10" in replay(read(tomllib.loads(other), RULEBOOKS), load(NSW), shuffled).failures[0]
    stranger = text.replace(first, first + '\n  { act = "withdraw-entry", name = "zoe", at = 2027-02-01T12:00:00 },')
    assert "was refused" in replay(read(tomllib.loads(stranger), RULEBOOKS), load(NSW), shuffled).failures[0]
    allowed = text.replace('{ act = "open-entries" },', '{ act = "open-entries", refused = "20.4.1" },')
    assert "was allowed" in replay(read(tomllib.loads(allowed), RULEBOOKS), load(NSW), shuffled).failures[0]


def test_an_order_that_does_not_follow_from_its_secret_is_found() -> None:
    _, text = written(NSW, 15, "a false draw")
    record = read(tomllib.loads(text), RULEBOOKS)
    at = next(number for number, step in enumerate(record.steps) if type(step.act).__name__ == "DrawSeats")
    honest: Any = replay(record, load(NSW), shuffled).steps[at].act
    false = msgspec.structs.replace(honest, order=honest.order[::-1])
    steps = (*record.steps[:at], msgspec.structs.replace(record.steps[at], act=false), *record.steps[at + 1 :])
    result = replay(msgspec.structs.replace(record, steps=steps), load(NSW), shuffled)
    assert "does not follow from its secret" in result.failures[0]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"titel": "x"}, "titel: no such key"),
        ({"title": ""}, "title: a record has a title"),
        ({"title": "x", "clauses": "20.1"}, "clauses: write a list"),
        ({"title": "x"}, "conditions: write the conditions"),
        ({"title": "x", "conditions": {"title": "y", "rulebook": "z"}}, "conditions.rulebook: 'z' is none"),
        ({"acts": 5}, "acts: write a list"),
        ({"acts": ["opens"]}, "acts[1]: write an act as"),
        ({"acts": [{"act": "opens"}]}, "acts[1]: there is no act 'opens'"),
        ({"acts": [{"act": "apply", "names": "x"}]}, "acts[1]: apply says nothing of 'names'"),
        ({"acts": [{"act": "apply"}]}, "acts[1]: apply: "),
        ({"acts": [{"act": "pay-fee", "cents": "much"}]}, "acts[1].cents: 'much' is not an amount"),
        ({"acts": [{"act": "apply", "refused": 5}]}, "acts[1].refused: write the clause"),
        ({"expect": {"prizes": 5}}, "expect.prizes: write amounts by name"),
        ({"expect": {"prices": {}}}, "expect: "),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(data: dict[str, Any], said: str) -> None:
    whole = {"title": "x", "conditions": tomllib.loads(conditions_text(NSW)), **data}
    with pytest.raises(TournamentRecordError) as caught:
        read(data if "title" in data or "titel" in data else whole, RULEBOOKS)
    assert str(caught.value).startswith(said)


def test_a_record_is_begun_and_written_on_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    conditions, file = tmp_path / "c.toml", tmp_path / "cup.tournament"
    conditions.write_text(conditions_text(NSW), encoding="utf-8")
    assert main(["tournament", "begin", str(file), str(conditions)]) == 0
    assert main(["tournament", "begin", str(file), str(conditions)]) == 2
    act = ["tournament", "act", str(file)]
    pay = [*act, "pay-fee", "name=alice", "cents=100", "at=2027-02-01T12:00:00", "by=dealer"]
    assert main(pay) == 2
    assert "refused   NSW pontoon" in capsys.readouterr().err
    assert main([*act, "apply", "name=alice", "at=2027-02-01T12:00:00"]) == 0
    assert main([*act, "give-copy", "name=alice", "by=dealer"]) == 0
    assert main(pay) == 0
    assert capsys.readouterr().out.endswith("fee paid: alice, $100.00 (NSW pontoon 20.3.1, 20.3.2)\n")
    assert main([*act, "applies", "name=alice"]) == 2
    assert main([*act, "apply", "alice"]) == 2
    assert main(["tournament", "run", str(file)]) == 0
    file.write_text(file.read_text(encoding="utf-8").replace("# acts end here", ""), encoding="utf-8")
    assert main([*act, "give-copy", "name=bob"]) == 2
    file.write_text("title = 5", encoding="utf-8")
    assert main(["tournament", "run", str(file)]) == 2
    assert main(["replay", str(file)]) == 2


def test_starting_times_that_change_are_written_as_what_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """NSW 20.4.1, 20.5.3: each change is one of what was published last, and the record replays."""
    conditions, file = tmp_path / "c.toml", tmp_path / "cup.tournament"
    conditions.write_text(conditions_text(NSW), encoding="utf-8")
    assert main(["tournament", "begin", str(file), str(conditions)]) == 0
    change = ["tournament", "act", str(file), "change-conditions", "at=2027-02-01T12:00:00"]
    assert main([*change, "conditions={ entry = { fee = 120 } }"]) == 2
    assert "entry.fee_cents may no longer be changed" in capsys.readouterr().err
    assert main([*change, "conditions={ start = 2027-03-06T19:00:00 }"]) == 0
    assert main([*change, 'conditions={ stages = [{ name = "final", start = 2027-03-07T19:00:00 }] }']) == 0
    assert main([*change, 'conditions={ stages = [{ name = "finals" }] }']) == 2
    written = file.read_text(encoding="utf-8")
    assert "conditions = { start = 2027-03-06T19:00:00 } }" in written
    assert 'conditions = { stages = [{ name = "final", start = 2027-03-07T19:00:00 }] } }' in written
    assert main(["tournament", "run", str(file)]) == 0


@pytest.mark.parametrize("rulebook", WITH_TOURNAMENTS)
def test_people_are_entered_and_drawn_in_one_call_each(
    rulebook: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """NSW 20.4.1, 20.5.1, 20.6.1; BJC 21.4.1; Canberra 2005 20.6: form, copy and fee in order, seats by ballot."""
    conditions, file, at = tmp_path / "c.toml", tmp_path / "cup.tournament", "--at=2027-02-01T12:00:00"
    conditions.write_text(conditions_text(rulebook).replace("agreement = false", "agreement = true"), encoding="utf-8")
    assert main(["tournament", "begin", str(file), str(conditions)]) == 0
    enter, draw = ["tournament", "enter", str(file)], ["tournament", "draw", str(file)]
    begun = file.read_text(encoding="utf-8")
    for wrong, said in [
        ([], "Say who enters"),
        (["alice", "bob", "alice", at], "alice has entered already"),
        (["alice", at, "--fee", "5"], "the entry fee is $100.00, not $5.00"),
        (["alice", at, "--fee", "much"], "--fee: 'much' is not an amount"),
        (["alice", f"{at}+10:00"], "without a zone"),
    ]:
        capsys.readouterr()
        assert main([*enter, *wrong]) == 2
        assert said in capsys.readouterr().err and file.read_text(encoding="utf-8") == begun
    assert main(["tournament", "act", str(file), "apply", "name=bob", "at=2027-02-01T12:00:00"]) == 0
    assert main([*enter, "alice", "bob", at]) == 0
    assert main([*enter, "carol", at, "--json"]) == 0
    state = replay(read(tomllib.loads(file.read_text(encoding="utf-8")), RULEBOOKS), load(rulebook), shuffled).state
    assert [each.name for each in state.entered()] == ["bob", "alice", "carol"]
    if rulebook in LIKE_NSW:
        assert state.agreed == state.copies == {"alice", "bob", "carol"}
    capsys.readouterr()
    assert main([*draw, "final", "--commit"]) == 2 and main(draw) == 2
    assert "entries are still open" in capsys.readouterr().err
    assert main([*draw, "--commit"]) == 0
    secrets = tmp_path / "cup.tournament.secrets"
    kept = tomllib.loads(secrets.read_text(encoding="utf-8"))
    assert secrets.stat().st_mode & 0o077 == 0 and not any(each in file.read_text("utf-8") for each in kept.values())
    assert main([*draw, "--commit"]) == 2
    assert "the draws are laid down already" in capsys.readouterr().err
    act = ["tournament", "act", str(file)]
    tables = ", ".join(f'{{table="T{number}"}}' for number in range(1, 13))
    assert main([*act, "close-entries", "at=2027-03-03T12:00:00"]) == 0
    assert main([*act, "designate-tables", f"tables=[{tables}]"]) == 0
    away = secrets.rename(tmp_path / "away")
    first = next(iter(kept))
    capsys.readouterr()
    assert main(draw) == 2 and "with --secret" in capsys.readouterr().err
    assert main([*draw, first, "--secret", "guessed"]) == 2
    assert "not the one whose digest was laid down" in capsys.readouterr().err
    away.rename(secrets)
    assert main(draw) == 0
    said = capsys.readouterr().out
    assert hashlib.sha256(kept[first].encode()).hexdigest() in said and "draws the same seats again" in said
    assert main(["tournament", "run", str(file)]) == 0
    drawn = capsys.readouterr().out.partition("seats drawn")[2].splitlines()[0]
    assert drawn and drawn in said


def test_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    running, text = written(NSW, 15, "a report")
    file = tmp_path / "cup.tournament"
    file.write_text(text, encoding="utf-8")
    assert main(["tournament", "report", str(file), "--format", "csv"]) == 0
    rows = list(csv.reader(capsys.readouterr().out.splitlines()))
    results = [row for row in rows if row[0] == "result"][1:]
    assert len(results) == len(running.state.entrants)
    assert len([row for row in rows if row[0] == "event"]) == len(running.events) + 1
    assert all(row[2] for row in rows if row[0] == "event")  # every event has its clauses
    page = tmp_path / "cup.html"
    assert main(["tournament", "report", str(file), "--format", "html", "--out", str(page)]) == 0
    assert main(["tournament", "report", str(file), "--format", "html", "--out", str(page)]) == 2
    html = page.read_text(encoding="utf-8")
    assert html.count("<tr>") == len(rows) - 3 + 3 and "<h1>Spring cup</h1>" in html
    assert main(["tournament", "report", str(file)]) == 0
    assert main(["tournament", "report", str(file), "--json"]) == 0
    assert main(["tournament", "report", str(file), "--format", "pdf"]) == 2


def test_the_page_has_every_act_and_what_it_says() -> None:
    page = DOCS.read_text(encoding="utf-8")
    for word, kind in VOCABULARY.items():
        row = next((line for line in page.splitlines() if line.startswith(f"| `{word}` |")), "")
        assert row, f"docs/tournaments.md has no line for {word}"
        for field in fields_of(kind):
            assert field in ("by", "order", "conditions") or f"`{field}`" in row, f"{word}: {field}"
