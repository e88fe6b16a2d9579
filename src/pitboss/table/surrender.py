"""Surrender: giving up half of the original wager before the subsequent deal."""

from __future__ import annotations

from pitboss.rulebooks.meanings import EACH_SURRENDERS_ALONE, OTHERS_ARE_BOUND, OTHERS_MAY_FOLLOW
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.chapters import carries_out
from pitboss.table.refusals import Refusal
from pitboss.table.run import Run, both, heads, no, others_on
from pitboss.table.state import Table
from pitboss.table.tournament_play.written import wrote
from pitboss.table.wagers import control_clause


def surrender_is_due(table: Table) -> bool:
    """The dealer's first card opens it, and somebody holds no natural."""
    if table.dealer_late or table.dealer_cards[0][0] not in table.compiled.surrender_ranks:
        return False
    for box in table.boxes.values():  # noqa: SIM110 (asked every round: a plain loop is the quickest)
        if not box.hands[0].done:
            return True
    return False


def refuse_surrender(table: Table, act: a.Surrender) -> Refusal | None:
    """Why this wager may not be surrendered, or None if it may."""
    terms = table.rulebook.surrender
    if not terms.offered.value:
        return no(table, terms.offered.clauses, "this game has no surrender.")
    if table.phase != "surrender":
        if table.dealer_cards and table.dealer_cards[0][0] not in terms.dealer_ranks.value:
            wanted = "surrender is offered when the dealer's first card is a jack, queen, king or ace"
            text = f"{wanted}, and it is {table.dealer_cards[0]}."
            return no(table, both(terms.dealer_ranks, terms.opens), text)
        return no(table, both(terms.opens, terms.dealer_ranks), "surrender is not open now.")
    box = table.boxes.get(act.box)
    wager = box.hands[0].wagers.get(act.player) if box else None
    if box is None or wager is None or not (wager.cents or wrote(table, act.player)):
        return no(table, terms.opens.clauses, f"{act.player} has no wager on box {act.box}.")
    hand = box.hands[0]
    if wager.settled and not (hand.natural or hand.held):
        return no(table, terms.opens.clauses, f"{act.player} has no wager left on box {act.box}.")
    if wager.settled or hand.held:
        natural = table.rulebook.game.natural.value
        clauses = both(terms.opens, terms.dealer_ranks)
        return no(table, clauses, f"box {act.box} has {natural}: there is nothing to surrender.")
    if wager.surrendered:
        return no(table, terms.opens.clauses, f"{act.player} has surrendered box {act.box} already.")
    if hand.asking and act.player not in hand.asked:
        return no(table, terms.others.clauses, f"{act.player} has declined to surrender box {act.box}.")
    if act.player == box.controller or EACH_SURRENDERS_ALONE[terms.others.value]:
        return None
    if OTHERS_ARE_BOUND[terms.others.value]:
        text = f"{box.controller} decides for box {act.box}, and that binds everybody on it."
        return no(table, heads(terms.others_if_controller_declines, terms.others) + control_clause(table, box), text)
    if not hand.asking:
        text = f"{box.controller} calls box {act.box} and has not surrendered, so nobody on it may."
        return no(table, both(terms.others_if_controller_declines, terms.others), text)
    return None


@carries_out(a.Surrender, refuse_surrender)
def surrender(run: Run, act: a.Surrender) -> None:
    table = run.table
    terms = table.rulebook.surrender
    box = table.boxes[act.box]
    hand = box.hands[0]
    others: tuple[str, ...] = ()
    if len(hand.wagers) > 1:
        others = others_on(hand, act.player)
    why = table.compiled.surrendered
    if EACH_SURRENDERS_ALONE[terms.others.value]:
        clauses = why if others else both(terms.dealer_ranks, terms.freezes)
        run.emit(e.WagerSurrendered(clauses, act.player, act.box, not others))
        if act.player == box.controller and others:
            run.emit(e.ControlPassed(terms.others.clauses, act.box, others[0]))
    elif hand.asking:
        run.emit(e.WagerSurrendered(why + terms.others.clauses, act.player, act.box, True))
    else:
        asks = others if OTHERS_MAY_FOLLOW[terms.others.value] else ()
        frozen = terms.freezes.clauses
        if not others:  # what is said of others on the box is nobody's here
            frozen = tuple(clause for clause in frozen if clause not in terms.others.clauses) or frozen
        run.emit(e.WagerSurrendered(why + frozen, act.player, act.box, True, asks))
        if OTHERS_ARE_BOUND[terms.others.value]:
            for name in others:
                run.emit(e.WagerSurrendered(why + terms.others.clauses, name, act.box, True))


def refuse_close_surrender(table: Table, act: a.CloseSurrender) -> Refusal | None:
    terms = table.rulebook.surrender
    if table.phase != "surrender":
        return no(table, both(terms.opens, terms.offered), "surrender is not open.")
    for number, box in table.boxes.items():
        waiting = box.hands[0].asked if box.hands[0].asking == "surrender" else ()
        if waiting:
            text = (
                f"{box.controller} surrendered box {number}: {waiting[0]} says first whether to surrender or decline."
            )
            return no(table, terms.others.clauses, text)
    return None


@carries_out(a.CloseSurrender, refuse_close_surrender)
def close_surrender(run: Run, act: a.CloseSurrender) -> None:
    run.emit(e.SurrenderClosed(run.table.rulebook.surrender.opens.clauses))


def decline_surrender(run: Run, act: a.Decline) -> None:
    run.emit(e.SurrenderDeclined(run.table.rulebook.surrender.others.clauses, act.player, act.box))
