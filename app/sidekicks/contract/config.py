"""The configuration file as it is understood: what `config` reads and `agents` go by."""

from pathlib import Path
from typing import Any

from sidekicks.contract.ids import AgentId
from sidekicks.contract.state import RuntimeType
from sidekicks.contract.wire import Wire


class RuntimeConfig(Wire, frozen=True, kw_only=True):
    """Where an agent's program runs. `workspace_path` is the folder inside; null: the same path."""

    type: RuntimeType = "local"
    container: str | None = None
    sandbox: str | None = None
    context: str | None = None
    workspace_path: str | None = None


class RecapConfig(Wire, frozen=True, kw_only=True):
    """How much an agent is told of what it has not seen; `characters` are of each message."""

    messages: int = 20
    characters: int = 800
    total: int = 8000


class AgentConfig(Wire, frozen=True, kw_only=True):
    """One entry under `agents:`. Without `command` it is a workspace only."""

    agent_id: AgentId
    name: str
    workspace: Path
    command: str | None = None
    args: tuple[str, ...] = ()
    env: dict[str, str] = {}
    keep: bool = False
    runtime: RuntimeConfig = RuntimeConfig()
    mcp_servers: tuple[dict[str, Any], ...] = ()


class Config(Wire, frozen=True, kw_only=True):
    """The whole file. `max_answering` is as `max_running` unless said."""

    agents: tuple[AgentConfig, ...] = ()
    max_running: int = 2
    max_answering: int = 2
    recap: RecapConfig = RecapConfig()
