"""What staff ask of the server besides tables: proofs of the log, what to do when something went wrong, training."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss.adjudicate import SITUATIONS
from pitboss.floor.model import Opening
from pitboss.floor.training import Said, Training
from pitboss.rulebooks import RULEBOOKS
from pitboss.server.security import Guard
from pitboss.store.log import Head
from pitboss.store.signing import Signer
from tests.floor.peopled import caller
from tests.server.test_accounts import Web, web
from tests.server.test_matrix import NO_LIMIT


async def a_table(site: Web, table: str = "t1") -> None:
    await site.house.floor.open_table(caller("supervisor-1"), table, table, Opening("nsw-pontoon"))


def kept(signer: Signer, seq: int, hash: str) -> str:
    """A signed checkpoint as a line of a file."""
    return msgspec.json.encode(signer.sign(Head(seq, bytes.fromhex(hash)), 1_700_000_000_000)).decode()


# --- proofs ----------------------------------------------------------------------------------------------------------


async def test_the_log_is_verified_and_held_against_heads_that_were_kept(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        await a_table(site)
        browser = await site.as_("inspector-1")
        head = (await browser.get("/api/log/head")).json()
        line = kept(Signer(tmp_path / "a.key"), head["seq"], head["hash"])
        proof = (await browser.post("/api/log/verify", json={"heads": f"{line}\n"})).json()
        assert proof["sound"] and proof["heads"] == 1 and proof["seq"] >= head["seq"] and proof["faults"] == []
        elsewhere = kept(Signer(tmp_path / "a.key"), head["seq"] + 1000, head["hash"])
        proof = (await browser.post("/api/log/verify", json={"heads": f"{line}\n{elsewhere}\n"})).json()
        assert not proof["sound"] and [fault["kind"] for fault in proof["faults"]] == ["truncated"]
        unread = await browser.post("/api/log/verify", json={"heads": f"{line}\n{{}}\n"})
        assert unread.status_code == 400 and unread.json()["text"].startswith("line 2 is not a signed checkpoint")
        for odd in (line.replace(f'"seq":{head["seq"]}', '"seq":-1'), line.replace("1700000000000", str(1 << 64))):
            assert odd != line
            unread = await browser.post("/api/log/verify", json={"heads": odd})
            assert unread.status_code == 400 and "line 1 is not a signed checkpoint" in unread.json()["text"]
        dealer = await site.as_("dealer-1")
        assert (await dealer.post("/api/log/verify", json={})).status_code == 403


async def test_what_was_altered_is_told_with_its_place(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        await a_table(site)
        with sqlite3.connect(tmp_path / "floor.db") as file:
            (seq,) = file.execute("SELECT seq FROM entries WHERE kind = 'table-opened'").fetchone()
            file.execute("DROP TRIGGER entries_do_not_change")
            file.execute("UPDATE entries SET at_ms = at_ms + 1 WHERE seq = ?", (seq,))
        browser = await site.as_("supervisor-1")
        proof = (await browser.post("/api/log/verify", json={})).json()
        assert not proof["sound"] and [(fault["seq"], fault["kind"]) for fault in proof["faults"]] == [(seq, "altered")]


async def test_closed_tables_are_listed_for_whoever_looks_back(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        await a_table(site)
        supervisor = await site.as_("supervisor-1")
        assert (await supervisor.post("/api/tables/t1/close", json={"id": "c"})).status_code == 200
        (row,) = (await supervisor.get("/api/log/tables")).json()
        assert (row["table"], row["rulebook"], row["version"]) == ("t1", "nsw-pontoon", 2) and row["closed_ms"]
        assert (await supervisor.get("/api/tables/t1/at/1")).json()["view"]["phase"] == "wagers"
        assert (await (await site.as_("alice")).get("/api/log/tables")).status_code == 403


async def test_the_log_for_analysis_withholds_what_the_lines_withhold(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    async with web(tmp_path) as site:
        await a_table(site)
        assert (await (await site.as_("supervisor-1")).get("/api/log/export.parquet")).status_code == 403
        answer = await (await site.as_("inspector-1")).get("/api/log/export.parquet")
        assert answer.status_code == 200
        file = tmp_path / "taken.parquet"
        file.write_bytes(answer.content)
    rows = duckdb.sql(f"SELECT stream, body FROM '{file}'").fetchall()
    bodies = {body for stream, body in rows if stream == "people"}
    withheld = [msgspec.json.decode(body) for body in bodies]
    assert {told["withheld"] for told in withheld} == {"secrets of an account"}
    assert len({told["commitment"] for told in withheld}) == sum(stream == "people" for stream, _ in rows)
    assert any(stream == "table:t1" and '"rulebook":"nsw-pontoon"' in body for stream, body in rows)


@pytest.mark.parametrize("installed", [True, False])
async def test_a_server_without_duckdb_says_so_beforehand_and_when_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, installed: bool
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object() if installed else None)
    async with web(tmp_path) as site:
        inspector, supervisor = await site.as_("inspector-1"), await site.as_("supervisor-1")
        exports = (await inspector.get("/api/me")).json()["exports"]
        assert exports == (["jsonl", "parquet"] if installed else ["jsonl"])
        assert (await supervisor.get("/api/me")).json()["exports"] == [], "he takes no log away"
        if not installed:
            answer = await inspector.get("/api/log/export.parquet")
            assert answer.status_code == 501 and answer.json()["is"] == "error"
            text = answer.json()["text"]
            assert "duckdb is not installed" in text and "JSON lines" in text and "pitboss[charts]" in text
            assert (await supervisor.get("/api/log/export.parquet")).status_code == 403


async def test_the_newest_of_the_audit(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        browser = await site.as_("admin-1")
        for _ in range(5):
            await site.as_("alice")
        everything = (await browser.get("/api/audit")).json()
        latest = (await browser.get("/api/audit?latest=true&limit=2")).json()
        assert [row["version"] for row in latest] == [row["version"] for row in everything][-2:]


# --- when something went wrong ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", RULEBOOKS)
async def test_every_situation_has_a_ruling_or_says_what_is_still_to_be_known(tmp_path: Path, rulebook: str) -> None:
    """Questions are answered one after the other, as on the page, until nothing but the house's own choice is open."""
    async with web(tmp_path, guard=Guard(limits=NO_LIMIT)) as site:
        browser = await site.as_("dealer-1")
        listed = (await browser.get(f"/api/rulebooks/{rulebook}/situations")).json()
        assert [each["situation"] for each in listed] == [each.name for each in SITUATIONS]
        for each in listed:
            facts: dict[str, str] = {}
            while True:
                path = f"/api/rulebooks/{rulebook}/situations/{each['situation']}"
                answer = await browser.post(path, json={"facts": facts})
                assert answer.status_code == 200, answer.text
                ruling = answer.json()
                asked = [question for question in ruling["questions"] if question["kind"] == "fact"]
                if not asked:
                    break
                facts[asked[0]["about"]] = asked[0]["choices"][0]["value"] if asked[0]["choices"] else "25"
            assert ruling["steps"] or ruling["questions"], each
            assert all(step["clauses"] for step in ruling["steps"])


async def test_facts_that_cannot_be_read_are_told_in_a_sentence(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        browser = await site.as_("dealer-1")
        path = "/api/rulebooks/nsw-pontoon/situations/extra-dealer-card"
        answer = await browser.post(path, json={"facts": {"exposed": "perhaps"}})
        assert answer.status_code == 400 and answer.json()["text"].startswith("exposed: 'perhaps' is no answer.")
        assert (await browser.post(path, json={"facts": {"colour": "red"}})).status_code == 400
        assert (await browser.post(path.replace("extra", "missing"), json={})).status_code == 404
        assert (await site.browser().post(path, json={})).status_code == 401


# --- training --------------------------------------------------------------------------------------------------------


async def trained(browser: Any, **asked: Any) -> dict[str, Any]:
    """A training from beginning to end, with one wrong step."""
    begun = (await browser.post("/api/training", json=asked)).json()
    path = f"/api/training/{begun['id']}"
    await browser.post(path, json={"step": "gather"})
    for moment in Training(begun["rulebook"], begun["seed"], begun["rounds"]).moments:
        said: Said = moment.step.said
        answer = await browser.post(path, json={k: v for k, v in msgspec.to_builtins(said).items() if v is not None})
        assert answer.json()["verdict"]["right"], answer.text
    told: dict[str, Any] = answer.json()
    return told


async def test_a_trainer_sees_how_everybody_did_and_a_trainee_how_he_did(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        dealer, player = await site.as_("dealer-1"), await site.as_("alice")
        over = await trained(dealer, rulebook="nsw-pontoon", scenario="split")
        assert over["over"] and over["score"]["right_at_once"] == over["of"] - 1
        await trained(player, rulebook="canberra-pontoon-2002", seed="x")
        (own,) = (await dealer.get("/api/trainees")).json()
        assert (own["name"], own["seed"], own["steps"]) == ("dealer-1", over["seed"], over["of"])
        assert own["mistakes"] and own["wrong"] == 1
        everybody = (await (await site.as_("manager-1")).get("/api/trainees")).json()
        assert [each["name"] for each in everybody] == ["alice", "dealer-1"]
        assert (await site.browser().get("/api/trainees")).status_code == 401


async def test_a_scenario_that_the_rulebook_does_not_have(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        dealer = await site.as_("dealer-1")
        names = {each["scenario"] for each in (await dealer.get("/api/rulebooks/nsw-pontoon/scenarios")).json()}
        assert "insurance" in names and "jackpot" not in names
        asked = {"rulebook": "nsw-pontoon", "scenario": "jackpot"}
        answer = await dealer.post("/api/training", json=asked)
        assert answer.status_code == 400 and "NSW pontoon has no round with this" in answer.json()["text"]
        assert (await dealer.get("/api/rulebooks/whist/scenarios")).status_code == 404
