"""A sample of soak/store_kills.py: kill -9 and power loss, nothing acknowledged lost, nothing there in part."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from pitboss.store.sqlite import SqliteLog
from soak.store_kills import (
    count_steps,
    cuts,
    kill_at_moment,
    kill_at_step,
    look,
    lose_power,
    scenario,
    states,
    time_of,
)
from tests.store.servers import execute, postgres

BATCHES = scenario(7, 8)
_numbers = itertools.count()


@pytest.fixture(params=["sqlite", "postgresql"])
def new_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Iterator[str]]:
    """Where a new log can be, again and again."""
    if request.param == "sqlite":
        yield (str(tmp_path / f"{number}.db") for number in itertools.count())
        return
    made: list[str] = []

    def addresses() -> Iterator[str]:
        while True:
            made.append(f"{postgres()}&schema=crash_{os.getpid()}_{next(_numbers)}")
            yield made[-1]

    yield addresses()
    for address in made:
        execute(address, f'DROP SCHEMA IF EXISTS "{address.rpartition("=")[2]}" CASCADE')


def test_killed_at_a_step(new_url: Iterator[str]) -> None:
    steps = count_steps(next(new_url), BATCHES)
    acknowledged = [
        kill_at_step(next(new_url), BATCHES, step) for step in sorted(random.Random(1).sample(range(steps), 16))
    ]
    assert acknowledged == sorted(acknowledged) and acknowledged[-1] > acknowledged[0]


def test_killed_at_a_moment(new_url: Iterator[str]) -> None:
    seconds = time_of(next(new_url), BATCHES)
    chance = random.Random(2)
    for _ in range(6):
        kill_at_moment(next(new_url), BATCHES, chance.random() * seconds)


def test_power_lost(tmp_path: Path) -> None:
    chance = random.Random(4)
    found = [cut for before, after in pairwise(states(tmp_path, BATCHES)) for cut in cuts(before, after, chance)]
    assert {cut.name.split()[0] for cut in found} == {"header", "wal", "database"}
    for cut in chance.sample(found, 60):
        lose_power(tmp_path / "power", cut, BATCHES)


# --- the trial itself would notice ------------------------------------------------------------------------------------


def test_an_answer_before_the_write_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that tells the hook last of all that it has begun acknowledges what a kill then loses."""
    import soak.store_kills as kills

    original = kills.play

    def hasty(log, batches, done=lambda number: None):  # type: ignore[no-untyped-def]
        for number, batch in enumerate(batches):
            done(number)
            original(log, [batch])

    monkeypatch.setattr(kills, "play", hasty)
    with pytest.raises(AssertionError, match="were acknowledged"):
        for step in range(8):
            kill_at_step(str(tmp_path / f"{step}.db"), BATCHES, step)


def test_bytes_lost_after_they_were_synced_would_be_noticed(tmp_path: Path) -> None:
    last = states(tmp_path, BATCHES[:2])[-1]
    place = tmp_path / "cut"
    place.mkdir()
    (place / "log.db").write_bytes(last.database)
    (place / "log.db-wal").write_bytes(last.wal[: len(last.wal) // 2])
    log = SqliteLog(place / "log.db")
    with pytest.raises(AssertionError, match="acknowledged"):
        look(log, BATCHES, last.batches)
    log.close()


def test_half_a_batch_would_be_noticed(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.db")
    batch = next(batch for batch in BATCHES if len(batch.items) > 1)
    whole = BATCHES[: BATCHES.index(batch)]
    for each in whole:
        log.append(each.items)
    log.append(batch.items[:1])
    with pytest.raises(AssertionError, match="in part"):
        look(log, BATCHES, 0)
    log.close()
