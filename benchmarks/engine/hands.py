"""Pitboss playing random legal rounds on one box: events, clauses and ledger on, from really shuffled stacks.

`python hands.py RULEBOOK` answers numbers of rounds with seconds, as the peers do. The other modes measure what no peer
has: `session` (does a round get dearer as the session grows?) and `stored` (applying events beside deciding them).
"""

from __future__ import annotations

import random
import sys
from time import process_time

from peers import SEED, serve
from pitboss import decide, evolve, legal_acts, open_table, play
from pitboss.chance import shuffled
from pitboss.ledger import Ledger
from pitboss.table import acts as a
from pitboss.table.events import Event
from pitboss.table.shuffle_and_cut import cards_to_shuffle

ALICE, BOX, WAGER_CENTS = "alice", 1, 2500
ON_BOX = (ALICE, BOX)


class Session:
    """One player at one table, round after round."""

    def __init__(self, rulebook: str) -> None:
        self.rng = random.Random(SEED)
        self.table = open_table(rulebook)
        self.ledger = Ledger()
        self.rounds = 0

    def play(self, rounds: int) -> None:
        for _ in range(rounds):
            self.round()

    def round(self) -> None:
        self._prepare()
        self._do(a.PlaceWager(*ON_BOX, WAGER_CENTS), a.Deal())
        while self.table.boxes:
            if self.table.preparation != "ready":
                self._prepare()
            elif self.table.phase == "wagers":
                self._do(a.Deal())
            else:
                self._do(self.rng.choice(legal_acts(self.table)))
        self.rounds += 1

    def _do(self, *acts: a.Act) -> None:
        self.table, events = play(self.table, *acts)
        self.ledger.post_all(events)

    def _prepare(self) -> None:
        """Shuffle all decks, cut in the middle, put the cutting card a quarter from the back."""
        while self.table.preparation != "ready":
            table = self.table
            if table.preparation == "shuffle":
                self._do(a.Shuffle(shuffled(cards_to_shuffle(table))))
            elif table.preparation == "cut":
                self._do(a.Cut(table.cut_offered, len(table.stack) // 2))
            else:
                self._do(a.PlaceCuttingCard(len(table.stack) // 4))


class Recorded(Session):
    """A session that keeps its acts and events."""

    def __init__(self, rulebook: str) -> None:
        super().__init__(rulebook)
        self.start = self.table
        self.log: list[tuple[a.Act, tuple[Event, ...]]] = []

    def _do(self, *acts: a.Act) -> None:
        for act in acts:
            self.table, events = play(self.table, act)
            self.log.append((act, events))


def session_tenths(rulebook: str, rounds: int) -> list[float]:
    """Seconds a round for each tenth of a long session, in the quickest of its ten stretches.

    Other work on the machine makes stretches slower and none quicker; a table that grows makes all of them slower.
    """
    session, tenths = Session(rulebook), []
    session.play(200)
    stretch = rounds // 100
    for _ in range(10):
        seconds = []
        for _ in range(10):
            start = process_time()
            session.play(stretch)
            seconds.append((process_time() - start) / stretch)
        tenths.append(min(seconds))
    return tenths


def stored(rulebook: str, rounds: int) -> tuple[float, float, float]:
    """Seconds to decide a recorded session again, to apply its events act by act, and to apply them all at once."""
    session = Recorded(rulebook)
    session.play(rounds)

    table, seconds, tables = session.start, 0.0, []
    for _act, events in session.log:
        tables.append(table)
        table = evolve(table, events)
    start = process_time()
    for table, (act, _events) in zip(tables, session.log, strict=True):
        decide(table, act)
    deciding = process_time() - start

    start = process_time()
    table = session.start
    for _act, events in session.log:
        table = evolve(table, events)
    act_by_act = process_time() - start

    all_events = [event for _act, events in session.log for event in events]
    start = process_time()
    table = evolve(session.start, all_events)
    seconds = process_time() - start
    if table != session.table:
        raise SystemExit("applying the stored events gave another table")
    return deciding, act_by_act, seconds


def main() -> None:
    mode, rulebook = (sys.argv[1], sys.argv[2]) if len(sys.argv) > 2 else ("play", sys.argv[1])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    if mode == "session":
        print(*session_tenths(rulebook, rounds))
    elif mode == "stored":
        print(*stored(rulebook, rounds))
    else:
        serve(Session(rulebook).play, rulebook)


if __name__ == "__main__":
    main()
