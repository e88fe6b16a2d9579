"""Streams that every process writes (people, approvals, audit): fold to the newest, decide, append, or decide again."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from pitboss.store.log import (
    Append,
    Appended,
    Entry,
    Log,
    LogFull,
    NewEntry,
    Outcome,
    Part,
    Repeated,
    Stale,
    StoreError,
)

T = TypeVar("T")

TRIES = 50
"""Somebody else may have written first, and again; after so many times something else is wrong."""


QUIET_SECONDS = 1.0
_said_at = [-QUIET_SECONDS]


def outside(error: StoreError) -> str:
    """What clients are told. Where the log is kept concerns the operator only, who finds it in the server's own log."""
    now = time.monotonic()
    if now - _said_at[0] >= QUIET_SECONDS:  # whatever else fails in the same moment fails for the same reason
        _said_at[0] = now
        logging.getLogger("pitboss.floor").warning("the log cannot be used", extra={"error": str(error)})
    if isinstance(error, LogFull):
        return "the disk is full, so nothing was written; try again when there is room."
    return "the floor's log cannot be read or written now; nothing changed, try again later."


class Commits(Protocol):
    """What is needed of `pitboss.store.group.GroupCommit`."""

    log: Log

    async def append(self, item: Append) -> Outcome: ...

    async def run(self, function: Callable[..., Any], *args: Any) -> Any: ...


def entry_of(kind: str, body: object, *, hidden: bool = False) -> NewEntry:
    return NewEntry(kind, msgspec.json.encode(body), hidden)


class SharedStream:
    """One such stream as this process knows it. Whoever tails the log hands every entry to `fold`."""

    stream = ""
    hidden = False
    """Whether what is written to it is stored sealed."""

    def __init__(self, commits: Commits) -> None:
        self._commits = commits
        self.version = 0
        """How many entries of the stream have been folded."""
        self._writing = asyncio.Lock()

    def apply(self, entry: Entry) -> None:
        """Fold one entry that is the next of the stream."""
        raise NotImplementedError

    def fold(self, entry: Entry) -> None:
        """Fold an entry if it is the next one; what is known already, or comes too early, changes nothing."""
        if entry.stream == self.stream and entry.version == self.version + 1:
            self.apply(entry)
            self.version = entry.version

    async def catch_up(self) -> None:
        """Read and fold what was written since."""
        log = self._commits.log
        for entry in await self._commits.run(lambda: list(log.read(self.stream, self.version))):
            self.fold(entry)

    async def write(
        self,
        decide: Callable[[], tuple[Sequence[NewEntry], T]],
        *,
        at_ms: int,
        by: str = "",
        command: str = "",
        repeated: Callable[[bytes], T] | None = None,
    ) -> T:
        """Decide on what is known and write it; where somebody was quicker, fold that and decide again.

        Durable when it returns. `decide` gives the entries and the answer; without entries nothing is written. With a
        `command` the answer is kept with it, and `repeated` reads the one that it got before.
        """
        async with self._writing:
            for _ in range(TRIES):
                entries, answer = decide()
                if not entries:
                    return answer
                if self.hidden:
                    entries = [NewEntry(entry.kind, entry.body, hidden=True) for entry in entries]
                part = Part(self.stream, self.version, tuple(entries))
                said = msgspec.json.encode(answer) if command else b""
                outcome = await self._commits.append(Append((part,), at_ms, by, command, said))
                if isinstance(outcome, Appended):
                    self._fold_own(part, at_ms, by, command)
                    return answer
                if isinstance(outcome, Repeated) and repeated is not None:
                    return repeated(outcome.answer)
                if not isinstance(outcome, Stale):
                    raise StoreError(f"{self.stream}: the log answered {type(outcome).__name__}; nothing was written.")
                await self.catch_up()
        raise StoreError(f"{self.stream}: others are writing faster than this process can; try again.")

    def _fold_own(self, part: Part, at_ms: int, by: str, command: str) -> None:
        """Whoever follows the log may have folded them already, while we waited for the answer."""
        for version, new in enumerate(part.entries, part.expected + 1):
            self.fold(Entry(0, self.stream, version, at_ms, by, command, new.kind, new.body, b""))
