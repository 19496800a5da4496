"""A run of the app on the engine's loop: what starts in which order, and the one way to stop.

The stop: refuse commands, cancel turns, put the close marker on the event streams, end the agents,
close the store, leave the loop. Each step has its limit, in all under five seconds; what is not
done by then is left, and said in the log.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from sidekicks.bridge import Bridge
from sidekicks.config import ConfigWatcher, Reading, read_config
from sidekicks.contract.state import Problem
from sidekicks.main.compose import Domains, compose
from sidekicks.main.instance import InstanceSocket, instance_name, state_folder
from sidekicks.server import Server
from sidekicks.system import Leftovers, LoginEnvironment

Value = TypeVar("Value")
logger = logging.getLogger(__name__)

STOP_SECONDS: Final = {
    "turns": 0.9,
    "agents": 2.0,
    "server": 0.7,
    "environment": 0.3,
    "tasks": 0.3,
    "store": 0.8,
}
"""What each step of the stop may take: five seconds in all (`architecture.md`, threads)."""


class Ready(msgspec.Struct, frozen=True):
    """What a run offers once it is up."""

    bridge: Bridge
    domains: Domains
    server: Server | None
    socket: InstanceSocket


class Run:
    """One run of the app for one configuration file."""

    def __init__(
        self,
        config_path: Path,
        *,
        make_server: Callable[[Domains], Server] | None,
        on_loop: Callable[[Callable[[], None]], None],
        on_show: Callable[[], bool],
    ) -> None:
        self.ready: Final[Future[Ready]] = Future()
        """Set when it is up, or with what kept it from coming up."""
        self._config_path: Final = config_path
        self._make_server: Final = make_server
        self._on_loop: Final = on_loop
        self._on_show: Final = on_show
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None

    def request_stop(self) -> None:
        """Stop, from any thread; again does nothing more."""
        if self._loop is not None and self._stop is not None:
            try:
                self._loop.call_soon_threadsafe(self._stop.set)
            except RuntimeError:
                return  # it has ended already

    async def main(self) -> None:
        """Come up, wait for the word to stop, and stop. The engine's main work."""
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        self._on_loop(self._stop.set)
        try:
            up = await self._come_up()
        except BaseException as error:
            self.ready.set_exception(error)
            raise
        self.ready.set_result(up)
        await self._stop.wait()
        await self._go_down(up)

    async def _come_up(self) -> Ready:
        async with AsyncExitStack() as undo:
            state = state_folder()
            self._environment = LoginEnvironment(state / "environment.json")
            self._environment.start()
            undo.callback(self._environment.close)
            leftovers = Leftovers(state / f"{instance_name(self._config_path)}.running.json")
            for process in await leftovers.end():
                logger.info("ended what an earlier run left: %s", process.command)
            reading = await _off_loop(self._read)
            domains = await compose(self._config_path, reading, self._environment, leftovers)
            undo.push_async_callback(domains.store.close)
            undo.push_async_callback(domains.supervisor.stop, 0.3)
            app = domains.app
            socket = InstanceSocket(self._config_path, domains.bridge, app.hub, self._on_show)
            await socket.start()
            undo.push_async_callback(socket.stop)
            server = None
            if self._make_server is not None:
                server = self._make_server(domains)
                await server.start()
            self._watch(domains)
            domains.supervisor.start(app.roster.watch_memory(), "memory")
            # It is up: from here on `_go_down` is the way to stop.
            undo.pop_all()
        return Ready(bridge=domains.bridge, domains=domains, server=server, socket=socket)

    def _watch(self, domains: Domains) -> None:
        changed = asyncio.Event()
        loop = asyncio.get_running_loop()

        def on_problem(problem: Problem | None) -> None:
            loop.call_soon_threadsafe(domains.show_watch, problem)

        watcher = ConfigWatcher(self._config_path, lambda: _post(loop, changed.set), on_problem)

        async def follow() -> None:
            try:
                await _off_loop(watcher.start)
                # Once more, for what was saved since the first reading, which nobody has told us
                # of, and for what only the login shell sets: a `$VAR` in a workspace.
                await self._environment.get()
                changed.set()
                while True:
                    await changed.wait()
                    changed.clear()
                    domains.take(await _off_loop(self._read))
            finally:
                watcher.stop()

        domains.supervisor.start(follow(), "configuration")

    def _read(self) -> Reading:
        return read_config(self._config_path, self._environment.merged())

    async def _go_down(self, up: Ready) -> None:
        app = up.domains.app
        up.bridge.close()
        await up.socket.stop()
        await _within("turns", lambda seconds: app.turns.close(seconds - 0.1))
        app.hub.close()
        await _within(
            "agents", lambda _: asyncio.gather(app.roster.stop_quickly(), app.doctor.close())
        )
        if (server := up.server) is not None:
            await _within("server", lambda seconds: server.stop(seconds - 0.1))
        await _within("environment", lambda _: _off_loop(self._environment.close))
        await _within("tasks", lambda seconds: up.domains.supervisor.stop(seconds))
        await _within("store", lambda _: up.domains.store.close())


def _post(loop: asyncio.AbstractEventLoop, function: Callable[[], object]) -> None:
    loop.call_soon_threadsafe(function)


async def _off_loop(work: Callable[[], Value]) -> Value:
    return await asyncio.get_running_loop().run_in_executor(None, work)


async def _within(step: str, work: Callable[[float], Awaitable[object]]) -> None:
    seconds = STOP_SECONDS[step]
    try:
        await asyncio.wait_for(work(seconds), seconds)
    except TimeoutError:
        logger.warning("stop: %s not done after %.1f s", step, seconds)
