"""The hash chain: each entry's hash covers the hash before it and every field, so that nothing changes unnoticed."""

from __future__ import annotations

from hashlib import sha256
from struct import Struct
from typing import TypeAlias

FORMAT = 1
"""The rule below. An entry names the rule by which its hash was made, so that a later rule leaves old entries valid."""

START = bytes(32)
"""What stands in the place of a hash before the first entry."""

HEADER = Struct(">BQQqIIIIIQQ")
"""Format, seq, version, at_ms, remaining, then how long stream, by, command, kind, body and answer are: with the
lengths in front, no two entries have the same encoding."""

AFTER_SEQ = Struct(">QqIIIIIQQ")
"""The same from the version on, for where somebody else gives the entry its place."""

Row: TypeAlias = "tuple[int, int, str, int, int, str, str, int, str, bytes, bytes, bytes]"
"""An entry as it is stored: seq, format, stream, version, at_ms, by, command, remaining, kind, body, answer, hash."""

RawRow: TypeAlias = "tuple[int, int, bytes, int, int, bytes, bytes, int, bytes, bytes, bytes, bytes]"
"""The same with the texts in UTF-8, as the hash wants them."""


def entry_hash(
    previous: bytes,
    format: int,
    seq: int,
    stream: bytes,
    version: int,
    at_ms: int,
    by: bytes,
    command: bytes,
    remaining: int,
    kind: bytes,
    body: bytes,
    answer: bytes,
) -> bytes:
    """The hash of an entry whose predecessor has the hash `previous`; texts come in UTF-8."""
    header = HEADER.pack(
        format, seq, version, at_ms, remaining, len(stream), len(by), len(command), len(kind), len(body), len(answer)
    )
    return sha256(b"".join((previous, header, stream, by, command, kind, body, answer))).digest()


def snapshot_digest(stream: str, version: int, body: bytes) -> str:
    """What the chain keeps of a snapshot."""
    name = stream.encode()
    return sha256(b"".join((b"snapshot", Struct(">IQ").pack(len(name), version), name, body))).hexdigest()
