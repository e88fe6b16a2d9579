"""Adelaide 38(b), 43, 101 to 113: who approves, who is told, and what comes before what."""

from __future__ import annotations

import random

import pytest

from pitboss import legal_acts, load, open_table, play, refusal, waiting_for
from pitboss.basics.cards import deck
from pitboss.chance import shuffled
from pitboss.ledger import Ledger
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import Act
from pitboss.table.events import Event
from pitboss.table.house import DEVICE, SHOE, default_house
from pitboss.table.shuffle_and_cut import cards_to_shuffle
from pitboss.table.state import Table

ADL = "adelaide-pontoon-2008"
clause = pytest.mark.clause
OK = a.Approve("casino-supervisor")
BOB = a.PlaceWager("bob", 2, 1000)
ALICE = a.PlaceWager("alice", 1, 1000)


def table_with(cards: str, *acts: Act, **house: object) -> tuple[Table, tuple[Event, ...]]:
    rulebook = load(ADL)
    return play(open_table(rulebook, cards=cards, house=default_house(rulebook, **house)), *acts)


def cited(table: Table, act: Act) -> tuple[str, ...]:
    refused = refusal(table, act)
    return refused.clauses if refused else ()


IRREGULAR = [
    pytest.param("As 9s 7h 8c Kc", (ALICE, a.FindFaceUpCard()), marks=clause("adelaide-pontoon-2008", "101")),
    pytest.param("As 9s 7h 8c Kc", (ALICE, a.DrawInError()), marks=clause("adelaide-pontoon-2008", "102")),
    pytest.param("As 9s 7h 8c Kc", (ALICE, a.DrawInError(True)), marks=clause("adelaide-pontoon-2008", "103")),
    pytest.param(
        "9s 7h 8c Kc 5d", (ALICE, a.Deal(), a.Stand("alice", 1), a.ExtraDealerCard(True)),
        marks=clause("adelaide-pontoon-2008", "104"),
    ),
    pytest.param("9s 7h 8c Kc", (ALICE, a.Misdeal((1, 0))), marks=clause("adelaide-pontoon-2008", "105(a)")),
    pytest.param("9s 7h 8c Kc", (ALICE, a.Misdeal((1, 0), "in-turn")), marks=clause("adelaide-pontoon-2008", "105(b)")),
    pytest.param("5s 7h 4c Kc", (ALICE, a.Deal(), a.LeaveOut(1)), marks=clause("adelaide-pontoon-2008", "105(c)")),
    pytest.param("9s 8c 7h Kc", (ALICE, a.Misdeal((1, 1), "in-turn")), marks=clause("adelaide-pontoon-2008", "105(d)")),
    pytest.param("9s 7h 8c Kc", (ALICE, a.Misdeal((1, 0), "dealer")), marks=clause("adelaide-pontoon-2008", "106")),
    pytest.param(
        "9s 5d 7h 8c Kd", (ALICE, a.Misdeal((1, 2, 0, 1, 2), "in-turn")), marks=clause("adelaide-pontoon-2008", "109")
    ),
    pytest.param("As 9s 7h 8c Kc", (ALICE, a.BurnInError()), marks=clause("adelaide-pontoon-2008", "111")),
]  # fmt: skip


@pytest.mark.clause("adelaide-pontoon-2008", "112")
@pytest.mark.parametrize(("cards", "acts"), IRREGULAR)
def test_the_inspector_is_told_and_nothing_goes_on_before_the_approval(cards: str, acts: tuple[Act, ...]) -> None:
    table, events = table_with(cards, *acts)
    notice = next(ev for ev in events if isinstance(ev, e.NoticeGiven))
    assert (notice.to, notice.clauses) == ("casino-supervisor", ("112",))
    assert waiting_for(table).what == "approval" and waiting_for(table).who == ("casino-supervisor",)
    assert "112" in cited(table, a.Deal()) and "112" in cited(table, a.Hit("alice", 1))
    assert "112" in cited(table, a.Approve("dealer"))
    assert "112" in cited(table, a.Approve("inspector"))  # a government officer: approvals of 112 are the House's own
    for role in ("casino-supervisor", "assistant-gaming-manager", "gaming-manager", "shift-manager"):
        after, told = play(table, a.Approve(role))
        assert isinstance(told[0], e.ApprovalGiven) and not after.approval_due
        assert cited(after, a.Approve(role))  # nothing waits for approval any more


@pytest.mark.clause("adelaide-pontoon-2008", "50(a)(i)", "38(b)", "43", "113")
def test_what_the_clause_on_approval_does_not_speak_of_asks_for_none() -> None:
    dealt = (ALICE, a.Deal())
    absent, _ = table_with("9s 7h 8c Kc", *dealt, a.PassOver("alice", 1))
    failed, _ = table_with("9s 7h 8c Kc", *dealt, a.ReportMalfunction("dealer"), source=DEVICE)
    jammed, _ = table_with("9s 7h 8c Kc", *dealt, a.ClearJam(("2s", "2d", "2h", "2c", "3s", "Kc")), source=DEVICE)
    invalid, _ = table_with("9s 7h 8c Kc", *dealt, a.InvalidateRound("casino-supervisor", "disturbance"))
    assert not any(table.approval_due for table in (absent, failed, jammed, invalid))


@pytest.mark.clause("adelaide-pontoon-2008", "112", "105(a)")
def test_who_supervises_a_reconstruction_depends_on_the_stage() -> None:
    wrong = (1, 2, 0, 2, 1)
    early, _ = table_with("9s 5d 7h 8c 8d Kd", ALICE, BOB, a.Misdeal(wrong), OK)
    late, _ = table_with("9s 5d 7h 8c 8d Kd", ALICE, BOB, a.Misdeal(wrong, "passed"), OK)
    assert waiting_for(early).who == ("casino-supervisor",) and waiting_for(late).who == ("shift-manager",)
    assert "112" in cited(early, a.Reconstruct("dealer"))
    assert "112" in cited(late, a.Reconstruct("casino-supervisor"))
    assert "112" in cited(late, a.Reconstruct("assistant-gaming-manager"))
    one, _ = play(early, a.Reconstruct("casino-supervisor"))
    other, events = play(late, a.Reconstruct("shift-manager"))
    assert one.boxes == other.boxes and one.dealer_cards == other.dealer_cards == ("7h",)
    rebuilt = next(ev for ev in events if isinstance(ev, e.RoundReconstructed))
    assert rebuilt.before == ((1, "9s"), (2, "5d"), (0, "7h"), (2, "8c"), (1, "8d"))
    assert rebuilt.after == ((1, "9s"), (2, "5d"), (0, "7h"), (1, "8c"), (2, "8d"))


@pytest.mark.clause("adelaide-pontoon-2008", "105(d)(i)", "105(d)(ii)", "105(d)(iii)")
def test_the_dealers_late_card_is_announced_drawn_and_then_the_wagers_are_offered_back() -> None:
    table, events = table_with("9s 5d 8c 6c Ah 9h Kc", ALICE, BOB, a.Misdeal((1, 2, 1, 2), "in-turn"), OK)
    steps = [ev for ev in events if isinstance(ev, e.NoticeGiven | e.CardDealt | e.RefundOffered)][1:]
    assert [type(ev) for ev in steps] == [e.NoticeGiven, e.CardDealt, e.RefundOffered]
    assert isinstance(steps[0], e.NoticeGiven) and steps[0].to == "players" and "105(d)(i)" in steps[0].clauses
    assert waiting_for(table).what == "refund" and waiting_for(table).who == ("alice", "bob")
    done, told = play(
        table, a.PlayOn("alice"), a.PlayOn("bob"), a.Stand("alice", 1), a.Hit("bob", 2), a.Stand("bob", 2)
    )
    assert not any(isinstance(ev, e.InsuranceOffered | e.SurrenderOffered) for ev in told)
    finished = next(ev for ev in told if isinstance(ev, e.DealerFinished))
    assert (finished.total, finished.result) == (21, "stood")
    lost = [ev.reason for ev in told if isinstance(ev, e.WagerCollected)]
    assert lost == ["lower", "lower"] and done.phase == "wagers"


@pytest.mark.clause("adelaide-pontoon-2008", "105(d)(ii)")
def test_when_everybody_leaves_the_dealer_draws_no_more() -> None:
    table, events = table_with("9s 8c 7h", ALICE, a.Misdeal((1, 1), "in-turn"), OK, a.TakeBack("alice"))
    assert table.phase == "wagers" and table.net["alice"] == 0
    assert next(ev for ev in events if isinstance(ev, e.DealerFinished)).result == "no-card"


@pytest.mark.clause("adelaide-pontoon-2008", "61", "105(b)")
def test_surrender_is_offered_though_a_hand_lacks_a_card() -> None:
    table, events = table_with("9s 5d Kh 8c Kd Kc", ALICE, BOB, a.Misdeal((1, 2, 0, 1), "in-turn"), OK)
    assert table.phase == "surrender" and any(isinstance(ev, e.SurrenderOffered) for ev in events)
    table, _ = play(table, a.Surrender("alice", 1), a.CloseSurrender(), a.TakeBack("bob"))
    assert (table.net["alice"], table.net["bob"]) == (-500, 0)


@pytest.mark.clause("adelaide-pontoon-2008", "108")
def test_the_others_answer_before_the_card_is_drawn() -> None:
    shared = (ALICE, a.PlaceWager("carol", 1, 500), a.PlaceWager("dave", 1, 500))
    table, _ = table_with("9s 7h 9h Kd", *shared, a.Misdeal((1, 0), "in-turn"), OK, a.Hit("alice", 1))
    assert table.position == 2 and waiting_for(table).who == ("carol", "dave")
    assert waiting_for(table).acts == ("TakeBack", "PlayOn")
    assert "108" in cited(table, a.Stand("alice", 1)) and "108" in cited(table, a.TakeBack("alice"))
    table, events = play(table, a.PlayOn("dave"), a.TakeBack("carol"))
    kinds = [type(ev) for ev in events]
    assert kinds[:3] == [e.DecisionAccepted, e.WagerReturned, e.CardDealt]
    table, _ = play(table, a.Stand("alice", 1))
    assert (table.net["alice"], table.net["carol"], table.net["dave"]) == (1000, 0, 500)


@pytest.mark.clause("adelaide-pontoon-2008", "107")
def test_insurance_on_a_withdrawn_hand_goes_back_with_it() -> None:
    table, _ = table_with(
        "9s 5d Ah 9c Kd", ALICE, BOB, a.Misdeal((1, 2, 0, 2), "in-turn"), OK,
        a.Insure("alice", 1, 500), a.CloseInsurance(), a.CloseSurrender(), a.TakeBack("alice"), a.Stand("bob", 2),
    )  # fmt: skip
    assert (table.net["alice"], table.net["bob"]) == (0, -1000)


@pytest.mark.clause("adelaide-pontoon-2008", "106(a)", "106(c)")
@pytest.mark.parametrize(("cards", "cents"), [("9s 6h Kd 9d", 1000), ("9s Ah Kd", 0)])
def test_a_pair_wager_whose_second_card_never_comes_is_void(cards: str, cents: int) -> None:
    pairs = a.PlaceWager("alice", 1, 500, "perfect-pairs")
    table, events = table_with(cards, ALICE, pairs, a.Misdeal((1, 0), "dealer"), OK)
    if table.phase == "insurance":
        table, events = play(table, a.CloseInsurance(), a.CloseSurrender())
    assert table.phase == "wagers" and table.net["alice"] == cents
    assert any(isinstance(ev, e.WagerReturned) and ev.kind == "perfect-pairs" for ev in events)


@pytest.mark.clause("adelaide-pontoon-2008", "6", "102")
def test_a_joker_drawn_in_error_is_replaced_by_the_next_card() -> None:
    table, events = table_with(
        "Jo 9s 7h 8c Kc", ALICE, a.DrawInError(True), OK, a.Deal(), a.Stand("alice", 1), jokers=1
    )
    assert [ev.card for ev in events if isinstance(ev, e.CardDrawnInError)] == ["9s"]
    assert any(isinstance(ev, e.JokerShown) for ev in events) and table.net["alice"] == 0


@pytest.mark.clause("adelaide-pontoon-2008", "110", "112")
def test_that_cards_ran_out_is_told_to_the_inspector() -> None:
    table, events = table_with("9s 7h", ALICE, a.Deal())
    assert table.preparation == "shuffle"
    assert [(ev.to, ev.clauses) for ev in events if isinstance(ev, e.NoticeGiven)] == [("casino-supervisor", ("112",))]


def dealt_until(table: Table, reason: str) -> tuple[Table, list[Event]]:
    """Rounds in which nobody draws more than he must, until a shuffle is due for this reason."""
    events: list[Event] = []
    while table.preparation == "ready":
        table, told = play(table, ALICE, a.Deal())
        events += told
        while table.phase != "wagers" and table.preparation == "ready":
            act: Act = a.CloseInsurance() if table.phase == "insurance" else a.CloseSurrender()
            if table.phase == "play":
                act = a.PassOver("alice", 1)
            table, told = play(table, act)
            events += told
    assert table.shuffle_reason == reason
    return table, events


@pytest.mark.clause("adelaide-pontoon-2008", "38(b)", "38(b):tail")
def test_a_failed_shuffler_is_followed_by_one_shoe_and_then_by_new_cards() -> None:
    rulebook = load(ADL)
    table = open_table(rulebook, house=default_house(rulebook, decks=3, source=DEVICE, side_bets=()))
    table, _ = play(table, a.Shuffle(shuffled(cards_to_shuffle(table), seed=1), DEVICE), ALICE, a.Deal())
    while table.phase in ("insurance", "surrender"):
        table, _ = play(table, a.CloseInsurance() if table.phase == "insurance" else a.CloseSurrender())
    if table.phase == "wagers":
        table, _ = play(table, ALICE, a.Deal())
    table, events = play(table, a.ReportMalfunction("dealer"))
    notice = next(ev for ev in events if isinstance(ev, e.NoticeGiven))
    assert notice.to == "players" and "38(b):tail" in notice.clauses and table.house.source == SHOE
    table, _ = play(
        table, a.Shuffle(shuffled(cards_to_shuffle(table), seed=2)), a.Cut("alice", 60), a.PlaceCuttingCard(48)
    )
    while table.phase != "wagers":
        table, _ = play(table, a.PassOver("alice", 1))
    assert table.preparation == "ready"  # the same decks go on until the cutting card
    table, dealt = dealt_until(table, "new-cards")
    assert any(isinstance(ev, e.CuttingCardShown) for ev in dealt)
    assert any(isinstance(ev, e.CardsReplaced) and "38(b):tail" in ev.clauses for ev in dealt)
    table, _ = play(
        table, a.Shuffle(shuffled(cards_to_shuffle(table), seed=3)), a.Cut("alice", 60), a.PlaceCuttingCard(72)
    )
    _, dealt = dealt_until(table, "cutting-card")
    assert not any(isinstance(ev, e.CardsReplaced) for ev in dealt)


@pytest.mark.clause("adelaide-pontoon-2008", "43")
def test_five_cards_go_to_the_rack_after_a_jam() -> None:
    order = ("2s", "2d", "2h", "2c", "3s", "8d", "Kc")
    table, events = table_with("9s 7h 3c", ALICE, a.Deal(), a.ClearJam(order), source=DEVICE)
    assert [ev.card for ev in events if isinstance(ev, e.CardBurned)] == list(order[:5])
    assert table.rack[-5:] == order[:5] and table.stack[table.position :] == order[5:]


@pytest.mark.clause("adelaide-pontoon-2008", "113", "113(a)", "113(b)")
@pytest.mark.parametrize("cause", ["disturbance", "fraud"])
def test_only_the_house_invalidates_an_outcome(cause: str) -> None:
    table, _ = table_with("9s 7h 8c Kc", ALICE, a.Deal())
    assert "113" in cited(table, a.InvalidateRound("dealer", cause))
    assert "113" in cited(table, a.InvalidateRound("inspector", cause))
    after, events = play(table, a.InvalidateRound("casino-supervisor", cause))
    assert after.net["alice"] == 0 and after.phase == "wagers"
    assert any(isinstance(ev, e.RoundVoided) and ev.reason == cause for ev in events)
    assert "113" in cited(after, a.InvalidateRound("casino-supervisor", cause))


@pytest.mark.clause("adelaide-pontoon-2008", "106(d)")
def test_what_had_not_been_possible_cannot_have_been_meant() -> None:
    table, _ = table_with("9s 7h 8c Kc", ALICE, a.Deal())
    assert cited(table, a.LeaveOut(1, "dealer", "double")) and cited(table, a.LeaveOut(1, "dealer", "split"))
    assert cited(table, a.LeaveOut(2)) and cited(table, a.LeaveOut(1, "initial-deal"))


def some_misdeal(table: Table, rng: random.Random) -> Act:
    """An initial deal in which cards are left out, and sometimes one goes to a box without a wager."""
    boxes = sorted(table.boxes)
    places = [*boxes, 0, *boxes]
    for _ in range(rng.randint(1, 3)):
        if len(places) > 1:
            places.pop(rng.randrange(len(places)))
    if rng.random() < 0.2:
        places.insert(rng.randrange(len(places) + 1), rng.randint(1, 7))
    if places == [*boxes, 0, *boxes]:
        places.pop()
    return a.Misdeal(tuple(places), rng.choice(("in-turn", "passed", "dealer")))


def some_act(table: Table, rng: random.Random) -> Act:
    """Mostly what is open now; sometimes the dealer leaves a hand out or a player is absent."""
    if table.phase in ("play", "late") and not table.halted:
        meant = rng.choice(("hit", "double", "split"))
        left_out = a.LeaveOut(table.turn_box, rng.choice(("passed", "dealer")), meant)
        absent = a.PassOver(waiting_for(table).who[0], table.turn_box)
        for act, share in ((left_out, 0.3), (absent, 0.1)):
            if rng.random() < share and refusal(table, act) is None:
                return act
    return rng.choice(legal_acts(table))


@pytest.mark.clause("adelaide-pontoon-2008", "105", "106", "107", "108", "109")
@pytest.mark.parametrize("batch", range(4))
def test_hands_that_lack_cards_keep_money_and_cards_together(batch: int) -> None:
    rulebook = load(ADL)
    seen: set[type[Event]] = set()
    for seed in range(batch * 100, batch * 100 + 100):
        rng = random.Random(seed)
        cards = tuple(rng.sample(deck(rulebook.cards.ranks.value) * 8, 90))
        table, ledger = open_table(rulebook, cards=cards), Ledger()
        wagers: list[Act] = []
        for box in rng.sample(range(1, 5), rng.randint(1, 3)):
            for player in rng.sample(("alice", "bob", "carol", "dave"), rng.randint(1, 3)):
                wagers.append(a.PlaceWager(player, box, 1000))
                if rng.random() < 0.3:
                    wagers.append(a.PlaceWager(player, box, 500, "perfect-pairs"))
        table, events = play(table, *wagers)
        ledger.post_all(events)
        table, events = play(table, some_misdeal(table, rng) if rng.random() < 0.6 else a.Deal())
        ledger.post_all(events)
        while table.phase != "wagers":
            table, events = play(table, some_act(table, rng))
            ledger.post_all(events)
            seen |= {type(event) for event in events}
        assert not any(cents for account, cents in ledger.balances.items() if account.startswith("box:")), seed
        assert all(ledger.standing(name) == cents for name, cents in table.net.items()), seed
        left = (*table.rack, *(card for card, _ in table.error_cards), *table.stack[table.position :])
        assert sorted(left) == sorted(cards), seed
    assert {e.HandLeftOut, e.OthersAsked, e.DecisionAccepted, e.LateHandCame, e.RefundTaken, e.HandVoided} <= seen
