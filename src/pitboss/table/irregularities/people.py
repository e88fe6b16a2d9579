"""Players who are absent, whose wagers are invalid or exceed a loss limit, and persons who are barred."""

from __future__ import annotations

from pitboss.rulebooks.meanings import (
    ABSENT_GETS_NO_CARDS,
    CONTROL_PASSES_FIRST,
    INTERIM_GOES_BACK,
    KNOWS_INVALID_WAGERS,
    LOSS_EXCESS_GOES_BACK,
    MAY_BE_DETAINED,
)
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import ORIGINAL
from pitboss.table.chapters import carries_out
from pitboss.table.irregularities.money import return_wager, return_wagers
from pitboss.table.irregularities.reports import report
from pitboss.table.refusals import Refusal
from pitboss.table.roles import may_act
from pitboss.table.run import (
    Run,
    both,
    live_wagers,
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
        return no(table, term.clauses, "the rules know no such invalid wager.")
    if not may_act(act.by, "casino-supervisor"):
        return no(table, term.clauses, "a casino supervisor determines that a wager is invalid.")
    if not has_open_wager(table, act.player, act.box):
        text = "it has been settled: wagers and results of earlier hands stand."
        return no(table, term.clauses, text)
    return None


def has_open_wager(table: Table, player: str, box: int) -> bool:
    """Whether a wager of this player on this box still waits for its result, be it insurance or an optional one."""
    area = table.boxes.get(box)
    if area is None:
        return False
    if player in area.wagers or player in area.insurance or any(player in placed for placed in area.side.values()):
        return True
    return any(player in hand.wagers and not hand.wagers[player].settled for hand in area.hands)


@carries_out(a.FindInvalidWager, refuse_invalid)
def find_invalid(run: Run, act: a.FindInvalidWager) -> None:
    """Before the hand it goes back; in the course of it too, with no winnings (void means no result)."""
    table = run.table
    clauses = table.rulebook.irregularities.invalid_wager.clauses
    report(run, "invalid-wager", table.rulebook.irregularities.invalid_wager)
    box = table.boxes[act.box]
    if give_back_unplayed(run, act.player, act.box, "invalid", clauses):
        return
    for index, hand in enumerate(box.hands):
        if act.player in hand.wagers and not hand.wagers[act.player].settled:
            return_wager(run, act.box, index, hand, act.player, "invalid", clauses)
    if act.player in box.insurance:
        cents = box.insurance[act.player]
        run.emit(e.WagerReturned(clauses, act.player, act.box, cents, "insurance", "invalid", e.OF_INSURANCE))
    pass_control(run, act.player, clauses)


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
        report(run, "invalid-wager", term)
    for box in boxes:
        if barred is None:
            give_back_unplayed(run, player, box, "invalid", term.clauses)
        else:
            give_back_unplayed(run, player, box, "barred", barred.clauses)


def invalid_stakes(table: Table) -> tuple[str, ...]:
    """Whose stakes in the hand are invalid because they have no valid card (NSW pontoon 17.21.2)."""
    if not KNOWS_INVALID_WAGERS[table.rulebook.irregularities.invalid_wager.value]:
        return ()
    without = [name for name, state in table.players.items() if not state.card and refuse_without_card(table, name)]
    return tuple(name for name in without if any(has_open_wager(table, name, box) for box in table.boxes))


# --- loss limits -----------------------------------------------------------------------------------------------------


def refuse_loss_excess(table: Table, act: a.FindLossExcess) -> Refusal | None:
    term = table.rulebook.irregularities.loss_limit_excess
    if not LOSS_EXCESS_GOES_BACK[term.value]:
        return no(table, term.clauses, "the rules know no loss limit.")
    if not may_act(act.by, "dealer"):
        return no(table, term.clauses, "the house determines it: the dealer or a supervisor.")
    if not loss_excess(table, act.player):
        return no(table, term.clauses, f"{act.player}'s wagers are within the loss limit.")
    return None


def loss_excess(table: Table, player: str) -> int:
    state = table.players.get(player)
    if state is None or state.loss_limit_cents is None:
        return 0
    return max(0, -table.net[player] - state.loss_limit_cents)


@carries_out(a.FindLossExcess, refuse_loss_excess)
def find_loss_excess(run: Run, act: a.FindLossExcess) -> None:
    """What exceeds the limit goes back, newest wager first; the player is reminded of his duties."""
    table = run.table
    player = act.player
    clauses = table.rulebook.irregularities.loss_limit_excess.clauses
    report(run, "loss-limit-exceeded", table.rulebook.irregularities.loss_limit_excess)
    excess = loss_excess(table, player)
    for number, index, part in newest_first(table, player):
        if not excess:
            break
        box = table.boxes[number]
        kind, hand, doubled = ORIGINAL, index, 0
        if part in ("doubled", "wager"):
            wager = box.hands[index].wagers[player]
            cents = min(excess, wager.doubled_cents if part == "doubled" else wager.cents)
            doubled = cents if part == "doubled" else 0
        elif part == "split":
            cents, hand = min(excess, box.hands[index].matching[player].cents), e.OF_ANSWERED_SPLIT
        elif part == "insurance":
            cents, hand, kind = min(excess, box.insurance[player]), e.OF_INSURANCE, part
        else:
            cents = min(excess, box.wagers[player].cents if part == ORIGINAL else box.side[part][player])
            kind, hand = part, e.BEFORE_THE_HANDS
        returned = e.WagerReturned(clauses, player, number, cents, kind, "loss-limit", hand, doubled_cents=doubled)
        run.emit(returned)
        excess -= cents
    pass_control(run, act.player, clauses)
    text = f"{act.player} is reminded of the duties that go with a loss limit"
    run.emit(e.NoticeGiven(clauses, "players", text, concerns=act.player))


def newest_first(table: Table, player: str) -> list[tuple[int, int, str]]:
    """A player's open wagers as box, hand and part, the one that was placed last first.

    The part is wager (on a hand), doubled, split (still being answered), insurance, or the kind of a wager that stands
    on the box itself.
    """
    found: list[tuple[int, int, int, str]] = []
    for number, box in table.boxes.items():
        if player in box.wagers:
            found.append((box.wagers[player].placed, number, 0, ORIGINAL))
        for kind, placed in (*box.side.items(), ("insurance", box.insurance)):
            if player in placed:
                found.append((box.order[kind][player], number, 0, kind))
        for index, hand in enumerate(box.hands):
            wager = hand.wagers.get(player)
            if wager is None or wager.settled:
                continue
            found.append((wager.placed, number, index, "wager"))
            if wager.doubled_cents:
                found.append((wager.doubled_placed, number, index, "doubled"))
            if player in hand.matching:
                found.append((hand.matching[player].placed, number, index, "split"))
    return [(number, index, part) for _, number, index, part in sorted(found, reverse=True)]


# --- barred persons --------------------------------------------------------------------------------------------------


def refuse_bar(table: Table, act: a.BarPlayer) -> Refusal | None:
    term = table.rulebook.irregularities.barred_by
    refused = refuse_role(table, act.by, term, "void the wagers of a person and bar them") or refuse_name(
        table, act.player
    )
    if refused:
        return refused
    if not act.reason.strip():
        return no(table, term.clauses, "say what the person did.")
    if act.detained and not MAY_BE_DETAINED[table.rulebook.irregularities.detained_until.value]:
        return no(table, table.rulebook.irregularities.detained_until.clauses, "the rules let nobody be detained.")
    return None


@carries_out(a.BarPlayer, refuse_bar)
def bar(run: Run, act: a.BarPlayer) -> None:
    table = run.table
    clauses = table.rulebook.irregularities.barred_by.clauses
    report(run, "person-barred", table.rulebook.irregularities.barred_by, listed=False)
    for box in originals(table, act.player):
        give_back(run, act.player, box, ORIGINAL, "barred", clauses)
    return_wagers(run, "barred", clauses, act.player)
    returned = INTERIM_GOES_BACK[table.rulebook.irregularities.void_interim.value]
    if returned and table.phase != "wagers" and act.player in table.round_start:
        due = table.net[act.player] - table.round_start[act.player]
        if due:
            run.emit(e.PaymentReversed(clauses + table.rulebook.irregularities.void_interim.clauses, act.player, due))
    pass_control(run, act.player, clauses)
    run.emit(e.PlayerBarred(clauses, act.by, act.player, act.reason))
    if act.detained:
        detained = table.rulebook.irregularities.detained_until.clauses
        text = f"{act.player} is detained with a prohibited device until an inspector or a police officer takes over"
        run.emit(e.NoticeGiven(detained, "inspector", text))


def originals(table: Table, player: str) -> list[int]:
    return [number for number, box in table.boxes.items() if player in box.wagers]
