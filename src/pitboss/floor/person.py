"""All that a log keeps of one person, for that person."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from pitboss.floor.hidden import HIDDEN_HAND
from pitboss.floor.host import decode_act, stream_of
from pitboss.floor.pacing import Curtain
from pitboss.floor.patron_book import FILE, decode_body
from pitboss.floor.patron_book import stream_of as file_of
from pitboss.floor.promotion_book import CLAIMANT, PROMOTION, decode_claimant, decode_promotion
from pitboss.floor.promotion_book import STREAM as PROMOTIONS
from pitboss.floor.registers import FileLines, HouseRegisters
from pitboss.floor.tournament_book import decode_learned
from pitboss.floor.tournament_book import stream_of as tournament_stream
from pitboss.floor.updates import seen_without_table
from pitboss.registers.asking import Wanted, kept, lines
from pitboss.registers.model import Line
from pitboss.store.log import Log
from pitboss.table import events as e
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
    promotions: list[Happened] = []
    """What they have entered, won and claimed; `table` has the name of the promotion."""
    tournaments: list[Happened] = []
    """What they have entered, paid and won; `table` has the name of the tournament."""


def kept_of(log: Log, person: str) -> KeptOf:
    """Read all of it, once through the log. Blocking.

    Whoever asks learns nothing of cards before they are dealt, nor of a hand that lies face down.
    """
    files = [
        Happened(entry.at_ms, entry.by, type(body.act).__name__ if body.act is not None else "learned", [*body.events])
        for entry in log.read(file_of(person))
        if entry.kind == FILE
        for body in (decode_body(entry.body),)
    ]
    fold, tables, place = HouseRegisters(), [], 0
    named = msgspec.json.encode(person).lower()
    curtain, face_down = Curtain(log), set[str]()
    while True:
        page = list(log.read_all(place, PAGE))
        for entry in page:
            fold.apply(entry)
            if not entry.stream.startswith(stream_of("")):
                continue
            if HIDDEN_HAND in entry.body:
                face_down.add(entry.stream)
            if entry.kind != "act" or named not in entry.body.lower() or curtain.hides(entry):
                continue
            said = decode_act(entry.body)
            events: list[Event] = [event for event in said.events if _names(event, person)]
            if entry.stream in face_down:
                events = [shown for event in events if (shown := _without_cards(event)) is not None]
            if events:
                table = entry.stream.removeprefix(stream_of(""))
                tables.append(Happened(entry.at_ms, entry.by, type(said.act).__name__, [*events], table))
        if len(page) < PAGE:
            break
        place = page[-1].seq
    book = kept(fold.registers, *FileLines(log).now())
    found = list(_in_promotions(log, person))
    return KeptOf(
        person, files, lines(book, Wanted(person=person), 0)[::-1], tables, found, list(_in_tournaments(log, person))
    )


def _in_promotions(log: Log, person: str) -> Iterator[Happened]:
    for stream in sorted(log.streams(PROMOTIONS)):
        name = stream.removeprefix(PROMOTIONS)
        for entry in log.read(stream):
            if entry.kind == CLAIMANT:
                who = decode_claimant(entry.body)
                if who.name.lower() == person.lower():
                    yield Happened(entry.at_ms, entry.by, "claimant", [who], name)
            elif entry.kind == PROMOTION:
                said = decode_promotion(entry.body)
                events = [each for each in said.events if str(getattr(each, "name", "")).lower() == person.lower()]
                if events:
                    yield Happened(entry.at_ms, entry.by, type(said.act).__name__, [*events], name)


def _in_tournaments(log: Log, person: str) -> Iterator[Happened]:
    for stream in sorted(log.streams(tournament_stream(""))):
        name = stream.removeprefix(tournament_stream(""))
        for entry in log.read(stream):
            if entry.kind == "act":
                said = decode_learned(entry.body)
                events = [each for each in said.events if str(getattr(each, "name", "")).lower() == person.lower()]
                if events:
                    yield Happened(entry.at_ms, entry.by, type(said.act).__name__, [*events], name)


def _names(event: Event, person: str) -> bool:
    """Whether an event is about the person: one that names several tells of the others too, and is left out."""
    return any(str(getattr(event, field, "")).lower() == person.lower() for field in NAMING)


def _without_cards(event: Event) -> Event | None:
    """An event at a table at which hands lay face down: the records of its rounds say what was turned up."""
    return msgspec.structs.replace(event, total=0) if isinstance(event, e.TurnCame) else seen_without_table(event)


PRIVATE = ("why", "reason", "told")
"""What staff wrote down is for staff; the person is shown what is so, and by which clause."""


def for_the_person(found: KeptOf) -> KeptOf:
    """What is kept of somebody as they themselves are given it."""

    def shown(event: Any) -> Any:
        fields = [name for name in PRIVATE if isinstance(getattr(event, name, None), str)]
        return msgspec.structs.replace(event, **dict.fromkeys(fields, "")) if fields else event

    file = [msgspec.structs.replace(each, events=[shown(event) for event in each.events]) for each in found.file]
    of_staff = ("restrictions", "player-cards")
    kept = [
        msgspec.structs.replace(line, text=line.kind) if line.register in of_staff else line for line in found.registers
    ]
    return msgspec.structs.replace(found, file=file, registers=kept)
