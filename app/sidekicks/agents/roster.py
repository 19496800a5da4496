"""The roster: all agents of the configuration, and what is told about them.

It is the one watcher of every agent and passes on what belongs to others: text, tools and
questions to `conversation` (the turns), options and usage to the sessions.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final, Protocol

from sidekicks.acp import (
    AgentMessageChunk,
    CommandsUpdate,
    ConfigOptionsUpdate,
    ModeUpdate,
    PermissionAsked,
    SessionInfoUpdate,
    Update,
    UsageUpdate,
)
from sidekicks.agents.agent import Agent
from sidekicks.agents.connection import Look
from sidekicks.agents.places import Room, find_room
from sidekicks.agents.sessions import Sessions
from sidekicks.agents.words import say
from sidekicks.base.clock import Clock
from sidekicks.base.hub import Hub
from sidekicks.base.supervisor import Supervisor
from sidekicks.base.wake import WakeWatch
from sidekicks.contract.config import AgentConfig, Config
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.events import AgentChanged, AgentRemoved, CommandsChanged, LogAdded
from sidekicks.contract.ids import AgentId, ChannelId
from sidekicks.contract.state import SlashCommand
from sidekicks.system import Leftovers

MEMORY_SECONDS: Final = 2.0
MEMORY_STEP: Final = 1024 * 1024
"""A smaller change is not worth an event."""


class Conversation(Protocol):
    """What the roster passes on; the turns are it."""

    def on_update(self, agent: Agent, channel_id: ChannelId, update: Update) -> None:
        """The agent told something in a conversation."""
        ...

    def on_permission(self, agent: Agent, channel_id: ChannelId, asked: PermissionAsked) -> None:
        """The agent asks."""
        ...

    def on_ended(self, agent: Agent) -> None:
        """The agent's program is gone."""
        ...

    def on_free(self) -> None:
        """A place may have become free."""
        ...

    def on_wake(self) -> None:
        """The computer slept, and goes on."""
        ...


class Roster:
    """All agents, in the configuration's order."""

    def __init__(
        self,
        hub: Hub,
        clock: Clock,
        supervisor: Supervisor,
        environment: Callable[[], Awaitable[dict[str, str]]],
        leftovers: Leftovers,
        sessions: Sessions,
        save_commands: Callable[[AgentId, Sequence[SlashCommand]], None],
        commands: dict[AgentId, tuple[SlashCommand, ...]],
    ) -> None:
        self._hub: Final = hub
        self._clock: Final = clock
        self._supervisor: Final = supervisor
        self._environment: Final = environment
        self._leftovers: Final = leftovers
        self._save_commands: Final = save_commands
        self._commands: Final = commands
        self._agents: dict[AgentId, Agent] = {}
        self._told: dict[AgentId, AgentChanged] = {}
        self._conversation: Conversation | None = None
        self._opening: set[AgentId] = set()
        self.sessions: Final = sessions
        self.config = Config()

    def connect(self, conversation: Conversation) -> None:
        """Say who gets what agents tell in conversations."""
        self._conversation = conversation

    @property
    def agents(self) -> tuple[Agent, ...]:
        """All agents, in the configuration's order."""
        return tuple(self._agents.values())

    def get(self, agent_id: AgentId) -> Agent:
        """Return an agent.

        Raises:
            SidekicksError: `not_found`.
        """
        if (agent := self._agents.get(agent_id)) is None:
            raise SidekicksError("not_found", say("no_agent", agent=agent_id))
        return agent

    def get_conversing(self, agent_id: AgentId) -> Agent:
        """Return an agent that can be talked with.

        Raises:
            SidekicksError: `not_found`, or `unsupported` for an entry without `command`.
        """
        agent = self.get(agent_id)
        if agent.config.command is None:
            raise SidekicksError("unsupported", say("only_workspace", name=agent.config.name))
        return agent

    def find(self, agent_id: AgentId) -> Agent | None:
        """Return an agent, or null where the configuration no longer has it."""
        return self._agents.get(agent_id)

    def commands_of(self, agent_id: AgentId) -> tuple[SlashCommand, ...] | None:
        """Return the commands an agent last announced; null if it never did."""
        return self._commands.get(agent_id)

    def apply(self, config: Config) -> None:
        """Take over a configuration.

        An agent that runs and whose own entry changed is marked `restart_to_apply`; one whose entry
        is gone ends after its turn.
        """
        self.config = config
        entries = {entry.agent_id: entry for entry in config.agents}
        for agent in list(self._agents.values()):
            if agent.agent_id not in entries:
                self._leave(agent)
        known = self._agents
        self._agents = {agent_id: self._take(entry) for agent_id, entry in entries.items()}
        # Those that end after their turn are there until then.
        self._agents.update({i: a for i, a in known.items() if i not in self._agents})
        for agent in self._agents.values():
            self.on_changed(agent)

    async def start(self, agent: Agent) -> None:
        """Start an agent's program, making room if need be.

        Raises:
            SidekicksError: `unsupported` without a command, `busy` without a place, `unavailable`
                or `sign_in` where it cannot start.
        """
        self.get_conversing(agent.agent_id)
        room = self.take_room(agent)
        if room is None:
            names = ", ".join(a.config.name for a in self.agents if a.holds_place)
            count = self.config.max_running
            raise SidekicksError("busy", say("places_full", count=count, names=names))
        await self.start_in(agent, room)

    def take_room(self, agent: Agent) -> Room | None:
        """Take a place for an agent to run in, and return it; null where every place is busy.

        It is taken at once: while another agent ends to make room, nobody else gets that place.
        """
        room = find_room(self.agents, agent, self.config.max_running)
        if room is not None:
            agent.coming = True
            if room.stops is not None:
                room.stops.going = True
        return room

    async def start_in(self, agent: Agent, room: Room) -> None:
        """Start an agent's program in a place that was taken for it."""
        agent.touch()
        try:
            if room.stops is not None:
                await room.stops.stop()
            await agent.start()
        finally:
            agent.coming = False
            agent.touch()

    def open_sessions(self, agent_ids: Sequence[AgentId], channel_id: ChannelId) -> None:
        """Start agents one after the other and open their sessions, so that they tell commands.

        Nobody waits for this; an agent that finds no place, or fails, says so in its own row.
        """
        wanted = [agent for i in agent_ids if (agent := self.find(i)) and agent.config.command]
        new = [agent for agent in wanted if agent.agent_id not in self._opening]
        self._opening.update(agent.agent_id for agent in new)

        async def open_each() -> None:
            for agent in new:
                with suppress(SidekicksError):
                    await self.start(agent)
                    await self.sessions.enter(agent, channel_id)
                self._opening.discard(agent.agent_id)

        if new:
            self._supervisor.start(open_each(), f"open sessions in {channel_id}")

    async def stop_quickly(self) -> None:
        """End every agent's program: the app is about to end itself."""
        try:
            await asyncio.gather(*(agent.stop(quickly=True) for agent in self.agents))
        finally:
            # Also when the time for this is over: better killed than left.
            for agent in self.agents:
                agent.close()

    def after_turn(self, agent: Agent) -> None:
        """An agent's turn is over: it is idle from now on, or leaves."""
        agent.answering = None
        agent.idle_since = self._clock.monotonic()
        if agent.leaving:
            self._supervisor.start(self._remove(agent), f"remove {agent.agent_id}")
        else:
            agent.touch()

    async def watch_memory(self) -> None:
        """Measure the memory of what runs, and write down what it started, for ever."""
        watch = WakeWatch(self._clock)
        while True:
            await asyncio.sleep(MEMORY_SECONDS)
            if watch.woke() and self._conversation is not None:
                self._conversation.on_wake()
            self._leftovers.refresh()
            for agent in self.agents:
                if (connection := agent.connection) is None:
                    continue
                seen = await asyncio.get_running_loop().run_in_executor(None, connection.look)
                if agent.connection is connection:
                    self._note(agent, seen)

    def _note(self, agent: Agent, seen: Look) -> None:
        if abs(seen.memory - (agent.memory or 0)) >= MEMORY_STEP:
            agent.memory = seen.memory
            agent.touch()
        if bool(seen.children) != bool(agent.children) and self._conversation is not None:
            # It makes room from now on, or no longer.
            self._conversation.on_free()
        agent.children = seen.children

    # What agents call, inline and in order.

    def on_changed(self, agent: Agent) -> None:
        """Tell of an agent's state, if it is another than was told last."""
        event = AgentChanged(agent=agent.shown())
        if self._told.get(agent.agent_id) != event:
            self._told[agent.agent_id] = event
            self._hub.publish(event)
            if self._conversation is not None:
                self._conversation.on_free()

    def on_update(self, agent: Agent, channel_id: ChannelId, update: Update) -> None:
        """Hand an update to whom it belongs."""
        if type(update) is AgentMessageChunk and self._conversation is not None:
            # By the ten thousand, so it is not asked first whether it is something else.
            self._conversation.on_update(agent, channel_id, update)
            return
        match update:
            case CommandsUpdate():
                self._announce(agent, update)
            case UsageUpdate() | ConfigOptionsUpdate() | ModeUpdate():
                self.sessions.apply(agent, channel_id, update)
            case SessionInfoUpdate():
                # A title for the agent's own list of sessions; the person names conversations.
                return
            case _:
                if self._conversation is not None:
                    self._conversation.on_update(agent, channel_id, update)

    def on_permission(self, agent: Agent, channel_id: ChannelId, asked: PermissionAsked) -> None:
        """Hand on a question."""
        if self._conversation is None:
            asked.cancel()
        else:
            self._conversation.on_permission(agent, channel_id, asked)

    def on_ended(self, agent: Agent) -> None:
        """Hand on an end."""
        self.sessions.forget(agent)
        if self._conversation is not None:
            self._conversation.on_ended(agent)

    def on_log(self, agent: Agent, number: int) -> None:
        """Tell that a log has grown."""
        self._hub.publish(LogAdded(agent_id=agent.agent_id, next=number))

    def _announce(self, agent: Agent, update: CommandsUpdate) -> None:
        commands = tuple(
            SlashCommand(
                name=command.name,
                description=command.description,
                hint=command.input.hint if command.input else None,
            )
            for command in update.available_commands
        )
        if self._commands.get(agent.agent_id) != commands:
            self._commands[agent.agent_id] = commands
            self._save_commands(agent.agent_id, commands)
            self._hub.publish(CommandsChanged(agent_id=agent.agent_id, commands=commands))

    def _take(self, entry: AgentConfig) -> Agent:
        agent = self._agents.get(entry.agent_id)
        if agent is None:
            return Agent(
                entry,
                watcher=self,
                environment=self._environment,
                leftovers=self._leftovers,
                clock=self._clock,
            )
        agent.leaving = False
        if agent.holds_place:
            agent.next_config = None if agent.config == entry else entry
        else:
            agent.config = entry
            agent.next_config = None
        return agent

    def _leave(self, agent: Agent) -> None:
        agent.leaving = True
        if agent.answering is None:
            self._supervisor.start(self._remove(agent), f"remove {agent.agent_id}")

    async def _remove(self, agent: Agent) -> None:
        await agent.stop()
        if agent.leaving:
            agent.close()
            del self._agents[agent.agent_id]
            self._told.pop(agent.agent_id, None)
            self._hub.publish(AgentRemoved(agent_id=agent.agent_id))
