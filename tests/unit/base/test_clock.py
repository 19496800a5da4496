"""Time, as the contract writes it."""

import re
from datetime import UTC, datetime

from fakes.clock import FakeClock
from sidekicks.base.clock import Clock, SystemClock


def test_the_time_of_day_is_utc_with_milliseconds() -> None:
    now = SystemClock().now()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", now)
    assert datetime.fromisoformat(now).tzinfo == UTC


def test_measured_time_never_goes_back() -> None:
    clock = SystemClock()
    times = [clock.monotonic() for _ in range(100)]
    assert times == sorted(times)


def test_the_tests_clock_writes_time_like_the_real_one() -> None:
    clock: Clock = FakeClock()
    assert len(clock.now()) == len(SystemClock().now())
    assert isinstance(clock, FakeClock)
    clock.advance(61.5)
    assert clock.now() == "2026-11-30T12:01:01.500Z"
    assert clock.monotonic() == 61.5
