"""The whole server as one ASGI application: the door, the socket, the routes, the browser's files, the probes."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import Litestar, Request, Response
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig

from pitboss.floor.folds import Totals
from pitboss.floor.gate import Busy
from pitboss.floor.inbox import Inbox
from pitboss.floor.model import Caller
from pitboss.rulebooks.editions import MissingEdition
from pitboss.server import (
    accounts,
    acts,
    coaching,
    inbox,
    log_routes,
    patrons,
    promotions,
    proofs,
    registers,
    reports,
    rulings,
    tables,
    tournaments,
    training,
)
from pitboss.server.description import PATHS, Description
from pitboss.server.files import READING, Files, refuse_method, send_file
from pitboss.server.first_page import answer_within, send_page, with_answers
from pitboss.server.live import Live
from pitboss.server.metrics import Looked, Metrics
from pitboss.server.packing import Packed, takes_gzip
from pitboss.server.replies import busy, cannot_write, error_reply, missing_edition, not_utf8, problem, too_deep
from pitboss.server.security import SAFE_METHODS, Guard, Receive, Scope, Secured, Send
from pitboss.server.unchanging import Unchanging
from pitboss.store.log import StoreError

if TYPE_CHECKING:
    from pitboss.floor.floor import Floor
    from pitboss.floor.setting_up import Reception
    from pitboss.store.signing import Signer

API = "/api"
LOOK_SECONDS = 1.0
"""So long a request waits for what other servers have written."""
HANDLERS: list[Any] = [
    *acts.HANDLERS, *tables.HANDLERS, *log_routes.HANDLERS, *proofs.HANDLERS, *rulings.HANDLERS, *accounts.HANDLERS,
    *training.HANDLERS, *patrons.HANDLERS, *reports.HANDLERS, *registers.HANDLERS,
    *promotions.HANDLERS, *tournaments.HANDLERS, *coaching.HANDLERS, *inbox.HANDLERS,
]  # fmt: skip

log = logging.getLogger("pitboss.server")


class Server:
    """Which part of a request is whose."""

    def __init__(
        self, floor: Floor, reception: Reception, guard: Guard | None = None, signer: Signer | None = None
    ) -> None:
        self.floor = floor
        self.reception = reception
        self.guard = guard or Guard()
        self.metrics = Metrics()
        self.looked = Looked(self)
        self.coach = coaching.Coach()
        self.metrics.registry.register(self.looked)
        self.live = Live(floor, self.metrics, self.who, self.guard)
        reception.people.ended.append(self.live.session_ended)
        self.files = Files()
        state = {
            "floor": floor,
            "inbox": Inbox(floor),
            "reception": reception,
            "guard": self.guard,
            "metrics": self.metrics,
            "who": self.who,
            "signer": signer,
            "coach": self.coach,
        }
        self.routes = Litestar(
            route_handlers=HANDLERS,
            state=State(state),
            openapi_config=OpenAPIConfig(title="Pitboss", version=_version()),
            exception_handlers={
                HTTPException: error_reply,
                Busy: busy,
                StoreError: cannot_write,
                MissingEdition: missing_edition,
                RecursionError: too_deep,
                UnicodeDecodeError: not_utf8,
                Exception: fault,
            },
            logging_config=None,
        )
        self.description = Description(self.routes, HANDLERS, floor.gate)
        self.unchanging = Unchanging(self.routes)
        self.secured = Secured(self._inside, self.guard, self._account, None if floor.alone else self._learn)

    async def begin_coach(self) -> None:
        """Have the coach of the practice tables ready before anybody asks; say so where there is none."""
        problem = (await self.coach.ask(ask="advise")).problem
        if problem:
            log.warning(problem)

    def close(self) -> None:
        """End what was begun beside this process."""
        self.coach.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            send = self._counted(scope, send)
        await self.secured(scope, receive, send)

    async def _inside(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._look_around(scope)
            await self.live(scope, receive, send)
        elif scope["type"] == "http":
            path = scope["path"]
            if path in PROBES and scope["method"] in SAFE_METHODS:
                await _probe(send, *await PROBES[path](self))
            elif self.unchanging.has(scope):
                await self.unchanging(scope, receive, send)
            elif path.startswith(API):
                await self._look_around(scope)
                send = Packed(send) if takes_gzip(scope) else send
                await self.routes(scope, receive, send)  # type: ignore[arg-type]
            elif path in PATHS:
                await self._describe(scope, send)
            elif path in ("", "/", "/index.html") and scope["method"] in READING:
                await self._first_page(scope, receive, send)
            else:
                await self.files(scope, send)

    async def _describe(self, scope: Scope, send: Send) -> None:
        """The description of every route."""
        if scope["method"] not in READING:
            await refuse_method(send)
            return
        try:
            file = await self.description.file()
        except Busy as error:
            await _probe(send, 503, "application/json", msgspec.json.encode({"is": "error", "text": error.text}))
            return
        await send_file(scope, send, file)

    async def _first_page(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The page, with what it would ask for first."""
        file = self.files.find("/")
        if file is None:
            return await self.files(scope, send)
        await self._look_around(scope)
        paths = ("/api/setup", "/api/tables") if self.who(scope) is not None else ("/api/setup",)
        answers = {path: await answer_within(self.routes, scope, receive, path) for path in paths}
        return await send_page(send, scope, with_answers(file.body, answers))

    def who(self, scope: Scope) -> Caller | None:
        """Whose session the request bears; None where it bears none that holds."""
        visitor = scope.get("state", {}).get("visitor")
        if visitor is None or not visitor.token:
            return None
        return self.reception.people.who(visitor.token, self.floor.clock.now_ms())

    def _account(self, scope: Scope) -> str:
        """The name of whose session it is; "" where there is none."""
        caller = self.who(scope)
        return "" if caller is None else caller.name

    async def _learn(self, scope: Scope) -> None:
        """A session that began at another server a moment ago may not have been heard of here."""
        visitor = scope.get("state", {}).get("visitor")
        if visitor is not None and visitor.token and self.who(scope) is None:
            with suppress(StoreError):
                await self.reception.people.catch_up()

    async def _look_around(self, scope: Scope) -> None:
        """Whatever another server has acknowledged is known here to whoever asks for it, in this very moment.

        Not longer than a moment: what cannot be answered without the log says so itself.
        """
        visitor = scope.get("state", {}).get("visitor")
        if (visitor is not None and visitor.token) or scope.get("method", "GET") not in SAFE_METHODS:
            with suppress(StoreError, TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self.floor.up_to_date()

    def _counted(self, scope: Scope, send: Send) -> Send:
        began = time.perf_counter()

        async def counted(message: Any) -> None:
            if message["type"] == "http.response.start":
                self.metrics.requested(scope["method"], message["status"])
                if log.isEnabledFor(logging.DEBUG):
                    log.debug("request", extra=_about(scope, message["status"], time.perf_counter() - began))
            await send(message)

        return counted

    # --- probes ---

    async def health(self) -> tuple[int, str, bytes]:
        """The process lives: its loop answers."""
        return 200, "application/json", b'{"alive":true}'

    @property
    def not_ready(self) -> str | None:
        """Why clients should not be sent here, in one sentence."""
        floor = self.floor
        if floor.is_ready:
            return None
        return f"{floor.no_new_round or 'this server has not renewed its claims in time'}."

    async def readiness(self) -> tuple[int, str, bytes]:
        """Clients may be sent here, or why not."""
        why = self.not_ready
        said = {"ready": True} if why is None else {"ready": False, "why": why}
        return (200 if why is None else 503), "application/json", msgspec.json.encode(said)

    async def counts(self) -> tuple[int, str, bytes]:
        with suppress(StoreError, Busy):
            ask = self.floor.projections.ask
            self.looked.totals = await self.floor.gate.run("metrics", ask, Totals, Totals.by_rulebook)
        return 200, "text/plain; version=0.0.4; charset=utf-8", self.metrics.text()


PROBES = {"/healthz": Server.health, "/readyz": Server.readiness, "/metrics": Server.counts}


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("pitboss")
    except PackageNotFoundError:
        return "0"


def _about(scope: Scope, status: int, seconds: float) -> dict[str, Any]:
    """What of a request stands in the log: nothing that was sent with it, and no token."""
    visitor = scope.get("state", {}).get("visitor")
    address = visitor.address if visitor is not None else ""
    milliseconds = round(seconds * 1000, 1)
    return {"method": scope["method"], "path": scope["path"][:200], "status": status, "address": address,
            "ms": milliseconds}  # fmt: skip


async def _probe(send: Send, status: int, kind: str, body: bytes) -> None:
    headers = [
        (b"content-type", kind.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def fault(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Our own fault: whoever asked learns that it is one, and the details are in the log."""
    log.error("a fault in Pitboss", exc_info=error, extra={"path": request.url.path, "method": request.method})
    text = "this is a fault in Pitboss; it is logged."
    return problem(500, text)
