"""What the person is writing, and up to where they have read."""

from sidekicks.actions.app import App
from sidekicks.contract.commands import MarkRead, SaveDraft
from sidekicks.contract.wire import Done


async def save_draft(app: App, command: SaveDraft) -> Done:
    """Keep it with its conversation."""
    app.channels.save_draft(command.channel_id, command.text)
    return Done()


async def mark_read(app: App, command: MarkRead) -> Done:
    """Nothing in the conversation is unread."""
    app.channels.mark_read(command.channel_id)
    return Done()
