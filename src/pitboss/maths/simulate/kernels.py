"""The loops: cards drawn without replacement, whole rounds played, outcomes counted. Numbers in, numbers out.

Importing this module imports numba; nothing here is compiled before it is called, and what was compiled is kept on
disk. All money is whole cents in 64-bit integers, so that sums do not depend on the order in which they are made.
Numbers that other modules name (rules, outcomes, classes) are compiled in: after changing one there, change this file
too, or numba goes on with what it kept; `layout` tells.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba as nb
import numpy as np
from numba.core import types
from numba.extending import intrinsic

from pitboss.maths.exact.compiled import cache_folder
from pitboss.maths.simulate.automaton import FIRST_FORK, FIRST_STATE, SLOW, STRIDE
from pitboss.maths.simulate.cards import CLASSES
from pitboss.maths.simulate.game import (
    ACES_MAY_SPLIT,
    BOXES_MAX,
    FIRST_SIDE,
    HANDS_MAX,
    HIT,
    INSURANCE,
    MAY_NOT_SPLIT,
    MAY_SPLIT,
    ORIGINAL,
    R_ACE_CARDS,
    R_ACES_RESPLIT,
    R_BLAZING_WAGER,
    R_BOXES,
    R_ENDS_SPLITTING,
    R_FORFEIT,
    R_HANDS,
    R_HARD_STAND,
    R_INSURANCE_WINS,
    R_INSURED_CENTS,
    R_LOG,
    R_RANDOM,
    R_SIDES,
    R_SOFT_STAND,
    R_SUPER_CENTS,
    R_SUPER_OTHERS,
    R_WAGER,
    R_WAITS,
    SPLIT,
    STAND,
    STREAMS,
    SUPER,
    WAGER,
)
from pitboss.maths.simulate.hands import ENDS, FIRST_NATURAL, SUITED_SEVENS
from pitboss.maths.simulate.outcomes import (
    DEALER_BUST,
    DOUBLED,
    DOUBLED_21,
    DOUBLED_BUST,
    DOUBLED_TRICK,
    EQUAL,
    FORFEITED,
    HIGHER,
    LOWER,
    NATURAL_FIRST,
    NATURAL_FURTHER,
    OUTCOMES,
    RANKS_ABOVE,
    SURRENDERED,
    SURRENDERED_NATURAL,
    WAITED,
)

F = TypeVar("F", bound=Callable[..., Any])

os.environ.setdefault("NUMBA_CACHE_DIR", str(cache_folder()))
setattr(nb.config, "CACHE_DIR", os.environ["NUMBA_CACHE_DIR"])  # noqa: B010 - it has this name only at run time


def kernel(function: F) -> F:
    """Compiled on first call, kept on disk, and run without Python's lock so that threads run side by side."""
    return cast("F", nb.njit(cache=True, nogil=True, boundscheck=False)(function))


def plain(function: F) -> F:
    """A kernel that makes no array of its own, compiled without counting references: that would cost more than a
    round."""
    compiler: Any = nb.njit
    return cast("F", compiler(cache=True, nogil=True, boundscheck=False, _nrt=False)(function))


# --- chance ----------------------------------------------------------------------------------------------------------


def _high_product(context: Any, a: Any, b: Any) -> Any:
    """The upper 64 bits of a 128-bit product: one instruction, for which numba has no name."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir  # type: ignore[import-untyped]

        wide = ir.IntType(128)
        left, right = (builder.zext(argument, wide) for argument in arguments)
        product = builder.mul(left, right)
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), build


high_product: Any = intrinsic(_high_product)


@plain
def mixed(x: Any) -> Any:
    """A 64-bit number well mixed (the finalizer of SplitMix64)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


GAMMA = np.uint64(0x9E3779B97F4A7C15)


@plain
def stream_of(seed: Any, block: Any) -> Any:
    """Where a block's random numbers start: any block can be played by anybody, in any order."""
    return mixed(mixed(np.uint64(seed) + GAMMA) + np.uint64(block) * GAMMA)


@plain
def draw_cards(shoe: Any, size: Any, first: Any, last: Any, state: Any) -> Any:
    """Put random cards at places `first` to `last` - 1 of the shoe, each from those not drawn before (Fisher and
    Yates).

    Four draws share one 64-bit random number: each takes the upper part of its product with the number of cards left
    and hands the lower part on. The four together are uniform up to size**4 / 2**64, less than 1e-8 with eight decks.
    """
    place = first
    left = np.uint64(size - first)
    while place + 4 <= last:
        state += GAMMA
        word = mixed(state)
        for _ in range(4):
            chosen = place + np.int64(high_product(word, left))
            word *= left
            card = shoe[chosen]
            shoe[chosen] = shoe[place]
            shoe[place] = card
            place += 1
            left -= np.uint64(1)
    if place < last:
        state += GAMMA
        word = mixed(state)
        while place < last:
            chosen = place + np.int64(high_product(word, left))
            word *= left
            card = shoe[chosen]
            shoe[chosen] = shoe[place]
            shoe[place] = card
            place += 1
            left -= np.uint64(1)
    return state


@plain
def fresh_shoe(shoe: Any, cards: Any, limit: Any, origin: Any, number: Any) -> Any:
    """Shuffle a shoe anew, as far as it is dealt; which shoe of its block it is decides its order."""
    for place in range(len(cards)):
        shoe[place] = cards[place]
    return draw_cards(shoe, len(cards), 0, limit, mixed(origin + np.uint64(number) * GAMMA))


# --- one round -------------------------------------------------------------------------------------------------------

LIVE, HELD = -1, -2
LOG_FORFEIT, LOG_KEEP, LOG_SURRENDER, LOG_NO_SURRENDER, LOG_INSURE, LOG_NO_INSURANCE = 4, 5, 6, 7, 8, 9
"""Decisions as they are written down, after stand, hit, double and split."""

W_CODE, W_TOTAL, W_DOUBLED = 0, BOXES_MAX * HANDS_MAX, 2 * BOXES_MAX * HANDS_MAX
W_COUNT = 3 * BOXES_MAX * HANDS_MAX
W_STATE, W_FIRST, W_SECOND, W_INSURED, W_DONE, W_GIVEN, W_SEVENS, W_PENDING = (W_COUNT + 8 * k for k in range(1, 9))
WORK = W_PENDING + 8
"""Places in the scratch array of a round."""

T_SPLITS = OUTCOMES
T_DOUBLES, T_INSURED, T_INSURANCE_WON, T_SUPER, T_CONSOLATION, T_DEALER_NATURAL, T_DEALER_BUST = (
    OUTCOMES + k for k in range(1, 8)
)
T_WAGERED = OUTCOMES + 8
T_CARDS = OUTCOMES + 9
T_SIDES = OUTCOMES + 10
TALLY = T_SIDES + 4 * 8
"""Counts of a block: outcomes, then events, then kinds of pairs and of sevens."""


SAY_SURRENDER, SAY_INSURE, SAY_FORFEIT, SAY_KEEP, SAY_NO = 4, 5, 6, 7, 8
"""What a script says, after stand, hit, double and split."""
ASK_INSURANCE, ASK_SURRENDER, ASK_PLAY, ASK_FORFEIT = 1, 2, 3, 4
Q_KIND, Q_BOX, Q_STATE, Q_PLACE, Q_WHERE, Q_SPLIT, Q_FORMED, Q_PENDING, Q_LENGTH = range(9)
"""Places in the array of a question; `Q_WHERE` has the total where a doubled hand may be forfeited."""


@plain
def ask(question: Any, kind: Any, box: Any, state: Any, place: Any) -> Any:
    """Write down what must be decided next, on which hand, and after how many cards."""
    question[Q_KIND] = kind
    question[Q_BOX] = box
    question[Q_STATE] = state
    question[Q_PLACE] = place
    question[Q_WHERE] = 0
    question[Q_SPLIT] = 0
    question[Q_FORMED] = 1
    question[Q_PENDING] = 0


@plain
def ask_more(question: Any, where: Any, is_split: Any, formed: Any, pending: Any) -> Any:
    """The rest of a question about a hand."""
    question[Q_WHERE] = where
    question[Q_SPLIT] = is_split
    question[Q_FORMED] = formed
    question[Q_PENDING] = pending


C_START, C_TRUE, C_DECK, C_UNIT = 0, 1, 2, 3
"""Places in a count's array of numbers."""


@plain
def count_on(buf: Any, first: Any, last: Any, running: Any, count: Any) -> Any:
    """The running count after the cards from place `first` to `last` - 1."""
    tags = count[0]
    for place in range(first, last):
        running += tags[buf[place] & np.uint8(31)]
    return running


@plain
def bucket_of(running: Any, left: Any, count: Any) -> Any:
    """How many of the count's edges are reached, with so many cards left."""
    edges, numbers = count[1], count[2]
    reached = running
    scale = np.int64(1)
    if numbers[C_TRUE]:
        unit = numbers[C_UNIT]
        scale = max(left, np.int64(1))
        if unit:
            scale = max((scale + unit // 2) // unit, np.int64(1)) * unit
        reached = running * numbers[C_DECK]
    bucket = 0
    while bucket < len(edges) and reached >= edges[bucket] * scale:
        bucket += 1
    return bucket


@plain
def whole_count(running: Any, left: Any, count: Any) -> Any:
    """The count rounded down, for tables."""
    numbers = count[2]
    unit = np.int64(1000)
    if numbers[C_TRUE]:
        half = numbers[C_UNIT]
        scale = max(left, np.int64(1))
        if half:
            scale = max((scale + half // 2) // half, np.int64(1)) * half
        return min(max(running * numbers[C_DECK] // (scale * unit), -SHOWN), SHOWN)
    return min(max(running // unit, -SHOWN), SHOWN)


@plain
def play_round(
    buf: Any, limit: Any, start: Any, game: Any, plan: Any, key: Any, work: Any, net: Any, tally: Any, log: Any,
    log_place: Any, count: Any, running: Any, left: Any, script: Any = None,
) -> Any:  # fmt: skip
    """Play one round with the cards from place `start`; the place after its last card, or -1 where `limit` cards are
    too few.

    Nothing is counted before the round is whole, so that it can be played again with more cards. `net[box, stream]`
    gets the cents won or lost. With a count, decisions are looked up in the bucket that the cards seen by then lead
    to; `running` and `left` say where the count and the cards left stood when the round began. With a script (acts,
    their number, an array for questions) those acts are played, and where they end the question that comes next is
    written down and -2 comes back.
    """
    (rules, nxt, begin, doubled, totals, pairs, legal, pay, opens, natural_rank, values, side_pay, shares) = game
    decisions, forfeits, surrenders, insures = plan
    boxes = rules[R_BOXES]
    by_chance = rules[R_RANDOM] != 0
    writes = rules[R_LOG] != 0
    chance = key
    at = log_place
    place = start
    seen = start
    bucket: Any = 0
    said = 0
    if limit - place < 2 * boxes + 1:
        return -1, log_place
    # the initial deal
    for box in range(boxes):
        card = np.int64(buf[place])
        place += 1
        work[W_FIRST + box] = card
        work[W_STATE + box] = begin[0, card & 31]
    up = np.int64(buf[place])
    place += 1
    up_class = up & 31
    dealer = values[up_class] - 1
    open_now = opens[up_class]
    tens_or_ace = dealer == 0 or dealer == 9
    for box in range(boxes):
        card = np.int64(buf[place])
        place += 1
        work[W_SECOND + box] = card
        work[W_STATE + box] = np.int64(nxt[work[W_STATE + box], card & 31])
        work[W_INSURED + box] = 0
        work[W_DONE + box] = 0
        work[W_GIVEN + box] = 0
        work[W_COUNT + box] = 0
        for stream in range(len(STREAMS)):
            net[box, stream] = 0
    waiting = False
    insured: Any = 0
    if count is not None:
        running = count_on(buf, seen, place, running, count)
        seen = place
        bucket = bucket_of(running, left - (place - start), count)
    # insurance
    if open_now & 1 and rules[R_INSURED_CENTS] > 0:
        for box in range(boxes):
            state = work[W_STATE + box]
            if state >= ENDS:
                if script is not None:
                    if said == script[1]:
                        ask(script[2], ASK_INSURANCE, box, state, place)
                        return -2, log_place
                    wanted = np.int64(script[0][said] == SAY_INSURE)
                    said += 1
                elif by_chance:
                    chance += GAMMA
                    wanted = np.int64(mixed(chance) >> np.uint64(63))
                else:
                    wanted = np.int64(insures[bucket, state])
                if writes:
                    log[at] = LOG_INSURE if wanted else LOG_NO_INSURANCE
                    at += 1
                work[W_INSURED + box] = wanted
                insured += wanted
    # naturals
    for box in range(boxes):
        state = work[W_STATE + box]
        if state < ENDS:
            work[W_DONE + box] = 1
            work[W_COUNT + box] = 1
            slot = box * HANDS_MAX
            work[W_DOUBLED + slot] = 0
            if rules[R_WAITS] and tens_or_ace:
                work[W_CODE + slot] = HELD
                work[W_TOTAL + slot] = state - FIRST_NATURAL
                waiting = True
            else:
                work[W_CODE + slot] = state
    # surrender
    if open_now & 2:
        for box in range(boxes):
            if work[W_DONE + box] == 0:
                state = work[W_STATE + box]
                if script is not None:
                    if said == script[1]:
                        ask(script[2], ASK_SURRENDER, box, state, place)
                        return -2, log_place
                    wanted = np.int64(script[0][said] == SAY_SURRENDER)
                    said += 1
                elif by_chance:
                    chance += GAMMA
                    wanted = np.int64(np.int64(mixed(chance) >> np.uint64(60)) < 3)
                else:
                    wanted = np.int64(surrenders[bucket, state, dealer])
                if writes:
                    log[at] = LOG_SURRENDER if wanted else LOG_NO_SURRENDER
                    at += 1
                if wanted:
                    work[W_DONE + box] = 2
                    waiting = True
    # the subsequent deal
    live = 0
    splits = 0
    doubles = 0
    supers = 0
    bonus_cents = rules[R_SUPER_CENTS]
    for box in range(boxes):
        if work[W_DONE + box]:
            continue
        state = work[W_STATE + box]
        first = work[W_FIRST + box]
        second = work[W_SECOND + box]
        formed = 1
        pending = 0
        finished = 0
        ended = False
        is_split = False
        aces = False
        while True:
            slot = box * HANDS_MAX + finished
            work[W_DOUBLED + slot] = 0
            while True:
                if state < ENDS:
                    if state >= FIRST_NATURAL and rules[R_WAITS] and tens_or_ace:
                        work[W_CODE + slot] = HELD
                        work[W_TOTAL + slot] = state - FIRST_NATURAL
                        waiting = True
                    else:
                        work[W_CODE + slot] = state
                        sevens = state == SUITED_SEVENS[0] or state == SUITED_SEVENS[1]
                        if sevens and not is_split and open_now & 4 and bonus_cents > 0:
                            work[W_SEVENS + supers] = box
                            supers += 1
                    break
                may_split = (
                    is_split
                    and pairs[state]
                    and not ended
                    and formed < rules[R_HANDS]
                    and (not aces or rules[R_ACES_RESPLIT])
                )
                if is_split and aces and rules[R_ACE_CARDS] == 1:
                    if not may_split:
                        work[W_CODE + slot] = LIVE
                        work[W_TOTAL + slot] = totals[state]
                        live += 1
                        break
                    where = ACES_MAY_SPLIT
                elif not is_split:
                    where = ORIGINAL
                elif may_split:
                    where = MAY_SPLIT
                else:
                    where = MAY_NOT_SPLIT
                if count is not None:
                    running = count_on(buf, seen, place, running, count)
                    seen = place
                    bucket = bucket_of(running, left - (place - start), count)
                act: Any = STAND
                if script is not None:
                    if said == script[1]:
                        ask(script[2], ASK_PLAY, box, state, place)
                        ask_more(script[2], where, np.int64(is_split), formed, pending)
                        return -2, log_place
                    act = np.int64(script[0][said])
                    said += 1
                elif by_chance:
                    bits = legal[where, state]
                    chance += GAMMA
                    number = (bits & 1) + (bits >> 1 & 1) + (bits >> 2 & 1) + (bits >> 3 & 1)
                    chosen = np.int64(high_product(mixed(chance), np.uint64(number)))
                    for each in range(4):
                        if bits >> each & 1:
                            if chosen == 0:
                                act = each
                            chosen -= 1
                else:
                    act = np.int64(decisions[bucket, where, state, dealer])
                if writes:
                    log[at] = act
                    at += 1
                if act == SPLIT:
                    work[W_PENDING + pending] = second
                    pending += 1
                    formed += 1
                    splits += 1
                    is_split = True
                    aces = values[first & 31] == 1
                    if place >= limit:
                        return -1, log_place
                    second = np.int64(buf[place])
                    place += 1
                    state = np.int64(nxt[begin[1, first & 31], second & 31])
                    continue
                if may_split and rules[R_ENDS_SPLITTING]:
                    ended = True
                if act == STAND:
                    work[W_CODE + slot] = LIVE
                    work[W_TOTAL + slot] = totals[state]
                    live += 1
                    break
                if place >= limit:
                    return -1, log_place
                card = np.int64(buf[place])
                place += 1
                if act == HIT:
                    state = np.int64(nxt[state, card & 31])
                    continue
                # doubled: one card, then the hand is over
                doubles += 1
                work[W_DOUBLED + slot] = 1
                total = np.int64(doubled[state, card & 31])
                if total == 22:
                    work[W_CODE + slot] = DOUBLED_BUST
                elif total == 21:
                    work[W_CODE + slot] = DOUBLED_21
                elif total == 23:
                    work[W_CODE + slot] = DOUBLED_TRICK
                else:
                    gives_up = np.int64(0)
                    if rules[R_FORFEIT]:
                        if count is not None:
                            running = count_on(buf, seen, place, running, count)
                            seen = place
                            bucket = bucket_of(running, left - (place - start), count)
                        if script is not None:
                            if said == script[1]:
                                ask(script[2], ASK_FORFEIT, box, state, place)
                                ask_more(script[2], total, np.int64(is_split), formed, pending)
                                return -2, log_place
                            gives_up = np.int64(script[0][said] == SAY_FORFEIT)
                            said += 1
                        elif by_chance:
                            chance += GAMMA
                            gives_up = np.int64(mixed(chance) >> np.uint64(63))
                        else:
                            gives_up = np.int64(forfeits[bucket, 1 if is_split else 0, total, dealer])
                        if writes:
                            log[at] = LOG_FORFEIT if gives_up else LOG_KEEP
                            at += 1
                    if gives_up:
                        work[W_CODE + slot] = FORFEITED
                    else:
                        work[W_CODE + slot] = LIVE
                        work[W_TOTAL + slot] = total
                        live += 1
                break
            finished += 1
            if pending == 0:
                break
            pending -= 1
            first = work[W_PENDING + pending]
            if place >= limit:
                return -1, log_place
            second = np.int64(buf[place])
            place += 1
            state = np.int64(nxt[begin[1, first & 31], second & 31])
        work[W_COUNT + box] = finished
    # the dealer's hand: no card that cannot change the outcome
    dealer_natural = False
    dealer_total = 0
    down_class: Any = 0
    if live > 0 or insured > 0 or waiting:
        if place >= limit:
            return -1, log_place
        down_class = np.int64(buf[place]) & 31
        place += 1
        hard = values[up_class] + values[down_class]
        ace = values[up_class] == 1 or values[down_class] == 1
        dealer_natural = ace and hard == 11
        if live > 0 and not dealer_natural:
            while True:
                soft = ace and hard <= 11
                dealer_total = hard + 10 if soft else hard
                if dealer_total >= (rules[R_SOFT_STAND] if soft else rules[R_HARD_STAND]):
                    break
                if place >= limit:
                    return -1, log_place
                card_class = np.int64(buf[place]) & 31
                place += 1
                hard += values[card_class]
                ace = ace or values[card_class] == 1
    # the round is whole: settle and count
    wager = rules[R_WAGER]
    for box in range(boxes):
        if work[W_DONE + box] == 2:
            code = SURRENDERED_NATURAL if dealer_natural else SURRENDERED
            tally[code] += 1
            net[box, WAGER] += pay[code]
        else:
            further = False
            for hand in range(work[W_COUNT + box]):
                slot = box * HANDS_MAX + hand
                code = work[W_CODE + slot]
                if code == LIVE:
                    twice = work[W_DOUBLED + slot]
                    if dealer_natural:
                        code = (NATURAL_FURTHER if further else NATURAL_FIRST) + twice
                        further = True
                    else:
                        total = work[W_TOTAL + slot]
                        if dealer_total > 21:
                            code = DEALER_BUST
                        elif total > dealer_total:
                            code = HIGHER
                        elif total == dealer_total:
                            code = EQUAL
                        else:
                            code = LOWER
                        code += DOUBLED * twice
                elif code == HELD:
                    if dealer_natural:
                        ten = up_class if values[up_class] == 10 else down_class
                        mine = natural_rank[6 + work[W_TOTAL + slot]]
                        theirs = natural_rank[ten]
                        code = RANKS_ABOVE + (0 if mine < theirs else 2 if mine > theirs else 1)
                    else:
                        code = WAITED
                tally[code] += 1
                net[box, WAGER] += pay[code]
        if work[W_INSURED + box]:
            tally[T_INSURED] += 1
            if dealer_natural:
                tally[T_INSURANCE_WON] += 1
                net[box, INSURANCE] += rules[R_INSURANCE_WINS]
            else:
                net[box, INSURANCE] -= rules[R_INSURED_CENTS]
    tally[T_SPLITS] += splits
    tally[T_DOUBLES] += doubles
    tally[T_DEALER_NATURAL] += np.int64(dealer_natural)
    tally[T_DEALER_BUST] += np.int64(dealer_total > 21)
    tally[T_WAGERED] += wager * (boxes + splits + doubles)
    tally[T_CARDS] += place - start
    if supers > 0:
        for each in range(supers):  # who wins it themselves has no part in what the others are given
            work[W_GIVEN + work[W_SEVENS + each]] = 1
        for each in range(supers):
            winner = work[W_SEVENS + each]
            net[winner, SUPER] += bonus_cents
            tally[T_SUPER] += 1
            for box in range(boxes):
                if work[W_GIVEN + box] == 0:
                    work[W_GIVEN + box] = 1
                    net[box, SUPER] += rules[R_SUPER_OTHERS]
                    tally[T_CONSOLATION] += 1
    if rules[R_SIDES]:
        settle_sides(boxes, up, rules, side_pay, shares, work, net, tally)
    return place, at


@plain
def same_rank(first: Any, second: Any) -> Any:
    """Whether two classes are of one rank: sixes, sevens and eights have a class for each suit."""
    if first < 10 or second < 10:
        return first == second
    return (first - 10) >> 2 == (second - 10) >> 2


@plain
def settle_sides(boxes: Any, up: Any, rules: Any, side_pay: Any, shares: Any, work: Any, net: Any, tally: Any) -> Any:
    """Optional wagers on the first two cards, and Blazing 7s with the dealer's first."""
    sides = rules[R_SIDES]
    for box in range(boxes):
        first = work[W_FIRST + box]
        second = work[W_SECOND + box]
        kind = 0
        if same_rank(first & 31, second & 31):
            suit, other = first >> 5, second >> 5
            if suit == other:
                kind = 3
            elif (suit == 1 or suit == 2) == (other == 1 or other == 2):
                kind = 2
            else:
                kind = 1
            if first & 31 == 0:
                kind += 3
        for bet in range(3):
            if sides >> bet & 1:
                net[box, FIRST_SIDE + bet] += side_pay[bet, kind]
                tally[T_SIDES + 8 * bet + kind] += 1
    if sides >> 3 & 1:
        tops: Any = 0
        tenths: Any = 0
        for box in range(boxes):
            first = work[W_FIRST + box]
            second = work[W_SECOND + box]
            mine = np.int64(14 <= first & 31 < 18) + np.int64(14 <= second & 31 < 18)
            dealers = 14 <= up & 31 < 18
            kind = 0
            if mine == 2 and dealers:
                a, b, c = first >> 5, second >> 5, up >> 5
                red = np.int64(a == 1 or a == 2) + np.int64(b == 1 or b == 2) + np.int64(c == 1 or c == 2)
                if a == b and b == c:
                    kind = 6 if a == 2 else 5
                elif red == 0 or red == 3:
                    kind = 4
                else:
                    kind = 3
            elif mine == 2:
                kind = 2
            elif mine == 1 and dealers:
                kind = 1
            work[W_GIVEN + box] = kind
            tally[T_SIDES + 24 + kind] += 1
            tops += np.int64(kind == 6)
            tenths += np.int64(kind == 5)
        for box in range(boxes):
            kind = work[W_GIVEN + box]
            if kind < 5:
                net[box, FIRST_SIDE + 3] += side_pay[3, kind]
            else:
                net[box, FIRST_SIDE + 3] += shares[tops, tenths, 6 - kind] - rules[R_BLAZING_WAGER]


# --- a block of rounds -----------------------------------------------------------------------------------------------

S_SUMS, S_SQUARES, S_ROUND_WAGER, S_ROUND_ALL, S_ROUNDS, S_SHOES, S_RAN_OUT, S_LENGTH = (
    0, len(STREAMS), 2 * len(STREAMS), 2 * len(STREAMS) + 1, 2 * len(STREAMS) + 2, 2 * len(STREAMS) + 3,
    2 * len(STREAMS) + 4, 2 * len(STREAMS) + 5,
)  # fmt: skip
"""Sums of a block: cents by stream and their squares (a box in a round), squares of whole rounds, and counts."""


@plain
def add_up(boxes: Any, net: Any, sums: Any) -> Any:
    """Add one round's money to the sums."""
    whole = np.int64(0)
    main = np.int64(0)
    for box in range(boxes):
        main += net[box, 0]
        for stream in range(len(STREAMS)):
            cents = net[box, stream]
            if cents != 0:
                whole += cents
                sums[S_SUMS + stream] += cents
                sums[S_SQUARES + stream] += cents * cents
    sums[S_ROUND_WAGER] += main * main
    sums[S_ROUND_ALL] += whole * whole
    sums[S_ROUNDS] += 1


@plain
def run_out(shoe: Any, buf: Any, size: Any, started: Any, burned: Any, state: Any) -> Any:
    """The cards ran out in a round: the discards of earlier rounds are shuffled and put behind those already dealt.

    `buf` then holds the whole stack as it was dealt, followed by the discards less the burned ones.
    """
    for place in range(size):
        buf[place] = shoe[place]
    state = draw_cards(shoe, started, 0, started, state)
    count = started - burned
    for place in range(count):
        buf[size + place] = shoe[burned + place]
    return size + count, state


SHOWN = 30
E_COUNTS, E_TRIPS = 0, 4 * (2 * SHOWN + 1)
"""Places in the array beside the sums: for each count rounds, cents wagered, won and their squares; then trips."""
E_RUINED, E_REACHED, E_NET, E_NET_SQUARES, E_RUIN_ROUNDS, E_ENDS = (E_TRIPS + k for k in range(1, 7))
FINALS, FINALS_A_BANKROLL = 64, 16
E_LENGTH = E_ENDS + FINALS
"""The last ones count how trips ended, by sixteenths of the bankroll."""
B_FUNDS, B_GOAL, B_ROUNDS, B_LEAST = 0, 1, 2, 3
"""Places in the array of a bankroll: what a trip begins with, where it stops, how long it is, and its least wager."""


@plain
def affordable(funds: Any, level: Any, levels: Any, boxes: Any) -> Any:
    """The wager that is asked for, or else the highest that the funds still cover."""
    rules = levels[0]
    if rules[level, R_WAGER] * boxes <= funds:
        return level
    best = level
    most = np.int64(0)
    for each in range(len(rules)):
        wager = rules[each, R_WAGER]
        if most < wager and wager * boxes <= funds:
            most = wager
            best = each
    return best


@plain
def end_trip(funds: Any, played: Any, bank: Any, extra: Any) -> Any:
    """Count a trip that is over."""
    net = funds - bank[B_FUNDS]
    extra[E_TRIPS] += 1
    extra[E_NET] += net
    extra[E_NET_SQUARES] += net * net
    if funds < bank[B_LEAST]:
        extra[E_RUINED] += 1
        extra[E_RUIN_ROUNDS] += played
    elif bank[B_GOAL] and funds >= bank[B_GOAL]:
        extra[E_REACHED] += 1
    place = max(funds, np.int64(0)) * FINALS_A_BANKROLL // bank[B_FUNDS]
    extra[E_ENDS + min(place, FINALS - 1)] += 1


@kernel
def play_block(
    seed: Any, block: Any, rounds: Any, cards: Any, cutting_at: Any, burned: Any, device: Any, game: Any, levels: Any,
    plan: Any, count: Any, bank: Any, sums: Any, tally: Any, extra: Any, log: Any, log_ends: Any, money: Any,
    dealt: Any, dealt_ends: Any, wagers: Any,
) -> Any:  # fmt: skip
    """Play a block of rounds from a fresh stack; the same seed and block always give the same rounds.

    `levels` has rules and payments for each wager that may be made, `sums` and `tally` a row for each. With a
    `count` the wager and the decisions hang on the cards seen; with a `bank` the block is made of trips that end early
    when the funds no longer cover a wager or reach the goal, and each begins with a fresh stack. With logs wanted
    (`rules[R_LOG]`) every decision, card and amount is written down besides.
    """
    scratch = (
        cards.copy(), np.empty(2 * len(cards), np.uint8), np.zeros(WORK, np.int64),
        np.zeros((BOXES_MAX, len(STREAMS)), np.int64),
    )  # fmt: skip
    return play_rounds(
        seed, block, rounds, cards, cutting_at, burned, device, game, levels, plan, count, bank, sums, tally, extra,
        log, log_ends, money, dealt, dealt_ends, wagers, scratch,
    )  # fmt: skip


@plain
def play_rounds(
    seed: Any, block: Any, rounds: Any, cards: Any, cutting_at: Any, burned: Any, device: Any, game: Any, levels: Any,
    plan: Any, count: Any, bank: Any, sums: Any, tally: Any, extra: Any, log: Any, log_ends: Any, money: Any,
    dealt: Any, dealt_ends: Any, wagers: Any, scratch: Any,
) -> Any:  # fmt: skip
    """The loop of `play_block`, which makes no array of its own."""
    shoe, spare, work, net = scratch
    all_rules, all_pay = levels
    (_, nxt, begin, doubled, totals, pairs, legal, _, opens, natural_rank, values, side_pay, shares) = game
    boxes = all_rules[0, R_BOXES]
    writes = all_rules[0, R_LOG] != 0
    size = len(cards)
    origin = stream_of(seed, block)
    state = origin
    keys = stream_of(seed ^ np.uint64(0x5851F42D4C957F2D), block)
    step = 8 + 6 * boxes
    initial = 2 * boxes + 1
    place = size
    limit = 0
    held = 0
    log_at = 0
    card_at = 0
    shoes = np.int64(0)
    ran_out = np.int64(0)
    number = np.int64(0)
    fresh = True
    level: Any = 0
    running: Any = np.int64(0)
    behind: Any = np.int64(0)
    funds = np.int64(0)
    trip_left = np.int64(0)
    while number < rounds:
        if bank is not None and trip_left == 0:
            fresh = True
            funds = np.int64(bank[B_FUNDS])
            trip_left = np.int64(bank[B_ROUNDS])
        keys += GAMMA
        key = mixed(keys)
        if device == 0:
            if fresh or place >= cutting_at:
                limit = min(size, cutting_at + step)
                state = fresh_shoe(shoe, cards, limit, origin, shoes)
                place = burned
                shoes += 1
                if count is not None:
                    running = np.int64(count[2][C_START])
            behind = np.int64(size - place)
        elif device == 1:
            # what was burned when the device was loaded lies in the rack
            if fresh:
                state = draw_cards(shoe, size, 0, burned, state)
                shoes += 1
            place = burned
            limit = min(size, place + step)
            state = draw_cards(shoe, size, place, limit, state)
            behind = np.int64(size - place)
            if count is not None:
                running = np.int64(count[2][C_START])
        else:
            # the last round's cards come back after the initial deal
            if fresh:
                state = draw_cards(shoe, size, 0, burned, state)
                held = burned
                shoes += 1
                if count is not None:
                    running = np.int64(count[2][C_START])
            state = draw_cards(shoe, size, held, held + initial, state)
            for each in range(initial):
                card = shoe[each]
                shoe[each] = shoe[held + each]
                shoe[held + each] = card
            place = 0
            limit = min(size, initial + step)
            state = draw_cards(shoe, size, initial, limit, state)
            behind = np.int64(size - held)
        fresh = False
        shown = np.int64(0)
        if count is not None:
            level = count[3][bucket_of(running, behind, count)]
            shown = whole_count(running, behind, count)
            if device == 2:
                running = np.int64(count[2][C_START])
                behind = np.int64(size)
        if bank is not None:
            level = affordable(funds, level, levels, boxes)
        rules, pay, counted = all_rules[level], all_pay[level], tally[level]
        now = (rules, nxt, begin, doubled, totals, pairs, legal, pay, opens, natural_rank, values, side_pay, shares)
        after, log_next = play_round(
            shoe, limit, place, now, plan, key, work, net, counted, log, log_at, count, running, behind, None
        )
        while after < 0 and limit < size:
            more = min(size, limit + step)
            state = draw_cards(shoe, size, limit, more, state)
            limit = more
            after, log_next = play_round(
                shoe, limit, place, now, plan, key, work, net, counted, log, log_at, count, running, behind, None
            )
        if after < 0:
            ran_out += 1
            limit, state = run_out(shoe, spare, size, place, burned, state)
            after, log_next = play_round(
                spare, limit, place, now, plan, key, work, net, counted, log, log_at, count, running, behind, None
            )
            if after < 0:
                return np.int64(-1)
            if writes:
                for each in range(place, after):
                    dealt[card_at] = spare[each]
                    card_at += 1
            after = size
        else:
            if writes:
                for each in range(place, after):
                    dealt[card_at] = shoe[each]
                    card_at += 1
            if count is not None:
                running = count_on(shoe, place, after, running, count)
        add_up(boxes, net, sums[level])
        if count is not None:
            count_result(boxes, net, rules[R_WAGER], shown, extra)
        if writes:
            log_at = log_next
            log_ends[number] = log_at
            dealt_ends[number] = card_at
            wagers[number] = rules[R_WAGER]
            for box in range(boxes):
                for stream in range(len(STREAMS)):
                    money[number, box, stream] = net[box, stream]
        place = after
        if device == 2:
            held = after
        number += 1
        if bank is not None:
            for box in range(boxes):
                for stream in range(len(STREAMS)):
                    funds += net[box, stream]
            trip_left -= 1
            if funds < bank[B_LEAST] or (bank[B_GOAL] and funds >= bank[B_GOAL]) or trip_left == 0:
                end_trip(funds, bank[B_ROUNDS] - trip_left, bank, extra)
                number += trip_left
                trip_left = np.int64(0)
    sums[0, S_SHOES] += shoes
    sums[0, S_RAN_OUT] += ran_out
    return number


@plain
def count_result(boxes: Any, net: Any, wager: Any, shown: Any, extra: Any) -> Any:
    """Add one round to the table by count."""
    main = np.int64(0)
    for box in range(boxes):
        main += net[box, 0]
    at = E_COUNTS + 4 * (shown + SHOWN)
    extra[at] += 1
    extra[at + 1] += wager * boxes
    extra[at + 2] += main
    extra[at + 3] += main * main


# --- the fast way: one box, one table --------------------------------------------------------------------------------

STEP = 8 + 6
"""Cards drawn behind the cutting card at first, and again whenever they are too few."""
WIDTH = np.uint64(CLASSES)
EDGE = np.uint64(FIRST_STATE * CLASSES)
SLOW_ROW = np.uint64(SLOW * CLASSES)
"""States are the places of their rows in the flat table; those before `EDGE` are outcomes."""
ONE, CLASS_BITS, START = np.uint64(1), np.uint64(31), np.uint64(0)
LANES = 3
CODE_BITS = np.uint64(16)
"""Below them a word has the code of an outcome, and above them the place behind its last card."""
CODE = np.uint64(0xFFFF)
SHIFT = np.uint64(STRIDE.bit_length() - 1)
OUTCOME_ROWS, FORK_ROWS, SLOW_NUMBER = np.uint64(FIRST_STATE), np.uint64(FIRST_FORK), np.uint64(SLOW)
"""The same where rows are numbered, for tables with forks."""


@plain
def play_slowly(
    shoe: Any, limit: Any, begun: Any, cards: Any, burned: Any, spare: Any, state: Any, game: Any, plan: Any,
    work: Any, net: Any, tally: Any, log: Any, sums: Any,
) -> Any:  # fmt: skip
    """One round by the general kernel, with more cards drawn if it needs them: where it ended, cards drawn, chance."""
    size = len(cards)
    key = np.uint64(0)
    after, _ = play_round(shoe, limit, begun, game, plan, key, work, net, tally, log, 0, None, 0, 0, None)
    while after < 0 and limit < size:
        more = min(size, limit + STEP)
        state = draw_cards(shoe, size, limit, more, state)
        limit = more
        after, _ = play_round(shoe, limit, begun, game, plan, key, work, net, tally, log, 0, None, 0, 0, None)
    if after < 0:
        sums[S_RAN_OUT] += 1
        longer, state = run_out(shoe, spare, size, begun, burned, state)
        after, _ = play_round(spare, longer, begun, game, plan, key, work, net, tally, log, 0, None, 0, 0, None)
        if after >= 0:
            after = size
    if after >= 0:
        add_up(1, net, sums)
    return after, limit, state


@plain
def count_by_table(counts: Any, dealt: Any, wager: Any, pay: Any, sums: Any, tally: Any) -> Any:
    """Turn counts of outcomes into the sums and counts that the general kernel would have made."""
    for code in range(OUTCOMES):
        count = counts[code]
        squares = count * pay[code] * pay[code]
        tally[code] += count
        sums[S_SUMS] += count * pay[code]
        sums[S_SQUARES] += squares
        sums[S_ROUND_WAGER] += squares
        sums[S_ROUND_ALL] += squares
        sums[S_ROUNDS] += count
        twice = DOUBLED_21 <= code <= FORFEITED or DEALER_BUST + DOUBLED <= code <= LOWER + DOUBLED
        twice = twice or code == NATURAL_FIRST + 1
        tally[T_WAGERED] += count * (2 * wager if twice else wager)
        if twice:
            tally[T_DOUBLES] += count
        if NATURAL_FIRST <= code < NATURAL_FIRST + 2 or code == SURRENDERED_NATURAL:
            tally[T_DEALER_NATURAL] += count
        if RANKS_ABOVE <= code < WAITED:
            tally[T_DEALER_NATURAL] += count
        if code == DEALER_BUST or code == DEALER_BUST + DOUBLED:
            tally[T_DEALER_BUST] += count
    tally[T_CARDS] += dealt


@plain
def look_up(table: Any, shoe: Any, place: Any, limit: Any, at: Any) -> Any:
    """Follow the table to the end of the round that is being played."""
    while at >= EDGE:
        if place >= limit:
            return SLOW_ROW, place
        at = np.uint64(table[at + (np.uint64(shoe[place]) & CLASS_BITS)])
        place += ONE
    return at, place


@plain
def count_shoe(words: Any, played: Any, counts: Any) -> Any:
    """Count the outcomes of a shoe's rounds."""
    for index in range(played):
        counts[(words[index] & CODE) // WIDTH] += 1


@plain
def walk(
    table: Any, forks: Any, shoes: Any, words: Any, ats: Any, places: Any, played: Any, room: Any, cut: Any
) -> Any:
    """Follow the table a card at a time in three shoes side by side, since each look-up waits for the one before it;
    of more the processor cannot keep all numbers at hand.

    After an outcome the table goes straight on with the next round, and each state is written down with its place but
    only outcomes are kept, so that there is no branch that depends on the cards but a rare one: it ends where one of
    the three comes to its cutting card, to a round for the general kernel or to a fork. Places count through all.
    """
    at, at1, at2 = ats[0], ats[1], ats[2]
    place, place1, place2 = places[0], places[1], places[2]
    n, n1, n2 = played[0], played[1], played[2]
    end = place + min(cut - place, room + cut - place1, np.uint64(2) * room + cut - place2)
    while place < end:
        card = np.uint64(shoes[place]) & CLASS_BITS
        card1 = np.uint64(shoes[place1]) & CLASS_BITS
        card2 = np.uint64(shoes[place2]) & CLASS_BITS
        place += ONE
        place1 += ONE
        place2 += ONE
        if forks is None:
            at = np.uint64(table[at + card])
            at1 = np.uint64(table[at1 + card1])
            at2 = np.uint64(table[at2 + card2])
            words[n] = (place << CODE_BITS) | at
            n += np.uint64(at < EDGE)
            words[n1] = (place1 << CODE_BITS) | at1
            n1 += np.uint64(at1 < EDGE)
            words[n2] = (place2 << CODE_BITS) | at2
            n2 += np.uint64(at2 < EDGE)
            if at == SLOW_ROW or at1 == SLOW_ROW or at2 == SLOW_ROW:
                break
        else:
            at = np.uint64(table[(at << SHIFT) | card])
            at1 = np.uint64(table[(at1 << SHIFT) | card1])
            at2 = np.uint64(table[(at2 << SHIFT) | card2])
            words[n] = (place << CODE_BITS) | at
            n += np.uint64(at < OUTCOME_ROWS)
            words[n1] = (place1 << CODE_BITS) | at1
            n1 += np.uint64(at1 < OUTCOME_ROWS)
            words[n2] = (place2 << CODE_BITS) | at2
            n2 += np.uint64(at2 < OUTCOME_ROWS)
            if at >= FORK_ROWS or at1 >= FORK_ROWS or at2 >= FORK_ROWS:
                break
    ats[0], ats[1], ats[2] = at, at1, at2
    places[0], places[1], places[2] = place, place1, place2
    played[0], played[1], played[2] = n, n1, n2


@kernel
def play_block_by_table(
    seed: Any, block: Any, rounds: Any, cards: Any, cutting_at: Any, burned: Any, table: Any, game: Any, plan: Any,
    sums: Any, tally: Any,
) -> Any:  # fmt: skip
    """The same rounds as `play_block` from a shoe with one box: a look-up a card, and the general kernel where none
    is. Three shoes are dealt side by side (`walk`)."""
    rules, pay = game[0], game[7]
    size = len(cards)
    spare = np.empty(2 * size, np.uint8)
    work = np.zeros(WORK, np.int64)
    net = np.zeros((BOXES_MAX, len(STREAMS)), np.int64)
    counts = np.zeros(FIRST_STATE, np.int64)
    log = np.zeros(1, np.int8)
    origin = stream_of(seed, block)
    drawn = np.uint64(min(size, cutting_at + STEP))
    most = cutting_at // 3 + 2  # rounds of a shoe: none has fewer than three cards
    cut, first, room = np.uint64(cutting_at), np.uint64(burned), np.uint64(size)
    done = np.int64(0)
    dealt = np.int64(0)
    shoes, words = np.zeros(LANES * size, np.uint8), np.zeros(LANES * size, np.uint64)
    lanes = (shoes[:size], shoes[size : 2 * size], shoes[2 * size :])
    ats, states, limits = np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64)
    places, played = np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64)
    open_shoes = 0
    while True:
        # a shoe follows on each that is finished while all its rounds are surely wanted
        for lane in range(LANES):
            base = np.uint64(lane) * room
            if open_shoes == LANES and places[lane] - base < cut:
                continue
            if open_shoes == LANES:
                dealt += np.int64(places[lane] - base)
                count_shoe(words[lane * size :], played[lane] - base, counts)
                done += np.int64(played[lane] - base)
            else:
                open_shoes += 1
            ats[lane], places[lane], played[lane], limits[lane] = START, base + cut, base, drawn
            if rounds - done >= (LANES + 1) * most:
                states[lane] = fresh_shoe(lanes[lane], cards, drawn, origin, sums[S_SHOES])
                sums[S_SHOES] += 1
                places[lane] = base + first
                dealt -= burned
        if rounds - done < (LANES + 1) * most:
            break
        walk(table, None, shoes, words, ats, places, played, room, cut)
        for lane in range(LANES):
            base, at, place = np.uint64(lane) * room, ats[lane], places[lane]
            if place - base >= cut and at >= EDGE:
                at, place = look_up(table, lanes[lane], place - base, limits[lane], at)
                place += base
                words[played[lane]] = (place << CODE_BITS) | at
                played[lane] += ONE
            if at == SLOW_ROW:
                begun = burned
                if played[lane] > base + ONE:
                    begun = np.int64((words[played[lane] - np.uint64(2)] >> CODE_BITS) - base)
                after, longer, states[lane] = play_slowly(
                    lanes[lane], np.int64(limits[lane]), begun, cards, burned, spare, states[lane], game, plan, work,
                    net, tally, log, sums,
                )  # fmt: skip
                if after < 0:
                    return np.int64(-1)
                place, limits[lane], at = base + np.uint64(after), np.uint64(longer), START
                words[played[lane] - ONE] = (place << CODE_BITS) | SLOW_ROW
                dealt -= after - begun
            ats[lane], places[lane] = at, place
    # what is left: the open shoes to their ends, then shoe after shoe to the last round
    lane = 0
    while done < rounds:
        shoe = lanes[min(lane, LANES - 1)]
        base = np.uint64(min(lane, LANES - 1)) * room
        limit, state = limits[min(lane, LANES - 1)], states[min(lane, LANES - 1)]
        begun = burned
        if lane >= LANES:
            state, limit = fresh_shoe(shoe, cards, drawn, origin, sums[S_SHOES]), drawn
            sums[S_SHOES] += 1
            dealt -= burned
        elif places[lane] - base < cut:
            count_shoe(words[lane * size :], played[lane] - base, counts)
            done += np.int64(played[lane] - base)
            begun = np.int64((words[played[lane] - ONE] >> CODE_BITS) - base) if played[lane] > base else burned
        else:
            begun = cutting_at
        open_shoe = begun < cutting_at
        while begun < cutting_at and done < rounds:
            at = np.uint64(table[np.uint64(shoe[begun]) & CLASS_BITS])
            at, place = look_up(table, shoe, np.uint64(begun) + ONE, limit, at)
            if at == SLOW_ROW:
                after, longer, state = play_slowly(
                    shoe, np.int64(limit), begun, cards, burned, spare, state, game, plan, work, net, tally, log, sums
                )
                if after < 0:
                    return np.int64(-1)
                place, limit = np.uint64(after), np.uint64(longer)
                dealt -= after - begun
            counts[at // WIDTH] += 1
            done += 1
            begun = np.int64(place)
        if open_shoe:
            dealt += begun
        lane += 1
    count_by_table(counts, dealt, rules[R_WAGER], pay, sums, tally)
    return done


@kernel
def play_fresh_by_table(
    seed: Any, block: Any, rounds: Any, cards: Any, cutting_at: Any, burned: Any, table: Any, game: Any, plan: Any,
    sums: Any, tally: Any,
) -> Any:  # fmt: skip
    """The same rounds as `play_block` from a device that has all cards back before each round."""
    rules, pay = game[0], game[7]
    size = len(cards)
    shoe = cards.copy()
    spare = np.empty(2 * size, np.uint8)
    work = np.zeros(WORK, np.int64)
    net = np.zeros((BOXES_MAX, len(STREAMS)), np.int64)
    counts = np.zeros(FIRST_STATE, np.int64)
    log = np.zeros(1, np.int8)
    state = draw_cards(shoe, size, 0, burned, stream_of(seed, block))
    sums[S_SHOES] += 1
    dealt = np.int64(0)
    first = np.uint64(burned)
    drawn = min(size, burned + STEP)
    for number in range(rounds):
        state = draw_cards(shoe, size, burned, drawn, state)
        at = np.uint64(table[np.uint64(shoe[first]) & CLASS_BITS])
        at, place = look_up(table, shoe, first + ONE, np.uint64(drawn), at)
        if at != SLOW_ROW:
            counts[at // WIDTH] += 1
            dealt += np.int64(place) - burned
            continue
        after, _, state = play_slowly(
            shoe, drawn, burned, cards, burned, spare, state, game, plan, work, net, tally, log, sums
        )
        if after < 0:
            return np.int64(number)
    count_by_table(counts, dealt, rules[R_WAGER], pay, sums, tally)
    return np.int64(rounds)


# --- the fast way with a count ---------------------------------------------------------------------------------------


@plain
def look_at_count(running: Any, left: Any, deck: Any, edges: Any, begins: Any, scales: Any, inverses: Any) -> Any:
    """The bucket of a count, and the count rounded down, as `bucket_of` and `whole_count` find them; without dividing.

    `begins` says for each whole count how many edges are surely reached; `scales` and `inverses` go by the cards left.
    """
    scale = scales[left]
    reached = running * deck
    whole = np.int64(np.floor(reached * inverses[left]))
    unit = scale * 1000
    if whole * unit > reached:
        whole -= 1
    elif (whole + 1) * unit <= reached:
        whole += 1
    shown = min(max(whole, np.int64(-SHOWN)), np.int64(SHOWN))
    bucket = begins[shown + SHOWN] if whole >= -SHOWN else 0
    while bucket < len(edges) and reached >= edges[bucket] * scale:
        bucket += 1
    return bucket, shown


@plain
def look_up_counted(
    table: Any, forks: Any, shoe: Any, place: Any, cut: Any, limit: Any, at: Any, runs: Any, quick: Any, edges: Any
) -> Any:
    """Go on from a fork by the count at that place; behind the cutting card, follow the table to the round's end."""
    deck, begins, scales, inverses = quick
    size = np.int64(len(shoe))
    while at >= FORK_ROWS or (place >= cut and at >= OUTCOME_ROWS):
        if at >= FORK_ROWS:
            left = size - np.int64(place)
            bucket, _ = look_at_count(np.int64(runs[place]), left, deck, edges, begins, scales, inverses)
            at = np.uint64(forks[at - FORK_ROWS, bucket])
        elif place >= limit:
            at = SLOW_NUMBER
        else:
            at = np.uint64(table[(at << SHIFT) | (np.uint64(shoe[place]) & CLASS_BITS)])
            place += ONE
    return at, place


@plain
def counts_along(shoe: Any, first: Any, last: Any, running: Any, tags: Any, runs: Any) -> Any:
    """The running count before each card from place `first` on, and after the last."""
    for place in range(first, last):
        runs[place] = running
        running += tags[shoe[place] & np.uint8(31)]
    runs[last] = running


@plain
def count_shoe_by_count(
    words: Any, played: Any, base: Any, begun: Any, size: Any, runs: Any, quick: Any, edges: Any,
    level_of: Any, levels: Any, counts: Any, dealt: Any, extra: Any,
) -> Any:  # fmt: skip
    """Count the outcomes of a shoe's rounds by the wager, and by the count at which each began."""
    deck, begins, scales, inverses = quick
    all_rules, all_pay = levels
    for index in range(played):
        at, start = np.int64(words[index] & CODE), begun
        begun = np.int64(words[index] >> CODE_BITS) - base
        if at == SLOW:
            continue
        bucket, shown = look_at_count(np.int64(runs[start]), size - start, deck, edges, begins, scales, inverses)
        level = level_of[bucket]
        spot = E_COUNTS + 4 * (shown + SHOWN)
        won = all_pay[level, at]
        counts[level, at] += 1
        dealt[level] += begun - start
        extra[spot] += 1
        extra[spot + 1] += all_rules[level, R_WAGER]
        extra[spot + 2] += won
        extra[spot + 3] += won * won


@plain
def play_counted_slowly(
    shoe: Any, limit: Any, start: Any, burned: Any, spare: Any, state: Any, running: Any, quick: Any, game: Any,
    levels: Any, plan: Any, count: Any, work: Any, net: Any, log: Any, sums: Any, tally: Any, extra: Any,
) -> Any:  # fmt: skip
    """One round by the general kernel from where the count stands: where it ended, cards drawn, chance."""
    deck, begins, scales, inverses = quick
    edges, level_of = count[1], count[3]
    all_rules, all_pay = levels
    (_, nxt, begin, doubled, totals, pairs, legal, _, opens, natural_rank, values, side_pay, shares) = game
    size = np.int64(len(shoe))
    behind = size - start
    bucket, shown = look_at_count(running, behind, deck, edges, begins, scales, inverses)
    level = level_of[bucket]
    rules, pay, counted = all_rules[level], all_pay[level], tally[level]
    now = (rules, nxt, begin, doubled, totals, pairs, legal, pay, opens, natural_rank, values, side_pay, shares)
    key = np.uint64(0)
    after, _ = play_round(shoe, limit, start, now, plan, key, work, net, counted, log, 0, count, running, behind, None)
    while after < 0 and limit < size:
        more = min(size, limit + STEP)
        state = draw_cards(shoe, size, limit, more, state)
        limit = more
        after, _ = play_round(
            shoe, limit, start, now, plan, key, work, net, counted, log, 0, count, running, behind, None
        )
    if after < 0:
        sums[0, S_RAN_OUT] += 1
        longer, state = run_out(shoe, spare, size, start, burned, state)
        after, _ = play_round(
            spare, longer, start, now, plan, key, work, net, counted, log, 0, count, running, behind, None
        )
        if after >= 0:
            after = size
    if after >= 0:
        add_up(1, net, sums[level])
        count_result(1, net, rules[R_WAGER], shown, extra)
    return after, limit, state


@kernel
def play_counted_by_table(
    seed: Any, block: Any, rounds: Any, cards: Any, cutting_at: Any, burned: Any, table: Any, forks: Any,
    first_row: Any, quick: Any, game: Any, levels: Any, plan: Any, count: Any, sums: Any, tally: Any, extra: Any,
) -> Any:  # fmt: skip
    """The same rounds as `play_block` from a shoe with one box and a count: a look-up a card, the count beside it.

    Where decisions hang on the count, and where the general kernel must play, the table leads to a fork, and the
    bucket says where it goes on. Three shoes are dealt side by side (`walk`).
    """
    tags, edges, numbers, level_of = count
    all_rules, all_pay = levels
    size = np.int64(len(cards))
    spare = np.empty(2 * size, np.uint8)
    work = np.zeros(WORK, np.int64)
    net = np.zeros((BOXES_MAX, len(STREAMS)), np.int64)
    log = np.zeros(1, np.int8)
    counts = np.zeros((len(all_rules), FIRST_STATE), np.int64)
    dealt = np.zeros(len(all_rules), np.int64)
    origin = stream_of(seed, block)
    drawn = min(size, np.int64(cutting_at + STEP))
    most = cutting_at // 3 + 2
    cut, first, room = np.uint64(cutting_at), np.uint64(burned), np.uint64(size)
    start_row = np.uint64(first_row)
    begin = np.int64(numbers[C_START])
    done = np.int64(0)
    shoes, words = np.zeros(LANES * size, np.uint8), np.zeros(LANES * size, np.uint64)
    runs = np.zeros((LANES, size + 1), np.int64)
    lanes = (shoes[:size], shoes[size : 2 * size], shoes[2 * size :])
    ats, states, limits = np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64)
    places, played = np.zeros(LANES, np.uint64), np.zeros(LANES, np.uint64)
    open_shoes = 0
    while True:
        for lane in range(LANES):
            base, whole = np.uint64(lane) * room, lane * size
            if open_shoes == LANES and places[lane] - base < cut:
                continue
            if open_shoes == LANES:
                number = np.int64(played[lane] - base)
                count_shoe_by_count(
                    words[whole:], number, whole, burned, size, runs[lane], quick, edges, level_of,
                    levels, counts, dealt, extra,
                )  # fmt: skip
                done += number
            else:
                open_shoes += 1
            ats[lane], places[lane], played[lane], limits[lane] = start_row, base + cut, base, np.uint64(drawn)
            if rounds - done >= (LANES + 1) * most:
                states[lane] = fresh_shoe(lanes[lane], cards, drawn, origin, sums[0, S_SHOES])
                sums[0, S_SHOES] += 1
                places[lane] = base + first
                counts_along(lanes[lane], burned, drawn, begin, tags, runs[lane])
        if rounds - done < (LANES + 1) * most:
            break
        walk(table, forks, shoes, words, ats, places, played, room, cut)
        for lane in range(LANES):
            base, whole = np.uint64(lane) * room, lane * size
            shoe, at, place = lanes[lane], ats[lane], places[lane] - base
            if at >= FORK_ROWS or (place >= cut and at >= OUTCOME_ROWS):
                at, place = look_up_counted(table, forks, shoe, place, cut, limits[lane], at, runs[lane], quick, edges)
                if at < OUTCOME_ROWS:
                    words[played[lane]] = ((base + place) << CODE_BITS) | at
                    played[lane] += ONE
            if at == SLOW_NUMBER:
                started = np.int64(burned)
                if played[lane] > base + ONE:
                    started = np.int64(words[played[lane] - np.uint64(2)] >> CODE_BITS) - whole
                after, longer, states[lane] = play_counted_slowly(
                    shoe, np.int64(limits[lane]), started, burned, spare, states[lane], runs[lane, started], quick,
                    game, levels, plan, count, work, net, log, sums, tally, extra,
                )  # fmt: skip
                if after < 0:
                    return np.int64(-1)
                place, limits[lane], at = np.uint64(after), np.uint64(longer), start_row
                words[played[lane] - ONE] = ((base + place) << CODE_BITS) | SLOW_NUMBER
            ats[lane], places[lane] = at, base + place
    # what is left: the open shoes to their ends, then shoe after shoe to the last round
    number = np.int64(0)
    while done < rounds:
        lane = int(number) if number < LANES else LANES - 1
        base, whole = np.uint64(lane) * room, lane * size
        shoe, limit, state = lanes[lane], limits[lane], states[lane]
        finished = np.int64(played[lane] - base)
        started = np.int64(places[lane]) - whole
        if number >= LANES:
            state, limit = fresh_shoe(shoe, cards, drawn, origin, sums[0, S_SHOES]), np.uint64(drawn)
            sums[0, S_SHOES] += 1
            counts_along(shoe, burned, drawn, begin, tags, runs[lane])
            finished, started = np.int64(0), np.int64(burned)
        elif started < cutting_at:
            started = np.int64(burned)
            if finished:
                started = np.int64(words[whole + finished - 1] >> CODE_BITS) - whole
        while started < cutting_at and done + finished < rounds:
            at, place = look_up_counted(
                table, forks, shoe, np.uint64(started), START, limit, start_row, runs[lane], quick, edges
            )
            if at == SLOW_NUMBER:
                after, longer, state = play_counted_slowly(
                    shoe, np.int64(limit), started, burned, spare, state, runs[lane, started], quick, game, levels,
                    plan, count, work, net, log, sums, tally, extra,
                )  # fmt: skip
                if after < 0:
                    return np.int64(-1)
                place, limit = np.uint64(after), np.uint64(longer)
            started = np.int64(place)
            words[whole + finished] = ((base + place) << CODE_BITS) | at
            finished += 1
        count_shoe_by_count(
            words[whole:], finished, whole, burned, size, runs[lane], quick, edges, level_of, levels,
            counts, dealt, extra,
        )  # fmt: skip
        done += finished
        number += 1
    for level in range(len(all_rules)):
        tally[level, T_CARDS] += dealt[level]
        count_by_table(counts[level], 0, all_rules[level, R_WAGER], all_pay[level], sums[level], tally[level])
    return done


@kernel
def layout() -> Any:
    """The numbers of other modules as they were compiled in."""
    return R_WAGER, R_LOG, ENDS, OUTCOMES, TALLY, S_LENGTH, CLASSES, FIRST_STATE, len(STREAMS)
