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

BEST, FOLLOW, ASK = 0, 1, 2
"""What to do about choices: find the best, follow those that are there, or follow them and value the others too."""

# Places in the array of rules.
(
    R_MUST_DRAW, R_DOUBLE_HANDS, R_DOUBLE_ACES, R_FORFEIT, R_TIES_LOSE, R_TRICK, R_EVEN, R_DOUBLED,
    R_ODDS_4, R_ODDS_5, R_ODDS_6, R_ODDS_7, R_678, R_777, R_NATURAL_1, R_NATURAL_2, R_MAY_DOUBLE, R_ONE_ORIGINAL,
    R_SIZE,
) = range(19)  # fmt: skip

# What became of a wager.
(
    O_STOOD_WON, O_STOOD_LOST, O_STOOD_OFF, O_STOOD_NATURAL, O_BUST, O_21, O_21_FIVE, O_21_SIX, O_21_SEVEN, O_678,
    O_777, O_TRICK, O_DOUBLED_WON, O_DOUBLED_LOST, O_DOUBLED_OFF, O_DOUBLED_NATURAL, O_DOUBLED_BUST, O_DOUBLED_21,
    O_DOUBLED_TRICK, O_FORFEIT, O_NATURAL, O_678_SUITED, O_678_SPADES, O_777_SUITED, O_777_SPADES, OUTCOMES,
) = range(26)  # fmt: skip


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
    """Chances to win, to tie and to lose with a total against the dealer's, a dealer's natural left aside."""
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
def settle(
    wanted: Array, cards: Array, hard: Array, size: Array, finals: Array, rules: Array, natural: Array, first_up: int,
    last_up: int, room: Array,
) -> None:  # fmt: skip
    """Fill `room` for the wanted hands: the value of standing, and of having doubled to its total, aces low and high.

    `natural[u]` is what a dealer natural takes from a hand where it takes one amount.
    """
    stand, low, high = room[0], room[1], room[2]
    for place in range(len(wanted)):
        hand = wanted[place]
        if size[hand] < 2:
            continue
        soft = cards[hand, 0] > 0 and hard[hand] <= 11
        for u in range(first_up, last_up):
            one, two = 1.0, 2.0
            if rules[R_ONE_ORIGINAL] > 0.0:
                one, two = natural[u], natural[u]
            ends = finals[hand, u]
            won, tied, lost = against(ends, hard[hand])
            lost += rules[R_TIES_LOSE] * tied
            stand[hand, u] = rules[R_EVEN] * won - lost - one * ends[NATURAL]
            low[hand, u] = 2.0 * (rules[R_DOUBLED] * won - lost) - two * ends[NATURAL]
            if soft and hard[hand] < 11:
                won, tied, lost = against(ends, hard[hand] + 10)
                lost += rules[R_TIES_LOSE] * tied
                stand[hand, u] = rules[R_EVEN] * won - lost - one * ends[NATURAL]
                high[hand, u] = 2.0 * (rules[R_DOUBLED] * won - lost) - two * ends[NATURAL]


@njit
def play_hands(
    left: Array, wanted: Array, cards: Array, hard: Array, size: Array, following: Array, finals: Array, rules: Array,
    natural: Array, ones_max: int, mode: int, first_up: int, last_up: int, choice: Array, forfeits: Array,
    worth: Array, ways: Array, room: Array,
) -> None:  # fmt: skip
    """Value every wanted hand against every up card, from the highest totals down.

    `left` still holds the up card and the hand. `BEST` play fills `choice`, and in `forfeits` a bit for every double
    card after which the hand is given up; to `FOLLOW` or `ASK` is to play the choices that are there. `ways[hand, ones,
    up]` gets the value of standing, hitting and doubling with that play from there on, where choices are followed of
    hands of two cards only. Up cards are the innermost loop, so that the processor does several in one go; the one card
    that an up card takes out of the shoe is made good after.
    """
    settle(wanted, cards, hard, size, finals, rules, natural, first_up, last_up, room)
    stand, low, high = room[0], room[1], room[2]
    hit, double, kept = np.zeros(10), np.zeros(10), np.zeros(10)
    given = np.zeros(10, np.int64)
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
        trick = rules[R_TRICK] > 0.0 and count == 4
        one = 1.0 / (total_left - count - 1.0)
        for ones in range(least, most + 1):
            hits, doubles = True, doubling
            if mode == FOLLOW and count > 2:
                hits, doubles = False, False
                for u in range(first_up, last_up):
                    hits |= choice[hand, ones, u] == HIT
                    doubles |= choice[hand, ones, u] == DOUBLE
            hit[:] = 0.0
            double[:] = 0.0
            given[:] = 0
            for v in range(10 if hits or doubles else 0):
                number = left[v] - cards[hand, v]
                if number <= 0.0:
                    continue
                chance = number * one
                more = hard[hand] + v + 1
                then = following[hand, v]
                new = more + 10 if (aces > 0 or v == 0) and more <= 11 else more
                mine = first_up <= v < last_up
                if not hits:
                    pass
                elif new >= 21 or trick:
                    paid = -1.0
                    if new == 21:
                        paid = odds_of_21(cards[hand], count + 1, v, rules)
                    elif new < 21:
                        paid = rules[R_EVEN]
                    for u in range(first_up, last_up):
                        hit[u] += chance * paid
                    if mine:
                        hit[v] -= one * paid
                else:
                    for u in range(first_up, last_up):
                        hit[u] += chance * worth[then, ones, u]
                    if mine:
                        hit[v] -= one * worth[then, ones, v]
                if not doubles:
                    continue
                ended = doubled_total(cards[hand], hard[hand], v, ones, rules)
                if ended >= 21 or trick:
                    paid = -2.0
                    if ended == 21:
                        paid = 2.0 * rules[R_DOUBLED]
                    elif ended < 21:
                        paid = 2.0 * rules[R_EVEN]
                    for u in range(first_up, last_up):
                        double[u] += chance * paid
                    if mine:
                        double[v] -= one * paid
                    continue
                if ended > more:
                    for u in range(first_up, last_up):
                        kept[u] = high[then, u]
                else:
                    for u in range(first_up, last_up):
                        kept[u] = low[then, u]
                if mode == BEST:
                    if rules[R_FORFEIT] > 0.0:
                        for u in range(first_up, last_up):
                            if kept[u] < -1.0:
                                given[u] |= 1 << v
                                kept[u] = -1.0
                else:
                    for u in range(first_up, last_up):
                        if forfeits[hand, ones, u] >> v & 1:
                            kept[u] = -1.0
                for u in range(first_up, last_up):
                    double[u] += chance * kept[u]
                if mine:
                    double[v] -= one * kept[v]
            may_stand = total >= rules[R_MUST_DRAW]
            for u in range(first_up, last_up):
                if mode == BEST:
                    chosen, best = HIT, hit[u]
                    if may_stand and stand[hand, u] >= best:
                        chosen, best = STAND, stand[hand, u]
                    if doubling and double[u] > best:
                        chosen, best = DOUBLE, double[u]
                    choice[hand, ones, u] = chosen
                    forfeits[hand, ones, u] = given[u]
                    worth[hand, ones, u] = best
                else:
                    chosen = choice[hand, ones, u]
                    worth[hand, ones, u] = stand[hand, u] if chosen == STAND else hit[u] if chosen == HIT else double[u]
                if mode != FOLLOW or count == 2:
                    ways[hand, ones, u, STAND] = stand[hand, u] if may_stand else -1e9
                    ways[hand, ones, u, HIT] = hit[u]
                    ways[hand, ones, u, DOUBLE] = double[u] if doubling else -1e9


@njit
def one_hand(
    rest: Array, pair: int, up: int, start: int, following: Array, hard: Array, finals: Array, rules: Array,
    ways: Array, ones_max: int, frozen: bool, shares: Array, gains: Array, third: Array, natural: Array,
) -> tuple[Any, Any]:  # fmt: skip
    """The value of one split hand, and the part of it where its second card is of another value than the pair.

    `rest` still holds the hand's own card and the up card. `shares[second, act]` says how often each act follows a
    second card, `gains[second]` what suits add once `third[second]` comes. `natural` is what an ace with a ten brings:
    paid at once, or its worth against no dealer natural and against one, with a flag that it waits.
    """
    total = rest.sum()
    any_card, other_card = 0.0, 0.0
    for second in range(10):
        there = rest[second] - (1.0 if second == pair else 0.0) - (1.0 if second == up else 0.0)
        if there <= 0.0:
            continue
        hand = following[start, second]
        if (pair == 0 and second == 9) or (pair == 9 and second == 0):
            chance = finals[hand, up, NATURAL]
            paid = natural[0]
            if natural[3] > 0.0:
                paid = (1.0 - chance) * natural[1] + chance * natural[2]
        elif frozen:
            paid = stand_value(finals[hand, up], hard[hand] + 10, rules)
        else:
            ones = 0
            if ones_max > 0:
                ones = (1 if pair == 0 else 0) + (1 if second == 0 else 0)
            paid = 0.0
            for act in range(3):
                if shares[second, act] > 0.0:
                    paid += shares[second, act] * ways[hand, ones, up, act]
            if gains[second] > 0.0:
                t = third[second]
                coming = rest[t] - (1.0 if t == up else 0.0) - (2.0 if pair == second else 0.0)
                paid += gains[second] * max(coming, 0.0) / (total - 3.0)
        any_card += there / (total - 2.0) * paid
        if second != pair:
            other_card += there / (total - 2.0) * paid
    return any_card, other_card


@njit
def note(cells: Array, finals: Array, kind: int, chance: float) -> None:
    """Money that is settled before the dealer plays."""
    for f in range(FINALS):
        cells[f, kind] += chance * finals[f]


@njit
def note_live(cells: Array, finals: Array, kind: int, chance: float, total: int, ties_lose: float) -> None:
    """A hand that waits for the dealer; `kind` is the outcome of winning, the next three are the others."""
    for f in range(FINALS):
        which = 1
        if f == NATURAL:
            which = 3
        elif f == BUST or f + 12 < total:
            which = 0
        elif f + 12 == total and ties_lose == 0.0:
            which = 2
        cells[f, kind + which] += chance * finals[f]


@njit
def trace(
    left: Array, wanted: Array, cards: Array, hard: Array, size: Array, following: Array, finals: Array, rules: Array,
    ones_max: int, u: int, choice: Array, forfeits: Array, mass: Array, mass_2: Array, cells: Array,
) -> Any:  # fmt: skip
    """Follow the choices forward from hands of two cards and tell how often each outcome comes.

    `mass_2[hand, ones, way]` is the chance to hold a hand of two cards and to stand, hit or double with it. Adds to
    `cells[end of the dealer, outcome]` and returns the chance of doubling. `mass` is room to work in, zero on entry and
    on leaving.
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
                    note_live(cells, finals[hand, u], O_STOOD_WON, chance, total, rules[R_TIES_LOSE])
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
                            note(cells, ends, O_DOUBLED_BUST, p)
                        elif ended == 21:
                            note(cells, ends, O_DOUBLED_21, p)
                        elif rules[R_TRICK] > 0.0 and count == 4:
                            note(cells, ends, O_DOUBLED_TRICK, p)
                        elif forfeits[hand, ones, u] >> v & 1:
                            note(cells, ends, O_FORFEIT, p)
                        else:
                            note_live(cells, finals[then, u], O_DOUBLED_WON, p, ended, rules[R_TIES_LOSE])
                        continue
                    new = more + 10 if (aces > 0 or v == 0) and more <= 11 else more
                    if new > 21:
                        note(cells, ends, O_BUST, p)
                    elif new == 21:
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
                        note(cells, ends, kind, p)
                    elif rules[R_TRICK] > 0.0 and count == 4:
                        note(cells, ends, O_TRICK, p)
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


@njit
def reach(
    left: Array, wanted: Array, cards: Array, hard: Array, size: Array, following: Array, rules: Array, ones_max: int,
    u: int, choice: Array, hit_2: Array, mass: Array,
) -> None:  # fmt: skip
    """Fill `mass[hand, ones]` with the chance to hold each hand of three or more cards if these choices are followed.

    `hit_2[hand, ones]` is the chance to hold a hand of two cards and to draw to it. `mass` must be zero on entry.
    """
    total_left = left.sum()
    for place in range(len(wanted)):
        hand = wanted[place]
        count = size[hand]
        if count < 2 or (rules[R_TRICK] > 0.0 and count == 4):
            continue
        aces = cards[hand, 0]
        rest = total_left - count - 1.0
        for ones in range(ones_max + 1):
            chance = hit_2[hand, ones]
            if count > 2:
                chance = mass[hand, ones] if choice[hand, ones, u] == HIT else 0.0
            if chance == 0.0:
                continue
            for v in range(10):
                number = left[v] - cards[hand, v] - (1.0 if v == u else 0.0)
                then = following[hand, v]
                more = hard[hand] + v + 1
                if number > 0.0 and then >= 0 and not ((aces > 0 or v == 0) and more == 11):
                    mass[then, ones] += chance * number / rest


@njit
def weigh_forfeits(
    left: Array, hand: Array, ones: Array, may_double: Array, ended: Array, cards: Array, following: Array,
    finals: Array, rules: Array, choice: Array, weights: Array, rare: float, gain: Array,
) -> None:  # fmt: skip
    """Add to `gain[total, up]` what giving up after the double card brings more than keeping, over all hands doubled.

    Hands that are not doubled count `rare`, so that every total gets an answer.
    """
    for entry in range(len(hand)):
        if not may_double[entry]:
            continue
        for u in range(10):
            weight = weights[entry, u]
            if choice[hand[entry], ones[entry], u] != DOUBLE:
                weight *= rare
            for v in range(10):
                then, total = following[hand[entry], v], ended[entry, v]
                number = left[v] - cards[hand[entry], v] - (1.0 if v == u else 0.0)
                if then >= 0 and total <= 20 and number > 0.0:
                    gain[total, u] += weight * number * (-1.0 - kept_value(finals[then, u], total, rules))
