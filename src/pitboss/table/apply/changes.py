"""What events of several chapters change alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec.structs import replace

from pitboss.table.events import Event
from pitboss.table.house import ANYONE
from pitboss.table.state import STRANGER, UNTOLD, Box, Hand, PlayerState, Table

Changes: TypeAlias = dict[type[Event], Callable[[Table, Any], None]]
"""How each kind of event changes the table."""


def know(table: Table, player: str, state: PlayerState) -> None:
    """Replace what is known of a player; the dictionary may be shared with an older table."""
    table.players = {**table.players, player: state}


def arrive(table: Table, player: str) -> None:
    """A player is at the table."""
    known = table.players.get(player)
    if known is None:
        know(table, player, STRANGER if table.house.patrons == ANYONE else UNTOLD)
        table.net[player] = 0
    elif not known.present:
        know(table, player, replace(known, present=True))


def answered(hand: Hand, player: str) -> None:
    """A player is no longer asked about this hand."""
    hand.asked = tuple(name for name in hand.asked if name != player)


def numbered(table: Table, box: Box, kind: str, player: str) -> None:
    """Note which wager of the round an optional one or an insurance was."""
    box.order = {**box.order, kind: {**box.order.get(kind, {}), player: table.placements}}


def settle(hand: Hand, player: str) -> None:
    """A player's wager on this hand is decided."""
    hand.wagers[player] = replace(hand.wagers[player], settled=True)


def halt(t: Table) -> None:
    """Whether ordinary play waits for an approval, an answer or a rebuilding, or until the table goes on."""
    t.halted = bool(t.stopped or t.approval_due or t.refund_asked or t.misdealt)
