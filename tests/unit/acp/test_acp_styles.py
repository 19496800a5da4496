"""Frames in the manner of agents that exist: each has habits that the protocol's examples lack."""

import asyncio
from typing import Any

import pytest

from fakes.acp_peers import Listener, Sent, frame_bytes, update_bytes
from sidekicks.acp import (
    AcpError,
    AgentMessageChunk,
    BlockToolContent,
    BooleanOption,
    ClientConnection,
    CommandsUpdate,
    DiffToolContent,
    Mode,
    Model,
    SelectOption,
    SessionInfoUpdate,
    TerminalExit,
    TerminalOutput,
    TerminalToolContent,
    TextContent,
    ToolCall,
    ToolCallUpdate,
    ToolMeta,
    Update,
    Usage,
    UsageUpdate,
    UserMessageChunk,
)

TEXT = {"type": "text", "text": "hi"}
HI = TextContent(text="hi")


class Client:
    def __init__(self) -> None:
        self.sent = Sent()
        self.listener = Listener()
        self.connection = ClientConnection(self.sent, self.listener)

    async def ask(self, work: Any, **answer: Any) -> Any:
        task = asyncio.ensure_future(work)
        await asyncio.sleep(0)
        self.connection.feed(frame_bytes(id=self.sent.frame()["id"], **answer))
        return await task


@pytest.fixture
def client() -> Client:
    return Client()


@pytest.mark.parametrize(
    ("told", "update"),
    [
        # vibe says every live prompt back; opencode, claude and codex give messages an id.
        (
            {"sessionUpdate": "user_message_chunk", "content": TEXT, "messageId": "user-1"},
            UserMessageChunk(content=HI, message_id="user-1"),
        ),
        # pi marks what it replays.
        (
            {
                "sessionUpdate": "agent_message_chunk",
                "content": TEXT,
                "_meta": {"isReplay": True},
            },
            AgentMessageChunk(content=HI),
        ),
        # hermes begins a call with what it will do, before the permission; its tag comes last.
        (
            {
                "content": [{"content": {"text": "$ ls", "type": "text"}, "type": "content"}],
                "kind": "execute",
                "locations": [],
                "title": "terminal: ls",
                "toolCallId": "tc-1",
                "sessionUpdate": "tool_call",
            },
            ToolCall(
                tool_call_id="tc-1",
                title="terminal: ls",
                kind="execute",
                locations=(),
                content=(BlockToolContent(content=TextContent(text="$ ls")),),
            ),
        ),
        # gemini's first word of a call may be its end; fields that are null change nothing.
        (
            {
                "sessionUpdate": "tool_call_update",
                "toolCallId": "run_1",
                "status": "completed",
                "title": None,
                "content": None,
            },
            ToolCallUpdate(tool_call_id="run_1", status="completed"),
        ),
        # vibe and others leave the old text out for a new file.
        (
            {
                "sessionUpdate": "tool_call_update",
                "toolCallId": "e",
                "content": [{"path": "/w/new", "newText": "x\n", "type": "diff"}],
            },
            ToolCallUpdate(
                tool_call_id="e", content=(DiffToolContent(path="/w/new", new_text="x\n"),)
            ),
        ),
        # pi and codex have terminals of their own, which nobody created here.
        (
            {
                "toolCallId": "c1",
                "status": "completed",
                "content": [{"terminalId": "c1", "type": "terminal"}],
                "_meta": {
                    "terminal_exit": {"terminal_id": "c1", "exit_code": 1},
                    "terminal_output": {"terminal_id": "c1", "data": "denied"},
                },
                "sessionUpdate": "tool_call_update",
            },
            ToolCallUpdate(
                tool_call_id="c1",
                status="completed",
                content=(TerminalToolContent(terminal_id="c1"),),
                meta=ToolMeta(
                    terminal_exit=TerminalExit(terminal_id="c1", exit_code=1),
                    terminal_output=TerminalOutput(terminal_id="c1", data="denied"),
                ),
            ),
        ),
        # codex floods these with nothing but its own.
        (
            {"sessionUpdate": "session_info_update", "_meta": {"codex": {"threadStatus": {}}}},
            SessionInfoUpdate(),
        ),
        (
            {"used": 110, "size": 200000, "_meta": {"steps": 6}, "sessionUpdate": "usage_update"},
            UsageUpdate(used=110, size=200000),
        ),
        # qwen sends half a megabyte of its own with its commands, in one line.
        (
            {
                "sessionUpdate": "available_commands_update",
                "availableCommands": [],
                "_meta": {"availableSkillDetails": [{"body": "x" * 560_000}]},
            },
            CommandsUpdate(available_commands=()),
        ),
    ],
)
def test_an_update_in_the_manner_of_an_agent(client: Client, told: Any, update: Update) -> None:
    client.connection.feed(update_bytes("ses_1", **told))
    assert client.listener.told == [("ses_1", update)]


@pytest.mark.parametrize(
    ("number", "call", "options"),
    [
        # vibe tells nothing but the call's id, and has two ways of "always".
        (
            0,
            {"toolCallId": "t"},
            [
                ("a", "allow_once"),
                ("b", "allow_always"),
                ("c", "allow_always"),
                ("d", "reject_once"),
            ],
        ),
        # codex's elder brother counts in words.
        ("0b9f-4c", {"toolCallId": "t", "kind": "execute"}, [("approved", "allow_once")]),
        # gemini puts "always" first; openhands has a second "once" that means something else.
        (1, {"toolCallId": "t"}, [("proceed_always", "allow_always"), ("cancel", "reject_once")]),
        (2, {"toolCallId": "t"}, [("accept", "allow_once"), ("risk_based", "allow_once")]),
        # One had a kind of its own.
        (3, {"toolCallId": "t"}, [("edit", "suggest_changes")]),
    ],
)
def test_a_question_in_the_manner_of_an_agent(
    client: Client, number: Any, call: Any, options: list[tuple[str, str]]
) -> None:
    told = [{"optionId": name, "name": name.title(), "kind": kind} for name, kind in options]
    client.connection.feed(
        frame_bytes(
            id=number,
            method="session/request_permission",
            params={"options": told, "sessionId": "s", "toolCall": call},
        )
    )
    (asked,) = client.listener.asked
    assert [(option.option_id, option.kind) for option in asked.options] == options
    asked.select(options[-1][0])
    assert client.sent.frame() == {
        "jsonrpc": "2.0",
        "id": number,
        "result": {"outcome": {"outcome": "selected", "optionId": options[-1][0]}},
    }


async def test_gptme_says_nothing_of_what_it_can_do(client: Client) -> None:
    told = await client.ask(
        client.connection.initialize("Sidekicks", "1"),
        result={"protocolVersion": 1, "authMethods": [{"id": "api-key", "name": "API Key"}]},
    )
    assert not told.agent_capabilities.load_session
    assert told.agent_info is None


async def test_gemini_and_hermes_have_modes_and_models(client: Client) -> None:
    opened = await client.ask(
        client.connection.new_session("/w"),
        result={
            "sessionId": "s",
            "modes": {
                "availableModes": [{"id": "https://agent.example/modes#plan", "name": "Plan"}],
                "currentModeId": "https://agent.example/modes#plan",
            },
            "models": {"availableModels": [{"modelId": "m"}], "currentModelId": "m"},
            "_meta": {"hermes": {"sessionProvenance": {}}},
        },
    )
    assert opened.modes.available_modes == (
        Mode(id="https://agent.example/modes#plan", name="Plan"),
    )
    assert opened.models.available_models == (Model(model_id="m"),)


async def test_claude_and_opencode_have_options(client: Client) -> None:
    model = {"id": "model", "name": "Model", "category": "model", "type": "select"}
    opened = await client.ask(
        client.connection.new_session("/w"),
        result={
            "sessionId": "s",
            "configOptions": [
                {**model, "currentValue": "a/b", "options": [{"value": "a/b", "name": "A/B"}]},
                {"id": "fast", "name": "Fast", "type": "boolean", "currentValue": False},
            ],
        },
    )
    select, boolean = opened.config_options
    assert isinstance(select, SelectOption)
    assert [choice.value for choice in select.choices()] == ["a/b"]
    assert boolean == BooleanOption(id="fast", name="Fast", current_value=False)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        # kimi, openhands and cline before sign-in; codex in the middle of a turn.
        ({"code": -32000, "message": "Authentication required"}, -32000),
        # gemini hands the model server's number on, vibe has its own, codex too.
        ({"code": 401, "message": '{"type":"error"}'}, 401),
        ({"code": -31002, "message": "Invalid API key.", "data": None}, -31002),
        ({"code": 1001, "message": "the real reason"}, 1001),
        # hermes after a permission that was cancelled.
        ({"code": -32603, "message": "Internal error", "data": {"details": "x"}}, -32603),
    ],
)
async def test_an_error_in_the_manner_of_an_agent(client: Client, error: Any, code: int) -> None:
    with pytest.raises(AcpError) as raised:
        await client.ask(client.connection.prompt("s", []), error=error)
    assert (raised.value.code, raised.value.message) == (code, error["message"])


async def test_hermes_counts_tokens_with_the_answer(client: Client) -> None:
    usage = {"cachedReadTokens": 0, "inputTokens": 100, "outputTokens": 10, "totalTokens": 110}
    prompted = await client.ask(
        client.connection.prompt("s", []), result={"stopReason": "end_turn", "usage": usage}
    )
    assert prompted.usage == Usage(
        cached_read_tokens=0, input_tokens=100, output_tokens=10, total_tokens=110
    )


@pytest.mark.parametrize("method", ["craft/drainMidTurnQueue", "elicitation/create", "_kimi/x"])
def test_requests_outside_of_what_we_offer_do_not_stall_an_agent(
    client: Client, method: str
) -> None:
    client.connection.feed(frame_bytes(id=0, method=method, params={"sessionId": "s"}))
    refused = client.sent.frame()
    assert (refused["id"], refused["error"]["code"]) == (0, -32601)
