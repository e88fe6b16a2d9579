"""`pitboss people`: who has an account, and that nobody is let in again by one person alone."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path
from typing import Any

import pytest

from pitboss.cli import main
from pitboss.floor.checking import Checking
from pitboss.floor.people import NeedsMore, Session
from tests.floor.peopled import PASSWORD, Peopled, peopled, run


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    from tests.floor.peopled import quick_hasher

    monkeypatch.setattr("pitboss.floor.people.Checking", lambda hasher=None: Checking(hasher or quick_hasher()))

    async def make() -> None:
        async with peopled(tmp_path, staff=True):
            pass

    asyncio.run(make())
    return str(tmp_path / "floor.db")


def said(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_everybody_is_listed(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["people", "list", log]) == 0
    assert "manager-1: gaming-manager, a password\n" in capsys.readouterr().out
    assert main(["people", "list", log, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["people"]) == 10


def test_two_people_let_a_third_in_again(
    log: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said(monkeypatch, "manager-1", PASSWORD, "inspector-1", PASSWORD)
    assert main(["people", "reset", log, "admin-1", "--json"]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)

    async def test(house: Peopled) -> None:
        now = house.clock.now_ms()
        assert not isinstance(await house.people.log_in("admin-1", PASSWORD, "192.0.2.1", now), Session)
        assert isinstance(await house.people.log_in("admin-1", told["password"], "192.0.2.1", now), NeedsMore)
        notes = [entry.body for entry in house.entries("audit") if entry.kind == "account"]
        assert b"by manager-1 and inspector-1" in notes[-1]

    run(tmp_path, test, now_ms=4_000_000_000_000)


WRONG = [
    ("one person twice", ["manager-1", PASSWORD, "Manager-1", PASSWORD], "a second person approves it"),
    ("oneself", ["admin-1", PASSWORD, "manager-1", PASSWORD], "nobody resets their own"),
    ("a dealer", ["manager-1", PASSWORD, "dealer-1", PASSWORD], "is not let in"),
    ("a wrong password", ["manager-1", PASSWORD, "inspector-1", "something else"], "is not let in"),
    ("one person", ["manager-1", PASSWORD], "two people are asked"),
]


@pytest.mark.parametrize(("lines", "why"), [each[1:] for each in WRONG], ids=[each[0] for each in WRONG])
def test_one_person_lets_nobody_in(
    log: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lines: list[str], why: str
) -> None:
    said(monkeypatch, *lines)
    assert main(["people", "reset", log, "admin-1"]) == 2
    assert why in capsys.readouterr().err
