"""What there is: agents, channels, messages, turns, permissions; the snapshot of all of it."""

from typing import Literal

from sidekicks.contract.ids import (
    AgentId,
    ChannelId,
    MessageId,
    PermissionId,
    RuleId,
    TurnId,
)
from sidekicks.contract.parts import Location, Part, ToolContent
from sidekicks.contract.wire import Json, Wire

AgentState = Literal["stopped", "starting", "ready", "working", "waiting", "stopping", "failed"]
FailureCode = Literal[
    "command_not_found",
    "not_executable",
    "interpreter_missing",
    "workspace_missing",
    "workspace_no_access",
    "wrong_protocol",
    "no_answer",
    "bad_answer",
    "sign_in",
    "crashed",
    "runtime_unsupported",
]


class SignInMethod(Wire, frozen=True, kw_only=True):
    """A way to sign in. `agent`: by `sign_in`; `terminal`: by running `command`; else shown."""

    method_id: str
    name: str
    description: str | None
    type: str
    command: str | None = None


class Failure(Wire, frozen=True, kw_only=True):
    """Why an agent does not run: one sentence with what to do, and the last lines of its stderr."""

    code: FailureCode
    message: str
    stderr: str = ""
    methods: tuple[SignInMethod, ...] = ()
    """For `sign_in`: the ways that the agent offers."""


class SlashCommand(Wire, frozen=True, kw_only=True):
    """A command that an agent announced. `hint` says what may follow it."""

    name: str
    description: str
    hint: str | None = None


RuntimeType = Literal["local", "container", "sbx"]


class Agent(Wire, frozen=True, kw_only=True):
    """Someone the person talks to. `converses` is false for an entry without `command`."""

    agent_id: AgentId
    name: str
    state: AgentState
    where: str
    runtime: RuntimeType
    converses: bool
    workspace: str
    failure: Failure | None = None
    restart_to_apply: bool = False
    memory: int | None = None
    """Bytes of its process tree, while it runs."""


class Channel(Wire, frozen=True, kw_only=True):
    """A conversation: `direct` with one agent, or a channel with a name and members in order."""

    channel_id: ChannelId
    kind: Literal["direct", "channel"]
    name: str
    members: tuple[AgentId, ...]
    draft: str = ""
    unread: int = 0
    """Messages of agents since the person last looked."""


Outcome = Literal["finished", "stopped", "failed", "nothing", "refused", "limit", "withdrawn"]


class Ending(Wire, frozen=True, kw_only=True):
    """How a turn ended; stays with the answer."""

    outcome: Outcome
    duration_ms: int
    reason: str | None = None


class Message(Wire, frozen=True, kw_only=True):
    """One message. `position` orders a conversation; null while the message waits in the queue."""

    message_id: MessageId
    channel_id: ChannelId
    author: str
    """`user`, or the id of the agent."""
    parts: tuple[Part, ...]
    created_at: str
    position: int | None = None
    as_text: bool = False
    """Begins with `/`, but is no command."""
    turn_id: TurnId | None = None
    """The turn that wrote it; null for the person's."""
    ending: Ending | None = None


class WaitsFor(Wire, frozen=True, kw_only=True):
    """Why a turn has not started, or does not go on.

    `agent`: that agent answers elsewhere (`channel_id`). `place`: as many run or answer as may.
    `turn`: another recipient answers first. `answer`: the person's.
    """

    kind: Literal["agent", "place", "turn", "answer"]
    agent_id: AgentId | None = None
    channel_id: ChannelId | None = None
    children: tuple[str, ...] = ()
    """For `place`: what the idle agent started and still runs; only the person may end that."""


class Turn(Wire, frozen=True, kw_only=True):
    """One recipient's answer, while it is queued or runs."""

    turn_id: TurnId
    channel_id: ChannelId
    agent_id: AgentId
    state: Literal["queued", "running"]
    user_message_id: MessageId
    queued_at: str
    message_id: MessageId | None = None
    """The answer, once the turn has started."""
    started_at: str | None = None
    waits_for: WaitsFor | None = None
    stopping: bool = False
    quiet: bool = False
    """Nothing came for a minute."""
    parts: tuple[Part, ...] = ()


class PermissionOption(Wire, frozen=True, kw_only=True):
    """One of the agent's own answers, in its order and words."""

    option_id: str
    name: str
    kind: str | None = None


class ToolCall(Wire, frozen=True, kw_only=True):
    """What a permission is asked for, as far as the agent tells."""

    tool_call_id: str
    title: str
    kind: str | None = None
    locations: tuple[Location, ...] = ()
    content: tuple[ToolContent, ...] = ()
    input: Json = None


class Permission(Wire, frozen=True, kw_only=True):
    """A question of a turn that only the person (or a rule of theirs) may answer."""

    permission_id: PermissionId
    channel_id: ChannelId
    agent_id: AgentId
    turn_id: TurnId | None
    tool_call: ToolCall
    options: tuple[PermissionOption, ...]
    asked_at: str


class Rule(Wire, frozen=True, kw_only=True):
    """A kept answer to what an agent asks for a kind of tool; it never chooses an `_always`."""

    rule_id: RuleId
    agent_id: AgentId
    kind: str
    decision: Literal["allow", "reject"]
    created_at: str


class OptionChoice(Wire, frozen=True, kw_only=True):
    """One value that a session option can take."""

    value: str
    name: str


class SessionOption(Wire, frozen=True, kw_only=True):
    """Something about a session that can be changed: its mode, its model, and so on."""

    option_id: str
    name: str
    category: str | None
    source: Literal["config", "mode", "model"]
    """How the agent offers it; the latter two are the protocol's older ways."""
    value: str | bool
    choices: tuple[OptionChoice, ...] = ()


class Usage(Wire, frozen=True, kw_only=True):
    """Tokens in the session's context, of how many."""

    used: float
    size: float | None = None


class Session(Wire, frozen=True, kw_only=True):
    """One ACP session: an agent in a channel, with what the agent offers there."""

    channel_id: ChannelId
    agent_id: AgentId
    options: tuple[SessionOption, ...] = ()
    usage: Usage | None = None


class Problem(Wire, frozen=True, kw_only=True):
    """Something wrong that stays so until it is mended, such as a line of the configuration."""

    problem_id: str
    code: str
    message: str
    severity: Literal["error", "warning"] = "error"
    file: str | None = None
    line: int | None = None
    key: str | None = None
    """The path of the key, such as `agents.alice.runtime.type`."""
    expected: str | None = None


class LogEntry(Wire, frozen=True, kw_only=True):
    """A line of an agent's log. `frame` entries are ACP messages, `to` or `from` the agent."""

    number: int
    at: str
    kind: Literal["life", "stderr", "noise", "frame"]
    text: str
    direction: Literal["to", "from"] | None = None
    method: str | None = None


class Settings(Wire, frozen=True, kw_only=True):
    """What the person set in the app. `system` follows the computer."""

    language: Literal["system", "en", "fr"] = "system"
    theme: Literal["system", "light", "dark"] = "system"


class AppInfo(Wire, frozen=True, kw_only=True):
    """The app itself."""

    version: str
    platform: Literal["linux", "darwin"]
    language: Literal["en", "fr"]
    config_path: str
    max_running: int
    max_answering: int
    settings: Settings


class Snapshot(Wire, frozen=True, kw_only=True):
    """Everything but the messages (`get_messages`) at the number that came with it."""

    app: AppInfo
    agents: tuple[Agent, ...]
    channels: tuple[Channel, ...]
    sessions: tuple[Session, ...]
    turns: tuple[Turn, ...]
    permissions: tuple[Permission, ...]
    questions: tuple[()] = ()
    """What agents ask besides permissions; none until elicitation is offered to them."""
    shells: tuple[()] = ()
    problems: tuple[Problem, ...] = ()
