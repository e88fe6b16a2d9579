"""A month of tables, in small: the win ties to the ledger, and lies within its limits as often as they say."""

from __future__ import annotations

from pitboss.reports.build import build, everything
from soak.month import Found, month


def test_a_small_month_of_best_play_lies_within_its_limits() -> None:
    found, takings = month(["nsw-blackjack-challenge"], tables=4, days=5, rounds=25, boxes=2, seed=3)
    assert found.rounds == 4 * 5 * 25 and found.of == 20
    assert found.is_right, found
    report = build(takings, everything, "", "")
    assert {row.name for row in report.by_dealer} == {"dealer-0", "dealer-1", "dealer-2"}
    assert len(report.by_day) == 5 and len(report.by_table) == 4
    (main,) = [row for row in report.by_wager if row.name == "main"]
    assert main.wagered == 4 * 5 * 25 * 2 * 2500


def test_a_month_that_lies_outside_its_limits_too_often_is_not_right() -> None:
    assert not Found(1, 1, 1, 0, 0.0, inside=60, of=100, deviations_off=0.0, ties=True).is_right
    assert not Found(1, 1, 1, 0, 0.0, inside=95, of=100, deviations_off=5.0, ties=True).is_right
    assert not Found(1, 1, 1, 0, 0.0, inside=95, of=100, deviations_off=0.0, ties=False).is_right
    assert Found(1, 1, 1, 0, 0.0, inside=95, of=100, deviations_off=0.0, ties=True).is_right
