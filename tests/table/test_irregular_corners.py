"""Irregularities in unusual company: what is refused, who else is at the table, and what comes next from the shoe."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pitboss import legal_acts, load, open_table, play, refusal
from pitboss.chance import shuffled
from pitboss.rulebooks import vary
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.events import Event
from pitboss.table.house import Patron, default_house
from pitboss.table.shuffle_and_cut import cards_to_shuffle
from pitboss.table.state import Table
from pitboss.table.views import HIDDEN, Viewer, event_seen_by
from tests.books import ACT5, ADL, BJC, NSW

BEFORE = (a.PlaceWager("alice", 1, 1000), a.Deal())


def names(events: tuple[Event, ...]) -> list[str]:
    return [type(event).__name__ for event in events]


def why_not(table: Table, act: a.Act) -> str:
    refused = refusal(table, act)
    assert refused is not None
    return refused.text


def approved(table: Table) -> Table:
    """The table once whoever must approve that the game continues has done so."""
    return play(table, a.Approve("gaming-manager"))[0] if table.approval_due else table


# --- cards -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "17.8")
def test_a_card_on_the_wrong_box_must_be_an_ordinary_one_on_another_box() -> None:
    table, _ = play(open_table(NSW, cards="6s 9c 5d 2c 3c"), *BEFORE)
    assert why_not(table, a.Misplace("bob", 1, 2)).startswith("bob has no wager on box 1")
    assert why_not(table, a.Misplace("alice", 1, 9)).startswith("there is no box 9")
    assert why_not(table, a.Misplace("alice", 1, 1)) == "the card lies where it belongs."
    empty, _ = play(open_table(NSW, cards="6s 9c 5d"), *BEFORE)
    assert why_not(empty, a.Misplace("alice", 1, 2)) == "no ordinary card comes next."


@pytest.mark.clause("nsw-pontoon", "17.8", "13.1")
def test_a_split_that_the_dealer_left_out_is_made() -> None:
    table, _ = play(open_table(NSW, cards="8s 9c 8d 2c 3c 4c"), *BEFORE)
    table, events = play(table, a.LeaveOut(1, meant="split"))
    assert "WagerSplit" in names(events) and len(table.boxes[1].hands) == 2


@pytest.mark.clause("nsw-pontoon", "17.8", "3.6.2")
def test_a_hand_left_out_face_down_is_turned_up_before_it_is_doubled_or_split() -> None:
    house = default_house(load(NSW), face_down=True)
    table, _ = play(open_table(NSW, cards="8s 9c 8d 2c 3c", house=house), *BEFORE)
    for meant in ("double", "split"):
        assert why_not(table, a.LeaveOut(1, meant=meant)).startswith("the first two cards of box 1 are turned up")


@pytest.mark.clause("adelaide-pontoon-2008", "101", "54")
def test_in_the_last_rounds_a_card_face_up_behind_the_cutting_card_brings_no_shuffle() -> None:
    for announced in (False, True):
        table = open_table(ADL, cards="6s 9c 5d 2c 3c", cutting_card=0)
        if announced:
            table, _ = play(table, a.AnnounceFinalRounds("casino-supervisor"))
        table, events = play(table, a.FindFaceUpCard())
        assert "CuttingCardShown" in names(events) and ("ShuffleDue" in names(events)) is not announced


@pytest.mark.clause("adelaide-pontoon-2008", "6")
def test_where_only_a_joker_is_left_no_card_was_drawn_in_error() -> None:
    book = load(ADL)
    for act in (a.DrawInError(), a.ExtraDealerCard()):
        table = open_table(book, cards="Ks 9c 9d 8c Jo", house=default_house(book, jokers=1))
        table, _ = play(table, *BEFORE, a.Stand("alice", 1))
        table, events = play(table, act)
        assert "JokerShown" in names(events) and not table.error_cards and table.rack[-1] == "Jo"


@pytest.mark.clause("nsw-pontoon", "17.8", "4.1.2")
def test_where_the_cutting_card_comes_first_nothing_is_misdealt() -> None:
    table = open_table(NSW, cards="6s 9c 5d 2c 3c", cutting_card=0)
    table, events = play(table, a.PlaceWager("alice", 1, 1000), a.Misdeal((1, 1, 0)))
    assert names(events) == ["WagerPlaced", "CuttingCardShown", "ShuffleDue"] and not table.misdealt


@pytest.mark.clause("adelaide-pontoon-2008", "103")
def test_a_card_drawn_in_error_is_not_refused_while_a_double_is_decided() -> None:
    table, _ = play(open_table(ADL, cards="6s 9c 5d 2c 3c 4c 5c"), *BEFORE, a.Double("alice", 1))
    table = approved(play(table, a.DrawInError(True))[0])
    assert why_not(table, a.RefuseCard("alice", 1)) == "on box 1 something else is to be decided first."


# --- who else is there -----------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "17.8.1")
def test_who_came_out_even_is_asked_for_nothing_when_the_round_before_is_void() -> None:
    table = open_table(NSW, cards="Ks 9s 9c 9d 9h Kc")
    table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 2, 1000), a.Deal())
    table, _ = play(table, a.Stand("alice", 1), a.Stand("bob", 2))
    even = [name for name, cents in table.last_results.items() if not cents]
    assert even, table.last_results
    table, events = play(table, a.VoidEarlierRound("gaming-manager"))
    reversed_for = [event.player for event in events if isinstance(event, e.PaymentReversed)]
    assert not set(reversed_for) & set(even)


@pytest.mark.clause("nsw-pontoon", "19.8")
def test_only_the_insurance_of_who_is_barred_goes_back() -> None:
    table = open_table(NSW, cards="Ks 9s Ac 9d 8h Kc")
    table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 1, 1000), a.PlaceWager("bob", 2, 1000))
    table, _ = play(table, a.Deal(), a.Insure("alice", 1, 500), a.Insure("bob", 1, 500))
    table, events = play(table, a.BarPlayer("casino-supervisor", "bob", "a device"))
    back = [(event.player, event.kind) for event in events if isinstance(event, e.WagerReturned)]
    assert ("bob", "insurance") in back and {player for player, _ in back} == {"bob"}
    assert table.boxes[1].insurance == {"alice": 500}


@pytest.mark.clause("nsw-pontoon", "17.22")
def test_an_optional_wager_alone_is_what_exceeds_a_loss_limit() -> None:
    """Only Perfect Pairs stands on a box where somebody else wagers: it goes back like any other."""
    limited = {"alice": Patron(loss_limit_cents=1500), "bob": Patron()}
    table = open_table(NSW, cards="Ks 9s 9c 9d 9h Kc", players=limited)
    own = (a.PlaceWager("alice", 2, 1500), a.PlaceWager("bob", 1, 1000))
    over = a.PlaceWager("alice", 1, 500, "perfect-pairs", unnoticed=True)
    table, _ = play(table, *own, over)
    table, events = play(table, a.FindLossExcess("dealer", "alice"))
    back = [(event.box, event.kind, event.cents) for event in events if isinstance(event, e.WagerReturned)]
    assert sum(cents for _, _, cents in back) == 500 and table.net["alice"] == -1500


@pytest.mark.clause("nsw-pontoon", "17.8.1")
def test_a_finished_round_is_laid_again_with_everything_that_was_wagered_on_it() -> None:
    """Shared boxes and optional wagers too; what was placed for the next round goes back first."""
    table = open_table(NSW, cards="Ks 9s 9c 9d 9h Kc 8c 7c 6c")
    shared = (a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 1, 2000), a.PlaceWager("bob", 2, 1000))
    table, _ = play(table, *shared, a.PlaceWager("alice", 1, 500, "perfect-pairs"))
    table, _ = play(table, a.Misdeal((2, 1, 0, 1, 2), "after-round"), a.Stand("bob", 1), a.Stand("bob", 2))
    assert table.phase == "wagers"
    table, _ = play(table, a.PlaceWager("alice", 1, 1500), a.PlaceWager("alice", 1, 500, "perfect-pairs"))
    table, events = play(table, a.Reconstruct("gaming-manager"))
    back = [(event.player, event.kind) for event in events if isinstance(event, e.WagerReturned)]
    again = [(event.player, event.box, event.kind) for event in events if isinstance(event, e.WagerPlaced)]
    assert sorted(back) == [("alice", "original"), ("alice", "perfect-pairs")]
    assert ("alice", 1, "perfect-pairs") in again and ("bob", 1, "original") in again
    assert table.boxes[1].controller == "bob" and table.boxes[1].hands[0].cards == ("Ks", "9d")


@pytest.mark.clause("nsw-blackjack-challenge", "18.8")
def test_what_went_to_the_jackpot_comes_back_with_a_round_that_is_laid_again() -> None:
    book = load(BJC)
    cards = "Ks 9s 9c 9d 9h Kc 8c 7c 6c 5c 4c"
    for linked in (False, True):
        house = default_house(
            book, source="shuffling-device", side_bets=("blazing-7s",), jackpot_rate_percent=20, jackpot_linked=linked
        )
        table = open_table(book, cards=cards, house=house)
        jackpot = table.jackpot_cents
        table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.PlaceWager("alice", 1, 500, "blazing-7s"))
        table, _ = play(table, a.Misdeal((0, 1, 1), "after-round"), a.Stand("alice", 1))
        assert table.jackpot_cents == jackpot + 100
        if linked:  # what other tables do to it in the meantime stands
            table, _ = play(table, a.SetJackpot(jackpot + 700))
            jackpot += 600
        table, events = play(table, a.Reconstruct("gaming-manager"))
        told = [event.cents for event in events if isinstance(event, e.JackpotSet)]
        assert told == [jackpot] and table.jackpot_cents == jackpot + 100


@pytest.mark.clause("nsw-pontoon", "19.4")
def test_who_may_be_told_to_pause_and_let_in_again() -> None:
    players = {"alice": Patron(loss_limit_cents=50_000), "bob": Patron()}
    table = open_table(NSW, cards="Ks 9s 9c 9d", players=players)
    by = load(NSW).irregularities.loss_limit_pause_by.value
    assert why_not(table, a.PausePlayer("dealer", "alice")) and why_not(table, a.ReadmitPlayer("dealer", "alice"))
    assert why_not(table, a.PausePlayer(by, "carol")) == "carol is not at the table."
    assert why_not(table, a.ReadmitPlayer(by, "alice")) == "alice does not pause."
    table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.Deal(), a.PausePlayer(by, "alice"))
    assert why_not(table, a.PausePlayer(by, "alice")) == "alice pauses already."
    assert why_not(table, a.ReadmitPlayer(by, "alice")) == "the round is finished first."


@pytest.mark.clause("nsw-pontoon", "19.17")
def test_a_dispute_is_about_something_and_a_ruling_says_something() -> None:
    table, _ = play(open_table(NSW, cards="Ks 9s 9c 9d"), a.PlaceWager("alice", 1, 1000))
    by = load(NSW).irregularities.dispute_by.value
    assert why_not(table, a.RaiseDispute("9lives", "a payment")).startswith("'9lives' cannot be a player's name")
    assert why_not(table, a.RaiseDispute("alice", " ")) == "say what the dispute is about."
    table, _ = play(table, a.RaiseDispute("alice", "a payment"))
    assert why_not(table, a.RuleDispute(by, "alice", "")) == "say what the ruling is."


# --- a finished round that is laid again -----------------------------------------------------------------------------

LONG = "5s 9s 6c 2d 3h Kc 8c 7c 6d 5d 4d 3d"


def misdealt_and_finished(rulebook: str | Rulebook, source: str = "shuffling-device") -> Table:
    """Alice's round was dealt in the wrong order, which nobody noticed; she hit once, the dealer drew two cards."""
    book = load(rulebook) if isinstance(rulebook, str) else rulebook
    table = open_table(book, cards=LONG, house=default_house(book, source=source))
    table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.Misdeal((0, 1, 1), "after-round"))
    if source == "shuffling-device":
        table, _ = play(table, a.Mix(table.stack[table.position :]))
    table, _ = play(table, a.Hit("alice", 1), a.Stand("alice", 1))
    assert not table.boxes
    return table


@pytest.mark.clause("nsw-pontoon", "17.8.1")
def test_while_the_cards_of_a_round_are_laid_again_none_comes_from_the_source() -> None:
    table, _ = play(misdealt_and_finished(NSW), a.Reconstruct("gaming-manager"))
    assert table.redeal == 3 and table.boxes[1].hands[0].cards == ("5s", "6c")
    assert "are being laid again" in why_not(table, a.FindFaceUpCard())
    assert "are laid again first" in why_not(table, a.ReportMalfunction("dealer"))
    inside = table.stack[table.position :]
    table, _ = play(table, a.Mix(inside[::-1]))  # the device mixes what it holds, and not what lies on the table
    assert table.stack[:3] == inside[:3] and sorted(table.stack) == sorted(inside)


@pytest.mark.clause("nsw-pontoon", "17.8.1", "17.2")
def test_cards_that_a_round_laid_again_does_not_take_are_the_next() -> None:
    table, _ = play(misdealt_and_finished(NSW, "shoe"), a.Reconstruct("gaming-manager"))
    table, events = play(table, a.Double("alice", 1), a.Forfeit("alice", 1))
    assert "CardsSetAside" in names(events) and not table.boxes
    assert [card for card, _ in table.error_cards] == ["3h", "Kc"]


@pytest.mark.clause("nsw-pontoon", "17.8.1", "17.11")
def test_the_shuffle_that_waited_for_the_round_waits_again_when_it_is_laid_again() -> None:
    table = open_table(NSW)
    table, _ = play(table, a.Shuffle(shuffled(cards_to_shuffle(table), 3)), a.ForgetCut())
    table, _ = play(approved(table), a.PlaceWager("alice", 1, 1000), a.Misdeal((0, 1, 1), "after-round"))
    while table.boxes:
        legal = legal_acts(table)
        table, _ = play(table, legal[min(1, len(legal) - 1)])
    assert table.shuffle_reason == "cut-missed"
    table, _ = play(table, a.Reconstruct("gaming-manager"))
    assert table.preparation == "ready" and table.shuffle_after == "cut-missed"


@pytest.mark.clause("nsw-pontoon", "17.8", "19.8", "19.8.1")
def test_a_round_from_which_wagers_went_back_is_laid_again_without_them() -> None:
    table = open_table(NSW, cards="5s 9s 6c 2d 3h Kc 8c 7c 6d")
    table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 2, 1000))
    table, _ = play(table, a.Misdeal((0, 1, 2, 1, 2), "after-round"))
    assert table.opened is not None
    table, _ = play(table, a.BarPlayer("casino-supervisor", "bob", "a device"), a.Stand("alice", 1))
    assert table.phase == "wagers" and table.opened is not None
    table, _ = play(table, a.Reconstruct("gaming-manager"))
    assert [area.hands[0].cards for area in table.boxes.values()] == [("5s", "2d"), ("9s", "3h")]
    assert table.net == {"alice": -1000, "bob": 0} and table.turn_box == 1


@pytest.mark.clause("nsw-pontoon", "17.8.1", "17.9")
def test_a_round_whose_cards_ran_out_is_laid_again_where_they_are_still_together() -> None:
    table = open_table(NSW, cards="5s 9s 6c")
    table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.Misdeal((0, 1, 1), "after-round"), a.Hit("alice", 1))
    assert table.preparation == "shuffle" and table.opened is not None
    table, _ = play(approved(table), a.Shuffle(("2d", "3d", "4d", "5d")))
    assert table.opened is not None and table.opened.left == ("5s", "9s", "6c")


def test_where_a_device_takes_the_cards_back_at_once_they_come_out_of_it_again() -> None:
    """In a variant for study; the documents of such devices do not say what follows."""
    book = vary(load(ADL), {"irregularities.misdeal_after_round": "rebuild-or-void"})
    table = open_table(book, cards=LONG, house=default_house(book, source="shuffling-device"))
    table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.Misdeal((0, 1, 1), "after-round"))
    assert table.opened is not None
    table, _ = play(table, a.Stand("alice", 1))
    assert not table.boxes and table.opened is not None and not table.rack
    table, _ = play(table, a.Notice("shift-manager", "misdealt", places=(0, 1, 1)))
    assert table.boxes and table.misdealt == () and table.redeal


REBUILDS = {"irregularities.misdeal_after_round": "rebuild-or-void"}
"""For study: Adelaide's jokers and jams with the rule of NSW pontoon 17.8.1."""


@pytest.mark.clause("nsw-pontoon", "17.8.1", "4.1.2")
def test_a_cutting_card_among_cards_that_are_not_taken_comes_with_the_next() -> None:
    table = open_table(NSW, cards=LONG, cutting_card=5)
    table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.Misdeal((0, 1, 1), "after-round"))
    table, _ = play(table, a.Hit("alice", 1), a.Stand("alice", 1), a.Reconstruct("gaming-manager"))
    table, _ = play(table, a.Double("alice", 1), a.Forfeit("alice", 1))
    assert [card for card, _ in table.error_cards] == ["3h", "Kc"] and table.cutting_at == table.position


@pytest.mark.clause("nsw-pontoon", "17.8.1", "17.1")
def test_a_round_is_not_laid_again_once_a_card_was_drawn_in_error_after_it() -> None:
    table = approved(play(misdealt_and_finished(NSW, "shoe"), a.DrawInError())[0])
    assert "no longer together" in why_not(table, a.Reconstruct("gaming-manager"))


def test_a_joker_among_cards_that_are_laid_again_is_replaced_as_before() -> None:
    book = vary(load(ADL), REBUILDS)
    table = open_table(book, cards="5s Jo 9s 6c 2d 3h Kc", house=default_house(book, jokers=1))
    table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.Misdeal((0, 1, 1), "after-round"), a.Stand("alice", 1))
    table, _ = play(approved(table), a.Reconstruct("gaming-manager"))
    table, events = play(table, a.Approve("gaming-manager"))
    assert "JokerShown" in names(events) and table.boxes[1].hands[0].cards == ("5s", "6c")


def test_a_jam_waits_until_the_round_is_laid_again() -> None:
    book = vary(load(ADL), {**REBUILDS, "shuffle.device_return": "after-initial-deal"})
    table, _ = play(approved(misdealt_and_finished(book)), a.Reconstruct("gaming-manager"))
    table = approved(table)
    assert table.redeal and "are laid again first" in why_not(table, a.ClearJam(table.stack[table.position :]))


@pytest.mark.parametrize("noticed", ["initial-deal", "after-round"])
def test_a_misdeal_that_a_joker_leaves_without_cards(noticed: str) -> None:
    book = vary(load(ADL), REBUILDS)
    table = open_table(book, cards="5s Jo 9s", house=default_house(book, jokers=1))
    table, events = play(table, a.PlaceWager("alice", 1, 1000), a.Misdeal((0, 1, 1), noticed))
    assert "JokerShown" in names(events) and table.position == 3


@pytest.mark.clause("adelaide-pontoon-2008", "105(d)", "54(b)")
def test_the_cards_may_run_out_before_the_dealers_late_card() -> None:
    table = open_table(ADL, cards="5s 9s")
    table, events = play(table, a.PlaceWager("alice", 1, 1000), a.Misdeal((1, 1), "in-turn"))
    if table.approval_due:
        table, events = play(table, a.Approve("gaming-manager"))
    assert "CardsRanOut" in names(events) and not table.dealer_cards


@pytest.mark.clause("nsw-blackjack-challenge", "18.17.1")
def test_only_the_jackpot_wager_of_who_is_barred_goes_back() -> None:
    book = load(BJC)
    house = default_house(book, source="shuffling-device", side_bets=("blazing-7s",))
    table = open_table(book, cards="7s", house=house)
    for box, player in enumerate(("alice", "bob"), start=1):
        table, _ = play(table, a.PlaceWager(player, box, 1000), a.PlaceWager(player, box, 500, "blazing-7s"))
    table = approved(play(table, a.Deal())[0])
    table, events = play(table, a.BarPlayer("casino-supervisor", "bob", "a device"))
    back = [(event.player, event.kind) for event in events if isinstance(event, e.WagerReturned)]
    assert ("bob", "blazing-7s") in back and {player for player, _ in back} == {"bob"}
    assert [player for _, player, _, _ in table.jackpot_wagers] == ["alice"]


# --- what a finished round leaves behind -----------------------------------------------------------------------------


@pytest.mark.clause("adelaide-pontoon-2008", "111", "6")
def test_where_only_a_joker_is_left_no_card_is_burned_in_error() -> None:
    book = vary(load(ADL), {"irregularities.burned_in_error": "next-card"})
    table = open_table(book, cards="6s 9c 5d Jo", house=default_house(book, jokers=1))
    table, events = play(table, *BEFORE, a.BurnInError())
    assert names(events)[-1] == "JokerShown"
    assert table.error_cards == ()


@pytest.mark.clause("canberra-pontoon-2005", "15.5")
def test_in_an_earlier_round_that_is_void_who_stood_off_is_owed_nothing() -> None:
    table = open_table(ACT5, cards="Js 9h 9d Jh Js Kc 5s 6d 7c 8c", players={"alice": Patron(), "bob": Patron()})
    table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 2, 1000), a.Deal())
    table, _ = play(table, a.Stand("alice", 1), a.Stand("bob", 2))
    assert sorted(table.last_results.values()) == [0, 1000]
    table, events = play(table, *BEFORE, a.VoidEarlierRound("gaming-manager"))
    reversed_to = [(event.player, event.cents) for event in events if isinstance(event, e.PaymentReversed)]
    assert len(reversed_to) == 1


@pytest.mark.clause("nsw-pontoon", "19.20", "13.5")
def test_an_invalid_wager_on_the_first_of_two_hands_leaves_the_other_alone() -> None:
    table = open_table(NSW, cards="8s 9c 8d 2c 3c 4c 5c", players={"alice": Patron(), "bob": Patron()})
    table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 1, 1000), a.Deal())
    table, _ = play(table, a.Split("alice", 1), a.Decline("bob", 1))
    table, events = play(table, a.FindInvalidWager("gaming-manager", "bob", 1))
    returned = [event for event in events if isinstance(event, e.WagerReturned)]
    assert [(event.player, event.cents) for event in returned] == [("bob", 1000)]
    assert len(table.boxes[1].hands) == 2


@pytest.mark.clause("nsw-pontoon", "7.1")
def test_cards_face_down_stay_so_when_they_lie_wrong_or_are_taken_away() -> None:
    table, _ = play(open_table(NSW, cards="6s 9c 5d 2c"), *BEFORE)
    closed = replace(table, house=replace(table.house, face_down=True))
    bob, why = Viewer("player", "bob"), ("17.8",)
    misplaced = event_seen_by(bob, e.CardMisplaced(why, 2, "7s"), closed)
    assert isinstance(misplaced, e.CardMisplaced) and misplaced.card == HIDDEN
    relaid = event_seen_by(bob, e.RoundReconstructed(why, ((1, "7s"), (0, "8s")), ((0, "7s"), (1, "8s"))), closed)
    assert isinstance(relaid, e.RoundReconstructed)
    assert (relaid.before, relaid.after) == (((1, HIDDEN), (0, "8s")), ((0, "7s"), (1, HIDDEN)))
    void = event_seen_by(bob, e.HandVoided(why, 1, ("7s", "8s")), closed)
    assert isinstance(void, e.HandVoided) and void.cards == (HIDDEN, HIDDEN)
    assert event_seen_by(bob, e.HandVoided(why, 1, ("7s",)), table) == e.HandVoided(why, 1, ("7s",))
