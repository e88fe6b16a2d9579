"""What the floor answers, as HTTP."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import MediaType, Request, Response, Router
from litestar.openapi.datastructures import ResponseSpec

from pitboss.floor import model as m
from pitboss.floor.people import TryLater
from pitboss.floor.setting_up import Reception
from pitboss.server.security import Guard, Visitor
from pitboss.store.log import StoreError

STATUS: dict[type, int] = {
    m.Accepted: 200,
    m.Proposed: 200,
    m.Denied: 403,
    m.Unknown: 404,
    m.NotAllowed: 409,
    m.Moved: 421,
    m.Halted: 503,
}
ANONYMOUS = m.Denied("log in first.")


class Problem(msgspec.Struct, frozen=True):
    """Why a request was not answered: one sentence, as `detail` and as `text`."""

    status_code: int
    detail: str


_WORDS = {
    400: "We cannot read the request.",
    401: "Nobody is logged in, or name or password is wrong.",
    403: "The caller may not ask for this.",
    404: "There is no such thing.",
    409: "The rules say no; the body has the refusal.",
    421: "Another process owns the table; the body has its address.",
    429: "Too often: try again later.",
    503: "Nothing is accepted now; try again later.",
}
SAID = {code: ResponseSpec(Problem, description=words) for code, words in _WORDS.items()}
"""For the description of the API: what a route may answer besides what was asked for."""

AnyRequest = Request[Any, Any, Any]


def reply(answer: object, status: int | None = None, headers: dict[str, str] | None = None) -> Response[Any]:
    """An answer with its status; anything else is 200."""
    if isinstance(answer, TryLater):
        seconds = -(-answer.wait_ms // 1000)
        body = {"status_code": 429, "detail": answer.text, "is": "error", "text": answer.text}
        return reply(body, 429, {"retry-after": str(seconds)})
    found = STATUS.get(type(answer), 200) if status is None else status
    if isinstance(answer, (m.Denied, m.Unknown)):
        answer = {"status_code": found, "detail": answer.text, **msgspec.to_builtins(answer)}
    return Response(msgspec.json.encode(answer), status_code=found, headers=headers, media_type=MediaType.JSON)


def unauthorised() -> Response[Any]:
    """Nobody is logged in."""
    return reply(ANONYMOUS, 401)


def reception_of(request: AnyRequest) -> Reception:
    found: Reception = request.app.state.reception
    return found


def guard_of(request: AnyRequest) -> Guard:
    found: Guard = request.app.state.guard
    return found


def visitor_of(request: AnyRequest) -> Visitor:
    """Where the request comes from; without `Secured` before us it comes from nowhere that is trusted."""
    found = request.scope.get("state", {}).get("visitor")
    return found if isinstance(found, Visitor) else guard_of(request).visitor(request.scope)  # type: ignore[arg-type]


def caller_of(request: AnyRequest) -> m.Caller | None:
    """Whose session the request belongs to."""
    reception = reception_of(request)
    return reception.people.who(visitor_of(request).token, reception.floor.clock.now_ms())


def cannot_write(request: AnyRequest, error: StoreError) -> Response[Any]:
    """The log is full or away: nothing changed."""
    return reply(m.Halted(str(error)))


def people_routes(*handlers: Any) -> Router:
    return Router("/", route_handlers=list(handlers), exception_handlers={StoreError: cannot_write})
