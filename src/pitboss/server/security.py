"""What every request passes before anybody looks at it: who may call from where, how much, and how often.

An ASGI application around the whole server (HTTP and WebSocket alike), so that no route can forget it:

- the Host must be ours (a name that somebody points at this machine is not), the Origin the same;
- bodies have a limit, each and all that are on their way together, and so has the number of requests;
- every answer carries the headers that keep a browser from being used against its user.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any

import msgspec

from pitboss.server.budgets import Buckets, Held, Limits, Rates, Whom

COOKIE = "pitboss"
SECURE_COOKIE = "__Host-pitboss"
"""Behind TLS: browsers let nobody but this very host set a cookie of such a name, no neighbour and no plain HTTP."""
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
"""What a session's token looks like."""
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
)
POLICY, OWN_STYLE = b"content-security-policy", b"x-own-style"
"""The second is for this door alone: the digest of the style that stands in a printed page, and goes no further."""
TOO_MANY = 429
REFUSED_SECONDS = 0.25
"""So long whoever asks too much waits for being told so; then their connection ends, and addresses have so many."""
STYLE_DIGEST = re.compile(rb"sha256-[A-Za-z0-9+/]{43}=")
STRICT_TRANSPORT = (b"strict-transport-security", b"max-age=31536000")


class Visitor(msgspec.Struct, frozen=True):
    """Where a request comes from, as far as that can be known; routes find it in ``scope["state"]["visitor"]``."""

    address: str
    local: bool
    """From this machine, by a name of this machine, and through no proxy."""
    https: bool
    token: str
    """Of the session, from the cookie or as a bearer token; "" where there is none."""


class Guard:
    """The rules at the door. One for each server."""

    def __init__(
        self,
        *,
        hosts: Iterable[str] = (),
        proxies: Iterable[str] = (),
        limits: Limits | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.hosts = frozenset(host.lower() for host in hosts) | LOCAL_NAMES
        """Names by which this server is called; numbers are always accepted."""
        self.proxies = tuple(ipaddress.ip_network(proxy, strict=False) for proxy in proxies)
        """Whose word about the client's address and TLS is believed."""
        self.limits = limits or Limits()
        most = self.limits
        self.requests = Rates(*(Buckets(most.requests_rate, most.requests_burst, clock) for _ in range(2)))
        self.acts = Rates(
            Buckets(most.acts_rate, most.acts_burst, clock),
            Buckets(most.acts_rate_address, most.acts_burst_address, clock),
        )
        self.calls = Buckets(most.calls_rate, most.calls_burst, clock)
        self.logins = Buckets(most.logins_rate, most.logins_burst, clock)
        self.trainings = Buckets(most.trainings_rate, most.trainings_burst, clock)
        self.held = Held(most.held_bytes, most.held_bytes_address, most.held_bytes_all)
        """Bytes that are kept for people: bodies that are not whole, answers and news that are not read."""
        self.sockets = Held(most.sockets, most.sockets_address, sys.maxsize)
        self.opened = Buckets(most.opened_rate, most.opened_burst, clock)
        self.connections = Held(0, most.connections, sys.maxsize)
        self.turned_away: Counter[str] = Counter()
        """How often somebody was, by what there was too much of."""

    def visitor(self, scope: Scope) -> Visitor:
        """Who stands before the door."""
        headers = _headers(scope)
        peer = (scope.get("client") or ("", 0))[0]
        forwarded = any(name in headers for name in ("x-forwarded-for", "x-forwarded-proto", "x-forwarded-host",
                                                     "x-real-ip", "forwarded", "via"))  # fmt: skip
        trusted = self._is_proxy(peer)
        https = scope.get("scheme") in ("https", "wss")
        address = peer
        if trusted:
            https = headers.get("x-forwarded-proto", "https" if https else "http").split(",")[-1].strip() == "https"
            address = self._client_behind(headers.get("x-forwarded-for", ""), peer)
        local = (
            _is_loopback(peer)
            and not forwarded
            and not self.proxies
            and scope.get("http_version", "1.1") != "1.0"  # no browser speaks it any more, and some proxies do
            and host_of(headers.get("host", "")) in LOCAL_NAMES
        )
        return Visitor(address, local, https, token_of(headers, https))

    def _is_proxy(self, address: str) -> bool:
        try:
            found = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self.proxies)

    def _client_behind(self, forwarded: str, peer: str) -> str:
        """The last address in the list that is no proxy of ours: everything before it anybody can have written."""
        for part in reversed([part.strip() for part in forwarded.split(",") if part.strip()]):
            if not self._is_proxy(part):
                return part[:64]
        return peer

    def refuse(self, scope: Scope, visitor: Visitor, whom: Whom) -> tuple[int, str] | None:
        """A status and a sentence for whoever does not get in, or None."""
        headers = _headers(scope)
        host = headers.get("host", "")
        if not self._is_ours(host_of(host)):
            return 421, "this server is not called by that name; see the manual about names and proxies."
        origin = headers.get("origin")
        changes = scope["type"] == "websocket" or scope.get("method") not in SAFE_METHODS
        if changes and origin is not None and not same_origin(origin, host, visitor.https):
            return 403, "the request comes from another site."
        if changes and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "the request comes from another site."
        if changes and origin is None and _cookie(headers, visitor.https):
            return 403, "a browser says where a request comes from; without an Origin use a bearer token."
        wait = self.requests.allow(whom)
        if wait:
            self.turned_away["requests"] += 1
            return 429, f"too many requests: try again in {int(wait) + 1} seconds."
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self.limits.body_bytes:
            return 413, f"a request has at most {self.limits.body_bytes} bytes."
        return None

    def _is_ours(self, host: str) -> bool:
        """Numbers cannot be pointed elsewhere by anybody's name server, so they are always ours."""
        if host in self.hosts:
            return True
        try:
            ipaddress.ip_address(host)
        except ValueError:
            return False
        return True

    def connected(self, address: str) -> bool:
        """Somebody calls from an address; False where too many from there do. A proxy calls for everybody."""
        if self._is_proxy(address):
            return True
        whom = Whom.of("", address)
        if self.calls.allow(whom.address):
            self.turned_away["calls"] += 1
            return False
        return self._counted("connections", self.connections, whom)

    def disconnected(self, address: str) -> None:
        """One who was `connected` is gone."""
        if not self._is_proxy(address):
            self.connections.remove(Whom.of("", address))

    @contextmanager
    def socket(self, whom: Whom) -> Iterator[bool]:
        """Counts open sockets: gives False where there are too many already, or came too many one after the other."""
        free = self._counted("sockets", self.sockets, whom)
        if free and self.opened.allow(whom.account):
            self.sockets.remove(whom)
            self.turned_away["opened"] += 1
            free = False
        try:
            yield free
        finally:
            if free:
                self.sockets.remove(whom)

    def keep(self, whom: Whom, size: int) -> bool:
        """Keep so many bytes for somebody; False where that is too much."""
        return self.held.add(whom, size) or self._counted("bytes", self.held, whom, size)

    def _counted(self, what: str, held: Held, whom: Whom, size: int = 1) -> bool:
        if held.add(whom, size):
            return True
        self.turned_away[what] += 1
        return False

    def cookie(self, visitor: Visitor, token: str, seconds: int) -> str:
        """The header that keeps (or with 0 seconds ends) a session in a browser."""
        name = SECURE_COOKIE if visitor.https else COOKIE
        parts = [f"{name}={token}", "Path=/", f"Max-Age={max(0, seconds)}", "HttpOnly", "SameSite=Strict"]
        return "; ".join([*parts, "Secure"] if visitor.https else parts)


class Secured:
    """The door itself, around the whole application."""

    def __init__(
        self,
        app: App,
        guard: Guard,
        account: Callable[[Scope], str] = lambda scope: "",
        learn: Callable[[Scope], Awaitable[None]] | None = None,
    ) -> None:
        """`account` says whose session a request bears, "" for a stranger's; `learn` looks whether another server
        knows more, and is asked only where a stranger brings much."""
        self.app = app
        self.guard = guard
        self._account = account
        self._learn = learn

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        visitor = self.guard.visitor(scope)
        state = scope.setdefault("state", {})
        state["visitor"] = visitor
        whom = state["whom"] = Whom.of(self._account(scope), visitor.address)
        refused = self.guard.refuse(scope, visitor, whom)
        if scope["type"] == "websocket":
            if refused is not None:
                await receive()
                await send({"type": "websocket.close", "code": 4000 + refused[0], "reason": refused[1][:120]})
                return
            await self.app(scope, receive, send)
            return
        guarded = _with_headers(send, visitor.https, scope.get("path", "").startswith("/api"))
        if refused is not None:
            if refused[0] == TOO_MANY:  # saying no a thousand times a second would cost everybody else their time
                await asyncio.sleep(REFUSED_SECONDS)
            await _answer(guarded, *refused)
            return
        limits, length = self.guard.limits, _length(scope)
        most, seconds = limits.body_bytes, limits.body_seconds
        if 0 <= length <= limits.strangers_body_bytes:
            seconds = min(seconds, limits.short_body_seconds)
        else:
            if not whom.account and self._learn is not None:
                await self._learn(scope)
                whom = state["whom"] = Whom.of(self._account(scope), visitor.address)
            if not whom.account:
                most = limits.strangers_body_bytes
            if length > most:
                await _answer(guarded, 413, f"without a session a request has at most {most} bytes: log in first.")
                return
        body = Body(receive, guarded, self.guard, whom, most, seconds)
        try:
            await self.app(scope, body.receive, body.send)
            await body.finish()
        finally:
            body.forget()


class Body:
    """A body without a length is counted as it comes: once there is too much of it, or it does not come to an end,
    that is the answer, whatever else is. What comes in parts is kept until it is whole, and counted as kept."""

    def __init__(self, receive: Receive, send: Send, guard: Guard, whom: Whom, most: int, seconds: float) -> None:
        self._receive, self._send = receive, send
        self._guard, self._whom, self._most, self._seconds = guard, whom, most, seconds
        self._got = self._kept = 0
        self._whole = False
        self._begun = False
        self._refused: tuple[int, str] | None = None
        self._until = asyncio.get_running_loop().time() + seconds

    async def receive(self) -> Message:
        if self._refused is None:
            message = await (self._receive() if self._whole else self._part())
            if self._refused is None:
                return message
        return {"type": "http.disconnect"}

    async def _part(self) -> Message:
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            self._refuse(408, f"a request must arrive within {self._seconds:g} seconds.")
            return {}
        size = len(message.get("body", b""))
        self._got += size
        self._whole = not message.get("more_body", False)
        if self._got > self._most:
            self._refuse(413, f"a request has at most {self._most} bytes.")
        elif self._kept or not self._whole:
            if self._guard.keep(self._whom, size):
                self._kept += size
            else:
                self._refuse(503, "too much is being sent at once: try again in a moment.")
        return message

    def forget(self) -> None:
        """It is dealt with, one way or another."""
        if self._kept:
            self._guard.held.remove(self._whom, self._kept)
            self._kept = 0

    def _refuse(self, status: int, text: str) -> None:
        if not self._begun:
            self._refused = status, text

    async def send(self, message: Message) -> None:
        if self._refused is None:
            self._begun = True
            await self._send(message)

    async def finish(self) -> None:
        if self._refused is not None:
            await _answer(self._send, *self._refused)


def _with_headers(send: Send, https: bool, private: bool) -> Send:
    """Every answer has the headers; one of the API is kept nowhere."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = {name for name, _ in HEADERS} | {STRICT_TRANSPORT[0], OWN_STYLE}
            style = next((value for name, value in message.get("headers", ()) if name.lower() == OWN_STYLE), b"")
            headers = [pair for pair in message.get("headers", []) if pair[0].lower() not in own]
            headers += HEADERS
            if STYLE_DIGEST.fullmatch(style):  # this one style, known by its digest, and no other
                headers = [(name, _with_style(value, style) if name == POLICY else value) for name, value in headers]
            if https:
                headers.append(STRICT_TRANSPORT)
            if private and not any(name.lower() == b"cache-control" for name, _ in headers):
                headers.append((b"cache-control", b"no-store"))
            message["headers"] = headers
        await send(message)

    return sending


def _with_style(policy: bytes, digest: bytes) -> bytes:
    return policy + b"; style-src 'self' '" + digest + b"'"


async def _answer(send: Send, status: int, text: str) -> None:
    body = msgspec.json.encode({"is": "error", "text": text})
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status in (TOO_MANY, 503):
        headers.append((b"retry-after", b"1"))
    if status == TOO_MANY:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


# --- headers ---------------------------------------------------------------------------------------------------------


def _headers(scope: Scope) -> dict[str, str]:
    """By small name; a header that came twice is joined, so that the second cannot hide behind the first."""
    found: dict[str, str] = {}
    for name, value in scope.get("headers", ()):
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        found[key] = f"{found[key]}{'; ' if key == 'cookie' else ', '}{text}" if key in found else text
    return found


def _length(scope: Scope) -> int:
    """How long the body says it is; -1 where it does not say."""
    for name, value in scope.get("headers", ()):
        if name == b"content-length" and value.isdigit():
            return int(value)
        if name == b"transfer-encoding":
            return -1
    return 0


def host_of(host: str) -> str:
    """A Host header without its port; what is not a host with a port stays as it is, and is nobody's."""
    text = host.strip().lower()
    name, _, port = text.rpartition(":")
    if name.isascii() and port.isdigit() and (":" not in name or name.endswith("]")):
        text = name
    return text[1:-1] if text.startswith("[") and text.endswith("]") else text


def same_origin(origin: str, host: str, https: bool) -> bool:
    """Whether a page of this very server sent the request."""
    return origin.lower() == f"{'https' if https else 'http'}://{host.strip().lower()}"


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _cookie(headers: dict[str, str], https: bool = False) -> str:
    """The session's token in a cookie of ours, whatever cookies our neighbours have.

    Where several have our name, those that are no token are a neighbour's. Nobody can tell which of two tokens we
    gave, and whoever takes the wrong one acts in somebody else's name: then there is none.
    """
    name = SECURE_COOKIE if https else COOKIE
    pairs = (part.partition("=") for part in headers.get("cookie", "").split(";"))
    found = {value.strip().removeprefix('"').removesuffix('"') for key, _, value in pairs if key.strip() == name}
    if len(found) > 1:
        found = {value for value in found if TOKEN.fullmatch(value)}
    return found.pop() if len(found) == 1 else ""


def token_of(headers: dict[str, str], https: bool = False) -> str:
    """The session's token; a bearer token goes before the cookie."""
    scheme, _, bearer = headers.get("authorization", "").partition(" ")
    token = bearer.strip() if scheme.lower() == "bearer" else _cookie(headers, https)
    return token if len(token) <= 200 else ""
