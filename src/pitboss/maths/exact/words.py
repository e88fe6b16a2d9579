"""The words of exact values: cards by their value, acts, and the cards whose suits matter."""

from __future__ import annotations

ACE, TEN = 0, 9
VALUES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
"""Cards by their point value less 1, which is how they are numbered."""

STAND, HIT, DOUBLE, SPLIT, SURRENDER, PAID = "stand", "hit", "double", "split", "surrender", "natural"
ACTS = (STAND, HIT, DOUBLE)
"""As the kernels number them."""

THIRD = {(5, 6): 7, (5, 7): 6, (6, 7): 5, (6, 6): 6}
"""Two cards (values less 1) that one more makes 6-7-8 or 7-7-7."""
SUITED_RANKS = {5: "6", 6: "7", 7: "8"}
"""The cards whose suits matter."""
