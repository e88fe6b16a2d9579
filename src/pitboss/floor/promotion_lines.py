"""What promotions add to the registers: every event is a line, every duty an item with its deadline.

Their streams are sealed in the log, so, as with people's files, nothing of them is in a checkpoint.
"""

from __future__ import annotations

import datetime

from msgspec.structs import replace

from pitboss.floor.promotion_book import PROMOTION, STREAM, PromotionBody, decode_promotion
from pitboss.papers.lines import word_of
from pitboss.papers.sheets import without_clauses
from pitboss.promotions import events as pe
from pitboss.promotions.acts import MANAGER
from pitboss.promotions.records import tell
from pitboss.registers.model import PLAYERS, REGULATOR, Item, Line
from pitboss.rulebooks import load
from pitboss.store.log import Entry, Log

REGISTER = "promotions"
ADDRESSED = {"the Authority": REGULATOR, "the NICC": REGULATOR, "patrons": PLAYERS, "inspector": "inspector"}
"""Whom a duty names, as notices address them; anybody else is a person."""
DUTIES = (pe.DutyArose, pe.DutyMet, pe.DutyLapsed)


class PromotionLines:
    """Lines and items of all promotions, as far as this process has read them. Blocking."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._read: dict[str, int] = {}
        self._titles: dict[str, str] = {}
        self.lines: list[Line] = []
        self.items: dict[str, Item] = {}

    def read_on(self) -> None:
        for stream, version in self._log.streams(STREAM).items():
            known = self._read.get(stream, 0)
            if version > known:
                for entry in self._log.read(stream, known, version - known):
                    if entry.kind == PROMOTION:
                        self._hear(entry, decode_promotion(entry.body))
                    self._read[stream] = entry.version

    def _hear(self, entry: Entry, body: PromotionBody) -> None:
        book, name = load(body.rulebook), entry.stream.removeprefix(STREAM)
        line, before = "", len(self.lines)
        for event in body.events:
            if isinstance(event, pe.PromotionOffered | pe.TermsAmended):
                self._titles[name] = event.conditions.title
            title = self._titles.get(name, name)
            if isinstance(event, DUTIES):
                self._duty(entry, book.id, name, title, event, line)
                continue
            told = without_clauses(tell(event, book)).partition(": ")[2]
            line = f"{entry.seq}.{len(self.lines) - before}"
            person = str(getattr(event, "name", ""))
            cents = int(getattr(event, "value_cents", 0) or getattr(event, "cents", 0) or 0)
            self.lines.append(
                Line(
                    line, REGISTER, word_of(type(event)).replace("-", " "), entry.at_ms, book.id, event.clauses,
                    f"{title}: {told}", str(getattr(event, "table", "")), person, entry.by, body.role, "", cents,
                )
            )  # fmt: skip

    def _duty(self, entry: Entry, rulebook: str, name: str, title: str, event: pe.PromotionEvent, line: str) -> None:
        match event:
            case pe.DutyArose():
                key = f"promotion:{name}:{event.key}"
                to = ADDRESSED.get(event.to, event.to)
                concerns = event.to if event.to and event.to not in ADDRESSED else ""
                due = _ms(event.due) if event.due is not None else 0
                text = f"{title}: {event.what}."
                self.items[key] = Item(
                    key, REGISTER, entry.at_ms, rulebook, event.clauses, text, MANAGER, to, line, "", concerns, due
                )
            case pe.DutyMet():
                self._over(entry, name, event.key, "done in the promotion" + (", late" if event.late else ""))
            case pe.DutyLapsed():
                self._over(entry, name, event.key, f"not needed any more: {event.why}")

    def _over(self, entry: Entry, name: str, key: str, how: str) -> None:
        item = self.items.get(f"promotion:{name}:{key}")
        if item is not None:
            self.items[item.id] = replace(item, done_ms=entry.at_ms, done_by=entry.by, evidence=how)


def _ms(moment: datetime.datetime) -> int:
    return int(moment.timestamp() * 1000)
