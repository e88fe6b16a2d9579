"""Answers that depend on nothing but what was asked: rulebooks, acts, the matrix. Found once, and
kept encoded and compressed.

They are long, and anybody may ask for them: finding and compressing one costs as much as ten acts.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs

from pitboss.server.files import NOWHERE, File, file_of, send_file
from pitboss.server.first_page import without_conditions
from pitboss.server.security import Receive, Scope, Send

PATHS = ("/api/rulebooks", "/api/acts", "/api/matrix")
BUT = ("/scenarios",)
"""Below these, and for those alone who may train."""
ASKED_WITH = ("rulebook", "edition")
"""All that such an answer may be asked with; anything else changes nothing."""
KEPT_BYTES = 8 << 20


class Unchanging:
    """In front of the routes."""

    def __init__(self, routes: Callable[..., Awaitable[None]]) -> None:
        self._routes = routes
        self._kept: OrderedDict[tuple[str, ...], File] = OrderedDict()
        self._bytes = 0

    @staticmethod
    def has(scope: Scope) -> bool:
        path = scope["path"]
        return scope["method"] == "GET" and path.startswith(PATHS) and not path.endswith(BUT)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = parse_qs(scope["query_string"].decode("latin-1")) if scope["query_string"] else {}
        key = (scope["path"], *(each for name in ASKED_WITH for each in (name, *asked.get(name, ()))))
        file = self._kept.get(key)
        if file is None:
            said: list[Any] = []

            async def hear(message: Any) -> None:
                said.append(message)

            await self._routes({**scope, "headers": without_conditions(scope)}, receive, hear)
            if said[0]["status"] != 200:
                for message in said:
                    await send(message)
                return
            file = file_of(b"".join(message.get("body", b"") for message in said[1:]), ".json")
            self._keep(key, file)
        else:
            self._kept.move_to_end(key)
        await send_file(scope, send, file, NOWHERE)

    def _keep(self, key: tuple[str, ...], file: File) -> None:
        if key not in self._kept:
            self._kept[key] = file
            self._bytes += _size(file)
        while self._bytes > KEPT_BYTES:
            self._bytes -= _size(self._kept.popitem(last=False)[1])


def _size(file: File) -> int:
    return len(file.body) + len(file.packed or b"") + 500
