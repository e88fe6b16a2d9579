"""What a log lets be seen of how it is stored, for verifying, moving and backing up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from pitboss.store.chain import RawRow, Row
from pitboss.store.log import Log


class StoredLog(Log, Protocol):
    """A `Log` with its rows."""

    schema: int
    """The schema version that the log has, which may be older than ours where it is open for reading only."""

    def rows(self, after: int = 0, limit: int | None = None) -> Iterator[Row]: ...

    def raw_pages(self, after: int = 0) -> Iterator[list[RawRow]]:
        """All of them, many at a time and quickly, with texts in UTF-8."""
        ...

    def complaints(self) -> list[str]:
        """What the database finds wrong with its file and with the indexes by which streams and commands are found."""
        ...

    def snapshot_rows(self) -> Iterator[tuple[str, int, bytes, int]]: ...

    def take_over(self, rows: Iterable[Row]) -> None:
        """Write entries as they stand in another log, which has been checked; only where nothing is written yet."""
        ...

    def take_over_snapshots(self, rows: Iterable[tuple[str, int, bytes, int]]) -> None: ...
