"""What somebody is told when the rules say no: no more than they may know.

The engine's refusals speak to whoever may hear them. A dealer asks for things that touch a player's money, and does not
see it: they learn that it is refused and by which clause.
"""

from __future__ import annotations

from msgspec.structs import replace

from pitboss.floor.model import Caller
from pitboss.table.acts import Act
from pitboss.table.engine import refusal
from pitboss.table.refusals import Refusal
from pitboss.table.state import PlayerState, Table
from pitboss.table.views import SEES_PRIVATE

TOLD_EVERYTHING = SEES_PRIVATE | {"house", "player"}
"""Who sees every player's money, and players, who ask in their own names only."""
A_PLAYERS_AFFAIR = "the reason is the player's own affair; a supervisor may see it."


def refusal_for(caller: Caller, act: Act, refused: Refusal, table: Table) -> Refusal:
    """The refusal in words that this caller may hear: those that it would have without any player's own affairs."""
    if caller.role in TOLD_EVERYTHING or refusal(_without_affairs(table), act) == refused:
        return refused
    return replace(refused, text=A_PLAYERS_AFFAIR)


def _without_affairs(table: Table) -> Table:
    """The table as somebody knows it who sees nobody's chips, limits and restrictions."""
    new = table.__copy__()
    new.players = {name: _without_own(state) for name, state in table.players.items()}
    return new


def _without_own(state: PlayerState) -> PlayerState:
    return replace(
        state,
        chips_cents=None,
        loss_limit_cents=None,
        deposit_limit_cents=None,
        restriction="",
        minimum_only=False,
        restricted_boxes=0,
    )
