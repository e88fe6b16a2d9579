"""Undisclosed wagers: the form, its examination, the announcement after the round, and what it is paid."""

from __future__ import annotations

from pitboss.basics.money import dollars, payable_up
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import ORIGINAL
from pitboss.table.chapters import carries_out
from pitboss.table.house import BLAZING
from pitboss.table.interim_settlement import bonus_of_form, pay_consolation
from pitboss.table.pairs import pair_result
from pitboss.table.refusals import Refusal
from pitboss.table.roles import may_act
from pitboss.table.run import Run, chips_left, no, payment
from pitboss.table.session import Outcome, WagerForm
from pitboss.table.state import Table
from pitboss.table.tournament_play.turns import (
    cite,
    has_wagered,
    refuse_outsider,
    refuse_turn,
    session_of,
    still_theirs,
)
from pitboss.table.tournament_play.written import counts_as

FAULTS = {
    "blank": "form-blank",
    "beyond-chips": "form-beyond-chips",
    "above": "form-above",
    "below": "form-below",
    "units": "units",
}
"""What may be wrong with a form, and the step of the rules that says what follows."""


def kinds_of(table: Table) -> tuple[str, ...]:
    """Types of wagers that may be written: the original one, and optional ones that the cards decide."""
    return (ORIGINAL, *(kind for kind in table.house.side_bets if kind != BLAZING))


# --- the form --------------------------------------------------------------------------------------------------------


def refuse_form(table: Table, act: a.HandInForm) -> Refusal | None:
    session = table.session
    if session is None:
        return no(table, cite(table, "undisclosed"), "undisclosed wagers are made in a session of a tournament.")
    if table.phase != "wagers" or table.betting_closed:
        return no(table, cite(table, "undisclosed", "form"), "the round has begun: wait for the next one.")
    box = session.box_of(act.player)
    refused = refuse_outsider(table, act.player, box)
    if refused is not None:
        return refused
    if act.player in session.passing:
        return no(table, cite(table, "pass-card"), f"{act.player} has played a pass card in lieu of a wager.")
    if act.player in session.forms:
        return no(table, cite(table, "form"), f"{act.player} has handed in a form for this round.")
    if not session.forms_left.get(act.player, 0):
        text = f"{act.player} has no undisclosed wager left: the conditions give {session.terms.undisclosed}."
        return no(table, cite(table, "undisclosed"), text)
    if act.player in session.held:
        return no(table, cite(table, "late"), f"{act.player} was late and is held to the minimum, in chips.")
    if act.wager and act.wager not in kinds_of(table):
        text = f"the form names one of {', '.join(kinds_of(table))}."
        return no(table, cite(table, "form"), text)
    if type(act.cents) is not int or act.cents < 0:
        return no(table, cite(table, "form"), "the amount on a form is not below zero.")
    if has_wagered(table, act.player):
        if session.terms.order and not still_theirs(table, act.player):
            text = f"{act.player} has wagered in turn, and adds nothing once others have wagered."
            return no(table, cite(table, "fixed"), text)
        return None
    if act.wager not in ("", ORIGINAL):
        text = f"{act.player} first wagers on the hand: an optional wager stands beside that."
        return no(table, cite(table, "combined", "every-round"), text)
    return refuse_turn(table, act.player)


@carries_out(a.HandInForm, refuse_form)
def hand_in(run: Run, act: a.HandInForm) -> None:
    table = run.table
    box = session_of(table).box_of(act.player)
    run.emit(e.FormHandedIn(cite(table, "form", "form-filled"), act.player, box, act.wager, act.cents))


def refuse_supervised(table: Table, by: str, player: str) -> Refusal | None:
    session = table.session
    if not may_act(by, "gaming-supervisor"):
        return no(table, cite(table, "indicator", "form"), "the gaming supervisor has the forms.")
    form = session.forms.get(player) if session is not None else None
    if form is None or table.phase != "wagers":
        return no(table, cite(table, "indicator"), f"there is no form of {player} to examine.")
    if form.examined:
        return no(table, cite(table, "indicator"), f"the form of {player} was examined, and the indicator lies there.")
    return None


def refuse_examine(table: Table, act: a.ExamineForm) -> Refusal | None:
    refused = refuse_supervised(table, act.by, act.player)
    if refused is not None or act.unnoticed:
        return refused
    form = session_of(table).forms[act.player]
    _, fault = counts_as(table, form, chips_left(table, act.player) or 0)
    if not fault:
        return None
    box = table.boxes.get(form.box)
    beside = box is not None and act.player in box.wagers
    wrong = ("combined", "form-limits") if fault == "beyond-chips" and beside else ("form-limits",)
    return no(table, cite(table, "indicator", *wrong), f"{in_words(table, form, fault)}: give the form back.")


def in_words(table: Table, form: WagerForm, fault: str) -> str:
    """What is wrong with a form."""
    house = table.house
    if fault == "blank":
        return f"the form of {form.player} does not show {'the amount' if form.kind else 'the type'} of the wager"
    if fault == "beyond-chips":
        return f"{form.player} does not have {dollars(form.cents)} in chips left"
    if fault == "units":
        return f"{dollars(form.cents)} is no multiple of {dollars(house.minimum_cents)}"
    edge = "below the minimum" if fault == "below" else "above the maximum"
    return f"{dollars(form.cents)} is {edge}"


@carries_out(a.ExamineForm, refuse_examine)
def examine(run: Run, act: a.ExamineForm) -> None:
    table = run.table
    box = session_of(table).box_of(act.player)
    run.emit(e.IndicatorPlaced(cite(table, "indicator"), act.player, box))


def refuse_return_form(table: Table, act: a.ReturnForm) -> Refusal | None:
    return refuse_supervised(table, act.by, act.player)


@carries_out(a.ReturnForm, refuse_return_form)
def return_form(run: Run, act: a.ReturnForm) -> None:
    table = run.table
    form = session_of(table).forms[act.player]
    _, fault = counts_as(table, form, chips_left(table, act.player) or 0)
    run.emit(e.FormGivenBack(cite(table, "indicator", "form-filled"), act.player, fault))


def refuse_look(table: Table, act: a.InspectForm) -> Refusal | None:
    """Until the first card of the next round any player of the session may look at a form of the last one."""
    session = table.session
    cited = cite(table, "inspect")
    if session is None or act.player not in session.terms.seats.values():
        return no(table, cited, f"{act.player} takes no part in the session.")
    if act.of in session.forms and table.phase != "wagers":
        return no(table, cited, "a form is shown when its round is over.")
    if act.of not in session.open_forms or table.phase != "wagers":
        return no(table, cited, f"there is no form of {act.of} of the last round to look at.")
    return None


@carries_out(a.InspectForm, refuse_look)
def look(run: Run, act: a.InspectForm) -> None:
    run.emit(e.FormSeen(cite(run.table, "inspect"), act.player, act.of))


# --- after the round -------------------------------------------------------------------------------------------------


def announce_all(run: Run) -> None:
    """Each form of the round is announced and settled; where the round is void it goes back unread."""
    table = run.table
    for name in [each for each in session_of(table).seats.values() if each in session_of(table).forms]:
        form = session_of(table).forms[name]
        if session_of(table).void:
            run.emit(e.FormGivenBack(cite(table, "undisclosed"), name, "void"))
            continue
        cents, fault = counts_as(table, form, form.possessed_cents)
        cited = cite(table, "reveal", *((FAULTS[fault],) if fault else ()))
        run.emit(e.UndisclosedAnnounced(cited, name, form.box, form.kind, form.cents, cents, fault))
        if fault == "blank":
            deducted = min(table.house.minimum_cents, max(0, chips_left(table, name) or 0))
            run.emit(e.UndisclosedSettled(cite(table, "form-blank"), name, form.box, form.kind, "deducted", -deducted))
        else:
            settle_form(run, form, cents)


def settle_form(run: Run, form: WagerForm, cents: int) -> None:
    """What it wins or loses: the first hand of the box decides an original wager, its first two cards a pair."""
    table = run.table
    session = session_of(table)
    cited = cite(table, "reveal")
    if form.kind == ORIGINAL:
        outcome = session.outcomes.get(form.player, Outcome(0))
    else:
        row = pair_result(table.rulebook.side_bets[form.kind].pays.value, *session.first_cards[form.box])
        outcome = Outcome(-1) if row is None else Outcome(1, row.odds)
        cited += row.clauses if row is not None else table.rulebook.side_bets[form.kind].pair.clauses
    if outcome.half:
        back = min(cents, payable_up(-(-cents // 2), table.house.chips_cents))
        result, won, odds = "surrendered", back - cents, None
    elif outcome.won > 0:
        won, rounded = payment(table, cents, outcome.odds)
        cited += table.rulebook.wagers.rounding.clauses if rounded else ()
        result, odds = "won", outcome.odds
    else:
        result, won, odds = ("lost", -cents, None) if outcome.won else ("stood-off", 0, None)
    cited = tuple(dict.fromkeys(cited))
    run.emit(e.UndisclosedSettled(cited, form.player, form.box, form.kind, result, won, odds))
    if form.kind == ORIGINAL:
        bonus = bonus_of_form(table, form.box, form.player, cents, outcome.result)
        if bonus:
            super_bonus = table.rulebook.super_bonus
            term = super_bonus.large_cents if bonus == super_bonus.large_cents.value else super_bonus.small_cents
            clauses = term.clauses + cite(table, "reveal")
            run.emit(e.SuperBonusPaid(clauses, form.box, form.player, bonus))
            pay_consolation(run, [form.box], over=True, final=True)
