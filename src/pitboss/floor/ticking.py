"""When watchers are woken: whose word is awaited at once, the others as soon as the loop has time for it.

Telling a table's watchers costs more than deciding an act. Under load the one who is to decide next still hears of it
at once, and the others hear several acts together.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitboss.floor.host import Host

log = logging.getLogger("pitboss.floor")

SLICE_SECONDS = 0.005
"""So long watchers are told at a stretch, before answers have their turn again."""
REST_SECONDS = 0.003
"""And so long those who only watch then wait for the rest."""
BUSY = 0.6
"""A loop that works, or waits for a processor, more than this part of the time has too much to do."""
LATE_SECONDS = 0.02
"""So has one that comes to what is due later than this."""
LOOK_SECONDS = 0.02
"""How long the loop is looked at before that is said of it."""
SCHEDULED = Path("/proc/thread-self/schedstat")
LATEST_SECONDS = 2.0
"""Nobody is told later than this, as far as it is in our hands; far from it unless the machine has too much to do."""


class Ticker:
    """Tables at which something happened since their watchers were last told."""

    def __init__(self) -> None:
        self._urgent: dict[Host, None] = {}
        self._others: dict[Host, None] = {}
        self._urgent_handle: asyncio.Handle | None = None
        self._others_handle: asyncio.Handle | None = None
        self._due = 0.0
        self._looked = (time.perf_counter(), _wanted_seconds())
        self.delay = 0.0
        """Seconds that those who only watch wait until they are told."""

    def mark(self, host: Host) -> None:
        """Something happened at this table."""
        if not host.updates.watchers:
            return
        self._urgent[host] = None
        if self._urgent_handle is None:
            self._urgent_handle = _later(0.0, self._tell_urgent)

    def _tell_urgent(self) -> None:
        end = time.perf_counter() + SLICE_SECONDS
        while self._urgent:
            host = next(iter(self._urgent))
            del self._urgent[host]
            self._others[host] = None
            _wake(host, urgent=True)
            if time.perf_counter() > end:
                break
        self._urgent_handle = _later(0.0, self._tell_urgent) if self._urgent else None
        if self._others_handle is None and self._others:
            self._tell_others_in(self.delay)

    def _tell_others_in(self, seconds: float) -> None:
        self._due = time.perf_counter() + seconds
        self._others_handle = _later(seconds, self._tell_others)

    def _tell_others(self) -> None:
        began = time.perf_counter()
        self._look(began)
        end = began + SLICE_SECONDS
        while self._others:
            host = next(iter(self._others))
            del self._others[host]
            _wake(host)
            if time.perf_counter() > end:
                break
        if self._others:
            self._tell_others_in(REST_SECONDS)
        else:
            self._others_handle = None

    def _look(self, now: float) -> None:
        """Have those who only watch wait longer while there is too much to do, and shorter while there is not."""
        late, (then, worked) = now - self._due > LATE_SECONDS, self._looked
        if now - then < LOOK_SECONDS and not late:
            return
        wanted = _wanted_seconds()
        if late or wanted - worked > BUSY * (now - then):
            self.delay = min(LATEST_SECONDS, 1.5 * self.delay + SLICE_SECONDS)
        else:
            self.delay = max(0.0, 0.8 * self.delay - SLICE_SECONDS)
        self._looked = (now, wanted)

    def flush_all(self) -> None:
        """Tell everybody now."""
        self._others |= self._urgent
        self._urgent.clear()
        while self._others:
            host, _ = self._others.popitem()
            _wake(host)
        for handle in (self._urgent_handle, self._others_handle):
            if handle is not None:
                handle.cancel()


def _wake(host: Host, *, urgent: bool = False) -> None:
    """Wake a table's watchers; a fault at one table keeps nobody at another waiting."""
    updates = host.updates
    try:
        for watch in updates.awaited() if urgent else list(updates.watchers):
            if urgent or watch.seen < host.version or updates.is_news(watch):
                watch.wake()
    except Exception:
        log.exception("watchers could not be told", extra={"table": host.name})


def _wanted_seconds() -> float:
    """For how long this thread has had a processor or, as far as the system tells, waited for one."""
    try:
        worked, waited, _ = SCHEDULED.read_bytes().split()
    except (OSError, ValueError):
        return time.thread_time()
    return (int(worked) + int(waited)) / 1e9


def _later(seconds: float, function: Callable[[], None]) -> asyncio.Handle:
    loop = asyncio.get_running_loop()
    return loop.call_later(seconds, function) if seconds > 0 else loop.call_soon(function)
