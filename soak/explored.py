"""Every interleaving of a take-over and of group commits, over the real floor: two servers, few acts, a crash anywhere.

    python -m soak.explored [small|whole] [--out soak/explored.json]

Where the simulation (`soak/simulation.py`) goes one way of very many, this goes all ways of a small house. Whatever a
server does by itself between two of its waits is one step; what may happen next is chosen in every way: an act arrives
at a server (one of them at both, as when somebody asks again elsewhere), a write becomes durable, a server hears
of it, a thread reads the log, its caller hears of that, a lease runs out, a server looks after its claims, a server is
killed and another life of it begins. States that were reached before, by other ways, are not gone on from again.

In every state: what is durable is decided again by the engine, no stream has two entries of one version, no act is done
twice, whoever writes to a table owns it, what was acknowledged is durable, and when nothing is left to happen everybody
who spoke to a living server has an answer.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from pitboss.chance import Chance
from pitboss.floor.floor import Floor
from pitboss.floor.model import HOUSE, Accepted, Answer, Caller, Opening
from pitboss.rulebooks import load
from pitboss.store.group import GroupCommit
from pitboss.table import acts as a
from pitboss.table.house import default_house
from soak.simulated.disk import Disk, MemoryLog
from soak.simulated.house import LEASE_MS, one_seed
from soak.simulated.truth import Truth, found_wrong, must
from soak.simulated.world import BEGAN_MS, Loop, World
from soak.simulation import REPEATABLE

TABLE = "t1"
STREAM = f"table:{TABLE}"


class Ways(NamedTuple):
    """How much may happen."""

    acts: tuple[tuple[str, tuple[int, ...]], ...]
    """Who takes a seat, and at which servers they say so: more than one is the same act said again."""
    expiries: int
    crashes: int
    renewals: int
    """How often each server looks after its claims."""
    lost: int = 0
    """How often the log cannot be written to for a moment."""


SMALL = (
    Ways((("alice", (0, 1)),), expiries=1, crashes=0, renewals=1),
    Ways((("alice", (0,)), ("bob", (0,))), expiries=0, crashes=1, renewals=0, lost=1),
)
WHOLE = (
    *SMALL,
    Ways((("alice", (0, 1)),), expiries=1, crashes=1, renewals=1, lost=1),
    Ways((("alice", (0, 1)), ("bob", (0,))), expiries=1, crashes=0, renewals=1),
)


WAITED_FOR = ("load_table", "MemoryLog.answer", "MemoryLog.claim", "MemoryLog.renew")
"""What threads do at a moment of its own; whatever else they read is read at once."""
IN_TWO = ("load_table",)
"""And what is heard of at another moment still: by then somebody else may have written."""


class Call:
    """Something that a thread of a server is asked to do: not begun, or done and not heard of."""

    def __init__(self, name: str, work: Callable[[], Any], settle: Callable[..., None]) -> None:
        self.name, self.work, self.settle = name, work, settle
        self.found: tuple[bool, Any] | None = None


class StepLoop(Loop):
    """A loop whose threads do nothing by themselves."""

    def __init__(self, world: World, name: str) -> None:
        super().__init__(world, name)
        self.calls: list[Call] = []
        self.at_once = False
        """While a server starts, its threads do everything at once."""

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:  # type: ignore[override]
        future = self.create_future()

        def settle(is_right: bool, result: Any) -> None:
            if not future.done():
                (future.set_result if is_right else future.set_exception)(result)

        call = Call(_name_of(func), lambda: func(*args), settle)
        self.calls.append(call)
        if self.at_once or call.name not in WAITED_FOR:
            self.do(call)
            self.hear(call)
        return future

    def do(self, call: Call) -> None:
        try:
            call.found = True, call.work()
        except Exception as fault:  # noqa: BLE001 - whoever waits is told
            call.found = False, fault

    def hear(self, call: Call) -> None:
        self.calls.remove(call)
        assert call.found is not None
        call.settle(*call.found)

    def both(self, call: Call) -> None:
        self.do(call)
        self.hear(call)

    def settle_down(self) -> None:
        """Everything that needs nobody else."""
        while self._ready:
            self.turn(len(self._ready))


def _name_of(func: Any) -> str:
    cells = getattr(func, "__closure__", None) or ()
    named = [cell.cell_contents for cell in cells if callable(cell.cell_contents)]
    return str(getattr(named[0], "__qualname__", named[0])) if named else str(getattr(func, "__qualname__", func))


class StepCommits(GroupCommit):
    """A group commit that writes and tells when it is its turn."""

    def __init__(self, log: Any) -> None:
        self.batch: list[Any] = []
        self.outcomes: Any = None
        super().__init__(log)

    def _begin(self) -> None:
        self._is_idle = True

    def _ring(self) -> None:
        """It is seen that something waits."""

    @property
    def can_write(self) -> bool:
        return bool(self._waiting) and not self.batch

    def write(self) -> None:
        self.batch = self._next_batch()
        self.outcomes = list(zip(self.batch, self._written(self.batch), strict=False))

    def hear(self) -> None:
        self._loop.call_soon(self._hear)

    def _hear(self) -> None:
        batch, outcomes = self.batch, [outcome for _, outcome in self.outcomes]
        self.batch, self.outcomes = [], None
        self._is_idle = True
        self._tell(batch, outcomes)


class Clock:
    def __init__(self, world: World) -> None:
        self.world = world

    def now_ms(self) -> int:
        return BEGAN_MS + int(self.world.now * 1000)


class Server:
    """One life of one server."""

    def __init__(self, house: SmallHouse, number: int, life: int) -> None:
        self.house, self.number, self.life = house, number, life
        self.name = f"server-{number}.{life}"
        self.loop = StepLoop(house.world, self.name)
        self.renewals = 0
        self.floor: Any = None
        self.commits: Any = None

    def start(self) -> None:
        """Know what there is; nothing is taken yet."""

        async def begin() -> None:
            self.commits = StepCommits(MemoryLog(self.house.disk, self.loop))
            self.floor = Floor(
                self.commits, clock=Clock(self.house.world), chance=Chance(1), owner=self.name,
                address=f"http://{self.name}:80", alone=False, lease_ms=LEASE_MS,
            )  # fmt: skip
            await self.floor.follow()
            await self.commits.run(self.floor._claim_process)
            self.floor._renewed_ms = self.floor.clock.now_ms()

        self.at_once(begin)

    def at_once(self, work: Callable[[], Any]) -> Any:
        self.loop.at_once = True
        done: list[Any] = []

        async def noted() -> None:
            done.append(await work())

        self.loop.begin(noted())
        self.loop.settle_down()
        while self.commits.can_write:
            self.commits.write()
            self.loop.call_soon(self.commits.hear)
            self.loop.settle_down()
        self.loop.at_once = False
        return done[0]


class SmallHouse:
    """One way through, as far as it was chosen."""

    def __init__(self, ways: Ways, image: Disk | None) -> None:
        self.ways = ways
        self.world = World("small")
        self.disk = Disk(self.world)
        self.truth = Truth(random.Random(0))
        self.answers: dict[str, Answer] = {}
        self.unanswered: dict[str, int] = {}
        """What was said to which life of which server, and not answered yet."""
        self.expiries = self.crashes = self.lost = 0
        self.said: set[tuple[int, int]] = set()
        if image is not None:
            self._copy(image)
        self.disk.written = self.truth.written
        self.servers = [Server(self, number, 1) for number in range(2)]
        for server in self.servers:
            server.start()
        if image is not None:
            self.servers[0].at_once(lambda: self.servers[0].floor.host_of(TABLE))

    def _copy(self, image: Disk) -> None:
        disk = self.disk
        disk.entries = list(image.entries)
        disk.by_stream = {stream: list(found) for stream, found in image.by_stream.items()}
        disk.answers = dict(image.answers)
        disk.data_keys = list(image.data_keys)
        disk.head = image.head
        self.truth.written(disk.entries)

    def prepare(self) -> Disk:
        """A table at which wagers may be placed."""
        server = self.servers[0]
        opening = Opening("nsw-pontoon", house=default_house(load("nsw-pontoon")))
        must(
            isinstance(server.at_once(lambda: server.floor.open_table(HOUSE, "", TABLE, opening)), Accepted), "a table"
        )
        return self.disk

    # --- what may happen ---

    def choices(self) -> Iterator[tuple[str, Callable[[], None]]]:
        ways = self.ways
        for act, (who, places) in enumerate(ways.acts):
            for place in places:
                if (act, place) not in self.said:
                    yield f"{who} says it at {place}", partial(self._say, act, who, place)
        for server in self.servers:
            yield from self._of(server)
        if self.expiries < ways.expiries:
            yield "the leases run out", self._expire

    def _of(self, server: Server) -> Iterator[tuple[str, Callable[[], None]]]:
        commits, loop, name = server.commits, server.loop, server.name
        if commits.can_write:
            yield f"{name} writes", commits.write
            if self.lost < self.ways.lost:
                yield f"{name} cannot write", lambda: self._cannot_write(commits)
        if commits.outcomes is not None:
            yield f"{name} hears of its write", commits.hear
        for index, call in enumerate(loop.calls):
            if call.found is None:
                yield (
                    f"{name} {call.name} is done ({index})",
                    partial(loop.do if call.name in IN_TWO else loop.both, call),
                )
            else:
                yield f"{name} hears of {call.name} ({index})", partial(loop.hear, call)
        if server.renewals < self.ways.renewals and self.expiries:
            yield f"{name} looks after its claims", lambda: self._renew(server)
        if self.crashes < self.ways.crashes and self.said:
            yield f"{name} is killed", lambda: self._kill(server)

    def _say(self, act: int, who: str, place: int) -> None:
        self.said.add((act, place))
        server = self.servers[place]
        key = f"{who}/a{act}"
        self.unanswered[f"{key}@{server.name}"] = 1

        def done(answer: Answer) -> None:
            self.unanswered.pop(f"{key}@{server.name}", None)
            self.truth.answered(key, answer)
            if isinstance(answer, Accepted):
                first = self.answers.setdefault(key, answer)
                must(first == answer, f"two answers to {key}: {first} and {answer}")

        seat = a.TakeSeat(who, act + 1)  # nothing but the id keeps it from being done twice
        server.loop.call_soon(lambda: server.floor.act_now(Caller(who, "player"), TABLE, f"a{act}", seat, done))

    def _cannot_write(self, commits: StepCommits) -> None:
        self.lost += 1
        self.disk.is_full = True
        commits.write()
        self.disk.is_full = False

    def _expire(self) -> None:
        self.expiries += 1
        self.world.now += LEASE_MS / 1000 + 0.001

    def _renew(self, server: Server) -> None:
        server.renewals += 1
        server.loop.call_soon(lambda: server.loop.begin(_quietly(server.floor._look_after_claims())))

    def _kill(self, server: Server) -> None:
        self.crashes += 1
        server.loop.die()
        for key in [key for key in self.unanswered if key.endswith(f"@{server.name}")]:
            del self.unanswered[key]
        fresh = Server(self, server.number, server.life + 1)
        self.servers[server.number] = fresh
        fresh.start()

    def take(self, choice: str) -> None:
        """Do it, and everything that follows by itself."""
        dict(self.choices())[choice]()
        for server in self.servers:
            server.loop.settle_down()
            must(not server.loop.faults, f"{server.name}: {server.loop.faults[:1]}")
        if found_wrong:
            raise found_wrong[0]

    # --- where that leads ---

    def state(self) -> Any:
        """What decides everything that can still happen."""
        disk = self.disk
        log = tuple((each.stream, each.version, each.command, each.by) for each in disk.entries[-8:])
        now = disk.now_ms()
        claims = tuple(
            sorted((c.stream, c.owner, c.epoch, c.until_ms > now) for c in disk.claimed.values() if c.stream == STREAM)
        )
        return (
            log, claims, self.expiries, self.crashes, self.lost, frozenset(self.said), frozenset(self.unanswered),
            frozenset((key, answer.version) for key, answer in self.answers.items() if isinstance(answer, Accepted)),
            tuple(self._state_of(server) for server in self.servers),
        )  # fmt: skip

    def _state_of(self, server: Server) -> Any:
        floor, commits, loop = server.floor, server.commits, server.loop
        hosts = tuple(
            (
                host.version, host.decided_version, host.epoch, host.moved_to,
                tuple(each.command for each in host._flying),
                tuple((each.command, type(outcome).__name__) for each, outcome in host._failed),
                tuple(each.command for each in host._queue), tuple(host._by_command), tuple(host._answers),
                host._recovering is None, host._holding is None,
            )
            for host in floor.hosts.values()
        )  # fmt: skip
        calls = tuple((call.name, call.found is None, _short(call.found)) for call in loop.calls)
        batch = tuple(item.command for item, _ in commits.batch)
        outcomes = None if commits.outcomes is None else tuple(type(o).__name__ for _, o in commits.outcomes)
        claim = floor.claims.get(STREAM)
        return (
            server.name, server.renewals, hosts, calls, batch, outcomes, tuple(i.command for i, _ in commits._waiting),
            floor._holds, claim and (claim.owner, claim.epoch), tuple(floor._coming),
        )  # fmt: skip

    def ended(self) -> None:
        """Nothing is left to happen."""
        must(not self.unanswered, f"nobody answers {sorted(self.unanswered)}")

    def close(self) -> None:
        for server in self.servers:
            server.loop.die()


async def _quietly(work: Any) -> None:
    with suppress(Exception):  # as in the loop that keeps claims: the next try may succeed
        await work


def _short(found: Any) -> Any:
    """What was read, as far as it can differ."""
    if found is None:
        return None
    value = found[1]
    version = getattr(value, "version", None)
    if version is not None:
        return version
    if isinstance(value, dict):
        return tuple(sorted((key, each.owner, each.epoch) for key, each in value.items() if hasattr(each, "epoch")))
    if isinstance(value, list):
        return len(value)
    owner = getattr(value, "owner", None)
    return (owner, value.epoch) if owner is not None else str(value)[:80]


class Explored(NamedTuple):
    states: int
    ends: int
    """So many of them in which nothing is left to happen."""
    done: int
    """In so many of those every act was accepted."""
    deepest: int
    steps: int


def explore(ways: Ways, most: int = 1_000_000) -> Explored:
    """Go everywhere; AssertionError with the way that leads there where something does not hold."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what the dead had begun
        try:
            return _explore(ways, most)
        finally:
            gc.collect()


def _explore(ways: Ways, most: int) -> Explored:
    found_wrong.clear()
    first = SmallHouse(ways, None)
    image = first.prepare()
    first.close()
    seen: set[Any] = set()
    ends = done = deepest = steps = 0
    stack: list[list[str]] = [[]]
    while stack and len(seen) < most:
        path = stack.pop()
        house = SmallHouse(ways, image)
        try:
            for choice in path:
                house.take(choice)
                steps += 1
            while True:
                state = hash(house.state())
                if state in seen:
                    break
                seen.add(state)
                deepest = max(deepest, len(path))
                names = [name for name, _ in house.choices()]
                if not names:
                    house.ended()
                    ends += 1
                    done += len(house.answers) == len(ways.acts)
                    break
                stack += [[*path, name] for name in names[1:]]
                path = [*path, names[0]]
                house.take(names[0])
                steps += 1
        except AssertionError as fault:
            raise AssertionError(f"{fault}\nby this way: {'; '.join(path)}") from fault
        finally:
            house.close()
    must(done, "nothing was ever done")
    return Explored(len(seen), ends, done, deepest, steps)


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0 when everything held everywhere."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("how", nargs="?", choices=("small", "whole"), default="small")
    parser.add_argument("--most", type=int, default=10_000_000, help="how many states at most")
    parser.add_argument("--out", default="", help="where the figures go")
    asked = parser.parse_args(arguments)
    if os.environ.get(REPEATABLE) != "0":
        words = sys.argv[1:] if arguments is None else arguments
        os.execve(sys.executable, [sys.executable, "-m", "soak.explored", *words], os.environ | {REPEATABLE: "0"})
    began = time.process_time()
    told = []
    for ways in SMALL if asked.how == "small" else WHOLE:
        with one_seed("small"):
            try:
                found = explore(ways, asked.most)
            except AssertionError as fault:
                print(fault)
                return 1
        told.append({"what may happen": ways._asdict(), **found._asdict(), "all of it": found.states < asked.most})
        print(json.dumps(told[-1]), flush=True)
    if asked.out:
        said = {"houses": told, "processor seconds": round(time.process_time() - began)}
        Path(asked.out).write_text(json.dumps(said, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
