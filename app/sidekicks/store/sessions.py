"""Rows of ACP sessions, and of rules."""

from typing import Final

import msgspec

from sidekicks.contract.ids import AgentId, ChannelId, RuleId
from sidekicks.contract.state import Rule
from sidekicks.store.models import RuleModel, SessionModel
from sidekicks.store.store import Store


class SessionRow(msgspec.Struct, frozen=True, kw_only=True):
    """An agent's session in a conversation, as last opened.

    `mark` is the position up to which the agent was told; `fresh` while it has had no ordinary
    prompt, so that its first one tells it everything, its own words included.
    """

    channel_id: ChannelId
    agent_id: AgentId
    acp_session_id: str
    mark: int = 0
    fresh: bool = True


class Sessions:
    """Reads and writes sessions; every method runs on one of the store's threads."""

    def __init__(self, store: Store) -> None:
        self._db: Final = store.database

    def all(self) -> tuple[SessionRow, ...]:
        """Return every session."""
        rows = self._db.execute_sql(
            "SELECT channel_id, agent_id, acp_session_id, mark, fresh FROM session"
        ).fetchall()
        return tuple(
            SessionRow(
                channel_id=row[0],
                agent_id=row[1],
                acp_session_id=row[2],
                mark=row[3],
                fresh=bool(row[4]),
            )
            for row in rows
        )

    def put(self, row: SessionRow) -> None:
        """Store a session, new or changed."""
        SessionModel.replace(**msgspec.structs.asdict(row)).execute(self._db)


class Rules:
    """Reads and writes rules; every method runs on one of the store's threads."""

    def __init__(self, store: Store) -> None:
        self._db: Final = store.database

    def all(self) -> tuple[Rule, ...]:
        """Return every rule, oldest first."""
        rows = self._db.execute_sql(
            "SELECT rule_id, agent_id, kind, decision, created_at FROM rule ORDER BY created_at"
        ).fetchall()
        return tuple(
            Rule(rule_id=row[0], agent_id=row[1], kind=row[2], decision=row[3], created_at=row[4])
            for row in rows
        )

    def add(self, rule: Rule) -> None:
        """Store a rule."""
        RuleModel.insert(**msgspec.structs.asdict(rule)).execute(self._db)

    def remove(self, rule_id: RuleId) -> None:
        """Delete a rule."""
        RuleModel.delete().where(RuleModel.rule_id == rule_id).execute(self._db)
