"""An agent's log: its life, stderr, noise on stdout and the ACP messages, bounded in memory.

Numbers only grow. Frames have a ring of their own, so that a flood of them does not push out why
the agent failed; they are kept as they came and cut when shown.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final, Literal

import msgspec

from sidekicks.base.clock import Clock, iso
from sidekicks.contract.state import LogEntry

KEPT_LINES: Final = 2000
KEPT_FRAMES: Final = 2000
KEPT_FRAME_BYTES: Final = 8 * 1024 * 1024
SHOWN_CHARACTERS: Final = 20_000
TAIL_LINES: Final = 20
TELL_SECONDS: Final = 0.25


class _Envelope(msgspec.Struct):
    method: str | None = None


_envelope = msgspec.json.Decoder(_Envelope)


class AgentLog:
    """What one agent did and said. `on_added` is told of news at most four times a second."""

    def __init__(self, clock: Clock, on_added: Callable[[int], None]) -> None:
        self._clock: Final = clock
        self._on_added: Final = on_added
        self._lines: deque[LogEntry] = deque(maxlen=KEPT_LINES)
        self._frames: deque[tuple[int, float, Literal["to", "from"], bytes]] = deque()
        self._frame_bytes = 0
        self._number = 0
        self._partial = b""
        self._telling: asyncio.TimerHandle | None = None

    def add(self, kind: Literal["life", "stderr", "noise"], text: str) -> None:
        """Add a line."""
        self._number += 1
        self._lines.append(
            LogEntry(
                number=self._number, at=self._clock.now(), kind=kind, text=text[:SHOWN_CHARACTERS]
            )
        )
        self._tell()

    def add_stderr(self, data: bytes) -> None:
        """Add what the agent wrote to stderr, line by line as lines become whole."""
        *lines, rest = (self._partial + data).split(b"\n")
        for line in lines:
            self.add("stderr", line.rstrip(b"\r").decode("utf-8", "replace"))
        if len(rest) > SHOWN_CHARACTERS:
            self.add("stderr", rest.decode("utf-8", "replace"))
            rest = b""
        self._partial = rest

    def end_stderr(self) -> None:
        """The agent's program is gone: what it began is a line, and not one of the next program."""
        rest, self._partial = self._partial, b""
        if rest:
            self.add("stderr", rest.decode("utf-8", "replace"))

    def add_frame(self, direction: Literal["to", "from"], frame: bytes) -> None:
        """Add an ACP message as it crossed the pipe. Called for each: it does next to nothing."""
        self._number += 1
        # Of a hundred thousand a few are ever looked at: the date is written when one is.
        self._frames.append((self._number, self._clock.timestamp(), direction, frame))
        self._frame_bytes += len(frame)
        if self._frame_bytes > KEPT_FRAME_BYTES or len(self._frames) > KEPT_FRAMES:
            self._drop_frames()
        if self._telling is None:
            self._tell()

    def _drop_frames(self) -> None:
        frames = self._frames
        while len(frames) > 1 and (
            self._frame_bytes > KEPT_FRAME_BYTES or len(frames) > KEPT_FRAMES
        ):
            self._frame_bytes -= len(frames.popleft()[3])

    def since(self, after: int, *, frames: bool) -> tuple[tuple[LogEntry, ...], int]:
        """Return the entries after number `after`, in order, and the number to ask for next."""
        entries = [entry for entry in self._lines if entry.number > after]
        if frames:
            entries += [
                _shown(number, at, direction, frame)
                for number, at, direction, frame in self._frames
                if number > after
            ]
            entries.sort(key=lambda entry: entry.number)
        return tuple(entries), self._number

    def stderr_tail(self) -> str:
        """Return the last lines of stderr, for saying why the agent failed."""
        lines = [entry.text for entry in self._lines if entry.kind == "stderr"]
        if self._partial:
            lines.append(self._partial.decode("utf-8", "replace"))
        return "\n".join(lines[-TAIL_LINES:])

    def close(self) -> None:
        """Tell nobody any more."""
        if self._telling is not None:
            self._telling.cancel()
            self._telling = None

    def _tell(self) -> None:
        if self._telling is None:
            self._telling = asyncio.get_running_loop().call_later(TELL_SECONDS, self._told)

    def _told(self) -> None:
        self._telling = None
        self._on_added(self._number)


def _shown(number: int, at: float, direction: Literal["to", "from"], frame: bytes) -> LogEntry:
    try:
        method = _envelope.decode(frame).method
    except (msgspec.DecodeError, UnicodeDecodeError):
        method = None
    return LogEntry(
        number=number,
        at=iso(at),
        kind="frame",
        direction=direction,
        method=method,
        text=frame[:SHOWN_CHARACTERS].decode("utf-8", "replace").rstrip("\n"),
    )
