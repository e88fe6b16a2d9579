"""The keys that data keys are wrapped by: in a file, in the environment, or behind a command that asks a key service.

Whoever runs the database has none of them. The last key of a keyring wraps, all of them unwrap: a new key is added, the
data keys of each log are wrapped anew (`pitboss log rekey`), and then the old one may go.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.chance import secret_bytes
from pitboss.store.files import state_folder, write_new
from pitboss.store.log import KeyLost, StoreError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY, KEY_FILE, COMMAND = "PITBOSS_SEAL_KEY", "PITBOSS_SEAL_KEY_FILE", "PITBOSS_SEAL_COMMAND"
"""The environment says which: keys in hexadecimal, the file that they are in, or a command."""
KEY_BYTES = 32
NONCE_BYTES = 12
PURPOSE = b"pitboss data key"
COMMAND_SECONDS = 30
BY_COMMAND = "command"
NEEDS = "what is hidden is sealed with the package cryptography: install pitboss[web]."


class Keyring:
    """Keys of a file, of the environment, or of a command; a file is made where there is none and a key is wanted."""

    def __init__(self, path: Path | None = None, keys: Sequence[bytes] = (), command: str = "") -> None:
        self.path = path
        self._keys = list(keys)
        self._command = command

    @classmethod
    def from_environment(cls) -> Keyring:
        """As the environment says; otherwise the file `seal.key` in the folder for programs' state."""
        if command := os.environ.get(COMMAND):
            return cls(command=command)
        if text := os.environ.get(KEY):
            return cls(keys=_read(text, KEY))
        return cls(Path(os.environ.get(KEY_FILE) or state_folder() / "seal.key"))

    @property
    def where(self) -> str:
        """Where the keys are, in words."""
        return f"the command in {COMMAND}" if self._command else str(self.path or KEY)

    def wrap(self, key: bytes) -> tuple[str, bytes]:
        """By which key, and the wrapped one."""
        if self._command:
            return BY_COMMAND, self._asked("wrap", key)
        keys = self._all() or [self.add()]
        nonce = secret_bytes(NONCE_BYTES)
        return id_of(keys[-1]), nonce + aead(keys[-1]).encrypt(nonce, key, PURPOSE)

    def unwrap(self, by: str, wrapped: bytes, place: str) -> bytes:
        """The key that `wrap` wrapped; `KeyLost` where this keyring cannot."""
        if by == BY_COMMAND and self._command:
            found = self._asked("unwrap", wrapped)
            if len(found) == KEY_BYTES:
                return found
            raise KeyLost(f"{place}: {self.where} gives no data key back; look at the key service.")
        from cryptography.exceptions import InvalidTag

        for key in self._all():
            if id_of(key) == by:
                try:
                    return aead(key).decrypt(wrapped[:NONCE_BYTES], wrapped[NONCE_BYTES:], PURPOSE)
                except InvalidTag:
                    raise KeyLost(
                        f"{place}: a data key of this log was changed and cannot be opened; restore a backup."
                    ) from None
        raise KeyLost(
            f"{place}: what is hidden in it is sealed under key {by}, and {self.where} does not have that one; bring "
            f"it back from where it is kept, or name its file with {KEY_FILE}."
        )

    def add(self) -> bytes:
        """A new key, which wraps from now on; only in a file."""
        if self.path is None:
            raise StoreError(f"a new key can be made in a file only; put it first into {self.where} by yourself.")
        aead(bytes(KEY_BYTES))  # without which a key is of no use
        key = secret_bytes(KEY_BYTES)
        before = self._all()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not before:
                write_new(self.path, key.hex() + "\n", 0o600)
                return self._all()[-1]  # another process may have been first
            draft = self.path.with_name(f".{self.path.name}.{os.getpid()}.new")
            draft.unlink(missing_ok=True)
            write_new(draft, "".join(each.hex() + "\n" for each in (*before, key)), 0o600)
            draft.replace(self.path)
        except OSError as fault:
            what = (fault.strerror or "it cannot be written").lower()
            raise StoreError(f"{self.path}: {what}; name another file for the key with {KEY_FILE}.") from fault
        return key

    def _all(self) -> list[bytes]:
        if self.path is None:
            return self._keys
        try:
            if self.path.stat().st_mode & 0o077:
                raise StoreError(f"{self.path}: others may read this key; take their rights away (chmod 600).")
            return _read(self.path.read_text("utf-8", "replace"), str(self.path))
        except FileNotFoundError:
            return []
        except OSError as fault:
            what = (fault.strerror or "it cannot be read").lower()
            raise StoreError(f"{self.path}: {what}; name the file of the key with {KEY_FILE}.") from fault

    def _asked(self, what: str, data: bytes) -> bytes:
        """The command is given `wrap` or `unwrap` as its last word and the data in base 64, and answers so."""
        try:
            words = shlex.split(self._command)
            done = subprocess.run(
                [*words, what], input=b64encode(data) + b"\n", capture_output=True, timeout=COMMAND_SECONDS, check=False
            )
            if done.returncode == 0:
                return b64decode(done.stdout.strip(), validate=True)
            why = (done.stderr.decode(errors="replace").strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        except subprocess.TimeoutExpired:
            why = f"no answer in {COMMAND_SECONDS} seconds"
        except (OSError, ValueError) as fault:
            why = str(getattr(fault, "strerror", None) or fault)
        raise KeyLost(f"{self.where} cannot {what} a data key ({why.rstrip('.')[:200]}); look at the key service.")


def aead(key: bytes) -> AESGCM:
    """AES-256 in Galois/counter mode."""
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    except ImportError as fault:
        raise StoreError(NEEDS) from fault
    return AESGCM(key)


def id_of(key: bytes) -> str:
    """By what a key is named; it tells nothing about the key."""
    return sha256(b"pitboss seal key\0" + key).hexdigest()[:16]


def _read(text: str, name: str) -> list[bytes]:
    keys = []
    for word in text.split():
        try:
            key = bytes.fromhex(word)
        except ValueError:
            key = b""
        if len(key) != KEY_BYTES:
            raise StoreError(f"{name}: this is not a key for sealing (64 hexadecimal digits); bring it back.")
        keys.append(key)
    return keys
