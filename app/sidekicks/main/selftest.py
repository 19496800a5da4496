"""`sidekicks --selftest`: the whole app once, in its real window, in a folder that is thrown away.

It opens the window, loads the page, runs one command from the page, waits for an answer of the
bundled agent to stand in the page (an event stream and a turn), prints the timings and ends.
"""

import json
import os
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Final

import msgspec

from sidekicks.contract.errors import SidekicksError
from sidekicks.main.desktop import Desktop
from sidekicks.main.run import Ready
from sidekicks.main.words import say

PATIENCE: Final = 60.0
STEP: Final = 0.05
CONFIG: Final = """\
agents:
  sidekick: {name: Sidekick, command: sidekicks, args: [agent], workspace: ., env: {LANG: C.UTF-8}}
"""
PAGE_IS_UP: Final = "[...document.querySelectorAll('nav button')].some(%s)"
IS_AGENT: Final = "button => button.textContent.includes('Sidekick')"
OPEN: Final = "[...document.querySelectorAll('nav button')].find(%s).click()"
ANSWERED: Final = "document.querySelector('main').innerText.includes('/tour')"


class SelfTest:
    """One run; `timings` are in milliseconds from the start."""

    def __init__(self, config: Path) -> None:
        self.timings: Final[dict[str, float]] = {}
        self.failure: str | None = None
        self._begun: Final = time.monotonic()
        self._desktop: Final = Desktop(config)

    def run(self) -> None:
        """Open the window, and return when it is gone."""
        self._desktop.open(self._then)

    def _then(self, ready: Ready) -> None:
        self._note("up")
        assert ready.server is not None
        # A thread of its own: the page is not loaded before this returns.
        threading.Thread(
            target=self._drive, args=(ready.server.secret,), name="selftest", daemon=True
        ).start()

    def _drive(self, secret: str) -> None:
        try:
            self._wait(PAGE_IS_UP % IS_AGENT, "page")
            self._invoke(secret, {"type": "get_snapshot"})
            self._note("invoke")
            channel = self._invoke(secret, {"type": "open_direct", "agentId": "sidekick"})
            self._desktop.window.evaluate(OPEN % IS_AGENT)
            self._invoke(
                secret,
                {"type": "send_message", "channelId": channel["channelId"], "text": "/help"},
            )
            self._wait(ANSWERED, "turn")
        except SidekicksError as error:
            self.failure = error.message
        finally:
            self._desktop.window.close()

    def _invoke(self, secret: str, command: dict[str, Any]) -> Any:
        arguments = f"{json.dumps(secret)}, {json.dumps(json.dumps(command))}"
        script = f"window.pywebview.api.invoke({arguments})"
        reply = json.loads(self._desktop.window.evaluate(script, PATIENCE))
        if not reply["ok"]:
            raise SidekicksError("internal", reply["error"]["message"])
        return reply["value"]

    def _wait(self, script: str, step: str) -> None:
        until = time.monotonic() + PATIENCE
        while not self._holds(script):
            if time.monotonic() > until:
                raise SidekicksError("unavailable", say("selftest_late", step=step))
            time.sleep(STEP)
        self._note(step)

    def _holds(self, script: str) -> bool:
        try:
            return self._desktop.window.evaluate(script) is True
        except SidekicksError:
            return False  # the page is not there yet

    def _note(self, step: str) -> None:
        self.timings[step] = round((time.monotonic() - self._begun) * 1000)


def selftest() -> int:
    """Run the test, print a line of JSON, and return 0 if all went well."""
    # The guide's answer is known; a model's is not.
    os.environ["SIDEKICKS_MODEL_URL"] = "none"
    with tempfile.TemporaryDirectory(prefix="sidekicks-") as folder:
        config = Path(folder) / "selftest.yaml"
        config.write_text(CONFIG, encoding="utf-8")
        test = SelfTest(config)
        test.run()
    result = {"ok": test.failure is None, "failure": test.failure, "ms": test.timings}
    print(msgspec.json.encode(result).decode())
    return 0 if test.failure is None else 1
