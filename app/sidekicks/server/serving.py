"""uvicorn, without its signal handlers, and with an end that comes in time."""

import asyncio
import contextlib
import socket
from collections.abc import Generator
from typing import Final

import uvicorn
from litestar.types import ASGIApp

_KEEP_ALIVE_SECONDS: Final = 60


class Serving(uvicorn.Server):
    """Serves one application at sockets that listen already.

    Everything here runs on the loop but the making of it, which may be done in a thread.
    """

    def __init__(self, app: ASGIApp) -> None:
        config = uvicorn.Config(
            app,
            http="h11",
            ws="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            log_level="error",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        )
        config.load()
        super().__init__(config)
        self.ready: Final = asyncio.Event()
        self._leaving: Final = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Leave signals alone: the app has its own way to receive them."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, and say so."""
        await super().startup(sockets)
        self.ready.set()

    async def main_loop(self) -> None:
        """Wait for `leave`. uvicorn's own loop wakes the computer ten times a second to look."""
        await self.on_tick(0)
        await self._leaving.wait()

    def leave(self) -> None:
        """Take no more connections, and end with the last that is open."""
        self._leaving.set()

    def cut_connections(self) -> None:
        """End every connection that is still open; its request goes on as for a page that left."""
        for connection in tuple(self.server_state.connections):
            # Not `close`, which waits until a page that does not read has read.
            connection.transport.abort()

    def cancel_requests(self) -> None:
        """End the requests that do not end by themselves, and wait for nothing more."""
        for request in tuple(self.server_state.tasks):
            request.cancel()
        self.force_exit = True
