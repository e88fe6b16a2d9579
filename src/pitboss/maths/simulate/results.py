"""What a simulation found, as plain values: for people, JSON, CSV and reports."""

from __future__ import annotations

from math import erfc, exp, expm1, pi, sin, sqrt
from typing import Any

import msgspec

from pitboss.maths.simulate import outcomes as o
from pitboss.maths.simulate.counting import FINENESS, deck_count
from pitboss.maths.simulate.game import (
    BLAZING,
    BLAZING_ROWS,
    FIRST_SIDE,
    INSURANCE,
    PAIR_KINDS,
    SIDE_BETS,
    STREAMS,
    SUPER,
)
from pitboss.maths.simulate.jobs import Z_95, Job, Sums, mean_and_error
from pitboss.maths.simulate.play import Player


class Frequency(msgspec.Struct, frozen=True):
    """How often a hand ended in one way, and what that brought."""

    name: str
    count: int
    frequency: float
    """For each original wager."""
    contribution: float
    """To the value of an original wager of 1."""


class Extra(msgspec.Struct, frozen=True):
    """Money beside the wager on the hand: insurance, Super Bonus, optional wagers."""

    name: str
    cents: int
    """Won by the player, all together."""
    wagered_cents: int
    """0 for a bonus, which costs nothing."""
    ev: float
    """For each unit wagered on it; for a bonus, for each unit of the original wager."""
    standard_error: float
    counts: dict[str, int]


class AtCount(msgspec.Struct, frozen=True):
    """The rounds that began at one count, rounded down; the outermost rows hold everything beyond."""

    count: int
    rounds: int
    wagered_cents: int
    """Original wagers."""
    cents: int
    ev: float
    """For each original wager; 0 where nothing was wagered."""
    standard_error: float


class Counted(msgspec.Struct, frozen=True):
    """What counting brought."""

    name: str
    deck_count: float
    """What one whole deck counts; a true count means little where that is not 0."""
    amounts_cents: tuple[int, ...]
    rounds_by_amount: tuple[int, ...]
    average_wager_cents: float
    """Of a box in a round, standing back included."""
    by_count: tuple[AtCount, ...]


class Ruin(msgspec.Struct, frozen=True):
    """Trips with a bankroll, each from fresh cards until the rounds are over, the goal is reached or nothing is left
    to wager."""

    bankroll_cents: int
    trip_rounds: int
    goal_cents: int
    trips: int
    ruined: int
    reached_goal: int
    probability: float
    """Of ruin in a trip."""
    confidence_95: tuple[float, float]
    """Wilson's interval."""
    approximation: float
    """Of the same by a Brownian motion with this mean and spread a round, which knows no last chip."""
    mean_net_cents: float
    deviation_cents: float
    mean_rounds_to_ruin: float
    """0 where no trip was ruined."""
    finals: tuple[int, ...]
    """Trips by what was left, in sixteenths of the bankroll; the last has all above."""


class Simulated(msgspec.Struct, frozen=True):
    """The result of a job: the same for the same job, wherever it was run."""

    rulebook: str
    name: str
    strategy: str
    seed: int
    decks: int
    source: str
    boxes: int
    wager_cents: int
    cards_behind: int
    rounds: int
    hands_wagered: int
    """Original wagers."""
    cents: int
    ev: float
    """For each original wager, optional wagers, insurance and bonuses left out."""
    standard_error: float
    confidence_95: tuple[float, float]
    house_edge: float
    standard_deviation: float
    """Of one box in one round."""
    total_wagered: float
    """The mean put at risk for each original wager, doubles and splits included."""
    element_of_risk: float
    """The house edge on all of that: above zero where the house wins, as its edge is."""
    ev_with_extras: float
    """Everything that the player wagered and won, for each original wager."""
    standard_error_with_extras: float
    cards_per_round: float
    shoes: int
    dealer_natural: float
    """Share of rounds in which the dealer showed one."""
    dealer_bust: float
    splits: float
    doubles: float
    ran_out: int
    """Rounds finished with shuffled discards."""
    outcomes: tuple[Frequency, ...]
    extras: tuple[Extra, ...]
    net_per_round_cents: float
    """Everything together, all boxes."""
    deviation_per_round_cents: float
    counting: Counted | None = None
    ruin: Ruin | None = None


def result(job: Job, player: Player, done: Sums) -> Simulated:
    """Means and frequencies from whole-number sums."""
    from pitboss.maths.simulate import kernels as k

    game, options = player.game, player.game.options
    boxes = options.boxes
    levels = [level for level, cents in enumerate(player.amounts) if cents]
    tally = [sum(each) for each in zip(*(done.tally_row(level) for level in levels), strict=True)]
    sums = [sum(each) for each in zip(*(done.row(level) for level in levels), strict=True)]
    rounds = sums[k.S_ROUNDS]
    watched = done.total(k.S_ROUNDS)
    wagers = max(rounds * boxes, 1)
    original = sum(done.row(level)[k.S_ROUNDS] * boxes * player.amounts[level] for level in levels)
    unit = original / wagers or options.wager_cents
    ev, error = mean_and_error(done, player)
    everything = sum(sums[: len(STREAMS)])
    whole_variance = max(sums[k.S_ROUND_ALL] / watched - (everything / watched) ** 2, 0.0)
    variance = sums[k.S_SQUARES] / wagers - (sums[k.S_SUMS] / wagers) ** 2
    risked = tally[k.T_WAGERED] / wagers / unit
    found = Simulated(
        rulebook=job.rulebook,
        name=game.rulebook.name,
        strategy=player.strategy.name,
        seed=job.seed,
        decks=options.decks,
        source=options.source,
        boxes=boxes,
        wager_cents=options.wager_cents,
        cards_behind=max(options.behind, 0),
        rounds=watched,
        hands_wagered=rounds * boxes,
        cents=sums[k.S_SUMS],
        ev=ev,
        standard_error=error,
        confidence_95=(ev - Z_95 * error, ev + Z_95 * error),
        house_edge=-ev,
        standard_deviation=sqrt(max(variance, 0.0)) / unit,
        total_wagered=risked,
        element_of_risk=-ev / risked if risked else 0.0,
        ev_with_extras=everything / wagers / unit,
        standard_error_with_extras=sqrt(whole_variance * watched) / wagers / unit,
        cards_per_round=tally[k.T_CARDS] / max(rounds, 1),
        shoes=done.total(k.S_SHOES),
        dealer_natural=tally[k.T_DEALER_NATURAL] / max(rounds, 1),
        dealer_bust=tally[k.T_DEALER_BUST] / max(rounds, 1),
        splits=tally[k.T_SPLITS] / wagers,
        doubles=tally[k.T_DOUBLES] / wagers,
        ran_out=done.total(k.S_RAN_OUT),
        outcomes=_outcomes(player, done, levels, wagers, unit),
        extras=tuple(_extras(player, done, levels, wagers, unit)),
        net_per_round_cents=everything / watched,
        deviation_per_round_cents=sqrt(whole_variance),
    )
    if player.counting is not None:
        found = msgspec.structs.replace(found, counting=_counted(player, done, watched))
    if player.bankroll is not None:
        found = msgspec.structs.replace(found, ruin=_ruin(player, done, found))
    return found


def _outcomes(player: Player, done: Sums, levels: list[int], wagers: int, unit: float) -> tuple[Frequency, ...]:
    named: dict[str, list[float]] = {}
    for code, name in enumerate(o.NAMES):
        name = "natural" if name.startswith("natural with") else name
        for level in levels:
            count = done.tally_row(level)[code]
            if count:
                entry = named.setdefault(name, [0, 0])
                entry[0] += count
                entry[1] += count * int(player.pay[level, code])
    return tuple(
        Frequency(name, int(count), count / wagers, cents / wagers / unit) for name, (count, cents) in named.items()
    )


def _extras(player: Player, done: Sums, levels: list[int], wagers: int, unit: float) -> list[Extra]:
    from pitboss.maths.simulate import kernels as k

    options = player.game.options
    rows = {level: done.tally_row(level) for level in levels}
    tally = [sum(each) for each in zip(*rows.values(), strict=True)]
    found: list[Extra] = []
    insured = tally[k.T_INSURED]
    if insured:
        counts = {"placed": insured, "won": tally[k.T_INSURANCE_WON]}
        cents = sum(rows[level][k.T_INSURED] * player.insured_cents(level) for level in levels)
        found.append(_extra("insurance", done, levels, INSURANCE, insured, cents / insured, cents, counts))
    if player.game.rulebook.super_bonus.offered.value:
        counts = {"paid": tally[k.T_SUPER], "to others": tally[k.T_CONSOLATION]}
        found.append(_extra("super-bonus", done, levels, SUPER, wagers, unit, 0, counts))
    for index, name in enumerate(SIDE_BETS):
        if name in options.side_bets:
            kinds = BLAZING_ROWS if name == BLAZING else PAIR_KINDS
            counts = {kind: tally[k.T_SIDES + 8 * index + place] for place, kind in enumerate(kinds)}
            cents = options.blazing_cents if name == BLAZING else options.side_cents
            found.append(_extra(name, done, levels, FIRST_SIDE + index, wagers, cents, wagers * cents, counts))
    return found


def _extra(
    name: str, done: Sums, levels: list[int], stream: int, number: int, unit: float, wagered: int,
    counts: dict[str, int],
) -> Extra:  # fmt: skip
    from pitboss.maths.simulate.kernels import S_SQUARES, S_SUMS

    rows = [done.row(level) for level in levels]
    cents, squares = sum(row[S_SUMS + stream] for row in rows), sum(row[S_SQUARES + stream] for row in rows)
    variance = max(squares / number - (cents / number) ** 2, 0.0)
    return Extra(name, cents, wagered, cents / number / unit, sqrt(variance / number) / unit, counts)


def _counted(player: Player, done: Sums, rounds: int) -> Counted:
    from pitboss.maths.simulate.kernels import E_COUNTS, S_ROUNDS, SHOWN

    assert player.counting is not None
    rows = []
    for count in range(-SHOWN, SHOWN + 1):
        at = E_COUNTS + 4 * (count + SHOWN)
        number, wagered, won, squares = done.extra[at : at + 4]
        if number:
            ev = won / wagered if wagered else 0.0
            variance = max(squares / number - (won / number) ** 2, 0.0)
            error = sqrt(variance * number) / wagered if wagered else 0.0
            rows.append(AtCount(count, number, wagered, won, ev, error))
    amounts = player.amounts
    return Counted(
        player.counting.name,
        deck_count(player.game.rulebook, player.counting) / FINENESS,
        amounts,
        tuple(done.row(level)[S_ROUNDS] for level in range(len(amounts))),
        sum(row.wagered_cents for row in rows) / rounds / player.game.options.boxes,
        tuple(rows),
    )


def _ruin(player: Player, done: Sums, found: Simulated) -> Ruin:
    from pitboss.maths.simulate import kernels as k

    bankroll = player.bankroll
    assert bankroll is not None
    trips, ruined, reached = (done.extra[place] for place in (k.E_TRIPS, k.E_RUINED, k.E_REACHED))
    net, squares = done.extra[k.E_NET], done.extra[k.E_NET_SQUARES]
    return Ruin(
        bankroll.cents, bankroll.trip_rounds, bankroll.goal_cents, trips, ruined, reached, ruined / trips,
        wilson(ruined, trips),
        ruin_of_motion(
            bankroll.cents, bankroll.trip_rounds, found.net_per_round_cents, found.deviation_per_round_cents,
            bankroll.goal_cents,
        ),
        net / trips,
        sqrt(max(squares / trips - (net / trips) ** 2, 0.0)),
        done.extra[k.E_RUIN_ROUNDS] / ruined if ruined else 0.0,
        tuple(done.extra[k.E_ENDS :]),
    )  # fmt: skip


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Wilson's 95% interval for a share."""
    share, z = successes / trials, Z_95
    middle = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials**2)) / (1 + z * z / trials)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def ruin_of_motion(funds: float, rounds: int, mean: float, deviation: float, goal: float = 0.0) -> float:
    """The chance that a Brownian motion with this drift and spread a round loses all funds within these rounds.

    With a goal, before it has reached that: it stops there.
    """
    if deviation == 0:
        return float(funds + mean * rounds <= 0)
    if goal > funds:
        return _ruin_before_goal(funds, rounds, mean, deviation, goal)
    spread = deviation * sqrt(rounds)

    def below(x: float) -> float:
        return erfc(-x / sqrt(2)) / 2

    far = -2 * mean * funds / deviation**2
    second = exp(min(far, 700.0)) * below((-funds + mean * rounds) / spread)
    return min(below((-funds - mean * rounds) / spread) + second, 1.0)


def _ruin_before_goal(funds: float, rounds: int, mean: float, deviation: float, goal: float) -> float:
    """Two barriers: the chance of ruin with time enough, less that of ruin after these rounds, a series of sines."""
    drift = 2 * mean / deviation**2
    if drift == 0:
        ever = 1 - funds / goal
    elif drift < 0:
        ever = expm1(drift * (goal - funds)) / expm1(drift * goal)
    else:
        ever = exp(-drift * funds) * expm1(-drift * (goal - funds)) / expm1(-drift * goal)
    later, term = 0.0, 0
    while True:
        term += 1
        rate = mean**2 / (2 * deviation**2) + (term * pi * deviation / goal) ** 2 / 2
        exponent = -mean * funds / deviation**2 - rate * rounds
        later += term * sin(term * pi * funds / goal) / rate * exp(min(exponent, 700.0))
        if (term * pi * deviation / goal) ** 2 / 2 * rounds > 40.0:
            break
    return min(max(ever - pi * (deviation / goal) ** 2 * later, 0.0), 1.0)


def as_json(found: Simulated) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(found)
    return built


def as_rows(found: Simulated) -> list[dict[str, Any]]:
    """One row a figure, for tables: what, its name, count, share and value."""
    rows: list[dict[str, Any]] = []
    for field in ("ev", "standard_error", "standard_deviation", "house_edge", "total_wagered", "ev_with_extras"):
        rows.append(_row("result", field, None, None, getattr(found, field)))
    for each in found.outcomes:
        rows.append(_row("outcome", each.name, each.count, each.frequency, each.contribution))
    for extra in found.extras:
        rows.append(_row("extra", extra.name, None, None, extra.ev))
        for kind, count in extra.counts.items():
            rows.append(_row(extra.name, kind, count, count / found.hands_wagered, None))
    if found.counting is not None:
        for at in found.counting.by_count:
            rows.append(_row("count", str(at.count), at.rounds, at.rounds / found.rounds, at.ev))
    if found.ruin is not None:
        ruin = found.ruin
        rows.append(_row("trips", "ruined", ruin.ruined, ruin.probability, None))
        rows.append(_row("trips", "reached the goal", ruin.reached_goal, ruin.reached_goal / ruin.trips, None))
        rows += [_row("final", str(i), count, count / ruin.trips, i / 16) for i, count in enumerate(ruin.finals)]
    return rows


def _row(what: str, name: str, count: int | None, share: float | None, value: float | None) -> dict[str, Any]:
    return {"what": what, "name": name, "count": count, "frequency": share, "value": value}
