"""How trainees did: every training that was finished, for those who train them."""

from __future__ import annotations

import msgspec

from pitboss.floor.shared_stream import Commits, SharedStream, entry_of
from pitboss.store.log import Entry

KEPT = 2_000


class Trained(msgspec.Struct, frozen=True):
    """A training that was finished."""

    name: str
    rulebook: str
    seed: str
    rounds: int
    steps: int
    right_at_once: int
    wrong: int
    at_ms: int
    mistakes: tuple[str, ...] = ()
    """What was said wrongly, with the clauses; the last of them."""
    exam: bool = False
    passed: bool = False


class Trainees(SharedStream):
    """The stream `trainees`: one entry a finished training."""

    stream = "trainees"

    def __init__(self, commits: Commits) -> None:
        super().__init__(commits)
        self.trained: list[Trained] = []

    def apply(self, entry: Entry) -> None:
        if entry.kind == "trained":
            self.trained.append(msgspec.json.decode(entry.body, type=Trained))
            del self.trained[:-KEPT]

    async def finished(self, trained: Trained) -> None:
        await self.write(lambda: ([entry_of("trained", trained)], None), at_ms=trained.at_ms, by=trained.name)
