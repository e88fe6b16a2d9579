"""A log that is not the one that it was: served again by the word of two only; and what else keeps a file whole."""

from __future__ import annotations

import asyncio
import io
import os
from pathlib import Path

import pytest

from pitboss.cli import main
from pitboss.floor.checking import Checking
from pitboss.store.keeping import Keeper
from pitboss.store.log import StoreError
from pitboss.store.opening import open_log
from pitboss.store.sqlite import known_fault
from tests.floor.peopled import PASSWORD, peopled, quick_hasher
from tests.store.making import one


@pytest.fixture
def rolled_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A log with people that was put back to an earlier state, behind a head that was kept."""
    monkeypatch.setattr("pitboss.floor.people.Checking", lambda hasher=None: Checking(hasher or quick_hasher()))
    monkeypatch.setenv("PITBOSS_WITNESS", str(tmp_path / "witness"))

    async def make() -> None:
        async with peopled(tmp_path, staff=True):
            pass

    asyncio.run(make())
    file = tmp_path / "floor.db"
    before = file.read_bytes()
    log = open_log(str(file))
    log.append([one("table:9", 0)])
    Keeper(log, str(file)).keep(1)
    log.close()
    file.write_bytes(before)
    assert "has not come so far" in str(why_not(file))
    return str(file)


def why_not(file: Path | str) -> str | None:
    log = open_log(str(file))
    try:
        return Keeper(log, str(file)).why_not()
    finally:
        log.close()


def said(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


REASON = ["--reason", "the disk died, and last night's backup was put back"]


def test_two_people_accept_it_and_the_log_says_so(
    rolled_back: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said(monkeypatch, "manager-1", PASSWORD, "inspector-1", PASSWORD)
    assert main(["log", "accept", rolled_back, *REASON]) == 0
    assert "accepted by manager-1 and inspector-1" in capsys.readouterr().out
    assert why_not(rolled_back) is None, "served again"
    log = open_log(rolled_back, read_only=True)
    (entry,) = log.read("accepted")
    log.close()
    assert b"has not come so far" in entry.body and b"inspector-1" in entry.body and b"the disk died" in entry.body
    aside = list(Path(rolled_back).parent.rglob("*.contradicted-1"))
    assert len(aside) == 2, "the heads of both folders are kept as evidence"
    said(monkeypatch, "manager-1", PASSWORD, "inspector-1", PASSWORD)
    assert main(["log", "accept", rolled_back, *REASON]) == 2, "nothing is wrong with it any more"


@pytest.mark.parametrize(
    "lines",
    [["manager-1", PASSWORD], ["manager-1", PASSWORD, "MANAGER-1", PASSWORD],
     ["manager-1", PASSWORD, "alice", PASSWORD]],
)  # fmt: skip
def test_one_person_does_not(rolled_back: str, monkeypatch: pytest.MonkeyPatch, lines: list[str]) -> None:
    said(monkeypatch, *lines)
    assert main(["log", "accept", rolled_back, *REASON]) == 2
    assert why_not(rolled_back) is not None


def test_a_file_with_a_second_name_is_not_written_to(tmp_path: Path) -> None:
    """A server by each of its names: two locks, two write-ahead logs, and one damaged file."""
    file, other = tmp_path / "floor.db", tmp_path / "other.db"
    log = open_log(str(file))
    log.append([one("table:9", 0)])
    os.link(file, other)
    for name in (file, other):
        with pytest.raises(StoreError, match="hard link"):
            open_log(str(name))
    log.append([one("table:9", 1)])
    log.close()
    other.unlink()
    log = open_log(str(file))
    assert log.version("table:9") == 2
    log.close()


@pytest.mark.parametrize(
    ("version", "is_known"),
    [((3, 40, 1), True), ((3, 44, 5), True), ((3, 44, 6), False), ((3, 45, 0), True), ((3, 50, 6), True),
     ((3, 50, 7), False), ((3, 51, 2), True), ((3, 51, 3), False), ((3, 53, 0), False), ((4, 0, 0), False)],
)  # fmt: skip
def test_a_sqlite_that_is_known_to_damage_files_is_told_of(version: tuple[int, ...], is_known: bool) -> None:
    assert (known_fault(version) is not None) == is_known
