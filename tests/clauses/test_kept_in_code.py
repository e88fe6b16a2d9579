"""Clauses that a record cannot show by itself: what a table may be, and what happens beside the money."""

from __future__ import annotations

import msgspec
import pytest

from pitboss.basics.cards import parse_cards
from pitboss.chance import shuffled
from pitboss.rulebooks import load
from pitboss.rulebooks.clauses import is_within
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.blazing_sevens import Link
from pitboss.table.engine import evolve, open_table, play, refusal
from pitboss.table.house import House, default_house, refuse_house
from pitboss.table.shuffle_and_cut import full_stack
from pitboss.table.state import Table

CANBERRA = ("canberra-pontoon-2005", "canberra-pontoon-2002")
NSW = ("nsw-pontoon", "nsw-blackjack-challenge")


def refused_by(rulebook: str, clause: str, **choices: object) -> bool:
    """Whether a table with these choices may not be opened, because of this clause."""
    refused = refuse_house(load(rulebook), house(rulebook, **choices))
    return refused is not None and any(is_within(cited, clause) for cited in refused.clauses)


def house(rulebook: str, **choices: object) -> House:
    return default_house(load(rulebook), **choices)


def of_kind(events: tuple[e.Event, ...], kind: type[e.Event]) -> list[e.Event]:
    return [event for event in events if isinstance(event, kind)]


# --- what a table may be ---------------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "2.2.1")
@pytest.mark.clause("nsw-blackjack-challenge", "2.2.1")
@pytest.mark.clause("adelaide-pontoon-2008", "3")
def test_a_layout_has_as_many_boxes_as_the_document_says() -> None:
    assert refused_by("nsw-pontoon", "2.2.1", boxes=6)
    assert refused_by("nsw-blackjack-challenge", "2.2.1", boxes=4)
    assert refused_by("adelaide-pontoon-2008", "3", boxes=8)
    assert refuse_house(load("nsw-pontoon"), house("nsw-pontoon", boxes=7)) is None
    for boxes in (5, 6, 7):
        assert refuse_house(load("nsw-blackjack-challenge"), house("nsw-blackjack-challenge", boxes=boxes)) is None


@pytest.mark.clause("nsw-pontoon", "2.3.1")
@pytest.mark.clause("nsw-blackjack-challenge", "2.3.1")
@pytest.mark.parametrize("rulebook", NSW)
def test_cards_come_from_a_shoe_or_from_a_shuffling_device(rulebook: str) -> None:
    for source in ("shoe", "shuffling-device"):
        assert refuse_house(load(rulebook), house(rulebook, source=source)) is None
    for source in ("hand", "multishuffler"):
        assert refused_by(rulebook, "2.3.1", source=source)


@pytest.mark.clause("nsw-pontoon", "6.7", "6.7.2")
@pytest.mark.clause("nsw-blackjack-challenge", "6.7", "6.7.2")
@pytest.mark.parametrize("rulebook", NSW)
def test_a_low_limit_table_deals_from_a_shuffling_device(rulebook: str) -> None:
    assert refused_by(rulebook, "6.7", source="shoe", low_limit=True)
    assert refuse_house(load(rulebook), house(rulebook, source="shuffling-device", low_limit=True)) is None


@pytest.mark.clause("canberra-pontoon-2005", "2.3", "2.3(a)")
@pytest.mark.clause("canberra-pontoon-2002", "2.3", "2.3(a)")
@pytest.mark.parametrize("rulebook", CANBERRA)
def test_the_operator_settles_the_decks_before_play(rulebook: str) -> None:
    for decks in range(3, 9):
        table = open_table(rulebook, house=house(rulebook, decks=decks))
        assert len(full_stack(table)) == 48 * decks
    for decks in (2, 9):
        assert refuse_house(load(rulebook), house(rulebook, decks=decks)) is not None


@pytest.mark.clause("nsw-blackjack-challenge", "3.1.1", "2.3.4.3", "16.12", "16.12.1", "16.12.2", "16.12.3")
def test_a_jackpot_table_has_six_decks_in_a_device_and_one_of_three_minimums() -> None:
    rulebook = "nsw-blackjack-challenge"
    jackpot: dict[str, object] = {"side_bets": ("blazing-7s",), "source": "shuffling-device", "decks": 6}
    assert refused_by(rulebook, "3.1.1", **{**jackpot, "decks": 8})
    assert refused_by(rulebook, "2.3.4.3", **{**jackpot, "source": "shoe"})
    assert refused_by(rulebook, "16.12", **jackpot, jackpot_minimum_cents=2_000_000)
    for minimum in (1_000_000, 2_500_000, 5_000_000):
        assert refuse_house(load(rulebook), house(rulebook, **jackpot, jackpot_minimum_cents=minimum)) is None


@pytest.fixture
def link() -> Link:
    """Two tables' jackpot of $100,000 that resets to $25,000; wagers are $5, of which a fifth goes to it."""
    rulebook = load("nsw-blackjack-challenge")
    return Link(rulebook, 10_000_000, 2_500_000, 20, 500, rulebook.blazing_7s.pays.value)


@pytest.mark.clause("nsw-blackjack-challenge", "16.10", "16.10.1", "16.10.2", "16.10.3", "16.10.4")
def test_a_table_joins_a_link_only_if_it_plays_for_the_same(link: Link) -> None:
    rulebook = load("nsw-blackjack-challenge")
    same = house(rulebook.id, jackpot_linked=True, jackpot_rate_percent=20, jackpot_minimum_cents=2_500_000)
    assert link.refuse_table(rulebook, same, 500) is None
    fewer_rows = msgspec.structs.replace(link, pay_table=link.pay_table[:-1])
    refused = [
        fewer_rows.refuse_table(rulebook, same, 500),
        link.refuse_table(rulebook, msgspec.structs.replace(same, jackpot_rate_percent=10), 500),
        link.refuse_table(rulebook, msgspec.structs.replace(same, jackpot_minimum_cents=1_000_000), 500),
        link.refuse_table(rulebook, same, 250),
    ]
    cited = [refusal.clauses if refusal else () for refusal in refused]
    assert cited == [("16.10.1",), ("16.10.2",), ("16.10.3",), ("16.10.4",)]


@pytest.mark.clause("nsw-blackjack-challenge", "16.11.4")
def test_winners_at_one_time_on_several_tables_share_the_jackpot(link: Link) -> None:
    after, top, tenth = link.settled(tops=2, tenths=0)
    assert top is not None
    assert (top.cents_each, tenth) == (5_000_000, None)
    assert after.pool_cents == 2_500_000


@pytest.mark.clause("nsw-blackjack-challenge", "18.17", "18.17.1")
def test_a_jackpot_fault_sends_the_jackpot_wagers_back_and_the_round_goes_on() -> None:
    rulebook = "nsw-blackjack-challenge"
    table = open_table(rulebook, cards="9s 6h 8d Kc Kd", house=house(rulebook, source="shuffling-device"))
    wagers = (a.PlaceWager("alice", 1, 2500), a.PlaceWager("alice", 1, 500, "blazing-7s"))
    table, _ = play(table, *wagers, a.CallNoMoreBets())
    table, events = play(table, a.Deal(), a.ReportJackpotFault("casino-supervisor"))
    returned = [(event.kind, event.cents) for event in events if isinstance(event, e.WagerReturned)]
    assert returned == [("blazing-7s", 500)]
    table, _ = play(table, a.Stand("alice", 1))
    assert table.net["alice"] == 2500


# --- shuffle, cut and new cards --------------------------------------------------------------------------------------


def to_be_shuffled(rulebook: str, source: str = "shoe") -> tuple[Table, a.Shuffle]:
    table = open_table(rulebook, house=house(rulebook, source=source))
    table, _ = play(table, a.TakeSeat("alice", 1), a.TakeSeat("bob", 7))
    return table, a.Shuffle(shuffled(full_stack(table), seed=1))


@pytest.mark.clause("nsw-pontoon", "4.3", "4.3.1")
@pytest.mark.clause("nsw-blackjack-challenge", "4.5", "4.5.1")
@pytest.mark.clause("canberra-pontoon-2005", "5.2", "5.2(a)")
@pytest.mark.clause("canberra-pontoon-2002", "5.2", "5.2(a)")
@pytest.mark.parametrize("rulebook", [*NSW, *CANBERRA])
def test_after_the_shuffle_the_first_to_come_is_offered_the_cut(rulebook: str) -> None:
    table, shuffle = to_be_shuffled(rulebook)
    table, events = play(table, shuffle)
    (offer,) = of_kind(events, e.CutOffered)
    assert isinstance(offer, e.CutOffered)
    assert offer.player == "alice"
    assert refusal(table, a.Cut("bob", 100)) is not None
    assert refusal(table, a.Deal()) is not None


@pytest.mark.clause("nsw-pontoon", "4.7", "4.8")
@pytest.mark.clause("nsw-blackjack-challenge", "4.1", "4.2")
@pytest.mark.clause("canberra-pontoon-2005", "19.1", "19.2")
@pytest.mark.clause("canberra-pontoon-2002", "19.1", "19.2")
@pytest.mark.parametrize("rulebook", [*NSW, *CANBERRA])
def test_cards_may_be_shuffled_by_hand_before_the_device_and_are_not_cut(rulebook: str) -> None:
    table, shuffle = to_be_shuffled(rulebook, "shuffling-device")
    table, events = play(table, shuffle)
    assert of_kind(events, e.CutOffered) == []
    assert refusal(table, a.Cut("alice", 100)) is not None
    assert table.preparation == "ready"


@pytest.mark.clause("nsw-pontoon", "3.5", "3.5.1", "3.5.2")
@pytest.mark.clause("nsw-blackjack-challenge", "3.6", "3.6.1", "3.6.2")
@pytest.mark.parametrize("rulebook", NSW)
def test_new_cards_come_after_any_round_of_a_device_but_only_after_the_cutting_card_of_a_shoe(rulebook: str) -> None:
    replace = a.ReplaceCards("casino-supervisor")
    for source, allowed in (("shoe", False), ("shuffling-device", True)):
        table = open_table(rulebook, cards="9s 9h 8d Kc", house=house(rulebook, source=source))
        table, _ = play(table, a.PlaceWager("alice", 1, 2500), a.Deal())
        assert refusal(table, replace) is not None
        table, _ = play(table, a.Stand("alice", 1))
        assert (refusal(table, replace) is None) is allowed
    table = open_table(rulebook, cards="9s 9h 8d Kc", cutting_card=2)
    table, _ = play(table, a.PlaceWager("alice", 1, 2500), a.Deal(), a.Stand("alice", 1))
    assert refusal(table, a.ReplaceCards("dealer")) is not None
    table, events = play(table, replace)
    assert of_kind(events, e.CardsReplaced)
    assert table.shuffle_reason == "new-cards"


@pytest.mark.clause("canberra-pontoon-2005", "5.5", "5.5:note")
@pytest.mark.clause("canberra-pontoon-2002", "5.5")
@pytest.mark.parametrize("rulebook", CANBERRA)
def test_a_supervisor_announces_the_last_three_rounds_and_then_the_cutting_card_stops_nothing(rulebook: str) -> None:
    table = open_table(rulebook, cards="9s 9h 8d Kc 9d 6h 8s Kd Ks", cutting_card=4)
    assert refusal(table, a.AnnounceFinalRounds("dealer")) is not None
    table, events = play(table, a.AnnounceFinalRounds("casino-supervisor"))
    assert [event.rounds for event in events if isinstance(event, e.FinalRoundsAnnounced)] == [3]
    for _ in range(2):
        table, events = play(table, a.PlaceWager("alice", 1, 2500), a.Deal(), a.Stand("alice", 1))
        assert of_kind(events, e.ShuffleDue) == []


@pytest.mark.clause("canberra-pontoon-2005", "def:Burn")
@pytest.mark.clause("canberra-pontoon-2002", "def:Burn")
@pytest.mark.clause("nsw-pontoon", "def:burn/ed")
@pytest.mark.clause("nsw-blackjack-challenge", "def:Burn/ed")
@pytest.mark.parametrize("rulebook", [*NSW, *CANBERRA])
def test_a_burned_card_is_out_of_play_in_the_rack(rulebook: str) -> None:
    before = open_table(rulebook, cards="9s 9h 8d Kc")
    after = evolve(before, [e.CardBurned(("def",), before.stack[0])])
    assert after.rack == parse_cards("9s")
    assert after.position == before.position + 1


# --- before the first card -------------------------------------------------------------------------------------------


@pytest.mark.clause("canberra-pontoon-2005", "4.1")
@pytest.mark.clause("canberra-pontoon-2002", "4.1")
@pytest.mark.parametrize("rulebook", CANBERRA)
def test_everybody_may_wager_until_the_first_card_and_nobody_after(rulebook: str) -> None:
    table = open_table(rulebook, cards="9s 8s 9h 8d 9d Kc")
    for player, box in (("alice", 1), ("bob", 2)):
        assert refusal(table, a.PlaceWager(player, box, 2500)) is None
        table, _ = play(table, a.PlaceWager(player, box, 2500))
    assert refusal(table, a.PlaceWager("carol", 3, 2500)) is None
    table, _ = play(table, a.Deal())
    assert refusal(table, a.PlaceWager("carol", 3, 2500)) is not None


@pytest.mark.clause("nsw-pontoon", "5.7", "5.8", "5.8.1", "5.8.2")
@pytest.mark.clause("nsw-blackjack-challenge", "5.9", "5.10", "5.10.1", "5.10.2")
@pytest.mark.clause("adelaide-pontoon-2008", "79")
@pytest.mark.parametrize("rulebook", [*NSW, "adelaide-pontoon-2008"])
def test_before_the_first_card_the_controllers_wager_is_nearest_and_the_others_stand_in_line(rulebook: str) -> None:
    table = open_table(rulebook, cards="9s 9h 8d Kc")
    wagers = [a.PlaceWager("alice", 1, 1000), a.PlaceWager("bob", 1, 2500), a.PlaceWager("carol", 1, 1500)]
    table, events = play(table, *wagers, a.Deal())
    (settled,) = of_kind(events, e.ControlSettled)
    assert isinstance(settled, e.ControlSettled)
    assert (settled.player, settled.line) == ("bob", ("bob", "alice", "carol"))
    kinds = [type(event) for event in events]
    assert kinds.index(e.ControlSettled) < kinds.index(e.CardDealt)


@pytest.mark.clause("nsw-pontoon", "def:Proxy Betting")
@pytest.mark.clause("nsw-blackjack-challenge", "def:Proxy Betting")
@pytest.mark.parametrize("rulebook", NSW)
def test_nobody_can_wager_for_somebody_else(rulebook: str) -> None:
    """An act names one person, who places the wager, decides for it and is paid."""
    for act in (a.PlaceWager, a.Insure, a.Double, a.Split, a.Surrender):
        names = {field.name for field in msgspec.structs.fields(act) if field.type is str}
        assert names - {"kind"} == {"player"}
    table = open_table(rulebook, cards="9s 6h 8d Kc Kd")
    table, _ = play(table, a.PlaceWager("alice", 1, 2500), a.Deal())
    assert refusal(table, a.Stand("bob", 1)) is not None
    table, events = play(table, a.Stand("alice", 1))
    assert [event.player for event in events if isinstance(event, e.WagerPaid)] == ["alice"]


@pytest.mark.clause("nsw-pontoon", "def:Cash Change")
@pytest.mark.clause("nsw-blackjack-challenge", "def:Cash Change")
@pytest.mark.parametrize("rulebook", NSW)
def test_a_purchase_of_chips_is_a_recorded_transaction(rulebook: str) -> None:
    table = open_table(rulebook, cards="9s 9h 8d Kc")
    _, events = play(table, a.BuyChips("alice", 10000))
    (bought,) = of_kind(events, e.ChipsBought)
    assert isinstance(bought, e.ChipsBought)
    assert (bought.player, bought.cents) == ("alice", 10000)


# --- turns and the end of a round ------------------------------------------------------------------------------------


@pytest.mark.clause("nsw-pontoon", "11.1", "11.1.1", "11.1.2", "11.1.3", "11.1.4")
@pytest.mark.clause("nsw-blackjack-challenge", "9.1", "9.1.1", "9.1.2", "9.1.3", "9.1.4")
@pytest.mark.clause("adelaide-pontoon-2008", "49")
@pytest.mark.parametrize("rulebook", [*NSW, "adelaide-pontoon-2008"])
def test_turns_come_from_the_dealers_left_with_the_total_and_all_four_choices(rulebook: str) -> None:
    table = open_table(rulebook, cards="5s 9s 6h 5d Kc Kd")
    table, events = play(table, a.PlaceWager("bob", 4, 2500), a.PlaceWager("alice", 2, 2500), a.Deal())
    turns = [(event.box, event.player, event.total) for event in events if isinstance(event, e.TurnCame)]
    assert turns == [(2, "alice", 10)]
    for act in (a.Hit("alice", 2), a.Double("alice", 2), a.Split("alice", 2)):
        assert refusal(table, act) is None
    table, events = play(table, a.Hit("alice", 2), a.Stand("alice", 2))
    turns = [(event.box, event.player, event.total) for event in events if isinstance(event, e.TurnCame)]
    assert turns[-1] == (4, "bob", 19)
    assert refusal(table, a.Stand("bob", 4)) is None


@pytest.mark.clause("nsw-pontoon", "16.3")
@pytest.mark.clause("nsw-blackjack-challenge", "17.2")
@pytest.mark.clause("adelaide-pontoon-2008", "53(a)")
@pytest.mark.parametrize("rulebook", [*NSW, "adelaide-pontoon-2008"])
def test_at_the_end_of_a_round_all_cards_lie_in_the_rack(rulebook: str) -> None:
    table = open_table(rulebook, cards="9s 6h 8d Kc Kd")
    table, events = play(table, a.PlaceWager("alice", 1, 2500), a.Deal(), a.Stand("alice", 1))
    assert isinstance(events[-1], e.RoundEnded)
    assert not events[-1].to_device
    assert sorted(table.rack) == sorted(parse_cards("9s 6h 8d Kc Kd"))
    assert table.phase == "wagers"


@pytest.mark.clause("nsw-pontoon", "6.5.1", "6.5.2")
@pytest.mark.clause("nsw-blackjack-challenge", "6.5.1", "6.5.2")
@pytest.mark.parametrize("rulebook", NSW)
def test_a_kept_minimum_ends_only_after_twenty_minutes_notice_of_its_own(rulebook: str) -> None:
    table = open_table(rulebook, cards="9s 9h 8d Kc")
    small, raised = a.PlaceWager("alice", 1, 500), a.SetLimits("casino-supervisor", 2500, 100_000)
    table, _ = play(table, a.TakeSeat("alice", 1), raised)
    assert refusal(table, small) is None
    assert refusal(table, a.PlaceWager("bob", 2, 500)) is not None
    for minutes in (0, 19):
        again = msgspec.structs.replace(raised, notice_minutes=minutes, keep_old_minimum=False)
        still = table if refusal(table, again) else play(table, again)[0]
        assert refusal(still, small) is None, f"after {minutes} minutes"
    table, _ = play(table, msgspec.structs.replace(raised, notice_minutes=20))
    assert refusal(table, small) is not None
