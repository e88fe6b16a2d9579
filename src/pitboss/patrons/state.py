"""What is kept of a person: a file is a value, and only `evolve` makes a new one."""

from __future__ import annotations

import datetime

import msgspec


class PlayerCard(msgspec.Struct, frozen=True):
    number: str
    issued: datetime.date
    expires: datetime.date | None = None
    withdrawn: str = ""
    """Why it was withdrawn."""
    lent_to: str = ""
    """In whose hands it was found."""

    def why_invalid(self, date: datetime.date) -> str:
        """Why it is not valid on a date: withdrawn, lent, expired, not yet issued; "" where it is."""
        if self.withdrawn:
            return "withdrawn"
        if self.lent_to:
            return "lent"
        if self.expires is not None and date > self.expires:
            return "expired"
        return "not-yet-issued" if date < self.issued else ""


class LossLimit(msgspec.Struct, frozen=True):
    cents: int | None
    """None: it is lifted (as what holds in the next period)."""
    period: str


class DepositLimit(msgspec.Struct, frozen=True):
    cents: int | None


class Restricted(msgspec.Struct, frozen=True):
    """One restriction: what, where, until when, by whom, why."""

    rulebook: str
    rule: str
    where: str
    by: str
    why: str
    until: datetime.date | None = None
    lifted: bool = False

    def holds_on(self, date: datetime.date) -> bool:
        return not self.lifted and (self.until is None or date <= self.until)


class Exclusion(msgspec.Struct, frozen=True):
    rulebook: str
    scope: str
    """game or casino."""
    by: str
    why: str
    until: datetime.date | None = None
    lifted: bool = False

    def holds_on(self, date: datetime.date) -> bool:
        return not self.lifted and (self.until is None or date <= self.until)


class Practice(msgspec.Struct, frozen=True):
    """What a person does at practice tables. Their limits hold there by themselves: the chips are no money, and what is
    won with them leaves no more to lose elsewhere."""

    net_cents: int = 0
    open: dict[str, int] = {}
    deposited_cents: int = 0


class PatronFile(msgspec.Struct, frozen=True):
    """One person's file."""

    name: str
    identified: str = ""
    """By what they have shown who they are; "" where nobody has identified them."""
    card: PlayerCard | None = None
    others_cards: tuple[str, ...] = ()
    """Whose player cards were found with them, and are not back with their owners."""
    loss_limit: LossLimit | None = None
    loss_later: LossLimit | None = None
    """What holds from the next period on, where something else was set."""
    period_start: datetime.date | None = None
    net_cents: int = 0
    """What was decided in this period: won above zero, lost below."""
    open: dict[str, int] = {}
    """What they have on the layout of each table, undecided."""
    stakes_uncounted: bool = False
    """A first limit was set, and what lies on the tables has not been counted against it."""
    deposit_limit_cents: int | None = None
    deposit_later: DepositLimit | None = None
    deposit_day: datetime.date | None = None
    deposited_cents: int = 0
    over_cents: int = 0
    """What they have put at risk or lost beyond the loss limit, as wagers that nobody noticed in time."""
    practice: Practice = Practice()
    declared: dict[str, dict[str, int]] = {}
    """Chips declared at each table: bought, brought, left."""
    paused: bool | None = None
    maxima: dict[str, tuple[int, int]] = {}
    """Maximum and minimum of their own by table; nothing where they were taken back."""
    restrictions: tuple[Restricted, ...] = ()
    exclusions: tuple[Exclusion, ...] = ()
    recognised: str = ""
    restricted_before: bool = False
    pocket_cents: int = 0
    """Chips that they have with them and on no table."""
    helper: str = ""
    old_minima: dict[str, int] = {}


def loss_left(file: PatronFile, *, practice: bool = False) -> int | None:
    """What may still be put at risk in this period, at all tables together; None where there is no loss limit."""
    if file.loss_limit is None or file.loss_limit.cents is None:
        return None
    return max(0, loss_room(file, file.practice if practice else file))


def loss_room(file: PatronFile, played: PatronFile | Practice) -> int:
    """What a loss limit leaves, below zero where it has been passed; of nobody else is it asked."""
    limit = file.loss_limit.cents if file.loss_limit is not None else None
    return (limit or 0) + played.net_cents - sum(played.open.values())


def deposit_left(file: PatronFile, *, practice: bool = False) -> int | None:
    if file.deposit_limit_cents is None:
        return None
    return max(0, file.deposit_limit_cents - (file.practice if practice else file).deposited_cents)


def card_trouble(file: PatronFile, date: datetime.date) -> str:
    """Why somebody has no valid card of their own on a date, in a word; "" where they have one."""
    if not file.identified:
        return "not-identified"
    if file.card is None:
        return "no-card"
    return file.card.why_invalid(date) or ("others-card" if file.others_cards else "")
