"""Why wagers went back in the course of a round, found once more where the round is laid again.

What somebody is or did does not depend on the cards: an invalid wager stays invalid however they lie. It goes back
again as soon as what its owner had decided before was looked at, and before the dealer draws at the latest. Where
taking wagers back was offered it is offered again, and an answer holds like any other decision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.decisions import FOUND, laid_again
from pitboss.table.events import Decision
from pitboss.table.irregularities.money import open_players
from pitboss.table.irregularities.people import (
    has_wager_in_round,
    invalid_clauses,
    loss_excess,
    open_to_void,
    return_excess,
    void_in_the_hand,
    void_wagers_of,
)
from pitboss.table.limits import find, refuse_find
from pitboss.table.run import Run
from pitboss.table.state import Table

SHOWN = "shown"
"""Whose wager was invalid has shown a card of their own since."""


def void_again(run: Run, made: Decision) -> None:
    table = run.table
    void_in_the_hand(run, made.player, made.box, invalid_clauses(table))
    if made.meant != SHOWN and not table.players[made.player].card_due:
        run.emit(e.CardAsked(table.rulebook.wagers.player_card.clauses, made.player))


_AGAIN: Mapping[str, tuple[Callable[[Table, Decision], bool], Callable[[Run, Decision], None]]] = {
    "invalid-wager": (
        lambda table, made: has_wager_in_round(table, made.player, made.box),
        lambda run, made: void_again(run, made),
    ),
    "loss-limit-exceeded": (
        lambda table, made: loss_excess(table, made.player) > 0,
        lambda run, made: return_excess(
            run, made.player, run.table.rulebook.irregularities.loss_limit_excess.clauses[:2]
        ),
    ),
    "wagers-void": (
        lambda table, made: open_to_void(table, made.player),
        lambda run, made: void_wagers_of(run, made.player, made.meant),
    ),
    "outside-limits": (
        lambda table, made: refuse_find(table, a.FindWager("dealer", made.player, made.box)) is None,
        lambda run, made: find(run, a.FindWager("dealer", made.player, made.box)),
    ),
    "RefundOffered": (
        lambda table, made: bool(open_players(table)) and not table.refund_asked,
        lambda run, made: run.emit(
            e.RefundOffered(run.table.rulebook.device.no_spare.clauses, open_players(run.table))
        ),
    ),
}
"""For each reason whether there is still something to go back, and how it does."""


def next_found(table: Table, *, over: bool = False) -> int | None:
    """Which of what was found before comes now; None where it waits, or nothing is left to go back.

    It waits for what was decided before by the same player, or on a box of theirs, as long as hands are to be played
    (`over`: they are not).
    """
    for index, made in enumerate(table.pending):
        if made.what not in FOUND or not (
            over or not any(_before(table, each, made) for each in table.pending[:index])
        ):
            continue
        if _AGAIN[made.what][0](table, made):
            return index
    return None


def _before(table: Table, earlier: Decision, found: Decision) -> bool:
    """Whether this is looked at before what was found."""
    if earlier.what in FOUND and not found.in_turn:
        return False
    if found.in_turn or not found.player or earlier.player == found.player:
        return True
    box = table.boxes.get(earlier.box)
    return box is not None and found.player in box.line and found.box in (0, earlier.box)


def find_again(run: Run, index: int) -> None:
    """The wagers go back as they did."""
    made = run.table.pending[index]
    run.emit(e.DecisionHeld(laid_again(run.table), index, made))
    _AGAIN[made.what][1](run, made)
