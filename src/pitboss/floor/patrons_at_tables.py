"""The patrons' book at the tables: it is asked before people play, and their limits hold at all tables together.

A person's file is a stream (`floor/patron_book.py`). What an act at a table changes in it is written in the append of
the act: stakes against a loss limit, chips bought against a deposit limit, what staff decide about a person there. An
act that depends on a file is written only where the file is still as it was when the act was decided, whichever process
wrote to it, so that two tables cannot both spend the last dollar. A refusal is given only once the file has been read
to its end. Whoever has no limit costs no entry.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec

from pitboss.floor.attachments import Attachment, Decided, Spanning, Wait
from pitboss.floor.bots import is_bot
from pitboss.floor.model import Opening
from pitboss.floor.patron_book import STREAM, PatronBook, learned_entry, stream_of
from pitboss.patrons.events import PatronEvent
from pitboss.patrons.stakes import learned, people_in
from pitboss.patrons.state import PatronFile
from pitboss.store.log import Entry, Part
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.engine import refusal
from pitboss.table.house import ANYONE
from pitboss.table.patrons_book import is_news
from pitboss.table.state import Table

if TYPE_CHECKING:
    from pitboss.floor.floor import Floor

BY_THE_BOOK = frozenset({a.TakeSeat, a.BuyChips, a.PlaceWager, a.Double, a.Split, a.Insure})
"""Acts of a person that depend on what the book says of them."""
OF_STAFF = frozenset(
    {
        e.LimitsSet, e.PlayerRestricted, e.RestrictionLifted, e.MaximumGranted, e.PlayerBarred, e.PlayerPaused,
        e.PlayerReadmitted,
    }
)  # fmt: skip
"""Events that anybody's file may learn from."""


class Patrons(Spanning):
    """The patrons of the floor: the book, and whose files this process is writing to."""

    def __init__(self, floor: Floor) -> None:
        super().__init__(floor)
        self.book = PatronBook(floor.commits, floor.clock)
        self._flying: Counter[str] = Counter()
        """How many appends with entries for each file are on their way."""
        self._unread: set[str] = set()
        """Files of which something is written that has not been read."""
        self._waiting: dict[str, asyncio.Future[None]] = {}

    async def follow(self) -> list[Attachment]:
        """Files are read when they are wanted: guards find out what others wrote."""
        await self.book.load_day()
        return []

    async def attached_to(self, table: str, opening: Opening, now: Table) -> Attachment | None:
        wagering = {name for box in now.boxes.values() for name in box.wagers}
        there = {name for name, state in now.players.items() if state.present} | wagering
        await asyncio.gather(*(self.load(name) for name in there if not is_bot(name)))
        return AtTable(self, table)

    async def load(self, name: str) -> None:
        """Read a file to its end."""
        self._unread.discard(name.lower())
        await self.book.load(name)

    def ready(self, names: Iterable[str]) -> None:
        """Raise `Wait` unless these files are known as they stand, and nothing of ours is on its way to them."""
        missing = [name for name in names if name.lower() in self._unread or not self.book.knows(name)]
        if missing:
            raise Wait(asyncio.gather(*(self.load(name) for name in missing)))
        for name in names:
            key = name.lower()
            if self._flying[key]:
                raise Wait(asyncio.shield(self._waiting.setdefault(key, asyncio.get_running_loop().create_future())))

    def send(self, name: str, entry: tuple[PatronEvent, ...], decided: Decided) -> Part:
        """The part that writes to a file what it learns, or, without, that only looks at it."""
        version = self.book.version(name)
        if not entry:
            return Part(stream_of(name), version, ())
        self._flying[name.lower()] += 1
        new = learned_entry(decided.after.rulebook, entry, decided.table)
        return Part(stream_of(name), version, (new,))

    def landed(self, part: Part) -> None:
        for version, new in enumerate(part.entries, part.expected + 1):
            self.book.fold(Entry(0, part.stream, version, 0, "", "", new.kind, new.body, b""))
        self._ended(part)

    def lost(self, part: Part) -> None:
        self._unread.add(part.stream.removeprefix(STREAM))
        self._ended(part)

    def _ended(self, part: Part) -> None:
        key = part.stream.removeprefix(STREAM)
        if self.book.version(key) < part.expected + len(part.entries):
            self._unread.add(key)
        if part.entries:
            self._flying[key] -= 1
        if not self._flying[key]:
            del self._flying[key]
            waiting = self._waiting.pop(key, None)
            if waiting is not None and not waiting.done():
                waiting.set_result(None)


class AtTable(Attachment):
    """The patrons' book at one table."""

    def __init__(self, patrons: Patrons, table: str) -> None:
        self._patrons = patrons
        self._table = table
        self._found: list[tuple[str, tuple[PatronEvent, ...]]] = []
        """What files learn from the act that is about to be written."""

    def tells_first(self, table: Table, act: a.AnyAct) -> Iterator[a.AnyAct]:
        """The date, and what the book says of whoever acts, where the table does not know it."""
        book = self._patrons.book
        if type(act) in (a.PlaceWager, a.Deal):
            date = book.date
            if date is not None and table.house.date is not None and date > table.house.date:
                turn = a.TurnDate(date)
                if refusal(table, turn) is None:
                    yield turn
        if type(act) not in BY_THE_BOOK:
            return
        name: str = act.player  # type: ignore[union-attr]
        if is_bot(name):
            if table.house.patrons == ANYONE:
                return
            told = a.TellPatron(name)  # the house's own need no file
        else:
            self._patrons.ready((name,))
            if not book.version(name):
                return  # nobody knows them: then the table says whether they may play
            told = book.told(name, self._table, table.rulebook)
            if table.house.patrons == ANYONE and book.file(name).card is None:
                told = msgspec.structs.replace(told, card=True)
        if is_news(table, told) and refusal(table, told) is None:
            yield told

    def doubts(self, table: Table, act: a.AnyAct) -> Awaitable[object] | None:
        """A limit may have been raised, or something settled, in another process a moment ago."""
        if type(act) not in BY_THE_BOOK or is_bot(act.player):  # type: ignore[union-attr]
            return None
        return self._patrons.load(act.player)  # type: ignore[union-attr]

    def check(self, decided: Decided) -> None:
        book, events = self._patrons.book, decided.events
        names = {name for name in people_in(events) if not is_bot(name)}
        of_staff = any(type(event) in OF_STAFF for event in events)
        if of_staff:
            names |= {name for name, state in decided.after.players.items() if state.present and not is_bot(name)}
        if not names:
            self._found = []
            return
        rulebook = decided.after.rulebook
        now = book.now(rulebook)
        found: list[tuple[str, tuple[PatronEvent, ...]]] = []
        for name in sorted(names):
            file = book.file(name)
            if book.knows(name) and not of_staff and _is_plain(file):
                continue
            self._patrons.ready((name,))
            learns = learned(book.file(name), decided.before, decided.after, events, self._table, decided.version, now)
            if learns:
                found.append((name, learns))
        self._found = found

    def parts(self, decided: Decided) -> tuple[Part, ...]:
        found = self._found
        act = decided.act
        if type(act) in BY_THE_BOOK:
            name: str = act.player  # type: ignore[union-attr]
            if not is_bot(name) and not any(each == name for each, _ in found):
                found = [*found, (name, ())]
        return tuple([self._patrons.send(name, learns, decided) for name, learns in found])

    def landed(self, parts: tuple[Part, ...]) -> None:
        for part in parts:
            self._patrons.landed(part)

    def lost(self, parts: tuple[Part, ...]) -> None:
        for part in parts:
            self._patrons.lost(part)


def _is_plain(file: PatronFile) -> bool:
    """Whether nothing in a file changes by what is played."""
    return file.loss_limit is None and file.deposit_limit_cents is None and not file.maxima and not file.old_minima


def patrons_of(floor: Floor) -> Patrons:
    """The patrons of a floor."""
    return next(kind for kind in floor.spanning if isinstance(kind, Patrons))
