"""All that a log keeps of one person, for that person."""

from __future__ import annotations

from typing import Any

import msgspec

from pitboss.floor.host import decode_act, stream_of
from pitboss.floor.patron_book import decode_body
from pitboss.floor.patron_book import stream_of as file_of
from pitboss.floor.registers import FileLines, HouseRegisters
from pitboss.registers.asking import Wanted, kept, lines
from pitboss.registers.model import Line
from pitboss.store.log import Log
from pitboss.table.events import Event

PAGE = 1_000
NAMING = ("player", "person", "concerns")


class Happened(msgspec.Struct, frozen=True):
    """Something of one person, where and when."""

    at_ms: int
    by: str
    what: str
    events: list[Any]
    table: str = ""


class KeptOf(msgspec.Struct, frozen=True):
    """What is kept of one person, oldest first."""

    person: str
    file: list[Happened]
    registers: list[Line]
    tables: list[Happened]


def kept_of(log: Log, person: str) -> KeptOf:
    """Read all of it, once through the log. Blocking."""
    files = [
        Happened(entry.at_ms, entry.by, type(body.act).__name__ if body.act is not None else "learned", [*body.events])
        for entry in log.read(file_of(person))
        for body in (decode_body(entry.body),)
    ]
    fold, tables, place = HouseRegisters(), [], 0
    named = msgspec.json.encode(person).lower()
    while True:
        page = list(log.read_all(place, PAGE))
        for entry in page:
            fold.apply(entry)
            if entry.kind != "act" or named not in entry.body.lower():
                continue
            said = decode_act(entry.body)
            events = [event for event in said.events if _names(event, person)]
            if events:
                table = entry.stream.removeprefix(stream_of(""))
                tables.append(Happened(entry.at_ms, entry.by, type(said.act).__name__, [*events], table))
        if len(page) < PAGE:
            break
        place = page[-1].seq
    book = kept(fold.registers, *FileLines(log).now())
    return KeptOf(person, files, lines(book, Wanted(person=person), 0)[::-1], tables)


def _names(event: Event, person: str) -> bool:
    """Whether an event is about the person: one that names several tells of the others too, and is left out."""
    return any(str(getattr(event, field, "")).lower() == person.lower() for field in NAMING)
