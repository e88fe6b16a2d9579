"""A log in PostgreSQL: several processes write to it, one after another, so that the chain has one order.

Whoever writes holds one advisory lock for the length of a transaction. A process that is paused while it holds it is
disconnected by the server after `IDLE_MS`, so that nobody waits for it, and finds nothing written when it goes on.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import Any

import msgspec
import psycopg
from psycopg import conninfo, errors, sql
from psycopg.types.numeric import Int4, Int8

from pitboss.store import packed
from pitboss.store.addresses import shown, unreadable, without_schema
from pitboss.store.chain import START, RawRow, Row, StoredRow, apart, together
from pitboss.store.claims import believed, claimed_by, owned, stored
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
    FUNCTIONS,
    INDEXES,
    OWNERS_SCHEMA,
    POSTGRES,
    SCHEMA,
    SEALING_SCHEMA,
    SEGMENTS_SCHEMA,
    TRIGGERS,
    is_altered,
    steps_from,
)
from pitboss.store.planning import Known, Plan, Unplaced, appended, hides_anything, owners_in, plan, unplaced
from pitboss.store.sealing import DataKey, Sealing
from pitboss.store.segments import Segment, Shelf
from pitboss.store.snapshots import check_snapshot, sealed, snapshot_entry, to_seal_anew, trusted
from pitboss.store.stored import AT_SEQ, AT_VERSION, HIGHEST, LOWEST, by_pages

OLDEST_SERVER = 120000
PAGE = 2000
CACHED_STREAMS = 100_000
LOCK_MS = 10_000
IDLE_MS = 3_000
TRANSACTION_MS = 15_000
"""Also where a process was stopped in the middle of sending; servers before PostgreSQL 17 cannot measure this."""

COLUMNS = "seq, format, stream, version, at_ms, by_name, command, remaining, kind, body, answer, proof, hash"
RAW_COLUMNS = (
    "seq, format, convert_to(stream, 'UTF8'), version, at_ms, convert_to(by_name, 'UTF8'), "
    "convert_to(command, 'UTF8'), remaining, convert_to(kind, 'UTF8'), body, answer, proof, hash"
)
INSERT = (
    f"INSERT INTO entries ({COLUMNS}) SELECT * FROM unnest(%b::bigint[], %b::int[], %b::text[], %b::bigint[], "
    "%b::bigint[], %b::text[], %b::text[], %b::int[], %b::text[], %b::bytea[], %b::bytea[], %b::bytea[], %b::bytea[])"
)
NOTHING = "''::bytea"
"""In the place of what the entries of a log of an older schema do not have."""
INSERT_KEY = (
    "INSERT INTO data_keys (number, wrapped_by, wrapped, made_ms, owner) VALUES (%s, %s, %s, %s, %s) "
    "ON CONFLICT (number)"
)
PUT_KEY = INSERT_KEY + " DO UPDATE SET wrapped_by = excluded.wrapped_by, wrapped = excluded.wrapped"
HEAD = "SELECT seq, hash FROM entries ORDER BY seq DESC LIMIT 1"
VERSION = "SELECT max(version) FROM entries WHERE stream = %s"
STATE = """
    (SELECT 'head', '', seq, hash FROM entries ORDER BY seq DESC LIMIT 1)
    UNION ALL
    SELECT 'version', name, (SELECT max(version) FROM entries WHERE stream = name COLLATE "C"), ''::bytea
    FROM unnest(%s::text[]) AS name WHERE EXISTS (SELECT FROM entries WHERE stream = name COLLATE "C")
    UNION ALL
    SELECT 'answer', command, 0, answer FROM entries WHERE command = ANY(%s) AND remaining = 0 AND command <> ''
    UNION ALL
    SELECT 'epoch', stream, epoch, ''::bytea FROM claims
"""
APPEND_NEXT = f"SELECT append_next({', '.join(['%b'] * 15)})"
APPEND_BEHIND = f"SELECT append_behind({', '.join(['%b'] * 17)})"
"""The same where streams that a batch only relies on are still as it expects them."""
PLACE = """
    SELECT seq FROM entries WHERE stream = %s AND version = %s AND at_ms = %s AND by_name = %s AND command = %s
    AND kind = %s AND body = %s
"""
ANSWER = "SELECT answer FROM entries WHERE command = %s AND remaining = 0 AND command <> ''"
CLAIM = "SELECT stream, owner, address, epoch, until_ms FROM claims"
CLOCK = "coalesce(%s::bigint, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)"
"""The time by which claims last, in milliseconds: the database's own, which is one for all who share it."""

Connection = psycopg.Connection[tuple[Any, ...]]


class PostgresLog:
    """A `Log` in a PostgreSQL database. Every method may be called from any thread."""

    def __init__(
        self,
        url: str,
        *,
        create: bool = True,
        read_only: bool = False,
        steps: Callable[[str], None] | None = None,
        keyring: Keyring | None = None,
    ) -> None:
        """`?schema=NAME` in the URL chooses one of several logs in a database; `steps` is as in `SqliteLog`."""
        self._address, self.schema_name = without_schema(url)
        self.url = shown(url)
        _check_address(self._address, url)
        self.read_only = read_only
        self._steps = steps
        self.sealing = Sealing(self.url, self.data_keys, self._make_data_key, keyring)
        self.shelf = Shelf(None, self.segments)
        self.sealing.is_archived = self.shelf.covers
        self._lock = threading.Lock()
        self._readers: list[Connection] = []
        self._closed = False
        self._news = threading.Condition()
        self._listener: threading.Thread | None = None
        key = sha256(f"pitboss log {self.schema_name}".encode()).digest()
        self._key = int.from_bytes(key[:8], "big", signed=True)
        self._channel = f"pitboss_{key[:8].hex()}"
        self._writer: Connection | None = None
        self._known = Known(_nothing, _nobody, _nothing)
        self._epochs = -1
        """The sum of all epochs when those that we remember were read; they only grow, so that it tells any change."""
        self.schema = self._prepare(create)

    # --- writing ------------------------------------------------------------------------------------------------------

    def append(self, batch: Sequence[Append]) -> list[Outcome]:
        """Write a batch in one durable transaction; one item's failure does not touch the others."""
        check_all(batch)
        if not batch:
            return []
        self.sealing.prepare(lambda: hides_anything(batch), owners_in(batch))
        with self._writing() as writer:
            return self._append_at_once(writer, batch) or self._append_carefully(writer, batch)

    def _append_at_once(self, writer: Connection, batch: Sequence[Append]) -> list[Outcome] | None:
        """In one round trip, by what we remember; None where we remember too little, or something else is true by now.

        The server looks under the lock whether any stream has another owner, its indexes stop whom another writer of
        the stream was ahead of and what was answered before, and it gives the entries their places in the chain.
        """
        known = self._known
        if not _is_all_known(batch, known):
            return None
        rows = unplaced(batch, known, self.sealing)
        place = None if rows is None else self._place_next(writer, rows, _relied_on(batch))
        if rows is None or place is None:
            for item in batch:
                for part in item.parts:
                    known.versions.pop(part.stream, None)
            return None
        return appended(batch, place - len(rows.versions))

    def _place_next(self, writer: Connection, rows: Unplaced, guards: dict[str, int]) -> int | None:
        """Write rows, and say where the log ends then; None where they are not what comes next, or a guard fails."""
        self._step("checked")
        self._step("commit")
        try:
            if guards:
                relied_on = packed.texts([stream.encode() for stream in guards]), packed.longs(list(guards.values()))
                place: int | None = _one(writer, APPEND_BEHIND, (*relied_on, *self._packed(rows)))
            else:
                place = _one(writer, APPEND_NEXT, self._packed(rows))
            self._step("committed")
        except errors.UniqueViolation:
            return None
        except psycopg.Error:
            place = self._place_after(writer, rows.last)
            if place is None:
                raise
        return place

    def _packed(self, rows: Unplaced) -> tuple[object, ...]:
        return (
            Int8(self._key), self._channel, Int8(self._epochs), Int4(rows.format),
            packed.texts(rows.streams), packed.longs(rows.versions), packed.longs(rows.at_ms), packed.texts(rows.by),
            packed.texts(rows.commands), packed.ints(rows.remaining), packed.texts(rows.kinds),
            packed.blobs(rows.bodies), packed.blobs(rows.answers), packed.blobs(rows.proofs),
            packed.blobs(rows.covered),
        )  # fmt: skip

    def _append_carefully(self, writer: Connection, batch: Sequence[Append]) -> list[Outcome]:
        """Take the lock, ask for everything that deciding the batch needs, decide it, and write."""
        known = self._asked(writer, batch)
        result = plan(batch, known, self.sealing)
        self._write(writer, result)
        self._known.versions.update(known.versions)
        if len(self._known.versions) > CACHED_STREAMS:
            self._forget()
        return result.outcomes

    def erase(self, item: Append, owner: str) -> Outcome:
        """Append, and in the same transaction destroy every key of a person and what is sealed of them; for good.

        What the server keeps of deleted rows goes with its next vacuum; that of the keys is asked for at once.
        """
        check_all([item])
        self.sealing.prepare(lambda: True)
        with self._writing() as writer:
            known = self._asked(writer, [item])
            result = plan([item], known, self.sealing)
            if isinstance(result.outcomes[0], Appended):
                writer.execute("UPDATE data_keys SET wrapped = '', wrapped_by = '' WHERE owner = %s", (owner,))
                writer.execute(
                    "INSERT INTO data_keys (number, wrapped_by, wrapped, made_ms, owner) "
                    "SELECT max(number) + 1, '', '', 0, %s FROM data_keys "
                    "HAVING NOT EXISTS (SELECT 1 FROM data_keys WHERE owner = %s)",
                    (owner, owner),
                )
                writer.execute(
                    "UPDATE entries SET body = '' WHERE stream = %s AND length(proof) IN (32, 52) AND body <> ''",
                    (PERSONAL + owner,),
                )
            self._write(writer, result)
        self._forget()
        self.sealing.forget(owner)
        with self._writing() as writer:
            writer.execute("VACUUM data_keys")
        return result.outcomes[0]

    def _forget(self) -> None:
        """Something failed: what we remember is not to be built upon."""
        self._known.forget()

    def save_snapshot(self, snapshot: Snapshot) -> None:
        """Keep it in the place of an older one; its digest goes into the chain, as an entry of `log:snapshots`."""
        self.sealing.prepare(bool)
        stored = sealed(snapshot, self.sealing)
        with self._writing() as writer:
            self._begin(writer)

            def version(stream: str) -> int:
                return _one(writer, VERSION, (stream,)) or 0

            known = Known(version, lambda _: None, lambda _: 0, _head(writer))
            check_snapshot(snapshot, version, known.head)
            kept = _one(writer, "SELECT version FROM snapshots WHERE stream = %s", (snapshot.stream,))
            if kept is not None and kept > snapshot.version:
                return
            now_ms = time.time_ns() // 1_000_000
            taken = snapshot_entry(stored, version, now_ms, is_sealed=stored is not snapshot)
            result = plan([taken], known, self.sealing)
            writer.execute(
                "INSERT INTO snapshots (stream, version, body, seq) VALUES (%s, %s, %s, %s) ON CONFLICT (stream) "
                "DO UPDATE SET version = excluded.version, body = excluded.body, seq = excluded.seq",
                (stored.stream, stored.version, stored.body, result.head.seq),
            )
            self._write(writer, result)

    def seal_snapshots(self) -> int:
        """Seal what is not sealed under the newest key, have the server take away how it was, and say how many."""
        self.sealing.be_ready()
        query = "SELECT s.stream, substr(s.body, 1, 4), e.body FROM snapshots s JOIN entries e ON e.seq = s.seq"
        with self._reading() as reader:
            found = to_seal_anew(reader.execute(query).fetchall(), self.sealing)
        if not found:
            return 0
        for kept in filter(None, map(self.snapshot, found)):
            self.save_snapshot(kept)
        with self._writing() as writer:
            writer.execute("VACUUM snapshots")
        return len(found)

    def claim(self, stream: str, owner: str, address: str, now_ms: int | None, for_ms: int) -> Claim:
        """Own the stream if it is free, expired or ours already; otherwise the claim of whoever owns it."""
        self.sealing.be_ready()
        with self._writing() as writer:
            self._begin(writer)
            row = writer.execute(f"{CLAIM} WHERE stream = %s", (stream,)).fetchone()
            found = believed(row, self.sealing) if row else None
            at_ms: int = _one(writer, f"SELECT {CLOCK}", (now_ms,))
            claimed = claimed_by(found, stream, owner, address, at_ms, for_ms)
            if claimed is not found:
                writer.execute(
                    "INSERT INTO claims (stream, owner, address, epoch, until_ms) VALUES (%s, %s, %s, %s, %s) "
                    "ON CONFLICT (stream) DO UPDATE SET owner = excluded.owner, address = excluded.address, "
                    "epoch = excluded.epoch, until_ms = excluded.until_ms",
                    (stream, claimed.owner, stored(claimed, self.sealing), claimed.epoch, claimed.until_ms),
                )
        return claimed

    def renew(self, owner: str, now_ms: int | None, for_ms: int) -> dict[str, Claim]:
        """Make every claim of this owner last longer, and nobody's longer than that; what they still own."""
        self.sealing.be_ready()
        with self._writing() as writer:
            self._begin(writer)
            rows = writer.execute(
                f"WITH clock AS (SELECT {CLOCK} + %s AS until) UPDATE claims SET until_ms = clock.until FROM clock "
                "WHERE owner <> '' AND (owner = %s OR until_ms > clock.until) "
                "RETURNING stream, owner, address, epoch, until_ms",
                (now_ms, for_ms, owner),
            ).fetchall()
        return owned([row for row in rows if row[1] == owner], self.sealing)

    def release(self, stream: str, owner: str) -> None:
        """Give a stream up: the next owner need not wait, and what was decided under the claim is fenced."""
        with self._writing() as writer:
            self._begin(writer)
            self._forget()
            writer.execute(
                "UPDATE claims SET owner = '', address = '', epoch = epoch + 1, until_ms = 0 "
                "WHERE stream = %s AND owner = %s AND owner <> ''",
                (stream, owner),
            )

    def take_over(self, rows: Iterable[Row], keys: Callable[[], Iterable[DataKey]] = tuple) -> None:
        """Write entries as they stand in another log, which has been checked; only where nothing is written yet."""
        with self._writing() as writer:
            self._begin(writer)
            self._forget()
            self._limit_transactions(writer, 0)
            if _head(writer).seq:
                raise StoreError(f"{self.url}: the log has entries already; choose an empty one.")
            with writer.cursor() as cursor, cursor.copy(f"COPY entries ({COLUMNS}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(together(row))
            with writer.cursor() as cursor:
                cursor.executemany(PUT_KEY, list(map(msgspec.structs.astuple, keys())))
        self._drop_writer()

    def take_over_snapshots(self, rows: Iterable[tuple[str, int, bytes, int]]) -> None:
        with self._writing() as writer:
            self._begin(writer)
            with writer.cursor() as cursor:
                cursor.executemany("INSERT INTO snapshots (stream, version, body, seq) VALUES (%s, %s, %s, %s)", rows)

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
            self._begin(writer)
            columns = "first, last, path, hash, at_ms"
            writer.execute(
                f"INSERT INTO segments ({columns}) VALUES (%s, %s, %s, %s, %s)", msgspec.structs.astuple(segment)
            )

    def give_away(self, bodies: Sequence[tuple[bytes, int]]) -> None:
        """Keep these commitments in the place of the bodies of these entries, which a segment has."""
        with self._writing() as writer:
            self._begin(writer)
            with writer.cursor() as cursor:
                cursor.executemany("UPDATE entries SET body = '', proof = %s WHERE seq = %s", bodies)

    def shrink(self) -> None:
        """The server sees to it by itself (autovacuum): what is not used any more is written to again."""

    @property
    def base(self) -> Head | None:
        """A log in a database is never a segment."""
        return None

    def versions_before(self) -> dict[bytes, int]:
        return {}

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
            self._begin(writer)
            with writer.cursor() as cursor:
                cursor.executemany(PUT_KEY, list(map(msgspec.structs.astuple, keys)))

    def _make_data_key(self, key: DataKey) -> None:
        with self._writing() as writer:
            self._begin(writer)
            writer.execute(INSERT_KEY + " DO NOTHING", msgspec.structs.astuple(key))

    def _begin(self, writer: Connection) -> None:
        """Take the lock, in one round trip; what is asked after it sees everything that was written before it."""
        writer.execute(f"BEGIN; SELECT pg_advisory_xact_lock({self._key})")

    def _asked(self, writer: Connection, batch: Sequence[Append]) -> Known:
        """Everything that deciding this batch asks for, in one question.

        Not in a pipeline: after one, the server does not begin to measure how long we leave it waiting.
        """
        streams = list({part.stream for item in batch for part in item.parts})
        commands = list({item.command for item in batch if item.command})
        self._begin(writer)
        head = Head(0, START)
        versions: dict[str, int] = {}
        answers: dict[str, bytes] = {}
        epochs: dict[str, int] = {}
        for what, name, number, data in writer.execute(STATE, (streams, commands), binary=True):
            if what == "head":
                head = Head(number, data)
            elif what == "version":
                versions[name] = number
            elif what == "answer":
                answers[name] = data
            else:
                epochs[name] = number
        self._known.epochs, self._epochs = epochs, sum(epochs.values())
        return Known(lambda stream: versions.get(stream, 0), answers.get, lambda stream: epochs.get(stream, 0), head)

    def _write(self, writer: Connection, result: Plan) -> None:
        """Insert the rows and commit, in one round trip; when the line breaks at that moment, find out what became."""
        if not result.rows:
            return
        self._step("checked")
        try:
            with writer.pipeline():
                writer.execute(INSERT, tuple(map(list, zip(*result.rows, strict=True))))
                writer.execute("SELECT pg_notify(%s, %s)", (self._channel, str(result.head.seq)))
                self._step("commit")
                writer.execute("COMMIT")
            self._step("committed")
        except psycopg.Error:
            _, _, stream, version, at_ms, by, command, _, kind, body, *_ = result.rows[-1]
            if self._place_after(writer, (stream, version, at_ms, by, command, kind, body)) is None:
                raise

    def _place_after(self, writer: Connection, last: tuple[object, ...]) -> int | None:
        """Where the last row stands that we were about to write, after the line broke; None where it does not.

        The lock waits for the end of that transaction.
        """
        if not self._is_lost(writer):
            return None
        self._drop_writer()
        writer = self._connected()
        self._begin(writer)
        found = writer.execute(PLACE, last).fetchone()
        writer.execute("COMMIT")
        return None if found is None else found[0]

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """One durable transaction: all of it or, when anything goes wrong, nothing."""
        with self._lock:
            if self._closed or self.read_only:
                raise StoreError(f"{self.url}: the log is {'closed' if self._closed else 'open for reading only'}.")
            try:
                writer = self._connected()
                self._step("begin")
                yield writer
                if not writer.closed and writer.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
                    writer.execute("COMMIT")
            except BaseException as fault:
                self._forget()
                self._roll_back()
                if isinstance(fault, psycopg.Error):
                    raise _spoken(fault, self.url) from fault
                raise

    def _connected(self) -> Connection:
        if self._writer is None or self._writer.closed or self._is_lost(self._writer):
            self._drop_writer()
            self._writer = self._connect()
            self._writer.execute(f"SET idle_in_transaction_session_timeout = {IDLE_MS}")
            self._writer.execute(f"SET lock_timeout = {LOCK_MS}")
            self._limit_transactions(self._writer, TRANSACTION_MS)
            self._writer.execute("SET synchronous_commit = on")
        return self._writer

    def _limit_transactions(self, writer: Connection, milliseconds: int) -> None:
        if writer.info.server_version >= 170000:
            writer.execute(f"SET transaction_timeout = {milliseconds}")

    def _is_lost(self, connection: Connection) -> bool:
        return connection.closed or connection.info.status != psycopg.pq.ConnStatus.OK

    def _roll_back(self) -> None:
        if self._writer is None:
            return
        with suppress(psycopg.Error):
            if self._writer.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
                self._writer.execute("ROLLBACK")
        if self._is_lost(self._writer):
            self._drop_writer()

    def _drop_writer(self) -> None:
        if self._writer is not None:
            with suppress(psycopg.Error):
                self._writer.close()
            self._writer = None

    def _step(self, name: str) -> None:
        if self._steps is not None:
            self._steps(name)

    # --- reading ------------------------------------------------------------------------------------------------------

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """Entries of one stream from a version on; what is written meanwhile comes too."""
        query = (
            f"SELECT {self._columns(COLUMNS)} FROM entries WHERE stream = %s AND version > %s ORDER BY version LIMIT %s"
        )

        def page(after: int, wanted: int) -> list[StoredRow]:
            return self._page(query, (stream, after, wanted))

        return map(self.sealing.entry, self.shelf.filled(map(apart, by_pages(page, after, limit, PAGE, AT_VERSION))))

    def read_all(self, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """All entries from a position on; what is written meanwhile comes too."""
        return map(self.sealing.entry, self.rows(after, limit))

    def rows(self, after: int = 0, limit: int | None = None) -> Iterator[Row]:
        """The entries as they are stored."""
        query = f"SELECT {self._columns(COLUMNS)} FROM entries WHERE seq > %s ORDER BY seq LIMIT %s"
        found = by_pages(lambda *place: self._page(query, place), after, limit, PAGE, AT_SEQ)
        return self.shelf.filled(map(apart, found))

    def raw_pages(self, first: int = LOWEST) -> Iterator[list[RawRow]]:
        """All rows there are, whatever their numbers, many at a time and quickly, with texts in UTF-8."""
        query = f"SELECT {self._columns(RAW_COLUMNS)} FROM entries WHERE seq >= %s ORDER BY seq LIMIT {PAGE}"
        while rows := self._page(query, (first,)):
            yield [apart(row) for row in rows]
            if rows[-1][0] == HIGHEST:
                break
            first = rows[-1][0] + 1

    def _columns(self, wanted: str) -> str:
        return wanted if self.schema >= SEALING_SCHEMA else wanted.replace(" proof,", f" {NOTHING},")

    def _page(self, query: str, place: tuple[object, ...]) -> list[Any]:
        with self._reading() as reader:
            return reader.execute(query, place, binary=True).fetchall()

    def wait(self, after: int, seconds: float) -> bool:
        """Wait until something stands after this position; False when the time is over. The server wakes us."""
        end = time.monotonic() + seconds
        self._listen()
        while self.head().seq <= after:
            left = end - time.monotonic()
            if left <= 0 or self._closed:
                return False
            with self._news:
                self._news.wait(min(left, 0.5))
        return True

    def _listen(self) -> None:
        with self._news:
            if self._listener is None:
                self._listener = threading.Thread(target=self._hear, name="pitboss-log-listener", daemon=True)
                self._listener.start()

    def _hear(self) -> None:
        """Wake whoever waits, for every notice of the server; a lost line is made anew."""
        while not self._closed:
            with suppress(psycopg.Error, StoreError), self._connect() as line:
                line.execute(sql.SQL("LISTEN {}").format(sql.Identifier(self._channel)))
                while not self._closed:
                    for _ in line.notifies(timeout=0.5, stop_after=1):
                        with self._news:
                            self._news.notify_all()
            if not self._closed:
                time.sleep(0.2)

    def streams(self, prefix: str = "") -> dict[str, int]:
        """Every stream whose name begins so, with its version: found by leaps through the index, not by its length."""
        query = """
            WITH RECURSIVE names AS (
                (SELECT stream FROM entries WHERE stream >= %(prefix)s ORDER BY stream LIMIT 1)
                UNION ALL
                SELECT (SELECT stream FROM entries e WHERE e.stream > names.stream ORDER BY stream LIMIT 1)
                FROM names WHERE names.stream IS NOT NULL AND starts_with(names.stream, %(prefix)s)
            )
            SELECT stream, (SELECT max(version) FROM entries e WHERE e.stream = names.stream)
            FROM names WHERE stream IS NOT NULL AND starts_with(stream, %(prefix)s)
        """
        with self._reading() as reader:
            return dict(reader.execute(query, {"prefix": prefix}).fetchall())

    def version(self, stream: str) -> int:
        with self._reading() as reader:
            return _one(reader, VERSION, (stream,)) or 0

    def answer(self, command: str) -> bytes | None:
        with self._reading() as reader:
            row = reader.execute(ANSWER, (command,)).fetchone()
        return None if row is None else row[0]

    def head(self) -> Head:
        with self._reading() as reader:
            return _head(reader)

    def snapshot(self, stream: str) -> Snapshot | None:
        """The newest one, or None where there is none or where it is not the one whose digest the chain has."""
        query = (
            "SELECT s.version, s.body, e.stream, e.body FROM snapshots s LEFT JOIN entries e ON e.seq = s.seq "
            "WHERE s.stream = %s"
        )
        with self._reading() as reader:
            row = reader.execute(query, (stream,)).fetchone()
        return trusted(stream, row, self.sealing)

    def snapshot_rows(self) -> Iterator[tuple[str, int, bytes, int]]:
        """The snapshots as they are stored: stream, version, body, and the seq of the entry that has the digest."""
        with self._reading() as reader:
            names = reader.execute("SELECT stream FROM snapshots ORDER BY stream").fetchall()
        for name in names:
            with self._reading() as reader:
                query = "SELECT stream, version, body, seq FROM snapshots WHERE stream = %s"
                found: list[Any] = reader.execute(query, name).fetchall()
            yield from found

    def complaints(self) -> list[str]:
        """Which indexes are missing; a server looks after its files by itself (see its checksums and amcheck)."""
        with self._reading() as reader:
            query = (
                "SELECT c.relname FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid WHERE i.indisunique AND "
                "i.indisvalid AND i.indrelid = to_regclass('entries')"
            )
            found = {row[0] for row in reader.execute(query)}
        return [f"the index {name} is missing" for name in sorted(INDEXES - found)]

    def strangers(self) -> list[str]:
        """What somebody else put into the schema that acts by itself."""
        with self._reading() as reader:
            query = (
                "SELECT t.tgname, p.proname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
                "JOIN pg_proc p ON p.oid = t.tgfoid WHERE NOT t.tgisinternal "
                "AND c.relnamespace = current_schema()::regnamespace ORDER BY t.tgname"
            )
            triggers = reader.execute(query).fetchall()
            rules = reader.execute("SELECT rulename FROM pg_rules WHERE schemaname = current_schema()").fetchall()
            functions = reader.execute(
                "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = current_schema()::regnamespace ORDER BY 1"
            ).fetchall()
            query = "SELECT policyname FROM pg_policies WHERE schemaname = current_schema()"
            policies = reader.execute(query).fetchall()
            heirs = reader.execute(
                "SELECT i.inhrelid::regclass::text FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhparent "
                "WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' ORDER BY 1"
            ).fetchall()
        found = [("trigger", name) for name, calls in triggers if name not in TRIGGERS or calls not in FUNCTIONS]
        found += [("rule", name) for (name,) in rules]
        found += [("function", name) for name, text in functions if is_altered(name, text)]
        found += [("policy", name) for (name,) in policies]
        found += [("table that adds its rows to one of the log's,", name) for (name,) in heirs]
        return [f"there is a {kind} {name!r} that Pitboss did not make" for kind, name in found]

    def claims(self, now_ms: int | None) -> dict[str, Claim]:
        self.sealing.be_ready()
        with self._reading() as reader:
            rows = reader.execute(f"{CLAIM} WHERE until_ms > {CLOCK} AND owner <> ''", (now_ms,)).fetchall()
        return owned(rows, self.sealing)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """A connection for one short read; they are kept for the next, unless the server has gone meanwhile."""
        if self._closed:
            raise StoreError(f"{self.url}: the log is closed.")
        reader = self._reader()
        try:
            yield reader
        except psycopg.Error as fault:
            reader.close()
            self._drop_readers()
            raise _spoken(fault, self.url) from fault
        self._readers.append(reader)
        if self._closed:
            self.close()

    def _reader(self) -> Connection:
        while self._readers:
            reader = self._readers.pop()
            if not self._is_lost(reader):
                return reader
            reader.close()
        reader = self._connect()
        reader.execute("SET default_transaction_read_only = on")
        return reader

    def _drop_readers(self) -> None:
        """When one line is lost the others are likely to be: the next read has a new one."""
        while self._readers:
            self._readers.pop().close()

    # --- opening and closing ------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Let go of every connection."""
        self.shelf.close()
        self._closed = True
        with self._news:
            self._news.notify_all()
        with self._lock:
            self._drop_writer()
            self._drop_readers()
        if self._listener is not None and self._listener is not threading.current_thread():
            self._listener.join()

    def _connect(self) -> Connection:
        try:
            connection = psycopg.connect(
                self._address,
                autocommit=True,
                connect_timeout=10,
                client_encoding="utf8",
                application_name=f"pitboss {self.schema_name}",
            )
            connection.execute(sql.SQL("SET search_path = {}").format(sql.Identifier(self.schema_name)))
            packed.register(connection)
        except psycopg.Error as fault:
            raise _spoken(fault, self.url) from fault
        return connection

    def _prepare(self, create: bool) -> int:
        """Check the server and lead the tables to the newest schema; processes do so one after the other."""
        with self._connect() as connection:
            try:
                self._check_server(connection)
                found = self._found(connection)
                if found is None and (self.read_only or not create):
                    raise StoreError(f"{self.url}: there is no log in the schema {self.schema_name!r}.")
                steps = steps_from(found or 0, POSTGRES, self.url)
                if self.read_only:
                    return found or 0
                if steps:
                    self._migrate(connection)
                return SCHEMA
            except psycopg.Error as fault:
                raise _spoken(fault, self.url) from fault

    def _check_server(self, connection: Connection) -> None:
        if connection.info.server_version < OLDEST_SERVER:
            raise StoreError(f"{self.url}: the server is older than PostgreSQL 12; use a newer one.")
        for setting in ("fsync", "full_page_writes"):
            if _one(connection, f"SHOW {setting}", ()) != "on":
                raise StoreError(
                    f"{self.url}: the server runs with {setting} off and could lose entries; switch it on."
                )

    def _found(self, connection: Connection) -> int | None:
        if _one(connection, "SELECT to_regclass('about')", ()) is None:
            return None
        return int(_one(connection, "SELECT schema_version FROM about", ()))

    def _migrate(self, connection: Connection) -> None:
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (self._key,))
            connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(self.schema_name)))
            for step in steps_from(self._found(connection) or 0, POSTGRES, self.url):
                connection.execute(step)
            connection.execute("UPDATE about SET schema_version = %s", (SCHEMA,))


def _check_address(address: str, url: str) -> None:
    """What libpq cannot read is told in our words: in its own ones may stand the whole address, password and all."""
    try:
        conninfo.conninfo_to_dict(address)
    except psycopg.ProgrammingError as fault:
        said = " ".join(str(fault).split())
        raise unreadable(url, said if said.startswith("invalid URI query parameter") else "") from None


def _relied_on(batch: Sequence[Append]) -> dict[str, int]:
    """At which version each stream must be that a batch relies on before it writes to it, if it does.

    Where the first that it does is to write, no two entries have the same version anyway.
    """
    found: dict[str, int] = {}
    written: set[str] = set()
    for item in batch:
        for part in item.parts:
            if part.entries:
                written.add(part.stream)
            elif part.stream not in written:
                found.setdefault(part.stream, part.expected)
    return found


def _is_all_known(batch: Sequence[Append], known: Known) -> bool:
    versions, epochs = known.versions, known.epochs
    for item in batch:
        for part in item.parts:
            if part.stream not in versions or (part.epoch and part.stream not in epochs):
                return False
    return True


def _nothing(stream: str) -> int:
    raise AssertionError(f"{stream!r} is not remembered")


def _nobody(command: str) -> None:
    """Whether a command was answered before is not remembered: the index of the log knows."""


def _one(connection: Connection, query: str, values: tuple[object, ...]) -> Any:
    row = connection.execute(query, values or None).fetchone()
    return None if row is None else row[0]


def _head(connection: Connection) -> Head:
    row = connection.execute(HEAD).fetchone()
    return Head(0, START) if row is None else Head(row[0], row[1])


def _spoken(fault: psycopg.Error, place: str) -> StoreError:
    """One sentence about what the server said."""
    what = " ".join(str(fault).split()) or type(fault).__name__
    if isinstance(fault, errors.DiskFull):
        return LogFull(f"{place}: the server's disk is full, so nothing was written; make room and try again.")
    if isinstance(fault, (errors.LockNotAvailable, errors.QueryCanceled)):
        return LogBusy(f"{place}: another process keeps the log locked; try again, or stop that process.")
    if isinstance(fault, (errors.DataCorrupted, errors.IndexCorrupted)):
        return LogDamaged(
            f"{place}: the server's files are damaged ({what}); restore a backup (`pitboss log restore`)."
        )
    if isinstance(fault, psycopg.OperationalError) and fault.sqlstate is None:
        return _not_let_in(what, place)
    if isinstance(fault, (psycopg.OperationalError, errors.IdleInTransactionSessionTimeout)):
        return StoreError(f"{place}: the server cannot be reached ({what}); look whether it runs, then try again.")
    return StoreError(f"{place}: the server refuses ({what}); look at its log and at the rights of this user.")


AWAY = ("the database system is", "terminating connection")
"""How a server begins that is starting up, shutting down or recovering."""


def _not_let_in(what: str, place: str) -> StoreError:
    """There was no server, or there was one and it did not take us: whoever reads this looks at different things."""
    _, is_answer, answer = what.rpartition("FATAL: ")
    answer = answer.strip()
    if "no password supplied" in what:
        is_answer, answer = "yes", "it asks for a password, and none is given"
    if not is_answer or answer.startswith(AWAY):
        return StoreError(f"{place}: the server cannot be reached ({what}); look whether it runs, then try again.")
    if "database" in answer and "does not exist" in answer:
        advice = "make it first (createdb), or name another in the address"
    elif "password" in answer or "authentication" in answer or "role" in answer:
        advice = "look at the user in the address, and at the password (PGPASSWORD or ~/.pgpass)"
    else:
        advice = "look at its log and at the rights of this user"
    return StoreError(f"{place}: the server does not let us in ({answer}); {advice}.")
