"""Registers and notices through the whole server: read, searched, printed, written, marked as done once."""

from __future__ import annotations

import asyncio
import datetime
import itertools
from pathlib import Path
from typing import Any

import httpx
import pytest

from pitboss.floor.model import Accepted, Opening
from pitboss.floor.patron_book import may_look_up
from pitboss.floor.register_book import SOMEBODY, for_reader
from pitboss.registers.asking import Kept
from pitboss.registers.model import PROMPT_MS, Item, Line
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.table.house import default_house
from tests.floor.peopled import caller
from tests.server.test_accounts import Web, web

_count = itertools.count()


async def a_table(site: Web, rulebook: str = "nsw-pontoon", name: str = "own") -> None:
    house = default_house(load(rulebook), date=datetime.date(2023, 11, 14))
    opening = Opening(rulebook, house=house, dealer="person")
    assert isinstance(await site.house.floor.open_table(caller("supervisor-1"), name, name, opening), Accepted)


async def act(browser: httpx.AsyncClient, name: str, **fields: Any) -> httpx.Response:
    body = {"id": f"a{next(_count)}", "act": {"act": name, **fields}}
    return await browser.post("/api/tables/own/acts", json=body)


async def write(browser: httpx.AsyncClient, name: str, key: str = "", **fields: Any) -> httpx.Response:
    body = {"id": key or f"w{next(_count)}", "act": {"act": name, **fields}}
    return await browser.post("/api/registers", json=body)


async def test_a_complaint_is_made_searched_printed_told_and_answered(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        await a_table(site)
        alice, sam, ines = await site.as_("alice"), await site.as_("supervisor-1"), await site.as_("inspector-1")
        assert (await act(alice, "TakeSeat", box=1)).status_code == 200
        complaint = {"person": "alice", "about": "the odds, <b>again</b>", "table": "own"}
        other = await write(alice, "Complain", **complaint | {"person": "bob"})
        assert other.status_code == 409 and "speak for themselves" in other.json()["text"]
        first = await write(alice, "Complain", "same", **complaint)
        again = await write(alice, "Complain", "same", **complaint)
        assert first.json() == again.json() and first.json()["is"] == "accepted", "said twice, written once"
        listed = (await sam.get("/api/registers")).json()
        assert {each["name"]: each["due"] for each in listed["registers"]} | {"complaints": 1, "cards": 1} == {
            each["name"]: each["due"] for each in listed["registers"]
        }
        assert listed["notices_due"] == 1 and listed["overdue"] == listed["notices_overdue"] == 0
        site.house.clock.pass_ms(PROMPT_MS)
        listed = (await sam.get("/api/registers")).json()
        assert listed["overdue"] == listed["notices_overdue"] == 1
        shown = (await ines.get("/api/registers/complaints?search=ODDS&person=alice&table=own")).json()
        (line,), (item,) = shown["lines"], shown["items"]
        assert line["cited"] == "19.18" and line["at"] == "2023-11-15 09:13" and line["line"]["by"] == "alice"
        assert (item["state"], item["item"]["to"]) == ("overdue", "inspector")
        assert (await ines.get("/api/registers/complaints?search=weather")).json()["lines"] == []
        page = await sam.get("/api/registers/complaints/paper")
        assert "&lt;b&gt;again" in page.text and page.headers["content-type"].startswith("text/html")
        rows = await sam.get("/api/registers/all/rows")
        assert rows.text.count("\n") == 3 and "19.18" in rows.text
        paper = await ines.get("/api/registers/notices/paper?due=true&table=own")
        assert (
            "Casino supervisor tells inspector" in paper.text
            and "Table own, what is due. Printed 2023-11-15 09:2" in paper.text
        )
        rows = await ines.get("/api/registers/notices/rows")
        assert rows.text.startswith("number,state,due") and rows.text.count("\n") == 2
        (notice,) = (await ines.get("/api/notices?due=true")).json()["notices"]
        assert notice["item"]["text"] == "alice complains about the odds, <b>again</b>."
        marked = await write(ines, "MarkDone", item=notice["item"]["id"], evidence="heard her")
        assert marked.status_code == 200, marked.text
        assert (await write(sam, "MarkDone", item=notice["item"]["id"], evidence="too")).status_code == 409
        (done,) = (await sam.get("/api/notices?search=odds")).json()["notices"]
        assert (done["state"], done["item"]["done_by"], done["item"]["evidence"]) == (
            "done",
            "inspector-1",
            "heard her",
        )
        unknown = await write(sam, "AnswerComplaint", complaint="9.9", answer="no", decided_by="Lee", table="own")
        assert unknown.status_code == 409 and "there is no complaint" in unknown.json()["text"]


async def test_days_are_gaming_days(tmp_path: Path) -> None:
    """What happens at three in the night stands under the day on which the night began."""
    async with web(tmp_path) as site:
        await a_table(site)
        clock = site.house.clock
        clock.pass_ms(18 * 3_600_000)  # 03:13 on the sixteenth
        sam = await site.as_("supervisor-1")
        await write(sam, "MoveCards", table="own", to="in", decks=8)
        clock.pass_ms(3 * 3_600_000)
        sam = await site.as_("supervisor-1")
        await write(sam, "MoveCards", table="own", to="out", decks=8)

        async def kinds(asked: str) -> list[str]:
            shown = (await sam.get(f"/api/registers/cards?{asked}")).json()
            return [each["line"]["kind"] for each in shown["lines"]]

        assert await kinds("until=2023-11-15") == ["cards in"] == await kinds("since=2023-11-15&until=2023-11-15")
        assert await kinds("since=2023-11-16") == ["cards out"]
        wrong = await sam.get("/api/registers/cards?since=yesterday")
        assert wrong.status_code == 400 and "write it as in 2026-11-18" in wrong.text


async def test_of_two_who_mark_the_same_one_does(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        await a_table(site)
        sam, mona = await site.as_("supervisor-1"), await site.as_("manager-1")
        (item,) = (await sam.get("/api/registers/cards")).json()["items"]
        marks = [write(each, "MarkDone", item=item["item"]["id"], evidence="checked") for each in (sam, mona)]
        assert sorted(answer.status_code for answer in await asyncio.gather(*marks)) == [200, 409]
        assert len(site.house.entries("registers")) == 1


WHO_WRITES_WHAT: tuple[tuple[str, str, dict[str, Any], int], ...] = (
    ("alice", "MoveCards", {"table": "own", "to": "in", "decks": 8}, 403),
    ("dealer-1", "CheckCards", {"table": "own", "means": "staff", "checker": "me", "decks": 8}, 403),
    ("admin-1", "MarkDone", {"item": "1:0", "evidence": "x"}, 403),
    ("dealer-1", "AskForBox", {"person": "bob", "table": "own"}, 200),
    ("supervisor-1", "AskForBox", {"person": "bob", "table": "no-such"}, 409),
    ("inspector-1", "MoveCards", {"table": "own", "to": "in", "decks": 8}, 409),
    ("supervisor-1", "MoveCards", {"table": "own", "to": "in", "decks": 8.0, "seal": "A-1"}, 200),
    ("supervisor-1", "RecordApproval", {"table": "own", "officer": "Ng", "reference": "1"}, 409),
    ("supervisor-1", "EndDemand", {"person": "carol", "table": "own", "outcome": "gone"}, 409),
    ("supervisor-1", "MarkDone", {"item": "none", "evidence": "x"}, 404),
    ("supervisor-1", "Deal", {}, 404),
    ("supervisor-1", "BeginSending", {"item": "1:0", "address": "x"}, 404),
    ("supervisor-1", "MoveCards", {"table": "own"}, 400),
)


async def test_who_writes_what(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        await a_table(site)
        written = 0
        for who, name, fields, status in WHO_WRITES_WHAT:
            answer = await write(await site.as_(who), name, **fields)
            assert answer.status_code == status, (who, name, answer.text)
            assert answer.status_code == 200 or answer.json()["text"].endswith(".")
            written += status == 200
            assert len(site.house.entries("registers")) == written
        nowhere = {"id": "x", "rulebook": "no-such", "act": {"act": "MarkDone", "item": "1:0", "evidence": "x"}}
        sam = await site.as_("supervisor-1")
        assert (await sam.post("/api/registers", json=nowhere)).status_code == 404
        assert (await sam.get("/api/registers/weather")).status_code == 404


def test_whoever_may_not_look_somebody_up_reads_no_name_and_no_words_about_them() -> None:
    line = Line(
        "1.0", "restrictions", "excluded", 1, "nsw-pontoon", ("19.8",), "alice: excluded: counts", person="alice"
    )
    table = Line("2.0", "limits", "limits", 1, "nsw-pontoon", ("6.5",), "limits: $5.00 to $10.00")
    item = Item("1:0", "restrictions", 1, "nsw-pontoon", ("19.8",), "tell alice", "dealer", "alice", concerns="alice")
    book = Kept({"restrictions": [line], "limits": [table]}, [item], {"nsw-pontoon": ("Australia/Sydney", 6)})
    assert may_look_up(caller("dealer-1"), "", load("nsw-pontoon")) is not None
    hidden = for_reader(book, caller("dealer-1"))
    assert "alice" not in str(hidden) and "counts" not in str(hidden) and SOMEBODY in str(hidden)
    assert hidden.lines["limits"] == [table]
    for who in ("gaming-supervisor-1", "supervisor-1", "manager-1", "inspector-1"):
        assert for_reader(book, caller(who)) is book


@pytest.mark.clause("adelaide-pontoon-2008", "126")
@pytest.mark.clause("canberra-pontoon-2002", "17.11")
@pytest.mark.clause("canberra-pontoon-2005", "17.9")
@pytest.mark.clause("nsw-pontoon", "19.19")
@pytest.mark.clause("nsw-blackjack-challenge", "20.19")
async def test_the_rules_are_shown_to_anybody_who_asks(tmp_path: Path) -> None:
    """Without an account: every rule of the table with its clauses, and any clause by its number."""
    async with web(tmp_path) as site:
        nobody = site.browser()
        for rulebook in RULEBOOKS:
            shown = (await nobody.get(f"/api/rulebooks/{rulebook}")).json()
            assert len(shown["terms"]) > 200 and all(term["clauses"] for term in shown["terms"].values()), rulebook
        keys = ("126", "17.11", "17.9", "20.19", "19.19")
        books = ("adelaide-pontoon-2008", "canberra-pontoon-2002", "canberra-pontoon-2005", "nsw-blackjack-challenge")
        for rulebook, key in zip((*books, "nsw-pontoon"), keys, strict=True):
            found = await nobody.get(f"/api/rulebooks/{rulebook}/clauses/{key}")
            assert found.status_code == 200 and "rules" in found.json()["gist"]
