"""Hands that lack cards, the dealer's included: they wait, are played on, or their wagers are taken back."""

from __future__ import annotations

from pitboss.basics.cards import point_total
from pitboss.rulebooks.meanings import BY_STAGE
from pitboss.rulebooks.terms import Term
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.chapters import carries_out
from pitboss.table.doubling import double, refuse_double
from pitboss.table.events import DEALER
from pitboss.table.final_settlement import return_side_wagers
from pitboss.table.irregularities.money import open_players, return_wager, return_wagers
from pitboss.table.irregularities.reports import report
from pitboss.table.refusals import Refusal
from pitboss.table.run import Run, both, heads, narrowed, next_card, no, pass_control
from pitboss.table.splitting import refuse_split, split
from pitboss.table.state import Hand, Table
from pitboss.table.subsequent_deal import (
    hit,
    lacks_cards,
    note_declined_resplit,
    play_on,
    refuse_face_down,
    refuse_hit,
    short_clauses,
    short_hand_at,
)

# --- a hand that was left out ----------------------------------------------------------------------------------------


def refuse_leave_out(table: Table, act: a.LeaveOut) -> Refusal | None:
    """Whether the dealer can have gone past the hand in turn so."""
    terms = table.rulebook.irregularities
    box = table.boxes.get(act.box)
    if act.noticed not in ("passed", "dealer") or act.meant not in ("hit", "double", "split"):
        text = "say whether it was noticed once passed or by the dealer's second card, and what had been called for."
        return no(table, both(terms.short_hand, terms.short_hand_no_double_or_split), text)
    if table.phase != "play" or table.preparation != "ready" or box is None or table.turn_box != act.box:
        return no(table, terms.short_hand.clauses, f"box {act.box} is not being dealt to now.")
    hand = table.hand_to_act()
    if hand.asking or hand.doubled or hand.short:
        return no(table, terms.short_hand.clauses, f"on box {act.box} something else is to be decided first.")
    if hand.face_down and act.meant != "hit":  # whoever says this may not see the cards: nothing is told of them
        return refuse_face_down(table, hand, act.box)
    if act.meant == "double":
        return refuse_double(table, a.Double(box.controller, act.box))
    if act.meant == "split":
        return refuse_split(table, a.Split(box.controller, act.box))
    return None if BY_STAGE[terms.misdeal.value] else refuse_hit(table, a.Hit(box.controller, act.box))


@carries_out(a.LeaveOut, refuse_leave_out)
def leave_out(run: Run, act: a.LeaveOut) -> None:
    """The hand waits for its card until the others are dealt to, or until the dealer's hand is complete.

    Where rounds are rebuilt as they should have been dealt, it simply gets what had been called for.
    """
    table = run.table
    terms = table.rulebook.irregularities
    if not BY_STAGE[terms.misdeal.value]:
        report(run, "hand-left-out", terms.misdeal)
        player = table.boxes[act.box].controller
        if act.meant == "double":
            double(run, a.Double(player, act.box))
        elif act.meant == "split":
            split(run, a.Split(player, act.box))
        else:
            hit(run, a.Hit(player, act.box))
        return
    report(run, "hand-left-out", left_out_term(table, act.noticed))
    mark_left_out(run, act.noticed, act.meant)


def left_out_term(table: Table, noticed: str) -> Term[str]:
    terms = table.rulebook.irregularities
    return short_hand_at(table, noticed) if noticed == "passed" else terms.short_hand_dealer_stands


def mark_left_out(run: Run, noticed: str, meant: str, place: tuple[int, int] | None = None) -> None:
    """The hand in turn, or the one at this box and of this number, lacks a card."""
    table = run.table
    box, hand = place or (table.turn_box, table.turn_hand)
    if place is None and meant != "split" and table.boxes[box].hands[hand].split:
        note_declined_resplit(run, box, hand, table.boxes[box].controller)  # who calls for a card passes over a split
    run.emit(e.HandLeftOut(left_out_term(table, noticed).clauses, box, hand, noticed, meant))


def late_hand_waits(run: Run) -> bool:
    """After the dealer's hand: whether somebody still decides on a hand that lacked cards.

    A dealer bust or natural leaves nothing to choose.
    """
    if run.table.dealer_natural or run.table.dealer_total > 21:
        return False
    return play_on(run)


# --- the dealer's first card -----------------------------------------------------------------------------------------


def late_dealer_card_waits(run: Run) -> bool:
    """The dealer lacks a first card: the next is the dealer's, and everybody may take wagers back or play on.

    True where the table now waits; False where the dealer has it, or where it would decide nothing.
    """
    table = run.table
    players = open_players(table)
    if table.dealer_cards or not players:
        return False
    clauses = dealer_short_at(table, "told")
    run.emit(e.NoticeGiven(clauses, "players", "the next card is the dealer's first"))
    card = next_card(run, DEALER)
    if card is None:
        return True
    total, soft = point_total((card,))
    run.emit(e.CardDealt(clauses, DEALER, 0, card, total, soft, False, run.from_error))
    run.emit(e.RefundOffered(dealer_short_at(table, "offered"), players))
    return True


def dealer_short_at(table: Table, step: str) -> tuple[str, ...]:
    """What the rulebook says of this step where the dealer's first card comes late."""
    terms = table.rulebook.irregularities
    return narrowed(terms.dealer_short, terms.dealer_short_clauses, step).clauses


def refund_clauses(table: Table) -> tuple[str, ...]:
    """By which rule the players may take their wagers back now."""
    return heads(table.rulebook.device.no_spare) if table.device_down else dealer_short_at(table, "offered")


# --- wagers are taken back, or it is played on -----------------------------------------------------------------------


def refuse_take_back(table: Table, act: a.TakeBack) -> Refusal | None:
    """Whether taking wagers back is offered to this player."""
    terms = table.rulebook.irregularities
    if act.player in table.refund_asked or accepts_or_withdraws(table, act.player):
        return None
    if short_hand_of(table, act.player) is not None:
        return None
    return refuse_no_offer(table, act.player) or no(
        table,
        table.rulebook.wagers.locked.clauses[:2] + terms.short_hand.clauses[:2],
        f"nothing is offered to {act.player}: wagers stay.",
    )


@carries_out(a.TakeBack, refuse_take_back)
def take_back(run: Run, act: a.TakeBack) -> None:
    table = run.table
    if act.player in table.refund_asked:
        clauses = refund_clauses(table)
        run.emit(e.RefundTaken(clauses, act.player))
        return_wagers(run, "taken-back", clauses, act.player)
        pass_control(run, act.player, clauses)
        return
    terms = table.rulebook.irregularities
    hand = table.hand_to_act()
    if accepts_or_withdraws(table, act.player):
        withdraw_from(run, hand, act.player, "taken-back", terms.short_hand_others.clauses)
        return
    clauses = short_clauses(table, hand)
    cards = hand.cards
    for player in [w.player for w in hand.wagers.values() if not w.settled]:
        if player == act.player:
            withdraw_from(run, hand, player, "taken-back", clauses)
        else:
            withdraw_from(run, hand, player, "void", terms.short_hand_others.clauses)
    if not hand.split:
        return_side_wagers(run, table.turn_box, terms.short_hand_others.clauses)
    if cards:
        run.emit(e.HandVoided(clauses, table.turn_box, cards, table.turn_hand))


def withdraw_from(run: Run, hand: Hand, player: str, reason: str, clauses: tuple[str, ...]) -> None:
    """Give back what a player has on a hand that lacks cards, insurance and wagers on its two cards included."""
    table = run.table
    number = table.turn_box
    return_wager(run, number, table.turn_hand, hand, player, reason, clauses)
    if hand.split:
        return
    if player in table.boxes[number].insurance:
        cents = table.boxes[number].insurance[player]
        run.emit(e.WagerReturned(clauses, player, number, cents, "insurance", reason, e.OF_INSURANCE))
    return_side_wagers(run, number, clauses, player)


def refuse_play_on(table: Table, act: a.PlayOn) -> Refusal | None:
    if act.player in table.refund_asked or accepts_or_withdraws(table, act.player):
        return None
    return refuse_no_offer(table, act.player) or no(
        table,
        table.rulebook.irregularities.short_hand.clauses,
        f"{act.player} is asked nothing: the round goes on.",
    )


def refuse_no_offer(table: Table, player: str) -> Refusal | None:
    """Why taking wagers back, or playing on, is not this player's to say; None where nobody is asked at all."""
    terms = table.rulebook.irregularities
    if table.refund_asked:
        return no(table, refund_clauses(table), f"that is asked of {', '.join(table.refund_asked)}, not of {player}.")
    if table.phase not in ("play", "late") or not table.turn_box:
        return None
    box, hand = table.boxes[table.turn_box], table.hand_to_act()
    if hand.asking == "short":
        return no(table, terms.short_hand_others.clauses, f"that is asked of {', '.join(hand.asked)}, not of {player}.")
    if lacks_cards(hand) and not hand.done and not hand.due:
        text = f"the hand on box {table.turn_box} lacks a card: {box.controller} draws or takes the wager back first."
        return no(table, short_clauses(table, hand) + terms.short_hand_others.clauses, text)
    return None


@carries_out(a.PlayOn, refuse_play_on)
def play_on_answer(run: Run, act: a.PlayOn) -> None:
    table = run.table
    if accepts_or_withdraws(table, act.player):
        clauses = table.rulebook.irregularities.short_hand_others.clauses
        run.emit(e.DecisionAccepted(clauses, table.turn_box, table.turn_hand, act.player))
        return
    run.emit(e.RefundDeclined(refund_clauses(table), act.player))


def short_hand_of(table: Table, player: str) -> tuple[int, Hand] | None:
    """The short hand whose controller's choice is awaited, if it is this player's."""
    if table.phase not in ("play", "late") or not table.turn_box:
        return None
    box = table.boxes[table.turn_box]
    hand = table.hand_to_act()
    if lacks_cards(hand) and not hand.done and not hand.asking and not hand.due and box.controller == player:
        return table.turn_box, hand
    return None


def accepts_or_withdraws(table: Table, player: str) -> bool:
    """Whether a player on a hand that lacked cards is asked to accept that it is played on."""
    if table.phase not in ("play", "late") or not table.turn_box:
        return False
    hand = table.hand_to_act()
    return hand.asking == "short" and player in hand.asked
