"""Measure the registers of a long log: how fast they are made from it beside verifying it, and how fast a page answers.

    python benchmarks/floor/registers.py [--entries 10000000] [--every 100] [--out benchmarks/floor/registers.md]

The log has acts of the kept records at 40 tables; one act in `--every` is one that a register wants. How fast a page
answers hangs on how many lines there are, not on how many entries: with `--every 3` a log of 300,000 entries has as
many lines as one of ten million with `--every 100`. Seconds are of processor time, because a machine has other work.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from store import bodies, entry_of

from pitboss.floor.host import stream_of
from pitboss.floor.model import Opening
from pitboss.floor.projections import CHECKPOINT_EVERY, Projections
from pitboss.floor.registers import FileLines, all_kept, is_looked_into
from pitboss.registers.asking import Wanted, counts, items, lines
from pitboss.registers.model import REGISTERS, Item, Line
from pitboss.rulebooks import load
from pitboss.store.log import Append, Checked, NewEntry, Part
from pitboss.store.opening import open_log
from pitboss.store.verify import verify
from pitboss.table.house import default_house

TABLES, BATCH = 40, 2_000
SHOWN = 200
"""As the page asks."""
NOW = 1_795_000_000_000


def filled(path: Path, entries: int, every: int) -> None:
    """A log of so many entries."""
    rng = random.Random(20261118)
    found = [(body, is_looked_into(body)) for body in bodies()]
    ordinary = [body for body, is_wanted in found if not is_wanted]
    wanted = [body for body, is_wanted in found if is_wanted]
    log = open_log(str(path))
    book = load("nsw-pontoon")
    opening = msgspec.json.encode(Opening(book.id, house=default_house(book)))
    names = [stream_of(f"t{number}") for number in range(TABLES)]
    for name in names:
        log.append([Append((Part(name, 0, (NewEntry("opened", opening),)),), NOW)])
    versions = dict.fromkeys(names, 1)
    for start in range(0, entries, BATCH):
        batch = Checked()
        for number in range(start, min(entries, start + BATCH)):
            name = rng.choice(names)
            body = rng.choice(wanted if number % every == 0 else ordinary)
            batch.append(Append((Part(name, versions[name], (entry_of(body),)),), NOW + 100 * number, "sam"))
            versions[name] += 1
        log.append(batch)
    log.close()


def timed(question: Callable[[], Any], clock: Callable[[], float] = time.process_time) -> float:
    began = clock()
    question()
    return clock() - began


def _page(projections: Projections, files: FileLines, wanted: Wanted) -> tuple[list[Line], list[Item]]:
    """What a page of a register asks for: its lines, and what is due in it."""
    book = all_kept(projections, files)
    return lines(book, wanted, NOW)[:SHOWN], items(book, wanted, NOW)[:SHOWN]


def pages(projections: Projections, files: FileLines, clock: Callable[[], float]) -> list[tuple[float, str]]:
    """Seconds for the overview, each register searched and unsearched, and the notices; each three times."""
    asked: dict[str, Callable[[], Any]] = {
        "the overview": lambda: counts(all_kept(projections, files), NOW),
        "notices": lambda: items(all_kept(projections, files), Wanted(due=True), NOW, notices=True)[:200],
    }
    for name in ("", *REGISTERS):
        for search in ("", "alice 17"):
            page = f"{name or 'all registers'}{', searched' if search else ''}"
            asked[page] = partial(_page, projections, files, Wanted(name, search))
    return [(timed(question, clock), f"{page}, time {turn}") for page, question in asked.items() for turn in (1, 2, 3)]


def _median(seconds: list[tuple[float, str]]) -> float:
    return 1000 * statistics.median(each for each, _ in seconds)


def _rate(chosen: argparse.Namespace, seconds: float) -> str:
    return f"{chosen.entries / seconds:,.0f} entries/s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=10_000_000)
    parser.add_argument("--every", type=int, default=100)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    load_before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log.db")
        filled(path, chosen.entries, chosen.every)
        log = open_log(str(path))
        projections, files = Projections(log), FileLines(log)
        scanned = timed(lambda: all_kept(projections, files))
        projections.settle()
        verified = timed(lambda: verify(log))
        found = all_kept(projections, files)
        known = sum(map(len, found.lines.values()))
        seconds = pages(projections, files, time.process_time)
        by_the_clock = pages(projections, files, time.perf_counter)
        again = timed(lambda: all_kept(Projections(log), FileLines(log)))
        log.close()
    told = f"""# The registers of a long log

`python benchmarks/floor/registers.py --entries {chosen.entries} --every {chosen.every}`: {chosen.entries:,} entries
at {TABLES} tables, {known:,} lines and {len(found.items):,} items. {os.cpu_count()} processors, load
{load_before:.1f} before,
Python {platform.python_version()}; seconds of processor time.

| measured | |
| --- | ---: |
| made from the first entry: what scanning would cost every time | {scanned:.2f} s, {_rate(chosen, scanned)} |
| the same log verified | {verified:.2f} s, {_rate(chosen, verified)} |
| taken up from its checkpoint by another process, to its first answer | {1000 * again:.0f} ms |
| a page, median | {_median(seconds):.1f} ms |
| a page, the slowest of {len(seconds)} ({max(seconds)[1]}) | {1000 * max(seconds)[0]:.0f} ms |
| by the clock: median | {_median(by_the_clock):.1f} ms |
| by the clock: the slowest ({max(by_the_clock)[1]}) | {1000 * max(by_the_clock)[0]:.0f} ms |

A checkpoint is left when {CHECKPOINT_EVERY:,} entries have come since the last.
"""
    print(told)
    if chosen.out:
        chosen.out.write_text(told, encoding="utf-8")


if __name__ == "__main__":
    main()
