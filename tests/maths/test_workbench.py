"""`pitboss count`: what it reckons comes true in the simulator, and every limit is kept to."""

from __future__ import annotations

import itertools
import json
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pitboss.cli import main
from pitboss.maths.exact.solve import solve, value
from pitboss.maths.shoes import MathsError, Shoe
from pitboss.maths.side_bets import side_bets
from pitboss.maths.simulate.counting import count_file
from pitboss.maths.workbench import (
    COUNTS,
    Wanted,
    _pair_payments,
    _pair_value,
    auto_tags,
    balanced,
    bench,
    best_wagers,
    correlation,
    count_chances,
    effects_of_cards,
    ruin_within,
    side_counts,
    tags_of,
    tilted,
)
from pitboss.maths.workbench_picture import _ticks
from pitboss.rulebooks import load
from tests.lengths import WHOLE, length

CANBERRA = "canberra-pontoon-2005"


def test_what_is_reckoned_comes_true(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The solver's values at each count, and whole shoes played by the general kernel: two roads to one figure."""
    files = [word for kind in ("html", "csv", "svg") for word in (f"--{kind}", str(tmp_path / f"count.{kind}"))]
    rounds = length(30_000_000, 600_000)
    words = ["count", "nsw-pontoon", "--verify", str(rounds), "--json", *files]
    words += ["--rule", "dealer.soft_stand=17"] if WHOLE else []
    assert main([*words, "--export", str(tmp_path / "count.toml"), "--depths", "0.1,0.5", "--indices", "12"]) == 0
    told = json.loads(capsys.readouterr().out)
    play, played = told["play"], told["verified"]
    # The cutting card costs who does not look at it up to 0.1% of what is wagered (docs/simulate.md).
    cut = 0.001 * play["wagered_round"]
    assert abs(played["won"] - play["win_round"]) < 3.5 * played["error"] + cut
    assert played["deviation"] == pytest.approx(play["deviation_round"], rel=0.03)
    assert played["wagered"] == pytest.approx(play["wagered_round"], rel=0.03)
    assert sum(each["chance"] for each in told["counts"]) == pytest.approx(1.0)
    assert all(each["ev"] >= each["ev_chart"] - 1e-6 for each in told["counts"])
    zero = next(each for each in told["counts"] if each["count"] == 0.0)
    assert zero["ev_chart"] == pytest.approx(value(load("nsw-pontoon")), abs=6e-4)
    assert 0 < len(told["indices"]) <= 12 and all(each["gain"] > 0.0 for each in told["indices"])
    counting = count_file((tmp_path / "count.toml").read_text(encoding="utf-8"), "made")
    assert len(counting.deviations) == len(told["indices"]) and max(counting.amounts) <= 20_000
    deep, shallow = told["depths"]
    assert deep["score"] > shallow["score"]
    if WHOLE:
        as_it_is, softer = told["rules"]
        assert softer["ev"] > as_it_is["ev"] and softer["win_hour"] > as_it_is["win_hour"]
    assert "<polyline" in (tmp_path / "count.html").read_text(encoding="utf-8")
    assert "Risk of ruin by bankroll" in (tmp_path / "count.csv").read_text(encoding="utf-8")


def test_cards_at_a_count_are_what_they_are_on_the_mean() -> None:
    """Held against cards drawn from a real shoe, all those that lead to one true count."""
    book = load("nsw-pontoon")
    tags = {rank: {"A": -1.0, "3": 1.0, "5": 1.0, "K": -1.0}.get(rank, 0.0) for rank in book.cards.ranks.value}
    chance = np.random.default_rng(7)
    drawn = chance.multivariate_hypergeometric([32] * 12, 200, size=60_000)
    left = 32 - drawn
    running = drawn @ np.array(list(tags.values()))
    for wanted in (-2.0, 1.5):
        near = np.abs(running * 48 / left.sum(axis=1) - wanted) < 0.15
        shoe = tilted(book, tags, 8, float(384 - 200), wanted)
        mean = left[near].mean(axis=0)
        assert near.sum() > 200
        assert [float(shoe.rank(rank)) for rank in tags] == pytest.approx(mean.tolist(), abs=4 * 2.0 / sqrt(near.sum()))


def test_counts_come_as_often_as_in_drawn_shoes() -> None:
    book = load("nsw-pontoon")
    tags = {rank: {"A": -1.0, "4": 1.0, "5": 1.0, "K": -1.0}.get(rank, 0.0) for rank in book.cards.ranks.value}
    reckoned = count_chances(tags, 8, 72, 5.0, COUNTS)
    chance = np.random.default_rng(3)
    cards = np.repeat(np.array(list(tags.values())), 32)
    found = np.zeros(len(COUNTS))
    for _ in range(400):
        running = np.concatenate([[0.0], np.cumsum(chance.permutation(cards))])
        gone = np.arange(1, 384 - 72, 5)
        true = running[gone] * 48 / (384 - gone)
        places = np.clip(np.floor(true + 0.5 + 1e-9) + 9, 0, 18).astype(int)
        np.add.at(found, places, 1.0)
    assert reckoned.tolist() == pytest.approx((found / found.sum()).tolist(), abs=0.03)


def test_wagers_keep_to_every_limit() -> None:
    counts = COUNTS
    chances = count_chances({"A": -1.0, "5": 1.0, "9": 0.0}, 8, 10, 5.0, counts)
    evs = np.array([0.006 * count - 0.005 for count in counts])
    variances = np.full(len(counts), 1.3)
    for wanted in (
        Wanted(),
        Wanted(bankroll=4000.0, most=100.0, steps=3),
        Wanted(stand_back=True),
        Wanted(ruin=0.01, unit=25.0, least=25.0),
    ):
        wagers, _ = best_wagers(counts, chances, evs, variances, wanted)
        assert (np.diff(wagers) >= 0.0).all() and wagers.max() <= wanted.most
        assert len(set(wagers.tolist()) - {0.0}) <= wanted.steps
        assert all(wager % wanted.unit == 0.0 for wager in wagers)
        assert (wagers[evs <= 0.0] == (0.0 if wanted.stand_back else wanted.least)).all()
        win = float((chances * evs * wagers).sum())
        if win > 0.0:
            variance = float((chances * (variances + evs**2) * wagers**2).sum()) - win**2
            least = min(np.exp(-2 * win * wanted.bankroll / variance), 1.0)
            assert least <= wanted.ruin or not wanted.stand_back


def test_ruin_within_a_trip_is_a_random_walks() -> None:
    chance = np.random.default_rng(11)
    walks = np.cumsum(chance.normal(0.1, 4.0, size=(4000, 1600)), axis=1)
    share = float((walks.min(axis=1) <= -150.0).mean())
    assert ruin_within(0.1, 16.0, 150.0, 1600.0) == pytest.approx(share, abs=0.03)
    assert ruin_within(0.1, 16.0, 150.0, 1e9) == pytest.approx(np.exp(-2 * 0.1 * 150 / 16))


def test_pair_wagers_favour_whoever_counts_and_in_canberra_everybody() -> None:
    """Canberra's Perfect Pairs favour the player from a fresh shoe of eight decks (Canberra 2005, the pay table)."""
    for name in ("nsw-pontoon", CANBERRA):
        book = load(name)
        exact = float(side_bets(book, Shoe.of_decks(book, 8))["perfect-pairs"].ev)
        cards = 4 * len(book.cards.ranks.value)
        fresh = _pair_value(np.full((1, cards), 8.0), _pair_payments(book, "perfect-pairs"))
        assert float(fresh[0]) == pytest.approx(exact, abs=1e-12)
        half, deep = side_counts(book, 8, 72, samples=1500)
        assert half.ev == pytest.approx(exact, abs=1e-12)
        assert half.win_round < deep.win_round and deep.win_round >= max(exact, 0.0)
        assert (exact > 0.0) == (name == CANBERRA)
    assert half.favourable > 0.95


@pytest.mark.parametrize("name", ["nsw-pontoon", "adelaide-pontoon-2008", CANBERRA, "nsw-blackjack-challenge"])
def test_tags_that_are_made_are_balanced_and_no_others_follow_better(name: str) -> None:
    book = load(name)
    effects = effects_of_cards(book, 6)
    for level in (1, 2):
        tags = auto_tags(effects, level)
        assert sum(tags.values()) == 0.0 and max(abs(tag) for tag in tags.values()) <= level
        follows = correlation(tags, effects)
        for up, down in itertools.permutations(tags, 2):
            other = {**tags, up: min(tags[up] + 1.0, level), down: max(tags[down] - 1.0, -level)}
            if not sum(other.values()) and any(other.values()):
                assert correlation(other, effects) <= follows + 0.02, (up, down)


def test_a_count_that_is_not_balanced_is_balanced() -> None:
    """High-low of ordinary blackjack: without tens a deck counts four."""
    book = load("nsw-pontoon")
    words = "\n".join(
        f"{rank} = {1 if rank in '23456' else -1}" for rank in ("2", "3", "4", "5", "6", "J", "Q", "K", "A")
    )
    counting = count_file("[tags]\n" + words, "high-low")
    made = balanced(book, counting)
    assert sum(made.tags.values()) == 0
    assert all(made.tags[rank] - counting.tags.get(rank, 0) in (-83, -84) for rank in book.cards.ranks.value)
    assert balanced(book, made) is made
    with pytest.raises(MathsError, match=r"a whole deck counts \+4"):
        bench(book, counting, 8, 72, Wanted())


def test_a_count_of_one_rank_leaves_some_of_it_at_every_count() -> None:
    """Aces alone, counted far down: parts of a card stay, and the game can be solved."""
    book = load("nsw-blackjack-challenge")
    counting = balanced(book, count_file("[tags]\nA = -1", "aces"))
    shoe = tilted(book, tags_of(book, counting), 6, 195.0, -9.0)
    assert shoe.rank("A") > 4.0 and solve(book, shoe).ev < -0.05


def test_tags_from_the_effects_tell_best_when_to_wager() -> None:
    effects = effects_of_cards(load("nsw-pontoon"), 8)
    assert correlation(effects, effects) == pytest.approx(1.0)
    plain = {rank: 1.0 if rank in "23456" else -1.0 if rank in "JQKA" else 0.0 for rank in effects}
    assert 0.9 < correlation(plain, effects) < 1.0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--ruin", "2"], "--ruin lies between 0 and 1"),
        (["--least", "50", "--most", "20"], "--least is not above --most"),
        (["--depths", "2"], "write shares of the shoe"),
        (["--team", "x"], "numbers of spotters"),
        (["--decks", "1"], "from two decks up"),
        (["--behind", "400"], "cards behind the cutting card of 384"),
    ],
)
def test_what_cannot_be_read(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", "nsw-pontoon", *words]) == 2
    assert said in capsys.readouterr().err


def test_a_running_count_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[Any]) -> None:
    path = tmp_path / "running.toml"
    path.write_text('count = "running"\n[tags]\n5 = 1\nK = -1\n', encoding="utf-8")
    assert main(["count", "nsw-pontoon", "--count", str(path)]) == 2
    assert "a true count is needed here" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([-9.0, 9.0], [-10.0, -5.0, 0.0, 5.0, 10.0]),
        ([0.0], [0.0, 0.2]),
        ([1000.0, 30000.0], [0.0, 10000.0, 20000.0, 30000.0]),
        ([-0.06, 0.041], [-0.1, -0.05, 0.0, 0.05]),
    ],
)
def test_axes_have_round_numbers(values: list[float], ticks: list[float]) -> None:
    found = _ticks(values)
    assert found[0] <= min(values) and found[-1] >= max(values) and len(found) <= 9
    assert all(abs(tick / (found[1] - found[0]) % 1.0) < 1e-6 or abs(tick / (found[1] - found[0]) % 1.0) > 1 - 1e-6
               for tick in found)  # fmt: skip
    assert found == pytest.approx(ticks)
