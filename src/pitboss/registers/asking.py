"""Questions to the registers: search, filter, count what is due, and who must act by when."""

from __future__ import annotations

import datetime
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, chain
from operator import attrgetter
from typing import NamedTuple, TypeVar
from zoneinfo import ZoneInfo

import msgspec

from pitboss.patrons.gaming_day import DAY, Calendar, begins_ms, calendar_of
from pitboss.registers.book import Mark, Registers, marked
from pitboss.registers.model import REGISTERS, Item, Line
from pitboss.rulebooks import load
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.registers import on

OPEN = ("due", "overdue")
_AT = attrgetter("at_ms")


class Wanted(msgspec.Struct, frozen=True):
    """What is looked for; empty fields match everything."""

    register: str = ""
    search: str = ""
    """Words that all stand somewhere in the line."""
    table: str = ""
    person: str = ""
    kind: str = ""
    since_ms: int = 0
    until_ms: int = 0
    """Up to this moment, which is not in it; 0: no end."""
    due: bool = False
    """Only lines of which something is still to be done."""


class Count(msgspec.Struct, frozen=True):
    """One register in numbers."""

    name: str
    title: str
    lines: int
    due: int
    """Items that are still to be done, those that are overdue among them."""
    overdue: int
    next_due_ms: int
    """The next deadline; 0 where there is none."""
    kinds: tuple[str, ...]


class Index:
    """The words of many lines or items side by side, so that a search goes once through memory.

    What was added stays as it is; whoever searches while others add sees what there was when they began.
    """

    PART = 4_096

    def __init__(self) -> None:
        self._now: tuple[tuple[_Part, ...], tuple[tuple[str, str], ...]] = ((), ())
        """Full parts, and what is not enough for another one: ids with their words."""

    def add(self, more: Iterable[tuple[str, str]]) -> None:
        """Ids with their words."""
        parts, rest = self._now
        waiting = [*rest, *more]
        full = len(waiting) - len(waiting) % self.PART
        made = (_part(waiting[begun : begun + self.PART]) for begun in range(0, full, self.PART))
        self._now = ((*parts, *made), tuple(waiting[full:]))

    def having(self, words: Sequence[str]) -> set[str]:
        """The ids of those in which all these words stand; none of the words has a blank."""
        parts, rest = self._now
        found = {name for name, text in rest if _has(text, words)}
        first, *others = words
        for part in parts:
            joined, ends = part.joined, part.ends
            at = joined.find(first)
            while at >= 0:
                place = bisect_right(ends, at)
                begin = ends[place - 1] + 1 if place else 0
                if all(joined.find(word, begin, ends[place]) >= 0 for word in others):
                    found.add(part.names[place])
                at = joined.find(first, ends[place])
        return found


class _Part(NamedTuple):
    names: tuple[str, ...]
    joined: str
    ends: list[int]
    """Where the words of each end."""


def _part(some: Sequence[tuple[str, str]]) -> _Part:
    ends = list(accumulate((len(text) + 1 for _, text in some), initial=-1))[1:]
    return _Part(tuple(name for name, _ in some), "\n".join(text for _, text in some), ends)


class Kept(msgspec.Struct, frozen=True):
    """All that is registered at one moment: lines and items of tables and of files together."""

    lines: Mapping[str, Sequence[Line]]
    items: Sequence[Item]
    """Oldest first."""
    calendars: dict[str, tuple[str, int]] = {}
    """Zone and hour at which the day begins, by rulebook."""
    words: dict[str, str] = {}
    """What is searched of lines and items that are not in the index, by id: made when somebody first searches them."""
    index: Mapping[str, Index] | None = None
    """The words of lines, by register, and of items; without it each is looked at."""
    item_index: Mapping[str, Index] | None = None
    loose: Sequence[Line] = ()
    """Lines and items that are not in the index."""
    loose_items: Sequence[Item] = ()


NOTED = {"mispayments": "mispayment", "cards": "cards", "jackpots": "jackpot-wagers"}
"""Registers of which a document says how they are to be read, and the occasion on which it does."""


class Note(msgspec.Struct, frozen=True):
    """How a document wants a register read."""

    rulebook: str
    clauses: tuple[str, ...]
    text: str
    cited: str
    """Its clauses as people cite them."""


def notes(book: Kept, register: str) -> list[Note]:
    """What the documents of this log say of a register."""
    occasion = NOTED.get(register, "")
    return [
        Note(name, row.clauses, row.text, cite(row.clauses)) for name in book.calendars for row in on(name, occasion)
    ]


def kept(
    registers: Registers,
    file_lines: Sequence[Line] = (),
    file_items: Sequence[Item] = (),
    words: dict[str, str] | None = None,
    index: Mapping[str, Index] | None = None,
    item_index: Mapping[str, Index] | None = None,
    changing: Iterable[str] = (),
) -> Kept:
    """What is asked: a value of its own, so that the fold may go on.

    Of the fold the indexes have every line, and every item but those that are `changing`.
    """
    lines = {name: list(registers.lines.get(name, ())) for name in REGISTERS}
    more = [*file_lines, *registers.jackpot_lines()]
    moments: dict[str, set[int]] = {}
    for line in more:
        lines[line.register].append(line)
        moments.setdefault(line.register, set()).add(line.at_ms)
    for name, with_others in moments.items():
        _in_order(lines[name], with_others)
    of_files = [_with_mark(item, registers.marks) for item in file_items]
    items = [*registers.items.values(), *of_files]
    loose_items = [*(registers.items[name] for name in changing), *of_files]
    if file_items:
        items.sort(key=lambda item: item.at_ms)
    calendars = {told.rulebook: (told.zone, told.begins_hour) for told in registers.tables.values()}
    for line in file_lines:
        if line.rulebook not in calendars:
            calendar = calendar_of(load(line.rulebook))
            calendars[line.rulebook] = (calendar.zone, calendar.begins_hour)
    return Kept(lines, items, calendars, {} if words is None else words, index, item_index, more, loose_items)


def _with_mark(item: Item, marks: dict[str, Mark]) -> Item:
    mark = marks.get(item.id)
    return item if mark is None else marked(item, mark)


def _in_order(found: list[Line], moments: set[int]) -> None:
    """By time; only those of the moments in which lines of several kinds may have come are looked at closely."""
    found.sort(key=_AT)
    at = list(map(_AT, found))
    for moment in moments:
        begin = bisect_left(at, moment)
        end = bisect_right(at, moment, begin)
        if end - begin > 1:
            found[begin:end] = sorted(found[begin:end], key=place_in_time)


def place_in_time(line: Line) -> tuple[int, int, int]:
    """By its moment, and within an entry of the log as they were written."""
    seq, _, index = line.id.partition(".")
    return (line.at_ms, int(seq), int(index)) if seq.isdigit() else (line.at_ms, 0, 0)


def counts(book: Kept, now_ms: int) -> list[Count]:
    """Every register with how much is in it and how much of it is due."""
    waiting: dict[str, list[Item]] = {name: [] for name in REGISTERS}
    for item in book.items:
        if not item.done_ms and item.state(now_ms) in OPEN:
            waiting[item.register].append(item)
    found = []
    for name, title in REGISTERS.items():
        due = waiting[name]
        deadlines = [item.due_ms for item in due if item.due_ms]
        overdue = sum(item.state(now_ms) == "overdue" for item in due)
        kinds = tuple(sorted({line.kind for line in book.lines[name]}))
        found.append(Count(name, title, len(book.lines[name]), len(due), overdue, min(deadlines, default=0), kinds))
    return found


def gaming_days(book: Kept, since: str, until: str) -> tuple[int, int]:
    """From which moment to which these gaming dates go, 0 where none is named; ValueError for what is no date."""
    calendar = Calendar(*next(iter(book.calendars.values()), ("UTC", 0)))
    first = begins_ms(calendar, datetime.date.fromisoformat(since)) if since else 0
    return first, begins_ms(calendar, datetime.date.fromisoformat(until) + DAY) if until else 0


def at_the_clocks(book: Kept, shown: datetime.datetime) -> int:
    """The moment at which the house's clocks show that."""
    zone, _ = next(iter(book.calendars.values()), ("UTC", 0))
    return round(shown.replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def lines(book: Kept, wanted: Wanted, now_ms: int) -> list[Line]:
    """The lines that are looked for, newest first."""
    found: Sequence[Line] = book.lines[wanted.register] if wanted.register else []
    if not wanted.register:
        found = list(chain.from_iterable(book.lines[name] for name in REGISTERS))
    if wanted.due:
        waiting = {item.line for item in book.items if item.state(now_ms) in OPEN}
        found = [line for line in found if line.id in waiting]
    if wanted.table or wanted.person or wanted.kind or wanted.since_ms or wanted.until_ms:
        found = [line for line in found if _fits(line, wanted)]
    found = _searched(book, book.index, book.loose, found, wanted, words_of)
    newest_first = list(found[::-1])
    return newest_first if wanted.register else sorted(newest_first, key=_AT, reverse=True)


def items(book: Kept, wanted: Wanted, now_ms: int, *, notices: bool = False) -> list[Item]:
    """Items that are looked for: what is due first, by its deadline, then what is done, newest first."""
    theirs: set[str] = set()
    """Lines about the person who is looked for: what is to be done because of them is about that person too."""
    if wanted.person:
        name = wanted.person.lower()
        theirs = {line.id for each in book.lines.values() for line in each if line.person.lower() == name}
    found: Sequence[Item] = book.items
    if wanted.register:
        found = [item for item in found if item.register == wanted.register]
    if notices:
        found = [item for item in found if item.to]
    if wanted.table:
        found = [item for item in found if item.table == wanted.table]
    if wanted.person:
        found = [item for item in found if item.concerns.lower() == wanted.person.lower() or item.line in theirs]
    if wanted.since_ms or wanted.until_ms:
        until_ms = wanted.until_ms or 1 << 62
        found = [item for item in found if wanted.since_ms <= item.at_ms < until_ms]
    found = _searched(book, book.item_index, book.loose_items, found, wanted, words_of_item)
    waiting = [item for item in found if not item.done_ms and item.state(now_ms) in OPEN]
    waiting.sort(key=_by_deadline)  # of one deadline the older stands first, as it does in the book
    if not wanted.due and len(waiting) < len(found):
        waiting += reversed([item for item in found if item.state(now_ms) not in OPEN])
    return waiting


def _by_deadline(item: Item) -> int:
    return item.due_ms or item.at_ms


def open_then(book: Kept, at_ms: int, table: str = "") -> list[Item]:
    """What had arisen and was not done at a moment, by its deadline: at every table and without one, or at one."""
    found = [
        item
        for item in book.items
        if item.at_ms < at_ms
        and (not item.done_ms or item.done_ms >= at_ms)
        and not (item.lapses and item.due_ms <= at_ms)
        and (not table or item.table == table)
    ]
    return sorted(found, key=_by_deadline)


def _fits(line: Line, wanted: Wanted) -> bool:
    return (
        (not wanted.table or line.table == wanted.table)
        and (not wanted.person or line.person.lower() == wanted.person.lower())
        and (not wanted.kind or line.kind == wanted.kind)
        and wanted.since_ms <= line.at_ms
        and (not wanted.until_ms or line.at_ms < wanted.until_ms)
    )


def words_of(line: Line) -> str:
    """What is searched of a line."""
    return f"{line.text} {line.kind} {line.table} {line.person} {line.by} {' '.join(line.clauses)}".casefold()


def words_of_item(item: Item) -> str:
    """What is searched of an item."""
    return f"{item.text} {item.to} {item.who} {item.concerns}".casefold()


Searched = TypeVar("Searched", Line, Item)


def _searched(
    book: Kept, indexes: Mapping[str, Index] | None, loose: Sequence[Searched], found: Sequence[Searched],
    wanted: Wanted, of: Callable[[Searched], str],
) -> Sequence[Searched]:  # fmt: skip
    """Those in which all words stand, in the order in which they came."""
    words = sorted(wanted.search.casefold().split(), key=len, reverse=True)  # the longest leaves the fewest
    if not words or not found:
        return found
    if indexes is None:
        return [each for each in found if _has(of(each), words)]
    names = [wanted.register] if wanted.register else REGISTERS
    fits = {name for register in names if register in indexes for name in indexes[register].having(words)}
    fits.update(each.id for each in loose if _has(book.words.get(each.id) or _made_ready(book, each, of), words))
    return [each for each in found if each.id in fits]


def _has(text: str, words: Sequence[str]) -> bool:
    return all(word in text for word in words)


def _made_ready(book: Kept, each: Searched, of: Callable[[Searched], str]) -> str:
    text = of(each)
    if is_settled(each.id):
        book.words[each.id] = text
    return text


def is_settled(name: str) -> bool:
    """Whether its words stay as they are: a sum of a day, and the list of a month, change while it lasts."""
    return name[0].isdigit()
