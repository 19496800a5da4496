"""The hub numbers events, keeps the last ones, and hands them to readers.

It lives on the engine's loop and nowhere else. A number is never given twice, and a reader gets
every number after the one it asked for, in order, or `resync` and its end: never a gap, never a
queue that grows. Events are encoded once, whoever reads them.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from itertools import islice
from typing import Final

import msgspec

from sidekicks.contract.events import ReaderOpened, Resync
from sidekicks.contract.ids import ReaderId, make_id
from sidekicks.contract.wire import Event

READER_BYTES: Final = 8 * 1024 * 1024
"""What a reader may leave unread before it is cut off."""
KEPT_EVENTS: Final = 20_000
KEPT_BYTES: Final = READER_BYTES // 2
"""Well below `READER_BYTES`: a replay that cut off its own reader would be kept for nothing."""
GATHER_SECONDS: Final = 0.016
"""A busy stream is flushed this often, or with every `BATCH_BYTES`; an idle one at once."""
BEAT_SECONDS: Final = 15.0
BATCH_BYTES: Final = 256 * 1024

CLOSE_FRAME: Final = b"event: close\ndata: []\n\n"
"""Says that the app stops, so that the page does not take the end for a lost connection."""
_BEAT_FRAME: Final = b": beat\n\n"

_encoder = msgspec.json.Encoder()


class Reader:
    """One open event stream: what it has not read yet, bounded."""

    def __init__(self, reader_id: ReaderId, on_closed: Callable[["Reader"], None]) -> None:
        self.reader_id: Final = reader_id
        self._waiting: deque[tuple[int, bytes]] = deque()
        self._bytes = 0
        self._arrived = asyncio.Event()
        self._on_closed = on_closed
        self._ending: bytes | None = None
        self._last_seq = 0

    @property
    def unread(self) -> int:
        """How many bytes wait to be taken."""
        return self._bytes

    def push(self, seq: int, encoded: bytes) -> None:
        """Add an event; a reader that is too far behind is cut off with `resync`."""
        if self._ending is not None:
            return
        self._waiting.append((seq, encoded))
        self._bytes += len(encoded)
        if self._bytes > READER_BYTES:
            self.cut_off(seq)
        self._arrived.set()

    def cut_off(self, seq: int) -> None:
        """Drop what waits and end the stream with `resync`."""
        self._waiting.clear()
        self._bytes = 0
        self.end_with_resync(seq)

    def end_with_resync(self, seq: int) -> None:
        """End the stream, behind what still waits, with `resync`."""
        self._ending = _frame(seq, [_encoder.encode(Resync(seq=seq))])
        self._arrived.set()

    def close(self) -> None:
        """End the stream, behind what still waits, with the word that the app stops."""
        if self._ending is None:
            self._ending = CLOSE_FRAME
        self._arrived.set()

    def leave(self) -> None:
        """Forget the stream, whose page is gone; `frames` ends without another word.

        Whoever opened a reader calls this at the end, whatever happened: a generator that was never
        begun, or is left at a `yield`, does not run its own clean-up.
        """
        self._waiting.clear()
        self._bytes = 0
        self._ending = b""
        self._arrived.set()
        self._on_closed(self)

    async def frames(self) -> AsyncIterator[bytes]:
        """Yield server-sent events: each a JSON array of the events since the last one."""
        loop = asyncio.get_running_loop()
        flushed = loop.time() - GATHER_SECONDS
        while True:
            try:
                async with asyncio.timeout(BEAT_SECONDS):
                    await self._arrived.wait()
            except TimeoutError:
                yield _BEAT_FRAME
                continue
            early = flushed + GATHER_SECONDS - loop.time()
            if early > 0 and self._ending is None and self._bytes < BATCH_BYTES:
                await asyncio.sleep(early)
            flushed = loop.time()
            if batch := self._take():
                yield batch
            if not self._waiting:
                if self._ending is not None:
                    if self._ending:
                        yield self._ending
                    return
                self._arrived.clear()

    def _take(self) -> bytes | None:
        events: list[bytes] = []
        taken = 0
        while self._waiting and taken < BATCH_BYTES:
            self._last_seq, encoded = self._waiting.popleft()
            events.append(encoded)
            taken += len(encoded)
        self._bytes -= taken
        return _frame(self._last_seq, events) if events else None


class Hub:
    """Where events are published.

    `seq` is the number of the last one; `kept_bytes` what those that are kept take.
    """

    def __init__(self) -> None:
        self.seq = 0
        self._kept: deque[tuple[int, bytes]] = deque()
        self.kept_bytes = 0
        self._readers: dict[ReaderId, Reader] = {}
        self._listeners: list[Callable[[Event], None]] = []
        self._closed = False

    def publish(self, event: Event) -> None:
        """Give the event its number and hand it to every reader and listener."""
        self.seq += 1
        event = msgspec.structs.replace(event, seq=self.seq)
        encoded = _encoder.encode(event)
        self._kept.append((self.seq, encoded))
        self.kept_bytes += len(encoded)
        while len(self._kept) > KEPT_EVENTS or (
            self.kept_bytes > KEPT_BYTES and len(self._kept) > 1
        ):
            self.kept_bytes -= len(self._kept.popleft()[1])
        for reader in self._readers.values():
            reader.push(self.seq, encoded)
        for listener in tuple(self._listeners):
            listener(event)

    def listen(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Call `listener` with every event, at once and in order; return what ends that.

        It must not publish: those behind it would be told the later event first.
        """
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def open_reader(self, after: int | None = None) -> Reader:
        """Open a stream of the events after number `after` (from now on if null).

        Where those are no longer kept, or the number is not one of this run, the stream is
        `resync` and its end. Whoever opens it calls the reader's `leave` at the end.
        """
        reader = Reader(ReaderId(make_id("r")), self._forget)
        self._readers[reader.reader_id] = reader
        opened = ReaderOpened(reader_id=reader.reader_id, seq=self.seq if after is None else after)
        reader.push(opened.seq, _encoder.encode(opened))
        if after is not None and after != self.seq:
            oldest = self._kept[0][0] if self._kept else self.seq + 1
            if after > self.seq or after + 1 < oldest:
                reader.end_with_resync(self.seq)
            else:
                for seq, encoded in islice(self._kept, after + 1 - oldest, None):
                    reader.push(seq, encoded)
        if self._closed:
            reader.close()
        return reader

    @property
    def readers(self) -> tuple[Reader, ...]:
        """The streams that are open."""
        return tuple(self._readers.values())

    def close(self) -> None:
        """Put the close marker behind what each stream has to send; new ones get it at once."""
        self._closed = True
        for reader in self._readers.values():
            reader.close()

    def _forget(self, reader: Reader) -> None:
        self._readers.pop(reader.reader_id, None)


def _frame(seq: int, events: list[bytes]) -> bytes:
    return b"id: %d\ndata: [%b]\n\n" % (seq, b",".join(events))
