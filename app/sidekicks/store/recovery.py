"""A damaged history is moved aside, never deleted, and what reads of it takes its place.

The new file is whole before the old one is moved, and a start that finds it finishes the move: a
cut in the middle loses nothing.
"""

import os
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from sidekicks.store.migrations import migrate
from sidekicks.store.salvage import Recovered, count, salvage
from sidekicks.store.wal import PAGE_BYTES

_COMPANIONS = ("-wal", "-shm", "-journal")


def beside(path: Path, ending: str) -> Path:
    """Return the path of a file that belongs to a database: its name with `ending`."""
    return path.with_name(f"{path.name}{ending}")


def is_unfinished(path: Path) -> bool:
    """Return whether a recovery was cut between the new file's end and the old one's move."""
    return beside(path, ".recovered").exists()


def recover(path: Path) -> tuple[Path, Recovered]:
    """Make a new history of what reads; return where the damaged one was moved, and how much.

    Raises:
        OSError, sqlite3.Error: it could not be; the old one is where it was.
    """
    if not is_unfinished(path):
        _make_new(path)
    aside = _put_in_place(path)
    with closing(sqlite3.connect(path)) as connection:
        return aside, count(connection)


def _make_new(path: Path) -> None:
    fresh = beside(path, ".recovering")
    for ending in ("", *_COMPANIONS):
        beside(fresh, ending).unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(fresh, isolation_level=None)) as connection:
            connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
            # Half of it is worth nothing: no journal is needed.
            connection.execute("PRAGMA journal_mode = off")
            migrate(connection)
            salvage(path, connection)
        if path.is_file():
            shutil.copymode(path, fresh)
        fresh.replace(beside(path, ".recovered"))
    except (OSError, sqlite3.Error):
        fresh.unlink(missing_ok=True)
        raise


def _put_in_place(path: Path) -> Path:
    aside = _free_name(path)
    # The file last: as long as it is there, it is known that the move is not done; and a log that
    # stayed behind would be taken for the new file's.
    for ending in (*_COMPANIONS, ""):
        if os.path.lexists(old := beside(path, ending)):
            old.rename(beside(aside, ending))
    beside(path, ".recovered").replace(path)
    return aside


def _free_name(path: Path) -> Path:
    stamp = time.strftime("%Y%m%d-%H%M%S")
    name = beside(path, f".damaged-{stamp}")
    number = 1
    while os.path.lexists(name):
        number += 1
        name = beside(path, f".damaged-{stamp}-{number}")
    return name
