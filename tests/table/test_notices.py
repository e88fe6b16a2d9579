"""Who must be told when something went wrong, of what, and by when: as the documents say."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pitboss import load, open_table, play
from pitboss.rulebooks import RULEBOOKS
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import Act
from pitboss.table.events import Event
from pitboss.table.house import DEVICE, Patron, default_house
from pitboss.table.state import Table

NSW = ("nsw-pontoon", "nsw-blackjack-challenge")
ADELAIDE = "adelaide-pontoon-2008"
CARDS = "9s 9c 9h 8d 8c Kd 9d 7c 8s Jd 6h 5c 4s 3d 2h"


def in_round(rulebook: str, source: str = "shoe") -> Table:
    book = load(rulebook)
    house = default_house(book, source=source, side_bets=())
    players = {"alice": Patron(seat=1, loss_limit_cents=1000)}
    table = open_table(book, cards=CARDS, house=house, players=players)
    wagers = (a.PlaceWager("alice", 1, 1500, unnoticed=True), a.PlaceWager("bob", 2, 2500))
    return play(table, *wagers, a.Deal())[0]


def told(events: tuple[Event, ...]) -> list[tuple[str, str]]:
    return [(event.to, event.due) for event in events if isinstance(event, e.NoticeGiven)]


@pytest.mark.clause("nsw-pontoon", "17.16.4")
@pytest.mark.clause("nsw-blackjack-challenge", "18.15.4")
@pytest.mark.parametrize("what", ["missing", "foreign"])
@pytest.mark.parametrize("rulebook", NSW)
def test_surveillance_and_an_inspector_hear_of_wrong_cards(rulebook: str, what: str) -> None:
    _, events = play(in_round(rulebook), a.FindWrongCards("casino-supervisor", what))
    assert told(events) == [("surveillance", "before-the-next-deal"), ("inspector", "before-the-next-deal")]
    assert all(what in event.text for event in events if isinstance(event, e.NoticeGiven))


@pytest.mark.clause("nsw-pontoon", "17.20:tail", "17.20.1")
@pytest.mark.clause("nsw-blackjack-challenge", "18.20.3", "18.20.1")
@pytest.mark.parametrize(("cents", "reported"), [(100_000, False), (100_001, True)])
@pytest.mark.parametrize("rulebook", NSW)
def test_a_mispayment_above_a_thousand_dollars_is_for_the_end_of_the_month(
    rulebook: str, cents: int, reported: bool
) -> None:
    _, events = play(in_round(rulebook), a.RecordMispayment("casino-supervisor", "alice", cents))
    assert (("regulator", "end-of-month") in told(events)) == reported


@pytest.mark.clause("nsw-pontoon", "17.22.1")
@pytest.mark.clause("nsw-blackjack-challenge", "18.22.1")
@pytest.mark.parametrize("rulebook", NSW)
def test_a_player_over_the_loss_limit_is_reminded(rulebook: str) -> None:
    _, events = play(in_round(rulebook), a.FindLossExcess("dealer", "alice"))
    assert told(events) == [("players", "now")]


@pytest.mark.clause("nsw-pontoon", "19.8.4")
@pytest.mark.clause("nsw-blackjack-challenge", "20.8.4")
@pytest.mark.parametrize("rulebook", NSW)
def test_an_inspector_is_called_for_who_is_detained(rulebook: str) -> None:
    _, events = play(in_round(rulebook), a.BarPlayer("casino-supervisor", "bob", "a calculator", True))
    assert told(events) == [("inspector", "now")]


LISTED: dict[str, Callable[[], Act]] = {
    "101": a.FindFaceUpCard,
    "102": lambda: a.DrawInError(False),
    "103": lambda: a.DrawInError(True),
    "105(c)": lambda: a.LeaveOut(1),
    "111": a.BurnInError,
}


@pytest.mark.clause("adelaide-pontoon-2008", "112", "101", "102", "103", "105(c)", "111")
@pytest.mark.parametrize("clause", LISTED)
def test_in_adelaide_the_inspector_of_the_house_hears_first(clause: str) -> None:
    table, events = play(in_round(ADELAIDE), LISTED[clause]())
    assert told(events) == [("casino-supervisor", "before-play-goes-on")]
    assert table.approval_due == "casino-supervisor"


@pytest.mark.parametrize("rulebook", [name for name in RULEBOOKS if name != ADELAIDE])
def test_elsewhere_nobody_in_particular_hears_of_a_card_face_up(rulebook: str) -> None:
    table, events = play(in_round(rulebook), a.FindFaceUpCard())
    assert told(events) == [] and not table.approval_due


@pytest.mark.clause("adelaide-pontoon-2008", "38(b):tail")
def test_players_hear_that_new_cards_follow_the_shoe() -> None:
    _, events = play(in_round(ADELAIDE, DEVICE), a.ReportMalfunction("dealer"))
    assert ("players", "now") in told(events)


@pytest.mark.clause("adelaide-pontoon-2008", "122", "123", "124")
@pytest.mark.clause("canberra-pontoon-2005", "17.4")
@pytest.mark.clause("canberra-pontoon-2002", "17.6")
@pytest.mark.clause("nsw-pontoon", "19.17", "19.18")
@pytest.mark.clause("nsw-blackjack-challenge", "20.17", "20.18")
@pytest.mark.parametrize(
    ("rulebook", "reviewer", "players_told"),
    [
        (ADELAIDE, "inspectorate-manager", True),
        ("canberra-pontoon-2005", "commission", False),
        ("canberra-pontoon-2002", "authorised-officer", False),
        ("nsw-pontoon", "casino-supervisor", False),
        ("nsw-blackjack-challenge", "casino-supervisor", False),
    ],
)
def test_a_review_is_notified_to_who_reviews(rulebook: str, reviewer: str, players_told: bool) -> None:
    table, _ = play(in_round(rulebook), a.RaiseDispute("bob", "a card"))
    table, _ = play(table, a.RuleDispute("gaming-manager", "bob", "it stands"))
    table, events = play(table, a.AskReview("bob"))
    assert told(events) == [(reviewer, "now")] + [("players", "now")] * players_told
    if rulebook in NSW:  # once it has been reviewed he hears of the inspector
        table, _ = play(table, a.RuleDispute("gaming-manager", "bob", "it stands"))
        _, events = play(table, a.AskReview("bob"))
        assert told(events) == [("players", "now")]


@pytest.mark.clause("adelaide-pontoon-2008", "112", "123")
def test_a_dispute_lifts_no_approval() -> None:
    """Players may dispute while the game waits for an approval; it goes on waiting."""
    table, _ = play(in_round(ADELAIDE), a.FindFaceUpCard())
    table, _ = play(table, a.RaiseDispute("bob", "a card"), a.Remind("casino-supervisor", "dealer", "advice"))
    assert table.approval_due == "casino-supervisor"
    table, _ = play(table, a.RuleDispute("casino-supervisor", "bob", "it stands"), a.Approve("casino-supervisor"))
    assert not table.halted
