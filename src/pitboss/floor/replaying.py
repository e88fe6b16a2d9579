"""Records are replayed in processes of their own: anybody may send one, and the tables shall not feel it.

A replay is plain computing, and in a process of Python one thread computes at a time: beside the tables it would slow
down every act. So helpers do it, which are started when somebody asks, yield the processor to the tables, and leave
when nobody has asked for a while, or when the server is gone.
"""

from __future__ import annotations

import select
import subprocess
import sys
import threading
import traceback
from contextlib import suppress
from typing import IO

import msgspec

from pitboss.basics.cards import CardError
from pitboss.basics.money import MoneyError
from pitboss.floor.checking import step_back
from pitboss.floor.gate import Busy
from pitboss.records import loads
from pitboss.records.model import MissingText, RecordError
from pitboss.rulebooks import RulebookError, editions
from pitboss.table.refusals import Broken, Refusal, Refused

SECONDS_MAX = 10.0
"""So long one record may take."""
IDLE_SECONDS = 60.0
TEXT_MAX = 500
NICE = 10
UNREADABLE = (RecordError, CardError, MoneyError, RulebookError, RecursionError)
READY, SHOWN, REFUSED, UNREAD, FAULT, MISSING = b"!", b"s", b"r", b"u", b"f", b"m"
BROUGHT = b"\0"
"""Before a record that brings the text of its edition along; no record begins so."""
LENGTH = 4
"""Bytes before every text that say how long it is."""


class Replaying:
    """The helpers of one server. Blocking; may be called from several threads, and each has a helper of its own."""

    def __init__(self, seconds: float = SECONDS_MAX) -> None:
        self._seconds = seconds
        self._idle: list[subprocess.Popen[bytes]] = []
        self._closed = False

    def show(self, record: str) -> bytes:
        """What `replayed_in_json` makes of a record; raises `RecordError` or `Refused`."""
        kind, body = self._answer(record.encode("utf-8", "replace"))
        if kind == MISSING:  # the helper does not know the log: a text that was read from it is brought along
            missing = msgspec.json.decode(body, type=Missing)
            with suppress(RulebookError):
                text = editions.text(missing.rulebook, missing.edition)
                kind, body = self._answer(BROUGHT + msgspec.json.encode((text.decode(), record)))
        return opened(kind, body)

    def _answer(self, asked: bytes) -> tuple[bytes, bytes]:
        helper = self._rested()
        answer = None if helper is None else self._ask(helper, asked)
        if answer is None:  # none was there, or it was about to leave
            answer = self._ask(_helper(), asked)
        if answer is None:
            raise Broken("a helper that replays records stopped without a word")
        return answer

    def close(self) -> None:
        """Send the helpers home."""
        self._closed = True
        while self._idle:
            end(self._idle.pop())

    def _rested(self) -> subprocess.Popen[bytes] | None:
        while True:
            try:
                helper = self._idle.pop()
            except IndexError:
                return None
            if helper.poll() is None:
                return helper
            end(helper)

    def _ask(self, helper: subprocess.Popen[bytes], asked: bytes) -> tuple[bytes, bytes] | None:
        """The answer; None where the helper has left."""
        late = threading.Event()

        def stop() -> None:
            late.set()
            helper.kill()

        timer = threading.Timer(self._seconds, stop)
        timer.daemon = True
        timer.start()
        answer = None
        try:
            assert helper.stdin is not None and helper.stdout is not None
            with suppress(OSError, EOFError):
                send(helper.stdin, asked)
                answer = exactly(helper.stdout, 1), received(helper.stdout)
        finally:
            timer.cancel()
            if answer is None or self._closed or late.is_set():
                end(helper)
            else:
                self._idle.append(helper)
        if answer is None and late.is_set():
            raise RecordError(f"more than {self._seconds:g} seconds of work: show it in parts")
        return answer


def _helper() -> subprocess.Popen[bytes]:
    """A new one, that has read everything it needs."""
    command = [sys.executable, "-P", "-m", "pitboss.floor.replaying"]
    try:
        helper = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
        )
    except OSError:
        raise Busy("no record can be replayed now: try again in 5 seconds.", 503, 5) from None
    assert helper.stdout is not None
    helper.stdout.read(len(READY))
    return helper


def end(helper: subprocess.Popen[bytes]) -> None:
    helper.kill()
    for pipe in (helper.stdin, helper.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    helper.wait()


def opened(kind: bytes, body: bytes) -> bytes:
    """What `answered` said, in the server: the record as it is shown, or why it is not."""
    if kind == SHOWN:
        return body
    if kind == REFUSED:
        raise Refused(msgspec.json.decode(body, type=Refusal))
    if kind == MISSING:
        raise RecordError(msgspec.json.decode(body, type=Missing).why)
    if kind == UNREAD:
        raise RecordError(body.decode())
    raise Broken(body.decode())


# --- the helper ------------------------------------------------------------------------------------------------------


class Missing(msgspec.Struct, frozen=True):
    """A record names an edition that a helper does not have."""

    rulebook: str
    edition: str
    why: str


def answered(asked: bytes) -> tuple[bytes, bytes]:
    """What a helper says of a record: of which kind the answer is, and the answer."""
    from pitboss.floor.history import replayed_in_json

    try:
        if asked.startswith(BROUGHT):
            text, record = msgspec.json.decode(asked[len(BROUGHT) :], type=tuple[str, str])
            editions.learn(text.encode())
        else:
            record = asked.decode()
        return SHOWN, replayed_in_json(loads(record))
    except MissingText as error:
        return MISSING, msgspec.json.encode(Missing(error.missing.rulebook_id, error.missing.digest, str(error)))
    except Refused as no:
        return REFUSED, msgspec.json.encode(no.refusal)
    except UNREADABLE as error:
        return UNREAD, (str(error)[:TEXT_MAX] or "the record cannot be read").encode()
    except Exception:  # noqa: BLE001 - the server tells and logs it
        return FAULT, traceback.format_exc().encode()


def help_out(asked: IO[bytes], said: IO[bytes]) -> None:
    """Answer record after record, until nobody asks any more."""
    while select.select([asked], [], [], IDLE_SECONDS)[0]:
        kind, body = answered(received(asked))
        said.write(kind)
        send(said, body)


def send(pipe: IO[bytes], data: bytes) -> None:
    pipe.write(len(data).to_bytes(LENGTH, "big"))
    pipe.write(data)
    pipe.flush()


def received(pipe: IO[bytes]) -> bytes:
    return exactly(pipe, int.from_bytes(exactly(pipe, LENGTH), "big"))


def exactly(pipe: IO[bytes], size: int) -> bytes:
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return data


def main() -> None:
    """Until the server closes the pipe, however it ends."""
    import pitboss.floor.history  # noqa: F401 - before anybody waits

    step_back(NICE)
    with suppress(EOFError, BrokenPipeError):
        sys.stdout.buffer.write(READY)
        sys.stdout.buffer.flush()
        help_out(sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()
