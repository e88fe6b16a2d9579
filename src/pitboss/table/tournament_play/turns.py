"""Whose turn it is to wager, what a wager may be in a session, and why not."""

from __future__ import annotations

from pitboss.basics.money import dollars
from pitboss.rulebooks.meanings import MARKER_BY_BOX, OUT_OF_TURN_STANDS, UNITS_OF_MINIMUM
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import ORIGINAL
from pitboss.table.refusals import Refusal, broken_unless
from pitboss.table.run import Run, chips_left, no
from pitboss.table.session import Session
from pitboss.table.state import Table


def session_of(table: Table) -> Session:
    """The session that is on; asked only where there is one."""
    found = table.session
    broken_unless(found is not None, "no session is on")
    assert found is not None
    return found


def cite(table: Table, *steps: str) -> tuple[str, ...]:
    """The clauses of steps of a tournament, those that the document knows; of all of it where it knows none."""
    terms = table.rulebook.tournament
    found = tuple(dict.fromkeys(terms.steps.value[step] for step in steps if step in terms.steps.value))
    return found or terms.offered.clauses


def knows(table: Table, step: str) -> bool:
    """Whether the document speaks of a step."""
    return step in table.rulebook.tournament.steps.value


# --- the marker and the order ----------------------------------------------------------------------------------------


def clockwise(table: Table, box: int) -> list[int]:
    """The boxes of those who are in, from this one on, clockwise: from the dealer's left to the right."""
    boxes = sorted(session_of(table).seats)
    return [each for each in boxes if each >= box] + [each for each in boxes if each < box]


def first_marker(table: Table) -> int:
    """On which box the marker lies when a session begins, or goes on after some rounds."""
    session = session_of(table)
    if MARKER_BY_BOX[table.rulebook.tournament.marker.value]:
        return session.number % table.house.boxes + 1
    boxes = clockwise(table, 1)
    return boxes[session.number % len(boxes)] if boxes else 0


def next_marker(table: Table) -> int:
    """Where it lies for the next round: box by box, or with the next player."""
    session = session_of(table)
    if MARKER_BY_BOX[table.rulebook.tournament.marker.value]:
        return session.number % table.house.boxes + 1
    boxes = clockwise(table, session.marker + 1)
    return boxes[0] if boxes else 0


def in_order(table: Table) -> list[str]:
    """Everybody who is in, in the order in which they wager; by box where there is no order."""
    session = session_of(table)
    return [session.seats[box] for box in clockwise(table, session.marker or 1)]


def dealing_order(table: Table, boxes: list[int]) -> tuple[int, ...]:
    """Boxes in the order in which cards are dealt: from the dealer's left, or from the marker."""
    session = table.session
    found = sorted(boxes)
    if session is None or not session.terms.deal_from_marker or not session.marker:
        return tuple(found)
    return tuple([each for each in found if each >= session.marker] + [each for each in found if each < session.marker])


def has_wagered(table: Table, player: str) -> bool:
    """Whether somebody has made their wager on this round: in chips, in writing, or by a pass card, or has none."""
    session = session_of(table)
    box = table.boxes.get(session.box_of(player))
    return (
        player in session.passing
        or player in session.forms
        or player in session.away
        or (box is not None and player in box.wagers)
    )


def whose_turn(table: Table) -> str:
    """Who is to wager now; "" where all have, or where there is no order."""
    session = session_of(table)
    if not session.terms.order:
        return ""
    if session.asked and session.has(session.asked) and not has_wagered(table, session.asked):
        return session.asked
    return next((name for name in in_order(table) if not has_wagered(table, name)), "")


def still_theirs(table: Table, player: str) -> bool:
    """Whether somebody who has wagered may still add to it: nobody after them has wagered or was asked."""
    session = session_of(table)
    return session.last == player and session.asked in ("", player)


# --- wagers ----------------------------------------------------------------------------------------------------------


def refuse_outsider(table: Table, player: str, box: int) -> Refusal | None:
    """Only who takes part in the session wagers, and only from their own place."""
    session = session_of(table)
    own = session.box_of(player)
    if not own and player in session.terms.seats.values():
        broke = (chips_left(table, player) or 0) < table.house.minimum_cents
        cited = cite(table, "unable" if broke else "disqualify", "position")
        return no(table, cited, f"{player} is out of the session.")
    if not own:
        text = f"{player} takes no part in the session: only its players wager here."
        return no(table, cite(table, "position", "enter"), text)
    if box != own:
        return no(table, cite(table, "position"), f"{player} wagers from box {own} only.")
    if session.done:
        text = f"the {session.terms.rounds} rounds of the session are played."
        return no(table, cite(table, "allocate", "count-session"), text)
    if player in session.away:
        return no(table, cite(table, "every-round"), f"{player} has no wager on this round any more.")
    return None


def refuse_turn(table: Table, player: str) -> Refusal | None:
    """A wager out of turn is withdrawn until its turn, where the rules do not let it stand."""
    session = session_of(table)
    if not session.terms.order or OUT_OF_TURN_STANDS[table.rulebook.tournament.out_of_turn.value]:
        return None
    turn = whose_turn(table)
    if turn in ("", player):
        return None
    text = f"it is {turn}'s turn to wager: {player} takes the wager back and waits."
    return no(table, cite(table, "out-of-turn", "wager-first"), text)


def take_turn(run: Run, act: a.PlaceWager) -> None:
    """Before a wager is placed: whoever wagers in turn has been asked by it; out of turn it stands with a warning."""
    table = run.table
    session = session_of(table)
    if not session.terms.order or has_wagered(table, act.player):
        return
    if out_of_turn(table, act.player):
        if not act.unnoticed:
            warned = act.player in session.warned
            run.emit(e.WagerStoodEarly(cite(table, "out-of-turn", "wager-first"), act.player, act.box, warned))
    elif knows(table, "opportunity") and session.asked != act.player:
        run.emit(e.WagerAsked(cite(table, "opportunity", "wager-first"), act.player))


def out_of_turn(table: Table, player: str) -> bool:
    """Whether a wager of somebody who has none yet comes out of turn."""
    return session_of(table).terms.order and whose_turn(table) not in ("", player)


def refuse_wager(table: Table, act: a.PlaceWager) -> Refusal | None:
    """Why a session does not take this wager, or None where it does, as far as its own rules go."""
    session = session_of(table)
    refused = refuse_outsider(table, act.player, act.box)
    if refused is None and act.token_cents:
        text = "wagers are made in tournament chips alone."
        refused = no(table, cite(table, "tournament-chips", "approved-chips"), text)
    if refused is None and act.player in session.passing:
        refused = no(table, cite(table, "pass-card"), f"{act.player} has played a pass card in lieu of a wager.")
    if refused is not None or act.unnoticed:
        return refused
    if act.kind == ORIGINAL:
        box = table.boxes.get(act.box)
        if box is not None and act.player in box.wagers:
            return refuse_withdrawal(table, act.player)  # where it may be changed, the ordinary rules say how
        if not has_wagered(table, act.player):
            refused = refuse_turn(table, act.player)
        elif session.terms.order and act.player in session.forms and not still_theirs(table, act.player):
            refused = no(table, cite(table, "fixed"), f"{act.player} has wagered, and others have since.")
        return refused or refuse_amount(table, act)
    if session.terms.order and not still_theirs(table, act.player):
        text = f"{act.player} has wagered in turn, and adds nothing once others have wagered."
        return no(table, cite(table, "fixed", "wager-first"), text)
    if act.player in session.held:
        return no(table, cite(table, "late"), f"{act.player} was late: the minimum, and nothing beside it.")
    least = table.house.minimum_cents
    if act.kind not in table.house.side_limits and UNITS_OF_MINIMUM[table.rulebook.tournament.units.value]:
        return refuse_units(table, act.cents, least)
    return None


def found_in_session(table: Table, player: str, number: int) -> str:
    """What is wrong with a wager by the rules of a session: it is out of turn, or has an incomplete increment."""
    box = table.boxes.get(number)
    session = session_of(table)
    if box is None:
        return ""
    if not box.hands and player in box.wagers and box.wagers[player].unnoticed and session.terms.order:
        order = in_order(table)
        if any(not has_wagered(table, name) for name in order[: order.index(player)]):
            return "early"
    if not UNITS_OF_MINIMUM[table.rulebook.tournament.units.value]:
        return ""
    least = table.house.minimum_cents
    for wagers in [hand.wagers for hand in box.hands] or [box.wagers]:
        wager = wagers.get(player)
        if wager is not None and wager.unnoticed and not wager.settled and wager.cents > least and wager.cents % least:
            return "units"
    return ""


def refuse_amount(table: Table, act: a.PlaceWager) -> Refusal | None:
    session, house = session_of(table), table.house
    least, most = house.minimum_cents, house.maximum_cents
    cited = cite(table, "every-round", "units")
    if act.cents < least:
        text = f"the minimum is {dollars(least)}; {dollars(act.cents)} is below it: make it up."
        return no(table, cited, text)
    if act.cents > most:
        if not knows(table, "units"):
            cited = table.rulebook.tournament.units.clauses  # the limits of the sign
        return no(table, cited, f"the maximum is {dollars(most)}; {dollars(act.cents)} is above it.")
    if act.player in session.held and act.cents != least:
        text = f"{act.player} was late and is held to the minimum of {dollars(least)}."
        return no(table, cite(table, "late"), text)
    if UNITS_OF_MINIMUM[table.rulebook.tournament.units.value]:
        return refuse_units(table, act.cents, least)
    return None


def refuse_units(table: Table, cents: int, least: int) -> Refusal | None:
    if cents % least == 0:
        return None
    text = f"wagers are in units of the minimum, {dollars(least)}; {dollars(cents)} is no multiple of it."
    return no(table, table.rulebook.tournament.units.clauses, text)


def refuse_withdrawal(table: Table, player: str) -> Refusal | None:
    """A wager made in turn stays; where the dealer asks, it may be changed until the next player is asked."""
    session = session_of(table)
    if not session.terms.order:
        return None
    if knows(table, "opportunity") and still_theirs(table, player):
        return None
    return no(table, cite(table, "fixed", "opportunity"), f"{player} has wagered: it may no longer be changed.")


# --- chips stay where they are ---------------------------------------------------------------------------------------


def refuse_other_seat(table: Table, player: str, box: int) -> Refusal | None:
    """Who plays in a session keeps the place that was allotted to them, and nobody else has one."""
    own = session_of(table).box_of(player)
    if own == box:
        return None
    text = f"{player} keeps box {own}." if own else f"the places are allotted, and none of them to {player}."
    return no(table, cite(table, "position", "allocate"), text)


def refuse_chips_moved(table: Table, player: str, *, more: bool) -> Refusal | None:
    """Whoever plays in a session adds nothing to their chips and takes none away."""
    session = table.session
    if session is None or not session.has(player):
        return None
    if more:
        text = f"{player} has more chips only by winning them: who adds to them is disqualified."
        return no(table, cite(table, "increase", "allot"), text)
    text = f"{player}'s chips stay on the table in full view: none is taken away, or exchanged."
    return no(table, cite(table, "remove", "in-view"), text)


def may_pass(table: Table) -> bool:
    """Whether all who are in do without a wager: no card is dealt in such a round."""
    session = session_of(table)
    return not table.boxes and bool(session.passing or session.away)


def refuse_written(table: Table, player: str, what: str) -> Refusal:
    """Chips put down for a double or a split would tell what is written: such a wager stays as it was written."""
    text = f"{player} has only an undisclosed wager on this hand: it stays as it was written, and is not {what}."
    return no(table, cite(table, "reveal", "form"), text)


# --- the deal --------------------------------------------------------------------------------------------------------


def refuse_round(table: Table) -> Refusal | None:
    """Why no round of the session begins now: it is over, somebody has not wagered, a form is not examined."""
    session = session_of(table)
    if session.done:
        text = f"the {session.terms.rounds} rounds of the session are played."
        return no(table, cite(table, "allocate", "count-session"), text)
    for name in in_order(table):
        if not has_wagered(table, name):
            text = f"{name} has no wager on this round: they wager, or they are out of it."
            return no(table, cite(table, "every-round"), text)
    for name, form in session.forms.items():
        if not form.examined:
            text = f"the form of {name} is examined before the round, and an indicator placed."
            return no(table, cite(table, "indicator"), text)
    return None
