"""Events to balanced postings.

Accounts: ``player:NAME`` (chips in front of a player, what he brought counted as zero), ``box:N`` (wagers on the
cloth), ``float``, ``jackpot``, ``house`` (what feeds the jackpot) and, where chips are bought, ``cash:NAME`` and
``drop``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from pitboss.table import events as e
from pitboss.table.events import Event
from pitboss.table.refusals import broken_unless

Posting: TypeAlias = tuple[str, int]
"""An account and the cents that come to it (or leave it, below zero)."""


def move(cents: int, source: str, target: str) -> tuple[Posting, ...]:
    return ((source, -cents), (target, cents)) if cents else ()


BOXES = tuple(f"box:{number}" for number in range(100))
"""Accounts of the boxes, ready made."""


class _Players(dict[str, str]):
    """Accounts of players by name: each is put together once (a process sees only so many players)."""

    def __missing__(self, name: str) -> str:
        if len(self) > 10_000:
            self.clear()
        account = self[name] = f"player:{name}"
        return account


PLAYERS = _Players()


def _returned(ev: e.WagerReturned) -> tuple[Posting, ...]:
    source = "float" if ev.hand == -2 else BOXES[ev.box]
    return move(ev.cents, source, PLAYERS[ev.player])


def _won(ev: Any) -> tuple[Posting, ...]:
    """The wager goes back and the winnings come from the float."""
    wager, paid = ev.wager_cents, ev.paid_cents
    return ((BOXES[ev.box], -wager), ("float", -paid), (PLAYERS[ev.player], wager + paid))


def _jackpot_prize(ev: e.JackpotPrizePaid) -> tuple[Posting, ...]:
    player, pool = PLAYERS[ev.player], ev.from_pool_cents
    return move(pool, "jackpot", player) + move(ev.cents - pool, "float", player)


POST: dict[type[Event], Callable[[Any], tuple[Posting, ...]]] = {
    e.WagerPlaced: lambda ev: ((PLAYERS[ev.player], -ev.cents), (BOXES[ev.box], ev.cents)),
    e.WagerReturned: _returned,
    e.ChipsBought: lambda ev: move(ev.cents, "float", PLAYERS[ev.player]) + move(ev.cents, f"cash:{ev.player}", "drop"),
    e.InsurancePlaced: lambda ev: move(ev.cents, PLAYERS[ev.player], BOXES[ev.box]),
    e.WagerDoubled: lambda ev: move(ev.cents, PLAYERS[ev.player], BOXES[ev.box]),
    e.WagerSplit: lambda ev: move(ev.cents, PLAYERS[ev.player], BOXES[ev.box]),
    e.WagerForfeited: lambda ev: (
        move(ev.lost_cents, BOXES[ev.box], "float") + move(ev.returned_cents, BOXES[ev.box], PLAYERS[ev.player])
    ),
    e.WagerPaid: _won,
    e.WagerCollected: lambda ev: ((BOXES[ev.box], -ev.cents), ("float", ev.cents)),
    e.WagerStoodOff: lambda ev: move(ev.cents, BOXES[ev.box], PLAYERS[ev.player]),
    e.SurrenderSettled: lambda ev: (
        move(ev.lost_cents, BOXES[ev.box], "float") + move(ev.returned_cents, BOXES[ev.box], PLAYERS[ev.player])
    ),
    e.InsurancePaid: _won,
    e.InsuranceCollected: lambda ev: move(ev.cents, BOXES[ev.box], "float"),
    e.SideBetPaid: _won,
    e.SideBetCollected: lambda ev: move(ev.cents, BOXES[ev.box], "float"),
    e.SuperBonusPaid: lambda ev: move(ev.cents, "float", PLAYERS[ev.player]),
    e.BonusPaid: lambda ev: move(ev.cents, "float", PLAYERS[ev.player]),
    e.JackpotWagerCollected: lambda ev: (
        move(ev.cents, BOXES[ev.box], "float") + move(ev.to_jackpot_cents, "float", "jackpot")
    ),
    e.JackpotPrizePaid: _jackpot_prize,
    e.PaymentReversed: lambda ev: move(ev.cents, PLAYERS[ev.player], "float"),
    e.MispaymentRecorded: lambda ev: move(ev.cents, "float", PLAYERS[ev.player]),
    e.MispaymentRectified: lambda ev: move(ev.cents, PLAYERS[ev.player], "float"),
    e.JackpotSet: lambda ev: move(ev.added_cents, "house" if ev.reason in ("reset", "link") else "float", "jackpot"),
}
"""Events that move money; all others move none."""


def postings(event: Event) -> tuple[Posting, ...]:
    """The balanced postings of one event; empty where no money moves."""
    post = POST.get(type(event))
    if post is None:
        return ()
    lines = post(event)
    total = 0
    for _, cents in lines:
        total += cents
    if total:
        broken_unless(False, f"postings of {event!r} differ by {total} cents")
    return lines


class Ledger:
    """Balances by account; they sum to zero after every event."""

    __slots__ = ("balances",)

    def __init__(self, jackpot_cents: int = 0) -> None:
        self.balances: dict[str, int] = {}
        if jackpot_cents:
            self.balances = {"jackpot": jackpot_cents, "house": -jackpot_cents}

    def post(self, event: Event) -> tuple[Posting, ...]:
        """Book one event."""
        lines = postings(event)
        for account, cents in lines:
            self.balances[account] = self.balances.get(account, 0) + cents
        return lines

    def post_all(self, events: Iterable[Event]) -> None:
        """Book events one after the other."""
        balances = self.balances
        events = tuple(events)
        for event, post in zip(events, map(POST.get, map(type, events)), strict=True):
            if post is None:
                continue
            total = 0
            for account, cents in post(event):
                if account in balances:
                    balances[account] += cents
                else:
                    balances[account] = cents
                total += cents
            if total:
                broken_unless(False, f"postings of {event!r} differ by {total} cents")

    def balance(self, account: str) -> int:
        return self.balances.get(account, 0)

    def total(self) -> int:
        """Always zero."""
        return sum(self.balances.values())
