"""A session begins and ends, pass cards, who is late, absent or removed: why not, and what comes of it."""

from __future__ import annotations

from pitboss.basics.money import dollars, payable_down
from pitboss.rulebooks.amend import TOURNAMENT
from pitboss.rulebooks.meanings import ALWAYS_IN_TURN, NO_WAGER_DISQUALIFIES, UNITS_OF_MINIMUM
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import ORIGINAL
from pitboss.table.chapters import carries_out
from pitboss.table.house import BLAZING
from pitboss.table.refusals import Refusal
from pitboss.table.roles import may_act
from pitboss.table.run import Run, chips_left, no
from pitboss.table.session import REMOVED_FOR, SessionTerms
from pitboss.table.state import Table
from pitboss.table.tournament_play.turns import (
    cite,
    clockwise,
    first_marker,
    has_wagered,
    in_order,
    knows,
    refuse_outsider,
    refuse_turn,
    session_of,
)
from pitboss.table.wagers import give_back, is_name


def no_session(table: Table) -> Refusal | None:
    if table.session is not None:
        return None
    return no(table, cite(table, "allocate", "exclusive"), "no session of a tournament is on at this table.")


def refuse_manager(table: Table, by: str, step: str) -> Refusal | None:
    """Whoever conducts the tournament acts at its tables as a supervisor does."""
    if may_act(by, "casino-supervisor"):
        return None
    term = table.rulebook.game.tournaments_by
    who = term.value.replace("-", " ")
    return no(table, (*cite(table, step), *term.clauses), f"the {who} or a supervisor does that, not the {by}.")


# --- beginning and ending --------------------------------------------------------------------------------------------


def refuse_begin(table: Table, act: a.BeginSession) -> Refusal | None:
    terms = table.rulebook.tournament
    if not terms.offered.value:
        return no(table, terms.offered.clauses, f"{table.rulebook.game.name.value} has no rules for tournaments.")
    refused = refuse_manager(table, act.by, "allot")
    if refused is not None:
        return refused
    if table.session is not None:
        return no(table, cite(table, "allocate", "exclusive"), f"{table.session.terms.stage} is on: end it first.")
    if not table.house.tournament or not any(layer.kind == TOURNAMENT for layer in table.rulebook.amendments):
        text = "a session is played at a table that was opened for tournament play, under the rules for tournaments."
        return no(table, terms.offered.clauses, text)
    if not table.house.counted:
        return no(table, cite(table, "tournament-chips"), "tournament chips are counted: open the table so.")
    if table.phase != "wagers" or table.boxes:
        return no(table, cite(table, "exclusive"), "a round or wagers are on the table: they come to their end first.")
    if BLAZING in table.house.side_bets:
        text = "a jackpot is played for money, and a session for tournament chips: the table does not offer it."
        return no(table, cite(table, "tournament-chips"), text)
    return refuse_terms(table, act.session)


def refuse_terms(table: Table, said: SessionTerms) -> Refusal | None:
    """What is laid down for a session and cannot be."""
    terms = table.rulebook.tournament
    if not said.seats or not said.stage.strip():
        return no(table, cite(table, "allocate"), "a session has a stage and players with seats.")
    for box, name in said.seats.items():
        if not 1 <= box <= table.house.boxes or not is_name(name):
            return no(table, cite(table, "allocate", "position"), f"{name!r} cannot have box {box}.")
    if len(set(said.seats.values())) < len(said.seats):
        return no(table, cite(table, "position", "allocate"), "everybody has one place.")
    named = {*said.held, *said.out, *said.passes_left, *said.forms_left, *said.absent, *said.warned}
    if named - set(said.seats.values()):
        stranger = min(named - set(said.seats.values()))
        return no(table, cite(table, "allot", "allocate"), f"{stranger} has no place in the session.")
    if set(said.out) >= set(said.seats.values()) or not 0 <= said.marker <= table.house.boxes:
        return no(
            table, cite(table, "allocate"), "somebody plays in a session, and the marker lies on one of its boxes."
        )
    if said.chips_cents <= 0 or min(said.held.values(), default=0) < 0:
        return no(table, cite(table, "allot"), "everybody begins with tournament chips.")
    limits = [(said.minimum_cents, said.maximum_cents), *((least, most) for _, least, most in said.raises)]
    for least, most in limits:
        if not 0 < least <= most:
            return no(table, cite(table, "every-round"), "the minimum is above zero and not above the maximum.")
        for cents in (least, most):
            if payable_down(cents, table.house.chips_cents) != cents:
                text = f"{dollars(cents)} cannot be made of the tournament chips."
                return no(table, cite(table, "approved-chips", "tournament-chips"), text)
        if UNITS_OF_MINIMUM[terms.units.value] and most % least:
            return no(table, terms.units.clauses, f"{dollars(most)} is no multiple of the minimum, {dollars(least)}.")
    if ALWAYS_IN_TURN[terms.order.value] and not said.order:
        return no(table, terms.order.clauses, "players wager in turn, by the starting marker.")
    if said.pass_cards and not knows(table, "pass-card"):
        return no(table, cite(table, "every-round"), "everybody wagers on each round: there are no pass cards.")
    if said.undisclosed and not knows(table, "undisclosed"):
        return no(table, cite(table, "wager-first"), "wagers are placed openly in turn: none is undisclosed.")
    if said.deal_from_marker and not (knows(table, "deal-from-marker") and said.order):
        cited = cite(table, "deal-from-marker") if said.order is False else table.rulebook.deal.order.clauses
        return no(table, cited, "cards are dealt from the dealer's left: there is no marker to begin at.")
    if min(said.rounds, said.pass_cards, said.undisclosed, said.seconds, said.played) < 0:
        return no(table, cite(table, "allocate"), "rounds, cards, forms and seconds are not below zero.")
    return None


@carries_out(a.BeginSession, refuse_begin)
def begin(run: Run, act: a.BeginSession) -> None:
    table = run.table
    said = act.session
    run.emit(e.SessionBegan(cite(table, "allocate", "every-round", "order"), act.by, said))
    for box, name in sorted(said.seats.items()):
        run.emit(e.SeatTaken(cite(table, "position", "allocate"), name, box))
        chips = said.held.get(name, said.chips_cents)
        if chips:
            run.emit(e.ChipsAllotted(cite(table, "allot", "tournament-chips"), name, chips))
    if said.order:
        box = said.marker or first_marker(table)
        holder = session_of(table).seats[clockwise(table, box)[0]]
        run.emit(e.MarkerPlaced(cite(table, "marker", "wager-first"), box, holder))


def refuse_between_rounds(table: Table, step: str) -> Refusal | None:
    if table.phase != "wagers":
        return no(table, cite(table, step), "the round is finished first.")
    return None


def refuse_end(table: Table, act: a.EndSession) -> Refusal | None:
    refused = refuse_manager(table, act.by, "count-session") or no_session(table)
    refused = refused or refuse_between_rounds(table, "count-session")
    if refused is None and (table.boxes or session_of(table).forms or session_of(table).passing):
        refused = no(table, cite(table, "count-session"), "somebody has wagered on another round: it is played first.")
    return refused


@carries_out(a.EndSession, refuse_end)
def end(run: Run, act: a.EndSession) -> None:
    table = run.table
    session = session_of(table)
    chips = {name: chips_left(table, name) or 0 for _, name in sorted(session.terms.seats.items())}
    playing = {name: cents for name, cents in chips.items() if session.has(name)}
    run.emit(e.SessionEnded(cite(table, "count-session", "announce"), act.by, session.number, playing))
    for name, cents in chips.items():
        if cents > 0:
            run.emit(e.ChipsReturned(cite(table, "inventory", "chips-returned"), name, cents))


# --- asking, and pass cards ------------------------------------------------------------------------------------------


def refuse_ask(table: Table, act: a.AskWager) -> Refusal | None:
    refused = no_session(table) or refuse_between_rounds(table, "opportunity")
    if refused is not None:
        return refused
    session = session_of(table)
    cited = cite(table, "opportunity", "wager-first")
    if not session.terms.order:
        return no(table, cited, "players wager in no order: nobody is asked.")
    refused = refuse_outsider(table, act.player, session.box_of(act.player))
    if refused is not None:
        return refused
    if has_wagered(table, act.player):
        return no(table, cited, f"{act.player} has wagered.")
    order = [name for name in in_order(table) if not has_wagered(table, name)]
    after = order[order.index(session.asked) + 1 :] if session.asked in order else order
    if act.player not in after[:1] and session.asked != act.player:
        turn = after[0] if after else session.asked
        return no(table, cited, f"{turn} is asked next: players wager one after the other, clockwise.")
    return None


@carries_out(a.AskWager, refuse_ask)
def ask(run: Run, act: a.AskWager) -> None:
    run.emit(e.WagerAsked(cite(run.table, "opportunity", "wager-first"), act.player))


def refuse_pass_card(table: Table, act: a.PlayPassCard) -> Refusal | None:
    refused = no_session(table)
    if refused is not None:
        return refused
    session = session_of(table)
    cited = cite(table, "pass-card", "every-round")
    if table.phase != "wagers" or table.betting_closed:
        return no(table, cited, "the round has begun: wait for the next one.")
    refused = refuse_outsider(table, act.player, session.box_of(act.player))
    if refused is not None:
        return refused
    if not session.passes.get(act.player, 0):
        return no(table, cited, f"{act.player} has no pass card left, and wagers on the round.")
    if act.player in session.held:
        return no(table, cite(table, "late"), f"{act.player} was late and is held to the minimum.")
    if has_wagered(table, act.player):
        return no(table, cited, f"{act.player} has wagered on this round.")
    return refuse_turn(table, act.player)


@carries_out(a.PlayPassCard, refuse_pass_card)
def play_pass_card(run: Run, act: a.PlayPassCard) -> None:
    box = session_of(run.table).box_of(act.player)
    run.emit(e.PassCardPlayed(cite(run.table, "pass-card"), act.player, box))


# --- late, absent, out of turn ---------------------------------------------------------------------------------------


def refuse_hold(table: Table, act: a.HoldToMinimum) -> Refusal | None:
    refused = no_session(table) or refuse_between_rounds(table, "late")
    if refused is not None:
        return refused
    session = session_of(table)
    if not may_act(act.by, "dealer"):
        return no(table, cite(table, "late"), "a member of the house's staff does that.")
    if not knows(table, "late"):
        return no(table, cite(table, "pace", "opportunity"), "the rules hold nobody to the minimum for being late.")
    if not session.seconds:
        text = "no time to wager is set: the person conducting the tournament sets it, with notice."
        return no(table, cite(table, "time-limit", "late"), text)
    refused = refuse_outsider(table, act.player, session.box_of(act.player))
    if refused is not None:
        return refused
    if has_wagered(table, act.player) or act.player in session.held:
        return no(table, cite(table, "late"), f"{act.player} has wagered, or is held to the minimum already.")
    return None


@carries_out(a.HoldToMinimum, refuse_hold)
def hold(run: Run, act: a.HoldToMinimum) -> None:
    table = run.table
    run.emit(e.HeldToMinimum(cite(table, "late", "time-limit"), act.player, table.house.minimum_cents))


def refuse_time(table: Table, act: a.SetWagerTime) -> Refusal | None:
    refused = refuse_manager(table, act.by, "time-limit") or no_session(table)
    if refused is not None:
        return refused
    cited = cite(table, "time-limit", "pace")
    if not (knows(table, "time-limit") or knows(table, "pace")):
        return no(table, cited, "the rules set no time for a wager.")
    if not 0 <= act.seconds <= 600:
        return no(table, cited, "from 0 (no limit) to 600 seconds.")
    if knows(table, "time-limit") and not act.notified:
        return no(table, cited, "players are given reasonable notice first.")
    return None


@carries_out(a.SetWagerTime, refuse_time)
def set_time(run: Run, act: a.SetWagerTime) -> None:
    run.emit(e.WagerTimeSet(cite(run.table, "time-limit", "pace"), act.by, act.seconds))


def refuse_deduct(table: Table, act: a.DeductMinimum) -> Refusal | None:
    refused = no_session(table) or refuse_between_rounds(table, "absent")
    if refused is not None:
        return refused
    session = session_of(table)
    if not may_act(act.by, "dealer"):
        return no(table, cite(table, "deduct", "absent"), "the dealer does it, as the manager directs.")
    if not knows(table, "deduct"):
        text = "nothing is deducted: who is not there when the session begins forfeits the position."
        return no(table, cite(table, "absent", "forfeit-seat"), text)
    refused = refuse_outsider(table, act.player, session.box_of(act.player))
    if refused is not None:
        return refused
    if has_wagered(table, act.player):
        return no(table, cite(table, "absent"), f"{act.player} is there, and has wagered.")
    most = table.rulebook.tournament.absent_rounds
    if session.absent.get(act.player, 0) >= most.value:
        text = f"the minimum was deducted for {most.value} rounds: cancel the position, or wait."
        return no(table, most.clauses, text)
    return None


@carries_out(a.DeductMinimum, refuse_deduct)
def deduct(run: Run, act: a.DeductMinimum) -> None:
    table = run.table
    cents = min(table.house.minimum_cents, chips_left(table, act.player) or 0)
    run.emit(e.MinimumDeducted(cite(table, "deduct", "absent"), act.by, act.player, cents))


def refuse_void_early(table: Table, act: a.VoidEarlyWager) -> Refusal | None:
    refused = no_session(table) or refuse_between_rounds(table, "out-of-turn")
    refused = refused or refuse_manager(table, act.by, "out-of-turn")
    if refused is not None:
        return refused
    session = session_of(table)
    cited = cite(table, "out-of-turn")
    if act.player not in session.early:
        return no(table, cited, f"{act.player} has not wagered out of turn in this round.")
    if act.player not in session.before_warned:
        return no(table, cited, f"{act.player} was warned now for the first time: this wager stands.")
    return None


@carries_out(a.VoidEarlyWager, refuse_void_early)
def void_early(run: Run, act: a.VoidEarlyWager) -> None:
    table = run.table
    cited = cite(table, "out-of-turn")
    run.emit(e.EarlyWagerVoided(cited, act.by, act.player))
    take_wagers_back(run, act.player, cited)


def take_wagers_back(run: Run, player: str, cited: tuple[str, ...]) -> None:
    """All that somebody has put down for a round that has not begun."""
    table = run.table
    box = session_of(table).box_of(player)
    area = table.boxes.get(box)
    if area is not None:
        for kind in [each for each, placed in area.side.items() if player in placed]:
            give_back(run, player, box, kind, "void", cited)
    area = table.boxes.get(box)
    if area is not None and player in area.wagers:
        give_back(run, player, box, ORIGINAL, "void", cited)
    if player in session_of(table).forms:
        run.emit(e.FormGivenBack(cited, player, "void"))
    if player in session_of(table).passing:
        run.emit(e.PassCardCollected(cited, player, True))


# --- out of the session ----------------------------------------------------------------------------------------------


def refuse_remove(table: Table, act: a.RemovePlayer) -> Refusal | None:
    refused = no_session(table) or refuse_manager(table, act.by, "every-round")
    if refused is not None:
        return refused
    session = session_of(table)
    cited = cite(table, "disqualify", "contravention", "unable")
    if act.ground not in REMOVED_FOR:
        return no(table, cited, f"{act.ground!r} is nothing to be removed for; known: {', '.join(REMOVED_FOR)}.")
    if not session.has(act.player):
        return no(table, cited, f"{act.player} takes no part in the session.")
    if act.player in session.leaving:
        return no(table, cited, f"{act.player} is removed when the round is over.")
    if act.ground == "every-round":
        if table.phase != "wagers" or has_wagered(table, act.player):
            return no(table, cite(table, "every-round"), f"{act.player} has wagered on this round.")
    elif not act.why.strip():
        return no(table, cited, "say why.")
    return None


@carries_out(a.RemovePlayer, refuse_remove)
def remove(run: Run, act: a.RemovePlayer) -> None:
    table = run.table
    session = session_of(table)
    box = session.box_of(act.player)
    cited = cite(table, act.ground, *(() if act.ground == "every-round" else ("disqualify", "contravention")))
    if act.ground == "every-round" and not NO_WAGER_DISQUALIFIES[table.rulebook.tournament.no_wager.value]:
        chips = chips_left(table, act.player) or 0
        run.emit(e.PlayerEliminated(cited, act.player, box, chips, "no-wager"))
    elif table.phase != "wagers":
        run.emit(e.RemovalDue(cited, act.by, act.player, act.ground, act.why))
    else:
        take_wagers_back(run, act.player, cited)
        run.emit(e.PlayerRemoved(cited, act.player, box, act.ground, act.why))


def refuse_count(table: Table, act: a.CountStacks) -> Refusal | None:
    refused = refuse_manager(table, act.by, "count") or no_session(table)
    return refused or refuse_between_rounds(table, "count")


@carries_out(a.CountStacks, refuse_count)
def count(run: Run, act: a.CountStacks) -> None:
    """What lies in front of everybody; what they have wagered on the next round already is theirs still."""
    table = run.table
    chips: dict[str, int] = {}
    for box, name in sorted(session_of(table).seats.items()):
        area = table.boxes.get(box)
        put = 0
        if area is not None:
            put = sum(wager.cents for wager in area.wagers.values())
            put += sum(sum(placed.values()) for placed in area.side.values())
        chips[name] = (chips_left(table, name) or 0) + put
    run.emit(e.StacksCounted(cite(table, "count", "count-session"), act.by, chips))
