"""One child that speaks on pipes: its start, its streams, its end and that of all it started.

The child leads a session and a process group of its own and inherits no descriptor but its three.
Both of its streams are read all the time, so that it can never hang on a full pipe. What it wrote
is handed on inline, on the loop, all of it before its exit is told and nothing after.
"""

import asyncio
import os
import secrets
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE
from typing import Final

import msgspec
import psutil

from sidekicks.system import family
from sidekicks.system.environment import LAUNCH_MARK
from sidekicks.system.executables import explain_start
from sidekicks.system.family import Descendant, Family, Leftover
from sidekicks.system.stdin import Stdin, open_stdin
from sidekicks.system.words import say

LINGER_SECONDS: Final = 0.25
"""How long the streams are read on after the exit: what it started may hold them for ever."""
_TOLD_SECONDS: Final = 5.0
_CHILDREN_SECONDS: Final = 0.3
"""What a child's own children get to end by themselves, once it has."""


class Exit(msgspec.Struct, frozen=True, kw_only=True):
    """How a process ended: with an exit code, or by a signal."""

    code: int | None = None
    signal: str | None = None

    @property
    def text(self) -> str:
        """How it ended, in the person's language, to stand behind who: "ended with exit code 3"."""
        if self.signal is not None:
            return say("exit_signal", signal=self.signal)
        return say("exit_code", code=self.code)


class Process(asyncio.SubprocessProtocol):
    """A running child, made by `start_process`. `exit` is null until its end."""

    def __init__(
        self,
        stdin: Stdin,
        on_stdout: Callable[[bytes], None],
        on_stderr: Callable[[bytes], None],
        on_exit: Callable[[Exit], None],
    ) -> None:
        self.exit: Exit | None = None
        self._stdin: Final = stdin
        self._on_output = {1: on_stdout, 2: on_stderr}
        self._on_exit = on_exit
        self._exited: Final = asyncio.Event()
        self._ended: Final = asyncio.Event()
        self._stopping: Final = asyncio.Lock()
        self._left: tuple[Leftover, ...] | None = None
        self._open: Final = {1, 2}
        self._returncode: int | None = None
        self._early: list[tuple[int, bytes]] | None = []
        """What came before whoever starts it has got it; null from then on."""
        self._transport: asyncio.SubprocessTransport
        self._family: Family

    @property
    def pid(self) -> int:
        """The process's number, also after its end."""
        return self._transport.get_pid()

    @property
    def created(self) -> float:
        """When it began, by a clock that is never set; zero if it ended too soon to be seen."""
        return self._family.created

    def write(self, data: bytes) -> None:
        """Send to its stdin, behind what waits; nothing happens once it does not read any more."""
        self._stdin.write(data)

    async def drain(self) -> None:
        """Wait until little enough is unsent, or nothing can be sent any more."""
        await self._stdin.drain()

    def close_stdin(self) -> None:
        """Send end of file, behind what waits: the polite word to end."""
        self._stdin.close()

    async def wait(self) -> Exit:
        """Wait until it has ended and all that it wrote was handed on."""
        await self._ended.wait()
        assert self.exit is not None
        return self.exit

    def descendants(self) -> tuple[Descendant, ...]:
        """Return what it started, directly or not, and still runs."""
        self._family.members()
        return tuple(
            Descendant(pid=child.pid, created=created, command=family.describe(child))
            for child, created in self._family.latest.items()
            if child.pid != self.pid
        )

    def seen(self) -> dict[int, float]:
        """Return pid and start of itself and what it started, as of the last look for these."""
        return {process.pid: created for process, created in self._family.latest.items()}

    def memory(self) -> int:
        """Return the bytes of memory that it and all it started use.

        What several of them map (libraries) counts once, as far as a cheap look can tell.
        """
        private = shared = 0
        for process in self._family.members():
            with suppress(psutil.Error):
                used = process.memory_info()
                mapped: int = getattr(used, "shared", 0)
                private += used.rss - mapped
                shared = max(shared, mapped)
        return private + shared

    async def stop(self, patience: float = 2.0, grace: float = 1.0) -> tuple[Leftover, ...]:
        """End it and everything it started; needed also after it ended by itself.

        Args:
            patience: seconds that it has to end by itself at end of file.
            grace: seconds from SIGTERM to SIGKILL.

        Returns:
            What still runs: detached from it (a daemon), or not ours to end.
        """
        async with self._stopping:
            if self._left is None:
                self._left = await self._stop(patience, grace)
            return self._left

    def kill(self) -> None:
        """End it and its family at once: for when there is no time to `stop`."""
        family.send(signal.SIGKILL, self._family.members())

    def abandon(self) -> None:
        """Tell nobody anything any more: whoever started it has gone, or it never started."""
        self._on_output = {1: _ignore, 2: _ignore}
        self._on_exit = _ignore
        self._stdin.abort()

    async def _stop(self, patience: float, grace: float) -> tuple[Leftover, ...]:
        # Listed first: once a parent has ended, nothing tells whose its children were.
        listed = self._family.members()
        self.close_stdin()
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await self._exited.wait()
            await family.wait_gone(listed, min(patience, _CHILDREN_SECONDS))
        left = await family.end([*listed, *self._family.members()], grace)
        with suppress(TimeoutError):
            # What was killed ends at once, but a busy computer may be slow to tell.
            async with asyncio.timeout(_TOLD_SECONDS):
                await self._ended.wait()
        left += [process for process in self._family.detached() if process not in left]
        return tuple(
            Leftover(pid=process.pid, created=created, command=family.describe(process))
            for process in left
            if (created := family.started_or_none(process)) is not None
        )

    def started(self, transport: asyncio.SubprocessTransport, mark: str) -> None:
        """Say that it runs; what it has written by now follows when the loop comes round."""
        self._transport = transport
        self._family = Family(transport.get_pid(), mark)
        asyncio.get_running_loop().call_soon(self._begin)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """See `asyncio`."""
        if self._early is not None:
            self._early.append((fd, data))
        elif self.exit is None:
            self._on_output[fd](data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """See `asyncio`: an end of file."""
        self._open.discard(fd)
        self._look_for_end()

    def process_exited(self) -> None:
        """See `asyncio`: the process is gone, its streams may not be."""
        self._exited.set()
        self._look_for_end()

    def _begin(self) -> None:
        early, self._early = self._early or [], None
        for fd, content in early:
            self._on_output[fd](content)
        self._look_for_end()

    def _look_for_end(self) -> None:
        if self._early is not None or self._transport.get_returncode() is None:
            return
        if not self._open:
            self._finish()
        else:
            asyncio.get_running_loop().call_later(LINGER_SECONDS, self._finish)

    def _finish(self) -> None:
        if self.exit is not None:
            return
        self.exit = _exit(self._transport.get_returncode())
        self._stdin.abort()
        self._transport.close()
        self._ended.set()
        self._on_exit(self.exit)


async def start_process(
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path,
    on_stdout: Callable[[bytes], None],
    on_stderr: Callable[[bytes], None],
    on_exit: Callable[[Exit], None],
) -> Process:
    """Start `argv` directly, with no shell around it.

    The functions are called on the loop, and never before the caller got the process and waits for
    something else.

    Args:
        argv: the program, as a path or a name in the PATH of `env`, and its arguments.
        env: its whole environment, but for the mark that we add.
        cwd: the folder it runs in.
        on_stdout: gets what it writes, as it comes.
        on_stderr: as `on_stdout`.
        on_exit: gets how it ended, once, last.

    Raises:
        SidekicksError: it could not be started; `data["failure"]` says why, as a `FailureCode`.
    """
    loop = asyncio.get_running_loop()
    mark = f"sidekicks-{secrets.token_hex(8)}"
    try:
        reading, stdin = await open_stdin()
    except OSError as error:
        raise explain_start(error, argv[0], cwd, env) from None
    process = Process(stdin, on_stdout, on_stderr, on_exit)
    starting = loop.create_task(
        loop.subprocess_exec(
            lambda: process,
            *argv,
            stdin=reading,
            stdout=PIPE,
            stderr=PIPE,
            env={**env, LAUNCH_MARK: mark},
            cwd=cwd,
            start_new_session=True,
        )
    )
    starting.add_done_callback(lambda _: os.close(reading))
    try:
        await asyncio.wait([starting])
    except asyncio.CancelledError:
        # The loop's own way out of half a start waits for the end of the child's output, which
        # what the child has started by now may hold for ever. So it is started, and then ended.
        starting.add_done_callback(lambda _: _abandon(starting, process, mark))
        await asyncio.wait([starting])
        if starting.exception() is None:
            await process.stop(0, 0)
        raise
    if (error := starting.exception()) is None:
        process.started(starting.result()[0], mark)
        return process
    process.abandon()
    if isinstance(error, OSError | ValueError):
        raise explain_start(error, argv[0], cwd, env) from None
    raise error


def _abandon(
    starting: "asyncio.Task[tuple[asyncio.SubprocessTransport, Process]]",
    process: Process,
    mark: str,
) -> None:
    process.abandon()
    if not starting.cancelled() and starting.exception() is None:
        process.started(starting.result()[0], mark)
        process.kill()


def _ignore(_: object) -> None:
    """For what nobody waits for any more."""


def _exit(returncode: int | None) -> Exit:
    if returncode is None or returncode >= 0:
        return Exit(code=returncode)
    try:
        return Exit(signal=signal.Signals(-returncode).name)
    except ValueError:
        return Exit(signal=f"SIG{-returncode}")
