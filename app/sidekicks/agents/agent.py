"""One agent: whether its program runs, why not, and what it is doing.

There is at most one program at a time, from the start to the end of its stop; others see it, as
`connection`, only while the agent is ready.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Literal, Protocol

from sidekicks.acp import AcpError, ConnectionEnded, PermissionAsked, Update
from sidekicks.agents.connection import Connection
from sidekicks.agents.log import AgentLog
from sidekicks.agents.words import say
from sidekicks.base.clock import Clock
from sidekicks.contract import state as contract
from sidekicks.contract.config import AgentConfig
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.ids import AgentId, ChannelId, TurnId
from sidekicks.runtimes import describe_place
from sidekicks.system import Leftovers

LifeState = Literal["stopped", "starting", "ready", "stopping", "failed"]


class AgentWatcher(Protocol):
    """Who is told what an agent does; all calls are inline, in the order of the wire."""

    def on_changed(self, agent: "Agent") -> None:
        """The agent's state changed."""
        ...

    def on_update(self, agent: "Agent", channel_id: ChannelId, update: Update) -> None:
        """The agent told something in a conversation."""
        ...

    def on_permission(self, agent: "Agent", channel_id: ChannelId, asked: PermissionAsked) -> None:
        """The agent asks."""
        ...

    def on_ended(self, agent: "Agent") -> None:
        """The agent's program is gone, and with it all its sessions."""
        ...

    def on_log(self, agent: "Agent", number: int) -> None:
        """The agent's log has grown."""
        ...


class Agent:
    """An agent as configured, running or not."""

    def __init__(
        self,
        config: AgentConfig,
        *,
        watcher: AgentWatcher,
        environment: Callable[[], Awaitable[dict[str, str]]],
        leftovers: Leftovers,
        clock: Clock,
    ) -> None:
        self.config = config
        self.next_config: AgentConfig | None = None
        """What the file says now, where a restart is needed for it."""
        self.leaving = False
        """Gone from the configuration; ends after its turn."""
        self.coming = False
        """A place was found for it; what gives it up may still be ending."""
        self.going = False
        """It gives up its place and is about to be stopped."""
        self.answering: TurnId | None = None
        self.asking = 0
        """Its open questions."""
        self.idle_since = 0.0
        self.memory: int | None = None
        self.children: tuple[str, ...] = ()
        """What it started and still runs, as last seen: while there is any it is not idle."""
        self.failure: contract.Failure | None = None
        self.log: Final = AgentLog(clock, lambda number: watcher.on_log(self, number))
        self._life: LifeState = "stopped"
        self._program: Connection | None = None
        self._offers_load = False
        self._watcher: Final = watcher
        self._environment: Final = environment
        self._leftovers: Final = leftovers
        self._clock: Final = clock
        self._starting: asyncio.Task[None] | None = None
        self._stopping: asyncio.Task[None] | None = None

    @property
    def agent_id(self) -> AgentId:
        """Its key in the configuration."""
        return self.config.agent_id

    @property
    def state(self) -> contract.AgentState:
        """Its state as the person sees it."""
        if self._life == "ready" and self.answering is not None:
            return "waiting" if self.asking else "working"
        if self._life == "ready" and self.going:
            return "stopping"
        if self._life in ("stopped", "failed") and self.coming:
            return "starting"
        return self._life

    @property
    def connection(self) -> Connection | None:
        """Its program, while that can be talked with."""
        return self._program if self._life == "ready" else None

    @property
    def offers_load(self) -> bool:
        """Whether it can reopen a session of before, as it said when it last started."""
        return self._offers_load

    @property
    def holds_place(self) -> bool:
        """Whether its program runs, comes or goes."""
        return self.coming or self._life in ("starting", "ready", "stopping")

    def shown(self) -> contract.Agent:
        """Return the agent as it goes to the page."""
        return contract.Agent(
            agent_id=self.agent_id,
            name=self.config.name,
            state=self.state,
            where=describe_place(self.config),
            runtime=self.config.runtime.type,
            converses=self.config.command is not None,
            workspace=str(self.config.workspace),
            failure=self.failure,
            restart_to_apply=self.next_config is not None,
            memory=self.memory if self._life == "ready" else None,
        )

    def connected(self) -> Connection:
        """Return the connection.

        Raises:
            SidekicksError: `unavailable`, with why there is none.
        """
        connection = self.connection
        if connection is None:
            if self.failure is not None:
                raise SidekicksError("unavailable", self.failure.message, failure=self.failure)
            raise SidekicksError("unavailable", say("stopped_meanwhile", name=self.config.name))
        return connection

    async def start(self) -> None:
        """Start the program, or join the start that is under way.

        Raises:
            SidekicksError: `unavailable` (or `sign_in`), with the `failure`, where it cannot start.
        """
        if self._stopping is not None:
            await asyncio.shield(self._stopping)
        if self._life == "ready":
            return
        if self._starting is None:
            self._starting = asyncio.get_running_loop().create_task(self._start())
            self._starting.add_done_callback(self._started)
        await asyncio.shield(self._starting)

    async def stop(self, *, quickly: bool = False) -> None:
        """End the program and all that it started, or join the stop that is under way."""
        if self._program is not None:
            self._program.hurry = quickly
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.wait([self._starting])
        if self._stopping is None:
            if self._program is None:
                self._become("stopped")
                return
            self._become("stopping")
            self.log.add("life", say("log_stop"))
            self._stopping = asyncio.get_running_loop().create_task(
                self._end(self._program, "stopped")
            )
        await asyncio.shield(self._stopping)

    async def sign_in(self, method_id: str) -> None:
        """Have the agent sign in; it may take the person as long as it takes.

        Raises:
            SidekicksError: `not_found` for another method, `unavailable` where it fails.
        """
        connection = self.connected()
        known = [method for method in connection.sign_in_methods if method.type == "agent"]
        if all(method.method_id != method_id for method in known):
            raise SidekicksError(
                "not_found", say("no_method", name=self.config.name, method=method_id)
            )
        try:
            await connection.client.authenticate(method_id)
        except AcpError as error:
            raise connection.refused("authenticate", error) from error
        except ConnectionEnded:
            raise connection.ended() from None
        self.fail(None)

    def fail(self, failure: contract.Failure | None) -> None:
        """Show (or no longer show) what is wrong with an agent that runs all the same."""
        if self.failure != failure:
            self.failure = failure
            self.touch()

    def close(self) -> None:
        """Let go of timers; a program that has not ended by now is killed."""
        self.log.close()
        if self._program is not None:
            self._program.kill()

    def touch(self) -> None:
        """Tell the watcher that something about the agent changed."""
        self._watcher.on_changed(self)

    async def _start(self) -> None:
        if self.next_config is not None:
            self.config, self.next_config = self.next_config, None
        self.failure = None
        self._become("starting")
        connection = Connection(
            self.config,
            self.log,
            self._leftovers,
            on_update=lambda channel_id, update: self._watcher.on_update(self, channel_id, update),
            on_permission=lambda channel_id, asked: self._watcher.on_permission(
                self, channel_id, asked
            ),
            on_crash=self._on_crash,
        )
        self._program = connection
        try:
            await connection.open(await self._environment())
        except SidekicksError as error:
            self._program = None
            self.failure = self._failure(error)
            self.log.add("life", say("log_failed", message=self.failure.message))
            self._become("failed")
            raise SidekicksError(error.code, error.message, failure=self.failure) from error
        except asyncio.CancelledError:
            self._program = None
            self._become("stopped")
            raise
        offers = connection.offers
        self._offers_load = offers.load_session or offers.session_capabilities.resume is not None
        self.idle_since = self._clock.monotonic()
        self._become("ready")

    def _started(self, starting: asyncio.Task[None]) -> None:
        self._starting = None
        if not starting.cancelled():
            # Whoever waits for the start gets the error; where nobody waits any more it is in
            # `failure`, and must not be reported as forgotten.
            starting.exception()

    def _on_crash(self) -> None:
        assert self._program is not None
        self.failure = self._program.failure
        self._become("failed")
        # What it started must not outlive it; the next start waits for that.
        self._stopping = asyncio.get_running_loop().create_task(self._end(self._program, "failed"))

    async def _end(self, program: Connection, then: LifeState) -> None:
        self.memory, self.children = None, ()
        await program.close()
        self._program = None
        self._watcher.on_ended(self)
        self._stopping = None
        self.going = False
        self._become(then)

    def _become(self, life: LifeState) -> None:
        if self._life != life:
            self._life = life
            self.touch()

    def _failure(self, error: SidekicksError) -> contract.Failure:
        """Return why it cannot start; what is below us gives a code, or the whole failure."""
        known = error.data.get("failure")
        if isinstance(known, contract.Failure):
            return known
        return contract.Failure(
            code=known or "bad_answer", message=error.message, stderr=self.log.stderr_tail()
        )
