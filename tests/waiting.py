"""Waiting for a state, never for a time: a busy machine needs longer, and a quick one loses nothing."""

import asyncio
from collections.abc import Callable


async def until(holds: Callable[[], object], seconds: float = 30) -> None:
    """Let the loop go on until it holds, or fail after far longer than it could take."""
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.002)
