"""Keys and signed checkpoints."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from pitboss.store.log import Head, StoreError
from pitboss.store.opening import open_log
from pitboss.store.segments import hash_at
from pitboss.store.signing import Signer, is_signed, keep_head, keep_newest, kept_heads, successors
from pitboss.store.verify import verify
from tests.store.making import one

HEAD = Head(7, bytes(range(32)))


def test_a_key_is_made_once_and_nobody_else_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "log.db.key"
    first, again = Signer(path), Signer(path)
    assert first.public == again.public and first.sign(HEAD, 1) == again.sign(HEAD, 1)
    assert path.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "log.db.pub").read_text().strip() == first.public
    assert first.public not in path.read_text()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["log.db.key", "log.db.pub"]
    assert Signer(tmp_path / "other.key").public != first.public


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.key"
    Signer(path)
    path.chmod(0o640)
    with pytest.raises(StoreError, match="chmod 600"):
        Signer(path)


@pytest.mark.parametrize("text", ["", "zz", "00" * 31])
def test_what_is_no_key_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "log.key"
    path.touch(0o600)
    path.write_text(text)
    with pytest.raises(StoreError, match="not a key"):
        Signer(path)


def test_a_signature_covers_everything(tmp_path: Path) -> None:
    signed = Signer(tmp_path / "log.key").sign(HEAD, 5)
    assert is_signed(signed)
    other = Signer(tmp_path / "other.key").public
    for change in (
        {"seq": 8},
        {"hash": "00" * 32},
        {"at_ms": 6},
        {"key": other},
        {"signature": "00" * 64},
        {"key": "x"},
    ):
        assert not is_signed(msgspec.structs.replace(signed, **change)), change


def test_heads_are_kept_in_a_file(tmp_path: Path) -> None:
    signer, path = Signer(tmp_path / "log.key"), tmp_path / "heads"
    heads = [signer.sign(HEAD, number) for number in range(3)]
    for head in heads:
        keep_head(head, path)
    assert kept_heads(path) == heads
    text = path.read_bytes()
    path.write_bytes(text[:-10])
    assert kept_heads(path) == heads[:2], "a line that was cut off while it was written does not count"
    keep_head(heads[2], path)
    assert path.read_bytes() == text
    path.write_bytes(text[:40] + b"\n" + text)
    with pytest.raises(StoreError, match=r"heads:1: this is not a signed checkpoint"):
        kept_heads(path)


def test_the_newest_head_is_kept_once(tmp_path: Path) -> None:
    log, signer = open_log(str(tmp_path / "log.db")), Signer(tmp_path / "log.key")
    path = tmp_path / "heads"
    for number in range(2):
        log.append([one("table:1", number)])
        kept = keep_newest(log, signer, path, 5)
        assert kept is not None and kept.seq == number + 1
        assert keep_newest(log, signer, path, 6) is None
    assert [head.seq for head in kept_heads(path)] == [1, 2]
    assert verify(log, kept_heads(path), key=signer.public).is_sound
    log.close()


def test_another_key_takes_the_place_of_one_that_is_destroyed(tmp_path: Path) -> None:
    signer = Signer(tmp_path / "log.key")
    first, stolen = signer.public, (tmp_path / "log.key").read_bytes()
    before = signer.sign(Head(5, bytes(32)), 1)
    said = signer.succeed(HEAD, 2)
    second, after = signer.public, signer.sign(Head(9, bytes(32)), 3)
    assert (said.key, said.next, after.key, signer.first) == (first, second, second, first) and is_signed(said)
    assert stolen not in (tmp_path / "log.key").read_bytes() and not list(tmp_path.glob("*.next"))
    third = signer.succeed(Head(9, bytes(32)), 4)
    assert Signer(tmp_path / "log.key").keys == {first: 7, second: 9, third.next: None}
    heads = [before, said, after, third]
    assert successors(first, heads) == signer.keys and successors(second, heads) == {second: 9, third.next: None}
    assert not is_signed(msgspec.structs.replace(said, next=first)), "nobody names another one"
    assert successors(first, [msgspec.structs.replace(said, next=before.key), after]) == {first: None}


@pytest.mark.parametrize("named", [False, True])
def test_a_change_of_keys_that_was_cut_off_is_finished_or_forgotten(tmp_path: Path, named: bool) -> None:
    signer, other = Signer(tmp_path / "log.key"), Signer(tmp_path / "other.key")
    first, another = signer.public, other.public
    (tmp_path / "other.key").rename(tmp_path / "log.key.next")
    if named:
        signer.succeed(HEAD, 1)
        before = (tmp_path / "log.key").read_bytes()
        (tmp_path / "log.key.next").write_bytes(before)
        (tmp_path / "log.key.next").chmod(0o600)
        (tmp_path / "log.key").write_bytes(b"0" * 64 + b"\n")
        assert Signer(tmp_path / "log.key").public != first and (tmp_path / "log.key").read_bytes() == before
    else:
        assert Signer(tmp_path / "log.key").public == first != another
    assert not (tmp_path / "log.key.next").exists()


def test_whoever_takes_the_key_writes_nothing_older(tmp_path: Path) -> None:
    """With the key of today a thief writes the log anew and signs it: the first key, kept elsewhere, tells."""
    log, signer = open_log(str(tmp_path / "log.db")), Signer(tmp_path / "log.db.key")
    log.append([one("table:1", number) for number in range(4)])
    first = signer.first
    kept = [signer.sign(log.head(), 1), signer.succeed(log.head(), 2)]
    log.append([one("table:1", number) for number in range(4, 6)])
    kept.append(signer.sign(log.head(), 3))
    assert verify(log, kept, key=first).is_sound
    another = open_log(str(tmp_path / "another.db"))
    another.append([one("table:1", number, at_ms=5) for number in range(6)])
    forged = [signer.sign(Head(4, hash_at(another.rows, 4)), 1), signer.sign(another.head(), 3)]
    said = {fault.kind for fault in verify(another, forged, key=first).faults}
    assert said == {"signature"}, "no key that the first one named"
    said = {fault.kind for fault in verify(another, [*forged, kept[1]], key=first).faults}
    assert said == {"rewritten"}, "the head in which it was named"
    late = msgspec.structs.replace(kept[1], next="")
    faults = verify(log, [*kept, late], key=first).faults
    assert [fault.kind for fault in faults] == ["signature"]
    log.close()
    another.close()
