"""Handover notes: what whoever runs a shift leaves for the next. Notes are added, and never changed or taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from pitboss.floor.model import Accepted, Answer, Caller, Denied, Unknown
from pitboss.floor.patrons_at_tables import patrons_of
from pitboss.floor.permissions import may
from pitboss.floor.shared_stream import SharedStream, entry_of
from pitboss.patrons.gaming_day import calendar_of
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.store.log import Entry, NewEntry

if TYPE_CHECKING:
    from pitboss.floor.floor import Floor

STREAM = "handovers"
LEFT = "handover"
TEXT_MAX = 4_000


class HandoverBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an entry of the stream holds: the words, and the gaming day and clocks of the house at that moment."""

    text: str
    role: str
    date: str
    zone: str
    begins_hour: int
    table: str = ""
    """What it is about; "" for the whole floor."""


decode_handover = msgspec.json.Decoder(HandoverBody).decode


class Handovers(SharedStream):
    """The notes of this floor; reports read them from the takings."""

    stream = STREAM

    def __init__(self, floor: Floor) -> None:
        super().__init__(floor.commits)
        self._floor = floor

    def apply(self, entry: Entry) -> None:
        """Only how many there are matters here: a note is written behind the last one."""

    async def leave(self, caller: Caller, text: str, table: str, command: str) -> Answer:
        """Leave a note in the caller's own name; the same command again gets the first answer."""
        denied = may(caller, "leave-handover")
        if denied is not None:
            return denied
        words = text.strip()
        if not words or len(words) > TEXT_MAX:
            return Denied(f"write a note of 1 to {TEXT_MAX} letters.")
        if table and table not in self._floor.openings:
            return Unknown(f"there is no table {table[:60]!r}.")
        book = load(self._floor.openings[table].rulebook if table else RULEBOOKS[0])
        patrons = patrons_of(self._floor).book
        await patrons.load_day()
        now, calendar = patrons.now(book), patrons.calendar or calendar_of(book)
        body = HandoverBody(words, caller.role, str(now.date), calendar.zone, calendar.begins_hour, table)

        def decide() -> tuple[list[NewEntry], Answer]:
            return [entry_of(LEFT, body)], Accepted(table, self.version + 1)

        def repeated(answer: bytes) -> Answer:
            try:
                return msgspec.json.decode(answer, type=Accepted)
            except msgspec.DecodeError:
                return Unknown("that id was used for something else: send the note with another one.")

        return await self.write(decide, at_ms=now.at_ms, by=caller.name, command=command, repeated=repeated)
