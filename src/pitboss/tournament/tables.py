"""Between a tournament and its tables: how one is opened and a session begins, what a table's events mean for the
tournament, and what the tournament's events mean at a table. Pure: whoever runs tables carries it out.

Either way an act that has been done already is not asked for again, so that nothing goes round in a circle.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pitboss.rulebooks.meanings import ALWAYS_IN_TURN
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import Act
from pitboss.table.events import Event
from pitboss.table.house import BLAZING, House, default_house
from pitboss.table.refusals import Refusal
from pitboss.table.session import SessionTerms
from pitboss.table.state import Table
from pitboss.tournament import acts as ta
from pitboss.tournament import events as te
from pitboss.tournament.acts import MANAGER, TournamentAct
from pitboss.tournament.allowed import clauses_of
from pitboss.tournament.conditions import Conditions
from pitboss.tournament.events import TournamentEvent
from pitboss.tournament.state import ENTERED, InPlay, Tournament

SUPERVISOR = "casino-supervisor"
"""As whom whoever conducts a tournament acts at its tables."""


# --- opening a table, and beginning a session ------------------------------------------------------------------------


def house_for(rulebook: Rulebook, conditions: Conditions, boxes: int = 0) -> House:
    """A table as the conditions want it; what they do not say is what a table is that says nothing."""
    chips, wagers = conditions.chips, conditions.wagers
    offered = tuple(kind for kind in wagers.side_bets if kind != BLAZING)
    changes = {"boxes": boxes} if boxes else {}
    return default_house(
        rulebook,
        side_bets=offered,
        chips_cents=tuple(sorted(set(chips.denominations_cents))),
        minimum_cents=wagers.minimum_cents or 1,
        maximum_cents=wagers.maximum_cents or 1,
        tournament=True,
        counted=True,
        **changes,
    )


def terms_for(rulebook: Rulebook, tournament: Tournament, session: InPlay) -> SessionTerms | None:
    """What holds in a session: by the conditions, and with who is in it; None where it cannot be played."""
    conditions = tournament.conditions
    stage = conditions.stage(session.stage) if conditions is not None else None
    if conditions is None or stage is None:
        return None
    left = tuple(name for name in session.seats.values() if name in session.chips and name not in session.playing)
    seats = {box: name for box, name in sorted(session.seats.items()) if name in session.playing or name in left}
    least, most = conditions.limits(stage, 1)
    raises = {each.round for each in conditions.wagers.raises if each.stage == stage.name and each.round > 1}
    conduct = conditions.conduct
    chips = {name: session.left.get(name, 0) for name in seats.values() if name in session.chips}
    usual = conditions.chips.amount_cents or 0
    return SessionTerms(
        stage.name,
        seats,
        usual,
        least,
        most,
        rounds=0 if session.play_off else stage.rounds,
        order=bool(conduct.order) or ALWAYS_IN_TURN[rulebook.tournament.order.value],
        deal_from_marker=conduct.deal_from_marker,
        pass_cards=conduct.pass_cards or 0,
        undisclosed=conduct.undisclosed or 0,
        raises=tuple((at, *conditions.limits(stage, at)) for at in sorted(raises)),
        seconds=tournament.seconds,
        play_off=session.play_off,
        held={name: cents for name, cents in chips.items() if cents != usual},
        played=session.number,
        out=left,
        absent={name: rounds for name, rounds in session.absent.items() if name in seats.values()},
    )


def begin_session(rulebook: Rulebook, tournament: Tournament, table: str) -> a.BeginSession | None:
    """The act that begins the session which is on at a table; None where none is."""
    on = tournament.session(table)
    if on is None or on[1].status != "playing":
        return None
    terms = terms_for(rulebook, tournament, on[1])
    return None if terms is None or not terms.seats else a.BeginSession(SUPERVISOR, terms)


SAID_BY_THE_TABLE = (ta.ReportRound, ta.CorrectRound, ta.EliminateIdle, ta.DeductAbsent)
"""What nobody types where a table plays: it says so itself."""


def refuse_beside(
    rulebook: Rulebook, tournament: Tournament, tables: Mapping[str, Table], act: TournamentAct
) -> Refusal | None:
    """Why an act of the tournament is not done by hand now, with these tables playing; None where it may be asked of
    the tournament."""
    name = getattr(act, "table", "")
    if not name and isinstance(act, SAID_BY_THE_TABLE):
        found = tournament.session_of(getattr(act, "name", ""))
        name = found[1].table if found is not None else ""
    table = tables.get(name)
    if table is None or table.session is None:
        return None
    if isinstance(act, SAID_BY_THE_TABLE):
        text = f"{name} is played here and says that itself: do it at the table."
        return Refusal(rulebook.name, clauses_of(rulebook, "count-session"), text)
    if isinstance(act, ta.ConcludeSession) and table.phase != "wagers":
        text = f"a round is being played at {name}: it is finished first."
        return Refusal(rulebook.name, clauses_of(rulebook, "count-session"), text)
    return None


# --- from a table to the tournament ----------------------------------------------------------------------------------


def room_acts(tournament: Tournament, name: str, events: Iterable[Event]) -> tuple[TournamentAct, ...]:
    """What the events of one act at the table called `name` mean for the tournament, in order.

    `tournament` is how it stands before; acts that it has done already are left out.
    """
    found: list[TournamentAct] = []
    on = tournament.session(name)
    if on is None or tournament.status in ("cancelled", "ended"):
        return ()
    playing = set(on[1].playing)
    counted = False
    """A count says by itself who cannot wager any more."""
    for event in events:
        if isinstance(event, e.RoundCounted):
            counted = True
            lying = {who: max(0, cents) for who, cents in event.chips.items()}  # nobody has less than nothing there
            chips = {who: cents for who, cents in lying.items() if who in playing}
            wagers = {who: cents for who, cents in event.wagers.items() if who in playing}
            had = on[1].chips
            removed = tuple(who for who in event.removed if who in playing)
            removed += tuple(who for who in chips if chips[who] < had.get(who, 0) and who not in removed)
            if event.again:
                back = {who for who, out in on[1].out.items() if out.number == on[1].number}
                chips = {who: cents for who, cents in lying.items() if who in playing | back}
                found.append(ta.CorrectRound("dealer", name, chips, wagers, removed))
            else:
                found.append(ta.ReportRound("dealer", name, chips, wagers, removed, event.void))
        elif isinstance(event, e.MinimumDeducted):
            found.append(ta.DeductAbsent(MANAGER, event.player))
        elif isinstance(event, e.PlayerRemoved) or (isinstance(event, e.PlayerEliminated) and not counted):
            who = tournament.entrants.get(event.player)
            if who is None or who.status != ENTERED or event.player not in playing:
                continue
            if isinstance(event, e.PlayerEliminated):
                found.append(ta.EliminateIdle(MANAGER, event.player, event.why == "unable"))
            else:
                found.append(ta.Disqualify(MANAGER, event.player, event.why or "by the rules", event.ground))
            playing.discard(event.player)
        elif isinstance(event, e.StacksCounted):
            found.append(ta.CountChips(MANAGER, name, dict(event.chips), ordered=True))
        elif isinstance(event, e.DisputeRaised):
            if event.waits and event.player not in tournament.disputes and event.player in tournament.entrants:
                found.append(ta.RaiseDispute("player", event.player, event.about, name))
        elif isinstance(event, e.DisputeRuled):
            if event.player in tournament.disputes:
                found.append(ta.RuleDispute(MANAGER, event.player, event.ruling))
        elif isinstance(event, e.SessionEnded):
            found.append(ta.CountChips("dealer", name, dict(event.chips)))
    return tuple(found)


# --- from the tournament to its tables -------------------------------------------------------------------------------


def table_acts(
    rulebook: Rulebook, tournament: Tournament, name: str, table: Table, events: Iterable[TournamentEvent]
) -> tuple[Act, ...]:
    """What events of the tournament mean at the table called `name`; `tournament` is how it stands after them."""
    found: list[Act] = []
    session = table.session
    for event in events:
        if isinstance(event, te.SessionStarted):
            begun = begin_session(rulebook, tournament, name)
            if begun is not None and session is None:
                found.append(begun)
        elif isinstance(event, te.SessionConcluded | te.TournamentCancelled):
            here = isinstance(event, te.TournamentCancelled) or event.table == name
            if here and session is not None:
                found.append(a.EndSession(SUPERVISOR))
        elif isinstance(event, te.Disqualified):
            if session is not None and session.has(event.name) and event.name not in session.leaving:
                rule = event.why if event.why == "absent" else "disqualify"
                found.append(a.RemovePlayer(SUPERVISOR, event.name, rule, event.why))
        elif isinstance(event, te.DisputeRaised):
            here = session is not None and event.table in ("", name)
            if here and dict(table.disputes).get(event.name) != "raised":
                found.append(a.RaiseDispute(event.name, event.what))
        elif isinstance(event, te.DisputeRuled):
            if dict(table.disputes).get(event.name) == "raised":
                found.append(a.RuleDispute(SUPERVISOR, event.name, event.ruling))
        elif isinstance(event, te.PaceSet) and session is not None and session.seconds != event.seconds:
            found.append(a.SetWagerTime(SUPERVISOR, event.seconds, True))
    return tuple(found)
