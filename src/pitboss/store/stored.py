"""What a log lets be seen of how it is stored, for verifying, moving and backing up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from pitboss.store.chain import RawRow, Row, StoredRow
from pitboss.store.log import Head, Log
from pitboss.store.sealing import DataKey, Sealing
from pitboss.store.segments import Segment, Shelf

AT_SEQ, AT_VERSION = 0, 3
"""Where they stand in a row."""
LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1
"""What numbers a row may have at all; those of entries begin with 1."""


class StoredLog(Log, Protocol):
    """A `Log` with its rows."""

    schema: int
    """The schema version that the log has, which may be older than ours where it is open for reading only."""
    sealing: Sealing
    """Opens what is sealed in it."""
    shelf: Shelf
    """Where its segments are at hand."""

    def rows(self, after: int = 0, limit: int | None = None) -> Iterator[Row]:
        """The entries as they are stored; `sealing` opens what is sealed of them."""
        ...

    def raw_pages(self, first: int = LOWEST) -> Iterator[list[RawRow]]:
        """All rows there are, whatever their numbers, many at a time and quickly, with texts in UTF-8."""
        ...

    def complaints(self) -> list[str]:
        """What the database finds wrong with its file and with the indexes by which streams and commands are found."""
        ...

    def strangers(self) -> list[str]:
        """What somebody else put into the database that acts by itself: triggers, rules and views."""
        ...

    def snapshot_rows(self) -> Iterator[tuple[str, int, bytes, int]]: ...

    def seal_snapshots(self) -> int:
        """Seal what is not sealed under the newest key, leave nothing of how it was, and say how many they were."""
        ...

    def take_over(self, rows: Iterable[Row], keys: Callable[[], Iterable[DataKey]] = tuple) -> None:
        """Write entries as they stand in another log, which has been checked; only where nothing is written yet.

        `keys` is asked after the last row for the data keys of what is sealed in them.
        """
        ...

    def data_keys(self) -> list[DataKey]:
        """The wrapped keys of what is sealed, oldest first."""
        ...

    def put_data_keys(self, keys: Sequence[DataKey]) -> None:
        """Keep data keys, in the place of those with the same numbers."""
        ...

    def segments(self) -> list[Segment]:
        """The files to which bodies of old entries were moved, oldest first."""
        ...

    def add_segment(self, segment: Segment) -> None:
        """Say that a file has these entries; from then on their bodies may be given away."""
        ...

    def give_away(self, bodies: Sequence[tuple[bytes, int]]) -> None:
        """Keep these commitments in the place of the bodies of these entries, which a segment has."""
        ...

    def shrink(self) -> None:
        """Give room that is not used any more back to the disk, where that is ours to do."""
        ...

    @property
    def base(self) -> Head | None:
        """Of a segment: after which entry it begins."""
        ...

    def versions_before(self) -> dict[bytes, int]:
        """Of a segment: how far each of its streams had come before it."""
        ...

    def take_over_snapshots(self, rows: Iterable[tuple[str, int, bytes, int]]) -> None: ...


def by_pages(
    page: Callable[[int, int], list[StoredRow]], after: int, limit: int | None, size: int, key: int
) -> Iterator[StoredRow]:
    """Rows, at most `size` at a time: `page` reads so many after a place, and `key` says where in a row the place is.

    Nothing is held open between two pages, so that a slow reader keeps nobody from their work.
    """
    while limit is None or limit > 0:
        wanted = size if limit is None else min(limit, size)
        rows = page(after, wanted)
        yield from rows
        if len(rows) < wanted:
            return
        after = int(rows[-1][key])
        limit = None if limit is None else limit - len(rows)
