"""The gaming day by the house's clocks: across midnight, and where Sydney and Adelaide put them forward and back."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pitboss.patrons.gaming_day import (
    Calendar,
    CloseDay,
    DayClosed,
    DayOpened,
    DayReopened,
    GamingDay,
    OpenDay,
    ReopenDay,
    begins_ms,
    calendar_of,
    date_of,
    decide_day,
    evolve_day,
    local,
    moment,
    period_start,
)
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.table.refusals import Refusal

HOUR = 3_600_000
SYDNEY = Calendar("Australia/Sydney", 6)
ADELAIDE = Calendar("Australia/Adelaide", 6)
UTC = datetime.UTC


def ms(text: str) -> int:
    return int(datetime.datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


CHANGES = (ms("2026-04-04T16:00"), ms("2026-10-03T16:00"), ms("2027-04-03T16:00"), ms("2027-10-02T16:00"))
"""Sydney's clocks go back on the first Sunday of April and forward on that of October; Adelaide's as late by theirs."""
calendars = st.builds(Calendar, st.sampled_from(["Australia/Sydney", "Australia/Adelaide"]), st.integers(0, 23))
moments = st.one_of(
    st.integers(ms("2024-01-01T00:00"), ms("2030-01-01T00:00")),
    st.builds(lambda change, by: change + by, st.sampled_from(CHANGES), st.integers(-30 * HOUR, 30 * HOUR)),
)


def test_a_night_belongs_to_the_day_on_which_it_began() -> None:
    assert date_of(SYDNEY, ms("2026-11-17T18:59")) == datetime.date(2026, 11, 17)  # 05:59 on the 18th
    assert date_of(SYDNEY, ms("2026-11-17T19:00")) == datetime.date(2026, 11, 18)  # 06:00
    assert moment(SYDNEY, ms("2026-11-17T18:59")).calendar_date == datetime.date(2026, 11, 18)


@pytest.mark.parametrize("calendar", [SYDNEY, ADELAIDE])
@pytest.mark.parametrize(
    ("date", "hours"),
    [
        (datetime.date(2026, 4, 4), 25),  # the night in which the clocks go back
        (datetime.date(2026, 4, 5), 24),
        (datetime.date(2026, 10, 3), 23),  # and forward
        (datetime.date(2026, 10, 4), 24),
    ],
)
def test_a_day_is_23_or_25_hours_where_the_clocks_change(calendar: Calendar, date: datetime.date, hours: int) -> None:
    length = begins_ms(calendar, date + datetime.timedelta(days=1)) - begins_ms(calendar, date)
    assert length == hours * HOUR


def test_an_hour_that_the_clocks_skip_begins_the_day_when_they_have_skipped_it() -> None:
    calendar = Calendar("Australia/Sydney", 2)
    began = begins_ms(calendar, datetime.date(2026, 10, 4))
    assert local(calendar, began).hour == 3
    assert date_of(calendar, began) == datetime.date(2026, 10, 4)
    assert date_of(calendar, began - 1) == datetime.date(2026, 10, 3)


@given(calendars, moments)
@example(Calendar("Australia/Sydney", 2), CHANGES[0])
@example(Calendar("Australia/Sydney", 3), CHANGES[0])
@example(Calendar("Australia/Adelaide", 3), CHANGES[1] + HOUR // 2)
@settings(max_examples=400, deadline=None)
def test_every_moment_lies_in_its_day_and_in_no_other(calendar: Calendar, at_ms: int) -> None:
    date = date_of(calendar, at_ms)
    assert begins_ms(calendar, date) <= at_ms < begins_ms(calendar, date + datetime.timedelta(days=1))


@given(calendars, moments, st.integers(0, 40 * HOUR))
@settings(max_examples=400, deadline=None)
def test_dates_and_periods_never_go_back(calendar: Calendar, at_ms: int, passed: int) -> None:
    before, after = date_of(calendar, at_ms), date_of(calendar, at_ms + passed)
    assert before <= after
    for period in ("day", "week", "month"):
        assert period_start(period, before) <= period_start(period, after)
        assert period_start(period, before) <= before
        assert period_start(period, period_start(period, before)) == period_start(period, before)


def test_periods_begin_on_the_day_the_monday_and_the_first() -> None:
    date = datetime.date(2026, 11, 18)
    starts = [period_start(period, date) for period in ("day", "week", "month")]
    assert starts == [date, datetime.date(2026, 11, 16), datetime.date(2026, 11, 1)]
    with pytest.raises(ValueError, match="year"):
        period_start("year", date)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_who_supervises_the_floor_opens_and_closes_its_day(rulebook: str) -> None:
    book = load(rulebook)
    calendar, day = calendar_of(book), GamingDay()
    at_ms = begins_ms(calendar, datetime.date(2026, 11, 18))
    refused = decide_day(book, calendar, day, OpenDay("dealer"), at_ms)
    assert isinstance(refused, Refusal)
    assert refused.clauses == book.patrons.day_by.clauses
    assert isinstance(decide_day(book, calendar, day, CloseDay("gaming-manager"), at_ms), Refusal)
    opened = decide_day(book, calendar, day, OpenDay("gaming-manager"), at_ms)
    assert isinstance(opened, DayOpened)
    assert opened.date == datetime.date(2026, 11, 18)
    day = evolve_day(day, opened)
    assert isinstance(decide_day(book, calendar, day, OpenDay("gaming-manager"), at_ms), Refusal)
    # it stays that day until it is closed, whatever the clocks show
    assert moment(calendar, at_ms + 30 * HOUR, day.opened).date == datetime.date(2026, 11, 18)
    closed = decide_day(book, calendar, day, CloseDay("gaming-manager"), at_ms + 20 * HOUR)
    assert isinstance(closed, DayClosed)
    day = evolve_day(day, closed)
    again = decide_day(book, calendar, day, OpenDay("gaming-manager"), at_ms + 23 * HOUR)
    assert isinstance(again, Refusal)
    assert "was closed" in again.text
    # closed too soon: it goes on, with the reason, as long as the clocks show it
    for act, words in ((ReopenDay("dealer", "x"), "not the dealer"), (ReopenDay("gaming-manager", "  "), "say why")):
        refused = decide_day(book, calendar, day, act, at_ms + 23 * HOUR)
        assert isinstance(refused, Refusal)
        assert words in refused.text
    reopened = decide_day(book, calendar, day, ReopenDay("gaming-manager", "too soon"), at_ms + 23 * HOUR)
    assert isinstance(reopened, DayReopened)
    assert evolve_day(day, reopened) == GamingDay(opened.date, opened.date)
    assert reopened.reason == "too soon"
    refused = decide_day(book, calendar, evolve_day(day, reopened), ReopenDay("gaming-manager", "x"), at_ms)
    assert isinstance(refused, Refusal)
    late = decide_day(book, calendar, day, ReopenDay("gaming-manager", "too soon"), at_ms + 24 * HOUR)
    assert isinstance(late, Refusal)
    assert "by the clocks it is 2026-11-19" in late.text
    opened = decide_day(book, calendar, day, OpenDay("gaming-manager"), at_ms + 24 * HOUR)
    assert isinstance(opened, DayOpened)
    assert opened.date == datetime.date(2026, 11, 19)
