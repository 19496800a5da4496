"""What the bridge gives back, for whoever carries it to the page."""

from typing import Protocol

import msgspec


class Reply(msgspec.Struct, frozen=True):
    """The encoded answer, and the HTTP status that says the same to a tool."""

    body: bytes
    status: int


class Invoke(Protocol):
    """Run one encoded command on the engine's loop and return its encoded answer; never raises."""

    async def __call__(self, raw: bytes) -> Reply:
        """Decode, run, encode."""
        ...
