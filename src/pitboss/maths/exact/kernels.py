"""Compiled kernels: numbers in, numbers out. Cards are counts by point value; an up card is its value less 1.

A hand is a row of `tables.player_hands`. `ones` (0 to 2) is how many aces were among its first two cards; it is kept
only where doubling asks for it (ACT 2.5(a)), and 0 otherwise.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.maths.exact.compiled import njit
from pitboss.maths.exact.tables import BUST, FINALS, NATURAL

Array = Any
LANES = 64
"""Hands whose dealers are drawn side by side: enough that the compiler lets the processor do several in one go."""

STAND, HIT, DOUBLE, DRAWN_OUT = 0, 1, 2, 3
"""Choices; the last is none at all: a hand that cannot be reached."""

# Places in the array of rules.
(
    R_MUST_DRAW, R_DOUBLE_HANDS, R_DOUBLE_ACES, R_FORFEIT, R_TIES_LOSE, R_TRICK, R_EVEN, R_DOUBLED,
    R_ODDS_4, R_ODDS_5, R_ODDS_6, R_ODDS_7, R_678, R_777, R_NATURAL_1, R_NATURAL_2, R_MAY_DOUBLE, R_SIZE,
) = range(18)  # fmt: skip

# What became of a wager.
(
    O_STOOD_WON, O_STOOD_LOST, O_STOOD_OFF, O_STOOD_NATURAL, O_BUST, O_21, O_21_FIVE, O_21_SIX, O_21_SEVEN, O_678,
    O_777, O_TRICK, O_DOUBLED_WON, O_DOUBLED_LOST, O_DOUBLED_OFF, O_DOUBLED_NATURAL, O_DOUBLED_BUST, O_DOUBLED_21,
    O_DOUBLED_TRICK, O_FORFEIT, OUTCOMES,
) = range(21)  # fmt: skip


@njit
def dealer_finals(
    left: Array, wanted: Array, cards: Array, size: Array,
    depth: Array, value: Array, already: Array, final: Array, first: Array, up: Array, orders: Array, finals: Array,
) -> None:  # fmt: skip
    """Fill `finals[hand, up card, end]` for the wanted hands: the dealer's chances once the hand is taken from `left`.

    `left` still holds the up card. Cards come in any order, so a set of cards has the chance of one order times the
    orders in which the dealer would draw it; one walk serves all ten up cards.
    """
    deepest = 24
    n = np.empty((10, LANES))
    chance = np.zeros((deepest + 1, LANES))
    inverse = np.zeros((deepest + 1, LANES))
    sums = np.empty((10, FINALS, LANES))
    total = left.sum()
    for start in range(0, len(wanted), LANES):
        for lane in range(LANES):
            hand = wanted[min(start + lane, len(wanted) - 1)]
            for v in range(10):
                n[v, lane] = left[v] - cards[hand, v]
            chance[0, lane] = 1.0
            rest = total - size[hand]
            for d in range(deepest):
                inverse[d, lane] = 1.0 / (rest - d) if rest > d else 0.0
        sums[:] = 0.0
        for node in range(len(depth)):
            d, v, k = depth[node], value[node], already[node]
            for lane in range(LANES):
                chance[d, lane] = chance[d - 1, lane] * max(n[v, lane] - k, 0.0) * inverse[d - 1, lane]
            f = final[node]
            if f >= 0:
                for place in range(first[node], first[node + 1]):
                    u, ways = up[place], orders[place]
                    for lane in range(LANES):
                        sums[u, f, lane] += ways * chance[d, lane]
        for lane in range(min(LANES, len(wanted) - start)):
            hand = wanted[start + lane]
            rest = total - size[hand]
            for u in range(10):
                share = rest / n[u, lane] if n[u, lane] > 0.0 else 0.0
                for f in range(FINALS):
                    finals[hand, u, f] = sums[u, f, lane] * share


@njit
def against(finals: Array, total: int) -> tuple[Any, Any, Any]:
    """Chances to win, to tie and to lose with a total against the dealer's, his natural left aside."""
    won = finals[BUST]
    for t in range(12, min(total, 22)):
        won += finals[t - 12]
    tied = finals[total - 12] if total >= 12 else 0.0
    lost = 0.0
    for t in range(max(total + 1, 12), 22):
        lost += finals[t - 12]
    return won, tied, lost


@njit
def stand_value(finals: Array, total: int, rules: Array) -> Any:
    won, tied, lost = against(finals, total)
    return rules[R_EVEN] * won - lost - rules[R_TIES_LOSE] * tied - rules[R_NATURAL_1] * finals[NATURAL]


@njit
def kept_value(finals: Array, total: int, rules: Array) -> Any:
    """A doubled hand that is not forfeited."""
    won, tied, lost = against(finals, total)
    return 2.0 * (rules[R_DOUBLED] * won - lost - rules[R_TIES_LOSE] * tied) - rules[R_NATURAL_2] * finals[NATURAL]


@njit
def odds_of_21(cards: Array, size: int, value: int, rules: Array) -> Any:
    """What a 21 is paid that the last card made; 6-7-8 and 7-7-7 as if their suits were mixed."""
    if size == 3:
        if cards[6] + (value == 6) == 3:
            return rules[R_777]
        if cards[5] + (value == 5) == 1 and cards[6] + (value == 6) == 1 and cards[7] + (value == 7) == 1:
            return rules[R_678]
    if size >= 5:
        return rules[R_ODDS_4 + min(size - 4, 3)]
    return rules[R_ODDS_4]


@njit
def may_double(size: int, total: int, soft: bool, rules: Array) -> bool:
    if rules[R_MAY_DOUBLE] == 0.0:
        return False
    if rules[R_DOUBLE_HANDS] == 1.0:
        return size == 2 and not soft and 9 <= total <= 11
    if rules[R_DOUBLE_HANDS] == 2.0:
        return 2 <= size <= 3
    return size >= 2


@njit
def doubled_total(cards: Array, hard: int, value: int, ones: int, rules: Array) -> int:
    """The total after the double card: aces held may have to count 1, the one that arrives never has to."""
    forced = 0
    if rules[R_DOUBLE_ACES] == 1.0:
        forced = cards[0]
    elif rules[R_DOUBLE_ACES] == 2.0:
        forced = ones
    more = hard + value + 1
    if cards[0] + (value == 0) > forced and more <= 11:
        return more + 10
    return more


@njit
def play_hands(
    left: Array, wanted: Array, cards: Array, hard: Array, size: Array, following: Array, finals: Array, rules: Array,
    ones_max: int, forced: bool, first_up: int, last_up: int, choice: Array, forfeits: Array, worth: Array, ways: Array,
) -> None:  # fmt: skip
    """Value every wanted hand against every up card, from the highest totals down.

    `left` still holds the up card and the hand. Best play fills `choice`, and in `forfeits` a bit for every double card
    after which the hand is given up; with `forced` the choices that are there are followed. `ways[hand, ones, up]` gets
    the value of standing, hitting and doubling, with `forced` for hands of two cards only.
    """
    total_left = left.sum()
    for place in range(len(wanted) - 1, -1, -1):
        hand = wanted[place]
        count = size[hand]
        if count < 2:
            continue
        aces = cards[hand, 0]
        soft = aces > 0 and hard[hand] <= 11
        total = hard[hand] + 10 if soft else hard[hand]
        if total >= 21:
            continue
        least, most = 0, 0
        if ones_max > 0:
            least, most = max(0, aces - (count - 2)), min(2, aces)
        doubling = may_double(count, total, soft, rules)
        for u in range(first_up, last_up):
            rest = total_left - count - 1.0
            stand = 0.0
            if not forced or count == 2 or choice[hand, least, u] == STAND or most > least:
                stand = stand_value(finals[hand, u], total, rules)
            for ones in range(least, most + 1):
                hit = 0.0
                double = 0.0
                chosen = choice[hand, ones, u]
                given_up = forfeits[hand, ones, u] if forced else 0
                for v in range(10):
                    number = left[v] - cards[hand, v] - (1.0 if v == u else 0.0)
                    if number <= 0.0:
                        continue
                    chance = number / rest
                    more = hard[hand] + v + 1
                    then = following[hand, v]
                    soft_more = (aces > 0 or v == 0) and more <= 11
                    new = more + 10 if soft_more else more
                    if not forced or chosen == HIT or count == 2:
                        if new > 21:
                            hit -= chance
                        elif new == 21:
                            hit += chance * odds_of_21(cards[hand], count + 1, v, rules)
                        elif rules[R_TRICK] > 0.0 and count == 4:
                            hit += chance * rules[R_EVEN]
                        else:
                            hit += chance * worth[then, ones, u]
                    if doubling and (not forced or chosen == DOUBLE or count == 2):
                        ended = doubled_total(cards[hand], hard[hand], v, ones, rules)
                        if ended > 21:
                            double -= 2.0 * chance
                        elif ended == 21:
                            double += chance * 2.0 * rules[R_DOUBLED]
                        elif rules[R_TRICK] > 0.0 and count == 4:
                            double += chance * 2.0 * rules[R_EVEN]
                        else:
                            keep = kept_value(finals[then, u], ended, rules)
                            if not forced and rules[R_FORFEIT] > 0.0 and keep < -1.0:
                                given_up |= 1 << v
                            double += chance * (-1.0 if given_up >> v & 1 else keep)
                if not forced:
                    chosen, best = HIT, hit
                    if total >= rules[R_MUST_DRAW] and stand >= best:
                        chosen, best = STAND, stand
                    if doubling and double > best:
                        chosen, best = DOUBLE, double
                    choice[hand, ones, u] = chosen
                    forfeits[hand, ones, u] = given_up
                worth[hand, ones, u] = stand if chosen == STAND else hit if chosen == HIT else double
                if count == 2 or not forced:
                    ways[hand, ones, u, STAND] = stand if total >= rules[R_MUST_DRAW] else -1e9
                    ways[hand, ones, u, HIT] = hit
                    ways[hand, ones, u, DOUBLE] = double if doubling else -1e9


@njit
def note(outcomes: Array, by_final: Array, finals: Array, kind: int, chance: float, paid: float) -> None:
    """Money that is settled before the dealer plays."""
    outcomes[kind, 0] += chance
    outcomes[kind, 1] += chance * paid
    outcomes[kind, 2] += chance * paid * paid
    for f in range(FINALS):
        by_final[f, 0] += chance * finals[f]
        by_final[f, 1] += chance * finals[f] * paid


@njit
def note_live(
    outcomes: Array, by_final: Array, finals: Array, kind: int, chance: float, total: int, units: float, odds: float,
    ties_lose: float, natural: float,
) -> None:  # fmt: skip
    """A hand that waits for the dealer; `kind` is the outcome of winning, the next three are the others."""
    for f in range(FINALS):
        if f == NATURAL:
            which, paid = 3, -natural
        elif f == BUST or f + 12 < total:
            which, paid = 0, units * odds
        elif f + 12 == total:
            which, paid = (1, -units) if ties_lose > 0.0 else (2, 0.0)
        else:
            which, paid = 1, -units
        p = chance * finals[f]
        outcomes[kind + which, 0] += p
        outcomes[kind + which, 1] += p * paid
        outcomes[kind + which, 2] += p * paid * paid
        by_final[f, 0] += p
        by_final[f, 1] += p * paid


@njit
def trace(
    left: Array, wanted: Array, cards: Array, hard: Array, size: Array, following: Array, finals: Array, rules: Array,
    ones_max: int, u: int, choice: Array, forfeits: Array, mass: Array, mass_2: Array, outcomes: Array, by_final: Array,
) -> Any:  # fmt: skip
    """Follow the choices forward from hands of two cards and tell how often each outcome comes.

    `mass_2[hand, ones, way]` is the chance to hold a hand of two cards and to stand, hit or double with it. Returns the
    chance of doubling. `mass` is room to work in, zero on entry and on leaving.
    """
    total_left = left.sum()
    doubled = 0.0
    for place in range(len(wanted)):
        hand = wanted[place]
        count = size[hand]
        if count < 2:
            continue
        aces = cards[hand, 0]
        soft = aces > 0 and hard[hand] <= 11
        total = hard[hand] + 10 if soft else hard[hand]
        rest = total_left - count - 1.0
        for ones in range(ones_max + 1):
            for way in range(3):
                if count == 2:
                    chance = mass_2[hand, ones, way]
                else:
                    chance = mass[hand, ones] if choice[hand, ones, u] == way else 0.0
                if chance == 0.0:
                    continue
                if way == STAND:
                    note_live(
                        outcomes, by_final, finals[hand, u], O_STOOD_WON, chance, total, 1.0, rules[R_EVEN],
                        rules[R_TIES_LOSE], rules[R_NATURAL_1],
                    )  # fmt: skip
                    continue
                if way == DOUBLE:
                    doubled += chance
                for v in range(10):
                    number = left[v] - cards[hand, v] - (1.0 if v == u else 0.0)
                    if number <= 0.0:
                        continue
                    p = chance * number / rest
                    more = hard[hand] + v + 1
                    then = following[hand, v]
                    # The dealer plays on without a settled hand; any neighbour's finals will do to spread it.
                    ends = finals[hand, u]
                    if way == DOUBLE:
                        ended = doubled_total(cards[hand], hard[hand], v, ones, rules)
                        if ended > 21:
                            note(outcomes, by_final, ends, O_DOUBLED_BUST, p, -2.0)
                        elif ended == 21:
                            note(outcomes, by_final, ends, O_DOUBLED_21, p, 2.0 * rules[R_DOUBLED])
                        elif rules[R_TRICK] > 0.0 and count == 4:
                            note(outcomes, by_final, ends, O_DOUBLED_TRICK, p, 2.0 * rules[R_EVEN])
                        elif forfeits[hand, ones, u] >> v & 1:
                            note(outcomes, by_final, ends, O_FORFEIT, p, -1.0)
                        else:
                            note_live(
                                outcomes, by_final, finals[then, u], O_DOUBLED_WON, p, ended, 2.0, rules[R_DOUBLED],
                                rules[R_TIES_LOSE], rules[R_NATURAL_2],
                            )  # fmt: skip
                        continue
                    new = more + 10 if (aces > 0 or v == 0) and more <= 11 else more
                    if new > 21:
                        note(outcomes, by_final, ends, O_BUST, p, -1.0)
                    elif new == 21:
                        odds = odds_of_21(cards[hand], count + 1, v, rules)
                        kind = O_21
                        if count + 1 >= 5:
                            kind = O_21 + min(count + 1 - 4, 3)
                        elif count == 2 and cards[hand, 6] + (v == 6) == 3:
                            kind = O_777
                        elif (
                            count == 2
                            and cards[hand, 5] + (v == 5) == 1
                            and cards[hand, 6] + (v == 6) == 1
                            and cards[hand, 7] + (v == 7) == 1
                        ):
                            kind = O_678
                        note(outcomes, by_final, ends, kind, p, odds)
                    elif rules[R_TRICK] > 0.0 and count == 4:
                        note(outcomes, by_final, ends, O_TRICK, p, rules[R_EVEN])
                    else:
                        mass[then, ones] += p
            mass[hand, ones] = 0.0
    return doubled


@njit
def mark_reached(
    wanted: Array, cards: Array, hard: Array, size: Array, following: Array, rules: Array, ones_max: int, u: int,
    choice: Array, ways_2: Array, reached: Array, needed: Array,
) -> None:  # fmt: skip
    """Mark in `reached` the hands to which the choices lead, and in `needed` those whose dealer matters.

    `ways_2[hand]` has a bit for each way in which a hand of two cards may go on.
    """
    for place in range(len(wanted)):
        for ones in range(ones_max + 1):
            reached[wanted[place], ones] = False
    for place in range(len(wanted)):
        hand = wanted[place]
        count = size[hand]
        if count < 2:
            continue
        aces = cards[hand, 0]
        for ones in range(ones_max + 1):
            if count == 2:
                bits = ways_2[hand] if ones == (aces if ones_max > 0 else 0) else 0
                reached[hand, ones] = bits > 0
            else:
                bits = 1 << choice[hand, ones, u] if reached[hand, ones] else 0
            if bits & 1 << STAND:
                needed[hand] = True
            for v in range(10):
                then = following[hand, v]
                if then < 0:
                    continue
                if bits & 1 << DOUBLE:
                    needed[then] = True
                if bits & 1 << HIT:
                    more = hard[hand] + v + 1
                    soft = (aces > 0 or v == 0) and more <= 11
                    if not (soft and more == 11) and not (rules[R_TRICK] > 0.0 and count == 4):
                        reached[then, ones] = True
