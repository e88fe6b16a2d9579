"""What comes up seldom: refusals that need an unusual table, and events that few see."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss import load, open_table, play, refusal
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.house import DEVICE, default_house
from pitboss.table.legal import waiting_for
from pitboss.table.shuffle_and_cut import cards_to_shuffle
from pitboss.table.state import Table
from pitboss.table.telling import tell
from pitboss.table.views import HIDDEN, Viewer, event_seen_by
from tests.books import ACT5, ADL, NSW

ALICE, BOB = a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 2, 1000)


def opened(rulebook: str, cards: str, **house: Any) -> Table:
    book = load(rulebook)
    return open_table(book, cards=cards, house=default_house(book, **house))


def why_not(table: Table, act: a.Act) -> str:
    refused = refusal(table, act)
    assert refused is not None
    return refused.text


# --- players ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "12.5")
def test_only_the_doubled_hand_in_turn_can_be_forfeited() -> None:
    table, _ = play(opened(NSW, "8s 9c 8d 2c 3h 3d 4c 5c"), ALICE, a.Deal(), a.Split("alice", 1), a.Double("alice", 1))
    table, _ = play(table, a.Keep("alice", 1))
    assert (table.turn_hand, table.boxes[1].hands[0].doubled) == (1, True)
    assert why_not(table, a.Forfeit("alice", 1)) == "the hand on box 1 has not been doubled."


@pytest.mark.clause("nsw-pontoon", "8.1", "17.9")
def test_nothing_is_insured_before_the_initial_deal_is_complete() -> None:
    table, _ = play(opened(NSW, "8s Ac"), ALICE, a.Deal())
    assert table.phase == "dealing" and table.dealer_cards == ("Ac",)
    assert why_not(table, a.Insure("alice", 1, 500)) == "insurance comes after the initial deal."


@pytest.mark.clause("nsw-pontoon", "5.10")
def test_an_insurance_that_cannot_be_paid_in_chips_is_rounded_up() -> None:
    table = opened(NSW, "8s Ac 8d Kc", chips_cents=(500, 700))
    table, _ = play(table, ALICE, a.Deal(), a.Insure("alice", 1, 400), a.CloseInsurance(), a.CloseSurrender())
    _, events = play(table, a.Stand("alice", 1))
    (paid,) = [event for event in events if isinstance(event, e.InsurancePaid)]
    assert paid.paid_cents == 1000 and "5.10" in paid.clauses


@pytest.mark.clause("nsw-pontoon", "18.5", "13.4")
def test_a_split_is_not_answered_while_a_device_that_failed_is_emptied() -> None:
    table = opened(NSW, "8s 9c 8d 2c 3c 4c", source=DEVICE)
    table, _ = play(table, ALICE, a.PlaceWager("bob", 1, 1000), a.Deal(), a.Split("alice", 1))
    assert table.boxes[1].hands[0].asked == ("bob",)
    table, _ = play(table, a.ReportMalfunction("dealer"), a.PlayOn("alice"), a.PlayOn("bob"))
    assert table.preparation == "shuffle"
    assert why_not(table, a.Decline("bob", 1)) == "the cards are to be shuffled first."


@pytest.mark.clause("nsw-pontoon", "5.13")
def test_the_patrons_book_has_somebody_cover_every_split() -> None:
    table = opened(NSW, "8s 9c 8d 2c 3h 3d 4c 5c")
    table, events = play(table, a.PlaceWager("bob", 1, 1000), a.TellPatron("bob", cover_splits=True))
    assert "covers every split" in tell(events[-1], table.rulebook)
    table, events = play(table, a.TellPatron("bob", admitted=True))
    assert tell(events[-1], table.rulebook).startswith("the patrons' book on bob: admitted again")


# --- people ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "17.21.2")
def test_a_wager_is_found_invalid_once() -> None:
    table, _ = play(opened(NSW, "8s 9c 7d 2c 3h 3d"), ALICE, BOB, a.Deal())
    find = a.FindInvalidWager("casino-supervisor", "alice", 1)
    table, _ = play(table, find)
    assert why_not(table, find) == "everything of alice on box 1 has gone back already."


@pytest.mark.clause("nsw-pontoon", "17.21.2", "10.2")
def test_of_a_second_box_nobody_is_asked_for_a_card_twice() -> None:
    table, _ = play(opened(NSW, "8s 9c 7d 2c 3h 3d"), ALICE, a.PlaceWager("alice", 2, 1000), a.Deal())
    table, events = play(table, a.FindInvalidWager("casino-supervisor", "alice", 1))
    assert any(isinstance(event, e.CardAsked) for event in events)
    table, events = play(table, a.FindInvalidWager("casino-supervisor", "alice", 2))
    assert not any(isinstance(event, e.CardAsked) for event in events)


@pytest.mark.clause("nsw-pontoon", "19.8", "19.8.2")
def test_whoever_the_patrons_book_bars_gets_wagers_back_before_the_hand() -> None:
    table, _ = play(opened(NSW, "8s 9c 7d"), ALICE)
    table, events = play(table, a.TellPatron("alice", barred="a device", excluded=True))
    (back,) = [event for event in events if isinstance(event, e.WagerReturned)]
    assert back.reason == "barred" and table.net == {"alice": 0}


@pytest.mark.clause("nsw-pontoon", "19.8.4")
def test_only_for_a_device_is_anybody_detained() -> None:
    table, _ = play(opened(NSW, "8s 9c 7d"), ALICE)
    detain = a.BarPlayer("casino-supervisor", "alice", "rude", detained=True, breach="conduct")
    assert why_not(table, detain)


@pytest.mark.clause("nsw-pontoon", "17.18")
def test_a_table_is_stopped_for_a_reason_even_while_an_approval_is_awaited() -> None:
    table, _ = play(opened(NSW, "8s 9c 7d"), ALICE)
    assert why_not(table, a.StopTable("casino-supervisor", " ")) == "say why the table is stopped."
    assert why_not(table, a.StopTable("dealer", "short")) == "a casino supervisor stops a table."
    stopped, _ = play(table, a.StopTable("casino-supervisor", "the float is short"))
    assert refusal(stopped, a.StopTable("casino-supervisor", "again")) is not None
    waits, _ = play(opened(ADL, "8s 9c 7d 2c 3c 4c 5c"), ALICE, a.Deal(), a.FindFaceUpCard())
    assert waits.approval_due and play(waits, a.StopTable("casino-supervisor", "the float is short"))[0].stopped


# --- the house -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "19.10")
def test_wagers_of_an_invalidated_round_that_are_not_refunded_are_kept_with_all_that_goes_with_them() -> None:
    table = opened(NSW, "8s Ac 8d 2h 5c")
    table, _ = play(table, ALICE, a.PlaceWager("bob", 1, 1000), a.Deal(), a.Insure("alice", 1, 500))
    _, events = play(table, a.InvalidateRound("casino-supervisor", "disturbance", refund=False))
    kept = [type(event).__name__ for event in events if "Collected" in type(event).__name__]
    assert kept == ["WagerCollected", "WagerCollected", "InsuranceCollected"]
    split, _ = play(opened(NSW, "8s 9c 8d 5c"), ALICE, a.PlaceWager("bob", 1, 1000), a.Deal(), a.Split("alice", 1))
    after, events = play(split, a.InvalidateRound("casino-supervisor", "fraud", ("alice",)))
    back = [event for event in events if isinstance(event, e.WagerReturned) and event.hand == e.OF_ANSWERED_SPLIT]
    assert [(each.player, each.cents) for each in back] == [("alice", 1000)] and after.net == {"alice": -1000, "bob": 0}


@pytest.mark.clause("adelaide-pontoon-2008", "95")
def test_a_pair_wager_of_an_invalidated_round_is_kept_too() -> None:
    table = opened(NSW, "8s 8c 8d 2c", side_bets=("perfect-pairs",), face_down=True)
    table, _ = play(table, ALICE, a.PlaceWager("alice", 1, 500, "perfect-pairs"), a.Deal())
    _, events = play(table, a.InvalidateRound("casino-supervisor", "disturbance", refund=False))
    assert [event.cents for event in events if isinstance(event, e.SideBetCollected)] == [500]


@pytest.mark.clause("nsw-pontoon", "6.3")
@pytest.mark.parametrize(
    ("sign", "said"),
    [
        (a.DisplaySign("casino-supervisor", "limits", 20, 5000, 1000), "the minimum is above zero and not above the "),
        (a.DisplaySign("casino-supervisor", "limits", 20, 500, 1000, "roulette"), "this table has no limits for 'roul"),
        (a.DisplaySign("casino-supervisor", "weather", 20), "a sign is about limits or closing, not 'weather'."),
    ],
)
def test_a_sign_says_what_can_be(sign: a.DisplaySign, said: str) -> None:
    table, _ = play(opened(NSW, "8s 9c 7d"), ALICE)
    assert why_not(table, sign).startswith(said)


def test_a_sign_about_closing_says_when() -> None:
    table, events = play(opened(NSW, "8s"), ALICE, a.DisplaySign("casino-supervisor", "closing", 20))
    told = [tell(event, table.rulebook) for event in events if isinstance(event, e.SignDisplayed)]
    assert [text.partition(" (")[0] for text in told] == ["a sign says that the table closes in 20 minutes"]


def test_colours_are_changed_into_chips_that_the_float_has() -> None:
    table, _ = play(opened(NSW, "8s"), ALICE)
    assert why_not(table, a.ChangeColour("alice", 1000, 999)).startswith(
        "the float has no chips of that value: it has "
    )
    assert why_not(table, a.ChangeColour("alice", 0, 500))


# --- cards -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "17.9", "4.9")
def test_an_arranged_stack_without_discards_goes_on_with_the_rest_of_its_decks() -> None:
    table, _ = play(opened(NSW, "8s 9c 2d"), ALICE, a.Deal(), a.Hit("alice", 1))
    assert (table.preparation, table.shuffle_reason) == ("shuffle", "insufficient")
    rest = cards_to_shuffle(table)
    assert len(rest) == 8 * 48 - 3 and rest.count("8s") == 7


@pytest.mark.clause("canberra-pontoon-2005", "19.1")
def test_an_automated_shoe_that_runs_out_is_not_filled_again_and_the_round_is_void() -> None:
    table, _ = play(opened(ACT5, "8s 9c 2d", source=DEVICE), ALICE, a.Deal(), a.Hit("alice", 1))
    found = waiting_for(table)
    assert (found.what, found.acts) == ("void", ("VoidRound",))
    text = "the cards have run out, and no rule refills the shoe: the casino operator declares the round void."
    means = table.rulebook.shuffle.means.value[0]
    assert why_not(table, a.Shuffle(cards_to_shuffle(table), means)) == text


# --- who sees what ---------------------------------------------------------------------------------------------------


def test_a_viewer_is_not_told_the_order_of_the_cards_nor_hands_that_lie_face_down() -> None:
    table, events = play(opened(NSW, "8s 9c 7d 2c 3h 3d", face_down=True), ALICE, BOB, a.Deal())
    arranged = e.StackArranged(("4.1",), ("8s", "9c"))
    for viewer in (Viewer("player", "bob"), Viewer("dealer", "dora"), Viewer("inspector", "ivy")):
        assert event_seen_by(viewer, arranged, table) is None
    own = [event for event in events if isinstance(event, e.CardDealt) and event.box == 1]
    for viewer, shown in ((Viewer("player", "alice"), ["8s", "2c"]), (Viewer("player", "bob"), [HIDDEN, HIDDEN])):
        seen = [event_seen_by(viewer, event, table) for event in own]
        assert [each.card for each in seen if isinstance(each, e.CardDealt)] == shown
