"""Compiled kernels of joint play: one hand of a split, played out after many sets of cards that others have taken.

The dealer's chances hang on all cards that are gone, whoever has them: two hands that together took the same cards
share one walk through the dealer's hands. Lanes stand side by side: an up card, and whether another hand already owes
the one amount that a dealer natural takes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.maths.exact import kernels as k
from pitboss.maths.exact.compiled import njit
from pitboss.maths.exact.tables import NATURAL

Array = Any
BITS = 6
"""Of a packed set of cards, for each value."""
NEVER = -1e9


@njit
def pack(cards: Array) -> Any:
    """A set of cards as one number."""
    key = 0
    for v in range(10):
        key = key << BITS | cards[v]
    return key


@njit
def unite(taken: Array, cards: Array, keys: Array, places: Array, uid: Array) -> int:
    """Number all unions of a row of `taken` with a row of `cards`, and tell how many there are.

    `keys` and `places` are a table to look numbers up in, of a length that is a power of two; keys are -1 on entry.
    Where the table is too small, -1.
    """
    mask = len(keys) - 1
    most = len(keys) * 3 // 5
    number = 0
    packed = np.empty(len(cards), np.int64)
    for hand in range(len(cards)):
        packed[hand] = pack(cards[hand])
    for row in range(len(taken)):
        mine = pack(taken[row])
        for hand in range(len(cards)):
            key = mine + packed[hand]
            mixed = (key ^ key >> 31) * 0x1E3779B97F4A7C15
            place = (mixed ^ mixed >> 32) & mask
            while keys[place] != key and keys[place] != -1:
                place = (place + 1) & mask
            if keys[place] == -1:
                if number >= most:
                    return -1
                keys[place], places[place] = key, number
                number += 1
            uid[row, hand] = places[place]
    return number


@njit
def unpack(keys: Array, places: Array, found: Array) -> None:
    """The sets of cards that a table has, each where its number says."""
    for place in range(len(keys)):
        key = keys[place]
        if key != -1:
            for v in range(9, -1, -1):
                found[places[place], v] = key & (1 << BITS) - 1
                key >>= BITS


@njit
def dealers_against(finals: Array, number: int, ups: Array, lowest: int, below: Array, nat: Array) -> None:
    """From the dealer's ends: the chance of a natural, and to bust or end below each total from `lowest` - 1 to 21."""
    for place in range(number):
        for u in range(len(ups)):
            ends = finals[place, ups[u]]
            for t in range(lowest - 1, 22):
                below[place, t - lowest + 1, u] = k.against(ends, t)[0]
            nat[place, u] = ends[NATURAL]


@njit
def waiting(below: Array, nat: Array, s: int, won: float, ties: float, cost: Array, who: Array, worth: Array) -> None:
    """Fill `worth[lane]` with what a wager of 1 brings that waits for the dealer, `who[lane]` being its up card."""
    ups = len(nat)
    for u in range(ups):
        tied = below[s + 1, u] - below[s, u]
        worth[u] = won * below[s, u] - (1.0 - nat[u] - below[s + 1, u]) - ties * tied - cost[u] * nat[u]
    for lane in range(ups, len(who)):
        u = who[lane]
        worth[lane] = worth[u] + (cost[u] - cost[lane]) * nat[u]


@njit
def hopeless(
    cards: Array, hard: int, count: int, n: Array, share: float, following: Array, top: Array, rules: Array
) -> Any:
    """No less than what a hard total of 18 or more brings that draws or is doubled, as the last hand.

    `top` is the most that a hand brings in any lane.
    """
    bound = 0.0
    for v in range(10):
        number = n[v] - cards[v]
        if number > 0.0:
            more = hard + v + 1
            paid = -1.0
            if more == 21:
                paid = max(k.odds_of_21(cards, count + 1, v, rules), 2.0 * rules[k.R_DOUBLED])
            elif more < 21:
                paid = max(top[following[v]], 2.0 * max(rules[k.R_EVEN], rules[k.R_DOUBLED]))
            bound += (number if paid > 0.0 else number - 1.0) * share * paid
    return bound


@njit
def play_after(
    left: Array, taken: Array, cards: Array, hard: Array, size: Array, following: Array, hands: int, uid: Array,
    below: Array, nat: Array, lowest: int, rules: Array, ones_max: int, who: Array, spans: Array, one: Array,
    two: Array, live: Array, final: bool, then: Array, after: Array, pair: int, frozen: bool, out: Array,
) -> None:  # fmt: skip
    """Best play of a hand after each row of `taken`: `out[row, second card, lane]` is standing or doubling with two
    cards, and hitting.

    `left` is the shoe, up card and all. The first `hands` rows of `cards` can still be played, the others have ended.
    Lanes are the up cards, then those where a dealer natural is owed already: `who[lane]` is a lane's up card, and the
    lanes of cards of value v are `spans[v, 0]` and `spans[v, 1]`, or -1. What comes after a hand that ends with cards
    `e` is `after[then[row, e]]`, nothing where it is `final`; `live[lane]` is the lane once this hand waits. `one` and
    `two` are what a dealer natural costs.
    """
    lanes = len(who)
    worth = np.zeros((hands, 3, lanes))
    hit, double, kept, stay = np.zeros(lanes), np.zeros(lanes), np.zeros(lanes), np.zeros(lanes)
    half, top = 0.5 * two, np.full(hands, NEVER)
    total_left, ties = left.sum(), rules[k.R_TIES_LOSE]
    n = np.empty(10)
    for row in range(len(taken)):
        gone = 0.0
        for v in range(10):
            n[v] = left[v] - taken[row, v]
            gone += taken[row, v]
        for hand in range(hands - 1, -1, -1):
            count = size[hand]
            if count < 2:
                continue
            there = True
            for v in range(10):
                there &= cards[hand, v] <= n[v]
            if not there:
                continue
            aces = cards[hand, 0]
            soft = aces > 0 and hard[hand] <= 11
            total = hard[hand] + 10 if soft else hard[hand]
            if total == 21:
                continue
            second = pair
            for v in range(10):
                if v != pair and cards[hand, v] > 0:
                    second = v
            place = uid[row, hand]
            may_stand = frozen or total >= rules[k.R_MUST_DRAW]
            if may_stand:
                waiting(below[place], nat[place], max(total - lowest + 1, 0), rules[k.R_EVEN], ties, one, who, stay)
                if not final:
                    mine = then[row, hand]
                    for lane in range(lanes):
                        stay[lane] += after[mine, live[lane]]
            else:
                stay[:] = NEVER
            if frozen:
                for lane in range(lanes):
                    out[row, second, lane, 0] = stay[lane]
                    out[row, second, lane, 1] = NEVER
                continue
            may_double = k.may_double(count, total, soft, rules)
            trick = rules[k.R_TRICK] > 0.0 and count == 4
            share = 1.0 / (total_left - gone - count - 1.0)
            least, most = 0, 0
            if ones_max > 0:
                least, most = max(0, aces - (count - 2)), min(2, aces)
            high = final and may_stand and not trick and count > 2 and hard[hand] >= 18
            if high and stay.min() >= hopeless(
                cards[hand], hard[hand], count, n, share, following[hand], top, rules
            ):  # fmt: skip
                for ones in range(least, most + 1):
                    for lane in range(lanes):
                        worth[hand, ones, lane] = stay[lane]
                top[hand] = stay.max()
                continue
            top[hand] = NEVER
            for ones in range(least, most + 1):
                hit[:] = 0.0
                double[:] = 0.0
                for v in range(10):
                    number = n[v] - cards[hand, v]
                    if number <= 0.0:
                        continue
                    chance = number * share
                    more = hard[hand] + v + 1
                    e = following[hand, v]
                    new = more + 10 if (aces > 0 or v == 0) and more <= 11 else more
                    ended = then[row, e] if not final else 0
                    if new >= 21 or trick:
                        paid = -1.0
                        if new == 21:
                            paid = k.odds_of_21(cards[hand], count + 1, v, rules)
                        elif new < 21:
                            paid = rules[k.R_EVEN]
                        kept[:] = paid
                        if not final:
                            for lane in range(lanes):
                                kept[lane] += after[ended, lane]
                    else:
                        for lane in range(lanes):
                            kept[lane] = worth[e, ones, lane]
                    for lane in range(lanes):
                        hit[lane] += chance * kept[lane]
                    for which in range(2):
                        if spans[v, which] >= 0:
                            hit[spans[v, which]] -= share * kept[spans[v, which]]
                    if not may_double:
                        continue
                    result = k.doubled_total(cards[hand], hard[hand], v, ones, rules)
                    if result >= 21 or trick:
                        paid = -2.0
                        if result == 21:
                            paid = 2.0 * rules[k.R_DOUBLED]
                        elif result < 21:
                            paid = 2.0 * rules[k.R_EVEN]
                        kept[:] = paid
                        if not final:
                            for lane in range(lanes):
                                kept[lane] += after[ended, lane]
                    else:
                        other = uid[row, e]
                        s = max(result - lowest + 1, 0)
                        waiting(below[other], nat[other], s, rules[k.R_DOUBLED], ties, half, who, kept)
                        for lane in range(lanes):
                            kept[lane] *= 2.0
                        if not final:
                            for lane in range(lanes):
                                kept[lane] += after[ended, live[lane]]
                        if rules[k.R_FORFEIT] > 0.0:
                            if final:
                                for lane in range(lanes):
                                    kept[lane] = max(kept[lane], -1.0)
                            else:
                                for lane in range(lanes):
                                    kept[lane] = max(kept[lane], after[ended, lane] - 1.0)
                    for lane in range(lanes):
                        double[lane] += chance * kept[lane]
                    for which in range(2):
                        if spans[v, which] >= 0:
                            double[spans[v, which]] -= share * kept[spans[v, which]]
                for lane in range(lanes):
                    best = max(stay[lane], double[lane]) if may_double else stay[lane]
                    worth[hand, ones, lane] = max(best, hit[lane])
                    top[hand] = max(top[hand], worth[hand, ones, lane])
                    if count == 2:
                        out[row, second, lane, 0] = best
                        out[row, second, lane, 1] = hit[lane]
