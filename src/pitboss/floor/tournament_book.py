"""Tournaments of a live floor: each is a stream of its own, decided by `pitboss.tournament` and written once.

A tournament's stream, `tournament:ID`, has every act with its events, the secrets of its draws (sealed), what waits for
a second person, and which tables of the floor were opened for which session. Whatever happens at such a table and is
something the tournament learns stands in the append of the act at the table (`tournament_tables`). Everything that is
decided here is decided on the stream as it durably stands: where another process was quicker, it is read and decided
anew.
"""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Awaitable, Callable, Iterable, Mapping
from copy import copy
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec.structs import replace

from pitboss.chance import secret_token, shuffled
from pitboss.floor import model as m
from pitboss.floor.attachments import Attachment, Commits, Spanning
from pitboss.floor.bots import is_bot
from pitboss.floor.editions import learn_from, text_stream, texts_of
from pitboss.floor.model import BUSY, FLOOR, Answer, Caller, Opening, Timers
from pitboss.floor.naming import is_table_name
from pitboss.floor.pacing import told_until
from pitboss.floor.permissions import AT_THE_TABLE, may
from pitboss.floor.shared_stream import outside
from pitboss.patrons.gaming_day import calendar_of, local
from pitboss.rulebooks import load
from pitboss.rulebooks.editions import edition
from pitboss.rulebooks.terms import Rulebook
from pitboss.store.log import Append, Appended, Entry, Log, NewEntry, Part, Repeated, Stale, StoreError
from pitboss.table.refusals import Refusal, broken_unless
from pitboss.table.wagers import is_name
from pitboss.tournament import acts as ta
from pitboss.tournament import events as te
from pitboss.tournament.acts import MANAGER, PLAYER, AnyTournamentAct, TournamentAct
from pitboss.tournament.conditions import Conditions
from pitboss.tournament.deciding import Events
from pitboss.tournament.engine import decide, evolve
from pitboss.tournament.events import AnyTournamentEvent, TournamentEvent
from pitboss.tournament.records import whole
from pitboss.tournament.sessions import digest_of
from pitboss.tournament.state import InPlay, Tournament

if TYPE_CHECKING:
    from pitboss.floor.floor import Floor

STREAM = "tournament:"
SECRETS = "secrets"
ID_MAX = 24
"""Characters of a tournament's id; tables that are opened for it have it with a number."""
TEXT_MAX = 300
TRIES = 50
SECRET_BYTES = 24
Dealer = Literal["house", "person"]
OTHERS = frozenset({"dealer", "gaming-supervisor", "supervisor", "gaming-manager"})

BY_THE_PLAYER = (ta.Apply, ta.SignAgreement, ta.WithdrawEntry, ta.ComeToSeat, ta.RaiseDispute)
"""What a player does in their own name; whoever runs the tournament and the house's people write it down for them."""
BY_THE_TABLE = (ta.ReportRound, ta.CorrectRound, ta.EliminateIdle, ta.DeductAbsent, ta.CountChips)
"""What only a table of the floor says."""
ROUND_OVER = (ta.ReportRound, ta.CorrectRound)
"""With these a table tells of a round."""
BY_STAFF = (
    ta.GiveCopy, ta.PayFee, ta.BuyBack, ta.BuyIn, ta.RedeemChips, ta.ReturnChips, ta.ConcludeSession, ta.UseTable,
)  # fmt: skip
"""What dealers and supervisors may do as well; the rules say which of them."""
BY_TWO: Mapping[type[TournamentAct], str] = {
    ta.CancelTournament: "a tournament is not cancelled by one person alone",
    ta.Disqualify: "nobody is disqualified by one person alone",
    ta.AwardPrizes: "two people check the prize list before the pool is paid",
    ta.AddValue: "two people say what the house adds",
}
"""What a second person approves, and why."""
SECONDS = frozenset({"supervisor", "gaming-manager", "tournament-manager", "inspector"})


class Opened(msgspec.Struct, frozen=True):
    """The first entry of a tournament's stream."""

    title: str
    rulebook: str
    edition: str
    dealer: Dealer = "person"
    """Who deals at its tables: a person, or the house."""
    timers: Timers = Timers()


class Learned(msgspec.Struct, frozen=True, gc=False):
    """An act in a tournament, and what came of it."""

    act: AnyTournamentAct
    events: tuple[AnyTournamentEvent, ...]
    role: str = ""
    table: str = ""
    """The table of the floor that said so; "" where a person did."""


class Secrets(msgspec.Struct, frozen=True):
    """Of the draw of each stage; sealed in the log."""

    secrets: dict[str, str]


class AtTables(msgspec.Struct, frozen=True):
    """Tables of the floor were opened for sessions."""

    tables: dict[str, str]
    """By the table's id, the key of the session."""


class Asked(msgspec.Struct, frozen=True):
    """Something waits for a second person."""

    number: int
    act: AnyTournamentAct
    by: str
    role: str
    why: str
    at_ms: int = 0


class Answered(msgspec.Struct, frozen=True):
    number: int
    approved: bool


class Announcement(msgspec.Struct, frozen=True):
    """An announcement to everybody."""

    text: str
    at_ms: int = 0


class TournamentOpened(msgspec.Struct, frozen=True):
    """An entry of the stream `floor`."""

    tournament: str
    rulebook: str
    edition: str


class TournamentDone(msgspec.Struct, frozen=True, tag="accepted", tag_field="is"):
    """It was decided and is durably written."""

    tournament: str
    version: int


_encode = msgspec.json.Encoder().encode
decode_learned = msgspec.json.Decoder(Learned).decode
DECODERS: Mapping[str, type[msgspec.Struct]] = {
    "opened": Opened, "act": Learned, SECRETS: Secrets, "tables": AtTables, "asked": Asked, "answered": Answered,
    "said": Announcement,
}  # fmt: skip
DoneAnswer = TournamentDone | m.Proposed | m.NotAllowed | m.Denied | m.Unknown | m.Halted
_decode_done: Callable[[bytes], DoneAnswer] = msgspec.json.Decoder(TournamentDone | m.Proposed).decode


def stream_of(tournament: str) -> str:
    return f"{STREAM}{tournament}"


class Known:
    """One tournament as this process knows it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.stream = stream_of(name)
        self.version = self.looked_at = 0
        self.opened: Opened | None = None
        self.state = Tournament()
        self.tables: dict[str, str] = {}
        """Tables of the floor, by id, and the session that each was opened for."""
        self.waiting: dict[int, Asked] = {}
        """What waits for a second person."""
        self.asked = 0
        self.said: list[Announcement] = []
        self.began_ms: dict[str, int] = {}
        """When each session began, by its key."""
        self.drawn: dict[str, tuple[str, tuple[str, ...]]] = {}
        """The secret and the order of each draw."""
        self.for_tables: tuple[TournamentEvent, ...] = ()
        """What has happened since the sessions began and means something at a table."""
        self.break_until_ms = 0
        self.changed_ms = 0
        self.before: dict[str, tuple[int, Tournament]] = {}
        """By table of the floor: the first entry that it wrote of its last round, and how all stood before it."""
        self.held: dict[str, int] = {}
        """Where not everything may be told yet: from which entry on nothing is that these tables have written."""
        self._secrets: dict[str, str] = {}
        self._flying = False
        self._landing: asyncio.Future[None] | None = None
        self.is_fresh = False
        """Whether a table that has waited for it may decide now."""

    @property
    def rulebook(self) -> Rulebook:
        broken_unless(self.opened is not None, f"the tournament {self.name} is not open")
        assert self.opened is not None
        return edition(self.opened.rulebook, self.opened.edition)

    @property
    def conditions(self) -> Conditions:
        found = self.state.conditions
        broken_unless(found is not None, f"the tournament {self.name} has no conditions")
        assert found is not None
        return found

    def secret(self, stage: str) -> str:
        return self._secrets.get(stage, "")

    def table_of(self, key: str) -> str:
        """The table of the floor that was opened for a session; "" where none is."""
        return next((table for table, session in reversed(self.tables.items()) if session == key), "")

    def session_at(self, table: str) -> InPlay | None:
        """The session of a table of the floor, while it is not over and its chips are not gone back."""
        key = self.tables.get(table, "")
        found = self.state.sessions.get(key)
        return found if found is not None and self.table_of(key) == table else None

    # --- folding ---

    def fold(self, entry: Entry) -> None:
        if entry.version <= self.version:
            return
        broken_unless(entry.version == self.version + 1, f"{self.stream}: entry {self.version + 1} is missing")
        said: Any = msgspec.json.decode(entry.body, type=DECODERS[entry.kind])
        match said:
            case Opened():
                self.opened = said
            case Learned():
                if said.table and (isinstance(said.act, ROUND_OVER) or said.table not in self.before):
                    self.before[said.table] = entry.version, self.state
                self._learn(said, entry.at_ms)
            case Secrets():
                self._secrets = said.secrets
            case AtTables():
                self.tables = {**self.tables, **said.tables}
            case Asked():
                self.waiting = {**self.waiting, said.number: said}
                self.asked = max(self.asked, said.number)
            case Answered():
                self.waiting = {number: each for number, each in self.waiting.items() if number != said.number}
            case Announcement():
                self.said = [*self.said[-19:], said]
        self.version, self.changed_ms = entry.version, entry.at_ms

    def _learn(self, said: Learned, at_ms: int) -> None:
        self.state = evolve(self.state, said.events)
        for event in said.events:
            self._tell_tables(event)
        if isinstance(said.act, ta.StartSession):
            begun = {key for key, each in self.state.sessions.items() if each.status == "playing"}
            self.began_ms |= dict.fromkeys(begun - self.began_ms.keys(), at_ms)
        elif isinstance(said.act, ta.DrawSeats):
            self.drawn = {**self.drawn, said.act.stage: (said.act.secret, said.act.order)}
        elif isinstance(said.act, ta.GiveBreak):
            self.break_until_ms = at_ms + said.act.minutes * 60_000

    def as_told(self, dealing: Iterable[str]) -> Known:
        """The same, as everybody may see it while the dealers of these tables have still to deal the end of a round."""
        held = {table: self.before[table] for table in dealing}
        if not held:
            return self
        found, state = copy(self), self.state
        sessions, entrants = dict(state.sessions), dict(state.entrants)
        for table, (_, before) in held.items():
            key = self.tables[table]
            sessions[key] = before.sessions[key]
            entrants |= {name: before.entrants[name] for name in sessions[key].seats.values()}
        _, oldest = min(held.values(), key=lambda each: each[0])
        found.state = replace(state, sessions=sessions, entrants=entrants, chip_accounts=oldest.chip_accounts)
        found.held = {table: version for table, (version, _) in held.items()}
        return found

    def holds(self, said: Learned, version: int) -> bool:
        """Whether an entry may not be told yet."""
        return version >= self.held.get(said.table, version + 1)

    def _tell_tables(self, event: TournamentEvent) -> None:
        """What is true now stays; what another event has undone is left out."""
        match event:
            case te.SessionStarted():
                self.for_tables = (event,)
            case te.SessionConcluded() | te.Disqualified():
                self.for_tables = (*self.for_tables, event)
            case te.PaceSet():
                kept = (each for each in self.for_tables if not isinstance(each, te.PaceSet))
                self.for_tables = (*kept, event)
            case te.DisputeRaised() | te.DisputeRuled():
                both = (te.DisputeRaised, te.DisputeRuled)
                kept = (each for each in self.for_tables if not (isinstance(each, both) and each.name == event.name))
                self.for_tables = (*kept, event)

    async def follow(self, commits: Commits) -> bool:
        """Fold entries that this process has not seen yet; whether there were any."""
        entries = await commits.run(self._read_on, commits.log)
        for entry in entries:
            self.fold(entry)
        return bool(entries)

    def _read_on(self, log: Log) -> list[Entry]:
        entries = list(log.read(self.stream, self.version))
        for entry in entries:
            if entry.kind == "opened":
                said = msgspec.json.decode(entry.body, type=Opened)
                learn_from(log, said.rulebook, said.edition)
        return entries

    # --- one writer at a time in this process ---

    def ready(self, commits: Commits) -> Awaitable[object] | None:
        """What a table waits for that decides on this stream; None where it may decide now."""
        if self.is_fresh and not self._flying:
            self.is_fresh = False
            return None
        return self._freshen(commits)

    async def _freshen(self, commits: Commits) -> None:
        while self._flying:
            if self._landing is None:
                self._landing = asyncio.get_running_loop().create_future()
            await asyncio.shield(self._landing)
        await self.follow(commits)
        self.is_fresh = True

    def sent(self) -> None:
        self._flying = True
        self.is_fresh = False

    def came_back(self) -> None:
        self._flying = False
        if self._landing is not None and not self._landing.done():
            self._landing.set_result(None)
        self._landing = None


def _dealing(log: Log, tables: Iterable[str]) -> dict[str, bool]:
    """Which of these tables have a dealer who has still to deal something that was decided. Blocking."""
    return {table: told_until(log, table) is not None for table in tables}


class Tournaments(Spanning):
    """Every tournament of the floor."""

    def __init__(self, floor: Floor) -> None:
        super().__init__(floor)
        self.known: dict[str, Known] = {}

    def fold(self, entry: Entry) -> None:
        if entry.kind == "tournament-opened":
            name = msgspec.json.decode(entry.body, type=TournamentOpened).tournament
            self.known.setdefault(name, Known(name))

    async def follow(self) -> list[Attachment]:
        for each in list(self.known.values()):
            if each.state.status in ("ended", "cancelled") and each.looked_at == each.version:
                continue
            await each.follow(self.floor.commits)
            self._look(each)
        return []

    async def told(self, known: Known) -> Known:
        """A tournament as far as it may be shown: of a round at a table nothing before its dealer has dealt it."""
        hosts, asked = self.floor.hosts, tuple(known.before)
        here = {table: hosts[table].next_piece is not None for table in asked if table in hosts}
        away = [table for table in asked if table not in here and table in self.floor.openings]
        if away:
            here |= await self.floor.commits.run(_dealing, self.floor.commits.log, away)
        return known.as_told([table for table in asked if here.get(table, False)])

    def _look(self, known: Known) -> None:
        """Whoever has read the stream, a table that waited for it too: what is new in it is looked at once."""
        if known.looked_at != known.version:
            self.moved(known)

    def moved(self, known: Known) -> None:
        """Something was written: tables of ours that are over leave us, the others look what is wanted of them."""
        known.looked_at = known.version
        for table in known.tables:
            host = self.floor.hosts.get(table)
            if host is None:
                continue
            if table not in self.floor.openings:
                self.floor.left(host)
            elif known.state.status == "cancelled":
                self.floor.close_soon(table)
            else:
                self.floor.driver.look(host)
                host.follow_up()

    def outrun(self, stream: str) -> None:
        """A text that is in the log already is no news."""

    def opens(self, table: str, opening: Opening) -> Answer | tuple[Part, ...]:
        """While a session is on at a designated table nothing else is opened there (NSW 20.5.2)."""
        if opening.tournament:
            return m.Unknown("a tournament opens its tables itself.")
        for each in self.known.values():
            decided = decide(each.rulebook, each.state, ta.UseTable(MANAGER, table, opening.name or table))
            if isinstance(decided, Refusal):
                return m.NotAllowed(table, decided)
        return ()

    async def attached_to(self, table: str, opening: Opening, now: Any) -> Attachment | None:
        if not opening.tournament:
            return None
        from pitboss.floor.tournament_tables import AtTournament

        if opening.tournament not in self.known:
            await self.floor.follow()
        known = self.known[opening.tournament]
        await known.follow(self.floor.commits)
        if known.state.status == "cancelled":
            self.floor.close_soon(table)
        return AtTournament(self, known, table)

    # --- asking ---

    def now(self, rulebook: Rulebook) -> datetime.datetime:
        """What the house's clocks show."""
        from pitboss.floor.patrons_at_tables import patrons_of

        calendar = patrons_of(self.floor).book.calendar or calendar_of(rulebook)
        return local(calendar, self.floor.clock.now_ms()).replace(tzinfo=None, microsecond=0)

    async def find(self, name: str) -> Known | None:
        """A tournament, read to its end."""
        if name not in self.known:
            await self.floor.up_to_date()
        known = self.known.get(name)
        if known is not None:
            await known.follow(self.floor.commits)
            self._look(known)
        return known

    # --- acting ---

    async def open(
        self, caller: Caller, command: str, name: str, conditions: Conditions, *, dealer: Dealer = "person",
        timers: Timers | None = None,
    ) -> DoneAnswer:  # fmt: skip
        """Publish conditions and take entries; refused where an item is missing, naming it."""
        denied = may(caller, "run-tournaments")
        if denied is not None:
            await self.floor.denied(caller, name, "run-tournaments", denied)
            return denied
        if not is_table_name(name) or len(name) > ID_MAX:
            return m.Unknown(f"a tournament's id is 1 to {ID_MAX} small letters, digits and hyphens, as in spring-cup.")
        book = load(conditions.rulebook)
        act = ta.OpenEntries(as_whom(caller), conditions)
        decided = decide(book, Tournament(), act)
        if isinstance(decided, Refusal):
            return m.NotAllowed("", decided)
        first = Opened(conditions.title, book.id, book.edition, dealer, timers or Timers())
        entries = (
            NewEntry("opened", _encode(first)),
            NewEntry("act", _encode(Learned(act, decided, caller.role))),  # type: ignore[arg-type]
        )
        done = TournamentDone(name, len(entries))
        for _ in range(TRIES):
            await self.floor.follow()
            if name in self.known:
                found = await self._said_before(caller, command)
                return found or m.Taken(f"there is a tournament {name} already; choose another id.")
            new = NewEntry("tournament-opened", _encode(TournamentOpened(name, book.id, book.edition)))
            parts = [
                Part(FLOOR, self.floor.version, (new,)),
                Part(stream_of(name), 0, entries),
                *texts_of(self.floor).part(book.id, book.edition),
            ]
            outcome = await self._append(parts, caller, command, done)
            if isinstance(outcome, Repeated):
                return _decode_done(outcome.answer)
            if isinstance(outcome, Appended):
                await self.floor.follow()
                await self.known[name].follow(self.floor.commits)
                return done
            if isinstance(outcome, Stale) and outcome.stream.startswith(text_stream("")):
                texts_of(self.floor).outrun(outcome.stream)
        return m.Halted(BUSY)

    async def do(self, caller: Caller, command: str, name: str, act: TournamentAct) -> DoneAnswer:
        """Carry an act out in a tournament, in the caller's own role; durable when it returns."""
        known = await self.find(name)
        if known is None or known.opened is None:
            return m.Unknown(f"there is no tournament {name[:40]!r}.")
        denied = deny(caller, act)
        if denied is not None:
            await self.floor.denied(caller, name, f"tournament: {type(act).__name__}", denied)
            return denied
        act = replace(act, by=as_whom(caller, act))
        for field in ("name", "instead_of"):
            named = getattr(act, field, "")
            account = self.floor.people.account(named) if named and self.floor.people is not None else None
            if account is not None:
                act = replace(act, **{field: account.name})
        if type(act) in BY_TWO and caller.role != "house":
            return await self._ask_a_second(caller, command, known, act)
        return await self._write(caller, command, known, act)

    async def announce(self, caller: Caller, command: str, name: str, text: str) -> DoneAnswer:
        """Tell everybody something: on the players' pages and on the wall."""
        known = await self.find(name)
        if known is None:
            return m.Unknown(f"there is no tournament {name[:40]!r}.")
        denied = may(caller, "run-tournaments")
        if denied is not None:
            await self.floor.denied(caller, name, "run-tournaments", denied)
            return denied
        said = Announcement(text, self.floor.clock.now_ms())
        return await self._append_to(caller, command, known, lambda: [NewEntry("said", _encode(said))])

    async def _ask_a_second(self, caller: Caller, command: str, known: Known, act: TournamentAct) -> DoneAnswer:
        refused = decide(known.rulebook, known.state, self._filled(known, act))
        if isinstance(refused, Refusal):
            return await self._said_before(caller, command) or m.NotAllowed("", refused)
        why = BY_TWO[type(act)]
        proposed = m.Proposed(str(known.asked + 1), f"{why}: a second person approves it.")

        def ask() -> list[NewEntry]:
            said = Asked(known.asked + 1, act, caller.name, caller.role, why, self.floor.clock.now_ms())  # type: ignore[arg-type]
            return [NewEntry("asked", _encode(said))]

        return await self._append_to(caller, command, known, ask, proposed)

    async def answer(self, caller: Caller, command: str, name: str, number: int, *, approve: bool) -> DoneAnswer:
        """A second person approves, or does not; what they approve is decided then."""
        known = await self.find(name)
        asked = known.waiting.get(number) if known is not None else None
        if known is None or asked is None:
            found = await self._said_before(caller, command)
            return found or m.Unknown("nothing of the kind waits for a second person.")
        denied = deny_second(caller, asked)
        if denied is not None:
            await self.floor.denied(caller, name, "tournament: approve", denied)
            return denied
        answered = NewEntry("answered", _encode(Answered(number, approve)))
        if not approve:
            return await self._append_to(caller, command, known, lambda: [answered])
        return await self._write(caller, command, known, asked.act, answered, role=asked.role)

    # --- writing ---

    async def _write(
        self, caller: Caller, command: str, known: Known, act: TournamentAct, *before: NewEntry, role: str = ""
    ) -> DoneAnswer:
        from pitboss.floor.tournament_tables import with_tables

        for _ in range(TRIES):
            entries = list(before)
            if isinstance(act, ta.CommitDraws) and not act.digests:
                secrets = {stage.name: secret_token(SECRET_BYTES) for stage in known.conditions.stages}
                act = replace(act, digests={stage: digest_of(each) for stage, each in secrets.items()})
                entries.append(NewEntry(SECRETS, _encode(Secrets(secrets)), hidden=True))
            whole_act = self._filled(known, act)
            decided = decide(known.rulebook, known.state, whole_act)
            if isinstance(decided, Refusal):
                return await self._said_before(caller, command) or m.NotAllowed("", decided)
            if not decided:
                return TournamentDone(known.name, known.version)
            entries.append(NewEntry("act", _encode(Learned(whole_act, decided, role or caller.role))))  # type: ignore[arg-type]
            more = await with_tables(self, known, whole_act, decided)
            if isinstance(more, Refusal):
                return await self._said_before(caller, command) or m.NotAllowed("", more)
            opened, parts = more
            if opened:
                entries.append(NewEntry("tables", _encode(AtTables(opened))))
            done = TournamentDone(known.name, known.version + len(entries))
            outcome = await self._append(
                [Part(known.stream, known.version, tuple(entries)), *parts], caller, command, done
            )
            if isinstance(outcome, Repeated):
                return _decode_done(outcome.answer)
            await self.floor.follow()
            await known.follow(self.floor.commits)
            if isinstance(outcome, Appended):
                await self.floor.take(opened)
                self.moved(known)
                return done
            if isinstance(outcome, Stale) and outcome.stream.startswith(text_stream("")):
                texts_of(self.floor).outrun(outcome.stream)
            if isinstance(act, ta.CommitDraws):
                act = replace(act, digests={})
        return m.Halted(BUSY)

    async def _append_to(
        self, caller: Caller, command: str, known: Known, make: Any, answer: m.Proposed | None = None
    ) -> DoneAnswer:
        for _ in range(TRIES):
            entries = tuple(make())
            done: TournamentDone | m.Proposed = answer or TournamentDone(known.name, known.version + len(entries))
            outcome = await self._append([Part(known.stream, known.version, entries)], caller, command, done)
            if isinstance(outcome, Repeated):
                return _decode_done(outcome.answer)
            await known.follow(self.floor.commits)
            if isinstance(outcome, Appended):
                return done
        return m.Halted(BUSY)

    async def _append(self, parts: list[Part], caller: Caller, command: str, done: Any) -> Any:
        full = f"{caller.name}/{command}" if command else ""
        item = Append(tuple(parts), self.floor.clock.now_ms(), caller.name, full, _encode(done))
        return await self.floor.commits.append(item)

    async def _said_before(self, caller: Caller, command: str) -> DoneAnswer | None:
        """A repetition gets the first answer, even where it would be refused now."""
        if not command:
            return None
        try:
            found = await self.floor.commits.run(self.floor.commits.log.answer, f"{caller.name}/{command}")
            return None if found is None else _decode_done(found)
        except StoreError as error:
            return m.Halted(outside(error))
        except msgspec.MsgspecError:
            return m.Denied("this id was used for something else: choose another.")

    def _filled(self, known: Known, act: TournamentAct) -> TournamentAct:
        """What the floor knows and nobody need say: the moment, the secret of a draw and its order."""
        if isinstance(act, ta.DrawSeats) and not act.secret:
            act = replace(act, secret=known.secret(act.stage))
        return whole(known.rulebook, known.state, act, shuffled)


def tournaments_of(floor: Floor) -> Tournaments:
    """The tournaments of a floor."""
    return next(kind for kind in floor.spanning if isinstance(kind, Tournaments))


# --- who may ---------------------------------------------------------------------------------------------------------


def as_whom(caller: Caller, act: TournamentAct | None = None) -> str:
    """As whom somebody acts in a tournament."""
    if caller.role in ("tournament-manager", "house"):
        return MANAGER
    if caller.role == "player":
        return PLAYER
    if isinstance(act, BY_THE_PLAYER):
        return PLAYER  # written down for them
    return AT_THE_TABLE.get(caller.role, caller.role)


def deny(caller: Caller, act: TournamentAct) -> m.Denied | None:
    """Why this caller may not even ask for it; whether the rules let them is decided then."""
    kind = type(act)
    if caller.role == "house":
        return None
    if kind in BY_THE_TABLE:
        return m.Denied("that is done at the table, which tells the tournament of it.")
    if caller.role == "player":
        if kind not in BY_THE_PLAYER:
            return m.Denied("that is not for a player to do.")
        if getattr(act, "name", "").lower() != caller.name.lower():
            return m.Denied("a player acts in their own name only.")
        return None
    if caller.role == "tournament-manager":
        return None
    if caller.role in OTHERS and kind in (*BY_THE_PLAYER, *BY_STAFF) and kind is not ta.SignAgreement:
        return None
    if caller.role in OTHERS:
        return m.Denied("the person running the tournament does that.")
    return may(caller, "run-tournaments") or m.Denied("that is not for you to do.")


def deny_second(caller: Caller, asked: Asked) -> m.Denied | None:
    if caller.name == asked.by:
        return m.Denied("the second person must be someone other than the first.")
    if caller.role not in SECONDS:
        return m.Denied("a supervisor, a manager or an inspector approves this.")
    return None


def plays_by_itself(name: str) -> bool:
    """Whether the house plays for an entrant."""
    return is_bot(name) and is_name(name)


__all__ = ["Events", "Known", "Tournaments", "tournaments_of"]
