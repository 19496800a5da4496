"""The server's life: where it listens, the secret of the run, the links to it, its end."""

import asyncio
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sidekicks.base.clock import Clock, SystemClock
from sidekicks.base.hub import Hub
from sidekicks.base.supervisor import Supervisor
from sidekicks.server.codes import Codes
from sidekicks.server.sockets import listen

if TYPE_CHECKING:
    from sidekicks.bridge import Invoke
    from sidekicks.server.serving import Serving

_CUT_SECONDS: Final = 1.0
"""What is kept of the time to stop for cutting off what did not end by itself."""


class Server:
    """Serves the page, the events and commands on this computer.

    Lives on the engine's loop.

    Args:
        invoke: runs a command.
        hub: where events come from.
        ui_folder: the built page.
        secret: what commands and events ask for; by default a new one of 256 bits.
        port: 0 takes a free one.
        window: the page is the app's own window.
        on_code_used: called when a link was opened, which makes it useless from then on.
        clock: by which links get too old.
    """

    def __init__(
        self,
        *,
        invoke: "Invoke",
        hub: Hub,
        ui_folder: Path,
        secret: str | None = None,
        port: int = 0,
        window: bool = False,
        on_code_used: Callable[[], None] | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.secret: Final = secret or secrets.token_urlsafe(32)
        self._invoke: Final = invoke
        self._hub: Final = hub
        self._ui_folder: Final = ui_folder
        self._port = port
        self._window: Final = window
        self._on_code_used: Final = on_code_used or (lambda: None)
        self._codes: Final = Codes(clock or SystemClock())
        self._supervisor: Final = Supervisor()
        self._serving: Serving | None = None
        self._served: asyncio.Task[None] | None = None

    @property
    def origin(self) -> str:
        """Where the page is, without a slash at the end; known once the server has started."""
        return f"http://127.0.0.1:{self._port}"

    async def start(self) -> None:
        """Listen, and answer from now on.

        Raises:
            SidekicksError: if the port cannot be used, or the page is not there.
        """
        sockets = listen(self._port)
        self._port = sockets[0].getsockname()[1]
        try:
            # In a thread: the framework takes longer to import than the loop may stand still.
            self._serving = await asyncio.to_thread(self._build)
        except BaseException:
            for each in sockets:
                each.close()
            raise
        self._served = self._supervisor.start(self._serving.serve(sockets), "server")
        ready = self._supervisor.start(self._serving.ready.wait(), "server is ready")
        await asyncio.wait({self._served, ready}, return_when=asyncio.FIRST_COMPLETED)
        if self._served.done():
            await self._served

    def new_link(self, *, window: bool = False) -> str:
        """Return a link that opens the page once, within ten minutes."""
        return f"{self.origin}/#code={self._codes.new()}{'&window' if window else ''}"

    async def stop(self, seconds: float) -> None:
        """Let open answers end, for at most `seconds`, then cut them off.

        Event streams end by themselves once the hub was closed.
        """
        if self._serving is None or self._served is None:
            return
        self._serving.leave()
        cut = max(seconds - _CUT_SECONDS, seconds / 2)
        await asyncio.wait({self._served}, timeout=cut)
        for cut_off in (self._serving.cut_connections, self._serving.cancel_requests):
            if not self._served.done():
                cut_off()
                await asyncio.wait({self._served}, timeout=(seconds - cut) / 2)
        await self._supervisor.stop(0)

    def _build(self) -> "Serving":
        from sidekicks.server.app import build_app
        from sidekicks.server.serving import Serving

        return Serving(
            build_app(
                invoke=self._invoke,
                hub=self._hub,
                ui_folder=self._ui_folder,
                secret=self.secret,
                codes=self._codes,
                on_code_used=self._on_code_used,
                port=self._port,
                window=self._window,
            )
        )
