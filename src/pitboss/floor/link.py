"""A jackpot on several tables, in several processes: one pool, exact to the cent (Blackjack Challenge 16.10, 16.11).

The pool is a stream of its own. Whatever a table's act does to the jackpot is written to that stream in the same
append as the act, so that there is no moment at which one has happened and the other has not. What is contributed does
not depend on where the pool stands, so that many tables contribute at once. What winners are paid does: a payment is
decided only on a pool that is durable and known, and where another process was faster it is stale and decided anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from pitboss.basics.money import LARGEST_CENTS, dollars, payable_up
from pitboss.floor.frozen import rulebook_of
from pitboss.rulebooks import load
from pitboss.store.log import Entry, Log, NewEntry, Part
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.blazing_sevens import Link
from pitboss.table.events import Event
from pitboss.table.house import BLAZING, House
from pitboss.table.refusals import Refusal, broken_unless
from pitboss.table.state import Table

WHOLE = 100
"""Percent of the jackpot that the top row of the pay table wins; the others win tenths."""


class LinkOpening(msgspec.Struct, frozen=True):
    """What every table on the jackpot has in common: the first entry of its stream."""

    rulebook: str
    pool_cents: int
    minimum_cents: int
    rate_percent: int
    wager_cents: int


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


def stream_of(link: str) -> str:
    return f"link:{link}"


class Pool:
    """One linked jackpot as this process knows it, and how many entries of its own are still on their way."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.stream = stream_of(name)
        self.tables: set[str] = set()
        self.version = 0
        self.decided_version = 0
        self._durable: Link | None = None

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

    def forget_undurable(self) -> None:
        """What was decided and not written never was."""
        self.decided_version = self.version

    def read_on(self, log: Log) -> list[Entry]:
        """Entries that this process has not seen yet; blocking."""
        return list(log.read(self.stream, self.version))

    # --- deciding ---

    def part_of(self, table: str, version: int, before: Table, after: Table, events: Iterable[Event]) -> Part | None:
        """What an act's events do to the pool, as a part of the act's append; None where they do nothing to it."""
        paid = sum(event.from_pool_cents for event in events if isinstance(event, e.JackpotPrizePaid))
        told = sum(event.added_cents for event in events if isinstance(event, e.JackpotSet) and event.reason == "link")
        contributed = after.jackpot_cents - before.jackpot_cents - told + paid
        if not contributed and not paid:
            return None
        return self._move(PoolMoved(table, version, contributed, paid, 0))

    def payment(self, table: str, version: int, waiting: Table) -> tuple[a.PayJackpot, Part]:
        """What the winners who wait at a table are paid, and what that does to the pool, which must be quiet."""
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
        moved = PoolMoved(table, version, 0, paid, after.pool_cents - (before.pool_cents - paid))
        return a.PayJackpot(each, share.from_pool_each), self._move(moved)

    def _move(self, moved: PoolMoved) -> Part:
        part = Part(self.stream, self.decided_version, (NewEntry("moved", msgspec.json.encode(moved)),))
        self.decided_version += 1
        return part

    def landed(self, part: Part) -> None:
        """A part of ours is durably written; where another's came before it, whoever follows the stream reads both."""
        if part.expected != self.version:
            return
        for index, entry in enumerate(part.entries, start=1):
            self.fold(Entry(0, self.stream, part.expected + index, 0, "", "", entry.kind, entry.body, b""))

    def refuse_wager(self, table: Table, act: a.AnyAct) -> Refusal | None:
        """Every jackpot wager on the link is of one amount (16.10)."""
        if not isinstance(act, a.PlaceWager) or act.kind != BLAZING or act.cents == self.known.wager_cents:
            return None
        clauses = (self.known.rulebook.blazing_7s.linked.value["wager"],)
        wanted = dollars(self.known.wager_cents)
        return Refusal(table.rulebook.name, clauses, f"every table on this jackpot has a jackpot wager of {wanted}.")

    def refuse_table(self, rulebook: str, variant: dict[str, Any], house: House) -> Refusal | None:
        """Why a table may not join, or None if it may."""
        return self.known.refuse_table(rulebook_of(rulebook, variant), house, self.known.wager_cents)


def link_of(opening: LinkOpening) -> Link:
    book = load(opening.rulebook)
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
