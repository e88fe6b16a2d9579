"""Waiting for a state, never for a time: a busy machine needs longer, and a quick one loses nothing."""

import asyncio
import time
from collections.abc import Callable


async def until(holds: Callable[[], object], seconds: float = 30) -> None:
    """Let the loop go on until it holds, or fail after far longer than it could take."""
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.002)


def wait_until(holds: Callable[[], object], seconds: float = 120) -> None:
    """The same where there is no loop."""
    late = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < late, "this never came to hold"
        time.sleep(0.01)
