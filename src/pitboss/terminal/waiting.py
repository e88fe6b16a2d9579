"""Waiting for what is typed so that no signal is missed.

A signal that comes after the interpreter looked for signals, and before the read that blocks, would be heard only when
something is typed. A pipe into which every signal rings is waited for together with the terminal.
"""

from __future__ import annotations

import os
import select
import signal
import threading
from functools import cache


def wait_to_read(descriptor: int) -> None:
    """Return when there is something to read, or the end of it; a signal that comes meanwhile has its handler run."""
    bell = _bell()
    if bell is None:
        return
    while descriptor not in (ready := select.select([descriptor, bell], [], [])[0]):
        if bell in ready:
            os.read(bell, 4096)  # the handler runs before the next wait


@cache
def _bell() -> int | None:
    """The end of a pipe that can be read whenever a signal came; None where signals come to another thread."""
    if os.name != "posix" or threading.current_thread() is not threading.main_thread():
        return None
    bell, rung = os.pipe()
    os.set_blocking(rung, False)
    signal.set_wakeup_fd(rung, warn_on_full_buffer=False)
    return bell
