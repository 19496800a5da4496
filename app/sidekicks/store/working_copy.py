"""A history in memory, for as long as its file cannot be written.

It begins with what the file holds, the newest messages first, and keeps note of every row that is
changed, so that all of them, and nothing else, can be brought to the file at once.
"""

import sqlite3
from pathlib import Path
from typing import Final
from urllib.parse import quote

from sidekicks.store.migrations import migrate
from sidekicks.store.salvage import salvage
from sidekicks.store.tables import TABLES, Table
from sidekicks.store.transaction import transaction

NEWEST_BYTES: Final = 64 * 1024 * 1024
"""So much of messages is taken along; older ones show again once the file can be written."""


class WorkingCopy:
    """What is in memory instead of the file.

    Args:
        memory: an empty database in memory, opened for URIs.
        path: the file, which nobody of ours has open.
        damaged: it does not read in the usual way.
    """

    def __init__(self, memory: sqlite3.Connection, path: Path, *, damaged: bool) -> None:
        self._memory: Final = memory
        migrate(memory)
        self.complete = True
        """False where the file could not even be read."""
        try:
            if damaged or not self._copy(path):
                salvage(path, memory)
        except OSError:
            self.complete = False
        for table in TABLES:
            self._watch(table)

    def write_back(self, file: sqlite3.Connection) -> None:
        """Bring what has changed to the file, all of it or nothing.

        Raises:
            sqlite3.Error: it still cannot be written.
        """
        with transaction(file):
            self._give_up_local_ids(file)
            for table in TABLES:
                self._write_table(table, file)

    def _copy(self, path: Path) -> bool:
        """Copy the file's rows, if SQLite reads it: in a folder without write access it may not."""
        memory = self._memory
        try:
            memory.execute("ATTACH DATABASE ? AS kept", (f"file:{quote(str(path))}?mode=ro",))
        except sqlite3.Error:
            return False
        try:
            with transaction(memory):
                for table in TABLES:
                    self._copy_table(table)
        except sqlite3.Error:
            return False
        finally:
            memory.execute("DETACH DATABASE kept")
        return True

    def _copy_table(self, table: Table) -> None:
        columns = ", ".join(("rowid", *table.columns))
        first = self._first_message() if table.name == "message" else None
        self._memory.execute(
            f"INSERT INTO main.{table.name} ({columns}) SELECT {columns} FROM kept.{table.name}"
            " WHERE rowid > ? ORDER BY rowid",
            (-(2**63) if first is None else first,),
        )

    def _first_message(self) -> int | None:
        """Return the number of the last message that is too old to be taken along."""
        found = self._memory.execute(
            "SELECT MAX(id) FROM (SELECT id, SUM(LENGTH(parts)) OVER (ORDER BY id DESC) AS taken"
            " FROM kept.message) WHERE taken > ?",
            (NEWEST_BYTES,),
        ).fetchone()
        return found[0]

    def _give_up_local_ids(self, file: sqlite3.Connection) -> None:
        """Of a message sent again because its first sending could not be seen, both stay."""
        sent = self._memory.execute(
            "SELECT message_id, local_id FROM message"
            " WHERE local_id NOT NULL AND id IN (SELECT number FROM changed_message)"
        )
        for message_id, local_id in sent.fetchall():
            first = file.execute(
                "SELECT 1 FROM message WHERE local_id = ? AND message_id != ?",
                (local_id, message_id),
            )
            if first.fetchone():
                self._memory.execute(
                    "UPDATE message SET local_id = NULL WHERE message_id = ?", (message_id,)
                )

    def _watch(self, table: Table) -> None:
        name, key = table.name, ", ".join(table.key)
        old = ", ".join(f"old.{column}" for column in table.key)
        gone_before = " AND ".join(f"{column} = old.{column}" for column in table.key)
        # Not by OR IGNORE: what a statement says of conflicts holds for its triggers, too.
        note = (
            f"INSERT INTO changed_{name} SELECT new.rowid"
            f" WHERE NOT EXISTS (SELECT 1 FROM changed_{name} WHERE number = new.rowid)"
        )
        for statement in (
            f"CREATE TEMP TABLE changed_{name} (number INTEGER PRIMARY KEY)",
            f"CREATE TEMP TABLE gone_{name} ({key}, PRIMARY KEY ({key}))",
            f"CREATE TEMP TRIGGER added_{name} AFTER INSERT ON main.{name} BEGIN {note}; END",
            f"CREATE TEMP TRIGGER altered_{name} AFTER UPDATE ON main.{name} BEGIN {note}; END",
            f"CREATE TEMP TRIGGER removed_{name} AFTER DELETE ON main.{name} BEGIN"
            f" INSERT INTO gone_{name} SELECT {old}"
            f" WHERE NOT EXISTS (SELECT 1 FROM gone_{name} WHERE {gone_before}); END",
        ):
            self._memory.execute(statement)

    def _write_table(self, table: Table, file: sqlite3.Connection) -> None:
        where = " AND ".join(f"{column} = ?" for column in table.key)
        gone = self._memory.execute(f"SELECT * FROM gone_{table.name}")
        file.executemany(f"DELETE FROM {table.name} WHERE {where}", gone)
        # The numbers of rows stay the memory's: the file may have given them to others.
        columns = table.columns
        changed = self._memory.execute(
            f"SELECT {', '.join(columns)} FROM {table.name}"
            f" WHERE rowid IN (SELECT number FROM changed_{table.name}) ORDER BY rowid"
        )
        others = [name for name in columns if name not in table.key]
        file.executemany(
            f"INSERT INTO {table.name} ({', '.join(columns)})"
            f" VALUES ({', '.join('?' * len(columns))}) ON CONFLICT ({', '.join(table.key)})"
            f" DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in others)}",
            changed,
        )
