"""Whoever looks back much is answered by a process of its own, that reads the log and yields to the tables.

A thread that decodes a thousand acts shares the interpreter with the loop, however soon they change: every act at every
table takes as long again for each such thread. The first few looks are quicker in a thread, and mostly there are no
more; from then on a helper does it. It is begun when somebody needs it and leaves when nobody has for a while, or when
the server is gone. What it worked counts as if it had been done here.
"""

from __future__ import annotations

import select
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from struct import Struct
from time import process_time
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import msgspec

from pitboss.floor.checking import step_back
from pitboss.floor.editions import learn_from
from pitboss.floor.gate import worked_elsewhere
from pitboss.floor.history import RoundTold, events_between, events_in_json, rounds
from pitboss.floor.replaying import IDLE_SECONDS, NICE, READY, end, exactly, received, send
from pitboss.floor.round_records import record_of_round
from pitboss.rulebooks.editions import MissingEdition
from pitboss.table.views import Viewer

if TYPE_CHECKING:
    from pitboss.store.log import Log

SECONDS_MAX = 60.0
"""Of a clock; then it is tried here."""
DONE, FAILED = b"d", b"f"
TOOK = Struct(">d")


class _Way(NamedTuple):
    """How an answer goes through a pipe."""

    there: Callable[[Any], bytes]
    back: Callable[[bytes], Any]


def _as_it_is(answer: Any) -> Any:
    return answer


_WAYS: dict[str, tuple[Callable[..., Any], _Way]] = {
    "events_in_json": (events_in_json, _Way(_as_it_is, _as_it_is)),
    "events_between": (events_between, _Way(_as_it_is, _as_it_is)),
    "rounds": (rounds, _Way(msgspec.json.encode, msgspec.json.Decoder(list[RoundTold]).decode)),
    "record_of_round": (record_of_round, _Way(str.encode, bytes.decode)),
}
"""What is looked up by a helper."""


class LookingBack:
    """The helpers of one server over one log. Blocking; may be called from several threads, and each has a helper of
    its own."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._idle: list[subprocess.Popen[bytes]] = []
        self._closed = False

    def ask(self, function: Callable[..., Any], log: Log, *given: Any) -> Any:
        """What a function says of the log; it is called here where there is no helper for it, or it could not say."""
        name = function.__name__
        if name in _WAYS and (helper := self._rested()) is not None:
            is_done, answer = self._answer(helper, name, given)
            if is_done:
                return None if answer == b"" and name != "events_between" else _WAYS[name][1].back(answer)
        return function(log, *given)

    def close(self) -> None:
        """Send the helpers home."""
        self._closed = True
        while self._idle:
            end(self._idle.pop())

    def _rested(self) -> subprocess.Popen[bytes] | None:
        """One that waits, or a new one."""
        while self._idle:
            with suppress(IndexError):
                helper = self._idle.pop()
                if helper.poll() is None:
                    return helper
                end(helper)
        command = [sys.executable, "-P", "-m", "pitboss.floor.looking_back"]
        try:
            return self._told_where(
                subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
            )  # fmt: skip
        except OSError:
            return None

    def _told_where(self, helper: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
        """Not on its command line, which others may read; it says when it has read everything that it needs."""
        assert helper.stdin is not None and helper.stdout is not None
        step_back(NICE, helper.pid)  # before it has read its own modules, which is work too
        with suppress(OSError):
            send(helper.stdin, self._url.encode())
            helper.stdout.read(len(READY))
        return helper

    def _answer(self, helper: subprocess.Popen[bytes], name: str, given: tuple[Any, ...]) -> tuple[bool, bytes]:
        """Whether it could say, and what."""
        assert helper.stdin is not None and helper.stdout is not None
        kind, answer = b"", b""
        with suppress(OSError, EOFError):
            send(helper.stdin, msgspec.json.encode((name, given)))
            if select.select([helper.stdout], [], [], SECONDS_MAX)[0]:
                kind = exactly(helper.stdout, 1)
                worked_elsewhere(TOOK.unpack(exactly(helper.stdout, TOOK.size))[0])
                answer = received(helper.stdout)
        if kind == b"" or self._closed:
            end(helper)
        else:
            self._idle.append(helper)
        return kind == DONE, answer


# --- the helper ------------------------------------------------------------------------------------------------------


def answered(log: Log, asked: bytes) -> bytes:
    """What a helper says."""
    name, given = msgspec.json.decode(asked, type=tuple[str, list[Any]])
    function, way = _WAYS[name]
    given = [msgspec.convert(each, Viewer) if isinstance(each, dict) else each for each in given]
    look = partial(function, log, *given)
    try:
        found = look()
    except MissingEdition as missing:
        learn_from(log, missing.rulebook_id, missing.digest)
        found = look()
    return b"" if found is None else way.there(found)


def help_out(log: Log, asked: IO[bytes], said: IO[bytes]) -> None:
    """Answer one after the other, until nobody asks any more."""
    while select.select([asked], [], [], IDLE_SECONDS)[0]:
        question, began = received(asked), process_time()
        try:
            kind, answer = DONE, answered(log, question)
        except Exception:  # noqa: BLE001 - it is asked once more where it is told and logged
            kind, answer = FAILED, b""
        said.write(kind + TOOK.pack(process_time() - began))
        send(said, answer)


def main() -> None:
    """Until the server closes the pipe, however it ends."""
    from pitboss.store.opening import open_log

    asked = sys.stdin.buffer
    with suppress(EOFError, BrokenPipeError):
        log = open_log(received(asked).decode(), create=False, read_only=True)
        sys.stdout.buffer.write(READY)
        sys.stdout.buffer.flush()
        try:
            help_out(log, asked, sys.stdout.buffer)
        finally:
            log.close()


if __name__ == "__main__":
    main()
