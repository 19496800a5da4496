"""The event stream over HTTP: order, replay, its ends, and pages that are slow or gone."""

import asyncio
import tracemalloc
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from litestar.types import HTTPReceiveMessage, HTTPScope, Message

from fakes.loop import run_stepped
from fakes.raw_http import Stream, connect, encode_request
from fakes.waiting import until
from sidekicks.base.hub import BEAT_SECONDS, KEPT_EVENTS, READER_BYTES, Hub
from sidekicks.contract.events import AnyEvent, ProblemClosed, ReaderOpened, Resync
from sidekicks.server import Server
from sidekicks.server.stream import EventStream


def event(name: str = "x", size: int = 0) -> ProblemClosed:
    return ProblemClosed(problem_id=name + "." * size)


@asynccontextmanager
async def streaming(server: Server, after: int | None = None) -> AsyncGenerator[Stream]:
    target = "/events" if after is None else f"/events?after={after}"
    async with connect(server.origin) as stream:
        headers = {"authorization": f"Bearer {server.secret}"}
        stream.writer.write(encode_request(server.origin, "GET", target, headers))
        await stream.read_head()
        assert stream.status == 200
        yield stream


async def test_a_stream_says_what_it_is(server: Server) -> None:
    async with streaming(server) as stream:
        headers = dict(stream.headers)
        assert headers["content-type"] == "text/event-stream"
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"
        assert "content-length" not in headers


async def test_the_first_event_names_the_reader(server: Server, hub: Hub) -> None:
    async with streaming(server) as stream:
        (opened,) = await stream.read_events()
        assert isinstance(opened, ReaderOpened)
        assert [reader.reader_id for reader in hub.readers] == [opened.reader_id]


async def test_events_come_in_arrays_in_order(server: Server, hub: Hub) -> None:
    async with streaming(server) as stream:
        await stream.read_events()
        seen: list[AnyEvent] = []
        for batch in (1, 2, 200):
            for _ in range(batch):
                hub.publish(event())
            gathered = await stream.read_events()
            assert len(gathered) == batch
            seen += gathered
        assert [each.seq for each in seen] == list(range(1, 204))


async def test_many_events_in_many_frames_lose_nothing(server: Server, hub: Hub) -> None:
    count = 20_000
    seen: list[int] = []

    async def publish() -> None:
        for number in range(count):
            hub.publish(event(size=100))
            if number % 100 == 0:
                await asyncio.sleep(0)

    async with streaming(server) as stream:
        await stream.read_events()
        publishing = asyncio.create_task(publish())
        while len(seen) < count:
            seen += [each.seq for each in await stream.read_events()]
        await publishing
    assert seen == list(range(1, count + 1))


async def test_text_of_every_kind_survives(server: Server, hub: Hub) -> None:
    text = 'line\n\r\u2028\0 "quoted" \\ é 🎈 data: id: \ufeff'
    async with streaming(server) as stream:
        await stream.read_events()
        hub.publish(ProblemClosed(problem_id=text))
        assert await stream.read_events() == [ProblemClosed(problem_id=text, seq=1)]


async def test_a_page_that_comes_back_gets_what_it_missed(server: Server, hub: Hub) -> None:
    async with streaming(server) as stream:
        await stream.read_events()
        hub.publish(event())
        (last,) = await stream.read_events()
    for _ in range(3):
        hub.publish(event())
    async with streaming(server, after=last.seq) as stream:
        opened, *missed = await stream.read_events()
        assert isinstance(opened, ReaderOpened)
        assert [each.seq for each in missed] == [2, 3, 4]
        hub.publish(event())
        assert [each.seq for each in await stream.read_events()] == [5]


async def test_a_page_of_another_run_must_begin_anew(server: Server, hub: Hub) -> None:
    hub.publish(event())
    async with streaming(server, after=50) as stream:
        await stream.read_events()
        assert await stream.read_events() == [Resync(seq=1)]
        assert await stream.read_frame() is None
        await until(lambda: hub.readers == ())


async def test_a_page_that_was_away_too_long_must_begin_anew(server: Server, hub: Hub) -> None:
    for _ in range(KEPT_EVENTS + 2):
        hub.publish(event())
    async with streaming(server, after=1) as stream:
        await stream.read_events()
        assert await stream.read_events() == [Resync(seq=hub.seq)]
        assert await stream.read_frame() is None


async def test_the_apps_end_is_told(server: Server, hub: Hub) -> None:
    async with streaming(server) as stream:
        await stream.read_events()
        hub.publish(event())
        hub.close()
        assert [each.seq for each in await stream.read_events()] == [1]
        assert await stream.read_frame() == b"event: close\ndata: []"
        assert await stream.read_frame() is None
        await until(lambda: hub.readers == ())


async def test_two_pages_get_the_same_events(server: Server, hub: Hub) -> None:
    async with streaming(server) as one, streaming(server) as other:
        first, second = await one.read_events(), await other.read_events()
        assert first != second
        hub.publish(event())
        assert await one.read_events() == await other.read_events() == [event_numbered(1)]


def event_numbered(seq: int) -> ProblemClosed:
    return ProblemClosed(problem_id="x", seq=seq)


async def test_a_page_that_is_gone_is_forgotten(server: Server, hub: Hub) -> None:
    async with streaming(server) as stream:
        await stream.read_events()
        assert len(hub.readers) == 1
    await until(lambda: hub.readers == ())


async def test_a_page_that_says_goodbye_is_forgotten(server: Server, hub: Hub) -> None:
    async with streaming(server) as stream:
        await stream.read_events()
        stream.writer.close()
        await until(lambda: hub.readers == ())


async def test_a_page_that_is_gone_in_a_flood_is_forgotten(server: Server, hub: Hub) -> None:
    async with streaming(server) as stream:
        await stream.read_events()
        flood(hub, READER_BYTES // 2)
        await until(lambda: 0 < hub.readers[0].unread < READER_BYTES // 2)
    await until(lambda: hub.readers == ())


def flood(hub: Hub, size: int) -> None:
    for _ in range(size // 10_000):
        hub.publish(event(size=10_000))


async def test_a_page_that_does_not_read_is_cut_off_and_costs_no_memory(
    server: Server, hub: Hub
) -> None:
    # What the hub keeps for replay is full before the measurement begins.
    flood(hub, 2 * READER_BYTES)
    async with streaming(server) as stream:
        await stream.read_events()
        (reader,) = hub.readers
        tracemalloc.start()
        try:
            flood(hub, READER_BYTES // 2)
            await until(lambda: reader.unread < READER_BYTES // 2)
            # The socket and the server's buffer are full: from here on everything waits in the hub.
            for _ in range(20):
                flood(hub, READER_BYTES // 4)
                await asyncio.sleep(0)
                assert reader.unread <= READER_BYTES
            assert reader.unread == 0
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        # Five times a reader's bound went by.
        assert most < 2.5 * READER_BYTES
        frames: list[list[AnyEvent]] = []
        while not frames or not isinstance(frames[-1][-1], Resync):
            frames.append(await stream.read_events())
        assert await stream.read_frame() is None
    numbers = [each.seq for frame in frames[:-1] for each in frame]
    assert numbers == list(range(numbers[0], numbers[-1] + 1))
    assert frames[-1][0].seq <= hub.seq


async def test_a_slow_page_does_not_hold_up_another(server: Server, hub: Hub) -> None:
    async with streaming(server) as slow, streaming(server) as quick:
        await slow.read_events()
        await quick.read_events()
        for _ in range(20):
            flood(hub, READER_BYTES // 8)
            while (await quick.read_events())[-1].seq != hub.seq:
                continue


class RawPage:
    """A page as the ASGI answer meets it: says when it leaves, keeps what it is sent."""

    def __init__(self, *, leaves_at_once: bool = False) -> None:
        self.left = asyncio.Event()
        self.sent: list[Message] = []
        if leaves_at_once:
            self.left.set()

    async def receive(self) -> HTTPReceiveMessage:
        if not self.left.is_set() and not self.sent:
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    def bodies(self) -> list[bytes]:
        return [message["body"] for message in self.sent if message["type"] == "http.response.body"]


SCOPE: HTTPScope = {"type": "http"}  # pyright: ignore[reportAssignmentType] - not looked at


async def test_a_page_that_left_before_the_first_event_is_forgotten() -> None:
    hub = Hub()
    page = RawPage(leaves_at_once=True)
    await EventStream(hub, None)(SCOPE, page.receive, page.send)
    assert hub.readers == ()


async def test_a_stream_that_is_cancelled_is_forgotten() -> None:
    hub = Hub()
    page = RawPage()
    answering = asyncio.create_task(EventStream(hub, None)(SCOPE, page.receive, page.send))
    await until(lambda: len(page.sent) == 2)
    answering.cancel()
    await asyncio.wait({answering})
    assert answering.cancelled()
    assert hub.readers == ()


def test_a_quiet_stream_beats_so_that_a_dead_one_is_noticed() -> None:
    async def watch() -> list[bytes]:
        hub = Hub()
        page = RawPage()
        answering = asyncio.create_task(EventStream(hub, None)(SCOPE, page.receive, page.send))
        await asyncio.sleep(2.5 * BEAT_SECONDS)
        hub.close()
        await answering
        return page.bodies()

    opened, *beats, close, end = run_stepped(watch())
    assert b"reader.opened" in opened
    assert beats == [b": beat\n\n"] * 2
    assert close == b"event: close\ndata: []\n\n"
    assert end == b""
