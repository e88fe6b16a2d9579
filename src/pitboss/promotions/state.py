"""A promotion as a value: only `evolve` makes a new one. And what is due in it at a moment."""

from __future__ import annotations

import datetime

import msgspec

from pitboss.promotions.conditions import Conditions

OPERATOR = "casino operator"

WON, AWARDED, DENIED, SET_ASIDE = "won", "awarded", "denied", "set aside"


class Duty(msgspec.Struct, frozen=True, omit_defaults=True):
    """What somebody must do, by which clauses, and until when."""

    key: str
    clauses: tuple[str, ...]
    who: str
    what: str
    since: datetime.datetime
    to: str = ""
    due: datetime.datetime | None = None
    """None: as soon as practicable."""
    met: datetime.datetime | None = None
    lapsed: str = ""
    """Why it need not be done any more."""

    @property
    def is_open(self) -> bool:
        return self.met is None and not self.lapsed

    def overdue(self, at: datetime.datetime) -> bool:
        """Whether it is not done at a moment after its time."""
        return self.is_open and self.due is not None and at > self.due

    @property
    def late(self) -> bool:
        return self.met is not None and self.due is not None and self.met > self.due


class Ticket(msgspec.Struct, frozen=True):
    """Entries of somebody that were received at one moment."""

    name: str
    first: int
    """The number of the first of them; they are numbered in the order in which they came."""
    entries: int
    at: datetime.datetime


class Drawing(msgspec.Struct, frozen=True):
    """How one draw stands."""

    name: str
    due: datetime.datetime
    closes: datetime.datetime
    status: str = "waiting"
    """waiting, postponed, made, cancelled."""
    digest: str = ""
    needs_word: bool = False
    """Whoever knows the secret could know the entries, or has changed them since."""
    made: datetime.datetime | None = None
    published: bool = False


class Win(msgspec.Struct, frozen=True):
    prize: str
    name: str
    draw: str
    value_cents: int
    status: str = WON
    """won, awarded, denied, set aside."""
    told: bool = False
    attempts: int = 0


class Denied(msgspec.Struct, frozen=True):
    """A claim that was denied; where its details must be kept, with the claimant's name and address."""

    name: str
    prize: str
    value_cents: int
    why: str
    at: datetime.datetime
    kept: bool = False
    full_name: str = ""
    address: str = ""
    told: bool = False


class Dispute(msgspec.Struct, frozen=True):
    number: int
    name: str
    what: str
    ruling: str = ""
    satisfied: bool = True
    advised: bool = False


class Promotion(msgspec.Struct, frozen=True):
    """Everything that is known of one promotion."""

    conditions: Conditions | None = None
    status: str = "new"
    """new, offered, running, postponed, ended."""
    last: datetime.datetime | None = None
    """When something happened last: time runs forward."""
    version: int = 1
    """Of the terms."""
    filed: int = 0
    """Which version was filed last."""
    earliest: datetime.datetime | None = None
    """When it may begin under the terms that were filed."""
    begun: bool = False
    published: tuple[str, ...] = ()
    marketing: tuple[str, ...] = ()
    tickets: tuple[Ticket, ...] = ()
    totals: dict[str, int] = {}
    """How many entries each person has."""
    struck: frozenset[str] = frozenset()
    scrutineer: str = ""
    draws: dict[str, Drawing] = {}
    wins: dict[str, Win] = {}
    """By prize: the last that it was won."""
    claims: dict[str, tuple[str, ...]] = {}
    """By prize, who has claimed it."""
    denied: tuple[Denied, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    compromised: dict[str, datetime.datetime] = {}
    """What is compromised and not validated, since when."""
    vouchers: dict[str, int] = {}
    """What people have in vouchers that are not exchanged yet, in cents."""
    duties: dict[str, Duty] = {}

    def entries_of(self, name: str) -> int:
        return 0 if name in self.struck else self.totals.get(name, 0)

    @property
    def entries(self) -> int:
        """How many there are, also those that were struck out: they are numbered one after the other."""
        return self.tickets[-1].first + self.tickets[-1].entries - 1 if self.tickets else 0

    def entries_in(self, draw: str) -> tuple[str, ...]:
        """Every entry that takes part in a draw, as ``alice#3``: those that came before it closes and were not struck.

        Who is in it and in which order follows from what was written down before the draw, and from nothing else.
        """
        closes = self.draws[draw].closes
        return tuple(
            f"{each.name}#{number}"
            for each in self.tickets
            if each.at <= closes and each.name not in self.struck
            for number in range(each.first, each.first + each.entries)
        )


def due(promotion: Promotion, at: datetime.datetime | None = None) -> tuple[Duty, ...]:
    """What is to be done: what has a time first, the earliest first; with a moment only what has arisen by then."""
    found = [each for each in promotion.duties.values() if each.is_open and (at is None or each.since <= at)]
    return tuple(sorted(found, key=lambda each: (each.due is None, each.due or each.since, each.key)))
