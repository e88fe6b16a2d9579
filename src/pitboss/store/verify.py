"""Verifying: walk the whole chain, and say where it is damaged and how."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import combinations
from pathlib import Path

import msgspec

from pitboss.store.chain import AUTHENTIC, FORMATS, HEADER, PLAIN, SEQ_ENDS, START, RawRow, entry_hash, is_well_made
from pitboss.store.log import ERASED, PERSONAL, Head, LogDamaged, Snapshot, StoreError
from pitboss.store.sealing import Sealing
from pitboss.store.segments import Segment
from pitboss.store.signing import SignedHead, is_signed, successors
from pitboss.store.snapshots import is_in_chain
from pitboss.store.stored import StoredLog

FAULTS_MAX = 50
"""So many are told one by one; the rest are counted."""
ACT, EVENT = b"act", b'{"event":"'
"""How every event of an act begins, and nothing else in its body: within a text a quotation mark is escaped."""
PERSON, ERASED_KIND = PERSONAL.encode(), ERASED.encode()
SHIFT_MAX = 64
"""How many entries may have been taken out (or put in) in one place for the shift of the numbers to be recognised."""


class Fault(msgspec.Struct, frozen=True):
    """Damage: where, of which kind, and in a sentence."""

    seq: int
    kind: str
    """altered, missing, renumbered, swapped, order, half, format, forged, sealed, truncated, rewritten, signature,
    snapshot, index, segment or unreadable."""
    text: str


class Report(msgspec.Struct, frozen=True):
    """What a verification found."""

    entries: int
    events: int
    """The events of table acts that could be read; one entry has all events of one act."""
    streams: int
    snapshots: int
    heads: int
    """Signed heads that the log was held against."""
    seq: int
    hash: str
    faults: tuple[Fault, ...]
    faults_total: int
    seconds: float
    sealed: int = 0
    """Entries whose bodies are sealed."""
    opened: int = 0
    """How many of them were opened and held against their commitments."""
    key_lost: str = ""
    """Why the others were not, in a sentence."""
    authentic: int = 0
    """Entries that were proven to be written by who has the key."""
    erased: int = 0
    """Sealed entries of people whose keys were destroyed: their commitments are in the chain as before."""
    archived: int = 0
    """Entries whose bodies are in segments; their commitments are in the chain as before."""
    segments: int = 0
    """Segments that were at hand, and were verified too."""
    segments_away: tuple[str, ...] = ()
    """Those that were not."""

    @property
    def is_sound(self) -> bool:
        return not self.faults_total


def verify(
    log: StoredLog,
    heads: Iterable[SignedHead] = (),
    *,
    key: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Check every hash, the order of every stream, every snapshot, and the log against heads that were kept.

    `key` is the public key that the heads must be signed with, or one that it named, in turn, as the next
    (`Signer.succeed`); without it a head is checked with the key it names.
    """
    begun = time.perf_counter()
    walk = _Walk(log.sealing)
    base, segments, away = log.base, log.segments(), list[str]()
    if base is not None:
        walk.seq, walk.previous, walk.versions = base.seq, base.hash, log.versions_before()
    trusted = walk.trusted(heads, key, segments)
    snapshots = 0
    with ThreadPoolExecutor(1) as beside:
        complaints = beside.submit(log.complaints)
        try:
            for page in log.raw_pages():
                walk.page(page if page[0][0] > 0 else walk.without_strangers(page))
                if progress is not None:
                    progress(walk.entries)
            walk.end()
            walk.against(trusted)
            snapshots = _check_snapshots(log, walk)
            for complaint in complaints.result():
                walk.fault(0, "index", f"{complaint}.")
            for stranger in log.strangers():
                walk.fault(0, "foreign", f"{stranger}.")
            away = [segment.path for segment in segments if not walk.segment(segment, log.shelf.path_of(segment))]
        except LogDamaged as damage:
            walk.fault(walk.seq + 1, "unreadable", f"what follows on entry {walk.seq} cannot be read: {damage}")
    faults = walk.sorted_faults()
    return Report(
        walk.entries, walk.events, len(walk.versions), snapshots, len(trusted), walk.seq, walk.previous.hex(),
        tuple(faults[:FAULTS_MAX]), walk.total, time.perf_counter() - begun, walk.sealed, walk.opened, walk.key_lost,
        walk.authentic, walk.erased,
        walk.archived, len(segments) - len(away), tuple(away),
    )  # fmt: skip


def faults_after(log: StoredLog, head: Head) -> list[Fault]:
    """What is wrong with the entries after a head that is known to be right: hashes, order, and who wrote them."""
    walk = _Walk(log.sealing)
    walk.seq, walk.previous = head.seq, head.hash
    if head.seq:
        walk.is_authentic = next(iter(log.rows(head.seq - 1, 1)))[1] == AUTHENTIC
    for page in log.raw_pages(head.seq + 1):
        if head.seq:
            for row in page:
                walk.versions.setdefault(row[2], row[3] - 1)
        walk.page(page)
    walk.end()
    return walk.sorted_faults()


class _Walk:
    """How far a verification has come. After damage it goes on from what is stored, so that each damage shows once."""

    def __init__(self, sealing: Sealing) -> None:
        self.entries = self.events = self.seq = self.sealed = self.opened = self.archived = self.erased = 0
        self._gone: dict[bytes, int] = {}
        """People of whom something was erased, each with the first such entry of their stream."""
        self._erased: set[bytes] = set()
        """People of whom the log says that they were."""
        self.is_authentic = False
        """Whether an entry was seen that should have a code."""
        self.authentic = 0
        """How many entries were proven to be written by who has the key."""
        self.key_lost = ""
        self._sealing = sealing
        self._covered: list[bytes] = []
        """What the entries say whose code is still to come."""
        self.previous = START
        self.versions: dict[bytes, int] = {}
        self.total = 0
        self.faults: list[Fault] = []
        self._altered: list[tuple[RawRow, bytes]] = []
        self._slack = 0
        """How many gaps in versions are explained by damage that was told already."""
        self._owed = 0
        """How many entries of the append are still to come."""
        self._shift = 0
        self._hashes: dict[int, bytes] = {}
        self._wanted: set[int] = set()

    def trusted(
        self, heads: Iterable[SignedHead], key: str | None, segments: Iterable[Segment] = ()
    ) -> list[SignedHead]:
        """The heads that are signed as they should be; the others are faults."""
        found = []
        heads = list(heads)
        keys = None if key is None else successors(key, heads)
        for head in heads:
            last = None if keys is None else keys.get(head.key)
            if keys is not None and head.key not in keys:
                self.fault(head.seq, "signature", f"the head kept at entry {head.seq} is signed with another key.")
            elif not is_signed(head):
                self.fault(head.seq, "signature", f"the head kept at entry {head.seq} has a wrong signature.")
            elif last is not None and head.seq > last:
                text = f"the head kept at entry {head.seq} is signed with a key that was destroyed at entry {last}."
                self.fault(head.seq, "signature", text)
            else:
                found.append(head)
        self._wanted = {head.seq for head in found} | {segment.last for segment in segments}
        return found

    def segment(self, segment: Segment, path: Path | None) -> bool:
        """Verify a segment, and that it is the piece of this very chain that it should be; False where it is away."""
        from pitboss.store.sqlite import SqliteLog

        if path is None:
            return False
        name = f"{path.name} (entries {segment.first} to {segment.last})"
        if self._hashes.get(segment.last) != segment.hash:
            self.fault(segment.last, "segment", f"entry {segment.last} is not the last one of {name}.")
        try:
            log = SqliteLog(path, create=False, read_only=True)
        except StoreError as fault:
            self.fault(segment.first, "segment", f"{name} cannot be read: {fault}")
            return True
        try:
            log.sealing = self._sealing
            found, base = verify(log), log.base
            first = 0 if base is None else base.seq + 1
            if (first, found.seq, found.hash) != (segment.first, segment.last, segment.hash.hex()):
                self.fault(segment.first, "segment", f"{name} is not the piece of the log that it should be.")
            for each in found.faults:
                self.fault(each.seq, "segment", f"in {name}: {each.text}")
            if found.archived:
                self.fault(segment.first, "segment", f"{name} lacks bodies that it should have.")
        finally:
            log.close()
        return True

    def without_strangers(self, page: Sequence[RawRow]) -> list[RawRow]:
        """Rows that were put in before the first entry: no hash follows on them, and yet a stream would have them."""
        for at, _, stream, *_ in page:
            if at < 1:
                name = stream.decode(errors="replace")
                self.fault(0, "stranger", f"a row of {name} has the number {at}: it was put in, entries begin with 1.")
        return [row for row in page if row[0] > 0]

    def page(self, page: Sequence[RawRow]) -> None:
        """The fast path: everything local, one comparison after another, and out of it only for damage."""
        pack, versions, wanted, covered = HEADER.pack, self.versions, self._wanted, self._covered
        seq, previous, owed, events = self.seq, self.previous, self._owed, 0
        for row in page:
            at, format, stream, version, at_ms, by, command, remaining, kind, body, answer, salt, kept, mac, digest = (
                row
            )
            try:
                said = b""
                if format != PLAIN:
                    header = pack(
                        format, at, version, at_ms, remaining, len(stream), len(by), len(command), len(kind),
                        len(answer),
                    )  # fmt: skip
                    held = kept or sha256(salt + body).digest()
                    said = b"".join((header[SEQ_ENDS:], stream, by, command, kind, answer, held))
                    found = sha256(previous + header[:SEQ_ENDS] + said).digest()
                else:
                    found = entry_hash(previous, format, at, *row[2:11])
                is_right = (
                    found == digest
                    and at == seq + 1
                    and version == versions.get(stream, 0) + 1
                    and is_well_made(format, salt, kept)
                    and format in FORMATS
                    and (not owed or remaining == owed - 1)
                )
                if kind == ERASED_KIND and stream.startswith(PERSON):
                    self._erased.add(stream)
                if kept and is_right:
                    if self._sealing.is_gone(stream.decode(), body):
                        self._note_gone(at, stream)
                        body = b""
                    elif body or not self._sealing.is_archived(at):
                        body = self._unsealed(at, body, kept)
                    else:
                        self.archived += 1
                if kind == ACT:
                    events += body.count(EVENT)
            except Exception:  # noqa: BLE001 - whatever is stored there, it is not what was written
                is_right = False
            if format == AUTHENTIC:
                self.is_authentic = True
                covered.append(said if is_right else b"")
                if mac:
                    self._authenticate(at, covered, mac)
                    covered.clear()
            elif self.is_authentic or mac:
                self._forged(at, covered)
                covered.clear()
            if is_right:
                versions[stream], seq = version, at
            else:
                self._damaged(row, seq, previous, owed)
                seq = at if at > seq else seq + 1
            previous, owed = digest, remaining
            if seq in wanted:
                self._hashes[seq] = digest
        self.seq, self.previous, self._owed = seq, previous, owed
        self.entries += len(page)
        self.events += events

    def _note_gone(self, seq: int, stream: bytes) -> None:
        self.erased += 1
        if stream.startswith(PERSON):
            self._gone.setdefault(stream, seq)

    def _authenticate(self, seq: int, covered: list[bytes], mac: bytes) -> None:
        """The code at an entry, over those since the last one; where one of them is damaged that was told already."""
        first = seq - len(covered) + 1
        try:
            is_authentic = not all(covered) or bool(self.key_lost) or self._sealing.is_authentic(covered, mac)
        except StoreError as fault:
            is_authentic = not self.authentic  # who had the key before did not lose it for these alone
            self.key_lost = str(fault) if is_authentic else ""
        if not is_authentic:
            which = f"entry {first} was" if first == seq else f"entries {first} to {seq} were"
            self.fault(first, "forged", f"{which} not written by who has the key of the log.")
        elif not self.key_lost:
            self.authentic += len(covered)

    def _forged(self, seq: int, covered: list[bytes]) -> None:
        """An entry without a code after such as have one."""
        first = seq - len(covered)
        self.fault(first, "forged", f"entry {first} was put in without the key of the log: it has no code.")

    def _unsealed(self, seq: int, sealed: bytes, commitment: bytes) -> bytes:
        """The body of an entry, held against its commitment; nothing where there is no key."""
        self.sealed += 1
        if not self.key_lost:
            try:
                _, body = self._sealing.unsealed(seq, sealed, commitment)
            except LogDamaged:
                self.fault(seq, "sealed", f"what is sealed in entry {seq} is not what was written.")
            except StoreError as fault:
                self.key_lost = str(fault)
            else:
                self.opened += 1
                return body
        return b""

    def _damaged(self, row: RawRow, seq: int, previous: bytes, owed: int) -> None:
        at, format, stream, version = row[:4]
        if at <= seq:
            self.fault(seq + 1, "altered", f"entry {seq + 1} stands in its place with the number {at}.")
        elif at != seq + 1:
            first, last = seq + 1, at - 1
            which = f"entry {first} is" if first == last else f"entries {first} to {last} are"
            self.fault(first, "missing", f"{which} missing.")
            self._slack += last - first + 1
        elif _hash(row, previous) == row[-1] and format in FORMATS and is_well_made(format, row[11], row[12]):
            self._misplaced(row, owed)
        elif self._shift and _hash(row, previous, self._shift) == row[-1]:
            pass
        elif format not in FORMATS:
            self.fault(at, "format", f"entry {at} has the format {format}, which this Pitboss does not know.")
        else:
            self._changed(row, previous)
            if version != self.versions.get(stream, 0) + 1:
                return
        self.versions[stream] = version

    def _misplaced(self, row: RawRow, owed: int) -> None:
        """The hash is right, and yet something does not follow on."""
        at, _, stream, version = row[:4]
        gap = version - self.versions.get(stream, 0) - 1
        if 0 < gap <= self._slack:
            self._slack -= gap
        elif gap:
            name, expected = stream.decode(errors="replace"), self.versions.get(stream, 0) + 1
            self.fault(
                at, "order", f"entry {at} is version {version} of {name}, where version {expected} should follow."
            )
        elif owed and row[7] != owed - 1 and not self._slack:
            self.fault(at, "half", f"before entry {at}, {owed} entries of an append are missing.")

    def _changed(self, row: RawRow, previous: bytes) -> None:
        at = row[0]
        self._slack += 1
        if self.total < FAULTS_MAX:
            for shift in (sign * distance for distance in range(1, SHIFT_MAX + 1) for sign in (1, -1)):
                if self._altered and _hash(row, previous, shift) == row[-1]:
                    self._renumbered(at, shift)
                    return
        self.fault(
            at, "altered", f"entry {at} is not what was written (or entry {at - 1} was changed and its hash made anew)."
        )
        if len(self._altered) < FAULTS_MAX:
            self._altered.append((row, previous))

    def _renumbered(self, at: int, shift: int) -> None:
        """The entry before this one was told as altered: it is the first whose number was changed."""
        self._shift = shift
        self._slack += abs(shift)
        done = "taken out before it" if shift > 0 else "put in before it"
        for index, fault in enumerate(self.faults):
            if fault.seq == at - 1 and fault.kind == "altered":
                count = "an entry was" if abs(shift) == 1 else f"{abs(shift)} entries were"
                text = f"from entry {at - 1} on the numbers are wrong: {count} {done}."
                self.faults[index] = Fault(at - 1, "renumbered", text)

    def end(self) -> None:
        """What can be said only when everything was seen."""
        if self._covered and all(self._covered):
            first = self.seq - len(self._covered) + 1
            which = f"entry {first} was" if first == self.seq else f"entries {first} to {self.seq} were"
            self.fault(first, "forged", f"{which} added without the key of the log: no code covers what is there.")
        for stream in self._gone.keys() - self._erased:
            name, first = stream.decode(errors="replace"), self._gone[stream]
            text = f"the key of {name} was destroyed, and nothing in the log says that somebody had them erased."
            self.fault(first, "sealed", text)
        if self._owed:
            self.fault(self.seq, "half", f"after entry {self.seq}, {self._owed} entries of its append are missing.")
        for (one, before_one), (other, before_other) in combinations(self._altered, 2):
            if _are_swapped(one, before_one, other, before_other):
                first, second = sorted((one[0], other[0]))
                self.faults = [fault for fault in self.faults if fault.seq not in (first, second)]
                self.total -= 2
                self.fault(first, "swapped", f"entries {first} and {second} have changed places.")

    def against(self, heads: Sequence[SignedHead]) -> None:
        """Hold the log against heads that were kept: they tell what the chain by itself cannot."""
        agreed = 0
        for head in sorted(heads, key=lambda head: head.seq):
            if head.seq > self.seq:
                which = f"entries {self.seq + 1} to {head.seq} are missing" if head.seq > self.seq + 1 else (
                    f"entry {head.seq} is missing"
                )  # fmt: skip
                self.fault(self.seq + 1, "truncated", f"the log ends at entry {self.seq} and {which}: a head was kept.")
                return
            if head.seq and self._hashes.get(head.seq, b"").hex() != head.hash:
                if agreed == head.seq:
                    self.fault(agreed, "rewritten", f"two heads kept at entry {agreed} differ: one is of another log.")
                    return
                self.fault(
                    head.seq,
                    "rewritten",
                    f"entry {head.seq} is not the one whose head was kept: something from entry {agreed + 1} to entry "
                    f"{head.seq} was written anew.",
                )
                return
            agreed = head.seq

    def fault(self, seq: int, kind: str, text: str) -> None:
        self.total += 1
        if len(self.faults) < FAULTS_MAX:
            self.faults.append(Fault(seq, kind, text))

    def sorted_faults(self) -> list[Fault]:
        return sorted(self.faults, key=lambda fault: fault.seq)


def _hash(row: RawRow, previous: bytes, shift: int = 0) -> bytes:
    """The hash that an entry should have, were it `shift` places further on."""
    try:
        return entry_hash(previous, row[1], row[0] + shift, *row[2:13])
    except Exception:  # noqa: BLE001 - a field that cannot even be encoded
        return b""


def _are_swapped(one: RawRow, before_one: bytes, other: RawRow, before_other: bytes) -> bool:
    """Whether two entries are right once each has the other's place, with or without the hashes swapped too."""
    if one[0] + 1 == other[0]:
        whole = _hash((one[0], *other[1:]), before_one)
        return whole in (other[-1], one[-1]) and _hash((other[0], *one[1:]), whole) in (one[-1], other[-1])
    first = _hash((one[0], *other[1:]), before_one)
    second = _hash((other[0], *one[1:]), before_other)
    return first in (one[-1], other[-1]) and second in (one[-1], other[-1])


def _check_snapshots(log: StoredLog, walk: _Walk) -> int:
    count = 0
    for stream, version, body, seq in log.snapshot_rows():
        count += 1
        entry = next(iter(log.rows(seq - 1, 1)), None)
        found = (entry[2], entry[9]) if entry is not None and entry[0] == seq else (None, None)
        if not is_in_chain(Snapshot(stream, version, body), *found):
            walk.fault(
                seq, "snapshot", f"the snapshot of {stream} is not the one whose digest entry {seq} should have."
            )
    return count
