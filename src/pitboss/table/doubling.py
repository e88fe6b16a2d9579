"""Doubling: up to the original wager for one more card, and the forfeit after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pitboss.basics.money import dollars
from pitboss.rulebooks.meanings import meaning
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.chapters import carries_out
from pitboss.table.refusals import Refusal
from pitboss.table.run import Run, both, heads, no, others_on, refuse_amount, refuse_funds
from pitboss.table.shuffle_and_cut import refuse_unprepared
from pitboss.table.state import Hand, Table
from pitboss.table.subsequent_deal import (
    forfeit_waits_for,
    is_callers_turn,
    note_declined_resplit,
    refuse_face_down,
    refuse_short,
    refuse_turn,
)
from pitboss.table.tournament_play.turns import refuse_written

DOUBLED: Mapping[str, Callable[[Hand], bool]] = meaning(
    "doubling.hands",
    {
        "any-below-21": lambda hand: len(hand.cards) >= 2 and hand.total < 21,
        "two-cards-hard-9-10-11": lambda hand: len(hand.cards) == 2 and not hand.soft and 9 <= hand.total <= 11,
        "two-or-three-cards": lambda hand: len(hand.cards) in (2, 3),
    },
)
"""Which hands may be doubled."""


def may_be_doubled(table: Table, hand: Hand) -> bool:
    """Whether the rulebook lets this hand be doubled."""
    compiled = table.compiled
    if hand.split and (not compiled.double_after_split or (hand.split_aces and compiled.ace_cards)):
        return False
    return DOUBLED[compiled.double_hands](hand)


def refuse_double(table: Table, act: a.Double) -> Refusal | None:
    """Why this double may not be made now, or None if it may."""
    refused = refuse_turn(table, act.player, act.box)
    terms = table.rulebook.doubling
    if refused and asked_to(table, act.player, act.box, "double"):
        return refuse_double_amount(table, act, table.hand_to_act())
    if refused:
        box = table.boxes.get(act.box)
        if box is not None and box.hands and act.player in box.line and act.player != box.controller:
            clauses = both(terms.others_if_controller_declines, terms.others)[:2]
            once = f" Once {box.controller} doubles, others may too." if is_callers_turn(table, box) else ""
            return no(table, clauses + refused.clauses[:2], refused.text + once)
        if box is not None and box.hands and all(hand.done for hand in box.hands):
            return no(table, refused.clauses[:3] + heads(terms.hands), refused.text)
        return refused
    hand = table.hand_to_act()
    if not may_be_doubled(table, hand):
        if hand.split_aces and table.compiled.ace_cards:
            return no(table, heads(table.rulebook.splitting.aces_cards, terms.hands), "split aces are not doubled.")
        words = terms.hands.in_words or f"the rule is {terms.hands.value.replace('-', ' ')}"
        return no(table, terms.hands.clauses, f"{describe(hand)} cannot be doubled: {words}.")
    if hand.short or hand.face_down:
        refused = refuse_short(table, hand, "double") or refuse_face_down(table, hand, act.box)
        if refused:
            return refused
    return refuse_double_amount(table, act, hand)


def describe(hand: Hand) -> str:
    return f"{'soft' if hand.soft else 'hard'} {hand.total} of {len(hand.cards)} cards"


def refuse_double_amount(table: Table, act: a.Double, hand: Hand) -> Refusal | None:
    original = hand.wagers[act.player].cents
    if not original:
        return refuse_written(table, act.player, "doubled")
    cents = original
    if act.cents is not None:
        cents = act.cents
        refused = refuse_amount(table, cents)
        if refused:
            return no(table, both(table.rulebook.doubling.amount) + refused.clauses, refused.text)
        if cents > original:
            clauses = table.rulebook.doubling.amount.clauses
            return no(table, clauses, f"double for up to the original wager of {dollars(original)}.")
    return refuse_funds(table, act.player, cents)


def asked_to(table: Table, player: str, box: int, what: str) -> bool:
    """Whether this player is being asked to take up what the controller has chosen."""
    if table.phase not in ("play", "late") or table.turn_box != box or table.preparation != "ready":
        return False
    hand = table.hand_to_act()
    return hand.asking == what and player in hand.asked


@carries_out(a.Double, refuse_double)
def double(run: Run, act: a.Double) -> None:
    table = run.table
    box, index = table.turn_box, table.turn_hand
    hand = table.boxes[box].hands[index]
    cents = hand.wagers[act.player].cents if act.cents is None else act.cents
    if hand.asking:
        terms = table.rulebook.doubling
        run.emit(e.WagerDoubled(both(terms.others, terms.amount), box, index, act.player, cents))
        return
    if hand.split:
        note_declined_resplit(run, box, index, act.player)
    asks = others_on(hand, act.player)
    run.emit(e.WagerDoubled(why_doubled(table, hand), box, index, act.player, cents, asks))


def why_doubled(table: Table, hand: Hand) -> tuple[str, ...]:
    """The clause for such a hand, for the amount, and for its aces where it has some that now count 1."""
    kind = "more" if len(hand.cards) > 2 else "split" if hand.split else "two"
    return table.compiled.why_doubled[kind, "A" in "".join(hand.cards)]


def decline_double(run: Run, act: a.Decline) -> None:
    table = run.table
    terms = table.rulebook.doubling
    run.emit(e.DoubleDeclined(both(terms.others, terms.others_odds), table.turn_box, table.turn_hand, act.player))


# --- forfeit ---------------------------------------------------------------------------------------------------------


def refuse_after_double(table: Table, act: a.Forfeit | a.Keep) -> Refusal | None:
    """Why there is nothing for this player to forfeit or keep, or None if they are asked."""
    terms = table.rulebook.doubling
    if not terms.forfeit.value:
        return no(table, terms.forfeit.clauses, "this game has no forfeit after doubling.")
    clauses = table.compiled.forfeits
    box = table.boxes.get(act.box)
    if table.phase not in ("play", "late") or box is None or act.player not in box.line:
        return no(table, clauses, f"{act.player} has no doubled wager on box {act.box}.")
    if not any(hand.doubled for hand in box.hands):
        return no(table, clauses, f"{act.player} has no doubled wager on box {act.box}.")
    if table.turn_box != act.box:
        return no(table, clauses + table.compiled.turn, "forfeiting is done before the next hand is acted on.")
    hand = table.hand_to_act()
    if not hand.doubled:
        return no(table, clauses, f"the hand on box {act.box} has not been doubled.")
    if hand.done:
        return no(table, clauses, f"the doubled hand on box {act.box} is finished.")
    if act.player not in forfeit_waits_for(table, hand):
        wager = hand.wagers.get(act.player)
        if wager is None or not wager.doubled_cents:
            return no(table, clauses, f"{act.player} did not double: there is no doubled portion to take back.")
        return no(table, clauses, f"{act.player} has decided already.")
    return refuse_unprepared(table)


@carries_out(a.Forfeit, refuse_after_double)
def forfeit(run: Run, act: a.Forfeit) -> None:
    table = run.table
    box, index = table.turn_box, table.turn_hand
    wager = table.hand_to_act().wagers[act.player]
    run.emit(e.WagerForfeited(table.compiled.forfeited, box, index, act.player, wager.cents, wager.doubled_cents))


@carries_out(a.Keep, refuse_after_double)
def keep(run: Run, act: a.Keep) -> None:
    table = run.table
    run.emit(e.WagerKept(table.compiled.forfeits, table.turn_box, table.turn_hand, act.player))
