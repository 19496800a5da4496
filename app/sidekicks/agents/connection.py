"""One running program of an agent, with its JSON-RPC pipe and capabilities, until its end.

What the program sends is applied as it is read, with no await in between, so an answer comes after
all that was sent before it. Updates of a session whose id is not known yet (some agents send them
before they answer `session/new`) wait until it is. Whatever way `open` fails, nothing is left.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import msgspec

from sidekicks import __version__
from sidekicks.acp import (
    AUTH_REQUIRED,
    AcpError,
    AgentCapabilities,
    ClientConnection,
    ConnectionEnded,
    Initialized,
    PermissionAsked,
    Update,
)
from sidekicks.agents.early import EarlyUpdates
from sidekicks.agents.log import AgentLog
from sidekicks.agents.replays import Replays
from sidekicks.agents.sign_in import show_method
from sidekicks.agents.words import say
from sidekicks.base.words import language
from sidekicks.contract.config import AgentConfig
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.ids import ChannelId
from sidekicks.contract.state import Failure, FailureCode, SignInMethod
from sidekicks.runtimes import prepare_local
from sidekicks.system import Exit, Leftover, Leftovers, Process, start_process

PROTOCOL: Final = 1
ANSWER_SECONDS: Final = 60.0
"""For every request but `session/prompt` and `authenticate`."""
BUNDLED: Final = "sidekicks"
LANGUAGE: Final = "SIDEKICKS_LANGUAGE"
QUICKLY: Final = (0.5, 0.6)
"""Seconds to end at end of file, and after SIGTERM, when the app itself ends."""

Value = TypeVar("Value")


class Look(msgspec.Struct, frozen=True):
    """A process tree just now: bytes of memory, and the commands that the agent started."""

    memory: int
    children: tuple[str, ...]


class Connection:
    """A program that was started for an agent.

    Args:
        config: the agent's entry as it was at the start.
        log: the agent's.
        leftovers: where what runs is written down, for the start after a crash.
        on_update: told what the agent tells in a conversation.
        on_permission: told what the agent asks in a conversation.
        on_crash: told how the program ended, if it was not `close` that ended it.
    """

    def __init__(
        self,
        config: AgentConfig,
        log: AgentLog,
        leftovers: Leftovers,
        *,
        on_update: Callable[[ChannelId, Update], None],
        on_permission: Callable[[ChannelId, PermissionAsked], None],
        on_crash: Callable[[], None],
    ) -> None:
        self.config: Final = config
        self.replays: Final = Replays()
        self.early: Final = EarlyUpdates()
        self.failure: Failure | None = None
        """Why the program is gone, where it ended by itself."""
        self._log: Final = log
        self._leftovers: Final = leftovers
        self._on_update: Final = on_update
        self._on_permission: Final = on_permission
        self._on_crash: Final = on_crash
        self._channels: Final[dict[str, ChannelId]] = {}
        self._sessions: Final[dict[ChannelId, str]] = {}
        self._process: Process | None = None
        self._client: ClientConnection | None = None
        self._initialized: Initialized | None = None
        self._own: Final[set[tuple[int, float]]] = set()
        """The processes that are the agent itself, by pid and start."""
        self._closing = False
        self._ready = False
        self.hurry = False
        """The app itself ends: little time is given to end politely."""
        self.spawned_at: float | None = None
        self.answered_at: float | None = None
        """When the program ran and when it had answered `initialize`, by the loop's clock."""

    async def open(self, environment: dict[str, str]) -> None:
        """Start the program and shake hands.

        Raises:
            SidekicksError: `unavailable` (or `sign_in`), with the `failure`.
        """
        begun = asyncio.get_running_loop().time()
        launch = prepare_local(self.config, environment)
        self._log.add("life", say("log_start", command=" ".join(launch.argv), cwd=launch.cwd))
        process = await start_process(
            launch.argv,
            env={**launch.env, **self._language()},
            cwd=launch.cwd,
            on_stdout=self._on_stdout,
            on_stderr=self._log.add_stderr,
            on_exit=self._on_exit,
        )
        self._process = process
        self.spawned_at = asyncio.get_running_loop().time()
        self._leftovers.add(process)
        self._client = ClientConnection(process, self, self._log.add_frame)
        try:
            self._initialized = await self._shake_hands(self._client)
            self.answered_at = asyncio.get_running_loop().time()
            await self.settle()
        except (SidekicksError, asyncio.CancelledError):
            await self.close()
            raise
        self._ready = True
        seconds = asyncio.get_running_loop().time() - begun
        told = self._initialized.agent_info
        name = f"{told.name} {told.version}" if told else self.config.name
        self._log.add("life", say("log_ready", seconds=seconds, agent=name, version=PROTOCOL))

    async def close(self) -> tuple[Leftover, ...]:
        """End the program and all that it started; return what detached itself and was left."""
        self._closing = True
        if (process := self._process) is None:
            return ()
        left = await (process.stop(*QUICKLY) if self.hurry else process.stop())
        self._leftovers.remove(process)
        self._end()
        for leftover in left:
            self._log.add("life", say("log_left", command=leftover.command, pid=leftover.pid))
        return left

    def kill(self) -> None:
        """End the program at once, when there is no time to `close`."""
        if self._process is not None:
            self._process.kill()

    @property
    def client(self) -> ClientConnection:
        """The pipe.

        Raises:
            SidekicksError: `unavailable`, where the program is gone.
        """
        if self._client is None:
            raise self.ended()
        return self._client

    def look(self) -> "Look":
        """Measure the process tree; blocks for a moment, so not on the loop."""
        if (process := self._process) is None:
            return Look(0, ())
        started = [c for c in process.descendants() if (c.pid, c.created) not in self._own]
        return Look(process.memory(), tuple(child.command for child in started))

    async def settle(self) -> None:
        """Take what runs now for the agent itself, and only what comes later for its children.

        When it has started, that is a shim's real program or an interpreter; when a session has
        been opened, the MCP servers of that.
        """
        if (process := self._process) is not None:
            loop = asyncio.get_running_loop()
            now = await loop.run_in_executor(None, process.descendants)
            self._own.update((child.pid, child.created) for child in now)

    @property
    def initialized(self) -> Initialized | None:
        """What the agent told of itself; null before it did."""
        return self._initialized

    @property
    def exit(self) -> Exit | None:
        """How the program ended, once it has."""
        return None if self._process is None else self._process.exit

    @property
    def offers(self) -> AgentCapabilities:
        """What the agent says it can do."""
        told = self._initialized
        return AgentCapabilities() if told is None else told.agent_capabilities

    @property
    def sign_in_methods(self) -> tuple[SignInMethod, ...]:
        """The ways to sign in that the agent offers."""
        told = self._initialized
        methods = () if told is None else told.auth_methods
        return tuple(show_method(method, self.config) for method in methods)

    def session_of(self, channel_id: ChannelId) -> str | None:
        """Return the id of the session that is open for a conversation."""
        return self._sessions.get(channel_id)

    def leave_session(self, channel_id: ChannelId) -> None:
        """The next prompt of a conversation needs another session; this one may still tell."""
        self._sessions.pop(channel_id, None)

    def bind_session(self, session_id: str, channel_id: ChannelId) -> None:
        """From now on this session's updates belong to that conversation; early ones come now."""
        self._channels[session_id] = channel_id
        self._sessions[channel_id] = session_id
        for update in self.early.take(session_id):
            self._on_update(channel_id, update)

    async def request(self, method: str, answer: Awaitable[Value]) -> Value:
        """Wait for an answer of the agent, within the limit.

        Raises:
            SidekicksError: `unavailable` or `sign_in`, with a sentence that names the request.
        """
        try:
            return await asyncio.wait_for(answer, ANSWER_SECONDS)
        except TimeoutError:
            limit = int(ANSWER_SECONDS)
            message = say("no_answer", name=self.config.name, method=method, seconds=limit)
            raise self._error("no_answer", message) from None
        except AcpError as error:
            raise self.refused(method, error) from error
        except ConnectionEnded:
            raise self.ended() from None

    def refused(self, method: str, error: AcpError) -> SidekicksError:
        """Return an error answer of the agent in words."""
        name = self.config.name
        if error.code == AUTH_REQUIRED:
            named = ", ".join(method.name for method in self.sign_in_methods)
            sentence = say("sign_in", name=name, methods=f" ({named})" if named else "")
            return self._error("sign_in", sentence)
        return self._error(
            "bad_answer",
            say("bad_answer", name=name, method=method, message=error.summary, code=error.code),
        )

    def explain(self, method: str, error: Exception) -> SidekicksError:
        """Return in words why a request came to nothing."""
        match error:
            case SidekicksError():
                return error
            case AcpError():
                return self.refused(method, error)
            case _:
                return self.ended()

    def ended(self) -> SidekicksError:
        """Return why the program is gone, in words."""
        if self.failure is not None:
            return SidekicksError("unavailable", self.failure.message, failure=self.failure)
        return SidekicksError("unavailable", say("stopped_meanwhile", name=self.config.name))

    # What the pipe calls, inline and in order.

    def on_update(self, session_id: str, update: Update) -> None:
        """Hand an update to its conversation."""
        if self.replays.hides(session_id, update):
            return
        channel_id = self._channels.get(session_id)
        if channel_id is not None:
            self._on_update(channel_id, update)
        else:
            self.early.keep(session_id, update)

    def on_permission(self, asked: PermissionAsked) -> None:
        """Hand a question to its conversation; one of a session that we do not know is refused."""
        channel_id = self._channels.get(asked.session_id)
        if channel_id is None:
            asked.cancel()
        else:
            self._on_permission(channel_id, asked)

    def on_noise(self, text: str) -> None:
        """Keep a line that is no message."""
        self._log.add("noise", text)

    async def _shake_hands(self, client: ClientConnection) -> Initialized:
        told = await self.request("initialize", client.initialize("Sidekicks", __version__))
        if told.protocol_version != PROTOCOL:
            sentence = say(
                "wrong_protocol",
                name=self.config.name,
                theirs=told.protocol_version,
                ours=PROTOCOL,
            )
            raise self._error("wrong_protocol", sentence)
        return told

    def _language(self) -> dict[str, str]:
        """Return what has the bundled agent speak the language that is set in the app."""
        return {LANGUAGE: language()} if self.config.command == BUNDLED else {}

    def _on_stdout(self, data: bytes) -> None:
        if self._client is not None:
            self._client.feed(data)

    def _on_exit(self, exit_: Exit) -> None:
        self._log.end_stderr()
        self._log.add("life", say("log_exit", exit=exit_.text))
        if not self._closing:
            sentence = say("crashed", name=self.config.name, exit=exit_.text)
            self.failure = Failure(code="crashed", message=sentence, stderr=self._log.stderr_tail())
        self._end()
        if self._ready and not self._closing:
            self._on_crash()

    def _end(self) -> None:
        """Fail what is pending; an agent's questions are withdrawn with it."""
        self.replays.close()
        client, self._client = self._client, None
        if client is not None:
            client.end()

    def _error(self, code: FailureCode, message: str) -> SidekicksError:
        failure = Failure(
            code=code,
            message=message,
            stderr=self._log.stderr_tail(),
            methods=self.sign_in_methods if code == "sign_in" else (),
        )
        kind = "sign_in" if code == "sign_in" else "unavailable"
        return SidekicksError(kind, message, failure=failure)
