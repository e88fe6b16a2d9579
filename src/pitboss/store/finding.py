"""How a log in SQLite finds streams and commands: two tables, brought up to date many entries at a time.

An index that follows every entry would write two more pages of the file for each. The entries since `folded` are few:
whoever writes keeps in memory what must be known of them, and whoever reads looks through them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import TypeVar

from pitboss.store.log import Append

Thing = TypeVar("Thing")

MANY = 64
"""So many are asked for or written in one call; between two calls the interpreter may be another's for a while."""
FOLD_EVERY = 1024
"""Entries between two times that the tables are brought up to date, with the batch that makes them so many."""

COLUMNS = "seq, format, stream, version, at_ms, by_name, command, remaining, kind, body, answer, proof, hash"
NEWER = "seq > (SELECT seq FROM folded)"
IS_LAST = "remaining = 0 AND command <> ''"
"""The entry of an append that stands for its command, and has the answer."""

PLACED = (
    f"SELECT {', '.join('e.' + name for name in COLUMNS.split(', '))} FROM places p JOIN entries e ON e.seq = p.seq "
    "WHERE p.stream = ? AND p.version > ? ORDER BY p.version LIMIT ?"
)
NOT_PLACED = f"SELECT {COLUMNS} FROM entries WHERE {NEWER} AND stream = ? AND version > ? ORDER BY seq LIMIT ?"
VERSION = (
    "SELECT max((SELECT ifnull(max(version), 0) FROM places WHERE stream = ?1), "
    f"(SELECT ifnull(max(version), 0) FROM entries WHERE {NEWER} AND stream = ?1))"
)
SEQS = f"SELECT seq FROM places WHERE stream = ?1 UNION SELECT seq FROM entries WHERE {NEWER} AND stream = ?1"
NOT_PLACED_VERSIONS = f"SELECT stream, max(version) FROM entries WHERE {NEWER} GROUP BY stream"
PLACED_VERSION = "SELECT ifnull(max(version), 0) FROM places WHERE stream = ?"
ANSWER = (
    "SELECT e.answer FROM commands c JOIN entries e ON e.seq = c.seq WHERE c.command = ?1 UNION ALL "
    f"SELECT answer FROM entries WHERE seq > max(?2, (SELECT seq FROM folded)) AND command = ?1 AND {IS_LAST} LIMIT 1"
)
ANSWERS = tuple(
    "SELECT c.command, e.answer FROM commands c JOIN entries e ON e.seq = c.seq "
    f"WHERE c.command IN ({', '.join('?' * size)})"
    for size in range(1, MANY + 1)
)
"""For one command, two, and so on."""
NOT_FOLDED = (
    f"SELECT seq, stream, version, CASE WHEN {IS_LAST} THEN command ELSE '' END, answer FROM entries WHERE seq > ?"
)
FOLD = (
    "INSERT OR ROLLBACK INTO places SELECT stream, version, seq FROM entries WHERE seq > ? ORDER BY stream, version",
    f"INSERT OR ROLLBACK INTO commands SELECT command, seq FROM entries WHERE seq > ? AND {IS_LAST} ORDER BY command",
)

WITHOUT_PROOF = "CREATE TEMP VIEW entries AS SELECT *, x'' AS proof FROM main.entries"
"""For reading a log of an older schema, whose entries have none."""
AS_IT_WAS = (
    "CREATE TEMP VIEW folded AS SELECT max(seq) AS seq FROM entries",
    "CREATE TEMP VIEW places AS SELECT stream, version, seq FROM entries",
    f"CREATE TEMP VIEW commands AS SELECT command, seq FROM entries WHERE {IS_LAST}",
)
"""For reading a log of an older schema, which has indexes on its entries in their place."""

HELD_AGAINST = f"""
    SELECT count(*) - (SELECT count(*) FROM places), total(is_last) - (SELECT count(*) FROM commands),
        min(CASE WHEN place IS NOT seq THEN seq END), min(CASE WHEN is_last AND found IS NOT seq THEN seq END)
    FROM (
        SELECT e.seq AS seq, e.{IS_LAST.replace("command", "e.command")} AS is_last, p.seq AS place, c.seq AS found
        FROM entries e LEFT JOIN places p ON p.stream = e.stream AND p.version = e.version
            LEFT JOIN commands c ON c.command = e.command
        WHERE e.seq <= (SELECT seq FROM folded)
    )
"""
"""How many rows each table lacks, and the first entry that is not found by it; all at one moment, for a log in use."""


class Tail:
    """The commands of the entries that are not in the tables yet, with their answers; everything in it is durable."""

    __slots__ = ("commands", "folded", "seq")

    def __init__(self, folded: int) -> None:
        self.folded = folded
        self.commands: dict[str, bytes] = {}
        self.seq = folded
        """Up to here every command is in the tables or here."""


def read_tail(writer: sqlite3.Connection, versions: dict[str, int]) -> Tail:
    """What the entries that are not in the tables yet say, and to which versions they bring their streams."""
    return read_on(writer, Tail(-1), -1, versions)


def read_on(writer: sqlite3.Connection, tail: Tail, known: int, versions: dict[str, int]) -> Tail:
    """The same where all is known up to an entry: another process has written more, and perhaps folded meanwhile."""
    (folded,) = writer.execute("SELECT seq FROM folded").fetchone()
    start = folded if known < 0 else known
    if folded != tail.folded:
        tail, start = Tail(folded), min(start, folded)
    for seq, stream, version, command, answer in writer.execute(NOT_FOLDED, (start,)):
        versions[stream] = version
        if seq > folded:
            tail.seq = seq
            if command:
                tail.commands[command] = answer
    return tail


def fold(writer: sqlite3.Connection, tail: Tail, seq: int) -> Tail:
    """Bring the tables up to an entry, the last one, in the transaction that writes it."""
    for statement in FOLD:
        writer.execute(statement, (tail.folded,))
    writer.execute("UPDATE folded SET seq = ?", (seq,))
    return Tail(seq)


def answered(reader: sqlite3.Connection, batch: Sequence[Append]) -> dict[str, bytes]:
    """The answers of those commands of a batch that are in the table."""
    found: dict[str, bytes] = {}
    for commands in in_pieces([item.command for item in batch if item.command], MANY):
        found.update(reader.execute(ANSWERS[len(commands) - 1], commands))
    return found


def in_pieces(things: list[Thing], size: int) -> Iterator[list[Thing]]:
    """All of them, not too many at a time."""
    return (things[begun : begun + size] for begun in range(0, len(things), size))


def complaints(reader: sqlite3.Connection) -> list[str]:
    """What is wrong with the tables, held against the entries."""
    found = {row[0] for row in reader.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    missing = [f"the table {name} is missing" for name in sorted({"places", "commands", "folded"} - found)]
    if missing:
        return missing
    marks = reader.execute("SELECT seq FROM folded").fetchall()
    (last,) = reader.execute("SELECT ifnull(max(seq), 0) FROM entries").fetchone()
    if len(marks) != 1 or marks[0][0] > last:
        return ["the table folded does not say how far the tables of streams and commands go"]
    places, commands, lost_place, lost_command = reader.execute(HELD_AGAINST).fetchone()
    said = []
    for table, lacking, lost in (("places", places, lost_place), ("commands", commands, lost_command)):
        if lost is not None:
            said.append(f"entry {lost} is not found by the table {table}")
        elif lacking:
            said.append(f"the table {table} has rows that no entry has")
    return said
