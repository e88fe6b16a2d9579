"""From a compiled game and strategy to played blocks: the only place that calls the kernels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import numpy as np

from pitboss.basics.cards import Card
from pitboss.basics.money import dollars
from pitboss.maths.shoes import MathsError
from pitboss.maths.simulate import automaton
from pitboss.maths.simulate import game as g
from pitboss.maths.simulate.cards import card_of
from pitboss.maths.simulate.counting import Counting, compile_count, counted_strategies, quick_count
from pitboss.maths.simulate.game import STREAMS, Game, arrays, wager_levels
from pitboss.maths.simulate.hands import Array
from pitboss.maths.simulate.strategies import Strategy

ACTS = ("stand", "hit", "double", "split", "forfeit", "keep", "surrender", "no surrender", "insure", "no insurance")
"""Decisions by the number that the kernels write down."""


BANKROLL_MAX, TRIP_MAX = 100_000_000, 10_000_000
TOO_FEW = "the cards ran out twice in one round: take more decks, or fewer boxes."


class Block(NamedTuple):
    """What came of a block of rounds: whole numbers only, with a row for each amount wagered."""

    sums: Array
    tally: Array
    extra: Array
    """By count and by trip; empty where there is neither."""


class Bankroll(msgspec.Struct, frozen=True):
    """What a player brings, in cents, and how long they mean to play with it."""

    cents: int
    trip_rounds: int = 1000
    goal_cents: int = 0
    """Stop once it has grown to this; 0 for no such end."""


class Played(NamedTuple):
    """One round as it was played."""

    cards: tuple[Card, ...]
    """In the order in which they left."""
    decisions: tuple[str, ...]
    net_cents: tuple[dict[str, int], ...]
    """For each box what was won or lost, by stream."""
    last_of_shoe: bool
    """Whether a shuffle followed."""
    wager_cents: int
    """The original wager of every box."""


class Player:
    """A game with a strategy, ready for the kernels."""

    def __init__(
        self,
        game: Game,
        strategy: Strategy,
        by_table: bool = True,
        counting: Counting | None = None,
        bankroll: Bankroll | None = None,
    ) -> None:
        self.game, self.strategy, self.counting, self.bankroll = game, strategy, counting, bankroll
        by_table = by_table and game.device < 2 and bankroll is None
        self._table = automaton.build(game, strategy) if by_table and counting is None else None
        self._counted: automaton.Counted | None = None
        self.amounts = (game.options.wager_cents,) if counting is None else counting.amounts
        rules, pay = wager_levels(game, self.amounts)
        rules[:, g.R_RANDOM] = strategy.by_chance
        logged = rules.copy()
        logged[:, g.R_LOG] = 1
        self.pay = pay
        self._levels, self._logged_levels = (rules, pay), (logged, pay)
        self._arrays = (rules[0], *arrays(game)[1:])
        self._count = None
        plans = [strategy]
        if counting is not None:
            counter = compile_count(game, counting)
            self._count = (counter.tags, counter.edges, counter.numbers, counter.level)
            plans = counted_strategies(game, strategy, counting)
            self._quick = quick_count(game, counter)
            self._counted = automaton.build_counted(game, plans) if by_table and not game.device else None
        self._plan = tuple(
            np.stack([getattr(plan, name) for plan in plans])
            for name in ("decisions", "forfeits", "surrenders", "insures")
        )
        self._bank = None if bankroll is None else self._compiled(bankroll)
        self._nothing = (
            np.zeros(1, np.int8), np.zeros(1, np.int64), np.zeros((1, 1, 1), np.int64), np.zeros(1, np.uint8),
            np.zeros(1, np.int64), np.zeros(1, np.int64),
        )  # fmt: skip

    def _compiled(self, bankroll: Bankroll) -> Array:
        least = min(cents for cents in self.amounts if cents) * self.game.options.boxes
        if bankroll.cents < least:
            raise MathsError(f"a bankroll of {dollars(bankroll.cents)} does not cover {dollars(least)} a round.")
        if bankroll.cents > BANKROLL_MAX:
            raise MathsError(f"a bankroll of at most {dollars(BANKROLL_MAX)} is played with.")
        if not 1 <= bankroll.trip_rounds <= TRIP_MAX:
            raise MathsError(f"a trip of {bankroll.trip_rounds} rounds: give a number from 1 to {TRIP_MAX:,}.")
        if bankroll.goal_cents and bankroll.goal_cents <= bankroll.cents:
            raise MathsError("a goal is above the bankroll.")
        return np.array([bankroll.cents, bankroll.goal_cents, bankroll.trip_rounds, least], np.int64)

    @property
    def is_fast(self) -> bool:
        """Whether rounds are looked up in a table."""
        return self._table is not None or self._counted is not None

    def insured_cents(self, level: int) -> int:
        """What is put on insurance with an amount."""
        return int(self._levels[0][level, g.R_INSURED_CENTS])

    def block(self, seed: int, block: int, rounds: int) -> Block:
        """Play one block; which thread or machine plays it makes no difference."""
        if self._table is not None:
            return self._play_by_table(self._table.table, seed, block, rounds)
        if self._counted is not None:
            return self._play_counted(self._counted, seed, block, rounds)
        return self._play(self._levels, seed, block, rounds, self._nothing)

    def rounds(self, seed: int, rounds: int, block: int = 0) -> Iterator[Played]:
        """Play some rounds and tell each: its cards, decisions and money."""
        boxes = self.game.options.boxes
        logs = (
            np.zeros(rounds * boxes * 60, np.int8), np.zeros(rounds, np.int64),
            np.zeros((rounds, boxes, len(STREAMS)), np.int64), np.zeros(rounds * (boxes + 1) * 60, np.uint8),
            np.zeros(rounds, np.int64), np.zeros(rounds, np.int64),
        )  # fmt: skip
        if self.bankroll is not None:
            raise MathsError("rounds are told one by one without a bankroll only.")
        self._play(self._logged_levels, seed, block, rounds, logs)
        decisions, decision_ends, money, cards, card_ends, wagers = logs
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
                int(wagers[number]),
            )
            card, decision = last_card, int(decision_ends[number])
            if last_of_shoe:
                position = self.game.burned

    def _play(self, levels: tuple[Array, Array], seed: int, block: int, rounds: int, logs: tuple[Array, ...]) -> Block:
        from pitboss.maths.simulate import kernels

        game, rows = self.game, len(self.amounts)
        sums, tally = np.zeros((rows, kernels.S_LENGTH), np.int64), np.zeros((rows, kernels.TALLY), np.int64)
        wanted = self._count is not None or self._bank is not None
        extra = np.zeros(kernels.E_LENGTH if wanted else 1, np.int64)
        played = kernels.play_block(
            np.uint64(seed), np.uint64(block), rounds, game.cards, game.cutting_at, game.burned, game.device,
            self._arrays, levels, self._plan, self._count, self._bank, sums, tally, extra, *logs,
        )  # fmt: skip
        if played != rounds:
            raise MathsError(TOO_FEW)
        return Block(sums, tally, extra if wanted else extra[:0])

    def _play_by_table(self, table: Array, seed: int, block: int, rounds: int) -> Block:
        from pitboss.maths.simulate import kernels

        game = self.game
        sums, tally = np.zeros((1, kernels.S_LENGTH), np.int64), np.zeros((1, kernels.TALLY), np.int64)
        play = kernels.play_fresh_by_table if game.device else kernels.play_block_by_table
        played = play(
            np.uint64(seed), np.uint64(block), rounds, game.cards, game.cutting_at, game.burned, table, self._arrays,
            self._plan, sums[0], tally[0],
        )  # fmt: skip
        if played != rounds:
            raise MathsError(TOO_FEW)
        return Block(sums, tally, np.zeros(0, np.int64))

    def _play_counted(self, counted: automaton.Counted, seed: int, block: int, rounds: int) -> Block:
        from pitboss.maths.simulate import kernels

        game, rows = self.game, len(self.amounts)
        sums, tally = np.zeros((rows, kernels.S_LENGTH), np.int64), np.zeros((rows, kernels.TALLY), np.int64)
        extra = np.zeros(kernels.E_LENGTH, np.int64)
        played = kernels.play_counted_by_table(
            np.uint64(seed), np.uint64(block), rounds, game.cards, game.cutting_at, game.burned, counted.table,
            counted.forks, counted.start, self._quick, self._arrays, self._levels, self._plan, self._count, sums, tally,
            extra,
        )  # fmt: skip
        if played != rounds:
            raise MathsError(TOO_FEW)
        return Block(sums, tally, extra)
