"""Opening, the two threads, transactions, and what to do when the disk does not.

Writes run in the order in which they were handed over, each in one transaction, on one thread with
the one writing connection. Reads run on a second thread: they see whatever was committed before.

Whatever the file meets, a write is taken: a damaged file is moved aside and what reads of it takes
its place; where the file cannot be written, all goes on in memory (`WorkingCopy`) until it can, and
the person is told.
"""

import asyncio
import logging
import os
import sqlite3
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from peewee import SqliteDatabase

from sidekicks.base.supervisor import new_incident
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.state import Problem
from sidekicks.store.failures import ERRORS, DamagedError, judge
from sidekicks.store.opening import PRAGMAS, open_database
from sidekicks.store.recovery import recover
from sidekicks.store.report import Report
from sidekicks.store.salvage import count
from sidekicks.store.transaction import transaction
from sidekicks.store.working_copy import WorkingCopy

logger = logging.getLogger(__name__)
Value = TypeVar("Value")

RETRY_SECONDS: Final = 3.0
"""So often it is tried whether the file can be written again."""
RECOVERIES: Final = 3
"""More often in one run, it is the disk that is damaged, and memory the better place."""
_RETRY_MILLISECONDS: Final = 100


class Store:
    """An open history."""

    def __init__(
        self,
        path: Path,
        on_failure: Callable[[str], None] = lambda incident: None,
        on_problem: Callable[[str, Problem | None], None] = lambda problem_id, problem: None,
        retry_seconds: float = RETRY_SECONDS,
    ) -> None:
        # Where it really is: its log lies beside it, and so does what is moved aside.
        self.path: Final = Path(os.path.realpath(path))
        # autoconnect off: else any thread that touches a model opens a connection of its own.
        self.database: Final = SqliteDatabase(str(self.path), PRAGMAS, autoconnect=False)
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="store-write")
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="store-read")
        self._on_failure: Final = on_failure
        self._report: Final = Report(self.path, on_problem)
        self._retry_seconds: Final = retry_seconds
        self._loop: Final = asyncio.get_running_loop()
        self._retry: asyncio.TimerHandle | None = None
        self._copy: WorkingCopy | None = None
        self._readable = False
        """The reading thread may open the file: not while it is moved, nor while it is not used."""
        self._recoveries = 0
        self._closed = False

    @classmethod
    async def open(
        cls,
        path: Path,
        on_failure: Callable[[str], None] = lambda incident: None,
        on_problem: Callable[[str, Problem | None], None] = lambda problem_id, problem: None,
        retry_seconds: float = RETRY_SECONDS,
    ) -> "Store":
        """Open or create the history and bring it to today's version.

        Args:
            path: the file.
            on_failure: told the incident of a posted write that failed for a fault of ours.
            on_problem: told what is wrong with the file, by its id, and null when it is mended;
                both from a thread of the store's.
            retry_seconds: how often to try a file that could not be written.

        Raises:
            SidekicksError: `unavailable`, where it is of a newer app.
        """
        store = cls(path, on_failure, on_problem, retry_seconds)
        try:
            await store._on(store._writer, lambda: store._surely(store._connect))
        except BaseException:
            await store.close()
            raise
        return store

    async def write(self, work: Callable[[], Value]) -> Value:
        """Run `work` in a transaction on the writing thread and wait until it is committed."""
        return await self._on(self._writer, lambda: self._surely(lambda: self._commit(work)))

    def post(self, work: Callable[[], object]) -> None:
        """Hand `work` to the writing thread without waiting; a failure is told to `on_failure`."""
        future = self._writer.submit(self._surely, lambda: self._commit(work))
        future.add_done_callback(self._look_at)

    async def read_written(self, work: Callable[[], Value]) -> Value:
        """As `read`, but behind everything that was handed over for writing before."""
        return await self._on(self._writer, lambda: self._surely(work))

    async def read(self, work: Callable[[], Value]) -> Value:
        """Run `work` on the reading thread."""
        if self._readable:
            with suppress(*ERRORS):
                return await self._on(self._reader, lambda: self._read(work))
        # What is in memory has one connection; and that thread knows what to do about a failure.
        return await self.read_written(work)

    async def close(self) -> None:
        """Finish what was handed over, and close both connections."""
        self._closed = True
        if self._retry is not None:
            self._retry.cancel()
        await self._on(self._writer, self._finish)
        for executor in (self._reader, self._writer):
            executor.shutdown(wait=True)

    # On the writing thread.

    def _surely(self, work: Callable[[], Value]) -> Value:
        """Run `work`; if the file fails it, mend that, or take to memory, and run it again."""
        try:
            return work()
        except ERRORS as error:
            self._give_way(error)
        return work()

    def _commit(self, work: Callable[[], Value]) -> Value:
        with transaction(self.database.connection()):
            return work()

    def _give_way(self, error: Exception) -> None:
        fault = judge(error)
        if fault is None or self._copy is not None:
            raise error
        # As text: a log that keeps the error would keep the damaged file open by it.
        logger.warning("the history %s: %s (%s)", self.path, fault, str(error))
        traceback.clear_frames(error.__traceback__)
        self._disconnect()
        try:
            if fault == "damaged":
                self._recover()
                self._connect()
                return
        except ERRORS as failure:
            logger.warning("the history %s is not mended: %s", self.path, str(failure))
            self._disconnect()
            error = failure
        self._take_to_memory(error, damaged=fault == "damaged")

    def _connect(self) -> None:
        if self._copy is None and self.database.is_closed():
            open_database(self.database, self.path)
            self._readable = True

    def _disconnect(self) -> None:
        """Close both connections; the reading thread opens its own again when it needs it."""
        self._readable = False
        for close in (self.database.close, self._reader.submit(self.database.close).result):
            with suppress(*ERRORS):
                close()

    def _recover(self) -> None:
        if self._recoveries == RECOVERIES:
            raise DamagedError("again and again")
        self._recoveries += 1
        self._report.recovered(*recover(self.path))

    def _take_to_memory(self, error: Exception, *, damaged: bool) -> None:
        self.database.init(":memory:", pragmas={}, uri=True)
        self.database.connect()
        connection = self.database.connection()
        self._copy = WorkingCopy(connection, self.path, damaged=damaged)
        if damaged:
            self._report.damaged(count(connection))
        self._report.unsaved(error, read=self._copy.complete)
        self._try_later()

    def _return_to_file(self) -> None:
        """Bring what is in memory to the file, if it can be written again."""
        if self._copy is None:
            return
        file = SqliteDatabase(
            str(self.path),
            {**PRAGMAS, "busy_timeout": _RETRY_MILLISECONDS},
            autoconnect=False,
            timeout=_RETRY_MILLISECONDS / 1000,
        )
        try:
            open_database(file, self.path, thorough=False)
            self._copy.write_back(file.connection())
        except (*ERRORS, SidekicksError) as error:
            self._report.unsaved(error, read=self._copy.complete)
            if judge(error) == "damaged":
                with suppress(*ERRORS):
                    self._recover()
            self._try_later()
            return
        finally:
            file.close()
        self._report.saved(read=self._copy.complete)
        self._disconnect()
        self._copy = None
        self.database.init(str(self.path), pragmas=PRAGMAS, uri=False)
        self._surely(self._connect)

    def _try_later(self) -> None:
        # The store may outlive the loop by a moment.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._start_waiting)

    def _finish(self) -> None:
        self._return_to_file()
        if self._copy is None and not self.database.is_closed():
            with suppress(*ERRORS):
                self.database.execute_sql("PRAGMA optimize")
        self._disconnect()

    # On the reading thread.

    def _read(self, work: Callable[[], Value]) -> Value:
        if self.database.is_closed():
            if not self._readable:
                raise sqlite3.OperationalError("the file is not open")
            self.database.connect()
        return work()

    # On the engine's loop.

    def _start_waiting(self) -> None:
        if not self._closed:
            self._retry = self._loop.call_later(self._retry_seconds, self._try_again)

    def _try_again(self) -> None:
        self._writer.submit(self._return_to_file).add_done_callback(self._look_at)

    def _look_at(self, future: "Future[Any]") -> None:
        if (error := future.exception()) is not None:
            self._on_failure(new_incident(error))

    @staticmethod
    async def _on(executor: ThreadPoolExecutor, work: Callable[[], Value]) -> Value:
        return await asyncio.get_running_loop().run_in_executor(executor, work)
