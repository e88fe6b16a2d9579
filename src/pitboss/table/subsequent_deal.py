"""Box by box from the dealer's left: hit, stand, and what every card on a hand brings about."""

from __future__ import annotations

from collections.abc import Mapping

from pitboss.basics.cards import VALUE, Card, point_total, with_card
from pitboss.rulebooks.meanings import REFUSER_DRAWS_TO_12, meaning
from pitboss.rulebooks.terms import Term
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.chapters import carries_out
from pitboss.table.interim_settlement import counts_as_natural, settle_21, settle_five_card_trick, settle_natural
from pitboss.table.pairs import settle_pairs
from pitboss.table.refusals import Refusal
from pitboss.table.run import Run, both, caller_of, heads, live_wagers, narrowed, next_card, no, others_on
from pitboss.table.shuffle_and_cut import refuse_unprepared
from pitboss.table.state import Box, Hand, Table
from pitboss.table.wagers import control_clause


def next_hand(table: Table) -> tuple[int, int] | None:
    """The next hand on which something is still to be decided.

    Hands that lack cards come last where they were passed, and after the dealer's hand where that had its second card.
    """
    passed: tuple[int, int] | None = None
    for number, box in table.boxes.items():
        index = -1  # counted by hand, which is the quickest: this is asked after every act
        for hand in box.hands:
            index += 1
            if not hand.done:
                if table.dealer_done or not hand.short or hand.short == "in-turn":
                    return number, index
                if hand.short == "passed" and passed is None:
                    passed = (number, index)
    return passed


def unfinished(table: Table) -> bool:
    """Whether something is still to be decided on some hand, be it after the dealer's."""
    for box in table.boxes.values():
        for hand in box.hands:
            if not hand.done:
                return True
    return False


def play_on(run: Run) -> bool:
    """Carry the subsequent deal on until somebody must decide (True) or all hands are done (False)."""
    table = run.table
    while True:
        number, index = table.turn_box, table.turn_hand
        hand = table.boxes[number].hands[index] if number and table.phase == "play" else None
        if hand is None or hand.done or hand.short:  # else it goes on with the hand whose turn it is
            found = next_hand(table)
            if found is None:
                return False
            number, index = found
            hand = table.boxes[number].hands[index]
        if hand.asking:
            if hand.asked:
                return True
            if lapsed(hand):
                run.emit(why_lapsed(table, number, index))
                return True
            if hand.asking == "double":
                if not draw(run, number, index, aces_at_one(table, hand), table.compiled.double_card):
                    return True
                after_card(run, number, index)
                continue
            if hand.asking == "split":
                again = table.rulebook.splitting.split_clauses.value["again" if hand.split else "first"]
                run.emit(e.HandDivided((again,), number, index))
                continue
            if not hand.due:
                run.emit(e.HandStood(table.compiled.stand, number, index, table.boxes[number].controller))
                continue
        if hand.due or (len(hand.cards) == 1 and (hand.split or not hand.short)):
            lacked = hand.short
            if not draw(run, number, index, 0, table.compiled.hits if hand.due else table.compiled.split_card):
                return True
            if lacked:
                settle_pairs(run)
            after_card(run, number, index)
            continue
        if hand.doubled:
            if forfeit_waits_for(table, hand):
                return True
            finish_double(run, number, index)
            continue
        if table.refusers and leave_to_refuser(run, number, index):
            continue
        if table.turn_box != number or table.turn_hand != index or table.phase not in ("play", "late"):
            box = table.boxes[number]
            if len(box.line) > 1:  # another may have called the last hand, for somebody absent or gone
                caller = caller_of(box, hand)
                if caller != box.controller:
                    run.emit(e.ControlPassed(table.compiled.control, number, caller))
            controller = box.controller
            if table.dealer_done:
                clauses = table.rulebook.irregularities.short_hand_dealer_stands.clauses
                run.emit(e.LateHandCame(clauses, number, controller, index))
            else:
                run.emit(e.TurnCame(table.compiled.turn, number, index, controller, hand.total))
        return True


def lapsed(hand: Hand) -> bool:
    """Whether nobody has a wager any more for the double or the split that was called on a shared hand."""
    if hand.asking == "split":
        return not hand.matching
    return hand.asking == "double" and not any(
        wager.doubled_cents and not wager.settled for wager in hand.wagers.values()
    )


def why_lapsed(table: Table, number: int, index: int) -> e.TurnCame:
    """Doubling and splitting are done with a wager: without one the hand is as it was before they were called."""
    box = table.boxes[number]
    hand = box.hands[index]
    term = table.rulebook.doubling.amount if hand.asking == "double" else table.rulebook.splitting.cards
    return e.TurnCame(table.compiled.turn + term.clauses, number, index, box.controller, hand.total)


def leave_to_refuser(run: Run, box: int, index: int) -> bool:
    """Whoever refused a card drawn in error gets no more on a hand they call, except what the rulebook makes them take.

    False where somebody else calls the hand, or where it lacks cards of the initial deal.
    """
    table = run.table
    hand = table.boxes[box].hands[index]
    player = table.boxes[box].controller
    if player not in table.refusers or hand.short:
        return False
    term = table.rulebook.irregularities.refuser
    must_draw = table.rulebook.drawing.must_draw_below
    if REFUSER_DRAWS_TO_12[term.value] and hand.total < must_draw.value:
        run.emit(e.HandHit(both(must_draw, term), box, index, player))
    else:
        run.emit(e.HandStood(term.clauses, box, index))
    return True


def goes_past(table: Table, box: int) -> bool:
    """Whether a card drawn in error was refused by who calls this box: what they must take comes from the source."""
    drawn_to_12 = REFUSER_DRAWS_TO_12[table.rulebook.irregularities.refuser.value]
    return drawn_to_12 and table.boxes[box].controller in table.refusers


ACES_AT_ONE: Mapping[str, int | None] = meaning(
    "doubling.aces", {"as-usual": 0, "first-two-count-one": 2, "held-count-one": None}
)
"""In how many of the cards held an ace then counts 1; None for all."""


def aces_at_one(table: Table, hand: Hand) -> int:
    """How many aces of a hand being doubled must count 1: all held, those of the first two cards, or none."""
    return sum(card[0] == "A" for card in hand.cards[: ACES_AT_ONE[table.compiled.double_aces]])


def draw(run: Run, box: int, index: int, ones: int, clauses: tuple[str, ...]) -> Card | None:
    """One card to a hand; None where the cards have run out."""
    table = run.table
    card = next_card(run, box, refused=True) if table.refusers and goes_past(table, box) else next_card(run, box)
    if card is not None:
        hand = table.boxes[box].hands[index]
        if ones or len(hand.cards) < 2:  # an ace must count 1, or the hand has just been split
            total, soft = point_total((*hand.cards, card), ones)
        else:
            total, soft = with_card(hand.total, hand.soft, card)
        run.emit_card(e.CardDealt(clauses, box, index, card, total, soft, False, run.from_error))
    return card


def after_card(run: Run, box: int, index: int) -> None:
    """What a card brings about by itself: bust, 21, trick, the end of a split ace."""
    table = run.table
    compiled = table.compiled
    hand = table.boxes[box].hands[index]
    total = hand.total
    if total > 21:
        collect_bust(run, box, index)
    elif total == 21:
        if len(hand.cards) == 2 and counts_as_natural(table, hand):
            settle_natural(run, box, index)
        else:
            settle_21(run, box, index)
    elif compiled.five_card_trick and len(hand.cards) == 5:
        settle_five_card_trick(run, box, index)
    elif hand.split_aces and compiled.ace_cards and not hand.doubled and not may_resplit(table, table.boxes[box], hand):
        run.emit(e.HandStood(table.rulebook.splitting.aces_cards.clauses, box, index))


def collect_bust(run: Run, box: int, index: int) -> None:
    """Over 21: every wager on the hand loses at once and the cards go."""
    hand = run.table.boxes[box].hands[index]
    clauses = run.table.compiled.bust
    losers = live_wagers(hand)
    run.emit(e.HandBust(clauses, box, index, hand.total))
    for wager in losers:
        run.emit(e.WagerCollected(clauses, box, index, wager.player, wager.cents + wager.doubled_cents, "bust"))


def forfeit_waits_for(table: Table, hand: Hand) -> list[str]:
    """Who still says whether they forfeit after the double card."""
    asked: list[str] = []
    if table.compiled.forfeit:
        for wager in hand.wagers.values():
            if wager.doubled_cents and not wager.settled and not wager.kept:
                asked.append(wager.player)
    return asked


def finish_double(run: Run, box: int, index: int) -> None:
    hand = run.table.boxes[box].hands[index]
    if live_wagers(hand):
        run.emit(e.HandStood(run.table.compiled.double_card, box, index))
    else:
        run.emit(e.CardsCleared(run.table.rulebook.doubling.forfeit_clears.clauses, box, index))


def hands_allowed(table: Table) -> int:
    splitting = table.rulebook.splitting
    return splitting.resplit_hands_max.value if table.house.resplit else splitting.hands_max.value


def may_resplit(table: Table, box: Box, hand: Hand) -> bool:
    """Whether a split hand with two cards could be split again."""
    if len(hand.cards) != 2 or VALUE[hand.cards[0]] != VALUE[hand.cards[1]] or box.splitting_ended:
        return False
    if len(box.hands) >= hands_allowed(table):
        return False
    return not hand.split_aces or aces_may_resplit(table)


def aces_may_resplit(table: Table) -> bool:
    """Aces are split again where the rulebook says so, or where the house has allowed re-splits that include them."""
    return table.rulebook.splitting.aces_resplit.value and (
        table.house.resplit or table.rulebook.splitting.resplit_by.value == "nobody"
    )


# --- whose turn it is ------------------------------------------------------------------------------------------------


def refuse_turn(table: Table, player: str, box_number: int) -> Refusal | None:
    """Why this player may not decide on this box now, or None if the controller's decision is awaited."""
    compiled = table.compiled
    box = table.boxes.get(box_number)
    if box is not None and table.phase == "play" and table.turn_box == box_number and table.preparation == "ready":
        awaited = box.hands[table.turn_hand]
        if player == box.controller and not awaited.asking and not awaited.doubled and not awaited.done:
            return None
    if table.phase == "wagers":
        return no(table, compiled.turn, "no round is being played: decisions come after the deal.")
    if box is None or not box.hands or player not in box.line:
        return no(table, compiled.turn + compiled.control, f"{player} has no wager on box {box_number} in this round.")
    unprepared = refuse_unprepared(table)
    if unprepared:
        return unprepared
    if table.phase not in ("play", "late"):
        return no(table, offer_clauses(table), f"{PHASE_WORDS.get(table.phase, table.phase)} comes first.")
    hand = table.boxes[table.turn_box].hands[table.turn_hand] if table.turn_box else None
    if hand is None or table.turn_box != box_number:
        if all(each.done for each in box.hands):
            if any(wager.surrendered for each in box.hands for wager in each.wagers.values()):
                text = f"box {box_number} has been surrendered: it gets no more cards."
                return no(table, heads(table.rulebook.surrender.freezes, table.rulebook.surrender.others), text)
            if box.controller in table.refusers:
                text = f"{box.controller} refused a card and gets no more of them."
                return no(table, table.rulebook.irregularities.refuser.clauses + compiled.turn, text)
            if any(each.short and not each.cards for each in box.hands):
                terms = table.rulebook.irregularities
                text = f"the wagers on the hand of box {box_number} that lacked cards went back."
                return no(table, both(terms.short_hand_others), text)
            text = f"box {box_number} is finished: nothing more is decided on it in this round."
            return no(table, why_finished(table, box), text)
        return no(table, compiled.turn, f"it is box {table.turn_box}'s turn: boxes are played in order from the left.")
    if hand.asking == "short":
        clauses = table.rulebook.irregularities.short_hand_others.clauses
        return no(table, clauses, f"{hand.asked[0]} first accepts that or takes the wager back.")
    if hand.asking:
        asked = ", ".join(hand.asked)
        clauses = (
            table.rulebook.doubling.others.clauses
            if hand.asking == "double"
            else table.rulebook.splitting.others.clauses
        )
        return no(table, clauses, f"{asked} must first say whether to {hand.asking} too, or decline.")
    waiting = forfeit_waits_for(table, hand) if hand.doubled else []
    if waiting:
        clauses = heads(table.rulebook.doubling.forfeit) + table.rulebook.doubling.cards.clauses
        return no(table, clauses, f"the hand is doubled and has its card: {waiting[0]} forfeits or keeps.")
    if player != box.controller:
        if player in hand.wagers and hand.wagers[player].surrendered:
            text = f"{player} has surrendered; {box.controller} calls box {box_number}."
            return no(table, heads(table.rulebook.surrender.others) + control_clause(table, box), text)
        return no(table, control_clause(table, box), f"{box.controller} calls box {box_number}.")
    return None


def is_callers_turn(table: Table, box: Box) -> bool:
    """Whether whoever calls this box is about to decide on it."""
    if table.phase not in ("play", "late") or table.turn_box != box.number or table.preparation != "ready":
        return False
    hand = box.hands[table.turn_hand]
    return not (hand.asking or hand.doubled or hand.done)


def why_finished(table: Table, box: Box) -> tuple[str, ...]:
    """What ended the hands of a box: split aces, a double, a natural, a bust, a trick, 21, or that they stood."""
    compiled = table.compiled
    reasons: dict[tuple[str, ...], None] = {}
    for hand in box.hands:
        if hand.split_aces and compiled.ace_cards:
            reasons[table.rulebook.splitting.aces_cards.clauses] = None
        elif hand.doubled:
            reasons[compiled.double_card] = None
        elif hand.natural or hand.held == "natural":
            reasons[(compiled.natural_held if hand.held else compiled.natural)[:1] + compiled.hit] = None
        elif hand.total > 21:
            reasons[compiled.bust + compiled.hit[:2]] = None
        elif hand.total == 21:
            reasons[compiled.twenty_one + compiled.hit] = None
        elif compiled.five_card_trick and not hand.cards:
            reasons[compiled.trick + compiled.hit] = None
        else:
            reasons[compiled.stand + compiled.turn] = None
    if len(reasons) == 1:
        return next(iter(reasons))
    return tuple(clauses[0] for clauses in reasons)


PHASE_WORDS = {"dealing": "turning up the cards"}


def offer_clauses(table: Table) -> tuple[str, ...]:
    rulebook = table.rulebook
    if table.phase == "insurance":
        return rulebook.insurance.closes.clauses
    if table.phase == "surrender":
        return rulebook.surrender.opens.clauses
    return rulebook.cards.face_down.clauses if table.house.face_down else table.compiled.deal


def refuse_face_down(table: Table, hand: Hand, box: int) -> Refusal | None:
    if hand.face_down:
        clauses = table.rulebook.cards.face_down.clauses
        return no(table, clauses, f"the first two cards of box {box} are turned up before it gets a third.")
    return None


def lacks_cards(hand: Hand) -> bool:
    """Whether its controller still chooses between drawing and taking the wager back."""
    return hand.short not in ("", "late")


def refuse_short(table: Table, hand: Hand, meant: str) -> Refusal | None:
    """A hand that lacks cards takes one or is withdrawn.

    After the dealer's hand it is doubled or split only where that had been meant before the error.
    """
    if not hand.short:
        return None
    terms = table.rulebook.irregularities
    if hand.short == "late" or (hand.short == "dealer" and hand.meant != meant and len(hand.cards) >= 2):
        clauses = both(terms.short_hand_no_double_or_split, terms.short_hand_dealer_stands)
        return no(table, clauses, "after the dealer's hand it is neither doubled nor split.")
    return None


def refuse_undrawn(table: Table, hand: Hand) -> Refusal:
    clauses = short_clauses(table, hand) + table.rulebook.irregularities.short_hand_no_double_or_split.clauses
    return no(table, clauses, "the hand lacks a card: draw, or take the wager back.")


def short_clauses(table: Table, hand: Hand) -> tuple[str, ...]:
    """What lets the controller of a hand that lacks cards draw or withdraw now."""
    terms = table.rulebook.irregularities
    return (terms.short_hand_dealer_stands if hand.short == "dealer" else short_hand_at(table, hand.short)).clauses


def short_hand_at(table: Table, noticed: str) -> Term[str]:
    """What the rulebook says of a hand that lacks a card, by when that was noticed."""
    terms = table.rulebook.irregularities
    return narrowed(terms.short_hand, terms.short_hand_clauses, noticed)


def ask_others(run: Run, player: str) -> bool:
    """A hand that lacked cards is played on: the others on it accept that or take their wagers back."""
    table = run.table
    others = others_on(table.hand_to_act(), player)
    if others:
        clauses = table.rulebook.irregularities.short_hand_others.clauses
        run.emit(e.OthersAsked(clauses, table.turn_box, table.turn_hand, others))
    return bool(others)


def refuse_hit(table: Table, act: a.Hit) -> Refusal | None:
    """Why no card may be taken now, or None if one may."""
    refused = refuse_turn(table, act.player, act.box)
    if refused:
        return refused
    hand = table.hand_to_act()
    if hand.split_aces and table.compiled.ace_cards and len(hand.cards) > table.compiled.ace_cards:
        return no(table, table.rulebook.splitting.aces_cards.clauses, "a split ace gets one card and no more.")
    return refuse_face_down(table, hand, act.box)


def note_declined_resplit(run: Run, box: int, index: int, player: str) -> None:
    """Passing over a re-split of a split hand ends splitting on the box, where the rulebook says so."""
    table = run.table
    area = table.boxes[box]
    hand = area.hands[index]
    if table.compiled.ends_splitting and may_resplit(table, area, hand):
        run.emit(e.SplitDeclined(table.rulebook.splitting.declined_ends.clauses, box, index, player, True))


@carries_out(a.Hit, refuse_hit)
def hit(run: Run, act: a.Hit) -> None:
    table = run.table
    box, index = table.turn_box, table.turn_hand
    hand = table.boxes[box].hands[index]
    if hand.short and lacks_cards(hand):
        run.emit(e.HandHit(short_clauses(table, hand) + table.compiled.hits, box, index, act.player))
        ask_others(run, act.player)
        return
    if hand.split:
        note_declined_resplit(run, box, index, act.player)
    run.emit(e.HandHit(table.compiled.hits, box, index, act.player))


def refuse_stand(table: Table, act: a.Stand) -> Refusal | None:
    """Why the hand may not stand, or None if it may."""
    refused = refuse_turn(table, act.player, act.box)
    if refused:
        return refused
    hand = table.hand_to_act()
    if lacks_cards(hand) and hand.meant != "split":
        return refuse_undrawn(table, hand)
    if hand.total < table.compiled.must_draw_below and not (hand.split_aces and table.compiled.ace_cards):
        terms = table.rulebook.drawing
        least = terms.must_draw_below.value
        text = (
            f"{hand.total} is below {least}: take a card"
            + ("" if hand.doubled else ", or double or split if allowed")
            + "."
        )
        return no(table, both(terms.must_draw_below, terms.stand), text)
    return None


@carries_out(a.Stand, refuse_stand)
def stand(run: Run, act: a.Stand) -> None:
    table = run.table
    box, index = table.turn_box, table.turn_hand
    hand = table.boxes[box].hands[index]
    if hand.short and lacks_cards(hand) and ask_others(run, act.player):
        return
    if hand.split:
        note_declined_resplit(run, box, index, act.player)
    run.emit(e.HandStood(table.compiled.stand, box, index, act.player))
