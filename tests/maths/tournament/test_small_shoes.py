"""The last round from a few cards, none put back: the engine itself as a brute force, two players from one shoe."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss import play, refusal
from pitboss.basics.cards import Card
from pitboss.cli import main
from pitboss.maths.shoes import MathsError, Shoe
from pitboss.maths.tournament.last_round import Seat, Table
from pitboss.maths.tournament.small_shoes import SmallShoe, advise_from
from pitboss.rulebooks import load, vary
from pitboss.table import acts as a
from pitboss.table.engine import open_table
from pitboss.table.legal import legal_acts, waiting_for
from tests.cross.engine_value import CENTS, EngineValue

ME, RIVAL = "alice", "bob"


class EngineRound(EngineValue):
    """Two players on the engine: one tries every legal act for the place, the other plays like the dealer."""

    def __init__(self, rulebook: Any, cards: Counter[Card], me: int, chips: tuple[int, int]) -> None:
        super().__init__(rulebook, cards)
        self.names = (ME, RIVAL) if me == 0 else (RIVAL, ME)
        self.chips = dict(zip(self.names, chips, strict=True))
        self.boxes = {name: box for box, name in enumerate(self.names, start=1)}

    def value(self) -> Fraction:
        table = open_table(self.rulebook, cards=())
        for name, box in self.boxes.items():
            table, _ = play(table, a.PlaceWager(name, box=box, cents=CENTS))
        return self.after(table, a.Deal(), ())

    def best(self, table: Any) -> Fraction:
        if table.phase == "wagers":
            mine, theirs = (self.chips[name] + table.net[name] for name in (ME, RIVAL))
            return Fraction(1, 2) if mine == theirs else Fraction(int(mine > theirs))
        key = self.position(table)
        if key not in self.known:
            self.known[key] = max(self.after(table, act, ()) for act in self.ways(table))
        return self.known[key]

    def ways(self, table: Any) -> list[Any]:
        if table.phase == "insurance":
            amounts = [each for each in range(100, CENTS // 2 + 1, 100) if each + self.staked(table) <= self.chips[ME]]
            asked = [a.Insure(ME, self.boxes[ME], each) for each in amounts]
            insured = any(table.boxes[self.boxes[ME]].insurance.values())
            return [a.CloseInsurance(), *(act for act in asked if not insured and refusal(table, act) is None)]
        found = [act for act in legal_acts(table) if not isinstance(act, a.Insure)]
        theirs = [act for act in found if getattr(act, "player", "") == RIVAL]
        found = [act for act in found if act not in theirs]
        if not found:
            return [act for act in theirs if type(act) is self.like_dealer(table, theirs)]
        afford = self.staked(table) + CENTS <= self.chips[ME]
        return [act for act in found if afford or not isinstance(act, a.Double | a.Split)]

    def like_dealer(self, table: Any, found: list[Any]) -> type:
        if any(isinstance(act, a.Decline) for act in found):
            return a.Decline
        hand = table.boxes[self.boxes[RIVAL]].hands[0]
        stand = self.rulebook.dealer.soft_stand if hand.soft else self.rulebook.dealer.hard_stand
        return a.Stand if hand.total >= stand.value else a.Hit

    def staked(self, table: Any) -> int:
        box = table.boxes[self.boxes[ME]]
        return sum(CENTS * (1 + hand.doubled) for hand in box.hands) + sum(box.insurance.values())

    def position(self, table: Any) -> Any:
        mine = table.boxes[self.boxes[ME]]
        hands = tuple(
            (self.hand(hand), tuple(hand.wagers.values())) for box in table.boxes.values() for hand in box.hands
        )
        left = tuple(sorted(Counter(table.stack).items()))
        nets = tuple(table.net[name] for name in self.names)
        asked = (waiting_for(table).what, waiting_for(table).who, mine.splitting_ended, tuple(mine.insurance.items()))
        return table.phase, table.dealer_cards, hands, left, nets, asked


CASES = [
    ("nsw-pontoon", {"8h": 2, "7h": 2, "Kh": 10}, 0, (4_000, 4_500)),
    ("nsw-blackjack-challenge", {"Ah": 1, "Kh": 3, "Qh": 3, "9h": 4}, 1, (2_500, 2_000)),
    ("canberra-pontoon-2005", {"Ah": 2, "Kh": 6, "9h": 4}, 0, (2_000, 2_500)),
]
"""Rulebook, cards, whose turn is mine, and the chips in front of both: with and without those to double and split."""


@pytest.mark.parametrize(("name", "cards", "me", "chips"), CASES)
def test_the_chance_is_that_of_the_engine(name: str, cards: dict[str, int], me: int, chips: tuple[int, int]) -> None:
    book = load(name)
    book = vary(book, {"super_bonus.offered": False}) if book.super_bonus.offered.value else book
    counts = Counter({Card(card): count for card, count in cards.items()})
    engine = EngineRound(book, counts, me, chips).value()
    table = Table(tuple(map(Seat, chips)), me, 1, CENTS, CENTS, (50,), play="dealer")
    mine = SmallShoe(book, table, (CENTS, CENTS), Shoe(counts))
    assert mine.chance() == pytest.approx(float(engine), abs=1e-12)


def test_who_has_more_ways_to_play_has_no_worse_chance_and_all_places_are_given() -> None:
    """More chips behind a wager are more ways to play; a pass keeps what is there; places for all are everybody's."""
    book, shoe = load("nsw-pontoon"), Shoe(Counter({Card("8h"): 2, Card("7h"): 2, Card("Kh"): 8}))
    chances = []
    for written in (True, False):
        table = Table((Seat(4_000), Seat(4_500, 1_000)), 0, 1, 1_000, 1_000, (500,))
        chances.append(SmallShoe(book, table, (1_000, 1_000), shoe, written=written).chance())
    assert chances[0] < chances[1]
    passing = SmallShoe(book, table, (0, 0), shoe).chance()
    assert passing == 0.0 and SmallShoe(book, replace(table, me=1), (0, 0), shoe).chance() == 1.0
    found = advise_from(book, replace(table, pass_card=True, undisclosed=True), shoe)
    assert found.cards == 12 and found.best.chance == max(each.chance for each in found.wagers)
    by_way = {each.how: each.chance for each in found.wagers}
    assert by_way[""] == chances[1] and by_way["undisclosed"] == chances[0]
    assert 0.0 < by_way["pass card"] < 1.0


def test_cards_that_could_run_out_are_too_few() -> None:
    table = Table((Seat(4_000), Seat(4_500)), 0, 1, 1_000, 1_000, (500,))
    with pytest.raises(MathsError, match="could run out"):
        SmallShoe(load("nsw-pontoon"), table, (1_000, 1_000), Shoe(Counter({Card("2h"): 9}))).chance()


def test_advice_from_a_few_cards_is_asked_for_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tournament", "advise", "nsw-pontoon", "--minimum", "10", "--maximum", "20", "--chips", "5"]
    asked = [*words, "--players", "*30 45:10", "--shoe", "8hx2 7hx2 Khx8"]
    assert main(asked) == 0
    said = capsys.readouterr().out
    assert "Exact for these 12 cards, none put back" in said
    assert main([*asked, "--rounds-left", "2"]) == 2
    assert "--shoe is looked at in the last round" in capsys.readouterr().err
