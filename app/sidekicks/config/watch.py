"""Watches the configuration file: a saved edit is noticed at once, whatever way it was saved.

What decides is the content: only when its hash has changed is anything told. The system's watch
only says when to look. Every few seconds the file's dates are looked at besides, because there
are changes that no system tells: a folder renamed away, a link turned to another file, a save on
another computer to a shared disk. Where the system grants no watch, looking is all there is.
"""

import hashlib
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sidekicks.config.source import UnreadableError, read_source
from sidekicks.config.words import say
from sidekicks.contract.state import Problem

if TYPE_CHECKING:
    from sidekicks.config.folder_watch import FolderWatch

LOOK_SECONDS: Final = 2.0
"""How often the file is looked at where nothing tells of its changes."""
_WATCHED_LOOKS: Final = 2.5
"""While the system tells, looks are this much rarer."""
_RETRY_LOOKS: Final = 30
"""After so many looks a watch that was refused is asked for again."""
_SETTLE_SECONDS: Final = 0.1
_SETTLE_ROUNDS: Final = 10
"""A save is several events; it is over when there was none for a moment, or after a second."""


class ConfigWatcher:
    """Calls `on_changed`, from a thread of its own, each time the file's content has changed.

    Start it before the file is first read, so that no edit falls between the two.

    Args:
        path: the file; neither it nor its folder need be there.
        on_changed: must only pass the word on, such as to the engine.
        on_problem: told a problem where the system grants no watch, and None when it does again.
        look_seconds: how often to look where nothing tells of changes.
    """

    def __init__(
        self,
        path: Path,
        on_changed: Callable[[], None],
        on_problem: Callable[[Problem | None], None] | None = None,
        *,
        look_seconds: float = LOOK_SECONDS,
    ) -> None:
        self._path: Final = path.absolute()
        self._on_changed: Final = on_changed
        self._on_problem: Final = on_problem
        self._look_seconds: Final = look_seconds
        self._woken: Final = threading.Event()
        self._stopping: Final = threading.Event()
        self._thread: Final = threading.Thread(target=self._run, name="config-watch", daemon=True)
        self._content: str | None = None
        self._dates: tuple[int, ...] = ()
        self._watch: FolderWatch | None = None
        self._watched: frozenset[tuple[Path, int, int]] = frozenset()
        self._refused = 0
        """Looks until a refused watch is asked for again."""
        self._told = False

    def start(self) -> None:
        """Begin; what differs from now on from what is there now is told."""
        self._dates = self._take_dates()
        self._content = self._take_content()
        self._thread.start()

    def stop(self) -> None:
        """End. No thread is left, unless it is called from `on_changed` itself."""
        self._stopping.set()
        self._woken.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                certain = self._watch_folders()
                seconds = self._look_seconds * (_WATCHED_LOOKS if self._watch else 1)
                if not certain:
                    certain = self._woken.wait(seconds)
                    self._settle()
                if not self._stopping.is_set():
                    self._look(certain)
        finally:
            self._end_watch()

    def _settle(self) -> None:
        for _ in range(_SETTLE_ROUNDS):
            if not self._woken.is_set() or self._stopping.is_set():
                return
            self._woken.clear()
            self._stopping.wait(_SETTLE_SECONDS)

    def _look(self, certain: bool) -> None:
        """Compare the content, if something was told of it or its dates are others."""
        dates = self._take_dates()
        if not certain and dates == self._dates:
            return
        self._dates = dates
        content = self._take_content()
        if content != self._content:
            self._content = content
            self._on_changed()

    def _take_dates(self) -> tuple[int, ...]:
        try:
            found = self._path.stat()
        except OSError as error:
            return (error.errno or 0,)
        return (
            found.st_dev,
            found.st_ino,
            found.st_mode,
            found.st_size,
            found.st_mtime_ns,
            found.st_ctime_ns,
        )

    def _take_content(self) -> str:
        try:
            return hashlib.sha256(read_source(self._path)).hexdigest()
        except FileNotFoundError:
            return "missing"
        except UnreadableError as error:
            return error.fault.word

    def _watch_folders(self) -> bool:
        """Have the folders watched as they are now; true if that is new."""
        files = self._files()
        folders = frozenset(each for file in files if (each := _identity(file.parent)) is not None)
        if folders == self._watched and self._refused != 1:
            self._refused = max(0, self._refused - 1)
            return False
        self._end_watch()
        self._watched = folders
        self._refused = 0
        if not folders:
            return True
        # Importing watchdog takes longer than all else here, and the window is to be there first.
        from sidekicks.config.folder_watch import FolderWatch

        present = {folder for folder, _, _ in folders}
        try:
            self._watch = FolderWatch(
                [file for file in files if file.parent in present], self._woken.set
            )
        except OSError as error:
            self._refuse(error)
        else:
            self._tell(None)
        return True

    def _refuse(self, error: OSError) -> None:
        self._refused = _RETRY_LOOKS
        self._tell(
            Problem(
                problem_id="config:watch",
                code="config",
                severity="warning",
                file=str(self._path).encode("utf-8", "replace").decode(),
                message=say("not_watched", reason=error.strerror or type(error).__name__),
            )
        )

    def _tell(self, problem: Problem | None) -> None:
        if self._on_problem is not None and self._told != (problem is not None):
            self._on_problem(problem)
        self._told = problem is not None

    def _files(self) -> tuple[Path, Path]:
        """The file under its own name, and where it really lies: a linked file is saved there."""
        real = os.path.realpath(self._path)
        return Path(os.path.realpath(self._path.parent), self._path.name), Path(real)

    def _end_watch(self) -> None:
        if self._watch is not None:
            self._watch.stop()
            self._watch = None


def _identity(folder: Path) -> tuple[Path, int, int] | None:
    try:
        found = folder.stat()
    except OSError:
        return None
    return folder, found.st_dev, found.st_ino
