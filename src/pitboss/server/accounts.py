"""The routes of people: set-up, logging in, accounts, approvals, the matrix and the audit."""

from __future__ import annotations

import asyncio
import ipaddress
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from pitboss.floor import model as m
from pitboss.floor import permissions
from pitboss.floor.account_changes import Account, Approved, deny_second
from pitboss.floor.audit import Note
from pitboss.floor.factors import Door
from pitboss.floor.floor import FOLLOW_SECONDS
from pitboss.floor.model import Caller, Denied, Unknown
from pitboss.floor.people import (
    HERE,
    AnyChange,
    LogIn,
    Proof,
    Session,
    SessionShown,
    TryLater,
    in_seconds,
    key_of,
)
from pitboss.rulebooks import RULEBOOKS
from pitboss.server.replies import (
    AnyRequest,
    allowed,
    caller_of,
    floor_of,
    guard_of,
    half_in,
    now_ms,
    reception_of,
    reply,
    said,
    visitor_of,
)
from pitboss.server.security import host_of
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
    code: Short = ""
    """Of one's authenticator; or the code for first use, from whoever approved the password."""
    passkey: dict[str, Any] | None = None
    """What a passkey answered to what was asked of it, as WebAuthn has it."""


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
    """Whether they came in without a password; then they have none to change."""
    exports: tuple[str, ...] = ()
    """As what they may take the log away: jsonl, and parquet where this server can make it."""
    needs: tuple[str, ...] = ()
    """What they have to do before anything else: change the password that another set, or make a second factor."""


class SetUpState(msgspec.Struct, frozen=True):
    set_up: bool
    local: bool
    """Whether the visitor sits at the machine itself."""
    guests: bool
    """Whether they may come in without an account."""
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
    factor: bool = False
    """Whether there is an authenticator or a passkey besides the password."""
    first_use: bool = False
    """Whether the password was set by another and is still to be changed."""


class AccountProposalTold(msgspec.Struct, frozen=True):
    """What somebody wants changed of an account."""

    id: str
    first: str
    name: str
    what: str
    at_ms: int
    expires_ms: int
    state: str
    """waiting, done, refused, rejected or expired."""
    by: str | None
    text: str | None
    yours: bool
    """Whether the caller may approve it."""


class PasskeyTold(msgspec.Struct, frozen=True):
    id: str
    name: str
    host: str
    """For which name of this floor it is."""
    created_ms: int


class Mine(msgspec.Struct, frozen=True):
    """One's own account."""

    name: str
    role: str
    guest: bool
    authenticator: bool
    passkeys: list[PasskeyTold]
    can_have_passkeys: bool
    """Whether the floor is called by a name, for which there are passkeys."""
    sessions: list[SessionShown]
    needs: tuple[str, ...]
    """What is to be done before anything else: password, factor."""


class OwnWord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    password: Short
    """One's own, once more."""


class Code(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    code: Short


class Ending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    handle: Short = ""


class NewPasskey(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    passkey: dict[str, Any]
    """The authenticator's answer, as WebAuthn has it."""
    name: Short = ""


class AuthenticatorTold(msgspec.Struct, frozen=True):
    secret: str
    """In base 32."""
    uri: str
    """The same as a link that authenticators take."""


READING = said(401, 403, 503)
CHANGING = said(401, 404, 503, body=True)
ANSWERING = said(401, 404, 409, 503, body=True)


def _came_in(request: AnyRequest, session: LogIn, *, failed: int = 403) -> Response[Any]:
    """Whoever has a session now gets its cookie."""
    if not isinstance(session, Session):
        return reply(session, failed if isinstance(session, Denied) else None)
    seconds = (session.expires_ms - now_ms(request)) // 1000
    cookie = guard_of(request).cookie(visitor_of(request), session.token, seconds)
    found = reception_of(request).people.half_in(session.token, now_ms(request))
    return reply(_about(request, session.caller, found[1] if found is not None else ()), 200, {"set-cookie": cookie})


def _about(request: AnyRequest, caller: Caller, needs: tuple[str, ...]) -> Me:
    account = reception_of(request).people.account(caller.name)
    exports: tuple[str, ...] = ()
    if permissions.may(caller, "export-log") is None:
        exports = ("jsonl", "parquet") if can_write_parquet() else ("jsonl",)
    return Me(caller.name, caller.role, caller.tables, account is not None and account.guest, exports, needs)


# --- set-up ----------------------------------------------------------------------------------------------------------


@get("/api/setup", operation_id="SetUpState", tags=["people"], responses=said())
async def set_up_state(request: AnyRequest) -> Response[SetUpState]:
    """Whether the floor is set up, what this visitor may do without an account, and who they are if they are logged in.

    A page that opens asks this first: nobody is no error here.
    """
    visitor, reception = visitor_of(request), reception_of(request)
    found = reception.people.half_in(visitor.token, now_ms(request))
    me = None if found is None else _about(request, *found)
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
    address = HERE if visitor.local else visitor.address  # nobody elsewhere keeps out who sits at the machine
    session = await reception.set_up(data.name, data.password, address, local=visitor.local, token=data.token)
    if isinstance(session, Denied):
        await _denied_to_a_stranger(request, "set up", session)
    return _came_in(request, session)


@post("/api/guest", operation_id="ComeInAsGuest", tags=["people"], status_code=200, responses=said(503, body=True))
async def guest(request: AnyRequest, data: JSONBody[Guest]) -> Response[Me]:
    """Come in without a password, at the machine itself: as a player; before set-up in any role but administrator."""
    visitor, reception = visitor_of(request), reception_of(request)
    session: Session | Denied = Denied("that role needs a password.")
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
            TryLater(f"you have logged in too often: try again in {in_seconds(int(wait * 1000))}.", int(wait * 1000))
        )
    proof = Proof(data.code, data.passkey, _door(request), visitor.local)
    session = await reception.people.log_in(
        data.name, data.password, visitor.address, now_ms(request), token=visitor.token, proof=proof
    )
    if isinstance(session, Session):
        logins.reserve(key_of(data.name))
    if isinstance(session, Session) and visitor.token:
        await reception.people.log_out(visitor.token, now_ms(request))
    return _came_in(request, session, failed=401)


def _door(request: AnyRequest) -> Door | None:
    """By which name this floor is called; None where that is a number, for which there are no passkeys."""
    host = request.headers.get("host", "")
    name = host_of(host)
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return Door(name, f"{'https' if visitor_of(request).https else 'http'}://{host.strip().lower()}")
    return None


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
    return reply(_about(request, *half_in(request)))


# --- accounts --------------------------------------------------------------------------------------------------------


def _account(account: Account) -> AccountShown:
    """Everything but the password."""
    return AccountShown(
        account.name,
        account.role,
        account.tables,
        account.disabled,
        account.guest,
        account.created_ms,
        account.has_factor,
        account.must_change,
    )


async def _changed(request: AnyRequest, account: AnyChange) -> Response[Any]:
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
async def create_account(request: AnyRequest, data: JSONBody[NewAccount]) -> Response[AccountShown | Waits]:
    """Make an account, with a password to be changed at first use. Two people: it waits for the second."""
    caller = caller_of(request)
    people = reception_of(request).people
    made = await people.create(caller, data.name, data.role, data.password, now_ms(request), tables=data.tables)
    return await _changed(request, made)


@post("/api/accounts/{name:str}/role", operation_id="ChangeRole", tags=["people"], status_code=200, responses=CHANGING)
async def change_role(
    request: AnyRequest, name: FromPath[str], data: JSONBody[NewRole]
) -> Response[AccountShown | Waits]:
    """Two people: it waits for the second."""
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
) -> Response[AccountShown | Waits]:
    """One's own with the old one, in any role; anybody's as an administrator, with a second person, to be changed at
    first use. All other sessions of it end."""
    caller, _ = half_in(request)
    if key_of(caller.name) != key_of(name):
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
) -> Response[AccountShown | Waits]:
    """Nobody logs in with a disabled account, and its sessions end at once. Two people for whoever could be a second
    person, and to let anybody back."""
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


@post(
    "/api/accounts/{name:str}/factors",
    operation_id="ResetFactors",
    tags=["people"],
    status_code=200,
    responses=CHANGING,
)
async def reset_factors(
    request: AnyRequest, name: FromPath[str], data: JSONBody[NewPassword]
) -> Response[AccountShown | Waits]:
    """Somebody lost their authenticator or passkey: both go, with a new password for first use. Two people."""
    caller = caller_of(request)
    people = reception_of(request).people
    return await _changed(request, await people.reset_factors(caller, name, data.password, now_ms(request)))


@get("/api/account-proposals", operation_id="ListAccountProposals", tags=["people"], responses=READING)
async def list_account_proposals(request: AnyRequest) -> Response[list[AccountProposalTold]]:
    """What somebody wants changed of accounts, newest first, and what became of it."""
    caller, now = await allowed(request, "approve-accounts"), now_ms(request)
    found = reversed(reception_of(request).people.proposals.values())
    return reply(
        [
            AccountProposalTold(
                each.id,
                each.first,
                each.name,
                each.what,
                each.at_ms,
                each.expires_ms,
                each.state_at(now),
                each.by or None,
                each.text or None,
                each.state_at(now) == "waiting" and deny_second(caller, each) is None,
            )
            for each in found
        ]
    )


@post(
    "/api/account-proposals/{proposal:str}",
    operation_id="AnswerAccountProposal",
    tags=["people"],
    status_code=200,
    responses=CHANGING,
)
async def answer_account_proposal(
    request: AnyRequest, proposal: FromPath[str], data: JSONBody[Word]
) -> Response[Approved]:
    """The second person's word. Approving a new password gives a code, told once, which its owner needs at first."""
    caller = caller_of(request)
    answer = await reception_of(request).people.answer(caller, proposal, data.approve, now_ms(request))
    if isinstance(answer, Approved) and not floor_of(request).alone:
        await asyncio.sleep(HEARD_SECONDS)
    return reply(answer)


# --- one's own account -----------------------------------------------------------------------------------------------


def _mine(request: AnyRequest) -> Mine:
    caller, needs = half_in(request)
    people = reception_of(request).people
    account = people.account(caller.name)
    passkeys = account.passkeys if account is not None else ()
    return Mine(
        caller.name,
        caller.role,
        account is None or account.guest,
        bool(account is not None and account.totp),
        [PasskeyTold(each.id, each.name, each.rp, each.created_ms) for each in passkeys],
        _door(request) is not None,
        people.sessions_of(caller, now_ms(request)),
        needs,
    )


def _mine_changed(request: AnyRequest, changed: Account | Denied | Unknown, failed: int | None = None) -> Response[Any]:
    if isinstance(changed, Account):
        return reply(_mine(request))
    return reply(changed, failed if isinstance(changed, Denied) else None)


@get("/api/me/account", operation_id="MyAccount", tags=["people"], responses=said(401))
async def my_account(request: AnyRequest) -> Response[Mine]:
    """One's own sessions, authenticator and passkeys."""
    return reply(_mine(request))


@post("/api/me/sessions/end", operation_id="EndSessions", tags=["people"], status_code=200, responses=CHANGING)
async def end_sessions(request: AnyRequest, data: JSONBody[Ending]) -> Response[Mine]:
    """End one of one's own sessions by its handle, or without one all but this."""
    caller, _ = half_in(request)
    ended = await reception_of(request).people.end_sessions(caller, now_ms(request), data.handle)
    if data.handle and not ended:
        return reply(Unknown("there is no such session of yours."))
    if data.handle == caller.session:
        return reply(Gone(), 200, {"set-cookie": guard_of(request).cookie(visitor_of(request), "", 0)})
    return reply(_mine(request))


@post("/api/me/authenticator", operation_id="BeginAuthenticator", tags=["people"], status_code=200, responses=CHANGING)
async def begin_authenticator(request: AnyRequest, data: JSONBody[OwnWord]) -> Response[AuthenticatorTold]:
    """A secret for an authenticator (RFC 6238: SHA-1, six digits, thirty seconds); it counts once it is confirmed."""
    caller, _ = half_in(request)
    return reply(await reception_of(request).people.begin_authenticator(caller, data.password, now_ms(request)))


@post(
    "/api/me/authenticator/confirm",
    operation_id="ConfirmAuthenticator",
    tags=["people"],
    status_code=200,
    responses=ANSWERING,
)
async def confirm_authenticator(request: AnyRequest, data: JSONBody[Code]) -> Response[Mine]:
    """With a code of it; from then on logging in wants one."""
    caller, _ = half_in(request)
    people = reception_of(request).people
    return _mine_changed(request, await people.confirm_authenticator(caller, data.code, now_ms(request)), 409)


@post(
    "/api/me/authenticator/remove",
    operation_id="RemoveAuthenticator",
    tags=["people"],
    status_code=200,
    responses=CHANGING,
)
async def remove_authenticator(request: AnyRequest, data: JSONBody[OwnWord]) -> Response[Mine]:
    caller = caller_of(request)
    people = reception_of(request).people
    return _mine_changed(request, await people.remove_factor(caller, data.password, now_ms(request)))


@post("/api/me/passkeys/begin", operation_id="BeginPasskey", tags=["people"], status_code=200, responses=CHANGING)
async def begin_passkey(request: AnyRequest, data: JSONBody[OwnWord]) -> Response[dict[str, Any]]:
    """What the browser is to ask of an authenticator (WebAuthn's options for a new credential)."""
    caller, _ = half_in(request)
    people = reception_of(request).people
    return reply(await people.begin_passkey(caller, data.password, _door(request), now_ms(request)))


@post("/api/me/passkeys", operation_id="MakePasskey", tags=["people"], status_code=200, responses=ANSWERING)
async def make_passkey(request: AnyRequest, data: JSONBody[NewPasskey]) -> Response[Mine]:
    """The authenticator's answer; from then on logging in wants one of one's passkeys, or a code."""
    caller, _ = half_in(request)
    people = reception_of(request).people
    return _mine_changed(request, await people.make_passkey(caller, data.name, data.passkey, now_ms(request)), 409)


@post(
    "/api/me/passkeys/{passkey:str}/remove",
    operation_id="RemovePasskey",
    tags=["people"],
    status_code=200,
    responses=CHANGING,
)
async def remove_passkey(request: AnyRequest, passkey: FromPath[str], data: JSONBody[OwnWord]) -> Response[Mine]:
    caller = caller_of(request)
    people = reception_of(request).people
    return _mine_changed(
        request, await people.remove_factor(caller, data.password, now_ms(request), passkey=passkey or "?")
    )


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
    cells = permissions.matrix(rulebook) if rulebook else {r: dict(c) for r, c in permissions.widest().items()}
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
    disable_account, post_to_tables, reset_factors, list_account_proposals, answer_account_proposal, my_account,
    end_sessions, begin_authenticator, confirm_authenticator, remove_authenticator, begin_passkey, make_passkey,
    remove_passkey, list_approvals, answer_proposal, show_matrix, read_audit,
]  # fmt: skip
"""For the application: it has `state.reception` and `state.guard`, and `Secured` stands before it."""
