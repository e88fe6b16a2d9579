"""The log is searched from its end, or from its beginning, page by page, and nothing is missed or told twice."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from pitboss.floor import history
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
    monkeypatch.setattr(history, "PAGE", 4)
    monkeypatch.setattr(history, "SEARCHED_MAX", 7)
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
