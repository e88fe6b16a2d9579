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


class SignedHead(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a log ended at some time, by the word of whoever has the key; hash, key and signature in hexadecimal."""

    seq: Annotated[int, msgspec.Meta(ge=0, le=HIGHEST)]
    hash: str
    at_ms: Annotated[int, msgspec.Meta(ge=0, le=HIGHEST)]
    key: str
    """The public key (Ed25519)."""
    signature: str
    next: str = ""
    """The public key that signs from here on: this one's private half is destroyed, and signs nothing later."""


class Signer:
    """The key of a log: made on first use, in a file that nobody else may read, its public half beside it.

    From time to time a new key takes its place (`succeed`), by the word of the old one, which is destroyed: whoever
    takes the key can write what they like from then on, and nothing older. The public file has the first key, by which
    all others are believed, and in further lines the heads in which each named the next.
    """

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
        private = self._private()
        if not self.public_path.exists():
            write_new(self.public_path, _public_of(private) + "\n", 0o644)
        with self._alone():
            self._go_on()
        self.first = next(iter(public_keys(self.public_path)), self.public)
        """The first public key in hexadecimal: give it to whoever will verify."""

    @property
    def public_path(self) -> Path:
        return public_path(self.path)

    @property
    def public(self) -> str:
        """The public key that signs now, in hexadecimal."""
        return _public_of(self._private())

    @property
    def keys(self) -> dict[str, int | None]:
        """Every key there was, and up to which entry it signed."""
        keys = successors(self.first, succession(self.public_path))
        return keys if len(keys) > 1 else {self.public: None}

    def sign(self, head: Head, at_ms: int) -> SignedHead:
        """Sign a head of the log."""
        with self._alone():
            return _signed(self._private(), head, at_ms)

    def succeed(self, head: Head, at_ms: int) -> SignedHead:
        """Put a new key in the place of this one, which says so and is destroyed; stopped in between, it goes on."""
        from cryptography.hazmat.primitives.asymmetric import ed25519

        with self._alone():
            new = ed25519.Ed25519PrivateKey.generate()
            said = _signed(self._private(), head, at_ms, _public_of(new))
            self._coming.unlink(missing_ok=True)
            write_new(self._coming, new.private_bytes_raw().hex() + "\n", 0o600)
            with self.public_path.open("ab") as file:
                file.write(msgspec.json.encode(said) + b"\n")
                file.flush()
                os.fsync(file.fileno())
            self._go_on()
        return said

    @property
    def _coming(self) -> Path:
        return self.path.with_name(self.path.name + ".next")

    def _go_on(self) -> None:
        """Finish what was begun: the next key takes its place once the old one has named it."""
        if not self._coming.exists():
            return
        next_one = _public_of(_private_in(self._coming))
        named = succession(self.public_path)
        if named and named[-1].next == next_one:
            descriptor = os.open(self.path, os.O_WRONLY)
            try:
                os.write(descriptor, b"0" * 64)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            self._coming.replace(self.path)
        else:
            self._coming.unlink()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """No other process signs, or puts another key in the place of this one."""
        descriptor = os.open(self.public_path, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _private(self) -> Ed25519PrivateKey:
        """Read anew each time: another process may have put another key in its place."""
        return _private_in(self.path)


def _private_in(path: Path) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric import ed25519

    if path.stat().st_mode & 0o077:
        raise StoreError(f"{path}: others may read this key; take their rights away (chmod 600).")
    try:
        key = bytes.fromhex(path.read_text("ascii").strip())
    except ValueError:
        key = b""
    if len(key) != 32:
        raise StoreError(f"{path}: this is not a key of a log; restore it from where it is kept.")
    return ed25519.Ed25519PrivateKey.from_private_bytes(key)


def _public_of(private: Ed25519PrivateKey) -> str:
    return private.public_key().public_bytes_raw().hex()


def _signed(private: Ed25519PrivateKey, head: Head, at_ms: int, coming: str = "") -> SignedHead:
    public = _public_of(private)
    signature = private.sign(_message(head.seq, head.hash, at_ms, bytes.fromhex(public), bytes.fromhex(coming)))
    return SignedHead(head.seq, head.hash.hex(), at_ms, public, signature.hex(), coming)


def public_keys(path: Path) -> list[str]:
    """The first key of a public file, which is a key or nothing."""
    text = path.read_text(errors="replace").partition("\n")[0].strip().lower()
    try:
        return [text] if len(bytes.fromhex(text)) == 32 else []
    except ValueError:
        return []


def succession(path: Path) -> list[SignedHead]:
    """The heads of a public file in which each key named the next; a line that was cut off does not count."""
    _, _, rest = path.read_bytes().partition(b"\n")
    found = []
    for line in rest.splitlines(keepends=True):
        try:
            found.append(msgspec.json.decode(line, type=SignedHead))
        except msgspec.DecodeError as fault:
            if line.endswith(b"\n"):
                raise StoreError(f"{path}: {line[:40]!r} is no succession of keys ({fault}); restore it.") from fault
    return found


def successors(first: str, said: Sequence[SignedHead]) -> dict[str, int | None]:
    """The keys that are believed by the word of the first, one after the other, and up to which entry each signed."""
    keys: dict[str, int | None] = {first: None}
    named = {head.key: head for head in reversed(said) if head.next}
    key = first
    while (head := named.get(key)) is not None and head.next not in keys and is_signed(head):
        keys[key], keys[head.next] = head.seq, None
        key = head.next
    return keys


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
        key, hash, signature, coming = map(bytes.fromhex, (head.key, head.hash, head.signature, head.next))
        Ed25519PublicKey.from_public_bytes(key).verify(signature, _message(head.seq, hash, head.at_ms, key, coming))
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
            older = [each for number, each in enumerate(kept[:half]) if each.next or not number % 2]
            _write_over(Path(path), [*older, *kept[half:], signed])
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
            text = f"{path}:{number}: this is not a signed checkpoint ({fault}); give a file of checkpoints."
            raise StoreError(text) from fault
    return heads


def _message(seq: int, hash: bytes, at_ms: int, key: bytes, coming: bytes = b"") -> bytes:
    form = b"pitboss log head 2\0" if coming else b"pitboss log head 1\0"
    return form + Struct(">Qq").pack(seq, at_ms) + hash + key + coming
