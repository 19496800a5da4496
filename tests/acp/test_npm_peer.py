"""Our two sides against npm's official SDK, which is of another language and a later schema."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fakes.acp_peers import Listener
from fakes.acp_programs import connect
from fakes.stage import Stage, text_of
from sidekicks.acp import (
    AcpError,
    AgentThoughtChunk,
    AvailableCommand,
    CommandInput,
    CommandsUpdate,
    Cost,
    DiffToolContent,
    SelectOption,
    TextContent,
    ToolCall,
    ToolCallUpdate,
    ToolLocation,
    UsageUpdate,
    UserMessageChunk,
)
from sidekicks.companion.tour import TOUR_FILE

HERE = Path(__file__).parent
SDK = HERE.parents[1] / "ui" / "node_modules" / "@agentclientprotocol" / "sdk"
Json = dict[str, Any]


@pytest.fixture
def sdk() -> str:
    """Return the address of the SDK's module."""
    if shutil.which("node") is None:
        pytest.skip("Node is not installed")
    if not (SDK / "package.json").exists():
        pytest.skip("npm's SDK is not installed: run `npm ci` in ui/")
    entry = json.loads((SDK / "package.json").read_text())["exports"]["."]["import"]
    return (SDK / entry).as_uri()


@pytest.fixture
def agent(sdk: str) -> list[str]:
    """Return the command of an agent on npm's SDK."""
    return ["node", str(HERE / "npm_agent.mjs"), sdk]


async def test_our_client_with_an_agent_of_npms_sdk(agent: list[str]) -> None:
    listener = Listener()
    async with connect(agent, listener) as client:
        told = await client.initialize("Sidekicks", "1")
        assert told.protocol_version == 1
        assert told.agent_capabilities.load_session
        assert [method.id for method in told.auth_methods] == ["key"]
        await client.authenticate("key")
        opened = await client.new_session("/w")
        assert listener.updates == [
            CommandsUpdate(
                available_commands=(
                    AvailableCommand(
                        name="help", description="Helps", input=CommandInput(hint="what")
                    ),
                )
            )
        ]
        assert opened.config_options is not None
        (option,) = opened.config_options
        assert isinstance(option, SelectOption)
        assert [choice.value for choice in option.choices()] == ["small", "large"]
        (option,) = await client.set_config_option("/w", "model", "large")
        assert option.current_value == "large"

        listener.told.clear()
        prompted = await client.prompt("/w", [TextContent(text="one é😀")])
        assert prompted.stop_reason == "end_turn"
        assert listener.texts == ["one", "é😀"]
        assert listener.updates[-3:] == [
            ToolCall(
                tool_call_id="t2",
                title="Edit",
                kind="edit",
                status="pending",
                locations=(ToolLocation(path="/w/a.py", line=3),),
                raw_input={"path": "/w/a.py"},
            ),
            ToolCallUpdate(
                tool_call_id="t2",
                status="completed",
                content=(DiffToolContent(path="/w/a.py", new_text="x", old_text="y"),),
            ),
            UsageUpdate(used=10, size=100, cost=Cost(amount=0.5, currency="EUR")),
        ]


async def test_our_client_answers_cancels_and_reopens_with_npms_sdk(agent: list[str]) -> None:
    listener = Listener()
    async with connect(agent, listener) as client:
        await client.initialize("Sidekicks", "1")
        listener.answers = ["no"]
        await client.prompt("/w", [TextContent(text="ask")])
        assert [option.kind for option in listener.asked[0].options] == [
            "allow_once",
            "reject_once",
        ]
        assert '"optionId":"no"' in listener.text

        waiting = asyncio.ensure_future(client.prompt("/w", [TextContent(text="wait")]))
        await listener.wait_until(
            lambda: listener.updates[-1] == AgentThoughtChunk(content=TextContent(text="waiting"))
        )
        client.cancel("/w")
        assert (await waiting).stop_reason == "cancelled"

        with pytest.raises(AcpError) as raised:
            await client.prompt("/w", [TextContent(text="fail")])
        assert (raised.value.code, raised.value.data) == (-32000, {"why": "test"})
        (session,) = (await client.list_sessions("/w")).sessions
        assert (session.session_id, session.title) == ("/w", "One")
        await client.load_session("/w", "/w")
        assert listener.updates[-2] == UserMessageChunk(content=TextContent(text="before"))
        await client.close_session("/w")
        with pytest.raises(AcpError) as raised:
            await client.set_mode("/w", "none")
        assert raised.value.code == -32601
        assert listener.noise == []


async def test_the_whole_app_with_an_agent_of_npms_sdk(agent: list[str], tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.write_config(alice={"command": agent[0], "args": agent[1:], "env": {}})
    async with stage:
        sent = await stage.send("alice", "ask")
        asked = (await stage.event("permission.asked"))["permission"]
        await stage.invoke("answer_permission", permissionId=asked["permissionId"], optionId="yes")
        assert (await stage.ended(sent["turns"][0]["turnId"]))["outcome"] == "finished"
        answer = (await stage.messages("alice"))[-1]
        assert '"optionId":"yes"' in text_of(answer)
        sent = await stage.send("alice", "wait")
        turn = sent["turns"][0]["turnId"]
        await stage.event("turn.delta", turnId=turn)
        await stage.invoke("stop_turn", channelId=await stage.direct("alice"))
        assert (await stage.ended(turn))["outcome"] == "stopped"
        failed = await stage.say("alice", "fail")
        assert failed["outcome"] == "failed"
        assert (await stage.snapshot())["agents"][0]["failure"]["code"] == "sign_in"
    async with stage:
        assert (await stage.say("alice", "hello"))["outcome"] == "finished"
        answer = (await stage.messages("alice"))[-1]
        # What the agent told while it loaded the session is ours already.
        assert "before" not in text_of(answer)


def test_our_agent_with_a_client_of_npms_sdk(sdk: str, tmp_path: Path) -> None:
    companion = [sys.executable, "-m", "sidekicks", "agent"]
    ran = subprocess.run(
        ["node", str(HERE / "npm_client.mjs"), sdk, str(tmp_path), *companion],
        env={**os.environ, "SIDEKICKS_MODEL_URL": "none", "SIDEKICKS_LANGUAGE": "en"},
        capture_output=True,
        timeout=50,
    )
    assert ran.returncode == 0, ran.stderr.decode()
    saw: list[Json] = json.loads(ran.stdout)
    assert (saw[0]["protocolVersion"], saw[0]["agentInfo"]["name"]) == (1, "sidekicks")
    stops = [each["stopReason"] for each in saw if "stopReason" in each]
    assert stops == ["end_turn", "end_turn", "cancelled"]
    kinds = {each.get("sessionUpdate") for each in saw}
    assert kinds >= {
        "available_commands_update",
        "agent_message_chunk",
        "tool_call",
        "tool_call_update",
        "plan",
    }
    asked = [each["asked"] for each in saw if "asked" in each]
    assert [call["kind"] for call in asked] == ["edit", "edit"]
    assert (tmp_path / TOUR_FILE).exists()
    assert saw[-2]["code"] == -32002
    assert saw[-1] == {"exit": 0}
