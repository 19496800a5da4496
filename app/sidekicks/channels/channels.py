"""The conversations: their members, drafts, and messages in order.

All channels are in memory; of the messages only those that are not yet surely stored. A page read
from the database is laid over with them, so that it never shows less than was told by events.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from sidekicks.base.clock import Clock
from sidekicks.base.hub import Hub
from sidekicks.channels.recap import Recap, make_recap
from sidekicks.channels.words import say
from sidekicks.contract.config import RecapConfig
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.events import (
    ChannelChanged,
    MessageAdded,
    MessageChanged,
    MessageRemoved,
)
from sidekicks.contract.ids import AgentId, ChannelId, MessageId, make_id
from sidekicks.contract.state import Channel, Message
from sidekicks.store import ChannelRow, Messages, Page, Store
from sidekicks.store import Channels as ChannelRows

USER: Final = "user"
PAGE_LIMIT: Final = 200
END: Final = 2**62
"""No conversation has a position beyond."""


class Channels:
    """All conversations."""

    def __init__(self, hub: Hub, clock: Clock, store: Store, rows: Sequence[ChannelRow]) -> None:
        self._hub: Final = hub
        self._clock: Final = clock
        self._store: Final = store
        self._rows: Final = ChannelRows(store)
        self._messages: Final = Messages(store)
        self._channels: dict[ChannelId, Channel] = {}
        self._last: dict[ChannelId, int] = {}
        self._created: dict[ChannelId, str] = {}
        self._unsaved: dict[MessageId, tuple[Message | None, int]] = {}
        """What is not surely stored yet, and the number of its save; null: removed."""
        self._saves = 0
        self._saved: list[tuple[MessageId, int]] = []
        self._reads = 0
        """The pages that are being read."""
        for row in rows:
            self._created[row.channel_id] = row.created_at
            self._last[row.channel_id] = row.last_position
            self._channels[row.channel_id] = Channel(
                channel_id=row.channel_id,
                kind="direct" if row.kind == "direct" else "channel",
                name=row.name,
                members=row.members,
                draft=row.draft,
                unread=row.unread,
            )

    @property
    def all(self) -> tuple[Channel, ...]:
        """Every conversation, oldest first."""
        return tuple(self._channels.values())

    def get(self, channel_id: ChannelId) -> Channel:
        """Return a conversation.

        Raises:
            SidekicksError: `not_found`.
        """
        if (channel := self._channels.get(channel_id)) is None:
            raise SidekicksError("not_found", say("no_channel"))
        return channel

    async def open_direct(self, agent_id: AgentId, name: str) -> Channel:
        """Return the direct conversation with an agent, making it at the first time."""
        for channel in self._channels.values():
            if channel.kind == "direct" and channel.members == (agent_id,):
                return channel
        channel = Channel(
            channel_id=ChannelId(make_id("c")), kind="direct", name=name, members=(agent_id,)
        )
        # In memory before it is stored: asked for twice at once, there is still only one.
        self._channels[channel.channel_id] = channel
        self._last[channel.channel_id] = 0
        row = ChannelRow(
            channel_id=channel.channel_id,
            kind=channel.kind,
            name=name,
            members=channel.members,
            draft="",
            read_position=0,
            created_at=self._clock.now(),
        )
        self._hub.publish(ChannelChanged(channel=channel))
        await self._store.write(lambda: self._rows.add(row))
        return channel

    def save_draft(self, channel_id: ChannelId, draft: str) -> None:
        """Keep what is being written."""
        if self.get(channel_id).draft != draft:
            self._change(channel_id, draft=draft)
            self._store.post(lambda: self._rows.save_draft(channel_id, draft))

    def mark_read(self, channel_id: ChannelId) -> None:
        """The person has seen it to its end."""
        self.get(channel_id)
        position = self._last[channel_id]
        self._change(channel_id, unread=0)
        self._store.post(lambda: self._rows.mark_read(channel_id, position))

    async def add(self, message: Message, local_id: str | None = None) -> None:
        """Add a message; it is stored when this returns."""
        self._hub.publish(MessageAdded(message=message))
        await self._save(message, local_id)

    def place(self, message: Message) -> Message:
        """Give a message the next place in its conversation's order, if it has none yet."""
        if message.position is not None:
            return message
        position = self._last[message.channel_id] + 1
        self._last[message.channel_id] = position
        placed = msgspec.structs.replace(message, position=position)
        if message.author != USER:
            self._change(message.channel_id, unread=self.get(message.channel_id).unread + 1)
        return placed

    def change(self, message: Message) -> None:
        """Tell and store a message that has changed."""
        self._hub.publish(MessageChanged(message=message))
        self.save(message)

    def save(self, message: Message) -> None:
        """Store a message whose changes are told by other events."""
        number = self._begin_save(message.message_id, message)
        self._store.post(lambda: self._messages.put(message))
        self._end_save_later(message.message_id, number)

    def remove(self, message: Message) -> None:
        """Remove a message that was never said."""
        number = self._begin_save(message.message_id, None)
        self._store.post(lambda: self._messages.remove(message.message_id))
        self._end_save_later(message.message_id, number)
        self._hub.publish(
            MessageRemoved(channel_id=message.channel_id, message_id=message.message_id)
        )

    async def message(self, message_id: MessageId) -> Message:
        """Return a message.

        Raises:
            SidekicksError: `not_found`.
        """
        if message_id in self._unsaved:
            found, _ = self._unsaved[message_id]
        else:
            found = await self._store.read(lambda: self._messages.get(message_id))
        if found is None:
            raise SidekicksError("not_found", say("no_message"))
        return found

    async def recap_for(
        self,
        channel_id: ChannelId,
        *,
        after: int,
        without: MessageId,
        without_author: str | None,
        without_told: str | None,
        names: Mapping[AgentId, str],
        limits: RecapConfig,
    ) -> Recap:
        """Return the transcript of what was said after a position, see `Messages.unseen`."""
        return await self._store.read_written(
            lambda: make_recap(
                self._messages.unseen(
                    channel_id,
                    after=after,
                    without=without,
                    without_author=without_author,
                    without_told=without_told,
                ),
                names,
                limits,
            )
        )

    def last_position(self, channel_id: ChannelId) -> int:
        """Return the position of a conversation's last message; 0 for none."""
        return self._last[channel_id]

    async def find_local(self, local_id: str) -> Message | None:
        """Return the message that was sent under this `localId`."""
        return await self._store.read(lambda: self._messages.find_local(local_id))

    async def page(
        self,
        channel_id: ChannelId,
        *,
        before: MessageId | None,
        after: MessageId | None,
        around: str | None,
        limit: int,
    ) -> Page:
        """Return a page of messages that were said, and, at the end, those in the queue.

        Raises:
            SidekicksError: `not_found` for a conversation or message that is not there.
        """
        self.get(channel_id)
        limit = max(1, min(limit, PAGE_LIMIT))
        pivot = before or after or around
        position = None if pivot is None else await self._position(channel_id, pivot)
        read = self._reading(channel_id, position, limit, before=before, after=after)
        self._reads += 1
        try:
            page, queued = await self._store.read(read)
            span = range(
                (position or 0) + 1 if after is not None else _first(page, position),
                position or 0 if before is not None else _last(page, position) + 1,
            )
            return self._laid_over(channel_id, page, queued, span)
        finally:
            self._reads -= 1
            self._forget_saved()

    def _reading(
        self,
        channel_id: ChannelId,
        position: int | None,
        limit: int,
        *,
        before: MessageId | None,
        after: MessageId | None,
    ) -> Callable[[], tuple[Page, tuple[Message, ...]]]:
        rows = self._messages

        def read() -> tuple[Page, tuple[Message, ...]]:
            if position is None:
                return rows.last(channel_id, limit), rows.queued(channel_id)
            if before is not None:
                return rows.before(channel_id, position, limit), ()
            if after is not None:
                page = rows.after(channel_id, position, limit)
                return page, () if page.after else rows.queued(channel_id)
            older = rows.before(channel_id, position, limit // 2)
            newer = rows.after(channel_id, position - 1, limit - limit // 2)
            page = Page(
                messages=older.messages + newer.messages, before=older.before, after=newer.after
            )
            return page, () if newer.after else rows.queued(channel_id)

        return read

    async def _position(self, channel_id: ChannelId, pivot: str) -> int:
        if pivot[:4].isdigit():
            dated = await self._store.read(lambda: self._messages.position_at(channel_id, pivot))
            return self._last[channel_id] if dated is None else dated
        found = await self.message(MessageId(pivot))
        if found.channel_id != channel_id:
            raise SidekicksError("not_found", say("no_message"))
        return self._last[channel_id] + 1 if found.position is None else found.position

    def _laid_over(
        self, channel_id: ChannelId, page: Page, queued: tuple[Message, ...], span: range
    ) -> Page:
        """Return the page with what has changed since it was read, or is not stored yet.

        Of the latter, what lies in `span` belongs to it, and, at the end, what is in the queue.
        """
        found = {message.message_id: message for message in (*page.messages, *queued)}
        for message_id, (message, _) in self._unsaved.items():
            if message is None:
                found.pop(message_id, None)
            elif message.channel_id == channel_id:
                waits = message.position is None
                if message_id in found or (not page.after if waits else message.position in span):
                    found[message_id] = message
        ordered = sorted(
            found.values(), key=lambda m: (m.position is None, m.position or 0, m.created_at)
        )
        return Page(messages=tuple(ordered), before=page.before, after=page.after)

    async def _save(self, message: Message, local_id: str | None) -> None:
        number = self._begin_save(message.message_id, message)
        await self._store.write(lambda: self._messages.put(message, local_id))
        self._end_save(message.message_id, number)

    def _begin_save(self, message_id: MessageId, message: Message | None) -> int:
        self._saves += 1
        self._unsaved[message_id] = (message, self._saves)
        return self._saves

    def _end_save_later(self, message_id: MessageId, number: int) -> None:
        loop = asyncio.get_running_loop()
        # Behind the write on the same thread: when this runs, the write is committed.
        self._store.post(lambda: loop.call_soon_threadsafe(self._end_save, message_id, number))

    def _end_save(self, message_id: MessageId, number: int) -> None:
        self._saved.append((message_id, number))
        self._forget_saved()

    def _forget_saved(self) -> None:
        """Forget what is stored, unless a page is being read that may have begun before."""
        if self._reads:
            return
        for message_id, number in self._saved:
            if message_id in self._unsaved and self._unsaved[message_id][1] == number:
                del self._unsaved[message_id]
        self._saved.clear()

    def _change(self, channel_id: ChannelId, **changes: object) -> None:
        channel = msgspec.structs.replace(self.get(channel_id), **changes)
        if channel != self._channels[channel_id]:
            self._channels[channel_id] = channel
            self._hub.publish(ChannelChanged(channel=channel))


def _first(page: Page, position: int | None) -> int:
    """Return the lowest position that a page can hold, read around `position`."""
    if not page.before:
        return 1
    return (page.messages[0].position if page.messages else position) or 1


def _last(page: Page, position: int | None) -> int:
    """Return the highest position that a page can hold, read around `position`."""
    if not page.after:
        return END
    return (page.messages[-1].position if page.messages else position) or 0
