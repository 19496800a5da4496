"""Lets Playwright drive QtWebEngine: a pass-through for its debugging port.

Playwright insists on `Browser.setDownloadBehavior` and asks for storage; QtWebEngine has no browser
contexts and refuses both (microsoft/playwright#36961). The proxy answers these itself and hands on
everything else as it is.
"""

import asyncio
import json
import threading
import urllib.request
from types import TracebackType
from typing import Any, Final, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

_LARGEST = 256 * 2**20
"""Bytes of one message: a screenshot is one."""


class CdpProxy:
    """Serves on a port of its own while it is entered.

    Args:
        port: the debugging port of the program to drive; it must be open already.
    """

    def __init__(self, port: int) -> None:
        self._target: Final = f"http://127.0.0.1:{port}/json/version"
        self._ready: Final = threading.Event()
        self._thread: Final = threading.Thread(target=lambda: asyncio.run(self._main()))
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self.url = ""
        """What `connect_over_cdp` takes."""

    def __enter__(self) -> Self:
        self._thread.start()
        if not self._ready.wait(10):
            raise TimeoutError("the proxy did not come up")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._loop is not None
        assert self._stop is not None
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        async with serve(self._on_connection, "127.0.0.1", 0, max_size=_LARGEST) as server:
            port: int = next(iter(server.sockets)).getsockname()[1]
            self.url = f"ws://127.0.0.1:{port}/"
            self._ready.set()
            await self._stop.wait()

    async def _on_connection(self, client: ServerConnection) -> None:
        address = await asyncio.to_thread(self._find_address)
        async with connect(address, max_size=_LARGEST, compression=None) as browser:
            down = asyncio.create_task(self._hand_down(browser, client))
            try:
                await self._hand_up(client, browser)
            except ConnectionClosed:
                pass
            finally:
                await browser.close()
                await down
                await client.close()

    def _find_address(self) -> str:
        with urllib.request.urlopen(self._target, timeout=5) as answer:
            return json.load(answer)["webSocketDebuggerUrl"]

    async def _hand_up(self, client: ServerConnection, browser: ClientConnection) -> None:
        async for message in client:
            call: dict[str, Any] = json.loads(message)
            if call["method"] == "Browser.setDownloadBehavior" or call["method"].startswith(
                "Storage."
            ):
                answer: dict[str, Any] = {"id": call["id"], "result": {}}
                if "sessionId" in call:
                    answer["sessionId"] = call["sessionId"]
                await client.send(json.dumps(answer))
            else:
                await browser.send(message)

    async def _hand_down(self, browser: ClientConnection, client: ServerConnection) -> None:
        try:
            async for message in browser:
                await client.send(message)
        except ConnectionClosed:
            pass
        finally:
            await client.close()
