"""What an agent would be told with the next message."""

from sidekicks.actions.app import App
from sidekicks.contract.commands import PreviewRecap
from sidekicks.contract.ids import MessageId
from sidekicks.contract.results import RecapPreview
from sidekicks.turns import recap_for


async def preview_recap(app: App, command: PreviewRecap) -> RecapPreview:
    """Make the recap as the next turn would; a session that cannot be loaded is a new one."""
    app.channels.get(command.channel_id)
    how = app.roster.sessions.how(app.roster.get(command.agent_id), command.channel_id)
    recap = await recap_for(
        command.agent_id,
        command.channel_id,
        without=MessageId(""),
        roster=app.roster,
        channels=app.channels,
        new=how == "new",
    )
    return RecapPreview(text=recap.text, messages=recap.messages, left_out=recap.left_out, how=how)
