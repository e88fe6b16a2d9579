"""What the rulebook lets the terms of a promotion say: every refusal with its clause."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pitboss.papers.tables import named
from pitboss.promotions.clocks import ClockError, instant
from pitboss.promotions.conditions import LITRE, MONETARY, Conditions, Prize, missing
from pitboss.rulebooks.meanings import ALTERNATIVE_OFFERED
from pitboss.rulebooks.phrases import PROHIBITED
from pitboss.rulebooks.terms import Rulebook
from pitboss.table.refusals import Refusal


def refuse_promotions(rulebook: Rulebook) -> Refusal | None:
    """A document without rules for promotional prizes has none to offer, and says so."""
    term = rulebook.promotions.offered
    if term.value:
        return None
    return Refusal(rulebook.name, term.clauses, f"{rulebook.game.name.value} has no rules for promotional prizes.")


def refuse_missing(rulebook: Rulebook, conditions: Conditions) -> Refusal | None:
    """Nothing is offered while an item that the rulebook wants is not there; each is named."""
    found = missing(rulebook, conditions)
    if not found:
        return None
    clauses, text = named(found)
    return Refusal(rulebook.name, clauses, f"the terms lack {text}.")


def refuse_conditions(rulebook: Rulebook, conditions: Conditions) -> Refusal | None:
    """What the terms say and the rulebook does not allow, or None where it allows all of it."""
    return refuse_promotions(rulebook) or next(_refused(rulebook, conditions), None)


def refusals(rulebook: Rulebook, conditions: Conditions) -> tuple[Refusal, ...]:
    """Everything that the rulebook does not allow in the terms."""
    refused = refuse_promotions(rulebook)
    return tuple(_refused(rulebook, conditions)) if refused is None else (refused,)


def _refused(rulebook: Rulebook, c: Conditions) -> Iterator[Refusal]:
    terms, zone = rulebook.promotions, rulebook.patrons.zone.value

    def no(clauses: tuple[str, ...], text: str) -> Refusal:
        return Refusal(rulebook.name, clauses, text)

    for prize in c.prizes:
        yield from _refused_prize(rulebook, prize)
    if pays_cash(c.award.disbursement or "") and not terms.cash.value:
        yield no(terms.cash.clauses, "no prize is awarded in cash: name another way (award.disbursement).")
    for method in c.winners.told_by:
        if method not in terms.told_by.value:
            known = ", ".join(terms.told_by.value)
            text = f"winners who need not be there are told by {known}, not by {method} (winners.told_by)."
            yield no(terms.told_by.clauses, text)
    moments = [("promotion.begins", c.promotion.begins), ("promotion.ends", c.promotion.ends)]
    moments += [(f"draws.{each.name}.at", each.at) for each in c.draws]
    moments += [(f"draws.{each.name}.closes", each.closes) for each in c.draws]
    for key, moment in moments:
        if moment is not None:
            try:
                instant(zone, moment)
            except ClockError as error:
                yield no((terms.items.value["promotion"],), f"{error} ({key})")


CASH = re.compile(r"(?<!not )(?<!never )\bin cash\b(?! chips)|^\s*cash\b(?! chips)", re.IGNORECASE)


def pays_cash(words: str) -> bool:
    """Whether a way to hand a prize over is cash: cash chips are not, nor is "not in cash"."""
    return CASH.search(words) is not None


def _refused_prize(rulebook: Rulebook, prize: Prize) -> Iterator[Refusal]:
    terms = rulebook.promotions
    inside = {prize.kind, *prize.includes}
    if "cash" in inside and not terms.cash.value:
        yield Refusal(rulebook.name, terms.cash.clauses, f"{prize.name}: no prize is awarded in cash.")
    for name, clause in terms.prohibited.value.items():
        if name in inside and name != "liquor":
            text = f"{prize.name}: no prize consists of or includes {PROHIBITED[name]}."
            yield Refusal(rulebook.name, (clause, *terms.prohibited.clauses), text)
    litres = terms.liquor_litres_max
    if prize.liquor_centilitres > litres.value * LITRE:
        clauses = tuple(dict.fromkeys((*litres.clauses, *terms.prohibited.clauses)))
        text = f"{prize.name}: a prize includes at most {litres.value} litres of liquor."
        yield Refusal(rulebook.name, clauses, text)
    if prize.alternative:
        refused = refuse_alternative(rulebook, prize)
        if refused is not None:
            yield refused


def refuse_alternative(rulebook: Rulebook, prize: Prize) -> Refusal | None:
    """Why the winner of a prize cannot have its value instead, whatever the terms say."""
    terms = rulebook.promotions
    if not ALTERNATIVE_OFFERED[terms.alternative.value]:
        return Refusal(rulebook.name, terms.alternative.clauses, "nothing is offered instead of a prize.")
    if prize.kind in terms.alternative_except.value:
        text = f"{prize.name}: the value is not offered instead of {prize.kind.replace('-', ' ')}."
        return Refusal(rulebook.name, terms.alternative_except.clauses, text)
    if prize.kind in MONETARY:
        return Refusal(rulebook.name, terms.alternative.clauses, f"{prize.name}: it is money already.")
    return None
