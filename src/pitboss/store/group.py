"""Group commit: many clients wait for one durable write, so that acts a second are not bounded by writes a second."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import repeat
from queue import SimpleQueue
from typing import ParamSpec, TypeVar

from pitboss.store.log import Append, Checked, Log, LogFull, Outcome, StoreError, check
from pitboss.store.room import Room

Given = ParamSpec("Given")
Result = TypeVar("Result")
Done = Callable[[Outcome | BaseException], object]
"""Hears what became of an append: its outcome, or why nothing was written."""

BATCH_MAX = 2000
"""So that one transaction stays short whatever waits."""
GATHER = ((30, 0.016), (12, 0.008), (3, 0.004))
"""While so many come at once, transactions begin no closer than this to each other; whoever is alone never waits.

A transaction costs as much as some ten acts, so that it pays to let them come together; nobody at a table notices.
"""


class GroupCommit:
    """The asyncio front of a log: one thread writes everything that waits in one transaction, then answers all of it.

    While a batch is on its way to the disk the next one gathers; nobody waits for a timer. Made inside a running loop,
    and called in that loop only.
    """

    def __init__(self, log: Log, *, readers: int = 4, room: Room | None = None) -> None:
        """On a full disk the reserve of its `room` is given back to it, and what was to be written is tried again."""
        self.log = log
        self.room = room or Room(None)
        self.batches = 0
        """How many transactions there were."""
        self.items = 0
        """How many appends were written in them."""
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[tuple[Append, Done]] = deque()
        self._bell: SimpleQueue[None] = SimpleQueue()
        self._is_idle = False
        """The writer sleeps, or is about to: whoever brings it something rings the bell."""
        self._closing = False
        self._pool = ThreadPoolExecutor(readers, thread_name_prefix="pitboss-log-reader")
        self._ended = asyncio.Event()
        self._begin()

    async def append(self, item: Append) -> Outcome:
        """Durable when this returns `Appended`; StoreError (LogFull) when nothing of its batch was written.

        An append whose caller stops waiting is written nevertheless.
        """
        return await self.submit(item)

    def submit(self, item: Append) -> asyncio.Future[Outcome]:
        """As `append`, without waiting: appends are written in the order in which they were submitted."""
        future: asyncio.Future[Outcome] = self._loop.create_future()
        self.send(item, partial(_settle, future))
        return future

    def send(self, item: Append, done: Done) -> None:
        """As `submit`, with a call in place of a future: all of a batch are told one after the other, in their order.

        What `done` raises is the loop's to tell; the others hear their outcomes nevertheless.
        """
        check(item)
        if self._closing:
            fault = StoreError(f"{self.log.url}: the log is being closed; nothing was written.")
            self._loop.call_soon(done, fault)
            return
        self._waiting.append((item, done))
        if self._is_idle:
            self._is_idle = False
            self._ring()

    async def run(self, function: Callable[Given, Result], *args: Given.args, **named: Given.kwargs) -> Result:
        """Call something that blocks for a moment, such as a short read, in a thread of its own.

        What keeps a floor alive waits for these threads: whatever a client can make long has others.
        """
        return await self._loop.run_in_executor(self._pool, lambda: function(*args, **named))

    async def close(self) -> None:
        """Write what still waits, answer it, and stop; the log itself stays open."""
        self._closing = True
        self._ring()
        await self._ended.wait()
        await self._loop.run_in_executor(None, self._pool.shutdown)

    @property
    def waiting(self) -> int:
        """How many appends wait for the next batch."""
        return len(self._waiting)

    def _begin(self) -> None:
        """Have a thread write; a simulation has other ways."""
        writer = threading.Thread(target=self._write, name="pitboss-log-writer", daemon=True)
        writer.start()

    def _ring(self) -> None:
        """Wake whoever writes."""
        self._bell.put(None)

    def _write(self) -> None:
        while batch := self._take():
            begun = time.perf_counter()
            self._answer(self._tell, batch, self._written(batch))
            self._gather(len(batch), begun)
        self._answer(self._ended.set)

    def _written(self, batch: list[tuple[Append, Done]]) -> Iterable[Outcome | BaseException]:
        """What became of each of a batch, once it is durable; one fault for all where nothing of it was written."""
        try:
            outcomes = self._append(Checked([item for item, _ in batch]))
        except BaseException as fault:  # noqa: BLE001 - whoever waits is told, whatever it is
            return repeat(fault)
        self.batches += 1
        self.items += len(batch)
        return outcomes

    def _append(self, batch: Checked) -> list[Outcome]:
        try:
            outcomes = self.log.append(batch)
        except LogFull:
            if not self.room.release():
                raise
            outcomes = self.log.append(batch)
        self.room.written()
        return outcomes

    def _gather(self, size: int, begun: float) -> None:
        """On a quick disk many small transactions would cost more than they bring: let the next ones come together."""
        seconds = next((seconds for many, seconds in GATHER if size >= many), 0.0)
        rest = begun + seconds - time.perf_counter()
        if seconds and rest > 0 and not self._closing:
            time.sleep(rest)

    def _take(self) -> list[tuple[Append, Done]]:
        """Everything that waits; nothing only when the work is over."""
        waiting = self._waiting
        while not waiting and not self._closing:
            self._is_idle = True
            if not waiting and not self._closing:  # looked at once more, now that whoever comes rings
                self._bell.get()
            self._is_idle = False
        return self._next_batch()

    def _next_batch(self) -> list[tuple[Append, Done]]:
        waiting = self._waiting
        return [waiting.popleft() for _ in range(min(len(waiting), BATCH_MAX))]

    def _answer(self, function: Callable[..., object], *args: object) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *args)

    def _tell(self, batch: list[tuple[Append, Done]], outcomes: Iterable[Outcome | BaseException]) -> None:
        for (_, done), outcome in zip(batch, outcomes):  # noqa: B905 - a failure is one outcome for all
            try:
                done(outcome)
            except Exception as fault:  # noqa: BLE001 - one who cannot hear is not to deafen the others
                said = {"message": "what an append should do when it is written failed", "exception": fault}
                self._loop.call_exception_handler(said)


def _settle(future: asyncio.Future[Outcome], outcome: Outcome | BaseException) -> None:
    if future.done():
        return
    if isinstance(outcome, BaseException):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
