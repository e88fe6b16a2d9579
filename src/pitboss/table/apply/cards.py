"""Cards before they are dealt: shuffle, cut and cutting card, burned cards and discards, and what they come from."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from pitboss.basics.cards import JOKER, Card
from pitboss.table import events as e
from pitboss.table.apply.changes import Changes, leave, open_betting, remember, spoil
from pitboss.table.state import NO_CARDS, NO_CUTTING_CARD, NOT_CLEARED, NOT_SHOWN, Opened, Table


def _shuffle_due(t: Table, ev: e.ShuffleDue) -> None:
    t.preparation = "shuffle"
    t.shuffle_reason = ev.reason
    t.shuffle_ordered = False
    t.shuffle_after = ""
    t.cut_from = t.cutting_shown
    if ev.reason not in ("insufficient", NO_CARDS):
        open_betting(t)


def _shuffle_ordered(t: Table, ev: e.ShuffleOrdered) -> None:
    t.shuffle_ordered = True


def _cards_shuffled(t: Table, ev: e.CardsShuffled) -> None:
    t.cutting_at = NO_CUTTING_CARD
    t.cutting_shown = NOT_SHOWN
    t.cut_offered = ""
    t.cut_declined = ()
    if t.shuffle_reason not in ("insufficient", "malfunction"):
        t.error_cards = ()  # a card that lay ready joins the shuffle
        t.shoe_round = 0
        t.played = {}
        t.players = {
            name: replace(p, restriction="", minimum_only=False, restricted_boxes=0, restriction_until="")
            if p.restriction_until == "reshuffle"
            else p
            for name, p in t.players.items()
        }
    t.fresh = t.shuffle_reason not in ("insufficient", "malfunction") or t.house.source == "shoe"
    t.preparation = "ready"
    if t.house.source != "shoe":
        t.shuffle_reason = ""


def _stack_arranged(t: Table, ev: e.StackArranged) -> None:
    if t.phase != "wagers" or (ev.mixed and t.opened is not None and not t.opened.returned):
        _remember_left(t)
    else:
        t.opened = None
    if not ev.mixed:
        t.redeal = 0
        t.spoiled = ()
    t.stack = ev.order
    t.suspect = ev.suspect
    t.cleared = NOT_CLEARED
    t.position = 0
    t.reshuffled = len(t.rack) if t.shuffle_reason == "insufficient" else 0
    if not ev.mixed and t.shuffle_reason != "malfunction":
        t.rack = ()
        t.burned = ()


def _remember_left(t: Table) -> None:
    """The source is filled in the middle of a round that may be laid again: what has left of it is kept in mind."""
    memo = t.opened
    if memo is not None:
        remember(t, memo, memo.left + left_of(memo, t), 0, ())


def left_of(memo: Opened, t: Table) -> tuple[Card, ...]:
    """The cards of a round that left the stack as it is now, in the order in which they left."""
    cards = t.stack[memo.position : t.position]
    for number, card in memo.aside:
        at = max(0, number - memo.position)
        cards = (*cards[:at], card, *cards[at:])
    return cards


def _cut_offered(t: Table, ev: e.CutOffered) -> None:
    t.preparation = "cut"
    t.cut_offered = ev.player


def _cut_declined(t: Table, ev: e.CutDeclined) -> None:
    t.cut_declined = (*t.cut_declined, ev.player)


def _cards_cut(t: Table, ev: e.CardsCut) -> None:
    if not t.arranged:
        t.stack = t.stack[ev.depth :] + t.stack[: ev.depth]
    t.preparation = "cutting-card"
    t.cut_offered = ""
    t.cut_declined = ()


def _cutting_card_placed(t: Table, ev: e.CuttingCardPlaced) -> None:
    t.cutting_at = t.position + ev.after if ev.after >= 0 else NO_CUTTING_CARD
    t.preparation = "ready"
    t.shuffle_reason = ""


def _cutting_card_shown(t: Table, ev: e.CuttingCardShown) -> None:
    t.cutting_at = NO_CUTTING_CARD
    t.cutting_shown = ev.box
    t.cutting_player = ev.player


def _card_burned(t: Table, ev: e.CardBurned) -> None:
    memo = t.opened
    if not ev.from_error and not t.fresh:
        spoil(t, "burned")
    elif not ev.from_error and memo is not None and (memo.left or not memo.fresh):
        spoil(t, "burn")  # the source was filled in the course of the round
    _card_left(t, ev.from_error)
    t.fresh = False
    t.rack = (*t.rack, ev.card)
    t.burned = (*t.burned, ev.card)


def _card_left(t: Table, from_error: bool) -> None:
    """One card less to come: of those drawn in error, or of the stack."""
    if from_error:
        t.error_cards = t.error_cards[1:]
    else:
        leave(t)


def _joker_shown(t: Table, ev: e.JokerShown) -> None:
    leave(t)
    t.rack = (*t.rack, JOKER)


def _discards_returned(t: Table, ev: e.DiscardsReturned) -> None:
    memo = t.opened
    if memo is not None:
        own = Counter(memo.error_cards + memo.left + left_of(memo, t)) - Counter(t.dealer_cards)
        for box in t.boxes.values():
            for hand in box.hands:
                own -= Counter(hand.cards)
        if own:
            t.opened = replace(memo, inside=tuple(own.elements()))
    if not t.arranged:
        _remember_left(t)
        t.stack = t.stack[t.position :] + t.rack
        t.position = 0
    t.rack = ()
    t.burned = ()


def _cards_ran_out(t: Table, ev: e.CardsRanOut) -> None:
    pass


# --- other cards, another source -------------------------------------------------------------------------------------


def _cards_replaced(t: Table, ev: e.CardsReplaced) -> None:
    t.stack = ()
    t.suspect = False
    t.position = 0
    t.rack = ()
    t.burned = ()
    t.cutting_at = NO_CUTTING_CARD
    t.new_cards_due = False
    t.opened = None


def _cards_replaced_in_device(t: Table, ev: e.CardsReplacedInDevice) -> None:
    pass


def _source_changed(t: Table, ev: e.SourceChanged) -> None:
    t.device_down = ev.source == "shoe"
    t.new_cards_due = t.device_down and not ev.repairable
    t.house = replace(t.house, source=ev.source)


CARDS: Changes = {
    e.ShuffleDue: _shuffle_due,
    e.ShuffleOrdered: _shuffle_ordered,
    e.CardsShuffled: _cards_shuffled,
    e.StackArranged: _stack_arranged,
    e.CutOffered: _cut_offered,
    e.CutDeclined: _cut_declined,
    e.CardsCut: _cards_cut,
    e.CuttingCardPlaced: _cutting_card_placed,
    e.CuttingCardShown: _cutting_card_shown,
    e.CardBurned: _card_burned,
    e.JokerShown: _joker_shown,
    e.DiscardsReturned: _discards_returned,
    e.CardsRanOut: _cards_ran_out,
    e.CardsReplaced: _cards_replaced,
    e.CardsReplacedInDevice: _cards_replaced_in_device,
    e.SourceChanged: _source_changed,
}
