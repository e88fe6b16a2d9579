"""Splitting: two cards of equal value become two hands, each with a wager equal to the original."""

from __future__ import annotations

from pitboss.basics.cards import VALUE
from pitboss.rulebooks.meanings import handles
from pitboss.rulebooks.terms import Term
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.chapters import carries_out
from pitboss.table.doubling import asked_to, decline_double
from pitboss.table.refusals import Refusal
from pitboss.table.run import Run, both, heads, no, others_on, refuse_funds
from pitboss.table.shuffle_and_cut import refuse_unprepared
from pitboss.table.state import Hand, Table
from pitboss.table.subsequent_deal import (
    aces_may_resplit,
    hands_allowed,
    is_callers_turn,
    refuse_face_down,
    refuse_short,
    refuse_turn,
)
from pitboss.table.surrender import decline_surrender
from pitboss.table.tournament_play.turns import refuse_written

handles("splitting.split_clauses", "first again")


def refuse_split(table: Table, act: a.Split) -> Refusal | None:
    """Why this hand may not be split now, or None if it may."""
    terms = table.rulebook.splitting
    refused = refuse_turn(table, act.player, act.box)
    if refused and asked_to(table, act.player, act.box, "split"):
        return refuse_funds(table, act.player, table.hand_to_act().wagers[act.player].cents)
    box = table.boxes.get(act.box)
    if refused or box is None:
        if refused and box is not None and box.hands and act.player in box.line and act.player != box.controller:
            clauses = both(terms.others_if_controller_declines, terms.others)[:2]
            once = f" Once {box.controller} splits, others may too." if is_callers_turn(table, box) else ""
            return no(table, clauses + refused.clauses[:2], refused.text + once)
        if refused and box is not None and box.hands and all(hand.done for hand in box.hands):
            aces = any(hand.split_aces for hand in box.hands)
            clauses = heads(terms.aces_resplit if aces else terms.hands_max if len(box.hands) > 1 else terms.cards)
            return no(table, refused.clauses[:3] + clauses, refused.text)
        return refused
    hand = table.hand_to_act()
    if act.player in hand.wagers and not hand.wagers[act.player].cents:
        return refuse_written(table, act.player, "split")
    if len(hand.cards) != 2:
        return no(table, both(terms.cards, terms.declined_first), "only the first two cards of a hand are split.")
    first, second = hand.cards
    if VALUE[first] != VALUE[second]:
        clauses = both(terms.resplit_needs, terms.cards) if hand.split else terms.cards.clauses
        if len(box.hands) >= hands_allowed(table):
            clauses = most_hands(table).clauses + clauses
        return no(table, clauses, f"{first} and {second} are not of equal value.")
    if box.splitting_ended:
        text = f"a re-split was passed over on box {act.box}: no more splitting on it in this round."
        return no(table, terms.declined_ends.clauses, text)
    if hand.split_aces and not aces_may_resplit(table):
        clauses = both(terms.aces_resplit, terms.hands_max, terms.aces_cards)
        return no(table, clauses, "aces are split once only.")
    most = hands_allowed(table)
    if len(box.hands) >= most:
        text = f"box {act.box} has {len(box.hands)} hands: no more than {most} are formed."
        return no(table, most_hands(table).clauses, text)
    if hand.short or hand.face_down:
        refused = refuse_short(table, hand, "split") or refuse_face_down(table, hand, act.box)
        if refused:
            return refused
    return refuse_funds(table, act.player, hand.wagers[act.player].cents)


def most_hands(table: Table) -> Term[int]:
    """The term that bounds how many hands a box may form at this table."""
    terms = table.rulebook.splitting
    return terms.resplit_hands_max if table.house.resplit else terms.hands_max


@carries_out(a.Split, refuse_split)
def split(run: Run, act: a.Split) -> None:
    table = run.table
    terms = table.rulebook.splitting
    box, index = table.turn_box, table.turn_hand
    hand = table.hand_to_act()
    cents = hand.wagers[act.player].cents
    if hand.asking:
        run.emit(e.WagerSplit(terms.others.clauses, box, index, act.player, cents))
        return
    clauses = why_split(table, hand)
    asks = others_on(hand, act.player)
    run.emit(e.WagerSplit(clauses, box, index, act.player, cents, asks))


def why_split(table: Table, hand: Hand) -> tuple[str, ...]:
    """The clause for a first split or for splitting again."""
    terms = table.rulebook.splitting
    if not hand.split:
        return (terms.split_clauses.value["first"],)
    return tuple(dict.fromkeys((terms.split_clauses.value["again"], *terms.resplit_needs.clauses)))


def refuse_decline(table: Table, act: a.Decline) -> Refusal | None:
    """Whether this player is being asked anything that they could decline."""
    rulebook = table.rulebook
    if asked_to(table, act.player, act.box, "split"):
        if table.players[act.player].cover_splits:
            clauses = rulebook.splitting.cover_required_by.clauses
            return no(table, clauses, f"{act.player} is required to cover every split hand.")
        return None
    if asked_to(table, act.player, act.box, "double"):
        return None
    box = table.boxes.get(act.box)
    if table.phase == "surrender" and box is not None and act.player in box.hands[0].asked:
        return None
    if box is not None and any(act.player in hand.asked for hand in box.hands):
        refused = refuse_unprepared(table)
        if refused is not None:
            return refused
    clauses = both(rulebook.doubling.others, rulebook.splitting.others)
    return no(table, clauses, f"{act.player} is not being asked anything on box {act.box}.")


@carries_out(a.Decline, refuse_decline)
def decline(run: Run, act: a.Decline) -> None:
    table = run.table
    if table.phase == "surrender":
        decline_surrender(run, act)
    elif table.hand_to_act().asking == "double":
        decline_double(run, act)
    else:
        clauses = table.rulebook.splitting.others.clauses
        run.emit(e.SplitDeclined(clauses, table.turn_box, table.turn_hand, act.player))
