"""What is kept besides the play: who was denied what, who logged in or failed to, who changed an account."""

from __future__ import annotations

import asyncio
import logging

import msgspec

from pitboss.floor.model import Caller, Denied
from pitboss.floor.shared_stream import Commits, SharedStream, entry_of
from pitboss.store.log import Entry, NewEntry

TEXT_MAX = 300
TABLE_MAX = 64

log = logging.getLogger("pitboss.audit")


class Note(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the audit; when and by whom stand in the entry itself too."""

    who: str
    role: str = ""
    session: str = ""
    what: str = ""
    """The act or operation that was asked for."""
    table: str = ""
    text: str = ""
    clauses: tuple[str, ...] = ()
    address: str = ""


class Audit(SharedStream):
    """The stream `audit`: everything that waits is written in one go."""

    stream = "audit"

    def __init__(self, commits: Commits) -> None:
        super().__init__(commits)
        self._pending: list[tuple[NewEntry, int, asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None

    def apply(self, entry: Entry) -> None:
        """Nothing is decided by what the audit says."""

    async def catch_up(self) -> None:
        self.version = await self._commits.run(self._commits.log.version, self.stream)

    async def note(self, kind: str, note: Note, at_ms: int) -> None:
        """Durably written when this returns."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        texts = {"text": note.text[:TEXT_MAX], "what": note.what[:TEXT_MAX], "table": note.table[:TABLE_MAX]}
        shortened = msgspec.structs.replace(note, **texts)
        self._pending.append((entry_of(kind, shortened), at_ms, done))
        level = logging.WARNING if kind == "login-failed" else logging.INFO
        if log.isEnabledFor(level):
            said = msgspec.to_builtins(shortened)
            log.log(level, kind, extra=said | {"why": said.pop("text", "")})
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._drain())
        await done

    async def denied(self, caller: Caller | None, what: str, why: Denied, at_ms: int, *, table: str = "") -> None:
        """Somebody was denied something: who, what, when and why."""
        who = caller or Caller("", "anonymous")
        note = Note(who.name, who.role, who.session, what, table, why.text, why.clauses)
        await self.note("denied", note, at_ms)

    async def _drain(self) -> None:
        while self._pending:
            batch, self._pending = self._pending, []
            try:
                await self._write_all([entry for entry, _, _ in batch], batch[-1][1])
            except Exception as error:  # noqa: BLE001 - whoever waits is told, whatever it is
                for _, _, done in batch:
                    if not done.done():
                        done.set_exception(error)
                continue
            for _, _, done in batch:
                if not done.done():
                    done.set_result(None)

    async def _write_all(self, entries: list[NewEntry], at_ms: int) -> None:
        await self.write(lambda: (entries, None), at_ms=at_ms)
