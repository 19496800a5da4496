"""What a damaged history still holds, brought into a new one that can be worked with."""

import sqlite3
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from sidekicks.contract.state import Ending
from sidekicks.store.pages import Pages
from sidekicks.store.tables import TABLES, Table
from sidekicks.store.transaction import transaction
from sidekicks.store.words import say

_INSERT: Final = {
    table.name: (
        f"INSERT OR IGNORE INTO {table.name} (rowid, {', '.join(table.columns)})"
        f" VALUES (?{', ?' * len(table.columns)})",
        len(table.columns),
    )
    for table in TABLES
}
_TIDY: Final = (
    # A turn is nothing without the message that it is for, nor is one that runs without its answer.
    "DELETE FROM turn WHERE user_message_id NOT IN (SELECT message_id FROM message)",
    "DELETE FROM turn WHERE state != 'ended' AND message_id IS NOT NULL"
    " AND message_id NOT IN (SELECT message_id FROM message)",
    "DELETE FROM session WHERE channel_id NOT IN (SELECT channel_id FROM channel)",
)


class Recovered(NamedTuple):
    """How much of a history could be read."""

    messages: int
    channels: int


def salvage(source: Path, into: sqlite3.Connection) -> Recovered:
    """Bring every row that reads into an empty history of today's version; `source` stays as it is.

    Raises:
        OSError: where the file cannot even be opened.
        sqlite3.Error: where the new one cannot be written.
    """
    late: list[tuple[Table, tuple[Any, ...]]] = []
    with Pages(source) as pages, transaction(into):
        for row in pages.rows():
            for table in TABLES:
                values = table.accept(row.values)
                if values is not None:
                    if not _insert(into, table, row.number, values):
                        late.append((table, values))
                    break
        # Whose number was damaged comes last; the same row once more stays out, by its key.
        for table, values in late:
            _insert(into, table, None, values)
        _tidy(into)
        return count(into)


def count(connection: sqlite3.Connection) -> Recovered:
    """Return how much a history holds."""
    found = connection.execute(
        "SELECT (SELECT COUNT(*) FROM message), (SELECT COUNT(*) FROM channel)"
    )
    return Recovered(*found.fetchone())


def _insert(
    into: sqlite3.Connection, table: Table, number: int | None, values: tuple[Any, ...]
) -> bool:
    statement, columns = _INSERT[table.name]
    return into.execute(statement, (number, *values[-columns:])).rowcount > 0


def _tidy(into: sqlite3.Connection) -> None:
    """Make whole what hangs together, so that nothing of it comes as a surprise later."""
    _make_channels(into)
    for statement in _TIDY:
        into.execute(statement)
    _place_queued(into)
    ending = Ending(outcome="failed", reason=say("interrupted"), duration_ms=0)
    into.execute(
        "UPDATE message SET ending = ? WHERE ending IS NULL AND author != 'user' AND message_id"
        " NOT IN (SELECT message_id FROM turn WHERE state != 'ended' AND message_id IS NOT NULL)",
        (msgspec.json.encode(ending).decode(),),
    )


def _make_channels(into: sqlite3.Connection) -> None:
    """Give messages whose conversation is lost one again, with whom they are of and for."""
    lost = into.execute(
        "SELECT m.channel_id, MIN(m.created_at), c.created_at FROM message m"
        " LEFT JOIN channel c ON c.channel_id = m.channel_id"
        " WHERE c.channel_id IS NULL OR c.members = '[]' GROUP BY m.channel_id"
    ).fetchall()
    for channel_id, first, known in lost:
        agents = into.execute(
            "SELECT author FROM message WHERE channel_id = ?1 AND author != 'user'"
            " UNION SELECT agent_id FROM turn WHERE channel_id = ?1 ORDER BY 1",
            (channel_id,),
        ).fetchall()
        members = [agent_id for (agent_id,) in agents]
        encoded = msgspec.json.encode(members).decode()
        if known is not None:
            into.execute(
                "UPDATE channel SET members = ? WHERE channel_id = ?", (encoded, channel_id)
            )
            continue
        into.execute(
            "INSERT INTO channel"
            " (channel_id, kind, name, members, draft, read_position, created_at)"
            " VALUES (?1, ?2, ?3, ?4, '',"
            " (SELECT COALESCE(MAX(position), 0) FROM message WHERE channel_id = ?1), ?5)",
            (
                channel_id,
                "direct" if len(members) == 1 else "channel",
                ", ".join(members),
                encoded,
                first,
            ),
        )


def _place_queued(into: sqlite3.Connection) -> None:
    """Place what waited in the queue for turns that are lost: neither lost nor stuck there."""
    queued = into.execute(
        "SELECT id, channel_id FROM message WHERE position IS NULL AND message_id NOT IN"
        " (SELECT user_message_id FROM turn WHERE state != 'ended') ORDER BY id"
    ).fetchall()
    for number, channel_id in queued:
        into.execute(
            "UPDATE message SET position ="
            " (SELECT COALESCE(MAX(position), 0) + 1 FROM message WHERE channel_id = ?)"
            " WHERE id = ?",
            (channel_id, number),
        )
