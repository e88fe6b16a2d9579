"""What was expected of the Super Bonus and of Blazing 7s: the prize there was to win, and its exact chance."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from pathlib import Path

import pytest

from pitboss.maths.shoes import Shoe
from pitboss.maths.side_bets import PrizeValue, blazing_prizes, blazing_wager, super_bonus_chance
from pitboss.records.read import read
from pitboss.records.replay import open_record, replay
from pitboss.reports.build import build, everything
from pitboss.reports.expected import band_of, games
from pitboss.reports.takings import SUPER_BONUS, Bet, Cell, TableTold, Takings, bonus_of
from pitboss.rulebooks import load
from pitboss.table.house import BLAZING

ROUNDS = Path(__file__).parent.parent / "rounds"


def heard(rulebook: str, record: str) -> Takings:
    """The takings of a table at which a record was played."""
    written = read(ROUNDS / rulebook / f"{record}.round")
    begun = open_record(written)
    told = TableTold("one", rulebook, "", begun.house.decks, "Australia/Sydney", 6, date="2026-11-18")
    told.bonus, told.jackpot = bonus_of(begun.rulebook), begun.jackpot_cents
    takings = Takings(tables={"one": told})
    takings.books.open("one")
    takings.heard("one", 1_795_000_000_000, "2026-11-18", "dora", "dealer", replay(written).events)
    return takings


def bet_of(takings: Takings, name: str) -> Bet:
    (cell,) = takings.cells.values()
    return cell.bets[name]


@pytest.mark.parametrize(
    ("rulebook", "record"),
    [
        ("nsw-pontoon", "10.2.3-super-bonus-by-size-with-a-small-wager-and-an-outsider"),
        ("nsw-pontoon", "10.2.2-two-sharers-win-the-super-bonus"),
        ("canberra-pontoon-2005", "14.3-every-wager-on-the-sevens-earns-its-own-bonus"),
        ("canberra-pontoon-2005", "14.3-super-bonus-on-three-dollars"),
    ],
)
def test_what_a_super_bonus_would_cost_is_what_it_costs(rulebook: str, record: str) -> None:
    """By each wager's size, with the fifty for the others: the one or two prizes of the round are that and another."""
    takings = heard(rulebook, record)
    bet = bet_of(takings, SUPER_BONUS)
    other = bet.prizes + bet.won
    assert bet.won < 0 and bet.count == (1 if other == 0 else 2)
    assert bet.prize_squares == bet.won**2 + other**2
    (row,) = [row for row in build(takings, everything, "", "").by_wager if row.name == SUPER_BONUS]
    book = load(rulebook)
    chance = super_bonus_chance(book, Shoe.of_decks(book, takings.tables["one"].decks))
    assert row.wagered == 0 and row.compared == bet.won
    assert row.expected == pytest.approx(float(-chance * bet.prizes))


def test_boxes_of_one_round_each_have_their_own_super_bonus() -> None:
    """Canberra: each other original wager in the round has its fifty, on whichever box the sevens fall."""
    takings = heard("canberra-pontoon-2005", "super-bonus-and-50-for-every-other-wager")
    bet = bet_of(takings, SUPER_BONUS)
    assert bet.count > 1 and bet.prizes > -bet.won > 0


@pytest.mark.parametrize("record", ["16.7-the-winners-own-wager-is-in-the-jackpot", "16.12.3-minimum-of-50000"])
def test_the_jackpot_is_valued_at_the_level_at_which_it_stood(record: str) -> None:
    """With the parts of the round's own wagers, and before it is reset for the next one (BJC 16.7, 16.12)."""
    takings = heard("nsw-blackjack-challenge", record)
    written = replay(read(ROUNDS / "nsw-blackjack-challenge" / f"{record}.round"))
    begun = open_record(written.record)
    bet = bet_of(takings, BLAZING)
    parts = sum(getattr(event, "to_jackpot_cents", 0) for event in written.events)
    assert bet.prizes == bet.count * (begun.jackpot_cents + parts) > 0
    (row,) = [row for row in build(takings, everything, "", "").by_wager if row.name == BLAZING]
    assert row.expected is not None and row.compared == bet.won


def test_the_value_of_a_jackpot_wager_is_that_of_the_side_bet_at_every_level() -> None:
    book = load("nsw-blackjack-challenge")
    shoe = Shoe.of_decks(book, 6)
    value = blazing_prizes(book, shoe)
    game = games()["nsw-blackjack-challenge", 6, False]
    for jackpot in (1_000_000, 1_234_567, 9_000_000):
        first = blazing_wager(book, shoe, 6, jackpot)
        for bet in (first, *first.variants):
            wager = bet.wager_cents
            assert value.edge * wager + value.prize_edge * jackpot == -bet.ev * wager
            paid = sum((win.chance * (win.pays * wager) ** 2 for win in bet.wins), Fraction(0))
            spread = paid - sum((win.chance * win.pays * wager for win in bet.wins), Fraction(0)) ** 2
            assert spread_of(value, wager, jackpot) == spread
            prizes = Bet(1, wager, wager**2, 0, jackpot, float(jackpot**2), float(wager * jackpot))
            band = band_of(Cell(rounds=1, bets={BLAZING: prizes}), BLAZING, game)
            assert band is not None
            assert band.expected == pytest.approx(float(-bet.ev * wager))
            assert band.deviation == pytest.approx(sqrt(spread))


def spread_of(value: PrizeValue, wager: int, prize: int) -> Fraction:
    return value.variance * wager**2 + 2 * value.mixed * wager * prize + value.prize_variance * prize**2


def test_boxes_that_share_the_dealers_seven_win_together() -> None:
    """Two boxes by hand: the dealer's card decides what either may expect, and nothing else do they share."""
    book = load("nsw-blackjack-challenge")
    value = blazing_prizes(book, Shoe.of_decks(book, 6))
    assert value.covariance > 0 and value.mixed_covariance > 0 and value.prize_covariance > 0
    game = games()["nsw-blackjack-challenge", 6, False]
    apart = Bet(2, 1000, 500_000, 0, 2_000_000, 2e12, 1e9)
    together = Bet(2, 1000, 500_000, 0, 2_000_000, 2e12, 1e9, 500_000.0, 1e9, 2e12)
    alone, shared = (band_of(Cell(bets={BLAZING: bet}), BLAZING, game) for bet in (apart, together))
    assert alone is not None and shared is not None
    more = value.covariance * 500_000 + 2 * value.mixed_covariance * 10**9 + value.prize_covariance * 2 * 10**12
    assert shared.expected == alone.expected
    assert shared.deviation**2 - alone.deviation**2 == pytest.approx(float(more))
