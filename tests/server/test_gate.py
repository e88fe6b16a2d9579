"""Whoever looks back waits in his turn, and nobody who plays waits for him."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss.floor import history
from pitboss.floor.gate import EACH_LONG_MAX, EACH_MAX, HURRY_SECONDS, Busy, Gate
from pitboss.floor.model import Accepted, NotAllowed
from pitboss.floor.replaying import Replaying, answered, opened
from pitboss.floor.updates import RECENT, Watch
from pitboss.records import loads
from pitboss.records.model import RecordError
from pitboss.rulebooks import load
from pitboss.rulebooks.terms import SameRulebook
from pitboss.server import tables
from pitboss.table.acts import Hit, PlaceWager, WithdrawWager
from pitboss.table.refusals import Broken, Refusal, Refused
from tests.floor.memory import ALICE, BOB, a_floor, a_table
from tests.server.running import Running
from tests.server.test_accounts import web
from tests.waiting import wait_until

SOON = 0.05
LONG = 20.0


class Door:
    """Work that goes on until somebody opens, and notes who began."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.began: list[str] = []

    def go(self, who: str = "") -> str:
        self.began.append(who)
        assert self.open.wait(LONG)
        return who


@asynccontextmanager
async def blocked(gate: Gate, *who: str) -> AsyncIterator[Door]:
    """Every place of the gate is taken until the end."""
    door = Door()
    inside = [asyncio.ensure_future(gate.run(each, door.go, each)) for each in who]
    try:
        async with asyncio.timeout(LONG):
            while len(door.began) < len(who):
                await asyncio.sleep(0.001)
        yield door
    finally:
        door.open.set()
        assert await asyncio.gather(*inside) == list(who)


async def begun(gate: Gate, *calls: Any) -> list[asyncio.Task[Any]]:
    """Each call waits or has begun."""
    tasks = [asyncio.ensure_future(call) for call in calls]
    await asyncio.sleep(SOON)
    return tasks


# --- the gate --------------------------------------------------------------------------------------------------------


async def test_so_many_at_once_and_the_others_wait() -> None:
    gate, door = Gate(2), Door()
    tasks = await begun(gate, *(gate.run(name, door.go, name) for name in "abcde"))
    assert (gate.running, gate.waiting, door.began) == (2, 3, ["a", "b"])
    door.open.set()
    assert await asyncio.gather(*tasks) == list("abcde") and door.began[2] == "c"
    assert (gate.running, gate.waiting) == (0, 0)
    await gate.close()


async def test_one_at_a_time_for_each_person() -> None:
    gate = Gate(2)
    async with blocked(gate, "alice") as door:
        tasks = await begun(gate, gate.run("alice", door.go, "again"))
        assert (gate.running, gate.waiting) == (1, 1), "a place is free, but not for her"
        assert await gate.run("bob", str, 1) == "1"
        assert door.began == ["alice"]
    assert await tasks[0] == "again"


async def test_whoever_has_too_much_under_way_is_told_so() -> None:
    gate = Gate(2)
    async with blocked(gate, "alice") as door:
        tasks = await begun(gate, *(gate.run("alice", door.go, str(number)) for number in range(EACH_MAX - 1)))
        with pytest.raises(Busy, match=r"wait for (it|them), then ask again\.$") as told:
            await gate.run("alice", door.go)
        assert (told.value.status, told.value.seconds) == (429, 1)
        assert await gate.run("bob", str, 1) == "1"
    assert await asyncio.gather(*tasks) == [str(number) for number in range(EACH_MAX - 1)]


async def test_the_queue_is_short_and_nobody_waits_for_long() -> None:
    gate = Gate(1, waiting=1, patience=SOON)
    async with blocked(gate, "alice"):
        waits = asyncio.ensure_future(gate.run("bob", str, 1))
        await asyncio.sleep(0)
        with pytest.raises(Busy) as full:
            await gate.run("carol", str, 1)
        assert not waits.done(), "he still waits"
        with pytest.raises(Busy, match=r"try again in 1 seconds\.$") as late:
            await waits
        assert full.value.status == late.value.status == 503
        assert gate.waiting == 0
    assert await gate.run("bob", str, 1) == "1", "the place is not lost"


async def test_turns_go_round() -> None:
    """Who asks for much does not hold up who asks for little."""
    gate, done = Gate(1), list[str]()
    async with blocked(gate, "eve"):
        tasks = await begun(gate, *(gate.run(name, done.append, name) for name in ("alice", "alice", "alice", "bob")))
    await asyncio.gather(*tasks)
    assert done == ["alice", "bob", "alice", "alice"]


async def test_what_takes_long_leaves_a_place() -> None:
    gate, door = Gate(2), Door()
    export = asyncio.ensure_future(gate.run_long("ines", door.go, "export"))
    tasks = await begun(gate, gate.run_long("ivan", door.go, "another"))
    assert (gate.running, gate.waiting) == (1, 1)
    assert await gate.run("ines", str, 1) == "1", "she looks at a table meanwhile"
    tasks += await begun(gate, *(gate.run_long("ines", door.go) for _ in range(EACH_LONG_MAX - 1)))
    with pytest.raises(Busy) as told:
        await gate.run_long("ines", door.go)
    assert told.value.status == 429
    door.open.set()
    await asyncio.gather(export, *tasks)
    assert door.began[:2] == ["export", "another"]


async def test_whoever_goes_away_leaves_no_hole_and_no_second_place() -> None:
    gate, door = Gate(1), Door()
    inside, waiting, last = await begun(gate, *(gate.run(name, door.go, name) for name in "abc"))
    inside.cancel()
    waiting.cancel()
    await asyncio.sleep(SOON)
    assert (gate.running, gate.waiting, door.began) == (1, 1, ["a"]), "the thread of the first goes on"
    door.open.set()
    assert await last == "c" and door.began == ["a", "c"]
    assert gate.running == 0


async def test_a_turn_that_comes_too_late_is_passed_on() -> None:
    gate = Gate(1)
    async with blocked(gate, "alice") as door:
        bob, carol = await begun(gate, gate.run("bob", str, 1), gate.run("carol", str, 2))
        door.open.set()
        while gate.running and not bob.done() and gate.waiting == 2:
            await asyncio.sleep(0)
        bob.cancel()  # in the moment in which he got the place, or later
        assert await carol == "2"
    with pytest.raises(Busy):
        await gate.close()
        await gate.run("bob", str, 1)
    assert gate.running == 0


async def test_what_fails_leaves_its_place_and_says_why() -> None:
    gate = Gate(1)
    for _ in range(2):
        with pytest.raises(ValueError, match="invalid literal"):
            await gate.run("alice", int, "x")
    assert gate.running == 0


async def test_closing_waits_for_those_inside_and_sends_the_others_away() -> None:
    gate, door = Gate(1), Door()
    inside, waiting = await begun(gate, gate.run("alice", door.go, "a"), gate.run("bob", door.go, "b"))
    closing = asyncio.ensure_future(gate.close())
    with pytest.raises(Busy, match="closing"):
        await waiting
    assert not closing.done() and not inside.done()
    door.open.set()
    await closing
    assert await inside == "a"


# --- the floor behind it ---------------------------------------------------------------------------------------------


async def test_the_floor_lives_on_whoever_looks_back() -> None:
    """Claims are renewed, streams followed and acts answered while every place is taken and the queue is full."""
    async with a_floor(alone=False, lease_ms=1_000, owner="a", address="http://a") as floor:
        table = await a_table(floor)
        async with blocked(floor.gate, "eve", "mallory") as door:
            waiting = await begun(floor.gate, *(floor.gate.run(f"p{number}", door.go) for number in range(60)))
            for number in range(12):
                async with asyncio.timeout(LONG):  # the door stays shut until they are answered
                    assert isinstance(await floor.act(BOB, table, f"h{number}", Hit("bob", 1)), NotAllowed)
                    await floor.follow()
                assert floor.is_ready
                await asyncio.sleep(0.2)
            assert floor.hosts[table].epoch == 1
            door.open.set()
            await asyncio.gather(*waiting)


async def test_whoever_comes_back_while_all_do_sees_the_table_and_fetches_the_rest() -> None:
    async with a_floor() as floor:
        table = await a_table(floor)
        for number in range(RECENT + 10):
            act = WithdrawWager("alice", 1) if number % 2 else PlaceWager("alice", 1, 1_000)
            assert isinstance(await floor.act(ALICE, table, f"a{number}", act), Accepted)
        first = floor.hosts[table].updates.oldest
        assert first > 5
        shown = await floor.watch(BOB, table, 1, lambda: None)
        assert isinstance(shown, Watch) and shown.missed == 0 and b"alice" in shown.old
        floor._coming_back = Gate(1, waiting=0, patience=SOON)
        async with blocked(floor._coming_back, "eve"):
            late = await floor.watch(BOB, table, 1, lambda: None)
            assert isinstance(late, Watch) and (late.old, late.missed) == (b"", first - 2)


# --- the routes ------------------------------------------------------------------------------------------------------

RECORD = 'title = "x"\nrulebook = "nsw-pontoon"\ncards = "9s 9h Kd"\nplay = [%s]\n'
BETS = RECORD % ",".join(f'"alice bets 10 on {number % 7 + 1}"' for number in range(1_000))
HEAVY = [
    ("GET", "/api/tables/t1/events", None),
    ("GET", "/api/tables/t1/at/1", None),
    ("GET", "/api/tables/t1/rounds", None),
    ("GET", "/api/tables/t1/rounds/1", None),
    ("POST", "/api/replay", {"record": BETS}),
    ("GET", "/api/log/search?act=Hit", None),
    ("GET", "/api/log/tables", None),
    ("GET", "/api/log/export", None),
    ("GET", "/api/log/export.parquet", None),
    ("POST", "/api/log/verify", {}),
    ("GET", "/api/audit", None),
    ("POST", "/api/training", {"rulebook": "nsw-pontoon"}),
    ("GET", "/api/rulebooks/nsw-pontoon/scenarios", None),
]


async def test_everything_that_takes_long_is_behind_the_gate(tmp_path: Path) -> None:
    async with web(tmp_path) as site:
        floor, staff = site.house.floor, await site.as_("supervisor-1")
        opening = {"id": "o", "table": "t1", "opening": {"rulebook": "nsw-pontoon"}}
        assert (await staff.post("/api/tables", json=opening)).status_code == 200
        inspector = await site.as_("inspector-1")
        await floor.gate.close()
        floor.gate = Gate(1, waiting=0)
        async with blocked(floor.gate, "eve"):
            for method, path, body in HEAVY:
                answer = await inspector.request(method, path, json=body)
                assert answer.status_code == 503 and int(answer.headers["retry-after"]) >= 1, (path, answer.text)
                told = answer.json()
                assert told["is"] == "halted" and told["text"].endswith("seconds."), path
            assert (await inspector.get("/api/tables/t1")).status_code == 200, "the table itself is not"
        assert (await inspector.get("/api/log/search?act=Hit")).status_code == 200


async def test_one_player_with_many_records_holds_up_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    door = Door()
    monkeypatch.setattr(Replaying, "show", lambda *_: b'"%b"' % door.go("replay").encode())
    async with web(tmp_path) as site:
        alice, dealer = await site.as_("alice"), await site.as_("dealer-1")
        opening = {"id": "o", "table": "t1", "opening": {"rulebook": "nsw-pontoon"}}
        assert (await (await site.as_("supervisor-1")).post("/api/tables", json=opening)).status_code == 200
        asked = [asyncio.ensure_future(alice.post("/api/replay", json={"record": BETS})) for _ in range(24)]
        await asyncio.sleep(4 * SOON)
        assert door.began == ["replay"], "one at a time"
        for path in ("/api/tables/t1/events", "/api/tables/t1/rounds"):
            assert (await dealer.get(path)).status_code == 200, path
        refused = await dealer.post("/api/tables/t1/acts", json={"id": "d", "act": {"act": "Deal"}})
        assert refused.status_code == 409
        door.open.set()
        answers = await asyncio.gather(*asked)
        assert Counter(answer.status_code for answer in answers) == {200: EACH_MAX, 429: 24 - EACH_MAX}
        assert all(answer.headers["retry-after"] == "1" for answer in answers if answer.status_code == 429)


# --- replaying -------------------------------------------------------------------------------------------------------


@pytest.fixture
def replaying() -> Iterator[Replaying]:
    found = Replaying()
    yield found
    found.close()


def test_a_record_is_replayed_by_a_helper_that_stays(replaying: Replaying) -> None:
    assert replaying.show(BETS) == history.replayed_in_json(loads(BETS))
    helper = replaying._idle[0]
    with pytest.raises(RecordError, match=r"^line 1: rulebook: "):
        replaying.show("rulebook = 3")
    assert msgspec.json.decode(replaying.show(BETS))["frames"][0]["text"] == "x"
    assert replaying._idle == [helper] and helper.poll() is None
    replaying.close()
    assert helper.poll() is not None


def test_a_helper_that_has_left_is_replaced(replaying: Replaying, monkeypatch: pytest.MonkeyPatch) -> None:
    replaying.show(BETS)
    helper = replaying._idle[0]
    helper.kill()
    helper.wait()
    replaying.show(BETS)
    assert helper not in replaying._idle and len(replaying._idle) == 1
    dying = replaying._idle[0]
    dying.kill()
    monkeypatch.setattr(dying, "poll", lambda: None)  # it leaves in the very moment in which it is asked
    replaying.show(BETS)
    assert dying not in replaying._idle and len(replaying._idle) == 1


def test_a_record_that_takes_too_long_is_given_up() -> None:
    replaying = Replaying(seconds=0.001)
    with pytest.raises(RecordError, match=r"^more than 0\.001 seconds of work: show it in parts$"):
        replaying.show(BETS)
    assert not replaying._idle


def test_a_helper_leaves_when_the_server_is_gone(replaying: Replaying) -> None:
    replaying.show(BETS)
    helper = replaying._idle[0]
    assert helper.stdin is not None
    helper.stdin.close()
    assert helper.wait(LONG) == 0


def test_what_a_helper_says_of_a_refusal_and_of_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    refusal = Refusal("NSW pontoon", ("7.1",), "no.")

    def raises(fault: Exception) -> Callable[[Any], bytes]:
        def instead(_: Any) -> bytes:
            raise fault

        return instead

    monkeypatch.setattr(history, "replayed_in_json", raises(Refused(refusal)))
    with pytest.raises(Refused) as no:
        opened(*answered(BETS.encode()))
    assert no.value.refusal == refusal
    monkeypatch.setattr(history, "replayed_in_json", raises(LookupError("who knows")))
    with pytest.raises(Broken, match="LookupError: who knows"):
        opened(*answered(BETS.encode()))


def test_a_record_has_its_limits() -> None:
    assert len(history.replayed(loads(BETS)).frames) > 1_000
    with pytest.raises(RecordError, match="more than 1000 play lines: show it in parts"):
        history.replayed_in_json(loads(RECORD % ",".join(['"alice bets 10 on 1"'] * 1_001)))
    many = RECORD % ",".join(f'"p{number} buys 100"' for number in range(1_000))
    with pytest.raises(RecordError, match="more than 8 MB to show: show it in parts"):
        history.replayed_in_json(loads(many))


def test_a_rulebook_is_encoded_once() -> None:
    tables._shown.cache_clear()
    first = tables._shown(SameRulebook(load("nsw-pontoon")))
    assert tables._shown(SameRulebook(load("nsw-pontoon"))) is first and b'"14.4"' in bytes(first)


def test_acts_are_answered_while_everybody_replays(tmp_path: Path) -> None:
    """A real server, and records that are as long as they may be."""
    with Running(tmp_path) as server:
        bob, names = server.guest("bob"), [server.guest(f"eve{number}") for number in range(3)]
        over, said = threading.Event(), Counter[int]()

        def replay(token: str) -> None:
            while not over.is_set():
                said[server.ask("POST", "/api/replay", {"record": BETS}, token)[0]] += 1

        eves = [threading.Thread(target=replay, args=(token,)) for token in names * 4]
        for eve in eves:
            eve.start()
        try:
            seconds = []
            for number in range(20):
                began = time.monotonic()
                act = {"act": "LeaveTable"} if number % 2 else {"act": "TakeSeat", "box": 3}
                status, told = server.ask("POST", "/api/tables/nsw-pontoon/acts", {"id": f"b{number}", "act": act}, bob)
                assert status == 200, told
                seconds.append(time.monotonic() - began)
                assert server.ask("GET", "/readyz")[0] == 200
            wait_until(lambda: said[200] > 3)
        finally:
            over.set()
            for eve in eves:
                eve.join()
        assert set(said) <= {200, 429, 503}, said
        assert sorted(seconds)[10] < 3, seconds


async def test_while_somebody_looks_back_threads_change_sooner_and_then_as_before() -> None:
    """The loop and the writer of the log want the interpreter often: they do not wait a whole turn for it each time."""
    gate, before = Gate(2), sys.getswitchinterval()
    together = threading.Barrier(3)

    def look_back() -> float:
        together.wait(20)
        found = sys.getswitchinterval()
        together.wait(20)
        return found

    tasks = [asyncio.create_task(gate.run(name, look_back)) for name in ("alice", "bob")]
    await asyncio.to_thread(together.wait, 20)
    await asyncio.to_thread(together.wait, 20)
    assert await asyncio.gather(*tasks) == pytest.approx([HURRY_SECONDS] * 2)
    assert sys.getswitchinterval() == before
    await gate.close()


async def test_threads_hurry_before_the_one_that_works_is_woken(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop waited a millisecond for each piece of work that began: as long as threads took before it did."""
    gate, before, loop = Gate(1), sys.getswitchinterval(), asyncio.get_running_loop()
    begun = loop.run_in_executor
    found: list[float] = []

    def noted(*given: Any) -> Any:
        found.append(sys.getswitchinterval())
        return begun(*given)

    monkeypatch.setattr(loop, "run_in_executor", noted)
    assert await gate.run("alice", int) == 0
    monkeypatch.undo()
    assert found == pytest.approx([HURRY_SECONDS]) and sys.getswitchinterval() == before
    await gate.close()
