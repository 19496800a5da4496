"""The hub: numbers without a gap, replay within bounds, `resync` beyond them."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import pytest

from fakes.loop import run_stepped
from sidekicks.base import hub as hub_module
from sidekicks.base.hub import GATHER_SECONDS, KEPT_BYTES, KEPT_EVENTS, READER_BYTES, Hub, Reader
from sidekicks.contract.events import AnyEvent, ProblemClosed, ReaderOpened, Resync
from sidekicks.contract.wire import Event


def event(name: str = "x", size: int = 0) -> ProblemClosed:
    return ProblemClosed(problem_id=name + "." * size)


def decode(frame: bytes) -> tuple[int, list[AnyEvent]]:
    """Return a frame's id and its events."""
    lines = frame.decode().split("\n")
    assert lines[0].startswith("id: ")
    assert lines[1].startswith("data: [")
    assert lines[2:] == ["", ""]
    return int(lines[0][4:]), msgspec.json.decode(lines[1][6:], type=list[AnyEvent])


def numbers(frame: bytes) -> list[int]:
    return [event.seq for event in decode(frame)[1]]


@asynccontextmanager
async def reading(hub: Hub, after: int | None = None) -> AsyncGenerator[AsyncIterator[bytes]]:
    """Open a stream and leave it, as the server does."""
    reader = hub.open_reader(after)
    try:
        yield reader.frames()
    finally:
        reader.leave()


async def all_of(reader: Reader) -> list[bytes]:
    return [frame async for frame in reader.frames()]


async def test_numbers_count_up_whether_or_not_somebody_reads() -> None:
    hub = Hub()
    heard: list[int] = []
    hub.listen(lambda event: heard.append(event.seq))
    for _ in range(3):
        hub.publish(event())
    assert heard == [1, 2, 3]
    assert hub.seq == 3


async def test_a_number_that_the_publisher_gave_does_not_count() -> None:
    hub = Hub()
    heard: list[Event] = []
    hub.listen(heard.append)
    hub.publish(ProblemClosed(problem_id="x", seq=77))
    assert heard == [ProblemClosed(problem_id="x", seq=1)]


async def test_the_first_event_says_who_reads_and_from_where() -> None:
    hub = Hub()
    hub.publish(event())
    reader = hub.open_reader()
    last, events = decode(await anext(reader.frames()))
    assert last == 1
    assert events == [ReaderOpened(reader_id=reader.reader_id, seq=1)]
    reader.leave()


async def test_events_published_together_are_one_frame_with_the_last_number() -> None:
    hub = Hub()
    async with reading(hub) as frames:
        await anext(frames)
        for _ in range(3):
            hub.publish(event())
        last, events = decode(await anext(frames))
        assert [event.seq for event in events] == [1, 2, 3]
        assert last == 3


async def test_every_reader_gets_every_event() -> None:
    hub = Hub()
    readers = [hub.open_reader() for _ in range(3)]
    hub.publish(event())
    hub.close()
    for reader in readers:
        first, close = await all_of(reader)
        assert numbers(first) == [0, 1]
        assert close == hub_module.CLOSE_FRAME
        reader.leave()


async def test_replay_gives_what_came_after_and_nothing_twice() -> None:
    hub = Hub()
    for name in "abcde":
        hub.publish(event(name))
    async with reading(hub, after=2) as frames:
        hub.publish(event("f"))
        _, (opened, *events) = decode(await anext(frames))
        assert isinstance(opened, ReaderOpened)
        assert opened.seq == 2
        assert events == [
            ProblemClosed(problem_id=name, seq=seq)
            for seq, name in zip((3, 4, 5, 6), "cdef", strict=True)
        ]


async def test_replay_after_the_oldest_kept_number_is_complete() -> None:
    hub = Hub()
    count = KEPT_EVENTS + 10
    for _ in range(count):
        hub.publish(event())
    oldest_possible = count - KEPT_EVENTS
    reader = hub.open_reader(oldest_possible)
    hub.close()
    seen = [seq for frame in (await all_of(reader))[:-1] for seq in numbers(frame)]
    reader.leave()
    assert seen == list(range(oldest_possible, count + 1))


@pytest.mark.parametrize(("published", "after"), [(3, 4), (0, 1), (3, -1), (3, 10**30)])
async def test_a_number_of_another_run_is_resync_and_the_end(published: int, after: int) -> None:
    hub = Hub()
    for _ in range(published):
        hub.publish(event())
    reader = hub.open_reader(after)
    opened, resync = await all_of(reader)
    reader.leave()
    assert isinstance(decode(opened)[1][0], ReaderOpened)
    assert decode(resync) == (published, [Resync(seq=published)])


async def test_a_number_that_is_no_longer_kept_is_resync_and_the_end() -> None:
    hub = Hub()
    for _ in range(KEPT_EVENTS + 2):
        hub.publish(event())
    reader = hub.open_reader(1)
    opened, resync = await all_of(reader)
    reader.leave()
    assert len(decode(opened)[1]) == 1
    assert decode(resync)[1] == [Resync(seq=hub.seq)]


async def test_what_is_kept_is_bounded_in_bytes_too() -> None:
    hub = Hub()
    size = 256 * 1024
    for _ in range(KEPT_BYTES // size + 2):
        hub.publish(event(size=size))
    early, late = hub.open_reader(1), hub.open_reader(hub.seq - 1)
    hub.close()
    assert decode((await all_of(early))[-1])[1] == [Resync(seq=hub.seq)]
    assert [seq for frame in (await all_of(late))[:-1] for seq in numbers(frame)][-1] == hub.seq
    early.leave()
    late.leave()


async def test_the_longest_replay_does_not_cut_off_its_own_reader() -> None:
    hub = Hub()
    size = KEPT_BYTES // 200
    for _ in range(300):
        hub.publish(event(size=size))
    reader = hub.open_reader(hub.seq - 190)
    hub.close()
    frames = await all_of(reader)
    reader.leave()
    seen = [seq for frame in frames[:-1] for seq in numbers(frame)]
    assert seen == list(range(hub.seq - 190, hub.seq + 1))
    assert len(frames) > 2


async def test_a_reader_that_does_not_read_is_cut_off_and_nothing_waits_for_it() -> None:
    hub = Hub()
    slow, quick = hub.open_reader(), hub.open_reader()
    frames = quick.frames()
    size = 1024 * 1024
    for _ in range(2 * READER_BYTES // size):
        hub.publish(event(size=size))
        await anext(frames)
        assert slow.unread <= READER_BYTES
    assert slow.unread == 0
    hub.publish(event())
    assert numbers(await anext(frames)) == [hub.seq]
    (resync,) = await all_of(slow)
    ((only,),) = (decode(resync)[1],)
    assert isinstance(only, Resync)
    assert READER_BYTES // size <= only.seq <= hub.seq
    slow.leave()
    quick.leave()


async def test_a_reader_that_was_cut_off_while_it_sent_ends_with_resync() -> None:
    hub = Hub()
    reader = hub.open_reader()
    frames = reader.frames()
    await anext(frames)
    hub.publish(event(size=READER_BYTES + 1))
    assert decode(await anext(frames))[1] == [Resync(seq=1)]
    assert [frame async for frame in frames] == []
    reader.leave()


async def test_close_comes_behind_what_waits_and_at_once_for_who_comes_later() -> None:
    hub = Hub()
    early = hub.open_reader()
    hub.publish(event())
    hub.close()
    hub.publish(event())
    late = hub.open_reader()
    first, close = await all_of(early)
    assert numbers(first) == [0, 1]
    assert close == hub_module.CLOSE_FRAME
    assert (await all_of(late))[-1] == hub_module.CLOSE_FRAME
    early.leave()
    late.leave()


async def test_a_reader_that_left_is_forgotten_even_if_it_never_began() -> None:
    hub = Hub()
    never_begun, begun = hub.open_reader(), hub.open_reader()
    frames = begun.frames()
    await anext(frames)
    assert set(hub.readers) == {never_begun, begun}
    never_begun.leave()
    begun.leave()
    assert hub.readers == ()
    hub.publish(event())
    assert begun.unread == 0
    assert [frame async for frame in frames] == []


async def test_leaving_wakes_a_reader_that_waits() -> None:
    hub = Hub()
    reader = hub.open_reader()
    frames = reader.frames()
    await anext(frames)
    rest = asyncio.create_task(all_of(reader))
    await asyncio.sleep(0)
    reader.leave()
    assert await rest == []


async def test_a_listener_may_end_itself_and_the_others_still_hear() -> None:
    hub = Hub()
    heard: list[str] = []

    def once(_: Event) -> None:
        heard.append("once")
        end_once()

    end_once = hub.listen(once)
    hub.listen(lambda _: heard.append("always"))
    hub.publish(event())
    hub.publish(event())
    assert heard == ["once", "always", "always"]


def test_an_idle_stream_flushes_at_once_and_a_busy_one_gathers() -> None:
    async def watch() -> list[tuple[float, list[int]]]:
        loop = asyncio.get_running_loop()
        hub = Hub()
        seen: list[tuple[float, list[int]]] = []

        async def publish() -> None:
            await asyncio.sleep(1)
            for _ in range(5):
                hub.publish(event())
                await asyncio.sleep(GATHER_SECONDS / 10)

        async with reading(hub) as frames:
            await anext(frames)
            publisher = asyncio.create_task(publish())
            for _ in range(2):
                frame = await anext(frames)
                seen.append((round(loop.time(), 6), numbers(frame)))
            await publisher
        return seen

    assert run_stepped(watch()) == [(1.0, [1]), (1 + GATHER_SECONDS, [2, 3, 4, 5])]


def test_a_full_batch_does_not_wait_to_be_gathered() -> None:
    async def watch() -> tuple[float, int]:
        hub = Hub()
        count = 0
        async with reading(hub) as frames:
            await anext(frames)
            for _ in range(1500):
                hub.publish(event(size=1000))
            while count < 1500:
                count += len(numbers(await anext(frames)))
            return asyncio.get_running_loop().time(), count

    # Six batches; only the last, which is not full, may be held back.
    assert run_stepped(watch()) <= (2 * GATHER_SECONDS, 1500)


def test_a_quiet_stream_beats() -> None:
    async def watch() -> tuple[list[bytes], float, list[int]]:
        hub = Hub()
        async with reading(hub) as frames:
            await anext(frames)
            beats = [await anext(frames) for _ in range(3)]
            at = asyncio.get_running_loop().time()
            hub.publish(event())
            return beats, at, numbers(await anext(frames))

    beats, at, after = run_stepped(watch())
    assert beats == [b": beat\n\n"] * 3
    assert at == pytest.approx(3 * hub_module.BEAT_SECONDS)
    assert after == [1]
