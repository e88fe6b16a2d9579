"""Charts are valued exactly, are the best of their kind, and say where they are wrong."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from pitboss.maths.exact.charts import FULL, Chart, Charter, Level
from pitboss.maths.exact.solve import Solver, solver_for
from pitboss.maths.exact.words import ACTS, SPLIT
from pitboss.maths.shoes import MathsError, Shoe
from pitboss.rulebooks import RULEBOOKS, load, vary
from pitboss.strategy.book import COLUMNS, SECTIONS, StrategyBook, compact, strategy_book
from pitboss.strategy.price import NO_SUITS, SIMPLER, TOTALS, prices


@cache
def solved(name: str) -> Solver:
    solver = solver_for(load(name))
    solver.value()
    return solver


@cache
def made(name: str, level: Level) -> tuple[Charter, Chart]:
    charter = Charter(solved(name), level)
    return charter, charter.best()


@cache
def book_of(name: str) -> StrategyBook:
    return strategy_book(solved(name))


@pytest.mark.parametrize("level", [FULL, TOTALS], ids=lambda level: level.name)
@pytest.mark.parametrize("name", ["nsw-pontoon", "nsw-blackjack-challenge"])
def test_no_single_cell_can_be_changed_for_the_better(name: str, level: Level) -> None:
    charter, chart = made(name, level)
    chooser = random.Random(7)
    cells = [(int(row), int(up)) for row, up in np.argwhere(chart.reached > 1e-6)]
    for row, up in chooser.sample(cells, 12):
        for field in ("stand", "double"):
            if field == "stand" and not charter.may_stand[row]:
                continue
            changed = getattr(chart, field).copy()
            changed[row, up] = not changed[row, up]
            assert charter.value(chart._replace(**{field: changed})) <= chart.ev + 1e-12


@pytest.mark.parametrize("name", RULEBOOKS)
def test_seeing_less_never_brings_more(name: str) -> None:
    best = solved(name).value_of_openings()
    full, no_suits, totals = (made(name, level)[1].ev for level in (FULL, NO_SUITS, TOTALS))
    assert best > full >= no_suits > totals
    assert best - full < 5e-6, "a full chart loses next to nothing"


def test_a_chart_that_plays_each_hand_as_the_solver_does_is_worth_as_much() -> None:
    """Without splits, where suits bring nothing and each total can be held in one way only, a chart is best play."""
    book = vary(load("nsw-pontoon"), {"splitting.hands_max": 1})
    solver = solver_for(book, Shoe.of_cards(book, "9sx8 9hx8 9dx8 Ksx8 Khx8 Kdx8"))
    assert Charter(solver_played(solver), FULL).best().ev == pytest.approx(solver.value_of_openings(), abs=1e-13)


def solver_played(solver: Solver) -> Solver:
    solver.value()
    return solver


def test_a_chart_is_valued_as_following_it_from_the_first_two_cards() -> None:
    """The sum over openings of what the chart does there, with the chart's own later play, is its value."""
    charter, chart = made("adelaide-pontoon-2008", TOTALS)
    choice, _, splits = charter._value(chart)
    assert not (choice == 3).any()
    weights = charter._reach(chart, choice, splits)
    two = weights[charter.two].sum()
    assert two == pytest.approx(1.0 - natural_chance(charter.solver), abs=1e-12)
    for first, second, up, _ in charter.openings[:40]:
        acts = {act for _, _, act in charter._cases(chart, first, second, up)}
        assert acts <= {*ACTS, SPLIT, "surrender"}


def natural_chance(solver: Solver) -> float:
    return 2 * float(solver.left[0] * solver.left[9] / (solver.size * (solver.size - 1)))


def test_pontoon_is_played_by_the_number_of_cards() -> None:
    """Five cards that make 21 pay more, so that more cards draw on; 17 against an ace draws (no hole card)."""
    rows = {row.key: row.letters for row in book_of("nsw-pontoon").section("hard")}
    assert rows["16 of 2"] == "SSSSSHHHHH" and rows["16 of 6+"] == "HHHSSHHHHH"
    assert rows["17 of 2"] == "SSSSSSSSSH"
    soft = {row.key: row.letters for row in book_of("nsw-pontoon").section("soft")}
    assert soft["18 of 2"] != soft["18 of 4"]
    towards = {row.key: row.letters for row in book_of("nsw-pontoon").section("suited")}
    assert towards["68 mixed"] != towards["68 spades"]


def test_canberra_doubles_soft_hands_whose_ace_was_drawn() -> None:
    """ACT 2.5(a): an ace among the first two cards counts 1 in a double, one drawn later counts as usual."""
    soft = {row.key: row.letters for row in book_of("canberra-pontoon-2005").section("soft")}
    assert "D" in soft["18 of 3, ace drawn"] and "D" not in soft["18 of 3"]


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_row_has_ten_letters_and_every_section_its_own(name: str) -> None:
    for row in book_of(name).rows:
        assert len(row.letters) == len(COLUMNS) and row.section in SECTIONS
        assert set(row.letters) <= set("FN" if row.section == "forfeit" else "SHDdPRr")
    assert bool(book_of(name).section("forfeit")) == load(name).doubling.forfeit.value
    shown = compact(book_of(name).section("hard"))
    assert len(shown) < len(book_of(name).section("hard"))


@pytest.mark.parametrize("name", RULEBOOKS)
def test_exceptions_are_about_what_the_chart_costs(name: str) -> None:
    """Each is worth its chance times its gain; all together they are most of the cost, split hands being the rest."""
    book = book_of(name)
    assert all(each.gain > 0.0 and 0.0 < each.chance < 0.01 for each in book.exceptions)
    total = sum(each.worth for each in book.exceptions)
    assert 0.2 * book.cost < total < 1.5 * book.cost
    assert [each.worth for each in book.exceptions] == sorted((each.worth for each in book.exceptions), reverse=True)


def test_a_price_list_names_what_each_simpler_way_costs() -> None:
    found = {price.name: price for price in prices(solved("nsw-pontoon"))}
    assert len(found) == len(SIMPLER) + 1
    assert found["the chart without doubles"].cost > found["the chart without splits"].cost > 0.001
    assert found["the chart without forfeits"].cost > 0.0005
    assert found["the chart without surrender"].cost == found[f"the chart: {FULL.name}"].cost, "it never pays in NSW"


def test_a_shoe_may_be_too_small_for_a_chart() -> None:
    book = load("nsw-pontoon")
    solver = solver_for(book, Shoe.of_cards(book, "7sx4 8sx2 6sx2 Khx4 9cx2"))
    solver.value()
    with pytest.raises(MathsError, match="at least 40 cards"):
        strategy_book(solver)
