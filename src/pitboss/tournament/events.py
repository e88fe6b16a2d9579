"""What happened in a tournament, with the clauses that are its cause. Applying events reads no rules."""

from __future__ import annotations

import datetime
from typing import TypeAlias, Union

import msgspec

from pitboss.tournament.conditions import Conditions


class TournamentEvent(msgspec.Struct, frozen=True, tag_field="event", tag=lambda name: name, omit_defaults=True):
    """The base of all events."""

    clauses: tuple[str, ...]


class EntriesOpened(TournamentEvent, frozen=True):
    conditions: Conditions
    left_open: tuple[str, ...] = ()
    """What the conditions say nothing of, where they need not."""


class ConditionsChanged(TournamentEvent, frozen=True):
    conditions: Conditions
    keys: tuple[str, ...]


class CopyGiven(TournamentEvent, frozen=True):
    name: str


class AgreementSigned(TournamentEvent, frozen=True):
    name: str


class Applied(TournamentEvent, frozen=True):
    name: str
    number: int
    reserve: bool = False
    person: str = ""
    """Whose further entry it is; "" for a first one."""


class EntryRefused(TournamentEvent, frozen=True):
    name: str
    why: str
    refund_cents: int = 0
    from_commission_cents: int = 0


class FeePaid(TournamentEvent, frozen=True):
    name: str
    cents: int
    commission_cents: int = 0


class EntryWithdrawn(TournamentEvent, frozen=True):
    name: str
    refund_cents: int = 0
    from_commission_cents: int = 0


class ValueAdded(TournamentEvent, frozen=True):
    what: str
    cents: int
    cash: bool = True
    place: int = 1


class EntriesClosed(TournamentEvent, frozen=True):
    entries: int
    too_few: bool = False


class GuaranteeMet(TournamentEvent, frozen=True):
    """The house makes the pool up to what it has guaranteed."""

    cents: int


class FeeRefunded(TournamentEvent, frozen=True):
    name: str
    cents: int
    commission_cents: int = 0
    """How much of it was commission."""


class TournamentCancelled(TournamentEvent, frozen=True):
    why: str


class BuyInRefunded(TournamentEvent, frozen=True):
    """Paid for chips with a cash value that were never issued."""

    name: str
    cents: int


class PoolReleased(TournamentEvent, frozen=True):
    """What is in the pool of a cancelled tournament beside the fees goes back to the house."""

    cents: int


class SeatOffered(TournamentEvent, frozen=True):
    """A reserved player has the seat of somebody who was not there."""

    name: str
    instead_of: str


class Substituted(TournamentEvent, frozen=True):
    name: str
    instead_of: str


class BoughtBack(TournamentEvent, frozen=True):
    name: str
    cents: int
    stage: str


class TablesDesignated(TournamentEvent, frozen=True):
    tables: dict[str, int]
    """By name, how many boxes each has."""


class DrawsCommitted(TournamentEvent, frozen=True):
    digests: dict[str, str]


class SeatsDrawn(TournamentEvent, frozen=True):
    stage: str
    seats: dict[str, tuple[str, int]]
    """Table and box of everybody."""
    secret: str = ""
    """What the draw was made of; "" where the manager has allotted the seats, or lots were drawn on paper."""
    order: tuple[str, ...] = ()
    on_paper: bool = False
    """Whether the seats were drawn by lot on paper."""


class StartMoved(TournamentEvent, frozen=True):
    stage: str
    start: datetime.datetime


class SeatTaken(TournamentEvent, frozen=True):
    name: str


class BoughtIn(TournamentEvent, frozen=True):
    name: str
    cents: int
    to_pool: bool = False
    """Whether the money goes to the pool: the chips have no cash value."""


class SeatForfeited(TournamentEvent, frozen=True):
    """They were not in their seat: the position is gone, the fee stays in the pool."""

    name: str


class ChipsAllotted(TournamentEvent, frozen=True):
    name: str
    table: str
    cents: int


class SessionStarted(TournamentEvent, frozen=True):
    stage: str


class RoundReported(TournamentEvent, frozen=True):
    table: str
    number: int
    chips: dict[str, int]
    """What lies in front of everybody who was in it; what they won came from the table's chips."""
    void: bool = False


class RoundCorrected(TournamentEvent, frozen=True):
    """The last round brought something else: who was out by it is in again, unless the chips say so once more."""

    table: str
    number: int
    chips: dict[str, int]


class LimitsChanged(TournamentEvent, frozen=True):
    table: str
    number: int
    minimum_cents: int
    maximum_cents: int


class Deducted(TournamentEvent, frozen=True):
    name: str
    table: str
    cents: int


class Eliminated(TournamentEvent, frozen=True):
    name: str
    table: str
    number: int
    """The round after which they are out; 0: before the first."""
    residual_cents: int = 0
    wager_cents: int = 0
    removal: int = 0
    """Whose chips were taken first has the lowest number; 0 where that does not decide."""


class Disqualified(TournamentEvent, frozen=True):
    name: str
    why: str
    table: str = ""
    keeps_cents: int = 0
    """The value of their chips in money, which they keep."""
    refund_cents: int = 0


class SessionConcluded(TournamentEvent, frozen=True):
    table: str
    early: bool = False


class ChipsCounted(TournamentEvent, frozen=True):
    table: str
    chips: dict[str, int]
    ordered: bool = False
    differs: dict[str, int] = {}
    """By how much somebody's chips are more or less than the rounds have left them."""


class ChipsRedeemed(TournamentEvent, frozen=True):
    name: str
    table: str
    chips_cents: int
    paid_cents: int


class ChipsReturned(TournamentEvent, frozen=True):
    table: str
    chips: dict[str, int]
    missing: dict[int, int] = {}
    """Chips that did not come back: how many of each denomination."""
    missing_cents: int = 0


class PlayOffDue(TournamentEvent, frozen=True):
    stage: str
    table: str
    names: tuple[str, ...]
    places: int
    """How many of them go on; 0 where each must have a place of their own."""


class PlayOffDecided(TournamentEvent, frozen=True):
    table: str
    order: tuple[str, ...]


class StageAnnounced(TournamentEvent, frozen=True):
    stage: str
    advanced: tuple[str, ...]
    onward: str = ""
    repechage: tuple[str, ...] = ()
    again: str = ""


class DisputeRaised(TournamentEvent, frozen=True):
    name: str
    what: str
    table: str = ""


class DisputeRuled(TournamentEvent, frozen=True):
    name: str
    ruling: str


class BreakGiven(TournamentEvent, frozen=True):
    minutes: int


class PaceSet(TournamentEvent, frozen=True):
    seconds: int


class PlaceAwarded(TournamentEvent, frozen=True):
    name: str
    place: int
    cents: int = 0
    goods: tuple[str, ...] = ()


class TournamentEnded(TournamentEvent, frozen=True):
    pass


AnyTournamentEvent: TypeAlias = Union[
    EntriesOpened, ConditionsChanged, CopyGiven, AgreementSigned, Applied, EntryRefused, FeePaid, EntryWithdrawn,
    ValueAdded, EntriesClosed, GuaranteeMet, FeeRefunded, TournamentCancelled, BuyInRefunded, PoolReleased,
    SeatOffered, Substituted, BoughtBack, TablesDesignated, DrawsCommitted, SeatsDrawn, StartMoved, SeatTaken,
    BoughtIn, SeatForfeited, ChipsAllotted, SessionStarted, RoundReported, RoundCorrected, LimitsChanged,
    Deducted, Eliminated,
    Disqualified, SessionConcluded, ChipsCounted, ChipsRedeemed, ChipsReturned, PlayOffDue, PlayOffDecided,
    StageAnnounced, DisputeRaised, DisputeRuled, BreakGiven, PaceSet, PlaceAwarded, TournamentEnded,
]  # fmt: skip
