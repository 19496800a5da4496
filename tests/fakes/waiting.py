"""Waiting for something to become true, with a bound."""

import asyncio
from collections.abc import Callable


async def until(condition: Callable[[], object], seconds: float = 15.0) -> None:
    """Return when `condition` holds; an AssertionError after `seconds`."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while not condition():
        assert loop.time() < deadline, "it did not come true in time"
        await asyncio.sleep(0.01)
