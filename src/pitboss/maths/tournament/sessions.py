"""Before the last round: the chance to advance with each wager now, by playing the session out many times."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import NamedTuple

import msgspec
import numpy as np

from pitboss.maths.exact.tables import Array
from pitboss.maths.shoes import MathsError
from pitboss.maths.tournament import session_kernels as s
from pitboss.maths.tournament.last_round import (
    ANSWER,
    CANDIDATES,
    CHASE,
    MAXIMUM,
    MINIMUM,
    STEADY,
    Table,
    candidates,
    checked,
)
from pitboss.maths.tournament.rounds import RoundTables, round_tables
from pitboss.rulebooks.meanings import JOINT_ELIMINATION_RANKED
from pitboss.rulebooks.terms import Rulebook

STYLES = {MINIMUM: s.MINIMUM, MAXIMUM: s.MAXIMUM, STEADY: s.STEADY, "random": s.RANDOM, CHASE: s.CHASE}
STYLES_SAID = {
    MINIMUM: "the minimum in every round",
    MAXIMUM: "the maximum, or all they have, in every round",
    STEADY: "a tenth of their chips, in units of the minimum",
    "random": "any amount between the minimum and a fifth of their chips",
    CHASE: f"the minimum; in the last {s.LATE} rounds, who is not among those that advance wagers what takes them past "
    "the last of these at even money, as far as limits and chips allow",
}
GAMES = 200_000
BLOCK = 20_000
ROUNDS_MAX = 500


class Drawn(NamedTuple):
    """Tables of a round as the kernels draw from them."""

    unit: int
    results: Array
    spread: Array
    pairs: Array
    below: Array
    plays: dict[str, int]


def drawn(tables: RoundTables) -> Drawn:
    pairs = np.argwhere(tables.weights > 0.0)
    spread = np.cumsum(tables.weights[tables.weights > 0.0])
    below = np.ascontiguousarray(np.stack([each[..., 1:] for each in tables.below.values()]))
    plays = {name: number for number, name in enumerate(tables.below)}
    return Drawn(tables.unit, tables.results.astype(np.int64), spread, pairs, below, plays)


class SimulatedWager(msgspec.Struct, frozen=True):
    """One wager now and what it brings in the end."""

    cents: int
    chance: float
    error: float
    """The standard error of the chance."""
    cost: float
    """How much less than the best wager; all wagers have the same luck, so a difference is surer than each chance."""


class SimulatedAdvice(msgspec.Struct, frozen=True):
    """A round before the last, wager by wager."""

    rulebook: str
    rounds_left: int
    model: str
    games: int
    seed: int
    wagers: tuple[SimulatedWager, ...]
    best: SimulatedWager


def advise_before(
    rulebook: Rulebook,
    table: Table,
    rounds_left: int,
    *,
    resplit: bool = False,
    games: int = GAMES,
    seed: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> SimulatedAdvice:
    """Every wager now; afterwards everybody, oneself included, wagers by the model."""
    table = checked(rulebook, table)
    if not 1 <= rounds_left <= ROUNDS_MAX:
        raise MathsError(f"--rounds-left {rounds_left}: give 1 to {ROUNDS_MAX}.")
    if not 1000 <= games <= 10**9:
        raise MathsError(f"--games {games}: give a thousand or more.")
    style = CHASE if table.model == ANSWER else table.model
    tables = drawn(round_tables(rulebook, resplit=resplit))
    wanted, _ = candidates(table, table.me, CANDIDATES // 3)
    by_wager = JOINT_ELIMINATION_RANKED[rulebook.tournament.joint_elimination.value]
    found = []
    blocks = -(-games // BLOCK)
    for number, cents in enumerate(wanted):
        once, twice = 0.0, 0.0
        for block in range(blocks):
            some = min(BLOCK, games - block * BLOCK)
            sums = _share(table, cents, rounds_left, style, tables, by_wager, seed, block * BLOCK, some)
            once, twice = once + sums[0], twice + sums[1]
            if progress is not None:
                progress(number * blocks + block + 1, len(wanted) * blocks)
        mean = once / games
        found.append(SimulatedWager(cents, mean, sqrt(max(twice / games - mean * mean, 0.0) / games), 0.0))
    best = max(found, key=lambda each: each.chance)
    wagers = tuple(msgspec.structs.replace(each, cost=best.chance - each.chance) for each in found)
    hands = "your hands are played for the mean of the result, the others' as --play says"
    said = f"{hands}; everybody wagers {STYLES_SAID[style]}"
    return SimulatedAdvice(rulebook.name, rounds_left, said, games, seed, wagers, best)


def _share(
    table: Table, cents: int, rounds: int, style: str, tables: Drawn, by_wager: bool, seed: int, first: int, games: int
) -> tuple[float, float]:
    number = len(table.seats)
    plays = np.full(number, tables.plays[table.play], np.int64)
    plays[table.me] = tables.plays["mean"]
    fixed = np.array([-1 if seat.wager is None else seat.wager for seat in table.seats], np.int64)
    fixed[table.me] = cents
    once, twice = s.share_of_session(
        table.me, table.advance, games, first, seed, np.array([seat.chips for seat in table.seats], np.int64),
        np.full(number, STYLES[style], np.int64), plays, fixed, rounds,
        np.array([[table.minimum, table.maximum, table.unit or 1]], np.int64), tables.unit, min(table.chips),
        tables.results, tables.spread, tables.pairs, tables.below, by_wager,
    )  # fmt: skip
    return float(once), float(twice)
