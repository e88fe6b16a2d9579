"""When watchers are woken: whose word is awaited at once, the others soon after, and the less often the more there are.

Telling a table's watchers costs more than deciding an act. Under load the one who is to decide next still hears of it
within a few milliseconds, and the others hear several acts together.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitboss.floor.host import Host

log = logging.getLogger("pitboss.floor")

SOON_SECONDS = 0.003
"""Acts that follow each other this quickly are told together."""
LATEST_SECONDS = 1.0
"""Nobody is told later than this, as far as it is in our hands; far from it unless the machine has too much to do."""
SHARE = 12.0
"""Telling those who only watch takes about one part in this many of the loop's time."""
SLICE_SECONDS = 0.005
"""So long watchers are told at a stretch, before answers have their turn again."""


class Ticker:
    """Tables at which something happened since their watchers were last told."""

    def __init__(self) -> None:
        self._urgent: dict[Host, None] = {}
        self._others: dict[Host, None] = {}
        self._urgent_handle: asyncio.TimerHandle | None = None
        self._others_handle: asyncio.TimerHandle | None = None
        self._cost = 0.0
        """Seconds that telling everybody who only watches takes."""
        self._pass = 0.0

    def mark(self, host: Host) -> None:
        """Something happened at this table."""
        if not host.updates.watchers:
            return
        self._urgent[host] = None
        if self._urgent_handle is None:
            self._urgent_handle = _later(SOON_SECONDS, self._tell_urgent)

    def _tell_urgent(self) -> None:
        end = time.perf_counter() + SLICE_SECONDS
        while self._urgent:
            host = next(iter(self._urgent))
            del self._urgent[host]
            self._others[host] = None
            _wake(host, urgent=True)
            if time.perf_counter() > end:
                break
        self._urgent_handle = _later(SOON_SECONDS, self._tell_urgent) if self._urgent else None
        if self._others_handle is None and self._others:
            delay = min(LATEST_SECONDS, self._cost * (SHARE - 1))
            self._others_handle = _later(delay, self._tell_others)

    def _tell_others(self) -> None:
        began = time.perf_counter()
        end = began + SLICE_SECONDS
        while self._others:
            host = next(iter(self._others))
            del self._others[host]
            _wake(host)
            if time.perf_counter() > end:
                break
        self._pass += time.perf_counter() - began
        if self._others:
            self._others_handle = _later(SOON_SECONDS, self._tell_others)
        else:
            self._cost, self._pass = (self._cost + self._pass) / 2, 0.0
            self._others_handle = None

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


def _later(seconds: float, function: Callable[[], None]) -> asyncio.TimerHandle:
    return asyncio.get_running_loop().call_later(seconds, function)
