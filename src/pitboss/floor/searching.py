"""A search through the acts of all tables.

An index says which thousand entries of the log name which people, acts and clauses, so that whatever is rare is found
without looking at the rest. What the index has not heard of yet is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from heapq import merge
from operator import attrgetter
from typing import Any, ClassVar

import msgspec

from pitboss.floor.folds import TablesEver, approved_in, second_of
from pitboss.floor.frozen import rulebook_of
from pitboss.floor.history import opening_of
from pitboss.floor.host import APPROVED, decode_act, stream_of
from pitboss.floor.pacing import Curtain
from pitboss.floor.projections import Fold, Projections
from pitboss.floor.updates import seen_without_table
from pitboss.rulebooks.terms import Rulebook
from pitboss.store.log import Entry, Log
from pitboss.table import events as e
from pitboss.table.events import Event
from pitboss.table.telling import sentence

AT_A_TABLE = stream_of("")
"""What is searched: a tournament has papers of its own."""

SEARCHED_MAX = 20_000
"""Entries that one search looks at; the next search goes on where it stopped."""
INDEXED_MAX = 100_000
"""Entries that one search adds to the index at most, where it lags behind."""
FOUND_MAX = 200
CLOCKS_MS = 60_000
"""So far the clocks of several servers may be apart."""
PAGE = 1_000
"""Entries that are read, and indexed, together."""

_SEQ, _VERSION = attrgetter("seq"), attrgetter("version")
_encode = msgspec.json.Encoder().encode


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
    since_ms: int = 0
    until_ms: int = 0
    """Up to this moment, which is not in it; 0: no end."""


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
    edition: str = ""
    """The digest of the text by which the table is played."""


class Searched(msgspec.Struct, frozen=True):
    found: list[Found]
    next: int | None
    """Where the next search goes on; None at the end of it."""


class _ActNamed(msgspec.Struct, frozen=True):
    act: str
    player: str = ""


class _EventNamed(msgspec.Struct, frozen=True):
    clauses: tuple[str, ...] = ()
    player: str = ""
    players: tuple[str, ...] | int = ()


class _SaidNamed(msgspec.Struct, frozen=True):
    """As much of an act's entry as the index asks for."""

    act: _ActNamed
    events: tuple[_EventNamed, ...]


_decode = msgspec.json.Decoder(_SaidNamed).decode


class LogIndex(Fold):
    """Which pages of the log name whom and what: people, acts, clauses, and who did it or approved it."""

    name: ClassVar[str] = "search"
    version: ClassVar[int] = 2

    words: dict[str, int] = msgspec.field(default_factory=dict)
    """Every word with its number; its first letter says what it is."""
    pages: list[set[int]] = msgspec.field(default_factory=list)
    """The words of each `PAGE` entries."""
    place: int = 0
    seconds: dict[str, str] = msgspec.field(default_factory=dict)
    """Who approved what is not done yet."""

    def apply(self, entry: Entry) -> None:
        self.place = entry.seq
        while len(self.pages) <= (entry.seq - 1) // PAGE:
            self.pages.append(set())
        answered = approved_in(entry)
        if answered is not None:
            self.seconds[answered.id] = answered.by
        if entry.kind != "act" or not entry.stream.startswith(AT_A_TABLE):
            return
        said = _decode(entry.body)
        words = {f"a{said.act.act}", f"b{entry.by.lower()}", f"p{said.act.player.lower()}"}
        if entry.command.startswith(APPROVED):
            words.add(f"b{self.seconds.pop(entry.command.removeprefix(APPROVED), '').lower()}")
        for event in said.events:
            words.add(f"p{event.player.lower()}")
            words.update([f"c{clause}" for clause in event.clauses])
            if isinstance(event.players, tuple):
                words.update([f"p{player.lower()}" for player in event.players])
        known = self.words
        self.pages[-1].update([known.setdefault(word, len(known)) for word in words])

    def without(self, wanted: Wanted) -> set[int]:
        """The pages in which nothing of what is wanted can be."""
        sought = []
        if wanted.act:
            sought.append({self.words.get(f"a{wanted.act}", -1)})
        if wanted.player:
            sought.append({self.words.get(f"p{wanted.player.lower()}", -1)})
        if wanted.by:
            sought.append({self.words.get(f"b{wanted.by.strip().lower()}", -1)})
        if wanted.clause:
            clauses = [(word[1:], number) for word, number in self.words.items() if word[0] == "c"]
            sought.append({number for clause, number in clauses if _is_under(clause, wanted.clause)})
        whole = self.pages[: self.place // PAGE]
        return {number for number, page in enumerate(whole) if not all(words & page for words in sought)}


class Searches:
    """A search through the acts of all tables, or of those that are called so."""

    def __init__(self, wanted: Wanted, projections: Projections) -> None:
        self.wanted = wanted
        self._projections = projections
        self._skipped: set[int] = set()
        """Pages of the log in which nothing is to be found."""
        self._curtain: Curtain
        self._by = wanted.by.strip().lower()
        self._streams: list[str] | None = None
        self._books: dict[str, Rulebook] = {}
        needles = []
        if wanted.clause and not any(map(str.isalpha, wanted.clause)):
            needles.append(_encode(wanted.clause)[:-1])  # 17.8 also finds 17.8.1
        self._named = _encode(wanted.player).lower() if wanted.player else b""
        """A player is found whichever letters are large."""
        if wanted.act:
            needles.append(b'"act":' + _encode(wanted.act))
        self._needles = needles

    def run(self, log: Log, after: int, limit: int, *, newest: bool = False) -> Searched:
        """From the beginning of the log or, with `newest`, from its end; `after` a place from there on, that way."""
        limit = max(1, min(limit, FOUND_MAX))
        found: list[Found] = []
        self._curtain = Curtain(log)
        if self.wanted.table:
            called = self._projections.ask(TablesEver, lambda ever: ever.called(self.wanted.table))
            self._streams = [stream_of(table) for table in called]
        elif self._needles or self._named or self._by or self.wanted.clause:
            self._skipped = self._projections.ask(LogIndex, lambda index: index.without(self.wanted), INDEXED_MAX)
        if newest and self.wanted.until_ms and not after:
            after = _seq_at(log, self.wanted.until_ms + CLOCKS_MS) + 1
        elif not newest and self.wanted.since_ms and not after:
            after = _seq_at(log, self.wanted.since_ms - CLOCKS_MS)
        entries = self._backwards(log, after) if newest else self._forwards(log, after)
        for looked, entry in enumerate(entries, start=1):
            if self._is_past(entry, newest):
                return Searched(found, None)
            match = self._match(log, entry)
            if match is not None:
                found.append(match)
            if len(found) >= limit or looked >= SEARCHED_MAX:
                return Searched(found, None if newest and self._is_first(entry) else entry.seq)
        return Searched(found, None)

    def _is_past(self, entry: Entry, newest: bool) -> bool:
        """Whether nothing of the time that is wanted can follow; the clocks of several servers differ a little."""
        wanted = self.wanted
        if newest:
            return bool(wanted.since_ms) and entry.at_ms < wanted.since_ms - CLOCKS_MS
        return bool(wanted.until_ms) and entry.at_ms >= wanted.until_ms + CLOCKS_MS

    def _is_first(self, entry: Entry) -> bool:
        """Whether nothing that is searched stands before an entry."""
        return entry.seq == 1 or (entry.version == 1 and self._streams == [entry.stream])

    def _forwards(self, log: Log, after: int) -> Iterator[Entry]:
        if self._streams is None:
            return self._pages_on(log, after)
        each = [log.read(stream, _version_at(log, stream, after), SEARCHED_MAX) for stream in self._streams]
        return merge(*each, key=_SEQ)

    def _backwards(self, log: Log, before: int) -> Iterator[Entry]:
        """Every entry below a place, the last one first; with 0 from the end. What is added meanwhile is not seen."""
        last = before - 1 if before else log.head().seq
        if self._streams is None:
            return self._pages_back(log, last)
        each = [
            _reversed(partial(log.read, stream), _VERSION, _version_at(log, stream, last)) for stream in self._streams
        ]
        return merge(*each, key=lambda entry: -entry.seq)

    def _pages_on(self, log: Log, after: int) -> Iterator[Entry]:
        page = after // PAGE
        while True:
            if page not in self._skipped:
                start = max(after, page * PAGE)
                count = 0
                for count, entry in enumerate(log.read_all(start, (page + 1) * PAGE - start), start=1):  # noqa: B007
                    yield entry
                if start + count < (page + 1) * PAGE:
                    return
            page += 1

    def _pages_back(self, log: Log, last: int) -> Iterator[Entry]:
        for page in range((last - 1) // PAGE, -1, -1):
            if page not in self._skipped:
                start = page * PAGE
                yield from reversed([*log.read_all(start, min(last - start, PAGE))])

    def _match(self, log: Log, entry: Entry) -> Found | None:
        wanted = self.wanted
        if entry.kind != "act" or not entry.stream.startswith(AT_A_TABLE) or (self._by and not self._is_by(log, entry)):
            return None
        if entry.at_ms < wanted.since_ms or (wanted.until_ms and entry.at_ms >= wanted.until_ms):
            return None
        if not all(needle in entry.body for needle in self._needles):
            return None
        if self._named and self._named not in entry.body.lower():
            return None
        said = decode_act(entry.body)
        if wanted.act and type(said.act).__name__ != wanted.act:
            return None
        by_player = str(getattr(said.act, "player", "")).lower() == wanted.player.lower() != ""
        events = [event for event in said.events if self._event(event, by_player)]
        if (wanted.clause or wanted.cents_from or wanted.cents_to or wanted.player) and not events and not by_player:
            return None
        if (wanted.clause or wanted.cents_from or wanted.cents_to) and not events:
            return None
        table = entry.stream.partition(":")[2]
        book = self._book(log, table)
        shown = [_told(event, book) for event in map(_as_found, events) if event is not None]
        name = type(said.act).__name__
        second = second_of(self._projections, entry.command)
        if self._curtain.hides(entry):
            return None
        return Found(
            entry.seq, table, entry.version, entry.at_ms, entry.by, said.role, name, shown, book.id, second,
            book.edition,
        )  # fmt: skip

    def _is_by(self, log: Log, entry: Entry) -> bool:
        return entry.by.lower() == self._by or second_of(self._projections, entry.command).lower() == self._by

    def _book(self, log: Log, table: str) -> Rulebook:
        """By which rules a table is played; read once for each table."""
        if table not in self._books:
            opening = opening_of(log, table)
            assert opening is not None  # an act of it was found
            self._books[table] = rulebook_of(opening)
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


def _seq_at(log: Log, at_ms: int) -> int:
    """How many entries of the log were written before a moment, found by halving."""
    low, high = 0, log.head().seq
    while low < high:
        middle = (low + high + 1) // 2
        entry = next(iter(log.read_all(middle - 1, 1)), None)
        low, high = (middle, high) if entry is not None and entry.at_ms < at_ms else (low, middle - 1)
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
    clause, wanted = clause.lower(), wanted.lower()
    return clause == wanted or (clause.startswith(wanted) and clause[len(wanted)] in ".(:")


def _speaks_of(event: Event, player: str) -> bool:
    wanted = player.lower()
    if str(getattr(event, "player", "")).lower() == wanted:
        return True
    named = getattr(event, "players", ())
    return isinstance(named, tuple) and wanted in [each.lower() for each in named]
