"""The computer slept, or it did not."""

from fakes.clock import FakeClock
from sidekicks.base.wake import WakeWatch


def test_time_that_passes_is_no_sleep() -> None:
    clock = FakeClock()
    watch = WakeWatch(clock)
    clock.advance(3600)
    assert not watch.woke()


def test_a_sleep_is_noticed_once() -> None:
    clock = FakeClock()
    watch = WakeWatch(clock)
    clock.sleep(31)
    assert watch.woke()
    assert not watch.woke()


def test_a_clock_that_is_set_a_little_is_no_sleep() -> None:
    clock = FakeClock()
    watch = WakeWatch(clock)
    clock.sleep(29)
    assert not watch.woke()
