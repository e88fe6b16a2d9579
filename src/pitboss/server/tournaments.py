"""The routes of tournaments: conditions, entries, the live board, acts, printouts, and what hangs on the wall."""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from litestar import Response, get, post
from litestar.exceptions import HTTPException
from litestar.params import FromPath, JSONBody
from msgspec.structs import replace

from pitboss.floor import tournament_board as board
from pitboss.floor.model import Caller, Timers
from pitboss.floor.permissions import may
from pitboss.floor.tournament_book import (
    Asked,
    Known,
    Learned,
    TournamentDone,
    as_whom,
    deny_second,
    stream_of,
    tournaments_of,
)
from pitboss.papers.sheets import without_clauses
from pitboss.patrons.gaming_day import calendar_of, local
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.terms import Rulebook
from pitboss.server.replies import AnyRequest, allowed, floor_of, not_too_fast, reply, said
from pitboss.server.replies import printed as printed_page
from pitboss.server.shapes import CommandId, Count
from pitboss.server.tournament_forms import FORMS, WORDS, ActForm, ConditionsForm, conditions_form, forms_for
from pitboss.store.log import Log
from pitboss.tournament.acts import TournamentAct
from pitboss.tournament.allowed import refusals, refuse_tournaments
from pitboss.tournament.conditions import Conditions, ConditionsError, left_open, missing
from pitboss.tournament.conditions import read as read_conditions
from pitboss.tournament.paper import printed
from pitboss.tournament.printouts import PAPERS, Happened, Printed, as_csv, as_html
from pitboss.tournament.records import tell
from pitboss.tournament.sessions import seed_of

TAGS = ["tournaments"]
READING = said(400, 401, 403, 404, 409, 503)
WRITING = said(401, 404, 409, 503, body=True)
OPEN_READING = said(404, 503)
TournamentId = Annotated[str, msgspec.Meta(min_length=1, max_length=24, pattern="^[a-z0-9][a-z0-9-]*$")]
RECENT = 12
TOLD = 4
"""Of one act so many events are told in the list of what happened; the regulator's file has all."""


class TournamentListed(msgspec.Struct, frozen=True):
    id: str
    title: str
    rulebook: str
    status: str
    stage: str
    players: Count
    mine: str
    """Where the caller stands in it: entered, applied, ...; "" for who has no part in it."""


class RulebookNamed(msgspec.Struct, frozen=True):
    """A rulebook that knows tournaments."""

    id: str
    name: str


class TournamentsTold(msgspec.Struct, frozen=True):
    tournaments: list[TournamentListed]
    rulebooks: list[RulebookNamed]
    """By which a tournament can be opened."""
    may_open: bool


class MissingTold(msgspec.Struct, frozen=True):
    key: str
    clause: str
    what: str


class ConditionsJudged(msgspec.Struct, frozen=True):
    """What conditions lack, and what the rules do not allow in them."""

    missing: list[MissingTold]
    left_open: list[MissingTold]
    refused: str
    """Why the rules do not allow them; "" where they do."""
    may_open: bool
    paper: str
    """The copy for players."""
    conditions: dict[str, Any]
    """What was asked about, as tables."""


class ConditionsAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    conditions: dict[str, Any] = {}
    """The tables of a file of conditions, amounts in dollars."""
    toml: Annotated[str, msgspec.Meta(max_length=40_000)] = ""
    """The file itself, in the place of its tables."""


class TournamentAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament to be opened for entries."""

    id: CommandId
    tournament: TournamentId
    conditions: dict[str, Any]
    dealer: Literal["house", "person"] = "person"
    pace_ms: Annotated[int, msgspec.Meta(ge=0, le=60_000)] = 700
    """Between one act and the next of a table that deals by itself."""


class TournamentActAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: CommandId
    act: dict[str, Any]
    """Its name in `act`, as in `pay-fee`, and its fields; amounts are cents. What the floor knows may be left out."""


class AnswerAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: CommandId
    approve: bool


class SayAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: CommandId
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=300, pattern=r"^[^\u0000-\u001f\u007f]+$")]


class PersonTold(msgspec.Struct, frozen=True):
    name: str
    number: Count
    status: str
    has_copy: bool
    signed: bool
    paid_cents: int
    seated: bool
    table: str
    box: int
    out_of: str
    place: int
    prize_cents: int


class DrawTold(msgspec.Struct, frozen=True):
    """A draw and its proof: the digest was laid down before entries closed, the secret is shown once it is drawn."""

    stage: str
    digest: str
    secret: str
    seed: str
    """What the order follows from; "" before the draw."""
    order: list[str]


class WaitingTold(msgspec.Struct, frozen=True):
    """What waits for a second person."""

    number: int
    what: str
    by: str
    why: str
    yours: bool
    """Whether the caller may answer it."""


class HappenedTold(msgspec.Struct, frozen=True):
    at_ms: int
    by: str
    text: str
    clauses: str


class PaperTold(msgspec.Struct, frozen=True):
    name: str
    label: str


class TournamentTold(msgspec.Struct, frozen=True):
    """A tournament as its people see it; players see themselves, and what everybody sees."""

    wall: board.WallTold
    rulebook: str
    manager: str
    mine: board.OwnTold | None
    forms: list[ActForm]
    people: list[PersonTold]
    draws: list[DrawTold]
    disputes: dict[str, str]
    waiting: list[WaitingTold]
    accounts: dict[str, int]
    chips: dict[str, int]
    recent: list[HappenedTold]
    papers: list[PaperTold]
    may_say: bool


async def _known(request: AnyRequest, name: str) -> Known:
    found = await tournaments_of(floor_of(request)).find(name)
    if found is None or found.opened is None or found.state.conditions is None:
        raise HTTPException(f"there is no tournament {name[:40]!r}.", status_code=404)
    return found


async def _told(request: AnyRequest, name: str) -> Known:
    """The same, as far as it may be shown."""
    return await tournaments_of(floor_of(request)).told(await _known(request, name))


def _with_tournaments(name: str) -> Rulebook:
    if name not in RULEBOOKS:
        raise HTTPException(f"there is no rulebook {name[:40]!r}.", status_code=404)
    book = load(name)
    refused = refuse_tournaments(book)
    if refused is not None:
        raise HTTPException(str(refused), status_code=404)
    return book


def _conditions(data: Mapping[str, Any]) -> tuple[Conditions, Rulebook]:
    try:
        found = read_conditions(data, RULEBOOKS)
    except (ConditionsError, RecursionError) as error:
        raise HTTPException(f"the conditions cannot be read: {error}.", status_code=400) from None
    return found, load(found.rulebook)


# --- listing and conditions ------------------------------------------------------------------------------------------


@get("/api/tournaments", operation_id="ListTournaments", tags=TAGS, responses=said(401, 403, 503))
async def list_tournaments(request: AnyRequest) -> Response[TournamentsTold]:
    """Every tournament of the floor, the newest first."""
    caller = await allowed(request, "see-tournament")
    book = tournaments_of(floor_of(request))
    rows = []
    for each in reversed(list(book.known.values())):
        await each.follow(floor_of(request).commits)
        each = await book.told(each)
        if each.opened is None:
            continue
        mine = each.state.entrants.get(caller.name)
        count = sum(one.status not in ("withdrawn", "refused") for one in each.state.entrants.values())
        rows.append(
            TournamentListed(
                each.name, each.opened.title, each.opened.rulebook, each.state.status, each.state.stage, count,
                mine.status if mine is not None else "",
            )
        )  # fmt: skip
    rulebooks = [RulebookNamed(each.id, each.name) for each in map(load, RULEBOOKS) if refuse_tournaments(each) is None]
    return reply(TournamentsTold(rows, rulebooks, may(caller, "run-tournaments") is None))


@get("/api/tournament-conditions/{rulebook:str}", operation_id="ShowConditionsForm", tags=TAGS, responses=READING)
async def show_form(request: AnyRequest, rulebook: FromPath[str]) -> Response[ConditionsForm]:
    """Every item that conditions under a rulebook may have, with its clause, and the template filled in."""
    await allowed(request, "see-tournament")
    return reply(conditions_form(_with_tournaments(rulebook)))


@post(
    "/api/tournament-conditions", operation_id="JudgeConditions", tags=TAGS, status_code=200,
    responses=said(401, 404, body=True),
)  # fmt: skip
async def judge(request: AnyRequest, data: JSONBody[ConditionsAsked]) -> Response[ConditionsJudged]:
    """What conditions lack, item by item with the clause, and what the rules do not allow in them."""
    caller = await allowed(request, "see-tournament")
    not_too_fast(request, caller)
    tables = data.conditions
    if data.toml:
        try:
            tables = msgspec.to_builtins(tomllib.loads(data.toml))
        except tomllib.TOMLDecodeError as error:
            raise HTTPException(f"the file cannot be read as TOML: {error}.", status_code=400) from None
    conditions, book = _conditions(tables)
    lacking, refused = missing(book, conditions), refusals(book, conditions)
    judged = ConditionsJudged(
        [MissingTold(each.key, cite((each.clause,)), each.what) for each in lacking],
        [MissingTold(each.key, cite((each.clause,)), each.what) for each in left_open(book, conditions)],
        " ".join(map(str, refused)),
        not lacking and not refused,
        printed(book, conditions) if refuse_tournaments(book) is None else "",
        tables,
    )
    return reply(judged)


@post("/api/tournaments", operation_id="OpenTournament", tags=TAGS, status_code=200, responses=WRITING)
async def open_tournament(request: AnyRequest, data: JSONBody[TournamentAsked]) -> Response[TournamentDone]:
    """Publish conditions and take entries; refused while an item is missing, naming it."""
    caller = await allowed(request, "run-tournaments")
    not_too_fast(request, caller)
    conditions, _ = _conditions(data.conditions)
    timers = replace(Timers(), pace_ms=data.pace_ms)
    book = tournaments_of(floor_of(request))
    return reply(await book.open(caller, data.id, data.tournament, conditions, dealer=data.dealer, timers=timers))


# --- one tournament --------------------------------------------------------------------------------------------------


@get("/api/tournaments/{tournament:str}", operation_id="ShowTournament", tags=TAGS, responses=READING)
async def show_tournament(request: AnyRequest, tournament: FromPath[str]) -> Response[TournamentTold]:
    """Where a tournament stands, as far as the caller may see it, and what they may do in it now."""
    caller = await allowed(request, "see-tournament")
    known, floor = await _told(request, tournament), floor_of(request)
    staff = may(caller, "see-tournament-papers") is None
    recent: list[HappenedTold] = []
    if staff:
        recent = await floor.gate.run(caller.name, _recent, floor.commits.log, known)
    wall = board.shown(known, floor.clock.now_ms())
    waiting = [_waiting(caller, each) for each in known.waiting.values()] if staff else []
    told = TournamentTold(
        wall,
        known.rulebook.id,
        known.rulebook.game.tournaments_by.value,
        board.own(known, caller) if caller.role == "player" else None,
        forms_for(known, caller),
        _people(known) if staff else [],
        _draws(known),
        known.state.disputes if staff else {},
        waiting,
        known.state.accounts if staff else {},
        known.state.chip_accounts if staff else {},
        recent,
        [PaperTold(name, each.label) for name, each in PAPERS.items() if staff or not each.staff_only],
        may(caller, "run-tournaments") is None,
    )
    return reply(told)


def _waiting(caller: Caller, asked: Asked) -> WaitingTold:
    told = {name: getattr(asked.act, name) for name in asked.act.__struct_fields__ if name != "by"}
    named = ", ".join(str(each) for each in told.values() if isinstance(each, str) and each)
    form = FORMS[type(asked.act)][1]
    what = f"{form}: {named}" if named else form
    return WaitingTold(asked.number, what, asked.by, asked.why, deny_second(caller, asked) is None)


def _people(known: Known) -> list[PersonTold]:
    state = known.state
    seats = {
        name: (each.table, box)
        for each in state.sessions.values()
        if each.stage == state.stage and state.stage
        for box, name in each.seats.items()
    }
    return [
        PersonTold(
            each.name, each.number, each.status, each.name in state.copies, each.name in state.agreed, each.paid_cents,
            each.seated, *seats.get(each.name, ("", 0)), each.out_stage, each.place, each.prize_cents,
        )
        for each in state.entrants.values()
    ]  # fmt: skip


def _draws(known: Known) -> list[DrawTold]:
    found = []
    for stage, digest in known.state.digests.items():
        drawn = known.drawn.get(stage)
        if drawn is None:
            found.append(DrawTold(stage, digest, "", "", []))
        else:
            secret, order = drawn
            by_entry = sorted(order, key=lambda name: known.state.entrants[name].number)
            found.append(DrawTold(stage, digest, secret, seed_of(secret, stage, by_entry), list(order)))
    return found


def _recent(log: Log, known: Known) -> list[HappenedTold]:
    """The last acts, the newest first."""
    found = []
    version = log.version(known.stream)
    for entry in reversed(list(log.read(known.stream, max(0, version - RECENT)))):
        if entry.kind != "act":
            continue
        learned = msgspec.json.decode(entry.body, type=Learned)
        if known.holds(learned, entry.version):
            continue
        by = entry.by or learned.table
        told = "; ".join(without_clauses(tell(event, known.rulebook)) for event in learned.events[:TOLD])
        more = f"; and {len(learned.events) - TOLD} more" if len(learned.events) > TOLD else ""
        found.append(HappenedTold(entry.at_ms, by, told + more, cite(learned.events[0].clauses)))
    return found


@post(
    "/api/tournaments/{tournament:str}/acts", operation_id="ActInTournament", tags=TAGS, status_code=200,
    responses=WRITING,
)  # fmt: skip
async def act(
    request: AnyRequest, tournament: FromPath[str], data: JSONBody[TournamentActAsked]
) -> Response[TournamentDone]:
    """Do something in a tournament, in the caller's own role; some acts wait for a second person."""
    caller = await allowed(request, "see-tournament")
    not_too_fast(request, caller)
    known = await _known(request, tournament)
    book = tournaments_of(floor_of(request))
    asked = _act(data.act, caller, known, book.now(known.rulebook))
    return reply(await book.do(caller, data.id, known.name, asked))


def _act(given: Mapping[str, Any], caller: Caller, known: Known, now: datetime.datetime) -> TournamentAct:
    """An act as it was sent; the moment, the role and what follows from the log need not be said."""
    said_of = str(given.get("act", ""))
    kind = WORDS.get(said_of)
    if kind is None:
        raise HTTPException(f"there is no act {said_of[:40]!r}; there are {', '.join(WORDS)}.", status_code=400)
    fields = {each.name for each in msgspec.structs.fields(kind)}
    unknown = set(given) - fields - {"act"}
    if unknown:
        raise HTTPException(f"{said_of} says nothing of {sorted(unknown)[0][:40]!r}.", status_code=400)
    found: dict[str, Any] = {name: value for name, value in given.items() if name != "act"}
    usual = {"by": "", "at": now, "secret": "", "order": (), "digests": {}, "name": caller.name}
    if caller.role != "player":
        usual.pop("name")
    found = {name: value for name, value in usual.items() if name in fields} | found
    found["by"] = ""
    if "at" in fields:
        found["at"] = now  # nobody says when something happened but the house's clocks
    try:
        made: TournamentAct = msgspec.convert(found, kind)
    except msgspec.ValidationError as error:
        what = re.sub(r" - at `\$\.?(\w*)[^`]*`", r" (\1)", str(error))
        raise HTTPException(f"{said_of} cannot be read: {what}.", status_code=400) from None
    return replace(made, by=as_whom(caller, made))


@post(
    "/api/tournaments/{tournament:str}/approvals/{number:int}", operation_id="AnswerInTournament", tags=TAGS,
    status_code=200, responses=WRITING,
)  # fmt: skip
async def answer(
    request: AnyRequest, tournament: FromPath[str], number: FromPath[int], data: JSONBody[AnswerAsked]
) -> Response[TournamentDone]:
    """Approve what waits for a second person, or turn it down."""
    caller = await allowed(request, "see-tournament-papers")
    not_too_fast(request, caller)
    known = await _known(request, tournament)
    book = tournaments_of(floor_of(request))
    return reply(await book.answer(caller, data.id, known.name, number, approve=data.approve))


@post(
    "/api/tournaments/{tournament:str}/announcements", operation_id="AnnounceInTournament", tags=TAGS, status_code=200,
    responses=WRITING,
)  # fmt: skip
async def announce(
    request: AnyRequest, tournament: FromPath[str], data: JSONBody[SayAsked]
) -> Response[TournamentDone]:
    """Tell everybody something: on the players' pages and on the wall."""
    caller = await allowed(request, "run-tournaments")
    not_too_fast(request, caller)
    known = await _known(request, tournament)
    return reply(await tournaments_of(floor_of(request)).announce(caller, data.id, known.name, data.text))


# --- the wall --------------------------------------------------------------------------------------------------------


@get("/api/wall/{tournament:str}", operation_id="ShowWall", tags=TAGS, responses=OPEN_READING)
async def wall(request: AnyRequest, tournament: FromPath[str]) -> Response[board.WallTold]:
    """What hangs on the wall, for whoever stands before it: nobody need be logged in."""
    known = tournaments_of(floor_of(request)).known.get(tournament)
    if known is None or known.opened is None or known.state.conditions is None:
        raise HTTPException(f"there is no tournament {tournament[:40]!r}.", status_code=404)
    known = await tournaments_of(floor_of(request)).told(known)
    return reply(board.shown(known, floor_of(request).clock.now_ms()))


# --- on paper --------------------------------------------------------------------------------------------------------


@get(
    "/api/tournaments/{tournament:str}/papers/{paper:str}", operation_id="PrintTournament", tags=TAGS,
    responses=READING, media_type="text/html",
)  # fmt: skip
async def paper(request: AnyRequest, tournament: FromPath[str], paper: FromPath[str]) -> Response[str]:
    """One of the printouts, as a page: conditions, slips, scores, results, prizes or regulator."""
    what = await _printed(request, tournament, paper)
    return printed_page(as_html(what, paper))


@get(
    "/api/tournaments/{tournament:str}/rows/{paper:str}", operation_id="ListTournamentRows", tags=TAGS,
    responses=READING, media_type="text/csv",
)  # fmt: skip
async def rows(request: AnyRequest, tournament: FromPath[str], paper: FromPath[str]) -> Response[str]:
    """The same as rows for other programs."""
    what = await _printed(request, tournament, paper)
    named = {"content-disposition": f'attachment; filename="{tournament}-{paper}.csv"'}
    return Response(as_csv(what, paper), media_type="text/csv", headers=named)


async def _printed(request: AnyRequest, tournament: str, paper: str) -> Printed:
    found = PAPERS.get(paper)
    staff = found is None or found.staff_only
    caller = await allowed(request, "see-tournament-papers" if staff else "see-tournament")
    known = await _told(request, tournament)
    if found is None:
        raise HTTPException(f"there is no paper {paper[:40]!r}; there are {', '.join(PAPERS)}.", status_code=404)
    floor = floor_of(request)
    happened = await floor.gate.run_long(caller.name, happened_in, floor.commits.log, known)
    return Printed(known.rulebook, known.state, happened)


def happened_in(log: Log, known: Known) -> tuple[Happened, ...]:
    """Every act of a tournament, with when and by whom. Blocking."""
    calendar = calendar_of(known.rulebook)
    found = []
    for entry in log.read(stream_of(known.name)):
        if entry.kind == "act":
            learned = msgspec.json.decode(entry.body, type=Learned)
            if known.holds(learned, entry.version):
                continue
            when = f"{local(calendar, entry.at_ms):%d %B %Y %H:%M:%S}"
            found.append(Happened(entry.version, when, entry.by, learned.table, learned.act, learned.events))
    return tuple(found)


HANDLERS: list[Any] = [
    list_tournaments, show_form, judge, open_tournament, show_tournament, act, answer, announce, wall, paper, rows,
]  # fmt: skip
