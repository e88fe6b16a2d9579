"""The rule of the hashes, as docs/log.md tells it, written a second time: whoever has an export can check it alone."""

from __future__ import annotations

import hashlib
import struct

from pitboss.store.chain import START, entry_hash
from pitboss.store.log import Append, NewEntry, Part, Snapshot
from pitboss.store.stored import StoredLog


def by_the_book(
    previous: bytes, numbers: tuple[int, ...], texts: tuple[bytes, ...], answer: bytes, salt: bytes, body: bytes
) -> bytes:
    """Format, seq, version, at_ms and remaining; stream, by, command and kind; and the rest."""
    header = struct.pack(">BQQqI", *numbers)
    header += b"".join(struct.pack(">I", len(text)) for text in texts) + struct.pack(">Q", len(answer))
    commitment = hashlib.sha256(salt + body).digest()
    return hashlib.sha256(previous + header + b"".join(texts) + answer + commitment).digest()


def test_hashes_are_made_by_the_book(log: StoredLog) -> None:
    log.append(
        [
            Append(
                (Part("table:1", 0, (NewEntry("opened", b"{}"), NewEntry("♠", b"\0\xff"))),), -7, "zoë", "c-1", b"yes"
            ),
            Append((Part("link:a", 0, (NewEntry("act", b"x" * 70_000),)),), 1_700_000_000_000),
        ]
    )
    log.save_snapshot(Snapshot("table:1", 2, b"state"))
    previous = START
    for entry in log.read_all():
        names = (entry.stream.encode(), entry.by.encode(), entry.command.encode(), entry.kind.encode())
        numbers = (entry.format, entry.seq, entry.version, entry.at_ms, entry.remaining)
        assert by_the_book(previous, numbers, names, entry.answer, entry.salt, entry.body) == entry.hash
        previous = entry.hash
    assert log.head().seq == 4


def test_the_rule_of_format_1_never_changes() -> None:
    """Logs of years ago are verified with it."""
    found = entry_hash(
        START, 1, 1, b"table:1", 1, 1_700_000_000_000, b"alice", b"c-1", 0, b"act", b'{"act":{}}', b'{"is":"accepted"}'
    )
    assert found.hex() == "cdec27ae53e532c895a036119e8e28f4cea11ee7e28dfb2bebdadced1b7cd073"
    one, other = (entry_hash(START, 1, 1, b"s", 1, 0, b"", command, 0, b"", b"", b"") for command in (b"a", b"b"))
    assert one != other
