"""Rows of messages, paged by position. One that waits in the queue has none and is never paged."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from sidekicks.contract.ids import ChannelId, MessageId, TurnId
from sidekicks.contract.state import Message
from sidekicks.store.failures import DamagedError
from sidekicks.store.models import MessageModel
from sidekicks.store.store import Store
from sidekicks.store.tables import read_ending, read_parts

_COLUMNS: Final = (
    "SELECT message_id, channel_id, position, author, parts, created_at, turn_id, ending, as_text"
    " FROM message"
)
_encoder = msgspec.json.Encoder()


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """Messages, oldest first; `before` and `after` say whether there are others on that side."""

    messages: tuple[Message, ...]
    before: bool
    after: bool


class _Row(msgspec.Struct, frozen=True, array_like=True):
    """What SQLite must give: by itself it stores any kind of value in any column."""

    message_id: MessageId
    channel_id: ChannelId
    position: int | None
    author: str
    parts: bytes
    created_at: str
    turn_id: TurnId | None
    ending: str | None
    as_text: int


class Messages:
    """Reads and writes messages; every method runs on one of the store's threads."""

    def __init__(self, store: Store) -> None:
        self._db: Final = store.database

    def put(self, message: Message, local_id: str | None = None) -> None:
        """Store a message, new or changed."""
        row = {
            "channel_id": message.channel_id,
            "position": message.position,
            "author": message.author,
            "parts": _encoder.encode(message.parts),
            "created_at": message.created_at,
            "turn_id": message.turn_id,
            "as_text": message.as_text,
            "ending": None if message.ending is None else _encoder.encode(message.ending).decode(),
        }
        changed = (
            MessageModel.update(**row)
            .where(MessageModel.message_id == message.message_id)
            .execute(self._db)
        )
        if not changed:
            MessageModel.insert(message_id=message.message_id, local_id=local_id, **row).execute(
                self._db
            )

    def remove(self, message_id: MessageId) -> None:
        """Delete a message that was never said."""
        MessageModel.delete().where(MessageModel.message_id == message_id).execute(self._db)

    def get(self, message_id: MessageId) -> Message | None:
        """Return one message."""
        found = self._select(f"{_COLUMNS} WHERE message_id = ?", message_id)
        return found[0] if found else None

    def find_local(self, local_id: str) -> Message | None:
        """Return the message that was sent under this `localId`."""
        found = self._select(f"{_COLUMNS} WHERE local_id = ?", local_id)
        return found[0] if found else None

    def queued(self, channel_id: ChannelId) -> tuple[Message, ...]:
        """Return the messages that wait in the queue, oldest first."""
        return self._select(
            f"{_COLUMNS} WHERE channel_id = ? AND position IS NULL ORDER BY id", channel_id
        )

    def last(self, channel_id: ChannelId, limit: int) -> Page:
        """Return the last messages."""
        return self.before(channel_id, None, limit)

    def before(self, channel_id: ChannelId, position: int | None, limit: int) -> Page:
        """Return the messages just before `position` (before the end, if null)."""
        found = self._select(
            f"{_COLUMNS} WHERE channel_id = ? AND position < ? ORDER BY position DESC LIMIT ?",
            channel_id,
            2**62 if position is None else position,
            limit + 1,
        )
        return Page(
            messages=tuple(reversed(found[:limit])),
            before=len(found) > limit,
            after=position is not None,
        )

    def after(self, channel_id: ChannelId, position: int, limit: int) -> Page:
        """Return the messages just after `position`."""
        found = self._select(
            f"{_COLUMNS} WHERE channel_id = ? AND position > ? ORDER BY position LIMIT ?",
            channel_id,
            position,
            limit + 1,
        )
        return Page(messages=found[:limit], before=True, after=len(found) > limit)

    def unseen(
        self,
        channel_id: ChannelId,
        *,
        after: int,
        without: MessageId,
        without_author: str | None,
        without_told: str | None,
    ) -> Iterator[Message]:
        """Yield the messages after a position, the newest first.

        Args:
            channel_id: the conversation.
            after: the position.
            without: a message to leave out.
            without_author: whose messages to leave out.
            without_told: the ACP session whose own prompts and answers to leave out.
        """
        cursor = self._db.execute_sql(
            "WITH told AS (SELECT turn_id, user_message_id FROM turn"
            " WHERE channel_id = ? AND told_session = ?)"
            f" {_COLUMNS} WHERE channel_id = ? AND position > ? AND message_id != ?"
            " AND author IS NOT ? AND message_id NOT IN (SELECT user_message_id FROM told)"
            " AND COALESCE(turn_id, '') NOT IN (SELECT turn_id FROM told)"
            " ORDER BY position DESC",
            (channel_id, without_told or "", channel_id, after, without, without_author),
        )
        while rows := cursor.fetchmany(64):
            yield from map(_message, rows)

    def position_at(self, channel_id: ChannelId, date: str) -> int | None:
        """Return the position of the first message of that date or later."""
        row = self._db.execute_sql(
            "SELECT MIN(position) FROM message WHERE channel_id = ? AND created_at >= ?",
            (channel_id, date),
        ).fetchone()
        return row[0]

    def _select(self, sql: str, *values: Any) -> tuple[Message, ...]:
        return tuple(_message(row) for row in self._db.execute_sql(sql, values).fetchall())


def _message(values: tuple[Any, ...]) -> Message:
    try:
        row = msgspec.convert(values, _Row)
    except msgspec.ValidationError as error:
        raise DamagedError("a row of message") from error
    return Message(
        message_id=row.message_id,
        channel_id=row.channel_id,
        position=row.position,
        author=row.author,
        parts=read_parts(row.parts),
        created_at=row.created_at,
        turn_id=row.turn_id,
        ending=read_ending(row.ending),
        as_text=bool(row.as_text),
    )
