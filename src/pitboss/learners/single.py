"""One box at a table of the engine, for Gymnasium: an episode is a round, and the shoe goes on from one to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from pitboss.learners import seeing as see
from pitboss.learners.seats import Seats
from pitboss.learners.seeing import Array

Seen = dict[str, Array]


class BoxEnv(gymnasium.Env[Seen, np.int64]):
    """Play one box. The reward of a round comes at its end, in units of the first of the wagers.

    An act that is not open changes nothing and costs `refused` units; `info` then has what the rules say to it.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 - Gymnasium's own way to declare it

    def __init__(
        self, rulebook: str = "nsw-pontoon", *, wagers: Sequence[float] = (10,), decks: int = 0, source: str = "shoe",
        behind: int = -1, resplit: bool = False, rounds: int = 1, refused: float = 1.0, render_mode: str | None = None,
    ) -> None:  # fmt: skip
        self.seats = Seats(rulebook, 1, wagers, decks, source, behind, resplit)
        self.rounds, self.penalty, self.render_mode = rounds, refused, render_mode
        self.observation_space, self.action_space = see.spaces_of(self.seats.amounts)
        self.stage, self.played, self.fresh = see.OVER, 0, True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begin an episode; a seed, or the option `shuffle`, brings fresh cards."""
        super().reset(seed=seed)
        if seed is not None or self.fresh or (options or {}).get("shuffle"):
            self.seats.shuffle_anew(int(self.np_random.integers(1 << 62)))
            self.fresh = False
        while self.seats.waits_for()[0]:
            self._by_itself()
        self.played = 0
        self._next_round()
        return self._seen(), self._info()

    def step(self, action: np.int64) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        number = int(action)
        if not self.mask()[number]:
            info = self._info()
            refusal = self.seats.refused(number) if self.stage in (see.PLAYING, see.FORFEITING) else None
            info["refusal"] = str(refusal) if refusal is not None else f"{self.acts[number]} is not open now"
            return self._seen(), -self.penalty, False, False, info
        if self.stage == see.WAGERING:
            self._deal(number - see.FIRST_WAGER)
        elif self.stage != see.DECIDED:
            self.seats.act(number)
            self.stage = self.seats.waits_for()[1]
        if self.stage == see.DECIDED and number != see.PASS:
            return self._seen(), 0.0, False, False, self._info()
        if self.stage not in (see.OVER, see.DECIDED):
            return self._seen(), 0.0, False, False, self._info()
        reward = self.seats.won_cents()[0] / self.seats.amounts[0]
        self.played += 1
        over = self.played >= self.rounds
        if over:
            self.stage = see.OVER
        else:
            self._next_round()
        return self._seen(), reward, over, False, self._info()

    @property
    def acts(self) -> tuple[str, ...]:
        """The names of the acts by number."""
        return see.acts_of(self.seats.amounts)

    def mask(self) -> Array:
        """Which acts are open."""
        found = np.zeros(len(self.acts), np.int8)
        if self.stage == see.WAGERING:
            found[see.FIRST_WAGER :] = 1
        elif self.stage == see.DECIDED:
            found[see.PASS] = 1
        elif self.stage != see.OVER:
            found = self.seats.mask()
        return found

    def render(self) -> str | None:
        """The table in a line."""
        if self.render_mode != "ansi":
            return None
        table = self.seats.table
        dealer = " ".join(table.dealer_cards) or "-"
        hands = [" ".join(hand.cards) or "-" for box in table.boxes.values() for hand in box.hands]
        return f"{see.STAGES[self.stage]}: dealer {dealer}; {' | '.join(hands) or '-'}"

    def _next_round(self) -> None:
        if len(self.seats.amounts) > 1:
            self.stage = see.WAGERING
        else:
            self._deal(0)

    def _deal(self, level: int) -> None:
        self.seats.begin([level])
        self.stage = self.seats.waits_for()[1]
        if self.stage == see.OVER:
            self.stage = see.DECIDED

    def _by_itself(self) -> None:
        """A round that was left is played to its end in the plainest way, since its cards lie on the table."""
        mask = self.seats.mask()
        plainest = (see.PASS, see.KEEP, see.STAND, see.HIT)
        self.seats.act(next(action for action in plainest if mask[action]))

    def _seen(self) -> Seen:
        return {"observation": self.seats.sees(1, self.stage), "action_mask": self.mask()}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.mask()}
