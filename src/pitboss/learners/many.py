"""Several boxes at one table of the engine, each with a learner of its own, for PettingZoo: an agent acts at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from pitboss.learners import seeing as see
from pitboss.learners.seats import Seats
from pitboss.learners.seeing import Array


def boxes_env(rulebook: str = "nsw-pontoon", boxes: int = 3, **options: Any) -> Any:
    """The environment with PettingZoo's guards around it: illegal acts and calls out of order are told."""
    from pettingzoo.utils import wrappers

    guarded: Any = BoxesEnv(rulebook, boxes, **options)
    guarded = wrappers.TerminateIllegalWrapper(guarded, illegal_reward=-guarded.penalty)
    guarded = wrappers.AssertOutOfBoundsWrapper(guarded)
    return wrappers.OrderEnforcingWrapper(guarded)


class BoxesEnv(AECEnv):  # type: ignore[misc, unused-ignore]
    """A round for several boxes, asked in the order in which the table asks them.

    Each agent sees its own hand, the dealer's first card and the cards seen; all get their reward at the end of the
    round. Where there is a choice of wagers all make it first, from the dealer's left.
    """

    metadata = {"name": "pitboss_v1", "render_modes": ["ansi"], "render_fps": 4, "is_parallelizable": False}  # noqa: RUF012 - as above

    def __init__(
        self, rulebook: str = "nsw-pontoon", boxes: int = 3, *, wagers: Sequence[float] = (10,), decks: int = 0,
        source: str = "shoe", behind: int = -1, resplit: bool = False, refused: float = 1.0,
        render_mode: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.seats = Seats(rulebook, boxes, wagers, decks, source, behind, resplit)
        self.penalty, self.render_mode = refused, render_mode
        self.possible_agents = list(self.seats.names)
        spaces = see.spaces_of(self.seats.amounts)
        self.observation_spaces = dict.fromkeys(self.possible_agents, spaces[0])
        self.action_spaces = {name: see.spaces_of(self.seats.amounts)[1] for name in self.possible_agents}
        self.generator: np.random.Generator | None = None

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a round; a seed, or the option `shuffle`, brings fresh cards."""
        if seed is not None or self.generator is None:
            self.generator, _ = seeding.np_random(seed)
            self.seats.shuffle_anew(int(self.generator.integers(1 << 62)))
        elif (options or {}).get("shuffle"):
            self.seats.shuffle_anew(int(self.generator.integers(1 << 62)))
        while self.seats.waits_for()[0]:
            mask = self.seats.mask()
            self.seats.act(next(act for act in (see.PASS, see.KEEP, see.STAND, see.HIT) if mask[act]))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.chosen: list[int] = []
        self.decided = False
        self.agent_selection = self.agents[0]
        if len(self.seats.amounts) == 1:
            self.seats.begin([0] * len(self.agents))
            self._ask()
        self._tell()

    def observe(self, agent: str) -> dict[str, Array]:
        box = self.possible_agents.index(agent) + 1
        asked = agent == self.agent_selection and not self.terminations.get(agent, True)
        if self.terminations.get(agent, True):
            stage = see.OVER
        elif len(self.chosen) < len(self.possible_agents) and len(self.seats.amounts) > 1:
            stage = see.WAGERING
        else:
            stage = see.DECIDED if self.decided else self.seats.waits_for()[1]
        return {"observation": self.seats.sees(box, stage), "action_mask": self._mask(stage, asked)}

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        stage = int(self.observe(agent)["observation"][see.F_STAGE])
        if not self._mask(stage, True)[int(action)]:
            self.rewards[agent] = -self.penalty
        elif stage == see.WAGERING:
            self.chosen.append(int(action) - see.FIRST_WAGER)
            if len(self.chosen) < len(self.possible_agents):
                self.agent_selection = self.possible_agents[len(self.chosen)]
            else:
                self.seats.begin(self.chosen)
                self._ask()
        elif stage == see.DECIDED:
            self._end()
        else:
            self.seats.act(int(action))
            self._ask()
        self._accumulate_rewards()
        self._tell()

    def render(self) -> str | None:
        """The table in a line."""
        if self.render_mode != "ansi":
            return None
        table = self.seats.table
        boxes = [
            f"{number}: {' | '.join(' '.join(hand.cards) or '-' for hand in box.hands) or '-'}"
            for number, box in table.boxes.items()
        ]
        return f"dealer {' '.join(table.dealer_cards) or '-'}; {'; '.join(boxes) or 'no cards'}"

    def close(self) -> None:
        """There is nothing to close."""

    def _mask(self, stage: int, asked: bool) -> Array:
        found = np.zeros(len(see.acts_of(self.seats.amounts)), np.int8)
        if not asked or stage == see.OVER:
            return found
        if stage == see.WAGERING:
            found[see.FIRST_WAGER :] = 1
        elif stage == see.DECIDED:
            found[see.PASS] = 1
        else:
            found = self.seats.mask()
        return found

    def _ask(self) -> None:
        """Whose turn it is; the last to act ends the round, the first box where nobody was asked anything."""
        box, stage = self.seats.waits_for()
        if stage != see.OVER:
            self.agent_selection = self.possible_agents[box - 1]
        elif self.seats.acts:
            self._end()
        else:
            self.decided = True
            self.agent_selection = self.possible_agents[0]

    def _end(self) -> None:
        unit = self.seats.amounts[0]
        won = self.seats.won_cents()
        for name, cents in zip(self.possible_agents, won, strict=True):
            self.rewards[name] = cents / unit
            self.terminations[name] = True
        self.agent_selection = self.agents[0]

    def _tell(self) -> None:
        self.infos = {name: {"action_mask": self.observe(name)["action_mask"]} for name in self.agents}
