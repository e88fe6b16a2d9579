"""Who looks back much is answered by another process, with the same words, and pays for it as before."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.floor import history
from pitboss.floor.gate import WORK_BURST, Gate, worked_elsewhere
from pitboss.floor.looking_back import LookingBack
from pitboss.floor.round_records import NoSuchRound, record_of_round
from pitboss.store.log import Log
from pitboss.store.moving import opened
from pitboss.store.opening import open_log
from pitboss.table.views import Viewer
from tests.floor.memory import ALICE, BOB, a_table, an_opening
from tests.floor.peopled import peopled
from tests.floor.playing import play_out

INSPECTOR, PLAYER = Viewer("inspector"), Viewer("player", "alice")


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    with opened(open_log(str(tmp_path / "floor.db"))) as found:
        yield found


@pytest.fixture
def helped(tmp_path: Path) -> Iterator[LookingBack]:
    found = LookingBack(str(tmp_path / "floor.db"))
    yield found
    found.close()


def _must_not_be_here(*_: object) -> None:
    raise AssertionError("this process was to be left alone")


async def test_a_helper_says_what_would_be_said_here(tmp_path: Path, log: Log, helped: LookingBack) -> None:
    """With sealed cards, a text that the helper does not ship, and what is written after it began."""
    async with peopled(tmp_path) as house:
        await a_table(house.floor, opening=an_opening("nsw-pontoon", face_down=True))
        for rounds in (1, 2):
            await play_out(house.floor, "t1", 1, random.Random(rounds), [ALICE, BOB])
            looks = (
                (history.events_in_json, ("t1", 0, 1000, INSPECTOR)),
                (history.events_in_json, ("t1", 3, 2, PLAYER)),
                (history.events_in_json, ("no such table", 0, 1000, PLAYER)),
                (history.events_between, ("t1", 0, 30, PLAYER)),
                (history.events_between, ("t1", 900, 900, PLAYER)),
                (history.rounds, ("t1", 0, 50)),
                (history.rounds, ("no such table", 0, 50)),
                (record_of_round, ("t1", rounds, "alice")),
                (record_of_round, ("t1", rounds, None)),
            )
            for function, given in looks:
                here = function(log, *given)  # type: ignore[operator]
                assert helped.ask(function, None, *given) == here, (function, given)  # type: ignore[arg-type]
            assert len(history.rounds(log, "t1") or []) == rounds
        with pytest.raises(NoSuchRound):
            helped.ask(record_of_round, log, "t1", 9, None)
        (helper,) = helped._idle
        os.kill(helper.pid, signal.SIGKILL)
        helper.wait()
        assert helped.ask(history.rounds, log, "t1") == history.rounds(log, "t1"), "another one, or it is done here"


async def test_only_who_has_looked_back_much_is_sent_to_it() -> None:
    gate = Gate()
    assert not gate.has_done_much("alice")
    await gate.run("alice", worked_elsewhere, 0.3)
    assert gate.has_done_much("alice") and not gate.has_done_much("bob")
    await gate.run("alice", worked_elsewhere, WORK_BURST)
    with pytest.raises(Exception, match="you have looked up too much"):
        await gate.run("alice", _must_not_be_here)
    await gate.close()
