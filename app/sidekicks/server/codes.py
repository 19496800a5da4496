"""The one-time codes of links. Each is exchanged for the run's secret once, within ten minutes.

A link is seen by others (a browser's history, a terminal's scrollback, the process list of whoever
opens it), so what it holds must be worthless once the page has opened.
"""

import secrets
from collections import deque
from typing import Final

from sidekicks.base.clock import Clock
from sidekicks.server.errors import RequestError
from sidekicks.server.words import say

CODE_SECONDS: Final = 600.0
KEPT_CODES: Final = 16
"""How many links may wait to be opened; a new one beyond makes the oldest useless."""
WRONG_TRIES: Final = 20
"""How many wrong codes a minute are looked at."""
TRIES_SECONDS: Final = 60.0


class Codes:
    """The codes that were given out and not used."""

    def __init__(self, clock: Clock) -> None:
        self._clock: Final = clock
        self._codes: deque[tuple[float, bytes]] = deque(maxlen=KEPT_CODES)
        self._wrong: deque[float] = deque(maxlen=WRONG_TRIES)

    def new(self) -> str:
        """Return a code that works once."""
        code = secrets.token_urlsafe(32)
        self._codes.append((self._clock.monotonic() + CODE_SECONDS, code.encode()))
        return code

    def use(self, code: str) -> None:
        """Take the code back; `RequestError` if it is none of ours, was used, or is too old."""
        now = self._clock.monotonic()
        if len(self._wrong) == WRONG_TRIES and now - self._wrong[0] < TRIES_SECONDS:
            raise RequestError(429, "busy", say("tries"))
        given = code.encode(errors="replace")
        for known in tuple(self._codes):
            until, expected = known
            if secrets.compare_digest(given, expected):
                self._codes.remove(known)
                if now < until:
                    return
        self._wrong.append(now)
        raise RequestError(403, "no_access", say("code"))
