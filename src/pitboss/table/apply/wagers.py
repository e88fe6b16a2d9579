"""Wagers on the layout: who calls a box, and wagers that are placed, found or given back."""

from __future__ import annotations

from msgspec.structs import replace

from pitboss.rulebooks.vocabulary import BLAZING
from pitboss.table import events as e
from pitboss.table.apply.changes import (
    STILL_KNOWN,
    Changes,
    answered,
    arrive,
    forget_unless_found,
    know,
    leave_round,
    note_found,
    numbered,
    open_betting,
    out_of_round,
)
from pitboss.table.state import Box, Table, Wager


def _control_declined(t: Table, ev: e.ControlDeclined) -> None:
    box = t.boxes[ev.box]
    box.declined_control = (*box.declined_control, ev.player)


def _control_settled(t: Table, ev: e.ControlSettled) -> None:
    box = t.boxes[ev.box]
    box.controller = ev.player
    box.line = ev.line


def _control_passed(t: Table, ev: e.ControlPassed) -> None:
    box = t.boxes[ev.box]
    box.controller = ev.player
    if ev.anew:
        hand = box.hands[0]
        hand.asking = ""
        hand.asked = ()
        hand.done = False


# --- wagers ----------------------------------------------------------------------------------------------------------


def _wager_placed(t: Table, ev: e.WagerPlaced) -> None:
    player = ev.player
    if player not in t.players or not t.players[player].present:
        arrive(t, player)
    box = _box(t, ev.box)
    t.placements += 1
    if ev.kind == "original":
        box.wagers[player] = Wager(
            player, ev.cents, token_cents=ev.token_cents, unnoticed=ev.unnoticed, placed=t.placements
        )
        if ev.unnoticed:
            t.small_wagers += ((player, ev.box, ev.cents),)
    else:
        box.side = {**box.side, ev.kind: {**box.side.get(ev.kind, {}), player: ev.cents}}
        numbered(t, box, ev.kind, player)
    t.net[player] -= ev.cents


def _box(table: Table, number: int) -> Box:
    box = table.boxes.get(number)
    if box is None:
        box = table.boxes[number] = Box(number)
    return box


def _wager_returned(t: Table, ev: e.WagerReturned) -> None:
    t.net[ev.player] += ev.cents
    if t.opened is not None and t.phase != "wagers" and ev.reason not in STILL_KNOWN:
        if ev.reason in ("above-maximum", "below-minimum"):
            note_found(t, "outside-limits", ev.player, ev.box)
        elif ev.reason not in ("barred", "declared-void"):  # who decided that says so afterwards
            forget_unless_found(t, ev.player)
    if ev.reason == "jackpot-fault":
        _without_jackpot_wager(t, ev.box, ev.player)
    if ev.hand == e.JACKPOT_COLLECTED:
        t.jackpot_wagers = tuple(w for w in t.jackpot_wagers if (w[0], w[1]) != (ev.box, ev.player))
        t.jackpot_waiting = tuple(w for w in t.jackpot_waiting if (w[0], w[1]) != (ev.box, ev.player))
        return
    box = t.boxes[ev.box]
    if ev.hand == e.OF_INSURANCE:
        _lessen(box.insurance, ev)
        return
    if ev.hand == e.OF_ANSWERED_SPLIT:
        hand = next(each for each in box.hands if ev.player in each.matching)
        added = hand.matching[ev.player]
        left = {**hand.matching, ev.player: replace(added, cents=added.cents - ev.cents)}
        hand.matching = {name: wager for name, wager in left.items() if wager.cents > 0}
        return
    if ev.kind != "original":
        _lessen(box.side[ev.kind], ev)
        if t.phase != "wagers":
            out_of_round(t, ev.player)
    elif ev.hand != e.BEFORE_THE_HANDS:
        hand = box.hands[ev.hand]
        wager = hand.wagers[ev.player]
        original = wager.cents - (ev.cents - ev.doubled_cents)
        doubled = wager.doubled_cents - ev.doubled_cents
        if original > 0:
            hand.wagers[ev.player] = replace(wager, cents=original, doubled_cents=doubled, unnoticed=False)
        else:
            hand.wagers[ev.player] = replace(wager, cents=0, doubled_cents=0, settled=True)
            if all(other.settled or other.surrendered for other in hand.wagers.values()):
                hand.done = True
            answered(hand, ev.player)
            leave_round(t, box, ev.player)
        return
    else:
        wager = box.wagers[ev.player]
        if ev.cents < wager.cents:
            box.wagers[ev.player] = replace(wager, cents=wager.cents - ev.cents, unnoticed=False)
        else:
            del box.wagers[ev.player]
            box.declined_control = tuple(name for name in box.declined_control if name != ev.player)
    if not box.hands:
        _drop_if_empty(t, box)
        if t.betting_closed and not any(each.wagers or each.hands for each in t.boxes.values()):
            open_betting(t)  # nobody is left to deal to


def _without_jackpot_wager(t: Table, box: int, player: str) -> None:
    """It went back with the jackpot: where the round is laid again it is not placed again."""
    memo = t.opened
    if memo is not None:
        kept = [n for n, (at, kind, name, _) in enumerate(memo.side) if (at, kind, name) != (box, BLAZING, player)]
        side, placed = tuple(memo.side[n] for n in kept), tuple(memo.side_placed[n] for n in kept)
        t.opened = replace(memo, side=side, side_placed=placed)


def _lessen(wagers: dict[str, int], ev: e.WagerReturned) -> None:
    """All of an optional wager or of an insurance went back, or a part of it."""
    if ev.cents < wagers[ev.player]:
        wagers[ev.player] -= ev.cents
    else:
        del wagers[ev.player]


def _drop_if_empty(table: Table, box: Box) -> None:
    if not box.wagers and not box.hands and not any(box.side.values()):
        del table.boxes[box.number]


def _wager_found(t: Table, ev: e.WagerFound) -> None:
    if ev.outcome == "warned":
        know(t, ev.player, replace(t.players[ev.player], warned=True))
    t.small_wagers = tuple(each for each in t.small_wagers if each[:2] != (ev.player, ev.box))
    if ev.after_result:
        t.last_small = tuple(each for each in t.last_small if each[:2] != (ev.player, ev.box))
        return
    memo = t.opened
    if ev.outcome in ("valid", "warned") and memo is not None and t.phase != "wagers":  # laid again it is known
        known = (
            (at, replace(w, unnoticed=w.unnoticed and (at, w.player) != (ev.box, ev.player))) for at, w in memo.wagers
        )
        t.opened = replace(memo, wagers=tuple(known))
    box = t.boxes[ev.box]
    for wagers in (box.wagers, *(hand.wagers for hand in box.hands)):
        if ev.player in wagers:
            wagers[ev.player] = replace(wagers[ev.player], unnoticed=False)
    for hand in box.hands:
        if ev.player in hand.matching:
            hand.matching = {**hand.matching, ev.player: replace(hand.matching[ev.player], unnoticed=False)}


def _betting_closed(t: Table, ev: e.BettingClosed) -> None:
    t.betting_closed = True
    if ev.card_left:
        t.card_left = True


WAGERS: Changes = {
    e.ControlDeclined: _control_declined,
    e.ControlSettled: _control_settled,
    e.ControlPassed: _control_passed,
    e.WagerPlaced: _wager_placed,
    e.WagerReturned: _wager_returned,
    e.WagerFound: _wager_found,
    e.BettingClosed: _betting_closed,
}
