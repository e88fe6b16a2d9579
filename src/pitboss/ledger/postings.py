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
_PLAYERS: dict[str, str] = {}


def _box(ev: Any) -> str:
    account: str = BOXES[ev.box]
    return account


def _player(ev: Any) -> str:
    """The account of a player; the name is put together once (a process sees only so many players)."""
    account = _PLAYERS.get(ev.player)
    if account is None:
        if len(_PLAYERS) > 10_000:
            _PLAYERS.clear()
        account = _PLAYERS[ev.player] = f"player:{ev.player}"
    return account


def _returned(ev: e.WagerReturned) -> tuple[Posting, ...]:
    source = "float" if ev.hand == -2 else _box(ev)
    return move(ev.cents, source, _player(ev))


def _won(ev: Any) -> tuple[Posting, ...]:
    """The wager goes back and the winnings come from the float."""
    won = ev.wager_cents + ev.paid_cents
    return ((BOXES[ev.box], -ev.wager_cents), ("float", -ev.paid_cents), (_player(ev), won))


def _jackpot_prize(ev: e.JackpotPrizePaid) -> tuple[Posting, ...]:
    return move(ev.from_pool_cents, "jackpot", _player(ev)) + move(ev.cents - ev.from_pool_cents, "float", _player(ev))


POST: dict[type[Event], Callable[[Any], tuple[Posting, ...]]] = {
    e.WagerPlaced: lambda ev: ((_player(ev), -ev.cents), (BOXES[ev.box], ev.cents)),
    e.WagerReturned: _returned,
    e.ChipsBought: lambda ev: move(ev.cents, "float", _player(ev)) + move(ev.cents, f"cash:{ev.player}", "drop"),
    e.InsurancePlaced: lambda ev: move(ev.cents, _player(ev), _box(ev)),
    e.WagerDoubled: lambda ev: move(ev.cents, _player(ev), _box(ev)),
    e.WagerSplit: lambda ev: move(ev.cents, _player(ev), _box(ev)),
    e.WagerForfeited: lambda ev: (
        move(ev.lost_cents, _box(ev), "float") + move(ev.returned_cents, _box(ev), _player(ev))
    ),
    e.WagerPaid: _won,
    e.WagerCollected: lambda ev: ((BOXES[ev.box], -ev.cents), ("float", ev.cents)),
    e.WagerStoodOff: lambda ev: move(ev.cents, _box(ev), _player(ev)),
    e.SurrenderSettled: lambda ev: (
        move(ev.lost_cents, _box(ev), "float") + move(ev.returned_cents, _box(ev), _player(ev))
    ),
    e.InsurancePaid: _won,
    e.InsuranceCollected: lambda ev: move(ev.cents, _box(ev), "float"),
    e.SideBetPaid: _won,
    e.SideBetCollected: lambda ev: move(ev.cents, _box(ev), "float"),
    e.SuperBonusPaid: lambda ev: move(ev.cents, "float", _player(ev)),
    e.BonusPaid: lambda ev: move(ev.cents, "float", _player(ev)),
    e.JackpotWagerCollected: lambda ev: (
        move(ev.cents, _box(ev), "float") + move(ev.to_jackpot_cents, "float", "jackpot")
    ),
    e.JackpotPrizePaid: _jackpot_prize,
    e.PaymentReversed: lambda ev: move(ev.cents, _player(ev), "float"),
    e.MispaymentRecorded: lambda ev: move(ev.cents, "float", _player(ev)),
    e.MispaymentRectified: lambda ev: move(ev.cents, _player(ev), "float"),
    e.JackpotSet: lambda ev: move(ev.added_cents, "house", "jackpot"),
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
        find, balances = POST.get, self.balances
        for event in events:
            post = find(event.__class__)
            if post is None:
                continue
            total = 0
            for account, cents in post(event):
                balances[account] = balances.get(account, 0) + cents
                total += cents
            if total:
                broken_unless(False, f"postings of {event!r} differ by {total} cents")

    def balance(self, account: str) -> int:
        return self.balances.get(account, 0)

    def total(self) -> int:
        """Always zero."""
        return sum(self.balances.values())
