"""A row that somebody without the key puts into a log is found, however right its hash is."""

from __future__ import annotations

import io
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from pitboss.commands import log as commands
from pitboss.store.chain import AUTHENTIC, SALTED
from pitboss.store.keeping import Keeper
from pitboss.store.log import Entry, KeyLost
from pitboss.store.moving import export_lines, import_lines
from pitboss.store.opening import open_log, path_of
from pitboss.store.stored import StoredLog
from pitboss.store.verify import Report, verify
from tests.store.behind import blob, entries_of, hashed, put, tamper
from tests.store.making import fill, one
from tests.store.servers import execute
from tests.store.test_moving import target
from tests.store.test_sealing import another

__all__ = ["target"]

COUNT = 20


@pytest.fixture
def kept(log: StoredLog) -> StoredLog:
    """Twenty entries in one transaction and three in their own, all of them authentic."""
    log.sealing.ready()
    fill(log, COUNT)
    for number in range(3):
        log.append([one("table:9", number)])
    report = verify(log)
    assert report.is_sound and report.authentic == COUNT + 3 and {e.format for e in log.read_all()} == {AUTHENTIC}
    return log


def found(report: Report) -> list[tuple[int, str]]:
    return [(fault.seq, fault.kind) for fault in report.faults]


def forged(url: str, format: int = AUTHENTIC) -> Entry:
    """One more entry with everything right that can be computed without the key."""
    last = entries_of(url)[-1]
    body = b'{"name":"mallory","role":"administrator"}'
    entry = Entry(last.seq + 1, "people", 1, 0, "", "", "account-created", body, b"", format=format, salt=b"s" * 16)
    return msgspec.structs.replace(entry, hash=hashed(last.hash, entry))


@pytest.mark.parametrize("format", [SALTED, AUTHENTIC])
def test_a_row_added_with_a_plain_hash_is_found(kept: StoredLog, url: str, format: int) -> None:
    tamper(url, *put(url, [forged(url, format)]))
    report = verify(kept)
    assert found(report) == [(COUNT + 4, "forged")] and "without the key" in report.faults[0].text


@pytest.mark.parametrize("code", ["made up", "of the entry before", "of a key that nobody has"])
def test_nor_does_a_code_help_that_is_not_its_own(kept: StoredLog, url: str, code: str) -> None:
    before = list(kept.rows())[-1][13]
    assert len(before) == 20
    codes = {
        "made up": before[:4] + bytes(16), "of the entry before": before,
        "of a key that nobody has": b"\0\0\0\7" + before[4:],
    }  # fmt: skip
    tamper(
        url,
        *put(url, [forged(url)]),
        f"UPDATE entries SET proof = {blob(url, b's' * 16 + codes[code])} WHERE seq = {COUNT + 4}",
    )
    assert found(verify(kept)) == [(COUNT + 4, "forged")]


def test_nor_a_data_key_of_his_own(kept: StoredLog, url: str) -> None:
    last = list(kept.rows())[-1][13]
    tamper(
        url,
        *put(url, [forged(url)]),
        f"UPDATE entries SET proof = {blob(url, b's' * 16 + bytes(3) + bytes([2]) + last[4:])} WHERE seq = {COUNT + 4}",
        f"INSERT INTO data_keys (number, wrapped_by, wrapped, made_ms) VALUES (2, 'mine', {blob(url, b'x' * 60)}, 0)",
    )
    again = open_log(url, read_only=True)
    assert found(verify(again)) == [(COUNT + 4, "forged")]
    again.close()
    with pytest.raises(KeyLost, match="sealed under key mine"):
        writer = open_log(url)
        try:
            writer.sealing.ready()
        finally:
            writer.close()


@pytest.mark.parametrize("seq", [1, 7, COUNT, COUNT + 2])
def test_whoever_makes_every_hash_anew_is_found_without_any_head(kept: StoredLog, url: str, seq: int) -> None:
    entries = entries_of(url)
    previous, statements = entries[seq - 2].hash if seq > 1 else bytes(32), []
    for entry in entries[seq - 1 :]:
        changed = msgspec.structs.replace(entry, by="bob") if entry.seq == seq else entry
        previous = hashed(previous, changed)
        statements.append(
            f"UPDATE entries SET by_name = '{changed.by}', hash = {blob(url, previous)} WHERE seq = {entry.seq}"
        )
    tamper(url, *statements)
    report = verify(kept)
    assert found(report) == [(1 if seq <= COUNT else seq, "forged")]


def test_a_code_that_was_taken_away_is_found(kept: StoredLog, url: str) -> None:
    tamper(url, f"UPDATE entries SET proof = substr(proof, 1, 16) WHERE seq = {COUNT + 1}")
    assert found(verify(kept)) == [(COUNT + 1, "forged")]


def test_without_the_key_the_chain_is_verified_and_nothing_is_written(
    kept: StoredLog, url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept.close()
    log = open_log(url, keyring=another(tmp_path))
    report = verify(log)
    assert report.is_sound and report.authentic == 0 and "is sealed under key" in report.key_lost
    with pytest.raises(KeyLost, match="is sealed under key"):
        log.append([one("table:9", 3)])
    assert log.version("table:9") == 3
    log.close()
    assert commands.verify(url) == 1
    assert "unproven    a server keeps heads of its log, and none is here" in capsys.readouterr().out
    assert commands.verify(url, without_heads=True) == 0
    assert f"{COUNT + 3} entries proven to be written by who has the key." in capsys.readouterr().out


def test_a_log_that_becomes_authentic_stays_so(log: StoredLog, url: str) -> None:
    fill(log, 5)
    log.sealing.ready()
    log.append([one("table:9", 0)])
    log.close()
    later = open_log(url)
    later.append([one("table:9", 1)])
    report = verify(later)
    assert report.is_sound and report.authentic == 2 and report.entries == 7
    tamper(url, *put(url, [msgspec.structs.replace(forged(url, SALTED))]))
    assert found(verify(later)) == [(8, "forged")]
    later.close()


def test_an_import_is_authentic_under_its_own_key(kept: StoredLog, target: str) -> None:
    out = io.BytesIO()
    export_lines(kept, out)
    import_lines(io.BytesIO(out.getvalue()), "x", target)
    moved = open_log(target)
    report = verify(moved)
    assert report.is_sound and report.authentic == COUNT + 3 and report.hash == verify(kept).hash
    moved.append([one("table:9", 3)])
    assert verify(moved).authentic == COUNT + 4
    moved.close()


def test_a_trigger_that_somebody_else_made_is_found_and_not_served(kept: StoredLog, url: str, tmp_path: Path) -> None:
    """It would write, or hide, what nobody with the key asked for, whenever a server writes."""
    keeper = Keeper(kept, url, tmp_path / "key", tmp_path / "heads")
    assert kept.strangers() == [] and keeper.why_not() is None
    if path_of(url) is not None:
        strange = ["CREATE TRIGGER helpful AFTER INSERT ON entries BEGIN DELETE FROM claims; END"]
        altered = [
            "DROP TRIGGER entries_do_not_go",
            "CREATE TRIGGER entries_do_not_go BEFORE DELETE ON entries BEGIN SELECT 1; END",
        ]
        with closing(sqlite3.connect(str(path_of(url)))) as line:
            for statement in strange:
                line.execute(statement)
            assert "'helpful'" in kept.strangers()[0]
            line.execute("DROP TRIGGER helpful")
            assert kept.strangers() == []
            for statement in altered:
                line.execute(statement)
    else:
        body = "$$ BEGIN DELETE FROM claims; RETURN new; END $$"
        execute(
            url,
            f"CREATE FUNCTION helpful() RETURNS trigger LANGUAGE plpgsql AS {body}",
            "CREATE TRIGGER entries_help AFTER INSERT ON entries FOR EACH ROW EXECUTE FUNCTION helpful()",
        )
    said = keeper.why_not()
    assert said is not None and "that Pitboss did not make" in said
    assert (0, "foreign") in found(verify(kept))


def test_a_function_that_somebody_altered_is_found_and_not_served(kept: StoredLog, url: str, tmp_path: Path) -> None:
    """Our own names, another text: what a server has the database do would be done otherwise."""
    if path_of(url) is not None:
        pytest.skip("SQLite has no functions in the file")
    keeper = Keeper(kept, url, tmp_path / "key", tmp_path / "heads")
    assert kept.strangers() == []
    body = "$$ BEGIN RETURN NULL; END $$"
    execute(url, f"CREATE OR REPLACE FUNCTION bodies_go_to_segments() RETURNS trigger LANGUAGE plpgsql AS {body}")
    assert "function 'bodies_go_to_segments'" in str(keeper.why_not())
    execute(url, "CREATE TABLE more () INHERITS (entries)")
    assert "'more'" in kept.strangers()[-1]


def test_nobody_without_the_key_says_where_a_table_is(kept: StoredLog, url: str) -> None:
    """Clients go where a claim says, with their sessions: a row that somebody puts there or changes is not believed."""
    mine = kept.claim("table:1", "a", "https://floor.example:8441", 1_000, 60_000)
    assert kept.claims(2_000) == {"table:1": mine}
    tamper(
        url,
        "UPDATE claims SET address = replace(address, 'floor.example', 'evil.example')",
        "INSERT INTO claims (stream, owner, address, epoch, until_ms) "
        "SELECT 'process:b', 'b', 'https://evil.example', epoch, until_ms FROM claims",
        covers_up=False,
    )
    assert kept.claims(2_000) == {} and kept.renew("a", 2_000, 60_000) == {}
    again = kept.claim("table:1", "c", "https://floor.example:8442", 3_000, 60_000)
    assert (again.owner, again.epoch) == ("c", mine.epoch + 1)
    tamper(url, "UPDATE claims SET owner = 'd' WHERE stream = 'table:1'", covers_up=False)
    assert kept.claims(4_000) == {}
