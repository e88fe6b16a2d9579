"""A jackpot on several tables, in several processes: one pool, exact to the cent (Blackjack Challenge 16.10, 16.11).

The pool is a stream of its own. Whatever a table's act does to the jackpot is written to that stream in the same
append as the act, so that there is no moment at which one has happened and the other has not. What is contributed does
not depend on where the pool stands, so that many tables contribute at once. What winners are paid does: a payment is
decided only on a pool that is durable and known, and where another process was faster it is stale and decided anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from pitboss.basics.money import LARGEST_CENTS, dollars, payable_up
from pitboss.floor import model as m
from pitboss.floor.attachments import Attachment, Commits, Decided, Spanning
from pitboss.floor.editions import learn_from, texts_of
from pitboss.floor.frozen import rulebook_of
from pitboss.floor.model import FLOOR, Answer, Caller, Opening
from pitboss.floor.naming import is_table_name
from pitboss.floor.permissions import may
from pitboss.ledger.guard import Breach
from pitboss.rulebooks import RulebookError, load
from pitboss.rulebooks.editions import edition
from pitboss.rulebooks.terms import Rulebook
from pitboss.store.log import Entry, Log, NewEntry, Part
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.blazing_sevens import Link
from pitboss.table.engine import refusal
from pitboss.table.house import BLAZING, House
from pitboss.table.refusals import Refusal, broken_unless
from pitboss.table.state import Table

if TYPE_CHECKING:
    from pitboss.floor.floor import Floor

WHOLE = 100
"""Percent of the jackpot that the top row of the pay table wins; the others win tenths."""


class LinkOpening(msgspec.Struct, frozen=True):
    """What every table on the jackpot has in common: the first entry of its stream."""

    rulebook: str
    pool_cents: int
    minimum_cents: int
    rate_percent: int
    wager_cents: int
    edition: str = ""
    """The digest of the rulebook's text, as in `Opening`."""


class Joined(msgspec.Struct, frozen=True):
    """A table came on to the jackpot."""

    table: str


class PoolMoved(msgspec.Struct, frozen=True):
    """What one act at one table did to the pool."""

    table: str
    version: int
    """The table's version with that act."""
    contributed_cents: int
    """Parts of jackpot wagers; below zero where wagers went back."""
    paid_cents: int
    added_cents: int
    """What the house put in so that the pool stands where the rules say; below zero for cents that rounding left."""


class LinkOpened(msgspec.Struct, frozen=True):
    """An entry of the stream `floor`."""

    link: str
    edition: str = ""


def stream_of(link: str) -> str:
    return f"link:{link}"


def to_the_pool(events: Iterable[e.Event]) -> tuple[int, int]:
    """What the events of an act contribute to a linked jackpot, and what they pay from it, in cents."""
    contributed = paid = 0
    for event in events:
        if isinstance(event, e.JackpotWagerCollected):
            contributed += event.to_jackpot_cents
        elif isinstance(event, e.JackpotPrizePaid):
            paid += event.from_pool_cents
        elif isinstance(event, e.JackpotSet) and event.reason != "link":
            contributed += event.added_cents
    return contributed, paid


class Pool(Attachment):
    """One linked jackpot as this process knows it, and how many entries of its own are still on their way."""

    is_shown = True

    def __init__(self, name: str) -> None:
        self.name = name
        self.stream = stream_of(name)
        self.tables: set[str] = set()
        self.version = 0
        self.decided_version = 0
        self._durable: Link | None = None
        self.unread: RulebookError | None = None
        """Why the pool cannot be read: the text that it was opened under is not at hand."""

    @property
    def is_open(self) -> bool:
        return self._durable is not None

    @property
    def pool_cents(self) -> int:
        """Where the pool durably stands."""
        return self._durable.pool_cents if self._durable is not None else 0

    @property
    def known(self) -> Link:
        """The link as it durably stands."""
        broken_unless(self._durable is not None, f"the jackpot {self.name} is not open")
        assert self._durable is not None
        return self._durable

    @property
    def is_quiet(self) -> bool:
        """Whether nothing of this process is on its way to the pool."""
        return self.decided_version == self.version

    # --- folding ---

    def fold(self, entry: Entry) -> None:
        if entry.version <= self.version:
            return
        broken_unless(entry.version == self.version + 1, f"{self.stream}: entry {self.version + 1} is missing")
        if entry.kind == "opened":
            said = msgspec.json.decode(entry.body, type=LinkOpening)
            self._durable = link_of(said)
        elif entry.kind == "joined":
            self.tables.add(msgspec.json.decode(entry.body, type=Joined).table)
        else:
            moved = msgspec.json.decode(entry.body, type=PoolMoved)
            after = self.pool_cents + moved.contributed_cents - moved.paid_cents + moved.added_cents
            self._durable = msgspec.structs.replace(self.known, pool_cents=after)
        self.version = entry.version
        self.decided_version = max(self.decided_version, self.version)

    async def follow(self, commits: Commits) -> bool:
        """Fold entries that this process has not seen yet; whether there were any."""
        try:
            entries = await commits.run(self._read_on, commits.log)
            for entry in entries:
                self.fold(entry)
        except RulebookError as error:
            self.unread = error
            return False
        self.unread = None
        if entries:
            self.decided_version = self.version
        return bool(entries)

    async def recover(self, commits: Commits) -> None:
        """What was decided and not written never was."""
        await self.follow(commits)
        self.decided_version = self.version

    def _read_on(self, log: Log) -> list[Entry]:
        entries = list(log.read(self.stream, self.version))
        for entry in entries:
            if entry.kind == "opened":
                said = msgspec.json.decode(entry.body, type=LinkOpening)
                learn_from(log, said.rulebook, said.edition)
        return entries

    # --- deciding ---

    def tells_first(self, table: Table, act: a.AnyAct) -> Iterable[a.AnyAct]:
        """Before a deal the table learns where the jackpot stands."""
        if not isinstance(act, a.Deal) or table.jackpot_cents == self.pool_cents or refusal(table, act) is not None:
            return ()
        told = a.SetJackpot(self.pool_cents)
        return (told,) if refusal(table, told) is None else ()

    def check(self, decided: Decided) -> None:
        """What the table's events say of the pool is what the link reckons; else the table stops."""
        moved = self._moved(decided)
        told = to_the_pool(decided.events)
        if told != (moved.contributed_cents, moved.paid_cents):
            said = f"{dollars(told[0])} to the pool and {dollars(told[1])} from it"
            ours = f"{dollars(moved.contributed_cents)} and {dollars(moved.paid_cents)}"
            raise Breach("jackpot", f"the table says {said}, the link {self.name} {ours}")

    def parts(self, decided: Decided) -> tuple[Part, ...]:
        """What an act's events do to the pool; nothing where they do nothing to it."""
        moved = self._moved(decided)
        return (self._move(moved),) if moved.contributed_cents or moved.paid_cents or moved.added_cents else ()

    def _moved(self, decided: Decided) -> PoolMoved:
        """What an act does to the pool, by where the table's jackpot stood and stands, and by the link's own shares."""
        if isinstance(decided.act, a.PayJackpot):
            _, paid, added = self._payment(decided.before)
            return PoolMoved(decided.table, decided.version, 0, paid, added)
        events = decided.events
        paid = sum(event.from_pool_cents for event in events if isinstance(event, e.JackpotPrizePaid))
        told = sum(event.added_cents for event in events if isinstance(event, e.JackpotSet) and event.reason == "link")
        contributed = decided.after.jackpot_cents - decided.before.jackpot_cents - told + paid
        return PoolMoved(decided.table, decided.version, contributed, paid, 0)

    def follow_up(self, table: Table) -> a.AnyAct | None:
        """Winners who wait for the link are paid at once, from a quiet pool; whoever makes it quiet asks again."""
        return self._payment(table)[0] if table.jackpot_waiting and self.is_quiet else None

    def _payment(self, waiting: Table) -> tuple[a.PayJackpot, int, int]:
        """What winners who wait are paid; what the pool pays of it, and what the house adds to the pool."""
        percents = {row.name: row.share_percent for row in waiting.rulebook.blazing_7s.pays.value}
        shares = [percents[result] for _, _, result in waiting.jackpot_waiting]
        broken_unless(len(set(shares)) == 1, "winners of different shares wait for one payment")
        count = len(shares)
        tops = count if shares[0] == WHOLE else 0
        before = self.known
        after, top, tenth = before.settled(tops, count - tops)
        share = top or tenth
        assert share is not None
        each = payable_up(share.cents_each, waiting.house.chips_cents)
        paid = share.from_pool_each * count
        added = after.pool_cents - (before.pool_cents - paid)
        return a.PayJackpot(each, share.from_pool_each), paid, added

    def _move(self, moved: PoolMoved) -> Part:
        part = Part(self.stream, self.decided_version, (NewEntry("moved", msgspec.json.encode(moved)),))
        self.decided_version += 1
        return part

    def landed(self, parts: tuple[Part, ...]) -> None:
        """Where another's entry came before ours, whoever follows the stream reads both."""
        (part,) = parts
        if part.expected != self.version:
            return
        for index, entry in enumerate(part.entries, start=1):
            self.fold(Entry(0, self.stream, part.expected + index, 0, "", "", entry.kind, entry.body, b""))

    def shows(self) -> dict[str, Any]:
        return {"link": {"id": self.name, "cents": self.pool_cents}}

    def refuse(self, table: Table, act: a.AnyAct) -> Refusal | None:
        """Every jackpot wager on the link is of one amount (16.10)."""
        if not isinstance(act, a.PlaceWager) or act.kind != BLAZING or act.cents == self.known.wager_cents:
            return None
        clauses = (self.known.rulebook.blazing_7s.linked.value["wager"],)
        wanted = dollars(self.known.wager_cents)
        return Refusal(table.rulebook.name, clauses, f"every table on this jackpot has a jackpot wager of {wanted}.")

    def refuse_table(self, rulebook: Rulebook, house: House) -> Refusal | None:
        """Why a table may not join, or None if it may."""
        return self.known.refuse_table(rulebook, house, self.known.wager_cents)


class Links(Spanning):
    """Every linked jackpot of the floor."""

    def __init__(self, floor: Floor) -> None:
        super().__init__(floor)
        self.pools: dict[str, Pool] = {}

    def fold(self, entry: Entry) -> None:
        if entry.kind == "link-opened":
            link = msgspec.json.decode(entry.body, type=LinkOpened).link
            self.pools.setdefault(link, Pool(link))

    async def follow(self) -> list[Attachment]:
        return [pool for pool in list(self.pools.values()) if await pool.follow(self.floor.commits)]

    def opens(self, table: str, opening: Opening) -> Answer | tuple[Part, ...]:
        if not opening.link:
            return ()
        pool = self.pools.get(opening.link)
        if pool is not None and pool.unread is not None:
            return m.Halted(str(pool.unread))
        if pool is None or not pool.is_open:
            return m.Unknown(f"there is no jackpot link {opening.link!r}.")
        assert opening.house is not None
        refused = pool.refuse_table(rulebook_of(opening), opening.house)
        if refused is not None:
            return m.NotAllowed(table, refused)
        joined = NewEntry("joined", msgspec.json.encode(Joined(table)))
        return (Part(pool.stream, pool.version, (joined,)),)

    async def attached_to(self, table: str, opening: Opening, now: Table) -> Attachment | None:
        pool = self.pools.get(opening.link) if opening.link else None
        if pool is not None and not pool.is_open:
            await self.floor.follow()
        if pool is not None and pool.unread is not None:
            raise pool.unread
        return pool

    async def open(self, caller: Caller, command: str, link: str, opening: LinkOpening) -> Answer:
        """Open a jackpot that tables can be opened on."""
        denied = may(caller, "open-table")
        if denied is not None:
            await self.floor.denied(caller, link, "open-table", denied)
            return denied
        if not is_table_name(link):
            return m.Unknown("a link's id is 1 to 40 small letters, digits and hyphens, as in sevens.")
        try:
            opening = msgspec.structs.replace(opening, edition=load(opening.rulebook).edition)
            refused = refuse_link(opening)
        except RulebookError as error:
            return m.Unknown(str(error))
        if refused is not None:
            return m.NotAllowed(link, refused)

        def decide() -> Answer | list[Part]:
            if link in self.pools:
                return m.Taken(f"there is a jackpot link {link} already; choose another name.")
            said = NewEntry("link-opened", msgspec.json.encode(LinkOpened(link, opening.edition)))
            return [
                Part(FLOOR, self.floor.version, (said,)),
                Part(stream_of(link), 0, (NewEntry("opened", msgspec.json.encode(opening)),)),
                *texts_of(self.floor).part(opening.rulebook, opening.edition),
            ]

        return await self.floor.on_the_floor(caller, command, decide, m.Accepted(link, 1)) or m.Halted(m.BUSY)


def links_of(floor: Floor) -> Links:
    """The linked jackpots of a floor."""
    return next(kind for kind in floor.spanning if isinstance(kind, Links))


def link_of(opening: LinkOpening) -> Link:
    """The link under the text that it was opened under."""
    book = edition(opening.rulebook, opening.edition)
    return Link(
        book,
        opening.pool_cents,
        opening.minimum_cents,
        opening.rate_percent,
        opening.wager_cents,
        book.blazing_7s.pays.value,
    )


def refuse_link(opening: LinkOpening) -> Refusal | None:
    """Why such a jackpot may not be opened under its rulebook, or None if it may."""
    book = load(opening.rulebook)
    terms = book.blazing_7s
    if not terms.offered.value:
        return Refusal(book.name, terms.offered.clauses, "the rulebook has no jackpot.")
    if opening.minimum_cents not in terms.minimums_cents.value:
        amounts = " or ".join(dollars(cents) for cents in terms.minimums_cents.value)
        return Refusal(book.name, terms.minimums_cents.clauses, f"the jackpot resets to {amounts}.")
    if opening.pool_cents < opening.minimum_cents:
        least = dollars(opening.minimum_cents)
        return Refusal(book.name, terms.resets.clauses, f"the jackpot does not stand below {least}.")
    if opening.pool_cents > LARGEST_CENTS:
        most = dollars(LARGEST_CENTS)
        return Refusal(book.name, terms.resets.clauses, f"the jackpot does not stand above {most} when it is opened.")
    if opening.wager_cents not in terms.amounts_cents.value:
        amounts = " or ".join(dollars(cents) for cents in terms.amounts_cents.value)
        return Refusal(book.name, terms.amounts_cents.clauses, f"a jackpot wager is {amounts}.")
    if not 0 <= opening.rate_percent <= WHOLE:
        return Refusal(book.name, (terms.linked.value["rate"],), "the rate is from 0 to 100 percent.")
    return None
