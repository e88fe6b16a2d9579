"""Segments: old entries moved out of a log into files of their own, each a piece of the chain that is signed.

The chain covers a commitment to each body, so that a log keeps every entry and gives away bodies only: what it is
without them is verified as before, and with its segments at hand it is read as before. A segment is a log itself that
begins where another one ended.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from pitboss.store.chain import AUTHENTIC, PLAIN, START, Row, commitment_to
from pitboss.store.log import Head, LogDamaged, StoreError

if TYPE_CHECKING:
    from pitboss.store.sqlite import SqliteLog


class Segment(msgspec.Struct, frozen=True):
    """Where the bodies of some entries are; the log has such a row for each."""

    first: int
    last: int
    path: str
    hash: bytes
    """Of the last entry."""
    at_ms: int


def is_archived(row: Row) -> bool:
    """Whether the body is elsewhere: a sealed one is never empty, and another has no commitment beside it."""
    return bool(row[12]) and not row[9]


def given_away(row: Row) -> tuple[bytes, int]:
    """What the log keeps in the place of a body and its salt, as it is stored, and of which entry."""
    return (row[12] or commitment_to(row[11], row[9])) + row[13], row[0]


class Shelf:
    """The segments of one log as they are at hand: rows that lack their bodies get them back."""

    def __init__(self, beside: Path | None, ask: Callable[[], list[Segment]]) -> None:
        """A segment is looked for where it was written, and then in the folder `beside`."""
        self._beside, self._ask = beside, ask
        self._known: list[Segment] = []
        self._open: dict[int, SqliteLog | None] = {}
        self._lock = threading.Lock()

    def filled(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows with the bodies that are at hand; of the others only the commitments are told."""
        for row in rows:
            yield self._filled(row) if row[12] and not row[9] else row

    def _filled(self, row: Row) -> Row:
        with self._lock:
            segment = self._segment_of(row[0])
            log = None if segment is None else self._opened(segment)
        if log is None:
            return row
        found = next(iter(log.rows(row[0] - 1, 1)), None)
        if found is None or (found[0], found[-1]) != (row[0], row[-1]) or is_archived(found):
            raise LogDamaged(f"{log.path}: entry {row[0]} is not the one that was archived; look with `log verify`.")
        return found

    def covers(self, seq: int) -> bool:
        """Whether the body of an entry may be in a segment."""
        with self._lock:
            return self._segment_of(seq) is not None

    def _segment_of(self, seq: int) -> Segment | None:
        for segments in (self._known, None):
            if segments is None:
                segments = self._known = self._ask()
            for segment in segments:
                if segment.first <= seq <= segment.last:
                    return segment
        return None

    def _opened(self, segment: Segment) -> SqliteLog | None:
        from pitboss.store.sqlite import SqliteLog

        found = self._open.get(segment.first)
        if found is None and (path := self.path_of(segment)) is not None:
            found = self._open[segment.first] = SqliteLog(path, create=False, read_only=True)
        return found

    def path_of(self, segment: Segment) -> Path | None:
        """Where the file of a segment is; None where it is not at hand."""
        path = Path(segment.path)
        places = [path] if self._beside is None else [path, self._beside / path.name]
        return next((place for place in places if place.exists()), None)

    def close(self) -> None:
        with self._lock:
            for log in self._open.values():
                if log is not None:
                    log.close()
            self._open.clear()


def last_before(rows: Callable[[int, int], Iterator[Row]], end: Head, at_ms: int) -> int:
    """The last entry that was written before a time, 0 where there is none: found by halving."""
    low, high = 0, end.seq
    while low < high:
        middle = (low + high + 1) // 2
        row = next(iter(rows(middle - 1, 1)), None)
        if row is not None and row[4] < at_ms:
            low = middle
        else:
            high = middle - 1
    return low


def end_of_transaction(rows: Callable[[int, int], Iterator[Row]], last: int) -> int:
    """The last entry up to there that ends its transaction, and has its code: half of one would not be found whole."""
    while last > 0:
        row = next(iter(rows(last - 1, 1)), None)
        if row is not None and row[7] == 0 and (row[1] != AUTHENTIC or row[13]):
            return last
        last -= 1
    return 0


def hash_at(rows: Callable[[int, int], Iterator[Row]], seq: int) -> bytes:
    if not seq:
        return START
    row = next(iter(rows(seq - 1, 1)), None)
    if row is None or row[0] != seq:
        raise StoreError(f"entry {seq} is missing; look with `pitboss log verify`.")
    return row[-1]


def to_give_away(rows: Sequence[Row], wanted: Callable[[Row], bool]) -> list[tuple[bytes, int]]:
    """Of rows that a segment has: what stays in the place of those bodies that the log can do without."""
    return [given_away(row) for row in rows if row[1] != PLAIN and not is_archived(row) and wanted(row)]
