"""Many tables at once, one act each, on the simulator's kernel.

A table keeps its shoe and the acts of the round so far. A step plays the round again from its first card with one more
act, up to the next question: rounds are short, and so one kernel both simulates and teaches.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numba as nb
import numpy as np

from pitboss.learners import seeing
from pitboss.learners.seeing import (
    DECIDED,
    F_ACES,
    F_BONUS,
    F_CARDS,
    F_COMING,
    F_DEALER,
    F_HANDS,
    F_RANK,
    F_SEEN,
    F_SOFT,
    F_SPLIT,
    F_STAGE,
    F_TOTAL,
    F_VALUES,
    F_WAGER,
    FIRST_WAGER,
    FORFEIT,
    FORFEITING,
    INSURE,
    INSURING,
    KEEP,
    LENGTH,
    OVER,
    PASS,
    PLAYING,
    SURRENDER,
    WAGERING,
)
from pitboss.maths.exact.compiled import cache_folder
from pitboss.maths.simulate import cards, game, hands, kernels, outcomes
from pitboss.maths.simulate.game import R_WAGER, STREAMS
from pitboss.maths.simulate.kernels import (
    Q_FORMED,
    Q_KIND,
    Q_PENDING,
    Q_PLACE,
    Q_SPLIT,
    Q_STATE,
    Q_WHERE,
    draw_cards,
    fresh_shoe,
    play_round,
)
from pitboss.maths.simulate.kernels import plain as compiled

F = TypeVar("F", bound=Callable[..., Any])

RANKS = 13
SCRIPT = 96
"""Acts that a round may take; four hands of twelve cards would need fewer."""
AHEAD = 60
"""Cards drawn behind the cutting card at first, and again whenever they are too few."""

COMPILED_IN = (seeing, cards, game, hands, kernels, outcomes)


@cache
def folder() -> str:
    """Where the kernels of this file are kept: by what is in the files that they are compiled with.

    Numba asks only whether this file has changed, but the simulator's kernel is in another.
    """
    digest = sha256()
    for module in COMPILED_IN:
        digest.update(Path(str(module.__file__)).read_bytes())
    return str(cache_folder() / f"learners-{digest.hexdigest()[:16]}")


def plain(function: F) -> F:
    """The simulator's way to compile, kept in a folder of its own."""
    before = getattr(nb.config, "CACHE_DIR")  # noqa: B009 - it has this name only at run time
    try:
        setattr(nb.config, "CACHE_DIR", folder())  # noqa: B010 - as above
        return compiled(function)
    finally:
        setattr(nb.config, "CACHE_DIR", before)  # noqa: B010 - as above


(P_PLACE, P_LIMIT, P_SHOES, P_STAGE, P_LEVEL, P_SAID, P_HELD, P_PLAYED, P_AFTER, P_FRESH, P_LENGTH) = range(11)
"""Places in a table's row of numbers."""


@plain
def lay_cards(numbers: Any, shoe: Any, chance: Any, seen: Any, source: Any) -> Any:
    """Have cards ready for a round: a fresh shoe after the cutting card, or what a device gives."""
    cards, cutting_at, burned, device = source
    size = len(cards)
    numbers[P_SAID] = 0
    if device == 0:
        if numbers[P_FRESH] or numbers[P_PLACE] >= cutting_at:
            limit = min(size, cutting_at + AHEAD)
            chance[1] = fresh_shoe(shoe, cards, limit, chance[0], numbers[P_SHOES])
            numbers[P_LIMIT] = limit
            numbers[P_PLACE] = burned
            numbers[P_SHOES] += 1
            for rank in range(RANKS):
                seen[rank] = 0
    else:
        for rank in range(RANKS):
            seen[rank] = 0
        if numbers[P_FRESH]:
            chance[1] = fresh_shoe(shoe, cards, burned, chance[0], numbers[P_SHOES])
            numbers[P_SHOES] += 1
            numbers[P_HELD] = burned
        if device == 1:
            numbers[P_PLACE] = burned
            numbers[P_LIMIT] = min(size, burned + AHEAD)
            chance[1] = draw_cards(shoe, size, burned, numbers[P_LIMIT], chance[1])
        else:
            # the last round's cards come back after the initial deal
            held = numbers[P_HELD]
            chance[1] = draw_cards(shoe, size, held, held + 3, chance[1])
            for each in range(3):
                card = shoe[each]
                shoe[each] = shoe[held + each]
                shoe[held + each] = card
            numbers[P_PLACE] = 0
            numbers[P_LIMIT] = min(size, 3 + AHEAD)
            chance[1] = draw_cards(shoe, size, 3, numbers[P_LIMIT], chance[1])
    numbers[P_FRESH] = 0


@plain
def play_on(numbers: Any, shoe: Any, chance: Any, script: Any, source: Any, game: Any, plan: Any, scratch: Any) -> Any:
    """Play the round with what was said so far: -2 where something is asked, -3 where the cards ran out."""
    work, net, tally, log, question = scratch
    size = len(source[0])
    key = np.uint64(0)
    while True:
        after, _ = play_round(
            shoe, numbers[P_LIMIT], numbers[P_PLACE], game, plan, key, work, net, tally, log, 0, None, 0, 0,
            (script, numbers[P_SAID], question),
        )  # fmt: skip
        if after != -1:
            return after
        if numbers[P_LIMIT] >= size:
            return -3
        more = min(size, numbers[P_LIMIT] + AHEAD)
        chance[1] = draw_cards(shoe, size, numbers[P_LIMIT], more, chance[1])
        numbers[P_LIMIT] = more


@plain
def show(
    numbers: Any, shoe: Any, seen: Any, question: Any, features: Any, ranks: Any, values: Any, legal: Any, wagers: Any,
    row: Any, mask: Any,
) -> Any:  # fmt: skip
    """Write what a table's learner sees and may do."""
    for place in range(LENGTH):
        row[place] = 0
    for act in range(len(mask)):
        mask[act] = 0
    stage = numbers[P_STAGE]
    row[F_STAGE] = stage
    if stage == OVER:
        return
    for rank in range(RANKS):
        row[F_SEEN + rank] = seen[rank]
    if stage == WAGERING:
        for each in range(wagers):
            mask[FIRST_WAGER + each] = 1
        return
    start = numbers[P_PLACE]
    last = numbers[P_AFTER] if stage == DECIDED else question[Q_PLACE]
    for place in range(start, last):
        row[F_SEEN + ranks[shoe[place] & 31]] += 1
    row[F_WAGER] = numbers[P_LEVEL]
    if stage == DECIDED:
        mask[PASS] = 1
        return
    up = shoe[start + 1] & 31
    row[F_DEALER] = values[up]
    row[F_RANK] = ranks[up] + 1
    state = question[Q_STATE]
    for place in range(F_TOTAL, F_ACES + 1):
        row[place] = features[state, place]
    row[F_SPLIT] = question[Q_SPLIT]
    row[F_HANDS] = question[Q_FORMED]
    row[F_COMING] = question[Q_PENDING]
    if stage == PLAYING:
        bits = legal[question[Q_WHERE], state]
        for act in range(4):
            mask[act] = bits >> act & 1
    elif stage == FORFEITING:
        card = shoe[last - 1] & 31
        row[F_TOTAL] = question[Q_WHERE]
        row[F_SOFT] = 0
        row[F_CARDS] += 1
        row[F_VALUES + values[card] - 1] += 1
        row[F_BONUS] = 0
        mask[FORFEIT] = 1
        mask[KEEP] = 1
    elif stage == INSURING:
        mask[INSURE] = 1
        mask[PASS] = 1
    else:
        mask[SURRENDER] = 1
        mask[PASS] = 1


@plain
def game_at(game: Any, levels: Any, level: Any) -> Any:
    """The game with the payments of one amount."""
    (_, nxt, begin, doubled, totals, pairs, legal, _, opens, natural_rank, values, side_pay, shares) = game
    return (
        levels[0][level], nxt, begin, doubled, totals, pairs, legal, levels[1][level], opens, natural_rank, values,
        side_pay, shares,
    )  # fmt: skip


@plain
def ask_next(
    numbers: Any, shoe: Any, chance: Any, seen: Any, script: Any, source: Any, game: Any, levels: Any, plan: Any,
    scratch: Any, first: Any,
) -> Any:  # fmt: skip
    """Play to the next question or the end of the round; a round that no cards are left for is dealt anew."""
    while True:
        after = play_on(
            numbers, shoe, chance, script, source, game_at(game, levels, numbers[P_LEVEL]), plan, scratch
        )  # fmt: skip
        if after == -3:
            numbers[P_FRESH] = 1
            lay_cards(numbers, shoe, chance, seen, source)
            first = True
            continue
        if after == -2:
            numbers[P_STAGE] = scratch[4][Q_KIND]
        else:
            numbers[P_AFTER] = after
            numbers[P_STAGE] = DECIDED if first else OVER
        return


@plain
def step_tables(
    actions: Any, begins: Any, numbers: Any, shoes: Any, chances: Any, seen: Any, scripts: Any, source: Any, game: Any,
    levels: Any, plan: Any, scratch: Any, features: Any, ranks: Any, choices: Any, rounds: Any, penalty: Any,
    observations: Any, masks: Any, rewards: Any, over: Any,
) -> Any:  # fmt: skip
    """One act at every table; where `begins` is set, a new episode instead. Finished episodes begin anew at once."""
    values, legal = game[10], game[6]
    unit = np.float64(levels[0][0, R_WAGER])
    net = scratch[1]
    refused = 0
    for table in range(len(numbers)):
        row, shoe, script = numbers[table], shoes[table], scripts[table]
        rewards[table] = 0.0
        over[table] = False
        deals = False
        if begins[table]:
            row[P_PLAYED] = 0
            lay_cards(row, shoe, chances[table], seen[table], source)
            row[P_STAGE] = WAGERING
            row[P_LEVEL] = 0
            deals = choices == 1
        else:
            act = actions[table]
            if act < 0 or act >= masks.shape[1] or masks[table, act] == 0:
                rewards[table] = -penalty
                refused += 1
                continue
            ends = False
            if row[P_STAGE] == WAGERING:
                row[P_LEVEL] = act - FIRST_WAGER
                deals = True
            elif row[P_STAGE] == DECIDED:
                ask_next(row, shoe, chances[table], seen[table], script, source, game, levels, plan, scratch, True)
                ends = True
            else:
                script[row[P_SAID]] = act
                row[P_SAID] += 1
                ask_next(row, shoe, chances[table], seen[table], script, source, game, levels, plan, scratch, False)
                ends = row[P_STAGE] == OVER
            if ends:
                won = np.int64(0)
                for stream in range(len(STREAMS)):
                    won += net[0, stream]
                rewards[table] = won / unit
                for place in range(row[P_PLACE], row[P_AFTER]):
                    seen[table, ranks[shoe[place] & 31]] += 1
                row[P_PLACE] = row[P_AFTER]
                row[P_HELD] = row[P_AFTER]
                row[P_PLAYED] += 1
                if row[P_PLAYED] >= rounds:
                    over[table] = True
                    row[P_PLAYED] = 0
                lay_cards(row, shoe, chances[table], seen[table], source)
                row[P_STAGE] = WAGERING
                row[P_LEVEL] = 0
                deals = choices == 1
        if deals:
            ask_next(row, shoe, chances[table], seen[table], script, source, game, levels, plan, scratch, True)
        show(
            row, shoe, seen[table], scratch[4], features, ranks, values, legal, choices, observations[table],
            masks[table],
        )  # fmt: skip
    return refused
