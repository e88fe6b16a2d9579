"""Whatever one server has acknowledged is known at another to whoever asks there next, before it looks by itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec
import pytest

from pitboss.floor import floor as floors
from pitboss.rulebooks import editions
from pitboss.rulebooks.canonical import digest_of
from pitboss.store.log import Append, Appended, NewEntry, Part, StoreError
from tests.floor.peopled import PASSWORD
from tests.floor.test_editions import other_edition
from tests.floor.test_link import LINK, an_opening
from tests.server.test_accounts import Web, web

PONTOON = {"rulebook": "nsw-pontoon"}


class Servers(NamedTuple):
    """Two servers on one log."""

    one: Web
    two: Web

    async def both(self, name: str) -> tuple[httpx.AsyncClient, httpx.AsyncClient]:
        """Somebody's browser at the first and at the second, in one session that began at the first."""
        here = await self.one.as_(name)
        there = self.two.browser(authorization=f"Bearer {here.cookies['pitboss']}")
        return here, there


@asynccontextmanager
async def two_servers(path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Servers]:
    """Neither reads on by itself."""
    monkeypatch.setattr(floors, "MEET_SECONDS", 0)
    monkeypatch.setattr(floors, "FOLLOW_SECONDS", 3600)
    monkeypatch.setattr("pitboss.server.accounts.HEARD_SECONDS", 0)
    async with web(path, owner="one") as one, web(path, owner="two") as two:
        await asyncio.sleep(0)  # each has begun to look, and does not look again
        await two.house.floor.follow()
        yield Servers(one, two)


async def said(answer: httpx.Response) -> Any:
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_tables_and_jackpots_opened_at_one_are_there_at_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_servers(tmp_path, monkeypatch) as servers:
        here, there = await servers.both("supervisor-1")
        opened = {"id": "l", "link": "sevens", "opening": msgspec.to_builtins(LINK)}
        await said(await here.post("/api/links", json=opened))
        linked = {"id": "j", "table": "j1", "opening": msgspec.to_builtins(an_opening())}
        await said(await there.post("/api/tables", json=linked))
        assert [row["table"] for row in await said(await here.get("/api/tables"))] == ["j1"]
        await said(await here.post("/api/tables", json={"id": "p", "table": "p1", "opening": PONTOON}))
        assert [row["table"] for row in await said(await there.get("/api/tables"))] == ["j1", "p1"]
        shown = await there.get("/api/tables/p1")
        assert shown.status_code == 421 and shown.json()["address"] == "http://one"
        await said(await here.post("/api/tables/p1/close", json={"id": "c"}))
        assert [row["table"] for row in await said(await there.get("/api/tables"))] == ["j1"]


async def test_a_jackpot_that_is_only_half_read_is_there_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other had read that there is a jackpot, and not yet what it is."""
    async with two_servers(tmp_path, monkeypatch) as servers:
        here, there = await servers.both("supervisor-1")
        opened = {"id": "l", "link": "sevens", "opening": msgspec.to_builtins(LINK)}
        await said(await here.post("/api/links", json=opened))
        other = servers.two.house.floor
        for entry in other.commits.log.read("floor", other.version):
            other.fold(entry)
        linked = {"id": "j", "table": "j1", "opening": msgspec.to_builtins(an_opening())}
        await said(await there.post("/api/tables", json=linked))
        none = linked | {"id": "n", "table": "j2", "opening": linked["opening"] | {"link": "eights"}}
        answer = await there.post("/api/tables", json=none)
        assert answer.status_code == 404 and "no jackpot link 'eights'" in answer.text


async def test_people_of_one_are_people_of_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with two_servers(tmp_path, monkeypatch) as servers:
        here, there = await servers.both("admin-1")
        alice = servers.two.browser()
        await said(await alice.post("/api/login", json={"name": "alice", "password": PASSWORD}))
        assert "alice" in [row["name"] for row in await said(await there.get("/api/accounts"))]
        await said(await here.post("/api/accounts/alice/disable", json={}))
        assert (await alice.get("/api/me")).status_code == 401, "their session is over everywhere"


async def test_files_days_trainings_and_proposals_of_one_are_known_to_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_servers(tmp_path, monkeypatch) as servers:
        here, there = await servers.both("supervisor-1")
        identified = {"id": "i", "rulebook": "nsw-pontoon", "act": {"act": "Identify", "document": "passport"}}
        await said(await here.post("/api/patrons/alice", json=identified))
        assert (await said(await there.get("/api/patrons/alice")))["file"]["identified"]
        manager, manager_there = await servers.both("manager-1")
        await said(await manager.post("/api/gaming-day", json={"id": "d", "do": "open"}))
        assert (await said(await there.get("/api/gaming-day")))["opened"]
        begun = await said(await here.post("/api/training", json=PONTOON | {"seed": "one"}))
        assert (await said(await there.get(f"/api/training/{begun['id']}")))["of"] == begun["of"]
        await said(await here.post("/api/tables", json={"id": "p", "table": "p1", "opening": PONTOON}))
        raised = {"id": "r", "act": {"act": "SetLimits", "minimum_cents": 500, "maximum_cents": 1_000_000}}
        asked = await here.post("/api/tables/p1/acts", json=raised)
        assert asked.json()["is"] == "proposed", asked.text
        listed = await said(await manager_there.get("/api/approvals"))
        assert [row["id"] for row in listed] == [asked.json()["proposal"]]


async def test_a_text_that_the_log_has_is_shown_though_nobody_plays_by_it_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(editions, "_learned", {})
    text = other_edition()
    digest = digest_of(text)
    async with web(tmp_path) as site:
        part = Part(f"rulebook:{digest}", 0, (NewEntry("text", text),))
        assert isinstance(await site.house.floor.commits.append(Append((part,), 0)), Appended)
        browser = site.browser()
        await said(await browser.get(f"/api/rulebooks/nsw-pontoon?edition={digest}"))
        await said(await browser.get(f"/api/rulebooks/nsw-pontoon/clauses/13.1?edition={digest}"))
        assert (await browser.get(f"/api/rulebooks/nsw-pontoon?edition={'0' * 64}")).status_code == 404


async def test_many_who_ask_at_once_share_a_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with two_servers(tmp_path, monkeypatch) as servers:
        floor, looks = servers.two.house.floor, 0
        follow = floor.follow

        async def counted() -> None:
            nonlocal looks
            looks += 1
            await follow()

        monkeypatch.setattr(floor, "follow", counted)
        await asyncio.gather(*(floor.up_to_date() for _ in range(50)))
        assert looks == 2, "the first, and one for all who came while it looked"

        async def away() -> None:
            raise StoreError("the log is away.")

        monkeypatch.setattr(floor, "follow", away)
        found = await asyncio.gather(*(floor.up_to_date() for _ in range(5)), return_exceptions=True)
        assert all(isinstance(each, StoreError) for each in found), "nobody takes another's failure for a look"
        _, there = await servers.both("alice")
        monkeypatch.setattr(floor, "follow", counted)
        await said(await there.get("/api/me"))
