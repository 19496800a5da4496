"""What runs, written down, so that the next start can end what a crash left over, and only that.

A process is ended only if its pid, its start, its session and the computer's boot are all those
that were written. One running app owns the file.
"""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
import psutil

from sidekicks.system import family
from sidekicks.system.family import Leftover, session_of
from sidekicks.system.machine import boot_id, write_private
from sidekicks.system.process import Process


class _Running(msgspec.Struct, frozen=True, kw_only=True):
    pid: int
    created: float
    session: int


class _Record(msgspec.Struct, frozen=True, kw_only=True):
    boot: str
    processes: tuple[_Running, ...]


class Leftovers:
    """The file of what runs: `end` first, then `add` and `remove` as processes come and go."""

    def __init__(self, file: Path) -> None:
        self._file: Final = file
        self._processes: Final[list[Process]] = []
        self._written: bytes | None = None

    async def end(self) -> tuple[Leftover, ...]:
        """End what an earlier run left over, with its descendants; return what was ended."""
        found = [process for process in self._read() if process is not None]
        ended = tuple(
            Leftover(pid=process.pid, created=created, command=family.describe(process))
            for process in family.members(found)
            if (created := family.started_or_none(process)) is not None
        )
        await family.end(found)
        with suppress(OSError):
            self._file.unlink(missing_ok=True)
        return ended

    def add(self, process: Process) -> None:
        """A process has started."""
        self._processes.append(process)
        process.descendants()
        self.refresh()

    def remove(self, process: Process) -> None:
        """A process has been stopped, with all that it started."""
        if process in self._processes:
            self._processes.remove(process)
            self.refresh()

    def refresh(self) -> None:
        """Write down what the processes have started, as far as it was seen; to be called now and
        then, as it looks for nothing itself (`Process.memory` does).
        """
        running = tuple(self._running())
        content = msgspec.json.encode(_Record(boot=boot_id(), processes=running))
        if content != self._written:
            self._written = content
            # A full disk must not hinder an agent's start; after a crash it would be left over.
            with suppress(OSError):
                write_private(self._file, content)

    def _running(self) -> Iterable[_Running]:
        for process in self._processes:
            for pid, created in process.seen().items():
                if (session := session_of(pid)) is not None:
                    yield _Running(pid=pid, created=created, session=session)

    def _read(self) -> list[psutil.Process | None]:
        try:
            record = msgspec.json.decode(self._file.read_bytes(), type=_Record)
        except (OSError, msgspec.DecodeError):
            return []
        if not record.boot or record.boot != boot_id():
            return []
        return [
            family.find_process(running.pid, running.created)
            for running in record.processes
            if session_of(running.pid) == running.session
        ]
