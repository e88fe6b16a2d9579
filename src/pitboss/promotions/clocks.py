"""Moments: what the house's clocks show as a moment that all clocks agree on, and back.

Hours are hours that pass. Days are days of the house's clocks, which are put forward and back once a year: two days
after a draw it is the same time of day there, 47, 48 or 49 hours later. Nothing here asks a clock.
"""

from __future__ import annotations

import datetime
from zoneinfo import ZoneInfo

UTC = datetime.UTC
SHOWN = "%a %d %b %Y, %H:%M"


class ClockError(ValueError):
    """A time that no clock of the house shows."""


def instant(zone: str, shown: datetime.datetime) -> datetime.datetime:
    """The moment of a time that the house's clocks show, or that says its own offset.

    An hour that the clocks show twice is the first of the two. One that they skip raises `ClockError`.
    """
    if shown.tzinfo is not None:
        return shown.astimezone(UTC)
    moment = shown.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    if moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None) != shown:
        raise ClockError(f"the clocks are put forward then: there is no {shown:%H:%M} on {shown:%d %B %Y}.")
    return moment


def hours_later(moment: datetime.datetime, hours: int) -> datetime.datetime:
    return moment + datetime.timedelta(hours=hours)


def days_later(zone: str, moment: datetime.datetime, days: int) -> datetime.datetime:
    """So many days later at the same time of day; where the clocks skip it, as much after they did."""
    local = moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None) + datetime.timedelta(days=days)
    return local.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def end_of_day(zone: str, moment: datetime.datetime) -> datetime.datetime:
    """When the day ends, by the house's clocks, on which a moment falls."""
    midnight = moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None, hour=0, minute=0, second=0, microsecond=0)
    return (midnight + datetime.timedelta(days=1)).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def shown(zone: str, moment: datetime.datetime) -> str:
    """A moment as the house's clocks show it, with their zone: ``Sat 10 Apr 2027, 20:00 AEST``."""
    local = moment.astimezone(ZoneInfo(zone))
    return f"{local:{SHOWN}} {local:%Z}"
