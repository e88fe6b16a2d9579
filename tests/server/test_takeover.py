"""Two real servers on one PostgreSQL: tables change owners in the middle of a round, and nothing forks or is lost."""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss.chance import Chance
from pitboss.floor.clock import SystemClock
from pitboss.floor.floor import Floor
from pitboss.floor.host import ends_round
from pitboss.floor.link import PoolMoved
from pitboss.floor.model import Accepted, Moved
from pitboss.floor.updates import Watch
from pitboss.store.group import GroupCommit
from pitboss.store.log import Claim, Log, LogFull
from pitboss.store.opening import open_log
from pitboss.store.verify import verify
from pitboss.table import acts as a
from tests.floor.memory import ALICE, BOB, CAROL, MemoryLog, a_floor, a_table
from tests.floor.playing import do, must, ready
from tests.floor.test_link import LINK, an_opening, check_every_cent
from tests.server.disturbing import LEASE_SECONDS, Cluster, followed
from tests.server.hammering import Hammer, check
from tests.server.proving import Story
from tests.server.running import Client, Running, socket_at
from tests.store.servers import execute, postgres

PERSON = {"rulebook": "nsw-pontoon", "dealer": "person"}
GIVEN_AND_TAKEN = 3
"""The epoch of a table's second owner where the first gave it up, which counts too; 2 where the claim lapsed."""
_numbers = itertools.count()


@pytest.fixture
def log() -> Iterator[str]:
    schema = f"takeover_{os.getpid()}_{next(_numbers)}"
    url = f"{postgres()}&schema={schema}"
    yield url
    execute(url, f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')


class Sitting:
    """A player, a dealer and a supervisor at one table of one server."""

    def __init__(self, table: str, player: Client, dealer: Client, supervisor: Client) -> None:
        self.table = table
        self.player, self.dealer, self.supervisor = player, dealer, supervisor

    @property
    def now(self) -> dict[str, Any]:
        return self.player.updates[self.table]

    async def do(self, client: Client, act: dict[str, Any]) -> None:
        answer = await client.act(self.table, act)
        assert answer["is"] == "accepted", (act, answer)
        await self.player.reaches(self.table, answer["version"])

    async def deal_in(self) -> None:
        """Wager and deal, round after round, until the player is to decide."""
        while self.now["waiting"]["what"] != "decision":
            await self.step()

    async def end_round(self) -> None:
        before = self.now["round"]
        while self.now["round"] == before:
            await self.step()

    async def step(self) -> None:
        what, legal = self.now["waiting"]["what"], self.now["legal"]
        if what == "shuffle":
            await self.do(self.dealer, {"act": "Shuffle"})
        elif what == "cut":
            await self.do(self.supervisor, {"act": "Cut", "player": "supervisor", "depth": 100})
        elif what == "cutting-card":
            await self.do(self.dealer, {"act": "PlaceCuttingCard", "from_back": 60})
        elif what == "wagers" and not self.now["view"]["boxes"]:
            await self.do(self.player, {"act": "PlaceWager", "box": 1, "cents": 1000})
        elif what == "wagers":
            await self.do(self.dealer, {"act": "Deal"})
        elif what in ("insurance", "surrender"):
            await self.do(self.dealer, {"act": f"Close{what.title()}"})
        else:
            stand = [act for act in legal if act["act"] == "Stand"]
            await self.do(self.player, stand[0] if stand else legal[0])


@asynccontextmanager
async def sitting(address: str, table: str, tokens: list[str], after: int | None = None) -> AsyncIterator[Sitting]:
    """All three at a server, watching."""
    async with (
        socket_at(address, tokens[0]) as one,
        socket_at(address, tokens[1]) as two,
        socket_at(address, tokens[2]) as three,
    ):
        found = Sitting(table, Client(one), Client(two), Client(three))
        await found.player.watch(table, after)
        assert table in found.player.updates, f"{address} does not show {table}: {found.player.others}"
        yield found


async def until(holds: Callable[[], bool], seconds: float = 25) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"it did not come to that in {seconds} seconds"
        await asyncio.sleep(0.2)


async def until_taken(server: Running, table: str, token: str, seconds: float = 10) -> float:
    """Ask until this server has the table; gives how long that took."""
    began = time.monotonic()
    while time.monotonic() < began + seconds:
        status, _ = await asyncio.to_thread(server.ask, "GET", f"/api/tables/{table}", token=token)
        if status == 200:
            return time.monotonic() - began
        await asyncio.sleep(0.05)
    raise AssertionError(f"{server.address} did not take {table} in {seconds} seconds")


def a_shared_floor(cluster: Cluster, *tables: str) -> list[str]:
    for table in tables:
        cluster.open("/api/tables", table, PERSON)
    tokens, staff = cluster.people(1, ("dealer", "supervisor"))
    return [tokens["nina0"], *(token for _, token in staff)]


async def told_to_move(client: Client) -> dict[str, Any]:
    """What somebody is told whose table has gone to another server."""
    await client.until(lambda: any(said["is"] == "moved" for said in client.others), 10)
    return next(said for said in client.others if said["is"] == "moved")


def claims_of(log: str) -> dict[str, Claim]:
    """Who owns which table."""
    with closing(open_log(log, create=False)) as kept:
        return {stream: claim for stream, claim in kept.claims(0).items() if stream.startswith("table:")}


def same_place(told: str, server: Running) -> bool:
    return told.rpartition(":")[2] == str(server.port)


async def test_killed_or_asleep_in_the_middle_of_a_round(log: str) -> None:
    """Clients repeat what was not answered and go where the table is; a server that wakes up writes nothing more."""
    rng = random.Random(5)
    with Cluster(log) as cluster:
        for number in range(3):
            cluster.open("/api/tables", f"t{number}", PERSON, at=number % 2)
        tokens, staff = cluster.people(4)
        hammer = Hammer(cluster.servers, cluster.tables, tokens, staff=staff, pause=0.1, cuts=0.002)

        async def disturb() -> None:
            for how in ("pause", "kill", "pause"):
                await cluster.take_over(how, rng)

        await hammer.run(0, disturb())
    sizes = check(log, hammer)
    assert hammer.counts["rounds"] >= 3 and sum(sizes.values()) > 100, f"little happened: {sizes}, {hammer.counts}"
    assert all(each["in play"] for each in cluster.takeovers)
    assert followed(hammer), f"nobody was told where to go: {hammer.counts}"
    assert hammer.counts["knew"], f"nobody knew of the other server when his own was killed: {hammer.counts}"


async def played_on_while_it_slept(
    one: Running, two: Running, here: Sitting, tokens: list[str]
) -> tuple[int, list[Any], int]:
    """A round begins at one server and ends at the other: what was seen here, and what happened there meanwhile."""
    await here.deal_in()
    seen = here.now["version"]
    one.pause()
    await until_taken(two, "t", tokens[0])
    async with sitting(two.address, "t", tokens, after=seen) as there:
        await there.end_round()
        return seen, list(there.player.events), there.now["version"]


async def test_a_client_of_a_server_that_slept_is_told_where_its_table_is_and_goes_on_there(log: str) -> None:
    """The server that wakes up answers nothing from memory: neither what it would accept nor what it would refuse."""
    with Cluster(log) as cluster:
        one, two = cluster.servers
        tokens = a_shared_floor(cluster, "t")
        async with sitting(one.address, "t", tokens) as here:
            seen, meanwhile, _ = await played_on_while_it_slept(one, two, here, tokens)
            wager = {"act": "PlaceWager", "box": 1, "cents": 1000}  # not on the cards as the sleeper knows them
            stand = {"act": "Stand", "box": 1}  # only on the cards as the sleeper knows them
            asking = [
                asyncio.create_task(here.player.act("t", act, command))
                for act, command in ((wager, "late-wager"), (stand, "late-stand"))
            ]
            await asyncio.sleep(0.1)
            one.resume()
            for answer in await asyncio.gather(*asking):
                assert answer["is"] == "moved" and same_place(answer["address"], two), answer
            moved = await told_to_move(here.player)
            assert moved["table"] == "t" and same_place(moved["address"], two), moved
            assert here.now["version"] == seen, "the sleeper told of something that did not happen there"
        async with sitting(moved["address"], "t", tokens, after=seen) as there:
            assert there.player.events[: len(meanwhile)] == meanwhile and meanwhile, "what he missed comes first"
            answer = await there.player.act("t", wager, "late-wager")
            assert answer["is"] == "accepted", answer
            await there.player.reaches("t", answer["version"])
            await there.end_round()
    with closing(open_log(log, create=False)) as kept:
        story = Story(kept, "t")
    assert "nina0/late-stand" not in story.commands and story.commands["nina0/late-wager"] == answer["version"]


async def test_a_server_that_slept_through_the_whole_time_of_another_has_the_table_as_it_is(log: str) -> None:
    """The other took the table, played on and died: the sleeper must not go on from where it was."""
    with Cluster(log) as cluster:
        one, two = cluster.servers
        tokens = a_shared_floor(cluster, "t")
        async with sitting(one.address, "t", tokens) as here:
            seen, meanwhile, version = await played_on_while_it_slept(one, two, here, tokens)
            two.kill()
            await asyncio.sleep(LEASE_SECONDS + 0.2)
            one.resume()
            moved = await told_to_move(here.player)
            assert same_place(moved["address"], one), moved
            await here.player.watch("t", after=seen)
            await here.player.reaches("t", version)
            assert here.player.events[-len(meanwhile) :] == meanwhile
            await here.deal_in()
    with closing(open_log(log, create=False)) as kept:
        Story(kept, "t")


class Drowsy(MemoryLog):
    """A log whose answers to a server may be long on their way."""

    def __init__(self) -> None:
        super().__init__()
        self.may_renew, self.may_tell = threading.Event(), threading.Event()
        self.may_renew.set()
        self.may_tell.set()
        self.renewed = threading.Event()
        """The first server has renewed what is still its own."""

    def renew(self, owner: str, now_ms: int | None, for_ms: int) -> dict[str, Claim]:
        if owner != "one":
            return super().renew(owner, now_ms, for_ms)
        self.may_renew.wait(20)
        found = super().renew(owner, self.now_ms(), for_ms)
        self.renewed.set()
        return found

    def claims(self, now_ms: int | None) -> dict[str, Claim]:
        self.may_tell.wait(20)
        return super().claims(now_ms)

    @staticmethod
    def now_ms() -> int:
        return SystemClock().now_ms()


@pytest.mark.parametrize("other", ["lives", "stopped"])
async def test_a_server_that_wakes_up_answers_nothing_before_it_has_looked_whose_its_tables_are(other: str) -> None:
    """Its claims are renewed again, but that of the table that went on elsewhere is not among them."""
    log = Drowsy()
    async with AsyncExitStack() as stack:
        stack.callback(log.may_tell.set)
        one = await stack.enter_async_context(a_floor(log, owner="one", address="http://one", alone=False))
        table = await a_table(one)
        await must(one, ALICE, table, a.TakeSeat("alice", 1))
        log.may_renew.clear()
        stack.callback(log.may_renew.set)
        await until(lambda: one.clock.now_ms() > log.owners["table:t1"].until_ms)
        async with AsyncExitStack() as elsewhere:
            two = await elsewhere.enter_async_context(a_floor(log, owner="two", address="http://two", alone=False))
            await must(two, BOB, table, a.TakeSeat("bob", 2))
            if other == "stopped":
                await elsewhere.aclose()
            log.may_tell.clear()
            log.renewed.clear()
            log.may_renew.set()
            await asyncio.to_thread(log.renewed.wait, 10)
            await asyncio.sleep(0.1)
            watch = await one.watch(BOB, table, 3, lambda: None)
            answer = await do(one, BOB, table, a.LeaveTable("bob"))  # who has no seat as the sleeper knows it
            log.may_tell.set()
            if other == "lives":
                assert watch == answer == Moved(table, "http://two")
            else:
                assert isinstance(watch, Watch) and answer == Accepted(table, 4)
                assert msgspec.json.decode(watch.take())["version"] == 4


# --- clocks -----------------------------------------------------------------------------------------------------------


class Wrong(SystemClock):
    """The clock of a machine that nobody has set."""

    def __init__(self, ahead_ms: int) -> None:
        super().__init__()
        self._wrong_ms = ahead_ms

    def now_ms(self) -> int:
        return super().now_ms() + self._wrong_ms


@pytest.fixture(params=["sqlite", "postgresql"])
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a log is that several servers share."""
    return str(tmp_path / "log.db") if request.param == "sqlite" else request.getfixturevalue("log")


class Server:
    """A floor with a connection of its own to a shared log, that can die without a word."""

    def __init__(self, stack: AsyncExitStack, url: str, name: str, ahead_ms: int = 0) -> None:
        self.log = open_log(url, several=True)
        stack.callback(self.log.close)
        clock, address = Wrong(ahead_ms), f"http://{name}"
        self.floor = Floor(
            GroupCommit(self.log), clock=clock, chance=Chance(name), owner=name, address=address, alone=False
        )
        stack.push_async_callback(self.floor.stop, 0)

    @property
    def owned(self) -> set[str]:
        return set(self.floor.hosts)

    async def die(self) -> None:
        dead = list(self.floor._tasks)
        for task in dead:
            task.cancel()
        await asyncio.gather(*dead, return_exceptions=True)
        self.floor.driver.stop()


@pytest.mark.parametrize("ahead_ms", [-3000, 3000, 3_600_000])
async def test_a_wrong_clock_neither_loses_tables_nor_takes_them(shared: str, ahead_ms: int) -> None:
    """Claims last by the one clock that all share."""
    async with AsyncExitStack() as stack:
        one, two = (Server(stack, shared, name, ms) for name, ms in (("one", ahead_ms), ("two", 0)))
        await one.floor.start()
        await two.floor.start()
        await until(lambda: len(one.floor.others) == len(two.floor.others) == 1, 5)
        for number in range(4):
            await a_table((one, two)[number % 2].floor, f"t{number}")
        await until(lambda: len(one.owned) == len(two.owned) == 2, 5)
        before = one.owned, two.owned
        await asyncio.sleep(2.5 * LEASE_SECONDS)
        assert (one.owned, two.owned) == before
        assert {claim.epoch for stream, claim in one.log.claims(None).items() if stream.startswith("table:")} == {1}
        for server, other, table in ((one, two, min(one.owned)), (two, one, min(two.owned))):
            await must(server.floor, ALICE, table, a.TakeSeat("alice", 1))
            assert await do(other.floor, BOB, table, a.TakeSeat("bob", 2)) == Moved(table, server.floor.address)


async def test_a_server_that_is_behind_takes_over_as_soon_as_any_other(shared: str) -> None:
    async with AsyncExitStack() as stack:
        one, two = Server(stack, shared, "one"), Server(stack, shared, "two", -8000)
        await one.floor.start()
        table = await a_table(one.floor)
        await must(one.floor, ALICE, table, a.TakeSeat("alice", 1))
        await two.floor.start()
        await one.die()
        began = time.monotonic()
        await until(lambda: table in two.owned)
        assert time.monotonic() - began < LEASE_SECONDS + 7, "its clock is eight seconds behind"
        await must(two.floor, BOB, table, a.TakeSeat("bob", 2))
        late = await do(one.floor, BOB, table, a.LeaveTable("bob"))
        assert late == Moved(table, "http://two"), "whoever comes too late is fenced"


async def test_a_claim_from_the_future_lasts_no_longer_than_any_other(shared: str) -> None:
    """It is left by a server whose clock, or whose database's clock, was an hour ahead when it died."""
    async with AsyncExitStack() as stack:
        one = Server(stack, shared, "one")
        with closing(open_log(shared, several=True)) as log:
            now = SystemClock().now_ms()
            for stream in ("table:t1", "process:dead"):
                log.claim(stream, "dead", "http://dead", now + 3_600_000, 2000)
        await one.floor.start()
        await a_table(one.floor)
        await until(lambda: "http://dead" in one.floor.others, 2)
        await until(lambda: "t1" in one.owned and not one.floor.others, LEASE_SECONDS + 2)
        await must(one.floor, ALICE, "t1", a.TakeSeat("alice", 1))
        assert one.log.claims(None)["table:t1"].epoch == 2


# --- shares -----------------------------------------------------------------------------------------------------------


async def test_a_server_that_joins_later_is_handed_its_share_between_rounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever watches is told where the table is; one with a wager on it stays."""
    monkeypatch.setattr("pitboss.floor.floor.UNEVEN_SECONDS", 0.6)
    async with AsyncExitStack() as stack:
        one = Server(stack, str(tmp_path / "log.db"), "one")
        one.floor.address = "http://localhost:1"
        await one.floor.start()
        for number in range(5):
            await a_table(one.floor, f"t{number}")
        for table in ("t0", "t1"):
            await ready(one.floor, table)
            await must(one.floor, ALICE, table, a.TakeSeat("alice", 1), a.PlaceWager("alice", 1, 1000))
        told = {table: asyncio.Event() for table in ("t0", "t2", "t3", "t4")}
        watches = {table: await one.floor.watch(CAROL, table, None, event.set) for table, event in told.items()}
        two = Server(stack, str(tmp_path / "log.db"), "two")
        two.floor.address = "http://localhost:2"
        await two.floor.start()
        await until(lambda: len(two.owned) == 2, 8)
        assert len(one.owned) == 3 and {"t0", "t1"} < one.owned
        for table, watch in watches.items():
            assert isinstance(watch, Watch)
            assert watch.host.moved_to == ("http://localhost:2" if table in two.owned else None)
            assert table in one.owned or told[table].is_set()
        for table in two.owned:
            assert await do(one.floor, CAROL, table, a.LeaveTable("carol")) == Moved(table, "http://localhost:2")
            await must(two.floor, ALICE, table, a.TakeSeat("alice", 4))
        await asyncio.sleep(1.5)
        assert (len(one.owned), len(two.owned)) == (3, 2), "and then it stays so"
        with closing(open_log(str(tmp_path / "log.db"), read_only=True)) as log:
            assert verify(log).is_sound


async def test_a_table_that_nobody_takes_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever it was handed to is dead by then."""
    monkeypatch.setattr("pitboss.floor.floor.UNEVEN_SECONDS", 0.2)
    async with AsyncExitStack() as stack:
        one, two = (Server(stack, str(tmp_path / "log.db"), name) for name in ("one", "two"))
        await one.floor.start()
        for number in range(2):
            await a_table(one.floor, f"t{number}")
        assert len(one.owned) == 2
        await one.floor.commits.run(two.floor._claim_process)  # it says that it lives, and then dies
        await until(lambda: len(one.owned) == 1, 5)
        (gone,) = {"t0", "t1"} - one.owned
        assert await do(one.floor, ALICE, gone, a.TakeSeat("alice", 1)) == Moved(gone, "http://two")
        await until(lambda: len(one.owned) == 2, LEASE_SECONDS + 3)
        await must(one.floor, ALICE, gone, a.TakeSeat("alice", 1))


async def test_where_a_table_cannot_be_given_up_it_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.floor.floor.UNEVEN_SECONDS", 0.2)
    async with AsyncExitStack() as stack:
        one, two = (Server(stack, str(tmp_path / "log.db"), name) for name in ("one", "two"))
        await one.floor.start()
        for number in range(2):
            await a_table(one.floor, f"t{number}")
        tried = threading.Event()

        def full(stream: str, owner: str) -> None:
            tried.set()
            raise LogFull("log.db: the disk is full.")

        monkeypatch.setattr(one.log, "release", full)
        await two.floor.start()
        await until(tried.is_set, 5)
        await until(lambda: len(one.owned) == 2, 5)
        for table in ("t0", "t1"):
            await must(one.floor, ALICE, table, a.TakeSeat("alice", 1))
        monkeypatch.undo()


async def test_stopping_lets_the_round_end_and_hands_the_tables_over_at_once(log: str) -> None:
    with Cluster(log, "--grace", "30") as cluster:
        one, two = cluster.servers
        tokens = a_shared_floor(cluster, *"abcd")
        await until(lambda: len(cluster.owned(0)) == len(cluster.owned(1)) == 2)
        played, at_rest = cluster.owned(0)
        async with sitting(one.address, played, tokens) as here, sitting(one.address, at_rest, tokens) as idle:
            await here.deal_in()
            await idle.do(idle.dealer, {"act": "Shuffle"})
            await idle.do(idle.supervisor, {"act": "Cut", "player": "supervisor", "depth": 100})
            await idle.do(idle.dealer, {"act": "PlaceCuttingCard", "from_back": 60})
            one.process.terminate()
            await until(lambda: one.ask("GET", "/readyz")[0] == 503)
            assert one.process.poll() is None
            refused = await idle.player.act(at_rest, {"act": "PlaceWager", "box": 1, "cents": 1000})
            assert refused == {"is": "halted", "text": "the house is closing: no new round begins here now."}
            assert two.ask("GET", f"/api/tables/{played}", token=tokens[0])[0] == 421, "taken in the middle of a round"
            seen, before = here.now["version"], here.now["round"]
            await here.end_round()
            assert here.now["version"] > seen
            for sitter in (here, idle):
                await sitter.player.until(lambda: sitter.player.lost, 5)  # noqa: B023 - waited for at once
                said = [each for each in sitter.player.others if each["is"] != "servers"]
                assert [each["is"] for each in said] == ["moved", "gone"], said
                assert same_place(said[0]["address"], two)
            for table in (played, at_rest):
                await until_taken(two, table, tokens[0])
                claim = claims_of(log)[f"table:{table}"]
                assert claim.epoch == GIVEN_AND_TAKEN, f"{table} was not given up: its claim was left to lapse"
                assert same_place(claim.address, two), claim
            assert await asyncio.to_thread(one.process.wait, 10) == 0
            seen = here.now["version"]
        async with sitting(two.address, played, tokens, after=seen) as there:
            assert there.now["version"] == seen and there.now["round"] == before + 1
            await there.deal_in()
            await there.end_round()
    with closing(open_log(log, create=False)) as kept:
        story = Story(kept, played)
    assert sum(map(ends_round, story.events)) >= 2


async def test_one_jackpot_on_tables_of_two_servers(log: str) -> None:
    """Both add to it and win it at the same time, and one is killed in the middle: every cent is where it belongs."""
    rng = random.Random(7)
    with Cluster(log, module="tests.server.lucky") as cluster:
        cluster.open("/api/links", "sevens", msgspec.to_builtins(LINK))
        for number in range(4):
            cluster.open("/api/tables", f"j{number}", msgspec.to_builtins(an_opening()), at=number % 2)
        assert all(len(cluster.owned(number)) == 2 for number in range(2)), "each server has two of the tables"
        tokens, staff = cluster.people(3)
        hammer = Hammer(cluster.servers, cluster.tables, tokens, staff=staff, pause=0.1, cuts=0.002, boxes=(1, 2))

        async def disturb() -> None:
            with closing(open_log(log, create=False)) as kept:
                await until(lambda: _both_add(kept) and hammer.heard("JackpotPrizePaid") >= 2, 40)
            await cluster.take_over("kill", rng)
            await until(lambda: hammer.heard("JackpotPrizePaid") >= 4)

        await hammer.run(0, disturb())
        fewer = min(range(2), key=lambda number: len(cluster.owned(number)))
        cluster.open("/api/tables", "last", msgspec.to_builtins(an_opening()), at=fewer)
        await asyncio.sleep(1)
        shown = {}
        for number, server in enumerate(cluster.servers):
            table = next(iter(cluster.owned(number)))
            status, update = server.ask("GET", f"/api/tables/{table}", token=cluster.supervisor)
            assert status == 200, update
            shown[number] = update["link"]["cents"]
    check(log, hammer)
    with closing(open_log(log, create=False)) as kept:
        pool, payments = check_every_cent(kept, cluster.tables)
        stood = _where_it_stood(kept)
    assert payments >= 3, f"{payments} paid"
    assert shown == {0: pool, 1: pool}, f"the log says {pool}"
    for person in hammer.people:
        for update in person.pictures.values():
            assert update["link"]["cents"] in stood, f"{person} was shown a jackpot that never was: {update['link']}"


def _moves(log: Log) -> list[PoolMoved]:
    return [
        msgspec.json.decode(entry.body, type=PoolMoved) for entry in log.read("link:sevens") if entry.kind == "moved"
    ]


def _both_add(log: Log) -> bool:
    """Tables of each server have added to the jackpot."""
    movers = {moved.table for moved in _moves(log)}
    return bool(movers & {"j0", "j2"}) and bool(movers & {"j1", "j3"})


def _where_it_stood(log: Log) -> set[int]:
    cents = [moved.contributed_cents - moved.paid_cents + moved.added_cents for moved in _moves(log)]
    return set(itertools.accumulate(cents, initial=LINK.pool_cents))
