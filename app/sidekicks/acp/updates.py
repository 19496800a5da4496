"""What an agent tells of a session while it works: the kinds of `session/update`."""

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from sidekicks.acp.content import ContentBlock, ToolCallContent
from sidekicks.acp.lenient import UNSENT_TAG, AcpStruct, Json, Number, Unknown, shallow
from sidekicks.acp.options import ConfigOption


class UpdateBase(AcpStruct, frozen=True, kw_only=True, tag_field="sessionUpdate"):
    """An update. `unread` holds the fields that were not of their type, as they came."""

    unread: dict[str, Any] | None = msgspec.field(default=None, name="$unread")


class ChunkBase(UpdateBase, frozen=True, kw_only=True):
    """A piece of a message; few agents give the message's id."""

    content: ContentBlock
    message_id: str | None = None


class UserMessageChunk(ChunkBase, frozen=True, kw_only=True, tag="user_message_chunk"):
    """A piece of what the person said: the history of a loaded session, or an echo."""


class AgentMessageChunk(ChunkBase, frozen=True, kw_only=True, tag="agent_message_chunk"):
    """A piece of what the agent says."""


class AgentThoughtChunk(ChunkBase, frozen=True, kw_only=True, tag="agent_thought_chunk"):
    """A piece of what the agent thinks."""


class ToolLocation(AcpStruct, frozen=True, kw_only=True):
    """A file that a tool works on, by its absolute path; lines count from 1."""

    bare = "path"
    path: str
    line: int | None = None


class TerminalCreated(AcpStruct, frozen=True, kw_only=True, rename=None):
    """A terminal of the agent's own."""

    terminal_id: str
    cwd: str | None = None


class TerminalOutput(AcpStruct, frozen=True, kw_only=True, rename=None):
    """What a terminal of the agent's own printed."""

    terminal_id: str
    data: str


class TerminalExit(AcpStruct, frozen=True, kw_only=True, rename=None):
    """How a program in a terminal of the agent's own ended."""

    terminal_id: str
    exit_code: int | None = None
    signal: str | int | None = None


class ToolMeta(AcpStruct, frozen=True, kw_only=True, rename=None):
    """The part of a tool call's `_meta` that we use: terminals that the agent runs itself."""

    terminal_info: TerminalCreated | None = None
    terminal_output: TerminalOutput | None = None
    terminal_exit: TerminalExit | None = None


class ToolCallUpdate(UpdateBase, frozen=True, kw_only=True, tag="tool_call_update"):
    """What is new of a tool call, which may not have been heard of before.

    Null leaves a field as it was; a list replaces the one before. `kind` and `status` are the
    agent's words, known to us or not.
    """

    tool_call_id: str
    title: str | None = None
    name: str | None = None
    kind: str | None = None
    status: str | None = None
    content: tuple[ToolCallContent, ...] | None = None
    locations: tuple[ToolLocation, ...] | None = None
    raw_input: Json = None
    raw_output: Json = None
    meta: ToolMeta | None = msgspec.field(default=None, name="_meta")

    def __post_init__(self) -> None:
        """Keep the agent's own JSON to a depth that everything after us can walk."""
        for name, value in (("raw_input", self.raw_input), ("raw_output", self.raw_output)):
            if (kept := shallow(value)) is not value:
                msgspec.structs.force_setattr(self, name, kept)

    @property
    def terminal_output(self) -> TerminalOutput | None:
        """What a terminal of the agent's own printed."""
        return None if self.meta is None else self.meta.terminal_output


class ToolCall(ToolCallUpdate, frozen=True, kw_only=True, tag="tool_call"):
    """A tool call, usually new; some agents send a second one to change the first."""


class PlanEntry(AcpStruct, frozen=True, kw_only=True, omit_defaults=False):
    """A step; `priority` and `status` are the agent's words."""

    bare = "content"
    content: str
    priority: str = "medium"
    status: str = "pending"


class PlanUpdate(UpdateBase, frozen=True, kw_only=True, tag="plan"):
    """The whole plan, in place of the one before."""

    entries: tuple[PlanEntry, ...]


class CommandInput(AcpStruct, frozen=True, kw_only=True):
    """What may follow a command."""

    bare = "hint"
    hint: str


class AvailableCommand(AcpStruct, frozen=True, kw_only=True, omit_defaults=False):
    """A slash command, by its name without the slash."""

    bare = "name"
    name: str
    description: str = ""
    input: CommandInput | None = None


class CommandsUpdate(UpdateBase, frozen=True, kw_only=True, tag="available_commands_update"):
    """All commands, in place of those before."""

    available_commands: tuple[AvailableCommand, ...]


class ModeUpdate(UpdateBase, frozen=True, kw_only=True, tag="current_mode_update"):
    """The session's mode."""

    current_mode_id: str


class ConfigOptionsUpdate(UpdateBase, frozen=True, kw_only=True, tag="config_option_update"):
    """All options of the session, in place of those before."""

    config_options: tuple[ConfigOption, ...]


class SessionInfoUpdate(UpdateBase, frozen=True, kw_only=True, tag="session_info_update"):
    """Unset leaves a field as it was, null clears it."""

    title: str | UnsetType | None = UNSET
    updated_at: str | UnsetType | None = UNSET


class Cost(AcpStruct, frozen=True, kw_only=True):
    """What a session has cost so far."""

    amount: Number
    currency: str


class UsageUpdate(UpdateBase, frozen=True, kw_only=True, tag="usage_update"):
    """Tokens in the session's context, of how many."""

    used: Number | None = None
    size: Number | None = None
    cost: Cost | None = None


class Notice(UpdateBase, frozen=True, kw_only=True, tag="notice"):
    """Something that the person should know; `severity` is info, warning, error or another word."""

    severity: str
    title: str
    description: str | None = None


class UnknownUpdate(Unknown, frozen=True, kw_only=True, tag_field="sessionUpdate", tag=UNSENT_TAG):
    """An update of a kind that we do not know, or that lacks what its kind must have."""


Update = (
    UserMessageChunk
    | AgentMessageChunk
    | AgentThoughtChunk
    | ToolCall
    | ToolCallUpdate
    | PlanUpdate
    | CommandsUpdate
    | ModeUpdate
    | ConfigOptionsUpdate
    | SessionInfoUpdate
    | UsageUpdate
    | Notice
    | UnknownUpdate
)
