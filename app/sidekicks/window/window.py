"""The one window: shown at once with a skeleton, filled with the page when the app is up.

The page gets one function, `invoke(secret, json)`, and nothing else of Python. The window never
shows another origin. Nothing here calls into the window from its own `closing`: that would lock it
for good (pywebview #1699).
"""

import json
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any, Final

from sidekicks.contract.errors import SidekicksError
from sidekicks.window import links, qt
from sidekicks.window.display import require_display
from sidekicks.window.entrance import Entrance
from sidekicks.window.words import say

if TYPE_CHECKING:
    import webview

_FOLDER: Final = Path(__file__).parent
BACKGROUND: Final = {False: "#ffffff", True: "#1b1b1f"}
_SIZE: Final = (1180, 780)
_LEAST_SIZE: Final = (640, 420)


class Window:
    """The app's window.

    Args:
        title: shown in the title bar.
        invoke: carries out one encoded command and returns its encoded answer, from any thread;
            it never raises.
        secret: returns what the page must know to be listened to.
        on_closed: called once, on the main thread, when the window is gone.
        language: of the skeleton.
        open_outside: opens a link in the system's browser.
    """

    def __init__(
        self,
        *,
        title: str,
        invoke: Callable[[bytes], bytes],
        secret: Callable[[], str],
        on_closed: Callable[[], None],
        language: str,
        open_outside: Callable[[str], None] = links.open_in_browser,
    ) -> None:
        self._title: Final = title
        self._entrance: Final = Entrance(invoke, secret)
        self._on_closed: Final = on_closed
        self._language: Final = language
        self._open_outside: Final = open_outside
        self._home: str | None = None
        self._view: webview.Window | None = None
        self._guard: object = None
        self._closing: Final = threading.Event()
        self._skeleton_shown: Final = threading.Event()

    def run(self, start: Callable[[], str]) -> None:
        """Show the window until it is gone; on the main thread, and only once in a process.

        Args:
            start: brings the app up, in a thread, and returns the address of its page. It has
                ended, one way or the other, when this returns.

        Raises:
            SidekicksError: `unavailable`, where no window can be shown.
            Exception: what `start` raised.
        """
        platforms: list[str] = []
        if sys.platform == "linux":
            platforms = require_display()
        with ThreadPoolExecutor(1, "opening") as pool:
            opening = pool.submit(self._open, start)
            try:
                self._show(platforms)
            finally:
                self._closing.set()
                self._skeleton_shown.set()
                self._on_closed()
        opening.result()

    def close(self) -> None:
        """Close the window, from any thread; again does nothing more."""
        self._closing.set()
        # Set first: without a view yet, `_show` sees it and shows nothing.
        if self._view is not None:
            threading.Thread(target=self._destroy, name="closing", daemon=True).start()

    def show(self) -> None:
        """Bring the window to the front, from any thread."""
        view = self._view
        if view is None or not view.events.shown.is_set() or self._closing.is_set():
            return
        if sys.platform == "linux":
            qt.show(view.native)
        else:
            view.restore()
            view.show()

    def evaluate(self, script: str, seconds: float = 10) -> Any:
        """Return what a JavaScript expression yields in the page; a promise is waited for.

        Not from the main thread, which the page needs for its answer.

        Raises:
            SidekicksError: `unavailable` after `seconds`; `internal` if the script failed.
        """
        view = self._view
        answer: Future[dict[str, Any]] = Future()
        # By `eval`, so that a script that is none fails like one that throws.
        wrapped = (
            f"Promise.resolve().then(() => (0, eval)({json.dumps(f'({script})')}))"
            ".then(value => ({value}), error => ({error: String(error)}))"
        )
        if view is not None:
            # A daemon: if the window ends meanwhile, pywebview waits for ever.
            ask = threading.Thread(
                target=_evaluate, args=(view, wrapped, answer), name="evaluating", daemon=True
            )
            ask.start()
        try:
            result = answer.result(seconds)
        except (TimeoutError, CancelledError) as problem:
            raise SidekicksError("unavailable", say("page_silent", seconds=seconds)) from problem
        if "error" in result:
            raise SidekicksError("internal", say("page_failed", reason=result["error"]))
        return result.get("value")

    def _open(self, start: Callable[[], str]) -> None:
        try:
            home = start()
        except BaseException:
            self.close()
            raise
        # pywebview fills the page it finds when it gets to it: not the new one with the old's.
        self._skeleton_shown.wait()
        if self._closing.is_set() or self._view is None:
            return
        self._home = home
        self._view.load_url(home)

    def _show(self, platforms: list[str]) -> None:
        dark = False
        if platforms:
            qt.bring_up(platforms)
            dark = qt.prefers_dark()
        import webview

        # Its own handler would write past our log.
        logging.getLogger("pywebview").handlers.clear()
        logging.getLogger("pywebview").setLevel(logging.WARNING)
        if port := os.environ.get("SIDEKICKS_DEBUG_PORT"):
            webview.settings["REMOTE_DEBUGGING_PORT"] = int(port)
        view = webview.create_window(
            self._title,
            html=self._skeleton(),
            width=_SIZE[0],
            height=_SIZE[1],
            min_size=_LEAST_SIZE,
            background_color=BACKGROUND[dark],
            text_select=True,
            zoomable=True,
        )
        assert view is not None
        self._view = view
        view.expose(self._entrance.function)
        on_interrupt = signal.getsignal(signal.SIGINT)

        def before_show() -> None:
            # pywebview took it over; who runs us has a way to stop that ends more than the window.
            signal.signal(signal.SIGINT, on_interrupt)
            if platforms:
                self._guard = qt.Guard(
                    view.native,
                    background=BACKGROUND[dark],
                    is_own=lambda url: links.is_own(url, self._home),
                    go_home=self._go_home,
                    open_outside=self._leave,
                )

        view.events.before_show += before_show
        view.events.loaded += self._on_loaded
        view.events.closing += self._on_closing
        if self._closing.is_set():
            return
        webview.start(
            gui="qt" if platforms else None,
            icon=str(_FOLDER / "icon.svg") if platforms else None,
        )
        if platforms:
            self._entrance.release(lambda: qt.release_waiting(view.native))

    def _skeleton(self) -> str:
        template = Template((_FOLDER / "skeleton.html").read_text(encoding="utf-8"))
        return template.substitute(
            title=self._title, language=self._language, starting=say("starting")
        )

    def _destroy(self) -> None:
        assert self._view is not None
        self._view.events.shown.wait()
        self._view.destroy()

    def _on_loaded(self) -> None:
        self._skeleton_shown.set()
        # Qt is asked before it goes anywhere; of WKWebView we learn it afterwards.
        if sys.platform == "darwin" and self._home is not None and self._view is not None:
            url = self._view.get_current_url()
            if url is not None and not links.is_own(url, self._home):
                self._leave(url)
                self._go_home()

    def _on_closing(self) -> bool:
        """Veto what would end the process inside AppKit (Cmd-Q), and close the window instead."""
        if sys.platform != "darwin" or self._closing.is_set():
            return True
        self.close()
        return False

    def _leave(self, url: str) -> None:
        if links.may_open_outside(url):
            self._open_outside(url)

    def _go_home(self) -> None:
        if self._view is not None and self._home is not None:
            self._view.load_url(self._home)


def _evaluate(view: "webview.Window", script: str, answer: "Future[dict[str, Any]]") -> None:
    import webview

    try:
        view.evaluate_js(script, answer.set_result)
    except (webview.WebViewException, webview.JavascriptException):
        # The page never came up, or its policy forbids it.
        answer.cancel()
