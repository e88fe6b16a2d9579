"""Steps that were forgotten, in the order of play: shuffle, cut, burn, wagers, discards and insurance."""

from __future__ import annotations

from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.chapters import carries_out
from pitboss.table.house import DEVICE
from pitboss.table.irregularities.reports import refuse_undecided, report
from pitboss.table.irregularities.stray_cards import look_at, refuse_no_card, take_cutting_card
from pitboss.table.refusals import Refusal
from pitboss.table.run import Run, both, no
from pitboss.table.state import Table

# --- before the deal -------------------------------------------------------------------------------------------------


def refuse_forget_shuffle(table: Table, act: a.ForgetShuffle) -> Refusal | None:
    term = table.rulebook.irregularities.shuffle_missed
    if table.house.source == DEVICE:
        clauses = both(table.rulebook.shuffle.device_cut, term)
        return no(table, clauses, "no cutting card comes from a shuffling device, so no shuffle is missed.")
    if table.preparation != "shuffle" or table.shuffle_reason not in ("cutting-card", "cutting-card-first"):
        return no(table, term.clauses, "no shuffle is due after the cutting card.")
    return refuse_undecided(table, term, "the dealer deals on after the cutting card")


@carries_out(a.ForgetShuffle, refuse_forget_shuffle)
def forget_shuffle(run: Run, act: a.ForgetShuffle) -> None:
    term = run.table.rulebook.irregularities.shuffle_missed
    report(run, "shuffle-missed", term)
    run.emit(e.ShuffleForgotten(term.clauses))


def refuse_forget_cut(table: Table, act: a.ForgetCut) -> Refusal | None:
    term = table.rulebook.irregularities.cut_missed
    if table.preparation not in ("cut", "cutting-card"):
        return no(table, term.clauses, "no cut is due.")
    return refuse_undecided(table, term, "the cut was missed")


@carries_out(a.ForgetCut, refuse_forget_cut)
def forget_cut(run: Run, act: a.ForgetCut) -> None:
    """The round is finished, then the cards are shuffled and cut; earlier results stand."""
    term = run.table.rulebook.irregularities.cut_missed
    report(run, "cut-missed", term)
    run.emit(e.CutForgotten(term.clauses))


def refuse_forget_burn(table: Table, act: a.ForgetBurn) -> Refusal | None:
    terms = table.rulebook.shuffle
    burn = terms.burn_device if table.house.source == DEVICE else terms.burn_shoe
    term = table.rulebook.irregularities.burn_forgotten
    if not burn.value:
        return no(table, burn.clauses, "no card is burned here.")
    if not table.fresh or table.phase != "wagers" or table.preparation != "ready":
        return no(table, term.clauses, "no burn is due.")
    return refuse_undecided(table, term, "the burn was forgotten")


@carries_out(a.ForgetBurn, refuse_forget_burn)
def forget_burn(run: Run, act: a.ForgetBurn) -> None:
    term = run.table.rulebook.irregularities.burn_forgotten
    report(run, "burn-forgotten", term)
    run.emit(e.BurnForgotten(term.clauses))


def refuse_deal_without_wagers(table: Table, act: a.DealWithoutWagers) -> Refusal | None:
    term = table.rulebook.irregularities.no_wagers_round
    if table.phase != "wagers" or any(box.wagers for box in table.boxes.values()):
        return no(table, term.clauses, "there are wagers on the table.")
    if act.cards < 1 or table.position + act.cards > len(table.stack):
        return no(table, term.clauses, "say how many cards were exposed.")
    return refuse_no_card(table, term) or refuse_undecided(table, term, "a round is begun without wagers")


@carries_out(a.DealWithoutWagers, refuse_deal_without_wagers)
def deal_without_wagers(run: Run, act: a.DealWithoutWagers) -> None:
    """A round without wagers is void and its exposed cards are burned."""
    table = run.table
    term = table.rulebook.irregularities.no_wagers_round
    report(run, "round-without-wagers", term)
    run.emit(e.RoundVoided(term.clauses, "no wagers"))
    take_cutting_card(run, act.cards)
    cards = table.stack[table.position : table.position + act.cards]
    run.emit(e.CardsBurnedOpen(term.clauses, cards))
    look_at(run, cards)


# --- after it --------------------------------------------------------------------------------------------------------


def refuse_forget_discards(table: Table, act: a.ForgetDiscards) -> Refusal | None:
    term = table.rulebook.irregularities.discards_not_returned
    if table.house.source != DEVICE or not table.compiled.device_returns_early:
        return no(table, both(table.rulebook.shuffle.device_return, term), "no discards are due back after the deal.")
    if table.phase != "wagers" or table.discards_forgotten:
        return no(table, term.clauses, "say so before the initial deal to which it belongs.")
    return refuse_undecided(table, term, "the discards were not put back")


@carries_out(a.ForgetDiscards, refuse_forget_discards)
def forget_discards(run: Run, act: a.ForgetDiscards) -> None:
    term = run.table.rulebook.irregularities.discards_not_returned
    report(run, "discards-not-returned", term)
    run.emit(e.DiscardsForgotten(term.clauses))


def refuse_forget_insurance(table: Table, act: a.ForgetInsurance) -> Refusal | None:
    term = table.rulebook.irregularities.insurance_missed
    if table.phase != "insurance":
        return no(table, both(table.rulebook.insurance.dealer_ranks, term), "insurance is not due.")
    if any(box.insurance for box in table.boxes.values()):
        return no(table, term.clauses, "insurance has been offered: somebody has taken it.")
    return refuse_undecided(table, term, "insurance was not offered")


@carries_out(a.ForgetInsurance, refuse_forget_insurance)
def forget_insurance(run: Run, act: a.ForgetInsurance) -> None:
    """Players may still insure until the dealer's second card."""
    term = run.table.rulebook.irregularities.insurance_missed
    report(run, "insurance-missed", term)
    run.emit(e.InsuranceForgotten(term.clauses))
