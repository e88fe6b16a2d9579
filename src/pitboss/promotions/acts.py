"""What somebody asks for in a promotion. `by` is the role of whoever acts; amounts are cents; moments come in.

A moment is what the house's clocks show, or says its own offset.
"""

from __future__ import annotations

import datetime
from typing import Literal, TypeAlias, Union

import msgspec

from pitboss.promotions.conditions import Conditions

MANAGER = "gaming-manager"
"""Whoever acts for the casino operator."""
PLAYER = "player"


class PromotionAct(
    msgspec.Struct,
    frozen=True,
    tag_field="act",
    tag=lambda name: name,
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """The base of all acts."""

    by: str
    at: datetime.datetime


# --- the terms -------------------------------------------------------------------------------------------------------


class OfferPromotion(PromotionAct, frozen=True):
    """Lay down the terms: every item is there, and nothing that the rules do not allow."""

    conditions: Conditions


class FileTerms(PromotionAct, frozen=True):
    """Send full details of the terms, as they stand, to the regulator."""

    reference: str


class PublishTerms(PromotionAct, frozen=True):
    """Have the terms at hand: in the casino, on a website, by e-mail, by mail, in brochures."""

    where: str


class ApproveMarketing(PromotionAct, frozen=True):
    """Let marketing material go out, which refers to the terms."""

    material: str
    refers: bool


class BeginPromotion(PromotionAct, frozen=True):
    pass


class AmendTerms(PromotionAct, frozen=True):
    """Change the terms; after the promotion has begun with the regulator's approval, where that is wanted."""

    conditions: Conditions
    approved: str = ""
    """By whom and when."""


# --- entries and draws -----------------------------------------------------------------------------------------------


class Enter(PromotionAct, frozen=True):
    """Somebody has one or more entries."""

    name: str
    entries: int = 1
    wagered_cents: int = 0
    eligible: bool = True
    """Whether they meet what the terms ask for."""


class StrikeEntry(PromotionAct, frozen=True):
    """Take out the entries of somebody who was not eligible."""

    name: str
    why: str


class NominateScrutineer(PromotionAct, frozen=True):
    name: str


class CommitDraw(PromotionAct, frozen=True):
    """Lay down the digest of the secret of a draw, before entries close."""

    draw: str
    digest: str


class DrawWinners(PromotionAct, frozen=True):
    """Reveal the secret of a draw; `order` is what it makes of the entries."""

    draw: str
    secret: str
    word: str = ""
    """What somebody else has said at the draw; needed where the entries could be known, or were changed since."""
    present: tuple[str, ...] = ()
    """Who is there."""
    scrutineer: str = ""
    """Who oversees it."""
    order: tuple[str, ...] = ()


class PublishResults(PromotionAct, frozen=True):
    draw: str
    where: str


class TellWinner(PromotionAct, frozen=True):
    """Tell a winner who was not at the draw, or try to."""

    name: str
    prize: str
    method: str
    reached: bool = True


# --- prizes, claims and disputes -------------------------------------------------------------------------------------


class ClaimPrize(PromotionAct, frozen=True):
    name: str
    prize: str


class AwardPrize(PromotionAct, frozen=True):
    """Hand a prize over, or pay its value instead of it."""

    name: str
    prize: str
    form: Literal["prize", "value"] = "prize"
    paid_by: str = ""
    """How money is paid: cheque, transfer, chips; never cash."""


class DenyClaim(PromotionAct, frozen=True):
    """Refuse to award a prize to somebody who claims it."""

    name: str
    prize: str
    why: str
    full_name: str = ""
    address: str = ""


class TellReasons(PromotionAct, frozen=True):
    """Tell somebody why their claim was denied."""

    name: str
    prize: str


class ExchangeVoucher(PromotionAct, frozen=True):
    """A dealer has exchanged somebody's voucher for promotional tokens at a table."""

    name: str
    cents: int
    table: str


class RaiseDispute(PromotionAct, frozen=True):
    name: str
    what: str


class DecideDispute(PromotionAct, frozen=True):
    """The operator decides; that is final."""

    number: int
    ruling: str


class NotSatisfied(PromotionAct, frozen=True):
    """Somebody is not satisfied with a decision."""

    number: int


class AdviseComplaint(PromotionAct, frozen=True):
    """Advise them of the right to lodge a complaint with an inspector."""

    number: int


# --- integrity and the end -------------------------------------------------------------------------------------------


class FindCompromised(PromotionAct, frozen=True):
    """The operator determines that the integrity of the promotion or of a draw is compromised."""

    what: str
    """promotion, or the name of a draw."""
    why: str
    measure: Literal["postpone", "cancel"]


class NotifyInspector(PromotionAct, frozen=True):
    what: str
    inspector: str


class ValidateIntegrity(PromotionAct, frozen=True):
    """The integrity is validated: what was postponed goes on, a draw at a new time."""

    what: str
    how: str
    again: datetime.datetime | None = None


class EndPromotion(PromotionAct, frozen=True):
    pass


AnyPromotionAct: TypeAlias = Union[
    OfferPromotion, FileTerms, PublishTerms, ApproveMarketing, BeginPromotion, AmendTerms, Enter, StrikeEntry,
    NominateScrutineer, CommitDraw, DrawWinners, PublishResults, TellWinner, ClaimPrize, AwardPrize, DenyClaim,
    TellReasons, ExchangeVoucher, RaiseDispute, DecideDispute, NotSatisfied, AdviseComplaint, FindCompromised,
    NotifyInspector, ValidateIntegrity, EndPromotion,
]  # fmt: skip
