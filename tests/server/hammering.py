"""Clients who never give up: they repeat what was not answered, follow a table that moves, and remember every answer.

`check` then asks the log whether all that was acknowledged is in it, once, in an order that the engine agrees to.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from typing import Any

from pitboss.floor.frozen import opened
from pitboss.floor.host import decode_act, decode_opening, ends_round
from pitboss.store.opening import open_log
from pitboss.table.apply import evolve
from pitboss.table.engine import decide
from tests.server.running import Client, Running


class Hammer:
    """Some players at some tables, for as long as the test wants."""

    def __init__(
        self,
        servers: list[Running],
        tables: list[str],
        tokens: dict[str, str],
        *,
        pause: float = 0.0,
        pairs: list[tuple[str, str]] | None = None,
    ) -> None:
        self.pairs = pairs or [(name, table) for name in tokens for table in tables]
        """Who plays at which table."""
        self.servers = servers
        self.tables = tables
        self.tokens = tokens
        self.pause = pause
        self.acknowledged: dict[str, tuple[str, int]] = {}
        """By "name/command": the table and the version that was answered."""
        self.retries = 0
        self.moves = 0
        self.stopped = False
        self.where: dict[str, str] = {}
        """At which server's address each table was last found."""

    async def run(self, seconds: float, disturb: Any = None) -> None:
        """Hammer for so long while `disturb` (a coroutine) does its worst."""
        players = [
            asyncio.create_task(self._player(name, self.tokens[name], table, number))
            for number, (name, table) in enumerate(self.pairs)
        ]
        try:
            if disturb is not None:
                await disturb
            else:
                await asyncio.sleep(seconds)
        finally:
            self.stopped = True
            done, pending = await asyncio.wait(players, timeout=60)
            for task in pending:
                task.cancel()
        assert not pending, "somebody never got an answer"
        for task in done:
            task.result()

    async def _player(self, name: str, token: str, table: str, seed: int) -> None:
        rng = random.Random(f"{name}{table}{seed}")
        turn, seen = 0, 0
        while not self.stopped:
            server = self._server(table)
            try:
                async with server.socket(token, open_timeout=2, close_timeout=0.1, ping_interval=None) as socket:
                    client = Client(socket)
                    await self._find(client, table, seen)
                    while not self.stopped:
                        turn = await self._act(client, name, table, turn, rng)
                        if self.pause:
                            await asyncio.sleep(self.pause * rng.random())
                    seen = client.updates.get(table, {}).get("version", seen)
            except _Elsewhere as moved:
                self.moves += 1
                if moved.address:
                    self.where[table] = moved.address
                else:
                    await asyncio.sleep(0.05)
            except (OSError, TimeoutError, asyncio.CancelledError, Exception) as error:
                if isinstance(error, AssertionError):
                    raise
                self.retries += 1
                self.where.pop(table, None)
                await asyncio.sleep(0.02 + 0.1 * rng.random())

    def _server(self, table: str) -> Running:
        port = self.where.get(table, "").rpartition(":")[2]
        for server in self.servers:
            if str(server.port) == port:
                return server
        return random.choice(self.servers)

    async def _find(self, client: Client, table: str, seen: int) -> None:
        await client.say(do="watch", table=table, after=seen or None, id="w")
        await client.until(lambda: table in client.updates or client.others or client.lost, 3)
        self._elsewhere(client, table)
        if client.lost or table not in client.updates:
            raise OSError("not watching")

    def _elsewhere(self, client: Client, table: str) -> None:
        for said in client.others:
            if said["is"] == "moved" and said["table"] == table:
                raise _Elsewhere(said["address"])
            if said["is"] in ("gone", "lost"):
                raise OSError("gone")

    async def _act(self, client: Client, name: str, table: str, turn: int, rng: random.Random) -> int:
        """One act, said again under the same id until it is answered for good."""
        command = f"{table}-{turn}"
        choice = random.Random(f"{name}{command}")
        act: dict[str, Any] = {
            "act": choice.choice(("TakeSeat", "TakeSeat", "PlaceWager", "WithdrawWager", "LeaveTable"))
        }
        if act["act"] != "LeaveTable":
            act["box"] = choice.randint(1, 7)
        if act["act"] == "PlaceWager":
            act["cents"] = 500
        answer = await asyncio.wait_for(client.act(table, act, command), 5)
        self._elsewhere(client, table)
        if answer["is"] == "accepted":
            key = f"{name}/{command}"
            known = self.acknowledged.setdefault(key, (table, answer["version"]))
            assert known == (table, answer["version"]), "two answers to one command"
        elif answer["is"] == "moved":
            raise _Elsewhere(answer["address"])
        elif answer["is"] == "halted":
            raise OSError("halted")
        else:
            assert answer["is"] == "refused", answer
        return turn + 1


class _Elsewhere(Exception):
    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


def check(url: str, hammer: Hammer) -> dict[str, int]:
    """Nothing lost, nothing twice, no fork and no gap; gives how many entries each table has."""
    log = open_log(url, create=False)
    with contextlib.closing(log):
        sizes = {}
        commands: dict[str, tuple[str, int]] = {}
        for table in hammer.tables:
            entries = list(log.read(f"table:{table}"))
            assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
            state = opened(decode_opening(entries[0].body))
            for entry in entries[1:]:
                said = decode_act(entry.body)
                assert decide(state, said.act) == said.events, (table, entry.version)
                state = evolve(state, said.events)
                assert not ends_round(said.events)
                if entry.command:
                    assert entry.command not in commands, "done twice"
                    commands[entry.command] = (table, entry.version)
            sizes[table] = len(entries)
        lost = {key: place for key, place in hammer.acknowledged.items() if commands.get(key) != place}
        assert not lost, f"acknowledged and not in the log: {dict(list(lost.items())[:5])}"
        return sizes
