"""A backup is put back as docs/runbooks.md says, from the first step to the last, and play continues."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from pitboss.chance import Chance
from pitboss.cli import main
from pitboss.floor.checking import Checking
from pitboss.floor.clock import SetClock
from pitboss.floor.floor import Floor
from pitboss.floor.model import HOUSE, Accepted, Caller
from pitboss.floor.people import Proof, Session
from pitboss.floor.setting_up import Reception
from pitboss.store.group import GroupCommit
from pitboss.store.keeping import Keeper
from pitboss.store.opening import open_log
from pitboss.table import acts as a
from tests.floor.memory import an_opening
from tests.floor.peopled import PASSWORD, STAFF, quick_hasher
from tests.store.test_accepting import REASON, said, why_not

ALICE = Caller("alice", "player")


def on(path: Path, work: Callable[[Floor, Reception], Awaitable[None]]) -> None:
    """A floor with people, alone on a log."""

    async def test() -> None:
        log = open_log(str(path))
        floor = Floor(GroupCommit(log), clock=SetClock(), chance=Chance(1))
        reception = Reception(floor, hasher=quick_hasher())
        await reception.open()
        await floor.start()
        try:
            await work(floor, reception)
        finally:
            await reception.close()
            await floor.stop(0)
            Keeper(log, str(path)).keep(log.head().seq)
            log.close()

    asyncio.run(test())


async def wager(floor: Floor, box: int, version: int) -> None:
    """So that the table is at this version."""
    answer = await floor.act(ALICE, "t1", f"w{box}", a.PlaceWager("alice", box, 1000))
    assert answer == Accepted("t1", version), answer


async def begin(floor: Floor, reception: Reception) -> None:
    for name, role in STAFF.items():
        await reception.people.create_for_the_house(name, role, PASSWORD, floor.clock.now_ms())
    assert isinstance(await floor.open_table(HOUSE, "", "t1", an_opening()), Accepted)
    await wager(floor, 1, 2)


async def go_on(floor: Floor, reception: Reception) -> None:
    await wager(floor, 2, 3)


async def come_back(floor: Floor, reception: Reception) -> None:
    assert floor.hosts["t1"].version == 2, "what came after the backup is gone"
    found = await reception.people.log_in("alice", PASSWORD, "192.0.2.1", floor.clock.now_ms(), proof=Proof(local=True))
    assert isinstance(found, Session)
    await wager(floor, 3, 3)


def test_a_backup_is_put_back_and_play_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pitboss.floor.people.Checking", lambda hasher=None: Checking(hasher or quick_hasher()))
    monkeypatch.setenv("PITBOSS_WITNESS", str(tmp_path / "witness"))
    old, backup, new = (tmp_path / name for name in ("floor.db", "backup.db", "new.db"))
    on(old, begin)
    assert main(["log", "backup", str(old), str(backup)]) == 0
    on(old, go_on)
    (witness,) = (tmp_path / "witness").iterdir()
    for file in tmp_path.glob("floor.db*"):
        file.unlink()  # the disk died
    capsys.readouterr()
    assert main(["log", "verify", str(backup), "--head", str(witness)]) == 1
    assert "truncated" in capsys.readouterr().out, "it ends before the last head, and is sound up to there"
    assert main(["log", "restore", str(backup), str(new)]) == 0
    assert "has not come so far" in str(why_not(new)) or "another key" in str(why_not(new))
    said(monkeypatch, "manager-1", PASSWORD, "inspector-1", PASSWORD)
    assert main(["log", "accept", str(new), *REASON]) == 0
    assert why_not(new) is None
    on(new, come_back)
    assert main(["log", "verify", str(new)]) == 0, capsys.readouterr().out
