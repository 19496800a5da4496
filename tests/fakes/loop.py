"""An asyncio loop whose time jumps to the next timer instead of waiting for it."""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

Value = TypeVar("Value")


class _Selector(selectors.DefaultSelector):
    def __init__(self) -> None:
        super().__init__()
        self.skip: Callable[[float], None] = lambda _: None

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0 if timeout is not None else None)
        if not ready and timeout is not None and timeout > 0:
            self.skip(timeout)
        return ready


class SteppedLoop(asyncio.SelectorEventLoop):
    """Time passes only while everything waits for a timer."""

    def __init__(self) -> None:
        self._seconds = 0.0
        selector = _Selector()
        super().__init__(selector)
        selector.skip = self._skip

    def time(self) -> float:
        """Return the seconds that have passed."""
        return self._seconds

    def _skip(self, seconds: float) -> None:
        self._seconds += seconds


def run_stepped(work: Coroutine[Any, Any, Value]) -> Value:
    """Run `work` to its end on a loop of its own."""
    with asyncio.Runner(loop_factory=SteppedLoop) as runner:
        return runner.run(work)
