"""No signal is missed while the table waits for a line, and lines are read whole however they come."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import threading

import pytest

from pitboss.terminal.protocol import LONGEST_READ, reader

WAITER = """
import signal, sys, threading
from pitboss.terminal.protocol import reader

def interrupt(number, frame):
    raise KeyboardInterrupt

signal.signal(signal.SIGTERM, interrupt)
# Another thread takes the signal, so that it interrupts no read: as if it had come just before.
threading.Thread(target=threading.Event().wait, daemon=True).start()
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
read = reader(sys.stdin)
while True:
    try:
        print("waits", flush=True)  # the signal may come before this is done
        print("read", read(), flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        continue
    break
"""


def test_a_signal_that_comes_just_before_the_wait_is_heard() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WAITER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as on:
        assert on.stdin is not None
        assert on.stdout is not None
        unheard = threading.Timer(60, on.kill)
        unheard.start()
        for _ in range(5):
            assert on.stdout.readline() == "waits\n"
            on.send_signal(signal.SIGTERM)
            assert on.stdout.readline() == "interrupted\n"
        assert on.stdout.readline() == "waits\n"
        on.stdin.write("25\n")
        on.stdin.flush()
        assert on.stdout.readline() == "read 25\n"
        unheard.cancel()


LINES = {
    "lines": (b"25\ndeal\n", ["25", "deal"]),
    "carriage returns": (b"25\r\ndeal\r\n", ["25", "deal"]),
    "no last newline": (b"25\ndeal", ["25", "deal"]),
    "an empty line": (b"\n25\n", ["", "25"]),
    "no text": (b"\xff\xfe\n25\n", ["\ufffd\ufffd", "25"]),
    "half a letter at the end": (b"25\n\xc3", ["25", "\ufffd"]),
    "too long": (b"x" * 5000 + b"\n25\n", ["x" * LONGEST_READ, "25"]),
    "much too long": (b"x" * 70_000 + b"\n25\n", ["x" * LONGEST_READ, "25"]),
    "nothing": (b"", []),
}


@pytest.mark.parametrize(("typed", "lines"), LINES.values(), ids=LINES)
@pytest.mark.parametrize("piped", [False, True], ids=["memory", "pipe"])
def test_lines_are_read_whole(typed: bytes, lines: list[str], piped: bool) -> None:
    if piped:
        end, typing = os.pipe()

        def write() -> None:
            with os.fdopen(typing, "wb") as keys:
                keys.write(typed)

        threading.Thread(target=write).start()
        stream = os.fdopen(end, encoding="utf-8")
    else:
        stream = io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8", errors="replace")
    with stream:
        read = reader(stream)
        assert [read() for _ in range(len(lines) + 1)] == [*lines, None]
