"""Disturbance and fraud: the outcome of the round is invalidated."""

from __future__ import annotations

from pitboss.adjudicate.situations.parts import Fact, Facts, Rule, Situation, actor
from pitboss.adjudicate.words import who
from pitboss.rulebooks.meanings import REFUND_IS_DECIDED
from pitboss.table import acts as a
from pitboss.table.acts import AnyAct
from pitboss.table.state import Table

DISTURBED, CHEATED = ("disturbance",), ("fraud",)
"""Of what the paragraph speaks by which a round is invalidated."""


def _disturbed(rule: Rule) -> None:
    _invalidated(rule, DISTURBED)


def _cheated(rule: Rule) -> None:
    _invalidated(rule, CHEATED)


def _invalidated(rule: Rule, cause: tuple[str, ...]) -> None:
    key = "irregularities.invalidated_by"
    by = rule.value(key)
    rule.say(f"{who(by)} may invalidate the outcome of the round.", key, on=cause)
    rule.approve(by, "invalidates the outcome", key, on=cause)
    wagers = "irregularities.invalidated_wagers"
    if not REFUND_IS_DECIDED[rule.value(wagers)]:
        rule.tell(wagers, kind="money")
    elif rule.facts["refund"]:
        rule.say("The wagers of the round go back to their owners, as was decided.", wagers, kind="money")
    else:
        rule.say("The wagers of the round are not refunded: the house keeps them.", wagers, kind="money")
    forfeit = "irregularities.fraud_forfeit"
    if cause == CHEATED and not rule.value(forfeit):
        rule.say("The rules let nobody forfeit a wager for that.", forfeit, kind="money")
    elif rule.facts.get("forfeit"):
        text = f"By direction of {who(by)} the wager of the person who committed the fraud is forfeited to the house."
        rule.say(text, forfeit, kind="money")
    if rule.facts.get("paid"):
        rule.tell("irregularities.invalidated_paid", kind="money")


REFUND = Fact(
    "refund",
    "Are the wagers refunded? The person who invalidates the round decides",
    needed=lambda book, facts: REFUND_IS_DECIDED[book.irregularities.invalidated_wagers.value],
    usual=True,
)
PAID = Fact("paid", "Has anything been paid in this round already?")


def _forfeit(table: Table, facts: Facts) -> AnyAct:
    by = actor(table.rulebook.irregularities.invalidated_by.value)
    named = facts.get("players")
    names = named if isinstance(named, tuple) and facts.get("forfeit") else ()
    forfeit = names if table.rulebook.irregularities.fraud_forfeit.value else ()
    return a.InvalidateRound(by, "fraud", forfeit, _refunded(table, facts))


def _refunded(table: Table, facts: Facts) -> bool:
    return bool(facts["refund"]) or not REFUND_IS_DECIDED[table.rulebook.irregularities.invalidated_wagers.value]


DISRUPTION: tuple[Situation, ...] = (
    Situation(
        "disturbance",
        "disruption",
        "the round was disturbed: a fire, a brawl, a robbery, a disaster",
        _disturbed,
        (REFUND, PAID),
        lambda table, facts: a.InvalidateRound(
            actor(table.rulebook.irregularities.invalidated_by.value), "disturbance", (), _refunded(table, facts)
        ),
        tells_all=False,
    ),
    Situation(
        "fraud",
        "disruption",
        "somebody has committed fraud",
        _cheated,
        (
            Fact(
                "forfeit",
                "Is the wager of the person who committed it forfeited?",
                needed=lambda book, facts: book.irregularities.fraud_forfeit.value,
                usual=False,
            ),
            REFUND,
            PAID,
            Fact("players", "Whose?", "names", at_table=True, usual=()),
        ),
        _forfeit,
        tells_all=False,
    ),
)
