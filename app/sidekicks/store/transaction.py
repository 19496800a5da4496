"""All or nothing, and short."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager, suppress


@contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[None]:
    """All that is written within is committed at the end, or nothing of it."""
    # At once for writing: a transaction that reads first cannot be made one that writes where
    # somebody else has written meanwhile.
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # After some errors SQLite has rolled back by itself; what counts is the first error.
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
