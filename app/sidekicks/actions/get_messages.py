"""A page of messages."""

from sidekicks.actions.app import App
from sidekicks.contract.commands import GetMessages
from sidekicks.contract.results import MessagePage


async def get_messages(app: App, command: GetMessages) -> MessagePage:
    """Read a page, with the answers that are written just now as they are just now."""
    page = await app.channels.page(
        command.channel_id,
        before=command.before,
        after=command.after,
        around=command.around,
        limit=command.limit,
    )
    return MessagePage(
        messages=app.turns.laid_over(page.messages),
        more=page.after if command.after is not None else page.before,
    )
