"""The slash commands of a conversation's members."""

from sidekicks.actions.app import App
from sidekicks.contract.commands import ListCommands
from sidekicks.contract.results import CommandList, OfferedCommand


async def list_commands(app: App, command: ListCommands) -> CommandList:
    """Return what the members last announced, and who never did.

    With `open`, those who never did are started one after the other, as places allow: an idle
    place may be taken, never a busy one.
    """
    offered: list[OfferedCommand] = []
    members = app.channels.get(command.channel_id).members
    for agent_id in members:
        offered += [
            OfferedCommand(
                agent_id=agent_id, name=known.name, description=known.description, hint=known.hint
            )
            for known in app.roster.commands_of(agent_id) or ()
        ]
    unknown = tuple(m for m in members if app.roster.commands_of(m) is None)
    if command.open and unknown:
        app.roster.open_sessions(unknown, command.channel_id)
    return CommandList(
        commands=tuple(offered),
        unknown=unknown,
    )
