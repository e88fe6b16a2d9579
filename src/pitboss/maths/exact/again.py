"""Splits of more than two hands by best joint play.

What is still to come hangs on the cards of the hands that are finished, on how many wait, and on how many are formed:
each such state is solved for every set of cards that finished hands can have, from the last hand back to the first.
Hands together take the same cards in many ways, so these are sets of cards and not courses of play. Where there are too
many (`ROWS`), hands that are split again stay with the policy, and nothing is proven above it.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import msgspec
import numpy as np

from pitboss.maths.exact import joint_kernels as jk
from pitboss.maths.exact.joint import AVERAGE, LEAST, MOST, NONE, SPADES, JointSplit, unions
from pitboss.maths.exact.openings import Openings
from pitboss.maths.exact.policy import PER_CARD, SplitBounds, SplitPlay
from pitboss.maths.exact.tables import Array
from pitboss.maths.exact.words import ACE, SUITED_RANKS

ROWS = 20_000_000
"""So many hands, each after so many sets of cards, are valued for one pair and one number of finished hands at most."""

NEAR = 0.02
"""How near a split must come to be looked at where that gives an estimate; in a small shoe, where cards matter more, it
is wider by `PER_CARD` over the number of cards."""
THREADS = 2
FORCED = 1e-9


class State(NamedTuple):
    """What is still to come, but for the cards that are gone."""

    waiting: int
    formed: int
    ended: bool


class TooMany(Exception):
    """More sets of cards than are looked at."""


class Proven(NamedTuple):
    """What splitting one pair against one up card brings."""

    value: float
    floor: float
    bounds: SplitBounds


def _between(worth: list[float], bounds: SplitBounds) -> Proven:
    """Where suits matter: the value as they come on the mean, or the bound that it would lie beyond."""
    return Proven(min(max(worth[AVERAGE], worth[LEAST]), bounds.most), worth[LEAST], bounds)


class Again(NamedTuple):
    """What a hand of two cards of the pair's value may do besides."""

    declined: Array
    split: list[Array]
    """By `modes`."""


class SplitAgain(JointSplit):
    """One pair split into up to `limit` hands, against some up cards."""

    def __init__(self, solver: SplitPlay, pair: int, ups: list[int], limit: int) -> None:
        super().__init__(solver, pair, ups, whole=True)
        self.limit = limit
        self.levels = [np.zeros((1, 10), np.int64)]
        """The sets of cards that 0, 1, 2, ... finished hands can have."""
        self.then: list[Array] = []
        """For each of these and each end of one hand more, the row of the next level."""
        while len(self.levels) < limit:
            self._deeper()
        self._known: dict[State, list[Array]] = {}
        self._again: Again | None = None
        self.forced = np.ones(len(self.lanes), np.bool_)
        """Whether no choice to split again turns on the ranks of ten-value cards."""

    def _deeper(self) -> None:
        """One finished hand more."""
        rows = self.levels[-1]
        if len(rows) * len(self.cards) > ROWS:
            raise TooMany
        uid, sets = unions(rows, self.cards)
        if len(sets) * self.number > ROWS:
            raise TooMany
        self.then.append(uid)
        self.levels.append(sets)

    # --- best play ---

    def proven(self) -> dict[int, Proven]:
        """Against each up card: what best play brings, and between which figures that lies."""
        found = self._worth(State(1, 2, False))
        answer: dict[int, Proven] = {}
        for lane, (up, owed) in enumerate(self.lanes):
            if owed:
                continue
            each = [float(worth[0, lane]) for worth in found]
            if len(each) == 1:
                answer[up] = Proven(each[0], each[0], SplitBounds(each[0], each[0], each[0]))
                continue
            if self.suited:
                answer[up] = _between(each, SplitBounds(each[MOST], each[MOST], each[NONE]))
                continue
            bounds = SplitBounds(each[MOST], each[SPADES], each[NONE])
            if self.pair == ACE and self.ranked and self._ranks_fair() and self._forced_at(up, bounds):
                bounds = SplitBounds(each[AVERAGE], each[AVERAGE], each[AVERAGE])
            answer[up] = Proven(each[AVERAGE], each[AVERAGE], bounds)
        return answer

    def _ranks_fair(self) -> bool:
        """Whether a rank above the dealer's brings as much more than the same as one below brings less."""
        higher, same, lower = self.rules.natural_rows
        return higher - same == same - lower

    def _forced_at(self, up: int, bounds: SplitBounds) -> bool:
        """Whether neither splitting nor splitting again turns on ranks, whatever they are."""
        otherwise = self.solver._otherwise(self.pair, up)
        whole = bounds.none >= otherwise or bounds.most <= otherwise
        lanes = [lane for lane, (mine, _) in enumerate(self.lanes) if mine == up]
        return whole and bool(self.forced[lanes].all())

    def _worth(self, state: State) -> list[Array]:
        """What is still to come after each set of cards of the hands that are finished, by `modes`."""
        known = self._known.get(state)
        if known is None:
            known = self._known[state] = self._solved(state)
        return known

    def _solved(self, state: State) -> list[Array]:
        place = state.formed - state.waiting - 1
        taken = self.levels[place] + state.waiting * self.start
        again = state.formed < self.limit and not state.ended
        after = self._after(state, state.ended)
        declined = self._after(state, True) if again and self.rules.declined_ends else after
        ways = self._all_ways(taken, after, place)
        last = ways if declined is after else self._all_ways(taken, declined, place)
        split = self._worth(State(state.waiting + 1, state.formed + 1, state.ended)) if again else None
        found: list[Array] = []
        for number, mode in enumerate(self.modes):
            self._again = None if split is None else Again(last[number], split)
            then = None if after is None else self.then[place]
            found.append(self._hand(taken, ways[number], mode, None if after is None else after[number], then))
        if split is not None and self.ranked:
            self._note_forced(taken, last, split)
        return found

    def _after(self, state: State, ended: bool) -> list[Array] | None:
        return self._worth(State(state.waiting - 1, state.formed, ended)) if state.waiting else None

    def _all_ways(self, taken: Array, after: list[Array] | None, place: int) -> list[Array]:
        if after is None:
            return [self._play(taken, None)] * len(self.modes)
        found: list[Array] = []
        for number, each in enumerate(after):
            same = next((other for other in range(number) if np.array_equal(after[other], each)), None)
            found.append(self._play(taken, each, self.then[place]) if same is None else found[same])
        return found

    def _cases(self, second: int, lane: int, taken: Array, ways: Array, mode: int) -> list[tuple[float, Array]]:
        """As for two hands; a pair may be split again."""
        if self._again is None or second != self.pair:
            return super()._cases(second, lane, taken, ways, mode)
        again = self._again
        cases = super()._cases(second, lane, taken, again.declined, mode)
        split = [worth[:, lane] for worth in again.split]
        if mode in (MOST, LEAST):
            return [(1.0, sum(share * np.maximum(worth, split[mode]) for share, worth in cases))]
        return [(1.0, np.maximum(sum(share * worth for share, worth in cases), split[mode]))]

    def _note_forced(self, taken: Array, last: list[Array], split: list[Array]) -> None:
        """Note where splitting again could turn on ranks."""
        pair = self.pair
        for lane in range(len(self.lanes)):
            most = sum(share * worth for share, worth in super()._cases(pair, lane, taken, last[MOST], MOST))
            none = sum(share * worth for share, worth in super()._cases(pair, lane, taken, last[NONE], NONE))
            there = (taken[:, pair] + 2 <= self.solver.left[pair]) & (most > jk.NEVER / 2)
            better = split[NONE][:, lane] >= most - FORCED
            worse = split[MOST][:, lane] <= none + FORCED
            self.forced[lane] &= bool((better | worse | ~there).all())


# --- all pairs of a shoe ---


def play_jointly(solver: Openings, progress: Callable[[str], None] | None) -> None:
    """Put best joint play in the place of the policy: every pair against every up card, nothing passed over.

    Where sets of cards are too many, what joint play gains on two hands is taken to come once for every two of the
    hands that are formed, since hands touch two by two: near the truth, on either side.
    """
    pairs = sorted({pair for pair, _ in solver.splits})
    two: SplitPlay = solver
    if solver.rules.hands_max > 2:
        two = SplitPlay(msgspec.structs.replace(solver.rules, hands_max=2), solver.shoe)
        two.every_split = True
        two._play()
    done = 0

    def played(pair: int) -> None:
        nonlocal done
        ups = [up for first, up in solver.splits if first == pair]
        _play_pair(solver, two, pair, ups)
        done += 1
        if progress is not None:
            progress(f"joint play of split pairs, {done} of {len(pairs)} done; the low pairs take longest")

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(played, pairs))


def _play_pair(solver: Openings, two: SplitPlay, pair: int, ups: list[int]) -> None:
    limit = solver._limit(pair)
    proven: dict[int, Proven] = {}
    if limit > 2:
        try:
            proven = SplitAgain(solver, pair, ups, limit).proven()
        except TooMany:
            margin = NEAR + PER_CARD / solver.size
            near = [up for up in ups if solver.splits[pair, up].value > solver._otherwise(pair, up) - margin]
            for up, worth in JointSplit(two, pair, near, whole=False).values().items() if near else ():
                split = solver.splits[pair, up]
                gain = worth[AVERAGE] - two.splits[pair, up].value
                solver.splits[pair, up] = split._replace(value=split.value + gain * split.pairs)
            return
    else:
        for up, worth in JointSplit(solver, pair, ups, whole=True).values().items():
            bounds = SplitBounds(worth[MOST], worth[SPADES], worth[NONE])
            plain = Proven(worth[AVERAGE], worth[AVERAGE], bounds)
            proven[up] = _between(worth, bounds) if pair in SUITED_RANKS else plain
    for up, each in proven.items():
        split = solver.splits[pair, up]
        solver.splits[pair, up] = split._replace(value=each.value, floor=each.floor, bounds=each.bounds)
