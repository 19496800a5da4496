"""Opening, the two threads, and transactions.

Writes run in the order in which they were handed over, each in one transaction, on one thread with
the one writing connection. Reads run on a second thread: they see whatever was committed before.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeVar

from peewee import DatabaseError, SqliteDatabase

from sidekicks.base.supervisor import new_incident
from sidekicks.contract.errors import SidekicksError
from sidekicks.store.migrations import MIGRATIONS, migrate
from sidekicks.store.words import say

logger = logging.getLogger(__name__)
Value = TypeVar("Value")

PRAGMAS: Final = {
    "journal_mode": "wal",
    "synchronous": "normal",
    "foreign_keys": 1,
    "busy_timeout": 5000,
}


class Store:
    """An open database."""

    def __init__(self, path: Path, on_failure: Callable[[str], None] | None = None) -> None:
        # autoconnect off: else any thread that touches a model opens a connection of its own.
        self.database: Final = SqliteDatabase(str(path), pragmas=PRAGMAS, autoconnect=False)
        self.path: Final = path
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="store-write")
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="store-read")
        self._on_failure = on_failure

    @classmethod
    async def open(cls, path: Path, on_failure: Callable[[str], None] | None = None) -> "Store":
        """Open or create the database and bring it to today's version.

        Raises:
            SidekicksError: `unavailable`, where it cannot be opened, is no database, or is of a
                newer app.
        """
        store = cls(path, on_failure)
        try:
            had = await store._on(store._writer, store._open_writer)
            await store._on(store._reader, store._connect)
        except (DatabaseError, sqlite3.Error, OSError) as error:
            await store.close()
            raise SidekicksError(
                "unavailable", say("cannot_open", path=path, error=error), path=str(path)
            ) from error
        if had > len(MIGRATIONS):
            await store.close()
            raise SidekicksError("unavailable", say("newer", path=path), path=str(path))
        return store

    async def write(self, work: Callable[[], Value]) -> Value:
        """Run `work` in a transaction on the writing thread and wait until it is committed."""
        return await self._on(self._writer, lambda: self._in_transaction(work))

    def post(self, work: Callable[[], object]) -> None:
        """Hand `work` to the writing thread without waiting; a failure is told to `on_failure`."""
        future = self._writer.submit(self._in_transaction, work)
        future.add_done_callback(self._report)

    async def read_written(self, work: Callable[[], Value]) -> Value:
        """As `read`, but behind everything that was handed over for writing before."""
        return await self._on(self._writer, work)

    async def read(self, work: Callable[[], Value]) -> Value:
        """Run `work` on the reading thread."""
        return await self._on(self._reader, work)

    async def close(self) -> None:
        """Finish what was handed over, and close both connections."""
        for executor in (self._reader, self._writer):
            await self._on(executor, self.database.close)
            executor.shutdown(wait=True)

    def _open_writer(self) -> int:
        self._connect()
        return migrate(self.database)

    def _connect(self) -> None:
        self.database.connect()

    def _in_transaction(self, work: Callable[[], Value]) -> Value:
        with self.database.atomic("IMMEDIATE"):
            return work()

    def _report(self, future: "Future[object]") -> None:
        if (error := future.exception()) is not None:
            incident = new_incident(error)
            if self._on_failure is not None:
                self._on_failure(incident)

    @staticmethod
    async def _on(executor: ThreadPoolExecutor, work: Callable[[], Value]) -> Value:
        return await asyncio.get_running_loop().run_in_executor(executor, work)
