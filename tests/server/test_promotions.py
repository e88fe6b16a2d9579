"""Promotions on the floor: terms that lack nothing, acts by role, a draw with its proof, duties among the notices."""

from __future__ import annotations

import asyncio
import datetime
import itertools
import zoneinfo
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from pitboss.floor.folds import HouseBooks
from pitboss.floor.model import Accepted, Opening
from pitboss.promotions.conditions import Prize
from pitboss.rulebooks import load
from pitboss.table.house import default_house
from tests.floor.peopled import caller
from tests.promotions.making import CHALLENGE, NSW, clause, data_of
from tests.server.test_accounts import Web, web

_count = itertools.count()
DAY_MS = 24 * 3_600_000


def terms(site: Web, rulebook: str = NSW, **changes: Any) -> dict[str, Any]:
    """Terms that run from two days on by the clock of this floor: a draw on the fifth day, and tokens for three."""
    now = datetime.datetime.fromtimestamp(site.house.clock.now_ms() / 1000, zoneinfo.ZoneInfo("Australia/Sydney"))
    day = now.replace(tzinfo=None, minute=0, second=0, microsecond=0)

    def on(days: int) -> str:
        return (day + datetime.timedelta(days=days)).isoformat()

    data = data_of(rulebook, **changes)
    data["promotion"] |= {"begins": on(2), "ends": on(8)}
    data["draws"] = [{"name": "final", "at": on(5), "closes": on(4), "place": "Pit 1"}]
    data["prizes"] = [each for each in data["prizes"] if each["kind"] == "promotional-tokens"]
    found: dict[str, Any] = msgspec.to_builtins(data)
    return found


async def offers(
    browser: httpx.AsyncClient, said: dict[str, Any], rulebook: str = NSW, key: str = ""
) -> httpx.Response:
    body = {"id": key or f"o{next(_count)}", "promotion": "autumn", "rulebook": rulebook, "terms": said}
    return await browser.post("/api/promotions", json=body)


async def does(browser: httpx.AsyncClient, act: str, key: str = "", **fields: Any) -> httpx.Response:
    body = {"id": key or f"a{next(_count)}", "act": {"act": act, **fields}}
    return await browser.post("/api/promotions/autumn", json=body)


async def runs(site: Web, mona: httpx.AsyncClient, rulebook: str = NSW) -> None:
    """Offered, filed, published and begun, with a digest whose secret the floor keeps."""
    assert (await offers(mona, terms(site, rulebook), rulebook)).status_code == 200
    for act, fields in (
        ("file-terms", {"reference": "R-1"}),
        ("publish-terms", {"where": "desk"}),
        ("commit-draw", {"draw": "final"}),
    ):
        answer = await does(mona, act, **fields)
        assert answer.status_code == 200, answer.text
    site.house.clock.pass_ms(2 * DAY_MS)
    mona = await site.as_("manager-1")
    assert (await does(mona, "begin-promotion")).status_code == 200


@pytest.mark.clause("nsw-pontoon", "21.7.11.2")
@pytest.mark.clause("nsw-pontoon", "21.9")
async def test_what_terms_lack_is_named_with_its_clause_and_its_filing_is_a_notice(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        mona, sam = await site.as_("manager-1"), await site.as_("supervisor-1")
        form = (await mona.get(f"/api/promotion-form/{NSW}")).json()
        assert {each["clause"] for each in form["by_kind"]["vehicle"]} == {
            f"21.7.11.2({each})" for each in ("i", "ii", "iii", "iv")
        }
        (prizes,) = [each for each in form["sections"] if each["key"] == "prizes"]
        fields = [*prizes["fields"], *itertools.chain.from_iterable(form["by_kind"].values())]
        asked = {each["key"].partition(".")[0] for each in fields}
        named = {name.removesuffix("_cents").replace("centilitres", "litres") for name in Prize.__struct_fields__}
        assert asked == named, "terms that are amended on the page keep all that they said"
        (kinds,) = [each["options"] for each in prizes["fields"] if each["key"] == "kind"]
        assert {"liquor", "machinery", "cash"} <= set(kinds) and not {"tobacco", "weapon"} & set(kinds)
        lacking = terms(site)
        lacking["prizes"] += [{"name": "car", "kind": "vehicle", "value": 32000, "details": "new", "nature": "a car"}]
        lacking["prizes"] += [{"name": "smokes", "kind": "tobacco", "value": 5, "details": "x", "nature": "x"}]
        del lacking["claim"]
        found = (await sam.post("/api/promotion-check", json={"rulebook": NSW, "terms": lacking})).json()
        assert {each["key"]: each["clause"] for each in found["missing"]} == {
            "claim.method": "21.7.8",
            "claim.present": "21.7.8",
            "prizes.car.make": "21.7.11.2(i)",
            "prizes.car.model": "21.7.11.2(ii)",
            "prizes.car.accessories": "21.7.11.2(iii)",
            "prizes.car.on_road_costs": "21.7.11.2(iv)",
        }
        assert ["21.5.1" in each["clauses"] for each in found["refused"]] == [True]
        refused = await offers(mona, lacking)
        assert refused.status_code == 409 and "21.7.8" in refused.json()["refusal"]["clauses"]
        wrong = (await sam.post("/api/promotion-check", json={"rulebook": NSW, "terms": {"title": ""}})).json()
        assert wrong["wrong"].startswith("title: a promotion has a title")
        nobody = await offers(mona, terms(site), "canberra-pontoon-2002")
        assert nobody.status_code == 404 and "no rules for promotional prizes" in nobody.json()["text"]
        assert (await offers(sam, terms(site))).status_code == 409, "a gaming manager conducts it (21.1)"
        first, again = await offers(mona, terms(site), key="same"), await offers(mona, terms(site), key="same")
        assert first.json() == again.json() == {"is": "accepted", "promotion": "autumn", "version": 1}
        assert (await offers(mona, terms(site), key="other")).status_code == 409
        notices = (await sam.get("/api/notices?due=true")).json()["notices"]
        told = {each["item"]["to"]: each for each in notices if each["item"]["register"] == "promotions"}
        assert told["regulator"]["cited"] == "21.9, 21.13" and told["regulator"]["due"]
        assert (await does(mona, "begin-promotion")).status_code == 409
        site.house.clock.pass_ms(2 * DAY_MS)
        mona, sam = await site.as_("manager-1"), await site.as_("supervisor-1")
        listed = (await sam.get("/api/registers")).json()
        (promotions,) = [each for each in listed["registers"] if each["name"] == "promotions"]
        assert promotions["overdue"] == 2 == listed["overdue"], "its filing and that the terms are at hand"
        (row,) = (await sam.get("/api/promotions")).json()["promotions"]
        assert (row["overdue"], row["status"], row["name"]) == (2, "offered", "autumn")
        item = told["regulator"]["item"]["id"]
        marked = {"id": "m", "act": {"act": "MarkDone", "item": item, "evidence": "x"}}
        answer = await sam.post("/api/registers", json=marked)
        assert answer.status_code == 409 and "promotion's page" in answer.json()["text"]


@pytest.mark.parametrize("rulebook", [NSW, CHALLENGE])
async def test_a_whole_promotion_with_its_proof_its_tokens_and_its_ledger(tmp_path: Path, rulebook: str) -> None:
    async with web(tmp_path) as site:
        floor = site.house.floor
        book = load(rulebook)
        opening = Opening(rulebook, house=default_house(book, date=datetime.date(2023, 11, 14)), dealer="person")
        assert isinstance(await floor.open_table(caller("supervisor-1"), "own", "own", opening), Accepted)
        await runs(site, await site.as_("manager-1"), rulebook)
        alice, dan = await site.as_("alice"), await site.as_("dealer-1")
        assert (await does(alice, "enter", name="alice", wagered=50)).status_code == 403
        refused = await does(dan, "enter", name="alice", wagered=20)
        assert refused.status_code == 409 and clause(rulebook, "7.4") in refused.json()["refusal"]["clauses"]
        for name in ("alice", "bob", "carol"):
            assert (await does(dan, "enter", name=name, entries=2, wagered="100")).status_code == 200
        site.house.clock.pass_ms(3 * DAY_MS)
        mona, alice, dan = [await site.as_(name) for name in ("manager-1", "alice", "dealer-1")]
        sam, bob = await site.as_("supervisor-1"), await site.as_("bob")
        drawn = await does(mona, "draw-winners", draw="final", present=["alice"])
        assert drawn.status_code == 200, drawn.text
        (proof,) = (await sam.get("/api/promotions/autumn/draws")).json()
        assert proof["holds"] and len(proof["entries"]) == 6 and set(proof["drawn"]) == {"alice", "bob", "carol"}
        seen = (await sam.get("/api/promotions/autumn")).json()
        assert {win["name"] for win in seen["wins"]} == {"alice", "bob", "carol"} and seen["entries"] == 6
        own = (await alice.get("/api/promotions/autumn")).json()
        assert [win["name"] for win in own["wins"]] == ["alice"] and "bob" not in str(own), "each their own"
        assert own["duties"] == [] and {form["act"] for form in own["forms"]} == {"claim-prize", "raise-dispute"}
        to_tell = [each["key"] for each in seen["duties"] if each["key"].startswith("tell/")]
        assert len(to_tell) == 2, "alice was there (21.8)"
        won = {win["name"]: win["prize"] for win in seen["wins"]}
        told = await does(dan, "tell-winner", name="bob", prize=won["bob"], method="telephone", reached=True)
        assert told.status_code == 200
        assert (await does(mona, "award-prize", name="alice", prize=won["alice"])).status_code == 200
        await denied_and_disputed(site, won)
        # tokens at a table are for those who hold a voucher, and use it up in the same append
        issue = {"act": "IssueTokens", "player": "alice", "cents": 10001}
        too_much = await dan.post("/api/tables/own/acts", json={"id": "t1", "act": issue})
        assert too_much.status_code == 409 and "$100.00 in vouchers" in too_much.json()["text"]
        acts = [{"id": f"t{each}", "act": issue | {"cents": 6000}} for each in (2, 3)]
        both = await asyncio.gather(*(dan.post("/api/tables/own/acts", json=each) for each in acts))
        assert sorted(each.status_code for each in both) == [200, 409], [each.text for each in both]
        (entrant,) = (await alice.get("/api/promotions/autumn")).json()["entrants"]
        assert (entrant["voucher_cents"], entrant["token_cents"]) == (4000, 6000)
        trial = floor.projections.ask(HouseBooks, lambda fold: fold.books.trial_balance())
        assert trial["voucher:alice"] == 4000 and trial["tokens:alice"] == 6000 and sum(trial.values()) == 0
        assert trial["vouchers"] == -10000 and trial["own/vouchers"] == 6000
        assert (await bob.get("/api/promotions/autumn/paper")).text.count("<li>") > 10
        page, rows = await sam.get("/api/promotions/autumn/report"), await sam.get("/api/promotions/autumn/rows")
        assert "<h2>Winners</h2>" in page.text and rows.text.count("winner,") == 4
        assert all(each.hidden for each in site.house.entries("promotion:autumn"))


async def denied_and_disputed(site: Web, won: dict[str, str]) -> None:
    """A claim that is denied is kept apart from the rest; who looks at it is in the audit. A dispute goes its way."""
    mona, sam, bob, alice = [await site.as_(name) for name in ("manager-1", "supervisor-1", "bob", "alice")]
    assert (await does(bob, "claim-prize", name="alice", prize=won["alice"])).status_code == 403
    assert (await does(bob, "raise-dispute", name="bob", what="the order")).status_code == 200
    assert (await does(mona, "decide-dispute", number=1, ruling="it stands")).status_code == 200
    assert (await does(alice, "not-satisfied", number=1)).status_code == 403, "it is not hers"
    assert (await does(bob, "not-satisfied", number=1)).status_code == 200
    due = {
        each["key"] for each in (await sam.get("/api/promotions/autumn")).json()["duties"] if each["state"] == "open"
    }
    assert "advise/1" in due
    assert (await does(sam, "advise-complaint", number=1)).status_code == 200


@pytest.mark.clause("nsw-pontoon", "21.10")
async def test_a_denied_claim_is_kept_sealed_and_whoever_looks_at_it_is_in_the_audit(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        mona = await site.as_("manager-1")
        said = terms(site)
        said["prizes"][0] |= {"value": "150"}
        assert (await offers(mona, said)).status_code == 200
        for act, fields in (
            ("file-terms", {"reference": "R-1"}), ("publish-terms", {"where": "desk"}),
            ("commit-draw", {"draw": "final"}),
        ):  # fmt: skip
            assert (await does(mona, act, **fields)).status_code == 200
        site.house.clock.pass_ms(2 * DAY_MS)
        mona = await site.as_("manager-1")
        await does(mona, "begin-promotion")
        await does(mona, "enter", name="alice", wagered=50)
        site.house.clock.pass_ms(3 * DAY_MS)
        mona, ines = await site.as_("manager-1"), await site.as_("inspector-1")
        assert (await does(mona, "draw-winners", draw="final", word="rain")).status_code == 200
        (win,) = (await mona.get("/api/promotions/autumn")).json()["wins"]
        refused = await does(mona, "deny-claim", name="alice", prize=win["prize"], why="no proof of identity")
        assert refused.status_code == 409 and "full_name" in refused.json()["text"]
        whole = {"full_name": "Alice Example", "address": "1 High Street"}
        denied = await does(mona, "deny-claim", name="alice", prize=win["prize"], why="no proof", **whole)
        assert denied.status_code == 200, denied.text
        shown = (await mona.get("/api/promotions/autumn")).text
        assert "High Street" not in shown
        assert (await mona.get("/api/registers/promotions")).text.count("High Street") == 0
        looked = len([each for each in site.house.entries("audit") if each.kind == "file-seen"])
        (claim,) = (await ines.get("/api/promotions/autumn/claims")).json()
        assert (claim["full_name"], claim["address"], claim["kept"]) == ("Alice Example", "1 High Street", True)
        assert len([each for each in site.house.entries("audit") if each.kind == "file-seen"]) == looked + 1
        assert all(each.hidden for each in site.house.entries("promotion:autumn"))
        assert b"High Street" not in (tmp_path / "floor.db").read_bytes()
