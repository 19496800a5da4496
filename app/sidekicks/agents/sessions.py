"""The ACP sessions: one per agent and conversation, with what the agent offers there.

What is known of a session outlives its program: at the next start the agent is asked to load or
resume it; where that cannot be or fails, a new one is opened. The stored id is kept until another
is there. The mark says up to where the agent was told (`product.md` 4, 5).
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal, TypeGuard

import msgspec

from sidekicks.acp import ConfigOptionsUpdate, ModeUpdate, SessionOpened, UsageUpdate
from sidekicks.agents.agent import Agent
from sidekicks.agents.connection import Connection
from sidekicks.agents.options import offered_by, options_of, with_value
from sidekicks.agents.quirks import breaks_session
from sidekicks.agents.words import say
from sidekicks.base.hub import Hub
from sidekicks.contract import state
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.events import SessionChanged
from sidekicks.contract.ids import AgentId, ChannelId
from sidekicks.store import SessionRow

How = Literal["session", "load", "new"]


class Sessions:
    """What is known of each session.

    Args:
        hub: where changes are told.
        stored: the sessions of earlier runs.
        save: stores a session.
    """

    def __init__(
        self, hub: Hub, stored: Iterable[SessionRow], save: Callable[[SessionRow], None]
    ) -> None:
        self._hub: Final = hub
        self._save: Final = save
        self._known: Final = {(row.channel_id, row.agent_id): row for row in stored}
        self._open: dict[tuple[ChannelId, AgentId], state.Session] = {}
        self._entering: Final[dict[tuple[ChannelId, AgentId], asyncio.Lock]] = {}
        self._broken: Final[set[str]] = set()
        """The ACP ids of sessions that nothing more can be said in."""

    @property
    def open(self) -> tuple[state.Session, ...]:
        """What agents offered in the sessions of this run."""
        return tuple(self._open.values())

    def known(self, channel_id: ChannelId, agent_id: AgentId) -> SessionRow | None:
        """Return a session, open or of before."""
        return self._known.get((channel_id, agent_id))

    def how(self, agent: Agent, channel_id: ChannelId) -> How:
        """Return how the agent's next prompt in a conversation gets its session."""
        connection = agent.connection
        if connection is not None and connection.session_of(channel_id) is not None:
            return "session"
        known = self.known(channel_id, agent.agent_id)
        return "load" if self._can_reopen(known) and agent.offers_load else "new"

    async def enter(self, agent: Agent, channel_id: ChannelId) -> str:
        """Return the id of the agent's session for a conversation, opening it at the first time.

        Raises:
            SidekicksError: `unavailable` or `sign_in`.
        """
        # The first slash opens the session that the first answer uses, which may come at once.
        async with self._entering.setdefault((channel_id, agent.agent_id), asyncio.Lock()):
            connection = agent.connected()
            if (session_id := connection.session_of(channel_id)) is not None:
                return session_id
            with connection.early.opening():
                return await self._open_session(agent, connection, channel_id)

    async def _open_session(
        self, agent: Agent, connection: Connection, channel_id: ChannelId
    ) -> str:
        known = self.known(channel_id, agent.agent_id)
        if self._can_reopen(known) and await self._reopen(agent, connection, known):
            return known.acp_session_id
        config = connection.config
        opened = await connection.request(
            "session/new",
            connection.client.new_session(str(config.workspace), config.mcp_servers),
        )
        self._remember(
            SessionRow(
                channel_id=channel_id,
                agent_id=agent.agent_id,
                acp_session_id=opened.session_id,
            )
        )
        agent.log.add("life", say("log_session_new", session=opened.session_id))
        self._bind(agent, connection, channel_id, opened)
        await connection.settle()
        return opened.session_id

    def told(self, channel_id: ChannelId, agent_id: AgentId, position: int) -> None:
        """The agent was told everything up to a position, with an ordinary prompt."""
        known = self._known[channel_id, agent_id]
        self._remember(msgspec.structs.replace(known, mark=position, fresh=False))

    def stop_failed(self, agent: Agent, channel_id: ChannelId, error: Exception) -> None:
        """A stopped turn was answered with an error: for some agents its session is over."""
        connection, known = agent.connection, self.known(channel_id, agent.agent_id)
        if connection is None or known is None or connection.initialized is None:
            return
        if breaks_session(connection.initialized.agent_info, error):
            connection.leave_session(channel_id)
            self._broken.add(known.acp_session_id)
            agent.log.add("life", say("log_session_broken", session=known.acp_session_id))

    def apply(
        self,
        agent: Agent,
        channel_id: ChannelId,
        update: UsageUpdate | ConfigOptionsUpdate | ModeUpdate,
    ) -> None:
        """Take in what the agent tells about its session."""
        match update:
            case UsageUpdate():
                usage = state.Usage(used=update.used or 0, size=update.size)
                self._put(agent, channel_id, usage=usage)
            case ConfigOptionsUpdate():
                self._put(agent, channel_id, options=options_of(update.config_options))
            case ModeUpdate():
                known = self._get(agent, channel_id).options
                options = with_value(known, "mode", update.current_mode_id)
                self._put(agent, channel_id, options=options)

    async def set_option(
        self, agent: Agent, channel_id: ChannelId, option_id: str, value: str | bool
    ) -> None:
        """Change an option, and take in what the agent then offers.

        Raises:
            SidekicksError: `unavailable` without a session, `not_found` for another option.
        """
        connection = agent.connection
        session_id = connection.session_of(channel_id) if connection else None
        if session_id is None or connection is None:
            raise SidekicksError("unavailable", say("no_session", name=agent.config.name))
        known = self._get(agent, channel_id).options
        option = next((option for option in known if option.option_id == option_id), None)
        if option is None:
            raise SidekicksError("not_found", say("no_option", option=option_id))
        client, request = connection.client, connection.request
        if option.source == "config":
            answer = client.set_config_option(session_id, option_id, value)
            offered = await request("session/set_config_option", answer)
            self._put(agent, channel_id, options=options_of(offered))
            return
        if option.source == "mode":
            await request("session/set_mode", client.set_mode(session_id, str(value)))
        else:
            await request("session/set_model", client.set_model(session_id, str(value)))
        # What is known now: the agent may have told of other options before it answered.
        known = self._get(agent, channel_id).options
        self._put(agent, channel_id, options=with_value(known, option_id, value))

    def forget(self, agent: Agent) -> None:
        """Close the sessions of an agent whose program is gone: nothing can be changed there."""
        for channel_id, agent_id in list(self._open):
            if agent_id == agent.agent_id:
                self._put(agent, channel_id, options=())

    def _can_reopen(self, known: SessionRow | None) -> TypeGuard[SessionRow]:
        return known is not None and known.acp_session_id not in self._broken

    async def _reopen(self, agent: Agent, connection: Connection, known: SessionRow) -> bool:
        """Load or resume a session of before; false where that cannot be, or failed."""
        session_id, config = known.acp_session_id, connection.config
        folder, servers = str(config.workspace), config.mcp_servers
        client = connection.client
        if connection.offers.load_session:
            method, answer = "session/load", client.load_session(session_id, folder, servers)
        elif connection.offers.session_capabilities.resume is not None:
            method, answer = "session/resume", client.resume_session(session_id, folder, servers)
        else:
            return False
        connection.replays.begin(session_id)
        try:
            opened = await connection.request(method, answer)
            await connection.replays.end(session_id)
        except SidekicksError as error:
            connection.replays.drop(session_id)
            if agent.connection is not connection:
                raise
            agent.log.add("life", say("log_session_lost", message=error.message))
            return False
        agent.log.add("life", say("log_session_loaded", session=session_id))
        self._bind(agent, connection, known.channel_id, opened)
        await connection.settle()
        return True

    def _bind(
        self, agent: Agent, connection: Connection, channel_id: ChannelId, opened: SessionOpened
    ) -> None:
        self._put(agent, channel_id, options=offered_by(opened))
        connection.bind_session(opened.session_id, channel_id)

    def _remember(self, row: SessionRow) -> None:
        self._known[row.channel_id, row.agent_id] = row
        self._save(row)

    def _get(self, agent: Agent, channel_id: ChannelId) -> state.Session:
        key = (channel_id, agent.agent_id)
        return self._open.get(key) or state.Session(channel_id=channel_id, agent_id=agent.agent_id)

    def _put(
        self,
        agent: Agent,
        channel_id: ChannelId,
        *,
        options: Sequence[state.SessionOption] | None = None,
        usage: state.Usage | None = None,
    ) -> None:
        known = self._get(agent, channel_id)
        session = state.Session(
            channel_id=channel_id,
            agent_id=agent.agent_id,
            options=known.options if options is None else tuple(options),
            usage=usage or known.usage,
        )
        if session != known:
            self._open[channel_id, agent.agent_id] = session
            self._hub.publish(
                SessionChanged(
                    channel_id=session.channel_id,
                    agent_id=session.agent_id,
                    options=session.options,
                    usage=session.usage,
                )
            )
