"""``pitboss log``: prove that a log is whole, move it, and keep it safe."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, TypeAlias
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import msgspec
from cyclopts import Parameter

from pitboss.commands.options import AsJson, LogAt
from pitboss.floor.editions import text_stream
from pitboss.rulebooks.editions import learn
from pitboss.rulebooks.editions import shown as short_digest
from pitboss.store import moving
from pitboss.store.addresses import shown
from pitboss.store.keeping import heads_of, key_of, witness_of
from pitboss.store.log import Head, StoreError
from pitboss.store.moving import Progress, opened
from pitboss.store.opening import log_at, open_log
from pitboss.store.sealing import new_data_key, rewrapped
from pitboss.store.segments import last_before
from pitboss.store.signing import (
    SignedHead,
    Signer,
    is_signed,
    keep_head,
    kept_heads,
    public_keys,
    public_path,
    succession,
    successors,
)
from pitboss.store.verify import FAULTS_MAX, Report
from pitboss.store.verify import verify as verified

FINE, CHECK_FAILED = 0, 1
HEAD_SECONDS, HEAD_MAX = 30, 100_000
EXPORT = b'{"pitboss_log":'
"""How a file of exported lines begins."""

FileOrPipe: TypeAlias = Annotated[str, Parameter(allow_leading_hyphen=True)]
"""A name that may be - for the pipe."""


def verify(
    log: str,
    *,
    head: list[str] | None = None,
    key: str | None = None,
    earlier: str | None = None,
    without_heads: bool = False,
    json: AsJson = False,
) -> int:
    """Check every hash of a log and say where and how it is damaged. Exit code 1 if it is.

    An export is checked too: every hash, with the commitment where a body is withheld.

    Parameters
    ----------
    log
        A path, the folder of `pitboss serve --data`, sqlite:///path or postgresql://user@host/database; or an export.
    head
        A file of signed checkpoints that was kept elsewhere; repeatable. Those that a server of this
        machine keeps are always used.
    key
        The public key that the heads must be signed with: a file, or the key in hexadecimal. Without it the one that a
        server of this machine signs with is used.
    earlier
        An earlier export of the same log: what was withheld in it and is here by now is proven to be what was written.
    without_heads
        Accept that there is no signed checkpoint: otherwise a server's log without one is not called proven.
    """
    log = log_at(log)
    if _is_export(log):
        return _verify_export(log, earlier, json)
    given = [Path(file) for file in head or ()]
    heads = [each for file in given for each in _heads(file)]
    beside = heads_of(log)
    if beside.exists() and beside not in given:
        heads += kept_heads(beside)
    with opened(open_log(log, read_only=True)) as source, _told("verified") as progress:
        witness = witness_of(source)
        if witness is not None and witness.exists() and witness not in given:
            heads += kept_heads(witness)
        kept = bool(heads)
        heads = list(dict.fromkeys([*heads, *_successions(log, key)]))
        report = verified(source, heads, key=_public(log, key), progress=progress)
        if earlier is not None and report.is_sound:
            with Path(earlier).open("rb") as lines:
                proven = moving.held_against(source, lines, earlier, progress)
    unheld = not kept and not without_heads and bool(report.sealed or report.authentic)
    if json:
        print(
            _object(
                log=shown(log), sound=report.is_sound, unheld=unheld, **msgspec.to_builtins(report), **_speeds(report)
            )
        )
    else:
        _print(log, report)
        if earlier is not None and report.is_sound:
            print(_in_short(proven, earlier))
        if unheld:
            print("unproven    a server keeps heads of its log, and none is here: give --head, or say --without-heads.")
    return FINE if report.is_sound and not unheld else CHECK_FAILED


def _is_export(name: str) -> bool:
    """Whether this is a file of exported lines."""
    path = Path(name)
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(EXPORT)) == EXPORT


def _verify_export(file: str, earlier: str | None, json: bool) -> int:
    with ExitStack() as files, _told("verified") as progress:
        lines = files.enter_context(Path(file).open("rb"))
        before = None if earlier is None else (files.enter_context(Path(earlier).open("rb")), earlier)
        try:
            found = moving.check_lines(lines, file, before, progress)
        except StoreError as fault:
            print(_object(export=file, sound=False, fault=str(fault)) if json else f"{fault}\n{file}: damaged.")
            return CHECK_FAILED
    if json:
        print(
            _object(
                export=file, sound=True, entries=found.entries, withheld=found.withheld, proven=found.proven,
                seq=found.end.seq, hash=found.end.hash.hex(),
            )
        )  # fmt: skip
    else:
        print(f"{file}: sound.\n{_some(found.entries, 'entry', 'entries')}, {found.withheld:,} of them withheld and "
              f"held by their commitments; ends at entry {found.end.seq:,}, hash {found.end.hash.hex()}.")  # fmt: skip
        if earlier is not None:
            print(_in_short(found, earlier))
    return FINE


def _in_short(found: moving.Checked, earlier: str) -> str:
    what = f"{_some(found.proven, 'entry that was', 'entries that were')} withheld in {earlier}"
    return f"Checked against {earlier}: {what}, now proven to be what was written then."


def rekey(log: LogAt, *, new_key: bool = False, json: bool = False) -> int:
    """Seal new entries with a new data key, and wrap all data keys with the newest key.

    Running servers use the new data key after a restart.

    Parameters
    ----------
    new_key
        First add a new key to the file of keys. The old one can be removed once every log has been rekeyed.
    json
        Print one JSON object about what was done.
    """
    log = log_at(log)
    with opened(open_log(log, create=False)) as source:
        source.sealing.ready()
        keyring, kept = source.sealing.keyring, source.data_keys()
        if new_key:
            keyring.add()
        number = max(each.number for each in kept) + 1
        made = new_data_key(keyring, number, time.time_ns() // 1_000_000)
        source.put_data_keys([*rewrapped(keyring, kept, source.url), made])
        where = keyring.where
    if json:
        print(_object(done="rekeyed", log=shown(log), data_keys=number, wrapped_by=made.wrapped_by, keys=where))
    else:
        print(f"rekeyed: {shown(log)} has {_some(number, 'data key')}, wrapped by key {made.wrapped_by} of {where}.")
    return FINE


def head(log: LogAt, *, key: str | None = None, keep: str | None = None, json: AsJson = False) -> int:
    """Sign the end of a log, so that nobody can shorten it unnoticed.

    Parameters
    ----------
    key
        The key file; it is created if there is none. By default the one a server on this machine signs with.
    keep
        Add the signed checkpoint to this file; keep it elsewhere.
    """
    log = log_at(log)
    with opened(open_log(log, read_only=True)) as source:
        place = Path(key) if key is not None else key_of(log)
        is_new = not place.exists()
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        signer = Signer(place)
        signed = signer.sign(source.head(), time.time_ns() // 1_000_000)
    if is_new:
        print(f"new key   {place}: there was no key, so one was made; give {signer.public_path} to whoever verifies.",
              file=sys.stderr)  # fmt: skip
    if keep is not None:
        keep_head(signed, keep)
    print(_object(**msgspec.structs.asdict(signed)) if json else _in_words(signed))
    return FINE


def export(log: LogAt, file: FileOrPipe, *, json: bool = False) -> int:
    """Write a whole log as JSON lines, or as Parquet for analysis where the name ends in .parquet.

    A damaged log is exported as it is, for investigation, with a report of what is wrong: exit code 1.

    Parameters
    ----------
    file
        The new file; - for standard output.
    json
        Print one JSON object about what was written.
    """
    _check_name(file)
    log = log_at(log)
    with opened(open_log(log, read_only=True)) as source, _told("exported") as progress:
        if file == "-":
            end = moving.export_lines(source, sys.stdout.buffer, progress)
            sys.stdout.buffer.flush()
        elif file.endswith(".parquet"):
            end = moving.export_parquet(source, Path(file), progress)
        else:
            with moving.new_file(Path(file)) as draft, draft.open("wb") as out:
                end = moving.export_lines(source, out, progress)
        report = verified(source)
    if file != "-":
        _done("exported", log, file, end, json, sound=report.is_sound)
    if not report.is_sound:
        what = report.faults[0].text.rstrip(".")
        print(f"damaged   {shown(log)}: exported as it is: {what}; see `pitboss log verify`.", file=sys.stderr)
    return FINE if report.is_sound else CHECK_FAILED


def import_(file: FileOrPipe, log: str, *, json: bool = False) -> int:
    """Build a new log from exported JSON lines: the same entries, the same hashes.

    Parameters
    ----------
    file
        What `pitboss log export` wrote; - for standard input.
    log
        Where to put the log: a new path, a folder without a log, or the URL of an empty one in a database.
    json
        Print one JSON object about what was written.
    """
    _check_name(file)
    log = log_at(log, new=True)
    with _told("imported") as progress:
        if file == "-":
            end = moving.import_lines(sys.stdin.buffer, "standard input", log, progress)
        else:
            with Path(file).open("rb") as lines:
                end = moving.import_lines(lines, file, log, progress)
    return _done("imported", file, log, end, json)


def backup(log: LogAt, file: str, *, json: bool = False) -> int:
    """Copy a log to a new file, even while it is in use, and verify the copy.

    Parameters
    ----------
    file
        The new file. It is a log itself: every command here takes it.
    json
        Print one JSON object about what was written.
    """
    log = log_at(log)
    with opened(open_log(log, read_only=True)) as source, _told("verified") as progress:
        end = moving.backup(source, Path(file), progress)
    return _done("backed up", log, file, end, json)


def archive(log: LogAt, file: str, *, days: int = 30, key: str | None = None, json: bool = False) -> int:
    """Move old entries out of a log, even while it is in use, into a new file that is signed and verified.

    The log keeps every entry's hash and moves its contents; it is read and verified as before while the
    file is where it was written, or beside the log. What a running floor needs stays.

    Parameters
    ----------
    file
        The new file, best on another disk. It is a log itself, a piece of this one: `verify`, `head` and `backup` take
        it.
    days
        Keep entries younger than this many days.
    key
        The file with the key to sign with; by default the one a server on this machine signs with.
    json
        Print one JSON object about what was done.
    """
    from pitboss.floor.archiving import can_do_without, folded_up_to

    if not 0 <= days <= 100_000:
        raise StoreError("--days is not below zero, and no more than 100,000.")
    log, now = log_at(log), time.time_ns() // 1_000_000
    with opened(open_log(log, create=False)) as source, _told("verified") as progress:
        last, folded = last_before(source.rows, source.head(), now - days * 86_400_000), folded_up_to(source)
        last = last if folded is None else min(last, folded)
        place = Path(key) if key is not None else key_of(log)
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        segment, given = moving.archive(source, Path(file), last, can_do_without(source), Signer(place), now, progress)
    if json:
        print(_object(done="archived", log=shown(log), file=file, first=segment.first, last=segment.last, given=given))
    else:
        print(f"archived: entries {segment.first:,} to {segment.last:,} of {shown(log)} are in {file}; the log gave "
              f"away what is in {_some(given, 'entry', 'entries')}.")  # fmt: skip
    return FINE


def restore(file: str, log: str, *, json: bool = False) -> int:
    """Restore a log from a backup, which is verified first; nothing is overwritten.

    Parameters
    ----------
    file
        What `pitboss log backup` wrote, or a folder with a log in it.
    log
        Where to put the log: a new path, a folder without a log, or the URL of an empty one in a database.
    json
        Print one JSON object about what was written.
    """
    file, log = log_at(file), log_at(log, new=True)
    with _told("verified") as progress:
        end = moving.restore(Path(file), log, progress)
    return _done("restored", file, log, end, json)


def editions(log: LogAt, folder: str, *, json: bool = False) -> int:
    """Extract the rulebook texts in a log to a folder, for records that name them.

    Parameters
    ----------
    folder
        Where they go, a file each; `--editions` of other commands takes it.
    json
        Print one JSON object per line, one text a line.
    """
    log, target = log_at(log), Path(folder)
    with opened(open_log(log, read_only=True)) as source:
        texts = [entry.body for stream in source.streams(text_stream("")) for entry in source.read(stream, 0, 1)]
    for body in texts:
        book = learn(body)
        file = target / f"{book.id}-{short_digest(book.edition)}.json"
        try:
            target.mkdir(parents=True, exist_ok=True)
            file.write_bytes(body + b"\n")
        except OSError as error:
            raise StoreError(f"{file}: cannot be written: {(error.strerror or 'unknown reason').lower()}.") from None
        told = _object(rulebook=book.id, digest=book.edition, to=str(file))
        print(told if json else f"{book.id} {book.edition} -> {file}")
    return FINE


def witness(server: str, file: str, *, every: float = 30.0, once: bool = False, json: bool = False) -> int:
    """Keep heads of the log of a server on this machine, and say when one contradicts those before: exit code 1.

    The token of a session comes from PITBOSS_TOKEN. Hold the log against the file with `pitboss log verify --head`.

    Parameters
    ----------
    server
        Its address, as in https://floor.example.
    file
        Where the heads are kept: a file of this machine, which whoever runs the floor cannot write to.
    every
        Seconds between two heads.
    once
        Fetch one head only.
    json
        Print each head that is kept as one JSON object a line.
    """
    address = server.rstrip("/") + "/api/log/head"
    while True:
        taken = _head_of(address)
        kept = kept_heads(file) if Path(file).exists() else []
        wrong = _against_the_last(taken, kept[-1]) if kept else ""
        if wrong:
            print(f"contradicted  {server}: {wrong}; keep {file}, and verify the log against it.", file=sys.stderr)
            return CHECK_FAILED
        if not kept or kept[-1].seq != taken.seq:
            known = {head.signature for head in kept}
            for older in taken.followed if kept else ():
                if older.signature not in known and older.next:
                    keep_head(older, file)
            keep_head(taken.head, file)
            said = f"kept        entry {taken.seq}, hash {taken.hash}"
            print(_object(**msgspec.structs.asdict(taken.head)) if json else said, flush=True)
        if once:
            return FINE
        time.sleep(max(1.0, every))


class ToldHead(SignedHead, frozen=True):
    """A head as a server tells it, with those in which older keys named the next."""

    followed: tuple[SignedHead, ...] = ()

    @property
    def head(self) -> SignedHead:
        return SignedHead(self.seq, self.hash, self.at_ms, self.key, self.signature, self.next)


def _head_of(address: str) -> ToldHead:
    """The signed checkpoint that a server tells, or a sentence about why there is none."""
    token = os.environ.get("PITBOSS_TOKEN", "")
    try:
        asked = Request(address, headers={"Authorization": f"Bearer {token}"} if token else {})
        with urlopen(asked, timeout=HEAD_SECONDS) as answer:
            head = msgspec.json.decode(answer.read(HEAD_MAX), type=ToldHead)
    except HTTPError as fault:
        why = "log in, and put the token of the session into PITBOSS_TOKEN" if fault.code == 401 else "look there"
        raise StoreError(f"{address}: the server answers {fault.code}; {why}.") from None
    except (OSError, ValueError, msgspec.DecodeError) as fault:
        what = str(getattr(fault, "reason", "") or fault).rstrip(".")
        text = f"{address}: no signed checkpoint available ({what}); check that the server is running."
        raise StoreError(text) from None
    if not is_signed(head):
        raise StoreError(f"{address}: the head is not signed as it says; do not trust this server.")
    return head


def _against_the_last(taken: ToldHead, last: SignedHead) -> str:
    if taken.key not in successors(last.key, [*taken.followed, last]):
        return "the head is signed with another key than the one before"
    if taken.seq < last.seq:
        return f"the log ends at entry {taken.seq}, and ended at {last.seq} before"
    if taken.seq == last.seq and taken.hash != last.hash:
        return f"entry {taken.seq} is not the one that it was before"
    return ""


# --- what is printed --------------------------------------------------------------------------------------------------


def _print(log: str, report: Report) -> None:
    for fault in report.faults:
        print(f"{fault.kind:<10}  {fault.text}")
    if report.faults_total > FAULTS_MAX:
        print(f"and {report.faults_total - len(report.faults):,} more")
    print(f"{shown(log)}: {'sound' if report.is_sound else 'damaged'}.")
    print(
        f"{_some(report.entries, 'entry', 'entries')} with {_some(report.events, 'event')} of acts, "
        f"{_some(report.streams, 'stream')}, {_some(report.snapshots, 'snapshot')}; ends at entry {report.seq:,}, "
        f"hash {report.hash}."
    )
    if report.sealed:
        what = _some(report.sealed, "sealed entry", "sealed entries")
        print(f"{what}, {'all' if report.opened == report.sealed else f'{report.opened:,}'} opened and held against "
              f"their commitments.{f' {report.key_lost}' if report.key_lost else ''}")  # fmt: skip
    if report.authentic:
        print(f"{_some(report.authentic, 'entry', 'entries')} proven to be written by who has the key.")
    if report.erased:
        what = _some(report.erased, "entry", "entries")
        print(f"What was in {what} about people was erased: their keys are destroyed.")
    if report.archived:
        what = _some(report.archived, "entry", "entries")
        print(f"What is in {what} was archived; {_some(report.segments, 'segment')} at hand and verified.")
    for away in report.segments_away:
        print(f"Not at hand: {away}; what is in it is held by its commitments.")
    if report.heads:
        print(f"Checked against {_some(report.heads, 'signed checkpoint')}.")
    else:
        print("Checked against no signed checkpoint: entries missing at its end would not show (`pitboss log head`).")


def _speeds(report: Report) -> dict[str, int]:
    seconds = max(report.seconds, 1e-9)
    return {
        "entries_per_second": round(report.entries / seconds),
        "events_per_second": round(report.events / seconds),
    }


def _in_words(signed: SignedHead) -> str:
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(signed.at_ms / 1000))
    return "\n".join(
        (
            f"entry      {signed.seq}",
            f"hash       {signed.hash}",
            f"signed     {when} UTC",
            f"key        {signed.key}",
            f"signature  {signed.signature}",
        )
    )


def _done(what: str, source: str, target: str, end: Head, json: bool, **more: object) -> int:
    source, target = shown(source), shown(target)
    if json:
        print(_object(done=what, source=source, target=target, entries=end.seq, hash=end.hash.hex(), **more))
    else:
        print(f"{what}: {_some(end.seq, 'entry', 'entries')} from {source} to {target}, hash {end.hash.hex()}.")
    return FINE


def _some(count: int, one: str, many: str = "") -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def _object(**fields: object) -> str:
    return msgspec.json.encode(fields).decode()


@contextmanager
def _told(what: str) -> Iterator[Progress]:
    """How far it is, on a terminal, a few times a second."""
    if not sys.stderr.isatty():
        yield None
        return
    last = 0.0

    def show(entries: int) -> None:
        nonlocal last
        if time.monotonic() - last > 0.2:
            last = time.monotonic()
            print(f"\r{what} {entries:,} entries", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if last:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


# --- where things are -------------------------------------------------------------------------------------------------


def _check_name(file: str) -> None:
    """A name may begin with a hyphen only where it is nothing else, or a mistyped option would become a file."""
    if file.startswith("-") and file != "-":
        raise StoreError(f"{file}: no such option; a file with such a name is written ./{file}.")


def _heads(file: Path) -> list[SignedHead]:
    """The heads of a file that somebody names; there must be some, or the log would be held against nothing."""
    found = kept_heads(file)
    if not found:
        raise StoreError(
            f"{file}: there is no signed checkpoint in this file; give one made by `pitboss log head --keep`."
        )
    return found


def _successions(log: str, key: str | None) -> list[SignedHead]:
    """The heads in a public file in which each key named the next."""
    file = public_path(key_of(log)) if key is None else Path(key)
    return succession(file) if file.is_file() and public_keys(file) else []


def _public(log: str, key: str | None) -> str | None:
    """The public key in hexadecimal."""
    if key is None:
        beside = public_path(key_of(log))
        if not beside.exists():
            return None
        key = str(beside)
    text = key
    if len(key) != 64 or Path(key).exists():
        text = next(iter(public_keys(Path(key))), "")
    try:
        if len(bytes.fromhex(text)) == 32:
            return text.lower()
    except ValueError:
        pass
    raise StoreError(f"{key}: this is not a public key; give the file that ends in .pub, or its 64 digits.")
