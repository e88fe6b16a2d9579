"""Money in whole cents, odds as two numbers, and the amounts that chips can make."""

from __future__ import annotations

import re
from functools import lru_cache
from math import gcd

import msgspec


class MoneyError(ValueError):
    """Text that is not an amount of money."""


_AMOUNT = re.compile(r"\$?(\d{1,9})(?:\.(\d{1,2}))?")
LARGEST_CENTS = 10**12


def parse_cents(text: str) -> int:
    """Dollars with at most two decimals, as cents."""
    match = _AMOUNT.fullmatch(text)
    if match is None or not text.isascii():
        raise MoneyError(f"{text!r} is not an amount: write dollars with at most two decimals, as in 25 or 12.50")
    dollars_part, decimals = match.groups()
    return int(dollars_part) * 100 + int((decimals or "0").ljust(2, "0"))


def dollars(cents: int) -> str:
    """``$1,250.00``; a loss has its sign in front."""
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def plain_dollars(cents: int) -> str:
    """As records write it: ``25``, ``12.50``, ``-7``."""
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}{whole}.{rest:02d}" if rest else f"{sign}{whole}"


class Odds(msgspec.Struct, frozen=True):
    """``Odds(3, 2)`` is 3 to 2: three cents won for every two wagered."""

    wins: int
    on: int

    def __str__(self) -> str:
        return f"{self.wins} to {self.on}"


def parse_odds(text: str) -> Odds:
    match = re.fullmatch(r"(\d+) to (\d+)", text)
    if match is None or int(match[2]) == 0:
        raise MoneyError(f"{text!r} is not odds: write them as in '3 to 2'")
    return Odds(int(match[1]), int(match[2]))


@lru_cache(maxsize=256)
def _makeable(chips: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """The unit all chips share, and for each remainder by the smallest chip the least amount of it that they make.

    In units. Every larger amount with that remainder can be made too, by more of the smallest chip; each of the other
    chips needs one walk over the remainders (Böcker and Lipták's round robin).
    """
    unit = gcd(*chips)
    sizes = sorted({chip // unit for chip in chips})
    smallest = sizes[0]
    never = smallest * sizes[-1]  # no remainder's least amount is as large
    least = [0] + [never] * (smallest - 1)
    for size in sizes[1:]:
        steps = gcd(size, smallest)
        for start in range(steps):
            amount = min(least[start::steps])
            if amount == never:
                continue
            for _ in range(smallest // steps - 1):
                amount += size
                slot = amount % smallest
                if least[slot] < amount:
                    amount = least[slot]
                else:
                    least[slot] = amount
    return unit, tuple(least)


@lru_cache(maxsize=65536)
def payable_up(cents: int, chips: tuple[int, ...]) -> int:
    """The smallest amount not below `cents` that the chips can make."""
    unit, least = _makeable(chips)
    amount = -(-cents // unit)
    while least[amount % len(least)] > amount:
        amount += 1
    return unit * amount


@lru_cache(maxsize=65536)
def payable_down(cents: int, chips: tuple[int, ...]) -> int:
    """The largest amount not above `cents` that the chips can make."""
    unit, least = _makeable(chips)
    amount = cents // unit
    while least[amount % len(least)] > amount:
        amount -= 1
    return unit * amount


def payable_multiple(cents: int, unit: int, chips: tuple[int, ...]) -> int:
    """The largest multiple of `unit` not above `cents` that the chips can make."""
    amount = cents // unit * unit
    while payable_down(amount, chips) != amount:
        amount -= unit
    return amount
