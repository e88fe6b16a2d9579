"""The shuffling device fails: what follows by damage, disadvantage, a spare device and whether cards can be moved."""

from __future__ import annotations

from collections import Counter

from pitboss.basics.cards import Card
from pitboss.rulebooks.meanings import (
    CARDS_MOVED_TO_SPARE,
    DAMAGED_CARDS_REPLACED,
    DEALT_ON_TO_CUTTING_CARD,
    JAM_IS_CLEARED,
    NEW_CARDS_ARE_ANNOUNCED,
    SHOE_PLAYED_OUT_FIRST,
    UNDECIDED,
    handles,
)
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.belonging import is_suspect
from pitboss.table.chapters import carries_out
from pitboss.table.house import DEVICE, SHOE
from pitboss.table.irregularities.money import open_players
from pitboss.table.irregularities.reports import report
from pitboss.table.irregularities.voids import void_round
from pitboss.table.refusals import Refusal
from pitboss.table.roles import may_act
from pitboss.table.run import Run, heads, no
from pitboss.table.shuffle_and_cut import cards_inside, deck_size
from pitboss.table.state import Table


def refuse_malfunction(table: Table, act: a.ReportMalfunction) -> Refusal | None:
    terms = table.rulebook.device
    if table.house.source != DEVICE:
        return no(table, heads(terms.failure), "no shuffling device is in use.")
    if not may_act(act.by, "dealer"):
        return no(table, heads(terms.failure), "the dealer or a supervisor reports it.")
    if not table.arranged and Counter(act.damaged) - Counter((*table.stack[table.position :], *unseen(table))):
        return no(table, heads(terms.damaged), "those cards are not in the device.")
    if act.disadvantage and table.phase != "wagers" and UNDECIDED[terms.disadvantage.value]:
        text = "the rules do not say what follows when somebody was disadvantaged: the house decides."
        return no(table, terms.disadvantage.clauses, text)
    if act.course not in ("shuffle", "cutting-card"):
        return no(table, terms.finish.clauses, "the rest is shuffled, or dealt on to a cutting card.")
    if table.preparation != "ready":
        return no(table, heads(terms.failure), "the cards are to be shuffled anyway.")
    if table.redeal:
        return no(table, heads(terms.failure), "the cards of the round are laid again first: none comes from it.")
    return None


def unseen(table: Table) -> tuple[Card, ...]:
    """Cards outside the device that lie face down: nobody can know, and nobody is told, that they are not in it."""
    down = [card for box in table.boxes.values() for hand in box.hands if hand.face_down for card in hand.cards]
    wrong = [card for box, card in table.misdealt if box and table.house.face_down]
    return (*table.burned, *(card for card, exposed in table.error_cards if not exposed), *down, *wrong)


handles("device.failure_clauses", "undamaged damaged disadvantage no-spare replaced")


def failure_clauses(table: Table, case: str) -> tuple[str, ...]:
    said = table.rulebook.device.failure_clauses.value
    return (said[case],) if case in said else ()


@carries_out(a.ReportMalfunction, refuse_malfunction)
def report_malfunction(run: Run, act: a.ReportMalfunction) -> None:
    """What happens now, step by step, by the answers to the rulebook's questions."""
    table = run.table
    terms = table.rulebook.device
    spare = act.spare and act.transferable and CARDS_MOVED_TO_SPARE[terms.undamaged.value]
    ended = act.disadvantage and table.phase != "wagers"
    case = "disadvantage" if ended else "no-spare" if not spare else "damaged" if act.damaged else "undamaged"
    cited = failure_clauses(table, case) or terms.failure.clauses
    report(run, "shuffling-device-malfunction", listed=False, by=act.by, clauses=cited)
    if ended:
        void_round(run, "the malfunction put somebody at a disadvantage", terms.disadvantage.clauses)
    elif not spare and terms.refund_offered.value and table.phase != "wagers":
        run.emit(e.RefundOffered(terms.no_spare.clauses, open_players(table)))
    if spare:
        moved = terms.damaged if act.damaged else terms.disadvantage if ended else terms.undamaged
        other = failure_clauses(table, "replaced")  # where they are not moved
        clauses = tuple(clause for clause in moved.clauses if clause not in other)
        run.emit(e.CardsReplacedInDevice(clauses, act.damaged, True))
        return
    if act.damaged and DAMAGED_CARDS_REPLACED[terms.damaged.value]:
        cited = failure_clauses(table, "replaced") or terms.damaged.clauses
        run.emit(e.CardsReplacedInDevice(cited, act.damaged, False))
    repairable = act.repairable and NEW_CARDS_ARE_ANNOUNCED[terms.after.value]
    if NEW_CARDS_ARE_ANNOUNCED[terms.after.value] and not repairable:
        text = "once this shoe is played out, new cards are shuffled by hand"
        run.emit(e.NoticeGiven(terms.after.clauses, "players", text))
    if DEALT_ON_TO_CUTTING_CARD[terms.finish.value] and act.course == "cutting-card":
        run.emit(e.SourceChanged(terms.finish.clauses, SHOE))
        size = cards_inside(table)
        from_back = min(size, deck_size(table))
        run.emit(e.CuttingCardPlaced(terms.finish.clauses, from_back, size - from_back))
        return
    to_shoe(run, repairable)


def to_shoe(run: Run, repairable: bool) -> None:
    """The cards left in the device are shuffled and cut and the game continues from a shoe."""
    terms = run.table.rulebook.device
    clauses = terms.finish.clauses if repairable else heads(terms.finish, terms.after)
    run.emit(e.SourceChanged(clauses, SHOE, repairable))
    run.emit(e.ShuffleDue(terms.finish.clauses, "malfunction"))


def refuse_clear_jam(table: Table, act: a.ClearJam) -> Refusal | None:
    terms = table.rulebook.device
    if table.house.source != DEVICE:
        return no(table, terms.jam.clauses, "no shuffling device is in use.")
    if not JAM_IS_CLEARED[terms.jam.value]:
        return no(table, terms.jam.clauses, "a jam is a malfunction like any other: report it as one.")
    if table.redeal:
        return no(table, terms.jam.clauses, "the cards of the round are laid again first.")
    if not table.arranged and Counter(act.order) != Counter(table.stack[table.position :]):
        return no(table, terms.jam.clauses, "the device held other cards than these.")
    if len(act.order) < terms.jam_burn.value:
        return no(table, terms.jam_burn.clauses, "there are too few cards to draw from again.")
    return None


@carries_out(a.ClearJam, refuse_clear_jam)
def clear_jam(run: Run, act: a.ClearJam) -> None:
    """The cards are riffled once and put back, and the first ones are drawn face down again."""
    terms = run.table.rulebook.device
    report(run, "jam", terms.jam, listed=False)
    suspect = run.table.arranged and is_suspect(run.table, act.order)
    run.emit(e.StackArranged(terms.jam.clauses, act.order, True, suspect))
    for card in act.order[: terms.jam_burn.value]:
        run.emit(e.CardBurned(terms.jam_burn.clauses, card))


def refuse_repair(table: Table, act: a.RepairDevice) -> Refusal | None:
    terms = table.rulebook.device
    if not table.device_down:
        return no(table, terms.after.clauses, "the shuffling device has not failed.")
    if table.phase != "wagers":
        return no(table, terms.after.clauses, "the round is finished first.")
    if table.new_cards_due and SHOE_PLAYED_OUT_FIRST[terms.after.value]:
        return no(table, terms.after.clauses, "that shoe is played out first.")
    if not may_act(act.by, "casino-supervisor"):
        return no(table, terms.after.clauses, "a casino supervisor has the device brought back into use.")
    return None


@carries_out(a.RepairDevice, refuse_repair)
def repair(run: Run, act: a.RepairDevice) -> None:
    clauses = run.table.rulebook.device.after.clauses
    run.emit(e.SourceChanged(clauses, DEVICE, by=act.by, reason=act.reason))
    run.emit(e.CardsReplaced(clauses, by=act.by))
    run.emit(e.ShuffleDue(clauses, "new-cards"))
