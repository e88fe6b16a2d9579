"""Scenes for a floor that is going to be killed: real people, whole dealt rounds, and always the same end.

What comes next is decided by what is durable alone (tables, accounts, proposals), never by what a process remembers.
So a scene that was cut off anywhere goes on from there, and must come to the very end of one that nobody disturbed.
Chance is of the same kind: how the cards lie after a shuffle follows from how they lay before it.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar

import msgspec

import pitboss.floor.history
import pitboss.floor.host
import pitboss.floor.people
from pitboss.chance import Chance
from pitboss.floor.account_changes import Account
from pitboss.floor.clock import SetClock
from pitboss.floor.floor import Floor
from pitboss.floor.host import Host
from pitboss.floor.house_dealer import _may_mix
from pitboss.floor.link import LinkOpening, Pool, links_of
from pitboss.floor.model import Answer, Caller, Halted, Opening, Timers
from pitboss.floor.people import Proof, Session
from pitboss.floor.setting_up import Reception
from pitboss.floor.updates import Watch
from pitboss.floor.wire import AskedAct, AskShuffle
from pitboss.rulebooks import load
from pitboss.store.group import GroupCommit
from pitboss.store.log import Log, StoreError
from pitboss.table import acts as a
from pitboss.table.house import BLAZING, DEVICE, SHOE, default_house
from pitboss.table.legal import Waiting, legal_acts, waiting_for
from pitboss.table.state import Table

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from argon2 import PasswordHasher

T = TypeVar("T")

BEGAN_MS = 1_700_000_000_000
CHECKPOINT_EVERY = 12
"""So few that a table is written down as a whole several times in a scene."""
PEOPLE_EVERY = 3
PASSWORD = "correct horse battery"
STAFF: Mapping[str, str] = {
    "alice": "player",
    "bob": "player",
    "dealer-1": "dealer",
    "supervisor-1": "supervisor",
    "supervisor-2": "supervisor",
    "manager-1": "gaming-manager",
    "admin-1": "administrator",
}
HOST, SECOND, MANAGER, DEALER, ADMIN = "supervisor-1", "supervisor-2", "manager-1", "dealer-1", "admin-1"
LARGE_CENTS = 1_000_000
PATIENCE_SECONDS = 60.0
"""A scene in which nothing happens for so long has come to a stop that nobody meant."""


def checkpoint_often() -> None:
    """Whole tables, and everybody with an account, are written down every few entries; in this process only."""
    pitboss.floor.host.CHECKPOINT_EVERY = CHECKPOINT_EVERY
    pitboss.floor.history.CHECKPOINT_EVERY = CHECKPOINT_EVERY  # type: ignore[attr-defined]
    pitboss.floor.people.CHECKPOINT_EVERY = PEOPLE_EVERY


# --- chance ----------------------------------------------------------------------------------------------------------


class Repeatable(Chance):
    """A chance without a past: the same cards are always shuffled in the same way."""

    def shuffled(self, cards: Sequence[T]) -> tuple[T, ...]:
        lay = hashlib.sha256("".join(map(str, cards)).encode()).hexdigest()
        return Chance(f"{self.seed}:{lay}").shuffled(cards)

    def below(self, limit: int) -> int:
        return Chance(f"{self.seed}:{limit}").below(limit)


class Sevens(Repeatable):
    """The sevens of diamonds lie first, after what is burned: a load of the device begins with a jackpot."""

    def shuffled(self, cards: Sequence[T]) -> tuple[T, ...]:
        order = super().shuffled(cards)
        sevens = tuple(card for card in order if card == "7d")
        rest = tuple(card for card in order if card != "7d")
        burned = load("nsw-blackjack-challenge").shuffle.burn_device.value
        return (*rest[:burned], *sevens, *rest[burned:])


# --- what people ask for ---------------------------------------------------------------------------------------------


class _Step(msgspec.Struct, frozen=True, tag=True):
    """Something that somebody asks of the floor; told to whoever counts before it is asked."""

    who: str
    command: str

    @property
    def key(self) -> str:
        return f"{self.who}/{self.command}"


class Ask(_Step, frozen=True, tag=True):
    """An act at a table."""

    table: str
    act: AskedAct


class Open(_Step, frozen=True, tag=True):
    table: str
    opening: Opening


class OpenLink(_Step, frozen=True, tag=True):
    link: str
    opening: LinkOpening


class Close(_Step, frozen=True, tag=True):
    table: str


class Second(_Step, frozen=True, tag=True):
    """A second person approves what the first asked for under a command."""

    table: str
    first: str
    asked: str


class Create(_Step, frozen=True, tag=True):
    """An account, made by an administrator."""

    name: str
    role: str


class Enter(_Step, frozen=True, tag=True):
    """Log in."""


class Refresh(_Step, frozen=True, tag=True):
    """Sessions that were used are written down, and now and then everybody."""


Step: TypeAlias = Ask | Open | OpenLink | Close | Second | Create | Enter | Refresh


class Said(msgspec.Struct, frozen=True, tag=True):
    """A step is asked for now."""

    step: Step


class Got(msgspec.Struct, frozen=True, tag=True):
    """The floor has answered: from here on it must be so for ever."""

    key: str
    answer: pitboss.floor.host.AnyAnswer | None
    token: str = ""


class Saw(msgspec.Struct, frozen=True, tag=True):
    """A watcher was told."""

    table: str
    version: int
    missed: int
    events: list[tuple[int, int]]
    """Version and number of each event."""


Told: TypeAlias = Said | Got | Saw
Tell: TypeAlias = Callable[[Told], None]


# --- the floor on which it happens -----------------------------------------------------------------------------------


class Now:
    """A floor with its people, and who is logged in."""

    def __init__(self, floor: Floor, reception: Reception, tell: Tell) -> None:
        self.floor = floor
        self.reception = reception
        self.tell = tell
        self.tokens: dict[str, str] = {}
        self.watches: dict[str, Watch] = {}
        self.halted: list[str] = []
        """What was said while nothing could be written."""
        self.patient = False
        """Whether people wait for each other's answers, and stop once one is told that nothing can be written."""

    @property
    def log(self) -> Log:
        return self.floor.commits.log

    def is_answered(self, key: str) -> bool:
        """Whether the log knows a command."""
        return self.log.answer(key) is not None

    def caller(self, name: str) -> Caller:
        found = self.reception.people.who(self.tokens.get(name, ""), self.floor.clock.now_ms())
        if found is None:
            raise AssertionError(f"the session of {name} is lost")
        return found

    def proposal(self, first: str, command: str) -> Any:
        for each in self.reception.approvals.proposals.values():
            if (each.first, each.command) == (first, command):
                return each
        return None

    # --- asking ---

    async def ask_all(self, steps: Sequence[Step]) -> None:
        """Steps at once, in their order."""
        if not self.patient:
            await asyncio.gather(*map(self.ask, steps))
            return
        for step in steps:
            if isinstance(await self.ask(step), Halted):
                return

    async def ask(self, step: Step) -> Answer | None:
        """One step, told before and after."""
        self.tell(Said(step))
        try:
            answer, token = await self._answer(step)
        except StoreError as fault:
            answer, token = Halted(str(fault)), ""
        if isinstance(answer, Halted):
            self.halted.append(answer.text)
        self.tell(Got(step.key, answer, token))
        return answer

    async def _answer(self, step: Step) -> tuple[Answer | None, str]:
        floor, people, now = self.floor, self.reception.people, self.floor.clock.now_ms()
        match step:
            case Enter():
                session = await people.log_in(step.who, PASSWORD, "192.0.2.1", now, proof=Proof(local=True))
                if not isinstance(session, Session):
                    raise AssertionError(f"{step.who} is not let in: {session}")
                self.tokens[step.who] = session.token
                return None, session.token
            case Refresh():
                await people.refresh(now)
                return None, ""
            case Create():
                made = await people.create_for_the_house(step.name, step.role, PASSWORD, now)
                if not isinstance(made, Account):
                    raise AssertionError(f"no account for {step.name}: {made}")
                return None, ""
            case Ask():
                return await floor.act(self.caller(step.who), step.table, step.command, step.act), ""
            case Open():
                return await floor.open_table(self.caller(step.who), step.command, step.table, step.opening), ""
            case OpenLink():
                return await links_of(floor).open(self.caller(step.who), step.command, step.link, step.opening), ""
            case Close():
                return await floor.close_table(self.caller(step.who), step.command, step.table), ""
        found = self.proposal(step.first, step.asked)
        approvals = self.reception.approvals
        return await approvals.answer(self.caller(step.who), found.id, True, floor.approved), ""

    # --- watching ---

    async def watch(self, table: str, after: int | None) -> None:
        """Alice watches a table from a version on."""

        def wake() -> None:
            watch = self.watches.get(table)
            if watch is not None:
                self._take(watch)

        found = await self.floor.watch(self.caller("alice"), table, after, wake)
        if not isinstance(found, Watch):
            raise AssertionError(f"{table} cannot be watched: {found}")
        self.watches[table] = found
        self._take(found)

    def _take(self, watch: Watch) -> None:
        update = msgspec.json.decode(watch.take())
        events = [(each["version"], each["n"]) for each in update["events"]]
        self.tell(Saw(watch.host.name, update["version"], update["missed"], events))


@asynccontextmanager
async def a_floor(log: Log, chance: Chance, tell: Tell, *, owner: str = "") -> AsyncIterator[Now]:
    """A floor on a log: alone on it, or as one of several `owner`s that need claims."""
    floor = Floor(
        GroupCommit(log),
        clock=SetClock(BEGAN_MS),
        chance=chance,
        owner=owner or "local",
        address=f"http://{owner}",
        alone=not owner,
    )
    reception = Reception(floor, hasher=_quick_hasher())
    await reception.open()
    await floor.start()
    try:
        yield Now(floor, reception, tell)
    finally:
        await reception.close()
        await floor.stop(0)


def _quick_hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


async def let_in(now: Now) -> None:
    """Accounts for the staff and two players, all logged in: what a scene begins with."""
    for name, role in STAFF.items():
        if now.reception.people.account(name) is None:
            await now.reception.people.create_for_the_house(name, role, PASSWORD, BEGAN_MS)
        if name not in now.tokens:
            await now.ask(Enter(name, "enter"))


# --- who does what next ----------------------------------------------------------------------------------------------


class Director:
    """Says what comes next: steps to be asked for at once, in their order; none while others have to do something."""

    def next(self, now: Now) -> list[Step] | None:
        """None when the end is reached."""
        raise NotImplementedError


class Newcomer(Director):
    """An account for carol, who logs in; then everybody is written down."""

    name = "carol"

    def next(self, now: Now) -> list[Step] | None:
        if now.reception.people.account(self.name) is None:
            return [Create(ADMIN, "create", self.name, "player")]
        if self.name not in now.tokens:
            return [Enter(self.name, "enter")]
        if not now.log.version(pitboss.floor.people.CHECKPOINTS):
            return [Refresh(self.name, "refresh")]
        return None


class Linked(Director):
    """A jackpot that tables can be opened on."""

    link = "sevens"
    opening: ClassVar[LinkOpening] = LinkOpening("nsw-blackjack-challenge", 2_600_001, 2_500_000, 13, 500)

    def next(self, now: Now) -> list[Step] | None:
        return None if self.link in links_of(now.floor).pools else [OpenLink(HOST, "link", self.link, self.opening)]


class AtTable(Director):
    """Everybody at one table, from its opening to the end of so many rounds."""

    def __init__(
        self,
        name: str,
        opening: Opening,
        seed: int,
        rounds: int,
        *,
        boxes: Sequence[tuple[str, int, int]] = (("alice", 1, 1000), ("bob", 2, 2500), ("bob", 1, 500)),
        incidents: Sequence[Callable[[AtTable, Now, Host], list[Step] | None]] = (),
        may_deal: Callable[[Now, int], bool] = lambda now, rounds: True,
        closes: bool = False,
        late: int = 0,
    ) -> None:
        self.name, self.opening, self.seed, self.rounds = name, opening, seed, rounds
        self.boxes, self.incidents, self.may_deal, self.closes = boxes, incidents, may_deal, closes
        self.late = late
        """From this round on carol wagers too."""

    def next(self, now: Now) -> list[Step] | None:
        host = now.floor.hosts.get(self.name)
        if host is None:
            return self._opening(now)
        if self.name not in now.watches or now.watches[self.name].host is not host:
            return []
        if not host.is_idle or not self._is_mixed(now, host):
            return []
        if host.rounds >= self.rounds and waiting_for(host.table).what in ("wagers", "shuffle"):
            return [Close(HOST, f"close-{self.name}", self.name)] if self.closes else None
        for incident in self.incidents:
            steps = incident(self, now, host)
            if steps is not None:
                return steps
        return self._play(now, host)

    def _is_mixed(self, now: Now, host: Host) -> bool:
        """People wait for the shuffling device, as one does: so it is always the same cards that it mixes."""
        desk = now.floor.driver._desks.get(host)
        if host.table.house.source != DEVICE or not _may_mix(host.table):
            return True
        return desk is not None and desk.pace._is_mixed(host.table)

    def _opening(self, now: Now) -> list[Step] | None:
        command = f"open-{self.name}"
        if now.is_answered(f"{HOST}/{command}"):
            return [] if self.name in now.floor.openings else None
        if self.opening.link and self.opening.link not in links_of(now.floor).pools:
            return []
        return [Open(HOST, command, self.name, self.opening)]

    def ask(self, who: str, command: str, act: AskedAct) -> Ask:
        return Ask(who, f"{self.name}-{command}", self.name, act)

    def _play(self, now: Now, host: Host) -> list[Step]:
        table, waiting = host.table, waiting_for(host.table)
        by_house = self.opening.dealer == "house"
        if waiting.what == "wagers":
            return self._wagers(now, host, by_house)
        if waiting.what == "jackpot" or (by_house and not self._is_persons(waiting)):
            return []
        number = f"v{host.version}"
        match waiting.what:
            case "shuffle":
                return [self.ask(DEALER, number, AskShuffle())]
            case "insurance":
                insured = [act for act in legal_acts(table) if isinstance(act, a.Insure)]
                asked: list[Step] = [self.ask(act.player, f"{number}-{act.box}-{act.player}", act) for act in insured]
                return asked or [self.ask(DEALER, number, a.CloseInsurance())]
            case "approval":
                own = self.ask(HOST, f"{number}-own", a.Approve(""))
                return [own, self.ask(SECOND, number, a.Approve(""))]
        act = self._choice(table, waiting, host.version)
        who = getattr(act, "player", DEALER)
        return [self.ask(HOST if who in ("supervisor", "dealer") else who, number, act)]

    def _is_persons(self, waiting: Waiting) -> bool:
        return waiting.what in ("decision", "answer", "forfeit", "expose") and waiting.who[0] in ("alice", "bob")

    def _wagers(self, now: Now, host: Host, by_house: bool) -> list[Step]:
        """Everybody wagers at once, one of them twice for want of patience; one is refused and one denied."""
        if by_house and set(self.opening.bots) - set(host.table.players):
            return []
        if self.late and host.rounds >= self.late and "carol" not in now.tokens:
            return []
        steps = list(self._missing(now, host))
        turn = f"r{host.round_version}"
        if steps:
            low = self.ask("alice", f"{turn}-low", a.PlaceWager("alice", 1, 1))
            mine = self.ask("alice", f"{turn}-not-mine", a.Deal())
            return [steps[0], *steps, low, mine]
        if by_house or not self.may_deal(now, host.rounds):
            return []
        return [self.ask(DEALER, f"{turn}-deal", a.Deal())]

    def _missing(self, now: Now, host: Host) -> Iterator[Step]:
        table, turn = host.table, f"r{host.round_version}"
        places = list(self.boxes)
        if self.late and host.rounds >= self.late:
            places.append(("carol", 3, 500))
        for name, number, cents in places:
            box = table.boxes.get(number)
            if box is None or name not in box.wagers:
                yield self.ask(name, f"{turn}-{name}-{number}", a.PlaceWager(name, number, cents))
            for kind in table.house.side_bets[:1] if self.opening.dealer == "person" else ():
                if box is None or name not in box.side.get(kind, {}):
                    act = a.PlaceWager(name, number, 500, kind)
                    yield self.ask(name, f"{turn}-{name}-{number}-{kind}", act)

    def _choice(self, table: Table, waiting: Waiting, version: int) -> Any:
        """Splits and doubles wherever they may be had: those are what there is to be lost."""
        rng = random.Random(f"{self.seed}:{self.name}:{version}")
        acts = list(legal_acts(table))
        if waiting.what != "decision":
            return rng.choice(acts)
        kinds = {type(act): act for act in acts}
        total = table.hand_to_act().total
        if a.Split in kinds:
            return kinds[a.Split]
        if a.Double in kinds and (9 <= total <= 11 or rng.random() < 0.3):
            return kinds[a.Double]
        return kinds[a.Stand] if a.Stand in kinds and total >= 15 else kinds[a.Hit]


# --- what is out of the ordinary -------------------------------------------------------------------------------------


def large_limits(at: AtTable, now: Now, host: Host) -> list[Step] | None:
    """After the first round a supervisor wants a maximum that takes a manager too."""
    if host.rounds < 1 or host.table.phase != "wagers" or host.table.boxes:
        return None
    return _by_two(at, now, "limits", a.SetLimits("", 500, LARGE_CENTS), MANAGER)


def voided(at: AtTable, now: Now, host: Host) -> list[Step] | None:
    """Two supervisors declare the second round void in the middle of it."""
    command = f"{at.name}-void"
    begun = host.rounds == 1 and host.table.phase == "play"
    return _by_two(at, now, "void", a.VoidRound("", "the cards fell"), SECOND) if begun else _unfinished(now, command)


def _by_two(at: AtTable, now: Now, command: str, act: a.AnyAct, second: str) -> list[Step] | None:
    full = f"{at.name}-{command}"
    found = now.proposal(HOST, full)
    if found is None:
        return [Ask(HOST, full, at.name, act)]
    if found.state in ("waiting", "approved"):
        return [Second(second, f"{full}-2", at.name, HOST, full)]
    return None


def _unfinished(now: Now, command: str) -> list[Step] | None:
    """What was approved and carried out when the process died is still to be noted as done."""
    found = now.proposal(HOST, command)
    if found is None or found.state != "approved":
        return None
    return [Second(found.by, f"{command}-2", found.table, HOST, command)]


def burned_in_error(at: AtTable, now: Now, host: Host) -> list[Step] | None:
    """A supervisor tells of a card burned in error; another approves that the game goes on, he himself may not."""
    if host.rounds != 1 or host.table.phase != "wagers" or host.table.preparation != "ready" or host.table.boxes:
        return None
    command = f"{at.name}-burn"
    return None if now.is_answered(f"{HOST}/{command}") else [Ask(HOST, command, at.name, a.BurnInError())]


def jackpot_fault(at: AtTable, now: Now, host: Host) -> list[Step] | None:
    """The jackpot fails and is restored by a supervisor before the next round."""
    if host.rounds != 1 or host.table.phase != "wagers" or host.table.boxes:
        return None
    command = f"{at.name}-fault"
    if now.is_answered(f"{DEALER}/{command}"):
        restore = f"{at.name}-restore"
        if host.table.approval_due or now.is_answered(f"{HOST}/{restore}"):
            return None
        return [Ask(HOST, restore, at.name, a.RestoreJackpot("casino-supervisor"))]
    return [Ask(DEALER, command, at.name, a.ReportJackpotFault(""))]


# --- the scenes ------------------------------------------------------------------------------------------------------


class Scene(msgspec.Struct, frozen=True):
    """Everything that happens on one floor."""

    name: str
    directors: tuple[Director, ...]
    chance: Chance
    at_once: bool = True
    """Whether the tables go on side by side; else step by step, one after the other."""

    @property
    def tables(self) -> list[str]:
        return [each.name for each in self.directors if isinstance(each, AtTable)]


QUIET = Timers(
    wagers_ms=0, last_wager_ms=0, decision_ms=1 << 40, answer_ms=1 << 40, insurance_ms=0, surrender_ms=0, cut_ms=0,
    supervisor_ms=0, away_ms=1 << 40, pace_ms=0,
)  # fmt: skip
"""The house deals at once and waits for ever for whoever has to decide."""


SALTS: Mapping[str, int] = {"alone": 11, "abreast": 9, "linked": 1, "by-house": 10}
"""So that with seed 1 there are doubles and splits under every rulebook, and insurance under most that have it."""


def _shoe(rulebook: str, **more: Any) -> Opening:
    return Opening(rulebook, house=default_house(load(rulebook), source=SHOE, boxes=7), **more)


def _by_house(rulebook: str) -> Opening:
    return _shoe(rulebook, dealer="house", timers=QUIET, bots=("bot-alice", "bot-bob"))


def _jackpot() -> Opening:
    book = load("nsw-blackjack-challenge")
    house = default_house(
        book,
        jackpot_linked=True,
        jackpot_rate_percent=13,
        jackpot_minimum_cents=2_500_000,
        side_bets=(BLAZING,),
        source=DEVICE,
        decks=book.blazing_7s.decks.value[0],
    )
    return Opening(book.id, house=house, link=Linked.link)


def _rounds_of(name: str, least: int) -> Callable[[Now, int], bool]:
    """A table on a jackpot deals when the other has ended its round: so the pool always stands at the same amount."""

    def may_deal(now: Now, rounds: int) -> bool:
        host = now.floor.hosts.get(name)
        return host is not None and host.rounds >= rounds + least and host.is_idle

    return may_deal


def scenes(seed: int = 1) -> dict[str, Scene]:
    """A set for every seed: all five rulebooks, dealt by people and by the house, alone, side by side and linked."""
    two = (("alice", 1, 500), ("bob", 2, 500))
    found = [
        Scene(
            "alone",
            (
                Newcomer(),
                AtTable(
                    "n1", _shoe("nsw-pontoon"), seed, 4, incidents=(large_limits, voided), closes=True, late=2
                ),
            ),
            Repeatable(f"{SALTS['alone']}-{seed}"),
            at_once=False,
        ),
        Scene(
            "abreast",
            (
                AtTable("a1", _shoe("adelaide-pontoon-2008"), seed, 3, incidents=(large_limits, burned_in_error)),
                AtTable("c1", _shoe("canberra-pontoon-2005"), seed, 3, closes=True),
                AtTable("c2", _shoe("canberra-pontoon-2002"), seed, 3, incidents=(voided,)),
            ),
            Repeatable(f"{SALTS['abreast']}-{seed}"),
        ),
        Scene(
            "linked",
            (
                Linked(),
                AtTable("j1", _jackpot(), seed, 2, boxes=two, may_deal=_rounds_of("j2", 0), incidents=(jackpot_fault,)),
                AtTable("j2", _jackpot(), seed, 2, boxes=two, may_deal=_rounds_of("j1", 1)),
            ),
            Sevens(f"{SALTS['linked']}-{seed}"),
        ),
        Scene(
            "by-house",
            (
                AtTable("h1", _by_house("nsw-pontoon"), seed, 3, boxes=(("alice", 1, 1000),)),
                AtTable("h2", _by_house("nsw-blackjack-challenge"), seed, 3, boxes=(("bob", 1, 1000),), closes=True),
            ),
            Repeatable(f"{SALTS['by-house']}-{seed}"),
        ),
    ]  # fmt: skip
    return {scene.name: scene for scene in found}


# --- playing ---------------------------------------------------------------------------------------------------------


async def play(now: Now, scene: Scene, seen: Mapping[str, int] | None = None) -> None:
    """Play a scene from wherever it is to its end; watchers go on after what they have `seen`."""
    watching = asyncio.ensure_future(_watch_all(now, scene, seen or {}))
    try:
        if scene.at_once:
            await asyncio.gather(*(_follow(now, [director]) for director in scene.directors))
        else:
            await _follow(now, list(scene.directors))
        await _all_told(now)
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)


async def _follow(now: Now, directors: list[Director]) -> None:
    loop = asyncio.get_running_loop()
    end = loop.time() + PATIENCE_SECONDS
    while directors:
        asked = False
        for director in list(directors):
            steps = director.next(now)
            if steps is None:
                directors.remove(director)
            elif steps:
                asked = True
                await now.ask_all(steps)
        if asked:
            end = loop.time() + PATIENCE_SECONDS
        else:
            await asyncio.sleep(0.001)
        if loop.time() > end:
            raise AssertionError(f"nothing happens any more: {[_where(now, each) for each in directors]}")


def _where(now: Now, director: Director) -> str:
    host = now.floor.hosts.get(director.name) if isinstance(director, AtTable) else None
    if host is None:
        return type(director).__name__
    pools = [each for each in host.attachments if isinstance(each, Pool)]
    pool = "".join(f", pool {each.version} of {each.decided_version}" for each in pools)
    return f"{host.name} at {host.version}, round {host.rounds}, {waiting_for(host.table)}, idle {host.is_idle}{pool}"


async def _watch_all(now: Now, scene: Scene, seen: Mapping[str, int]) -> None:
    """Alice watches each table as soon as there is one, and again where it was taken anew."""
    while True:
        for table in scene.tables:
            host = now.floor.hosts.get(table)
            watch = now.watches.get(table)
            if host is not None and (watch is None or watch.host is not host):
                await now.watch(table, watch.seen if watch is not None else seen.get(table, 0))
        await asyncio.sleep(0.001)


async def _all_told(now: Now) -> None:
    for watch in now.watches.values():
        if watch.seen < watch.host.version:
            watch.wake()
