"""`pitboss habits`: play by chance is the mean over charts drawn by that chance, and rules are worth what they say."""

from __future__ import annotations

import json
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from pitboss.cli import main
from pitboss.maths.exact.charts import Chart, Charter
from pitboss.maths.exact.solve import Solver, solver_for
from pitboss.maths.habits import Habit, Habits, like_the_dealer
from pitboss.maths.shoes import INFINITE, Shoe
from pitboss.maths.simple import UPS, Rule, _Search, best_block, simplest
from pitboss.maths.simulate.simulation import simulate
from pitboss.rulebooks import RULEBOOKS, load, vary
from tests.books import BJC, NSW
from tests.lengths import WHOLE, length


def solved(name: str, changes: dict[str, object] | None = None, decks: int | None = None) -> Solver:
    book = vary(load(name), changes or {})
    solver = solver_for(book, Shoe.of_decks(book, decks))
    solver.value()
    return solver


@pytest.mark.parametrize("name", RULEBOOKS if WHOLE else (NSW,))
def test_without_errors_a_habit_is_its_chart(name: str) -> None:
    habits = Habits(solved(name))
    chart, dealer = Charter.best(habits), like_the_dealer(habits)
    assert habits.habit_value(Habit(((1.0, chart),))) == pytest.approx(chart.ev, abs=1e-13)
    alone = Charter.value(habits, dealer)
    assert habits.habit_value(Habit(((1.0, dealer),))) == pytest.approx(alone, abs=1e-13)
    # A chart that is never followed changes nothing, wherever it stands.
    assert habits.habit_value(Habit(((0.0, chart), (1.0, dealer)))) == pytest.approx(alone, abs=1e-13)
    assert habits.habit_value(Habit(((0.5, chart), (0.5, chart)), 0.03)) == pytest.approx(
        habits.habit_value(Habit(((1.0, chart),), 0.03)), abs=1e-13
    )


@pytest.mark.parametrize("name", (NSW, "adelaide-pontoon-2008") if WHOLE else (NSW,))
def test_errors_are_the_mean_over_charts_with_errors(name: str) -> None:
    """The same cell never comes twice to one hand, so both are one; charts are valued by the solver, splits too."""
    solver = solved(name, {"splitting.hands_max": 2})
    habits = Habits(solver)
    chart = Charter.best(habits)
    errs, number = 0.1, length(600, 40)
    exact = habits.habit_value(Habit(((1.0, chart),), errs))
    chance = np.random.default_rng(2)
    values = [Charter.value(habits, _with_errors(habits, chart, errs, chance)) for _ in range(number)]
    assert exact == pytest.approx(float(np.mean(values)), abs=4.0 * float(np.std(values)) / sqrt(number))
    assert float(np.std(values)) / sqrt(number) < 0.006


def _with_errors(habits: Habits, chart: Chart, errs: float, chance: np.random.Generator) -> Chart:
    """Every cell missed so often, one of its other acts taken instead."""
    arrays = {name: getattr(chart, name).copy() for name in ("stand", "double", "give_up", "split", "forfeit")}
    open_to_it = habits._open()[0]
    for place, group in enumerate(habits.groups):
        for up in range(10):
            if chance.random() >= errs:
                continue
            now = "D" if chart.double[place, up] else "S" if chart.stand[place, up] else "H"
            pair = group.pair - 1
            now = "P" if pair >= 0 and chart.split[pair, up] else now
            legal = ["S", "H", "D"] + ["P"] * (pair >= 0) + ["R"] * bool(group.cards == 2 and open_to_it[up])
            acts = [act for act in legal if act != now]
            act = acts[int(chance.integers(len(acts)))]
            if pair >= 0:
                arrays["split"][pair, up] = act == "P"
            if act == "P":
                continue
            arrays["give_up"][place, up] = act == "R"
            arrays["stand"][place, up] = act == "S"
            arrays["double"][place, up] = act == "D"
    wrong = chance.random(arrays["forfeit"].shape) < errs
    arrays["forfeit"] ^= wrong
    return chart._replace(**arrays)


def test_the_dealers_play_is_what_the_simulator_plays() -> None:
    habits = Habits(solved(NSW))
    exact = habits.habit_value(Habit(((1.0, like_the_dealer(habits)),)))
    played = simulate(NSW, rounds=length(20_000_000, 500_000), strategy="mimic-dealer", source="fresh", seed=4)
    assert abs(played.ev - exact) < 4.0 * played.standard_error


def test_rules_are_worth_what_their_chart_is_and_more_rules_more() -> None:
    solver = solved(NSW, decks=INFINITE if WHOLE else 8)
    found = simplest(solver, length(12, 2))
    values = [each.ev for each in found]
    assert values == sorted(values) and [len(each.rules) for each in found] == list(range(1, len(found) + 1))
    search = _Search(solver)
    for each in found:
        assert each.ev == pytest.approx(search.value(each.rules), abs=1e-14)
        assert each.cost == pytest.approx(solver.value_of_openings() - each.ev, abs=1e-14)
    assert found[-1].cost < 0.03


def test_a_rule_is_said_in_words() -> None:
    assert Rule("hard", (17, 18, 19, 20), UPS, "S").text() == "stand on hard 17 and more"
    assert Rule("pair", (7, 8), (1, 2), "P").text() == "split 8-8 to 9-9 against 2 to 3"
    assert Rule("hard", (11,), (0,), "D").text() == "double hard 11 against A"
    given_up = Rule("forfeit", tuple(range(4, 13)), (9, 0), "F")
    assert given_up.text() == "after the double card forfeit 12 and less against 10 to A"


def test_the_best_block_is_found() -> None:
    chance = np.random.default_rng(1)
    for _ in range(30):
        table = chance.normal(size=(6, 5))
        sums = [
            table[top : bottom + 1, left : right + 1].sum()
            for top in range(6) for bottom in range(top, 6) for left in range(5) for right in range(left, 5)
        ]  # fmt: skip
        gain, (top, bottom), (left, right) = best_block(table)
        assert gain == pytest.approx(max(sums))
        assert gain == pytest.approx(table[top : bottom + 1, left : right + 1].sum())


def test_as_people_call_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["habits", NSW, "--of", BJC, "--errs", "1%", "--forgets", "0.5,1", "--csv", str(tmp_path / "a.csv")]
    assert main([*words, "--json"]) == 0
    told = {row["player"]: row for row in json.loads(capsys.readouterr().out)["players"]}
    assert told["best play by all cards"]["cost"] == 0.0
    played = "the chart of Blackjack Challenge"
    whole, forgetful = told[played]["ev"], told[f"{played}, forgets 100.00%"]["ev"]
    assert whole > forgetful == pytest.approx(-0.033770469537, abs=1e-11)
    assert (tmp_path / "a.csv").read_text(encoding="utf-8").startswith("player,value,costs\n")
    assert main(["habits", NSW, "--errs", "often"]) == 2
    assert "write rates from 0 to 1" in capsys.readouterr().err
