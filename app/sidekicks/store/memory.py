"""What is remembered about agents and for the app: announced commands, settings."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from sidekicks.contract.ids import AgentId
from sidekicks.contract.state import SlashCommand
from sidekicks.store.models import AgentCommandsModel, SettingModel
from sidekicks.store.store import Store

_commands = msgspec.json.Decoder(tuple[SlashCommand, ...])


class AgentMemory:
    """Reads and writes small values; every method runs on one of the store's threads."""

    def __init__(self, store: Store) -> None:
        self._db: Final = store.database

    def save_commands(self, agent_id: AgentId, commands: Sequence[SlashCommand]) -> None:
        """Store the list that an agent announced."""
        AgentCommandsModel.replace(
            agent_id=agent_id, commands=msgspec.json.encode(commands).decode()
        ).execute(self._db)

    def commands(self) -> dict[AgentId, tuple[SlashCommand, ...]]:
        """Return the last lists of all agents."""
        rows = self._db.execute_sql("SELECT agent_id, commands FROM agent_commands").fetchall()
        return {row[0]: _commands.decode(row[1]) for row in rows}

    def save_setting(self, key: str, value: Any) -> None:
        """Store one setting."""
        SettingModel.replace(key=key, value=msgspec.json.encode(value).decode()).execute(self._db)

    def settings(self) -> dict[str, Any]:
        """Return all settings."""
        rows = self._db.execute_sql("SELECT key, value FROM setting").fetchall()
        return {row[0]: msgspec.json.decode(row[1]) for row in rows}
