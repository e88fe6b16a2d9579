"""Moving a log: JSON lines out and in, Parquet for analysis, backup and restore. Nothing that exists is overwritten."""

from __future__ import annotations

import binascii
import importlib.util
import os
import shutil
import tempfile
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from pitboss.store.chain import AUTHENTIC, FORMATS, PLAIN, START, Row, commitment_to, entry_hash, is_well_made
from pitboss.store.keeping import heads_of, key_of
from pitboss.store.log import PERSONAL, Archived, Erased, Head, KeyLost, StoreError
from pitboss.store.opening import open_log, path_of
from pitboss.store.sealing import NUMBER, DataKey, Sealing, covered_by
from pitboss.store.segments import Segment, end_of_transaction, hash_at, to_give_away
from pitboss.store.signing import Signer, keep_head, public_path
from pitboss.store.sqlite import SqliteLog, make_private, sync_directory
from pitboss.store.stored import HIGHEST, LOWEST, StoredLog
from pitboss.store.verify import verify

Progress: TypeAlias = "Callable[[int], None] | None"
"""Told now and then how many entries are done."""

Withhold: TypeAlias = "Callable[[Row], str] | None"
"""Why the contents of an entry may not leave yet, or "" where they may."""

Kept = TypeVar("Kept", bound=StoredLog)

SOMEBODY = "?"
"""Whose key it was that sealed an entry of a stream that is not about one person."""
LINES = 2
"""The version of the format of exported lines; those of version 1 know no salts and are read too."""
SEALED = "sealed, and the key is not here"
"""Why the contents of an entry do not leave where they cannot even be opened."""
AWAY = "archived, and the file is not at hand"
GONE = "erased"

TOLD_EVERY = 5000


class FirstLine(msgspec.Struct, frozen=True):
    pitboss_log: int


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """An entry; body and answer stand as the JSON they are or, where they are none, in base 64."""

    seq: Annotated[int, msgspec.Meta(ge=1, le=HIGHEST)]
    stream: str
    version: Annotated[int, msgspec.Meta(ge=1, le=HIGHEST)]
    at_ms: Annotated[int, msgspec.Meta(ge=LOWEST, le=HIGHEST)]
    by: str
    kind: str
    hash: str
    command: str = ""
    remaining: Annotated[int, msgspec.Meta(ge=0, lt=1 << 32)] = 0
    format: Annotated[int, msgspec.Meta(ge=0, lt=1 << 8)] = PLAIN
    body: msgspec.Raw | UnsetType = UNSET
    body64: str = ""
    answer: msgspec.Raw | UnsetType = UNSET
    answer64: str = ""
    withheld: str = ""
    """Why the body is not here, nor its salt."""
    salt: str = ""
    commitment: str = ""
    """Of a body that is withheld: with its salt, once both are released, it proves that they are what was written."""
    sealed: bool = False
    """Whether the log keeps the body sealed, as a log that is made of these lines will."""


class LastLine(msgspec.Struct, frozen=True):
    """Without it an export was cut short."""

    end: int
    hash: str


# --- JSON lines -------------------------------------------------------------------------------------------------------


def export_lines(
    log: StoredLog, out: BinaryIO, progress: Progress = None, withhold: Withhold = None, head: Head | None = None
) -> Head:
    """Write the whole log as it is now, or as it was at `head`, one JSON object a line.

    `withhold` says whose contents stay behind; such an export can be checked (`check_lines`), and not imported. It
    knows the log up to some head only, which is then to be given.
    """
    head = head or log.head()
    for line in _lines(log, head, progress, withhold):
        out.write(line)
    return head


def _lines(log: StoredLog, head: Head, progress: Progress = None, withhold: Withhold = None) -> Iterator[bytes]:
    encode = msgspec.json.encode
    yield encode(FirstLine(LINES)) + b"\n"
    for row, why in _leaving(log, head, withhold):
        yield encode(_without_contents(row, why) if why else _line(row)) + b"\n"
        if progress is not None and row[0] % TOLD_EVERY == 0:
            progress(row[0])
    yield encode(LastLine(head.seq, head.hash.hex())) + b"\n"


def opened_rows(log: StoredLog, head: Head) -> Iterator[Row]:
    """The rows up to a head, with everything in the open."""
    return map(log.sealing.opened, log.rows(limit=head.seq))


def import_lines(lines: Iterable[bytes], name: str, url: str, progress: Progress = None) -> Head:
    """Make a log from exported lines: the same entries with the same hashes, each of them checked on the way."""
    keys: list[DataKey] = []
    sealing = Sealing(name, lambda: keys, keys.append, None)

    def rows() -> Iterator[Row]:
        for line, row in _checked(lines, name, progress, whole=True):
            if line.sealed or row[1] == AUTHENTIC:
                if not sealing.is_ready:
                    sealing.ready()
                if line.withheld:
                    row = (*row[:9], _gone_for_good(keys, row[2]), *row[10:])
                else:
                    commitment = commitment_to(row[11], row[9]) if line.sealed else b""
                    row = sealing.closed((*row[:12], commitment, *row[13:]))
                row = (*row[:13], sealing.mac([covered_by(row)]), row[14])
            yield row

    with new_log(url) as log:
        log.take_over(rows(), lambda: keys)
        return log.head()


def _gone_for_good(keys: list[DataKey], stream: str) -> bytes:
    """What stands in the place of what was erased: the number of a key that is none any more."""
    owner = stream.removeprefix(PERSONAL) if stream.startswith(PERSONAL) else SOMEBODY
    number = next((key.number for key in keys if key.owner == owner), 0)
    if not number:
        number = max(key.number for key in keys) + 1
        keys.append(DataKey(number, "", b"", 0, owner))
    return NUMBER.pack(number)


class Checked(msgspec.Struct, frozen=True):
    """What was found in exported lines."""

    end: Head
    entries: int
    withheld: int
    proven: int
    """Bodies that were withheld in the earlier export and are proven here to be what was written."""


def check_lines(
    lines: Iterable[bytes], name: str, earlier: tuple[Iterable[bytes], str] | None = None, progress: Progress = None
) -> Checked:
    """Check exported lines by themselves: every hash, with the commitment where a body is withheld.

    With lines of an `earlier` export of the same log (and their name), that what has been released since is what was
    committed to then.
    """
    before: dict[int, tuple[bytes, bool]] = {}
    if earlier is not None:
        before = {line.seq: (row[-1], bool(line.withheld)) for line, row in _checked(*earlier, progress)}
    end, withheld, proven = Head(0, START), 0, 0
    for line, row in _checked(lines, name, progress):
        end = Head(row[0], row[-1])
        withheld += bool(line.withheld)
        hash, was_withheld = before.get(row[0], (row[-1], False))
        if hash != row[-1]:
            raise StoreError(f"{name}: entry {row[0]} is not the one whose commitment the earlier export has.")
        proven += was_withheld and not line.withheld
    if before and max(before) > end.seq:
        raise StoreError(f"{name}: the log ends at entry {end.seq} here, and the earlier export goes to {max(before)}.")
    return Checked(end, end.seq, withheld, proven)


def held_against(log: StoredLog, earlier: Iterable[bytes], name: str, progress: Progress = None) -> Checked:
    """Whether a log is the one of an earlier export, and how much of what was withheld in it is proven by now."""
    return check_lines(_lines(log, log.head(), progress), log.url, (earlier, name))


def _leaving(log: StoredLog, head: Head, withhold: Withhold) -> Iterator[tuple[Row, str]]:
    """The rows up to a head, opened, each with why it may not leave."""
    for stored in log.rows(limit=head.seq):
        try:
            row = log.sealing.opened(stored)
        except Erased:
            yield stored, GONE
        except (KeyLost, Archived) as fault:
            yield stored, AWAY if isinstance(fault, Archived) else SEALED
        else:
            yield row, "" if withhold is None else withhold(row)


def _line(row: Row) -> Line:
    seq, format, stream, version, at_ms, by, command, remaining, kind, body, answer, salt, commitment, _, hash = row
    body_raw, body64 = _as_json(body)
    answer_raw, answer64 = _as_json(answer)
    return Line(
        seq, stream, version, at_ms, by, kind, hash.hex(), command, remaining, format, body_raw, body64, answer_raw,
        answer64, "", salt.hex(), "", bool(commitment),
    )  # fmt: skip


def _without_contents(row: Row, why: str) -> Line:
    """A commitment in the place of the body; an entry of the first format has none to give, and its answer stays."""
    seq, format, stream, version, at_ms, by, command, remaining, kind, body, answer, salt, commitment, _, hash = row
    if format == PLAIN:
        return Line(seq, stream, version, at_ms, by, kind, hash.hex(), command, remaining, format, withheld=why)
    held = commitment or commitment_to(salt, body)
    answer_raw, answer64 = _as_json(answer)
    return Line(
        seq, stream, version, at_ms, by, kind, hash.hex(), command, remaining, format, answer=answer_raw,
        answer64=answer64, withheld=why, commitment=held.hex(), sealed=bool(commitment),
    )  # fmt: skip


def _as_json(data: bytes) -> tuple[msgspec.Raw | UnsetType, str]:
    """The bytes themselves where they are one JSON value on one line, otherwise in base 64, to come back as they were.

    A value that msgspec reads differently from how it stands (blanks around it) would not come back so.
    """
    if not data:
        return UNSET, ""
    if b"\n" not in data and b"\r" not in data:
        try:
            data.decode()
            msgspec.json.decode(data)
            raw = msgspec.json.decode(data, type=msgspec.Raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            pass
        else:
            if bytes(raw) == data:
                return msgspec.Raw(data), ""
    return UNSET, b64encode(data).decode()


def _checked(
    lines: Iterable[bytes], name: str, progress: Progress, *, whole: bool = False
) -> Iterator[tuple[Line, Row]]:
    """Lines and the rows that they tell of, opened; whatever is wrong is told with its place.

    Of what is withheld the row has the commitment, unless the export must be `whole`; an entry of the first format
    that is withheld is taken at its word.
    """
    head, owed = Head(0, START), 0
    versions: dict[str, int] = {}
    numbered = enumerate(lines, start=1)
    _first(next(numbered, (1, b""))[1], name)
    decode = msgspec.json.Decoder(Line).decode
    for number, text in numbered:
        if text.startswith(b'{"end"'):
            _last(text, head, name, number)
            if owed:
                raise StoreError(f"{name}:{number}: {owed} entries of the last append were taken out; export it again.")
            for after, more in numbered:
                if more.strip():
                    raise StoreError(f"{name}:{after}: the export ended before this line; take it away.")
            return
        try:
            line = decode(text)
            row = _row(line)
        except (msgspec.DecodeError, binascii.Error, ValueError) as fault:
            raise StoreError(f"{name}:{number}: this is not an entry ({fault}); export the log again.") from fault
        if line.withheld and line.withheld != GONE and whole:
            raise StoreError(
                f"{name}:{number}: the contents of entry {line.seq} were withheld ({line.withheld}); import an export "
                "that `pitboss log export` made with the key."
            )
        taken_at_its_word = line.withheld and line.format == PLAIN
        follows = _follows(row, head, versions, bool(taken_at_its_word))
        if not follows or (owed and line.remaining != owed - 1):
            raise StoreError(
                f"{name}:{number}: entry {row[0]} does not follow on the entries before it; they were changed after "
                "the export, so export the log again."
            )
        head, owed = Head(row[0], row[-1]), line.remaining
        versions[row[2]] = row[3]
        if progress is not None and head.seq % TOLD_EVERY == 0:
            progress(head.seq)
        yield line, row
    raise StoreError(f"{name}: the export was cut short after entry {head.seq}; export the log again.")


def _row(line: Line) -> Row:
    body, answer = _bytes(line.body, line.body64), _bytes(line.answer, line.answer64)
    return (
        line.seq, line.format, line.stream, line.version, line.at_ms, line.by, line.command, line.remaining, line.kind,
        body, answer, bytes.fromhex(line.salt), bytes.fromhex(line.commitment), b"",
        bytes.fromhex(line.hash),
    )  # fmt: skip


def _bytes(raw: msgspec.Raw | UnsetType, base64: str) -> bytes:
    return b64decode(base64, validate=True) if raw is UNSET else bytes(raw)


def _follows(row: Row, head: Head, versions: dict[str, int], at_its_word: bool) -> bool:
    seq, format, stream, version, at_ms, by, command, remaining, kind, body, answer, salt, commitment, _, hash = row
    if seq != head.seq + 1 or version != versions.get(stream, 0) + 1 or format not in FORMATS:
        return False
    if not is_well_made(format, salt, commitment) or (commitment and body):
        return False
    if at_its_word:
        return True
    texts = stream.encode(), by.encode(), command.encode(), kind.encode()
    found = entry_hash(
        head.hash, format, seq, texts[0], version, at_ms, texts[1], texts[2], remaining, texts[3], body, answer, salt,
        commitment,
    )  # fmt: skip
    return found == hash


def _first(text: bytes, name: str) -> None:
    try:
        line = msgspec.json.decode(text, type=FirstLine)
    except msgspec.DecodeError as fault:
        raise StoreError(
            f"{name}:1: this is not an exported log; give a file that `pitboss log export` made."
        ) from fault
    if line.pitboss_log not in (1, LINES):
        raise StoreError(f"{name}:1: exported by a newer Pitboss (lines of version {line.pitboss_log}); use that one.")


def _last(text: bytes, head: Head, name: str, number: int) -> None:
    try:
        last = msgspec.json.decode(text, type=LastLine)
    except msgspec.DecodeError as fault:
        raise StoreError(f"{name}:{number}: the last line was cut short; export the log again.") from fault
    if (last.end, last.hash) != (head.seq, head.hash.hex()):
        raise StoreError(f"{name}:{number}: the export should end at entry {last.end}; entries were taken out of it.")


# --- Parquet ----------------------------------------------------------------------------------------------------------

PARQUET_COLUMNS = (
    "{seq: 'BIGINT', stream: 'VARCHAR', version: 'BIGINT', at_ms: 'BIGINT', \"by\": 'VARCHAR', command: 'VARCHAR', "
    "kind: 'VARCHAR', body: 'VARCHAR', answer: 'VARCHAR', hash: 'VARCHAR'}"
)


NO_PARQUET = "Parquet needs duckdb, which is not installed: install pitboss[charts], or export JSON lines."


def can_write_parquet() -> bool:
    """Whether what Parquet needs is installed."""
    return importlib.util.find_spec("duckdb") is not None


class Analysed(msgspec.Struct, frozen=True):
    """An entry for analysis: body and answer as text."""

    seq: int
    stream: str
    version: int
    at_ms: int
    by: str
    command: str
    kind: str
    body: str
    answer: str
    hash: str


def export_parquet(
    log: StoredLog, path: Path, progress: Progress = None, withhold: Withhold = None, head: Head | None = None
) -> Head:
    """Write the log as one Parquet file, one row an entry; for analysis only, because it cannot be imported.

    Of what `withhold` keeps back the body says why, and there is no answer; `head` as in `export_lines`.
    """
    try:
        import duckdb
    except ImportError as fault:
        raise StoreError(NO_PARQUET) from fault
    head = head or log.head()
    encode = msgspec.json.encode
    with new_file(path) as draft, tempfile.NamedTemporaryFile(dir=draft.parent, suffix=".jsonl") as lines:
        for row, why in _leaving(log, head, withhold):
            seq, _, stream, version, at_ms, by, command, _, kind, body, answer, *_, hash = row
            if why:
                held = _without_contents(row, why).commitment
                body, answer = encode({"withheld": why, "commitment": held}), b""
            line = Analysed(
                seq, stream, version, at_ms, by, command, kind, body.decode(errors="backslashreplace"),
                answer.decode(errors="backslashreplace"), hash.hex(),
            )  # fmt: skip
            lines.write(encode(line) + b"\n")
            if progress is not None and seq % TOLD_EVERY == 0:
                progress(seq)
        lines.flush()
        with duckdb.connect() as database:
            database.execute(
                'COPY (SELECT seq, stream, version, epoch_ms(at_ms) AS "at", at_ms, "by", command, kind, body, answer, '
                f"hash FROM read_json($source, format = 'newline_delimited', columns = {PARQUET_COLUMNS}) "
                f"ORDER BY seq) TO '{str(draft).replace(chr(39), chr(39) * 2)}' (FORMAT parquet, COMPRESSION zstd)",
                {"source": lines.name},
            )
    return head


# --- backup and restore -----------------------------------------------------------------------------------------------


def backup(log: StoredLog, path: Path, progress: Progress = None) -> Head:
    """Copy a log that may be in use into a new SQLite file, and verify the copy: an unread backup is a hope."""
    with new_file(path) as draft:
        if isinstance(log, SqliteLog):
            log.copy_to(draft)
        else:
            _copy(log, draft)
        with opened(SqliteLog(draft, read_only=True)) as copy:
            _must_be_sound(copy, str(path), progress)
            head = copy.head()
        _drop_side_files(draft)
    return head


def restore(path: Path, url: str, progress: Progress = None) -> Head:
    """Make a log from a backup, which is verified first; only where there is none."""
    with opened(SqliteLog(path, create=False, read_only=True)) as kept:
        _must_be_sound(kept, str(path), progress)
        target = path_of(url)
        if target is not None:
            with new_file(target) as draft:
                kept.copy_to(draft)
        else:
            with new_log(url) as log:
                log.take_over(kept.rows(), kept.data_keys)
                log.take_over_snapshots(kept.snapshot_rows())
        return kept.head()


# --- archive ----------------------------------------------------------------------------------------------------------

GIVEN_AWAY = 500
"""Bodies that are given away in one transaction: nobody who writes beside it waits long."""


def archive(
    log: StoredLog, path: Path, last: int, without: Callable[[Row], bool], signer: Signer, at_ms: int,
    progress: Progress = None,
) -> tuple[Segment, int]:  # fmt: skip
    """Move the bodies of entries up to `last` that the log can do `without` into a new segment, and say how many.

    The segment has all entries since the last one as they are stored, what is sealed stays sealed. It is written,
    verified and signed before the log gives anything away; stopped in between, nothing is lost, and the next archive
    goes on. Entries of the first format have no commitment and stay as they are.
    """
    before = max((segment.last for segment in log.segments()), default=0)
    last = end_of_transaction(log.rows, min(last, log.head().seq))
    if last <= before:
        raise StoreError(f"{log.url}: there is nothing to archive after entry {before}; choose a later day.")
    if log.base is not None:
        raise StoreError(f"{log.url}: this is a segment itself; name the log that it is from.")
    base = Head(before, hash_at(log.rows, before))
    with new_file(path) as draft:
        with opened(SqliteLog(draft)) as copy:
            copy.take_over(log.rows(before, last - before), log.data_keys, base)
            copy.put_to_rest()
        with opened(SqliteLog(draft, read_only=True)) as copy:
            _must_be_sound(copy, str(path), progress)
            end = copy.head()
            if end != Head(last, hash_at(log.rows, last)):
                raise StoreError(f"{path}: the segment does not end as the log does at entry {last}; try again.")
        _drop_side_files(draft)
    keep_head(signer.sign(end, at_ms), heads_of(str(path)))
    shutil.copyfile(signer.public_path, public_path(key_of(str(path))))
    segment = Segment(before + 1, last, str(path.absolute()), end.hash, at_ms)
    log.add_segment(segment)
    given = _give_away(log, last, without)
    log.shrink()
    return segment, given


def _give_away(log: StoredLog, last: int, without: Callable[[Row], bool]) -> int:
    """Also what an earlier archive had to leave, or did not come to."""
    given = 0
    for page in log.raw_pages(1):  # as they are: what is on the shelf is not here
        rows = [(*row[:2], row[2].decode(), *row[3:]) for row in page if row[0] <= last and row[9]]
        away = to_give_away(rows, without)  # type: ignore[arg-type]
        for start in range(0, len(away), GIVEN_AWAY):
            log.give_away(away[start : start + GIVEN_AWAY])
        given += len(away)
        if page[-1][0] >= last:
            break
    return given


def _copy(log: StoredLog, draft: Path) -> None:
    """Entry by entry, up to where the log ends now."""
    end = log.head().seq
    snapshots = [row for row in log.snapshot_rows() if row[3] <= end]
    with opened(SqliteLog(draft)) as copy:
        copy.take_over(log.rows(limit=end), log.data_keys)
        copy.take_over_snapshots(snapshots)
        copy.put_to_rest()


def _must_be_sound(log: StoredLog, name: str, progress: Progress) -> None:
    report = verify(log, progress=progress)
    if report.faults:
        fault = report.faults[0]
        raise StoreError(f"{name}: the log is damaged: {fault.text.rstrip('.')}; see `pitboss log verify`.")


# --- files that appear whole or not at all ----------------------------------------------------------------------------


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """A draft beside `path`, which takes its name in the end; what is there already stays."""
    if path.is_dir():
        raise StoreError(f"{path}: this is a folder; give the name of the new file.")
    if path.exists():
        raise StoreError(f"{path}: there is a file already, and nothing is overwritten; choose another name.")
    if not path.parent.is_dir():
        raise StoreError(f"{path}: there is no directory {path.parent}; make it first.")
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    make_private(draft)
    try:
        yield draft
        draft.chmod(0o600)
        descriptor = os.open(draft, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        try:
            os.link(draft, path)
        except FileExistsError:
            raise StoreError(
                f"{path}: there is a file by now, and nothing is overwritten; choose another name."
            ) from None
        sync_directory(path.parent)
    finally:
        draft.unlink(missing_ok=True)
        _drop_side_files(draft)


@contextmanager
def new_log(url: str) -> Iterator[StoredLog]:
    """A log to fill: a new file that appears when it is filled, or an empty one in a database."""
    target = path_of(url)
    if target is None:
        with opened(open_log(url)) as log:
            yield log
        return
    with new_file(target) as draft:
        with opened(SqliteLog(draft)) as log:
            yield log
        _drop_side_files(draft)


@contextmanager
def opened(log: Kept) -> Iterator[Kept]:
    """Close the log when done."""
    try:
        yield log
    finally:
        log.close()


def _drop_side_files(path: Path) -> None:
    """What SQLite keeps beside a file in use."""
    for ending in ("-wal", "-shm", "-journal"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
