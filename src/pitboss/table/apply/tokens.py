"""Promotional tokens where chips are counted: which wagers are in them, and when they come back.

What is lost is lost in tokens first; what goes back goes back as it came, chips first. The ledger
(`ledger/postings.py`) counts the same for itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from pitboss.table import events as e
from pitboss.table.apply.changes import Changes, know
from pitboss.table.events import Event
from pitboss.table.state import Table

DECIDED: dict[type[Event], Callable[[Any], tuple[int, int]]] = {
    e.WagerPaid: lambda ev: (0, ev.wager_cents),
    e.WagerStoodOff: lambda ev: (0, ev.cents),
    e.WagerReturned: lambda ev: (0, ev.cents - ev.doubled_cents),
    e.WagerCollected: lambda ev: (ev.cents, 0),
    e.SurrenderSettled: lambda ev: (ev.lost_cents, ev.returned_cents),
    e.WagerForfeited: lambda ev: (ev.lost_cents, ev.returned_cents),
    e.SideBetPaid: lambda ev: (0, ev.wager_cents),
    e.SideBetCollected: lambda ev: (ev.cents, 0),
}
"""What of a wager is lost and what goes back, where an event decides one that may be in tokens."""


def counting(changes: Changes) -> Changes:
    """The same changes at a table that counts chips: tokens are counted with them."""
    counted = {kind: _with_tokens(changes[kind], decided) for kind, decided in DECIDED.items()}
    return {**changes, e.WagerPlaced: _placed_after(changes[e.WagerPlaced]), **counted}


def _placed_after(change: Callable[[Table, Any], None]) -> Callable[[Table, Any], None]:
    def apply(t: Table, ev: e.WagerPlaced) -> None:
        change(t, ev)
        if ev.token_cents:
            t.in_tokens = {**t.in_tokens, _place(ev): (ev.cents, ev.token_cents)}
            _tokens(t, ev.player, -ev.token_cents)

    return apply


def _with_tokens(
    change: Callable[[Table, Any], None], decided: Callable[[Any], tuple[int, int]]
) -> Callable[[Table, Any], None]:
    def apply(t: Table, ev: Any) -> None:
        change(t, ev)
        if t.in_tokens and getattr(ev, "hand", 0) in (e.BEFORE_THE_HANDS, 0) and _place(ev) in t.in_tokens:
            lost, back = decided(ev)
            left = dict(t.in_tokens)
            cents, tokens = left.pop(_place(ev))
            gone = min(tokens, lost)
            kept = min(tokens - gone, cents - lost - back)
            if kept:
                left[_place(ev)] = (cents - lost - back, kept)
            t.in_tokens = left
            _tokens(t, ev.player, tokens - gone - kept)

    return apply


def _place(ev: Any) -> str:
    return f"{ev.box} {ev.player} {getattr(ev, 'kind', 'original')}"


def _tokens(t: Table, player: str, cents: int) -> None:
    state = t.players[player]
    know(t, player, replace(state, tokens_cents=state.tokens_cents + cents))
