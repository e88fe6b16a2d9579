"""The registers of a log: a fold over all tables, and what people's files add to it.

Files are sealed under keys of their people and checkpoints are not, so what files say is in no checkpoint: it is read
from the files' own streams, of which there are few, whenever one has grown.
"""

from __future__ import annotations

import re
import time
from copy import deepcopy
from functools import cache
from itertools import islice
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
from pitboss.floor.projections import STEP, Fold, Projections, in_steps
from pitboss.floor.promotion_lines import PromotionLines
from pitboss.floor.still_to_deal import StillToDeal
from pitboss.registers.acts import AnyWritten
from pitboss.registers.asking import Index, Kept, is_settled, kept, words_of, words_of_item
from pitboss.registers.book import Registers
from pitboss.registers.files import of_file
from pitboss.registers.kinds import WATCHED
from pitboss.registers.model import REGISTERS, Heard, Item, Line
from pitboss.rulebooks import load
from pitboss.rulebooks.terms import Rulebook
from pitboss.store.log import ERASED, GONE, Entry, Log
from pitboss.table.declaring import DECLARED

STREAM = "registers"
"""What is written into the registers by hand."""
WRITTEN = "register"
ITEMS = "items"
LARGE = 5_000
"""Lines and items from which on a checkpoint is written beside those who ask."""
_looked_into = re.compile(rb'"event":"(?:' + b"|".join(sorted(WATCHED)) + rb')"').search


def is_looked_into(body: bytes) -> bool:
    """Whether the registers learn something of an act, as its body shows without being read."""
    return _looked_into(body) is not None


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
    version: ClassVar[int] = 2

    registers: Registers = msgspec.field(default_factory=Registers)
    still_to_deal: StillToDeal = msgspec.field(default_factory=StillToDeal)

    def copied(self) -> HouseRegisters | None:
        """Lines and items are never changed, so that a copy of their lists is enough."""
        now = self.registers
        if len(now.items) + sum(map(len, now.lines.values())) < LARGE:
            return None
        lines = {name: list(each) for name, each in now.lines.items()}
        opens, before = ({key: list(each) for key, each in of.items()} for of in (now.opens, now.before_play))
        return HouseRegisters(
            msgspec.structs.replace(
                now, tables=deepcopy(now.tables), lines=lines, items=dict(now.items), opens=opens, before_play=before,
                marks=dict(now.marks), seconds=dict(now.seconds), jackpot_wagers=dict(now.jackpot_wagers),
            ),
            deepcopy(self.still_to_deal),
        )  # fmt: skip

    def encoded(self) -> bytes:
        now = self.registers
        if len(now.items) + sum(map(len, now.lines.values())) < LARGE:
            return super().encoded()
        rest = msgspec.json.encode(msgspec.structs.replace(now, lines={}, items={}))
        before, after = rest.split(b'"lines":{},"items":{}', 1)
        parts = [b'{"registers":', before, b'"lines":{']
        for number, (name, lines) in enumerate(now.lines.items()):
            parts += [b"," if number else b"", msgspec.json.encode(name), b":[", *in_steps(lines), b"]"]
        parts.append(b'},"items":{')
        names = list(now.items)
        for begun in range(0, len(names), STEP):
            some = {name: now.items[name] for name in names[begun : begun + STEP]}
            parts += [b"," if begun else b"", msgspec.json.encode(some)[1:-1]]
            time.sleep(0)
        return b"".join([*parts, b"}", after, b',"still_to_deal":', msgspec.json.encode(self.still_to_deal), b"}"])

    def apply(self, entry: Entry) -> None:
        for told in self.still_to_deal.told(entry):
            self._heard(told)

    def _heard(self, entry: Entry) -> None:
        if entry.stream.startswith(TABLE):
            self._at_table(entry)
        elif entry.stream == Approvals.stream:
            self._approval(entry)
        elif entry.stream == STREAM and entry.kind == WRITTEN:
            body = decode_register(entry.body)
            heard = Heard(entry.seq, entry.at_ms, entry.by, body.role)
            self.registers.wrote(heard, book_of(body.rulebook), body.act, body.clauses)

    def _at_table(self, entry: Entry) -> None:
        registers = self.registers
        if entry.kind == "act":
            said = entry.body
            is_wanted = _looked_into(said) is not None
            if not is_wanted and (not registers.before_play or _ROUND_BEGAN not in said):
                return
            table = entry.stream.removeprefix(TABLE)
            if not is_wanted and table not in registers.before_play:
                return
            body = decode_act(said)
            second = ""
            if entry.command.startswith(APPROVED):
                second = registers.seconds.pop(entry.command.removeprefix(APPROVED), "")
            heard = Heard(entry.seq, entry.at_ms, entry.by, body.role, second)
            registers.acted(heard, table, book_of(registers.tables[table].rulebook), body.act, body.events)
            return
        table = entry.stream.removeprefix(TABLE)
        if entry.kind == "opened":
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
    """What files and promotions add, as far as this process has read them. Blocking."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._lock = Lock()
        self._read: dict[str, int] = {}
        self._of: dict[str, tuple[list[Line], list[Item]]] = {}
        """By file."""
        self._promotions = PromotionLines(log)
        self.words: dict[str, str] = {}
        """What is searched of lines and items of files (`Kept.words`), made ready when first searched."""
        self._index = {name: Index() for name in REGISTERS}
        self._item_index = {name: Index() for name in REGISTERS}
        """What is searched of lines and items of tables."""
        self._changing: list[str] = []
        """Items of tables whose words change."""
        self._ready: dict[str, int] = {}
        """So many lines of each register are in the index, and so many items."""

    def kept(self, registers: Registers, lines: list[Line], items: list[Item]) -> Kept:
        """All of it, so that nobody who searches waits until the words of all lines are put together."""
        for name, each in registers.lines.items():
            self._index[name].add((line.id, words_of(line)) for line in each[self._ready.get(name, 0) :])
            self._ready[name] = len(each)
        new = list(islice(registers.items.items(), self._ready.get(ITEMS, 0), None))
        by_register: dict[str, list[tuple[str, str]]] = {}
        for name, item in new:
            if is_settled(name):
                by_register.setdefault(item.register, []).append((name, words_of_item(item)))
            else:
                self._changing.append(name)
        for register, found in by_register.items():
            self._item_index[register].add(found)
        self._ready[ITEMS] = len(registers.items)
        return kept(registers, lines, items, self.words, self._index, self._item_index, self._changing)

    def now(self) -> tuple[list[Line], list[Item]]:
        """All lines and items of all files and promotions, as they stand in the log now."""
        with self._lock:
            self._promotions.read_on()
            for stream, version in self._log.streams(FILES).items():
                known = self._read.get(stream, 0)
                if version > known:
                    for entry in self._log.read(stream, known, version - known):
                        self._hear(entry)
                        self._read[stream] = entry.version
            of_promotions = self._promotions
            lines = [line for each, _ in self._of.values() for line in each]
            items = [item for _, each in self._of.values() for item in each]
            return [*lines, *of_promotions.lines], [*items, *of_promotions.items.values()]

    def _hear(self, entry: Entry) -> None:
        known = self._of.setdefault(entry.stream, ([], []))
        if entry.kind in (ERASED, GONE):
            for name in (*(line.id for line in known[0]), *(item.id for item in known[1])):
                self.words.pop(name, None)
            known[0].clear()
            known[1].clear()
            return
        body = decode_body(entry.body)
        heard = Heard(entry.seq, entry.at_ms, entry.by, body.role)
        person = entry.stream.removeprefix(FILES)
        rulebook, learned = book_of(body.rulebook), body.act is None
        lines, items = of_file(heard, person, rulebook, body.events, body.table, learned=learned)
        known[0].extend(lines)
        known[1].extend(items)


def all_kept(projections: Projections, files: FileLines) -> Kept:
    """All that is registered now. Blocking, so behind the gate."""
    lines, items = files.now()

    def answer(fold: HouseRegisters) -> Kept:
        return files.kept(fold.registers, lines, items)

    found: Kept = projections.ask(HouseRegisters, answer)
    return found
