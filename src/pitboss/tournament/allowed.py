"""What the rulebook lets conditions say: every refusal with its clause."""

from __future__ import annotations

from collections.abc import Iterator

from pitboss.basics.money import payable_down, plain_dollars
from pitboss.papers.tables import named
from pitboss.rulebooks.amend import CONDITIONS, TOURNAMENT, composed, own_layer, variant_of
from pitboss.rulebooks.editions import document_of
from pitboss.rulebooks.load import RulebookError
from pitboss.rulebooks.meanings import (
    ALWAYS_IN_TURN,
    CHIPS_REDEEMED,
    COMMISSION_KEPT,
    FEES_REFUNDABLE,
    SEATS_BY_BALLOT,
    UNITS_OF_MINIMUM,
)
from pitboss.rulebooks.terms import STUDY, Amendment, Rulebook
from pitboss.table.refusals import Refusal
from pitboss.tournament.conditions import Conditions, missing


def clauses_of(rulebook: Rulebook, *steps: str) -> tuple[str, ...]:
    """The clauses of steps, those that the document knows; of the whole section where it knows none of them."""
    known = rulebook.tournament.steps.value
    found = tuple(dict.fromkeys(known[step] for step in steps if step in known))
    return found or rulebook.tournament.offered.clauses


def refuse_tournaments(rulebook: Rulebook) -> Refusal | None:
    """A document without rules for tournaments has none to offer, and says so."""
    term = rulebook.tournament.offered
    if term.value:
        return None
    return Refusal(rulebook.name, term.clauses, f"{rulebook.game.name.value} has no rules for tournaments.")


def refuse_missing(rulebook: Rulebook, conditions: Conditions) -> Refusal | None:
    """Entries are not opened while an item that the rulebook wants is not there; each is named."""
    found = missing(rulebook, conditions)
    if not found:
        return None
    clauses, text = named(found)
    return Refusal(rulebook.name, clauses, f"the conditions lack {text}.")


def refusals(rulebook: Rulebook, conditions: Conditions) -> list[Refusal]:
    """Everything that the conditions say and the rulebook does not allow."""
    found = refuse_tournaments(rulebook)
    return [found] if found is not None else list(_refused(rulebook, conditions))


def refuse_conditions(rulebook: Rulebook, conditions: Conditions) -> Refusal | None:
    """The first thing that the conditions say and the rulebook does not allow, or None where it allows all of it."""
    return next(iter(refusals(rulebook, conditions)), None)


def _refused(rulebook: Rulebook, c: Conditions) -> Iterator[Refusal]:
    terms = rulebook.tournament
    steps = terms.steps.value

    def no(clauses: tuple[str, ...], text: str) -> Refusal:
        return Refusal(rulebook.name, clauses, text)

    entry, chips, conduct = c.entry, c.chips, c.conduct
    if entry.commission_cents and not COMMISSION_KEPT[terms.fees.value]:
        yield no(terms.fees.clauses, "all entry fees go to the prize pool: the house keeps no commission.")
    elif (entry.commission_cents or 0) > (entry.fee_cents or 0):
        yield no(terms.fees.clauses, "the commission is a part of the fee, and not more than it (entry.commission).")
    if terms.approved.value and not c.approved.strip():
        yield no(clauses_of(rulebook, "approve"), "the conditions must be approved: say by whom and when (approved).")
    if terms.approved.value and not (c.manager or "").strip():
        yield no(clauses_of(rulebook, "nominate"), "somebody is nominated to conduct the tournament (manager).")
    if chips.cash_value and not CHIPS_REDEEMED[terms.redemption.value]:
        yield no(terms.redemption.clauses, "tournament chips have no value in money here (chips.cash_value).")
    if chips.cash_value and not chips.price_cents:
        yield no(terms.redemption.clauses, "say what the chips cost: at that ratio they are redeemed (chips.price).")
    if chips.bought and not {"buy-in", "buy-in-missing"} & set(steps):
        yield no(
            clauses_of(rulebook, "allot", "increase"), "players have their chips for the entry fee (chips.bought)."
        )
    if entry.refund_percent_after and not FEES_REFUNDABLE[terms.fee_refunds.value]:
        yield no(terms.fee_refunds.clauses, "an entry fee is not given back (entry.refund_percent_after).")
    if entry.withdraw_until is not None and not FEES_REFUNDABLE[terms.fee_refunds.value]:
        yield no(terms.fee_refunds.clauses, "an entry fee is not given back to who withdraws (entry.withdraw_until).")
    if terms.entries_each.value and entry.each > terms.entries_each.value:
        times = "once" if terms.entries_each.value == 1 else f"{terms.entries_each.value} times"
        yield no(terms.entries_each.clauses, f"a person enters {times} at most (entry.each).")
    if SEATS_BY_BALLOT[terms.seats.value] and conduct.seats == "manager":
        yield no(terms.seats.clauses, "tables and seats are allotted by ballot (conduct.seats).")
    if ALWAYS_IN_TURN[terms.order.value] and conduct.order is False:
        yield no(terms.order.clauses, "players wager in turn, by the starting marker (conduct.order).")
    if conduct.pass_cards and "pass-card" not in steps:
        yield no(clauses_of(rulebook, "every-round"), "everybody wagers on each round: there are no pass cards.")
    if conduct.undisclosed and "undisclosed" not in steps:
        yield no(clauses_of(rulebook, "wager-first"), "wagers are placed openly in turn: none is undisclosed.")
    if conduct.deal_from_marker and "deal-from-marker" not in steps:
        yield no(rulebook.deal.order.clauses, "cards are dealt from the dealer's left (conduct.deal_from_marker).")
    if conduct.deal_from_marker and not conduct.order:
        yield no(clauses_of(rulebook, "deal-from-marker"), "without an order of wagering there is no marker.")
    if c.wagers.seconds and not {"time-limit", "pace"} & set(steps):
        yield no(terms.offered.clauses, "the rules set no time for a wager (wagers.seconds).")
    if c.wagers.compulsory is False:
        yield no(clauses_of(rulebook, "every-round"), "everybody wagers at least the minimum on each round.")
    if chips.carried and {"buy-in", "buy-in-missing"} & set(steps):
        yield no(clauses_of(rulebook, "allot"), "everybody begins each session with an equal allotment of chips.")
    if c.buy_back.offered and "buy-back" not in steps:
        yield no(terms.entries_each.clauses, "a person enters once: nobody buys back (buy_back.offered).")
    if entry.reserves and "reserve" not in steps:
        yield no(terms.offered.clauses, "the rules know no reserved players (entry.reserves).")
    if entry.substitutes and "substitute" not in steps:
        yield no(terms.offered.clauses, "the rules know no substitutes (entry.substitutes).")
    yield from _refused_overrides(rulebook, c)
    yield from _refused_amounts(rulebook, c)


def _refused_overrides(rulebook: Rulebook, c: Conditions) -> Iterator[Refusal]:
    """Conditions that change the game itself, where the document does not let them, or not in this."""
    if not c.overrides:
        return
    terms = rulebook.tournament
    steps, items = terms.steps.value, terms.items.value
    if "override" not in steps:
        clauses = (items["conducted-by"],) if "conducted-by" in items else terms.offered.clauses
        yield Refusal(rulebook.name, clauses, "the rules prevail over the conditions: these change none (overrides).")
        return
    try:
        rulebook_for(rulebook, c)
    except RulebookError as error:
        yield Refusal(rulebook.name, clauses_of(rulebook, "override"), f"{str(error).rstrip('.')} (overrides).")


# --- the rules that a tournament is played by ------------------------------------------------------------------------


def layers_for(rulebook: Rulebook, conditions: Conditions | None) -> tuple[Amendment, ...]:
    """What is laid over the ordinary rules: the document's own rules for tournaments, and approved conditions that
    prevail over them."""
    own = own_layer(rulebook, TOURNAMENT)
    if conditions is None or not conditions.overrides:
        return (own,)
    cited = clauses_of(rulebook, "override", "approve")
    name = f"conditions of {conditions.title}"[:80]
    return (own, Amendment(name, CONDITIONS, conditions.overrides, cited, approved=conditions.approved))


def rulebook_for(rulebook: Rulebook, conditions: Conditions | None = None) -> Rulebook:
    """The rules that a tournament table is played by."""
    if any(layer.kind == TOURNAMENT for layer in rulebook.amendments):
        return rulebook
    layers = (*(each for each in rulebook.amendments if each.kind != STUDY), *layers_for(rulebook, conditions))
    return composed(document_of(rulebook), variant_of(rulebook), layers, again=False)


# --- amounts ---------------------------------------------------------------------------------------------------------


def _refused_amounts(rulebook: Rulebook, c: Conditions) -> Iterator[Refusal]:
    """Limits that chips cannot make, and maxima that are not in units of the minimum."""
    terms = rulebook.tournament
    pairs = [(c.wagers.minimum_cents, c.wagers.maximum_cents)]
    pairs += [(each.minimum_cents, each.maximum_cents) for each in c.wagers.raises]
    pairs += [stage.limits for stage in c.stages if stage.limits is not None]
    for least, most in pairs:
        if least is None or most is None:
            continue
        for cents in (least, most):
            if payable_down(cents, c.chips.denominations_cents) != cents:
                text = f"{plain_dollars(cents)} cannot be made of the tournament chips (chips.denominations)."
                yield Refusal(rulebook.name, clauses_of(rulebook, "approved-chips", "tournament-chips"), text)
        if UNITS_OF_MINIMUM[terms.units.value] and least and most % least:
            text = f"wagers are in units of the minimum, and {plain_dollars(most)} is no multiple of it."
            yield Refusal(rulebook.name, terms.units.clauses, text)
