"""Several server processes on one log: started together, watched over, and stopped together.

Each owns a share of the tables and has a port of its own; clients are told where a table is. One that dies is started
again, and meanwhile the others have taken its tables.
"""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable
from types import FrameType

SIGNALS = (signal.SIGTERM, signal.SIGINT)
FAILED_START_SECONDS = 3.0
"""Whoever fails sooner than this after its start could not start at all."""
AGAIN_SECONDS = 1.0

log = logging.getLogger("pitboss.server")


class Member:
    """One of the processes, as it knows itself."""

    def __init__(self, index: int, lifeline: int) -> None:
        self.index = index
        self.lifeline = lifeline
        """Ends (a file that can be read) when whoever started us is no longer there."""

    @property
    def is_first(self) -> bool:
        return self.index == 0


class Watcher:
    """Starts the processes and waits for their end."""

    def __init__(self, count: int, body: Callable[[Member], int]) -> None:
        self._count = count
        self._body = body
        self._running: dict[int, tuple[int, float]] = {}
        """Process id: which one it is, and when it was started."""
        self._stopping = False
        self._code = 0
        self._read_end, self._write_end = os.pipe()

    def run(self) -> int:
        """In the parent: the exit code of the whole. In each child: what its body returns, or raises."""
        for index in range(self._count):
            child = self._start(index)
            if child is not None:
                return self._body(child)
        for number in SIGNALS:
            signal.signal(number, self._stop)
        while self._running:
            try:
                pid, status = os.wait()
            except InterruptedError:
                continue
            index, began = self._running.pop(pid, (-1, 0.0))
            if index < 0:
                continue
            child = self._ended(index, os.waitstatus_to_exitcode(status), time.monotonic() - began)
            if child is not None:
                return self._body(child)
        return self._code

    def _start(self, index: int) -> Member | None:
        """None in the parent, also where it is being stopped by now."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)  # nobody is told to stop before they can hear it
        try:
            if self._stopping:
                return None
            pid = os.fork()
            if pid:
                self._running[pid] = (index, time.monotonic())
                return None
            for number in SIGNALS:
                signal.signal(number, signal.default_int_handler)
            os.setpgid(0, 0)  # Ctrl-C is for the parent, which tells us
            os.close(self._write_end)
            return Member(index, self._read_end)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _ended(self, index: int, code: int, lived: float) -> Member | None:
        """One has ended: as it was told, or it could not start, or it fell and is started again."""
        if self._stopping:
            self._code = self._code or max(code, 0)
            return None
        if code > 0 and lived < FAILED_START_SECONDS:
            self._code = code
            self._stop(signal.SIGTERM, None)
            return None
        log.error("a process has ended and is started again", extra={"which": index, "code": code})
        time.sleep(AGAIN_SECONDS)
        return self._start(index)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        """The first signal lets rounds end, the second does not wait; both are handed on."""
        self._stopping = True
        for pid in list(self._running):
            os.kill(pid, number)
