"""Money: what is paid, collected or stood off, bonuses, and payments that are put right."""

from __future__ import annotations

from msgspec.structs import replace

from pitboss.rulebooks.vocabulary import BLAZING
from pitboss.table import events as e
from pitboss.table.apply.changes import (
    Changes,
    arrive,
    forget_unless_found,
    leave_round,
    note_lost,
    note_staked,
    out_of_round,
    settle,
)
from pitboss.table.state import Box, Table

NATURALS = ("pontoon", "blackjack")


def _wager_paid(t: Table, ev: e.WagerPaid) -> None:
    hand = t.boxes[ev.box].hands[ev.hand]
    if ev.result in NATURALS:
        hand.natural = True
    hand.wagers[ev.player] = replace(hand.wagers[ev.player], settled=True, result=ev.paid_cents)
    t.net[ev.player] += ev.wager_cents + ev.paid_cents
    if ev.settlement == "final":
        _note_final(t, ev.player, ev.paid_cents, ev.wager_cents)


def _note_final(t: Table, player: str, cents: int, staked: int) -> None:
    """What the final settlement brings: an error told before the next round may still undo it."""
    known = t.final_results
    if known:
        t.final_results = {**known, player: known.get(player, 0) + cents}
        note_staked(t, player, staked)
        return
    t.final_results = {player: cents}
    if t.final_staked:
        note_staked(t, player, staked)
    else:
        t.final_staked = {player: staked}


def _wager_collected(t: Table, ev: e.WagerCollected) -> None:
    hand = t.boxes[ev.box].hands[ev.hand]
    hand.wagers[ev.player] = replace(hand.wagers[ev.player], settled=True, result=-ev.cents)
    if ev.reason != "bust":
        _note_final(t, ev.player, -ev.cents, ev.cents)
    else:
        note_lost(t, ev.player, ev.cents)


def _wager_stood_off(t: Table, ev: e.WagerStoodOff) -> None:
    hand = t.boxes[ev.box].hands[ev.hand]
    hand.wagers[ev.player] = replace(hand.wagers[ev.player], settled=True)
    t.net[ev.player] += ev.cents
    note_staked(t, ev.player, ev.cents)


def _surrender_settled(t: Table, ev: e.SurrenderSettled) -> None:
    settle(t.boxes[ev.box].hands[ev.hand], ev.player, -ev.lost_cents)
    t.net[ev.player] += ev.returned_cents
    _note_final(t, ev.player, -ev.lost_cents, ev.lost_cents + ev.returned_cents)


def _insurance_paid(t: Table, ev: e.InsurancePaid) -> None:
    del t.boxes[ev.box].insurance[ev.player]
    _note(t, ev.box, "insurance", ev.player, ev.paid_cents)
    t.net[ev.player] += ev.wager_cents + ev.paid_cents
    _note_final(t, ev.player, ev.paid_cents, ev.wager_cents)


def _insurance_collected(t: Table, ev: e.InsuranceCollected) -> None:
    del t.boxes[ev.box].insurance[ev.player]
    _note(t, ev.box, "insurance", ev.player, -ev.cents)
    _note_final(t, ev.player, -ev.cents, ev.cents)


def _side_bet_paid(t: Table, ev: e.SideBetPaid) -> None:
    del t.boxes[ev.box].side[ev.kind][ev.player]
    _note(t, ev.box, ev.kind, ev.player, ev.paid_cents)
    t.net[ev.player] += ev.wager_cents + ev.paid_cents


def _side_bet_collected(t: Table, ev: e.SideBetCollected) -> None:
    cents = t.boxes[ev.box].side[ev.kind].pop(ev.player)
    _note(t, ev.box, ev.kind, ev.player, -cents)
    note_lost(t, ev.player, cents)


def _note(t: Table, box: int, kind: str, player: str, cents: int) -> None:
    """What a wager beside those on the hands brought: it goes back where the wager turns out to be void."""
    area = t.boxes[box]
    area.settled = (*area.settled, (kind, player, cents))


def _bonus_due(t: Table, ev: e.SuperBonusEarned) -> None:
    t.bonus_hands = (*t.bonus_hands, (ev.box, ev.hand))


def _super_bonus_paid(t: Table, ev: e.SuperBonusPaid) -> None:
    t.net[ev.player] += ev.cents
    _note(t, ev.box, "super-bonus", ev.player, ev.cents)
    t.bonus_given = (*t.bonus_given, (0, ev.player), (ev.box, ev.player))


def _bonus_paid(t: Table, ev: e.BonusPaid) -> None:
    t.net[ev.player] += ev.cents
    t.bonus_given = (*t.bonus_given, (ev.box, ev.player))


# --- payments that are put right -------------------------------------------------------------------------------------


def _payment_reversed(t: Table, ev: e.PaymentReversed) -> None:
    t.net[ev.player] -= ev.cents


def _result_undone(t: Table, ev: e.ResultUndone) -> None:
    t.net[ev.player] -= ev.cents
    if t.opened is not None:
        forget_unless_found(t, ev.player)
    if ev.kind == BLAZING:
        t.jackpot_paid = tuple(each for each in t.jackpot_paid if each[:2] != (ev.box, ev.player))
        return
    if ev.kind == "bonus":
        t.bonus_given = tuple(each for each in t.bonus_given if each != (0, ev.player))
        return
    if t.phase == "wagers":  # of the round before: it has no result there either
        t.small_results = tuple(each for each in t.small_results if each[:2] != (ev.player, ev.box))
        gone = sum(cents for *where, cents in t.last_small if tuple(where) == (ev.player, ev.box))
        t.last_staked = {**t.last_staked, ev.player: max(0, t.last_staked.get(ev.player, 0) - gone)}
        t.last_results = {**t.last_results, ev.player: t.last_results.get(ev.player, 0) - ev.cents}
        if ev.player in t.last_final:
            t.last_final = {**t.last_final, ev.player: t.last_final[ev.player] - ev.cents}
        return
    box = t.boxes[ev.box]
    if ev.reason:
        _part_undone(box, ev)
    elif ev.kind == "original":
        hand = box.hands[ev.hand]
        hand.wagers[ev.player] = replace(hand.wagers[ev.player], cents=0, doubled_cents=0, result=0)
        leave_round(t, box, ev.player)
    else:
        box.settled = tuple(each for each in box.settled if each[:2] != (ev.kind, ev.player))
        out_of_round(t, ev.player)


def _part_undone(box: Box, ev: e.ResultUndone) -> None:
    """Of a lost wager goes back what was void of it."""
    if ev.kind == "original":
        wager = box.hands[ev.hand].wagers[ev.player]
        doubled = max(0, wager.doubled_cents + ev.cents)
        rest = wager.doubled_cents - doubled + ev.cents
        box.hands[ev.hand].wagers[ev.player] = replace(
            wager, cents=max(0, wager.cents + rest), doubled_cents=doubled, result=wager.result - ev.cents
        )
        return
    box.settled = tuple(
        (kind, name, cents - ev.cents * ((kind, name) == (ev.kind, ev.player))) for kind, name, cents in box.settled
    )


def _mispayment_recorded(t: Table, ev: e.MispaymentRecorded) -> None:
    arrive(t, ev.player)
    t.net[ev.player] += ev.cents
    _beside_the_round(t, ev.player, ev.cents)


def _mispayment_rectified(t: Table, ev: e.MispaymentRectified) -> None:
    t.net[ev.player] -= ev.cents
    _beside_the_round(t, ev.player, -ev.cents)


def _beside_the_round(t: Table, player: str, cents: int) -> None:
    """What is paid wrongly is no result of the round in play: it stays where that is undone."""
    if player in t.round_start:
        t.round_start = {**t.round_start, player: t.round_start[player] + cents}


SETTLEMENT: Changes = {
    e.WagerPaid: _wager_paid,
    e.WagerCollected: _wager_collected,
    e.WagerStoodOff: _wager_stood_off,
    e.SurrenderSettled: _surrender_settled,
    e.InsurancePaid: _insurance_paid,
    e.InsuranceCollected: _insurance_collected,
    e.SideBetPaid: _side_bet_paid,
    e.SideBetCollected: _side_bet_collected,
    e.SuperBonusEarned: _bonus_due,
    e.SuperBonusPaid: _super_bonus_paid,
    e.BonusPaid: _bonus_paid,
    e.PaymentReversed: _payment_reversed,
    e.ResultUndone: _result_undone,
    e.MispaymentRecorded: _mispayment_recorded,
    e.MispaymentRectified: _mispayment_rectified,
}
