"""What the person is told about the file of the history: problems that come and go."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

from sidekicks.contract.state import Problem
from sidekicks.store.failures import judge
from sidekicks.store.salvage import Recovered
from sidekicks.store.words import say

CODE: Final = "history"
DAMAGED: Final = "history:damaged"
UNSAVED: Final = "history:unsaved"
UNREAD: Final = "history:unread"


class Report:
    """Tells it: a problem by its id, or null when that is mended."""

    def __init__(self, path: Path, tell: Callable[[str, Problem | None], None]) -> None:
        self._path: Final = path
        self._tell: Final = tell

    def recovered(self, aside: Path, found: Recovered) -> None:
        """What could be read has taken the damaged file's place."""
        message = say("recovered", path=self._path, aside=aside.name, **found._asdict())
        self._raise(DAMAGED, message, "warning")

    def damaged(self, found: Recovered) -> None:
        """What could be read is in memory; the damaged file is where it was."""
        self._raise(DAMAGED, say("damaged", path=self._path, **found._asdict()))

    def unsaved(self, error: Exception, *, read: bool) -> None:
        """Nothing is saved from now on, or still; `read` where the file could be read."""
        fault = judge(error)
        if fault is None or fault == "damaged":
            fault = "io"
        message = say(f"unsaved_{fault}", path=self._path, error=error)
        self._raise(UNSAVED, message if read else f"{message} {say('unread')}")

    def saved(self, *, read: bool) -> None:
        """All is saved again; `read` where nothing is in the file that was not seen."""
        self._tell(UNSAVED, None)
        if not read:
            self._raise(UNREAD, say("restart", path=self._path), "warning")

    def _raise(
        self, problem_id: str, message: str, severity: Literal["error", "warning"] = "error"
    ) -> None:
        self._tell(
            problem_id,
            Problem(
                problem_id=problem_id,
                code=CODE,
                message=message,
                severity=severity,
                file=str(self._path),
            ),
        )
