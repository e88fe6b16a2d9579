"""Placing and taking back wagers, who may wager where, and who calls the decisions on a shared box."""

from __future__ import annotations

import re

from pitboss.basics.money import dollars
from pitboss.rulebooks.meanings import handles
from pitboss.rulebooks.terms import SideBet
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table import limits
from pitboss.table.acts import ORIGINAL
from pitboss.table.blazing_sevens import blazing_taken_by, refuse_blazing
from pitboss.table.chapters import carries_out
from pitboss.table.house import BLAZING
from pitboss.table.pairs import displaced_by, refuse_side_bet
from pitboss.table.refusals import Refusal
from pitboss.table.roles import ROLES
from pitboss.table.run import (
    Run,
    both,
    chips_left,
    heads,
    no,
    refuse_amount,
    refuse_barred,
    refuse_box,
    refuse_chips,
    refuse_funds,
    refuse_role,
    refuse_without_card,
)
from pitboss.table.state import STRANGER, Box, Table
from pitboss.table.tournament_play import turns

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")
RESERVED_NAMES = frozenset(ROLES) | {"supervisor", "link", "device", "float", "jackpot", "house"}


def is_name(text: str) -> bool:
    """Names are 1 to 32 letters, digits, _ or -, beginning with a letter, and no word for staff."""
    return NAME.fullmatch(text) is not None and text not in RESERVED_NAMES


def refuse_name(table: Table, player: str) -> Refusal | None:
    if player in table.net:
        return None  # the name was looked at when they came
    if not isinstance(player, str) or not is_name(player):
        text = f"{player!r} cannot be a player's name: use letters, digits, _ or -, beginning with a letter."
        return no(table, table.rulebook.boxes.players_max.clauses, text)
    return None


def refuse_newcomer(table: Table, player: str) -> Refusal | None:
    """Whether somebody who is not at the table yet may join it."""
    state = table.players.get(player)
    if state is not None and state.present:
        return None
    if table.players_cap and sum(p.present for p in table.players.values()) >= table.players_cap:
        clauses = table.rulebook.boxes.players_capped_by.clauses
        return no(table, clauses, f"the table is limited to {table.players_cap} players.")
    return None


def refuse_betting(table: Table) -> Refusal | None:
    """Wagers are placed and changed only before the first card, and not after "no more bets"."""
    if table.phase != "wagers":
        text = "the first card has left: no wager is placed, changed or withdrawn until the round is over."
        return no(table, closed_by_a_card(table), text)
    if table.betting_closed:
        if table.card_left:
            text = "a card has left already: no wager is placed, changed or withdrawn until the round is over."
            return no(table, closed_by_a_card(table), text)
        clauses = heads(table.rulebook.wagers.locked, table.rulebook.deal.call)
        return no(table, clauses, '"no more bets" has been called: wait for the next round.')
    return None


def closed_by_a_card(table: Table) -> tuple[str, ...]:
    """By which rules the first card that leaves closes the betting."""
    terms = table.rulebook.wagers
    return heads(terms.locked, terms.before_first_card) + terms.locked.clauses


def originals_of(table: Table, player: str) -> list[Box]:
    """The boxes on which a player has an original wager before the deal."""
    return [box for box in table.boxes.values() if player in box.wagers]


def refuse_place(table: Table, act: a.PlaceWager) -> Refusal | None:
    """Why this wager may not be placed now, or None if it may."""
    state = table.players.get(act.player)
    ordinary = (
        (
            state is STRANGER
            or (
                state is not None
                and state.present
                and state.card
                and not (state.barred or state.paused or state.card_due)
            )
        )
        and table.phase == "wagers"
        and not table.betting_closed
        and type(act.cents) is int
        and act.cents > 0
        and type(act.box) is int
        and 1 <= act.box <= table.house.boxes
    )
    if not ordinary:  # somebody new, or something to explain
        refused = (
            refuse_name(table, act.player)
            or refuse_box(table, act.box)
            or refuse_betting(table)
            or refuse_amount(table, act.cents)
            or refuse_person(table, act.player)
        )
        if refused:
            bet = table.rulebook.side_bets.get(act.kind)
            if bet is not None and bet.offered.value:
                return no(table, of_optional_wager(table, refused, bet), refused.text)
            return refused
    if act.token_cents and table.session is None:
        terms = table.rulebook.wagers
        if "promotional-tokens" not in terms.means.value:
            return no(table, terms.means.clauses, "wagers are made in chips; promotional tokens are not accepted.")
        if type(act.token_cents) is not int or not 0 < act.token_cents <= act.cents:
            return no(table, terms.means.clauses, "the tokens are a part of the wager, at most all of it.")
        held = state.tokens_cents if state is not None else 0
        if table.house.counted and act.token_cents > held:
            text = f"{act.player} has {dollars(held)} in promotional tokens, not {dollars(act.token_cents)}."
            return no(table, terms.means.clauses, text)
    owner = table.reserved.get(act.box) if table.reserved else None
    if owner is not None and owner != act.player:
        return no(table, table.rulebook.boxes.reserved_by.clauses, f"box {act.box} is reserved for {owner}.")
    if table.session is not None:
        refused = turns.refuse_wager(table, act)
        if refused is not None:
            return refused
    box = table.boxes.get(act.box)
    if act.kind == ORIGINAL:
        refused = refuse_original(table, act, box)
    elif act.kind == BLAZING:
        refused = refuse_blazing(table, act, box)
    else:
        refused = refuse_side_bet(table, act, box)
    if refused is not None or state is STRANGER:
        return refused
    return refuse_funds(table, act.player, act.cents, tokens=act.token_cents, unnoticed=act.unnoticed)


def of_optional_wager(table: Table, refused: Refusal, bet: SideBet) -> tuple[str, ...]:
    """Why an optional wager is refused as any other: what refuses it, and the rules of its own on when it is placed."""
    before = table.rulebook.wagers.before_first_card.clauses
    offered = bet.offered.clauses
    own = (
        tuple(clause for clause in offered if clause in before)
        or tuple(clause for clause in offered if "def:" not in clause)[-1:]
    )
    return refused.clauses[: max(1, MOST_TELLING - len(own))] + own


MOST_TELLING = 4
"""So many clauses say why something is refused; more would hide it."""


def refuse_person(table: Table, player: str) -> Refusal | None:
    """Player card and cap on players; the patron's file is kept elsewhere, this is where it bites."""
    refused = refuse_barred(table, player)
    if refused is not None:
        return refused
    state = table.players.get(player)
    if state is not None and state.paused:
        clauses = table.rulebook.irregularities.loss_limit_pause_by.clauses
        return no(table, clauses, f"{player} pauses until the new period of the loss limit.")
    return refuse_without_card(table, player) or refuse_newcomer(table, player)


def refuse_original(table: Table, act: a.PlaceWager, box: Box | None) -> Refusal | None:
    refused = refuse_another(table, act, box) if box is not None and box.wagers else None
    if refused is None and table.players.get(act.player) is not STRANGER:
        refused = limits.refuse_boxes(table, act)
    return refused or limits.refuse_limits(table, act, box)


def refuse_another(table: Table, act: a.PlaceWager, box: Box) -> Refusal | None:
    """Why a box with wagers takes no other one of this player, or None if it does."""
    boxes = table.rulebook.boxes
    on_box = box.wagers
    if act.player in on_box:
        text = f"{act.player} already has a wager on box {act.box}: one a player a box. Withdraw it to change it."
        return no(table, both(boxes.wagers_per_player, boxes.players_max), text)
    most = boxes.players_max.value
    if len(on_box) >= most:
        return no(table, boxes.players_max.clauses, f"box {act.box} has {most} wagers: no more than {most} on a box.")
    if table.box_cap and len(on_box) >= table.box_cap:
        clauses = boxes.box_players_capped_by.clauses
        return no(table, clauses, f"boxes are limited to {table.box_cap} player{'s' * (table.box_cap > 1)} each.")
    return None


@carries_out(a.PlaceWager, refuse_place)
def place(run: Run, act: a.PlaceWager) -> None:
    table = run.table
    if table.session is not None and act.kind == ORIGINAL:
        turns.take_turn(run, act)
    if act.kind == ORIGINAL:
        box = table.boxes.get(act.box)
        if box is not None and box.wagers:
            give_way(run, act, box)
    if act.kind == ORIGINAL and not act.token_cents:
        run.emit(e.WagerPlaced(table.compiled.placed, act.player, act.box, act.cents, unnoticed=act.unnoticed))
        return
    rulebook = table.rulebook
    if act.kind == BLAZING:
        clauses = both(rulebook.blazing_7s.access, rulebook.blazing_7s.amounts_cents)
        holder = blazing_taken_by(table, act.box)
        if holder is not None:
            cents = table.boxes[act.box].side[BLAZING][holder]
            why = both(rulebook.blazing_7s.per_box, rulebook.blazing_7s.priority)
            run.emit(e.WagerReturned(why, holder, act.box, cents, BLAZING, "displaced"))
    elif act.kind != ORIGINAL:
        bet = rulebook.side_bets[act.kind]
        clauses = both(bet.access, bet.settled)
        holder = displaced_by(table, act)
        if holder is not None:
            cents = table.boxes[act.box].side[act.kind][holder]
            run.emit(e.WagerReturned(bet.preference.clauses, holder, act.box, cents, act.kind, "displaced"))
    else:
        clauses = table.compiled.placed + rulebook.wagers.means.clauses
    run.emit(e.WagerPlaced(clauses, act.player, act.box, act.cents, act.kind, act.token_cents, act.unnoticed))


def give_way(run: Run, act: a.PlaceWager, box: Box) -> None:
    """The others on a box give back what is too much beside one who has the first option."""
    for name, cents in limits.make_room(run.table, act, box):
        clauses = run.table.rulebook.limits.cascade.clauses
        if cents == box.wagers[name].cents:
            give_back(run, name, act.box, ORIGINAL, "displaced", clauses)
        else:
            run.emit(e.WagerReturned(clauses, name, act.box, cents, ORIGINAL, "displaced"))


def wager_before_deal(table: Table, player: str, box: int, kind: str) -> int:
    """Cents of a wager that stands before the deal; 0 where there is none."""
    area = table.boxes.get(box)
    if area is None:
        return 0
    if kind == ORIGINAL:
        return area.wagers[player].cents if player in area.wagers else 0
    return area.side.get(kind, {}).get(player, 0)


def refuse_withdraw(table: Table, act: a.WithdrawWager) -> Refusal | None:
    refused = refuse_betting(table)
    if refused:
        return refused
    if not wager_before_deal(table, act.player, act.box, act.kind):
        clauses = table.rulebook.wagers.before_first_card.clauses
        return no(table, clauses, f"{act.player} has no such wager on box {act.box} to withdraw.")
    return turns.refuse_withdrawal(table, act.player) if table.session is not None else None


@carries_out(a.WithdrawWager, refuse_withdraw)
def withdraw(run: Run, act: a.WithdrawWager) -> None:
    give_back(run, act.player, act.box, act.kind, "withdrawn", both_of(run.table))


def both_of(table: Table) -> tuple[str, ...]:
    return heads(table.rulebook.wagers.locked, table.rulebook.wagers.before_first_card)


def give_back(
    run: Run, player: str, box: int, kind: str, reason: str, clauses: tuple[str, ...], by: str = "", why: str = ""
) -> None:
    """Return a wager before the deal, and optional wagers that cannot stand without it."""
    cents = wager_before_deal(run.table, player, box, kind)
    tokens = 0
    if kind == ORIGINAL:
        tokens = run.table.boxes[box].wagers[player].token_cents
    run.emit(e.WagerReturned(clauses, player, box, cents, kind, reason, token_cents=tokens, by=by, why=why))
    if kind == ORIGINAL:
        blazing = run.table.boxes.get(box)
        if blazing is not None and player in blazing.side.get(BLAZING, {}):
            give_back(run, player, box, BLAZING, "void", run.table.rulebook.blazing_7s.access.clauses)


# --- seats -----------------------------------------------------------------------------------------------------------


def refuse_seat(table: Table, act: a.TakeSeat) -> Refusal | None:
    refused = refuse_name(table, act.player) or refuse_box(table, act.box) or refuse_newcomer(table, act.player)
    if refused is None and table.session is not None:
        refused = turns.refuse_other_seat(table, act.player, act.box)
    if refused:
        return refused
    clauses = table.compiled.control
    state = table.players.get(act.player)
    if state is not None and state.excluded:
        text = f"{act.player} is excluded from the casino: {state.barred}."
        return no(table, table.rulebook.patrons.excluded_by.clauses, text)
    if table.phase != "wagers" or table.betting_closed:
        return no(table, clauses, "control was settled before this round: take the seat when it is over.")
    for name, state in table.players.items():
        if state.seat == act.box and name != act.player:
            return no(table, clauses, f"{name} is seated at box {act.box}.")
    owner = table.reserved.get(act.box)
    if owner is not None and owner != act.player:
        return no(table, table.rulebook.boxes.reserved_by.clauses, f"box {act.box} is reserved for {owner}.")
    return None


@carries_out(a.TakeSeat, refuse_seat)
def take_seat(run: Run, act: a.TakeSeat) -> None:
    run.emit(e.SeatTaken(run.table.compiled.control, act.player, act.box))


def refuse_leave(table: Table, act: a.LeaveTable) -> Refusal | None:
    clauses = both_of(table)
    state = table.players.get(act.player)
    if state is None or not state.present:
        return no(table, clauses, f"{act.player} is not at the table.")
    refused = turns.refuse_chips_moved(table, act.player, more=False)
    if refused is not None:
        return refused
    if act.player in table.round_players:
        return no(table, clauses, f"{act.player} takes part in the round: wait for it to end.")
    if any(
        act.player in box.wagers or any(act.player in kind for kind in box.side.values())
        for box in table.boxes.values()
    ):
        return no(table, clauses, f"{act.player} has wagers on the table: withdraw them, or wait for the round to end.")
    return None


@carries_out(a.LeaveTable, refuse_leave)
def leave(run: Run, act: a.LeaveTable) -> None:
    take_away(run, act.player, chips_left(run.table, act.player) or 0)
    run.emit(e.TableLeft(both(run.table.rulebook.limits.raise_keeps_old_minimum), act.player))


def take_away(run: Run, player: str, cents: int) -> None:
    """Chips go from the table with a player; where they are not counted nobody asks how many."""
    if cents > 0 and run.table.house.counted:
        run.emit(e.ChipsTaken(run.table.rulebook.wagers.means.clauses, player, cents))


def refuse_buy(table: Table, act: a.BuyChips) -> Refusal | None:
    refused = (
        turns.refuse_chips_moved(table, act.player, more=True)
        or refuse_name(table, act.player)
        or refuse_amount(table, act.cents)
        or refuse_person(table, act.player)
    )
    if refused:
        return refused
    state = table.players.get(act.player)
    if state is not None and state.deposit_limit_cents is not None and act.cents > state.deposit_limit_cents:
        left = dollars(max(0, state.deposit_limit_cents))
        clauses = table.rulebook.wagers.deposit_limit.clauses
        return no(table, clauses, f"{act.player} may deposit no more than {left} today.")
    return None


@carries_out(a.BuyChips, refuse_buy)
def buy(run: Run, act: a.BuyChips) -> None:
    run.emit(e.ChipsBought(run.table.rulebook.wagers.means.clauses, act.player, act.cents))


def refuse_uncounted(table: Table) -> Refusal | None:
    if table.house.counted:
        return None
    return no(table, table.rulebook.wagers.means.clauses, "chips are not counted at this table: everybody has enough.")


def refuse_bring(table: Table, act: a.BringChips) -> Refusal | None:
    return (
        turns.refuse_chips_moved(table, act.player, more=True)
        or refuse_name(table, act.player)
        or refuse_amount(table, act.cents)
        or refuse_uncounted(table)
        or refuse_person(table, act.player)
    )


@carries_out(a.BringChips, refuse_bring)
def bring(run: Run, act: a.BringChips) -> None:
    run.emit(e.ChipsBrought(run.table.rulebook.wagers.means.clauses, act.player, act.cents))


def refuse_take(table: Table, act: a.TakeChips) -> Refusal | None:
    return (
        turns.refuse_chips_moved(table, act.player, more=False)
        or refuse_name(table, act.player)
        or refuse_amount(table, act.cents)
        or refuse_uncounted(table)
        or refuse_chips(table, act.player, act.cents)
    )


@carries_out(a.TakeChips, refuse_take)
def take(run: Run, act: a.TakeChips) -> None:
    take_away(run, act.player, act.cents)


def refuse_cash(table: Table, act: a.CashChips) -> Refusal | None:
    refused = refuse_role(table, act.by, table.rulebook.wagers.float_by, "give cash for chips")
    return (
        refused
        or turns.refuse_chips_moved(table, act.player, more=False)
        or refuse_name(table, act.player)
        or refuse_amount(table, act.cents)
        or refuse_uncounted(table)
        or refuse_chips(table, act.player, act.cents)
    )


@carries_out(a.CashChips, refuse_cash)
def cash(run: Run, act: a.CashChips) -> None:
    terms = run.table.rulebook.wagers
    run.emit(e.ChipsCashed(both(terms.changed_by, terms.float_by), act.by, act.player, act.cents))


# --- chips and the float ---------------------------------------------------------------------------------------------


def refuse_change(table: Table, act: a.ChangeColour) -> Refusal | None:
    refused = refuse_name(table, act.player) or refuse_amount(table, act.cents) or refuse_person(table, act.player)
    if refused:
        return refused
    clauses = table.rulebook.wagers.changed_by.clauses
    if act.chip_cents not in table.house.chips_cents:
        chips = ", ".join(dollars(cents) for cents in table.house.chips_cents)
        return no(table, clauses, f"the float has no chips of that value: it has {chips}.")
    if act.cents % act.chip_cents:
        return no(table, clauses, f"{dollars(act.cents)} is not a whole number of {dollars(act.chip_cents)} chips.")
    return refuse_chips(table, act.player, act.cents, clauses)


@carries_out(a.ChangeColour, refuse_change)
def change_colour(run: Run, act: a.ChangeColour) -> None:
    run.emit(e.ColoursChanged(run.table.rulebook.wagers.changed_by.clauses, act.player, act.cents, act.chip_cents))


def refuse_tokens(table: Table, act: a.IssueTokens) -> Refusal | None:
    term = table.rulebook.wagers.tokens_by
    refused = refuse_role(table, act.by, term, "change a voucher into promotional tokens")
    return (
        refused
        or turns.refuse_chips_moved(table, act.player, more=True)
        or refuse_name(table, act.player)
        or refuse_amount(table, act.cents)
        or refuse_person(table, act.player)
    )


@carries_out(a.IssueTokens, refuse_tokens)
def issue_tokens(run: Run, act: a.IssueTokens) -> None:
    run.emit(e.TokensIssued(run.table.rulebook.wagers.tokens_by.clauses, act.by, act.player, act.cents))


def refuse_float(table: Table, act: a.FillFloat | a.CreditFloat) -> Refusal | None:
    term = table.rulebook.wagers.float_by
    refused = refuse_role(table, act.by, term, "have the float filled or credited")
    if refused:
        return refused
    if type(act.cents) is not int or act.cents <= 0 or act.cents % table.house.smallest_chip_cents:
        least = dollars(table.house.smallest_chip_cents)
        return no(table, term.clauses, f"chips are an amount above zero that chips of {least} make.")
    return None


@carries_out(a.FillFloat, refuse_float)
def fill_float(run: Run, act: a.FillFloat) -> None:
    run.emit(e.FloatFilled(run.table.rulebook.wagers.float_by.clauses, act.by, act.cents))


@carries_out(a.CreditFloat, refuse_float)
def credit_float(run: Run, act: a.CreditFloat) -> None:
    run.emit(e.FloatCredited(run.table.rulebook.wagers.float_by.clauses, act.by, act.cents))


# --- control ---------------------------------------------------------------------------------------------------------


CONTROLS = ("seated", "highest", "nearest")
handles("boxes.control boxes.control_clauses blazing_7s.priority", CONTROLS)
handles("wagers.means", "chips promotional-tokens tournament-chips")


def control_of(table: Table, box: Box) -> tuple[str, str]:
    """Who calls the decisions on a box and by which clause; "" where everybody has declined.

    The order is the rulebook's: the player seated there, the highest wager, the one nearest the dealer (placed first).
    """
    clauses = table.rulebook.boxes.control_clauses.value
    willing = [name for name in box.wagers if name not in box.declined_control]
    if len(willing) > 1:
        willing = [name for name in willing if not gave_up_control(table, name, box.number)] or willing
    if not willing:
        return "", table.rulebook.boxes.control_declinable.clause
    for way in table.rulebook.boxes.control.value:
        if way == "seated":
            for name in willing:
                if table.players[name].seat == box.number:
                    return name, clauses[way]
        elif way == "highest" and not box.declined_control:
            highest = max(box.wagers[name].cents for name in willing)
            leading = [name for name in willing if box.wagers[name].cents == highest]
            if len(leading) < len(willing):
                return leading[0], clauses[way]
        elif way == "nearest":
            return willing[0], clauses[way]
    return willing[0], table.rulebook.boxes.control.clause


def gave_up_control(table: Table, player: str, box: int) -> bool:
    """Whether a player held to so many boxes calls others than this one: their seat's first, then from the left."""
    state = table.players[player]
    if not state.boxes_limit:
        return False
    held = sorted(originals_of(table, player), key=lambda area: (area.number != state.seat, area.number))
    return box not in [area.number for area in held[: state.boxes_limit]]


def control_clause(table: Table, box: Box) -> tuple[str, ...]:
    """The clauses by which the controller of a dealt box has it."""
    clauses = table.rulebook.boxes.control_clauses.value
    seated = table.players[box.controller].seat == box.number
    if seated and "seated" in clauses:
        return (clauses["seated"], *table.compiled.control[:1])
    if "highest" in clauses:
        wagers = box.hands[0].wagers
        others = [wager.cents for name, wager in wagers.items() if name != box.controller]
        way = (
            "highest"
            if box.controller in wagers and any(wagers[box.controller].cents > c for c in others)
            else "nearest"
        )
        return (clauses[way], *table.compiled.control[:1])
    return (clauses["nearest"], *table.compiled.control[:1])


def refuse_decline_control(table: Table, act: a.DeclineControl) -> Refusal | None:
    refused = refuse_betting(table)
    if refused:
        return refused
    term = table.rulebook.boxes.control_declinable
    if not term.value:
        return no(table, both(term, table.rulebook.boxes.control), "control of a box cannot be declined.")
    box = table.boxes.get(act.box)
    if box is None or act.player not in box.wagers:
        return no(table, term.clauses, f"{act.player} has no wager on box {act.box}.")
    if len(box.wagers) < 2:
        return no(table, term.clauses, f"{act.player} is alone on box {act.box}: there is nobody to pass control to.")
    if control_of(table, box)[0] != act.player:
        return no(table, term.clauses, f"control of box {act.box} is not offered to {act.player}.")
    return None


@carries_out(a.DeclineControl, refuse_decline_control)
def decline_control(run: Run, act: a.DeclineControl) -> None:
    run.emit(e.ControlDeclined(run.table.rulebook.boxes.control_declinable.clauses, act.player, act.box))
