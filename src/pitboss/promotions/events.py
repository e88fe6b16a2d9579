"""What happened in a promotion, with the clauses that are its cause. Applying events reads no rules.

Moments are in universal time. What somebody must do, and until when, is an event too: it arises, and is met or lapses.
"""

from __future__ import annotations

import datetime
from typing import TypeAlias, Union

import msgspec

from pitboss.promotions.conditions import Conditions


class PromotionEvent(msgspec.Struct, frozen=True, tag_field="event", tag=lambda name: name, omit_defaults=True):
    """The base of all events."""

    clauses: tuple[str, ...]
    at: datetime.datetime


class DutyArose(PromotionEvent, frozen=True):
    """Somebody must do something."""

    key: str
    who: str
    what: str
    to: str = ""
    """Who is told, sent or given something."""
    due: datetime.datetime | None = None
    """Until when; None: as soon as practicable."""


class DutyMet(PromotionEvent, frozen=True):
    key: str
    late: bool = False


class DutyLapsed(PromotionEvent, frozen=True):
    """It need no longer be done."""

    key: str
    why: str


# --- the terms -------------------------------------------------------------------------------------------------------


class PromotionOffered(PromotionEvent, frozen=True):
    conditions: Conditions
    draws: dict[str, tuple[datetime.datetime, datetime.datetime]]
    """When each is held, and when entries for it close."""


class TermsFiled(PromotionEvent, frozen=True):
    reference: str
    version: int
    earliest: datetime.datetime | None = None
    """When a promotion may begin under them at the earliest."""


class TermsPublished(PromotionEvent, frozen=True):
    where: str


class MarketingApproved(PromotionEvent, frozen=True):
    material: str


class PromotionBegun(PromotionEvent, frozen=True):
    pass


class TermsAmended(PromotionEvent, frozen=True):
    conditions: Conditions
    draws: dict[str, tuple[datetime.datetime, datetime.datetime]]
    keys: tuple[str, ...]
    version: int
    approved: str = ""


# --- entries and draws -----------------------------------------------------------------------------------------------


class Entered(PromotionEvent, frozen=True):
    name: str
    entries: int
    total: int
    """How many they have now."""
    wagered_cents: int = 0


class EntryStruck(PromotionEvent, frozen=True):
    name: str
    why: str


class ScrutineerNominated(PromotionEvent, frozen=True):
    name: str


class DrawCommitted(PromotionEvent, frozen=True):
    draw: str
    digest: str
    needs_word: bool = False
    """Entries have closed: whoever laid it down could know them."""


class DrawMade(PromotionEvent, frozen=True):
    draw: str
    entries: int
    """How many entries were in it."""
    secret: str
    drawn: tuple[str, ...]
    """The entries that were drawn, as far as somebody had to look."""
    word: str = ""
    scrutineer: str = ""


class EntryPassedOver(PromotionEvent, frozen=True):
    """Drawn, and not there although entrants must be."""

    draw: str
    name: str


class PrizeWon(PromotionEvent, frozen=True):
    draw: str
    prize: str
    name: str
    value_cents: int
    present: bool = False


class PrizeNotWon(PromotionEvent, frozen=True):
    """Nobody was left who could win it."""

    draw: str
    prize: str


class ResultsPublished(PromotionEvent, frozen=True):
    draw: str
    where: str


class WinnerTold(PromotionEvent, frozen=True):
    name: str
    prize: str
    method: str
    reached: bool
    late: bool = False


# --- prizes, claims and disputes -------------------------------------------------------------------------------------


class PrizeClaimed(PromotionEvent, frozen=True):
    name: str
    prize: str
    value_cents: int


class PrizeAwarded(PromotionEvent, frozen=True):
    name: str
    prize: str
    form: str
    value_cents: int
    paid_by: str = ""


class VoucherIssued(PromotionEvent, frozen=True):
    """A voucher that is exchanged for promotional tokens at a table."""

    name: str
    cents: int


class VoucherExchanged(PromotionEvent, frozen=True):
    name: str
    cents: int
    table: str


class ClaimDenied(PromotionEvent, frozen=True):
    name: str
    prize: str
    value_cents: int
    why: str
    kept: bool = False
    """Whether all details must be kept."""
    full_name: str = ""
    address: str = ""


class ReasonsTold(PromotionEvent, frozen=True):
    name: str
    prize: str
    why: str


class DisputeRaised(PromotionEvent, frozen=True):
    number: int
    name: str
    what: str


class DisputeDecided(PromotionEvent, frozen=True):
    number: int
    ruling: str
    final: bool = True


class DecisionNotAccepted(PromotionEvent, frozen=True):
    number: int
    name: str


class ComplaintAdvised(PromotionEvent, frozen=True):
    number: int
    name: str


# --- integrity and the end -------------------------------------------------------------------------------------------


class IntegrityCompromised(PromotionEvent, frozen=True):
    what: str
    why: str


class PromotionPostponed(PromotionEvent, frozen=True):
    pass


class DrawPostponed(PromotionEvent, frozen=True):
    draw: str


class DrawCancelled(PromotionEvent, frozen=True):
    draw: str


class WinSetAside(PromotionEvent, frozen=True):
    """The draw was compromised, and the prize not yet awarded."""

    prize: str
    name: str


class InspectorNotified(PromotionEvent, frozen=True):
    what: str
    inspector: str
    late: bool = False


class IntegrityValidated(PromotionEvent, frozen=True):
    what: str
    how: str
    again: datetime.datetime | None = None


class PromotionEnded(PromotionEvent, frozen=True):
    pass


AnyPromotionEvent: TypeAlias = Union[
    DutyArose, DutyMet, DutyLapsed, PromotionOffered, TermsFiled, TermsPublished, MarketingApproved, PromotionBegun,
    TermsAmended, Entered, EntryStruck, ScrutineerNominated, DrawCommitted, DrawMade, EntryPassedOver, PrizeWon,
    PrizeNotWon, ResultsPublished, WinnerTold, PrizeClaimed, PrizeAwarded, VoucherIssued, VoucherExchanged,
    ClaimDenied, ReasonsTold, DisputeRaised, DisputeDecided, DecisionNotAccepted, ComplaintAdvised,
    IntegrityCompromised, PromotionPostponed, DrawPostponed, DrawCancelled, WinSetAside, InspectorNotified,
    IntegrityValidated, PromotionEnded,
]  # fmt: skip
