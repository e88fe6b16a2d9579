"""Compiled kernels for tournament play: one hand, two hands of a split, and who is among the first.

Cards come from infinitely many decks, so a hand is known by how many cards it has, their hard total and its aces. A
hand ends in one of `ENDS` ways; what an end is worth is told in an array, so that the same walk finds the best play for
the mean and the best play for a place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.maths.exact.compiled import njit

Array = Any

BUST, MADE_21, MADE_678, MADE_777, TRICK, NATURAL = 0, 1, 5, 8, 11, 12
"""How a hand ends: over 21; 21 by number of cards (four rows); 6-7-8 and 7-7-7 (mixed, suited, spades); ..."""
DOUBLED_BUST, DOUBLED_21, DOUBLED_TRICK, FORFEIT, SURRENDER, HELD = 13, 14, 15, 16, 17, 18
"""`HELD` and the three after it are naturals that wait for the dealer, by the rank of their ten."""
STAND, DOUBLED, ENDS = 22, 44, 66
"""A hand that waits for the dealer: `STAND` and its total, or `DOUBLED` and its total."""

DO_STAND, DO_HIT, DO_DOUBLE = 0, 1, 2
BEST, LIKE_DEALER = 0, 1

(
    R_MUST_DRAW, R_DOUBLE_HANDS, R_DOUBLE_ACES, R_FORFEIT, R_TRICK, R_HARD_STAND, R_SOFT_STAND, R_FROZEN,
    R_ONE_ORIGINAL, R_SIZE,
) = range(10)  # fmt: skip

CARDS, HARD, ACES = 8, 21, 3
KINDS = 4
"""Of two cards: how their suits matter (three ways), or the rank of a natural's ten (four)."""
"""Sizes of a table of hands: cards (seven stand for more), hard total, aces: none, among the first two only, later."""


@njit
def total_of(hard: int, aces: int) -> int:
    return hard + 10 if aces > 0 and hard <= 11 else hard


@njit
def after_hit(cards: int, hard: int, aces: int, value: int, worth: Array, ends: Array, rules: Array) -> Any:
    """What a hand is worth once one more card has come."""
    more = hard + value + 1
    now = 2 if value == 0 else aces
    if more > 21:
        return ends[BUST]
    total = total_of(more, now)
    if total == 21:
        return ends[MADE_21 + min(max(cards - 3, 0), 3)]
    if rules[R_TRICK] > 0 and cards == 4:
        return ends[TRICK]
    return worth[min(cards + 1, CARDS - 1), more, now]


@njit
def doubled_total(hard: int, aces: int, value: int, rules: Array) -> int:
    """The total after the double card: aces held may have to count 1, the one that arrives never has to."""
    more = hard + value + 1
    free = value == 0
    if rules[R_DOUBLE_ACES] == 0:
        free = free or aces > 0
    elif rules[R_DOUBLE_ACES] == 2:
        free = free or aces == 2
    return more + 10 if free and more <= 11 else more


@njit
def end_of_double(cards: int, total: int, ends: Array, rules: Array) -> int:
    if total > 21:
        return DOUBLED_BUST
    if total == 21:
        return DOUBLED_21
    if rules[R_TRICK] > 0 and cards == 4:
        return DOUBLED_TRICK
    if rules[R_FORFEIT] > 0 and ends[FORFEIT] > ends[DOUBLED + total]:
        return FORFEIT
    return DOUBLED + total


@njit
def double_value(cards: int, hard: int, aces: int, shares: Array, ends: Array, rules: Array) -> Any:
    worth = 0.0
    for value in range(10):
        total = doubled_total(hard, aces, value, rules)
        worth += shares[value] * ends[end_of_double(cards, total, ends, rules)]
    return worth


@njit
def may_double(cards: int, total: int, soft: bool, rules: Array) -> bool:
    if rules[R_DOUBLE_HANDS] == 1:
        return cards == 2 and not soft and 9 <= total <= 11
    if rules[R_DOUBLE_HANDS] == 2:
        return cards <= 3
    return True


@njit
def choose(
    stand: float, hit: float, double: float, total: int, soft: bool, doubles: bool, mode: int, rules: Array
) -> tuple[Any, Any]:
    """The best act and its worth, or what the dealer would do."""
    if mode == LIKE_DEALER:
        if total >= (rules[R_SOFT_STAND] if soft else rules[R_HARD_STAND]):
            return DO_STAND, stand
        return DO_HIT, hit
    act, worth = DO_HIT, hit
    if total >= rules[R_MUST_DRAW] and stand >= worth:
        act, worth = DO_STAND, stand
    if doubles and double > worth:
        act, worth = DO_DOUBLE, double
    return act, worth


@njit
def solve_hands(
    shares: Array, ends: Array, rules: Array, can_double: bool, mode: int, worth: Array, acts: Array
) -> None:
    """Fill what every hand of three or more cards is worth, and what is done with it."""
    for hard in range(20, 2, -1):
        for cards in range(3, CARDS):
            for aces in range(ACES):
                total = total_of(hard, aces)
                soft = total > hard
                if total >= 21:
                    continue
                hit = 0.0
                for value in range(10):
                    if shares[value] > 0.0:
                        hit += shares[value] * after_hit(cards, hard, aces, value, worth, ends, rules)
                doubles = can_double and may_double(cards, total, soft, rules)
                double = double_value(cards, hard, aces, shares, ends, rules) if doubles else 0.0
                act, best = choose(ends[STAND + total], hit, double, total, soft, doubles, mode, rules)
                acts[cards, hard, aces] = act
                worth[cards, hard, aces] = best


@njit
def third_of(first: int, second: int) -> int:
    """The card that makes two cards 6-7-8 or 7-7-7, or -1."""
    low, high = min(first, second), max(first, second)
    if low == 6 and high == 6:
        return 6
    if low < 5 or high > 7 or low == high:
        return -1
    return 18 - low - high


@njit
def two_cards(
    first: int, second: int, kind: int, shares: Array, ends: Array, rules: Array, can_double: bool, mode: int,
    worth: Array,
) -> tuple[Any, Any]:  # fmt: skip
    """The best act with two cards that are no natural, and its worth. `kind`: 1 suited, 2 spades."""
    hard = first + second + 2
    aces = 1 if first == 0 or second == 0 else 0
    total = total_of(hard, aces)
    third = third_of(first, second)
    hit = 0.0
    for value in range(10):
        if shares[value] <= 0.0:
            continue
        if value == third:
            row = MADE_777 if first == second else MADE_678
            hit += shares[value] * (0.75 * ends[row] + 0.25 * ends[row + kind])
        else:
            hit += shares[value] * after_hit(2, hard, aces, value, worth, ends, rules)
    soft = total > hard
    doubles = can_double and may_double(2, total, soft, rules)
    double = double_value(2, hard, aces, shares, ends, rules) if doubles else 0.0
    return choose(ends[STAND + total], hit, double, total, soft, doubles, mode, rules)


@njit
def note_double(
    chance: float, cards: int, hard: int, aces: int, shares: Array, ends: Array, rules: Array, found: Array
) -> None:
    for value in range(10):
        total = doubled_total(hard, aces, value, rules)
        found[end_of_double(cards, total, ends, rules)] += chance * shares[value]


@njit
def note_two(
    chance: float, act: int, first: int, second: int, kind: int, shares: Array, ends: Array, rules: Array,
    mass: Array, found: Array,
) -> None:  # fmt: skip
    """So often two cards are played like this: note how they end, or which hand of three cards they become."""
    hard = first + second + 2
    aces = 1 if first == 0 or second == 0 else 0
    if act == DO_STAND:
        found[STAND + total_of(hard, aces)] += chance
    elif act == DO_DOUBLE:
        note_double(chance, 2, hard, aces, shares, ends, rules, found)
    else:
        third = third_of(first, second)
        for value in range(10):
            if value == third:
                row = MADE_777 if first == second else MADE_678
                found[row] += 0.75 * chance * shares[value]
                found[row + kind] += 0.25 * chance * shares[value]
            else:
                note_card(chance * shares[value], 2, hard, aces, value, rules, mass, found)


@njit
def note_card(
    chance: float, cards: int, hard: int, aces: int, value: int, rules: Array, mass: Array, found: Array
) -> None:
    more = hard + value + 1
    now = 2 if value == 0 else aces
    if more > 21:
        found[BUST] += chance
        return
    total = total_of(more, now)
    if total == 21:
        found[MADE_21 + min(max(cards - 3, 0), 3)] += chance
    elif rules[R_TRICK] > 0 and cards == 4:
        found[TRICK] += chance
    else:
        mass[min(cards + 1, CARDS - 1), more, now] += chance


@njit
def follow(shares: Array, ends: Array, rules: Array, acts: Array, mass: Array, found: Array) -> None:
    """Play on all hands of three or more cards in `mass` as `acts` say, and note how they end."""
    for hard in range(3, 21):
        for cards in range(3, CARDS):
            for aces in range(ACES):
                chance = mass[cards, hard, aces]
                if chance == 0.0:
                    continue
                act = acts[cards, hard, aces]
                if act == DO_STAND:
                    found[STAND + total_of(hard, aces)] += chance
                elif act == DO_DOUBLE:
                    note_double(chance, cards, hard, aces, shares, ends, rules, found)
                else:
                    for value in range(10):
                        if shares[value] > 0.0:
                            note_card(chance * shares[value], cards, hard, aces, value, rules, mass, found)


@njit
def add_results(found: Array, paid: Array, chances: Array, ways: Array, rest: Array) -> None:
    """Add to `found[end, amount]` what hands that ended like this bring, with what is still to come, `rest`."""
    ends, size = found.shape
    for way in ways:
        chance = chances[way]
        if chance == 0.0:
            continue
        for end in range(ends):
            amount = paid[way, end]
            for at in range(max(0, -amount), size - max(0, amount)):
                found[end, at + amount] += chance * rest[end, at]


# --- who is among the first ------------------------------------------------------------------------------------------


@njit
def share_of_places(
    final: int, wager: int, me: int, finals: Array, wagers: Array, below: Array, places: int, minimum: int,
    by_wager: bool, counts: Array,
) -> Any:  # fmt: skip
    """The chance to be among the first `places` with so many chips at the end, against one end of the dealer.

    `finals[player, k]` rise with k, `below[player, k]` is the chance of an earlier k. Who is equal shares the places
    that are left in equal parts; who is below `minimum` is out, and then the larger wager goes first where
    `by_wager`.
    """
    players = len(finals)
    counts[:] = 0.0
    counts[0, 0] = 1.0
    seen = 0
    for other in range(players):
        if other == me:
            continue
        low = np.searchsorted(finals[other], final)
        high = np.searchsorted(finals[other], final + 1)
        tied = below[other, high] - below[other, low]
        above = 1.0 - below[other, high]
        if by_wager and final < minimum and wagers[other] != wager:
            if wagers[other] > wager:
                above += tied
            tied = 0.0
        for over in range(seen, -1, -1):
            for even in range(seen - over, -1, -1):
                now = counts[over, even]
                if now == 0.0:
                    continue
                counts[over + 1, even] += now * above
                counts[over, even + 1] += now * tied
                counts[over, even] = now * (1.0 - above - tied)
        seen += 1
    chance = 0.0
    for over in range(min(places, seen + 1)):
        for even in range(seen - over + 1):
            chance += counts[over, even] * min(1.0, (places - over) / (even + 1.0))
    return chance


@njit
def chance_by_tables(
    me: int, finals: Array, wagers: Array, levels: Array, tables: Array, below: Array, weights: Array, places: int,
    minimum: int, by_wager: bool,
) -> Any:  # fmt: skip
    """The chance that a player is among the first, everybody playing by a table.

    `tables[level, up, end, k]` is the chance of result k, `below` the chance of an earlier one, `weights[up, end]` of
    the dealer's card and end.
    """
    players, number = finals.shape
    counts = np.zeros((players + 1, players + 1))
    mine = np.zeros((players, number + 1))
    chance = 0.0
    for up in range(weights.shape[0]):
        for end in range(weights.shape[1]):
            if weights[up, end] <= 0.0:
                continue
            for player in range(players):
                mine[player] = below[levels[player], up, end]
            for k in range(number):
                part = tables[levels[me], up, end, k]
                if part > 0.0:
                    chance += (
                        weights[up, end]
                        * part
                        * share_of_places(
                            finals[me, k], wagers[me], me, finals, wagers, mine, places, minimum, by_wager, counts
                        )
                    )
    return chance


# --- one hand played for a place -------------------------------------------------------------------------------------


@njit
def looked_up(
    end: int, final: int, low: int, step: int, known: Array, wager: int, me: int, finals: Array, wagers: Array,
    below: Array, places: int, minimum: int, by_wager: bool, counts: Array,
) -> Any:  # fmt: skip
    """`share_of_places`, each only once."""
    at = (final - low) // step
    if known[end, at] < 0.0:
        known[end, at] = share_of_places(
            final, wager, me, finals, wagers, below[end], places, minimum, by_wager, counts
        )
    return known[end, at]


@njit
def split_start(
    start: int, shares: Array, ends: Array, rules: Array, can_double: bool, worth: Array, natural: int, tens: Array
) -> Any:
    """What a hand of a split is worth before its second card, split no further; its own suit may be any.

    `worth` is that of hands of three or more cards with the same `ends`.
    """
    frozen = start == 0 and rules[R_FROZEN] > 0
    value = 0.0
    for second in range(10):
        if shares[second] <= 0.0:
            continue
        if (start == 0 and second == 9) or (start == 9 and second == 0):
            if natural == HELD:
                for rank in range(len(tens)):
                    value += shares[second] * tens[rank] * ends[HELD + rank]
            else:
                value += shares[second] * ends[natural]
        elif frozen:
            value += shares[second] * ends[STAND + total_of(second + 2, 1)]
        else:
            kinds = 3 if third_of(start, second) >= 0 else 1
            for kind in range(kinds):
                part = 1.0 if kinds == 1 else 0.75 if kind == 0 else 0.1875 if kind == 1 else 0.0625
                value += (
                    shares[second]
                    * part
                    * two_cards(start, second, kind, shares, ends, rules, can_double, BEST, worth)[1]
                )
    return value


@njit
def place_against(
    shares: Array, rules: Array, weights: Array, naturals: Array, paid: Array, base: Array, wager: int, doubled: int,
    left: int, hands_max: int, after_split: bool, natural: int, split_natural: int, tens: Array, surrenders: bool,
    same: Array, low: int, step: int, size: int, me: int, finals: Array, wagers: Array, below: Array, places: int,
    minimum: int, by_wager: bool,
) -> Any:  # fmt: skip
    """The best chance of a place against one up card with each two cards, each as often as it comes: [first, second,
    kind of their suits, or rank of a natural's ten]. Every act is tried, a pair is split once at most.

    `base[end]` is what I have beside the hand, insurance settled.
    `paid[way, end of the hand, end of the dealer]` is what a hand brings: 0 alone, 1 doubled with all that is wanted
    (`doubled`), 2 doubled with what an earlier double has left. `naturals[end]` says where the dealer has a natural.
    `same[way]` is the first end of a hand that brings the same and leaves the same.
    """
    number = len(weights)
    counts = np.zeros((len(wagers) + 1, len(wagers) + 1))
    known = np.full((number, size), -1.0)
    worth, acts = np.zeros((CARDS, HARD, ACES)), np.zeros((CARDS, HARD, ACES), np.int64)
    ends = np.zeros(ENDS)
    for way in range(ENDS):
        for end in range(number):
            if weights[end] > 0.0:
                ends[way] += weights[end] * looked_up(
                    end, base[end] + paid[0, way, end], low, step, known, wager, me, finals, wagers, below, places,
                    minimum, by_wager, counts,
                )  # fmt: skip
    can_double = doubled > 0
    solve_hands(shares, ends, rules, can_double, BEST, worth, acts)
    splits = hands_max > 1 and left >= wager
    first_ends, second_ends = np.zeros((10, ENDS)), np.zeros(ENDS)
    split = np.full(10, -1.0)
    if splits:
        rest = left - wager
        then_worth = np.zeros((CARDS, HARD, ACES))
        for way in range(ENDS):
            if same[way] != way:
                first_ends[:, way] = first_ends[:, same[way]]
                continue
            spent = way >= DOUBLED or DOUBLED_BUST <= way <= FORFEIT
            for then in range(ENDS):
                second_ends[then] = 0.0
                for end in range(number):
                    if weights[end] <= 0.0:
                        continue
                    more = paid[2 if spent else 1, then, end]
                    if way >= STAND and then >= STAND and naturals[end] and rules[R_ONE_ORIGINAL] > 0:
                        more = 0
                    second_ends[then] += weights[end] * looked_up(
                        end, base[end] + paid[1, way, end] + more, low, step, known, wager, me, finals, wagers, below,
                        places, minimum, by_wager, counts,
                    )  # fmt: skip
            again = after_split and rest - (min(rest, wager) if spent else 0) > 0
            solve_hands(shares, second_ends, rules, again, BEST, then_worth, acts)
            for pair in range(10):
                if shares[pair] > 0.0:
                    first_ends[pair, way] = split_start(
                        pair, shares, second_ends, rules, again, then_worth, split_natural, tens
                    )
        for pair in range(10):
            if shares[pair] > 0.0:
                again = after_split and rest > 0
                solve_hands(shares, first_ends[pair], rules, again, BEST, then_worth, acts)
                split[pair] = split_start(pair, shares, first_ends[pair], rules, again, then_worth, split_natural, tens)
    chances = np.zeros((10, 10, KINDS))
    for first in range(10):
        for second in range(first, 10):
            part = shares[first] * shares[second] * (1.0 if first == second else 2.0)
            if part <= 0.0:
                continue
            if first == 0 and second == 9:
                if natural == HELD:
                    for rank in range(len(tens)):
                        chances[first, second, rank] = part * tens[rank] * ends[HELD + rank]
                else:
                    chances[first, second, 0] = part * ends[natural]
                continue
            kinds = 3 if third_of(first, second) >= 0 else 1
            for kind in range(kinds):
                often = part * (1.0 if kinds == 1 else 0.75 if kind == 0 else 0.1875 if kind == 1 else 0.0625)
                best = two_cards(first, second, kind, shares, ends, rules, can_double, BEST, worth)[1]
                if first == second:
                    best = max(best, split[first])
                if surrenders:
                    best = max(best, ends[SURRENDER])
                chances[first, second, kind] = often * best
    return chances
