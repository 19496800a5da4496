"""The client's side of a connection: we ask the agent, and it tells and asks us."""

from collections.abc import Sequence
from typing import Any, Final, Literal, Protocol, TypeVar, cast

import msgspec

from sidekicks.acp.answers import Prompted, SessionList, SessionOpened
from sidekicks.acp.capabilities import (
    ClientCapabilities,
    ClientSessionCapabilities,
    ConfigOptionCapabilities,
    Implementation,
    Initialized,
)
from sidekicks.acp.connection import Connection, OddFrameError, OnFrame, Pipe, request_key
from sidekicks.acp.content import ContentBlock
from sidekicks.acp.errors import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    REQUEST_CANCELLED,
    BadAnswerError,
)
from sidekicks.acp.lenient import Offered, read
from sidekicks.acp.options import ConfigOption
from sidekicks.acp.permission import PermissionAsked
from sidekicks.acp.requests import (
    AuthenticateRequest,
    CancelNotice,
    CloseSessionRequest,
    DeleteSessionRequest,
    InitializeRequest,
    ListSessionsRequest,
    LoadSessionRequest,
    LogoutRequest,
    McpServer,
    NewSessionRequest,
    Params,
    PermissionRequest,
    PromptRequest,
    ResumeSessionRequest,
    SetConfigOptionRequest,
    SetModelRequest,
    SetModeRequest,
    UpdateNotice,
)
from sidekicks.acp.updates import Update

PROTOCOL_VERSION: Final = 1
CAPABILITIES: Final = ClientCapabilities(
    session=ClientSessionCapabilities(config_options=ConfigOptionCapabilities(boolean=Offered()))
)
Answer = TypeVar("Answer", bound=msgspec.Struct)


class ClientPeer(Protocol):
    """Who is told what the agent sends: inline, in the order of the wire, never awaited."""

    def on_update(self, session_id: str, update: Update) -> None:
        """The agent tells something of a session, whose id may not be known yet, at any time."""
        ...

    def on_permission(self, asked: PermissionAsked) -> None:
        """The agent asks; `asked` is answered now or later."""
        ...

    def on_noise(self, text: str) -> None:
        """The agent's stdout held something that is no message."""
        ...


class _UpdateFrame(msgspec.Struct):
    """The frame that comes by the ten thousand, read in one step."""

    jsonrpc: Literal["2.0"]
    method: Literal["session/update"]
    params: UpdateNotice
    id: msgspec.Raw = msgspec.Raw()


_updates: Final = msgspec.json.Decoder(_UpdateFrame)


class ClientConnection(Connection):
    """A connection to an agent. Time limits are the caller's: who stops waiting cancels."""

    def __init__(self, pipe: Pipe, peer: ClientPeer, on_frame: OnFrame | None = None) -> None:
        super().__init__(pipe, peer.on_noise, on_frame)
        self._peer: Final = peer
        self._asked: dict[bytes, PermissionAsked] = {}

    async def initialize(
        self, name: str, version: str, capabilities: ClientCapabilities = CAPABILITIES
    ) -> Initialized:
        """Say who we are and learn who the agent is; it may speak another protocol version."""
        request = InitializeRequest(
            protocol_version=PROTOCOL_VERSION,
            client_capabilities=capabilities,
            client_info=Implementation(name=name, version=version),
        )
        return await self._ask(request, Initialized)

    async def authenticate(self, method_id: str) -> None:
        """Sign in; not for methods of type `terminal`."""
        await self._request(AuthenticateRequest(method_id=method_id))

    async def logout(self) -> None:
        """Sign out."""
        await self._request(LogoutRequest())

    async def new_session(self, cwd: str, mcp_servers: Sequence[McpServer] = ()) -> SessionOpened:
        """Open a session in an absolute folder."""
        request = NewSessionRequest(cwd=cwd, mcp_servers=tuple(mcp_servers))
        return await self._ask(request, SessionOpened)

    async def load_session(
        self, session_id: str, cwd: str, mcp_servers: Sequence[McpServer] = ()
    ) -> SessionOpened:
        """Open a session of before; its history comes as updates, with some agents afterwards."""
        request = LoadSessionRequest(session_id=session_id, cwd=cwd, mcp_servers=tuple(mcp_servers))
        return await self._ask(request, SessionOpened, sessionId=session_id)

    async def resume_session(
        self, session_id: str, cwd: str, mcp_servers: Sequence[McpServer] = ()
    ) -> SessionOpened:
        """Open a session of before without its history."""
        request = ResumeSessionRequest(
            session_id=session_id, cwd=cwd, mcp_servers=tuple(mcp_servers)
        )
        return await self._ask(request, SessionOpened, sessionId=session_id)

    async def list_sessions(self, cwd: str | None = None, cursor: str | None = None) -> SessionList:
        """Return a page of the sessions that the agent keeps."""
        return await self._ask(ListSessionsRequest(cwd=cwd, cursor=cursor), SessionList)

    async def close_session(self, session_id: str) -> None:
        """End a session's work and free what it holds."""
        await self._request(CloseSessionRequest(session_id=session_id))

    async def delete_session(self, session_id: str) -> None:
        """Remove a session that the agent keeps."""
        await self._request(DeleteSessionRequest(session_id=session_id))

    async def prompt(self, session_id: str, blocks: Sequence[ContentBlock]) -> Prompted:
        """Say something and return when the turn has ended and all its updates were applied."""
        request = PromptRequest(session_id=session_id, prompt=tuple(blocks))
        result = await self._request(request)
        told = cast("dict[str, Any]", result) if isinstance(result, dict) else {}
        return self._read(
            request, {**told, "stopReason": told.get("stopReason") or "end_turn"}, Prompted
        )

    def cancel(self, session_id: str) -> None:
        """Ask the agent to stop; the prompt still gets its answer.

        The caller then answers the session's open questions with `cancel`, as the protocol demands.
        """
        self._notify(CancelNotice(session_id=session_id))

    async def set_mode(self, session_id: str, mode_id: str) -> None:
        """Choose a mode."""
        await self._request(SetModeRequest(session_id=session_id, mode_id=mode_id))

    async def set_model(self, session_id: str, model_id: str) -> None:
        """Choose a model of an agent that has no config options."""
        await self._request(SetModelRequest(session_id=session_id, model_id=model_id))

    async def set_config_option(
        self, session_id: str, option_id: str, value: str | bool
    ) -> tuple[ConfigOption, ...]:
        """Set an option and return all options, of which others may have changed too."""
        request = SetConfigOptionRequest(
            session_id=session_id,
            config_id=option_id,
            value=value,
            type="boolean" if isinstance(value, bool) else None,
        )
        opened = await self._ask(request, SessionOpened, sessionId=session_id)
        return opened.config_options or ()

    def end(self) -> None:
        """The agent is gone: fail what is pending, and withdraw its questions."""
        super().end()
        asked, self._asked = self._asked, {}
        for question in asked.values():
            question.withdraw()

    async def _ask(self, params: Params, wanted: type[Answer], **given: str) -> Answer:
        result = await self._request(params)
        told = cast("dict[str, Any]", result) if isinstance(result, dict) else {}
        return self._read(params, {**told, **given}, wanted)

    def _read(self, params: Params, told: dict[str, Any], wanted: type[Answer]) -> Answer:
        try:
            return read(told, wanted)
        except msgspec.ValidationError as error:
            raise BadAnswerError(params.method, told) from error

    def _take(self, line: bytes) -> None:
        try:
            frame = _updates.decode(line)
        except (msgspec.DecodeError, RecursionError):
            super()._take(line)
            return
        if self._on_frame is not None:
            self._on_frame("from", line)
        self._peer.on_update(frame.params.session_id, frame.params.update)
        if frame.id:
            self._answer(frame.id, None)

    def _on_notification(self, method: str, params: Any) -> None:
        if method != UpdateNotice.method:
            return
        try:
            notice = read(params, UpdateNotice)
        except msgspec.ValidationError:
            raise OddFrameError("An update that belongs to no session") from None
        self._peer.on_update(notice.session_id, notice.update)

    def _on_request(self, request_id: Any, method: str, params: Any) -> None:
        if method == UpdateNotice.method:
            self._on_notification(method, params)
            self._answer(request_id, None)
        elif method == PermissionRequest.method:
            self._on_permission(request_id, params)
        else:
            self._refuse(request_id, METHOD_NOT_FOUND, f"No method {method}")

    def _on_permission(self, request_id: Any, params: Any) -> None:
        try:
            request = read(params, PermissionRequest)
        except msgspec.ValidationError:
            request = None
        if request is None or not request.options:
            self._refuse(request_id, INVALID_PARAMS, "sessionId, toolCall and options are needed")
            return
        key = request_key(request_id)

        def reply(option_id: str | None) -> None:
            self._forget(key, asked)
            selected = {"outcome": "selected", "optionId": option_id}
            outcome = {"outcome": "cancelled"} if option_id is None else selected
            self._answer(request_id, {"outcome": outcome})

        asked = PermissionAsked(request.session_id, request.tool_call, request.options, reply)
        self._asked[key] = asked
        try:
            self._peer.on_permission(asked)
        except BaseException:
            # The fault is the peer's and goes on its way, but the agent must not wait for ever.
            if not asked.closed:
                self._forget(key, asked)
                self._refuse(request_id, INTERNAL_ERROR, "Internal error")
                asked.withdraw()
            raise

    def _on_cancel_request(self, key: bytes) -> None:
        asked = self._asked.pop(key, None)
        if asked is not None:
            self._refuse(msgspec.Raw(key), REQUEST_CANCELLED, "Request cancelled")
            asked.withdraw()

    def _forget(self, key: bytes, asked: PermissionAsked) -> None:
        # An agent that uses an id twice at a time has two questions open under one key.
        if self._asked.get(key) is asked:
            del self._asked[key]
