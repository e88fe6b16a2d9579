"""Events as balanced postings: money in one set of accounts, tournament chips in another.

Money: ``cash:NAME`` (what somebody has paid, below zero), ``pool``, ``commission``, ``chip-bank`` (paid for chips with
a cash value, and paid out for them) and ``house`` (what it adds). Chips: ``inventory``, ``chips:NAME``, ``missing`` and
``table:TABLE`` (what the players have lost there).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pitboss.table.refusals import broken_unless
from pitboss.tournament import events as te
from pitboss.tournament.conditions import Chips
from pitboss.tournament.events import TournamentEvent

POOL, COMMISSION, HOUSE, CHIP_BANK = "pool", "commission", "house", "chip-bank"
INVENTORY, MISSING = "inventory", "missing"

Postings = tuple[tuple[str, int], ...]


def move(cents: int, source: str, target: str) -> Postings:
    return ((source, -cents), (target, cents)) if cents else ()


def cash_of(name: str) -> str:
    return f"cash:{name}"


def chips_of(name: str) -> str:
    return f"chips:{name}"


def at_table(table: str) -> str:
    return f"table:{table}"


def _redeemed_unused(ev: te.BuyInRefunded) -> Postings:
    return move(ev.cents, CHIP_BANK, cash_of(ev.name))


def _refund(name: str, cents: int, of_commission: int) -> Postings:
    return move(cents - of_commission, POOL, cash_of(name)) + move(of_commission, COMMISSION, cash_of(name))


def _paid(ev: te.FeePaid) -> Postings:
    return move(ev.cents - ev.commission_cents, cash_of(ev.name), POOL) + move(
        ev.commission_cents, cash_of(ev.name), COMMISSION
    )


IN_MONEY: Mapping[type[TournamentEvent], Callable[[Any], Postings]] = {
    te.FeePaid: _paid,
    te.EntryRefused: lambda ev: _refund(ev.name, ev.refund_cents, ev.from_commission_cents),
    te.EntryWithdrawn: lambda ev: _refund(ev.name, ev.refund_cents, ev.from_commission_cents),
    te.FeeRefunded: lambda ev: _refund(ev.name, ev.cents, ev.commission_cents),
    te.ValueAdded: lambda ev: move(ev.cents, HOUSE, POOL) if ev.cash else (),
    te.GuaranteeMet: lambda ev: move(ev.cents, HOUSE, POOL),
    te.PoolReleased: lambda ev: move(ev.cents, POOL, HOUSE),
    te.BoughtBack: lambda ev: move(ev.cents, cash_of(ev.name), POOL),
    te.BoughtIn: lambda ev: move(ev.cents, cash_of(ev.name), POOL if ev.to_pool else CHIP_BANK),
    te.BuyInRefunded: _redeemed_unused,
    te.ChipsRedeemed: lambda ev: move(ev.paid_cents, CHIP_BANK, cash_of(ev.name)),
    te.Disqualified: lambda ev: move(ev.refund_cents, POOL, cash_of(ev.name)),
    te.PlaceAwarded: lambda ev: move(ev.cents, POOL, cash_of(ev.name)),
}
"""What each event moves in money; others move none."""


def _reported(ev: te.RoundReported | te.RoundCorrected, before: Mapping[str, int]) -> Postings:
    found: Postings = ()
    for name, cents in ev.chips.items():
        found += move(cents - before.get(chips_of(name), 0), at_table(ev.table), chips_of(name))
    return found


def _counted(ev: te.ChipsCounted, before: Mapping[str, int]) -> Postings:
    found: Postings = ()
    for name, cents in ev.differs.items():
        found += move(cents, at_table(ev.table), chips_of(name))
    return found


def _returned(ev: te.ChipsReturned, before: Mapping[str, int]) -> Postings:
    found = move(ev.missing_cents, at_table(ev.table), MISSING)
    for name, cents in ev.chips.items():
        found += move(cents, chips_of(name), at_table(ev.table))
    held = before.get(at_table(ev.table), 0) + sum(ev.chips.values()) - ev.missing_cents
    return found + move(held, at_table(ev.table), INVENTORY)


IN_CHIPS: Mapping[type[TournamentEvent], Callable[[Any, Mapping[str, int]], Postings]] = {
    te.ChipsAllotted: lambda ev, before: move(ev.cents, INVENTORY, chips_of(ev.name)),
    te.RoundReported: _reported,
    te.RoundCorrected: _reported,
    te.Deducted: lambda ev, before: move(ev.cents, chips_of(ev.name), at_table(ev.table)),
    te.ChipsCounted: _counted,
    te.ChipsRedeemed: lambda ev, before: move(ev.chips_cents, chips_of(ev.name), INVENTORY),
    te.ChipsReturned: _returned,
}
"""What each event moves in tournament chips; others move none."""


def posted(balances: Mapping[str, int], postings: Postings) -> dict[str, int]:
    """The accounts after postings, which come to nothing together."""
    broken_unless(sum(cents for _, cents in postings) == 0, f"postings that do not balance: {postings}")
    after = dict(balances)
    for account, cents in postings:
        after[account] = after.get(account, 0) + cents
    return after


def worth(chips: Chips, cents: int) -> int:
    """The money for chips with a cash value, at the ratio at which they were issued; a part of a cent is rounded up."""
    return -(-cents * chips.price_cents // (chips.amount_cents or 1)) if chips.cash_value else 0


def pool_of(accounts: Mapping[str, int]) -> int:
    return accounts.get(POOL, 0)
