"""Boxes with several players when wagers go, whole or in part: who calls, who is asked, and what goes back."""

from __future__ import annotations

import msgspec
import pytest

from pitboss import evolve, legal_acts, load, open_table, play, refusal, waiting_for
from pitboss.ledger import Ledger
from pitboss.rulebooks import RULEBOOKS
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import Act
from pitboss.table.house import Patron, default_house
from pitboss.table.state import Table
from tests.books import ACT2, ACT5, ADL, BJC, NSW

SUPERVISOR = "casino-supervisor"


def opened(rulebook_id: str, cards: str, **limits: int) -> Table:
    """A table whose named players have loss limits, in cents."""
    players = {name: Patron(loss_limit_cents=cents) for name, cents in limits.items()}
    return open_table(rulebook_id, cards=cards, players=players)


def approved(table: Table) -> Table:
    """The table once whoever must approve that the game continues has done so."""
    return play(table, a.Approve("gaming-manager"))[0] if table.approval_due else table


def back(events: tuple[e.Event, ...]) -> list[tuple[str, int, int]]:
    """What went back: to whom, how much, from which hand (-3 the insurance, -4 a split that is being answered)."""
    return [(event.player, event.cents, event.hand) for event in events if isinstance(event, e.WagerReturned)]


def on_cloth(table: Table) -> int:
    """Everything that players have put on the table and not got back."""
    return -sum(table.net.values())


# --- below the minimum -----------------------------------------------------------------------------------------------


def beside_a_small_one(rulebook_id: str, cards: str) -> Table:
    """Alice, who was told that small wagers go back, has slipped one in beside bob."""
    table = open_table(rulebook_id, cards=cards, players={"alice": Patron(seat=1)})
    table, _ = play(table, a.PlaceWager("alice", 1, 200, unnoticed=True), a.PlaceWager("bob", 1, 1000))
    return msgspec.structs.replace(
        table, players={**table.players, "alice": msgspec.structs.replace(table.players["alice"], warned=True)}
    )


@pytest.mark.clause("adelaide-pontoon-2008", "118")
@pytest.mark.clause("canberra-pontoon-2005", "3.4")
@pytest.mark.clause("canberra-pontoon-2002", "3.4")
@pytest.mark.parametrize("rulebook_id", [ADL, ACT5, ACT2])
def test_a_returned_wager_below_the_minimum_takes_its_double_along_and_leaves_the_box_to_the_next(
    rulebook_id: str,
) -> None:
    table = beside_a_small_one(rulebook_id, "5s 6c 4d Kc 8h Kd 2c")
    table, _ = play(table, a.Deal(), a.Double("alice", 1))
    table, events = play(table, a.FindWager("dealer", "alice", 1))
    assert back(events) == [("alice", 400, 0)] and table.net["alice"] == 0
    assert table.boxes[1].controller == "bob"
    table, _ = play(table, a.Decline("bob", 1))  # nobody has doubled any more
    assert waiting_for(table).what == "decision" and waiting_for(table).who == ("bob",)
    assert {type(act) for act in legal_acts(table)} >= {a.Hit, a.Double}


@pytest.mark.clause("canberra-pontoon-2005", "3.4")
def test_a_returned_wager_below_the_minimum_goes_from_every_split_hand_with_its_insurance() -> None:
    table = beside_a_small_one(ACT5, "8s Ac 8d 3c 4c 5c")
    table, _ = play(table, a.Deal(), a.Insure("alice", 1, 100), a.CloseInsurance(), a.CloseSurrender())
    split, _ = play(table, a.Split("alice", 1))
    _, events = play(split, a.FindWager("dealer", "alice", 1))
    assert back(events) == [("alice", 200, 0), ("alice", 200, -4), ("alice", 100, -3)]
    divided, _ = play(split, a.Decline("bob", 1))
    after, events = play(divided, a.FindWager("dealer", "alice", 1))
    assert back(events) == [("alice", 200, 0), ("alice", 100, -3), ("alice", 200, 1)]
    assert after.net["alice"] == 0 and waiting_for(after).who == ("bob",)


@pytest.mark.clause("adelaide-pontoon-2008", "118")
def test_a_small_wager_may_be_noticed_on_its_second_hand() -> None:
    table, _ = play(open_table(ADL, cards="8s 6c 8d 9c 5c 3c"), a.PlaceWager("alice", 1, 200, unnoticed=True), a.Deal())
    table, _ = play(table, a.Split("alice", 1), a.Hit("alice", 1))
    assert table.turn_hand == 1
    _, events = play(table, a.FindWager("dealer", "alice", 1))
    assert [event.outcome for event in events if isinstance(event, e.WagerFound)] == ["warned"]


@pytest.mark.clause("nsw-pontoon", "6.2")
def test_a_small_wager_noticed_while_its_split_is_answered_is_noticed_once() -> None:
    table, _ = play(
        open_table(NSW, cards="8s 6c 8d 9c 3c"),
        a.PlaceWager("alice", 1, 300, unnoticed=True),
        a.PlaceWager("bob", 1, 300, unnoticed=True),
        a.Deal(),
        a.Split("alice", 1),
    )
    table, _ = play(table, a.FindWager("dealer", "alice", 1), a.Decline("bob", 1))
    assert refusal(table, a.FindWager("dealer", "alice", 1)) is not None
    assert refusal(table, a.FindWager("dealer", "bob", 1)) is None


# --- above the maximum -----------------------------------------------------------------------------------------------


@pytest.mark.clause("adelaide-pontoon-2008", "119")
@pytest.mark.clause("canberra-pontoon-2005", "3.5")
@pytest.mark.clause("canberra-pontoon-2002", "3.5")
@pytest.mark.clause("nsw-pontoon", "6.3")
@pytest.mark.clause("nsw-blackjack-challenge", "6.3")
@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_a_cut_while_a_split_is_answered_leaves_nothing_on_the_box_that_belongs_to_nobody(rulebook_id: str) -> None:
    cards = "8s 6h 8d 9c 9d Kc 5d"
    table = open_table(rulebook_id, cards=cards, players={"alice": Patron(seat=1)})
    ledger = Ledger()
    for act in (
        a.PlaceWager("alice", 1, 110_000, unnoticed=True),
        a.PlaceWager("bob", 1, 500, unnoticed=True),
        a.Deal(),
        a.Split("alice", 1),
        a.FindWager("dealer", "alice", 1),
    ):
        table, events = play(table, act)
        ledger.post_all(events)
    assert ("alice", 10_000, 0) in back(events) and ("alice", 10_000, -4) in back(events)
    assert on_cloth(table) == ledger.balance("box:1")
    while table.phase != "wagers":
        answers = [act for act in legal_acts(table) if isinstance(act, (a.Decline, a.Stand))]
        table, events = play(table, answers[0])
        ledger.post_all(events)
    assert ledger.balance("box:1") == 0


@pytest.mark.clause("nsw-pontoon", "6.3.1", "17.21.2")
def test_a_wager_that_went_back_does_not_count_towards_the_maximum() -> None:
    table, _ = play(
        open_table(NSW, cards="9s 6h 8d Kc"),
        a.PlaceWager("alice", 1, 60_000),
        a.PlaceWager("bob", 1, 50_000, unnoticed=True),
        a.Deal(),
    )
    assert refusal(table, a.FindWager("dealer", "bob", 1)) is None
    table, _ = play(table, a.FindInvalidWager(SUPERVISOR, "alice", 1))
    assert refusal(table, a.FindWager("dealer", "bob", 1)) is not None


@pytest.mark.clause("nsw-pontoon", "6.1.1", "6.1.2", "6.1.3")
@pytest.mark.clause("nsw-blackjack-challenge", "6.1.1", "6.1.2", "6.1.3")
@pytest.mark.parametrize("rulebook_id", [NSW, BJC])
def test_the_seated_player_s_first_option_is_the_same_before_the_deal_and_after_it(rulebook_id: str) -> None:
    house = default_house(load(rulebook_id))
    table = open_table(rulebook_id, cards="9s 6h 8d Kc", house=house, players={"alice": Patron(seat=1)})
    table, _ = play(table, a.PlaceWager("bob", 1, 60_000), a.PlaceWager("carol", 1, 30_000))
    noticed, events = play(table, a.PlaceWager("alice", 1, 50_000))
    assert back(events) == [("bob", 10_000, -1), ("carol", 30_000, -1)]
    assert isinstance(events[0], e.WagerReturned) and events[0].reason == "displaced"
    late, _ = play(table, a.PlaceWager("alice", 1, 50_000, unnoticed=True), a.Deal())
    late, _ = play(late, a.FindWager("dealer", "bob", 1))
    noticed, _ = play(noticed, a.Deal())
    assert late.net == noticed.net == {"alice": -50_000, "bob": -50_000, "carol": 0}


@pytest.mark.clause("nsw-pontoon", "6.1.1", "6.6")
def test_beside_a_maximum_of_somebodys_own_the_seated_player_has_no_first_option() -> None:
    table = open_table(NSW, cards="9s", players={"alice": Patron(seat=1)})
    table, _ = play(table, a.GrantMaximum(SUPERVISOR, "bob", 200_000), a.PlaceWager("bob", 1, 60_000))
    assert refusal(table, a.PlaceWager("alice", 1, 50_000)) is not None
    assert refusal(table, a.PlaceWager("alice", 1, 40_000)) is None


@pytest.mark.clause("nsw-pontoon", "6.1.1")
def test_what_the_first_option_leaves_below_the_minimum_goes_back_whole() -> None:
    table = open_table(NSW, cards="9s", players={"alice": Patron(seat=1)})
    table, _ = play(table, a.PlaceWager("bob", 1, 60_000))
    table, events = play(table, a.PlaceWager("alice", 1, 99_700, token_cents=500))
    assert back(events) == [("bob", 60_000, -1)] and list(table.boxes[1].wagers) == ["alice"]


# --- who calls -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "5.6", "17.22.1")
def test_who_lost_one_split_hand_to_a_loss_limit_calls_the_other_again() -> None:
    table = opened(NSW, "8s 9h 8d 3c 4c 5c 6c Kd", alice=10_000)
    table, _ = play(table, a.PlaceWager("alice", 1, 2000), a.PlaceWager("bob", 1, 1000), a.Deal())
    house = msgspec.structs.replace(table.house, resplit=True)
    table = msgspec.structs.replace(table, house=house)
    table.stack = (*table.stack[:3], "8c", "3c", "4c", "5c", "6c", "Kd", "9c")
    table, _ = play(table, a.Split("alice", 1), a.Split("bob", 1), a.Split("alice", 1), a.Split("bob", 1))
    table, _ = play(table, a.Stand("alice", 1))
    assert table.turn_hand == 1  # the newest hand is in turn
    table, _ = play(table, a.RecordMispayment(SUPERVISOR, "alice", 6000, False, False))
    table, events = play(table, a.FindLossExcess(SUPERVISOR, "alice"))
    assert back(events) == [("alice", 2000, 1)] and waiting_for(table).who == ("bob",)
    table, _ = play(table, a.Stand("bob", 1))
    assert table.turn_hand == 2 and waiting_for(table).who == ("alice",)


@pytest.mark.clause("nsw-pontoon", "17.22", "12.1", "5.6")
def test_who_lost_the_whole_double_to_a_loss_limit_decides_again() -> None:
    table = opened(NSW, "5s 9h 6d 3c 4c Kd", alice=10_000)
    table, _ = play(table, a.PlaceWager("alice", 1, 2000), a.PlaceWager("bob", 1, 1000), a.Deal())
    table, _ = play(table, a.Double("alice", 1), a.RecordMispayment(SUPERVISOR, "alice", 8000, False, False))
    table, events = play(table, a.FindLossExcess(SUPERVISOR, "alice"))
    assert back(events) == [("alice", 2000, 0)] and waiting_for(table).who == ("bob",)
    table, events = play(table, a.Decline("bob", 1))
    assert isinstance(events[-1], e.TurnCame) and waiting_for(table).who == ("alice",)
    assert not table.hand_to_act().doubled and len(table.hand_to_act().cards) == 2


@pytest.mark.clause("nsw-pontoon", "17.22", "9.3")
def test_a_surrendered_wager_cut_to_a_loss_limit_is_still_surrendered() -> None:
    table = opened(NSW, "9s Kh 7d 6c", alice=10_000)
    table, _ = play(table, a.PlaceWager("alice", 1, 2000), a.PlaceWager("bob", 1, 1000), a.Deal())
    table, _ = play(table, a.Surrender("alice", 1), a.RecordMispayment(SUPERVISOR, "alice", 9000, False, False))
    table, events = play(table, a.FindLossExcess(SUPERVISOR, "alice"))
    assert back(events) == [("alice", 1000, 0)]
    assert not any(isinstance(event, e.ControlPassed) for event in events)
    assert waiting_for(table).what == "answer" and waiting_for(table).who == ("bob",)


@pytest.mark.clause("nsw-pontoon", "9.4", "19.8.1")
def test_where_everybody_else_has_surrendered_nobody_takes_over() -> None:
    table, _ = play(
        open_table(NSW, cards="9s Kh 7d 6c"), a.PlaceWager("alice", 1, 2000), a.PlaceWager("bob", 1, 1000), a.Deal()
    )
    table, _ = play(table, a.Surrender("alice", 1), a.Surrender("bob", 1))
    table, events = play(table, a.BarPlayer(SUPERVISOR, "alice", "a device"))
    assert not any(isinstance(event, e.ControlPassed) for event in events)
    table, _ = play(table, a.CloseSurrender())
    assert table.phase == "wagers" and table.net == {"alice": 0, "bob": -500}


@pytest.mark.clause("adelaide-pontoon-2008", "118", "72", "73")
def test_a_box_is_done_when_the_only_wager_goes_back_that_was_not_surrendered() -> None:
    table = beside_a_small_one(ADL, "9s Kh 7d 6c")
    table, _ = play(table, a.Deal(), a.Surrender("bob", 1))
    table, events = play(table, a.FindWager("dealer", "alice", 1))
    assert back(events) == [("alice", 200, 0)]
    table, _ = play(table, a.CloseSurrender())
    assert table.phase == "wagers" and table.net == {"alice": 0, "bob": -500}


@pytest.mark.clause("nsw-pontoon", "8.1", "19.8.1")
def test_who_is_barred_is_not_asked_to_insure() -> None:
    table, _ = play(
        open_table(NSW, cards="9s 9c Ah 8d 8c"), a.PlaceWager("alice", 1, 2000), a.PlaceWager("bob", 2, 1000), a.Deal()
    )
    table, _ = play(table, a.BarPlayer(SUPERVISOR, "alice", "a device"))
    assert waiting_for(table).who == ("bob", "dealer")
    assert refusal(table, a.Insure("alice", 1, 500)) is not None


@pytest.mark.clause("nsw-pontoon", "9.1", "19.8.1")
def test_who_is_barred_has_nothing_to_surrender() -> None:
    table, _ = play(
        open_table(NSW, cards="9s 9c Kh 8d 8c"), a.PlaceWager("alice", 1, 2000), a.PlaceWager("bob", 2, 1000), a.Deal()
    )
    table, _ = play(table, a.BarPlayer(SUPERVISOR, "alice", "a device"))
    refused = refusal(table, a.Surrender("alice", 1))
    assert refused is not None and refused.text == "alice has no wager on box 1."


# --- the order in which wagers were placed ---------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "17.22.1")
def test_an_optional_wager_goes_back_in_its_own_turn() -> None:
    table = opened(NSW, "9s", alice=100_000)
    bets: list[Act] = [
        a.PlaceWager("alice", 1, 1000),
        a.PlaceWager("alice", 2, 2000),
        a.PlaceWager("alice", 1, 500, "perfect-pairs"),
        a.PlaceWager("alice", 3, 3000),
    ]
    table, _ = play(table, *bets, a.RecordMispayment(SUPERVISOR, "alice", 99_000, False, False))
    _, events = play(table, a.FindLossExcess(SUPERVISOR, "alice"))
    returned = [(event.box, event.kind, event.cents) for event in events if isinstance(event, e.WagerReturned)]
    assert returned == [(3, "original", 3000), (1, "perfect-pairs", 500), (2, "original", 2000)]


@pytest.mark.clause("nsw-pontoon", "17.22.1", "3.6.2")
def test_an_optional_wager_that_waits_for_face_down_cards_goes_back_too() -> None:
    house = default_house(load(NSW), face_down=True)
    table = open_table(NSW, cards="9s 6h 8d", house=house, players={"alice": Patron(loss_limit_cents=100_000)})
    table, _ = play(table, a.PlaceWager("alice", 1, 1000), a.PlaceWager("alice", 1, 500, "perfect-pairs"), a.Deal())
    assert table.phase == "dealing"
    table, _ = play(table, a.RecordMispayment(SUPERVISOR, "alice", 98_900, False, False))
    table, events = play(table, a.FindLossExcess(SUPERVISOR, "alice"))
    assert [(event.kind, event.cents) for event in events if isinstance(event, e.WagerReturned)] == [
        ("perfect-pairs", 400)
    ]
    assert table.boxes[1].side == {"perfect-pairs": {"alice": 100}}


# --- bonus -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("canberra-pontoon-2005", "14.3", "17.2")
@pytest.mark.clause("canberra-pontoon-2002", "14.3", "17.3")
@pytest.mark.parametrize("rulebook_id", [ACT5, ACT2])
def test_a_void_wager_is_not_among_the_others_beside_a_super_bonus(rulebook_id: str) -> None:
    table, _ = play(
        open_table(rulebook_id, cards="7d 9s 7s 7d 8s 7d Kc"),
        a.PlaceWager("alice", 1, 1000),
        a.PlaceWager("bob", 2, 1000),
        a.PlaceWager("carol", 2, 1000),
        a.Deal(),
    )
    table, _ = play(table, a.BarPlayer(SUPERVISOR, "bob", "a device"))
    table, _ = play(approved(table), a.Hit("alice", 1), a.Stand("carol", 2))
    assert table.phase == "wagers" and table.net["bob"] == 0 and table.net["carol"] == 5000


@pytest.mark.clause("canberra-pontoon-2005", "14.3", "17.2(a)")
def test_a_bust_wager_that_is_declared_void_is_not_among_them_either() -> None:
    table, _ = play(
        open_table(ACT5, cards="9s 7d 7s 8s 7d 9h 7d"),
        a.PlaceWager("bob", 1, 1000),
        a.PlaceWager("alice", 2, 1000),
        a.Deal(),
        a.Hit("bob", 1),
    )
    table, _ = play(table, a.BarPlayer(SUPERVISOR, "bob", "a device"))
    table, _ = play(approved(table), a.Hit("alice", 2))
    assert table.phase == "wagers" and table.net["bob"] == 0


@pytest.mark.clause("nsw-pontoon", "10.2.3", "17.21.2")
def test_who_had_a_pair_wager_alone_and_lost_it_as_invalid_is_no_player_of_the_round() -> None:
    house = default_house(load(NSW), face_down=True)
    table, _ = play(
        open_table(NSW, cards="7d 7s 7d 7d", house=house),
        a.PlaceWager("alice", 1, 1000),
        a.PlaceWager("bob", 1, 500, "perfect-pairs"),
        a.PlaceWager("carol", 1, 500, "perfect-pairs"),
        a.Deal(),
    )
    table, _ = play(table, a.FindInvalidWager(SUPERVISOR, "bob", 1), a.Expose("alice", 1), a.Hit("alice", 1))
    assert table.net == {"alice": 102_000, "bob": 0, "carol": 12_500 + 5000}
    assert refusal(table, a.LeaveTable("bob")) is None


@pytest.mark.clause("nsw-pontoon", "10.2.3", "17.21.2")
def test_one_pair_wager_that_stands_is_enough() -> None:
    house = default_house(load(NSW), face_down=True)
    table, _ = play(
        open_table(NSW, cards="7d 9s 7s 7d 9d 7d Kc", house=house),
        a.PlaceWager("alice", 1, 1000),
        a.PlaceWager("carol", 2, 1000),
        a.PlaceWager("bob", 1, 500, "perfect-pairs"),
        a.PlaceWager("bob", 2, 500, "perfect-pairs"),
        a.Deal(),
    )
    table, _ = play(table, a.FindInvalidWager(SUPERVISOR, "bob", 1), a.Expose("alice", 1), a.Expose("carol", 2))
    table, _ = play(table, a.Hit("alice", 1))
    assert table.net["bob"] == 2500 + 5000


# --- old logs --------------------------------------------------------------------------------------------------------


def test_events_of_an_older_log_are_read_and_applied() -> None:
    table, _ = play(
        open_table(NSW, cards="8s 9h 8d 2c"), a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 1, 1000), a.Deal()
    )
    table, _ = play(table, a.Split("alice", 1))
    lines = (
        b'[{"event":"WagerReturned","clauses":["19.8"],"player":"alice","box":1,"cents":1000,"reason":"barred","hand":0},'
        b'{"event":"WagerReturned","clauses":["19.8"],"player":"alice","box":1,"cents":1000,"reason":"barred","hand":-4},'
        b'{"event":"ControlPassed","clauses":["5.6"],"box":1,"player":"bob"}]'
    )
    after = evolve(table, msgspec.json.decode(lines, type=tuple[e.AnyEvent, ...]))
    hand = after.boxes[1].hands[0]
    assert after.net["alice"] == 0 and not hand.matching and hand.asked == ("bob",)
    assert after.boxes[1].controller == "bob" and hand.asking == "split"
