"""Who may do what when something went wrong: every such act, every role, every rulebook, as the terms say.

An act by somebody without the authority that the clause names is refused, and the refusal cites that clause.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from pitboss import legal_acts, load, open_table, play, refusal
from pitboss.rulebooks import RULEBOOKS
from pitboss.rulebooks.terms import Rulebook, Term
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import Act
from pitboss.table.chapters import CHAPTERS
from pitboss.table.house import BLAZING, DEVICE, Patron, default_house
from pitboss.table.roles import ROLES, may_act, may_review
from pitboss.table.state import Table

EVERYBODY = (*sorted(ROLES), "", "surveillance")
CARDS = "9s 9c 9h 8d 8c Kd 9d 7c 8s Jd 6h 5c 4s 3d 2h 9s 9c 9h 8d 8c Kd"
Setup = Callable[[Rulebook], Table]
Needed = Callable[[Rulebook], tuple[str, Term[Any]]]


def between(book: Rulebook, **choices: Any) -> Table:
    table = open_table(book, cards=CARDS, house=default_house(book, **choices))
    return play(table, a.PlaceWager("alice", 1, 2500), a.PlaceWager("bob", 2, 2500))[0]


def in_round(book: Rulebook, **choices: Any) -> Table:
    table, _ = play(between(book, **choices), a.Deal())
    while table.phase not in ("play", "wagers"):
        table, _ = play(table, legal_acts(table)[0])
    return table


def on_device(book: Rulebook) -> Table:
    return in_round(book, source=DEVICE, side_bets=())


def finished(book: Rulebook) -> Table:
    table = in_round(book)
    while table.phase != "wagers":
        table, _ = play(table, a.Stand(table.boxes[table.turn_box].controller, table.turn_box))
    return table


def stopped(book: Rulebook) -> Table:
    return play(finished(book), a.StopTable("casino-supervisor", "the rack is short"))[0]


def approved(table: Table) -> Table:
    return play(table, a.Approve(table.approval_due))[0] if table.approval_due else table


def misdealt(book: Rulebook) -> Table:
    return approved(play(between(book), a.Misdeal((1, 2, 2, 0, 1)))[0])


def misplaced(book: Rulebook) -> Table:
    return approved(play(in_round(book), a.Misplace("alice", 1, 2))[0])


def unnoticed(book: Rulebook) -> Table:
    table, _ = play(between(book), a.Misdeal((1, 2, 2, 0, 1), "after-round"))
    while table.phase != "wagers":
        table, _ = play(table, legal_acts(table)[0])
    return table


def in_the_next_round(book: Rulebook) -> Table:
    table = finished(book)
    table, _ = play(table, a.PlaceWager("alice", 1, 2500), a.Deal())
    return table


def irregular(book: Rulebook) -> Table:
    return play(in_round(book), a.FindFaceUpCard())[0]


def broken_device(book: Rulebook) -> Table:
    """The device has failed, its shoe was played out, and the round is over."""
    return msgspec.structs.replace(finished(book), device_down=True)


def on_a_limit(book: Rulebook) -> Table:
    players = {"alice": Patron(loss_limit_cents=1000)}
    table = open_table(book, cards=CARDS, players=players)
    return play(table, a.PlaceWager("alice", 1, 2500, unnoticed=True), a.PlaceWager("bob", 2, 2500))[0]


def paused(book: Rulebook) -> Table:
    return play(open_table(book, cards=CARDS, players={"alice": Patron(seat=1, loss_limit_cents=5000)}),
                a.PausePlayer("gaming-manager", "alice"))[0]  # fmt: skip


def full_table(book: Rulebook) -> Table:
    boxes = book.boxes.number.value[0]
    players = {f"player{number}": Patron(seat=number) for number in range(1, boxes + 1)}
    table = open_table(book, cards=CARDS, players=players, house=default_house(book, boxes=boxes))
    table.shoe_round = 5
    return table


def card_due(book: Rulebook) -> Table:
    table = in_round(book)
    if not book.wagers.player_card.value:
        return table
    return play(table, a.FindInvalidWager("casino-supervisor", "alice", 1))[0]


def checks_due(book: Rulebook) -> Table:
    table = in_round(book)
    found = a.FindWrongCards("casino-supervisor", "missing")
    return play(table, found)[0] if refusal(table, found) is None else table


def disputed(book: Rulebook) -> Table:
    return play(finished(book), a.RaiseDispute("alice", "a payment"))[0]


def in_review(book: Rulebook) -> Table:
    return play(disputed(book), a.RuleDispute("gaming-manager", "alice", "it was right"), a.AskReview("alice"))[0]


def jackpot(book: Rulebook) -> Table:
    return in_round(book, source=DEVICE, decks=book.blazing_7s.decks.value[0], side_bets=(BLAZING,))


def jackpot_fault(book: Rulebook) -> Table:
    return play(jackpot(book), a.ReportJackpotFault("dealer"))[0]


def without_jackpot(book: Rulebook) -> Table:
    table, _ = play(jackpot_fault(book), a.Approve("casino-supervisor"))
    while table.phase != "wagers":
        table, _ = play(table, legal_acts(table)[-1])
    return table


def named(path: str) -> Needed:
    """The role that a term names."""

    def needed(book: Rulebook) -> tuple[str, Term[Any]]:
        section, name = path.split(".")
        term = getattr(getattr(book, section), name)
        return term.value or "nobody", term

    return needed


def fixed(path: str, role: str = "casino-supervisor", *, unless: tuple[str, ...] = ("undecided", "none")) -> Needed:
    """A role that the clause of a term names where it says anything at all."""

    def needed(book: Rulebook) -> tuple[str, Term[Any]]:
        section, name = path.split(".")
        term = getattr(getattr(book, section), name)
        return ("nobody" if term.value in unless else role), term

    return needed


def by_value(path: str, by: str, value: str) -> Needed:
    """The role of one term, where another has this value."""

    def needed(book: Rulebook) -> tuple[str, Term[Any]]:
        said, who = getattr(book.irregularities, path), getattr(book.irregularities, by)
        return (who.value, who) if said.value == value else ("nobody", said)

    return needed


CASES: dict[str, tuple[Setup, Act, Needed]] = {
    "check": (on_device, a.CheckSource("dealer"), named("irregularities.face_up_check_by")),
    "rebuild the initial deal": (misdealt, a.Reconstruct("dealer"), named("irregularities.misdeal_by")),
    "rebuild later": (misplaced, a.Reconstruct("dealer"), named("irregularities.misdeal_full_by")),
    "take a round back": (in_round, a.Notice("dealer", "face-up", card=1), named("irregularities.misdeal_full_by")),
    "take a deal back": (
        in_round, a.Notice("dealer", "face-up", card=1, during="initial-deal"), named("irregularities.misdeal_by"),
    ),
    "void": (in_round, a.VoidRound("dealer", "the order of the cards is not known"), named("irregularities.void_by")),
    "void between rounds": (
        finished, a.VoidEarlierRound("dealer"), by_value("misdeal_after_round", "void_by", "rebuild-or-void"),
    ),
    "void later": (in_the_next_round, a.VoidEarlierRound("dealer"), by_value("misdeal_later", "void_by", "void")),
    "wrong cards": (in_round, a.FindWrongCards("dealer", "missing"), fixed("irregularities.wrong_cards")),
    "confirm": (checks_due, a.Confirm("dealer", "all"), fixed("irregularities.wrong_cards_check")),
    "dropped cards": (in_round, a.DropCards("dealer"), fixed("irregularities.dropped_cards")),
    "malfunction": (on_device, a.ReportMalfunction("dealer"), fixed("device.failure", "dealer")),
    "repair": (broken_device, a.RepairDevice("dealer"), fixed("device.after")),
    "invalid wager": (in_round, a.FindInvalidWager("dealer", "alice", 1), fixed("irregularities.invalid_wager")),
    "card shown": (card_due, a.AcceptCard("dealer", "alice"), fixed("irregularities.invalid_wager", "dealer")),
    "loss limit": (
        on_a_limit, a.FindLossExcess("dealer", "alice"), fixed("irregularities.loss_limit_excess", "dealer"),
    ),
    "bar": (in_round, a.BarPlayer("dealer", "alice", "a device"), named("irregularities.barred_by")),
    "detain": (
        in_round, a.BarPlayer("dealer", "alice", "a device", True),
        by_value("detained_until", "barred_by", "inspector-or-police"),
    ),
    "disturbance": (in_round, a.InvalidateRound("dealer", "disturbance"), named("irregularities.invalidated_by")),
    "fraud": (in_round, a.InvalidateRound("dealer", "fraud"), named("irregularities.invalidated_by")),
    "stop": (finished, a.StopTable("dealer", "the rack is short"), fixed("irregularities.mispayment", unless=())),
    "resume": (stopped, a.ResumeTable("dealer", "it is whole"), fixed("irregularities.mispayment", unless=())),
    "mispayment": (finished, a.RecordMispayment("dealer", "alice", 500), fixed("irregularities.mispayment", unless=())),
    "approve": (irregular, a.Approve("dealer"), named("irregularities.approval")),
    "remind": (finished, a.Remind("dealer", "dealer", "advice"), fixed("irregularities.conduct", "dealer")),
    "vacate": (full_table, a.VacateSeat("dealer", "player1"), fixed("irregularities.idle_rounds", "dealer")),
    "rule": (disputed, a.RuleDispute("dealer", "alice", "it was right"), named("irregularities.dispute_by")),
}  # fmt: skip

WHERE_IT_CAN_BE: dict[str, tuple[Setup, Act, Needed, tuple[str, ...]]] = {
    "rebuild after the round": (
        unnoticed, a.Reconstruct("dealer"), named("irregularities.misdeal_full_by"),
        ("nsw-pontoon", "nsw-blackjack-challenge"),
    ),
    "pause": (
        lambda book: open_table(book, cards=CARDS, players={"alice": Patron(seat=1, loss_limit_cents=5000)}),
        a.PausePlayer("dealer", "alice"), named("irregularities.loss_limit_pause_by"), RULEBOOKS,
    ),
    "readmit": (
        paused, a.ReadmitPlayer("dealer", "alice"), named("irregularities.loss_limit_pause_by"),
        ("nsw-pontoon", "nsw-blackjack-challenge"),
    ),
    "review": (
        in_review, a.RuleDispute("dealer", "alice", "it was right"), named("irregularities.dispute_review"),
        ("nsw-pontoon", "nsw-blackjack-challenge"),
    ),
    "jackpot fault": (jackpot, a.ReportJackpotFault("dealer"), fixed("blazing_7s.fault", "dealer"),
                      ("nsw-blackjack-challenge",)),
    "play without the jackpot": (jackpot_fault, a.Approve("dealer"), named("blazing_7s.fault_approval"),
                                 ("nsw-blackjack-challenge",)),
    "jackpot restored": (without_jackpot, a.RestoreJackpot("dealer"), named("blazing_7s.fault_approval"),
                         ("nsw-blackjack-challenge",)),
}  # fmt: skip

ALL = [(rulebook, name, setup, act, needed) for name, (setup, act, needed) in CASES.items() for rulebook in RULEBOOKS]
ALL += [
    (rulebook, name, setup, act, needed)
    for name, (setup, act, needed, rulebooks) in WHERE_IT_CAN_BE.items()
    for rulebook in rulebooks
]


@pytest.mark.parametrize(("rulebook", "name", "setup", "act", "needed"), ALL, ids=[f"{b}-{n}" for b, n, *_ in ALL])
def test_only_who_has_the_authority_may(rulebook: str, name: str, setup: Setup, act: Act, needed: Needed) -> None:
    book = load(rulebook)
    table = setup(book)
    role, term = needed(book)
    for by in EVERYBODY:
        refused = refusal(table, msgspec.structs.replace(act, by=by))  # type: ignore[arg-type]
        may = (may_review if name == "review" else may_act)(by, role)
        assert (refused is None) == may, f"{name} by {by!r}: {refused}"
        if refused is not None:
            assert set(refused.clauses) & set(term.clauses), f"{name} by {by!r} cites {refused.clauses}"


def test_every_act_of_staff_when_things_go_wrong_is_here() -> None:
    """A new act that says by whom it is done belongs into the table above."""
    tried = {type(act) for _, act, _ in CASES.values()} | {type(act) for _, act, _, _ in WHERE_IT_CAN_BE.values()}
    chapters = ("pitboss.table.irregularities", "pitboss.table.device", "pitboss.table.conduct")
    irregular_acts = {
        kind for kind, (refuse, _) in CHAPTERS.items()
        if "by" in kind.__struct_fields__ and refuse.__module__.startswith(chapters)
    } | {a.ReportJackpotFault, a.RestoreJackpot}  # fmt: skip
    assert irregular_acts == tried


@pytest.mark.clause("adelaide-pontoon-2008", "112", "110")
def test_the_discards_are_shuffled_only_after_approval() -> None:
    """Adelaide 112 covers 110: when the cards have run out nothing happens before the approval."""
    book = load("adelaide-pontoon-2008")
    table = open_table(book, cards="9s 9c 9h")
    table, events = play(table, a.PlaceWager("alice", 1, 1000), a.Deal(), a.Stand("alice", 1))
    assert table.approval_due == "casino-supervisor"
    told = [(event.to, event.clauses) for event in events if isinstance(event, e.NoticeGiven)]
    assert ("casino-supervisor", ("112",)) in told
    refused = refusal(table, a.Shuffle(("9s",)))
    assert refused is not None and refused.clauses == ("112",)
    table, _ = play(table, a.Approve("casino-supervisor"))
    assert table.preparation == "shuffle"
