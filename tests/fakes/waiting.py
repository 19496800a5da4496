"""Waiting for something to become true, with a bound."""

import asyncio
import time
from collections.abc import Callable


async def until(condition: Callable[[], object], seconds: float = 15.0) -> None:
    """Return when `condition` holds; an AssertionError after `seconds`."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while not condition():
        assert loop.time() < deadline, "it did not come true in time"
        await asyncio.sleep(0.01)


def wait_until(condition: Callable[[], object], seconds: float = 20.0) -> None:
    """As `until`, for tests that have no loop."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.02)
