"""What went wrong is reported, and where the rulebook wants it, somebody approves that the game continues."""

from __future__ import annotations

from pitboss.rulebooks.meanings import UNDECIDED
from pitboss.rulebooks.terms import Term
from pitboss.rulebooks.vocabulary import the_role
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.authority import names_who
from pitboss.table.chapters import carries_out
from pitboss.table.refusals import Refusal
from pitboss.table.roles import may_act
from pitboss.table.run import Run, both, heads, no
from pitboss.table.state import Table


def report(
    run: Run,
    kind: str,
    *terms: Term[str],
    listed: bool = True,
    by: str = "",
    reason: str = "",
    clauses: tuple[str, ...] = (),
    player: str = "",
    box: int = 0,
) -> None:
    """Say what went wrong; where the rulebook wants somebody informed or asked, say that too.

    `by`: whose finding or decision it is; `player`, `box`: whose wagers it is about. `clauses`: those of a term that
    speak of this case. `listed`: it is one of those that the rulebook's clause on approval speaks of (Adelaide 112: 101
    to 111).
    """
    irregular = run.table.rulebook.irregularities
    approval = irregular.approval.value if listed and irregular.approval.value != "nobody" else ""
    clauses = clauses or (both(*terms) if terms else irregular.approval.clauses)
    run.emit(e.IrregularityReported(clauses, kind, approval, by, reason, player, box))
    if listed and irregular.notice.value != "nobody":
        text = kind.replace("-", " ")
        run.emit(e.NoticeGiven(irregular.notice.clauses, irregular.notice.value, text, "before-play-goes-on"))


def refuse_undecided(table: Table, term: Term[str], what: str) -> Refusal | None:
    """The document does not say what happens: nobody guesses, the choices are asked for (`pitboss adjudicate`)."""
    if UNDECIDED[term.value]:
        return no(table, term.clauses, f"the rules do not say what follows when {what}: the house decides.")
    return None


# --- approval --------------------------------------------------------------------------------------------------------


@names_who(a.Approve)
def approver(table: Table, act: a.Approve) -> Term[str]:
    """Whom the table waits for; else whom the rules name for irregularities in general."""
    return Term(table.approval_due or table.rulebook.irregularities.approval.value, approval_clauses(table))


def refuse_approve(table: Table, act: a.Approve) -> Refusal | None:
    clauses = approval_clauses(table)
    if not table.approval_due:
        return no(table, clauses, "nothing waits for approval.")
    if not may_act(act.by, table.approval_due):
        return no(table, clauses, f"{the_role(table.approval_due)} approves, not {the_role(act.by)}.")
    return None


@carries_out(a.Approve, refuse_approve)
def approve(run: Run, act: a.Approve) -> None:
    run.emit(e.ApprovalGiven(approval_clauses(run.table), act.by, act.reason))


def approval_clauses(table: Table) -> tuple[str, ...]:
    """By which rule the table waits for an approval: of irregularities in general, or of playing without a jackpot."""
    rulebook = table.rulebook
    terms = rulebook.irregularities
    nobody = terms.approval.value == "nobody"
    if nobody and table.jackpot_down:
        return rulebook.blazing_7s.fault_approval.clauses
    if table.wrong_card or (nobody and table.approval_due):  # it waits because of a card that does not belong
        return heads(terms.wrong_cards, terms.void_by)
    return rulebook.irregularities.approval.clauses
