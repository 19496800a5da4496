"""The event stream of one page, as an ASGI answer."""

import asyncio
from typing import Final

from litestar.types import Receive, Scope, Send

from sidekicks.base.hub import Hub, Reader


class EventStream:
    """Sends the hub's frames until the hub ends them or the page is gone.

    The framework's own stream leaves a generator that was never begun, or waits at a `yield`, to
    the garbage collector; here the hub forgets the reader in the same moment.

    A page that does not read holds `send` up (the server's high-water mark), so that the events
    gather in the reader, which is bounded.
    """

    def __init__(self, hub: Hub, after: int | None) -> None:
        self._hub: Final = hub
        self._after: Final = after

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        reader = self._hub.open_reader(self._after)
        try:
            async with asyncio.TaskGroup() as group:
                watch = group.create_task(_leave_when_gone(reader, receive))
                await _send_frames(reader, send)
                watch.cancel()
        finally:
            reader.leave()


async def _send_frames(reader: Reader, send: Send) -> None:
    headers = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    async for frame in reader.frames():
        await send({"type": "http.response.body", "body": frame, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _leave_when_gone(reader: Reader, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue
    reader.leave()
