"""Rounds without a result: declared void, found faulty afterwards, or invalidated for a disturbance or for fraud."""

from __future__ import annotations

from pitboss.rulebooks.meanings import EARLIER_ROUND_STANDS, INTERIM_GOES_BACK
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.chapters import carries_out
from pitboss.table.final_settlement import end_round
from pitboss.table.interim_settlement import pay_consolation
from pitboss.table.irregularities.money import return_wagers
from pitboss.table.irregularities.reports import refuse_undecided, report
from pitboss.table.refusals import Refusal
from pitboss.table.run import Run, both, no, refuse_role
from pitboss.table.state import Table

# --- the round that is being played ----------------------------------------------------------------------------------


def refuse_void(table: Table, act: a.VoidRound) -> Refusal | None:
    terms = table.rulebook.irregularities
    refused = refuse_role(table, act.by, terms.void_by, "declare a round void")
    if refused:
        return refused
    if table.phase == "wagers":
        return no(table, terms.void_by.clauses, "no round is being played.")
    if not act.reason.strip():
        return no(table, terms.void_by.clauses, "say why the round is void.")
    return None


@carries_out(a.VoidRound, refuse_void)
def void(run: Run, act: a.VoidRound) -> None:
    terms = run.table.rulebook.irregularities
    report(run, "round-void", terms.void_by, listed=False)
    void_round(run, act.reason, both(terms.misdeal_impossible, terms.void_by))


def void_round(run: Run, reason: str, clauses: tuple[str, ...]) -> None:
    """All open wagers go back; interim payments stand or go back, as the rulebook says; the cards are gathered."""
    table = run.table
    terms = table.rulebook.irregularities
    run.emit(e.RoundVoided(both(terms.void_by, terms.void_interim) + clauses, reason))
    pay_who_waits(run)
    return_wagers(run, "void", clauses)
    if INTERIM_GOES_BACK[terms.void_interim.value]:
        for player, start in table.round_start.items():
            if table.net[player] != start:
                run.emit(e.PaymentReversed(terms.void_interim.clauses, player, table.net[player] - start))
    end_round(run, clauses)


def pay_who_waits(run: Run) -> None:
    """Whoever might have won a Super Bonus himself cannot any more: beside one that stands he is another player."""
    table = run.table
    if table.bonus_given and not INTERIM_GOES_BACK[table.rulebook.irregularities.void_interim.value]:
        pay_consolation(run, (), over=True)


# --- an earlier round ------------------------------------------------------------------------------------------------

AFTER_ROUND = "an error is told after the round and before the next one begins"
"""A case that a document may leave undecided; elsewhere the round is laid again, or void."""


def refuse_void_earlier(table: Table, act: a.VoidEarlierRound) -> Refusal | None:
    terms = table.rulebook.irregularities
    if not table.last_results:
        return no(table, terms.misdeal_later.clauses, "there is no earlier round.")
    if table.phase == "wagers":
        refused = refuse_undecided(table, terms.misdeal_after_round, AFTER_ROUND)
        return refused or refuse_role(table, act.by, terms.void_by, "declare a round void")
    if EARLIER_ROUND_STANDS[terms.misdeal_later.value]:
        return no(table, terms.misdeal_later.clauses, "the next round has begun: the result of the earlier one stands.")
    refused = refuse_undecided(table, terms.misdeal_later, "an error is noticed after the next round began")
    return refused or refuse_role(table, act.by, terms.void_by, "declare a round void")


@carries_out(a.VoidEarlierRound, refuse_void_earlier)
def void_earlier(run: Run, act: a.VoidEarlierRound) -> None:
    """The faulty round alone is void: what it paid goes back, what it took is returned; later rounds stand.

    Before the next round begins it is the round that cannot be rebuilt: interim settlements stand or go back as in any
    void round.
    """
    table = run.table
    terms = table.rulebook.irregularities
    before_next = table.phase == "wagers"
    term = terms.misdeal_after_round if before_next else terms.misdeal_later
    report(run, "earlier-round-void", term)
    stands = before_next and not INTERIM_GOES_BACK[terms.void_interim.value]
    results = sorted((table.last_final if stands else table.last_results).items())
    run.emit(e.EarlierRoundVoided(both(term, terms.void_interim)))
    for player, cents in results:
        if cents:
            run.emit(e.PaymentReversed(both(term, terms.void_interim), player, cents))


# --- disturbance and fraud -------------------------------------------------------------------------------------------


def refuse_invalidate(table: Table, act: a.InvalidateRound) -> Refusal | None:
    terms = table.rulebook.irregularities
    refused = refuse_role(table, act.by, terms.invalidated_by, "invalidate the outcome of a round")
    if refused:
        return refused
    if act.cause not in ("disturbance", "fraud"):
        return no(table, terms.invalidated_by.clauses, "a round is invalidated for a disturbance or for fraud.")
    if table.phase == "wagers":
        return no(table, terms.invalidated_by.clauses, "no round is being played.")
    if act.forfeit and (act.cause != "fraud" or not terms.fraud_forfeit.value):
        return no(table, terms.fraud_forfeit.clauses, "only the wagers of who committed fraud may be forfeited.")
    return None


@carries_out(a.InvalidateRound, refuse_invalidate)
def invalidate(run: Run, act: a.InvalidateRound) -> None:
    """Wagers are refunded; who committed fraud may forfeit his."""
    table = run.table
    terms = table.rulebook.irregularities
    clauses = both(terms.invalidated_by, terms.invalidated_wagers)
    report(run, f"invalidated-by-{act.cause}", terms.invalidated_by, listed=False)
    forfeited: dict[str, int] = {}
    for number, box in table.boxes.items():
        for index, hand in enumerate(box.hands):
            for wager in list(hand.wagers.values()):
                if wager.player in act.forfeit and not wager.settled:
                    cents = wager.cents + wager.doubled_cents
                    forfeited[wager.player] = forfeited.get(wager.player, 0) + cents
                    run.emit(e.WagerCollected(terms.fraud_forfeit.clauses, number, index, wager.player, cents, "fraud"))
        for player in act.forfeit:
            if player in box.insurance:
                cents = box.insurance[player]
                forfeited[player] = forfeited.get(player, 0) + cents
                run.emit(e.InsuranceCollected(terms.fraud_forfeit.clauses, number, player, cents))
    run.emit(e.RoundVoided(clauses, act.cause))
    pay_who_waits(run)
    return_wagers(run, "void", clauses)
    if INTERIM_GOES_BACK[terms.void_interim.value]:
        for player, start in table.round_start.items():
            due = table.net[player] - start + forfeited.get(player, 0)
            if due:
                run.emit(e.PaymentReversed(terms.void_interim.clauses, player, due))
    end_round(run, clauses)
