"""Numbered steps from an empty file to today's tables. `PRAGMA user_version` is the last one done.

A step that was released is never changed. Each runs in a transaction, so that a cut leaves the
database at a whole number.
"""

from typing import Final

from peewee import SqliteDatabase

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


def migrate(database: SqliteDatabase, upto: int = len(MIGRATIONS)) -> int:
    """Bring the database to version `upto` and return the version that it had.

    A database of a newer app is left as it is; its version is then greater than we know.
    """
    had: int = database.execute_sql("PRAGMA user_version").fetchone()[0]
    for number, statements in enumerate(MIGRATIONS[:upto], start=1):
        if number > had:
            with database.atomic():
                for statement in statements:
                    database.execute_sql(statement)
                database.execute_sql(f"PRAGMA user_version = {number}")
    return had
