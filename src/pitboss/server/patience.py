"""How long, and for how much, the server waits for the head of a request: uvicorn would wait for ever, and for any."""

from __future__ import annotations

import asyncio
import resource
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_SECONDS = 10.0
"""From the first byte of a connection, or of its next request, until its head is whole."""
HEAD_BYTES = 64 << 10
OPEN_FILES = 1 << 16
"""Sockets that the process may have open at once, where the machine lets it."""


class Patient(HttpToolsProtocol):
    """HTTP as uvicorn speaks it; whoever says nothing, or never comes to the end of a head, is cut off."""

    def connection_made(self, transport: Any) -> None:
        self._patience: asyncio.TimerHandle | None = None
        self._head_bytes = 0
        super().connection_made(transport)
        self._wait_for_a_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self._wants_a_head():
            self._stop_waiting()
            return
        self._head_bytes += len(data)
        if self._head_bytes > HEAD_BYTES:
            self.transport.abort()
        self._wait_for_a_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wants_a_head(self) -> bool:
        """Whether no request is being answered, and the connection is still HTTP."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return False
        return self.cycle is None or self.cycle.response_complete

    def _wait_for_a_head(self) -> None:
        if self._patience is None:
            self._patience = self.loop.call_later(HEAD_SECONDS, self._lose_patience)

    def _stop_waiting(self) -> None:
        self._head_bytes = 0
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _lose_patience(self) -> None:
        self._patience = None
        if self._wants_a_head():
            self.transport.abort()


def open_many_files() -> None:
    """A floor of a thousand clients needs more sockets than a process is given by itself."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
