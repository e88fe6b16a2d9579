"""The registers of a log: a fold over all tables, and what people's files add to it.

Files are sealed in the log and checkpoints are not, so what files say is in no checkpoint: it is read from the files'
own streams, of which there are few, whenever one has grown.
"""

from __future__ import annotations

import re
from functools import cache
from threading import Lock
from typing import ClassVar

import msgspec

from pitboss.floor.approvals import Answered, Approvals, Proposal
from pitboss.floor.editions import decode_opening
from pitboss.floor.folds import TABLE
from pitboss.floor.frozen import opened
from pitboss.floor.host import APPROVED, decode_act
from pitboss.floor.patron_book import STREAM as FILES
from pitboss.floor.patron_book import decode_body
from pitboss.floor.projections import Fold, Projections
from pitboss.registers.acts import AnyWritten
from pitboss.registers.asking import Kept, kept
from pitboss.registers.book import Registers
from pitboss.registers.files import of_file
from pitboss.registers.kinds import WATCHED
from pitboss.registers.model import Heard, Item, Line
from pitboss.rulebooks import load
from pitboss.rulebooks.terms import Rulebook
from pitboss.store.log import Entry, Log
from pitboss.table.declaring import DECLARED

STREAM = "registers"
"""What is written into the registers by hand."""
WRITTEN = "register"
_EVENTS = re.compile(rb'"event":"(\w+)"')
_ROUND_BEGAN = b'"event":"RoundBegan"'


class RegisterBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an entry of the stream `registers` holds."""

    rulebook: str
    act: AnyWritten
    clauses: tuple[str, ...] = ()
    role: str = ""


decode_register = msgspec.json.Decoder(RegisterBody).decode
_decode_proposal = msgspec.json.Decoder(Proposal).decode
_decode_answered = msgspec.json.Decoder(Answered).decode


@cache
def book_of(rulebook: str) -> Rulebook:
    return load(rulebook)


class HouseRegisters(Fold):
    """Everything that is registered of all tables."""

    name: ClassVar[str] = "registers"
    version: ClassVar[int] = 1

    registers: Registers = msgspec.field(default_factory=Registers)

    def apply(self, entry: Entry) -> None:
        if entry.stream.startswith(TABLE):
            self._at_table(entry, entry.stream.removeprefix(TABLE))
        elif entry.stream == Approvals.stream:
            self._approval(entry)
        elif entry.stream == STREAM and entry.kind == WRITTEN:
            body = decode_register(entry.body)
            heard = Heard(entry.seq, entry.at_ms, entry.by, body.role)
            self.registers.wrote(heard, book_of(body.rulebook), body.act, body.clauses)

    def _at_table(self, entry: Entry, table: str) -> None:
        registers = self.registers
        if entry.kind == "act":
            names = set(_EVENTS.findall(entry.body))
            began = table in registers.before_play and b"RoundBegan" in names
            if not began and WATCHED.isdisjoint(names):
                return
            body = decode_act(entry.body)
            second = ""
            if entry.command.startswith(APPROVED):
                second = registers.seconds.pop(entry.command.removeprefix(APPROVED), "")
            heard = Heard(entry.seq, entry.at_ms, entry.by, body.role, second)
            registers.acted(heard, table, book_of(registers.tables[table].rulebook), body.act, body.events)
        elif entry.kind == "opened":
            opening = decode_opening(entry.body)
            heard = Heard(entry.seq, entry.at_ms, entry.by)
            house = opening.house or opened(opening).house
            registers.opened(heard, table, opening.name, book_of(opening.rulebook), house)
        elif entry.kind == "closed":
            heard = Heard(entry.seq, entry.at_ms, entry.by)
            registers.closed(heard, table, book_of(registers.tables[table].rulebook))

    def _approval(self, entry: Entry) -> None:
        if entry.kind == "proposed":
            said = _decode_proposal(entry.body)
            name = type(said.act).__name__
            form = DECLARED[name].form
            person = str(getattr(said.act, "player", ""))
            what = (form.label if form is not None else name) + (f" ({person})" if person else "")
            heard = Heard(entry.seq, entry.at_ms, said.first, said.role)
            second = said.second
            self.registers.proposed(heard, said.table, said.id, what, second.role, second.clauses, said.expires_ms)
        elif entry.kind == "answered":
            answer = _decode_answered(entry.body)
            self.registers.answered(Heard(entry.seq, entry.at_ms, answer.by), answer.id, answer.state, answer.text)


class FileLines:
    """What files add, as far as this process has read them. Blocking."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._lock = Lock()
        self._read: dict[str, int] = {}
        self._lines: list[Line] = []
        self._items: list[Item] = []
        self.words: dict[str, str] = {}
        """What was searched before (`Kept.words`), of all lines."""

    def now(self) -> tuple[list[Line], list[Item]]:
        """All lines and items of all files, as they stand in the log now."""
        with self._lock:
            for stream, version in self._log.streams(FILES).items():
                known = self._read.get(stream, 0)
                if version > known:
                    for entry in self._log.read(stream, known, version - known):
                        self._hear(entry)
                        self._read[stream] = entry.version
            return list(self._lines), list(self._items)

    def _hear(self, entry: Entry) -> None:
        body = decode_body(entry.body)
        heard = Heard(entry.seq, entry.at_ms, entry.by, body.role)
        person = entry.stream.removeprefix(FILES)
        rulebook, learned = book_of(body.rulebook), body.act is None
        lines, items = of_file(heard, person, rulebook, body.events, body.table, learned=learned)
        self._lines += lines
        self._items += items


def all_kept(projections: Projections, files: FileLines) -> Kept:
    """All that is registered now. Blocking, so behind the gate."""
    lines, items = files.now()
    found: Kept = projections.ask(HouseRegisters, lambda fold: kept(fold.registers, lines, items, files.words))
    return found
