"""A burn, a cut, a shuffle or an offer that was left out, and a round that nobody had wagered on."""

from __future__ import annotations

from pitboss.adjudicate.situations.parts import SOURCE_CHOICES, Fact, Facts, Rule, Situation, plain
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import acts as a


def _burn_forgotten(rule: Rule) -> None:
    shuffle = rule.book.shuffle
    if not shuffle.burn_shoe.value and not shuffle.burn_device.value:
        text = "No card is burned when play starts, so nothing was forgotten."
        rule.say(text, "shuffle.burn_shoe", "shuffle.burn_device")
    elif rule.facts.get("source") == "shoe" and not shuffle.burn_shoe.value:
        rule.say("No card is burned from a shoe, so nothing was forgotten.", "shuffle.burn_shoe")
    elif rule.facts.get("source") == "shuffling-device" and not shuffle.burn_device.value:
        rule.say("No card is burned from a shuffling device, so nothing was forgotten.", "shuffle.burn_device")
    else:
        rule.tell("irregularities.burn_forgotten", kind="cards")


def _burns_differ(book: Rulebook, facts: Facts) -> bool:
    shuffle = book.shuffle
    return bool(shuffle.burn_shoe.value) != bool(shuffle.burn_device.value) and len(shuffle.sources.value) > 1


def _insurance_missed(rule: Rule) -> None:
    rule.tell("irregularities.insurance_missed", kind="choice")


FORGOTTEN_STEPS: tuple[Situation, ...] = (
    Situation(
        "burn-forgotten",
        "forgotten",
        "the first card was not burned",
        _burn_forgotten,
        (Fact("source", "Where do the cards come from?", "choice", SOURCE_CHOICES, _burns_differ),),
        lambda table, facts: a.ForgetBurn(),
    ),
    Situation(
        "cut-missed",
        "forgotten",
        "the cards were not cut",
        plain("irregularities.cut_missed", "cards"),
        act=lambda table, facts: a.ForgetCut(),
    ),
    Situation(
        "shuffle-missed",
        "forgotten",
        "the dealer dealt on although the cutting card had come",
        plain("irregularities.shuffle_missed", "cards"),
        act=lambda table, facts: a.ForgetShuffle(),
    ),
    Situation(
        "discards-not-returned",
        "forgotten",
        "the discards were not put back into the shuffling device",
        plain("irregularities.discards_not_returned", "cards"),
        act=lambda table, facts: a.ForgetDiscards(),
    ),
    Situation(
        "insurance-missed",
        "forgotten",
        "insurance was not offered",
        _insurance_missed,
        act=lambda table, facts: a.ForgetInsurance(),
    ),
    Situation(
        "round-without-wagers",
        "forgotten",
        "a round was begun although nobody had wagered",
        plain("irregularities.no_wagers_round", "cards"),
        (Fact("cards", "How many cards were exposed?", "number", at_table=True),),
        lambda table, facts: a.DealWithoutWagers(int(str(facts["cards"]))),
    ),
)
