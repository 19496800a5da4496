"""The agent's side of a connection: the client asks us, and we tell and ask it.

Each request runs as a task; they begin in the order of the wire, up to their first await. None
stays without an answer: one that fails is answered -32603, one that is cancelled -32800.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, Protocol, TypeVar, cast

import msgspec

from sidekicks.acp.answers import PermissionOption, Prompted, SessionList, SessionOpened
from sidekicks.acp.capabilities import Initialized
from sidekicks.acp.connection import Connection, OddFrameError, OnFrame, Pipe, request_key
from sidekicks.acp.content import ContentBlock
from sidekicks.acp.errors import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    REQUEST_CANCELLED,
    AcpError,
)
from sidekicks.acp.lenient import Json, read
from sidekicks.acp.options import ConfigOption
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
from sidekicks.acp.updates import ToolCallUpdate, Update
from sidekicks.base.supervisor import Supervisor


class AgentPeer(Protocol):
    """What an agent does. A subclass leaves out what it does not offer, which is then refused.

    Any of these may raise `AcpError`, which becomes the request's answer.
    """

    async def initialize(self, request: InitializeRequest) -> Initialized:
        """Say who we are and what we can do."""
        ...

    async def new_session(self, cwd: str, mcp_servers: Sequence[McpServer]) -> SessionOpened:
        """Open a session in the absolute folder `cwd`."""
        ...

    async def prompt(self, session_id: str, blocks: Sequence[ContentBlock]) -> Prompted:
        """Answer what the person says; return when the turn has ended."""
        ...

    async def cancel(self, session_id: str) -> None:
        """Make the session's prompt return `cancelled`, if one runs."""
        ...

    async def load_session(
        self, session_id: str, cwd: str, mcp_servers: Sequence[McpServer]
    ) -> SessionOpened:
        """Open a session of before and send its history as updates."""
        raise _not_offered(LoadSessionRequest)

    async def resume_session(
        self, session_id: str, cwd: str, mcp_servers: Sequence[McpServer]
    ) -> SessionOpened:
        """Open a session of before."""
        raise _not_offered(ResumeSessionRequest)

    async def list_sessions(self, cwd: str | None, cursor: str | None) -> SessionList:
        """Return a page of the sessions that are kept."""
        raise _not_offered(ListSessionsRequest)

    async def close_session(self, session_id: str) -> None:
        """End a session's work and free what it holds."""
        raise _not_offered(CloseSessionRequest)

    async def delete_session(self, session_id: str) -> None:
        """Remove a session that is kept."""
        raise _not_offered(DeleteSessionRequest)

    async def set_mode(self, session_id: str, mode_id: str) -> None:
        """Choose a mode."""
        raise _not_offered(SetModeRequest)

    async def set_model(self, session_id: str, model_id: str) -> None:
        """Choose a model."""
        raise _not_offered(SetModelRequest)

    async def set_config_option(
        self, session_id: str, option_id: str, value: str | bool
    ) -> Sequence[ConfigOption]:
        """Set an option and return all options."""
        raise _not_offered(SetConfigOptionRequest)

    async def authenticate(self, method_id: str) -> None:
        """Sign in."""
        raise _not_offered(AuthenticateRequest)

    async def logout(self) -> None:
        """Sign out."""
        raise _not_offered(LogoutRequest)


def _not_offered(params: type[Params]) -> AcpError:
    return AcpError(METHOD_NOT_FOUND, f"No method {params.method}")


class _Call:
    """A request of the client's that is being worked on."""

    def __init__(self, request_id: Any) -> None:
        self.request_id: Final = request_id
        self.answered = False


Work = Callable[[], Awaitable[Json]]
P = TypeVar("P", bound=Params)


class AgentConnection(Connection):
    """A connection to a client."""

    def __init__(
        self,
        pipe: Pipe,
        peer: AgentPeer,
        supervisor: Supervisor,
        on_noise: Callable[[str], None],
        on_frame: OnFrame | None = None,
    ) -> None:
        super().__init__(pipe, on_noise, on_frame)
        self._peer: Final = peer
        self._supervisor: Final = supervisor
        self._running: dict[bytes, asyncio.Task[None]] = {}

    def update(self, session_id: str, update: Update) -> None:
        """Tell the client something of a session; after many at once, `drain`."""
        self._notify(UpdateNotice(session_id=session_id, update=update))

    async def request_permission(
        self, session_id: str, tool_call: ToolCallUpdate, options: Sequence[PermissionOption]
    ) -> str | None:
        """Ask the person and return the id of the option chosen, or null for cancelled."""
        request = PermissionRequest(
            session_id=session_id, tool_call=tool_call, options=tuple(options)
        )
        sent = msgspec.to_builtins(request)
        # The kind of update that the struct is elsewhere has no place here.
        del sent["toolCall"]["sessionUpdate"]
        try:
            result = await self._request(request, sent)
        except AcpError as error:
            if error.code == REQUEST_CANCELLED:
                return None
            raise
        told = cast("dict[str, Any]", result) if isinstance(result, dict) else {}
        outcome = told.get("outcome")
        if not isinstance(outcome, dict):
            return None
        option_id = cast("dict[str, Any]", outcome).get("optionId")
        return option_id if isinstance(option_id, str) else None

    def end(self) -> None:
        """The client is gone: fail what is pending, and cancel what runs for it."""
        super().end()
        for task in list(self._running.values()):
            task.cancel()

    def _on_request(self, request_id: Any, method: str, params: Any) -> None:
        try:
            work = self._work(method, params if isinstance(params, dict) else {})
        except msgspec.ValidationError as error:
            self._refuse(request_id, INVALID_PARAMS, f"Invalid params: {error}")
            return
        if work is None:
            self._refuse(request_id, METHOD_NOT_FOUND, f"No method {method}")
            return
        call, key = _Call(request_id), request_key(request_id)
        task = self._supervisor.start(self._run(call, work), f"acp {method}")
        self._running[key] = task

        def ended(task: asyncio.Task[None]) -> None:
            if self._running.get(key) is task:
                del self._running[key]
            if not call.answered and task.cancelled():
                self._refuse(request_id, REQUEST_CANCELLED, "Request cancelled")
            elif not call.answered:
                self._refuse(request_id, INTERNAL_ERROR, "Internal error")

        task.add_done_callback(ended)

    def _on_notification(self, method: str, params: Any) -> None:
        if method != CancelNotice.method:
            return
        try:
            notice = read(params, CancelNotice)
        except msgspec.ValidationError:
            raise OddFrameError("A cancel of no session") from None
        self._supervisor.start(self._peer.cancel(notice.session_id), f"acp {method}")

    def _on_cancel_request(self, key: bytes) -> None:
        if (task := self._running.get(key)) is not None:
            task.cancel()

    async def _run(self, call: _Call, work: Work) -> None:
        try:
            result = await work()
        except AcpError as error:
            self._refuse(call.request_id, error.code, error.message, error.data)
        else:
            self._answer(call.request_id, {} if result is None else result)
        call.answered = True

    def _work(self, method: str, params: Any) -> Work | None:  # noqa: C901 - a table of the methods
        """Return what a request does.

        Raises:
            msgspec.ValidationError: where its parameters cannot be read.
        """
        peer = self._peer
        wanted = _REQUESTS.get(method)
        if wanted is None:
            return None
        match read(params, wanted):
            case InitializeRequest() as asked:
                return lambda: peer.initialize(asked)
            case NewSessionRequest() as asked:
                return lambda: peer.new_session(asked.cwd, asked.mcp_servers)
            case ResumeSessionRequest(session_id=session, cwd=cwd, mcp_servers=servers):
                return lambda: _reopened(peer.resume_session(session, cwd, servers))
            case LoadSessionRequest(session_id=session, cwd=cwd, mcp_servers=servers):
                return lambda: _reopened(peer.load_session(session, cwd, servers))
            case PromptRequest(session_id=session, prompt=blocks):
                return lambda: peer.prompt(session, blocks)
            case ListSessionsRequest(cwd=folder, cursor=cursor):
                return lambda: peer.list_sessions(folder, cursor)
            case CloseSessionRequest(session_id=session):
                return lambda: peer.close_session(session)
            case DeleteSessionRequest(session_id=session):
                return lambda: peer.delete_session(session)
            case SetModeRequest(session_id=session, mode_id=mode):
                return lambda: peer.set_mode(session, mode)
            case SetModelRequest(session_id=session, model_id=model):
                return lambda: peer.set_model(session, model)
            case SetConfigOptionRequest() as asked:
                return lambda: self._set_config_option(asked)
            case AuthenticateRequest(method_id=method_id):
                return lambda: peer.authenticate(method_id)
            case _:
                return peer.logout

    async def _set_config_option(self, asked: SetConfigOptionRequest) -> Json:
        options = await self._peer.set_config_option(asked.session_id, asked.config_id, asked.value)
        return {"configOptions": options}


async def _reopened(opening: Awaitable[SessionOpened]) -> Json:
    """Return the answer, which names no session: the client has."""
    told = msgspec.to_builtins(await opening)
    del told["sessionId"]
    return told


_REQUESTS: Final[dict[str, type[Params]]] = {
    params.method: params
    for params in (
        InitializeRequest,
        AuthenticateRequest,
        LogoutRequest,
        NewSessionRequest,
        LoadSessionRequest,
        ResumeSessionRequest,
        ListSessionsRequest,
        CloseSessionRequest,
        DeleteSessionRequest,
        PromptRequest,
        SetModeRequest,
        SetModelRequest,
        SetConfigOptionRequest,
    )
}
