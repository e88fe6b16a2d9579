"""Two servers on one PostgreSQL log, and what can happen to them while people play: killed, put to sleep, stopped."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from typing import Any, Self

from tests.server.hammering import Hammer
from tests.server.running import Running

LEASE_SECONDS = 2.0
"""So long a table stands still when its server dies."""
STAFF = ("dealer", "dealer", "supervisor", "inspector")
IN_PLAY = ("dealing", "insurance", "interim", "surrender", "play")


class Cluster:
    """Two servers, and the floor that they share."""

    def __init__(self, url: str, *more: str, module: str = "pitboss") -> None:
        self.url = url
        self._more, self._module = ("--empty", *more), module
        self.servers = [self._start()]
        self.servers.append(self._start())
        self.tables: list[str] = []
        self.supervisor = self.servers[0].guest(role="supervisor")
        self.takeovers: list[dict[str, Any]] = []
        """What happened, to how many tables, how many of them in play, and how long they stood still."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for server in self.servers:
            server.kill()

    def _start(self, port: int = 0) -> Running:
        return Running(self.url, *self._more, port=port, module=self._module)

    def people(self, players: int, staff: Sequence[str] = STAFF) -> tuple[dict[str, str], list[tuple[str, str]]]:
        """Sessions of players and of staff, which hold at both servers."""
        one = self.servers[0]
        return (
            {f"nina{number}": one.guest(f"nina{number}") for number in range(players)},
            [(role, one.guest(role=role)) for role in staff],
        )

    def open(self, path: str, name: str, opening: dict[str, Any], at: int = 0) -> None:
        """Open a table or a link at one of the servers."""
        kind = "link" if path == "/api/links" else "table"
        body = {"id": f"open-{name}", kind: name, "opening": opening}
        status, answer = self.servers[at].ask("POST", path, body, self.supervisor)
        while status in (429, 503):
            time.sleep(0.5)
            status, answer = self.servers[at].ask("POST", path, body, self.supervisor)
        assert status == 200, answer
        if kind == "table":
            self.tables.append(name)

    # --- who owns what ---

    def owned(self, server: int) -> dict[str, dict[str, Any]]:
        """The tables that a server has now, as it says itself."""
        status, rows = self.servers[server].ask("GET", "/api/tables", token=self.supervisor)
        while status == 429:
            time.sleep(0.2)
            status, rows = self.servers[server].ask("GET", "/api/tables", token=self.supervisor)
        assert status == 200, rows
        return {row["table"]: row for row in rows if row["here"]}

    async def _until_in_play(self, seconds: float = 20) -> tuple[int, dict[str, dict[str, Any]]]:
        """A server with a table in the middle of a round, and all that it has."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for number in random.sample(range(2), 2):
                rows = await asyncio.to_thread(self.owned, number)
                if any(row["phase"] in IN_PLAY for row in rows.values()):
                    return number, rows
            await asyncio.sleep(0.15)  # what we ask counts towards what one address may
        raise AssertionError(f"no round was dealt in {seconds} seconds")

    async def _until_taken(self, by: int, tables: set[str], seconds: float = 20) -> None:
        end = time.monotonic() + seconds
        left = tables
        while left:
            assert time.monotonic() < end, f"nobody took {sorted(left)} in {seconds} seconds"
            await asyncio.sleep(0.1)
            left = tables - set(await asyncio.to_thread(self.owned, by))

    # --- what happens to them ---

    async def take_over(self, how: str, rng: random.Random) -> None:
        """In the middle of a round a server is killed or paused; the other has its tables before it comes back."""
        victim, rows = await self._until_in_play()
        server, other = self.servers[victim], 1 - victim
        began = time.monotonic()
        if how == "kill":
            server.kill()
        else:
            server.pause()
        await self._until_taken(other, set(rows))
        gap = time.monotonic() - began
        if how == "kill":
            self.servers[victim] = await asyncio.to_thread(self._start, server.port)
        else:
            await asyncio.sleep(1.5 * rng.random())
            server.resume()
        playing = sum(row["phase"] in IN_PLAY for row in rows.values())
        self.takeovers.append({"how": how, "tables": len(rows), "in play": playing, "seconds": gap})
        await asyncio.sleep(1 + 2 * rng.random())


def followed(hammer: Hammer) -> int:
    """How often somebody was told by one server to go to the other, and went on there."""
    return sum(len(person.journey) for person in hammer.people)
