"""The one file that knows chance: repeatable with a seed, every order equally likely without bias."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from itertools import permutations

import pytest

from pitboss.chance import Chance, SeededBits, shuffled


class Counting:
    """Gives out every possible string of bits once, in order."""

    def __init__(self, bits: list[int]) -> None:
        self.bits = bits

    def getrandbits(self, count: int) -> int:
        taken, self.bits = self.bits[:count], self.bits[count:]
        if len(taken) < count:
            raise EOFError
        return sum(bit << place for place, bit in enumerate(taken))


class Scripted:
    """Gives out numbers as written; those too large for the draw are thrown away, as they must be."""

    def __init__(self, numbers: tuple[int, ...]) -> None:
        self.numbers = list(numbers)

    def getrandbits(self, count: int) -> int:
        return self.numbers.pop(0)


def test_every_number_is_equally_likely() -> None:
    """Over all strings of bits, each number below the limit comes out of the first draw that is kept equally often."""
    for limit in range(1, 17):
        counts: Counter[int] = Counter()
        width = (limit - 1).bit_length()
        for word in range(1 << width):
            source = Chance("any")
            source._bits = Counting([word >> place & 1 for place in range(width)])  # type: ignore[assignment]
            try:
                counts[source.below(limit)] += 1
            except EOFError:
                continue  # thrown away and drawn anew: adds the same to every number
        assert set(counts) == set(range(limit)) and len(set(counts.values())) == 1


def test_every_order_of_four_cards_comes_from_equally_many_draws() -> None:
    """A shuffle of four makes draws below 4, 3 and 2: each of the 24 ways gives another order."""
    orders = set()
    for third in range(4):
        for second in range(3):
            for first in range(2):
                source = Chance("any")
                source._bits = Scripted((third, 3, second, first))  # type: ignore[assignment]
                orders.add(source.shuffled("abcd"))
    assert orders == set(permutations("abcd"))


def test_every_order_of_the_numbers_that_four_cards_draw_gives_another_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal numbers are drawn anew; the 24 orders of four different ones give the 24 orders of the cards."""
    orders = set()
    for numbers in permutations((3, 70_000, 5, 2**32 - 1)):
        draws = [array("I", (1, 2, 1, 3)).tobytes(), array("I", numbers).tobytes()]
        monkeypatch.setattr("pitboss.chance.secrets.token_bytes", lambda count, draws=draws: draws.pop(0))
        orders.add(shuffled("abcd"))
        assert not draws
    assert orders == set(permutations("abcd"))


def test_shuffles_of_the_system_are_not_lopsided() -> None:
    """Where the first of 48 cards lands: chi-squared with 47 degrees of freedom, beyond 5 sigma is a fault."""
    rounds = 9600
    counts = Counter(shuffled(range(48)).index(0) for _ in range(rounds))
    expected = rounds / 48
    chi = sum((counts[place] - expected) ** 2 / expected for place in range(48))
    assert abs(chi - 47) / math.sqrt(2 * 47) < 5


def test_a_seed_repeats_and_another_differs() -> None:
    cards = tuple(range(384))
    assert shuffled(cards, 7) == shuffled(cards, 7) == shuffled(cards, "7") != shuffled(cards, 8)
    assert sorted(shuffled(cards, 7)) == list(cards)
    first = SeededBits(1)
    assert [first.getrandbits(7) for _ in range(100)] == [
        bits for stream in [SeededBits(1)] for bits in [stream.getrandbits(7) for _ in range(100)]
    ]


def test_nothing_to_choose_from() -> None:
    with pytest.raises(ValueError, match="nothing to choose"):
        Chance().below(0)
    assert Chance(1).below(1) == 0
