"""A session: one conversation with the person, its folder, its model and what was said."""

from typing import TYPE_CHECKING, Any, Final

from sidekicks.companion.folder import Folder
from sidekicks.companion.history import History

if TYPE_CHECKING:
    import asyncio

    from sidekicks.acp import ConfigOption


class Session:
    """One ACP session. `turn` is the task that answers now; `stopped` that the person ended it."""

    def __init__(self, session_id: str, folder: Folder) -> None:
        self.session_id: Final = session_id
        self.folder: Final = folder
        self.history: Final = History()
        self.model_value: str | None = None
        """The model that the person chose; null for the usual one."""
        self.told_options: tuple[ConfigOption, ...] = ()
        self.was_guided = False
        """The person has read how to add a model; said once, later only in short."""
        self.turn: asyncio.Task[Any] | None = None
        self.stopped = False
        self._calls = 0

    def new_call_id(self) -> str:
        """Return an id for a tool call."""
        self._calls += 1
        return f"call_{self._calls}"

    def stop(self) -> None:
        """End the turn, if there is one."""
        if self.turn is not None and not self.stopped:
            self.stopped = True
            self.turn.cancel()
