"""Real child processes for tests, and what was heard from them."""

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import psutil

from fakes.waiting import until
from sidekicks.system import Exit, Process, child_environment, start_process

PYTHON = (sys.executable, "-I", "-S", "-c")
"""A Python that starts quickly; the program follows."""


class Heard:
    """What a child wrote and how it ended, in the order in which it was told."""

    def __init__(self) -> None:
        self.stdout = b""
        self.stderr = b""
        self.exits: list[Exit] = []
        self.late = b""
        """What came after the exit: nothing may."""

    def on_stdout(self, data: bytes) -> None:
        self.stdout += data
        self._check(data)

    def on_stderr(self, data: bytes) -> None:
        self.stderr += data
        self._check(data)

    def on_exit(self, how: Exit) -> None:
        self.exits.append(how)

    def _check(self, data: bytes) -> None:
        if self.exits:
            self.late += data

    async def line(self) -> str:
        """Wait for a whole line on stdout, and take it off."""
        await until(lambda: b"\n" in self.stdout)
        line, _, self.stdout = self.stdout.partition(b"\n")
        return line.decode()

    async def pid(self) -> psutil.Process:
        """Take a line that is a pid, and return that process."""
        return psutil.Process(int(await self.line()))


async def start(
    *argv: str, cwd: Path = Path("/"), env: dict[str, str] | None = None
) -> tuple[Process, Heard]:
    """Start a child; whoever does must stop it."""
    heard = Heard()
    process = await start_process(
        argv,
        env=child_environment(env),
        cwd=cwd,
        on_stdout=heard.on_stdout,
        on_stderr=heard.on_stderr,
        on_exit=heard.on_exit,
    )
    return process, heard


def runs(process: psutil.Process | int) -> bool:
    """Whether it lives; one that only waits to be fetched by its parent does not."""
    try:
        process = psutil.Process(process) if isinstance(process, int) else process
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@contextmanager
def stranger(*, own_session: bool = False) -> Generator[subprocess.Popen[bytes]]:
    """A process that the app has nothing to do with."""
    with subprocess.Popen(["sleep", "600"], start_new_session=own_session) as process:
        try:
            yield process
        finally:
            process.kill()
