"""A log in one SQLite file: one connection writes, others read beside it; a commit is on the disk when it returns."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from urllib.parse import quote

import msgspec

from pitboss.store import finding
from pitboss.store.chain import START, RawRow, Row, StoredRow, apart, together
from pitboss.store.claims import believed, claimed_by, owned, stored
from pitboss.store.finding import COLUMNS, MANY, in_pieces
from pitboss.store.keyring import Keyring
from pitboss.store.log import (
    PERSONAL,
    Append,
    Appended,
    Claim,
    Entry,
    Head,
    LogBusy,
    LogDamaged,
    LogFull,
    Outcome,
    Snapshot,
    StoreError,
    check_all,
)
from pitboss.store.migrations import (
    FINDING_SCHEMA,
    INDEXES,
    OWNERS_SCHEMA,
    SCHEMA,
    SEALING_SCHEMA,
    SEGMENTS_SCHEMA,
    SQLITE,
    made_here,
    steps_from,
)
from pitboss.store.planning import Known, Plan, hides_anything, owners_in, plan
from pitboss.store.sealing import DataKey, Sealing
from pitboss.store.segments import Segment, Shelf
from pitboss.store.snapshots import check_snapshot, sealed, snapshot_entry, to_seal_anew, trusted
from pitboss.store.stored import AT_SEQ, AT_VERSION, HIGHEST, LOWEST, by_pages

OLDEST_SQLITE = (3, 37, 0)
"""The first with STRICT tables."""

APPLICATION = 0x50424C47
"""Marks the file as a log of ours ("PBLG"), so that no other database is taken for one."""

PAGE = 1000
"""Entries read at a time: a reader that kept its place for long would keep the write-ahead log from being emptied."""

PLACES = f"({', '.join('?' * 13)})"
INSERT = f"INSERT OR ROLLBACK INTO entries ({COLUMNS}) VALUES {PLACES}"
"""What fails takes the whole transaction with it, so that SQLite need not note how to undo one statement."""
INSERTS = tuple(INSERT + f", {PLACES}" * more for more in range(MANY))
"""For one row, two, and so on."""
INSERT_KEY = "INSERT OR REPLACE INTO data_keys (number, wrapped_by, wrapped, made_ms, owner) VALUES (?, ?, ?, ?, ?)"
HEAD = "SELECT seq, hash FROM entries ORDER BY seq DESC LIMIT 1"
EPOCH = "SELECT epoch FROM claims WHERE stream = ?"
CLAIM = "SELECT stream, owner, address, epoch, until_ms FROM claims"

BUSY_MS = 10_000
CACHED_STREAMS = 100_000
CACHED_STATEMENTS = 3 * MANY


class SqliteLog:
    """A `Log` in a file. Every method may be called from any thread."""

    def __init__(
        self,
        path: str | Path,
        *,
        create: bool = True,
        read_only: bool = False,
        several: bool = False,
        steps: Callable[[str], None] | None = None,
        keyring: Keyring | None = None,
    ) -> None:
        """`several`: other processes write all the time too; then they queue, where SQLite alone would try and sleep.

        `steps` is told before and after whatever a write does, so that a trial can stop the process right there.
        """
        check_version(sqlite3.sqlite_version_info)
        self.path = Path(path).absolute()
        self.url = f"sqlite://{self.path}"
        self.read_only = read_only
        self.schema = SCHEMA
        self._steps = steps
        self.sealing = Sealing(str(self.path), self.data_keys, self._make_data_key, keyring)
        self.shelf = Shelf(self.path.parent, self.segments)
        self.sealing.is_archived = self.shelf.covers
        self._lock = threading.Lock()
        self._news = threading.Condition()
        self._readers: list[sqlite3.Connection] = []
        self._at_rest = False
        """Whether nobody can write to the file: then it is read without the files that SQLite would put beside it."""
        self._closed = False
        self._known = Known(self._ask_version, self._ask_answer, self._ask_epoch)
        self.fold_every = finding.FOLD_EVERY
        self._tail = finding.Tail(0)
        self._written: tuple[finding.Tail, Plan] | None = None
        """What is true once the transaction in hand is."""
        self._answered: dict[str, bytes] = {}
        """The commands of the batch in hand that were answered before."""
        self._data_version = -1
        """What SQLite says as long as no other connection has written."""
        if not self.path.exists() and (read_only or not create):
            raise StoreError(f"{self.path}: there is no such log.")
        if self.path.is_dir():
            raise StoreError(f"{self.path}: this is a folder, which cannot be opened as a log; give the file in it.")
        if not read_only:
            check_names(self.path)
        self._writer = None if read_only else self._open_writer()
        self._gate = self.path.with_name(self.path.name + ".gate").open("a") if several and not read_only else None
        if read_only:
            self._look()

    # --- writing ------------------------------------------------------------------------------------------------------

    def append(self, batch: Sequence[Append]) -> list[Outcome]:
        """Write a batch in one durable transaction; one item's failure does not touch the others."""
        check_all(batch)
        if not batch:
            return []
        self.sealing.prepare(lambda: hides_anything(batch), owners_in(batch))
        with self._writing() as writer:
            known = self._now_known(writer)
            self._answered = finding.answered(writer, batch)
            result = plan(batch, known, self.sealing)
            self._insert(writer, result)
        self._tell()
        return result.outcomes

    def erase(self, item: Append, owner: str) -> Outcome:
        """Append, and in the same transaction destroy every key of a person and what is sealed of them; for good."""
        check_all([item])
        self.sealing.prepare(lambda: True)
        with self._writing() as writer:
            known = self._now_known(writer)
            self._answered = finding.answered(writer, [item])
            result = plan([item], known, self.sealing)
            if isinstance(result.outcomes[0], Appended):
                self._insert(writer, result)
                writer.execute("PRAGMA secure_delete = ON")
                writer.execute("UPDATE data_keys SET wrapped = x'', wrapped_by = '' WHERE owner = ?", (owner,))
                writer.execute(
                    "INSERT INTO data_keys SELECT (SELECT max(number) + 1 FROM data_keys), '', x'', 0, ?1 "
                    "WHERE NOT EXISTS (SELECT 1 FROM data_keys WHERE owner = ?1)",
                    (owner,),
                )
                of_them = writer.execute(finding.SEQS, (PERSONAL + owner,)).fetchall()
                writer.executemany("UPDATE entries SET body = x'' WHERE seq = ? AND length(proof) IN (32, 52)", of_them)
        self.sealing.forget(owner)
        with self._lock:
            if self._writer is not None:
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._tell()
        return result.outcomes[0]

    def save_snapshot(self, snapshot: Snapshot) -> None:
        """Keep it in the place of an older one; its digest goes into the chain, as an entry of `log:snapshots`."""
        self.sealing.prepare(bool)
        stored = sealed(snapshot, self.sealing)
        with self._writing() as writer:
            known = self._now_known(writer)
            check_snapshot(snapshot, self._version_now, known.head)
            kept = writer.execute("SELECT version FROM snapshots WHERE stream = ?", (snapshot.stream,)).fetchone()
            if kept is not None and kept[0] > snapshot.version:
                return
            taken = snapshot_entry(stored, self._version_now, _now_ms(), is_sealed=stored is not snapshot)
            result = plan([taken], known, self.sealing)
            self._insert(writer, result)
            writer.execute(
                "INSERT INTO snapshots (stream, version, body, seq) VALUES (?, ?, ?, ?) ON CONFLICT (stream) DO UPDATE "
                "SET version = excluded.version, body = excluded.body, seq = excluded.seq",
                (stored.stream, stored.version, stored.body, result.head.seq),
            )
        self._tell()

    def seal_snapshots(self) -> int:
        """Seal what is not sealed under the newest key, leave nothing of how it was in the file, and say how many."""
        self.sealing.be_ready()
        query = "SELECT s.stream, substr(s.body, 1, 4), e.body FROM snapshots s JOIN entries e ON e.seq = s.seq"
        with self._reading() as reader:
            found = to_seal_anew(reader.execute(query).fetchall(), self.sealing)
        if not found:
            return 0
        with self._writing() as writer:
            writer.execute("PRAGMA secure_delete = ON")
        for kept in filter(None, map(self.snapshot, found)):
            self.save_snapshot(kept)
        with self._lock:
            if self._writer is not None:
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return len(found)

    def claim(self, stream: str, owner: str, address: str, now_ms: int | None, for_ms: int) -> Claim:
        """Own the stream if it is free, expired or ours already; otherwise the claim of whoever owns it."""
        self.sealing.be_ready()
        with self._writing() as writer:
            row = writer.execute(f"{CLAIM} WHERE stream = ?", (stream,)).fetchone()
            found = believed(row, self.sealing) if row else None
            claimed = claimed_by(found, stream, owner, address, _claims_ms(now_ms), for_ms)
            if claimed is not found:
                writer.execute(
                    "INSERT INTO claims (stream, owner, address, epoch, until_ms) VALUES (?, ?, ?, ?, ?) "
                    "ON CONFLICT (stream) DO UPDATE SET owner = excluded.owner, address = excluded.address, "
                    "epoch = excluded.epoch, until_ms = excluded.until_ms",
                    (stream, claimed.owner, stored(claimed, self.sealing), claimed.epoch, claimed.until_ms),
                )
                self._known.epochs.pop(stream, None)
        return claimed

    def renew(self, owner: str, now_ms: int | None, for_ms: int) -> dict[str, Claim]:
        """Make every claim of this owner last longer, and nobody's longer than that; what they still own."""
        self.sealing.be_ready()
        with self._writing() as writer:
            until_ms = _claims_ms(now_ms) + for_ms  # by the time at which we write, however long we waited for that
            writer.execute(
                "UPDATE claims SET until_ms = ?1 WHERE owner <> '' AND (owner = ?2 OR until_ms > ?1)", (until_ms, owner)
            )
            rows = writer.execute(f"{CLAIM} WHERE owner = ? AND owner <> ''", (owner,)).fetchall()
        return owned(rows, self.sealing)

    def release(self, stream: str, owner: str) -> None:
        """Give a stream up: the next owner need not wait, and what was decided under the claim is fenced."""
        with self._writing() as writer:
            writer.execute(
                "UPDATE claims SET owner = '', address = '', epoch = epoch + 1, until_ms = 0 "
                "WHERE stream = ? AND owner = ? AND owner <> ''",
                (stream, owner),
            )
            self._known.epochs.pop(stream, None)

    def take_over(
        self, rows: Iterable[Row], keys: Callable[[], Iterable[DataKey]] = tuple, base: Head | None = None
    ) -> None:
        """Write entries as they stand in another log, which has been checked; only where nothing is written yet.

        With a `base` they follow on that entry of the other log, and this one is a segment.
        """
        with self._writing() as writer:
            if _head(writer).seq:
                raise StoreError(f"{self.path}: the log has entries already; choose an empty one.")
            if base is not None:
                writer.execute("INSERT INTO base (seq, hash) VALUES (?, ?)", (base.seq, base.hash))
            writer.executemany(INSERT, map(together, rows))
            writer.executemany(INSERT_KEY, map(msgspec.structs.astuple, keys()))
            finding.fold(writer, finding.Tail(0), _head(writer).seq)
            self._known.forget()
        self._tell()

    def take_over_snapshots(self, rows: Iterable[tuple[str, int, bytes, int]]) -> None:
        with self._writing() as writer:
            writer.executemany("INSERT INTO snapshots (stream, version, body, seq) VALUES (?, ?, ?, ?)", rows)

    def segments(self) -> list[Segment]:
        """The files to which bodies of old entries were moved, oldest first."""
        if self.schema < SEGMENTS_SCHEMA:
            return []
        with self._reading() as reader:
            rows = reader.execute("SELECT first, last, path, hash, at_ms FROM segments ORDER BY first")
            return [Segment(*row) for row in rows]

    def add_segment(self, segment: Segment) -> None:
        """Say that a file has these entries; from then on their bodies may be given away."""
        with self._writing() as writer:
            columns = "first, last, path, hash, at_ms"
            writer.execute(f"INSERT INTO segments ({columns}) VALUES (?, ?, ?, ?, ?)", msgspec.structs.astuple(segment))

    def give_away(self, bodies: Sequence[tuple[bytes, int]]) -> None:
        """Keep these commitments in the place of the bodies of these entries, which a segment has."""
        with self._writing() as writer:
            writer.executemany("UPDATE entries SET body = x'', proof = ? WHERE seq = ?", bodies)

    @property
    def base(self) -> Head | None:
        """Of a segment: after which entry it begins."""
        if self.schema < SEGMENTS_SCHEMA:
            return None
        with self._reading() as reader:
            row = reader.execute("SELECT seq, hash FROM base").fetchone()
        return None if row is None else Head(*row)

    def versions_before(self) -> dict[bytes, int]:
        """Of a segment: how far each of its streams had come before it."""
        with self._reading() as reader:
            rows = reader.execute("SELECT stream, min(version) - 1 FROM entries GROUP BY stream").fetchall()
        return {stream.encode(): version for stream, version in rows}

    def shrink(self) -> None:
        """Give room that is not used any more back to the disk; whoever writes waits meanwhile."""
        with self._lock:
            if self._writer is None:
                raise StoreError(f"{self.path}: the log is {'closed' if self._closed else 'open for reading only'}.")
            try:
                self._writer.execute("VACUUM")
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.Error as fault:
                raise _spoken(fault, str(self.path)) from fault

    def data_keys(self) -> list[DataKey]:
        """The wrapped keys of what is sealed, oldest first."""
        if self.schema < SEALING_SCHEMA:
            return []
        with self._reading() as reader:
            owner = ", owner" if self.schema >= OWNERS_SCHEMA else ""
            rows = reader.execute(f"SELECT number, wrapped_by, wrapped, made_ms{owner} FROM data_keys ORDER BY number")
            return [DataKey(*row) for row in rows]

    def put_data_keys(self, keys: Sequence[DataKey]) -> None:
        """Keep data keys, in the place of those with the same numbers."""
        with self._writing() as writer:
            writer.executemany(INSERT_KEY, map(msgspec.structs.astuple, keys))

    def _make_data_key(self, key: DataKey) -> None:
        with self._writing() as writer:
            writer.execute(INSERT_KEY.replace("REPLACE", "IGNORE"), msgspec.structs.astuple(key))

    def _insert(self, writer: sqlite3.Connection, result: Plan) -> None:
        """Write the rows, and bring the tables of streams and commands up to date where it is time."""
        self._step("checked")
        for rows in in_pieces(result.rows, MANY if self._steps is None else 1):
            writer.execute(INSERTS[len(rows) - 1], [*chain.from_iterable(rows)])
            self._step("inserted")
        tail = self._tail
        if result.head.seq - tail.folded >= self.fold_every:
            self._step("fold")
            tail = finding.fold(writer, tail, result.head.seq)
        self._written = tail, result

    def _remember(self) -> None:
        """What was written is durable: whoever looks for a command finds it from here on."""
        if self._written is not None:
            tail, result = self._written
            if tail is self._tail:
                tail.commands.update(result.answers)
                tail.seq = result.head.seq
            self._tail, self._written = tail, None

    def _now_known(self, writer: sqlite3.Connection) -> Known:
        """What the log says, inside the transaction; what we remember holds unless another connection wrote since."""
        known = self._known
        (data_version,) = writer.execute("PRAGMA data_version").fetchone()
        if len(known.versions) > CACHED_STREAMS:
            known.forget()
        if known.head is None:
            known.forget()
            known.head = _head(writer)
            self._tail = finding.read_tail(writer, known.versions)
        elif data_version != self._data_version:
            known.epochs.clear()
            self._tail = finding.read_on(writer, self._tail, known.head.seq, known.versions)
            known.head = _head(writer)
        self._data_version = data_version
        return known

    def _version_now(self, stream: str) -> int:
        found = self._known.versions.get(stream)
        return self._ask_version(stream) if found is None else found

    def _ask_version(self, stream: str) -> int:
        """Of a stream that has nothing in the tail, or we would remember it."""
        assert self._writer is not None
        return int(self._writer.execute(finding.PLACED_VERSION, (stream,)).fetchone()[0])

    def _ask_answer(self, command: str) -> bytes | None:
        answer = self._tail.commands.get(command)
        return self._answered.get(command) if answer is None else answer

    def _ask_epoch(self, stream: str) -> int:
        assert self._writer is not None
        row = self._writer.execute(EPOCH, (stream,)).fetchone()
        return 0 if row is None else row[0]

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One durable transaction: all of it or, when anything goes wrong, nothing."""
        with self._lock:
            if self._writer is None:
                raise StoreError(f"{self.path}: the log is {'closed' if self._closed else 'open for reading only'}.")
            writer = self._writer
            self._step("begin")
            try:
                if self._gate is not None:
                    fcntl.flock(self._gate, fcntl.LOCK_EX)
                writer.execute("BEGIN IMMEDIATE")
                yield writer
                self._step("commit")
                writer.execute("COMMIT")
                self._remember()
                self._step("committed")
            except BaseException as fault:
                self._known.forget()
                self._written = None
                with suppress(sqlite3.Error):
                    if writer.in_transaction:
                        writer.execute("ROLLBACK")
                if isinstance(fault, sqlite3.Error):
                    raise _spoken(fault, str(self.path)) from fault
                raise
            finally:
                if self._gate is not None:
                    fcntl.flock(self._gate, fcntl.LOCK_UN)

    def _step(self, name: str) -> None:
        if self._steps is not None:
            self._steps(name)

    def _tell(self) -> None:
        with self._news:
            self._news.notify_all()

    # --- reading ------------------------------------------------------------------------------------------------------

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """Entries of one stream from a version on; what is written meanwhile comes too."""

        def page(after: int, wanted: int) -> list[StoredRow]:
            with self._looking() as reader:
                rows = reader.execute(finding.PLACED, (stream, after, wanted)).fetchall()
                if len(rows) < wanted:
                    rows += reader.execute(finding.NOT_PLACED, (stream, after, wanted - len(rows))).fetchall()
            return rows

        return map(self.sealing.entry, self.shelf.filled(map(apart, by_pages(page, after, limit, PAGE, AT_VERSION))))

    def read_all(self, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """All entries from a position on; what is written meanwhile comes too."""
        return map(self.sealing.entry, self.rows(after, limit))

    def rows(self, after: int = 0, limit: int | None = None) -> Iterator[Row]:
        """The entries as they are stored."""
        query = f"SELECT {COLUMNS} FROM entries WHERE seq > ? ORDER BY seq LIMIT ?"

        def page(after: int, wanted: int) -> list[StoredRow]:
            with self._reading() as reader:
                return reader.execute(query, (after, wanted)).fetchall()

        return self.shelf.filled(map(apart, by_pages(page, after, limit, PAGE, AT_SEQ)))

    def raw_pages(self, first: int = LOWEST) -> Iterator[list[RawRow]]:
        """All rows there are, whatever their numbers, many at a time and quickly, with texts in UTF-8."""
        query = f"SELECT {COLUMNS} FROM entries WHERE seq >= ? ORDER BY seq LIMIT {PAGE}"
        try:
            reader = self._open_reader()
            reader.text_factory = bytes
            try:
                while rows := reader.execute(query, (first,)).fetchall():
                    yield [apart(row) for row in rows]
                    if not first <= rows[0][0] <= rows[-1][0] < HIGHEST:  # in a damaged file: the same again and again
                        break
                    first = rows[-1][0] + 1
            finally:
                reader.close()
        except sqlite3.Error as fault:
            raise _spoken(fault, str(self.path)) from fault

    def wait(self, after: int, seconds: float) -> bool:
        """Wait until something stands after this position; False when the time is over.

        An append of this process wakes at once; of another one, within a twentieth of a second.
        """
        end = time.monotonic() + seconds
        while self.head().seq <= after:
            left = end - time.monotonic()
            if left <= 0 or self._closed:
                return False
            with self._news:
                self._news.wait(min(left, 0.05))
        return True

    def streams(self, prefix: str = "") -> dict[str, int]:
        """Every stream whose name begins so, with its version: found by leaps through the table, not by its length."""
        found: dict[str, int] = {}
        with self._looking() as reader:
            query = "SELECT stream FROM places WHERE stream >= ? ORDER BY stream LIMIT 1"
            row = reader.execute(query, (prefix,)).fetchone()
            query = "SELECT stream FROM places WHERE stream > ? ORDER BY stream LIMIT 1"
            while row is not None and row[0].startswith(prefix):
                found[row[0]] = reader.execute(finding.PLACED_VERSION, row).fetchone()[0]
                row = reader.execute(query, row).fetchone()
            for name, version in reader.execute(finding.NOT_PLACED_VERSIONS):
                if name.startswith(prefix):
                    found[name] = version
        return {name: found[name] for name in sorted(found)}

    def version(self, stream: str) -> int:
        with self._reading() as reader:
            return int(reader.execute(finding.VERSION, (stream,)).fetchone()[0])

    def answer(self, command: str) -> bytes | None:
        tail = self._tail
        seen = tail.seq
        found = tail.commands.get(command)
        if found is not None:
            return found
        with self._reading() as reader:
            row = reader.execute(finding.ANSWER, (command, seen)).fetchone()
        return None if row is None else row[0]

    def head(self) -> Head:
        with self._reading() as reader:
            return _head(reader)

    def snapshot(self, stream: str) -> Snapshot | None:
        """The newest one, or None where there is none or where it is not the one whose digest the chain has."""
        query = (
            "SELECT s.version, s.body, e.stream, e.body FROM snapshots s LEFT JOIN entries e ON e.seq = s.seq "
            "WHERE s.stream = ?"
        )
        with self._reading() as reader:
            row = reader.execute(query, (stream,)).fetchone()
        return trusted(stream, row, self.sealing)

    def snapshot_rows(self) -> Iterator[tuple[str, int, bytes, int]]:
        """The snapshots as they are stored: stream, version, body, and the seq of the entry that has the digest."""
        with self._reading() as reader:
            names = [row[0] for row in reader.execute("SELECT stream FROM snapshots ORDER BY stream")]
        for name in names:
            with self._reading() as reader:
                query = "SELECT stream, version, body, seq FROM snapshots WHERE stream = ?"
                yield from reader.execute(query, (name,)).fetchall()

    def complaints(self) -> list[str]:
        """What the database finds wrong with its file and with the indexes by which streams and commands are found."""
        with self._reading() as reader:
            said = [row[0] for row in reader.execute("PRAGMA integrity_check(20)") if row[0] != "ok"]
            if self.schema >= FINDING_SCHEMA:
                return finding.complaints(reader) + said
            found = {row[0] for row in reader.execute("SELECT name FROM sqlite_schema WHERE type = 'index'")}
        return [f"the index {name} is missing" for name in sorted(INDEXES - found)] + said

    def strangers(self) -> list[str]:
        """What somebody else put into the file that acts by itself."""
        with self._reading() as reader:
            query = (
                "SELECT type, name, ifnull(sql, '') FROM sqlite_schema WHERE type IN ('trigger', 'view') ORDER BY name"
            )
            rows = reader.execute(query).fetchall()
        return [f"there is a {kind} {name!r} that Pitboss did not make" for kind, name, text in rows
                if kind != "trigger" or not made_here(name, text)]  # fmt: skip

    def copy_to(self, path: Path) -> None:
        """Copy the file as it is at this moment while others go on writing; they wait for nothing."""
        with self._reading() as reader:
            target = sqlite3.connect(path, isolation_level=None)
            try:
                reader.backup(target)
                _put_to_rest(target)
            finally:
                target.close()

    def put_to_rest(self) -> None:
        """Leave the file so that it is read in any place, also where nothing may be written; then close the log."""
        with self._lock:
            while self._readers:
                self._readers.pop().close()
            if self._writer is not None:
                _put_to_rest(self._writer)
        self.close()

    def claims(self, now_ms: int | None) -> dict[str, Claim]:
        self.sealing.be_ready()
        with self._reading() as reader:
            rows = reader.execute(f"{CLAIM} WHERE until_ms > ? AND owner <> ''", (_claims_ms(now_ms),)).fetchall()
        return owned(rows, self.sealing)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """A connection for one short read; they are kept for the next."""
        if self._closed:
            raise StoreError(f"{self.path}: the log is closed.")
        try:
            try:
                reader = self._readers.pop()
            except IndexError:
                reader = self._open_reader()
            yield reader
        except sqlite3.Error as fault:
            raise _spoken(fault, str(self.path)) from fault
        self._readers.append(reader)
        if self._closed:
            self.close()

    @contextmanager
    def _looking(self) -> Iterator[sqlite3.Connection]:
        """As `_reading`, for several questions about one moment."""
        with self._reading() as reader:
            reader.execute("BEGIN")
            try:
                yield reader
            finally:
                reader.execute("COMMIT")

    # --- opening and closing ------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Let go of the file; the last connection folds the write-ahead log into it."""
        self.shelf.close()
        with self._lock:
            self._closed = True
            while self._readers:
                self._readers.pop().close()
            if self._writer is not None:
                self._writer.close()
                self._writer = None
            if self._gate is not None:
                self._gate.close()
                self._gate = None
        self._tell()

    def _open_writer(self) -> sqlite3.Connection:
        place = str(self.path)
        is_new = not self.path.exists()
        if is_new:
            make_private(self.path)
        try:
            writer = sqlite3.connect(
                place, isolation_level=None, check_same_thread=False, cached_statements=CACHED_STATEMENTS
            )
            try:
                _set_up(writer, place)
            except BaseException:
                writer.close()
                raise
        except sqlite3.Error as fault:
            raise _spoken(fault, place) from fault
        if is_new:
            sync_directory(self.path.parent)
        return writer

    def _look(self) -> None:
        """See which schema a log has that is open for reading only."""
        try:
            self._at_rest = self._cannot_be_written_beside()
            with self._reading() as reader:
                found = _schema(reader, str(self.path))
            steps_from(found, SQLITE, str(self.path))
            if not found:
                raise StoreError(f"{self.path}: there is no log in this file, which is empty.")
        except StoreError:
            self.close()
            raise
        self.schema = found
        self._readers.pop().close()  # the next one knows

    def _cannot_be_written_beside(self) -> bool:
        """Whether the log is in a folder that we may not write to, and whole in its one file.

        SQLite wants to put two files beside one that has a write-ahead log, even to read it. Where that log has
        something that the file lacks, and its index is gone, nothing can be read here.
        """
        if os.access(self.path.parent, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
            return False
        waiting, index = (self.path.with_name(self.path.name + ending) for ending in ("-wal", "-shm"))
        if waiting.exists() and index.exists():  # somebody else has the log open, or had
            return False
        if waiting.exists() and waiting.stat().st_size:
            raise StoreError(
                f"{self.path}: its last entries are in {waiting.name}, and SQLite cannot read those in a folder that "
                "it may not write to; copy both files to one where you may write, and name the copy."
            )
        return True

    def _open_reader(self) -> sqlite3.Connection:
        how = "mode=ro&immutable=1" if self._at_rest else "mode=ro"
        reader = sqlite3.connect(
            f"file://{quote(str(self.path))}?{how}", uri=True, isolation_level=None, check_same_thread=False
        )
        reader.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        if self.read_only and self.schema < SEALING_SCHEMA:
            reader.execute(finding.WITHOUT_PROOF)
        if self.read_only and self.schema < FINDING_SCHEMA:
            for statement in finding.AS_IT_WAS:
                reader.execute(statement)
        return reader


def check_version(found: tuple[int, ...]) -> None:
    """Refuse a SQLite that lacks what the log rests on."""
    if found < OLDEST_SQLITE:
        wanted, has = (".".join(map(str, numbers)) for numbers in (OLDEST_SQLITE, found))
        raise StoreError(f"this Python has SQLite {has} and the log needs {wanted} or newer; use a newer Python.")


FIXED_SQLITE = ((3, 44, 6), (3, 50, 7), (3, 51, 3))
"""From these on, each in its own line of releases, what follows does not happen any more."""


def known_fault(found: tuple[int, ...]) -> str | None:
    """What a SQLite is known to do to a file like ours, in a sentence; None where nothing is known.

    Releases before 3.51.3 can damage a file with a write-ahead log that several connections write to: one that commits
    in the moment in which another copies the log back for the second time may have its entries forgotten.
    """
    if found >= FIXED_SQLITE[-1] or any(found[:2] == fixed[:2] and found >= fixed for fixed in FIXED_SQLITE):
        return None
    has = ".".join(map(str, found))
    return (
        f"this Python has SQLite {has}, of which it is known that it can damage a log that several processes write to "
        "(fixed in 3.51.3, 3.50.7 and 3.44.6): use a newer Python, or PostgreSQL for several processes."
    )


def check_names(path: Path) -> None:
    """Refuse to write to a file that has a second name: what waits in the write-ahead log of the one is not seen by the
    other, and neither is its lock."""
    if path.exists() and path.stat().st_nlink > 1:
        raise StoreError(
            f"{path}: this file has another name as well (a hard link), and whoever opens it by that one would miss "
            "the newest entries and the lock; leave it one name (copy it with `pitboss log backup`)."
        )


def _set_up(writer: sqlite3.Connection, place: str) -> None:
    """Lead the file to the newest schema; two processes that open it at once do so one after the other."""
    writer.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    found = _schema(writer, place)
    steps_from(found, SQLITE, place)
    (mode,) = writer.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StoreError(f"{place}: this file system cannot keep a write-ahead log; choose a local disk.")
    writer.execute("PRAGMA synchronous = FULL")
    writer.execute("PRAGMA fullfsync = ON")
    writer.execute("PRAGMA checkpoint_fullfsync = ON")
    writer.execute("PRAGMA wal_autocheckpoint = 4000")
    writer.execute("PRAGMA trusted_schema = OFF")
    if found < SCHEMA:
        writer.execute("BEGIN IMMEDIATE")
        try:
            for step in steps_from(_schema(writer, place), SQLITE, place):
                for statement in _statements(step):
                    writer.execute(statement)
            writer.execute(f"PRAGMA application_id = {APPLICATION}")
            writer.execute(f"PRAGMA user_version = {SCHEMA}")
            writer.execute("COMMIT")
        except BaseException:
            if writer.in_transaction:
                writer.execute("ROLLBACK")
            raise


def _put_to_rest(connection: sqlite3.Connection) -> None:
    """Without a write-ahead log, which whoever opens the file for writing begins anew."""
    connection.execute("PRAGMA journal_mode = DELETE")


def _schema(connection: sqlite3.Connection, place: str) -> int:
    """Which version the file has; 0 for an empty one."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (objects,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if objects and application != APPLICATION:
        raise StoreError(f"{place}: this is a SQLite database, but not a log of Pitboss.")
    return int(version)


def _statements(script: str) -> Iterator[str]:
    """One statement after the other, because `executescript` would end the transaction."""
    statement = ""
    for piece in script.split(";"):
        statement += piece + ";"
        if sqlite3.complete_statement(statement):
            if statement.strip(" \n;"):
                yield statement
            statement = ""


def _head(connection: sqlite3.Connection) -> Head:
    row = connection.execute(HEAD).fetchone()
    return Head(0, START) if row is None else Head(row[0], row[1])


def _spoken(fault: sqlite3.Error, place: str) -> StoreError:
    """One sentence about what SQLite met."""
    code = getattr(fault, "sqlite_errorcode", 0)
    if code & 0xFF == sqlite3.SQLITE_FULL or code in (sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_TRUNCATE):
        return LogFull(f"{place}: the disk is full, so nothing was written; make room and try again.")
    if code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LogBusy(f"{place}: another process keeps the log locked; try again, or stop that process.")
    if code & 0xFF == sqlite3.SQLITE_NOTADB:
        return StoreError(f"{place}: this is not a log of Pitboss.")
    if code & 0xFF == sqlite3.SQLITE_CORRUPT:
        return LogDamaged(f"{place}: the file is damaged ({fault}); restore a backup (`pitboss log restore`).")
    if code & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return StoreError(f"{place}: the log cannot be opened ({fault}); look at the path and its permissions.")
    return StoreError(f"{place}: {str(fault) or 'SQLite failed'}; nothing was written.")


def make_private(path: Path) -> None:
    """A new file that nobody else reads: accounts stand in a log. What SQLite puts beside it gets the same rights."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    except OSError as fault:
        what = (fault.strerror or "it cannot be made").lower()
        raise StoreError(f"{path}: the log cannot be opened ({what}); look at the path and its permissions.") from fault


def sync_directory(folder: Path) -> None:
    """A new file survives a power cut only once its directory is on the disk too."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _claims_ms(now_ms: int | None) -> int:
    """The time by which claims last: that of this machine since it started, which all its processes share and nobody
    can set. After a new start claims may be of the future; `renew` sees to that."""
    return time.monotonic_ns() // 1_000_000 if now_ms is None else now_ms


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
