"""What time it is: one clock a process, and one that tests set by hand."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    """Milliseconds of Unix time."""

    def now_ms(self) -> int: ...


class SystemClock:
    """The machine's clock, which never goes back while the process lives.

    It goes on by the time that passes, also where somebody sets the machine's clock back. Where it has fallen behind,
    because the machine slept or its clock was put forward, it is set forward too.
    """

    def __init__(self, wall_ns: Callable[[], int] | None = None, passed_ns: Callable[[], int] | None = None) -> None:
        """By what the machine says, unless something else says so."""
        self._wall_ns, self._passed_ns = wall_ns or time.time_ns, passed_ns or time.monotonic_ns
        self._ahead_ns = self._wall_ns() - self._passed_ns()

    def now_ms(self) -> int:
        wall_ns, passed_ns = self._wall_ns(), self._passed_ns()
        ahead_ns = wall_ns - passed_ns
        if ahead_ns <= self._ahead_ns:
            return (self._ahead_ns + passed_ns) // 1_000_000
        self._ahead_ns = ahead_ns
        return wall_ns // 1_000_000


class SetClock:
    """A clock that stands until somebody moves it."""

    def __init__(self, now_ms: int = 1_700_000_000_000) -> None:
        self.ms = now_ms

    def now_ms(self) -> int:
        return self.ms

    def pass_ms(self, ms: int) -> None:
        self.ms += ms
