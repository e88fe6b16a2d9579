"""Routes of the registers and notices: read by supervisors and inspectors, written by whom the rules let."""

from __future__ import annotations

import datetime
import re
from typing import Annotated, Any, get_args

import msgspec
from litestar import Response, get, post
from litestar.exceptions import HTTPException
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from pitboss.floor import model as m
from pitboss.floor.model import Denied
from pitboss.registers import paper
from pitboss.registers.acts import AnyRegisterAct
from pitboss.registers.asking import Count, Kept, Note, Wanted, counts, gaming_days, items, lines, notes
from pitboss.registers.model import REGISTERS, Item, Line
from pitboss.rulebooks import RULEBOOKS, load
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

ALL = "all"
NOTICES = "notices"
SHOWN = 200
READING = said(400, 401, 403, 404, 503)
WRITING = said(401, 404, 409, 503, body=True)
Text = Annotated[str, QueryParameter(max_length=200)]
Moment = Annotated[int, QueryParameter(ge=0, le=1 << 53, description="Milliseconds of Unix time; 0: no end.")]
Date = Annotated[str, QueryParameter(max_length=10, description="A gaming date, as in 2026-11-18; empty: no end.")]
Limit = Annotated[int, QueryParameter(ge=1, le=2_000)]


class LineTold(msgspec.Struct, frozen=True):
    """One line, and its clauses as people cite them."""

    line: Line
    cited: str
    at: str
    """As the clocks of the house show it."""


class ItemTold(msgspec.Struct, frozen=True):
    """One item as it is now."""

    item: Item
    state: str
    """due, overdue, done or lapsed."""
    cited: str
    due: str
    done: str


class RegistersTold(msgspec.Struct, frozen=True):
    registers: list[Count]
    due: int
    overdue: int
    notices_due: int
    notices_overdue: int


class RegisterTold(msgspec.Struct, frozen=True):
    name: str
    title: str
    lines: list[LineTold]
    """Newest first."""
    more: int
    """Lines that match and are not shown."""
    items: list[ItemTold]
    """What is due, by its deadline; then what is done, newest first."""
    notes: list[Note]


class NoticesTold(msgspec.Struct, frozen=True):
    notices: list[ItemTold]
    more: int
    sendable: list[str]
    """Who can be sent an e-mail."""


class RegisterAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to be written into the registers. Who speaks is whoever is logged in."""

    id: CommandId
    act: dict[str, Any]
    """Its name in `act`, and its fields."""
    rulebook: Annotated[str, msgspec.Meta(max_length=40)] = RULEBOOKS[0]


class SendAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: CommandId


class RegisterWritten(msgspec.Struct, frozen=True, tag="accepted", tag_field="is"):
    """It is durably written."""

    version: int


# --- reading ---------------------------------------------------------------------------------------------------------


@get("/api/registers", operation_id="ListRegisters", tags=["registers"], responses=said(401, 403, 503))
async def list_registers(request: AnyRequest) -> RegistersTold:
    """Every register with how much stands in it, and how much of it is due or overdue."""
    now = now_ms(request)

    def summed_up(book: Kept) -> RegistersTold:
        each = counts(book, now)
        notices = items(book, Wanted(due=True), now, notices=True)
        late = sum(item.state(now) == "overdue" for item in notices)
        return RegistersTold(each, sum(one.due for one in each), sum(one.overdue for one in each), len(notices), late)

    found: RegistersTold = await _ask(request, summed_up)
    return found


@get("/api/registers/{name:str}", operation_id="ShowRegister", tags=["registers"], responses=READING)
async def show_register(
    request: AnyRequest,
    name: FromPath[str],
    search: Text = "",
    table: Text = "",
    person: Text = "",
    kind: Text = "",
    since: Date = "",
    until: Date = "",
    since_ms: Moment = 0,
    until_ms: Moment = 0,
    due: FromQuery[bool] = False,
    limit: Limit = SHOWN,
) -> RegisterTold:
    """The lines of one register (or of `all`), newest first, and its items."""
    register, now = _register(name), now_ms(request)

    def lines_of(book: Kept, wanted: Wanted) -> RegisterTold:
        found = lines(book, wanted, now)
        shown = [_line(book, line) for line in found[:limit]]
        waiting = [_item(book, item, now) for item in items(book, wanted, now)[:limit]]
        return RegisterTold(name, _title(register), shown, len(found) - len(shown), waiting, notes(book, register))

    wanted = Wanted(register, search, table, person, kind, since_ms, until_ms, due)
    found: RegisterTold = await _ask_days(request, wanted, since, until, lines_of)
    return found


@get(
    "/api/registers/{name:str}/paper",
    operation_id="PrintRegister",
    tags=["registers"],
    responses=READING,
    media_type="text/html",
)
async def print_register(
    request: AnyRequest,
    name: FromPath[str],
    search: Text = "",
    table: Text = "",
    person: Text = "",
    kind: Text = "",
    since: Date = "",
    until: Date = "",
    since_ms: Moment = 0,
    until_ms: Moment = 0,
    due: FromQuery[bool] = False,
) -> Response[str]:
    """The same lines, all of them, as a page that prints well; `notices` are who is told what."""
    register, now = "" if name == NOTICES else _register(name), now_ms(request)
    said = [
        search and f"“{search}”",
        table and f"table {table}",
        person,
        kind,
        since and f"from {since}",
        until and f"to {until}",
    ]
    about = ", ".join(filter(None, [*said, "what is due" if due else ""])) or "Everything that is registered"

    def page_of(book: Kept, wanted: Wanted) -> str:
        about_it = f"{about}. Printed {paper.shown_at(book, next(iter(book.calendars), ''), now)[:16]}"
        if name == NOTICES:
            return paper.items_html(book, "Notices", about_it, items(book, wanted, now, notices=True), now)
        found, waiting = lines(book, wanted, now), _waiting(book, wanted, now)
        return paper.lines_html(book, _title(register), about_it, found, register, waiting, now)

    wanted = Wanted(register, search, table, person, kind, since_ms, until_ms, due)
    page: str = await _ask_days(request, wanted, since, until, page_of)
    return Response(page, media_type="text/html", headers=_named(name, "html"))


@get(
    "/api/registers/{name:str}/rows",
    operation_id="ListRegisterRows",
    tags=["registers"],
    responses=READING,
    media_type="text/csv",
)
async def rows_of_register(
    request: AnyRequest,
    name: FromPath[str],
    search: Text = "",
    table: Text = "",
    person: Text = "",
    kind: Text = "",
    since: Date = "",
    until: Date = "",
    since_ms: Moment = 0,
    until_ms: Moment = 0,
    due: FromQuery[bool] = False,
) -> Response[str]:
    """The same lines, all of them, as rows for other programs; `notices` are who is told what."""
    register, now = "" if name == NOTICES else _register(name), now_ms(request)

    def rows_of(book: Kept, wanted: Wanted) -> str:
        if name == NOTICES:
            return paper.items_csv(book, items(book, wanted, now, notices=True), now)
        return paper.lines_csv(book, lines(book, wanted, now))

    wanted = Wanted(register, search, table, person, kind, since_ms, until_ms, due)
    rows: str = await _ask_days(request, wanted, since, until, rows_of)
    return Response(rows, media_type="text/csv", headers=_named(name, "csv"))


@get("/api/notices", operation_id="ListNotices", tags=["registers"], responses=said(400, 401, 403, 503))
async def list_notices(
    request: AnyRequest, search: Text = "", table: Text = "", due: FromQuery[bool] = False, limit: Limit = SHOWN
) -> NoticesTold:
    """Who is to be told what, by when, and who told them."""
    now = now_ms(request)
    wanted = Wanted(search=search, table=table, due=due)
    mail = reception_of(request).registers.mail
    known = sorted(mail.addresses) if mail is not None else []

    def whom_to_tell(book: Kept) -> NoticesTold:
        found = items(book, wanted, now, notices=True)
        return NoticesTold([_item(book, item, now) for item in found[:limit]], max(0, len(found) - limit), known)

    found: NoticesTold = await _ask(request, whom_to_tell)
    return found


# --- writing ---------------------------------------------------------------------------------------------------------


@post("/api/registers", operation_id="WriteRegister", tags=["registers"], status_code=200, responses=WRITING)
async def write_register(request: AnyRequest, data: JSONBody[RegisterAsked]) -> Response[RegisterWritten]:
    """Write into the registers what no act at a table says, under the caller's own role."""
    caller = caller_of(request)
    not_too_fast(request, caller)
    if data.rulebook not in RULEBOOKS:
        raise HTTPException(f"there is no rulebook {data.rulebook[:60]!r}.", status_code=404)
    act = _act(data.act)
    answer = await reception_of(request).registers.do(caller, load(data.rulebook), act, f"{caller.name}/{data.id}")
    if isinstance(answer, Denied):
        raise await denial(request, caller, type(act).__name__, answer)
    if isinstance(answer, m.Accepted):
        return reply(RegisterWritten(answer.version))
    return reply(answer)


@post("/api/notices/{item:str}/send", operation_id="SendNotice", tags=["registers"], status_code=200, responses=WRITING)
async def send_notice(request: AnyRequest, item: FromPath[str], data: JSONBody[SendAsked]) -> Response[RegisterWritten]:
    """Send a notice by e-mail, where a mail server is set up and an address is known."""
    caller = caller_of(request)
    not_too_fast(request, caller)
    answer = await reception_of(request).registers.send(caller, item, f"{caller.name}/{data.id}")
    if isinstance(answer, Denied):
        raise await denial(request, caller, "send-notice", answer)
    if isinstance(answer, m.Accepted):
        return reply(RegisterWritten(answer.version))
    return reply(answer)


NAMES = tuple(kind.__name__ for kind in get_args(AnyRegisterAct))


def _act(given: dict[str, Any]) -> AnyRegisterAct:
    if given.get("act") not in NAMES:
        raise HTTPException(f"there is no such act; there are {', '.join(NAMES)}.", status_code=404)
    try:
        whole = {name: int(each) for name, each in given.items() if isinstance(each, float) and each.is_integer()}
        return msgspec.convert({**given, **whole, "by": ""}, AnyRegisterAct)  # type: ignore[no-any-return]
    except msgspec.ValidationError as error:
        what = re.sub(r" - at `\$\.?(\w*)`", r" (\1)", str(error))
        raise HTTPException(f"the act cannot be read: {what}.", status_code=400) from None


# --- within ----------------------------------------------------------------------------------------------------------


def _register(name: str) -> str:
    if name != ALL and name not in REGISTERS:
        raise HTTPException(f"there is no register {name[:60]!r}: {', '.join(REGISTERS)}.", status_code=404)
    return "" if name == ALL else name


def _waiting(book: Kept, wanted: Wanted, now: int) -> list[Item]:
    return items(book, msgspec.structs.replace(wanted, due=True), now)


def _title(register: str) -> str:
    return REGISTERS.get(register, "All registers")


def _line(book: Kept, line: Line) -> LineTold:
    return LineTold(line, paper.cited(line.clauses), paper.shown_at(book, line.rulebook, line.at_ms)[:16])


def _item(book: Kept, item: Item, now: int) -> ItemTold:
    due = paper.shown_at(book, item.rulebook, item.due_ms)[:16] or (paper.BEFORE_PLAY if item.before_play else "")
    done = paper.shown_at(book, item.rulebook, item.done_ms)[:16]
    return ItemTold(item, item.state(now), paper.cited(item.clauses), due, done)


def _named(name: str, form: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="pitboss-{name}.{form}"'}


async def _ask(request: AnyRequest, question: Any) -> Any:
    caller = await allowed(request, "see-registers")
    await floor_of(request).up_to_date()
    return await reception_of(request).registers.ask(caller, question)


async def _ask_days(request: AnyRequest, wanted: Wanted, since: str, until: str, question: Any) -> Any:
    """As `_ask`, of some gaming days, where somebody names them."""
    for date in (since, until):
        try:
            datetime.date.fromisoformat(date or "2026-11-18")
        except ValueError:
            raise HTTPException(f"{date!r} is no date: write it as in 2026-11-18.", status_code=400) from None

    def of_days(book: Kept) -> Any:
        first, last = gaming_days(book, since, until)
        since_ms, until_ms = first or wanted.since_ms, last or wanted.until_ms
        return question(book, msgspec.structs.replace(wanted, since_ms=since_ms, until_ms=until_ms))

    return await _ask(request, of_days)


HANDLERS: list[Any] = [
    list_registers, show_register, print_register, rows_of_register, list_notices, write_register, send_notice,
]  # fmt: skip
