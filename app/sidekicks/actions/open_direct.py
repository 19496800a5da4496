"""The direct conversation with an agent."""

from sidekicks.actions.app import App
from sidekicks.contract.commands import OpenDirect
from sidekicks.contract.results import ChannelOpened


async def open_direct(app: App, command: OpenDirect) -> ChannelOpened:
    """Return it, made at the first time. A conversation whose agent is gone stays readable."""
    for channel in app.channels.all:
        if channel.kind == "direct" and channel.members == (command.agent_id,):
            return ChannelOpened(channel_id=channel.channel_id)
    agent = app.roster.get(command.agent_id)
    channel = await app.channels.open_direct(agent.agent_id, agent.config.name)
    return ChannelOpened(channel_id=channel.channel_id)
