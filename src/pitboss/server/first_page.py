"""The page with what it would ask for first already in it: who calls, and the tables.

A browser far away so waits once, and not once for the page and once more for each of these. They are the answers of the
routes themselves, to this caller; where one has none to give the page asks for it as always.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from pitboss.server.packing import packed
from pitboss.server.security import Receive, Scope, Send

KNOWN_BYTES = 60_000
"""A longer answer is asked for by itself, while the page is drawn already."""
NOT_PASSED_ON = (b"accept-encoding", b"if-none-match", b"if-modified-since", b"range")
END = b"</body>"


async def answer_within(routes: Callable[..., Awaitable[None]], scope: Scope, receive: Receive, path: str) -> bytes:
    """What a route says to this caller; nothing unless it is a good answer, and a short one."""
    asked = {
        **scope,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": without_conditions(scope),
    }
    status, parts = 0, []

    async def hear(message: Any) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
        elif message["type"] == "http.response.body":
            parts.append(message.get("body", b""))

    await routes(asked, receive, hear)
    body = b"".join(parts)
    return body if status == 200 and len(body) <= KNOWN_BYTES else b""


def without_conditions(scope: Scope) -> list[tuple[bytes, bytes]]:
    """What was sent with a request, for an answer that is whole and in the open."""
    return [each for each in scope["headers"] if each[0].lower() not in NOT_PASSED_ON]


def with_answers(page: bytes, answers: dict[str, bytes]) -> bytes:
    """The page with answers in JSON, which no browser takes for anything else."""
    said = b",".join(b'"%s":%s' % (path.encode(), body) for path, body in answers.items() if body)
    # Only strings have these characters in JSON.
    plain = said.replace(b"<", b"\\u003c").replace(b">", b"\\u003e").replace(b"&", b"\\u0026")
    return page.replace(END, b'<script type="application/json" id="known">{%s}</script>%s' % (plain, END), 1)


async def send_page(send: Send, scope: Scope, body: bytes) -> None:
    """For this caller alone, so nobody keeps it."""
    headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"cache-control", b"no-store"),
        (b"vary", b"cookie, accept-encoding"),
    ]
    if b"gzip" in dict(scope["headers"]).get(b"accept-encoding", b""):
        body = await packed(body)
        headers.append((b"content-encoding", b"gzip"))
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})
