"""What nobody opens a table with where people play: other people's names, other rules, or without the second person."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss.floor.bots import NAMES
from pitboss.floor.floor import Floor, TableOpened
from pitboss.floor.host import stream_of
from pitboss.floor.model import FLOOR, HOUSE, Accepted, Caller, Denied, NotAllowed, Opening, Timers, Unknown
from pitboss.floor.permissions import LARGE_CENTS, RULES, denial, not_for_the_house
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.clauses import exists
from pitboss.store.log import Append, NewEntry, Part
from pitboss.table import acts as a
from pitboss.table.engine import open_table
from pitboss.table.house import Patron, default_house
from tests.floor.memory import ALICE, BOB, SUPERVISOR, MemoryLog, a_floor, a_table
from tests.floor.peopled import Peopled, caller, run
from tests.floor.playing import must, ready
from tests.floor.test_permissions import sample

NSW = "nsw-pontoon"
MANAGER = Caller("max", "gaming-manager", "s-max")
TOURNAMENT = Caller("tom", "tournament-manager", "s-tom")
QUICK = Timers(*[20] * len(Timers.__struct_fields__))


def opening(rulebook: str = NSW, dealer: Any = "house", house: dict[str, Any] | None = None, **more: Any) -> Opening:
    return Opening(rulebook, house=default_house(load(rulebook), **(house or {})), dealer=dealer, timers=QUICK, **more)


async def asked(floor: Floor, wanted: Opening, who: Caller = SUPERVISOR, table: str = "t1") -> Any:
    return await floor.open_table(who, f"open-{table}", table, wanted)


async def is_refused(wanted: Opening, text: str, *clauses: str, who: Caller = SUPERVISOR) -> None:
    """In one sentence, with clauses of the rulebook, and nothing is written."""
    log = MemoryLog()
    async with a_floor(log) as floor:
        answer = await asked(floor, wanted, who)
        assert isinstance(answer, NotAllowed) and text in answer.refusal.text, answer
        assert set(clauses) <= set(answer.refusal.clauses) and answer.refusal.text.endswith(".")
        assert answer.refusal.clauses and all(exists(wanted.rulebook, each) for each in answer.refusal.clauses)
        assert not floor.openings and not log.entries


# --- bots ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bots", "text"),
    [
        (("alice", "bob"), "'alice' is no bot"),
        (("bot-alice", "alice"), "'alice' is no bot"),
        (("dealer",), "'dealer' is no bot"),
        (("x",) * 20, "'x' is no bot"),
        (("Bot-alice",), "'Bot-alice' is no bot"),
        (("bot-../x",), "'bot-../x' is no bot"),
        (("bot-a", "bot-b", "bot-a"), "two bots have the same name"),
        (tuple(f"bot-{number}" for number in range(8)), "there are 7 boxes and 8 bots"),
    ],
)
@pytest.mark.parametrize("who", [SUPERVISOR, MANAGER, HOUSE])
async def test_the_house_is_not_told_to_play_for_people(bots: tuple[str, ...], text: str, who: Caller) -> None:
    await is_refused(opening(bots=bots), text, who=who)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
async def test_as_many_bots_as_boxes(rulebook: str) -> None:
    boxes = default_house(load(rulebook)).boxes
    async with a_floor() as floor:
        wanted = opening(rulebook, bots=tuple(f"bot-{number}" for number in range(boxes)))
        assert isinstance(await asked(floor, wanted), Accepted)
    await is_refused(opening(rulebook, bots=tuple(f"bot-{number}" for number in range(boxes + 1))), "boxes and")


@pytest.mark.parametrize("name", ["bot-x", "BOT-x"])
async def test_nobody_is_seated_under_a_bots_name(name: str) -> None:
    await is_refused(opening(players={name: Patron(seat=1)}), "is a bot's name")


async def test_a_bot_may_be_given_a_seat_and_chips() -> None:
    async with a_floor() as floor:
        wanted = opening(players={"bot-alice": Patron(seat=1, chips_cents=5000)}, bots=("bot-alice",))
        assert isinstance(await asked(floor, wanted), Accepted)


def test_what_the_house_says_for_a_player() -> None:
    """What the rules have for those who say nothing; everything else for its own bots of this table only."""
    for name, rule in RULES.items():
        if rule.who != "player":
            continue
        for player in ("alice", "bot-bob", ""):
            assert (not_for_the_house(sample(name, player=player), NAMES[:1]) is None) == rule.house_too, name
        assert not_for_the_house(sample(name, player="bot-alice"), NAMES[:1]) is None
    assert not_for_the_house(a.Deal(), ()) is None


async def test_the_host_lets_the_house_play_its_own_bots_only() -> None:
    async with a_floor() as floor:
        await asked(floor, opening(bots=("bot-alice",)))
        version = floor.hosts["t1"].version
        for act in (a.TakeSeat("alice", 1), a.PlaceWager("alice", 1, 500), a.PlaceWager("bot-bob", 2, 500)):
            answer = await floor.act(HOUSE, "t1", "", act)
            assert isinstance(answer, Denied) and "its own bots" in answer.text
        assert floor.hosts["t1"].version in (version, version + 1), "the bot itself may have sat down"
        assert "alice" not in floor.hosts["t1"].table.players


@pytest.mark.parametrize("who", [SUPERVISOR, MANAGER])
def test_staff_seat_no_bots(who: Caller) -> None:
    table = open_table(NSW)
    assert denial(who, a.TakeSeat("alice", 1), table) is None
    denied = denial(who, a.TakeSeat("bot-x", 1), table)
    assert denied is not None and "by themselves" in denied.text


async def test_people_whom_an_older_log_calls_bots_play_for_themselves() -> None:
    """The table is as it was, without somebody else's hand on alice's cards; bots who sit there go on."""
    log = MemoryLog()
    async with a_floor(log) as floor:
        players = {"bot-zed": Patron(seat=2), "alice": Patron(seat=1), "bob": Patron(seat=3)}
        old = opening(bots=("alice", "bot-eve"), players=players)
        write_opened(log, "t1", old)
        await floor.follow()
        await floor.host_of("t1")
        assert floor.hosts["t1"].opening.bots == ("bot-eve", "bot-zed")
        host = floor.hosts["t1"]
        await until(lambda: host.table.phase == "wagers" and host.table.preparation == "ready")
        await must(floor, ALICE, "t1", a.PlaceWager("alice", 1, 500))
        await must(floor, BOB, "t1", a.PlaceWager("bob", 3, 500))
        await until(lambda: host.rounds >= 1)
        said = [(entry.by, msgspec.json.decode(entry.body)["act"]) for entry in log.read(stream_of("t1"), 1)]
        mine = {act["act"] for by, act in said if act.get("player") == "alice" and not by}
        assert mine <= {name for name, rule in RULES.items() if rule.house_too}, mine
        assert "PlaceWager" in {act["act"] for by, act in said if act.get("player") == "bot-zed" and not by}


async def until(holds: Any) -> None:
    for _ in range(500):
        if holds():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it never came to that")


def write_opened(log: MemoryLog, table: str, old: Opening) -> None:
    """A table as an older version may have opened it."""
    body = msgspec.json.encode(TableOpened(table, old))
    parts = (
        Part(FLOOR, log.version(FLOOR), (NewEntry("table-opened", body),)),
        Part(stream_of(table), 0, (NewEntry("opened", msgspec.json.encode(old)),)),
    )
    log.append([Append(parts, 0, "sam", "", b"")])


# --- the second person and the clauses ------------------------------------------------------------------------------


async def test_face_down_wants_the_inspector_first() -> None:
    """NSW pontoon 3.6.2; where the clause wants the players' request only, a supervisor's word is enough."""
    for who in (SUPERVISOR, MANAGER):
        await is_refused(opening(house={"face_down": True}), "then ask for DealFaceDown", "3.6.2", who=who)
    async with a_floor() as floor:
        assert isinstance(await asked(floor, opening("adelaide-pontoon-2008", house={"face_down": True})), Accepted)


LARGE: tuple[dict[str, Any], ...] = (
    {"maximum_cents": LARGE_CENTS},
    {"maximum_cents": 100_000_000_00},
    {"side_limits": {"perfect-pairs": (100, LARGE_CENTS)}},
)


@pytest.mark.parametrize("house", LARGE)
@pytest.mark.parametrize("rulebook", RULEBOOKS)
async def test_a_large_maximum_wants_a_gaming_manager(rulebook: str, house: dict[str, Any]) -> None:
    heard: list[tuple[str, Any, str]] = []

    async def listen(who: Caller, table: str, what: Any, why: Denied) -> None:
        heard.append((who.name, what, table))

    async with a_floor() as floor:
        floor.denied = listen
        for who in (SUPERVISOR, TOURNAMENT):
            answer = await asked(floor, opening(rulebook, house=house | {"tournament": who is TOURNAMENT}), who)
            assert isinstance(answer, Denied) and "with a second person" in answer.text, answer
            assert answer.clauses == load(rulebook).limits.changed_by.clauses
        assert heard == [("sam", "open-table", "t1"), ("tom", "open-table", "t1")] and not floor.openings
        less = opening(rulebook, house={"maximum_cents": LARGE_CENTS - 100})
        assert isinstance(await asked(floor, less, table="t2"), Accepted)
        assert isinstance(await asked(floor, opening(rulebook, house=house), MANAGER), Accepted)


@pytest.mark.clause("nsw-pontoon", "13.9", "10.3")
@pytest.mark.parametrize(("choice", "clause"), [("resplit", "13.9"), ("deferred", "10.3")])
async def test_what_a_clause_keeps_for_managers_a_manager_opens_with(choice: str, clause: str) -> None:
    async with a_floor() as floor:
        answer = await asked(floor, opening(house={choice: True}))
        assert isinstance(answer, Denied) and clause in answer.clauses and "open the table without" in answer.text
        assert isinstance(await asked(floor, opening(house={choice: True}), MANAGER), Accepted)


def test_the_denial_is_in_the_audit(tmp_path: Path) -> None:
    async def test(house: Peopled) -> None:
        wanted = opening(house={"maximum_cents": LARGE_CENTS})
        assert isinstance(await asked(house.floor, wanted, caller("supervisor-1")), Denied)
        assert "open-table" in house.entries("audit")[-1].body.decode()

    run(tmp_path, test, staff=True)


@pytest.mark.parametrize("who", [SUPERVISOR, MANAGER, HOUSE])
@pytest.mark.parametrize(
    "variant",
    [{"limits.changed_by": "dealer"}, {"insurance.odds": "50 to 1"}, {"dealer": {"soft_stand": 17}}, {"a": {"b": [1]}}],
)
async def test_people_play_by_the_document(who: Caller, variant: dict[str, Any]) -> None:
    await is_refused(opening(variant=variant), "keeps to the document", who=who)


async def test_a_rulebook_that_there_is_not() -> None:
    async with a_floor() as floor:
        for more in ({}, {"variant": {"a": 1}}, {"house": default_house(load(NSW), maximum_cents=LARGE_CENTS)}):
            assert isinstance(await asked(floor, Opening("whist", **more)), Unknown)


# --- the house's choices ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("house", "text"),
    [
        ({"minimum_cents": 733}, "minimum of $7.33"),
        ({"maximum_cents": 50_033}, "maximum of $500.33"),
        ({"unit_cents": 33}, "unit of $0.33"),
        ({"chips_cents": (2500, 10_000)}, "minimum of $5.00"),
        ({"chips_cents": ()}, "at least one denomination"),
    ],
)
async def test_a_sign_that_no_chips_can_make(house: dict[str, Any], text: str) -> None:
    await is_refused(opening(house=house), text)


async def test_chips_that_one_does_not_have() -> None:
    await is_refused(opening(players={"alice": Patron(chips_cents=-5)}), "alice's chips")


async def test_a_table_that_was_opened_before_is_not_judged_again() -> None:
    """A floor starts, whatever table an older version let in."""
    log = MemoryLog()
    write_opened(log, "old", opening(dealer="person", house={"minimum_cents": 733, "unit_cents": -1}))
    async with a_floor(log) as floor:
        assert floor.hosts["old"].table.house.minimum_cents == 733
        await ready(floor, await a_table(floor, "new"))


# --- words ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["evil\u202elive", "a\x00b", "two\nlines", "zero\u200bwidth", "\u2066x\u2069", "x" * 81]
)
async def test_a_tables_name_can_be_read(name: str) -> None:
    await is_refused(opening(name=name), "a table's name has up to 80 characters")


@pytest.mark.parametrize("name", ["", "Pontoon, high limit", "Понтун № 5", "می\u200cخواهم"])
async def test_a_tables_name_may_be_in_any_script(name: str) -> None:
    async with a_floor() as floor:
        assert isinstance(await asked(floor, opening(name=name)), Accepted)


@pytest.mark.parametrize(
    ("house", "text"),
    [
        ({"side_limits": {"no such wager": (100, 1000)}}, "'no such wager'"),
        ({"side_limits": {"perfect-pairs": (100, 1000)}, "side_bets": ()}, "does not offer it"),
        ({"side_limits": {"x" * 100_000: (100, 1000)}}, "there is no optional wager 'xxx"),
        ({"side_bets": ("x" * 100_000,)}, "there is no optional wager 'xxx"),
        ({"required": ("x" * 100_000,)}, "there is no optional wager 'xxx"),
    ],
)  # fmt: skip
async def test_the_sign_has_limits_for_what_the_table_offers(house: dict[str, Any], text: str) -> None:
    """NSW pontoon 6.1; whatever stands there is sent to everybody with every update."""
    await is_refused(opening(house=house), text, *load(NSW).limits.sign.clauses)
    async with a_floor() as floor:
        answer = await asked(floor, opening(house=house))
        assert len(msgspec.json.encode(answer)) < 500


async def test_the_sign_may_have_limits_for_an_optional_wager_of_the_table() -> None:
    async with a_floor() as floor:
        assert isinstance(await asked(floor, opening(house={"side_limits": {"perfect-pairs": (100, 1000)}})), Accepted)
