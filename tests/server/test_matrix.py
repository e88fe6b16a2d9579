"""The matrix through the whole server: every role and every act over HTTP, and whoever has no business at the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import msgspec

from pitboss.floor.model import Accepted, Opening
from pitboss.floor.people import Lifetimes
from pitboss.floor.permissions import TOURNAMENT_ACTS, matrix
from pitboss.rulebooks import load
from pitboss.server.security import Guard, Limits
from pitboss.table.house import default_house
from tests.floor.peopled import PASSWORD, STAFF, caller
from tests.floor.test_permissions import ACTS, sample
from tests.server.test_accounts import Web, web

RULEBOOK = "nsw-pontoon"
NO_LIMIT = Limits(1 << 20, 1e6, 10**6, 1e6, 10**6)
DENIED = (401, 403)


def wire(name: str, who: str) -> dict[str, Any]:
    """The act as a client sends it: a shuffle without an order, and whatever role it claims."""
    changes: dict[str, Any] = {"player": who} if STAFF.get(who) == "player" else {}
    if name == "Cut" and STAFF.get(who) in ("dealer", "supervisor", "gaming-manager"):
        changes = {"player": "dealer"}
    if "player" not in ACTS[name].__struct_fields__:
        changes = {}
    if "by" in ACTS[name].__struct_fields__:
        changes["by"] = "gaming-manager"
    act = sample(name, **changes)
    data: dict[str, Any] = msgspec.to_builtins(act)
    data.pop("order", None)
    return data


async def opened(site: Web) -> None:
    """A table that deals by itself, one dealt by a person, and one for tournaments."""
    book = load(RULEBOOK)
    openings = {
        "own": Opening(RULEBOOK, dealer="person"),
        "by-itself": Opening(RULEBOOK, dealer="house"),
        "tournament": Opening(RULEBOOK, house=default_house(book, tournament=True)),
    }
    for table, opening in openings.items():
        assert isinstance(await site.house.floor.open_table(caller("supervisor-1"), table, table, opening), Accepted)


async def asked(browser: httpx.AsyncClient, table: str, name: str, who: str) -> httpx.Response:
    path = f"/api/tables/{table}/acts"
    answer = await browser.post(path, json={"id": f"{who}-{table}-{name}-{id(browser)}", "act": wire(name, who)})
    assert answer.status_code in (200, 409, *DENIED), (name, answer.status_code, answer.text)
    return answer


async def test_every_role_and_every_act_over_http(tmp_path: Path) -> None:
    """Denied where the matrix says no; accepted, proposed or refused by the rules everywhere else."""
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT)) as site:
        await opened(site)
        cells = matrix(RULEBOOK)
        denials = 0
        for who in ("alice", "dealer-1", "supervisor-1", "manager-1", "tournament-1", "inspector-1", "admin-1"):
            browser = await site.as_(who)
            role = STAFF[who]
            table = "tournament" if role == "tournament-manager" else "own"
            for name in ACTS:
                answer = await asked(browser, table, name, who)
                denied = answer.status_code == 403
                denials += denied
                wanted = cells[role][name] == "no" or (role == "player" and name == "BuyChips")
                if wanted and not denied:  # what the rules let nobody do, staff are told by the rules
                    assert answer.status_code == 409 and answer.json()["refusal"]["clauses"], (who, name)
                else:
                    assert denied == wanted, (who, name, answer.text)
                if denied:
                    assert answer.json()["text"].endswith(".")
        await _all_in_the_audit(site, denials)


async def _all_in_the_audit(site: Web, denials: int) -> None:
    import asyncio

    for _ in range(200):
        noted = sum(entry.kind == "denied" for entry in site.house.entries("audit"))
        if noted >= denials:
            break
        await asyncio.sleep(0.01)
    assert noted == denials > 300


async def test_whoever_is_nobody_is_denied_every_act(tmp_path: Path) -> None:
    """Anonymous, a made-up token, expired, disabled, posted elsewhere; with each role that could have acted."""
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT), lifetimes=Lifetimes(idle_ms=60_000)) as site:
        await opened(site)
        people, clock = site.house.people, site.house.clock
        for who in ("alice", "dealer-1", "supervisor-1", "manager-1", "inspector-1"):
            elsewhere = f"{who}-2"
            posted = await people.create(caller("admin-1"), elsewhere, STAFF[who], PASSWORD, 1, tables=["by-itself"])
            assert posted.tables == ("by-itself",)
            disabled, wrong = await site.as_(who), await site.as_(elsewhere)
            await people.disable(caller("admin-1"), who, clock.now_ms())
            for name in ACTS:
                for browser in (disabled, site.browser(), site.browser(authorization="Bearer made-up")):
                    assert (await asked(browser, "own", name, who)).status_code == 401, (who, name)
                assert (await asked(wrong, "own", name, elsewhere)).status_code == 403, (who, name)
            clock.pass_ms(60_000)
            assert (await asked(wrong, "own", "Deal", elsewhere)).status_code == 401, "idle for too long"
        versions = {table: len(site.house.entries(f"table:{table}")) for table in ("own", "tournament")}
        assert versions == {"own": 1, "tournament": 1}, "nothing happened at any table"


async def test_tournament_managers_stay_at_their_tables(tmp_path: Path) -> None:
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT)) as site:
        await opened(site)
        browser = await site.as_("tournament-1")
        for name in sorted(TOURNAMENT_ACTS):
            assert (await asked(browser, "own", name, "tournament-1")).status_code == 403
            assert (await asked(browser, "tournament", name, "tournament-1")).status_code in (200, 409)


async def test_a_table_that_does_not_exist_is_unknown_to_everybody(tmp_path: Path) -> None:
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT)) as site:
        for who in ("alice", "dealer-1", "supervisor-1", "inspector-1", "admin-1"):
            browser = await site.as_(who)
            act = {"id": "x", "act": {"act": "Deal"}}
            assert (await browser.post("/api/tables/no-such/acts", json=act)).status_code == 404
