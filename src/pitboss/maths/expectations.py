"""What a house may expect of every wager it offers: edge and variance under best play, for every number of decks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import msgspec

from pitboss.maths.exact.solve import solve
from pitboss.maths.shoes import INFINITE, Shoe
from pitboss.maths.side_bets import (
    SUPER_BONUS,
    PrizeValue,
    SideBetValue,
    blazing_prizes,
    side_bets,
    super_bonus_prizes,
)
from pitboss.rulebooks.terms import Rulebook
from pitboss.rulebooks.vocabulary import BLAZING

Values = dict[str, dict[str, float]]


def expectations(
    rulebook: Rulebook, *, progress: Callable[[str], None] | None = None
) -> Iterator[tuple[int, bool, Values]]:
    """For each number of decks, with and without the re-split that the house may allow: each wager's values.

    The covariance of two boxes is that of endless decks, which differs from a real shoe's by about one part in its
    cards. A jackpot and the Super Bonus are valued for each cent of the prize there was to win: the one hangs on the
    level of the jackpot, the other on the size of the wager and on who else plays.
    """
    choices = (False, True) if rulebook.splitting.resplit_by.value != "nobody" else (False,)
    for resplit in choices:
        shared = solve(rulebook, Shoe.of_decks(rulebook, INFINITE), resplit=resplit).covariance or 0.0
        for decks in rulebook.cards.decks.value:
            if progress is not None:
                progress(f"{rulebook.name}, {decks} decks")
            shoe = Shoe.of_decks(rulebook, decks)
            found = solve(rulebook, shoe, resplit=resplit)
            values: Values = {
                "main": {"edge": -found.ev, "variance": found.standard_deviation**2, "covariance": shared}
            }
            yield decks, resplit, values | optional(rulebook, shoe, decks)


def optional(rulebook: Rulebook, shoe: Shoe, decks: int) -> Values:
    """What is offered with this many decks besides the game itself."""
    values: Values = {}
    for name, bet in side_bets(rulebook, shoe, decks=decks).items():
        if not bet.offered:
            continue
        if name in PRIZES:
            found = msgspec.structs.asdict(PRIZES[name](rulebook, shoe))
            values[name] = {field: float(value) for field, value in found.items() if value or field in NEEDED}
        else:
            values[name] = {"edge": -float(bet.ev), "variance": float(variance(bet))}
    return values


PRIZES: dict[str, Callable[[Rulebook, Shoe], PrizeValue]] = {BLAZING: blazing_prizes, SUPER_BONUS: super_bonus_prizes}
NEEDED = ("edge", "variance")


def variance(bet: SideBetValue) -> Fraction:
    """Of the result of a wager of 1."""
    paid = sum((win.chance * win.pays**2 for win in bet.wins), Fraction(0))
    return paid + (1 - bet.hit_chance) - bet.ev**2
