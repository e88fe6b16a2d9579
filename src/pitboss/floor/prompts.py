"""What the dealer does next, in the prescribed order, and the clauses that say so."""

from __future__ import annotations

from typing import Any

from pitboss.basics.money import plain_dollars
from pitboss.rulebooks.terms import Term
from pitboss.table.duties import due
from pitboss.table.irregularities.misdeals import rebuilder
from pitboss.table.irregularities.people import excluded_stakes, invalid_stakes
from pitboss.table.legal import Waiting
from pitboss.table.session import Session
from pitboss.table.shuffle_and_cut import refuse_unprepared
from pitboss.table.state import Table
from pitboss.table.tournament_play.turns import cite, has_wagered, in_order, whose_turn

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
    "approval": "Call {staff}, who approves before the game continues.",
    "confirmation": "Call {staff}, who confirms that the decks were checked and those told who must be.",
    "stopped": "The table is stopped ({why}). Call {staff}; two people must restart it.",
    "refund": "Ask {who} whether they take their wagers back.",
    "reconstruction": "Call {staff}, who has the round rebuilt or declares it void.",
    "rebuild": "Lay the cards as they belong, or call a casino supervisor, who declares the round void.",
    "cut-by-house": "Nobody else cuts: cut the cards yourself.",
    "close-insurance": "Everybody has been asked: close insurance.",
    "close-surrender": "Everybody has been asked: close surrender.",
    "void": "The cards have run out, and no rule refills the shoe. Call {staff}, who declares the round void.",
    "short-hand": "Ask {who} on box {box}, whose hand lacks cards.",
}


def prompt(table: Table, waiting: Waiting) -> dict[str, Any]:
    """What the dealer does next, in the prescribed order."""
    who = _people([_called(name) for name in waiting.who if name != "dealer"]) or "the players"
    step = "deal" if waiting.what == "wagers" and table.betting_closed else waiting.what
    if waiting.who == ("dealer",):
        step = _BY_THE_DEALER.get(step, step)
    refused = refuse_unprepared(table) if table.phase == "wagers" else None
    text = _STEPS[step].format(who=who, staff=_staff(waiting), box=waiting.box, why=table.stopped)
    clauses = refused.clauses if refused is not None else _clauses(table, step, waiting)
    if table.session is not None and table.phase == "wagers" and waiting.what == "wagers":
        text, clauses = _in_session(table, table.session)
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


_BY_THE_DEALER = {
    "reconstruction": "rebuild",
    "cut": "cut-by-house",
    "insurance": "close-insurance",
    "surrender": "close-surrender",
}
"""What a step is called where the dealer alone is awaited."""

_OF_THE_HOUSE = frozenset(
    {"house", "supervisor", "casino-supervisor", "casino-operator", "gaming-manager", "shift-manager"}
)


def _called(name: str) -> str:
    """Somebody as the dealer calls them: a player by name, the house's people by what they are."""
    return f"the {name.replace('-', ' ')}" if name in _OF_THE_HOUSE else name


def _people(names: list[str]) -> str:
    return ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1] if names else ""


def _in_session(table: Table, session: Session) -> tuple[str, tuple[str, ...]]:
    """Before a round of a tournament: whom the dealer asks to wager, and what comes before the deal."""
    if session.done:
        return "The rounds of the session are played: the chips are counted.", cite(table, "count-session")
    unseen = [name for name, form in session.forms.items() if not form.examined]
    turn = whose_turn(table)
    waits = [name for name in in_order(table) if not has_wagered(table, name)]
    if turn:
        sign = f"{plain_dollars(table.house.minimum_cents)} to {plain_dollars(table.house.maximum_cents)}"
        return f"Ask {turn} to wager, from {sign}.", cite(table, "opportunity", "wager-first", "order")
    if waits:
        return f"Take the wagers of {', '.join(waits)}.", cite(table, "every-round")
    if unseen:
        return f"Have the form of {', '.join(unseen)} examined, and place the indicator.", cite(table, "indicator")
    return "Everybody has wagered: call no more bets and deal.", table.rulebook.deal.call.clauses


def _staff(waiting: Waiting) -> str:
    """Whom to call: the roles that are awaited, or a supervisor where nobody is named."""
    called = [f"the {name.replace('-', ' ').removeprefix('the ')}" for name in waiting.who if name != "dealer"]
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
    if step in ("reconstruction", "rebuild"):
        return rebuilder(table).clauses
    step = {word: what for what, word in _BY_THE_DEALER.items()}.get(step, step)
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
