"""What was: any table at any past version, its rounds, and a search through the log. All of it blocking.

Whole tables stand in the log every `CHECKPOINT_EVERY` entries, so that any moment is found without reading from the
beginning, and rounds are found by halving.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from heapq import merge
from operator import attrgetter
from threading import Lock
from typing import Any, NamedTuple

import msgspec

from pitboss.floor.approvals import Answered, Approvals
from pitboss.floor.frozen import opened, rulebook_of, thaw
from pitboss.floor.host import (
    APPROVED,
    CHECKPOINT_EVERY,
    Checkpoint,
    checkpoints_of,
    decode_act,
    decode_checkpoint,
    decode_opening,
    ends_round,
    stream_of,
)
from pitboss.floor.model import FLOOR, Opening
from pitboss.floor.updates import (
    EVERYTHING_BUT_CARDS,
    PUBLIC,
    Told,
    events_as_seen,
    hides,
    needs_table,
    seen_without_table,
)
from pitboss.records.lines import format_act
from pitboss.records.model import Record, RecordError
from pitboss.records.replay import ReplayResult, open_record, replay
from pitboss.rulebooks.terms import Rulebook
from pitboss.store.log import Entry, Log
from pitboss.table import events as e
from pitboss.table.acts import AnyAct
from pitboss.table.apply import evolve
from pitboss.table.events import Event
from pitboss.table.state import Table
from pitboss.table.telling import sentence
from pitboss.table.views import SEES_PRIVATE, Viewer, seen_by

OLD_EVENTS_MAX = 1_000
"""Entries that a watcher who was away for long is told at once; the others he fetches."""
ROUNDS_MAX = 100
SEARCHED_MAX = 20_000
"""Entries that one search looks at; the next search goes on where it stopped."""
FOUND_MAX = 200
PAGE = 1_000
"""Entries that are read at a time where a search goes backwards."""

_SEQ, _VERSION = attrgetter("seq"), attrgetter("version")
_encode = msgspec.json.Encoder().encode


class Moment(NamedTuple):
    """A table at one version."""

    version: int
    table: Table
    rounds: int
    round_version: int


def opening_of(log: Log, table: str) -> Opening | None:
    first = next(iter(log.read(stream_of(table), 0, 1)), None)
    return None if first is None else decode_opening(first.body)


def _checkpoint(log: Log, table: str, index: int) -> Checkpoint | None:
    """Checkpoint number `index`, which is at version 1 + index * CHECKPOINT_EVERY."""
    found = next(iter(log.read(checkpoints_of(table), index - 1, 1)), None)
    return None if found is None else decode_checkpoint(found.body)


def _start(log: Log, table: str, opening: Opening, version: int) -> Moment:
    """The last whole table at or before a version."""
    index = (version - 1) // CHECKPOINT_EVERY
    checkpoint = _checkpoint(log, table, index) if index else None
    if checkpoint is None:
        return Moment(1, opened(opening), 0, 1)
    return Moment(checkpoint.version, thaw(checkpoint.table), checkpoint.round, checkpoint.round_version)


def forward(moment: Moment, entries: Iterator[Entry]) -> Iterator[tuple[Entry, Moment, AnyAct, tuple[Event, ...]]]:
    """Every act from a moment on, with the table after it."""
    version, table, rounds, round_version = moment
    for entry in entries:
        if entry.kind != "act":
            continue
        said = decode_act(entry.body)
        version, table = entry.version, evolve(table, said.events)
        if ends_round(said.events):
            rounds, round_version = rounds + 1, version
        yield entry, Moment(version, table, rounds, round_version), said.act, said.events


def moment_at(log: Log, table: str, version: int) -> Moment | None:
    """The table as it stood at a version; None where it never had one so high."""
    opening = opening_of(log, table)
    if opening is None or not 1 <= version <= log.version(stream_of(table)):
        return None
    moment = _start(log, table, opening, version)
    entries = log.read(stream_of(table), moment.version, version - moment.version)
    now = moment
    for _, after, _, _ in forward(moment, entries):
        now = after
    return now


def view_at(
    log: Log, table: str, version: int, viewer: Viewer, seconds: Seconds | None = None
) -> dict[str, Any] | None:
    """The table at a version as somebody may see it, with the events that led there; None where there is none."""
    before = moment_at(log, table, max(1, version - 1))
    if before is None or version < 1:
        return None
    entry = next(iter(log.read(stream_of(table), version - 1, 1)), None)
    if entry is None:
        return None
    now = before
    events: tuple[Event, ...] = ()
    for _, after, _, happened in forward(before, iter([entry])):
        now, events = after, happened
    role = "supervisor" if viewer.role in SEES_PRIVATE else viewer.role
    book = now.table.rulebook
    return {
        "table": table,
        "version": version,
        "round": now.rounds + 1,
        "at_ms": entry.at_ms,
        "by": entry.by,
        "approved_by": (seconds or Seconds()).of(log, entry.command),
        "view": seen_by(Viewer(role, viewer.name), now.table),
        "events": events_as_seen(version, entry.at_ms, entry.by, events, book, viewer, before.table),
    }


# --- events ----------------------------------------------------------------------------------------------------------


def events_after(log: Log, table: str, after: int, limit: int, viewer: Viewer) -> list[Told] | None:
    """What happened at a table after a version, as somebody may see it."""
    opening = opening_of(log, table)
    if opening is None:
        return None
    first = max(1, after)
    rulebook = rulebook_of(opening.rulebook, opening.variant)
    may_lie_down = rulebook.cards.face_down.value != "never"
    found: list[Told] = []
    entries = list(log.read(stream_of(table), first, limit))
    table_then: Table | None = None
    for entry in entries:
        if entry.kind != "act":
            continue
        said = decode_act(entry.body)
        if table_then is None and may_lie_down and needs_table(said.events):
            moment = moment_at(log, table, entry.version - 1)
            table_then = moment.table if moment is not None else None
        before = table_then if table_then is not None and hides(said.events, table_then) else None
        found += events_as_seen(entry.version, entry.at_ms, entry.by, said.events, rulebook, viewer, before)
        if table_then is not None:
            table_then = evolve(table_then, said.events)
    return found


def events_between(log: Log, table: str, after: int, until: int, viewer: Viewer) -> bytes:
    """Events of the versions above `after` up to `until`, encoded, with commas between them and no brackets around."""
    shown = events_after(log, table, after, max(0, until - max(1, after)), viewer) or []
    return _encode(shown)[1:-1]


# --- rounds ----------------------------------------------------------------------------------------------------------


class RoundTold(msgspec.Struct, frozen=True):
    """One finished round of a table."""

    round: int
    first_version: int
    """The version of its first act."""
    last_version: int
    at_ms: int
    """When it ended."""
    net_cents: dict[str, int]


def before_round(log: Log, table: str, opening: Opening, number: int) -> Moment:
    """A whole table at or before the beginning of a round, found by halving."""
    low, high = 0, log.version(checkpoints_of(table))
    while low < high:
        middle = (low + high + 1) // 2
        checkpoint = _checkpoint(log, table, middle)
        if checkpoint is not None and checkpoint.round < number - 1:
            low = middle
        else:
            high = middle - 1
    return _start(log, table, opening, 1 + low * CHECKPOINT_EVERY)


def rounds(log: Log, table: str, first: int = 0, limit: int = ROUNDS_MAX) -> list[RoundTold] | None:
    """Finished rounds from number `first` on; with 0 the latest. None where there is no such table."""
    opening = opening_of(log, table)
    if opening is None:
        return None
    limit = max(1, min(limit, ROUNDS_MAX))
    if first <= 0:
        last = moment_at(log, table, log.version(stream_of(table)))
        first = max(1, (last.rounds if last is not None else 0) - limit + 1)
    found: list[RoundTold] = []
    moment = before_round(log, table, opening, first)
    start = moment
    for entry, now, _, events in forward(moment, log.read(stream_of(table), moment.version)):
        if not ends_round(events):
            continue
        if now.rounds >= first:
            results = dict(now.table.last_results)
            found.append(RoundTold(now.rounds, start.round_version + 1, now.version, entry.at_ms, results))
        start = now
        if len(found) >= limit:
            break
    return found


# --- replaying -------------------------------------------------------------------------------------------------------


class Frame(msgspec.Struct, frozen=True):
    """One event of a record that is shown step by step: what happened, why, and the table after it."""

    text: str
    clauses: tuple[str, ...]
    view: dict[str, Any]
    event: Any = None
    line: str = ""
    """The play line that led to it."""


class Replayed(msgspec.Struct, frozen=True):
    """A record step by step, and whether what it expects came of it."""

    frames: list[Frame]
    expects: bool
    """Whether the record says what must come of it, or that an act must be refused."""
    failures: list[str]
    """What did not come as the record says, a sentence each; acts that were refused and rounds without an end too."""


FRAMES_MAX = 3_000
PLAY_MAX = 1_000
"""Play lines of a record that is shown; a round has some hundred at most."""
SHOWN_MAX = 8 << 20
"""Bytes of one record that is shown: everybody whom it names may stand in each table."""


def replayed(record: Record) -> Replayed:
    """A record with what came of it, as `pitboss replay` says it; raises `RecordError` or `Refused`."""
    result = _played(record)
    return _told_of(record, result, list(_frames(record, result)))


def replayed_in_json(record: Record) -> bytes:
    """The same, encoded frame by frame: little is kept meanwhile, and other threads have their turn in between."""
    result, frames, size = _played(record), [], 0
    for frame in _frames(record, result):
        encoded = _encode(frame)
        size += len(encoded)
        if size > SHOWN_MAX:
            raise RecordError(f"more than {SHOWN_MAX >> 20} MB to show: show it in parts")
        frames.append(msgspec.Raw(encoded))
    return _encode(_told_of(record, result, frames))


def _played(record: Record) -> ReplayResult:
    """What came of a record that is not too long to be shown."""
    if len(record.play) > PLAY_MAX:
        raise RecordError(f"more than {PLAY_MAX} play lines: show it in parts")
    result = replay(record)
    if sum(len(step.events) for step in result.steps) > FRAMES_MAX:
        raise RecordError(f"more than {FRAMES_MAX} events: show it in parts")
    return result


def _told_of(record: Record, result: ReplayResult, frames: list[Any]) -> Replayed:
    expects = not record.expect.is_empty or any(play.refused for play in record.play)
    return Replayed(frames, expects, [failure.text for failure in result.failures])


def _frames(record: Record, result: ReplayResult) -> Iterator[Frame]:
    """Event by event, as somebody at the table would have seen it."""
    table = open_record(record)
    yield Frame(record.title, (), seen_by(PUBLIC, table))
    for step in result.steps:
        line = format_act(step.play.act)
        if step.refusal is not None:
            yield Frame(step.refusal.text, step.refusal.clauses, seen_by(PUBLIC, table), None, line)
        for event in step.events:
            before, table = table, evolve(table, (event,))
            hidden = before if hides((event,), before) else None
            for each in events_as_seen(0, 0, "", (event,), table.rulebook, EVERYTHING_BUT_CARDS, hidden):
                yield Frame(each.text, each.clauses, seen_by(PUBLIC, table), each.event, line)


# --- every table that there was ---


class TableEver(msgspec.Struct, frozen=True):
    """A table, open or closed long ago."""

    table: str
    name: str
    rulebook: str
    version: int
    """Its newest."""
    opened_ms: int
    closed_ms: int | None = None


class _Named(msgspec.Struct, frozen=True):
    table: str
    opening: Opening | None = None


def tables_ever(log: Log, floor_stream: str) -> list[TableEver]:
    """Every table that was ever opened here, newest first: an inspector looks back at closed ones too."""
    found: dict[str, TableEver] = {}
    for entry in log.read(floor_stream):
        if entry.kind == "table-opened":
            named = msgspec.json.decode(entry.body, type=_Named)
            assert named.opening is not None
            name = named.opening.name or named.table
            found[named.table] = TableEver(named.table, name, named.opening.rulebook, 0, entry.at_ms)
        elif entry.kind == "table-closed":
            closed = msgspec.json.decode(entry.body, type=_Named).table
            found[closed] = msgspec.structs.replace(found[closed], closed_ms=entry.at_ms)
    versions = log.streams(stream_of(""))
    known = [msgspec.structs.replace(each, version=versions.get(stream_of(each.table), 0)) for each in found.values()]
    return known[::-1]


class _Name(msgspec.Struct, frozen=True):
    name: str = ""


class _Called(msgspec.Struct, frozen=True):
    """As much of an opening as a search by name needs."""

    table: str
    opening: _Name = _Name()


def tables_called(log: Log, said: str) -> list[str]:
    """The ids of the tables, open or closed, that somebody means: by id, or by name in small letters or large."""
    decode = msgspec.json.Decoder(_Called).decode
    wanted, found = said.strip().casefold(), []
    for entry in log.read(FLOOR):
        if entry.kind == "table-opened":
            called = decode(entry.body)
            if wanted and wanted in (called.table, called.opening.name.strip().casefold()):
                found.append(called.table)
    return found


# --- searching -------------------------------------------------------------------------------------------------------


class Wanted(msgspec.Struct, frozen=True):
    """What is looked for; empty fields match everything."""

    clause: str = ""
    player: str = ""
    act: str = ""
    table: str = ""
    """Its id or its name."""
    cents_from: int = 0
    cents_to: int = 0
    by: str = ""
    """Whoever did it, or approved it as the second person."""


class Found(msgspec.Struct, frozen=True):
    """One entry that matched, with those of its events that did."""

    seq: int
    table: str
    version: int
    at_ms: int
    by: str
    role: str
    act: str
    events: list[dict[str, Any]]
    """Each with the sentence that tells it, in `text`."""
    rulebook: str = ""
    approved_by: str = ""
    """The second person, where the act needed one."""


class Searched(msgspec.Struct, frozen=True):
    found: list[Found]
    next: int | None
    """Where the next search goes on; None at the end of it."""


class Seconds:
    """Who approved what as the second person: read from the log once, and then only what is new."""

    def __init__(self) -> None:
        self._by: dict[str, str] = {}
        self._version = 0
        self._reading = Lock()

    def of(self, log: Log, command: str) -> str:
        """Who approved the act that was done under a command; "" where it needed nobody."""
        if not command.startswith(APPROVED):
            return ""
        proposal = command.removeprefix(APPROVED)
        with self._reading:
            if proposal not in self._by:
                self._read_on(log)
            return self._by.get(proposal, "")

    def _read_on(self, log: Log) -> None:
        for entry in log.read(Approvals.stream, self._version):
            self._version = entry.version
            if entry.kind == "answered":
                answered = msgspec.json.decode(entry.body, type=Answered)
                if answered.state == "approved":
                    self._by[answered.id] = answered.by


class Searches:
    """A search through the acts of all tables, or of those that are called so."""

    def __init__(self, wanted: Wanted, seconds: Seconds | None = None) -> None:
        self.wanted = wanted
        self._seconds = seconds or Seconds()
        self._by = wanted.by.strip().lower()
        self._streams: list[str] | None = None
        self._books: dict[str, Rulebook] = {}
        needles = []
        if wanted.clause:
            needles.append(_encode(wanted.clause)[:-1])  # 17.8 also finds 17.8.1
        if wanted.player:
            needles.append(_encode(wanted.player))
        if wanted.act:
            needles.append(b'"act":' + _encode(wanted.act))
        self._needles = needles

    def run(self, log: Log, after: int, limit: int, *, newest: bool = False) -> Searched:
        """From the beginning of the log or, with `newest`, from its end; `after` a place from there on, that way."""
        limit = max(1, min(limit, FOUND_MAX))
        found: list[Found] = []
        if self.wanted.table:
            self._streams = [stream_of(table) for table in tables_called(log, self.wanted.table)]
        entries = self._backwards(log, after) if newest else self._forwards(log, after)
        for looked, entry in enumerate(entries, start=1):
            match = self._match(log, entry)
            if match is not None:
                found.append(match)
            if len(found) >= limit or looked >= SEARCHED_MAX:
                return Searched(found, None if newest and self._is_first(entry) else entry.seq)
        return Searched(found, None)

    def _is_first(self, entry: Entry) -> bool:
        """Whether nothing that is searched stands before an entry."""
        return entry.seq == 1 or (entry.version == 1 and self._streams == [entry.stream])

    def _forwards(self, log: Log, after: int) -> Iterator[Entry]:
        if self._streams is None:
            return log.read_all(after, SEARCHED_MAX)
        each = [log.read(stream, _version_at(log, stream, after), SEARCHED_MAX) for stream in self._streams]
        return merge(*each, key=_SEQ)

    def _backwards(self, log: Log, before: int) -> Iterator[Entry]:
        """Every entry below a place, the last one first; with 0 from the end. What is added meanwhile is not seen."""
        last = before - 1 if before else log.head().seq
        if self._streams is None:
            return _reversed(log.read_all, _SEQ, last)
        each = [
            _reversed(partial(log.read, stream), _VERSION, _version_at(log, stream, last)) for stream in self._streams
        ]
        return merge(*each, key=lambda entry: -entry.seq)

    def _match(self, log: Log, entry: Entry) -> Found | None:
        wanted = self.wanted
        if entry.kind != "act" or (self._by and not self._is_by(log, entry)):
            return None
        if not all(needle in entry.body for needle in self._needles):
            return None
        said = decode_act(entry.body)
        if wanted.act and type(said.act).__name__ != wanted.act:
            return None
        by_player = getattr(said.act, "player", None) == wanted.player
        events = [event for event in said.events if self._event(event, by_player)]
        if (wanted.clause or wanted.cents_from or wanted.cents_to or wanted.player) and not events and not by_player:
            return None
        if (wanted.clause or wanted.cents_from or wanted.cents_to) and not events:
            return None
        table = entry.stream.partition(":")[2]
        book = self._book(log, table)
        shown = [_told(event, book) for event in map(_as_found, events) if event is not None]
        name = type(said.act).__name__
        second = self._seconds.of(log, entry.command)
        return Found(entry.seq, table, entry.version, entry.at_ms, entry.by, said.role, name, shown, book.id, second)

    def _is_by(self, log: Log, entry: Entry) -> bool:
        return entry.by.lower() == self._by or self._seconds.of(log, entry.command).lower() == self._by

    def _book(self, log: Log, table: str) -> Rulebook:
        """By which rules a table is played; read once for each table."""
        if table not in self._books:
            opening = opening_of(log, table)
            assert opening is not None  # an act of it was found
            self._books[table] = rulebook_of(opening.rulebook, opening.variant)
        return self._books[table]

    def _event(self, event: Event, by_player: bool) -> bool:
        wanted = self.wanted
        if wanted.clause and not any(_is_under(clause, wanted.clause) for clause in event.clauses):
            return False
        if wanted.player and not by_player and not _speaks_of(event, wanted.player):
            return False
        if wanted.cents_from or wanted.cents_to:
            amounts = [
                value for name in event.__struct_fields__ if name.endswith("cents") or name == "cents"
                for value in (getattr(event, name),) if isinstance(value, int)
            ]  # fmt: skip
            most = wanted.cents_to or 1 << 62
            return any(wanted.cents_from <= abs(amount) <= most for amount in amounts)
        return True


def _version_at(log: Log, stream: str, place: int) -> int:
    """How many entries of a stream stand up to a place of the log, found by halving."""
    low, high = 0, log.version(stream) if place else 0
    while low < high:
        middle = (low + high + 1) // 2
        entry = next(iter(log.read(stream, middle - 1, 1)), None)
        low, high = (middle, high) if entry is not None and entry.seq <= place else (low, middle - 1)
    return low


def _reversed(read: Callable[[int, int], Iterator[Entry]], number: Callable[[Entry], int], end: int) -> Iterator[Entry]:
    """Entries from a number down to the first, a page at a time; `read` gives so many after a number."""
    while end > 0:
        start = max(0, end - PAGE)
        yield from (entry for entry in reversed([*read(start, end - start)]) if number(entry) <= end)
        end = start


def _as_found(event: Event) -> Event | None:
    """An event without anything that may lie face down: a search does not know what was turned up by then."""
    if isinstance(event, e.TurnCame):
        return msgspec.structs.replace(event, total=0)
    return seen_without_table(event)


def _told(event: Event, book: Rulebook) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(event)
    return {**told, "text": sentence(event, book)}


def _is_under(clause: str, wanted: str) -> bool:
    """Whether a clause is the one that is looked for, or a part of it: 17.8.1 and 17.8(a) are under 17.8."""
    return clause == wanted or (clause.startswith(wanted) and clause[len(wanted)] in ".(:")


def _speaks_of(event: Event, player: str) -> bool:
    if getattr(event, "player", None) == player:
        return True
    return player in getattr(event, "players", ())
