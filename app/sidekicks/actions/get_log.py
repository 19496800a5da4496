"""An agent's log."""

from sidekicks.actions.app import App
from sidekicks.contract.commands import GetLog
from sidekicks.contract.results import Log


async def get_log(app: App, command: GetLog) -> Log:
    """Return the entries after a number."""
    log = app.roster.get(command.agent_id).log
    entries, following = log.since(command.after, frames=command.frames)
    return Log(entries=entries, next=following)
