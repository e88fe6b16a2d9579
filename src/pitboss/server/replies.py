"""What the floor answers, as HTTP: one shape for everything that is no success, and who stands behind a request."""

from __future__ import annotations

import base64
import hashlib
from typing import Any, Literal

import msgspec
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec

from pitboss.floor import model as m
from pitboss.floor.floor import Floor
from pitboss.floor.gate import Busy
from pitboss.floor.people import LIMITED, NeedsMore, TryLater, key_of
from pitboss.floor.permissions import EVERY_TABLE, may
from pitboss.floor.setting_up import Reception
from pitboss.floor.shared_stream import outside
from pitboss.rulebooks.editions import MissingEdition
from pitboss.server.budgets import Whom
from pitboss.server.security import OWN_STYLE, Guard, Visitor
from pitboss.server.wording import unreadable
from pitboss.store.log import StoreError
from pitboss.table.refusals import Refusal

AnyRequest = Request[Any, Any, Any]

STATUS: dict[type, int] = {
    m.Accepted: 200,
    m.Proposed: 200,
    m.Denied: 403,
    m.Unknown: 404,
    m.NotAllowed: 409,
    m.Taken: 409,
    m.Moved: 421,
    m.Halted: 503,
}
KINDS = {401: "denied", 403: "denied", 404: "unknown", 503: "halted"}
"""What a body without an answer of the floor says in `is`; "error" for every other status."""
TEXT_MAX = 500
UNPARSED, NOT_JSON = ("Input data was truncated", "JSON is malformed"), "the body is not JSON."


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a request was not answered. `is` and `text` are always there, the rest where it belongs."""

    kind: Literal["error", "denied", "unknown", "refused", "taken", "moved", "halted"] = msgspec.field(name="is")
    text: str
    """One sentence."""
    clauses: tuple[str, ...] = ()
    """Of a denial, where a clause stands behind it."""
    table: str = ""
    refusal: Refusal | None = None
    """The rules say no, and why."""
    address: str = ""
    """Of the server that has the table."""
    needs: tuple[str, ...] = ()
    """What is missing of whoever logs in with the right password: first-use, code or passkey."""
    passkey: dict[str, Any] | None = None
    """What their browser is to ask of a passkey, as WebAuthn has it."""


WORDS = {
    400: "We cannot read the request.",
    401: "Nobody is logged in, or name or password is wrong.",
    403: "The caller may not ask for this, or the request comes from another site.",
    404: "There is no such thing.",
    408: "The body did not come in time.",
    409: "The rules say no (the body has the refusal), the name is taken, a text has signs that cannot be seen, or a "
    "code or passkey is not the one that was asked for.",
    413: "The body is too large.",
    421: "Another process owns the table (the body has its address), or this server has another name.",
    429: "Too often: try again later.",
    501: "This server lacks what is needed for it.",
    503: "Nothing is accepted now; try again later.",
}
AT_THE_DOOR = (421, 429)
"""What any request may be answered, before a route sees it."""
WITH_A_BODY = (400, 403, 408, 413, 503)


def said(*codes: int, body: bool = False) -> dict[int, ResponseSpec]:
    """For the description of the API: what a route may answer besides what was asked for."""
    found = {*codes, *AT_THE_DOOR, *(WITH_A_BODY if body else ())}
    return {code: ResponseSpec(Problem, description=WORDS[code]) for code in sorted(found)}


# --- answers ---------------------------------------------------------------------------------------------------------


def printed(page: str) -> Response[str]:
    """A page that prints well and stands alone: the door lets through the one style that is written in it."""
    _, _, rest = page.partition("<style>")
    style, ends, _ = rest.partition("</style>")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    headers = {OWN_STYLE.decode(): f"sha256-{digest}"} if ends else {}
    return Response(page, media_type="text/html", headers=headers)


def reply(answer: object, status: int | None = None, headers: dict[str, str] | None = None) -> Response[Any]:
    """An answer with its status; anything else is 200."""
    if isinstance(answer, TryLater):
        return problem(429, answer.text, {"retry-after": str(-(-answer.wait_ms // 1000))})
    if isinstance(answer, NeedsMore):
        body = {"is": "denied"} | msgspec.to_builtins(answer)
        return Response(msgspec.json.encode(body), status_code=401, media_type=MediaType.JSON)
    found = STATUS.get(type(answer), 200) if status is None else status
    if found >= 400:
        answer = {"text": _sentence(answer), **msgspec.to_builtins(answer)}
    return Response(msgspec.json.encode(answer), status_code=found, headers=headers, media_type=MediaType.JSON)


def _sentence(answer: object) -> str:
    if isinstance(answer, m.NotAllowed):
        return str(answer.refusal)
    return f"another server has table {answer.table}; ask there." if isinstance(answer, m.Moved) else ""


def offered(caller: m.Caller, table: str, update: bytes) -> bytes:
    """An update of a table for one person: whoever is not posted to it is shown it, and offered no act there."""
    if EVERY_TABLE in caller.tables or table in caller.tables:
        return update
    said: dict[str, Any] = msgspec.json.decode(update, type=dict[str, msgspec.Raw])
    return msgspec.json.encode(said | {"legal": ()})


def problem(status: int, text: str, headers: dict[str, str] | None = None) -> Response[Any]:
    """One sentence in the shape of every other."""
    body = {"is": KINDS.get(status, "error"), "text": text[:TEXT_MAX]}
    return Response(msgspec.json.encode(body), status_code=status, headers=headers, media_type=MediaType.JSON)


def error_reply(request: AnyRequest, error: HTTPException) -> Response[Any]:
    """We cannot read you, or you may not: one sentence."""
    text = NOT_JSON if error.detail.startswith(UNPARSED) else error.detail
    if error.extra and error.status_code == 400:
        details = error.extra if isinstance(error.extra, list) else [error.extra]
        first = details[0] if details and isinstance(details[0], dict) else {}
        text = unreadable(str(first.get("key", "")), str(first.get("message", ""))) or text
    return problem(error.status_code, text or "we cannot read the request.", error.headers)


def too_deep(request: AnyRequest, error: RecursionError) -> Response[Any]:
    """Lists in lists in lists: no reader of JSON follows for ever, and nothing of ours is nested."""
    return problem(400, "the body is nested too deeply; nothing that we read is.")


def not_utf8(request: AnyRequest, error: UnicodeDecodeError) -> Response[Any]:
    return problem(400, "the body is not UTF-8, as JSON must be.")


def cannot_write(request: AnyRequest, error: StoreError) -> Response[Any]:
    """The log is full or away: nothing changed."""
    return reply(m.Halted(outside(error)))


def missing_edition(request: AnyRequest, error: MissingEdition) -> Response[Any]:
    """A table was played by a text that is not at hand: its past waits until somebody brings it."""
    return reply(m.Halted(str(error)))


def busy(request: AnyRequest, error: Busy) -> Response[Any]:
    """Others are before whoever asked, or an earlier request of theirs is: nothing was done."""
    return problem(error.status, error.text, {"retry-after": str(error.seconds)})


# --- who asks, and of whom -------------------------------------------------------------------------------------------


def reception_of(request: AnyRequest) -> Reception:
    found: Reception = request.app.state.reception
    return found


def floor_of(request: AnyRequest) -> Floor:
    found: Floor = request.app.state.floor
    return found


def guard_of(request: AnyRequest) -> Guard:
    found: Guard = request.app.state.guard
    return found


def visitor_of(request: AnyRequest) -> Visitor:
    """Where the request comes from; without `Secured` before us it comes from nowhere that is trusted."""
    found = request.scope.get("state", {}).get("visitor")
    return found if isinstance(found, Visitor) else guard_of(request).visitor(request.scope)  # type: ignore[arg-type]


def now_ms(request: AnyRequest) -> int:
    return floor_of(request).clock.now_ms()


def caller_of(request: AnyRequest) -> m.Caller:
    """Whose session the request belongs to; 401 where nobody is logged in."""
    caller = reception_of(request).people.who(visitor_of(request).token, now_ms(request))
    if caller is None:
        _, needs = half_in(request)
        raise HTTPException(LIMITED[needs[0]], status_code=403)
    return caller


def half_in(request: AnyRequest) -> tuple[m.Caller, tuple[str, ...]]:
    """The same, also of somebody who has to change their password or make a second factor first, and what it is."""
    found = reception_of(request).people.half_in(visitor_of(request).token, now_ms(request))
    if found is None:
        raise HTTPException("log in first.", status_code=401)
    return found


async def allowed(request: AnyRequest, operation: str) -> m.Caller:
    """The caller, if they may do this; every denial is in the audit."""
    caller = caller_of(request)
    denied = may(caller, operation)
    if denied is not None:
        raise await denial(request, caller, operation, denied)
    return caller


async def denial(request: AnyRequest, caller: m.Caller, what: str, denied: m.Denied, table: str = "") -> HTTPException:
    """Somebody may not: that is written down, and then they are told."""
    await reception_of(request).audit.denied(caller, what, denied, now_ms(request), table=table)
    return HTTPException(denied.text, status_code=403)


def not_too_fast(request: AnyRequest, caller: m.Caller) -> None:
    """429 where an account asks for more than people do: acts, and whatever takes the server long."""
    _wait_your_turn(guard_of(request).acts.allow(Whom.of(caller.name, visitor_of(request).address)), "acts")


def not_too_many_trainings(request: AnyRequest, caller: m.Caller) -> None:
    """429 where somebody has rounds dealt faster than anybody goes through them."""
    _wait_your_turn(guard_of(request).trainings.allow(key_of(caller.name)), "trainings")


def _wait_your_turn(wait: float, what: str) -> None:
    if wait:
        seconds = str(int(wait) + 1)
        raise HTTPException(f"too many {what}: send more slowly.", status_code=429, headers={"retry-after": seconds})
