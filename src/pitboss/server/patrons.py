"""The routes of the patrons' book and of the gaming day: looked up and written by whom the rulebook names."""

from __future__ import annotations

import datetime
import re
from typing import Annotated, Any, Literal, get_args

import msgspec
from litestar import Response, get, post
from litestar.exceptions import HTTPException
from litestar.params import FromPath, JSONBody, QueryParameter

from pitboss.floor import model as m
from pitboss.floor.audit import Note
from pitboss.floor.erasing import (
    DAYS_MOST,
    SEEN,
    TEXT_MAX,
    Gone,
    LastWritten,
    Looks,
    Retention,
    Waiting,
    may_see_looks,
)  # fmt: skip
from pitboss.floor.model import Caller, Denied
from pitboss.floor.patron_book import STREAM, WRITERS, may_look_up, role_on
from pitboss.floor.patrons_at_tables import patrons_of
from pitboss.floor.permissions import AT_THE_TABLE
from pitboss.floor.person import KeptOf, for_the_person, kept_of
from pitboss.patrons import acts as p
from pitboss.patrons.acts import EVERYWHERE, AnyPatronAct, PatronAct
from pitboss.patrons.gaming_day import CloseDay, DayAct, OpenDay, ReopenDay, calendar_of
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.meanings import HELP_BY_HAND_ALLOWED
from pitboss.rulebooks.terms import Rulebook
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
from pitboss.server.shapes import HIGHEST, CommandId
from pitboss.table.declaring import Field
from pitboss.table.refusals import Refusal
from pitboss.table.roles import may_act
from pitboss.table.wagers import is_name

USUAL = RULEBOOKS[0]
RulebookQuery = Annotated[str, QueryParameter(max_length=40, description="By which rules.")]
Why = Annotated[str, QueryParameter(max_length=200, description="Why somebody looks: it is written down.")]
READING = said(400, 401, 403, 404, 503)
WRITING = said(401, 404, 409, 503, body=True)
NUMBERS = ("cents", "maximum_cents", "minimum_cents")

money, yes, text = "money", "yes", "text"
LABELS: dict[type[PatronAct], tuple[str, str, tuple[Field, ...]]] = {
    p.Identify: ("Identify", "identified_by", (Field("document", text, "Shown: passport, licence, ..."),)),
    p.IssueCard: (
        "Issue a player card",
        "card_by",
        (Field("number", text, "Number of the card"), Field("expires", "date", "Last day", optional=True)),
    ),
    p.WithdrawCard: ("Withdraw the card", "card_by", (Field("reason", text, "Why"),)),
    p.FindCardLent: ("The card was lent", "card_by", (Field("lent_to", "name", "In whose hands it was"),)),
    p.ReturnCard: ("Give the card back", "card_by", ()),
    p.SetLossLimit: (
        "Set the loss limit",
        "limits_by",
        (
            Field("cents", money, "Most to lose (empty lifts it)", optional=True),
            Field("period", "choice", "In a", options=("day", "week", "month")),
        ),
    ),
    p.SetDepositLimit: (
        "Set the deposit limit",
        "limits_by",
        (Field("cents", money, "Most to deposit in a day (empty lifts it)", optional=True),),
    ),
    p.Deposit: ("Take a deposit", "limits_by", (Field("cents", money, "Amount"),)),
    p.DeclareChips: (
        "Declare chips",
        "declarations",
        (
            Field("table", "table", "Table"),
            Field("what", "choice", "Chips", options=("bought", "brought", "left")),
            Field("cents", money, "Amount"),
        ),
    ),
    p.Pause: ("Have them pause", "", ()),
    p.Resume: ("Let them continue", "", ()),
    p.AllowMaximum: (
        "Allow a maximum of their own",
        "",
        (
            Field("table", "table", "Table"),
            Field("maximum_cents", money, "Maximum (0 takes it back)"),
            Field("minimum_cents", money, "Minimum", optional=True),
        ),
    ),
    p.RestrictPatron: (
        "Restrict",
        "",
        (
            Field("rule", "lasting", "Restriction"),
            Field("why", text, "Why"),
            Field("where", "where", "Where", EVERYWHERE),
            Field("until", "date", "Last day", optional=True),
            Field("notified", yes, "Everybody who must be told first has been told"),
        ),
    ),
    p.LiftPatronRestriction: (
        "Lift a restriction",
        "",
        (Field("rule", "lasting", "Restriction"), Field("where", "where", "Where", EVERYWHERE)),
    ),
    p.Exclude: (
        "Exclude",
        "excluded_by",
        (
            Field("why", text, "Why"),
            Field("scope", "choice", "From the", options=("casino", "game")),
            Field("until", "date", "Last day", optional=True),
        ),
    ),
    p.Admit: ("Let in again", "excluded_by", (Field("scope", "choice", "To the", options=("casino", "game")),)),
    p.Recognise: (
        "Recognised player",
        "recognised_by",
        (Field("why", text, "Why"), Field("recognised", yes, "Is one", True)),
    ),
    p.NameHelper: (
        "Name a helper",
        "helper",
        (
            Field("helper", "name", "Who helps by hand (empty: nobody)", optional=True),
            Field("present", yes, "The player is at the same table"),
            Field("unpaid", yes, "The helper gains nothing"),
        ),
    ),
}
"""What an act on a file is called, which term of `patrons` stands behind it, and what its form asks."""


class FieldAsked(msgspec.Struct, frozen=True, omit_defaults=True):
    """One field of a form on a file."""

    name: str
    kind: str = msgspec.field(name="is")
    label: str
    start: Any = None
    options: tuple[str, ...] = ()
    optional: bool = False


class PatronForm(msgspec.Struct, frozen=True):
    act: str
    label: str
    says: str
    fields: tuple[FieldAsked, ...]


class PatronFound(msgspec.Struct, frozen=True):
    """A person's file, what follows from it today, and what the caller may write in it."""

    name: str
    rulebook: str
    date: str
    file: dict[str, Any]
    forms: tuple[PatronForm, ...]


class PatronListed(msgspec.Struct, frozen=True):
    name: str
    has_file: bool
    guest: bool = False


class PatronAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to be written in a file. Who speaks is whoever is logged in."""

    id: CommandId
    act: dict[str, Any]
    """Its name in `act`, and its fields, as `GET /api/patrons/{name}` lists them in `forms`."""
    rulebook: Annotated[str, msgspec.Meta(max_length=40)] = USUAL


class PatronWritten(msgspec.Struct, frozen=True, tag="accepted", tag_field="is"):
    """It is durably written."""

    name: str
    events: list[dict[str, Any]]


class Look(msgspec.Struct, frozen=True):
    """Somebody looked at a file."""

    at_ms: int
    who: str
    role: str
    what: str
    """What they looked at, and why."""


class ErasuresTold(msgspec.Struct, frozen=True):
    retention: Retention
    due: list[LastWritten]
    """Files that were kept as long as the setting says, oldest first."""
    waiting: list[Waiting]
    done: list[Gone]


class ErasureAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    why: Annotated[str, msgspec.Meta(min_length=1, max_length=TEXT_MAX)]
    rulebook: Annotated[str, msgspec.Meta(max_length=40)] = USUAL


class ErasureAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    approve: bool
    rulebook: Annotated[str, msgspec.Meta(max_length=40)] = USUAL


class RetentionAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Days; see `Retention`."""

    file_days: Annotated[int, msgspec.Meta(ge=1, le=DAYS_MOST)]
    claim_days: Annotated[int, msgspec.Meta(ge=1, le=DAYS_MOST)]


class Erasure(msgspec.Struct, frozen=True, tag="accepted", tag_field="is"):
    name: str
    state: Literal["asked", "erased", "turned down"]


class DayTold(msgspec.Struct, frozen=True):
    """Which day it is on the floor."""

    date: str
    """The gaming day."""
    calendar_date: str
    opened: bool
    """Whether it was opened, and not closed; otherwise it is what the clocks show."""
    zone: str
    begins_hour: Annotated[int, msgspec.Meta(ge=0, le=23)]
    at_ms: Annotated[int, msgspec.Meta(ge=0, le=HIGHEST)]
    may_turn: bool
    """Whether the caller may open and close it."""
    closed: bool = False
    """Whether it was closed: then it may be reopened with a reason."""


class DayAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: CommandId
    do: Literal["open", "close", "reopen"]
    reason: Annotated[str, msgspec.Meta(max_length=200)] = ""
    """Why a day that was closed goes on."""
    rulebook: Annotated[str, msgspec.Meta(max_length=40)] = USUAL


def _book(name: str) -> Rulebook:
    if name not in RULEBOOKS:
        raise HTTPException(f"there is no rulebook {name[:40]!r}.", status_code=404)
    return load(name)


def _person(request: AnyRequest, name: str) -> str:
    """The person as the account is spelled; somebody without an account may have a file too, and staff have none."""
    account = reception_of(request).people.account(name)
    if account is not None and account.role != "player":
        text = f"{account.name} is an account of the house's people: files are kept of those who play."
        raise HTTPException(text, status_code=404)
    if account is not None:
        return account.name
    if not is_name(name):
        raise HTTPException("there is no such person.", status_code=404)
    return name


def forms_for(caller: Caller, name: str, book: Rulebook) -> tuple[PatronForm, ...]:
    """What the caller may write in a file, as far as the role goes."""
    role = role_on(caller, name)
    found = []
    for kind, (label, term, fields) in LABELS.items():
        if not _may(role, kind, term, book):
            continue
        asked = tuple(
            FieldAsked(each.name, each.kind, each.label, each.start, _options(each, book), each.optional)
            for each in fields
        )
        says = (kind.__doc__ or "").strip().partition("\n")[0] if kind.__doc__ else ""
        found.append(PatronForm(kind.__name__, label, says if not says.startswith("PatronAct") else "", asked))
    return tuple(found)


def _options(field: Field, book: Rulebook) -> tuple[str, ...]:
    if field.kind == "lasting":
        return tuple(dict.fromkeys(row.name for row in book.limits.restrictions.value if row.until == "lifted"))
    return book.patrons.loss_periods.value if field.name == "period" else field.options


def _may(role: str, kind: type[PatronAct], term: str, book: Rulebook) -> bool:
    own = kind in (p.SetLossLimit, p.SetDepositLimit, p.DeclareChips)
    if kind is p.DeclareChips:
        return bool(book.patrons.declarations.value) and (role == p.SELF or may_act(role, "dealer"))
    if own or kind is p.Deposit:
        if not book.wagers.loss_limit.value:
            return False
        least = "dealer" if kind is p.Deposit else book.patrons.identified_by.value
        return (own and role == p.SELF) or may_act(role, least)
    if kind is p.NameHelper:
        return HELP_BY_HAND_ALLOWED[book.patrons.helper.value] and may_act(role, "dealer")
    if kind in (p.Pause, p.Resume):
        return may_act(role, book.irregularities.loss_limit_pause_by.value)
    if kind is p.AllowMaximum:
        return may_act(role, book.limits.personal_maximum_by.value)
    if kind in (p.RestrictPatron, p.LiftPatronRestriction):
        return any(row.until == "lifted" and may_act(role, row.by) for row in book.limits.restrictions.value)
    if kind in (p.Exclude, p.Admit):
        return may_act(role, book.patrons.excluded_by.value) or may_act(role, book.irregularities.barred_by.value)
    needed: str = getattr(book.patrons, term).value
    return may_act(role, needed)


@get("/api/patrons", operation_id="ListPatrons", tags=["patrons"], responses=said(401, 403, 503))
async def list_patrons(request: AnyRequest) -> Response[list[PatronListed]]:
    """Players with an account and whoever else has a file, by name."""
    await allowed(request, "see-patrons")
    floor = floor_of(request)
    accounts = reception_of(request).people.accounts.values()
    streams = await floor.commits.run(floor.commits.log.streams, STREAM)
    files = {stream.removeprefix(STREAM) for stream in streams}
    found = {
        each.name.lower(): PatronListed(each.name, each.name.lower() in files, each.guest)
        for each in accounts
        if each.role == "player"
    }
    for name in files - set(found):
        found[name] = PatronListed(name, True)
    return reply([found[name] for name in sorted(found)])


async def _looks(request: AnyRequest, name: str, book: Rulebook, why: str) -> tuple[Caller, str]:
    """Caller and person, where the one may see the other's file; who looks at another's is written down first."""
    caller, person = caller_of(request), _person(request, name)
    denied = may_look_up(caller, person, book)
    if denied is not None:
        raise await denial(request, caller, "see-patrons", denied)
    if caller.name.lower() != person.lower():
        what = f"looked at a file: {why.strip() or 'no reason was given'}"
        note = Note(caller.name, caller.role, caller.session, what, text=person)
        await reception_of(request).audit.note(SEEN, note, now_ms(request))
    return caller, person


@get("/api/patrons/{name:str}", operation_id="ShowPatron", tags=["patrons"], responses=READING)
async def show_patron(
    request: AnyRequest, name: FromPath[str], rulebook: RulebookQuery = USUAL, why: Why = ""
) -> Response[PatronFound]:
    """What is kept of a person: for that person, and for whom the rulebook lets look it up."""
    book = _book(rulebook)
    caller, person = await _looks(request, name, book, why)
    found = await patrons_of(floor_of(request)).book.look_up(caller, person, book)
    if isinstance(found, Denied):
        return reply(found)
    return reply(PatronFound(person, book.id, found["date"], found, forms_for(caller, person, book)))


@post("/api/patrons/{name:str}", operation_id="WritePatron", tags=["patrons"], status_code=200, responses=WRITING)
async def write_patron(
    request: AnyRequest, name: FromPath[str], data: JSONBody[PatronAsked]
) -> Response[PatronWritten]:
    """Write in a person's file, under the caller's own role."""
    caller, book = caller_of(request), _book(data.rulebook)
    not_too_fast(request, caller)
    person = _person(request, name)
    if role_on(caller, person) == "nobody":
        raise await denial(request, caller, "write-patrons", Denied("only staff write in another person's file."))
    act = _act(data.act)
    done = await patrons_of(floor_of(request)).book.do(caller, person, book, act, f"{caller.name}/{data.id}")
    if isinstance(done, Refusal):
        return reply(m.NotAllowed("", done))
    if isinstance(done, Denied):
        return reply(done)
    return reply(PatronWritten(person, [msgspec.to_builtins(event) for event in done]))


def _act(given: dict[str, Any]) -> AnyPatronAct:
    try:
        whole = {name: int(each) for name, each in given.items() if isinstance(each, float) and each.is_integer()}
        act: AnyPatronAct = msgspec.convert({**given, **whole, "by": ""}, AnyPatronAct)
    except msgspec.ValidationError as error:
        names = ", ".join(kind.__name__ for kind in get_args(AnyPatronAct))
        what = re.sub(r" - at `\$\.?(\w*)`", r" (\1)", str(error)) if given.get("act") else f"one of {names}"
        raise HTTPException(f"the act cannot be read: {what}.", status_code=400) from None
    for field in NUMBERS:
        value = getattr(act, field, 0)
        if isinstance(value, int) and not -HIGHEST <= value <= HIGHEST:
            raise HTTPException(f"{field} is too large.", status_code=400)
    return act


# --- retention and erasure -------------------------------------------------------------------------------------------


@get("/api/patrons/{name:str}/export", operation_id="ExportPatron", tags=["patrons"], responses=READING)
async def export_patron(request: AnyRequest, name: FromPath[str], why: Why = "") -> Response[KeptOf]:
    """All that the log keeps of a person, for that person and for whoever may look them up."""
    caller, person = await _looks(request, name, _book(USUAL), why or "export")
    floor = floor_of(request)
    found: KeptOf = await floor.gate.run_long(caller.name, kept_of, floor.commits.log, person)
    if caller.role == "player":
        found = for_the_person(found)
    headers = {"content-disposition": f'attachment; filename="{person}.json"'}
    return reply(found, headers=headers)


@get("/api/patrons/{name:str}/looks", operation_id="ListLooks", tags=["patrons"], responses=READING)
async def list_looks(request: AnyRequest, name: FromPath[str]) -> Response[list[Look]]:
    """Who looked at a person's file, when and why, newest first: for the person, and for who reads the audit."""
    caller, person = caller_of(request), _person(request, name)
    denied = may_see_looks(caller, person)
    if denied is not None:
        raise await denial(request, caller, "see-audit", denied)
    floor = floor_of(request)
    await reception_of(request).audit.catch_up()
    found = await floor.gate.run_long(
        caller.name, floor.projections.ask, Looks, lambda fold: list(fold.at.get(person.lower(), ()))
    )
    return reply([Look(*each) for each in reversed(found)])


@get("/api/erasures", operation_id="ListErasures", tags=["patrons"], responses=said(401, 403, 503))
async def list_erasures(request: AnyRequest) -> Response[ErasuresTold]:
    """How long files are kept, whose was kept so long, what waits for a second person, and what was erased."""
    await allowed(request, "ask-erasure")
    erasures = reception_of(request).erasures
    await erasures.catch_up()
    due = await erasures.due()
    return reply(ErasuresTold(erasures.retention, due, [*erasures.waiting.values()], erasures.done[::-1]))


@post(
    "/api/patrons/{name:str}/erasure",
    operation_id="AskErasure",
    tags=["patrons"],
    status_code=200,
    responses=WRITING,
)
async def ask_erasure(request: AnyRequest, name: FromPath[str], data: JSONBody[ErasureAsked]) -> Response[Erasure]:
    """Ask for what is kept of a person to be erased; a second person has to approve. Refused while it must be kept."""
    caller = await allowed(request, "ask-erasure")
    not_too_fast(request, caller)
    answer = await reception_of(request).erasures.ask(caller, _person(request, name), _book(data.rulebook), data.why)
    return _erasure(name, answer, "asked")


@post("/api/erasures/{name:str}", operation_id="AnswerErasure", tags=["patrons"], status_code=200, responses=WRITING)
async def answer_erasure(request: AnyRequest, name: FromPath[str], data: JSONBody[ErasureAnswer]) -> Response[Erasure]:
    """Approve that it is done, as a second person, or turn it down. What was erased does not come back."""
    caller = await allowed(request, "answer-erasure")
    not_too_fast(request, caller)
    erasures, person, book = reception_of(request).erasures, _person(request, name), _book(data.rulebook)
    answer = await erasures.answer(caller, person, book, data.approve)
    if isinstance(answer, Denied):
        raise await denial(request, caller, "answer-erasure", answer)
    return _erasure(name, answer, "erased" if data.approve else "turned down")


@post("/api/retention", operation_id="SetRetention", tags=["patrons"], status_code=200, responses=WRITING)
async def set_retention(request: AnyRequest, data: JSONBody[RetentionAsked]) -> Response[Retention]:
    """Say how long what is kept of people is kept."""
    caller = await allowed(request, "set-retention")
    not_too_fast(request, caller)
    wanted = Retention(data.file_days, data.claim_days)
    answer = await reception_of(request).erasures.set_retention(caller, wanted)
    return reply(wanted if isinstance(answer, m.Accepted) else answer)


def _erasure(name: str, answer: m.Answer, state: Any) -> Response[Any]:
    return reply(Erasure(name, state) if isinstance(answer, m.Accepted) else answer)


# --- the gaming day --------------------------------------------------------------------------------------------------


async def _day(request: AnyRequest, caller: Caller, book: Rulebook) -> DayTold:
    patrons = patrons_of(floor_of(request)).book
    day = await patrons.load_day()
    now, calendar = patrons.now(book), patrons.calendar or calendar_of(book)
    may = caller.role in WRITERS and may_act(AT_THE_TABLE[caller.role], book.patrons.day_by.value)
    date: datetime.date = now.date
    return DayTold(
        date.isoformat(),
        now.calendar_date.isoformat(),
        day.opened is not None,
        calendar.zone,
        calendar.begins_hour,
        now.at_ms,
        may,
        day.opened is None and day.last is not None and date <= day.last,
    )


@get("/api/gaming-day", operation_id="ShowDay", tags=["patrons"], responses=said(400, 401, 404, 503))
async def show_day(request: AnyRequest, rulebook: RulebookQuery = USUAL) -> Response[DayTold]:
    """Which gaming day it is."""
    return reply(await _day(request, caller_of(request), _book(rulebook)))


@post("/api/gaming-day", operation_id="TurnDay", tags=["patrons"], status_code=200, responses=WRITING)
async def turn_day(request: AnyRequest, data: JSONBody[DayAsked]) -> Response[DayTold]:
    """Open the gaming day that the clocks show, close the one that is open, or reopen it with a reason."""
    caller, book = caller_of(request), _book(data.rulebook)
    not_too_fast(request, caller)
    if caller.role not in WRITERS:
        raise await denial(request, caller, "turn-day", Denied("staff open and close the gaming day."))
    acts: dict[str, DayAct] = {"open": OpenDay(""), "close": CloseDay(""), "reopen": ReopenDay("", data.reason)}
    act = acts[data.do]
    done = await patrons_of(floor_of(request)).book.turn_day(caller, book, act, f"{caller.name}/{data.id}")
    if isinstance(done, Refusal):
        return reply(m.NotAllowed("", done))
    if isinstance(done, Denied):
        return reply(done)
    return reply(await _day(request, caller, book))


HANDLERS: list[Any] = [
    list_patrons, show_patron, write_patron, export_patron, list_looks, ask_erasure, list_erasures, answer_erasure,
    set_retention, show_day, turn_day,
]  # fmt: skip
