"""What is known across tables, as folds over the log: every table there ever was, who approved what, totals, and the
books of the house."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

import msgspec

from pitboss.floor.approvals import Answered, Approvals
from pitboss.floor.editions import decode_opening
from pitboss.floor.frozen import opened
from pitboss.floor.host import APPROVED, decode_act, stream_of
from pitboss.floor.link import LinkOpening, PoolMoved
from pitboss.floor.link import stream_of as link_stream
from pitboss.floor.model import FLOOR
from pitboss.floor.projections import Fold, Projections
from pitboss.floor.promotion_book import PROMOTION, decode_promotion
from pitboss.floor.promotion_book import STREAM as PROMOTIONS
from pitboss.floor.still_to_deal import StillToDeal
from pitboss.floor.tournament_book import decode_learned
from pitboss.floor.tournament_book import stream_of as tournament_stream
from pitboss.ledger.books import Books
from pitboss.ledger.postings import Posting
from pitboss.papers.lines import word_of
from pitboss.promotions.events import VoucherIssued
from pitboss.store.log import Entry, Log
from pitboss.table.events import Event
from pitboss.table.house import BLAZING
from pitboss.tournament.money import IN_CHIPS, IN_MONEY

ROUND_ENDED = b'{"event":"RoundEnded"'


class TableEver(msgspec.Struct, frozen=True):
    """A table, open or closed long ago."""

    table: str
    name: str
    rulebook: str
    version: int
    """Its newest."""
    opened_ms: int
    closed_ms: int | None = None


class _Opening(msgspec.Struct, frozen=True):
    """As much of an opening as is asked for here."""

    rulebook: str = ""
    name: str = ""


class _Named(msgspec.Struct, frozen=True):
    table: str
    opening: _Opening = _Opening()


decode_named = msgspec.json.Decoder(_Named).decode


class TablesEver(Fold):
    """Every table that was ever opened here."""

    name: ClassVar[str] = "tables"
    version: ClassVar[int] = 1
    stream: ClassVar[str] = FLOOR

    tables: dict[str, TableEver] = msgspec.field(default_factory=dict)

    def apply(self, entry: Entry) -> None:
        if entry.kind == "table-opened":
            said = decode_named(entry.body)
            called = said.opening.name or said.table
            self.tables[said.table] = TableEver(said.table, called, said.opening.rulebook, 0, entry.at_ms)
        elif entry.kind == "table-closed":
            closed = decode_named(entry.body).table
            self.tables[closed] = msgspec.structs.replace(self.tables[closed], closed_ms=entry.at_ms)

    def called(self, said: str) -> list[str]:
        """The ids of the tables that somebody means: by id, or by name in small letters or large."""
        wanted = said.strip().casefold()
        names = [(each.table, each.name.strip().casefold()) for each in self.tables.values()]
        return [table for table, name in names if wanted and wanted in (table, name)]


def tables_ever(log: Log, projections: Projections) -> list[TableEver]:
    """Every table, newest first, with its newest version: an inspector looks back at closed ones too."""
    found = projections.ask(TablesEver, lambda ever: list(ever.tables.values()))
    versions = log.streams(stream_of(""))
    return [msgspec.structs.replace(each, version=versions.get(stream_of(each.table), 0)) for each in reversed(found)]


class Seconds(Fold):
    """Who approved what as the second person."""

    name: ClassVar[str] = "seconds"
    version: ClassVar[int] = 1
    stream: ClassVar[str] = Approvals.stream

    by: dict[str, str] = msgspec.field(default_factory=dict)

    def apply(self, entry: Entry) -> None:
        answered = approved_in(entry)
        if answered is not None:
            self.by[answered.id] = answered.by


def approved_in(entry: Entry) -> Answered | None:
    """The word of a second person, where an entry of the approvals is one."""
    if entry.kind != "answered" or entry.stream != Approvals.stream:
        return None
    answered = msgspec.json.decode(entry.body, type=Answered)
    return answered if answered.state == "approved" else None


def second_of(projections: Projections, command: str) -> str:
    """Who approved the act that was done under a command; "" where it needed nobody."""
    if not command.startswith(APPROVED):
        return ""
    return projections.ask(Seconds, lambda seconds: seconds.by.get(command.removeprefix(APPROVED), ""))


class Totals(Fold):
    """What has come together on the whole floor, in all processes, since its first day."""

    name: ClassVar[str] = "totals"
    version: ClassVar[int] = 1

    acts: dict[str, int] = msgspec.field(default_factory=dict)
    """By rulebook, as are the others."""
    rounds: dict[str, int] = msgspec.field(default_factory=dict)
    tables: dict[str, int] = msgspec.field(default_factory=dict)
    rulebooks: dict[str, str] = msgspec.field(default_factory=dict)
    """Of each open table."""

    def apply(self, entry: Entry) -> None:
        if entry.kind == "act" and entry.stream.startswith(TABLE):
            book = self.rulebooks.get(entry.stream.removeprefix("table:"), "")
            self.acts[book] = self.acts.get(book, 0) + 1
            if ROUND_ENDED in entry.body:
                self.rounds[book] = self.rounds.get(book, 0) + 1
        elif entry.stream == FLOOR and entry.kind == "table-opened":
            said = decode_named(entry.body)
            book = self.rulebooks[said.table] = said.opening.rulebook
            self.tables[book] = self.tables.get(book, 0) + 1
        elif entry.stream == FLOOR and entry.kind == "table-closed":
            self.rulebooks.pop(decode_named(entry.body).table, None)

    def by_rulebook(self) -> dict[str, dict[str, int]]:
        """Acts, rounds and tables, by rulebook."""
        return {"acts": dict(self.acts), "rounds": dict(self.rounds), "tables": dict(self.tables)}


TABLE, LINK = stream_of(""), link_stream("")
TOURNAMENT = tournament_stream("")


class HouseBooks(Fold):
    """The ledger of the whole house: every event of every table, in one set of accounts."""

    name: ClassVar[str] = "books"
    version: ClassVar[int] = 4

    books: Books = msgspec.field(default_factory=Books)
    still_to_deal: StillToDeal = msgspec.field(default_factory=StillToDeal)

    def apply(self, entry: Entry) -> None:
        for told in self.still_to_deal.told(entry):
            for _ in posted(self.books, told):
                pass


def posted(books: Books, entry: Entry) -> Iterator[tuple[Event | str, tuple[Posting, ...]]]:
    """Book one entry of the log; gives its lines, with the event that each comes of, or what else it is."""
    if entry.stream.startswith(LINK):
        yield from _posted_to_link(books, entry)
    elif entry.stream.startswith(TOURNAMENT) and entry.kind == "act":
        yield from _posted_to_tournament(books, entry)
    elif entry.stream.startswith(PROMOTIONS):
        yield from _vouchers(books, entry)
    if not entry.stream.startswith(TABLE):
        return
    table = entry.stream.removeprefix(TABLE)
    if entry.kind == "opened":
        opening = decode_opening(entry.body)
        house = opening.house or opened(opening).house
        start = max(house.jackpot_cents, house.jackpot_minimum_cents) if BLAZING in house.side_bets else 0
        link, rack = opening.link, opening.float_cents
        lines = books.open(table, start, tournament=house.tournament, link=link, float_cents=rack)
        if lines:
            yield "the table is opened", lines
    elif entry.kind == "act":
        yield from books.post(table, decode_act(entry.body).events)


def _vouchers(books: Books, entry: Entry) -> Iterator[tuple[str, tuple[Posting, ...]]]:
    if entry.kind == PROMOTION:
        for event in decode_promotion(entry.body).events:
            if isinstance(event, VoucherIssued):
                yield "a voucher of a promotion is issued", books.issue_voucher(event.name, event.cents)


def _posted_to_link(books: Books, entry: Entry) -> Iterator[tuple[str, tuple[Posting, ...]]]:
    link = entry.stream.removeprefix(LINK)
    lines: tuple[Posting, ...] = ()
    if entry.kind == "opened":
        lines = books.open_link(link, msgspec.json.decode(entry.body, type=LinkOpening).pool_cents)
    elif entry.kind == "moved":
        moved = msgspec.json.decode(entry.body, type=PoolMoved)
        where = f"act {moved.version} at {moved.table}"
        lines = books.move_pool(link, where, moved.contributed_cents, moved.paid_cents, moved.added_cents)
    if lines:
        yield "the house feeds the jackpot", lines


class _ChipsIn(Mapping[str, int]):
    """A tournament's own chip accounts, as they stand in the books."""

    def __init__(self, books: Books, place: str) -> None:
        self._balances, self._place = books.balances, place

    def __getitem__(self, account: str) -> int:
        return self._balances[f"{self._place}/{account}"]

    def __iter__(self) -> Iterator[str]:
        return (name.partition("/")[2] for name in self._balances if name.startswith(f"{self._place}/"))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _posted_to_tournament(books: Books, entry: Entry) -> Iterator[tuple[str, tuple[Posting, ...]]]:
    """Fees, pool, commission, prizes, and where the tournament's chips are."""
    place = entry.stream
    for event in decode_learned(entry.body).events:
        kind = type(event)
        lines: tuple[Posting, ...] = ()
        if kind in IN_MONEY:
            lines += books.book(place, IN_MONEY[kind](event))
        if kind in IN_CHIPS:
            lines += books.book(place, IN_CHIPS[kind](event, _ChipsIn(books, place)))
        if lines:
            yield word_of(kind).replace("-", " "), lines
