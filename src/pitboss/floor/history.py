"""What was: any table at any past version, and its rounds. All of it blocking.

Whole tables stand in the log every `CHECKPOINT_EVERY` entries, so that any moment is found without reading from the
beginning, and rounds are found by halving.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from pitboss.floor.editions import read_opening
from pitboss.floor.folds import second_of
from pitboss.floor.frozen import opened, rulebook_of, thaw
from pitboss.floor.host import (
    CHECKPOINT_EVERY,
    Checkpoint,
    checkpoints_of,
    decode_act,
    decode_checkpoint,
    ends_round,
    stream_of,
)
from pitboss.floor.model import Opening
from pitboss.floor.pacing import told_until
from pitboss.floor.projections import Projections
from pitboss.floor.updates import (
    EVERYTHING_BUT_CARDS,
    PUBLIC,
    Told,
    events_as_seen,
    hides,
    needs_table,
)
from pitboss.layout.needed import inscriptions, told_by_notice
from pitboss.records.lines import format_act
from pitboss.records.model import Record, RecordError
from pitboss.records.replay import ReplayResult, open_record, replay
from pitboss.rulebooks import terms
from pitboss.rulebooks.amend import changed_in
from pitboss.rulebooks.meanings import ALWAYS_FACE_UP
from pitboss.rulebooks.sentences import entries
from pitboss.rulebooks.terms import Rulebook
from pitboss.store.log import Entry, Log
from pitboss.table.acts import AnyAct
from pitboss.table.apply import evolve
from pitboss.table.events import Event
from pitboss.table.state import Table
from pitboss.table.views import SEES_PRIVATE, Viewer, seen_by

OLD_EVENTS_MAX = 1_000
"""Entries that a watcher who was away for long is told at once; the others are fetched."""
ROUNDS_MAX = 100

_encode = msgspec.json.Encoder().encode


class Moment(NamedTuple):
    """A table at one version."""

    version: int
    table: Table
    rounds: int
    round_version: int


def opening_of(log: Log, table: str) -> Opening | None:
    first = next(iter(log.read(stream_of(table), 0, 1)), None)
    return None if first is None else read_opening(log, first)


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


def version_at(log: Log, table: str, at_ms: int) -> int | None:
    """The version of a table at a moment, found by halving: its first where it was not open yet."""
    high = log.version(stream_of(table))
    if not high:
        return None
    low = 1
    while low < high:
        middle = (low + high + 1) // 2
        entry = next(iter(log.read(stream_of(table), middle - 1, 1)), None)
        low, high = (middle, high) if entry is not None and entry.at_ms <= at_ms else (low, middle - 1)
    place = told_until(log, table)
    return low if place is None else max(1, min(low, place.version - 1))


def view_at(
    log: Log, table: str, version: int, viewer: Viewer, projections: Projections | None = None
) -> dict[str, Any] | None:
    """The table at a version as somebody may see it, with the events that led there; None where there is none."""
    place = told_until(log, table)
    before = moment_at(log, table, max(1, version - 1))
    if before is None or version < 1 or (place is not None and version >= place.version):
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
        "approved_by": second_of(projections or Projections(log), entry.command),
        "date": now.table.house.date and now.table.house.date.isoformat(),
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
    rulebook = rulebook_of(opening)
    may_lie_down = not ALWAYS_FACE_UP[rulebook.cards.face_down.value]
    found: list[Told] = []
    entries = list(log.read(stream_of(table), first, limit))
    place = told_until(log, table)
    table_then: Table | None = None
    for entry in entries:
        if entry.kind != "act":
            continue
        if place is not None and entry.version > place.version:
            break  # the dealer has not come so far
        said = decode_act(entry.body)
        if place is not None and entry.version == place.version:
            said = msgspec.structs.replace(said, events=said.events[: place.n])
        if table_then is None and may_lie_down and needs_table(said.events):
            moment = moment_at(log, table, entry.version - 1)
            table_then = moment.table if moment is not None else None
        before = table_then if table_then is not None and hides(said.events, table_then) else None
        found += events_as_seen(entry.version, entry.at_ms, entry.by, said.events, rulebook, viewer, before)
        if table_then is not None:
            table_then = evolve(table_then, said.events)
    return found


def events_in_json(log: Log, table: str, after: int, limit: int, viewer: Viewer) -> bytes | None:
    """The same, encoded where it was read: it is long, and the loop has better things to do."""
    found = events_after(log, table, after, limit, viewer)
    return None if found is None else _encode(found)


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
    place = told_until(log, table)
    start = moment
    for entry, now, _, events in forward(moment, log.read(stream_of(table), moment.version)):
        if place is not None and now.version >= place.version:
            break
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
    rulebook: dict[str, Any]
    """The rulebook as the record plays it: in its own edition, by its date, with what amends it."""


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
    book = rulebook_told(open_record(record).rulebook)
    return Replayed(frames, expects, [failure.text for failure in result.failures], book)


def rulebook_told(book: Rulebook) -> dict[str, Any]:
    """A rulebook in plain data: its edition, what amends it, and every term with its clauses."""
    shown = {
        key: {
            "is": msgspec.to_builtins(term.value, str_keys=True),
            "says": tuple(each.text for each in entries(key, term, book)),
            "clauses": term.clauses,
        }
        for key, term in terms(book)
    }
    layers = [
        {
            "title": each.title or each.name, "kind": each.kind, "clauses": each.clauses, "approved": each.approved,
            "terms": changed_in(book, each), "disapplies": each.disapplies, "left": each.left,
        }
        for each in book.amendments
    ]  # fmt: skip
    game = book.game
    head = {"id": book.id, "name": book.name, "document": game.document.value, "edition": game.edition.value}
    cloth = {
        "inscriptions": [{"text": each.text, "clauses": each.clauses} for each in inscriptions(book)],
        "notices": [{"text": each.text, "clauses": each.clauses} for each in told_by_notice(book)],
    }
    return {**head, "digest": book.edition, "amendments": layers, **cloth, "terms": shown}


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
