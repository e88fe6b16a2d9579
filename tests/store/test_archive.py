"""Old entries in segments: the chain as before, read as before, found out when anything of them is changed."""

from __future__ import annotations

import io
import shutil
import sqlite3
from pathlib import Path

import msgspec
import pytest

from pitboss.cli import main
from pitboss.store.chain import Row
from pitboss.store.log import Append, Archived, NewEntry, Part, StoreError
from pitboss.store.moving import archive, backup, check_lines, export_lines, opened
from pitboss.store.segments import Segment
from pitboss.store.signing import Signer, kept_heads
from pitboss.store.sqlite import SqliteLog
from pitboss.store.stored import StoredLog
from pitboss.store.verify import verify
from tests.store.making import fill, one


def acts(row: Row) -> bool:
    return row[2].startswith("table:")


def filled(log: StoredLog) -> StoredLog:
    """Entries of tables, one of them sealed, and of others."""
    fill(log, 60)
    log.append([Append((Part("people", 0, (NewEntry("account", b'{"name":"ada"}'),)),), 2_000)])
    hidden = Part("table:0", log.version("table:0"), (NewEntry("act", b'{"stack":"6s"}', hidden=True),))
    log.append([Append((hidden,), 2_001, "house", "s1", b'"done"')])
    for number in range(20):
        log.append([one("table:9", number, at_ms=3_000 + number, command=f"m{number}")])
    return log


def archived(log: StoredLog, folder: Path, last: int, name: str = "segment.db") -> tuple[Segment, int]:
    return archive(log, folder / name, last, acts, Signer(folder / "log.key"), 5_000)


def test_everything_is_read_and_verified_as_before(log: StoredLog, tmp_path: Path) -> None:
    filled(log)
    before, head = list(log.read_all()), log.head()
    segment, given = archived(log, tmp_path, 50)
    assert (segment.first, segment.last) == (1, 50) and given == 50
    assert list(log.read_all()) == before and log.head() == head
    assert [entry for entry in before if entry.stream == "table:1"] == list(log.read("table:1"))
    assert log.answer("command-3") == b'{"is":"accepted"}', "a command is still done once"
    report = verify(log)
    assert report.is_sound and report.archived == 50 and report.segments == 1 and report.hash == head.hash.hex()
    assert log.append([one("table:9", log.version("table:9"))])[0].seq == head.seq + 1  # type: ignore[union-attr]


def test_segments_follow_each_other_and_are_logs_themselves(log: StoredLog, tmp_path: Path) -> None:
    filled(log)
    before = list(log.read_all())
    archived(log, tmp_path, 20, "a.db")
    segment, given = archived(log, tmp_path, 70, "b.db")
    assert segment.first == 21 and given == 49, "the account stays"
    assert list(log.read_all()) == before
    for name, first in (("a.db", 1), ("b.db", 21)):
        with opened(SqliteLog(tmp_path / name, read_only=True)) as piece:
            heads = kept_heads(tmp_path / f"{name}.heads")
            report = verify(piece, heads, key=(tmp_path / f"{name}.pub").read_text().strip())
            assert report.is_sound and report.heads == 1 and next(iter(piece.rows()))[0] == first
    report = verify(log)
    assert report.is_sound and report.segments == 2 and report.sealed == 0, "what is sealed is sealed in the segment"
    with pytest.raises(StoreError, match="nothing to archive after entry 70"):
        archived(log, tmp_path, 70, "c.db")


def test_what_is_sealed_stays_sealed_in_the_segment(log: StoredLog, tmp_path: Path) -> None:
    filled(log)
    archived(log, tmp_path, log.head().seq)
    assert b'"stack":"6s"' not in (tmp_path / "segment.db").read_bytes()
    entry = next(entry for entry in log.read("table:0") if entry.command == "s1")
    assert entry.body == b'{"stack":"6s"}' and entry.hidden


def test_an_append_or_a_transaction_with_its_code_is_never_cut_in_two(log: StoredLog, tmp_path: Path) -> None:
    log.append([one("table:1", 0, b"1", b"2", b"3")])
    log.append([one("table:2", 0, b"1", b"2", b"3")])
    segment, _ = archived(log, tmp_path, 5)
    assert segment.last == 3
    log.sealing.ready()
    log.append([one(f"table:{number}", 0) for number in range(10, 20)])
    segment, _ = archived(log, tmp_path, 12, "more.db")
    assert segment.last == 6 and verify(log).is_sound
    segment, _ = archived(log, tmp_path, 16, "most.db")
    report = verify(log)
    assert segment.last == 16 and report.is_sound and report.authentic == 10 and report.segments == 3


def test_a_segment_that_is_away_is_missed_by_who_looks_back_only(log: StoredLog, tmp_path: Path) -> None:
    filled(log)
    whole = list(log.read_all())
    archived(log, tmp_path, 50)
    away = tmp_path / "away"
    away.mkdir()
    shutil.move(tmp_path / "segment.db", away)
    log.shelf.close()
    report = verify(log)
    assert report.is_sound and report.segments == 0 and report.segments_away == (str(tmp_path / "segment.db"),)
    with pytest.raises(Archived, match="not at hand"):
        list(log.read("table:1"))
    assert [entry.body for entry in log.read("table:9")] == [e.body for e in whole if e.stream == "table:9"]
    assert next(iter(log.read("people"))).body == b'{"name":"ada"}'
    out = io.BytesIO()
    export_lines(log, out)
    found = check_lines(io.BytesIO(out.getvalue()).readlines(), "export")
    assert found.withheld == 50 and found.end == log.head(), "an export has their commitments"
    shutil.move(away / "segment.db", tmp_path)
    assert list(log.read_all()) == whole


def test_a_whole_backup_needs_the_segments_and_a_copy_to_another_kind_of_log_has_everything(
    log: StoredLog, tmp_path: Path
) -> None:
    filled(log)
    whole = list(log.read_all())
    archived(log, tmp_path, 50)
    backup(log, tmp_path / "backup.db")
    with opened(SqliteLog(tmp_path / "backup.db", read_only=True)) as copy:
        assert list(copy.read_all()) == whole and verify(copy).is_sound


TAMPERED = {
    "a body": "UPDATE entries SET body = x'7b7d' WHERE seq = 7",
    "an entry fewer": "DELETE FROM entries WHERE seq = 50",
    "another beginning": "UPDATE base SET seq = 3, hash = x'00'",
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_changed_segment_is_found_out(tmp_path: Path, what: str) -> None:
    with opened(SqliteLog(tmp_path / "log.db")) as log:
        filled(log)
        archived(log, tmp_path, 50)
        with sqlite3.connect(tmp_path / "segment.db") as database:
            for trigger in ("entries_do_not_change", "entries_do_not_go"):
                database.execute(f"DROP TRIGGER {trigger}")
            database.execute(TAMPERED[what])
        database.close()
        report = verify(log)
        assert not report.is_sound and {fault.kind for fault in report.faults} <= {"segment", "unreadable"}
        if what != "another beginning":
            assert not verify(log, kept_heads(tmp_path / "segment.db.heads")).is_sound


def test_somebody_elses_segment_is_found_out(tmp_path: Path) -> None:
    with opened(SqliteLog(tmp_path / "log.db")) as log, opened(SqliteLog(tmp_path / "other.db")) as other:
        for each in (log, other):
            filled(each)
        archived(log, tmp_path, 50)
        archived(other, tmp_path, 50, "foreign.db")
        shutil.copy(tmp_path / "foreign.db", tmp_path / "segment.db")
        assert not verify(log).is_sound
        with pytest.raises(StoreError, match="is not the one that was archived"):
            list(log.read("table:1"))


def test_nothing_else_than_an_archived_body_goes(tmp_path: Path) -> None:
    """The database itself keeps a slip of somebody's hand from it."""
    with opened(SqliteLog(tmp_path / "log.db")) as log:
        filled(log)
        archived(log, tmp_path, 50)
        database = sqlite3.connect(tmp_path / "log.db")
        for slip in (
            "UPDATE entries SET body = x'' WHERE seq = 60",
            "UPDATE entries SET body = x'', proof = zeroblob(32) WHERE seq = 60",
            "UPDATE entries SET kind = 'x' WHERE seq = 5",
            "UPDATE entries SET body = x'', proof = zeroblob(52) WHERE seq = 5",
            "DELETE FROM entries WHERE seq = 5",
        ):
            with pytest.raises(sqlite3.IntegrityError, match="only grows"):
                database.execute(slip)
        database.close()
        assert verify(log).is_sound


def test_an_archive_that_was_stopped_goes_on(log: StoredLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(log)
    whole = list(log.read_all())

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(type(log), "give_away", stopped)
        with pytest.raises(KeyboardInterrupt):
            archived(log, tmp_path, 50, "a.db")
    assert list(log.read_all()) == whole and verify(log).is_sound
    _, given = archived(log, tmp_path, 60, "b.db")
    assert given == 60 and list(log.read_all()) == whole and verify(log).is_sound


def test_the_disk_gets_its_room_back_while_somebody_else_writes(tmp_path: Path) -> None:
    with opened(SqliteLog(tmp_path / "log.db")) as server, opened(SqliteLog(tmp_path / "log.db")) as log:
        for number in range(200):
            server.append([one("table:1", number, b'"' + b"x" * 3_000 + b'"')])
        archived(log, tmp_path, 190)
        assert (tmp_path / "log.db").stat().st_size < 200_000 < 500_000 < (tmp_path / "segment.db").stat().st_size
        assert server.append([one("table:1", 200)])[0].seq == 201  # type: ignore[union-attr]
        assert verify(server).is_sound and len(list(server.read("table:1"))) == 201


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, piece = str(tmp_path / "log.db"), str(tmp_path / "segment.db")
    with opened(SqliteLog(path)) as log:
        filled(log)
        for number in range(300):
            log.append([one("audit", number)])
    assert main(["log", "archive", path, piece, "--json"]) == 0
    said = msgspec.json.decode(capsys.readouterr().out)
    assert (said["done"], said["first"], said["last"], said["given"]) == ("archived", 1, 382, 300)
    assert main(["log", "verify", path, "--without-heads"]) == 0
    told = capsys.readouterr().out
    assert "What is in 300 entries was archived; 1 segment at hand and verified." in told
    assert main(["log", "verify", piece, "--without-heads"]) == 0
    assert "Checked against 1 signed checkpoint." in capsys.readouterr().out
    assert main(["log", "archive", path, str(tmp_path / "more.db")]) == 2
    assert "there is nothing to archive after entry 382" in capsys.readouterr().err
    assert main(["log", "archive", piece, str(tmp_path / "more.db")]) == 2
    Path(piece).rename(tmp_path / "gone.db")
    assert main(["log", "verify", path, "--without-heads"]) == 0
    assert "Not at hand: " in capsys.readouterr().out
