"""Time, as something that tests can hold in their hand."""

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What the time is."""

    def now(self) -> str:
        """Return the time of day, UTC, as ISO 8601 with milliseconds."""
        ...

    def timestamp(self) -> float:
        """Return the time of day as seconds since 1970, for what is shown seldom: see `iso`."""
        ...

    def monotonic(self) -> float:
        """Return seconds that never go back, for measuring."""
        ...


class SystemClock:
    """The computer's clock."""

    def now(self) -> str:
        """Return the time of day, UTC, as ISO 8601 with milliseconds."""
        return iso(time.time())

    def timestamp(self) -> float:
        """Return the time of day as seconds since 1970."""
        return time.time()

    def monotonic(self) -> float:
        """Return seconds that never go back, for measuring."""
        return time.monotonic()


def iso(timestamp: float) -> str:
    """Return a time of day, UTC, as ISO 8601 with milliseconds."""
    moment = datetime.fromtimestamp(timestamp, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
