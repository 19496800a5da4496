"""Each kind of update, as different agents send it, exact and not."""

from typing import Any

import msgspec
import pytest

from fakes.acp_peers import Listener, Sent, update_bytes
from sidekicks.acp import (
    AgentMessageChunk,
    AgentThoughtChunk,
    AudioContent,
    AvailableCommand,
    BlockToolContent,
    BooleanOption,
    ClientConnection,
    CommandInput,
    CommandsUpdate,
    ConfigChoice,
    ConfigOptionsUpdate,
    ConfigValue,
    Cost,
    DiffToolContent,
    EmbeddedResource,
    ImageContent,
    ModeUpdate,
    Notice,
    PlanEntry,
    PlanUpdate,
    Resource,
    ResourceLink,
    SelectOption,
    SessionInfoUpdate,
    TerminalExit,
    TerminalOutput,
    TerminalToolContent,
    TextContent,
    ToolCall,
    ToolCallUpdate,
    ToolLocation,
    ToolMeta,
    UnknownContent,
    UnknownToolContent,
    UnknownUpdate,
    Update,
    UsageUpdate,
    UserMessageChunk,
)


def told(**update: Any) -> Update:
    """Return what the peer is told of an update."""
    listener = Listener()
    ClientConnection(Sent(), listener).feed(update_bytes(**update))
    assert not listener.noise
    ((session_id, heard),) = listener.told
    assert session_id == "s1"
    return heard


def test_chunks() -> None:
    content = {"type": "text", "text": "hi"}
    assert told(sessionUpdate="agent_message_chunk", content=content) == AgentMessageChunk(
        content=TextContent(text="hi")
    )
    # The tag comes last from many agents.
    assert told(
        content=content, messageId="m1", sessionUpdate="agent_thought_chunk"
    ) == AgentThoughtChunk(content=TextContent(text="hi"), message_id="m1")
    assert told(
        sessionUpdate="user_message_chunk", content=content, _meta={"isReplay": True}
    ) == UserMessageChunk(content=TextContent(text="hi"))


@pytest.mark.parametrize(
    ("content", "block"),
    [
        (
            {"type": "text", "text": "a", "annotations": {"audience": ["user"]}},
            TextContent(text="a"),
        ),
        (
            {"type": "image", "data": "AA==", "mimeType": "image/png", "uri": None},
            ImageContent(data="AA==", mime_type="image/png"),
        ),
        (
            {"type": "audio", "data": "AA==", "mimeType": "audio/wav"},
            AudioContent(data="AA==", mime_type="audio/wav"),
        ),
        (
            {"type": "resource_link", "uri": "file:///a", "name": "a", "size": 3},
            ResourceLink(uri="file:///a", name="a", size=3),
        ),
        (
            {"type": "resource", "resource": {"uri": "file:///a", "text": "x"}},
            EmbeddedResource(resource=Resource(uri="file:///a", text="x")),
        ),
        ("plain", TextContent(text="plain")),
        (
            {"type": "video", "data": "AA", "_meta": {"big": 1}},
            UnknownContent(kind="video", raw={"type": "video", "data": "AA"}),
        ),
        (
            {"type": "image", "data": 5},
            UnknownContent(kind="image", raw={"type": "image", "data": 5}),
        ),
        ({"text": "no type"}, UnknownContent(kind="", raw={"text": "no type"})),
        ({"type": ["text"]}, UnknownContent(kind="", raw={"type": ["text"]})),
        (7, UnknownContent(kind="", raw=7)),
        (None, UnknownContent(kind="", raw=None)),
        (
            [{"type": "text", "text": "a"}],
            UnknownContent(kind="", raw=[{"type": "text", "text": "a"}]),
        ),
    ],
)
def test_content_of_every_kind(content: Any, block: Any) -> None:
    assert told(sessionUpdate="agent_message_chunk", content=content) == AgentMessageChunk(
        content=block
    )


def test_a_tool_call_with_everything() -> None:
    assert told(
        sessionUpdate="tool_call",
        toolCallId="t1",
        title="Edit a.py",
        name="edit",
        kind="edit",
        status="pending",
        content=[
            {"type": "content", "content": {"type": "text", "text": "out"}},
            {"type": "diff", "path": "/w/a.py", "oldText": None, "newText": "x"},
            {"type": "terminal", "terminalId": "t9"},
            {"type": "hologram", "x": 1},
        ],
        locations=[{"path": "/w/a.py", "line": 3}, {"path": "/w/b.py"}],
        rawInput={"path": "a.py"},
        rawOutput=[1, {"two": None}],
    ) == ToolCall(
        tool_call_id="t1",
        title="Edit a.py",
        name="edit",
        kind="edit",
        status="pending",
        content=(
            BlockToolContent(content=TextContent(text="out")),
            DiffToolContent(path="/w/a.py", new_text="x"),
            TerminalToolContent(terminal_id="t9"),
            UnknownToolContent(kind="hologram", raw={"type": "hologram", "x": 1}),
        ),
        locations=(ToolLocation(path="/w/a.py", line=3), ToolLocation(path="/w/b.py")),
        raw_input={"path": "a.py"},
        raw_output=[1, {"two": None}],
    )


def test_what_a_tool_call_leaves_out_is_null_and_an_empty_list_is_not() -> None:
    update = told(sessionUpdate="tool_call_update", toolCallId="t1", title=None, content=[])
    assert update == ToolCallUpdate(tool_call_id="t1", content=())
    assert isinstance(update, ToolCallUpdate)
    assert update.title is None
    assert update.locations is None


def test_a_tool_call_without_a_title_or_with_words_of_its_own() -> None:
    assert told(sessionUpdate="tool_call", toolCallId="t1") == ToolCall(tool_call_id="t1")
    assert told(
        sessionUpdate="tool_call", toolCallId="t1", title="x", kind="teleport", status="cancelled"
    ) == ToolCall(tool_call_id="t1", title="x", kind="teleport", status="cancelled")


def test_output_of_a_terminal_of_the_agents_own() -> None:
    update = told(
        sessionUpdate="tool_call_update",
        toolCallId="t1",
        content=[{"type": "terminal", "terminalId": "t1"}],
        _meta={
            "terminal_output": {"terminal_id": "t1", "data": "Linux\n"},
            "terminal_exit": {"terminal_id": "t1", "exit_code": 1, "signal": None},
            "claudeCode": {"toolName": "Bash"},
        },
    )
    assert isinstance(update, ToolCallUpdate)
    output = TerminalOutput(terminal_id="t1", data="Linux\n")
    assert update.terminal_output == output
    assert update.meta == ToolMeta(
        terminal_output=output, terminal_exit=TerminalExit(terminal_id="t1", exit_code=1)
    )


def test_fields_of_a_wrong_type_are_kept_beside_the_rest() -> None:
    assert told(
        sessionUpdate="tool_call",
        toolCallId="t1",
        title=5,
        status={"a": 1},
        content={"type": "content", "content": "one, not a list"},
        locations=["/w/a", {"path": "/w/b", "line": 3.0}, {"line": 4}],
        rawInput="text",
        _meta="text",
    ) == ToolCall(
        tool_call_id="t1",
        content=(BlockToolContent(content=TextContent(text="one, not a list")),),
        locations=(ToolLocation(path="/w/a"), ToolLocation(path="/w/b", line=3)),
        raw_input="text",
        unread={"title": 5, "status": {"a": 1}, "_meta": "text"},
    )


def test_a_plan_with_words_of_its_own() -> None:
    assert told(
        sessionUpdate="plan",
        entries=[
            {"content": "a", "priority": "urgent", "status": "pending"},
            {"content": "b", "priority": "high"},
            "c",
            {"priority": "high"},
        ],
    ) == PlanUpdate(
        entries=(
            PlanEntry(content="a", priority="urgent", status="pending"),
            PlanEntry(content="b", priority="high"),
            PlanEntry(content="c"),
        )
    )


def test_commands() -> None:
    assert told(
        sessionUpdate="available_commands_update",
        availableCommands=[
            {"name": "help", "description": "Helps", "input": {"hint": "what"}},
            {"name": "quit", "input": None},
            {"name": "odd", "description": 5, "input": 7},
            {"description": "nameless"},
        ],
        _meta={"skills": ["x" * 500_000]},
    ) == CommandsUpdate(
        available_commands=(
            AvailableCommand(name="help", description="Helps", input=CommandInput(hint="what")),
            AvailableCommand(name="quit"),
            AvailableCommand(name="odd"),
        )
    )


def test_config_options_flat_grouped_boolean_and_of_a_type_that_we_do_not_know() -> None:
    select = {"id": "m", "name": "Model", "type": "select", "currentValue": "b"}
    choices = [{"value": "a", "name": "A"}, {"value": "b", "name": "B", "description": "best"}]
    update = told(
        sessionUpdate="config_option_update",
        configOptions=[
            {**select, "category": "model", "options": choices},
            {**select, "options": [{"group": "g", "name": "Group", "options": choices}]},
            {"id": "x", "name": "X", "type": "boolean", "currentValue": True},
            {"id": "s", "name": "S", "type": "slider", "currentValue": 3, "min": 0},
        ],
    )
    a, b = ConfigChoice(value="a", name="A"), ConfigChoice(value="b", name="B", description="best")
    flat = SelectOption(id="m", name="Model", category="model", current_value="b", options=(a, b))
    assert isinstance(update, ConfigOptionsUpdate)
    first, grouped, boolean = update.config_options
    assert first == flat
    assert isinstance(grouped, SelectOption)
    assert grouped.options[0].group == "g"
    assert list(flat.choices()) == [a, b]
    assert list(grouped.choices()) == [
        ConfigValue(value="a", name="A"),
        ConfigValue(value="b", name="B", description="best"),
    ]
    assert boolean == BooleanOption(id="x", name="X", current_value=True)


def test_mode_usage_and_notice() -> None:
    assert told(sessionUpdate="current_mode_update", currentModeId="plan") == ModeUpdate(
        current_mode_id="plan"
    )
    cost = {"amount": 0.25, "currency": "USD"}
    assert told(sessionUpdate="usage_update", used=10, size=200, cost=cost) == UsageUpdate(
        used=10, size=200, cost=Cost(amount=0.25, currency="USD")
    )
    assert told(sessionUpdate="usage_update", used=1.5) == UsageUpdate(used=1.5)
    assert told(sessionUpdate="notice", severity="odd", title="Low disk") == Notice(
        severity="odd", title="Low disk"
    )


def test_a_session_title_is_left_cleared_or_set() -> None:
    kept = told(sessionUpdate="session_info_update", _meta={"codex": {}})
    assert kept == SessionInfoUpdate()
    cleared = told(sessionUpdate="session_info_update", title=None)
    assert isinstance(cleared, SessionInfoUpdate)
    assert cleared.title is None
    assert cleared.updated_at is msgspec.UNSET
    assert told(sessionUpdate="session_info_update", title="T") == SessionInfoUpdate(title="T")


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("holo_update", {"foo": [1, 2]}),
        ("plan_update", {"plan": {"type": "items", "planId": "p"}}),
        ("compaction_update", {"compactionId": "c", "status": "in_progress"}),
        ("", {"kind": "x", "raw": 1}),
        # Known kinds that lack what they must have.
        ("tool_call", {"title": "no id"}),
        ("plan", {}),
        ("agent_message_chunk", {}),
        ("current_mode_update", {"currentModeId": 4}),
    ],
)
def test_an_update_that_cannot_be_read_is_kept_as_it_came(kind: str, fields: Any) -> None:
    assert told(sessionUpdate=kind, **fields, _meta={"big": 1}) == UnknownUpdate(
        kind=kind, raw={"sessionUpdate": kind, **fields}
    )


def test_an_update_without_a_kind_is_kept_too() -> None:
    assert told(text="x") == UnknownUpdate(kind="", raw={"text": "x"})


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("field", ["rawInput", "rawOutput", "unheardOf"])
def test_json_that_no_program_can_walk_is_noise(field: str) -> None:
    listener = Listener()
    line = update_bytes(sessionUpdate="tool_call", toolCallId="t", **{field: "?"})
    connection = ClientConnection(Sent(), listener)
    connection.feed(line.replace(b'"?"', b"[" * 100_000 + b"]" * 100_000))
    assert (len(listener.noise), listener.told) == (1, [])
    connection.feed(line)
    assert len(listener.told) == 1


def test_json_of_the_agents_that_is_nested_too_deep_is_cut() -> None:
    for update in (
        told(sessionUpdate="tool_call", toolCallId="t", rawInput={"a": nested(500)}),
        told(sessionUpdate="tool_call", toolCallId="t", title=nested(500)),
        told(sessionUpdate="holo", a=nested(500)),
    ):
        text = msgspec.json.encode(update)
        assert text.count(b"[") < 70
        assert "…".encode() in text
    shallow = told(sessionUpdate="tool_call", toolCallId="t", rawOutput=nested(60))
    assert shallow == ToolCall(tool_call_id="t", raw_output=nested(60))
