"""Corners of the engine that no ordinary round comes to."""

from __future__ import annotations

import msgspec
import pytest

from pitboss import legal_acts, load, open_table, play, refusal
from pitboss.chance import shuffled
from pitboss.ledger import Ledger
from pitboss.ledger.postings import PLAYERS
from pitboss.rulebooks import vary
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.apply.rounds import ROUNDS_REMEMBERED
from pitboss.table.events import Event
from pitboss.table.house import default_house
from pitboss.table.refusals import Broken, broken_unless
from pitboss.table.shuffle_and_cut import cards_to_shuffle, full_stack
from pitboss.table.state import Table
from tests.books import ACT2, ACT5, ADL, BJC, NSW

DEVICE = "shuffling-device"


def names(events: tuple[Event, ...]) -> list[str]:
    return [type(event).__name__ for event in events]


def jackpot_table(cards: str, **changes: object) -> Table:
    book = load(BJC)
    house = default_house(book, source=DEVICE, side_bets=("blazing-7s",), **changes)
    table = open_table(book, cards=cards, house=house)
    for box, player in enumerate(("alice", "bob"), start=1):
        table, _ = play(table, a.PlaceWager(player, box, 1000), a.PlaceWager(player, box, 500, "blazing-7s"))
    return table


# --- the jackpot -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-blackjack-challenge", "16.10", "16.6")
def test_who_lost_his_jackpot_wager_is_told_so_once_though_the_link_has_others_wait() -> None:
    table, events = play(jackpot_table("7s 9c 7s 7s 8h Kh 2c 3c 4c 5c", jackpot_linked=True), a.Deal())
    assert names(events).count("JackpotLost") == names(events).count("JackpotWon") == 1
    inside = table.stack[table.position :]
    table, events = play(table, a.Mix(inside[::-1]))  # the device mixes, and the winner waits on
    assert names(events) == ["StackArranged"] and legal_acts(table) == ()
    _, events = play(table, a.PayJackpot(100_000, 0))
    assert names(events) == ["JackpotPrizePaid", "TurnCame"]
    _, events = play(table, a.PayJackpot(100_000, 40_000))
    assert names(events) == ["JackpotPrizePaid", "JackpotSet", "TurnCame"]
    assert [event.cents for event in events if isinstance(event, e.JackpotSet)] == [table.jackpot_cents - 40_000]


@pytest.mark.clause("nsw-blackjack-challenge", "16.8", "5.12")
def test_a_jackpot_with_cents_is_paid_in_chips_and_the_float_bears_the_rest() -> None:
    table = jackpot_table("7d 9c 7d 7d 8h 2c 3c 4c 5c 6c", jackpot_cents=5_000_003)
    ledger = Ledger(table.jackpot_cents)
    after, events = play(table, a.Deal())
    (prize,) = [event for event in events if isinstance(event, e.JackpotPrizePaid)]
    assert (prize.cents, prize.from_pool_cents) == (5_000_050, 5_000_003)
    assert load(BJC).wagers.rounding.clause in prize.clauses
    ledger.post_all(events)
    assert ledger.balance("jackpot") == after.jackpot_cents == table.house.jackpot_minimum_cents


@pytest.mark.clause("nsw-blackjack-challenge", "16.4")
def test_a_jackpot_wager_whose_original_went_back_is_void() -> None:
    book = load(BJC)
    house = default_house(book, source=DEVICE, side_bets=("blazing-7s",))
    table = open_table(book, cards="Ks 9c 9d 8c Kc 7h 9h", house=house)
    small = a.PlaceWager("alice", 1, 100, unnoticed=True)
    table, _ = play(table, small, a.PlaceWager("alice", 1, 500, "blazing-7s"), a.PlaceWager("bob", 2, 1000))
    table, events = play(table, a.FindWager("dealer", "alice", 1), a.Deal())
    returned = [(event.kind, event.cents) for event in events if isinstance(event, e.WagerReturned)]
    assert returned == [("original", 100), ("blazing-7s", 500)]
    assert list(table.boxes) == [2] and table.net["alice"] == 0 and not table.jackpot_wagers


# --- wagers and control ----------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "5.6", "5.7")
def test_without_a_last_resort_the_wager_that_was_placed_first_calls() -> None:
    clauses = {way: clause for way, clause in load(NSW).boxes.control_clauses.value.items() if way != "nearest"}
    book = vary(load(NSW), {"boxes.control": ["seated", "highest"], "boxes.control_clauses": clauses})
    table = open_table(book, cards="Ks 9c 9d 8c")
    table, _ = play(table, a.PlaceWager("bob", 1, 1000), a.PlaceWager("alice", 1, 1000), a.Deal())
    assert table.boxes[1].controller == "bob"


@pytest.mark.clause("adelaide-pontoon-2008", "95")
def test_an_optional_wager_that_needs_ones_own_original() -> None:
    book = vary(load(ADL), {"side_bets.perfect-pairs.access": "own-original"})
    table, _ = play(open_table(book, cards="Ks 9c 9d 8c"), a.PlaceWager("alice", 1, 1000))
    refused = refusal(table, a.PlaceWager("bob", 1, 500, "perfect-pairs"))
    assert refused is not None and refused.text == "place an original wager on box 1 first."
    assert refusal(table, a.PlaceWager("alice", 1, 500, "perfect-pairs")) is None


@pytest.mark.clause("nsw-pontoon", "6.3")
def test_a_box_above_the_maximum_is_cut_down_on_each_hand_that_has_the_wager() -> None:
    """Bob did not split: his excess goes back from the first hand, and there is none on the second."""
    book = load(NSW)
    table = open_table(book, cards="8s 9c 8d 9d Kh Kd", house=default_house(book, maximum_cents=5000))
    over = a.PlaceWager("bob", 1, 2000, unnoticed=True)
    table, _ = play(table, a.PlaceWager("alice", 1, 4000), over, a.Deal(), a.Split("alice", 1), a.Decline("bob", 1))
    _, events = play(table, a.FindWager("dealer", "bob", 1))
    returned = [(event.player, event.hand, event.cents) for event in events if isinstance(event, e.WagerReturned)]
    assert returned == [("bob", 0, 1000)]


@pytest.mark.clause("nsw-pontoon", "13.9.4")
def test_split_aces_that_may_draw_on_are_still_not_split_again() -> None:
    book = vary(load(NSW), {"splitting.aces_cards": 0, "splitting.aces_resplit": False})
    table = open_table(book, cards="As 9c Ad Ah 5c")
    table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.Deal(), a.Split("alice", 1))
    refused = refusal(table, a.Split("alice", 1))
    assert refused is not None and refused.text == "aces are split once only."


# --- cards -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "4.9")
def test_nothing_is_burned_where_there_is_nothing() -> None:
    table = open_table(NSW, cards="", new_shoe=True)
    table, events = play(table, a.PlaceWager("alice", 1, 1000), a.Deal())
    assert "CardBurned" not in names(events) and table.shuffle_reason == "insufficient"


@pytest.mark.clause("nsw-pontoon", "4.3.2")
def test_where_the_player_of_the_cutting_card_has_left_another_at_his_box_cuts() -> None:
    """The last in line where nobody else is there."""
    for seated, offered in ((True, "bob"), (False, "carol")):
        table = open_table(NSW, cards="Ks 9c 9d 8c Kc 7h 9h 9s 2c 3c 4c", cutting_card=3)
        table, _ = play(table, a.TakeSeat("alice", 1), a.PlaceWager("alice", 1, 1000), a.PlaceWager("carol", 2, 1000))
        table, _ = play(table, a.Deal(), a.Stand("alice", 1), a.Stand("carol", 2))
        assert table.preparation == "shuffle" and table.cut_from == 1
        table, _ = play(table, a.LeaveTable("alice"))
        if seated:
            table, _ = play(table, a.TakeSeat("bob", 1))
        table, _ = play(table, a.Shuffle(full_stack(table)))
        assert table.cut_offered == offered


@pytest.mark.clause("canberra-pontoon-2005", "19.3(a)")
def test_the_rest_of_a_failed_device_is_what_goes_into_the_shuffle() -> None:
    book = load(ACT5)
    table = open_table(book, house=default_house(book, source=DEVICE))
    table, _ = play(table, a.Shuffle(shuffled(cards_to_shuffle(table), 1), DEVICE), a.ReportMalfunction("dealer"))
    assert table.shuffle_reason == "malfunction"
    assert cards_to_shuffle(table) == table.stack[table.position :]


@pytest.mark.clause("canberra-pontoon-2002", "19.3:tail")
def test_the_cards_of_a_failed_device_go_when_the_cutting_card_comes_first() -> None:
    book = load(ACT2)
    table = open_table(book, house=default_house(book, source=DEVICE))
    table, _ = play(table, a.Shuffle(shuffled(cards_to_shuffle(table), 1), DEVICE))
    table, _ = play(table, a.ReportMalfunction("dealer", course="cutting-card"), a.PlaceWager("alice", 1, 1000))
    table = msgspec.structs.replace(table, position=table.cutting_at)
    table, events = play(table, a.Deal())
    assert names(events) == ["CuttingCardShown", "CardsReplaced", "ShuffleDue"]
    assert table.shuffle_reason == "new-cards" and table.phase == "wagers"


@pytest.mark.clause("nsw-pontoon", "17.15")
def test_forgotten_discards_are_not_told_again_when_cards_face_down_are_turned_up() -> None:
    book = load(NSW)
    table = open_table(book, cards="Ks 9c 9d 8c As 9h Kd 7c 2c", house=default_house(book, source=DEVICE))
    table, _ = play(table, a.DealFaceDown("casino-supervisor", approved=True))
    table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.Deal(), a.Expose("alice", 1), a.Stand("alice", 1))
    table, events = play(table, a.ForgetDiscards(), a.PlaceWager("alice", 1, 1000), a.Deal())
    assert table.phase == "dealing" and names(events).count("DiscardsForgotten") == 2
    table, events = play(table, a.Expose("alice", 1))
    assert "DiscardsForgotten" not in names(events) and "DiscardsReturned" not in names(events)
    assert table.rack and not table.boxes


@pytest.mark.clause("nsw-pontoon", "17.9")
def test_when_the_cards_run_out_the_discards_are_what_is_shuffled() -> None:
    table = open_table(NSW)
    table, _ = play(table, a.Shuffle(shuffled(cards_to_shuffle(table), 1)), a.Cut("supervisor", 150))
    table, _ = play(table, a.PlaceCuttingCard(60))
    cards = ("6s", "9h", "5d")
    rest = tuple(sorted(table.stack, key=lambda card: card in cards))
    table = msgspec.structs.replace(table, stack=cards, rack=rest[:100], cutting_at=-1, fresh=False)
    table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.Deal(), a.Hit("alice", 1))
    assert table.shuffle_reason == "insufficient" and cards_to_shuffle(table) == rest[:100]
    assert refusal(table, a.Shuffle(rest[:100][::-1])) is None
    assert refusal(table, a.Shuffle(rest[:99])) is not None


def test_the_rounds_of_a_shoe_are_remembered_up_to_a_bound() -> None:
    table = msgspec.structs.replace(open_table(NSW, cards="Ks 9c 9d 8c"), shoe_round=ROUNDS_REMEMBERED)
    table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.Deal())
    assert table.played == {} and table.shoe_round == ROUNDS_REMEMBERED + 1


# --- faults of ours --------------------------------------------------------------------------------------------------


def test_a_check_that_holds_is_silent() -> None:
    broken_unless(True, "never said")
    with pytest.raises(Broken, match="said"):
        broken_unless(False, "said")


def test_the_names_of_accounts_do_not_pile_up() -> None:
    for number in range(10_002):
        assert PLAYERS[f"p{number}"] == f"player:p{number}"
    assert len(PLAYERS) < 10_002 and PLAYERS["alice"] == "player:alice"
