"""The sign: minima and maxima by player, box and kind of wager, units, own limits, restrictions."""

from __future__ import annotations

from pitboss.basics.money import dollars
from pitboss.rulebooks.meanings import (
    GIVES_UP_CALLING_ONLY,
    MAXIMUM_FOR_EACH_PLAYER,
    SMALL_WAGER_IS_MADE_UP,
    SMALL_WAGER_IS_VALID,
    handles,
)
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import ORIGINAL
from pitboss.table.chapters import carries_out
from pitboss.table.refusals import Refusal
from pitboss.table.run import Run, both, chips_left, heads, no, pass_control, refuse_box
from pitboss.table.state import STRANGER, Box, PlayerState, Table, Wager
from pitboss.table.tournament_play import turns


def _state(table: Table, player: str) -> PlayerState:
    return table.players.get(player) or STRANGER


def minimum_for(table: Table, player: str) -> int:
    """The least that this player may wager: the sign's, the lower one they may keep, or the one on their own sign."""
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
        if GIVES_UP_CALLING_ONLY[table.rulebook.boxes.several.value] and box is not None and box.wagers:
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
    state = table.players.get(act.player, STRANGER)
    minimum = house.minimum_cents
    if act.unnoticed:
        return None
    if state is not STRANGER:
        if state.minimum_cents:
            minimum = minimum_for(table, act.player)
        if state.warned and act.cents < minimum:
            clauses = both(terms.found_below_minimum, terms.sign)
            return no(table, clauses, f"{act.player} was told that wagers below {dollars(minimum)} go back.")
        if state.minimum_only and act.cents != minimum:
            text = f"{act.player} is restricted to the minimum: wager exactly {dollars(minimum)}."
            return no(table, restriction_clauses(table, state.restriction), text)
    if act.cents < minimum:
        clauses = terms.sign.clauses
        if minimum > house.minimum_cents:  # the sign of their own says so
            clauses = both(terms.personal_maximum_by, terms.sign)
        elif table.minimum_raised or any(other.minimum_cents for other in table.players.values()):
            clauses = heads(terms.sign) + terms.raise_keeps_old_minimum.clauses
        return no(table, clauses, f"the minimum is {dollars(minimum)}; {dollars(act.cents)} is below it.")
    if (house.multiples or table.compiled.in_multiples) and act.cents % minimum:
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
    if box is None and act.cents <= house.maximum_cents and not state.maximum_cents:
        return None
    return refuse_maximum(table, act, box, state)


def refuse_maximum(table: Table, act: a.PlaceWager, box: Box | None, state: PlayerState) -> Refusal | None:
    """The maximum is for the box or for each player on it; a player with their own maximum has that for themselves."""
    terms, house = table.rulebook.limits, table.house
    on_box = box.wagers if box else {}
    if not on_box and not state.maximum_cents and act.cents <= house.maximum_cents:
        return None
    others = sum(wager.cents for wager in on_box.values())
    if MAXIMUM_FOR_EACH_PLAYER[terms.maximum_scope.value]:
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
    if act.cents > left and not (act.cents <= house.maximum_cents and has_first_option(table, act, on_box)):
        steps = terms.cascade.value
        step = steps[min(len(on_box), len(steps) - 1)] if steps else None
        clauses = heads(terms.maximum_scope, terms.sign)
        if step is not None:
            clauses = (step, *(clause for clause in clauses if clause != step))
        if any(_state(table, name).maximum_cents for name in on_box):
            clauses = heads(terms.beside_personal_maximum) + clauses
        if not on_box:
            text = f"the maximum is {dollars(house.maximum_cents)}; {dollars(act.cents)} is above it."
        elif left < minimum_for(table, act.player):
            text = f"box {act.box} is full: its maximum of {dollars(house.maximum_cents)} is wagered."
        else:
            text = f"box {act.box} takes {dollars(house.maximum_cents)} in all: at most {dollars(left)} more."
        return no(table, clauses, text)
    return None


def has_first_option(table: Table, act: a.PlaceWager, on_box: dict[str, Wager]) -> bool:
    """Whether a player comes before everybody who has wagered on the box already: they sit at it and will control it.

    Who would control it by the wager alone does not: it is not placed yet.
    """
    return bool(
        table.rulebook.limits.cascade.value
        and _state(table, act.player).seat == act.box
        and table.rulebook.boxes.control.value[0] == "seated"
        and not any(_state(table, name).maximum_cents for name in (act.player, *on_box))
    )


def make_room(table: Table, act: a.PlaceWager, box: Box) -> list[tuple[str, int]]:
    """What goes back to whom when a player with the first option wagers on a box, the last in line first to give way.

    Nothing below the minimum stays.
    """
    if act.unnoticed or not has_first_option(table, act, box.wagers):
        return []
    left = table.house.maximum_cents - act.cents
    back: list[tuple[str, int]] = []
    for name, wager in box.wagers.items():
        stays = min(wager.cents, left)
        if stays < wager.cents:
            stays = stays if stays >= minimum_for(table, name) else 0
            back.append((name, wager.cents - stays))
        left -= stays
    return back


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
        return no(table, clauses, f"{act.player} has no wager on box {act.box} outside the limits.")
    return None


def _found(table: Table, act: a.FindWager) -> str:
    """What is wrong with a wager: it is below the minimum, or the box is above the maximum; empty where nothing is."""
    box = table.boxes.get(act.box)
    if table.session is not None and (odd := turns.found_in_session(table, act.player, act.box)):
        return odd
    open_wagers = [wagers[act.player] for wagers in _layers(box) if _is_open(wagers, act.player)] if box else []
    if box is None or not open_wagers:
        return "settled" if settled_small(table, act.player, act.box) else ""
    if any(wager.unnoticed and wager.cents < minimum_for(table, act.player) for wager in open_wagers):
        return "below"
    above = any(_is_open(wagers, name) and over_by(table, wagers, name) for wagers in _layers(box) for name in wagers)
    return "above" if above or _optional_over(table, box, act.player) else ""


def settled_small(table: Table, player: str, box: int) -> int:
    """What a player wagered below the minimum on a box in this round or the last, settled and unnoticed; 0 for none.

    The last is over with the first card of the next.
    """
    least = minimum_for(table, player)
    made = table.last_small if table.phase == "wagers" else table.small_wagers
    return next((cents for name, where, cents in made if (name, where) == (player, box) and cents < least), 0)


def small_results(table: Table, player: str, box: int) -> list[tuple[str, int, int]]:
    """What a small wager brought that was settled in this round, by hand, or in the last one, as a whole."""
    if table.phase == "wagers":
        return [
            (ORIGINAL, 0, cents)
            for name, where, cents in table.small_results
            if cents and (name, where) == (player, box)
        ]
    return table.boxes[box].brought(player)


def _optional_over(table: Table, box: Box, player: str) -> list[tuple[str, int]]:
    """By how much the optional wagers of a player that still lie on a box are above their sign."""
    signs = table.house.side_limits
    over = [(kind, wagers.get(player, 0) - signs[kind][1]) for kind, wagers in box.side.items() if kind in signs]
    return [(kind, excess) for kind, excess in over if excess > 0]


def _layers(box: Box) -> list[dict[str, Wager]]:
    """The original wagers of a box: those before the deal, or those on each of its hands."""
    return [hand.wagers for hand in box.hands] or [box.wagers]


def _is_open(wagers: dict[str, Wager], player: str) -> bool:
    return player in wagers and not wagers[player].settled


def over_by(table: Table, wagers: dict[str, Wager], player: str) -> int:
    """How much of a player's wager on a hand is above the maximum, controller first, then the others in line."""
    own = _state(table, player).maximum_cents
    most = max(own, table.house.maximum_cents)
    if MAXIMUM_FOR_EACH_PLAYER[table.rulebook.limits.maximum_scope.value]:
        return max(0, wagers[player].cents - most)
    line = list(wagers)
    before = sum(wagers[name].cents for name in line[: line.index(player)])
    left = table.house.maximum_cents - before if before else most  # beside others their own maximum does not count
    return max(0, wagers[player].cents - max(0, left))


def cut_down(
    run: Run, number: int, index: int, player: str, excess: int, reason: str, clauses: tuple[str, ...]
) -> None:
    """Return so much of a player's wager on a hand, and what was measured on it.

    A doubled portion, the wager of a split that is still being answered and half of it for an insurance are bounded by
    what is left.
    """
    box = run.table.boxes[number]
    hand = box.hands[index]
    wager = hand.wagers[player]
    left = wager.cents - excess
    doubled = max(0, wager.doubled_cents - left)
    returned = e.WagerReturned(
        clauses, player, number, excess + doubled, ORIGINAL, reason, index, doubled_cents=doubled
    )
    run.emit(returned)
    if player in hand.matching and hand.matching[player].cents > left:
        cents = hand.matching[player].cents - left
        run.emit(e.WagerReturned(clauses, player, number, cents, ORIGINAL, reason, e.OF_ANSWERED_SPLIT))
    if 2 * box.insurance.get(player, 0) > left:
        cents = box.insurance[player] - left // 2
        run.emit(e.WagerReturned(clauses, player, number, cents, "insurance", reason, e.OF_INSURANCE))


handles("limits.above_clauses", "alone shared")


def above_clauses(table: Table, line: list[str], player: str) -> tuple[str, ...]:
    """What is said of a wager above the maximum: of one alone, or of one in the order of those who share the box."""
    terms = table.rulebook.limits
    said = terms.above_clauses.value
    order = terms.cascade.value
    if not said:  # a text without such clauses
        return both(terms.found_above_maximum, terms.cascade) if order else terms.found_above_maximum.clauses
    if len(line) == 1:
        return (said["alone"],)
    return (said["shared"], order[min(line.index(player), len(order) - 1)]) if order else (said["shared"],)


def drop_units(run: Run, act: a.FindWager) -> None:
    """Of a wager with an incomplete increment the complete ones stand, up to the maximum."""
    table = run.table
    box = table.boxes[act.box]
    clauses = table.rulebook.tournament.units.clauses
    least = table.house.minimum_cents
    for index, wagers in enumerate(_layers(box)):
        if not _is_open(wagers, act.player):
            continue
        cents = wagers[act.player].cents
        odd = cents - min(cents, table.house.maximum_cents) // least * least
        if odd and box.hands:
            cut_down(run, act.box, index, act.player, odd, "incomplete", clauses)
        elif odd:
            run.emit(e.WagerReturned(clauses, act.player, act.box, odd, ORIGINAL, "incomplete"))


def make_up(run: Run, act: a.FindWager) -> None:
    """A wager below the minimum is made up to it; who cannot do that has no hand any more, and is out."""
    table = run.table
    box = table.boxes[act.box]
    clauses = table.rulebook.limits.found_below_minimum.clauses
    least = minimum_for(table, act.player)
    open_on = [index for index, wagers in enumerate(_layers(box)) if _is_open(wagers, act.player)]
    lacking = {index: least - _layers(box)[index][act.player].cents for index in open_on}
    if sum(lacking.values()) <= (chips_left(table, act.player) or 0):
        for index, cents in lacking.items():
            hand = index if box.hands else e.BEFORE_THE_HANDS
            run.emit(e.WagerMadeUp(clauses, act.player, act.box, cents, hand))
        return
    if not box.hands:
        cents = box.wagers[act.player].cents
        run.emit(e.WagerReturned(clauses, act.player, act.box, cents, ORIGINAL, "below-minimum"))
        run.emit(e.PlayerEliminated(clauses, act.player, act.box, chips_left(table, act.player) or 0))
        return
    for index in open_on:
        cents = box.hands[index].wagers[act.player].cents
        cut_down(run, act.box, index, act.player, cents, "below-minimum", clauses)
        if box.hands[index].cards:
            run.emit(e.CardsCleared(clauses, act.box, index))
    # they have less than the minimum, and are out when the round is over


@carries_out(a.FindWager, refuse_find)
def find(run: Run, act: a.FindWager) -> None:
    table = run.table
    terms = table.rulebook.limits
    fault = _found(table, act)
    if fault == "settled":
        cents, term = settled_small(table, act.player, act.box), terms.found_below_minimum
        if SMALL_WAGER_IS_VALID[term.value]:
            outcome = "valid"
        else:
            outcome = "returned" if _state(table, act.player).warned else "warned"
        brought = small_results(table, act.player, act.box) if outcome == "returned" else []
        run.emit(e.WagerFound(term.clauses, act.player, act.box, cents, outcome, True))
        for kind, number, result in brought:
            run.emit(e.ResultUndone(term.clauses, act.player, act.box, result, kind, number))
        if brought and table.phase != "wagers":
            pass_control(run, act.player, term.clauses)
        return
    box = table.boxes[act.box]
    cents = next(wagers[act.player].cents for wagers in _layers(box) if _is_open(wagers, act.player))
    if fault == "early":
        run.emit(e.WagerReturned(turns.cite(table, "out-of-turn"), act.player, act.box, cents, ORIGINAL, "out-of-turn"))
        return
    if fault == "units":
        drop_units(run, act)
        return
    if fault == "below" and SMALL_WAGER_IS_MADE_UP[terms.found_below_minimum.value]:
        make_up(run, act)
        return
    if fault == "below":
        clauses = terms.found_below_minimum.clauses
        if not box.hands:
            run.emit(e.WagerReturned(terms.sign.clauses, act.player, act.box, cents, ORIGINAL, "below-minimum"))
        elif SMALL_WAGER_IS_VALID[terms.found_below_minimum.value]:
            run.emit(e.WagerFound(clauses, act.player, act.box, cents, "valid"))
        elif _state(table, act.player).warned:
            for index, hand in enumerate(box.hands):
                if _is_open(hand.wagers, act.player):
                    whole = hand.wagers[act.player].cents
                    cut_down(run, act.box, index, act.player, whole, "below-minimum", clauses)
            pass_control(run, act.player, clauses)
        else:
            run.emit(e.WagerFound(clauses, act.player, act.box, cents, "warned"))
        return
    told: dict[str, tuple[str, ...]] = {}
    for index, wagers in enumerate(_layers(box)):
        for name, excess in [(name, over_by(table, wagers, name)) for name in wagers]:
            if not excess or not _is_open(wagers, name):
                continue
            clauses = above_clauses(table, list(wagers), name)
            if name not in told:
                told[name] = clauses
                run.emit(e.WagerFound(clauses, name, act.box, wagers[name].cents, "capped"))
            if box.hands:
                cut_down(run, act.box, index, name, excess, "above-maximum", clauses)
            else:
                run.emit(e.WagerReturned(clauses, name, act.box, excess, ORIGINAL, "above-maximum"))
    for name, clauses in told.items():
        pass_control(run, name, clauses)
    for kind, excess in _optional_over(table, box, act.player):
        clauses = above_clauses(table, [act.player], act.player) + terms.sign.clauses
        run.emit(e.WagerReturned(clauses, act.player, act.box, excess, kind, "above-maximum"))
