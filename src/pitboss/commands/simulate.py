"""`pitboss simulate`: real shoes, whole rounds, as many as it takes."""

from __future__ import annotations

import csv as csvlib
import json as jsonlib
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from cyclopts import Parameter

from pitboss.basics.money import dollars, parse_cents
from pitboss.maths.questions import known_rulebook
from pitboss.maths.shoes import MathsError

if TYPE_CHECKING:
    from pitboss.maths.simulate.game import Options
    from pitboss.maths.simulate.jobs import Job, Sums
    from pitboss.maths.simulate.play import Player
    from pitboss.maths.simulate.results import Simulated

FINE, INTERRUPTED = 0, 130
CHECKPOINT = "simulation.checkpoint.json"
LONG_SECONDS = 20
"""A run that takes longer says so, also where nobody watches a bar."""


def simulate(
    rulebook: str | None = None,
    *,
    rounds: str = "1M",
    precision: float = 0.0,
    strategy: str = "basic",
    decks: int | None = None,
    boxes: int = 1,
    source: str = "shoe",
    penetration: float | None = None,
    behind: int | None = None,
    wager: str = "10",
    side_bets: Annotated[list[str] | None, Parameter(name="--side-bets")] = None,
    side_wager: str = "5",
    jackpot: str | None = None,
    resplit: bool = False,
    set_: Annotated[list[str] | None, Parameter(name="--set")] = None,
    seed: int = 1,
    threads: int = 0,
    json: bool = False,
    csv: Path | None = None,
    parquet: Path | None = None,
    report: Path | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
) -> int:
    """Play many rounds and say what they brought.

    Each box has a player of its own who wagers the same amount every round. The same seed gives the same result,
    however many threads play it and however often it was interrupted. Ctrl-C stops a run, prints what was reached and
    keeps it in a file with which --resume goes on.

    Parameters
    ----------
    rulebook
        The rulebook's id, as in nsw-pontoon.
    rounds
        How many rounds, as in 1000000, 250k, 10M or 1e9.
    precision
        Stop sooner, once the 95% interval is this near on either side, as in 0.0005 of the wager.
    strategy
        optimal (as the exact solver plays a fresh shoe), basic (best against an endless shoe), total (by totals
        alone), mimic-dealer, random, or a strategy file.
    decks
        How many decks; without it, as many as a table opens with.
    boxes
        One to seven.
    source
        shoe, shuffling-device, or fresh: a full, newly shuffled shoe in every round.
    penetration
        What share of the shoe is dealt before the cutting card, as in 0.75.
    behind
        The same as a number of cards behind the cutting card.
    wager
        The original wager in dollars.
    side_bets
        Optional wagers that every box makes, by name, or all.
    side_wager
        What is wagered on each of them, in dollars.
    jackpot
        What the Blazing 7s jackpot stands at in every round, in dollars.
    resplit
        The house allows the re-splits that the document leaves to it (NSW 13.9).
    set_
        Change a term for study, as in --set dealer.soft_stand=17; may be given several times.
    seed
        Any whole number; another one gives other cards.
    threads
        How many threads play; without it, one for each core.
    json
        Print one JSON object.
    csv
        Write every figure to a CSV file.
    parquet
        Write every figure to a Parquet file (needs duckdb).
    report
        Write a page with plots that stands by itself, as in report.html.
    checkpoint
        Where an interrupted run is kept; without it, simulation.checkpoint.json.
    resume
        Go on with an interrupted run; everything else is as it was.
    """
    _available()
    from pitboss.maths.simulate.jobs import Job, Sums, check, make_player, read_checkpoint, run, write_checkpoint
    from pitboss.maths.simulate.results import as_json, result

    _writable(csv, parquet, report, checkpoint)
    if threads < 0:
        raise MathsError(f"{threads} threads: give a number above zero.")
    if resume is not None:
        kept = read_checkpoint(resume)
        job, done = check(kept.job), kept.done
    else:
        if rulebook is None:
            raise MathsError("simulate: say which rulebook, as in pitboss simulate nsw-pontoon.")
        options = _options(
            rulebook, set_ or [], decks, boxes, source, penetration, behind, wager, side_bets or [], side_wager,
            jackpot, resplit,
        )  # fmt: skip
        job = check(Job(rulebook, tuple(set_ or ()), options, strategy, "", _rounds(rounds), precision, seed))
        done = Sums()
    threads = threads or os.cpu_count() or 1
    with _step("compiling the game and its strategy"):
        player = make_player(job)
    with _step("compiling the kernels, once on this machine"):
        player.block(0, 0, 1)
    curve: list[tuple[int, float, float]] = []
    started = time.perf_counter()
    with _progress(job, player, done, curve) as show:
        done, interrupted = run(job, player, done, threads, show)
    seconds = time.perf_counter() - started
    kept_in = checkpoint or resume or Path(CHECKPOINT)
    if interrupted:
        write_checkpoint(kept_in, job, done)
    if not done.blocks:
        print(f"stopped   before the first block was done; nothing is lost: --resume {kept_in}", file=sys.stderr)
        return INTERRUPTED
    found = result(job, player, done)
    if csv is not None:
        _write_csv(csv, found)
    if parquet is not None:
        _write_parquet(parquet, found)
    if report is not None:
        from pitboss.maths.simulate.report import write_report

        write_report(report, found, curve)
    if json:
        print(jsonlib.dumps({**as_json(found), "interrupted": interrupted}, ensure_ascii=False))
    else:
        _print(found, seconds, threads)
    if interrupted:
        reached = f"after {found.rounds:,} of {job.rounds:,} rounds"
        print(f"stopped   {reached}. Go on with --resume {kept_in}", file=sys.stderr)
    return INTERRUPTED if interrupted else FINE


# --- what was asked for ----------------------------------------------------------------------------------------------


def _available() -> None:
    try:
        import numba
        import numpy
    except ImportError as missing:
        raise MathsError('the simulator needs numpy and numba: pip install "pitboss[maths]".') from missing
    del numba, numpy


def _writable(csv: Path | None, parquet: Path | None, report: Path | None, checkpoint: Path | None) -> None:
    """A run may take hours: what could not be written at its end is said before it begins."""
    for path in (csv, parquet, report, checkpoint):
        if path is not None and (not path.absolute().parent.is_dir() or path.is_dir()):
            raise MathsError(f"{path}: cannot be written; the folder is missing, or it is one.")
    if parquet is not None:
        _duckdb()


def _duckdb() -> Any:
    try:
        import duckdb  # type: ignore[import-not-found, unused-ignore]
    except ImportError as missing:
        raise MathsError("--parquet needs duckdb: pip install duckdb.") from missing
    return duckdb


def _rounds(text: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(?:e(\d{1,2})|([kKmMgGbB]))?", text.replace("_", "").replace(",", ""))
    if match is None:
        raise MathsError(f"--rounds {text!r} is not a number of rounds: write it as in 1000000, 250k, 10M or 1e9.")
    power = int(match[2] or 0) + {"": 0, "k": 3, "m": 6, "g": 9, "b": 9}[(match[3] or "").lower()]
    whole, _, decimals = match[1].partition(".")
    number, rest = divmod(int(whole + decimals) * int(10**power), int(10 ** len(decimals)))
    if rest or number < 1:
        raise MathsError(f"--rounds {text!r}: give a whole number of rounds above zero.")
    return number


def _options(
    rulebook: str,
    changes: list[str],
    decks: int | None,
    boxes: int,
    source: str,
    penetration: float | None,
    behind: int | None,
    wager: str,
    side_bets: list[str],
    side_wager: str,
    jackpot: str | None,
    resplit: bool,
) -> Options:
    from pitboss.maths.simulate.game import BLAZING, DEVICE, SHOE, SIDE_BETS, Options

    book = known_rulebook(rulebook, changes)
    if decks is not None and decks < 1:
        raise MathsError(f"{decks} decks: give a number from 1 to 100.")
    number = book.cards.decks_default.value if decks is None else decks
    size = number * 4 * len(book.cards.ranks.value)
    source = {"device": DEVICE}.get(source, source)
    if penetration is not None:
        if behind is not None or source != SHOE or not 0.0 < penetration < 1.0:
            raise MathsError("--penetration is a share of a shoe between 0 and 1, and goes without --behind.")
        behind = size - round(penetration * size)
    names = [name for text in side_bets for name in re.split(r"[,\s]+", text) if name]
    if "all" in names:
        names = [name for name in SIDE_BETS if name in book.side_bets and book.side_bets[name].offered.value]
        names = [name for name in names if number in book.side_bets[name].decks.value]
        blazing = book.blazing_7s
        if blazing.offered.value and number in blazing.decks.value and source == blazing.source.value:
            names.append(BLAZING)
    side_cents = parse_cents(side_wager)
    if behind is not None and behind < 0:
        raise MathsError(f"--behind {behind}: give a number of cards.")
    return Options(
        decks=number,
        source=source,
        boxes=boxes,
        wager_cents=parse_cents(wager),
        side_bets=tuple(names),
        side_cents=side_cents,
        blazing_cents=side_cents,
        jackpot_cents=0 if jackpot is None else parse_cents(jackpot),
        behind=-1 if behind is None else behind,
        resplit=resplit,
    )


# --- while it runs ---------------------------------------------------------------------------------------------------


@contextmanager
def _step(what: str) -> Iterator[None]:
    """A spinner on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


@contextmanager
def _progress(job: Job, player: Player, done: Sums, curve: list[tuple[int, float, float]]) -> Iterator[Any]:
    """How far the run is, with the mean so far and its 95% interval; on a pipe, nothing but the result."""
    from pitboss.maths.simulate.jobs import Z_95, mean_and_error
    from pitboss.maths.simulate.kernels import S_ROUNDS

    blocks = -(-job.rounds // job.block_rounds)
    wanted = {max(1, blocks * step // 200) for step in range(201)}

    def note(sums: Sums) -> tuple[float, float]:
        mean, error = mean_and_error(sums, player.game)
        if sums.blocks in wanted:
            curve.append((sums.sums[S_ROUNDS], mean, Z_95 * error))
        return mean, Z_95 * error

    if not sys.stderr.isatty():
        started, before = time.monotonic(), done.blocks
        told = False

        def warn(sums: Sums) -> None:
            nonlocal told
            note(sums)
            elapsed = time.monotonic() - started
            if not told and elapsed > 2.0:
                told = True
                left = elapsed / (sums.blocks - before) * (blocks - sums.blocks)
                if left > LONG_SECONDS:
                    most = "at most " if job.precision else ""
                    print(f"playing   {job.rounds:,} rounds, {most}about {_duration(left)} more", file=sys.stderr)

        yield warn
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True,
    )  # fmt: skip
    last = 0.0
    with bar:
        task = bar.add_task("playing", total=job.rounds, completed=done.sums[S_ROUNDS] if done.blocks else 0)

        def show(sums: Sums) -> None:
            nonlocal last
            mean, half = note(sums)
            now = time.monotonic()
            if now - last > 0.1:
                last = now
                text = f"EV {100 * mean:+.4f}% ± {100 * half:.4f}%"
                bar.update(task, completed=sums.sums[S_ROUNDS], description=text)

        yield show


def _duration(seconds: float) -> str:
    for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} seconds"


# --- what came of it -------------------------------------------------------------------------------------------------


def _print(found: Simulated, seconds: float, threads: int) -> None:
    half = 100 * (found.confidence_95[1] - found.ev)
    risk = _percent(found.element_of_risk)
    behind = f", {found.cards_behind} cards behind the cutting card" if found.source == "shoe" else ""
    plural = "" if found.boxes == 1 else "es"
    print(f"{found.name}, {found.decks} decks from a {found.source}{behind}")
    print(f"{found.boxes} box{plural} of {dollars(found.wager_cents)}, strategy {found.strategy}, seed {found.seed}")
    print(f"{found.rounds:,} rounds, {found.shoes:,} shuffles, {found.cards_per_round:.3f} cards a round")
    print()
    print(f"  value of an original wager   {_percent(found.ev):>11}   ± {half:.4f}% (95%)")
    print(f"  house edge                   {_percent(found.house_edge):>11}")
    spread, error = found.standard_deviation, found.standard_error
    print(f"  standard deviation           {spread:>10.4f}    standard error {error:.6f}")
    print(f"  average total wagered        {found.total_wagered:>10.4f}    element of risk {risk}")
    print(f"  doubles, splits              {found.doubles:>10.4f}    {found.splits:.4f} for each original wager")
    print(f"  dealer natural, bust         {found.dealer_natural:>10.4f}    {found.dealer_bust:.4f} of the rounds")
    if found.ran_out:
        print(f"  rounds that ran out of cards {found.ran_out:>10,}")
    print()
    print(f"  {'how hands ended':<38}{'number':>15}{'of wagers':>11}{'contribution':>13}")
    for outcome in found.outcomes:
        share, value = _percent(outcome.frequency, ""), _percent(outcome.contribution)
        print(f"    {outcome.name:<38}{outcome.count:>13,}{share:>11}{value:>13}"[:100])
    for extra in found.extras:
        print()
        each = "of what was wagered" if extra.wagered_cents else "of the original wager"
        about = f"± {100 * 1.96 * extra.standard_error:.4f}%"
        print(f"  {extra.name:<28} {_percent(extra.ev):>11}   {about} {each}")
        for kind, count in extra.counts.items():
            print(f"    {kind:<38}{count:>13,}")
    if found.extras and (found.ev_with_extras != found.ev):
        print()
        print(f"  everything together          {_percent(found.ev_with_extras):>11}   of the original wagers")
    if sys.stderr.isatty():
        rate = found.rounds / seconds / 1e6 if seconds else 0.0
        print(f"{seconds:.1f} s, {threads} threads, {rate:.1f} million rounds a second", file=sys.stderr)


def _percent(value: float, sign: str = "+") -> str:
    return f"{100 * value:{sign}.4f}%"


def _write_csv(path: Path, found: Simulated) -> None:
    from pitboss.maths.simulate.results import as_rows

    rows = as_rows(found)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csvlib.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def _write_parquet(path: Path, found: Simulated) -> None:
    import tempfile

    from pitboss.maths.simulate.results import as_rows

    rows = as_rows(found)
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(msgspec.json.encode(rows))
        file.flush()
        target = str(path).replace("'", "''")
        _duckdb().sql(f"COPY (SELECT * FROM read_json_auto('{file.name}')) TO '{target}' (FORMAT parquet)")
