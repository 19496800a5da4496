"""Notices that the computer slept: the time of day has gone on, the measuring clock has not."""

from typing import Final

from sidekicks.base.clock import Clock

JUMP_SECONDS: Final = 30.0


class WakeWatch:
    """Asked now and then, it says whether the computer slept since it was asked last."""

    def __init__(self, clock: Clock) -> None:
        self._clock: Final = clock
        self._last = self._look()

    def woke(self) -> bool:
        """Return whether the time of day jumped ahead by more than half a minute."""
        before, self._last = self._last, self._look()
        return self._last - before > JUMP_SECONDS

    def _look(self) -> float:
        """Return how far the two clocks are apart."""
        return self._clock.timestamp() - self._clock.monotonic()
