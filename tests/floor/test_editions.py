"""A table is played by the text under which it was opened, whatever the files of its rulebook say by now."""

from __future__ import annotations

import asyncio
import functools
import itertools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss.floor.editions import decode_opening, text_stream
from pitboss.floor.floor import Floor
from pitboss.floor.host import checkpoints_of, load_table, stream_of
from pitboss.floor.link import LinkOpening, links_of
from pitboss.floor.model import HOUSE, Accepted, Halted, NotAllowed, Opening, Unknown
from pitboss.floor.replaying import Replaying
from pitboss.floor.round_records import record_of_round
from pitboss.floor.setting_up import open_demo_floor
from pitboss.records import RecordError, loads, replay
from pitboss.records.explaining import explain
from pitboss.rulebooks import RULEBOOKS, editions, load
from pitboss.rulebooks.amend import own_layer
from pitboss.rulebooks.canonical import digest_of
from pitboss.rulebooks.clauses import register
from pitboss.rulebooks.terms import Amendment
from pitboss.store.opening import open_log
from pitboss.table import acts as a
from pitboss.table.house import default_house
from pitboss.table.legal import waiting_for
from pitboss.table.refusals import Refused
from pitboss.terminal.why import gists
from tests.floor.memory import ALICE, DEALER, SUPERVISOR, MemoryLog, a_floor, a_table, an_opening
from tests.floor.playing import must, ready, wander
from tests.store.servers import execute, postgres, stop

NSW = "nsw-pontoon"
SRC = Path(__file__).parents[2] / "src"
EDITED = ('even_money              = { is = "1 to 1"', 'even_money              = { is = "7 to 1"')
_numbers = itertools.count()


def pytest_sessionfinish() -> None:
    stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "log.db")
        return
    schema = f"editions_{os.getpid()}_{next(_numbers)}"
    address = f"{postgres()}&schema={schema}"
    yield address
    execute(address, f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')


def edited_copy(tmp_path: Path, before: str = EDITED[0], after: str = EDITED[1]) -> Path:
    """Pitboss with one value of NSW pontoon's terms changed, elsewhere."""
    copy = tmp_path / "edited"
    shutil.copytree(SRC, copy, ignore=shutil.ignore_patterns("__pycache__"))
    file = copy / "pitboss" / "rulebooks" / "nsw_pontoon" / "terms.toml"
    text = file.read_text(encoding="utf-8")
    assert text.count(before) == 1
    file.write_text(text.replace(before, after), encoding="utf-8")
    return copy


GO_ON = """
import asyncio, json, sys
from pitboss.floor.model import Opening
from pitboss.rulebooks import load
from pitboss.store.opening import open_log
from pitboss.table import acts as a
from pitboss.terminal.why import gists
from tests.floor.memory import ALICE, a_floor
from tests.floor.playing import do

async def main(url):
    log = open_log(url)
    async with a_floor(log) as floor:
        answer = await do(floor, ALICE, "t1", a.Stand("alice", 1))
        said = {"shipped": load("nsw-pontoon").edition, "pays": str(load("nsw-pontoon").settlement.even_money.value)}
        if "t1" in floor.hosts:
            table = floor.hosts["t1"].table
            said |= {"net": table.net.get("alice"), "phase": table.phase, "edition": table.rulebook.edition}
        said["answer"] = getattr(answer, "text", type(answer).__name__)
        print(json.dumps(said))
    log.close()

asyncio.run(main(sys.argv[1]))
"""


def go_on(source: Path, url: str) -> dict[str, Any]:
    """What comes of the round when it is played on by that Pitboss."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(source), str(SRC.parent)])}
    done = subprocess.run(
        [sys.executable, "-c", GO_ON, url], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@functools.cache
def winning_seed() -> int:
    """A seed with which alice wins even money by standing on her first two cards."""

    async def wins(seed: int) -> bool:
        async with a_floor(seed=seed) as floor:
            await dealt(floor)
            table = floor.hosts["t1"].table
            if waiting_for(table).what != "decision":
                return False
            await must(floor, ALICE, "t1", a.Stand("alice", 1))
            return floor.hosts["t1"].table.net["alice"] == 2500

    with ThreadPoolExecutor(1) as other:  # a test may have a loop of its own here
        return next(seed for seed in range(1, 1000) if other.submit(asyncio.run, wins(seed)).result())


async def dealt(floor: Floor) -> None:
    """A table on which alice has wagered $25 and decides next."""
    await a_table(floor)
    await ready(floor, "t1")
    await must(floor, ALICE, "t1", a.PlaceWager("alice", 1, 2500))
    await must(floor, DEALER, "t1", a.Deal())


def test_a_table_that_is_opened_again_in_mid_round_pays_by_the_text_of_its_opening(url: str, tmp_path: Path) -> None:
    async def begin() -> None:
        log = open_log(url)
        async with a_floor(log, seed=winning_seed()) as floor:
            await dealt(floor)
        log.close()

    asyncio.run(begin())
    after = go_on(edited_copy(tmp_path), url)
    assert after["pays"] == "7 to 1" and after["shipped"] != load(NSW).edition
    assert (after["answer"], after["phase"], after["net"]) == ("Accepted", "wagers", 2500)
    assert after["edition"] == load(NSW).edition


# --- texts in the log ------------------------------------------------------------------------------------------------


def other_edition(before: str = '"even_money":{"clauses":["10.5:T1:other","10.4"],"is":"1 to 1"}') -> bytes:
    """A text of NSW pontoon in which even money is 7 to 1."""
    text = editions.text(NSW).decode()
    assert text.count(before) == 1
    return text.replace(before, before.replace("1 to 1", "7 to 1")).encode()


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test learns is forgotten after it."""
    monkeypatch.setattr(editions, "_learned", {})
    yield


def under(monkeypatch: pytest.MonkeyPatch, text: bytes) -> str:
    """Open tables under another edition of NSW pontoon, as an older Pitboss did; gives its digest."""
    book = editions.learn(text)
    monkeypatch.setattr(
        "pitboss.floor.floor.with_edition", lambda opening: msgspec.structs.replace(opening, edition=book.edition)
    )
    return book.edition


async def test_every_text_stands_in_the_log_once() -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        for number in range(2):
            for rulebook in RULEBOOKS:
                await a_table(floor, f"{rulebook}-{number}", an_opening(rulebook))
    async with a_floor(log) as floor:
        await a_table(floor, "later", an_opening(NSW))
    texts = log.streams("rulebook:")
    assert texts == {text_stream(load(rulebook).edition): 1 for rulebook in RULEBOOKS}
    for stream in texts:
        assert digest_of(next(log.read(stream)).body) == stream.partition(":")[2]
    for table in ("later", f"{NSW}-0"):
        assert decode_opening(next(log.read(stream_of(table))).body).edition == load(NSW).edition


async def test_two_who_open_the_first_tables_at_once_write_the_text_once() -> None:
    async with a_floor() as floor:
        names = [f"t{number}" for number in range(5)]
        answers = await asyncio.gather(*(floor.open_table(HOUSE, name, name, an_opening()) for name in names))
        assert all(isinstance(answer, Accepted) for answer in answers)
        assert floor.commits.log.version(text_stream(load(NSW).edition)) == 1


async def test_checkpoints_and_the_past_are_read_under_the_text_of_the_opening(
    monkeypatch: pytest.MonkeyPatch, forgetful: None
) -> None:
    log = MemoryLog()
    digest = under(monkeypatch, other_edition())
    async with a_floor(log) as floor:
        await a_table(floor)
        await wander(floor, "t1", 700, 3)
        rounds = floor.hosts["t1"].rounds
    assert log.version(checkpoints_of("t1"))
    editions._learned.clear()  # a Pitboss that has started anew
    loaded = load_table(log, "t1")
    assert loaded is not None and loaded.table.rulebook.edition == digest
    assert str(loaded.table.rulebook.settlement.even_money.value) == "7 to 1"
    text = record_of_round(log, "t1", rounds)
    assert f'edition  = "{digest}"' in text
    assert replay(loads(text)).ok


async def test_a_jackpot_is_read_under_the_text_of_its_opening(forgetful: None) -> None:
    rulebook, log = "nsw-blackjack-challenge", MemoryLog()
    async with a_floor(log) as floor:
        opening = LinkOpening(rulebook, 3_000_000, 2_500_000, 10, 500)
        assert isinstance(await links_of(floor).open(SUPERVISOR, "l", "sevens", opening), Accepted)
        assert log.version(text_stream(load(rulebook).edition)) == 1
        house = default_house(load(rulebook), source="shuffling-device", jackpot_linked=True, jackpot_rate_percent=10)
        wanted = Opening(rulebook, house=house, link="sevens")
        assert isinstance(await floor.open_table(HOUSE, "o", "t1", wanted), Accepted)
        assert log.version(text_stream(load(rulebook).edition)) == 1
    for entry in log.streams("link:"):
        first = next(log.read(entry))
        said = msgspec.json.decode(first.body, type=LinkOpening)
        assert said.edition == load(rulebook).edition
    renamed = swapped(log, load(rulebook).edition, "f" * 64)
    async with a_floor(renamed) as floor:
        answer = await floor.host_of("t1")
        assert isinstance(answer, Halted) and "ffffffffffff of nsw-blackjack-challenge is missing" in answer.text


def swapped(log: MemoryLog, before: str, after: str) -> MemoryLog:
    """The same log with something in it called otherwise; the text of no edition is found under its name any more."""
    copy = MemoryLog()
    for entry in log.entries:
        body, stream = entry.body.replace(before.encode(), after.encode()), entry.stream.replace(before, after)
        changed = msgspec.structs.replace(entry, body=body, stream=stream)
        copy.entries.append(changed)
        copy.by_stream.setdefault(stream, []).append(changed)
    return copy


async def test_a_missing_edition_is_named_in_one_sentence() -> None:
    log = MemoryLog()
    async with a_floor(log, seed=winning_seed()) as floor:
        await dealt(floor)
    async with a_floor(swapped(log, load(NSW).edition, "e" * 64)) as floor:
        answer = await floor.host_of("t1")
        assert isinstance(answer, Halted)
        assert answer.text.startswith("edition eeeeeeeeeeee of nsw-pontoon is missing (this version ships ")
        assert "--editions" in answer.text and answer.text.endswith(".") and "\n" not in answer.text
        assert isinstance(await a_table(floor, "t2"), str)  # the others go on


async def test_an_opening_from_before_editions_is_read_under_the_first_one() -> None:
    log = MemoryLog()
    async with a_floor(log, seed=winning_seed()) as floor:
        await dealt(floor)
    old = swapped(swapped(log, f'"edition":"{load(NSW).edition}",', ""), '"amendments":[],', "")
    assert b"edition" not in next(old.read(stream_of("t1"))).body
    async with a_floor(old) as floor:
        await must(floor, ALICE, "t1", a.Stand("alice", 1))
        table = floor.hosts["t1"].table
        assert table.net["alice"] == 2500 and table.rulebook.edition == editions.first_edition(NSW)


# --- amended tables --------------------------------------------------------------------------------------------------

CANBERRA = "canberra-pontoon-2005"


def conditions(**more: Any) -> Amendment:
    terms = {"boxes.players_max": {"is": 1, "clauses": ["20.7"]}}
    said = {"name": "spring cup", "kind": "approved-conditions", "terms": terms, "clauses": ("20.5",)}
    return Amendment(**{**said, "approved": "the Commission, 1 September 2005", **more})


def tournament_table(*amendments: Amendment, rulebook: str = CANBERRA, tournament: bool = True) -> Opening:
    house = default_house(load(rulebook), tournament=tournament)
    return Opening(rulebook, house=house, amendments=amendments)


@pytest.mark.clause("canberra-pontoon-2005", "20.5")
async def test_approved_conditions_override_the_rules_at_a_tournament_table() -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        await a_table(floor, "t1", tournament_table(conditions()))
        await ready(floor, "t1")
    async with a_floor(log) as floor:
        table = floor.hosts["t1"].table
        assert table.rulebook.name == "Canberra pontoon 2005 (spring cup)"
        assert [each.name for each in table.rulebook.amendments] == ["spring cup"]
        assert (table.rulebook.boxes.players_max.value, table.rulebook.boxes.players_max.clauses) == (1, ("20.7",))


def leaving(layer: Amendment) -> Amendment:
    """The same layer, which takes a term away and puts nothing in its place."""
    boxes = {key: term for key, term in layer.terms["boxes"].items() if key != "several"}
    return msgspec.structs.replace(layer, terms={**layer.terms, "boxes": boxes}, left={"boxes.several": "20.6.10"})


async def test_a_tournament_table_is_opened_under_the_documents_own_layer() -> None:
    async with a_floor() as floor:
        opened = await floor.open_table(
            HOUSE, "", "t1", tournament_table(own_layer(load(NSW), "tournament"), rulebook=NSW)
        )
        assert not isinstance(opened, NotAllowed)
        assert floor.hosts["t1"].table.rulebook.wagers.means.value == ("tournament-chips",)


@pytest.mark.parametrize(
    ("opening", "clauses", "text"),
    [
        (tournament_table(conditions(approved="")), {"20.5", "20.3"}, "must be approved"),
        (tournament_table(conditions(clauses=("20.6",))), {"20.5", "20.3"}, "which does not allow it"),
        (tournament_table(conditions(), tournament=False), {"20.5"}, "is for tournament tables"),
        (
            tournament_table(conditions(kind="study", clauses=(), terms={"dealer.soft_stand": 17})),
            set(),
            "keeps to the",
        ),
        (
            tournament_table(leaving(own_layer(load(NSW), "tournament")), rulebook=NSW),
            {"20.2.1"},
            "to the conduct of a tournament",
        ),
        (tournament_table(conditions(clauses=("5",)), rulebook="adelaide-pontoon-2008"), {"1"}, "lets no conditions"),
    ],
    ids=["unapproved", "wrong clause", "no tournament", "study", "left", "adelaide"],
)
async def test_a_table_is_not_opened_under_what_the_document_does_not_allow(
    opening: Opening, clauses: set[str], text: str
) -> None:
    log = MemoryLog()
    async with a_floor(log) as floor:
        answer = await floor.open_table(HOUSE, "o", "t1", opening)
        assert isinstance(answer, NotAllowed) and text in answer.refusal.text, answer
        assert clauses <= set(answer.refusal.clauses) and not log.entries


async def test_an_amendment_that_is_none_is_named_by_its_key() -> None:
    async with a_floor() as floor:
        for layer, text in (
            (conditions(kind="whim"), "kind: 'whim' is no kind of amendment"),
            (conditions(terms={"boxes.players_mux": {"is": 1, "clause": "20.7"}}), "did you mean boxes.players_max?"),
            (conditions(name="\x07"), "name: an amendment needs a name"),
        ):
            answer = await floor.open_table(HOUSE, "", "t1", tournament_table(layer))
            assert isinstance(answer, Unknown) and text in answer.text, answer


def test_a_record_of_a_text_that_only_the_log_has_is_shown_too(forgetful: None) -> None:
    """A helper that replays records does not know the log."""
    book = editions.learn(other_edition())
    record = (
        f'title = "x"\nrulebook = "{NSW}"\nedition = "{book.edition}"\ncards = "9s 7h Kd 8c Kh"\n'
        'play = ["alice bets 10 on 1", "dealer deals", "alice stands"]\nexpect = { net = { alice = 70 } }\n'
    )
    replaying = Replaying()
    try:
        shown = msgspec.json.decode(replaying.show(record))
        assert shown["expects"] and shown["failures"] == []
        with pytest.raises(RecordError, match="edition eeeeeeeeeeee of nsw-pontoon is missing"):
            replaying.show(record.replace(book.edition, "e" * 64))
    finally:
        replaying.close()


async def test_the_demo_floor_is_opened_under_amendments_that_a_document_allows() -> None:
    async with a_floor() as floor:
        assert await open_demo_floor(floor, {CANBERRA: [conditions()]}) == list(RULEBOOKS)
        assert floor.hosts[CANBERRA].table.rulebook.boxes.players_max.value == 1
        assert floor.hosts[NSW].table.rulebook is load(NSW)
    async with a_floor() as floor:
        with pytest.raises(Refused, match=r"20\.2\.1"):
            await open_demo_floor(floor, {NSW: [leaving(own_layer(load(NSW), "tournament"))]})


def test_what_a_clause_says_is_told_from_the_edition_of_the_record(forgetful: None) -> None:
    gist = register(NSW)["10.4"].gist
    book = editions.learn(other_edition().replace(gist.encode(), b"Seven times the wager is paid."))
    record = (
        f'title = "x"\nrulebook = "{NSW}"\nedition = "{book.edition}"\nclauses = ["10.4", "10"]\n'
        'cards = "9s 7h Kd 8c Kh"\nplay = ["alice bets 10 on 1", "dealer deals", "alice stands"]\n'
    )
    about, heading = explain(replay(loads(record)))["about"]
    assert about["gist"] == "Seven times the wager is paid." and heading["gist"].startswith("A heading over ")
    assert gists(["10.4"], book)[0][2] == "Seven times the wager is paid."
    shipped, _ = explain(replay(loads(record.replace(book.edition, load(NSW).edition))))["about"]
    assert shipped["gist"] == gist == gists(["10.4"], load(NSW))[0][2]
