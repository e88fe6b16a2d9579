"""What a log lets be seen of how it is stored, for verifying, moving and backing up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from pitboss.store.chain import RawRow, Row
from pitboss.store.log import Entry, Log

AT_SEQ, AT_VERSION = 0, 3
"""Where they stand in a row."""
LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1
"""What numbers a row may have at all; those of entries begin with 1."""


class StoredLog(Log, Protocol):
    """A `Log` with its rows."""

    schema: int
    """The schema version that the log has, which may be older than ours where it is open for reading only."""

    def rows(self, after: int = 0, limit: int | None = None) -> Iterator[Row]: ...

    def raw_pages(self, first: int = LOWEST) -> Iterator[list[RawRow]]:
        """All rows there are, whatever their numbers, many at a time and quickly, with texts in UTF-8."""
        ...

    def complaints(self) -> list[str]:
        """What the database finds wrong with its file and with the indexes by which streams and commands are found."""
        ...

    def snapshot_rows(self) -> Iterator[tuple[str, int, bytes, int]]: ...

    def take_over(self, rows: Iterable[Row]) -> None:
        """Write entries as they stand in another log, which has been checked; only where nothing is written yet."""
        ...

    def take_over_snapshots(self, rows: Iterable[tuple[str, int, bytes, int]]) -> None: ...


def entry_of(row: Row) -> Entry:
    seq, format, stream, version, at_ms, by, command, remaining, kind, body, answer, hash = row
    return Entry(seq, stream, version, at_ms, by, command, kind, body, hash, answer, remaining, format)


def by_pages(
    page: Callable[[int, int], list[Row]], after: int, limit: int | None, size: int, key: int
) -> Iterator[Row]:
    """Rows, at most `size` at a time: `page` reads so many after a place, and `key` says where in a row the place is.

    Nothing is held open between two pages, so that a slow reader keeps nobody from his work.
    """
    while limit is None or limit > 0:
        wanted = size if limit is None else min(limit, size)
        rows = page(after, wanted)
        yield from rows
        if len(rows) < wanted:
            return
        after = int(rows[-1][key])
        limit = None if limit is None else limit - len(rows)
