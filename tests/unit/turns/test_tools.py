"""Tool calls: what an update leaves, replaces and adds."""

from typing import Any

import msgspec
import pytest

from fakes.clock import FakeClock
from sidekicks.acp import (
    AudioContent,
    BlockToolContent,
    DiffToolContent,
    EmbeddedResource,
    ImageContent,
    PermissionAsked,
    Resource,
    ResourceLink,
    TerminalOutput,
    TerminalToolContent,
    TextContent,
    ToolCall,
    ToolCallContent,
    ToolCallUpdate,
    ToolLocation,
    ToolMeta,
    UnknownToolContent,
)
from sidekicks.acp import PermissionOption as AgentOption
from sidekicks.contract.ids import AgentId, ChannelId, MessageId, PartId, TurnId
from sidekicks.contract.parts import (
    Location,
    ToolContent,
    ToolDiff,
    ToolImage,
    ToolOther,
    ToolPart,
    ToolTerminal,
    ToolText,
)
from sidekicks.contract.state import Turn
from sidekicks.turns.tools import TERMINAL_CHARACTERS, ask_for, merge_tool

PART = PartId("p1")
FULL = ToolCall(
    tool_call_id="t1",
    title="Edit a.txt",
    kind="edit",
    status="in_progress",
    content=(BlockToolContent(content=TextContent(text="old")),),
    locations=(ToolLocation(path="/w/a.txt", line=3),),
    raw_input={"path": "a.txt"},
    raw_output=[1],
)


def merged(*updates: ToolCallUpdate) -> ToolPart:
    known = None
    for update in updates:
        known = merge_tool(known, PART, update)
    assert known is not None
    return known


def update(**fields: Any) -> ToolCallUpdate:
    return ToolCallUpdate(tool_call_id="t1", **fields)


def printed(data: str, terminal: str = "x") -> ToolCallUpdate:
    return update(meta=ToolMeta(terminal_output=TerminalOutput(terminal_id=terminal, data=data)))


def terminal(name: str = "x") -> TerminalToolContent:
    return TerminalToolContent(terminal_id=name)


def test_a_call_that_is_told_whole() -> None:
    assert merged(FULL) == ToolPart(
        part_id=PART,
        tool_call_id="t1",
        title="Edit a.txt",
        kind="edit",
        status="in_progress",
        locations=(Location(path="/w/a.txt", line=3),),
        content=(ToolText(text="old"),),
        input={"path": "a.txt"},
        output=[1],
    )


def test_a_call_of_which_nothing_but_its_id_is_known() -> None:
    bare = merged(update())
    assert (bare.title, bare.kind, bare.status) == ("", None, "pending")


def test_what_an_update_does_not_name_stays() -> None:
    assert merged(FULL, update()) == merged(FULL)


@pytest.mark.parametrize(
    ("fields", "changed"),
    [
        ({"title": "Edit b.txt"}, {"title": "Edit b.txt"}),
        ({"title": ""}, {}),
        ({"name": "edit_file"}, {}),
        ({"kind": "delete"}, {"kind": "delete"}),
        ({"kind": "teleport"}, {"kind": "teleport"}),
        ({"status": "completed"}, {"status": "completed"}),
        ({"status": "simmering"}, {"status": "simmering"}),
        ({"content": ()}, {"content": ()}),
        ({"locations": ()}, {"locations": ()}),
        ({"raw_input": {"path": "b.txt"}}, {"input": {"path": "b.txt"}}),
        ({"raw_input": {}}, {"input": {}}),
        ({"raw_output": 0}, {"output": 0}),
        ({"raw_output": False}, {"output": False}),
        ({"raw_output": ""}, {"output": ""}),
    ],
    ids=str,
)
def test_what_an_update_names_is_replaced(fields: dict[str, Any], changed: dict[str, Any]) -> None:
    expected = msgspec.structs.replace(merged(FULL), **changed)
    assert merged(FULL, update(**fields)) == expected


def test_the_name_serves_until_there_is_a_title() -> None:
    assert merged(update(name="edit_file")).title == "edit_file"
    assert merged(update(name="edit_file"), update(title="Edit a.txt")).title == "Edit a.txt"


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (BlockToolContent(content=TextContent(text="x")), ToolText(text="x")),
        (
            BlockToolContent(content=ImageContent(data="aGk=", mime_type="image/png")),
            ToolImage(mime_type="image/png", data="aGk="),
        ),
        (
            BlockToolContent(content=ResourceLink(name="a", uri="file:///a")),
            ToolText(text="a file:///a"),
        ),
        (
            BlockToolContent(content=EmbeddedResource(resource=Resource(uri="u", text="inside"))),
            ToolText(text="inside"),
        ),
        (
            DiffToolContent(path="/a", old_text="1", new_text="2"),
            ToolDiff(path="/a", old_text="1", new_text="2"),
        ),
        (
            DiffToolContent(path="/a", new_text="new file"),
            ToolDiff(path="/a", old_text=None, new_text="new file"),
        ),
        (terminal(), ToolTerminal(terminal_id="x", output="")),
        (
            UnknownToolContent(kind="chart", raw={"type": "chart", "bars": [1, 2]}),
            ToolOther(raw={"type": "chart", "bars": [1, 2]}),
        ),
        (
            BlockToolContent(content=AudioContent(data="aGk=", mime_type="audio/wav")),
            ToolOther(
                raw={
                    "type": "content",
                    "content": {"type": "audio", "data": "aGk=", "mimeType": "audio/wav"},
                }
            ),
        ),
        (
            BlockToolContent(content=EmbeddedResource(resource=Resource(uri="u", blob="aGk="))),
            ToolOther(
                raw={
                    "type": "content",
                    "content": {"type": "resource", "resource": {"uri": "u", "blob": "aGk="}},
                }
            ),
        ),
    ],
    ids=str,
)
def test_content(content: ToolCallContent, shown: ToolContent) -> None:
    assert merged(update(content=(content,))).content == (shown,)


def test_a_terminal_gathers_what_it_prints() -> None:
    call = merged(update(content=(terminal(),)), printed("one\n"), printed("two\n"))
    assert call.content == (ToolTerminal(terminal_id="x", output="one\ntwo\n"),)


def test_a_terminal_may_print_before_it_is_shown_and_keeps_it_when_shown_again() -> None:
    call = merged(printed("early "), update(content=(terminal(),)), printed("late"))
    assert call.content == (ToolTerminal(terminal_id="x", output="early late"),)


def test_a_terminal_stays_in_its_place_when_it_prints() -> None:
    note = BlockToolContent(content=TextContent(text="after it"))
    call = merged(update(content=(terminal(), note)), printed("out"))
    assert call.content == (
        ToolTerminal(terminal_id="x", output="out"),
        ToolText(text="after it"),
    )


def test_each_terminal_has_its_own_output() -> None:
    call = merged(
        update(content=(terminal("x"), terminal("y"))), printed("to y", "y"), printed("to x", "x")
    )
    assert call.content == (
        ToolTerminal(terminal_id="x", output="to x"),
        ToolTerminal(terminal_id="y", output="to y"),
    )


def test_of_a_long_output_the_end_is_kept() -> None:
    flood = [printed("x" * (TERMINAL_CHARACTERS // 3)) for _ in range(10)]
    (content,) = merged(*flood, printed("the end")).content
    assert isinstance(content, ToolTerminal)
    assert len(content.output) == TERMINAL_CHARACTERS
    assert content.output.endswith("xthe end")


def test_a_question_shows_all_that_is_known_of_its_call() -> None:
    turn = Turn(
        turn_id=TurnId("t1"),
        channel_id=ChannelId("c1"),
        agent_id=AgentId("alice"),
        state="running",
        user_message_id=MessageId("m1"),
        queued_at="2026-11-30T11:59:00.000Z",
    )
    options = (AgentOption(option_id="x", name="Go", kind="suggest"), AgentOption(option_id=""))
    asked = PermissionAsked("s1", update(), options, lambda option: None)
    known = merged(FULL, update(title="Edit all"))
    permission = ask_for(turn, known, asked, FakeClock().now())
    assert permission.tool_call.title == "Edit all"
    assert permission.tool_call.input == {"path": "a.txt"}
    assert permission.tool_call.locations == known.locations
    assert permission.tool_call.content == known.content
    assert [(o.option_id, o.name, o.kind) for o in permission.options] == [
        ("x", "Go", "suggest"),
        ("", "", ""),
    ]
    assert (permission.turn_id, permission.agent_id, permission.channel_id) == ("t1", "alice", "c1")
    again = ask_for(turn, known, asked, FakeClock().now())
    assert again.permission_id != permission.permission_id


def test_a_question_about_nothing_known_still_has_a_title() -> None:
    turn = Turn(
        turn_id=TurnId("t1"),
        channel_id=ChannelId("c1"),
        agent_id=AgentId("alice"),
        state="running",
        user_message_id=MessageId("m1"),
        queued_at="2026-11-30T11:59:00.000Z",
    )
    asked = PermissionAsked("s1", update(), (), lambda option: None)
    assert ask_for(turn, merged(update()), asked, FakeClock().now()).tool_call.title
