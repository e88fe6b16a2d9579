"""What is kept of a person: who looked and why, for how long it is kept, and its erasure by two people."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import httpx
import pytest

from pitboss.floor import projections
from pitboss.floor.folds import HouseBooks, TablesEver
from pitboss.floor.registers import HouseRegisters
from pitboss.store.moving import opened
from pitboss.store.opening import open_log
from pitboss.store.verify import verify
from tests.server.test_accounts import Web, web
from tests.server.test_registers import a_table

_count = itertools.count()
DAY_MS = 86_400_000
SECRETS = ("passport N-4711", "S-99001", "a letter from her mother")


async def writes(browser: httpx.AsyncClient, name: str, act: str, **fields: Any) -> httpx.Response:
    body = {"id": f"e{next(_count)}", "act": {"act": act, **fields}}
    return await browser.post(f"/api/patrons/{name}", json=body)


async def asks(browser: httpx.AsyncClient, name: str = "alice") -> httpx.Response:
    return await browser.post(f"/api/patrons/{name}/erasure", json={"why": "she asked to be forgotten"})


def told_in(text: str) -> list[str]:
    return [secret for secret in SECRETS if secret in text]


async def a_file(site: Web) -> None:
    """Of alice: a document, a card, and an exclusion with its reason."""
    sam = await site.as_("supervisor-1")
    for act, fields in (
        ("Identify", {"document": SECRETS[0]}), ("IssueCard", {"number": SECRETS[1]}),
        ("Exclude", {"why": SECRETS[2], "scope": "casino"}),
    ):  # fmt: skip
        answer = await writes(sam, "alice", act, **fields)
        assert answer.status_code == 200, answer.text
    assert (await writes(sam, "bob", "Identify", document="licence of bob")).status_code == 200


@pytest.mark.clause("nsw-pontoon", "19.8.3")
async def test_it_is_kept_while_a_duty_stands_and_then_erased_by_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projections, "CHECKPOINT_EVERY", 1)
    async with web(tmp_path) as site:
        await a_table(site)
        await a_file(site)
        alice, sam, mona = [await site.as_(name) for name in ("alice", "supervisor-1", "manager-1")]
        shown = await sam.get("/api/patrons/alice?why=complaint+7")
        assert SECRETS[0] in shown.text
        refused = await asks(sam)
        assert refused.status_code == 409 and "excluded from the casino" in refused.json()["text"]
        assert refused.json()["refusal"]["clauses"] == ["19.8.3", "19.8"]
        assert (await writes(sam, "alice", "Admit", scope="casino")).status_code == 200
        assert (await writes(alice, "alice", "SetLossLimit", cents=10_000, period="week")).status_code == 200
        limited = await asks(sam)
        assert limited.status_code == 409 and "loss limit" in limited.json()["text"]
        assert (await writes(alice, "alice", "SetLossLimit", cents=None, period="week")).status_code == 200
        site.house.clock.pass_ms(8 * DAY_MS)
        alice, sam, mona, ines = [
            await site.as_(name) for name in ("alice", "supervisor-1", "manager-1", "inspector-1")
        ]
        young = await asks(sam)
        assert young.status_code == 409 and "kept for 2,557 days" in young.json()["text"]
        assert (await sam.post("/api/retention", json={"file_days": 1, "claim_days": 1})).status_code == 403
        assert (await mona.post("/api/retention", json={"file_days": 1, "claim_days": 1})).status_code == 200
        listed = (await sam.get("/api/erasures")).json()
        assert {each["name"] for each in listed["due"]} >= {"alice", "bob"} and listed["retention"]["file_days"] == 1
        before = (await sam.get("/api/registers/all")).text
        assert SECRETS[0] in before and SECRETS[2] in before
        assert (await asks(mona)).status_code == 200
        assert (await mona.post("/api/erasures/alice", json={"approve": True})).status_code == 403, "not by one alone"
        assert SECRETS[0] in (await sam.get("/api/patrons/alice")).text
        done = await ines.post("/api/erasures/alice", json={"approve": True})
        assert done.status_code == 200, done.text
        assert not told_in((await sam.get("/api/patrons/alice")).text)
        assert not told_in((await sam.get("/api/registers/all")).text)
        assert "licence of bob" in (await sam.get("/api/registers/all")).text
        told = (await sam.get("/api/erasures")).json()
        assert told["done"][0]["by"] == ["manager-1", "inspector-1"] and not told["waiting"]
        assert (await ines.post("/api/erasures/alice", json={"approve": True})).status_code == 404
        exported = (await alice.get("/api/patrons/alice/export")).json()
        assert exported["file"] == [] and not told_in(str(exported))
        (first, *_) = (await ines.get("/api/patrons/alice/looks")).json()[::-1]
        assert (first["who"], first["role"]) == ("supervisor-1", "supervisor") and "complaint 7" in first["what"]
        assert [each["who"] for each in (await alice.get("/api/patrons/alice/looks")).json()].count("supervisor-1") == 3
        bob = await site.as_("bob")
        assert (await bob.get("/api/patrons/alice/looks")).status_code == 403
        assert (await bob.get("/api/patrons/alice/export")).status_code == 403
        assert (await writes(sam, "alice", "Identify", document="a new passport")).status_code == 200
        assert "a new passport" in (await sam.get("/api/patrons/alice")).text, "who comes back has a new file"
        for kind in (HouseRegisters, HouseBooks, TablesEver):
            site.house.floor.projections.ask(kind, lambda fold: None)
    nothing_is_left(tmp_path)


def nothing_is_left(folder: Path) -> None:
    """With every key that is left: no row, checkpoint or byte of the file says it, and the log is sound."""
    with opened(open_log(str(folder / "floor.db"), read_only=True)) as log:
        report = verify(log)
        assert report.is_sound and report.erased == 7, report
        bodies = [entry.body + entry.answer for entry in log.read_all(0)]
        assert any(b"licence of bob" in body for body in bodies), "what is sealed was opened"
        kept = [log.snapshot(stream) for stream, *_ in log.snapshot_rows()]
        checkpoints = [each.body for each in kept if each is not None]
        assert len(checkpoints) == len(kept) >= 3, "they are opened too"
        rows = (folder / "floor.db").read_bytes()
        for secret in SECRETS:
            assert not any(secret.encode() in body for body in (*bodies, *checkpoints, rows)), secret


async def test_a_second_server_forgets_too(tmp_path: Path) -> None:
    async with web(tmp_path, owner="one") as site, web(tmp_path, staff=False, owner="two") as beside:
        await a_file(site)
        assert (await writes(await site.as_("supervisor-1"), "alice", "Admit", scope="casino")).status_code == 200
        there = await beside.as_("supervisor-1")
        assert SECRETS[0] in (await there.get("/api/patrons/alice")).text
        assert SECRETS[2] in (await there.get("/api/registers/restrictions")).text
        mona = await site.as_("manager-1")
        await mona.post("/api/retention", json={"file_days": 1, "claim_days": 1})
        for each in (site, beside):
            each.house.clock.pass_ms(2 * DAY_MS)
        mona, ines = await site.as_("manager-1"), await beside.as_("inspector-1")
        assert (await asks(mona)).status_code == 200
        assert (await ines.post("/api/erasures/alice", json={"approve": True})).status_code == 200
        for each in (site, beside):
            sam = await each.as_("supervisor-1")
            for path in ("/api/patrons/alice", "/api/registers/all"):
                assert not told_in((await sam.get(path)).text), path
        assert (await writes(await site.as_("supervisor-1"), "alice", "Identify", document="anew")).status_code == 200
        assert "anew" in (await (await beside.as_("supervisor-1")).get("/api/patrons/alice")).text
