"""What may be done now: buttons, bots, prompts and tests ask here, and every answer is the engine's own `refusal`."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from pitboss.basics.money import payable_down
from pitboss.rulebooks.meanings import INSURED_IN_HALF_CHIPS
from pitboss.table import acts as a
from pitboss.table.acts import Act
from pitboss.table.doubling import may_be_doubled
from pitboss.table.engine import refusal
from pitboss.table.initial_deal import must_expose
from pitboss.table.irregularities.misdeals import rebuilder
from pitboss.table.roles import RANK
from pitboss.table.shuffle_and_cut import cutting_card_range, deck_size, stack_size
from pitboss.table.state import NO_CARDS, STRANGER, Box, Hand, PlayerState, Table
from pitboss.table.subsequent_deal import forfeit_waits_for, lacks_cards, may_resplit
from pitboss.table.surrender import refuse_surrender


class Waiting(msgspec.Struct, frozen=True):
    """What a table waits for."""

    what: str
    """wagers, shuffle, cut, cutting-card, expose, jackpot, insurance, surrender, answer, forfeit or decision; when
    something went wrong stopped, approval, refund, reconstruction, short-hand, confirmation or void."""
    who: tuple[str, ...]
    """Players whose word is awaited; ("dealer",) where it is the dealer's."""
    box: int = 0
    hand: int = 0
    acts: tuple[str, ...] = ()
    """Names of the acts that would be allowed."""


def waiting_for(table: Table) -> Waiting:
    """Whose word the table waits for, and what they may say."""
    dealer = ("dealer",)
    if table.stopped:
        return Waiting("stopped", ("casino-supervisor",), acts=("ResumeTable",))
    if table.approval_due:
        return Waiting("approval", (table.approval_due,), acts=("Approve",))
    if table.refund_asked:
        return Waiting("refund", table.refund_asked, acts=("TakeBack", "PlayOn"))
    if table.misdealt:
        return Waiting("reconstruction", (rebuilder(table).value,), acts=("Reconstruct", "VoidRound"))
    if table.preparation == "shuffle" and table.shuffle_reason == NO_CARDS and table.phase != "wagers":
        return Waiting("void", (table.rulebook.irregularities.void_by.value,), acts=("VoidRound",))
    if table.preparation == "shuffle":
        return Waiting("shuffle", dealer, acts=("Shuffle",))
    if table.preparation == "cut":
        return Waiting("cut", (table.cut_offered,), acts=("Cut", "DeclineCut"))
    if table.preparation == "cutting-card":
        return Waiting("cutting-card", dealer, acts=("PlaceCuttingCard",))
    if table.phase == "wagers" and table.checks_due:
        return Waiting("confirmation", ("casino-supervisor",), acts=("Confirm",))
    if table.phase == "wagers":
        return Waiting("wagers", (), acts=("PlaceWager", "Deal"))
    if table.phase == "dealing":
        if table.jackpot_waiting:
            return Waiting("jackpot", ("link",), acts=("PayJackpot",))
        boxes = must_expose(table)
        return Waiting("expose", (table.boxes[boxes[0]].controller,), boxes[0], acts=("Expose",))
    if table.phase == "insurance":
        eligible = [
            name
            for box in table.boxes.values()
            for name, wager in box.hands[0].wagers.items()
            if name not in box.insurance and not wager.settled
        ]
        return Waiting("insurance", (*dict.fromkeys(eligible), "dealer"), acts=("Insure", "CloseInsurance"))
    if table.phase == "surrender":
        for number, box in table.boxes.items():
            if box.hands[0].asking == "surrender" and box.hands[0].asked:
                return Waiting("answer", box.hands[0].asked, number, acts=("Surrender", "Decline"))
        players = dict.fromkeys(box.controller for box in table.boxes.values() if not box.hands[0].done)
        return Waiting("surrender", (*players, "dealer"), acts=("Surrender", "CloseSurrender"))
    hand = table.hand_to_act()
    where = (table.turn_box, table.turn_hand)
    if hand.asking == "short":
        return Waiting("refund", hand.asked, *where, acts=("TakeBack", "PlayOn"))
    if hand.asking:
        return Waiting("answer", hand.asked, *where, acts=("Double" if hand.asking == "double" else "Split", "Decline"))
    if hand.doubled:
        return Waiting("forfeit", tuple(forfeit_waits_for(table, hand)), *where, acts=("Forfeit", "Keep"))
    box = table.boxes[table.turn_box]
    acts = tuple(type(act).__name__ for act in _decisions(table, box, hand))
    if lacks_cards(hand):
        return Waiting("short-hand", (box.controller,), *where, acts=(*acts, "TakeBack"))
    return Waiting("decision", (box.controller,), *where, acts=acts)


DECISIONS: dict[str, Callable[[str, int], Act]] = {
    act.__name__: act for act in (a.Hit, a.Stand, a.Double, a.Split, a.Expose)
}


def _decisions(table: Table, area: Box, hand: Hand) -> list[Act]:
    """What the controller of the hand to act may decide.

    A plain hand is looked at directly, with the questions that the refusals ask too; anything else goes through them.
    (`tests/properties` holds both ways against each other.)
    """
    box, player = area.number, area.controller
    aces_end = hand.split_aces and table.compiled.ace_cards
    if not (aces_end or hand.short or hand.face_down or table.halted):
        found: list[Act] = [a.Hit(player, box)]
        if hand.total >= table.compiled.must_draw_below:
            found.append(a.Stand(player, box))
        free = len(found)  # what takes no chips
        if may_be_doubled(table, hand):
            found.append(a.Double(player, box))
        if len(hand.cards) == 2 and may_resplit(table, area, hand):
            found.append(a.Split(player, box))
        if _limited(table.players[player]):
            found[free:] = [act for act in found[free:] if refusal(table, act) is None]
        return found
    candidates: list[Act] = [
        a.Hit(player, box),
        a.Stand(player, box),
        a.Double(player, box),
        a.Split(player, box),
    ]
    if hand.face_down:
        candidates.append(a.Expose(player, box))
    return [act for act in candidates if refusal(table, act) is None]


def _limited(state: PlayerState) -> bool:
    """Whether a player's money, card or standing has to be looked at before more is wagered."""
    if state is STRANGER:
        return False
    if state.chips_cents is not None or state.loss_limit_cents is not None:
        return True
    return bool(state.barred) or not state.card or state.card_due


def _most_insurance(table: Table, player: str, box: int, wagered_cents: int) -> Act:
    """Insurance for up to half of a wager, as much as the chips can make; where they make none of it, half."""
    half, smallest = wagered_cents // 2, table.house.smallest_chip_cents
    cents = payable_down(half, table.house.chips_cents)
    if INSURED_IN_HALF_CHIPS[table.rulebook.insurance.unit.value] and 2 * cents % smallest:
        cents = half // smallest * smallest
    return a.Insure(player, box, cents or half)


def legal_acts(table: Table, waiting: Waiting | None = None) -> tuple[Act, ...]:
    """Every decision that is open now, with full amounts; between rounds what the dealer and the cutter may do.

    Wagers are not listed: `refusal` answers for any that somebody thinks of. Nor are shuffles, which chance makes.
    `waiting` is what `waiting_for` says of the table, where that has been asked already.
    """
    found: list[Act] = []
    if waiting is not None and waiting.what == "decision":
        return tuple([DECISIONS[name](waiting.who[0], waiting.box) for name in waiting.acts])
    if table.phase == "play" and table.preparation == "ready" and not table.halted:
        area = table.boxes[table.turn_box]
        hand = area.hands[table.turn_hand]
        if not hand.asking and not hand.short:
            if not hand.doubled:
                return tuple(_decisions(table, area, hand))
            for name in forfeit_waits_for(table, hand):
                found += [a.Forfeit(name, table.turn_box), a.Keep(name, table.turn_box)]
            return tuple(found)
    if table.phase == "surrender" and not table.halted and table.preparation == "ready":
        answered = True
        for number, box in table.boxes.items():
            hand = box.hands[0]
            if hand.asking == "surrender" and hand.asked:
                answered = False
                found += [a.Decline(name, number) for name in hand.asked]
            for name in box.line:
                giving_up = a.Surrender(name, number)
                if refuse_surrender(table, giving_up) is None:
                    found.append(giving_up)
        return (a.CloseSurrender(), *found) if answered else tuple(found)
    waiting = waiting or waiting_for(table)
    if waiting.what == "cut":
        size = stack_size(table) or 2 * deck_size(table)
        found = [a.Cut(table.cut_offered, size // 2), a.DeclineCut(table.cut_offered)]
    elif waiting.what == "cutting-card":
        limits = cutting_card_range(table) or (0, 0)
        found = [a.PlaceCuttingCard(min(limits[1], max(limits[0], deck_size(table))))]
    elif waiting.what == "wagers":
        found = [a.Deal()]
    elif waiting.what == "approval":
        found = [a.Approve(role) for role in RANK]
    elif waiting.what == "confirmation":
        found = [a.Confirm(role, check) for role in RANK for check in table.checks_due]
    elif waiting.what == "refund":
        found = [act for name in waiting.who for act in (a.TakeBack(name), a.PlayOn(name))]
    elif waiting.what == "reconstruction":
        found = [a.Reconstruct(role) for role in RANK]
    elif waiting.what == "short-hand":
        found = [*_decisions(table, table.boxes[waiting.box], table.hand_to_act()), a.TakeBack(waiting.who[0])]
    elif waiting.what == "decision":
        found = _decisions(table, table.boxes[waiting.box], table.hand_to_act())
    elif waiting.what == "expose":
        found = [a.Expose(waiting.who[0], waiting.box)]
    elif waiting.what == "insurance":
        found = [a.CloseInsurance()]
        for number, box in table.boxes.items():
            found += [_most_insurance(table, name, number, wager.cents) for name, wager in box.hands[0].wagers.items()]
    elif waiting.what == "answer":
        for name in waiting.who:
            if "Double" in waiting.acts:
                found.append(a.Double(name, waiting.box))
            else:
                found.append(a.Split(name, waiting.box))
            found.append(a.Decline(name, waiting.box))
    elif waiting.what == "forfeit":
        for name in waiting.who:
            found += [a.Forfeit(name, waiting.box), a.Keep(name, waiting.box)]
    return tuple(act for act in found if refusal(table, act) is None)
