"""JSON-RPC between two peers, the same for both sides: ids, answers, noise, the end.

It is given bytes and a pipe and never starts anything. Whatever arrives is applied at once, in
order, before `feed` returns, so an answer is known only after all that was sent before it. Our ids
and the peer's are apart. Every request of ours ends: with the answer, or with the connection.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Final, Protocol, cast

import msgspec

from sidekicks.acp.errors import INVALID_REQUEST, ConnectionEnded, read_error
from sidekicks.acp.frames import Direction, Frame, encode, parse
from sidekicks.acp.lines import LineReader
from sidekicks.acp.requests import CancelRequestNotice, Params

NOISE_LENGTH: Final = 2000
"""Characters kept of a line that is no frame."""


class Pipe(Protocol):
    """The way to the peer."""

    def write(self, data: bytes) -> None:
        """Send whole lines; what cannot be sent yet waits. Nothing happens after the peer's end."""
        ...

    async def drain(self) -> None:
        """Return when the peer has read enough for more to be sent, or is gone."""
        ...


OnFrame = Callable[[Direction, bytes], None]
"""Told each frame, as one line without its line feed, before it has any effect."""


class OddFrameError(Exception):
    """A frame that nothing can be done with."""


class Connection:
    """One side of a connection; what to do with requests and notifications is the subclass's."""

    def __init__(
        self, pipe: Pipe, on_noise: Callable[[str], None], on_frame: OnFrame | None
    ) -> None:
        self._pipe: Final = pipe
        self._on_noise: Final = on_noise
        self._on_frame: Final = on_frame
        self._lines: Final = LineReader(self._dropped)
        self._unapplied: Final[deque[bytes]] = deque()
        self._applying = False
        self._pending: dict[int, asyncio.Future[Any]] = {}
        self._given_up: set[int] = set()
        self._last_id = 0
        self._ended = False

    def feed(self, data: bytes) -> None:
        """Apply every line that ends within `data`; nothing once the connection has ended."""
        self._unapplied.extend(self._lines.take(data))
        self._apply_lines()

    def end(self) -> None:
        """The peer is gone: apply a last line without a line feed, and fail what is pending."""
        if self._ended:
            return
        if self._applying:
            # It is what the peer told that ends the connection: nothing behind it counts.
            self._unapplied.clear()
        self._unapplied.extend(self._lines.end())
        try:
            self._apply_lines()
        finally:
            self._ended = True
            pending, self._pending = self._pending, {}
            for future in pending.values():
                if not future.done():
                    future.set_exception(ConnectionEnded())

    async def drain(self) -> None:
        """Wait until the peer has read enough for more to be sent."""
        await self._pipe.drain()

    def _apply_lines(self) -> None:
        self._applying = True
        try:
            while self._unapplied and not self._ended:
                self._take(self._unapplied.popleft())
        finally:
            self._applying = False
            if self._unapplied and not self._ended:
                # A fault of ours in one message must not lose what came behind it.
                asyncio.get_running_loop().call_soon(self._apply_lines)

    async def _request(self, params: Params, sent: object = None) -> Any:
        """Send a request (`sent` in place of `params`, where it is given) and return its result.

        Whoever stops waiting (a time limit, a cancelled task) tells the peer so.

        Raises:
            AcpError: the peer answered with an error.
            ConnectionEnded: the peer is gone.
        """
        if self._ended:
            raise ConnectionEnded
        self._last_id += 1
        number = self._last_id
        future = asyncio.get_running_loop().create_future()
        self._pending[number] = future
        self._send(id=number, method=params.method, params=params if sent is None else sent)
        try:
            return await future
        except asyncio.CancelledError:
            if self._pending.pop(number, None) is not None:
                self._given_up.add(number)
                self._notify(CancelRequestNotice(request_id=number))
            raise

    def _notify(self, params: Params) -> None:
        self._send(method=params.method, params=params)

    def _send(self, **fields: Any) -> None:
        line = encode(**fields)
        if self._ended:
            return
        if self._on_frame is not None:
            self._on_frame("to", line[:-1])
        self._pipe.write(line)

    def _answer(self, request_id: Any, result: Any) -> None:
        self._send(id=request_id, result=result)

    def _refuse(self, request_id: Any, code: int, message: str, data: Any = None) -> None:
        error = {"code": code, "message": message}
        self._send(id=request_id, error=error if data is None else {**error, "data": data})

    def _take(self, line: bytes) -> None:
        if not line.strip():
            return
        frame = parse(line)
        if frame is None:
            self._note(_text(line))
            return
        if self._on_frame is not None:
            self._on_frame("from", line)
        try:
            self._apply(frame)
        except OddFrameError as error:
            self._note(f"{error}: {_text(line)}")

    def _apply(self, frame: Frame) -> None:
        method, params = frame.get("method"), frame.get("params")
        if not isinstance(method, str):
            self._on_answer(frame)
        elif "id" not in frame:
            self._on_notice(method, params)
        elif isinstance(frame["id"], dict | list):
            self._refuse(None, INVALID_REQUEST, "An id is a text or a number")
        else:
            self._on_request(frame["id"], method, params)

    def _on_notice(self, method: str, params: Any) -> None:
        if method != CancelRequestNotice.method:
            self._on_notification(method, params)
        elif isinstance(params, dict) and "requestId" in params:
            request_id = cast("Frame", params)["requestId"]
            if not isinstance(request_id, dict | list):
                self._on_cancel_request(request_key(request_id))

    def _on_answer(self, frame: Frame) -> None:
        if "id" not in frame or not ("result" in frame or "error" in frame):
            raise OddFrameError("Neither request nor answer")
        number = frame["id"]
        # True equals 1, but is no number of ours.
        future = self._pending.pop(number, None) if type(number) in (int, float) else None
        if future is None:
            if type(number) is not int or number not in self._given_up:
                raise OddFrameError("An answer to nothing that was asked")
            self._given_up.discard(number)
        elif future.done():
            return
        elif frame.get("error") is not None:
            future.set_exception(read_error(frame["error"]))
        else:
            future.set_result(frame.get("result"))

    def _note(self, text: str) -> None:
        self._on_noise(text[:NOISE_LENGTH])

    def _dropped(self, length: int) -> None:
        self._note(f"A line of {length} bytes was left out: it is too long.")

    def _on_request(self, request_id: Any, method: str, params: Any) -> None:
        raise NotImplementedError

    def _on_notification(self, method: str, params: Any) -> None:
        raise NotImplementedError

    def _on_cancel_request(self, key: bytes) -> None:
        raise NotImplementedError


def _text(line: bytes) -> str:
    return line[: NOISE_LENGTH * 4].decode("utf-8", "replace")


def request_key(request_id: Any) -> bytes:
    """Return what a request of the peer's is found by: 1, 1.0, "1" and null are all different."""
    return msgspec.json.encode(request_id)
