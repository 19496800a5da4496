"""One turn: what the agent says and asks while it answers a prompt."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Final, Protocol

from sidekicks.acp import (
    AgentMessageChunk,
    AgentThoughtChunk,
    ConfigOptionsUpdate,
    PermissionOption,
    PlanEntry,
    PlanUpdate,
    TextContent,
    ToolCall,
    ToolCallUpdate,
    Update,
)
from sidekicks.companion.models import Models
from sidekicks.companion.options import model_options
from sidekicks.companion.session import Session
from sidekicks.companion.words import words


class Client(Protocol):
    """What the agent needs of its connection."""

    def update(self, session_id: str, update: Update) -> None:
        """Tell something of the session."""
        ...

    async def drain(self) -> None:
        """Return when the client has read enough for more to be sent."""
        ...

    async def request_permission(
        self, session_id: str, tool_call: ToolCallUpdate, options: Sequence[PermissionOption]
    ) -> str | None:
        """Ask the person; return the chosen option's id, null where the question was withdrawn."""
        ...


class TurnStopped(Exception):  # noqa: N818 - not a fault: the person ended the turn
    """A question of the turn was withdrawn, so the turn ends."""


class Turn:
    """The way to the person, for the time of one answer.

    Args:
        client: the connection.
        session: whose turn it is.
        pace: how long, in seconds, a step is left on view before the next (the tour's).
    """

    def __init__(self, client: Client, session: Session, pace: float = 0.0) -> None:
        self.session: Final = session
        self._client: Final = client
        self._pace: Final = pace

    async def say(self, text: str) -> None:
        """Say a piece of the answer."""
        await self.update(AgentMessageChunk(content=TextContent(text=text)))

    async def think(self, text: str) -> None:
        """Tell a piece of a model's thoughts."""
        await self.update(AgentThoughtChunk(content=TextContent(text=text)))

    async def plan(self, *steps: tuple[str, str]) -> None:
        """Tell the whole plan: (step, status)."""
        entries = tuple(PlanEntry(content=step, status=status) for step, status in steps)
        await self.update(PlanUpdate(entries=entries))

    async def update(self, update: Update) -> None:
        """Tell anything of the session."""
        self._client.update(self.session.session_id, update)
        await self._client.drain()

    async def tell_options(self, models: Models) -> None:
        """Tell which models there are to choose from, if that changed."""
        options = model_options(models, self.session.model_value)
        if options != self.session.told_options:
            self.session.told_options = options
            await self.update(ConfigOptionsUpdate(config_options=options))

    async def pause(self) -> None:
        """Leave the last step on view."""
        await asyncio.sleep(self._pace)

    @asynccontextmanager
    async def tool(self, call: ToolCall) -> AsyncGenerator[None]:
        """Show a tool call; it ends as failed when the block is left by an exception."""
        await self.update(call)
        try:
            yield
        except BaseException:
            # Also when the turn is stopped: no card is left turning.
            await self.update(ToolCallUpdate(tool_call_id=call.tool_call_id, status="failed"))
            raise

    async def ask(self, call: ToolCall) -> bool:
        """Ask whether the tool may do what `call` shows.

        Raises:
            TurnStopped: the question was withdrawn.
        """
        options = (
            PermissionOption(option_id="allow", name=words("allow"), kind="allow_once"),
            PermissionOption(option_id="reject", name=words("reject"), kind="reject_once"),
        )
        question = ToolCallUpdate(
            tool_call_id=call.tool_call_id,
            title=call.title,
            kind=call.kind,
            content=call.content,
            locations=call.locations,
        )
        answer = await self._client.request_permission(self.session.session_id, question, options)
        if answer is None:
            raise TurnStopped
        return answer == "allow"
