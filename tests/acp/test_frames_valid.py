"""Every frame that we send, as it is on the wire, against the schema of npm's official package."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from fakes.acp_peers import Listener, Sent, frame_bytes
from fakes.acp_schema import faults_of, is_installed
from fakes.companion_peers import run_program
from fakes.model_server import ModelServer
from fakes.scripts import ask, error, on, on_prompt, request, say, script, until_cancelled
from fakes.stage import Stage
from sidekicks.acp import (
    AgentCapabilities,
    AgentConnection,
    AgentMessageChunk,
    AgentPeer,
    AuthMethod,
    AvailableCommand,
    BlockToolContent,
    BooleanOption,
    ClientConnection,
    CommandInput,
    CommandsUpdate,
    ConfigChoice,
    ConfigOption,
    ConfigOptionsUpdate,
    ConfigValue,
    ContentBlock,
    Cost,
    DiffToolContent,
    EmbeddedResource,
    ImageContent,
    Implementation,
    Initialized,
    InitializeRequest,
    McpServer,
    Mode,
    Modes,
    ModeUpdate,
    Offered,
    PermissionOption,
    PlanEntry,
    PlanUpdate,
    PromptCapabilities,
    Prompted,
    Resource,
    ResourceLink,
    SelectOption,
    SessionCapabilities,
    SessionInfoUpdate,
    SessionList,
    SessionListed,
    SessionOpened,
    TerminalToolContent,
    TextContent,
    ToolCall,
    ToolCallUpdate,
    ToolLocation,
    Update,
    UsageUpdate,
)
from sidekicks.base.supervisor import Supervisor

pytestmark = pytest.mark.skipif(
    not is_installed(), reason="npm's SDK is not installed: run `npm ci` in ui/"
)
Json = dict[str, Any]
Frames = list[tuple[str, Json]]
SELECT = SelectOption(
    id="model",
    name="Model",
    category="model",
    current_value="a",
    options=(
        ConfigChoice(value="a", name="A", description="First"),
        ConfigChoice(value="b", name="B"),
    ),
)
GROUPED = SelectOption(
    id="level",
    name="Level",
    current_value="b",
    options=(ConfigChoice(group="g", name="G", options=(ConfigValue(value="b", name="B"),)),),
)
OPTIONS = (SELECT, GROUPED, BooleanOption(id="fast", name="Fast", current_value=True))
TEXT = TextContent(text="hi")
IMAGE = ImageContent(data="aGk=", mime_type="image/png")
LINK = ResourceLink(uri="file:///w/a", name="a", size=3, mime_type="text/plain")
EMBEDDED = EmbeddedResource(resource=Resource(uri="file:///w/a", text="hi"))
UPDATES: tuple[Update, ...] = (
    AgentMessageChunk(content=TEXT, message_id="m"),
    AgentMessageChunk(content=IMAGE),
    AgentMessageChunk(content=LINK),
    AgentMessageChunk(content=EMBEDDED),
    ToolCall(tool_call_id="t", title="T"),
    ToolCall(
        tool_call_id="t",
        title="T",
        name="tool",
        kind="edit",
        status="pending",
        content=(
            BlockToolContent(content=TEXT),
            DiffToolContent(path="/w/a", new_text="x"),
            DiffToolContent(path="/w/a", new_text="x", old_text="y"),
            TerminalToolContent(terminal_id="x"),
        ),
        locations=(ToolLocation(path="/w/a", line=1), ToolLocation(path="/w/b")),
        raw_input={"a": 1},
        raw_output=[1],
    ),
    ToolCallUpdate(tool_call_id="t", status="completed", content=(), locations=()),
    PlanUpdate(entries=(PlanEntry(content="one", status="pending", priority="low"),)),
    PlanUpdate(entries=()),
    CommandsUpdate(
        available_commands=(
            AvailableCommand(name="a"),
            AvailableCommand(name="b", description="B", input=CommandInput(hint="h")),
        )
    ),
    ModeUpdate(current_mode_id="m"),
    ConfigOptionsUpdate(config_options=OPTIONS),
    SessionInfoUpdate(title="T", updated_at=None),
    UsageUpdate(used=1, size=2, cost=Cost(amount=0.5, currency="EUR")),
)


def decoded(frames: Sequence[tuple[str, bytes]]) -> Frames:
    """Return frames as they went over the wire, as objects."""
    return [(direction, json.loads(line)) for direction, line in frames]


class Everything(AgentPeer):
    """An agent that offers all there is; what it answers is full, or as little as may be."""

    def __init__(self, *, full: bool) -> None:
        self.full = full

    async def initialize(self, request: InitializeRequest) -> Initialized:
        if not self.full:
            return Initialized(protocol_version=1)
        offered = Offered()
        return Initialized(
            protocol_version=1,
            agent_capabilities=AgentCapabilities(
                load_session=True,
                prompt_capabilities=PromptCapabilities(image=True, embedded_context=True),
                session_capabilities=SessionCapabilities(
                    list=offered, resume=offered, close=offered, delete=offered
                ),
            ),
            auth_methods=(
                AuthMethod(id="key", name="Key", description="A key"),
                AuthMethod(id="t", name="Terminal", type="terminal", args=("login",)),
            ),
            agent_info=Implementation(name="all", version="1", title="All"),
        )

    async def new_session(self, cwd: str, mcp_servers: Sequence[McpServer]) -> SessionOpened:
        return self._opened()

    async def load_session(
        self, session_id: str, cwd: str, mcp_servers: Sequence[McpServer]
    ) -> SessionOpened:
        return self._opened()

    async def resume_session(
        self, session_id: str, cwd: str, mcp_servers: Sequence[McpServer]
    ) -> SessionOpened:
        return self._opened()

    async def list_sessions(self, cwd: str | None, cursor: str | None) -> SessionList:
        if not self.full:
            return SessionList(sessions=())
        known = SessionListed(session_id="s", cwd="/w", title="T", updated_at="2026-01-01T00:00Z")
        return SessionList(
            sessions=(known, SessionListed(session_id="s", cwd="/w")), next_cursor="c"
        )

    async def close_session(self, session_id: str) -> None: ...

    async def delete_session(self, session_id: str) -> None: ...

    async def set_mode(self, session_id: str, mode_id: str) -> None: ...

    async def authenticate(self, method_id: str) -> None: ...

    async def logout(self) -> None: ...

    async def set_config_option(
        self, session_id: str, option_id: str, value: str | bool
    ) -> Sequence[ConfigOption]:
        return OPTIONS if self.full else ()

    async def prompt(self, session_id: str, blocks: Sequence[ContentBlock]) -> Prompted:
        return Prompted(stop_reason="end_turn" if self.full else "cancelled")

    async def cancel(self, session_id: str) -> None: ...

    def _opened(self) -> SessionOpened:
        if not self.full:
            return SessionOpened(session_id="s")
        modes = Modes(current_mode_id="m", available_modes=(Mode(id="m", name="M"),))
        return SessionOpened(session_id="s", modes=modes, config_options=OPTIONS)


SESSION = {"sessionId": "s"}
OPENING: Json = {"cwd": "/w", "mcpServers": []}
ASKED: dict[str, Json] = {
    "initialize": {"protocolVersion": 1},
    "authenticate": {"methodId": "key"},
    "session/new": OPENING,
    "session/load": {**SESSION, **OPENING},
    "session/resume": {**SESSION, **OPENING},
    "session/list": {},
    "session/set_mode": {**SESSION, "modeId": "m"},
    "session/set_config_option": {**SESSION, "configId": "model", "value": "a"},
    "session/prompt": {**SESSION, "prompt": []},
    "session/close": SESSION,
    "session/delete": SESSION,
    "logout": {},
}


@pytest.mark.parametrize("full", [True, False], ids=["full", "bare"])
@pytest.mark.parametrize("method", ASKED)
async def test_an_answer_of_our_agents_side(method: str, full: bool) -> None:
    frames: list[tuple[str, bytes]] = []
    supervisor = Supervisor()
    connection = AgentConnection(
        Sent(),
        Everything(full=full),
        supervisor,
        pytest.fail,
        lambda direction, line: frames.append((direction, line)),
    )
    connection.feed(frame_bytes(id=1, method=method, params=ASKED[method]))
    connection.feed(frame_bytes(id=2, method=method))
    connection.feed(frame_bytes(id="x", method="session/teleport", params={}))
    await asyncio.sleep(0.01)
    connection.end()
    await supervisor.stop(5)
    answers = [frame for direction, frame in decoded(frames) if direction == "to"]
    assert {frame["id"] for frame in answers} == {1, 2, "x"}
    assert "result" in next(frame for frame in answers if frame["id"] == 1)
    assert faults_of(decoded(frames)) == []


@pytest.mark.parametrize("update", UPDATES, ids=lambda update: type(update).__name__)
async def test_an_update_of_our_agents_side(update: Update) -> None:
    sent = Sent()
    connection = AgentConnection(sent, Everything(full=True), Supervisor(), pytest.fail)
    connection.update("s", update)
    assert faults_of([("to", sent.frame())]) == []


async def test_a_question_of_our_agents_side() -> None:
    sent = Sent()
    connection = AgentConnection(sent, Everything(full=True), Supervisor(), pytest.fail)
    call = ToolCallUpdate(tool_call_id="t", title="T", kind="edit", status="pending")
    options = (PermissionOption(option_id="a", name="A", kind="allow_once"),)
    asking = asyncio.ensure_future(connection.request_permission("s", call, options))
    await asyncio.sleep(0)
    asking.cancel()
    await asyncio.wait([asking])
    frames = sent.frames()
    assert [frame["method"] for frame in frames] == [
        "session/request_permission",
        "$/cancel_request",
    ]
    assert faults_of([("to", frame) for frame in frames]) == []


async def test_the_bundled_agent(tmp_path: Path) -> None:
    frames: list[tuple[str, bytes]] = []

    def keep(direction: str, line: bytes) -> None:
        # Ours is here the side that the client hears.
        frames.append(("to" if direction == "from" else "from", line))

    async with ModelServer(("stub-model", "other")) as model:
        env = {"SIDEKICKS_MODEL_URL": model.url}
        async with run_program(tmp_path, env, on_frame=keep) as (person, _):
            for text in ("/tour", "/help", "/files", "/no-such-thing", "!think hm\n!say hi"):
                await person.say(text)
            await person.say(TextContent(text="hi"), LINK, EMBEDDED)
            (option,) = person.options
            await person.choose(str(option.current_value))
            person.answer = None
            stopped = asyncio.ensure_future(person.say("/tour"))
            await person.until(lambda: len(person.asked) == 2)
            person.stop()
            assert await stopped == "cancelled"
            await person.close_session()
    kinds = {
        f["params"]["update"]["sessionUpdate"]
        for _, f in decoded(frames)
        if "update" in str(f.get("method"))
    }
    assert kinds >= {"plan", "tool_call", "tool_call_update", "agent_thought_chunk"}
    assert faults_of(decoded(frames)) == []


async def test_the_app_as_a_client(tmp_path: Path) -> None:
    record = tmp_path / "wire"
    session = {
        "configOptions": [
            {
                "id": "model",
                "name": "Model",
                "type": "select",
                "currentValue": "a",
                "options": [{"value": "a", "name": "A"}],
            },
            {"id": "fast", "name": "Fast", "type": "boolean", "currentValue": False},
        ]
    }
    call = {"toolCallId": "t", "title": "Read", "kind": "read"}
    alice = script(
        on_prompt(ask(call), when="ask"),
        on_prompt(say("x"), until_cancelled(), when="long"),
        on_prompt(request("fs/read_text_file", {"path": "/a"}), say("x"), when="odd"),
        on_prompt(ask(call, wait=False), {"withdraw": True}, say("x"), when="withdraw"),
        on("session/new", error(-32000, "Sign in"), times=1),
        record=record,
        session=session,
        initialize={"authMethods": [{"id": "key", "name": "Key"}]},
    )
    frames: list[tuple[str, str]] = []
    stage = Stage(tmp_path, alice=alice)

    async def keep_frames() -> None:
        entries = (await stage.invoke("get_log", agentId="alice", frames=True))["entries"]
        frames.extend((e["direction"], e["text"]) for e in entries if e["kind"] == "frame")

    async with stage:
        await stage.say("alice", "hello")
        await stage.invoke("sign_in", agentId="alice", methodId="key")
        await stage.say("alice", "odd")
        await stage.say("alice", "withdraw")
        channel = await stage.direct("alice")
        for option, value in (("model", "a"), ("fast", True)):
            await stage.invoke(
                "set_option", channelId=channel, agentId="alice", optionId=option, value=value
            )
        for text in ("ask and allow", "ask and stop"):
            sent = await stage.send("alice", text)
            turn = sent["turns"][0]["turnId"]
            asked = (
                await stage.until(
                    lambda e, turn=turn: (
                        e["type"] == "permission.asked" and e["permission"]["turnId"] == turn
                    )
                )
            )["permission"]["permissionId"]
            if "allow" in text:
                await stage.invoke("answer_permission", permissionId=asked, optionId="allow")
            else:
                await stage.invoke("stop_turn", channelId=channel)
            await stage.ended(turn)
        await keep_frames()
    async with stage:
        await stage.say("alice", "after a restart")
        await keep_frames()
    told = [(direction, json.loads(text)) for direction, text in frames]
    methods = {
        frame["method"] for direction, frame in told if direction == "to" and "method" in frame
    }
    assert methods == {
        "initialize",
        "authenticate",
        "session/new",
        "session/load",
        "session/prompt",
        "session/set_config_option",
        "session/cancel",
    }
    assert faults_of(told) == []


async def test_what_the_client_can_ask_besides() -> None:
    frames: list[tuple[str, bytes]] = []
    connection = ClientConnection(Sent(), Listener(), lambda d, line: frames.append((d, line)))
    servers: tuple[McpServer, ...] = ({"name": "n", "command": "/n", "args": [], "env": []},)
    asking = [
        connection.logout(),
        connection.new_session("/w", servers),
        connection.resume_session("s", "/w", servers),
        connection.list_sessions(),
        connection.list_sessions("/w", "c"),
        connection.close_session("s"),
        connection.delete_session("s"),
        connection.set_mode("s", "m"),
        connection.prompt("s", [TEXT, IMAGE, LINK, EMBEDDED]),
    ]
    asked = [asyncio.ensure_future(each) for each in asking]
    await asyncio.sleep(0)
    for each in asked:
        each.cancel()
    await asyncio.wait(asked)
    assert len(frames) == 2 * len(asked)
    assert faults_of(decoded(frames)) == []


@pytest.mark.parametrize(
    "update",
    [
        {"sessionUpdate": "usage_update", "used": 1},
        {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": 1}},
        {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": ""}, "id": 1},
        {"sessionUpdate": "tool_call", "toolCallId": "t", "title": "T", "locations": [{"pat": ""}]},
        {"sessionUpdate": "holo"},
    ],
    ids=["missing", "wrong type", "unknown field", "misspelt within", "unknown kind"],
)
def test_a_frame_that_is_wrong_is_found(update: Json) -> None:
    params = {"sessionId": "s", "update": update}
    frame = {"jsonrpc": "2.0", "method": "session/update", "params": params}
    assert len(faults_of([("to", frame)])) == 1
