"""How long, and for how much, the server waits for the head of a request: uvicorn would wait for ever, and for any.

Nor does it keep more requests of one connection, or connections of one address, than anybody needs, nor answers that
nobody reads.
"""

from __future__ import annotations

import asyncio
import resource
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from pitboss.server.budgets import Whom

if TYPE_CHECKING:
    from pitboss.server.security import Guard

HEAD_SECONDS = 10.0
"""From the first byte of a connection, or of its next request, until its head is whole."""
HEAD_BYTES = 64 << 10
PIPELINED_MOST = 16
"""Requests of one connection that may wait for the answer before theirs; no browser sends even one."""
CLOSE_SECONDS = 2.0
"""How long such a one is given to read what they were answered."""
UNREAD_SECONDS = 30.0
"""So long nothing of an answer need be read; then nobody waits for it any more."""
OPEN_FILES = 1 << 16
"""Sockets that the process may have open at once, where the machine lets it."""


class Patient(HttpToolsProtocol):
    """HTTP as uvicorn speaks it; whoever says nothing, never comes to the end of a head, or waits for no answer, is
    cut off."""

    def connection_made(self, transport: Any) -> None:
        self._patience: asyncio.TimerHandle | None = None
        self._head_bytes = 0
        self._asks_too_much = False
        self._counted_by: Guard | None = None
        self._unread = 0
        """Bytes of answers that wait to be read, as they are counted, and for whom."""
        self._unread_by = Whom("", "")
        self._reading: asyncio.TimerHandle | None = None
        super().connection_made(transport)
        guard: Guard | None = getattr(self.config.app, "guard", None)
        if guard is not None and self.client is not None:
            if not guard.connected(self.client[0]):
                transport.abort()
                return
            self._counted_by = guard
        self._wait_for_a_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._asks_too_much and not self.transport.is_closing():
            self.transport.close()
            self.loop.call_later(CLOSE_SECONDS, self.transport.abort)  # where they do not read what is left either
        if not self._wants_a_head():
            self._stop_waiting()
            return
        self._head_bytes += len(data)
        if self._head_bytes > HEAD_BYTES:
            self.transport.abort()
        self._wait_for_a_head()

    def on_headers_complete(self) -> None:
        if self._asks_too_much or len(self.pipeline) >= PIPELINED_MOST:
            self._asks_too_much = True
        else:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        if not self._asks_too_much:
            super().on_body(body)

    def handle_websocket_upgrade(self) -> None:
        self._count_no_more()  # from here on it belongs to an account, and its sockets are counted
        super().handle_websocket_upgrade()
        self._stop_waiting()
        self.parser = None  # type: ignore[assignment]  # it knows us, and we it: nobody would let go of either

    def connection_lost(self, exc: Exception | None) -> None:
        self._count_no_more()
        self._stop_waiting()
        self._read_it()
        super().connection_lost(exc)
        waited = [cycle for cycle, _ in self.pipeline]
        self.pipeline.clear()
        for cycle in (*waited, self.cycle):
            if cycle is not None:
                cycle.on_response = _nothing  # it would keep us, and we it, until somebody looks for such circles

    def pause_writing(self) -> None:
        """An answer waits to be read: so much of it, and for so long."""
        super().pause_writing()
        guard: Guard | None = getattr(self.config.app, "guard", None)
        if guard is None or self._unread:
            return
        whom = self.cycle.scope.get("state", {}).get("whom") if self.cycle is not None else None
        whom = whom or Whom.of("", self.client[0] if self.client else "")
        size = self.transport.get_write_buffer_size()
        if not guard.keep(whom, size):
            self.transport.abort()
            return
        self._unread, self._unread_by = size, whom
        self._reading = self.loop.call_later(UNREAD_SECONDS, self._look_whether_he_reads, size)

    def resume_writing(self) -> None:
        self._read_it()
        super().resume_writing()

    def _look_whether_he_reads(self, before: int) -> None:
        size = self.transport.get_write_buffer_size()
        if size >= before:
            self.transport.abort()
        else:
            self._reading = self.loop.call_later(UNREAD_SECONDS, self._look_whether_he_reads, size)

    def _read_it(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None
        if self._unread:
            self.config.app.guard.held.remove(self._unread_by, self._unread)  # type: ignore[union-attr]
            self._unread = 0

    def _count_no_more(self) -> None:
        if self._counted_by is not None and self.client is not None:
            self._counted_by.disconnected(self.client[0])
            self._counted_by = None

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


def _nothing() -> None:
    """Nobody waits for the end of this answer."""


def open_many_files() -> None:
    """A floor of a thousand clients needs more sockets than a process is given by itself."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
