"""The processes that one process started: finding them, and ending them and nothing else.

A process is ours while it descends from one of ours, or is in a session that one of ours made.
What has left both (its own session, no parent of ours: a daemon, tmux) is *detached*: it is
named, never ended without being asked. A process is always known by its pid and its start, so that
a pid that was given again does no harm; one that has ended but was not fetched by its parent (a
zombie) counts as gone.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

import msgspec
import psutil

from sidekicks.system.environment import LAUNCH_MARK

COMMAND_LENGTH: Final = 200
_LOOK_SECONDS: Final = 0.02
_TICK: Final = 0.005
"""Half of what the kernel counts a process's start in."""


class Descendant(msgspec.Struct, frozen=True, kw_only=True):
    """A process that one of ours started; `created` is when, to tell it from a later one."""

    pid: int
    created: float
    command: str


class Leftover(Descendant, frozen=True, kw_only=True):
    """A process that still runs after the end of what started it."""


def started(process: psutil.Process) -> float:
    """Return when a process began, in seconds by a clock that is never set.

    Linux counts from the boot; the time of day that psutil makes of it moves with the clock, so a
    value that was written down would not be found again. A Mac writes the time of day down itself.
    """
    # What psutil has read once it keeps, though the clock may have been set since.
    fresh = psutil.Process(process.pid)
    if fresh != process:
        raise psutil.NoSuchProcess(process.pid)
    if sys.platform == "darwin":
        return fresh.create_time()
    while True:
        before = psutil.boot_time()
        began = psutil.Process(process.pid).create_time()
        if psutil.boot_time() == before:
            return round(began - before, 3)


def started_or_none(process: psutil.Process) -> float | None:
    """Return when a process began; null if it is gone."""
    try:
        return started(process)
    except psutil.Error:
        return None


def find_process(pid: int, created: float) -> psutil.Process | None:
    """Return the process of that pid that began then, if it still runs."""
    with suppress(psutil.Error):
        process = psutil.Process(pid)
        if abs(started(process) - created) < _TICK and is_alive(process):
            return process
    return None


def is_alive(process: psutil.Process) -> bool:
    """Whether it still runs."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True


def session_of(pid: int) -> int | None:
    """Return the session that a process is in."""
    try:
        return os.getsid(pid)
    except OSError:
        return None


def describe(process: psutil.Process) -> str:
    """Return a process's command line, cut."""
    try:
        return (" ".join(process.cmdline()) or process.name())[:COMMAND_LENGTH]
    except psutil.Error:
        return f"pid {process.pid}"


def members(roots: Iterable[psutil.Process]) -> list[psutil.Process]:
    """Return what lives of `roots`, of all their descendants, and of the sessions of these."""
    found: dict[int, psutil.Process] = {}
    pending = [process for process in roots if is_alive(process)]
    foreign = {None, 0, session_of(0)}
    while pending:
        for process in pending:
            # A look for children is one through all processes: none for what was found as a child.
            if process.pid not in found:
                found[process.pid] = process
                with suppress(psutil.Error):
                    found |= {child.pid: child for child in process.children(recursive=True)}
        sessions = {session_of(pid) for pid in found} - foreign
        pending = [process for process in _in_sessions(sessions) if process.pid not in found]
    return [process for process in found.values() if is_alive(process)]


def send(signum: signal.Signals, processes: Iterable[psutil.Process]) -> None:
    """Signal the groups of `processes`: once each, and what they start meanwhile is met too."""
    groups: dict[int, list[psutil.Process]] = {}
    for process in processes:
        with suppress(OSError, psutil.Error):
            if process.is_running():
                groups.setdefault(os.getpgid(process.pid), []).append(process)
    # A child of ours that has not made its own session yet is still in our group.
    for process in groups.pop(os.getpgrp(), []):
        with suppress(psutil.Error):
            process.send_signal(signum)
    for group, grouped in groups.items():
        try:
            os.killpg(group, signum)
        except ProcessLookupError:
            continue
        except PermissionError:
            # A Mac answers so when the group holds a zombie, or one process of somebody else's.
            for process in grouped:
                with suppress(psutil.Error):
                    process.send_signal(signum)


async def wait_gone(processes: Iterable[psutil.Process], seconds: float) -> bool:
    """Wait at most `seconds` for the end of all of them; true if all ended."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    living = [process for process in processes if is_alive(process)]
    while living:
        if loop.time() >= deadline:
            return False
        await asyncio.sleep(_LOOK_SECONDS)
        living = [process for process in living if is_alive(process)]
    return True


async def end(roots: Iterable[psutil.Process], grace: float = 1.0) -> list[psutil.Process]:
    """End `roots` and all that is theirs: SIGTERM, `grace` seconds, SIGKILL.

    Returns:
        What could not be ended: another user's, or one that hangs in the kernel.
    """
    listed = list(roots)
    # KILL twice, for what was started between the look and the signal.
    steps = ((signal.SIGTERM, grace), (signal.SIGKILL, 1.0), (signal.SIGKILL, 1.0))
    for signum, seconds in steps:
        listed = members(listed)
        if not listed:
            break
        send(signum, listed)
        await wait_gone(listed, seconds)
    return members(listed)


async def end_processes(leftovers: Iterable[Descendant], grace: float = 1.0) -> None:
    """End processes that were named before, with all that they started since."""
    found = [find_process(leftover.pid, leftover.created) for leftover in leftovers]
    await end([process for process in found if process is not None], grace)


class Family:
    """One process that we started in a session of its own, and everything that came of it.

    Args:
        pid: the process, which is its session's leader.
        mark: the value that it was given as `LAUNCH_MARK`, which its descendants inherit.
    """

    def __init__(self, pid: int, mark: str) -> None:
        self._session: Final = pid
        self._mark: Final = mark
        self._known: dict[psutil.Process, float] = {}
        self.latest: dict[psutil.Process, float] = {}
        """What the last look found, with when each began."""
        self.created = 0.0
        with suppress(psutil.NoSuchProcess):
            process = psutil.Process(pid)
            self.created = self._known[process] = started(process)

    def members(self) -> list[psutil.Process]:
        """Return what lives of it, and remember it."""
        ours = [process for process in self._known if session_of(process.pid) == self._session]
        if not any(is_alive(process) for process in ours):
            # All that we knew in the session is gone, so its number may be somebody else's now.
            ours = [
                process for process in _in_sessions({self._session}) if self._is_marked(process)
            ]
        # The leader first: what is found as its descendant needs no look of its own.
        found = members(sorted(ours, key=lambda process: process.pid != self._session))
        # A new one each time: who measures memory looks from another thread.
        known = {process: began for process, began in self._known.items() if is_alive(process)}
        for process in found:
            if process not in known and (began := started_or_none(process)) is not None:
                known[process] = began
        self._known = known
        self.latest = {process: known[process] for process in found if process in known}
        return found

    def detached(self) -> list[psutil.Process]:
        """Return what got away from it: the outermost processes only, not what these started."""
        ours = {process.pid for process in self.members()}
        away = {process.pid: process for process in self._strangers() if process.pid not in ours}
        return [process for process in away.values() if _parent(process) not in away]

    def _strangers(self) -> Iterable[psutil.Process]:
        yield from self._known
        skipped = {None, 0, session_of(0), self._session}
        for pid in psutil.pids():
            if session_of(pid) not in skipped:
                with suppress(psutil.Error):
                    process = psutil.Process(pid)
                    if self._is_marked(process):
                        yield process

    def _is_marked(self, process: psutil.Process) -> bool:
        try:
            return process.environ().get(LAUNCH_MARK) == self._mark and is_alive(process)
        except (psutil.Error, OSError):
            return False


def _in_sessions(sessions: set[int | None]) -> list[psutil.Process]:
    found: list[psutil.Process] = []
    if sessions:
        for pid in psutil.pids():
            if session_of(pid) in sessions:
                with suppress(psutil.NoSuchProcess):
                    found.append(psutil.Process(pid))
    return found


def _parent(process: psutil.Process) -> int | None:
    try:
        return process.ppid()
    except psutil.Error:
        return None
