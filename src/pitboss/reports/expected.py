"""What a house may expect: the exact value and spread of every wager under best play, as found by `pitboss.maths`.

The figures stand in a file, so that a floor which imports no mathematics can show them; `pitboss report expectations`
makes it anew, and a test holds it against the solver.
"""

from __future__ import annotations

import functools
from importlib import resources
from math import erf, sqrt

import msgspec

from pitboss.reports.takings import ERRORS, MAIN, Cell

LEVELS = {90: 1.6448536269514722, 95: 1.959963984540054, 99: 2.5758293035489004}
"""How many standard deviations either side hold so many percent of a normal distribution."""
FILE = "expectations.json"


class Value(msgspec.Struct, frozen=True):
    """For each unit wagered: what the house wins on average, and the variance of that."""

    edge: float
    variance: float
    covariance: float = 0.0
    """Of two boxes against one dealer hand."""
    prize_edge: float = 0.0
    """What the house wins on average, below zero, for each unit of a prize that does not grow with the wager."""
    prize_variance: float = 0.0
    mixed: float = 0.0
    """Covariance of the two on one box; then of either and of both on two boxes."""
    mixed_covariance: float = 0.0
    prize_covariance: float = 0.0


class Game(msgspec.Struct, frozen=True):
    """One rulebook with so many decks."""

    rulebook: str
    decks: int
    resplit: bool
    bets: dict[str, Value]


class Band(msgspec.Struct, frozen=True):
    """What was expected of a win, in cents, and how far chance alone takes it."""

    expected: float
    deviation: float

    def limits(self, level: int = 95) -> tuple[float, float]:
        wide = LEVELS[level] * self.deviation
        return self.expected - wide, self.expected + wide

    def chance_of(self, won: float) -> float:
        """How often chance alone would bring a result at least this far from what was expected."""
        if self.deviation == 0.0:
            return 1.0
        return 1.0 - erf(abs(won - self.expected) / self.deviation / sqrt(2.0))

    def __add__(self, other: Band) -> Band:
        return Band(self.expected + other.expected, sqrt(self.deviation**2 + other.deviation**2))


NOTHING = Band(0.0, 0.0)


@functools.cache
def games() -> dict[tuple[str, int, bool], Game]:
    """Every game whose values are known, by rulebook, decks and whether split hands may be split again."""
    text = resources.files("pitboss.reports").joinpath(FILE).read_bytes()
    found = msgspec.json.decode(text, type=tuple[Game, ...])
    return {(game.rulebook, game.decks, game.resplit): game for game in found}


def band_of(cell: Cell, bet: str, game: Game | None) -> Band | None:
    """What one kind of wager was expected to bring in these rounds; None where no value is known for it."""
    value = game.bets.get(bet) if game is not None else None
    if value is None or bet not in cell.bets:
        return None
    laid = cell.bets[bet]
    variance = value.variance * laid.squares + 2 * value.mixed * laid.mixed + value.prize_variance * laid.prize_squares
    variance += value.covariance * (cell.cross if bet == MAIN else laid.cross)
    variance += 2 * value.mixed_covariance * laid.cross_mixed + value.prize_covariance * laid.cross_prizes
    return Band(value.edge * laid.cents + value.prize_edge * laid.prizes, sqrt(max(variance, 0.0)))


def compared(cell: Cell, game: Game | None) -> tuple[Band, int, int]:
    """All wagers that can be compared: what was expected of them, what they brought, and what the others brought."""
    band, won, rest = NOTHING, 0, 0
    for name, bet in cell.bets.items():
        part = band_of(cell, name, game) if name != ERRORS else None
        if part is None:
            rest += bet.won
        else:
            band, won = band + part, won + bet.won
    return band, won, rest
