"""Tool calls: an update is merged into what is known of the call, where null means unchanged."""

from typing import Any

import msgspec

from sidekicks.acp import (
    BlockToolContent,
    ContentBlock,
    DiffToolContent,
    EmbeddedResource,
    ImageContent,
    PermissionAsked,
    ResourceLink,
    TerminalToolContent,
    TextContent,
    ToolCallContent,
    ToolCallUpdate,
    UnknownContent,
    UnknownToolContent,
)
from sidekicks.contract import parts, state
from sidekicks.contract.ids import PartId, PermissionId, make_id
from sidekicks.contract.state import Permission, PermissionOption, Turn
from sidekicks.turns.words import say

TERMINAL_CHARACTERS = 200_000
"""Kept of what a terminal of the agent's own printed: the end of it."""


def merge_tool(
    known: parts.ToolPart | None, part_id: PartId, update: ToolCallUpdate
) -> parts.ToolPart:
    """Return the call with what the update says of it."""
    base = known or parts.ToolPart(part_id=part_id, tool_call_id=update.tool_call_id, title="")
    content = base.content
    if update.content is not None:
        content = tuple(_shown(item, base.content) for item in update.content)
    if (printed := update.terminal_output) is not None:
        content = _with_output(content, printed.terminal_id, printed.data)
    return parts.ToolPart(
        part_id=part_id,
        tool_call_id=update.tool_call_id,
        title=update.title or base.title or update.name or "",
        kind=update.kind or base.kind,
        status=update.status or base.status,
        locations=base.locations
        if update.locations is None
        else tuple(parts.Location(path=at.path, line=at.line) for at in update.locations),
        content=content,
        input=base.input if update.raw_input is None else update.raw_input,
        output=base.output if update.raw_output is None else update.raw_output,
    )


def ask_for(turn: Turn, known: parts.ToolPart, asked: PermissionAsked, now: str) -> Permission:
    """Return an agent's question, with all that is known of the tool call it is about."""
    return Permission(
        permission_id=PermissionId(make_id("q")),
        channel_id=turn.channel_id,
        agent_id=turn.agent_id,
        turn_id=turn.turn_id,
        tool_call=state.ToolCall(
            tool_call_id=known.tool_call_id,
            title=known.title or say("untitled_tool"),
            kind=known.kind,
            locations=known.locations,
            content=known.content,
            input=known.input,
        ),
        options=tuple(
            PermissionOption(option_id=option.option_id, name=option.name, kind=option.kind)
            for option in asked.options
        ),
        asked_at=now,
    )


def _shown(item: ToolCallContent, before: tuple[parts.ToolContent, ...]) -> parts.ToolContent:
    match item:
        case BlockToolContent(content=TextContent(text=text)):
            return parts.ToolText(text=text)
        case BlockToolContent(content=ImageContent(mime_type=mime_type, data=data)):
            return parts.ToolImage(mime_type=mime_type, data=data)
        case BlockToolContent(content=ResourceLink(name=name, uri=uri)):
            return parts.ToolText(text=f"{name} {uri}".strip())
        case BlockToolContent(content=EmbeddedResource(resource=resource)) if resource.text:
            return parts.ToolText(text=resource.text)
        case DiffToolContent():
            return parts.ToolDiff(path=item.path, old_text=item.old_text, new_text=item.new_text)
        case TerminalToolContent():
            return parts.ToolTerminal(
                terminal_id=item.terminal_id, output=_output_of(before, item.terminal_id)
            )
        case _:
            return parts.ToolOther(raw=raw_of(item))


def raw_of(item: ToolCallContent | ContentBlock) -> Any:
    """Return content as it is on the wire: an object, or anything at all of an unknown kind."""
    if isinstance(item, UnknownContent | UnknownToolContent):
        return item.raw
    return msgspec.to_builtins(item)


def _with_output(
    content: tuple[parts.ToolContent, ...], terminal_id: str, data: str
) -> tuple[parts.ToolContent, ...]:
    output = (_output_of(content, terminal_id) + data)[-TERMINAL_CHARACTERS:]
    terminal = parts.ToolTerminal(terminal_id=terminal_id, output=output)
    if not any(_is_terminal(item, terminal_id) for item in content):
        return (*content, terminal)
    # In its place: on a card that jumped at each line nobody could read.
    return tuple(terminal if _is_terminal(item, terminal_id) else item for item in content)


def _output_of(content: tuple[parts.ToolContent, ...], terminal_id: str) -> str:
    for item in content:
        if isinstance(item, parts.ToolTerminal) and item.terminal_id == terminal_id:
            return item.output
    return ""


def _is_terminal(item: parts.ToolContent, terminal_id: str) -> bool:
    return isinstance(item, parts.ToolTerminal) and item.terminal_id == terminal_id
