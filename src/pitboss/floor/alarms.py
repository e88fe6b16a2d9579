"""What staff must know at once because somebody has to do something: shown on the overview and in the metrics."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from pitboss.store.log import StoreError
from pitboss.store.room import Found

if TYPE_CHECKING:
    from pitboss.floor.floor import Floor

LOOK_SECONDS = 2.0
"""How often the room of the log is looked at."""
LOG_ROOM_LOW, LOG_ROOM_OUT = "log-room-low", "log-room-out"
NO_ROOM = "the log has no room left"
TABLE_STOPPED = "table-stopped"
WITNESS_AWAY = "witness-away"
LOG_ALTERED = "log-altered"
KINDS = (LOG_ALTERED, LOG_ROOM_LOW, LOG_ROOM_OUT, TABLE_STOPPED, WITNESS_AWAY)
"""Every alarm that there is; each has its paragraph in the manual."""

log = logging.getLogger("pitboss.alarm")


class Alarm(msgspec.Struct, frozen=True):
    kind: str
    text: str
    """One sentence: what is wrong."""
    todo: str
    """And what to do."""
    since_ms: int


class Alarms:
    """Those that ring now; each begins and ends with a line in the server's own log."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._ringing: dict[str, Alarm] = {}

    def ring(self, kind: str, text: str, todo: str) -> None:
        """Begin, or say it anew where it rings already."""
        before = self._ringing.get(kind)
        if before is None:
            log.error("alarm", extra={"alarm": kind, "why": text, "todo": todo})
        self._ringing[kind] = Alarm(kind, text, todo, self._now_ms() if before is None else before.since_ms)

    def end(self, kind: str) -> None:
        if self._ringing.pop(kind, None) is not None:
            log.warning("alarm over", extra={"alarm": kind})

    def __contains__(self, kind: str) -> bool:
        return kind in self._ringing

    @property
    def ringing(self) -> list[Alarm]:
        return list(self._ringing.values())


class RoomWatch:
    """Whether the log has room: an alarm while there is still time, and no new round once there is none."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self.found: Found | None = None
        """When somebody last looked."""

    @property
    def is_out(self) -> bool:
        return self.found is not None and self.found.state == "closing"

    async def keep(self) -> None:
        while True:
            with suppress(OSError, StoreError):
                await self.look()
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        floor = self._floor
        was_out, self.found = self.is_out, await floor.commits.run(floor.commits.room.look)
        free = self.found.free_bytes
        left = "" if free is None else f": {free >> 20} MB are free"
        if self.is_out:
            todo = "Make room (pitboss log archive moves the past elsewhere); rounds then go on by themselves."
            floor.alarms.ring(LOG_ROOM_OUT, f"{NO_ROOM}{left}; rounds in play end, and none begins.", todo)
        else:
            floor.alarms.end(LOG_ROOM_OUT)
        if self.found.state == "low":
            todo = "Move the past elsewhere (pitboss log archive), or give the log a larger disk."
            floor.alarms.ring(LOG_ROOM_LOW, f"the log's disk is nearly full{left}.", todo)
        else:
            floor.alarms.end(LOG_ROOM_LOW)
        if was_out != self.is_out:
            for host in floor.hosts.values():
                host.no_new_round = floor.no_new_round
                floor.driver.look(host)
