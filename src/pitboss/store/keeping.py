"""Keeping heads: whoever runs a log signs now and then where it ends, so that nobody cuts it shorter unnoticed."""

from __future__ import annotations

import os
import re
from pathlib import Path

from pitboss.store.addresses import read_address
from pitboss.store.chain import START
from pitboss.store.files import state_folder
from pitboss.store.log import Head, StoreError
from pitboss.store.opening import path_of
from pitboss.store.signing import (
    SignedHead,
    Signer,
    is_signed,
    keep_head,
    keep_newest,
    kept_heads,
    succession,
    successors,
)
from pitboss.store.stored import StoredLog
from pitboss.store.verify import faults_after

WITNESS = "PITBOSS_WITNESS"
"""The environment names the second folder for heads with this."""
SUCCEED_MS = 86_400_000
"""How long a key signs before another takes its place: nobody who takes it signs anything older."""
KEEP_SECONDS = 30.0
"""How often a server keeps a head: what was written since the last one is all that could be cut off unnoticed."""


def key_of(url: str) -> Path:
    """Where the key of a log is unless somebody says otherwise."""
    return _beside(url, ".key")


def heads_of(url: str) -> Path:
    """Where the heads of a log are kept unless somebody says otherwise."""
    return _beside(url, ".heads")


def _beside(url: str, ending: str) -> Path:
    """Beside a log in a file; for one in a server, in the folder for programs' state, named after where the log is."""
    path = path_of(url)
    if path is not None:
        return path.with_name(path.name + ending)
    address = read_address(url)
    asked = address.asked
    host, port = re.fullmatch(r"(.*?)(?::(\d*))?", address.hosts.lower()).groups("")  # type: ignore[union-attr]
    host, port = host or asked.get("host", "localhost"), port or asked.get("port", "")
    words = (host, port, address.database.strip("/") or asked.get("dbname", "postgres"), address.schema)
    name = "-".join(re.sub(r"[^A-Za-z0-9._]+", "-", word).strip("-") for word in words if word)
    return state_folder() / (name + ending)


def witness_of(log: StoredLog) -> Path | None:
    """The second place where heads of a log are kept, by its first entry and wherever it is; None for an empty one."""
    first = next(iter(log.rows(0, 1)), None)
    folder = Path(os.environ.get(WITNESS) or state_folder() / "witness")
    return None if first is None else folder / f"{first[-1].hex()[:16]}.heads"


class Keeper:
    """Keeps the heads of one log in one file, and in another folder as well."""

    def __init__(self, log: StoredLog, url: str, key: Path | None = None, heads: Path | None = None) -> None:
        self._log = log
        self._rows = log.rows
        self.path = heads or heads_of(url)
        place = key or key_of(url)
        for file in (self.path, place):
            try:
                file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            except OSError as fault:
                what = (fault.strerror or "it cannot be made").lower()
                raise StoreError(f"{file.parent}: {what}; say with --key and --heads where they are kept.") from fault
        self.signer = Signer(place)

    def keep(self, at_ms: int) -> SignedHead | None:
        """Keep where the log ends now, unless that is kept already; once a day another key signs. Blocking."""
        kept = keep_newest(self._log, self.signer, self.path, at_ms)
        witness = witness_of(self._log)
        places = [self.path]
        if witness is not None and witness != self.path:
            witness.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            keep_newest(self._log, self.signer, witness, at_ms)
            places.append(witness)
        said = succession(self.signer.public_path)
        if at_ms - (said[-1].at_ms if said else 0) >= SUCCEED_MS and self._log.head().seq:
            kept = self.signer.succeed(self._log.head(), at_ms)
            for place in places:
                keep_head(kept, place)
        return kept

    def why_not(self) -> str | None:
        """Why the log is not to be served, in a sentence: it contradicts a head, or what follows on the last one that
        was kept is damaged or forged. After a clean stop nothing follows on it; without heads everything is read."""
        wrong = self.contradiction()
        if wrong is not None:
            return wrong
        for stranger in self._log.strangers():
            return f"{self._log.url}: {stranger}; look what it does, and take it away."
        faults = faults_after(self._log, self._newest())
        if not faults:
            return None
        what = faults[0].text.rstrip(".")
        return f"{self._log.url}: {what}; look with `pitboss log verify`, and restore a backup."

    def lately_altered(self) -> str | None:
        """What somebody else did to the log since its last head was kept, in a few words; asked before the next one is.

        What is wrong is looked at twice, because others write meanwhile. Blocking.
        """
        return self._lately_altered() and self._lately_altered()

    def _lately_altered(self) -> str | None:
        for stranger in self._log.strangers():
            return stranger
        head = self._newest()
        entry = next(iter(self._rows(head.seq - 1, 1)), None) if head.seq else None
        if head.seq and (entry is None or (entry[0], entry[-1]) != (head.seq, head.hash)):
            return f"entry {head.seq} is not the one whose head was kept"
        faults = faults_after(self._log, head)
        return faults[0].text.rstrip(".") if faults else None

    def _newest(self) -> Head:
        """The newest head that was kept."""
        kept = kept_heads(self.path) if self.path.exists() else []
        newest = max((head for head in kept if head.seq), key=lambda head: head.seq, default=None)
        return Head(0, START) if newest is None else Head(newest.seq, bytes.fromhex(newest.hash))

    def contradiction(self) -> str | None:
        """Whether the log is another one than that whose heads were kept, in a sentence; one entry a head is read."""
        witness = witness_of(self._log)
        places = [self.path] if witness is None or witness == self.path else [self.path, witness]
        return next(filter(None, map(self._contradiction, places)), None)

    def _contradiction(self, path: Path) -> str | None:
        heads = kept_heads(path) if path.exists() else []
        said = [*succession(self.signer.public_path), *(head for head in heads if head.next)]
        keys, now = successors(self.signer.first, said), self.signer.public
        if now not in keys:
            keys = {now: None}
        for head in [*heads, *said]:
            if head.seq and head.key in keys and is_signed(head):
                entry = next(iter(self._rows(head.seq - 1, 1)), None)
                if entry is None or (entry[0], entry[-1].hex()) != (head.seq, head.hash):
                    what = "has not come so far" if entry is None else "has another one in its place"
                    return (
                        f"{path}: a head was kept at entry {head.seq}, and the log {what}: it was cut, rolled "
                        "back or written anew; look with `pitboss log verify`."
                    )
        if any(head.key not in keys for head in heads):
            return (
                f"{path}: heads were kept with another key than {self.signer.path} has: it was lost or put in "
                "that one's place; look with `pitboss log verify`."
            )
        return None
