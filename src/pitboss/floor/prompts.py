"""What the dealer does next, in the prescribed order, and the clauses that say so."""

from __future__ import annotations

from typing import Any

from pitboss.rulebooks.terms import Term
from pitboss.table.duties import due
from pitboss.table.irregularities.misdeals import rebuilder
from pitboss.table.irregularities.people import excluded_stakes, invalid_stakes
from pitboss.table.legal import Waiting
from pitboss.table.shuffle_and_cut import refuse_unprepared
from pitboss.table.state import Table

PROMPTED = frozenset({"dealer", "gaming-supervisor", "supervisor", "gaming-manager", "tournament-manager", "inspector"})

_STEPS: dict[str, str] = {
    "shuffle": "Shuffle the cards.",
    "cut": "Offer the cut to {who}.",
    "cutting-card": "Place the cutting card.",
    "wagers": "Take wagers; call no more bets and deal when the players are ready.",
    "deal": "Betting is closed: deal.",
    "expose": "Have {who} turn up the cards on box {box}.",
    "jackpot": "Wait for the jackpot link.",
    "insurance": "Offer insurance to {who}, then close it.",
    "surrender": "Offer surrender to {who}, then close it.",
    "answer": "Ask {who} whether they follow on box {box}.",
    "forfeit": "Ask {who} on box {box}: forfeit the doubled portion, or play on.",
    "decision": "Announce the total and ask {who} on box {box}.",
    "approval": "Call {staff}, who approves before the game goes on.",
    "confirmation": "Call {staff}, who confirms that the decks were checked and those told who must be.",
    "stopped": "The table is stopped ({why}). Call {staff}; two people let it go on.",
    "refund": "Ask {who} whether they take their wagers back.",
    "reconstruction": "Call {staff}, who has the round rebuilt or declares it void.",
    "void": "The cards have run out, and no rule refills the shoe. Call {staff}, who declares the round void.",
    "short-hand": "Ask {who} on box {box}, whose hand lacks cards.",
}


def prompt(table: Table, waiting: Waiting) -> dict[str, Any]:
    """What the dealer does next, in the prescribed order."""
    who = ", ".join(name.replace("-", " ") for name in waiting.who if name != "dealer") or "the players"
    step = "deal" if waiting.what == "wagers" and table.betting_closed else waiting.what
    refused = refuse_unprepared(table) if table.phase == "wagers" else None
    text = _STEPS[step].format(who=who, staff=_staff(waiting), box=waiting.box, why=table.stopped)
    clauses = refused.clauses if refused is not None else _clauses(table, step, waiting)
    invalid = invalid_stakes(table)
    if invalid:
        text += f" {', '.join(invalid)}: no valid player card. Call a casino supervisor, who finds the stake invalid."
        clauses += table.rulebook.irregularities.invalid_wager.clauses
    excluded = excluded_stakes(table)
    if excluded:
        text += f" {', '.join(excluded)}: excluded from the casino. Call a casino supervisor about the stake."
        clauses += table.rulebook.patrons.excluded_by.clauses
    also = [{"text": duty.text, "clauses": duty.clauses} for duty in due(table, waiting)]
    told = {"what": waiting.what, "text": text, "acts": waiting.acts, "clauses": tuple(dict.fromkeys(clauses))}
    return told | {"duties": also} if also else told


def _staff(waiting: Waiting) -> str:
    """Whom to call: the roles that are awaited, or a supervisor where nobody is named."""
    called = [f"the {name.replace('-', ' ')}" for name in waiting.who if name != "dealer"]
    return " or ".join(called) or "a casino supervisor"


def _clauses(table: Table, step: str, waiting: Waiting) -> tuple[str, ...]:
    """Of the chapter in which the step stands."""
    rules = table.rulebook
    if step == "answer":
        hand = table.boxes[waiting.box].hands[waiting.hand]
        asked: dict[str, Term[str]] = {
            "surrender": rules.surrender.others,
            "double": rules.doubling.others,
            "split": rules.splitting.others,
        }
        return asked.get(hand.asking, rules.irregularities.short_hand_others).clauses
    if step == "reconstruction":
        return rebuilder(table).clauses
    terms: dict[str, Term[Any]] = {
        "void": rules.shuffle.insufficient_device,
        "shuffle": rules.shuffle.insufficient,  # in mid-round; between rounds `refuse_unprepared` knows why
        "cut": rules.shuffle.cut_refused,
        "cutting-card": rules.shuffle.cutting_card_share_max,
        "wagers": rules.deal.call,
        "deal": rules.deal.order,
        "expose": rules.cards.face_down,
        "jackpot": rules.blazing_7s.linked,
        "insurance": rules.insurance.dealer_ranks,
        "surrender": rules.surrender.dealer_ranks,
        "forfeit": rules.doubling.forfeit,
        "approval": rules.irregularities.approval,
        "confirmation": rules.irregularities.wrong_cards_check,
        "stopped": rules.irregularities.mispayment,
        "refund": rules.irregularities.short_hand if waiting.box else rules.irregularities.dealer_short,
        "short-hand": rules.irregularities.short_hand,
    }
    return terms.get(step, rules.drawing.order).clauses
