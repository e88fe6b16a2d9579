"""Whole tournaments before anybody has entered: how long they take, how chips spread, who wins, what prizes do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import sqrt

import msgspec
import numpy as np

from pitboss.maths.exact.tables import Array
from pitboss.maths.shoes import MathsError
from pitboss.maths.tournament import session_kernels as s
from pitboss.maths.tournament.rounds import PLAYS, round_tables
from pitboss.maths.tournament.sessions import STYLES, STYLES_SAID, drawn
from pitboss.rulebooks.meanings import JOINT_ELIMINATION_RANKED, UNITS_OF_MINIMUM
from pitboss.rulebooks.terms import Rulebook

GAMES = 4_000
QUANTILES = (5, 25, 50, 75, 95)
CARDS_A_HAND = 2.7
"""About how many cards a hand takes, the dealer's too: for sessions that are so many shoes long."""


class StagePlan(msgspec.Struct, frozen=True):
    """Heats, a repechage, semi-finals or the final."""

    name: str
    tables: int
    rounds: int
    advance: int
    follows: int = -1
    """Which stage who advances goes on to; -1 after the final."""
    repechage: int = -1
    """Which stage plays who does not advance; -1 for none."""
    limits: tuple[tuple[int, int], ...] = ()
    """Minimum and maximum of each round; the last pair holds on."""


class Structure(msgspec.Struct, frozen=True):
    """A tournament as it is planned; amounts in cents."""

    name: str
    rulebook: str
    entrants: int
    chips: int
    stages: tuple[StagePlan, ...]
    players_at_table: int = 7
    carried: bool = False
    chip: int = 500
    fee: int = 0
    pool: int = 0
    """What there is for prizes."""
    shares: tuple[int, ...] = (1,)
    notes: tuple[str, ...] = ()
    """What of the conditions is not in the plan."""


class Skill(msgspec.Struct, frozen=True):
    """How somebody plays hands, and how they wager."""

    play: str
    wager: str

    def __str__(self) -> str:
        hands = "best for the mean" if self.play == "mean" else "like the dealer"
        return f"plays hands {hands}; wagers {STYLES_SAID[self.wager]}"


BETTER, FIELD = Skill("mean", "chase"), Skill("dealer", "random")
"""The better player, and everybody else, where nothing else is said."""


class Pace(msgspec.Struct, frozen=True):
    """How long things take, in seconds."""

    round: float = 40.0
    """Each round of a table: dealing, the dealer's hand, paying."""
    hand: float = 15.0
    """Each player in it: wagering and playing."""
    between: float = 1200.0
    """Between stages: counting, announcing, drawing seats."""


class Spread(msgspec.Struct, frozen=True):
    """How chips lie at the end of a stage."""

    stage: str
    players: float
    rounds: int
    quantiles: dict[int, float]
    """Of everybody's chips, who is out with nothing."""
    out: float
    """The share of players who are out of chips before the end."""
    better_reaches: float
    """The chance that the better player plays in it."""


class PrizeOption(msgspec.Struct, frozen=True):
    """One way to divide the pool."""

    name: str
    prizes: tuple[int, ...]
    better_mean: float
    """The better player's prize on the mean, in cents."""
    field_mean: float
    field_deviation: float
    """Of the prize of one of the others."""
    paid: float
    """The share of all players who are paid anything."""


class Planned(msgspec.Struct, frozen=True):
    """What a structure brings."""

    structure: Structure
    games: int
    seed: int
    better: str
    field: str
    minutes: float
    minutes_low: float
    minutes_high: float
    """Nine of ten tournaments take no less, and no more."""
    better_wins: float
    error: float
    even_chance: float
    """Of anybody, if all played alike."""
    places: tuple[float, ...]
    """The better player's chance of each place that a prize option pays."""
    spreads: tuple[Spread, ...]
    prizes: tuple[PrizeOption, ...]


OPTIONS: Mapping[str, tuple[int, ...]] = {
    "winner takes all": (1,),
    "60-30-10": (60, 30, 10),
    "50-30-20": (50, 30, 20),
    "40-20-15-10-6-5-4": (40, 20, 15, 10, 6, 5, 4),
    "seven alike": (1, 1, 1, 1, 1, 1, 1),
}


def checked(plan: Structure) -> Structure:
    """The structure itself, or a sentence about what does not fit."""
    if not 2 <= plan.entrants <= 2000:
        raise MathsError(f"{plan.name}: {plan.entrants} entrants; give 2 to 2000.")
    if not plan.stages:
        raise MathsError(f"{plan.name}: there is no stage, not even a final.")
    if plan.chips <= 0:
        raise MathsError(f"{plan.name}: everybody begins with chips.")
    there = [0] * len(plan.stages)
    there[0] = plan.entrants
    for number, stage in enumerate(plan.stages):
        if stage.tables < 1 or stage.rounds < 1 or not stage.limits:
            raise MathsError(f"{plan.name}: {stage.name} wants tables, rounds and limits.")
        if there[number] > stage.tables * plan.players_at_table:
            raise MathsError(
                f"{plan.name}: {there[number]} players come to {stage.name}, but {stage.tables} tables seat "
                f"{stage.tables * plan.players_at_table}."
            )
        if any(not 0 < least <= most for least, most in stage.limits):
            raise MathsError(f"{plan.name}: {stage.name}: a minimum is above nothing and not above the maximum.")
        through = sum(min(stage.advance, size) for size in sizes(there[number], stage.tables))
        if stage.follows >= 0:
            there[stage.follows] += through
        if stage.repechage >= 0:
            there[stage.repechage] += there[number] - through
    return plan


def sizes(players: int, tables: int) -> list[int]:
    """How many sit at each table."""
    return [(players - table + tables - 1) // tables for table in range(min(tables, players))]


def plan(
    rulebook: Rulebook,
    structure: Structure,
    *,
    better: Skill = BETTER,
    field: Skill = FIELD,
    pace: Pace | None = None,
    games: int = GAMES,
    seed: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Planned:
    """Play a structure many times, with one better player among the others."""
    checked(structure)
    for skill in (better, field):
        if skill.play not in PLAYS or skill.wager not in STYLES:
            raise MathsError(
                f"{skill.play}:{skill.wager}: write PLAY:WAGER with {', '.join(PLAYS)} and {', '.join(STYLES)}."
            )
    if not 100 <= games <= 10**7:
        raise MathsError(f"--games {games}: give a hundred or more.")
    if not rulebook.tournament.offered.value:
        raise MathsError(f"{rulebook.name} has no rules for tournaments.")
    times, orders, ended, reached = _played(rulebook, structure, better, field, pace or Pace(), games, seed, progress)
    wins = float((orders[:, 0] == 0).mean())
    options = {"as planned": structure.shares, **OPTIONS}
    paid = max(len(shares) for shares in options.values())
    places = tuple(float((orders[:, place] == 0).mean()) for place in range(min(paid, structure.entrants)))
    return Planned(
        structure, games, seed, str(better), str(field), float(times.mean()) / 60,
        float(np.quantile(times, 0.05)) / 60, float(np.quantile(times, 0.95)) / 60, wins,
        sqrt(wins * (1.0 - wins) / games), 1.0 / structure.entrants, places,
        tuple(_spread(structure, number, ended, reached) for number in range(len(structure.stages))),
        tuple(_prizes(structure, name, shares, places) for name, shares in options.items() if structure.pool > 0),
    )  # fmt: skip


def _played(
    rulebook: Rulebook,
    structure: Structure,
    better: Skill,
    field: Skill,
    pace: Pace,
    games: int,
    seed: int,
    progress: Callable[[int, int], None] | None,
) -> tuple[Array, Array, Array, Array]:
    tables = drawn(round_tables(rulebook))
    stages = np.array(
        [(each.tables, each.rounds, each.advance, each.follows, each.repechage) for each in structure.stages], np.int64
    )
    longest = max(len(each.limits) for each in structure.stages)
    in_units = UNITS_OF_MINIMUM[rulebook.tournament.units.value]
    by_round = [[each.limits[min(row, len(each.limits) - 1)] for row in range(longest)] for each in structure.stages]
    limits = np.array(
        [[(least, most, least if in_units else 1) for least, most in stage] for stage in by_round], np.int64
    )
    by_wager = JOINT_ELIMINATION_RANKED[rulebook.tournament.joint_elimination.value]
    seconds = np.array([pace.round, pace.hand, pace.between])
    kept = min(games, max(200, 2_000_000 // structure.entrants))
    times, orders = np.zeros(games), np.zeros((games, structure.entrants), np.int32)
    ended = np.zeros((kept, len(stages), structure.entrants), np.int64)
    reached = np.zeros((kept, structure.entrants), np.int64)
    one_ended, one_reached = np.zeros_like(ended[0]), np.zeros_like(reached[0])
    order = np.zeros(structure.entrants, np.int64)
    for game in range(games):
        times[game] = s.play_tournament(
            structure.entrants, 1, stages, limits, structure.chips, structure.carried, STYLES[better.wager],
            tables.plays[better.play], STYLES[field.wager], tables.plays[field.play], tables.unit, structure.chip,
            tables.results, tables.spread, tables.pairs, tables.below, by_wager, seed, game, seconds, one_ended,
            one_reached, order,
        )  # fmt: skip
        orders[game] = order
        if game < kept:
            ended[game], reached[game] = one_ended, one_reached
        if progress is not None and game % 50 == 49:
            progress(game + 1, games)
    return times, orders, ended, reached


def _spread(structure: Structure, number: int, ended: Array, reached: Array) -> Spread:
    stage = structure.stages[number]
    there = ended[:, number, :]
    mine = there[there >= 0]
    found = dict.fromkeys(QUANTILES, 0.0)
    if mine.size:
        found = {each: float(np.quantile(mine, each / 100)) for each in QUANTILES}
    return Spread(
        stage.name, float((there >= 0).sum(axis=1).mean()), stage.rounds, found,
        float((mine == 0).mean()) if mine.size else 0.0, float((there[:, 0] >= 0).mean()),
    )  # fmt: skip


def _prizes(structure: Structure, name: str, shares: tuple[int, ...], places: tuple[float, ...]) -> PrizeOption:
    parts = shares[: structure.entrants]
    prizes = [structure.pool * part // sum(parts) for part in parts]
    for place in range(structure.pool - sum(prizes)):
        prizes[place % len(prizes)] += 1
    better = sum(prize * chance for prize, chance in zip(prizes, places, strict=False))
    others = structure.entrants - 1
    mean = (structure.pool - better) / others
    square = sum(prize * prize * (1.0 - chance) / others for prize, chance in zip(prizes, places, strict=False))
    return PrizeOption(
        name, tuple(prizes), better, mean, sqrt(max(square - mean * mean, 0.0)), len(prizes) / structure.entrants
    )  # fmt: skip
