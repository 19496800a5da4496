"""Bytes as they arrive, cut into lines.

A line may be long and come in many pieces: it is copied once, and no more than the limit is ever
held. A longer one is dropped, and the next arrives as if nothing had been.
"""

from collections.abc import Callable
from typing import Final

LINE_LIMIT: Final = 64 * 1024 * 1024
"""Agents send lines of half a megabyte as a matter of course; images make them longer."""


class LineReader:
    """Takes pieces of any size and returns whole lines, without their line feed.

    Args:
        on_dropped: told the length in bytes of a line that was too long, once it has ended.
        limit: the length in bytes up to which a line is kept.
    """

    def __init__(self, on_dropped: Callable[[int], None], limit: int = LINE_LIMIT) -> None:
        self._on_dropped: Final = on_dropped
        self._limit: Final = limit
        self._begun = bytearray()
        self._dropped = 0

    def take(self, data: bytes) -> list[bytes]:
        """Return the lines that end within `data`."""
        lines = data.split(b"\n")
        rest = lines.pop()
        if lines and (self._begun or self._dropped):
            self._keep(lines[0])
            lines[:1] = self._finish()
        if rest:
            self._keep(rest)
        return lines

    def end(self) -> list[bytes]:
        """Return the last line, if it was begun and not ended."""
        return self._finish()

    def _keep(self, piece: bytes) -> None:
        if not self._dropped and len(self._begun) + len(piece) <= self._limit:
            self._begun += piece
            return
        self._dropped += len(self._begun) + len(piece)
        self._begun = bytearray()

    def _finish(self) -> list[bytes]:
        if self._dropped:
            dropped, self._dropped = self._dropped, 0
            self._on_dropped(dropped)
            return []
        line, self._begun = bytes(self._begun), bytearray()
        return [line] if line else []
