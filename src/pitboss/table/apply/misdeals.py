"""Hands laid wrongly: cards that are laid again, a round that is opened again, and hands that lack cards."""

from __future__ import annotations

from pitboss.basics.cards import JOKER, point_total
from pitboss.rulebooks.vocabulary import BLAZING
from pitboss.table import events as e
from pitboss.table.apply.changes import Changes, answered, halt
from pitboss.table.events import DEALER
from pitboss.table.state import NO_CUTTING_CARD, Table, Unnoticed


def _card_misplaced(t: Table, ev: e.CardMisplaced) -> None:
    t.unnoticed = None
    t.position += 1
    t.misdealt = (*t.misdealt, (ev.box, ev.card))
    t.noticed = ev.noticed
    halt(t)


def _round_reconstructed(t: Table, ev: e.RoundReconstructed) -> None:
    """The cards are taken up and leave once more, to the right places; one too many was drawn in error: it is next."""
    used = tuple(card for _, card in ev.after)
    t.stack = used + t.stack[t.position :]
    if t.cutting_at != NO_CUTTING_CARD:  # among the cards that are laid again, or behind them and any surplus ones
        ahead = max(0, t.cutting_at - t.position + len(ev.before))
        surplus = len(ev.before) - len(used)
        t.cutting_at = ahead if ahead < len(used) else max(len(used), ahead - surplus)
    t.position = 0
    t.redeal = len(used)
    t.error_cards = tuple((card, True) for _, card in ev.before[len(used) :])
    t.misdealt = ()
    t.noticed = ""
    halt(t)


def _cards_set_aside(t: Table, ev: e.CardsSetAside) -> None:
    t.position += len(ev.cards)
    t.error_cards = (*((card, True) for card in ev.cards if card != JOKER), *t.error_cards)
    t.rack += tuple(card for card in ev.cards if card == JOKER)
    t.redeal = 0
    if t.cutting_at != NO_CUTTING_CARD:  # among them: it comes with the next card
        t.cutting_at = max(t.cutting_at, t.position)


# --- told after the round --------------------------------------------------------------------------------------------


def _misdeal_unnoticed(t: Table, ev: e.MisdealUnnoticed) -> None:
    originals = [(box.number, wager) for box in t.boxes.values() for wager in box.hands[0].wagers.values()]
    jackpot = [(box, BLAZING, player, cents) for box, player, cents, _ in t.jackpot_wagers]
    side = [
        (box.number, kind, player, cents)
        for box in t.boxes.values()
        for kind, placed in box.side.items()
        for player, cents in placed.items()
    ]
    t.unnoticed = Unnoticed(
        ev.places,
        tuple(sorted(originals, key=lambda each: each[1].placed)),
        (*side, *jackpot),
        tuple(t.boxes[box].order[kind][player] for box, kind, player, _ in (*side, *jackpot)),
        tuple((box.number, box.line) for box in t.boxes.values()),
        t.jackpot_cents - sum(part for *_, part in t.jackpot_wagers),
        t.position,
        cutting_in=t.cutting_at - t.position if t.cutting_at != NO_CUTTING_CARD else NO_CUTTING_CARD,
        cutting_shown=t.cutting_shown,
        cutting_player=t.cutting_player,
        final_rounds=t.final_rounds,
    )


def _round_reopened(t: Table, ev: e.RoundReopened) -> None:
    """The cards go from the rack to the front of the source again; the wagers are placed anew by their own events."""
    memo = t.unnoticed
    assert memo is not None
    rack = list(t.rack)
    for card in reversed(ev.cards):
        del rack[len(rack) - 1 - rack[::-1].index(card)]
    t.rack = tuple(rack)
    t.stack = ev.cards + t.stack[t.position :]
    t.position = 0
    t.redeal = len(ev.cards)
    t.cutting_at = memo.cutting_in
    t.cutting_shown = memo.cutting_shown
    t.cutting_player = memo.cutting_player
    t.final_rounds = memo.final_rounds
    t.shoe_round = max(0, t.shoe_round - 1)
    t.shuffle_ordered = t.shuffle_ordered or t.shuffle_reason == "ordered"
    if t.shuffle_reason in ("cut-missed", "shuffle-missed", "check"):
        t.shuffle_after = t.shuffle_reason
    t.preparation = "ready"
    t.shuffle_reason = ""
    t.last_results = {}
    t.last_final = {}
    t.placements = 0
    t.unnoticed = None


# --- hands that lack cards -------------------------------------------------------------------------------------------


def _layout_left(t: Table, ev: e.LayoutLeft) -> None:
    t.noticed = ev.noticed
    for box, card in t.misdealt:
        if box == DEALER:
            t.dealer_cards = (*t.dealer_cards, card)
            t.dealer_total, t.dealer_soft = point_total(t.dealer_cards)
        elif box in t.boxes:
            hand = t.boxes[box].hands[0]
            hand.cards = (*hand.cards, card)
            hand.total, hand.soft = point_total(hand.cards)
    for area in t.boxes.values():
        if len(area.hands[0].cards) < 2:
            area.hands[0].short = ev.noticed
    t.misdealt = tuple((box, card) for box, card in t.misdealt if box != DEALER and box not in t.boxes)
    t.dealer_late = not t.dealer_cards
    halt(t)


def _late_hand_came(t: Table, ev: e.LateHandCame) -> None:
    t.phase = "late"
    t.turn_box = ev.box
    t.turn_hand = ev.hand


def _hand_left_out(t: Table, ev: e.HandLeftOut) -> None:
    hand = t.boxes[ev.box].hands[ev.hand]
    hand.short = ev.noticed
    hand.meant = ev.meant


def _others_asked(t: Table, ev: e.OthersAsked) -> None:
    hand = t.boxes[ev.box].hands[ev.hand]
    hand.asking = "short"
    hand.asked = ev.players


def _decision_accepted(t: Table, ev: e.DecisionAccepted) -> None:
    answered(t.boxes[ev.box].hands[ev.hand], ev.player)


MISDEALS: Changes = {
    e.CardMisplaced: _card_misplaced,
    e.RoundReconstructed: _round_reconstructed,
    e.CardsSetAside: _cards_set_aside,
    e.MisdealUnnoticed: _misdeal_unnoticed,
    e.RoundReopened: _round_reopened,
    e.LayoutLeft: _layout_left,
    e.LateHandCame: _late_hand_came,
    e.HandLeftOut: _hand_left_out,
    e.OthersAsked: _others_asked,
    e.DecisionAccepted: _decision_accepted,
}
