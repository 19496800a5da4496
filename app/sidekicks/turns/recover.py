"""What a crash or a quit left, before anything new begins."""

import msgspec

from sidekicks.channels import Channels
from sidekicks.contract.state import Ending
from sidekicks.store import Store
from sidekicks.store import Turns as TurnRows
from sidekicks.turns.prompt import text_of
from sidekicks.turns.words import say


async def recover_turns(store: Store, channels: Channels) -> None:
    """End the answers that were being written as failed; what waited goes back to the draft."""
    table = TurnRows(store)
    rows = await store.read(table.unfinished)
    for row in rows:
        if row.message_id is not None:
            answer = await channels.message(row.message_id)
            ending = Ending(outcome="failed", reason=say("app_stopped"), duration_ms=0)
            channels.change(msgspec.structs.replace(answer, ending=ending))
        store.post(lambda row=row: table.end(row.turn_id))
    for message_id in dict.fromkeys(row.user_message_id for row in rows):
        message = await channels.message(message_id)
        if message.position is None:
            channels.remove(message)
            draft = channels.get(message.channel_id).draft
            text = text_of(message)
            channels.save_draft(message.channel_id, f"{text}\n\n{draft}" if draft else text)
