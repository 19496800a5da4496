"""Numbered steps from an empty file to today's tables. `PRAGMA user_version` is the last one done.

A step that was released is never changed, and each changes the tables: by them a history of a newer
app is told from one whose number was damaged. Each runs in a transaction, so that a cut leaves the
database at a whole number.
"""

import functools
import sqlite3
from contextlib import closing
from typing import Final

from sidekicks.store.transaction import transaction

MIGRATIONS: Final[tuple[tuple[str, ...], ...]] = (
    (
        """CREATE TABLE channel (
            channel_id TEXT NOT NULL PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL,
            members TEXT NOT NULL, draft TEXT NOT NULL, read_position INTEGER NOT NULL,
            created_at TEXT NOT NULL)""",
        """CREATE TABLE message (
            id INTEGER NOT NULL PRIMARY KEY, message_id TEXT NOT NULL UNIQUE,
            channel_id TEXT NOT NULL, position INTEGER, author TEXT NOT NULL, parts BLOB NOT NULL,
            created_at TEXT NOT NULL, turn_id TEXT, ending TEXT, local_id TEXT UNIQUE,
            as_text INTEGER NOT NULL)""",
        "CREATE INDEX message_place ON message (channel_id, position)",
        """CREATE TABLE turn (
            turn_id TEXT NOT NULL PRIMARY KEY, channel_id TEXT NOT NULL, agent_id TEXT NOT NULL,
            user_message_id TEXT NOT NULL, message_id TEXT, state TEXT NOT NULL,
            queued_at TEXT NOT NULL, told_session TEXT)""",
        "CREATE INDEX turn_message ON turn (user_message_id)",
        "CREATE INDEX turn_state ON turn (state)",
        """CREATE TABLE session (
            channel_id TEXT NOT NULL, agent_id TEXT NOT NULL, acp_session_id TEXT NOT NULL,
            mark INTEGER NOT NULL, fresh INTEGER NOT NULL, PRIMARY KEY (channel_id, agent_id))""",
        """CREATE TABLE rule (
            rule_id TEXT NOT NULL PRIMARY KEY, agent_id TEXT NOT NULL, kind TEXT NOT NULL,
            decision TEXT NOT NULL, created_at TEXT NOT NULL)""",
        "CREATE TABLE agent_commands (agent_id TEXT NOT NULL PRIMARY KEY, commands TEXT NOT NULL)",
        "CREATE TABLE setting (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)",
    ),
)


def migrate(connection: sqlite3.Connection, upto: int = len(MIGRATIONS)) -> int:
    """Bring the database to version `upto` and return the version that it had."""
    had = version(connection)
    for number, statements in enumerate(MIGRATIONS[:upto], start=1):
        if number > had:
            with transaction(connection):
                for statement in statements:
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {number}")
    return had


def version(connection: sqlite3.Connection) -> int:
    """Return the number of the last step done."""
    return connection.execute("PRAGMA user_version").fetchone()[0]


@functools.cache
def schema_of(number: int) -> frozenset[tuple[str, str]]:
    """Return the tables and indexes, by name and statement, of a history of this version."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrate(connection, number)
        return schema(connection)


def schema(connection: sqlite3.Connection) -> frozenset[tuple[str, str]]:
    """Return the tables and indexes of a database, by name and statement."""
    found = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return frozenset(found.fetchall())
