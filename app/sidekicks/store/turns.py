"""Rows of turns. They outlive the turn, so that it can be asked for again, and tell after a crash
what was going on.
"""

from typing import Final

import msgspec

from sidekicks.contract.ids import AgentId, ChannelId, MessageId, TurnId
from sidekicks.contract.state import Turn
from sidekicks.store.models import TurnModel
from sidekicks.store.store import Store

_COLUMNS: Final = (
    "SELECT turn_id, channel_id, agent_id, user_message_id, message_id, state, queued_at FROM turn"
)


class TurnRow(msgspec.Struct, frozen=True, kw_only=True):
    """A turn as stored; `state` is queued, running or ended."""

    turn_id: TurnId
    channel_id: ChannelId
    agent_id: AgentId
    user_message_id: MessageId
    message_id: MessageId | None
    state: str
    queued_at: str


class Turns:
    """Reads and writes turns; every method runs on one of the store's threads."""

    def __init__(self, store: Store) -> None:
        self._db: Final = store.database

    def put(self, turn: Turn, *, ended: bool = False, told_session: str | None = None) -> None:
        """Store a turn, new or changed; `told_session` is the one that got the message with it."""
        # Not REPLACE: that gives the row a new number, and the order of a message's turns is lost.
        self._db.execute_sql(
            "INSERT INTO turn (turn_id, channel_id, agent_id, user_message_id, message_id, state,"
            " queued_at, told_session) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (turn_id)"
            " DO UPDATE SET message_id = excluded.message_id, state = excluded.state,"
            " told_session = excluded.told_session",
            (
                turn.turn_id,
                turn.channel_id,
                turn.agent_id,
                turn.user_message_id,
                turn.message_id,
                "ended" if ended else turn.state,
                turn.queued_at,
                told_session,
            ),
        )

    def get(self, turn_id: TurnId) -> TurnRow | None:
        """Return one turn."""
        found = self._select(f"{_COLUMNS} WHERE turn_id = ?", turn_id)
        return found[0] if found else None

    def of_message(self, message_id: MessageId) -> tuple[TurnRow, ...]:
        """Return the turns that a message of the person's queued, in order."""
        return self._select(f"{_COLUMNS} WHERE user_message_id = ? ORDER BY rowid", message_id)

    def unfinished(self) -> tuple[TurnRow, ...]:
        """Return the turns that a crash or a quit left, oldest first."""
        return self._select(f"{_COLUMNS} WHERE state != 'ended' ORDER BY rowid")

    def end(self, turn_id: TurnId) -> None:
        """Mark a turn that was left as over."""
        TurnModel.update(state="ended").where(TurnModel.turn_id == turn_id).execute(self._db)

    def _select(self, sql: str, *values: str) -> tuple[TurnRow, ...]:
        return tuple(
            TurnRow(
                turn_id=row[0],
                channel_id=row[1],
                agent_id=row[2],
                user_message_id=row[3],
                message_id=row[4],
                state=row[5],
                queued_at=row[6],
            )
            for row in self._db.execute_sql(sql, values).fetchall()
        )
