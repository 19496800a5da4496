"""Rows of conversations: kept, not deleted, so that what was said stays readable."""

from collections.abc import Sequence
from typing import Final

import msgspec

from sidekicks.contract.ids import AgentId, ChannelId
from sidekicks.store.models import ChannelModel, MessageModel
from sidekicks.store.store import Store


class ChannelRow(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation as stored. `last_position` is that of its last message, 0 for none."""

    channel_id: ChannelId
    kind: str
    name: str
    members: tuple[AgentId, ...]
    draft: str
    read_position: int
    created_at: str
    last_position: int = 0
    unread: int = 0


class Channels:
    """Reads and writes conversations; every method runs on one of the store's threads."""

    def __init__(self, store: Store) -> None:
        self._db: Final = store.database

    def all(self) -> tuple[ChannelRow, ...]:
        """Return every conversation, oldest first."""
        counted = self._db.execute_sql(
            "SELECT c.channel_id, c.kind, c.name, c.members, c.draft, c.read_position,"
            " c.created_at,"
            " (SELECT COALESCE(MAX(position), 0) FROM message m WHERE m.channel_id = c.channel_id),"
            " (SELECT COUNT(*) FROM message m WHERE m.channel_id = c.channel_id"
            "  AND m.position > c.read_position AND m.author != 'user')"
            " FROM channel c ORDER BY c.created_at, c.rowid"
        )
        return tuple(
            ChannelRow(
                channel_id=row[0],
                kind=row[1],
                name=row[2],
                members=msgspec.json.decode(row[3], type=tuple[AgentId, ...]),
                draft=row[4],
                read_position=row[5],
                created_at=row[6],
                last_position=row[7],
                unread=row[8],
            )
            for row in counted.fetchall()
        )

    def add(self, row: ChannelRow) -> None:
        """Store a new conversation."""
        ChannelModel.insert(
            channel_id=row.channel_id,
            kind=row.kind,
            name=row.name,
            members=_members(row.members),
            draft=row.draft,
            read_position=row.read_position,
            created_at=row.created_at,
        ).execute(self._db)

    def rename(self, channel_id: ChannelId, name: str) -> None:
        """Store another name."""
        ChannelModel.update(name=name).where(ChannelModel.channel_id == channel_id).execute(
            self._db
        )

    def save_draft(self, channel_id: ChannelId, draft: str) -> None:
        """Store what is being written."""
        ChannelModel.update(draft=draft).where(ChannelModel.channel_id == channel_id).execute(
            self._db
        )

    def mark_read(self, channel_id: ChannelId, position: int) -> None:
        """Store up to where the person has seen it."""
        ChannelModel.update(read_position=position).where(
            ChannelModel.channel_id == channel_id
        ).execute(self._db)

    def count_messages(self, channel_id: ChannelId) -> int:
        """Return how many messages it holds."""
        return MessageModel.select().where(MessageModel.channel_id == channel_id).count(self._db)


def _members(members: Sequence[AgentId]) -> str:
    return msgspec.json.encode(members).decode()
