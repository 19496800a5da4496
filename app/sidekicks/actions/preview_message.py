"""Who would answer a text."""

from sidekicks.actions.app import App
from sidekicks.channels import route
from sidekicks.contract.commands import PreviewMessage
from sidekicks.contract.results import MessagePreview


async def preview_message(app: App, command: PreviewMessage) -> MessagePreview:
    """Ask the parser that sends; an empty text is for nobody."""
    channel = app.channels.get(command.channel_id)
    if not command.text.strip():
        return MessagePreview(to=())
    return MessagePreview(to=route(channel, command.text))
