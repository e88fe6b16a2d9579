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
from pitboss.store.log import ERASED, GONE, PERSONAL, Archived, Entry, Erased, KeyLost, LogDamaged

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

NONCE_BYTES = 12
NUMBER = Struct(">I")
"""Of the data key, in front of what it sealed."""
LENGTH = Struct(">I")
"""Of the body, in front of it, because of what follows it."""
NO_SALT = bytes(SALT_BYTES)
CODE_BYTES = MAC_BYTES - NUMBER.size
MAC_PURPOSE = b"pitboss authentic entries"
WORD_PURPOSE = b"pitboss authentic claims\0"
BY_DATA_KEY = "data key "
"""By what a key of one person is wrapped: by a data key of the log, with its number."""
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
    owner: str = ""
    """Whose it is, where it seals what is about one person only. Such a key is wrapped by another data key, and once
    it was destroyed nothing of it is left but its number."""

    @property
    def is_destroyed(self) -> bool:
        return not self.wrapped


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
        self._owned: dict[str, int] = {}
        """The newest key of each person that this process has used."""
        self._gone: tuple[frozenset[int], frozenset[str]] | None = None
        """Keys that were destroyed, and whose; None where that must be asked."""
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

    def prepare(self, hides: Callable[[], bool], owners: Iterable[str] = ()) -> None:
        """Be ready where a batch hides anything, or where everything in the log is authentic; outside transactions.

        `owners`: of whom it hides something, which needs a key of their own.
        """
        if not self._newest:
            if self._has_keys is None:
                self._has_keys = bool(self._ask())
            if self._has_keys or hides():
                self.ready()
        for owner in owners:
            if owner not in self._owned:
                self._own(owner)

    def _own(self, owner: str) -> None:
        """Have a key of somebody's own: the one that there is, or a new one."""
        while True:
            keys = self._ask()
            living = [key for key in keys if key.owner == owner and not key.is_destroyed]
            if living:
                self._unwrapped(living[-1])
                self._owned[owner] = living[-1].number
                return
            secret, nonce = secret_bytes(KEY_BYTES), secret_bytes(NONCE_BYTES)
            wrapped = nonce + self._data_key(self._newest).encrypt(nonce, secret, owner.encode())
            number = max(key.number for key in keys) + 1
            self._make(DataKey(number, f"{BY_DATA_KEY}{self._newest}", wrapped, 0, owner))

    def forget(self, owner: str) -> None:
        """Somebody's data was erased: nothing that was remembered of their keys holds."""
        with self._lock:
            self._gone = None
            self._owned.pop(owner, None)
            for key in self._ask():
                if key.owner == owner:
                    self._open.pop(key.number, None)

    def is_gone(self, stream: str, sealed: bytes) -> bool:
        """Whether what is sealed in an entry was erased."""
        known = self._gone
        if known is None:
            gone = [key for key in self._ask() if key.is_destroyed]
            known = self._gone = frozenset(each.number for each in gone), frozenset(each.owner for each in gone)
        numbers, owners = known
        if not numbers:
            return False
        number = NUMBER.unpack_from(sealed)[0] if len(sealed) >= NUMBER.size else 0
        if number in numbers:
            return True
        is_theirs = stream.startswith(PERSONAL) and stream.removeprefix(PERSONAL) in owners
        return is_theirs and (not number or self._is_common(number))

    def _is_common(self, number: int) -> bool:
        """Whether a key is nobody's own: before people had keys, what is about them was sealed under these."""
        return not any(key.number == number and key.owner for key in self._ask())

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

    def word(self, said: bytes) -> bytes:
        """A code over what is said beside the entries, so that it is known for that of whoever has the key."""
        return NUMBER.pack(self._newest) + self._word(self._newest, said)

    def is_word(self, said: bytes, code: str) -> bool:
        """Whether somebody who has the key said it."""
        try:
            made = bytes.fromhex(code)
            (number,) = NUMBER.unpack_from(made)
            self._data_key(number)
        except (ValueError, error, KeyLost):
            return False
        return compare_digest(self._word(number, said), made[NUMBER.size :])

    def _word(self, number: int, said: bytes) -> bytes:
        return digest(self._macs[number], WORD_PURPOSE + said, "sha256")[:CODE_BYTES]

    def be_ready(self) -> None:
        """The same as `ready`, where nothing was done for that yet; outside transactions."""
        if not self._newest:
            self.ready()

    def ready(self) -> bool:
        """See that what is hidden can be sealed and opened: True where keys had to be made for that.

        `KeyLost` where what was sealed before cannot be opened any more.
        """
        found = self._ask()
        is_new = not found
        if is_new:
            self._make(new_data_key(self.keyring, 1))
            found = self._ask()
        common = [key for key in found if not key.owner]
        for key in common:
            self._unwrapped(key)
        self._newest = max(key.number for key in common)
        return is_new

    def seal(self, salt: bytes, body: bytes, owner: str = "") -> bytes:
        """What the database is given in the place of a body; with an `owner`, under a key of their own."""
        by = self._owned[owner] if owner else self._newest
        text = b"".join((salt, LENGTH.pack(len(body)), body))
        text += bytes(-len(text) % STEP)
        nonce = secret_bytes(NONCE_BYTES)
        return NUMBER.pack(by) + nonce + self._open[by].encrypt(nonce, text, None)

    def seal_alone(self, body: bytes) -> bytes:
        """The same for what no commitment of the chain covers, and so has no salt."""
        return self.seal(NO_SALT, body)

    def begins_with(self) -> bytes:
        """How everything begins that is sealed under the newest key of the log."""
        return NUMBER.pack(self._newest)

    def opened_alone(self, sealed: bytes) -> bytes:
        """The opposite; `KeyLost` or `LogDamaged` where it cannot be."""
        return self._salt_and_body(0, sealed)[1]

    def unsealed(self, seq: int, sealed: bytes, commitment: bytes) -> tuple[bytes, bytes]:
        """Salt and body of a sealed entry; `KeyLost` or `LogDamaged` where they are not to be had."""
        if not sealed and self.is_archived(seq):
            raise Archived(
                f"{self._place}: entry {seq} was archived, and its file is not at hand; put it where it was, or beside "
                "the log."
            )
        salt, body = self._salt_and_body(seq, sealed)
        if commitment_to(salt, body) != commitment:
            raise self._damaged(seq)
        return salt, body

    def _salt_and_body(self, seq: int, sealed: bytes) -> tuple[bytes, bytes]:
        from cryptography.exceptions import InvalidTag

        try:
            (number,) = NUMBER.unpack_from(sealed)
            start = NUMBER.size + NONCE_BYTES
            nonce = sealed[NUMBER.size : start]
            text = self._data_key(number).decrypt(nonce, sealed[start:], None)
            (length,) = LENGTH.unpack_from(text, SALT_BYTES)
        except (InvalidTag, ValueError, IndexError, ArithmeticError, error) as fault:
            raise self._damaged(seq) from fault
        begun = SALT_BYTES + LENGTH.size
        return text[:SALT_BYTES], text[begun : begun + length]

    def opened(self, row: Row) -> Row:
        """The row with its body and salt in the open; the commitment is left, so that one sees that it was sealed."""
        if not row[12]:
            return row
        gone = Erased(f"{self._place}: what entry {row[0]} said of a person was erased.")
        if self.is_gone(row[2], row[9]):
            raise gone
        try:
            salt, body = self.unsealed(row[0], row[9], row[12])
        except (LogDamaged, KeyLost):
            self._gone = None  # another process may have erased it a moment ago
            if self.is_gone(row[2], row[9]):
                raise gone from None
            raise
        return (*row[:9], body, row[10], salt, *row[12:])

    def closed(self, row: Row) -> Row:
        """The opposite: a row whose salt and body are in the open as the database is given it."""
        if not row[12]:
            return row
        return (*row[:9], self.seal(row[11], row[9]), row[10], b"", *row[12:])

    def entry(self, row: Row) -> Entry:
        if row[8] == ERASED and row[2].startswith(PERSONAL):
            self.forget(row[2].removeprefix(PERSONAL))
        if row[12]:
            try:
                row = self.opened(row)
            except Erased:
                row = (*row[:8], GONE, b"{}", *row[10:])
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
                data_key = self._unwrap(key)
                self._macs[key.number] = digest(data_key, MAC_PURPOSE, "sha256")
                found = self._open[key.number] = aead(data_key)
        return found

    def _unwrap(self, key: DataKey) -> bytes:
        if not key.owner:
            return self.keyring.unwrap(key.wrapped_by, key.wrapped, self._place)
        if key.is_destroyed:
            raise Erased(f"{self._place}: data key {key.number} was destroyed with what it sealed of a person.")
        by = int(key.wrapped_by.removeprefix(BY_DATA_KEY))
        outer = self._open.get(by)
        if outer is None:
            wanted = next(each for each in self._ask() if each.number == by)
            outer = self._open[by] = aead(self._unwrap(wanted))
            self._macs[by] = digest(self._unwrap(wanted), MAC_PURPOSE, "sha256")
        return outer.decrypt(key.wrapped[:NONCE_BYTES], key.wrapped[NONCE_BYTES:], key.owner.encode())

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
        if key.owner:
            found.append(key)  # it is wrapped by one of the others
            continue
        by, wrapped = keyring.wrap(keyring.unwrap(key.wrapped_by, key.wrapped, place))
        found.append(DataKey(key.number, by, wrapped, key.made_ms))
    return found
