"""Group commit: many clients wait for one durable write, so that acts a second are not bounded by writes a second."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from pitboss.store.log import Append, Log, Outcome, StoreError, check

Given = ParamSpec("Given")
Result = TypeVar("Result")
Waiting = tuple[Append, "asyncio.Future[Outcome]"]

BATCH_MAX = 2000
"""So that one transaction stays short whatever waits."""
GATHER_FROM, GATHER_SECONDS = 3, 0.004
"""While so many come at once, transactions begin no closer than this to each other; whoever is alone never waits."""


class GroupCommit:
    """The asyncio front of a log: one thread writes everything that waits in one transaction, then answers all of it.

    While a batch is on its way to the disk the next one gathers; nobody waits for a timer. Made inside a running loop.
    """

    def __init__(self, log: Log, *, readers: int = 4) -> None:
        self.log = log
        self.batches = 0
        """How many transactions there were."""
        self.items = 0
        """How many appends were written in them."""
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Waiting] = deque()
        self._wake = threading.Condition()
        self._closing = False
        self._pool = ThreadPoolExecutor(readers, thread_name_prefix="pitboss-log-reader")
        self._ended = asyncio.Event()
        self._writer = threading.Thread(target=self._write, name="pitboss-log-writer", daemon=True)
        self._writer.start()

    async def append(self, item: Append) -> Outcome:
        """Durable when this returns `Appended`; StoreError (LogFull) when nothing of its batch was written.

        An append whose caller stops waiting is written nevertheless.
        """
        return await self.submit(item)

    def submit(self, item: Append) -> asyncio.Future[Outcome]:
        """As `append`, without waiting: appends are written in the order in which they were submitted."""
        check(item)
        future: asyncio.Future[Outcome] = self._loop.create_future()
        if self._closing:
            future.set_exception(StoreError(f"{self.log.url}: the log is being closed; nothing was written."))
            return future
        with self._wake:
            self._waiting.append((item, future))
            self._wake.notify()
        return future

    async def run(self, function: Callable[Given, Result], *args: Given.args, **named: Given.kwargs) -> Result:
        """Call something that blocks, such as a read, in a thread of its own."""
        return await self._loop.run_in_executor(self._pool, lambda: function(*args, **named))

    async def close(self) -> None:
        """Write what still waits, answer it, and stop; the log itself stays open."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        await self._ended.wait()
        await self._loop.run_in_executor(None, self._pool.shutdown)

    @property
    def waiting(self) -> int:
        """How many appends wait for the next batch."""
        return len(self._waiting)

    def _write(self) -> None:
        while batch := self._take():
            begun = time.perf_counter()
            try:
                outcomes = self.log.append([item for item, _ in batch])
            except BaseException as fault:  # noqa: BLE001 - whoever waits is told, whatever it is
                self._answer(_fail, batch, fault)
            else:
                self.batches += 1
                self.items += len(batch)
                self._answer(_resolve, batch, outcomes)
            self._gather(len(batch), begun)
        self._answer(self._ended.set)

    def _gather(self, size: int, begun: float) -> None:
        """On a quick disk many small transactions would cost more than they bring: let the next ones come together."""
        rest = begun + GATHER_SECONDS - time.perf_counter()
        if size >= GATHER_FROM and rest > 0 and not self._closing:
            time.sleep(rest)

    def _take(self) -> list[Waiting]:
        """Everything that waits; nothing only when the work is over."""
        with self._wake:
            while not self._waiting and not self._closing:
                self._wake.wait()
            return [self._waiting.popleft() for _ in range(min(len(self._waiting), BATCH_MAX))]

    def _answer(self, function: Callable[..., object], *args: object) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *args)


def _resolve(batch: Sequence[Waiting], outcomes: Sequence[Outcome]) -> None:
    for (_, future), outcome in zip(batch, outcomes, strict=True):
        if not future.done():
            future.set_result(outcome)


def _fail(batch: Sequence[Waiting], fault: BaseException) -> None:
    for _, future in batch:
        if not future.done():
            future.set_exception(fault)
