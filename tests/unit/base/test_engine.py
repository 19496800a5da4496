"""The engine: other threads call and post, early, in time and too late; nobody waits for ever."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError

import pytest

from sidekicks.base.engine import Engine


class Life:
    """An engine that lives until `end` is called."""

    def __init__(self) -> None:
        self.engine = Engine()
        self._end = asyncio.Event()

    async def _live(self) -> None:
        await self._end.wait()

    def start(self) -> None:
        self.engine.start(self._live())

    def end(self) -> None:
        self.engine.post(self._end.set)
        assert self.engine.join(10)


@pytest.fixture
def life() -> Iterator[Life]:
    life = Life()
    yield life
    life.end()


async def thread_name() -> str:
    return threading.current_thread().name


def test_calls_run_on_the_engine_thread_and_answer(life: Life) -> None:
    life.start()
    assert life.engine.call(thread_name()).result(10) == "engine"


def test_what_a_call_raises_reaches_the_caller(life: Life) -> None:
    async def fail() -> None:
        raise ValueError("the reason")

    life.start()
    with pytest.raises(ValueError, match="the reason"):
        life.engine.call(fail()).result(10)


def test_calls_and_posts_before_the_start_wait_for_it(life: Life) -> None:
    seen: list[str] = []
    life.engine.post(seen.append, "posted")
    called = life.engine.call(thread_name())
    assert not called.done()
    life.start()
    assert called.result(10) == "engine"
    assert seen == ["posted"]


def test_posts_from_one_thread_arrive_in_order(life: Life) -> None:
    seen: list[int] = []
    life.start()
    for number in range(1000):
        life.engine.post(seen.append, number)
    life.engine.call(asyncio.sleep(0)).result(10)
    assert seen == list(range(1000))


def test_many_threads_may_call_at_once(life: Life) -> None:
    results: list[int] = []

    async def add(number: int) -> int:
        await asyncio.sleep(0)
        return number

    def call_many(first: int) -> None:
        results.extend(life.engine.call(add(first + n)).result(10) for n in range(50))

    life.start()
    threads = [threading.Thread(target=call_many, args=(100 * n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(results) == [100 * n + m for n in range(4) for m in range(50)]


def test_join_tells_whether_the_loop_has_ended(life: Life) -> None:
    life.start()
    assert life.engine.join(0) is False
    life.end()
    assert life.engine.join(0) is True


def test_join_raises_what_main_raised() -> None:
    async def fail() -> None:
        raise ValueError("main's reason")

    engine = Engine()
    engine.start(fail())
    with pytest.raises(ValueError, match="main's reason"):
        engine.join(10)


def test_late_posts_do_nothing_and_late_calls_are_cancelled(life: Life) -> None:
    seen: list[str] = []
    life.start()
    life.end()
    life.engine.post(seen.append, "late")
    with pytest.raises(CancelledError):
        life.engine.call(thread_name()).result(10)
    assert seen == []


def test_a_call_that_runs_when_the_loop_ends_is_cancelled(life: Life) -> None:
    begun = threading.Event()
    cleaned: list[str] = []

    async def wait_for_ever() -> None:
        try:
            begun.set()
            await asyncio.Event().wait()
        finally:
            cleaned.append("cleaned")

    life.start()
    called = life.engine.call(wait_for_ever())
    assert begun.wait(10)
    life.end()
    with pytest.raises(CancelledError):
        called.result(10)
    assert cleaned == ["cleaned"]


def test_calls_that_race_with_the_end_are_all_answered() -> None:
    for _ in range(50):
        life = Life()
        life.start()
        life.engine.post(life._end.set)  # pyright: ignore[reportPrivateUsage]
        calls = [life.engine.call(thread_name()) for _ in range(50)]
        for call in calls:
            # Answered or cancelled; a call that hangs would end the test by its time limit.
            try:
                assert call.result(10) == "engine"
            except CancelledError:
                continue
        assert life.engine.join(10)
