"""The bundled agent as its client sees it: sessions, prompts, options.

With a model it passes prompts on; without one it is a guide that says so. Nothing is kept after the
end, so sessions cannot be loaded, and none of the client's MCP servers is used: a model here has no
tools.
"""

import asyncio
import logging
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sidekicks import __version__
from sidekicks.acp import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    RESOURCE_NOT_FOUND,
    AcpError,
    AgentCapabilities,
    AgentPeer,
    CommandsUpdate,
    ConfigOption,
    ContentBlock,
    Implementation,
    Initialized,
    InitializeRequest,
    McpServer,
    Offered,
    PromptCapabilities,
    Prompted,
    SessionCapabilities,
    SessionOpened,
)
from sidekicks.companion.chat import LIMITS, Limits
from sidekicks.companion.commands import announce, run_command
from sidekicks.companion.folder import Folder
from sidekicks.companion.guide import describe_no_model
from sidekicks.companion.loaded import LoadedByUs
from sidekicks.companion.models import Models
from sidekicks.companion.options import MODEL_OPTION, model_options
from sidekicks.companion.prompts import SlashCommand, read_command, read_text
from sidekicks.companion.session import Session
from sidekicks.companion.talk import talk
from sidekicks.companion.turn import Client, Turn, TurnStopped
from sidekicks.companion.words import words
from sidekicks.contract.errors import SidekicksError

logger = logging.getLogger(__name__)

PROTOCOL_VERSION: Final = 1
PACE_SECONDS: Final = 0.5


class Companion(AgentPeer):
    """The bundled agent.

    Args:
        models: the models it may pass prompts to.
        limits: how long a model server may take.
        pace: how long, in seconds, the tour leaves a step on view.
    """

    def __init__(self, models: Models, limits: Limits = LIMITS, pace: float = PACE_SECONDS) -> None:
        self._models: Final = models
        self._limits: Final = limits
        self._pace: Final = pace
        self._loaded: Final = LoadedByUs()
        self._sessions: Final[dict[str, Session]] = {}
        self._client: Client | None = None

    def connect(self, client: Client) -> None:
        """From now on this is the way to the client."""
        self._client = client

    async def close(self, seconds: float) -> None:
        """Free the memory of the models that only we used, within `seconds`."""
        try:
            async with asyncio.timeout(seconds):
                await self._loaded.free(seconds)
        except TimeoutError:
            # The server frees them by itself, some minutes later.
            return

    async def initialize(self, request: InitializeRequest) -> Initialized:
        """Say who we are and what we can do."""
        return Initialized(
            protocol_version=PROTOCOL_VERSION,
            agent_capabilities=AgentCapabilities(
                prompt_capabilities=PromptCapabilities(embedded_context=True),
                session_capabilities=SessionCapabilities(close=Offered()),
            ),
            agent_info=Implementation(name="sidekicks", version=__version__, title="Sidekick"),
        )

    async def new_session(self, cwd: str, mcp_servers: Sequence[McpServer]) -> SessionOpened:
        """Open a session in the absolute folder `cwd`."""
        folder = Folder(Path(cwd))
        if not folder.is_there():
            raise AcpError(INVALID_PARAMS, words("no_folder", path=cwd))
        if mcp_servers:
            logger.warning(
                "the bundled agent uses no MCP servers; %d are ignored", len(mcp_servers)
            )
        await self._models.look()
        session = Session(secrets.token_hex(8), folder)
        session.told_options = model_options(self._models, None)
        self._sessions[session.session_id] = session
        # The client learns of the session by our answer, which is sent before this runs.
        asyncio.get_running_loop().call_soon(self._announce_commands, session)
        return SessionOpened(
            session_id=session.session_id, config_options=session.told_options or None
        )

    async def close_session(self, session_id: str) -> None:
        """End what the session does, and forget it."""
        self._find(session_id).stop()
        del self._sessions[session_id]

    async def set_config_option(
        self, session_id: str, option_id: str, value: str | bool
    ) -> Sequence[ConfigOption]:
        """Choose the session's model."""
        session = self._find(session_id)
        known = {model.value for model in self._models.models}
        if option_id != MODEL_OPTION or value not in known:
            raise AcpError(INVALID_PARAMS, words("no_option", option=option_id, value=value))
        session.model_value = str(value)
        session.told_options = model_options(self._models, session.model_value)
        return session.told_options

    async def cancel(self, session_id: str) -> None:
        """Make the session's prompt return `cancelled`, if one runs."""
        if (session := self._sessions.get(session_id)) is not None:
            session.stop()

    async def prompt(self, session_id: str, blocks: Sequence[ContentBlock]) -> Prompted:
        """Answer what the person says; return when the turn has ended."""
        session = self._find(session_id)
        if session.turn is not None:
            raise AcpError(INVALID_REQUEST, words("session_busy"))
        task = asyncio.current_task()
        assert task is not None
        session.turn, session.stopped = task, False
        try:
            return Prompted(stop_reason=await self._answer(session, blocks))
        except TurnStopped:
            return Prompted(stop_reason="cancelled")
        except asyncio.CancelledError:
            if not session.stopped:
                # Not the person's Stop: the connection ends, or the request was taken back.
                raise
            task.uncancel()
            return Prompted(stop_reason="cancelled")
        finally:
            session.turn = None

    async def _answer(self, session: Session, blocks: Sequence[ContentBlock]) -> str:
        assert self._client is not None
        turn = Turn(self._client, session, self._pace)
        if (command := read_command(blocks)) is not None:
            return await self._run(turn, command)
        models = self._models
        if models.doubtful or models.choose(session.model_value) is None:
            await models.look()
        await turn.tell_options(models)
        model = models.choose(session.model_value)
        if model is None:
            again = session.was_guided
            session.was_guided = True
            await turn.say(words("guide_again") if again else describe_no_model(models))
            return "end_turn"
        try:
            prompt = read_text(blocks, session.folder)
            return await talk(turn, model, prompt, self._loaded, self._limits)
        except SidekicksError as error:
            models.doubtful = True
            raise AcpError(INTERNAL_ERROR, error.message) from error

    async def _run(self, turn: Turn, command: SlashCommand) -> str:
        try:
            await run_command(turn, self._models, command)
        except SidekicksError as error:
            await turn.say(error.message)
        return "end_turn"

    def _announce_commands(self, session: Session) -> None:
        if self._client is not None:
            update = CommandsUpdate(available_commands=announce())
            self._client.update(session.session_id, update)

    def _find(self, session_id: str) -> Session:
        session = self._sessions.get(session_id)
        if session is None:
            raise AcpError(RESOURCE_NOT_FOUND, words("no_session", session=session_id))
        return session
