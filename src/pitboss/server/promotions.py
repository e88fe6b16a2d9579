"""Routes of promotions: terms for everybody, what is written down of people for those who may see it, acts by role."""

from __future__ import annotations

import datetime
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.exceptions import HTTPException
from litestar.params import FromPath, JSONBody

from pitboss.floor import model as m
from pitboss.floor.audit import Note
from pitboss.floor.erasing import SEEN
from pitboss.floor.folds import HouseBooks
from pitboss.floor.model import Caller, Denied
from pitboss.floor.promotion_book import Known, Promotions, Proof, may_do, promotions_of, proofs
from pitboss.ledger.postings import tokens_of
from pitboss.papers.lines import PaperError
from pitboss.papers.tables import ConditionsError
from pitboss.promotions import paper
from pitboss.promotions.acts import PromotionAct
from pitboss.promotions.allowed import refusals, refuse_promotions
from pitboss.promotions.clocks import shown
from pitboss.promotions.conditions import Conditions, missing
from pitboss.promotions.conditions import read as read_conditions
from pitboss.promotions.form import Field, Form, form_of
from pitboss.promotions.records import PLAYERS_OWN, VOCABULARY, read_act, tell
from pitboss.promotions.reports import as_csv, as_html, standing
from pitboss.promotions.state import due
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.terms import Rulebook
from pitboss.server.replies import (
    AnyRequest,
    allowed,
    denial,
    floor_of,
    not_too_fast,
    now_ms,
    printed,
    reception_of,
    reply,
    said,
)
from pitboss.server.shapes import CommandId, TableId

READING = said(401, 403, 404, 503)
WRITING = said(401, 404, 409, 503, body=True)
RECORDS = "see-promotion-records"


class Promoted(msgspec.Struct, frozen=True):
    """One promotion in a list."""

    name: str
    title: str
    rulebook: str
    status: str
    begins: str
    ends: str
    due: int
    overdue: int


class PromotionsTold(msgspec.Struct, frozen=True):
    promotions: list[Promoted]
    rulebooks: list[str]
    """Under which promotions can be offered."""
    may_offer: bool


class DutyTold(msgspec.Struct, frozen=True):
    """What somebody must do, by which clauses, and until when."""

    key: str
    what: str
    who: str
    to: str
    due: str
    state: str
    """open, overdue, done, done late, or why it lapsed."""
    cited: str


class DrawTold(msgspec.Struct, frozen=True):
    name: str
    status: str
    due: str
    closes: str
    digest: str
    """Laid down before entries close; the secret is revealed at the draw."""
    needs_word: bool
    published: bool
    entries: int


class WinTold(msgspec.Struct, frozen=True):
    prize: str
    name: str
    draw: str
    value_cents: int
    status: str
    told: bool


class DisputeTold(msgspec.Struct, frozen=True):
    number: int
    name: str
    what: str
    ruling: str
    satisfied: bool
    advised: bool


class EntrantTold(msgspec.Struct, frozen=True):
    name: str
    entries: int
    struck: bool
    voucher_cents: int
    """Vouchers that are not exchanged yet."""
    token_cents: int
    """Promotional tokens in front of them, as the ledger has it."""


class ActForm(msgspec.Struct, frozen=True):
    """An act that the caller's role may ask for, and its fields."""

    act: str
    label: str
    fields: tuple[Field, ...]


class PromotionTold(msgspec.Struct, frozen=True):
    """A promotion as the caller may see it: who is in it is for those who keep the record, and for each their own."""

    name: str
    title: str
    rulebook: str
    status: str
    terms: str
    """As patrons get them."""
    compromised: list[str]
    draws: list[DrawTold]
    wins: list[WinTold]
    entrants: list[EntrantTold]
    entries: int
    disputes: list[DisputeTold]
    duties: list[DutyTold]
    happened: list[str]
    forms: list[ActForm]
    terms_data: dict[str, Any]
    """As the form takes them, to be amended."""


class DeniedClaim(msgspec.Struct, frozen=True):
    """A claim that was not met; above the amount of the rules with the claimant's name and address."""

    name: str
    prize: str
    value_cents: int
    why: str
    at: str
    kept: bool
    full_name: str
    address: str
    told: bool


class Lacking(msgspec.Struct, frozen=True):
    key: str
    what: str
    clause: str


class Disallowed(msgspec.Struct, frozen=True):
    text: str
    clauses: tuple[str, ...]


class TermsChecked(msgspec.Struct, frozen=True):
    """What terms lack, and what the rules do not allow in them."""

    missing: list[Lacking]
    refused: list[Disallowed]
    wrong: str
    """Why they cannot be read at all; empty where they can."""
    paper: str
    """As patrons get them."""


class TermsAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rulebook: Annotated[str, msgspec.Meta(max_length=40)]
    terms: dict[str, Any]
    """As `pitboss promotion new` writes them: amounts in dollars, times as the house's clocks show them."""


class PromotionAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: CommandId
    promotion: TableId
    """A short name for it, as in `autumn-draw`."""
    rulebook: Annotated[str, msgspec.Meta(max_length=40)]
    terms: dict[str, Any]


class PromotionActAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An act in a promotion. Who speaks, and when, is whoever is logged in, now."""

    id: CommandId
    act: dict[str, Any]
    """Its name in `act` and its fields, as records write them (docs/promotions.md): amounts in dollars."""
    terms: dict[str, Any] = {}
    """With `amend-terms`: the terms as they are to be."""


class PromotionWritten(msgspec.Struct, frozen=True, tag="accepted", tag_field="is"):
    """It is durably written."""

    promotion: str
    version: int


# --- reading ---------------------------------------------------------------------------------------------------------


@get("/api/promotions", operation_id="ListPromotions", tags=["promotions"], responses=said(401, 403, 503))
async def list_promotions(request: AnyRequest) -> Response[PromotionsTold]:
    """Every promotion that was offered, newest first."""
    caller = await allowed(request, "see-promotions")
    found = [_promoted(request, known) for known in reversed((await _promotions(request)).known.values())]
    offering = [name for name in RULEBOOKS if refuse_promotions(load(name)) is None]
    return reply(PromotionsTold(found, offering, caller.role == "gaming-manager"))


@get("/api/promotion-form/{rulebook:str}", operation_id="ShowPromotionForm", tags=["promotions"], responses=READING)
async def show_form(request: AnyRequest, rulebook: FromPath[str]) -> Response[Form]:
    """Every item that the terms of a promotion want under a rulebook, with its clause."""
    await allowed(request, "see-promotions")
    return reply(form_of(_offering(rulebook)))


@get("/api/promotions/{name:str}", operation_id="ShowPromotion", tags=["promotions"], responses=READING)
async def show_promotion(request: AnyRequest, name: FromPath[str]) -> Response[PromotionTold]:
    """One promotion, as far as the caller may see it."""
    caller = await allowed(request, "see-promotions")
    known = await _known(request, name)
    tokens: dict[str, int] = {}
    if known.has_tokens:
        floor = floor_of(request)
        names = [each for each in known.state.vouchers if _sees(caller) or each == caller.name]

        def held(fold: HouseBooks) -> dict[str, int]:
            return {each: fold.books.balances.get(tokens_of(each), 0) for each in names}

        tokens = await floor.gate.run_long(caller.name, floor.projections.ask, HouseBooks, held)
    return reply(_told(request, caller, known, tokens))


@get(
    "/api/promotions/{name:str}/paper",
    operation_id="PrintPromotion",
    tags=["promotions"],
    responses=READING,
    media_type="text/html",
)
async def print_promotion(request: AnyRequest, name: FromPath[str]) -> Response[str]:
    """The terms for patrons, as a page that prints well."""
    await allowed(request, "see-promotions")
    known = await _known(request, name)
    assert known.state.conditions is not None
    return printed(paper.printed_html(known.book, known.state.conditions))


@get("/api/promotions/{name:str}/draws", operation_id="ListDraws", tags=["promotions"], responses=READING)
async def list_draws(request: AnyRequest, name: FromPath[str]) -> Response[list[Proof]]:
    """The proof of every draw that was made: its digest and secret, every entry, and that they make the same draw."""
    caller = await allowed(request, RECORDS)
    known = await _known(request, name)
    found: list[Proof] = await floor_of(request).gate.run_long(caller.name, lambda: list(proofs(known)))
    return reply(found)


@get("/api/promotions/{name:str}/claims", operation_id="ListDeniedClaims", tags=["promotions"], responses=READING)
async def list_claims(request: AnyRequest, name: FromPath[str]) -> Response[list[DeniedClaim]]:
    """Claims that were denied, with who made them; that somebody looked is written down before they see it."""
    caller = await allowed(request, RECORDS)
    known = await _known(request, name)
    for person in dict.fromkeys(each.name for each in known.state.denied if each.full_name):
        await _looked(request, caller, person, f"denied claims of {name}")
    zone = known.book.patrons.zone.value
    return reply(
        [
            DeniedClaim(
                each.name, each.prize, each.value_cents, each.why, shown(zone, each.at), each.kept, each.full_name,
                each.address, each.told,
            )
            for each in known.state.denied
        ]
    )  # fmt: skip


@get(
    "/api/promotions/{name:str}/report",
    operation_id="PromotionReport",
    tags=["promotions"],
    responses=READING,
    media_type="text/html",
)
async def report(request: AnyRequest, name: FromPath[str]) -> Response[str]:
    """Winners, duties, denied claims and every event by clause, as a page that prints well."""
    return printed(as_html((await _record(request, name)).result()))


@get(
    "/api/promotions/{name:str}/rows",
    operation_id="PromotionRows",
    tags=["promotions"],
    responses=READING,
    media_type="text/csv",
)
async def rows(request: AnyRequest, name: FromPath[str]) -> Response[str]:
    """The same as rows for other programs."""
    found = as_csv((await _record(request, name)).result())
    headers = {"content-disposition": 'attachment; filename="pitboss-promotion.csv"'}
    return Response(found, media_type="text/csv", headers=headers)


# --- writing ---------------------------------------------------------------------------------------------------------


@post(
    "/api/promotion-check",
    operation_id="CheckPromotion",
    tags=["promotions"],
    status_code=200,
    responses=said(401, 403, 404, 503, body=True),
)
async def check_terms(request: AnyRequest, data: JSONBody[TermsAsked]) -> Response[TermsChecked]:
    """What terms lack, each item with its clause, and what the rules do not allow in them."""
    await allowed(request, RECORDS)
    book = _offering(data.rulebook)
    try:
        conditions = _conditions(book, data.terms)
    except HTTPException as error:
        return reply(TermsChecked([], [], error.detail, ""))
    lacking = [Lacking(each.key, each.what, each.clause) for each in missing(book, conditions)]
    refused = [Disallowed(each.text, each.clauses) for each in refusals(book, conditions)]
    text = "" if lacking else paper.printed(book, conditions)
    return reply(TermsChecked(lacking, refused, "", text))


@post("/api/promotions", operation_id="OfferPromotion", tags=["promotions"], status_code=200, responses=WRITING)
async def offer(request: AnyRequest, data: JSONBody[PromotionAsked]) -> Response[PromotionWritten]:
    """Lay down the terms of a promotion: every item that the rules want is there, and nothing they do not allow."""
    caller = await allowed(request, "act-in-promotions")
    not_too_fast(request, caller)
    book = _offering(data.rulebook)
    if caller.role == "player":
        raise await denial(request, caller, "OfferPromotion", Denied("the house offers promotions."))
    terms = _conditions(book, data.terms)
    command = f"{caller.name}/promotion/{data.id}"
    answer = await promotions_of(floor_of(request)).offer(caller, data.promotion, book, terms, command)
    return _answered(data.promotion, answer)


@post(
    "/api/promotions/{name:str}", operation_id="ActInPromotion", tags=["promotions"], status_code=200, responses=WRITING
)
async def act(
    request: AnyRequest, name: FromPath[str], data: JSONBody[PromotionActAsked]
) -> Response[PromotionWritten]:
    """Do something in a promotion, under the caller's own role; a draw is made from the secret that the floor keeps."""
    caller = await allowed(request, "act-in-promotions")
    not_too_fast(request, caller)
    known = await _known(request, name)
    wanted = _act(known, data)
    denied = may_do(caller, wanted)
    if denied is not None:
        raise await denial(request, caller, type(wanted).__name__, denied)
    answer = await promotions_of(floor_of(request)).do(caller, name, wanted, f"{caller.name}/promotion/{data.id}")
    return _answered(name, answer)


# --- within ----------------------------------------------------------------------------------------------------------


def _answered(name: str, answer: m.Answer) -> Response[Any]:
    return reply(PromotionWritten(name, answer.version)) if isinstance(answer, m.Accepted) else reply(answer)


async def _promotions(request: AnyRequest) -> Promotions:
    found = promotions_of(floor_of(request))
    await found.follow()
    return found


async def _known(request: AnyRequest, name: str) -> Known:
    known = (await _promotions(request)).known.get(name)
    if known is None:
        raise HTTPException(f"there is no promotion {name[:60]!r}.", status_code=404)
    return known


async def _record(request: AnyRequest, name: str) -> Known:
    """A promotion for somebody who may see its record; whose denied claims stand in it is written down."""
    caller = await allowed(request, RECORDS)
    known = await _known(request, name)
    for person in dict.fromkeys(each.name for each in known.state.denied if each.full_name):
        await _looked(request, caller, person, f"report of {name}")
    return known


async def _looked(request: AnyRequest, caller: Caller, person: str, why: str) -> None:
    note = Note(caller.name, caller.role, caller.session, f"looked at a file: {why}", text=person)
    await reception_of(request).audit.note(SEEN, note, now_ms(request))


def _offering(rulebook: str) -> Rulebook:
    """A rulebook by its id; one without promotional prizes says so."""
    if rulebook not in RULEBOOKS:
        raise HTTPException(f"there is no rulebook {rulebook[:40]!r}.", status_code=404)
    book = load(rulebook)
    refused = refuse_promotions(book)
    if refused is not None:
        raise HTTPException(str(refused), status_code=404)
    return book


def _conditions(book: Rulebook, terms: dict[str, Any]) -> Conditions:
    try:
        return read_conditions({**terms, "rulebook": book.id}, RULEBOOKS)
    except ConditionsError as error:
        raise HTTPException(f"{error}.", status_code=400) from None


def _act(known: Known, data: PromotionActAsked) -> PromotionAct:
    given = {key: value for key, value in data.act.items() if key not in ("by", "at", "order")}
    if not isinstance(given.get("act"), str) or given["act"] not in VOCABULARY or given["act"] == "offer-promotion":
        names = ", ".join(word for word in VOCABULARY if word != "offer-promotion")
        raise HTTPException(f"there is no such act; there are {names}.", status_code=404)
    conditions = known.state.conditions
    assert conditions is not None
    amended: dict[str, Conditions] = {}
    if given["act"] == "amend-terms":
        amended, given = {"new": _conditions(known.book, data.terms)}, {**given, "conditions": "new"}
    if given["act"] == "commit-draw":
        given.setdefault("digest", "")
    if given["act"] == "draw-winners":
        given.setdefault("secret", "")
    try:
        at = datetime.datetime.min  # in its place comes the moment of the floor
        return read_act({**given, "at": at}, str(given["act"]), conditions, amended)
    except PaperError as error:
        raise HTTPException(f"{error}.", status_code=400) from None


def _promoted(request: AnyRequest, known: Known) -> Promoted:
    terms, now = known.state.conditions, _moment(request)
    assert terms is not None
    open_ = due(known.state, now)
    return Promoted(
        known.name, known.title, known.rulebook, known.state.status, _clock(terms.promotion.begins),
        _clock(terms.promotion.ends), len(open_), sum(each.overdue(now) for each in open_),
    )  # fmt: skip


def _moment(request: AnyRequest) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(now_ms(request) / 1000, datetime.UTC)


def _clock(moment: datetime.datetime | None) -> str:
    return "" if moment is None else f"{moment:%Y-%m-%d %H:%M}"


def _sees(caller: Caller) -> bool:
    return caller.role in ("gaming-supervisor", "supervisor", "gaming-manager", "inspector")


def _told(request: AnyRequest, caller: Caller, known: Known, tokens: dict[str, int]) -> PromotionTold:
    state, book, now = known.state, known.book, _moment(request)
    zone = book.patrons.zone.value
    terms = state.conditions
    assert terms is not None
    sees = _sees(caller)

    def mine(name: str) -> bool:
        return sees or name == caller.name

    names = [*state.totals, *(each for each in state.vouchers if each not in state.totals)]
    return PromotionTold(
        known.name,
        known.title,
        known.rulebook,
        state.status,
        paper.printed(book, terms),
        sorted(state.compromised),
        [
            DrawTold(
                each.name, each.status, shown(zone, each.due), shown(zone, each.closes), each.digest, each.needs_word,
                each.published, len(state.entries_in(each.name)) if sees else 0,
            )
            for each in state.draws.values()
        ],
        [
            WinTold(each.prize, each.name, each.draw, each.value_cents, each.status, each.told)
            for each in state.wins.values()
            if mine(each.name)
        ],
        [
            EntrantTold(
                name, state.entries_of(name), name in state.struck, state.vouchers.get(name, 0), tokens.get(name, 0)
            )
            for name in names
            if mine(name)
        ],
        state.entries if sees else 0,
        [
            DisputeTold(each.number, each.name, each.what, each.ruling, each.satisfied, each.advised)
            for each in state.disputes
            if mine(each.name)
        ],
        [
            DutyTold(
                each.key, each.what, each.who, each.to, "" if each.due is None else shown(zone, each.due),
                standing(each, now), cite(each.clauses),
            )
            for each in state.duties.values()
            if sees
        ],
        [tell(_without_who(event), book) for done in known.done for event in done.events] if sees else [],
        forms_for(caller, known),
        as_terms(terms) if sees else {},
    )  # fmt: skip


def _without_who(event: Any) -> Any:
    """Name and address of a claimant are shown apart, to whom is then written down."""
    return msgspec.structs.replace(event, full_name="", address="") if hasattr(event, "full_name") else event


def as_terms(conditions: Conditions) -> dict[str, Any]:
    """Terms as a file or the form has them: amounts in dollars."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            found = {}
            for key, each in value.items():
                if key == "liquor_centilitres":
                    if each:
                        found["liquor_litres"] = f"{each // 100}.{each % 100:02}"
                elif key.endswith("_cents"):
                    found[key.removesuffix("_cents")] = f"{each // 100}.{each % 100:02}"
                else:
                    found[key] = plain(each)
            return found
        return [plain(each) for each in value] if isinstance(value, (list, tuple)) else value

    found: dict[str, Any] = plain(msgspec.to_builtins(conditions))
    return found


def forms_for(caller: Caller, known: Known) -> list[ActForm]:
    """What the caller's role may ask for; what may be done now the rules say."""
    state = known.state
    if caller.role not in ("player", "dealer", "gaming-supervisor", "supervisor", "gaming-manager"):
        return []
    options = {
        "draw": tuple(state.draws),
        "what": ("promotion", *state.draws),
        "prize": tuple(key for each in (state.conditions.prizes if state.conditions else ()) for key in each.singles()),
        "method": tuple(known.book.promotions.told_by.value),
        "measure": ("postpone", "cancel"),
        "form": ("prize", "value"),
        "number": tuple(str(each.number) for each in state.disputes),
    }
    found = []
    for word, (label, fields) in ACTS.items():
        own = VOCABULARY[word] in PLAYERS_OWN
        if caller.role == "player" and (not own or word == "enter"):
            continue
        asked = tuple(
            msgspec.structs.replace(each, options=options[each.key]) if each.kind == "choice" else each
            for each in fields
            if not (caller.role == "player" and each.key == "name")
        )
        if not any(each.kind == "choice" and not each.options for each in asked):
            found.append(ActForm(word, label, asked))
    return found


def _field(key: str, label: str, kind: str = "text", note: str = "") -> Field:
    return Field(key, label, kind, note=note)


WHO, PRIZE = _field("name", "Who"), _field("prize", "Prize", "choice")
DRAW, OPEN = _field("draw", "Draw", "choice"), "may stay empty"
ACTS: dict[str, tuple[str, tuple[Field, ...]]] = {
    "file-terms": ("The terms were sent", (_field("reference", "Reference of the regulator"),)),
    "publish-terms": ("The terms are at hand", (_field("where", "Where"),)),
    "approve-marketing": (
        "Marketing goes out",
        (_field("material", "Which material"), _field("refers", "It refers to the terms", "yes")),
    ),
    "begin-promotion": ("Begin", ()),
    "nominate-scrutineer": ("Nominate a scrutineer", (_field("name", "Who"),)),
    "enter": (
        "Somebody enters",
        (
            WHO,
            _field("entries", "Entries", "count"),
            _field("wagered", "What they wagered", "money"),
            _field("eligible", "They are eligible", "yes"),
        ),
    ),
    "strike-entry": ("Strike entries out", (WHO, _field("why", "Why they are not eligible"))),
    "commit-draw": ("Lay a digest down", (DRAW, _field("digest", "Digest", "text", "empty: the floor keeps a secret"))),
    "draw-winners": (
        "Draw",
        (
            DRAW,
            _field("present", "Who is there (with commas)", "texts", OPEN),
            _field("word", "A word said by somebody else", "text", OPEN),
            _field("scrutineer", "Who oversees it", "text", OPEN),
            _field("secret", "Secret", "text", "empty: the one that the floor keeps"),
        ),
    ),
    "publish-results": ("The results are published", (DRAW, _field("where", "Where"))),
    "tell-winner": (
        "A winner was told",
        (WHO, PRIZE, _field("method", "By", "choice"), _field("reached", "They were reached", "yes")),
    ),
    "claim-prize": ("Claim a prize", (WHO, PRIZE)),
    "award-prize": (
        "Hand a prize over",
        (WHO, PRIZE, _field("form", "As", "choice"), _field("paid_by", "Paid by, never in cash", "text", OPEN)),
    ),
    "deny-claim": (
        "Deny a claim",
        (
            WHO,
            PRIZE,
            _field("why", "Why"),
            _field("full_name", "Full name of the claimant", "text", OPEN),
            _field("address", "Address of the claimant", "text", OPEN),
        ),
    ),
    "tell-reasons": ("They were told why", (WHO, PRIZE)),
    "raise-dispute": ("Raise a dispute", (WHO, _field("what", "What it is about"))),
    "decide-dispute": ("Decide a dispute", (_field("number", "Dispute", "choice"), _field("ruling", "Decision"))),
    "not-satisfied": ("Not satisfied with a decision", (_field("number", "Dispute", "choice"),)),
    "advise-complaint": ("They were told of the inspector", (_field("number", "Dispute", "choice"),)),
    "find-compromised": (
        "The integrity is compromised",
        (_field("what", "Of", "choice"), _field("why", "Why"), _field("measure", "Measure", "choice")),
    ),
    "notify-inspector": ("An inspector was notified", (_field("what", "Of", "choice"), _field("inspector", "Who"))),
    "validate-integrity": (
        "The integrity is validated",
        (
            _field("what", "Of", "choice"),
            _field("how", "How"),
            _field("again", "The draw is held", "moment", "of a draw"),
        ),
    ),
    "end-promotion": ("End", ()),
}
"""Every act that has a form, with its label and its fields; terms are amended on their own form."""


HANDLERS: list[Any] = [
    list_promotions, show_form, check_terms, offer, show_promotion, act, print_promotion, list_draws, list_claims,
    report, rows,
]  # fmt: skip
