"""Routes for tables, their past, rulebooks and the log."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

import msgspec
from litestar import MediaType, Request, Response, get, post
from litestar.exceptions import HTTPException, NotAuthorizedException
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter

from pitboss.basics.cards import CardError
from pitboss.basics.money import MoneyError
from pitboss.floor import history
from pitboss.floor import model as m
from pitboss.floor.floor import Floor
from pitboss.floor.link import LinkOpening
from pitboss.floor.model import Answer, Caller, Opening
from pitboss.floor.permissions import may
from pitboss.floor.wire import AskedAct, too_large, unread_act
from pitboss.records import loads
from pitboss.records.model import RecordError
from pitboss.rulebooks import RULEBOOKS, RulebookError, load, terms
from pitboss.rulebooks.clauses import register
from pitboss.rulebooks.terms import Rulebook
from pitboss.server.replies import reply
from pitboss.store.log import StoreError
from pitboss.table.refusals import Refused
from pitboss.table.views import Viewer

T = TypeVar("T")

EVENTS_MAX = 1_000
RECORD_MAX = 200_000
HIGHEST = 1 << 53
"""Numbers that every client can write exactly."""


class Problem(msgspec.Struct, frozen=True, tag="error", tag_field="is"):
    """Why a request was not answered: one sentence."""

    text: str
    status_code: int
    detail: str


class ActAsked(msgspec.Struct, frozen=True):
    """An act and the id that the client chose for it: the same id again gets the first answer."""

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    act: dict[str, Any]
    """As in ``{"act": "Hit", "player": "alice", "box": 1}``; a shuffle says no order."""


class TableAsked(msgspec.Struct, frozen=True):
    """A table to be opened."""

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    """Chosen by the client, once for each command."""
    table: Annotated[str, msgspec.Meta(min_length=1, max_length=40, pattern="^[a-z0-9][a-z0-9-]*$")]
    opening: Opening


class LinkAsked(msgspec.Struct, frozen=True):
    """A jackpot link to be opened."""

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    link: Annotated[str, msgspec.Meta(min_length=1, max_length=40, pattern="^[a-z0-9][a-z0-9-]*$")]
    opening: LinkOpening


class CommandAsked(msgspec.Struct, frozen=True):
    """A command without anything else to say."""

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]


class ReplayAsked(msgspec.Struct, frozen=True):
    """A record to be shown step by step."""

    record: Annotated[str, msgspec.Meta(max_length=RECORD_MAX)]


def said(*codes: int) -> dict[int, ResponseSpec]:
    words = {
        400: "We cannot read the request.",
        401: "Log in first.",
        403: "The caller may not ask for this.",
        404: "There is no such thing.",
        409: "The rules say no; the body has the refusal.",
        421: "Another process owns the table; the body has its address.",
        429: "Too often: try again later.",
        503: "Nothing is accepted now; try again later.",
    }
    shapes: dict[int, Any] = {403: Problem | m.Denied, 404: Problem | m.Unknown, 409: m.NotAllowed, 421: m.Moved}
    shapes[503] = Problem | m.Halted
    return {code: ResponseSpec(shapes.get(code, Problem), description=words[code]) for code in codes}


ASKING = said(400, 401, 403, 404)
ACTING = said(400, 401, 403, 404, 409, 421, 429, 503)


def floor_of(request: Request[Any, Any, Any]) -> Floor:
    floor: Floor = request.app.state.floor
    return floor


def caller_of(request: Request[Any, Any, Any]) -> Caller:
    """Who asks; 401 where nobody is logged in."""
    caller: Caller | None = request.app.state.who(request.scope)
    if caller is None:
        raise NotAuthorizedException("log in first.")
    return caller


def answered(answer: Answer) -> Response[Any]:
    """An answer of the floor with its status."""
    return reply(answer)


async def may_or_denied(request: Request[Any, Any, Any], operation: str) -> Caller:
    """The caller, if he may; every denial is in the audit."""
    caller = caller_of(request)
    denied = may(caller, operation)
    if denied is not None:
        floor = floor_of(request)
        if floor.people is not None:
            await floor.people.audit.denied(caller, operation, denied, floor.clock.now_ms())
        raise HTTPException(denied.text, status_code=403)
    return caller


def _viewer(caller: Caller) -> Viewer:
    return Viewer("player", caller.name) if caller.role == "player" else Viewer(caller.role)


async def _read(request: Request[Any, Any, Any], function: Any, *arguments: Any) -> Any:
    """Something that reads the log, in a thread of its own."""
    floor = floor_of(request)
    try:
        return await floor.commits.run(function, floor.commits.log, *arguments)
    except StoreError as error:
        raise HTTPException(str(error), status_code=503) from error


def _found(thing: T | None, text: str) -> T:
    if thing is None:
        raise HTTPException(text, status_code=404)
    return thing


# --- rulebooks -------------------------------------------------------------------------------------------------------


@get("/api/rulebooks", responses=said(400))
async def list_rulebooks() -> list[dict[str, Any]]:
    """The five rulebooks."""
    return [{"id": key, "name": load(key).name, "natural": load(key).game.natural.value} for key in RULEBOOKS]


@get("/api/rulebooks/{rulebook:str}", responses=said(400, 404))
async def one_rulebook(rulebook: FromPath[str]) -> dict[str, Any]:
    """A rulebook: every term with its clauses, and what may be offered."""
    book = _book(rulebook)
    return {
        "id": book.id,
        "name": book.name,
        "terms": {
            key: {"is": msgspec.to_builtins(term.value, str_keys=True), "clauses": term.clauses}
            for key, term in terms(book)
        },
    }


@get("/api/rulebooks/{rulebook:str}/clauses/{clause:str}", responses=said(400, 404))
async def one_clause(rulebook: FromPath[str], clause: FromPath[str]) -> dict[str, Any]:
    """What a clause says, in our words."""
    found = _found(register(_book(rulebook).id).get(clause), f"{rulebook} has no clause {clause[:40]!r}.")
    return {"rulebook": rulebook, "clause": clause, "gist": found.gist}


def _book(rulebook: str) -> Rulebook:
    if rulebook not in RULEBOOKS:
        raise HTTPException(
            f"there is no rulebook {rulebook[:60]!r}; there are {', '.join(RULEBOOKS)}.", status_code=404
        )
    return load(rulebook)


# --- tables ----------------------------------------------------------------------------------------------------------


@get("/api/tables", responses=said(400, 401))
async def list_tables(request: Request[Any, Any, Any]) -> list[dict[str, Any]]:
    """Every open table, here or at another process."""
    return floor_of(request).tables(caller_of(request))


@post("/api/tables", status_code=200, responses=ACTING)
async def open_table(request: Request[Any, Any, Any], data: JSONBody[TableAsked]) -> Response[m.Accepted]:
    """Open a table."""
    caller = caller_of(request)
    return answered(await floor_of(request).open_table(caller, data.id, data.table, data.opening))


@post("/api/links", status_code=200, responses=ACTING)
async def open_link(request: Request[Any, Any, Any], data: JSONBody[LinkAsked]) -> Response[m.Accepted]:
    """Open a jackpot that several tables share."""
    caller = caller_of(request)
    return answered(await floor_of(request).open_link(caller, data.id, data.link, data.opening))


@get("/api/tables/{table:str}", responses=ACTING)
async def one_table(request: Request[Any, Any, Any], table: FromPath[str]) -> Response[dict[str, Any]]:
    """A table now, as the caller may see it: the same as an update of the socket."""
    caller = caller_of(request)
    watch = await floor_of(request).watch(caller, table, None, lambda: None)
    if not hasattr(watch, "take"):
        return answered(watch)
    try:
        return Response(watch.take(), media_type=MediaType.JSON)  # type: ignore[arg-type]
    finally:
        floor_of(request).unwatch(watch)  # type: ignore[arg-type]


@post("/api/tables/{table:str}/acts", status_code=200, responses=ACTING)
async def act(request: Request[Any, Any, Any], table: FromPath[str], data: JSONBody[ActAsked]) -> Response[m.Accepted]:
    """Have an act decided; answered when it is durable."""
    caller = caller_of(request)
    wait = request.app.state.guard.acts.allow(caller.session)
    if wait:
        seconds = str(int(wait) + 1)
        raise HTTPException("too many acts: send more slowly.", status_code=429, headers={"retry-after": seconds})
    asked = read_act(data.act)
    return answered(await floor_of(request).act(caller, table, data.id, asked))


def read_act(said: dict[str, Any]) -> AskedAct:
    """The act that a request holds; 400 with one sentence where it holds none."""
    try:
        encoded = msgspec.json.encode(said)
    except (OverflowError, UnicodeEncodeError):
        raise HTTPException("a number in the act is too large.", status_code=400) from None
    found = unread_act(encoded)
    if not isinstance(found, str) and too_large(found):
        found = "a number in the act is too large."
    if isinstance(found, str):
        raise HTTPException(found or "something in the act is missing or not of the right kind.", status_code=400)
    return found


@post("/api/tables/{table:str}/close", status_code=200, responses=ACTING)
async def close_table(
    request: Request[Any, Any, Any], table: FromPath[str], data: JSONBody[CommandAsked]
) -> Response[m.Accepted]:
    """Close a table between two rounds."""
    caller = caller_of(request)
    return answered(await floor_of(request).close_table(caller, data.id, table))


# --- the past --------------------------------------------------------------------------------------------------------


@get("/api/tables/{table:str}/events", responses=ASKING)
async def events(
    request: Request[Any, Any, Any],
    table: FromPath[str],
    after: Annotated[int, QueryParameter(ge=0, le=HIGHEST)] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=EVENTS_MAX)] = 200,
) -> Response[list[dict[str, Any]]]:
    """What happened at a table after a version, as the caller may see it; `limit` counts acts."""
    caller = await may_or_denied(request, "watch-table")
    found = await _read(request, history.events_after, table, after, limit, _viewer(caller))
    return Response(_found(found, f"there is no table {table[:60]!r}."))


@get("/api/tables/{table:str}/at/{version:int}", responses=ASKING)
async def at(request: Request[Any, Any, Any], table: FromPath[str], version: FromPath[int]) -> Response[dict[str, Any]]:
    """A table as it stood at a version."""
    caller = await may_or_denied(request, "see-past")
    found = None
    if 1 <= version <= HIGHEST:
        found = await _read(request, history.view_at, table, version, _viewer(caller))
    return Response(_found(found, f"table {table[:60]!r} never had a version {version}."))


@get("/api/tables/{table:str}/rounds", responses=ASKING)
async def rounds(
    request: Request[Any, Any, Any],
    table: FromPath[str],
    first: Annotated[int, QueryParameter(ge=0, le=HIGHEST)] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=history.ROUNDS_MAX)] = 50,
) -> Response[list[history.RoundTold]]:
    """Finished rounds from number `first` on; the latest without it. Players see what they themselves won."""
    caller = await may_or_denied(request, "watch-table")
    found = _found(await _read(request, history.rounds, table, first, limit), f"there is no table {table[:60]!r}.")
    return Response([_as_seen(each, caller) for each in found])


def _as_seen(told: history.RoundTold, caller: Caller) -> history.RoundTold:
    if may(caller, "see-private") is None:
        return told
    own = {name: cents for name, cents in told.net_cents.items() if name == caller.name}
    return msgspec.structs.replace(told, net_cents=own)


@get("/api/tables/{table:str}/rounds/{number:int}", responses=ASKING, media_type=MediaType.TEXT)
async def one_round(request: Request[Any, Any, Any], table: FromPath[str], number: FromPath[int]) -> Response[str]:
    """A finished round as a `.round` record that replays. Cards that were never dealt are not in it."""
    caller = caller_of(request)
    seat = may(caller, "see-past")
    try:
        if not 1 <= number <= HIGHEST:
            raise history.NoSuchRound(f"there is no round {number}.")
        told = await _read(request, history.rounds, table, number, 1)
        if seat is not None and not (told and caller.name in told[0].net_cents):
            raise HTTPException("a player gets the rounds that he played; others are for supervisors.", status_code=403)
        reader = caller.name if seat is not None else None
        text = await _read(request, history.record_of_round, table, number, reader)
    except history.NoSuchRound as error:
        raise HTTPException(str(error), status_code=404) from None
    except (RecordError, ValueError) as error:
        raise HTTPException(f"this round cannot be told as a record: {error}", status_code=404) from None
    name = f"{table}-{number}.round"
    return Response(
        text,
        media_type="text/plain; charset=utf-8",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


@post("/api/replay", status_code=200, responses=said(400, 401, 409))
async def replay(request: Request[Any, Any, Any], data: JSONBody[ReplayAsked]) -> Response[list[history.Frame]]:
    """A `.round` record event by event: what happened, why, and the table after it."""
    caller_of(request)
    floor = floor_of(request)
    try:
        return Response(await floor.commits.run(lambda: history.frames(loads(data.record))))
    except Refused as no:
        return answered(m.NotAllowed("", no.refusal))
    except (RecordError, CardError, MoneyError, RulebookError, RecursionError) as error:
        raise HTTPException(str(error)[:500] or "the record cannot be read.", status_code=400) from None


# --- the log ---------------------------------------------------------------------------------------------------------


@get("/api/log/search", responses=ASKING)
async def search(
    request: Request[Any, Any, Any],
    clause: Annotated[str, QueryParameter(max_length=60)] = "",
    player: Annotated[str, QueryParameter(max_length=60)] = "",
    act: Annotated[str, QueryParameter(max_length=60)] = "",
    table: Annotated[str, QueryParameter(max_length=60)] = "",
    by: Annotated[str, QueryParameter(max_length=60)] = "",
    cents_from: Annotated[int, QueryParameter(ge=0, le=HIGHEST)] = 0,
    cents_to: Annotated[int, QueryParameter(ge=0, le=HIGHEST)] = 0,
    after: Annotated[int, QueryParameter(ge=0, le=HIGHEST)] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=history.FOUND_MAX)] = 50,
) -> history.Searched:
    """Acts by clause, player, amount, act, table or caller; `next` says where the next search goes on."""
    await may_or_denied(request, "search-log")
    wanted = history.Wanted(clause, player, act, table, cents_from, cents_to, by)
    found: history.Searched = await _read(request, _search, wanted, after, limit)
    return found


def _search(log: Any, wanted: history.Wanted, after: int, limit: int) -> history.Searched:
    return history.Searches(wanted).run(log, after, limit)


HANDLERS: list[Any] = [
    list_rulebooks,
    one_rulebook,
    one_clause,
    list_tables,
    open_table,
    open_link,
    one_table,
    act,
    close_table,
    events,
    at,
    rounds,
    one_round,
    replay,
    search,
]
