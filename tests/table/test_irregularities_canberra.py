"""Canberra 2005 and 2002, 15, 17 and 19: who may, what a void round undoes, and what follows a failed shoe."""

from __future__ import annotations

import pytest

from pitboss import load, open_table, play, refusal
from pitboss.chance import shuffled
from pitboss.ledger import Ledger
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import Act
from pitboss.table.events import Event
from pitboss.table.house import DEVICE, SHOE, default_house
from pitboss.table.shuffle_and_cut import cards_to_shuffle
from pitboss.table.state import Table

ACT5, ACT2 = "canberra-pontoon-2005", "canberra-pontoon-2002"
BOTH = (ACT5, ACT2)
ALICE, BOB = a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 2, 1000)


def table_with(rulebook_id: str, cards: str, *acts: Act, **house: object) -> tuple[Table, tuple[Event, ...]]:
    rulebook = load(rulebook_id)
    return play(open_table(rulebook, cards=cards, house=default_house(rulebook, **house)), *acts)


def cited(table: Table, act: Act) -> tuple[str, ...]:
    refused = refusal(table, act)
    return refused.clauses if refused else ()


@pytest.mark.clause("canberra-pontoon-2005", "15.1", "15.2", "15.4")
@pytest.mark.clause("canberra-pontoon-2002", "15.1", "15.2", "15.4")
@pytest.mark.parametrize("rulebook_id", BOTH)
@pytest.mark.parametrize("act", [a.FindFaceUpCard(), a.DrawInError(), a.BurnInError(), a.Misdeal((1, 0))])
def test_nobody_is_told_and_nobody_approves(rulebook_id: str, act: Act) -> None:
    table, events = table_with(rulebook_id, "As 9s 7h 8c Kc", ALICE, act)
    assert not table.approval_due and not any(isinstance(ev, e.NoticeGiven) for ev in events)


@pytest.mark.clause("canberra-pontoon-2005", "15.4")
@pytest.mark.clause("canberra-pontoon-2002", "15.4")
@pytest.mark.parametrize("rulebook_id", BOTH)
@pytest.mark.parametrize("places", [(1, 2, 2, 0, 1), (1, 2, 0, 2, 1), (0, 1, 2, 1, 2), (1, 2, 1, 2, 3), (1, 1, 2)])
def test_a_rebuilt_round_is_the_round_dealt_rightly(rulebook_id: str, places: tuple[int, ...]) -> None:
    cards = "9s 5d 7h 8c 8d Kd"
    right, _ = table_with(rulebook_id, cards, ALICE, BOB, a.Deal())
    rebuilt, events = table_with(rulebook_id, cards, ALICE, BOB, a.Misdeal(places), a.Reconstruct("dealer"))
    assert rebuilt.boxes == right.boxes and rebuilt.dealer_cards == right.dealer_cards
    assert rebuilt.stack[rebuilt.position :] == right.stack[right.position :]
    laid = next(ev for ev in events if isinstance(ev, e.RoundReconstructed))
    assert [card for _, card in laid.before] == cards.split()[: len(places)]


@pytest.mark.clause("canberra-pontoon-2005", "15.5", "def:Void")
@pytest.mark.clause("canberra-pontoon-2002", "15.5", "def:Void")
@pytest.mark.parametrize("rulebook_id", BOTH)
def test_the_books_of_the_faulty_round_are_undone_and_the_later_round_goes_on(rulebook_id: str) -> None:
    first = (ALICE, BOB, a.Deal(), a.Stand("alice", 1))
    table, events = table_with(rulebook_id, "9s As 7h 5d Kc Kh 9h 9c 7d 8s Kd Ks", *first)
    assert (table.net["alice"], table.net["bob"]) == (-1000, 1500)
    assert "15.5" in cited(table, a.VoidEarlierRound("casino-supervisor"))
    table, more = play(table, ALICE, BOB, a.Deal())
    clauses = "17.3" if rulebook_id == ACT5 else "17.4"
    assert clauses in cited(table, a.VoidEarlierRound("dealer"))
    after, told = play(table, a.VoidEarlierRound("casino-supervisor"))
    assert after.boxes == table.boxes and after.phase == table.phase
    assert {ev.player: ev.cents for ev in told if isinstance(ev, e.PaymentReversed)} == {"alice": -1000, "bob": 1500}
    assert "15.5" in cited(after, a.VoidEarlierRound("casino-supervisor"))
    ledger = Ledger()
    ledger.post_all((*events, *more, *told))
    assert ledger.balance("player:alice") == -1000 and ledger.balance("player:bob") == -1000  # round two's wagers
    assert ledger.balance("float") == 0 and ledger.total() == 0


@pytest.mark.clause("canberra-pontoon-2005", "17.1", "17.3", "def:Void")
@pytest.mark.clause("canberra-pontoon-2002", "17.1", "17.4", "17.5", "def:Void")
@pytest.mark.parametrize("rulebook_id", BOTH)
@pytest.mark.parametrize("cause", ["disturbance", "fraud"])
def test_only_the_operator_invalidates_and_then_everything_goes_back(rulebook_id: str, cause: str) -> None:
    table, before = table_with(rulebook_id, "As 5d 7h Kd 4c 9h", ALICE, BOB, a.Deal(), a.Hit("bob", 2))
    assert table.net["alice"] == 1500
    assert any(clause.startswith("17.") for clause in cited(table, a.InvalidateRound("dealer", cause)))
    after, events = play(table, a.InvalidateRound("casino-supervisor", cause))
    assert after.net == {"alice": 0, "bob": 0}
    ledger = Ledger()
    ledger.post_all((*before, *events))
    assert ledger.balance("float") == 0


@pytest.mark.clause("canberra-pontoon-2005", "17.2", "17.2(a)", "17.2(b)")
@pytest.mark.clause("canberra-pontoon-2002", "17.3", "17.3(a)", "17.3(b)")
@pytest.mark.parametrize(("rulebook_id", "rule"), [(ACT5, "17.2"), (ACT2, "17.3")])
def test_who_broke_the_rules_is_barred_by_the_operator(rulebook_id: str, rule: str) -> None:
    table, _ = table_with(rulebook_id, "9s 5d 7h 9c 9d Kc", ALICE, BOB, a.Deal())
    assert rule in cited(table, a.BarPlayer("dealer", "bob", "a calculator"))
    assert rule in cited(table, a.BarPlayer("casino-supervisor", "bob", " "))
    table, events = play(table, a.BarPlayer("casino-supervisor", "bob", "a calculator"))
    assert [ev.player for ev in events if isinstance(ev, e.WagerReturned)] == ["bob"]
    assert any(isinstance(ev, e.PlayerBarred) and rule + "(b)" in ev.clauses for ev in events)
    table, _ = play(table, a.Stand("alice", 1))
    assert rule + "(b)" in cited(table, BOB) and refusal(table, a.PlaceWager("carol", 2, 1000)) is None


@pytest.mark.clause("canberra-pontoon-2005", "19.3(a)(i)", "19.3(a)(ii)", "19.3(a)(iii)", "19.3(b)")
def test_the_steps_after_a_malfunction_in_2005() -> None:
    dealt = (ALICE, BOB, a.PlaceWager("carol", 3, 1000), a.Deal())
    table, _ = table_with(ACT5, "9s 5d 9h 7h 8c 9c 9d Kc", *dealt, source=DEVICE)
    table, events = play(table, a.ReportMalfunction("dealer"))
    assert table.house.source == SHOE and table.preparation == "shuffle"
    assert not any(isinstance(ev, e.RefundOffered | e.NoticeGiven) for ev in events)
    table, events = play(table, a.Shuffle(("Kc",)))
    offered = next(ev for ev in events if isinstance(ev, e.CutOffered))
    assert offered.player == "carol" and "19.3(a)(ii)" in offered.clauses
    table, events = play(table, a.DeclineCut("carol"))
    assert [ev.player for ev in events if isinstance(ev, e.CutOffered)] == ["alice"]
    table, _ = play(table, a.Cut("alice", 100), a.PlaceCuttingCard(60))
    table, events = play(table, a.Stand("alice", 1), a.Stand("bob", 2), a.Stand("carol", 3))
    assert [type(ev) for ev in events[-3:]] == [e.RoundEnded, e.CardsReplaced, e.ShuffleDue]
    assert events[-1].clauses == ("19.3(b)",)
    table, _ = play(table, a.Shuffle(("9s", "7h", "8c", "Kc")), a.Cut("carol", 100), a.PlaceCuttingCard(60))
    table, events = play(table, ALICE, a.Deal(), a.Stand("alice", 1))
    assert isinstance(events[-1], e.RoundEnded)  # new cards come in once, not after every round


@pytest.mark.clause("canberra-pontoon-2005", "19.3(b)")
def test_a_replaced_device_is_loaded_with_new_cards() -> None:
    table, _ = table_with(ACT5, "9s 7h 8c Kc", ALICE, a.Deal(), a.ReportMalfunction("dealer"), source=DEVICE)
    assert "19.3(b)" in cited(table, a.RepairDevice("casino-supervisor"))  # not in the middle of a round
    table, _ = play(table, a.Shuffle(("Kc",)), a.Cut("alice", 100), a.PlaceCuttingCard(60), a.Stand("alice", 1))
    assert "19.3(b)" in cited(table, a.RepairDevice("dealer"))
    table, events = play(table, a.RepairDevice("casino-supervisor"))
    assert table.house.source == DEVICE and table.shuffle_reason == "new-cards"
    assert any(isinstance(ev, e.CardsReplaced) and "19.3(b)" in ev.clauses for ev in events)
    assert "19.3(b)" in cited(table, a.RepairDevice("casino-supervisor"))


@pytest.mark.clause("canberra-pontoon-2002", "19.3", "19.3(a)", "19.3(b)", "19.3:tail")
@pytest.mark.parametrize("course", ["cutting-card", "shuffle"])
def test_in_2002_the_shoe_is_played_out_before_new_cards_come(course: str) -> None:
    rulebook = load(ACT2)
    table = open_table(rulebook, house=default_house(rulebook, decks=3, source=DEVICE, side_bets=()))
    table, _ = play(table, a.Shuffle(shuffled(cards_to_shuffle(table), seed=4), DEVICE))
    table, events = play(table, a.ReportMalfunction("dealer", course=course))
    if course == "shuffle":
        order = shuffled(cards_to_shuffle(table), seed=5)
        table, _ = play(table, ALICE, a.Shuffle(order), a.Cut("alice", 60), a.PlaceCuttingCard(48))
    else:
        placed = next(ev for ev in events if isinstance(ev, e.CuttingCardPlaced))
        assert placed.from_back == 48 and "19.3(a)" in placed.clauses
    rounds = 0
    while table.preparation == "ready":
        assert "19.3:tail" in cited(table, a.RepairDevice("casino-supervisor"))
        if not table.boxes:
            table, _ = play(table, ALICE)
        table, _ = play(table, a.Deal())
        rounds += 1
        while table.phase != "wagers" and table.preparation == "ready":
            act: Act = a.CloseInsurance() if table.phase == "insurance" else a.CloseSurrender()
            table, _ = play(table, a.PassOver("alice", 1) if table.phase == "play" else act)
    assert rounds > 5 and table.shuffle_reason == "new-cards" and table.house.source == SHOE
    table, events = play(table, a.RepairDevice("casino-supervisor"))
    assert table.house.source == DEVICE and events[0].clauses == ("19.3:tail",)


@pytest.mark.clause("canberra-pontoon-2005", "15.8", "5.4(b)")
@pytest.mark.clause("canberra-pontoon-2002", "15.8", "5.4(b)")
@pytest.mark.parametrize("rulebook_id", BOTH)
def test_a_shuffle_that_was_missed_follows_the_round_in_progress(rulebook_id: str) -> None:
    rulebook = load(rulebook_id)
    table = open_table(rulebook, cards="9s 7h 8c Kc 9h 6d 8d Kd 9d", house=default_house(rulebook), cutting_card=3)
    table, _ = play(table, ALICE, a.Deal(), a.Stand("alice", 1))
    assert table.shuffle_reason == "cutting-card"
    table, events = play(table, ALICE, a.ForgetShuffle(), a.Deal(), a.Stand("alice", 1))
    due = [ev for ev in events if isinstance(ev, e.ShuffleDue)]
    assert table.net["alice"] == 1000 and [ev.reason for ev in due] == ["shuffle-missed"]
    assert "15.8" in due[0].clauses
