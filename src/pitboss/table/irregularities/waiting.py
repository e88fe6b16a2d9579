"""What may be done while the table waits for an approval, for hands to be rebuilt, or for an answer to a refund."""

from __future__ import annotations

from pitboss.rulebooks.vocabulary import the_role
from pitboss.table import acts as a
from pitboss.table.irregularities.misdeals import misdealt_now, rebuilder
from pitboss.table.irregularities.money import refuse_stopped
from pitboss.table.irregularities.reports import approval_clauses
from pitboss.table.irregularities.short_hands import refund_clauses
from pitboss.table.refusals import Refusal
from pitboss.table.run import both, no
from pitboss.table.state import Table
from pitboss.table.tournament_play.turns import cite

AT_ANY_TIME = (
    a.VoidRound, a.InvalidateRound, a.RecordMispayment, a.Remind, a.RaiseDispute, a.RuleDispute, a.AskReview,
    a.TellPatron, a.DisplaySign,
)  # fmt: skip
WHILE_WAITING_FOR_APPROVAL = (a.Approve, *AT_ANY_TIME)
WHILE_MISDEALT = (a.Reconstruct, *AT_ANY_TIME)
WHILE_REFUNDING = (a.TakeBack, a.PlayOn, *AT_ANY_TIME)


def refuse_while_waiting(table: Table, act: a.Act) -> Refusal | None:
    """Only so much may be done at a stopped table, or while an approval, a rebuilding or the answer to an offered
    refund is awaited."""
    if table.stopped:
        return None if isinstance(act, a.ResumeTable) else refuse_stopped(table)
    if isinstance(act, a.StopTable):
        return None
    if table.approval_due:
        return None if isinstance(act, WHILE_WAITING_FOR_APPROVAL) else refuse_unapproved(table)
    if table.session is not None and table.session.disputed and not isinstance(act, AT_ANY_TIME):
        name = table.session.disputed[0]
        return no(table, cite(table, "dispute"), f"{name} disputes something: play waits until that is decided.")
    if not table.refund_asked:
        if isinstance(act, WHILE_MISDEALT):
            return None
        clauses = both(misdealt_now(table), rebuilder(table))
        return no(table, clauses, "the hands were misdealt: they are rebuilt first, or the round is void.")
    if isinstance(act, WHILE_REFUNDING):
        return None
    clauses = refund_clauses(table)
    return no(table, clauses, f"{table.refund_asked[0]} first says whether to take the wagers back or play on.")


def refuse_unapproved(table: Table) -> Refusal:
    """After an irregularity the game continues only with approval, where the rulebook wants one."""
    return no(table, approval_clauses(table), f"{the_role(table.approval_due)} approves first that the game continues.")
