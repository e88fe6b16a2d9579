"""New limits that a sign announced take effect at its minute (NSW pontoon 6.5): the floor itself carries them out.

Whoever put the sign up has decided it, with a second person where the change is large. The sign stands in the table's
stream, so that after a restart, or in another process, whoever has the table then goes on waiting for its minute; the
act takes the sign down, so that it is carried out once.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pitboss.floor.model import HOUSE, Accepted, Answer
from pitboss.table.acts import SetLimits
from pitboss.table.patrons_book import LIMITS
from pitboss.table.roles import STAFF
from pitboss.table.state import Sign, Table

if TYPE_CHECKING:
    from pitboss.floor.floor import Floor
    from pitboss.floor.host import Host

AGAIN_SECONDS = 30.0
"""So often a sign is looked at: clocks are put right, and a table may refuse new limits for a while."""
MINUTE_MS = 60_000


class Signs:
    """The signs with new limits at the tables of this process."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._timers: dict[Host, asyncio.TimerHandle] = {}
        self._asked: set[Host] = set()

    def look(self, host: Host) -> None:
        """Something may have changed at a table: carry out what is due, or wait for it."""
        if not host.table.signs and host not in self._timers:
            return
        self.forget(host)
        sign = first_due(host.table)
        if sign is None or host in self._asked or host.moved_to is not None or host.closed or self._floor.stopping:
            return
        left_ms = sign.at_ms + sign.minutes * MINUTE_MS - self._floor.clock.now_ms()
        if left_ms > 0:
            self._later(host, left_ms / 1000)
        else:
            self._asked.add(host)
            host.act(HOUSE, "", new_limits(host.table, sign), lambda answer: self._answered(host, answer))

    def _later(self, host: Host, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._timers[host] = loop.call_later(min(seconds, AGAIN_SECONDS), self.look, host)

    def _answered(self, host: Host, answer: Answer) -> None:
        self._asked.discard(host)
        if isinstance(answer, Accepted):
            self.look(host)
        else:
            self.forget(host)
            self._later(host, AGAIN_SECONDS)

    def forget(self, host: Host) -> None:
        timer = self._timers.pop(host, None)
        if timer is not None:
            timer.cancel()

    def stop(self) -> None:
        for host in list(self._timers):
            self.forget(host)


def first_due(table: Table) -> Sign | None:
    """The sign about limits that takes effect first; one without a time was put up by no clock."""
    found = [sign for sign in table.signs if sign.what == LIMITS and sign.at_ms]
    return min(found, key=lambda sign: sign.at_ms + sign.minutes * MINUTE_MS, default=None)


def new_limits(table: Table, sign: Sign) -> SetLimits:
    by = table.rulebook.limits.changed_by.value
    if by not in STAFF:
        by = "casino-supervisor"  # the house, or the operator, acts through its supervisors
    return SetLimits(by, sign.minimum_cents, sign.maximum_cents, sign.kind, sign.minutes, keep_old_minimum=False)
