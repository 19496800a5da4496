"""Send a message."""

from sidekicks.actions.app import App
from sidekicks.channels import USER, must_route
from sidekicks.contract.commands import SendMessage
from sidekicks.contract.ids import MessageId, PartId, make_id
from sidekicks.contract.parts import TextPart
from sidekicks.contract.results import MessageSent, SentTurn
from sidekicks.contract.state import Message


async def send_message(app: App, command: SendMessage) -> MessageSent:
    """Store the message and queue a turn for each recipient.

    Sent again under the same `localId` (after a lost answer), it gives the first result.
    """
    async with app.sending:
        return await _send(app, command)


async def _send(app: App, command: SendMessage) -> MessageSent:
    if command.local_id is not None:
        before = await app.channels.find_local(command.local_id)
        if before is not None:
            return MessageSent(
                message_id=before.message_id,
                turns=tuple(
                    SentTurn(turn_id=row.turn_id, agent_id=row.agent_id)
                    for row in await app.turns.sent_before(before)
                ),
            )
    channel = app.channels.get(command.channel_id)
    recipients = must_route(channel, command.text, command.to)
    for agent_id in recipients:
        app.roster.get_conversing(agent_id)
    message = Message(
        message_id=MessageId(make_id("m")),
        channel_id=channel.channel_id,
        author=USER,
        parts=(TextPart(part_id=PartId("p1"), text=command.text),),
        created_at=app.clock.now(),
        as_text=command.as_text,
    )
    await app.channels.add(message, command.local_id)
    turns = app.turns.queue(message, recipients)
    return MessageSent(
        message_id=message.message_id,
        turns=tuple(SentTurn(turn_id=turn.turn_id, agent_id=turn.agent_id) for turn in turns),
    )
