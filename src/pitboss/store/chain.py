"""The hash chain: each entry's hash covers the hash before it and every field, so that nothing changes unnoticed."""

from __future__ import annotations

from hashlib import sha256
from struct import Struct
from typing import Any, TypeAlias

PLAIN = 1
"""The first rule: the hash covers the body itself, and whoever knows two hashes and all but a card can try cards."""
SALTED = 2
"""The hash covers a commitment to the body, made with a secret salt."""
AUTHENTIC = 3
"""As before; besides, the last entry of each transaction has a code that only who has the key can make, over what its
entries say. After the first of these no other comes: a row with a right hash and no code is a forged one."""
FORMATS = (PLAIN, SALTED, AUTHENTIC)
"""An entry names the rule by which its hash was made, so that old entries stay valid."""

SALT_BYTES = 16

START = bytes(32)
"""What stands in the place of a hash before the first entry."""

HEADER = Struct(">BQQqIIIIIQ")
"""Format, seq, version, at_ms, remaining, then how long stream, by, command, kind and answer are: with the lengths in
front, no two entries have the same encoding. How long the body is may tell what is in it, so it is not here."""

AFTER_SEQ = Struct(">QqIIIIIQ")
"""The same from the version on, for where somebody else gives the entry its place."""
TO_SEQ = Struct(">BQ")
"""And what stands before it: format and seq."""
SEQ_ENDS = TO_SEQ.size

PLAIN_HEADER = Struct(">BQQqIIIIIQQ")
"""Of the first rule: with how long the body is before how long the answer is."""

Row: TypeAlias = "tuple[int, int, str, int, int, str, str, int, str, bytes, bytes, bytes, bytes, bytes, bytes]"
"""An entry as it is stored: seq, format, stream, version, at_ms, by, command, remaining, kind, body, answer, salt,
commitment, mac, hash. Where the body is sealed the salt is sealed with it, and the commitment stands here; otherwise
the commitment is empty, because salt and body make it. The mac is empty but in the last entry of a transaction."""

RawRow: TypeAlias = (
    "tuple[int, int, bytes, int, int, bytes, bytes, int, bytes, bytes, bytes, bytes, bytes, bytes, bytes]"
)
"""The same with the texts in UTF-8, as the hash wants them."""


StoredRow: TypeAlias = "tuple[int, int, str, int, int, str, str, int, str, bytes, bytes, bytes, bytes]"
"""A row as the database has it: salt, commitment and mac are one column, which is quicker to write than three."""

MAC_BYTES = 20
_ENDS = {
    length + more: (salt, length) for salt, length in ((0, 0), (16, 16), (0, 32), (16, 48)) for more in (0, MAC_BYTES)
}
"""Where in that column the salt and the commitment end: no two of these have the same length."""


def apart(row: Any) -> Any:
    """A row with its salt, commitment and mac; what is none of them stands as a salt, and is too long or too short."""
    proof = row[11]
    salt, end = _ENDS.get(len(proof)) or (len(proof), len(proof))
    return (*row[:11], proof[:salt], proof[salt:end], proof[end:], row[12])


def together(row: Row) -> StoredRow:
    """The opposite."""
    return (*row[:11], row[11] + row[12] + row[13], row[14])


def commitment_to(salt: bytes, body: bytes) -> bytes:
    """What the chain keeps of a body: it tells nothing without the salt, and both together prove each other."""
    return sha256(salt + body).digest()


def is_well_made(format: int, salt: bytes, commitment: bytes) -> bool:
    """Whether an entry has a salt where one belongs, of the one length it may have, and nothing that no hash covers."""
    if format == PLAIN:
        return not salt and not commitment
    return not salt if commitment else len(salt) == SALT_BYTES


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
    salt: bytes = b"",
    commitment: bytes = b"",
) -> bytes:
    """The hash of an entry whose predecessor has the hash `previous`; texts come in UTF-8."""
    lengths = len(stream), len(by), len(command), len(kind)
    if format == PLAIN:
        header = PLAIN_HEADER.pack(format, seq, version, at_ms, remaining, *lengths, len(body), len(answer))
        return sha256(b"".join((previous, header, stream, by, command, kind, body, answer))).digest()
    header = HEADER.pack(format, seq, version, at_ms, remaining, *lengths, len(answer))
    commitment = commitment or commitment_to(salt, body)
    return sha256(b"".join((previous, header, stream, by, command, kind, answer, commitment))).digest()


def snapshot_digest(stream: str, version: int, body: bytes) -> str:
    """What the chain keeps of a snapshot."""
    name = stream.encode()
    return sha256(b"".join((b"snapshot", Struct(">IQ").pack(len(name), version), name, body))).hexdigest()
