"""Hands being played: insurance, surrender, turns, what was decided, and how a hand ends."""

from __future__ import annotations

from msgspec.structs import replace

from pitboss.basics.cards import point_total
from pitboss.table import events as e
from pitboss.table.apply.changes import Changes, answered, note, note_closed, note_lost, note_on, numbered, settle
from pitboss.table.state import Hand, Table, Wager

# --- insurance and surrender -----------------------------------------------------------------------------------------


def _insurance_offered(t: Table, ev: e.InsuranceOffered) -> None:
    t.phase = "insurance"


def _insurance_placed(t: Table, ev: e.InsurancePlaced) -> None:
    note(t, "InsurancePlaced", ev.player, ev.box, 0, ev.cents)
    box = t.boxes[ev.box]
    box.insurance = {**box.insurance, ev.player: ev.cents}
    t.net[ev.player] -= ev.cents
    t.placements += 1
    numbered(t, box, "insurance", ev.player)


def _insurance_closed(t: Table, ev: e.InsuranceClosed) -> None:
    note_closed(t, "InsuranceClosed")
    t.phase = "interim"


def _surrender_offered(t: Table, ev: e.SurrenderOffered) -> None:
    t.phase = "surrender"


def _wager_surrendered(t: Table, ev: e.WagerSurrendered) -> None:
    hand = t.boxes[ev.box].hands[0]
    if hand.asking or not hand.done:  # else it was decided for them
        note(t, "WagerSurrendered", ev.player, ev.box)
    hand.wagers[ev.player] = replace(hand.wagers[ev.player], surrendered=True)
    if hand.asking:
        answered(hand, ev.player)
    elif ev.asks:
        hand.asking = "surrender"
        hand.asked = ev.asks
    if ev.freezes:
        hand.done = True


def _surrender_declined(t: Table, ev: e.SurrenderDeclined) -> None:
    note(t, "SurrenderDeclined", ev.player, ev.box)
    answered(t.boxes[ev.box].hands[0], ev.player)


def _surrender_closed(t: Table, ev: e.SurrenderClosed) -> None:
    note_closed(t, "SurrenderClosed")
    t.phase = "play"
    for box in t.boxes.values():
        box.hands[0].asking = ""


# --- decisions -------------------------------------------------------------------------------------------------------


def _turn_came(t: Table, ev: e.TurnCame) -> None:
    t.phase = "play"
    t.turn_box = ev.box
    t.turn_hand = ev.hand
    hand = t.boxes[ev.box].hands[ev.hand]
    if hand.asking:  # the call of who is gone has lapsed
        hand.asking = ""


def _hand_hit(t: Table, ev: e.HandHit) -> None:
    box, index = ev.box, ev.hand
    hand = t.boxes[box].hands[index]
    note_on(t, "HandHit", ev.player, box, index, hand)
    hand.due = True


def _hand_stood(t: Table, ev: e.HandStood) -> None:
    box, index = ev.box, ev.hand
    hand = t.boxes[box].hands[index]
    if ev.player:
        note_on(t, "HandStood", ev.player, box, index, hand)
    hand.done = True


def _wager_doubled(t: Table, ev: e.WagerDoubled) -> None:
    note(t, "WagerDoubled", ev.player, ev.box, ev.hand, ev.cents)
    hand = t.boxes[ev.box].hands[ev.hand]
    t.placements += 1
    hand.wagers[ev.player] = replace(hand.wagers[ev.player], doubled_cents=ev.cents, doubled_placed=t.placements)
    t.net[ev.player] -= ev.cents
    if hand.asking:
        answered(hand, ev.player)
    else:
        hand.asking = "double"
        hand.asked = ev.asks


def _double_declined(t: Table, ev: e.DoubleDeclined) -> None:
    note(t, "DoubleDeclined", ev.player, ev.box, ev.hand)
    answered(t.boxes[ev.box].hands[ev.hand], ev.player)


def _wager_split(t: Table, ev: e.WagerSplit) -> None:
    note(t, "WagerSplit", ev.player, ev.box, ev.hand)
    hand = t.boxes[ev.box].hands[ev.hand]
    t.net[ev.player] -= ev.cents
    t.placements += 1
    unnoticed = hand.wagers[ev.player].unnoticed
    added = Wager(ev.player, ev.cents, unnoticed=unnoticed, placed=t.placements)
    hand.matching = {**hand.matching, ev.player: added}
    if hand.asking:
        answered(hand, ev.player)
    else:
        hand.asking = "split"
        hand.asked = ev.asks


def _split_declined(t: Table, ev: e.SplitDeclined) -> None:
    box = t.boxes[ev.box]
    if ev.ends:
        box.splitting_ended = True
    else:
        note(t, "SplitDeclined", ev.player, ev.box, ev.hand)
        answered(box.hands[ev.hand], ev.player)


def _hand_divided(t: Table, ev: e.HandDivided) -> None:
    box = t.boxes[ev.box]
    hand = box.hands[ev.hand]
    first, second = hand.cards
    aces = first[0] == "A"
    added = {name: hand.matching[name] for name in hand.wagers if name in hand.matching}
    hand.short = "late" if hand.short in ("dealer", "late") else ""
    hand.meant = ""
    other = Hand(added, cards=(second,), split=True, split_aces=aces, short=hand.short)
    other.total, other.soft = point_total((second,))
    box.hands.insert(ev.hand + 1, other)
    hand.cards = (first,)
    hand.total, hand.soft = point_total((first,))
    hand.split = True
    hand.split_aces = aces
    hand.asking = ""
    hand.matching = {}


def _wager_forfeited(t: Table, ev: e.WagerForfeited) -> None:
    note(t, "WagerForfeited", ev.player, ev.box, ev.hand)
    hand = t.boxes[ev.box].hands[ev.hand]
    lost = hand.wagers[ev.player].cents
    settle(hand, ev.player, -lost)
    note_lost(t, ev.player, lost)
    t.net[ev.player] += ev.returned_cents


def _wager_kept(t: Table, ev: e.WagerKept) -> None:
    note(t, "WagerKept", ev.player, ev.box, ev.hand)
    hand = t.boxes[ev.box].hands[ev.hand]
    hand.wagers[ev.player] = replace(hand.wagers[ev.player], kept=True)


# --- how a hand ends -------------------------------------------------------------------------------------------------


def _hand_bust(t: Table, ev: e.HandBust) -> None:
    hand = t.boxes[ev.box].hands[ev.hand]
    hand.done = True
    t.rack += hand.cards
    hand.cards = ()


def _natural_held(t: Table, ev: e.NaturalHeld) -> None:
    hand = t.boxes[ev.box].hands[ev.hand]
    hand.held = ev.kind
    hand.done = True


def _dealer_finished(t: Table, ev: e.DealerFinished) -> None:
    t.dealer_done = True
    t.phase = "settling"


HANDS: Changes = {
    e.InsuranceOffered: _insurance_offered,
    e.InsurancePlaced: _insurance_placed,
    e.InsuranceClosed: _insurance_closed,
    e.SurrenderOffered: _surrender_offered,
    e.WagerSurrendered: _wager_surrendered,
    e.SurrenderDeclined: _surrender_declined,
    e.SurrenderClosed: _surrender_closed,
    e.TurnCame: _turn_came,
    e.HandHit: _hand_hit,
    e.HandStood: _hand_stood,
    e.WagerDoubled: _wager_doubled,
    e.DoubleDeclined: _double_declined,
    e.WagerSplit: _wager_split,
    e.SplitDeclined: _split_declined,
    e.HandDivided: _hand_divided,
    e.WagerForfeited: _wager_forfeited,
    e.WagerKept: _wager_kept,
    e.HandBust: _hand_bust,
    e.NaturalHeld: _natural_held,
    e.DealerFinished: _dealer_finished,
}
