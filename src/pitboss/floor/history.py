"""What was: any table at any past version, its rounds as records, and a search through the log. All of it blocking.

Whole tables stand in the log every `CHECKPOINT_EVERY` entries, so that any moment is found without reading from the
beginning, and rounds are found by halving.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from pitboss.floor.frozen import opened, rulebook_of, thaw
from pitboss.floor.host import (
    CHECKPOINT_EVERY,
    Checkpoint,
    checkpoints_of,
    decode_act,
    decode_checkpoint,
    decode_opening,
    ends_round,
    stream_of,
)
from pitboss.floor.model import Opening
from pitboss.floor.updates import PUBLIC, SEES_ALL_PLAYERS, Told, hides, seen_without_table, told
from pitboss.floor.withheld import SHUFFLED
from pitboss.records import dumps
from pitboss.records.lines import format_act
from pitboss.records.model import Record, RecordError
from pitboss.records.replay import open_record, replay
from pitboss.records.saving import IRREGULAR, Answer, record_of
from pitboss.rulebooks.terms import Rulebook
from pitboss.store.log import Entry, Log
from pitboss.table import events as e
from pitboss.table.acts import AnyAct, LiftRestriction, VoidEarlierRound
from pitboss.table.apply import evolve
from pitboss.table.events import Event
from pitboss.table.shuffle_and_cut import full_stack
from pitboss.table.state import Table
from pitboss.table.telling import sentence
from pitboss.table.views import Viewer, seen_by

OLD_EVENTS_MAX = 1_000
"""Entries that a watcher who was away for long is told at once; the others he fetches."""
ROUNDS_MAX = 100
SEARCHED_MAX = 20_000
"""Entries that one search looks at; the next search goes on where it stopped."""
FOUND_MAX = 200
PAGE = 1_000
"""Entries that are read at a time where a search goes backwards."""

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


def _forward(moment: Moment, entries: Iterator[Entry]) -> Iterator[tuple[Entry, Moment, AnyAct, tuple[Event, ...]]]:
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
    for _, after, _, _ in _forward(moment, entries):
        now = after
    return now


def view_at(log: Log, table: str, version: int, viewer: Viewer) -> dict[str, Any] | None:
    """The table at a version as somebody may see it, with the events that led there; None where there is none."""
    before = moment_at(log, table, max(1, version - 1))
    if before is None or version < 1:
        return None
    entry = next(iter(log.read(stream_of(table), version - 1, 1)), None)
    if entry is None:
        return None
    now = before
    events: tuple[Event, ...] = ()
    for _, after, _, happened in _forward(before, iter([entry])):
        now, events = after, happened
    role = "supervisor" if viewer.role in SEES_ALL_PLAYERS else viewer.role
    book = now.table.rulebook
    return {
        "table": table,
        "version": version,
        "round": now.rounds + 1,
        "at_ms": entry.at_ms,
        "by": entry.by,
        "view": seen_by(Viewer(role, viewer.name), now.table),
        "events": told(version, entry.at_ms, entry.by, events, book, viewer, before.table),
    }


# --- events ----------------------------------------------------------------------------------------------------------


def events_after(log: Log, table: str, after: int, limit: int, viewer: Viewer) -> list[Told] | None:
    """What happened at a table after a version, as somebody may see it."""
    opening = opening_of(log, table)
    if opening is None:
        return None
    first = max(1, after)
    rulebook = rulebook_of(opening.rulebook, opening.variant)
    found: list[Told] = []
    entries = list(log.read(stream_of(table), first, limit))
    table_then: Table | None = None
    for entry in entries:
        if entry.kind != "act":
            continue
        said = decode_act(entry.body)
        if table_then is None and _may_hide(said.events):
            moment = moment_at(log, table, entry.version - 1)
            table_then = moment.table if moment is not None else None
        before = table_then if table_then is not None and hides(said.events, table_then) else None
        found += told(entry.version, entry.at_ms, entry.by, said.events, rulebook, viewer, before)
        if table_then is not None:
            table_then = evolve(table_then, said.events)
    return found


def _may_hide(events: tuple[Event, ...]) -> bool:
    """Whether hands may lie face down here: then the table is needed to know who may see what."""
    return any(getattr(event, "face_down", False) or type(event).__name__ == "TurnCame" for event in events)


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


def _before_round(log: Log, table: str, opening: Opening, number: int) -> Moment:
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
    moment = _before_round(log, table, opening, first)
    start = moment
    for entry, now, _, events in _forward(moment, log.read(stream_of(table), moment.version)):
        if not ends_round(events):
            continue
        if now.rounds >= first:
            results = dict(now.table.last_results)
            found.append(RoundTold(now.rounds, start.round_version + 1, now.version, entry.at_ms, results))
        start = now
        if len(found) >= limit:
            break
    return found


class NoSuchRound(Exception):
    """There is no such round, or it is not finished: one sentence."""


def record_of_round(log: Log, table: str, number: int, reader: str | None = None) -> str:
    """One finished round as a `.round` text that replays to the same events.

    A round that begins with something irregular still open is told together with those before it. For a `reader` who
    is a player others' chips, limits and restrictions are left out. Burned cards are others than they were: for a
    player always, for everybody until the table has shuffled anew.
    """
    opening = opening_of(log, table)
    if opening is None or number < 1:
        raise NoSuchRound(f"there is no round {number} of a table {table[:60]!r}.")
    first = number
    while True:
        before, acts, end = _round_acts(log, table, opening, first, number)
        clean = not any(getattr(before, name) for name in IRREGULAR) and not any(
            state.barred for state in before.players.values()
        )
        if first == 1 or (clean and not any(isinstance(act, VoidEarlierRound) for act, _ in acts)):
            break
        first -= 1
    name = opening.name or table
    title = f"{name}, round {number}" if first == number else f"{name}, rounds {first} to {number}"
    if reader is not None or not _shuffled_since(log, table, end):
        acts = _without_burned(before, acts)
    if reader is not None:
        before = _for_a_player(before, acts, reader)
    return dumps(record_of(before, acts, title=title))


def _shuffled_since(log: Log, table: str, version: int) -> bool:
    """Whether the cards of a round lie in another order by now: until then what was burned is nobody's knowledge."""
    return any(SHUFFLED in entry.body for entry in log.read(stream_of(table), version))


def _for_a_player(before: Table, acts: list[tuple[AnyAct, Answer]], reader: str) -> Table:
    """The table without what this player could not know; every act is accepted as before."""
    keeps = any(isinstance(act, LiftRestriction) for act, _ in acts)
    private: dict[str, Any] = {"chips_cents": None, "loss_limit_cents": None, "deposit_limit_cents": None}
    if not keeps:
        private |= {"restriction": "", "minimum_only": False, "restricted_boxes": 0, "restriction_until": ""}
    known = {
        name: state if name == reader else msgspec.structs.replace(state, **private)
        for name, state in before.players.items()
    }
    return msgspec.structs.replace(before, players=known)


def _without_burned(before: Table, acts: list[tuple[AnyAct, Answer]]) -> list[tuple[AnyAct, Answer]]:
    """The acts with another card in the place of each that was burned, chosen by what everybody saw alone."""
    seen = Counter(
        event.card
        for _, answer in acts
        if isinstance(answer, tuple)
        for event in answer
        if isinstance(event, e.CardDealt)
    )
    other = min(full_stack(before), key=lambda card: seen[card])
    return [
        (act, tuple(_burned_as(event, other) for event in answer) if isinstance(answer, tuple) else answer)
        for act, answer in acts
    ]


def _burned_as(event: Event, card: str) -> Event:
    burned: Event = msgspec.structs.replace(event, card=card) if isinstance(event, e.CardBurned) else event
    return burned


def _round_acts(
    log: Log, table: str, opening: Opening, first: int, last: int
) -> tuple[Table, list[tuple[AnyAct, Answer]], int]:
    """The table before a round, the acts up to the end of another, and the version at which that ended."""
    moment = _before_round(log, table, opening, first)
    before: Table | None = (
        moment.table if moment.rounds == first - 1 and moment.version == moment.round_version else None
    )
    acts: list[tuple[AnyAct, Answer]] = []
    for _, now, act, events in _forward(moment, log.read(stream_of(table), moment.version)):
        if before is not None:
            acts.append((act, events))
        ended = ends_round(events)
        if ended and now.rounds == last and before is not None:
            return before, acts, now.version
        if ended and now.rounds == first - 1:
            before, acts = now.table, []
    raise NoSuchRound(f"round {last} of table {table[:60]} is not finished.")


# --- replaying -------------------------------------------------------------------------------------------------------


class Frame(msgspec.Struct, frozen=True):
    """One event of a record that is shown step by step: what happened, why, and the table after it."""

    text: str
    clauses: tuple[str, ...]
    view: dict[str, Any]
    event: Any = None
    line: str = ""
    """The play line that led to it."""


FRAMES_MAX = 3_000


def frames(record: Record) -> list[Frame]:
    """A record event by event, as somebody at the table would have seen it; raises `RecordError` or `Refused`."""
    result = replay(record)
    table = open_record(record)
    found = [Frame(record.title, (), seen_by(PUBLIC, table))]
    for step in result.steps:
        line = format_act(step.play.act)
        if step.refusal is not None:
            found.append(Frame(step.refusal.text, step.refusal.clauses, seen_by(PUBLIC, table), None, line))
        for event in step.events:
            before, table = table, evolve(table, (event,))
            hidden = before if hides((event,), before) else None
            for each in told(0, 0, "", (event,), table.rulebook, PUBLIC, hidden):
                found.append(Frame(each.text, each.clauses, seen_by(PUBLIC, table), each.event, line))
        if len(found) > FRAMES_MAX:
            raise RecordError(f"more than {FRAMES_MAX} events: show it in parts")
    return found


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


# --- searching -------------------------------------------------------------------------------------------------------


class Wanted(msgspec.Struct, frozen=True):
    """What is looked for; empty fields match everything."""

    clause: str = ""
    player: str = ""
    act: str = ""
    table: str = ""
    cents_from: int = 0
    cents_to: int = 0
    by: str = ""


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


class Searched(msgspec.Struct, frozen=True):
    found: list[Found]
    next: int | None
    """Where the next search goes on; None at the end of it."""


class Searches:
    """A search through the acts of all tables, or of one."""

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
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
        entries = self._backwards(log, after) if newest else self._read(log, after, SEARCHED_MAX)
        for looked, entry in enumerate(entries, start=1):
            match = self._match(log, entry)
            if match is not None:
                found.append(match)
            if len(found) >= limit or looked >= SEARCHED_MAX:
                place = self._place(entry)
                return Searched(found, None if newest and place == 1 else place)
        return Searched(found, None)

    def _read(self, log: Log, after: int, limit: int) -> Iterator[Entry]:
        table = self.wanted.table
        return log.read(stream_of(table), after, limit) if table else log.read_all(after, limit)

    def _place(self, entry: Entry) -> int:
        return entry.version if self.wanted.table else entry.seq

    def _backwards(self, log: Log, before: int) -> Iterator[Entry]:
        """Every entry below a place, the last one first; with 0 from the end. What is added meanwhile is not seen."""
        table = self.wanted.table
        end = before - 1 if before else log.version(stream_of(table)) if table else log.head().seq
        while end > 0:
            start = max(0, end - PAGE)
            page = [entry for entry in self._read(log, start, end - start) if self._place(entry) <= end]
            yield from reversed(page)
            end = start

    def _match(self, log: Log, entry: Entry) -> Found | None:
        wanted = self.wanted
        if entry.kind != "act" or (wanted.by and entry.by != wanted.by):
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
        return Found(entry.seq, table, entry.version, entry.at_ms, entry.by, said.role, name, shown, book.id)

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
