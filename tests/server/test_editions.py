"""What the server says of a table's own edition, and of one whose text is not at hand."""

from __future__ import annotations

import datetime
import random
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from pitboss.floor.editions import Texts
from pitboss.floor.model import HOUSE, Accepted
from pitboss.rulebooks import editions, load
from pitboss.rulebooks.clauses import register
from pitboss.rulebooks.glossary import glossary
from pitboss.table import acts as a
from tests.floor.memory import ALICE, a_table, an_opening
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
    "tables/t1/rules",
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
        said = [(await alice.get(path)).text for path in ("/api/tables/t1/rules", f"/api/rulebooks/{NSW}/rules")]
        assert ["7 to 1" in text for text in said] == [True, False]
        assert (await alice.get("/api/tables/t9/rules")).status_code == 404
        shipped = (await alice.get(f"/api/rulebooks/{NSW}")).json()
        assert shipped["digest"] == load(NSW).edition
        assert shipped["terms"]["settlement.even_money"]["is"] == {"wins": 1, "on": 1}
        clause = f"/api/rulebooks/{NSW}/clauses/13.1"
        assert (await alice.get(clause)).json()["gist"] == gist
        assert (await alice.get(f"{clause}?edition={shipped['digest']}")).json()["gist"] == gist
        assert (await alice.get(f"{clause}?edition={digest}")).json()["gist"] == "Twins may part."
        assert (await alice.get(f"{clause}?edition={'e' * 64}")).status_code == 404
        words = f"/api/rulebooks/{NSW}/glossary"
        explained = {each["word"]: each for each in (await alice.get(words)).json()}
        assert explained["pontoon"]["means"] in {each.means for each in glossary(NSW)}
        assert "NaturalHeld" in explained["pontoon"]["events"]
        assert (await alice.get(f"{words}?edition={digest}")).json() == list(explained.values())
        assert (await alice.get(f"{words}?edition={'e' * 64}")).status_code == 404
        assert (await alice.get("/api/tables/t9/rulebook")).status_code == 404
        found = (await (await site.as_("inspector-1")).get("/api/log/search?player=alice")).json()["found"]
        assert found and {row["edition"] for row in found} == {digest}
        record = (await alice.get("/api/tables/t1/rounds/1")).text
        replayed = (await alice.post("/api/replay", json={"record": record})).json()
        assert replayed["rulebook"]["digest"] == digest
        assert replayed["rulebook"]["terms"]["settlement.even_money"]["is"] == {"wins": 7, "on": 1}
        named = (await alice.get(f"/api/rulebooks/{NSW}?edition={digest}")).json()
        assert named == book


async def test_a_ruling_at_a_table_is_by_its_own_edition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = other_edition()
    changed = re.sub(rb'("dispute_by":.*?"is":)"casino-supervisor"', rb'\1"gaming-manager"', text, count=1)
    assert changed != text
    under(monkeypatch, changed)
    async with web(tmp_path) as site:
        await played(site)
        dealer = await site.as_("dealer-1")
        path = f"/api/rulebooks/{NSW}/situations/dispute"
        answers = [(await dealer.post(path + more, json={"facts": {}})).json() for more in ("", "?table=t1")]
        assert "casino supervisor" in str(answers[0]) and answers[0] != answers[1]
        assert (await dealer.post(f"{path}?table=t9", json={"facts": {}})).status_code == 404
        other = f"/api/rulebooks/{CANBERRA}/situations/dispute?table=t1"
        assert (await dealer.post(other, json={"facts": {}})).status_code == 404


async def test_a_training_goes_on_by_the_text_under_which_it_was_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with web(tmp_path) as site:
        with monkeypatch.context() as patch:
            digest = under(patch, other_edition())
            patch.setattr("pitboss.drill.model.book_of", lambda rulebook: editions.edition(NSW, digest))
            dealer = await site.as_("dealer-1")
            begun = (await dealer.post("/api/training", json={"rulebook": NSW, "seed": "7"})).json()
            assert begun["edition"] == digest
    editions._learned.clear()
    async with web(tmp_path) as site:
        dealer = await site.as_("dealer-1")
        assert (await dealer.get(f"/api/training/{begun['id']}")).json() == begun
        assert editions.is_known(NSW, digest), "the log kept the text"


@pytest.mark.clause("nsw-pontoon", "5.1")
async def test_a_past_moment_has_the_rules_of_its_day(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        floor, before, after = site.house.floor, datetime.date(2024, 8, 18), datetime.date(2024, 8, 20)
        await a_table(floor, "t1", an_opening(date=before))
        assert isinstance(await floor.act(HOUSE, "t1", "d", a.TurnDate(after)), Accepted)
        inspector = await site.as_("inspector-1")
        needs = []
        for at in ("", "?at=1", "?at=2"):
            book = (await inspector.get(f"/api/tables/t1/rulebook{at}")).json()
            needs.append(book["terms"]["wagers.player_card"]["is"])
        assert needs == [True, False, True]
        moments = [(await inspector.get(f"/api/tables/t1/at/{at}")).json()["date"] for at in (1, 2)]
        assert moments == ["2024-08-18", "2024-08-20"]
        assert (await inspector.get("/api/tables/t1/rulebook?at=9")).status_code == 404


CUP = """
name = "spring cup"
rulebook = "canberra-pontoon-2005"
kind = "approved-conditions"
clauses = ["20.5", "20.3"]
approved = "the Commission, 1 September 2005"

[terms.boxes]
players_max = { is = 1, clause = "20.7", reading = "each player has a place of their own" }
"""


@pytest.mark.clause("canberra-pontoon-2005", "20.5")
async def test_a_table_is_opened_with_what_amends_the_document(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        manager = await site.as_("manager-1")

        async def opened(name: str, rulebook: str, *amend: str, **house: bool) -> httpx.Response:
            opening = {
                "rulebook": rulebook,
                "amend": amend,
                "house": {"decks": 8, "source": "shoe", "boxes": 7, "side_bets": []} | house,
            }
            return await manager.post("/api/tables", json={"id": name, "table": name, "opening": opening})

        good = await opened("cup", CANBERRA, CUP, tournament=True)
        assert good.status_code == 200, good.text
        book = (await manager.get("/api/tables/cup/rulebook")).json()
        assert [layer["title"] for layer in book["amendments"]] == ["spring cup"]
        assert book["terms"]["boxes.players_max"]["is"] == 1
        for name, rulebook, amend, tournament, status, words in (
            ("t2", CANBERRA, CUP, False, 409, "open the table for tournament play"),
            ("t3", CANBERRA, CUP.replace("players_max", "playrs_max"), True, 404, "the amendment: "),
            ("t4", CANBERRA, "no such", True, 404, "has no amendment 'no such' of its own"),
            ("t5", CANBERRA, "name = ", True, 404, "the amendment: not TOML"),
            ("t6", NSW, CUP, True, 404, "it amends 'canberra-pontoon-2005'"),
            ("t7", NSW, "tournament", False, 409, "open the table for tournament play"),
        ):
            answer = await opened(name, rulebook, amend, tournament=tournament)
            assert answer.status_code == status and words in answer.text, (name, answer.text)
            assert "?." not in answer.text


DECIDED = """
name = "our house"
rulebook = "adelaide-pontoon-2008"
kind = "house-decision"
clauses = ["122"]

[terms.irregularities]
cut_missed = { is = "finish-then-shuffle", clause = "122" }
"""


@pytest.mark.clause("adelaide-pontoon-2008", "122")
async def test_what_the_house_decides_holds_at_a_table_of_its_own(tmp_path: Path) -> None:
    """A ruling on that table asks no more; on the page stands which term it is; elsewhere the document is silent."""
    adelaide, key = "adelaide-pontoon-2008", "irregularities.cut_missed"
    async with web(tmp_path) as site:
        supervisor = await site.as_("supervisor-1")
        for name, text in (("t1", DECIDED), ("t2", f'disapplies = ["47(a)"]\n{DECIDED}')):
            opening = {"rulebook": adelaide, "amend": [text]}
            answer = await supervisor.post("/api/tables", json={"id": name, "table": name, "opening": opening})
            assert answer.status_code == (200 if name == "t1" else 409), answer.text
        assert "a house decides what it leaves open" in answer.text
        book = (await supervisor.get("/api/tables/t1/rulebook")).json()
        assert [layer["terms"] for layer in book["amendments"]] == [[key]]
        assert (book["terms"][key]["is"], book["terms"][key]["clauses"]) == ("finish-then-shuffle", ["122"])
        assert book["terms"][key]["says"][0].startswith("If the cut was missed, the round is finished as dealt")
        asked = {}
        for query in ("", "?table=t1"):
            path = f"/api/rulebooks/{adelaide}/situations/cut-missed{query}"
            ruled = (await supervisor.post(path, json={"facts": {}})).json()
            asked[query] = [question["about"] for question in ruled["questions"]]
            assert [step["clauses"] for step in ruled["steps"]] == ([["122"]] if query else [])
        assert asked == {"": [key], "?table=t1": []}


async def test_a_table_is_opened_by_the_text_that_was_asked_for_or_not_at_all(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        supervisor = await site.as_("supervisor-1")
        shipped = load(NSW).edition
        for number, (edition, status) in enumerate(
            ((shipped, 200), (shipped[:12], 200), ("", 200), (shipped[:8], 409), ("e" * 64, 409))
        ):
            opening = {"rulebook": NSW, "edition": edition}
            answer = await supervisor.post(
                "/api/tables", json={"id": f"o{number}", "table": f"t{number}", "opening": opening}
            )
            assert answer.status_code == status, answer.text
        assert f"new tables are opened by edition {shipped[:12]}, not 'eeeeeeeeeeee'" in answer.text


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
            term = book["terms"]["boxes.players_max"]
            assert (term["is"], term["clauses"]) == (1, ["20.7"]) and "one player" in term["says"][0].lower()
        assert (await alice.get(f"/api/rulebooks/{CANBERRA}")).json()["amendments"] == []


async def test_a_training_before_the_first_table_leaves_the_text_for_it(tmp_path: Path) -> None:
    """The text is in the log already when the table is opened, and no opening has named it."""
    async with web(tmp_path) as site:
        browser = await site.as_("supervisor-1")
        assert (await browser.post("/api/training", json={"rulebook": NSW})).status_code == 200
        for number in (1, 2):
            opening = {"id": f"o{number}", "table": f"t{number}", "opening": {"rulebook": NSW}}
            answer = await browser.post("/api/tables", json=opening)
            assert answer.status_code == 200, answer.text
