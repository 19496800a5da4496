"""Opening the file of a history: is it what we wrote, and of a version that we know?

The look is cheap: the header, the tables, and the few rows that the start needs. Only where the
last run left its log, so did not close, is the whole of it checked.
"""

import os
import shutil
import struct
from contextlib import suppress
from pathlib import Path
from typing import Final

from peewee import SqliteDatabase

from sidekicks.contract.errors import SidekicksError
from sidekicks.store.failures import ERRORS, DamagedError, judge
from sidekicks.store.migrations import MIGRATIONS, migrate, schema, schema_of, version
from sidekicks.store.recovery import beside, is_unfinished
from sidekicks.store.tables import TABLES
from sidekicks.store.transaction import transaction
from sidekicks.store.wal import HEADER_BYTES, PAGE_BYTES, read_wal
from sidekicks.store.words import say

_PAGES: Final = 1000
PRAGMAS: Final = {
    "synchronous": "normal",
    "foreign_keys": 1,
    # Look at a page before it is trusted: else a damaged one is written to.
    "cell_size_check": 1,
    # The log is brought into the file, and cut back, at this size.
    "wal_autocheckpoint": _PAGES,
    "journal_size_limit": _PAGES * PAGE_BYTES,
    "busy_timeout": 5000,
}

_MAGIC: Final = b"SQLite format 3\0"
_LATER: Final = 1000
"""A version that is further ahead than that is no version."""


def open_database(database: SqliteDatabase, path: Path, *, thorough: bool = True) -> None:
    """Connect, and bring the database to today's version.

    Args:
        database: closed, and for that path.
        path: the file, without links.
        thorough: check the whole of it where the last run did not close it.

    Raises:
        DamagedError: it is not what we wrote.
        PeeweeException, sqlite3.Error, OSError: it cannot be written or read, as `judge` tells.
        SidekicksError: `unavailable`, where it is of a newer app.
    """
    left = _look(path)
    try:
        database.connect()
        _bring_up(database, path)
        if left and thorough:
            (said,) = database.connection().execute("PRAGMA quick_check(1)").fetchone()
            if said != "ok":
                raise DamagedError(said)
    except BaseException as error:
        with suppress(*ERRORS):
            database.close()
        if isinstance(error, ERRORS) and judge(error) is None:
            raise DamagedError(str(error)) from error
        raise


def _bring_up(database: SqliteDatabase, path: Path) -> None:
    connection = database.connection()
    had = version(connection)
    if not 0 <= had <= len(MIGRATIONS) + _LATER:
        raise DamagedError("the version")
    found = schema(connection)
    if not schema_of(min(had, len(MIGRATIONS))) <= found or (found and not had):
        if had > len(MIGRATIONS):
            raise SidekicksError("unavailable", say("newer", path=path), path=str(path))
        raise DamagedError("the tables")
    # Not before it is known to be ours; what another program wrote stays as it is.
    connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
    connection.execute("PRAGMA journal_mode = wal").fetchall()
    with transaction(connection):
        # Written to see whether it can be: SQLite begins to write also where it may only read. And
        # a newer app would have changed the tables, so the number was damaged.
        connection.execute(f"PRAGMA user_version = {min(had, len(MIGRATIONS))}")
    migrate(connection)
    _check(database)


def _look(path: Path) -> bool:
    """Look at the files before SQLite does; return whether the last run left its log."""
    if is_unfinished(path):
        raise DamagedError("a recovery that was cut")
    for file in (path, beside(path, "-wal"), beside(path, "-shm")):
        if os.path.lexists(file) and not file.is_file():
            raise DamagedError("no file")
    _share_rights(path)
    log = beside(path, "-wal")
    left = log.exists() and log.stat().st_size > HEADER_BYTES
    if left and not read_wal(log).whole:
        raise DamagedError("the log")
    if not path.exists():
        if left:
            raise DamagedError("a log without its file")
        return False
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        header, size = os.pread(file, 100, 0), os.fstat(file).st_size
    finally:
        os.close(file)
    if len(header) < 100 or not _is_ours(header):
        raise DamagedError("the header")
    changed, pages = struct.unpack_from(">2I", header, 24)
    (counted,) = struct.unpack_from(">I", header, 92)
    # Where the log is left, what the file lacks may be there.
    if not left and (size % PAGE_BYTES or (changed == counted and size < pages * PAGE_BYTES)):
        raise DamagedError("the length")
    return left


def _share_rights(path: Path) -> None:
    """Let what SQLite put beside a write-protected file be written once the file may be."""
    for companion in (beside(path, "-wal"), beside(path, "-shm")):
        if companion.exists() and os.access(path, os.W_OK) and not os.access(companion, os.W_OK):
            with suppress(OSError):
                shutil.copymode(path, companion)


def _is_ours(header: bytes) -> bool:
    page_bytes, *fixed = struct.unpack_from(">H6B", header, 16)
    (encoding,) = struct.unpack_from(">I", header, 56)
    # Written and read as a log's file, nothing reserved, and three constants of the format.
    return (
        header.startswith(_MAGIC)
        and page_bytes == PAGE_BYTES
        and fixed[:2] in ([1, 1], [2, 2])
        and fixed[2:] == [0, 64, 32, 32]
        and encoding in (0, 1)
    )


def _check(database: SqliteDatabase) -> None:
    for table in TABLES:
        if table.small:
            columns = ", ".join(table.columns)
            for row in database.execute_sql(f"SELECT {columns} FROM {table.name}").fetchall():
                if table.accept(row) != row:
                    raise DamagedError(f"a row of {table.name}")
    lost = database.execute_sql(
        "SELECT 1 FROM turn t WHERE state IN ('queued', 'running') AND"
        " (NOT EXISTS (SELECT 1 FROM message m WHERE m.message_id = t.user_message_id)"
        " OR (t.message_id NOT NULL AND NOT EXISTS"
        " (SELECT 1 FROM message m WHERE m.message_id = t.message_id)))"
    )
    if lost.fetchall():
        raise DamagedError("a turn without its message")
