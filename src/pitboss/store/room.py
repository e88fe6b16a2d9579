"""How much room the log has left, and what is kept in reserve: so much is taken from the disk beforehand and given back
to the log when nothing else is left, so that the house can still close its rounds."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

RESERVE_BYTES = 64 << 20
"""Some thirty thousand acts: a floor of 200 tables ends its rounds with a fifth of them."""
LOW = 16
"""Where less than so many times the reserve is free somebody has to make room."""

State = Literal["enough", "low", "closing"]
"""Whether there is enough, somebody has to make room soon, or no new round may begin."""


class Found(msgspec.Struct, frozen=True):
    """What somebody who looked found."""

    state: State
    free_bytes: int | None
    """Beside the reserve; None where the log is in a database server, which does not say."""
    reserve_bytes: int
    """What of the reserve is there."""


class Room:
    """The room of one log. Blocking, and called from any thread; several processes on one file share one reserve."""

    def __init__(
        self, path: Path | None, reserve_bytes: int = RESERVE_BYTES, free: Callable[[], int] | None = None
    ) -> None:
        """`path` is the log's file, None where it is in a database server; with a reserve of 0 nothing is kept."""
        self._wanted = reserve_bytes if path is not None else 0
        self._reserve = path and path.with_name(path.name + ".reserve")
        self._free = free or (None if path is None else lambda: shutil.disk_usage(path.parent).free)
        self.is_full = False
        """Whether the last write failed because nothing was left."""

    def look(self) -> Found:
        """See what is there, and take the reserve where it is missing and there is room for it."""
        free = None if self._free is None else self._free()
        kept = self._kept()
        if free is not None and kept < self._wanted and free >= 2 * self._wanted and self._take():
            free, kept = max(0, free - self._wanted), self._wanted
        if self.is_full or kept < self._wanted or (free is not None and free < self._wanted):
            return Found("closing", free, kept)
        return Found("low" if free is not None and free < LOW * self._wanted else "enough", free, kept)

    def release(self) -> bool:
        """The disk is full: give the reserve back to it; whether there was one."""
        self.is_full = True
        if not self._kept():
            return False
        with suppress(OSError):
            assert self._reserve is not None
            self._reserve.unlink()
            return True
        return False

    def written(self) -> None:
        """Something could be written."""
        self.is_full = False

    def _kept(self) -> int:
        if self._reserve is None:
            return 0
        with suppress(OSError):
            return self._reserve.stat().st_blocks * 512
        return 0

    def _take(self) -> bool:
        assert self._reserve is not None
        try:
            descriptor = os.open(self._reserve, os.O_WRONLY | os.O_CREAT, 0o600)
            try:
                os.posix_fallocate(descriptor, 0, self._wanted)
            finally:
                os.close(descriptor)
        except OSError:
            with suppress(OSError):
                self._reserve.unlink()
            return False
        return True
