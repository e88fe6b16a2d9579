"""A gate before work that takes long: so much at once, a short queue, and one at a time for each person.

Replays, the past of tables, searches and exports are done in threads of their own. Whatever keeps the floor alive
(claims, acts, the streams that are followed) has others, so that nobody who looks back can hold it up.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import thread_time
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")
Key = tuple[str, bool]
"""Who asks, and whether it takes long: who takes the whole log away may look at a table meanwhile."""

AT_ONCE = 2
"""One processor does the work of all threads: more at once would only slow down the tables."""
WAITING_MAX = 64
EACH_MAX = 8
"""Under way for one person, waiting or not; a browser has no more than six to one server."""
EACH_LONG_MAX = 2
PATIENCE_SECONDS = 5.0
"""So long one waits for a turn."""
WORK_RATE, WORK_BURST = 0.1, 3.0
"""Seconds of a processor that one person may have for each second that goes by, and at once; what is long apart."""
HURRY_SECONDS = 0.000_02
"""So soon threads change while somebody is inside: the loop and the log want the interpreter often and not for long,
ten times in an act, and would wait so long for it each time."""
WORKED_MAX = 10_000
"""So many people are remembered who had work done."""


HERE_SECONDS = 0.25
"""Who had so much done lately has the rest done elsewhere, where that can be."""

_elsewhere = threading.local()


def worked_elsewhere(seconds: float) -> None:
    """What this thread has waited for was so much work of another process: it counts as its own."""
    _elsewhere.seconds = getattr(_elsewhere, "seconds", 0.0) + seconds


class Busy(Exception):
    """No turn was free: one sentence, and when to ask again. Nothing was done."""

    def __init__(self, text: str, status: int, seconds: int) -> None:
        super().__init__(text)
        self.text, self.status, self.seconds = text, status, seconds


class Hurry:
    """While somebody is inside threads change soon; then as before."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside, self._before = 0, 0.0

    def enter(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside == 1:
                self._before = sys.getswitchinterval()
                sys.setswitchinterval(min(self._before, HURRY_SECONDS))

    def leave(self) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                sys.setswitchinterval(self._before)


HURRY = Hurry()


class Gate:
    """Lets through so many at once; whoever waits is served in turn, person by person.

    Called in one running loop only. What has begun keeps its place until it has ended, whether or not somebody waits.
    """

    def __init__(
        self,
        at_once: int = AT_ONCE,
        *,
        waiting: int = WAITING_MAX,
        each: int = EACH_MAX,
        patience: float = PATIENCE_SECONDS,
        burst: float = WORK_BURST,
        name: str = "pitboss-looking-back",
    ) -> None:
        """`burst`: seconds of a processor that one person may have at once."""
        self._burst = burst
        self._at_once, self._waiting_max, self._each, self._patience = at_once, waiting, each, patience
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix=name)
        self._lines: OrderedDict[Key, deque[asyncio.Future[None]]] = OrderedDict()
        """Who waits, by person; whoever had a turn goes to the end."""
        self._running: set[Key] = set()
        self._worked: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """By person: seconds of work that are left, and when that was so."""
        self._ends: set[asyncio.Future[Any]] = set()
        self._closed = False

    async def run(
        self, who: str, function: Callable[Given, Result], *args: Given.args, **named: Given.kwargs
    ) -> Result:
        """Call something that blocks, in its turn; Busy where there is none soon enough."""
        return await self._run((who, False), partial(function, *args, **named))

    async def run_long(
        self, who: str, function: Callable[Given, Result], *args: Given.args, **named: Given.kwargs
    ) -> Result:
        """As `run`, for what may take minutes: one at a time, so that a place for the others is left."""
        return await self._run((who, True), partial(function, *args, **named))

    async def close(self) -> None:
        """Let nobody in any more, and wait for those who are inside."""
        self._closed = True
        for line in self._lines.values():
            for turn in line:
                if not turn.done():
                    turn.set_exception(_closing())
        if self._ends:
            await asyncio.wait(self._ends)
        self._threads.shutdown(wait=False)

    def has_done_much(self, who: str) -> bool:
        """Whether somebody had more work done lately than looking at this and that takes."""
        return self._left(who) < self._burst - HERE_SECONDS

    @property
    def running(self) -> int:
        """How many are inside."""
        return len(self._running)

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return sum(len(line) for line in self._lines.values())

    async def _run(self, key: Key, work: Callable[[], Result]) -> Result:
        await self._turn(key)
        loop = asyncio.get_running_loop()
        spent = [0.0]

        def timed() -> Result:
            began, _elsewhere.seconds = thread_time(), 0.0
            try:
                return work()
            finally:
                spent[0] = thread_time() - began + _elsewhere.seconds

        HURRY.enter()  # before the thread is woken: whoever waits already, waits as long as it was then
        try:
            doing = loop.run_in_executor(self._threads, timed)
        except BaseException:
            HURRY.leave()
            self._leave(key)
            raise
        self._ends.add(doing)
        doing.add_done_callback(partial(self._ended, key, spent))
        return await asyncio.shield(doing)

    async def _turn(self, key: Key) -> None:
        """Returns when it is this one's turn; the place is taken then."""
        if self._closed:
            raise _closing()
        line = self._lines.get(key, ())
        most = EACH_LONG_MAX if key[1] else self._each
        if (key in self._running) + len(line) >= most:
            raise Busy("too many of your requests are still under way: wait for them, then ask again.", 429, 1)
        if not key[1] and (left := self._left(key[0])) < 0:
            seconds = int(-left / WORK_RATE) + 1
            raise Busy(f"you have looked up too much: try again in {seconds} seconds.", 429, seconds)
        if not line and self._has_place(key):
            self._running.add(key)
            return
        if self.waiting >= self._waiting_max:
            raise self._busy()
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lines.setdefault(key, deque()).append(turn)
        try:
            async with asyncio.timeout(self._patience):
                await turn
        except BaseException as fault:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._leave(key)  # it came just now, and is not wanted any more
            else:
                self._forget(key, turn)
            if isinstance(fault, TimeoutError):
                raise self._busy() from None
            raise

    def _has_place(self, key: Key) -> bool:
        if key in self._running or len(self._running) >= self._at_once:
            return False
        return not key[1] or not any(is_long for _, is_long in self._running)

    def _left(self, who: str) -> float:
        """Seconds of work that somebody may still have done."""
        now = asyncio.get_running_loop().time()
        left, then = self._worked.get(who, (self._burst, now))
        return min(self._burst, left + (now - then) * WORK_RATE)

    def _ended(self, key: Key, spent: list[float], doing: asyncio.Future[Any]) -> None:
        HURRY.leave()
        self._ends.discard(doing)
        if not key[1]:
            now = asyncio.get_running_loop().time()
            self._worked[key[0]] = self._left(key[0]) - spent[0], now
            self._worked.move_to_end(key[0])
            if len(self._worked) > WORKED_MAX:
                self._worked.popitem(last=False)
        if not doing.cancelled():
            doing.exception()  # nobody may be there to hear it
        self._leave(key)

    def _leave(self, key: Key) -> None:
        """A place is free: whoever has waited longest for one that they can have gets it."""
        self._running.discard(key)
        while (found := next((each for each in self._lines if self._has_place(each)), None)) is not None:
            line = self._lines[found]
            turn = line.popleft()
            if line:
                self._lines.move_to_end(found)
            else:
                del self._lines[found]
            if not turn.done():
                self._running.add(found)
                turn.set_result(None)

    def _forget(self, key: Key, turn: asyncio.Future[None]) -> None:
        line = self._lines.get(key)
        if line is not None and turn in line:
            line.remove(turn)
            if not line:
                del self._lines[key]

    def _busy(self) -> Busy:
        seconds = max(1, round(self._patience))
        return Busy(f"too many people are looking back or replaying: try again in {seconds} seconds.", 503, seconds)


def _closing() -> Busy:
    return Busy("the house is closing: ask another server.", 503, 1)
