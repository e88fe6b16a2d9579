"""Wagers on the layout: who calls a box, and wagers that are placed, found or given back."""

from __future__ import annotations

from msgspec.structs import replace

from pitboss.table import events as e
from pitboss.table.apply.changes import Changes, answered, arrive, know
from pitboss.table.state import Box, Table, Wager


def _control_declined(t: Table, ev: e.ControlDeclined) -> None:
    box = t.boxes[ev.box]
    box.declined_control = (*box.declined_control, ev.player)


def _control_settled(t: Table, ev: e.ControlSettled) -> None:
    box = t.boxes[ev.box]
    box.controller = ev.player
    box.line = ev.line


def _control_passed(t: Table, ev: e.ControlPassed) -> None:
    t.boxes[ev.box].controller = ev.player


# --- wagers ----------------------------------------------------------------------------------------------------------


def _wager_placed(t: Table, ev: e.WagerPlaced) -> None:
    player = ev.player
    if player not in t.players or not t.players[player].present:
        arrive(t, player)
    box = _box(t, ev.box)
    if ev.kind == "original":
        t.placements += 1
        box.wagers[player] = Wager(
            player, ev.cents, token_cents=ev.token_cents, unnoticed=ev.unnoticed, placed=t.placements
        )
    else:
        box.side = {**box.side, ev.kind: {**box.side.get(ev.kind, {}), player: ev.cents}}
    t.net[player] -= ev.cents


def _box(table: Table, number: int) -> Box:
    box = table.boxes.get(number)
    if box is None:
        box = table.boxes[number] = Box(number)
    return box


def _wager_returned(t: Table, ev: e.WagerReturned) -> None:
    t.net[ev.player] += ev.cents
    if t.unnoticed is not None and t.phase != "wagers":
        t.unnoticed = None
    if ev.hand == -2:
        t.jackpot_wagers = tuple(w for w in t.jackpot_wagers if (w[0], w[1]) != (ev.box, ev.player))
        t.jackpot_waiting = tuple(w for w in t.jackpot_waiting if (w[0], w[1]) != (ev.box, ev.player))
        return
    box = t.boxes[ev.box]
    if ev.hand == -3:
        del box.insurance[ev.player]
        return
    if ev.hand == -4:
        for hand in box.hands:
            hand.matching = tuple(name for name in hand.matching if name != ev.player)
        return
    if ev.kind != "original":
        wagers = box.side[ev.kind]
        if ev.cents < wagers[ev.player]:
            wagers[ev.player] -= ev.cents
        else:
            del wagers[ev.player]
    elif ev.hand >= 0:
        hand = box.hands[ev.hand]
        wager = hand.wagers[ev.player]
        original = wager.cents - (ev.cents - ev.doubled_cents)
        doubled = wager.doubled_cents - ev.doubled_cents
        if original > 0:
            hand.wagers[ev.player] = replace(wager, cents=original, doubled_cents=doubled, unnoticed=False)
        else:
            hand.wagers[ev.player] = replace(wager, settled=True)
            if all(other.settled for other in hand.wagers.values()):
                hand.done = True
        answered(hand, ev.player)
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


def _drop_if_empty(table: Table, box: Box) -> None:
    if not box.wagers and not box.hands and not any(box.side.values()):
        del table.boxes[box.number]


def _wager_found(t: Table, ev: e.WagerFound) -> None:
    if ev.outcome == "warned":
        know(t, ev.player, replace(t.players[ev.player], warned=True))
    box = t.boxes[ev.box]
    for wagers in (box.wagers, *(hand.wagers for hand in box.hands)):
        if ev.player in wagers:
            wagers[ev.player] = replace(wagers[ev.player], unnoticed=False)


def _betting_closed(t: Table, ev: e.BettingClosed) -> None:
    t.betting_closed = True


WAGERS: Changes = {
    e.ControlDeclined: _control_declined,
    e.ControlSettled: _control_settled,
    e.ControlPassed: _control_passed,
    e.WagerPlaced: _wager_placed,
    e.WagerReturned: _wager_returned,
    e.WagerFound: _wager_found,
    e.BettingClosed: _betting_closed,
}
