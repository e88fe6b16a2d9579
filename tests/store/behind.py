"""Doing things to a log behind its back, as somebody does who has the whole file."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import msgspec

from pitboss.store.chain import START, entry_hash
from pitboss.store.log import Entry
from pitboss.store.migrations import FINDING_SCHEMA
from pitboss.store.opening import open_log, path_of
from tests.store.servers import execute

COLUMNS = "seq, format, stream, version, at_ms, by_name, command, remaining, kind, body, answer, hash"


FOLLOW = (
    "DELETE FROM places",
    "DELETE FROM commands",
    "INSERT OR REPLACE INTO places SELECT stream, version, seq FROM entries WHERE seq <= (SELECT seq FROM folded)",
    "INSERT OR REPLACE INTO commands SELECT command, seq FROM entries WHERE seq <= (SELECT seq FROM folded) "
    "AND remaining = 0 AND command <> ''",
    "UPDATE folded SET seq = min(seq, (SELECT ifnull(max(seq), 0) FROM entries))",
)


def tamper(url: str, *statements: str, covers_up: bool = True) -> None:
    """Run SQL on the tables of a log; its triggers are taken away first.

    Whoever covers up makes the tables of streams and commands follow the entries, which PostgreSQL does by itself.
    """
    path, triggers = path_of(url), ("entries_do_not_change", "entries_do_not_go")
    if path is None:
        execute(url, *(f"DROP TRIGGER IF EXISTS {trigger} ON entries" for trigger in triggers), *statements)
        return
    with sqlite3.connect(path) as connection:
        for trigger in triggers:
            connection.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        (schema,) = connection.execute("PRAGMA user_version").fetchone()
        for statement in (*statements, *(FOLLOW if covers_up and schema >= FINDING_SCHEMA else ())):
            connection.execute(statement)
    connection.close()


def blob(url: str, data: bytes) -> str:
    """Bytes as SQL writes them."""
    return f"X'{data.hex()}'" if path_of(url) is not None else f"'\\x{data.hex()}'::bytea"


def entries_of(url: str) -> list[Entry]:
    log = open_log(url, read_only=True)
    try:
        return list(log.read_all())
    finally:
        log.close()


def hashed(previous: bytes, entry: Entry) -> bytes:
    """The hash that an entry should have."""
    stream, by, command, kind = (text.encode() for text in (entry.stream, entry.by, entry.command, entry.kind))
    return entry_hash(
        previous, entry.format, entry.seq, stream, entry.version, entry.at_ms, by, command, entry.remaining, kind,
        entry.body, entry.answer, entry.salt,
    )  # fmt: skip


def of_format_1(entries: Sequence[Entry]) -> list[Entry]:
    """The same entries as an older Pitboss would have written them."""
    found, previous = [], START
    for entry in entries:
        old = msgspec.structs.replace(entry, format=1, salt=b"")
        previous = hashed(previous, old)
        found.append(msgspec.structs.replace(old, hash=previous))
    return found


def put(url: str, entries: Sequence[Entry]) -> list[str]:
    """The statements that put entries into the table as they are; those of an older schema have no salts."""
    return [
        f"INSERT INTO entries ({COLUMNS}{', proof' * bool(e.salt)}) VALUES ({e.seq}, {e.format}, '{e.stream}', "
        f"{e.version}, {e.at_ms}, '{e.by}', '{e.command}', {e.remaining}, '{e.kind}', {blob(url, e.body)}, "
        f"{blob(url, e.answer)}, {blob(url, e.hash)}{f', {blob(url, e.salt)}' * bool(e.salt)})"
        for e in entries
    ]


def shift(after: int, by: int) -> list[str]:
    """The statements that renumber all entries after one."""
    far = 1_000_000
    return [
        f"UPDATE entries SET seq = seq + {far} WHERE seq > {after}",
        f"UPDATE entries SET seq = seq - {far} + {by} WHERE seq > {far}",
    ]
