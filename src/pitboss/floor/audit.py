"""What is kept besides the play: who was denied what, who logged in or failed to, who changed an account.

What somebody is denied, or a wrong password, is written before it is told, for so many times; what comes more often is
counted, and once a minute one entry says how often it came, what it was, and from when to when: nobody fills the log by
being refused.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, OrderedDict

import msgspec

from pitboss.floor.model import Caller, Denied
from pitboss.floor.shared_stream import Commits, SharedStream, entry_of
from pitboss.store.log import Entry, NewEntry, StoreError

SUMMARY_SECONDS = 60
"""How often what was counted is written down."""
AT_ONCE = 20
"""So many denials of one account or address are written one by one, and one more for each such time that goes by."""
SUBJECTS_MAX = 50
"""So many of them a summary tells apart."""
COUNTED_MAX = 10_000
"""So many people, or addresses, are counted; then the one that came first is written down and forgotten."""
OTHERS = "others"
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
    times: int = 1
    """How often, where one entry stands for several."""
    first_ms: int = 0
    last_ms: int = 0
    """From when to when, then."""
    subjects: dict[str, int] = {}
    """And what it was, with its tables, each so often."""


class Counted:
    """What somebody was denied again and again since that was last written down."""

    def __init__(self, at_ms: int) -> None:
        self._left, self._left_ms = float(AT_ONCE), at_ms
        """How many more are written one by one, as it was then."""
        self.last: Note | None = None
        self.first_ms = self.last_ms = 0
        self.subjects: Counter[str] = Counter()

    def left(self, at_ms: int) -> float:
        """How many more are written one by one."""
        return min(AT_ONCE, self._left + max(0, at_ms - self._left_ms) / (1000 * SUMMARY_SECONDS))

    def is_written(self, at_ms: int) -> bool:
        """Whether this one is; then it is used up."""
        left = self.left(at_ms)
        if left < 1:
            return False
        self._left, self._left_ms = left - 1, at_ms
        return True

    def again(self, note: Note, at_ms: int) -> None:
        if self.last is None:
            self.first_ms = at_ms
        self.last, self.last_ms = note, at_ms
        subject = note.what[:TEXT_MAX]
        if note.address and note.who:
            subject += f" as {note.who}"
        if note.table:
            subject += f" at {note.table[:TABLE_MAX]}"
        self.subjects[subject if subject in self.subjects or len(self.subjects) < SUBJECTS_MAX else OTHERS] += 1

    def summary(self) -> Note | None:
        """One note for all of them, None where there are none; counting begins anew."""
        if self.last is None:
            return None
        several = len(self.subjects) > 1
        note = msgspec.structs.replace(
            self.last,
            who="" if several and self.last.address else self.last.who,
            what="several things" if several else self.last.what,
            table="" if several else self.last.table,
            clauses=() if several else self.last.clauses,
            times=self.subjects.total(),
            first_ms=self.first_ms,
            last_ms=self.last_ms,
            subjects=dict(self.subjects.most_common()),
        )
        self.last, self.subjects = None, Counter()
        return note

    def put_back(self, summary: Note) -> None:
        """It could not be written: it is still to be."""
        self.first_ms, self.subjects = summary.first_ms, self.subjects + Counter(summary.subjects)
        if self.last is None:
            self.last, self.last_ms = summary, summary.last_ms


class Audit(SharedStream):
    """The stream `audit`: everything that waits is written in one go."""

    stream = "audit"

    def __init__(self, commits: Commits) -> None:
        super().__init__(commits)
        self._pending: list[tuple[NewEntry, int, asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None
        self._counted: OrderedDict[tuple[str, str], Counted] = OrderedDict()
        """By what it is, and by the account, or by the address where there is none."""
        self.denials = self.repeated = 0
        """How often somebody was denied something or gave a wrong password, and how often that was counted only."""

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
        await self.denial(note, at_ms)

    async def denial(self, note: Note, at_ms: int, kind: str = "denied") -> None:
        """What may come without end: written durably for a while, and counted from then on."""
        self.denials += 1
        key = (kind, note.address or note.who.lower())
        counted = self._counted.get(key)
        if counted is None:
            counted = self._counted[key] = Counted(at_ms)
            if len(self._counted) > COUNTED_MAX:
                (kind_then, _), first = self._counted.popitem(last=False)
                if (summary := first.summary()) is not None:
                    await self.note(kind_then, summary, at_ms)
        if counted.is_written(at_ms):
            await self.note(kind, note, at_ms)
        else:
            self.repeated += 1
            counted.again(note, at_ms)

    async def summarise(self, at_ms: int) -> None:
        """Write down what was counted, one entry for each person; who was quiet for long is forgotten."""
        for key, counted in list(self._counted.items()):
            if (summary := counted.summary()) is not None:
                try:
                    await self.note(key[0], summary, at_ms)
                except StoreError:
                    counted.put_back(summary)
                    raise
            elif counted.left(at_ms) >= AT_ONCE and self._counted.get(key) is counted:
                del self._counted[key]

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
