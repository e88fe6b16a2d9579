"""Counting cards: what each rank counts, how much is wagered at which count, and which decisions the count changes.

    count = "true"                 # by decks left; or "running"
    decks_left = "exact"           # how decks left are judged: exact, half or whole decks
    rounding = "none"              # of the true count: none, floor or nearest
    start = 0                      # the running count of a fresh shoe
    wager = 10                     # below every step of the ramp, in dollars; 0 stands back and lets others play
    ramp = { 1 = 20, "2.5" = 50 }  # from a count of 1 on 20 dollars, from 2.5 on 50
    deviations = ["hard 16 v 10: S from 0", "pair 10 v 5 6: P from 5", "forfeit 13 v 7: F below -2", "insure from 3"]
    [tags]                         # ranks that are left out count nothing
    2 = 1
    A = -1

The wager is decided on the count before the round. A deviation is decided on all cards that lie on the table by then:
no card is dealt face down. Where several deviations speak of a hand, the last one holds.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from math import floor
from typing import Any

import msgspec
import numpy as np

from pitboss.basics.money import dollars
from pitboss.maths.shoes import MathsError
from pitboss.maths.simulate.cards import CLASS_RANKS
from pitboss.maths.simulate.files import COLUMNS, LETTERS, NAMES, ROW, Row, bonus_kind, play_letter
from pitboss.maths.simulate.game import ACES_MAY_SPLIT, MAY_SPLIT, WAGER_MAX, Game
from pitboss.maths.simulate.hands import Array, Hand
from pitboss.maths.simulate.strategies import Strategy, checked
from pitboss.rulebooks.terms import Rulebook

RANKS = {rank: rank for rank in "A23456789TJQK"} | {"10": "T"}
KEYS = ("name", "count", "decks_left", "rounding", "start", "wager", "ramp", "deviations", "tags")
COUNTS, DECKS_LEFT, ROUNDINGS = ("true", "running"), ("exact", "half", "whole"), ("none", "floor", "nearest")
FINENESS = 1000
"""Tags and indices are kept in thousandths."""
LARGEST = 100
STEPS_MAX, BUCKETS_MAX = 40, 80
DEVIATION = re.compile(
    r"(hard|soft|pair|bonus|forfeit) (.+?) v ([2-9AJQKT10 ]+): *([A-Za-z]) (from|below) (-?\d+(?:\.\d{1,3})?)"
)
INSURANCE = re.compile(r"(insure|do not insure) (from|below) (-?\d+(?:\.\d{1,3})?)")
SHOWN = 30
"""Results are told apart by whole counts up to this one on either side."""


class Deviation(msgspec.Struct, frozen=True):
    """One decision that the count changes."""

    section: str
    """hard, soft, pair, bonus, forfeit or insure."""
    key: str
    dealer: tuple[int, ...]
    """The dealer's values less one."""
    letter: str
    index: int
    """In thousandths."""
    below: bool
    """Whether it holds below the index instead of from it on."""

    def holds(self, least: int | None) -> bool:
        """Whether it holds for counts from `least` thousandths on; None is below every index."""
        reached = least is not None and least >= self.index
        return reached != self.below


class Counting(msgspec.Struct, frozen=True):
    """A way to count, complete; amounts in cents, counts in thousandths."""

    name: str
    tags: dict[str, int]
    true: bool = True
    decks_left: str = "exact"
    rounding: str = "none"
    start: int = 0
    wager_cents: int = 1000
    ramp: tuple[tuple[int, int], ...] = ()
    """Count from which on, and cents; ascending."""
    deviations: tuple[Deviation, ...] = ()

    @property
    def amounts(self) -> tuple[int, ...]:
        """Every wager that may be made, in cents, each once."""
        return tuple(dict.fromkeys((self.wager_cents, *(cents for _, cents in self.ramp))))

    @property
    def indices(self) -> tuple[int, ...]:
        """Every count at which something changes."""
        return tuple(sorted({index for index, _ in self.ramp} | {each.index for each in self.deviations}))


def count_file(content: str, name: str) -> Counting:
    """A way to count from a file; what cannot be read is named with its place."""
    try:
        data = tomllib.loads(content)
    except tomllib.TOMLDecodeError as fault:
        raise MathsError(f"{name}: not a count file: {fault}.") from fault
    for key in data:
        if key not in KEYS:
            raise MathsError(f"{name}: {key}: no such entry; known: {', '.join(KEYS)}.")
    counting = Counting(
        str(data.get("name", name)),
        _tags(name, data.get("tags")),
        _one_of(name, data, "count", COUNTS) == "true",
        _one_of(name, data, "decks_left", DECKS_LEFT),
        _one_of(name, data, "rounding", ROUNDINGS),
        _thousandths(name, "start", data.get("start", 0)),
        _cents(name, "wager", data.get("wager", 10)),
        _ramp(name, data.get("ramp", {})),
        _deviations(name, data.get("deviations", [])),
    )
    if not any(counting.amounts):
        raise MathsError(f"{name}: nothing is ever wagered: give a wager above 0, or a ramp.")
    if len(counting.indices) >= BUCKETS_MAX:
        raise MathsError(f"{name}: {len(counting.indices)} different indices; at most {BUCKETS_MAX - 1} are played.")
    return counting


def _one_of(name: str, data: dict[str, Any], key: str, known: tuple[str, ...]) -> str:
    found = data.get(key, known[0])
    if found not in known:
        raise MathsError(f"{name}: {key} = {found!r}: write one of {', '.join(known)}.")
    return str(found)


def _tags(name: str, tags: object) -> dict[str, int]:
    if not isinstance(tags, dict) or not tags:
        raise MathsError(f"{name}: tags: say what each rank counts, as in 2 = 1 and A = -1 under [tags].")
    found: dict[str, int] = {}
    for rank, tag in tags.items():
        if rank not in RANKS:
            raise MathsError(f"{name}: tags.{rank}: no such rank; write A, 2 to 9, 10, J, Q or K.")
        found[RANKS[rank]] = _thousandths(name, f"tags.{rank}", tag)
    if not any(found.values()):
        raise MathsError(f"{name}: tags: every rank counts nothing, so there is no count.")
    return found


def _thousandths(name: str, key: str, value: object) -> int:
    try:
        number = Fraction(str(value)) if isinstance(value, (int, float, str)) else None
    except ValueError:
        number = None
    if number is None or isinstance(value, bool) or abs(number) > LARGEST or (number * FINENESS).denominator != 1:
        raise MathsError(f"{name}: {key} = {value!r}: write a number from -{LARGEST} to {LARGEST} in thousandths.")
    return int(number * FINENESS)


def deck_count(rulebook: Rulebook, counting: Counting) -> int:
    """What a whole deck counts, in thousandths: 0 where the count is balanced for this rulebook's cards."""
    return 4 * sum(counting.tags.get(rank, 0) for rank in rulebook.cards.ranks.value)


def _cents(name: str, key: str, value: object) -> int:
    try:
        number = Fraction(str(value)) * 100 if isinstance(value, (int, float)) else None
    except ValueError:
        number = None
    if number is None or isinstance(value, bool) or number.denominator != 1 or not 0 <= number <= 10**9:
        raise MathsError(f"{name}: {key} = {value!r}: write an amount in dollars, as in 25 or 2.50.")
    return int(number)


def _ramp(name: str, ramp: object) -> tuple[tuple[int, int], ...]:
    if not isinstance(ramp, dict):
        raise MathsError(f'{name}: ramp: write counts and amounts, as in ramp = {{ 1 = 20, "2.5" = 50 }}.')
    steps = [(_thousandths(name, "ramp", index), _cents(name, f"ramp.{index}", cents)) for index, cents in ramp.items()]
    if len(steps) > STEPS_MAX:
        raise MathsError(f"{name}: ramp: {len(steps)} steps; at most {STEPS_MAX} are played.")
    return tuple(sorted(steps))


def _deviations(name: str, lines: object) -> tuple[Deviation, ...]:
    if not isinstance(lines, list):
        raise MathsError(f'{name}: deviations: write a list, as in deviations = ["hard 16 v 10: S from 0"].')
    return tuple(_deviation(name, str(line)) for line in lines)


def _deviation(name: str, line: str) -> Deviation:
    insured = INSURANCE.fullmatch(line)
    if insured is not None:
        letter = "I" if insured[1] == "insure" else "N"
        return Deviation("insure", "", (), letter, _thousandths(name, line, insured[3]), insured[2] == "below")
    found = DEVIATION.fullmatch(line)
    if found is None:
        raise MathsError(f"{name}: {line!r} is no deviation: write it as in hard 16 v 10: S from 0, or insure from 3.")
    section, key, dealers, letter, side, index = found.groups()
    columns = [{"J": "10", "Q": "10", "K": "10", "T": "10"}.get(word, word) for word in dealers.split()]
    letters = "FN" if section == "forfeit" else LETTERS
    if not columns or any(column not in NAMES for column in columns) or letter not in letters:
        raise MathsError(f"{name}: {line!r}: dealer's cards are {' '.join(NAMES)}, letters are {letters}.")
    if section in ("hard", "soft") and ROW.fullmatch(key) is None:
        raise MathsError(f"{name}: {line!r}: write a total, as in 15, or 15 of 3, or 15 of 4+.")
    if section == "forfeit" and (not key.isdigit() or not 4 <= int(key) <= 20):
        raise MathsError(f"{name}: {line!r}: write a total from 4 to 20.")
    dealer = tuple(COLUMNS[NAMES.index(column)] for column in columns)
    return Deviation(section, key, dealer, letter, _thousandths(name, line, index), side == "below")


# --- compiled --------------------------------------------------------------------------------------------------------


class Counter(msgspec.Struct, frozen=True):
    """A way to count as arrays for the kernels."""

    tags: Array
    """By class of card, in thousandths."""
    edges: Array
    """A count in units of `unit` reaches the bucket after the edge that it is not below."""
    numbers: Array
    """start, true count or not, cards of a deck, cards of a unit of decks left (0: exact)."""
    level: Array
    """[bucket]: which wager."""


def compile_count(game: Game, counting: Counting) -> Counter:
    """The arrays of a count for a game."""
    deck_size = 4 * len(game.rulebook.cards.ranks.value)
    unit = {"exact": 0, "half": deck_size // 2, "whole": deck_size}[counting.decks_left]
    edges = [_edge(index, counting.rounding) for index in counting.indices]
    levels = []
    for least in _least(counting):
        cents = counting.wager_cents
        for index, amount in counting.ramp:
            if least is not None and least >= index:
                cents = amount
        levels.append(counting.amounts.index(cents))
    return Counter(
        np.array([*(counting.tags.get(rank, 0) for rank in CLASS_RANKS), *[0] * (32 - len(CLASS_RANKS))], np.int64),
        np.array(edges, np.int64),
        np.array([counting.start, counting.true, deck_size, unit], np.int64),
        np.array(levels, np.int64),
    )


def quick_count(game: Game, counter: Counter) -> tuple[int, Array, Array, Array]:
    """What lets a count be looked at without dividing: the cards of a deck, edges reached by whole counts, and scales
    with their inverses by the cards left."""
    _, true, deck, unit = (int(each) for each in counter.numbers)
    size = len(game.cards)
    left = np.maximum(np.arange(size + 1), 1)
    scales = np.maximum((left + unit // 2) // unit, 1) * unit if unit else left
    if not true:
        deck, scales = 1, np.ones(size + 1, np.int64)
    begins = np.array([int((counter.edges <= whole * FINENESS).sum()) for whole in range(-SHOWN, SHOWN + 1)], np.int64)
    return deck, begins, scales.astype(np.int64), 1.0 / (scales * float(FINENESS))


def _edge(index: int, rounding: str) -> int:
    """The least count, before rounding, that reaches an index."""
    if rounding == "none":
        return index
    whole = -floor(-index / FINENESS) * FINENESS
    return whole if rounding == "floor" else whole - FINENESS // 2


def _least(counting: Counting) -> Iterator[int | None]:
    """The least index of each bucket, the lowest bucket first."""
    yield None
    yield from counting.indices


def counted_strategies(game: Game, base: Strategy, counting: Counting) -> list[Strategy]:
    """For each bucket of counts the strategy with the deviations that hold there; equal ones are the same object."""
    made: dict[tuple[bool, ...], Strategy] = {}
    found = []
    for least in _least(counting):
        holding = tuple(each.holds(least) for each in counting.deviations)
        if holding not in made:
            made[holding] = _with(
                game, base, [each for each, holds in zip(counting.deviations, holding, strict=True) if holds]
            )
        found.append(made[holding])
    return found


def _with(game: Game, base: Strategy, deviations: list[Deviation]) -> Strategy:
    if not deviations:
        return base
    strategy = Strategy(
        base.name, base.decisions.copy(), base.forfeits.copy(), base.surrenders.copy(), base.insures.copy(),
        base.by_chance,
    )  # fmt: skip
    for each in deviations:
        if each.section == "insure":
            strategy.insures[:] = each.letter == "I"
        elif each.section == "forfeit":
            strategy.forfeits[:, int(each.key), list(each.dealer)] = each.letter == "F"
        else:
            for number, hand in enumerate(game.hands.hands):
                if hand is not None and hand.cards > 1 and _speaks_of(each, hand):
                    for dealer in each.dealer:
                        _decide(game, strategy, base, number, hand, dealer, each.letter)
    return checked(game, strategy)


def _speaks_of(deviation: Deviation, hand: Hand) -> bool:
    if deviation.section == "pair":
        value = "A" if hand.counts[0] == 2 else str(hand.total // 2)
        return hand.is_pair and value == deviation.key
    if deviation.section == "bonus":
        two = "".join(str(value) for value in (6, 7, 8) if hand.counts[value - 1])
        kind = bonus_kind(hand)
        return bool(hand.bonus) and deviation.key in (hand.bonus, f"{hand.bonus} {kind}", f"{two} {kind}")
    match = ROW.fullmatch(deviation.key)
    assert match is not None
    least = int(match[2] or 2)
    row = Row(int(match[1]), least, least if match[2] and not match[3] else 21, "")
    return not hand.is_pair and row.fits(hand) and hand.soft == (deviation.section == "soft")


def _decide(
    game: Game, strategy: Strategy, base: Strategy, number: int, hand: Hand, dealer: int, letter: str
) -> None:  # fmt: skip
    """One hand's decision in every place; where the letter cannot be had, its "or else", and else the base."""
    for place in range(4):
        legal = int(game.legal[place, number])
        if not legal or (place in (MAY_SPLIT, ACES_MAY_SPLIT) and not hand.is_pair):
            continue
        act = play_letter(letter, legal, place)
        strategy.decisions[place, number, dealer] = base.decisions[place, number, dealer] if act is None else act
    if hand.cards == 2:
        strategy.surrenders[number, dealer] = letter in "Rr"


def check_limits(counting: Counting, minimum_cents: int, maximum_cents: int) -> None:
    """Every wager of the ramp within the sign's limits."""
    for cents in counting.amounts:
        if cents > WAGER_MAX:
            raise MathsError(f"{counting.name}: a wager of {dollars(cents)}; at most {dollars(WAGER_MAX)} is played.")
        if cents and maximum_cents and not minimum_cents <= cents <= maximum_cents:
            limits = f"{dollars(minimum_cents)} to {dollars(maximum_cents)}"
            raise MathsError(f"{counting.name}: a wager of {dollars(cents)}, but the table takes {limits}.")
