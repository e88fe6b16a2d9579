"""What happened to a person's file, with the clauses that are its cause. Applying events reads no rules."""

from __future__ import annotations

import datetime
from typing import TypeAlias, Union

import msgspec


class PatronEvent(msgspec.Struct, frozen=True, tag_field="event", tag=lambda name: name, omit_defaults=True):
    """The base of all events of a file."""

    clauses: tuple[str, ...]


class Identified(PatronEvent, frozen=True):
    document: str


class CardIssued(PatronEvent, frozen=True):
    number: str
    issued: datetime.date
    expires: datetime.date | None = None


class CardWithdrawn(PatronEvent, frozen=True):
    reason: str


class CardLent(PatronEvent, frozen=True):
    lent_to: str


class CardReturned(PatronEvent, frozen=True):
    pass


class OthersCardHeld(PatronEvent, frozen=True):
    """The card of another was found with this person, who plays again when its owner has it back."""

    owner: str


class OthersCardGivenBack(PatronEvent, frozen=True):
    owner: str


class LossLimitSet(PatronEvent, frozen=True):
    """A lower limit holds at once; a higher one, another period, or none, from the next period on (`later`)."""

    cents: int | None
    period: str
    start: datetime.date
    """The first day of the period that runs."""
    later: bool = False
    first: bool = False
    """No limit held before: what lies on the tables is still to be counted against it (`StakesCounted`)."""


class PeriodTurned(PatronEvent, frozen=True):
    """A new period of the loss limit began: what was won and lost before no longer counts."""

    start: datetime.date
    cents: int | None
    """The limit that holds in it; None where it was lifted."""
    period: str


class DepositLimitSet(PatronEvent, frozen=True):
    cents: int | None
    day: datetime.date
    later: bool = False


class DepositDayTurned(PatronEvent, frozen=True):
    day: datetime.date
    cents: int | None


class Deposited(PatronEvent, frozen=True):
    cents: int
    day: datetime.date
    practice: bool = False
    """For chips of a practice table, which are no money."""


class PocketChanged(PatronEvent, frozen=True):
    """Chips went from a table with the person, or came to it with them (below zero)."""

    table: str
    cents: int


class StakesMoved(PatronEvent, frozen=True):
    """What an act at a table did to the person's stakes: reserved, released or settled."""

    table: str
    version: int
    """The table's version with that act."""
    open_cents: int
    """What they have on that table's layout after it, undecided."""
    net_cents: int = 0
    """What was decided: won above zero, lost below."""
    practice: bool = False
    """At a practice table, whose chips are no money."""


class StakesCounted(PatronEvent, frozen=True):
    """What lay on the tables when a first limit was set has been counted against it."""


class ChipsDeclared(PatronEvent, frozen=True):
    table: str
    what: str
    cents: int
    at_ms: int


class Paused(PatronEvent, frozen=True):
    by: str


class Resumed(PatronEvent, frozen=True):
    by: str


class MaximumAllowed(PatronEvent, frozen=True):
    by: str
    table: str
    maximum_cents: int
    minimum_cents: int = 0


class PatronRestricted(PatronEvent, frozen=True):
    by: str
    rulebook: str
    rule: str
    where: str
    why: str
    until: datetime.date | None = None
    told: str = "nobody"
    """Who was told or consulted, as the clause wants."""


class PatronRestrictionLifted(PatronEvent, frozen=True):
    by: str
    rulebook: str
    rule: str
    where: str


class Excluded(PatronEvent, frozen=True):
    by: str
    rulebook: str
    scope: str
    why: str
    until: datetime.date | None = None


class Admitted(PatronEvent, frozen=True):
    by: str
    rulebook: str
    scope: str


class Recognised(PatronEvent, frozen=True):
    by: str
    why: str
    recognised: bool = True


class HelperNamed(PatronEvent, frozen=True):
    helper: str


class OldMinimumKept(PatronEvent, frozen=True):
    """They play on at the minimum from before a rise (0: no longer)."""

    table: str
    cents: int


AnyPatronEvent: TypeAlias = Union[
    Identified, CardIssued, CardWithdrawn, CardLent, CardReturned, LossLimitSet, PeriodTurned, DepositLimitSet,
    DepositDayTurned, Deposited, PocketChanged, StakesMoved, StakesCounted, ChipsDeclared, Paused, Resumed,
    MaximumAllowed, PatronRestricted, PatronRestrictionLifted, Excluded, Admitted, Recognised, HelperNamed,
    OldMinimumKept, OthersCardHeld, OthersCardGivenBack,
]  # fmt: skip
