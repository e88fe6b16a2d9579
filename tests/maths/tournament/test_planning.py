"""Sessions played out and whole structures: fair where all are alike, better where one is, the same every time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pitboss.cli import main
from pitboss.maths.shoes import MathsError
from pitboss.maths.tournament.last_round import LastRound, Seat, Table
from pitboss.maths.tournament.planning import Pace, Skill, StagePlan, Structure, plan
from pitboss.maths.tournament.sessions import advise_before
from pitboss.rulebooks import load

LIMITS = ((2_500, 50_000),)
CUP = Structure(
    "cup", "nsw-pontoon", 12, 100_000,
    (StagePlan("heats", 2, 10, 2, 1, limits=LIMITS), StagePlan("final", 1, 10, 0, limits=LIMITS)),
    fee=10_000, pool=120_001, shares=(50, 30, 20),
)  # fmt: skip
ALIKE = Skill("dealer", "random")


def test_one_round_played_out_is_the_last_round() -> None:
    """Simulation against enumeration: one round left, hands for the mean, wagers as stated."""
    book = load("nsw-pontoon")
    table = Table((Seat(150_000, 10_000), Seat(120_000), Seat(90_000, 30_000)), 1, 1, 2_500, 50_000, (500,), "minimum")
    exact = LastRound(book, table)
    for each in advise_before(book, table, 1, games=20_000, seed=3).wagers[::6]:
        assert each.chance == pytest.approx(exact.wager(each.cents).by_mean, abs=4 * each.error + 1e-9)


def test_the_same_seed_plays_the_same_and_rounds_matter() -> None:
    book = load("nsw-blackjack-challenge")
    table = Table((Seat(150_000), Seat(120_000)), 1, 1, 2_500, 50_000, (500,), "chase")
    one, two = (advise_before(book, table, 4, games=2_000, seed=5) for _ in range(2))
    assert one == two
    assert advise_before(book, table, 4, games=2_000, seed=6) != one
    assert one.best.chance == max(each.chance for each in one.wagers)


def test_where_all_are_alike_nobody_is_better() -> None:
    found = plan(load("nsw-pontoon"), CUP, better=ALIKE, field=ALIKE, games=4_000)
    assert found.better_wins == pytest.approx(1 / 12, abs=4 * found.error)
    assert found.spreads[0].players == 12 and found.spreads[1].players == 4
    assert found.spreads[1].better_reaches == pytest.approx(4 / 12, abs=0.03)


def test_the_better_player_wins_more_often_and_prizes_are_the_pool() -> None:
    found = plan(load("nsw-pontoon"), CUP, games=2_000)
    assert found.better_wins > 1 / 12 + 4 * found.error
    assert found == plan(load("nsw-pontoon"), CUP, games=2_000)
    for option in found.prizes:
        assert sum(option.prizes) == 120_001
        assert option.better_mean + 11 * option.field_mean == pytest.approx(120_001)


def test_a_longer_session_takes_longer() -> None:
    """Ten rounds of six players and ten of four, at a pace that is known to the second."""
    found = plan(load("nsw-pontoon"), CUP, pace=Pace(60.0, 0.0, 600.0), games=200)
    assert found.minutes == pytest.approx(10 + 10 + 10, abs=0.2)


def test_a_repechage_lets_losers_in_again() -> None:
    stages = (
        StagePlan("heats", 2, 5, 1, 2, 1, LIMITS),
        StagePlan("repechage", 2, 5, 1, 2, -1, LIMITS),
        StagePlan("final", 1, 5, 0, -1, -1, LIMITS),
    )
    found = plan(load("nsw-pontoon"), Structure("r", "nsw-pontoon", 12, 100_000, stages), games=200)
    assert [each.players for each in found.spreads] == [12, 10, 4]
    assert found.prizes == ()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"entrants": 20}, "seat 14"),
        ({"entrants": 1}, "give 2 to 2000"),
        ({"stages": ()}, "no stage"),
        ({"stages": (StagePlan("final", 2, 0, 0, limits=LIMITS),)}, "wants tables, rounds and limits"),
    ],
)
def test_what_does_not_fit_is_said(changes: dict[str, Any], said: str) -> None:
    import msgspec

    with pytest.raises(MathsError, match=said):
        plan(load("nsw-pontoon"), msgspec.structs.replace(CUP, **changes))


# --- the commands ----------------------------------------------------------------------------------------------------

ADVISE = ["tournament", "advise", "nsw-pontoon", "--players", "150:10 *120 90", "--minimum", "25", "--maximum", "100"]


def test_advice_is_told_drawn_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture, table = tmp_path / "advice.svg", tmp_path / "advice.csv"
    assert main([*ADVISE, "--plot", str(picture), "--csv", str(table)]) == 0
    told = capsys.readouterr().out
    assert "best wager" in told and "Exact for infinitely many decks" in told and "Others: who wagers after you" in told
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    assert table.read_text(encoding="utf-8").splitlines()[0] == "wager,chance,chance_by_mean,cost,others_wager"
    assert main([*ADVISE, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["best"]["chance"] == max(each["chance"] for each in found["wagers"])
    assert main([*ADVISE, "--rounds-left", "3", "--games", "1k", "--csv", str(table)]) == 0
    assert "1,000 sessions a wager, seed 1" in capsys.readouterr().out
    assert table.read_text(encoding="utf-8").startswith("wager,chance,standard_error,cost")


def test_plans_are_told_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    conditions, picture, table = tmp_path / "cup.toml", tmp_path / "plan.svg", tmp_path / "plan.csv"
    assert main(["tournament", "new", "nsw-pontoon", str(conditions)]) == 0
    capsys.readouterr()
    words = ["tournament", "plan", str(conditions), "--structure", "2x5>1 1x5", "--games", "100"]
    assert main([*words, "--plot", str(picture), "--csv", str(table)]) == 0
    told = capsys.readouterr().out
    assert "2x5>1 1x5" in told and "the better player wins" in told and "winner takes all" in told
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    assert table.read_text(encoding="utf-8").startswith("structure,figure,of,value")
    assert main([*words, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["plans"]) == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([*ADVISE[:4], "150 120", *ADVISE[5:]], "put a star before your own chips"),
        ([*ADVISE[:4], "150 *x", *ADVISE[5:]], "is not an amount"),
        ([*ADVISE[:4], "150:::3 *5", *ADVISE[5:]], "a wager after a colon"),
        ([*ADVISE[:4], "150 *120::25", *ADVISE[5:]], "a rival's form in the last round"),
        (["tournament", "advise", "canberra-pontoon-2005", "--players", "150::25 *120", *ADVISE[5:]], "no undisclosed"),
        (["tournament", "advise", "adelaide-pontoon-2008", *ADVISE[3:]], "has no rules for tournaments"),
        ([*ADVISE, "--plot", "advice.gif"], "ends in .svg"),
        ([*ADVISE, "--games", "many", "--rounds-left", "2"], "is not a number"),
        (["tournament", "plan"], "name files of conditions"),
        (["tournament", "plan", "--structure", "7 tables"], "TABLESxROUNDS"),
        (["tournament", "plan", "--structure", "1x5", "--better", "clever"], "write PLAY:WAGER"),
        (["tournament", "plan", "nowhere.toml"], "cannot be read"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_sentence(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    told = capsys.readouterr().err
    assert said in told and "Traceback" not in told
