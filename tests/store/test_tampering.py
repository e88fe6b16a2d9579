"""Whatever somebody does to a log behind its back, verifying says that it was done, where, and what."""

from __future__ import annotations

import random
import shutil
import sqlite3
from pathlib import Path

import msgspec
import pytest

from pitboss.store import finding
from pitboss.store.log import Entry, Snapshot, StoreError
from pitboss.store.opening import open_log, path_of
from pitboss.store.signing import SignedHead, Signer, keep_head, kept_heads
from pitboss.store.stored import StoredLog
from pitboss.store.verify import FAULTS_MAX, Report, verify
from tests.store.behind import blob, entries_of, hashed, put, shift, tamper
from tests.store.making import body, fill, one

COUNT = 40


@pytest.fixture
def filled(log: StoredLog) -> StoredLog:
    fill(log, COUNT)
    return log


@pytest.fixture
def signer(tmp_path: Path) -> Signer:
    return Signer(tmp_path / "log.key")


@pytest.fixture
def kept(signer: Signer, log: StoredLog) -> list[SignedHead]:
    """The log with heads kept after every ten entries; it ends at entry 40."""
    heads = []
    for number in range(COUNT):
        log.append([one("table:1", number)])
        if number % 10 == 9:
            heads.append(signer.sign(log.head(), number))
    assert verify(log, heads, key=signer.public).is_sound
    return heads


def found(report: Report) -> list[tuple[int, str]]:
    assert report.is_sound == (not report.faults)
    return [(fault.seq, fault.kind) for fault in report.faults]


@pytest.mark.parametrize(
    "change",
    [
        "stream = 'table:9'",
        "version = 99",
        "at_ms = at_ms + 1",
        "by_name = 'bob'",
        "command = 'another'",
        "remaining = 7",
        "kind = 'acts'",
        "body = BLOB",
        "answer = BLOB",
        "hash = BLOB",
    ],
)
@pytest.mark.parametrize("seq", [1, 17, COUNT])
def test_an_edited_field_is_found_where_it_is(filled: StoredLog, url: str, change: str, seq: int) -> None:
    tamper(url, f"UPDATE entries SET {change.replace('BLOB', blob(url, b'x' * 32))} WHERE seq = {seq}")
    faults = found(verify(filled))
    assert faults[0] == (seq, "altered")
    allowed = {seq, seq + 1} if change.startswith("hash") else {seq}
    if change.startswith("remaining") and seq == COUNT:
        assert faults[1:] == [(COUNT, "half")]
    else:
        assert {at for at, _ in faults} <= allowed


def test_one_bit_of_a_body_is_enough(filled: StoredLog, url: str) -> None:
    entry = entries_of(url)[22]
    flipped = bytes([entry.body[0] ^ 1]) + entry.body[1:]
    tamper(url, f"UPDATE entries SET body = {blob(url, flipped)} WHERE seq = 23")
    assert found(verify(filled)) == [(23, "altered")]


def test_bytes_moved_from_one_field_to_the_next_are_found(log: StoredLog, url: str) -> None:
    log.append([one("table:1", 0, command="abc")])
    tamper(url, "UPDATE entries SET by_name = by_name || 'a', command = 'bc' WHERE seq = 1")
    assert found(verify(log)) == [(1, "altered")]


def test_an_unknown_format_is_told(filled: StoredLog, url: str) -> None:
    tamper(url, "UPDATE entries SET format = 9 WHERE seq = 5")
    assert found(verify(filled)) == [(5, "format")]


def test_an_edit_whose_hash_was_made_anew_shows_at_the_next_entry(filled: StoredLog, url: str) -> None:
    entries = entries_of(url)
    forged = msgspec.structs.replace(entries[16], body=b'{"events":[]}')
    digest = hashed(entries[15].hash, forged)
    tamper(url, f"UPDATE entries SET body = {blob(url, forged.body)}, hash = {blob(url, digest)} WHERE seq = 17")
    report = verify(filled)
    assert found(report) == [(18, "altered")] and "entry 17" in report.faults[0].text


@pytest.mark.parametrize(("first", "last"), [(17, 17), (1, 1), (20, 25)])
def test_deleted_entries_are_named(filled: StoredLog, url: str, first: int, last: int) -> None:
    tamper(url, f"DELETE FROM entries WHERE seq BETWEEN {first} AND {last}")
    report = verify(filled)
    assert found(report) == [(first, "missing")]
    assert str(last) in report.faults[0].text


@pytest.mark.parametrize(("seq", "number"), [(7, 0), (7, 3), (COUNT, 0), (1, 0)])
def test_an_entry_whose_number_was_changed_in_the_file(tmp_path: Path, seq: int, number: int) -> None:
    """Written into the bytes of the file, where the database does not keep its entries in order."""
    path = tmp_path / "log.db"
    log = open_log(str(path))
    fill(log, COUNT)
    log.close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (command,) = connection.execute("SELECT command FROM entries WHERE seq = ?", (seq,)).fetchone()
    connection.close()
    data = bytearray(path.read_bytes())
    for cell in cells(data, seq):
        if command.encode() in data[cell : cell + 200]:
            data[cell] = number
    path.write_bytes(data)
    damaged = open_log(str(path), read_only=True)
    report = verify(damaged)
    damaged.close()
    told = [fault for fault in report.faults if fault.kind != "index"]
    if (seq, number) != (1, 0):
        assert [(fault.seq, fault.text) for fault in told] == [
            (seq, f"entry {seq} stands in its place with the number {number}.")
        ]
    assert not report.is_sound and not any(" to -" in fault.text or "entries 1 to 0" in fault.text for fault in told)


def cells(data: bytearray, rowid: int) -> list[int]:
    """Where in the leaves of a SQLite file a small number of a row stands."""
    size = int.from_bytes(data[16:18], "big")
    found = []
    for start in range(0, len(data), size):
        page = start + (100 if start == 0 else 0)
        if data[page] != 0x0D:
            continue
        for index in range(int.from_bytes(data[page + 3 : page + 5], "big")):
            place = page + 8 + 2 * index
            cell = start + int.from_bytes(data[place : place + 2], "big")
            while data[cell] & 0x80:
                cell += 1
            if data[cell + 1] == rowid:
                found.append(cell + 1)
    return found


def test_two_heads_of_which_only_one_can_be_true(filled: StoredLog, url: str, signer: Signer, tmp_path: Path) -> None:
    true = signer.sign(filled.head(), 1)
    other = signer.sign(msgspec.structs.replace(filled.head(), hash=bytes(32)), 2)
    report = verify(filled, [true, other], key=signer.public)
    assert found(report) == [(COUNT, "rewritten")]
    assert report.faults[0].text == f"two heads kept at entry {COUNT} differ: one is of another log."


@pytest.mark.parametrize("count", [1, 3])
def test_deleted_entries_are_found_though_the_rest_was_renumbered(filled: StoredLog, url: str, count: int) -> None:
    tamper(url, f"DELETE FROM entries WHERE seq BETWEEN 15 AND {14 + count}", *shift(14, -count))
    report = verify(filled)
    assert found(report) == [(15, "renumbered")]
    assert "taken out" in report.faults[0].text


def test_an_inserted_entry_is_found_though_the_rest_was_renumbered(filled: StoredLog, url: str) -> None:
    entries = entries_of(url)
    forged = msgspec.structs.replace(entries[14], seq=15, stream="table:7", version=1, command="forged", remaining=0)
    forged = msgspec.structs.replace(forged, hash=hashed(entries[13].hash, forged))
    tamper(url, *shift(14, 1), *put(url, [forged]))
    report = verify(filled)
    assert found(report) == [(16, "renumbered")] and "an entry was put in" in report.faults[0].text


def test_an_entry_added_at_the_end_with_a_wrong_hash_is_found(filled: StoredLog, url: str) -> None:
    last = entries_of(url)[-1]
    forged = Entry(COUNT + 1, "table:7", 1, 0, "bob", "", "act", b"{}", last.hash)
    tamper(url, *put(url, [forged]))
    assert found(verify(filled)) == [(COUNT + 1, "altered")]


@pytest.mark.parametrize("number", [0, -1, -(1 << 63)])
def test_a_row_put_in_before_the_first_entry_is_found(filled: StoredLog, url: str, number: int) -> None:
    """No hash follows on it and no other entry moves, and yet whoever reads its stream is given it."""
    tamper(url, *put(url, [Entry(number, "people", 1, 0, "bob", "", "account", b"{}", bytes(32))]))
    assert [entry.seq for entry in filled.read("people")] == [number]
    report = verify(filled)
    assert found(report) == [(0, "stranger")] and f"a row of people has the number {number}" in report.faults[0].text


def test_an_entry_at_the_very_end_of_all_numbers_is_found(filled: StoredLog, url: str) -> None:
    tamper(url, *put(url, [Entry((1 << 63) - 1, "people", 1, 0, "bob", "", "account", b"{}", bytes(32))]))
    assert found(verify(filled)) == [(COUNT + 1, "missing")]


@pytest.mark.parametrize(("one_seq", "other_seq"), [(9, 23), (11, 12)])
@pytest.mark.parametrize("with_hashes", [True, False])
def test_swapped_entries_are_named(log: StoredLog, url: str, one_seq: int, other_seq: int, with_hashes: bool) -> None:
    for number in range(30):
        log.append([one(f"table:{number}", 0)])
    entries = entries_of(url)
    first, second = entries[one_seq - 1], entries[other_seq - 1]
    changed = [msgspec.structs.replace(second, seq=one_seq), msgspec.structs.replace(first, seq=other_seq)]
    if not with_hashes:
        hashes = (first.hash, second.hash)
        changed = [msgspec.structs.replace(e, hash=hash) for e, hash in zip(changed, hashes, strict=True)]
    tamper(url, f"DELETE FROM entries WHERE seq IN ({one_seq}, {other_seq})", *put(url, changed))
    faults = found(verify(log))
    assert (one_seq, "swapped") in faults
    assert {at for at, _ in faults} <= {one_seq, other_seq + 1, one_seq + 1}


def test_the_end_cut_off_shows_against_a_kept_head(
    log: StoredLog, kept: list[SignedHead], url: str, signer: Signer
) -> None:
    tamper(url, "DELETE FROM entries WHERE seq > 33")
    assert verify(log).is_sound, "without a head nobody can know that there was more"
    report = verify(log, kept, key=signer.public)
    assert found(report) == [(34, "truncated")] and "34 to 40" in report.faults[0].text


def test_the_end_cut_off_in_the_middle_of_an_append_shows_by_itself(log: StoredLog, url: str) -> None:
    log.append([one("table:1", 0, body(1), body(2), body(3))])
    tamper(url, "DELETE FROM entries WHERE seq = 3")
    assert found(verify(log)) == [(2, "half")]


def test_a_log_that_was_rolled_back_and_played_on_shows_against_a_kept_head(
    log: StoredLog, kept: list[SignedHead], url: str, signer: Signer
) -> None:
    tamper(url, "DELETE FROM entries WHERE seq > 15")
    log.close()
    again = open_log(url)
    for number in range(15, COUNT + 5):
        again.append([one("table:1", number, b'{"another":"history"}')])
    assert verify(again).is_sound
    report = verify(again, kept, key=signer.public)
    again.close()
    assert found(report) == [(20, "rewritten")] and "from entry 11 to entry 20" in report.faults[0].text


def test_a_chain_made_anew_from_the_middle_shows_against_a_kept_head(
    log: StoredLog, kept: list[SignedHead], url: str, signer: Signer
) -> None:
    entries = entries_of(url)
    previous, statements = entries[26].hash, []
    for entry in entries[27:]:
        forged = msgspec.structs.replace(entry, by="bob")
        previous = hashed(previous, forged)
        statements.append(f"UPDATE entries SET by_name = 'bob', hash = {blob(url, previous)} WHERE seq = {entry.seq}")
    tamper(url, *statements)
    assert verify(log).is_sound
    assert found(verify(log, kept, key=signer.public)) == [(30, "rewritten")]


def test_an_older_file_put_back_shows_against_a_kept_head(tmp_path: Path, signer: Signer) -> None:
    path = tmp_path / "log.db"
    log = open_log(str(path))
    fill(log, 10)
    log.close()
    shutil.copy(path, tmp_path / "old.db")
    log = open_log(str(path))
    log.append([one("table:8", 0)])
    keep_head(signer.sign(log.head(), 1), tmp_path / "heads")
    log.close()
    shutil.copy(tmp_path / "old.db", path)
    log = open_log(str(path), read_only=True)
    assert found(verify(log, kept_heads(tmp_path / "heads"))) == [(11, "truncated")]
    log.close()


def test_a_gap_in_a_stream_is_found_though_every_hash_was_made_anew(log: StoredLog, url: str) -> None:
    for number in range(10):
        log.append([one("table:1", number)])
    entries = entries_of(url)
    kept, previous = [], entries[3].hash
    for seq, entry in enumerate(entries[5:], start=5):
        forged = msgspec.structs.replace(entry, seq=seq)
        previous = hashed(previous, forged)
        kept.append(msgspec.structs.replace(forged, hash=previous))
    tamper(url, "DELETE FROM entries WHERE seq > 4", *put(url, kept))
    assert found(verify(log)) == [(5, "order")]


# --- answers, snapshots, heads ----------------------------------------------------------------------------------------


def test_an_edited_answer_and_a_freed_command_are_found(filled: StoredLog, url: str) -> None:
    tamper(url, f"UPDATE entries SET answer = {blob(url, b'{}')} WHERE command = 'command-3'")
    tamper(url, "UPDATE entries SET command = '' WHERE command = 'command-11'")
    faults = verify(filled).faults
    assert {fault.kind for fault in faults} == {"altered"}
    assert [fault.seq for fault in faults] == [
        entry.seq for entry in entries_of(url) if entry.command in ("command-3", "")
    ]


@pytest.mark.parametrize("change", ["body = BLOB", "version = 2", "seq = 1"])
def test_an_edited_snapshot_is_found_and_not_used(log: StoredLog, url: str, change: str) -> None:
    log.append([one("table:1", 0, body(1), body(2), body(3))])
    log.save_snapshot(Snapshot("table:1", 3, b"state"))
    tamper(url, f"UPDATE snapshots SET {change.replace('BLOB', blob(url, b'forged'))}")
    assert log.snapshot("table:1") is None
    faults = verify(log).faults
    assert [fault.kind for fault in faults] == ["snapshot"] and "table:1" in faults[0].text


def test_a_snapshot_of_another_stream_is_found(log: StoredLog, url: str) -> None:
    for name in ("table:1", "table:2"):
        log.append([one(name, 0)])
        log.save_snapshot(Snapshot(name, 1, name.encode()))
    tamper(url, "DELETE FROM snapshots WHERE stream = 'table:1'", "UPDATE snapshots SET stream = 'table:1'")
    assert log.snapshot("table:1") is None
    assert [fault.kind for fault in verify(log).faults] == ["snapshot"]


def test_a_forged_head_is_found(log: StoredLog, kept: list[SignedHead], signer: Signer, tmp_path: Path) -> None:
    forged = [msgspec.structs.replace(kept[0], seq=11), msgspec.structs.replace(kept[1], signature="00")]
    assert found(verify(log, [*forged, *kept[2:]])) == [(11, "signature"), (20, "signature")]
    stranger = Signer(tmp_path / "stranger.key").sign(log.head(), 5)
    assert verify(log, [stranger]).is_sound
    assert found(verify(log, [stranger], key=signer.public)) == [(COUNT, "signature")]


@pytest.mark.parametrize(("index", "table"), [("entries_by_stream", "places"), ("entries_by_command", "commands")])
def test_a_missing_index_is_found(filled: StoredLog, url: str, index: str, table: str) -> None:
    tamper(url, f"DROP INDEX {index}" if path_of(url) is None else f"DROP TABLE {table}", covers_up=False)
    assert [fault.kind for fault in verify(filled).faults] == ["index"]


@pytest.mark.parametrize("change", ["DELETE FROM entries WHERE seq > 30", "DELETE FROM entries WHERE seq = 30"])
def test_who_does_not_cover_up_in_the_tables_is_found_without_a_head(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    monkeypatch.setattr(finding, "FOLD_EVERY", 3)
    log = open_log(str(tmp_path / "log.db"))
    fill(log, COUNT)
    tamper(str(tmp_path / "log.db"), change, covers_up=False)
    assert "index" in {fault.kind for fault in verify(log).faults}
    log.close()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("DELETE FROM commands WHERE command = 'command-7'", "is not found by the table commands"),
        ("UPDATE commands SET seq = 1 WHERE command = 'command-7'", "is not found by the table commands"),
        ("INSERT INTO commands VALUES ('command-x', 1)", "commands has rows that no entry has"),
        ("DELETE FROM places WHERE stream = 'table:1' AND version = 3", "is not found by the table places"),
        ("UPDATE places SET seq = 1 WHERE stream = 'table:1' AND version = 3", "is not found by the table places"),
        ("INSERT INTO places VALUES ('table:1', 99, 1)", "places has rows that no entry has"),
        ("UPDATE folded SET seq = 99", "how far"),
        ("DELETE FROM folded", "how far"),
    ],
)
def test_an_altered_index_of_sqlite_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str, said: str
) -> None:
    """The entries are untouched, but who looks by the tables does not find them: a retry would be done again."""
    monkeypatch.setattr(finding, "FOLD_EVERY", 3)
    path = tmp_path / "log.db"
    log = open_log(str(path))
    fill(log, COUNT)
    assert verify(log).is_sound
    tamper(str(path), change, covers_up=False)
    faults = verify(log).faults
    assert [fault.kind for fault in faults] == ["index"] and said in faults[0].text
    log.close()


def test_a_command_taken_out_of_the_index_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the file itself, without SQL."""
    monkeypatch.setattr(finding, "FOLD_EVERY", 1)
    path = tmp_path / "log.db"
    log = open_log(str(path))
    log.append([one("table:1", 0, command="find-me", answer=b"1")])
    log.close()
    data = path.read_bytes()
    assert data.count(b"find-me") == 2
    index = data.rfind(b"find-me")
    path.write_bytes(data[:index] + b"find-mf" + data[index + 7 :])
    log = open_log(str(path), read_only=True)
    assert log.answer("find-me") is None
    assert {fault.kind for fault in verify(log).faults} == {"index"}
    log.close()


def test_a_file_with_a_flipped_bit_is_never_called_sound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not only what SQL can change: a bit of the file itself; sound it may be called where nobody could ever notice."""
    monkeypatch.setattr(finding, "FOLD_EVERY", 50)
    path = tmp_path / "log.db"
    log = open_log(str(path))
    fill(log, 60)
    rows = list(log.rows())
    log.close()
    data = path.read_bytes()
    chance = random.Random(5)
    noticed = 0
    for at in chance.sample([at for at in range(4096, len(data)) if data[at]], 60):
        path.write_bytes(data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :])
        try:
            damaged = open_log(str(path), read_only=True)
        except StoreError:
            noticed += 1
            continue
        try:
            if not verify(damaged).is_sound:
                noticed += 1
            else:
                assert list(damaged.rows()) == rows, at
                assert all(damaged.answer(row[6]) == row[10] for row in rows if not row[7]), at
        finally:
            damaged.close()
    assert noticed > 50


def test_many_faults_are_counted(log: StoredLog, url: str) -> None:
    log.append([one("table:1", number) for number in range(300)])
    tamper(url, "UPDATE entries SET by_name = 'bob' WHERE seq % 2 = 0")
    report = verify(log)
    assert report.faults_total == 150 and len(report.faults) == FAULTS_MAX


def test_a_log_only_grows_unless_its_triggers_are_taken_away(filled: StoredLog, url: str) -> None:
    import sqlite3

    import psycopg

    path = path_of(url)
    for statement in ("UPDATE entries SET by_name = 'bob'", "DELETE FROM entries"):
        if path is None:
            from tests.store.servers import execute

            with pytest.raises(psycopg.Error, match="only grows"):
                execute(url, statement)
        else:
            connection = sqlite3.connect(path)
            with pytest.raises(sqlite3.Error, match="only grows"):
                connection.execute(statement)
            connection.close()
    assert verify(filled).is_sound


def test_a_sound_log_is_counted(filled: StoredLog) -> None:
    report = verify(filled)
    assert (report.entries, report.events, report.streams, report.seq) == (COUNT, 2 * COUNT, 3, COUNT)
    assert report.hash == filled.head().hash.hex()
