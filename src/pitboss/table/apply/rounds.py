"""A round from its beginning over every card that is dealt to its end."""

from __future__ import annotations

from pitboss.basics.cards import is_natural
from pitboss.table import events as e
from pitboss.table.apply.changes import Changes
from pitboss.table.events import DEALER
from pitboss.table.state import Hand, Table

ROUNDS_REMEMBERED = 512
"""Late entry looks at the rounds of one shoe; a shoe has far fewer than this."""


def _round_began(t: Table, ev: e.RoundBegan) -> None:
    t.phase = "dealing"
    if not t.betting_closed:
        t.betting_closed = True
    if t.unnoticed is not None:
        t.unnoticed = None
    if len(t.boxes) > 1:
        t.boxes = {number: t.boxes[number] for number in ev.boxes}
    wagers: list[tuple[int, str]] = []
    net = t.net
    start: dict[str, int] = {}  # what each player stood at before he wagered on this round
    places: dict[str, int] = {}
    for number, box in t.boxes.items():
        placed = box.wagers
        if len(placed) == 1:
            line = box.line = tuple(placed)
            box.controller = line[0]
            box.hands = [Hand(placed)]
        else:
            line = box.line
            box.hands = [Hand({name: placed[name] for name in line})]
        box.wagers = {}
        for name in line:
            wagers.append((number, name))
            if name in start:
                start[name] += placed[name].cents
            else:
                start[name] = net[name] + placed[name].cents
                if t.places.get(name) != number:
                    places[name] = number
        if box.side:
            for kind in box.side.values():
                for name, cents in kind.items():
                    start[name] = start.get(name, net[name]) + cents
    for _, name, cents, _ in t.jackpot_wagers:
        start[name] = start.get(name, net[name]) + cents
    t.round_start = start
    t.round_players = tuple(start)
    t.round_wagers = tuple(wagers)
    if places:
        t.places = {**t.places, **places}
    if t.shoe_round < ROUNDS_REMEMBERED:
        played = t.played.copy()
        bit = 1 << t.shoe_round
        for name in start:
            played[name] = played.get(name, 0) | bit
        t.played = played
    t.shoe_round += 1


def _card_dealt(t: Table, ev: e.CardDealt) -> None:
    if ev.from_error:
        t.error_cards = t.error_cards[1:]
    else:
        t.position += 1
        if t.redeal:
            t.redeal -= 1
    if ev.box == DEALER:
        cards = t.dealer_cards = (*t.dealer_cards, ev.card)
        t.dealer_total = ev.total
        if t.dealer_soft is not ev.soft:
            t.dealer_soft = ev.soft
        if ev.total == 21 and len(cards) == 2 and not t.dealer_late and is_natural(cards):
            t.dealer_natural = True
        return
    hand = t.boxes[ev.box].hands[ev.hand]
    hand.cards = (*hand.cards, ev.card)
    hand.total = ev.total
    if hand.soft is not ev.soft:
        hand.soft = ev.soft
    if hand.face_down is not ev.face_down:
        hand.face_down = ev.face_down
    if hand.due:
        hand.due = False
    if hand.short:
        _short_hand_drew(hand)
    if hand.asking:
        hand.doubled = hand.asking == "double"
        hand.asking = ""


def _short_hand_drew(hand: Hand) -> None:
    """It gets two cards at least; after the dealer's hand it is neither doubled nor split any more."""
    if len(hand.cards) < 2:
        hand.due = True
    else:
        hand.short = "late" if hand.short in ("dealer", "late") else ""
        hand.meant = ""


def _hand_exposed(t: Table, ev: e.HandExposed) -> None:
    for hand in t.boxes[ev.box].hands:
        hand.face_down = False


def _cards_cleared(t: Table, ev: e.CardsCleared) -> None:
    hand = t.boxes[ev.box].hands[ev.hand]
    hand.done = True
    t.rack += hand.cards
    hand.cards = ()


def _round_ended(t: Table, ev: e.RoundEnded) -> None:
    net = t.net
    results: dict[str, int] = {}
    for name, cents in t.round_start.items():
        results[name] = net[name] - cents
    t.last_results = results
    t.last_final, t.final_results = t.final_results, {}
    t.placements = 0
    cards = t.dealer_cards
    for box in t.boxes.values():
        for hand in box.hands:
            cards += hand.cards
    rack = t.rack + cards
    if ev.to_device:
        kept = t.burned if ev.keeps_burned else ()
        if not t.arranged:
            going = list(rack)
            for card in kept:
                going.remove(card)
            t.stack = t.stack[t.position :] + tuple(going)
            t.position = 0
        rack = kept
        t.burned = kept
    t.rack = rack
    t.boxes = {}
    t.phase = "wagers"
    t.betting_closed = False
    t.dealer_cards = ()
    t.dealer_total = 0
    t.dealer_done = False
    if t.dealer_soft:
        t.dealer_soft = False
    if t.dealer_natural:
        t.dealer_natural = False
    t.turn_box = 0
    if t.turn_hand:
        t.turn_hand = 0
    t.round_players = t.round_wagers = ()
    if t.bonus_hands:
        t.bonus_hands = ()
    if t.bonus_given:
        t.bonus_given = ()
    if t.jackpot_wagers:
        t.jackpot_wagers = ()
    if t.jackpot_lost:
        t.jackpot_lost = ()
    if t.final_rounds > 0:
        t.final_rounds -= 1
    if t.insurance_forgotten:
        t.insurance_forgotten = False
    if t.discards_forgotten == 2:
        t.discards_forgotten = 0
    if t.dealer_late:
        t.dealer_late = False
    if t.refusers:
        t.refusers = ()
    if ev.to_device and t.unnoticed is not None:
        t.unnoticed = None
    if t.noticed:
        t.noticed = ""


ROUNDS: Changes = {
    e.RoundBegan: _round_began,
    e.CardDealt: _card_dealt,
    e.HandExposed: _hand_exposed,
    e.CardsCleared: _cards_cleared,
    e.RoundEnded: _round_ended,
}
