"""A program under test, as its user has it: started, listened to, told to stop."""

import contextlib
import json
import os
import queue
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

Line = dict[str, Any]


class Program:
    """Runs while it is entered; prints one JSON object a line.

    Args:
        command: program and arguments.
        env: its whole environment.
        log: takes what it writes to stderr, and is shown when something goes wrong.
    """

    def __init__(self, command: Sequence[str], *, env: Mapping[str, str], log: Path) -> None:
        self.seen: Final[list[Line]] = []
        """Every line so far that somebody waited for or passed over."""
        self._command: Final = list(command)
        self._env: Final = dict(env)
        self._log: Final = log
        self._lines: Final[queue.SimpleQueue[Line | None]] = queue.SimpleQueue()
        self._process: subprocess.Popen[str] | None = None
        self._reader: Final = threading.Thread(target=self._read, name="reads a program")

    def __enter__(self) -> Self:
        with self._log.open("wb") as errors:
            self._process = subprocess.Popen(
                self._command,
                env=self._env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                start_new_session=True,
            )
        self._reader.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(10)
        self._reader.join(10)
        assert self.process.stdout is not None
        self.process.stdout.close()

    @property
    def process(self) -> "subprocess.Popen[str]":
        """The process itself."""
        assert self._process is not None
        return self._process

    def expect(self, wanted: Callable[[Line], bool], seconds: float = 40) -> Line:
        """Return the next line that is wanted."""
        until = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                raise AssertionError(self._tell(f"nothing of the kind in {seconds} s")) from None
            if line is None:
                self._lines.put(None)
                raise AssertionError(self._tell("it ended before"))
            self.seen.append(line)
            if wanted(line):
                return line

    def wait(self, seconds: float = 20) -> int:
        """Return its exit code, once it has ended by itself."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(self._tell(f"it did not end in {seconds} s")) from None

    def stop(self, number: signal.Signals = signal.SIGTERM, seconds: float = 20) -> int:
        """Signal it and return its exit code."""
        self.process.send_signal(number)
        return self.wait(seconds)

    def errors(self) -> str:
        """Return what it wrote to stderr."""
        return self._log.read_text(errors="replace")

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(json.loads(line))
        self._lines.put(None)

    def _tell(self, what: str) -> str:
        return f"{what}\nseen: {self.seen}\nstderr: {self.errors()[-4000:]}"


def free_port() -> int:
    """Return a port of this computer that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
