"""Time, as something that tests can hold in their hand."""

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What the time is."""

    def now(self) -> str:
        """Return the time of day, UTC, as ISO 8601 with milliseconds."""
        ...

    def monotonic(self) -> float:
        """Return seconds that never go back, for measuring."""
        ...


class SystemClock:
    """The computer's clock."""

    def now(self) -> str:
        """Return the time of day, UTC, as ISO 8601 with milliseconds."""
        return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def monotonic(self) -> float:
        """Return seconds that never go back, for measuring."""
        return time.monotonic()
