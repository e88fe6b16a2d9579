"""One table that this process owns: acts come in, are decided one after the other, written, and only then are true.

`table` is what is durable, and all that anybody is shown. `decided` runs ahead of it by the acts that are on their way
to the log, so that many tables (and many acts of one table) share a commit. Where a write fails, everything decided
after it on this table is thrown away, the table is read again, and what can still be done is decided anew.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from pitboss.floor import model as m
from pitboss.floor.attachments import Attachment, Commits, Concerns, Decided, Wait
from pitboss.floor.bots import bots_at, is_bot
from pitboss.floor.editions import read_opening
from pitboss.floor.frozen import freeze, opened, thaw
from pitboss.floor.hidden import is_hidden
from pitboss.floor.model import HOUSE, Answer, Caller, Opening
from pitboss.floor.pacing import (
    ANYTIME,
    Mark,
    Pacing,
    Piece,
    Place,
    mark_of,
    moves,
    pace_of,
    refuse_untold,
)
from pitboss.floor.permissions import not_for_the_house
from pitboss.floor.refusing import refusal_for
from pitboss.floor.shared_stream import outside
from pitboss.floor.updates import RECENT, Updates, hides, lies_face_down_at
from pitboss.floor.wire import FILLED, AskedAct, filled
from pitboss.ledger.guard import Breach, Guard
from pitboss.store.log import (
    Append,
    Appended,
    Entry,
    Fenced,
    Log,
    NewEntry,
    Outcome,
    Part,
    Repeated,
    Stale,
    StoreError,
)
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import ORIGINAL, AnyAct
from pitboss.table.apply import evolve
from pitboss.table.conduct import dispute_of
from pitboss.table.engine import play
from pitboss.table.events import AnyEvent, Event
from pitboss.table.house import DEVICE
from pitboss.table.irregularities.money import refuse_stopped
from pitboss.table.irregularities.reports import approval_clauses
from pitboss.table.refusals import Refused
from pitboss.table.state import Table

if TYPE_CHECKING:
    from pitboss.chance import Chance
    from pitboss.floor.clock import Clock

CHECKPOINT_EVERY = 256
"""Entries between two whole tables in the log: reopening a table or finding a past moment reads fewer than this."""
ANSWERS_KEPT = 512
"""Commands whose answers are at hand without asking the log."""
LOOK_BACK = 64
"""Entries that are read at a time where one looks back."""
APPROVED = "approval/"
"""How the command of an act begins that a second person approved; then comes the id of the proposal."""
STOPPED_MAX = 400
"""Characters that a table is told of why it was stopped."""
WAITING_MAX = 4096
"""Acts of one table that may be on their way or wait; more are turned away."""

log = logging.getLogger("pitboss.floor")


class ActBody(msgspec.Struct, frozen=True, gc=False):
    """What an entry of kind ``act`` holds."""

    act: AnyAct
    events: tuple[AnyEvent, ...]
    role: str = ""


class Checkpoint(msgspec.Struct, frozen=True):
    """A whole table at one version, and which round it is in."""

    version: int
    round: int
    """Rounds that are finished."""
    round_version: int
    """The version after which the round in progress began."""
    table: msgspec.Raw
    at_ms: int = 0
    reported_by: str = ""
    """Who told of the last irregularity that wants an approval."""
    agreed: dict[str, int] = {}
    """`Loaded.agreed`; older checkpoints have none."""
    ruled_by: dict[str, str] = {}
    """`Loaded.ruled_by`; older checkpoints have none."""


_encode = msgspec.json.Encoder().encode
decode_act = msgspec.json.Decoder(ActBody).decode
decode_checkpoint = msgspec.json.Decoder(Checkpoint).decode
AnyAnswer = m.Accepted | m.NotAllowed | m.Denied | m.Unknown | m.Moved | m.Halted | m.Proposed
decode_answer: Callable[[bytes], Answer] = msgspec.json.Decoder(AnyAnswer).decode


def stream_of(table: str) -> str:
    return f"table:{table}"


def checkpoints_of(table: str) -> str:
    return f"checkpoints:table:{table}"


class Happened(NamedTuple):
    """One durable entry of a table."""

    version: int
    at_ms: int
    by: str
    events: tuple[Event, ...]
    before: Table | None = None
    """The table before it, where it is needed to know who may see what."""


Done = Callable[[Answer], None]
Permit = Callable[[Caller, AnyAct, Table], "m.Denied | None"]


class Asked:
    """One act on its way."""

    __slots__ = ("act", "after", "asked", "caller", "command", "done", "events", "kinds", "looked", "parts")

    def __init__(self, caller: Caller, command: str, asked: AskedAct, done: Done) -> None:
        self.caller = caller
        self.command = command
        self.asked = asked
        self.done: list[Done] = [done]
        self.act: AnyAct | None = None
        self.after: Table | None = None
        self.events: tuple[Event, ...] = ()
        self.kinds: set[type[Event]] = set()
        """Of these events."""
        self.parts: list[tuple[Attachment, tuple[Part, ...]]] = []
        """What the append writes to the streams of attachments."""
        self.looked = False
        """Attachments have read what they were not sure of."""

    def answer(self, answer: Answer) -> None:
        for done in self.done:
            done(answer)


class Loaded(NamedTuple):
    """A table as the log has it."""

    opening: Opening
    table: Table
    version: int
    rounds: int
    round_version: int
    round_began_ms: int
    changed_ms: int
    closed: bool
    recent: list[Happened]
    reported_by: str = ""
    mixed: bool = False
    """A shuffling device has mixed what it holds since cards last went back into it."""
    agreed: dict[str, int] = {}  # noqa: RUF012 - never changed, only replaced
    """The maximum of each kind of wager as two people, or the opening, have set it."""
    ruled_by: dict[str, str] = {}  # noqa: RUF012 - never changed, only replaced
    """Who ruled last on the dispute of each player."""
    mark: Mark | None = None
    """How far a dealer has come who confirms every card and payment."""
    told: Table | None = None
    """Then the table before the act of which `mark` speaks, and the rounds that were finished by then."""
    told_rounds: int = 0
    pace_version: int = 0
    """Of the stream of such confirmations."""


def load_table(log: Log, table: str, after: int | None = None) -> Loaded | None:
    """Fold a table from its last checkpoint; None where there is no such table. Blocking.

    With `after` everything that happened after that version is among what is recent.
    """
    stream = stream_of(table)
    first = next(iter(log.read(stream, 0, 1)), None)
    if first is None:
        return None
    opening = read_opening(log, first)
    count = log.version(checkpoints_of(table))
    if after is not None:
        count = min(count, max(0, after - 1) // CHECKPOINT_EVERY)
    mark, pace_version = mark_of(log, table)
    if mark is not None:
        count = min(count, max(0, mark.version - 2) // CHECKPOINT_EVERY)
    if count:
        found = next(iter(log.read(checkpoints_of(table), count - 1, 1)))
        checkpoint = decode_checkpoint(found.body)
        loaded = Loaded(
            opening,
            thaw(checkpoint.table),
            checkpoint.version,
            checkpoint.round,
            checkpoint.round_version,
            checkpoint.at_ms,
            found.at_ms,
            False,
            [],
            checkpoint.reported_by,
            agreed=checkpoint.agreed or maxima(opening),
            ruled_by=checkpoint.ruled_by,
        )
    else:
        loaded = Loaded(opening, opened(opening), 1, 0, 1, first.at_ms, first.at_ms, False, [], agreed=maxima(opening))
    entries = list(log.read(stream, loaded.version))
    if mark is not None:
        loaded = fold(loaded, [entry for entry in entries if entry.version < mark.version])
        loaded = loaded._replace(told=loaded.table, told_rounds=loaded.rounds)
        entries = [entry for entry in entries if entry.version >= mark.version]
    loaded = fold(loaded, entries)._replace(mark=mark, pace_version=pace_version)
    return loaded._replace(mixed=loaded.table.house.source == DEVICE and _is_mixed(log, stream, loaded.version))


def _is_mixed(log: Log, stream: str, version: int) -> bool:
    """What the house's device did last, looking back from a version."""
    while version > 1:
        start = max(1, version - LOOK_BACK)
        for entry in reversed(list(log.read(stream, start, version - start))):
            for event in reversed(decode_act(entry.body).events if entry.kind == "act" else ()):
                if type(event) is e.DiscardsReturned:
                    return False
                if type(event) is e.StackArranged:
                    return event.mixed or not entry.by
        version = start
    return False


def fold(loaded: Loaded, entries: list[Entry]) -> Loaded:
    """A table with more entries of its stream."""
    table, rounds, round_version = loaded.table, loaded.rounds, loaded.round_version
    version, changed, closed, recent = loaded.version, loaded.changed_ms, loaded.closed, list(loaded.recent)
    began, reporter, agreed = loaded.round_began_ms, loaded.reported_by, loaded.agreed
    rulers = loaded.ruled_by
    for entry in entries:
        version, changed = entry.version, entry.at_ms
        if entry.kind == "closed":
            closed = True
            recent.append(Happened(version, changed, entry.by, ()))
            continue
        said = decode_act(entry.body)
        before, table = table, evolve(table, said.events)
        if ends_round(said.events):
            rounds, round_version, began = rounds + 1, version, entry.at_ms
        if wants_approval(said.events):
            reporter = entry.by
        if entry.command.startswith(APPROVED):
            agreed = agreed | agreed_on(said.events)
        if type(said.act) is a.RuleDispute:
            rulers = rulers | {said.act.player: entry.by}
        needed = before if hides(said.events, before) else None
        recent.append(Happened(version, entry.at_ms, entry.by, said.events, needed))
    return Loaded(
        loaded.opening, table, version, rounds, round_version, began, changed, closed, recent, reporter,
        agreed=agreed, ruled_by=rulers, told=loaded.told, told_rounds=loaded.told_rounds,
    )  # fmt: skip


def maxima(opening: Opening) -> dict[str, int]:
    """The maximum of each kind of wager on the sign with which a table was opened."""
    house = opening.house or opened(opening).house
    return {ORIGINAL: house.maximum_cents} | {kind: most for kind, (_, most) in house.side_limits.items()}


def agreed_on(events: tuple[Event, ...]) -> dict[str, int]:
    """The maxima that these events set."""
    return {event.kind: event.maximum_cents for event in events if isinstance(event, e.LimitsSet)}


def _with_its_bots(loaded: Loaded) -> Opening:
    """The opening, with those bots that the house plays: an older log may name people, or have others seated."""
    bots = dict.fromkeys((*loaded.opening.bots, *bots_at(loaded.table)))
    return msgspec.structs.replace(loaded.opening, bots=tuple(name for name in bots if is_bot(name)))


def _concerns_of(attachments: tuple[Attachment, ...]) -> Concerns | None:
    """What any of these is asked about; None where one of them is asked about everything."""
    acts, events = Concerns(frozenset())
    for each in attachments:
        if each.concerns is None:
            return None
        acts, events = acts | each.concerns.acts, events | each.concerns.events
    return Concerns(acts, events)


def _may_speak_first(kind: type[Attachment]) -> bool:
    return kind.refuse is not Attachment.refuse or kind.tells_first is not Attachment.tells_first


def ends_round(events: tuple[Event, ...]) -> bool:
    return e.RoundEnded in map(type, events)


def wants_approval(events: tuple[Event, ...]) -> bool:
    return any(type(event) is e.IrregularityReported and event.approval for event in events)


class Host:
    """One table that this process owns."""

    def __init__(
        self,
        name: str,
        loaded: Loaded,
        epoch: int,
        commits: Commits,
        clock: Clock,
        chance: Chance,
        permit: Permit,
        attachments: tuple[Attachment, ...],
        changed: Callable[[Host], None],
        denied: Callable[[Caller, AnyAct, m.Denied], Awaitable[None]] | None = None,
    ) -> None:
        """`denied` hears of every denial before whoever is denied does."""
        self.name = name
        self.stream = stream_of(name)
        self._accepted = b'{"is":"accepted","table":%b,"version":%%d}' % _encode(name).replace(b"%", b"%%")
        self.opening = _with_its_bots(loaded)
        self.epoch = epoch
        self.attachments = attachments
        self._following = [each for each in attachments if type(each).follow_up is not Attachment.follow_up]
        """Those that may want something done."""
        self.showing = [each for each in attachments if type(each).shows is not Attachment.shows]
        """Those of which every update says something."""
        self.showing_of = [each for each in attachments if type(each).shows_of is not Attachment.shows_of]
        """Those that may say something of a player besides."""
        self._refusing = [each for each in attachments if _may_speak_first(type(each))]
        """Those that may refuse an act, or have something told before it."""
        self._concerns = _concerns_of(attachments)
        """What they are asked about; None: everything."""
        self._checking = [each for each in attachments if type(each).check is not Attachment.check]
        self._writing = [each for each in attachments if type(each).parts is not Attachment.parts]
        self.table = self.decided = loaded.table
        self.version = self.decided_version = loaded.version
        self.rounds = self.decided_rounds = loaded.rounds
        self.round_version = self._decided_round_version = loaded.round_version
        self._round_began_ms = loaded.round_began_ms
        self.changed_ms = loaded.changed_ms
        self.closed = loaded.closed
        self._reported_by = loaded.reported_by
        self.agreed = loaded.agreed
        """`Loaded.agreed`, durable."""
        self._ruled_by = loaded.ruled_by
        self.was_mixed = loaded.mixed
        """Whether the table's device had mixed what it holds when the table came to us."""
        self.moved_to: str | None = None
        """Where the table went, once it is no longer ours."""
        self.no_new_round = ""
        """Why no new round begins, where none does."""
        self._commits = commits
        self._clock = clock
        self._chance = chance
        self._permit = permit
        self._changed = changed
        self._denied = denied
        self._flying: deque[Asked] = deque()
        self._failed: list[tuple[Asked, Outcome | BaseException]] = []
        self._queue: deque[Asked] = deque()
        self._by_command: dict[str, Asked] = {}
        self._answers: OrderedDict[str, Answer] = OrderedDict()
        self._recovering: asyncio.Task[None] | None = None
        self._holding: asyncio.Task[None] | None = None
        """The first of the queue waits for something that an attachment reads."""
        self._follow_up_asked = False
        self.guard = Guard()
        """Looks at the money of every act before it is written."""
        self.breaches = 0
        """Acts whose money did not add up."""
        self.faults = 0
        """Acts that could not be decided because of a fault of ours."""
        self.refused = 0
        self.pacing: Pacing | None = None
        """Where the dealer confirms every card and payment: how far they have come."""
        self._passed: tuple[object, set[str]] = ((), set())
        self._pace_version = loaded.pace_version
        self.updates = Updates(self)
        mark = loaded.mark
        for happened in loaded.recent[-RECENT:] if mark is None else loaded.recent:
            if mark is None or happened.version < mark.version:
                self.updates.happened(happened)
        if mark is not None:
            self._go_on_pacing(mark, loaded)

    # --- what is shown ---

    @property
    def shown(self) -> Table:
        """The table as anybody may see it: where the dealer sets the pace, as far as they have come."""
        return self.table if self.pacing is None else self.pacing.table

    @property
    def shown_version(self) -> int:
        """The last version that is shown whole."""
        return self.version if self.pacing is None else self.pacing.version

    @property
    def shown_rounds(self) -> int:
        return self.rounds if self.pacing is None else self.pacing.rounds

    @property
    def next_piece(self) -> Piece | None:
        """What the dealer is to deal, collect or pay before anything else is shown."""
        return None if self.pacing is None else self.pacing.next

    def say_pass(self, name: str) -> None:
        """A player wants nothing of what is offered now, at a table that a person deals."""
        if name in self.updates.waiting().who and name not in self.passed:
            self._passed = self._offered(), {*self.passed, name}
            self.updates.stale()
            self._changed(self)

    def withdraw_pass(self, name: str) -> None:
        """They want something of it after all: the dealer no longer reads that they declined."""
        if name in self.passed:
            self._passed = self._offered(), self.passed - {name}
            self.updates.stale()
            self._changed(self)

    @property
    def passed(self) -> set[str]:
        """Who wants nothing of what is offered now."""
        offer, names = self._passed
        return names if names and offer == self._offered() else set()

    def _offered(self) -> tuple[object, ...]:
        waiting = self.updates.waiting()
        return self.shown_rounds, self.shown.phase, waiting.what, waiting.box, waiting.hand

    def tell(self, happened: Happened) -> None:
        """Something is durable: it is told now, or as the dealer goes on."""
        if self.pacing is None:
            self.updates.happened(happened)
        else:
            self.pacing.add(happened)
            self._told(self.pacing.tell_all())

    def _told(self, told: list[tuple[Piece, Table]]) -> None:
        for piece, before in told:
            needed = before if hides(piece.events, before) else None
            happened = Happened(piece.version, piece.at_ms, piece.by, piece.events, needed)
            self.updates.happened(happened, piece.n, whole=piece.ends)
        if self.pacing is not None and not self.pacing.queue:
            self.pacing.table, self.pacing.rounds = self.table, self.rounds

    def _go_on_pacing(self, mark: Mark, loaded: Loaded) -> None:
        """Be where the dealer was when the table came to us."""
        assert loaded.told is not None
        self.pacing = pacing = Pacing(loaded.told, min(mark.version - 1, self.version), loaded.told_rounds)
        for happened in loaded.recent:
            if happened.version >= mark.version:
                pacing.add(happened)
        self._told(pacing.tell_up_to(Place(mark.version, mark.n)))

    def set_pace(self, by: str, on: bool) -> None:
        """The dealer confirms every card and payment from now on, or no longer: then all that happened is told."""
        if on != (self.pacing is not None):
            self._mark(by, Mark(on, self.version + 1))

    def confirm(self, by: str, place: str, *, rest: bool = False) -> None:
        """The dealer has dealt the card, collected or paid that stands at this place; said twice it is done once."""
        piece = self.next_piece
        if piece is not None and place == f"{piece.version}.{piece.n}":
            until = Place(self.version + 1, 0) if rest else piece.until
            self._mark(by, Mark(True, until.version, until.n))

    def _mark(self, by: str, mark: Mark) -> None:
        if self.moved_to is not None or self.closed or (self.pacing is not None and self.pacing.confirming):
            return
        if self.pacing is not None:
            self.pacing.confirming = True
        part = Part(pace_of(self.name), self._pace_version, (NewEntry("paced", _encode(mark)),))
        self._commits.send(Append((part,), self._clock.now_ms(), by), partial(self._marked, mark))

    def _marked(self, mark: Mark, outcome: Outcome | BaseException) -> None:
        if self.pacing is not None:
            self.pacing.confirming = False
        if type(outcome) is not Appended:
            log.warning("the dealer's pace could not be written", extra={"table": self.name, "outcome": repr(outcome)})
            if type(outcome) is Stale:
                self._pace_version = outcome.version
            return
        self._pace_version += 1
        if not mark.on:
            if self.pacing is not None:
                self._told(self.pacing.tell_all(to_the_end=True))
                self.pacing = None
        elif self.pacing is None:
            self.pacing = Pacing(self.table, self.version, self.rounds)
        else:
            self._told(self.pacing.tell_up_to(Place(mark.version, mark.n)))
        self.updates.stale()
        self._changed(self)
        self.follow_up()

    def _is_dealing(self) -> bool:
        """Whether cards and payments wait for the dealer, or will once what is on its way has landed."""
        return self.pacing is not None and (
            self.pacing.next is not None or any(moves(flying.events) for flying in self._flying)
        )

    # --- acting ---

    def act(self, caller: Caller, command: str, act: AskedAct, done: Done) -> None:
        """Decide an act, or answer why not; `done` hears the answer when it is durable, exactly once."""
        if command:
            first = self._answers.get(command)
            if first is not None:
                done(first)
                return
            flying = self._by_command.get(command)
            if flying is not None:
                flying.done.append(done)
                return
        if self.moved_to is not None:
            done(m.Moved(self.name, self.moved_to))
            return
        if len(self._flying) + len(self._queue) >= WAITING_MAX:
            done(m.Halted("too many acts wait at this table; try again in a moment."))
            return
        asked = Asked(caller, command, act, done)
        if command:
            self._by_command[command] = asked
        if self._recovering is not None or self._failed or self._holding is not None:
            self._queue.append(asked)
            return
        self._decide(asked)

    def knows(self, command: str) -> bool:
        """Whether a command is on its way, or its answer at hand."""
        return command in self._answers or command in self._by_command

    def remember(self, command: str, answer: Answer) -> Answer:
        """What was refused before the table was asked is refused again to whoever says the same once more."""
        if command and type(answer) is m.NotAllowed:
            self.refused += 1
            self._remember(command, answer)
        return answer

    def _remember(self, command: str, answer: Answer) -> None:
        self._answers[command] = answer
        if len(self._answers) > ANSWERS_KEPT:
            self._answers.popitem(last=False)

    def _decide(self, asked: Asked) -> None:
        """Ask who may, then the engine, and send what comes of it to the log."""
        try:
            self._decide_or_refuse(asked)
        except Wait as wait:
            self._hold(wait.ready, asked)
        except Refused as no:  # an attachment's
            self.refused += 1
            self._look_up_then(asked, m.NotAllowed(self.name, no.refusal))
        except Exception as error:  # noqa: BLE001 - whatever it is, the table stands still
            self._fault(asked, error)

    def _decide_or_refuse(self, asked: Asked) -> None:
        act: AnyAct = asked.asked  # type: ignore[assignment]
        table = self.decided
        if type(act) in FILLED:
            act = filled(asked.asked, table, self._chance, self._clock.now_ms())
        if self.closed:
            self._finish(asked, m.Unknown(f"table {self.name} is closed."))
            return
        if asked.caller is HOUSE:
            not_his = not_for_the_house(act, self.opening.bots)
            if not_his is not None:
                self._finish(asked, not_his)
                return
        else:
            denied = self._permit(asked.caller, act, table) or self._own_word(asked.caller, act)
            if denied is not None:
                stands_in = self._stands_in(asked, act, table)
                if stands_in is False:
                    self._look_up_then(asked, denied, act)
                if not stands_in:
                    return
        if self.pacing is not None and asked.caller is not HOUSE and type(act) not in ANYTIME and self._is_dealing():
            self.refused += 1
            self._look_up_then(asked, m.NotAllowed(self.name, refuse_untold(table)))
            return
        if self.no_new_round and table.phase == "wagers" and isinstance(act, (a.Deal, a.CallNoMoreBets, a.PlaceWager)):
            self._finish(asked, m.Halted(f"{self.no_new_round}: no new round begins here now."))
            return
        if table.stopped and not isinstance(act, a.ResumeTable):
            self._look_up_then(asked, m.NotAllowed(self.name, refuse_stopped(table)))
            return
        asked.act = act
        for attachment in self._refusing:
            refused = attachment.refuse(table, act)
            if refused is not None:
                if not self._doubted(asked, act):
                    self._look_up_then(asked, m.NotAllowed(self.name, refused))
                return
            for told in attachment.tells_first(table, act):
                self._of_the_house(told)
            table = self.decided
        try:
            after, events = play(table, act)
        except Refused as no:
            if self._doubted(asked, act):
                return
            self.refused += 1
            self._look_up_then(asked, m.NotAllowed(self.name, refusal_for(asked.caller, act, no.refusal, table)))
            return
        self._write(asked, act, after, events)

    def _of_the_house(self, act: AnyAct) -> None:
        """Do what an attachment asks for; nobody waits for the answer."""
        after, events = play(self.decided, act)
        self._write(Asked(HOUSE, "", act, _nobody), act, after, events)

    def _doubted(self, asked: Asked, act: AnyAct) -> bool:
        """Whether an act that was refused is decided again, because an attachment has to look first; once."""
        if asked.looked:
            return False
        asked.looked = True
        doubts = [each.doubts(self.decided, act) for each in self.attachments]
        found = [doubt for doubt in doubts if doubt is not None]
        if found:
            self._hold(asyncio.gather(*found), asked)
        return bool(found)

    def _hold(self, ready: Awaitable[object], asked: Asked | None = None) -> None:
        """Let an act wait, and everything that comes after it at this table."""
        if asked is not None:
            self._queue.appendleft(asked)
        self._holding = asyncio.get_running_loop().create_task(self._held(ready, asked))

    async def _held(self, ready: Awaitable[object], asked: Asked | None) -> None:
        try:
            await ready
        except Exception as error:  # noqa: BLE001 - whoever waits is told, whatever it is
            text = outside(error) if isinstance(error, StoreError) else "the log cannot be read now; try again later."
            if asked is not None and asked in self._queue:
                self._queue.remove(asked)
                self._finish(asked, m.Halted(text))
        self._holding = None
        self._go_on()
        if self.is_idle:
            self._changed(self)  # what waited may have been refused: whoever looked meanwhile looks again
        self.follow_up()

    def _stands_in(self, asked: Asked, act: AnyAct, table: Table) -> bool | None:
        """Whether a player does for another what they might do for themselves, and an attachment says that they may;
        None where one has to look first."""
        caller, player = asked.caller, getattr(act, "player", "")
        if caller.role != "player" or player in ("", caller.name):
            return False
        own: Any = msgspec.structs.replace(act, player=caller.name)
        if self._permit(caller, own, table) is not None:
            return False
        if any(each.stands_in(table, caller.name, act) for each in self.attachments):
            return True
        return None if self._doubted(asked, act) else False

    def _own_word(self, caller: Caller, act: AnyAct) -> m.Denied | None:
        """What nobody does to what they said themselves."""
        if type(act) is a.Approve:
            return self._own_report(caller)
        return self._own_ruling(caller, act) if type(act) is a.RuleDispute else None

    def _own_ruling(self, caller: Caller, act: a.RuleDispute) -> m.Denied | None:
        """Whoever ruled on a dispute does not review it, whatever their role."""
        if dispute_of(self.decided, act.player) != "review":
            return None
        if self._ruler(act.player) != caller.name:
            return None
        clauses = self.decided.rulebook.irregularities.dispute_review.clauses
        return m.Denied("you ruled on this dispute, so somebody else reviews it.", clauses)

    def _ruler(self, player: str) -> str:
        """Who ruled last on the dispute of a player."""
        return self._rulers_so_far().get(player, "")

    def _rulers_so_far(self) -> dict[str, str]:
        """`Loaded.ruled_by`, with what is on its way."""
        flying = {each.act.player: each.caller.name for each in self._flying if type(each.act) is a.RuleDispute}
        return self._ruled_by | flying

    def _own_report(self, caller: Caller) -> m.Denied | None:
        """An approval takes two: whoever told of an irregularity does not approve it themselves."""
        if self._reporter() != caller.name:
            return None
        clauses = approval_clauses(self.decided)
        return m.Denied(
            "you reported this irregularity, so somebody else must approve that the game continues.", clauses
        )

    def _reporter(self) -> str:
        """Who told of the last irregularity that wants an approval; "" where it was the house itself, or nobody."""
        for asked in reversed(self._flying):
            if wants_approval(asked.events):
                return asked.caller.name
        return self._reported_by

    def _write(self, asked: Asked, act: AnyAct, after: Table, events: tuple[Event, ...]) -> None:
        breach = self.guard.check(self.decided, after, events, act)
        if breach is not None:
            raise breach
        version = self.decided_version + 1
        body = _encode(ActBody(act, events, asked.caller.role))  # type: ignore[arg-type]
        before = self.decided
        is_shown = before is self.table and self.pacing is None
        face_down = self.updates.lies_face_down() if is_shown else lies_face_down_at(before)
        to_be_dealt = self.pacing is not None and moves(events)  # nobody has seen it, and it is written already
        kinds = set(map(type, events))
        entry = NewEntry("act", body, to_be_dealt or is_hidden(act, events, kinds, face_down))
        parts = [Part(self.stream, self.decided_version, (entry,), self.epoch)]
        if self._concerns is None or type(act) in self._concerns.acts or not self._concerns.events.isdisjoint(kinds):
            self._take_part(asked, parts, Decided(self.name, version, act, before, after, events, kinds))
        now = self._clock.now_ms()
        if e.RoundEnded in kinds:
            self.decided_rounds += 1
            self._decided_round_version = version
            self._round_began_ms = now
        if (version - 1) % CHECKPOINT_EVERY == 0:
            reporter = asked.caller.name if wants_approval(events) else self._reporter()
            rulers = self._rulers_so_far()
            if type(act) is a.RuleDispute:
                rulers = rulers | {act.player: asked.caller.name}
            parts.append(self._checkpoint(version, after, reporter, self._agreed_so_far(asked, events), rulers))
        asked.act, asked.after, asked.events, asked.kinds = act, after, events, kinds
        answer = self._accepted % version
        self.decided, self.decided_version = after, version
        self._flying.append(asked)
        item = Append(tuple(parts), now, asked.caller.name, asked.command, answer)
        self._commits.send(item, partial(self._landed, asked, now))

    def _fault(self, asked: Asked, error: Exception) -> None:
        """Money that does not add up, or a fault in deciding: nothing of it is written, and the table is stopped.

        The stop is durable and says why. Whoever may not do the act at all stops nothing by asking for it.
        """
        said = {"table": self.name, "act": repr(asked.act or asked.asked)[:500]}
        if isinstance(error, Breach):
            self.breaches += 1
            log.error("money does not add up: %s", error.text, extra=said | {"check": error.check})
            what, why = "the money of it does not add up", f"{error.check}: {error.text}"
        else:
            self.faults += 1
            log.error("an act could not be decided", extra=said, exc_info=error)
            name = type(asked.act or asked.asked).__name__
            what, why = (
                "it is logged, and nothing was done",
                f"fault: {name} could not be decided",
            )
        for attachment, parts in asked.parts:
            attachment.lost(parts)
        asked.parts = []
        if (asked.act is None and asked.caller is not HOUSE) or self.closed or self.decided.stopped:
            self._finish(asked, m.Halted(f"this is a fault in Pitboss: {what}."))
            return
        halted = m.Halted(f"this is a fault in Pitboss: {what}, and the table is stopped.")
        stop = a.StopTable("casino-supervisor", why[:STOPPED_MAX])
        try:
            after, events = play(self.decided, stop)
            self._write(Asked(HOUSE, "", stop, lambda answer: self._finish(asked, halted)), stop, after, events)
        except Exception:
            log.exception("a table could not be stopped", extra=said)
            self._finish(asked, m.Halted(f"this is a fault in Pitboss: {what}."))

    def _take_part(self, asked: Asked, parts: list[Part], decided: Decided) -> None:
        """Whatever is attached writes its own in the same append."""
        for each in self._checking:
            each.check(decided)
        for each in self._writing:
            own = each.parts(decided)
            if own:
                asked.parts.append((each, own))
                parts += own

    def _agreed_so_far(self, asked: Asked, events: tuple[Event, ...]) -> dict[str, int]:
        """`agreed`, with what is on its way and with what this act sets."""
        found = self.agreed
        for flying in self._flying:
            if flying.command.startswith(APPROVED):
                found = found | agreed_on(flying.events)
        return found | agreed_on(events) if asked.command.startswith(APPROVED) else found

    def _checkpoint(
        self, version: int, after: Table, reported_by: str, agreed: dict[str, int], ruled_by: dict[str, str]
    ) -> Part:
        checkpoint = Checkpoint(
            version,
            self.decided_rounds,
            self._decided_round_version,
            msgspec.Raw(freeze(after)),
            self._round_began_ms,
            reported_by,
            agreed,
            ruled_by,
        )
        before = (version - 1) // CHECKPOINT_EVERY - 1
        return Part(checkpoints_of(self.name), before, (NewEntry("table", _encode(checkpoint), hidden=True),))

    # --- when the log has answered ---

    def _landed(self, asked: Asked, at_ms: int, outcome: Outcome | BaseException) -> None:
        self._flying.popleft()
        if type(outcome) is Appended and not self._failed:
            self._is_true(asked, at_ms)
        else:
            self._failed.append((asked, outcome))
            for attachment, parts in asked.parts:
                attachment.lost(parts)
        if self._failed and not self._flying and self._recovering is None:
            self._recovering = asyncio.get_running_loop().create_task(self._recover())

    def _is_true(self, asked: Asked, at_ms: int) -> None:
        """The act is durable: now it has happened, for everybody."""
        assert asked.after is not None
        needed = self.table if self.pacing is None and self.updates.hides(asked.events, asked.kinds) else None
        self.table = asked.after
        self.version += 1
        self.changed_ms = at_ms
        self._follow_up_asked = False
        if e.RoundEnded in asked.kinds:
            self.rounds += 1
            self.round_version = self.version
        for attachment, parts in asked.parts:
            attachment.landed(parts)
        if asked.after.approval_due and wants_approval(asked.events):
            self._reported_by = asked.caller.name
        if asked.command.startswith(APPROVED):
            self.agreed = self.agreed | agreed_on(asked.events)
        if self._passed[1] and isinstance(asked.act, a.Insure | a.Surrender) and asked.act.player in self._passed[1]:
            self._passed = self._passed[0], self._passed[1] - {asked.act.player}
        if type(asked.act) is a.RuleDispute:
            self._ruled_by = self._ruled_by | {asked.act.player: asked.caller.name}
        self.tell(Happened(self.version, at_ms, asked.caller.name, asked.events, needed))
        self._changed(self)
        self._finish(asked, m.Accepted(self.name, self.version))
        self.follow_up()

    def _finish(self, asked: Asked, answer: Answer) -> None:
        command = asked.command
        if command:
            self._by_command.pop(command, None)
            if type(answer) in _FINAL:
                self._remember(command, answer)
        asked.answer(answer)

    def _look_up_then(self, asked: Asked, answer: Answer, denied: AnyAct | None = None) -> None:
        """A command that is refused now may be the repetition of one that was accepted: then it gets that answer.

        A denial, of the act `denied`, is in the audit before it is told.
        """
        if not asked.command and denied is None:
            self._finish(asked, answer)
        else:
            _keep(asyncio.get_running_loop().create_task(self._look_up(asked, answer, denied)))

    async def _look_up(self, asked: Asked, answer: Answer, denied: AnyAct | None) -> None:
        try:
            found = await self._commits.run(self._commits.log.answer, asked.command) if asked.command else None
            if found is None and denied is not None and self._denied is not None:
                assert isinstance(answer, m.Denied)
                await self._denied(asked.caller, denied, answer)
        except Exception as error:  # noqa: BLE001 - whoever waits is told, whatever it is
            text = outside(error) if isinstance(error, StoreError) else "the log cannot be read now; try again later."
            self._finish(asked, m.Halted(text))
            return
        self._finish(asked, answer if found is None else decode_answer(found))

    async def _recover(self) -> None:
        """Something was not written: read what is true, then decide again what can still be decided."""
        failed, self._failed = self._failed, []
        fenced = any(type(outcome) is Fenced for _, outcome in failed)
        ours = all(type(outcome) is Stale for _, outcome in failed) and failed[0][1].stream != self.stream  # type: ignore[union-attr]
        """Only something attached has moved on: the table itself is as we know it."""
        try:
            loaded = None
            if not fenced and not ours:
                loaded = await self._commits.run(load_table, self._commits.log, self.name, self.version)
            for attachment in self.attachments:
                await attachment.recover(self._commits)
            found = {
                asked.command: await self._commits.run(self._commits.log.answer, asked.command)
                for asked, outcome in failed
                if asked.command and isinstance(outcome, BaseException)
            }
        except Exception as error:  # noqa: BLE001 - whatever it is, nothing is true that was not written
            log.warning("table cannot be read again", extra={"table": self.name, "error": str(error)})
            self._recovering = None
            self._stop_here(failed, m.Halted("the log cannot be read or written now; try again later."))
            return
        if fenced:  # whoever watches hears the rest where the table is now
            self.moved_to = await self._owner()
        elif loaded is not None:
            self._catch_up(loaded)
        elif ours:
            self._forget_decided()
        again: list[Asked] = []
        for asked, outcome in failed:
            if type(outcome) is Fenced:
                self._finish(asked, m.Moved(self.name, self.moved_to or ""))
            elif type(outcome) is Repeated:
                self._finish(asked, decode_answer(outcome.answer))
            elif isinstance(outcome, BaseException):
                answer = found.get(asked.command)
                halted = m.Halted(
                    outside(outcome) if isinstance(outcome, StoreError) else "the log cannot be written now."
                )
                self._finish(asked, halted if answer is None else decode_answer(answer))
            elif type(outcome) is Stale:
                asked.parts, asked.looked = [], False
                if asked.done[0] is not _nobody:  # what an attachment asked for it asks for anew
                    again.append(asked)
            elif type(outcome) is Appended:  # an earlier one that landed after a later one had failed
                self._finish(asked, m.Accepted(self.name, outcome.versions[0]))
        self._queue.extendleft(reversed(again))
        self._recovering = None
        self._go_on()
        if self.moved_to is not None or self.is_idle:
            self._changed(self)
        self.follow_up()

    async def _owner(self) -> str:
        """Where the table is now."""
        try:
            claims = await self._commits.run(self._commits.log.claims, None)
        except StoreError:
            return ""
        return claims[self.stream].address if self.stream in claims else ""

    def _catch_up(self, loaded: Loaded) -> None:
        """Be where the log is, telling watchers what they have not seen."""
        news = [happened for happened in loaded.recent if happened.version > self.version]
        self.table = self.decided = loaded.table
        self.version = self.decided_version = loaded.version
        self.rounds = self.decided_rounds = loaded.rounds
        for happened in news:
            self.tell(happened)
        self.round_version = self._decided_round_version = loaded.round_version
        self.closed, self.changed_ms = loaded.closed, loaded.changed_ms
        self._reported_by, self.agreed, self._ruled_by = loaded.reported_by, loaded.agreed, loaded.ruled_by
        self._follow_up_asked = False
        self._changed(self)

    def _go_on(self) -> None:
        """Decide what has waited, as long as nothing fails again."""
        while self._queue and not self._failed and self._recovering is None and self._holding is None:
            asked = self._queue.popleft()
            if self.moved_to is not None:
                self._finish(asked, m.Moved(self.name, self.moved_to))
            else:
                self._decide(asked)

    def _stop_here(self, failed: list[tuple[Asked, Any]], answer: Answer) -> None:
        for asked, _ in failed:
            self._finish(asked, answer)
        queued = list(self._queue)
        self._queue.clear()
        for asked in queued:
            self._finish(asked, answer)
        self._forget_decided()

    def _forget_decided(self) -> None:
        """What was decided and not written never was."""
        self._follow_up_asked = False
        self.decided, self.decided_version = self.table, self.version
        self.decided_rounds, self._decided_round_version = self.rounds, self.round_version

    # --- what is attached ---

    def follow_up(self) -> None:
        """What an attachment wants done is done at once where nothing else is on its way."""
        if not self._following or self._follow_up_asked or self.moved_to is not None or not self.is_idle:
            return  # whoever makes it idle asks again
        if self.table.stopped or self.next_piece is not None:
            return
        for attachment in self._following:
            wanted = None
            try:
                wanted = attachment.follow_up(self.table)
                if wanted is None:
                    continue
                self._of_the_house(wanted)
                self._follow_up_asked = True
            except Wait as wait:
                self._hold(wait.ready)
            except Exception as error:  # noqa: BLE001 - as where somebody asks for an act
                self._fault(Asked(HOUSE, "", wanted, _nobody), error)  # type: ignore[arg-type]
            return

    # --- leaving ---

    def now_ms(self) -> int:
        return self._clock.now_ms()

    @property
    def is_idle(self) -> bool:
        """Nothing is on its way."""
        waits = self._recovering is not None or self._holding is not None
        return not self._flying and not self._queue and not waits and not self._failed

    def give_up(self, address: str) -> None:
        """The table belongs to another process now."""
        self.moved_to = address
        self._changed(self)


_FINAL = (m.Accepted, m.NotAllowed, m.Denied)
"""Answers that a repetition gets again; whoever was turned away for the moment may try anew."""

_tasks: set[asyncio.Task[None]] = set()


def _keep(task: asyncio.Task[None]) -> None:
    """The loop itself keeps no task alive."""
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


def _nobody(answer: Answer) -> None:
    """Nobody waits for this answer."""
