"""The engine: the one asyncio loop, in a thread of its own, that owns all mutable state.

Other threads only post to it. The loop ends when the work given to `start` has returned. Whoever
calls or posts too late is answered all the same: nobody waits for a loop that is gone.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

Value = TypeVar("Value")


class Engine:
    """A thread named `engine` that runs an asyncio loop."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)
        self._main: Coroutine[Any, Any, None] | None = None
        self._failure: BaseException | None = None
        self._calls: dict[Future[Any], Coroutine[Any, Any, Any]] = {}
        self._ended = False

    def start(self, main: Coroutine[Any, Any, None]) -> None:
        """Begin with `main`, whose end is the loop's end."""
        self._main = main
        self._thread.start()

    def call(self, work: Coroutine[Any, Any, Value]) -> "Future[Value]":
        """Run `work` on the loop, from another thread; cancelled if the loop ends before it."""
        try:
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        except RuntimeError:
            # The loop is closed: the answer is the same as if it had ended a moment later.
            work.close()
            future: Future[Value] = Future()
            future.cancel()
            return future
        self._calls[future] = work
        future.add_done_callback(self._forget)
        if self._ended:
            self._drop(future)
        return future

    def post(self, function: Callable[..., object], *args: object) -> None:
        """Call `function` on the loop, from another thread; nothing happens once it has ended."""
        try:
            self._loop.call_soon_threadsafe(function, *args)
        except RuntimeError:
            # The loop is closed: whoever posts late (a watcher's thread) must not die of it.
            return

    def join(self, seconds: float | None = None) -> bool:
        """Wait for the loop's end; true if it ended. What `main` raised is raised here."""
        self._thread.join(seconds)
        if self._thread.is_alive():
            return False
        if self._failure is not None:
            raise self._failure
        return True

    def _run(self) -> None:
        assert self._main is not None
        try:
            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
                runner.run(self._live(self._main))
        finally:
            self._ended = True
            for future in tuple(self._calls):
                self._drop(future)

    async def _live(self, main: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(main, name="main")
        await asyncio.wait({task})
        self._failure = None if task.cancelled() else task.exception()

    def _forget(self, future: "Future[Any]") -> None:
        self._calls.pop(future, None)

    def _drop(self, future: "Future[Any]") -> None:
        """Answer a call that the loop accepted and did not come to."""
        work = self._calls.pop(future, None)
        if work is not None and future.cancel():
            work.close()
