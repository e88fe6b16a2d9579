"""Tournaments through the whole server: conditions item by item, entries, acts, the wall, papers, and who sees what."""

from __future__ import annotations

import base64
import datetime
import hashlib
import itertools
import tomllib
from pathlib import Path
from typing import Any

import httpx
import msgspec

from pitboss.floor.model import Caller
from pitboss.floor.tournament_book import Known, Opened
from pitboss.floor.tournament_demo import Conductor, demo_conditions, names, quick, structure
from pitboss.rulebooks import load
from pitboss.server.tournament_forms import forms_for
from pitboss.tournament import acts as ta
from pitboss.tournament.acts import MANAGER
from pitboss.tournament.paper import template
from tests.server.test_accounts import Web, web
from tests.tournament.making import conditions_of
from tests.tournament.running import Running

_count = itertools.count()
NSW = "nsw-pontoon"


def filled_in(rulebook: str = NSW) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(tomllib.loads(template(load(rulebook))))
    return data | {"manager": "tournament-1"}


async def act(browser: httpx.AsyncClient, what: str, /, **fields: Any) -> httpx.Response:
    return await browser.post(
        "/api/tournaments/cup/acts", json={"id": f"a{next(_count)}", "act": {"act": what, **fields}}
    )


async def opened(site: Web) -> httpx.AsyncClient:
    manager = await site.as_("tournament-1")
    body = {"id": "open", "tournament": "cup", "conditions": filled_in() | {"title": "Cup <b>of</b> May"}}
    answer = await manager.post("/api/tournaments", json=body)
    assert answer.status_code == 200, answer.text
    return manager


async def test_conditions_are_judged_item_by_item_before_entries_are_opened(tmp_path: Path) -> None:
    """NSW 20.4.2: each missing item is named with its clause; the same from a form and from a file."""
    async with web(tmp_path) as site:
        manager = await site.as_("tournament-1")
        form = (await manager.get(f"/api/tournament-conditions/{NSW}")).json()
        asked = {
            f"{part['key']}.{field['name']}": field.get("clauses", "")
            for part in form["sections"]
            for field in part["fields"]
        }
        assert "20.4.2(a)" in asked["entry.fee"] and asked["entry.eligibility"] == "20.4.2(h)(i)"
        assert "entry.commission" not in asked, "all fees go to the pool (20.3.2)"
        canberra = (await manager.get("/api/tournament-conditions/canberra-pontoon-2005")).json()
        also = {field["name"] for part in canberra["sections"] for field in part["fields"]}
        assert {"commission", "approved"} <= also and not {"pass_cards", "undisclosed"} & also
        none = await manager.get("/api/tournament-conditions/adelaide-pontoon-2008")
        assert none.status_code == 404 and "no rules for tournaments" in none.json()["text"]
        data = filled_in()
        del data["entry"]["fee"]
        judged = (await manager.post("/api/tournament-conditions", json={"conditions": data})).json()
        assert [(each["key"], each["clause"]) for each in judged["missing"]] == [("entry.fee", "20.4.2(a)")]
        assert not judged["may_open"]
        refused = await manager.post("/api/tournaments", json={"id": "o", "tournament": "cup", "conditions": data})
        assert refused.status_code == 409 and "20.4.2(a)" in refused.json()["refusal"]["clauses"]
        file = template(load(NSW)).replace('manager  = ""', 'manager  = "mary"')
        read = (await manager.post("/api/tournament-conditions", json={"toml": file})).json()
        assert read["may_open"] and read["conditions"]["manager"] == "mary" and "Spring cup" in read["paper"]
        for wrong in ({"toml": "title = "}, {"conditions": {"title": "Cup", "rulebook": NSW, "fee": 1}}):
            answer = await manager.post("/api/tournament-conditions", json=wrong)
            assert answer.status_code == 400 and "cannot be read" in answer.json()["text"]


def stage(name: str, advance: int) -> dict[str, Any]:
    return {"name": name, "kind": "final", "tables": 1, "rounds": 2, "advance": advance}


def offered(running: Running, role: str = "tournament-manager") -> dict[str, list[str]]:
    """The acts that a page offers as a tournament stands, with whom their first choice has."""
    known = Known("cup")
    known.opened = Opened("Cup", running.rulebook.id, running.rulebook.edition)
    known.state = running.state
    forms = forms_for(known, Caller("alice" if role == "player" else "mary", role))
    return {each.act: list(each.fields[0].options) if each.fields else [] for each in forms}


def test_a_page_offers_what_the_rules_allow_between_the_draw_and_the_end_of_a_session() -> None:
    """NSW 20.4.2(i): free until the first session begins; 20.6.9: chips are redeemed when somebody leaves the table."""
    cash = conditions_of(
        NSW,
        manager="mary",
        stages=[stage("final", 0)],
        entry__minimum=2,
        chips__bought=True,
        chips__price=50,
        chips__cash_value=True,
    )
    running = Running(cash).open().enter("alice", "bob", "cara").close().draw("final")
    assert "withdraw-entry" in offered(running) and "withdraw-entry" in offered(running, "player")
    running.start("final")
    assert "withdraw-entry" not in offered(running) and "redeem-chips" not in offered(running)
    running.does(ta.ReportRound("dealer", "T1", {"alice": 100_000, "bob": 500, "cara": 90_000}))
    assert offered(running)["redeem-chips"] == ["bob"]
    running.does(ta.RedeemChips("dealer", "bob"))
    assert "redeem-chips" not in offered(running)


def test_a_page_offers_substitutes_between_sessions() -> None:
    """Canberra 2005 20.11."""
    stages = [stage("heats", 2) | {"kind": "heat"}, stage("final", 0)]
    two = conditions_of(
        "canberra-pontoon-2005", entry__minimum=2, approved="by the Commission", manager="mary", stages=stages
    )
    running = Running(two).open().enter("alice", "bob", "cara").close().draw("heats").start("heats")
    for _ in range(2):
        running.does(ta.ReportRound("dealer", "T1", {"alice": 100_000, "bob": 110_000, "cara": 90_000}))
    running.finish("T1")
    running.does(ta.Announce(MANAGER, "heats"))
    assert "substitute" in offered(running)


async def test_entries_are_taken_in_ones_own_name_and_the_act_forms_say_what_comes_next(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        manager = await opened(site)
        alice, dealer = await site.as_("alice"), await site.as_("dealer-1")
        seen = (await alice.get("/api/tournaments/cup")).json()
        assert [form["act"] for form in seen["forms"]] == ["apply"]
        assert not any(field["name"] == "name" for form in seen["forms"] for field in form["fields"])
        assert (await act(alice, "apply")).status_code == 200
        assert (await act(alice, "apply", name="bob")).status_code == 403
        assert (await act(alice, "pay-fee", cents=10_000)).status_code == 403
        early = await act(dealer, "pay-fee", name="alice", cents=10_000)
        assert early.status_code == 409 and early.json()["refusal"]["clauses"] == ["20.4.1"]
        assert (await act(dealer, "give-copy", name="ALICE")).status_code == 200, "spelled as the account is"
        fee = await act(dealer, "pay-fee", name="alice", cents=9_000)
        assert fee.status_code == 409 and "20.3.1" in fee.json()["refusal"]["clauses"]
        assert (await act(dealer, "pay-fee", name="alice", cents=10_000)).status_code == 200
        told = (await manager.get("/api/tournaments/cup")).json()
        main = {each["act"] for each in told["forms"] if each["main"]}
        assert main == {"apply", "commit-draws", "designate-tables"}, "nobody's fee is due any more"
        assert told["accounts"] == {"cash:alice": -10_000, "pool": 10_000}
        mine = (await alice.get("/api/tournaments/cup")).json()
        assert mine["mine"]["status"] == "entered"
        assert not mine["accounts"] and not mine["people"] and not mine["recent"]
        assert {form["act"] for form in mine["forms"]} == {"withdraw-entry"}
        for wrong in ({"act": "no-such"}, {"act": "apply", "odd": 1}, {"act": "pay-fee", "name": "a", "cents": "x"}):
            answer = await manager.post("/api/tournaments/cup/acts", json={"id": "w", "act": wrong})
            assert answer.status_code == 400 and answer.json()["text"].endswith("."), answer.text
        listed = (await alice.get("/api/tournaments")).json()
        assert [(each["id"], each["mine"]) for each in listed["tournaments"]] == [("cup", "entered")]
        assert not listed["may_open"] and len(listed["rulebooks"]) == 3


async def test_the_wall_needs_no_login_and_tells_nothing_private(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        floor = site.house.floor
        conducts = Conductor(floor, "cup", lambda text: None)
        start = datetime.datetime(2020, 1, 1)
        terms = demo_conditions(NSW, title="Cup", stages=structure(9, 2), entrants=9, start=start)
        await conducts.run(terms, names(9), ["Table 1", "Table 2"], timers=quick(0))
        nobody = site.browser()
        assert (await nobody.get("/api/tournaments/cup")).status_code == 401
        wall = await nobody.get("/api/wall/cup")
        assert wall.status_code == 200
        shown = wall.json()
        assert shown["status"] == "ended" and len(shown["placed"]) == 9
        assert sum(each["prize_cents"] for each in shown["placed"]) == shown["pool_cents"] == 90_000
        for private in ("cash", "accounts", "secret", "digest", "paid", 'dispute":{'):
            assert private not in wall.text
        assert (await nobody.get("/api/wall/none")).status_code == 404
        alice, inspector = await site.as_("alice"), await site.as_("inspector-1")
        for paper, allowed in (("results", True), ("prizes", True), ("conditions", True), ("regulator", False)):
            for kind, content in (("papers", "text/html"), ("rows", "text/csv")):
                path = f"/api/tournaments/cup/{kind}/{paper}"
                assert (await alice.get(path)).status_code == (200 if allowed else 403), path
                found = await inspector.get(path)
                assert found.status_code == 200 and content in found.headers["content-type"]
        answered = await inspector.get("/api/tournaments/cup/papers/regulator")
        regulator = answered.text
        style = regulator.partition("<style>")[2].partition("</style>")[0]
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        assert answered.headers["content-security-policy"].endswith(f"; style-src 'self' 'sha256-{digest}'")
        assert "x-own-style" not in answered.headers
        assert "20.5.4" in regulator and "seats drawn" in regulator and "prize" in regulator.lower()
        draws = (await alice.get("/api/tournaments/cup")).json()["draws"]
        assert all(each["secret"] and each["digest"] for each in draws), "drawn stages can be proved by anybody"


async def test_two_people_and_announcements(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        manager, other = await opened(site), await site.as_("manager-1")
        said = {"id": "s1", "text": "Doors open at six."}
        assert (await manager.post("/api/tournaments/cup/announcements", json=said)).status_code == 200
        assert (await other.post("/api/tournaments/cup/announcements", json=said)).status_code == 403
        assert (await site.browser().get("/api/wall/cup")).json()["said"][0]["text"] == "Doors open at six."
        for name in ("alice", "bob", "cara", "dan", "eve"):
            for what in ("give-copy", "apply"):
                assert (await act(manager, what, name=name)).status_code == 200
            assert (await act(manager, "pay-fee", name=name, cents=10_000)).status_code == 200
        asked = await act(manager, "cancel-tournament", why="no tables")
        assert asked.json()["is"] == "proposed"
        waiting = (await other.get("/api/tournaments/cup")).json()["waiting"]
        assert waiting[0]["yours"] and "no tables" in waiting[0]["what"]
        path = f"/api/tournaments/cup/approvals/{waiting[0]['number']}"
        assert (await manager.post(path, json={"id": "y0", "approve": True})).status_code == 403
        assert (await other.post(path, json={"id": "y1", "approve": True})).status_code == 200
        assert (await other.post(path, json={"id": "y1", "approve": True})).status_code == 200, "said twice"
        seen = (await manager.get("/api/tournaments/cup")).json()
        assert seen["wall"]["status"] == "cancelled"
        told = seen["recent"][0]["text"]
        assert told.startswith("tournament cancelled: no tables; fee refunded: alice") and told.endswith("; and 2 more")
        printed = (await manager.get("/api/tournaments/cup/papers/regulator")).text
        assert "Cup &lt;b&gt;of&lt;/b&gt; May" in printed and "<b>of</b>" not in printed
