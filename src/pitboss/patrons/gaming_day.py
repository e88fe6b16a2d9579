"""The gaming day: which date a moment belongs to by the house's clocks, and who opens and closes it.

Time comes in as a value (milliseconds of Unix time); nothing here asks a clock. A day begins at an hour of the local
clocks, so that it crosses midnight, and is 23 or 25 hours long where they are put forward or back in it.
"""

from __future__ import annotations

import datetime
import functools
from typing import TypeAlias, Union
from zoneinfo import ZoneInfo

import msgspec

from pitboss.rulebooks.terms import Rulebook
from pitboss.rulebooks.vocabulary import the_role
from pitboss.table.refusals import Refusal
from pitboss.table.roles import may_act

DAY = datetime.timedelta(days=1)
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_MS = datetime.timedelta(milliseconds=1)
MINUTE_MS = 60_000


class Calendar(msgspec.Struct, frozen=True):
    """A house's time zone and the hour at which its day begins."""

    zone: str
    begins_hour: int


class Moment(msgspec.Struct, frozen=True):
    """A moment as everything here needs it."""

    at_ms: int
    date: datetime.date
    """The gaming date."""
    calendar_date: datetime.date


def calendar_of(rulebook: Rulebook) -> Calendar:
    """As the rulebook's terms have it."""
    return Calendar(rulebook.patrons.zone.value, rulebook.patrons.day_begins_hour.value)


@functools.cache
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def local(calendar: Calendar, at_ms: int) -> datetime.datetime:
    """What the house's clocks show."""
    return (_EPOCH + at_ms * _MS).astimezone(_zone(calendar.zone))


def date_of(calendar: Calendar, at_ms: int) -> datetime.date:
    """The gaming date of a moment: before the hour at which a day begins it is still the day before."""
    shown = local(calendar, at_ms)
    return shown.date() if shown.hour >= calendar.begins_hour else shown.date() - DAY


def begins_ms(calendar: Calendar, date: datetime.date) -> int:
    """The moment at which a gaming date begins; where the clocks skip that hour, when they have skipped it."""
    shown = datetime.datetime(date.year, date.month, date.day, calendar.begins_hour, tzinfo=_zone(calendar.zone))
    return (shown.astimezone(datetime.UTC) - _EPOCH) // _MS


def moment(calendar: Calendar, at_ms: int, opened: datetime.date | None = None) -> Moment:
    """A moment with its dates; `opened` is the gaming day that the house has opened and not closed."""
    date, calendar_date = _dates(calendar, at_ms // MINUTE_MS)
    return Moment(at_ms, opened or date, calendar_date)


@functools.lru_cache(maxsize=64)
def _dates(calendar: Calendar, minute: int) -> tuple[datetime.date, datetime.date]:
    """The gaming date and that of the clocks, which nowhere change within a minute."""
    return date_of(calendar, minute * MINUTE_MS), local(calendar, minute * MINUTE_MS).date()


def period_start(period: str, date: datetime.date) -> datetime.date:
    """The first gaming day of the period in which a date lies: the day itself, its Monday, the first of its month."""
    match period:
        case "day":
            return date
        case "week":
            return date - datetime.timedelta(days=date.weekday())
        case "month":
            return date.replace(day=1)
    raise ValueError(f"no period is called {period!r}")


# --- opening and closing ---------------------------------------------------------------------------------------------


class OpenDay(msgspec.Struct, frozen=True, tag_field="act", tag="OpenDay"):
    """Open the gaming day that the house's clocks show."""

    by: str


class CloseDay(msgspec.Struct, frozen=True, tag_field="act", tag="CloseDay"):
    """Close the gaming day that is open."""

    by: str


class ReopenDay(msgspec.Struct, frozen=True, tag_field="act", tag="ReopenDay"):
    """Open the gaming day again that was closed last, because it was closed too soon."""

    by: str
    reason: str


class DayOpened(msgspec.Struct, frozen=True, tag_field="event", tag="DayOpened"):
    clauses: tuple[str, ...]
    by: str
    date: datetime.date
    at_ms: int


class DayClosed(msgspec.Struct, frozen=True, tag_field="event", tag="DayClosed"):
    clauses: tuple[str, ...]
    by: str
    date: datetime.date
    at_ms: int


class DayReopened(msgspec.Struct, frozen=True, tag_field="event", tag="DayReopened"):
    clauses: tuple[str, ...]
    by: str
    date: datetime.date
    at_ms: int
    reason: str


DayAct: TypeAlias = Union[OpenDay, CloseDay, ReopenDay]
DayEvent: TypeAlias = Union[DayOpened, DayClosed, DayReopened]


class GamingDay(msgspec.Struct, frozen=True):
    """Which gaming day the house has open, and which it had last."""

    opened: datetime.date | None = None
    last: datetime.date | None = None


def decide_day(rulebook: Rulebook, calendar: Calendar, day: GamingDay, act: DayAct, at_ms: int) -> DayEvent | Refusal:
    """What comes of opening or closing the day at a moment."""
    term = rulebook.patrons.day_by
    if not may_act(act.by, term.value):
        text = f"{the_role(term.value)} opens and closes the gaming day, not {the_role(act.by)}."
        return Refusal(rulebook.name, term.clauses, text)
    if isinstance(act, CloseDay):
        if day.opened is None:
            return Refusal(rulebook.name, term.clauses, "no gaming day is open: open one first.")
        return DayClosed(term.clauses, act.by, day.opened, at_ms)
    date = date_of(calendar, at_ms)
    if day.opened is not None:
        return Refusal(rulebook.name, term.clauses, f"the gaming day {day.opened} is open: close it first.")
    if isinstance(act, ReopenDay):
        if day.last is None or date > day.last:
            text = f"there is no closed gaming day to reopen: by the clocks it is {date}, so open that."
            return Refusal(rulebook.name, term.clauses, text)
        if not act.reason.strip():
            return Refusal(rulebook.name, term.clauses, "say why the closed day is reopened.")
        return DayReopened(term.clauses, act.by, day.last, at_ms, act.reason.strip())
    if day.last is not None and date <= day.last:
        hour = f"{calendar.begins_hour:02}:00"
        text = (
            f"the gaming day {day.last} was closed: the next begins at {hour} by the clocks of {calendar.zone}, "
            "or reopen that one and say why."
        )
        return Refusal(rulebook.name, term.clauses, text)
    return DayOpened(term.clauses, act.by, date, at_ms)


def evolve_day(day: GamingDay, event: DayEvent) -> GamingDay:
    if isinstance(event, DayClosed):
        return GamingDay(None, event.date)
    return GamingDay(event.date, event.date)
