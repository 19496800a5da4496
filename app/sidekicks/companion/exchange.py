"""One HTTP exchange with a model server: a request out, its answer in, piece by piece.

HTTP itself is h11's; here are only the socket and the waiting. One connection per exchange, closed
without lingering when the block is left, however it is left: that is what makes a model stop
generating when the person presses Stop. No proxy is ever used: the proxies of the environment do
not know the loopback address. A larger client was measured at 12 MB more of memory, half of what
the bundled agent takes as a whole.
"""

import asyncio
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final
from urllib.parse import urlsplit

import h11

READ_BYTES: Final = 64 * 1024
BODY_BYTES: Final = 4 * 1024 * 1024
"""What a whole answer may weigh: whatever else listens at a model server's usual port is not read
to its end."""


class Exchange:
    """A request that was sent, and what came back so far. `status` is 0 until the answer begins."""

    def __init__(self, reader: asyncio.StreamReader, connection: h11.Connection) -> None:
        self._reader: Final = reader
        self._connection: Final = connection
        self.status = 0
        self.content_type = ""

    async def receive(self, seconds: float) -> bytes | None:
        """Return the next piece of the body, null at its end; an empty one when the head came.

        Raises:
            TimeoutError: nothing came within `seconds`. Nothing is lost: receive again.
            OSError: the connection was lost, in the middle too, or what comes is no HTTP.
        """
        while True:
            try:
                event = self._connection.next_event()
            except h11.RemoteProtocolError as error:
                raise ConnectionError(str(error)) from error
            if isinstance(event, h11.Data):
                return bytes(event.data)
            if isinstance(event, h11.Response):
                self.status = event.status_code
                self.content_type = dict(event.headers).get(b"content-type", b"").decode("latin-1")
                return b""
            if isinstance(event, h11.EndOfMessage | h11.ConnectionClosed) or event is h11.PAUSED:
                return None
            if event is h11.NEED_DATA:
                async with asyncio.timeout(seconds):
                    received = await self._reader.read(READ_BYTES)
                self._connection.receive_data(received)

    async def body(self, seconds: float) -> bytes:
        """Return the whole answer, each piece within `seconds`.

        Raises:
            OSError: as `receive`, and when the answer is larger than BODY_BYTES.
        """
        pieces: list[bytes] = []
        size = 0
        while (piece := await self.receive(seconds)) is not None:
            pieces.append(piece)
            size += len(piece)
            if size > BODY_BYTES:
                raise ConnectionError(f"more than {BODY_BYTES} bytes")
        return b"".join(pieces)


@asynccontextmanager
async def open_exchange(
    url: str, *, body: bytes | None = None, key: str | None = None, connect_seconds: float
) -> AsyncGenerator[Exchange]:
    """Send a request (a POST where there is a `body` of JSON, else a GET) and hand out its answer.

    Raises:
        TimeoutError: no connection within `connect_seconds`.
        OSError: nobody listens there, or the connection was lost.
        ValueError: `url` is not an http or https address, or `key` cannot be sent.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"not an http address: {url}")
    secure = parts.scheme == "https"
    async with asyncio.timeout(connect_seconds):
        reader, writer = await asyncio.open_connection(
            parts.hostname,
            parts.port or (443 if secure else 80),
            ssl=ssl.create_default_context() if secure else None,
        )
    try:
        connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=READ_BYTES)
        writer.write(_encode(connection, parts.netloc.rpartition("@")[2], parts.path, body, key))
        await writer.drain()
        yield Exchange(reader, connection)
    finally:
        writer.transport.abort()


def _encode(
    connection: h11.Connection, host: str, path: str, body: bytes | None, key: str | None
) -> bytes:
    headers = [
        ("host", host),
        ("user-agent", "sidekicks"),
        ("accept", "*/*"),
        ("accept-encoding", "identity"),
        ("connection", "close"),
    ]
    if key is not None:
        headers.append(("authorization", f"Bearer {key}"))
    if body is not None:
        headers += [("content-type", "application/json"), ("content-length", str(len(body)))]
    method = "GET" if body is None else "POST"
    try:
        request = h11.Request(method=method, target=path or "/", headers=headers)
    except h11.LocalProtocolError as error:
        raise ValueError(str(error)) from error
    encoded = connection.send(request) or b""
    if body is not None:
        encoded += connection.send(h11.Data(data=body)) or b""
    return encoded + (connection.send(h11.EndOfMessage()) or b"")
