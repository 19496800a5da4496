"""An HTTP client that sends exactly what a test says, over a socket of its own."""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import msgspec

from sidekicks.contract.events import AnyEvent

PATIENCE = 20.0
"""Seconds after which an answer that does not come is a fault."""

Headers = Mapping[str, str | bytes | None]


class Answer:
    """What the server answered."""

    def __init__(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body

    def header(self, name: str) -> str | None:
        """Return the one header of this name."""
        values = [value for key, value in self.headers if key == name]
        assert len(values) <= 1
        return values[0] if values else None

    @property
    def error(self) -> dict[str, Any]:
        """The error in the envelope, which must be whole."""
        envelope = json.loads(self.body)
        assert envelope.keys() == {"ok", "error", "seq"}
        assert envelope["ok"] is False
        assert isinstance(envelope["seq"], int)
        assert envelope["error"].keys() == {"code", "message", "data"}
        assert self.header("content-type") == "application/json"
        return envelope["error"]


class Stream:
    """An open answer that comes in chunks."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._frames = b""
        self.writer = writer
        self.status = 0
        self.headers: list[tuple[str, str]] = []

    async def read_head(self) -> None:
        """Read up to the body."""
        head = await self._reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").rstrip().split("\r\n")
        self.status = int(first.split(" ")[1])
        self.headers = [
            (name.lower(), value.strip()) for name, _, value in (x.partition(":") for x in lines)
        ]

    async def read_chunk(self) -> bytes:
        """Return the next chunk; empty at the end."""
        size = int(await self._reader.readline(), 16)
        return (await self._reader.readexactly(size + 2))[:-2]

    async def read_frame(self) -> bytes | None:
        """Return the next server-sent event, or null at the end of the stream."""
        while b"\n\n" not in self._frames:
            if not (chunk := await asyncio.wait_for(self.read_chunk(), PATIENCE)):
                assert self._frames == b""
                return None
            self._frames += chunk
        frame, _, self._frames = self._frames.partition(b"\n\n")
        return frame

    async def read_events(self) -> list[AnyEvent]:
        """Return the events of the next frame, which must hold some."""
        frame = await self.read_frame()
        assert frame is not None
        number, data = frame.split(b"\n")
        events = msgspec.json.decode(data.removeprefix(b"data: "), type=list[AnyEvent])
        assert number == b"id: %d" % events[-1].seq
        return events

    async def read_events_after_head(self) -> list[AnyEvent]:
        """Return the events of the first frame."""
        await self.read_head()
        return await self.read_events()

    async def read_body(self) -> bytes:
        """Return the rest of the body."""
        length = dict(self.headers).get("content-length")
        if length is not None:
            return await self._reader.readexactly(int(length))
        return await self._reader.read()


@asynccontextmanager
async def connect(origin: str) -> AsyncGenerator[Stream]:
    """Open a connection, and close it at once at the end."""
    parts = urlsplit(origin)
    assert parts.hostname is not None
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    try:
        yield Stream(reader, writer)
    finally:
        writer.transport.abort()
        # The transport gives its socket back one turn of the loop later.
        await asyncio.sleep(0)


def encode_request(
    origin: str, method: str, target: str | bytes, headers: Headers, body: bytes = b""
) -> bytes:
    """Return a request as bytes; a header that is null is left out."""
    all_headers: dict[str, str | bytes | None] = {"host": urlsplit(origin).netloc}
    if body:
        all_headers["content-length"] = str(len(body))
    all_headers |= headers
    lines = [b" ".join((method.encode(), _encode(target), b"HTTP/1.1"))]
    lines += [b"%b: %b" % (_encode(k), _encode(v)) for k, v in all_headers.items() if v is not None]
    return b"\r\n".join([*lines, b"", body])


async def ask(
    origin: str,
    method: str,
    target: str | bytes,
    headers: Headers | None = None,
    body: bytes = b"",
    *,
    raw: Iterable[bytes] = (),
) -> Answer:
    """Send one request and return its answer; `raw` follows the request as it is."""
    async with connect(origin) as stream, asyncio.timeout(PATIENCE):
        stream.writer.write(encode_request(origin, method, target, headers or {}, body))
        for piece in raw:
            stream.writer.write(piece)
        await stream.read_head()
        content = b"" if method == "HEAD" else await stream.read_body()
        return Answer(stream.status, stream.headers, content)


def _encode(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode()
