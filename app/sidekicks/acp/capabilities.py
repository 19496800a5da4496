"""Who the peers are and what they can do, as told at the start."""

import msgspec

from sidekicks.acp.lenient import AcpStruct, Offered


class Implementation(AcpStruct, frozen=True, kw_only=True):
    """A program's name and version."""

    name: str
    version: str = ""
    title: str | None = None


class FileCapabilities(AcpStruct, frozen=True, kw_only=True, omit_defaults=False):
    """Whether the client reads and writes files for the agent."""

    read_text_file: bool = False
    write_text_file: bool = False


class ConfigOptionCapabilities(AcpStruct, frozen=True, kw_only=True):
    """Which types of options, besides select, the client shows."""

    boolean: Offered | None = None


class ClientSessionCapabilities(AcpStruct, frozen=True, kw_only=True):
    """What the client can show of a session."""

    config_options: ConfigOptionCapabilities | None = None


class AuthCapabilities(AcpStruct, frozen=True, kw_only=True, omit_defaults=False):
    """Whether the client can run an agent's sign-in in a terminal."""

    terminal: bool = False


class ClientCapabilities(AcpStruct, frozen=True, kw_only=True, omit_defaults=False):
    """What the client does for agents."""

    fs: FileCapabilities = FileCapabilities()
    terminal: bool = False
    session: ClientSessionCapabilities = ClientSessionCapabilities()
    auth: AuthCapabilities = AuthCapabilities()


class PromptCapabilities(AcpStruct, frozen=True, kw_only=True):
    """Which blocks a prompt may hold besides text and links."""

    image: bool = False
    audio: bool = False
    embedded_context: bool = False


class McpCapabilities(AcpStruct, frozen=True, kw_only=True):
    """How an agent reaches MCP servers besides stdio."""

    http: bool = False
    sse: bool = False


class SessionCapabilities(AcpStruct, frozen=True, kw_only=True):
    """Which requests about sessions an agent takes."""

    list: Offered | None = None
    resume: Offered | None = None
    close: Offered | None = None
    delete: Offered | None = None
    fork: Offered | None = None
    additional_directories: Offered | None = None


class AgentAuthCapabilities(AcpStruct, frozen=True, kw_only=True):
    """Whether one can sign out."""

    logout: Offered | None = None


class AgentCapabilities(AcpStruct, frozen=True, kw_only=True):
    """What an agent says it can do. Some do more than they say."""

    load_session: bool = False
    prompt_capabilities: PromptCapabilities = PromptCapabilities()
    mcp_capabilities: McpCapabilities = McpCapabilities()
    session_capabilities: SessionCapabilities = SessionCapabilities()
    auth: AgentAuthCapabilities = AgentAuthCapabilities()


class TerminalAuth(AcpStruct, frozen=True, kw_only=True):
    """A command that signs in, as some agents give it outside the protocol."""

    command: str
    args: tuple[str, ...] = ()
    label: str | None = None
    env: dict[str, str] = {}


class AuthMeta(AcpStruct, frozen=True, kw_only=True):
    """The part of a sign-in method's `_meta` that we use."""

    terminal_auth: TerminalAuth | None = msgspec.field(default=None, name="terminal-auth")


class AuthMethod(AcpStruct, frozen=True, kw_only=True):
    """A way to sign in.

    Without `type` the agent does it upon `authenticate`; `terminal` means to run the agent's own
    command with `args` and `env` instead. Other types can only be shown.
    """

    id: str
    name: str = ""
    description: str | None = None
    type: str | None = None
    args: tuple[str, ...] = ()
    env: dict[str, str] = {}
    meta: AuthMeta | None = msgspec.field(default=None, name="_meta")


class Initialized(AcpStruct, frozen=True, kw_only=True):
    """Who the agent is and what it can do."""

    protocol_version: int
    agent_capabilities: AgentCapabilities = AgentCapabilities()
    auth_methods: tuple[AuthMethod, ...] = ()
    agent_info: Implementation | None = None
