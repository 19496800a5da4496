"""The ends of an ACP connection: a pipe that keeps what was sent, a peer that keeps all."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from sidekicks.acp import AgentMessageChunk, PermissionAsked, TextContent, Update

Json = dict[str, Any]


class Sent:
    """A pipe whose other end is the test."""

    def __init__(self) -> None:
        self.data = b""
        self.drained = 0

    def write(self, data: bytes) -> None:
        self.data += data

    async def drain(self) -> None:
        self.drained += 1

    def frames(self) -> list[Json]:
        """Return what was sent since the last call."""
        lines, self.data = self.data.split(b"\n"), b""
        assert lines.pop() == b"", "a frame without its line feed"
        return [msgspec.json.decode(line) for line in lines]

    def frame(self) -> Json:
        """Return the one frame that was sent since the last call."""
        (frame,) = self.frames()
        return frame


class Listener:
    """A client that keeps all that it is told, in order."""

    def __init__(self) -> None:
        self.told: list[tuple[str, Update]] = []
        self.asked: list[PermissionAsked] = []
        self.noise: list[str] = []
        self.answers: list[str] = []
        """Option ids with which the next questions are answered at once."""
        self._heard = asyncio.Event()

    async def wait_until(self, condition: Callable[[], bool], seconds: float = 20) -> None:
        """Wait until what was told makes it true."""
        async with asyncio.timeout(seconds):
            while not condition():
                self._heard.clear()
                await self._heard.wait()

    def on_update(self, session_id: str, update: Update) -> None:
        self.told.append((session_id, update))
        self._heard.set()

    def on_permission(self, asked: PermissionAsked) -> None:
        self.asked.append(asked)
        self._heard.set()
        if self.answers:
            asked.select(self.answers.pop(0))

    def on_noise(self, text: str) -> None:
        self.noise.append(text)
        self._heard.set()

    @property
    def updates(self) -> list[Update]:
        """What was told, whatever the session."""
        return [update for _, update in self.told]

    @property
    def text(self) -> str:
        """What the agent said."""
        return "".join(self.texts)

    @property
    def texts(self) -> list[str]:
        """What the agent said, chunk by chunk."""
        contents = [u.content for u in self.updates if isinstance(u, AgentMessageChunk)]
        return [c.text for c in contents if isinstance(c, TextContent)]


def frame_bytes(**fields: Any) -> bytes:
    """Return a frame as it comes from a peer."""
    return msgspec.json.encode({"jsonrpc": "2.0", **fields}) + b"\n"


def update_bytes(session_id: str = "s1", **update: Any) -> bytes:
    """Return a session/update as it comes from an agent."""
    params = {"sessionId": session_id, "update": update}
    return frame_bytes(method="session/update", params=params)


def chunk_bytes(text: str) -> bytes:
    """Return a piece of a message as it comes from an agent."""
    content = {"type": "text", "text": text}
    return update_bytes(sessionUpdate="agent_message_chunk", content=content)
