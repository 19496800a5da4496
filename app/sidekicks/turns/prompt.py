"""What a prompt says: what the agent has not seen, then the message; a command goes alone."""

from collections.abc import Mapping

import msgspec

from sidekicks.acp import TextContent
from sidekicks.agents import Agent, Roster
from sidekicks.channels import Channels, Recap, command_for, is_command
from sidekicks.contract.ids import AgentId, ChannelId, MessageId
from sidekicks.contract.parts import TextPart
from sidekicks.contract.state import Message


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt for a session. `told_to` is the position it tells the agent up to; null: no mark."""

    session_id: str
    blocks: tuple[TextContent, ...]
    told_to: int | None


async def make_prompt(
    agent: Agent, asked: Message, *, roster: Roster, channels: Channels
) -> Prompt:
    """Return the prompt for the person's message, in the agent's session, opened if need be.

    Raises:
        SidekicksError: `unavailable` or `sign_in`, where there is no session.
    """
    channel_id, text = asked.channel_id, text_of(asked)
    session_id = await roster.sessions.enter(agent, channel_id)
    if is_command(text, as_text=asked.as_text):
        command = TextContent(text=command_for(text, agent.agent_id))
        return Prompt(session_id=session_id, blocks=(command,), told_to=None)
    told_to = channels.last_position(channel_id)
    recap = await recap_for(
        agent.agent_id, channel_id, without=asked.message_id, roster=roster, channels=channels
    )
    texts = (recap.text, text) if recap.text else (text,)
    return Prompt(
        session_id=session_id,
        blocks=tuple(TextContent(text=part) for part in texts),
        told_to=told_to,
    )


async def recap_for(
    agent_id: AgentId,
    channel_id: ChannelId,
    *,
    without: MessageId,
    roster: Roster,
    channels: Channels,
    new: bool = False,
) -> Recap:
    """Return what an agent has not seen; with `new`, as its session of before counts for nothing.

    A session that has had no ordinary prompt yet knows nothing: its first one tells everything, the
    agent's own words included.
    """
    known = None if new else roster.sessions.known(channel_id, agent_id)
    fresh = known is None or known.fresh
    return await channels.recap_for(
        channel_id,
        after=0 if known is None else known.mark,
        without=without,
        without_author=None if fresh else agent_id,
        without_told=None if known is None else known.acp_session_id,
        names=names_of(roster),
        limits=roster.config.recap,
    )


def names_of(roster: Roster) -> Mapping[AgentId, str]:
    """Return how the agents are called."""
    return {agent.agent_id: agent.config.name for agent in roster.agents}


def text_of(message: Message) -> str:
    """Return what a message says."""
    return "\n\n".join(part.text for part in message.parts if isinstance(part, TextPart))
