"""An agent on the official Python SDK: a program of its own, a second reading of the protocol.

A prompt's text says what it does: `ask`, `wait` (for a cancel), `fail`, or anything to be echoed.
"""

import asyncio
from typing import Any, cast

from acp.schema import (
    AgentCapabilities,
    AvailableCommand,
    AvailableCommandsUpdate,
    Implementation,
    PermissionOption,
    SessionCapabilities,
    SessionListCapabilities,
    ToolCallUpdate,
)

import acp

OPTIONS = [
    PermissionOption(option_id="yes", name="Yes", kind="allow_once"),
    PermissionOption(option_id="no", name="No", kind="reject_once"),
]


class Echo:
    """Leaves out what it does not offer; the SDK then refuses it."""

    def __init__(self) -> None:
        self.client: acp.Client
        self.cancelled = asyncio.Event()

    def on_connect(self, conn: acp.Client) -> None:
        self.client = conn

    async def initialize(self, protocol_version: int, **_: Any) -> acp.InitializeResponse:
        return acp.InitializeResponse(
            protocol_version=protocol_version,
            agent_capabilities=AgentCapabilities(
                load_session=True,
                session_capabilities=SessionCapabilities(list=SessionListCapabilities()),
            ),
            agent_info=Implementation(name="echo", version="1"),
        )

    async def new_session(self, cwd: str, **_: Any) -> acp.NewSessionResponse:
        commands = [AvailableCommand(name="help", description="Helps")]
        await self.client.session_update(
            session_id=cwd,
            update=AvailableCommandsUpdate(
                session_update="available_commands_update", available_commands=commands
            ),
        )
        return acp.NewSessionResponse(session_id=cwd)

    async def load_session(self, session_id: str, **_: Any) -> acp.LoadSessionResponse:
        said = acp.update_user_message_text("before")
        await self.client.session_update(session_id=session_id, update=said)
        return acp.LoadSessionResponse()

    async def prompt(self, session_id: str, prompt: list[Any], **_: Any) -> acp.PromptResponse:
        text = "".join(getattr(block, "text", f"[{block.type}]") for block in prompt)
        if text == "wait":
            await self.client.session_update(
                session_id=session_id, update=acp.update_agent_thought_text("waiting")
            )
            await self.cancelled.wait()
            return acp.PromptResponse(stop_reason="cancelled")
        if text == "fail":
            raise acp.RequestError.auth_required({"why": "test"})
        if text == "ask":
            answer = await self.client.request_permission(
                session_id=session_id,
                tool_call=ToolCallUpdate(tool_call_id="t1", title="Do it", kind="edit"),
                options=OPTIONS,
            )
            text = str(answer.outcome.model_dump(by_alias=True, exclude_none=True))
        for word in text.split(" "):
            said = acp.update_agent_message_text(word)
            await self.client.session_update(session_id=session_id, update=said)
        started = acp.start_edit_tool_call("t2", "Edit", "/w/a.py", {"new": "x"})
        await self.client.session_update(session_id=session_id, update=started)
        done = acp.update_tool_call(
            "t2", status="completed", content=[acp.tool_diff_content("/w/a.py", "x", "y")]
        )
        await self.client.session_update(session_id=session_id, update=done)
        return acp.PromptResponse(stop_reason="end_turn")

    async def cancel(self, session_id: str, **_: Any) -> None:
        self.cancelled.set()


if __name__ == "__main__":
    asyncio.run(acp.run_agent(cast("acp.Agent", Echo())))
