"""What the peers ask of each other: the parameters of each method, as on the wire."""

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec

from sidekicks.acp.answers import PermissionOption
from sidekicks.acp.capabilities import ClientCapabilities, Implementation
from sidekicks.acp.content import ContentBlock
from sidekicks.acp.lenient import AcpStruct, Json
from sidekicks.acp.updates import ToolCallUpdate, Update

McpServer = Mapping[str, Json]
"""An MCP server that the agent should use, as on the wire."""


class Params(AcpStruct, frozen=True, kw_only=True):
    """The parameters of a method."""

    method: ClassVar[str]


class InitializeRequest(Params, frozen=True, kw_only=True):
    """Who the client is, and what it does for agents."""

    method = "initialize"
    protocol_version: int
    client_capabilities: ClientCapabilities = msgspec.field(default_factory=ClientCapabilities)
    client_info: Implementation | None = None


class AuthenticateRequest(Params, frozen=True, kw_only=True):
    """To sign in, in a way that the agent named."""

    method = "authenticate"
    method_id: str


class LogoutRequest(Params, frozen=True, kw_only=True):
    """To sign out."""

    method = "logout"


class NewSessionRequest(Params, frozen=True, kw_only=True):
    """To open a session in the absolute folder `cwd`."""

    method = "session/new"
    cwd: str
    mcp_servers: tuple[McpServer, ...]


class LoadSessionRequest(Params, frozen=True, kw_only=True):
    """To open a session of before and be told its history."""

    method = "session/load"
    session_id: str
    cwd: str
    mcp_servers: tuple[McpServer, ...]


class ResumeSessionRequest(LoadSessionRequest, frozen=True, kw_only=True):
    """To open a session of before without being told its history."""

    method = "session/resume"


class ListSessionsRequest(Params, frozen=True, kw_only=True):
    """To see the sessions that the agent keeps, from `cursor` on."""

    method = "session/list"
    cwd: str | None = None
    cursor: str | None = None


class CloseSessionRequest(Params, frozen=True, kw_only=True):
    """To end a session's work and free what it holds."""

    method = "session/close"
    session_id: str


class DeleteSessionRequest(Params, frozen=True, kw_only=True):
    """To remove a session that the agent keeps."""

    method = "session/delete"
    session_id: str


class PromptRequest(Params, frozen=True, kw_only=True):
    """What the person says; the answer comes when the turn has ended."""

    method = "session/prompt"
    session_id: str
    prompt: tuple[ContentBlock, ...]


class SetModeRequest(Params, frozen=True, kw_only=True):
    """To choose a mode."""

    method = "session/set_mode"
    session_id: str
    mode_id: str


class SetModelRequest(Params, frozen=True, kw_only=True):
    """To choose a model, of agents that have no config options."""

    method = "session/set_model"
    session_id: str
    model_id: str


class SetConfigOptionRequest(Params, frozen=True, kw_only=True):
    """To set an option; `type` is boolean for one that is on or off."""

    method = "session/set_config_option"
    session_id: str
    config_id: str
    value: str | bool
    type: str | None = None


class CancelNotice(Params, frozen=True, kw_only=True):
    """To stop what a session does; the prompt is still answered."""

    method = "session/cancel"
    session_id: str


class PermissionRequest(Params, frozen=True, kw_only=True):
    """May the agent do this? `tool_call` may hold nothing but an id."""

    method = "session/request_permission"
    session_id: str
    tool_call: ToolCallUpdate
    options: tuple[PermissionOption, ...]


class UpdateNotice(Params, frozen=True, kw_only=True):
    """Something new of a session."""

    method = "session/update"
    session_id: str
    update: Update


class CancelRequestNotice(Params, frozen=True, kw_only=True):
    """A request's answer is no longer wanted. It is answered nevertheless."""

    method = "$/cancel_request"
    request_id: Any
