"""Who answers a message (`product.md` 3). The same function serves the preview and the sending."""

from collections.abc import Sequence

from sidekicks.channels.words import say
from sidekicks.contract.errors import SidekicksError
from sidekicks.contract.ids import AgentId
from sidekicks.contract.state import Channel

LONGEST_MESSAGE = 1_000_000


def route(channel: Channel, text: str, to: Sequence[AgentId] = ()) -> tuple[AgentId, ...]:
    """Return who answers, in order; `to` overrides. Empty when nobody can be told from the text.

    Raises:
        SidekicksError: `invalid` for an empty or too long text, or a recipient who is no member.
    """
    if not text.strip():
        raise SidekicksError("invalid", say("empty"))
    if len(text) > LONGEST_MESSAGE:
        raise SidekicksError("too_large", say("too_long", limit=LONGEST_MESSAGE))
    for agent_id in to:
        if agent_id not in channel.members:
            raise SidekicksError("invalid", say("not_member", agent=agent_id))
    if to:
        return tuple(dict.fromkeys(to))
    return channel.members if len(channel.members) == 1 else ()


def must_route(channel: Channel, text: str, to: Sequence[AgentId] = ()) -> tuple[AgentId, ...]:
    """Return who answers, in order.

    Raises:
        SidekicksError: as `route`, and `ambiguous` with the members when nobody can be told.
    """
    if recipients := route(channel, text, to):
        return recipients
    raise SidekicksError("ambiguous", say("for_whom"), members=list(channel.members))
