"""Signed heads: kept elsewhere, they prove later that a log was cut, rolled back or written anew.

A chain shows by itself that something in its middle was changed. It cannot show that its end is missing, nor that
somebody with the whole file computed every hash again: for that somebody else must know how far the log had come.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from struct import Struct
from typing import TYPE_CHECKING, Annotated

import msgspec

from pitboss.store.files import write_new
from pitboss.store.log import Head, Log, StoreError
from pitboss.store.stored import HIGHEST

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

HEADS_MAX = 2000
HEADS_LOOKED_AT = 8
"""Several servers may keep the heads of one log in one file."""

NEEDS = "signing needs the package cryptography: install pitboss[web]."


class SignedHead(msgspec.Struct, frozen=True):
    """Where a log ended at some time, by the word of whoever has the key; hash, key and signature in hexadecimal."""

    seq: Annotated[int, msgspec.Meta(ge=0, le=HIGHEST)]
    hash: str
    at_ms: Annotated[int, msgspec.Meta(ge=0, le=HIGHEST)]
    key: str
    """The public key (Ed25519)."""
    signature: str


class Signer:
    """The key of a log: made on first use, in a file that nobody else may read, its public half beside it."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            from cryptography.hazmat.primitives.asymmetric import ed25519
        except ImportError as fault:
            raise StoreError(NEEDS) from fault
        if self.path.is_dir():
            raise StoreError(f"{self.path}: this is a folder; give the file of the key.")
        if not self.path.exists():
            write_new(self.path, ed25519.Ed25519PrivateKey.generate().private_bytes_raw().hex() + "\n", 0o600)
        self._private: Ed25519PrivateKey = ed25519.Ed25519PrivateKey.from_private_bytes(self._read())
        self.public = self._private.public_key().public_bytes_raw().hex()
        """The public key in hexadecimal: give it to whoever will verify."""
        if not self.public_path.exists():
            write_new(self.public_path, self.public + "\n", 0o644)

    @property
    def public_path(self) -> Path:
        return public_path(self.path)

    def sign(self, head: Head, at_ms: int) -> SignedHead:
        """Sign a head of the log."""
        key = bytes.fromhex(self.public)
        signature = self._private.sign(_message(head.seq, head.hash, at_ms, key))
        return SignedHead(head.seq, head.hash.hex(), at_ms, self.public, signature.hex())

    def _read(self) -> bytes:
        if self.path.stat().st_mode & 0o077:
            raise StoreError(f"{self.path}: others may read this key; take their rights away (chmod 600).")
        try:
            key = bytes.fromhex(self.path.read_text("ascii").strip())
        except ValueError:
            key = b""
        if len(key) != 32:
            raise StoreError(f"{self.path}: this is not a key of a log; restore it from where it is kept.")
        return key


def public_path(key: Path) -> Path:
    """Where the public half of a key is."""
    return key.with_name(key.name.removesuffix(".key") + ".pub")


def is_signed(head: SignedHead) -> bool:
    """Whether the signature is that of the key that the head names."""
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError as fault:
        raise StoreError(NEEDS) from fault
    try:
        key, hash, signature = (bytes.fromhex(text) for text in (head.key, head.hash, head.signature))
        Ed25519PublicKey.from_public_bytes(key).verify(signature, _message(head.seq, hash, head.at_ms, key))
    except (InvalidSignature, ValueError):
        return False
    return True


def keep_head(head: SignedHead, path: str | Path) -> None:
    """Add a head to a file of heads, one JSON object a line; it is on the disk when this returns."""
    with _locked(Path(path)) as descriptor:
        _add(descriptor, head)


def keep_newest(log: Log, signer: Signer, path: str | Path, at_ms: int) -> SignedHead | None:
    """Keep where the log ends now, unless that is kept already; for whoever runs a log to call now and then.

    Once there are many, every second one of the older half goes: the farther back, the wider apart they stand.
    """
    head = log.head()
    with _locked(Path(path)) as descriptor:
        kept = kept_heads(path)
        if any((each.seq, each.hash) == (head.seq, head.hash.hex()) for each in kept[-HEADS_LOOKED_AT:]):
            return None
        signed = signer.sign(head, at_ms)
        _add(descriptor, signed)
        if len(kept) >= HEADS_MAX:
            half = len(kept) // 2
            _write_over(Path(path), [*kept[:half:2], *kept[half:], signed])
    return signed


def _add(descriptor: int, head: SignedHead) -> None:
    _drop_half_a_line(descriptor)
    os.write(descriptor, msgspec.json.encode(head) + b"\n")
    os.fsync(descriptor)


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """The file, open for adding to it and ours alone; where another process put a new one in its place, the new one."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if path.exists() and os.path.samestat(os.fstat(descriptor), path.stat()):
                yield descriptor
                return
        finally:
            os.close(descriptor)


def _write_over(path: Path, heads: Sequence[SignedHead]) -> None:
    """Put other heads in the place of a file's, all of them or none."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    with draft.open("wb") as file:
        file.writelines(msgspec.json.encode(head) + b"\n" for head in heads)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _drop_half_a_line(descriptor: int) -> None:
    """A line without an end was cut off while it was written, so nobody was ever told of it."""
    size = os.fstat(descriptor).st_size
    tail = os.pread(descriptor, 4096, max(0, size - 4096))
    if tail and not tail.endswith(b"\n"):
        os.ftruncate(descriptor, size - len(tail) + tail.rfind(b"\n") + 1)


def kept_heads(path: str | Path) -> list[SignedHead]:
    """The heads of a file; a last line that was cut in the middle of writing is left out."""
    lines = Path(path).read_bytes().splitlines(keepends=True)
    heads = []
    for number, line in enumerate(lines, start=1):
        try:
            heads.append(msgspec.json.decode(line, type=SignedHead))
        except msgspec.DecodeError as fault:
            if number == len(lines) and not line.endswith(b"\n"):
                break
            raise StoreError(f"{path}:{number}: this is not a signed head ({fault}); give a file of heads.") from fault
    return heads


def _message(seq: int, hash: bytes, at_ms: int, key: bytes) -> bytes:
    return b"pitboss log head 1\0" + Struct(">Qq").pack(seq, at_ms) + hash + key
