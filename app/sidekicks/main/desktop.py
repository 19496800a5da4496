"""`sidekicks`: the window. The main thread is the window's; everything else comes up behind it."""

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from sidekicks.base import words
from sidekicks.contract.errors import SidekicksError
from sidekicks.main.compose import Domains
from sidekicks.main.host import Host
from sidekicks.main.instance import show_running
from sidekicks.main.run import Ready
from sidekicks.main.ui import ui_folder
from sidekicks.server import Server
from sidekicks.window import Window


class Desktop:
    """A window, and the run behind it."""

    def __init__(self, config: Path) -> None:
        self._folder: Final = ui_folder()
        self.host: Final = Host(
            config,
            make_server=self._make_server,
            on_signal=lambda: self.window.close(),
            on_show=self._show,
        )
        self._server: Server | None = None
        self.window: Final = Window(
            title="Sidekicks",
            invoke=self.host.invoke,
            secret=lambda: self._server.secret if self._server else "",
            on_closed=self.host.run.request_stop,
            language=words.language(),
        )

    def open(self, then: Callable[[Ready], None] = lambda ready: None) -> None:
        """Show the window until it is closed, then stop everything.

        Args:
            then: called in a thread once the run is up, while the page loads.

        Raises:
            SidekicksError: where there is no display, or the app cannot come up.
        """

        def start() -> str:
            ready = self.host.start()
            then(ready)
            assert self._server is not None
            return self._server.new_link(window=True)

        with self.host:
            self.window.run(start)

    def _show(self) -> bool:
        self.window.show()
        return True

    def _make_server(self, domains: Domains) -> Server:
        self._server = Server(
            invoke=domains.bridge.invoke,
            hub=domains.app.hub,
            ui_folder=self._folder,
            window=True,
        )
        return self._server


def open_desktop(config: Path) -> int:
    """Open the window, or bring that of the running instance to the front; return the exit code."""
    try:
        Desktop(config).open()
    except SidekicksError as error:
        if error.code == "busy":
            # Without a window (`serve`), or with no answer, the sentence says that it runs.
            with contextlib.suppress(OSError):
                if show_running(config):
                    return 0
        raise
    return 0
