"""What the person can do. A command's tag is its name as `verb_noun`; see also `RESULTS`."""

from typing import Any

from sidekicks.contract import results
from sidekicks.contract.ids import AgentId, ChannelId, MessageId, PermissionId, RuleId, TurnId
from sidekicks.contract.wire import Command, Done, Result


class GetSnapshot(Command, frozen=True, kw_only=True):
    """Everything but the messages."""


class StartAgent(Command, frozen=True, kw_only=True):
    """Start the agent's program, taking a place."""

    agent_id: AgentId


class StopAgent(Command, frozen=True, kw_only=True):
    """End the agent's program and all that it started."""

    agent_id: AgentId


class RestartAgent(Command, frozen=True, kw_only=True):
    """Stop and start again, with the configuration as it is now."""

    agent_id: AgentId


class GetLog(Command, frozen=True, kw_only=True):
    """The agent's log after entry number `after`; with the ACP messages if `frames`."""

    agent_id: AgentId
    after: int = 0
    frames: bool = False


class SignIn(Command, frozen=True, kw_only=True):
    """Have the agent sign in by one of its methods; returns when it has."""

    agent_id: AgentId
    method_id: str


class OpenDirect(Command, frozen=True, kw_only=True):
    """The direct conversation with an agent, made at the first time."""

    agent_id: AgentId


class GetMessages(Command, frozen=True, kw_only=True):
    """A page of messages, oldest first: the last, or those before, after or around a message."""

    channel_id: ChannelId
    before: MessageId | None = None
    after: MessageId | None = None
    around: str | None = None
    """A message's id, or a date (`2026-11-30`)."""
    limit: int = 50


class SendMessage(Command, frozen=True, kw_only=True):
    """Send a message; `to` overrides who answers. A repeated `local_id` gives the first result."""

    channel_id: ChannelId
    text: str
    to: tuple[AgentId, ...] = ()
    as_text: bool = False
    local_id: str | None = None


class PreviewMessage(Command, frozen=True, kw_only=True):
    """Who would answer this text, by the same parser that sends."""

    channel_id: ChannelId
    text: str


class PreviewRecap(Command, frozen=True, kw_only=True):
    """What an agent would be told with the next ordinary message, besides the message."""

    channel_id: ChannelId
    agent_id: AgentId


class StopTurn(Command, frozen=True, kw_only=True):
    """Cancel the turn that runs and drop those still to come for that message.

    `force` ends the agent's program, for one that goes on after the cancel.
    """

    channel_id: ChannelId
    force: bool = False


class RetryTurn(Command, frozen=True, kw_only=True):
    """Ask the same agent for another answer to the same message."""

    turn_id: TurnId


class WithdrawTurn(Command, frozen=True, kw_only=True):
    """Take a queued turn back."""

    turn_id: TurnId


class ListCommands(Command, frozen=True, kw_only=True):
    """The slash commands of a conversation's members, as last announced.

    With `open`, members that never announced theirs are started, as places allow.
    """

    channel_id: ChannelId
    open: bool = False


class AnswerPermission(Command, frozen=True, kw_only=True):
    """Answer with one of the agent's own options."""

    permission_id: PermissionId
    option_id: str
    remember: bool = False
    """Keep it as a rule for this agent and kind of tool."""


class ListRules(Command, frozen=True, kw_only=True):
    """The kept answers, of one agent or of all."""

    agent_id: AgentId | None = None


class DeleteRule(Command, frozen=True, kw_only=True):
    """Take a kept answer back."""

    rule_id: RuleId


class SetOption(Command, frozen=True, kw_only=True):
    """Change a session option that the agent offers."""

    channel_id: ChannelId
    agent_id: AgentId
    option_id: str
    value: str | bool


class SaveDraft(Command, frozen=True, kw_only=True):
    """Keep what is being written in a conversation."""

    channel_id: ChannelId
    text: str


class MarkRead(Command, frozen=True, kw_only=True):
    """The person has seen a conversation to its end."""

    channel_id: ChannelId


class GetSettings(Command, frozen=True, kw_only=True):
    """What the person set."""


class SetSettings(Command, frozen=True, kw_only=True):
    """Change settings: only the given ones."""

    settings: dict[str, Any]


class Doctor(Command, frozen=True, kw_only=True):
    """Look at the app, the computer and the agents, or that one agent, and say what is wrong.

    Each agent is really started, as a program of its own, and ended again.
    """

    agent_id: AgentId | None = None


class OpenExternal(Command, frozen=True, kw_only=True):
    """Open a web or mail link in the system's browser."""

    url: str


RESULTS: dict[type[Command], type[Result]] = {
    GetSnapshot: results.SnapshotTaken,
    StartAgent: Done,
    StopAgent: Done,
    RestartAgent: Done,
    GetLog: results.Log,
    SignIn: Done,
    OpenDirect: results.ChannelOpened,
    GetMessages: results.MessagePage,
    SendMessage: results.MessageSent,
    PreviewMessage: results.MessagePreview,
    PreviewRecap: results.RecapPreview,
    StopTurn: Done,
    RetryTurn: results.TurnQueuedAgain,
    WithdrawTurn: results.TextBack,
    ListCommands: results.CommandList,
    AnswerPermission: Done,
    ListRules: results.RuleList,
    DeleteRule: Done,
    SetOption: Done,
    SaveDraft: Done,
    MarkRead: Done,
    GetSettings: results.SettingsTaken,
    SetSettings: results.SettingsTaken,
    Doctor: results.Diagnosis,
    OpenExternal: Done,
}
"""Every command and what it answers: what the page's types, the bridge and tests go by."""
