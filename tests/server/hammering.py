"""Clients who never give up. They play whole rounds, repeat what was not answered, say things twice and on two sockets,
are cut off and come back, follow a table that moves, and remember everything that they were told.

`tests/server/proving.py` then holds what they remember against the log.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import partial
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.server.proving import as_told, check
from tests.server.running import Client, Running, socket_at

__all__ = ["Hammer", "Person", "check"]

BETWEEN_ROUNDS = frozenset({"TakeSeat", "LeaveTable", "WithdrawWager"})
WATCHERS = frozenset({"inspector", "gaming-manager", "tournament-manager"})
"""Roles that look and do nothing here."""
PICTURES = 10
"""Updates, picked at random, that each person keeps whole; the last is kept besides."""
PATIENT_SECONDS, IMPATIENT_SECONDS = 25.0, 3.0
"""How long somebody waits for an answer, or at a door, before he tries another server."""

Life = tuple[int, int]
"""One process: its port, and how many had that port before it."""


class Hammer:
    """Some people at some tables, for as long as the test wants."""

    def __init__(
        self,
        servers: list[Running],
        tables: list[str],
        tokens: dict[str, str],
        *,
        staff: Sequence[tuple[str, str]] = (),
        pause: float = 0.0,
        cuts: float = 0.01,
        nasty: float = 1.0,
        end_seconds: float = 30.0,
        pairs: Iterable[tuple[str, str]] | None = None,
        boxes: Sequence[int] = range(1, 8),
    ) -> None:
        """`tokens` are players' by name; `staff` are roles with tokens, each of whom goes to every table."""
        self.boxes = boxes
        """On which players wager."""
        self.servers = servers
        self.tables = tables
        self.pause = pause
        self.cuts = cuts
        """How often a socket is cut off, of all turns."""
        self.nasty = nasty
        """How many of the acts are said twice, on two sockets, or without waiting for the answer, of those that may."""
        self.end_seconds = end_seconds
        """How long everybody has to get his last answer, and to hear the end."""
        self.asked: dict[str, dict[str, Any]] = {}
        """By "name/command": the act."""
        self.acknowledged: dict[str, tuple[str, int]] = {}
        """By "name/command": the table and the version that was answered."""
        self.turned_down: set[str] = set()
        """Commands that were refused or denied, and not accepted by another process later."""
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []
        """What somebody was told that cannot be."""
        self.stopped = False
        self.final: dict[str, int] | None = None
        """The versions that everybody still waits for before he goes."""
        self._token = next(iter(tokens.values()))
        self._same: dict[bytes, bytes] = {}
        self._lives: dict[int, list[int]] = {}
        """By port: the processes that were seen there, one after the other."""
        numbers = itertools.count()
        players = pairs or [(name, table) for name in tokens for table in tables]
        self.people = [Person(self, name, "player", tokens[name], table, next(numbers)) for name, table in players]
        for role, token in staff:
            self.people += [Person(self, f"demo-{role}", role, token, table, next(numbers)) for table in tables]

    @property
    def retries(self) -> int:
        return self.counts["lost"]

    @property
    def moves(self) -> int:
        return self.counts["moved"]

    @property
    def addresses(self) -> list[str]:
        return [server.address for server in self.servers]

    def life_at(self, address: str) -> Life:
        """Who answers at an address now: a server that was killed and started again remembers nothing of before."""
        server = next(each for each in self.servers if address.endswith(f":{each.port}"))
        lives = self._lives.setdefault(server.port, [])
        if server.process.pid not in lives:
            lives.append(server.process.pid)
        is_next = server.process.poll() is not None  # the next one is there before we are told of it
        return server.port, len(lives) if is_next else len(lives) - 1

    def same(self, event: dict[str, Any]) -> bytes:
        """All of an event as it was told, kept once however many were told it."""
        text = as_told(event)
        return self._same.setdefault(text, text)

    def waited(self, seconds: float) -> None:
        """So long somebody waited for an answer."""

    def heard(self, kind: str) -> int:
        """How many events of a kind anybody was told."""
        return sum(f'"event":"{kind}"'.encode() in text for text in self._same)

    async def run(self, seconds: float, disturb: Coroutine[Any, Any, None] | None = None) -> None:
        """Hammer for so long, or while `disturb` does its worst; then everybody hears the story to its end."""
        playing = [asyncio.create_task(person.run()) for person in self.people]
        work = asyncio.create_task(disturb if disturb is not None else asyncio.sleep(seconds))
        try:
            await asyncio.wait((work, *playing), return_when=asyncio.FIRST_COMPLETED)
            _raise_from(playing)
            await work
            self.stopped = True
            await self._all(playing, lambda person: person.waiting is None, "got no answer")
            self.final = await asyncio.to_thread(self._versions)
            await self._all(playing, lambda person: person.is_over, "was not told everything")
        finally:
            for task in (work, *playing):
                task.cancel()
            await asyncio.gather(work, *playing, return_exceptions=True)
        assert not self.wrong, f"{len(self.wrong)} things are wrong, the first of them: " + "; ".join(self.wrong[:5])

    async def _all(self, playing: list[asyncio.Task[None]], holds: Callable[[Person], bool], otherwise: str) -> None:
        end = asyncio.get_running_loop().time() + self.end_seconds
        while not all(map(holds, self.people)):
            _raise_from(playing)
            left = [str(person) for person in self.people if not holds(person)]
            late = asyncio.get_running_loop().time() > end
            outside = sum(not person.is_inside for person in self.people)
            assert not late, (
                f"{len(left)} of {len(self.people)} {otherwise} in {self.end_seconds} seconds, "
                f"with {outside} before the door: {left[:3]}"
            )
            await asyncio.sleep(0.05)

    def _versions(self) -> dict[str, int]:
        """How far each table is, as its owner says."""
        found: dict[str, int] = {}
        for table in self.tables:
            for server in itertools.islice(itertools.cycle(self.servers), 200):
                status, shown = server.ask("GET", f"/api/tables/{table}", token=self._token)
                if status == 200:
                    found[table] = shown["version"]
                    break
        assert set(found) == set(self.tables), f"nobody shows {sorted(set(self.tables) - set(found))[:5]}"
        return found


def _raise_from(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        if task.done():
            task.result()


class _Elsewhere(Exception):
    """Another server has the table."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


class _Cut(Exception):
    """We cut our own socket off."""


class Person:
    """Somebody at one table, over many sockets and perhaps several servers."""

    def __init__(self, hammer: Hammer, name: str, role: str, token: str, table: str, number: int) -> None:
        self.hammer = hammer
        self.name, self.role, self.token, self.table = name, role, token, table
        self.number = number
        self.rng = random.Random(f"{name}/{table}/{number}")
        self.address = ""
        """Of the server that he believes to have the table."""
        self.servers: list[str] = []
        """Where else the floor is, as he was told."""
        self.journey: list[tuple[str, str]] = []
        """From where to where he was told to go."""
        self.joined: int | None = None
        """The version at which he came first."""
        self.seen = 0
        self.told: list[tuple[int, int, bytes]] = []
        """Version, number within its act, and all of each event."""
        self.pictures: dict[int, dict[str, Any]] = {}
        self.now: dict[str, Any] = {}
        """The last update."""
        self.waiting: tuple[str, dict[str, Any]] | None = None
        """A command that has no answer yet, and its act."""
        self.is_over = False
        self.is_inside = False
        """Whether he has a socket; a server lets only so many in a second from one address."""
        self._turn = 0
        self._updates = 0
        self._lagged = False
        self._sent_away = 0
        self._answered: dict[str, tuple[Life, dict[str, Any]]] = {}
        """By command: who answered last, and what."""

    def __str__(self) -> str:
        what = f", who asks {self.waiting[0]}," if self.waiting is not None else ""
        return (
            f"{self.name} ({self.role}, {self.number}){what} at version {self.seen} of {self.table} of {self.address}"
        )

    @property
    def patience(self) -> float:
        """Where there is another server, most do not wait until one that sleeps wakes up and tells them where to go."""
        alone = len(self.hammer.servers) == 1
        return PATIENT_SECONDS if alone or self.number % 3 == 0 else IMPATIENT_SECONDS

    # --- coming, staying, and coming again ---

    async def run(self) -> None:
        counts = self.hammer.counts
        while not self.is_over:
            try:
                self.is_inside = False
                async with self._socket() as socket:
                    self.is_inside = True
                    client = self._client(socket)
                    await self._watch(client)
                    while not self.is_over:
                        await self._take_a_turn(client)
            except _Elsewhere as moved:
                counts["moved"] += 1
                if moved.address:
                    self.journey.append((self.address, moved.address))
                    self.address = moved.address
                await self._wait_a_little()
            except _Cut:
                counts["cut"] += 1
            except (OSError, TimeoutError, WebSocketException):
                counts["lost"] += 1
                self.address = self._another()
                await self._wait_a_little()

    async def _wait_a_little(self) -> None:
        """Longer and longer, while he is sent away everywhere: nobody is to be overrun."""
        await asyncio.sleep(min(1.0, 0.03 * 2**self._sent_away) * (0.75 + 0.5 * self.rng.random()))
        self._sent_away += 1

    def _socket(self) -> connect:
        if not self.address:
            self.address = self.rng.choice(self.hammer.addresses)
        return socket_at(self.address, self.token, open_timeout=self.patience, close_timeout=0.1, ping_interval=None)

    def _client(self, socket: ClientConnection) -> Client:
        return Client(socket, partial(self._hear, self.hammer.life_at(self.address)))

    def _another(self) -> str:
        """Where else the floor is, as a server told him; where none did, he tries all that there are."""
        self.hammer.counts["knew" if self.servers else "guessed"] += 1
        return self.rng.choice(self.servers or self.hammer.addresses)

    async def _watch(self, client: Client) -> None:
        """Watch from where he was."""
        self._lagged = False
        before = self._updates
        await client.say(do="watch", table=self.table, after=None if self.joined is None else self.seen, id="w")
        async with asyncio.timeout(self.patience):
            while self._updates == before:
                self._look(client)
                await client.news(0.5)

    def _look(self, client: Client) -> None:
        """What the socket said besides updates and answers."""
        for said in client.others:
            if said["is"] == "moved" and said["table"] == self.table:
                raise _Elsewhere(said["address"])
            if said["is"] in ("gone", "lost") or (said["is"] == "answer" and said["answer"]["is"] == "halted"):
                raise OSError(str(said))
            if said["is"] == "answer" and said["id"] == "w" and said["answer"]["is"] == "moved":
                raise _Elsewhere(said["answer"]["address"])
            if said["is"] not in ("pong", "answer", "servers"):
                self._wrong(f"was told {said}")
        client.others.clear()
        if client.lost:
            raise OSError("the socket is gone")
        if self._lagged:
            self.hammer.counts["lagged"] += 1
            raise _Cut

    async def _take_a_turn(self, client: Client) -> None:
        self._look(client)
        if self.waiting is None and not self.hammer.stopped:
            act = self._choose()
            if act is not None:
                self.waiting = (f"{self.table}-{self.number}-{self._turn}", act)
                self.hammer.asked[f"{self.name}/{self.waiting[0]}"] = act
                self._turn += 1
        if self.waiting is not None:
            await self._ask(client, *self.waiting)
        else:
            await client.news(0.2)
        final = self.hammer.final
        self.is_over = final is not None and self.seen >= final[self.table]
        if self.rng.random() < self.hammer.cuts and not self.hammer.stopped:
            client.socket.transport.abort()
            raise _Cut
        if self.hammer.pause:
            await asyncio.sleep(self.hammer.pause * self.rng.random())

    # --- asking ---

    async def _ask(self, client: Client, command: str, act: dict[str, Any]) -> None:
        """Ask once, twice at once, on two sockets, or without waiting for the answer; then say it again and again."""
        how = self.rng.random() if self.rng.random() < self.hammer.nasty else 1.0
        counts = self.hammer.counts
        if how < 0.05 and not self.hammer.stopped:
            counts["unheard"] += 1
            await client.say(do="act", table=self.table, id=command, act=act)
            await asyncio.sleep(self.rng.choice((0, 0, 0.003, 0.02)))
            client.socket.transport.abort()
            raise _Cut
        if how < 0.20:
            counts["twice"] += 1
            await client.say(do="act", table=self.table, id=command, act=act)
        asking = [client.act(self.table, act, command)]
        if 0.20 <= how < 0.25:
            counts["two sockets"] += 1
            asking.append(self._ask_elsewhere(command, act))
        began = time.perf_counter()
        async with asyncio.timeout(self.patience):
            answer, *_ = await asyncio.gather(*asking)
        self.hammer.waited(time.perf_counter() - began)
        if answer["is"] == "moved":
            raise _Elsewhere(answer["address"])
        if answer["is"] == "halted":
            counts["halted"] += 1
            raise OSError(answer["text"])
        self.waiting = None
        if 0.25 <= how < 0.30:
            counts["again"] += 1
            await client.say(do="act", table=self.table, id=command, act=act)

    async def _ask_elsewhere(self, command: str, act: dict[str, Any]) -> dict[str, Any]:
        """The same on a second socket, which may come too late or not at all."""
        try:
            async with socket_at(self.address, self.token, open_timeout=2, close_timeout=0.1) as socket:
                other = self._client(socket)
                return await asyncio.wait_for(other.act(self.table, act, command), 3)
        except (OSError, TimeoutError, WebSocketException):
            return {}

    def _choose(self) -> dict[str, Any] | None:
        """Something to do now, mostly legal; None where there is nothing to say."""
        if not self.now or self.role in WATCHERS:
            return None
        legal = self.now["legal"]
        what = self.now["waiting"]["what"]
        if self.role != "player":
            usual = [act for act in legal if act["act"] != "Deal" or self.rng.random() < 0.2]
            wanted = [act for act in usual if act["act"] != "Cut" or self.role == "supervisor"]
            if self.now["link"] and self.role == "supervisor" and self.rng.random() < 0.1:
                return {"act": "OrderShuffle", "reason": "doubt"}
            return self.rng.choice(wanted) if wanted else None
        decisions = [act for act in legal if act["act"] not in BETWEEN_ROUNDS]
        if decisions and self.rng.random() < 0.95:
            return dict(self.rng.choice(decisions))
        if what == "wagers" and self.rng.random() < 0.9:
            return self._between_rounds(legal)
        if self.rng.random() < 0.1:
            return {"act": self.rng.choice(("Hit", "Stand", "Double", "TakeSeat")), "box": self.rng.randint(1, 7)}
        return None

    def _between_rounds(self, legal: list[dict[str, Any]]) -> dict[str, Any] | None:
        if legal and self.rng.random() < 0.15:
            return dict(self.rng.choice(legal))
        view = self.now["view"]
        own = [box["box"] for box in view["boxes"] if self.name in box["wagers"]]
        if not own:
            box, cents = self.rng.choice(self.hammer.boxes), self.rng.choice((500, 1000, 2500))
            return {"act": "PlaceWager", "box": box, "cents": cents}
        kinds = view["sign"]["side_bets"]
        if kinds and self.rng.random() < (0.9 if self.now["link"] else 0.3):
            kind = self.rng.choice(kinds)
            return {"act": "PlaceWager", "box": self.rng.choice(own), "cents": 500, "kind": kind}
        return None

    # --- hearing ---

    def _hear(self, life: Life, said: dict[str, Any]) -> None:
        if said["is"] == "update":
            self._updates += 1
            self._sent_away = 0
            self._take_in(said)
        elif said["is"] == "servers":
            self.servers = said["addresses"]
        elif said["is"] == "answer" and said["id"] != "w":
            self._note(life, said["id"], said["answer"])

    def _take_in(self, update: dict[str, Any]) -> None:
        """Each event comes once and in order, none is left out, and the table never goes back."""
        version, events = update["version"], update["events"]
        if self.joined is None:
            self.joined = self.seen = version
        if self._lagged:
            return
        if update["missed"]:
            self._lagged = True  # he comes again and asks for what is missing
            return
        if version < self.seen:
            self._wrong(f"knows version {self.seen}, and is shown {version} by {self.address}")
            return
        for event in events:
            place = (event["version"], event["n"])
            if not self.seen < place[0] <= version or (self.told and self.told[-1][:2] >= place):
                self._wrong(f"knows version {self.seen}, and is told of {place} with version {version}")
            self.told.append((*place, self.hammer.same(event)))
        self.seen = version
        self.now = update | {"events": []}
        if len(self.pictures) < PICTURES or self.rng.random() < PICTURES / self._updates:
            self.pictures[version] = self.now
            if len(self.pictures) > PICTURES:
                del self.pictures[self.rng.choice(list(self.pictures))]

    def _note(self, life: Life, command: str, answer: dict[str, Any]) -> None:
        """One answer to one command, however often it was asked.

        But what was turned down is not written down: another process that is asked the same decides it anew.
        """
        key = f"{self.name}/{command}"
        kind = answer["is"]
        if kind in ("moved", "halted"):
            return
        if kind not in ("accepted", "refused", "denied"):
            self._wrong(f"is answered {answer} to {self.hammer.asked[key]}")
            return
        who, before = self._answered.get(command, (life, answer))
        if before != answer:
            if before["is"] == "accepted" or who == life:
                self._wrong(f"got two answers to {command}: {before} of {who} and {answer} of {life}")
            else:
                self.hammer.counts["decided anew"] += 1
        self._answered[command] = life, answer
        self.hammer.counts[kind] += 1
        if kind == "accepted":
            self.hammer.acknowledged[key] = (self.table, answer["version"])
            self.hammer.turned_down.discard(key)
        else:
            self.hammer.turned_down.add(key)

    def _wrong(self, text: str) -> None:
        self.hammer.wrong.append(f"{self}: {text}")
