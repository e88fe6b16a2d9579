"""Disturbance and fraud: the outcome of the round is invalidated."""

from __future__ import annotations

from pitboss.adjudicate.situations.parts import Fact, Facts, Rule, Situation, actor
from pitboss.adjudicate.words import who
from pitboss.table import acts as a
from pitboss.table.acts import AnyAct
from pitboss.table.state import Table


def _invalidated(rule: Rule) -> None:
    key = "irregularities.invalidated_by"
    by = rule.value(key)
    rule.say(f"{who(by)} may invalidate the outcome of the round.", key)
    rule.approve(by, "invalidates the outcome", key)
    rule.tell("irregularities.invalidated_wagers", kind="money")
    if rule.facts.get("forfeit"):
        forfeit = "irregularities.fraud_forfeit"
        if rule.value(forfeit):
            text = f"By direction of {who(by)} the wager of whoever committed the fraud is forfeited to the house."
            rule.say(text, forfeit, kind="money")
        else:
            rule.say("The rules let nobody forfeit a wager for that: it goes back too.", forfeit, kind="money")
    rule.tell("irregularities.void_interim", kind="money")


def _forfeit(table: Table, facts: Facts) -> AnyAct:
    by = actor(table.rulebook.irregularities.invalidated_by.value)
    named = facts.get("players")
    names = named if isinstance(named, tuple) and facts.get("forfeit") else ()
    return a.InvalidateRound(by, "fraud", names if table.rulebook.irregularities.fraud_forfeit.value else ())


DISRUPTION: tuple[Situation, ...] = (
    Situation(
        "disturbance",
        "disruption",
        "the round was disturbed: a disaster, a robbery, an uproar",
        _invalidated,
        act=lambda table, facts: a.InvalidateRound(
            actor(table.rulebook.irregularities.invalidated_by.value), "disturbance"
        ),
        tells_all=False,
    ),
    Situation(
        "fraud",
        "disruption",
        "somebody has committed fraud",
        _invalidated,
        (
            Fact("forfeit", "Is the wager of whoever committed it to be forfeited?"),
            Fact("players", "Whose?", "names", at_table=True, usual=()),
        ),
        _forfeit,
        tells_all=False,
    ),
)
