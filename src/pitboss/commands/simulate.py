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
from pitboss.commands import rulebook_id
from pitboss.commands.options import AsJson, Resplit, SetForStudy
from pitboss.maths.questions import known_rulebook
from pitboss.maths.shoes import MathsError

if TYPE_CHECKING:
    from pitboss.maths.simulate.game import Options
    from pitboss.maths.simulate.jobs import Job, Sums
    from pitboss.maths.simulate.play import Player
    from pitboss.maths.simulate.results import Counted, Ruin, Simulated

FINE, INTERRUPTED = 0, 130
CHECKPOINT = "simulation.checkpoint.json"
KEPT_EVERY_SECONDS = 30
RARE = 200
"""Counts that fewer rounds than one in so many begin with are told together with their neighbours."""
LONG_SECONDS = 20
"""A run that takes longer says so, also where nobody watches a bar."""


def simulate(
    rulebook: str | None = None,
    *,
    rounds: str = "1M",
    precision: float | None = None,
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
    minimum: str | None = None,
    maximum: str | None = None,
    multiples: bool = False,
    chips: str | None = None,
    count: Path | None = None,
    bankroll: str | None = None,
    trip: str = "1000",
    goal: str | None = None,
    resplit: Resplit = False,
    set_: SetForStudy = None,
    seed: int = 1,
    threads: int = 0,
    cluster: str | None = None,
    json: AsJson = False,
    csv: Path | None = None,
    parquet: Path | None = None,
    report: Path | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
) -> int:
    """Play many rounds and report the results.

    Each box has a player of its own who wagers the same amount every round, or what the count says. The same seed gives
    the same result, whatever the number of threads, machines or interruptions. Ctrl-C stops a run, prints the results
    so far and saves them so that --resume can continue.

    Parameters
    ----------
    rulebook
        The rulebook's id, as in nsw-pontoon.
    rounds
        How many rounds, as in 1000000, 250k, 10M or 1e9.
    precision
        Stop early once the 95% interval is this narrow on either side, as in 0.0005 of the wager.
    strategy
        optimal (as the exact solver plays a fresh shoe), basic (best against an infinite shoe), total (by totals
        alone), mimic-dealer, random, or a strategy file.
    decks
        How many decks; by default, as many as a table opens with.
    boxes
        One to seven.
    source
        shoe, shuffling-device, or fresh: a full, newly shuffled shoe in every round.
    penetration
        The share of the shoe dealt before the cutting card, as in 0.75.
    behind
        The same as a number of cards behind the cutting card.
    wager
        The original wager in dollars.
    side_bets
        Optional wagers that every box makes, by name, or all.
    side_wager
        The wager on each of them, in dollars.
    jackpot
        The Blazing 7s jackpot in every round, in dollars.
    minimum
        The table minimum, in dollars.
    maximum
        The table maximum; a wager or ramp step outside the limits is refused.
    multiples
        Wagers should be multiples of the minimum: others may be paid rounded down (NSW 5.10).
    chips
        The chips in the float, in dollars, as in 1,2.50,5,25,100: payments are rounded to what they can make.
    count
        A file that says how cards are counted, what to wager at each count, and which decisions change.
    bankroll
        The player's bankroll for a trip, in dollars: reports how often it runs out.
    trip
        How many rounds a trip with a bankroll lasts.
    goal
        The bankroll at which the player leaves, in dollars.
    seed
        Any whole number; a different one gives different cards.
    threads
        How many threads play, or processes of a local cluster; without it, one for each core.
    cluster
        Play on a Dask cluster: the address of its scheduler, or local for processes on this machine.
    csv
        Write every figure to a CSV file.
    parquet
        Write every figure to a Parquet file (needs duckdb).
    report
        Write a self-contained page with plots, as in report.html.
    checkpoint
        Save the run here twice a minute and when interrupted; by default only when interrupted, in
        simulation.checkpoint.json.
    resume
        Continue an interrupted run with the same options.
    """
    _available()
    from pitboss.maths.simulate.cluster import Lost
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
        if precision == 0:
            raise MathsError("a precision is above nothing, as in 0.0001 of the wager.")
        rulebook = rulebook_id(rulebook)
        options = _options(
            rulebook, set_ or [], decks, boxes, source, penetration, behind, wager, side_bets or [], side_wager,
            jackpot, resplit, (minimum, maximum, multiples, chips),
        )  # fmt: skip
        near = precision or 0.0
        job = Job(rulebook, tuple(set_ or ()), options, strategy, rounds=rounds_of(rounds), precision=near, seed=seed)
        job = check(_with_funds(job, count, bankroll, trip, goal))
        done = Sums()
    with _step("compiling the game and its strategy"):
        player = make_player(job)
    with _step("compiling the kernels, once on this machine"):
        player.block(0, 0, 1 if job.bankroll is None else job.bankroll.trip_rounds)
    curve: list[tuple[int, float, float]] = []
    kept_in = checkpoint or resume or Path(CHECKPOINT)
    started = time.perf_counter()
    lost = ""
    with _workers(job, player, cluster, threads) as (workers, hands), _progress(job, player, done, curve) as show:
        if checkpoint is not None or resume is not None:
            show = _keeping(show, kept_in, job)
        try:
            done, interrupted = run(job, player, done, hands, show, workers)
        except Lost as fault:
            lost, interrupted = str(fault), True
    seconds = time.perf_counter() - started
    if interrupted:
        write_checkpoint(kept_in, job, done)
    if not done.blocks:
        why = f"{lost}, " if lost else ""
        print(f"stopped   {why}before the first block was done. Go on with --resume {kept_in}", file=sys.stderr)
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
        _print(found, seconds, hands)
    if interrupted:
        reached = f"after {done.blocks * job.block_rounds:,} of {job.rounds:,} rounds{': ' if lost else ''}{lost}"
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
        raise MathsError('--parquet needs duckdb: pip install "pitboss[charts]".') from missing
    return duckdb


def rounds_of(text: str, name: str = "--rounds") -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(?:e(\d{1,2})|([kKmMgGbB]))?", text.replace("_", "").replace(",", ""))
    if match is None:
        raise MathsError(f"{name} {text!r} is not a number of rounds: write it as in 1000000, 250k, 10M or 1e9.")
    power = int(match[2] or 0) + {"": 0, "k": 3, "m": 6, "g": 9, "b": 9}[(match[3] or "").lower()]
    whole, _, decimals = match[1].partition(".")
    number, rest = divmod(int(whole + decimals) * int(10**power), int(10 ** len(decimals)))
    if rest or number < 1:
        raise MathsError(f"{name} {text!r}: give a whole number of rounds above zero.")
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
    sign: tuple[str | None, str | None, bool, str | None],
) -> Options:
    from pitboss.maths.simulate.game import BLAZING, CHIPS_CENTS, DEVICE, SHOE, SIDE_BETS, WAGER_MAX, Options

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
    side_cents, wager_cents = parse_cents(side_wager), parse_cents(wager)
    minimum, maximum, multiples, chips = sign
    if multiples and minimum is None:
        raise MathsError("--multiples are multiples of a --minimum: give one.")
    if behind is not None and behind < 0:
        raise MathsError(f"--behind {behind}: give a number of cards.")
    return Options(
        decks=number,
        source=source,
        boxes=boxes,
        wager_cents=wager_cents,
        side_bets=tuple(names),
        side_cents=side_cents,
        blazing_cents=side_cents,
        jackpot_cents=0 if jackpot is None else parse_cents(jackpot),
        behind=-1 if behind is None else behind,
        resplit=resplit,
        chips_cents=CHIPS_CENTS if chips is None else tuple(parse_cents(chip) for chip in re.split(r"[,\s]+", chips)),
        minimum_cents=0 if minimum is None else parse_cents(minimum),
        maximum_cents=(WAGER_MAX if minimum else 0) if maximum is None else parse_cents(maximum),
        multiples=multiples,
    )


def _with_funds(job: Job, count: Path | None, bankroll: str | None, trip: str, goal: str | None) -> Job:
    """The job with its way to count and its bankroll."""
    from pitboss.maths.simulate.counting import count_file
    from pitboss.maths.simulate.play import Bankroll

    counting = None
    if count is not None:
        try:
            counting = count_file(count.read_bytes().decode("utf-8"), str(count))
        except UnicodeDecodeError as fault:
            raise MathsError(f"{count}: not a count file: {fault}.") from fault
    funds = None
    if bankroll is not None:
        goal_cents = 0 if goal is None else parse_cents(goal)
        funds = Bankroll(parse_cents(bankroll), rounds_of(trip, "--trip"), goal_cents)
    elif goal is not None:
        raise MathsError("--goal is what a --bankroll grows to: give one.")
    return msgspec.structs.replace(job, counting=counting, bankroll=funds)


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
def _workers(job: Job, player: Player, cluster: str | None, threads: int) -> Iterator[tuple[Any, int]]:
    """Who plays, and how many they are: threads of this process, or the machines of a cluster."""
    if cluster is None:
        yield None, threads or os.cpu_count() or 1
        return
    from pitboss.maths.simulate.cluster import Machines, connected

    with connected(cluster, threads or os.cpu_count() or 1) as client:
        yield Machines(client, job, player), max(sum(client.nthreads().values()), 1)


def _keeping(show: Any, path: Path, job: Job) -> Any:
    """The same progress, with the run kept in a file now and then: it may be killed at any moment."""
    from pitboss.maths.simulate.jobs import write_checkpoint

    last = time.monotonic()

    def keep(sums: Sums) -> None:
        nonlocal last
        show(sums)
        if time.monotonic() - last > KEPT_EVERY_SECONDS:
            write_checkpoint(path, job, sums)
            last = time.monotonic()

    return keep


@contextmanager
def _progress(job: Job, player: Player, done: Sums, curve: list[tuple[int, float, float]]) -> Iterator[Any]:
    """How far the run is, with the mean so far and its 95% interval; on a pipe, nothing but the result."""
    from pitboss.maths.simulate.jobs import Z_95, mean_and_error

    blocks = job.blocks
    wanted = {max(1, blocks * step // 200) for step in range(201)}

    def note(sums: Sums) -> tuple[float, float]:
        mean, error = mean_and_error(sums, player)
        if sums.blocks in wanted:
            curve.append((min(sums.blocks * job.block_rounds, job.rounds), mean, Z_95 * error))
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
        task = bar.add_task("playing", total=job.rounds, completed=done.blocks * job.block_rounds)

        def show(sums: Sums) -> None:
            nonlocal last
            mean, half = note(sums)
            now = time.monotonic()
            if now - last > 0.1:
                last = now
                text = f"EV {100 * mean:+.4f}% ± {100 * half:.4f}%"
                bar.update(task, completed=min(sums.blocks * job.block_rounds, job.rounds), description=text)

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
    each = f"counting by {found.counting.name}" if found.counting else f"of {dollars(found.wager_cents)}"
    print(f"{found.boxes} box{plural} {each}, strategy {found.strategy}, seed {found.seed}")
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
    if found.counting is not None:
        _print_count(found, found.counting)
    if found.ruin is not None:
        _print_ruin(found.ruin)
    if sys.stderr.isatty():
        rate = found.rounds / seconds / 1e6 if seconds else 0.0
        print(f"{seconds:.1f} s, {threads} threads, {rate:.1f} million rounds a second", file=sys.stderr)


def _print_count(found: Simulated, counted: Counted) -> None:
    won, spread = found.net_per_round_cents / 100, found.deviation_per_round_cents / 100
    print()
    print(f"  won a round                  {won:>+11.4f}   dollars, standard deviation {spread:.2f}")
    average, most = dollars(round(counted.average_wager_cents)), dollars(max(counted.amounts_cents))
    print(f"  average wager                {average:>11}   {dollars(min(counted.amounts_cents))} to {most}")
    if counted.deck_count:
        print(f"  a whole deck counts          {counted.deck_count:>+11g}   the count is not balanced for these cards")
    print()
    print(f"  {'count when the round began':<38}{'rounds':>15}{'wagered':>11}{'value':>13}")
    often = [row.count for row in counted.by_count if row.rounds * RARE > found.rounds]
    first, last = min(often, default=0), max(often, default=0)
    for count in range(first, last + 1):
        rows = [row for row in counted.by_count if min(max(row.count, first), last) == count]
        rounds, wagered, cents = (
            sum(getattr(row, name) for row in rows) for name in ("rounds", "wagered_cents", "cents")
        )
        if rounds:
            beyond = " and below" if count == first else " and above" if count == last else ""
            wager, value = dollars(round(wagered / rounds / found.boxes)), _percent(cents / wagered) if wagered else "-"
            print(f"    {f'{count:+d}{beyond}':<36}{rounds:>15,}{wager:>11}{value:>13}")


def _print_ruin(ruin: Ruin) -> None:
    low, high = ruin.confidence_95
    print()
    print(f"  {ruin.trips:,} trips of {ruin.trip_rounds:,} rounds with {dollars(ruin.bankroll_cents)}")
    print(
        f"  ruined                       {100 * ruin.probability:>10.3f}%   {100 * low:.3f}% to {100 * high:.3f}% (95%)"
    )
    print(f"  by a Brownian motion         {100 * ruin.approximation:>10.3f}%   of the same mean and spread")
    if ruin.goal_cents:
        share = 100 * ruin.reached_goal / ruin.trips
        print(f"  reached {dollars(ruin.goal_cents):<20} {share:>10.3f}%")
    net, spread = ruin.mean_net_cents / 100, ruin.deviation_cents / 100
    print(f"  won a trip                   {net:>+11.2f}   dollars, standard deviation {spread:.2f}")
    if ruin.ruined:
        print(f"  rounds to ruin               {ruin.mean_rounds_to_ruin:>11.1f}   on average, where it came to that")


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
