"""Sealing: what nobody may read in the database is encrypted under data keys, and those under a key kept elsewhere.

The chain covers a commitment to every body, so it is verified without any key. A sealed body is opened with its salt,
and both must make the commitment again: what was exchanged for something else does not open.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from hmac import compare_digest, digest
from struct import Struct, error
from typing import TYPE_CHECKING

import msgspec

from pitboss.chance import secret_bytes
from pitboss.store.chain import AUTHENTIC, HEADER, MAC_BYTES, SALT_BYTES, SALTED, SEQ_ENDS, Row, commitment_to
from pitboss.store.keyring import KEY_BYTES, Keyring, aead
from pitboss.store.log import Archived, Entry, KeyLost, LogDamaged

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

NONCE_BYTES = 12
NUMBER = Struct(">I")
"""Of the data key, in front of what it sealed."""
LENGTH = Struct(">I")
"""Of the body, in front of it, because of what follows it."""
CODE_BYTES = MAC_BYTES - NUMBER.size
MAC_PURPOSE = b"pitboss authentic entries"
STEP = 256
"""Sealed bodies are filled up to a multiple of this: how long one is might tell which cards are in it."""


class DataKey(msgspec.Struct, frozen=True):
    """A data key as the database has it."""

    number: int
    """From 1; the highest one seals what is new."""
    wrapped_by: str
    """Which key of the keyring it is wrapped by."""
    wrapped: bytes
    made_ms: int


class Sealing:
    """Seals, opens and authenticates for one log. `ask` reads its data keys, `make` writes the first one."""

    def __init__(
        self, place: str, ask: Callable[[], list[DataKey]], make: Callable[[DataKey], None], keyring: Keyring | None
    ) -> None:
        self._place = place
        self._ask, self._make = ask, make
        self._keyring = keyring
        self.is_archived: Callable[[int], bool] = lambda seq: False
        """Whether the body of an entry may be in a segment."""
        self._lock = threading.Lock()
        self._open: dict[int, AESGCM] = {}
        self._macs: dict[int, bytes] = {}
        self._newest = 0
        self._has_keys: bool | None = None

    @property
    def keyring(self) -> Keyring:
        if self._keyring is None:
            self._keyring = Keyring.from_environment()
        return self._keyring

    @property
    def is_ready(self) -> bool:
        """Whether `seal` and `mac` can be called."""
        return self._newest > 0

    @property
    def format(self) -> int:
        """By which rule entries are written."""
        return AUTHENTIC if self._newest else SALTED

    def prepare(self, hides: Callable[[], bool]) -> None:
        """Be ready where a batch hides anything, or where everything in the log is authentic; outside transactions."""
        if self._newest:
            return
        if self._has_keys is None:
            self._has_keys = bool(self._ask())
        if self._has_keys or hides():
            self.ready()

    def mac(self, covered: Sequence[bytes]) -> bytes:
        """The code over what the entries of a transaction say; nothing where there is no key."""
        if not self._newest:
            return b""
        return NUMBER.pack(self._newest) + digest(self._macs[self._newest], b"".join(covered), "sha256")[:CODE_BYTES]

    def is_authentic(self, covered: Sequence[bytes], mac: bytes) -> bool:
        """Whether somebody who has the key wrote these entries; `KeyLost` where it is not here."""
        if len(mac) != MAC_BYTES:
            return False
        (number,) = NUMBER.unpack_from(mac)
        try:
            self._data_key(number)
        except KeyLost:
            if any(key.number == number for key in self._ask()):
                raise
            return False
        made = digest(self._macs[number], b"".join(covered), "sha256")[:CODE_BYTES]
        return compare_digest(made, mac[NUMBER.size :])

    def ready(self) -> bool:
        """See that what is hidden can be sealed and opened: True where keys had to be made for that.

        `KeyLost` where what was sealed before cannot be opened any more.
        """
        found = self._ask()
        is_new = not found
        if is_new:
            self._make(new_data_key(self.keyring, 1))
            found = self._ask()
        for key in found:
            self._unwrapped(key)
        self._newest = max(key.number for key in found)
        return is_new

    def seal(self, salt: bytes, body: bytes) -> bytes:
        """What the database is given in the place of a body."""
        text = b"".join((salt, LENGTH.pack(len(body)), body))
        text += bytes(-len(text) % STEP)
        nonce = secret_bytes(NONCE_BYTES)
        return NUMBER.pack(self._newest) + nonce + self._open[self._newest].encrypt(nonce, text, None)

    def unsealed(self, seq: int, sealed: bytes, commitment: bytes) -> tuple[bytes, bytes]:
        """Salt and body of a sealed entry; `KeyLost` or `LogDamaged` where they are not to be had."""
        from cryptography.exceptions import InvalidTag

        if not sealed and self.is_archived(seq):
            raise Archived(
                f"{self._place}: entry {seq} was archived, and its file is not at hand; put it where it was, or beside "
                "the log."
            )
        try:
            (number,) = NUMBER.unpack_from(sealed)
            start = NUMBER.size + NONCE_BYTES
            nonce = sealed[NUMBER.size : start]
            text = self._data_key(number).decrypt(nonce, sealed[start:], None)
            (length,) = LENGTH.unpack_from(text, SALT_BYTES)
        except (InvalidTag, ValueError, IndexError, ArithmeticError, error) as fault:
            raise self._damaged(seq) from fault
        begun = SALT_BYTES + LENGTH.size
        salt, body = text[:SALT_BYTES], text[begun : begun + length]
        if commitment_to(salt, body) != commitment:
            raise self._damaged(seq)
        return salt, body

    def opened(self, row: Row) -> Row:
        """The row with its body and salt in the open; the commitment is left, so that one sees that it was sealed."""
        if not row[12]:
            return row
        salt, body = self.unsealed(row[0], row[9], row[12])
        return (*row[:9], body, row[10], salt, *row[12:])

    def closed(self, row: Row) -> Row:
        """The opposite: a row whose salt and body are in the open as the database is given it."""
        if not row[12]:
            return row
        return (*row[:9], self.seal(row[11], row[9]), row[10], b"", *row[12:])

    def entry(self, row: Row) -> Entry:
        if row[12]:
            row = self.opened(row)
        seq, format, stream, version, at_ms, by, command, remaining, kind, body, answer, salt, commitment, _, hash = row
        return Entry(
            seq, stream, version, at_ms, by, command, kind, body, hash, answer, remaining, format, salt,
            bool(commitment),
        )  # fmt: skip

    def _data_key(self, number: int) -> AESGCM:
        found = self._open.get(number)
        if found is None:
            wanted = [key for key in self._ask() if key.number == number]
            if not wanted:
                raise KeyLost(
                    f"{self._place}: data key {number} is not in the log any more, so what it sealed cannot be opened; "
                    "restore a backup (`pitboss log restore`)."
                )
            found = self._unwrapped(wanted[0])
        return found

    def _unwrapped(self, key: DataKey) -> AESGCM:
        with self._lock:
            found = self._open.get(key.number)
            if found is None:
                data_key = self.keyring.unwrap(key.wrapped_by, key.wrapped, self._place)
                self._macs[key.number] = digest(data_key, MAC_PURPOSE, "sha256")
                found = self._open[key.number] = aead(data_key)
        return found

    def _damaged(self, seq: int) -> LogDamaged:
        return LogDamaged(
            f"{self._place}: what is sealed in entry {seq} is not what was written; restore a backup "
            "(`pitboss log restore`)."
        )


def covered_by(row: Row) -> bytes:
    """What a code covers of an entry: everything but its place, which the chain has."""
    _, format, stream, version, at_ms, by, command, remaining, kind, body, answer, salt, commitment, *_ = row
    texts = stream.encode(), by.encode(), command.encode(), kind.encode()
    header = HEADER.pack(format, 0, version, at_ms, remaining, *map(len, texts), len(answer))
    return b"".join((header[SEQ_ENDS:], *texts, answer, commitment or commitment_to(salt, body)))


def new_data_key(keyring: Keyring, number: int, made_ms: int = 0) -> DataKey:
    """A data key that nobody has had before."""
    by, wrapped = keyring.wrap(secret_bytes(KEY_BYTES))
    return DataKey(number, by, wrapped, made_ms)


def rewrapped(keyring: Keyring, keys: Iterable[DataKey], place: str) -> list[DataKey]:
    """The same data keys under the newest key of the keyring."""
    found = []
    for key in keys:
        by, wrapped = keyring.wrap(keyring.unwrap(key.wrapped_by, key.wrapped, place))
        found.append(DataKey(key.number, by, wrapped, key.made_ms))
    return found
