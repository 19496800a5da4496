"""A bridge that answers what a test gave it."""

import asyncio

from sidekicks.bridge import Reply

ANSWER = b'{"ok":true,"value":{},"seq":0}'


class FakeInvoke:
    """Keeps what it was asked. While `open` is not set, commands wait."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []
        self.begun = asyncio.Event()
        self.open = asyncio.Event()
        self.open.set()
        self.reply = Reply(ANSWER, 200)
        self.failure: Exception | None = None
        self.cancelled = 0

    async def __call__(self, raw: bytes) -> Reply:
        """Answer `reply`, or raise `failure`."""
        self.asked.append(raw)
        self.begun.set()
        try:
            await self.open.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.failure is not None:
            raise self.failure
        return self.reply
