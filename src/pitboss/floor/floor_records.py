"""Floor records: what happened at several tables, in people's files and in the registers, each with its time.

A ``.floor`` file is played on a real floor whose clock the record sets: nothing in it waits for a clock, and what the
floor does by itself (limits that a sign announced, the date of a new gaming day) happens at its minute.
"""

from __future__ import annotations

import asyncio
import datetime
import re
import shlex
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from pitboss.basics.cards import Card
from pitboss.chance import Chance
from pitboss.floor.clock import SetClock
from pitboss.floor.fields import FieldError, patron_act, register_act
from pitboss.floor.floor import Floor
from pitboss.floor.host import Host, decode_act
from pitboss.floor.link import LinkOpening, links_of
from pitboss.floor.model import Accepted, Answer, Caller, Denied, NotAllowed, Opening
from pitboss.floor.naming import is_table_name
from pitboss.floor.patron_book import PatronBook, shown
from pitboss.floor.patrons_at_tables import patrons_of
from pitboss.floor.permissions import AT_THE_TABLE
from pitboss.floor.register_book import RegisterBook
from pitboss.floor.registers import all_kept
from pitboss.floor.signs import first_due
from pitboss.patrons import acts as p
from pitboss.patrons.events import PatronEvent
from pitboss.patrons.gaming_day import CloseDay, OpenDay, ReopenDay, calendar_of, local
from pitboss.patrons.telling import tell as tell_file
from pitboss.promotions.clocks import ClockError, instant
from pitboss.records.lines import parse
from pitboss.records.model import ANY_CLAUSE, UNSAID_BOX, Record, RecordError, printable, quoted
from pitboss.records.places import places
from pitboss.records.read import BEFORE_KEYS, document_of, from_document, read_text
from pitboss.records.replay import boxes_of, net_of
from pitboss.records.saving import public_events
from pitboss.registers.acts import SELF, AnswerComplaint, AnyRegisterAct, MarkDone, refuse
from pitboss.registers.asking import Kept, Wanted, counts, items, lines, place_in_time
from pitboss.registers.model import REGISTERS, Item, Line
from pitboss.rulebooks import RULEBOOKS, load
from pitboss.rulebooks.clauses import cite, find, is_within
from pitboss.store.group import GroupCommit
from pitboss.store.opening import open_log
from pitboss.table import acts as a
from pitboss.table.events import Event
from pitboss.table.house import DEVICE, House
from pitboss.table.legal import legal_acts, waiting_for
from pitboss.table.limits import minimum_for
from pitboss.table.refusals import Broken, Refusal
from pitboss.table.roles import STAFF
from pitboss.table.shuffle_and_cut import cards_to_shuffle
from pitboss.table.telling import tell
from pitboss.table.wagers import is_name

SUFFIX = ".floor"
KEYS = ("title", "rulebook", "clauses", "begins", "strangers", "acts", "tables", "expect")
OF_A_TABLE = ("rulebook", "cards", "name", "link", "link_wager")
"""Keys of a table besides those of a round record."""
FROM_THE_MIDDLE = frozenset({"cutting_card", *BEFORE_KEYS.values()})
"""Keys of a round record that a floor record cannot have: its tables are opened when it begins."""
EXPECTED = (
    "at", "lines", "has", "says", "due", "overdue", "told", "next", "limits", "minimum", "loss_left", "net", "jackpot",
    "open", "closed",
)  # fmt: skip
ALSO_CALLED = {"authority": "regulator", "nicc": "regulator", "NICC": "regulator"}
"""Other names of those who are told."""
ACTS_MAX, TABLES_MAX = 20_000, 200
_LINE = re.compile(
    r"(?:(?P<date>\d{4}-\d\d-\d\d)[ T]\s*)?(?:(?P<time>\d\d:\d\d(?::\d\d)?)(?P<offset>[+-]\d\d:\d\d)?\s+)?"
    r"(?P<where>[^:\s]+(?: [^:\s]+)?):\s+(?P<said>.+)"
)
_HOUSE = {"opens the gaming day": OpenDay, "closes the gaming day": CloseDay}
PERSON = "patron "
REOPENS = "reopens the gaming day because "
CLOSES = "closes the table"
FORM = "20:15 pontoon-1: casino-supervisor sets limits 25 500"
ROLES = {
    AT_THE_TABLE[role]: role for role in ("dealer", "gaming-supervisor", "supervisor", "gaming-manager", "inspector")
}
"""The role of the account of whoever acts in a role of the rulebooks."""


class Said(msgspec.Struct, frozen=True):
    """One line of a floor record."""

    text: str
    at: datetime.datetime
    where: str
    """A table's id, "patron NAME", "registers" or "house"."""
    who: str
    """Who does it; "" for the person whose file it is."""
    role: str
    act: Any
    refused: str
    line: int


class Expected(msgspec.Struct, frozen=True):
    """What must be so at a moment; after the last line where none is said."""

    at: datetime.datetime | None
    says: Mapping[str, Any]
    line: int


class FloorRecord(msgspec.Struct, frozen=True):
    title: str
    rulebook: str
    clauses: tuple[str, ...]
    begins: datetime.datetime
    strangers: tuple[str, ...]
    tables: dict[str, tuple[Record, str]]
    """The table as a round record knows it, and what people call it."""
    links: dict[str, tuple[str, int]]
    """Of a table on a shared jackpot: the jackpot's name, and what a wager on it costs."""
    with_cards: frozenset[str]
    acts: tuple[Said, ...]
    expect: tuple[Expected, ...]
    file: str


class Done(msgspec.Struct, frozen=True):
    """What came of a line."""

    said: Said
    told: tuple[str, ...] = ()
    events: tuple[dict[str, Any], ...] = ()
    refusal: str = ""
    clauses: tuple[str, ...] = ()


class Failed(msgspec.Struct, frozen=True):
    line: int
    text: str


class FloorResult(msgspec.Struct, frozen=True):
    record: FloorRecord
    done: tuple[Done, ...]
    lines: tuple[Line, ...]
    items: tuple[Item, ...]
    """What is still to be done in the end."""
    kept: Kept
    ends_ms: int
    failures: tuple[Failed, ...]
    warnings: tuple[str, ...]


# --- reading ---------------------------------------------------------------------------------------------------------


def read(path: str) -> FloorRecord:
    """The record in a file; `RecordError` with file and line where it cannot be read."""
    return loads(read_text(path), path)


def loads(text: str, file: str = "") -> FloorRecord:
    return _Reading(file, places(text)).record(document_of(text, file))


class _Reading:
    def __init__(self, file: str, lines: Mapping[Any, int]) -> None:
        self.file = file
        self.lines = lines
        self.zone = ""

    def error(self, reason: str, *path: str | int) -> RecordError:
        line = next((self.lines[path[:end]] for end in range(len(path), 0, -1) if path[:end] in self.lines), 0)
        return RecordError(reason, file=self.file, line=line)

    def record(self, said: dict[str, Any]) -> FloorRecord:
        self.known(said, KEYS)
        for key in ("title", "rulebook", "begins", "acts"):
            if key not in said:
                raise self.error(f"{key} is missing: a floor record has title, rulebook, begins, tables and acts")
        rulebook = self.rulebook(said["rulebook"], "rulebook")
        self.zone = load(rulebook).patrons.zone.value
        begins = self.moment(said["begins"], "begins")
        tables = self.table(said.get("tables", {}), "tables")
        if len(tables) > TABLES_MAX:
            raise self.error(f"tables: at most {TABLES_MAX}", "tables")
        links: dict[str, tuple[str, int]] = {}
        found = {name: self.one_table(name, each, rulebook, said["title"], links) for name, each in tables.items()}
        if not isinstance(said["acts"], list) or len(said["acts"]) > ACTS_MAX:
            raise self.error(f"acts must be a list of at most {ACTS_MAX:,} lines", "acts")
        return FloorRecord(
            title=self.text(said["title"], "title"),
            rulebook=rulebook,
            clauses=self.texts(said.get("clauses", []), "clauses"),
            begins=begins,
            strangers=self.texts(said.get("strangers", []), "strangers"),
            tables=found,
            links=links,
            with_cards=frozenset(name for name, each in tables.items() if "cards" in each),
            acts=tuple(self.acts(said["acts"], begins, found)),
            expect=tuple(self.expect(said.get("expect", []))),
            file=self.file,
        )

    def one_table(
        self, name: str, value: object, rulebook: str, title: object, links: dict[str, tuple[str, int]]
    ) -> tuple[Record, str]:
        path = ("tables", name)
        if not is_table_name(name):
            raise self.error(f"tables.{name[:60]}: a table's id is small letters, digits and hyphens", *path)
        table = dict(self.table(value, *path))
        book = self.rulebook(table.pop("rulebook", rulebook), *path, "rulebook")
        called = self.text(table.pop("name", name), *path, "name")
        cards = self.text(table.pop("cards", ""), *path, "cards")
        link, wager = self.text(table.pop("link", ""), *path, "link"), table.pop("link_wager", 5)
        if link:
            if not isinstance(wager, (int, Decimal)) or isinstance(wager, bool) or not 0 < wager < 10**6:
                raise self.error(f"tables.{name}.link_wager is an amount, as in 2.5", *path, "link_wager")
            links[name], table["jackpot_linked"] = (link, round(wager * 100)), True
        for key in table.keys() & FROM_THE_MIDDLE:
            reason = f"tables.{name}.{key}: a table of a floor record is opened when it begins; write what came before"
            raise self.error(f"{reason} as lines", *path, key)
        document = {"title": title, "rulebook": book, "cards": cards, "table": table, "play": []}
        try:
            return from_document(document, {}, self.file), called
        except RecordError as error:
            raise self.error(f"tables.{name}: {error.reason}", *path) from None

    def acts(self, said: list[object], at: datetime.datetime, tables: Mapping[str, object]) -> Iterator[Said]:
        for number, each in enumerate(said):
            text = self.text(each, "acts", number)
            try:
                one = self.act(text, at, tables, self.lines.get(("acts", number), 0))
            except (RecordError, FieldError) as error:
                reason = error.reason if isinstance(error, RecordError) else str(error).rstrip(".")
                raise self.error(reason, "acts", number) from None
            if one.at < at:
                raise self.error(f"{quoted(text)}: time runs forward; after midnight, name the date", "acts", number)
            at = one.at
            yield one

    def act(self, text: str, before: datetime.datetime, tables: Mapping[str, object], line: int) -> Said:
        head, arrow, clause = text.partition("=>")
        match = _LINE.fullmatch(" ".join(head.split()))
        if match is None:
            raise RecordError(f"{quoted(text)}: a line says when, where and what, as in {FORM}")
        refused = ""
        if arrow:
            word, _, refused = clause.strip().partition(" ")
            refused = " ".join(refused.split())
            if word != "refused" or not refused or len(refused) > 60:
                raise RecordError(f"{quoted(text)}: after => write refused and a clause, as in => refused 6.5")
        at = self.when(match, before, text)
        where, said = match["where"], match["said"]
        if where.startswith(PERSON) and is_name(name := where.removeprefix(PERSON)):
            name_of, fields, who, role = _written(said, name)
            return Said(text, at, where, who, role, patron_act(name_of, fields), refused, line)
        if where == "registers":
            name_of, fields, who, role = _written(said, "")
            by = SELF if role == "player" else AT_THE_TABLE[role]
            return Said(text, at, where, who, role, register_act(name_of, fields, by), refused, line)
        if where != "house" and where not in tables:
            known = ", ".join([*tables, "patron NAME", "registers", "house"])
            raise RecordError(f"{quoted(where)} is none of {known}")
        spoken, _, rest = said.partition(" ")
        word, slash, who = spoken.partition("/")
        if slash and (word not in (*STAFF, "inspector") or not is_name(who)):
            raise RecordError(f"{quoted(spoken)}: write a role and a name, as in casino-supervisor/sam")
        role = ROLES.get(word, "house" if word in STAFF else "player")
        if where == "house":
            if rest.startswith(REOPENS):
                act: Any = ReopenDay("", rest.removeprefix(REOPENS))
            elif rest in _HOUSE:
                act = _HOUSE[rest]("")
            else:
                raise RecordError(f"{quoted(text)}: of the house write who {', '.join([*_HOUSE, REOPENS + 'REASON'])}")
        else:
            act = CLOSES if rest == CLOSES else parse(f"{word} {rest}")
        return Said(text, at, where, who or word, role, act, refused, line)

    def when(self, match: re.Match[str], before: datetime.datetime, text: str) -> datetime.datetime:
        if match["time"] is None:
            if match["date"] is not None:
                raise RecordError(f"{quoted(text)}: say the time too, as in {match['date']} 20:15")
            return before
        date = match["date"] or before.astimezone(ZoneInfo(self.zone)).date().isoformat()
        try:
            return instant(self.zone, datetime.datetime.fromisoformat(f"{date}T{match['time']}{match['offset'] or ''}"))
        except ValueError as error:
            why = str(error).rstrip(".") if isinstance(error, ClockError) else "there is no such time"
            raise RecordError(f"{quoted(text)}: {why}") from None

    def expect(self, value: object) -> Iterator[Expected]:
        if isinstance(value, dict):
            value = [value]
        if not isinstance(value, list):
            raise self.error("expect must be a table, or several with [[expect]]", "expect")
        for number, each in enumerate(value):
            table = self.table(each, "expect", number)
            self.known(table, EXPECTED, "expect")
            at = self.moment(table["at"], "expect", number, "at") if "at" in table else None
            for key, found in table.items():
                if key in ("open", "closed"):
                    self.texts(found, "expect", number, key)
                elif key != "at":
                    self.table(found, "expect", number, key)
            for key in ("lines", "has", "says", "due", "overdue", "next"):
                for name in table.get(key, {}):
                    if name not in REGISTERS:
                        reason = f"expect.{key}: there is no register {name[:40]!r}; there are {', '.join(REGISTERS)}"
                        raise self.error(reason, "expect", number, key)
            line = self.error("", "expect", number).line or self.error("", "expect").line
            yield Expected(at, {key: found for key, found in table.items() if key != "at"}, line)

    # --- plain values ---

    def known(self, table: Mapping[str, Any], keys: Iterable[str], *path: str | int) -> None:
        for key in table:
            if key not in keys:
                where = ".".join(map(str, (*path, key)))
                raise self.error(f"no such key: {printable(where)[:80]}. Known: {', '.join(keys)}", *path, key)

    def table(self, value: object, *path: str | int) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self.error(f"{'.'.join(map(str, path))} must be a table of keys and values", *path)
        return value

    def text(self, value: object, *path: str | int) -> str:
        if not isinstance(value, str) or not value.isprintable():
            raise self.error(f"{'.'.join(map(str, path))} must be a text of one line", *path)
        return value

    def texts(self, value: object, *path: str | int) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise self.error(f"{'.'.join(map(str, path))} must be a list of texts", *path)
        return tuple(self.text(each, *path) for each in value)

    def rulebook(self, value: object, *path: str | int) -> str:
        if value not in RULEBOOKS:
            raise self.error(f"{'.'.join(map(str, path))} must be one of {', '.join(RULEBOOKS)}", *path)
        return str(value)

    def moment(self, value: object, *path: str | int) -> datetime.datetime:
        if not isinstance(value, datetime.datetime):
            raise self.error(f"{'.'.join(map(str, path))} is a date and a time, as in 2027-02-20T20:00:00", *path)
        try:
            return instant(self.zone, value)
        except ClockError as error:
            raise self.error(f"{'.'.join(map(str, path))}: {str(error).rstrip('.')}", *path) from None


def _written(said: str, person: str) -> tuple[str, list[str], str, str]:
    """An act written as NAME FIELD=VALUE ... as ROLE: its name, its fields, who writes it and as what."""
    try:
        words = shlex.split(said)
    except ValueError:
        raise RecordError(f"{quoted(said)}: a quotation mark is left open") from None
    word = "casino-supervisor"
    if len(words) > 2 and words[-2] == "as":
        word, words = words[-1], words[:-2]
    role, _, name = word.partition("/")
    if role == SELF:
        who = name or person or next((each[7:] for each in words if each.startswith("person=")), "")
        return words[0], words[1:], who, "player"
    if role not in ROLES:
        raise RecordError(f"{quoted(said)}: as {quoted(role)} is none of player, {', '.join(ROLES)}")
    return words[0], words[1:], name or role, ROLES[role]


# --- playing ---------------------------------------------------------------------------------------------------------


def play(record: FloorRecord, keep: str | None = None) -> FloorResult:
    """Play a record on a floor of its own; the log is kept where somebody names a file for it."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_played(record, keep or str(Path(folder, "floor.db"))))


async def _played(record: FloorRecord, path: str) -> FloorResult:
    log = open_log(path)
    commits = GroupCommit(log)
    clock = SetClock(_ms(record.begins))
    floor = Floor(commits, clock=clock, chance=Chance(1))
    try:
        await floor.start()
        floor.driver.stop()  # people deal, and a shuffling device gives the cards of the record in their order
        return await _Playing(record, floor, clock).run()
    finally:
        await floor.stop(0)
        log.close()


class _Playing:
    def __init__(self, record: FloorRecord, floor: Floor, clock: SetClock) -> None:
        self.record = record
        self.floor = floor
        self.clock = clock
        self.registers = RegisterBook(floor)
        self.book = load(record.rulebook)
        self.hosts: dict[str, Host] = {}
        self.stacks: dict[str, int] = {}
        """The next stack of each table that a shuffle takes."""
        self.is_on = False
        """Whether the lines have begun; before that tables are made ready."""
        self.done: list[Done] = []
        self.failures: list[Failed] = []
        self.tried: set[tuple[int, str]] = set()
        """Signs that the floor has carried out, or could not."""
        self.checks = sorted((each for each in record.expect if each.at is not None), key=lambda each: each.at)  # type: ignore[arg-type,return-value]

    @property
    def files(self) -> PatronBook:
        return patrons_of(self.floor).book

    async def run(self) -> FloorResult:
        for name, (table, called) in self.record.tables.items():
            await self.open(name, table, called)
        await self.identify()
        self.is_on = True
        for said in self.record.acts:
            await self.until(_ms(said.at))
            await self.do(said)
        for check in self.checks[:]:
            await self.until(_ms(check.at))
        for check in self.record.expect:
            if check.at is None:
                self.check(check)
        kept, now = self.kept(), self.clock.now_ms()
        return FloorResult(
            self.record, tuple(self.done), tuple(sorted(lines(kept, Wanted(), now), key=place_in_time)),
            tuple(items(kept, Wanted(due=True), now)), kept, now, tuple(self.failures), tuple(self.unknown()),
        )  # fmt: skip

    async def open(self, name: str, table: Record, called: str) -> None:
        book = load(table.rulebook)
        date = table.house.date or self.files.now(book).date
        house = msgspec.structs.replace(table.house, date=date)
        link = await self.linked(name, table.rulebook, house)
        opening = Opening(table.rulebook, called, house=house, uncounted=not table.house.counted, link=link)
        answer = await self.floor.open_table(Caller("casino-supervisor", "supervisor"), "", name, opening)
        host = self.floor.hosts.get(name)
        if not isinstance(answer, Accepted) or host is None:
            raise RecordError(f"tables.{name}: {_why(answer)[0]}", file=self.record.file)
        host._permit = lambda caller, act, state: None  # the rules say who may do what, and no account of a floor does
        self.hosts[name], self.stacks[name] = host, 0
        if name in self.record.with_cards and table.start == "ready":
            await self.make_ready(name)

    async def linked(self, name: str, rulebook: str, house: House) -> str:
        """The jackpot that a table shares with others; the first of them opens it."""
        link, wager = self.record.links.get(name, ("", 0))
        links = links_of(self.floor)
        if link and link not in links.pools:
            shared = LinkOpening(
                rulebook, house.jackpot_cents, house.jackpot_minimum_cents, house.jackpot_rate_percent, wager
            )
            answer = await links.open(Caller("casino-supervisor", "supervisor"), "", link, shared)
            if not isinstance(answer, Accepted):
                raise RecordError(f"tables.{name}.link: {_why(answer)[0]}", file=self.record.file)
        elif link and links.pools[link].known.wager_cents != wager:
            reason = f"every table on the jackpot {link} has the same link_wager"
            raise RecordError(f"tables.{name}.link_wager: {reason}", file=self.record.file)
        return link

    async def make_ready(self, name: str) -> None:
        """The first stack is shuffled, cut and in the shoe."""
        answer = await self.act_at(name, "dealer", "house", a.Shuffle((), _usual(self.hosts[name])))
        while isinstance(answer, Accepted) and waiting_for(self.hosts[name].table).what in ("cut", "cutting-card"):
            answer = await self.act_at(name, "dealer", "house", legal_acts(self.hosts[name].table)[0])
        if not isinstance(answer, Accepted):
            raise RecordError(f"tables.{name}.cards: {_why(answer)[0]}", file=self.record.file)

    async def identify(self) -> None:
        """Where the rulebook wants a card, everybody has one, but for strangers and those who get it by a line."""
        if not self.book.wagers.player_card.value:
            return
        acts = self.record.acts
        at_tables = [said.who for said in acts if said.role == "player" and said.where in self.hosts]
        with_file = {said.where.removeprefix(PERSON): said for said in acts if said.where.startswith(PERSON)}
        own = {said.where.removeprefix(PERSON) for said in acts if isinstance(said.act, (p.Identify, p.IssueCard))}
        unknown = own | set(self.record.strangers)
        names = [name for name in dict.fromkeys([*at_tables, *with_file]) if is_name(name) and name not in unknown]
        for number, name in enumerate(names, start=1):
            for act in (p.Identify("", "passport"), p.IssueCard("", f"C-{number:04}")):
                done = await self.files.do(Caller("casino-supervisor", "supervisor"), name, self.book, act)
                if not isinstance(done, tuple):
                    raise RecordError(f"{name}: {done}", file=self.record.file)

    # --- time ---

    async def until(self, at_ms: int) -> None:
        """Let time pass, and everything happen by itself that is due by then, each at its minute."""
        while True:
            sign = self.next_sign(at_ms)
            check = self.checks[0] if self.checks and _ms(self.checks[0].at) < at_ms else None
            if check is not None and (sign is None or _ms(check.at) < sign[0]):
                self.clock.ms = max(self.clock.ms, _ms(check.at))
                self.check(self.checks.pop(0))
            elif sign is not None:
                await self.carry_out(*sign)
            else:
                break
        self.clock.ms = max(self.clock.ms, at_ms)
        if (
            self.checks
            and _ms(self.checks[0].at) == at_ms
            and not any(_ms(said.at) == at_ms for said in self.record.acts[len(self.done) :])
        ):
            self.check(self.checks.pop(0))

    def next_sign(self, at_ms: int) -> tuple[int, str] | None:
        found = []
        for name, host in self.hosts.items():
            sign = None if host.closed else first_due(host.table)
            due = sign.at_ms + sign.minutes * 60_000 if sign is not None else at_ms + 1
            if due <= at_ms and (due, name) not in self.tried:
                found.append((due, name))
        return min(found, default=None)

    async def carry_out(self, due: int, name: str) -> None:
        """The floor sets the limits that a sign announced."""
        self.tried.add((due, name))
        self.clock.ms = max(self.clock.ms, due)
        host, version = self.hosts[name], self.hosts[name].version
        self.floor.signs.look(host)
        for _ in range(200):
            if host.version > version or host not in self.floor.signs._asked:
                break
            await asyncio.sleep(0.005)

    # --- lines ---

    async def do(self, said: Said) -> None:
        if said.where.startswith(PERSON):
            await self.in_file(said, said.where.removeprefix(PERSON))
        elif said.where == "registers":
            await self.in_registers(said)
        elif said.where == "house":
            done = await self.files.turn_day(Caller(said.who, said.role), self.book, said.act)
            self.came_of(said, done if isinstance(done, (Refusal, Denied)) else None, (), (done,))
        else:
            host = self.hosts[said.where]
            version = host.version
            answer = await self.at_table(said)
            await self.followed_up()
            refused = None if isinstance(answer, Accepted) else answer
            events = self.happened(host, version) if refused is None else ()
            self.came_of(said, refused, [tell(each, host.table.rulebook) for each in events], events)

    async def followed_up(self) -> None:
        """What the floor does by itself after an act (winners of a shared jackpot are paid) is done before the next."""
        for _ in range(2_000):
            if all(host.is_idle for host in self.hosts.values()):
                return
            await asyncio.sleep(0.001)

    def happened(self, host: Host, after: int) -> tuple[Event, ...]:
        """All that a line brought at a table, what the table was told by itself before it as well."""
        entries = [each for each in self.floor.commits.log.read(host.stream, after) if each.kind == "act"]
        return public_events([event for each in entries for event in decode_act(each.body).events])

    async def at_table(self, said: Said) -> Answer:
        host = self.hosts[said.where]
        if said.act == CLOSES:
            return await self.floor.close_table(Caller(said.who, said.role), "", said.where)
        act = said.act
        if getattr(act, "box", None) == UNSAID_BOX:
            boxes = boxes_of(host.table, act.player)
            if len(boxes) > 1:
                shown_boxes = " and ".join(map(str, boxes))
                reason = f"{quoted(said.text)}: {act.player} has wagers on boxes {shown_boxes}: say on which"
                raise RecordError(reason, file=self.record.file, line=said.line)
            act = msgspec.structs.replace(act, box=boxes[0] if boxes else host.table.turn_box or 1)
        return await self.act_at(said.where, said.who, said.role, act)

    async def act_at(self, name: str, who: str, role: str, act: Any) -> Answer:
        if isinstance(act, (a.Shuffle, a.ClearJam)):
            act = msgspec.structs.replace(act, order=self.order(name, act))
        return await self.floor.act(Caller(who, role), name, "", act)

    def order(self, name: str, act: a.Shuffle | a.ClearJam) -> tuple[Card, ...]:
        """The cards that the record gives come first, and chance says how the others lie after them."""
        table = self.hosts[name].table
        whole = cards_to_shuffle(table) if isinstance(act, a.Shuffle) else table.stack[table.position :]
        stacks, number = self.record.tables[name][0].stacks, self.stacks[name]
        self.stacks[name] += 1
        first = stacks[number] if name in self.record.with_cards and number < len(stacks) else ()
        lie = (*first, *self.floor.chance.shuffled(tuple((Counter(whole) - Counter(first)).elements())))
        depth = self.cut_after(name, len(lie)) if isinstance(act, a.Shuffle) else 0
        return (*lie[len(lie) - depth :], *lie[: len(lie) - depth])

    def cut_after(self, name: str, size: int) -> int:
        """How many cards the cut that follows puts to the back: the record gives the order after it."""
        for said in self.record.acts[len(self.done) + 1 :] if self.is_on else ():
            if said.where == name and isinstance(said.act, (a.Cut, a.Shuffle)):
                return said.act.depth if isinstance(said.act, a.Cut) else 0
        return 0 if self.is_on or self.hosts[name].table.house.source == DEVICE else size // 2

    async def in_file(self, said: Said, name: str) -> None:
        who = name if said.role == "player" and not said.who else said.who
        done = await self.files.do(Caller(who, said.role), name, self.book, said.act)
        events: tuple[PatronEvent, ...] = done if isinstance(done, tuple) else ()
        told = [f"{name}: {tell_file(event)} ({self.book.name} {cite(event.clauses)})" for event in events]
        self.came_of(said, None if isinstance(done, tuple) else done, told, events)

    async def in_registers(self, said: Said) -> None:
        act = self.meant(said)
        refused = refuse(self.book, act, said.who)  # with the clause, before it is asked who has which account
        if refused is not None:
            self.came_of(said, refused, (), ())
            return
        before = {line.id for line in lines(self.kept(), Wanted(), 0)}
        answer = await self.registers.do(Caller(said.who, said.role), self.book, act, "")
        new = [line for line in lines(self.kept(), Wanted(), 0) if line.id not in before]
        told = [f"{line.register}: {line.text} ({self.book.name} {cite(line.clauses)})" for line in new]
        self.came_of(said, None if isinstance(answer, Accepted) else answer, told, new)
        if isinstance(act, MarkDone) and not isinstance(answer, Accepted) and not said.refused:
            due = items(self.kept(), Wanted(due=True), self.clock.ms)
            waits = "; ".join(quoted(item.text, 60) for item in due[:8]) or "nothing"
            self.failures[-1] = Failed(said.line, f"{self.failures[-1].text} Due then: {waits}")

    def meant(self, said: Said) -> AnyRegisterAct:
        """An item, or a complaint, may be named by words that stand in it alone."""
        act: AnyRegisterAct = said.act
        kept = self.kept()
        if isinstance(act, MarkDone):
            found: Iterable[Any] = items(kept, Wanted(due=True), self.clock.ms)
            name = self.one(said, act.item, found)
            if name == act.item:  # nothing that is due: what was done may be meant
                name = self.one(said, name, items(kept, Wanted(), self.clock.ms))
            return msgspec.structs.replace(act, item=name)
        if isinstance(act, AnswerComplaint):
            found = lines(kept, Wanted("complaints", kind="complaint"), self.clock.ms)
            return msgspec.structs.replace(act, complaint=self.one(said, act.complaint, found))
        return act

    def one(self, said: Said, words: str, among: Iterable[Any]) -> str:
        wanted = words.casefold().split()
        fits = []
        for each in among:
            if each.id == words:
                return words
            text = f"{each.text} {getattr(each, 'to', '')} {each.register} {each.table}".casefold()
            if all(word in text for word in wanted):
                fits.append(each.id)
        if len(fits) > 1:
            reason = f"{quoted(said.text)}: {len(fits)} fit these words: say more of the one that is meant"
            raise RecordError(reason, file=self.record.file, line=said.line)
        return fits[0] if fits else words

    def came_of(self, said: Said, refused: Any, told: Iterable[str], events: Iterable[Any]) -> None:
        if refused is None:
            plain = tuple(msgspec.to_builtins(each) for each in events)
            self.done.append(Done(said, tuple(told), plain))
            if said.refused:
                self.failures.append(Failed(said.line, f"{quoted(said.text)} was allowed, and was to be refused"))
            return
        text, clauses = _why(refused)
        self.done.append(Done(said, refusal=text, clauses=clauses))
        if not said.refused:
            self.failures.append(Failed(said.line, f"{quoted(said.text)} was refused. {text}"))
        elif said.refused != ANY_CLAUSE and not any(is_within(each, said.refused) for each in clauses):
            by = f"by {', '.join(clauses)}" if clauses else "by no clause"
            reason = f"{quoted(said.text)} was to be refused by {said.refused}, but was {by}: {text}"
            self.failures.append(Failed(said.line, reason))

    # --- what must be so ---

    def kept(self) -> Kept:
        return all_kept(self.floor.projections, self.registers.files)

    def check(self, wanted: Expected) -> None:
        kept, now = self.kept(), self.clock.now_ms()
        by_name = {each.name: each for each in counts(kept, now)}
        told = [item.to for item in items(kept, Wanted(due=True), now, notices=True)]
        hosts = self.hosts

        def no(key: str, name: str, found: object, meant: object) -> None:
            moment = (
                f"{wanted.at.astimezone(ZoneInfo(self.book.patrons.zone.value)):%Y-%m-%d %H:%M}, " if wanted.at else ""
            )
            self.failures.append(Failed(wanted.line, f"{moment}expect.{key}.{name}: {found}, not {meant}"))

        def compare(key: str, find_out: Callable[[str], object]) -> None:
            for name, meant in wanted.says.get(key, {}).items():
                found = find_out(name)
                if found != meant:
                    no(key, name, _said_as(found), _said_as(meant))

        def at_table(name: str) -> Any:
            if name not in hosts:
                raise RecordError(f"expect: there is no table {name[:40]!r}", file=self.record.file, line=wanted.line)
            return hosts[name].table

        def own_minimum(name: str) -> object:
            """Of somebody who is at a table, or was; of anybody else what the signs say, where all say the same."""
            found = [host.table for host in hosts.values() if name in host.table.players][-1:]
            minima = {minimum_for(table, name) for table in found or [host.table for host in hosts.values()]}
            return _dollars(minima.pop()) if len(minima) == 1 else "another at each table: name the table too"

        def next_due(name: str) -> object:
            at_ms = by_name[name].next_due_ms
            return local(calendar_of(self.book), at_ms).replace(tzinfo=None) if at_ms else "nothing"

        def net(name: str) -> object:
            return _dollars(sum(net_of(host.table).get(name, 0) for host in hosts.values()))

        def limits(name: str) -> object:
            return [
                _dollars(cents) for cents in (at_table(name).house.minimum_cents, at_table(name).house.maximum_cents)
            ]

        def jackpot(name: str) -> object:
            link = self.record.links.get(name)
            return _dollars(links_of(self.floor).pools[link[0]].pool_cents if link else at_table(name).jackpot_cents)

        def left(name: str) -> object:
            found = shown(self.files.file(name), self.book, self.files.now(self.book))["loss_left_cents"]
            return "no limit" if found is None else _dollars(found)

        compare("lines", lambda name: [line.kind for line in kept.lines[name]])
        for name, kinds in wanted.says.get("has", {}).items():
            found = iter([line.kind for line in kept.lines[name]])
            wants = [kinds] if isinstance(kinds, str) else kinds
            missing = next((kind for kind in wants if kind not in found), None)  # each looks on behind the one before
            if missing is not None:
                all_of_them = _said_as([line.kind for line in kept.lines[name]])
                no("has", name, all_of_them, f"{_said_as(wants)} in this order")
        compare("due", lambda name: by_name[name].due)
        compare("overdue", lambda name: by_name[name].overdue)
        for name, meant in wanted.says.get("told", {}).items():
            number = told.count(ALSO_CALLED.get(name, name))
            if number != meant:
                waits = ", ".join(f"{to} {many}" for to, many in Counter(told).items())
                no("told", name, number, f"{meant} ({f'there wait {waits}' if waits else 'nobody waits'})")
        compare("next", next_due)
        compare("limits", limits)
        for name, meant in wanted.says.get("minimum", {}).items():
            at = name if isinstance(meant, dict) else ""
            for person, cents in (meant if at else {name: meant}).items():
                least = _dollars(minimum_for(at_table(at), person)) if at else own_minimum(person)
                if least != cents:
                    no("minimum", f"{at}.{person}" if at else person, least, cents)
        compare("loss_left", left)
        compare("net", net)
        compare("jackpot", jackpot)
        for name, words in wanted.says.get("says", {}).items():
            for each in [words] if isinstance(words, str) else words:
                if not any(str(each).casefold() in line.text.casefold() for line in kept.lines[name]):
                    no("says", name, "no line says so", quoted(each))
        for key, closed in (("open", False), ("closed", True)):
            for name in wanted.says.get(key, ()):
                at_table(name)
                if hosts[name].closed is not closed:
                    no(key, name, "it is not", key)

    def unknown(self) -> Iterator[str]:
        known = {self.record.rulebook, *(table.rulebook for table, _ in self.record.tables.values())}
        named = [*self.record.clauses, *(said.refused for said in self.record.acts if said.refused)]
        for clause in dict.fromkeys(named):
            if clause != ANY_CLAUSE and not any(find(book, clause) for book in known):
                yield f"no rulebook of this record has a clause {quoted(clause)}"


# --- small things ----------------------------------------------------------------------------------------------------


def _ms(at: datetime.datetime | None) -> int:
    if at is None:
        raise Broken("a line of a floor record has no time")
    return round(at.timestamp() * 1000)


def _usual(host: Host) -> str:
    return DEVICE if host.table.house.source == DEVICE else "hand"


def _why(answer: Any) -> tuple[str, tuple[str, ...]]:
    """Why something was not done, and by which clauses."""
    if isinstance(answer, NotAllowed):
        answer = answer.refusal
    if isinstance(answer, Refusal):
        return str(answer), answer.clauses
    return getattr(answer, "text", type(answer).__name__), tuple(getattr(answer, "clauses", ()))


def _dollars(cents: int) -> int | Decimal:
    return cents // 100 if cents % 100 == 0 else Decimal(cents) / 100


def _said_as(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(_said_as, value)) or "nothing"
    if isinstance(value, datetime.datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    return str(value)
