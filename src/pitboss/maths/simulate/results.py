"""What a simulation found, as plain values: for people, JSON, CSV and reports."""

from __future__ import annotations

from math import sqrt
from typing import Any

import msgspec

from pitboss.maths.simulate import outcomes as o
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


def result(job: Job, player: Player, done: Sums) -> Simulated:
    """Means and frequencies from whole-number sums."""
    from pitboss.maths.simulate import kernels as k

    game, options = player.game, player.game.options
    sums, tally = done.sums, done.tally
    rounds = sums[k.S_ROUNDS]
    wagers = rounds * options.boxes
    unit = options.wager_cents
    ev, error = mean_and_error(done, game)
    everything = sum(sums[: len(STREAMS)])
    whole_variance = sums[k.S_ROUND_ALL] / rounds - (everything / rounds) ** 2
    variance = sums[k.S_SQUARES] / wagers - (sums[k.S_SUMS] / wagers) ** 2
    risked = tally[k.T_WAGERED] / wagers / unit
    pay = game.pay.tolist()
    named: dict[str, list[float]] = {}
    for code, name in enumerate(o.NAMES):
        if tally[code]:
            name = "natural" if name.startswith("natural with") else name
            entry = named.setdefault(name, [0, 0])
            entry[0] += tally[code]
            entry[1] += tally[code] * pay[code]
    return Simulated(
        rulebook=job.rulebook,
        name=game.rulebook.name,
        strategy=player.strategy.name,
        seed=job.seed,
        decks=options.decks,
        source=options.source,
        boxes=options.boxes,
        wager_cents=unit,
        cards_behind=max(options.behind, 0),
        rounds=rounds,
        hands_wagered=wagers,
        cents=sums[k.S_SUMS],
        ev=ev,
        standard_error=error,
        confidence_95=(ev - Z_95 * error, ev + Z_95 * error),
        house_edge=-ev,
        standard_deviation=sqrt(max(variance, 0.0)) / unit,
        total_wagered=risked,
        element_of_risk=ev / risked,
        ev_with_extras=everything / wagers / unit,
        standard_error_with_extras=sqrt(max(whole_variance, 0.0) / rounds) / options.boxes / unit,
        cards_per_round=tally[k.T_CARDS] / rounds,
        shoes=sums[k.S_SHOES],
        dealer_natural=tally[k.T_DEALER_NATURAL] / rounds,
        dealer_bust=tally[k.T_DEALER_BUST] / rounds,
        splits=tally[k.T_SPLITS] / wagers,
        doubles=tally[k.T_DOUBLES] / wagers,
        ran_out=sums[k.S_RAN_OUT],
        outcomes=tuple(
            Frequency(name, int(count), count / wagers, cents / wagers / unit) for name, (count, cents) in named.items()
        ),
        extras=tuple(_extras(player, done, wagers)),
    )


def _extras(player: Player, done: Sums, wagers: int) -> list[Extra]:
    from pitboss.maths.simulate import kernels as k
    from pitboss.maths.simulate.game import R_INSURED_CENTS

    options, tally = player.game.options, done.tally
    found: list[Extra] = []
    insured = tally[k.T_INSURED]
    if insured:
        counts = {"placed": insured, "won": tally[k.T_INSURANCE_WON]}
        unit = int(player.game.rules[R_INSURED_CENTS])
        found.append(_extra("insurance", done, INSURANCE, insured, unit, insured * unit, counts))
    if player.game.rulebook.super_bonus.offered.value:
        counts = {"paid": tally[k.T_SUPER], "to others": tally[k.T_CONSOLATION]}
        found.append(_extra("super-bonus", done, SUPER, wagers, options.wager_cents, 0, counts))
    for index, name in enumerate(SIDE_BETS):
        if name in options.side_bets:
            kinds = BLAZING_ROWS if name == BLAZING else PAIR_KINDS
            counts = {kind: tally[k.T_SIDES + 8 * index + place] for place, kind in enumerate(kinds)}
            unit = options.blazing_cents if name == BLAZING else options.side_cents
            found.append(_extra(name, done, FIRST_SIDE + index, wagers, unit, wagers * unit, counts))
    return found


def _extra(name: str, done: Sums, stream: int, number: int, unit: int, wagered: int, counts: dict[str, int]) -> Extra:
    from pitboss.maths.simulate.kernels import S_SQUARES, S_SUMS

    cents, squares = done.sums[S_SUMS + stream], done.sums[S_SQUARES + stream]
    variance = max(squares / number - (cents / number) ** 2, 0.0)
    return Extra(name, cents, wagered, cents / number / unit, sqrt(variance / number) / unit, counts)


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
    return rows


def _row(what: str, name: str, count: int | None, share: float | None, value: float | None) -> dict[str, Any]:
    return {"what": what, "name": name, "count": count, "frequency": share, "value": value}
