"""Opening: what is not a log of ours, or too new, or in a too old SQLite, is refused in one sentence."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from pitboss.store import migrations
from pitboss.store.addresses import read_address, shown, without_schema
from pitboss.store.log import Appended, Snapshot, StoreError
from pitboss.store.migrations import POSTGRES, SCHEMA, SEALING_SCHEMA, SQLITE
from pitboss.store.moving import backup, export_parquet
from pitboss.store.opening import open_log, path_of
from pitboss.store.postgres import PostgresLog, _spoken
from pitboss.store.sqlite import APPLICATION, SqliteLog, check_version
from pitboss.store.verify import verify
from tests.store.behind import COLUMNS, blob, entries_of, of_format_1, put, tamper
from tests.store.making import fill, one
from tests.store.servers import execute, postgres
from tests.store.test_sealing import hidden


def refused(url: str, **options: Any) -> str:
    with pytest.raises(StoreError) as caught:
        open_log(url, **options)
    text = str(caught.value)
    assert text.endswith(".") and "\n" not in text
    return text


def test_addresses() -> None:
    assert path_of("floor.db") == Path("floor.db")
    assert path_of("sqlite:///var/floor.db") == path_of("sqlite:////var/floor.db") == Path("/var/floor.db")
    assert path_of("postgresql://db/floor") is None
    assert "no such kind" in refused("mysql://db/floor")
    assert "sqlite:///absolute" in refused("sqlite://floor.db")


def test_a_sqlite_that_is_too_old_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"SQLite 3\.36\.9 .* needs 3\.37\.0 or newer; use a newer Python\.$"):
        check_version((3, 36, 9))
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 30, 0))
    assert "3.30.0" in refused(str(tmp_path / "log.db"))
    assert not (tmp_path / "log.db").exists()


def test_durability_is_switched_on(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.db")
    assert log._writer is not None
    assert log._writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert log._writer.execute("PRAGMA synchronous").fetchone() == (2,)
    strict = log._writer.execute("SELECT strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
    assert {row[0] for row in strict if row} >= {1}
    log.close()


def test_another_file_is_not_taken_for_a_log(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a database, and longer than the header of one " * 30)
    assert "not a log of Pitboss" in refused(str(text))
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE things (x)")
    connection.close()
    before = other.read_bytes()
    assert "not a log of Pitboss" in refused(str(other))
    assert "not a log of Pitboss" in refused(str(other), read_only=True)
    assert other.read_bytes() == before
    assert "cannot be opened" in refused(str(tmp_path / "missing" / "log.db"))
    assert "cannot be opened" in refused(str(tmp_path))


def test_nobody_else_reads_a_log(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.db")
    log.append([one("people", 0)])
    for file in tmp_path.iterdir():
        assert file.stat().st_mode & 0o077 == 0, file.name
    for number, move in enumerate((backup, export_parquet)):
        move(log, tmp_path / f"copy-{number}")
        assert (tmp_path / f"copy-{number}").stat().st_mode & 0o077 == 0
    log.close()


def test_an_empty_file_becomes_a_log_only_by_writing(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    path.touch()
    assert "empty" in refused(str(path), read_only=True)
    log = open_log(str(path))
    assert log.append([one("table:1", 0)]) == [Appended(1, (1,))]
    log.close()


def test_a_newer_schema_is_refused(url: str) -> None:
    open_log(url).close()
    newer = SCHEMA + 1
    path = path_of(url)
    if path is None:
        execute(url, f"UPDATE about SET schema_version = {newer}")
    else:
        with sqlite3.connect(path) as connection:
            connection.execute(f"PRAGMA user_version = {newer}")
        connection.close()
    for read_only in (False, True):
        assert f"schema version {newer}" in refused(url, read_only=read_only)


def of_schema_1(url: str) -> None:
    """A log as the first schema had it, with entries and a snapshot."""
    of_schema(1, url)


def of_schema(number: int, url: str, *rows: str) -> None:
    """A log as an older schema had it, with these rows."""
    path = path_of(url)
    if path is None:
        name = without_schema(url)[1]
        set_to = f"UPDATE about SET schema_version = {number}"
        execute(url, f'CREATE SCHEMA "{name}"', *POSTGRES[:number], *rows, set_to)
    else:
        with sqlite3.connect(path) as connection:
            for step in (*SQLITE[:number], *rows):
                connection.executescript(f"{step.rstrip().rstrip(';')};")
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {number}")
        connection.close()


def literal(url: str, value: str | int | bytes) -> str:
    return blob(url, value) if isinstance(value, bytes) else repr(value)


@pytest.mark.parametrize("number", range(2, SCHEMA))
def test_a_log_of_every_former_schema_is_read_verified_and_led_on(url: str, number: int, tmp_path: Path) -> None:
    """Also what is sealed in it, from the schema on that could seal."""
    source = open_log(str(tmp_path / "source.db"))
    fill(source, 12)
    if number >= SEALING_SCHEMA:
        source.append([hidden("people", 0), hidden("people", 1)])
    source.close()
    entries = entries_of(str(tmp_path / "source.db"))
    if number >= SEALING_SCHEMA:
        rows = []
        with closing(sqlite3.connect(tmp_path / "source.db")) as kept:
            for table, names in (
                ("entries", f"{COLUMNS}, proof"),
                ("data_keys", "number, wrapped_by, wrapped, made_ms"),
            ):
                for row in kept.execute(f"SELECT {names} FROM {table}"):
                    rows.append(f"INSERT INTO {table} ({names}) VALUES ({', '.join(literal(url, v) for v in row)})")
    else:
        entries = of_format_1(entries)
        rows = put(url, entries)
    of_schema(number, url, *rows)

    old = open_log(url, read_only=True)
    assert old.schema == number and list(old.read_all()) == entries
    report = verify(old)
    assert report.is_sound and report.sealed == report.opened == (2 if number >= SEALING_SCHEMA else 0)
    assert old.answer(entries[3].command) is not None
    old.close()

    led = open_log(url)
    assert led.schema == SCHEMA and list(led.read_all()) == entries
    assert led.append([hidden("people", led.version("people"))]) == [
        Appended(len(entries) + 1, (led.version("people"),))
    ]
    assert verify(led).is_sound and not led.strangers()
    led.close()


def test_an_old_log_is_read_as_it_is_and_led_on_when_it_is_opened_for_writing(url: str, tmp_path: Path) -> None:
    source = open_log(str(tmp_path / "source.db"))
    fill(source, 12)
    source.save_snapshot(Snapshot("table:0", 2, b"state"))
    snapshot = next(source.snapshot_rows())
    source.close()
    entries = of_format_1(entries_of(str(tmp_path / "source.db")))
    of_schema_1(url)
    tamper(url, *put(url, entries))
    path = path_of(url)
    body = "'\\x" + snapshot[2].hex() + "'::bytea" if path is None else f"X'{snapshot[2].hex()}'"
    tamper(url, f"INSERT INTO snapshots (stream, version, body, seq) VALUES ('table:0', 2, {body}, {snapshot[3]})")

    old = open_log(url, read_only=True)
    assert old.schema == 1 and verify(old).is_sound and list(old.read_all()) == entries
    assert list(old.read("table:0", 1, 2)) == [entry for entry in entries if entry.stream == "table:0"][1:3]
    assert old.streams("table:") == {f"table:{n}": old.version(f"table:{n}") for n in range(3)}
    assert old.answer(entries[3].command) is not None and old.answer("nobody's") is None
    old.close()

    led = open_log(url)
    assert led.schema == SCHEMA and list(led.read_all()) == entries
    assert led.snapshot("table:0") == Snapshot("table:0", 2, b"state")
    assert led.append([one("table:9", 0)]) == [Appended(14, (1,))]
    assert verify(led).is_sound
    led.close()
    again = open_log(url, read_only=True)
    assert again.schema == SCHEMA
    again.close()


def test_a_migration_that_fails_leaves_the_old_log(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    of_schema_1(url)
    broken = "CREATE TABLE half (x INTEGER); CREATE TABLE entries (x INTEGER);"
    for module, steps in (("sqlite", "SQLITE"), ("postgres", "POSTGRES")):
        monkeypatch.setattr(f"pitboss.store.{module}.{steps}", (getattr(migrations, steps)[0], broken))
    refused(url)
    monkeypatch.undo()
    old = open_log(url, read_only=True)
    assert old.schema == 1
    old.close()
    led = open_log(url)
    assert led.schema == SCHEMA
    led.close()


def test_both_kinds_of_log_count_their_schemas_alike() -> None:
    assert len(SQLITE) == len(POSTGRES) == SCHEMA


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    text = refused(f"postgresql://alice:secret@/floor?host={tmp_path}")
    assert "cannot be reached" in text and "secret" not in text


@pytest.mark.parametrize(
    ("address", "seen"),
    [
        ("postgresql://alice:secret@db:5432/floor", "postgresql://alice@db:5432/floor"),
        ("postgresql://alice:secret@/floor?host=/run/pg", "postgresql://alice@/floor?host=/run/pg"),
        ("postgresql:///floor?host=/run/pg", "postgresql:///floor?host=/run/pg"),
        ("postgresql://db/floor?password=secret&user=alice", "postgresql://db/floor?user=alice"),
        ("postgresql://db/floor?%70assword=secret", "postgresql://db/floor"),
        ("postgresql://db/floor?sslpassword=secret", "postgresql://db/floor"),
        ("postgresql://alice:sec#ret?@db/floor?schema=two", "postgresql://alice@db/floor?schema=two"),
        ("postgresql://alice:sec/ret@db/floor", "postgresql://alice@db/floor"),
        ("postgresql://alice:secret", "postgresql://alice:..."),
        ("postgresql://alice:sec/re?t@db/floor", "postgresql://alice:..."),
        ("mysql://alice:secret@db/floor", "mysql://alice@db/floor"),
        ("postgresql://[::1]:5432/floor", "postgresql://[::1]:5432/floor"),
        ("folder/floor:5@2.db", "folder/floor:5@2.db"),
    ],
)
def test_a_password_is_never_shown(address: str, seen: str) -> None:
    assert shown(address) == seen


def test_an_address_goes_to_the_server_as_it_was_written() -> None:
    assert without_schema("postgresql:///floor?host=/run/pg&schema=two&user=a+b") == (
        "postgresql:///floor?host=/run/pg&user=a+b",
        "two",
    )
    assert without_schema("postgresql://db/floor?schema=two") == ("postgresql://db/floor", "two")
    assert without_schema("postgresql://alice:a?b@db/floor") == ("postgresql://alice:a?b@db/floor", "pitboss")
    assert without_schema("postgresql://db/floor?schema=") == ("postgresql://db/floor", "pitboss")
    assert read_address("postgresql://one:1,two:2/floor").hosts == "one:1,two:2"


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://[bad",
        "postgresql://alice:secret",
        "postgresql://alice:sec/ret@db/floor",
        "postgresql://alice:sec%zzret@db/floor",
        "postgresql://db/floor?secret%zz=1",
    ],
)
def test_an_address_that_cannot_be_read_is_told_without_its_secrets(address: str) -> None:
    text = refused(address)
    assert "this address cannot be read" in text and "sec" not in text.replace("secret%zz=1", "")


def test_what_is_asked_of_the_server_and_is_no_option_of_it_is_named() -> None:
    assert 'invalid URI query parameter: "nope"' in refused("postgresql://db/floor?nope=1")


def test_a_server_that_is_there_is_not_said_to_be_away() -> None:
    host = dict(pair.split("=") for pair in postgres().partition("?")[2].split("&"))["host"]
    text = refused(f"postgresql://postgres:secret@/nothing?host={host}", read_only=True)
    assert 'database "nothing" does not exist' in text and "createdb" in text and "secret" not in text
    assert "look at the user in the address" in refused(f"postgresql://nobody@/postgres?host={host}", read_only=True)
    assert "there is no log in the schema 'nowhere'" in refused(
        f"postgresql:///postgres?host={host}&schema=nowhere&user=postgres", read_only=True
    )


@pytest.mark.parametrize(
    ("answer", "advice"),
    [
        ('connection failed: FATAL:  password authentication failed for user "pit"', "(PGPASSWORD or ~/.pgpass)."),
        ("connection failed: fe_sendauth: no password supplied", "(PGPASSWORD or ~/.pgpass)."),
        ("connection failed: FATAL:  sorry, too many clients already", "look at its log and at the rights"),
        ("connection failed: FATAL:  the database system is starting up", "look whether it runs"),
        ("consuming input failed: FATAL:  terminating connection due to administrator command", "look whether it runs"),
        ("connection refused. Is the server running on that host?", "look whether it runs"),
    ],
)
def test_who_is_not_let_in_is_told_where_to_look(answer: str, advice: str) -> None:
    assert advice in str(_spoken(psycopg.OperationalError(answer), "postgresql://pit@db/floor"))


def test_a_server_that_could_lose_entries_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    import pitboss.store.postgres as module

    original = module._one
    monkeypatch.setattr(
        module, "_one", lambda c, query, values: "off" if "fsync" in query else original(c, query, values)
    )
    with pytest.raises(StoreError, match="fsync off"):
        PostgresLog(postgres())
