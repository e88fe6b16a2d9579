"""Answers that are sent compressed. What is long is so in a thread, and the loop goes on."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from typing import Any

from pitboss.floor.gate import HURRY
from pitboss.server.security import Scope, Send

PACKED_FROM = 1_200
"""Bytes of an answer that is sent compressed: what is shorter fits into a packet anyhow."""
ASIDE_FROM = 8_000
"""Bytes that are compressed in a thread; the interpreter is free for others while that is done."""
LEVEL = 5
AS_GZIP = 16 + zlib.MAX_WBITS


def takes_gzip(scope: Scope) -> bool:
    return any(name == b"accept-encoding" and b"gzip" in value for name, value in scope["headers"])


class Packed:
    """What is sent of one answer: whole ones at once, and those that come in parts part by part."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Any = None
        self._parts: Any = None

    async def __call__(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self._start = message
            return
        if message["type"] != "http.response.body":
            await self._send(message)
            return
        body, more = message.get("body", b""), message.get("more_body", False)
        if self._start is not None:
            body = await self._first(body, more)
        elif self._parts is not None:
            body = await _aside(body, self._parts.compress)
        if self._parts is not None and not more:
            body += self._parts.flush()
        await self._send({**message, "body": body})

    async def _first(self, body: bytes, more: bool) -> bytes:
        start, self._start = self._start, None
        headers = [*start["headers"]]
        is_packed = any(name.lower() == b"content-encoding" for name, _ in headers)
        if not is_packed and (more or len(body) >= PACKED_FROM):
            if more:
                self._parts = zlib.compressobj(LEVEL, zlib.DEFLATED, AS_GZIP)
                body = await _aside(body, self._parts.compress)
            else:
                body = await packed(body)
            headers = [each for each in headers if each[0].lower() != b"content-length"]
            headers += [(b"content-encoding", b"gzip"), (b"vary", b"accept-encoding")]
            headers += [] if more else [(b"content-length", str(len(body)).encode())]
        await self._send({**start, "headers": headers})
        return body


async def packed(body: bytes) -> bytes:
    """All of an answer."""
    return await _aside(body, _whole)


def _whole(body: bytes) -> bytes:
    return gzip.compress(body, LEVEL, mtime=0)


async def _aside(body: bytes, pack: Any) -> bytes:
    found: bytes
    if len(body) < ASIDE_FROM:
        found = pack(body)
        return found
    HURRY.enter()
    try:
        found = await asyncio.to_thread(pack, body)
    finally:
        HURRY.leave()
    return found
