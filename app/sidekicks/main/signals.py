"""Signals reach the engine through a socket pair, whatever loop the main thread is in.

Python runs a handler only when the main thread gets to interpret; in a window's loop that may be
never. The interpreter's C handler writes the signal's number to the wake-up descriptor at once.
"""

import asyncio
import signal
import socket
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

STOPPING: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Signals:
    """Installed on the main thread, read by the engine."""

    def __init__(self) -> None:
        self._read, self._write = socket.socketpair()
        self._read.setblocking(False)
        self._write.setblocking(False)
        self._before: dict[signal.Signals, Any] = {}

    def install(self) -> None:
        """Take over the signals that mean stop; on the main thread."""
        signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        for number in STOPPING:
            self._before[number] = signal.signal(number, _ignore) or signal.SIG_DFL

    def listen(self, on_stop: Callable[[], None]) -> None:
        """Call `on_stop` when told to stop; on the engine's loop."""

        def read() -> None:
            while True:
                try:
                    data = self._read.recv(64)
                except BlockingIOError:
                    return
                if not data:
                    asyncio.get_running_loop().remove_reader(self._read)
                    return
                # The interpreter writes there for any signal that somebody handles.
                if not stopping.isdisjoint(data):
                    on_stop()

        stopping = frozenset(STOPPING)
        asyncio.get_running_loop().add_reader(self._read, read)

    def close(self) -> None:
        """Give the signals back; on the main thread, after the engine has ended."""
        signal.set_wakeup_fd(-1)
        for number, before in self._before.items():
            signal.signal(number, before)
        self._read.close()
        self._write.close()


def _ignore(number: int, frame: FrameType | None) -> None:
    """Stand in for the default, which would end the process before the engine could stop it."""
