"""What simpler play costs: the best chart of each kind, valued by the solver, beside best play by all cards."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from pitboss.maths.exact.charts import FULL, Level, best_chart
from pitboss.maths.exact.solve import Solver

NO_SUITS = Level("total, number of cards and pairs", suits=False)
TOTALS = Level("total and pairs alone", counts=False, drawn_aces=False, suits=False)
LEVELS = {"full": FULL, "no-suits": NO_SUITS, "totals": TOTALS}
"""Charts that can be asked for by name."""

SIMPLER = (
    FULL,
    NO_SUITS,
    TOTALS,
    Level("the chart without surrender", surrender=False),
    Level("the chart without forfeits", forfeit=False),
    Level("the chart without doubling soft hands", soft_doubles=False),
    Level("the chart, doubling two cards only", double_cards_max=2),
    Level("the chart without splits", split=False),
    Level("the chart without doubles", double_cards_max=0),
    Level(
        "totals, two-card doubles, no surrender, no forfeits",
        counts=False,
        drawn_aces=False,
        suits=False,
        surrender=False,
        forfeit=False,
        double_cards_max=2,
    ),
)


class Price(msgspec.Struct, frozen=True):
    """A way to play and what it costs."""

    name: str
    ev: float
    cost: float
    """Against best play by all cards."""


def prices(solver: Solver, progress: Callable[[str], None] | None = None) -> tuple[Price, ...]:
    """Best play by all cards, then every simpler way, for a solver that has played."""
    best = solver.value_of_openings()
    found = [Price("best play by all cards", best, 0.0)]
    for place, level in enumerate(SIMPLER, start=1):
        if progress is not None:
            progress(f"charts, {place} of {len(SIMPLER)}: {level.name}")
        ev = best_chart(solver, level).ev
        name = f"the chart: {level.name}" if level is FULL else level.name
        found.append(Price(name, ev, best - ev))
    return tuple(found)
