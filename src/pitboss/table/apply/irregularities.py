"""When things go wrong: approvals, stray cards, forgotten steps, void hands and rounds, refunds."""

from __future__ import annotations

from pitboss.table import events as e
from pitboss.table.apply.changes import WENT_BACK, Changes, answered, halt, leave, note, note_answer, note_found, spoil
from pitboss.table.state import NOT_SHOWN, Table


def _irregularity(t: Table, ev: e.IrregularityReported) -> None:
    t.approval_due = ev.approval
    if ev.player and ev.kind in WENT_BACK:
        note_found(t, ev.kind, ev.player, ev.box, ev.by)
    halt(t)


def _approval_given(t: Table, ev: e.ApprovalGiven) -> None:
    t.approval_due = ""
    if t.wrong_card:
        t.wrong_card = ""
        t.cleared = (t.position, len(t.error_cards))
    halt(t)


# --- cards that do not belong ----------------------------------------------------------------------------------------


def _wrong_card_found(t: Table, ev: e.WrongCardFound) -> None:
    if not ev.out:
        t.wrong_card = ev.card


def _wrong_card_removed(t: Table, ev: e.WrongCardRemoved) -> None:
    t.wrong_card = ""
    if ev.from_error:
        t.error_cards = t.error_cards[1:]
    else:
        leave(t)


def _checks_due(t: Table, ev: e.ChecksDue) -> None:
    t.checks_due = tuple(dict.fromkeys((*t.checks_due, *ev.checks)))


def _check_confirmed(t: Table, ev: e.CheckConfirmed) -> None:
    t.checks_due = tuple(check for check in t.checks_due if check != ev.check)


def _table_stopped(t: Table, ev: e.TableStopped) -> None:
    t.stopped = ev.reason
    halt(t)


def _table_resumed(t: Table, ev: e.TableResumed) -> None:
    t.stopped = ""
    halt(t)


# --- stray cards -----------------------------------------------------------------------------------------------------


def _card_drawn_in_error(t: Table, ev: e.CardDrawnInError) -> None:
    leave(t)
    t.error_cards = (*t.error_cards, (ev.card, ev.exposed))


def _card_refused(t: Table, ev: e.CardRefused) -> None:
    note(t, "CardRefused", ev.player, ev.box, ev.hand)
    t.boxes[ev.box].hands[ev.hand].done = not ev.draws
    t.refusers = (*t.refusers, ev.player)


def _cards_burned_open(t: Table, ev: e.CardsBurnedOpen) -> None:
    spoil(t, "face-up", len(ev.cards))
    leave(t, len(ev.cards))
    t.rack += ev.cards


def _check_ordered(t: Table, ev: e.CheckOrdered) -> None:
    t.shuffle_after = "check"


# --- forgotten steps -------------------------------------------------------------------------------------------------


def _burn_forgotten(t: Table, ev: e.BurnForgotten) -> None:
    t.fresh = False


def _cut_forgotten(t: Table, ev: e.CutForgotten) -> None:
    t.preparation = "ready"
    t.cut_offered = ""
    t.cut_declined = ()
    t.shuffle_after = "cut-missed"


def _shuffle_forgotten(t: Table, ev: e.ShuffleForgotten) -> None:
    t.preparation = "ready"
    t.cutting_shown = NOT_SHOWN
    t.shuffle_after = "shuffle-missed"


def _discards_forgotten(t: Table, ev: e.DiscardsForgotten) -> None:
    t.discards_forgotten += 1


def _insurance_forgotten(t: Table, ev: e.InsuranceForgotten) -> None:
    if t.phase == "insurance":
        t.phase = "interim"
    t.insurance_forgotten = True


# --- absent players --------------------------------------------------------------------------------------------------


def _player_passed_over(t: Table, ev: e.PlayerPassedOver) -> None:
    note(t, "PlayerPassedOver", ev.player, ev.box, ev.hand)
    hand = t.boxes[ev.box].hands[ev.hand]
    if hand.asking:
        answered(hand, ev.player)
    else:
        hand.passed_over = (*hand.passed_over, ev.player)


# --- void hands and rounds, refunds ----------------------------------------------------------------------------------


def _hand_voided(t: Table, ev: e.HandVoided) -> None:
    t.opened = None
    t.rack += ev.cards
    if ev.box in t.boxes:
        hand = t.boxes[ev.box].hands[ev.hand]
        hand.cards = ()
        hand.done = True
    t.misdealt = tuple((box, card) for box, card in t.misdealt if box != ev.box)
    halt(t)


def _round_voided(t: Table, ev: e.RoundVoided) -> None:
    t.opened = None
    t.rack += tuple(card for _, card in t.misdealt)
    t.misdealt = ()
    t.refund_asked = ()
    halt(t)


def _earlier_round_voided(t: Table, ev: e.EarlierRoundVoided) -> None:
    past = t.rounds_before() or ({},)
    voided = past[-ev.rounds_ago]
    if t.phase != "wagers":  # what comes back of the earlier round is no part of this one
        t.round_start = {name: cents - voided.get(name, 0) for name, cents in t.round_start.items()}
    elif ev.rounds_ago == 1:
        t.opened = None
        t.last_staked = {}
    left = tuple({} if number == len(past) - ev.rounds_ago else each for number, each in enumerate(past))
    t.earlier, t.lately, t.last_results = left[:-1], (), left[-1]


def _refund_offered(t: Table, ev: e.RefundOffered) -> None:
    if not t.dealer_late and t.opened is not None:  # a dealer who lacks the first card makes that offer anyway
        note_found(t, "RefundOffered", "")
    t.refund_asked = ev.players
    halt(t)


def _refund_answered(t: Table, ev: e.RefundDeclined | e.RefundTaken) -> None:
    if t.dealer_late:
        t.opened = None
    note_answer(t, type(ev).__name__, ev.player)
    t.refund_asked = tuple(name for name in t.refund_asked if name != ev.player)
    halt(t)


IRREGULARITIES: Changes = {
    e.IrregularityReported: _irregularity,
    e.ApprovalGiven: _approval_given,
    e.WrongCardFound: _wrong_card_found,
    e.WrongCardRemoved: _wrong_card_removed,
    e.ChecksDue: _checks_due,
    e.CheckConfirmed: _check_confirmed,
    e.TableStopped: _table_stopped,
    e.TableResumed: _table_resumed,
    e.CardDrawnInError: _card_drawn_in_error,
    e.CardRefused: _card_refused,
    e.CardsBurnedOpen: _cards_burned_open,
    e.CheckOrdered: _check_ordered,
    e.BurnForgotten: _burn_forgotten,
    e.CutForgotten: _cut_forgotten,
    e.ShuffleForgotten: _shuffle_forgotten,
    e.DiscardsForgotten: _discards_forgotten,
    e.InsuranceForgotten: _insurance_forgotten,
    e.PlayerPassedOver: _player_passed_over,
    e.HandVoided: _hand_voided,
    e.RoundVoided: _round_voided,
    e.EarlierRoundVoided: _earlier_round_voided,
    e.RefundOffered: _refund_offered,
    e.RefundDeclined: _refund_answered,
    e.RefundTaken: _refund_answered,
}
