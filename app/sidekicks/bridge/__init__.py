"""The bridge: `invoke(bytes) -> Reply`, the one way in for commands, and where errors are translated."""

from typing import Protocol

import msgspec


class Reply(msgspec.Struct, frozen=True):
    """The encoded answer, and the HTTP status that says the same to a tool."""

    body: bytes
    status: int


class Invoke(Protocol):
    """Run one encoded command on the engine's loop and return its encoded answer; it never raises."""

    async def __call__(self, raw: bytes) -> Reply:
        """Decode, run, encode."""
        ...
