"""Doing things to a log behind its back, as somebody does who has the whole file."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from pitboss.store.chain import entry_hash
from pitboss.store.log import Entry
from pitboss.store.opening import open_log, path_of
from tests.store.servers import execute

COLUMNS = "seq, format, stream, version, at_ms, by_name, command, remaining, kind, body, answer, hash"


def tamper(url: str, *statements: str) -> None:
    """Run SQL on the tables of a log; its triggers are taken away first."""
    path = path_of(url)
    if path is None:
        execute(url, "DROP TRIGGER IF EXISTS entries_do_not_change ON entries", *statements)
        return
    with sqlite3.connect(path) as connection:
        for trigger in ("entries_do_not_change", "entries_do_not_go"):
            connection.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        for statement in statements:
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
        entry.body, entry.answer,
    )  # fmt: skip


def put(url: str, entries: Sequence[Entry]) -> list[str]:
    """The statements that put entries into the table as they are."""
    return [
        f"INSERT INTO entries ({COLUMNS}) VALUES ({e.seq}, {e.format}, '{e.stream}', {e.version}, {e.at_ms}, '{e.by}', "
        f"'{e.command}', {e.remaining}, '{e.kind}', {blob(url, e.body)}, {blob(url, e.answer)}, {blob(url, e.hash)})"
        for e in entries
    ]


def shift(after: int, by: int) -> list[str]:
    """The statements that renumber all entries after one."""
    far = 1_000_000
    return [
        f"UPDATE entries SET seq = seq + {far} WHERE seq > {after}",
        f"UPDATE entries SET seq = seq - {far} + {by} WHERE seq > {far}",
    ]
