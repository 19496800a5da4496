"""What an agent tells of a session before it has answered with the session's id, as some do.

It is kept only while a session is being opened: at other times an id that is not known is of one of
the agent's inner sessions, and what it tells would be gathered for ever.
"""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from sidekicks.acp import Update

KEPT_UPDATES: Final = 1000


class EarlyUpdates:
    """The updates that wait for their session to be known, in the order of the wire."""

    def __init__(self) -> None:
        self._openings = 0
        self._kept: list[tuple[str, Update]] = []

    @contextmanager
    def opening(self) -> Generator[None]:
        """Keep updates while a session is being opened; several may be at once."""
        self._openings += 1
        try:
            yield
        finally:
            self._openings -= 1
            if not self._openings:
                self._kept.clear()

    def keep(self, session_id: str, update: Update) -> None:
        """Keep an update, if anybody may come for it."""
        if self._openings and len(self._kept) < KEPT_UPDATES:
            self._kept.append((session_id, update))

    def take(self, session_id: str) -> list[Update]:
        """Return what was kept of a session, which is known from now on."""
        taken = [update for known, update in self._kept if known == session_id]
        self._kept = [(known, update) for known, update in self._kept if known != session_id]
        return taken
