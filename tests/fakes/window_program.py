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


def main() -> int:
    """Open the window and tell what happens."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    serving = threading.Thread(target=server.serve_forever)
    held = threading.Event()

    def start() -> str:
        if "--fail" in sys.argv:
            raise SidekicksError("unavailable", "it cannot come up")
        if "--close-in-start" in sys.argv:
            window.close()
        serving.start()
        home = f"http://127.0.0.1:{server.server_port}/"
        tell(event="started", home=home)
        return home

    def invoke(raw: bytes) -> bytes:
        tell(event="invoked", json=raw.decode(errors="replace"))
        verb, _, rest = raw.decode(errors="replace").partition(" ")
        if verb == "evaluate":
            try:
                tell(event="evaluated", value=window.evaluate(rest, seconds=2))
            except SidekicksError as error:
                tell(event="evaluated", code=error.code)
        if b"wait" in raw:
            held.wait(20)
        if b"close" in raw:
            window.close()
        return json.dumps({"ok": True, "value": raw.decode(errors="replace"), "seq": 1}).encode()

    def on_interrupt(*_: object) -> None:
        tell(event="interrupted")

    signal.signal(signal.SIGINT, on_interrupt)
    window = Window(
        title="A window",
        invoke=invoke,
        secret=lambda: SECRET,
        on_closed=lambda: tell(event="closed", on=threading.current_thread().name),
        language="en",
        open_outside=lambda url: tell(event="outside", url=url),
    )
    if "--close-at-once" in sys.argv:
        window.close()
    try:
        window.run(start)
    except SidekicksError as error:
        tell(event="error", code=error.code, message=error.message)
        return 2
    finally:
        held.set()
        if serving.is_alive():
            server.shutdown()
        server.server_close()
    tell(event="end")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
