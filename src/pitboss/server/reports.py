"""Routes for reports: takings by day, month, hour, table, dealer and wager, beside what was expected."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, get
from litestar.params import FromQuery

from pitboss.floor.takings import HouseTakings
from pitboss.reports import paper
from pitboss.reports.build import Report, at_table, build, is_for_money, starting_with
from pitboss.reports.takings import Takings
from pitboss.server.replies import AnyRequest, allowed, floor_of, said


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
        found = {key.partition(" ")[0] for key in takings.cells}
        return DaysTold(sorted(found, reverse=True), money)

    found: DaysTold = await _ask(request, listed)
    return found


@get("/api/reports/takings", operation_id="ShowTakings", tags=["reports"], responses=said(401, 403, 503))
async def takings(request: AnyRequest, period: FromQuery[str] = "", table: FromQuery[str] = "") -> Report:
    """The report of a gaming day (`2026-11-18`), a month (`2026-11`) or everything, for one `table` or all."""
    found: Report = await _ask(request, lambda fold: _report(fold.takings, period, table))
    return found


@get(
    "/api/reports/paper",
    operation_id="PrintTakings",
    tags=["reports"],
    responses=said(401, 403, 503),
    media_type="text/html",
)
async def printed(request: AnyRequest, period: FromQuery[str] = "", table: FromQuery[str] = "") -> Response[str]:
    """The same report as a page that prints well."""
    found: Report = await _ask(request, lambda fold: _report(fold.takings, period, table))
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
    found: Report = await _ask(request, lambda fold: _report(fold.takings, period, table))
    return Response(paper.as_csv(found), media_type="text/csv", headers=_named("csv"))


def _named(form: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="pitboss-report.{form}"'}


async def _ask(request: AnyRequest, question: Any) -> Any:
    caller = await allowed(request, "see-reports")
    floor = floor_of(request)
    return await floor.gate.run_long(caller.name, floor.projections.ask, HouseTakings, question)


def _report(takings: Takings, period: str, table: str) -> Report:
    within = starting_with(period)
    wanted = at_table(table, within) if table else within
    called = takings.tables[table].name if table in takings.tables else table
    return build(
        takings, wanted, f"Takings of {called}" if table else "Takings", period or "All days", one_by_one=bool(period)
    )


HANDLERS: list[Any] = [days, takings, printed, rows]
