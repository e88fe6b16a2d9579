"""The log is searched from its end, or from its beginning, page by page, and nothing is missed or told twice."""

from __future__ import annotations

from inspect import signature
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from pitboss.floor import searching
from pitboss.server.tables import SEARCHED, search
from tests.server.test_accounts import web


async def pages(browser: Any, query: str, limit: int) -> list[list[int]]:
    """Every page of a search, as the places of what it found."""
    found, after = [], 0
    while after is not None:
        answer = await browser.get(f"/api/log/search?{query}&limit={limit}{f'&after={after}' if after else ''}")
        assert answer.status_code == 200, answer.text
        told = answer.json()
        found.append([each["seq"] for each in told["found"]])
        after = told["next"]
    return found


@pytest.mark.parametrize("where", ["", "&table=t1"])
async def test_newest_first_and_oldest_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    monkeypatch.setattr(searching, "PAGE", 4)
    monkeypatch.setattr(searching, "SEARCHED_MAX", 7)
    async with web(tmp_path) as site:
        staff, alice, inspector = [await site.as_(name) for name in ("supervisor-1", "alice", "inspector-1")]
        for table in ("t1", "t2"):
            body = {"id": table, "table": table, "opening": {"rulebook": "nsw-pontoon"}}
            assert (await staff.post("/api/tables", json=body)).status_code == 200

        async def wagers(first: int, many: int) -> None:
            for number in range(first, first + many):
                for table in ("t1", "t2"):
                    kind = "WithdrawWager" if number % 2 else "PlaceWager"
                    act = {"act": kind, "box": 1, **({} if number % 2 else {"cents": 500})}
                    answer = await alice.post(f"/api/tables/{table}/acts", json={"id": f"{table}-{number}", "act": act})
                    assert answer.status_code == 200, answer.text

        await wagers(0, 20)
        query = f"act=PlaceWager{where}"
        forward = [*chain(*await pages(inspector, f"{query}&oldest=true", 3))]
        backward = [*chain(*await pages(inspector, query, 3))]
        assert len(forward) == (10 if where else 20) and forward == sorted(set(forward))
        assert backward == forward[::-1]
        first = (await inspector.get(f"/api/log/search?{query}&limit=2")).json()
        assert [each["seq"] for each in first["found"]] == backward[:2]
        await wagers(20, 6)
        on = (await inspector.get(f"/api/log/search?{query}&limit=2&after={first['next']}")).json()
        assert [each["seq"] for each in on["found"]] == backward[2:4], "what came meanwhile is not in the way"
        newest = (await inspector.get(f"/api/log/search?{query}&limit=1")).json()
        assert newest["found"][0]["seq"] > backward[0]


async def test_a_search_that_finds_nothing_ends(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        inspector = await site.as_("inspector-1")
        for order in ("", "&oldest=true"):
            assert await pages(inspector, f"act=Deal{order}", 5) == [[]]
            assert await pages(inspector, f"table=none{order}", 5) == [[]]
        assert (await inspector.get("/api/log/search?oldest=perhaps")).status_code == 400
        assert set(signature(search.fn).parameters) - {"request"} == SEARCHED
        slip = await inspector.get("/api/log/search?plyer=alice")
        assert slip.status_code == 400
        assert slip.json()["text"].startswith("there is no search by 'plyer'; there are act, after, by, ")


async def test_a_table_is_found_by_its_name_as_it_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "PAGE", 3)
    async with web(tmp_path) as site:
        staff, alice, inspector = [await site.as_(name) for name in ("supervisor-1", "alice", "inspector-1")]
        names = {"hand-1": "Hand 1", "hand-2": "Hand 2", "another": "Hand 1", "hand-3": ""}
        for table, name in names.items():
            body = {"id": table, "table": table, "opening": {"rulebook": "nsw-pontoon", "name": name}}
            assert (await staff.post("/api/tables", json=body)).status_code == 200
        for number in range(8):
            for table in names:
                act = (
                    {"act": "WithdrawWager", "box": 1} if number % 2 else {"act": "PlaceWager", "box": 1, "cents": 500}
                )
                answer = await alice.post(f"/api/tables/{table}/acts", json={"id": f"{table}-{number}", "act": act})
                assert answer.status_code == 200, answer.text

        async def places(query: str) -> list[int]:
            """Every page, one way and the other, is the same search."""
            forward = [*chain(*await pages(inspector, f"{query}&oldest=true", 3))]
            assert forward == sorted(set(forward))
            assert [*chain(*await pages(inspector, query, 3))] == forward[::-1]
            return forward

        one = await places("act=PlaceWager&table=hand-1")
        other = await places("act=PlaceWager&table=another")
        assert len(one) == len(other) == 4 and not set(one) & set(other)
        for said in ("Hand 1", "hand 1", "HAND%201", " Hand 1 "):
            assert await places(f"act=PlaceWager&table={said}") == sorted(one + other)
        assert len(await places("act=PlaceWager&table=hand 2")) == len(await places("table=hand-3&act=PlaceWager")) == 4
        assert await places("table=hand-3&act=PlaceWager") == await places("table=HAND-3&act=PlaceWager")
        assert await places("table=hand") == await places("table=%20") == []
        assert (await staff.post("/api/tables/hand-2/close", json={"id": "c"})).status_code == 200
        assert len(await places("act=PlaceWager&table=Hand 2")) == 4, "closed tables are found too"


async def test_whoever_approved_an_act_is_told_and_found(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        staff, manager, inspector = [await site.as_(name) for name in ("supervisor-1", "manager-1", "inspector-1")]
        body = {"id": "t1", "table": "t1", "opening": {"rulebook": "nsw-pontoon"}}
        assert (await staff.post("/api/tables", json=body)).status_code == 200

        async def proposed(maximum_cents: int) -> str:
            act = {"act": "SetLimits", "minimum_cents": 500, "maximum_cents": maximum_cents}
            answer = await staff.post("/api/tables/t1/acts", json={"id": f"p{maximum_cents}", "act": act})
            assert answer.status_code == 200, answer.text
            return str(answer.json().get("proposal", ""))

        async def found(by: str) -> list[tuple[str, str]]:
            told = (await inspector.get(f"/api/log/search?by={by}")).json()
            return [(each["by"], each["approved_by"]) for each in told["found"]]

        assert await proposed(200_000) == "", "nobody else is needed for so little"
        assert await found("manager-1") == []
        proposal = await proposed(1_000_000)
        assert (await manager.post(f"/api/approvals/{proposal}", json={"approve": False})).status_code == 200
        assert await found("manager-1") == [], "what he rejected was not done"
        for maximum in (2_000_000, 3_000_000):
            proposal = await proposed(maximum)
            assert (await manager.post(f"/api/approvals/{proposal}", json={"approve": True})).status_code == 200
            approved = ("supervisor-1", "manager-1")
            assert (await found("manager-1"))[0] == (await found("Manager-1"))[0] == approved
        assert await found("manager-1") == [approved] * 2
        assert await found("supervisor-1") == [approved, approved, ("supervisor-1", "")]
        newest = (await inspector.get("/api/log/search?by=manager-1")).json()["found"][0]["version"]
        for version, second in ((newest, "manager-1"), (2, "")):
            moment = (await inspector.get(f"/api/tables/t1/at/{version}")).json()
            assert (moment["by"], moment["approved_by"]) == ("supervisor-1", second)
        for stranger in ("alice", "dealer-1"):
            assert (await (await site.as_(stranger)).get("/api/log/search?by=manager-1")).status_code == 403
