"""The patrons' book and the gaming day over HTTP: written and seen by whom the rulebook names."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from pitboss.floor.model import Accepted, Opening
from pitboss.floor.patrons_at_tables import patrons_of
from pitboss.rulebooks import load
from pitboss.server.budgets import Limits
from pitboss.server.security import Guard
from pitboss.table.house import default_house
from tests.floor.peopled import caller
from tests.server.test_accounts import web

NO_LIMIT = Limits(requests_rate=1e6, requests_burst=10**6, acts_rate=1e6, acts_burst=10**6)
_count = iter(range(10**9))


async def write(browser: httpx.AsyncClient, name: str, act: str, **fields: Any) -> httpx.Response:
    body = {"id": f"w{next(_count)}", "act": {"act": act, **fields}}
    return await browser.post(f"/api/patrons/{name}", json=body)


@pytest.mark.clause("nsw-pontoon", "def:Loss Limit", "5.1")
async def test_a_player_sets_a_limit_and_sees_it_and_others_do_not(tmp_path: Path) -> None:
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT)) as site:
        supervisor, alice, bob = [await site.as_(who) for who in ("supervisor-1", "alice", "bob")]
        assert (
            await write(alice, "alice", "SetLossLimit", cents=10_000)
        ).status_code == 409  # nobody has identified her
        assert (await write(supervisor, "alice", "Identify", document="passport")).status_code == 200
        assert (await write(supervisor, "alice", "IssueCard", number="S-1")).status_code == 200
        answer = await write(alice, "alice", "SetLossLimit", cents=10_000, period="week")
        assert answer.status_code == 200
        assert [event["event"] for event in answer.json()["events"]] == ["LossLimitSet"]
        mine = (await alice.get("/api/patrons/alice")).json()
        assert mine["file"]["loss_left_cents"] == 10_000
        assert [form["act"] for form in mine["forms"]] == ["SetLossLimit", "SetDepositLimit", "DeclareChips"]
        assert (await bob.get("/api/patrons/alice")).status_code == 403
        assert (await write(bob, "alice", "SetLossLimit", cents=1)).status_code == 403
        dealer = await site.as_("dealer-1")
        assert (await dealer.get("/api/patrons/alice")).status_code == 403
        refused = await write(dealer, "alice", "Exclude", why="a device")
        assert refused.status_code == 409
        assert refused.json()["refusal"]["clauses"] == ["19.8.3", "19.8"]
        inspector = await site.as_("inspector-1")
        assert (await inspector.get("/api/patrons/ALICE")).json()["name"] == "alice"
        assert (await write(inspector, "alice", "Exclude", why="a device")).status_code == 403
        listed = (await supervisor.get("/api/patrons")).json()
        assert {each["name"]: each["has_file"] for each in listed}["alice"]
        assert not {each["name"]: each["has_file"] for each in listed}["bob"]
        assert (await supervisor.get("/api/patrons/alice?rulebook=no-such")).status_code == 404
        assert (await supervisor.get("/api/patrons/no%20body")).status_code == 404
        for answer in (
            await supervisor.get("/api/patrons/dealer-1"),
            await write(supervisor, "Dealer-1", "Identify", document="passport"),
        ):
            assert answer.status_code == 404 and "an account of the house's people" in answer.json()["text"]
        assert "dealer-1" not in {each["name"] for each in (await supervisor.get("/api/patrons")).json()}


async def test_what_cannot_be_read_gets_one_sentence(tmp_path: Path) -> None:
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT)) as site:
        supervisor = await site.as_("supervisor-1")
        unread: list[dict[str, Any]] = [{}, {"act": "Nothing"}, {"act": "Identify"}, {"act": "Deposit", "cents": 1.5}]
        unread += [{"act": "Pause", "x": 1}, {"act": "SetLossLimit", "cents": 500, "perod": "week"}]
        for act in unread:
            answer = await supervisor.post("/api/patrons/alice", json={"id": "x", "act": act})
            assert answer.status_code == 400, (act, answer.text)
            assert answer.json()["text"]
        assert (await write(supervisor, "alice", "Deposit", cents=1 << 60)).status_code == 400


async def test_the_same_command_is_done_once(tmp_path: Path) -> None:
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT)) as site:
        dealer = await site.as_("dealer-1")
        body = {"id": "once", "act": {"act": "Deposit", "cents": 500}}
        answers = [await dealer.post("/api/patrons/alice", json=body) for _ in range(3)]
        assert patrons_of(site.house.floor).book.file("alice").deposited_cents == 500
        manager = await site.as_("manager-1")
        answers += [await manager.post("/api/gaming-day", json={"id": "day", "do": "open"}) for _ in range(3)]
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.text for answer in answers[:3]}) == 1


async def test_the_gaming_day_is_opened_by_the_manager(tmp_path: Path) -> None:
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT)) as site:
        manager, supervisor, alice = [await site.as_(who) for who in ("manager-1", "supervisor-1", "alice")]
        shown = (await alice.get("/api/gaming-day")).json()
        assert (shown["opened"], shown["may_turn"], shown["zone"]) == (False, False, "Australia/Sydney")
        assert (await supervisor.post("/api/gaming-day", json={"id": "a", "do": "open"})).status_code == 409
        opened = (await manager.post("/api/gaming-day", json={"id": "b", "do": "open"})).json()
        assert (opened["opened"], opened["may_turn"]) == (True, True)
        adelaide = (await alice.get("/api/gaming-day?rulebook=adelaide-pontoon-2008")).json()
        assert (adelaide["date"], adelaide["zone"]) == (opened["date"], "Australia/Sydney")  # the floor's clocks
        closed = (await manager.post("/api/gaming-day", json={"id": "c", "do": "close"})).json()
        assert not closed["opened"]


@pytest.mark.clause("nsw-pontoon", "6.5", "19.13")
async def test_the_floor_counts_how_long_a_sign_has_stood(tmp_path: Path) -> None:
    """At a table with a date nobody certifies minutes, and it closes under its players after the sign only."""
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT)) as site:
        floor, clock = site.house.floor, site.house.clock
        house = default_house(load("nsw-pontoon"), date=datetime.date(2024, 8, 1))
        opening = Opening("nsw-pontoon", house=house, dealer="person")
        assert isinstance(await floor.open_table(caller("supervisor-1"), "o", "own", opening), Accepted)
        supervisor, alice = await site.as_("supervisor-1"), await site.as_("alice")

        async def act(browser: httpx.AsyncClient, name: str, **fields: Any) -> httpx.Response:
            body = {"id": f"a{next(_count)}", "act": {"act": name, **fields}}
            return await browser.post("/api/tables/own/acts", json=body)

        assert (await act(alice, "TakeSeat", box=1)).status_code == 200
        raised = {"minimum_cents": 1_000, "maximum_cents": 100_000, "keep_old_minimum": False, "notice_minutes": 60}
        refused = await act(supervisor, "SetLimits", **raised)
        assert refused.status_code == 409
        assert refused.json()["refusal"]["clauses"][0] == "6.5"
        limits = {"what": "limits", "minutes": 20, "minimum_cents": 1_000, "maximum_cents": 100_000}
        assert (await act(supervisor, "DisplaySign", **limits)).status_code == 200
        clock.pass_ms(20 * 60_000 - 1)
        assert (await act(supervisor, "SetLimits", **raised)).status_code == 409
        clock.pass_ms(1)
        assert (await act(supervisor, "SetLimits", **raised)).status_code == 200
        assert floor.hosts["own"].table.players["alice"].minimum_cents == 0

        close = await supervisor.post("/api/tables/own/close", json={"id": "c1"})
        assert close.status_code == 409
        assert close.json()["refusal"]["clauses"] == ["19.13"]
        assert (await act(supervisor, "DisplaySign", what="closing", minutes=20)).status_code == 200
        clock.pass_ms(19 * 60_000)
        assert (await supervisor.post("/api/tables/own/close", json={"id": "c2"})).status_code == 409
        clock.pass_ms(60_000)
        assert (await supervisor.post("/api/tables/own/close", json={"id": "c3"})).status_code == 200


@pytest.mark.clause("nsw-pontoon", "5.1", "19.1", "19.3", "19.8.3")
async def test_what_is_written_in_a_file_holds_at_every_table_at_once(tmp_path: Path) -> None:
    """Two tables of 2025: nobody plays unknown, and a limit of $100 is lost once and not twice."""
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT)) as site:
        floor = site.house.floor
        for name in ("one", "two"):
            house = default_house(load("nsw-pontoon"), date=datetime.date(2025, 1, 1))
            opening = Opening("nsw-pontoon", house=house, dealer="person", uncounted=True)
            assert isinstance(await floor.open_table(caller("supervisor-1"), name, name, opening), Accepted)
        supervisor, alice = await site.as_("supervisor-1"), await site.as_("alice")

        async def bet(table: str, cents: int) -> str:
            act = {"act": "PlaceWager", "player": "alice", "box": 1, "cents": cents}
            answer = await alice.post(f"/api/tables/{table}/acts", json={"id": f"b{next(_count)}", "act": act})
            return "" if answer.status_code == 200 else str(answer.json()["refusal"]["clauses"][0])

        assert await bet("one", 100_000) == "5.1"
        assert (await write(supervisor, "alice", "Identify", document="passport")).status_code == 200
        assert await bet("one", 2_500) == "5.1"  # known, and without a card
        assert (await write(supervisor, "alice", "IssueCard", number="S-1")).status_code == 200
        assert (await write(alice, "alice", "SetLossLimit", cents=10_000)).status_code == 200
        assert await bet("one", 6_000) == ""
        assert await bet("two", 5_000) == "19.3"
        assert await bet("two", 4_000) == ""
        mine = (await alice.get("/api/patrons/alice")).json()["file"]
        assert (mine["open"], mine["loss_left_cents"]) == ({"one": 6_000, "two": 4_000}, 0)
        withdrawn = {"id": "w", "act": {"act": "WithdrawWager", "player": "alice", "box": 1}}
        assert (await alice.post("/api/tables/two/acts", json=withdrawn)).status_code == 200
        assert (await write(supervisor, "alice", "Exclude", why="a device")).status_code == 200
        assert await bet("two", 500) == "19.8.3"


async def test_every_look_at_anothers_file_is_in_the_audit(tmp_path: Path) -> None:
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT)) as site:
        alice, sam, dora = [await site.as_(who) for who in ("alice", "supervisor-1", "dealer-1")]
        for browser in (alice, sam, dora, sam):
            await browser.get("/api/patrons/alice")
        seen = [msgspec.json.decode(entry.body) for entry in site.house.entries("audit") if entry.kind == "file-seen"]
        assert [(note["who"], note["text"]) for note in seen] == [("supervisor-1", "alice")] * 2
        assert sum(entry.kind == "denied" for entry in site.house.entries("audit")) == 1, "the dealer saw nothing"
