"""From a compiled game and strategy to played blocks: the only place that calls the kernels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from pitboss.basics.cards import Card
from pitboss.maths.shoes import MathsError
from pitboss.maths.simulate import automaton
from pitboss.maths.simulate import game as g
from pitboss.maths.simulate.cards import card_of
from pitboss.maths.simulate.game import STREAMS, Game, arrays
from pitboss.maths.simulate.hands import Array
from pitboss.maths.simulate.strategies import Strategy

ACTS = ("stand", "hit", "double", "split", "forfeit", "keep", "surrender", "no surrender", "insure", "no insurance")
"""Decisions by the number that the kernels write down."""


TOO_FEW = "the cards ran out twice in one round: take more decks, or fewer boxes."


class Block(NamedTuple):
    """What came of a block of rounds: whole numbers only."""

    sums: Array
    tally: Array


class Played(NamedTuple):
    """One round as it was played."""

    cards: tuple[Card, ...]
    """In the order in which they left."""
    decisions: tuple[str, ...]
    net_cents: tuple[dict[str, int], ...]
    """For each box what was won or lost, by stream."""
    last_of_shoe: bool
    """Whether a shuffle followed."""


class Player:
    """A game with a strategy, ready for the kernels."""

    def __init__(self, game: Game, strategy: Strategy, by_table: bool = True) -> None:
        self.game, self.strategy = game, strategy
        self._table = automaton.build(game, strategy) if by_table and game.device < 2 else None
        rules = game.rules.copy()
        rules[g.R_RANDOM] = strategy.by_chance
        self._arrays = (rules, *arrays(game)[1:])
        logged = rules.copy()
        logged[g.R_LOG] = 1
        self._logged_arrays = (logged, *self._arrays[1:])
        self._nothing = (
            np.zeros(1, np.int8), np.zeros(1, np.int64), np.zeros((1, 1, 1), np.int64), np.zeros(1, np.uint8),
            np.zeros(1, np.int64),
        )  # fmt: skip

    def block(self, seed: int, block: int, rounds: int) -> Block:
        """Play one block; which thread or machine plays it makes no difference."""
        if self._table is not None:
            return self._play_by_table(self._table.table, seed, block, rounds)
        return self._play(self._arrays, seed, block, rounds, self._nothing)

    def rounds(self, seed: int, rounds: int, block: int = 0) -> Iterator[Played]:
        """Play some rounds and tell each: its cards, decisions and money."""
        boxes = self.game.options.boxes
        logs = (
            np.zeros(rounds * boxes * 60, np.int8), np.zeros(rounds, np.int64),
            np.zeros((rounds, boxes, len(STREAMS)), np.int64), np.zeros(rounds * (boxes + 1) * 60, np.uint8),
            np.zeros(rounds, np.int64),
        )  # fmt: skip
        self._play(self._logged_arrays, seed, block, rounds, logs)
        decisions, decision_ends, money, cards, card_ends = logs
        decision, card, position = 0, 0, self.game.burned
        for number in range(rounds):
            last_card = int(card_ends[number])
            position += last_card - card
            last_of_shoe = not self.game.device and position >= self.game.cutting_at
            yield Played(
                tuple(card_of(int(code)) for code in cards[card:last_card]),
                tuple(ACTS[int(act)] for act in decisions[decision : int(decision_ends[number])]),
                tuple(
                    {name: int(cents) for name, cents in zip(STREAMS, box, strict=True) if cents}
                    for box in money[number]
                ),
                last_of_shoe,
            )
            card, decision = last_card, int(decision_ends[number])
            if last_of_shoe:
                position = self.game.burned

    def _play(self, numbers: tuple[Any, ...], seed: int, block: int, rounds: int, logs: tuple[Array, ...]) -> Block:
        from pitboss.maths.simulate import kernels

        game, strategy = self.game, self.strategy
        plan = (strategy.decisions, strategy.forfeits, strategy.surrenders, strategy.insures)
        sums, tally = np.zeros(kernels.S_LENGTH, np.int64), np.zeros(kernels.TALLY, np.int64)
        played = kernels.play_block(
            np.uint64(seed), np.uint64(block), rounds, game.cards, game.cutting_at, game.burned, game.device, numbers,
            plan, sums, tally, *logs,
        )  # fmt: skip
        if played != rounds:
            raise MathsError(TOO_FEW)
        return Block(sums, tally)

    def _play_by_table(self, table: Array, seed: int, block: int, rounds: int) -> Block:
        from pitboss.maths.simulate import kernels

        game, strategy = self.game, self.strategy
        plan = (strategy.decisions, strategy.forfeits, strategy.surrenders, strategy.insures)
        sums, tally = np.zeros(kernels.S_LENGTH, np.int64), np.zeros(kernels.TALLY, np.int64)
        play = kernels.play_fresh_by_table if game.device else kernels.play_block_by_table
        played = play(
            np.uint64(seed), np.uint64(block), rounds, game.cards, game.cutting_at, game.burned, table, self._arrays,
            plan, sums, tally,
        )  # fmt: skip
        if played != rounds:
            raise MathsError(TOO_FEW)
        return Block(sums, tally)
