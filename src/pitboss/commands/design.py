"""`pitboss design`: many terms changed at once, every variant valued, the best within limits told apart."""

from __future__ import annotations

import json as jsonlib
import os
import signal
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from cyclopts import Parameter

from pitboss.commands import rulebook_id
from pitboss.commands.options import AsJson, Csv, Decks, Html, Resplit, RulebookId, SetForStudy
from pitboss.maths.questions import known_decks, known_rulebook, term_value
from pitboss.maths.shoes import MathsError

if TYPE_CHECKING:
    from pitboss.maths.design import Designed, Game, Solve, Solved

FINE, NONE_WITHIN, INTERRUPTED = 0, 1, 130
KEPT = Path("design.jsonl")
SHOWN = 20
AT_ONCE = 2
"""Pieces of work that wait for each worker."""


def design(
    rulebook: RulebookId,
    *,
    try_: Annotated[list[str] | None, Parameter(name="--try")] = None,
    limit: Annotated[list[str] | None, Parameter(name="--limit")] = None,
    aim: Annotated[list[str] | None, Parameter(name="--aim")] = None,
    sample: int = 0,
    search: int = 0,
    seed: int = 1,
    decks: Decks = None,
    set_: SetForStudy = None,
    resplit: Resplit = False,
    jobs: int = 0,
    cluster: str | None = None,
    keep: Path | None = None,
    write: Path | None = None,
    shown: int = SHOWN,
    svg: Path | None = None,
    html: Html = None,
    csv: Csv = None,
    json: AsJson = False,
) -> int:
    """Try many rules at once, and find the best games within limits.

    Every variant of the terms that are tried is valued as `pitboss edge` would, optional wagers as fractions beside it.
    Those within all limits are compared on the aims: the best are those that nothing beats on one aim without losing on
    another. Ctrl-C stops a sweep; the same command with the same --keep continues it.

    Parameters
    ----------
    try_
        A term and its values, as in "dealer.soft_stand = 17; 18"; a row of a pay table, a row of an optional wager's
        table, or decks; a term alone tries every value. Repeatable.
    limit
        A limit every variant must meet, as in "edge 0.3%..0.6%", "hits 42%..", "deviation ..1.2" or
        "perfect-pairs 3%..5%". Known: edge, hits, deviation, variance, wagered, risk, and optional wagers by name.
    aim
        The aim, as in "edge high" or "deviation low"; without it, edge high and hits high.
    sample
        Try this many combinations at random instead of all.
    search
        Try this many combinations instead of all: at random first, then near the best.
    seed
        Any whole number; a different one draws different variants.
    jobs
        How many processes to use; by default one per core.
    cluster
        Solve on a Dask cluster: the address of its scheduler, or local.
    keep
        A file that keeps each solved game; if it exists, the sweep continues from it.
    write
        A folder for the best variants as amendments, which `pitboss play --amend` plays.
    shown
        How many variants to print.
    svg
        Draw every variant as a dot, the first aim across and the second upwards.
    """
    for path in (svg, html, csv, keep):
        if path is not None and not path.parent.is_dir():
            raise MathsError(f"{path}: there is no folder {path.parent}.")
    if not try_:
        raise MathsError('design: say what to try, as in --try "dealer.soft_stand = 17; 18".')
    if sample and search:
        raise MathsError("design: give either --sample or --search.")
    for name, number in (("--sample", sample), ("--search", search), ("--jobs", jobs), ("--shown", shown)):
        if number < 0:
            raise MathsError(f"{name} {number}: give a number that is not below zero.")
    from pitboss.commands.edge import working

    rulebook = rulebook_id(rulebook)
    changes = tuple(
        (key.strip(), term_value(raw.strip())) for key, _, raw in (each.partition("=") for each in set_ or ())
    )
    book = known_rulebook(rulebook, set_ or ())
    with working("getting ready"):
        from pitboss.maths.design import Kept, Space, Sweep, aim_of, axis_of, limit_of, optional_wagers

        bets = optional_wagers(book)
        axes = tuple(axis_of(book, text) for text in try_)
        if len({axis.key for axis in axes}) < len(axes):
            raise MathsError("design: each term is tried once; give all its values together.")
        limits = [limit_of(text, bets) for text in limit or ()]
        aims = [aim_of(text, bets) for text in aim or ("edge high", "hits high")]
        space = Space(rulebook, axes, changes, 0 if decks is None else known_decks(decks), resplit)
        kept = Kept(keep, book)
        if write is not None:
            write.mkdir(parents=True, exist_ok=True)
    stopped = False
    with ExitStack() as open_ones:
        solve = open_ones.enter_context(_solvers(jobs, cluster))
        progress = open_ones.enter_context(_progress())
        sweep = Sweep(space, limits, aims, kept, solve, progress)
        try:
            if search:
                sweep.search(search, seed)
            elif sample:
                sweep.sample(sample, seed)
            else:
                sweep.grid()
        except KeyboardInterrupt:
            stopped = True
    found = sweep.designed()
    if stopped and keep is None:
        _keep(kept.solved, book)
    if stopped:
        where = keep or KEPT
        print(f"stopped   {len(kept.solved):,} games are kept; go on with --keep {where}", file=sys.stderr)
    written = []
    if write is not None:
        for point in found.points:
            if point.best:
                path = write / f"variant-{point.number}.toml"
                path.write_text(sweep.amendment(point), encoding="utf-8")
                written.append(path)
    from pitboss.maths.design_picture import as_csv, as_html, as_svg

    for target, text in ((svg, as_svg), (html, as_html), (csv, as_csv)):
        if target is not None:
            target.write_text(text(found), encoding="utf-8")
    if json:
        print(jsonlib.dumps(msgspec.to_builtins(found), ensure_ascii=False))
    else:
        _print(found, shown)
        print("\n".join(f"written: {path}" for path in written[:shown]))
    return INTERRUPTED if stopped else FINE if found.within else NONE_WITHIN


def _keep(solved: dict[str, Solved], book: Any) -> None:
    """A sweep that was stopped and was to be kept nowhere is kept here."""
    from pitboss.maths.design import Kept

    kept = Kept(KEPT, book)
    for key, figures in solved.items():
        if key not in kept.solved:
            kept.add(key, figures)


# --- who solves ------------------------------------------------------------------------------------------------------


@contextmanager
def _solvers(jobs: int, cluster: str | None) -> Iterator[Solve]:
    """This process, some others on this machine, or the machines of a cluster."""
    from pitboss.maths.design import here

    if cluster is not None:
        from pitboss.maths.simulate.cluster import connected

        with connected(cluster, jobs or os.cpu_count() or 1) as client:
            threads = max(sum(client.nthreads().values()), 1)
            yield lambda wanted: _on_cluster(client, wanted, threads)
        return
    jobs = jobs or os.cpu_count() or 1
    if jobs == 1:
        yield here
        return
    with ExitStack() as pools:
        made: list[Any] = []

        def spread(wanted: list[tuple[str, Game]]) -> Iterator[tuple[str, Solved]]:
            if len(wanted) < 2 * jobs:
                yield from here(wanted)
                return
            if not made:
                made.append(pools.enter_context(_processes(jobs)))
            yield from _on_processes(made[0], wanted, jobs)

        yield spread


@contextmanager
def _processes(jobs: int) -> Iterator[Any]:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _leave_the_keyboard_alone)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_the_keyboard_alone() -> None:
    """Who is asked to stop is the process that asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _pieces(wanted: list[tuple[str, Game]], workers: int) -> list[list[tuple[str, Game]]]:
    size = max(1, min(8, len(wanted) // (4 * workers)))
    return [wanted[place : place + size] for place in range(0, len(wanted), size)]


def _on_processes(pool: Any, wanted: list[tuple[str, Game]], jobs: int) -> Iterator[tuple[str, Solved]]:
    from concurrent.futures import FIRST_COMPLETED, wait

    from pitboss.maths.design import solve_games
    from pitboss.maths.par import code_digest

    pieces = iter(_pieces(wanted, jobs))
    running: dict[Any, list[tuple[str, Game]]] = {}
    while True:
        while len(running) < AT_ONCE * jobs and (piece := next(pieces, None)) is not None:
            running[pool.submit(solve_games, [game for _, game in piece], code_digest())] = piece
        if not running:
            return
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            piece = running.pop(future)
            yield from zip((key for key, _ in piece), future.result(), strict=True)


def _on_cluster(client: Any, wanted: list[tuple[str, Game]], threads: int) -> Iterator[tuple[str, Solved]]:
    import distributed

    from pitboss.maths.design import solve_games
    from pitboss.maths.par import code_digest

    pieces = {}
    for piece in _pieces(wanted, threads):
        games = [game for _, game in piece]
        pieces[client.submit(solve_games, games, code_digest(), pure=False, retries=3)] = piece
    for future in distributed.as_completed(list(pieces)):  # type: ignore[no-untyped-call]
        yield from zip((key for key, _ in pieces.pop(future)), future.result(), strict=True)


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None] | None]:
    """How many games are solved, on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("solving games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True,
    )  # fmt: skip
    with bar:
        task = bar.add_task("solving", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


# --- what came of it -------------------------------------------------------------------------------------------------


def _print(found: Designed, shown: int) -> None:
    from pitboss.maths.design_picture import changes_text, columns, figure_text, limit_text

    print(f"{found.rulebook}: {found.tried:,} variants, {found.impossible:,} of which cannot be")
    for limit in found.limits:
        print(f"  {limit.figure} {limit_text(limit)}")
    wanted = ", ".join(f"{aim.figure} {'high' if aim.high else 'low'}" for aim in found.aims)
    best = sum(point.best for point in found.points)
    print(f"within the limits: {found.within:,}, of which are best ({wanted}): {best:,}")
    if not found.within:
        print("No variant keeps to every limit; those that come nearest:")
    names = [name for name in columns(found) if name not in ("variance", "risk")]
    print("\n  variant  " + "".join(f"{name:>{max(12, len(name) + 2)}}" for name in names))
    for point in found.points[:shown]:
        cells = "".join(
            f"{figure_text(name, point.figures[name]) if name in point.figures else '':>{max(12, len(name) + 2)}}"
            for name in names
        )
        mark = "*" if point.best else "-" if point.misses else " "
        print(f"{mark} {point.number:<9}{cells}")
        print("\n".join(textwrap.wrap(changes_text(point), 100, initial_indent="      ", subsequent_indent="      ")))
    if any(point.best for point in found.points[:shown]):
        print("* best   - outside the limits")
