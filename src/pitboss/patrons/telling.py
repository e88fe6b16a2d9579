"""What happened to a person's file, in words: on paper, in registers and in the command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pitboss.basics.money import dollars
from pitboss.patrons import events as pe
from pitboss.patrons.acts import EVERYWHERE


def _until(ev: Any) -> str:
    return f" until {ev.until}" if ev.until else ""


def _where(place: str) -> str:
    return "" if place == EVERYWHERE else f" at {place}"


def _limit(what: str) -> Callable[[Any], str]:
    def words(ev: Any) -> str:
        period = f" a {ev.period}" if hasattr(ev, "period") else " a day"
        said = f"{what} {dollars(ev.cents)}{period}" if ev.cents is not None else f"{what} lifted"
        return said + (", from the next period" if ev.later else "")

    return words


def _pocket(ev: pe.PocketChanged) -> str:
    chips = f"{dollars(abs(ev.cents))} in chips"
    return f"takes {chips} from {ev.table}" if ev.cents > 0 else f"brings {chips} to {ev.table}"


def _old_minimum(ev: pe.OldMinimumKept) -> str:
    if not ev.cents:
        return f"no longer the old minimum at {ev.table}"
    return f"plays on at the old minimum of {dollars(ev.cents)} at {ev.table}"


def _restricted(ev: pe.PatronRestricted) -> str:
    told = f"; told: {ev.told.replace('-', ' ')}" if ev.told != "nobody" else ""
    return f"restricted: {ev.rule.replace('-', ' ')}{_where(ev.where)}{_until(ev)} ({ev.why}){told}"


TELL: dict[type[pe.PatronEvent], Callable[[Any], str]] = {
    pe.Identified: lambda ev: f"identified by {ev.document}",
    pe.CardIssued: lambda ev: f"player card {ev.number} issued" + (f", valid to {ev.expires}" if ev.expires else ""),
    pe.CardWithdrawn: lambda ev: f"player card withdrawn: {ev.reason}",
    pe.CardLent: lambda ev: f"player card found in the hands of {ev.lent_to}",
    pe.CardReturned: lambda ev: "player card with its owner again",
    pe.OthersCardHeld: lambda ev: f"had the player card of {ev.owner}",
    pe.OthersCardGivenBack: lambda ev: f"no longer has the player card of {ev.owner}",
    pe.LossLimitSet: _limit("loss limit"),
    pe.PeriodTurned: lambda ev: f"a new period of the loss limit from {ev.start}",
    pe.DepositLimitSet: _limit("deposit limit"),
    pe.DepositDayTurned: lambda ev: f"a new day of deposits: {ev.day}",
    pe.Deposited: lambda ev: f"deposit of {dollars(ev.cents)}",
    pe.PocketChanged: _pocket,
    pe.StakesMoved: lambda ev: f"{dollars(ev.open_cents)} at stake at {ev.table}",
    pe.StakesCounted: lambda ev: "what lies on the tables counts against the loss limit",
    pe.ChipsDeclared: lambda ev: f"declares {dollars(ev.cents)} in chips {ev.what} at {ev.table}",
    pe.Paused: lambda ev: "pauses until the new period of the loss limit",
    pe.Resumed: lambda ev: "may wager again",
    pe.MaximumAllowed: lambda ev: f"maximum of their own at {ev.table}: {dollars(ev.maximum_cents)}",
    pe.PatronRestricted: _restricted,
    pe.PatronRestrictionLifted: lambda ev: f"no longer restricted: {ev.rule.replace('-', ' ')}{_where(ev.where)}",
    pe.Excluded: lambda ev: f"excluded from the {ev.scope}{_until(ev)}: {ev.why}",
    pe.Admitted: lambda ev: f"admitted to the {ev.scope} again",
    pe.Recognised: lambda ev: f"{'' if ev.recognised else 'no longer '}a recognised player: {ev.why}",
    pe.HelperNamed: lambda ev: f"helped by {ev.helper}" if ev.helper else "no helper any more",
    pe.OldMinimumKept: _old_minimum,
}


def tell(event: pe.PatronEvent) -> str:
    return TELL[type(event)](event)
