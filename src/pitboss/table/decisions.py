"""What was decided in a round that is laid again: whether it still fits, and who is asked anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.chapters import CHAPTERS
from pitboss.table.events import Decision
from pitboss.table.run import Run, narrowed
from pitboss.table.state import Table

CLOSING: Mapping[str, str] = {"InsuranceClosed": "InsurancePlaced", "SurrenderClosed": "WagerSurrendered"}
"""What the dealer closes, and what is then no longer taken."""
BEFORE_PLAY: Mapping[str, tuple[str, ...]] = {
    "dealing": ("HandExposed",),
    "insurance": ("InsurancePlaced", "InsuranceClosed"),
    "surrender": ("WagerSurrendered", "SurrenderDeclined", "SurrenderClosed"),
}
"""What is decided before the hands are played, by the phase in which it is."""
MADE: Mapping[str, tuple[str, Callable[[Decision], Any]]] = {
    "HandExposed": ("turns the cards up", lambda d: a.Expose(d.player, d.box)),
    "InsurancePlaced": ("insures", lambda d: a.Insure(d.player, d.box, d.cents)),
    "InsuranceClosed": ("closes insurance", lambda d: a.CloseInsurance()),
    "WagerSurrendered": ("surrenders", lambda d: a.Surrender(d.player, d.box)),
    "SurrenderDeclined": ("does not surrender", lambda d: a.Decline(d.player, d.box)),
    "SurrenderClosed": ("closes surrender", lambda d: a.CloseSurrender()),
    "HandHit": ("hits", lambda d: a.Hit(d.player, d.box)),
    "HandStood": ("stands", lambda d: a.Stand(d.player, d.box)),
    "WagerDoubled": ("doubles", lambda d: a.Double(d.player, d.box, d.cents or None)),
    "DoubleDeclined": ("does not double", lambda d: a.Decline(d.player, d.box)),
    "WagerSplit": ("splits", lambda d: a.Split(d.player, d.box)),
    "SplitDeclined": ("does not split", lambda d: a.Decline(d.player, d.box)),
    "WagerForfeited": ("forfeits", lambda d: a.Forfeit(d.player, d.box)),
    "WagerKept": ("plays on", lambda d: a.Keep(d.player, d.box)),
    "PlayerPassedOver": ("does not decide", lambda d: a.PassOver(d.player, d.box)),
    "DecisionAccepted": ("accepts", lambda d: a.PlayOn(d.player)),
    "CardRefused": ("refuses the card", lambda d: a.RefuseCard(d.player, d.box)),
    "RefundTaken": ("takes the wagers back", lambda d: a.TakeBack(d.player)),
    "RefundDeclined": ("leaves the wagers in play", lambda d: a.PlayOn(d.player)),
    "HandLeftOut": ("is left out", lambda d: a.LeaveOut(d.box, *reversed(d.meant.split()))),
}
"""Each decision in words, and the act that it was."""
FOUND: Mapping[str, str] = {
    "invalid-wager": "has an invalid wager",
    "loss-limit-exceeded": "is over the loss limit",
    "wagers-void": "has their wagers declared void",
    "outside-limits": "has a wager outside the limits",
    "RefundOffered": "offers to give wagers back",
}
"""Why wagers went back in the round, which depends on no cards: see `irregularities/found_again.py`."""
ANSWERS = ("RefundTaken", "RefundDeclined")
"""What is answered to the offer to give wagers back, by whoever has any."""


def act_of(made: Decision) -> Any:
    """The act that a decision was; None where something was found that nobody decides."""
    return MADE[made.what][1](made) if made.what in MADE else None


def in_words(made: Decision) -> str:
    """A decision in one line."""
    hand = f", hand {made.hand + 1}" if made.hand else ""
    did = FOUND[made.what] if made.what in FOUND else MADE[made.what][0]
    return f"{f'box {made.box}{hand}: ' if made.box else ''}{made.player or 'the dealer'} {did}"


def next_held(table: Table) -> tuple[int, Any] | None:
    """A decision that fits as the table now waits, with its act; None where there is none."""
    for index, made in enumerate(table.pending):
        if made.in_turn and any(earlier.what not in FOUND for earlier in table.pending[:index]):
            return None
        if made.what in FOUND or (made.what in ANSWERS) is not bool(table.refund_asked):
            continue
        act = act_of(made)
        if fits(table, index, made) and CHAPTERS[type(act)][0](table, act) is None:
            return index, act
    return None


def fits(table: Table, index: int, made: Decision) -> bool:
    """Whether the hand and the dealer's cards lie as they did."""
    if made.what in ANSWERS and made.player not in table.refund_asked:
        return False
    if made.in_turn:
        return not made.box or not table.turn_box or (made.box, made.hand) == (table.turn_box, table.turn_hand)
    if made.what in CLOSING:
        if any(other.what == CLOSING[made.what] for other in table.pending[:index]):
            return False
        lie = [card for box in table.boxes.values() for hand in box.hands for card in hand.cards]
    elif made.what in ANSWERS:
        own = [hand for box in table.boxes.values() if made.player in box.line for hand in box.hands]
        lie = [card for hand in own for card in hand.cards]
    else:
        box = table.boxes.get(made.box)
        if box is None or made.hand >= len(box.hands):
            return False
        in_turn = not table.turn_box or (made.box, made.hand) == (table.turn_box, table.turn_hand)
        if not in_turn and made.what not in BEFORE_PLAY["insurance"]:
            return False
        lie = list(box.hands[made.hand].cards)
    return sorted(lie) == sorted(made.cards) and sorted(table.dealer_cards) == sorted(made.dealer)


def lapsing(table: Table) -> tuple[int, ...]:
    """Decisions that should have been made by now and do not fit: those of the hand in turn, or of the offer."""
    if table.pending[0].in_turn:
        return tuple(index for index, made in enumerate(table.pending) if made.what not in FOUND)
    if table.refund_asked:
        return tuple(
            n for n, made in enumerate(table.pending) if made.what in ANSWERS and made.player in table.refund_asked
        )
    kinds = BEFORE_PLAY.get(table.phase)
    if kinds is not None:
        return tuple(index for index, made in enumerate(table.pending) if made.what in kinds)
    turn = (table.turn_box, table.turn_hand)
    return tuple(n for n, made in enumerate(table.pending) if made.what not in FOUND and (made.box, made.hand) == turn)


def laid_again(table: Table) -> tuple[str, ...]:
    """By what a round is laid again, and what was decided in it is looked at once more."""
    terms = table.rulebook.irregularities
    return narrowed(terms.misdeal, terms.misdeal_clauses, "rebuilt").clauses


def lapse(run: Run) -> bool:
    """The table waits for somebody: what they had decided no longer fits. Whether there was anything."""
    table = run.table
    found = lapsing(table)
    if found:
        players = dict.fromkeys(table.pending[index].player or "dealer" for index in found)
        run.emit(e.DecisionsLapsed(laid_again(table), tuple(players), found))
    return bool(found)
