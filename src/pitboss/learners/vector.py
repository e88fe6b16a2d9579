"""Many tables at once for Gymnasium's vector interface, on the simulator's kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from pitboss.basics.cards import RANKS
from pitboss.learners import seeing as see
from pitboss.learners.seats import checked_amounts
from pitboss.learners.seeing import Array
from pitboss.maths.questions import known_rulebook
from pitboss.maths.simulate.cards import CLASS_RANKS
from pitboss.maths.simulate.game import BOXES_MAX, STREAMS, Game, Options, arrays, compile_game, wager_levels
from pitboss.maths.simulate.hands import MIXED
from pitboss.maths.simulate.strategies import blank

Seen = dict[str, Array]


class TablesEnv(VectorEnv):  # type: ignore[misc, type-arg, unused-ignore]
    """So many tables with a box each. A finished episode begins anew in the same step; its last observation is in
    `info["final_obs"]`.

    Observations, acts and rewards are those of `BoxEnv`; an act that is not open changes nothing and costs `refused`.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 - Gymnasium's own way to declare it

    def __init__(
        self, num_envs: int = 1, rulebook: str = "nsw-pontoon", *, wagers: Sequence[float] = (10,), decks: int = 0,
        source: str = "shoe", behind: int = -1, resplit: bool = False, rounds: int = 1, refused: float = 1.0,
        render_mode: str | None = None,
    ) -> None:  # fmt: skip
        from pitboss.learners import stepping

        self.num_envs, self.render_mode = num_envs, render_mode
        self.amounts = checked_amounts(wagers)
        options = Options(
            decks=decks, source=source, wager_cents=self.amounts[0], behind=behind, resplit=resplit,
            minimum_cents=min(self.amounts),
        )  # fmt: skip
        self.game = compile_game(known_rulebook(rulebook), options)
        self.single_observation_space, self.single_action_space = see.spaces_of(self.amounts)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.rounds, self.penalty = rounds, refused
        game, plan = self.game, blank(self.game, "asks")
        self._source = (game.cards, game.cutting_at, game.burned, game.device)
        self._game = arrays(game)
        self._levels = wager_levels(game, self.amounts)
        self._plan = tuple(
            each[None] for each in (plan.decisions, plan.forfeits, plan.surrenders, plan.insures)
        )  # fmt: skip
        self._features = features_of(game)
        self._ranks = np.array([*(RANKS.index(rank) for rank in CLASS_RANKS), *[0] * (32 - len(CLASS_RANKS))], np.int64)
        self._numbers = np.zeros((num_envs, stepping.P_LENGTH), np.int64)
        self._shoes = np.tile(game.cards, (num_envs, 1))
        self._chances = np.zeros((num_envs, 2), np.uint64)
        self._seen = np.zeros((num_envs, len(RANKS)), np.int16)
        self._scripts = np.zeros((num_envs, stepping.SCRIPT), np.int8)
        self._scratch = _scratch()
        acts = len(see.acts_of(self.amounts))
        self._rows, self._masks = np.zeros((num_envs, see.LENGTH), np.int16), np.zeros((num_envs, acts), np.int8)
        self._rewards, self._over = np.zeros(num_envs), np.zeros(num_envs, np.bool_)
        self._generator: np.random.Generator | None = None

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begin an episode at every table with fresh cards, or where the option `reset_mask` says so."""
        from pitboss.learners.stepping import P_FRESH
        from pitboss.maths.simulate.kernels import stream_of

        begins = np.ones(self.num_envs, np.bool_)
        if options and "reset_mask" in options:
            begins = np.asarray(options["reset_mask"], np.bool_)
        if self._generator is None or isinstance(seed, int):
            self._generator, _ = seeding.np_random(seed if isinstance(seed, int) else None)
        drawn = self._generator.integers(1 << 62, size=self.num_envs, dtype=np.uint64)
        seeds = seed if isinstance(seed, list) else [None] * self.num_envs
        for table in np.flatnonzero(begins).tolist():
            own = seeds[table]
            start = drawn[table] if own is None else np.uint64(own)
            self._chances[table, 0] = stream_of(start, np.uint64(0))
            self._numbers[table] = 0
            self._numbers[table, P_FRESH] = 1
        self._play(np.zeros(self.num_envs, np.int64), begins, np.flatnonzero(~begins).size > 0)
        return self._observed(), {"action_mask": self._masks.copy()}

    def step(self, actions: Any) -> tuple[Seen, Array, Array, Array, dict[str, Any]]:
        """One act at every table."""
        chosen = np.asarray(actions, np.int64)
        if chosen.shape != (self.num_envs,):
            raise gymnasium.error.InvalidAction(f"{self.num_envs} acts are wanted, one for each table")
        self._play(chosen, np.zeros(self.num_envs, np.bool_), False)
        info: dict[str, Any] = {"action_mask": self._masks.copy()}
        if self._over.any():
            info["final_obs"] = self._final()
            info["_final_obs"] = self._over.copy()
        return self._observed(), self._rewards.copy(), self._over.copy(), np.zeros(self.num_envs, np.bool_), info

    def _play(self, actions: Array, begins: Array, some: bool) -> None:
        from pitboss.learners.stepping import step_tables

        kept = (self._rows.copy(), self._masks.copy()) if some else None
        if some:
            actions[:] = -1  # tables that do not begin anew are left as they are
        step_tables(
            actions, begins, self._numbers, self._shoes, self._chances, self._seen, self._scripts, self._source,
            self._game, self._levels, self._plan, self._scratch, self._features, self._ranks, len(self.amounts),
            self.rounds, self.penalty, self._rows, self._masks, self._rewards, self._over,
        )  # fmt: skip
        if kept is not None:
            self._rows[~begins], self._masks[~begins] = kept[0][~begins], kept[1][~begins]

    def _observed(self) -> Seen:
        return {"observation": self._rows.copy(), "action_mask": self._masks.copy()}

    def _final(self) -> Seen:
        rows = np.zeros_like(self._rows)
        rows[self._over, see.F_STAGE] = see.OVER
        return {"observation": rows, "action_mask": np.zeros_like(self._masks)}


def features_of(game: Game) -> Array:
    """[hand, place in an observation]: what is known of each numbered hand."""
    table = np.zeros((len(game.hands.hands), see.LENGTH), np.int16)
    for number, hand in enumerate(game.hands.hands):
        if hand is None:
            continue
        row = table[number]
        row[see.F_TOTAL], row[see.F_SOFT], row[see.F_CARDS] = hand.total, hand.soft, hand.cards
        row[see.F_VALUES : see.F_VALUES + 10] = hand.counts
        row[see.F_ACES] = hand.first_aces
        if hand.bonus:
            kind = 0 if hand.suit == MIXED else 2 if hand.suit == 0 else 1
            row[see.F_BONUS] = kind + (4 if hand.bonus == "777" else 1)
    return table


def _scratch() -> tuple[Array, ...]:
    from pitboss.maths.simulate import kernels as k

    return (
        np.zeros(k.WORK, np.int64), np.zeros((BOXES_MAX, len(STREAMS)), np.int64), np.zeros(k.TALLY, np.int64),
        np.zeros(1, np.int8), np.zeros(k.Q_LENGTH, np.int64),
    )  # fmt: skip
