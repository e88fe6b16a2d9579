"""What somebody asks to have written in a person's file. `by` is the role of whoever acts; `player` is the person."""

from __future__ import annotations

import datetime
from typing import TypeAlias, Union

import msgspec

EVERYWHERE = "*"
"""In the place of a table: all tables."""
SELF = "player"
"""The role of the person whose file it is."""


class PatronAct(
    msgspec.Struct,
    frozen=True,
    tag_field="act",
    tag=lambda name: name,
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """The base of all acts on a file."""

    by: str


# --- identity and player card ----------------------------------------------------------------------------------------


class Identify(PatronAct, frozen=True):
    """Write down that somebody has shown who they are, and by what."""

    document: str


class IssueCard(PatronAct, frozen=True):
    """Issue a player card, digital or physical."""

    number: str
    expires: datetime.date | None = None
    """The last day on which it is valid; None where it has none."""


class WithdrawCard(PatronAct, frozen=True):
    reason: str


class FindCardLent(PatronAct, frozen=True):
    """The card was found in the hands of another."""

    lent_to: str


class ReturnCard(PatronAct, frozen=True):
    """A card that was lent is with its owner again."""


# --- gaming limits ---------------------------------------------------------------------------------------------------


class SetLossLimit(PatronAct, frozen=True):
    """Set the most that the person wants to lose in a period, or lift the limit."""

    cents: int | None
    period: str = "day"


class SetDepositLimit(PatronAct, frozen=True):
    """Set the most that the person wants to deposit in a calendar day, or lift the limit."""

    cents: int | None


class Deposit(PatronAct, frozen=True):
    """Money from outside came into the person's account."""

    cents: int


class DeclareChips(PatronAct, frozen=True):
    """Who plays on a loss limit declares chips to the dealer."""

    table: str
    what: str
    """bought, brought or left."""
    cents: int


class Pause(PatronAct, frozen=True):
    """Keep the person from wagering until the new period of the loss limit."""


class Resume(PatronAct, frozen=True):
    """The new period has begun: the person may wager again."""


# --- what the house allows and forbids -------------------------------------------------------------------------------


class AllowMaximum(PatronAct, frozen=True):
    """A maximum of one's own at a table; 0 takes it back."""

    table: str
    maximum_cents: int
    minimum_cents: int = 0


class RestrictPatron(PatronAct, frozen=True):
    """Restrict the person by one of the rulebook's restrictions that last until they are lifted."""

    rule: str
    why: str
    where: str = EVERYWHERE
    """A table, or * for all of them."""
    until: datetime.date | None = None
    """The last day of it; None: until it is lifted."""
    notified: bool = False


class LiftPatronRestriction(PatronAct, frozen=True):
    rule: str
    where: str = EVERYWHERE


class Exclude(PatronAct, frozen=True):
    """Exclude the person from the game, or from the casino."""

    why: str
    scope: str = "casino"
    """game or casino."""
    until: datetime.date | None = None


class Admit(PatronAct, frozen=True):
    """Let an excluded person in again."""

    scope: str = "casino"


class Recognise(PatronAct, frozen=True):
    """Declare the person a recognised player, or no longer."""

    why: str
    recognised: bool = True


class NameHelper(PatronAct, frozen=True):
    """Somebody places the person's wagers by hand, at the same table and for nothing; "" for nobody any more."""

    helper: str
    present: bool = False
    """The person is at the same table."""
    unpaid: bool = False
    """The helper has no gain from it."""


AnyPatronAct: TypeAlias = Union[
    Identify, IssueCard, WithdrawCard, FindCardLent, ReturnCard, SetLossLimit, SetDepositLimit, Deposit, DeclareChips,
    Pause, Resume, AllowMaximum, RestrictPatron, LiftPatronRestriction, Exclude, Admit, Recognise, NameHelper,
]  # fmt: skip
