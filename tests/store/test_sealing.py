"""What is hidden is sealed in the database, proven by its commitment, and opened with a key that is elsewhere."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from pitboss.commands import log as commands
from pitboss.store import keyring as keys
from pitboss.store.chain import commitment_to, snapshot_digest
from pitboss.store.keyring import Keyring
from pitboss.store.log import Append, KeyLost, LogDamaged, NewEntry, Part, Snapshot, StoreError
from pitboss.store.moving import backup, check_lines, export_lines, held_against, import_lines, opened, restore
from pitboss.store.opening import open_log, path_of
from pitboss.store.stored import StoredLog
from pitboss.store.verify import verify
from tests.store.behind import blob, tamper
from tests.store.making import fill, one
from tests.store.test_moving import target

__all__ = ["target"]

SECRET = b'{"act":{"act":"Shuffle","order":["Ks","2h"]},"events":[{"event":"StackArranged"}]}'


def hidden(stream: str, expected: int, body: bytes = SECRET, command: str = "") -> Append:
    return Append((Part(stream, expected, (NewEntry("act", body, hidden=True),)),), 1000, "dealer", command, b"{}")


def filled(url: str, keyring: Keyring | None = None) -> StoredLog:
    """Entry 2 and entry 4 are sealed."""
    log = open_log(url, keyring=keyring)
    log.append([one("table:1", 0), hidden("table:1", 1, command="h"), one("table:1", 2), hidden("table:2", 0)])
    return log


def another(tmp_path: Path) -> Keyring:
    """A keyring with none of the right keys."""
    keyring = Keyring(tmp_path / "another.key")
    keyring.add()
    return keyring


def of_table_2(url: str) -> list[bytes]:
    """What somebody reads there who opens the log anew."""
    with opened(open_log(url, read_only=True)) as log:
        return [entry.body for entry in log.read("table:2")]


def ready(url: str) -> bool:
    with opened(open_log(url)) as log:
        return log.sealing.ready()


def exported(log: StoredLog, **options: Any) -> list[bytes]:
    out = io.BytesIO()
    export_lines(log, out, **options)
    return out.getvalue().splitlines(keepends=True)


def test_what_is_hidden_is_nowhere_in_the_database_and_comes_back(url: str) -> None:
    log = filled(url)
    rows = list(log.rows())
    for row in (rows[1], rows[3]):
        assert b"Ks" not in row[9] and b"Shuffle" not in row[9] and row[11] == b"" and len(row[12]) == 32
    assert rows[0][9] == one("table:1", 0).parts[0].entries[0].body and len(rows[0][11]) == 16 and rows[0][12] == b""
    entries = list(log.read_all())
    assert [entry.hidden for entry in entries] == [False, True, False, True]
    assert entries[1].body == entries[3].body == SECRET and entries[1].salt != entries[3].salt
    assert commitment_to(entries[1].salt, SECRET) == rows[1][12] != rows[3][12]
    assert next(log.read("table:2")).body == SECRET and log.answer("h") == b"{}"
    report = verify(log)
    assert report.is_sound and (report.sealed, report.opened, report.key_lost) == (2, 2, "")
    log.close()
    again = open_log(url)
    assert again.append([hidden("table:2", 1)]) and list(again.read("table:2"))[1].body == SECRET
    again.close()


def test_what_is_folded_of_it_is_sealed_too_and_proven_without_the_key(url: str, tmp_path: Path) -> None:
    """A fold may have heard what nobody is told yet, and its digest in the chain must not be one to try guesses at."""
    log = filled(url)
    kept = Snapshot("projection:search", 4, b'{"words":["' + SECRET + b'"]}')
    log.save_snapshot(kept)
    assert log.snapshot(kept.stream) == kept
    ((_, _, stored, seq),) = log.snapshot_rows()
    assert b"words" not in stored
    (told,) = log.read("log:snapshots")
    digests = (snapshot_digest(kept.stream, 4, body).encode() in told.body for body in (kept.body, stored))
    assert told.seq == seq and tuple(digests) == (False, True)
    log.close()
    with opened(open_log(url, read_only=True, keyring=another(tmp_path))) as without:
        assert without.snapshot(kept.stream) is None, "it is folded anew"
        assert verify(without).is_sound and verify(without).snapshots == 1


def test_what_an_older_pitboss_folded_in_plain_text_is_sealed_at_once_and_again_under_a_new_key(url: str) -> None:
    text = b'{"words":"' + SECRET * 2000 + b'"}'
    with opened(open_log(url)) as log:
        fill(log, 9)
        kept = [Snapshot(f"projection:{name}", 4, text) for name in ("search", "takings")]
        for each in kept:
            log.save_snapshot(each)
        assert {row[2] for row in log.snapshot_rows()} == {text}, "no key, and nothing sealed"
        log.sealing.ready()
        assert (log.seal_snapshots(), log.seal_snapshots()) == (2, 0)
        assert not any(SECRET in row[2] for row in log.snapshot_rows())
        assert [log.snapshot(each.stream) for each in kept] == kept and verify(log).is_sound
        path = path_of(url)
        if path is not None:
            found = {file.name for file in path.parent.glob(path.name + "*") if SECRET in file.read_bytes()}
            assert not found, "nor is it left in room that is free"
    assert commands.rekey(url) == 0
    with opened(open_log(url)) as log:
        log.sealing.ready()
        assert (log.seal_snapshots(), log.seal_snapshots()) == (2, 0)
        assert [log.snapshot(each.stream) for each in kept] == kept and verify(log).is_sound
        assert {row[2][:4] for row in log.snapshot_rows()} == {(2).to_bytes(4, "big")}


def test_how_long_a_sealed_body_is_tells_no_card(log: StoredLog) -> None:
    bodies = [b'{"card":"%b","total":%d}' % (card, total) for card in (b"As", b"Td") for total in (2, 10, 21)]
    log.append([hidden("t", number, body) for number, body in enumerate(bodies)])
    assert len({len(row[9]) for row in log.rows()}) == 1


def test_the_chain_is_verified_without_the_key(url: str, tmp_path: Path) -> None:
    filled(url).close()
    log = open_log(url, read_only=True, keyring=another(tmp_path))
    report = verify(log)
    assert report.is_sound and (report.sealed, report.opened) == (2, 0)
    assert "is sealed under key " in report.key_lost and report.key_lost.endswith(f"{keys.KEY_FILE}.")
    with pytest.raises(KeyLost, match=r"another\.key does not have that one; bring it back"):
        list(log.read("table:2"))
    assert next(log.read("table:1")).version == 1, "what is not sealed is read as ever"
    log.close()
    writer = open_log(url, keyring=another(tmp_path))
    with pytest.raises(KeyLost):
        writer.sealing.ready()
    with pytest.raises(KeyLost):
        writer.append([hidden("table:2", 1)])
    assert writer.version("table:2") == 1
    writer.close()


def test_a_commitment_that_was_changed_is_found_without_the_key(url: str, tmp_path: Path) -> None:
    filled(url).close()
    tamper(url, f"UPDATE entries SET proof = {blob(url, b'x' * 32)} WHERE seq = 2")
    log = open_log(url, read_only=True, keyring=another(tmp_path))
    assert [(fault.seq, fault.kind) for fault in verify(log).faults] == [(2, "altered")]
    log.close()


@pytest.mark.parametrize("how", ["flipped", "exchanged", "emptied"])
def test_a_sealed_body_that_was_changed_is_found_with_the_key_and_never_read(url: str, how: str) -> None:
    log = filled(url)
    rows = list(log.rows())
    sealed = {"flipped": rows[1][9][:-1] + bytes([rows[1][9][-1] ^ 1]), "exchanged": rows[3][9], "emptied": b""}[how]
    tamper(url, f"UPDATE entries SET body = {blob(url, sealed)} WHERE seq = 2")
    report = verify(log)
    assert [(fault.seq, fault.kind) for fault in report.faults] == [(2, "sealed")]
    with pytest.raises(LogDamaged, match="what is sealed in entry 2 is not what was written"):
        list(log.read("table:1"))
    log.close()


def test_bytes_moved_between_salt_and_body_are_found(url: str) -> None:
    """The commitment covers one after the other, so that their border must not move."""
    log = filled(url)
    row = next(log.rows())
    salt, body = row[11][:-1], row[11][-1:] + row[9]
    assert commitment_to(salt, body) == commitment_to(row[11], row[9])
    tamper(url, f"UPDATE entries SET proof = {blob(url, salt)}, body = {blob(url, body)} WHERE seq = 1")
    assert [(fault.seq, fault.kind) for fault in verify(log).faults] == [(1, "altered")]
    log.close()


def test_a_salt_that_no_hash_covers_is_found(url: str) -> None:
    log = filled(url)
    tamper(url, f"UPDATE entries SET proof = {blob(url, b's' * 16 + list(log.rows())[1][12])} WHERE seq = 2")
    assert [(fault.seq, fault.kind) for fault in verify(log).faults] == [(2, "altered")]
    log.close()


def test_two_that_open_a_new_log_at_once_share_its_first_data_key(url: str) -> None:
    one_, other = open_log(url), open_log(url)
    assert one_.sealing.ready() and not other.sealing.ready()
    one_.append([hidden("a", 0)])
    other.append([hidden("b", 0)])
    assert [entry.body for entry in one_.read_all()] == [entry.body for entry in other.read_all()] == [SECRET] * 2
    assert len(one_.data_keys()) == 1
    one_.close()
    other.close()


# --- keys -------------------------------------------------------------------------------------------------------------


def test_the_key_is_made_apart_from_the_log_and_for_its_owner_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "data").mkdir()
    filled(str(tmp_path / "data" / "log.db")).close()
    made = tmp_path / "state" / "pitboss" / "seal.key"
    assert len(bytes.fromhex(made.read_text())) == 32 and made.stat().st_mode & 0o077 == 0
    assert not [file for file in (tmp_path / "data").iterdir() if "key" in file.name]
    made.chmod(0o644)
    with pytest.raises(StoreError, match=r"others may read this key; take their rights away \(chmod 600\)\.$"):
        of_table_2(str(tmp_path / "data" / "log.db"))


def test_a_log_in_which_nothing_is_hidden_needs_no_key(url: str, tmp_path: Path) -> None:
    keyring = Keyring(tmp_path / "none.key")
    log = open_log(url, keyring=keyring)
    log.append([one("table:1", 0)])
    assert len(list(log.read_all())) == 1 and verify(log).is_sound and not (tmp_path / "none.key").exists()
    log.close()


def test_the_key_may_come_from_the_environment(url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(keys.KEY, "ab" * 32)
    filled(url).close()
    assert of_table_2(url) == [SECRET]
    monkeypatch.setenv(keys.KEY, "cd" * 32)
    with pytest.raises(KeyLost, match=f"{keys.KEY} does not have that one"):
        of_table_2(url)
    monkeypatch.setenv(keys.KEY, "not a key")
    with pytest.raises(StoreError, match=f"^{keys.KEY}: this is not a key for sealing"):
        of_table_2(url)
    monkeypatch.delenv(keys.KEY)
    file = tmp_path / "kept.key"
    file.write_text("ab" * 32 + "\n")
    file.chmod(0o600)
    monkeypatch.setenv(keys.KEY_FILE, str(file))
    assert of_table_2(url) == [SECRET]


SERVICE = """
import base64, sys
data = base64.b64decode(sys.stdin.read())
if "{0}" == "down":
    sys.exit("the service is down")
print(base64.b64encode(bytes(byte ^ {1} for byte in data)).decode())
"""


def test_the_key_may_be_a_key_service_behind_a_command(
    url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script = tmp_path / "service.py"
    script.write_text(SERVICE.format("up", 0x55))
    monkeypatch.setenv(keys.COMMAND, f"{sys.executable} {script}")
    filled(url).close()
    log = open_log(url, read_only=True)
    assert next(log.read("table:2")).body == SECRET
    assert [key.wrapped_by for key in log.data_keys()] == ["command"]
    script.write_text(SERVICE.format("down", 0x55))
    with pytest.raises(KeyLost, match=r"cannot unwrap a data key \(the service is down\); look at the key service\.$"):
        ready(url)
    monkeypatch.setenv(keys.COMMAND, str(tmp_path / "nothing"))
    with pytest.raises(KeyLost, match="cannot unwrap a data key"):
        ready(url)
    monkeypatch.delenv(keys.COMMAND)
    with pytest.raises(KeyLost, match="sealed under key command"):
        ready(url)
    log.close()


def test_a_new_key_seals_what_comes_and_the_old_one_may_go(
    url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "seal.key"
    monkeypatch.setenv(keys.KEY_FILE, str(file))
    filled(url).close()
    (first,) = file.read_text().split()
    assert commands.rekey(url, new_key=True) == 0
    assert "has 2 data keys, wrapped by key " in capsys.readouterr().out
    assert file.read_text().split()[0] == first and file.stat().st_mode & 0o077 == 0
    log = open_log(url)
    log.append([hidden("table:2", 1)])
    numbers = [int.from_bytes(row[9][:4], "big") for row in log.rows() if row[12]]
    assert numbers == [1, 1, 2]
    log.close()
    file.write_text(file.read_text().split()[1] + "\n")
    log = open_log(url, read_only=True)
    assert [entry.body for entry in log.read("table:2")] == [SECRET] * 2 and verify(log).opened == 3
    log.close()
    file.write_text(first + "\n")
    with pytest.raises(KeyLost, match="is sealed under key"):
        of_table_2(url)
    assert commands.verify(url, without_heads=True) == 0
    assert "3 sealed entries, 0 opened and held against their commitments." in capsys.readouterr().out


def test_a_data_key_that_was_taken_out_of_the_log_is_told(url: str) -> None:
    filled(url).close()
    tamper(url, "DELETE FROM data_keys")
    with pytest.raises(KeyLost, match="data key 1 is not in the log any more"):
        of_table_2(url)


# --- moving -----------------------------------------------------------------------------------------------------------


def test_a_backup_is_as_sealed_as_the_log_and_carries_its_wrapped_keys(url: str, target: str, tmp_path: Path) -> None:
    log = filled(url)
    backup(log, tmp_path / "copy.db")
    assert b"StackArranged" not in (tmp_path / "copy.db").read_bytes()
    restore(tmp_path / "copy.db", target)
    moved = open_log(target)
    assert list(moved.rows()) == list(log.rows()) and moved.data_keys() == log.data_keys()
    assert verify(moved).opened == 2
    moved.close()
    log.close()


def test_an_export_comes_back_sealed_with_the_same_hashes(url: str, target: str) -> None:
    log = filled(url)
    lines = exported(log)
    assert any(b'"sealed":true' in line and b'"Ks"' in line for line in lines)
    assert import_lines(lines, "x", target) == log.head()
    moved = open_log(target)
    assert list(moved.read_all()) == list(log.read_all()) and exported(moved) == lines
    stored = list(moved.rows())
    assert b'"Ks"' not in stored[1][9] and stored[1][9] != list(log.rows())[1][9] and verify(moved).opened == 2
    moved.close()
    log.close()


def test_an_export_without_the_key_carries_commitments(url: str, tmp_path: Path, target: str) -> None:
    filled(url).close()
    log = open_log(url, read_only=True, keyring=another(tmp_path))
    lines = exported(log)
    held = [line for line in lines if b'"withheld"' in line]
    assert len(held) == 2 and all(b'"commitment"' in line and b"Ks" not in line for line in held)
    found = check_lines(lines, "x")
    assert (found.end, found.withheld) == (log.head(), 2)
    with pytest.raises(StoreError, match=r"x:3: the contents of entry 2 were withheld"):
        import_lines(lines, "x", target)
    log.close()


def test_what_is_released_later_is_proven_against_an_earlier_export(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = filled(url)
    early = exported(log, withhold=lambda row: "cards" if row[0] in (2, 3) else "")
    assert not any(b"Ks" in line for line in early[2:4]) and sum(b'"salt"' in line for line in early) == 2
    log.append([one("table:3", 0)])
    late = exported(log)
    found = check_lines(late, "late", (early, "early"))
    assert (found.entries, found.withheld, found.proven) == (5, 0, 2)
    assert held_against(log, early, "early").proven == 2
    files = tmp_path / "early.jsonl", tmp_path / "late.jsonl"
    for file, lines in zip(files, (early, late), strict=True):
        file.write_bytes(b"".join(lines))
    assert commands.verify(str(files[0])) == 0
    assert "4 entries, 2 of them withheld and held by their commitments" in capsys.readouterr().out
    for which in (str(files[1]), url):
        assert commands.verify(which, earlier=str(files[0]), without_heads=True) == 0
        assert "2 entries that were withheld" in capsys.readouterr().out

    other = open_log(str(tmp_path / "other.db"))
    changed = SECRET.replace(b"Ks", b"Qs")
    other.append([one("table:1", 0), hidden("table:1", 1, changed, "h"), one("table:1", 2), hidden("table:2", 0)])
    with pytest.raises(StoreError, match="entry 1 is not the one whose commitment the earlier export has"):
        check_lines(exported(other), "other", (early, "early"))
    swapped = [line.replace(b'"Ks"', b'"Qs"') for line in late]
    with pytest.raises(StoreError, match="x:3: entry 2 does not follow"):
        check_lines(swapped, "x", (early, "early"))
    with pytest.raises(StoreError, match="the log ends at entry 4 here, and the earlier export goes to 5"):
        check_lines(exported(log, head=head_at(log, 4)), "x", (late, "late"))
    files[1].write_bytes(b"".join(swapped))
    assert commands.verify(str(files[1]), earlier=str(files[0])) == 1
    other.close()
    log.close()


def head_at(log: StoredLog, seq: int) -> Any:
    from pitboss.store.log import Head

    return Head(seq, next(iter(log.rows(seq - 1, 1)))[-1])


def test_lines_of_the_first_version_are_read(target: str) -> None:
    """As an older Pitboss exported them, one of them withheld."""
    from pitboss.store.chain import START, entry_hash

    hashes = [START]
    for seq in (1, 2):
        numbers = (1, seq, b"t", seq, 0, b"", b"", 0, b"act", b"{}", b"")
        hashes.append(entry_hash(hashes[-1], *numbers))
    line = b'{"seq":%d,"stream":"t","version":%d,"at_ms":0,"by":"","kind":"act","hash":"%b"%b}\n'
    told = [h.hex().encode() for h in hashes]
    end = b'{"end":2,"hash":"%b"}\n' % told[2]
    whole = [b'{"pitboss_log":1}\n', line % (1, 1, told[1], b',"body":{}'), line % (2, 2, told[2], b',"body":{}'), end]
    import_lines(whole, "x", target)
    log = open_log(target)
    assert [entry.format for entry in log.read_all()] == [1, 1] and verify(log).is_sound
    log.append([one("t", 2)])
    assert verify(log).is_sound and list(log.read_all())[2].format == 2
    log.close()
    withheld = [*whole[:1], line % (1, 1, told[1], b',"withheld":"cards"'), *whole[2:]]
    assert check_lines(withheld, "x").withheld == 1


def test_keys_are_not_left_in_the_environment_of_tests() -> None:
    assert not {keys.KEY, keys.KEY_FILE, keys.COMMAND} & set(os.environ)
