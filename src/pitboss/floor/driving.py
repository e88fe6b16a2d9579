"""Tables that deal by themselves: the house dealer looks whenever something happened, and when its time has come.

At a table that a person deals there is only the shuffling device, which mixes what goes back into it by itself.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from pitboss.floor.house_dealer import Pace, Step
from pitboss.floor.model import HOUSE, Accepted, Answer
from pitboss.table.house import DEVICE

if TYPE_CHECKING:
    from pitboss.floor.floor import Floor
    from pitboss.floor.host import Host

AWAY_MS = 15_000
"""Whoever was last heard of longer ago is not waited for."""
AGAIN_SECONDS = 1.0
"""After an act of the house that failed (a full disk, a lost connection)."""

log = logging.getLogger("pitboss.floor")


class _Desk:
    """What the house dealer remembers of one table."""

    __slots__ = ("asked", "handle", "heard_ms", "pace", "passed", "stage")

    def __init__(self) -> None:
        self.pace = Pace()
        self.handle: asyncio.Handle | None = None
        self.asked = False
        self.heard_ms: dict[str, int] = {}
        self.passed: set[str] = set()
        self.stage: tuple[int, str, str] = (-1, "", "")


class Driver:
    """The house dealer of every table of this process that has none of flesh and blood."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._desks: dict[Host, _Desk] = {}
        self._stopped = False

    def look(self, host: Host) -> None:
        """Something changed: look soon."""
        drives = host.opening.dealer == "house" or host.table.house.source == DEVICE
        if drives and not self._stopped and host.moved_to is None and not host.closed:
            self._later(host, self._desk(host), 0.0)

    def _desk(self, host: Host) -> _Desk:
        """A table that has just come to us may have come from a process that died: whoever sits there may be back."""
        desk = self._desks.get(host)
        if desk is None:
            desk = self._desks[host] = _Desk()
            if host.was_mixed:
                desk.pace.go_on(host.table)
            now = self._floor.clock.now_ms()
            desk.heard_ms = {name: now for name, state in host.table.players.items() if state.present}
            if desk.heard_ms:
                asyncio.get_running_loop().call_later(AWAY_MS / 1000 + 0.01, self.look, host)
        return desk

    def saw(self, host: Host, name: str) -> None:
        """A player is there."""
        if host.opening.dealer == "house":
            self._desk(host).heard_ms[name] = self._floor.clock.now_ms()

    def left(self, host: Host, name: str) -> None:
        """A player no longer watches; they may be back in a moment."""
        if host in self._desks:
            self._desks[host].heard_ms[name] = self._floor.clock.now_ms()
            asyncio.get_running_loop().call_later(AWAY_MS / 1000 + 0.01, self.look, host)

    def passed(self, host: Host, name: str) -> None:
        """A player wants nothing (more) of what is offered now."""
        if host in self._desks:
            self._desks[host].passed.add(name)
            self.look(host)

    def forget(self, host: Host) -> None:
        desk = self._desks.pop(host, None)
        if desk is not None and desk.handle is not None:
            desk.handle.cancel()

    def stop(self) -> None:
        self._stopped = True
        for host in list(self._desks):
            self.forget(host)

    def _later(self, host: Host, desk: _Desk, seconds: float) -> None:
        if desk.handle is not None:
            desk.handle.cancel()
        loop = asyncio.get_running_loop()
        if seconds <= 0:
            desk.handle = loop.call_soon(self._step, host, desk)
        else:
            desk.handle = loop.call_later(seconds, self._step, host, desk)

    def _step(self, host: Host, desk: _Desk) -> None:
        desk.handle = None
        if desk.asked or not host.is_idle or host.moved_to is not None or host.closed or self._stopped:
            return  # whatever is on its way looks again when it has landed
        try:
            step = self._next(host, desk)
        except Exception:
            log.exception("the house dealer does not know what to do", extra={"table": host.name})
            self._later(host, desk, AGAIN_SECONDS)
            return
        if host.updates.deadline_ms != step.deadline_ms:
            host.updates.deadline_ms = step.deadline_ms
            host.updates.stale()
            self._floor.ticker.mark(host)
        if step.act is not None:
            desk.asked = True
            host.act(HOUSE, "", step.act, lambda answer: self._answered(host, desk, answer))
        elif step.wake_ms is not None:
            self._later(host, desk, max(0.001, (step.wake_ms - self._floor.clock.now_ms()) / 1000))

    def _next(self, host: Host, desk: _Desk) -> Step:
        table, now = host.table, self._floor.clock.now_ms()
        if host.opening.dealer != "house":
            return Step(desk.pace.mixing(table, self._floor.chance))
        if any(each.rests(table) for each in host.attachments):
            return Step()
        stage = (host.rounds, table.phase, table.preparation)  # a round may be over before we look again
        if stage != desk.stage:
            desk.stage, desk.passed = stage, set()
        there = {watch.caller.name for watch in host.updates.watchers if watch.caller.role == "player"}
        there |= {name for name, heard in desk.heard_ms.items() if now - heard < AWAY_MS}
        opening = host.opening
        return desk.pace.step(
            table, now, opening.timers, self._floor.chance, there | set(opening.bots), desk.passed,
            bots=opening.bots, alone=bool(opening.tournament),
        )  # fmt: skip

    def _answered(self, host: Host, desk: _Desk, answer: Answer) -> None:
        desk.asked = False
        if isinstance(answer, Accepted):
            self.look(host)
        elif host in self._desks:
            log.warning("the house could not act", extra={"table": host.name, "answer": str(answer)})
            self._later(host, desk, AGAIN_SECONDS)
