"""What people are told who ask for something that cannot be: the right status, and a sentence that they understand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss.floor.model import NotAllowed
from pitboss.server.replies import reply
from pitboss.server.wording import unreadable
from pitboss.table.refusals import Refusal
from tests.server.test_accounts import web


def asked(table: str = "t1", command: str = "", **opening: Any) -> dict[str, Any]:
    return {"id": command or table, "table": table, "opening": {"rulebook": "nsw-pontoon"} | opening}


async def test_a_table_is_opened_under_an_id_of_its_own(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        staff = await site.as_("supervisor-1")
        assert (await staff.post("/api/tables", json=asked())).status_code == 200
        again = await staff.post("/api/tables", json=asked(command="again"))
        assert again.status_code == 409
        assert again.json() == {"is": "taken", "text": "there is a table t1 already; choose another name."}
        assert (await staff.post("/api/tables/t1/close", json={"id": "c"})).status_code == 200
        after = await staff.post("/api/tables", json=asked(command="after"))
        assert after.status_code == 409
        assert after.json() == {"is": "taken", "text": "there was a table t1, which is closed; choose another name."}
        first = await staff.post("/api/tables", json=asked())
        assert first.status_code == 200 and first.json()["is"] == "accepted", "the first command has its first answer"
        assert (await staff.get("/api/tables")).json() == []


async def test_a_link_is_opened_under_an_id_of_its_own(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        staff = await site.as_("supervisor-1")
        opening = {"rulebook": "nsw-blackjack-challenge", "pool_cents": 5_000_000, "minimum_cents": 1_000_000,
                   "rate_percent": 70, "wager_cents": 500}  # fmt: skip
        first = await staff.post("/api/links", json={"id": "a", "link": "sevens", "opening": opening})
        assert first.status_code == 200, first.text
        again = await staff.post("/api/links", json={"id": "b", "link": "sevens", "opening": opening})
        assert again.status_code == 409 and again.json()["is"] == "taken"


@pytest.mark.parametrize(
    ("opening", "text"),
    [
        ({"name": "x" * 101}, "name: this may have at most 100 characters."),
        ({"bots": ["x"] * 21}, "bots: this may have at most 20 elements."),
        ({"timers": {"pace_ms": -1}}, "timers.pace_ms: this must be at least 0."),
        ({"timers": {"pace_ms": 86_400_001}}, "timers.pace_ms: this may be at most 86,400,000."),
        ({"name": 3}, "name: this is to be a text, not a whole number; see /schema/openapi.json."),
        ({"dealer": "robot"}, "dealer: 'robot' is none of the choices; see /schema/openapi.json."),
        ({"house": {"source": "shoe"}}, "house: decks is missing; see /schema/openapi.json."),
    ],
)
async def test_a_wrong_opening_is_told_in_a_sentence(tmp_path: Path, opening: dict[str, Any], text: str) -> None:
    async with web(tmp_path) as site:
        staff = await site.as_("supervisor-1")
        answer = await staff.post("/api/tables", json=asked(**opening))
        assert (answer.status_code, answer.json()) == (400, {"is": "error", "text": text})


async def test_a_body_that_is_none(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        browser = site.browser()
        for body in (b"{", b'{"name":}', b""):
            answer = await browser.post("/api/login", content=body)
            assert answer.status_code == 400 and "`" not in answer.json()["text"], answer.text
        assert (await browser.post("/api/login", content=b"{")).json()["text"] == "the body is not JSON."
        wrong = (await browser.post("/api/login", json=[])).json()["text"]
        assert wrong.startswith("the body: this is to be an object")
        unknown = (await browser.post("/api/guest", json={"nme": "x"})).json()["text"]
        assert unknown == "there is no field nme; see /schema/openapi.json."


async def test_no_body_at_all(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        staff = await site.as_("supervisor-1")
        for path in ("/api/tables", "/api/replay"):
            answer = await staff.post(path, content=b"", headers={"content-type": "application/json"})
            assert answer.status_code == 400
            assert answer.json()["text"] == "a body is missing; see /schema/openapi.json."


def test_whatever_else_the_reader_says_is_told_as_it_is() -> None:
    assert unreadable("a.b", "") == ""
    assert unreadable("a.b", "Expected `str` matching regex '^x$'").startswith("a.b: this is not of the right form;")
    assert unreadable("", "Something else.") == "something else; see /schema/openapi.json."


def test_clauses_are_cited_as_people_cite_them() -> None:
    answer = reply(NotAllowed("t1", Refusal("NSW pontoon", ("5.6", "def:controlling player"), "no.")))
    text = msgspec.json.decode(answer.content)["text"]
    assert text == "NSW pontoon 5.6, definition of controlling player: no."


RECORD = """
title = "A doubled 21 is paid even money"
rulebook = "nsw-pontoon"
cards = "6s 9h 5d Kc"
play = ["otto bets 25 on 1", "dealer deals", "otto doubles on 1"]
"""


async def test_a_false_record_is_shown_with_what_is_false(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        alice = await site.as_("alice")

        async def shown(record: str) -> dict[str, Any]:
            answer = await alice.post("/api/replay", json={"record": record})
            assert answer.status_code == 200, answer.text
            told: dict[str, Any] = answer.json()
            assert len(told["frames"]) > 5
            return told

        says_nothing = await shown(RECORD)
        assert (says_nothing["expects"], says_nothing["failures"]) == (False, [])
        true = await shown(RECORD + "[expect.net]\notto = 50\n")
        false = await shown(RECORD + "[expect.net]\notto = -25\n")
        assert (true["expects"], true["failures"]) == (True, [])
        assert (false["expects"], false["failures"]) == (True, ["net of otto: $50.00, not -$25.00"])
        assert false["frames"] == true["frames"]
