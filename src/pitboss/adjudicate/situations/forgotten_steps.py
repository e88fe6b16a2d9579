"""A burn, a cut, a shuffle or an offer that was left out, and a round that nobody had wagered on."""

from __future__ import annotations

from pitboss.adjudicate.situations.parts import (
    FROM_DEVICE,
    PLAYER,
    SOURCE_CHOICES,
    SOURCE_IF_RULES_LAPSE,
    Fact,
    Facts,
    Rule,
    Situation,
    plain,
    remind,
    shoe_rules_lapse,
)
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


def _shuffle_missed(rule: Rule) -> None:
    if rule.facts.get("source") == FROM_DEVICE and shoe_rules_lapse(rule.book, rule.facts):
        text = "No cutting card comes from a shuffling device, so no shuffle is missed, and play continues."
        rule.say(text, "shuffle.device_cut")
    else:
        rule.tell("irregularities.shuffle_missed", kind="cards")


def _insurance_missed(rule: Rule) -> None:
    rule.tell("irregularities.insurance_missed", kind="choice")


def _surrender_missed(rule: Rule) -> None:
    terms = rule.book.surrender
    if not terms.offered.value:
        rule.say("The game has no surrender, so none can have been missed.", "surrender.offered")
    elif rule.facts["begun"]:
        text = "It is too late: surrender ends when the subsequent deal begins. The hands are played on as they lie."
        rule.say(text, "surrender.opens", "surrender.dealer_ranks", kind="cards")
    else:
        rule.say("Surrender is offered now, before any further card.", "surrender.dealer_ranks", kind="choice")


def _total(rule: Rule) -> None:
    rule.tell("irregularities.wrong_total")
    if not rule.questions:
        rule.say("The dealer announces the right total.", "drawing.order")


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
        _shuffle_missed,
        (SOURCE_IF_RULES_LAPSE,),
        lambda table, facts: a.ForgetShuffle(),
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
        "surrender-missed",
        "forgotten",
        "surrender was not offered",
        _surrender_missed,
        (
            Fact(
                "begun",
                "Has the subsequent deal begun: a hand decided, or a third card dealt?",
                needed=lambda book, facts: book.surrender.offered.value,
            ),
        ),
        tells_all=False,
    ),
    Situation(
        "wrong-total",
        "forgotten",
        "the dealer announced a wrong total",
        _total,
        (PLAYER,),
        lambda table, facts: remind(table, facts, "total"),
        tells_all=False,
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
