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
TOGETHER = 8
"""So many sets of cards are played at once."""


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
def dealers_against(finals: Array, number: int, ups: Array, lowest: int, won: float, ties: float, found: Array) -> None:
    """From the dealer's ends: what a wager of 1 brings that waits with each total from `lowest` - 1 on, naturals aside.

    After the up cards come the chances of a natural of those that can have one.
    """
    for place in range(number):
        beyond = len(ups)
        for u in range(len(ups)):
            ends = finals[place, ups[u]]
            for t in range(lowest - 1, 21):
                wins, tied, _ = k.against(ends, t)
                lost = 1.0 - ends[NATURAL] - wins - tied
                found[place, t - lowest + 1, u] = won * wins - lost - ties * tied
            if ups[u] == 0 or ups[u] == 9:
                found[place, :, beyond] = ends[NATURAL]
                beyond += 1


@njit
def waiting(
    settled: Array, rows: Array, uid: Array, hand: int, s: int, who: Array, natural: Array, cost: Array, base: Array,
    worth: Array,
) -> None:  # fmt: skip
    """Fill `worth` with what a wager of 1 brings that waits for the dealer, after each row of a batch."""
    columns = settled.shape[2]
    for b in range(TOGETHER):
        place = uid[rows[b], hand]
        for c in range(columns):
            base[c * TOGETHER + b] = settled[place, s, c]
    for lane in range(len(who)):
        mine, from_ = lane * TOGETHER, who[lane] * TOGETHER
        for b in range(TOGETHER):
            worth[mine + b] = base[from_ + b]
        if natural[lane] >= 0:
            from_ = natural[lane] * TOGETHER
            for b in range(TOGETHER):
                worth[mine + b] -= cost[lane] * base[from_ + b]


@njit
def hopeless(
    cards: Array, hard: int, count: int, n: Array, share: Array, following: Array, top: Array, rules: Array,
    bound: Array,
) -> None:  # fmt: skip
    """Fill `bound[b]` with no less than what a hard total of 18 or more brings that draws or is doubled, as the last
    hand, after each row of a batch.

    `top` is the most that a hand brings in any lane.
    """
    bound[:] = 0.0
    for v in range(10):
        more = hard + v + 1
        paid = -1.0
        if more == 21:
            paid = max(k.odds_of_21(cards, count + 1, v, rules), 2.0 * rules[k.R_DOUBLED])
        elif more < 21:
            paid = max(top[following[v]], 2.0 * max(rules[k.R_EVEN], rules[k.R_DOUBLED]))
        less = 0.0 if paid > 0.0 else 1.0
        for b in range(TOGETHER):
            bound[b] += max(n[v, b] - cards[v] - less, 0.0) * share[b] * paid


@njit
def play_after(
    left: Array, taken: Array, cards: Array, hard: Array, size: Array, following: Array, hands: int, uid: Array,
    settled: Array, settled_double: Array, lowest: int, rules: Array, ones_max: int, who: Array, natural: Array,
    one: Array, two: Array, live: Array, final: bool, then: Array, after: Array, pair: int, ups: Array, frozen: bool,
    out: Array,
) -> None:  # fmt: skip
    """Best play of a hand after each row of `taken`: `out[row, second card, lane]` is standing or doubling with two
    cards, and hitting.

    `left` is the shoe, up card and all. The first `hands` rows of `cards` can still be played, the others have ended.
    Lanes are the up cards, then those where a dealer natural is owed already: `who[lane]` is the place of a lane's
    card among `ups`, `natural[lane]` that of its chance of a natural, or -1. What comes after a hand that ends with
    cards `e` is `after[then[row, e]]`, nothing where it is `final`; `live[lane]` is the lane once this hand waits.
    `one` and `two` are what a dealer natural costs.

    Rows are played `TOGETHER`, lane after lane: whatever is added up runs over all of them at once.
    """
    lanes = len(who)
    width = lanes * TOGETHER
    worth, doubles = np.zeros((hands, 3, width)), np.zeros((hands, 2, width))
    base = np.zeros(settled.shape[2] * TOGETHER)
    hit, double, stay, ends, twice = (
        np.zeros(width), np.zeros(width), np.zeros(width), np.zeros(width), np.zeros(width)
    )  # fmt: skip
    half, top = 0.5 * two, np.full(hands, NEVER)
    forfeit, total_left = rules[k.R_FORFEIT] > 0.0, left.sum()
    n, seen = np.empty((10, TOGETHER)), np.empty((10, width))
    """What each row leaves in the shoe, and that less the up card of the lane."""
    rest, share, bound = np.empty(TOGETHER), np.empty(TOGETHER), np.empty(TOGETHER)
    there = np.zeros((hands, TOGETHER), np.bool_)
    rows = np.empty(TOGETHER, np.int64)
    for begin in range(0, len(taken), TOGETHER):
        for b in range(TOGETHER):
            row = rows[b] = min(begin + b, len(taken) - 1)
            rest[b] = total_left
            for v in range(10):
                n[v, b] = left[v] - taken[row, v]
                rest[b] -= taken[row, v]
                for lane in range(lanes):
                    seen[v, lane * TOGETHER + b] = n[v, b] - (ups[who[lane]] == v)
        for hand in range(hands - 1, -1, -1):
            count = size[hand]
            if count < 2:
                continue
            some, every = False, True
            for b in range(TOGETHER):
                fits = True
                for v in range(10):
                    fits &= cards[hand, v] <= n[v, b]
                there[hand, b] = fits
                some |= fits
                every &= fits
            if not some:
                worth[hand] = 0.0
                doubles[hand] = 0.0
                continue
            aces = cards[hand, 0]
            soft = aces > 0 and hard[hand] <= 11
            total = hard[hand] + 10 if soft else hard[hand]
            if not frozen and k.may_double(count - 1, 10, False, rules):
                for kind in range(2 if soft and total < 21 else 1):
                    held = hard[hand] + 10 * kind
                    mine = doubles[hand, kind]
                    waiting(
                        settled_double, rows, uid, hand, max(held - lowest + 1, 0), who, natural, half, base, mine
                    )  # fmt: skip
                    for b in range(TOGETHER):
                        if not there[hand, b]:
                            for lane in range(lanes):
                                mine[lane * TOGETHER + b] = 0.0
                            continue
                        then_row = 0 if final else then[rows[b], hand]
                        for lane in range(lanes):
                            brings = 2.0 * mine[lane * TOGETHER + b]
                            up_to = -1.0
                            if not final:
                                brings += after[then_row, live[lane]]
                                up_to += after[then_row, lane]
                            if forfeit:
                                brings = max(brings, up_to)
                            mine[lane * TOGETHER + b] = brings
            if total == 21:
                continue
            second = pair
            for v in range(10):
                if v != pair and cards[hand, v] > 0:
                    second = v
            may_stand = frozen or total >= rules[k.R_MUST_DRAW]
            if may_stand:
                waiting(settled, rows, uid, hand, max(total - lowest + 1, 0), who, natural, one, base, stay)
                if not final:
                    for b in range(TOGETHER):
                        mine_row = then[rows[b], hand]
                        for lane in range(lanes):
                            stay[lane * TOGETHER + b] += after[mine_row, live[lane]]
            else:
                stay[:] = NEVER
            if frozen:
                for b in range(TOGETHER):
                    if there[hand, b]:
                        for lane in range(lanes):
                            out[rows[b], second, lane, 0] = stay[lane * TOGETHER + b]
                            out[rows[b], second, lane, 1] = NEVER
                continue
            may_double = k.may_double(count, total, soft, rules)
            trick = rules[k.R_TRICK] > 0.0 and count == 4
            for b in range(TOGETHER):
                share[b] = 1.0 / max(rest[b] - count - 1.0, 1.0)
            least, most = 0, 0
            if ones_max > 0:
                least, most = max(0, aces - (count - 2)), min(2, aces)
            if final and every and may_stand and not trick and count > 2 and hard[hand] >= 18:
                hopeless(cards[hand], hard[hand], count, n, share, following[hand], top, rules, bound)
                if stay.min() >= bound.max():
                    for ones in range(least, most + 1):
                        worth[hand, ones] = stay
                    top[hand] = stay.max()
                    continue
            top[hand] = NEVER
            for ones in range(least, most + 1):
                hit[:] = 0.0
                double[:] = 0.0
                for v in range(10):
                    gone = cards[hand, v]
                    e = following[hand, v]
                    if e < 0:
                        continue
                    more = hard[hand] + v + 1
                    new = more + 10 if (aces > 0 or v == 0) and more <= 11 else more
                    paid, twofold = -1.0, -2.0
                    over = new >= 21 or trick
                    if new == 21:
                        paid = k.odds_of_21(cards[hand], count + 1, v, rules)
                    elif new < 21:
                        paid = rules[k.R_EVEN]
                    if over and not final:
                        for b in range(TOGETHER):
                            mine = then[rows[b], e]
                            for lane in range(lanes):
                                ends[lane * TOGETHER + b] = after[mine, lane]
                    if not may_double:
                        if not over:
                            draws(seen[v], gone, worth[e, ones], hit)
                        elif final:
                            pays(seen[v], gone, paid, hit)
                        else:
                            draws_and(seen[v], gone, paid, ends, hit)
                        continue
                    result = k.doubled_total(cards[hand], hard[hand], v, ones, rules)
                    if result == 21:
                        twofold = 2.0 * rules[k.R_DOUBLED]
                    elif result < 21:
                        twofold = 2.0 * rules[k.R_EVEN]
                    closed = result >= 21 or trick
                    if over and closed:
                        if final:
                            pays(seen[v], gone, paid, hit)
                            pays(seen[v], gone, twofold, double)
                        else:
                            draws_and(seen[v], gone, paid, ends, hit)
                            draws_and(seen[v], gone, twofold, ends, double)
                        continue
                    if closed:
                        # Doubled to 21 by an ace that arrives, where the hand that draws it would not have to stop.
                        draws(seen[v], gone, worth[e, ones], hit)
                        for b in range(TOGETHER):
                            for lane in range(lanes):
                                mine = lane * TOGETHER + b
                                twice[mine] = twofold + (0.0 if final else after[then[rows[b], e], lane])
                        draws(seen[v], gone, twice, double)
                        continue
                    kind = 0 if result == more else 1
                    if not over:
                        draws_both(seen[v], gone, worth[e, ones], doubles[e, kind], hit, double)
                    elif final:
                        pays(seen[v], gone, paid, hit)
                        draws(seen[v], gone, doubles[e, kind], double)
                    else:
                        draws_and(seen[v], gone, paid, ends, hit)
                        draws(seen[v], gone, doubles[e, kind], double)
                for lane in range(lanes):
                    for b in range(TOGETHER):
                        mine = lane * TOGETHER + b
                        best = stay[mine]
                        if may_double:
                            best = max(best, double[mine] * share[b])
                        drawn = hit[mine] * share[b]
                        value = max(best, drawn)
                        if not there[hand, b]:
                            value = 0.0
                        else:
                            top[hand] = max(top[hand], value)
                            if count == 2:
                                out[rows[b], second, lane, 0] = best
                                out[rows[b], second, lane, 1] = drawn
                        worth[hand, ones, mine] = value


@njit
def draws(seen: Array, gone: int, worth: Array, found: Array) -> None:
    """Add what a card brings, times how many of it are there."""
    for i in range(len(found)):
        found[i] += max(seen[i] - gone, 0.0) * worth[i]


@njit
def draws_both(seen: Array, gone: int, worth: Array, doubled: Array, found: Array, double: Array) -> None:
    """The same for drawing and for doubling."""
    for i in range(len(found)):
        number = max(seen[i] - gone, 0.0)
        found[i] += number * worth[i]
        double[i] += number * doubled[i]


@njit
def draws_and(seen: Array, gone: int, paid: float, after: Array, found: Array) -> None:
    """The same where a hand is paid and something comes after it."""
    for i in range(len(found)):
        found[i] += max(seen[i] - gone, 0.0) * (paid + after[i])


@njit
def pays(seen: Array, gone: int, paid: float, found: Array) -> None:
    """The same where a hand is paid."""
    for i in range(len(found)):
        found[i] += max(seen[i] - gone, 0.0) * paid
