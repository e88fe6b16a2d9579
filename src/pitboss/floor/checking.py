"""Passwords are made into hashes, and checked, in processes of their own that yield to the tables.

One takes a tenth of a second of several processors, and strangers may try any number of them: in threads of the server
each held up everybody who plays, and a thread that is only nicer than the others does so as well, whenever it has to
have the interpreter. A helper is started when somebody logs in, and leaves when nobody has for a while, or when the
server is gone.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from argon2 import PasswordHasher

NICE = 5
IDLE_SECONDS = 60.0
HASH, VERIFY = "hash", "verify"


def default_hasher() -> PasswordHasher:
    """RFC 9106's second choice: 64 MiB, three passes."""
    from argon2 import PasswordHasher, Type

    return PasswordHasher(time_cost=3, memory_cost=64 * 1024, parallelism=4, type=Type.ID)


def matches(hasher: PasswordHasher, hashed: str, password: str) -> bool:
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        return hasher.verify(hashed, password)
    except (VerificationError, InvalidHashError):
        return False


class Checking:
    """Blocking; may be called from several threads, and each has a helper of its own. With a `hasher` there are none:
    it does everything, where it is."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or default_hasher()
        self._has_helpers = hasher is None
        self._idle: list[subprocess.Popen[bytes]] = []
        self._closed = False

    def hash(self, password: str) -> str:
        found = self._helped(HASH, password)
        return self._hasher.hash(password) if found is None else str(found)

    def matches(self, hashed: str, password: str) -> bool:
        found = self._helped(VERIFY, hashed, password)
        return matches(self._hasher, hashed, password) if found is None else found is True

    def is_old(self, hashed: str) -> bool:
        """Whether one makes them otherwise by now."""
        return self._hasher.check_needs_rehash(hashed)

    def close(self) -> None:
        """Send the helpers home."""
        self._closed = True
        while self._idle:
            _end(self._idle.pop())

    def _helped(self, *asked: str) -> Any:
        """What a helper says; None where none is to be had, or it left without a word."""
        line = json.dumps(asked).encode() + b"\n"
        while self._has_helpers and not self._closed:
            try:
                helper, is_new = self._idle.pop(), False
            except IndexError:
                try:
                    helper, is_new = _helper(), True
                except OSError:
                    return None
            said = _ask(helper, line)
            if said is None or self._closed:
                _end(helper)
            else:
                self._idle.append(helper)
            if said is not None or is_new:
                return said
        return None


def _helper() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-P", "-m", "pitboss.floor.checking"]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )


def _ask(helper: subprocess.Popen[bytes], line: bytes) -> Any:
    assert helper.stdin is not None and helper.stdout is not None
    with suppress(OSError, ValueError):
        helper.stdin.write(line)
        helper.stdin.flush()
        return json.loads(helper.stdout.readline())
    return None


def _end(helper: subprocess.Popen[bytes]) -> None:
    helper.kill()
    for pipe in (helper.stdin, helper.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    helper.wait()


# --- the helper ------------------------------------------------------------------------------------------------------


def help_out(asked: IO[bytes], said: IO[bytes], hasher: PasswordHasher) -> None:
    """Answer line after line, until nobody asks any more."""
    while select.select([asked], [], [], IDLE_SECONDS)[0]:
        line = asked.readline()
        if not line:
            return
        what, *given = json.loads(line)
        answer = hasher.hash(*given) if what == HASH else matches(hasher, *given)
        said.write(json.dumps(answer).encode() + b"\n")
        said.flush()


def step_back(nice: int, process: int = 0) -> None:
    """Have a process (0: this one) yield to others, also where Linux groups them by session and compares within these
    alone."""
    with suppress(ProcessLookupError):
        os.setpriority(os.PRIO_PROCESS, process, os.getpriority(os.PRIO_PROCESS, process) + nice)
    if sys.platform == "linux":
        with suppress(OSError):
            os.sched_setscheduler(process, os.SCHED_BATCH, os.sched_param(0))
        with suppress(OSError):
            Path(f"/proc/{process or 'self'}/autogroup").write_text(str(nice), "ascii")


def main() -> None:
    """Until the server closes the pipe, however it ends."""
    step_back(NICE)
    with suppress(BrokenPipeError):
        help_out(sys.stdin.buffer, sys.stdout.buffer, default_hasher())


if __name__ == "__main__":
    main()
