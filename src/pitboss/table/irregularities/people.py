"""Players who are absent, whose wagers are invalid or exceed a loss limit, and measures against a person."""

from __future__ import annotations

import re

from pitboss.rulebooks.meanings import (
    ABSENT_GETS_NO_CARDS,
    BARRED_FOR,
    CONTROL_PASSES_FIRST,
    INTERIM_GOES_BACK,
    KNOWS_INVALID_WAGERS,
    LOSS_EXCESS_GOES_BACK,
    MAY_BE_DETAINED,
    handles,
)
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import ORIGINAL
from pitboss.table.chapters import carries_out
from pitboss.table.house import BLAZING
from pitboss.table.irregularities.money import interim_clauses, return_jackpot_wager, return_wager, return_wagers
from pitboss.table.irregularities.reports import report
from pitboss.table.refusals import Refusal
from pitboss.table.roles import may_act
from pitboss.table.run import (
    Run,
    both,
    heads,
    live_wagers,
    narrowed,
    no,
    pass_control,
    refuse_barred,
    refuse_role,
    refuse_without_card,
)
from pitboss.table.state import Table
from pitboss.table.subsequent_deal import forfeit_waits_for
from pitboss.table.wagers import give_back, refuse_name

# --- absent players --------------------------------------------------------------------------------------------------


def refuse_pass_over(table: Table, act: a.PassOver) -> Refusal | None:
    term = table.rulebook.irregularities.absent_player
    box = table.boxes.get(act.box)
    if table.phase == "surrender" and box is not None and act.player in box.hands[0].asked:
        return None
    turn = table.phase in ("play", "late") and table.turn_box == act.box
    if not turn or box is None or table.preparation != "ready":
        return no(table, term.clauses, f"{act.player}'s decision on box {act.box} is not awaited now.")
    hand = table.hand_to_act()
    waiting = hand.asked if hand.asking else forfeit_waits_for(table, hand) if hand.doubled else [box.controller]
    if act.player not in waiting:
        return no(table, term.clauses, f"{act.player}'s decision on box {act.box} is not awaited now.")
    return None


@carries_out(a.PassOver, refuse_pass_over)
def pass_over(run: Run, act: a.PassOver) -> None:
    """Control passes to another on the box; where there is nobody, the rulebook says what the hand gets."""
    table = run.table
    terms = table.rulebook.irregularities
    box, index = (act.box, 0) if table.phase == "surrender" else (table.turn_box, table.turn_hand)
    hand = table.boxes[box].hands[index]
    clauses = terms.absent_player.clauses
    report(run, "player-absent", terms.absent_player, listed=False)
    run.emit(e.PlayerPassedOver(clauses, box, index, act.player))
    if hand.asking == "surrender":
        run.emit(e.SurrenderDeclined(table.rulebook.surrender.others.clauses, act.player, box))
    elif hand.asking == "double":
        run.emit(e.DoubleDeclined(table.rulebook.doubling.others.clauses, box, index, act.player))
    elif hand.asking == "split":
        run.emit(e.SplitDeclined(table.rulebook.splitting.others.clauses, box, index, act.player))
    elif hand.asking:
        run.emit(e.DecisionAccepted(both(terms.short_hand_others, terms.absent_player), box, index, act.player))
    elif hand.doubled:
        run.emit(e.WagerKept(clauses, box, index, act.player))
    else:
        others = [w.player for w in live_wagers(hand) if w.player not in hand.passed_over]
        if others and CONTROL_PASSES_FIRST[terms.absent_control.value]:
            run.emit(e.ControlPassed(both(terms.absent_control), box, others[0]))
        elif not ABSENT_GETS_NO_CARDS[terms.absent_player.value] and hand.total < 12:
            run.emit(e.HandHit(clauses, box, index, act.player))
        else:
            run.emit(e.HandStood(clauses, box, index))
            if ABSENT_GETS_NO_CARDS[terms.absent_player.value]:
                leave_as_they_lie(run, box, act.player, clauses)


def leave_as_they_lie(run: Run, box: int, player: str, clauses: tuple[str, ...]) -> None:
    """The playing area gets no more cards (NSW pontoon 17.10): its other split hands end too, if nobody shares them."""
    for index, hand in enumerate(run.table.boxes[box].hands):
        if not hand.done and all(wager.player == player or wager.settled for wager in hand.wagers.values()):
            run.emit(e.HandStood(clauses, box, index))


# --- invalid wagers --------------------------------------------------------------------------------------------------


def refuse_invalid(table: Table, act: a.FindInvalidWager) -> Refusal | None:
    term = table.rulebook.irregularities.invalid_wager
    if not KNOWS_INVALID_WAGERS[term.value]:
        return no(table, settled_before(table, "card"), "the rules have no such invalid wager.")
    if not may_act(act.by, "casino-supervisor"):
        return no(
            table, heads(term) + invalid_clauses(table), "a casino supervisor determines that a wager is invalid."
        )
    if has_wager_in_round(table, act.player, act.box):
        return None
    if act.box in table.boxes and act.player in table.boxes[act.box].line:
        return no(
            table,
            settled_before(table, "within"),
            f"everything of {act.player} on box {act.box} has gone back already.",
        )
    text = f"{act.player} has no wager on box {act.box} in this round: what was settled in earlier rounds stands."
    return no(table, settled_before(table, "settled"), text)


def settled_before(table: Table, case: str) -> tuple[str, ...]:
    """What the rulebook says of an invalid wager of which nothing is open any more."""
    terms = table.rulebook.irregularities
    return heads(narrowed(terms.invalid_wager, terms.invalid_clauses, case))


def has_open_wager(table: Table, player: str, box: int) -> bool:
    """Whether a wager of this player on this box still waits for its result, be it insurance or an optional one."""
    area = table.boxes.get(box)
    if area is None:
        return False
    if player in area.wagers or player in area.insurance or any(player in placed for placed in area.side.values()):
        return True
    return any(player in hand.wagers and not hand.wagers[player].settled for hand in area.hands)


def has_wager_in_round(table: Table, player: str, box: int) -> bool:
    """Whether a wager of this player on this box is open, or was settled in this round and not undone yet."""
    area = table.boxes.get(box)
    if area is None:
        return False
    if has_open_wager(table, player, box) or any(
        hand.wagers[player].result for hand in area.hands if player in hand.wagers
    ):
        return True
    jackpots = (*table.jackpot_wagers, *table.jackpot_paid)
    return any(each[1] == player for each in area.settled) or any(each[:2] == (box, player) for each in jackpots)


@carries_out(a.FindInvalidWager, refuse_invalid)
def find_invalid(run: Run, act: a.FindInvalidWager) -> None:
    """Before the hand it goes back; in the course of it too, settled or not, with no winnings (void: no result).

    The hand is the round of play (its definition says so). Whose wager it was shows their own card before the next one.
    """
    table = run.table
    clauses = invalid_clauses(table)
    report(run, "invalid-wager", by=act.by, reason=act.reason, clauses=clauses, player=act.player, box=act.box)
    if not give_back_unplayed(run, act.player, act.box, "invalid", clauses):
        void_in_the_hand(run, act.player, act.box, clauses)
    if not table.players[act.player].card_due:
        run.emit(e.CardAsked(table.rulebook.wagers.player_card.clauses, act.player))


handles("irregularities.invalid_clauses", "before within card settled")


def invalid_clauses(table: Table) -> tuple[str, ...]:
    """What is said of an invalid wager that is found now: before the hand, or in the course of it."""
    terms = table.rulebook.irregularities
    said = terms.invalid_clauses.value
    points = ("before" if table.phase == "wagers" else "within", "card")
    return tuple(said[point] for point in points if point in said) or terms.invalid_wager.clauses


def void_in_the_hand(run: Run, player: str, number: int, clauses: tuple[str, ...]) -> None:
    """All that a player has and had on a box in this round goes back: wagers, what they won, and what they lost."""
    table = run.table
    box = table.boxes[number]
    for index, hand in enumerate(box.hands):
        wager = hand.wagers.get(player)
        if wager is None:
            continue
        if not wager.settled:
            return_wager(run, number, index, hand, player, "invalid", clauses)
        elif wager.result:
            run.emit(e.ResultUndone(clauses, player, number, wager.result, ORIGINAL, index))
    if player in box.insurance:
        cents = box.insurance[player]
        run.emit(e.WagerReturned(clauses, player, number, cents, "insurance", "invalid", e.OF_INSURANCE))
    for kind, name, cents in box.settled:
        if name == player:
            run.emit(e.ResultUndone(clauses, player, number, cents, kind))
    void_jackpot(run, player, number, clauses)
    others = table.rulebook.super_bonus.others_cents.value
    winner = any(place and name == player for place, name in table.bonus_given)
    if player not in table.round_players and (0, player) in table.bonus_given and not winner:
        run.emit(e.ResultUndone(clauses, player, number, others, "bonus"))
    pass_control(run, player, clauses)


def void_jackpot(run: Run, player: str, number: int, clauses: tuple[str, ...]) -> None:
    """The jackpot wager of a box, lost, won or being verified; what it took out of the jackpot goes back in."""
    table = run.table
    for box, name, cents, part in table.jackpot_wagers:
        if (box, name) == (number, player):
            return_jackpot_wager(run, box, name, cents, part, "invalid", clauses)
    for box, name, result, taken in table.jackpot_paid:
        if (box, name) == (number, player):
            run.emit(e.ResultUndone(clauses, player, number, result, BLAZING))
            added = taken - min(max(0, taken), table.jackpot_reset)
            if added:
                run.emit(e.JackpotSet(clauses, table.jackpot_cents + added, added, "undone"))


def give_back_unplayed(run: Run, player: str, box: int, reason: str, clauses: tuple[str, ...]) -> bool:
    """Return what stands on a box itself; whether the original wager was among it, so that its hand has not begun."""
    area = run.table.boxes[box]
    for kind in [kind for kind, placed in area.side.items() if player in placed]:
        give_back(run, player, box, kind, reason, clauses)
    if player not in area.wagers:
        return False
    give_back(run, player, box, ORIGINAL, reason, clauses)
    return True


def give_back_before_the_hand(run: Run, player: str) -> None:
    """Return the wagers of somebody who may no longer play: before the hand, they are void (NSW pontoon 17.21.1)."""
    table = run.table
    boxes = [number for number in table.boxes if has_open_wager(table, player, number)]
    if table.phase != "wagers" or not boxes:
        return
    term = table.rulebook.irregularities.invalid_wager
    barred = refuse_barred(table, player)
    if barred is None:
        if not KNOWS_INVALID_WAGERS[term.value] or refuse_without_card(table, player) is None:
            return
        report(run, "invalid-wager", clauses=invalid_clauses(table))
    for box in boxes:
        if barred is None:
            give_back_unplayed(run, player, box, "invalid", invalid_clauses(table))
        else:
            give_back_unplayed(run, player, box, "barred", barred.clauses)


def invalid_stakes(table: Table) -> tuple[str, ...]:
    """Whose stakes in the hand are invalid because they have no valid card (NSW pontoon 17.21.2)."""
    if not KNOWS_INVALID_WAGERS[table.rulebook.irregularities.invalid_wager.value]:
        return ()
    without = [name for name, state in table.players.items() if not state.card and refuse_without_card(table, name)]
    return tuple(name for name in without if any(has_wager_in_round(table, name, box) for box in table.boxes))


def excluded_stakes(table: Table) -> tuple[str, ...]:
    """Who has been excluded from the casino while they have a wager in the hand."""
    excluded = [name for name, state in table.players.items() if state.excluded]
    return tuple(name for name in excluded if any(has_open_wager(table, name, box) for box in table.boxes))


# --- a card of their own ---------------------------------------------------------------------------------------------


def refuse_accept_card(table: Table, act: a.AcceptCard) -> Refusal | None:
    term = table.rulebook.wagers.player_card
    if not may_act(act.by, "dealer"):
        return no(table, term.clauses, "the dealer or a supervisor is shown the card.")
    state = table.players.get(act.player)
    if state is None or not state.card_due:
        return no(table, term.clauses, f"{act.player} is not asked to show a player card.")
    return None


@carries_out(a.AcceptCard, refuse_accept_card)
def accept_card(run: Run, act: a.AcceptCard) -> None:
    """They have shown a valid player card of their own, and may wager again."""
    run.emit(e.CardAccepted(run.table.rulebook.wagers.player_card.clauses, act.by, act.player))


# --- loss limits -----------------------------------------------------------------------------------------------------


def refuse_loss_excess(table: Table, act: a.FindLossExcess) -> Refusal | None:
    term = table.rulebook.irregularities.loss_limit_excess
    if not LOSS_EXCESS_GOES_BACK[term.value]:
        return no(table, heads(term), "the rules have no loss limit.")
    if not may_act(act.by, "dealer"):
        return no(table, heads(term), "the house determines it: the dealer or a supervisor.")
    if not loss_excess(table, act.player):
        return no(table, heads(term), f"{act.player}'s wagers are within the loss limit.")
    return None


def loss_excess(table: Table, player: str) -> int:
    state = table.players.get(player)
    if state is None or state.loss_limit_cents is None:
        return 0
    return max(0, -table.net[player] - state.loss_limit_cents)


@carries_out(a.FindLossExcess, refuse_loss_excess)
def find_loss_excess(run: Run, act: a.FindLossExcess) -> None:
    """What exceeds the limit goes back; the player is reminded of their duties."""
    clauses = run.table.rulebook.irregularities.loss_limit_excess.clauses[:2]
    report(run, "loss-limit-exceeded", by=act.by, reason=act.reason, clauses=clauses, player=act.player)
    return_excess(run, act.player, clauses)
    text = f"{act.player} is reminded of the duties that go with a loss limit"
    run.emit(e.NoticeGiven(clauses, "players", text, concerns=act.player))


def return_excess(run: Run, player: str, clauses: tuple[str, ...]) -> None:
    """What exceeds a loss limit goes back, newest wager first; also of what was lost already in this round."""
    table = run.table
    excess = loss_excess(table, player)
    for number, index, part, most in newest_first(table, player):
        if not excess:
            break
        cents = min(excess, most)
        excess -= cents
        if part in _LOST:
            run.emit(e.ResultUndone(clauses, player, number, -cents, ORIGINAL, index, "loss-limit"))
            continue
        if part.startswith(_LOST_SIDE):
            kind = part.removeprefix(_LOST_SIDE)
            run.emit(e.ResultUndone(clauses, player, number, -cents, kind, 0, "loss-limit"))
            continue
        kind, hand, doubled = ORIGINAL, index, 0
        if part == "doubled":
            doubled = cents
        elif part == "split":
            hand = e.OF_ANSWERED_SPLIT
        elif part == "insurance":
            hand, kind = e.OF_INSURANCE, part
        elif part != "wager":
            kind, hand = part, e.BEFORE_THE_HANDS
        run.emit(e.WagerReturned(clauses, player, number, cents, kind, "loss-limit", hand, doubled_cents=doubled))
    pass_control(run, player, clauses)


_LOST = ("lost", "lost doubled")
_LOST_SIDE = "lost "


def newest_first(table: Table, player: str) -> list[tuple[int, int, str, int]]:
    """A player's wagers of this round that are open or lost, as box, hand, part and cents, the one placed last first.

    The part is wager (on a hand), doubled, split (still being answered), insurance, or the kind of a wager that stands
    on the box itself; for one that was lost already, lost and what it was.
    """
    found: list[tuple[int, int, int, str, int]] = []
    for number, box in table.boxes.items():
        if player in box.wagers:
            found.append((box.wagers[player].placed, number, 0, ORIGINAL, box.wagers[player].cents))
        for kind, placed in (*box.side.items(), ("insurance", box.insurance)):
            if player in placed:
                found.append((box.order[kind][player], number, 0, kind, placed[player]))
        for kind, name, cents in box.settled:
            if name == player and cents < 0:
                found.append((box.order[kind][player], number, 0, f"{_LOST_SIDE}{kind}", -cents))
        for index, hand in enumerate(box.hands):
            wager = hand.wagers.get(player)
            if wager is None:
                continue
            if not wager.settled:
                found.append((wager.placed, number, index, "wager", wager.cents))
                if wager.doubled_cents:
                    found.append((wager.doubled_placed, number, index, "doubled", wager.doubled_cents))
            elif wager.result < 0:
                doubled = min(wager.doubled_cents, -wager.result)
                found.append((wager.placed, number, index, "lost", -wager.result - doubled))
                found.append((wager.doubled_placed, number, index, "lost doubled", doubled))
            if player in hand.matching:
                found.append((hand.matching[player].placed, number, index, "split", hand.matching[player].cents))
    return [(number, index, part, cents) for _, number, index, part, cents in sorted(found, reverse=True) if cents]


# --- measures against a person ---------------------------------------------------------------------------------------

DEVICE_DUTY = "device"
BREACHES = (DEVICE_DUTY, "rules", "conduct")
"""What a person did: used a prohibited device, broke another rule, or behaved badly."""
_NAMES_A_DEVICE = re.compile(
    r"device|apparatus|calculator|computer|machine|phone|tablet|watch|camera|earpiece|transmitter|recorder|\bapp\b",
    re.I,
)


def refuse_bar(table: Table, act: a.BarPlayer) -> Refusal | None:
    """Each measure has its own clause: void wagers, exclusion from the game, detention."""
    terms = table.rulebook.irregularities
    refused = refuse_role(table, act.by, terms.barred_by, "take measures against a person") or refuse_name(
        table, act.player
    )
    if refused:
        return refused
    if not act.reason.strip():
        return no(table, terms.barred_by.clauses, "say what the person did.")
    refused = refuse_breach(table, act)
    if refused:
        return refused
    if not (act.void or act.exclude or act.detained):
        return no(table, terms.barred_by.clauses, "say which measure is taken: void wagers, exclusion, or both.")
    if act.void and not act.exclude and not act.detained and not open_to_void(table, act.player):
        return no(table, terms.barred_wagers.clauses, f"{act.player} has no wager that could be declared void.")
    if act.detained and not MAY_BE_DETAINED[terms.detained_until.value]:
        return no(table, terms.detained_until.clauses, "the rules do not allow detaining anybody.")
    if act.detained and act.breach not in ("", "device"):
        return no(table, terms.detained_until.clauses, "only a person with a prohibited device may be detained.")
    return None


def refuse_breach(table: Table, act: a.BarPlayer) -> Refusal | None:
    """Whether the clause is about what the person did; without a word for it, the reason must name a device."""
    terms = table.rulebook.irregularities
    covered = BARRED_FOR[terms.barred_for.value]
    breach = act.breach or ("device" if _NAMES_A_DEVICE.search(act.reason) else "rules")
    otherwise = heads(terms.invalidated_by)
    if breach not in covered and "device" in covered and "rules" not in covered:
        text = "this is for a prohibited device only; a disturbance or a fraud lets the round be invalidated."
        return no(table, terms.barred_for.clauses + otherwise, text)
    if breach not in covered:
        text = "this is for a person who broke a rule; after a disturbance the round may be invalidated."
        return no(table, terms.barred_for.clauses + otherwise, text)
    if act.breach == DEVICE_DUTY and DEVICE_DUTY not in terms.conduct.value:
        return no(table, terms.barred_for.clauses, "the rules ban no device: name the rule that was broken.")
    return None


def open_to_void(table: Table, player: str) -> bool:
    """Whether a person has a wager in the round, or was paid on one that would go back."""
    returned = INTERIM_GOES_BACK[table.rulebook.irregularities.void_interim.value]
    settled = returned and table.phase != "wagers" and table.net.get(player, 0) != table.round_start.get(player, 0)
    return settled or any(has_open_wager(table, player, number) for number in table.boxes)


@carries_out(a.BarPlayer, refuse_bar)
def bar(run: Run, act: a.BarPlayer) -> None:
    table = run.table
    terms = table.rulebook.irregularities
    report(run, "person-barred" if act.exclude else "rules-broken", terms.barred_by, listed=False, by=act.by)
    if act.void and open_to_void(table, act.player):
        void_wagers_of(run, act.player, "barred" if act.exclude else "declared-void")
    if act.exclude:
        clauses = both(terms.barred_excluded, terms.barred_by)
        run.emit(e.PlayerBarred(clauses, act.by, act.player, act.reason, not act.void, act.detained))
    elif act.void:
        run.emit(e.WagersVoided(both(terms.barred_wagers, terms.barred_by), act.by, act.player, act.reason))
    if act.detained:
        clauses = terms.detained_until.clauses
        if not act.exclude:
            run.emit(e.PersonDetained(clauses, act.by, act.player, act.reason))
        text = f"{act.player} is detained with a prohibited device until an inspector or a police officer takes over"
        run.emit(e.NoticeGiven(clauses, "inspector", text))


def void_wagers_of(run: Run, player: str, reason: str) -> None:
    """Everything of this person on the cloth goes back; what it was paid goes back too, where the rulebook says so."""
    table = run.table
    terms = table.rulebook.irregularities
    clauses = both(terms.barred_wagers, terms.barred_by)
    for box in originals(table, player):
        give_back(run, player, box, ORIGINAL, reason, clauses)
    return_wagers(run, reason, clauses, player)
    returned = INTERIM_GOES_BACK[terms.void_interim.value]
    if returned and table.phase != "wagers" and player in table.round_start:
        due = table.net[player] - table.round_start[player]
        if due:
            run.emit(e.PaymentReversed(clauses + interim_clauses(table, clauses), player, due))
    pass_control(run, player, clauses)


def originals(table: Table, player: str) -> list[int]:
    return [number for number, box in table.boxes.items() if player in box.wagers]
