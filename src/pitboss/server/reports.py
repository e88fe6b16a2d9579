"""Routes for reports: takings by day, month, hour, table, dealer and wager, beside what was expected."""

from __future__ import annotations

import datetime
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromQuery, JSONBody

from pitboss.floor import model as m
from pitboss.floor.handovers import TEXT_MAX
from pitboss.floor.own_play import OwnPlay, own_play
from pitboss.floor.takings import HouseTakings, duties
from pitboss.registers.asking import Kept, gaming_days
from pitboss.reports import paper
from pitboss.reports.build import DutyRow, Report, at_table, build, is_for_money, starting_with
from pitboss.reports.takings import Takings
from pitboss.server.replies import (
    AnyRequest,
    allowed,
    caller_of,
    denial,
    floor_of,
    not_too_fast,
    now_ms,
    reception_of,
    reply,
    said,
)
from pitboss.server.shapes import CommandId


class DaysTold(msgspec.Struct, frozen=True):
    """What can be reported on."""

    days: list[str]
    """Gaming days, newest first."""
    tables: dict[str, str]
    """Ids of tables that are played for money, with their names."""


@get("/api/reports", operation_id="ListReports", tags=["reports"], responses=said(401, 403, 503))
async def days(request: AnyRequest) -> DaysTold:
    """Gaming days and tables that have something to report."""

    def listed(fold: HouseTakings) -> DaysTold:
        takings = fold.takings
        money = {table: each.name for table, each in takings.tables.items() if is_for_money(each)}
        found = {key.partition(" ")[0] for key in takings.cells} | {note.date for note in takings.handovers}
        return DaysTold(sorted(found, reverse=True), money)

    found: DaysTold = await _ask(request, listed)
    return found


@get("/api/reports/takings", operation_id="ShowTakings", tags=["reports"], responses=said(401, 403, 503))
async def takings(request: AnyRequest, period: FromQuery[str] = "", table: FromQuery[str] = "") -> Report:
    """The report of a gaming day (`2026-11-18`), a month (`2026-11`) or everything, for one `table` or all."""
    return await _reported(request, period, table)


@get(
    "/api/reports/paper",
    operation_id="PrintTakings",
    tags=["reports"],
    responses=said(401, 403, 503),
    media_type="text/html",
)
async def printed(request: AnyRequest, period: FromQuery[str] = "", table: FromQuery[str] = "") -> Response[str]:
    """The same report as a page that prints well."""
    found = await _reported(request, period, table)
    return Response(paper.as_html(found), media_type="text/html", headers=_named("html"))


@get(
    "/api/reports/rows",
    operation_id="ListTakings",
    tags=["reports"],
    responses=said(401, 403, 503),
    media_type="text/csv",
)
async def rows(request: AnyRequest, period: FromQuery[str] = "", table: FromQuery[str] = "") -> Response[str]:
    """The same report as rows for other programs."""
    found = await _reported(request, period, table)
    return Response(paper.as_csv(found), media_type="text/csv", headers=_named("csv"))


class HandoverAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A note for the next shift. Who leaves it is whoever is logged in."""

    id: CommandId
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=TEXT_MAX)]
    table: Annotated[str, msgspec.Meta(max_length=60)] = ""
    """What it is about; empty for the whole floor."""


class HandoverLeft(msgspec.Struct, frozen=True, tag="accepted", tag_field="is"):
    """It is durably written."""

    version: int
    """How many notes there are."""


@post(
    "/api/reports/handovers",
    operation_id="LeaveHandover",
    tags=["reports"],
    status_code=200,
    responses=said(401, 403, 404, 409, 503, body=True),
)
async def leave_handover(request: AnyRequest, data: JSONBody[HandoverAsked]) -> Response[HandoverLeft]:
    """Leave a note for the next shift. It stands in the report of the shift in which it was left, and stays there."""
    caller = await allowed(request, "leave-handover")
    not_too_fast(request, caller)
    book = reception_of(request).handovers
    answer = await book.leave(caller, data.text, data.table, f"{caller.name}/handover/{data.id}")
    if isinstance(answer, m.Accepted):
        return reply(HandoverLeft(answer.version))
    return reply(answer)


NOT_FOR_GUESTS = m.Denied("a guest's play is kept in their browser; with an account it is kept here.")


@get("/api/my-play", operation_id="ShowMyPlay", tags=["reports"], responses=said(401, 403, 503))
async def my_play(request: AnyRequest) -> OwnPlay:
    """What the caller has played, by table and gaming day, and their latest rounds. Nobody gets another's."""
    floor, caller = floor_of(request), await allowed(request, "watch-table")
    account = reception_of(request).people.account(caller.name)
    if account is None or account.guest:
        raise await denial(request, caller, "own play", NOT_FOR_GUESTS)
    not_too_fast(request, caller)
    found: OwnPlay = await floor.gate.run(caller.name, own_play, floor.commits.log, floor.projections, caller.name)
    return found


def _named(form: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="pitboss-report.{form}"'}


async def _ask(request: AnyRequest, question: Any) -> Any:
    caller = await allowed(request, "see-reports")
    floor = floor_of(request)
    return await floor.gate.run_long(caller.name, floor.projections.ask, HouseTakings, question)


async def _reported(request: AnyRequest, period: str, table: str) -> Report:
    """With what was still to be done when the period ended; now, where it has not."""
    report: Report = await _ask(request, lambda fold: _report(fold.takings, period, table))
    if not period:
        return report
    caller, now = caller_of(request), now_ms(request)

    def open_duties(book: Kept) -> tuple[DutyRow, ...]:
        return duties(book, min(_ends_ms(book, period) or now, now), table)

    found: tuple[DutyRow, ...] = await reception_of(request).registers.ask(caller, open_duties)
    return msgspec.structs.replace(report, duties=found)


def _ends_ms(book: Kept, period: str) -> int:
    """When a gaming day or a month ends; 0 for what is neither."""
    try:
        if len(period) > len("2026-11"):
            return gaming_days(book, "", period)[1]
        first = datetime.date.fromisoformat(f"{period}-01")
    except ValueError:
        return 0
    last = (first + datetime.timedelta(days=32)).replace(day=1) - datetime.timedelta(days=1)
    return gaming_days(book, "", str(last))[1]


def _report(takings: Takings, period: str, table: str) -> Report:
    within = starting_with(period)
    wanted = at_table(table, within) if table else within
    called = takings.tables[table].name if table in takings.tables else table
    return build(
        takings, wanted, f"Takings of {called}" if table else "Takings", period or "All days", one_by_one=bool(period)
    )


HANDLERS: list[Any] = [days, takings, printed, rows, leave_handover, my_play]
