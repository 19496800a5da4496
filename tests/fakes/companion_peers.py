"""A person who talks with the bundled agent, in this process or with the real program."""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from sidekicks.acp import (
    AgentConnection,
    AgentMessageChunk,
    AgentThoughtChunk,
    ClientConnection,
    CommandsUpdate,
    ConfigOption,
    ConfigOptionsUpdate,
    ContentBlock,
    PermissionAsked,
    PlanUpdate,
    TextContent,
    ToolCallUpdate,
    Update,
)
from sidekicks.acp.connection import OnFrame
from sidekicks.base.supervisor import Supervisor
from sidekicks.companion.agent import Companion
from sidekicks.companion.chat import Limits
from sidekicks.companion.models import Models
from sidekicks.companion.servers import servers_from

WAIT_SECONDS = 20.0
PATIENT = Limits()
NO_MODEL = {"SIDEKICKS_MODEL_URL": "none"}


class MemoryPipe:
    """The way to a peer in the same process; what is written arrives a moment later."""

    def __init__(self) -> None:
        self.feed: Callable[[bytes], None] = lambda _: None

    def write(self, data: bytes) -> None:
        asyncio.get_running_loop().call_soon(lambda: self.feed(data))

    async def drain(self) -> None:
        await asyncio.sleep(0)


class Person:
    """A client with one session, that keeps what it was told.

    Questions are answered with `answer`, an option's id; null leaves them open.
    """

    def __init__(self, answer: str | None = "allow") -> None:
        self.answer = answer
        self.updates: list[Update] = []
        self.asked: list[PermissionAsked] = []
        self.noise: list[str] = []
        self.options: tuple[ConfigOption, ...] = ()
        self._connection: ClientConnection | None = None
        self._session_id = ""
        self._told = asyncio.Event()

    @property
    def connection(self) -> ClientConnection:
        assert self._connection is not None
        return self._connection

    async def open_session(self, connection: ClientConnection, folder: Path) -> None:
        """Say hello and open a session in the folder."""
        self._connection, self._session_id = connection, ""
        self.updates.clear()
        await connection.initialize("test", "1")
        opened = await connection.new_session(str(folder))
        self._session_id = opened.session_id
        self.options = opened.config_options or ()
        await self.until(lambda: any(isinstance(u, CommandsUpdate) for u in self.updates))

    async def say(self, *blocks: str | ContentBlock) -> str:
        """Send a prompt and return the turn's stop reason."""
        self.updates.clear()
        prompt = [TextContent(text=b) if isinstance(b, str) else b for b in blocks]
        async with asyncio.timeout(WAIT_SECONDS):
            return (await self.connection.prompt(self._session_id, prompt)).stop_reason

    def stop(self) -> None:
        """Stop the turn, as the protocol wants it: open questions are answered with cancelled."""
        self.connection.cancel(self._session_id)
        for question in self.asked:
            question.cancel()

    async def choose(self, value: str) -> None:
        """Choose a model."""
        self.options = await self.connection.set_config_option(self._session_id, "model", value)

    async def close_session(self) -> None:
        """End the session."""
        await self.connection.close_session(self._session_id)

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until the condition holds, looking after each thing that is told."""
        async with asyncio.timeout(WAIT_SECONDS):
            while not condition():
                self._told.clear()
                await self._told.wait()

    def on_update(self, session_id: str, update: Update) -> None:
        assert session_id == self._session_id or not self._session_id
        self.updates.append(update)
        if isinstance(update, ConfigOptionsUpdate):
            self.options = update.config_options
        self._told.set()

    def on_permission(self, asked: PermissionAsked) -> None:
        self.asked.append(asked)
        self._told.set()
        if self.answer is not None:
            asked.select(self.answer)

    def on_noise(self, text: str) -> None:
        self.noise.append(text)

    @property
    def text(self) -> str:
        """What the agent said in the last turn."""
        return "".join(
            update.content.text
            for update in self.updates
            if isinstance(update, AgentMessageChunk) and isinstance(update.content, TextContent)
        )

    @property
    def thoughts(self) -> str:
        """What was thought in the last turn."""
        return "".join(
            update.content.text
            for update in self.updates
            if isinstance(update, AgentThoughtChunk) and isinstance(update.content, TextContent)
        )

    @property
    def tools(self) -> dict[str, list[str]]:
        """Title of each tool call of the last turn -> the states it went through."""
        titles: dict[str, str] = {}
        states: dict[str, list[str]] = {}
        for update in self.updates:
            if isinstance(update, ToolCallUpdate):
                title = titles.setdefault(update.tool_call_id, update.title or "")
                states.setdefault(title, []).append(update.status or "")
        return states

    @property
    def plans(self) -> list[list[tuple[str, str]]]:
        """The plans of the last turn: each a list of (step, status)."""
        return [
            [(entry.content, entry.status) for entry in update.entries]
            for update in self.updates
            if isinstance(update, PlanUpdate)
        ]


@asynccontextmanager
async def meet(
    folder: Path,
    environment: dict[str, str] | None = None,
    *,
    answer: str | None = "allow",
    limits: Limits = PATIENT,
) -> AsyncGenerator[Person]:
    """Open a session with the agent, in this process; without an environment there is no model."""
    environment = environment or NO_MODEL
    models = Models(servers_from(environment), environment.get("SIDEKICKS_MODEL", ""))
    failures: list[str] = []
    supervisor = Supervisor(lambda name, _: failures.append(name))
    companion = Companion(models, limits, pace=0)
    person = Person(answer)
    to_agent, to_client = MemoryPipe(), MemoryPipe()
    agent = AgentConnection(to_client, companion, supervisor, person.on_noise)
    client = ClientConnection(to_agent, person)
    to_agent.feed, to_client.feed = agent.feed, client.feed
    companion.connect(agent)
    try:
        await person.open_session(client, folder)
        yield person
    finally:
        agent.end()
        client.end()
        await supervisor.stop(WAIT_SECONDS)
        await companion.close(WAIT_SECONDS)
    assert not failures
    assert not person.noise


PROGRAM = (sys.executable, "-c", "from sidekicks.companion import run; raise SystemExit(run())")


class _Stdin:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        self.write = process.stdin.write
        self.drain = process.stdin.drain


@asynccontextmanager
async def run_program(
    folder: Path,
    environment: dict[str, str] | None = None,
    *,
    answer: str | None = "allow",
    on_frame: OnFrame | None = None,
) -> AsyncGenerator[tuple[Person, asyncio.subprocess.Process]]:
    """Open a session with the real program; at the end it must leave upon the end of its stdin.

    Its stderr is the test's own, so that what goes wrong in it is seen.
    """
    process = await asyncio.create_subprocess_exec(
        *PROGRAM,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=os.environ | {"SIDEKICKS_LANGUAGE": "en"} | (environment or NO_MODEL),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    person = Person(answer)
    client = ClientConnection(_Stdin(process), person, on_frame)

    async def read(stdout: asyncio.StreamReader) -> None:
        while data := await stdout.read(65536):
            client.feed(data)
        client.end()

    reading = asyncio.create_task(read(process.stdout))
    try:
        await person.open_session(client, folder)
        yield person, process
        process.stdin.close()
        assert await asyncio.wait_for(process.wait(), WAIT_SECONDS) == 0
        await asyncio.wait_for(reading, WAIT_SECONDS)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        reading.cancel()
        await asyncio.wait({reading})
        process.stdin.close()
    assert not person.noise, "stdout held something that is no message"
