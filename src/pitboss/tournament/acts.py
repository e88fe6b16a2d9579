"""What somebody asks for in a tournament. `by` is the role of whoever acts; amounts are cents; moments come in."""

from __future__ import annotations

import datetime
from typing import TypeAlias, Union

import msgspec

from pitboss.tournament.conditions import Conditions

MANAGER = "tournament-manager"
"""Whoever conducts tournaments: the Tournament Manager, or Canberra's Tournament Director or Assistant."""
PLAYER = "player"


class TournamentAct(
    msgspec.Struct,
    frozen=True,
    tag_field="act",
    tag=lambda name: name,
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """The base of all acts."""

    by: str


# --- conditions and entries ------------------------------------------------------------------------------------------


class OpenEntries(TournamentAct, frozen=True):
    """Publish the conditions and take entries."""

    conditions: Conditions


class ChangeConditions(TournamentAct, frozen=True):
    """Change conditions after they were published: the starting times, with notice, and nothing else."""

    conditions: Conditions
    at: datetime.datetime


class GiveCopy(TournamentAct, frozen=True):
    """Give somebody a copy of the conditions."""

    name: str


class SignAgreement(TournamentAct, frozen=True):
    """Somebody agrees in writing with the rules and conditions."""

    name: str


class Apply(TournamentAct, frozen=True):
    """Somebody hands in the entry form."""

    name: str
    at: datetime.datetime
    completed: bool = True
    entitled: bool = True
    """Whether they may enter the casino and gamble."""
    fits: bool = True
    """Whether they meet the criteria of the conditions, and what these say of groups, where there are some."""
    person: str = ""
    """Whose entry it is, where somebody enters once more, as far as the conditions let them, under a name for that."""


class RefuseEntry(TournamentAct, frozen=True):
    name: str
    why: str


class PayFee(TournamentAct, frozen=True):
    name: str
    cents: int
    at: datetime.datetime


class WithdrawEntry(TournamentAct, frozen=True):
    name: str
    at: datetime.datetime


class AddValue(TournamentAct, frozen=True):
    """The house adds cash to the pool, or goods and services to a place."""

    what: str
    cents: int
    cash: bool = True
    place: int = 1


class CloseEntries(TournamentAct, frozen=True):
    at: datetime.datetime


class CancelTournament(TournamentAct, frozen=True):
    why: str


class OfferSeat(TournamentAct, frozen=True):
    """Offer the seat of somebody who is not there to a reserved player, who pays the fee."""

    name: str
    instead_of: str
    cents: int


class Substitute(TournamentAct, frozen=True):
    name: str
    instead_of: str


class BuyBack(TournamentAct, frozen=True):
    """Somebody who is eliminated buys back into the tournament."""

    name: str
    cents: int


# --- structure -------------------------------------------------------------------------------------------------------


class Designated(msgspec.Struct, frozen=True, omit_defaults=True):
    """A gaming table for the tournament."""

    table: str
    low_limit: bool = False
    boxes: int = 7


class DesignateTables(TournamentAct, frozen=True):
    tables: tuple[Designated, ...]


class UseTable(TournamentAct, frozen=True):
    """Somebody wants to use a table for something else."""

    table: str
    what: str


class CommitDraws(TournamentAct, frozen=True):
    """Lay down the digest of the secret of every stage's draw, before anybody knows who is drawn."""

    digests: dict[str, str]


class DrawSeats(TournamentAct, frozen=True):
    """Reveal the secret of a stage; `order` is what it makes of those who play in it."""

    stage: str
    secret: str
    order: tuple[str, ...]


class AllotSeats(TournamentAct, frozen=True):
    """The manager allots tables and seats, where the conditions leave that to them."""

    stage: str
    seats: dict[str, tuple[str, int]]
    drawn: bool = False
    """Whether they were drawn by lot on paper, before those who play: a ballot that was not made here."""


class MoveStart(TournamentAct, frozen=True):
    stage: str
    start: datetime.datetime
    at: datetime.datetime


class ComeToSeat(TournamentAct, frozen=True):
    """Somebody takes the seat that was allotted to them."""

    name: str
    table: str = ""
    box: int = 0
    """Where they sit down, where that is said."""


class BuyIn(TournamentAct, frozen=True):
    name: str
    cents: int


class StartSession(TournamentAct, frozen=True):
    stage: str
    at: datetime.datetime


class ReportRound(TournamentAct, frozen=True):
    """What a table says of a round that is over."""

    table: str
    chips: dict[str, int]
    """What lies in front of everybody who is still in."""
    wagers: dict[str, int] = {}
    removed: tuple[str, ...] = ()
    """Whose chips were taken, in that order."""
    void: bool = False


class CorrectRound(TournamentAct, frozen=True):
    """The last round that was reported was laid again at its table, or found void: what lies there now."""

    table: str
    chips: dict[str, int]
    wagers: dict[str, int] = {}
    removed: tuple[str, ...] = ()


class EliminateIdle(TournamentAct, frozen=True):
    """Somebody has no wager on a round: they did not make one, where the rules eliminate them for that, or cannot make
    one up to the minimum."""

    name: str
    unable: bool = False


class DeductAbsent(TournamentAct, frozen=True):
    """The dealer deducts the minimum for a round that somebody missed."""

    name: str


class CancelPosition(TournamentAct, frozen=True):
    """Somebody who is late or absent loses their position."""

    name: str
    refund: bool = False
    """Whether the manager approves that the entry fee is given back."""


class Disqualify(TournamentAct, frozen=True):
    name: str
    why: str
    rule: str = "disqualify"
    """disqualify, contravention, increase, conceal, in-view, every-round or advice."""


class ConcludeSession(TournamentAct, frozen=True):
    """End the play at a table: its rounds, shoes or minutes are over, or the manager ends it early."""

    table: str
    early: bool = False
    agreed: tuple[str, ...] = ()
    """Who agrees, where chips turn into cash."""


class CountChips(TournamentAct, frozen=True):
    """Dealer or supervisor totals the chips in front of everybody; the manager may order it at any time."""

    table: str
    chips: dict[str, int]
    ordered: bool = False


class RedeemChips(TournamentAct, frozen=True):
    """Somebody who is out of a session leaves the table: their chips with a cash value are redeemed."""

    name: str


class ReturnChips(TournamentAct, frozen=True):
    """All chips of a table go back to the inventory; what is not there is written down, by denomination."""

    table: str
    missing: dict[int, int] = {}


class Announce(TournamentAct, frozen=True):
    """The manager determines and announces the winners and placegetters of a stage."""

    stage: str


class RaiseDispute(TournamentAct, frozen=True):
    name: str
    what: str
    table: str = ""


class RuleDispute(TournamentAct, frozen=True):
    name: str
    ruling: str


class GiveBreak(TournamentAct, frozen=True):
    minutes: int


class SetPace(TournamentAct, frozen=True):
    seconds: int
    """How long somebody has to wager."""


class AwardPrizes(TournamentAct, frozen=True):
    """Work out the places and award the prizes: the whole pool."""


AnyTournamentAct: TypeAlias = Union[
    OpenEntries, ChangeConditions, GiveCopy, SignAgreement, Apply, RefuseEntry, PayFee, WithdrawEntry, AddValue,
    CloseEntries, CancelTournament, OfferSeat, Substitute, BuyBack, DesignateTables, UseTable, CommitDraws, DrawSeats,
    AllotSeats, MoveStart, ComeToSeat, BuyIn, StartSession, ReportRound, CorrectRound, EliminateIdle,
    DeductAbsent, CancelPosition, Disqualify,
    ConcludeSession, CountChips, RedeemChips, ReturnChips, Announce, RaiseDispute, RuleDispute, GiveBreak, SetPace,
    AwardPrizes,
]  # fmt: skip
