"""Routes for tables, their past, rulebooks and the log."""

from __future__ import annotations

import time
from functools import lru_cache
from typing import Annotated, Any, TypeVar

import msgspec
from litestar import MediaType, Response, get, post
from litestar.exceptions import HTTPException
from litestar.params import FromPath, JSONBody, QueryParameter

from pitboss.floor import history, searching
from pitboss.floor import model as m
from pitboss.floor.editions import learn_from
from pitboss.floor.host import stream_of
from pitboss.floor.link import links_of
from pitboss.floor.model import Caller, Denied
from pitboss.floor.naming import is_table_name
from pitboss.floor.permissions import may
from pitboss.floor.round_records import DoesNotReplay, NoSuchRound, record_of_round
from pitboss.floor.updates import Told, Watch
from pitboss.floor.wire import TOO_LARGE, AskedAct, unfit, unread_act
from pitboss.records.model import RecordError
from pitboss.rulebooks import RULEBOOKS, RulebookError, editions, load
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.glossary import glossary
from pitboss.rulebooks.sentences import Section, how_to_play, sections
from pitboss.rulebooks.terms import Rulebook, SameRulebook
from pitboss.server.replies import AnyRequest, allowed, caller_of, denial, floor_of, not_too_fast, offered, reply, said
from pitboss.server.shapes import (
    HIGHEST,
    ClauseTold,
    CommandId,
    Done,
    LinkOpeningAsked,
    MomentTold,
    OpeningAsked,
    RulebookListed,
    RulebookTold,
    RulesTold,
    SectionTold,
    ShownTold,
    TableId,
    TableListed,
    UpdateTold,
    VersionTold,
    Waits,
    WordTold,
)
from pitboss.store.log import Log
from pitboss.table.irregularities.moments import Moments, moments_of
from pitboss.table.refusals import Refused, as_sentence
from pitboss.table.views import Viewer

T = TypeVar("T")

EVENTS_MAX = 1_000
SEARCHED = frozenset(
    {
        "clause", "player", "act", "table", "by", "cents_from", "cents_to", "since_ms", "until_ms", "after", "limit",
        "oldest",
    }
)  # fmt: skip
"""What a search may ask for."""
RECORD_MAX = 64_000


class ActAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An act and the id that the client chose for it: the same id again gets the first answer."""

    id: CommandId
    act: dict[str, Any]
    """As in ``{"act": "Hit", "player": "alice", "box": 1}``; a shuffle says no order."""


class TableAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table to be opened."""

    id: CommandId
    """Chosen by the client, once for each command."""
    table: TableId
    opening: OpeningAsked


class LinkAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A jackpot link to be opened."""

    id: CommandId
    link: TableId
    opening: LinkOpeningAsked


class CommandAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command without anything else to say."""

    id: CommandId


class ReplayAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record to be shown step by step."""

    record: Annotated[str, msgspec.Meta(max_length=RECORD_MAX)]


def _viewer(caller: Caller) -> Viewer:
    return Viewer("player", caller.name) if caller.role == "player" else Viewer(caller.role)


async def _read(request: AnyRequest, function: Any, *arguments: Any) -> Any:
    """Something that reads the log, when the caller has their turn, in a thread of its own."""
    floor, who = floor_of(request), caller_of(request).name
    return await floor.gate.run(who, floor.look_back(floor.gate, who, function), *arguments)


async def _past(request: AnyRequest, function: Any, table: str, *arguments: Any) -> Any:
    """Something that reads the past of a table; None where no table can have such a name."""
    return await _read(request, function, table, *arguments) if is_table_name(table) else None


def _found(thing: T | None, text: str) -> T:
    if thing is None:
        raise HTTPException(text, status_code=404)
    return thing


# --- rulebooks -------------------------------------------------------------------------------------------------------

RULES = ["rulebooks"]
EditionQuery = Annotated[str, QueryParameter(max_length=64)]


@get("/api/rulebooks", operation_id="ListRulebooks", tags=RULES, responses=said())
async def list_rulebooks() -> list[RulebookListed]:
    """The five rulebooks."""
    return [RulebookListed(key, load(key).name, load(key).game.natural.value) for key in RULEBOOKS]


@get("/api/rulebooks/{rulebook:str}", operation_id="ShowRulebook", tags=RULES, responses=said(404))
async def one_rulebook(
    request: AnyRequest, rulebook: FromPath[str], edition: EditionQuery = ""
) -> Response[RulebookTold]:
    """A rulebook: every term with its clauses, and what may be offered; shipped, or in an edition played here."""
    return reply(_shown(SameRulebook(await _book(request, rulebook, edition))))


@lru_cache(maxsize=64)
def _shown(same: SameRulebook) -> msgspec.Raw:
    """Encoded once: anybody may ask for it, and it is long."""
    return msgspec.Raw(msgspec.json.encode(history.rulebook_told(same.rulebook)))


@get("/api/rulebooks/{rulebook:str}/clauses/{clause:str}", operation_id="ShowClause", tags=RULES, responses=said(404))
async def one_clause(
    request: AnyRequest, rulebook: FromPath[str], clause: FromPath[str], edition: EditionQuery = ""
) -> ClauseTold:
    """What a clause says, in our words; in the shipped edition, or in one that a table here is played by."""
    rows = editions.register_of(await _book(request, rulebook, edition))
    found = _found(rows.get(clause), f"{rulebook} has no clause {clause[:40]!r}.")
    return ClauseTold(rulebook, clause, found.gist)


@get("/api/rulebooks/{rulebook:str}/glossary", operation_id="ListWords", tags=RULES, responses=said(404))
async def list_words(request: AnyRequest, rulebook: FromPath[str], edition: EditionQuery = "") -> list[WordTold]:
    """The words that a document defines, in plain words; of another edition those that it defines too."""
    rows = editions.register_of(await _book(request, rulebook, edition))
    return [
        WordTold(
            each.clause,
            cite([each.clause]),
            each.word,
            each.forms,
            each.means,
            cite(each.see),
            each.acts,
            each.events,
            each.terms,
        )
        for each in glossary(rulebook)
        if each.clause in rows
    ]


@get("/api/rulebooks/{rulebook:str}/rules", operation_id="ShowRules", tags=RULES, responses=said(404))
async def show_rules(request: AnyRequest, rulebook: FromPath[str], edition: EditionQuery = "") -> Response[RulesTold]:
    """The game in sentences, one for every term, each with its clauses; and how to play it, on one screen."""
    return reply(_in_sentences(SameRulebook(await _book(request, rulebook, edition))))


@lru_cache(maxsize=64)
def _in_sentences(same: SameRulebook) -> msgspec.Raw:
    told = RulesTold(_sections(how_to_play(same.rulebook)), _sections(sections(same.rulebook)))
    return msgspec.Raw(msgspec.json.encode(told))


def _sections(found: list[Section]) -> list[SectionTold]:
    return [
        SectionTold(each.title.capitalize(), [ShownTold(line.text, line.clauses) for line in each.entries])
        for each in found
    ]


async def _book(request: AnyRequest, rulebook: str, edition: str = "") -> Rulebook:
    if rulebook not in RULEBOOKS:
        raise HTTPException(
            f"there is no rulebook {rulebook[:60]!r}; there are {', '.join(RULEBOOKS)}.", status_code=404
        )
    if edition and not editions.is_known(rulebook, edition):
        commits = floor_of(request).commits  # a table of another process may be played by it
        await commits.run(learn_from, commits.log, rulebook, edition)
    if edition and not editions.is_known(rulebook, edition):
        raise HTTPException(f"no table here is played by edition {edition[:12]!r} of {rulebook}.", status_code=404)
    return editions.edition(rulebook, edition) if edition else load(rulebook)


# --- tables ----------------------------------------------------------------------------------------------------------

TABLES = ["tables"]
ACTING = said(401, 404, 409, 503, body=True)
PAST = said(400, 401, 403, 404, 503)


@get("/api/tables", operation_id="ListTables", tags=TABLES, responses=said(401, 403, 503))
async def list_tables(request: AnyRequest) -> Response[list[TableListed]]:
    """Every open table, here or at another process."""
    return reply(floor_of(request).tables(await allowed(request, "watch-table")))


@post("/api/tables", operation_id="OpenTable", tags=TABLES, status_code=200, responses=ACTING)
async def open_table(request: AnyRequest, data: JSONBody[TableAsked]) -> Response[Done]:
    """Open a table."""
    caller = caller_of(request)
    try:
        opening = data.opening.plain()
    except RulebookError as error:
        return reply(m.Unknown(as_sentence(error)))
    return reply(await floor_of(request).open_table(caller, data.id, data.table, opening))


@post("/api/links", operation_id="OpenLink", tags=TABLES, status_code=200, responses=ACTING)
async def open_link(request: AnyRequest, data: JSONBody[LinkAsked]) -> Response[Done]:
    """Open a jackpot that several tables share."""
    caller = caller_of(request)
    return reply(await links_of(floor_of(request)).open(caller, data.id, data.link, data.opening))


@get("/api/tables/{table:str}", operation_id="ShowTable", tags=TABLES, responses=said(401, 403, 404, 503))
async def one_table(request: AnyRequest, table: FromPath[str]) -> Response[UpdateTold]:
    """A table now, as the caller may see it: the same as an update of the socket."""
    floor, caller = floor_of(request), caller_of(request)
    watch = await floor.watch(caller, table, None, lambda: None)
    if not isinstance(watch, Watch):
        return reply(watch)
    try:
        update = offered(caller, table, watch.take())
        return Response(update, media_type=MediaType.JSON)  # type: ignore[arg-type]
    finally:
        floor.unwatch(watch)


@get("/api/tables/{table:str}/moments", operation_id="ListMoments", tags=TABLES, responses=said(401, 403, 404, 503))
async def moments(request: AnyRequest, table: FromPath[str]) -> Response[Moments]:
    """The cards and decisions of the round, in play or just finished, as `Notice` counts and everybody sees them."""
    floor, caller = floor_of(request), caller_of(request)
    watch = await floor.watch(caller, table, None, lambda: None)
    if not isinstance(watch, Watch):
        return reply(watch)
    try:
        return reply(moments_of(watch.host.shown))
    finally:
        floor.unwatch(watch)


@get("/api/tables/{table:str}/rulebook", operation_id="ShowTableRulebook", tags=TABLES, responses=PAST)
async def rulebook_of_table(
    request: AnyRequest, table: FromPath[str], at: Annotated[int, QueryParameter(ge=0, le=HIGHEST)] = 0
) -> Response[RulebookTold]:
    """The rulebook as a table plays it, or did `at` a version: its own edition, its gaming date, and what amends it."""
    await allowed(request, "watch-table")
    return reply(_shown(SameRulebook(await book_of_table(request, table, at))))


@get("/api/tables/{table:str}/rules", operation_id="ShowTableRules", tags=TABLES, responses=PAST)
async def rules_of_table(request: AnyRequest, table: FromPath[str]) -> Response[RulesTold]:
    """The game in sentences as a table plays it: its own edition, its gaming date, and what amends it."""
    await allowed(request, "watch-table")
    return reply(_in_sentences(SameRulebook(await book_of_table(request, table))))


async def book_of_table(request: AnyRequest, table: str, at: int = 0) -> Rulebook:
    """404 where there is no such table, or none so late."""
    host = floor_of(request).hosts.get(table)
    if host is not None and not at:
        return host.table.rulebook
    book: Rulebook | None = await _past(request, _rulebook_at, table, at)
    return _found(book, f"there is no table {table[:60]!r}{f' at version {at}' if at else ''}.")


def _rulebook_at(log: Log, table: str, at: int) -> Rulebook | None:
    """Of a table in the past, or now where another process has it or it is closed."""
    moment = history.moment_at(log, table, at or log.version(stream_of(table)))
    return None if moment is None else moment.table.rulebook


@post("/api/tables/{table:str}/acts", operation_id="Act", tags=TABLES, status_code=200, responses=ACTING)
async def act(request: AnyRequest, table: FromPath[str], data: JSONBody[ActAsked]) -> Response[Done | Waits]:
    """Have an act decided; answered when it is durable."""
    caller = caller_of(request)
    not_too_fast(request, caller)
    asked, began = read_act(data.act), time.perf_counter()
    answer = await floor_of(request).act(caller, table, data.id, asked)
    request.app.state.metrics.acted(answer, time.perf_counter() - began)
    return reply(answer)


def read_act(said: dict[str, Any]) -> AskedAct:
    """The act that a request holds; 400 with one sentence where it holds none."""
    try:
        encoded = msgspec.json.encode(said)
    except (OverflowError, UnicodeEncodeError):
        raise HTTPException(TOO_LARGE, status_code=400) from None
    found = unread_act(encoded)
    if isinstance(found, str):
        raise HTTPException(found or "something in the act is missing or not of the right kind.", status_code=400)
    problem = unfit(found)
    if problem:
        raise HTTPException(problem, status_code=400 if problem == TOO_LARGE else 409)
    return found


@post("/api/tables/{table:str}/close", operation_id="CloseTable", tags=TABLES, status_code=200, responses=ACTING)
async def close_table(request: AnyRequest, table: FromPath[str], data: JSONBody[CommandAsked]) -> Response[Done]:
    """Close a table between two rounds."""
    caller = caller_of(request)
    return reply(await floor_of(request).close_table(caller, data.id, table))


# --- the past --------------------------------------------------------------------------------------------------------


@get("/api/tables/{table:str}/events", operation_id="ListEvents", tags=TABLES, responses=PAST)
async def events(
    request: AnyRequest,
    table: FromPath[str],
    after: Annotated[int, QueryParameter(ge=0, le=HIGHEST)] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=EVENTS_MAX)] = 200,
) -> Response[list[Told]]:
    """What happened at a table after a version, as the caller may see it; `limit` counts acts."""
    caller = await allowed(request, "watch-table")
    found = await _past(request, history.events_in_json, table, after, limit, _viewer(caller))
    return reply(msgspec.Raw(_found(found, f"there is no table {table[:60]!r}.")))


@get("/api/tables/{table:str}/at/{version:int}", operation_id="ShowTableAt", tags=TABLES, responses=PAST)
async def at(request: AnyRequest, table: FromPath[str], version: FromPath[int]) -> Response[MomentTold]:
    """A table as it stood at a version."""
    caller = await allowed(request, "see-past")
    found = None
    if 1 <= version <= HIGHEST:
        found = await _past(request, history.view_at, table, version, _viewer(caller), floor_of(request).projections)
    return reply(_found(found, f"table {table[:60]!r} never had a version {version}."))


@get("/api/tables/{table:str}/when", operation_id="FindVersion", tags=TABLES, responses=PAST)
async def when(
    request: AnyRequest, table: FromPath[str], at_ms: Annotated[int, QueryParameter(ge=0, le=HIGHEST)] = 0
) -> Response[VersionTold]:
    """The version of a table at a moment, in milliseconds of Unix time."""
    await allowed(request, "see-past")
    found = _found(await _past(request, history.version_at, table, at_ms), f"there is no table {table[:60]!r}.")
    return reply(VersionTold(found))


@get("/api/tables/{table:str}/rounds", operation_id="ListRounds", tags=TABLES, responses=PAST)
async def rounds(
    request: AnyRequest,
    table: FromPath[str],
    first: Annotated[int, QueryParameter(ge=0, le=HIGHEST)] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=history.ROUNDS_MAX)] = 50,
) -> Response[list[history.RoundTold]]:
    """Finished rounds from number `first` on; the latest without it. Players see what they themselves won."""
    caller = await allowed(request, "watch-table")
    found = _found(await _past(request, history.rounds, table, first, limit), f"there is no table {table[:60]!r}.")
    return reply([_as_seen(each, caller) for each in found])


def _as_seen(told: history.RoundTold, caller: Caller) -> history.RoundTold:
    if may(caller, "see-private") is None:
        return told
    own = {name: cents for name, cents in told.net_cents.items() if name == caller.name}
    return msgspec.structs.replace(told, net_cents=own)


NOT_THEIR_ROUND = Denied("a player gets the rounds that they played; others are for supervisors.")


@get(
    "/api/tables/{table:str}/rounds/{number:int}",
    operation_id="DownloadRound",
    tags=TABLES,
    responses=PAST,
    media_type=MediaType.TEXT,
)
async def one_round(request: AnyRequest, table: FromPath[str], number: FromPath[int]) -> Response[str]:
    """A finished round as a `.round` record that replays. Cards that nobody may know are not in it."""
    caller = caller_of(request)
    sees_all = may(caller, "see-past") is None
    told = await _past(request, history.rounds, table, number, 1) if 1 <= number <= HIGHEST else None
    if not sees_all and not (caller.role == "player" and told and caller.name in told[0].net_cents):
        raise await denial(request, caller, f"round {number}", NOT_THEIR_ROUND, table)
    if told is None:
        raise HTTPException(f"there is no round {number} of a table {table[:60]!r}.", status_code=404)
    try:
        text = await _read(request, record_of_round, table, number, None if sees_all else caller.name)
    except NoSuchRound as error:
        raise HTTPException(str(error), status_code=404) from None
    except DoesNotReplay as error:
        raise HTTPException(str(error), status_code=500) from None
    return Response(
        text,
        media_type="text/plain; charset=utf-8",
        headers={"content-disposition": f'attachment; filename="{table}-{number}.round"'},
    )


@post("/api/replay", operation_id="Replay", tags=TABLES, status_code=200, responses=said(401, 409, 503, body=True))
async def replay(request: AnyRequest, data: JSONBody[ReplayAsked]) -> Response[history.Replayed]:
    """A `.round` record event by event: what happened, why, and the table after it; and what did not come as it says.

    A record that fails is shown all the same: `failures` has the sentences that `pitboss replay` prints.
    """
    caller, floor = await allowed(request, "replay"), floor_of(request)
    not_too_fast(request, caller)
    try:
        return reply(msgspec.Raw(await floor.gate.run(caller.name, floor.replaying.show, data.record)))
    except Refused as no:
        return reply(m.NotAllowed("", no.refusal))
    except RecordError as error:
        raise HTTPException(str(error), status_code=400) from None


# --- the log ---------------------------------------------------------------------------------------------------------


@get("/api/log/search", operation_id="SearchLog", tags=["log"], responses=said(400, 401, 403, 503))
async def search(
    request: AnyRequest,
    clause: Annotated[str, QueryParameter(max_length=60)] = "",
    player: Annotated[str, QueryParameter(max_length=60)] = "",
    act: Annotated[str, QueryParameter(max_length=60)] = "",
    table: Annotated[str, QueryParameter(max_length=100)] = "",
    by: Annotated[str, QueryParameter(max_length=60)] = "",
    cents_from: Annotated[int, QueryParameter(ge=0, le=HIGHEST)] = 0,
    cents_to: Annotated[int, QueryParameter(ge=0, le=HIGHEST)] = 0,
    since_ms: Annotated[int, QueryParameter(ge=0, le=HIGHEST)] = 0,
    until_ms: Annotated[int, QueryParameter(ge=0, le=HIGHEST)] = 0,
    after: Annotated[int, QueryParameter(ge=0, le=HIGHEST)] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=searching.FOUND_MAX)] = 50,
    oldest: Annotated[bool, QueryParameter()] = False,
) -> searching.Searched:
    """Acts by clause, player, amount, act, table or caller, newest first, or with `oldest` from the beginning.

    A table is found by its id or its name, an act by whoever did it or approved it.
    `next` is the `after` with which the next search goes on in the same order.
    A name that is none of these is refused, or a slip in it would find everything.
    """
    await allowed(request, "search-log")
    strange = sorted(set(request.query_params) - SEARCHED)
    if strange:
        text = f"there is no search by {strange[0][:40]!r}; there are {', '.join(sorted(SEARCHED))}."
        raise HTTPException(text, status_code=400)
    wanted = searching.Wanted(clause, player.strip(), act, table, cents_from, cents_to, by, since_ms, until_ms)
    searches = searching.Searches(wanted, floor_of(request).projections)
    found: searching.Searched = await _read(request, _search, searches, after, limit, not oldest)
    return found


def _search(log: Log, searches: searching.Searches, after: int, limit: int, newest: bool) -> searching.Searched:
    return searches.run(log, after, limit, newest=newest)


HANDLERS: list[Any] = [
    list_rulebooks,
    one_rulebook,
    one_clause,
    list_words,
    show_rules,
    list_tables,
    open_table,
    open_link,
    one_table,
    moments,
    rulebook_of_table,
    rules_of_table,
    act,
    close_table,
    events,
    at,
    when,
    rounds,
    one_round,
    replay,
    search,
]
