"""Compiled kernels that play sessions and whole tournaments by the tables of a round.

A round draws the dealer's first card and end, then everybody's result given both. Every session has random numbers of
its own, found from the seed and its number, so that structures and wagers are compared on the same luck.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.maths.exact.compiled import njit
from pitboss.maths.simulate.kernels import GAMMA, mixed

Array = Any

MINIMUM, MAXIMUM, STEADY, RANDOM, CHASE = range(5)
"""How somebody wagers."""
LATE = 3
"""Who chases does so in this many last rounds, and wagers the minimum before."""
ALIVE = 10**13
OUT_IN = 10**11
"""A standing: above everybody who is out stands who has chips; who went out later stands above who went earlier."""


@njit
def number_from(state: Any) -> Any:
    """A number from 0 up to 1, from a mixed state."""
    return np.float64(mixed(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit
def wager_by(
    style: int, seat: int, chips: Array, out: Array, places: int, late: bool, least: int, most: int, step: int,
    state: Any,
) -> Any:  # fmt: skip
    """What a player wagers: units of the minimum within limits and chips, and at most what is a multiple of `step`."""
    mine = chips[seat]
    highest = min(most, mine) // step * step
    wanted: Any = least
    if style == MAXIMUM:
        return highest
    if style == STEADY:
        wanted = mine // 10
    elif style == RANDOM:
        wanted = least + np.int64(number_from(state) * (max(mine // 5, least) - least + 1))
    elif style == CHASE and late:
        above = 0
        for other in range(len(chips)):
            if other != seat and out[other] < 0 and chips[other] >= mine:
                above += 1
        if above >= places:
            last = np.int64(0)
            for other in range(len(chips)):
                if other == seat or out[other] >= 0:
                    continue
                ahead = 0
                for third in range(len(chips)):
                    if third not in (seat, other) and out[third] < 0 and chips[third] > chips[other]:
                        ahead += 1
                if ahead < places:
                    last = chips[other] if last == 0 else min(last, chips[other])
            wanted = (last - mine) // least * least + least
    return min(max(wanted // least, 1) * least, highest)


@njit
def play_session(
    chips: Array, styles: Array, plays: Array, fixed: Array, rounds: int, marker: int, places: int, limits: Array,
    unit: int, chip: int, results: Array, spread: Array, pairs: Array, below: Array, state: Any, out: Array,
    last: Array,
) -> Any:  # fmt: skip
    """Play rounds until they are over or nobody but one is left; `chips` change, `out` gets the round somebody went.

    `fixed[seat]` is what they wager in the first round where it is known, else -1. `spread` adds up the chances of a
    dealer's card and end, `pairs` says which; `below[play, level, up, end]` adds up those of results. The seconds of
    play are told in rounds and in hands.
    """
    players = len(chips)
    hands = 0
    played = 0
    wagers = np.zeros(players, np.int64)
    levels = below.shape[1] - 1
    for number in range(rounds):
        least, most, step = limits[min(number, len(limits) - 1)]
        there = 0
        for seat in range(players):
            if out[seat] < 0 and chips[seat] < least:
                out[seat] = number
            if out[seat] < 0:
                there += 1
        if there <= 1 and number > 0:
            break
        late = rounds - number <= LATE
        for turn in range(players):
            seat = (marker + number + turn) % players
            state += GAMMA
            wagers[seat] = 0
            if out[seat] < 0:
                if number == 0 and fixed[seat] >= 0:
                    wagers[seat] = fixed[seat]
                else:
                    wagers[seat] = wager_by(styles[seat], seat, chips, out, places, late, least, most, step, state)
        state += GAMMA
        drawn = np.searchsorted(spread, number_from(state) * spread[-1], side="right")
        up, end = pairs[drawn, 0], pairs[drawn, 1]
        for seat in range(players):
            state += GAMMA
            wager = wagers[seat]
            if wager == 0:
                continue
            hands += 1
            level = min((chips[seat] - wager) // wager, levels)
            row = below[plays[seat], level, up, end]
            k = np.searchsorted(row, number_from(state) * row[-1], side="right")
            won = results[k] * wager
            part = unit * chip
            chips[seat] = max(chips[seat] - (-won // part) * chip, 0)
            last[seat] = wager // least
        played += 1
    for seat in range(players):
        if out[seat] < 0 and chips[seat] < 1:  # no round comes for which the minimum were wanted
            out[seat] = rounds
    return played, hands


@njit
def standing(seat: int, chips: Array, out: Array, last: Array, by_wager: bool) -> Any:
    """Larger is better: chips; who is out by the round, what is left and, where the rules say so, the last wager."""
    if out[seat] < 0:
        return ALIVE + chips[seat] * 1000
    ranked = chips[seat] * 1000 + min(last[seat], 999) if by_wager else np.int64(0)
    return out[seat] * OUT_IN // 1000 + min(ranked, OUT_IN // 1000 - 1)


@njit
def share_of_session(
    me: int, places: int, games: int, first: int, seed: int, start: Array, styles: Array, plays: Array, fixed: Array,
    rounds: int, limits: Array, unit: int, chip: int, results: Array, spread: Array, pairs: Array, below: Array,
    by_wager: bool,
) -> tuple[Any, Any]:  # fmt: skip
    """Play a session many times: the sums of my share of a place, and of its square; who is tied shares."""
    players = len(start)
    once, twice = 0.0, 0.0
    out, last = np.zeros(players, np.int64), np.zeros(players, np.int64)
    for game in range(games):
        state = mixed(mixed(np.uint64(seed) + GAMMA) + np.uint64(first + game) * GAMMA)
        chips = start.copy()
        out[:] = -1
        last[:] = 0
        play_session(
            chips, styles, plays, fixed, rounds, 0, places, limits, unit, chip, results, spread, pairs, below, state,
            out, last,
        )  # fmt: skip
        mine = standing(me, chips, out, last, by_wager)
        above, even = 0, 0
        for other in range(players):
            if other != me:
                theirs = standing(other, chips, out, last, by_wager)
                above += theirs > mine
                even += theirs == mine
        share = 0.0
        if above < places:
            share = min(1.0, (places - above) / (even + 1.0))
        once += share
        twice += share * share
    return once, twice


@njit
def play_tournament(
    entrants: int, better: int, stages: Array, limits: Array, chips_each: int, carried: bool, style_better: int,
    play_better: int, style_field: int, play_field: int, unit: int, chip: int, results: Array, spread: Array,
    pairs: Array, below: Array, by_wager: bool, seed: int, number: int, seconds: Array, ended: Array, reached: Array,
    order: Array,
) -> Any:  # fmt: skip
    """Play one tournament. `stages[s]`: tables, rounds, how many advance, where to, the repechage (-1 for none).

    `ended[s, player]` gets the chips that somebody ended a stage with (-1 where they did not play in it), `reached`
    the last stage of everybody, `order` the players from the first place down. The seconds that it takes come back:
    those of the slowest table of each stage. `seconds`: of each round, of each hand, between stages.
    """
    state = mixed(mixed(np.uint64(seed) + GAMMA) + np.uint64(number) * GAMMA)
    count = np.zeros(len(stages) + 1, np.int64)
    queue = np.zeros((len(stages), entrants), np.int64)
    for player in range(entrants):
        queue[0, player] = player
    count[0] = entrants
    keys = np.zeros(entrants, np.int64)
    kept = np.full(entrants, chips_each, np.int64)
    ended[:] = -1
    reached[:] = 0
    time = 0.0
    for stage in range(len(stages)):
        tables, rounds, advance, follows, repechage = stages[stage]
        there = count[stage]
        if there == 0:
            continue
        for place in range(there - 1, 0, -1):
            state += GAMMA
            other = np.int64(number_from(state) * (place + 1))
            held = queue[stage, place]
            queue[stage, place] = queue[stage, other]
            queue[stage, other] = held
        slowest = 0.0
        for table in range(min(tables, there)):
            size = (there - table + tables - 1) // tables
            who = np.zeros(size, np.int64)
            chips, styles, plays = np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(size, np.int64)
            for seat in range(size):
                player = queue[stage, table + seat * tables]
                who[seat] = player
                chips[seat] = kept[player] if carried else chips_each
                styles[seat] = style_better if player < better else style_field
                plays[seat] = play_better if player < better else play_field
            out, last = np.full(size, -1, np.int64), np.zeros(size, np.int64)
            fixed = np.full(size, -1, np.int64)
            state += GAMMA
            played, hands = play_session(
                chips, styles, plays, fixed, rounds, 0, max(advance, 1), limits[stage], unit, chip, results, spread,
                pairs, below, mixed(state), out, last,
            )  # fmt: skip
            slowest = max(slowest, played * seconds[0] + hands * seconds[1])
            standings = np.zeros(size, np.float64)
            for seat in range(size):
                state += GAMMA
                standings[seat] = standing(seat, chips, out, last, by_wager) + number_from(state) * 0.5
            ranked = np.argsort(-standings)
            for place in range(size):
                seat = ranked[place]
                player = who[seat]
                ended[stage, player] = chips[seat] if out[seat] < 0 else 0
                reached[player] = max(reached[player], stage)
                kept[player] = chips[seat]
                keys[player] = np.int64(standings[seat])
                if place < advance and follows >= 0:
                    queue[follows, count[follows]] = player
                    count[follows] += 1
                elif place >= advance and repechage >= 0:
                    queue[repechage, count[repechage]] = player
                    count[repechage] += 1
        time += slowest + (seconds[2] if stage + 1 < len(stages) else 0.0)
    best = np.zeros(entrants, np.float64)
    for player in range(entrants):
        state += GAMMA
        best[player] = reached[player] * 2.0e13 + keys[player] * 1.0 + number_from(state) * 0.25
    order[:] = np.argsort(-best)
    return time
