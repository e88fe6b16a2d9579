"""An event cites what caused it: the clause that speaks of this case, and not all that there are of the subject."""

from __future__ import annotations

import pytest

from pitboss.rulebooks import load
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.engine import open_table, play
from pitboss.table.events import Event
from pitboss.table.house import default_house
from pitboss.table.state import Table


def dealt(rulebook: str, cards: str, *wagers: a.PlaceWager, source: str = "shoe") -> Table:
    house = default_house(load(rulebook), source=source)
    table = open_table(rulebook, cards=cards, house=house)
    return play(table, *(wagers or (a.PlaceWager("alice", 1, 2500),)), a.Deal())[0]


def cited(events: tuple[Event, ...], kind: type[Event]) -> list[tuple[str, ...]]:
    return [event.clauses for event in events if isinstance(event, kind)]


@pytest.mark.clause("nsw-pontoon", "19.9.1", "19.9.2", "19.10")
@pytest.mark.clause("nsw-blackjack-challenge", "20.9.1", "20.9.2", "20.10")
@pytest.mark.parametrize(
    ("rulebook", "disturbance", "fraud", "back"),
    [
        ("nsw-pontoon", "19.9.1", "19.9.2", ("19.10",)),
        ("nsw-blackjack-challenge", "20.9.1", "20.9.2", ("20.10",)),
        ("adelaide-pontoon-2008", "113(a)", "113(b)", ("113",)),
        ("canberra-pontoon-2002", "17.1", "17.4", ("17.5",)),
    ],
)
def test_an_invalidated_round_names_its_cause(
    rulebook: str, disturbance: str, fraud: str, back: tuple[str, ...]
) -> None:
    table = dealt(rulebook, "6s 9h 5d")
    for cause, clause in (("disturbance", disturbance), ("fraud", fraud)):
        _, events = play(table, a.InvalidateRound("shift-manager", cause))
        assert cited(events, e.RoundVoided) == cited(events, e.IrregularityReported) == [(clause,)]
        assert cited(events, e.WagerReturned) == [back]


@pytest.mark.clause("nsw-pontoon", "18.2", "18.3", "18.4", "18.5", "18.5.2")
@pytest.mark.parametrize(
    ("report", "clause"),
    [
        (a.ReportMalfunction("dealer", spare=True, transferable=True), "18.2"),
        (a.ReportMalfunction("dealer", damaged=("9c",), spare=True, transferable=True), "18.3"),
        (a.ReportMalfunction("dealer", disadvantage=True), "18.4"),
        (a.ReportMalfunction("dealer", damaged=("9c",)), "18.5"),
    ],
)
def test_a_failing_device_is_reported_by_the_clause_of_its_case(report: a.ReportMalfunction, clause: str) -> None:
    table = dealt("nsw-pontoon", "6s 9h 5d 9c 8c", source="shuffling-device")
    _, events = play(table, report)
    assert cited(events, e.IrregularityReported)[0] == (clause,)
    replaced = [event for event in events if isinstance(event, e.CardsReplacedInDevice)]
    assert all(("18.5.2" in event.clauses) == (clause == "18.5") for event in replaced)


@pytest.mark.clause("nsw-pontoon", "6.3", "6.3.1", "6.1.2")
def test_a_wager_above_the_maximum_is_told_by_its_place_in_line() -> None:
    most = default_house(load("nsw-pontoon")).maximum_cents
    first = a.PlaceWager("alice", 1, most + 500, unnoticed=True)
    _, events = play(dealt("nsw-pontoon", "6s 9h 5d", first), a.FindWager("dealer", "alice", 1))
    assert cited(events, e.WagerFound) == cited(events, e.WagerReturned) == [("6.3",)]
    shared = (a.PlaceWager("alice", 1, most - 500), a.PlaceWager("bob", 1, 1000, unnoticed=True))
    _, events = play(dealt("nsw-pontoon", "6s 9h 5d", *shared), a.FindWager("dealer", "bob", 1))
    assert cited(events, e.WagerFound) == cited(events, e.WagerReturned) == [("6.3.1", "6.1.2")]


@pytest.mark.clause("nsw-pontoon", "9.1", "9.3", "9.4", "9.7", "16.1.11")
def test_a_surrender_cites_what_is_said_of_others_only_where_there_are_some() -> None:
    alone = dealt("nsw-pontoon", "6s Kh 8d 9c")
    after, events = play(alone, a.Surrender("alice", 1))
    assert cited(events, e.WagerSurrendered) == [("9.1", "def:surrender", "9.3")]
    _, events = play(after, a.CloseSurrender())
    assert cited(events, e.SurrenderSettled) == [("9.7", "16.1.11", "def:stand off")]
    both = dealt("nsw-pontoon", "6s Kh 8d 9c", a.PlaceWager("alice", 1, 2500), a.PlaceWager("bob", 1, 1000))
    _, events = play(both, a.Surrender("alice", 1))
    assert cited(events, e.WagerSurrendered) == [("9.1", "def:surrender", "9.3", "9.4")]


@pytest.mark.clause("nsw-pontoon", "10.2.2", "10.2.3", "10.5:T2:super-bonus-25-up", "10.5:T2:others-50")
def test_a_super_bonus_cites_its_row_and_its_moment() -> None:
    wagers = (a.PlaceWager("alice", 1, 2500), a.PlaceWager("bob", 2, 1000))
    table = dealt("nsw-pontoon", "7s 9h 7h 7s 9d 7s 8c", *wagers)
    _, events = play(table, a.Hit("alice", 1))
    assert cited(events, e.SuperBonusPaid) == [("10.5:T2:super-bonus-25-up", "10.2.2")]
    assert cited(events, e.BonusPaid) == [("10.5:T2:others-50", "10.2.3")]
