"""The ACP sessions: one per agent and conversation, with what the agent offers there."""

from collections.abc import Sequence
from typing import Final

from sidekicks.acp import (
    ConfigOptionsUpdate,
    ModeUpdate,
    UsageUpdate,
)
from sidekicks.agents.agent import Agent
from sidekicks.agents.options import offered_by, options_of, with_value
from sidekicks.agents.words import say
from sidekicks.base.hub import Hub
from sidekicks.contract import state
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.events import SessionChanged
from sidekicks.contract.ids import AgentId, ChannelId


class Sessions:
    """What is known of each open session."""

    def __init__(self, hub: Hub) -> None:
        self._hub: Final = hub
        self._open: dict[tuple[ChannelId, AgentId], state.Session] = {}

    @property
    def open(self) -> tuple[state.Session, ...]:
        """The sessions of the agents that run."""
        return tuple(self._open.values())

    async def enter(self, agent: Agent, channel_id: ChannelId) -> str:
        """Return the id of the agent's session for a conversation, opening it at the first time.

        Raises:
            SidekicksError: `unavailable` or `sign_in`.
        """
        connection = agent.connected()
        if (session_id := connection.session_of(channel_id)) is not None:
            return session_id
        config = connection.config
        opened = await connection.request(
            "session/new",
            connection.client.new_session(str(config.workspace), config.mcp_servers),
        )
        self._put(agent, channel_id, options=offered_by(opened))
        connection.bind_session(opened.session_id, channel_id)
        return opened.session_id

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
                self._put(
                    agent, channel_id, options=with_value(known, "mode", update.current_mode_id)
                )

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
        self._put(agent, channel_id, options=with_value(known, option_id, value))

    def forget(self, agent: Agent) -> None:
        """Close the sessions of an agent whose program is gone: nothing can be changed there."""
        for channel_id, agent_id in list(self._open):
            if agent_id == agent.agent_id:
                self._put(agent, channel_id, options=())

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
            self._publish(session)

    def _publish(self, session: state.Session) -> None:
        self._hub.publish(
            SessionChanged(
                channel_id=session.channel_id,
                agent_id=session.agent_id,
                options=session.options,
                usage=session.usage,
            )
        )
