"""A report: the cells of a period put together by table, hour, dealer, day and wager, each beside what was expected."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable

import msgspec

from pitboss.patrons.gaming_day import Calendar, local
from pitboss.reports.expected import Band, Game, band_of, compared, games
from pitboss.reports.takings import ERRORS, HALF_HOUR_MS, Cell, Place, TableTold, Takings, place_of
from pitboss.rulebooks import load
from pitboss.rulebooks.clauses import cite

LEVEL = 95
Wanted = Callable[[Place, TableTold], bool]


class Row(msgspec.Struct, frozen=True):
    """One line: amounts in cents; what was expected is None where no exact value is known."""

    name: str
    rounds: int = 0
    rounds_per_hour: float = 0.0
    """Over the half hours in which a round was finished."""
    drop: int = 0
    """Cash for chips, less cash that was paid out at the table."""
    wagered: int = 0
    win: int = 0
    hold: float | None = None
    """Win over drop."""
    compared: int = 0
    """The part of the win for whose wagers an exact value is known."""
    expected: float | None = None
    low: float | None = None
    high: float | None = None
    chance: float | None = None
    """How often chance alone would bring a result at least as far from what was expected."""
    fills: int = 0
    credits: int = 0

    @property
    def is_outside(self) -> bool:
        return self.low is not None and self.high is not None and not self.low <= self.compared <= self.high


class Report(msgspec.Struct, frozen=True):
    """Everything on one report."""

    title: str
    period: str
    total: Row
    by_table: tuple[Row, ...]
    by_hour: tuple[Row, ...]
    by_day: tuple[Row, ...]
    by_dealer: tuple[Row, ...]
    by_wager: tuple[Row, ...]
    counts: dict[str, int]
    notes: tuple[str, ...]
    ties: bool
    """Whether every table's win is what its people lost by the ledger, to the cent."""
    people: tuple[PersonRow, ...] = ()
    happened: tuple[HappenedRow, ...] = ()
    handovers: tuple[HandoverRow, ...] = ()
    duties: tuple[DutyRow, ...] = ()
    """What the registers say was still to be done when the period ended, or is, where it has not ended."""


class DutyRow(msgspec.Struct, frozen=True):
    """Something that was still to be done, or somebody still to be told."""

    due: str
    is_overdue: bool
    who: str
    table: str
    text: str
    clauses: str


class HandoverRow(msgspec.Struct, frozen=True):
    """A note that somebody left for the next shift, by the house's clocks."""

    at: str
    table: str
    by: str
    role: str
    text: str


class HappenedRow(msgspec.Struct, frozen=True):
    """Something that happened, by the house's clocks; what is open has still to be decided."""

    at: str
    table: str
    what: str
    text: str
    clauses: str
    is_open: bool


class PersonRow(msgspec.Struct, frozen=True):
    """What one person did at one table on one gaming day."""

    person: str
    date: str
    table: str
    minutes: int
    bought: int
    cashed: int
    wagered: int
    won: int


class _Group:
    """Cells that belong together, kept by table: what is expected is reckoned for each table's own game."""

    def __init__(self) -> None:
        self.cells: dict[str, Cell] = {}
        self.halves: set[tuple[str, int]] = set()

    def add(self, place: Place, cell: Cell) -> None:
        self.cells.setdefault(place.table, Cell()).add(cell)
        if cell.rounds:
            self.halves.add((place.table, place.half))


def game_of(told: TableTold) -> Game | None:
    """The game whose exact values a table is compared with; none for one that plays by amended rules."""
    return None if told.amended else games().get((told.rulebook, told.decks, told.resplit))


def is_for_money(told: TableTold) -> bool:
    return not told.practice and not told.tournament


def build(
    takings: Takings, wanted: Wanted, title: str, period: str, *, people: str | None = None, one_by_one: bool = False
) -> Report:
    """The report of the cells that are wanted; `people` adds what people did: one of them, or "" for everybody.

    `one_by_one` tells what happened line by line, and not only how often, with the notes that were left.
    """
    places = [(place_of(key), cell) for key, cell in takings.cells.items()]
    chosen = [
        (p, cell) for p, cell in places if is_for_money(takings.tables[p.table]) and wanted(p, takings.tables[p.table])
    ]
    told = takings.tables
    counts: dict[str, int] = {}
    for _, cell in chosen:
        for name, count in cell.counts.items():
            counts[name] = counts.get(name, 0) + count
    return Report(
        title=title,
        period=period,
        total=_row("All tables", _grouped(chosen, lambda place: "")[""], told) if chosen else Row("All tables"),
        by_table=_rows(chosen, told, lambda place: told[place.table].name or place.table),
        by_hour=_rows(chosen, told, lambda place: hour_of(place, told[place.table])),
        by_day=_rows(chosen, told, lambda place: place.date),
        by_dealer=_rows(chosen, told, lambda place: place.dealer or "the house"),
        by_wager=_by_wager(chosen, told),
        counts=dict(sorted(counts.items())),
        notes=_notes(takings, {place.table for place, _ in chosen}),
        ties=not takings.untied(),
        people=_people(takings, {(place.date, place.table) for place, _ in chosen}, people),
        happened=_happened(takings, wanted) if one_by_one else (),
        handovers=_handovers(takings, wanted) if one_by_one else (),
    )


def hour_of(place: Place, told: TableTold) -> str:
    """The hour by the house's clocks in which a cell lies."""
    shown = local(Calendar(told.zone, told.begins_hour), place.at_ms)
    return f"{shown:%Y-%m-%d %H}:00"


def _grouped(cells: Iterable[tuple[Place, Cell]], named: Callable[[Place], str]) -> dict[str, _Group]:
    groups: dict[str, _Group] = {}
    for place, cell in cells:
        groups.setdefault(named(place), _Group()).add(place, cell)
    return groups


def _rows(
    cells: list[tuple[Place, Cell]], told: dict[str, TableTold], named: Callable[[Place], str]
) -> tuple[Row, ...]:
    return tuple(_row(name, group, told) for name, group in sorted(_grouped(cells, named).items()))


def _row(name: str, group: _Group, told: dict[str, TableTold]) -> Row:
    whole = Cell()
    band: Band | None = None
    known = 0
    for table, cell in group.cells.items():
        whole.add(cell)
        part, won, _ = compared(cell, game_of(told[table]))
        if part.deviation:
            band, known = part if band is None else band + part, known + won
    drop = whole.drop - whole.cashed
    return _with_band(
        Row(
            name,
            rounds=whole.rounds,
            rounds_per_hour=2.0 * whole.rounds / len(group.halves) if group.halves else 0.0,
            drop=drop,
            wagered=whole.wagered,
            win=whole.won,
            hold=whole.won / drop if drop > 0 else None,
            compared=known,
            fills=whole.fills,
            credits=whole.credits,
        ),
        band,
    )


def _with_band(row: Row, band: Band | None) -> Row:
    if band is None:
        return row
    low, high = band.limits(LEVEL)
    return msgspec.structs.replace(row, expected=band.expected, low=low, high=high, chance=band.chance_of(row.compared))


def _by_wager(cells: list[tuple[Place, Cell]], told: dict[str, TableTold]) -> tuple[Row, ...]:
    rows: dict[str, tuple[Row, Band | None]] = {}
    for table, cell in (_grouped(cells, lambda place: "").get("") or _Group()).cells.items():
        for name, bet in cell.bets.items():
            row, band = rows.get(name, (Row(name), None))
            part = band_of(cell, name, game_of(told[table])) if name != ERRORS else None
            known = row.compared + (bet.won if part is not None else 0)
            if part is not None:
                band = part if band is None else band + part
            handle = row.wagered + bet.cents
            rows[name] = (
                Row(name, rounds=row.rounds + bet.count, wagered=handle, win=row.win + bet.won, compared=known),
                band,
            )
    return tuple(_with_band(row, band) for _, (row, band) in sorted(rows.items()))


def _people(takings: Takings, where: set[tuple[str, str]], wanted: str | None) -> tuple[PersonRow, ...]:
    if wanted is None:
        return ()
    rows = []
    for key, played in takings.people.items():
        date, table, person = key.split(" ", 2)
        if (date, table) in where and wanted in ("", person):
            minutes = (played.last_ms - played.first_ms) // 60_000
            called = takings.tables[table].name or table
            rows.append(
                PersonRow(person, date, called, minutes, played.bought, played.cashed, played.wagered, played.won)
            )
    return tuple(sorted(rows, key=lambda row: (row.person, row.date, row.table)))


def _happened(takings: Takings, wanted: Wanted) -> tuple[HappenedRow, ...]:
    rows = []
    for each in takings.happened:
        told = takings.tables[each.table]
        place = Place(each.table, each.date, each.at_ms // HALF_HOUR_MS, "")
        if is_for_money(told) and wanted(place, told):
            shown = local(Calendar(told.zone, told.begins_hour), each.at_ms)
            at, name = f"{shown:%Y-%m-%d %H:%M}", told.name or each.table
            cited = f"{load(told.rulebook).name} {cite(each.clauses)}" if each.clauses else ""
            rows.append(HappenedRow(at, name, each.what, each.text, cited, each.is_open))
    return tuple(sorted(rows, key=lambda row: (not row.is_open, row.at)))


def _handovers(takings: Takings, wanted: Wanted) -> tuple[HandoverRow, ...]:
    """In the order in which they were left; a note about the whole floor belongs to no one table."""
    rows = []
    for note in takings.handovers:
        clocks = TableTold("", "", "", 0, note.zone, note.begins_hour)
        if wanted(Place(note.table, note.date, note.at_ms // HALF_HOUR_MS, ""), clocks):
            shown = local(Calendar(note.zone, note.begins_hour), note.at_ms)
            known = takings.tables.get(note.table)
            name = known.name if known is not None else note.table
            rows.append(HandoverRow(f"{shown:%Y-%m-%d %H:%M}", name, note.by, note.role.replace("-", " "), note.text))
    return tuple(rows)


def _notes(takings: Takings, tables: set[str]) -> tuple[str, ...]:
    notes = [
        f"Expected: the exact house edge under best play, with limits that hold {LEVEL} of 100 results where chance "
        "alone decides. Players who play worse bring more.",
        "Blazing 7s are valued at the level at which the jackpot stood in each round, the Super Bonus by the wagers "
        "that could have earned it. Such prizes are rare: until one falls, the win is a little above it.",
        "Not in the expectation: mispayments. They are in the win.",
    ]
    odd = sorted(takings.tables[t].name or t for t in tables if game_of(takings.tables[t]) is None)
    if odd:
        notes.append(f"No exact value is kept for the rules of {', '.join(odd)}: nothing is expected of them here.")
    return tuple(notes)


# --- periods --------------------------------------------------------------------------------------------------------


def of_day(date: datetime.date) -> Wanted:
    return lambda place, told: place.date == str(date)


def of_month(year: int, month: int) -> Wanted:
    return starting_with(f"{year:04}-{month:02}-")


def starting_with(text: str) -> Wanted:
    """Gaming days whose date begins so: 2026-11-18 is a day, 2026-11 a month, and nothing all days."""
    return lambda place, told: place.date.startswith(text)


def of_shift(since: datetime.datetime, until: datetime.datetime) -> Wanted:
    """Half hours that begin in a span of the house's own clocks."""

    def wanted(place: Place, told: TableTold) -> bool:
        shown = local(Calendar(told.zone, told.begins_hour), place.at_ms).replace(tzinfo=None)
        return since <= shown < until

    return wanted


def at_table(table: str, within: Wanted | None = None) -> Wanted:
    return lambda place, told: place.table == table and (within is None or within(place, told))


def everything(place: Place, told: TableTold) -> bool:
    return True
