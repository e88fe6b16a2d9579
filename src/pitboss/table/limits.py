"""The sign: minima and maxima by player, box and kind of wager, units, own limits, restrictions."""

from __future__ import annotations

from pitboss.basics.money import dollars
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import ORIGINAL
from pitboss.table.refusals import Refusal
from pitboss.table.run import Run, both, no, refuse_box
from pitboss.table.state import STRANGER, Box, PlayerState, Table


def _state(table: Table, player: str) -> PlayerState:
    return table.players.get(player) or STRANGER


def minimum_for(table: Table, player: str) -> int:
    """The least that this player may wager: the sign's, the lower one he may keep, or the one on his own sign."""
    state = _state(table, player)
    if state.minimum_cents and not state.maximum_cents:
        return min(state.minimum_cents, table.house.minimum_cents)
    return state.minimum_cents or table.house.minimum_cents


def refuse_boxes(table: Table, act: a.PlaceWager) -> Refusal | None:
    """Whether the player may wager on one more box."""
    state = table.players.get(act.player)
    if state is None or (not state.restricted_boxes and not state.boxes_limit):
        return None
    held = sum(act.player in box.wagers for box in table.boxes.values())
    if state.restricted_boxes and held >= state.restricted_boxes:
        clauses = restriction_clauses(table, state.restriction)
        return no(table, clauses, f"{act.player} is restricted to {_boxes(state.restricted_boxes)}.")
    if state.boxes_limit and held >= state.boxes_limit:
        box = table.boxes.get(act.box)
        if table.rulebook.boxes.several.value == "control-until-demand" and box is not None and box.wagers:
            return None
        clauses = both(table.rulebook.boxes.several, table.rulebook.boxes.several_limited_by)
        return no(table, clauses, f"{act.player} is held to {_boxes(state.boxes_limit)}: others want to play.")
    return None


def _boxes(number: int) -> str:
    return "one box" if number == 1 else f"{number} boxes"


def restriction_clauses(table: Table, name: str) -> tuple[str, ...]:
    found = [
        clause for rule in table.rulebook.limits.restrictions.value if rule.name == name for clause in rule.clauses
    ]
    return tuple(dict.fromkeys(found)) or table.rulebook.limits.restrictions.clauses


def refuse_limits(table: Table, act: a.PlaceWager, box: Box | None) -> Refusal | None:
    """Why an original wager of this size is outside the sign, or None if it is within it (or nobody notices)."""
    terms, house = table.rulebook.limits, table.house
    state = table.players.get(act.player) or STRANGER
    minimum = minimum_for(table, act.player) if state.minimum_cents else house.minimum_cents
    if act.unnoticed:
        return None
    if state.warned and act.cents < minimum:
        clauses = both(terms.found_below_minimum, terms.sign)
        return no(table, clauses, f"{act.player} was told that wagers below {dollars(minimum)} go back.")
    if state.minimum_only and act.cents != minimum:
        text = f"{act.player} is restricted to the minimum: wager exactly {dollars(minimum)}."
        return no(table, restriction_clauses(table, state.restriction), text)
    if act.cents < minimum:
        clauses = terms.sign.clauses
        if table.minimum_raised or any(other.minimum_cents for other in table.players.values()):
            clauses = clauses + terms.raise_keeps_old_minimum.clauses
        return no(table, clauses, f"the minimum is {dollars(minimum)}; {dollars(act.cents)} is below it.")
    if house.multiples and act.cents % minimum:
        clauses = both(terms.multiples, terms.sign)
        return no(table, clauses, f"the sign asks for multiples of {dollars(minimum)}.")
    if house.unit_cents and (act.cents - minimum) % house.unit_cents:
        unit = dollars(house.unit_cents)
        clauses = both(terms.unit_above_minimum, terms.sign)
        return no(table, clauses, f"above the minimum of {dollars(minimum)} wagers go in units of {unit}.")
    if house.player_maximum_cents:
        total = act.cents + sum(b.wagers[act.player].cents for b in table.boxes.values() if act.player in b.wagers)
        if total > house.player_maximum_cents:
            text = f"one player may wager {dollars(house.player_maximum_cents)} in all; that would be {dollars(total)}."
            return no(table, terms.sign.clauses, text)
    return refuse_maximum(table, act, box, state)


def refuse_maximum(table: Table, act: a.PlaceWager, box: Box | None, state: PlayerState) -> Refusal | None:
    """The maximum is for the box or for each player on it; a player with his own maximum has that for himself."""
    terms, house = table.rulebook.limits, table.house
    on_box = box.wagers if box else {}
    if not on_box and not state.maximum_cents and act.cents <= house.maximum_cents:
        return None
    others = sum(wager.cents for wager in on_box.values())
    if terms.maximum_scope.value == "player-box":
        most = max(state.maximum_cents, house.maximum_cents)
        if act.cents > most:
            text = f"the maximum a player a box is {dollars(most)}; {dollars(act.cents)} is above it."
            return no(table, both(terms.maximum_scope, terms.sign), text)
        return None
    if state.maximum_cents:
        if act.cents > max(state.maximum_cents, house.maximum_cents):
            text = f"{act.player}'s own maximum is {dollars(state.maximum_cents)}."
            return no(table, both(terms.personal_maximum_by, terms.sign), text)
        if not on_box or others + act.cents <= house.maximum_cents:
            return None
        text = "others are on the box, and together all wagers stay within the maximum on the sign."
        return no(table, both(terms.beside_personal_maximum, terms.sign), text)
    left = house.maximum_cents - others
    if act.cents > left:
        steps = terms.cascade.value
        step = steps[min(len(on_box), len(steps) - 1)] if steps else None
        clauses = both(terms.maximum_scope, terms.sign)
        if step is not None:
            clauses = (step, *(clause for clause in clauses if clause != step))
        if any(_state(table, name).maximum_cents for name in on_box):
            clauses = both(terms.beside_personal_maximum) + clauses
        if not on_box:
            text = f"the maximum is {dollars(house.maximum_cents)}; {dollars(act.cents)} is above it."
        elif left < minimum_for(table, act.player):
            text = f"box {act.box} is full: its maximum of {dollars(house.maximum_cents)} is wagered."
        else:
            text = f"box {act.box} takes {dollars(house.maximum_cents)} in all: at most {dollars(left)} more."
        return no(table, clauses, text)
    return None


def refuse_side_limits(table: Table, act: a.PlaceWager, clauses: tuple[str, ...]) -> Refusal | None:
    limits = table.house.side_limits.get(act.kind)
    if limits is None or act.unnoticed:
        return None
    least, most = limits
    if not least <= act.cents <= most:
        text = f"the sign asks for {dollars(least)} to {dollars(most)} on {act.kind}."
        return no(table, clauses + table.rulebook.limits.sign.clauses, text)
    return None


# --- wagers outside the sign that are noticed later ------------------------------------------------------------------


def refuse_find(table: Table, act: a.FindWager) -> Refusal | None:
    refused = refuse_box(table, act.box)
    if refused:
        return refused
    clauses = both(table.rulebook.limits.found_below_minimum, table.rulebook.limits.found_above_maximum)
    if not _found(table, act):
        return no(table, clauses, f"{act.player} has no wager on box {act.box} outside the sign.")
    return None


def _found(table: Table, act: a.FindWager) -> str:
    """What is wrong with a wager: it is below the minimum, or the box is above the maximum; empty where nothing is."""
    box = table.boxes.get(act.box)
    if box is None:
        return ""
    wagers = box.hands[0].wagers if box.hands else box.wagers
    wager = wagers.get(act.player)
    if wager is None or wager.settled:
        return ""
    if wager.unnoticed and wager.cents < minimum_for(table, act.player):
        return "below"
    return "above" if any(over_by(table, box, name) for name in wagers) else ""


def over_by(table: Table, box: Box, player: str) -> int:
    """How much of a player's original wager is above the maximum, controller first, then the others in line."""
    wagers = box.hands[0].wagers if box.hands else box.wagers
    own = _state(table, player).maximum_cents
    most = max(own, table.house.maximum_cents)
    if table.rulebook.limits.maximum_scope.value == "player-box":
        return max(0, wagers[player].cents - most)
    line = list(wagers)
    left = most - sum(wagers[name].cents for name in line[: line.index(player)])
    return max(0, wagers[player].cents - max(0, left))


def cut_down(run: Run, number: int, player: str, excess: int, clauses: tuple[str, ...]) -> None:
    """Return what is above the maximum, on every hand of the box: a doubled portion is bounded by what is left."""
    box = run.table.boxes[number]
    if not box.hands:
        run.emit(e.WagerReturned(clauses, player, number, excess, ORIGINAL, "above-maximum"))
        return
    for index, hand in enumerate(box.hands):
        wager = hand.wagers.get(player)
        if wager is None or wager.settled:
            continue
        doubled = max(0, wager.doubled_cents - (wager.cents - excess))
        cents = min(excess, wager.cents) + doubled
        returned = e.WagerReturned(
            clauses, player, number, cents, ORIGINAL, "above-maximum", index, doubled_cents=doubled
        )
        run.emit(returned)


def find(run: Run, act: a.FindWager) -> None:
    table = run.table
    terms = table.rulebook.limits
    fault = _found(table, act)
    box = table.boxes[act.box]
    hand = 0 if box.hands else -1
    wagers = box.hands[0].wagers if box.hands else box.wagers
    cents = wagers[act.player].cents
    if fault == "below":
        clauses = terms.found_below_minimum.clauses
        if hand < 0:
            run.emit(e.WagerReturned(terms.sign.clauses, act.player, act.box, cents, ORIGINAL, "below-minimum"))
        elif terms.found_below_minimum.value == "valid":
            run.emit(e.WagerFound(clauses, act.player, act.box, cents, "valid"))
        elif _state(table, act.player).warned:
            run.emit(e.WagerReturned(clauses, act.player, act.box, cents, ORIGINAL, "below-minimum", hand))
        else:
            run.emit(e.WagerFound(clauses, act.player, act.box, cents, "warned"))
        return
    clauses = (
        both(terms.found_above_maximum, terms.cascade) if terms.cascade.value else terms.found_above_maximum.clauses
    )
    for name, excess in [(name, over_by(table, box, name)) for name in wagers]:
        if excess:
            run.emit(e.WagerFound(clauses, name, act.box, wagers[name].cents, "capped"))
            cut_down(run, act.box, name, excess, clauses)
