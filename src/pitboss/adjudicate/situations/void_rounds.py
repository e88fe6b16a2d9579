"""Rounds that do not stand: an error that is told when the round is over, and a round that cannot be finished."""

from __future__ import annotations

from pitboss.adjudicate.situations.parts import REASON, Fact, Facts, Rule, Situation, actor, reason_of
from pitboss.adjudicate.words import who
from pitboss.rulebooks.meanings import EARLIER_ROUND_STANDS, UNDECIDED
from pitboss.table import acts as a
from pitboss.table.acts import AnyAct
from pitboss.table.state import Table


def _after_round(rule: Rule) -> None:
    """Told when the round is over and the next has not begun."""
    key = "irregularities.misdeal_after_round"
    if UNDECIDED[rule.value(key)]:
        rule.tell(key)
        return
    if not rule.facts["possible"]:
        rule.say("The round cannot be laid out again, so it is void.", key, "irregularities.misdeal_impossible")
        text = "What its final settlement paid goes back to the house, what it took goes back to the players."
        rule.say(text, "irregularities.misdeal_impossible", kind="money")
        rule.tell("irregularities.void_interim", kind="money")
        rule.approve(rule.value("irregularities.void_by"), "declares that round void", "irregularities.void_by")
        return
    rule.say("The finished round is laid out again as it should have been dealt.", key, kind="cards")
    rule.say("What the round has paid and taken is undone, interim payments too.", key, kind="money")
    text = "The cards are taken from the rack and laid as they should have been, in the order in which they left."
    rule.say(text, key, kind="cards")
    rule.say("The decisions are asked again, since they were made on other hands; all accept the result.", key)
    rule.say("Wagers for the next round wait: they go back until this one is over.", key, kind="money")
    role = rule.value("irregularities.misdeal_full_by")
    if role != "dealer":
        rule.approve(role, "supervises the rebuilding", "irregularities.misdeal_full_by")


def _later(rule: Rule) -> None:
    if not rule.tell("irregularities.misdeal_later", kind="money"):
        return
    if not EARLIER_ROUND_STANDS[rule.value("irregularities.misdeal_later")]:
        rule.approve(rule.value("irregularities.void_by"), "has that round undone", "irregularities.misdeal_later")


def _void(rule: Rule) -> None:
    role = rule.value("irregularities.void_by")
    rule.say(f"{who(role)} declares the round void and says why.", "irregularities.void_by")
    reasons = " or ".join(a.VOIDS[cause] for cause in rule.value("irregularities.void_for"))
    if reasons:
        rule.say(f"What makes it void: {reasons}.", "irregularities.void_for")
    rule.void()
    rule.say(
        "The cards are gathered, and play continues with the cards that are left.", "irregularities.misdeal_impossible"
    )
    rule.say("After a disaster, an uproar or a fraud see disturbance and fraud.", "irregularities.invalidated_by")
    rule.approve(role, "declares the round void", "irregularities.void_by")


def _put_right_after_round(table: Table, facts: Facts) -> AnyAct:
    terms = table.rulebook.irregularities
    if facts["possible"]:
        return a.Reconstruct(actor(terms.misdeal_full_by.value))
    return a.VoidEarlierRound(actor(terms.void_by.value))


VOID_ROUNDS: tuple[Situation, ...] = (
    Situation(
        "misdeal-told-after-the-round",
        "misdeal",
        "an error in a round is told when it is over and the next has not begun",
        _after_round,
        (
            Fact(
                "possible",
                "Can the round still be laid out again: its cards, its wagers and its players are there?",
                usual=True,
            ),
        ),
        _put_right_after_round,
    ),
    Situation(
        "misdeal-noticed-later",
        "misdeal",
        "an error in a round is noticed after the next one began",
        _later,
        act=lambda table, facts: a.VoidEarlierRound(actor(table.rulebook.irregularities.void_by.value)),
    ),
    Situation(
        "round-void",
        "misdeal",
        "a round cannot be finished as the rules say",
        _void,
        (REASON,),
        lambda table, facts: a.VoidRound(actor(table.rulebook.irregularities.void_by.value), reason_of(facts)),
        tells_all=False,
    ),
)
