"""The routes of people: set-up, logging in, accounts, approvals, the matrix and the audit."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from pitboss.floor import model as m
from pitboss.floor import permissions
from pitboss.floor.audit import Note
from pitboss.floor.floor import FOLLOW_SECONDS
from pitboss.floor.model import Caller, Denied, Unknown
from pitboss.floor.people import HERE, Account, Session, TryLater, in_seconds, key_of
from pitboss.rulebooks import RULEBOOKS
from pitboss.server.replies import (
    AnyRequest,
    allowed,
    caller_of,
    floor_of,
    guard_of,
    now_ms,
    reception_of,
    reply,
    said,
    visitor_of,
)
from pitboss.server.shapes import HIGHEST, Done, Gone, MatrixTold, NoteTold, ProposalTold, Waits
from pitboss.store.log import Entry
from pitboss.store.moving import can_write_parquet

Short = Annotated[str, msgspec.Meta(max_length=200)]
TableIds = Annotated[tuple[Short, ...], msgspec.Meta(max_length=1_000)]
AUDIT_MOST = 500
HEARD_SECONDS = 1.5 * FOLLOW_SECONDS
"""So long after something was written every process of a floor that does not stand still has read it."""


class NameAndPassword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Short
    password: Short
    token: Short = ""
    """For set-up from elsewhere: what was printed when the server started."""


class Guest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Short = ""
    role: Short = "player"


class NewAccount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Short
    role: Short
    password: Short
    tables: TableIds = (permissions.EVERY_TABLE,)


class NewRole(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    role: Short


class NewPassword(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    password: Short
    old: Short | None = None
    """One's own password is changed by whoever knows the old one."""


class Disabling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    disabled: bool = True


class Posting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tables: TableIds


class Word(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    approve: bool


class Me(msgspec.Struct, frozen=True):
    name: str
    role: str
    tables: tuple[str, ...]
    guest: bool = False
    """Whether he came in without a password; then he has none to change."""
    exports: tuple[str, ...] = ()
    """As what he may take the log away: jsonl, and parquet where this server can make it."""


class SetUpState(msgspec.Struct, frozen=True):
    set_up: bool
    local: bool
    """Whether the visitor sits at the machine itself."""
    guests: bool
    """Whether he may come in without an account."""
    roles: list[str]
    """As what."""
    me: Me | None
    """Who is logged in; null where nobody is."""


class AccountShown(msgspec.Struct, frozen=True):
    """An account without its password."""

    name: str
    role: str
    tables: tuple[str, ...]
    disabled: bool
    guest: bool
    created_ms: int


READING = said(401, 403, 503)
CHANGING = said(401, 404, 503, body=True)


def _came_in(request: AnyRequest, session: Session | Denied | TryLater, *, failed: int = 403) -> Response[Any]:
    """Whoever has a session now gets its cookie."""
    if not isinstance(session, Session):
        return reply(session, failed if isinstance(session, Denied) else None)
    seconds = (session.expires_ms - now_ms(request)) // 1000
    cookie = guard_of(request).cookie(visitor_of(request), session.token, seconds)
    return reply(_about(request, session.caller), 200, {"set-cookie": cookie})


def _about(request: AnyRequest, caller: Caller) -> Me:
    account = reception_of(request).people.account(caller.name)
    exports: tuple[str, ...] = ()
    if permissions.may(caller, "export-log") is None:
        exports = ("jsonl", "parquet") if can_write_parquet() else ("jsonl",)
    return Me(caller.name, caller.role, caller.tables, account is not None and account.guest, exports)


# --- set-up ----------------------------------------------------------------------------------------------------------


@get("/api/setup", operation_id="SetUpState", tags=["people"], responses=said())
async def set_up_state(request: AnyRequest) -> Response[SetUpState]:
    """Whether the floor is set up, what this visitor may do without an account, and who he is if he is logged in.

    A page that opens asks this first: nobody is no error here.
    """
    visitor, reception = visitor_of(request), reception_of(request)
    caller = reception.people.who(visitor.token, now_ms(request))
    me = None if caller is None else _about(request, caller)
    return reply(SetUpState(reception.is_set_up, visitor.local, visitor.local, _demo_roles(request), me))


def _demo_roles(request: AnyRequest) -> list[str]:
    """The roles that somebody at the machine may take without a password."""
    if not visitor_of(request).local:
        return []
    return ["player"] if reception_of(request).is_set_up else [r for r in m.FLOOR_ROLES if r != "administrator"]


@post("/api/setup", operation_id="SetUp", tags=["people"], status_code=200, responses=said(503, body=True))
async def set_up(request: AnyRequest, data: JSONBody[NameAndPassword]) -> Response[Me]:
    """Create the administrator: once, from the machine itself or with the token that was printed at start."""
    visitor = visitor_of(request)
    reception = reception_of(request)
    address = HERE if visitor.local else visitor.address  # nobody elsewhere keeps him out who sits at the machine
    session = await reception.set_up(data.name, data.password, address, local=visitor.local, token=data.token)
    if isinstance(session, Denied):
        await _denied_to_a_stranger(request, "set up", session)
    return _came_in(request, session)


@post("/api/guest", operation_id="ComeInAsGuest", tags=["people"], status_code=200, responses=said(503, body=True))
async def guest(request: AnyRequest, data: JSONBody[Guest]) -> Response[Me]:
    """Come in without a password, at the machine itself: as a player; before set-up in any role but administrator."""
    visitor, reception = visitor_of(request), reception_of(request)
    session: Session | Denied = Denied("nobody comes in as that without a password.")
    if data.role != "administrator" and data.role in m.FLOOR_ROLES:
        session = await reception.guest(data.name, data.role, local=visitor.local)
    if isinstance(session, Denied):
        await _denied_to_a_stranger(request, f"come in as {data.role}", session)
    return _came_in(request, session)


async def _denied_to_a_stranger(request: AnyRequest, what: str, why: Denied) -> None:
    """In the audit with the address."""
    note = Note("", "anonymous", what=what, text=why.text, address=visitor_of(request).address)
    await reception_of(request).audit.denial(note, now_ms(request))


# --- logging in ------------------------------------------------------------------------------------------------------


@post("/api/login", operation_id="LogIn", tags=["people"], status_code=200, responses=said(401, 503, body=True))
async def log_in(request: AnyRequest, data: JSONBody[NameAndPassword]) -> Response[Me]:
    """A session, in a cookie that scripts cannot read."""
    reception, visitor, logins = reception_of(request), visitor_of(request), guard_of(request).logins
    wait = logins.wait(key_of(data.name))
    if wait and reception.people.account(data.name) is not None:
        return reply(
            TryLater(f"you have logged in often: try again in {in_seconds(int(wait * 1000))}.", int(wait * 1000))
        )
    session = await reception.people.log_in(
        data.name, data.password, visitor.address, now_ms(request), token=visitor.token
    )
    if isinstance(session, Session):
        logins.reserve(key_of(data.name))
    if isinstance(session, Session) and visitor.token:
        await reception.people.log_out(visitor.token, now_ms(request))
    return _came_in(request, session, failed=401)


@post("/api/logout", operation_id="LogOut", tags=["people"], status_code=200, responses=said(403, 503))
async def log_out(request: AnyRequest) -> Response[Gone]:
    """End the session."""
    visitor = visitor_of(request)
    if visitor.token:
        await reception_of(request).people.log_out(visitor.token, now_ms(request))
    return reply(Gone(), 200, {"set-cookie": guard_of(request).cookie(visitor, "", 0)})


@get("/api/me", operation_id="WhoAmI", tags=["people"], responses=said(401))
async def me(request: AnyRequest) -> Response[Me]:
    """Name, role and posts of whoever is logged in."""
    return reply(_about(request, caller_of(request)))


# --- accounts --------------------------------------------------------------------------------------------------------


def _account(account: Account) -> AccountShown:
    """Everything but the password."""
    return AccountShown(account.name, account.role, account.tables, account.disabled, account.guest, account.created_ms)


async def _changed(request: AnyRequest, account: Account | Denied | Unknown) -> Response[Any]:
    """With several processes the answer comes when the others have had the time to read it too."""
    if not isinstance(account, Account):
        return reply(account)
    if not floor_of(request).alone:
        await asyncio.sleep(HEARD_SECONDS)
    return reply(_account(account))


@get("/api/accounts", operation_id="ListAccounts", tags=["people"], responses=READING)
async def list_accounts(request: AnyRequest) -> Response[list[AccountShown]]:
    """Everybody with an account, by name."""
    await allowed(request, "see-accounts")
    accounts = sorted(reception_of(request).people.accounts.items())
    return reply([_account(account) for _, account in accounts])


@post("/api/accounts", operation_id="CreateAccount", tags=["people"], status_code=200, responses=CHANGING)
async def create_account(request: AnyRequest, data: JSONBody[NewAccount]) -> Response[AccountShown]:
    caller = caller_of(request)
    people = reception_of(request).people
    made = await people.create(caller, data.name, data.role, data.password, now_ms(request), tables=data.tables)
    return await _changed(request, made)


@post("/api/accounts/{name:str}/role", operation_id="ChangeRole", tags=["people"], status_code=200, responses=CHANGING)
async def change_role(request: AnyRequest, name: FromPath[str], data: JSONBody[NewRole]) -> Response[AccountShown]:
    caller = caller_of(request)
    people = reception_of(request).people
    return await _changed(request, await people.change_role(caller, name, data.role, now_ms(request)))


@post(
    "/api/accounts/{name:str}/password",
    operation_id="ChangePassword",
    tags=["people"],
    status_code=200,
    responses=CHANGING,
)
async def change_password(
    request: AnyRequest, name: FromPath[str], data: JSONBody[NewPassword]
) -> Response[AccountShown]:
    """One's own with the old one, in any role, or anybody's as an administrator; all other sessions of it end."""
    caller = caller_of(request)
    people = reception_of(request).people
    changed = await people.change_password(caller, name, data.password, now_ms(request), old=data.old)
    return await _changed(request, changed)


@post(
    "/api/accounts/{name:str}/disable",
    operation_id="DisableAccount",
    tags=["people"],
    status_code=200,
    responses=CHANGING,
)
async def disable_account(
    request: AnyRequest, name: FromPath[str], data: JSONBody[Disabling]
) -> Response[AccountShown]:
    """Nobody logs in with a disabled account, and its sessions end at once."""
    caller = caller_of(request)
    people = reception_of(request).people
    return await _changed(request, await people.disable(caller, name, now_ms(request), disabled=data.disabled))


@post(
    "/api/accounts/{name:str}/tables", operation_id="PostToTables", tags=["people"], status_code=200, responses=CHANGING
)
async def post_to_tables(request: AnyRequest, name: FromPath[str], data: JSONBody[Posting]) -> Response[AccountShown]:
    """Post somebody to tables."""
    caller = caller_of(request)
    people = reception_of(request).people
    return await _changed(request, await people.post(caller, name, data.tables, now_ms(request)))


# --- approvals -------------------------------------------------------------------------------------------------------


@get("/api/approvals", operation_id="ListApprovals", tags=["people"], responses=READING)
async def list_approvals(request: AnyRequest) -> Response[list[ProposalTold]]:
    """What waits for a second person, and what has become of the rest; newest first."""
    caller = await allowed(request, "see-approvals")
    approvals = reception_of(request).approvals
    await approvals.look_back()
    return reply(approvals.listed(caller))


@post(
    "/api/approvals/{proposal:str}",
    operation_id="AnswerProposal",
    tags=["people"],
    status_code=200,
    responses=said(401, 404, 409, 503, body=True),
)
async def answer_proposal(request: AnyRequest, proposal: FromPath[str], data: JSONBody[Word]) -> Response[Done | Waits]:
    """The second person's word: approving carries the act out."""
    caller = caller_of(request)
    reception = reception_of(request)
    return reply(await reception.approvals.answer(caller, proposal, data.approve, reception.floor.approved))


# --- the matrix and the audit ----------------------------------------------------------------------------------------


@get("/api/matrix", operation_id="Matrix", tags=["people"], responses=said(400, 404))
async def show_matrix(
    request: AnyRequest, rulebook: Annotated[str, QueryParameter(max_length=60)] = ""
) -> Response[MatrixTold]:
    """Who may do what: every role against every act (under one rulebook, or the most that any gives), and the floor."""
    if rulebook and rulebook not in RULEBOOKS:
        return reply(Unknown(f"no rulebook {rulebook[:40]!r}. Known: {', '.join(RULEBOOKS)}"))
    cells = permissions.matrix(rulebook) if rulebook else {r: dict(c) for r, c in permissions.MATRIX.items()}
    operations = {
        name: {"roles": [role for role in m.FLOOR_ROLES if role in roles], "words": words}
        for name, (roles, words) in permissions.OPERATIONS.items()
    }
    return reply({"acts": cells, "operations": operations, "two_people": permissions.two_person_rules()})


@get("/api/audit", operation_id="Audit", tags=["people"], responses=said(400, 401, 403, 503))
async def read_audit(
    request: AnyRequest,
    after: Annotated[int, QueryParameter(ge=0, le=HIGHEST)] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=AUDIT_MOST)] = 100,
    latest: Annotated[bool, QueryParameter()] = False,
) -> Response[list[NoteTold]]:
    """Denials, logins, failed logins and changes of accounts, oldest first, after a version of the audit.

    With `latest` the newest `limit` of them.
    """
    caller = await allowed(request, "see-audit")
    floor = reception_of(request).floor
    commits = floor.commits

    def read() -> list[Entry]:
        first = max(after, commits.log.version("audit") - limit) if latest else after
        return list(commits.log.read("audit", first, limit))

    entries = await floor.gate.run(caller.name, read)
    rows = [
        {"version": e.version, "at_ms": e.at_ms, "kind": e.kind, **msgspec.json.decode(e.body, type=dict[str, Any])}
        for e in entries
    ]
    return reply(rows)


HANDLERS: list[Any] = [
    set_up_state, set_up, guest, log_in, log_out, me, list_accounts, create_account, change_role, change_password,
    disable_account, post_to_tables, list_approvals, answer_proposal, show_matrix, read_audit,
]  # fmt: skip
"""For the application: it has `state.reception` and `state.guard`, and `Secured` stands before it."""
