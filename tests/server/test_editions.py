"""What the server says of a table's own edition, and of one whose text is not at hand."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.floor.editions import Texts
from pitboss.floor.model import HOUSE, Accepted
from pitboss.rulebooks import editions, load
from pitboss.rulebooks.clauses import register
from tests.floor.memory import ALICE, a_table
from tests.floor.playing import play_out
from tests.floor.test_editions import CANBERRA, NSW, conditions, other_edition, tournament_table, under
from tests.server.test_accounts import Web, web


@pytest.fixture(autouse=True)
def forgetful(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test learns is forgotten after it."""
    monkeypatch.setattr(editions, "_learned", {})
    yield


async def played(site: Web) -> None:
    """A table at which alice has played one round."""
    floor = site.house.floor
    await a_table(floor)
    await play_out(floor, "t1", 1, random.Random(1), [ALICE])
    assert floor.hosts["t1"].rounds == 1


PAST = (
    "tables/t1/rulebook",
    "tables/t1/events",
    "tables/t1/at/3",
    "tables/t1/rounds",
    "tables/t1/rounds/1",
    "log/search?player=alice",
)


async def test_every_route_that_needs_a_missing_text_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digest = under(monkeypatch, other_edition())
    monkeypatch.setattr(Texts, "part", lambda *_: ())  # as if the text had been lost from the log
    async with web(tmp_path) as site:
        await played(site)
        browser = await site.as_("inspector-1")
        for path in PAST:
            assert (await browser.get(f"/api/{path}")).status_code == 200, path
    editions._learned.clear()  # a Pitboss that has started anew
    async with web(tmp_path) as site:
        browser = await site.as_("inspector-1")
        for path in (*PAST, "tables/t1"):
            answer = await browser.get(f"/api/{path}")
            assert answer.status_code == 503, (path, answer.text)
            said = answer.json()
            assert said["is"] == "halted" and said["text"].endswith("--export FILE."), path
            assert said["text"].startswith(f"edition {digest[:12]} of nsw-pontoon is missing (this version ships "), (
                path
            )


async def test_a_table_shows_its_own_edition_and_what_its_clauses_say_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gist = register(NSW)["13.1"].gist
    text = other_edition().replace(gist.encode(), b"Twins may part.")
    digest = under(monkeypatch, text)
    async with web(tmp_path) as site:
        await played(site)
    editions._learned.clear()
    async with web(tmp_path) as site:
        alice = await site.as_("alice")
        book = (await alice.get("/api/tables/t1/rulebook")).json()
        assert (book["digest"], book["amendments"]) == (digest, [])
        assert book["terms"]["settlement.even_money"]["is"] == {"wins": 7, "on": 1}
        (listed,) = (await alice.get("/api/tables")).json()
        assert listed["edition"] == digest
        shipped = (await alice.get(f"/api/rulebooks/{NSW}")).json()
        assert shipped["digest"] == load(NSW).edition
        assert shipped["terms"]["settlement.even_money"]["is"] == {"wins": 1, "on": 1}
        clause = f"/api/rulebooks/{NSW}/clauses/13.1"
        assert (await alice.get(clause)).json()["gist"] == gist
        assert (await alice.get(f"{clause}?edition={shipped['digest']}")).json()["gist"] == gist
        assert (await alice.get(f"{clause}?edition={digest}")).json()["gist"] == "Twins may part."
        assert (await alice.get(f"{clause}?edition={'e' * 64}")).status_code == 404
        assert (await alice.get("/api/tables/t9/rulebook")).status_code == 404
        found = (await (await site.as_("inspector-1")).get("/api/log/search?player=alice")).json()["found"]
        assert found and {row["edition"] for row in found} == {digest}


@pytest.mark.clause("canberra-pontoon-2005", "20.5")
async def test_a_table_shows_what_amends_it_also_when_it_is_closed(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        floor = site.house.floor
        await a_table(floor, "t1", tournament_table(conditions()))
        alice = await site.as_("alice")
        for closed in (False, True):
            if closed:
                assert isinstance(await floor.close_table(HOUSE, "c", "t1"), Accepted)
                assert "t1" not in floor.hosts
            book = (await alice.get("/api/tables/t1/rulebook")).json()
            assert book["name"].endswith("(spring cup)") and book["digest"] == load(CANBERRA).edition
            (layer,) = book["amendments"]
            assert (layer["title"], layer["kind"]) == ("spring cup", "approved-conditions")
            assert (layer["clauses"], layer["terms"]) == (["20.5"], ["boxes.players_max"])
            assert layer["approved"] == "the Commission, 1 September 2005"
            assert book["terms"]["boxes.players_max"] == {"is": 1, "clauses": ["20.7"]}
        assert (await alice.get(f"/api/rulebooks/{CANBERRA}")).json()["amendments"] == []
