"""Hands laid wrongly: cards that are laid again, a round that is opened again, and hands that lack cards."""

from __future__ import annotations

from msgspec.structs import replace

from pitboss.basics.cards import JOKER, VALUE, Card, point_total
from pitboss.table import events as e
from pitboss.table.apply.cards import left_of
from pitboss.table.apply.changes import FOUND_AGAIN, Changes, answered, halt, leave, note, note_found, remember
from pitboss.table.events import DEALER
from pitboss.table.state import NO_CUTTING_CARD, NOT_CLEARED, Table


def _card_misplaced(t: Table, ev: e.CardMisplaced) -> None:
    if ev.from_error:
        t.error_cards = t.error_cards[1:]
    else:
        leave(t)
    t.misdealt = (*t.misdealt, (ev.box, ev.card))
    t.noticed = ev.noticed
    halt(t)


def _round_reconstructed(t: Table, ev: e.RoundReconstructed) -> None:
    """The cards are taken up and leave once more, to the right places; one too many was drawn in error: it is next."""
    used = tuple(card for _, card in ev.after)
    surplus_cards = [card for _, card in ev.before[len(used) :]]
    memo = t.opened
    if memo is not None and t.error_cards:
        t.opened = None  # cards that lay ready before are still to come: their order can no longer be told
    elif memo is not None:
        left = (memo.error_cards + memo.left + left_of(memo, t))[: -len(ev.before)]
        aside = tuple((len(used), card) for card in surplus_cards[::-1])
        remember(t, replace(memo, error_cards=()), left, 0, aside)
    t.stack = used + t.stack[t.position :]
    if t.cutting_at != NO_CUTTING_CARD:  # among the cards that are laid again, or behind them and any surplus ones
        ahead = max(0, t.cutting_at - t.position + len(ev.before))
        surplus = len(ev.before) - len(used)
        t.cutting_at = ahead if ahead < len(used) else max(len(used), ahead - surplus)
    t.position = 0
    t.cleared = NOT_CLEARED
    t.redeal = len(used)
    t.error_cards = (*((card, True) for _, card in ev.before[len(used) :]), *t.error_cards)
    t.misdealt = ()
    t.noticed = ""
    halt(t)


def _cards_set_aside(t: Table, ev: e.CardsSetAside) -> None:
    leave(t, len(ev.cards))
    t.error_cards = (*((card, True) for card in ev.cards if card != JOKER), *t.error_cards)
    t.rack += tuple(card for card in ev.cards if card == JOKER)
    t.redeal = 0
    if t.cutting_at != NO_CUTTING_CARD:  # among them: it comes with the next card
        t.cutting_at = max(t.cutting_at, t.position)


# --- told after the round --------------------------------------------------------------------------------------------


def _misdeal_unnoticed(t: Table, ev: e.MisdealUnnoticed) -> None:
    memo = t.opened
    if memo is not None:  # it is laid again from the cards after those that were burned first
        t.opened = replace(
            memo,
            places=ev.places,
            position=t.position,
            error_cards=tuple(card for card, _ in t.error_cards),
            gone=len(t.error_cards) - t.position,
            fresh=False,
            burned=t.burned,
            cutting_in=t.cutting_at - t.position if t.cutting_at != NO_CUTTING_CARD else NO_CUTTING_CARD,
        )


def _round_reopened(t: Table, ev: e.RoundReopened) -> None:
    """The cards go from the rack to the front of the source again; the wagers are placed anew by their own events.

    Decisions are made anew, too; why wagers went back is found again.
    """
    found = tuple(made for made in t.decisions if made.what in FOUND_AGAIN)
    _lay_again(t, ev.cards)
    t.pending = found


def _round_taken_back(t: Table, ev: e.RoundTakenBack) -> None:
    """The same, be it in the middle of the round or after it."""
    hands = [card for box in t.boxes.values() for hand in box.hands for card in hand.cards]
    t.rack += (*hands, *t.dealer_cards, *(card for card, _ in t.error_cards), *(card for _, card in t.misdealt))
    _lay_again(t, ev.cards, ev.extra)
    t.spoiled = ev.spoiled
    t.pending = ev.decisions


def _take_from(rack: list[Card], card: Card) -> None:
    """Take the last such card out of the rack, or one that is kept from whoever reads this."""
    for at in range(len(rack) - 1, -1, -1):
        if rack[at] == card or (rack[at] not in VALUE and rack[at] != JOKER):
            del rack[at]
            return


def _total(cards: tuple[Card, ...]) -> tuple[int, bool]:
    """The point total, or nothing where a card is kept from whoever reads this."""
    return point_total(cards) if all(card in VALUE for card in cards) else (0, False)


def _lay_again(t: Table, cards: tuple[Card, ...], extra: int = 0) -> None:
    """All is as before the first card of the round, but for its cards: they are the next, in the order in which they
    left."""
    memo = t.opened
    assert memo is not None
    rack = [*t.rack, *memo.returned, *memo.inside]
    if memo.returned and not t.arranged:  # they come out of the device again
        t.stack = t.stack[: -len(memo.returned)]
    if memo.inside and not t.arranged:
        held = list(t.stack)
        for card in memo.inside:  # where among the others it lies nobody knows: another of its kind is as good
            _take_from(held, card)
        t.stack = tuple(held)
    for card in reversed(cards[: len(cards) - extra]):
        _take_from(rack, card)
    t.rack = tuple(rack)
    t.burned = memo.burned
    t.stack = cards[: len(cards) - extra] + t.stack[t.position :]
    t.position = 0
    t.cleared = NOT_CLEARED
    t.redeal = len(cards)
    t.cutting_at = memo.cutting_in
    t.cutting_shown = memo.cutting_shown
    t.cutting_player = memo.cutting_player
    t.final_rounds = memo.final_rounds
    t.fresh = memo.fresh
    t.shoe_round = max(0, t.shoe_round - 1)
    t.shuffle_ordered = t.shuffle_ordered or t.shuffle_reason == "ordered"
    if t.shuffle_reason in ("cut-missed", "shuffle-missed", "check"):
        t.shuffle_after = t.shuffle_reason
    t.preparation = "ready"
    t.shuffle_reason = ""
    if t.phase == "wagers":
        past = t.rounds_before()[:-1]
        t.last_results = past[-1] if past else {}
        t.earlier, t.lately = past[:-1], ()
        t.last_final = t.last_staked = {}
    t.final_results = t.final_staked = {}
    t.placements = 0
    t.phase = "wagers"
    t.boxes = {}
    t.betting_closed = False
    t.dealer_cards = ()
    t.dealer_total = t.turn_box = t.turn_hand = 0
    t.dealer_done = t.dealer_soft = t.dealer_natural = t.dealer_late = t.insurance_forgotten = False
    t.round_players = t.round_wagers = t.bonus_hands = t.bonus_given = ()
    t.jackpot_wagers = t.jackpot_lost = t.jackpot_waiting = t.jackpot_paid = ()
    t.error_cards = t.refusers = t.misdealt = t.spoiled = t.pending = t.decisions = ()
    t.small_wagers = t.last_small = t.small_results = ()
    t.jackpot_reset = 0
    t.noticed = ""
    t.opened = None
    halt(t)


def _decision_held(t: Table, ev: e.DecisionHeld) -> None:
    t.pending = t.pending[: ev.index] + t.pending[ev.index + 1 :]
    made = ev.decision
    if made.what in FOUND_AGAIN:
        note_found(t, made.what, made.player, made.box, made.meant)


def _decisions_lapsed(t: Table, ev: e.DecisionsLapsed) -> None:
    t.pending = tuple(each for number, each in enumerate(t.pending) if number not in ev.indexes)


# --- hands that lack cards -------------------------------------------------------------------------------------------


def _layout_left(t: Table, ev: e.LayoutLeft) -> None:
    t.noticed = ev.noticed
    for box, card in t.misdealt:
        if box == DEALER:
            t.dealer_cards = (*t.dealer_cards, card)
            t.dealer_total, t.dealer_soft = _total(t.dealer_cards)
        elif box in t.boxes:
            hand = t.boxes[box].hands[0]
            hand.cards = (*hand.cards, card)
            hand.total, hand.soft = _total(hand.cards)
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
    note(t, "HandLeftOut", t.boxes[ev.box].controller, ev.box, ev.hand, 0)
    hand = t.boxes[ev.box].hands[ev.hand]
    hand.short = ev.noticed
    hand.meant = ev.meant
    hand.done = False


def _others_asked(t: Table, ev: e.OthersAsked) -> None:
    hand = t.boxes[ev.box].hands[ev.hand]
    hand.asking = "short"
    hand.asked = ev.players


def _decision_accepted(t: Table, ev: e.DecisionAccepted) -> None:
    note(t, "DecisionAccepted", ev.player, ev.box, ev.hand)
    answered(t.boxes[ev.box].hands[ev.hand], ev.player)


MISDEALS: Changes = {
    e.CardMisplaced: _card_misplaced,
    e.RoundReconstructed: _round_reconstructed,
    e.CardsSetAside: _cards_set_aside,
    e.MisdealUnnoticed: _misdeal_unnoticed,
    e.RoundReopened: _round_reopened,
    e.RoundTakenBack: _round_taken_back,
    e.DecisionHeld: _decision_held,
    e.DecisionsLapsed: _decisions_lapsed,
    e.LayoutLeft: _layout_left,
    e.LateHandCame: _late_hand_came,
    e.HandLeftOut: _hand_left_out,
    e.OthersAsked: _others_asked,
    e.DecisionAccepted: _decision_accepted,
}
