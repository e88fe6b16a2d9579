"""The servers of a simulated house, everybody who comes to it, and everything that goes wrong there."""

from __future__ import annotations

import asyncio
import datetime
import gc
import hashlib
import logging
import random
import warnings
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, ClassVar
from unittest.mock import patch

import msgspec
from argon2 import PasswordHasher

from pitboss.chance import Chance
from pitboss.floor.account_changes import Account
from pitboss.floor.clock import SystemClock
from pitboss.floor.floor import Floor
from pitboss.floor.host import Host
from pitboss.floor.link import LinkOpening, links_of
from pitboss.floor.model import HOUSE, Accepted, Answer, Caller, Denied, Halted, Moved, NotAllowed, Opening, Timers
from pitboss.floor.patrons_at_tables import patrons_of
from pitboss.floor.people import Proof, Session
from pitboss.floor.permissions import denial
from pitboss.floor.registers import HouseRegisters
from pitboss.floor.setting_up import Reception
from pitboss.floor.updates import Watch
from pitboss.floor.wire import AskShuffle
from pitboss.patrons import acts as p
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.store.log import StoreError
from pitboss.table import acts as a
from pitboss.table.house import BLAZING, DEVICE, SHOE, default_house
from pitboss.table.legal import waiting_for
from soak.floor_scenes import Sevens
from soak.simulated.disk import Commits, Disk, MemoryLog
from soak.simulated.truth import Truth, found_wrong, must
from soak.simulated.world import BEGAN_MS, Loop, World
from tests.properties.driver import next_act

PASSWORD = "correct horse battery"
PLAYERS = ("alice", "bob", "carol", "dave", "erin", "frank")
STAFF = {
    "dealer-1": "dealer",
    "supervisor-1": "supervisor",
    "supervisor-2": "supervisor",
    "manager-1": "gaming-manager",
    "inspector-1": "inspector",
    "admin-1": "administrator",
}
LEASE_MS = 2_000
CHECKPOINT_EVERY = 32
AGAIN = 0.2
"""So many acts are said twice."""
MOUTHS = 20
"""So many people speak at once."""
FAULT_SECONDS = 1.2
"""Between two things that go wrong, on the average."""
LIMIT_CENTS = 60_000
QUICK = Timers(
    wagers_ms=150, last_wager_ms=60, decision_ms=400, answer_ms=200, insurance_ms=100, surrender_ms=100, cut_ms=50,
    supervisor_ms=300, away_ms=60_000, pace_ms=2,
)  # fmt: skip
QUIET_SECONDS = 30.0
"""So long after the last fault everything must have come to rest."""


class Clock(SystemClock):
    """A machine's clock, which somebody may set."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        super().__init__(self._wall, self._passed)

    def _wall(self) -> int:
        return int((BEGAN_MS + self.machine.ahead_ms) * 1_000_000 + self.machine.world.now * 1e9)

    def _passed(self) -> int:
        return int(self.machine.world.now * 1e9)


class Machine:
    """One machine: its server is killed and starts again, its clock goes wrong."""

    def __init__(self, house: HouseOfAll, number: int) -> None:
        self.house, self.world, self.number = house, house.world, number
        self.name = f"server-{number}"
        self.address = f"http://{self.name}:80"
        self.ahead_ms = 0
        self.lives = 0
        self.loop: Loop | None = None
        self.floor: Floor | None = None
        self.reception: Reception | None = None
        self.is_up = False

    def start(self) -> None:
        self.lives += 1
        self.is_up = False
        self.loop = self.world.loop(f"{self.name}.{self.lives}")
        self.loop.call_soon(lambda: self.begin(self._boot(self.loop)))  # type: ignore[arg-type]

    def begin(self, work: Coroutine[Any, Any, Any]) -> None:
        assert self.loop is not None
        self.loop.begin(work)

    async def _boot(self, loop: Loop) -> None:
        try:
            log = self.house.open_log(loop)
            alone = self.house.alone
            commits = Commits(log, self.house.disk, loop)
            floor = self.floor = Floor(
                commits,
                clock=Clock(self),
                chance=self._chance(loop),
                owner="local" if alone else loop.name,
                address=self.address,
                alone=alone,
                lease_ms=LEASE_MS,
            )
            self.reception = Reception(floor, hasher=QuickHasher())
            await self.reception.open()
            await floor.start()
            self.is_up = True
        except StoreError:
            self.world.after(0.5, lambda: self.kill(loop, again=0.2))

    def _chance(self, loop: Loop) -> Chance:
        """In some worlds a shuffled stack begins with the sevens of diamonds, so that jackpots are won."""
        seed = f"{self.world.seed}/{loop.name}"
        return Sevens(seed) if self.house.is_lucky else Chance(seed)

    def kill(self, loop: Loop | None = None, *, again: float = 0.5) -> bool:
        """Killed with signal 9, and started again by whoever looks after it."""
        if self.loop is None or (loop is not None and loop is not self.loop):
            return False
        loop, self.loop, self.is_up = self.loop, None, False
        self.house.check_faults(loop)
        if self.floor is not None:
            self.house.note_killed(self.floor)
        self.house.disk.died(loop)
        self.world.kill(loop)
        self.house.dead += [self.floor, self.reception]
        self.floor = self.reception = None
        self.world.after(again, self.start)
        return True

    def deliver(self, handle: Callable[[Machine], Any]) -> None:
        """Something comes from the network."""
        if self.is_up and self.loop is not None:
            self.loop.call_soon(lambda: handle(self))


class QuickHasher(PasswordHasher):
    """In no time, and for the same password always the same."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        return super().hash(password, salt=salt or bytes(16))


class Watching:
    """Somebody who watches a table, wherever it is, and goes on after what they saw last."""

    def __init__(self, house: HouseOfAll, table: str, caller: Caller) -> None:
        self.house, self.table, self.caller = house, table, caller
        self.seen = 0
        self.watch: Watch | None = None
        self.machine: Machine | None = None
        self.loop: Loop | None = None
        self._is_due = self._is_coming = False

    def look(self) -> None:
        """Go where the table is, if we are not there."""
        house = self.house
        here = self.watch is not None and self.loop is not None and not self.loop.dead
        if here and self.watch is not None and self.watch.host.moved_to is None:
            return
        if self._is_coming and self.loop is not None and not self.loop.dead:
            return
        machine = house.where(self.table)
        if machine is None or not machine.is_up:
            return
        self.loop, self.machine, self.watch, self._is_due = machine.loop, machine, None, False
        self._is_coming = True
        machine.deliver(lambda there: there.begin(self._come(there)))

    async def _come(self, machine: Machine) -> None:
        floor, loop = machine.floor, machine.loop
        if floor is None:
            self._is_coming = False
            return
        found: Any = None
        with suppress(StoreError):
            found = await floor.watch(self.caller, self.table, self.seen, self._wake)
        self._is_coming = False
        if isinstance(found, Watch) and loop is self.loop:
            self.watch = found
            self._wake()

    def _wake(self) -> None:
        if not self._is_due and self.loop is not None:
            self._is_due = True
            self.loop.call_later(0.001 + self.house.number(self.table) * 1e-6, self._take)

    def _take(self) -> None:
        self._is_due = False
        if self.watch is not None:
            update = msgspec.json.decode(self.watch.take())
            self.seen = self.house.truth.updated(update, self.caller, self.seen)
            self.house.updates += 1


class HouseOfAll:
    """One world: servers, disk, people, faults, and what must hold."""

    log_kind: ClassVar[str] = "memory"

    def __init__(self, seed: str, *, acts: int = 600, servers: int | None = None, calm: bool = False) -> None:
        self.world = World(seed)
        chance = self.chance = self.world.chance
        self.acts_wanted = acts
        self.calm = calm
        self.disk = self.make_disk()
        self.truth = Truth(random.Random(f"{seed}/truth"))
        self.disk.written = self.truth.written
        many = servers if servers is not None else chance.choice((1, 2, 3, 3))
        self.alone = many == 1
        self.machines = [Machine(self, number) for number in range(many)]
        self.street = self.world.loop("street")
        self.dead: list[Any] = []
        self.said = self.again = self.accepted = self.refused = self.denied = 0
        self.kills = self.kills_in_rounds = self.powers = self.takeovers = self.pauses = self.jumps = self.updates = 0
        self.takeovers_in_rounds = 0
        self.owners: dict[str, str] = {}
        self.is_over = False
        self.loss = 0.0 if calm else chance.choice((0.0, 0.01, 0.05))
        self.double = 0.0 if calm else chance.choice((0.0, 0.05, 0.1))
        self.watchers: list[Watching] = []
        self.is_lucky = chance.random() < 0.3
        self._numbers: dict[str, int] = {}
        self._busy = 0
        self._first: dict[str, float] = {}
        """When each command was first acknowledged."""
        self.tokens: dict[str, str] = {}

    # --- what other kinds of houses do otherwise ---

    @property
    def goes_on(self) -> bool:
        """Whether people still come."""
        return self.said < self.acts_wanted

    def pause(self, chance: random.Random) -> float:
        """Before somebody speaks again."""
        return chance.random() * 0.06 if chance.random() < 0.98 else chance.random() * 2

    def fault_seconds(self) -> float:
        return self.chance.expovariate(1 / FAULT_SECONDS)

    def make_disk(self) -> Disk:
        return Disk(self.world)

    def open_log(self, loop: Loop) -> Any:
        return MemoryLog(self.disk, loop)

    def lose_power(self) -> None:
        """All servers at once."""
        for machine in self.machines:
            machine.kill(again=0.3 + self.chance.random())

    # --- the run ---

    def run(self) -> None:
        for machine in self.machines:
            machine.start()
        self.world.run(self._all_up, 60.0)
        opening = self.street.create_task(self._open_everything())
        self.world.run(opening.done, 600.0)
        opening.result()
        people = [self.street.create_task(self._mouth(number)) for number in range(MOUTHS)]
        looking = self.street.create_task(self._keep_looking())
        if not self.calm:
            self._something_later()
        self.world.run(lambda: all(task.done() for task in people), 4e5)
        for task in people:
            task.result()
        self.is_over = True
        self._heal()
        self.world.run(self._at_rest, QUIET_SECONDS + 60)
        looking.cancel()
        self._look_whole()

    def waited(self, seconds: float, attempts: int) -> None:
        """Somebody has an answer that is for good, after so many attempts: whoever hears nothing asks once more."""

    def close(self) -> None:
        self.world.close()

    def bury(self) -> None:
        """Clear away what the dead left, of which nothing may come any more."""
        self.dead.clear()
        self.watchers.clear()
        self.world.graves.clear()
        self.world.loops.clear()
        for machine in self.machines:
            machine.loop = machine.floor = machine.reception = None
        gc.collect()

    def _all_up(self) -> bool:
        return all(machine.is_up for machine in self.machines)

    def number(self, table: str) -> int:
        return self._numbers.setdefault(table, len(self._numbers) + 1)

    # --- opening ---

    def _openings(self) -> Iterator[tuple[str, Opening]]:
        chance = self.chance
        for number, book in enumerate(RULEBOOKS):
            if chance.random() < 0.7:
                rules = load(book)
                face_down = rules.cards.face_down.value != "never" and chance.random() < 0.5
                source = chance.choice((SHOE, DEVICE)) if DEVICE in rules.shuffle.sources.value else SHOE
                house = default_house(rules, source=source, face_down=face_down)
                by_house = chance.random() < 0.3
                dealt: dict[str, Any] = {"dealer": "house", "timers": QUICK, "bots": ("bot-ann",)} if by_house else {}
                yield f"t{number}", Opening(book, house=house, **dealt)
        dated = load("nsw-pontoon")
        for number in range(2):
            yield f"d{number}", Opening(dated.id, house=default_house(dated, date=_DATE, source=SHOE))
        if chance.random() < 0.6:
            rules = load("nsw-blackjack-challenge")
            for number in range(2):
                house = default_house(
                    rules, jackpot_linked=True, jackpot_rate_percent=13, jackpot_minimum_cents=2_500_000,
                    side_bets=(BLAZING,), source=DEVICE, decks=rules.blazing_7s.decks.value[0],
                )  # fmt: skip
                yield f"j{number}", Opening(rules.id, house=house, link="sevens")

    async def _open_everything(self) -> None:
        machine = self.machines[0]
        floor, reception = machine.floor, machine.reception
        assert floor is not None and reception is not None

        def there(work: Any) -> Any:
            """Done by the server, waited for in the street."""
            future = self.street.create_future()

            def begin() -> None:
                task = asyncio.ensure_future(work)
                task.add_done_callback(lambda done: self.street.call_soon(_pass_on, done, future))

            assert machine.loop is not None
            machine.loop.call_soon(begin)
            return future

        now = floor.clock.now_ms
        for name, role in [*STAFF.items(), *((name, "player") for name in PLAYERS)]:
            made = await there(reception.people.create_for_the_house(name, role, PASSWORD, now()))
            must(isinstance(made, Account), f"no account for {name}: {made}")
            session = await there(reception.people.log_in(name, PASSWORD, "192.0.2.1", now(), proof=Proof(local=True)))
            must(isinstance(session, Session), f"{name} is not let in: {session}")
            self.tokens[name] = session.token
        sam = Caller("supervisor-1", "supervisor")
        book = patrons_of(floor).book
        for name in PLAYERS:
            rules = load("nsw-pontoon")
            for act in (p.Identify("", "passport"), p.IssueCard("", f"S-{name}")):
                done = await there(book.do(sam, name, rules, act))
                must(isinstance(done, tuple), f"no file for {name}: {done}")
        for name in PLAYERS[:2]:
            done = await there(book.do(Caller(name, "player"), name, rules, p.SetLossLimit("", LIMIT_CENTS)))
            must(isinstance(done, tuple), f"no limit for {name}: {done}")
        opened = list(self._openings())
        if any(opening.link for _, opening in opened):
            link = LinkOpening("nsw-blackjack-challenge", 2_600_001, 2_500_000, 13, 500)
            done = await there(links_of(floor).open(sam, "link", "sevens", link))
            must(isinstance(done, Accepted), f"no link: {done}")
        for name, opening in opened:
            done = await there(floor.open_table(HOUSE, f"open-{name}", name, opening))
            must(isinstance(done, Accepted), f"{name} is not opened: {done}")
            self.number(name)
            self.watchers += [Watching(self, name, Caller(each, "player")) for each in ("alice", "nobody")]

    # --- people ---

    def where(self, table: str) -> Machine | None:
        """Where a table is, by what the log says of claims; anybody where nobody has it."""
        if self.alone:
            return self.machines[0]
        claim = self.claims().get(f"table:{table}")
        for machine in self.machines:
            if claim is not None and claim.address == machine.address:
                return machine
        return self.chance.choice(self.machines)

    def claims(self) -> Any:
        return self.disk.claimed

    async def _keep_looking(self) -> None:
        while True:
            for watching in self.watchers:
                watching.look()
            await asyncio.sleep(0.05)

    async def _mouth(self, number: int) -> None:
        """Somebody whose word is now one person's and now another's: what they say, they say until it is answered."""
        chance = random.Random(f"{self.world.seed}/mouth/{number}")
        count = 0
        while self.goes_on:
            await asyncio.sleep(self.pause(chance))
            count += 1
            if chance.random() < 0.03:
                await self._second(chance)
                continue
            name = chance.choice([each for each, at in self.truth.tables.items() if not at.closed])
            found = self._what_next(name, chance)
            if found is None:
                continue
            who, act = found
            await self._say(who, name, f"{number}-{count}", act, chance)

    def _what_next(self, name: str, chance: random.Random) -> tuple[str, Any] | None:
        """Somebody, and what they say at a table as it stands."""
        at = self.truth.tables[name]
        table = at.table
        act: Any = None
        waiting = waiting_for(table).what
        if table.house.counted and (waiting in ("wagers", "shuffle")) and chance.random() < 0.35:
            act = self._chips(chance)
        elif waiting == "wagers" and chance.random() < 0.03:
            limits = a.SetLimits("", 500, chance.choice((50_000, 2_000_000)))
            act = chance.choice((limits, a.FillFloat("", 50_000)))  # by two people
        elif waiting == "wagers" and at.opening.link and table.boxes and chance.random() < 0.4:
            box = chance.choice(sorted(table.boxes))
            names = sorted(table.boxes[box].wagers) or ["alice"]
            act = a.PlaceWager(chance.choice(names), box, 500, BLAZING)
        elif waiting == "wagers" and chance.random() < 0.25:
            act = a.Deal()
        else:
            act = next_act(table, chance, 0.01)
        if isinstance(act, a.Shuffle):
            act = AskShuffle()
        if isinstance(act, (a.TellPatron, a.SetJackpot, a.PayJackpot, a.TurnDate, a.Mix)):
            return None
        player = getattr(act, "player", "")
        if player in PLAYERS and (chance.random() < 0.9 or type(act).__name__ == "PlaceWager"):
            asked = act if not isinstance(act, AskShuffle) else a.Shuffle(())
            if denial(Caller(player, "player"), asked, table, where=name, dealt_by=at.opening.dealer) is None:
                return player, act
        staff = ["dealer-1", "supervisor-1", "supervisor-2", "manager-1"]
        if chance.random() < 0.02:
            return chance.choice((*PLAYERS, *staff)), act
        asked = a.Shuffle(()) if isinstance(act, AskShuffle) else act
        for who in staff:
            if denial(Caller(who, STAFF[who]), asked, table, where=name, dealt_by=at.opening.dealer) is None:
                return who, act
        return (player, act) if player in PLAYERS else None

    def _chips(self, chance: random.Random) -> Any:
        who, cents = chance.choice(PLAYERS), chance.choice((500, 2_500, 10_000))
        makers = (a.BuyChips, a.BuyChips, a.BringChips, a.BringChips, a.TakeChips)
        kind = chance.choice(makers)
        if chance.random() < 0.05:
            return a.CashChips("casino-supervisor", who, cents)
        return kind(who, cents)

    async def _say(self, who: str, table: str, command: str, act: Any, chance: random.Random) -> None:
        """Until there is an answer that is for good, or nobody wants it any more."""
        self.said += 1
        full = f"{who}/{command}"
        twice, asked_at = chance.random() < AGAIN, self.world.now
        for attempt in range(60):
            if self.is_over:
                return
            machine = self.where(table) if chance.random() < 0.9 else chance.choice(self.machines)
            future: asyncio.Future[Answer] = self.street.create_future()
            times = 2 if twice and attempt == 0 else 1
            self.again += times > 1
            for time in range(times):
                there = machine if time == 0 or chance.random() < 0.5 else chance.choice(self.machines)
                self._send(there, who, table, command, full, act, future)
            try:
                answer = await asyncio.wait_for(future, 1.0)
            except TimeoutError:
                continue
            if isinstance(answer, Moved | Halted):
                await asyncio.sleep(0.02 + chance.random() * 0.2)
                continue
            self.waited(self.world.now - asked_at, attempt + 1)
            self.accepted += isinstance(answer, Accepted)
            self.refused += isinstance(answer, NotAllowed)
            self.denied += isinstance(answer, Denied)
            return

    def _send(self, machine: Any, who: str, table: str, command: str, full: str, act: Any, future: Any) -> None:
        """Over the network, where it may be lost, come twice, or come late."""
        sent_at = self.world.now
        asked: Any = msgspec.structs.replace(act)

        def handle(there: Machine) -> None:
            floor, reception = there.floor, there.reception
            assert floor is not None and reception is not None
            caller = reception.people.who(self.tokens[who], floor.clock.now_ms())
            if caller is None:
                there.begin(self._log_in_again(there, who))
                return

            def done(answer: Answer) -> None:
                self._answered(full, sent_at, answer)
                self._back(future, answer)

            floor.act_now(caller, table, command, asked, done)

        for _ in range(2 if self.chance.random() < self.double else 1):
            if machine is not None and self.chance.random() >= self.loss:
                self.world.after(self._distance(), lambda: machine.deliver(handle))

    async def _log_in_again(self, there: Machine, who: str) -> None:
        """Their session is over, or this server has not heard of it yet."""
        reception, floor = there.reception, there.floor
        if reception is None or floor is None:
            return
        with suppress(StoreError):
            await reception.people.catch_up()
            now = floor.clock.now_ms()
            if reception.people.who(self.tokens[who], now) is None:
                found = await reception.people.log_in(who, PASSWORD, "192.0.2.1", now, proof=Proof(local=True))
                if isinstance(found, Session):
                    self.tokens[who] = found.token

    def _distance(self) -> float:
        draw = self.chance.random
        return 0.0005 + draw() * 0.003 if draw() < 0.95 else draw() * 0.4

    def _back(self, future: Any, answer: Answer) -> None:
        def arrive() -> None:
            if not future.done():
                future.set_result(answer)

        if self.chance.random() >= self.loss:
            self.world.after(self._distance(), lambda: self.street.call_soon(arrive))

    def _answered(self, full: str, sent_at: float, answer: Answer) -> None:
        self.truth.answered(full, answer)
        if isinstance(answer, Accepted):
            self._first.setdefault(full, self.world.now)
        elif isinstance(answer, NotAllowed | Denied):
            first = self._first.get(full)
            must(first is None or sent_at <= first, f"{full} was accepted, and is refused when it is said again")

    async def _second(self, chance: random.Random) -> None:
        """Somebody answers a proposal that waits."""
        waiting = [each for each in self.truth.proposals.values() if each.state in ("waiting", "approved")]
        if not waiting:
            return
        found = chance.choice(waiting[-5:])
        machine = self.where(found.table)
        who = chance.choice(("supervisor-1", "supervisor-2", "manager-1", "inspector-1"))
        if found.state == "approved":
            who = found.by
        approve = chance.random() < 0.8

        def handle(there: Machine) -> None:
            there.begin(word(there))

        async def word(there: Machine) -> None:
            floor, reception = there.floor, there.reception
            assert floor is not None and reception is not None
            caller = Caller(who, STAFF[who])
            with suppress(StoreError):
                await reception.approvals.catch_up()
                await reception.approvals.answer(caller, found.id, approve, floor.approved)

        if machine is not None:
            machine.deliver(handle)

    # --- what goes wrong ---

    def _something_later(self) -> None:
        """Something goes wrong, on the average every few seconds."""
        if not self.is_over:
            self.world.after(self.fault_seconds(), self._something)

    def _something(self) -> None:
        if self.is_over:
            return
        chance = self.chance
        machine = chance.choice(self.machines)
        what = chance.random()
        if what < 0.55:
            steps = chance.randint(0, 40)  # in the middle of whatever is under way
            self.world.after(chance.random() * 0.02, lambda: self._kill_in(machine, steps))
        elif what < 0.60:
            self.powers += 1
            self.lose_power()
        elif what < 0.75:
            self._pause(machine)
        elif what < 0.83:
            self._jump(machine)
        elif what < 0.90:
            self._slow_disk()
        elif what < 0.95:
            self.disk.is_full = True
            self.world.after(chance.random() * 3, self._disk_is_right)
        else:
            self.disk.is_away = True
            self.world.after(chance.random() * 2, self._disk_is_right)
        self._something_later()

    def _kill_in(self, machine: Machine, steps: int) -> None:
        end = self.world.steps + steps

        def look() -> None:
            if self.world.steps >= end:
                self.world.after_step.remove(look)
                self.world.after(0.0, kill)

        def kill() -> None:
            if machine.kill(again=self.chance.choice((0.1, 0.5, 3.0))):
                self.kills += 1

        self.world.after_step.append(look)

    def note_killed(self, floor: Floor) -> None:
        self.kills_in_rounds += any(host.table.boxes for host in floor.hosts.values())

    def _pause(self, machine: Machine) -> None:
        loop = machine.loop
        if loop is None or loop.frozen:
            return
        loop.frozen = True
        self.pauses += 1

        def go_on() -> None:
            loop.frozen = False

        self.world.after(self.chance.choice((0.3, 1.9, 2.1, 6.0)), go_on)
        commits = machine.floor.commits if machine.floor is not None else None
        if isinstance(commits, Commits):
            self.world.after(4.0, commits.look_paused)

    def _jump(self, machine: Machine) -> None:
        self.jumps += 1
        machine.ahead_ms += self.chance.choice((-3_600_000, -60_000, -2_500, 2_500, 60_000, 3_600_000, 86_400_000))

    def _slow_disk(self) -> None:
        self.world.slow = self.chance.choice((0.05, 0.5, 3.0))

        def is_quick() -> None:
            self.world.slow = 0.0

        self.world.after(self.chance.random() * 6, is_quick)

    def _disk_is_right(self) -> None:
        self.disk.is_full = self.disk.is_away = False

    def _heal(self) -> None:
        self._disk_is_right()
        self.world.slow = self.loss = self.double = 0.0
        for loop in self.world.loops:
            loop.frozen = False

    # --- what must hold ---

    def check_faults(self, loop: Loop) -> None:
        must(not loop.faults, f"{loop.name}: {loop.faults[:2]}")

    def look(self) -> None:
        """Which tables changed hands."""
        for table, at in self.truth.tables.items():
            claim = self.claims().get(f"table:{table}")
            owner = claim.owner if claim is not None else ""
            before = self.owners.get(table, "")
            if owner and owner != before:
                if before:
                    self.takeovers += 1
                    self.takeovers_in_rounds += bool(at.table.boxes)
                self.owners[table] = owner

    def _at_rest(self) -> bool:
        if not self._all_up():
            return False
        open_tables = {name: at for name, at in self.truth.tables.items() if not at.closed}
        hosts: dict[str, Host] = {}
        for machine in self.machines:
            assert machine.floor is not None
            for name, host in machine.floor.hosts.items():
                if host.moved_to is None and machine.floor._holds:
                    if name in hosts:
                        return False  # it stood still, and learns of it at its next look
                    hosts[name] = host
        if set(hosts) != set(open_tables):
            for watching in self.watchers:
                watching.look()
            return False
        idle = all(host.is_idle and host.version == open_tables[name].version for name, host in hosts.items())
        return idle and all(each.seen == self.truth.tables[each.table].version for each in self.watchers)

    def _look_whole(self) -> None:
        found = []
        for machine in self.machines:
            assert machine.floor is not None and machine.loop is not None
            self.check_faults(machine.loop)
            for host in machine.floor.hosts.values():
                must(host.breaches == 0 and host.faults == 0, f"{host.name} was stopped by a fault")
                self.truth.pictured(host)
            try:
                found.append(machine.floor.projections.ask(HouseRegisters, msgspec.json.encode))
            except (KeyError, ValueError) as fault:
                must(False, f"a server cannot fold the registers: {fault!r}")
        log = self.open_log(self.street)
        self.truth.whole(list(log.read_all()), log.answer, found)

    @property
    def figures(self) -> Counter[str]:
        truth = self.truth
        return Counter(
            {
                "acts said": self.said,
                "said again": self.again,
                "accepted": self.accepted,
                "refused": self.refused,
                "denied": self.denied,
                "acts durable": truth.acts,
                "entries": truth.seq,
                "rounds": sum(at.rounds for at in truth.tables.values()),
                "server kills": self.kills,
                "kills in the middle of rounds": self.kills_in_rounds,
                "power cuts": self.powers,
                "takeovers": self.takeovers,
                "takeovers in the middle of rounds": self.takeovers_in_rounds,
                "pauses": self.pauses,
                "clock jumps": self.jumps,
                "updates checked": self.updates,
                "flips": truth.flips,
                "whole tables checked": truth.checkpoints,
                "jackpots paid": truth.jackpots,
                "simulated seconds": int(self.world.now),
                "steps": self.world.steps,
            }
        )

    @property
    def digest(self) -> str:
        """The same for the same seed."""
        said = f"{self.truth.hash.hex()} {self.world.steps} {self.world.now!r} {sorted(self.figures.items())}"
        return hashlib.sha256(said.encode()).hexdigest()[:16]


_DATE = datetime.date(2023, 11, 14)


def _pass_on(done: asyncio.Future[Any], future: asyncio.Future[Any]) -> None:
    if done.exception() is not None:
        future.set_exception(done.exception())  # type: ignore[arg-type]
    else:
        future.set_result(done.result())


@contextmanager
def one_seed(seed: str) -> Iterator[None]:
    """Whatever a server would ask its machine for comes from the seed."""
    secrets = random.Random(f"{seed}/secrets")

    def token(size: int = 32) -> str:
        return secrets.randbytes(size).hex()[: size + size // 3]

    class Stopwatch:
        """The time that work takes, which is none here."""

        @staticmethod
        def perf_counter() -> float:
            return 0.0

        monotonic = thread_time = perf_counter

    with ExitStack() as stack:

        def instead(name: str, value: Any) -> None:
            stack.enter_context(patch(name, value))

        for module in ("store.planning", "store.sealing", "store.keyring", "floor.factors"):
            instead(f"pitboss.{module}.secret_bytes", secrets.randbytes)
        for module in ("floor.people", "floor.approvals", "floor.setting_up"):
            instead(f"pitboss.{module}.secret_token", token)
        instead("pitboss.floor.ticking.time", Stopwatch)
        instead("pitboss.floor.ticking._wanted_seconds", float)
        instead("pitboss.floor.shared_stream.time", Stopwatch)
        instead("pitboss.floor.gate.thread_time", Stopwatch.thread_time)
        instead("pitboss.floor.host.CHECKPOINT_EVERY", CHECKPOINT_EVERY)
        instead("pitboss.floor.history.CHECKPOINT_EVERY", CHECKPOINT_EVERY)
        instead("soak.simulated.truth.CHECKPOINT_EVERY", CHECKPOINT_EVERY)
        instead("pitboss.floor.floor.UNEVEN_SECONDS", 2.0)
        level = logging.getLogger("pitboss").level
        logging.getLogger("pitboss").setLevel(logging.CRITICAL + 1)
        was_on = gc.isenabled()
        try:
            yield
        finally:
            logging.getLogger("pitboss").setLevel(level)
            if was_on:
                gc.enable()


def simulate(seed: str, kind: type[HouseOfAll] = HouseOfAll, **more: Any) -> HouseOfAll:
    """One world from its beginning to its end; Wrong (an AssertionError) where something does not hold."""
    found_wrong.clear()
    with one_seed(seed):
        house = kind(seed, **more)
        ticks = [0]

        def look() -> None:
            if found_wrong:
                raise found_wrong[0]
            ticks[0] += 1
            if ticks[0] % 64 == 0:
                house.look()

        house.world.after_step.append(look)
        try:
            house.run()
        finally:
            house.close()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of what the dead had begun
                house.bury()
    return house
