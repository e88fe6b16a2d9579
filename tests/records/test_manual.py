"""The manual of the record format names every key and every kind of line, and what it shows can be read."""

from __future__ import annotations

import re
from pathlib import Path

from pitboss.records import loads_lines, replay
from pitboss.records.lines import format_act, parse, parse_line
from pitboss.records.read import BEFORE_KEYS, HOUSE_KEYS, OPENING_KEYS, PATRON_KEYS, STANDING_KEYS
from pitboss.table.acts import AnyAct

MANUAL = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")
LINES = MANUAL[MANUAL.index("## Play lines") : MANUAL.index("## Replaying")]


def _first_cells(heading: str, end: str) -> list[str]:
    part = MANUAL[MANUAL.index(heading) : MANUAL.index(end, MANUAL.index(heading) + len(heading))]
    cells = re.findall(r"^\| ([^|]+) \|", part, re.MULTILINE)
    return [key.removesuffix(".KIND") for cell in cells for key in re.findall(r"`([a-z_.A-Z]+)`", cell)]


def shown_lines() -> list[str]:
    """Every line in the tables of play lines; dots stand for the one before them."""
    found: list[str] = []
    for row in re.findall(r"^\| (`[^|]+) \|", LINES, re.MULTILINE):
        found += [line.replace("...", "casino-supervisor") for line in re.findall(r"`([^`]+)`", row)]
    return found


def test_every_key_is_in_the_manual() -> None:
    assert set(_first_cells("### `[table]`", "###")) == {*HOUSE_KEYS.values(), *OPENING_KEYS.values()}
    assert set(_first_cells("### `[players.NAME]`", "###")) == set(PATRON_KEYS.values())
    middle = _first_cells("### In the middle of a session", "## Play")
    assert set(middle) == {*BEFORE_KEYS.values(), *STANDING_KEYS.values()}


def test_every_line_of_the_manual_can_be_read() -> None:
    lines = shown_lines()
    assert len(lines) > 60
    for line in lines:
        act = parse(line.replace("REASON", "it looks worn"))
        assert parse(format_act(act)) == act


def test_every_kind_of_act_is_in_the_manual() -> None:
    from pitboss.records.lines import _BY_ACT

    said: set[type[AnyAct]] = {type(parse(line)) for line in shown_lines()}
    assert said == set(_BY_ACT)


def test_the_refusal_of_the_manual_can_be_read() -> None:
    assert "=> refused CLAUSE" in LINES
    assert parse_line("alice hits => refused CLAUSE")[1] == "CLAUSE"


def test_the_json_lines_of_the_manual_hold() -> None:
    block = re.search(r"```json\n(.*?)```", MANUAL, re.DOTALL)
    assert block is not None
    assert replay(loads_lines(block[1])).ok
