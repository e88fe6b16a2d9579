"""The patrons' book and the gaming day on a live floor: one stream a person, one for the day, in the floor's log.

A file is read from the log when it is wanted, and again before it is changed or shown, so that every process knows
what the others wrote. Who may write or read what is the rulebook's (`patrons.engine`, the term `patrons.looked_up_by`).
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import msgspec

from pitboss.floor.clock import Clock
from pitboss.floor.host import load_table
from pitboss.floor.host import stream_of as table_stream
from pitboss.floor.model import Caller, Denied
from pitboss.floor.permissions import AT_THE_TABLE
from pitboss.floor.shared_stream import TRIES, Commits
from pitboss.patrons.acts import EVERYWHERE, SELF, AnyPatronAct, IssueCard
from pitboss.patrons.engine import decide, evolve, turned
from pitboss.patrons.events import (
    AnyPatronEvent,
    OthersCardGivenBack,
    OthersCardHeld,
    PatronEvent,
    StakesCounted,
    StakesMoved,
)
from pitboss.patrons.gaming_day import (
    Calendar,
    DayAct,
    DayEvent,
    GamingDay,
    Moment,
    calendar_of,
    decide_day,
    evolve_day,
    moment,
)
from pitboss.patrons.stakes import counts_for_limits, for_practice
from pitboss.patrons.state import PatronFile, card_trouble, deposit_left, loss_left
from pitboss.rulebooks import RulebookError, load
from pitboss.rulebooks.clauses import cite
from pitboss.rulebooks.terms import Rulebook
from pitboss.rulebooks.vocabulary import the_role
from pitboss.store.log import (
    ERASED,
    GONE,
    PERSONAL,
    Append,
    Appended,
    Entry,
    Log,
    NewEntry,
    Part,
    Repeated,
    Stale,
    StoreError,
)  # fmt: skip
from pitboss.table.patrons_book import at_stake
from pitboss.table.refusals import Refusal
from pitboss.table.roles import may_act

T = TypeVar("T")
AT_A_TABLE = ("table", "where")
"""Fields of an act that name a table."""
WRITERS = frozenset({"dealer", "gaming-supervisor", "supervisor", "gaming-manager"})
"""Accounts that write in files of others and turn the day, as far as the rulebook lets their role."""
STREAM = PERSONAL
DAY_STREAM = "gaming-day"
CARDS = "card:"
FILE, DAY, CARD = "file", "day", "card"
DISCLAIMER = "the house is not liable where a gaming limit is passed by the player's own doing."
"""NSW pontoon 19.5 and Blackjack Challenge 20.5, as a player is shown them beside their limits."""


class PatronBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an entry of a person's stream holds."""

    rulebook: str
    events: tuple[AnyPatronEvent, ...]
    act: AnyPatronAct | None = None
    """None where the file learned it from a table."""
    role: str = ""
    table: str = ""


class CardBody(msgspec.Struct, frozen=True):
    """Whose a card is, for ever: a number that was withdrawn or replaced is nobody else's."""

    owner: str


class DayBody(msgspec.Struct, frozen=True):
    rulebook: str
    event: DayEvent


decode_body = msgspec.json.Decoder(PatronBody).decode
_decode_card = msgspec.json.Decoder(CardBody).decode
_decode_day = msgspec.json.Decoder(DayBody).decode
_encode = msgspec.json.Encoder().encode


class SaidInFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """In the place of an answer, where to find it: answers stand in the open in the log, and files are sealed."""

    file: str
    version: int


_decode_said = msgspec.json.Decoder(SaidInFile | tuple[AnyPatronEvent, ...]).decode
"""Logs of before have the events themselves."""
_decode_event = msgspec.json.Decoder(DayEvent).decode


def _holder(file: PatronFile) -> str:
    """With whom this person's card was found, while it is valid otherwise."""
    return file.card.lent_to.lower() if file.card is not None and not file.card.withdrawn else ""


def stream_of(name: str) -> str:
    return STREAM + name.lower()


def card_stream(number: str) -> str:
    """One stream a card, so that no two processes issue it to two people; its name does not tell the number."""
    return CARDS + hashlib.sha256(number.strip().casefold().encode()).hexdigest()[:32]


def _not_their_own(rulebook: Rulebook, number: str) -> Refusal:
    text = f"card {number} was issued to another person: a player card is one's own, so give this one another number."
    return Refusal(rulebook.name, rulebook.wagers.player_card.clauses, text)


def entry(name: str, body: PatronBody) -> NewEntry:
    """What is kept of a person is nobody's to read who reads the database: it is stored sealed, under their own key."""
    return NewEntry(FILE, _encode(body), hidden=True, owner=name.lower())


def learned_entry(name: str, rulebook: Rulebook, events: Iterable[PatronEvent], table: str) -> NewEntry:
    """The entry by which a file learns from a table."""
    return entry(name, PatronBody(rulebook.id, tuple(events), table=table))  # type: ignore[arg-type]


def after(file: PatronFile, entry: Entry) -> PatronFile:
    """A file with its next entry; of what was erased nothing is known, and from then on it begins anew."""
    if entry.kind in (ERASED, GONE):
        return PatronFile(file.name)
    return evolve(file, decode_body(entry.body).events)


class PatronBook:
    """The files that this process has looked at, and the gaming day."""

    def __init__(self, commits: Commits, clock: Clock) -> None:
        self._commits = commits
        self._clock = clock
        self._files: dict[str, tuple[PatronFile, int]] = {}
        self.helped: set[str] = set()
        """Whose files name a helper, of those that this process has read."""
        self.limited: set[str] = set()
        """Whose loss limit this process knows of, by their names in small letters."""
        self.strangers: set[str] = set()
        """Of whom nothing is written, and nothing on its way."""
        self.day = GamingDay()
        self._day_version = 0
        self._calendar: Calendar | None = None

    # --- what is known ---

    def knows(self, name: str) -> bool:
        """Whether the file has been read in this process."""
        return name.lower() in self._files

    def file(self, name: str) -> PatronFile:
        """As far as this process knows; somebody of whom nothing is written has an empty one."""
        return self.known(name)[0]

    def version(self, name: str) -> int:
        return self.known(name)[1]

    def known(self, name: str) -> tuple[PatronFile, int]:
        """File and version, in the name as it is written here: whoever looked first may have written it otherwise."""
        found = self._files.get(name) or self._files.get(name.lower()) or (PatronFile(name), 0)
        if found[0].name != name:
            found = (msgspec.structs.replace(found[0], name=name), found[1])
            self._files[name.lower()] = found
        return found

    def now(self, rulebook: Rulebook) -> Moment:
        """This moment by the clocks of the house: those of the day that is open, else the rulebook's."""
        calendar = self._calendar or calendar_of(rulebook)
        return moment(calendar, self._clock.now_ms(), self.day.opened)

    @property
    def date(self) -> datetime.date | None:
        """The gaming day that is open; None where none is."""
        return self.day.opened

    @property
    def calendar(self) -> Calendar | None:
        """The house's clocks, where a day was ever opened; else each rulebook's."""
        return self._calendar

    # --- folding ---

    def fold(self, entry: Entry) -> None:
        """Fold an entry of any stream if it is the next of a file that is known, or of the day."""
        if entry.stream == DAY_STREAM:
            self._fold_day(entry)
        elif entry.stream.startswith(STREAM):
            key = entry.stream.removeprefix(STREAM)
            known = self._files.get(key)
            if known is not None and entry.version == known[1] + 1:
                file = after(known[0], entry)
                self._files[key] = (file, entry.version)
                self.strangers.discard(key)
                (self.limited.discard if file.loss_limit is None else self.limited.add)(key)
                (self.helped.add if file.helper else self.helped.discard)(key)

    def _fold_day(self, entry: Entry) -> None:
        if entry.version == self._day_version + 1:
            body = _decode_day(entry.body)
            self.day = evolve_day(self.day, body.event)
            self._calendar = calendar_of(load(body.rulebook))
            self._day_version = entry.version

    async def load(self, name: str) -> PatronFile:
        """Read what is written of a person since this process last looked."""
        key = name.lower()
        known = self._files.setdefault(key, (PatronFile(name), 0))
        for entry in await self._commits.run(_entries, self._commits.log, stream_of(name), known[1]):
            self.fold(entry)
        return self.file(name)

    async def load_day(self) -> GamingDay:
        for entry in await self._commits.run(_entries, self._commits.log, DAY_STREAM, self._day_version):
            self._fold_day(entry)
        return self.day

    # --- writing ---

    async def do(
        self, caller: Caller, name: str, rulebook: Rulebook, act: AnyPatronAct, command: str = "", writer: str = ""
    ) -> tuple[PatronEvent, ...] | Refusal | Denied:
        """Carry an act out on a file under a rulebook, in the caller's own role; durable when it returns.

        The same command again gets the first answer. `writer` is who writes it down where it is not the caller.
        """
        role = role_on(caller, name)
        act = msgspec.structs.replace(act, by=role)
        await self.load_day()
        for _ in range(TRIES):
            file = await self.load(name)
            decided = decide(rulebook, file, act, self.now(rulebook))
            if not isinstance(decided, Refusal):
                decided = await self._no_such_table(rulebook, act) or decided
            if isinstance(decided, Refusal):
                first = await self._commits.run(self._commits.log.answer, command) if command else None
                return decided if first is None else await self._said_in_file(first)
            body = entry(name, PatronBody(rulebook.id, decided, act, role))  # type: ignore[arg-type]
            part = Part(stream_of(name), self.version(name), (body,))
            parts: tuple[Part, ...] = (part, *await self._of_whoever_has_the_card(file, rulebook, decided))
            if isinstance(act, IssueCard):
                owner = await self._owner_of(act.number)
                if owner not in ("", name.lower()):
                    return _not_their_own(rulebook, act.number)
                if not owner:
                    new = NewEntry(CARD, _encode(CardBody(name.lower())), hidden=True)
                    parts = (*parts, Part(card_stream(act.number), 0, (new,)))
            said = _encode(SaidInFile(part.stream, part.expected + 1)) if command else b""
            item = Append(parts, self._clock.now_ms(), writer or caller.name, command, said)
            outcome = await self._commits.append(item)
            if isinstance(outcome, (Appended, Repeated)):
                await self.load(name)
                if self.file(name).stakes_uncounted:
                    await self.count_what_lies(name, rulebook, writer or caller.name)
                return decided if isinstance(outcome, Appended) else await self._said_in_file(outcome.answer)
            if not isinstance(outcome, Stale):
                raise StoreError(f"{part.stream}: the log answered {type(outcome).__name__}; nothing was written.")
        raise StoreError(f"{stream_of(name)}: others are writing faster than this process can; try again.")

    async def _of_whoever_has_the_card(
        self, file: PatronFile, rulebook: Rulebook, decided: tuple[PatronEvent, ...]
    ) -> list[Part]:
        """What the file of somebody with whom this person's card was found learns: they play with their own only."""
        after = evolve(file, decided)
        had, has = (_holder(file), _holder(after))
        clauses, found = rulebook.wagers.player_card.clauses, []
        for other, event in ((had, OthersCardGivenBack), (has, OthersCardHeld)):
            if had == has or not other:
                continue
            await self.load(other)
            version = self.version(other)
            if version:  # of whom nothing is kept has no card of their own
                found.append(
                    Part(stream_of(other), version, (learned_entry(other, rulebook, [event(clauses, file.name)], ""),))
                )
        return found

    async def _said_in_file(self, answer: bytes) -> tuple[PatronEvent, ...] | Denied:
        """The first answer to a command, read from the file."""
        said = _said_before(_decode_said, answer)
        if not isinstance(said, SaidInFile):
            return said
        for entry in await self._commits.run(_entries, self._commits.log, said.file, said.version - 1):
            return decode_body(entry.body).events if entry.kind == FILE else ()
        raise StoreError(f"{said.file}: the log has no entry {said.version} of it.")

    async def _no_such_table(self, rulebook: Rulebook, act: AnyPatronAct) -> Refusal | None:
        """What is kept for one table is kept for one that there is or was."""
        for field in AT_A_TABLE:
            table = getattr(act, field, EVERYWHERE)
            if table != EVERYWHERE and not await self._commits.run(self._commits.log.version, table_stream(table)):
                text = f"there is no table {table!r}: name one of the floor by its id"
                clauses = rulebook.patrons.looked_up_by.clauses
                return Refusal(rulebook.name, clauses, f"{text}{', or * for all.' if field == 'where' else '.'}")
        return None

    async def count_what_lies(self, name: str, rulebook: Rulebook, by: str = "") -> None:
        """Where somebody sets a first loss limit, what they have on any table counts against it at once.

        From that limit on, whoever stakes or settles anything of theirs writes to the file: what is written here is
        written only where nobody has done so since the tables were read. Where a process that set a limit has died
        before it counted, whichever hears of the next stake does it.
        """
        clauses = rulebook.wagers.loss_limit.clauses
        for _ in range(TRIES):
            file = await self.load(name)
            if not file.stakes_uncounted:
                return
            lying = await self._commits.run(_lying, self._commits.log, name)
            moves = (
                StakesMoved(clauses, table, version, cents, 0, practice)
                for table, (version, cents, practice) in lying.items()
                if table not in file.open and table not in file.practice.open
            )
            new = learned_entry(name, rulebook, (*moves, StakesCounted(clauses)), "")
            part = Part(stream_of(name), self.version(name), (new,))
            outcome = await self._commits.append(Append((part,), self._clock.now_ms(), by))
            await self.load(name)
            if isinstance(outcome, Appended):
                return

    async def _owner_of(self, number: str) -> str:
        """To whom a card of this number was ever issued; "" where to nobody."""
        found = await self._commits.run(_entries, self._commits.log, card_stream(number), 0)
        return _decode_card(found[0].body).owner if found else ""

    async def turn_day(
        self, caller: Caller, rulebook: Rulebook, act: DayAct, command: str = ""
    ) -> DayEvent | Refusal | Denied:
        """Open or close the gaming day."""
        act = msgspec.structs.replace(act, by=AT_THE_TABLE.get(caller.role, caller.role))
        for _ in range(TRIES):
            await self.load_day()
            calendar = self._calendar if self.day.opened is not None and self._calendar else calendar_of(rulebook)
            event = decide_day(rulebook, calendar, self.day, act, self._clock.now_ms())
            if isinstance(event, Refusal):
                first = await self._commits.run(self._commits.log.answer, command) if command else None
                return event if first is None else _said_before(_decode_event, first)
            new = NewEntry(DAY, _encode(DayBody(rulebook.id, event)))
            part = Part(DAY_STREAM, self._day_version, (new,))
            said = _encode(event) if command else b""
            outcome = await self._commits.append(Append((part,), event.at_ms, caller.name, command, said))
            if isinstance(outcome, (Appended, Repeated)):
                await self.load_day()
                return event if isinstance(outcome, Appended) else _said_before(_decode_event, outcome.answer)
            if not isinstance(outcome, Stale):
                raise StoreError(f"{part.stream}: the log answered {type(outcome).__name__}; nothing was written.")
        raise StoreError(f"{DAY_STREAM}: others are writing faster than this process can; try again.")

    # --- looking up ---

    async def look_up(self, caller: Caller, name: str, rulebook: Rulebook) -> dict[str, Any] | Denied:
        """A person's file for somebody who may see it: the person, or the role that the rulebook names."""
        denied = may_look_up(caller, name, rulebook)
        if denied is not None:
            return denied
        await self.load_day()
        await self.load(name)
        found = shown(self.file(name), rulebook, self.now(rulebook))
        return without_private_words(found, rulebook) if caller.role == "player" else found


def _said_before(decode: Callable[[bytes], T], answer: bytes) -> T | Denied:
    """The first answer to a command; another kind of command may have had its id."""
    try:
        return decode(answer)
    except msgspec.MsgspecError:
        return Denied("this id was used for something else: choose another.")


def _entries(log: Log, stream: str, after: int) -> list[Entry]:
    return list(log.read(stream, after))


def _lying(log: Log, name: str) -> dict[str, tuple[int, int, bool]]:
    """What somebody has on each open table, undecided, at which version of it, and whether for practice. Blocking."""
    found = {}
    for stream, version in log.streams(table_stream("")).items():
        last = next(iter(log.read(stream, version - 1, 1)), None)
        if last is None or last.kind == "closed":
            continue
        table = stream.removeprefix(table_stream(""))
        try:
            loaded = load_table(log, table)
        except RulebookError:
            continue  # nothing is played there before its text is found, and it counts then
        player = next((each for each in loaded.table.players if each.lower() == name.lower()), "") if loaded else ""
        if loaded is not None and player and counts_for_limits(loaded.table) and at_stake(loaded.table, player):
            found[table] = (loaded.version, at_stake(loaded.table, player), for_practice(loaded.table))
    return found


def role_on(caller: Caller, name: str) -> str:
    """As whom somebody writes in a file: the person in their own, staff in their role."""
    if caller.role == "player":
        return SELF if caller.name.lower() == name.lower() else "nobody"
    return AT_THE_TABLE[caller.role] if caller.role in WRITERS else "nobody"


def may_look_up(caller: Caller, name: str, rulebook: Rulebook) -> Denied | None:
    """What is kept of a person is for the person, for whoever the rulebook names, and for an inspector."""
    if caller.role == "player" and caller.name.lower() == name.lower():
        return None
    term = rulebook.patrons.looked_up_by
    role = AT_THE_TABLE.get(caller.role, "")
    if caller.role == "inspector" or (caller.role != "tournament-manager" and may_act(role, term.value)):
        return None
    text = f"{the_role(term.value)} looks up a patron's file, not {the_role(caller.role)}."
    return Denied(text, term.clauses)


def without_private_words(view: dict[str, Any], rulebook: Rulebook) -> dict[str, Any]:
    """A file as its own person sees it: what is so and by which clause, not what staff wrote down about it."""
    clauses = {row.name: row.clauses for row in rulebook.limits.restrictions.value}
    for each in view["restrictions"]:
        each["why"] = "" if each["rulebook"] != rulebook.id else cited(rulebook, clauses.get(each["rule"], ()))
    for each in view["exclusions"]:
        term = rulebook.patrons.excluded_by if each["scope"] == "casino" else rulebook.irregularities.barred_by
        each["why"] = "" if each["rulebook"] != rulebook.id else cited(rulebook, term.clauses)
    if view["recognised"]:
        view["recognised"] = cited(rulebook, rulebook.patrons.recognised_by.clauses)
    if view["card"] and view["card"]["withdrawn"]:
        view["card"]["withdrawn"] = cited(rulebook, rulebook.patrons.card_by.clauses)
    return view


def cited(rulebook: Rulebook, clauses: tuple[str, ...]) -> str:
    return f"{rulebook.game.name.value} {cite(clauses)}"


def shown(file: PatronFile, rulebook: Rulebook, now: Moment) -> dict[str, Any]:
    """A file in plain data, with what follows from it today."""
    file = evolve(file, turned(rulebook, file, now))
    view: dict[str, Any] = msgspec.to_builtins(file)
    del view["stakes_uncounted"]
    view["date"] = now.date.isoformat()
    view["rulebook"] = rulebook.id
    view["card_trouble"] = card_trouble(file, now.date)
    view["loss_left_cents"] = loss_left(file)
    view["deposit_left_cents"] = deposit_left(file)
    view["practice"]["loss_left_cents"] = loss_left(file, practice=True)
    for key in ("restrictions", "exclusions"):
        for each, known in zip(view[key], getattr(file, key), strict=True):
            each["holds"] = known.holds_on(now.date)
    view["note"] = DISCLAIMER if rulebook.wagers.loss_limit.value else ""
    return view
