"""What must come before what: records check money and refusals, this checks the order of things."""

from __future__ import annotations

import pytest

from pitboss import load, open_table, play
from pitboss.rulebooks import RULEBOOKS
from pitboss.table import acts as a
from pitboss.table import events as e
from pitboss.table.acts import Act
from pitboss.table.house import default_house
from tests.books import ACT2, ACT5, ADL, BJC, NSW


def names(rulebook_id: str, cards: str, *acts: Act, **house: object) -> list[str]:
    rulebook = load(rulebook_id)
    table = open_table(rulebook, cards=cards, house=default_house(rulebook, **house))
    _, events = play(table, *acts)
    return [type(event).__name__ for event in events]


@pytest.mark.clause("nsw-pontoon", "15.9", "7.1")
@pytest.mark.clause("adelaide-pontoon-2008", "98", "98(a)", "98(b)", "47")
@pytest.mark.clause("canberra-pontoon-2005", "18.13", "18.13(a)", "18.13(b)", "6.2")
@pytest.mark.clause("canberra-pontoon-2002", "18.13", "18.13(a)", "18.13(b)", "6.2")
@pytest.mark.clause("nsw-blackjack-challenge", "14.9", "7.1")
@pytest.mark.parametrize("rulebook_id", RULEBOOKS)
def test_pairs_are_settled_between_the_initial_and_the_subsequent_deal(rulebook_id: str) -> None:
    told = names(
        rulebook_id, "9s 8h 6c 9d 7h Kc Kd",
        a.PlaceWager("alice", 1, 1000), a.PlaceWager("alice", 1, 500, "perfect-pairs"),
        a.PlaceWager("bob", 2, 1000), a.PlaceWager("bob", 2, 500, "perfect-pairs"), a.Deal(),
    )  # fmt: skip
    last_card = max(place for place, name in enumerate(told) if name == "CardDealt")
    assert told[last_card + 1 :] == ["SideBetPaid", "SideBetCollected", "TurnCame"]
    assert told[:4] == ["WagerPlaced"] * 4 and told[4:6] == ["BettingClosed", "RoundBegan"]


@pytest.mark.clause("nsw-pontoon", "14.2")
@pytest.mark.clause("adelaide-pontoon-2008", "26(b)")
@pytest.mark.clause("canberra-pontoon-2005", "7.5", "7.5(a)")
@pytest.mark.clause("canberra-pontoon-2002", "7.5", "7.5(a)")
@pytest.mark.parametrize("rulebook_id", [NSW, ADL, ACT5, ACT2])
def test_lost_insurance_is_taken_as_the_second_card_lands(rulebook_id: str) -> None:
    told = names(
        rulebook_id, "Kh Ac 9s 2d 6c",
        a.PlaceWager("alice", 1, 2000), a.Deal(), a.Insure("alice", 1, 1000), a.CloseInsurance(), a.CloseSurrender(),
        a.Stand("alice", 1),
    )  # fmt: skip
    assert told[told.index("HandStood") :][:4] == ["HandStood", "CardDealt", "InsuranceCollected", "CardDealt"]


@pytest.mark.clause("canberra-pontoon-2005", "7.5(b)")
@pytest.mark.clause("canberra-pontoon-2002", "7.5(b)")
@pytest.mark.parametrize("rulebook_id", [ACT5, ACT2])
def test_won_insurance_is_paid_after_the_settlement_in_canberra(rulebook_id: str) -> None:
    told = names(
        rulebook_id, "Kh Ac 9s Qd",
        a.PlaceWager("alice", 1, 2000), a.Deal(), a.Insure("alice", 1, 1000), a.CloseInsurance(), a.CloseSurrender(),
        a.Stand("alice", 1),
    )  # fmt: skip
    assert told[-3:] == ["WagerCollected", "InsurancePaid", "RoundEnded"]


@pytest.mark.clause("nsw-pontoon", "10.2.3")
def test_the_others_get_their_50_before_the_super_bonus_cards_go() -> None:
    told = names(
        NSW, "7d Ks 7s 7d 9h 7d Kc",
        a.PlaceWager("alice", 1, 2500), a.PlaceWager("bob", 2, 1000), a.Deal(), a.Hit("alice", 1),
    )  # fmt: skip
    assert told[-5:] == ["WagerPaid", "SuperBonusPaid", "BonusPaid", "CardsCleared", "TurnCame"]


@pytest.mark.clause("canberra-pontoon-2005", "14.3", "10.2(b)")
@pytest.mark.clause("canberra-pontoon-2002", "14.3", "10.2(b)")
@pytest.mark.parametrize("rulebook_id", [ACT5, ACT2])
def test_canberra_pays_the_super_bonus_before_the_cards_are_gathered(rulebook_id: str) -> None:
    told = names(
        rulebook_id, "7d Ks 7s 7d 9h 7d Kc",
        a.PlaceWager("alice", 1, 2500), a.PlaceWager("bob", 2, 1000), a.Deal(), a.Hit("alice", 1), a.Stand("bob", 2),
    )  # fmt: skip
    assert told[-4:] == ["WagerPaid", "SuperBonusPaid", "BonusPaid", "RoundEnded"]
    assert "CardsCleared" not in told


@pytest.mark.clause("nsw-pontoon", "7.2")
@pytest.mark.clause("nsw-blackjack-challenge", "7.2")
@pytest.mark.parametrize("rulebook_id", [NSW, BJC])
def test_discards_go_back_into_the_device_after_the_initial_deal(rulebook_id: str) -> None:
    rulebook = load(rulebook_id)
    house = default_house(rulebook, source="shuffling-device", side_bets=())
    table = open_table(rulebook, cards="2c 9s 7h 8d Kd 9c 6h 9d Jd", house=house, new_shoe=True)
    table, first = play(table, a.PlaceWager("alice", 1, 1000), a.Deal())
    assert [type(event).__name__ for event in first][-2:] == ["DiscardsReturned", "TurnCame"]  # the burned card
    table, _ = play(table, a.Stand("alice", 1))
    assert len(table.rack) == 4
    table, second = play(table, a.PlaceWager("alice", 1, 1000), a.Deal())
    assert "DiscardsReturned" in [type(event).__name__ for event in second] and table.rack == ()


@pytest.mark.clause("adelaide-pontoon-2008", "42", "53(b)", "41")
def test_adelaides_five_cards_stay_in_the_rack_while_other_discards_go_back() -> None:
    rulebook = load(ADL)
    house = default_house(rulebook, source="shuffling-device", side_bets=())
    table = open_table(rulebook, cards="2c 3c 4c 5c 6c 9s 7h 8d Kd", house=house, new_shoe=True)
    table, events = play(table, a.PlaceWager("alice", 1, 1000), a.Deal(), a.Stand("alice", 1))
    assert [type(event).__name__ for event in events].count("CardBurned") == 5
    assert table.rack == table.burned == ("2c", "3c", "4c", "5c", "6c")


@pytest.mark.clause("nsw-blackjack-challenge", "13.8", "15.9", "16.11.3")
def test_fixed_jackpot_prizes_are_paid_before_shares() -> None:
    rulebook = load(BJC)
    house = default_house(rulebook, source="shuffling-device", side_bets=("blazing-7s",))
    table = open_table(rulebook, cards="7d 7c 7d 7d 9h Kc", house=house)
    acts = [
        a.PlaceWager("alice", 1, 1000), a.PlaceWager("alice", 1, 500, "blazing-7s"),
        a.PlaceWager("bob", 2, 1000), a.PlaceWager("bob", 2, 250, "blazing-7s"), a.Deal(),
    ]  # fmt: skip
    _, events = play(table, *acts)
    prizes = [(event.player, event.cents) for event in events if isinstance(event, e.JackpotPrizePaid)]
    assert prizes == [("bob", 2500), ("alice", 5_000_000)]
