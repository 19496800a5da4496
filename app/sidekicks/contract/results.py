"""What commands answer."""

from typing import Literal

from sidekicks.contract.ids import AgentId, ChannelId, MessageId, TurnId
from sidekicks.contract.state import (
    FailureCode,
    LogEntry,
    Message,
    Rule,
    Settings,
    SignInMethod,
    SlashCommand,
    Snapshot,
)
from sidekicks.contract.wire import Result, Wire


class SnapshotTaken(Result, Snapshot, frozen=True, kw_only=True):
    """Everything but the messages."""


class Log(Result, frozen=True, kw_only=True):
    """Entries after the number asked for; ask for `next` the next time."""

    entries: tuple[LogEntry, ...]
    next: int


class ChannelOpened(Result, frozen=True, kw_only=True):
    """A conversation that is there now."""

    channel_id: ChannelId


class MessagePage(Result, frozen=True, kw_only=True):
    """Messages, oldest first; `more` if there are others beyond in the direction asked for."""

    messages: tuple[Message, ...]
    more: bool


class SentTurn(Wire, frozen=True, kw_only=True):
    """A turn that a message queued."""

    turn_id: TurnId
    agent_id: AgentId


class MessageSent(Result, frozen=True, kw_only=True):
    """The message and who will answer it, in order."""

    message_id: MessageId
    turns: tuple[SentTurn, ...]


class PreviewHint(Wire, frozen=True, kw_only=True):
    """Something to know before sending, such as a mention that names nobody."""

    kind: str
    message: str


class MessagePreview(Result, frozen=True, kw_only=True):
    """Who would answer; empty when the person must say whom it is for."""

    to: tuple[AgentId, ...]
    command: str | None = None
    hints: tuple[PreviewHint, ...] = ()


class RecapPreview(Result, frozen=True, kw_only=True):
    """A transcript (empty where nothing is unseen), the messages in it, and how many were left out.

    `how`: the agent's `session` is open; a stored one would be loaded; or a new one opened.
    """

    text: str
    messages: tuple[MessageId, ...]
    left_out: int
    how: Literal["session", "load", "new"]


class RuleList(Result, frozen=True, kw_only=True):
    """The kept answers, oldest first."""

    rules: tuple[Rule, ...]


class TurnQueuedAgain(Result, frozen=True, kw_only=True):
    """The new turn."""

    turn_id: TurnId


class TextBack(Result, frozen=True, kw_only=True):
    """The text of a message that was taken back whole, for the composer; null where it stays."""

    text: str | None = None


class OfferedCommand(SlashCommand, frozen=True, kw_only=True):
    """A command and whose it is."""

    agent_id: AgentId


class CommandList(Result, frozen=True, kw_only=True):
    """The commands known, and the members that never announced theirs."""

    commands: tuple[OfferedCommand, ...]
    unknown: tuple[AgentId, ...]


class SettingsTaken(Result, frozen=True, kw_only=True):
    """The settings as they are now."""

    settings: Settings


FindingLevel = Literal["ok", "note", "problem"]
"""`note`: worth knowing, nothing to mend."""


class Finding(Wire, frozen=True, kw_only=True):
    """One thing that the doctor looked at, in a sentence; no secret in it, the home folder as `~`.

    `code` names it in every language. `advice` says what to do, where the sentence does not.
    `details` are lines: names, folders, what a program wrote. `failure` is as in `Failure`.
    """

    code: str
    level: FindingLevel
    message: str
    advice: str | None = None
    details: tuple[str, ...] = ()
    duration_ms: int | None = None
    failure: FailureCode | None = None


class AgentFindings(Wire, frozen=True, kw_only=True):
    """What came of starting one agent, in order. `level` is the worst; `methods` to sign in."""

    agent_id: AgentId
    name: str
    level: FindingLevel
    findings: tuple[Finding, ...]
    methods: tuple[SignInMethod, ...] = ()


class Diagnosis(Result, frozen=True, kw_only=True):
    """What the doctor found: of the app and the `computer`, and of each agent.

    `level` is the worst of all. `report` is all of it as text, to be copied.
    """

    level: FindingLevel
    computer: tuple[Finding, ...]
    agents: tuple[AgentFindings, ...]
    report: str
