"""A question of an agent that waits for its one answer."""

from collections.abc import Callable
from typing import Final

from sidekicks.acp.answers import PermissionOption
from sidekicks.acp.updates import ToolCallUpdate


class PermissionAsked:
    """May the agent do this?

    Args:
        session_id: the session that asks.
        tool_call: what it is about; it may hold nothing but an id, and may be new.
        options: the agent's options, as they came and in their order.
        reply: sends the chosen option's id, or null for cancelled.
    """

    def __init__(
        self,
        session_id: str,
        tool_call: ToolCallUpdate,
        options: tuple[PermissionOption, ...],
        reply: Callable[[str | None], None],
    ) -> None:
        self.session_id: Final = session_id
        self.tool_call: Final = tool_call
        self.options: Final = options
        self.on_withdrawn: Callable[[], None] | None = None
        """Called when the question is closed from the other side: by the agent, or by its end."""
        self._reply: Final = reply
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether it was answered or withdrawn."""
        return self._closed

    def select(self, option_id: str) -> bool:
        """Answer with one of the options; false, and nothing sent, if closed or none of them."""
        if all(option.option_id != option_id for option in self.options):
            return False
        return self._close(option_id)

    def cancel(self) -> bool:
        """Answer that the person did not choose; false, and nothing sent, if closed."""
        return self._close(None)

    def withdraw(self) -> bool:
        """Close it without an answer of the person's, and say so; for the connection alone."""
        if self._closed:
            return False
        self._closed = True
        if self.on_withdrawn is not None:
            self.on_withdrawn()
        return True

    def _close(self, option_id: str | None) -> bool:
        if self._closed:
            return False
        self._closed = True
        self._reply(option_id)
        return True
