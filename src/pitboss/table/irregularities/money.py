"""Money put right: wagers that go back undecided, and payments that were wrong."""

from __future__ import annotations

from pitboss.basics.money import dollars
from pitboss.rulebooks.meanings import UNDECIDED, handles
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import ORIGINAL
from pitboss.table.chapters import carries_out
from pitboss.table.house import BLAZING
from pitboss.table.refusals import Refusal
from pitboss.table.roles import may_act
from pitboss.table.run import Run, heads, no
from pitboss.table.state import Hand, Table
from pitboss.table.wagers import refuse_name

# --- wagers that go back ---------------------------------------------------------------------------------------------


def return_wagers(run: Run, reason: str, clauses: tuple[str, ...], only: str = "") -> None:
    """Give back every wager that is still open on the cloth (of one player, where named)."""
    table = run.table
    for number in sorted(table.boxes):
        box = table.boxes[number]
        for index, hand in enumerate(box.hands):
            for wager in list(hand.wagers.values()):
                if not wager.settled and only in ("", wager.player):
                    return_wager(run, number, index, hand, wager.player, reason, clauses)
        for player, cents in list(box.insurance.items()):
            if only in ("", player):
                run.emit(e.WagerReturned(clauses, player, number, cents, "insurance", reason, e.OF_INSURANCE))
        for kind, placed in box.side.items():
            for player, cents in list(placed.items()):
                if only in ("", player):
                    run.emit(e.WagerReturned(clauses, player, number, cents, kind, reason, 0))
    for number, player, cents, part in table.jackpot_wagers:  # collected before the deal, which was to decide them
        if only in ("", player) and (number, player) not in table.jackpot_lost:
            return_jackpot_wager(run, number, player, cents, part, reason, clauses)


def return_jackpot_wager(
    run: Run, box: int, player: str, cents: int, part: int, reason: str, clauses: tuple[str, ...]
) -> None:
    """A collected jackpot wager and the part of it that went to the jackpot; a prize that waits for the link lapses."""
    run.emit(e.WagerReturned(clauses, player, box, cents, BLAZING, reason, e.JACKPOT_COLLECTED))
    if part:
        run.emit(e.JackpotSet(clauses, run.table.jackpot_cents - part, -part, reason))


def return_wager(
    run: Run, box: int, index: int, hand: Hand, player: str, reason: str, clauses: tuple[str, ...]
) -> None:
    """One player's wager on one hand; a split that is still being answered gives its new wager back too."""
    wager = hand.wagers[player]
    cents = wager.cents + wager.doubled_cents
    run.emit(e.WagerReturned(clauses, player, box, cents, ORIGINAL, reason, index, doubled_cents=wager.doubled_cents))
    if player in hand.matching:
        cents = hand.matching[player].cents
        run.emit(e.WagerReturned(clauses, player, box, cents, ORIGINAL, reason, e.OF_ANSWERED_SPLIT))


def open_players(table: Table) -> tuple[str, ...]:
    """Those who still have a wager on the table, be it insurance alone."""
    found = [
        wager.player
        for box in table.boxes.values()
        for hand in box.hands
        for wager in hand.wagers.values()
        if not wager.settled
    ]
    found += [player for box in table.boxes.values() for player in box.insurance]
    return tuple(dict.fromkeys(found))


# --- money that does not add up --------------------------------------------------------------------------------------


def refuse_stop(table: Table, act: a.StopTable) -> Refusal | None:
    term = table.rulebook.irregularities.mispayment
    if not may_act(act.by, "casino-supervisor"):
        return no(table, heads(term), "a casino supervisor stops a table.")
    if not act.reason.strip():
        return no(table, heads(term), "say why the table is stopped.")
    return None


@carries_out(a.StopTable, refuse_stop)
def stop_table(run: Run, act: a.StopTable) -> None:
    run.emit(e.TableStopped(heads(run.table.rulebook.irregularities.mispayment), act.by, act.reason))


def refuse_resume(table: Table, act: a.ResumeTable) -> Refusal | None:
    term = table.rulebook.irregularities.mispayment
    if not may_act(act.by, "casino-supervisor"):
        return no(table, heads(term), "a casino supervisor restarts a stopped table.")
    if not table.stopped:
        return no(table, heads(term), "the table is not stopped.")
    if not act.reason.strip():
        return no(table, heads(term), "say what was found, and why the table can restart.")
    return None


@carries_out(a.ResumeTable, refuse_resume)
def resume_table(run: Run, act: a.ResumeTable) -> None:
    run.emit(e.TableResumed(heads(run.table.rulebook.irregularities.mispayment), act.by, act.reason))


def refuse_stopped(table: Table) -> Refusal:
    """What whoever wants to do anything else at a stopped table is told."""
    text = "the table is stopped: a supervisor finds out why and restarts it with a second person."
    return no(table, heads(table.rulebook.irregularities.mispayment), text)


# --- payments that were wrong ----------------------------------------------------------------------------------------


def refuse_mispayment(table: Table, act: a.RecordMispayment) -> Refusal | None:
    term = table.rulebook.irregularities.mispayment
    refused = refuse_name(table, act.player)
    if refused:
        return refused
    if type(act.cents) is not int or act.cents <= 0:
        return no(table, heads(term), "say by how much the payment was wrong, in whole cents above zero.")
    if act.exchange not in a.EXCHANGES:
        return no(table, heads(term), f"a wager, a cash-change or a colour-change was paid, not {act.exchange!r}.")
    if not may_act(act.by, "casino-supervisor"):
        return no(table, heads(term), "a casino supervisor records it.")
    return None


handles("irregularities.mispayment_clauses", "mistaken intended person over under")


def mispayment_clauses(table: Table, *points: str) -> tuple[str, ...]:
    """What is said of these points of a wrong payment."""
    terms = table.rulebook.irregularities
    said = terms.mispayment_clauses.value
    return tuple(said[point] for point in points if point in said) or terms.mispayment.clauses


@carries_out(a.RecordMispayment, refuse_mispayment)
def record_mispayment(run: Run, act: a.RecordMispayment) -> None:
    """What was paid too much is asked back, what was paid too little is made good, and large ones are reported.

    Where the document says nothing of it, the house decides: its decision is recorded under the rule that leaves it to
    the house, and nobody is told what no rule has them told.
    """
    table = run.table
    terms = table.rulebook.irregularities
    limit = terms.mispayment_report_cents.value
    reported = bool(limit) and act.cents > limit
    clauses = mispayment_clauses(table, "intended" if act.intentional else "mistaken", "over" if act.over else "under")
    cents = act.cents if act.over else -act.cents
    run.emit(
        e.MispaymentRecorded(clauses, act.by, act.player, cents, act.intentional, reported, act.reason, act.exchange)
    )
    if act.rectified:
        run.emit(e.MispaymentRectified(clauses, act.player, cents))
    elif not UNDECIDED[terms.mispayment.value]:
        attempt = "asked to give back" if act.over else "to be paid the missing"
        text = f"{act.player} is {attempt} {dollars(act.cents)}"
        run.emit(e.NoticeGiven(clauses, "players", text, concerns=act.player))
    if act.intentional and not UNDECIDED[terms.mispayment.value]:
        text = "suspected to be intentional: it is put right, and who was involved is traced"
        run.emit(e.NoticeGiven(mispayment_clauses(table, "intended", "person"), act.by, text))
    kind = "overpayment" if act.over else "underpayment"
    if reported:
        of = f" in a {act.exchange.replace('-', ' ')}" if act.exchange else ""
        text = f"{kind} of {dollars(act.cents)}{of}: for the report at the end of the month"
        run.emit(e.NoticeGiven(terms.mispayment_report_cents.clauses, "regulator", text, "end-of-month"))


def interim_clauses(table: Table, cause: tuple[str, ...]) -> tuple[str, ...]:
    """What says that payments of a void round go back or stay, without what makes a round void for another reason."""
    terms = table.rulebook.irregularities
    others = {*terms.wrong_cards.clauses, *terms.misdeal_later.clauses}
    found = terms.void_interim.clauses
    return tuple(each for each in found if each in cause or each.startswith("def:") or each not in others)
