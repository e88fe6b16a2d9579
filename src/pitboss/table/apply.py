"""Applying events to a table. No rule is read here: an event says all that was decided, so an old log still replays."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from pitboss.basics.cards import JOKER, is_natural, point_total
from pitboss.table import events as e
from pitboss.table.events import DEALER, Event
from pitboss.table.state import (
    NO_CUTTING_CARD,
    NOT_SHOWN,
    STRANGER,
    Box,
    Hand,
    PlayerState,
    Table,
    Unnoticed,
    Wager,
    draft,
)

NATURALS = ("pontoon", "blackjack")
ROUNDS_REMEMBERED = 512
"""Late entry looks at the rounds of one shoe; a shoe has far fewer than this."""


def evolve(table: Table, events: Iterable[Event]) -> Table:
    """The table after these events; the old one is untouched."""
    new = draft(table)
    for event in events:
        APPLY[type(event)](new, event)
    return new


def know(table: Table, player: str, state: PlayerState) -> None:
    """Replace what is known of a player; the dictionary may be shared with an older table."""
    table.players = {**table.players, player: state}


def arrive(table: Table, player: str) -> None:
    """A player is at the table."""
    known = table.players.get(player)
    if known is None:
        know(table, player, STRANGER)
        table.net[player] = 0
    elif not known.present:
        know(table, player, replace(known, present=True))


def _box(table: Table, number: int) -> Box:
    box = table.boxes.get(number)
    if box is None:
        box = table.boxes[number] = Box(number)
    return box


def _drop_if_empty(table: Table, box: Box) -> None:
    if not box.wagers and not box.hands and not any(box.side.values()):
        del table.boxes[box.number]


def _settle(hand: Hand, player: str) -> None:
    hand.wagers[player] = replace(hand.wagers[player], settled=True)


# --- people ----------------------------------------------------------------------------------------------------------


def _seat_taken(t: Table, ev: e.SeatTaken) -> None:
    arrive(t, ev.player)
    know(t, ev.player, replace(t.players[ev.player], seat=ev.box))


def _table_left(t: Table, ev: e.TableLeft) -> None:
    """Whoever leaves loses seat, own minimum and reserved boxes; what he won or lost stays known."""
    know(t, ev.player, replace(t.players[ev.player], seat=0, present=False, minimum_cents=0, maximum_cents=0))
    t.reserved = {box: player for box, player in t.reserved.items() if player != ev.player}


def _chips_bought(t: Table, ev: e.ChipsBought) -> None:
    arrive(t, ev.player)
    state = t.players[ev.player]
    chips = None if state.chips_cents is None else state.chips_cents + ev.cents
    limit = None if state.deposit_limit_cents is None else state.deposit_limit_cents - ev.cents
    know(t, ev.player, replace(state, chips_cents=chips, deposit_limit_cents=limit))


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
        _answered(hand, ev.player)
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


def _wager_found(t: Table, ev: e.WagerFound) -> None:
    if ev.outcome == "warned":
        know(t, ev.player, replace(t.players[ev.player], warned=True))
    box = t.boxes[ev.box]
    for wagers in (box.wagers, *(hand.wagers for hand in box.hands)):
        if ev.player in wagers:
            wagers[ev.player] = replace(wagers[ev.player], unnoticed=False)


def _betting_closed(t: Table, ev: e.BettingClosed) -> None:
    t.betting_closed = True


# --- cards -----------------------------------------------------------------------------------------------------------


def _shuffle_due(t: Table, ev: e.ShuffleDue) -> None:
    t.preparation = "shuffle"
    t.shuffle_reason = ev.reason
    t.shuffle_ordered = False
    t.shuffle_after = ""
    t.cut_from = t.cutting_shown
    if ev.reason != "insufficient":
        t.betting_closed = False


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


def _remember_left(t: Table) -> None:
    """The source is filled in the middle of a round that may be laid again: what has left of it is kept in mind."""
    memo = t.unnoticed
    if memo is not None:
        t.unnoticed = replace(memo, left=memo.left + t.stack[memo.position : t.position], position=0)


def _stack_arranged(t: Table, ev: e.StackArranged) -> None:
    if t.unnoticed is not None:
        if ev.mixed:
            _remember_left(t)
        else:
            t.unnoticed = None
    if not ev.mixed:
        t.redeal = 0
    t.stack = ev.order
    t.position = 0
    t.reshuffled = len(t.rack) if t.shuffle_reason == "insufficient" else 0
    if not ev.mixed and t.shuffle_reason != "malfunction":
        t.rack = ()
        t.burned = ()


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


def _cards_replaced(t: Table, ev: e.CardsReplaced) -> None:
    t.stack = ()
    t.position = 0
    t.rack = ()
    t.burned = ()
    t.cutting_at = NO_CUTTING_CARD
    t.new_cards_due = False
    t.unnoticed = None


def _card_left(t: Table, from_error: bool) -> None:
    """One card less to come: of those drawn in error, or of the stack."""
    if from_error:
        t.error_cards = t.error_cards[1:]
    else:
        t.position += 1


def _card_burned(t: Table, ev: e.CardBurned) -> None:
    t.unnoticed = None
    _card_left(t, ev.from_error)
    t.fresh = False
    t.rack = (*t.rack, ev.card)
    t.burned = (*t.burned, ev.card)


def _joker_shown(t: Table, ev: e.JokerShown) -> None:
    t.position += 1
    if t.redeal:
        t.redeal -= 1
    t.rack = (*t.rack, JOKER)


def _discards_returned(t: Table, ev: e.DiscardsReturned) -> None:
    if not t.arranged:
        _remember_left(t)
        t.stack = t.stack[t.position :] + t.rack
        t.position = 0
    t.rack = ()
    t.burned = ()


def _cards_ran_out(t: Table, ev: e.CardsRanOut) -> None:
    pass


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


# --- offers and decisions --------------------------------------------------------------------------------------------


def _insurance_offered(t: Table, ev: e.InsuranceOffered) -> None:
    t.phase = "insurance"


def _insurance_placed(t: Table, ev: e.InsurancePlaced) -> None:
    box = t.boxes[ev.box]
    box.insurance = {**box.insurance, ev.player: ev.cents}
    t.net[ev.player] -= ev.cents


def _insurance_closed(t: Table, ev: e.InsuranceClosed) -> None:
    t.phase = "interim"


def _surrender_offered(t: Table, ev: e.SurrenderOffered) -> None:
    t.phase = "surrender"


def _answered(hand: Hand, player: str) -> None:
    hand.asked = tuple(name for name in hand.asked if name != player)


def _wager_surrendered(t: Table, ev: e.WagerSurrendered) -> None:
    hand = t.boxes[ev.box].hands[0]
    hand.wagers[ev.player] = replace(hand.wagers[ev.player], surrendered=True)
    if hand.asking:
        _answered(hand, ev.player)
    elif ev.asks:
        hand.asking = "surrender"
        hand.asked = ev.asks
    if ev.freezes:
        hand.done = True


def _surrender_declined(t: Table, ev: e.SurrenderDeclined) -> None:
    _answered(t.boxes[ev.box].hands[0], ev.player)


def _surrender_closed(t: Table, ev: e.SurrenderClosed) -> None:
    t.phase = "play"
    for box in t.boxes.values():
        box.hands[0].asking = ""


def _turn_came(t: Table, ev: e.TurnCame) -> None:
    t.phase = "play"
    t.turn_box = ev.box
    t.turn_hand = ev.hand


def _hand_hit(t: Table, ev: e.HandHit) -> None:
    t.boxes[ev.box].hands[ev.hand].due = True


def _hand_stood(t: Table, ev: e.HandStood) -> None:
    t.boxes[ev.box].hands[ev.hand].done = True


def _wager_doubled(t: Table, ev: e.WagerDoubled) -> None:
    hand = t.boxes[ev.box].hands[ev.hand]
    hand.wagers[ev.player] = replace(hand.wagers[ev.player], doubled_cents=ev.cents)
    t.net[ev.player] -= ev.cents
    if hand.asking:
        _answered(hand, ev.player)
    else:
        hand.asking = "double"
        hand.asked = ev.asks


def _double_declined(t: Table, ev: e.DoubleDeclined) -> None:
    _answered(t.boxes[ev.box].hands[ev.hand], ev.player)


def _wager_split(t: Table, ev: e.WagerSplit) -> None:
    hand = t.boxes[ev.box].hands[ev.hand]
    t.net[ev.player] -= ev.cents
    hand.matching = (*hand.matching, ev.player)
    if hand.asking:
        _answered(hand, ev.player)
    else:
        hand.asking = "split"
        hand.asked = ev.asks


def _split_declined(t: Table, ev: e.SplitDeclined) -> None:
    box = t.boxes[ev.box]
    if ev.ends:
        box.splitting_ended = True
    else:
        _answered(box.hands[ev.hand], ev.player)


def _hand_divided(t: Table, ev: e.HandDivided) -> None:
    box = t.boxes[ev.box]
    hand = box.hands[ev.hand]
    first, second = hand.cards
    aces = first[0] == "A"
    added = {name: Wager(name, hand.wagers[name].cents) for name in hand.wagers if name in hand.matching}
    hand.short = "late" if hand.short in ("dealer", "late") else ""
    hand.meant = ""
    box.hands.insert(ev.hand + 1, Hand(added, cards=(second,), split=True, split_aces=aces, short=hand.short))
    hand.cards = (first,)
    hand.split = True
    hand.split_aces = aces
    hand.asking = ""
    hand.matching = ()


def _wager_forfeited(t: Table, ev: e.WagerForfeited) -> None:
    _settle(t.boxes[ev.box].hands[ev.hand], ev.player)
    t.net[ev.player] += ev.returned_cents


def _wager_kept(t: Table, ev: e.WagerKept) -> None:
    hand = t.boxes[ev.box].hands[ev.hand]
    hand.wagers[ev.player] = replace(hand.wagers[ev.player], kept=True)


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


# --- settlement ------------------------------------------------------------------------------------------------------


def _wager_paid(t: Table, ev: e.WagerPaid) -> None:
    hand = t.boxes[ev.box].hands[ev.hand]
    if ev.result in NATURALS:
        hand.natural = True
    hand.wagers[ev.player] = replace(hand.wagers[ev.player], settled=True)
    t.net[ev.player] += ev.wager_cents + ev.paid_cents
    if ev.settlement == "final":
        _note_final(t, ev.player, ev.paid_cents)


def _note_final(t: Table, player: str, cents: int) -> None:
    """What the final settlement brings: an error told before the next round may still undo it."""
    known = t.final_results
    t.final_results = {**known, player: known.get(player, 0) + cents} if known else {player: cents}


def _wager_collected(t: Table, ev: e.WagerCollected) -> None:
    hand = t.boxes[ev.box].hands[ev.hand]
    hand.wagers[ev.player] = replace(hand.wagers[ev.player], settled=True)
    if ev.reason != "bust":
        _note_final(t, ev.player, -ev.cents)


def _wager_stood_off(t: Table, ev: e.WagerStoodOff) -> None:
    hand = t.boxes[ev.box].hands[ev.hand]
    hand.wagers[ev.player] = replace(hand.wagers[ev.player], settled=True)
    t.net[ev.player] += ev.cents


def _surrender_settled(t: Table, ev: e.SurrenderSettled) -> None:
    _settle(t.boxes[ev.box].hands[ev.hand], ev.player)
    t.net[ev.player] += ev.returned_cents
    _note_final(t, ev.player, -ev.lost_cents)


def _insurance_paid(t: Table, ev: e.InsurancePaid) -> None:
    del t.boxes[ev.box].insurance[ev.player]
    t.net[ev.player] += ev.wager_cents + ev.paid_cents
    _note_final(t, ev.player, ev.paid_cents)


def _insurance_collected(t: Table, ev: e.InsuranceCollected) -> None:
    del t.boxes[ev.box].insurance[ev.player]
    _note_final(t, ev.player, -ev.cents)


def _side_bet_paid(t: Table, ev: e.SideBetPaid) -> None:
    del t.boxes[ev.box].side[ev.kind][ev.player]
    t.net[ev.player] += ev.wager_cents + ev.paid_cents


def _side_bet_collected(t: Table, ev: e.SideBetCollected) -> None:
    del t.boxes[ev.box].side[ev.kind][ev.player]


def _super_bonus_paid(t: Table, ev: e.SuperBonusPaid) -> None:
    t.net[ev.player] += ev.cents
    t.bonus_given = (*t.bonus_given, (0, ev.player), (ev.box, ev.player))


def _bonus_due(t: Table, ev: e.SuperBonusEarned) -> None:
    t.bonus_hands = (*t.bonus_hands, (ev.box, ev.hand))


def _bonus_paid(t: Table, ev: e.BonusPaid) -> None:
    t.net[ev.player] += ev.cents
    t.bonus_given = (*t.bonus_given, (ev.box, ev.player))


def _jackpot_wager_collected(t: Table, ev: e.JackpotWagerCollected) -> None:
    del t.boxes[ev.box].side["blazing-7s"][ev.player]
    t.jackpot_cents += ev.to_jackpot_cents
    t.jackpot_wagers = (*t.jackpot_wagers, (ev.box, ev.player, ev.cents, ev.to_jackpot_cents))


def _decided_jackpot(t: Table, box: int, player: str) -> None:
    t.jackpot_wagers = tuple(w for w in t.jackpot_wagers if w[0] != box or w[1] != player)


def _jackpot_won(t: Table, ev: e.JackpotWon) -> None:
    t.jackpot_waiting = (*t.jackpot_waiting, (ev.box, ev.player, ev.result))


def _jackpot_prize_paid(t: Table, ev: e.JackpotPrizePaid) -> None:
    _decided_jackpot(t, ev.box, ev.player)
    t.jackpot_waiting = tuple(w for w in t.jackpot_waiting if w[0] != ev.box or w[1] != ev.player)
    t.jackpot_cents -= ev.from_pool_cents
    t.net[ev.player] += ev.cents


def _jackpot_lost(t: Table, ev: e.JackpotLost) -> None:
    t.jackpot_lost = (*t.jackpot_lost, (ev.box, ev.player))
    t.jackpot_waiting = tuple(w for w in t.jackpot_waiting if w[0] != ev.box or w[1] != ev.player)


def _jackpot_set(t: Table, ev: e.JackpotSet) -> None:
    t.jackpot_cents = ev.cents


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


# --- the house -------------------------------------------------------------------------------------------------------


def _notice_given(t: Table, ev: e.NoticeGiven) -> None:
    pass


def _limits_set(t: Table, ev: e.LimitsSet) -> None:
    if ev.kind == "original":
        old = t.house.minimum_cents
        for name, state in t.players.items():
            if name in ev.kept:
                know(t, name, replace(state, minimum_cents=state.minimum_cents or old))
            elif state.minimum_cents and not state.maximum_cents:
                know(t, name, replace(state, minimum_cents=0))
        if ev.kept:
            t.minimum_raised = True
        t.house = replace(t.house, minimum_cents=ev.minimum_cents, maximum_cents=ev.maximum_cents)
    else:
        limits = {**t.house.side_limits, ev.kind: (ev.minimum_cents, ev.maximum_cents)}
        t.house = replace(t.house, side_limits=limits)


def _maximum_granted(t: Table, ev: e.MaximumGranted) -> None:
    arrive(t, ev.player)
    state = t.players[ev.player]
    know(t, ev.player, replace(state, maximum_cents=ev.maximum_cents, minimum_cents=ev.minimum_cents))


def _player_restricted(t: Table, ev: e.PlayerRestricted) -> None:
    arrive(t, ev.player)
    state = t.players[ev.player]
    if ev.rule == "cover-splits":
        know(t, ev.player, replace(state, cover_splits=True))
        return
    restricted = replace(
        state,
        restriction=ev.rule,
        minimum_only=ev.minimum_only,
        restricted_boxes=ev.boxes_max,
        restriction_until=ev.until,
        restricted_before=True,
    )
    know(t, ev.player, restricted)


def _restriction_lifted(t: Table, ev: e.RestrictionLifted) -> None:
    free = replace(
        t.players[ev.player],
        restriction="",
        minimum_only=False,
        restricted_boxes=0,
        restriction_until="",
        boxes_limit=0,
        cover_splits=False,
    )
    know(t, ev.player, free)


def _boxes_limited(t: Table, ev: e.BoxesLimited) -> None:
    arrive(t, ev.player)
    know(t, ev.player, replace(t.players[ev.player], boxes_limit=ev.boxes))


def _boxes_reserved(t: Table, ev: e.BoxesReserved) -> None:
    others = {box: player for box, player in t.reserved.items() if player != ev.player}
    t.reserved = others | dict.fromkeys(ev.boxes, ev.player)


def _players_capped(t: Table, ev: e.PlayersCapped) -> None:
    t.players_cap = ev.players


def _boxes_capped(t: Table, ev: e.BoxesCapped) -> None:
    t.box_cap = ev.players


def _side_bet_restricted(t: Table, ev: e.SideBetRestricted) -> None:
    kept = tuple(kind for kind in t.side_restricted if kind != ev.kind)
    t.side_restricted = (*kept, ev.kind) if ev.restricted else kept


def _side_bet_required(t: Table, ev: e.SideBetRequired) -> None:
    kept = tuple(kind for kind in t.house.required if kind != ev.kind)
    t.house = replace(t.house, required=(*kept, ev.kind) if ev.required else kept)


def _resplit_allowed(t: Table, ev: e.ResplitAllowed) -> None:
    t.house = replace(t.house, resplit=ev.allowed)


def _interim_deferred(t: Table, ev: e.InterimDeferred) -> None:
    t.house = replace(t.house, deferred=ev.deferred)


def _face_down_ordered(t: Table, ev: e.FaceDownOrdered) -> None:
    t.house = replace(t.house, face_down=ev.face_down)


def _final_rounds_announced(t: Table, ev: e.FinalRoundsAnnounced) -> None:
    t.final_rounds = ev.rounds


# --- when things go wrong --------------------------------------------------------------------------------------------


def _halt(t: Table) -> None:
    """Whether ordinary play waits for an approval, an answer or a rebuilding."""
    t.halted = bool(t.approval_due or t.refund_asked or t.misdealt)


def _irregularity(t: Table, ev: e.IrregularityReported) -> None:
    t.approval_due = ev.approval
    _halt(t)


def _approval_given(t: Table, ev: e.ApprovalGiven) -> None:
    t.approval_due = ""
    _halt(t)


def _card_drawn_in_error(t: Table, ev: e.CardDrawnInError) -> None:
    t.unnoticed = None
    t.position += 1
    t.error_cards = (*t.error_cards, (ev.card, ev.exposed))


def _card_refused(t: Table, ev: e.CardRefused) -> None:
    t.boxes[ev.box].hands[ev.hand].done = True
    t.refusers = (*t.refusers, ev.player)


def _card_misplaced(t: Table, ev: e.CardMisplaced) -> None:
    t.unnoticed = None
    t.position += 1
    t.misdealt = (*t.misdealt, (ev.box, ev.card))
    t.noticed = ev.noticed
    _halt(t)


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
    _halt(t)


def _misdeal_unnoticed(t: Table, ev: e.MisdealUnnoticed) -> None:
    originals = [(box.number, wager) for box in t.boxes.values() for wager in box.hands[0].wagers.values()]
    jackpot = [(box, "blazing-7s", player, cents) for box, player, cents, _ in t.jackpot_wagers]
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


def _cards_set_aside(t: Table, ev: e.CardsSetAside) -> None:
    t.position += len(ev.cards)
    t.error_cards = (*((card, True) for card in ev.cards if card != JOKER), *t.error_cards)
    t.rack += tuple(card for card in ev.cards if card == JOKER)
    t.redeal = 0
    if t.cutting_at != NO_CUTTING_CARD:  # among them: it comes with the next card
        t.cutting_at = max(t.cutting_at, t.position)


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
    _halt(t)


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
    _answered(t.boxes[ev.box].hands[ev.hand], ev.player)


def _hand_voided(t: Table, ev: e.HandVoided) -> None:
    t.unnoticed = None
    t.rack += ev.cards
    if ev.box in t.boxes:
        hand = t.boxes[ev.box].hands[ev.hand]
        hand.cards = ()
        hand.done = True
    t.misdealt = tuple((box, card) for box, card in t.misdealt if box != ev.box)
    _halt(t)


def _round_voided(t: Table, ev: e.RoundVoided) -> None:
    t.unnoticed = None
    t.rack += tuple(card for _, card in t.misdealt)
    t.misdealt = ()
    t.refund_asked = ()
    _halt(t)


def _earlier_round_voided(t: Table, ev: e.EarlierRoundVoided) -> None:
    t.unnoticed = None
    t.last_results = {}


def _payment_reversed(t: Table, ev: e.PaymentReversed) -> None:
    t.net[ev.player] -= ev.cents


def _cards_burned_open(t: Table, ev: e.CardsBurnedOpen) -> None:
    t.unnoticed = None
    t.position += len(ev.cards)
    t.rack += ev.cards


def _check_ordered(t: Table, ev: e.CheckOrdered) -> None:
    t.shuffle_after = "check"


def _burn_forgotten(t: Table, ev: e.BurnForgotten) -> None:
    t.fresh = False


def _cut_forgotten(t: Table, ev: e.CutForgotten) -> None:
    t.preparation = "ready"
    t.cut_offered = ""
    t.cut_declined = ()
    t.shuffle_after = "cut-missed"


def _shuffle_forgotten(t: Table, ev: e.ShuffleForgotten) -> None:
    t.preparation = "ready"
    t.cutting_shown = NOT_SHOWN
    t.shuffle_after = "shuffle-missed"


def _discards_forgotten(t: Table, ev: e.DiscardsForgotten) -> None:
    t.discards_forgotten += 1


def _insurance_forgotten(t: Table, ev: e.InsuranceForgotten) -> None:
    t.phase = "interim"
    t.insurance_forgotten = True


def _player_passed_over(t: Table, ev: e.PlayerPassedOver) -> None:
    hand = t.boxes[ev.box].hands[ev.hand]
    if hand.asking:
        _answered(hand, ev.player)
    else:
        hand.passed_over = (*hand.passed_over, ev.player)


def _cards_replaced_in_device(t: Table, ev: e.CardsReplacedInDevice) -> None:
    pass


def _source_changed(t: Table, ev: e.SourceChanged) -> None:
    t.unnoticed = None
    t.device_down = t.new_cards_due = ev.source == "shoe"
    t.house = replace(t.house, source=ev.source)


def _refund_offered(t: Table, ev: e.RefundOffered) -> None:
    t.refund_asked = ev.players
    _halt(t)


def _refund_answered(t: Table, ev: e.RefundDeclined | e.RefundTaken) -> None:
    t.refund_asked = tuple(name for name in t.refund_asked if name != ev.player)
    _halt(t)


def _player_barred(t: Table, ev: e.PlayerBarred) -> None:
    arrive(t, ev.player)
    know(t, ev.player, replace(t.players[ev.player], barred=ev.reason))


def _jackpot_faulted(t: Table, ev: e.JackpotFaulted) -> None:
    t.jackpot_down = True


def _jackpot_restored(t: Table, ev: e.JackpotRestored) -> None:
    t.jackpot_down = False


def _duty_reminded(t: Table, ev: e.DutyReminded) -> None:
    pass


def _player_paused(t: Table, ev: e.PlayerPaused) -> None:
    know(t, ev.player, replace(t.players[ev.player], paused=True))


def _player_readmitted(t: Table, ev: e.PlayerReadmitted) -> None:
    know(t, ev.player, replace(t.players[ev.player], paused=False, loss_limit_cents=ev.loss_limit_cents))


def _seat_vacated(t: Table, ev: e.SeatVacated) -> None:
    know(t, ev.player, replace(t.players[ev.player], seat=0))


def _dispute(t: Table, player: str, stage: str) -> None:
    t.disputes = (*(each for each in t.disputes if each[0] != player), (player, stage))


def _dispute_raised(t: Table, ev: e.DisputeRaised) -> None:
    arrive(t, ev.player)
    _dispute(t, ev.player, "raised")


def _dispute_ruled(t: Table, ev: e.DisputeRuled) -> None:
    _dispute(t, ev.player, "final" if ev.final else "ruled")


def _review_asked(t: Table, ev: e.ReviewAsked) -> None:
    _dispute(t, ev.player, "review" if ev.within else "final")


def _mispayment_recorded(t: Table, ev: e.MispaymentRecorded) -> None:
    arrive(t, ev.player)
    t.net[ev.player] += ev.cents


def _mispayment_rectified(t: Table, ev: e.MispaymentRectified) -> None:
    t.net[ev.player] -= ev.cents


APPLY: dict[type[Event], Callable[[Table, Any], None]] = {
    e.SeatTaken: _seat_taken,
    e.TableLeft: _table_left,
    e.ChipsBought: _chips_bought,
    e.ControlDeclined: _control_declined,
    e.ControlSettled: _control_settled,
    e.ControlPassed: _control_passed,
    e.WagerPlaced: _wager_placed,
    e.WagerReturned: _wager_returned,
    e.WagerFound: _wager_found,
    e.BettingClosed: _betting_closed,
    e.ShuffleDue: _shuffle_due,
    e.ShuffleOrdered: _shuffle_ordered,
    e.CardsShuffled: _cards_shuffled,
    e.StackArranged: _stack_arranged,
    e.CutOffered: _cut_offered,
    e.CutDeclined: _cut_declined,
    e.CardsCut: _cards_cut,
    e.CuttingCardPlaced: _cutting_card_placed,
    e.CuttingCardShown: _cutting_card_shown,
    e.CardsReplaced: _cards_replaced,
    e.CardBurned: _card_burned,
    e.JokerShown: _joker_shown,
    e.DiscardsReturned: _discards_returned,
    e.CardsRanOut: _cards_ran_out,
    e.RoundBegan: _round_began,
    e.CardDealt: _card_dealt,
    e.HandExposed: _hand_exposed,
    e.CardsCleared: _cards_cleared,
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
    e.JackpotWagerCollected: _jackpot_wager_collected,
    e.JackpotWon: _jackpot_won,
    e.JackpotPrizePaid: _jackpot_prize_paid,
    e.JackpotLost: _jackpot_lost,
    e.JackpotSet: _jackpot_set,
    e.RoundEnded: _round_ended,
    e.NoticeGiven: _notice_given,
    e.LimitsSet: _limits_set,
    e.MaximumGranted: _maximum_granted,
    e.PlayerRestricted: _player_restricted,
    e.RestrictionLifted: _restriction_lifted,
    e.BoxesLimited: _boxes_limited,
    e.BoxesReserved: _boxes_reserved,
    e.PlayersCapped: _players_capped,
    e.BoxesCapped: _boxes_capped,
    e.SideBetRestricted: _side_bet_restricted,
    e.SideBetRequired: _side_bet_required,
    e.ResplitAllowed: _resplit_allowed,
    e.InterimDeferred: _interim_deferred,
    e.FaceDownOrdered: _face_down_ordered,
    e.FinalRoundsAnnounced: _final_rounds_announced,
    e.IrregularityReported: _irregularity,
    e.ApprovalGiven: _approval_given,
    e.CardDrawnInError: _card_drawn_in_error,
    e.CardRefused: _card_refused,
    e.CardMisplaced: _card_misplaced,
    e.RoundReconstructed: _round_reconstructed,
    e.MisdealUnnoticed: _misdeal_unnoticed,
    e.RoundReopened: _round_reopened,
    e.CardsSetAside: _cards_set_aside,
    e.LayoutLeft: _layout_left,
    e.LateHandCame: _late_hand_came,
    e.HandLeftOut: _hand_left_out,
    e.OthersAsked: _others_asked,
    e.DecisionAccepted: _decision_accepted,
    e.HandVoided: _hand_voided,
    e.RoundVoided: _round_voided,
    e.EarlierRoundVoided: _earlier_round_voided,
    e.PaymentReversed: _payment_reversed,
    e.CardsBurnedOpen: _cards_burned_open,
    e.CheckOrdered: _check_ordered,
    e.BurnForgotten: _burn_forgotten,
    e.CutForgotten: _cut_forgotten,
    e.ShuffleForgotten: _shuffle_forgotten,
    e.DiscardsForgotten: _discards_forgotten,
    e.InsuranceForgotten: _insurance_forgotten,
    e.PlayerPassedOver: _player_passed_over,
    e.CardsReplacedInDevice: _cards_replaced_in_device,
    e.SourceChanged: _source_changed,
    e.RefundOffered: _refund_offered,
    e.RefundDeclined: _refund_answered,
    e.RefundTaken: _refund_answered,
    e.PlayerBarred: _player_barred,
    e.MispaymentRecorded: _mispayment_recorded,
    e.MispaymentRectified: _mispayment_rectified,
    e.JackpotFaulted: _jackpot_faulted,
    e.JackpotRestored: _jackpot_restored,
    e.DutyReminded: _duty_reminded,
    e.PlayerPaused: _player_paused,
    e.PlayerReadmitted: _player_readmitted,
    e.SeatVacated: _seat_vacated,
    e.DisputeRaised: _dispute_raised,
    e.DisputeRuled: _dispute_ruled,
    e.ReviewAsked: _review_asked,
}
