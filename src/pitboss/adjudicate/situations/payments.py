"""Payments that were wrong, and decisions that are disputed."""

from __future__ import annotations

from collections.abc import Callable

from pitboss.adjudicate.situations.parts import PLAYER, SUPERVISOR, Fact, Rule, Situation, player_of
from pitboss.adjudicate.words import who
from pitboss.basics.money import dollars, parse_cents
from pitboss.rulebooks.meanings import UNDECIDED
from pitboss.table import acts as a
from pitboss.table.roles import RANK

TRIED = ("counts as reasonable attempt",)


def _mispaid(over: bool) -> Callable[[Rule], None]:
    def tell(rule: Rule) -> None:
        key = "irregularities.mispayment"
        suspected = bool(rule.facts["intentional"])
        if not rule.tell(key, on=("Correct the settlement",) if suspected else ("timely correction",)):
            return
        cents = parse_cents(str(rule.facts["dollars"]))
        amount = dollars(cents)
        if not rule.facts["rectified"]:
            rule.say("It could not be put right: the attempt is recorded with the error.", key, kind="money", on=TRIED)
        elif over:
            rule.say(f"The player is asked to give {amount} back.", key, kind="money", on=("Overpaid",))
        else:
            rule.say(f"The player is paid {amount} more.", key, kind="money", on=("Underpaid",))
        if suspected:
            text = "It may have been intentional: reasonable attempts are made to put it right and to find the person."
            rule.say(text, key, on=("Suspected intentional", "identify the patron"))
        else:
            rule.say("The enquiries that show that it was not intentional are recorded.", key, on=("no breach when",))
        limit = rule.value("irregularities.mispayment_report_cents")
        if limit and cents > limit:
            text = f"{'over' if over else 'under'}payment of {amount}, in the report at the end of the month"
            rule.notify("regulator", text, "irregularities.mispayment_report_cents")

    return tell


def _dispute(rule: Rule) -> None:
    first, review, advice = (f"irregularities.dispute_{part}" for part in ("by", "review", "advice"))
    rule.say(f"{who(rule.value(first))} decides the dispute.", first)
    reviewer = who(rule.value(review))
    if rule.value(review) == rule.value(first):
        reviewer = reviewer.replace("a ", "another ", 1)
    if rule.value(review) not in RANK:
        rule.notify(rule.value(review), "the ruling, where a review is asked for", review)
    rule.say(f"On request {reviewer} reviews that.", review, kind="choice")
    if rule.value(advice) != "nobody":
        text = f"A player who is not satisfied is told of the right to go to {who(rule.value(advice))}."
        rule.say(text, advice)
    if not UNDECIDED[rule.value("irregularities.mispayment")]:
        text = "Money that was wrong is put right: see overpayment and underpayment."
        rule.say(text, "irregularities.mispayment", kind="money", on=("no breach when",))
    rule.approve(rule.value(first), "decides the dispute", first)


PAYMENTS: tuple[Situation, ...] = (
    *(
        Situation(
            f"{kind}payment",
            "payments",
            f"a player was paid too {'much' if over else 'little'}",
            _mispaid(over),
            (
                Fact(
                    "dollars",
                    "By how many dollars was the payment wrong?",
                    "amount",
                ),
                Fact(
                    "rectified",
                    "Could it be put right?",
                ),
                Fact("intentional", "Is it suspected to be intentional?", usual=False),
                PLAYER,
            ),
            lambda table, facts, over=over: a.RecordMispayment(  # type: ignore[misc]
                SUPERVISOR,
                player_of(facts),
                parse_cents(str(facts["dollars"])),
                over,
                bool(facts["rectified"]),
                bool(facts.get("intentional")),
            ),
            tells_all=False,
        )
        for kind, over in (("over", True), ("under", False))
    ),
    Situation(
        "dispute",
        "payments",
        "a player disputes a decision or a payment",
        _dispute,
        (PLAYER, Fact("about", "What is it about?", "text", at_table=True)),
        lambda table, facts: a.RaiseDispute(player_of(facts), str(facts["about"])),
        tells_all=False,
    ),
)
