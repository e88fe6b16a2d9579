"""The takings of the whole house, as a fold over the log: what reports and the manager's dashboard are made from."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from pitboss.floor.editions import decode_opening
from pitboss.floor.folds import LINK, TABLE, posted
from pitboss.floor.frozen import opened
from pitboss.floor.handovers import LEFT, decode_handover
from pitboss.floor.handovers import STREAM as HANDOVERS
from pitboss.floor.host import decode_act
from pitboss.floor.projections import Fold
from pitboss.floor.still_to_deal import StillToDeal
from pitboss.patrons.gaming_day import Calendar, calendar_of, date_of
from pitboss.registers.asking import Kept, open_then
from pitboss.registers.paper import BEFORE_PLAY, plain, rules, shown_at
from pitboss.reports.build import DutyRow
from pitboss.reports.takings import Handover, TableTold, Takings, bonus_of
from pitboss.store.log import Entry


class HouseTakings(Fold):
    """Drop, win, rounds and wagers of every table, by half hour, gaming day and dealer."""

    name: ClassVar[str] = "takings"
    version: ClassVar[int] = 5

    takings: Takings = msgspec.field(default_factory=Takings)
    still_to_deal: StillToDeal = msgspec.field(default_factory=StillToDeal)

    def apply(self, entry: Entry) -> None:
        for told in self.still_to_deal.told(entry):
            self._heard(told)

    def _heard(self, entry: Entry) -> None:
        takings = self.takings
        if entry.stream == HANDOVERS and entry.kind == LEFT:
            note = decode_handover(entry.body)
            kept = Handover(
                entry.at_ms, note.date, note.table, entry.by, note.role, note.text, note.zone, note.begins_hour
            )
            takings.handovers.append(kept)
        if entry.stream.startswith(LINK):
            for _ in posted(takings.books, entry):
                pass
        if not entry.stream.startswith(TABLE):
            return
        table = entry.stream.removeprefix(TABLE)
        if entry.kind == "opened":
            for _ in posted(takings.books, entry):
                pass
            takings.tables[table] = table_told(entry)
        elif entry.kind == "act":
            told, body = takings.tables[table], decode_act(entry.body)
            by_the_clocks = str(date_of(Calendar(told.zone, told.begins_hour), entry.at_ms))
            takings.heard(table, entry.at_ms, by_the_clocks, entry.by, body.role, body.events)


def duties(book: Kept, at_ms: int, table: str = "") -> tuple[DutyRow, ...]:
    """What was still to be done at a moment, as a report tells it."""
    rows = []
    for item in open_then(book, at_ms, table):
        due = shown_at(book, item.rulebook, item.due_ms)[:16] or (BEFORE_PLAY if item.before_play else "now")
        tells = item.to and item.to != item.who
        who = f"{plain(item.who)} tells {plain(item.to)}" if tells else plain(item.who)
        is_overdue = 0 < item.due_ms <= at_ms
        rows.append(DutyRow(due, is_overdue, who, item.table, item.text, rules(item.rulebook, item.clauses)))
    return tuple(rows)


def table_told(entry: Entry) -> TableTold:
    """What reports must know of a table, from its opening."""
    opening = decode_opening(entry.body)
    begun = opened(opening)
    house, calendar = begun.house, calendar_of(begun.rulebook)
    return TableTold(
        name=opening.name or entry.stream.removeprefix(TABLE),
        rulebook=opening.rulebook,
        edition=opening.edition,
        decks=house.decks,
        zone=calendar.zone,
        begins_hour=calendar.begins_hour,
        amended=bool(opening.variant or opening.amendments),
        practice=house.is_practice,
        tournament=house.tournament,
        resplit=house.resplit,
        date=str(house.date) if house.date else "",
        bonus=bonus_of(begun.rulebook),
        jackpot=begun.jackpot_cents,
    )
