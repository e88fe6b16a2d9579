"""What is sealed of one person can be erased: the key goes, the chain stays, and every copy is honest about it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from pitboss.store.log import ERASED, GONE, Append, Appended, NewEntry, Part, Stale
from pitboss.store.moving import backup, export_lines, import_lines, opened, restore
from pitboss.store.opening import open_log
from pitboss.store.sealing import rewrapped
from pitboss.store.stored import StoredLog
from pitboss.store.verify import verify

ALICE, BOB = "patron:alice", "patron:bob"


def said(stream: str, expected: int, text: bytes, owner: str = "") -> Append:
    return Append((Part(stream, expected, (NewEntry("file", b'"' + text + b'"', hidden=True, owner=owner),)),), 1)


def erasure(expected: int) -> Append:
    return Append((Part(ALICE, expected, (NewEntry(ERASED, b'{"by":"mona"}'),)),), 2, "mona")


def written(log: StoredLog) -> None:
    """Of alice three: one from before people had keys, and one in a stream that is not hers; of bob one."""
    for item in (
        said(ALICE, 0, b"passport N1"), said(ALICE, 1, b"licence L2", "alice"), said(BOB, 0, b"bobs secret", "bob"),
        said("promotion:x", 0, b"1 High Street", "alice"),
    ):  # fmt: skip
        assert isinstance(log.append([item])[0], Appended)


def bodies(log: StoredLog) -> list[bytes]:
    return [entry.body for entry in log.read_all(0)]


def test_a_persons_data_is_gone_and_the_chain_is_sound(url: str) -> None:
    with opened(open_log(url)) as log, opened(open_log(url, several=True)) as other:
        written(log)
        before = verify(log)
        assert before.is_sound and (before.sealed, before.opened, before.erased) == (4, 4, 0)
        assert bodies(other) == bodies(log)
        stale = log.erase(erasure(1), "alice")
        assert isinstance(stale, Stale) and verify(log).opened == 4, "nothing is erased by who does not know the file"
        assert isinstance(log.erase(erasure(2), "alice"), Appended)
        for each in (log, other):
            kinds = [(entry.kind, entry.body) for entry in each.read(ALICE)]
            assert kinds == [(GONE, b"{}"), (GONE, b"{}"), (ERASED, b'{"by":"mona"}')]
            assert [entry.body for entry in each.read(BOB)] == [b'"bobs secret"']
            assert [entry.kind for entry in each.read("promotion:x")] == [GONE]
        after = verify(log)
        assert after.is_sound and (after.sealed, after.opened, after.erased) == (1, 1, 3)
        assert log.append([said(ALICE, 3, b"again", "alice")])[0] == Appended(6, (4,))
        assert [entry.kind for entry in other.read(ALICE, 3)] == ["file"], "who comes back has a new key"
        log.put_data_keys(rewrapped(log.sealing.keyring, log.data_keys(), url))
    with opened(open_log(url)) as log:
        assert [entry.kind for entry in log.read(ALICE)] == [GONE, GONE, ERASED, "file"]
        assert verify(log).erased == 3


def test_copies_say_what_was_erased(url: str, tmp_path: Path) -> None:
    with opened(open_log(url)) as log:
        written(log)
        log.erase(erasure(2), "alice")
        out = io.BytesIO()
        export_lines(log, out)
        assert out.getvalue().count(b'"withheld":"erased"') == 3 and b"High Street" not in out.getvalue()
        backup(log, tmp_path / "copy.db")
        head = log.head()
    assert import_lines(out.getvalue().splitlines(), "lines", str(tmp_path / "imported.db")) == head
    restore(tmp_path / "copy.db", str(tmp_path / "restored.db"))
    for name in ("imported.db", "restored.db", "copy.db"):
        with opened(open_log(str(tmp_path / name), read_only=True)) as copy:
            report = verify(copy)
            assert report.is_sound and report.erased == 3, (name, report)
            assert b'"bobs secret"' in bodies(copy) and b"N1" not in b"".join(bodies(copy))


def test_nothing_of_a_key_is_left_in_the_file(tmp_path: Path) -> None:
    """With every key that is left and every byte of the file, what was sealed of them does not come back."""
    path = tmp_path / "log.db"
    with opened(open_log(str(path))) as log:
        written(log)
        wrapped = {key.owner: key.wrapped for key in log.data_keys()}
        sealed = [row[9] for row in log.rows() if row[2] == ALICE]
        log.erase(erasure(2), "alice")
        rest = b"".join(each.read_bytes() for each in tmp_path.iterdir() if each.is_file())
        assert wrapped["alice"] not in rest and wrapped["bob"] in rest
        assert all(body not in rest for body in sealed), "what was sealed under the key of all is overwritten too"
    with opened(open_log(str(path))) as log:
        assert [key.wrapped for key in log.data_keys() if key.owner == "alice"] == [b""]


def test_a_key_that_is_destroyed_by_hand_is_found(tmp_path: Path) -> None:
    with opened(open_log(str(tmp_path / "log.db"))) as log:
        written(log)
        lost = [key for key in log.data_keys() if key.owner == "alice"]
        log.put_data_keys([type(key)(key.number, "", b"", 0, key.owner) for key in lost])
    with opened(open_log(str(tmp_path / "log.db"))) as log:
        (fault,) = verify(log).faults
        assert fault.kind == "sealed" and "nothing in the log says" in fault.text


@pytest.mark.parametrize("body", [b"x"])
def test_the_database_lets_no_other_body_go(tmp_path: Path, body: bytes) -> None:
    import sqlite3

    with opened(open_log(str(tmp_path / "log.db"))) as log:
        written(log)
        log.erase(erasure(2), "alice")
    with sqlite3.connect(tmp_path / "log.db") as direct, pytest.raises(sqlite3.IntegrityError, match="only grows"):
        direct.execute("UPDATE entries SET body = x'' WHERE stream = 'patron:bob'")
