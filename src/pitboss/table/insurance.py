"""Insurance against the dealer's natural."""

from __future__ import annotations

from pitboss.basics.cards import is_natural
from pitboss.basics.money import dollars
from pitboss.rulebooks.meanings import INSURED_IN_HALF_CHIPS
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.chapters import carries_out
from pitboss.table.refusals import Refusal
from pitboss.table.run import Run, both, heads, narrowed, no, payment, refuse_amount, refuse_funds
from pitboss.table.state import Table


def insurance_is_due(table: Table) -> bool:
    """The dealer's first card opens it, and somebody holds no natural."""
    if table.dealer_late or table.dealer_cards[0][0] not in table.compiled.insurance_ranks:
        return False
    for box in table.boxes.values():  # noqa: SIM110 (asked every round: a plain loop is the quickest)
        if not is_natural(box.hands[0].cards):
            return True
    return False


def late_insurance(table: Table) -> bool:
    """Insurance that was not offered may still be placed until the dealer's second card, where the rulebook says so."""
    return table.insurance_forgotten and len(table.dealer_cards) == 1 and table.phase in ("surrender", "play")


def refuse_insure(table: Table, act: a.Insure) -> Refusal | None:
    """Why this insurance wager may not be made, or None if it may."""
    terms = table.rulebook.insurance
    if not terms.offered.value:
        return no(table, terms.offered.clauses, "this game has no insurance.")
    if table.phase != "insurance" and not late_insurance(table):
        return refuse_no_insurance(table)
    box = table.boxes.get(act.box)
    wager = box.hands[0].wagers.get(act.player) if box else None
    if box is None or wager is None or wager.settled:
        clauses = both(terms.share_max, terms.each_player)
        return no(table, clauses, f"{act.player} has no wager on box {act.box} to insure.")
    refused = refuse_amount(table, act.cents)
    if refused:
        return refused
    if box.hands[0].natural or is_natural(box.hands[0].cards):
        natural = table.rulebook.game.natural.value
        return no(table, terms.natural_excluded.clauses, f"a player who has {natural} may not insure.")
    if act.player in box.insurance:
        clauses = heads(terms.share_max, terms.closes) + table.rulebook.wagers.locked.clauses
        return no(table, clauses, f"{act.player} has insured box {act.box} already.")
    if 2 * act.cents > wager.cents:
        text = f"insure for up to half of the original wager, {dollars(wager.cents // 2)}."
        return no(table, terms.share_max.clauses, text)
    if INSURED_IN_HALF_CHIPS[terms.unit.value] and 2 * act.cents % table.house.smallest_chip_cents:
        smallest = dollars(table.house.smallest_chip_cents)
        return no(table, terms.unit.clauses, f"insurance goes in multiples of half the smallest chip, {smallest}.")
    return refuse_funds(table, act.player, act.cents)


def refuse_no_insurance(table: Table) -> Refusal:
    """Why there is no insurance now: it depends on what the dealer shows, and on how far the round is."""
    terms = table.rulebook.insurance
    if table.phase == "wagers" or not table.dealer_cards:
        text = "the dealer has no card: insurance is offered when the first one is an ace."
        return no(table, terms.dealer_ranks.clauses, text)
    first = table.dealer_cards[0]
    if table.dealer_late:
        short = table.rulebook.irregularities
        late = both(narrowed(short.dealer_short, short.dealer_short_clauses, "finished"), terms.dealer_ranks)
        return no(table, late, "the dealer's first card came late: no insurance is offered.")
    if first[0] not in terms.dealer_ranks.value:
        text = f"insurance is offered when the dealer's first card is an ace, and it is {first}."
        return no(table, terms.dealer_ranks.clauses, text)
    if table.phase == "dealing":
        return no(table, both(terms.dealer_ranks, terms.closes), "insurance comes after the initial deal.")
    return no(table, both(terms.closes, terms.dealer_ranks), "insurance is closed.")


@carries_out(a.Insure, refuse_insure)
def insure(run: Run, act: a.Insure) -> None:
    terms = run.table.rulebook.insurance
    run.emit(e.InsurancePlaced(both(terms.share_max, terms.each_player), act.player, act.box, act.cents))


def refuse_close_insurance(table: Table, act: a.CloseInsurance) -> Refusal | None:
    if table.phase != "insurance":
        terms = table.rulebook.insurance
        if late_insurance(table):
            missed = table.rulebook.irregularities.insurance_missed.clauses
            return no(table, missed, "nobody need close it: it may be placed until the dealer's second card.")
        return no(table, both(terms.offered, terms.closes), "insurance is not open.")
    return None


@carries_out(a.CloseInsurance, refuse_close_insurance)
def close_insurance(run: Run, act: a.CloseInsurance) -> None:
    run.emit(e.InsuranceClosed(run.table.rulebook.insurance.closes.clauses))


def insured(table: Table) -> bool:
    for box in table.boxes.values():  # noqa: SIM110 (asked every round: a plain loop is the quickest)
        if box.insurance:
            return True
    return False


def collect_insurance(run: Run) -> None:
    """The dealer's second card is no ten-value card: insurance loses at once."""
    clauses = run.table.rulebook.insurance.collected.clauses
    for number, box in run.table.boxes.items():
        for player, cents in list(box.insurance.items()):
            run.emit(e.InsuranceCollected(clauses, number, player, cents))


def pay_insurance(run: Run) -> None:
    table = run.table
    terms = table.rulebook.insurance
    odds = terms.odds.value
    for number, box in table.boxes.items():
        for player, cents in list(box.insurance.items()):
            paid, rounded = payment(table, cents, odds)
            clauses = both(terms.odds, terms.paid)
            if rounded:
                clauses += table.rulebook.wagers.rounding.clauses
            run.emit(e.InsurancePaid(clauses, number, player, cents, odds, paid))
