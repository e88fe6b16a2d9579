"""People at the table: duties of conduct, a pause for a loss limit, a seat that is not used, and disputes."""

from __future__ import annotations

from pitboss.rulebooks.meanings import handles
from pitboss.rulebooks.terms import Term
from pitboss.rulebooks.vocabulary import the_role
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.authority import RUNS_TOURNAMENTS, names_who
from pitboss.table.chapters import carries_out
from pitboss.table.refusals import Refusal
from pitboss.table.roles import STAFF, may_act, may_review
from pitboss.table.run import Run, both, heads, no, refuse_amount, refuse_role
from pitboss.table.state import Table
from pitboss.table.tournament_play import turns
from pitboss.table.wagers import refuse_name

STAFF_DUTIES = {
    "advice": "staff give no advice on how to play",
    "advantage": "staff give nobody an advantage and change no odds",
    "procedures": "staff run the game by the approved procedures",
}
"""What members of staff owe, as they are reminded of it."""

PLAYER_DUTIES = {
    "device": "devices that record, predict or analyse the game are banned",
    "device-records": "devices that record, predict or analyse the game are banned",
    "device-changes": "devices that change the odds of the game are banned",
    "device-linked": "devices that are linked to a banned one are banned too",
    "loss-limit": "who plays on a loss limit declares chips bought, brought and left",
    "directions": "who plays on a loss limit follows the directions about it",
    "cards": "nobody handles, removes or alters cards but the dealer, or their player where they were dealt face down",
    "wagers": "wagers are not placed, touched or altered once betting is closed, until they are settled",
    "total": "each player counts their own hand and may not rely on the total that is announced",
}
"""What players owe."""

handles("irregularities.conduct", (*STAFF_DUTIES, *PLAYER_DUTIES))


# --- duties ----------------------------------------------------------------------------------------------------------


def refuse_remind(table: Table, act: a.Remind) -> Refusal | None:
    """Whether the rulebook knows this duty, and whether it is that person's."""
    term = table.rulebook.irregularities.conduct
    if not may_act(act.by, "dealer"):
        return no(table, heads(term), "a member of the house's staff reminds of a duty.")
    if act.duty not in term.value:
        return no(table, heads(term), f"the rules have no duty {act.duty!r}: {', '.join(term.value)}.")
    if (act.duty in STAFF_DUTIES) != (act.person in STAFF):
        whose = "staff" if act.duty in STAFF_DUTIES else "players"
        return no(table, (term.value[act.duty],), f"that is a duty of {whose}, not of {act.person}.")
    return None if act.person in STAFF else refuse_name(table, act.person)


@carries_out(a.Remind, refuse_remind)
def remind(run: Run, act: a.Remind) -> None:
    """Who broke a duty of conduct is told so; a sanction is another act, where a clause gives one."""
    clauses = (run.table.rulebook.irregularities.conduct.value[act.duty],)
    run.emit(e.DutyReminded(clauses, act.by, act.person, act.duty))
    text = STAFF_DUTIES.get(act.duty) or PLAYER_DUTIES[act.duty]
    if act.person in STAFF:
        run.emit(e.NoticeGiven(clauses, act.person, text))
    else:
        run.emit(e.NoticeGiven(clauses, "players", f"{act.person}: {text}", concerns=act.person))


# --- a pause for a loss limit ----------------------------------------------------------------------------------------


def refuse_pause(table: Table, act: a.PausePlayer) -> Refusal | None:
    term = table.rulebook.irregularities.loss_limit_pause_by
    refused = refuse_role(table, act.by, term, "have a player pause")
    if refused:
        return refused
    state = table.players.get(act.player)
    if state is None or not state.present:
        return no(table, term.clauses, f"{act.player} is not at the table.")
    if state.loss_limit_cents is None:
        return no(table, term.clauses, f"{act.player} has set no loss limit that could be reset.")
    if state.paused:
        return no(table, term.clauses, f"{act.player} pauses already.")
    return None


@carries_out(a.PausePlayer, refuse_pause)
def pause(run: Run, act: a.PausePlayer) -> None:
    """No wager until the new period; what is on the table is played out."""
    clauses = run.table.rulebook.irregularities.loss_limit_pause_by.clauses
    run.emit(e.PlayerPaused(clauses, act.by, act.player))


def refuse_readmit(table: Table, act: a.ReadmitPlayer) -> Refusal | None:
    term = table.rulebook.irregularities.loss_limit_pause_by
    refused = refuse_role(table, act.by, term, "let a player continue")
    if refused:
        return refused
    state = table.players.get(act.player)
    if state is None or not state.paused:
        return no(table, term.clauses, f"{act.player} does not pause.")
    if table.phase != "wagers":
        return no(table, term.clauses, "the round is finished first.")
    return None if act.loss_limit_cents is None else refuse_amount(table, act.loss_limit_cents)


@carries_out(a.ReadmitPlayer, refuse_readmit)
def readmit(run: Run, act: a.ReadmitPlayer) -> None:
    """The loss limit of the new period counts from here; a player without one plays on without."""
    table = run.table
    limit = None if act.loss_limit_cents is None else act.loss_limit_cents - table.net[act.player]
    clauses = table.rulebook.irregularities.loss_limit_pause_by.clauses
    run.emit(e.PlayerReadmitted(clauses, act.by, act.player, limit))


# --- a seat that is not used -----------------------------------------------------------------------------------------


def refuse_vacate(table: Table, act: a.VacateSeat) -> Refusal | None:
    """Whether a player who lets rounds pass can be made to give up their seat."""
    term = table.rulebook.irregularities.idle_rounds
    if not may_act(act.by, "dealer"):
        return no(table, term.clauses, "the house requires it: the dealer or a supervisor.")
    if not term.value:
        return no(table, term.clauses, "nobody loses a seat for letting rounds pass.")
    state = table.players.get(act.player)
    if state is None or not state.seat:
        return no(table, term.clauses, f"{act.player} has no seat to vacate.")
    if table.phase != "wagers" or any(act.player in box.wagers for box in table.boxes.values()):
        return no(table, term.clauses, f"{act.player} takes part in the game now.")
    known = min(term.value, table.shoe_round)
    if act.rounds < term.value or table.played.get(act.player, 0) >> (table.shoe_round - known):
        return no(table, term.clauses, f"{act.player} has not let {term.value} rounds pass in a row.")
    free = sorted(set(range(1, table.house.boxes + 1)) - {state.seat} - boxes_in_use(table, act.player))
    if free:
        return no(table, term.clauses, f"box {free[0]} is free: a seat is given up only at a full table.")
    return None


def boxes_in_use(table: Table, player: str) -> set[int]:
    """Where others sit or have wagered."""
    present = {name: state for name, state in table.players.items() if state.present and name != player}
    seats = {state.seat for state in present.values() if state.seat}
    return seats | {box for name, box in table.places.items() if name in present} | set(table.boxes)


@carries_out(a.VacateSeat, refuse_vacate)
def vacate(run: Run, act: a.VacateSeat) -> None:
    run.emit(e.SeatVacated(run.table.rulebook.irregularities.idle_rounds.clauses, act.by, act.player))


# --- disputes --------------------------------------------------------------------------------------------------------


def dispute_of(table: Table, player: str) -> str:
    """How far the dispute of a player has come: raised, ruled, review, final, or empty where there is none."""
    return dict(table.disputes).get(player, "")


def refuse_raise(table: Table, act: a.RaiseDispute) -> Refusal | None:
    term = table.rulebook.irregularities.dispute_by
    refused = refuse_name(table, act.player)
    if refused:
        return refused
    if not act.about.strip():
        return no(table, term.clauses, "say what the dispute is about.")
    if dispute_of(table, act.player) in ("raised", "review"):
        return no(table, term.clauses, f"the dispute of {act.player} is to be ruled on first.")
    return None


@carries_out(a.RaiseDispute, refuse_raise)
def raise_dispute(run: Run, act: a.RaiseDispute) -> None:
    """It goes to whoever decides in the first instance; the game waits only in a session of a tournament."""
    term = run.table.rulebook.irregularities.dispute_by
    if run.table.session is not None and turns.knows(run.table, "dispute"):
        run.emit(e.DisputeRaised(turns.cite(run.table, "dispute"), act.player, act.about, True))
        return
    run.emit(e.DisputeRaised(term.clauses, act.player, act.about))
    run.emit(e.NoticeGiven(term.clauses, term.value, f"{act.player} disputes: {act.about}"))


@names_who(a.RuleDispute)
def ruler(table: Table, act: a.RuleDispute) -> Term[str]:
    """Who rules now: the first instance, or the one that reviews."""
    terms = table.rulebook.irregularities
    if table.session is not None and act.player in table.session.disputed:
        return Term(RUNS_TOURNAMENTS, turns.cite(table, "dispute"))
    return terms.dispute_review if dispute_of(table, act.player) == "review" else terms.dispute_by


def refuse_rule(table: Table, act: a.RuleDispute) -> Refusal | None:
    terms = table.rulebook.irregularities
    stage = dispute_of(table, act.player)
    if stage not in ("raised", "review"):
        return no(table, terms.dispute_by.clauses, f"no dispute of {act.player} is to be ruled on.")
    if not act.ruling.strip():
        return no(table, terms.dispute_by.clauses, "say what the ruling is.")
    term = ruler(table, act)
    refused = refuse_role(table, act.by, term, "rule on the dispute")
    if refused is None and stage == "review" and not may_review(act.by, term.value):
        text = f"{the_role(term.value)} reviews what was decided in the first instance, not {the_role(act.by)}."
        return no(table, term.clauses, text)
    return refused


@carries_out(a.RuleDispute, refuse_rule)
def rule_dispute(run: Run, act: a.RuleDispute) -> None:
    """Final where it was reviewed, or where the review is for somebody outside the house."""
    table = run.table
    final = dispute_of(table, act.player) == "review"
    if table.session is not None and act.player in table.session.disputed:
        final = True  # whoever conducts the tournament has the last word
    clauses = ruler(table, act).clauses
    run.emit(e.DisputeRuled(clauses, act.by, act.player, act.ruling, final))


def refuse_review(table: Table, act: a.AskReview) -> Refusal | None:
    terms = table.rulebook.irregularities
    stage = dispute_of(table, act.player)
    if stage == "final" and table.session is not None and turns.knows(table, "dispute"):
        return no(table, turns.cite(table, "dispute"), "the ruling is final: the tournament goes on.")
    if stage in ("ruled", "final"):
        return None
    text = f"no ruling on a dispute of {act.player} can be reviewed."
    return no(table, both(terms.dispute_by, terms.dispute_review), text)


@carries_out(a.AskReview, refuse_review)
def ask_review(run: Run, act: a.AskReview) -> None:
    """A review within the house is another ruling; one outside it is notified, and the house's ruling holds till then.

    Whoever is still not satisfied is told of the right to go to an inspector, where the rulebook has one.
    """
    table = run.table
    terms = table.rulebook.irregularities
    within = terms.dispute_review.value in STAFF
    first = dispute_of(table, act.player) == "ruled"
    if first:
        run.emit(e.ReviewAsked(terms.dispute_review.clauses, act.player, within))
        to = terms.dispute_review.value
        run.emit(e.NoticeGiven(terms.dispute_review.clauses, to, f"{act.player} asks for a review of the ruling"))
    if terms.dispute_advice.value != "nobody" and not (first and within):
        whom = the_role(terms.dispute_advice.value).replace("the ", "an ", 1)
        text = f"{act.player} may complain to {whom} about the ruling"
        run.emit(e.NoticeGiven(terms.dispute_advice.clauses, "players", text, concerns=act.player))
