"""Keys and signed heads."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from pitboss.store.log import Head, StoreError
from pitboss.store.opening import open_log
from pitboss.store.signing import Signer, is_signed, keep_head, keep_newest, kept_heads
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
    with pytest.raises(StoreError, match=r"heads:1: this is not a signed head"):
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
