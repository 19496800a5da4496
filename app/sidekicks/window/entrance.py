"""The one function that the page can call, and its end when the window ends."""

import hmac
import threading
import time
from collections.abc import Callable
from typing import Final

import msgspec

from sidekicks.contract.errors import SidekicksError
from sidekicks.window.words import say

_LAST_SECONDS: Final = 2.0


class Entrance:
    """Lets in who knows the secret. pywebview calls it in a thread of its own for each call.

    Args:
        invoke: carries out one encoded command and returns its encoded answer; it never raises.
        secret: returns what the page must know.
    """

    def __init__(self, invoke: Callable[[bytes], bytes], secret: Callable[[], str]) -> None:
        self._invoke: Final = invoke
        self._secret: Final = secret
        self._answering: Final[set[threading.Thread]] = set()

    @property
    def function(self) -> Callable[..., str]:
        """The function to expose: pywebview takes its name and its parameters' names."""

        # Whatever a page passes, the answer is an envelope: an exception would carry a traceback,
        # with the paths of this computer, into the page.
        def invoke(secret: object = None, json: object = None, *_more: object) -> str:
            answer = self._answer(secret, json)
            self._answering.add(threading.current_thread())
            return answer

        return invoke

    def release(self, let_go: Callable[[], None]) -> None:
        """End the threads that hand over an answer that no page takes any more.

        They are pywebview's, wait without a limit, and would keep the process from ending.

        Args:
            let_go: ends all waiting there is now; called until none is left.
        """
        until = time.monotonic() + _LAST_SECONDS
        for thread in list(self._answering):
            while thread.is_alive() and time.monotonic() < until:
                let_go()
                thread.join(0.02)

    def _answer(self, secret: object, json: object) -> str:
        self._answering.difference_update([t for t in self._answering if not t.is_alive()])
        if not (isinstance(secret, str) and isinstance(json, str) and self._knows(secret)):
            error = SidekicksError("no_access", say("wrong_secret")).body()
            return msgspec.json.encode({"ok": False, "error": error, "seq": 0}).decode()
        # A lone surrogate is no JSON; the decoder says so, and the encoding must not raise first.
        return self._invoke(json.encode("utf-8", "surrogatepass")).decode()

    def _knows(self, secret: str) -> bool:
        expected = self._secret()
        return bool(expected) and hmac.compare_digest(
            secret.encode("utf-8", "surrogatepass"), expected.encode()
        )
