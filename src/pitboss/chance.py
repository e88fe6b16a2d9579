"""The one file that knows chance.

Without a seed the order of the cards comes from the operating system's cryptographic generator. With a seed it comes
from a stream that is repeatable anywhere (SHA-256 in counter mode), for arranged sessions, training and tests.
"""

from __future__ import annotations

import hashlib
import secrets
from array import array
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
BYTES_OF_A_NUMBER = array("I").itemsize


class SeededBits:
    """A repeatable stream of bits from a seed."""

    def __init__(self, seed: int | str) -> None:
        self._key = str(seed).encode()
        self._counter = 0
        self._pool = 0
        self._left = 0

    def getrandbits(self, count: int) -> int:
        """The next `count` bits of the stream."""
        while self._left < count:
            block = hashlib.sha256(self._key + b":" + str(self._counter).encode()).digest()
            self._counter += 1
            self._pool = self._pool << 256 | int.from_bytes(block, "big")
            self._left += 256
        self._left -= count
        bits = self._pool >> self._left
        self._pool &= (1 << self._left) - 1
        return bits


class SystemBits:
    """Bits of the operating system's cryptographic generator, fetched a block at a time."""

    WORDS = 512
    """Words of 16 bits in a block: enough for a shuffle or so."""

    def __init__(self) -> None:
        self._words: array[int] = array("H")
        self._used = self.WORDS

    def getrandbits(self, count: int) -> int:
        """The next `count` bits: the low bits of a word of the block, each word used once."""
        if count > 16:
            return secrets.randbits(count)
        used = self._used
        if used == self.WORDS:
            self._words = array("H", secrets.token_bytes(2 * self.WORDS))
            used = 0
        self._used = used + 1
        return self._words[used] & ((1 << count) - 1)


class Chance:
    """Draws and shuffles; a seed makes them repeatable."""

    def __init__(self, seed: int | str | None = None) -> None:
        self.seed = seed
        self._bits = SeededBits(seed) if seed is not None else SystemBits()

    def below(self, limit: int) -> int:
        """A whole number from 0 to limit - 1, each equally likely.

        As many bits as `limit - 1` has are drawn, and a number that is too large is thrown away and drawn anew: each
        number that is kept had the same chance, so there is no bias (unlike a remainder).
        """
        if limit < 1:
            raise ValueError("there is nothing to choose from")
        count = (limit - 1).bit_length()
        while True:
            number = self._bits.getrandbits(count)
            if number < limit:
                return number

    def shuffled(self, cards: Sequence[T]) -> tuple[T, ...]:
        """Every order equally likely; with a seed each place gets one of the cards not yet placed (Fisher, Yates)."""
        if self.seed is None:
            return by_lot(cards)
        order = list(cards)
        draw = self._bits.getrandbits
        for last in range(len(order) - 1, 0, -1):
            count = last.bit_length()
            chosen = draw(count)
            while chosen > last:  # as in `below`
                chosen = draw(count)
            order[last], order[chosen] = order[chosen], order[last]
        return tuple(order)

    def choice(self, things: Sequence[T]) -> T:
        return things[self.below(len(things))]


def by_lot(cards: Sequence[T]) -> tuple[T, ...]:
    """Each card draws a number from the operating system's generator, and they go in the order of the numbers.

    All draw alike, so any order of different numbers is as likely as any other; where two are equal all draw anew.
    """
    while True:
        numbers = array("I", secrets.token_bytes(BYTES_OF_A_NUMBER * len(cards)))
        drawn = dict(zip(numbers, cards, strict=True))
        if len(drawn) == len(cards):
            return tuple(map(drawn.__getitem__, sorted(drawn)))


def shuffled(cards: Sequence[T], seed: int | str | None = None) -> tuple[T, ...]:
    """A shuffled copy; from the operating system's generator unless a seed is given."""
    return Chance(seed).shuffled(cards)


def secret_token(size: int = 32) -> str:
    """A text nobody can guess, of so many bytes of the operating system's generator: for sessions and set-up."""
    return secrets.token_urlsafe(size)


def secret_bytes(size: int) -> bytes:
    """So many bytes of the operating system's generator: for keys, and for what hides a card in a hash."""
    return secrets.token_bytes(size)
