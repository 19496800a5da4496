"""Conversations: places in order, pages that show what was told, drafts, what is unread."""

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from fakes.clock import FakeClock
from fakes.waiting import until
from sidekicks.base.hub import Hub
from sidekicks.channels import Channels
from sidekicks.channels.channels import PAGE_LIMIT
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.ids import AgentId, ChannelId, MessageId, PartId
from sidekicks.contract.parts import TextPart
from sidekicks.contract.state import Message
from sidekicks.contract.wire import Event
from sidekicks.store import Channels as ChannelRows
from sidekicks.store import Messages, Page, Store

ALICE: Final = AgentId("alice")


class History:
    """Conversations on a real database whose writing can be held up."""

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        self.clock: Final = FakeClock()
        self.events: Final[list[dict[str, Any]]] = []
        self._gates: Final[list[threading.Event]] = []

    async def open(self) -> None:
        """Open the database, as a start does."""
        self.store = await Store.open(self.path)
        hub = Hub()
        hub.listen(self._on_event)
        rows = await self.store.read(ChannelRows(self.store).all)
        self.channels = Channels(hub, self.clock, self.store, rows)

    async def close(self) -> None:
        self.go_on()
        await self.store.close()

    async def reopen(self) -> None:
        await self.close()
        await self.open()

    def hold_up(self) -> None:
        """From now on nothing is stored, until `go_on`."""
        gate = threading.Event()
        self._gates.append(gate)
        self.store.post(gate.wait)

    def go_on(self) -> None:
        while self._gates:
            self._gates.pop().set()

    async def stored(self) -> None:
        """Wait until everything is stored, and known to be."""
        await self.store.write(lambda: None)
        await asyncio.sleep(0)

    async def direct(self, agent: str = "alice") -> ChannelId:
        channel = await self.channels.open_direct(AgentId(agent), agent.title())
        return channel.channel_id

    def message(self, channel: ChannelId, text: str, author: str = "user") -> Message:
        self.clock.advance(1)
        return Message(
            message_id=MessageId(f"m_{text}"),
            channel_id=channel,
            author=author,
            parts=(TextPart(part_id=PartId("p1"), text=text),),
            created_at=self.clock.now(),
        )

    async def say(self, channel: ChannelId, *texts: str, author: str = "user") -> None:
        """Add messages that take their place at once."""
        for text in texts:
            await self.channels.add(self.channels.place(self.message(channel, text, author)))

    async def queue(self, channel: ChannelId, *texts: str) -> list[Message]:
        """Add messages that wait."""
        queued = [self.message(channel, text) for text in texts]
        for message in queued:
            await self.channels.add(message)
        return queued

    async def page(self, channel: ChannelId, **pivot: Any) -> Page:
        given: dict[str, Any] = {"before": None, "after": None, "around": None, "limit": 50}
        return await self.channels.page(channel, **(given | pivot))

    async def texts(self, channel: ChannelId, **pivot: Any) -> list[str]:
        return [text_of(message) for message in (await self.page(channel, **pivot)).messages]

    def channel(self, channel: ChannelId) -> dict[str, Any]:
        return msgspec.to_builtins(self.channels.get(channel))

    def _on_event(self, event: Event) -> None:
        self.events.append(msgspec.to_builtins(event))


def text_of(message: Message) -> str:
    (part,) = message.parts
    assert isinstance(part, TextPart)
    return part.text


@pytest.fixture
async def history(tmp_path: Path) -> AsyncIterator[History]:
    history = History(tmp_path / "history.db")
    await history.open()
    yield history
    await history.close()


async def test_there_is_one_direct_conversation_with_an_agent(history: History) -> None:
    first, second = await asyncio.gather(history.direct(), history.direct())
    assert first == second
    assert await history.direct("bob") != first
    assert [event["type"] for event in history.events] == ["channel.changed"] * 2
    await history.reopen()
    assert await history.direct() == first
    assert history.channel(first)["kind"] == "direct"
    assert [channel.name for channel in history.channels.all] == ["Alice", "Bob"]


async def test_what_is_not_there_is_not_found(history: History) -> None:
    channel = await history.direct()
    nowhere, nothing = ChannelId("c_none"), MessageId("m_none")
    with pytest.raises(SidekicksError) as refused:
        history.channels.get(nowhere)
    assert refused.value.code == "not_found"
    for pivot in ({"before": nothing}, {"after": nothing}, {"around": nothing}, {"around": ""}):
        with pytest.raises(SidekicksError) as refused:
            await history.page(channel, **pivot)
        assert refused.value.code == "not_found"
    with pytest.raises(SidekicksError) as refused:
        await history.page(nowhere)
    assert refused.value.code == "not_found"
    with pytest.raises(SidekicksError) as refused:
        await history.channels.message(nothing)
    assert refused.value.code == "not_found"


async def test_a_message_of_another_conversation_is_no_place_in_this_one(history: History) -> None:
    channel, other = await history.direct(), await history.direct("bob")
    await history.say(channel, "1", "2")
    await history.say(other, "x")
    for pivot in ("before", "after", "around"):
        with pytest.raises(SidekicksError) as refused:
            await history.page(channel, **{pivot: MessageId("m_x")})
        assert refused.value.code == "not_found"


async def test_places_go_on_after_a_restart_and_are_each_conversations_own(
    history: History,
) -> None:
    channel, other = await history.direct(), await history.direct("bob")
    await history.say(channel, "a", "b")
    await history.say(other, "x")
    await history.queue(channel, "waits")
    await history.reopen()
    await history.say(channel, "c")
    positions = {text_of(m): m.position for m in (await history.page(channel)).messages}
    assert positions == {"a": 1, "b": 2, "c": 3, "waits": None}
    assert history.channels.last_position(other) == 1


async def test_a_message_keeps_the_place_that_it_has(history: History) -> None:
    channel = await history.direct()
    (waits,) = await history.queue(channel, "waits")
    await history.say(channel, "first")
    placed = history.channels.place(waits)
    assert placed.position == 2
    assert history.channels.place(placed) is placed
    history.channels.change(placed)
    await history.stored()
    assert await history.texts(channel) == ["first", "waits"]


async def test_pages_before_and_after_a_message(history: History) -> None:
    channel = await history.direct()
    await history.say(channel, *"abcdefgh")
    await history.queue(channel, "q")
    last = await history.page(channel, limit=3)
    assert [text_of(m) for m in last.messages] == ["f", "g", "h", "q"]
    assert (last.before, last.after) == (True, False)
    page = await history.page(channel, before=MessageId("m_f"), limit=3)
    assert [text_of(m) for m in page.messages] == ["c", "d", "e"]
    assert page.before
    page = await history.page(channel, before=MessageId("m_c"), limit=3)
    assert [text_of(m) for m in page.messages] == ["a", "b"]
    assert not page.before
    page = await history.page(channel, after=MessageId("m_c"), limit=3)
    assert [text_of(m) for m in page.messages] == ["d", "e", "f"]
    assert page.after
    page = await history.page(channel, after=MessageId("m_f"), limit=3)
    assert [text_of(m) for m in page.messages] == ["g", "h", "q"]
    assert not page.after
    assert await history.texts(channel, after=MessageId("m_h")) == ["q"]
    assert await history.texts(channel, before=MessageId("m_a")) == []


async def test_a_page_around_a_message_has_both_sides(history: History) -> None:
    channel = await history.direct()
    await history.say(channel, *"abcdefgh")
    await history.queue(channel, "q")
    page = await history.page(channel, around="m_d", limit=4)
    assert [text_of(m) for m in page.messages] == ["b", "c", "d", "e"]
    assert (page.before, page.after) == (True, True)
    assert await history.texts(channel, around="m_a", limit=4) == ["a", "b"]
    assert await history.texts(channel, around="m_h", limit=4) == ["f", "g", "h", "q"]
    assert await history.texts(channel, around="m_d", limit=1) == ["d"]
    assert await history.texts(channel, around="m_q", limit=4) == ["g", "h", "q"]


async def test_a_page_around_a_date_begins_with_its_first_message(history: History) -> None:
    channel = await history.direct()
    await history.say(channel, *"ab")
    history.clock.advance(24 * 3600)
    await history.say(channel, *"cd")
    assert await history.texts(channel, around="2026-12-01", limit=3) == ["b", "c", "d"]
    assert await history.texts(channel, around="2026-12-01", limit=2) == ["b", "c"]
    assert await history.texts(channel, around="1999-01-01", limit=2) == ["a"]
    assert await history.texts(channel, around="2027-01-01", limit=2) == ["c", "d"]
    empty = await history.direct("bob")
    assert await history.texts(empty, around="2026-12-01") == []


@pytest.mark.parametrize("limit", [-5, 0, 1])
async def test_a_page_holds_at_least_one_message(history: History, limit: int) -> None:
    channel = await history.direct()
    await history.say(channel, *"ab")
    assert await history.texts(channel, limit=limit) == ["b"]


async def test_a_page_is_bounded(history: History) -> None:
    channel = await history.direct()
    rows = Messages(history.store)
    many = [history.channels.place(history.message(channel, str(n))) for n in range(PAGE_LIMIT + 5)]
    await history.store.write(lambda: [rows.put(message) for message in many])
    page = await history.page(channel, limit=10**9)
    assert len(page.messages) == PAGE_LIMIT
    assert page.before


async def test_a_page_shows_what_is_not_stored_yet(history: History) -> None:
    channel = await history.direct()
    await history.say(channel, "a", "b")
    history.hold_up()
    placed = history.channels.place(history.message(channel, "c", author="alice"))
    saving = asyncio.ensure_future(history.channels.add(placed))
    waiting = asyncio.ensure_future(history.channels.add(history.message(channel, "q")))
    await until(lambda: len([e for e in history.events if e["type"] == "message.added"]) == 4)
    assert await history.texts(channel) == ["a", "b", "c", "q"]
    assert await history.texts(channel, limit=1) == ["b", "c", "q"]
    assert await history.texts(channel, after=MessageId("m_b")) == ["c", "q"]
    assert await history.texts(channel, around="m_b") == ["a", "b", "c", "q"]
    history.go_on()
    await asyncio.gather(saving, waiting)
    assert await history.texts(channel) == ["a", "b", "c", "q"]


async def test_a_page_shows_a_change_that_is_not_stored_yet(history: History) -> None:
    channel = await history.direct()
    await history.say(channel, *"abc")
    first, *_ = (await history.page(channel)).messages
    history.hold_up()
    changed = msgspec.structs.replace(first, parts=(TextPart(part_id=PartId("p1"), text="A"),))
    history.channels.change(changed)
    assert await history.texts(channel) == ["A", "b", "c"]
    assert await history.texts(channel, before=MessageId("m_b")) == ["A"]
    assert text_of(await history.channels.message(first.message_id)) == "A"
    # It is of no concern to pages that it does not lie on.
    assert await history.texts(channel, after=MessageId("m_b")) == ["c"]
    assert await history.texts(channel, after=MessageId("m_c")) == []
    assert await history.texts(channel, before=MessageId("m_c"), limit=1) == ["b"]
    assert await history.texts(channel, limit=2) == ["b", "c"]


async def test_pages_before_a_message_show_what_is_not_stored_yet(history: History) -> None:
    channel = await history.direct()
    await history.say(channel, "a")
    history.hold_up()
    added = [
        asyncio.ensure_future(history.channels.add(history.channels.place(message)))
        for message in [history.message(channel, text) for text in "bcd"]
    ]
    await until(lambda: len([e for e in history.events if e["type"] == "message.added"]) == 4)
    assert await history.texts(channel, before=MessageId("m_d")) == ["a", "b", "c"]
    assert await history.texts(channel, after=MessageId("m_b")) == ["c", "d"]
    history.go_on()
    await asyncio.gather(*added)


async def test_a_page_does_not_show_what_was_removed_and_still_stands_there(
    history: History,
) -> None:
    channel = await history.direct()
    await history.say(channel, "a")
    (waits,) = await history.queue(channel, "q")
    history.hold_up()
    history.channels.remove(waits)
    assert history.events[-1]["type"] == "message.removed"
    assert await history.texts(channel) == ["a"]
    with pytest.raises(SidekicksError):
        await history.channels.message(waits.message_id)
    history.go_on()
    await history.stored()
    assert await history.texts(channel) == ["a"]


async def test_the_last_of_several_saves_counts(history: History) -> None:
    channel = await history.direct()
    await history.say(channel, "a")
    (message,) = (await history.page(channel)).messages
    for text in ("b", "c", "d"):
        part = TextPart(part_id=PartId("p1"), text=text)
        history.channels.save(msgspec.structs.replace(message, parts=(part,)))
        assert await history.texts(channel) == [text]
    await history.stored()
    assert await history.texts(channel) == ["d"]
    await history.reopen()
    assert await history.texts(channel) == ["d"]


async def test_those_that_wait_come_last_in_the_order_in_which_they_came(history: History) -> None:
    channel = await history.direct()
    await history.queue(channel, "q1", "q2")
    await history.say(channel, "a")
    history.hold_up()
    third = asyncio.ensure_future(history.channels.add(history.message(channel, "q3")))
    await until(lambda: history.events[-1].get("message", {}).get("messageId") == "m_q3")
    assert await history.texts(channel) == ["a", "q1", "q2", "q3"]
    history.go_on()
    await third


async def test_conversations_do_not_mix(history: History) -> None:
    channel, other = await history.direct(), await history.direct("bob")
    await history.say(channel, "a")
    history.hold_up()
    adding = asyncio.ensure_future(
        history.channels.add(history.channels.place(history.message(other, "x")))
    )
    await until(lambda: history.events[-1]["type"] == "message.added")
    assert await history.texts(channel) == ["a"]
    assert await history.texts(other) == ["x"]
    history.go_on()
    await adding


async def test_a_draft_is_kept_and_told_once(history: History) -> None:
    channel = await history.direct()
    told = len(history.events)
    for draft in ("half a th", "half a th", "half a thought", ""):
        history.channels.save_draft(channel, draft)
        assert history.channel(channel)["draft"] == draft
    assert len(history.events) == told + 3
    history.channels.save_draft(channel, "é🎉\u2028")
    await history.reopen()
    assert history.channel(channel)["draft"] == "é🎉\u2028"
    with pytest.raises(SidekicksError):
        history.channels.save_draft(ChannelId("c_none"), "x")


async def test_what_agents_said_is_unread_until_it_was_seen(history: History) -> None:
    channel = await history.direct()
    await history.say(channel, "my own")
    assert history.channel(channel)["unread"] == 0
    await history.say(channel, "one", "two", author="alice")
    assert history.channel(channel)["unread"] == 2
    await history.reopen()
    assert history.channel(channel)["unread"] == 2
    history.channels.mark_read(channel)
    assert history.channel(channel)["unread"] == 0
    assert history.events[-1]["channel"]["unread"] == 0
    await history.say(channel, "three", author="alice")
    await history.reopen()
    assert history.channel(channel)["unread"] == 1
    with pytest.raises(SidekicksError):
        history.channels.mark_read(ChannelId("c_none"))


async def test_a_local_id_finds_its_message(history: History) -> None:
    channel = await history.direct()
    message = history.message(channel, "a")
    await history.channels.add(message, "local-1")
    assert await history.channels.find_local("local-1") == message
    assert await history.channels.find_local("local-2") is None
    history.channels.change(history.channels.place(message))
    await history.stored()
    found = await history.channels.find_local("local-1")
    assert found is not None
    assert found.position == 1
