"""One agent, really started, and its story as it goes, up to the end of all that it started.

Each step has its limit. The first that fails ends the story, and what the agent wrote is shown with
it; what it wrote and how it ended are told in any case.
"""

import asyncio
from typing import Final, Literal

import msgspec

from sidekicks.acp import CommandsUpdate, PermissionAsked, SessionOpened, Update
from sidekicks.agents.connection import Connection
from sidekicks.agents.doctor.preparation import Surroundings, named_values, prepare
from sidekicks.agents.doctor.told import show_agent, show_session, show_sign_in
from sidekicks.agents.doctor.words import say
from sidekicks.agents.log import AgentLog
from sidekicks.base.clock import Clock
from sidekicks.base.findings import FindingList, worst
from sidekicks.base.sharing import secret_values
from sidekicks.contract.config import AgentConfig
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.ids import ChannelId
from sidekicks.contract.results import AgentFindings
from sidekicks.contract.state import Failure
from sidekicks.system import Leftovers

CHANNEL: Final = ChannelId("doctor")
"""The conversation that the session would belong to, if it belonged to one."""
LATE_SECONDS: Final = 2.0
"""A program that takes longer to end did so by a signal, even where it then says otherwise."""
SHOWN_LINES: Final = 10


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds: for an answer, for announcing commands, for removing a session, for the disk."""

    answer: float = 15.0
    commands: float = 2.0
    removal: float = 5.0
    disk: float = 5.0


class Examination:
    """One look at one agent."""

    def __init__(
        self,
        config: AgentConfig,
        around: Surroundings,
        leftovers: Leftovers,
        clock: Clock,
        limits: Limits,
    ) -> None:
        self._config: Final = config
        self._around: Final = around
        self._limits: Final = limits
        self._secrets: Final = secret_values(named_values(config, around.environment))
        self._found: Final = FindingList(self._secrets)
        self._log: Final = AgentLog(clock, lambda _: None)
        self._announced: tuple[str, ...] | None = None
        self._heard: Final = asyncio.Event()
        """The agent announced its commands, or is gone."""
        self._connection: Final = Connection(
            config,
            self._log,
            leftovers,
            on_update=self._on_update,
            on_permission=self._on_permission,
            on_crash=self._heard.set,
        )

    async def run(self) -> AgentFindings:
        """Look, and return what was found. Cancelled, it ends the program first."""
        try:
            if await self._prepare():
                await self._examine()
        finally:
            self._log.close()
        findings = self._found.all
        return AgentFindings(
            agent_id=self._config.agent_id,
            name=self._config.name,
            level=worst(finding.level for finding in findings),
            findings=findings,
            methods=self._connection.sign_in_methods,
        )

    def hurry(self) -> None:
        """Give the program little time to end politely."""
        self._connection.hurry = True

    def kill(self) -> None:
        """End the program at once."""
        self._connection.kill()

    async def _prepare(self) -> bool:
        # On a thread: a folder on another computer may never answer.
        before = FindingList(self._secrets)
        looking = asyncio.to_thread(prepare, self._config, self._around, before)
        try:
            ready = await asyncio.wait_for(looking, self._limits.disk)
        except TimeoutError:
            limit, folder = f"{self._limits.disk:g}", self._config.workspace
            sentence = say("disk_silent", seconds=limit, folder=folder)
            self._found.add("workspace", "problem", sentence, failure="workspace_no_access")
            return False
        self._found.extend(before.all)
        return ready

    async def _examine(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            well = await self._open() and await self._talk()
        finally:
            begun = loop.time()
            left = await self._connection.close()
        self._show_writing(well)
        # Where it did not come up, it has been ended by now.
        answered = self._connection.answered_at is not None
        self._show_end(loop.time() - begun if answered else None)
        if left:
            lines = [f"{process.command} (pid {process.pid})" for process in left]
            self._found.add("left", "note", say("left"), details=lines)

    async def _open(self) -> bool:
        """Start the program and shake hands."""
        connection, begun = self._connection, asyncio.get_running_loop().time()
        problem: SidekicksError | Literal["late"] | None = None
        try:
            async with asyncio.timeout(self._limits.answer):
                await connection.open(self._around.environment)
        except TimeoutError:
            problem = "late"
        except SidekicksError as error:
            problem = error
        if connection.spawned_at is not None:
            seconds = connection.spawned_at - begun
            self._found.add("start", "ok", say("spawned"), seconds=seconds)
        if problem == "late":
            self._add_silence("initialize", "no_initialize", "no_initialize_advice")
        elif problem is not None:
            code = "start" if connection.spawned_at is None else "initialize"
            self._add_failure(code, problem)
        elif connection.spawned_at is not None and connection.answered_at is not None:
            seconds = connection.answered_at - connection.spawned_at
            self._found.add("initialize", "ok", say("answered"), seconds=seconds)
        return problem is None

    async def _talk(self) -> bool:
        """Have it say who it is, and open a session; true if that went well."""
        if (told := self._connection.initialized) is not None:
            show_agent(self._config.name, told, self._found)
        with self._connection.early.opening():
            opened = await self._open_session()
            if opened is None:
                return False
            await self._wait_for_commands(opened.session_id)
        await self._remove_session(opened.session_id)
        return self._connection.failure is None

    async def _open_session(self) -> SessionOpened | None:
        connection, loop = self._connection, asyncio.get_running_loop()
        begun = loop.time()
        methods = connection.sign_in_methods
        try:
            async with asyncio.timeout(self._limits.answer):
                servers = self._config.mcp_servers
                asked = connection.client.new_session(str(self._config.workspace), servers)
                opened = await connection.request("session/new", asked)
        except TimeoutError:
            self._add_silence("session", "no_session", "no_session_advice")
        except SidekicksError as error:
            if error.code == "sign_in":
                show_sign_in(methods, wanted=True, found=self._found)
            else:
                self._add_failure("session", error)
        else:
            show_session(opened, loop.time() - begun, self._found)
            show_sign_in(methods, wanted=False, found=self._found)
            return opened
        return None

    async def _wait_for_commands(self, session_id: str) -> None:
        self._connection.bind_session(session_id, CHANNEL)
        try:
            async with asyncio.timeout(self._limits.commands):
                await self._heard.wait()
        except TimeoutError:
            sentence = say("no_commands", seconds=f"{self._limits.commands:g}")
            self._found.add("commands", "ok", sentence)
            return
        if (names := self._announced) is not None:
            details = [f"/{name}" for name in names]
            self._found.add("commands", "ok", say("commands", count=len(names)), details=details)

    async def _remove_session(self, session_id: str) -> None:
        connection = self._connection
        offers = connection.offers.session_capabilities
        try:
            async with asyncio.timeout(self._limits.removal):
                client = connection.client
                if offers.delete is not None:
                    await connection.request("session/delete", client.delete_session(session_id))
                elif offers.close is not None:
                    await connection.request("session/close", client.close_session(session_id))
                else:
                    self._found.add("session_left", "note", say("session_left"))
        except (TimeoutError, SidekicksError) as error:
            if connection.failure is None:
                reason = error.message if isinstance(error, SidekicksError) else ""
                sentence = say("session_not_removed", message=reason)
                self._found.add("session_left", "note", sentence)

    def _show_writing(self, well: bool) -> None:
        entries, _ = self._log.since(0, frames=False)
        noise = [entry.text for entry in entries if entry.kind == "noise"]
        if noise:
            self._found.add(
                "noise",
                "note",
                say("noise", count=len(noise)),
                advice=say("noise_advice"),
                details=noise[:SHOWN_LINES],
            )
        if tail := self._log.stderr_tail():
            level = "ok" if well else "note"
            self._found.add("stderr", level, say("wrote"), details=tail.splitlines()[-SHOWN_LINES:])

    def _show_end(self, seconds: float | None) -> None:
        exit_ = self._connection.exit
        if exit_ is None:
            return
        if self._connection.failure is not None:
            # Before it had answered, that was told in its place.
            if self._connection.answered_at is not None:
                sentence = say("crashed", exit=exit_.text)
                self._found.add("exit", "problem", sentence, failure="crashed")
        elif exit_.signal is not None or (seconds or 0) >= LATE_SECONDS:
            sentence = say("ended_late", exit=exit_.text)
            self._found.add("exit", "note", sentence, seconds=seconds)
        else:
            self._found.add("exit", "ok", say("ended", exit=exit_.text), seconds=seconds)

    def _add_silence(self, code: str, sentence: str, advice: str) -> None:
        limit = f"{self._limits.answer:g}"
        self._found.add(
            code, "problem", say(sentence, seconds=limit), advice=say(advice), failure="no_answer"
        )

    def _add_failure(self, code: str, error: SidekicksError) -> None:
        known = error.data.get("failure")
        failure = known.code if isinstance(known, Failure) else known
        exit_ = self._connection.exit
        if failure == "crashed" and exit_ is not None:
            if self._connection.answered_at is None:
                sentence = say("ended_early", exit=exit_.text)
                advice = say("ended_early_advice")
                self._found.add(code, "problem", sentence, advice=advice, failure=failure)
            # Later, how it ended is told at the end.
            return
        self._found.add(code, "problem", error.message, failure=failure)

    def _on_permission(self, _: ChannelId, asked: PermissionAsked) -> None:
        asked.cancel()

    def _on_update(self, _: ChannelId, update: Update) -> None:
        if isinstance(update, CommandsUpdate):
            self._announced = tuple(command.name for command in update.available_commands)
            self._heard.set()
