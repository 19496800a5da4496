"""This process's stdin and stdout as the connection needs them.

Stdout belongs to the protocol: whatever else prints goes to stderr, from `keep_stdout` on.
"""

import asyncio
import os
import stat
import sys
from collections.abc import Callable
from typing import Final, cast

STDIN: Final = 0
STDOUT: Final = 1
STDERR: Final = 2
CHUNK_BYTES: Final = 256 * 1024


def keep_stdout() -> int:
    """Return a descriptor of our own for stdout, and point stdout at stderr.

    A library that prints, or a child that inherits stdout, would break the protocol.
    """
    kept = os.dup(STDOUT)
    os.dup2(STDERR, STDOUT)
    sys.stdout = sys.stderr
    return kept


class Output(asyncio.Protocol):
    """The way to the client: writes never wait, `drain` does."""

    def __init__(self, descriptor: int, on_lost: Callable[[], None]) -> None:
        self._file: Final = os.fdopen(descriptor, "wb", buffering=0)
        self._on_lost: Final = on_lost
        self._transport: asyncio.WriteTransport | None = None
        self._room = asyncio.Event()
        self._room.set()
        self._lost = asyncio.Event()

    async def open(self) -> None:
        """Open it; without this, as for an ordinary file, each write is done at once."""
        if not _is_ordinary(self._file.fileno()):
            await asyncio.get_running_loop().connect_write_pipe(lambda: self, self._file)

    def write(self, data: bytes) -> None:
        """Send whole lines; nothing happens once the client is gone."""
        if self._transport is None:
            self._file.write(data)
        elif not self._transport.is_closing():
            self._transport.write(data)

    async def drain(self) -> None:
        """Return when the client has read enough for more to be sent, or is gone."""
        await self._room.wait()

    async def close(self, seconds: float) -> None:
        """Let the client read what was written, for at most `seconds`."""
        if self._transport is None:
            self._file.close()
            return
        self._transport.close()
        try:
            await asyncio.wait_for(self._lost.wait(), seconds)
        except TimeoutError:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by asyncio."""
        self._transport = cast(asyncio.WriteTransport, transport)

    def pause_writing(self) -> None:
        """Called by asyncio."""
        self._room.clear()

    def resume_writing(self) -> None:
        """Called by asyncio."""
        self._room.set()

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by asyncio."""
        self._room.set()
        self._lost.set()
        self._on_lost()


class _Input(asyncio.Protocol):
    def __init__(self, on_data: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        self._on_data: Final = on_data
        self._on_end: Final = on_end

    def data_received(self, data: bytes) -> None:
        self._on_data(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._on_end()


async def open_input(
    descriptor: int, on_data: Callable[[bytes], None], on_end: Callable[[], None]
) -> Callable[[], None]:
    """Hand on what the client sends, until `on_end`; return what closes it."""
    loop = asyncio.get_running_loop()
    file = os.fdopen(descriptor, "rb", buffering=0)
    if not _is_ordinary(descriptor):
        transport, _ = await loop.connect_read_pipe(lambda: _Input(on_data, on_end), file)
        return transport.close
    while data := file.read(CHUNK_BYTES):
        on_data(data)
    loop.call_soon(on_end)
    return file.close


def _is_ordinary(descriptor: int) -> bool:
    """Tell what no loop can wait for, and what never has to be waited for: a file, /dev/null."""
    mode = os.fstat(descriptor).st_mode
    return not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(descriptor))
