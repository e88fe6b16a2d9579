"""The floor of one process: which tables there are, which of them it owns, and everything that may be asked of them.

Tables, people and jackpots are folds of the log. With several processes on one log each table has one owner at a time:
a claim with an epoch, renewed all the while; whoever comes too late is fenced by the log itself.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from pitboss.floor import model as m
from pitboss.floor.alarms import LOG_ALTERED, NO_ROOM, TABLE_STOPPED, Alarms, RoomWatch
from pitboss.floor.approvals import moment_of
from pitboss.floor.attachments import Attachment, Spanning
from pitboss.floor.clock import Clock
from pitboss.floor.driving import Driver
from pitboss.floor.editions import Texts, with_edition
from pitboss.floor.frozen import opened, rulebook_of
from pitboss.floor.gate import Busy, Gate
from pitboss.floor.host import Happened, Host, decode_answer, load_table, stream_of
from pitboss.floor.link import Links
from pitboss.floor.model import BUSY, FLOOR, HOUSE, Answer, Caller, Opening, Taken
from pitboss.floor.naming import is_table_name, names_somebody_else, rightly_named
from pitboss.floor.openings import (
    deny_opening,
    refuse_amendments,
    refuse_edition,
    refuse_opening,
    refuse_words,
    rightly_spelled,
)
from pitboss.floor.patrons_at_tables import Patrons
from pitboss.floor.permissions import as_caller, denial, may
from pitboss.floor.projections import Projections
from pitboss.floor.promotion_book import Promotions
from pitboss.floor.replaying import Replaying
from pitboss.floor.shared_stream import SharedStream, outside
from pitboss.floor.signs import Signs
from pitboss.floor.ticking import Ticker
from pitboss.floor.tournament_book import Tournaments
from pitboss.floor.updates import Watch
from pitboss.floor.wire import AskedAct
from pitboss.rulebooks import RulebookError
from pitboss.rulebooks.amend import NotAmendable
from pitboss.rulebooks.editions import first_edition
from pitboss.store.log import Append, Appended, Claim, Entry, Fenced, NewEntry, Part, Repeated, Stale, StoreError
from pitboss.table.acts import AnyAct
from pitboss.table.house import BOOK
from pitboss.table.patrons_book import refuse_closing
from pitboss.table.refusals import Refusal, Refused, as_sentence
from pitboss.table.state import Table

if TYPE_CHECKING:
    from pitboss.chance import Chance
    from pitboss.floor.looking_back import LookingBack
    from pitboss.store.group import GroupCommit
    from pitboss.store.log import Log

SPANNING: tuple[type[Spanning], ...] = (Texts, Patrons, Links, Promotions, Tournaments)
"""Whatever spans tables."""
LEASE_MS = 2_000
"""How long a claim holds without being renewed: so long a table stands still when its process dies."""
RENEW_SECONDS = 0.5
MEET_SECONDS = 5.0
"""So long processes that are started together wait for each other before they take tables."""
UNEVEN_SECONDS = 10.0
"""So long a process has more tables than its share before it hands one over."""
FOLLOW_SECONDS = 0.2
COMING_BACK_MAX = 1_000
COMING_BACK_EACH = 256
"""So many tables at once are caught up with, of all and of one person; the others are shown as they stand now."""
COMING_BACK_SECONDS = 0.5
"""Of a processor, for one person at once: a hundred tables. Whoever comes and goes is shown the rest as it stands."""
TRIES = 20
"""How often a shared stream is folded and decided on again before somebody is told that it is too busy."""
GRACE_SECONDS = 30.0

log = logging.getLogger("pitboss.floor")


class TableOpened(msgspec.Struct, frozen=True):
    """A table was opened: an entry of the stream `floor`."""

    table: str
    opening: Opening


class TableClosed(msgspec.Struct, frozen=True):
    table: str


class Floor:
    """One per process; everything of it runs in one asyncio loop."""

    def __init__(
        self,
        commits: GroupCommit,
        *,
        clock: Clock,
        chance: Chance,
        owner: str = "local",
        address: str = "",
        alone: bool = True,
        lease_ms: int = LEASE_MS,
        looking_back: LookingBack | None = None,
    ) -> None:
        self.commits = commits
        self.projections = Projections(commits.log)
        """What is read across tables; blocking, so behind the gate."""
        self.gate = Gate()
        """Before everything that takes long: replays, the past, searches, exports."""
        self.replaying = Replaying()
        self.looking_back = looking_back
        """Who looks back for those who do so much; None where nobody else does."""
        self._coming_back = Gate(
            1, waiting=COMING_BACK_MAX, each=COMING_BACK_EACH, burst=COMING_BACK_SECONDS, name="pitboss-coming-back"
        )
        """Before what those who were away for long have missed."""
        self.clock = clock
        self.chance = chance
        self.owner = owner
        self.address = address
        self.alone = alone
        """Whether no other process works on this log; then tables need no claims."""
        self.lease_ms = lease_ms
        self.hosts: dict[str, Host] = {}
        self.openings: dict[str, Opening] = {}
        """Every open table of the floor, here or elsewhere."""
        self.spanning = tuple(kind(self) for kind in SPANNING)
        self.claims: dict[str, Claim] = {}
        self.alarms = Alarms(clock.now_ms)
        self.room = RoomWatch(self)
        self.distrusted = ""
        """Why the log is not trusted any more, where somebody else wrote to it while it was served."""
        self.stopping = False
        self.version = 0
        """Of the stream `floor`."""
        self.ticker = Ticker()
        self.driver = Driver(self)
        self.signs = Signs(self)
        self.followed: list[SharedStream] = []
        """Others who fold a stream of their own: people, approvals."""
        self.last_words: list[Callable[[], Awaitable[None]]] = []
        """What is still to be written before the floor stops."""
        self.people: Any = None
        self.approvals: Any = None
        self.denied: Callable[[Caller, str, AnyAct | str, m.Denied], Awaitable[None]] = _nothing
        """Hears of every denial, for the audit, before whoever is denied hears of it."""
        self._looking = asyncio.Lock()
        self._looks_begun = 0
        self._coming: dict[str, asyncio.Future[Host | Answer]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._renewed_ms = 0
        self._uneven_since = 0.0
        """When we last had no more than our share of the tables."""
        self._handed: dict[str, tuple[str, float]] = {}
        """Tables that we handed over a moment ago: to whom, and how long we leave them there."""

    # --- starting and stopping ---

    async def start(self, together: int = 1) -> None:
        """Fold what is there, take the tables that are free, and begin; so many processes are started `together`."""
        await self.follow()
        await self.room.look()
        self._spawn(self.room.keep())
        if self.alone:
            for table in list(self.openings):
                await self.host_of(table)
        else:
            self._renewed_ms = self.clock.now_ms()
            self._uneven_since = asyncio.get_running_loop().time()
            await self.commits.run(self._claim_process)
            await self._meet(together)
            self._spawn(self._keep_claims())
            self._spawn(self._keep_following())

    async def stop(self, grace_seconds: float = GRACE_SECONDS) -> None:
        """Begin no new round, let those in play end (for so long), give the tables up, and stop."""
        self.stopping = True
        for host in self.hosts.values():
            host.no_new_round = self.no_new_round
        loop = asyncio.get_running_loop()
        end = loop.time() + grace_seconds
        while loop.time() < end and any(not _at_rest(host) for host in self.hosts.values()):
            await asyncio.sleep(0.05)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.driver.stop()
        self.signs.stop()
        for say in self.last_words:
            await say()
        if not self.alone:
            with suppress(StoreError):
                await self.commits.run(self._release_all)
            self._send_away()
        self.ticker.flush_all()
        await self.gate.close()
        await self._coming_back.close()
        self.replaying.close()
        if self.looking_back is not None:
            self.looking_back.close()
        await self.commits.close()

    def _release_all(self) -> None:
        for table in list(self.hosts):  # one may still come while we release the others
            self.commits.log.release(stream_of(table), self.owner)
        self.commits.log.release(self._process_stream(), self.owner)

    def _send_away(self) -> None:
        """Whoever watches a table here goes to another process, which takes it when it is asked for it."""
        others = self.others
        for number, host in enumerate(list(self.hosts.values()) if others else ()):
            host.give_up(others[number % len(others)])
            for watch in list(host.updates.watchers):
                watch.wake()

    @property
    def others(self) -> list[str]:
        """Where the other processes of the floor are."""
        found = [claim for stream, claim in self.claims.items() if stream.startswith("process:")]
        return sorted(claim.address for claim in found if claim.owner != self.owner)

    def _spawn(self, coroutine: Any) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- following the shared streams ---

    async def follow(self) -> None:
        """Fold whatever others have written to the shared streams."""
        for entry in await self.commits.run(self._read_on, FLOOR, self.version):
            self.fold(entry)
        for kind in self.spanning:
            for attachment in await kind.follow():
                self._look_again(attachment)
        for other in self.followed:
            await other.catch_up()

    async def up_to_date(self) -> None:
        """Know all that any process of the floor had acknowledged when this was called.

        Those who ask while somebody looks share the next look, so that many requests cost little more than one.
        """
        if self.alone:
            return
        asked = self._looks_begun
        async with self._looking:
            if self._looks_begun > asked:
                return  # one that began after we asked is over
            self._looks_begun += 1
            try:
                await self.follow()
            except BaseException:
                self._looks_begun -= 1
                raise

    def _read_on(self, stream: str, version: int) -> list[Entry]:
        return list(self.commits.log.read(stream, version))

    def fold(self, entry: Entry) -> None:
        """One entry of the stream `floor`."""
        if entry.version <= self.version:
            return
        self.version = entry.version
        if entry.kind == "table-opened":
            said = msgspec.json.decode(entry.body, type=TableOpened)
            self.openings[said.table] = said.opening
        elif entry.kind == "table-closed":
            self.openings.pop(msgspec.json.decode(entry.body, type=TableClosed).table, None)
        for kind in self.spanning:
            kind.fold(entry)

    async def _keep_following(self) -> None:
        while True:
            try:
                await self.follow()
            except Exception as error:  # noqa: BLE001 - whatever it is, the next look may succeed
                log.warning("cannot follow the log", extra={"error": repr(error)})
            await asyncio.sleep(FOLLOW_SECONDS)

    def _look_again(self, attachment: Attachment, but: Host | None = None) -> None:
        """An attachment moved: whoever shows it shows it anew, and does what is wanted of them now."""
        for host in self.hosts.values():
            if host is not but and attachment in host.attachments:
                host.updates.stale()
                self.ticker.mark(host)
                host.follow_up()

    # --- owning tables ---

    def _process_stream(self) -> str:
        return f"process:{self.owner}"

    def _claim_process(self) -> None:
        """So that others know that we live, even before we own a table."""
        self.commits.log.claim(self._process_stream(), self.owner, self.address, None, self.lease_ms)

    async def _meet(self, together: int) -> None:
        """Wait for those who are started with us, so that the first of them does not take every table."""
        loop = asyncio.get_running_loop()
        end = loop.time() + MEET_SECONDS
        while len(self._processes) < together and loop.time() < end:
            with suppress(StoreError):
                await self.commits.run(self.commits.log.renew, self.owner, None, self.lease_ms)
                self.claims = await self.commits.run(self.commits.log.claims, None)
            await asyncio.sleep(0.05)

    @property
    def _processes(self) -> dict[str, str]:
        """The address of every process of the floor, ours too, by its owner's name."""
        found = {claim.owner: claim.address for name, claim in self.claims.items() if name.startswith("process:")}
        return found | {self.owner: self.address}

    async def _keep_claims(self) -> None:
        """Renew our claims, take tables that nobody owns, as many as are our share, and part with what is above it."""
        while True:
            try:
                await self._look_after_claims()
            except Exception as error:  # noqa: BLE001 - whatever it is, the next try may succeed
                log.warning("claims cannot be renewed", extra={"error": repr(error)})
            await asyncio.sleep(RENEW_SECONDS)

    async def _look_after_claims(self) -> None:
        now = self.clock.now_ms()
        ours = await self.commits.run(self.commits.log.renew, self.owner, None, self.lease_ms)
        self.claims = await self.commits.run(self.commits.log.claims, None)
        if self._process_stream() not in ours:
            await self.commits.run(self._claim_process)
        await self._drop_lost(ours)
        self._renewed_ms = now  # not before: a table that was another's meanwhile is shown to nobody
        await self._take_free_tables()
        await self._share()

    async def _drop_lost(self, ours: dict[str, Claim]) -> None:
        """Part with every host whose table was another's while we slept; StoreError where that cannot be found out."""
        for table, host in list(self.hosts.items()):
            claim = ours.get(stream_of(table))
            if host.moved_to is not None or (claim is not None and claim.epoch == host.epoch):
                continue
            now = self.claims.get(stream_of(table))
            if now is not None and now.owner != self.owner:
                host.give_up(now.address)
            elif isinstance(found := await self._take_once(table), m.Halted):  # whoever had it meanwhile is gone too
                raise StoreError(found.text)

    @property
    def _holds(self) -> bool:
        """Whether our claims were renewed so lately that no table can have another owner."""
        return self.alone or self.clock.now_ms() - self._renewed_ms < self.lease_ms

    async def _take_free_tables(self) -> None:
        if self.stopping:
            return
        for table in list(self.openings):
            if not self._has_room:
                return
            if table not in self.hosts and stream_of(table) not in self.claims:
                await self.host_of(table)

    async def take(self, tables: Iterable[str]) -> None:
        """Tables that were opened a moment ago are ours, as far as they are our share."""
        for table in tables:
            if self.alone or self._has_room:
                await self.host_of(table)

    @property
    def _has_room(self) -> bool:
        """Whether we own fewer tables than are our share of them."""
        return len(self.hosts) < self._a_share

    @property
    def _a_share(self) -> int:
        """How many tables each process has when all have as many."""
        return -(-len(self.openings) // len(self._processes))

    async def _share(self) -> None:
        """Hand one table at rest to the process with the fewest, once we have had too many for a while.

        Nothing is on its way at the table, so nothing is decided twice: whatever comes from now on is asked there. It
        is released like any other, so that the log fences whatever we might still send.
        """
        now = asyncio.get_running_loop().time()
        if self.stopping or len(self.hosts) <= self._a_share:
            self._uneven_since = now
        if now - self._uneven_since < UNEVEN_SECONDS:
            return
        owned = Counter(claim.owner for stream, claim in self.claims.items() if stream.startswith(stream_of("")))
        processes = self._processes
        fewest = min(processes, key=lambda owner: (owned[owner], owner))
        there = processes[fewest]
        host = next((host for host in self.hosts.values() if self._may_go(host, there)), None)
        if host is None or not there or fewest == self.owner or owned[fewest] >= self._a_share:
            return
        table = host.name
        self._handed[table] = (there, now + self.lease_ms / 1000)
        host.give_up(there)
        try:
            await self.commits.run(self.commits.log.release, host.stream, self.owner)
            self.claims.pop(host.stream, None)
            log.info("table handed over", extra={"table": table, "to": there})
        except StoreError:
            del self._handed[table]
            await self._take_once(table)
            raise

    def _may_go(self, host: Host, there: str) -> bool:
        """Whether nobody is disturbed; a page that is watching goes along only where its session goes too."""
        if not _at_rest(host) or host.table.boxes or host.closed or host.name in self._coming:
            return False
        return not host.updates.watchers or urlsplit(there).hostname == urlsplit(self.address).hostname

    def _handed_to(self, table: str) -> str:
        """Where a table is that was handed over a moment ago, and need not be taken there yet; "" for any other."""
        there, until = self._handed.get(table, ("", 0.0))
        if there and asyncio.get_running_loop().time() >= until:
            del self._handed[table]
            return ""
        return there

    async def host_of(self, table: str) -> Host | Answer:
        """The host of a table, taking the table if it is free; or why there is none here."""
        host = self.hosts.get(table)
        if host is not None and host.moved_to is None and self._holds:
            return host
        if table not in self.openings:
            await self.up_to_date()
        if table not in self.openings:
            return m.Unknown(f"there is no table {table[:60]!r}; perhaps it has closed, and others are open.")
        if self.stopping and (host is None or host.moved_to is not None):
            return m.Halted("the house is closing.")
        if there := self._handed_to(table):
            return m.Moved(table, there)
        return await self._take_once(table)

    async def _take_once(self, table: str) -> Host | Answer:
        """Take a table; whoever asks meanwhile waits for the same."""
        coming = self._coming.get(table)
        if coming is None:
            coming = self._coming[table] = asyncio.ensure_future(self._take(table))
            coming.add_done_callback(lambda _: self._coming.pop(table, None))
        return await asyncio.shield(coming)

    async def _take(self, table: str) -> Host | Answer:
        try:
            epoch = 0
            if not self.alone:
                claim = await self.commits.run(
                    self.commits.log.claim,
                    stream_of(table),
                    self.owner,
                    self.address,
                    None,
                    self.lease_ms,
                )
                self.claims[claim.stream] = claim
                before = self.hosts.get(table)
                if before is not None and before.moved_to is None:
                    if claim.owner == self.owner and claim.epoch == before.epoch:
                        return before
                    before.give_up(claim.address)  # it was another's while we slept, and is perhaps ours again
                if claim.owner != self.owner:
                    return m.Moved(table, claim.address)
                epoch = claim.epoch
            loaded = await self.commits.run(load_table, self.commits.log, table)
            if loaded is None:
                return m.Unknown(f"there is no table {table!r}.")
            attached = [await kind.attached_to(table, loaded.opening, loaded.table) for kind in self.spanning]
        except StoreError as error:
            return m.Halted(outside(error))
        except RulebookError as error:
            log.error("the rules of a table are not at hand", extra={"table": table, "error": str(error)})
            return m.Halted(str(error))
        if loaded.closed:
            return m.Unknown(f"table {table} is closed.")
        opening = loaded.opening

        def permit(caller: Caller, act: AnyAct, state: Table) -> m.Denied | None:
            return denial(caller, act, state, where=table, dealt_by=opening.dealer)

        def denied(caller: Caller, act: AnyAct, why: m.Denied) -> Awaitable[None]:
            return self.denied(caller, table, act, why)

        attachments = tuple(each for each in attached if each is not None)
        host = Host(
            table, loaded, epoch, self.commits, self.clock, self.chance, permit, attachments, self._changed, denied
        )
        host.no_new_round = self.no_new_round
        self.hosts[table] = host
        if loaded.table.stopped:
            self._say_what_is_stopped()
        log.info("table taken", extra={"table": table, "version": host.version, "epoch": epoch})
        self.driver.look(host)
        self.signs.look(host)
        host.follow_up()
        return host

    def _changed(self, host: Host) -> None:
        """Something durable happened at a table, or it left us."""
        self.ticker.mark(host)
        if host.moved_to is not None or host.closed:
            self._forget(host)
        else:
            self.driver.look(host)
            self.signs.look(host)
        for attachment in host.showing:
            if attachment.is_shown:
                self._look_again(attachment, host)
        if host.table.stopped or TABLE_STOPPED in self.alarms:
            self._say_what_is_stopped()

    def left(self, host: Host) -> None:
        """A table of ours was closed by whoever opened it."""
        if not host.closed:
            host.closed = True
            self._changed(host)

    def _say_what_is_stopped(self) -> None:
        """The alarm for stopped tables rings as long as one of ours is stopped."""
        stopped = sorted(host.name for host in self.hosts.values() if host.table.stopped)
        if not stopped:
            self.alarms.end(TABLE_STOPPED)
            return
        tables = f"table{'s' * (len(stopped) > 1)} {', '.join(stopped)}"
        text = f"{tables} stopped: the money does not add up, something is faulty, or somebody said so."
        todo = "look at the table and its log; then a supervisor and a second person restart it."
        self.alarms.ring(TABLE_STOPPED, text, todo)

    def _forget(self, host: Host) -> None:
        if self.hosts.get(host.name) is host:
            del self.hosts[host.name]
        self.driver.forget(host)
        self.signs.forget(host)

    # --- acting ---

    def act_now(self, caller: Caller, table: str, command: str, act: AskedAct, done: Callable[[Answer], None]) -> None:
        """Have an act decided; `done` hears the answer, when it is durable, exactly once."""
        host = self.hosts.get(table)
        if host is None or host.moved_to is not None or not self._holds:
            self._spawn(self._act_slowly(caller, table, command, act, done))
            return
        said = _said_by(caller, act)
        if caller.role == "player":
            self.driver.saw(host, caller.name)
        elif caller.role != "house":
            named = self._rightly_named(said, host)
            if isinstance(named, Refusal) or self._needs_a_second(caller, named, host, command):
                self._spawn(self._act_slowly(caller, table, command, act, done))
                return
            said = named
        host.act(caller, f"{caller.name}/{command}" if command else "", said, done)

    async def act(self, caller: Caller, table: str, command: str, act: AskedAct) -> Answer:
        """Have an act decided, and wait until the answer is durable."""
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

        def done(answer: Answer) -> None:
            if not future.done():
                future.set_result(answer)

        self.act_now(caller, table, command, act, done)
        return await future

    def _rightly_named(self, said: Any, host: Host) -> Any | Refusal:
        """An act of the house's people with everybody in it spelled as they are, or why there is nobody called so."""
        if not names_somebody_else(said, host.decided):
            return said
        return rightly_named(said, host.decided, host.opening.bots, self.people)

    def _needs_a_second(self, caller: Caller, said: AnyAct, host: Host, command: str) -> bool:
        if self.approvals is None:
            return False
        if self.approvals.knows(caller, host.name, command):
            return True
        return self.approvals.wanted(said, host.decided, host.agreed) is not None

    async def _act_slowly(
        self, caller: Caller, table: str, command: str, act: AskedAct, done: Callable[[Answer], None]
    ) -> None:
        """The table has to be found first, or who is meant, or a second person asked."""
        full = f"{caller.name}/{command}" if command else ""
        said = _said_by(caller, act)
        try:
            host = await self.host_of(table)
            if not isinstance(host, Host):
                done(host)
                return
            if caller.role not in ("player", "house"):
                found = await self._asked_first(caller, full, command, said, host)
                if isinstance(found, _ANSWERS):
                    done(found)
                    return
                said = found
        except Exception as error:
            if not isinstance(error, StoreError):
                log.exception("an act could not be decided", extra={"table": table})
            done(
                m.Halted(
                    outside(error) if isinstance(error, StoreError) else "this is a fault in Pitboss; it is logged."
                )
            )
            return
        host.act(caller, full, said, done)

    async def _asked_first(self, caller: Caller, full: str, command: str, said: Any, host: Host) -> Any:
        """What is answered before the table is asked, or the act for the table with everybody in it rightly named.

        What was said under the same id before is answered as it was then, whatever would be asked of it now.
        """
        named = self._rightly_named(said, host)
        if isinstance(named, Refusal) and self.people is not None and not self.alone:
            await self.people.catch_up()  # they may have come to another process a moment ago
            named = self._rightly_named(said, host)
        if not isinstance(named, Refusal) and not self._needs_a_second(caller, named, host, command):
            return named
        if full and not (self.approvals is not None and self.approvals.knows(caller, host.name, command)):
            if host.knows(full):
                return said
            first = await self.commits.run(self.commits.log.answer, full)
            if first is not None:
                return decode_answer(first)
        if denial(caller, said, host.decided, where=host.name, dealt_by=host.opening.dealer) is not None:
            return said  # the table denies it, and it is in the audit
        if isinstance(named, Refusal):
            return host.remember(full, m.NotAllowed(host.name, named))
        answer = await self.approvals.propose(
            caller, host.name, command, named, host.decided, host.decided_rounds, host.agreed
        )
        return host.remember(full, answer)

    async def approved(self, first: Caller, table: str, command: str, act: AnyAct, moment: str) -> Answer:
        """Do what a second person has approved, in the name of the first; not once its moment is over."""
        host = await self.host_of(table)
        if not isinstance(host, Host):
            return host
        if moment and moment_of(act, host.decided, host.decided_rounds) != moment:
            done = await self.commits.run(self.commits.log.answer, command)  # by the same word, said before
            over = m.Denied("play went on since this was requested; ask again if it is still needed.")
            return over if done is None else decode_answer(done)
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        host.act(first, command, act, future.set_result)
        return await future

    def say_pass(self, caller: Caller, table: str, *, wants: bool = False) -> None:
        """A player wants nothing (more) of what is offered now, or after all does."""
        host = self.hosts.get(table)
        if host is not None and caller.role == "player":
            if wants:
                host.withdraw_pass(caller.name)
            elif host.opening.dealer == "house":
                self.driver.passed(host, caller.name)
            else:
                host.say_pass(caller.name)

    async def pace(self, caller: Caller, table: str, what: str, place: str = "") -> Answer | None:
        """The dealer confirms every card and payment from now on (`on`) or no longer (`off`), confirms one (`done`), or
        all that was decided (`rest`); None where that is taken."""
        denied = may(caller, "pace-table", where=table)
        if denied is not None:
            await self.denied(caller, table, "pace-table", denied)
            return denied
        host = await self.host_of(table)
        if not isinstance(host, Host):
            return host
        if host.opening.dealer == "house":
            return m.Denied("this table deals by itself, at its own pace.")
        if what in ("on", "off"):
            host.set_pace(caller.name, what == "on")
        else:
            host.confirm(caller.name, place, rest=what == "rest")
        return None

    # --- watching ---

    def look_back(self, gate: Gate, who: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function that reads the log, done by another process for whoever had much done lately. Blocking."""
        ask = self.looking_back.ask if self.looking_back is not None and gate.has_done_much(who) else _here
        return partial(ask, function, self.commits.log)

    async def watch(self, caller: Caller, table: str, after: int | None, wake: Callable[[], None]) -> Watch | Answer:
        """Watch a table: `wake` is called when there is something new, and `take` gives it.

        With `after` the events since that version come first; those no longer at hand are read from the log.
        """
        from pitboss.floor.history import OLD_EVENTS_MAX, events_between

        denied = may(caller, "watch-table")
        if denied is not None:
            await self.denied(caller, table, "watch-table", denied)
            return denied
        host = await self.host_of(table)
        if not isinstance(host, Host):
            return host
        watch = Watch(host, caller, host.shown_version, wake)
        if after is None:
            watch.part = host.updates.part
        else:
            watch.seen = min(max(0, after), host.shown_version)
        first = host.updates.oldest
        if after is not None and watch.seen < first - 1:
            start = max(watch.seen, first - 1 - OLD_EVENTS_MAX)
            watch.missed = start - watch.seen
            try:
                look = self.look_back(self._coming_back, caller.name, events_between)
                watch.old = await self._coming_back.run(caller.name, look, table, start, first - 1, watch.viewer)
            except Busy:
                watch.missed = first - 1 - watch.seen  # fetched later
            except StoreError as error:
                return m.Halted(outside(error))
            watch.seen = first - 1
        host.updates.watchers.add(watch)
        if caller.role == "player":
            self.driver.saw(host, caller.name)
        return watch

    def unwatch(self, watch: Watch) -> None:
        watch.stop()
        if watch.caller.role == "player":
            self.driver.left(watch.host, watch.caller.name)

    def tables(self, caller: Caller) -> list[dict[str, Any]]:
        """Every open table: what it is, and where."""
        found = []
        for table, opening in self.openings.items():
            row: dict[str, Any] = {
                "table": table,
                "name": opening.name or table,
                "rulebook": opening.rulebook,
                "edition": opening.edition or first_edition(opening.rulebook),
                "dealer": opening.dealer,
                "link": opening.link or None,
                "here": False,
                "address": None,
            }
            host = self.hosts.get(table)
            if host is not None:
                row |= _overview(host)
            elif stream_of(table) in self.claims:
                row["address"] = self.claims[stream_of(table)].address
            found.append(row)
        return found

    # --- opening and closing ---

    async def open_table(self, caller: Caller, command: str, table: str, opening: Opening) -> Answer:
        """Open a table under a name; refused where the rulebook does not let the house open such a table."""
        denied = may(caller, "open-table", tournament=bool(opening.house and opening.house.tournament), where=table)
        if denied is not None:
            await self.denied(caller, table, "open-table", denied)
            return denied
        if not is_table_name(table):
            return m.Unknown("a table's id is 1 to 40 small letters, digits and hyphens, as in pontoon-1.")
        try:
            refused = refuse_edition(opening)
            if refused is not None:
                return m.NotAllowed(table, refused)
            opening = with_edition(opening)
            denied, varied = deny_opening(caller, opening), refuse_amendments(opening)
            if denied is not None:
                await self.denied(caller, table, "open-table", denied)
                return denied
            varied = varied or refuse_words(opening)
            spelled = rightly_spelled(opening, self.people)
            if varied is not None or isinstance(spelled, Refusal):
                return m.NotAllowed(table, varied or spelled)  # type: ignore[arg-type]
            opening = spelled
            fresh = opened(opening, anew=True)
        except NotAmendable as no:
            return m.NotAllowed(table, Refusal(no.rulebook, no.clauses, no.text))
        except RulebookError as error:
            return m.Unknown(as_sentence(error))
        except Refused as no:
            return m.NotAllowed(table, no.refusal)
        refused = refuse_opening(caller, opening, fresh.house)
        if refused is not None:
            return m.NotAllowed(table, refused)
        house = fresh.house
        if not house.is_practice:  # people play for money: by the patrons' book, and with chips that they have
            house = msgspec.structs.replace(house, patrons=BOOK, counted=not opening.uncounted)
        opening = msgspec.structs.replace(opening, house=house)

        def decide() -> Answer | list[Part]:
            if table in self.openings:
                return Taken(f"there is a table {table} already; choose another name.")
            body = msgspec.json.encode(TableOpened(table, opening))
            parts = [
                Part(FLOOR, self.version, (NewEntry("table-opened", body),)),
                Part(stream_of(table), 0, (NewEntry("opened", msgspec.json.encode(opening)),)),
            ]
            for kind in self.spanning:
                found = kind.opens(table, opening)
                if not isinstance(found, tuple):
                    return found
                parts += found
            return parts

        answer = await self.on_the_floor(caller, command, decide, m.Accepted(table, 1), stream_of(table))
        if isinstance(answer, m.Accepted) and (self.alone or self._has_room):
            await self.host_of(table)
        return answer or Taken(f"there was a table {table}, which is closed; choose another name.")

    async def close_table(self, caller: Caller, command: str, table: str) -> Answer:
        """Close a table between two rounds, when no wager is on it."""
        opening = self.openings.get(table)
        house = opening.house if opening is not None else None
        denied = may(caller, "close-table", tournament=bool(house and house.tournament), where=table)
        if denied is not None:
            if opening is not None:
                clauses = rulebook_of(opening).patrons.close_notice_minutes.clauses
                denied = msgspec.structs.replace(denied, clauses=clauses)
            await self.denied(caller, table, "close-table", denied)
            return denied
        host = await self.host_of(table)
        if not isinstance(host, Host):
            return await self._first_answer(f"{caller.name}/{command}" if command else "", host)
        for _ in range(TRIES):
            refused = refuse_closing(host.table, self.clock.now_ms())
            if refused is not None:
                return m.NotAllowed(table, refused)
            if host.table.phase != "wagers" or host.table.boxes or host.next_piece is not None:
                return m.Halted("a table is closed between two rounds, with no wager on it; wait for the round to end.")
            answer = await self._close_idle(caller, command, host) if host.is_idle else None
            if answer is not None:
                return answer
            await asyncio.sleep(0.05)
        return m.Halted("the table is too busy; try again.")

    def close_soon(self, table: str) -> None:
        """Close a table of ours as soon as nothing is on its way there, whatever lies on it: its play is called off."""
        self._spawn(self._close_soon(table))

    async def _close_soon(self, table: str) -> None:
        while table in self.openings and not self.stopping:
            host = await self.host_of(table)
            if not isinstance(host, Host) or (host.is_idle and await self._close_idle(m.HOUSE, "", host) is not None):
                return
            await asyncio.sleep(0.02)

    async def _close_idle(self, caller: Caller, command: str, host: Host) -> Answer | None:
        """Close a table at which nothing is on its way; None where something happened meanwhile."""
        table, version = host.name, host.version

        def decide() -> Answer | list[Part]:
            if table not in self.openings:
                return m.Unknown(f"there is no table {table}.")
            body = msgspec.json.encode(TableClosed(table))
            return [
                Part(FLOOR, self.version, (NewEntry("table-closed", body),)),
                Part(stream_of(table), version, (NewEntry("closed", b"{}"),), host.epoch),
            ]

        answer = await self.on_the_floor(caller, command, decide, m.Accepted(table, version + 1), host.stream)
        if isinstance(answer, m.Accepted) and not host.closed:
            host.closed = True
            host.version = answer.version
            host.tell(Happened(host.version, self.clock.now_ms(), caller.name, ()))
            self._changed(host)
        return answer

    async def on_the_floor(
        self,
        caller: Caller,
        command: str,
        decide: Callable[[], Answer | list[Part]],
        accepted: m.Accepted,
        stream: str = "",
    ) -> Answer | None:
        """Decide on the shared streams as they stand, again and again until nobody was faster.

        Nothing is turned down for want of what another process has written a moment ago. None where `stream`, which
        is not shared, has moved on: then whoever asks has to look again.
        """
        full = f"{caller.name}/{command}" if command else ""
        said = msgspec.json.encode(accepted)
        looked = self.alone
        for _ in range(TRIES):
            if self.stopping:
                return m.Halted("the house is closing.")
            parts = decide()
            try:
                if not isinstance(parts, list):
                    if looked:
                        return await self._first_answer(full, parts)
                    await self.up_to_date()
                    looked = True
                    continue
                item = Append(tuple(parts), self.clock.now_ms(), caller.name, full, said)
                outcome = await self.commits.append(item)
                if not isinstance(outcome, Repeated):
                    await self.follow()
            except StoreError as error:
                return m.Halted(outside(error))
            if isinstance(outcome, Appended):
                return accepted
            if isinstance(outcome, Repeated):
                return decode_answer(outcome.answer)
            if isinstance(outcome, Fenced):
                return m.Moved(accepted.table, "")
            if isinstance(outcome, Stale):
                if outcome.stream == stream:
                    return None
                for kind in self.spanning:
                    kind.outrun(outcome.stream)
        return m.Halted(BUSY)

    async def _first_answer(self, command: str, answer: Answer) -> Answer:
        """A repetition gets the first answer even where it would be turned down now."""
        if not command:
            return answer
        try:
            found = await self.commits.run(self.commits.log.answer, command)
        except StoreError as error:
            return m.Halted(outside(error))
        return answer if found is None else decode_answer(found)

    # --- for operations ---

    @property
    def no_new_round(self) -> str:
        """Why no new round begins, where none does."""
        if self.stopping:
            return "the house is closing"
        return self.distrusted or (NO_ROOM if self.room.is_out else "")

    def distrust(self, why: str) -> None:
        """Somebody else wrote to the log while it was served: rounds in play end, and none begins."""
        self.distrusted = f"the log is not what this server wrote ({why})"
        todo = "Copy the file and look with `pitboss log verify`; the server does not start on it again."
        self.alarms.ring(LOG_ALTERED, f"{self.distrusted}; rounds in play end, and none begins.", todo)
        for host in self.hosts.values():
            host.no_new_round = self.no_new_round
            self.driver.look(host)

    @property
    def is_ready(self) -> bool:
        """Whether this process takes clients: it is not stopping, its log has room and is its own, and its claims are
        fresh."""
        if self.stopping or self.room.is_out or self.distrusted:
            return False
        return self.alone or self.clock.now_ms() - self._renewed_ms < 2 * self.lease_ms


_ANSWERS = (m.Accepted, m.NotAllowed, m.Denied, m.Unknown, m.Moved, m.Halted, m.Proposed)


def _said_by(caller: Caller, act: AskedAct) -> Any:
    return act if caller is HOUSE else as_caller(caller, act)  # type: ignore[arg-type]


def _at_rest(host: Host) -> bool:
    return host.table.phase == "wagers" and host.is_idle


def _overview(host: Host) -> dict[str, Any]:
    table = host.shown
    waiting = host.updates.waiting()
    present = [name for name, state in table.players.items() if state.present]
    return {
        "here": True,
        "version": host.shown_version,
        "round": host.shown_rounds + 1,
        "phase": table.phase,
        "preparation": table.preparation,
        "halted": table.halted,
        "stopped": bool(table.stopped),
        "practice": table.house.is_practice,
        "approval_due": table.approval_due or None,
        "minimum_cents": table.house.minimum_cents,
        "maximum_cents": table.house.maximum_cents,
        "boxes": table.house.boxes,
        "players": present,
        "taken": sorted(state.seat for name, state in table.players.items() if state.present and state.seat),
        "wagered": sorted(table.boxes),
        "turn": table.turn_box or None,
        "waits": waiting.what,
        "who": list(waiting.who),
        "watching": len(host.updates.watchers),
        "at_ms": host.changed_ms,
    }


async def _nothing(*_: Any) -> None:
    """Nobody listens."""


def _here(function: Callable[..., Any], log: Log, *given: Any) -> Any:
    return function(log, *given)
