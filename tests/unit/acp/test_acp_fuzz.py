"""Whatever a peer sends, in whatever pieces: no crash, and no message after it is lost."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from fakes.acp_peers import Listener, Sent, chunk_bytes, frame_bytes
from fakes.odd_frames import FROM_AGENTS, FROM_CLIENTS, OddFrames
from sidekicks.acp import (
    AcpError,
    AgentConnection,
    AgentPeer,
    ClientConnection,
    ContentBlock,
    Initialized,
    InitializeRequest,
    McpServer,
    Prompted,
    SessionOpened,
)
from sidekicks.base.supervisor import Supervisor

CASES = 600
LINES = 20
REFUSALS = (-32600, -32601, -32602, -32800)


@pytest.mark.parametrize("first", range(0, CASES, 100))
async def test_a_client_loses_nothing_that_comes_after(first: int) -> None:
    for seed in range(first, first + 100):
        odd, listener, sent = OddFrames(seed, FROM_AGENTS), Listener(), Sent()
        connection = ClientConnection(sent, listener)
        prompt = asyncio.ensure_future(connection.prompt("s", []))
        await asyncio.sleep(0)
        sent.frames()
        marks = [f"<{seed}.{number}>" for number in range(LINES)]
        # The line feed of an odd line may be gone; one more begins the next line afresh.
        data = b"".join(odd.next() + b"\n" + chunk_bytes(mark) for mark in marks)
        for piece in odd.pieces(data + frame_bytes(id=1, result={"stopReason": "end_turn"})):
            connection.feed(piece)
        assert [text for text in listener.texts if text in marks] == marks
        assert (await prompt).stop_reason == "end_turn"
        for frame in sent.frames():
            assert "result" in frame or frame["error"]["code"] in REFUSALS
        connection.end()


class Robot(AgentPeer):
    """An agent that keeps of which session it was prompted."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    async def initialize(self, request: InitializeRequest) -> Initialized:
        return Initialized(protocol_version=1)

    async def new_session(self, cwd: str, mcp_servers: Sequence[McpServer]) -> SessionOpened:
        return SessionOpened(session_id="s")

    async def prompt(self, session_id: str, blocks: Sequence[ContentBlock]) -> Prompted:
        self.heard.append(session_id)
        return Prompted(stop_reason="end_turn")

    async def cancel(self, session_id: str) -> None:
        return

    async def set_mode(self, session_id: str, mode_id: str) -> None:
        raise AcpError(5, "no")


@pytest.mark.parametrize("first", range(0, CASES, 100))
async def test_an_agent_answers_all_that_comes_after(first: int) -> None:
    failed: list[str] = []
    supervisor = Supervisor(lambda name, _: failed.append(name))
    for seed in range(first, first + 100):
        odd, sent, robot = OddFrames(seed, FROM_CLIENTS), Sent(), Robot()
        connection = AgentConnection(sent, robot, supervisor, list[str]().append)
        marks = [f"<{seed}.{number}>" for number in range(LINES)]
        data = b"".join(odd.next() + b"\n" + prompt_bytes(mark) for mark in marks)
        for piece in odd.pieces(data):
            connection.feed(piece)
        for _ in range(20):
            await asyncio.sleep(0)
        assert [mark for mark in robot.heard if mark in marks] == marks
        answered = [frame["id"] for frame in sent.frames()]
        assert [number for number in answered if number in marks] == marks
        connection.end()
    assert failed == []


def prompt_bytes(mark: str) -> bytes:
    params: dict[str, Any] = {"sessionId": mark, "prompt": []}
    return frame_bytes(id=mark, method="session/prompt", params=params)
