"""``pitboss report``: what the tables of a log took in, beside what was expected."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from pitboss.commands import Unread
from pitboss.commands.options import AsJson, Csv, Html, LogAt, Parquet
from pitboss.floor.clock import SystemClock
from pitboss.floor.projections import Fold
from pitboss.floor.registers import FileLines, HouseRegisters
from pitboss.floor.takings import HouseTakings, duties
from pitboss.registers.asking import Kept, at_the_clocks, gaming_days
from pitboss.registers.asking import kept as kept_of
from pitboss.reports import paper
from pitboss.reports.build import Report, Wanted, at_table, build, everything, of_day, of_month, of_shift
from pitboss.reports.takings import Takings
from pitboss.store.addresses import shown
from pitboss.store.log import Log
from pitboss.store.moving import opened
from pitboss.store.opening import log_at, open_log

FINE, CHECK_FAILED = 0, 1
PAGE = 1_000


def shift(
    log: LogAt,
    *,
    date: str,
    begins: str = "06:00",
    hours: int = 8,
    html: Html = None,
    csv: Csv = None,
    parquet: Parquet = None,
    json: AsJson = False,
) -> int:
    """Report one shift: some hours from a given time.

    Parameters
    ----------
    date
        The day on which the shift begins, as in 2026-11-18.
    begins
        When it begins, as in 18:00.
    hours
        How long it lasts.
    """
    day, clock = _date(date), _time(begins)
    if not 1 <= hours <= 24:
        raise Unread(f"--hours {hours}: a shift lasts 1 to 24 hours.")
    since = datetime.datetime.combine(day, clock)
    until = since + datetime.timedelta(hours=hours)
    takings, book = _takings_and_registers(log)
    period = f"{since:%d %B %Y, %H:%M} to {until:%d %B %Y, %H:%M}, by the house's clocks"
    report = build(takings, of_shift(since, until), "Shift report", period, one_by_one=True)
    return _give(_with_duties(report, book, at_the_clocks(book, until)), html, csv, parquet, json)


def day(
    log: LogAt, *, date: str, html: Html = None, csv: Csv = None, parquet: Parquet = None, json: AsJson = False
) -> int:
    """Report one gaming day, which may run past midnight.

    Parameters
    ----------
    date
        The gaming date, as in 2026-11-18.
    """
    wanted = _date(date)
    takings, book = _takings_and_registers(log)
    report = build(takings, of_day(wanted), "Day report", f"Gaming day {wanted:%d %B %Y}")
    return _give(_with_duties(report, book, gaming_days(book, "", date)[1]), html, csv, parquet, json)


def month(
    log: LogAt, *, month: str, html: Html = None, csv: Csv = None, parquet: Parquet = None, json: AsJson = False
) -> int:
    """Report the gaming days of one month.

    Parameters
    ----------
    month
        The month, as in 2026-11.
    """
    first = _date(f"{month}-01", f"--month {month}: write it as in 2026-11.")
    takings = _takings(log)
    report = build(takings, of_month(first.year, first.month), "Month report", f"{first:%B %Y}, by gaming days")
    return _give(report, html, csv, parquet, json)


def table(
    log: LogAt,
    table: str,
    *,
    date: str = "",
    html: Html = None,
    csv: Csv = None,
    parquet: Parquet = None,
    json: AsJson = False,
) -> int:
    """Report one table, all its days or one of them.

    Parameters
    ----------
    table
        Its id, as in pontoon-1.
    date
        One gaming date only, as in 2026-11-18.
    """
    within: Wanted = of_day(_date(date)) if date else everything
    takings = _takings(log)
    if table not in takings.tables:
        raise Unread(f"{shown(log)} has no table {table!r}; it has {', '.join(sorted(takings.tables)[:8]) or 'none'}.")
    told = takings.tables[table]
    if told.practice or told.tournament:
        what = (
            "a practice table: its chips have no value" if told.practice else "for tournaments: its chips are no money"
        )
        raise Unread(f"{table} is {what}, so there is nothing to report.")
    period = f"{told.rulebook}, {told.decks} decks" + (f", gaming day {date}" if date else "")
    report = build(takings, at_table(table, within), f"Table report: {told.name}", period, people="")
    return _give(report, html, csv, parquet, json)


def patron(
    log: LogAt, person: str, *, html: Html = None, csv: Csv = None, parquet: Parquet = None, json: AsJson = False
) -> int:
    """Report one person's play: time, chips bought and cashed, wagers, won or lost, by table and gaming day.

    Parameters
    ----------
    person
        Their name, as in alice.
    """
    takings = _takings(log)
    mine = {tuple(key.split(" ", 2)[:2]) for key in takings.people if key.split(" ", 2)[2] == person}
    if not mine:
        raise Unread(f"{shown(log)} has nobody called {person!r} at a table.")
    report = build(
        takings,
        lambda place, told: (place.date, place.table) in mine,
        f"Patron report: {person}",
        "All days",
        people=person,
    )
    kept = msgspec.structs.replace(report, by_table=(), by_hour=(), by_day=(), by_dealer=(), by_wager=(), counts={})
    return _give(kept, html, csv, parquet, json)


def regulator(
    log: LogAt, *, month: str, html: Html = None, csv: Csv = None, parquet: Parquet = None, json: AsJson = False
) -> int:
    """Report a month in the form a regulator reads: takings, events, and whether they match the ledger and log.

    Parameters
    ----------
    month
        The month, as in 2026-11.
    """
    first = _date(f"{month}-01", f"--month {month}: write it as in 2026-11.")
    takings, book = _takings_and_registers(log)
    report = build(
        takings,
        of_month(first.year, first.month),
        "Report for the regulator",
        f"{first:%B %Y}, by gaming days",
        one_by_one=True,
    )
    with opened(open_log(log_at(log), read_only=True)) as source:
        head = source.head()
    chained = f"The log ends at entry {head.seq} with the hash {head.hash.hex()}; `pitboss log verify` proves it."
    kept = msgspec.structs.replace(report, by_hour=(), notes=(*report.notes, chained))
    last = (first + datetime.timedelta(days=32)).replace(day=1) - datetime.timedelta(days=1)
    return _give(_with_duties(kept, book, gaming_days(book, "", str(last))[1]), html, csv, parquet, json)


def expectations(file: Path, *, json: bool = False) -> int:
    """Recompute what every rulebook's wagers are expected to return, and write the file that reports read.

    Parameters
    ----------
    file
        Where to write it.
    json
        Print one JSON object: the file, and how many games are in it.
    """
    import json as jsonlib

    from pitboss.commands.edge import working
    from pitboss.maths.expectations import expectations as reckoned
    from pitboss.rulebooks import RULEBOOKS, load

    games = []
    with working("solving") as step:
        for name in RULEBOOKS:
            for decks, resplit, values in reckoned(load(name), progress=step):
                games.append(jsonlib.dumps({"rulebook": name, "decks": decks, "resplit": resplit, "bets": values}))
    file.write_text("[\n" + ",\n".join(games) + "\n]\n", encoding="utf-8")
    if json:
        print(jsonlib.dumps({"file": str(file), "games": len(games)}))
    return FINE


def _takings(log: str) -> Takings:
    fold = HouseTakings()
    with opened(open_log(log_at(log), read_only=True)) as source:
        _hear(source, fold)
    return fold.takings


def _takings_and_registers(log: str) -> tuple[Takings, Kept]:
    fold, registers = HouseTakings(), HouseRegisters()
    with opened(open_log(log_at(log), read_only=True)) as source:
        _hear(source, fold, registers)
        return fold.takings, kept_of(registers.registers, *FileLines(source).now())


def _with_duties(report: Report, book: Kept, until_ms: int) -> Report:
    """With what was still to be done when the period ended; now, where it has not."""
    return msgspec.structs.replace(report, duties=duties(book, min(until_ms, SystemClock().now_ms())))


def _hear(source: Log, *folds: Fold) -> None:
    """Once through the log, with a word on how far it is."""
    place = 0
    with _reading() as step:
        end = source.head().seq
        while True:
            page = list(source.read_all(place, PAGE))
            for entry in page:
                for fold in folds:
                    fold.apply(entry)
            if len(page) < PAGE:
                return
            place = page[-1].seq
            step(f"reading the log, {100 * place // max(end, 1)} %")


@contextmanager
def _reading() -> Iterator[Callable[[str], None]]:
    """How far it is, on a terminal; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    from rich.console import Console

    with Console(stderr=True).status("reading the log") as status:
        yield lambda text: status.update(text)


def _give(report: Report, html: Path | None, csv: Path | None, parquet: Path | None, json: bool) -> int:
    for path in (html, csv, parquet):
        if path is not None and not path.parent.is_dir():
            raise Unread(f"{path}: there is no folder {path.parent}.")
    if html is not None:
        html.write_text(paper.as_html(report), encoding="utf-8")
    if csv is not None:
        csv.write_text(paper.as_csv(report), encoding="utf-8")
    if parquet is not None:
        _write_parquet(report, parquet)
    if json:
        print(msgspec.json.encode(report).decode())
    elif html is None and csv is None and parquet is None:
        print(paper.as_text(report))
    return FINE if report.ties else CHECK_FAILED


def _write_parquet(report: Report, path: Path) -> None:
    import tempfile

    try:
        import duckdb
    except ModuleNotFoundError:
        raise Unread("--parquet needs the extra charts: pip install 'pitboss[charts]'.") from None
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "report.csv")
        source.write_text(paper.as_csv(report), encoding="utf-8")
        quoted = str(path).replace("'", "''")
        duckdb.connect().execute(
            f"copy (select * from read_csv('{source}', header=true)) to '{quoted}' (format parquet)"
        )


def _date(text: str, wrong: str = "") -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise Unread(wrong or f"--date {text}: write it as in 2026-11-18.") from None


def _time(text: str) -> datetime.time:
    try:
        return datetime.time.fromisoformat(text)
    except ValueError:
        raise Unread(f"--begins {text}: write it as in 18:00.") from None
