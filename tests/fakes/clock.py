"""A clock that moves when a test says so."""

from datetime import UTC, datetime, timedelta

_NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


class FakeClock:
    """Starts at noon, 30 November 2026, UTC."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._slept = 0.0

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self._seconds += seconds

    def sleep(self, seconds: float) -> None:
        """Let time pass while the computer sleeps: what measures stands still."""
        self._slept += seconds

    def now(self) -> str:
        """Return the time of day, UTC, as ISO 8601 with milliseconds."""
        moment = _NOON + timedelta(seconds=self._seconds + self._slept)
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def timestamp(self) -> float:
        """Return the time of day as seconds since 1970."""
        return _NOON.timestamp() + self._seconds + self._slept

    def monotonic(self) -> float:
        """Return the seconds that have passed."""
        return self._seconds
