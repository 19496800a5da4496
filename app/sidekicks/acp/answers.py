"""What requests are answered with."""

from sidekicks.acp.lenient import AcpStruct, Number
from sidekicks.acp.options import ConfigOption, Models, Modes


class SessionOpened(AcpStruct, frozen=True, kw_only=True):
    """A session that was made, loaded or resumed. Null `config_options`: the agent has none."""

    session_id: str
    modes: Modes | None = None
    models: Models | None = None
    config_options: tuple[ConfigOption, ...] | None = None


class SessionListed(AcpStruct, frozen=True, kw_only=True):
    """A session that the agent keeps."""

    session_id: str
    cwd: str = ""
    title: str | None = None
    updated_at: str | None = None


class SessionList(AcpStruct, frozen=True, kw_only=True):
    """A page of the sessions that the agent keeps."""

    sessions: tuple[SessionListed, ...]
    next_cursor: str | None = None


class Usage(AcpStruct, frozen=True, kw_only=True):
    """Tokens that a turn took."""

    total_tokens: Number | None = None
    input_tokens: Number | None = None
    output_tokens: Number | None = None
    thought_tokens: Number | None = None
    cached_read_tokens: Number | None = None
    cached_write_tokens: Number | None = None


class Prompted(AcpStruct, frozen=True, kw_only=True):
    """The end of a turn.

    `stop_reason` is end_turn, max_tokens, max_turn_requests, refusal, cancelled or a word of the
    agent's own; an agent that gives none has ended its turn.
    """

    stop_reason: str
    usage: Usage | None = None


class PermissionOption(AcpStruct, frozen=True, kw_only=True):
    """An answer that the agent offers, as it came.

    `kind` is allow_once, allow_always, reject_once, reject_always or the agent's own word; several
    options may be of one kind.
    """

    option_id: str
    name: str = ""
    kind: str = ""
