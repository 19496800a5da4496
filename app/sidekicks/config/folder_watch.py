"""The system's own watch on the folders of a few files, by watchdog.

A folder is watched, not the file: an editor saves by renaming a new file over the old one, and a
watch on the old one would see nothing any more. Always without its subfolders, and always with an
event filter: without one watchdog 7 also asks for each opening and closing of a file.
"""

import unicodedata
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

from watchdog.events import (
    DirDeletedEvent,
    FileAttribEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer

_EVENTS: Final[list[type[FileSystemEvent]]] = [
    FileAttribEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    # The watched folder itself is gone.
    DirDeletedEvent,
]


class FolderWatch(FileSystemEventHandler):
    """Calls `on_event` from its thread when something happens to one of `files`.

    The history lies in the same folder and is written all the time; it wakes nobody.

    Raises:
        OSError: the system grants no watch.
    """

    def __init__(self, files: Collection[Path], on_event: Callable[[], None]) -> None:
        self._names: Final = {_fold(str(file)) for file in files}
        self._on_event: Final = on_event
        self._observer: Final = Observer()
        try:
            self._observer.start()
            for folder in {file.parent for file in files}:
                self._observer.schedule(self, str(folder), recursive=False, event_filter=_EVENTS)
        except BaseException:
            self.stop()
            raise

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Pass on what concerns the files."""
        if event.is_directory or not self._names.isdisjoint(
            (_fold(event.src_path), _fold(event.dest_path))
        ):
            self._on_event()

    def stop(self) -> None:
        """End the watch and its threads."""
        self._observer.stop()
        if self._observer.is_alive():
            self._observer.join()


def _fold(path: bytes | str) -> str:
    # A Mac's disk may spell an accented name differently from who asked for it.
    return unicodedata.normalize("NFC", path if isinstance(path, str) else path.decode())
