"""The dealer's hand: drawn after all players, and never a card that could change nothing."""

from __future__ import annotations

from pitboss.basics.cards import VALUE, with_card
from pitboss.rulebooks.meanings import INSURANCE_PAID_AT_SECOND_CARD
from pitboss.table import events as e
from pitboss.table.events import DEALER
from pitboss.table.insurance import collect_insurance, insured, pay_insurance
from pitboss.table.run import Run, both, narrowed, next_card
from pitboss.table.state import Table


def cards_matter(table: Table) -> tuple[bool, bool]:
    """Whether the dealer's total matters to any wager; if not, whether a natural (the second card) would."""
    natural_matters = False
    for box in table.boxes.values():
        for hand in box.hands:
            for wager in hand.wagers.values():
                if wager.settled:
                    continue
                if wager.surrendered or hand.held == "natural":
                    natural_matters = True
                elif not hand.held:
                    return True, True
    return False, natural_matters or (table.compiled.insurance and insured(table))


def draw_dealer(run: Run) -> bool:
    """Draw what is needed and say how the hand ended; False where the cards have run out."""
    table = run.table
    compiled = table.compiled
    total_matters, natural_matters = cards_matter(table)
    if not total_matters and not natural_matters and len(table.dealer_cards) <= 1:
        run.emit(e.DealerFinished(compiled.no_card, table.dealer_total, "no-card"))
        return True
    if len(table.dealer_cards) == 1:
        if not _card(run, compiled.dealer_card):
            return False
        if compiled.insurance:
            settle_insurance_at_second_card(run)
    if table.dealer_natural:
        run.emit(
            e.DealerFinished(both(table.rulebook.game.natural, table.rulebook.dealer.after_players), 21, "natural")
        )
        return True
    if not total_matters:
        run.emit(e.DealerFinished(compiled.no_card, table.dealer_total, "no-card"))
        return True
    while table.dealer_total < (compiled.soft_stand if table.dealer_soft else compiled.hard_stand):
        if not _card(run, compiled.dealer_draws):
            return False
    result = "bust" if table.dealer_total > 21 else "stood"
    clauses = compiled.dealer_draws
    if table.dealer_late:
        terms = table.rulebook.irregularities
        clauses = both(narrowed(terms.dealer_short, terms.dealer_short_clauses, "finished")) + clauses
    run.emit(e.DealerFinished(clauses, table.dealer_total, result))
    return True


def _card(run: Run, clauses: tuple[str, ...]) -> bool:
    table = run.table
    card = next_card(run, DEALER)
    if card is None:
        return False
    total, soft = with_card(table.dealer_total, table.dealer_soft, card)
    run.emit_card(e.CardDealt(clauses, DEALER, 0, card, total, soft, False, run.from_error))
    return True


def settle_insurance_at_second_card(run: Run) -> None:
    """Insurance loses as soon as the second card is no ten-value card; a won one is paid when the rulebook says."""
    table = run.table
    if not insured(table):
        return
    if VALUE[table.dealer_cards[1]] != 10:
        collect_insurance(run)
    elif INSURANCE_PAID_AT_SECOND_CARD[table.rulebook.insurance.paid.value]:
        pay_insurance(run)
