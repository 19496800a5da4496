"""Our two sides against the official Python SDK's, each a program of its own."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from fakes.acp_peers import Listener
from fakes.acp_programs import connect, serve
from fakes.robot import Robot
from sidekicks.acp import (
    AcpError,
    AgentThoughtChunk,
    AvailableCommand,
    CommandsUpdate,
    DiffToolContent,
    Offered,
    ResourceLink,
    TextContent,
    ToolCall,
    ToolCallUpdate,
    ToolLocation,
    UserMessageChunk,
)

FAKES = Path(__file__).parent.parent / "fakes"
AGENT = [sys.executable, str(FAKES / "sdk_agent.py")]


async def test_our_client_with_an_agent_of_the_sdk() -> None:
    listener = Listener()
    async with connect(AGENT, listener) as client:
        told = await client.initialize("Sidekicks", "1")
        assert told.protocol_version == 1
        assert told.agent_capabilities.session_capabilities.list == Offered()
        assert (await client.new_session("/w")).session_id == "/w"
        commands = (AvailableCommand(name="help", description="Helps"),)
        assert listener.told == [("/w", CommandsUpdate(available_commands=commands))]

        listener.told.clear()
        link = ResourceLink(uri="file:///w/a.py", name="a.py")
        prompted = await client.prompt("/w", [TextContent(text="one two é😀 "), link])
        assert prompted.stop_reason == "end_turn"
        assert listener.texts == ["one", "two", "é😀", "[resource_link]"]
        assert listener.updates[-2:] == [
            ToolCall(
                tool_call_id="t2",
                title="Edit",
                kind="edit",
                status="pending",
                locations=(ToolLocation(path="/w/a.py"),),
                raw_input={"path": "/w/a.py", "content": {"new": "x"}},
            ),
            ToolCallUpdate(
                tool_call_id="t2",
                status="completed",
                content=(DiffToolContent(path="/w/a.py", new_text="x", old_text="y"),),
            ),
        ]


async def test_our_client_answers_and_cancels_an_agent_of_the_sdk() -> None:
    listener = Listener()
    async with connect(AGENT, listener) as client:
        await client.initialize("Sidekicks", "1")
        listener.answers = ["no"]
        await client.prompt("/w", [TextContent(text="ask")])
        assert [option.option_id for option in listener.asked[0].options] == ["yes", "no"]
        assert "'optionId': 'no'" in " ".join(listener.texts)

        waiting = asyncio.ensure_future(client.prompt("/w", [TextContent(text="wait")]))
        await listener.wait_until(
            lambda: listener.updates[-1] == AgentThoughtChunk(content=TextContent(text="waiting"))
        )
        client.cancel("/w")
        assert (await waiting).stop_reason == "cancelled"

        with pytest.raises(AcpError) as raised:
            await client.prompt("/w", [TextContent(text="fail")])
        assert (raised.value.code, raised.value.data) == (-32000, {"why": "test"})
        await client.load_session("/w", "/w")
        assert listener.updates[-1] == UserMessageChunk(content=TextContent(text="before"))
        assert listener.noise == []


async def test_our_agent_with_a_client_of_the_sdk(tmp_path: Path) -> None:
    saw = tmp_path / "saw.json"
    command = [sys.executable, str(FAKES / "sdk_client.py"), str(saw)]
    noise = await serve(command, Robot())
    hello = {"type": "text", "text": "hello"}
    expected: list[Any] = [
        {
            "protocolVersion": 1,
            "agentInfo": {"name": "robot", "version": "1"},
        },
        {"session": "s1", "sessionUpdate": "agent_message_chunk", "content": hello},
        {"stopReason": "end_turn"},
        {"asked": "Do it", "options": ["yes"]},
        {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "chose yes"}},
        {"stopReason": "end_turn"},
        {"stopReason": "cancelled"},
        {"code": -32000, "message": "Sign in first"},
    ]
    found = json.loads(saw.read_text())
    for wanted, told in zip(expected, found, strict=True):
        assert {key: told[key] for key in wanted} == wanted
    assert found[0]["agentCapabilities"]["loadSession"] is True
    assert noise == []
