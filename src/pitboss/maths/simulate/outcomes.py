"""What can become of a hand, numbered: the kernels count the numbers, and a table of cents makes counts money."""

from __future__ import annotations

from pitboss.maths.simulate.hands import ENDS, FIRST_NATURAL, NATURAL_RANKS, ROWS

NAMES: tuple[str, ...] = (
    "bust",
    "five-card-trick",
    *(f"21 {row}" if row == "other" else row for row in ROWS),
    *(f"natural with {rank}" for rank in NATURAL_RANKS),
    "doubled 21",
    "doubled bust",
    "doubled five-card-trick",
    "doubled, forfeited",
    "dealer bust",
    "higher than the dealer",
    "equal to the dealer",
    "lower than the dealer",
    "doubled, dealer bust",
    "doubled, higher than the dealer",
    "doubled, equal to the dealer",
    "doubled, lower than the dealer",
    "dealer natural",
    "dealer natural, doubled",
    "dealer natural, further hand",
    "dealer natural, further hand, doubled",
    "surrendered",
    "surrendered, dealer natural",
    "natural, dealer's ranks lower",
    "natural, dealer's ranks the same",
    "natural, dealer's ranks higher",
    "natural that waited",
)

DOUBLED_21 = ENDS
DOUBLED_BUST = ENDS + 1
DOUBLED_TRICK = ENDS + 2
FORFEITED = ENDS + 3
DEALER_BUST = ENDS + 4
HIGHER = ENDS + 5
EQUAL = ENDS + 6
LOWER = ENDS + 7
DOUBLED = 4
"""What is added to the four outcomes against the dealer's total when the hand is doubled."""
NATURAL_FIRST = ENDS + 12
NATURAL_FIRST_DOUBLED = ENDS + 13
NATURAL_FURTHER = ENDS + 14
NATURAL_FURTHER_DOUBLED = ENDS + 15
SURRENDERED = ENDS + 16
SURRENDERED_NATURAL = ENDS + 17
RANKS_ABOVE = ENDS + 18
"""A player's natural against the dealer's: the player's ten-value card ranks above, the same (+1), below (+2)."""
WAITED = ENDS + 21
OUTCOMES = ENDS + 22

assert len(NAMES) == OUTCOMES
assert NAMES[FIRST_NATURAL] == "natural with T"
