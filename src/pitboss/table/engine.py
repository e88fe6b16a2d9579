"""The only door: a table and an act in, events or a refusal out. No clock, no chance, no input or output."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from pitboss.basics.cards import Card, parse_cards
from pitboss.rulebooks import load
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import acts as a
from pitboss.table import blazing_sevens as blazing
from pitboss.table import (
    conduct,
    device,
    doubling,
    initial_deal,
    insurance,
    limits,
    splitting,
    subsequent_deal,
    supervision,
    surrender,
    wagers,
)
from pitboss.table import events as e
from pitboss.table import shuffle_and_cut as stack
from pitboss.table.acts import Act
from pitboss.table.apply import evolve
from pitboss.table.compiled import compiled_for
from pitboss.table.dealers_hand import draw_dealer
from pitboss.table.events import Event
from pitboss.table.final_settlement import settle_all
from pitboss.table.house import House, Patron, default_house, refuse_house, refuse_patron
from pitboss.table.interim_settlement import settle_naturals
from pitboss.table.irregularities import (
    forgotten_steps,
    misdeals,
    money,
    people,
    reports,
    short_hands,
    stray_cards,
    voids,
    waiting,
)
from pitboss.table.pairs import settle_pairs
from pitboss.table.refusals import Refusal, Refused
from pitboss.table.run import Run, no
from pitboss.table.state import PlayerState, Table, draft

__all__ = ["decide", "evolve", "open_table", "play", "refusal"]

CHAPTERS: dict[type[Act], tuple[Callable[[Table, Any], Refusal | None], Callable[[Run, Any], None]]] = {
    a.TakeSeat: (wagers.refuse_seat, wagers.take_seat),
    a.LeaveTable: (wagers.refuse_leave, wagers.leave),
    a.PlaceWager: (wagers.refuse_place, wagers.place),
    a.WithdrawWager: (wagers.refuse_withdraw, wagers.withdraw),
    a.DeclineControl: (wagers.refuse_decline_control, wagers.decline_control),
    a.BuyChips: (wagers.refuse_buy, wagers.buy),
    a.CallNoMoreBets: (initial_deal.refuse_call, initial_deal.call_no_more_bets),
    a.Deal: (initial_deal.refuse_deal, initial_deal.deal),
    a.Expose: (initial_deal.refuse_expose, initial_deal.expose),
    a.Insure: (insurance.refuse_insure, insurance.insure),
    a.CloseInsurance: (insurance.refuse_close_insurance, insurance.close_insurance),
    a.Surrender: (surrender.refuse_surrender, surrender.surrender),
    a.CloseSurrender: (surrender.refuse_close_surrender, surrender.close_surrender),
    a.Hit: (subsequent_deal.refuse_hit, subsequent_deal.hit),
    a.Stand: (subsequent_deal.refuse_stand, subsequent_deal.stand),
    a.Double: (doubling.refuse_double, doubling.double),
    a.Forfeit: (doubling.refuse_after_double, doubling.forfeit),
    a.Keep: (doubling.refuse_after_double, doubling.keep),
    a.Split: (splitting.refuse_split, splitting.split),
    a.Decline: (splitting.refuse_decline, splitting.decline),
    a.Shuffle: (stack.refuse_shuffle, stack.shuffle),
    a.Mix: (stack.refuse_mix, stack.mix),
    a.Cut: (stack.refuse_cut, stack.cut),
    a.DeclineCut: (stack.refuse_decline_cut, stack.decline_cut),
    a.PlaceCuttingCard: (stack.refuse_cutting_card, stack.place_cutting_card),
    a.OrderShuffle: (stack.refuse_order_shuffle, stack.order_shuffle),
    a.ReplaceCards: (stack.refuse_replace, stack.replace_cards),
    a.AnnounceFinalRounds: (stack.refuse_final_rounds, stack.announce_final_rounds),
    a.SetLimits: (supervision.refuse_set_limits, supervision.set_limits),
    a.GrantMaximum: (supervision.refuse_grant, supervision.grant),
    a.Restrict: (supervision.refuse_restrict, supervision.restrict),
    a.LiftRestriction: (supervision.refuse_lift, supervision.lift),
    a.LimitBoxes: (supervision.refuse_limit_boxes, supervision.limit_boxes),
    a.ReserveBoxes: (supervision.refuse_reserve, supervision.reserve),
    a.CapPlayers: (supervision.refuse_cap_players, supervision.cap_players),
    a.CapBox: (supervision.refuse_cap_box, supervision.cap_box),
    a.RefuseWager: (supervision.refuse_refuse_wager, supervision.refuse_wager),
    a.RestrictSideBet: (supervision.refuse_restrict_side_bet, supervision.restrict_side_bet),
    a.RequireSideBet: (supervision.refuse_require_side_bet, supervision.require_side_bet),
    a.AllowResplit: (supervision.refuse_resplit, supervision.allow_resplit),
    a.DeferInterim: (supervision.refuse_defer, supervision.defer),
    a.DealFaceDown: (supervision.refuse_face_down_order, supervision.order_face_down),
    a.FindWager: (limits.refuse_find, limits.find),
    a.SetJackpot: (blazing.refuse_set_jackpot, blazing.set_jackpot),
    a.PayJackpot: (blazing.refuse_pay_jackpot, blazing.pay_jackpot),
    a.ReportJackpotFault: (blazing.refuse_fault, blazing.report_fault),
    a.FindFaceUpCard: (stray_cards.refuse_face_up, stray_cards.find_face_up),
    a.CheckSource: (stray_cards.refuse_check, stray_cards.check_source),
    a.DrawInError: (stray_cards.refuse_draw_in_error, stray_cards.draw_in_error),
    a.RefuseCard: (stray_cards.refuse_refuse_card, stray_cards.refuse_card),
    a.ExtraDealerCard: (stray_cards.refuse_extra, stray_cards.extra_dealer_card),
    a.BurnInError: (stray_cards.refuse_burn_in_error, stray_cards.burn_in_error),
    a.ForgetBurn: (forgotten_steps.refuse_forget_burn, forgotten_steps.forget_burn),
    a.DealWithoutWagers: (forgotten_steps.refuse_deal_without_wagers, forgotten_steps.deal_without_wagers),
    a.Misdeal: (misdeals.refuse_misdeal, misdeals.misdeal),
    a.LeaveOut: (short_hands.refuse_leave_out, short_hands.leave_out),
    a.Misplace: (misdeals.refuse_misplace, misdeals.misplace),
    a.Reconstruct: (misdeals.refuse_reconstruct, misdeals.reconstruct),
    a.VoidRound: (voids.refuse_void, voids.void),
    a.VoidEarlierRound: (voids.refuse_void_earlier, voids.void_earlier),
    a.ForgetCut: (forgotten_steps.refuse_forget_cut, forgotten_steps.forget_cut),
    a.ForgetShuffle: (forgotten_steps.refuse_forget_shuffle, forgotten_steps.forget_shuffle),
    a.ForgetDiscards: (forgotten_steps.refuse_forget_discards, forgotten_steps.forget_discards),
    a.ForgetInsurance: (forgotten_steps.refuse_forget_insurance, forgotten_steps.forget_insurance),
    a.FindWrongCards: (stray_cards.refuse_wrong_cards, stray_cards.find_wrong_cards),
    a.DropCards: (stray_cards.refuse_drop, stray_cards.drop_cards),
    a.PassOver: (people.refuse_pass_over, people.pass_over),
    a.ReportMalfunction: (device.refuse_malfunction, device.report_malfunction),
    a.TakeBack: (short_hands.refuse_take_back, short_hands.take_back),
    a.PlayOn: (short_hands.refuse_play_on, short_hands.play_on_answer),
    a.ClearJam: (device.refuse_clear_jam, device.clear_jam),
    a.RepairDevice: (device.refuse_repair, device.repair),
    a.FindInvalidWager: (people.refuse_invalid, people.find_invalid),
    a.FindLossExcess: (people.refuse_loss_excess, people.find_loss_excess),
    a.BarPlayer: (people.refuse_bar, people.bar),
    a.InvalidateRound: (voids.refuse_invalidate, voids.invalidate),
    a.RecordMispayment: (money.refuse_mispayment, money.record_mispayment),
    a.Approve: (reports.refuse_approve, reports.approve),
    a.RestoreJackpot: (blazing.refuse_restore, blazing.restore_jackpot),
    a.Remind: (conduct.refuse_remind, conduct.remind),
    a.PausePlayer: (conduct.refuse_pause, conduct.pause),
    a.ReadmitPlayer: (conduct.refuse_readmit, conduct.readmit),
    a.VacateSeat: (conduct.refuse_vacate, conduct.vacate),
    a.RaiseDispute: (conduct.refuse_raise, conduct.raise_dispute),
    a.RuleDispute: (conduct.refuse_rule, conduct.rule_dispute),
    a.AskReview: (conduct.refuse_review, conduct.ask_review),
}


def refusal(table: Table, act: Act) -> Refusal | None:
    """Why the act is not allowed now, or None if it is. Buttons, replay and `decide` all ask this."""
    if table.halted:
        refused = waiting.refuse_while_waiting(table, act)
        if refused is not None:
            return refused
    return CHAPTERS[type(act)][0](table, act)


def decide(table: Table, act: Act) -> tuple[Event, ...] | Refusal:
    """What comes of an act: events, or a refusal that changes nothing. The table is untouched."""
    refused = refusal(table, act)
    if refused is not None:
        return refused
    run = Run(draft(table))
    CHAPTERS[type(act)][1](run, act)
    if run.table.phase != "wagers":
        advance(run)
    return tuple(run.events)


def play(table: Table, *acts: Act) -> tuple[Table, tuple[Event, ...]]:
    """The table after these acts and what happened; raises `Refused` at the first that is not allowed."""
    new = draft(table)
    run = Run(new)
    for act in acts:
        refuse, carry_out = CHAPTERS[type(act)]
        refused = refusal(new, act) if new.halted else refuse(new, act)
        if refused is not None:
            raise Refused(refused)
        carry_out(run, act)
        if new.phase != "wagers":
            advance(run)
    return new, tuple(run.events)


def advance(run: Run) -> None:
    """Everything without a choice, in the order of play, until somebody must decide."""
    table = run.table
    if table.preparation != "ready" or table.halted:
        return
    if table.fresh and table.compiled.burns:
        initial_deal.burn(run)
    phase = table.phase
    if phase in BEFORE_PLAY:
        if not open_play(run, phase):
            return
        phase = "play"
    if phase == "play":
        if table.dealer_late and table.noticed == "in-turn" and short_hands.late_dealer_card_waits(run):
            return
        if subsequent_deal.play_on(run):
            return
        if table.dealer_late and short_hands.late_dealer_card_waits(run):
            return
        if not draw_dealer(run):
            return
        phase = "settling"
    if phase in AFTER_PLAY:
        if subsequent_deal.unfinished(table) and short_hands.late_hand_waits(run):
            return
        settle_all(run)


BEFORE_PLAY = ("dealing", "interim")
AFTER_PLAY = ("settling", "late")


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


def open_table(
    rulebook: str | Rulebook,
    *,
    cards: str | Sequence[Card] | None = None,
    house: House | None = None,
    players: Mapping[str, Patron] | None = None,
    new_shoe: bool = False,
    start: str = "ready",
    cutting_card: int | None = None,
    again: bool = False,
) -> Table:
    """A table under a rulebook.

    With `cards` they leave in that order (as in a record); without, the table wants a `Shuffle` first. Raises `Refused`
    where the rulebook does not let the house open such a table; not for one that was opened before (`again`).
    """
    book = load(rulebook) if isinstance(rulebook, str) else rulebook
    house = default_house(book) if house is None else house
    refused = None if again else refuse_house(book, house)
    if refused is not None:
        raise Refused(refused)
    house = msgspec.structs.replace(house, chips_cents=tuple(sorted(set(house.chips_cents))))
    states: dict[str, PlayerState] = {}
    for name, patron in (players or {}).items():
        states[name] = PlayerState(
            seat=patron.seat or 0,
            present=patron.seat is not None,
            card=patron.card,
            chips_cents=patron.chips_cents,
            loss_limit_cents=patron.loss_limit_cents,
            deposit_limit_cents=patron.deposit_limit_cents,
            recognised=patron.recognised,
            restricted_before=patron.restricted_before,
        )
    table = Table(
        book,
        house,
        compiled_for(book),
        states,
        dict.fromkeys(states, 0),
        max(house.jackpot_cents, house.jackpot_minimum_cents),
        fresh=new_shoe,
        cutting_at=-1 if cutting_card is None else cutting_card,
    )
    for name, state in states.items():
        bad = None
        if not wagers.is_name(name):
            bad = no(table, book.boxes.players_max.clauses, f"{name!r} cannot be a player's name.")
        if bad is None and state.seat and not 1 <= state.seat <= house.boxes:
            bad = no(table, book.boxes.number.clauses, f"{name} cannot sit at box {state.seat}.")
        if bad is None and state.seat and sum(other.seat == state.seat for other in states.values()) > 1:
            bad = no(table, table.compiled.control, f"two players are seated at box {state.seat}.")
        if bad is None and players is not None:
            bad = refuse_patron(book, name, players[name])
        if bad is not None and not again:
            raise Refused(bad)
    if cards is None:
        table.preparation, table.shuffle_reason = "shuffle", "start"
        return table
    table.arranged = True
    table.stack = parse_cards(cards) if isinstance(cards, str) else tuple(cards)
    if start == "shuffle":
        table.stack = ()
        table.preparation, table.shuffle_reason = "shuffle", "start"
    return table
