"""The door: hosts, origins, addresses behind proxies, headers, sizes, rates."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from typing import Any

import msgspec
import pytest

from pitboss.floor.people import neighbours
from pitboss.server.budgets import Buckets, Limits, Whom
from pitboss.server.security import (
    CONTENT_SECURITY_POLICY,
    Guard,
    Secured,
    Visitor,
    _with_headers,
    host_of,
    same_origin,
    token_of,
)
from tests.waiting import until

LOCAL = "localhost:8021"


def scope(
    method: str = "GET",
    headers: dict[str, str] | list[tuple[str, str]] | None = None,
    *,
    client: str = "127.0.0.1",
    kind: str = "http",
    scheme: str = "http",
    path: str = "/api/me",
    http_version: str = "1.1",
) -> dict[str, Any]:
    pairs = list(headers.items()) if isinstance(headers, dict) else list(headers or [])
    if not any(name.lower() == "host" for name, _ in pairs):
        pairs.append(("host", LOCAL))
    return {
        "type": kind,
        "method": method,
        "path": path,
        "http_version": http_version,
        "scheme": scheme,
        "client": (client, 50_000) if client else None,
        "headers": [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in pairs],
    }


class Asked:
    """What came out of the door, and whether anything got in."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.got_in = False
        self.body = b""

    @property
    def status(self) -> int:
        return int(self.sent[0].get("status", self.sent[0].get("code", 0)))

    @property
    def headers(self) -> dict[str, str]:
        return {name.decode().lower(): value.decode() for name, value in self.sent[0]["headers"]}


def ask(guard: Guard, request: dict[str, Any], *chunks: bytes) -> Asked:
    asked = Asked()
    incoming = [
        {"type": "http.request", "body": chunk, "more_body": place < len(chunks) - 1}
        for place, chunk in enumerate(chunks or (b"",))
    ]
    if request["type"] == "websocket":
        incoming = [{"type": "websocket.connect"}]

    async def receive() -> Any:
        return incoming.pop(0) if incoming else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        asked.sent.append(message)

    async def app(inner: Any, receive: Any, send: Any) -> None:
        asked.got_in = True
        if inner["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            return
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                await send({"type": "http.response.start", "status": 500, "headers": []})
                await send({"type": "http.response.body", "body": b"fault"})
                return
            asked.body += message["body"]
            if not message.get("more_body"):
                break
        await send({"type": "http.response.start", "status": 200, "headers": [(b"x-frame-options", b"ALLOWALL")]})
        await send({"type": "http.response.body", "body": b"fine"})

    asyncio.run(Secured(app, guard)(request, receive, send))
    return asked


# --- hosts and origins -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["localhost", "localhost:8021", "LOCALHOST:1", "127.0.0.1:8021", "[::1]:8021",
                                  "10.1.2.3", "[2001:db8::1]:80", "floor.example:443"])  # fmt: skip
def test_hosts_that_are_ours(host: str) -> None:
    assert ask(Guard(hosts=["floor.example"]), scope(headers={"host": host})).got_in


@pytest.mark.parametrize("host", ["", "evil.example", "localhost.evil.example", "floor.example.evil", "127.0.0.1.evil",
                                  "0x7f000001", "local host", "evil.example:8021"])  # fmt: skip
def test_a_name_that_somebody_points_at_us_is_not_ours(host: str) -> None:
    asked = ask(Guard(hosts=["floor.example"]), scope(headers={"host": host}))
    assert not asked.got_in and asked.status == 421


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "post", "WEIRD"])
@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        ("http://localhost:8021", True),
        ("http://LOCALHOST:8021", True),
        ("https://localhost:8021", False),
        ("http://localhost", False),
        ("http://localhost:80210", False),
        ("http://evil.example", False),
        ("http://localhost:8021.evil.example", False),
        ("null", False),
        ("", False),
    ],
)
def test_what_changes_something_comes_from_our_own_pages(method: str, origin: str, allowed: bool) -> None:
    asked = ask(Guard(), scope(method, {"origin": origin, "host": LOCAL}))
    assert asked.got_in == allowed
    assert allowed or asked.status == 403


def test_reading_needs_no_origin() -> None:
    assert ask(Guard(), scope("GET", {"origin": "http://evil.example"})).got_in, "a browser keeps the answer from evil"
    assert ask(Guard(), scope("HEAD")).got_in


def test_without_an_origin_a_cookie_does_not_count_and_a_bearer_token_does() -> None:
    assert not ask(Guard(), scope("POST", {"cookie": "pitboss=token"})).got_in
    assert ask(Guard(), scope("POST", {"authorization": "Bearer token"})).got_in
    assert ask(Guard(), scope("POST")).got_in, "to log in"
    assert ask(Guard(), scope("POST", {"cookie": "other=1"})).got_in
    assert not ask(Guard(), scope("POST", {"cookie": "pitboss=token", "authorization": "Bearer x"})).got_in


@pytest.mark.parametrize("site", ["cross-site", "same-site", "weird"])
def test_a_browser_that_says_cross_site_is_believed(site: str) -> None:
    headers = {"origin": f"http://{LOCAL}", "sec-fetch-site": site}
    assert not ask(Guard(), scope("POST", headers)).got_in
    assert ask(Guard(), scope("POST", headers | {"sec-fetch-site": "same-origin"})).got_in


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({"origin": f"http://{LOCAL}"}, True),
        ({"origin": f"http://{LOCAL}", "cookie": "pitboss=x"}, True),
        ({"origin": "http://evil.example", "cookie": "pitboss=x"}, False),
        ({"cookie": "pitboss=x"}, False),
        ({"authorization": "Bearer x"}, True),
        ({"origin": f"http://{LOCAL}", "host": "evil.example"}, False),
    ],
)
def test_sockets_are_checked_like_posts(headers: dict[str, str], allowed: bool) -> None:
    asked = ask(Guard(), scope(headers=headers, kind="websocket", scheme="ws", path="/ws"))
    assert asked.got_in == allowed
    assert asked.sent[0]["type"] == ("websocket.accept" if allowed else "websocket.close")


def test_behind_tls_the_origin_is_https() -> None:
    guard = Guard(hosts=["floor.example"], proxies=["10.0.0.1"])
    headers = {"host": "floor.example", "x-forwarded-proto": "https", "origin": "https://floor.example"}
    assert ask(guard, scope("POST", headers, client="10.0.0.1")).got_in
    assert not ask(guard, scope("POST", headers, client="10.0.0.2")).got_in, "whose word is not believed"
    assert ask(guard, scope("POST", headers, client="10.0.0.2", scheme="https")).got_in


# --- who stands there ------------------------------------------------------------------------------------------------


def visitor(guard: Guard | None = None, **options: Any) -> Visitor:
    return (guard or Guard()).visitor(scope(**options))


@pytest.mark.parametrize("client", ["127.0.0.1", "127.8.8.8", "::1"])
@pytest.mark.parametrize("host", ["localhost:8021", "127.0.0.1:8021", "[::1]:8021"])
def test_this_machine_is_local(client: str, host: str) -> None:
    assert visitor(client=client, headers={"host": host}).local


@pytest.mark.parametrize(
    "options",
    [
        {"client": "10.0.0.7"},
        {"client": ""},
        {"client": "testclient"},
        {"headers": {"host": "10.0.0.1"}},
        {"headers": {"host": "floor.example"}},
        {"headers": {"x-forwarded-for": "127.0.0.1"}},
        {"headers": {"X-Real-IP": "127.0.0.1"}},
        {"headers": {"forwarded": "for=127.0.0.1"}},
        {"headers": {"via": "1.1 proxy"}},
        {"headers": {"x-forwarded-proto": "http"}},
        {"http_version": "1.0"},
        {"client": "10.0.0.7", "headers": {"host": "localhost"}},
        {"client": "10.0.0.7", "headers": {"host": "127.0.0.1", "x-forwarded-for": "127.0.0.1"}},
        {"client": "::ffff:10.0.0.7"},
        {"headers": [("host", "localhost"), ("host", "floor.example")]},
    ],
)
def test_what_is_not_local(options: dict[str, Any]) -> None:
    """A proxy on this machine makes everybody look as if he sat here: none of its marks, and no other name."""
    assert not visitor(Guard(hosts=["floor.example"]), **options).local


def test_where_proxies_are_expected_nobody_is_local() -> None:
    assert not visitor(Guard(proxies=["127.0.0.1"])).local


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("198.51.100.1, 203.0.113.9", "203.0.113.9"),
        ("127.0.0.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
        ("", "10.0.0.1"),
        ("10.0.0.3", "10.0.0.1"),
        ("garbage", "garbage"),
        ("x" * 500, "x" * 64),
    ],
)
def test_the_address_behind_a_trusted_proxy(forwarded: str, address: str) -> None:
    guard = Guard(proxies=["10.0.0.0/24"])
    assert visitor(guard, client="10.0.0.1", headers={"x-forwarded-for": forwarded}).address == address


def test_nobody_else_says_where_he_comes_from() -> None:
    found = visitor(client="203.0.113.1", headers={"x-forwarded-for": "10.0.0.1", "x-forwarded-proto": "https"})
    assert (found.address, found.https) == ("203.0.113.1", False)
    assert visitor(client="203.0.113.1", scheme="https").https


@pytest.mark.parametrize(
    ("headers", "token"),
    [
        ({"cookie": "pitboss=abc"}, "abc"),
        ({"cookie": "a=1; pitboss=abc; b=2"}, "abc"),
        ({"authorization": "Bearer abc"}, "abc"),
        ({"authorization": "bearer abc", "cookie": "pitboss=other"}, "abc"),
        ({"authorization": "Basic abc"}, ""),
        ({"cookie": "notpitboss=abc"}, ""),
        ({"cookie": "pitboss"}, ""),
        ({"cookie": "pitboss=" + "x" * 300}, ""),
        ({"cookie": 'prefs={"a":1}; pitboss=abc'}, "abc"),
        ({"cookie": 'a[1]=(x); =; b; c="d, e";pitboss="abc";f=g=h'}, "abc"),
        ({"cookie": "Pitboss=abc; pitboss-acts=abc; __Host-pitboss=abc"}, ""),
        ({"cookie": f"pitboss={'a' * 43}; pitboss={'a' * 43}"}, "a" * 43),
        ({"cookie": f"pitboss=dark; pitboss={'a' * 43}; pitboss="}, "a" * 43),
        ({"cookie": f"pitboss={'a' * 43}; pitboss={'b' * 43}"}, ""),
        ({}, ""),
    ],
)
def test_where_the_token_is(headers: dict[str, str], token: str) -> None:
    assert token_of(headers) == token


def test_a_header_that_comes_twice_is_seen_twice() -> None:
    request = scope("POST", [("host", LOCAL), ("origin", f"http://{LOCAL}"), ("origin", "http://evil.example")])
    assert not ask(Guard(), request).got_in
    request = scope("POST", [("host", LOCAL), ("host", "evil.example")])
    assert not ask(Guard(), request).got_in


@pytest.mark.parametrize(
    ("host", "name"),
    [("a:1", "a"), ("a", "a"), ("[::1]:8", "::1"), ("[::1]", "::1"), ("::1", "::1"), (" A ", "a"), ("", "")],
)
def test_a_host_without_its_port(host: str, name: str) -> None:
    assert host_of(host) == name


def test_origins_are_compared_as_a_whole() -> None:
    assert same_origin("https://a.example", "a.example", True)
    assert not same_origin("https://a.example:443", "a.example", True)


# --- answers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("said", "let"), [("sha256-" + "A" * 43 + "=", True), ("'unsafe-inline'", False)])
def test_a_route_names_one_style_by_its_digest_and_loosens_nothing_else(said: str, let: bool) -> None:
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"x-own-style", said.encode()), (b"content-security-policy", b"default-src *")]

    async def answer() -> None:
        await _with_headers(send, False, True)({"type": "http.response.start", "status": 200, "headers": headers})

    asyncio.run(answer())
    found = dict(sent[0]["headers"])
    assert b"x-own-style" not in found
    ends = f"; style-src 'self' '{said}'" if let else ""
    assert found[b"content-security-policy"].decode() == CONTENT_SECURITY_POLICY + ends


def test_every_answer_has_the_headers() -> None:
    for request in (scope(), scope(headers={"host": "evil.example"}), scope("POST", {"origin": "http://evil.example"})):
        headers = ask(Guard(), request).headers
        assert headers["content-security-policy"] == CONTENT_SECURITY_POLICY
        assert "'unsafe-inline'" not in CONTENT_SECURITY_POLICY and "'unsafe-eval'" not in CONTENT_SECURITY_POLICY
        assert "default-src 'self'" in CONTENT_SECURITY_POLICY and "frame-ancestors 'none'" in CONTENT_SECURITY_POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY", "no route weakens it"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert "strict-transport-security" not in headers
    assert "cache-control" not in ask(Guard(), scope(path="/index.html")).headers
    assert "strict-transport-security" in ask(Guard(), scope(scheme="https")).headers


def test_the_cookie_is_for_this_site_and_not_for_scripts() -> None:
    plain = Guard().cookie(Visitor("127.0.0.1", True, False, ""), "abc", 60)
    assert plain == "pitboss=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Strict"
    assert Guard().cookie(Visitor("x", False, True, ""), "abc", 60) == f"__Host-{plain}; Secure"
    assert "Max-Age=0" in Guard().cookie(Visitor("x", False, True, ""), "", -5)


def test_behind_tls_only_the_cookie_counts_that_nobody_else_can_set() -> None:
    """A neighbour on the same domain, or somebody on plain HTTP, can set a cookie of any name but this."""
    guard = Guard(hosts=["floor.example"], proxies=["10.0.0.1"])
    headers = {"host": "floor.example", "x-forwarded-proto": "https"}

    def token(cookie: str, **more: str) -> str:
        return visitor(guard, client="10.0.0.1", headers=headers | {"cookie": cookie} | more).token

    assert token("pitboss=tossed") == ""
    assert token("pitboss=tossed; __Host-pitboss=own") == "own"
    assert token("__Host-pitboss=own; pitboss=tossed") == "own"
    assert visitor(headers={"cookie": "__Host-pitboss=own"}).token == "", "without TLS the plain one"
    request = scope("POST", headers | {"cookie": "__Host-pitboss=own"}, client="10.0.0.1")
    assert not ask(guard, request).got_in, "and it too needs an Origin"


# --- how much, how often ---------------------------------------------------------------------------------------------


def test_a_body_that_says_it_is_too_large_is_not_read() -> None:
    guard = Guard(limits=Limits(body_bytes=100))
    for length in ("101", "99999999999999999999", "-1", "x"):
        asked = ask(guard, scope("POST", {"content-length": length}), b"x")
        assert not asked.got_in and asked.status == 413


def test_a_body_that_does_not_say_is_counted() -> None:
    guard = Guard(limits=Limits(body_bytes=100))
    asked = ask(guard, scope("POST"), b"x" * 60, b"x" * 60, b"x" * 60)
    assert asked.status == 413 and len(asked.body) == 60 and len(asked.sent) == 2
    assert msgspec.json.decode(asked.sent[1]["body"])["text"].endswith("100 bytes.")
    assert ask(guard, scope("POST"), b"x" * 50, b"x" * 50).status == 200


def test_a_body_that_does_not_come_to_an_end_is_not_waited_for() -> None:
    async def slow() -> list[Any]:
        sent: list[Any] = []
        parts = [{"type": "http.request", "body": b"{", "more_body": True}]

        async def receive() -> Any:
            if not parts:
                await asyncio.sleep(60)
            return parts.pop()

        async def send(message: Any) -> None:
            sent.append(message)

        async def app(inner: Any, receive: Any, send: Any) -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            await send({"type": "http.response.start", "status": 200, "headers": []})

        guard = Guard(limits=Limits(body_seconds=0.05))
        await asyncio.wait_for(Secured(app, guard)(scope("POST"), receive, send), 5)
        return sent

    sent = asyncio.run(slow())
    assert sent[0]["status"] == 408 and b"0.05 seconds" in sent[1]["body"] and len(sent) == 2


class Sent:
    """Requests with bodies that come in parts, all at the same time, at one door."""

    def __init__(self, limits: Limits, *known: str) -> None:
        self.guard = Guard(limits=limits)
        self._known = known

    def _account(self, request: Any) -> str:
        token: str = request["state"]["visitor"].token
        return token if token in self._known else ""

    async def send(self, parts: list[bytes], *, token: str = "", client: str = "203.0.113.1", length: str = "") -> int:
        """The status; nothing comes after a part that is `NEVER`."""
        sent: list[Any] = []
        coming = list(parts)

        async def receive() -> Any:
            if not coming:
                await asyncio.sleep(60)
            part = coming.pop(0)
            return {"type": "http.request", "body": part, "more_body": bool(coming) or not part}

        async def send(message: Any) -> None:
            sent.append(message)

        async def app(inner: Any, receive: Any, send: Any) -> None:
            while (got := await receive()).get("more_body"):
                pass
            await send({"type": "http.response.start", "status": 200 if got["type"] == "http.request" else 500})

        headers = {"content-length": length} if length else {"transfer-encoding": "chunked"}
        request = scope("POST", headers | ({"authorization": f"Bearer {token}"} if token else {}), client=client)
        await Secured(app, self.guard, self._account)(request, receive, send)
        return int(sent[0]["status"])


SMALL = Limits(body_bytes=1000, strangers_body_bytes=100, held_bytes=1500, held_bytes_address=2450, held_bytes_all=2500,
               body_seconds=60, short_body_seconds=0.05)  # fmt: skip
NEVER = b""
"""A part after which nothing comes."""


async def test_without_a_session_a_body_is_short() -> None:
    door = Sent(SMALL, "known")
    assert await door.send([b"x" * 200], length="200") == 413, "not read at all"
    assert await door.send([b"x" * 60, b"x" * 60]) == 413
    assert await door.send([b"x" * 60, b"x" * 40]) == 200 and await door.send([b"x" * 90], length="90") == 200
    assert await door.send([b"x" * 200], length="200", token="made-up") == 413
    for length in ("200", ""):
        assert await door.send([b"x" * 100, b"x" * 100], length=length, token="known") == 200
    assert await door.send([b"x" * 600, b"x" * 600], token="known") == 413
    assert door.guard.held.all == 0 and not door.guard.held._accounts and not door.guard.held._addresses


async def test_a_short_body_is_whole_soon() -> None:
    async with asyncio.timeout(30):
        assert await Sent(SMALL, "known").send([b"x", NEVER], length="50", token="known") == 408


async def test_all_that_is_on_its_way_is_bounded_by_whom_and_together() -> None:
    door = Sent(SMALL, "one", "two", "three")
    long = [b"x" * 900, NEVER]
    first = [asyncio.create_task(door.send(long, token=who)) for who in ("one", "two")]
    await until(lambda: door.guard.held.all == 1800)
    assert await door.send(long, token="one") == 503, "too much of his"
    assert await door.send(long, token="three") == 503, "too much of all"
    assert await door.send([b"x" * 300, b"x" * 300], token="three") == 200
    assert await door.send([b"x" * 900], length="900", token="three") == 200, "what comes whole waits for nobody"
    for one in first:
        one.cancel()
    await asyncio.gather(*first, return_exceptions=True)
    assert door.guard.held.all == 0, "whoever is gone keeps nothing"
    short = [b"x" * 90, NEVER]
    strangers = [asyncio.create_task(door.send(short, length="99", token=f"made-up-{n}")) for n in range(30)]
    statuses = await asyncio.gather(*strangers)
    assert statuses.count(503) == 3 and statuses.count(408) == 27, "made-up sessions are one address all the same"
    assert door.guard.held.all == 0 and await door.send([b"x" * 900, b"x"], token="three") == 200


def test_after_a_whole_body_a_route_may_wait_for_the_client_to_go() -> None:
    async def patient() -> list[Any]:
        sent: list[Any] = []
        parts = [{"type": "http.request", "body": b"{}", "more_body": False}]

        async def receive() -> Any:
            if parts:
                return parts.pop()
            await asyncio.sleep(0.2)
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        async def app(inner: Any, receive: Any, send: Any) -> None:
            await receive()
            await receive()
            await send({"type": "http.response.start", "status": 200, "headers": []})

        await Secured(app, Guard(limits=Limits(body_seconds=0.05)))(scope("POST"), receive, send)
        return sent

    assert asyncio.run(patient())[0]["status"] == 200


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ("203.0.113.1", "203.0.113.2", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:203.0.113.1", "203.0.113.1", True),
        ("garbage", "garbage", True),
    ],
)
def test_whoever_has_many_addresses_is_counted_once(one: str, other: str, together: bool) -> None:
    assert (neighbours(one) == neighbours(other)) == together
    guard = Guard(limits=Limits(requests_rate=0.001, requests_burst=1))
    assert ask(guard, scope(client=one)).status == 200
    assert ask(guard, scope(client=other)).status == (429 if together else 200)


def test_too_many_requests_are_turned_away_by_address() -> None:
    now = [0.0]
    guard = Guard(limits=Limits(requests_rate=1, requests_burst=3), clock=lambda: now[0])
    statuses = [ask(guard, scope(client="203.0.113.1")).status for _ in range(5)]
    assert statuses == [200, 200, 200, 429, 429]
    assert ask(guard, scope(client="203.0.113.2")).status == 200
    now[0] = 1.0
    assert ask(guard, scope(client="203.0.113.1")).status == 200
    asked = ask(guard, scope(client="203.0.113.1"))
    assert asked.status == 429 and "retry-after" in asked.headers


def test_buckets_fill_again_and_are_bounded() -> None:
    now = [0.0]
    buckets = Buckets(2, 2, lambda: now[0])
    assert [bool(buckets.allow("a")) for _ in range(3)] == [False, False, True]
    assert buckets.allow("a") == pytest.approx(0.5)
    now[0] = 0.5
    assert buckets.allow("a") == 0
    now[0] = 1000.0
    assert [bool(buckets.allow("a")) for _ in range(3)] == [False, False, True], "no more than the burst"
    buckets.KEPT = 10  # type: ignore[misc]
    for number in range(50):
        buckets.allow(str(number))
    assert len(buckets._full_at) <= 11


def test_sockets_are_counted_by_account_and_by_address() -> None:
    guard = Guard(limits=Limits(sockets=2, sockets_address=4))
    sol, elsewhere, ann = Whom.of("sol", "192.0.2.1"), Whom.of("Sol", "192.0.2.2"), Whom.of("ann", "192.0.2.1")
    with ExitStack() as stack:
        assert stack.enter_context(guard.socket(sol)) and stack.enter_context(guard.socket(elsewhere))
        assert not stack.enter_context(guard.socket(sol)), "two of one account, wherever it calls from"
        assert stack.enter_context(guard.socket(ann)) and stack.enter_context(guard.socket(ann))
        assert stack.enter_context(guard.socket(Whom.of("joe", "192.0.2.1")))
        assert not stack.enter_context(guard.socket(Whom.of("kim", "192.0.2.1"))), "four of one address, whoever calls"
        assert stack.enter_context(guard.socket(Whom.of("kim", "192.0.2.2")))
    assert guard.sockets.all == 0 and guard.turned_away["sockets"] == 2
    with guard.socket(sol) as again:
        assert again


def test_a_socket_that_fails_is_not_counted_any_more() -> None:
    guard, sol = Guard(limits=Limits(sockets=1)), Whom.of("sol", "192.0.2.1")
    with pytest.raises(RuntimeError), guard.socket(sol):
        raise RuntimeError
    with guard.socket(sol) as free:
        assert free


def test_lifespan_passes_through() -> None:
    seen = []

    async def app(inner: Any, receive: Any, send: Any) -> None:
        seen.append(inner["type"])

    async def nothing(*_: Any) -> Any:
        return {}

    asyncio.run(Secured(app, Guard())({"type": "lifespan"}, nothing, nothing))
    assert seen == ["lifespan"]
