"""Advice in the last round, two ways: a slow program on tiny shoes, and the simulator on long ones."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from pitboss import play, refusal
from pitboss.maths.exact.rules import compile_rules
from pitboss.maths.exact.solve import solve
from pitboss.maths.shoes import INFINITE, MathsError, Shoe
from pitboss.maths.simulate.basic import basic
from pitboss.maths.simulate.game import Options, compile_game
from pitboss.maths.simulate.play import Player
from pitboss.maths.tournament.last_round import LastRound, Seat, Table, advise, candidates, model_wager
from pitboss.maths.tournament.pictures import drawn_rows
from pitboss.maths.tournament.rounds import round_tables, tables_for
from pitboss.rulebooks import load, vary
from pitboss.rulebooks.terms import Rulebook
from pitboss.table import acts as a
from tests.cross.engine_value import CENTS, EngineValue
from tests.lengths import WHOLE
from tests.maths.tournament.slowly import Slowly

OFFERED = ("nsw-pontoon", "canberra-pontoon-2005", "nsw-blackjack-challenge")


@pytest.mark.parametrize("name", OFFERED if WHOLE else ("nsw-pontoon", "nsw-blackjack-challenge"))
def test_with_chips_enough_the_results_are_those_of_the_exact_solver(name: str) -> None:
    """The whole distribution, re-splits included; the two share no kernel."""
    book = load(name)
    tables = round_tables(book)
    found = np.einsum("ue,uek->k", tables.weights, tables.chances["mean"][-1])
    exact = dict(solve(book, Shoe.of_decks(book, INFINITE)).results)
    for result, chance in zip(tables.results.tolist(), found.tolist(), strict=True):
        assert chance == pytest.approx(exact.pop(Fraction(result, tables.unit), 0.0), abs=1e-12)
    assert all(abs(chance) < 1e-12 for chance in exact.values())


def test_fewer_chips_bring_less() -> None:
    tables = round_tables(load("nsw-pontoon"))
    means = [float(np.einsum("ue,uek,k", tables.weights, each, tables.results)) for each in tables.chances["mean"]]
    assert means == sorted(means) and means[0] < means[-1]


TINY = {
    "sevens and eights, all suits pay": {"6": 1, "7": 4, "8": 2, "K": 2},
    "aces and tens": {"A": 3, "9": 2, "K": 2, "Q": 2},
    "low cards": {"5": 3, "A": 1, "K": 4},
}
CASES = [
    ("nsw-pontoon", "sevens and eights, all suits pay", (20, 20), (10, 4)),
    ("nsw-pontoon", "aces and tens", (60, 70), (10, 10)),
    ("nsw-blackjack-challenge", "aces and tens", (35, 40), (10, 10)),
    ("canberra-pontoon-2005", "aces and tens", (30, 34), (12, 4)),
    ("nsw-pontoon", "low cards", (14, 20), (8, 6)),
    ("canberra-pontoon-2005", "low cards", (40, 46), (8, 6)),
    ("nsw-blackjack-challenge", "low cards", (26, 40), (8, 20)),
]
"""Rulebook, cards, everybody's chips, everybody's wager: with and without the chips to double, in full and for less,
and to insure."""


@pytest.mark.parametrize(("name", "cards", "chips", "wagers"), CASES if WHOLE else CASES[1:])
def test_the_chance_is_that_of_a_slow_program_on_a_tiny_shoe(
    name: str, cards: str, chips: tuple[int, int], wagers: tuple[int, int]
) -> None:
    book = load(name)
    book = vary(book, {"splitting.hands_max": 2}) if book.splitting.hands_max.value > 2 else book
    rules = compile_rules(book)
    shares = {rank: Fraction(count, sum(TINY[cards].values())) for rank, count in TINY[cards].items()}
    slowly = Slowly(rules, shares, chips, wagers, 1, insurance=book.insurance.offered.value).chance()
    seats = tuple(Seat(each, wager) for each, wager in zip(chips, wagers, strict=True))
    table = Table(seats, 0, 1, 1, 1000, (1,), "minimum", "dealer")
    tables = tables_for(rules, tuple((rank, float(share)) for rank, share in shares.items()))
    asked = LastRound(book, table, tables=tables)
    asked.by_wager = False
    assert asked.for_the_place(wagers) == pytest.approx(slowly, abs=1e-6 if "suits" in cards else 1e-12)
    assert asked.by_tables(0, wagers) <= asked.for_the_place(wagers) + 1e-12
    written = Slowly(rules, shares, chips, wagers, 1, written=True).chance()
    found = asked.for_the_place(wagers, written=True)
    assert found == pytest.approx(written, abs=1e-6 if "suits" in cards else 1e-12)
    assert asked.by_tables(0, wagers, written=True) <= found + 1e-12 and found <= asked.for_the_place(wagers) + 1e-12


def suits_alike(book: Rulebook) -> Rulebook:
    """The rulebook for hands of hearts alone: what three sevens of one suit bring, three sevens bring."""
    odds = {row.name: str(row.odds) for row in book.interim.pay_table.value}
    if "777-suited" not in odds:
        return book
    hearts = odds["777-suited"]
    return vary(book, {f"interim.pay_table.777-{kind}": hearts for kind in ("mixed", "spades")})


class EnginePlace(EngineValue):
    """The engine, with every card put back: how often one player can win more than a line."""

    def __init__(self, rulebook: Any, cards: Counter[str], line: int) -> None:
        super().__init__(rulebook, cards)
        self.shares, self.line = cards, line
        self.insured = False
        """Whether insurance was the best act somewhere."""

    def after(self, table: Any, act: Any, coming: Any) -> Fraction:
        self.cards = self.shares + Counter(table.stack) + Counter(coming)
        return super().after(table, act, coming)

    def best(self, table: Any) -> Fraction:
        if table.phase == "wagers":
            return Fraction(int(table.net["alice"] > self.line) * CENTS)
        if table.phase != "insurance":
            return super().best(table)
        ways = [a.Insure("alice", 1, cents) for cents in range(50, CENTS // 2 + 1, 50)]
        found = [self.after(table, a.CloseInsurance(), ())]
        for act in ways:
            if refusal(table, act) is None:
                found.append(self.after(play(table, act)[0], a.CloseInsurance(), ()))
        self.insured = self.insured or max(found) > found[0]
        return max(found)

    def position(self, table: Any) -> Any:
        insured = tuple(table.boxes[1].insurance.items())
        return (*super().position(table)[:3], table.boxes[1].splitting_ended, table.net["alice"], insured)


INSURANCE_DECIDES = -250
"""A rival who is nearer than the wager is high: insurance keeps ahead of them against a natural."""


@pytest.mark.parametrize(
    ("cards", "line"),
    [(Counter("7K"), 1250), (Counter("AKK"), -250)]
    + [(Counter("7K"), -250), (Counter("7K"), 2750), (Counter("A8KK"), -250), (Counter("A8KK"), 1250)] * WHOLE,
)
@pytest.mark.parametrize("name", OFFERED)
def test_the_chance_is_that_of_the_engine(name: str, cards: Counter[str], line: int) -> None:
    """One rival who passes, so many chips ahead: every card and every legal act on the engine itself, insurance too.

    Without the Super Bonus: every card is a heart here, and advice leaves the bonus out.
    """
    book = load(name)
    book = vary(book, {"super_bonus.offered": False}) if book.super_bonus.offered.value else book
    book = vary(book, {"splitting.hands_max": 2}) if book.splitting.hands_max.value > 2 else book
    asked_engine = EnginePlace(book, Counter({f"{rank}h": count for rank, count in cards.items()}), line)
    engine = asked_engine.value()
    assert asked_engine.insured == (line == INSURANCE_DECIDES and "A" in cards and book.insurance.offered.value)
    ranks = tuple((rank, count / cards.total()) for rank, count in cards.items())
    tables = tables_for(compile_rules(suits_alike(book)), ranks)
    table = Table((Seat(10_000), Seat(10_000 + line, 0)), 0, 1, CENTS, CENTS, (50,))
    asked = LastRound(book, table, tables=tables)
    assert asked.for_the_place((CENTS, 0)) == pytest.approx(float(engine), abs=1e-12)


def by_simulation(name: str, boxes: int, rounds: int, seed: int) -> Any:
    """Results of every box in wagers, from a hundred decks that are shuffled before each round."""
    options = Options(boxes=boxes, decks=100, source="fresh", wager_cents=1000, chips_cents=(1,))
    game = compile_game(load(name), options)
    player = Player(game, basic(game), by_table=False)
    return np.array([[box.get("wager", 0) / 1000 for box in each.net_cents] for each in player.rounds(seed, rounds)])


@pytest.mark.parametrize("name", ("nsw-pontoon", "nsw-blackjack-challenge"))
def test_the_chance_is_that_of_the_simulator(name: str) -> None:
    """Three boxes, plenty of chips, hands for the mean: 100 decks are near enough to infinitely many."""
    rounds = 400_000 if WHOLE else 40_000
    chips, wagers = (100_000, 101_500, 99_000), (2_000, 1_000, 4_000)
    results = by_simulation(name, 3, rounds, 7)
    finals = np.array(chips) + results * np.array(wagers)
    table = Table(tuple(map(Seat, chips, wagers)), 0, 1, 100, 10_000, (1,), "minimum")
    asked = LastRound(load(name), table)
    for seat in range(3):
        others = np.delete(finals, seat, axis=1)
        mine = finals[:, seat : seat + 1]
        above, even = (others > mine).sum(axis=1), (others == mine).sum(axis=1)
        share = np.where(above == 0, 1.0 / (even + 1), 0.0)
        error = share.std() / np.sqrt(rounds)
        assert asked.by_tables(seat, wagers) == pytest.approx(share.mean(), abs=4 * error + 2e-4)


def test_everybody_together_has_all_places() -> None:
    """The chances of all players add up to the places, ties and players who are out included."""
    for places in (1, 2, 3):
        seats = (Seat(150_000, 10_000), Seat(120_000, 120_000), Seat(20_000, 20_000), Seat(20_000, 17_500))
        table = Table(seats, 1, places, 2_500, 200_000, (500, 2_500))
        asked = LastRound(load("nsw-pontoon"), table)
        wagers = [seat.wager or 0 for seat in seats]
        assert sum(asked.by_tables(seat, wagers) for seat in range(4)) == pytest.approx(places, abs=1e-12)


@pytest.mark.clause("nsw-pontoon", "20.10.4")
def test_of_two_who_are_out_the_larger_wager_goes_first() -> None:
    """Both lose all they have against most dealers; the first place then goes by the wager, and not by a play-off."""
    seats = (Seat(2_500, 2_500), Seat(5_000, 5_000))
    shares = []
    for by_wager in (True, False):
        asked = LastRound(load("nsw-pontoon"), Table(seats, 0, 1, 2_500, 5_000, (500,)))
        asked.by_wager = by_wager
        shares.append(asked.by_tables(1, (2_500, 5_000)))
    assert shares[0] > shares[1] + 0.1


def test_the_best_wager_is_the_best_and_alternatives_cost_what_they_lose() -> None:
    table = Table((Seat(20_000, 2_500), Seat(17_500), Seat(5_000)), 1, 1, 2_500, 10_000, (500, 2_500))
    found = advise(load("nsw-pontoon"), table)
    assert [each.cents for each in found.wagers] == [2_500, 5_000, 7_500, 10_000]
    assert found.best.chance == max(each.chance for each in found.wagers)
    assert all(each.cost == pytest.approx(found.best.chance - each.chance) for each in found.wagers)
    assert all(each.chance >= each.by_mean for each in found.wagers)


@pytest.mark.clause("nsw-pontoon", "20.7.1", "20.8.1")
def test_a_pass_card_keeps_the_chips_and_nobody_answers_what_they_do_not_see() -> None:
    seats = (Seat(20_000), Seat(17_500))
    table = Table(seats, 0, 1, 2_500, 10_000, (500, 2_500), pass_card=True, undisclosed=True)
    book = load("nsw-pontoon")
    found, asked = advise(book, table), LastRound(book, table)
    passed = next(each for each in found.wagers if each.how == "pass card")
    finals = asked.finals(17_500, passed.others[0])
    chances = asked.tables.chances["mean"][asked.tables.level(17_500, passed.others[0])]
    row = np.einsum("ue,uek->k", asked.tables.weights, chances)
    assert passed.chance == pytest.approx(row[finals < 20_000].sum() + row[finals == 20_000].sum() / 2, abs=1e-12)
    hidden = {each.cents: each for each in found.wagers if each.how == "undisclosed"}
    shown = {each.cents: each for each in found.wagers if not each.how}
    assert set(hidden) <= set(shown) and {each.others for each in hidden.values()} == {(5_000,)}  # they chase blindly
    assert len({each.others for each in shown.values()}) > 1
    assert found.best.chance == max(each.chance for each in found.wagers)
    rows = drawn_rows(found)
    points = {(row["hands"], row["wager"]) for row in rows}
    assert len(points) == len(rows) == 2 * len(found.wagers)  # a line has one chance for a wager
    assert {"for the place", "for the place, pass card", "for the mean, undisclosed"} <= {row["hands"] for row in rows}


@pytest.mark.clause("nsw-pontoon", "20.8.2.1")
def test_a_rivals_form_is_played_like_ones_own() -> None:
    """A hand with only a written wager is neither doubled nor split, whoever asks: the chances are two sides of one."""
    book, wagers = load("nsw-pontoon"), [5_000, 10_000]
    seats = (Seat(20_000, 5_000, written=True), Seat(17_500))
    theirs = LastRound(book, Table(seats, 1, 1, 2_500, 10_000, (500, 2_500)))
    own = LastRound(book, Table((Seat(20_000), Seat(17_500)), 0, 1, 2_500, 10_000, (500, 2_500)))
    form = own.by_tables(0, wagers, written=True)
    assert theirs.by_tables(0, wagers) == pytest.approx(form, abs=1e-12) != own.by_tables(0, wagers)
    assert theirs.by_tables(1, wagers) == pytest.approx(1 - form, abs=1e-12)
    assert theirs.for_the_place(wagers) >= theirs.by_tables(1, wagers)


def test_an_answer_is_the_best_that_they_can_do() -> None:
    table = Table((Seat(20_000), Seat(17_500)), 0, 1, 2_500, 10_000, (500, 2_500))
    asked = LastRound(load("nsw-pontoon"), table)
    wagers = asked.wagers_with(5_000)
    mine = asked.by_tables(1, wagers)
    assert all(mine >= asked.by_tables(1, [5_000, other]) for other in candidates(table, 1, 12)[0])


def test_who_chases_wagers_past_the_last_of_the_first() -> None:
    table = Table((Seat(20_000), Seat(17_500), Seat(9_000)), 0, 2, 2_500, 50_000, (500,))
    assert [model_wager(table, seat, "chase") for seat in range(3)] == [2_500, 2_500, 9_000]
    one = Table((Seat(20_000), Seat(17_500), Seat(1_000)), 0, 1, 2_500, 50_000, (500,))
    assert [model_wager(one, seat, "chase") for seat in range(3)] == [2_500, 5_000, 0]
    assert [model_wager(one, seat, "maximum") for seat in range(3)] == [20_000, 17_500, 0]


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (Table((Seat(5_000),), 0, 1, 500, 1_000), "two to 7"),
        (Table((Seat(5_000), Seat(5_000)), 0, 2, 500, 1_000), "one to 1 can"),
        (Table((Seat(400), Seat(5_000)), 0, 1, 500, 1_000, (100,)), "nobody wagers"),
        (Table((Seat(5_000), Seat(5_000, 2_000)), 0, 1, 500, 1_000), "above their chips or the maximum"),
        (Table((Seat(5_000), Seat(5_001)), 0, 1, 500, 1_000), "do not make"),
        (Table((Seat(5_000), Seat(5_000)), 0, 1, 500, 1_000, model="clever"), "known are"),
    ],
)
def test_what_cannot_be_is_said(table: Table, said: str) -> None:
    with pytest.raises(MathsError, match=said):
        advise(load("nsw-pontoon"), table)


def test_rulebooks_without_tournaments_say_so() -> None:
    with pytest.raises(MathsError, match="no rules for tournaments"):
        advise(load("adelaide-pontoon-2008"), Table((Seat(5_000), Seat(5_000)), 0, 1, 500, 1_000))


@pytest.mark.clause("nsw-pontoon", "20.6.14")
def test_wagers_are_in_units_of_the_minimum_where_the_rules_want_it() -> None:
    """NSW 20.6.14; Canberra 2005 20.14 asks for the minimum alone."""
    seats = (Seat(15_000), Seat(9_000), Seat(12_000))
    table = Table(seats, 2, 1, 2_500, 20_000, (500, 2_500), model="maximum")
    nsw, canberra = advise(load("nsw-pontoon"), table), advise(load("canberra-pontoon-2005"), table)
    assert [each.cents for each in nsw.wagers] == [2_500, 5_000, 7_500, 10_000]
    assert {each.others for each in nsw.wagers} == {(15_000, 7_500)}
    assert canberra.best.cents == 11_500, "a chip kept back is more than rivals have who lose everything"
    assert {each.others for each in canberra.wagers} == {(15_000, 9_000)}
    assert {12_000, 3_000} <= {each.cents for each in canberra.wagers}, "near the best, and near what rivals have"
