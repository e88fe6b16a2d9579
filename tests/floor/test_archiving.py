"""A floor whose past was archived: it plays on without the file, and with it the past is looked at as before."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pitboss.floor import history
from pitboss.floor.archiving import can_do_without
from pitboss.floor.floor import Floor
from pitboss.floor.host import CHECKPOINT_EVERY
from pitboss.store.log import Archived
from pitboss.store.moving import archive
from pitboss.store.signing import Signer
from pitboss.store.sqlite import SqliteLog
from pitboss.store.verify import verify
from pitboss.table.views import Viewer
from tests.floor.memory import ALICE, BOB, a_floor, a_table
from tests.floor.playing import play_out, ready

INSPECTOR = Viewer("inspector")


async def played(floor: Floor, table: str, seed: int) -> None:
    while floor.hosts[table].version < 2 * CHECKPOINT_EVERY + 40:
        await play_out(floor, table, 5, random.Random(seed + floor.hosts[table].version), [ALICE, BOB])


async def test_a_floor_goes_on_without_its_archived_past_and_shows_it_where_it_is_at_hand(tmp_path: Path) -> None:
    log, piece = SqliteLog(tmp_path / "log.db"), tmp_path / "segments" / "one.db"
    piece.parent.mkdir()
    async with a_floor(log) as floor:
        table = await a_table(floor)
        await ready(floor, table)
        await played(floor, table, 1)
        whole = list(log.read_all())
        told = history.events_after(log, table, 1, 200, INSPECTOR)
        moment = history.view_at(log, table, 100, INSPECTOR)
        _, given = archive(log, piece, log.head().seq, can_do_without(log), Signer(tmp_path / "log.key"), 1)
        assert given >= 2 * CHECKPOINT_EVERY, "both checkpoints let go of what is before them"
        assert list(log.read_all()) == whole and verify(log).is_sound
        assert history.events_after(log, table, 1, 200, INSPECTOR) == told
        assert history.view_at(log, table, 100, INSPECTOR) == moment
        version = floor.hosts[table].version
        piece.rename(tmp_path / "segments" / "away.db")
        log.shelf.close()
    log = SqliteLog(tmp_path / "log.db")
    async with a_floor(log) as floor:
        assert floor.hosts[table].version == version
        await play_out(floor, table, 3, random.Random(9), [ALICE, BOB])
        with pytest.raises(Archived):
            history.events_after(log, table, 1, 200, INSPECTOR)
        assert verify(log).is_sound
    log.close()
