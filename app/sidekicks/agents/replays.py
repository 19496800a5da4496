"""Sessions that tell their history: it is not shown again, as ours is the one that counts.

Some agents tell it before they answer `session/load`, some after, some both.
"""

import asyncio
from typing import Final

from sidekicks.acp import (
    CommandsUpdate,
    ConfigOptionsUpdate,
    ModeUpdate,
    Update,
    UsageUpdate,
)

QUIET_SECONDS: Final = 0.3
MOST_SECONDS: Final = 5.0
"""A loaded session has told its history when it was quiet for the one, or after the other."""
STATE_UPDATES: Final = (CommandsUpdate, ConfigOptionsUpdate, ModeUpdate, UsageUpdate)
"""What counts also while a history is told."""


class Replays:
    """The sessions of one program that tell their history."""

    def __init__(self) -> None:
        self._last: Final[dict[str, float]] = {}
        """When each last told something of it, by the loop's clock."""
        self._ended = False

    def begin(self, session_id: str) -> None:
        """From now on this session tells its history."""
        self._last[session_id] = asyncio.get_running_loop().time()

    async def end(self, session_id: str) -> None:
        """Wait until the history is told, or the program is gone."""
        loop = asyncio.get_running_loop()
        until = loop.time() + MOST_SECONDS
        while session_id in self._last and not self._ended:
            now = loop.time()
            quiet = self._last[session_id] + QUIET_SECONDS
            if now >= min(quiet, until):
                break
            await asyncio.sleep(min(quiet, until) - now)
        self.drop(session_id)

    def drop(self, session_id: str) -> None:
        """From now on this session tells what is new."""
        self._last.pop(session_id, None)

    def hides(self, session_id: str, update: Update) -> bool:
        """Whether an update belongs to a history, and is not to be shown."""
        if session_id not in self._last:
            return False
        self._last[session_id] = asyncio.get_running_loop().time()
        return not isinstance(update, STATE_UPDATES)

    def close(self) -> None:
        """The program is gone."""
        self._ended = True
