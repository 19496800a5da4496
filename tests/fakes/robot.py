"""An agent on our own side of the protocol, whose prompts do what their text says."""

import asyncio
from collections.abc import Sequence

from sidekicks.acp import (
    AcpError,
    AgentCapabilities,
    AgentConnection,
    AgentMessageChunk,
    AgentPeer,
    BooleanOption,
    ConfigOption,
    ContentBlock,
    Implementation,
    Initialized,
    InitializeRequest,
    McpServer,
    Offered,
    PermissionOption,
    Prompted,
    SessionCapabilities,
    SessionOpened,
    TextContent,
    ToolCallUpdate,
)

OPTIONS = (PermissionOption(option_id="yes", name="Yes", kind="allow_once"),)


class Robot(AgentPeer):
    """An agent whose prompts do what their text says."""

    def __init__(self) -> None:
        self.connection: AgentConnection
        self.heard: list[str] = []
        self.running: dict[str, asyncio.Event] = {}

    async def initialize(self, request: InitializeRequest) -> Initialized:
        self.heard.append(request.client_info.name if request.client_info else "somebody")
        return Initialized(
            protocol_version=1,
            agent_capabilities=AgentCapabilities(
                load_session=True, session_capabilities=SessionCapabilities(close=Offered())
            ),
            agent_info=Implementation(name="robot", version="1"),
        )

    async def new_session(self, cwd: str, mcp_servers: Sequence[McpServer]) -> SessionOpened:
        self.heard.append(f"{cwd} {list(mcp_servers)}")
        return SessionOpened(session_id="s1")

    async def load_session(
        self, session_id: str, cwd: str, mcp_servers: Sequence[McpServer]
    ) -> SessionOpened:
        self.connection.update(session_id, AgentMessageChunk(content=TextContent(text="before")))
        return SessionOpened(session_id=session_id)

    async def prompt(self, session_id: str, blocks: Sequence[ContentBlock]) -> Prompted:
        (block,) = blocks
        assert isinstance(block, TextContent)
        cancelled = self.running[session_id] = asyncio.Event()
        self.heard.append(f"prompt {block.text}")
        match block.text:
            case "ask":
                call = ToolCallUpdate(tool_call_id="t1", title="Do it")
                chosen = await self.connection.request_permission(session_id, call, OPTIONS)
                self.say(session_id, f"chose {chosen}")
                return Prompted(stop_reason="end_turn")
            case "wait":
                await cancelled.wait()
                return Prompted(stop_reason="cancelled")
            case "sign in":
                raise AcpError(-32000, "Sign in first", {"why": 1})
            case "fail":
                raise LookupError("ours")
            case _:
                self.say(session_id, block.text)
                await self.connection.drain()
                return Prompted(stop_reason="end_turn")

    async def cancel(self, session_id: str) -> None:
        self.heard.append(f"cancel {session_id}")
        if session_id in self.running:
            self.running[session_id].set()

    async def set_config_option(
        self, session_id: str, option_id: str, value: str | bool
    ) -> Sequence[ConfigOption]:
        return [BooleanOption(id=option_id, name="X", current_value=bool(value))]

    def say(self, session_id: str, text: str) -> None:
        self.connection.update(session_id, AgentMessageChunk(content=TextContent(text=text)))
