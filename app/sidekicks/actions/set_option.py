"""Change a session's option."""

from sidekicks.actions.app import App
from sidekicks.contract.commands import SetOption
from sidekicks.contract.wire import Done


async def set_option(app: App, command: SetOption) -> Done:
    """Ask the agent to change it; what it then offers is told by an event."""
    agent = app.roster.get(command.agent_id)
    await app.roster.sessions.set_option(
        agent, command.channel_id, command.option_id, command.value
    )
    return Done()
