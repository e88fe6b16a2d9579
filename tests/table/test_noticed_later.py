"""Errors noticed afterwards: what can be told, what is refused, and what becomes of the round."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pitboss import load, open_table, play, refusal
from pitboss.basics.cards import JOKER
from pitboss.rulebooks import RULEBOOKS
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.events import Event
from pitboss.table.house import BLAZING, DEVICE, default_house
from pitboss.table.irregularities.moments import moments_of
from pitboss.table.state import Table
from pitboss.table.telling import tell
from pitboss.table.views import HIDDEN, Viewer, event_seen_by
from tests.books import ADL, BJC, NSW

JOKERS = next(name for name in RULEBOOKS if load(name).cards.jokers.value)
ALICE, BOB = a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 2, 1000)


def dealt(rulebook: str, cards: str, *acts: a.Act, new_shoe: bool = False, **house: object) -> Table:
    """A round with alice on box 1 and bob on box 2, dealt and played so far."""
    book = load(rulebook)
    table = open_table(book, cards=cards, house=default_house(book, **house), new_shoe=new_shoe)
    return play(table, ALICE, BOB, a.Deal(), *acts)[0]


def why_not(table: Table, act: a.Act) -> str:
    refused = refusal(table, act)
    assert refused is not None
    return refused.text


def of_kind(events: tuple[Event, ...], kind: type[Event]) -> list[Event]:
    return [event for event in events if isinstance(event, kind)]


# --- what cannot be told so ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (a.Notice("dealer", "sneezed"), "say what went wrong, one of face-up, drawn, "),
        (a.Notice("dealer", "face-up", 1, during="lunch"), "say what went wrong, one of face-up, drawn, "),
        (a.Notice("dealer", "face-up", 9), "say at which card of the round it happened: 6 have left"),
        (a.Notice("dealer", "superfluous", 2, to=9), "there is no box 9"),
        (a.Notice("dealer", "misdealt", places=(1, 9, 0, 1, 2)), "cards go to the dealer (0) and to boxes 1 to "),
        (a.Notice("dealer", "misdealt", places=(1, 2, 0, 1, 2)), "that is the right order."),
        (a.Notice("dealer", "left-out", decision=1, meant="sing"), "say what had been called for: hit, double or spl"),
        (a.Notice("dealer", "left-out", decision=2), "say which decision of the round stands in its place: 1 were m"),
        (a.Notice("dealer", "left-out", decision=1), "decision 1 does not stand in the place of that: box 1: alice h"),
        (a.Notice("dealer", "burn-forgotten"), "no burn was due in this round."),
        (a.Notice("dealer", "discards-forgotten"), "no discards were due back in this round."),
        (a.Notice("dealer", "face-up", 1, during="dealers-hand"), "the round is being played: the settlement has no"),
        (a.Notice("dealer", "insurance-missed"), "insurance was not due in this round."),
        (a.Notice("dealer", "shuffle-missed", rounds=3), "1 round has been dealt with these cards: say for how many"),
    ],
)
def test_what_cannot_have_happened_so_is_refused(act: a.Notice, said: str) -> None:
    table = dealt(NSW, "9s 9h 7d 4c 5d 6h Kd 3s", a.Hit("alice", 1))
    assert why_not(table, act).startswith(said)


@pytest.mark.clause("nsw-pontoon", "17.14")
def test_a_missed_shuffle_concerns_a_shoe_that_is_being_dealt() -> None:
    table = dealt(NSW, "9s 9h 7d 8c 8d 6h Kd 3s", source=DEVICE)
    assert why_not(table, a.Notice("dealer", "cut-missed")).startswith("a shuffling device is in use")
    table, _ = play(dealt(NSW, "9s 9h 7d 8c 8d Kd"), a.Stand("alice", 1), a.Stand("bob", 2))
    table, _ = play(table, a.OrderShuffle("casino-supervisor", "doubt"))
    assert why_not(table, a.Notice("dealer", "cut-missed")) == "the cards are about to be shuffled or cut."


@pytest.mark.clause("nsw-pontoon", "17.13")
def test_insurance_is_noticed_as_missed_until_the_dealers_second_card() -> None:
    late = a.Notice("dealer", "insurance-missed")
    offered = dealt(NSW, "9s 9h As 8c 8d Kd 3s")
    table, events = play(play(offered, a.CloseInsurance(), a.CloseSurrender())[0], late)
    assert [tell(each, table.rulebook) for each in of_kind(events, e.InsuranceForgotten)]
    taken, _ = play(offered, a.Insure("alice", 1, 500), a.CloseInsurance(), a.CloseSurrender())
    assert why_not(taken, late) == "insurance was offered: somebody has taken it."
    over, _ = play(table, a.Insure("bob", 2, 500), a.Stand("alice", 1), a.Stand("bob", 2))
    assert over.net == {"alice": -1000, "bob": 0} and over.phase == "wagers"
    assert why_not(over, late) == "no round is being played: insurance is placed until the dealer's second card."
    assert why_not(offered, late) == "insurance is open at this moment: nothing has been forgotten."
    plain = dealt(NSW, "9s 9h 7d 8c 8d Kd 3s")
    assert why_not(plain, late) == "insurance was not due in this round."


@pytest.mark.clause("nsw-pontoon", "17.8", "17.8.1")
def test_a_round_that_cannot_be_laid_again_is_void_instead() -> None:
    told = a.Notice("dealer", "face-up", 2)
    table = dealt(NSW, "9s 9h 7d 8c 8d Kd", a.Stand("alice", 1), a.Stand("bob", 2))
    gone, _ = play(table, a.LeaveTable("bob"))
    assert why_not(gone, told) == "bob has left: the round cannot be laid again, and is void instead."
    scattered = replace(table, rack=table.rack[:-1])
    assert why_not(scattered, told).startswith("its cards are no longer together: ")
    book = load(BJC)
    house = default_house(book, jackpot_linked=True, source=DEVICE)
    linked = open_table(book, cards="9s 9h 7d 8c 8d Kd", house=house)
    linked, _ = play(linked, ALICE, BOB, a.PlaceWager("alice", 1, 500, BLAZING), a.Deal())
    assert refusal(linked, told) is None
    linked = open_table(book, cards="7s 9h 7s 7s 8d Kd", house=house)
    linked, _ = play(linked, ALICE, BOB, a.PlaceWager("alice", 1, 500, BLAZING), a.Deal())
    assert linked.jackpot_waiting and refusal(linked, told) is None  # nothing has been paid yet
    linked, _ = play(linked, a.PayJackpot(500_000, 500_000))
    assert why_not(linked, told).startswith("the linked jackpot has paid a share of itself: ")
    over, _ = play(linked, a.Stand("alice", 1), a.Stand("bob", 2))
    assert why_not(over, told).startswith("the linked jackpot has paid a share of itself: ")


# --- what follows ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-blackjack-challenge", "18.8", "16.12")
def test_the_jackpot_stands_where_it_did_before_a_round_that_is_taken_back() -> None:
    book = load(BJC)
    house = default_house(book, jackpot_rate_percent=10, source=DEVICE)
    table = open_table(book, cards="9s 9h 7d 8c 8d Kd Qd", house=house)
    table, _ = play(table, ALICE, BOB, a.PlaceWager("alice", 1, 500, BLAZING), a.Deal())
    assert table.jackpot_cents == house.jackpot_cents + 50
    table, events = play(table, a.Notice("dealer", "face-up", 5))
    assert [(each.cents, each.added_cents) for each in events if isinstance(each, e.JackpotSet)] == [
        (house.jackpot_cents, -50)
    ]
    assert table.jackpot_cents == house.jackpot_cents + 50 and table.boxes[2].hands[0].cards == ("9h", "Kd")


@pytest.mark.clause("nsw-pontoon", "17.15", "7.2")
def test_discards_that_were_not_put_back_are_noticed_in_the_round_and_wait_for_the_next() -> None:
    table = dealt(NSW, "9s 9h 7d 8c 8d Kd 9d 8h 7s 9c 8s Qh 2c 3c", source=DEVICE)
    table, _ = play(table, a.Stand("alice", 1), a.Stand("bob", 2), ALICE, BOB, a.Deal())
    assert not table.rack  # they went into the device when the initial deal was complete
    table, events = play(table, a.Notice("dealer", "discards-forgotten"))
    assert of_kind(events, e.DiscardsForgotten) and table.discards_forgotten
    assert why_not(table, a.Notice("dealer", "discards-forgotten")) == "no discards were due back in this round."


def test_a_superfluous_card_is_told_with_the_jokers_before_the_next_card() -> None:
    table = dealt(JOKERS, f"9s 9h 7d 8c 8d {JOKER} Kd", jokers=2)
    table, events = play(table, a.Notice("shift-manager", "superfluous", 3, to=1))
    (taken,) = of_kind(events, e.RoundTakenBack)
    assert isinstance(taken, e.RoundTakenBack) and taken.cards[-2:] == (JOKER, "Kd") and taken.extra == 2


@pytest.mark.clause("adelaide-pontoon-2008", "105(b)", "43")
def test_a_hand_found_short_in_the_first_round_of_a_device_leaves_what_was_burned() -> None:
    table = dealt(ADL, "2c 3c 4c 5c 6c 9s 9h 7d 8c 8d Kd", source=DEVICE, new_shoe=True)
    table, _ = play(table, a.Notice("shift-manager", "misdealt", places=(1, 2, 0, 2)))
    assert table.burned == ("2c", "3c", "4c", "5c", "6c") and table.boxes[1].hands[0].cards == ("9s",)


@pytest.mark.clause("nsw-pontoon", "17.8")
def test_a_superfluous_card_was_the_last_one() -> None:
    table, events = play(dealt(NSW, "9s 9h 7d 8c 8d"), a.Notice("dealer", "superfluous", 3, to=1))
    (taken,) = of_kind(events, e.RoundTakenBack)
    assert isinstance(taken, e.RoundTakenBack) and taken.extra == 0 and table.dealer_cards == ("7d",)


# --- hands that lack cards at an Adelaide table ----------------------------------------------------------------------


@pytest.mark.clause("adelaide-pontoon-2008", "105(c)")
def test_a_hand_that_was_passed_over_gets_its_card_before_the_dealers_second() -> None:
    table = dealt(ADL, "9s 9d 7h 5c 8c 4c 2c", a.Stand("alice", 1))
    table, events = play(table, a.Notice("casino-supervisor", "left-out", decision=1))
    assert not of_kind(events, e.RoundTakenBack) and table.boxes[1].hands[0].short == "passed"
    table, _ = play(table, a.Approve("casino-supervisor"), a.Stand("bob", 2))
    assert (table.turn_box, table.phase) == (1, "play")
    table, _ = play(table, a.Hit("alice", 1))
    assert table.boxes[1].hands[0].cards == ("9s", "5c", "4c")


@pytest.mark.clause("adelaide-pontoon-2008", "105(c)", "105(b)")
@pytest.mark.parametrize(("stood", "noticed"), [((), "in-turn"), ((a.Stand("alice", 1),), "passed")])
def test_a_hand_found_short_after_the_initial_deal_keeps_its_cards(stood: tuple[a.Act, ...], noticed: str) -> None:
    """Box 1 has no second card: what was taken for it was box 2's."""
    table = dealt(ADL, "9s 9d 7h 5c 8c Kc 2c", *stood)
    table, events = play(table, a.Notice("shift-manager", "misdealt", places=(1, 2, 0, 2)))
    assert [tell(each, table.rulebook) for each in of_kind(events, e.LayoutLeft)]
    (taken,) = of_kind(events, e.RoundTakenBack)
    assert "the shift manager says so, and the cards stay as they were dealt (" in tell(taken, table.rulebook)
    assert table.boxes[1].hands[0].short == noticed
    assert [area.hands[0].cards for area in table.boxes.values()] == [("9s",), ("9d", "5c")]


@pytest.mark.clause("adelaide-pontoon-2008", "105(c)")
def test_a_double_in_whose_place_a_hit_was_entered_waits_for_its_card() -> None:
    table = dealt(ADL, "5s 9d 7h 5c 8c 6c 2c", a.Hit("alice", 1), a.Stand("alice", 1))
    table, events = play(table, a.Notice("shift-manager", "left-out", decision=1, meant="double"))
    assert of_kind(events, e.RoundTakenBack)
    table, _ = play(table, a.Approve("casino-supervisor"))
    assert table.boxes[1].hands[0].meant == "double" and table.turn_box == 2


# --- the moments of a round in words ---------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "17.8")
def test_the_moments_of_a_round_are_its_cards_and_decisions_in_their_order() -> None:
    table = dealt(NSW, "2c 8s 9h 7d 8c 8d 3d 5d Kd 2s 3h", a.Split("alice", 1), a.Hit("alice", 1), new_shoe=True)
    found = moments_of(table)
    assert found.cards == (
        "a card, burned", "8s to box 1", "9h to box 2", "7d to the dealer", "8c to box 1", "8d to box 2",
        "3d to box 1", "5d to box 1",
    )  # fmt: skip
    assert found.decisions == ("box 1: alice splits", "box 1: alice hits")
    table, _ = play(table, a.Stand("alice", 1))
    assert moments_of(table).cards[-1] == "Kd to box 1, hand 2"


def test_there_are_no_moments_before_the_first_round_or_where_it_cannot_be_laid_again() -> None:
    assert moments_of(open_table(NSW, cards="9s")).cards == ()
    table = dealt(NSW, "9s 9h 7d 8c 8d Kd", a.Stand("alice", 1), a.Stand("bob", 2))
    assert len(moments_of(table).cards) == 6
    assert moments_of(play(table, a.LeaveTable("bob"))[0]).cards == ()


def test_a_card_that_lies_unseen_or_was_dealt_face_down_is_a_card() -> None:
    table = dealt(NSW, "9s 9h 7d 8c 8d Kd 2s", face_down=True)
    assert moments_of(table).cards == (
        "a card to box 1",
        "a card to box 2",
        "7d to the dealer",
        *["a card to box 1", "a card to box 2"],
    )
    table, _ = play(dealt(NSW, "9s 9h 7d 8c 8d Kd 2s"), a.DrawInError(exposed=False))
    assert moments_of(table).cards == ("a card",) * 6


def test_burned_cards_and_jokers_are_moments_too() -> None:
    table = dealt(ADL, "2c 3c 4c 5c 6c 9s 9h 7d 8c 8d Kd", source=DEVICE, new_shoe=True)
    assert moments_of(table).cards[:6] == ("a card, burned",) * 5 + ("9s to box 1",)
    table, _ = play(dealt(NSW, "9s 9h 7d 4c 8d 2s 3s Kd 2h"), a.FindFaceUpCard(), a.Hit("alice", 1))
    assert moments_of(table).cards[-2:] == ("2s, burned", "3s to box 1")
    table = dealt(JOKERS, f"9s 9h {JOKER} 7d 8c 8d Kd", jokers=2)
    assert moments_of(table).cards[2:4] == ("a joker", "7d to the dealer")
    table, events = play(table, a.Notice("shift-manager", "superfluous", 2, to=1))
    assert of_kind(events, e.RoundTakenBack)


def test_what_was_moved_by_another_error_is_no_longer_told() -> None:
    table = dealt(NSW, "9s 9h 7d 4c 8d 2s 3s Kd 2h", a.DrawInError(exposed=True), a.RefuseCard("alice", 1))
    assert moments_of(table).cards[-2:] == ("8d to box 2", "a card")


# --- who may see it --------------------------------------------------------------------------------------------------


def test_nobody_is_told_the_cards_that_are_laid_again() -> None:
    table, events = play(dealt(NSW, "9s 9h 7d 8c 8d Kd 2s", a.Stand("alice", 1)), a.Notice("dealer", "face-up", 5))
    for event in events:
        seen = event_seen_by(Viewer("player", "bob"), event, table)
        if isinstance(seen, e.RoundTakenBack):
            assert set(seen.cards) == {HIDDEN} and seen.decisions == ()
        if isinstance(seen, e.DecisionHeld):
            assert seen.decision.cards == seen.decision.dealer == ()
    assert of_kind(events, e.DecisionHeld)
