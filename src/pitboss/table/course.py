"""The order of play: everything without a choice, until somebody must decide."""

from __future__ import annotations

from pitboss.table import blazing_sevens as blazing
from pitboss.table import events as e
from pitboss.table import initial_deal, insurance, subsequent_deal, surrender
from pitboss.table.acts import LeaveOut
from pitboss.table.belonging import belongs
from pitboss.table.chapters import CHAPTERS
from pitboss.table.dealers_hand import draw_dealer
from pitboss.table.decisions import laid_again, lapse, next_held
from pitboss.table.final_settlement import settle_all
from pitboss.table.interim_settlement import settle_naturals
from pitboss.table.irregularities import short_hands, stray_cards
from pitboss.table.irregularities.found_again import find_again, next_found
from pitboss.table.pairs import settle_pairs
from pitboss.table.run import Run
from pitboss.table.state import Table


def go_on(run: Run) -> None:
    """Play on until somebody must decide; in a round that was taken back, what was decided before holds if it fits."""
    advance(run)
    table = run.table
    while table.pending and table.phase != "wagers" and table.preparation == "ready" and may_hold(table):
        again = None if table.refund_asked else next_found(table)
        if again is not None:
            find_again(run, again)
            advance(run)
            continue
        found = next_held(table)
        if found is None:
            if lapse(run):
                continue
            return
        index, act = found
        run.emit(e.DecisionHeld(laid_again(table), index, table.pending[index]))
        if isinstance(act, LeaveOut):
            short_hands.mark_left_out(run, act.noticed, act.meant)
        else:
            CHAPTERS[type(act)][1](run, act)
        advance(run)


def may_hold(table: Table) -> bool:
    """Whether decisions are looked at now: not while something else is awaited than the answer to an offer."""
    return not table.halted or bool(table.refund_asked and not (table.stopped or table.approval_due or table.misdealt))


def advance(run: Run) -> None:
    """Everything without a choice, in the order of play, until somebody must decide.

    A card that does not belong to the decks ends it: what follows is for the rulebook, or the house.
    """
    table = run.table
    if not table.wrong_card and not table.halted and table.preparation == "ready":
        if table.fresh and table.compiled.burns:
            initial_deal.burn(run)
        phase = table.phase
        if phase in BEFORE_PLAY:
            phase = "play" if open_play(run, phase) else WAITS
        if phase == "play":
            if (
                (table.dealer_late and table.noticed == "in-turn" and short_hands.late_dealer_card_waits(run))
                or subsequent_deal.play_on(run)
                or (table.dealer_late and short_hands.late_dealer_card_waits(run))
                or (table.pending and goes_back_first(run))
                or not draw_dealer(run)
            ):
                phase = WAITS
            else:
                phase = "settling"
        if phase in AFTER_PLAY and not (
            (subsequent_deal.unfinished(table) and short_hands.late_hand_waits(run))
            or (table.suspect and table.house.face_down and turn_up(run))
        ):
            settle_all(run)
    if table.wrong_card and not table.approval_due:
        stray_cards.rule_on_wrong_card(run)


def goes_back_first(run: Run) -> bool:
    """All hands are played: what was found before and has not come yet goes back now. Whether the table then waits."""
    table = run.table
    while not table.refund_asked and (again := next_found(table, over=True)) is not None:
        find_again(run, again)
    return bool(table.refund_asked)


def turn_up(run: Run) -> bool:
    """Whether a hand that stood face down holds a card that does not belong to the decks: it is found now."""
    table = run.table
    hidden = [
        (number, hand)
        for number, box in table.boxes.items()
        for hand in box.hands
        if hand.face_down and any(not wager.settled for wager in hand.wagers.values())
    ]
    if all(belongs(table, card, out=True, turned_up=True) for _, hand in hidden for card in hand.cards):
        return False  # each is turned up when it is settled, as always
    for number, hand in hidden:
        run.emit(e.HandExposed(table.rulebook.cards.face_down.clauses, number, hand.cards))
        if stray_cards.look_at(run, hand.cards, number):
            return True
    return False


BEFORE_PLAY = ("dealing", "interim")
AFTER_PLAY = ("settling", "late")
WAITS = ""
"""Somebody must decide before play goes on."""


def open_play(run: Run, phase: str) -> bool:
    """From the first card to the first decision on a hand; False where somebody must decide before it."""
    table = run.table
    compiled = table.compiled
    if phase == "dealing":
        if not table.noticed and not initial_deal.deal_initial_cards(run):
            return False
        if table.rack and compiled.device_returns_early:
            initial_deal.return_discards(run)
        if table.house.face_down and initial_deal.must_expose(table):
            return False
        settle_pairs(run)
        if (table.jackpot_wagers or table.jackpot_waiting) and not blazing.settle_blazing(run):
            return False
        if compiled.insurance and insurance.insurance_is_due(table):
            run.emit(e.InsuranceOffered(table.rulebook.insurance.dealer_ranks.clauses))
            return False
    settle_naturals(run)
    if compiled.surrender and surrender.surrender_is_due(table):
        run.emit(e.SurrenderOffered(table.rulebook.surrender.dealer_ranks.clauses))
        return False
    return True
