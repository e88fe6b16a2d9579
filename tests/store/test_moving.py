"""Out and in again: the same entries, the same hashes, in either kind of log."""

from __future__ import annotations

import io
import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.store.log import Append, NewEntry, Part, Snapshot, StoreError
from pitboss.store.moving import backup, export_lines, export_parquet, import_lines, restore
from pitboss.store.opening import open_log
from pitboss.store.stored import StoredLog
from pitboss.store.verify import verify
from tests.store.behind import tamper
from tests.store.making import fill, one
from tests.store.servers import execute, postgres

AWKWARD = [
    b"{}", b"", b" {}", b"{} ", b"{\n}", b"not json", b"\xff\xfe", b'{"a": 1}', b"[1,2]", b'"\\u0000"', b"1e5", b"null",
    '"♠"'.encode(), b'{"a":1,"a":2}', b"[" * 2000 + b"]" * 2000, b'"\xff"', b"NaN",
]  # fmt: skip
_numbers = itertools.count()


@pytest.fixture(params=["sqlite", "postgresql"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where a log shall be."""
    if request.param == "sqlite":
        yield str(tmp_path / "target.db")
        return
    schema = f"target_{os.getpid()}_{next(_numbers)}"
    address = f"{postgres()}&schema={schema}"
    yield address
    execute(address, f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')


@pytest.fixture
def filled(log: StoredLog) -> StoredLog:
    fill(log, 30)
    for number, data in enumerate(AWKWARD):
        log.append([Append((Part("awkward", number, (NewEntry("x", data),)),), -5, "", f"a{number}", data)])
    log.save_snapshot(Snapshot("table:0", 3, b"state"))
    return log


def exported(log: StoredLog) -> bytes:
    out = io.BytesIO()
    assert export_lines(log, out) == log.head()
    return out.getvalue()


def same(url: str, log: StoredLog) -> StoredLog:
    moved = open_log(url)
    assert list(moved.rows()) == list(log.rows())
    assert verify(moved).is_sound
    return moved


def test_an_export_comes_back_byte_for_byte(filled: StoredLog, target: str) -> None:
    text = exported(filled)
    assert text.count(b"\n") == filled.head().seq + 2
    assert import_lines(io.BytesIO(text), "x", target) == filled.head()
    moved = same(target, filled)
    assert exported(moved) == text
    assert moved.answer("a3") == AWKWARD[3]
    moved.append([one("table:9", 0)])
    assert verify(moved).is_sound
    moved.close()


def test_an_empty_log_comes_back(log: StoredLog, target: str) -> None:
    import_lines(io.BytesIO(exported(log)), "x", target)
    same(target, log).close()


def damaged(text: bytes) -> dict[str, tuple[bytes, str]]:
    lines = text.splitlines(keepends=True)
    return {
        "cut at a line": (b"".join(lines[:-1]), "cut short after entry"),
        "cut in a line": (text[:-30], "cut short"),
        "cut in an entry": (b"".join(lines[:9]) + lines[9][:40], "x:10: this is not an entry"),
        "edited": (text.replace(b'"by":"alice"', b'"by":"bob"', 1), "x:2: entry 1 does not follow"),
        "deleted": (b"".join(lines[:4] + lines[5:]), "x:5: entry 5 does not follow"),
        "swapped": (b"".join([*lines[:4], lines[5], lines[4], *lines[6:]]), "x:5: entry 5 does not follow"),
        "end edited": (text.replace(b'{"end":', b'{"end":1'), "should end at entry"),
        "entries off the end": (b"".join(lines[:-2] + lines[-1:]), "should end at entry"),
        "more after the end": (text + b"\n" + lines[-2], "x:[0-9]+: the export ended before this line"),
        "no such time": (text.replace(b'"at_ms":-5', b'"at_ms":9223372036854775808', 1), "this is not an entry"),
        "other file": (b"hello\n", "x:1: this is not an exported log"),
        "nothing": (b"", "x:1: this is not an exported log"),
        "newer": (b'{"pitboss_log":3}\n', "newer Pitboss"),
    }


@pytest.mark.parametrize("kind", list(damaged(b"\n" * 20)))
def test_a_damaged_export_is_refused_with_its_place_and_leaves_nothing(
    filled: StoredLog, target: str, kind: str, tmp_path: Path
) -> None:
    text, said = damaged(exported(filled))[kind]
    with pytest.raises(StoreError, match=said):
        import_lines(io.BytesIO(text), "x", target)
    if "://" in target:
        left = open_log(target)
        assert left.head().seq == 0
        left.close()
    else:
        assert [file for file in tmp_path.iterdir() if "target" in file.name] == []


def test_half_an_append_is_refused(log: StoredLog, target: str) -> None:
    """Cut in the middle of it, and the last line put right."""
    log.append([one("table:1", 0)])
    three = tuple(NewEntry("x", body) for body in (b"1", b"2", b"3"))
    log.append([Append((Part("table:1", 1, three),), 0, "", "")])
    lines = exported(log).splitlines(keepends=True)
    middle = list(log.read_all())[2]
    end = b'{"end":3,"hash":"%s"}\n' % middle.hash.hex().encode()
    with pytest.raises(StoreError, match="x:5: 1 entries of the last append were taken out"):
        import_lines(io.BytesIO(b"".join([*lines[:4], end])), "x", target)


def test_nothing_is_overwritten(filled: StoredLog, target: str, tmp_path: Path) -> None:
    text = exported(filled)
    kept = tmp_path / "kept.db"
    backup(filled, kept)
    before = kept.read_bytes()
    import_lines(io.BytesIO(text), "x", target)
    with pytest.raises(StoreError, match="already"):
        import_lines(io.BytesIO(text), "x", target)
    with pytest.raises(StoreError, match="already"):
        restore(kept, target)
    with pytest.raises(StoreError, match="already"):
        backup(filled, kept)
    assert kept.read_bytes() == before


def test_a_backup_is_a_log_and_is_restored_anywhere(filled: StoredLog, target: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept.db"
    assert backup(filled, kept) == filled.head()
    filled.append([one("after", 0)])
    copy = open_log(str(kept), read_only=True)
    assert copy.snapshot("table:0") == Snapshot("table:0", 3, b"state")
    assert restore(kept, target) == copy.head()
    moved = same(target, copy)
    assert moved.snapshot("table:0") == Snapshot("table:0", 3, b"state")
    copy.close()
    moved.close()
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".")] == []


def test_a_backup_while_others_write_is_one_moment(log: StoredLog, tmp_path: Path) -> None:
    import threading

    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            log.append([one("table:1", number, b'"' + b"x" * 3000 + b'"')])
            number += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        ends = [backup(log, tmp_path / f"kept-{number}.db") for number in range(3)]
    finally:
        stop.set()
        writer.join()
    assert [end.seq for end in ends] == sorted(end.seq for end in ends)
    for number, end in enumerate(ends):
        copy = open_log(str(tmp_path / f"kept-{number}.db"), read_only=True)
        assert copy.head() == end
        if end.seq:
            assert next(log.read_all(end.seq - 1, 1)).hash == end.hash
        copy.close()


def test_a_damaged_log_is_neither_backed_up_nor_restored(
    filled: StoredLog, url: str, target: str, tmp_path: Path
) -> None:
    backup(filled, tmp_path / "good.db")
    tamper(str(tmp_path / "good.db"), "UPDATE entries SET by_name = 'bob' WHERE seq = 4")
    with pytest.raises(StoreError, match="entry 4"):
        restore(tmp_path / "good.db", target)
    tamper(url, "UPDATE entries SET by_name = 'bob' WHERE seq = 4")
    with pytest.raises(StoreError, match="entry 4"):
        backup(filled, tmp_path / "bad.db")
    assert not (tmp_path / "bad.db").exists()


def test_parquet_holds_every_entry(filled: StoredLog, tmp_path: Path) -> None:
    import duckdb

    path = tmp_path / "it's.parquet"
    assert export_parquet(filled, path) == filled.head()
    with duckdb.connect() as database:
        rows = database.execute(
            'SELECT seq, stream, version, at_ms, "by", command, kind, hash, epoch_ms("at") FROM read_parquet($path) '
            "ORDER BY seq",
            {"path": str(path)},
        ).fetchall()
        counted = database.execute(
            "SELECT count(*) FROM read_parquet($path) WHERE kind = 'act' AND body->>'$.act.act' = 'Hit'",
            {"path": str(path)},
        ).fetchall()
    assert rows == [
        (e.seq, e.stream, e.version, e.at_ms, e.by, e.command, e.kind, e.hash.hex(), e.at_ms) for e in filled.read_all()
    ]
    assert counted == [(30,)]
    with pytest.raises(StoreError, match="already"):
        export_parquet(filled, path)


def test_what_is_withheld_leaves_its_hash_and_cannot_be_imported(filled: StoredLog, target: str) -> None:
    out = io.BytesIO()
    export_lines(filled, out, withhold=lambda row: "a secret" if row[2] == "awkward" else "")
    whole, lines = exported(filled).splitlines(), out.getvalue().splitlines()
    assert len(lines) == len(whole)
    secret = [line for line in lines if b'"withheld":"a secret"' in line]
    assert len(secret) == len(AWKWARD)
    assert all(b'"commitment":' in line and b'"body' not in line and b'"salt' not in line for line in secret)
    assert [line for line in lines if line not in secret] == [line for line in whole if b'"awkward"' not in line]
    with pytest.raises(StoreError, match=r"copy:\d+: the contents of entry \d+ were withheld \(a secret\)"):
        import_lines(lines, "copy", target)
