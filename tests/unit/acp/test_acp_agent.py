"""The agent's side: every request is answered, in the order of the wire, whatever happens."""

import asyncio
from typing import Any

import pytest

from fakes.acp_peers import Listener, Sent, chunk_bytes, frame_bytes
from fakes.robot import OPTIONS, Robot
from sidekicks.acp import (
    AcpError,
    AgentConnection,
    ClientConnection,
    ConnectionEnded,
    PlanEntry,
    PlanUpdate,
    Prompted,
    TextContent,
    ToolCall,
    ToolCallUpdate,
    UsageUpdate,
)
from sidekicks.base.supervisor import Supervisor


class Side:
    """An agent's connection, and what it sends."""

    def __init__(self) -> None:
        self.sent = Sent()
        self.noise: list[str] = []
        self.failed: list[str] = []
        self.robot = Robot()
        self.supervisor = Supervisor(lambda name, _: self.failed.append(name))
        self.connection = self.robot.connection = AgentConnection(
            self.sent, self.robot, self.supervisor, self.noise.append
        )

    def feed(self, **frame: Any) -> None:
        self.connection.feed(frame_bytes(**frame))

    async def ask(self, method: str, params: Any, number: Any = 0) -> Any:
        self.feed(id=number, method=method, params=params)
        await self.settle()
        answered = self.sent.frames()[-1]
        assert answered["id"] == number
        return answered.get("result", answered.get("error"))

    def prompt(self, text: str, number: Any = 0) -> None:
        blocks = [{"type": "text", "text": text}]
        self.feed(id=number, method="session/prompt", params={"sessionId": "s1", "prompt": blocks})

    async def settle(self) -> None:
        for _ in range(10):
            await asyncio.sleep(0)


@pytest.fixture
async def side() -> Side:
    return Side()


async def test_initialize_and_sessions(side: Side) -> None:
    info = {"name": "client", "version": "1"}
    assert await side.ask("initialize", {"protocolVersion": 1, "clientInfo": info}) == {
        "protocolVersion": 1,
        "agentCapabilities": {"loadSession": True, "sessionCapabilities": {"close": {}}},
        "agentInfo": {"name": "robot", "version": "1"},
    }
    server: dict[str, Any] = {"name": "fs", "command": "/bin/fs", "args": [], "env": []}
    opened = await side.ask("session/new", {"cwd": "/w", "mcpServers": [server]}, "a")
    assert opened == {"sessionId": "s1"}
    assert side.robot.heard == ["client", f"/w {[server]}"]


async def test_what_is_told_comes_before_the_answer(side: Side) -> None:
    side.prompt("hello")
    await side.settle()
    update, answer = side.sent.frames()
    assert update["params"] == {
        "sessionId": "s1",
        "update": {
            "sessionUpdate": "agent_message_chunk",
            "content": {"type": "text", "text": "hello"},
        },
    }
    assert answer["result"] == {"stopReason": "end_turn"}
    assert side.sent.drained == 1


async def test_updates_look_as_the_protocol_says(side: Side) -> None:
    side.connection.update("s", ToolCall(tool_call_id="t", title="T", raw_input={"a": 1}))
    side.connection.update("s", ToolCallUpdate(tool_call_id="t", status="completed", content=()))
    side.connection.update("s", PlanUpdate(entries=(PlanEntry(content="c", status="completed"),)))
    side.connection.update("s", UsageUpdate(used=0, size=10))
    assert [frame["params"]["update"] for frame in side.sent.frames()] == [
        {"sessionUpdate": "tool_call", "toolCallId": "t", "title": "T", "rawInput": {"a": 1}},
        {
            "sessionUpdate": "tool_call_update",
            "toolCallId": "t",
            "status": "completed",
            "content": [],
        },
        {
            "sessionUpdate": "plan",
            "entries": [{"content": "c", "priority": "medium", "status": "completed"}],
        },
        {"sessionUpdate": "usage_update", "used": 0, "size": 10},
    ]


async def test_a_setting_and_its_answer(side: Side) -> None:
    params = {"sessionId": "s1", "configId": "x", "type": "boolean", "value": True}
    assert await side.ask("session/set_config_option", params) == {
        "configOptions": [{"type": "boolean", "id": "x", "name": "X", "currentValue": True}]
    }


async def test_what_the_agent_does_not_offer_or_know_is_refused(side: Side) -> None:
    for method, params in (
        ("session/list", {}),
        ("session/close", {"sessionId": "s"}),
        ("authenticate", {"methodId": "m"}),
        ("logout", None),
        ("_vendor/x", {}),
        ("session/odd", [1]),
    ):
        assert (await side.ask(method, params))["code"] == -32601
    side.feed(method="_vendor/notice", params={})
    assert side.failed == side.noise == side.sent.frames() == []


async def test_parameters_that_cannot_be_read_are_refused(side: Side) -> None:
    requests: list[tuple[str, Any]] = [
        ("session/new", {"mcpServers": []}),
        ("session/new", {"cwd": 5, "mcpServers": []}),
        ("session/new", [1]),
        ("session/prompt", {"sessionId": "s1"}),
        ("initialize", None),
    ]
    for method, params in requests:
        assert (await side.ask(method, params, None))["code"] == -32602
    assert side.robot.heard == []


@pytest.mark.parametrize("number", [0, None, "b7", 1.5])
async def test_an_error_of_the_agents_is_the_answer(side: Side, number: Any) -> None:
    side.prompt("sign in", number)
    await side.settle()
    answered = side.sent.frame()
    assert answered["id"] == number
    assert answered["error"] == {"code": -32000, "message": "Sign in first", "data": {"why": 1}}
    assert side.failed == []


async def test_a_request_that_fails_is_answered_and_reported(side: Side) -> None:
    side.prompt("fail", 4)
    await side.settle()
    answered = side.sent.frame()
    assert (answered["id"], answered["error"]["code"]) == (4, -32603)
    assert "ours" not in answered["error"]["message"]
    assert side.failed == ["acp session/prompt"]


async def test_cancel_right_behind_the_prompt_is_not_lost(side: Side) -> None:
    side.prompt("wait")
    side.feed(method="session/cancel", params={"sessionId": "s1"})
    await side.settle()
    assert side.robot.heard == ["prompt wait", "cancel s1"]
    assert side.sent.frame()["result"] == {"stopReason": "cancelled"}


async def test_a_cancel_of_no_session_is_noise(side: Side) -> None:
    side.feed(method="session/cancel", params={})
    assert len(side.noise) == 1


@pytest.mark.parametrize("number", [0, None, "b7", 1.5])
@pytest.mark.parametrize("begun", [True, False])
async def test_a_request_that_the_client_cancels_is_answered(
    side: Side, number: Any, begun: bool
) -> None:
    side.prompt("wait", number)
    if begun:
        await side.settle()
    side.feed(method="$/cancel_request", params={"requestId": number})
    side.feed(method="$/cancel_request", params={"requestId": "another"})
    await side.settle()
    answered = side.sent.frame()
    assert (answered["id"], answered["error"]["code"]) == (number, -32800)


async def test_two_requests_run_at_the_same_time(side: Side) -> None:
    side.prompt("wait", 1)
    assert await side.ask("session/new", {"cwd": "/w", "mcpServers": []}, 2) == {"sessionId": "s1"}
    side.feed(method="session/cancel", params={"sessionId": "s1"})
    await side.settle()
    assert side.sent.frame()["id"] == 1


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"result": {"outcome": {"outcome": "selected", "optionId": "yes"}}}, "chose yes"),
        ({"result": {"outcome": {"outcome": "cancelled"}}}, "chose None"),
        ({"result": None}, "chose None"),
        ({"error": {"code": -32800, "message": "Cancelled"}}, "chose None"),
    ],
)
async def test_a_question_and_its_answer(side: Side, answer: Any, said: str) -> None:
    side.prompt("ask", 7)
    await side.settle()
    asked = side.sent.frame()
    assert asked["method"] == "session/request_permission"
    assert asked["params"] == {
        "sessionId": "s1",
        "toolCall": {"toolCallId": "t1", "title": "Do it"},
        "options": [{"optionId": "yes", "name": "Yes", "kind": "allow_once"}],
    }
    side.feed(id=asked["id"], **answer)
    await side.settle()
    told, answered = side.sent.frames()
    assert told["params"]["update"]["content"]["text"] == said
    assert (answered["id"], answered["result"]) == (7, {"stopReason": "end_turn"})


async def test_a_question_that_is_refused_fails_the_prompt_with_that_error(side: Side) -> None:
    side.prompt("ask", 7)
    await side.settle()
    side.feed(id=side.sent.frame()["id"], error={"code": -32602, "message": "Bad"})
    await side.settle()
    assert side.sent.frame()["error"] == {"code": -32602, "message": "Bad"}


async def test_the_end_of_the_client_cancels_what_runs_for_it(side: Side) -> None:
    side.prompt("wait", 1)
    side.prompt("ask", 2)
    await side.settle()
    side.sent.frames()
    side.connection.end()
    await side.settle()
    assert side.sent.frames() == []
    assert side.failed == []
    with pytest.raises(ConnectionEnded):
        await side.connection.request_permission("s1", ToolCallUpdate(tool_call_id="t"), OPTIONS)


# Both sides, joined


class Joint:
    """A pipe that feeds the other side, a few bytes at a time."""

    def __init__(self) -> None:
        self.other: ClientConnection | AgentConnection
        self.drained = 0

    def write(self, data: bytes) -> None:
        loop = asyncio.get_running_loop()
        for at in range(0, len(data), 7):
            loop.call_soon(self.other.feed, data[at : at + 7])

    async def drain(self) -> None:
        self.drained += 1


async def test_our_two_sides_understand_each_other() -> None:
    robot, listener, noise = Robot(), Listener(), list[str]()
    to_agent, to_client = Joint(), Joint()
    supervisor = Supervisor()
    client = ClientConnection(to_agent, listener)
    robot.connection = AgentConnection(to_client, robot, supervisor, noise.append)
    to_agent.other, to_client.other = robot.connection, client

    told = await client.initialize("client", "1")
    assert told.agent_capabilities.load_session
    assert told.agent_capabilities.session_capabilities.close
    session_id = (await client.new_session("/w")).session_id

    prompted = await client.prompt(session_id, [TextContent(text="hello\nyou é😀")])
    assert prompted == Prompted(stop_reason="end_turn")
    assert listener.text == "hello\nyou é😀"

    listener.answers = ["yes"]
    await client.prompt(session_id, [TextContent(text="ask")])
    assert listener.texts[-1] == "chose yes"
    assert listener.asked[0].tool_call == ToolCallUpdate(tool_call_id="t1", title="Do it")

    waiting = asyncio.ensure_future(client.prompt(session_id, [TextContent(text="wait")]))
    await asyncio.sleep(0)
    client.cancel(session_id)
    assert (await waiting).stop_reason == "cancelled"

    question = asyncio.ensure_future(client.prompt(session_id, [TextContent(text="ask")]))
    await listener.wait_until(lambda: len(listener.asked) == 2)
    withdrawn = asyncio.Event()
    listener.asked[1].on_withdrawn = withdrawn.set
    question.cancel()
    async with asyncio.timeout(10):
        await withdrawn.wait()

    assert (await client.load_session("s9", "/w")).session_id == "s9"
    assert listener.told[-1][0] == "s9"
    with pytest.raises(AcpError) as raised:
        await client.prompt(session_id, [TextContent(text="sign in")])
    assert (raised.value.code, raised.value.data) == (-32000, {"why": 1})
    assert noise == listener.noise == []
    client.end()
    robot.connection.end()
    assert client.feed(chunk_bytes("late")) is None
