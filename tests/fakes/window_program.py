"""A program with a real window and a page of its own, for tests of the window alone.

`window_program.py [--fail | --close-at-once | --close-in-start]` prints one JSON object a line
for what happens.
"""

import json
import signal
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from sidekicks.contract.errors import SidekicksError
from sidekicks.window import Window

SECRET = "the secret of this run"
PAGE = """<!doctype html><meta charset="utf-8"><title>page</title><h1>The page</h1>
<a id="away" href="http://localhost:{port}/elsewhere">another origin</a>
<a id="mail" href="mailto:somebody@example.org">mail</a>
<a id="blank" target="_blank" href="https://example.org/blank">new window</a>
<a id="file" target="_blank" href="ssh://example.org/">a program's own scheme</a>
<a id="own" href="/second">own</a>"""


def tell(**what: object) -> None:
    """Print what happened."""
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


class Page(BaseHTTPRequestHandler):
    """Answers every path with the page."""

    def do_GET(self) -> None:
        body = PAGE.replace("{port}", self.headers["Host"].split(":")[1]).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        tell(event="request", path=self.path, host=self.headers["Host"])


class WindowProgram:
    """The window, its page's server, and what the page's calls do."""

    def __init__(self) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
        self._serving = threading.Thread(target=self._server.serve_forever)
        self._held = threading.Event()
        self._window = Window(
            title="A window",
            invoke=self._invoke,
            secret=lambda: SECRET,
            on_closed=lambda: tell(event="closed", on=threading.current_thread().name),
            language="en",
            open_outside=lambda url: tell(event="outside", url=url),
        )

    def run(self) -> None:
        """Open the window and tell what happens."""
        if "--close-at-once" in sys.argv:
            self._window.close()
        try:
            self._window.run(self._start)
        finally:
            self._held.set()
            if self._serving.is_alive():
                self._server.shutdown()
            self._server.server_close()

    def _start(self) -> str:
        if "--fail" in sys.argv:
            raise SidekicksError("unavailable", "it cannot come up")
        if "--close-in-start" in sys.argv:
            self._window.close()
        self._serving.start()
        home = f"http://127.0.0.1:{self._server.server_port}/"
        tell(event="started", home=home)
        return home

    def _invoke(self, raw: bytes) -> bytes:
        text = raw.decode(errors="replace")
        tell(event="invoked", json=text)
        verb, _, rest = text.partition(" ")
        match verb:
            case "wait":
                self._held.wait(20)
            case "close":
                self._window.close()
            case "evaluate":
                self._evaluate(rest)
            case _:
                pass
        return json.dumps({"ok": True, "value": text, "seq": 1}).encode()

    def _evaluate(self, script: str) -> None:
        try:
            tell(event="evaluated", value=self._window.evaluate(script, seconds=2))
        except SidekicksError as error:
            tell(event="evaluated", code=error.code)


def on_interrupt(*_: object) -> None:
    """Tell that we were interrupted, and go on."""
    tell(event="interrupted")


def main() -> int:
    """Run, and tell how it ended."""
    signal.signal(signal.SIGINT, on_interrupt)
    try:
        WindowProgram().run()
    except SidekicksError as error:
        tell(event="error", code=error.code, message=error.message)
        return 2
    tell(event="end")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
