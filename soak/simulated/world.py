"""Time, chance and processes: everything that a server gets from a machine, decided by one seed.

Each process has an event loop of its own whose time is the world's. The world lets one loop after the other do one or
more of the things that are due there; when nothing is due anywhere, time goes to the next moment at which something
is. A process can be killed between any two of them, or stand still while time goes on for everybody else.
"""

from __future__ import annotations

import asyncio
import heapq
import random
import traceback
from asyncio.events import _set_running_loop
from collections.abc import Callable, Coroutine
from typing import Any

BEGAN_MS = 1_700_000_000_000


class Locked(Exception):
    """Somebody else is writing: whoever runs in a thread tries again in a moment."""


class Loop(asyncio.BaseEventLoop):
    """The event loop of one process."""

    _ready: Any
    _closed: bool
    _scheduled: list[Any]

    def __init__(self, world: World, name: str) -> None:
        super().__init__()
        self.world = world
        self.name = name
        self.frozen = False
        """It stands still: time goes on for the others."""
        self.dead = False
        self.faults: list[str] = []
        self._tasks: set[asyncio.Task[Any]] = set()
        self.set_exception_handler(self._heard)

    def time(self) -> float:
        return self.world.now

    def _heard(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """What asyncio would log: a fault that nobody looked at is a fault of the floor."""
        fault = context.get("exception")
        if not self.dead and fault is not None and not isinstance(fault, asyncio.CancelledError):
            told = "".join(traceback.format_exception(fault)[-3:])
            self.faults.append(f"{context.get('message')}: {fault!r}\n{told}")

    def _check_closed(self) -> None:
        """What a dead process still asks for is done by nobody."""

    def begin(self, work: Coroutine[Any, Any, Any]) -> None:
        """Have something done that nobody waits for; called in this loop."""
        task = self.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def call_soon_threadsafe(  # type: ignore[override]
        self, callback: Any, *args: Any, context: Any = None
    ) -> asyncio.Handle:
        return self.call_soon(callback, *args, context=context)

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:  # type: ignore[override]
        """A thread does it at some moment, and its result is known at a later one."""
        future = self.create_future()

        def settle(is_right: bool, result: Any) -> None:
            if not future.done():
                (future.set_result if is_right else future.set_exception)(result)

        def execute() -> None:
            try:
                found = True, func(*args)
            except Locked:
                self.call_later(self.world.a_moment(), execute)
                return
            except BaseException as fault:  # noqa: BLE001 - whoever waits is told, whatever it is
                found = False, fault
            self.call_later(self.world.a_moment(), settle, *found)

        self.call_later(self.world.a_moment(), execute)
        return future

    def turn(self, most: int) -> None:
        """Do what is due, at most so much of it."""
        _set_running_loop(self)
        try:
            ready = self._ready
            for _ in range(min(most, len(ready))):
                handle = ready.popleft()
                if not handle._cancelled:
                    handle._run()
                if self.dead or self.frozen:
                    return
        finally:
            _set_running_loop(None)

    def next_at(self) -> float:
        timers = self._scheduled
        while timers and timers[0]._cancelled:
            heapq.heappop(timers)._scheduled = False
        return timers[0]._when if timers else float("inf")

    def wake(self, now: float) -> None:
        timers = self._scheduled
        while timers and timers[0]._when <= now:
            handle = heapq.heappop(timers)
            handle._scheduled = False
            self._ready.append(handle)

    def die(self) -> None:
        """Nothing more happens here: no callback, no `finally`."""
        self.dead = True
        self._closed = True
        self._ready.clear()
        self._scheduled.clear()


class World:
    """What time it is, who lives, and what happens next."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.chance = random.Random(seed)
        self.now = 0.0
        self.steps = 0
        self.loops: list[Loop] = []
        self.graves: list[Loop] = []
        """Kept to the end, so that nothing of the dead is cleared away in the middle."""
        self._events: list[tuple[float, int, Callable[[], object]]] = []
        self._count = 0
        self.slow = 0.0
        """Seconds that the disk takes longer at most, while it is slow."""
        self.after_step: list[Callable[[], None]] = []

    # --- what takes how long ---

    def a_moment(self) -> float:
        """Between asking a thread for something and its doing it, and again until that is known."""
        draw = self.chance.random
        return draw() * 0.0004 if draw() < 0.97 else draw() * 0.05

    def a_write(self) -> float:
        """Until a transaction is on the disk."""
        draw = self.chance.random
        usual = 0.0005 + draw() * 0.002 if draw() < 0.97 else draw() * 0.2
        return usual + draw() * self.slow

    # --- time ---

    def at(self, when: float, event: Callable[[], object]) -> None:
        self._count += 1
        heapq.heappush(self._events, (when, self._count, event))

    def after(self, seconds: float, event: Callable[[], object]) -> None:
        self.at(self.now + seconds, event)

    def loop(self, name: str) -> Loop:
        found = Loop(self, name)
        self.loops.append(found)
        return found

    def kill(self, loop: Loop) -> None:
        loop.die()
        self.loops.remove(loop)
        self.graves.append(loop)

    def step(self) -> bool:
        """The next thing that happens anywhere; False when nothing will ever happen again."""
        self.steps += 1
        ready = [loop for loop in self.loops if loop._ready and not loop.frozen]
        if ready:
            loop = ready[0] if len(ready) == 1 else self.chance.choice(ready)
            many = len(loop._ready)
            loop.turn(many if many == 1 or self.chance.random() < 0.7 else self.chance.randint(1, many))
        else:
            when = min([loop.next_at() for loop in self.loops if not loop.frozen], default=float("inf"))
            if self._events and self._events[0][0] <= when:
                when, _, event = heapq.heappop(self._events)
                self.now = max(self.now, when)
                event()
            elif when == float("inf"):
                return False
            else:
                self.now = max(self.now, when)
                for loop in self.loops:
                    if not loop.frozen:
                        loop.wake(self.now)
        for look in self.after_step:
            look()
        return True

    def run(self, until: Callable[[], bool], seconds: float) -> None:
        """Go on until something is so; AssertionError when it is not for so long by the world's clock."""
        end = self.now + seconds
        while not until():
            if not self.step() or self.now > end:
                raise AssertionError(f"for {seconds:g} seconds nothing came of it: {until.__name__}")

    def close(self) -> None:
        for loop in [*self.loops, *self.graves]:
            loop.die()
