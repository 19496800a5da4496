"""What happened. Each event carries the whole new state of what it names, so that a page can apply
it twice or from any snapshot before it; only `turn.delta` adds, at an offset that tells whether it
is known already.
"""

from sidekicks.contract import state
from sidekicks.contract.ids import (
    AgentId,
    ChannelId,
    MessageId,
    PartId,
    PermissionId,
    ReaderId,
    TurnId,
)
from sidekicks.contract.parts import Part
from sidekicks.contract.wire import Event


class ReaderOpened(Event, frozen=True, kw_only=True, tag="reader.opened"):
    """The first event of a stream."""

    reader_id: ReaderId


class Resync(Event, frozen=True, kw_only=True, tag="resync"):
    """This reader has missed events: take a new snapshot and open the stream again."""


class AgentChanged(Event, frozen=True, kw_only=True, tag="agent.changed"):
    """An agent is new or has changed."""

    agent: state.Agent


class AgentRemoved(Event, frozen=True, kw_only=True, tag="agent.removed"):
    """An agent is gone from the configuration."""

    agent_id: AgentId


class CommandsChanged(Event, frozen=True, kw_only=True, tag="commands.changed"):
    """An agent announced its slash commands."""

    agent_id: AgentId
    commands: tuple[state.SlashCommand, ...]


class LogAdded(Event, frozen=True, kw_only=True, tag="log.added"):
    """An agent's log has grown to `next`; told at most four times a second."""

    agent_id: AgentId
    next: int


class ChannelChanged(Event, frozen=True, kw_only=True, tag="channel.changed"):
    """A conversation is new or has changed."""

    channel: state.Channel


class MessageAdded(Event, frozen=True, kw_only=True, tag="message.added"):
    """A message is there; it may still wait in the queue."""

    message: state.Message


class MessageChanged(Event, frozen=True, kw_only=True, tag="message.changed"):
    """A message has taken its place, or has ended."""

    message: state.Message


class MessageRemoved(Event, frozen=True, kw_only=True, tag="message.removed"):
    """A message was taken back before it was said."""

    channel_id: ChannelId
    message_id: MessageId


class SessionChanged(Event, frozen=True, kw_only=True, tag="session.changed"):
    """An agent's session in a conversation offers other options, or its usage changed."""

    channel_id: ChannelId
    agent_id: AgentId
    options: tuple[state.SessionOption, ...]
    usage: state.Usage | None


class TurnQueued(Event, frozen=True, kw_only=True, tag="turn.queued"):
    """An agent is to answer."""

    turn: state.Turn


class TurnStarted(Event, frozen=True, kw_only=True, tag="turn.started"):
    """An agent has begun; `message_id` is its answer, added just before."""

    turn_id: TurnId
    channel_id: ChannelId
    agent_id: AgentId
    message_id: MessageId
    started_at: str


class TurnDelta(Event, frozen=True, kw_only=True, tag="turn.delta"):
    """Text that joins a part of the answer at `offset`, in UTF-16 units."""

    turn_id: TurnId
    channel_id: ChannelId
    message_id: MessageId
    part_id: PartId
    kind: str
    """`text` or `thought`, for a part that begins with this."""
    offset: int
    text: str


class TurnUpdated(Event, frozen=True, kw_only=True, tag="turn.updated"):
    """A part of the answer, whole, or the state of the turn; what is null has not changed
    (but `waits_for`, which is always as it is now).
    """

    turn_id: TurnId
    channel_id: ChannelId
    message_id: MessageId | None = None
    part: Part | None = None
    waits_for: state.WaitsFor | None = None
    stopping: bool = False
    quiet: bool = False


class TurnEnded(Event, frozen=True, kw_only=True, tag="turn.ended"):
    """The turn is over; its answer was changed just before, with the same ending."""

    turn_id: TurnId
    channel_id: ChannelId
    agent_id: AgentId
    outcome: state.Outcome
    duration_ms: int
    reason: str | None = None


class PermissionAsked(Event, frozen=True, kw_only=True, tag="permission.asked"):
    """An agent waits for the person."""

    permission: state.Permission


class PermissionClosed(Event, frozen=True, kw_only=True, tag="permission.closed"):
    """A question needs no answer any more; `outcome` is the option chosen, or `cancelled`."""

    permission_id: PermissionId
    outcome: str


class ConfigChanged(Event, frozen=True, kw_only=True, tag="config.changed"):
    """The configuration file was read anew; what it changed is told by events of its own."""

    max_running: int
    max_answering: int
    agent_ids: tuple[AgentId, ...]
    """All agents, in the file's order."""


class SettingsChanged(Event, frozen=True, kw_only=True, tag="settings.changed"):
    """The person changed a setting."""

    settings: state.Settings
    language: str
    """What `settings.language` comes to."""


class ProblemRaised(Event, frozen=True, kw_only=True, tag="problem.raised"):
    """Something is wrong."""

    problem: state.Problem


class ProblemClosed(Event, frozen=True, kw_only=True, tag="problem.closed"):
    """A problem is mended."""

    problem_id: str


AnyEvent = (
    ReaderOpened
    | Resync
    | AgentChanged
    | AgentRemoved
    | CommandsChanged
    | LogAdded
    | ChannelChanged
    | MessageAdded
    | MessageChanged
    | MessageRemoved
    | SessionChanged
    | TurnQueued
    | TurnStarted
    | TurnDelta
    | TurnUpdated
    | TurnEnded
    | PermissionAsked
    | PermissionClosed
    | ConfigChanged
    | SettingsChanged
    | ProblemRaised
    | ProblemClosed
)
