"""The way into a child's stdin: a pipe that never blocks the loop and never fails.

It is a real pipe, made by hand: the loop's own would be a socket, which bash takes for a remote
login and reads its start-up files, and which `/dev/stdin` cannot be opened on.
"""

import asyncio
import os
from typing import Final, cast


class Stdin(asyncio.BaseProtocol):
    """The writing end. Made by `open_stdin`."""

    def __init__(self) -> None:
        self._transport: asyncio.WriteTransport | None = None
        self._writable: Final = asyncio.Event()
        self._writable.set()

    def write(self, data: bytes) -> None:
        """Send behind what waits; nothing happens once nobody reads any more."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    async def drain(self) -> None:
        """Wait until little enough is unsent, or nothing can be sent any more."""
        await self._writable.wait()

    def close(self) -> None:
        """Send end of file, behind what waits."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write_eof()

    def abort(self) -> None:
        """Drop what waits, and close."""
        transport = self._transport
        # Once it closes with nothing to send, the loop knows; to say it twice fails in the loop.
        if transport is not None and (
            not transport.is_closing() or transport.get_write_buffer_size()
        ):
            transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio`."""
        self._transport = cast("asyncio.WriteTransport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio`: whoever waits to write goes on, and writes to nobody."""
        self._transport = None
        self._writable.set()

    def pause_writing(self) -> None:
        """See `asyncio`."""
        self._writable.clear()

    def resume_writing(self) -> None:
        """See `asyncio`."""
        self._writable.set()


async def open_stdin() -> tuple[int, Stdin]:
    """Return a new pipe: the descriptor for the child, which the caller closes, and our end."""
    reading, writing = os.pipe()
    try:
        _, stdin = await asyncio.get_running_loop().connect_write_pipe(
            Stdin, os.fdopen(writing, "wb", buffering=0)
        )
    except BaseException:
        os.close(reading)
        raise
    return reading, stdin
