"""Every task belongs to a supervisor: it keeps the task alive, reports its failure, and ends it.

One of the two places that may catch every exception (the other is the bridge).
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine
from typing import Any, Final

logger = logging.getLogger(__name__)


def new_incident(error: BaseException) -> str:
    """Log an unexpected error with its traceback under an id that the person can quote."""
    incident = secrets.token_hex(4)
    logger.error("incident %s", incident, exc_info=error)
    return incident


class Supervisor:
    """Starts tasks on the engine's loop and answers for them."""

    def __init__(self, on_failure: Callable[[str, str], None] | None = None) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._on_failure: Final = on_failure

    def start(self, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
        """Run `work` as a task; its failure is logged and told to `on_failure(name, incident)`."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    async def stop(self, seconds: float) -> None:
        """Cancel every task and wait at most `seconds` for them."""
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            incident = new_incident(error)
            if self._on_failure is not None:
                self._on_failure(task.get_name(), incident)
