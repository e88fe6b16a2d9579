"""What changing one cell of a chart brings a round, the rest of it followed: exactly, hands of a split aside."""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.maths.exact import kernels as k
from pitboss.maths.exact.charts import RARE, Chart, Charter, Group
from pitboss.maths.exact.tables import NATURAL
from pitboss.maths.exact.words import VALUES

Array = Any


def cell_name(group: Group, up: int) -> str:
    """A cell as a count file names it."""
    if group.pair:
        return f"pair {VALUES[group.pair - 1]} v {VALUES[up]}"
    kind = "soft" if group.soft else "hard"
    number = f" of {group.cards}" if group.cards else ""
    return f"{kind} {group.total}{number} v {VALUES[up]}"


def cell_gains(charter: Charter, chart: Chart) -> tuple[dict[tuple[str, str], float], float]:
    """By cell and letter what changing the cell to the letter brings a round; and what the chart itself brings."""
    solver = charter.solver
    choice, _, splits = charter._value(chart)
    weights = charter._reach(chart, choice, splits)
    ev = charter._openings_value(chart, splits)
    worth = charter.ways[charter.hand, charter.ones].copy()
    charter._add_suits(worth, weights)
    stand, hit, double = worth[:, :, k.STAND], worth[:, :, k.HIT], worth[:, :, k.DOUBLE]
    pairs = dict(charter._pairs())
    of_pair = np.array([pairs.get(int(hand), -1) for hand in charter.hand])
    of_pair[~charter.two] = -1
    natural = solver.finals[charter.hand, :, NATURAL]
    lost = -solver.given_up(1.0 - natural, natural)
    open_to_it = charter._open()
    group = charter.group
    plain = np.where(chart.stand[group], stand, hit)
    doubles = chart.double[group] & charter.may_double[:, None]
    act = np.where(doubles, double, plain)
    gives = chart.give_up[group] & charter.two[:, None] & (open_to_it > 0.0)
    act = np.where(gives, open_to_it * lost + (1.0 - open_to_it) * act, act)
    splits_now = np.zeros_like(weights, dtype=bool)
    splits_now[of_pair >= 0] = chart.split[of_pair[of_pair >= 0]]
    gains: dict[tuple[str, str], float] = {}
    shape = (len(chart.groups), 10)

    def over(values: Array, some: Array) -> Array:
        total = np.zeros(shape)
        np.add.at(total, group, np.where(some, weights * values, 0.0))
        return total

    legal = charter.may_double[:, None] & np.ones((1, 10), bool)
    kept = ~splits_now
    alternatives = {
        "S": over(np.where(stand > -1e8, stand, -1.0) - act, kept),
        "H": over(hit - act, kept),
        "D": over(np.where(legal, double, hit) - act, kept),
        "d": over(np.where(legal, double, np.where(stand > -1e8, stand, -1.0)) - act, kept),
        "R": over(np.where(charter.two[:, None], open_to_it * (lost - act), 0.0), kept),
    }
    may_double = np.zeros(shape, bool)
    np.logical_or.at(may_double, group, legal)
    every = np.ones(shape, bool)
    np.logical_and.at(every, group, legal)
    two = np.zeros(len(chart.groups), bool)
    np.logical_or.at(two, group, charter.two)
    for place, each in enumerate(chart.groups):
        for up in range(10):
            name = cell_name(each, up)
            for letter, table in alternatives.items():
                if letter in "Dd" and not may_double[place, up]:
                    continue
                if letter == "d" and every[place, up]:
                    continue
                if letter == "R" and not (two[place] and open_to_it[0, up] > 0.0):
                    continue
                if letter in "Sd" and each.total < solver.rules.must_draw_below:
                    continue
                gains[name, letter] = float(table[place, up])
    for entry in np.flatnonzero(of_pair >= 0).tolist():
        pair = int(of_pair[entry])
        for up in range(10):
            if splits[pair, up] < -1e8 or weights[entry, up] <= 0.0:
                continue
            name = f"pair {VALUES[pair]} v {VALUES[up]}"
            if chart.split[pair, up]:
                options = {"H": hit, "S": stand, "D": double}
                for letter, values in options.items():
                    if values[entry, up] > -1e8:
                        gains[name, letter] = float(weights[entry, up] * (values[entry, up] - splits[pair, up]))
            else:
                gains[name, "P"] = float(weights[entry, up] * (splits[pair, up] - act[entry, up]))
    if solver.rules.forfeit:
        gain = np.zeros((22, 10))
        k.weigh_forfeits(
            solver.left, charter.hand, charter.ones, charter.may_double, charter.ended, solver.hands.cards,
            solver.hands.next, solver.finals, solver.array, choice, weights, RARE, gain,
        )  # fmt: skip
        for total in range(4, 21):
            for up in range(10):
                gives_up = bool(chart.forfeit[total, up])
                letter = "N" if gives_up else "F"
                sign = -1.0 if gives_up else 1.0
                gains[f"forfeit {total} v {VALUES[up]}", letter] = sign * float(gain[total, up])
    return gains, ev
