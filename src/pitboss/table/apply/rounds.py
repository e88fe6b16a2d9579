"""A round from its beginning over every card that is dealt to its end."""

from __future__ import annotations

from msgspec.structs import replace

from pitboss.basics.cards import is_natural
from pitboss.rulebooks.vocabulary import BLAZING
from pitboss.table import events as e
from pitboss.table.apply.cards import left_of
from pitboss.table.apply.changes import Changes, note, remember
from pitboss.table.events import DEALER
from pitboss.table.state import NO_CUTTING_CARD, ROUNDS_VOIDABLE, Hand, Opened, Table, Wager

ROUNDS_AT_A_TIME = 16
"""How many rounds are put by together with those before them."""
ROUNDS_REMEMBERED = 512
"""Late entry looks at the rounds of one shoe; a shoe has far fewer than this."""


def _round_began(t: Table, ev: e.RoundBegan) -> None:
    t.phase = "dealing"
    if not t.betting_closed:
        t.betting_closed = True
    if len(t.boxes) > 1:
        t.boxes = {number: t.boxes[number] for number in ev.boxes}
    wagers: list[tuple[int, str]] = []
    originals: list[tuple[int, Wager]] = []
    lines: list[tuple[int, tuple[str, ...]]] = []
    side: list[tuple[int, str, str, int]] = []
    optional: tuple[tuple[int, str, str, int], ...] = ()
    optional_placed: tuple[int, ...] = ()
    net = t.net
    start: dict[str, int] = {}  # what each player stood at before they wagered on this round
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
        lines.append((number, line))
        for name in line:
            wager = placed[name]
            wagers.append((number, name))
            originals.append((number, wager))
            if name in start:
                start[name] += wager.cents
            else:
                start[name] = net[name] + wager.cents
                if t.places.get(name) != number:
                    places[name] = number
        if box.side:
            for kind, bets in box.side.items():
                for name, cents in bets.items():
                    start[name] = start.get(name, net[name]) + cents
                    side.append((number, kind, name, cents))
    jackpot = t.jackpot_cents
    for number, name, cents, part in t.jackpot_wagers:
        start[name] = start.get(name, net[name]) + cents
        side.append((number, BLAZING, name, cents))
        jackpot -= part
    if side:
        optional = tuple(side)
        optional_placed = tuple([t.boxes[number].order[kind][name] for number, kind, name, _ in side])
    position, cutting_at, errors = t.position, t.cutting_at, t.error_cards
    t.opened = Opened(  # by place, which is the quickest: this is made in every round and seldom looked at
        tuple(originals),
        optional,
        optional_placed,
        tuple(lines),
        jackpot,
        position,
        (),
        cutting_at - position if cutting_at != NO_CUTTING_CARD else NO_CUTTING_CARD,
        t.cutting_shown,
        t.cutting_player,
        t.final_rounds,
        (),
        t.fresh,
        tuple([card for card, _ in errors]) if errors else (),
        t.burned,
        (),
        (),
        len(errors) - position,
        (),
        t.house.face_down,
    )
    t.decisions = ()
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
        cards = t.dealer_cards = t.dealer_cards + (ev.card,)  # noqa: RUF005 (the quickest)
        total = t.dealer_total = ev.total
        t.dealer_soft = ev.soft
        if total == 21 and len(cards) == 2 and not t.dealer_late and is_natural(cards):
            t.dealer_natural = True
        return
    hand = t.boxes[ev.box].hands[ev.hand]
    hand.cards += (ev.card,)
    hand.total = ev.total
    hand.soft = ev.soft
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
    if t.phase in ("dealing", "play"):
        note(t, "HandExposed", t.boxes[ev.box].controller, ev.box)
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
    if t.last_results or t.lately or t.earlier:
        t.lately += (t.last_results,)
        if len(t.lately) == ROUNDS_AT_A_TIME:
            t.earlier = (*t.earlier, *t.lately)[-ROUNDS_VOIDABLE:]
            t.lately = ()
    t.last_results = results
    t.last_final, t.final_results = t.final_results, {}
    t.last_staked, t.final_staked = t.final_staked, {}
    if t.small_wagers or t.last_small:
        t.last_small = tuple(each for each in t.small_wagers if each[0] in t.round_start)
        t.small_results = tuple(
            (name, box, sum(cents for *_, cents in t.boxes[box].brought(name))) for name, box, _ in t.last_small
        )
        t.small_wagers = ()
    t.placements = 0
    cards = t.dealer_cards
    for box in t.boxes.values():
        for hand in box.hands:
            cards += hand.cards
    rack = t.rack + cards
    if ev.to_device:
        kept = t.burned if ev.keeps_burned else ()
        going = list(rack)
        for card in kept:
            going.remove(card)
        memo = t.opened
        if memo is not None:
            remember(
                t,
                replace(memo, returned=tuple(going)),
                memo.left + left_of(memo, t),
                t.position if t.arranged else 0,
                (),
            )
        if not t.arranged:
            t.stack = t.stack[t.position :] + tuple(going)
            t.position = 0
        rack = kept
        t.burned = kept
    t.rack = rack
    t.boxes = {}
    t.phase = "wagers"
    t.betting_closed = False  # as `open_betting`
    if t.card_left:
        t.card_left = False
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
    if t.jackpot_paid:
        t.jackpot_paid = ()
        t.jackpot_reset = 0
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
    if t.pending:
        t.pending = ()
    if t.spoiled:
        t.spoiled = ()
    if t.noticed:
        t.noticed = ""


ROUNDS: Changes = {
    e.RoundBegan: _round_began,
    e.CardDealt: _card_dealt,
    e.HandExposed: _hand_exposed,
    e.CardsCleared: _cards_cleared,
    e.RoundEnded: _round_ended,
}
